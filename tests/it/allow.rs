//! Lines of a transcript that allow a rule: what they count for, and what is wrong with them.

use tawla::report::{CheckOptions, Report, check};
use tawla::source::Source;

const GAME: &str = " Ayla : 0                        Burak : 0
  1) 31: 8/5                     42: 8/4 6/4
      Wins 1 point
";

fn checked(text: &str) -> Report {
    let source = Source::new("x", text.into(), None).expect("a source");
    check(&source, &CheckOptions::default()).expect("a report")
}

fn codes(report: &Report) -> Vec<&str> {
    let codes = report.findings.iter().map(|finding| finding.rule.code);
    codes.collect()
}

#[test]
fn a_line_counts_for_its_game() {
    let second = GAME.replacen(": 0 ", ": 1 ", 1);
    for (in_first, in_second, games) in [
        ("; tawla: allow dice-left seen\n", "", [1]),
        ("", "; tawla: allow dice-left seen\n", [2]),
    ] {
        let report = checked(&format!(
            " 2 point match\n\n Game 1\n{GAME}{in_first}\n Game 2\n{second}{in_second}"
        ));
        assert_eq!(codes(&report), ["dice-left"], "{in_first:?}");
        let silenced = report.suppressed.iter();
        let of: Vec<_> = silenced.map(|one| one.finding.context.game).collect();
        assert_eq!(of, games.map(Some));
        assert_eq!(report.suppressed[0].reason, "seen");
    }
}

#[test]
fn before_the_first_game_a_line_counts_for_its_match() {
    let one = format!(" 1 point match\n\n Game 1\n{GAME}");
    let report = checked(&format!("{one}; tawla: allow dice-left\n{one}"));
    assert_eq!(codes(&report), ["dice-left", "several-matches"]);
    assert_eq!(report.suppressed[0].finding.context.match_number, Some(2));
}

#[test]
fn a_comment_in_a_game_tree_is_such_a_line() {
    let tree = |comment: &str| {
        checked(&format!(
            "(;GM[6]FF[4]AP[t]MI[length:1][game:0][ws:0][bs:0];W[31he]{comment};B[42qusu])"
        ))
    };
    assert!(codes(&tree("")).contains(&"dice-left"));
    let report = tree("C[first line\ntawla: allow dice-left seen]");
    assert!(!codes(&report).contains(&"dice-left"));
    assert_eq!(report.suppressed[0].reason, "seen");
}

#[test]
fn a_line_that_cannot_be_followed_is_a_finding() {
    let game = format!(" 1 point match\n\n Game 1\n{GAME}");
    for line in [
        "allow",
        "allow dice-lef,x",
        "forbid dice-left",
        "allow no_code",
    ] {
        let report = checked(&format!("; tawla: {line}\n{game}"));
        let unknown = line.matches(',').count() + 1;
        let mut expected = vec!["allow-unknown"; unknown];
        expected.push("dice-left");
        assert_eq!(codes(&report), expected, "{line}");
    }
    let report = checked(&format!("; tawla: allow dice-lef x\n{game}"));
    assert_eq!(
        report.findings[0].help.as_deref(),
        Some("did you mean dice-left?")
    );
}

#[test]
fn several_codes_stand_with_commas_between_them() {
    let game = format!(" 1 point match\n\n Game 1\n{GAME}");
    let report = checked(&format!("; Tawla: allow dice-left,dead-cube why\n{game}"));
    assert_eq!(codes(&report), ["allow-unused"]);
    assert_eq!(report.suppressed.len(), 1);
}
