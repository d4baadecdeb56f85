//! The grammar of the text form, line by line.
//!
//! ```text
//! log        = { line }
//! line       = [ header | event ] [ "#" comment ]
//! header     = "stake:" amount [ unit ] | "rules:" rule { "," rule }
//! rule       = [ "no" ] ( "jacoby" | "beavers" | "raccoons" | "cube" )
//!            | "automatic doubles" number | "cube limit" number | "backgammon counts" ( "2" | "3" )
//! event      = "rolls:" name die { die } { "," name die { die } }
//!            | "seats:" name { "," name }
//!            | "automatic double" [ ":" "to" number ]
//!            | ( "double:" | "beaver:" | "raccoon:" ) name [ "to" number ] { "," name answer }
//!            | "result:" ( "box" | "team" ) "wins" [ kind ] [ [ "," ] number [ "points" ] ]
//!            | "settlement:" name points { "," name points }
//!            | "total:" name points { "," name points }
//!            | "join:" name | "leave:" name | "end"
//! answer     = "agrees" | "refuses" | "takes" | "passes"
//! kind       = "single" | "gammon" | "backgammon"
//! ```
//!
//! A name is everything up to a comma or to the last words that belong to the event, so it may hold blanks.
//! Letters of keywords may be capitals. A comment starts with `#` at the start of a line or behind a blank.

use nom::branch::alt;
use nom::bytes::complete::{tag_no_case, take_till1, take_while1};
use nom::character::complete::{char, digit1, space0, space1};
use nom::combinator::{all_consuming, cut, map, map_opt, opt, value};
use nom::error::ErrorKind;
use nom::multi::{many0, separated_list1};
use nom::sequence::{preceded, terminated};
use nom::{IResult, Parser};

use super::log::{Answer, MOST_POINTS, Outcome, Side, TurnKind};
use crate::board::Win;

/// A line as the grammar gives it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Written<'a> {
    Stake(&'a str, &'a str),
    Rules(Vec<Agreed>),
    Rolls(Vec<(&'a str, Vec<u8>)>),
    Seats(Vec<&'a str>),
    AutomaticDouble(Option<u32>),
    Turn(TurnKind, (&'a str, Option<u32>), Vec<(&'a str, Answer)>),
    Result(Outcome),
    Settlement(Vec<(&'a str, i64)>),
    Total(Vec<(&'a str, i64)>),
    Join(&'a str),
    Leave(&'a str),
    End,
}

/// A rule as agreed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Agreed {
    Jacoby(bool),
    Beavers(bool),
    Raccoons(bool),
    Cube(bool),
    AutomaticDoubles(u32),
    CubeLimit(u32),
    BackgammonCounts(u32),
}

/// A line without its comment and the blanks around it.
pub(super) fn line(i: &str) -> IResult<&str, Written<'_>> {
    all_consuming(alt((header, turn, settled, seating))).parse(i)
}

/// A keyword and its colon.
fn keyword<'a>(
    word: &'static str,
) -> impl Parser<&'a str, Output = (), Error = nom::error::Error<&'a str>> {
    value((), (tag_no_case(word), space0, char(':'), space0))
}

fn header(i: &str) -> IResult<&str, Written<'_>> {
    alt((
        preceded(keyword("stake"), cut(stake)),
        preceded(
            keyword("rules"),
            cut(map(separated_list1(comma, agreed), Written::Rules)),
        ),
    ))
    .parse(i)
}

/// `0.50 EUR`
fn stake(i: &str) -> IResult<&str, Written<'_>> {
    let amount = take_while1(|c: char| c.is_ascii_digit() || c == '.');
    let unit = preceded(space1, item);
    map((amount, opt(unit)), |(amount, unit)| {
        Written::Stake(amount, unit.unwrap_or(""))
    })
    .parse(i)
}

fn agreed(i: &str) -> IResult<&str, Agreed> {
    let switch = |i| {
        let (i, no) = opt(terminated(tag_no_case("no"), space1)).parse(i)?;
        let on = no.is_none();
        alt((
            value(Agreed::Jacoby(on), tag_no_case("jacoby")),
            value(Agreed::Beavers(on), tag_no_case("beavers")),
            value(Agreed::Raccoons(on), tag_no_case("raccoons")),
            value(Agreed::Cube(on), tag_no_case("cube")),
        ))
        .parse(i)
    };
    let counted = |words: &'static str| preceded((tag_no_case(words), space1), number);
    alt((
        map(counted("automatic doubles"), Agreed::AutomaticDoubles),
        map_opt(counted("cube limit"), |limit| {
            (limit > 0).then_some(Agreed::CubeLimit(limit))
        }),
        map_opt(counted("backgammon counts"), |counts| {
            (2..=3)
                .contains(&counts)
                .then_some(Agreed::BackgammonCounts(counts))
        }),
        switch,
    ))
    .parse(i)
}

fn turn(i: &str) -> IResult<&str, Written<'_>> {
    let kind = alt((
        value(TurnKind::Double, keyword("double")),
        value(TurnKind::Beaver, keyword("beaver")),
        value(TurnKind::Raccoon, keyword("raccoon")),
    ));
    let automatic = preceded(
        (
            tag_no_case("automatic"),
            space1,
            tag_no_case("double"),
            space0,
        ),
        cut(opt(preceded(
            (char(':'), space0, tag_no_case("to"), space1),
            number,
        ))),
    );
    let answers = many0(preceded(comma, answer));
    alt((
        map((kind, cut((doubler, answers))), |(kind, (by, answers))| {
            Written::Turn(kind, by, answers)
        }),
        map(automatic, Written::AutomaticDouble),
    ))
    .parse(i)
}

/// `Ayla to 2`
fn doubler(i: &str) -> IResult<&str, (&str, Option<u32>)> {
    map(item, |text| {
        let stated = text
            .rsplit_once(char::is_whitespace)
            .and_then(|(name, value)| {
                let (name, to) = name.trim_end().rsplit_once(char::is_whitespace)?;
                let (_, value) = all_consuming(number).parse(value).ok()?;
                to.eq_ignore_ascii_case("to")
                    .then_some((name.trim_end(), Some(value)))
            });
        stated.unwrap_or((text, None))
    })
    .parse(i)
}

/// `Burak takes`. An answer that cannot be read keeps its place, so that it hides no other.
fn answer(i: &str) -> IResult<&str, (&str, Answer)> {
    map(item, |text| {
        let (name, word) = text.rsplit_once(char::is_whitespace).unwrap_or((text, ""));
        let answer = match word.to_ascii_lowercase().as_str() {
            "agrees" | "agree" => Answer::Agrees,
            "refuses" | "refuse" => Answer::Refuses,
            "takes" | "take" => Answer::Takes,
            "passes" | "pass" | "drops" | "drop" => Answer::Passes,
            _ => return (text, Answer::Unreadable),
        };
        (name.trim_end(), answer)
    })
    .parse(i)
}

fn settled(i: &str) -> IResult<&str, Written<'_>> {
    let list = || cut(separated_list1(comma, player_points));
    alt((
        preceded(keyword("result"), cut(map(outcome, Written::Result))),
        preceded(keyword("settlement"), map(list(), Written::Settlement)),
        preceded(keyword("total"), map(list(), Written::Total)),
        value(Written::End, tag_no_case("end")),
    ))
    .parse(i)
}

/// `box wins gammon, 4 points`
fn outcome(i: &str) -> IResult<&str, Outcome> {
    let winner = alt((
        value(Side::Box, tag_no_case("box")),
        value(Side::Team, tag_no_case("team")),
    ));
    let kind = alt((
        value(Win::Single, tag_no_case("single")),
        value(Win::Gammon, tag_no_case("gammon")),
        value(Win::Backgammon, tag_no_case("backgammon")),
    ));
    let noun = preceded(space1, alt((tag_no_case("points"), tag_no_case("point"))));
    let points = terminated(number, opt(noun));
    map(
        (
            terminated(
                winner,
                (space1, alt((tag_no_case("wins"), tag_no_case("win")))),
            ),
            opt(preceded(space1, kind)),
            opt(preceded(alt((value((), comma), value((), space1))), points)),
        ),
        |(winner, win, points)| Outcome {
            winner,
            win,
            points,
        },
    )
    .parse(i)
}

/// `Ayla +4`
fn player_points(i: &str) -> IResult<&str, (&str, i64)> {
    map_opt(item, |text| {
        let (name, points) = text.rsplit_once(char::is_whitespace)?;
        let points: i64 = points.parse().ok()?;
        if points.unsigned_abs() >= MOST_POINTS.unsigned_abs() {
            return None;
        }
        Some((name.trim_end(), points))
    })
    .parse(i)
}

fn seating(i: &str) -> IResult<&str, Written<'_>> {
    alt((
        preceded(
            keyword("rolls"),
            cut(map(separated_list1(comma, player_dice), Written::Rolls)),
        ),
        preceded(
            keyword("seats"),
            cut(map(separated_list1(comma, item), Written::Seats)),
        ),
        preceded(keyword("join"), cut(map(item, Written::Join))),
        preceded(keyword("leave"), cut(map(item, Written::Leave))),
    ))
    .parse(i)
}

/// `Ceren 5 3`: a name and its dice, more than one where a tie was rolled again.
fn player_dice(i: &str) -> IResult<&str, (&str, Vec<u8>)> {
    map_opt(item, |text| {
        let (mut name, mut dice) = (text, Vec::new());
        while let Some((before, die)) = name.rsplit_once(char::is_whitespace) {
            match die.as_bytes() {
                [die @ b'1'..=b'6'] => dice.push(die - b'0'),
                _ => break,
            }
            name = before.trim_end();
        }
        dice.reverse();
        (!dice.is_empty()).then_some((name, dice))
    })
    .parse(i)
}

fn comma(i: &str) -> IResult<&str, char> {
    terminated(char(','), space0).parse(preceded_by_blanks(i))
}

fn preceded_by_blanks(i: &str) -> &str {
    i.trim_start_matches([' ', '\t'])
}

/// What stands up to the next comma, without blanks around it.
fn item(i: &str) -> IResult<&str, &str> {
    let (rest, text) = take_till1(|c| c == ',').parse(i)?;
    match text.trim() {
        "" => Err(nom::Err::Error(nom::error::Error::new(
            i,
            ErrorKind::TakeTill1,
        ))),
        text => Ok((rest, text)),
    }
}

/// A number; what is too large for any sense becomes the largest one, so that it can be reported.
fn number(i: &str) -> IResult<&str, u32> {
    map(digit1, |digits: &str| digits.parse().unwrap_or(u32::MAX)).parse(i)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Written<'_> {
        line(text)
            .unwrap_or_else(|error| panic!("{text}: {error}"))
            .1
    }

    #[test]
    fn names_may_hold_blanks_and_words_of_the_grammar() {
        let turn = read("double: Gül to Naz to 2 , the box takes,Box passes");
        let answers = vec![("the box", Answer::Takes), ("Box", Answer::Passes)];
        assert_eq!(
            turn,
            Written::Turn(TurnKind::Double, ("Gül to Naz", Some(2)), answers)
        );
        let turn = read("double: to 2");
        assert_eq!(
            turn,
            Written::Turn(TurnKind::Double, ("to 2", None), Vec::new())
        );
        assert_eq!(
            read("rolls: R2 D2 6 1"),
            Written::Rolls(vec![("R2 D2", vec![6, 1])])
        );
        assert_eq!(
            read("settlement: R2 -3"),
            Written::Settlement(vec![("R2", -3)])
        );
    }

    #[test]
    fn results_say_as_much_as_they_like() {
        let result = |text| match read(text) {
            Written::Result(outcome) => (outcome.winner, outcome.win, outcome.points),
            other => panic!("{other:?}"),
        };
        assert_eq!(result("result: box wins"), (Side::Box, None, None));
        assert_eq!(result("Result: TEAM win 3"), (Side::Team, None, Some(3)));
        let gammon = (Side::Team, Some(Win::Gammon), Some(4));
        assert_eq!(result("result : team wins gammon , 4 points"), gammon);
    }

    #[test]
    fn what_is_left_of_a_line_is_a_fault() {
        for text in [
            "result: box wins gammon 4 points each",
            "result: the box wins",
            "seats: Ayla,, Burak",
            "seats:",
            "rolls: Ayla 7",
            "total: Ayla 10000000000",
            "total: Ayla 1.5",
            "rules: backgammon counts 4",
            "rules: cube limit 0",
            "double:",
            "endless",
            "join: Ayla, Burak",
            "automatic double: 2",
        ] {
            assert!(line(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_number_beyond_all_sense_is_still_one() {
        let by = ("Ayla", Some(u32::MAX));
        let turn = Written::Turn(TurnKind::Double, by, Vec::new());
        assert_eq!(read("double: Ayla to 99999999999999999999"), turn);
    }
}
