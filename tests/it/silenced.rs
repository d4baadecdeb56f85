//! Findings that are not reported: those that a transcript allows, and those that a baseline knows.

use std::fs;

use serde_json::Value;

use crate::support::command::{Ran, tawla};
use crate::support::folder::Folder;
use crate::support::root;

const WRONG: &str = "fixtures/rules/dice-left.mat";
const ALLOWED: &str = "fixtures/mat/allowed.mat";

fn fixture(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect("a fixture")
}

fn json(args: &[&str]) -> Value {
    let ran = tawla(&[&["check", "--format", "json"], args].concat());
    serde_json::from_str(&ran.out).expect("JSON")
}

#[test]
fn what_is_allowed_counts_for_nothing() {
    let ran = tawla(&["check", "--level", "note", ALLOWED]);
    assert_eq!(ran.status, 0, "{}", ran.out);
    assert!(ran.out.contains("nothing found, 3 allowed"), "{}", ran.out);
}

#[test]
fn what_is_allowed_is_listed_only_where_it_is_asked_for() {
    let silent = json(&[ALLOWED]);
    assert_eq!(silent["files"][0].get("suppressed"), None);
    let shown = json(&["--show-suppressed", ALLOWED]);
    assert_eq!(
        shown["files"][0]["findings"],
        silent["files"][0]["findings"]
    );
    let list = shown["files"][0]["suppressed"].as_array().expect("a list");
    let told: Vec<(&str, u64, &str)> = list
        .iter()
        .map(|one| {
            (
                one["code"].as_str().expect("a code"),
                one["allow_line"].as_u64().expect("a line"),
                one["reason"].as_str().expect("a reason"),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("dice-left", 6, "the referee saw it"),
            ("dice-left", 16, "agreed after the match"),
            ("match-unfinished", 1, "the cup was cut short"),
        ]
    );
    let concise = tawla(&["check", "--format", "concise", "--show-suppressed", ALLOWED]).out;
    assert_eq!(
        concise.lines().next(),
        Some(
            format!("{ALLOWED}:7:6: allowed[dice-left] illegal play of 31: 1 of 2 dice played (line 6: the referee saw it)")
                .as_str()
        )
    );
}

/// A folder with two faulty transcripts and the baseline of it.
fn known(name: &str) -> (Folder, [String; 2], String) {
    let folder = Folder::new(name);
    let paths = ["day 1/a.mat", "b.mat"].map(|name| folder.write(name, fixture(WRONG)));
    let baseline = format!("{}/known.json", folder.path());
    let ran = tawla(&["check", "--write-baseline", &baseline, &paths[0], &paths[1]]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("2 errors"), "{}", ran.out);
    (folder, paths, baseline)
}

fn against(baseline: &str, args: &[&str]) -> Ran {
    tawla(&[&["check", "--baseline", baseline], args].concat())
}

#[test]
fn what_is_known_is_not_reported() {
    let (folder, [a, b], baseline) = known("known");
    let ran = against(&baseline, &[&a, &b]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("nothing found, 2 known"), "{}", ran.out);
    // The folder may be moved, and lines may be added above.
    let text = format!("; [Event \"Cup\"]\n{}", fixture(WRONG));
    folder.write("day 1/a.mat", &text);
    assert_eq!(against(&baseline, &[&a]).status, 0);
    let listed = against(&baseline, &["--show-suppressed", "--format", "concise", &a]);
    assert!(listed.out.contains(": known[dice-left] "), "{}", listed.out);
}

#[test]
fn what_is_new_is_reported_also_where_an_equal_one_is_known() {
    let (folder, [a, _], baseline) = known("new");
    let text = fixture(WRONG);
    folder.write("day 1/a.mat", text.replace("42: 8/4 6/4", "42: 8/4"));
    let ran = against(&baseline, &["--format", "concise", &a]);
    assert_eq!(ran.status, 1);
    assert_eq!(ran.out.lines().count(), 1, "{}", ran.out);
    assert!(ran.out.contains("a.mat:5:"), "{}", ran.out);
    // The same fault in a file of another name is new.
    let other = folder.write("c.mat", &text);
    assert_eq!(against(&baseline, &[&other]).status, 1);
}

#[test]
fn what_is_gone_is_named() {
    let (folder, [a, b], baseline) = known("gone");
    folder.write(
        "day 1/a.mat",
        fixture(WRONG).replace("24/18 ", "24/18 18/13 "),
    );
    let told = |args: &[&str]| against(&baseline, args).err;
    let gone = "gone: day 1/a.mat: dice-left, game 1, ply 3: 65: 24/18\n";
    let err = told(&[&a, &b]);
    assert!(err.ends_with(gone) && err.lines().count() == 1, "{err}");
    // Nothing is said of files that were not read, nor of codes that were not asked for.
    assert_eq!(told(&[&b]), "");
    assert_eq!(told(&["--ignore", "dice-left", &a]), "");
    fs::remove_file(&b).expect("a file");
    assert_eq!(told(&[&a]).lines().count(), 2);
    let summary = &json(&["--baseline", &baseline, &a])["summary"]["baseline"];
    assert_eq!(summary["known"], 0);
    assert_eq!(summary["gone"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_baseline_is_replaced_only_by_force_and_keeps_what_was_not_judged() {
    let (folder, [a, b], baseline) = known("replaced");
    let before = fs::read_to_string(&baseline).expect("a baseline");
    let refused = tawla(&["check", "--write-baseline", &baseline, &a]);
    assert_eq!(refused.status, 2);
    assert!(refused.err.contains("--force"), "{}", refused.err);
    assert_eq!(fs::read_to_string(&baseline).expect("a baseline"), before);
    let update = ["--write-baseline", baseline.as_str(), "--force", a.as_str()];
    assert_eq!(against(&baseline, &update).status, 0);
    assert_eq!(fs::read_to_string(&baseline).expect("a baseline"), before);
    folder.write("day 1/a.mat", fixture("fixtures/mat/jellyfish.mat"));
    assert_eq!(against(&baseline, &update).status, 0);
    assert_eq!(against(&baseline, &[&a, &b]).err, "");
    let after = fs::read_to_string(&baseline).expect("a baseline");
    assert_eq!(after.matches("dice-left").count(), 1, "{after}");
}

#[test]
fn a_baseline_that_cannot_be_read_is_wrong_usage() {
    for path in ["none.json", "fixtures/mat/jellyfish.mat", "fixtures/mat"] {
        let ran = against(path, &[WRONG]);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{path}");
        assert!(ran.err.contains(path), "{}", ran.err);
    }
    let ran = tawla(&["check", "--write-baseline", "no-such-folder/k.json", WRONG]);
    assert_eq!(ran.status, 2);
}

#[test]
fn our_own_record_keeps_what_is_allowed() {
    let folder = Folder::new("kept");
    let path = format!("{}/allowed.json", folder.path());
    let converted = tawla(&["convert", ALLOWED, "-t", "json", "-o", &path]);
    assert_eq!((converted.status, converted.err.as_str()), (0, ""));
    let ran = tawla(&["check", "--level", "note", &path]);
    assert_eq!(ran.status, 0, "{}", ran.out);
    assert!(ran.out.contains("nothing found, 3 allowed"), "{}", ran.out);
}
