//! Files of eXtreme Gammon that are made here: written by the writer, then changed in single fields.

use std::fs;
use std::path::Path;

use super::archive::{self, RECORD, pack};
use super::records::{KIND, cube, end, game, header, kind, play};
use super::{FORMAT, rtf};
use crate::board::{Cube, Length, Player, Win};
use crate::diagnostic::{Finding, Findings};
use crate::formats::test_support::{actions, codes};
use crate::formats::{WriteOptions, by_name, write};
use crate::record::{Action, MatchRecord, WrittenPlay, analysis};
use crate::replay::{Fault, Visitor, replay, rules_for, walk};
use crate::ruleset::RuleOptions;
use crate::source::Source;

const MATCH: &str = "; [Event \"Harbour Cup\"]\n; [EventDate \"2024.05.01\"]\n; [Crawford \"On\"]\n\n\
    3 point match\n\n Game 1\n Ayla : 0                        Burak : 0\n\
    \x20 1) 31: 8/5 6/5                    42: 8/4 6/4\n\
    \x20 2) 65: 24/18 18/13                Doubles => 2\n\
    \x20 3)  Takes                         61: 13/7 8/7\n\
    \x20 4) 33: 8/5(2) 6/3(2)              Wins 2 points\n";

/// A file in parts: its records and its comments.
struct File {
    records: Vec<u8>,
    comments: Vec<u8>,
}

impl File {
    /// What is written for a transcript.
    fn of(text: &str) -> File {
        let source = Source::new("x.mat", text.into(), None).expect("a source");
        let mut bytes = Vec::new();
        let read = by_name("mat").and_then(|mat| mat.read).expect("a reader");
        let mut sink = |record: &MatchRecord, _: &mut Findings| bytes = written(record);
        read(&source, &mut sink).expect("a match");
        let archive = archive::open(&bytes, 1 << 24).expect("a container");
        assert_eq!(archive.flaws, []);
        File {
            records: archive.records,
            comments: archive.comments,
        }
    }

    fn pack(&self) -> Vec<u8> {
        let ends = [
            &self.records[..RECORD],
            &self.records[self.records.len() - RECORD..],
        ]
        .concat();
        let mut files: Vec<(&str, &[u8])> = vec![("temp.xg", &self.records), ("temp.xgi", &ends)];
        if !self.comments.is_empty() {
            files.push(("temp.xgc", &self.comments));
        }
        pack("a match", &files)
    }

    /// The record with this number among those of a kind, from 0 on.
    fn nth(&mut self, wanted: u8, number: usize) -> &mut [u8] {
        let records = self.records.chunks_exact_mut(RECORD);
        let mut found = records.filter(|record| record[KIND] == wanted);
        found.nth(number).expect("a record of this kind")
    }

    fn put(&mut self, (wanted, number): (u8, usize), at: usize, bytes: &[u8]) {
        self.nth(wanted, number)[at..at + bytes.len()].copy_from_slice(bytes);
    }

    fn i32(&mut self, record: (u8, usize), at: usize, value: i32) {
        self.put(record, at, &value.to_le_bytes());
    }

    fn f64(&mut self, record: (u8, usize), at: usize, value: f64) {
        self.put(record, at, &value.to_le_bytes());
    }

    /// Adds a comment and returns its number.
    fn comment(&mut self, text: &str) -> i32 {
        let lines = self.comments.iter().filter(|byte| **byte == b'\n');
        let number = lines.count() as i32;
        self.comments.extend(rtf::document(text));
        self.comments.extend(b"\r\n");
        number
    }
}

fn written(record: &MatchRecord) -> Vec<u8> {
    let replay = replay(record, &rules_for(record, &RuleOptions::default()));
    let written = write(&FORMAT, record, &replay, &WriteOptions::default());
    written.expect("a match that can be written").bytes
}

/// The match of a file and what its reader found.
fn read(bytes: Vec<u8>) -> (MatchRecord, Vec<Finding>, String) {
    let source = Source::new("x.xg", bytes, None).expect("a source");
    let (mut matches, mut found) = (Vec::new(), Vec::new());
    let mut sink = |record: &MatchRecord, findings: &mut Findings| {
        found.extend(findings.take());
        matches.push(record.clone());
    };
    FORMAT.read.expect("a reader")(&source, &mut sink).expect("a file of this format");
    assert_eq!(matches.len(), 1);
    (matches.remove(0), found, source.text().to_owned())
}

/// What is found when a file is replayed, a word each.
struct Faults(Vec<String>);

impl Visitor for Faults {
    fn fault(&mut self, fault: Fault<'_>) {
        let words = format!("{:?}", fault.kind);
        let declared = words.contains("declared: true");
        let name = words.split([' ', '{', '(']).next().unwrap_or_default();
        // The match goes on beyond its only game.
        if name != "MatchUnfinished" {
            self.0.push(match declared {
                true => format!("{name}, declared"),
                false => name.to_owned(),
            });
        }
    }
}

fn faults(bytes: Vec<u8>) -> Vec<String> {
    let (record, ..) = read(bytes);
    let mut faults = Faults(Vec::new());
    walk(
        &record,
        &rules_for(&record, &RuleOptions::default()),
        &mut faults,
    );
    faults.0
}

#[test]
fn a_match_is_read_with_all_that_its_header_says() {
    let mut file = File::of(MATCH);
    let header = (kind::MATCH, 0);
    file.f64(header, header::ELO[1], 1723.456);
    file.i32(header, header::EXPERIENCE[1], 812);
    file.i32(header, header::SITE, 1);
    file.f64(header, header::DATE, 45_413.604_166_666_67);
    file.i32(header, header::CLOCK, 1);
    file.i32(header, header::CLOCK_TIMES[0], 420);
    file.i32(header, header::CLOCK_TIMES[1], 12);
    let (record, found, listing) = read(file.pack());
    assert_eq!(codes(&found), [""; 0]);
    assert_eq!((&*record.names.one, &*record.names.two), ("Ayla", "Burak"));
    assert_eq!(record.length.map(|l| l.value), Some(Length::Points(3)));
    assert_eq!(record.ratings.one, None);
    assert_eq!(record.ratings.two.as_deref(), Some("1723.46/812"));
    let tag = |name| record.tag(name).map(|tag| tag.value.as_str());
    assert_eq!(tag("Event"), Some("Harbour Cup"));
    assert_eq!(tag("EventDate"), Some("2024.05.01"));
    assert_eq!(tag("EventTime"), Some("14:30:00"));
    assert_eq!(tag("Server"), Some("FIBS"));
    assert_eq!(tag("Clock"), Some("Fischer 420+12"));
    assert_eq!(tag("Crawford"), Some("On"));
    assert_eq!(
        actions(&record.games[0]),
        [
            "1 31: 8/5 6/5",
            "2 42: 8/4 6/4",
            "1 65: 24/13",
            "2 double",
            "1 take",
            "2 61: 13/7 8/7",
            "1 33: 8/5(2) 6/3(2)",
        ]
    );
    let lines: Vec<&str> = listing.lines().collect();
    assert_eq!(lines[0], "match     Ayla - Burak, match to 3");
    assert_eq!(lines[2], "game 1    1. Ayla  31: 8/5 6/5");
    assert_eq!(lines[5], "game 1    2. Burak  doubles to 2");
}

#[test]
fn analysis_stands_beside_its_decision() {
    let mut file = File::of(MATCH);
    let record = (kind::MOVE, 0);
    file.f64(record, play::ERROR, -0.0625);
    file.f64(record, play::LUCK, 0.25);
    file.i32(record, play::CANDIDATES, 2);
    file.i32(record, play::LEVEL, 2);
    for (index, equity) in [0.125f32, 0.0625].into_iter().enumerate() {
        let chances = [0.005f32, 0.1, 0.45, 0.55, 0.15, 0.01, equity];
        let bytes: Vec<u8> = chances.into_iter().flat_map(f32::to_le_bytes).collect();
        file.put(record, play::CANDIDATE_CHANCES + 28 * index, &bytes);
        file.put(record, play::CANDIDATE_LEVELS + 4 * index, &[1, 0]);
    }
    // The second one was played: 8/5 6/5.
    file.put(
        record,
        play::CANDIDATE_MOVES,
        &[23, 20, 5, 4, 0xff, 0, 0, 0],
    );
    file.put(
        record,
        play::CANDIDATE_MOVES + 8,
        &[7, 4, 5, 4, 0xff, 0, 0, 0],
    );
    let after = file.nth(kind::MOVE, 0)[play::POSITION_AFTER..][..26].to_vec();
    file.put(record, play::CANDIDATE_BOARDS + 26, &after);
    let double = file.records.chunks_exact(RECORD);
    let double = double
        .filter(|record| record[KIND] == kind::CUBE)
        .position(|record| record[cube::DOUBLE] == 1);
    let double = (kind::CUBE, double.expect("a double"));
    file.put(double, cube::VERDICT, &2i16.to_le_bytes());
    file.f64(double, cube::ERROR, 0.5);
    file.f64(double, cube::TAKE_ERROR, -0.125);
    let (record, found, _) = read(file.pack());
    assert_eq!(codes(&found), [""; 0]);
    let said = |entry: usize, name: &str| {
        let extra = record.games[0].entries[entry].extra.as_deref();
        let said = extra.into_iter().flat_map(|extra| &extra.analysis);
        let values = said.filter(|(other, _)| other == name);
        values.map(|(_, value)| value.clone()).collect::<Vec<_>>()
    };
    assert_eq!(said(0, analysis::ERROR), ["0.0625"]);
    assert_eq!(said(0, analysis::LUCK), ["+0.250"]);
    assert_eq!(said(0, analysis::EQUITY), ["+0.0625"]);
    assert_eq!(
        said(0, analysis::CANDIDATE),
        [
            "24/21 6/5 +0.125 win 55.00 15.00 1.00 loss 45.00 10.00 0.50 (2-ply)",
            "8/5 6/5 +0.0625 win 55.00 15.00 1.00 loss 45.00 10.00 0.50 (2-ply)",
        ]
    );
    assert_eq!(said(3, analysis::CUBE_VERDICT), ["double, pass"]);
    assert_eq!(said(3, analysis::CUBE_ERROR), ["0.500"]);
    assert_eq!(said(4, analysis::TAKE_ERROR), ["0.125"]);
}

#[test]
fn comments_stand_where_they_belong() {
    let mut file = File::of(MATCH);
    for (record, at) in [
        ((kind::MATCH, 0), header::COMMENTS[0]),
        ((kind::GAME, 0), game::COMMENTS[0]),
        ((kind::CUBE, 1), cube::COMMENT),
        ((kind::MOVE, 1), play::COMMENT),
    ] {
        let number = file.comment(&format!("said at {at}"));
        file.i32(record, at, number);
    }
    file.comment("said nowhere");
    let (record, found, _) = read(file.pack());
    assert_eq!(codes(&found), [""; 0]);
    let said: Vec<&str> = record.comments.iter().map(|c| c.value.as_str()).collect();
    assert_eq!(said, ["said at 576", "said nowhere"]);
    assert_eq!(record.games[0].comments[0].value, "said at 56");
    let extra = record.games[0].entries[1].extra.as_deref().expect("more");
    assert_eq!(extra.comment.as_deref(), Some("said at 292\nsaid at 2524"));
}

#[test]
fn a_stated_board_that_the_play_does_not_lead_to_is_found() {
    let mut file = File::of(MATCH);
    // A checker more on the 4 point and one less on the 5 point.
    let at = (kind::MOVE, 0);
    file.put(at, play::POSITION_AFTER + 4, &[1]);
    file.put(at, play::POSITION_AFTER + 5, &[1]);
    assert_eq!(faults(file.pack()), ["PositionMismatch"]);
}

#[test]
fn a_play_that_is_marked_as_illegal_is_a_note() {
    let text = MATCH.replace("42: 8/4 6/4", "42: 8/4 8/4");
    let mut file = File::of(&text);
    assert_eq!(faults(file.pack()), ["Play"]);
    file.i32((kind::MOVE, 1), play::INVALID, 2);
    assert_eq!(faults(file.pack()), ["Play, declared"]);
    let (record, ..) = read(file.pack());
    let extra = record.games[0].entries[1].extra.as_deref().expect("more");
    assert!(extra.declared_illegal);
}

#[test]
fn a_board_set_by_hand_is_an_action_of_its_own() {
    let mut file = File::of(MATCH);
    // Before the third roll one of Ayla's checkers was put from her 8 point on her 7 point.
    for (kind, at) in [(kind::CUBE, cube::POSITION), (kind::MOVE, play::POSITION)] {
        file.put((kind, 2), at + 8, &[1]);
        file.put((kind, 2), at + 7, &[1]);
    }
    let set = |record: &MatchRecord| {
        let entry = &record.games[0].entries[2];
        let extra = entry.extra.as_deref();
        let stated = extra.and_then(|extra| extra.position_after.as_ref());
        (
            entry.action,
            stated.map(|stated| stated.value.checkers.one[7]),
        )
    };
    let (record, found, _) = read(file.pack());
    assert_eq!(set(&record), (Action::Set, Some(1)));
    assert_eq!(codes(&found), ["bad-header"]);
    file.put((kind::CUBE, 2), cube::EDITED, &[1]);
    let (record, found, _) = read(file.pack());
    assert_eq!(set(&record), (Action::Set, Some(1)));
    assert_eq!(codes(&found), [""; 0]);
}

#[test]
fn cube_turns_beyond_the_double_are_beavers_and_raccoons() {
    let text = "; [Jacoby \"On\"]\n; [Beaver \"On\"]\n\n 0 point match\n\n Game 1\n Ayla : 0                        Burak : 0\n\
        \x20 1) 31: 8/5 6/5                     Doubles => 2\n\
        \x20 2)  Beavers => 4                   Raccoons => 8\n\
        \x20 3)  Takes                         42: 8/4 6/4\n";
    let file = File::of(text);
    let (record, found, _) = read(file.pack());
    assert_eq!(codes(&found), [""; 0]);
    let entries = &record.games[0].entries;
    assert_eq!(entries[2].action, Action::Beaver { to: Some(4) });
    assert_eq!(entries[3].action, Action::Raccoon { to: Some(8) });
    assert_eq!(entries[4].action, Action::Take);
    assert_eq!(entries[4].player, Player::One);
    assert_eq!(record.switch("Jacoby").map(|(on, _)| on), Some(true));
    assert_eq!(record.length.map(|l| l.value), Some(Length::Money));
}

#[test]
fn automatic_doubles_count_in_the_cube_and_in_the_points() {
    let mut file = File::of(&MATCH.replace("3 point match", "0 point match"));
    file.i32((kind::GAME, 0), game::AUTOMATIC_DOUBLES, 1);
    let (record, found, _) = read(file.pack());
    assert_eq!(codes(&found), [""; 0]);
    let start = record.games[0].start.as_ref().expect("a start");
    let doubled = Cube {
        value: 2,
        owner: None,
    };
    assert_eq!(start.value.cube, Some(doubled));
    let double = record.games[0].entries[3].action;
    let to_four = Action::Double {
        to: Some(4),
        after_roll: None,
    };
    assert_eq!(double, to_four);
    let result = record.games[0].result.expect("a result").value;
    assert_eq!(result.points, Some(4));
}

#[test]
fn a_roll_before_a_resignation_has_no_play() {
    let mut file = File::of(MATCH);
    let last = (kind::MOVE, 4);
    file.put(last, play::PLAYED, &[0]);
    file.put(last, play::POSITION_AFTER, &[0; 26]);
    file.put(last, play::MOVES, &[0; 32]);
    file.i32((kind::GAME_END, 0), end::TERMINATION, 101);
    // The writer had another action after it.
    file.put((kind::CUBE, 5), cube::POSITION, &[0; 26]);
    let (record, found, _) = read(file.pack());
    assert_eq!(codes(&found), [""; 0]);
    let last = record.games[0].entries.last().expect("a roll");
    assert!(matches!(
        last.action,
        Action::Play {
            play: WrittenPlay::Nothing,
            ..
        }
    ));
    let result = record.games[0].result.expect("a result").value;
    assert!(result.resigned);
    assert_eq!(result.win, Some(Win::Single));
}

#[test]
fn a_match_that_is_given_up_may_cost_any_number_of_points() {
    let text = MATCH.replace("3 point match", "7 point match");
    let text = text.replace("Wins 2 points", "Wins 7 points");
    let mut file = File::of(&text);
    file.i32((kind::GAME_END, 0), end::TERMINATION, 101);
    assert_eq!(faults(file.pack()), ["ImpossiblePoints"]);
    file.i32((kind::GAME_END, 0), end::TERMINATION, 104);
    assert_eq!(faults(file.pack()), [""; 0]);
}

#[test]
fn a_position_is_a_game_that_starts_there() {
    let mut file = File::of(MATCH);
    // A header, a game that says nothing of its start, and a cube record: what a position file holds.
    file.records.truncate(3 * RECORD);
    file.put((kind::GAME, 0), game::START, &[0; 26]);
    file.put((kind::CUBE, 0), cube::POSITION + 8, &[2]);
    file.put((kind::CUBE, 0), cube::POSITION + 7, &[1]);
    file.i32((kind::CUBE, 0), cube::PLAYER, -1);
    file.i32((kind::CUBE, 0), cube::CUBE, -2);
    let (record, found, _) = read(file.pack());
    assert_eq!(codes(&found), [""; 0]);
    let start = &record.games[0].start.as_ref().expect("a start").value;
    assert_eq!(start.turn, Some(Player::Two));
    let cube = start.cube.expect("a cube");
    assert_eq!((cube.value, cube.owner), (4, Some(Player::Two)));
    assert_eq!((start.checkers.one[8], start.checkers.one[7]), (2, 1));
}

#[test]
fn what_makes_no_sense_is_said_and_the_rest_is_read() {
    let changes: [(&str, (u8, usize), usize, i32); 9] = [
        ("bad-header", (kind::MATCH, 0), header::VARIATION, 9),
        ("bad-header", (kind::MATCH, 0), header::CUBE_LIMIT, 77),
        ("bad-header", (kind::MATCH, 0), header::LENGTH, -5),
        ("bad-header", (kind::GAME, 0), game::AUTOMATIC_DOUBLES, 99),
        ("bad-header", (kind::GAME, 0), game::SCORE[0], -1),
        ("unreadable-line", (kind::MOVE, 1), play::PLAYER, 3),
        ("unreadable-line", (kind::MOVE, 1), play::DICE[0], 77),
        ("unreadable-line", (kind::MOVE, 1), play::MOVES, 99),
        ("bad-header", (kind::GAME_END, 0), end::TERMINATION, 55),
    ];
    for (code, record, at, value) in changes {
        let mut file = File::of(MATCH);
        file.i32(record, at, value);
        let (again, found, _) = read(file.pack());
        assert_eq!(codes(&found), [code], "{record:?} {at}");
        assert!(again.games[0].entries.len() >= 6, "{record:?} {at}");
    }
    let mut file = File::of(MATCH);
    // Eleven checkers of Ayla on Burak's bar.
    file.put((kind::MOVE, 1), play::POSITION_AFTER, &[11]);
    let (_, found, _) = read(file.pack());
    assert_eq!(codes(&found), ["impossible-position"]);
    file = File::of(MATCH);
    file.nth(kind::MOVE, 1)[KIND] = 7;
    let (_, found, _) = read(file.pack());
    // The cube record before it is left without a roll, and the board of the next action is another one.
    assert_eq!(codes(&found)[0], "unreadable-line");
}

#[test]
fn other_versions_and_other_files_are_refused() {
    let refused = |bytes: Vec<u8>| {
        let source = Source::new("x.xg", bytes, None).expect("a source");
        let mut sink = |_: &MatchRecord, _: &mut Findings| panic!("a match");
        let error = FORMAT.read.expect("a reader")(&source, &mut sink);
        error.expect_err("an error").to_string()
    };
    let mut file = File::of(MATCH);
    file.i32((kind::MATCH, 0), header::VERSION, 41);
    assert_eq!(
        refused(file.pack()),
        "version 41 of the file is not known; read up to 40"
    );
    assert_eq!(
        refused(file.pack()[..20].to_vec()),
        "the file is cut within its header"
    );
    file.nth(kind::MATCH, 0)[KIND] = 3;
    assert_eq!(
        refused(file.pack()),
        "no record of a match was found in the file"
    );
}

/// The numbers of a small generator, for changes at random.
fn numbers(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |below| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below.max(1)
    }
}

fn survives(bytes: Vec<u8>) {
    let source = Source::new("x.xg", bytes, None).expect("a source");
    let mut sink = |record: &MatchRecord, _: &mut Findings| {
        replay(record, &rules_for(record, &RuleOptions::default()));
    };
    // What cannot be read at all is refused.
    let _ = FORMAT.read.expect("a reader")(&source, &mut sink);
}

#[test]
fn changed_records_and_files_are_no_harm() {
    let mut next = numbers(20_241);
    let whole = File::of(MATCH);
    for _ in 0..250 {
        let mut file = File {
            records: whole.records.clone(),
            comments: whole.comments.clone(),
        };
        for _ in 0..1 + next(4) {
            let at = next(file.records.len());
            file.records[at] = next(256) as u8;
        }
        survives(file.pack());
    }
    let packed = whole.pack();
    for end in (0..packed.len()).filter(|end| *end % 11 == 0) {
        survives(packed[..end].to_vec());
    }
    for _ in 0..250 {
        let mut bytes = packed.clone();
        let at = next(bytes.len());
        bytes[at] = next(256) as u8;
        survives(bytes);
    }
}

/// Writes the files of `fixtures/xg` again.
#[test]
#[ignore = "writes fixtures; run it when they are to change"]
fn writes_the_fixtures() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let save = |name: &str, bytes: &[u8]| {
        fs::write(folder.join(name), bytes).expect("a fixture that can be written");
    };
    let mut file = File::of(MATCH);
    let opening = (kind::MOVE, 0);
    file.f64(opening, play::ERROR, 0.0);
    file.f64(opening, play::LUCK, 0.187_5);
    file.f64((kind::MOVE, 1), play::ERROR, -0.031_25);
    file.f64((kind::MOVE, 1), play::LUCK, -0.062_5);
    file.f64((kind::CUBE, 3), cube::ERROR, 0.125);
    file.put((kind::CUBE, 3), cube::VERDICT, &0i16.to_le_bytes());
    file.f64((kind::CUBE, 3), cube::TAKE_ERROR, 0.0);
    let comment = file.comment("The usual play.\nBurak doubles too soon.");
    file.i32(opening, play::COMMENT, comment);
    save("xg/analysed.xg", &file.pack());
    let whole = file.pack();
    save("xg/without-a-trailer.xg", &whole[..whole.len() - 36]);
    let mut damaged = whole.clone();
    let trailer = damaged.len() - 36;
    damaged[trailer] ^= 0x55;
    save("broken/wrong-checksum.xg", &damaged);
    save("broken/cut.xg", &whole[..8232 + 700]);
    file.put(opening, play::POSITION_AFTER + 4, &[1]);
    file.put(opening, play::POSITION_AFTER + 5, &[1]);
    file.records.truncate(6 * RECORD);
    save("rules/position-mismatch-stated.xg", &file.pack());
    let mut marked = File::of(&MATCH.replace("42: 8/4 6/4", "42: 8/4 8/4"));
    marked.i32((kind::MOVE, 1), play::INVALID, 2);
    save("xg/marked-illegal.xg", &marked.pack());
    let mut position = File::of(MATCH);
    position.records.truncate(3 * RECORD);
    position.put((kind::GAME, 0), game::START, &[0; 26]);
    position.put((kind::CUBE, 0), cube::POSITION + 8, &[2]);
    position.put((kind::CUBE, 0), cube::POSITION + 7, &[1]);
    position.i32((kind::CUBE, 0), cube::PLAYER, -1);
    save("xg/position.xgp", &position.pack());
}
