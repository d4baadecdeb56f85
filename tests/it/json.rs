//! The JSON outputs are read back by structs that allow no other field and miss none, and hold what the
//! schemas promise.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::support::command::tawla;
use crate::support::fixtures::{all_fixtures, fixtures};

/// A value or null. An `Option` would also allow that the field is missing.
#[derive(Debug, Deserialize)]
pub(crate) struct Nullable<T>(pub(crate) Option<T>);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Output<F> {
    schema_version: u32,
    files: Vec<F>,
    summary: Summary,
}

#[derive(Debug, Deserialize, PartialEq, Eq, Default)]
#[serde(deny_unknown_fields)]
struct Summary {
    files: u64,
    matches: u64,
    games: u64,
    plies: u64,
    errors: u64,
    warnings: u64,
    notes: u64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckedFile {
    path: String,
    format: Nullable<String>,
    dialect: Nullable<String>,
    encoding: Nullable<String>,
    error: Nullable<String>,
    matches: Vec<Match>,
    findings: Vec<Finding>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ScoredFile {
    path: String,
    format: Nullable<String>,
    dialect: Nullable<String>,
    encoding: Nullable<String>,
    error: Nullable<String>,
    matches: Vec<Match>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "some fields are there to be demanded")]
struct Match {
    match_length: Nullable<u32>,
    players: [String; 2],
    rules: Rules,
    score: [u32; 2],
    stated_score: Nullable<[u32; 2]>,
    score_if_disallowed: Nullable<[u32; 2]>,
    winner: Nullable<usize>,
    lost_on_time: Nullable<usize>,
    games: Vec<Game>,
    file_analysis: Nullable<[FileAnalysis; 2]>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the fields are there to be demanded")]
struct FileAnalysis {
    plays: u32,
    play_error: f64,
    cube_actions: u32,
    cube_error: f64,
    luck: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the fields are there to be demanded")]
pub(crate) struct Rules {
    name: String,
    crawford: bool,
    jacoby: Nullable<bool>,
    beavers: Nullable<bool>,
    raccoons: Nullable<bool>,
    automatic_doubles: Nullable<u32>,
    cube_limit: Nullable<u32>,
    cube: bool,
    backgammon_counts: u32,
    holland: bool,
    opening_reroll: bool,
    clock: Nullable<String>,
    match_lengths: Nullable<String>,
    file: Nullable<String>,
    variant: String,
    origin: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the fields are there to be demanded")]
struct Game {
    game: u32,
    number: Nullable<u32>,
    score_before: [u32; 2],
    stated_score_before: Nullable<[u32; 2]>,
    is_crawford: bool,
    is_post_crawford: bool,
    winner: Nullable<usize>,
    result: Nullable<String>,
    ended_by: String,
    cube_value: u32,
    cube_owner: Nullable<usize>,
    points_won: Nullable<u32>,
    stated_points: Nullable<u32>,
    plies: u32,
    final_position: Nullable<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the fields are there to be demanded")]
struct Finding {
    code: String,
    level: String,
    message: String,
    help: Nullable<String>,
    line: u64,
    column: u32,
    end_line: u64,
    end_column: u32,
    r#match: Nullable<u32>,
    game: Nullable<u32>,
    ply: Nullable<u32>,
    move_number: Nullable<u32>,
    player: Nullable<usize>,
    roll: Nullable<String>,
    written: Nullable<String>,
    position: Nullable<String>,
    reported: Nullable<bool>,
    stands: Nullable<bool>,
    legal_count: Nullable<u32>,
    legal: Nullable<Vec<String>>,
    related: Vec<Related>,
    repairs: Nullable<Vec<RepairOut>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the fields are there to be demanded")]
struct RepairOut {
    kind: String,
    line: u64,
    column: u32,
    written: String,
    suggested: Nullable<String>,
    explains_plies: u32,
    fits_result: Nullable<bool>,
    cost: u32,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the fields are there to be demanded")]
pub(crate) struct Related {
    line: u64,
    column: u32,
    message: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Show {
    schema_version: u32,
    files: Vec<ShownFile>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ShownFile {
    path: String,
    format: Nullable<String>,
    error: Nullable<String>,
    matches: Vec<ShownMatch>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the fields are there to be demanded")]
struct ShownMatch {
    match_length: Nullable<u32>,
    players: [String; 2],
    rules: Rules,
    games: Vec<ShownGame>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the fields are there to be demanded")]
struct ShownGame {
    number: u32,
    start_position: Nullable<String>,
    plies: Vec<ShownPly>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the fields are there to be demanded")]
struct ShownPly {
    ply: u32,
    player: usize,
    action: String,
    roll: Nullable<String>,
    play: Nullable<String>,
    legal: Nullable<bool>,
    cube_value: Nullable<u32>,
    position: Nullable<String>,
    result_id: Nullable<String>,
    comment: Nullable<String>,
    file_analysis: Nullable<Vec<[String; 2]>>,
    bank: Nullable<f64>,
    move_number: Nullable<u32>,
    line: u64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayList {
    position: String,
    position_id: String,
    roll: String,
    legal_count: usize,
    plays: Vec<Play>,
    /// Only where it was asked for.
    why: Option<Why>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Play {
    play: String,
    steps: Vec<[u8; 2]>,
    hits: usize,
    result_id: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Why {
    legal: bool,
    code: Nullable<String>,
    message: Nullable<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the fields are there to be demanded")]
struct Identifier {
    input: String,
    kind: Nullable<String>,
    valid: bool,
    faults: Vec<IdFault>,
    board: Nullable<Vec<i8>>,
    turn: Nullable<usize>,
    to_act: Nullable<usize>,
    dice: Nullable<[u8; 2]>,
    pending: Nullable<String>,
    cube_value: Nullable<u32>,
    cube_owner: Nullable<usize>,
    max_cube: Nullable<u32>,
    match_length: Nullable<u32>,
    score: Nullable<[u32; 2]>,
    is_crawford: Nullable<bool>,
    is_post_crawford: Nullable<bool>,
    jacoby: Nullable<bool>,
    beavers: Nullable<bool>,
    players: Nullable<[String; 2]>,
    pips: Nullable<[u32; 2]>,
    ids: Ids,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the fields are there to be demanded")]
struct IdFault {
    level: String,
    message: String,
    column: Nullable<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the fields are there to be demanded")]
struct Ids {
    xgid: Nullable<String>,
    position_id: Nullable<String>,
    match_id: Nullable<String>,
    gnubgid: Nullable<String>,
    ogid: Nullable<String>,
    fibs: Nullable<String>,
    snowie: Nullable<String>,
}

pub(crate) fn read<T: DeserializeOwned>(text: &str) -> T {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The paths of all fixtures, and of one file that is not there.
fn paths() -> Vec<String> {
    let found = all_fixtures().into_iter().map(|fixture| fixture.path);
    found.chain(["fixtures/none.mat".to_owned()]).collect()
}

fn run(command: &[&str], paths: &[String]) -> String {
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    tawla(&[command, &paths].concat()).out
}

#[test]
fn check_keeps_its_promise() {
    let paths = paths();
    let output: Output<CheckedFile> = read(&run(&["check", "--format", "json"], &paths));
    assert_eq!(output.schema_version, 1);
    let found: Vec<&String> = output.files.iter().map(|file| &file.path).collect();
    assert_eq!(found, paths.iter().collect::<Vec<_>>());
    assert_eq!(output.summary, summary(&output.files));
    let mut failed = 0;
    for file in &output.files {
        if file.error.0.is_some() {
            failed += 1;
            assert!(
                file.matches.is_empty() && file.findings.is_empty(),
                "{}",
                file.path
            );
            assert!(
                file.format.0.is_none() && file.dialect.0.is_none() && file.encoding.0.is_none()
            );
        } else {
            assert!(
                file.format.0.is_some() && file.encoding.0.is_some(),
                "{}",
                file.path
            );
        }
        for (found, number) in file.matches.iter().zip(1..) {
            assert_match(found, &file.path);
            let games = found.games.len() as u32;
            let of_match = |finding: &&Finding| finding.r#match.0 == Some(number);
            for finding in file.findings.iter().filter(of_match) {
                assert!(
                    finding
                        .game
                        .0
                        .is_none_or(|game| (1..=games).contains(&game)),
                    "{finding:?}"
                );
            }
        }
        for finding in &file.findings {
            assert_finding(finding, &file.path);
        }
    }
    assert!(failed > 3, "{failed}");
}

fn summary(files: &[CheckedFile]) -> Summary {
    let findings = || files.iter().flat_map(|file| &file.findings);
    let of = |level: &str| findings().filter(|finding| finding.level == level).count() as u64;
    let games = || {
        files
            .iter()
            .flat_map(|file| &file.matches)
            .flat_map(|found| &found.games)
    };
    Summary {
        files: files.len() as u64,
        matches: files.iter().map(|file| file.matches.len() as u64).sum(),
        games: games().count() as u64,
        plies: games().map(|game| u64::from(game.plies)).sum(),
        errors: of("error"),
        warnings: of("warning"),
        notes: of("note"),
    }
}

fn assert_match(found: &Match, path: &str) {
    let player = |player: Option<usize>| player.is_none_or(|player| player < 2);
    assert!(player(found.winner.0), "{path}");
    assert!(
        found.match_length.0.is_none_or(|length| length < 9999),
        "{path}"
    );
    assert!(
        ["match", "money"].contains(&found.rules.name.as_str()),
        "{path}"
    );
    assert!(
        found.players.iter().all(|name| name.trim() == name),
        "{path}"
    );
    let _ = (&found.stated_score, &found.score_if_disallowed);
    for (game, number) in found.games.iter().zip(1..) {
        assert_eq!(game.game, number, "{path}");
        assert!(player(game.winner.0) && player(game.cube_owner.0), "{path}");
        let ends = ["bear-off", "pass", "resignation", "time", "unfinished"];
        assert!(
            ends.contains(&game.ended_by.as_str()),
            "{path}: {}",
            game.ended_by
        );
        if game.ended_by == "pass" {
            assert!(game.result.0.is_none(), "{path}");
        }
        assert!(
            game.final_position
                .0
                .as_ref()
                .is_none_or(|id| id.starts_with("XGID=")),
            "{path}"
        );
    }
    if let Some(winner) = found.winner.0 {
        assert!(Some(found.score[winner]) >= found.match_length.0, "{path}");
    }
}

fn assert_finding(finding: &Finding, path: &str) {
    assert!(
        tawla::rules::by_code(&finding.code).is_some(),
        "{path}: {}",
        finding.code
    );
    assert!(
        ["error", "warning", "note"].contains(&finding.level.as_str()),
        "{path}"
    );
    assert!(
        !finding.message.is_empty() && !finding.message.ends_with('.'),
        "{path}"
    );
    assert!(finding.line > 0 && finding.column > 0, "{path}");
    let (start, end) = (
        (finding.line, finding.column),
        (finding.end_line, finding.end_column),
    );
    assert!(start <= end, "{path}: {finding:?}");
    let legal = finding.legal.0.as_ref().map(Vec::len);
    assert!(legal.is_none_or(|shown| shown <= 5), "{path}: {finding:?}");
    assert_eq!(
        legal.is_some(),
        finding.legal_count.0.is_some(),
        "{path}: {finding:?}"
    );
}

#[test]
fn ndjson_holds_the_files_of_json() {
    let paths = paths();
    let whole: Value = read(&run(&["check", "--format", "json"], &paths));
    let lines = run(&["check", "--format", "ndjson"], &paths);
    let files: Vec<Value> = lines.lines().map(read).collect();
    assert_eq!(Value::Array(files), whole["files"]);
}

#[test]
fn score_keeps_its_promise() {
    let paths = paths();
    let scores: Output<ScoredFile> = read(&run(&["score", "--format", "json"], &paths));
    let checked: Output<CheckedFile> = read(&run(&["check", "--format", "json"], &paths));
    assert_eq!(scores.files.len(), checked.files.len());
    for (scored, checked) in scores.files.iter().zip(&checked.files) {
        assert_eq!(scored.path, checked.path);
        assert_eq!(scored.format.0, checked.format.0);
        assert_eq!(scored.dialect.0, checked.dialect.0);
        assert_eq!(scored.encoding.0, checked.encoding.0);
        assert_eq!(scored.error.0, checked.error.0);
        let scores =
            |matches: &[Match]| -> Vec<_> { matches.iter().map(|found| found.score).collect() };
        assert_eq!(
            scores(&scored.matches),
            scores(&checked.matches),
            "{}",
            scored.path
        );
    }
}

#[test]
fn no_text_of_the_record_is_shown_as_a_play() {
    let path = "fixtures/json/beaver-and-raccoon.json";
    let ran = tawla(&["show", path]);
    assert!(
        ran.out.contains("rolls 52; no play is written\n"),
        "{}",
        ran.out
    );
    let ran = tawla(&["show", "--format", "json", path]);
    let shown: Show = read(&ran.out);
    let plies = shown.files.iter().flat_map(|file| &file.matches);
    let plies = plies
        .flat_map(|shown| &shown.games)
        .flat_map(|game| &game.plies);
    let plays = plies.filter_map(|ply| ply.play.0.as_deref());
    for play in plays {
        assert!(!play.contains(['{', '"']), "{play}");
    }
}

#[test]
fn show_keeps_its_promise() {
    for fixture in all_fixtures() {
        let ran = tawla(&["show", "--format", "json", &fixture.path]);
        if ran.status == 2 {
            assert!(!ran.err.is_empty(), "{}", fixture.path);
            continue;
        }
        let shown: Show = read(&ran.out);
        assert_eq!((shown.schema_version, shown.files.len()), (1, 1));
        let file = &shown.files[0];
        assert_eq!(file.path, fixture.path);
        assert!(file.format.0.is_some() && file.error.0.is_none());
        for ply in file
            .matches
            .iter()
            .flat_map(|shown| &shown.games)
            .flat_map(|game| &game.plies)
        {
            let actions = [
                "play",
                "no-play",
                "unrecorded",
                "double",
                "take",
                "pass",
                "beaver",
                "raccoon",
                "resign",
                "accept",
                "reject",
                "setup",
                "unreadable",
            ];
            assert!(
                actions.contains(&ply.action.as_str()),
                "{}: {ply:?}",
                fixture.path
            );
            assert!(ply.player < 2 && ply.ply > 0 && ply.line > 0);
        }
    }
}

#[test]
fn plays_keeps_its_promise() {
    for (roll, count) in [("31", 16), ("66", 11), ("21", 15)] {
        let list: PlayList =
            read(&tawla(&["plays", "--format", "json", "4HPwATDgc/ABMA", roll]).out);
        assert_eq!((list.legal_count, list.plays.len()), (count, count));
        assert_eq!(
            (list.roll.as_str(), list.position_id.as_str()),
            (roll, "4HPwATDgc/ABMA")
        );
        assert!(list.position.starts_with("XGID=") && list.why.is_none());
        for play in &list.plays {
            assert!(
                play.steps.iter().flatten().all(|&place| place <= 25),
                "{play:?}"
            );
            assert!(
                play.hits == 0 && play.result_id.len() == 14 && !play.play.is_empty(),
                "{play:?}"
            );
        }
    }
    let args = ["plays", "--format", "json", "4HPwATDgc/ABMA", "31", "--why"];
    let why = |play: &str| {
        read::<PlayList>(&tawla(&[&args[..], &[play]].concat()).out)
            .why
            .expect("why")
    };
    let legal = why("8/5 6/5");
    assert!(legal.legal && legal.code.0.is_none() && legal.message.0.is_none());
    let illegal = why("8/5");
    assert!(!illegal.legal && illegal.message.0.is_some());
    assert_eq!(illegal.code.0.as_deref(), Some("dice-left"));
}

#[test]
fn id_keeps_its_promise() {
    let ids = [
        "4HPwATDgc/ABMA",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10",
        "11ccccchhhjjjjj:66666888dddddoo:N0N::W:IW:0:0:1:0",
        "nonsense",
    ];
    let ran = tawla(&[&["id", "--format", "json"][..], &ids].concat());
    assert_eq!(ran.status, 1);
    let found: Vec<Identifier> = ran.out.lines().map(read).collect();
    assert_eq!(found.len(), ids.len());
    for (found, id) in found.iter().zip(ids) {
        assert_eq!(found.input, id);
        assert_eq!(found.valid, id != "nonsense");
        assert_eq!(found.faults.is_empty(), found.valid, "{id}");
        assert!(found.board.0.as_ref().is_none_or(|board| board.len() == 26));
    }
    assert_eq!(found[1].dice.0, Some([3, 1]));
    assert_eq!(found[1].pips.0, Some([167, 167]));
    assert_eq!(found[1].ids.position_id.0.as_deref(), Some(ids[0]));
}

/// Whether a value is what a schema promises, as far as schemas of our outputs go: types, references, lists,
/// and objects with just the fields that are named.
pub(crate) fn assert_fits(value: &Value, schema: &Value, root: &Value, path: &str) {
    if let Some(name) = schema["$ref"].as_str() {
        let target = root
            .pointer(name.trim_start_matches('#'))
            .expect("a definition");
        return assert_fits(value, target, root, path);
    }
    if let Some(any) = schema["anyOf"].as_array() {
        let one = any
            .iter()
            .find(|schema| value.is_null() == (schema["type"] == "null"));
        return assert_fits(
            value,
            one.unwrap_or_else(|| panic!("{path}: {value}")),
            root,
            path,
        );
    }
    let name = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let allowed = match &schema["type"] {
        Value::Array(names) => names.iter().any(|allowed| allowed == name),
        Value::Null => true,
        allowed => allowed == name,
    };
    assert!(allowed, "{path}: {value} is no {}", schema["type"]);
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        let items = schema.get("prefixItems").and_then(|items| items.get(index));
        let items = items
            .or(schema.get("items"))
            .filter(|items| items.is_object());
        if let Some(items) = items {
            assert_fits(item, items, root, &format!("{path}[{index}]"));
        }
    }
    let Some(object) = value.as_object() else {
        return;
    };
    for required in schema["required"].as_array().into_iter().flatten() {
        let required = required.as_str().expect("a name");
        assert!(object.contains_key(required), "{path}: no {required}");
    }
    let Some(properties) = schema["properties"].as_object() else {
        return;
    };
    for (key, value) in object {
        let schema = properties
            .get(key)
            .unwrap_or_else(|| panic!("{path}: {key} is in no schema"));
        assert_fits(value, schema, root, &format!("{path}.{key}"));
    }
}

pub(crate) fn schema(name: &str) -> Value {
    read(&tawla(&["schema", name]).out)
}

#[test]
fn outputs_fit_their_schemas() {
    let check = schema("check");
    assert_fits(
        &read(&run(&["check", "--format", "json"], &paths())),
        &check,
        &check,
        "check",
    );
    let show = schema("show");
    for fixture in fixtures("rules") {
        let ran = tawla(&["show", "--format", "json", &fixture.path]);
        // Nothing is shown of what is beyond a limit.
        if fixture.stem == "limit-reached" {
            assert_eq!((ran.status, ran.out.as_str()), (2, ""));
            continue;
        }
        assert_fits(&read(&ran.out), &show, &show, &fixture.path);
    }
    let plays = schema("plays");
    let ran = tawla(&[
        "plays",
        "--format",
        "json",
        "4HPwATDgc/ABMA",
        "31",
        "--why",
        "8/5",
    ]);
    assert_fits(&read(&ran.out), &plays, &plays, "plays");
}

#[test]
#[should_panic(expected = "is in no schema")]
fn a_field_that_no_schema_names_is_seen() {
    let check = schema("check");
    let mut output: Value = read(&run(&["check", "--format", "json"], &paths()));
    output["files"][0]["colour"] = Value::Bool(true);
    assert_fits(&output, &check, &check, "check");
}
