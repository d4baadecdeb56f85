//! Helpers that several text formats share.

use nom::IResult;
use nom::Parser;
use nom::character::complete::digit1;

use crate::board::{ByPlayer, Cube, Length, Player, Setup, Variant};
use crate::diagnostic::{Finding, syntax};
use crate::source::{Line, Source, Span};

/// A number without a sign. What is too large for any sense becomes the largest number, so that it is read and
/// can be reported.
pub(super) fn number(i: &str) -> IResult<&str, u32> {
    let digits = digit1.map(|digits: &str| digits.parse().unwrap_or(u32::MAX));
    { digits }.parse(i)
}

/// The 26 characters of an XGID's board: upper case is the first player.
pub(super) fn xg_board(text: &str) -> Option<ByPlayer<[u8; 26]>> {
    let bytes = text.as_bytes().get(..26)?;
    let mut checkers = ByPlayer::new([0; 26], [0; 26]);
    for (place, &byte) in bytes.iter().enumerate() {
        match byte {
            b'-' => {}
            b'A'..=b'P' if place > 0 => checkers.one[place] = byte - b'A' + 1,
            b'a'..=b'p' if place < 25 => checkers.two[25 - place] = byte - b'a' + 1,
            _ => return None,
        }
    }
    Some(checkers)
}

/// The board of an XGID: 26 characters, upper case for the first player.
pub(super) fn xg_letters(checkers: &ByPlayer<[u8; 26]>) -> String {
    let letter = |place: usize| {
        let own = if place == 0 { 0 } else { checkers.one[place] };
        let against = if place == 25 {
            0
        } else {
            checkers.two[25 - place]
        };
        match (own, against) {
            (0, 0) => '-',
            (0, count) => char::from(b'a' + count.min(26) - 1),
            (count, _) => char::from(b'A' + count.min(26) - 1),
        }
    };
    (0..26).map(letter).collect()
}

/// The position of a Snowie line with its 40 fields, `viewer` being the player from whose side it is seen.
///
/// `None` if it is none, or if the board is empty, which GNU Backgammon writes where only the cube was set.
pub(super) fn snowie_position(text: &str, viewer: Player) -> Option<Setup> {
    let fields: Vec<&str> = text.split(';').map(str::trim).collect();
    if fields.len() < 40 {
        return None;
    }
    let field = |index: usize| fields[index].parse::<i32>().ok();
    let mut checkers = ByPlayer::new([0u8; 26], [0u8; 26]);
    for place in 0..26usize {
        let count = field(12 + place)?;
        let checker = u8::try_from(count.unsigned_abs()).ok()?;
        match count {
            0 => {}
            1.. => checkers[viewer][place] = checker,
            _ => checkers[!viewer][25 - place] = checker,
        }
    }
    let empty = |player| checkers[player][1..].iter().all(|&n| n == 0);
    if Player::BOTH.into_iter().all(empty) {
        return None;
    }
    let owner = match field(11)? {
        1 => Some(viewer),
        -1 => Some(!viewer),
        _ => None,
    };
    let cube = u32::try_from(field(10)?)
        .ok()
        .map(|value| Cube { value, owner });
    Some(Setup {
        checkers,
        variant: Variant::Backgammon,
        turn: Some(viewer),
        roll: None,
        cube,
    })
}

/// The text with characters that stand for others put right: no-break and other wide blanks and NUL become a
/// blank, full-width digits become digits. `None` if there is nothing to change. With it come the bytes where
/// each byte of the new text stood in the old one.
pub(super) fn folded(text: &str) -> Option<(String, Vec<u32>)> {
    let fold = |c: char| match c {
        '\0' => ' ',
        '０'..='９' => char::from(b'0' + (c as u32 - '０' as u32) as u8),
        '：' => ':',
        '／' => '/',
        '\u{2013}' | '\u{2212}' => '-',
        '\u{2018}' | '\u{2019}' => '\'',
        c if c.is_whitespace() && c != '\t' => ' ',
        c => c,
    };
    if text.is_ascii() && !text.contains('\0') {
        return None;
    }
    let mut new = String::with_capacity(text.len());
    let mut places = Vec::with_capacity(text.len() + 1);
    for (at, c) in text.char_indices() {
        new.push(fold(c));
        places.resize(new.len(), at as u32);
    }
    places.push(text.len() as u32);
    Some((new, places))
}

/// The column, from 0, of a byte in a line, with tab stops at every eighth column.
pub(super) fn column(line: &str, at: usize) -> u32 {
    let before = line.get(..at).unwrap_or(line);
    if memchr::memchr(b'\t', before.as_bytes()).is_none() {
        let is_plain = before.is_ascii();
        return if is_plain {
            before.len()
        } else {
            before.chars().count()
        } as u32;
    }
    before.chars().fold(0, |column, c| {
        if c == '\t' {
            column / 8 * 8 + 8
        } else {
            column + 1
        }
    })
}

/// The line without blanks around it, and its place.
pub(super) fn trimmed(line: Line<'_>) -> (&str, Span) {
    let text = line.text.trim();
    let skipped = line.text.len() - line.text.trim_start().len();
    let start = line.start + if text.is_empty() { 0 } else { skipped };
    (text, Span::new(start as u32, (start + text.len()) as u32))
}

/// Says that the encoding was guessed, if it was.
pub(super) fn encoding_guessed(source: &Source) -> Option<Finding> {
    if !source.encoding_is_guessed() {
        return None;
    }
    let text = source.text();
    let at = text.bytes().position(|byte| !byte.is_ascii()).unwrap_or(0);
    let length = text[at..].chars().next().map_or(0, char::len_utf8);
    let span = Span::new(at as u32, (at + length) as u32);
    let message = "the text is not UTF-8; it was read as Windows-1252";
    Some(Finding::new(
        &syntax::ENCODING_GUESSED,
        span,
        message,
        "not ASCII",
    ))
}

/// The length of a match to so many points: 0 and the 9999 of FIBS are money play. More is a finding.
pub(super) fn match_length(points: u32, span: Span) -> Result<Length, Box<Finding>> {
    match points {
        0 | 9999 => Ok(Length::Money),
        1..9999 => Ok(Length::Points(points)),
        _ => {
            let message = format!("{points} points are no length of a match");
            let label = "a length is a number from 0 (money play) to 9998";
            let finding = Finding::new(&syntax::UNREADABLE_LINE, span, message, label);
            Err(Box::new(finding))
        }
    }
}

/// Whether some words stand in the first part of a text: far quicker than to look at its lines.
pub(super) fn mentions(source: &Source, words: &str) -> bool {
    let text = source.text().as_bytes();
    let start = &text[..text.len().min(1 << 16)];
    memchr::memmem::find(start, words.as_bytes()).is_some()
}
