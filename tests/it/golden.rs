//! Every fixture prints what it printed. `SNAPSHOTS=overwrite cargo test golden` writes the expected output
//! again; the difference is read before it is committed.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use crate::support::command::{Ran, tawla};
use crate::support::fixtures::{
    CHOUETTE_FOLDERS, FOLDERS, Fixture, all_fixtures, chouette_fixtures, fixtures,
};
use crate::support::golden::Golden;
use crate::support::root;

/// Fixtures whose score sheet is kept too.
const SCORES: [&str; 8] = [
    "jellyfish",
    "opengammon",
    "money-beaver-raccoon",
    "made-match",
    "double-in-crawford-game",
    "three-matches",
    "analysed",
    "long-nardi",
];

/// Fixtures whose findings are kept one a line too.
const CONCISE: [&str; 4] = [
    "dice-left",
    "bad-header",
    "escape-sequences",
    "row-garbled-in-the-middle",
];

/// Fixtures whose boards and moves are kept too.
const SHOWN: [&str; 4] = [
    "bear-off-too-early",
    "money-beaver-raccoon",
    "analysed",
    "block-of-six",
];

/// Other commands and the file in `fixtures/commands` that holds their output.
const COMMANDS: &[(&str, &[&str])] = &[
    ("explain", &["explain"]),
    (
        "chouette-json",
        &[
            "chouette",
            "--format",
            "json",
            "fixtures/chouette/friday.chouette",
        ],
    ),
    ("explain-wrong-seat", &["explain", "wrong-seat"]),
    ("explain-dice-left", &["explain", "dice-left"]),
    ("explain-unknown-code", &["explain", "dice-lef"]),
    ("formats", &["formats"]),
    ("id", &["id", "4HPwATDgc/ABMA"]),
    (
        "id-xgid",
        &[
            "id",
            "XGID=-b----E-C---eE---c-e----B-:1:-1:-1:63:2:4:0:7:10",
        ],
    ),
    (
        "id-invalid",
        &["id", "XGID=-b----E-C---eE---c-e----Q-:0:0:1:31:0:0:0:7:10"],
    ),
    (
        "id-to-all",
        &[
            "id",
            "--to",
            "all",
            "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10",
        ],
    ),
    ("plays", &["plays", "4HPwATDgc/ABMA", "31"]),
    (
        "plays-steps",
        &["plays", "4HPwATDgc/ABMA", "66", "--notation", "steps"],
    ),
    (
        "plays-why",
        &["plays", "4HPwATDgc/ABMA", "31", "--why", "8/5"],
    ),
    (
        "plays-why-legal",
        &["plays", "4HPwATDgc/ABMA", "31", "--why", "8/5 6/5"],
    ),
    (
        "plays-long-nardi",
        &["plays", "--variant", "long-nardi", "AACA/z8AAID/Pw", "33"],
    ),
    (
        "plays-why-long-nardi",
        &[
            "plays",
            "--variant",
            "long-nardi",
            "AACA/z8AAID/Pw",
            "31",
            "--why",
            "24/21 24/23",
        ],
    ),
    (
        "show-one-ply",
        &[
            "show",
            "fixtures/mat/jellyfish.mat",
            "--game",
            "1",
            "--ply",
            "7",
        ],
    ),
    ("show-id", &["show", "4HPwATDgc/ABMA"]),
    (
        "check-show-suppressed",
        &["check", "--show-suppressed", "fixtures/mat/allowed.mat"],
    ),
    (
        "check-statistics",
        &[
            "check",
            "--format",
            "concise",
            "--statistics",
            "fixtures/rules/dice-left.mat",
            "fixtures/rules/dead-cube.mat",
        ],
    ),
    (
        "check-github",
        &[
            "check",
            "--format",
            "github",
            "fixtures/rules/dice-left.mat",
            "fixtures/rules/dead-cube.mat",
        ],
    ),
    (
        "check-with-boards",
        &["check", "--boards", "fixtures/rules/dice-left.mat"],
    ),
    (
        "check-long-nardi-with-boards",
        &["check", "--boards", "fixtures/rules/head-rule.mat"],
    ),
];

/// Compares what a command prints for each of some fixtures.
fn compare_all(golden: &mut Golden, fixtures: &[Fixture], ending: &str, command: &[&str]) {
    for fixture in fixtures {
        let ran = tawla(&fixture.args(command));
        golden.compare(printed(ran), &fixture.beside(ending));
    }
}

/// Both outputs, as a person sees them.
fn printed(ran: Ran) -> String {
    ran.out + &ran.err
}

fn named(names: &[&str]) -> Vec<Fixture> {
    let mut found = all_fixtures();
    found.retain(|fixture| names.contains(&fixture.stem.as_str()));
    assert_eq!(found.len(), names.len(), "{names:?}");
    found
}

#[test]
fn check_prints_what_it_printed() {
    let mut golden = Golden::new();
    compare_all(&mut golden, &all_fixtures(), "check", &["check"]);
    golden.end();
}

#[test]
fn check_in_json_prints_what_it_printed() {
    let mut golden = Golden::new();
    compare_all(
        &mut golden,
        &fixtures("mat"),
        "json",
        &["check", "--format", "json"],
    );
    golden.end();
}

#[test]
fn other_outputs_of_fixtures_are_what_they_were() {
    let mut golden = Golden::new();
    compare_all(
        &mut golden,
        &named(&CONCISE),
        "concise",
        &["check", "--format", "concise"],
    );
    compare_all(&mut golden, &named(&SCORES), "score", &["score"]);
    compare_all(&mut golden, &named(&SHOWN), "show", &["show"]);
    golden.end();
}

#[test]
fn chouette_prints_what_it_printed() {
    let mut golden = Golden::new();
    compare_all(&mut golden, &chouette_fixtures(), "settled", &["chouette"]);
    golden.end();
}

#[test]
fn other_commands_print_what_they_printed() {
    let mut golden = Golden::new();
    for (name, args) in COMMANDS {
        let path = root().join("fixtures/commands").join(format!("{name}.out"));
        golden.compare(printed(tawla(args)), &path);
    }
    golden.end();
}

#[test]
fn every_kept_output_is_compared() {
    let mut compared: BTreeSet<PathBuf> = COMMANDS
        .iter()
        .map(|(name, _)| root().join("fixtures/commands").join(format!("{name}.out")))
        .collect();
    let mut add = |fixtures: Vec<Fixture>, ending: &str| {
        compared.extend(fixtures.iter().map(|fixture| fixture.beside(ending)));
    };
    add(all_fixtures(), "check");
    add(chouette_fixtures(), "settled");
    add(fixtures("mat"), "json");
    add(named(&CONCISE), "concise");
    add(named(&SCORES), "score");
    add(named(&SHOWN), "show");
    let inputs: BTreeSet<PathBuf> = all_fixtures()
        .iter()
        .chain(&chouette_fixtures())
        .map(|fixture| root().join(&fixture.path))
        .collect();
    let folders = FOLDERS.iter().chain(&CHOUETTE_FOLDERS).chain(&["commands"]);
    let files: BTreeSet<PathBuf> = folders
        .flat_map(|folder| fs::read_dir(root().join("fixtures").join(folder)).expect("a folder"))
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_file() && !inputs.contains(path))
        .collect();
    // One that is missing fails where it is compared.
    let left_over: Vec<&PathBuf> = files.difference(&compared).collect();
    assert!(left_over.is_empty(), "{left_over:?}");
}

#[test]
fn the_dialects_are_clean_of_errors() {
    for fixture in fixtures("mat") {
        let ran = tawla(&fixture.args(&["check", "--level", "warning", "--quiet"]));
        assert_eq!(
            (ran.status, ran.err),
            (0, String::new()),
            "{}",
            fixture.path
        );
    }
}
