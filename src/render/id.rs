//! A position identifier as JSON or for a reader.

use std::io::{self, Write};

use serde::Serialize;

use super::board::{Scene, draw};
use super::harmless;
use crate::board::{ByPlayer, Player};
use crate::formats::ids::{Decoded, IdFault, IdState, Kind, Pending, detect, encode};

/// One identifier as `tawla id --format json` prints it. Players are 0 and 1; what the identifier does not
/// say is null.
#[derive(Debug, Serialize)]
struct IdReport<'a> {
    input: &'a str,
    kind: Option<&'static str>,
    valid: bool,
    faults: Vec<FaultReport<'a>>,
    /// Seen by the player on roll: index 0 the opponent's bar, negative; 25 the own bar.
    board: Option<[i8; 26]>,
    turn: Option<usize>,
    /// Who has to decide.
    to_act: Option<usize>,
    dice: Option<[u8; 2]>,
    /// What waits for an answer: `double`, `beaver`, `raccoon` or `resignation`.
    pending: Option<&'static str>,
    cube_value: Option<u32>,
    cube_owner: Option<usize>,
    max_cube: Option<u32>,
    match_length: Option<u32>,
    score: Option<[u32; 2]>,
    is_crawford: Option<bool>,
    is_post_crawford: Option<bool>,
    jacoby: Option<bool>,
    beavers: Option<bool>,
    players: Option<[&'a str; 2]>,
    pips: Option<[u32; 2]>,
    ids: Ids,
}

#[derive(Debug, Serialize)]
struct FaultReport<'a> {
    level: &'static str,
    message: &'a str,
    column: Option<u32>,
}

/// The same state as every kind that can hold it.
#[derive(Debug, Default, Serialize)]
struct Ids {
    xgid: Option<String>,
    position_id: Option<String>,
    match_id: Option<String>,
    gnubgid: Option<String>,
    ogid: Option<String>,
    fibs: Option<String>,
    snowie: Option<String>,
}

impl Ids {
    fn of(state: &IdState) -> Ids {
        let id = |kind| encode(kind, state).ok();
        Ids {
            xgid: id(Kind::Xgid),
            position_id: id(Kind::PositionId),
            match_id: id(Kind::MatchId),
            gnubgid: id(Kind::GnubgId),
            ogid: id(Kind::Ogid),
            fibs: id(Kind::Fibs),
            snowie: id(Kind::Snowie),
        }
    }
}

fn faults(faults: &[IdFault]) -> Vec<FaultReport<'_>> {
    faults
        .iter()
        .map(|fault| FaultReport {
            level: fault.level.name(),
            message: &fault.message,
            column: fault.column,
        })
        .collect()
}

/// One JSON object and a line break.
///
/// # Errors
///
/// What the output reports.
pub fn json(
    input: &str,
    decoded: &Result<Decoded, Vec<IdFault>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let report = match decoded {
        Ok(decoded) => valid(input, decoded),
        Err(found) => invalid(input, found),
    };
    crate::escape::write_json(&mut *out, &report)?;
    writeln!(out)
}

fn valid<'a>(input: &'a str, decoded: &'a Decoded) -> IdReport<'a> {
    let state = &decoded.state;
    let is_match = state.length.is_some_and(|length| length.points().is_some());
    IdReport {
        input,
        kind: Some(decoded.kind.name()),
        valid: true,
        faults: faults(&decoded.faults),
        board: state.numbers(state.viewer()),
        // The side from which the board is told: that of the answering player in some kinds.
        turn: state.turn.map(|_| state.viewer().index()),
        to_act: state.to_act().map(Player::index),
        dice: state.dice.map(|roll| [roll.0.pips(), roll.1.pips()]),
        pending: state.pending.map(Pending::name),
        cube_value: state.cube.map(|cube| cube.value),
        cube_owner: state.cube.and_then(|cube| cube.owner).map(Player::index),
        max_cube: state.max_cube,
        match_length: state.length.map(|length| length.points().unwrap_or(0)),
        score: state.score.map(ByPlayer::into_array),
        is_crawford: state.crawford,
        is_post_crawford: state.post_crawford,
        // Jacoby has no meaning in a match, whatever the bit says.
        jacoby: state.jacoby.filter(|_| !is_match),
        beavers: state.beavers,
        players: state
            .names
            .as_ref()
            .map(|names| [names.one.as_str(), names.two.as_str()]),
        pips: state.pips().map(ByPlayer::into_array),
        ids: Ids::of(state),
    }
}

fn invalid<'a>(input: &'a str, found: &'a [IdFault]) -> IdReport<'a> {
    IdReport {
        input,
        kind: detect(input).map(Kind::name),
        valid: false,
        faults: faults(found),
        board: None,
        turn: None,
        to_act: None,
        dice: None,
        pending: None,
        cube_value: None,
        cube_owner: None,
        max_cube: None,
        match_length: None,
        score: None,
        is_crawford: None,
        is_post_crawford: None,
        jacoby: None,
        beavers: None,
        players: None,
        pips: None,
        ids: Ids::default(),
    }
}

/// The faults, the position drawn, and all kinds that can hold it.
///
/// # Errors
///
/// What the output reports.
pub fn human(
    input: &str,
    decoded: &Result<Decoded, Vec<IdFault>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    match decoded {
        Ok(decoded) => {
            human_faults(input, &decoded.faults, out)?;
            if decoded.state.board.is_some() {
                write!(out, "{}", draw(&scene(&decoded.state)))?;
            } else {
                human_match(&decoded.state, out)?;
            }
            writeln!(out)?;
            all(&decoded.state, out)
        }
        Err(found) => human_faults(input, found, out),
    }
}

/// One line a kind that can hold the state.
///
/// # Errors
///
/// What the output reports.
pub fn all(state: &IdState, out: &mut dyn Write) -> io::Result<()> {
    for kind in Kind::ALL {
        if let Ok(id) = encode(kind, state) {
            writeln!(out, "  {:<11}  {id}", kind.name())?;
        }
    }
    Ok(())
}

/// The input with a mark below each place that is wrong.
fn human_faults(input: &str, found: &[IdFault], out: &mut dyn Write) -> io::Result<()> {
    // Every character has a column of its own.
    let shown = harmless(input).replace('\t', "?");
    for fault in found {
        writeln!(out, "{}: {}", fault.level.name(), fault.message)?;
        if shown.trim().is_empty() {
            continue;
        }
        writeln!(out, "  | {shown}")?;
        if let Some(column) = fault.column {
            let before = usize::try_from(column).unwrap_or(1).saturating_sub(1);
            writeln!(out, "  | {}^", " ".repeat(before))?;
        }
    }
    if !found.is_empty() {
        writeln!(out)?;
    }
    Ok(())
}

/// What a match ID says, which has no board.
fn human_match(state: &IdState, out: &mut dyn Write) -> io::Result<()> {
    let number = |player: Player| player.index();
    match state.length.and_then(|length| length.points()) {
        Some(length) => writeln!(out, "  match to {length}")?,
        None => writeln!(out, "  money play")?,
    }
    if let Some(score) = state.score {
        writeln!(out, "  score {}-{}", score.one, score.two)?;
    }
    if state.crawford == Some(true) {
        writeln!(out, "  Crawford game")?;
    }
    if let Some(cube) = state.cube {
        match cube.owner {
            Some(owner) => writeln!(out, "  cube {}, player {}'s", cube.value, number(owner))?,
            None => writeln!(out, "  cube {}, in the middle", cube.value)?,
        }
    }
    if let Some(turn) = state.turn {
        let task = match (remark(state), state.dice) {
            (Some(remark), _) => remark,
            (None, Some(roll)) => format!("to play {roll}"),
            (None, None) => "to roll".to_owned(),
        };
        writeln!(out, "  player {} {task}", number(turn))?;
    }
    Ok(())
}

/// The scene of a state.
pub fn scene(state: &IdState) -> Scene {
    Scene {
        board: state.board.unwrap_or_default(),
        checkers: state.checkers.unwrap_or(15),
        turn: state.turn,
        roll: state.dice,
        cube: state.cube,
        remark: remark(state),
        names: state.names.clone().unwrap_or_default(),
        score: state.score,
        length: state.length,
        crawford: state.crawford == Some(true),
        ..Scene::default()
    }
}

/// What is to be done, where it is neither to roll nor to play.
fn remark(state: &IdState) -> Option<String> {
    let remark = match state.pending? {
        Pending::Double => "doubles".to_owned(),
        Pending::Beaver => "is beavered".to_owned(),
        Pending::Raccoon => "is raccooned".to_owned(),
        Pending::Resignation { by, win } if Some(by) == state.turn => {
            format!("resigns a {}", win.name())
        }
        Pending::Resignation { win, .. } => format!("is offered a {}", win.name()),
    };
    Some(remark)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::ids::decode;

    fn json_of(id: &str) -> serde_json::Value {
        let mut out = Vec::new();
        json(id, &decode(id), &mut out).expect("a vector takes everything");
        serde_json::from_slice(&out).expect("JSON")
    }

    #[test]
    fn the_board_is_seen_by_the_player_on_roll() {
        let report = json_of("XGID=-b----E-D---eD---b-d--b-AA:0:0:1:00:0:0:0:0:10");
        let test_board = [
            0, -2, 0, 0, 0, 0, 5, 0, 4, 0, 0, 0, -5, 4, 0, 0, 0, -2, 0, -4, 0, 0, -2, 0, 1, 1,
        ];
        assert_eq!(report["board"], serde_json::json!(test_board));
        let turned = json_of("XGID=aa-B--D-B---dE---d-e----B-:0:0:-1:00:0:0:0:0:10");
        assert_eq!(turned["board"], serde_json::json!(test_board));
        assert_eq!(turned["turn"], 1);
        assert_eq!(turned["pips"], serde_json::json!([159, 163]));
    }

    #[test]
    fn what_is_not_said_is_null() {
        let report = json_of("cAkFAAAAAAAA");
        assert_eq!(report["board"], serde_json::Value::Null);
        assert_eq!(report["ids"]["xgid"], serde_json::Value::Null);
        assert_eq!(report["ids"]["match_id"], "cAkFAAAAAAAA");
        assert_eq!(report["dice"], serde_json::json!([2, 1]));
        assert_eq!(report["cube_value"], 1);
        assert_eq!(report["cube_owner"], serde_json::Value::Null);
    }

    #[test]
    fn an_invalid_identifier_has_every_field() {
        let (invalid, valid) = (json_of("no such thing"), json_of("4HPwATDgc/ABMA"));
        let keys = |report: &serde_json::Value| -> Vec<String> {
            report
                .as_object()
                .expect("an object")
                .keys()
                .cloned()
                .collect()
        };
        assert_eq!(keys(&invalid), keys(&valid));
        assert_eq!(invalid["valid"], false);
        assert_eq!(invalid["faults"][0]["level"], "error");
    }

    #[test]
    fn a_mark_stands_below_the_fault() {
        let id = "XGID=-b----Q-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10";
        let mut out = Vec::new();
        human(id, &decode(id), &mut out).expect("a vector takes everything");
        assert_eq!(
            String::from_utf8_lossy(&out),
            "error: 'Q' is no number of checkers: A to P, a to p, or -
  | XGID=-b----Q-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10
  |            ^

"
        );
    }
}
