//! The analysis that BGBlitz keeps with each action, under the names of [`record::analysis`](names).
//!
//! `equity` is the position before the roll, with the decision on the cube in it; `moveAnalysis` the plays that
//! were looked at, and `dancingEquity` the position after a dance. In a match the chances to win it stand
//! beside equities in points of the cube (`emg`): that of `equity` goes with the cubeless chance `matchEquity`,
//! that of a candidate with its chance with the cube. The equities of the decision on the cube are chances
//! only; a straight line turns them into points, through the chance whose points are stated and the chance
//! after a pass, which is worth one cube. In all files it has the slope at which errors and luck are stated
//! in both.
//!
//! -99 and less stands for what was not counted. Errors are 0 or negative there; their sums are those that the
//! games state. What is not kept: cubeless equities, the standard deviation, and what is stated of luck and
//! errors by game and match.

use super::action::moves;
use super::tree::Value;
use crate::record::analysis as names;

/// What an action is, as far as its analysis is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A roll. What is said of the cube stands with a double before it, if there was one.
    Roll {
        /// The same player doubled before this roll.
        doubled: bool,
    },
    /// A double.
    Double,
    /// A take or a pass.
    Answer,
    /// Anything else.
    Other,
}

/// The analysis of an action, by name.
pub(super) fn of(action: &Value, kind: Kind) -> Vec<(String, String)> {
    let mut found = Found(Vec::new());
    match kind {
        Kind::Roll { doubled } => {
            if !doubled {
                found.cube(action);
            }
            found.play(action);
        }
        Kind::Double => found.cube(action),
        Kind::Answer => found.loss(names::TAKE_ERROR, error(action, "cubeError")),
        Kind::Other => {}
    }
    found.0
}

/// A number that was counted.
fn counted(value: Option<&Value>) -> Option<f64> {
    value?.real().filter(|&number| number > -99.0)
}

/// What an action lost.
fn error(action: &Value, name: &str) -> Option<f64> {
    let error = counted(action.get("pr")?.get(name))?;
    Some((-error).max(0.0))
}

struct Found(Vec<(String, String)>);

impl Found {
    fn add(&mut self, name: &str, value: String) {
        self.0.push((name.to_owned(), value));
    }

    fn loss(&mut self, name: &str, value: Option<f64>) {
        if let Some(value) = value {
            self.add(name, names::loss(value));
        }
    }

    fn number(&mut self, name: &str, value: Option<f64>) {
        if let Some(value) = value {
            self.add(name, number(value));
        }
    }

    /// The position before the roll, and what is right with the cube.
    fn cube(&mut self, action: &Value) {
        self.loss(names::CUBE_ERROR, error(action, "cubeError"));
        let Some(equity) = action.get("equity").filter(|equity| !equity.is_null()) else {
            return;
        };
        let decision = equity.get("cubeDecision");
        if let Some(decision) = decision.filter(|decision| !decision.is_null()) {
            if let Some(verdict) = verdict(decision) {
                self.add(names::CUBE_VERDICT, verdict.to_owned());
            }
            let points = |name| in_points(equity, decision, name, 1.0);
            self.number(names::NO_DOUBLE, points("eqNoDouble"));
            self.number(names::DOUBLE_TAKE, points("eqDoubleTake"));
            self.number(names::DOUBLE_PASS, points("eqDoublePass"));
        }
        if let Some(chances) = chances(equity) {
            self.add(names::CUBE_CHANCES, chances);
        }
        self.level(names::CUBE_LEVEL, action);
    }

    /// The play and its rivals.
    fn play(&mut self, action: &Value) {
        self.loss(names::ERROR, error(action, "checkerError"));
        let luck = action
            .get("luck")
            .and_then(|luck| counted(luck.get("luckWeighted")));
        self.number(names::LUCK, luck);
        let candidates = action
            .get("moveAnalysis")
            .map(Value::list)
            .unwrap_or_default();
        let is_played =
            |candidate: &&Value| candidate.get("played").and_then(Value::bool) == Some(true);
        let played = candidates.iter().find(is_played);
        let played = played.and_then(|candidate| after_play(candidate.get("eq")?));
        let equity = played.or_else(|| after_dance(action.get("dancingEquity")?));
        self.number(names::EQUITY, equity);
        if luck.is_some() || equity.is_some() {
            self.level(names::LEVEL, action);
        }
        let mut list: Vec<(f64, String)> = candidates.iter().filter_map(candidate).collect();
        // They stand in this order already, but nothing promises it.
        list.sort_by(|one, two| two.0.total_cmp(&one.0));
        for (_, text) in list {
            self.add(names::CANDIDATE, text);
        }
    }

    fn level(&mut self, name: &str, action: &Value) {
        let ply = action.get("ply").and_then(Value::int);
        if let Some(ply) = ply.filter(|&ply| ply >= 0) {
            self.add(name, format!("{ply}-ply"));
        }
    }
}

/// A number without the sign of a zero.
fn number(value: f64) -> String {
    names::number((value * 1e6).round() / 1e6 + 0.0)
}

/// The words for a decision on the cube.
fn verdict(decision: &Value) -> Option<&'static str> {
    let state = |name: &str| decision.get(name).and_then(Value::text);
    match (state("stateOnMove")?, state("stateOther")) {
        ("NO_DOUBLE", _) => Some("no double"),
        ("DOUBLE" | "RE_DOUBLE", Some("ACCEPT")) => Some("double, take"),
        ("DOUBLE" | "RE_DOUBLE", Some("REJECT")) => Some("double, pass"),
        ("TO_GOOD" | "TOO_GOOD", _) => Some("too good"),
        _ => None,
    }
}

/// Won and lost games.
fn chances(equity: &Value) -> Option<String> {
    let part = |name: &str| {
        let chance = counted(equity.get(name))?;
        (0.0..=1.0).contains(&chance).then_some(chance)
    };
    let won = [part("myWins")?, part("myGammon")?, part("myBackGammon")?];
    let lost = [part("oppWins")?, part("oppGammon")?, part("oppBackGammon")?];
    Some(names::chances(won, lost))
}

/// Whether equities are chances to win the match.
fn is_of_match(equity: &Value) -> bool {
    equity.get("useMatchEquity").and_then(Value::bool) == Some(true)
}

/// A value of the decision on the cube in points; `pass` is what a pass is worth to the player who acts.
fn in_points(equity: &Value, decision: &Value, name: &str, pass: f64) -> Option<f64> {
    let value = counted(decision.get(name))?;
    if !is_of_match(equity) {
        return Some(value);
    }
    let known = counted(equity.get("matchEquity"))?;
    let points = counted(equity.get("emg"))?;
    if value == known {
        return Some(points);
    }
    let slope = (pass - points) / (counted(decision.get("eqDoublePass"))? - known);
    // Where they are one chance there is no line, and one that falls would be none of chances.
    (slope.is_finite() && slope > 0.0).then_some(points + (value - known) * slope)
}

/// The equity with the cube after a play that was looked at.
fn after_play(equity: &Value) -> Option<f64> {
    if is_of_match(equity) {
        return counted(equity.get("emg"));
    }
    let decision = equity.get("cubeDecision");
    let with_cube = counted(decision.and_then(|decision| decision.get("eqCubeFul")));
    with_cube.or_else(|| counted(equity.get("equity")))
}

/// The equity with the cube after a dance. The opponent is on roll, so that a pass costs the player a cube,
/// unless the player owns the cube: then the pass is that of the opponent.
fn after_dance(equity: &Value) -> Option<f64> {
    let decision = equity.get("cubeDecision")?;
    if !decision.is_null() {
        let with_cube = |pass| in_points(equity, decision, "eqCubeFul", pass);
        return with_cube(-1.0).or_else(|| with_cube(1.0));
    }
    let cubeless = if is_of_match(equity) { "emg" } else { "equity" };
    counted(equity.get(cubeless))
}

/// A play that was looked at, with its equity and its chances.
fn candidate(candidate: &Value) -> Option<(f64, String)> {
    let play = moves(candidate.get("move")?).ok()?;
    let equity = candidate.get("eq")?;
    let points = after_play(equity)?;
    let mut text = format!("{play} {}", number(points));
    if let Some(chances) = chances(equity) {
        text.push(' ');
        text.push_str(&chances);
    }
    Some((points, text))
}
