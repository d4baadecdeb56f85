//! What a user would miss of Jellyfish positions.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::FORMAT;
use crate::board::{ByPlayer, Cube, Length, Player, Roll, Setup, Variant};
use crate::diagnostic::{Finding, Findings, Level};
use crate::formats::carry::Item;
use crate::formats::ids::decode;
use crate::formats::ids::record::record as of_id;
use crate::formats::{CannotWrite, WriteOptions, detect, write};
use crate::record::{MatchRecord, Tag};
use crate::replay::{replay, rules_for};
use crate::ruleset::RuleOptions;
use crate::source::{Source, Span};

/// Written by GNU Backgammon 1.07: Bravo is on roll and Alpha owns the cube.
const GNUBG: &[u8] = include_bytes!("../../../fixtures/pos/gnubg-position.pos");

/// What a file says, with the start position and player 2's view of it.
struct File {
    version: i16,
    options: [i16; 3],
    cube: [i16; 2],
    turn: i16,
    kind: i16,
    opponent: i16,
    length: i16,
    score: [i16; 2],
    names: [&'static [u8]; 2],
    crawford: i16,
    last_move: &'static [u8],
    dice: [i16; 2],
    checkers: [i16; 26],
}

const FILE: File = File {
    version: 126,
    options: [1, 0, 0],
    cube: [1, 0],
    turn: 3,
    kind: 1,
    opponent: 1,
    length: 5,
    score: [1, 2],
    names: [b"Ayla", b"Burak"],
    crawford: 1,
    last_move: b"",
    dice: [0, 0],
    checkers: [
        0, 2, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5, -5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, -2, 0,
    ],
};

impl File {
    fn bytes(&self) -> Vec<u8> {
        let mut numbers = vec![self.version];
        if self.version == 126 {
            numbers.extend([0, 0]);
        }
        if self.version != 124 {
            numbers.extend(self.options);
        }
        numbers.extend(self.cube);
        numbers.extend([self.turn, 0, 0, 0, self.kind, self.opponent, 7, self.length]);
        numbers.extend(self.score);
        let mut bytes = plain(&numbers);
        for name in self.names {
            bytes.push(name.len() as u8);
            bytes.extend(name);
        }
        bytes.extend(plain(&[0, self.crawford, 0]));
        bytes.push(self.last_move.len() as u8);
        bytes.extend(self.last_move);
        bytes.extend(plain(&self.dice));
        let checkers = self.checkers.iter().flat_map(|&number| [number + 20; 2]);
        bytes.extend(plain(&checkers.collect::<Vec<_>>()));
        bytes
    }
}

fn plain(numbers: &[i16]) -> Vec<u8> {
    numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}

fn source(bytes: &[u8]) -> Source {
    Source::new("test.pos", bytes.to_vec(), None).expect("a source")
}

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

fn said(findings: &[Finding]) -> Vec<(&'static str, Level, &str)> {
    findings
        .iter()
        .map(|finding| (finding.rule.code, finding.level, finding.message.as_str()))
        .collect()
}

fn start(record: &MatchRecord) -> &Setup {
    &record.games[0].start.as_ref().expect("a position").value
}

fn switches(record: &MatchRecord) -> Vec<(&str, &str)> {
    let tags = record.tags.iter();
    tags.map(|tag| (tag.name.as_str(), tag.value.as_str()))
        .collect()
}

/// The bytes of a record, and what was lost.
fn written(record: &MatchRecord) -> Result<(Vec<u8>, Vec<Item>), CannotWrite> {
    let replay = replay(record, &rules_for(record, &RuleOptions::default()));
    let written = write(&FORMAT, record, &replay, &WriteOptions::default())?;
    let losses = written.losses.iter().map(|loss| loss.item);
    Ok((written.bytes, losses.collect()))
}

fn of_xgid(text: &str) -> MatchRecord {
    let decoded = decode(text).expect("an identifier");
    of_id(&decoded.state, Span::default())
}

#[test]
fn a_file_of_gnubg_is_read_and_written() {
    let (record, findings) = read(GNUBG);
    assert_eq!(said(&findings), []);
    assert_eq!(
        record.names,
        ByPlayer::new("Alpha".to_owned(), "Bravo".to_owned())
    );
    assert_eq!(
        record.length.map(|length| length.value),
        Some(Length::Points(5))
    );
    let start = start(&record);
    let owner = Some(Player::One);
    assert_eq!(start.cube, Some(Cube { value: 2, owner }));
    assert_eq!((start.turn, start.roll), (Some(Player::Two), None));
    let points = |side: &[u8; 26]| (side[4], side[5], side[24], side[25]);
    assert_eq!(points(&start.checkers.one), (0, 2, 2, 0));
    assert_eq!(points(&start.checkers.two), (2, 0, 2, 0));
    let (bytes, losses) = written(&record).expect("a position");
    assert_eq!(losses, []);
    // The opponent is a person there, and Jacoby and beavers say nothing in a match.
    let different: Vec<usize> = (0..GNUBG.len())
        .filter(|&at| GNUBG[at] != bytes[at])
        .collect();
    assert_eq!((bytes.len(), different), (GNUBG.len(), vec![8, 10, 26]));
}

#[test]
fn the_turn_tells_whether_the_dice_count() {
    let of = |turn, dice| {
        let (record, findings) = read(&File { turn, dice, ..FILE }.bytes());
        let start = start(&record);
        let found: Vec<String> = findings.iter().map(|f| f.message.clone()).collect();
        (start.turn, start.roll, found)
    };
    let none = Vec::<String>::new();
    assert_eq!(
        of(1, [-3, 1]),
        (Some(Player::One), Roll::new(3, 1), none.clone())
    );
    assert_eq!(
        of(2, [6, 6]),
        (Some(Player::Two), Roll::new(6, 6), none.clone())
    );
    assert_eq!(of(4, [0, 0]), (Some(Player::Two), None, none.clone()));
    assert_eq!(of(0, [0, 0]), (None, None, none));
    let note = vec!["the dice show 52 before the roll".to_owned()];
    assert_eq!(of(3, [5, 2]), (Some(Player::One), None, note));
    let warning = vec!["7 and 0 are no dice".to_owned()];
    assert_eq!(of(1, [7, 0]), (Some(Player::One), None, warning));
}

#[test]
fn every_version_says_what_it_knows() {
    let of = |version, kind, options| {
        let file = File {
            version,
            kind,
            options,
            ..FILE
        };
        let (record, findings) = read(&file.bytes());
        assert_eq!(said(&findings), []);
        assert_eq!(start(&record).checkers.one, Variant::Backgammon.start());
        let switches = switches(&record).into_iter();
        switches
            .map(|(name, value)| format!("{name} {value}"))
            .collect::<Vec<_>>()
    };
    assert_eq!(of(124, 3, [0; 3]), [""; 0]);
    assert_eq!(of(125, 3, [1, 1, 0]), ["Jacoby On", "Beaver Off"]);
    assert_eq!(
        of(126, 3, [0, 0, 1]),
        ["Jacoby Off", "Beaver On", "CubeLimit 1"]
    );
    assert_eq!(of(126, 1, [1, 1, 1]), [""; 0]);
}

#[test]
fn the_crawford_game_is_that_of_a_match() {
    let of = |crawford, kind| {
        let file = File {
            crawford,
            kind,
            score: [4, 2],
            ..FILE
        };
        read(&file.bytes()).0.games[0]
            .crawford
            .map(|crawford| crawford.value)
    };
    assert_eq!(
        [of(1, 1), of(2, 1), of(3, 1), of(2, 3)],
        [None, Some(true), Some(false), None]
    );
}

#[test]
fn names_may_be_of_any_code_page() {
    let names: [&[u8]; 2] = [b"J\xf6rg", "Žofie".as_bytes()];
    let (record, _) = read(&File { names, ..FILE }.bytes());
    assert_eq!(
        record.names,
        ByPlayer::new("Jörg".to_owned(), "Žofie".to_owned())
    );
    let nameless = File {
        names: [b"", b"Burak"],
        opponent: 2,
        ..FILE
    };
    assert_eq!(read(&nameless.bytes()).0.names.one, "Jellyfish");
    let last = File {
        last_move: b"24/18 13/11",
        ..FILE
    };
    assert_eq!(
        read(&last.bytes()).0.games[0].comments[0].value,
        "last move: 24/18 13/11"
    );
}

#[test]
fn what_makes_no_sense_is_reported_and_left_out() {
    let file = File {
        cube: [3, 5],
        turn: 9,
        kind: 2,
        length: -1,
        score: [-1, 0],
        ..FILE
    };
    let mut bytes = file.bytes();
    bytes.push(0);
    let (record, findings) = read(&bytes);
    let expected = [
        "1 bytes behind the position",
        "a match to -1 points",
        "2 is neither a match nor a single game",
        "a score of -1-0",
        "the cube is owned by 5",
        "a cube on 3",
        "9 is no turn",
    ];
    let messages: Vec<&str> = said(&findings)
        .iter()
        .map(|(_, _, message)| *message)
        .collect();
    assert_eq!(messages, expected);
    assert!(
        said(&findings)
            .iter()
            .all(|(code, level, _)| (*code, *level) == ("bad-header", Level::Warning))
    );
    assert_eq!((start(&record).cube, start(&record).turn), (None, None));
    assert_eq!((record.length, record.games[0].score), (None, None));
    let mut checkers = FILE.checkers;
    // A checker of player 1 on the bar of player 2.
    checkers[0] = -1;
    let (record, findings) = read(&File { checkers, ..FILE }.bytes());
    let message = "the checkers cannot stand like that";
    assert_eq!(
        said(&findings),
        [("impossible-position", Level::Error, message)]
    );
    assert!(record.games[0].start.is_none());
}

#[test]
fn a_file_that_is_cut_says_what_it_says() {
    let bytes = File {
        names: [b"Ayla", b"Burak"],
        ..FILE
    }
    .bytes();
    for end in 2..bytes.len() {
        let (record, findings) = read(&bytes[..end]);
        let codes: Vec<_> = findings.iter().map(|finding| finding.rule.code).collect();
        assert_eq!(
            (codes, record.games.len()),
            (vec!["truncated"], 0),
            "up to byte {end}"
        );
    }
    let (record, _) = read(&bytes[..60]);
    assert_eq!(
        (record.names.two.as_str(), record.length.is_some()),
        ("Burak", true)
    );
    let is_ours = |bytes: &[u8]| detect(&source(bytes)).is_some_and(|format| format.name == "pos");
    assert!(is_ours(&bytes) && is_ours(&bytes[..60]));
    assert!(!is_ours(b"~ no position"));
}

#[test]
fn identifiers_are_written_and_come_back() {
    let ids = [
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:1:2:0:5:10",
        "XGID=aB-BBBB-----b-----bbbb---A:2:-1:-1:00:0:0:0:7:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:-1:66:6:3:1:7:10",
        "XGID=-b----E-C---eE---c-e----B-:3:1:1:00:2:1:3:0:10",
    ];
    for id in ids {
        let record = of_xgid(id);
        let (bytes, losses) = written(&record).expect(id);
        let (again, findings) = read(&bytes);
        assert_eq!((said(&findings), losses), (vec![], vec![]), "{id}");
        assert_eq!(start(&again), start(&record), "{id}");
        let score = |record: &MatchRecord| record.games[0].score.map(|score| score.value);
        assert_eq!(score(&again), score(&record), "{id}");
        let crawford = |record: &MatchRecord| record.games[0].crawford.map(|it| it.value);
        assert_eq!(crawford(&again), crawford(&record), "{id}");
        assert_eq!(switches(&again), switches(&record), "{id}");
    }
}

#[test]
fn what_has_no_place_is_lost_or_refused() {
    let record = of_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:1:2:0:5:10");
    let losses = |change: &dyn Fn(&mut MatchRecord)| {
        let mut record = record.clone();
        change(&mut record);
        written(&record).map(|(_, losses)| losses)
    };
    let tag = |name: &str, value: &str| Tag {
        name: name.to_owned(),
        value: value.to_owned(),
        span: Span::default(),
    };
    assert_eq!(
        losses(&|record| record.tags.push(tag("Jacoby", "On"))),
        Ok(vec![Item::RuleTags])
    );
    assert_eq!(
        losses(&|record| record.tags.push(tag("CubeLimit", "1"))),
        Ok(vec![])
    );
    assert_eq!(
        losses(&|record| record.names.one = "x".repeat(300)),
        Ok(vec![Item::Names])
    );
    assert_eq!(
        losses(&|record| record.names.one = "Ã©".to_owned()),
        Ok(vec![])
    );
    let money = |record: &mut MatchRecord| {
        if let Some(length) = &mut record.length {
            length.value = Length::Money;
        }
    };
    assert_eq!(losses(&money), Ok(vec![]));
    let half = |record: &mut MatchRecord| {
        money(record);
        record.tags.push(tag("Jacoby", "On"));
    };
    assert_eq!(losses(&half), Ok(vec![Item::RuleTags]));
    let why = |change: &dyn Fn(&mut MatchRecord)| losses(change).expect_err("no position").0;
    let set = |record: &mut MatchRecord, change: fn(&mut Setup)| {
        change(&mut record.games[0].start.as_mut().expect("a position").value);
    };
    assert_eq!(
        why(&|record| record.length = None),
        "the length is not known"
    );
    assert_eq!(
        why(&|record| record.games[0].score = None),
        "the score is not known"
    );
    assert_eq!(
        why(&|record| set(record, |setup| setup.cube = None)),
        "the cube is not known"
    );
    assert_eq!(
        why(&|record| set(record, |setup| setup.turn = None)),
        "nobody knows who is on roll"
    );
    assert_eq!(
        why(&|record| set(record, |setup| setup.checkers.one[3] = 5)),
        "the position cannot be played"
    );
    let doubled = of_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:D:1:2:0:5:10");
    let why = written(&doubled).expect_err("an action").0;
    assert_eq!(why, "only a position can be written, and no plays");
}

#[test]
fn changed_files_are_survived() {
    let seed = 20_261_130u64;
    let mut state = seed;
    let mut below = |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % limit as u64) as usize
    };
    for number in 0..2000 {
        let mut bytes = GNUBG.to_vec();
        for _ in 0..=below(4) {
            let at = below(bytes.len());
            bytes[at] = below(256) as u8;
        }
        let run = || {
            let reader = FORMAT.read.expect("a reader");
            let _ = reader(&source(&bytes), &mut |record, _| {
                let _ = written(record);
            });
        };
        let survived = catch_unwind(AssertUnwindSafe(run)).is_ok();
        assert!(survived, "seed {seed}, change {number}: {bytes:?}");
    }
}

/// Writes the fixtures: `cargo test --lib formats::pos -- --ignored`.
#[test]
#[ignore = "writes into the folder of fixtures"]
fn fixtures_are_written() {
    let write = |name: &str, bytes: &[u8]| {
        let path = format!("{}/fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
        std::fs::write(path, bytes).expect("a fixture");
    };
    let crawford = File {
        turn: 1,
        dice: [-6, 4],
        score: [4, 2],
        crawford: 2,
        names: [b"J\xf6rg", b"Burak"],
        last_move: b"13/11 6/5",
        ..FILE
    };
    write("pos/crawford-game.pos", &crawford.bytes());
    let mut checkers = FILE.checkers;
    (checkers[1], checkers[0]) = (1, 1);
    let money = File {
        version: 125,
        options: [1, 1, 1],
        kind: 3,
        length: 0,
        score: [0, 0],
        cube: [2, 2],
        turn: 4,
        checkers,
        ..FILE
    };
    write("pos/single-game.pos", &money.bytes());
    let odd = File {
        cube: [3, 5],
        turn: 9,
        kind: 2,
        score: [-1, 0],
        ..FILE
    };
    write("broken/pos-odd-values.pos", &odd.bytes());
    write("broken/pos-cut.pos", &FILE.bytes()[..90]);
}
