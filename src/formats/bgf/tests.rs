//! What a user would miss of BGBlitz files, on documents that are made of a `.mat`.

mod analysis;
mod documents;
mod encode;

use super::FORMAT;
use super::tree::Value;
use crate::board::{Cube, Length, Player, Variant};
use crate::diagnostic::{Finding, Findings, Level};
use crate::formats::detect;
use crate::formats::recorder::testing;
use crate::record::{Action, Entry, MatchRecord, WrittenPlay, WrittenRoll};
use crate::replay::{replay, rules_for};
use crate::ruleset::RuleOptions;
use crate::source::Source;
use analysis::analysed;
use encode::{HEADER, Smile, action, file, gzip, int, item, json, list, member, object, zlib};

const MAT: &str = include_str!("../../../fixtures/mat/jellyfish.mat");

/// The match that the documents are made of.
fn original() -> MatchRecord {
    testing::only(&crate::formats::mat::FORMAT, MAT).0
}

fn document() -> Value {
    encode::document(&original())
}

/// A document as a file like the real ones.
fn packed(document: &Value) -> Vec<u8> {
    file(HEADER, &gzip(&Smile::document(document, true, false)))
}

fn source(bytes: &[u8]) -> Source {
    Source::new("test.bgf", bytes.to_vec(), None).expect("a source")
}

/// The match of a file and what was found in it.
fn read(bytes: &[u8]) -> (MatchRecord, Vec<Finding>) {
    let source = source(bytes);
    let mut read = Vec::new();
    let reader = FORMAT.read.expect("a reader");
    reader(&source, &mut |record, findings: &mut Findings| {
        read.push((record.clone(), findings.take()));
    })
    .expect("a file of this format");
    assert_eq!(read.len(), 1);
    read.remove(0)
}

fn read_document(document: &Value) -> (MatchRecord, Vec<Finding>) {
    read(&packed(document))
}

fn said(findings: &[Finding]) -> Vec<(&'static str, Level, &str)> {
    let said = |finding: &'_ Finding| (finding.rule.code, finding.level);
    findings
        .iter()
        .map(|finding| (said(finding).0, said(finding).1, finding.message.as_str()))
        .collect()
}

#[test]
fn a_match_is_what_the_same_mat_says() {
    let (record, findings) = read_document(&document());
    let mat = original();
    assert_eq!(said(&findings), []);
    assert_eq!(record.names, mat.names);
    assert_eq!(record.length.map(|l| l.value), Some(Length::Points(3)));
    assert_eq!(record.ratings.into_array(), [None, Some("1650".to_owned())]);
    let value = |name: &str| {
        record
            .tags
            .iter()
            .find(|tag| tag.name == name)
            .map(|tag| tag.value.as_str())
    };
    assert_eq!(value("Event"), Some("Club night"));
    assert_eq!(value("EventDate"), Some("2026.03.14"));
    assert_eq!((value("Jacoby"), value("CubeLimit")), (Some("Off"), None));
    assert_eq!(record.games.len(), mat.games.len());
    for (game, of_mat) in record.games.iter().zip(&mat.games) {
        // The value of the cube is not stated.
        let expected: Vec<String> = testing::actions(of_mat)
            .into_iter()
            .map(|action| match action.split_once(" double ") {
                Some((player, _)) => format!("{player} double {{ to: none, after_roll: none }}"),
                None => action.replace('*', ""),
            })
            .collect();
        assert_eq!(testing::actions(game), expected);
        assert_eq!(game.score.map(|s| s.value), of_mat.score.map(|s| s.value));
        let (result, expected) = (game.result.expect("one"), of_mat.result.expect("one"));
        assert_eq!(result.value.winner, expected.value.winner);
        assert_eq!(result.value.points, expected.value.points);
        assert_eq!(game.start, None);
    }
}

#[test]
fn the_crawford_game_is_the_one_that_says_so() {
    let (record, _) = read_document(&document());
    let stated = record
        .games
        .iter()
        .map(|game| game.crawford.map(|it| it.value));
    assert_eq!(stated.collect::<Vec<_>>(), [None, Some(true), Some(false)]);
    let heading = record.games[1].heading;
    let source = source(&packed(&document()));
    let reader = FORMAT.read.expect("a reader");
    reader(&source, &mut |_, _| {}).expect("a file of this format");
    assert_eq!(source.slice(heading), "score 0-2, Crawford game");
}

#[test]
fn findings_point_into_a_listing() {
    let mut document = document();
    *member(action(&mut document, 0, 2), "red") = int(8);
    let source = source(&packed(&document));
    let mut places = Vec::new();
    let reader = FORMAT.read.expect("a reader");
    reader(&source, &mut |record, _: &mut Findings| {
        let entries = &record.games[0].entries;
        places.extend(entries.iter().take(4).map(|entry| (entry.row, entry.span)));
    })
    .expect("a file of this format");
    let lines: Vec<_> = places
        .iter()
        .map(|&(row, span)| (row, source.slice(span)))
        .collect();
    assert_eq!(source.encoding(), "binary");
    let expected = [
        (1, "31: 8/5 6/5"),
        (1, "62: 24/18 13/11"),
        (2, "81: 13/7 8/7"),
        (2, "55:"),
    ];
    assert_eq!(lines, expected);
    assert!(
        source
            .text()
            .starts_with("match     BGF 1.0, gzip, Smile\nmatch     Ayla - Burak, 3 points\n")
    );
}

#[test]
fn every_wrapping_gives_the_same_match() {
    let document = document();
    let expected = read_document(&document).0;
    let header = |rest: &str| format!("{{\"format\":\"BGF\",\"version\":\"1.0\",{rest}}}\n");
    let smile = Smile::document(&document, true, true);
    let plain = Smile::document(&document, false, false);
    let text = json(&document).into_bytes();
    let files = [
        file(
            &header("\"compress\":true,\"useSmile\":true"),
            &zlib(&smile),
        ),
        file(&header("\"compress\":false,\"useSmile\":true"), &plain),
        file(
            &header("\"compress\":true,\"useSmile\":false"),
            &gzip(&text),
        ),
        file(&header("\"compress\":false,\"useSmile\":false"), &text),
        file(
            &header("\"compression\":\"gzip\",\"useSmile\":true"),
            &gzip(&smile),
        ),
    ];
    for bytes in files {
        assert_eq!(
            detect(&source(&bytes)).map(|format| format.name),
            Some("bgf")
        );
        let (record, findings) = read(&bytes);
        assert_eq!(said(&findings), []);
        // The first line of the listing is of another length.
        assert_eq!(
            testing::actions(&record.games[0]),
            testing::actions(&expected.games[0])
        );
        assert_eq!(record.games.len(), 3);
    }
    let wrong = file(
        &header("\"compress\":false,\"useSmile\":false"),
        &gzip(&smile),
    );
    let (record, findings) = read(&wrong);
    let messages: Vec<&str> = findings
        .iter()
        .map(|finding| finding.message.as_str())
        .collect();
    let expected = [
        "the header is wrong about the compression",
        "the header is wrong about the form of the document",
    ];
    assert_eq!((record.games.len(), &messages[..]), (3, &expected[..]));
}

#[test]
fn a_log_of_bgroom_is_not_taken_for_one() {
    let log = include_bytes!("../../../fixtures/bgroom/bgroom.bgf");
    assert_eq!(
        detect(&source(log)).map(|format| format.name),
        Some("bgroom")
    );
    let reader = FORMAT.read.expect("a reader");
    assert!(reader(&source(log), &mut |_, _| {}).is_err());
}

#[test]
fn a_wrong_checksum_is_a_warning() {
    let mut bytes = packed(&document());
    let crc = bytes.len() - 8;
    bytes[crc] ^= 1;
    let (record, findings) = read(&bytes);
    assert_eq!(record.games.len(), 3);
    let message = "the checksum of the compressed document is wrong";
    assert_eq!(said(&findings), [("bad-header", Level::Warning, message)]);
}

#[test]
fn points_that_are_not_stated_are_those_of_the_score() {
    let mut document = document();
    for game in 0..3 {
        *member(item(member(&mut document, "games"), game), "wonPoints") = int(0);
    }
    *member(&mut document, "matchlen") = int(0);
    let (record, findings) = read_document(&document);
    let points = record
        .games
        .iter()
        .map(|game| game.result.expect("one").value.points);
    assert_eq!(points.collect::<Vec<_>>(), [Some(2), Some(1), Some(2)]);
    assert_eq!(
        record.length.map(|length| length.value),
        Some(Length::Money)
    );
    assert_eq!(said(&findings), []);
    // Where the score is no higher, nothing is stated.
    *member(&mut document, "finalGreen") = int(1);
    let result = read_document(&document).0.games[2]
        .result
        .expect("one")
        .value;
    assert_eq!((result.winner, result.points), (Some(Player::One), None));
}

#[test]
fn the_final_score_is_that_after_the_last_game() {
    let said_of = |green: i64, points: i64| {
        let mut document = document();
        *member(&mut document, "finalGreen") = int(green);
        *member(item(member(&mut document, "games"), 2), "wonPoints") = int(points);
        let findings = read_document(&document).1;
        findings
            .into_iter()
            .map(|finding| finding.message)
            .collect::<Vec<_>>()
    };
    assert_eq!(said_of(3, 2), [""; 0]);
    // Points that are not needed are counted or not.
    assert_eq!([said_of(3, 4), said_of(5, 4)].concat(), [""; 0]);
    assert_eq!(said_of(2, 4), ["the final score is 2-2"]);
}

#[test]
fn a_resignation_and_a_loss_on_time_are_actions() {
    let mut document = document();
    let of_game = |document: &mut Value, game: usize, index: usize, code: Value| {
        let moves = member(item(member(document, "games"), game), "moves");
        if let Value::List(actions) = moves {
            actions.insert(index, code);
        }
    };
    let last = original().games[1].entries.len();
    of_game(&mut document, 1, last, encode::code(9, Player::Two));
    *member(item(member(&mut document, "games"), 2), "lostOnTime") = Value::Bool(true);
    let (record, findings) = read_document(&document);
    assert_eq!(said(&findings), []);
    let ends = |game: usize| {
        let game = &record.games[game];
        let last = game.entries.last().expect("an action");
        let result = game.result.expect("a result").value;
        (
            last.player,
            last.action,
            result.resigned,
            result.after as usize == game.entries.len(),
        )
    };
    assert_eq!(
        ends(1),
        (Player::Two, Action::Resign { win: None }, true, true)
    );
    assert_eq!(ends(2), (Player::Two, Action::TimeOut, false, true));
}

#[test]
fn another_start_is_a_position_and_that_of_a_known_game_its_name() {
    let mut document = document();
    let initial = |document: &mut Value, game: usize, points: &[i64; 28]| {
        let game = item(member(document, "games"), game);
        *member(member(game, "initial"), "points") = list(points);
    };
    let mut points = encode::START;
    // Green has a checker on the bar and Red one off.
    (points[0], points[24], points[23], points[27]) = (1, 1, -1, -1);
    initial(&mut document, 1, &points);
    let cube = member(item(member(&mut document, "games"), 2), "initial");
    *member(cube, "cube") = int(2);
    *member(cube, "cubeOwner") = int(1);
    let record = read_document(&document).0;
    let start = |game: usize| {
        record.games[game]
            .start
            .as_ref()
            .map(|start| start.value.clone())
    };
    assert_eq!(start(0), None);
    let set = start(1).expect("a position");
    let (green, red) = (set.checkers.one, set.checkers.two);
    assert_eq!((green[24], green[25], red[24], red[6]), (1, 1, 1, 5));
    assert_eq!(set.cube, Some(Cube::START));
    let owner = Some(Player::Two);
    assert_eq!(
        start(2).expect("a cube").cube,
        Some(Cube { value: 2, owner })
    );

    let nackgammon = [
        2, 2, 0, 0, 0, -4, 0, -3, 0, 0, 0, 4, -4, 0, 0, 0, 3, 0, 4, 0, 0, 0, -2, -2, 0, 0, 0, 0,
    ];
    let mut document = self::document();
    (0..3).for_each(|game| initial(&mut document, game, &nackgammon));
    let record = read_document(&document).0;
    let name = record.variation.map(|variation| variation.value);
    assert_eq!(name.as_deref(), Some(Variant::Nackgammon.name()));
    assert!(record.games.iter().all(|game| game.start.is_none()));
}

#[test]
fn comments_are_kept_where_they_stand() {
    let mut document = document();
    *member(&mut document, "comment") = encode::text("a good match");
    *member(action(&mut document, 0, 1), "comment") = encode::text("Zug\nvon Jörg");
    let game = item(member(&mut document, "games"), 1);
    *member(game, "comment") = Value::List(vec![encode::text("short"), int(3)]);
    let (record, findings) = read_document(&document);
    assert_eq!(record.comments[0].value, "a good match");
    let extra = record.games[0].entries[1]
        .extra
        .as_deref()
        .expect("a comment");
    assert_eq!(extra.comment.as_deref(), Some("Zug\nvon Jörg"));
    assert_eq!(record.games[1].comments[0].value, "short");
    assert_eq!(
        said(&findings),
        [("bad-header", Level::Warning, "a comment is 3")]
    );
}

#[test]
fn what_makes_no_sense_is_kept_and_reported() {
    let mut document = document();
    *member(action(&mut document, 0, 0), "from") = list(&[8, 26, -1, -1]);
    *member(action(&mut document, 0, 1), "player") = int(0);
    *member(action(&mut document, 0, 3), "from") = list(&[]);
    let other = action(&mut document, 0, 4);
    (*member(other, "red"), *member(other, "green")) = (int(6), int(7));
    *member(&mut document, "matchlen") = int(-3);
    *member(&mut document, "gameMode") = int(2);
    let initial = member(item(member(&mut document, "games"), 0), "initial");
    *member(initial, "cube") = int(3);
    *member(initial, "points") = list(&[1, 2, 3]);
    let second = item(member(&mut document, "games"), 1);
    *member(second, "scoreRed") = encode::text("two");
    let (record, findings) = read_document(&document);
    let expected = [
        ("bad-header", Level::Warning, "matchlen is -3"),
        ("bad-header", Level::Warning, "the game mode 2 is not known"),
        ("bad-header", Level::Warning, "the cube starts on 3"),
        (
            "unreadable-line",
            Level::Error,
            "the starting position cannot be read",
        ),
        ("unreadable-line", Level::Error, "26 to 5 is no move"),
        ("unreadable-line", Level::Error, "0 is no player"),
        ("unreadable-line", Level::Error, "a roll without dice"),
        ("unreadable-line", Level::Error, "6 is no kind of action"),
        ("bad-header", Level::Warning, "scoreRed is \"two\""),
    ];
    assert_eq!(said(&findings), expected);
    let entries = &record.games[0].entries;
    let not_recorded = Action::Play {
        roll: WrittenRoll(3, 1),
        play: WrittenPlay::NotRecorded,
    };
    assert_eq!(entries[0].action, not_recorded);
    // Whose it was is told by the turn.
    assert_eq!(
        (entries[1].player, entries[1].action),
        (Player::Two, Action::Unreadable)
    );
    let unreadable = |entry: &Entry| entry.extra.as_deref().is_some_and(|extra| extra.unreadable);
    let marked: Vec<bool> = entries.iter().take(6).map(unreadable).collect();
    assert_eq!(marked, [true, true, false, true, true, false]);
    let context = findings[6].context;
    assert_eq!(
        (context.game, context.ply, context.player),
        (Some(1), Some(4), Some(Player::Two))
    );
}

#[test]
fn absurd_numbers_are_survived() {
    let most = i64::from(u32::MAX);
    for number in [most, most + 1, i64::MAX, i64::MIN] {
        let mut document = document();
        for name in ["matchlen", "finalRed", "cubeLimit", "count", "gameMode"] {
            *member(&mut document, name) = int(number);
        }
        let game = item(member(&mut document, "games"), 1);
        for name in ["scoreGreen", "scoreRed", "wonPoints"] {
            *member(game, name) = int(number);
        }
        let initial = member(game, "initial");
        *member(initial, "cube") = int(number);
        *member(initial, "points") = list(&[number; 28]);
        let last = item(member(&mut document, "games"), 2);
        *member(member(last, "initial"), "points") = list(&[200; 28]);
        let (record, findings) = read_document(&document);
        let replayed = replay(&record, &rules_for(&record, &RuleOptions::default()));
        assert_eq!(replayed.games.len(), 3, "{number}");
        assert!(findings.len() > 3, "{number}: {:?}", said(&findings));
    }
}

#[test]
fn a_document_that_is_something_else_is_reported() {
    let (record, findings) = read_document(&object([("hello", int(1))]));
    assert_eq!(record.games, []);
    let codes: Vec<_> = findings.iter().map(|finding| finding.rule.code).collect();
    assert_eq!(codes, ["unreadable-line"]);
    let (record, findings) = read(&file(HEADER, b"no document"));
    assert_eq!(record.games, []);
    let message = "the document breaks off at byte 0: 'n' is not expected there";
    let first = said(&findings)
        .into_iter()
        .find(|(code, ..)| *code == "unreadable-line");
    assert_eq!(first, Some(("unreadable-line", Level::Error, message)));
}

#[test]
fn a_match_of_too_many_actions_is_read_up_to_a_limit() {
    let mut document = document();
    let moves = member(item(member(&mut document, "games"), 0), "moves");
    *moves = Value::List(vec![Value::Null; 200_000]);
    let (record, findings) = read_document(&document);
    assert_eq!(record.games.len(), 1);
    assert!((99_000..100_000).contains(&record.games[0].entries.len()));
    let message = "more than 100000 games, actions and comments";
    let told = findings.iter().filter(|finding| finding.message == message);
    assert_eq!(told.count(), 1);
}

/// Writes the fixtures: `cargo test --lib bgf -- --ignored`.
#[test]
#[ignore = "writes into the folder of fixtures"]
fn fixtures_are_written() {
    let write = |name: &str, bytes: &[u8]| {
        let path = format!("{}/fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
        std::fs::write(path, bytes).expect("a fixture");
    };
    let mut whole = analysed();
    *member(action(&mut whole, 0, 0), "comment") = encode::text("the usual play");
    let whole = packed(&whole);
    write("bgf/blitz.bgf", &whole);
    let mut plain = document();
    *member(&mut plain, "matchlen") = int(0);
    *member(&mut plain, "date") = encode::text("Mar 14, 2026");
    let last = item(member(&mut plain, "games"), 2);
    *member(last, "wonPoints") = int(0);
    *member(last, "lostOnTime") = Value::Bool(true);
    let cube = member(last, "initial");
    *member(cube, "cube") = int(2);
    *member(&mut plain, "finalGreen") = int(5);
    let second = item(member(&mut plain, "games"), 1);
    *member(second, "isCrawford") = Value::Bool(false);
    let header = "{\"format\":\"BGF\",\"version\":\"1.0\",\"compress\":false,\"useSmile\":false}\n";
    write(
        "bgf/blitz-money.bgf",
        &file(header, json(&plain).as_bytes()),
    );
    write("broken/blitz-cut.bgf", &whole[..whole.len() - 250]);
    let mut crc = whole.clone();
    let at = crc.len() - 8;
    crc[at] ^= 0xFF;
    write("broken/blitz-checksum.bgf", &crc);
    let mut garbled = document();
    *member(action(&mut garbled, 0, 0), "from") = list(&[8, 26, -1, -1]);
    *member(action(&mut garbled, 0, 1), "player") = int(0);
    *member(action(&mut garbled, 1, 1), "red") = int(0);
    *member(item(member(&mut garbled, "games"), 1), "scoreRed") = int(-2);
    let mut smile = Smile::document(&garbled, true, false);
    let end = smile.len() - 200;
    smile[end] = 0xFF;
    let header = "{\"format\":\"BGF\",\"version\":\"1.1\",\"compress\":false,\"useSmile\":true}\n";
    write("broken/blitz-garbled.bgf", &file(header, &smile));
}
