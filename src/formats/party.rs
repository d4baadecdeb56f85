//! Logs of the PartyGammon client (`.gam`).
//!
//! ```text
//! file     = { key "=" value }
//! key      = "MATCHLENGTH" | "GAME_" number ( "_PLAYER_1" | "_PLAYER_2" | "_GAMEPLAY" | "_SCORE1" | "_SCORE2" ) | …
//! gameplay = record { "#" record }
//! record   = ( "1" | "2" ) ( word | number number roll [ play ] )
//! ```
//!
//! The scores are those after the game, and no line says who won: the difference does. The second one closes
//! the game. Follows GNU Backgammon's importer.

use super::carry::{Carried, Item};
use super::recorder::{Recorder, amount, starts};
use super::{Format, Likely, NotThisFormat, Sink};
use crate::board::{ByPlayer, Length, Player};
use crate::record::{Action, GameResult, WrittenRoll};
use crate::source::{Source, Span, Spanned, lines};

pub(super) static FORMAT: Format = Format {
    name: "party",
    title: "PartyGammon log",
    extensions: &["gam"],
    sniff,
    binary: false,
    read: Some(read),
    read_made: None,
    cut: None,
    write: None,
    profiles: &[],
    verified: false,
    carries: &[
        (Item::Names, Carried::Yes),
        (Item::Length, Carried::Yes),
        (Item::Scores, Carried::Yes),
        (Item::GameNumbers, Carried::Yes),
        (Item::CubeActions, Carried::Yes),
        (Item::Dances, Carried::Yes),
        (Item::Results, Carried::Yes),
    ],
};

/// The keys of this client among the first lines.
fn sniff(source: &Source) -> Likely {
    let mut texts = lines(source.text()).take(100).map(|line| line.text.trim());
    let first = texts.find(|text| !text.is_empty()).unwrap_or("");
    let known = |text: &str| {
        starts(text, "BOARDID=")
            || starts(text, "CREATOR=")
            || starts(text, "MATCHLENGTH=")
            || game_key(text.split('=').next().unwrap_or("")).is_some()
    };
    match known(first) {
        true if texts.any(known) => Likely::Yes,
        true => Likely::Maybe,
        false => Likely::No,
    }
}

fn read(source: &Source, sink: &mut Sink<'_>) -> Result<(), NotThisFormat> {
    let mut reader = Reader {
        recorder: Recorder::new(source),
        number: None,
        score: ByPlayer::new(0, 0),
        stated: None,
        one: None,
        is_closed: false,
    };
    for line in lines(source.text()) {
        reader.line(line.text.trim());
    }
    reader.recorder.hand_over(sink)
}

/// Number and rest of `GAME_3_PLAYER_1`.
fn game_key(key: &str) -> Option<(&str, &str)> {
    let rest = starts(key, "GAME_").then(|| &key[5..])?;
    let (number, rest) = rest.split_once('_')?;
    let digits = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    digits.then_some((number, rest))
}

struct Reader<'s> {
    recorder: Recorder<'s>,
    /// The game that is being read, as its keys number it.
    number: Option<String>,
    /// The score after the last game, and where it is stated.
    score: ByPlayer<u32>,
    stated: Option<Span>,
    /// The first player's score after this game.
    one: Option<(u32, Span)>,
    is_closed: bool,
}

impl Reader<'_> {
    fn line(&mut self, text: &str) {
        if text.is_empty() || text.starts_with('[') && text.ends_with(']') {
            return;
        }
        let span = self.recorder.source.span(text);
        let Some((key, value)) = text.split_once('=') else {
            return self.recorder.loose(span);
        };
        let (key, value) = (key.trim(), value.trim());
        if let Some((number, key)) = game_key(key) {
            if self.is_closed || self.number.as_deref() != Some(number) {
                self.game(number, span);
            }
            return self.game_line(&key.to_ascii_uppercase(), value, span);
        }
        if key.eq_ignore_ascii_case("MATCHLENGTH") {
            return self.length(value, span);
        }
        self.recorder.tag(key, value, span);
    }

    fn length(&mut self, value: &str, span: Span) {
        let length = match value.parse::<u32>() {
            Ok(0) => Length::Money,
            Ok(points) if points < 9999 => Length::Points(points),
            _ => {
                let message = format!("{value:?} is no length of a match");
                let label = "a length is a number from 0 (money play) to 9998";
                return self.recorder.bad_header(span, message, label);
            }
        };
        self.recorder.record.length = Some(Spanned::new(length, span));
    }

    fn game(&mut self, number: &str, span: Span) {
        self.number = Some(number.to_owned());
        self.is_closed = false;
        self.one = None;
        let before = self.stated.map(|span| Spanned::new(self.score, span));
        let game = self.recorder.start_game(span);
        game.number = number.parse().ok().map(|n| Spanned::new(n, span));
        game.score = before;
    }

    fn game_line(&mut self, key: &str, value: &str, span: Span) {
        match key {
            "PLAYER_1" => self.name(Player::One, value, span),
            "PLAYER_2" => self.name(Player::Two, value, span),
            "GAMEPLAY" => {
                for record in value.split('#') {
                    self.record(record.trim());
                }
            }
            "SCORE1" => self.one = self.points(value, span).map(|points| (points, span)),
            "SCORE2" => self.close(value, span),
            _ => self.recorder.loose(span),
        }
    }

    fn name(&mut self, player: Player, value: &str, span: Span) {
        let record = &mut self.recorder.record;
        if record.games.len() == 1 {
            record.names[player] = value.to_owned();
        } else if record.names[player] != value
            && let Some(game) = record.games.last_mut()
        {
            game.names[player] = Some(Spanned::new(value.to_owned(), span));
            let message = "the names are not those of the first game".to_owned();
            self.recorder
                .bad_header(span, message, "another name before");
        }
    }

    fn points(&mut self, value: &str, span: Span) -> Option<u32> {
        let points = value.parse().ok();
        if points.is_none() {
            let message = format!("{value:?} is no score");
            let label = "a score is a whole number from 0 on";
            self.recorder.bad_header(span, message, label);
        }
        points
    }

    /// The second score closes the game: who gained points has won them.
    fn close(&mut self, value: &str, span: Span) {
        self.is_closed = true;
        let two = self.points(value, span);
        let (Some(two), Some((one, first))) = (two, self.one) else {
            return;
        };
        let place = if first.start < span.start {
            first.to(span)
        } else {
            span
        };
        let gained = ByPlayer::new(
            one.checked_sub(self.score.one),
            two.checked_sub(self.score.two),
        );
        self.score = ByPlayer::new(one, two);
        self.stated = Some(place);
        let (winner, points) = match (gained.one, gained.two) {
            (Some(points @ 1..), Some(0)) => (Player::One, points),
            (Some(0), Some(points @ 1..)) => (Player::Two, points),
            // Nobody has gained anything: the game was not finished.
            (Some(0), Some(0)) => return,
            _ => {
                let message = format!("the score {one}-{two} does not follow from the one before");
                let label = "one player gains points in a game";
                return self.recorder.bad_header(place, message, label);
            }
        };
        let result = GameResult {
            winner: Some(winner),
            points: Some(points),
            ..GameResult::default()
        };
        self.recorder.result(result, place);
    }

    /// `1 0 0 31 8/5 6/5` or `2 Double`
    fn record(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let span = self.recorder.source.span(text);
        let (side, rest) = text.split_once(' ').unwrap_or((text, ""));
        let player = match side {
            "1" => Player::One,
            "2" => Player::Two,
            _ => return self.recorder.loose(span),
        };
        let rest = rest.trim();
        if let Some(action) = word(rest) {
            return self.recorder.action(player, action, 0, span);
        }
        match dice(rest) {
            Some((roll, play)) => self.recorder.rolled(player, roll, play, 0, span),
            None => self.recorder.unreadable(player, 0, span),
        }
    }
}

/// The dice behind two numbers, and the play behind them.
fn dice(text: &str) -> Option<(WrittenRoll, &str)> {
    let mut rest = text;
    for _ in 0..2 {
        let (number, after) = rest.split_once(' ')?;
        number.parse::<f64>().ok()?;
        rest = after.trim_start();
    }
    let (dice, play) = rest.split_once(' ').unwrap_or((rest, ""));
    match dice.trim_end_matches(':').as_bytes() {
        &[a @ b'0'..=b'9', b @ b'0'..=b'9'] => Some((WrittenRoll(a - b'0', b - b'0'), play)),
        _ => None,
    }
}

fn word(text: &str) -> Option<Action> {
    let is = |word| starts(text, word);
    if is("double") || is("redouble") {
        let (to, after_roll) = (amount(text), None);
        Some(Action::Double { to, after_roll })
    } else if is("beaver") {
        Some(Action::Beaver { to: amount(text) })
    } else if is("take") || is("accept") {
        Some(Action::Take)
    } else if is("drop") || is("pass") || is("reject") {
        Some(Action::Pass)
    } else if is("resign") {
        Some(Action::Resign { win: None })
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::recorder::testing::{actions, damage, only};
    use super::*;

    const GAME: &str = include_str!("../../fixtures/party/partygammon.gam");

    #[test]
    fn the_winner_is_who_gained_points() {
        let (record, codes) = only(&FORMAT, GAME);
        let results: Vec<_> = record
            .games
            .iter()
            .map(|game| game.result.map(|r| (r.value.winner, r.value.points)))
            .collect();
        let (one, two) = (Some(Player::One), Some(Player::Two));
        let expected = [
            Some((two, Some(2))),
            Some((one, Some(1))),
            Some((one, Some(1))),
        ];
        assert_eq!(results, expected);
        let before = record.games[2].score.map(|score| score.value);
        assert_eq!(before, Some(ByPlayer::new(1, 2)));
        assert_eq!(
            actions(&record.games[0])[4..6],
            ["2 double { to: none, after_roll: none }", "1 take"]
        );
        assert_eq!(codes, [""; 0]);
    }

    #[test]
    fn scores_that_fall_are_reported() {
        let text = "BOARDID=1\nGAME_1_GAMEPLAY=1 0 0 31 8/5 6/5#3 x#1 y#\nGAME_1_SCORE1=2\nGAME_1_SCORE2=1\n";
        let (record, codes) = only(&FORMAT, text);
        assert_eq!(actions(&record.games[0]), ["1 31: 8/5 6/5", "1 unreadable"]);
        assert_eq!(codes, ["unreadable-line", "unreadable-line", "bad-header"]);
    }

    #[test]
    fn damage_is_survived() {
        damage(&FORMAT, &GAME[..500]);
    }
}
