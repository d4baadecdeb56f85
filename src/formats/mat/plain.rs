//! The rows that almost every line of a transcript is: a number and one or two cells, each a roll with plain
//! moves or a usual word for the cube.
//!
//! Nearly all rows are of this shape, and the time of a whole check goes into them, so they have a
//! recogniser of their own that works on bytes, eight at a time. What cannot be foreseen (whether a number has
//! one digit or two, whether a move hits) is computed rather than asked, for a branch guessed wrong costs as much as
//! a move. It knows nothing that the grammar in `cell` does not: where it answers, it answers the same (a test
//! holds the two against each other), and whatever is unusual it leaves to the grammar.

use super::cell::{Cell, Kind};
use crate::board::{Move, Place, Play};
use crate::record::{Action, WrittenPlay, WrittenRoll};

/// The longest row that is read here, in bytes, with some room: what is read at once lies within.
const LONGEST: usize = 160;

/// The bytes from the start of a row on; zeros behind the end of the text.
type Row = [u8; LONGEST];

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
    /// Whether a move is marked as a hit.
    pub(super) has_star: bool,
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Clone, Copy)]
enum What {
    Roll(WrittenRoll),
    Double(u32),
    Take,
    Pass,
    Wins(u32),
}

const EMPTY: PlainCell = PlainCell {
    what: What::Take,
    play: Play::EMPTY,
    has_star: false,
    start: 0,
    end: 0,
};

impl PlainCell {
    /// The action as the record has it; `None` for a result, which is none.
    #[inline(always)]
    pub(super) fn action(&self) -> Option<Action> {
        Some(match self.what {
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
            What::Wins(_) => return None,
        })
    }

    /// The points of a result.
    #[inline]
    pub(super) fn wins(&self) -> Option<u32> {
        match self.what {
            What::Wins(points) => Some(points),
            _ => None,
        }
    }

    /// Whether the cell answers a double, so that its column alone does not tell whose it is.
    #[inline]
    pub(super) fn is_answer(&self) -> bool {
        matches!(self.what, What::Take | What::Pass)
    }

    #[inline(always)]
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
            What::Wins(points) => Kind::Wins {
                points: Some(points),
                and_match: false,
            },
        };
        Cell {
            kind,
            start: self.start,
            end: self.end,
        }
    }
}

/// Eight bytes of the row, the first one lowest: taking a byte away is a shift. `None` near the end of what is
/// read here.
#[inline(always)]
fn window(row: &Row, at: usize) -> Option<u64> {
    let bytes: [u8; 8] = row.get(at..at + 8)?.try_into().ok()?;
    Some(u64::from_le_bytes(bytes))
}

/// The value of the digit that is the lowest byte; 10 or more if it is none.
#[inline(always)]
fn digit(window: u64) -> u8 {
    (window as u8).wrapping_sub(b'0')
}

/// The first byte from `at` on that is no blank.
#[inline(always)]
fn skip_blanks(row: &Row, mut at: usize) -> Option<usize> {
    loop {
        let bytes: [u8; 16] = row.get(at..at + 16)?.try_into().ok()?;
        let other = u128::from_le_bytes(bytes) ^ u128::from_le_bytes([b' '; 16]);
        at += (other.trailing_zeros() / 8) as usize;
        if other != 0 {
            return Some(at);
        }
    }
}

/// Whether a line ends here.
#[inline(always)]
fn is_end(seen: u64) -> bool {
    matches!(seen as u8, b'\n' | b'\r')
}

/// Whether a move may end before this byte.
#[inline(always)]
fn is_gap(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r')
}

/// Reads the row of the line that starts at `start`, and finds the end of the line on the way; `None` if
/// anything in it is unusual. Places in the row count from `start`.
#[inline]
pub(super) fn plain_row(row: &mut PlainRow, text: &[u8], start: usize) -> Option<usize> {
    let rest = &text[start..];
    let end = match rest.first_chunk::<LONGEST>() {
        Some(bytes) => read(row, bytes),
        None => {
            let mut bytes = [0; LONGEST];
            bytes[..rest.len()].copy_from_slice(rest);
            read(row, &bytes)
        }
    };
    end.map(|end| start + end)
}

#[inline(always)]
fn read(row: &mut PlainRow, bytes: &Row) -> Option<usize> {
    let mut at = skip_blanks(bytes, 0)?;
    let mut seen = window(bytes, at)?;
    let mut number = 0u32;
    while digit(seen) < 10 {
        number = number * 10 + u32::from(digit(seen));
        seen >>= 8;
        at += 1;
    }
    (seen as u8 == b')').then_some(())?;
    row.number = number;
    row.from = at + 1;
    row.count = 0;
    at = skip_blanks(bytes, at + 1)?;
    loop {
        let seen = window(bytes, at)?;
        if is_end(seen) {
            return Some(at);
        }
        let slot = row.cells.get_mut(row.count)?;
        slot.start = at;
        slot.play.clear();
        slot.has_star = false;
        at = cell(bytes, at, seen, slot)?;
        row.count += 1;
    }
}

/// `31: 8/5 6/5`, `Doubles => 2`, `Takes` or `Drops`; returns where the next cell starts.
#[inline(always)]
fn cell(row: &Row, at: usize, seen: u64, slot: &mut PlainCell) -> Option<usize> {
    let (first, second) = (digit(seen), digit(seen >> 8));
    if first >= 10 {
        return word(row, at, slot);
    }
    // `00:` is no roll; the grammar knows what it is.
    (second < 10 && (seen >> 16) as u8 == b':' && first | second != 0).then_some(())?;
    slot.what = What::Roll(WrittenRoll(first, second));
    slot.end = at + 3;
    // One blank is the usual distance, here and between moves.
    let mut at = match (seen >> 24) as u16 {
        two if two as u8 == b' ' && two >> 8 != u16::from(b' ') => at + 4,
        _ => skip_blanks(row, at + 3)?,
    };
    loop {
        let seen = window(row, at)?;
        if is_end(seen) || ((seen >> 16) as u8 == b':' && digit(seen) < 10) {
            return Some(at);
        }
        if matches!(seen as u8, b'D' | b'T' | b'W') {
            // Near a roll without a play, a double belongs to that roll; the grammar knows.
            return (!slot.play.moves().is_empty()).then_some(at);
        }
        let (stop, tail) = step(row, at, seen, slot)?;
        slot.end = stop;
        at = if tail as u8 == b' ' && tail >> 8 != u16::from(b' ') {
            stop + 1
        } else {
            skip_blanks(row, stop)?
        };
    }
}

/// `13/7*`, `bar/20` or `13/7(2)`; returns where it ends and the two bytes that follow.
#[inline(always)]
fn step(row: &Row, at: usize, seen: u64, slot: &mut PlainCell) -> Option<(usize, u16)> {
    let mut moved = spread(seen);
    let mut at = at;
    if !moved.is_numbers() {
        (moved, at) = words(row, at, seen)?;
    }
    let (from, to) = moved.places();
    let (from, to) = (Place::new(from)?, Place::new(to)?);
    // The hit mark, and what follows it.
    let mark = moved.bytes >> 40;
    let hits = mark as u8 == b'*';
    let tail = mark >> (8 * u32::from(hits));
    let stop = at + moved.length + usize::from(hits);
    if from == Place::OFF || !slot.play.push(Move::new(from, to, hits)) {
        return None;
    }
    slot.has_star |= hits;
    if is_gap(tail as u8) {
        return Some((stop, tail as u16));
    }
    let seen = window(row, stop)?;
    let count = digit(seen >> 8);
    (seen as u8 == b'(' && matches!(count, 1..=8) && (seen >> 16) as u8 == b')').then_some(())?;
    for _ in 1..count {
        slot.play
            .push(Move::new(from, to, false))
            .then_some(())?;
    }
    is_gap((seen >> 24) as u8).then_some((stop + 3, (seen >> 24) as u16))
}

/// The bytes of a move, each number with two digits: `13/08`, then what follows.
struct Spread {
    bytes: u64,
    /// How many bytes the two numbers and the stroke have in the text.
    length: usize,
}

/// What the five bytes of a spread move are if they are right: digits become their values, the stroke 0.
const EXPECTED: u64 = u64::from_le_bytes(*b"00/00\0\0\0");
/// Added to it, every byte above 9 reaches the upper half of its byte.
const ABOVE_NINE: u64 = u64::from_le_bytes([6, 6, 0, 6, 6, 0, 0, 0]);
/// What must then be nothing.
const NOTHING: u64 = u64::from_le_bytes([0xf0, 0xf0, 0xff, 0xf0, 0xf0, 0, 0, 0]);

/// Puts a zero before the numbers that have one digit.
#[inline(always)]
fn spread(seen: u64) -> Spread {
    let short_from = u64::from((seen >> 8) as u8 == b'/');
    let seen = (seen << (8 * short_from)) | (short_from * u64::from(b'0'));
    let to = seen >> 24;
    let short_to = u64::from(digit(to >> 8) >= 10);
    let to = (to << (8 * short_to)) | (short_to * u64::from(b'0'));
    Spread {
        bytes: (seen & 0xff_ffff) | (to << 24),
        length: 5 - (short_from + short_to) as usize,
    }
}

impl Spread {
    /// Whether these are two numbers with a stroke between them.
    #[inline(always)]
    fn is_numbers(&self) -> bool {
        let values = self.bytes ^ EXPECTED;
        // A byte that carries into the next one has an upper half of its own.
        ((values.wrapping_add(ABOVE_NINE)) | values) & NOTHING == 0
    }

    /// Both numbers.
    #[inline(always)]
    fn places(&self) -> (u8, u8) {
        let values = self.bytes ^ EXPECTED;
        let numbers = values.wrapping_mul(10).wrapping_add(values >> 8);
        (numbers as u8, (numbers >> 24) as u8)
    }
}

/// A move with `bar` or `off` in the place of a number, and where it would start if these were numbers.
#[inline(never)]
fn words(row: &Row, at: usize, seen: u64) -> Option<(Spread, usize)> {
    let is = |seen: u64, word: &[u8; 3]| seen.to_le_bytes()[..3].eq_ignore_ascii_case(word);
    let (seen, at) = if is(seen, b"bar") {
        let number = u64::from_le_bytes(*b"25\0\0\0\0\0\0");
        ((window(row, at + 3)? << 16) | number, at + 1)
    } else {
        (seen, at)
    };
    let stroke = if (seen >> 8) as u8 == b'/' { 1 } else { 2 };
    let to = seen >> (8 * (stroke + 1));
    let (seen, at) = if is(to, b"off") {
        let before = seen & ((1 << (8 * (stroke + 1))) - 1);
        // Behind the word the window may be at its end.
        let behind = window(row, at + stroke + 4)?;
        let zero = (behind << 8) | u64::from(b'0');
        (before | (zero << (8 * (stroke + 1))), at + 2)
    } else {
        (seen, at)
    };
    let moved = spread(seen);
    moved.is_numbers().then_some((moved, at))
}

/// A word for the cube in its usual spelling, or a result.
#[inline(never)]
fn word(row: &Row, at: usize, slot: &mut PlainCell) -> Option<usize> {
    let rest = row.get(at..at + 20)?;
    let (what, length) = if let Some(value) = rest.strip_prefix(b"Doubles => ") {
        let (value, digits) = number(value)?;
        (What::Double(value), 11 + digits)
    } else if let Some(points) = rest.strip_prefix(b"Wins ") {
        let (points, digits) = number(points)?;
        let unit: &[u8] = if points == 1 { b" point" } else { b" points" };
        rest[5 + digits..].starts_with(unit).then_some(())?;
        (What::Wins(points), 5 + digits + unit.len())
    } else {
        let what = match rest.get(..5)? {
            b"Takes" => What::Take,
            b"Drops" => What::Pass,
            _ => return None,
        };
        (what, 5)
    };
    slot.what = what;
    slot.end = at + length;
    is_gap(*rest.get(length)?).then_some(())?;
    let next = skip_blanks(row, at + length)?;
    // Behind a result stands nothing more, or the grammar knows what it is.
    let is_last = matches!(row[next], b'\n' | b'\r');
    (is_last || !matches!(slot.what, What::Wins(_))).then_some(next)
}

/// A number of one to seven digits at the start, and how many.
fn number(text: &[u8]) -> Option<(u32, usize)> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit());
    let digits = digits.count();
    (1..=7).contains(&digits).then_some(())?;
    let value = text[..digits]
        .iter()
        .fold(0, |sum, byte| sum * 10 + u32::from(byte - b'0'));
    Some((value, digits))
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
    fn a_line_without_an_end_is_left_to_the_grammar() {
        for text in ["  7) 31: 8/5 6/5", "  7)", "7", "  7) 31: 8/5 6/5   "] {
            assert!(
                plain_row(&mut PlainRow::new(), text.as_bytes(), 0).is_none(),
                "{text:?}"
            );
        }
        let text = "  7) 31: 8/5 6/5\n";
        let end = plain_row(&mut PlainRow::new(), text.as_bytes(), 0);
        assert_eq!(end, Some(text.len() - 1));
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

    const PARTS: [&str; 43] = [
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
        "Wins 1 point",
        "Wins 1 points",
        "Wins 2 point",
        "Wins 12 points and the match",
        "31: 8/5 6/5 [12s]",
        "31: 8 / 5",
        "11: 8/7 8/7 8/7 8/7 6/5 6/5 6/5 6/5 6/5",
        "65: bar/14 24/off*",
        "65: 25/off*(2) bar/off",
        "65: off/4 bar/bar",
        "6\u{e9}: 8/5",
        "65: 8/\u{fa}5 \u{ca}8/2",
        "65: 08/05 018/5",
    ];
}
