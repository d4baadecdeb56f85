//! The text form of a session log: a line an event.
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
use nom::bytes::complete::{tag_no_case, take_till1};
use nom::character::complete::{char, digit1, space0, space1};
use nom::combinator::{all_consuming, cut, map, map_opt, opt, value};
use nom::error::ErrorKind;
use nom::multi::separated_list1;
use nom::sequence::{preceded, terminated};
use nom::{IResult, Parser};

use super::log::{Answer, Event, Log, MOST_POINTS, Name, Outcome, Side, Stake, Turn, TurnKind};
use crate::board::Win;
use crate::diagnostic::{Finding, Findings, syntax};
use crate::ruleset::RuleOptions;
use crate::source::{Source, Span, Spanned, lines};

/// Reads the text form; `None` if no line of it belongs to a session log.
pub(super) fn read(source: &Source, findings: &mut Findings) -> Option<Log> {
    let mut log = Log::default();
    let mut known = 0u32;
    for line in lines(source.text()) {
        let text = without_comment(line.text).trim();
        if text.is_empty() {
            continue;
        }
        let span = source.span(text);
        let finding = match all_consuming(written).parse(text) {
            Ok((_, written)) => {
                known += 1;
                add(written, span, source, &mut log, findings);
                continue;
            }
            Err(nom::Err::Failure(error) | nom::Err::Error(error))
                if error.input.len() < text.len() =>
            {
                known += 1;
                let place = rest_of(error.input, source, span);
                unreadable(place, "this event cannot be read", form_of(text))
            }
            Err(_) => unreadable(span, "this is no event of a session", EVENTS),
        };
        findings.push(finding);
        // A header is no event: what happens in the games is known all the same.
        if !["stake", "rules"].contains(&keyword_of(text).as_str()) {
            log.events.push(Spanned::new(Event::Unreadable, span));
        }
    }
    (known > 0).then_some(log)
}

fn unreadable(span: Span, message: &str, label: &str) -> Finding {
    Finding::new(&syntax::UNREADABLE_LINE, span, message, label)
}

/// From where a parser stopped to the end of the item, or the whole line if nothing is left.
fn rest_of(rest: &str, source: &Source, line: Span) -> Span {
    let rest = rest.trim_start();
    let item = rest.split(',').next().unwrap_or(rest).trim_end();
    if item.is_empty() {
        line
    } else {
        source.span(item)
    }
}

/// The line up to its comment.
fn without_comment(line: &str) -> &str {
    let starts_comment = |at: usize| at == 0 || line[..at].ends_with([' ', '\t']);
    let mut marks = line.match_indices('#').map(|(at, _)| at);
    marks
        .find(|&at| starts_comment(at))
        .map_or(line, |at| &line[..at])
}

/// The spelling of each event, for messages: the words before the colon, and how the line goes on.
const FORMS: [(&str, &str); 13] = [
    (
        "stake",
        "an amount and what it is counted in: `stake: 0.50 EUR`",
    ),
    (
        "rules",
        "rules with commas between them: `rules: jacoby, no beavers, cube limit 64`",
    ),
    (
        "rolls",
        "names with their dice: `rolls: Ayla 6, Burak 4, Ceren 2`",
    ),
    (
        "seats",
        "box, captain and queue: `seats: Ayla, Burak, Ceren`",
    ),
    (
        "automatic double",
        "the value at the most: `automatic double: to 2`",
    ),
    (
        "double",
        "who doubles, then what each says: `double: Ayla to 2, Burak takes, Ceren passes`",
    ),
    (
        "beaver",
        "who turns the cube, then what each says: `beaver: Burak to 4, Ceren agrees`",
    ),
    (
        "raccoon",
        "who turns the cube, then what each says: `raccoon: Ayla to 8, Burak takes`",
    ),
    (
        "result",
        "who wins what: `result: box wins gammon, 4 points`",
    ),
    (
        "settlement",
        "names with points: `settlement: Ayla +4, Burak -4`",
    ),
    ("total", "names with points: `total: Ayla +4, Burak -4`"),
    ("join", "one name: `join: Deniz`"),
    ("leave", "one name: `leave: Deniz`"),
];

/// What an event may be.
const EVENTS: &str = "events are seats, double, beaver, raccoon, automatic double, result, settlement, total, \
    rolls, join, leave and end";

/// What stands before the colon.
fn keyword_of(text: &str) -> String {
    text.split(':').next().unwrap_or(text).trim().to_lowercase()
}

/// How the event that a line starts with is written.
fn form_of(text: &str) -> &'static str {
    let word = keyword_of(text);
    let form = FORMS.iter().find(|(name, _)| word.starts_with(name));
    form.map_or("nothing follows here", |(_, form)| form)
}

/// A line as the grammar gives it.
#[derive(Debug, Clone, PartialEq)]
enum Written<'a> {
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
enum Agreed {
    Jacoby(bool),
    Beavers(bool),
    Raccoons(bool),
    Cube(bool),
    AutomaticDoubles(u32),
    CubeLimit(u32),
    BackgammonCounts(u32),
}

fn written(i: &str) -> IResult<&str, Written<'_>> {
    alt((header, turn, settled, seating)).parse(i)
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
    let amount = nom::bytes::complete::take_while1(|c: char| c.is_ascii_digit() || c == '.');
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
    let answers = nom::multi::many0(preceded(comma, answer));
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

/// Puts a line into the log, with the places of what is in it.
fn add(written: Written<'_>, span: Span, source: &Source, log: &mut Log, findings: &mut Findings) {
    let name = |text: &str| Name::new(text.to_owned(), source.span(text));
    let event = match written {
        Written::Stake(amount, unit) => return add_stake(amount, unit, span, log, findings),
        Written::Rules(rules) => {
            return rules
                .into_iter()
                .for_each(|rule| agree(rule, &mut log.rules));
        }
        Written::Rolls(rolls) => Event::Rolls(
            rolls
                .into_iter()
                .map(|(who, dice)| (name(who), dice))
                .collect(),
        ),
        Written::Seats(names) => Event::Seats(names.into_iter().map(name).collect()),
        Written::AutomaticDouble(to) => Event::AutomaticDouble { to },
        Written::Turn(kind, (by, to), answers) => {
            for (text, _) in answers
                .iter()
                .filter(|(_, said)| *said == Answer::Unreadable)
            {
                let label = "a name and takes, passes, agrees or refuses";
                findings.push(unreadable(source.span(text), "this is no answer", label));
            }
            Event::Turn(Turn {
                kind,
                by: name(by),
                to,
                answers: answers
                    .into_iter()
                    .map(|(who, said)| (name(who), said))
                    .collect(),
            })
        }
        Written::Result(outcome) => Event::Result(outcome),
        Written::Settlement(list) => Event::Settlement(
            list.into_iter()
                .map(|(who, points)| (name(who), points))
                .collect(),
        ),
        Written::Total(list) => Event::Total(
            list.into_iter()
                .map(|(who, points)| (name(who), points))
                .collect(),
        ),
        Written::Join(who) => Event::Join(name(who)),
        Written::Leave(who) => Event::Leave(name(who)),
        Written::End => Event::End,
    };
    log.events.push(Spanned::new(event, span));
}

/// Notes the stake. The first one counts.
pub(super) fn add_stake(
    amount: &str,
    unit: &str,
    span: Span,
    log: &mut Log,
    findings: &mut Findings,
) {
    let Some(stake) = Stake::new(amount, unit, span) else {
        let label = "up to six digits before the point and three behind it";
        findings.push(unreadable(span, "this is no stake", label));
        return;
    };
    match &log.stake {
        Some(first) => findings.push(
            Finding::new(
                &syntax::BAD_HEADER,
                span,
                "the stake is stated twice",
                "the first one counts",
            )
            .also(first.span, "stated here"),
        ),
        None => log.stake = Some(stake),
    }
}

fn agree(rule: Agreed, rules: &mut RuleOptions) {
    match rule {
        Agreed::Jacoby(on) => rules.jacoby = Some(on),
        Agreed::Beavers(on) => rules.beavers = Some(on),
        Agreed::Raccoons(on) => rules.raccoons = Some(on),
        Agreed::Cube(on) => rules.cube = Some(on),
        Agreed::AutomaticDoubles(number) => rules.automatic_doubles = Some(number),
        Agreed::CubeLimit(limit) => rules.cube_limit = Some(limit),
        Agreed::BackgammonCounts(counts) => rules.backgammon_counts = Some(counts),
    }
}
