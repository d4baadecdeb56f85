//! Two records of a match, compared, for people.

use std::io::{self, Write};

use super::board::draw;
use super::diagnostics::scene;
use super::harmless;
use crate::diff::{Difference, GameDiff, MatchDiff};
use crate::report::{Ply, ShownGame, ShownMatch};
use crate::source::Source;

/// A record that is compared: what it is called, its text, and the match.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// The text.
    pub source: &'a Source,
    /// The match.
    pub shown: &'a ShownMatch,
}

/// Writes what differs; nothing if nothing does.
///
/// # Errors
///
/// Those of `out`.
pub fn human(diff: &MatchDiff, sides: [Side<'_>; 2], out: &mut dyn Write) -> io::Result<()> {
    let [one, two] = sides;
    if diff.is_equal() {
        return Ok(());
    }
    let name = |side: Side<'_>| harmless(side.source.name()).into_owned();
    writeln!(out, "--- {}\n+++ {}", name(one), name(two))?;
    if diff.is_exchanged {
        writeln!(out, "the players stand in the other order")?;
    }
    if diff.has_other_length {
        let length = |side: Side<'_>| match side.shown.length.map(|length| length.points()) {
            Some(Some(points)) => format!("match to {points}"),
            Some(None) => "money session".to_owned(),
            None => "length not stated".to_owned(),
        };
        writeln!(out, "- {}\n+ {}", length(one), length(two))?;
    }
    for game in &diff.games {
        match game {
            GameDiff::First(at) => writeln!(out, "\n- game {}: only here", at + 1)?,
            GameDiff::Second(at) => writeln!(out, "\n+ game {}: only here", at + 1)?,
            GameDiff::Both {
                difference: None,
                has_other_result: false,
                ..
            } => {}
            GameDiff::Both {
                first,
                second,
                difference,
                has_other_result,
            } => {
                let numbers = match first == second {
                    true => format!("game {}", first + 1),
                    false => format!("game {} and game {}", first + 1, second + 1),
                };
                writeln!(out, "\n{numbers}")?;
                let games = [&one.shown.games[*first], &two.shown.games[*second]];
                if let Some(difference) = difference {
                    one_difference(difference, sides, games, out)?;
                }
                if *has_other_result {
                    for (sign, side, game) in [("-", one, games[0]), ("+", two, games[1])] {
                        writeln!(out, "{sign} {}", result(side, game))?;
                    }
                }
            }
        }
    }
    Ok(())
}

fn one_difference(
    difference: &Difference,
    [one, two]: [Side<'_>; 2],
    [a, b]: [&ShownGame; 2],
    out: &mut dyn Write,
) -> io::Result<()> {
    let at = [a.plies.get(difference.at.0), b.plies.get(difference.at.1)];
    let board = at.into_iter().flatten().find_map(|ply| ply.before.as_ref());
    if let Some(board) = board {
        let mut scene = scene(board);
        scene.roll = None;
        scene.turn = None;
        scene.names = one
            .shown
            .names
            .as_ref()
            .map(|name| harmless(name).into_owned());
        if at[0].is_none_or(|ply| ply.before.is_none()) {
            scene.names = two
                .shown
                .names
                .as_ref()
                .map(|name| harmless(name).into_owned());
        }
        write!(out, "{}", draw(&scene))?;
    }
    let action = |side: Side<'_>, ply: Option<&Ply>| match ply {
        Some(ply) => {
            let line = side.source.line_column(ply.span.start).line;
            format!("line {line}: {}", words(side, ply))
        }
        None => "the record of the game ends here".to_owned(),
    };
    writeln!(out, "- {}", action(one, at[0]))?;
    writeln!(out, "+ {}", action(two, at[1]))?;
    let differ = match difference.actions {
        1 => "one action differs".to_owned(),
        actions => format!("{actions} actions differ"),
    };
    let Some(meeting) = difference.meets else {
        return writeln!(out, "{differ}; they do not meet again");
    };
    let line = |side: Side<'_>, game: &ShownGame, at: usize| {
        let start = game.plies.get(at).map_or(0, |ply| ply.span.start);
        side.source.line_column(start).line
    };
    let lines = format!(
        "in line {} and line {}",
        line(one, a, meeting.at.0),
        line(two, b, meeting.at.1)
    );
    match meeting.same_position {
        Some(true) => writeln!(out, "{differ}; they meet again {lines}"),
        Some(false) => writeln!(
            out,
            "{differ}; they say the same again {lines}, from another position"
        ),
        None => writeln!(
            out,
            "{differ}; they say the same again {lines}, where a position is not known"
        ),
    }
}

/// `Ayla 31: 8/5 6/5`.
fn words(side: Side<'_>, ply: &Ply) -> String {
    let name = harmless(&side.shown.names[ply.player]).into_owned();
    match (ply.roll, &ply.play) {
        (Some(roll), Some(play)) => format!("{name} {roll}: {}", harmless(play)),
        (Some(roll), None) => format!("{name} {roll}: {}", ply.action),
        (None, _) => match ply.cube_value {
            Some(value) => format!("{name}: {} to {value}", ply.action),
            None => format!("{name}: {}", ply.action),
        },
    }
}

/// `0-0, Ayla wins 2`.
fn result(side: Side<'_>, game: &ShownGame) -> String {
    let summary = &game.summary;
    let before = format!("score {}-{}", summary.before.one, summary.before.two);
    match (summary.winner, summary.points) {
        (Some(winner), Some(points)) => {
            let name = harmless(&side.shown.names[winner]).into_owned();
            format!("{before}, {name} wins {points}")
        }
        (Some(winner), None) => {
            format!("{before}, {} wins", harmless(&side.shown.names[winner]))
        }
        _ => format!("{before}, no result"),
    }
}
