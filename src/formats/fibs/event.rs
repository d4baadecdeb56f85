//! What the server says that a player does.

use nom::IResult;
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::character::complete::{char, one_of, space0, space1};
use nom::combinator::{opt, value};
use nom::multi::many1;
use nom::sequence::{preceded, separated_pair};

use crate::board::Roll;
use crate::formats::text::number;

/// A place in the numbers of the server, which are the same for both players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::formats) enum At {
    /// On the bar.
    Bar,
    /// On a point.
    Point(u8),
    /// Borne off.
    Off,
}

/// One checker's way.
pub(in crate::formats) type Step = (At, At);

/// Something that a player does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::formats) enum Event {
    Rolls(Roll),
    Moves(Vec<Step>),
    CannotMove,
    Doubles,
    Takes,
    Passes { points: Option<u32> },
    Resigns,
    Accepts { points: Option<u32> },
    Rejects,
    Wins { points: Option<u32> },
}

/// What the words behind a name say. `None`: nothing that belongs to the game.
pub(in crate::formats) fn event(words: &str) -> Option<Event> {
    let words = words.trim_end_matches([' ', '.']);
    let starts = |all: &[&str]| all.iter().any(|start| words.starts_with(start));
    let points = || {
        words
            .split([' ', '.'])
            .filter_map(|word| word.parse().ok())
            .next_back()
    };
    if let Ok(("", roll)) = rolls(words) {
        return Some(Event::Rolls(roll));
    }
    if let Some(moves) = ["moves ", "move "]
        .iter()
        .find_map(|w| words.strip_prefix(w))
    {
        return match steps(moves) {
            Ok((rest, steps)) if rest.trim().is_empty() => Some(Event::Moves(steps)),
            _ => None,
        };
    }
    Some(match words {
        "can't move" | "cannot move" => Event::CannotMove,
        "doubles" | "double" | "redoubles" => Event::Doubles,
        _ if starts(&["doubles. Type", "double. Please wait"]) => Event::Doubles,
        _ if starts(&[
            "accepts the double",
            "accept the double",
            "accepts the cube",
            "accept the cube",
        ]) =>
        {
            Event::Takes
        }
        _ if starts(&[
            "rejects the double",
            "reject the double",
            "refuses the cube",
            "refuse the cube",
            "gives up",
            "give up",
        ]) =>
        {
            Event::Passes { points: points() }
        }
        _ if starts(&[
            "wants to resign",
            "want to resign",
            "offers to resign",
            "offer to resign",
        ]) =>
        {
            Event::Resigns
        }
        _ if starts(&["accepts and wins", "accept and win"]) => Event::Accepts { points: points() },
        _ if starts(&["rejects", "reject"]) && !words.contains(':') => Event::Rejects,
        _ if starts(&["wins the game", "win the game", "wins a ", "win a "])
            || is_points(words) =>
        {
            Event::Wins { points: points() }
        }
        _ => return None,
    })
}

/// `wins 4 points`, but not `wins the 5 point match 5-0`.
fn is_points(words: &str) -> bool {
    let counted = words.strip_prefix("wins ").or(words.strip_prefix("win "));
    let counted = counted.and_then(|rest| rest.split_once(" point"));
    counted.is_some_and(|(number, _)| number.parse::<u32>().is_ok())
}

/// `rolls 3 and 1`.
fn rolls(i: &str) -> IResult<&str, Roll> {
    let verb = alt((tag("rolls "), tag("rolled "), tag("roll ")));
    preceded(verb, two_dice).parse(i)
}

/// `3 and 1`.
pub(super) fn two_dice(i: &str) -> IResult<&str, Roll> {
    let dice = separated_pair(
        one_of("123456"),
        alt((tag(" and "), tag(" "))),
        one_of("123456"),
    );
    nom::combinator::map_opt(dice, |(a, b)| {
        let pips = |die: char| die.to_digit(10).and_then(|pips| u8::try_from(pips).ok());
        Roll::new(pips(a)?, pips(b)?)
    })
    .parse(i)
}

/// `bar-21 8-5 4-off`.
pub(in crate::formats) fn steps(i: &str) -> IResult<&str, Vec<Step>> {
    let step = separated_pair(place, char('-'), place);
    many1(preceded(
        space0,
        (step, opt(char('*'))).map(|(step, _)| step),
    ))
    .parse(i)
}

fn place(i: &str) -> IResult<&str, At> {
    let point = nom::combinator::map_opt(number, |point| {
        let point = u8::try_from(point).ok()?;
        match point {
            1..=24 => Some(At::Point(point)),
            0 | 25 => Some(At::Off),
            _ => None,
        }
    });
    alt((
        value(At::Bar, tag("bar")),
        value(At::Off, tag("off")),
        point,
    ))
    .parse(i)
}

/// Whether a way goes up in the numbers of the server. `None`: it does not tell.
pub(in crate::formats) fn ascends(&(from, to): &Step) -> Option<bool> {
    match (from, to) {
        (At::Point(from), At::Point(to)) if from != to => Some(to > from),
        (At::Bar, At::Point(to)) if to <= 6 => Some(true),
        (At::Bar, At::Point(to)) if to >= 19 => Some(false),
        (At::Point(from), At::Off) if from >= 19 => Some(true),
        (At::Point(from), At::Off) if from <= 6 => Some(false),
        _ => None,
    }
}

/// The ways as a play in the numbering of the player. `None`: more than a play can hold.
pub(in crate::formats) fn play(steps: &[Step], ascending: bool) -> Option<crate::board::Play> {
    use crate::board::{Move, Place, Play};
    let own = |at: At| match at {
        At::Bar => Some(Place::BAR),
        At::Off => Some(Place::OFF),
        At::Point(point) if ascending => Place::new(25 - point),
        At::Point(point) => Place::new(point),
    };
    let mut play = Play::EMPTY;
    for &(from, to) in steps {
        let moved = Move::new(own(from)?, own(to)?, false);
        if !play.push(moved) {
            return None;
        }
    }
    Some(play)
}

/// `The dice have been set to 6 and 1.`, as the console of GNU Backgammon says.
pub(super) fn dice_set(i: &str) -> IResult<&str, Roll> {
    preceded((tag("The dice have been set to"), space1), two_dice).parse(i)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_the_server_are_known() {
        let roll = Roll::new(3, 1).expect("a roll");
        for (words, expected) in [
            ("rolls 3 and 1.", Some(Event::Rolls(roll))),
            ("roll 3 and 1.", Some(Event::Rolls(roll))),
            ("rolls 3 and 9.", None),
            (
                "moves bar-3 24-off .",
                Some(Event::Moves(vec![
                    (At::Bar, At::Point(3)),
                    (At::Point(24), At::Off),
                ])),
            ),
            ("moves around", None),
            ("can't move.", Some(Event::CannotMove)),
            ("doubles. Type 'accept' or 'reject'.", Some(Event::Doubles)),
            ("accepts the double. The cube shows 2.", Some(Event::Takes)),
            (
                "gives up. You win 2 points.",
                Some(Event::Passes { points: Some(2) }),
            ),
            (
                "refuses the cube and gives up 1 point.",
                Some(Event::Passes { points: Some(1) }),
            ),
            (
                "accepts and wins 4 points.",
                Some(Event::Accepts { points: Some(4) }),
            ),
            ("rejects. The game continues.", Some(Event::Rejects)),
            (
                "wins the game and gets 1 point. Sorry.",
                Some(Event::Wins { points: Some(1) }),
            ),
            (
                "wins a single game and 1 point.",
                Some(Event::Wins { points: Some(1) }),
            ),
            ("wins the 5 point match 5-0 .", None),
            ("says: wins 3 points", None),
        ] {
            assert_eq!(event(words), expected, "{words}");
        }
    }

    #[test]
    fn ways_tell_their_direction() {
        assert_eq!(ascends(&(At::Point(8), At::Point(5))), Some(false));
        assert_eq!(ascends(&(At::Bar, At::Point(3))), Some(true));
        assert_eq!(ascends(&(At::Bar, At::Off)), None);
    }
}
