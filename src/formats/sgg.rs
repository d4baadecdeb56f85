//! Saved matches of the GamesGrid and GridGammon servers (`.sgg`).
//!
//! ```text
//! file    = name " vs. " name, date, place, { option ":" value }, { game }
//! game    = "Game" number "." score "-" score [ "/" length ], { record | talk }, name "wins" number "points."
//! record  = number tab [ tab ] ( roll ":" [ play | "O-O" | "Resign" ] | "-" | word [ "to" number ] )
//!         | number ": Automatic double"
//! ```
//!
//! One tab is the player named first, two tabs the other; a star behind a score marks the Crawford game. The
//! dice stand alone in a line of their own before they stand with the play, and lines may be repeated: what
//! has the same number, player and text is one. `O-O` is a dance, and a lonely `-` one without dice. A line
//! that starts with no number is talk. Follows GNU Backgammon's importer.

use super::carry::{Carried, Item};
use super::notation::roll;
use super::recorder::{Recorder, amount, starts};
use super::text::number;
use super::{Format, Likely, NotThisFormat, Sink};
use crate::board::{ByPlayer, Length, Player, Win};
use crate::diagnostic::syntax;
use crate::record::{Action, GameResult, WrittenPlay, WrittenRoll};
use crate::source::{Source, Span, Spanned, lines};

pub(super) static FORMAT: Format = Format {
    name: "sgg",
    title: "GamesGrid save",
    extensions: &["sgg"],
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
        (Item::Ratings, Carried::Yes),
        (Item::Length, Carried::Yes),
        (Item::Scores, Carried::Yes),
        (Item::Event, Carried::Partly),
        (Item::RuleTags, Carried::Yes),
        (Item::CrawfordGame, Carried::Yes),
        (Item::GameNumbers, Carried::Yes),
        (Item::CubeActions, Carried::Yes),
        (Item::CubeValues, Carried::Yes),
        (Item::Beavers, Carried::Yes),
        (Item::Raccoons, Carried::Yes),
        (Item::Dances, Carried::Yes),
        (Item::Resignations, Carried::Yes),
        (Item::Results, Carried::Yes),
        (Item::StartPositions, Carried::Partly),
        (Item::Comments, Carried::Yes),
        (Item::RowNumbers, Carried::Yes),
    ],
};

/// Two names with `vs.` between them, and a game line of this kind.
fn sniff(source: &Source) -> Likely {
    let mut texts = lines(source.text())
        .map(|line| line.text.trim())
        .filter(|text| !text.is_empty());
    if texts.next().and_then(players).is_none() {
        return Likely::No;
    }
    let likely = texts
        .take(200)
        .any(|text| game_line(text).is_some() || starts(text, "ELO:"));
    if likely { Likely::Yes } else { Likely::Maybe }
}

fn read(source: &Source, sink: &mut Sink<'_>) -> Result<(), NotThisFormat> {
    let mut reader = Reader {
        recorder: Recorder::new(source),
        header_lines: 0,
        dice: None,
        number: 0,
        seen: Vec::new(),
    };
    reader.recorder.marks_hits = true;
    for line in lines(source.text()) {
        reader.line(line.text);
    }
    reader.end_of_turn();
    reader.recorder.hand_over(sink)
}

/// `alpha vs. bravo`
fn players(text: &str) -> Option<(&str, &str)> {
    let (one, two) = text.split_once(" vs. ")?;
    let (one, two) = (one.trim(), two.trim());
    (!one.is_empty() && !two.is_empty()).then_some((one, two))
}

/// What the heading of a game says.
struct GameLine<'a> {
    number: &'a str,
    score: [&'a str; 2],
    crawford: bool,
    length: Option<&'a str>,
}

/// `Game 3.4*-2/5`
fn game_line(text: &str) -> Option<GameLine<'_>> {
    let rest = text.strip_prefix("Game ")?;
    let (number, rest) = rest.split_once('.')?;
    let (one, rest) = rest.split_once('-')?;
    let (two, length) = match rest.split_once('/') {
        Some((two, length)) => (two, Some(length.trim())),
        None => (rest, None),
    };
    let (number, score) = (number.trim(), [one.trim(), two.trim()]);
    let crawford = score.iter().any(|score| score.ends_with('*'));
    let score = score.map(|score| score.trim_end_matches('*'));
    let digits = |text: &&str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    (digits(&number) && score.iter().all(digits)).then_some(GameLine {
        number,
        score,
        crawford,
        length,
    })
}

/// `Tuesday, March 14, 2006` as `2006.03.14`.
fn long_date(text: &str) -> Option<String> {
    const MONTHS: [&str; 12] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ];
    let words: Vec<&str> = text
        .split([' ', ','])
        .filter(|word| !word.is_empty())
        .collect();
    let month = words
        .iter()
        .find_map(|word| MONTHS.iter().position(|month| starts(word, month)))?;
    let mut numbers = words.iter().filter_map(|word| word.parse::<u32>().ok());
    let (day, year) = (numbers.next()?, numbers.next()?);
    (day <= 31 && year > 31).then(|| format!("{year:04}.{:02}.{day:02}", month + 1))
}

struct Reader<'s> {
    recorder: Recorder<'s>,
    header_lines: u32,
    /// Dice without a play so far: number, player and place.
    dice: Option<(u32, Player, WrittenRoll, Span)>,
    /// The number of the last record, and what was seen under it.
    number: u32,
    seen: Vec<(Player, String)>,
}

impl Reader<'_> {
    fn line(&mut self, line: &str) {
        let text = line.trim();
        if text.is_empty() {
            return;
        }
        let span = self.recorder.source.span(text);
        if let Some(game) = game_line(text) {
            self.end_of_turn();
            return self.game(&game, span);
        }
        if self.recorder.record.games.is_empty() {
            return self.header(text, span);
        }
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            return self.numbered(line.trim_start(), span);
        }
        match self.wins(text) {
            Some(result) => {
                self.end_of_turn();
                self.recorder.result(result, span);
            }
            None => self.recorder.remark(span, text),
        }
    }

    fn header(&mut self, text: &str, span: Span) {
        self.header_lines += 1;
        if self.header_lines == 1
            && let Some((one, two)) = players(text)
        {
            self.recorder.record.names = ByPlayer::new(one.to_owned(), two.to_owned());
            return;
        }
        if let Some((name, value)) = text.split_once(':') {
            return self.option(name.trim(), value.trim(), span);
        }
        match long_date(text) {
            Some(date) => self.recorder.tag("EventDate", &date, span),
            None if self.recorder.record.tag("Site").is_none() => {
                self.recorder.tag("Site", text, span);
            }
            None => self.recorder.remark(span, text),
        }
    }

    fn option(&mut self, name: &str, value: &str, span: Span) {
        let recorder = &mut self.recorder;
        match name.to_ascii_lowercase().as_str() {
            "jacoby" => recorder.switch("Jacoby", value, span),
            "crawford" => recorder.switch("Crawford", value, span),
            "beavers" => recorder.switch("Beaver", value, span),
            "raccoons" => recorder.switch("Raccoon", value, span),
            "doubling cube" if starts(value, "n") => recorder.tag("CubeLimit", "1", span),
            "doubling cube" => {}
            "variant" => recorder.tag("Variation", variation(value), span),
            "match length" => self.length(value, span),
            "elo" => self.ratings(value, span),
            _ => recorder.tag(name, value, span),
        }
    }

    /// `1622.25 1210 1700.5 88`: rating and experience of each player.
    fn ratings(&mut self, value: &str, span: Span) {
        let fields: Vec<&str> = value.split_whitespace().collect();
        if let [one, _, two, _] = fields[..] {
            self.recorder.record.ratings =
                ByPlayer::new(Some(one.to_owned()), Some(two.to_owned()));
        }
        self.recorder.tag("ELO", value, span);
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
        match self.recorder.record.length {
            None => self.recorder.record.length = Some(Spanned::new(length, span)),
            Some(known) if known.value != length => {
                let message = format!("the length {value} contradicts the one before");
                self.recorder
                    .bad_header(span, message, "the first one counts");
            }
            Some(_) => {}
        }
    }

    fn game(&mut self, line: &GameLine<'_>, span: Span) {
        self.number = 0;
        self.seen.clear();
        match line.length {
            Some(length) => self.length(length, span),
            // Without a length anywhere it is money play.
            None if self.recorder.record.length.is_none() => self.length("0", span),
            None => {}
        }
        let score = line.score.map(|score| score.parse::<u32>().ok());
        if line.number.parse::<u32>().is_err() || score.contains(&None) {
            let message = "a number that is too large".to_owned();
            self.recorder
                .bad_header(span, message, "the heading of a game");
        }
        let game = self.recorder.start_game(span);
        game.number = line.number.parse().ok().map(|n| Spanned::new(n, span));
        if let [Some(one), Some(two)] = score {
            game.score = Some(Spanned::new(ByPlayer::new(one, two), span));
        }
        if line.crawford {
            game.crawford = Some(Spanned::new(true, span));
        }
    }

    /// A record; what was there before under its number is not taken again.
    fn numbered(&mut self, line: &str, span: Span) {
        let Ok((rest, number)) = number(line) else {
            return self.recorder.loose(span);
        };
        if let Some(text) = rest.strip_prefix(':')
            && starts(text.trim(), "automatic")
        {
            let variant = self.recorder.variant();
            return self.recorder.automatic_double(variant, None, span);
        }
        let tabs = rest.bytes().take_while(|&b| b == b'\t').count();
        let player = match tabs {
            0 => return self.recorder.loose(span),
            1 => Player::One,
            _ => Player::Two,
        };
        let text = rest.trim();
        if number != self.number {
            self.seen.clear();
        }
        self.number = number;
        let key = (player, text.to_ascii_lowercase());
        if self.seen.contains(&key) {
            return;
        }
        self.record(player, number, text, span);
        self.seen.push(key);
    }

    fn record(&mut self, player: Player, number: u32, text: &str, span: Span) {
        if let Ok((rest, dice)) = roll(text) {
            return self.rolled(player, number, dice, rest.trim(), span);
        }
        self.end_of_turn();
        if text == "-" {
            let message = "a turn without dice was read as a 66 that cannot be played";
            let label = "closed out, and no roll is written";
            self.recorder
                .note(&syntax::UNREADABLE_LINE, player, span, message, label);
            let action = Action::Play {
                roll: WrittenRoll(6, 6),
                play: WrittenPlay::CannotMove,
            };
            return self.recorder.action(player, action, number, span);
        }
        let resigned = self
            .recorder
            .last()
            .is_some_and(|last| matches!(last.action, Action::Resign { .. }));
        match word(text, resigned) {
            Some(action) => self.recorder.action(player, action, number, span),
            None => self.recorder.unreadable(player, number, span),
        }
    }

    fn rolled(&mut self, player: Player, number: u32, dice: WrittenRoll, text: &str, span: Span) {
        let is_same = |&(n, p, roll, _): &(u32, Player, WrittenRoll, Span)| {
            (n, p, roll) == (number, player, dice)
        };
        if !self.dice.as_ref().is_some_and(is_same) {
            self.end_of_turn();
        }
        if text.is_empty() {
            let was_played = self.recorder.last().is_some_and(|last| {
                let same = matches!(last.action, Action::Play { roll, .. } if roll == dice);
                (last.row, last.player) == (number, player) && same
            });
            if !was_played {
                self.dice = Some((number, player, dice, span));
            }
            return;
        }
        if starts(text, "resign") {
            self.dice = Some((number, player, dice, span));
            self.end_of_turn();
            let action = Action::Resign { win: win(text) };
            return self.recorder.action(player, action, number, span);
        }
        self.dice = None;
        if text.eq_ignore_ascii_case("o-o") {
            let play = WrittenPlay::CannotMove;
            let action = Action::Play { roll: dice, play };
            return self.recorder.action(player, action, number, span);
        }
        self.recorder.rolled(player, dice, text, number, span);
    }

    /// Dice that no play followed are a roll without one.
    fn end_of_turn(&mut self) {
        if let Some((number, player, roll, span)) = self.dice.take() {
            let play = WrittenPlay::Nothing;
            let action = Action::Play { roll, play };
            self.recorder.action(player, action, number, span);
        }
    }

    /// `alpha  wins 2 points.`
    fn wins(&self, text: &str) -> Option<GameResult> {
        let at = text.rfind(" wins ")?;
        let name = text[..at].trim();
        let names = &self.recorder.record.names;
        let winner = Player::BOTH
            .into_iter()
            .find(|&player| names[player].eq_ignore_ascii_case(name))?;
        let points = text[at + 6..].split_whitespace().next()?.parse().ok();
        Some(GameResult {
            winner: Some(winner),
            points,
            ..GameResult::default()
        })
    }
}

fn variation(value: &str) -> &str {
    match value.to_ascii_lowercase().as_str() {
        "backgammon" => "Backgammon",
        "nackgammon" => "NackGammon",
        "hypergammon" => "HyperGammon (3)",
        _ => value,
    }
}

/// A word for the cube or a resignation; `resigned` tells which of both an answer answers.
fn word(text: &str, resigned: bool) -> Option<Action> {
    let is = |word| starts(text, word);
    if is("double") || is("redouble") {
        let (to, after_roll) = (amount(text), None);
        Some(Action::Double { to, after_roll })
    } else if is("beaver") {
        Some(Action::Beaver { to: amount(text) })
    } else if is("raccoon") {
        Some(Action::Raccoon { to: amount(text) })
    } else if is("accept") || is("take") {
        Some(if resigned {
            Action::Accept
        } else {
            Action::Take
        })
    } else if is("pass") || is("drop") || is("reject") || is("decline") {
        Some(if resigned {
            Action::Reject
        } else {
            Action::Pass
        })
    } else if is("resign") {
        Some(Action::Resign { win: win(text) })
    } else {
        None
    }
}

fn win(text: &str) -> Option<Win> {
    let text = text.to_ascii_lowercase();
    Win::ALL
        .into_iter()
        .rev()
        .find(|win| text.contains(win.name()))
}

#[cfg(test)]
mod tests {
    use super::super::recorder::testing::{actions, damage, only};
    use super::*;
    use crate::record::MatchRecord;

    const GAME: &str = include_str!("../../fixtures/sgg/gamesgrid.sgg");

    fn game(records: &str) -> (MatchRecord, Vec<&'static str>) {
        only(&FORMAT, &format!("a vs. b\nGame 1.0-0\n{records}"))
    }

    #[test]
    fn dice_stand_twice_and_are_one_roll() {
        let (record, codes) = game(
            "1\t43:\n1\t43:\n1\t43: 24/20, 13/10\n1\t43: 24/20, 13/10\n1\t43:\n1\t\t65: O-O\n",
        );
        assert_eq!(
            actions(&record.games[0]),
            ["1 43: 24/20 13/10", "2 65: cannot"]
        );
        assert_eq!(codes, [""; 0]);
    }

    #[test]
    fn a_turn_without_dice_is_a_dance() {
        let (record, codes) = game("1\t\t43: 24/20, 13/10\n2\t -\n2\t\t31: 8/5, 6/5\n");
        assert_eq!(actions(&record.games[0])[1], "1 66: cannot");
        assert_eq!(codes, ["unreadable-line"]);
    }

    #[test]
    fn the_cube_has_all_its_turns() {
        let (record, _) = game(
            "1: Automatic double\n1\t31: 8/5, 6/5\n1\t\tDouble to 4\n2\tBeaver to 8\n2\t\tRaccoon to 16\n3\tAccept\n3\t\tResign gammon\n4\tAccept\n",
        );
        let expected = [
            "1 31: 8/5 6/5",
            "2 double 4",
            "1 beaver { to: some(8) }",
            "2 raccoon { to: some(16) }",
            "1 take",
            "2 resign { win: some(gammon) }",
            "1 accept",
        ];
        assert_eq!(actions(&record.games[0]), expected);
        let start = record.games[0].start.as_ref().expect("a start");
        assert_eq!(start.value.cube.map(|cube| cube.value), Some(2));
    }

    #[test]
    fn the_header_gives_tags_and_talk_comments() {
        let (record, codes) = only(&FORMAT, GAME);
        let tag = |name: &str| record.tag(name).map(|tag| tag.value.as_str());
        assert_eq!(tag("EventDate"), Some("2006.02.09"));
        assert_eq!(tag("Site"), Some("GamesGrid"));
        assert_eq!((tag("Jacoby"), tag("Crawford")), (Some("Off"), Some("On")));
        assert_eq!(record.ratings.two.as_deref(), Some("1700.5"));
        assert_eq!(record.length.map(|l| l.value), Some(Length::Points(3)));
        let double = &record.games[0].entries[4];
        let comment = double.extra.as_ref().and_then(|e| e.comment.as_deref());
        assert_eq!(comment, Some("bo: hello, good luck"));
        let crawford = |game: usize| record.games[game].crawford.is_some();
        assert_eq!([0, 1, 2].map(crawford), [false, true, false]);
        assert_eq!(codes, [""; 0]);
    }

    #[test]
    fn unknown_and_blank_header_lines_are_kept() {
        let text = "a vs. b\n\nNo date at all\nFurther talk\nMystery: 7\nGame 1.0-0/99999999999\n1\t31: 8/5\n";
        let (record, codes) = only(&FORMAT, text);
        assert_eq!(
            record.tag("Mystery").map(|tag| tag.value.as_str()),
            Some("7")
        );
        assert_eq!(record.comments[0].value, "Further talk");
        assert_eq!(codes, ["bad-header"]);
    }

    #[test]
    fn damage_is_survived() {
        let start = &GAME[..600];
        damage(&FORMAT, start);
    }
}
