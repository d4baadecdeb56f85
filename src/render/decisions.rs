//! Tables with one row a decision, for people who build data sets: CSV, one JSON object a line, or one XGID a
//! line.

use std::io::{self, Write};

use serde::Serialize;

use super::xgid;
use crate::board::{Length, Player, Position};
use crate::diagnostic::Situation;
use crate::formats::ids::position_id;
use crate::report::{Ply, ShownGame, ShownMatch};

/// A decision: a play or an action of the cube, with what was known before it and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Decision<'a> {
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
    pub name: &'a str,
    /// `play`, `no-play`, `unrecorded`, `double`, `take`, `pass`, `beaver` or `raccoon`.
    pub action: &'static str,
    /// The dice.
    pub roll: Option<String>,
    /// The play.
    pub play: Option<&'a str>,
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
    pub result: Option<&'static str>,
    /// How the game ended.
    pub ended_by: &'static str,
}

/// The decisions of a match, in order.
pub fn decisions(number: u32, shown: &ShownMatch) -> Vec<Decision<'_>> {
    let mut found = Vec::new();
    for (game_number, game) in (1u32..).zip(&shown.games) {
        for (ply_number, ply) in (1u32..).zip(&game.plies) {
            if is_decision(ply) {
                let numbers = [number, game_number, ply_number];
                found.push(decision(numbers, shown, game, ply));
            }
        }
    }
    found
}

/// Whether an action is a play or one of the cube.
fn is_decision(ply: &Ply) -> bool {
    matches!(
        ply.action,
        "play" | "no-play" | "unrecorded" | "double" | "take" | "pass" | "beaver" | "raccoon"
    )
}

fn decision<'a>(
    numbers: [u32; 3],
    shown: &'a ShownMatch,
    game: &ShownGame,
    ply: &'a Ply,
) -> Decision<'a> {
    let player = ply.player;
    let summary = &game.summary;
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
        name: &shown.names[player],
        action: ply.action,
        roll: ply.roll.map(|roll| roll.to_string()),
        play: ply.play.as_deref(),
        legal_count: ply.legal_plays,
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
        result: summary.win.map(|win| win.name()),
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

/// What stands in a cell of CSV.
#[derive(Debug, Clone, Copy)]
enum Cell<'a> {
    Empty,
    Number(u64),
    Flag(bool),
    Text(&'a str),
}

impl From<u32> for Cell<'_> {
    fn from(number: u32) -> Self {
        Cell::Number(number.into())
    }
}

impl From<usize> for Cell<'_> {
    fn from(number: usize) -> Self {
        Cell::Number(number as u64)
    }
}

impl From<bool> for Cell<'_> {
    fn from(flag: bool) -> Self {
        Cell::Flag(flag)
    }
}

impl<'a> From<&'a str> for Cell<'a> {
    fn from(text: &'a str) -> Self {
        Cell::Text(text)
    }
}

impl<'a, T: Into<Cell<'a>>> From<Option<T>> for Cell<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Cell::Empty, T::into)
    }
}

impl Decision<'_> {
    /// What stands in each of the [`COLUMNS`].
    fn cells(&self) -> [Cell<'_>; COLUMNS.len()] {
        [
            self.match_number.into(),
            self.game.into(),
            self.ply.into(),
            self.player.into(),
            self.name.into(),
            self.action.into(),
            self.roll.as_deref().into(),
            self.play.into(),
            self.legal_count.into(),
            self.legal.into(),
            self.xgid_before.as_deref().into(),
            self.position_id_before.as_deref().into(),
            self.xgid_after.as_deref().into(),
            self.position_id_after.as_deref().into(),
            self.match_length.into(),
            self.score.into(),
            self.opponent_score.into(),
            self.away.into(),
            self.opponent_away.into(),
            self.cube_value.into(),
            self.cube_owner.into(),
            self.crawford.into(),
            self.winner.into(),
            self.points.into(),
            self.result.into(),
            self.ended_by.into(),
        ]
    }
}

/// Writes decisions as CSV; with the line of column names if `header` says so.
///
/// # Errors
///
/// Those of `out`.
pub fn csv(decisions: &[Decision<'_>], header: bool, out: &mut dyn Write) -> io::Result<()> {
    if header {
        writeln!(out, "{}", COLUMNS.join(","))?;
    }
    let mut line = String::new();
    let mut digits = itoa::Buffer::new();
    for decision in decisions {
        line.clear();
        for (column, cell) in decision.cells().into_iter().enumerate() {
            if column > 0 {
                line.push(',');
            }
            match cell {
                Cell::Empty => {}
                Cell::Number(number) => line.push_str(digits.format(number)),
                Cell::Flag(flag) => line.push_str(if flag { "true" } else { "false" }),
                Cell::Text(text) => push_cell(&mut line, text),
            }
        }
        line.push('\n');
        out.write_all(line.as_bytes())?;
    }
    Ok(())
}

/// A cell of CSV: quoted where it must be, and with an apostrophe before what a spreadsheet would take for a
/// formula.
fn push_cell(line: &mut String, text: &str) {
    // What nearly all cells are: nothing in them says anything to whoever reads the table.
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~') & (byte != b'"') & (byte != b',');
    let are_plain = text.bytes().fold(true, |are, byte| are & is_plain(byte));
    if are_plain && !text.starts_with([' ', '=', '+', '-', '@']) {
        line.push_str(text);
        return;
    }
    let text = super::harmless(text);
    let formula = text.starts_with(['=', '+', '-', '@', '\t']);
    let quoted = text.contains([',', '"', '\n', '\r']) || !formula && text.starts_with(' ');
    if quoted {
        line.push('"');
    }
    if formula {
        line.push('\'');
    }
    match quoted && text.contains('"') {
        true => line.push_str(&text.replace('"', "\"\"")),
        false => line.push_str(&text),
    }
    if quoted {
        line.push('"');
    }
}

/// Writes decisions as one JSON object a line.
///
/// # Errors
///
/// Those of `out`.
pub fn ndjson(decisions: &[Decision<'_>], out: &mut dyn Write) -> io::Result<()> {
    let mut line = Vec::new();
    for decision in decisions {
        line.clear();
        crate::escape::write_json(&mut line, decision)?;
        line.push(b'\n');
        out.write_all(&line)?;
    }
    Ok(())
}

/// Writes the XGID before each decision of a match.
///
/// # Errors
///
/// Those of `out`.
pub fn ids(shown: &ShownMatch, out: &mut dyn Write) -> io::Result<()> {
    let plies = shown.games.iter().flat_map(|game| &game.plies);
    let decisions = plies.filter(|ply| is_decision(ply));
    for before in decisions.filter_map(|ply| ply.before.as_ref()) {
        if let Some(mut line) = xgid(before) {
            line.push('\n');
            out.write_all(line.as_bytes())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{CheckOptions, show};
    use crate::source::Source;

    #[test]
    fn the_table_says_what_the_json_says() {
        let text = " 5 point match\n\n Game 1\n =Ann : 1   B, \"b\" : 0\n  1) 31: 8/5 6/5   42: 8/4 6/4\n  \
                    2)  Doubles => 2   Takes\n  3) 65: 24/13   99: 8/1\n  4) 52: ????\n      Wins 2 points\n";
        let source = Source::new("x.mat", text.into(), None).expect("a source");
        let (_, matches) = show(&source, &CheckOptions::default()).expect("a match");
        let decisions = decisions(1, &matches[0]);
        assert_eq!(decisions.len(), 7);
        for decision in &decisions {
            let json = serde_json::to_value(decision).expect("JSON");
            let fields = json.as_object().expect("an object");
            assert_eq!(fields.len(), COLUMNS.len());
            for (column, cell) in COLUMNS.iter().zip(decision.cells()) {
                let cell = match cell {
                    Cell::Empty => serde_json::Value::Null,
                    Cell::Number(number) => number.into(),
                    Cell::Flag(flag) => flag.into(),
                    Cell::Text(text) => text.into(),
                };
                assert_eq!(fields[*column], cell, "{column}");
            }
        }
        let mut table = Vec::new();
        csv(&decisions[..2], false, &mut table).expect("a table");
        let table = String::from_utf8(table).expect("UTF-8");
        assert!(
            table.starts_with("1,1,1,0,'=Ann,play,31,8/5 6/5,"),
            "{table}"
        );
        assert!(
            table.contains("\n1,1,2,1,\"B, \"\"b\"\"\",play,42,"),
            "{table}"
        );
    }
}
