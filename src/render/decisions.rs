//! Tables with one row a decision, for people who build data sets: CSV, one JSON object a line, or one XGID a
//! line.

use std::io::{self, Write};

use serde::Serialize;

use super::xgid;
use crate::board::{Length, Player, Plays, Position};
use crate::diagnostic::Situation;
use crate::formats::ids::position_id;
use crate::report::{Ply, ShownGame, ShownMatch};

/// A decision: a play or an action of the cube, with what was known before it and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Decision {
    /// The match in the input, from 1.
    #[serde(rename = "match")]
    pub match_number: u32,
    /// The game in the match, from 1.
    pub game: u32,
    /// The action in the game, from 1.
    pub ply: u32,
    /// Who decided: 0 or 1.
    pub player: usize,
    /// The name of that player.
    pub name: String,
    /// `play`, `no-play`, `unrecorded`, `double`, `take`, `pass`, `beaver` or `raccoon`.
    pub action: String,
    /// The dice.
    pub roll: Option<String>,
    /// The play.
    pub play: Option<String>,
    /// How many plays were legal.
    pub legal_count: Option<usize>,
    /// Whether the action was legal.
    pub legal: Option<bool>,
    /// The position before it, as an XGID.
    pub xgid_before: Option<String>,
    /// The position before it, as a position ID of who decides.
    pub position_id_before: Option<String>,
    /// The position after it, as an XGID before the opponent's roll.
    pub xgid_after: Option<String>,
    /// The position after it, as a position ID of the opponent.
    pub position_id_after: Option<String>,
    /// The length of the match; 0 for money play.
    pub match_length: Option<u32>,
    /// The computed score of who decides and of the opponent, before the game.
    pub score: u32,
    /// The opponent's.
    pub opponent_score: u32,
    /// How many points each still needs; null in money play.
    pub away: Option<u32>,
    /// The opponent's.
    pub opponent_away: Option<u32>,
    /// The value of the cube.
    pub cube_value: Option<u32>,
    /// Who owns the cube: 0 or 1; null in the middle.
    pub cube_owner: Option<usize>,
    /// Whether it is the Crawford game.
    pub crawford: bool,
    /// Who won the game: 0 or 1.
    pub winner: Option<usize>,
    /// The points won, as recomputed.
    pub points: Option<u32>,
    /// `single`, `gammon` or `backgammon`.
    pub result: Option<String>,
    /// How the game ended.
    pub ended_by: &'static str,
}

/// The decisions of a match, in order.
pub fn decisions(number: u32, shown: &ShownMatch) -> Vec<Decision> {
    let mut found = Vec::new();
    for (game_number, game) in (1u32..).zip(&shown.games) {
        for (ply_number, ply) in (1u32..).zip(&game.plies) {
            let is_decision = matches!(
                ply.action,
                "play"
                    | "no-play"
                    | "unrecorded"
                    | "double"
                    | "take"
                    | "pass"
                    | "beaver"
                    | "raccoon"
            );
            if is_decision {
                found.push(decision(
                    [number, game_number, ply_number],
                    shown,
                    game,
                    ply,
                ));
            }
        }
    }
    found
}

fn decision(numbers: [u32; 3], shown: &ShownMatch, game: &ShownGame, ply: &Ply) -> Decision {
    let player = ply.player;
    let summary = &game.summary;
    let legal_count = ply.before.as_ref().zip(ply.roll).map(|(before, roll)| {
        let mut plays = Plays::new();
        before
            .variant
            .legal_plays(&before.position, player, roll, &mut plays);
        plays.len()
    });
    let after = ply
        .before
        .as_ref()
        .zip(ply.after)
        .map(|(before, position)| Situation {
            position,
            turn: Some(if ply.roll.is_some() { !player } else { player }),
            roll: None,
            doubled: ply.cube_value.is_some(),
            ..*before
        });
    let length = shown.length.map(|length| length.points().unwrap_or(0));
    let away = |player: Player| match shown.length {
        Some(Length::Points(points)) => Some(points.saturating_sub(summary.before[player])),
        _ => None,
    };
    let cube = ply.before.as_ref().map(|before| before.cube);
    let id = |position: &Position, turn: Player| position_id(position, turn);
    Decision {
        match_number: numbers[0],
        game: numbers[1],
        ply: numbers[2],
        player: player.index(),
        name: shown.names[player].clone(),
        action: ply.action.to_owned(),
        roll: ply.roll.map(|roll| roll.to_string()),
        play: ply.play.clone(),
        legal_count,
        legal: ply.legal,
        xgid_before: ply.before.as_ref().and_then(xgid),
        position_id_before: ply
            .before
            .as_ref()
            .map(|before| id(&before.position, player)),
        xgid_after: after.as_ref().and_then(xgid),
        position_id_after: after.as_ref().map(|after| id(&after.position, !player)),
        match_length: length,
        score: summary.before[player],
        opponent_score: summary.before[!player],
        away: away(player),
        opponent_away: away(!player),
        cube_value: cube.map(|cube| cube.value),
        cube_owner: cube.and_then(|cube| cube.owner).map(Player::index),
        crawford: summary.crawford,
        winner: summary.winner.map(Player::index),
        points: summary.points,
        result: summary.win.map(|win| win.name().to_owned()),
        ended_by: summary.ended_by.name(),
    }
}

/// The columns of the CSV table.
const COLUMNS: [&str; 26] = [
    "match",
    "game",
    "ply",
    "player",
    "name",
    "action",
    "roll",
    "play",
    "legal_count",
    "legal",
    "xgid_before",
    "position_id_before",
    "xgid_after",
    "position_id_after",
    "match_length",
    "score",
    "opponent_score",
    "away",
    "opponent_away",
    "cube_value",
    "cube_owner",
    "crawford",
    "winner",
    "points",
    "result",
    "ended_by",
];

/// Writes decisions as CSV; with the line of column names if `header` says so.
///
/// # Errors
///
/// Those of `out`.
pub fn csv(decisions: &[Decision], header: bool, out: &mut dyn Write) -> io::Result<()> {
    let columns = &COLUMNS;
    if header {
        writeln!(out, "{}", columns.join(","))?;
    }
    for decision in decisions {
        let value = serde_json::to_value(decision)?;
        let cells = columns.iter().map(|column| match &value[*column] {
            serde_json::Value::Null => String::new(),
            serde_json::Value::String(text) => cell(text),
            other => other.to_string(),
        });
        writeln!(out, "{}", cells.collect::<Vec<_>>().join(","))?;
    }
    Ok(())
}

/// A cell of CSV: quoted where it must be, and with an apostrophe before what a spreadsheet would take for a
/// formula.
fn cell(text: &str) -> String {
    let text = super::harmless(text);
    let formula = text.starts_with(['=', '+', '-', '@', '\t']);
    let guarded = if formula {
        format!("'{text}")
    } else {
        text.into_owned()
    };
    if guarded.contains([',', '"', '\n', '\r']) || guarded.starts_with(' ') {
        return format!("\"{}\"", guarded.replace('"', "\"\""));
    }
    guarded
}

/// Writes decisions as one JSON object a line.
///
/// # Errors
///
/// Those of `out`.
pub fn ndjson(decisions: &[Decision], out: &mut dyn Write) -> io::Result<()> {
    for decision in decisions {
        writeln!(out, "{}", crate::escape::json(decision)?)?;
    }
    Ok(())
}

/// Writes one XGID a decision.
///
/// # Errors
///
/// Those of `out`.
pub fn ids(decisions: &[Decision], out: &mut dyn Write) -> io::Result<()> {
    for decision in decisions {
        if let Some(xgid) = &decision.xgid_before {
            writeln!(out, "{xgid}")?;
        }
    }
    Ok(())
}
