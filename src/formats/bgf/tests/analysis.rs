//! Analysis in points, with the action that it is about.

use super::encode::{self, action, int, list, member, object, real};
use super::{document, read_document};
use crate::formats::bgf::tree::Value;
use crate::record::Entry;

fn analysis(entry: &Entry) -> Vec<(&str, &str)> {
    let extra = entry.extra.as_deref().expect("analysis");
    let pairs = extra.analysis.iter();
    pairs.map(|(name, value)| (&**name, &**value)).collect()
}

/// Chances, equities and the decision on the cube, all of a match at 2-0 to 5.
fn equity(match_chance: f64, points: f64, decision: Value) -> Value {
    object([
        ("equity", real(0.25)),
        ("myWins", real(0.6)),
        ("myGammon", real(0.2)),
        ("myBackGammon", real(0.01)),
        ("oppWins", real(0.4)),
        ("oppGammon", real(0.1)),
        ("oppBackGammon", real(0.0)),
        ("matchEquity", real(match_chance)),
        ("useMatchEquity", Value::Bool(true)),
        ("emg", real(points)),
        ("hasEMG", Value::Bool(true)),
        ("cubeDecision", decision),
    ])
}

fn decision(no_double: f64, take: f64, pass: f64, words: [&str; 2]) -> Value {
    object([
        ("eqNoDouble", real(no_double)),
        ("eqDoubleTake", real(take)),
        ("eqDoublePass", real(pass)),
        ("eqCubeFul", real(take)),
        ("stateOnMove", encode::text(words[0])),
        ("stateOther", encode::text(words[1])),
    ])
}

fn errors(cube: f64, play: f64) -> Value {
    object([("cubeError", real(cube)), ("checkerError", real(play))])
}

/// The document with analysis of the first game: a roll where a double was missed, a dance, a double, and the
/// take.
pub(super) fn analysed() -> Value {
    let mut document = document();
    let candidate = |from: &[i64], to: &[i64], points: f64, played: bool| {
        let place = object([("from", list(from)), ("to", list(to))]);
        let eq = equity(0.5, points, Value::Null);
        object([("move", place), ("eq", eq), ("played", Value::Bool(played))])
    };
    let roll = action(&mut document, 0, 2);
    let should = decision(0.55, 0.56, 0.6, ["DOUBLE", "ACCEPT"]);
    *member(roll, "equity") = equity(0.54, 0.4, should);
    *member(roll, "luck") = object([("luckWeighted", real(-0.25))]);
    *member(roll, "ply") = int(3);
    *member(roll, "pr") = errors(-0.1, -0.0125);
    let candidates = vec![
        candidate(&[13, 8, -1, -1], &[7, 7, -1, -1], 0.125, true),
        candidate(&[24, 18, -1, -1], &[18, 17, -1, -1], 0.1375, false),
    ];
    *member(roll, "moveAnalysis") = Value::List(candidates);
    let dance = action(&mut document, 0, 3);
    let nothing = decision(-999.9, -999.9, -999.9, ["NO_DOUBLE", "ACCEPT"]);
    *member(dance, "equity") = equity(0.4, -0.5, nothing);
    let answer = decision(0.42, 0.41, 0.4, ["NO_DOUBLE", "ACCEPT"]);
    *member(dance, "dancingEquity") = equity(0.45, -0.5, answer);
    *member(dance, "luck") = object([("luckWeighted", real(-0.75))]);
    *member(dance, "pr") = errors(-99.0, -99.0);
    let double = action(&mut document, 0, 4);
    let good = decision(0.55, 0.62, 0.6, ["DOUBLE", "REJECT"]);
    *member(double, "equity") = equity(0.55, 0.5, good.clone());
    *member(double, "pr") = errors(0.0, -99.0);
    *member(double, "ply") = int(3);
    let take = action(&mut document, 0, 5);
    *member(take, "equity") = equity(0.45, -0.5, good.clone());
    *member(take, "pr") = errors(-0.2, -99.0);
    let after = action(&mut document, 0, 6);
    *member(after, "equity") = equity(0.55, 0.5, good);
    *member(after, "luck") = object([("luckWeighted", real(0.5))]);
    document
}

#[test]
fn analysis_is_in_points_and_stands_with_the_action() {
    let record = read_document(&analysed()).0;
    let entries = &record.games[0].entries;
    let chances = "win 60.00 20.00 1.00 loss 40.00 10.00 0.00";
    let first = format!("24/17 +0.1375 {chances}");
    let second = format!("13/7 8/7 +0.125 {chances}");
    let roll = [
        ("cube-error", "0.100"),
        ("cube-verdict", "double, take"),
        // From 0.54, which is worth 0.4, to 0.6, which is worth 1, a hundredth is a tenth of a point.
        ("no-double", "+0.500"),
        ("double-take", "+0.600"),
        ("double-pass", "+1.000"),
        ("cube-chances", chances),
        ("cube-level", "3-ply"),
        ("error", "0.0125"),
        ("luck", "-0.250"),
        ("equity", "+0.125"),
        ("level", "3-ply"),
        ("candidate", &first),
        ("candidate", &second),
    ];
    assert_eq!(analysis(&entries[2]), roll);
    let dance = [
        ("cube-verdict", "no double"),
        ("cube-chances", chances),
        ("luck", "-0.750"),
        // The opponent's pass is at 0.4, five hundredths and half a point below.
        ("equity", "-0.900"),
    ];
    assert_eq!(analysis(&entries[3]), dance);
    let double = [
        ("cube-error", "0.000"),
        ("cube-verdict", "double, pass"),
        ("no-double", "+0.500"),
        ("double-take", "+1.200"),
        ("double-pass", "+1.000"),
        ("cube-chances", chances),
        ("cube-level", "3-ply"),
    ];
    assert_eq!(analysis(&entries[4]), double);
    assert_eq!(analysis(&entries[5]), [("take-error", "0.200")]);
    // The cube was turned by the double before this roll.
    assert_eq!(analysis(&entries[6]), [("luck", "+0.500")]);
}
