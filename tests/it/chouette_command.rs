//! `tawla chouette`: statuses, options, inputs, and what its JSON promises.

use std::fs;

use serde::Deserialize;
use serde_json::Value;

use crate::json::{Nullable, Related, Rules, assert_fits, read, schema};
use crate::support::command::{tawla, tawla_reading};
use crate::support::fixtures::chouette_fixtures;
use crate::support::root;

const CLEAN: &str = "fixtures/chouette/friday.chouette";
const WRONG: &str = "fixtures/chouette/rules/wrong-seat.chouette";
const WARNING: &str = "fixtures/chouette/rules/result-missing.chouette";
const NOTE: &str = "fixtures/chouette/rules/game-unfinished.chouette";
const OTHER: &str = "fixtures/mat/jellyfish.mat";

fn status(args: &[&str]) -> i32 {
    tawla(&[&["chouette"], args].concat()).status
}

#[test]
fn the_status_tells_what_was_found() {
    for (path, statuses) in [
        (CLEAN, [0, 0, 0]),
        (WRONG, [1, 1, 1]),
        (WARNING, [0, 1, 1]),
        (NOTE, [0, 0, 1]),
        (OTHER, [2, 2, 2]),
        ("none.chouette", [2, 2, 2]),
    ] {
        let found = ["error", "warning", "note"].map(|level| status(&["--level", level, path]));
        assert_eq!(found, statuses, "{path}");
    }
    assert_eq!(status(&[CLEAN, OTHER, WRONG]), 2);
    assert_eq!(status(&["--cube-limit", "0", CLEAN]), 2);
    for format in ["human", "json", "ndjson"] {
        let ran = tawla(&["chouette", "--quiet", "--format", format, WRONG]);
        let printed = (ran.status, ran.out.as_str(), ran.err.as_str());
        assert_eq!(printed, (1, "", ""), "{format}");
    }
}

#[test]
fn a_log_that_is_none_is_said_and_stops_no_other() {
    let ran = tawla(&["chouette", OTHER, WRONG]);
    assert!(ran.err.contains("not a session log"), "{}", ran.err);
    assert!(ran.out.contains("error[wrong-seat]"), "{}", ran.out);
    let ran = tawla_reading(&["chouette", "-"], b" \n");
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("the file is empty"), "{}", ran.err);
}

#[test]
fn standard_input_is_read_by_name_and_by_default() {
    let bytes = fs::read(root().join(WRONG)).expect("a fixture");
    let named = tawla_reading(&["chouette", "-"], &bytes);
    let default = tawla_reading(&["chouette"], &bytes);
    assert_eq!((named.status, &named.out), (1, &default.out));
    assert!(named.out.contains("--> -:4:1"), "{}", named.out);
}

#[test]
fn both_forms_of_a_session_print_the_same() {
    let settled = |path| -> Vec<String> {
        let out = tawla(&["chouette", path]).out;
        out.lines().skip(1).map(str::to_owned).collect()
    };
    assert_eq!(
        settled(CLEAN),
        settled("fixtures/chouette/friday-in-json.json")
    );
}

/// The points of the first player after a session.
fn first_total(args: &[&str], log: &[u8]) -> i64 {
    let ran = tawla_reading(&[&["chouette", "--format", "json"], args].concat(), log);
    let output: Value = read(&ran.out);
    output["files"][0]["total"][0]["points"]
        .as_i64()
        .expect("points")
}

#[test]
fn options_outrank_the_log() {
    let log = b"rules: jacoby\nseats: Ayla, Burak, Ceren\nresult: box wins backgammon\n";
    assert_eq!(first_total(&[], log), 2);
    assert_eq!(first_total(&["--no-jacoby"], log), 6);
    assert_eq!(
        first_total(&["--no-jacoby", "--backgammon-counts", "2"], log),
        4
    );
    let log = b"seats: Ayla, Burak, Ceren\nautomatic double\nresult: box wins gammon\n";
    // An automatic double is no turn of the cube.
    assert_eq!(first_total(&["--jacoby"], log), 4);
    assert_eq!(first_total(&["--no-jacoby"], log), 8);
    let agreed = |args: &[&str]| {
        let ran = tawla_reading(
            &[&["chouette", "--level", "note", "--jacoby"], args].concat(),
            log,
        );
        ran.status
    };
    assert_eq!((agreed(&[]), agreed(&["--automatic-doubles", "1"])), (1, 0));
}

#[test]
fn nothing_in_a_log_reaches_the_terminal_as_a_command() {
    let log = "stake: 1 \x1b[31mEUR\nseats: Ay\x1b[31mla, Bu\u{202e}rak, Ceren\nresult: box wins, 7 points\n";
    let ran = tawla_reading(&["chouette"], log.as_bytes());
    let printed = ran.out + &ran.err;
    let is_harmless = |c: char| (!c.is_control() || c == '\n') && c != '\u{202e}';
    assert!(printed.chars().all(is_harmless), "{printed:?}");
    assert!(printed.contains("rak"), "{printed:?}");
    let coloured = |args: &[&str]| {
        tawla(&[&["chouette", WRONG], args].concat())
            .out
            .contains('\x1b')
    };
    assert!(coloured(&["--color", "always"]) && !coloured(&[]));
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Output {
    schema_version: u32,
    files: Vec<Session>,
    summary: Summary,
}

#[derive(Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
struct Summary {
    files: usize,
    games: usize,
    errors: usize,
    warnings: usize,
    notes: usize,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Session {
    path: String,
    form: Nullable<String>,
    encoding: Nullable<String>,
    error: Nullable<String>,
    players: Vec<String>,
    stake: Nullable<Stake>,
    rules: Nullable<Rules>,
    games: Vec<Game>,
    total: Vec<Player>,
    findings: Vec<Finding>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the fields are there to be demanded")]
struct Stake {
    amount: f64,
    unit: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Player {
    player: String,
    points: i64,
    money: Nullable<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the fields are there to be demanded")]
struct Game {
    game: u32,
    line: u64,
    r#box: Nullable<String>,
    team: Vec<String>,
    captain: Nullable<String>,
    passed: Vec<Pass>,
    cube_value: u64,
    cube_owner: Nullable<String>,
    winner: Nullable<String>,
    result: Nullable<String>,
    ended_by: String,
    points: Nullable<u64>,
    settlement: Vec<Player>,
    stated_settlement: Nullable<Vec<Player>>,
    total: Vec<Player>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the fields are there to be demanded")]
struct Pass {
    player: String,
    points: u64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the fields are there to be demanded")]
struct Finding {
    code: String,
    level: String,
    message: String,
    label: String,
    help: Nullable<String>,
    line: u64,
    column: u32,
    end_line: u64,
    end_column: u32,
    game: Nullable<u32>,
    related: Vec<Related>,
}

/// The output for all session logs, a transcript, and a file that is not there.
fn output_of_all(format: &str) -> String {
    let fixtures = chouette_fixtures();
    let mut args = vec!["chouette", "--format", format, OTHER, "none.chouette"];
    args.extend(fixtures.iter().map(|fixture| fixture.path.as_str()));
    tawla(&args).out
}

#[test]
fn the_json_keeps_its_promise() {
    let output: Output = read(&output_of_all("json"));
    assert_eq!(output.schema_version, 1);
    let failed = output.files.iter().filter(|file| file.error.0.is_some());
    let failed: Vec<&str> = failed.map(|file| file.path.as_str()).collect();
    assert_eq!(failed, [OTHER, "none.chouette"]);
    for file in &output.files {
        let is_read = file.error.0.is_none();
        assert_eq!(file.form.0.is_some(), is_read, "{}", file.path);
        assert_eq!(file.encoding.0.is_some(), is_read, "{}", file.path);
        assert_eq!(file.rules.0.is_some(), is_read, "{}", file.path);
        assert_eq!(file.total.len(), file.players.len(), "{}", file.path);
        let lists = file
            .games
            .iter()
            .flat_map(|game| [&game.settlement, &game.total]);
        for list in lists.chain([&file.total]) {
            let sum: i64 = list.iter().map(|player| player.points).sum();
            assert_eq!(sum, 0, "{}", file.path);
            for player in list {
                assert!(file.players.contains(&player.player), "{}", file.path);
                assert_eq!(
                    player.money.0.is_some(),
                    file.stake.0.is_some(),
                    "{}",
                    file.path
                );
            }
        }
        for finding in &file.findings {
            let start = (finding.line, finding.column);
            assert!(
                start <= (finding.end_line, finding.end_column),
                "{}",
                file.path
            );
            assert!(!finding.message.ends_with('.'), "{}", file.path);
            let games = file.games.len() as u32;
            assert!(
                finding
                    .game
                    .0
                    .is_none_or(|game| (1..=games).contains(&game)),
                "{}",
                file.path
            );
        }
    }
    let of = |level: &str| {
        let findings = output.files.iter().flat_map(|file| &file.findings);
        findings.filter(|finding| finding.level == level).count()
    };
    let expected = Summary {
        files: output.files.len(),
        games: output.files.iter().map(|file| file.games.len()).sum(),
        errors: of("error"),
        warnings: of("warning"),
        notes: of("note"),
    };
    assert_eq!(output.summary, expected);
}

#[test]
fn the_json_fits_its_schema_and_ndjson_holds_its_files() {
    let output: Value = read(&output_of_all("json"));
    let promised = schema("chouette");
    assert_fits(&output, &promised, &promised, "chouette");
    let lines = output_of_all("ndjson");
    let files: Vec<Value> = lines.lines().map(read).collect();
    assert_eq!(Value::Array(files), output["files"]);
}

#[test]
fn the_schema_of_a_log_names_every_event() {
    let promised = schema("chouette-log").to_string();
    let log = fs::read_to_string(root().join("fixtures/chouette/friday-in-json.json"))
        .expect("a fixture");
    let log: Value = read(&log);
    for event in log["events"].as_array().expect("events") {
        for name in event.as_object().expect("an event").keys() {
            assert!(promised.contains(&format!("\"{name}\"")), "{name}");
        }
    }
}

/// The lines that the help shows are read, each by itself.
#[test]
fn the_help_shows_lines_that_can_be_read() {
    let help = tawla(&["chouette", "--help"]).out;
    let form = help.split("A session log has").nth(1).expect("the form");
    let form = form
        .split("The same events")
        .next()
        .expect("what is before JSON");
    let example = |line: &str| Some(line.strip_prefix("  ")?.split("  ").next()?.to_owned());
    let examples: Vec<String> = form
        .lines()
        .filter_map(example)
        .filter(|line| !line.is_empty())
        .collect();
    assert!(examples.len() > 13, "{help}");
    for line in examples {
        let log = format!("seats: Ayla, Burak, Ceren\n{line}\n");
        let ran = tawla_reading(&["chouette", "--format", "json"], log.as_bytes());
        assert!(!ran.out.contains("unreadable-line"), "{line}: {}", ran.out);
        assert!(ran.status < 2, "{line}: {}", ran.err);
    }
}
