//! `tawla fix`: what it prints, what it writes, and what it leaves alone.

use std::fs;

use crate::support::command::{tawla, tawla_reading};
use crate::support::folder::Folder;

/// A match with a wrong digit (9/3 for 6/3) after which the game goes on as it was really played.
const SLIP: &str = "fixtures/slips/wrong-digit.mat";

#[test]
fn a_certain_repair_is_printed_as_a_diff() {
    let ran = tawla(&["fix", SLIP]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let changed: Vec<&str> = ran
        .out
        .lines()
        .filter(|line| line.starts_with(['-', '+']) && !line.starts_with("---"))
        .filter(|line| !line.starts_with("+++"))
        .collect();
    let [before, told, after] = changed[..] else {
        panic!("{}", ran.out);
    };
    assert!(before.contains("35: 8/3 9/3"), "{before}");
    assert!(
        told.starts_with("+; repaired: a digit of a move is wrong: 35: 8/3 9/3"),
        "{told}"
    );
    assert_eq!(after[1..], before[1..].replace("8/3 9/3", "8/3 6/3"));
    assert!(ran.err.contains("game 1: repaired"), "{}", ran.err);
}

#[test]
fn a_repair_is_written_and_the_original_kept() {
    let folder = Folder::new("fix_written");
    let text = fs::read(SLIP).expect("the fixture");
    let path = folder.write("a.mat", &text);
    let ran = tawla(&["fix", "--write", &path]);
    assert_eq!((ran.status, ran.out.as_str()), (0, ""), "{}", ran.err);
    assert_eq!(
        fs::read(format!("{path}.orig")).expect("the original"),
        text
    );
    let fixed = fs::read_to_string(&path).expect("the file");
    assert!(fixed.contains("35: 8/3 6/3"), "{fixed}");
    // A second run finds nothing, and another repair does not overwrite what the file was.
    let again = tawla(&["fix", "--write", &path]);
    assert_eq!(again.status, 0);
    assert!(again.err.contains("nothing to repair"), "{}", again.err);
    fs::write(&path, &text).expect("written");
    let refused = tawla(&["fix", "--write", &path]);
    assert_eq!(refused.status, 2);
    assert!(refused.err.contains(".orig exists"), "{}", refused.err);
    assert_eq!(fs::read(&path).expect("the file"), text);
}

#[test]
fn only_the_codes_asked_for_are_repaired() {
    let ran = tawla(&["fix", "--only", "out-of-turn", SLIP]);
    assert_eq!((ran.status, ran.out.as_str()), (1, ""), "{}", ran.err);
}

#[test]
fn what_cannot_be_edited_is_refused_with_a_way_out() {
    let folder = Folder::new("fix_refused");
    let path = format!("{}/a.ogxm", folder.path());
    let ran = tawla(&["convert", SLIP, "-o", &path]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let ran = tawla(&["fix", &path]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("convert it first"), "{}", ran.err);
}

#[test]
fn the_encoding_and_the_line_ends_stay() {
    let text = fs::read_to_string(SLIP).expect("the fixture");
    let text = text.replace('\n', "\r\n").replacen("Ayla", "J\u{f6}rg", 2);
    let bytes: Vec<u8> = text.chars().map(|c| c as u8).collect();
    let folder = Folder::new("fix_encoding");
    let path = folder.write("a.mat", &bytes);
    let ran = tawla(&["fix", "--write", &path]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let fixed = fs::read(&path).expect("the file");
    let kept = |bytes: &[u8]| -> Vec<Vec<u8>> {
        let lines = bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec);
        lines
            .filter(|line| !line.windows(3).any(|part| part == b"35:"))
            .collect()
    };
    assert_eq!(kept(&fixed), kept(&bytes));
    assert!(
        !fixed
            .windows(2)
            .any(|pair| pair[1] == b'\n' && pair[0] != b'\r')
    );
}

#[test]
fn a_game_tree_is_edited_in_its_place() {
    let folder = Folder::new("fix_tree");
    let path = format!("{}/a.sgf", folder.path());
    let ran = tawla(&["convert", SLIP, "-o", &path]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let before = fs::read_to_string(&path).expect("the file");
    let ran = tawla(&["fix", "--write", &path]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let after = fs::read_to_string(&path).expect("the file");
    let differ = before
        .lines()
        .zip(after.lines())
        .filter(|(one, other)| one != other);
    let differ: Vec<_> = differ.collect();
    assert_eq!(differ.len(), 1, "{differ:?}");
    assert!(differ[0].1.contains("C[repaired: "), "{differ:?}");
    let equal = tawla(&["check", "--quiet", &path]);
    assert_eq!(equal.status, 0);
}

#[test]
fn questions_are_asked_and_answered() {
    let folder = Folder::new("fix_questions");
    let path = folder.write("a.mat", fs::read(SLIP).expect("the fixture"));
    let no = tawla_reading(&["fix", "--interactive", &path], b"n\n");
    assert_eq!((no.status, no.out.as_str()), (1, ""), "{}", no.err);
    assert!(no.err.contains("1  with 8/3 6/3 in line"), "{}", no.err);
    let yes = tawla_reading(&["fix", "--interactive", &path], b"1\n");
    assert_eq!(yes.status, 0, "{}", yes.err);
    assert!(yes.out.contains("+  4) 35: 8/3 6/3"), "{}", yes.out);
}

#[test]
fn a_play_that_stood_is_not_repaired() {
    let ran = tawla(&["fix", "fixtures/rules/dice-left.mat"]);
    assert_eq!((ran.status, ran.out.as_str()), (0, ""), "{}", ran.err);
    assert!(ran.err.contains("nothing to repair"), "{}", ran.err);
}
