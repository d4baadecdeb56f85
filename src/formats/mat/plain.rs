//! The rows that almost every line of a transcript is: a number and one or two rolls with plain moves.
//!
//! Nine rows of ten are of this shape, and the time of a whole check goes into them, so they have a
//! recogniser of their own that works on bytes. It knows nothing that the grammar in `cell` does not: where it
//! answers, it answers the same (a test holds the two against each other), and whatever is unusual it leaves
//! to the grammar.

use super::cell::{Cell, Kind};
use crate::board::{Move, Place, Play};
use crate::record::{WrittenPlay, WrittenRoll};

/// A plain row: its number, where the number ends, and its rolls.
pub(super) struct PlainRow {
    pub(super) number: u32,
    pub(super) from: usize,
    pub(super) rolls: [PlainRoll; 2],
    pub(super) count: usize,
}

/// A roll with its moves and its place in the line, in bytes.
#[derive(Clone, Copy)]
pub(super) struct PlainRoll {
    pub(super) roll: WrittenRoll,
    pub(super) play: Play,
    pub(super) start: usize,
    pub(super) end: usize,
}

const EMPTY: PlainRoll = PlainRoll {
    roll: WrittenRoll(0, 0),
    play: Play::EMPTY,
    start: 0,
    end: 0,
};

impl PlainRoll {
    /// What is written behind the dice.
    #[inline]
    pub(super) fn written(&self) -> WrittenPlay {
        if self.play.moves().is_empty() {
            WrittenPlay::Nothing
        } else {
            WrittenPlay::Moves(self.play)
        }
    }

    /// The same as a cell.
    pub(super) fn cell(&self) -> Cell {
        let kind = Kind::Play {
            roll: self.roll,
            play: self.written(),
        };
        Cell {
            kind,
            start: self.start,
            end: self.end,
        }
    }
}

/// Reads a row whose first digit stands at `at`; `None` if anything in it is unusual.
#[inline]
pub(super) fn plain_row(line: &str, at: usize) -> Option<PlainRow> {
    let bytes = line.as_bytes();
    let mut at = at;
    let mut number = 0u32;
    while let Some(digit) = digit(bytes, at).filter(|_| number < 1_000_000) {
        number = number * 10 + u32::from(digit);
        at += 1;
    }
    (bytes.get(at) == Some(&b')')).then_some(())?;
    let mut row = PlainRow {
        number,
        from: at + 1,
        rolls: [EMPTY; 2],
        count: 0,
    };
    at = blanks(bytes, at + 1);
    while at < bytes.len() {
        let slot = row.rolls.get_mut(row.count)?;
        at = roll(bytes, at, slot)?;
        row.count += 1;
    }
    Some(row)
}

/// The value of a decimal digit.
#[inline]
fn digit(bytes: &[u8], at: usize) -> Option<u8> {
    let value = bytes.get(at)?.wrapping_sub(b'0');
    (value < 10).then_some(value)
}

#[inline]
fn blanks(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at) == Some(&b' ') {
        at += 1;
    }
    at
}

/// `31: 8/5 6/5`; returns where the next roll starts.
#[inline]
fn roll(bytes: &[u8], start: usize, slot: &mut PlainRoll) -> Option<usize> {
    slot.roll = WrittenRoll(digit(bytes, start)?, digit(bytes, start + 1)?);
    (bytes.get(start + 2) == Some(&b':')).then_some(())?;
    slot.start = start;
    slot.end = start + 3;
    let mut at = blanks(bytes, start + 3);
    while at < bytes.len() {
        if bytes[at].is_ascii_digit() && bytes.get(at + 2) == Some(&b':') {
            break;
        }
        slot.end = step(bytes, at, &mut slot.play)?;
        at = blanks(bytes, slot.end);
    }
    Some(at)
}

/// `13/7*` or `13/7(2)`; returns where it ends.
#[inline]
fn step(bytes: &[u8], at: usize, play: &mut Play) -> Option<usize> {
    let (from, at) = place(bytes, at, b"bar", Place::BAR)?;
    (bytes.get(at) == Some(&b'/')).then_some(())?;
    let (to, mut at) = place(bytes, at + 1, b"off", Place::OFF)?;
    let hits = bytes.get(at) == Some(&b'*');
    at += usize::from(hits);
    if from == Place::OFF || !play.push(Move::new(from, to, hits)) {
        return None;
    }
    if bytes.get(at) == Some(&b'(') {
        let count = digit(bytes, at + 1).filter(|count| (1..=8).contains(count))?;
        (bytes.get(at + 2) == Some(&b')')).then_some(())?;
        for _ in 1..count {
            play.push(Move::new(from, to, false)).then_some(())?;
        }
        at += 3;
    }
    matches!(bytes.get(at), None | Some(b' ')).then_some(at)
}

/// A place in one or two digits, or the word.
#[inline]
fn place(bytes: &[u8], at: usize, word: &[u8; 3], named: Place) -> Option<(Place, usize)> {
    let Some(first) = digit(bytes, at) else {
        let there = bytes.get(at..at + 3)?;
        return there.eq_ignore_ascii_case(word).then_some((named, at + 3));
    };
    match digit(bytes, at + 1) {
        None => Some((Place::new(first)?, at + 1)),
        Some(second) => Some((Place::new(10 * first + second)?, at + 2)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::cell::{cells, row_number};
    use super::*;

    /// The cells that the grammar finds.
    fn by_grammar(line: &str) -> Vec<Cell> {
        let text = line.trim_start();
        let rest = row_number(text).map_or(text, |(rest, _)| rest);
        let mut found = Vec::new();
        cells(line, line.len() - rest.len(), 33, &mut found);
        found
    }

    #[test]
    fn the_short_way_finds_what_the_grammar_finds() {
        let mut plain = 0;
        for left in PARTS {
            for right in PARTS {
                for gap in [" ", "  ", "          "] {
                    let line = format!("  7) {left}{gap}{right}");
                    let Some(row) = plain_row(&line, 2) else {
                        continue;
                    };
                    plain += 1;
                    assert_eq!(row.number, 7, "{line:?}");
                    let cells: Vec<Cell> =
                        row.rolls[..row.count].iter().map(PlainRoll::cell).collect();
                    assert_eq!(cells, by_grammar(&line), "{line:?}");
                }
            }
        }
        assert!(plain > 200, "only {plain} rows went the short way");
    }

    const PARTS: [&str; 27] = [
        "",
        "31: 8/5 6/5",
        "31:",
        "31: ",
        "66: 24/18 24/18 13/7 13/7",
        "66: 24/18(2) 13/7*(2)",
        "44: bar/21* 6/off",
        "44: Bar/21(3) 6/Off",
        "21: 25/23 2/0",
        "00:",
        "71: 8/5",
        "31: 8/5, 6/5",
        "31: 8/5/4",
        "31: 8/5*/4",
        "31: 8/5 0/0",
        "31: 8/5(2)*",
        "31: 8/35",
        "31: ????",
        "31: Cannot Move",
        "31 8/5 6/5",
        "31: 8/5 6/542: 8/4",
        " Doubles => 2",
        " Takes",
        "Wins 2 points",
        "31: 8/5 6/5 [12s]",
        "31: 8 / 5",
        "11: 8/7 8/7 8/7 8/7 6/5 6/5 6/5 6/5 6/5",
    ];
}
