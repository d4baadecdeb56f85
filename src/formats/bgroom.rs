//! Logs of the BGRoom server (`.bgf`).
//!
//! ```text
//! file   = "BGF version 1.2", { game }
//! game   = "Game" number "-" name "(X) vs." name "(0)", "Single" …, { record }, blank line
//! record = number "." ( "X" | "0" ) ":" ( "(" die die ")" ( play | "can't move" ) | "Double" | "Beaver" )
//! ```
//!
//! Money play only. A take is not written: the next roll says it, and the blank line behind a double says that
//! it was refused. BGBlitz files have the same extension and are another format. Follows GNU Backgammon's
//! importer.

use super::carry::{Carried, Item};
use super::recorder::{Recorder, starts};
use super::{Format, Likely, NotThisFormat, Sink};
use crate::board::{ByPlayer, Length, Player};
use crate::record::{Action, WrittenRoll};
use crate::source::{Source, Span, Spanned, lines};

pub(super) static FORMAT: Format = Format {
    name: "bgroom",
    title: "BGRoom log",
    extensions: &["bgf"],
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
        (Item::GameNumbers, Carried::Yes),
        (Item::CubeActions, Carried::Yes),
        (Item::Beavers, Carried::Yes),
        (Item::Dances, Carried::Yes),
        (Item::RowNumbers, Carried::Yes),
    ],
};

fn sniff(source: &Source) -> Likely {
    if starts(source.text().trim_start(), "BGF version") {
        Likely::Yes
    } else {
        Likely::No
    }
}

fn read(source: &Source, sink: &mut Sink<'_>) -> Result<(), NotThisFormat> {
    let mut reader = Reader {
        recorder: Recorder::new(source),
        doubled: None,
    };
    reader.recorder.marks_hits = true;
    for line in lines(source.text()) {
        reader.line(line.text.trim());
    }
    reader.recorder.hand_over(sink)
}

struct Reader<'s> {
    recorder: Recorder<'s>,
    /// A double that waits for its answer: who doubled, in which move, and where.
    doubled: Option<(Player, u32, Span)>,
}

impl Reader<'_> {
    fn line(&mut self, text: &str) {
        if text.is_empty() {
            return self.end_game();
        }
        let span = self.recorder.source.span(text);
        if starts(text, "BGF version") {
            let money = Spanned::new(Length::Money, span);
            self.recorder.record.length = Some(money);
        } else if let Some((number, names)) = game_line(text) {
            self.game(number, names, span);
        } else if text.starts_with(|c: char| c.is_ascii_digit()) {
            self.records(text);
        } else if starts(text, "Single") && self.recorder.last().is_none() {
            // What kind of game it is; nothing else is known to stand here.
        } else {
            self.recorder.remark(span, text);
        }
    }

    fn game(&mut self, number: &str, names: [&str; 2], span: Span) {
        self.end_game();

        let first = self.recorder.record.games.is_empty();
        let number = number.parse().ok().map(|n| Spanned::new(n, span));
        self.recorder.start_game(span).number = number;
        let [one, two] = names;
        let record = &mut self.recorder.record;
        if first {
            record.names = ByPlayer::new(one.to_owned(), two.to_owned());
        }
        for (player, name) in [(Player::One, one), (Player::Two, two)] {
            if record.names[player] != name
                && let Some(game) = record.games.last_mut()
            {
                game.names[player] = Some(Spanned::new(name.to_owned(), span));
            }
        }
    }

    /// One or more records in a line.
    fn records(&mut self, text: &str) {
        let mut rest = text;
        while !rest.is_empty() {
            let Some((number, player, body)) = record_head(rest) else {
                let span = self.recorder.source.span(rest);
                return self.recorder.loose(span);
            };
            let length = next_record(body).unwrap_or(body.len());
            let whole = &rest[..rest.len() - body.len() + length];
            let span = self.recorder.source.span(whole.trim_end());
            self.record(number, player, body[..length].trim(), span);
            rest = body[length..].trim_start();
        }
    }

    fn record(&mut self, number: u32, player: Player, text: &str, span: Span) {
        if let Some((roll, play)) = dice(text) {
            self.taken();
            return self.recorder.rolled(player, roll, play, number, span);
        }
        if starts(text, "double") {
            self.taken();
            self.doubled = Some((player, number, span));
            let (to, after_roll) = (None, None);
            let action = Action::Double { to, after_roll };
            return self.recorder.action(player, action, number, span);
        }
        self.doubled = None;
        if starts(text, "beaver") {
            let action = Action::Beaver { to: None };
            return self.recorder.action(player, action, number, span);
        }
        self.recorder.unreadable(player, number, span);
    }

    /// The game goes on, so the double was taken.
    fn taken(&mut self) {
        if let Some((by, number, span)) = self.doubled.take() {
            self.recorder.action(!by, Action::Take, number, span);
        }
    }

    /// A blank line: a double before it was refused.
    fn end_game(&mut self) {
        if let Some((by, number, span)) = self.doubled.take() {
            self.recorder.action(!by, Action::Pass, number, span);
        }
    }
}

/// `Game 1 - alpha (X) vs. bravo (0)`
fn game_line(text: &str) -> Option<(&str, [&str; 2])> {
    let (number, names) = text.strip_prefix("Game ")?.split_once(" - ")?;
    let (one, two) = names.split_once(" vs. ")?;
    let one = one.trim().strip_suffix("(X)")?.trim();
    let two = two.trim();
    let two = two.strip_suffix("(0)").or(two.strip_suffix("(O)"))?.trim();
    Some((number.trim(), [one, two]))
}

/// The start of a record: `3.X:`.
fn record_head(text: &str) -> Option<(u32, Player, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let number = text[..digits].parse().ok()?;
    let rest = text[digits..].strip_prefix('.')?;
    let player = match rest.as_bytes().first()? {
        b'X' | b'x' => Player::One,
        b'0' | b'O' | b'o' => Player::Two,
        _ => return None,
    };
    Some((number, player, rest[1..].strip_prefix(':')?))
}

/// Where the next record of a line starts.
fn next_record(text: &str) -> Option<usize> {
    let mut blanks = text.match_indices([' ', '\t']).map(|(at, _)| at + 1);
    blanks.find(|&at| record_head(&text[at..]).is_some())
}

/// `(3 1)` and the play behind it.
fn dice(text: &str) -> Option<(WrittenRoll, &str)> {
    let (dice, play) = text.strip_prefix('(')?.split_once(')')?;
    let mut dice = dice.split([' ', ',']).filter(|die| !die.is_empty());
    let mut die = || match dice.next()?.as_bytes() {
        &[digit @ b'0'..=b'9'] => Some(digit - b'0'),
        _ => None,
    };
    Some((WrittenRoll(die()?, die()?), play))
}

#[cfg(test)]
mod tests {
    use super::super::recorder::testing::{actions, damage, only};
    use super::*;

    const GAME: &str = include_str!("../../fixtures/bgroom/bgroom.bgf");

    #[test]
    fn takes_and_passes_follow_from_what_comes_next() {
        let (record, codes) = only(&FORMAT, GAME);
        let double = "double { to: none, after_roll: none }";
        assert_eq!(
            actions(&record.games[0])[4..6],
            [format!("2 {double}"), "1 take".to_owned()]
        );
        assert_eq!(
            actions(&record.games[1])[2..],
            [format!("1 {double}"), "2 pass".to_owned()]
        );
        let third = actions(&record.games[2]);
        assert_eq!(
            third[1..3],
            [format!("2 {double}"), "1 beaver { to: none }".to_owned()]
        );
        assert_eq!(codes, [""; 0]);
    }

    #[test]
    fn several_records_may_share_a_line() {
        let text = "BGF version 1.2\nGame 1 - a (X) vs. b (0)\nSingle\n1.X:(3 1)8/5 6/5 1.0:(4 4)can't move 2.X:huh\n";
        let (record, codes) = only(&FORMAT, text);
        let expected = ["1 31: 8/5 6/5", "2 44: cannot", "1 unreadable"];
        assert_eq!(actions(&record.games[0]), expected);
        assert_eq!(codes, ["unreadable-line"]);
    }

    #[test]
    fn damage_is_survived() {
        damage(&FORMAT, GAME);
    }
}
