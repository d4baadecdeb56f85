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

/// A plain row: its number, where the number ends, and its cells. Rows are read into the same one again and
/// again, for it is too large to be made anew for every line.
pub(super) struct PlainRow {
    pub(super) number: u32,
    pub(super) from: usize,
    pub(super) cells: [PlainCell; 2],
    pub(super) count: usize,
}

impl PlainRow {
    pub(super) const fn new() -> PlainRow {
        PlainRow {
            number: 0,
            from: 0,
            cells: [EMPTY; 2],
            count: 0,
        }
    }
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

/// Eight bytes of the text, the first one lowest: what is looked at costs no bounds check, and taking a byte
/// away is a shift. `None` within the last eight bytes, which the grammar reads.
#[inline]
fn window(text: &[u8], at: usize) -> Option<u64> {
    let bytes: [u8; 8] = text.get(at..at + 8)?.try_into().ok()?;
    Some(u64::from_le_bytes(bytes))
}

/// The value of the digit that is the lowest byte; 10 or more if it is none.
#[inline]
fn digit(window: u64) -> u8 {
    (window as u8).wrapping_sub(b'0')
}

/// The first byte from `at` on that is no blank.
#[inline]
fn skip_blanks(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let other = window(text, at)? ^ u64::from_le_bytes(*b"        ");
        at += (other.trailing_zeros() / 8) as usize;
        if other != 0 {
            return Some(at);
        }
    }
}

/// Whether a line ends here.
#[inline]
fn is_end(seen: u64) -> bool {
    matches!(seen as u8, b'\n' | b'\r')
}

/// Reads the row of the line that starts at `start`, and finds the end of the line on the way; `None` if
/// anything in it is unusual. Places in the row count from `start`.
#[inline]
pub(super) fn plain_row(row: &mut PlainRow, text: &[u8], start: usize) -> Option<usize> {
    let mut at = skip_blanks(text, start)?;
    let mut seen = window(text, at)?;
    let mut number = 0u32;
    while digit(seen) < 10 {
        number = number * 10 + u32::from(digit(seen));
        seen >>= 8;
        at += 1;
    }
    (seen as u8 == b')').then_some(())?;
    row.number = number;
    row.from = at + 1 - start;
    row.count = 0;
    at = skip_blanks(text, at + 1)?;
    loop {
        let seen = window(text, at)?;
        if is_end(seen) {
            return Some(at);
        }
        let slot = row.cells.get_mut(row.count)?;
        slot.start = at - start;
        slot.play.clear();
        let (stop, next) = cell(text, at, seen, slot)?;
        slot.end = stop - start;
        at = next;
        row.count += 1;
    }
}

/// `31: 8/5 6/5`, `Doubles => 2`, `Takes` or `Drops`; returns where it ends and where the next cell starts.
#[inline]
fn cell(text: &[u8], at: usize, seen: u64, slot: &mut PlainCell) -> Option<(usize, usize)> {
    let (first, second) = (digit(seen), digit(seen >> 8));
    if first >= 10 {
        return word(text, at, slot);
    }
    (second < 10 && (seen >> 16) as u8 == b':').then_some(())?;
    slot.what = What::Roll(WrittenRoll(first, second));
    let mut stop = at + 3;
    let mut at = skip_blanks(text, stop)?;
    loop {
        let seen = window(text, at)?;
        if is_end(seen) || ((seen >> 16) as u8 == b':' && digit(seen) < 10) {
            return Some((stop, at));
        }
        if matches!(seen as u8, b'D' | b'T') {
            // Near a roll without a play, a double belongs to that roll; the grammar knows.
            return (!slot.play.moves().is_empty()).then_some((stop, at));
        }
        stop = step(text, at, seen, &mut slot.play)?;
        // One blank is the usual distance between moves.
        let next = text.get(stop..stop + 2)?;
        at = if next[0] == b' ' && next[1] != b' ' {
            stop + 1
        } else {
            skip_blanks(text, stop)?
        };
    }
}

/// `13/7*`, `bar/20` or `13/7(2)`; returns where it ends.
#[inline]
fn step(text: &[u8], at: usize, seen: u64, play: &mut Play) -> Option<usize> {
    let (from, seen, used) = place(seen, b"bar", Place::BAR)?;
    (seen as u8 == b'/').then_some(())?;
    // A word leaves too little of the window.
    let (mut at, seen) = (at + used + 1, seen >> 8);
    let seen = if used == 3 { window(text, at)? } else { seen };
    let (to, mut seen, used) = place(seen, b"off", Place::OFF)?;
    at += used;
    let hits = seen as u8 == b'*';
    if hits {
        seen >>= 8;
        at += 1;
    }
    if from == Place::OFF || !play.push(Move::new(from, to, hits)) {
        return None;
    }
    if seen as u8 == b'(' {
        seen = window(text, at)?;
        let count = digit(seen >> 8);
        (matches!(count, 1..=8) && (seen >> 16) as u8 == b')').then_some(())?;
        for _ in 1..count {
            play.push(Move::new(from, to, false)).then_some(())?;
        }
        seen >>= 24;
        at += 3;
    }
    matches!(seen as u8, b' ' | b'\n' | b'\r').then_some(at)
}

/// A place in one or two digits, or the word; with the rest of the window and the bytes used.
#[inline]
fn place(seen: u64, word: &[u8; 3], named: Place) -> Option<(Place, u64, usize)> {
    let (first, second) = (digit(seen), digit(seen >> 8));
    if first >= 10 {
        let bytes = seen.to_le_bytes();
        let same = bytes[..3].eq_ignore_ascii_case(word);
        return same.then_some((named, seen >> 24, 3));
    }
    if second >= 10 {
        Some((Place::new(first)?, seen >> 8, 1))
    } else {
        Some((Place::new(10 * first + second)?, seen >> 16, 2))
    }
}

/// A word for the cube in its usual spelling.
fn word(text: &[u8], at: usize, slot: &mut PlainCell) -> Option<(usize, usize)> {
    let rest = text.get(at..at + 20).or(text.get(at..))?;
    let length = if let Some(value) = rest.strip_prefix(b"Doubles => ") {
        let digits = value
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        (1..=7).contains(&digits).then_some(())?;
        let value = value[..digits]
            .iter()
            .fold(0, |sum, byte| sum * 10 + u32::from(byte - b'0'));
        slot.what = What::Double(value);
        11 + digits
    } else {
        slot.what = match rest.get(..5)? {
            b"Takes" => What::Take,
            b"Drops" => What::Pass,
            _ => return None,
        };
        5
    };
    matches!(rest.get(length), Some(b' ' | b'\n' | b'\r')).then_some(())?;
    Some((at + length, skip_blanks(text, at + length)?))
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
    fn the_last_bytes_of_a_text_are_left_to_the_grammar() {
        for text in ["  7) 31: 8/5 6/5", "  7)", "7", "  7) 31: 8/5 6/5\n"] {
            assert!(
                plain_row(&mut PlainRow::new(), text.as_bytes(), 0).is_none(),
                "{text:?}"
            );
        }
    }

    #[test]
    fn the_short_way_finds_what_the_grammar_finds() {
        let mut plain = 0;
        for left in PARTS {
            for right in PARTS {
                for gap in [" ", "  ", "          "] {
                    let line = format!("  7) {left}{gap}{right}");
                    let text = format!("{line}\n  8) 31: 8/5 6/5\n");
                    let mut row = PlainRow::new();
                    if plain_row(&mut row, text.as_bytes(), 0).is_none() {
                        continue;
                    }
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
