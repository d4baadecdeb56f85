mod writing;

use super::v2::{HEADER, SECTION};
use super::write::close;
use super::{FORMAT, GVA, MAGIC};
use crate::board::{Cube, Player, Win};
use crate::diagnostic::{Finding, Findings};
use crate::formats::binary::crc32;
use crate::formats::carry::{Item, content};
use crate::formats::test_support::{actions, codes};
use crate::formats::{CannotWrite, Format, Likely, WriteOptions, Written, write};
use crate::record::{Action, Entry, MatchRecord, WrittenPlay};
use crate::replay::{replay, rules_for};
use crate::ruleset::RuleOptions;
use crate::source::{Source, Span};

const ONE_GAME: &[u8] = include_bytes!("../../../fixtures/ogxm/hedgehog-one-game.ogxm");
const ANNOTATED: &[u8] = include_bytes!("../../../fixtures/ogxm/hedgehog-annotated.ogxm");
const MONEY: &[u8] = include_bytes!("../../../fixtures/ogxm/hedgehog-money-play.ogxm");
const UNREADABLE: &[u8] = include_bytes!("../../../fixtures/ogxm/hedgehog-unreadable-plies.ogxm");
const WRONG_CHECKSUM: &[u8] = include_bytes!("../../../fixtures/ogxm/hedgehog-wrong-checksum.ogxm");
const VERSION_1: &[u8] = include_bytes!("../../../fixtures/ogxm/gammonview-version-1.gvab");
const JSON: &[u8] = include_bytes!("../../../fixtures/gva/gammonview-match.gva");

fn source(bytes: &[u8]) -> Source {
    Source::new("test.ogxm", bytes.to_vec(), None).expect("a source")
}

fn try_read(format: &Format, bytes: &[u8]) -> Result<(MatchRecord, Vec<Finding>), String> {
    let mut read = None;
    let mut sink = |record: &MatchRecord, findings: &mut Findings| {
        read = Some((record.clone(), findings.take()));
    };
    let reader = format.read.expect("a reader");
    reader(&source(bytes), &mut sink).map_err(|why| why.to_string())?;
    Ok(read.expect("a match"))
}

fn read(bytes: &[u8]) -> (MatchRecord, Vec<Finding>) {
    try_read(&FORMAT, bytes).expect("an OGXM file")
}

fn tag<'a>(record: &'a MatchRecord, name: &str) -> Option<&'a str> {
    record.tag(name).map(|tag| tag.value.as_str())
}

fn written(record: &MatchRecord) -> Result<Written, CannotWrite> {
    let replay = replay(record, &rules_for(record, &RuleOptions::default()));
    write(&FORMAT, record, &replay, &WriteOptions::default())
}

fn said<'a>(entry: &'a Entry, name: &str) -> Vec<&'a str> {
    let analysis = entry.extra.as_ref().map(|extra| extra.analysis.as_slice());
    let pairs = analysis.unwrap_or_default().iter();
    pairs
        .filter(|(other, _)| other == name)
        .map(|(_, value)| value.as_str())
        .collect()
}

#[test]
fn it_is_told_by_its_first_bytes() {
    assert_eq!((FORMAT.sniff)(&source(ONE_GAME)), Likely::Yes);
    assert_eq!((FORMAT.sniff)(&source(b"OGX")), Likely::No);
    assert_eq!((GVA.sniff)(&source(JSON)), Likely::Yes);
    let ours = br#"{"record_version": 1, "plies": [], "action_id": 1}"#;
    assert_eq!((GVA.sniff)(&source(ours)), Likely::No);
}

#[test]
fn a_match_is_read() {
    let (record, findings) = read(ONE_GAME);
    assert_eq!(codes(&findings), [""; 0]);
    assert_eq!(
        (record.names.one.as_str(), record.names.two.as_str()),
        ("Alice", "Bob")
    );
    assert_eq!(tag(&record, "Crawford"), Some("On"));
    let game = &record.games[0];
    let expected = [
        "2 31: 8/5 6/5",
        "1 42: 8/4 6/4",
        "2 double",
        "1 take",
        "2 66: 24/18(2) 13/7(2)",
        "1 resign { win: some(single) }",
    ];
    assert_eq!(actions(game), expected);
    let result = game.result.expect("a result").value;
    assert_eq!((result.winner, result.points), (Some(Player::Two), Some(2)));
    assert!(result.resigned);
}

#[test]
fn the_shortest_form_is_written() {
    let (record, _) = read(ONE_GAME);
    let expected = Written::new(ONE_GAME.to_vec(), Vec::new());
    assert_eq!(written(&record), Ok(expected));
}

#[test]
fn findings_point_into_the_listing() {
    let source = source(UNREADABLE);
    let mut places = Vec::new();
    let reader = FORMAT.read.expect("a reader");
    let mut sink = |_: &MatchRecord, findings: &mut Findings| {
        places.extend(
            findings
                .take()
                .into_iter()
                .map(|finding| finding.primary.span),
        );
    };
    reader(&source, &mut sink).expect("an OGXM file");
    let at = |span: &Span| source.slice(*span).to_owned();
    let expected = [
        "the section CLCK cannot be read to its end",
        "annotations on nothing in the match: 1",
        "31: ????",
        "(unreadable)",
        "(unreadable)",
        "starts from a position, the cube on 1",
    ];
    assert_eq!(places.iter().map(at).collect::<Vec<_>>(), expected);
}

#[test]
fn what_belongs_to_a_match_is_read() {
    let (record, findings) = read(ANNOTATED);
    assert_eq!(codes(&findings), ["bad-header"; 4]);
    assert_eq!(record.ratings.one.as_deref(), Some("1850.50"));
    let tags = [
        ("Event", "Winter Open"),
        ("EventDate", "2026.01.04"),
        ("EventTime", "13:52:00.123"),
        ("Site", "example.org"),
        ("Place", "Town hall"),
        ("Video", "https://example.org/v, offset 250 ms"),
        (
            "Clock",
            "reserve 120000 ms, delay 12000 ms, increment 0 ms, start 1767534720, flags 0",
        ),
    ];
    for (name, value) in tags {
        assert_eq!(tag(&record, name), Some(value), "{name}");
    }
    assert_eq!(record.comments[0].value, "Bo: A good match");
    let scores = record
        .games
        .iter()
        .map(|game| game.score.map(|score| score.value.into_array()));
    assert_eq!(scores.collect::<Vec<_>>(), [Some([1, 0]), Some([3, 0])]);
}

#[test]
fn an_illegal_play_is_the_board_after_it() {
    let (record, _) = read(ANNOTATED);
    let entry = &record.games[0].entries[2];
    assert_eq!(entry.player, Player::One);
    assert!(matches!(
        entry.action,
        Action::Play {
            play: WrittenPlay::NotRecorded,
            ..
        }
    ));
    let extra = entry.extra.as_ref().expect("more about it");
    assert!(extra.declared_illegal);
    let board = extra.position_after.as_ref().expect("a board");
    assert_eq!(
        (board.value.checkers.one[13], board.value.checkers.one[7]),
        (4, 1)
    );
    assert_eq!(extra.comment.as_deref(), Some("Too fast"));
}

#[test]
fn a_start_and_a_set_position_have_their_cubes() {
    let (record, _) = read(ANNOTATED);
    let game = &record.games[1];
    let start = game.start.as_ref().expect("a start");
    let cube = |value, owner| {
        Some(Cube {
            value,
            owner: Some(owner),
        })
    };
    assert_eq!(start.value.cube, cube(2, Player::One));
    assert_eq!(
        actions(game),
        ["2 52: 13/11 13/8", "1 set", "1 66:", "1 timeout"]
    );
    let set = game.entries[1]
        .extra
        .as_ref()
        .and_then(|extra| extra.position_after.as_ref());
    assert_eq!(set.expect("a position").value.cube, cube(4, Player::Two));
}

#[test]
fn analysis_stands_with_its_actions() {
    let (record, _) = read(ANNOTATED);
    let entries = &record.games[0].entries;
    let candidates = [
        "8/5 6/5 +0.159 win 55.12 17.13 0.81 loss 44.88 12.04 0.51",
        "24/21 13/12 -0.002 win 50.00 13.00 0.60 loss 50.00 14.00 0.60",
    ];
    assert_eq!(said(&entries[0], "candidate"), candidates);
    assert_eq!(said(&entries[0], "luck"), ["+0.021"]);
    assert_eq!(said(&entries[1], "error"), ["0.030"]);
    assert_eq!(said(&entries[1], "level"), ["deep, rollout of 360 trials"]);
    assert_eq!(said(&entries[1], "cube-verdict"), ["no double"]);
    // Match winning chances of a second block.
    assert_eq!(said(&entries[0], "equity-mwc-2"), ["+0.5512"]);
    // The answer is seen by the player who gives it.
    assert_eq!(said(&entries[3], "double-take"), ["+0.800"]);
    assert_eq!(said(&entries[4], "double-take"), ["-0.800"]);
    assert_eq!(said(&entries[4], "take-error"), ["0.000"]);
}

#[test]
fn seconds_are_those_since_the_action_before() {
    let (record, _) = read(ANNOTATED);
    let entries = record.games[0].entries.iter();
    let seconds = entries.map(|entry| entry.extra.as_ref()?.seconds?.used);
    let expected = [Some(0.0), Some(5.0), Some(7.34), Some(1.66), None];
    assert_eq!(seconds.take(5).collect::<Vec<_>>(), expected);
}

#[test]
fn money_play_has_its_own_cube_actions() {
    let (record, findings) = read(MONEY);
    assert_eq!(codes(&findings), ["unreadable-line"; 2]);
    let tags = ["Jacoby", "Beaver", "Raccoon", "AutoDoubles"].map(|name| tag(&record, name));
    assert_eq!(tags, [Some("On"); 4]);
    let start = record.games[0].start.as_ref().expect("a start");
    assert_eq!(start.value.cube.map(|cube| cube.value), Some(2));
    let expected = [
        "1 double",
        "2 beaver { to: none }",
        "1 raccoon { to: none }",
    ];
    assert_eq!(actions(&record.games[0])[2..5], expected);
    // A player who is shut out does not roll: the other one is on roll in the same position.
    let shut_out = &record.games[1].entries[1];
    let position = shut_out
        .extra
        .as_ref()
        .and_then(|extra| extra.position_after.as_ref());
    let position = &position.expect("a position").value;
    assert_eq!(shut_out.action, Action::Set);
    assert_eq!(
        (position.turn, position.checkers.two[25]),
        (Some(Player::One), 1)
    );
    assert_eq!(
        record.games[1].comments[0].value,
        "Amira: settled for +0.750 points"
    );
    assert!(record.games[2].result.expect("a result").value.resigned);
}

#[test]
fn a_wrong_checksum_is_a_warning_and_hides_nothing() {
    let (record, findings) = read(WRONG_CHECKSUM);
    assert_eq!(codes(&findings), ["bad-header"]);
    assert_eq!(record.games[0].entries.len(), 6);
}

#[test]
fn version_1_is_read() {
    let (record, findings) = read(VERSION_1);
    assert_eq!(codes(&findings), [""; 0]);
    let expected = [
        "1 31: 8/5 6/5",
        "2 42: 8/4 6/4",
        "1 double",
        "2 take",
        "1 65: ????",
        "2 55: 13/3(2)",
        "1 21:",
        "1 resign { win: none }",
    ];
    assert_eq!(actions(&record.games[0]), expected);
    assert_eq!(actions(&record.games[1]), ["2 61: 13/7 8/7", "2 timeout"]);
    // Where other readers look for the score at the start there is the limit of the cube.
    assert_eq!(tag(&record, "CubeLimit"), Some("64"));
    assert_eq!(
        record.games[0].score.expect("a score").value.into_array(),
        [0, 0]
    );
    let entries = &record.games[0].entries;
    assert_eq!(said(&entries[1], "error"), ["0.030"]);
    assert_eq!(said(&entries[1], "luck"), ["-0.012"]);
    let chances = [2, 3].map(|at| said(&entries[at], "cube-chances"));
    assert_eq!(chances[0], ["win 66.00 20.00 1.00 loss 34.00 10.00 1.00"]);
    assert_eq!(chances[1], ["win 34.00 10.00 1.00 loss 66.00 20.00 1.00"]);
}

#[test]
fn the_json_form_is_read() {
    let (record, findings) = try_read(&GVA, JSON).expect("a match");
    assert_eq!(codes(&findings), ["unreadable-line"]);
    let game = &record.games[0];
    assert_eq!(
        actions(game)[..4],
        ["1 31: 8/5 6/5", "2 42: 8/4 6/4", "1 double", "2 take"]
    );
    assert_eq!(said(&game.entries[0], "luck"), ["+0.021"]);
    let answer = game.entries[3].extra.as_ref().expect("more about it");
    assert_eq!(answer.comment.as_deref(), Some("Brave"));
    assert_eq!(record.games[1].crawford.map(|mark| mark.value), Some(true));
    let place = source(JSON).slice(game.entries[0].span).to_owned();
    assert_eq!(place, "\"action_id\": 2");
}

#[test]
fn a_game_whose_head_cannot_be_read_is_unreadable() {
    let start = ONE_GAME
        .windows(4)
        .position(|name| name == b"GAME")
        .expect("a game");
    let mut bytes = ONE_GAME.to_vec();
    bytes[start + SECTION] = 0x7f;
    let (record, findings) = read(&mended(bytes));
    assert_eq!(codes(&findings), ["unreadable-line"]);
    assert_eq!(actions(&record.games[0]), ["1 unreadable"]);
}

#[test]
fn a_cut_file_is_read_up_to_the_cut() {
    let start = ANNOTATED
        .windows(4)
        .position(|name| name == b"GAME")
        .expect("a game");
    let (record, findings) = read(&ANNOTATED[..start + SECTION + 14]);
    assert_eq!(codes(&findings), ["truncated"]);
    assert_eq!(
        actions(&record.games[0]),
        ["1 31: 8/5 6/5", "2 42: 8/4 6/4"]
    );
    let json = &JSON[..JSON.len() / 2];
    let (record, findings) = try_read(&GVA, json).expect("the start of a match");
    assert_eq!(codes(&findings), ["truncated"]);
    assert!(!record.games[0].entries.is_empty());
}

#[test]
fn what_only_another_reader_knows_is_refused() {
    let mut bytes = ONE_GAME.to_vec();
    bytes[8] = 3;
    let why = try_read(&FORMAT, &bytes).expect_err("another reader");
    assert_eq!(why, "only readers of version 3 of OGXM can read this file");
    let mut bytes = ONE_GAME.to_vec();
    bytes[HEADER..HEADER + 4].copy_from_slice(b"NEXT");
    let why = try_read(&FORMAT, &bytes).expect_err("a critical section");
    assert_eq!(why, "it needs a reader that knows its section \"NEXT\"");
    assert!(try_read(&FORMAT, b"OGXM\x07\0").is_err());
}

/// A file with the right checksum, whatever its sections are; of version 1 too.
fn mended(mut bytes: Vec<u8>) -> Vec<u8> {
    let Some(at) = bytes.windows(4).rposition(|name| name == b"CSUM") else {
        return bytes;
    };
    if bytes.get(4) == Some(&2) {
        bytes.truncate(at);
        return close(bytes);
    }
    let crc = crc32(&bytes[..at]).to_le_bytes();
    if let Some(place) = bytes.get_mut(at + 16..at + 20) {
        place.copy_from_slice(&crc);
    }
    bytes
}

#[test]
fn damage_is_survived() {
    let files = [ONE_GAME, ANNOTATED, MONEY, UNREADABLE, VERSION_1];
    for file in files {
        for end in 0..file.len() {
            let _ = try_read(&FORMAT, &file[..end]);
        }
    }
    let mut state = 20_261_130u64;
    let mut below = |limit: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % limit
    };
    for round in 0..1000 {
        let file = files[round % files.len()];
        let mut bytes = file.to_vec();
        for _ in 0..=below(3) {
            let at = MAGIC.len() + below(bytes.len() - MAGIC.len());
            bytes[at] = below(256) as u8;
        }
        let bytes = if round % 2 == 0 { mended(bytes) } else { bytes };
        if let Ok((record, _)) = try_read(&FORMAT, &bytes) {
            let _ = written(&record);
        }
    }
}
