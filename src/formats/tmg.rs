//! Logs of the TrueMoneyGames server (`.tmg`).
//!
//! ```text
//! file   = { name ":" value }, { game }
//! game   = "Game" number ":" score "-" score, { record | name ":" value }
//! record = number type text
//! ```
//!
//! The number of a record counts the moves and is negative for the second player; the type tells what the
//! text is: 1 the roll, 4 the play, 5 a double, and so on. Both players count from their own side. Options
//! may be written again in the middle of a game. Follows GNU Backgammon's importer.

use super::carry::{Carried, Item};
use super::notation::roll;
use super::recorder::{Recorder, amount, date, starts};
use super::{Format, Likely, NotThisFormat, Sink};
use crate::board::{ByPlayer, Length, Player, Win};
use crate::record::{Action, GameResult, WrittenPlay, WrittenRoll};
use crate::source::{Source, Span, Spanned, lines};

pub(super) static FORMAT: Format = Format {
    name: "tmg",
    title: "TrueMoneyGames log",
    extensions: &["tmg"],
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
        (Item::Event, Carried::Partly),
        (Item::RuleTags, Carried::Yes),
        (Item::GameNumbers, Carried::Yes),
        (Item::CubeActions, Carried::Yes),
        (Item::CubeValues, Carried::Yes),
        (Item::Beavers, Carried::Yes),
        (Item::Raccoons, Carried::Yes),
        (Item::Dances, Carried::Yes),
        (Item::UnrecordedPlays, Carried::Partly),
        (Item::Resignations, Carried::Partly),
        (Item::TimeOuts, Carried::Yes),
        (Item::Results, Carried::Yes),
        (Item::ResultKinds, Carried::Yes),
        (Item::StartPositions, Carried::Partly),
        (Item::RowNumbers, Carried::Yes),
    ],
};

/// Options of this server, and a game line of its kind.
fn sniff(source: &Source) -> Likely {
    let mut option = false;
    for line in lines(source.text()).take(500) {
        let text = line.text.trim();
        let known = ["MatchID:", "Player1:", "Startdate:", "RakePct:"];
        if known.iter().any(|name| starts(text, name)) {
            option = true;
        } else if game_line(text).is_some() {
            return if option { Likely::Yes } else { Likely::No };
        }
    }
    if option { Likely::Maybe } else { Likely::No }
}

fn read(source: &Source, sink: &mut Sink<'_>) -> Result<(), NotThisFormat> {
    let mut reader = Reader {
        recorder: Recorder::new(source),
        dice: None,
    };
    for line in lines(source.text()) {
        reader.line(line.text.trim());
    }
    reader.end_of_turn();
    reader.recorder.hand_over(sink)
}

/// `Game 2: 1-0`
fn game_line(text: &str) -> Option<(&str, [&str; 2])> {
    let (number, rest) = text.strip_prefix("Game ")?.split_once(':')?;
    let (one, two) = rest.split_once('-')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let (number, one, two) = (number.trim(), one.trim(), two.trim());
    [number, one, two]
        .into_iter()
        .all(digits)
        .then_some((number, [one, two]))
}

struct Reader<'s> {
    recorder: Recorder<'s>,
    /// Dice without a play so far.
    dice: Option<(u32, Player, WrittenRoll, Span)>,
}

impl Reader<'_> {
    fn line(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let span = self.recorder.source.span(text);
        if let Some((number, score)) = game_line(text) {
            self.end_of_turn();
            return self.game(number, score, span);
        }
        if text.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
            return self.record(text, span);
        }
        match text.split_once(':') {
            Some((name, value)) => self.option(name.trim(), value.trim(), span),
            None => self.recorder.loose(span),
        }
    }

    fn game(&mut self, number: &str, score: [&str; 2], span: Span) {
        let score = score.map(|score| score.parse::<u32>().ok());
        if number.parse::<u32>().is_err() || score.contains(&None) {
            let message = "a number that is too large".to_owned();
            self.recorder
                .bad_header(span, message, "the heading of a game");
        }
        let game = self.recorder.start_game(span);
        game.number = number.parse().ok().map(|n| Spanned::new(n, span));
        if let [Some(one), Some(two)] = score {
            game.score = Some(Spanned::new(ByPlayer::new(one, two), span));
        }
    }

    fn option(&mut self, name: &str, value: &str, span: Span) {
        let recorder = &mut self.recorder;
        match name.to_ascii_lowercase().as_str() {
            "player1" => recorder.record.names.one = player_name(value),
            "player2" => recorder.record.names.two = player_name(value),
            "startdate" => {
                let (day, time) = value.split_once(' ').unwrap_or((value, ""));
                recorder.tag("EventDate", &date(day), span);
                recorder.tag("EventTime", time.trim(), span);
            }
            "jacoby" => recorder.switch("Jacoby", value, span),
            "crawford" => recorder.switch("Crawford", value, span),
            "beavers" => recorder.switch("Beaver", value, span),
            "raccoons" | "raccons" => recorder.switch("Raccoon", value, span),
            "cube" if value == "0" => recorder.tag("CubeLimit", "1", span),
            "cube" => {}
            "maxcube"
                if recorder.record.tag("CubeLimit").is_none()
                    && value.parse::<u32>().is_ok_and(|limit| limit > 1) =>
            {
                recorder.tag("CubeLimit", value, span);
            }
            "length" => self.length(value, span),
            "variant" => self.variant(value, span),
            _ => recorder.tag(name, value, span),
        }
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
        let known = self.recorder.record.length;
        self.recorder.record.length = known.or(Some(Spanned::new(length, span)));
    }

    fn variant(&mut self, value: &str, span: Span) {
        match value {
            "1" => self.recorder.tag("Variation", "Backgammon", span),
            "2" => self.recorder.tag("Variation", "NackGammon", span),
            _ => {
                // The replay says that it is not known.
                let name = format!("TrueMoneyGames variant {value}");
                self.recorder.tag("Variation", &name, span);
            }
        }
    }

    /// `-3 4 24/18 13/10`
    fn record(&mut self, line: &str, span: Span) {
        let mut parts = line.splitn(3, char::is_whitespace);
        let count = parts.next().and_then(|part| part.parse::<i32>().ok());
        let kind = parts.next().and_then(|part| part.parse::<u32>().ok());
        let text = parts.next().unwrap_or("").trim();
        let (Some(count), Some(kind)) = (count, kind) else {
            return self.recorder.loose(span);
        };
        let player = if count < 0 { Player::Two } else { Player::One };
        let row = count.unsigned_abs();
        match kind {
            1 => self.roll(player, row, text, span),
            4 => self.play(player, row, text, span),
            _ => {
                self.end_of_turn();
                self.other(player, row, kind, text, span);
            }
        }
    }

    fn roll(&mut self, player: Player, row: u32, text: &str, span: Span) {
        self.end_of_turn();
        if text.starts_with('?') {
            return self.recorder.action(player, Action::TimeOut, row, span);
        }
        match roll(text) {
            Ok((rest, dice)) if rest.trim().is_empty() => {
                self.dice = Some((row, player, dice, span));
            }
            _ => self.recorder.unreadable(player, row, span),
        }
    }

    fn play(&mut self, player: Player, row: u32, text: &str, span: Span) {
        match self.dice.take() {
            Some((_, roller, dice, _)) if roller == player => {
                self.recorder.rolled(player, dice, text, row, span);
            }
            dice => {
                self.dice = dice;
                self.end_of_turn();
                self.recorder.unreadable(player, row, span);
            }
        }
    }

    fn other(&mut self, player: Player, row: u32, kind: u32, text: &str, span: Span) {
        let to = amount(text);
        let action = match kind {
            2 => {
                let variant = self.recorder.variant();
                return self.recorder.automatic_double(variant, to, span);
            }
            5 => Action::Double {
                to,
                after_roll: None,
            },
            7 => Action::Take,
            8 => Action::Beaver { to },
            10 => Action::Pass,
            14 => return self.wins(player, Win::Single, text, span),
            15 => return self.wins(player, Win::Gammon, text, span),
            16 => return self.wins(player, Win::Backgammon, text, span),
            17 | 22 if row > 0 => Action::TimeOut,
            17 | 19 | 22 => return self.recorder.remark(span, text),
            _ if starts(text, "raccoon") || starts(text, "raccon") => Action::Raccoon { to },
            _ => return self.recorder.loose(span),
        };
        self.recorder.action(player, action, row, span);
    }

    /// `1 NAME wins 1 point`
    fn wins(&mut self, winner: Player, win: Win, text: &str, span: Span) {
        let points = text
            .rsplit_once(" wins ")
            .and_then(|(_, rest)| rest.split_whitespace().next()?.parse().ok());
        let result = GameResult {
            winner: Some(winner),
            points,
            win: Some(win),
            ..GameResult::default()
        };
        self.recorder.result(result, span);
    }

    /// Dice that no play followed are a roll without one.
    fn end_of_turn(&mut self) {
        if let Some((row, player, roll, span)) = self.dice.take() {
            let play = WrittenPlay::Nothing;
            let action = Action::Play { roll, play };
            self.recorder.action(player, action, row, span);
        }
    }
}

/// The name in `id name balance`.
fn player_name(value: &str) -> String {
    let words: Vec<&str> = value.split_whitespace().collect();
    match words[..] {
        [_, ref name @ .., _] if !name.is_empty() => name.join(" "),
        [_, name] => name.to_owned(),
        _ => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::recorder::testing::{actions, damage, only};
    use super::*;
    use crate::record::MatchRecord;

    const GAME: &str = include_str!("../../fixtures/tmg/truemoneygames.tmg");

    fn game(records: &str) -> (MatchRecord, Vec<&'static str>) {
        let text = format!("Player1: 1 a b 3.0\nPlayer2: 2 c 0\nLength: 0\nGame 1: 0-0\n{records}");
        only(&FORMAT, &text)
    }

    #[test]
    fn roll_and_play_are_one_action() {
        let (record, codes) = game("1 1 31:\n1 4 8/5 6/5\n-1 1 65:\n-1 4 0/0\n2 1 21:\n");
        let expected = ["1 31: 8/5 6/5", "2 65: cannot", "1 21:"];
        assert_eq!(actions(&record.games[0]), expected);
        assert_eq!((record.names.one.as_str(), codes), ("a b", vec![]));
    }

    #[test]
    fn every_type_of_record_is_known() {
        let (record, codes) = game(
            "0 2 Automatic to 2\n1 1 31:\n1 4 8/5 6/5\n-1 5 Double to 4\n1 8 Beaver to 8\n-1 9 Raccoon to 16\n\
            2 7 Take\n-2 1 ?\n0 19 4.00 0.00 4.00 0.00 Settlement\n3 15 8 a b wins 8 points\n",
        );
        let expected = [
            "1 31: 8/5 6/5",
            "2 double 4",
            "1 beaver { to: some(8) }",
            "2 raccoon { to: some(16) }",
            "1 take",
            "2 timeout",
        ];
        let game = &record.games[0];
        assert_eq!(actions(game), expected);
        let result = game.result.expect("a result").value;
        assert_eq!(
            (result.winner, result.points, result.win),
            (Some(Player::One), Some(8), Some(Win::Gammon))
        );
        assert_eq!(
            game.start
                .as_ref()
                .and_then(|s| s.value.cube)
                .map(|c| c.value),
            Some(2)
        );
        assert_eq!(game.comments.len() + codes.len(), 1);
    }

    #[test]
    fn options_within_a_game_are_no_actions() {
        let (record, codes) = game("1 1 31:\nBeavers: 1\n1 4 8/5 6/5\nRaccons: 0\nVariant: 7\n");
        assert_eq!(actions(&record.games[0]), ["1 31: 8/5 6/5"]);
        assert_eq!(record.switch("Beaver").map(|(on, _)| on), Some(true));
        assert_eq!(codes, [""; 0]);
    }

    #[test]
    fn the_header_gives_tags() {
        let (record, codes) = only(&FORMAT, GAME);
        let tag = |name: &str| record.tag(name).map(|tag| tag.value.as_str());
        assert_eq!(tag("EventDate"), Some("2006.02.09"));
        assert_eq!(tag("EventTime"), Some("20:15:00"));
        assert_eq!(
            (tag("CubeLimit"), tag("Crawford")),
            (Some("64"), Some("On"))
        );
        assert_eq!(record.length.map(|l| l.value), Some(Length::Points(3)));
        assert_eq!((record.games.len(), codes.len()), (3, 0));
    }

    #[test]
    fn what_makes_no_sense_is_kept_and_reported() {
        let (record, codes) =
            game("1 4 8/5 6/5\n99999999999 1 31:\n-1 1 3x:\n-1 1 31:\n-1 4 8/5 6//5\n");
        assert_eq!(
            actions(&record.games[0]),
            ["1 unreadable", "2 unreadable", "2 31: ?"]
        );
        assert_eq!(codes, ["unreadable-line"; 4]);
    }

    #[test]
    fn damage_is_survived() {
        damage(&FORMAT, &GAME[..700]);
    }
}
