//! What a money game is worth: kind of win, cube, Jacoby rule with the cube turned or not, and what a
//! backgammon counts, every combination against a table of its own.

use serde_json::json;
use tawla::replay::EndedBy;
use tawla::report::{CheckOptions, check};
use tawla::ruleset::RuleOptions;
use tawla::source::Source;

/// The loser's checkers by place, in the own numbering: off, 1 to 24, bar.
fn loser(kind: &str) -> [u8; 26] {
    let mut checkers = [0u8; 26];
    match kind {
        // One checker is borne off.
        "single" => checkers[6] = 14,
        "gammon" => checkers[6] = 15,
        // In the winner's home board, and on the bar.
        "backgammon" => (checkers[6], checkers[22]) = (14, 1),
        "backgammon from the bar" => (checkers[6], checkers[25]) = (14, 1),
        other => panic!("{other}"),
    }
    checkers
}

/// A game in which the first player bears off the last checker, with the cube in the middle at `start`; if
/// `turned`, after a double that the second player takes.
fn game(kind: &str, start: u32, turned: bool) -> String {
    let mut winner = [0u8; 26];
    winner[1] = 1;
    let mut actions = Vec::new();
    if turned {
        actions.push(json!({"player": 0, "action": "double", "to": 2 * start}));
        actions.push(json!({"player": 1, "action": "take"}));
    }
    actions.push(json!({"player": 0, "action": "play", "roll": "21", "moves": [[1, 0]]}));
    let setup = json!({"checkers": [winner, loser(kind)], "turn": 0, "cube_value": start});
    json!({
        "record_version": 1, "length": 0, "players": ["Ayla", "Burak"],
        "games": [{"start": setup, "actions": actions}],
    })
    .to_string()
}

#[test]
fn points_are_the_cube_times_what_the_win_counts() {
    // kind, without the Jacoby rule or after a double: backgammon counts 3, and 2
    let kinds = [
        ("single", 1, 1),
        ("gammon", 2, 2),
        ("backgammon", 3, 2),
        ("backgammon from the bar", 3, 2),
    ];
    let mut seen = 0;
    for (kind, three, two) in kinds {
        for start in [1, 2, 4, 8, 64] {
            for turned in [false, true] {
                for jacoby in [false, true] {
                    for (counts, factor) in [(3, three), (2, two)] {
                        let text = game(kind, start, turned);
                        let source = Source::new("x.json", text.into(), None).expect("a source");
                        let options = CheckOptions {
                            rules: RuleOptions {
                                jacoby: Some(jacoby),
                                backgammon_counts: Some(counts),
                                automatic_doubles: Some(10),
                                ..RuleOptions::default()
                            },
                            matches: true,
                            ..CheckOptions::default()
                        };
                        let report = check(&source, &options).expect("a record");
                        let played = &report.matches[0].summary.games[0];
                        let cube = if turned { 2 * start } else { start };
                        let factor = if jacoby && !turned { 1 } else { factor };
                        let what = format!("{kind}, {start}, {turned}, {jacoby}, {counts}");
                        assert_eq!(played.ended_by, EndedBy::BearOff, "{what}");
                        assert_eq!(played.points, Some(factor * cube), "{what}");
                        assert_eq!(report.matches[0].summary.score.one, factor * cube);
                        seen += 1;
                    }
                }
            }
        }
    }
    assert_eq!(seen, 4 * 5 * 2 * 2 * 2);
}
