//! The rows that almost every line of a transcript is: a number and one or two cells, each a roll with plain
//! moves or a usual word for the cube.
//!
//! Nearly all rows are of this shape, and the time of a whole check goes into them, so they have a
//! recogniser of their own that works on bytes. It knows nothing that the grammar in `cell` does not: where it
//! answers, it answers the same (a test holds the two against each other), and whatever is unusual it leaves
//! to the grammar.

use super::cell::{Cell, Kind};
use crate::board::{Move, Place, Play};
use crate::record::{Action, WrittenPlay, WrittenRoll};

/// A plain row: its number, where the number ends, and its cells.
pub(super) struct PlainRow {
    pub(super) number: u32,
    pub(super) from: usize,
    pub(super) cells: [PlainCell; 2],
    pub(super) count: usize,
}

/// A plain cell and its place in the line, in bytes.
#[derive(Clone, Copy)]
pub(super) struct PlainCell {
    what: What,
    /// The moves of a roll, made where they stay: they are too large to be handed around.
    play: Play,
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Clone, Copy)]
enum What {
    Roll(WrittenRoll),
    Double(u32),
    Take,
    Pass,
}

const EMPTY: PlainCell = PlainCell {
    what: What::Take,
    play: Play::EMPTY,
    start: 0,
    end: 0,
};

impl PlainCell {
    /// The action as the record has it.
    #[inline]
    pub(super) fn action(&self) -> Action {
        match self.what {
            What::Roll(WrittenRoll(0, 0)) => Action::NoRoll,
            What::Roll(roll) => Action::Play {
                roll,
                play: self.written(),
            },
            What::Double(to) => Action::Double {
                to: Some(to),
                after_roll: None,
            },
            What::Take => Action::Take,
            What::Pass => Action::Pass,
        }
    }

    /// Whether a move is marked as a hit.
    #[inline]
    pub(super) fn has_star(&self) -> bool {
        self.play.moves().iter().any(|moved| moved.hits)
    }

    #[inline]
    fn written(&self) -> WrittenPlay {
        if self.play.moves().is_empty() {
            WrittenPlay::Nothing
        } else {
            WrittenPlay::Moves(self.play)
        }
    }

    /// The same as the grammar would have it.
    pub(super) fn cell(&self) -> Cell {
        let kind = match self.what {
            What::Roll(roll) => Kind::Play {
                roll,
                play: self.written(),
            },
            What::Double(to) => Kind::Double {
                to: Some(to),
                after_roll: None,
            },
            What::Take => Kind::Take,
            What::Pass => Kind::Pass,
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
        cells: [EMPTY; 2],
        count: 0,
    };
    at = blanks(bytes, at + 1);
    while at < bytes.len() {
        let slot = row.cells.get_mut(row.count)?;
        at = cell(bytes, at, slot)?;
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

/// `31: 8/5 6/5`, `Doubles => 2`, `Takes` or `Drops`; returns where the next cell starts.
#[inline]
fn cell(bytes: &[u8], start: usize, slot: &mut PlainCell) -> Option<usize> {
    slot.start = start;
    let Some(first) = digit(bytes, start) else {
        return word(bytes, start, slot);
    };
    slot.what = What::Roll(WrittenRoll(first, digit(bytes, start + 1)?));
    (bytes.get(start + 2) == Some(&b':')).then_some(())?;
    slot.end = start + 3;
    let mut at = blanks(bytes, start + 3);
    while at < bytes.len() {
        if bytes[at].is_ascii_digit() && bytes.get(at + 2) == Some(&b':') {
            break;
        }
        if matches!(bytes[at], b'D' | b'T') {
            // Near a roll without a play, a double belongs to that roll; the grammar knows.
            (!slot.play.moves().is_empty()).then_some(())?;
            break;
        }
        slot.end = step(bytes, at, &mut slot.play)?;
        at = blanks(bytes, slot.end);
    }
    Some(at)
}

/// A word for the cube in its usual spelling.
fn word(bytes: &[u8], start: usize, slot: &mut PlainCell) -> Option<usize> {
    let rest = &bytes[start..];
    if rest.starts_with(b"Doubles => ") {
        let mut at = start + 11;
        let mut value = u32::from(digit(bytes, at)?);
        at += 1;
        while let Some(digit) = digit(bytes, at).filter(|_| value < 1_000_000) {
            value = value * 10 + u32::from(digit);
            at += 1;
        }
        slot.what = What::Double(value);
        slot.end = at;
    } else {
        slot.what = match rest.get(..5)? {
            b"Takes" => What::Take,
            b"Drops" => What::Pass,
            _ => return None,
        };
        slot.end = start + 5;
    }
    matches!(bytes.get(slot.end), None | Some(b' ')).then(|| blanks(bytes, slot.end))
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
                        row.cells[..row.count].iter().map(PlainCell::cell).collect();
                    assert_eq!(cells, by_grammar(&line), "{line:?}");
                }
            }
        }
        assert!(plain > 200, "only {plain} rows went the short way");
    }

    const PARTS: [&str; 33] = [
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
        "Doubles => 64",
        "Doubles => 2x",
        "Doubles ==> 2",
        "Drops",
        "Drop",
        "Takes.",
        " Takes",
        "Wins 2 points",
        "31: 8/5 6/5 [12s]",
        "31: 8 / 5",
        "11: 8/7 8/7 8/7 8/7 6/5 6/5 6/5 6/5 6/5",
    ];
}
