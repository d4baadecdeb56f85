//! A transcript drawn: boards and moves.

use std::io::{self, Write};

use super::board::draw;
use super::diagnostics::scene;
use super::rules;
use super::{harmless, xgid};
use crate::board::{ByPlayer, Length, Player};
use crate::diagnostic::Situation;
use crate::record::analysis;
use crate::report::{Ply, ShownGame, ShownMatch};

/// Which part is shown.
#[derive(Debug, Clone, Copy, Default)]
pub struct Part {
    /// The game in its match, from 1.
    pub game: Option<u32>,
    /// The action in its game, from 1.
    pub ply: Option<u32>,
}

/// Writes the games of a match with the board before every action. Returns whether anything was shown.
///
/// # Errors
///
/// Those of `out`.
pub fn show(shown: &ShownMatch, part: Part, out: &mut dyn Write) -> io::Result<bool> {
    let names = shown.names.as_ref().map(|name| harmless(name).into_owned());
    let length = match shown.length {
        Some(Length::Points(points)) => format!("match to {points}"),
        Some(Length::Money) => "money session".to_owned(),
        None => "length not stated".to_owned(),
    };
    let is_money = shown.length == Some(Length::Money);
    let rules = rules::sentence(&shown.rules, is_money);
    let head = [
        &names.one, " - ", &names.two, ", ", &length, "\nrules ", &rules, "\n\n",
    ];
    out.write_all(head.concat().as_bytes())?;
    let mut any = false;
    for (number, game) in (1u32..).zip(&shown.games) {
        if part.game.is_none_or(|wanted| wanted == number) {
            any |= show_game(number, game, &names, part.ply, out)?;
        }
    }
    Ok(any)
}

fn show_game(
    number: u32,
    game: &ShownGame,
    names: &ByPlayer<String>,
    wanted: Option<u32>,
    out: &mut dyn Write,
) -> io::Result<bool> {
    let before = game.summary.before;
    let crawford = if game.summary.crawford {
        " (Crawford)"
    } else {
        ""
    };
    let number = game.number.unwrap_or(number);
    writeln!(
        out,
        "game {number}{crawford}, score {}-{}\n",
        before.one, before.two
    )?;
    let mut any = false;
    for (number, ply) in (1u32..).zip(&game.plies) {
        if wanted.is_some_and(|wanted| wanted != number) {
            continue;
        }
        any = true;
        if let Some(before) = &ply.before {
            board(before, names, out)?;
        }
        let number = format!("{number:>4}. ");
        for text in [&number, &sentence(ply, names), "\n\n"] {
            out.write_all(text.as_bytes())?;
        }
    }
    if wanted.is_none() {
        any = true;
        if game.plies.is_empty() {
            board(&game.start, names, out)?;
        } else if let Some(position) = game.summary.last {
            let last = Situation {
                position,
                cube: game.summary.cube,
                turn: None,
                roll: None,
                ..game.start
            };
            board(&last, names, out)?;
        }
        let end = match (game.summary.winner, game.summary.points) {
            (Some(winner), Some(points)) => {
                format!(
                    "{} wins {points} ({})",
                    name(names, winner),
                    game.summary.ended_by.name()
                )
            }
            _ => "unfinished".to_owned(),
        };
        writeln!(out, "      {end}\n")?;
    }
    Ok(any)
}

fn board(situation: &Situation, names: &ByPlayer<String>, out: &mut dyn Write) -> io::Result<()> {
    let mut drawn = scene(situation);
    drawn.names = names.clone();
    let mut text = draw(&drawn);
    if let Some(xgid) = xgid(situation) {
        for part in ["  ", &xgid, "\n"] {
            text.push_str(part);
        }
    }
    out.write_all(text.as_bytes())
}

fn name(names: &ByPlayer<String>, player: Player) -> &str {
    match (names[player].as_str(), player) {
        ("", Player::One) => "the left player",
        ("", Player::Two) => "the right player",
        (name, _) => name,
    }
}

/// The action in words: `Alice plays 31: 8/5 6/5`.
fn sentence(ply: &Ply, names: &ByPlayer<String>) -> String {
    let mut roll = String::new();
    match ply.roll {
        Some(known) => known.write_to(&mut roll),
        None => roll.push_str("??"),
    }
    let play = ply.play.as_deref().map(harmless).unwrap_or_default();
    let mut said = name(names, ply.player).to_owned();
    let words = match ply.action {
        "play" => [" plays ", &roll, ": ", &play],
        "no-play" => [" rolls ", &roll, " and cannot move", ""],
        "unrecorded" => [" rolls ", &roll, "; no play is written", ""],
        "double" => [" doubles", "", "", ""],
        "beaver" => [" beavers", "", "", ""],
        "raccoon" => [" raccoons", "", "", ""],
        "take" => [" takes", "", "", ""],
        "pass" => [" passes", "", "", ""],
        "resign" => [": resignation", "", "", ""],
        other => [": ", other, "", ""],
    };
    words.iter().for_each(|word| said.push_str(word));
    if let (Some(value), "double" | "beaver" | "raccoon") = (ply.cube_value, ply.action) {
        said.push_str(&format!(" to {value}"));
    }
    if let Some(bank) = ply.bank {
        said.push_str(&format!("  (bank {})", minutes(bank)));
    }
    if ply.legal == Some(false) {
        said.push_str("  (not as the rules allow)");
    }
    if let Some(comment) = &ply.comment {
        said.push_str("\n      ");
        said.push_str(&harmless(&comment.replace('\n', " ")));
    }
    if let Some(analysis) = said_of(ply) {
        said.push_str("\n      the file's analysis: ");
        said.push_str(&harmless(&analysis));
    }
    said
}

/// A time as a clock shows it: `1:42`, `-0:05`.
fn minutes(seconds: f64) -> String {
    let sign = if seconds < 0.0 { "-" } else { "" };
    let whole = seconds.abs().round() as u64;
    format!("{sign}{}:{:02}", whole / 60, whole % 60)
}

/// What the file's own analysis says of an action, as far as it has a usual name: errors, luck, what would
/// have been right.
fn said_of(ply: &Ply) -> Option<String> {
    if ply.analysis.is_empty() {
        return None;
    }
    let value = |name: &str| {
        let mut said = ply.analysis.iter();
        said.find(|(other, _)| other == name)
            .map(|(_, value)| value.as_str())
    };
    let words = [
        ("cube error", analysis::CUBE_ERROR),
        ("right", analysis::CUBE_VERDICT),
        ("error", analysis::TAKE_ERROR),
        ("error", analysis::ERROR),
        ("luck", analysis::LUCK),
    ];
    let mut parts: Vec<String> = words
        .into_iter()
        .filter_map(|(word, name)| Some(format!("{word} {}", value(name)?)))
        .collect();
    let is_best = value(analysis::ERROR).is_none_or(|error| error.parse() == Ok(0.0));
    if let Some(best) = value(analysis::CANDIDATE).filter(|_| !is_best) {
        parts.push(format!("best {best}"));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}
