//! The syntax of SGF, and that of the values of the game.
//!
//! ```text
//! Collection = GameTree+          GameTree = "(" Node+ GameTree* ")"
//! Node       = ";" Property*      Property = Ident ( "[" value "]" )+
//! ```
//!
//! A text is cut into tokens, one after the other, so that nothing nests on the stack and a fault costs only
//! the token where it is. In a value a backslash protects the next character.

use std::borrow::Cow;

use nom::IResult;
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag_no_case, take_till, take_while_m_n, take_while1};
use nom::character::complete::{char, multispace0, satisfy};
use nom::combinator::{all_consuming, consumed, map, map_opt, opt, value};
use nom::error::{Error, ErrorKind};
use nom::multi::many0_count;
use nom::sequence::{delimited, preceded, terminated};

use crate::board::{Move, Place, Play, Player, Win};
use crate::record::WrittenRoll;

/// A piece of the text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `(`
    Open(&'a str),
    /// `)`
    Close(&'a str),
    /// `;`
    Node(&'a str),
    /// An identifier with its values.
    Property(Property<'a>),
    /// What is none of these.
    Stray(&'a str),
}

/// A property: `AW[a][b]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Property<'a> {
    /// The whole of it.
    pub(super) text: &'a str,
    /// The identifier without the lower-case letters that old files put in.
    pub(super) name: Cow<'a, str>,
    /// What stands between the brackets, backslashes and all.
    pub(super) values: Vec<&'a str>,
    /// How its last value ends.
    pub(super) ending: Ending,
}

/// How a value ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// With its bracket.
    Closed,
    /// The bracket is missing and something else starts.
    Open,
    /// The text ends.
    Cut,
}

impl<'a> Property<'a> {
    /// The first value, backslashes and all; empty if there is none.
    pub(super) fn raw(&self) -> &'a str {
        self.values.first().copied().unwrap_or("")
    }
}

/// The next token, blanks before it skipped.
pub(super) fn token(i: &str) -> IResult<&str, Token<'_>> {
    preceded(
        multispace0,
        alt((
            map(recognized('('), Token::Open),
            map(recognized(')'), Token::Close),
            map(recognized(';'), Token::Node),
            map(property, Token::Property),
            map(stray, Token::Stray),
        )),
    )
    .parse(i)
}

fn recognized(c: char) -> impl Fn(&str) -> IResult<&str, &str> {
    move |i| nom::combinator::recognize(char(c)).parse(i)
}

/// What is left over, up to something that may be a token.
fn stray(i: &str) -> IResult<&str, &str> {
    if i.starts_with('[') {
        let (rest, (text, _)) = consumed(bracketed(false)).parse(i)?;
        return Ok((rest, text));
    }
    let end = i
        .char_indices()
        .skip(1)
        .find(|(_, c)| matches!(c, '(' | ')' | ';' | '[') || c.is_whitespace());
    match end.map_or(i.len(), |(at, _)| at) {
        0 => Err(nom::Err::Error(Error::new(i, ErrorKind::Eof))),
        end => Ok((&i[end..], &i[..end])),
    }
}

/// `AW[a][b]`. An identifier without a value is none.
fn property(i: &str) -> IResult<&str, Property<'_>> {
    let (mut rest, name) = identifier(i)?;
    // A bracket that was forgotten in a short value is noticed by what follows.
    let is_short = matches!(&*name, "B" | "W" | "PL" | "DI" | "CV" | "CP" | "CO");
    let mut values = Vec::new();
    let mut ending = Ending::Closed;
    while ending == Ending::Closed
        && let Ok((after, (value, end))) = preceded(multispace0, bracketed(is_short)).parse(rest)
    {
        values.push(value);
        (rest, ending) = (after, end);
    }
    if values.is_empty() {
        return Err(nom::Err::Error(Error::new(i, ErrorKind::Char)));
    }
    let text = &i[..i.len() - rest.len()];
    let property = Property {
        text,
        name,
        values,
        ending,
    };
    Ok((rest, property))
}

/// Letters; only the upper-case ones count.
fn identifier(i: &str) -> IResult<&str, Cow<'_, str>> {
    let is_small = |c: char| c.is_ascii_lowercase();
    map_opt(
        take_while1(|c: char| c.is_ascii_alphanumeric()),
        |letters: &str| {
            let name = match letters.contains(is_small) {
                true => Cow::Owned(letters.replace(is_small, "")),
                false => Cow::Borrowed(letters),
            };
            (!name.is_empty()).then_some(name)
        },
    )
    .parse(i)
}

/// `[value]`. A short value also ends where another token starts.
fn bracketed(is_short: bool) -> impl Fn(&str) -> IResult<&str, (&str, Ending)> {
    move |i| {
        let (inside, _) = char('[').parse(i)?;
        let bytes = inside.as_bytes();
        let mut at = 0;
        loop {
            let found = if is_short {
                bytes[at..]
                    .iter()
                    .position(|b| matches!(b, b']' | b'\\' | b';' | b'[' | b'(' | b')'))
            } else {
                memchr::memchr2(b']', b'\\', &bytes[at..])
            };
            let Some(found) = found.map(|found| at + found) else {
                return Ok((&inside[inside.len()..], (inside, Ending::Cut)));
            };
            match bytes[found] {
                b']' => return Ok((&inside[found + 1..], (&inside[..found], Ending::Closed))),
                b'\\' if found + 1 < bytes.len() => at = found + 2,
                b'\\' => return Ok((&inside[inside.len()..], (inside, Ending::Cut))),
                _ => return Ok((&inside[found..], (&inside[..found], Ending::Open))),
            }
        }
    }
}

/// A value with its backslashes resolved. A line break behind a backslash vanishes.
pub(super) fn unescaped(raw: &str) -> String {
    if memchr::memchr2(b'\\', b'\r', raw.as_bytes()).is_none() {
        return raw.to_owned();
    }
    let mut text = String::with_capacity(raw.len());
    let mut chars = raw.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some(first @ ('\n' | '\r')) => {
                    // Both orders of CR and LF are one line break.
                    chars.next_if(|&second| matches!(second, '\n' | '\r') && second != first);
                }
                Some(c) => text.push(c),
                None => {}
            },
            '\r' => {
                chars.next_if_eq(&'\n');
                text.push('\n');
            }
            c => text.push(c),
        }
    }
    text
}

/// The parts of a composed value, separated by colons that no backslash protects; still escaped.
pub(super) fn composed(raw: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut protected) = (0, false);
    for (at, byte) in raw.bytes().enumerate() {
        match byte {
            _ if protected => protected = false,
            b'\\' => protected = true,
            b':' => {
                parts.push(&raw[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&raw[start..]);
    parts
}

/// What a player did, as the value of `B` or `W` says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    /// A roll with its moves; none if it could not be played.
    Play(WrittenRoll, Play),
    /// `double`, which is a beaver too where a double waits for its answer.
    Double,
    Take,
    Drop,
    /// GNU Gibbon writes `resign:2` and its answer; others have only the letter behind the result.
    Resign(Option<Win>),
    Accept,
    Reject,
}

/// The value of `B` or `W`.
pub(super) fn act(player: Player, text: &str) -> Option<Act> {
    let acts = alt((
        |i| rolled(player, i),
        value(
            Act::Double,
            alt((tag_no_case("double"), tag_no_case("redouble"))),
        ),
        value(
            Act::Double,
            alt((tag_no_case("beaver"), tag_no_case("raccoon"))),
        ),
        value(Act::Take, tag_no_case("take")),
        value(Act::Drop, alt((tag_no_case("drop"), tag_no_case("pass")))),
        map(preceded(tag_no_case("resign"), opt(win)), Act::Resign),
        value(Act::Accept, tag_no_case("accept")),
        value(Act::Reject, tag_no_case("reject")),
    ));
    let (_, act) = all_consuming(delimited(multispace0, acts, multispace0))
        .parse(text)
        .ok()?;
    Some(act)
}

/// `:2`, a gammon.
fn win(i: &str) -> IResult<&str, Win> {
    preceded(
        char(':'),
        alt((
            value(Win::Single, char('1')),
            value(Win::Gammon, char('2')),
            value(Win::Backgammon, char('3')),
        )),
    )
    .parse(i)
}

/// `31qtst`: the dice, and a pair of letters a move.
fn rolled(player: Player, i: &str) -> IResult<&str, Act> {
    let (mut rest, roll) = dice(i)?;
    let mut play = Play::EMPTY;
    while let Ok((after, moved)) = preceded(multispace0, |i| pair(player, i)).parse(rest) {
        if !play.push(moved) {
            return Err(nom::Err::Failure(Error::new(rest, ErrorKind::TooLarge)));
        }
        rest = after;
    }
    Ok((rest, Act::Play(roll, play)))
}

/// Two digits.
fn dice(i: &str) -> IResult<&str, WrittenRoll> {
    map(
        take_while_m_n(2, 2, |c: char| c.is_ascii_digit()),
        |digits: &str| {
            let digits = digits.as_bytes();
            WrittenRoll(digits[0] - b'0', digits[1] - b'0')
        },
    )
    .parse(i)
}

/// The whole of a value as dice.
pub(super) fn whole_dice(text: &str) -> Option<WrittenRoll> {
    let (_, roll) = all_consuming(dice).parse(text.trim()).ok()?;
    Some(roll)
}

fn pair(player: Player, i: &str) -> IResult<&str, Move> {
    let letter = |i| satisfy(|c| c.is_ascii_lowercase()).parse(i);
    let (rest, (from, to)): (&str, (char, char)) = (letter, letter).parse(i)?;
    let moved = Move::new(place(player, from), place(player, to), false);
    Ok((rest, moved))
}

/// The place that a letter names: `a` to `x` are White's points for both players, `y` the bar and `z` off.
pub(super) fn place(player: Player, letter: char) -> Place {
    let number = match (letter, player) {
        ('y', _) => 25,
        ('z', _) => 0,
        (letter, Player::One) => letter as u8 - b'a' + 1,
        (letter, Player::Two) => 24 - (letter as u8 - b'a'),
    };
    Place::new(number).expect("a letter is a place")
}

/// The letters of the places of a player, by their numbers; see [`place`].
#[inline]
pub(super) fn letters_of(player: Player) -> &'static [u8; 32] {
    // So many that no number of five bits is beyond them.
    match player {
        Player::One => b"zabcdefghijklmnopqrstuvwxy......",
        Player::Two => b"zxwvutsrqponmlkjihgfedcbay......",
    }
}

/// The letter of a place.
pub(super) fn letter(player: Player, place: Place) -> u8 {
    letters_of(player)[usize::from(place.number())]
}

/// The letters of a value of `AE`, `AW` or `AB`: one, or a range `a:y`.
pub(super) fn letters(raw: &str) -> Option<std::ops::RangeInclusive<char>> {
    fn range(i: &str) -> IResult<&str, (char, Option<char>)> {
        let letter = |i| satisfy(|c| ('a'..='y').contains(&c)).parse(i);
        all_consuming((letter, opt(preceded(char(':'), letter)))).parse(i)
    }
    let (_, (first, last)) = range(raw.trim()).ok()?;
    let last = last.unwrap_or(first);
    Some(first.min(last)..=first.max(last))
}

/// What the value of `RE` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Result {
    /// `W+2R`: the winner, the points, and the letter behind them.
    Won {
        white: bool,
        points: Option<u32>,
        resigned: bool,
        on_time: bool,
    },
    /// `0`, `Void`, `?`: the game has no winner.
    Open,
}

/// The value of `RE`.
pub(super) fn result(text: &str) -> Option<Result> {
    fn won(i: &str) -> IResult<&str, Result> {
        let (rest, side) = satisfy(|c| "wWbB".contains(c)).parse(i)?;
        let (rest, _) = char('+').parse(rest)?;
        let (rest, points) = opt(crate::formats::text::number).parse(rest)?;
        let (rest, suffix) = opt(satisfy(|c| "rRtTfF".contains(c))).parse(rest)?;
        let (rest, _) = take_till(|c: char| !c.is_ascii_alphabetic()).parse(rest)?;
        let suffix = suffix.map(|c| c.to_ascii_uppercase());
        let result = Result::Won {
            white: side.eq_ignore_ascii_case(&'w'),
            points,
            resigned: matches!(suffix, Some('R' | 'F')),
            on_time: suffix == Some('T'),
        };
        Ok((rest, result))
    }
    fn open(i: &str) -> IResult<&str, Result> {
        let words = alt((
            tag_no_case("void"),
            tag_no_case("draw"),
            tag_no_case("0"),
            tag_no_case("?"),
        ));
        value(Result::Open, words).parse(i)
    }
    let text = text.trim();
    if text.is_empty() {
        return Some(Result::Open);
    }
    let (_, result) = all_consuming(alt((won, open))).parse(text).ok()?;
    Some(result)
}

/// `[Event "Club night"]`, as GNU Backgammon keeps header lines of .mat files in the comment on a game.
pub(super) fn tag_line(line: &str) -> Option<(&str, &str)> {
    let name = take_while1(|c: char| !matches!(c, '"' | '[' | ']'));
    let (rest, name) = delimited(char('['), name, char::<&str, Error<&str>>('"'))
        .parse(line.trim())
        .ok()?;
    let value = rest.strip_suffix("\"]")?;
    Some((name.trim(), value.trim())).filter(|(name, _)| !name.is_empty())
}

/// Whether a text starts as a collection does: with `(` and `;` and a property.
pub(super) fn starts_collection(text: &str) -> bool {
    let start: IResult<&str, _> = (
        multispace0,
        many0_count(terminated(char('('), multispace0)),
        char(';'),
        multispace0,
        satisfy(|c| c.is_ascii_alphabetic() || matches!(c, ';' | ')')),
    )
        .parse(text);
    start.is_ok_and(|(_, (_, opened, ..))| opened > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(mut text: &str) -> Vec<String> {
        let mut list = Vec::new();
        while let Ok((rest, token)) = token(text) {
            list.push(match token {
                Token::Open(_) => "(".to_owned(),
                Token::Close(_) => ")".to_owned(),
                Token::Node(_) => ";".to_owned(),
                Token::Property(p) => format!("{}={}", p.name, p.values.join("|")),
                Token::Stray(text) => format!("?{text}"),
            });
            text = rest;
        }
        list
    }

    #[test]
    fn blanks_are_free_between_tokens_and_old_identifiers_lose_their_small_letters() {
        let found = tokens("( ;GaMe [6]\n AW[a] [b] x1 ;B\n[31])");
        let expected = ["(", ";", "GM=6", "AW=a|b", "?x1", ";", "B=31", ")"];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_protected_bracket_does_not_end_a_value() {
        assert_eq!(tokens(r"PW[A\]l\\]PB[]"), [r"PW=A\]l\\", "PB="]);
        assert_eq!(unescaped(r"A\]l\\p[h"), r"A]l\p[h");
        assert_eq!(unescaped("one \\\r\ntwo\r\nthree\\"), "one two\nthree");
    }

    #[test]
    fn a_forgotten_bracket_costs_one_value() {
        assert_eq!(tokens("B[31qtst;W[42hdfd]"), ["B=31qtst", ";", "W=42hdfd"]);
    }

    #[test]
    fn a_composed_value_is_split_at_free_colons_only() {
        assert_eq!(composed(r"Crawford:a\:b:"), ["Crawford", r"a\:b", ""]);
    }

    #[test]
    fn letters_are_whites_points_for_both_players() {
        for (player, letters, numbers) in [
            (Player::One, "axyz", [1, 24, 25, 0]),
            (Player::Two, "axyz", [24, 1, 25, 0]),
        ] {
            for (c, number) in letters.chars().zip(numbers) {
                assert_eq!(place(player, c).number(), number);
                assert_eq!(char::from(letter(player, place(player, c))), c);
            }
        }
    }

    #[test]
    fn a_result_has_points_and_a_letter() {
        let won = |white, points, resigned, on_time| {
            Some(Result::Won {
                white,
                points,
                resigned,
                on_time,
            })
        };
        assert_eq!(result("W+2"), won(true, Some(2), false, false));
        assert_eq!(result("b+4Resign"), won(false, Some(4), true, false));
        assert_eq!(result("W+T"), won(true, None, false, true));
        assert_eq!(result("Void"), Some(Result::Open));
        assert_eq!(result("White"), None);
        assert_eq!(
            result("W+99999999999"),
            won(true, Some(u32::MAX), false, false)
        );
    }
}
