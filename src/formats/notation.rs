//! Plays as people and programs write them.
//!
//! ```text
//! play  = step { (blank | ",") step }
//! step  = place { "/" place } [ "(" number ")" ] [ "*" ]
//! place = ( 1..25 | 0 | "bar" | "off" ) [ "*" ]
//! ```
//!
//! `8/5(2)` is two moves and `24/18*/13` is two moves of one checker; only the first of several checkers that
//! land together can hit. Bar and off may be numbers, whole words or their first letters in any case. `-` and
//! `\` stand for the slash, `x` for the star, and `0/0` for a die that cannot be played: all of that is found
//! in files.
//!
//! The leaves are written by hand and work on bytes, for a transcript is mostly plays; the rest is nom.

use nom::IResult;
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, tag_no_case, take_while1};
use nom::character::complete::{char, one_of, space0};
use nom::combinator::{opt, peek, recognize, value};
use nom::error::{Error, ErrorKind};
use nom::sequence::{delimited, preceded, terminated};

use crate::board::{Move, Place, Play};
use crate::record::{WrittenPlay, WrittenRoll};

fn fail<T>(i: &str, kind: ErrorKind) -> IResult<&str, T> {
    Err(nom::Err::Error(Error::new(i, kind)))
}

/// A play: at least one step. More moves than a play can hold are a failure at the step that is too many.
pub(super) fn play(i: &str) -> IResult<&str, Play> {
    let mut play = Play::EMPTY;
    let (mut rest, ()) = step(i, &mut play)?;
    loop {
        let next = rest.trim_start_matches([' ', ',', '\t']);
        match step(next, &mut play) {
            Ok((after, ())) => rest = after,
            Err(nom::Err::Error(_)) => return Ok((rest, play)),
            Err(failure) => return Err(failure),
        }
    }
}

/// One checker's way, or that of several: `13/7*(2)`.
fn step<'a>(i: &'a str, play: &mut Play) -> IResult<&'a str, ()> {
    let (rest, (mut from, _)) = place(i)?;
    let (mut rest, _) = slash(rest)?;
    let first = play.moves().len();
    loop {
        let (after, (to, marked)) = place(rest)?;
        let is_filler = from == Place::OFF && to == Place::OFF;
        if !is_filler && !play.push(Move::new(from, to, marked)) {
            return Err(nom::Err::Failure(Error::new(rest, ErrorKind::TooLarge)));
        }
        from = to;
        match slash(after) {
            Ok((after, _)) => rest = after,
            Err(_) => return repeated(after, play, first),
        }
    }
}

/// The `(2)` behind a step; the moves from `first` on are made so many times.
fn repeated<'a>(i: &'a str, play: &mut Play, first: usize) -> IResult<&'a str, ()> {
    if !i.starts_with('(') {
        return Ok((i, ()));
    }
    fn count(i: &str) -> IResult<&str, char> {
        let number = delimited(char('('), one_of("12345678"), char(')'));
        terminated(number, opt(char('*'))).parse(i)
    }
    let Ok((rest, count)) = count(i) else {
        return Ok((i, ()));
    };
    let marked = rest.len() + 4 == i.len();
    let moves = *play;
    if let Some(last) = play.moves_mut()[first..].last_mut() {
        last.hits |= marked;
    }
    for _ in 1..count.to_digit(10).unwrap_or(1) {
        for moved in &moves.moves()[first..] {
            if !play.push(Move {
                hits: false,
                ..*moved
            }) {
                return Err(nom::Err::Failure(Error::new(i, ErrorKind::TooLarge)));
            }
        }
    }
    Ok((rest, ()))
}

/// What separates two places: a slash, and what stands for it.
#[inline]
fn slash(i: &str) -> IResult<&str, ()> {
    if let Some(rest) = i.strip_prefix('/') {
        return Ok((rest.trim_start_matches(' '), ()));
    }
    if !i.starts_with([' ', '-', '\\']) {
        return fail(i, ErrorKind::Char);
    }
    value((), delimited(space0, one_of("/\\"), space0))
        .or(value((), terminated(char('-'), peek(place))))
        .parse(i)
}

/// A place and whether a hit mark stands behind it.
#[inline]
fn place(i: &str) -> IResult<&str, (Place, bool)> {
    let bytes = i.as_bytes();
    let digit = |index: usize| {
        bytes
            .get(index)
            .map(|b| b.wrapping_sub(b'0'))
            .filter(|&d| d < 10)
    };
    let (number, length) = match (digit(0), digit(1), digit(2)) {
        (Some(a), None, _) => (a, 1),
        (Some(a), Some(b), None) => (10 * a + b, 2),
        // `6/542:` is 6/5 with the next roll glued to it.
        (Some(a), Some(_), Some(_)) if bytes.get(3) == Some(&b':') => (a, 1),
        (Some(a), Some(b), Some(_)) if digit(3).is_some() && bytes.get(4) == Some(&b':') => {
            (10 * a + b, 2)
        }
        (Some(_), ..) => return fail(i, ErrorKind::Digit),
        (None, ..) => return word(i),
    };
    match Place::new(number) {
        Some(place) => mark(&i[length..], place),
        None => fail(i, ErrorKind::Digit),
    }
}

fn mark(i: &str, place: Place) -> IResult<&str, (Place, bool)> {
    match i.as_bytes() {
        [b'*' | b'x' | b'X', ..] => Ok((&i[1..], (place, true))),
        [b':', b' ', ..] | [b':'] => Ok((&i[1..], (place, true))),
        _ => Ok((i, (place, false))),
    }
}

/// `bar` and `off`, whole or shortened.
fn word(i: &str) -> IResult<&str, (Place, bool)> {
    let (rest, letters) = take_while1(|c: char| c.is_ascii_alphabetic()).parse(i)?;
    let (letters, marked) = match letters.strip_suffix(['x', 'X']) {
        Some(before) => (before, true),
        None => (letters, false),
    };
    let place = match letters.to_ascii_lowercase().as_str() {
        "b" | "ba" | "bar" => Place::BAR,
        "o" | "of" | "off" => Place::OFF,
        _ => return fail(i, ErrorKind::Alpha),
    };
    let (rest, (place, star)) = mark(rest, place)?;
    Ok((rest, (place, star || marked)))
}

/// A roll with its colon: `31:`.
#[inline]
pub(super) fn roll(i: &str) -> IResult<&str, WrittenRoll> {
    let bytes = i.as_bytes();
    let [a, b, rest @ ..] = bytes else {
        return fail(i, ErrorKind::Digit);
    };
    if !a.is_ascii_digit() || !b.is_ascii_digit() {
        return fail(i, ErrorKind::Digit);
    }
    let blanks = rest.iter().take_while(|&&b| b == b' ').count();
    if rest.get(blanks) != Some(&b':') {
        return fail(i, ErrorKind::Char);
    }
    Ok((&i[2 + blanks + 1..], WrittenRoll(a - b'0', b - b'0')))
}

/// A roll without a colon, which only a play behind it tells from a number: `31 8/5 6/5`.
pub(super) fn bare_roll(i: &str) -> IResult<&str, WrittenRoll> {
    let (rest, digits) = recognize((one_of("123456"), one_of("123456"))).parse(i)?;
    let (_, _) = preceded(char(' '), peek(|i| play(str::trim_start(i)))).parse(rest)?;
    let bytes = digits.as_bytes();
    Ok((rest, WrittenRoll(bytes[0] - b'0', bytes[1] - b'0')))
}

/// Words for a roll that cannot be played.
fn cannot_move(i: &str) -> IResult<&str, ()> {
    let words = alt((
        tag_no_case("cannot move"),
        tag_no_case("can't move"),
        tag_no_case("can not move"),
        tag_no_case("cant move"),
        tag_no_case("(no play)"),
        tag_no_case("(no move)"),
        tag_no_case("no play"),
        tag_no_case("no move"),
        tag_no_case("dances"),
        tag_no_case("dance"),
        tag("--"),
        terminated(tag("-"), peek(alt((tag(" "), nom::combinator::eof)))),
    ));
    value((), words).parse(i)
}

/// What stands behind a roll, blanks before it skipped. Nothing at all is [`WrittenPlay::Nothing`].
pub(super) fn written_play(i: &str) -> IResult<&str, WrittenPlay> {
    let start = i.trim_start_matches(' ');
    match play(start) {
        Ok((rest, play)) if play.moves().is_empty() => return Ok((rest, WrittenPlay::CannotMove)),
        Ok((rest, play)) => return Ok((rest, WrittenPlay::Moves(play))),
        Err(nom::Err::Failure(failure)) => return Err(nom::Err::Failure(failure)),
        Err(_) => {}
    }
    if start.starts_with('?') {
        return Ok((start.trim_start_matches('?'), WrittenPlay::NotRecorded));
    }
    match cannot_move(start) {
        Ok((rest, ())) => Ok((rest, WrittenPlay::CannotMove)),
        Err(_) => Ok((i, WrittenPlay::Nothing)),
    }
}

/// A whole text as a play, for the command line.
///
/// # Errors
///
/// The byte where it stops being one.
pub fn parse_play(text: &str) -> Result<WrittenPlay, usize> {
    match written_play(text) {
        Ok((rest, play)) if rest.trim().is_empty() => Ok(play),
        Ok((rest, _)) => Err(text.len() - rest.trim_start().len()),
        Err(nom::Err::Failure(error) | nom::Err::Error(error)) => {
            Err(text.len() - error.input.len())
        }
        Err(nom::Err::Incomplete(_)) => Err(text.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> String {
        match parse_play(text) {
            Ok(WrittenPlay::Moves(play)) => play
                .moves()
                .iter()
                .map(|m| {
                    format!(
                        "{}/{}{}",
                        m.from.number(),
                        m.to.number(),
                        if m.hits { "*" } else { "" }
                    )
                })
                .collect::<Vec<_>>()
                .join(" "),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn every_spelling_of_a_play_is_read() {
        for (text, expected) in [
            ("8/5 6/5", "8/5 6/5"),
            ("8/5,6/5", "8/5 6/5"),
            ("8/5, 6/5", "8/5 6/5"),
            ("13-7", "13/7"),
            ("13\\7", "13/7"),
            ("8 / 5", "8/5"),
            ("Bar/22 6/Off", "25/22 6/0"),
            ("b/22* 6/o", "25/22* 6/0"),
            ("13/7x", "13/7*"),
            ("13/7*/6", "13/7* 7/6"),
            ("13/7*(2)", "13/7* 13/7"),
            ("13/7(2)*", "13/7* 13/7"),
            ("24/18/13(2)", "24/18 18/13 24/18 18/13"),
            ("44/4", "Err(0)"),
            ("2/0 0/0", "2/0"),
        ] {
            assert_eq!(moves(text), expected, "{text}");
        }
    }

    #[test]
    fn a_roll_glued_to_the_last_step_is_left_alone() {
        let (rest, _) = play("8/4 6/542: 8/4").expect("a play");
        assert_eq!(rest, "42: 8/4");
    }

    #[test]
    fn a_roll_that_cannot_be_played_has_many_spellings() {
        for text in [
            "Cannot Move",
            "can't move",
            "(no play)",
            "--",
            "-",
            "Dances",
            "0/0",
            "no move",
        ] {
            assert_eq!(parse_play(text), Ok(WrittenPlay::CannotMove), "{text}");
        }
        assert_eq!(parse_play("????"), Ok(WrittenPlay::NotRecorded));
    }
}
