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
    writeln!(out, "{} - {}, {length}", names.one, names.two)?;
    let is_money = shown.length == Some(Length::Money);
    writeln!(out, "rules {}\n", rules::sentence(&shown.rules, is_money))?;
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
        writeln!(out, "{number:>4}. {}\n", sentence(ply, names))?;
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
    write!(out, "{}", draw(&drawn))?;
    match xgid(situation) {
        Some(xgid) => writeln!(out, "  {xgid}"),
        None => Ok(()),
    }
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
    let who = name(names, ply.player);
    let roll = ply
        .roll
        .map(|roll| roll.to_string())
        .unwrap_or_else(|| "??".to_owned());
    let play = ply.play.as_deref().map(harmless).unwrap_or_default();
    let cube = ply
        .cube_value
        .map(|value| format!(" to {value}"))
        .unwrap_or_default();
    let said = match ply.action {
        "play" => format!("{who} plays {roll}: {play}"),
        "no-play" => format!("{who} rolls {roll} and cannot move"),
        "unrecorded" => format!("{who} rolls {roll}; no play is written"),
        "double" => format!("{who} doubles{cube}"),
        "beaver" => format!("{who} beavers{cube}"),
        "raccoon" => format!("{who} raccoons{cube}"),
        "take" => format!("{who} takes"),
        "pass" => format!("{who} passes"),
        "resign" => format!("{who}: resignation"),
        other => format!("{who}: {other}"),
    };
    let bank = match ply.bank {
        Some(bank) => format!("  (bank {})", minutes(bank)),
        None => String::new(),
    };
    let verdict = if ply.legal == Some(false) {
        "  (not as the rules allow)"
    } else {
        ""
    };
    let comment = match &ply.comment {
        Some(comment) => format!("\n      {}", harmless(&comment.replace('\n', " "))),
        None => String::new(),
    };
    let analysis = match said_of(ply) {
        Some(said) => format!("\n      the file's analysis: {}", harmless(&said)),
        None => String::new(),
    };
    format!("{said}{bank}{verdict}{comment}{analysis}")
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
