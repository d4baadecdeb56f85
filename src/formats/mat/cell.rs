//! The grammar of a row: its number and its cells.
//!
//! ```text
//! row  = [ number ( ")" | "." ) ] { cell }
//! cell = roll [ play | "Illegal play" [ dump ] ] | word [ ( "=>" | "==>" | "to" ) number ]
//! ```
//!
//! Cells are found one after the other rather than in columns, so that one blank between them, or none, is
//! enough. Which half a cell belongs to is decided later.

use nom::IResult;
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, tag_no_case, take_until, take_while1};
use nom::character::complete::{char, digit1, one_of, space0, space1};
use nom::combinator::{eof, not, opt, peek, value};
use nom::error::{Error, ErrorKind};
use nom::sequence::{delimited, preceded, terminated};

use super::super::notation::{bare_roll, roll, written_play};
use super::super::text::number;
use crate::board::Win;
use crate::record::{WrittenPlay, WrittenRoll};

/// A cell and where it stands in its line, in bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cell {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// What a cell says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Play {
        roll: WrittenRoll,
        play: WrittenPlay,
    },
    /// An illegal play; the dump lies between these bytes of the line.
    Illegal {
        roll: Option<WrittenRoll>,
        dump: Option<(usize, usize)>,
    },
    /// Question marks without a roll.
    Hidden,
    Double {
        to: Option<u32>,
        after_roll: Option<WrittenRoll>,
    },
    Beaver {
        to: Option<u32>,
    },
    Raccoon {
        to: Option<u32>,
    },
    Take,
    Pass,
    Resign {
        win: Option<Win>,
    },
    TimeOut,
    Wins {
        points: Option<u32>,
        and_match: bool,
    },
    Losses {
        points: Option<u32>,
    },
    /// A number of a row in the middle of a line.
    Row(u32),
    /// A roll whose play cannot be read.
    Garbled {
        roll: WrittenRoll,
    },
    Unreadable,
}

/// The number of a row with what follows it.
pub(super) fn row_number(i: &str) -> IResult<&str, u32> {
    let bytes = i.as_bytes();
    let digits = bytes.iter().take_while(|b| b.is_ascii_digit()).count();
    match bytes.get(digits) {
        Some(b')') if (1..=9).contains(&digits) => {}
        Some(b'.')
            if (1..=9).contains(&digits) && bytes.get(digits + 1).is_none_or(|&b| b == b' ') => {}
        _ => return Err(nom::Err::Error(Error::new(i, ErrorKind::Digit))),
    }
    let number = bytes[..digits]
        .iter()
        .fold(0u32, |n, b| n * 10 + u32::from(b - b'0'));
    Ok((&i[digits + 1..], number))
}

/// Takes the cells of `line` from byte `at` on and puts them into `cells`.
///
/// `right` is the column where the right half is expected; a cube word nearer than that to a roll without a
/// play belongs to the roll.
pub(super) fn cells(line: &str, at: usize, right: usize, cells: &mut Vec<Cell>) {
    cells.clear();
    let mut rest = &line[at..];
    loop {
        rest = rest.trim_start_matches([' ', '\t']);
        let start = line.len() - rest.len();
        if rest.is_empty() {
            return;
        }
        match cell(rest, line) {
            Ok((after, kind)) => {
                let end = line.len() - after.len();
                let end = start + line[start..end].trim_end().len();
                match (cells.last_mut(), kind) {
                    (
                        Some(last),
                        Kind::Double {
                            to,
                            after_roll: None,
                        },
                    ) if is_bare(last.kind) && (start + 2 < right || last.start + 2 >= right) => {
                        let Kind::Play { roll, .. } = last.kind else {
                            unreachable!("a bare roll")
                        };
                        last.kind = Kind::Double {
                            to,
                            after_roll: Some(roll),
                        };
                        last.end = end;
                    }
                    _ => cells.push(Cell { kind, start, end }),
                }
                rest = after;
            }
            Err(_) => {
                let length = next_start(rest);
                let end = start + rest[..length].trim_end().len();
                match cells.last_mut() {
                    // What follows a roll or its play closely is the rest of that cell.
                    Some(last) if start - last.end <= 2 => {
                        if let Kind::Play { roll, .. } | Kind::Garbled { roll } = last.kind {
                            last.kind = Kind::Garbled { roll };
                            last.end = end;
                        } else {
                            cells.push(Cell {
                                kind: Kind::Unreadable,
                                start,
                                end,
                            });
                        }
                    }
                    _ => cells.push(Cell {
                        kind: Kind::Unreadable,
                        start,
                        end,
                    }),
                }
                rest = &rest[length..];
            }
        }
    }
}

fn is_bare(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Play {
            play: WrittenPlay::Nothing,
            ..
        }
    )
}

/// How far it is to the next blank behind which a cell starts.
fn next_start(text: &str) -> usize {
    let blanks = text.match_indices([' ', '\t']).map(|(at, _)| at + 1);
    let mut starts = blanks.filter(|&at| {
        let here = &text[at..];
        roll(here).is_ok() || bare_roll(here).is_ok() || word(here).is_ok()
    });
    starts.next().unwrap_or(text.len())
}

#[inline]
fn cell<'a>(i: &'a str, line: &'a str) -> IResult<&'a str, Kind> {
    match i.as_bytes()[0] {
        b'0'..=b'9' => match roll(i) {
            Ok((rest, roll)) => after_roll(rest, roll, line),
            Err(_) => alt((bare_play, row_number.map(Kind::Row))).parse(i),
        },
        b'?' => Ok((i.trim_start_matches('?'), Kind::Hidden)),
        _ => match word(i) {
            Ok((rest, kind)) => {
                let (rest, _) = opt(time_stamp).parse(rest)?;
                Ok((rest, kind))
            }
            Err(_) => illegal(i, None, line),
        },
    }
}

fn bare_play(i: &str) -> IResult<&str, Kind> {
    let (rest, roll) = bare_roll(i)?;
    let (rest, play) = written_play(rest)?;
    Ok((rest, Kind::Play { roll, play }))
}

#[inline]
fn after_roll<'a>(i: &'a str, roll: WrittenRoll, line: &'a str) -> IResult<&'a str, Kind> {
    let (rest, play) = match written_play(i) {
        Ok(read) => read,
        Err(_) => {
            let rest = i.trim_start();
            return Ok((&rest[next_start(rest)..], Kind::Garbled { roll }));
        }
    };
    if play == WrittenPlay::Nothing {
        if let Ok(read) = illegal(i.trim_start(), Some(roll), line) {
            return Ok(read);
        }
        // The row ends here, or the cell of the other half follows.
        return Ok((rest, Kind::Play { roll, play }));
    }
    let (rest, _) = opt(time_stamp).parse(rest)?;
    Ok((rest, Kind::Play { roll, play }))
}

/// `[12s]` or `(00:12)`, which some recorders add.
fn time_stamp(i: &str) -> IResult<&str, ()> {
    let inner = |c: char| c.is_ascii_digit() || matches!(c, ':' | '.' | 's' | 'm' | ' ');
    let square = delimited(char('['), take_while1(inner), char(']'));
    let round = delimited(char('('), take_while1(inner), char(')'));
    value((), preceded(space0, alt((square, round)))).parse(i)
}

/// `Illegal play (dump)`: the position after it, as a Snowie line.
fn illegal<'a>(i: &'a str, roll: Option<WrittenRoll>, line: &'a str) -> IResult<&'a str, Kind> {
    let (rest, _) = tag_no_case("illegal play").parse(i)?;
    let dump = preceded(space0, delimited(char('('), take_until(")"), char(')')));
    let (rest, dump) = opt(dump).parse(rest)?;
    let place = |dump: &str| {
        let start = dump.as_ptr() as usize - line.as_ptr() as usize;
        (start, start + dump.len())
    };
    Ok((
        rest,
        Kind::Illegal {
            roll,
            dump: dump.map(place),
        },
    ))
}

/// The end of a word.
fn end(i: &str) -> IResult<&str, ()> {
    value(
        (),
        not(nom::character::complete::satisfy(|c| c.is_alphanumeric())),
    )
    .parse(i)
}

/// A whole word in any case.
fn stem<'a>(word: &'static str) -> impl Parser<&'a str, Output = (), Error = Error<&'a str>> {
    move |i: &'a str| {
        let there = i.as_bytes().get(..word.len());
        if there.is_some_and(|there| there.eq_ignore_ascii_case(word.as_bytes())) {
            return end(&i[word.len()..]);
        }
        Err(nom::Err::Error(Error::new(i, ErrorKind::Tag)))
    }
}

/// `=> 2`, `==> 2`, `to 2`, or nothing.
fn amount(i: &str) -> IResult<&str, Option<u32>> {
    let sign = alt((
        tag("==>"),
        tag("=>"),
        tag("->"),
        tag_no_case("to"),
        tag("="),
    ));
    opt(preceded((space0, sign, space0), number)).parse(i)
}

fn points(i: &str) -> IResult<&str, (Option<u32>, bool)> {
    let (rest, points) = opt(preceded(space1, number)).parse(i)?;
    let noun = preceded(space1, alt((stem("points"), stem("point"), stem("pts"))));
    let (rest, _) = opt(noun).parse(rest)?;
    if rest.is_empty() {
        return Ok((rest, (points, false)));
    }
    let tail = (
        space0,
        stem("and"),
        space1,
        opt((stem("the"), space1)),
        stem("match"),
    );
    let (rest, and_match) = opt(tail).parse(rest)?;
    let (rest, _) = opt(char('.')).parse(rest)?;
    Ok((rest, (points, and_match.is_some())))
}

/// A word for something other than a roll.
pub(super) fn word(i: &str) -> IResult<&str, Kind> {
    let first = i.as_bytes().first().map_or(b' ', u8::to_ascii_lowercase);
    match first {
        b'd' => alt((
            preceded(alt((stem("doubles"), stem("double"))), amount).map(|to| Kind::Double {
                to,
                after_roll: None,
            }),
            value(Kind::Pass, alt((stem("drops"), stem("drop")))),
        ))
        .parse(i),
        b'r' => alt((
            preceded(alt((stem("redoubles"), stem("redouble"))), amount).map(|to| Kind::Double {
                to,
                after_roll: None,
            }),
            preceded(
                alt((
                    stem("raccoons"),
                    stem("raccoon"),
                    stem("racoons"),
                    stem("racoon"),
                )),
                amount,
            )
            .map(|to| Kind::Raccoon { to }),
            value(Kind::Pass, alt((stem("rejects"), stem("reject")))),
            resign,
        ))
        .parse(i),
        b'b' => preceded(alt((stem("beavers"), stem("beaver"))), amount)
            .map(|to| Kind::Beaver { to })
            .parse(i),
        b't' => alt((
            value(Kind::Take, alt((stem("takes"), stem("take")))),
            value(
                Kind::TimeOut,
                alt((stem("timeout"), stem("time-out"), stem("times out"))),
            ),
        ))
        .parse(i),
        b'a' => value(Kind::Take, alt((stem("accepts"), stem("accept")))).parse(i),
        b'p' => value(Kind::Pass, alt((stem("passes"), stem("pass")))).parse(i),
        b'w' => preceded(alt((stem("wins"), stem("win"))), points)
            .map(|(points, and_match)| Kind::Wins { points, and_match })
            .parse(i),
        b'l' => alt((
            value(
                Kind::TimeOut,
                alt((stem("loses on time"), stem("lost on time"))),
            ),
            preceded(alt((stem("losses"), stem("loses"), stem("loss"))), points)
                .map(|(points, _)| Kind::Losses { points }),
        ))
        .parse(i),
        b'f' => value(
            Kind::Resign { win: None },
            alt((stem("forfeits"), stem("forfeit"))),
        )
        .parse(i),
        b'c' => value(
            Kind::Resign { win: None },
            alt((stem("concedes"), stem("concede"))),
        )
        .parse(i),
        _ => Err(nom::Err::Error(Error::new(i, ErrorKind::Alpha))),
    }
}

/// `Resigned Game`, `Resigns gammon`, `Resign`.
fn resign(i: &str) -> IResult<&str, Kind> {
    let stem = alt((
        tag_no_case("resigned"),
        tag_no_case("resigns"),
        tag_no_case("resign"),
    ));
    let (rest, _) = terminated(stem, end).parse(i)?;
    let kind = alt((
        value(Some(Win::Backgammon), tag_no_case("backgammon")),
        value(Some(Win::Gammon), tag_no_case("gammon")),
        value(
            Some(Win::Single),
            alt((tag_no_case("single"), tag_no_case("normal"))),
        ),
        value(None, alt((tag_no_case("game"), tag_no_case("match")))),
    ));
    let (rest, win) = opt(preceded(space1, terminated(kind, end))).parse(rest)?;
    Ok((rest, Kind::Resign { win: win.flatten() }))
}

/// `7 point match`, `Match to 7`, `money game`: the length as written, 0 for money.
///
/// `None` for the number: the words are there, and the number makes no sense.
pub(super) fn match_line(i: &str) -> IResult<&str, Option<u32>> {
    // No other line is asked more often than what cannot be one.
    let first = i.as_bytes().first().map_or(b' ', u8::to_ascii_lowercase);
    if !matches!(first, b'0'..=b'9' | b'+' | b'-' | b'm' | b'u') {
        return Err(nom::Err::Error(Error::new(i, ErrorKind::Tag)));
    }
    // The usual one needs no trying; a file may have hundreds of thousands of them.
    if let Some(digits) = i.strip_suffix(" point match")
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && !digits.is_empty()
    {
        return Ok(("", digits.parse().ok()));
    }
    let point = (
        space0,
        opt(char('-')),
        space0,
        tag_no_case("point"),
        opt(one_of("sS")),
    );
    let counted = terminated(signed, (point, space1, tag_no_case("match"), end));
    let to = (
        tag_no_case("match"),
        space1,
        alt((tag_no_case("of"), tag_no_case("to"))),
        space1,
    );
    let named = preceded(to, terminated(signed, end));
    let play = alt((
        tag_no_case("match"),
        tag_no_case("game"),
        tag_no_case("session"),
        tag_no_case("play"),
    ));
    let open = (
        alt((tag_no_case("unlimited"), tag_no_case("money"))),
        space1,
        play,
        end,
    );
    alt((counted, named, value(Some(0), open))).parse(i)
}

fn signed(i: &str) -> IResult<&str, Option<u32>> {
    let (rest, minus) = opt(one_of("+-")).parse(i)?;
    let (rest, digits) = digit1.parse(rest)?;
    let _ = peek(opt(eof::<&str, Error<&str>>)).parse(rest)?;
    Ok((rest, digits.parse().ok().filter(|_| minus != Some('-'))))
}

/// `Game 3`, with whatever follows it.
pub(super) fn game_line(i: &str) -> IResult<&str, (u32, &str)> {
    let (rest, _) = (stem("game"), space1).parse(i)?;
    let (rest, number) = number(rest)?;
    let (rest, ()) = end(rest)?;
    Ok(("", (number, rest)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(line: &str) -> Vec<Kind> {
        let mut found = Vec::new();
        cells(line, 0, 33, &mut found);
        found.into_iter().map(|cell| cell.kind).collect()
    }

    fn rolls(line: &str) -> Vec<String> {
        kinds(line)
            .into_iter()
            .map(|kind| match kind {
                Kind::Play { roll, .. } => roll.to_string(),
                other => format!("{other:?}"),
            })
            .collect()
    }

    #[test]
    fn one_blank_between_the_cells_is_enough_and_none_too() {
        assert_eq!(rolls("11: 8/7 8/7 6/5 6/5 42: 8/4 6/4"), ["11", "42"]);
        assert_eq!(rolls("31: 8/5 6/542: 8/4 6/4"), ["31", "42"]);
        assert_eq!(rolls("31: 42: 8/4 6/4"), ["31", "42"]);
        assert_eq!(rolls("31 8/5 6/5     42 8/4 6/4"), ["31", "42"]);
    }

    #[test]
    fn words_are_read_in_any_case() {
        assert_eq!(
            kinds("doubles ==> 4"),
            [Kind::Double {
                to: Some(4),
                after_roll: None
            }]
        );
        assert_eq!(
            kinds("Redoubles to 4"),
            [Kind::Double {
                to: Some(4),
                after_roll: None
            }]
        );
        assert_eq!(kinds("Rejects"), [Kind::Pass]);
        assert_eq!(
            kinds("Wins 2 point and the match"),
            [Kind::Wins {
                points: Some(2),
                and_match: true
            }]
        );
        assert_eq!(kinds("Resigned Game   "), [Kind::Resign { win: None }]);
    }

    #[test]
    fn a_double_close_behind_a_roll_came_too_late() {
        let roll = WrittenRoll(3, 1);
        assert_eq!(
            kinds("31: Doubles => 2"),
            [Kind::Double {
                to: Some(2),
                after_roll: Some(roll)
            }]
        );
        assert_eq!(
            kinds("31:                               Doubles => 2").len(),
            2
        );
    }

    #[test]
    fn a_time_stamp_is_no_cell() {
        assert_eq!(
            rolls("31: 8/5 6/5 [12s]   42: 8/4 6/4 (00:12)"),
            ["31", "42"]
        );
    }

    #[test]
    fn what_cannot_be_read_ends_where_the_next_cell_starts() {
        let garbled = Kind::Garbled {
            roll: WrittenRoll(3, 1),
        };
        let kinds = kinds("31: 8/5 6//5        42: 8/4 6/4");
        assert_eq!((kinds[0], kinds.len()), (garbled, 2));
    }

    #[test]
    fn the_length_of_a_match_has_many_spellings() {
        for (text, length) in [
            ("7 point match", Some(7)),
            ("7 Point Match", Some(7)),
            ("5 points match", Some(5)),
            ("5-point match", Some(5)),
            ("Match of 5 points", Some(5)),
            ("unlimited match", Some(0)),
            ("money game", Some(0)),
            ("-1 point match", None),
        ] {
            assert_eq!(match_line(text).expect("a match line").1, length, "{text}");
        }
    }
}
