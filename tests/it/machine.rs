//! Outputs of `check` for machines: SARIF, workflow commands, statistics, and lines that come at once.

use std::collections::BTreeMap;
use std::process::Stdio;

use serde_json::Value;
use serde_sarif::sarif::Sarif;

use crate::support::command::{Ran, tawla};
use crate::support::folder::Folder;

const CLEAN: &str = "fixtures/mat/jellyfish.mat";
const WRONG: &str = "fixtures/rules/dice-left.mat";
const WARNING: &str = "fixtures/rules/double-unanswered.mat";
const NOTE: &str = "fixtures/rules/dead-cube.mat";
const ALLOWED: &str = "fixtures/mat/allowed.mat";
const BINARY: &str = "fixtures/xg";
const EMPTY: &str = "fixtures/broken/empty.mat";

fn sarif(args: &[&str]) -> Value {
    let Ran { out, .. } = tawla(&[&["check", "--format", "sarif"], args].concat());
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}"))
}

/// Without what is null: the types of the schema write a field that is not there so.
fn compact(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields
                .into_iter()
                .map(|(name, field)| (name, compact(field)));
            fields.filter(|(_, field)| !field.is_null()).collect()
        }
        Value::Array(items) => items.into_iter().map(compact).collect(),
        value => value,
    }
}

/// The types of the schema know each field and each word of a log; what they do not know is lost on the way
/// through them.
fn assert_fits_the_schema(log: &Value) {
    let typed: Sarif = serde_json::from_value(log.clone()).expect("a log of the schema");
    let again = serde_json::to_value(&typed).expect("JSON");
    assert_eq!(compact(again), compact(log.clone()));
}

#[test]
fn logs_fit_the_schema_of_sarif() {
    let folders = ["fixtures/rules", "fixtures/mat", "fixtures/broken", BINARY];
    let log = sarif(&[&["--statistics", "--show-suppressed"], &folders[..]].concat());
    assert_fits_the_schema(&log);
    assert_fits_the_schema(&sarif(&[CLEAN]));
    assert_fits_the_schema(&sarif(&["none.mat"]));
}

#[test]
fn a_log_says_what_json_says() {
    let paths = [WRONG, WARNING, NOTE, "fixtures/mat/escape-sequences.mat"];
    let log = sarif(&paths);
    let run = &log["runs"][0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    let json = tawla(&[&["check", "--format", "json"][..], &paths].concat()).out;
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let files = json["files"].as_array().expect("files").iter();
    let findings: Vec<(&Value, &Value)> = files
        .flat_map(|file| {
            let findings = file["findings"].as_array().expect("findings").iter();
            findings.map(move |finding| (&file["path"], finding))
        })
        .collect();
    let results = run["results"].as_array().expect("results");
    assert_eq!(results.len(), findings.len());
    assert!(results.len() > 2);
    for (result, (path, finding)) in results.iter().zip(findings) {
        let place = &result["locations"][0]["physicalLocation"];
        let region = &place["region"];
        assert_eq!(&place["artifactLocation"]["uri"], path);
        assert_eq!(result["ruleId"], finding["code"]);
        assert_eq!(result["level"], finding["level"]);
        for (sarif, json) in [
            ("startLine", "line"),
            ("startColumn", "column"),
            ("endLine", "end_line"),
            ("endColumn", "end_column"),
        ] {
            assert_eq!(region[sarif], finding[json], "{finding}");
        }
        let index = result["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
    }
}

#[test]
fn a_log_names_inputs_that_cannot_be_read() {
    let log = sarif(&[WRONG, "none.mat"]);
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    assert_eq!(invocation["exitCode"], 2);
    let told = &invocation["toolExecutionNotifications"][0];
    assert_eq!(told["level"], "error");
    let place = &told["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "none.mat");
    let well = &sarif(&[WRONG])["runs"][0]["invocations"][0];
    assert_eq!(well["executionSuccessful"], true);
    assert_eq!(well["exitCode"], 1);
}

#[test]
fn what_a_transcript_allows_is_suppressed_in_the_log() {
    let log = sarif(&[ALLOWED]);
    let results = log["runs"][0]["results"].as_array().expect("results");
    let reasons: Vec<&Value> = results
        .iter()
        .map(|result| &result["suppressions"][0])
        .collect();
    assert_eq!(reasons.len(), 3);
    for reason in reasons {
        assert_eq!(reason["kind"], "inSource");
        assert!(reason["justification"].is_string(), "{reason}");
    }
}

#[test]
fn fingerprints_do_not_depend_on_lines() {
    let folder = Folder::new("fingerprints");
    let text = std::fs::read_to_string(crate::support::root().join(WRONG)).expect("a fixture");
    // The same faulty row again, in the same place of a second match.
    let before = folder.write("before.mat", format!("{text}{text}"));
    let after = folder.write(
        "after.mat",
        format!("; [Event \"Cup\"]\n; a remark\n{text}{text}"),
    );
    let prints = |path: &str| -> Vec<Value> {
        let log = sarif(&["--select", "dice-left", path]);
        let results = log["runs"][0]["results"].as_array().expect("results");
        let print = |result: &Value| result["partialFingerprints"].clone();
        results.iter().map(print).collect()
    };
    let found = prints(&before);
    assert_eq!(found.len(), 2);
    assert_ne!(found[0], found[1]);
    assert_eq!(found, prints(&after));
}

#[test]
fn workflow_commands_stand_one_a_line() {
    let ran = tawla(&["check", "--format", "github", WRONG, WARNING, NOTE, EMPTY]);
    let starts: Vec<&str> = ran
        .out
        .lines()
        .map(|line| line.split_once(',').map_or(line, |(start, _)| start))
        .collect();
    assert_eq!(
        starts[..3],
        [
            format!("::error file={WRONG}"),
            format!("::warning file={WARNING}"),
            format!("::notice file={NOTE}"),
        ]
    );
    assert_eq!(starts.len(), 4, "{}", ran.out);
    assert!(
        ran.out
            .contains(&format!("::error file={EMPTY}::cannot be read: ")),
        "{}",
        ran.out
    );
    assert_eq!(ran.status, 2);
}

#[test]
fn statistics_count_what_is_reported() {
    let count = |format: &str, args: &[&str]| -> Ran {
        let start = ["check", "--statistics", "--format", format];
        tawla(&[&start[..], args, &[WRONG, WRONG, WARNING]].concat())
    };
    let json: Value = serde_json::from_str(&count("json", &[]).out).expect("JSON");
    let expected = serde_json::json!({"dice-left": 2, "double-unanswered": 1});
    assert_eq!(json["summary"]["statistics"], expected);
    let ignored = count("json", &["--ignore", "dice-left"]).out;
    let ignored: Value = serde_json::from_str(&ignored).expect("JSON");
    assert_eq!(
        ignored["summary"]["statistics"],
        serde_json::json!({"double-unanswered": 1})
    );
    // Without a summary each file has its own.
    let mut sum: BTreeMap<String, u64> = BTreeMap::new();
    for line in count("ndjson", &[]).out.lines() {
        let file: Value = serde_json::from_str(line).expect("JSON");
        for (code, number) in file["statistics"].as_object().expect("counts") {
            *sum.entry(code.clone()).or_default() += number.as_u64().expect("a count");
        }
    }
    assert_eq!(serde_json::to_value(sum).expect("JSON"), expected);
    let human = count("human", &[]).out;
    assert!(
        human.contains("\u{2502}     2 \u{2506} dice-left "),
        "{human}"
    );
}

/// Two inputs that are pipes: what is found in the first is read before the second has begun.
#[cfg(unix)]
#[test]
fn lines_come_as_soon_as_their_files_are_read() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::Command;

    let text = std::fs::read(crate::support::root().join(WRONG)).expect("a fixture");
    for (command, jobs) in [
        ("check", &["--jobs", "1"][..]),
        ("check", &[]),
        ("score", &[]),
    ] {
        let folder = Folder::new(&format!("pipes-{command}-{}", jobs.len()));
        let pipes = ["first", "second"].map(|name| {
            let path = format!("{}/{name}.mat", folder.path());
            let made = Command::new("mkfifo").arg(&path).status();
            assert!(made.expect("mkfifo").success());
            path
        });
        let args = [command, "--format", "ndjson", &pipes[0], &pipes[1]];
        let mut child = crate::support::command::program(&[&args[..], jobs].concat())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
        std::fs::write(&pipes[0], &text).expect("a reader");
        let mut line = String::new();
        out.read_line(&mut line).expect("a line");
        let first: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(first["path"], pipes[0].as_str());
        std::fs::write(&pipes[1], &text).expect("a reader");
        let mut rest = String::new();
        out.read_to_string(&mut rest).expect("a line");
        let second: Value = serde_json::from_str(&rest).expect("JSON");
        assert_eq!(second["path"], pipes[1].as_str());
        child.wait().expect("an end");
    }
}
