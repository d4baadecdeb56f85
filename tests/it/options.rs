//! Every option of the rules changes a verdict: for each a transcript that one value allows and another one
//! does not, with what `check` prints under both.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;
use tawla::ruleset::OPTIONS;

use crate::support::command::tawla;
use crate::support::golden::Golden;
use crate::support::root;

/// An option, the transcript, the value under which nothing is wrong with it, and the other one with the code
/// that is found then.
type Case = (
    &'static str,
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
    &'static str,
);

/// One for each option.
const CASES: &[Case] = &[
    (
        "set",
        "set-of-the-cafe.mat",
        &["--rules", "match"],
        &["--rules", "cafe"],
        "no-cube-in-use",
    ),
    (
        "variant",
        "variant-of-nackgammon.mat",
        &["--variant", "nackgammon"],
        &["--variant", "backgammon"],
        "no-checker",
    ),
    (
        "match-lengths",
        "match-lengths-of-a-server.mat",
        &["--match-lengths", "any"],
        &["--match-lengths", "1,3,5,7"],
        "bad-header",
    ),
    (
        "cube",
        "cube-in-use.mat",
        &["--cube"],
        &["--no-cube"],
        "no-cube-in-use",
    ),
    (
        "cube-limit",
        "cube-limit-of-two.mat",
        &["--no-cube-limit"],
        &["--cube-limit", "2"],
        "cube-limit",
    ),
    (
        "crawford",
        "crawford-game-with-a-double.mat",
        &["--no-crawford"],
        &["--crawford"],
        "double-in-crawford-game",
    ),
    (
        "holland",
        "holland-after-the-crawford-game.mat",
        &["--no-holland"],
        &["--holland"],
        "double-too-early",
    ),
    (
        "jacoby",
        "jacoby-with-a-gammon.mat",
        &["--no-jacoby"],
        &["--jacoby"],
        "impossible-points",
    ),
    (
        "beavers",
        "beavers-among-friends.mat",
        &["--beavers"],
        &["--no-beavers"],
        "beaver-not-agreed",
    ),
    (
        "raccoons",
        "raccoons-among-friends.mat",
        &["--raccoons"],
        &["--no-raccoons"],
        "raccoon-not-agreed",
    ),
    (
        "automatic-doubles",
        "automatic-doubles-at-the-opening.mat",
        &["--automatic-doubles", "1"],
        &["--automatic-doubles", "0"],
        "automatic-double-not-agreed",
    ),
    (
        "backgammon-counts",
        "backgammon-counts-two-or-three.mat",
        &["--backgammon-counts", "3"],
        &["--backgammon-counts", "2"],
        "wrong-points",
    ),
    (
        "opening-reroll",
        "opening-reroll-of-a-double.mat",
        &["--opening-reroll"],
        &["--no-opening-reroll"],
        "opening-double",
    ),
    (
        "clock",
        "clock-of-a-server.json",
        &["--no-clock"],
        &["--clock", "12/120"],
        "bank-empty",
    ),
];

/// The codes of the findings that are more than notes.
fn found(path: &str, flags: &[&str]) -> Vec<String> {
    let ran = tawla(&[&["check", "--format", "json"], flags, &[path]].concat());
    let output: Value = serde_json::from_str(&ran.out).expect("JSON");
    let findings = output["files"][0]["findings"].as_array().expect("findings");
    let more = findings.iter().filter(|finding| finding["level"] != "note");
    more.map(|finding| finding["code"].as_str().expect("a code").to_owned())
        .collect()
}

#[test]
fn every_option_changes_a_verdict() {
    let mut golden = Golden::new();
    for (option, file, allowed, forbidden, code) in CASES {
        let path = format!("fixtures/options/{file}");
        assert_eq!(found(&path, allowed), [""; 0], "{option}");
        assert_eq!(found(&path, forbidden), [*code], "{option}");
        for (ending, flags) in [("allowed", allowed), ("forbidden", forbidden)] {
            let ran = tawla(&[&["check"], *flags, &[path.as_str()]].concat());
            let beside = root().join(&path).with_extension(ending);
            golden.compare(ran.out + &ran.err, &beside);
        }
    }
    golden.end();
    let options: BTreeSet<&str> = OPTIONS.iter().map(|option| option.name).collect();
    let cases: BTreeSet<&str> = CASES.iter().map(|case| case.0).collect();
    assert_eq!(options, cases);
}

#[test]
fn options_that_contradict_each_other_are_named_both() {
    for (flags, words) in [
        (["--no-cube", "--jacoby"], ["--no-cube", "--jacoby"]),
        (
            ["--raccoons", "--no-beavers"],
            ["--raccoons", "--no-beavers"],
        ),
        (
            ["--holland", "--no-crawford"],
            ["--holland", "--no-crawford"],
        ),
    ] {
        let path = "fixtures/options/cube-in-use.mat";
        let ran = tawla(&[&["check"], &flags[..], &[path]].concat());
        assert_eq!(ran.status, 2, "{flags:?}");
        assert!(
            words.iter().all(|word| ran.err.contains(word)),
            "{}",
            ran.err
        );
    }
}

#[test]
fn who_lost_on_time_is_said_and_what_the_bank_holds() {
    let path = "fixtures/options/clock-of-a-server.json";
    let flags = ["--clock", "12/120"];
    let score = tawla(&[&["score"], &flags[..], &[path]].concat());
    assert!(score.out.contains("Ayla lost on time"), "{}", score.out);
    let show = tawla(&[&["show"], &flags[..], &[path]].concat());
    assert!(
        show.out.contains("31: 8/5 6/5  (bank 1:22)"),
        "{}",
        show.out
    );
    assert!(show.out.contains("65: 24/13  (bank -0:11)"), "{}", show.out);
    let json = tawla(&[&["score", "--format", "json"], &flags[..], &[path]].concat());
    let output: Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(output["files"][0]["matches"][0]["lost_on_time"], 0);
}

#[test]
fn the_nearest_file_of_rules_holds_and_says_what_is_wrong_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let text = fs::read_to_string(root().join("fixtures/options/beavers-among-friends.mat"));
    let text = text.expect("a fixture");
    fs::create_dir(at("cafe")).expect("a folder");
    for name in ["x.mat", "cafe/x.mat"] {
        fs::write(at(name), &text).expect("a file");
    }
    let rules = "[rules]\nbeavers = true\n\n[[files]]\npaths = \"cafe/**\"\nbeavers = false\n";
    fs::write(at("tawla.toml"), rules).expect("a file");
    let checked = |name: &str, flags: &[&str]| {
        let path = at(name).to_string_lossy().into_owned();
        tawla(&[&["check"], flags, &[path.as_str()]].concat())
    };
    let ran = checked("x.mat", &[]);
    assert_eq!(ran.status, 0, "{}", ran.out);
    assert!(ran.out.contains("beavers on (file)"), "{}", ran.out);
    assert_eq!(checked("cafe/x.mat", &[]).status, 1);
    // A flag outranks the file, and no file leaves it open.
    assert_eq!(checked("cafe/x.mat", &["--beavers"]).status, 0);
    let ran = checked("cafe/x.mat", &["--no-config"]);
    assert!(ran.out.contains("beavers not stated (set)"), "{}", ran.out);
    // A tag outranks it as well.
    fs::write(at("x.mat"), format!("; [Beaver \"Off\"]\n{text}")).expect("a file");
    assert_eq!(checked("x.mat", &[]).status, 1);
    let path = at("cafe/x.mat").to_string_lossy().into_owned();
    let ran = tawla(&["rules", "--format", "json", &path]);
    let output: Value = serde_json::from_str(&ran.out).expect("JSON");
    let beavers = &output["options"]["beavers"];
    assert_eq!(beavers["value"], "off");
    assert_eq!(beavers["origin"], "file");
    assert!(
        beavers["from"]
            .as_str()
            .is_some_and(|from| from.contains("line 6"))
    );
    fs::write(at("tawla.toml"), "[rules]\nbeaver = true\n").expect("a file");
    let ran = checked("x.mat", &[]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.err.contains("line 2: beaver is not an option"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("did you mean beavers?"), "{}", ran.err);
    // In a folder too nothing is passed over in silence.
    let ran = tawla(&["check", &folder.path().to_string_lossy()]);
    assert_eq!(ran.status, 2, "{}", ran.err);
}
