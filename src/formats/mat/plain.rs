//! The rows that almost every line of a transcript is: a number and one or two cells, each a roll with plain
//! moves or a usual word for the cube.
//!
//! Nearly all rows are of this shape, and the time of a whole check goes into them, so they have a
//! recogniser of their own that works on bytes. Where the words of a row are is told for all of them at once, and moves
//! are looked up and not read; a row with words for the cube, `bar` or counts goes cell by cell. It knows nothing that the
//! grammar in `cell` does not: where it answers, it answers the same (a test holds the two against each other), and
//! whatever is unusual it leaves to the grammar.

use super::cell::{Cell, Kind};
use super::moves::look_up;
use crate::board::{Move, Place, Play, Player};
use crate::record::{Action, Entry, WrittenPlay, WrittenRoll};
use crate::source::Span;
use wide::u8x16;

/// The longest row that is read here, in bytes, with some room: what is read at once lies within.
pub(super) const LONGEST: usize = 160;

/// The bytes from the start of a row on; zeros behind the end of the text.
type Row = [u8; LONGEST];

/// What a plain row says beside its actions. Rows are read into the same one again and again.
#[derive(Debug, Default)]
pub(super) struct PlainRow {
    /// The column where the right half is expected; the caller sets it.
    pub(super) right: usize,
    pub(super) number: u32,
    /// Where the number ends, in bytes from the start of the line.
    pub(super) from: usize,
    /// Where the cells start and end, in the same way.
    pub(super) cells: [(usize, usize); 2],
    pub(super) count: usize,
    /// The points, if the last cell is a result.
    pub(super) wins: Option<u32>,
    /// Whether a move is marked as a hit.
    pub(super) has_star: bool,
}

impl PlainRow {
    #[inline(always)]
    fn start(&mut self, number: u32, from: usize) {
        self.number = number;
        self.from = from;
        self.count = 0;
        self.wins = None;
        self.has_star = false;
    }

    /// Adds a cell; `None` if there are two already.
    #[inline(always)]
    fn add(&mut self, start: usize, end: usize) -> Option<()> {
        *self.cells.get_mut(self.count)? = (start, end);
        self.count += 1;
        Some(())
    }

    /// The cells as the grammar would have them, given the actions that were read.
    pub(super) fn cells(&self, actions: &[Entry]) -> [Cell; 2] {
        [0, 1].map(|index| {
            let kind = match actions.get(index).map(|entry| entry.action) {
                Some(Action::Play { roll, play }) => Kind::Play { roll, play },
                Some(Action::Double { to, after_roll }) => Kind::Double { to, after_roll },
                Some(Action::Take) => Kind::Take,
                Some(Action::Pass) => Kind::Pass,
                _ => Kind::Wins {
                    points: self.wins,
                    and_match: false,
                },
            };
            let (start, end) = self.cells[index];
            Cell { kind, start, end }
        })
    }
}

/// Eight bytes of the row, the first one lowest: taking a byte away is a shift. `None` near the end of what is
/// read here.
#[inline(always)]
pub(super) fn window(bytes: &Row, at: usize) -> Option<u64> {
    let bytes: [u8; 8] = bytes.get(at..at + 8)?.try_into().ok()?;
    Some(u64::from_le_bytes(bytes))
}

/// The value of the digit that is the lowest byte; 10 or more if it is none.
#[inline(always)]
fn digit(window: u64) -> u8 {
    (window as u8).wrapping_sub(b'0')
}

/// The first byte from `at` on that is no blank.
#[inline(always)]
pub(super) fn skip_blanks(bytes: &Row, mut at: usize) -> Option<usize> {
    loop {
        let sixteen: [u8; 16] = bytes.get(at..at + 16)?.try_into().ok()?;
        let other = u128::from_le_bytes(sixteen) ^ u128::from_le_bytes([b' '; 16]);
        at += (other.trailing_zeros() / 8) as usize;
        if other != 0 {
            return Some(at);
        }
    }
}

/// Whether a line ends here.
#[inline(always)]
pub(super) fn is_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Whether a move may end before this byte.
#[inline(always)]
fn is_gap(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r')
}

/// Reads the row of the line that starts at `start`, and finds the end of the line on the way. The actions are put
/// behind those of the game, where they stay, for they are too large to be handed around; who acts is left to the
/// caller. `None` if anything in the row is unusual, and nothing is added.
#[inline]
pub(super) fn plain_row(
    row: &mut PlainRow,
    actions: &mut Vec<Entry>,
    text: &[u8],
    start: usize,
) -> Option<usize> {
    read(row, actions, text, start, |row, actions, bytes| {
        let before = actions.len();
        usual_row(row, actions, bytes, start).or_else(|| {
            actions.truncate(before);
            cell_by_cell(row, actions, bytes, start)
        })
    })
}

/// The same for a row that is known to have something else than rolls and moves that are numbers.
pub(super) fn other_plain_row(
    row: &mut PlainRow,
    actions: &mut Vec<Entry>,
    text: &[u8],
    start: usize,
) -> Option<usize> {
    read(row, actions, text, start, |row, actions, bytes| {
        cell_by_cell(row, actions, bytes, start)
    })
}

#[inline(always)]
fn read(
    row: &mut PlainRow,
    actions: &mut Vec<Entry>,
    text: &[u8],
    start: usize,
    way: impl FnOnce(&mut PlainRow, &mut Vec<Entry>, &Row) -> Option<usize>,
) -> Option<usize> {
    let (rest, before) = (&text[start..], actions.len());
    let last: Row;
    let bytes = match rest.first_chunk() {
        Some(bytes) => bytes,
        None => {
            last = near_the_end(rest);
            &last
        }
    };
    let end = way(row, actions, bytes);
    if end.is_none() {
        actions.truncate(before);
    }
    Some(start + end?)
}

/// Less than the longest row, with zeros behind it.
#[inline(never)]
fn near_the_end(rest: &[u8]) -> Row {
    let mut row = [0; LONGEST];
    row[..rest.len()].copy_from_slice(rest);
    row
}

/// A row of at most 64 bytes with rolls and moves that are numbers and hit marks, and nothing else. After `None`
/// actions may be there that are of no use.
///
/// Where the words of the row start and end is told for all of them at once, so that none waits for the one before
/// it.
#[inline(always)]
fn usual_row(
    row: &mut PlainRow,
    actions: &mut Vec<Entry>,
    bytes: &Row,
    base: usize,
) -> Option<usize> {
    let (gaps, blanks) = gaps_and_blanks(bytes);
    // The first control character must be the end of the line.
    let end = (gaps ^ blanks).trailing_zeros() as usize;
    is_end(*bytes[..64].get(end)?).then_some(())?;
    let inner = !gaps & ((1 << end) - 1);
    let mut starts = inner & !(inner << 1);
    let mut next = || {
        let at = starts.trailing_zeros() as usize;
        starts &= starts.wrapping_sub(1);
        (at < 64).then_some(at)
    };
    let (number, length) = row_number(window(bytes, next()?)?)?;
    (length < 8).then_some(())?;
    row.start(number, length + inner.trailing_zeros() as usize);
    let mut first = next();
    while let Some(from) = first {
        let roll = roll(window(bytes, from)?)?;
        (gaps >> from & 15 == 8).then_some(())?;
        let (play, span) = push(actions, roll, number, base + from)?;
        let mut last = from;
        let mut has_star = false;
        first = loop {
            let Some(at) = next() else { break None };
            let Some(found) = look_up(short_word(bytes, gaps, at)?) else {
                break Some(at);
            };
            let moved = found.moved();
            play.push(moved).then_some(())?;
            has_star |= moved.hits;
            last = at;
        };
        row.has_star |= has_star;
        // Behind the last word there is a gap, the end of the line if nothing else.
        let to = last + (gaps >> last).trailing_zeros() as usize;
        span.end = (base + to) as u32;
        if last == from {
            set_nothing(actions)?;
        }
        row.add(from, to)?;
    }
    Some(end)
}

/// What is left of eight bytes up to the first gap, by where gaps are; nothing if there is none.
static KEPT: [u64; 256] = {
    let mut kept = [0; 256];
    let mut gaps = 1;
    while gaps < 256 {
        kept[gaps] = (1 << (8 * gaps.trailing_zeros())) - 1;
        gaps += 1;
    }
    kept
};

/// The word that starts here and has seven bytes at most, the first one lowest; nothing if it is longer.
#[inline(always)]
pub(super) fn short_word(bytes: &Row, gaps: u64, at: usize) -> Option<u64> {
    Some(window(bytes, at)? & KEPT[(gaps >> at) as usize & 255])
}

/// Where the first 64 bytes are blanks or control characters, and where blanks: the first one is bit 0.
#[inline(always)]
pub(super) fn gaps_and_blanks(bytes: &Row) -> (u64, u64) {
    let (mut gaps, mut blanks) = (0, 0);
    let (quarters, _) = bytes.as_chunks::<16>();
    for (quarter, shift) in quarters.iter().zip([0, 16, 32, 48]) {
        let sixteen = u8x16::from(*quarter);
        let mask = |these: u8x16| u64::from(these.to_bitmask()) << shift;
        gaps |= mask(sixteen.simd_lt(u8x16::splat(33)));
        blanks |= mask(sixteen.simd_eq(u8x16::splat(b' ')));
    }
    (gaps, blanks)
}

/// `12)`: the number and how many bytes it has with its bracket.
#[inline(always)]
pub(super) fn row_number(mut seen: u64) -> Option<(u32, usize)> {
    let (mut number, mut length) = (0, 1);
    while digit(seen) < 10 {
        number = number * 10 + u32::from(digit(seen));
        seen >>= 8;
        length += 1;
    }
    (seen as u8 == b')').then_some((number, length))
}

/// The same, and whatever else is plain.
#[inline(never)]
fn cell_by_cell(
    row: &mut PlainRow,
    actions: &mut Vec<Entry>,
    bytes: &Row,
    start: usize,
) -> Option<usize> {
    let at = skip_blanks(bytes, 0)?;
    let (number, length) = row_number(window(bytes, at)?)?;
    row.start(number, at + length);
    let mut at = skip_blanks(bytes, at + length)?;
    while !is_end(*bytes.get(at)?) {
        let (end, next) = cell(row, actions, bytes, at, start)?;
        row.add(at, end)?;
        at = next;
    }
    Some(at)
}

/// Adds a play without a move and gives the place for its moves; the span ends where it starts.
#[inline(always)]
fn push(
    actions: &mut Vec<Entry>,
    roll: WrittenRoll,
    row: u32,
    start: usize,
) -> Option<(&mut Play, &mut Span)> {
    let play = WrittenPlay::Moves(Play::EMPTY);
    let span = Span::new(start as u32, start as u32);
    let action = Action::Play { roll, play };
    actions.push(Entry::new(Player::One, action, row, span));
    let Entry { action, span, .. } = actions.last_mut()?;
    match action {
        Action::Play {
            play: WrittenPlay::Moves(play),
            ..
        } => Some((play, span)),
        _ => None,
    }
}

/// `31: 8/5 6/5`, `Doubles => 2`, `Takes` or `Drops`; returns where it ends and where the next cell starts.
#[inline(never)]
fn cell(
    row: &mut PlainRow,
    actions: &mut Vec<Entry>,
    bytes: &Row,
    start: usize,
    base: usize,
) -> Option<(usize, usize)> {
    let Some(roll) = roll(window(bytes, start)?) else {
        return word(row, actions, bytes, start, base);
    };
    let mut at = skip_blanks(bytes, start + 3)?;
    let (play, span) = push(actions, roll, row.number, base + start)?;
    let mut end = start + 3;
    loop {
        let seen = window(bytes, at)?;
        if is_end(seen as u8) || ((seen >> 16) as u8 == b':' && digit(seen) < 10) {
            break;
        }
        if matches!(seen as u8, b'D' | b'T' | b'W') {
            // Near a roll without a play a double belongs to that roll, unless it stands in the other half.
            let is_apart = start + 2 < row.right && at + 2 >= row.right;
            (is_apart || !play.moves().is_empty()).then_some(())?;
            break;
        }
        end = step(bytes, at, play)?;
        at = skip_blanks(bytes, end)?;
    }
    span.end = (base + end) as u32;
    row.has_star |= play.hits() > 0;
    if play.moves().is_empty() {
        set_nothing(actions)?;
    }
    Some((end, at))
}

/// The last play has no moves.
#[cold]
fn set_nothing(actions: &mut [Entry]) -> Option<()> {
    if let Action::Play { play, .. } = &mut actions.last_mut()?.action {
        *play = WrittenPlay::Nothing;
    }
    Some(())
}

/// `31:`, in the lowest three bytes. `00:` is no roll; the grammar knows what it is.
#[inline(always)]
pub(super) fn roll(seen: u64) -> Option<WrittenRoll> {
    let digits = (seen as u16) ^ u16::from_le_bytes(*b"00");
    // Both at once: a digit above 9 reaches the upper half of its byte, and no byte below that carries.
    let are_digits = (digits.wrapping_add(0x0606) | digits) & 0xf0f0 == 0;
    (are_digits && (seen >> 16) as u8 == b':' && digits != 0).then_some(())?;
    let [first, second] = digits.to_le_bytes();
    Some(WrittenRoll(first, second))
}

/// `13/7*`, `bar/20` or `13/7(2)`; returns where it ends.
fn step(bytes: &Row, at: usize, play: &mut Play) -> Option<usize> {
    let seen = window(bytes, at)?;
    let (from, seen, used) = place(seen, b"bar", Place::BAR)?;
    (seen as u8 == b'/').then_some(())?;
    // A word leaves too little of the window.
    let (mut at, seen) = (at + used + 1, seen >> 8);
    let seen = if used == 3 { window(bytes, at)? } else { seen };
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
        seen = window(bytes, at)?;
        let count = digit(seen >> 8);
        (matches!(count, 1..=8) && (seen >> 16) as u8 == b')').then_some(())?;
        for _ in 1..count {
            play.push(Move::new(from, to, false)).then_some(())?;
        }
        seen >>= 24;
        at += 3;
    }
    is_gap(seen as u8).then_some(at)
}

/// A place in one or two digits, or the word; with the rest of the window and the bytes used.
fn place(seen: u64, word: &[u8; 3], named: Place) -> Option<(Place, u64, usize)> {
    let (first, second) = (digit(seen), digit(seen >> 8));
    if first >= 10 {
        let same = seen.to_le_bytes()[..3].eq_ignore_ascii_case(word);
        return same.then_some((named, seen >> 24, 3));
    }
    if second >= 10 {
        Some((Place::new(first)?, seen >> 8, 1))
    } else {
        Some((Place::new(10 * first + second)?, seen >> 16, 2))
    }
}

/// A word for the cube in its usual spelling, or a result.
fn word(
    row: &mut PlainRow,
    actions: &mut Vec<Entry>,
    bytes: &Row,
    at: usize,
    base: usize,
) -> Option<(usize, usize)> {
    let rest = bytes.get(at..at + 20)?;
    let (action, length) = if let Some(value) = rest.strip_prefix(b"Doubles => ") {
        let (value, digits) = number(value)?;
        let double = Action::Double {
            to: Some(value),
            after_roll: None,
        };
        (Some(double), 11 + digits)
    } else if let Some(points) = rest.strip_prefix(b"Wins ") {
        let (points, digits) = number(points)?;
        let unit: &[u8] = if points == 1 { b" point" } else { b" points" };
        rest[5 + digits..].starts_with(unit).then_some(())?;
        row.wins = Some(points);
        (None, 5 + digits + unit.len())
    } else {
        let action = match rest.get(..5)? {
            b"Takes" => Action::Take,
            b"Drops" => Action::Pass,
            _ => return None,
        };
        (Some(action), 5)
    };
    let end = at + length;
    is_gap(*rest.get(length)?).then_some(())?;
    let next = skip_blanks(bytes, end)?;
    let span = Span::new((base + at) as u32, (base + end) as u32);
    match action {
        Some(action) => actions.push(Entry::new(Player::One, action, row.number, span)),
        // Behind a result stands nothing more, or the grammar knows what it is.
        None => is_end(*bytes.get(next)?).then_some(())?,
    }
    Some((end, next))
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

    /// The short way, if it finds the row plain: where it ends, its number and its cells.
    fn plain(text: &str) -> Option<(usize, u32, Vec<Cell>)> {
        let (mut row, mut actions) = (PlainRow::default(), Vec::new());
        row.right = 33;
        let end = plain_row(&mut row, &mut actions, text.as_bytes(), 0);
        if end.is_none() {
            assert!(actions.is_empty(), "{text:?}");
        }
        for (entry, (start, end)) in actions.iter().zip(row.cells) {
            assert_eq!(entry.span, Span::new(start as u32, end as u32), "{text:?}");
        }
        let cells = row.cells(&actions)[..row.count].to_vec();
        let has_star = actions.iter().any(|entry| {
            matches!(entry.action, Action::Play { play: WrittenPlay::Moves(moves), .. } if moves.hits() > 0)
        });
        end.map(|end| {
            assert_eq!(row.has_star, has_star, "{text:?}");
            (end, row.number, cells)
        })
    }

    #[test]
    fn a_line_without_an_end_is_left_to_the_grammar() {
        for text in ["  7) 31: 8/5 6/5", "  7)", "7", "  7) 31: 8/5 6/5   "] {
            assert!(plain(text).is_none(), "{text:?}");
        }
        let text = "  7) 31: 8/5 6/5\n";
        let end = plain(text).map(|(end, ..)| end);
        assert_eq!(end, Some(text.len() - 1));
    }

    #[test]
    fn the_short_way_finds_what_the_grammar_finds() {
        let mut found = 0;
        for left in PARTS {
            for right in PARTS {
                for gap in [" ", "  ", "          ", &" ".repeat(30)] {
                    let line = format!("  7) {left}{gap}{right}");
                    let text = format!("{line}\n  8) 31: 8/5 6/5\n");
                    let dos = plain(&text.replace('\n', "\r\n"));
                    assert_eq!(dos, plain(&text), "{line:?}");
                    let Some((end, number, cells)) = dos else {
                        continue;
                    };
                    found += 1;
                    assert_eq!(end, line.len(), "{line:?}");
                    assert_eq!(number, 7, "{line:?}");
                    assert_eq!(cells, by_grammar(&line), "{line:?}");
                }
            }
        }
        assert!(found > 200, "only {found} rows went the short way");
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
