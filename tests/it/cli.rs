//! The command: statuses, inputs, options, and what a script relies on.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use crate::support::command::{Ran, finish, program, tawla, tawla_reading};
use crate::support::folder::Folder;
use crate::support::root;

const CLEAN: &str = "fixtures/mat/jellyfish.mat";
const WRONG: &str = "fixtures/rules/dice-left.mat";
const WARNING: &str = "fixtures/rules/double-unanswered.mat";
const NOTE: &str = "fixtures/rules/dead-cube.mat";
const EMPTY: &str = "fixtures/broken/empty.mat";

fn status(args: &[&str]) -> i32 {
    tawla(args).status
}

#[test]
fn the_status_tells_what_was_found() {
    assert_eq!(status(&["check", CLEAN]), 0);
    assert_eq!(status(&["check", WARNING]), 0);
    assert_eq!(status(&["check", WRONG]), 1);
    assert_eq!(status(&["check", EMPTY]), 2);
    assert_eq!(status(&["check", "none.mat"]), 2);
    assert_eq!(status(&["check", "--colour"]), 2);
    assert_eq!(status(&["score", WRONG]), 0);
    assert_eq!(status(&["show", EMPTY]), 2);
    assert_eq!(status(&["id", "4HPwATDgc/ABMA"]), 0);
    assert_eq!(status(&["id", "nonsense"]), 1);
    assert_eq!(status(&["plays", "nonsense", "31"]), 1);
    assert_eq!(status(&["plays", "4HPwATDgc/ABMA"]), 2);
    assert_eq!(status(&["plays", "4HPwATDgc/ABMA", "31"]), 0);
    assert_eq!(
        status(&["plays", "4HPwATDgc/ABMA", "31", "--why", "8/5"]),
        1
    );
    assert_eq!(status(&["explain", "dice-left"]), 0);
    assert_eq!(status(&["explain", "no-such-code"]), 2);
    assert_eq!(status(&["--version"]), 0);
    assert_eq!(status(&[]), 2);
}

#[test]
fn the_level_says_what_counts() {
    for (path, statuses) in [
        (WRONG, [1, 1, 1]),
        (WARNING, [0, 1, 1]),
        (NOTE, [0, 0, 1]),
        (CLEAN, [0, 0, 0]),
    ] {
        let found =
            ["error", "warning", "note"].map(|level| status(&["check", "--level", level, path]));
        assert_eq!(found, statuses, "{path}");
    }
    assert_eq!(status(&["check", "--exit-zero", WRONG]), 0);
    assert_eq!(status(&["check", "--exit-zero", EMPTY]), 2);
}

#[test]
fn quiet_prints_nothing() {
    for format in ["human", "concise", "json", "ndjson"] {
        let ran = tawla(&["check", "--quiet", "--format", format, WRONG]);
        assert_eq!(
            (ran.status, ran.out.as_str(), ran.err.as_str()),
            (1, "", ""),
            "{format}"
        );
    }
}

#[test]
fn select_and_ignore_leave_out_codes() {
    let codes = |args: &[&str]| -> Vec<String> {
        let ran = tawla(
            &[
                &["check", "--format", "concise"],
                args,
                &["fixtures/rules/not-judged.mat", WRONG],
            ]
            .concat(),
        );
        let code = |line: &str| line.split(['[', ']']).nth(1).expect("a code").to_owned();
        ran.out.lines().map(code).collect()
    };
    assert_eq!(codes(&[]), ["not-judged", "dice-left"]);
    assert_eq!(codes(&["--select", "dice-left"]), ["dice-left"]);
    assert_eq!(codes(&["--ignore", "dice-left"]), ["not-judged"]);
    assert_eq!(
        codes(&["--select", "dice-left,not-judged"]),
        ["not-judged", "dice-left"]
    );
    assert_eq!(status(&["check", "--ignore", "dice-left", WRONG]), 0);
    assert_eq!(status(&["check", "--select", "not-judged", WRONG]), 0);
}

#[test]
fn a_code_that_does_not_exist_is_met_with_the_nearest() {
    for args in [
        &["explain", "dice-lef"][..],
        &["check", "--ignore", "dice-lef", CLEAN],
    ] {
        let ran = tawla(args);
        assert_eq!(ran.status, 2);
        assert!(ran.err.contains("did you mean dice-left?"), "{}", ran.err);
    }
}

#[test]
fn standard_input_is_read_by_name_and_by_default() {
    let bytes = fs::read(root().join(WRONG)).expect("a fixture");
    let named = tawla_reading(&["check", "-"], &bytes);
    let default = tawla_reading(&["check"], &bytes);
    assert_eq!((named.status, &named.out), (1, &default.out));
    assert!(named.out.contains("--> -:6:6"), "{}", named.out);
    let shown = tawla_reading(&["show"], &bytes);
    assert_eq!(shown.status, 0);
    let scored = tawla_reading(&["score", "-"], &bytes);
    assert!(scored.out.contains("Ayla"), "{}", scored.out);
    let ids = tawla_reading(
        &["id", "--to", "position-id"],
        b"XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10\n\n",
    );
    assert_eq!(ids.out, "4HPwATDgc/ABMA\n", "{}", ids.err);
}

#[test]
fn a_folder_is_walked_in_the_order_of_names() {
    let folder = Folder::new("a folder");
    folder.copy(WRONG, "b.mat");
    folder.copy(CLEAN, "a.txt");
    folder.copy(CLEAN, "c/.hidden.mat");
    folder.copy("fixtures/broken/prose.txt", "read me.txt");
    let ran = tawla(&["check", "--format", "json", folder.path()]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    let output: Value = serde_json::from_str(&ran.out).expect("JSON");
    let names: Vec<&str> = output["files"]
        .as_array()
        .expect("files")
        .iter()
        .filter_map(|file| Path::new(file["path"].as_str()?).file_name()?.to_str())
        .collect();
    assert_eq!(names, ["a.txt", "b.mat", ".hidden.mat"]);
    assert!(ran.err.contains("1 file passed over"), "{}", ran.err);
    let nothing = Folder::new("an empty folder");
    assert_eq!(status(&["check", nothing.path()]), 0);
}

#[test]
fn a_broken_input_stops_no_other() {
    let ran = tawla(&["check", "--format", "json", EMPTY, WRONG, "none.mat", CLEAN]);
    assert_eq!(ran.status, 2);
    let output: Value = serde_json::from_str(&ran.out).expect("JSON");
    let files = output["files"].as_array().expect("files");
    let errors: Vec<Option<&str>> = files.iter().map(|file| file["error"].as_str()).collect();
    assert_eq!(errors[0], Some("the file is empty"));
    assert!(
        errors[2]
            .is_some_and(|error| error.contains("o such file") || error.contains("cannot find"))
    );
    assert_eq!((errors[1], errors[3]), (None, None));
    assert_eq!(files[1]["findings"][0]["code"], "dice-left");
    assert_eq!(ran.err.lines().count(), 2, "{}", ran.err);
    let ran = tawla(&["check", EMPTY, WRONG]);
    assert_eq!(ran.status, 2);
    assert!(ran.out.contains("error[dice-left]"), "{}", ran.out);
    let ran = tawla(&["score", EMPTY, CLEAN]);
    assert_eq!(ran.status, 2);
    assert!(ran.out.contains("Burak"), "{}", ran.out);
}

#[test]
fn odd_names_of_files_are_no_trouble() {
    let folder = Folder::new("odd names");
    for name in [
        "final of 2026.mat",
        "şampiyona – çeyrek.mat",
        "-wrong.mat",
        "a\x1b[31mb.mat",
    ] {
        let path = folder.copy(WRONG, name);
        let ran = tawla(&["check", &path]);
        assert_eq!(ran.status, 1, "{name}");
        assert!(!ran.out.contains('\x1b'), "{name}");
        let mut command = program(&["check", "--format", "json", "--", name]);
        let ran = finish_in(&mut command, folder.as_path());
        let output: Value = serde_json::from_str(&ran.out).expect("JSON");
        assert_eq!(output["files"][0]["path"], name);
        assert_eq!(ran.status, 1, "{name}");
    }
}

fn finish_in(command: &mut std::process::Command, folder: &Path) -> Ran {
    let mut moved = std::process::Command::new(command.get_program());
    moved.args(command.get_args()).current_dir(folder);
    finish(moved)
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let paths = vec![CLEAN; 400];
    for command in [
        &["check", "--format", "json"][..],
        &["score"],
        &["explain"],
        &["schema"],
    ] {
        let paths = if ["check", "score"].contains(&command[0]) {
            &paths[..]
        } else {
            &[]
        };
        let mut child = program(&[command, paths].concat())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        let mut err = String::new();
        let mut stderr = child.stderr.take().expect("a pipe");
        stderr.read_to_string(&mut err).expect("a text");
        let status = child.wait().expect("the program ends");
        assert_eq!((status.code(), err.as_str()), (Some(0), ""), "{command:?}");
    }
}

#[test]
fn colour_comes_only_where_it_is_wanted() {
    let is_coloured = |ran: Ran| ran.out.contains('\x1b');
    assert!(is_coloured(tawla(&["check", "--color", "always", WRONG])));
    assert!(!is_coloured(tawla(&["check", "--color", "never", WRONG])));
    assert!(!is_coloured(tawla(&["check", WRONG])));
    let mut command = program(&["check", WRONG]);
    command.env("NO_COLOR", "1");
    assert!(!is_coloured(finish(command)));
}

#[test]
fn nothing_in_a_file_reaches_the_terminal_as_a_command() {
    let paths = [
        "escape-sequences.mat",
        "escape-sequences-in-tags.mat",
        "control-characters.mat",
    ];
    for path in paths.map(|name| format!("fixtures/broken/{name}")) {
        for command in [
            &["check"][..],
            &["check", "--format", "concise"],
            &["check", "--boards"],
            &["score"],
            &["show"],
        ] {
            let ran = tawla(&[command, &[path.as_str()]].concat());
            let is_harmless = |c: char| {
                (!c.is_control() || c == '\n' || c == '\t') && c != '\u{202e}' && c != '\u{2066}'
            };
            let printed = ran.out + &ran.err;
            assert!(
                printed.chars().all(is_harmless),
                "{command:?} {path}: {printed:?}"
            );
            assert!(!printed.is_empty(), "{command:?} {path}");
        }
    }
    let ran = tawla(&["id", "\x1b[31m"]);
    assert!(!(ran.out + &ran.err).contains('\x1b'));
    let ran = tawla(&["check", "\x1b[31m.mat"]);
    assert!(!ran.err.contains('\x1b'), "{:?}", ran.err);
}

#[test]
fn the_order_of_output_does_not_depend_on_the_number_of_jobs() {
    for format in ["human", "concise", "json", "ndjson"] {
        let run = |jobs| {
            let ran = tawla(&[
                "check",
                "--format",
                format,
                "--jobs",
                jobs,
                "fixtures/rules",
                EMPTY,
                "fixtures/mat",
            ]);
            (ran.status, ran.out, ran.err)
        };
        assert_eq!(run("1"), run("2"), "{format}");
    }
    assert_eq!(status(&["check", "--jobs", "0", CLEAN]), 2);
}

#[test]
fn options_outrank_tags_and_the_named_set() {
    let origin = |args: &[&str], name: &str| {
        let path = "fixtures/rules/no-cube-in-use-by-tag.mat";
        let ran = tawla(&[&["check", "--format", "json"], args, &[path]].concat());
        let output: Value = serde_json::from_str(&ran.out).expect("JSON");
        output["files"][0]["matches"][0]["rules"]["origin"][name].clone()
    };
    assert_eq!(origin(&[], "cube"), "tag");
    assert_eq!(origin(&["--no-cube"], "cube"), "option");
    assert_eq!(origin(&["--no-crawford"], "crawford"), "option");
    assert_eq!(status(&["check", "--rules", "chess", CLEAN]), 2);
}

#[test]
fn an_encoding_can_be_named() {
    let path = "fixtures/rules/encoding-guessed.mat";
    let ran = tawla(&["score", "--encoding", "windows-1254", path]);
    assert!(
        ran.out.contains("Gül") && ran.out.contains("Jörg"),
        "{}",
        ran.out
    );
    let ran = tawla(&[
        "check",
        "--encoding",
        "windows-1254",
        "--level",
        "note",
        path,
    ]);
    assert_eq!(ran.status, 0, "{}", ran.out);
    assert_eq!(status(&["check", "--encoding", "klingon", path]), 2);
}

#[test]
fn a_game_or_ply_that_is_not_there_is_said() {
    assert_eq!(status(&["show", CLEAN, "--game", "3", "--ply", "1"]), 0);
    for args in [
        &["--game", "4"][..],
        &["--game", "1", "--ply", "99"],
        &["--match", "2"],
        &["--match", "0"],
    ] {
        let ran = tawla(&[&["show", CLEAN], args].concat());
        assert_eq!(ran.status, 2, "{args:?}");
        assert!(ran.err.contains("there is no"), "{}", ran.err);
    }
}

/// Long inputs are read in pieces; places and numbers count from the start all the same.
#[test]
fn a_stream_of_many_matches_is_one_input() {
    let read = |path| fs::read_to_string(root().join(path)).expect("a fixture");
    let (clean, wrong) = (read(CLEAN), read(WRONG));
    let stream = (clean.repeat(1300) + &wrong).repeat(2);
    assert!(stream.len() > 1 << 21, "{} bytes", stream.len());
    let ran = tawla_reading(&["check", "--format", "json"], stream.as_bytes());
    let output: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(
        (ran.status, &output["summary"]["matches"]),
        (1, &2602.into())
    );
    let file = &output["files"][0];
    assert_eq!(file["matches"].as_array().map(Vec::len), Some(2602));
    let place = |finding: &Value| {
        let code = finding["code"].as_str().expect("a code").to_owned();
        (code, finding["match"].as_u64(), finding["line"].as_u64())
    };
    let findings = file["findings"].as_array().expect("findings");
    let found: Vec<_> = findings.iter().map(place).collect();
    let (clean, wrong) = (clean.lines().count() as u64, wrong.lines().count() as u64);
    let expected = [
        ("several-matches", 1, clean + 1),
        ("dice-left", 1301, 1300 * clean + 6),
        ("dice-left", 2602, 2600 * clean + wrong + 6),
    ];
    let expected = expected.map(|(code, number, line)| (code.to_owned(), Some(number), Some(line)));
    assert_eq!(found, expected);
}

#[test]
fn a_conversion_goes_where_it_is_sent_and_replaces_nothing() {
    let folder = Folder::new("convert-one");
    let output = format!("{}/final.sgf", folder.path());
    let ran = tawla(&["convert", CLEAN, "-o", &output]);
    assert_eq!((ran.status, ran.out.as_str()), (0, ""), "{}", ran.err);
    let first = fs::read_to_string(&output).expect("an output");
    assert!(first.starts_with("(;FF[4]GM[6]"), "{first}");

    let ran = tawla(&["convert", WRONG, "-o", &output]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("--force"), "{}", ran.err);
    assert_eq!(fs::read_to_string(&output).ok(), Some(first.clone()));

    let ran = tawla(&["convert", WRONG, "-o", &output, "--force"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert_ne!(fs::read_to_string(&output).ok(), Some(first));

    let nameless = format!("{}/final.unheard", folder.path());
    let ran = tawla(&["convert", CLEAN, "-o", &nameless]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("--to"), "{}", ran.err);
}

#[test]
fn a_folder_takes_several_conversions_and_never_two_in_one_file() {
    let folder = Folder::new("convert-many");
    folder.copy(CLEAN, "in/one.mat");
    folder.copy(WRONG, "in/two.mat");
    folder.copy(CLEAN, "in/two.txt");
    let (from, to) = (
        format!("{}/in", folder.path()),
        format!("{}/out/", folder.path()),
    );
    let ran = tawla(&["convert", &from, "-t", "sgf", "-o", &to]);
    assert_eq!(ran.status, 2);
    assert_eq!(ran.err.matches("another input").count(), 1, "{}", ran.err);
    let mut names: Vec<String> = fs::read_dir(&to)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string())
        .map(|name| name.expect("a name in UTF-8"))
        .collect();
    names.sort();
    assert_eq!(names, ["one.sgf", "two.sgf"]);

    let file = format!("{}/all.sgf", folder.path());
    let ran = tawla(&["convert", &from, "-o", &file]);
    assert_eq!(ran.status, 2);
    assert!(!Path::new(&file).exists());
}

#[test]
fn what_is_lost_is_said_and_can_be_an_error() {
    let folder = Folder::new("convert-loss");
    let output = format!("{}/match.mat", folder.path());
    let args = ["convert", "fixtures/sgf/match.sgf", "-o", &output];
    let ran = tawla(&[args.as_slice(), &["--error-on-loss"]].concat());
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("lost: analysis (1)"), "{}", ran.err);
    assert!(!Path::new(&output).exists());

    let ran = tawla(&args);
    assert_eq!(ran.status, 0);
    assert!(ran.err.contains("lost: analysis (1)"), "{}", ran.err);
    let again = tawla(&["check", &output]);
    assert_eq!(again.status, 0, "{}", again.out);

    let ran = tawla(&[args.as_slice(), &["--force", "--quiet"]].concat());
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
}

#[test]
fn conversions_work_in_a_pipe() {
    let bytes = fs::read(root().join(CLEAN)).expect("a fixture");
    let sgf = tawla_reading(&["convert", "-t", "sgf"], &bytes);
    assert_eq!(sgf.status, 0, "{}", sgf.err);
    let back = tawla_reading(&["convert", "-", "-t", "mat", "-q"], sgf.out.as_bytes());
    let (before, after) = (
        tawla(&["score", CLEAN]),
        tawla_reading(&["score"], back.out.as_bytes()),
    );
    // SGF states the Crawford rule, which the transcript left to the usual.
    let sheet = |ran: &Ran| {
        let lines = ran.out.lines().skip(1).map(str::to_owned);
        lines
            .filter(|line| !line.starts_with("rules"))
            .collect::<Vec<_>>()
    };
    assert_eq!(sheet(&before), sheet(&after));

    let ran = tawla_reading(&["convert"], &bytes);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("--to"), "{}", ran.err);
    let ran = tawla_reading(&["convert", "-t", "snowie"], &bytes);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("bgammon"), "{}", ran.err);
}

#[test]
fn a_table_has_one_row_a_decision() {
    let ran = tawla(&["convert", CLEAN, CLEAN, "-t", "csv"]);
    let mut lines = ran.out.lines();
    let header: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let rows: Vec<&str> = lines.collect();
    assert!(header.contains(&"xgid_before"), "{header:?}");
    // The header stands once.
    assert!(rows.iter().all(|row| !row.contains("xgid_before")));
    let ndjson = tawla(&["convert", CLEAN, "-t", "ndjson"]);
    let decisions: Vec<Value> = ndjson
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(decisions.len() * 2, rows.len());
    let opening = &decisions[0];
    assert_eq!(
        opening["xgid_before"].as_str().map(|id| &id[..5]),
        Some("XGID=")
    );
    let keys: Vec<&String> = opening.as_object().expect("an object").keys().collect();
    assert_eq!(keys.len(), header.len());
}
