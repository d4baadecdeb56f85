//! What is promised of every record and every match.

use arbitrary::Unstructured;
use tawla::formats::{CannotWrite, WriteOptions, by_name, detect, write};
use tawla::record::MatchRecord;
use tawla::replay::{Replay, replay, rules_for};
use tawla::report::{CheckOptions, check};
use tawla::ruleset::RuleOptions;
use tawla::source::Source;

use crate::law::{hold, read, targets};
use crate::matches::random_match;
use crate::rng::Rng;

/// Any record is replayed and written, under any rules, and what is written is read.
pub fn record(data: &[u8]) {
    let mut u = Unstructured::new(data);
    let Ok(rules) = crate::record::rules(&mut u) else {
        return;
    };
    let Ok(record) = crate::record::record(&mut u) else {
        return;
    };
    let replay = replay(&record, &rules_for(&record, &rules));
    for (format, profile) in targets() {
        // Under any rules it ends; under the usual ones what is written is the record.
        let options = WriteOptions { profile, before: 0 };
        let _ = write(format, &record, &replay, &options);
        let _ = hold("the record", &record, format, profile);
    }
}

/// What was read from a text comes back from every writer but for the losses that are reported. What is given back is what
/// only reading back told, each with the name of the writer: the losses, or that another match would have been written.
pub fn written(data: &[u8]) -> Vec<(&'static str, String)> {
    // So that one find does not hide those of other formats.
    let without = std::env::var("FUZZ_WITHOUT").unwrap_or_default();
    let mut told = Vec::new();
    for record in records(data) {
        for (target, profile) in targets().filter(|(target, _)| !without.contains(target.name)) {
            match hold("the input", &record, target, profile) {
                Ok(items) if items.is_empty() => {}
                Ok(items) => told.push((target.name, format!("{items:?}"))),
                Err(CannotWrite(why)) if why.starts_with("read back") => {
                    told.push((target.name, why))
                }
                Err(_) => {}
            }
        }
    }
    told
}

/// The first two matches of a text in whatever format it looks like.
fn records(data: &[u8]) -> Vec<MatchRecord> {
    let source = Source::new("input", data.to_vec(), None).ok();
    let format = source.as_ref().and_then(detect);
    let (Some(source), Some(format)) = (&source, format.filter(|format| format.read.is_some()))
    else {
        return Vec::new();
    };
    read(source, format).into_iter().take(2).collect()
}

/// One changed digit in a legal match either leaves every position as it was or gives a finding, but for checkers that
/// are borne off.
pub fn digit(data: &[u8]) {
    let mut u = Unstructured::new(data);
    let (Ok(seed), Ok(at), Ok(digit)) = (
        u.arbitrary(),
        u.arbitrary::<u32>(),
        u.int_in_range(b'0'..=b'9'),
    ) else {
        return;
    };
    let text = random_match(&mut Rng::new(seed)).text;
    let digits = text
        .bytes()
        .enumerate()
        .filter(|(_, byte)| byte.is_ascii_digit());
    let digits: Vec<usize> = digits.map(|(at, _)| at).collect();
    let at = digits[at as usize % digits.len()];
    let mut changed = text.clone().into_bytes();
    changed[at] = digit;
    let changed = String::from_utf8(changed).expect("a digit for a digit");
    let (before, _) = positions(&text);
    let (after, findings) = positions(&changed);
    // A checker may be borne off with a larger number than it needs, so `62: 3/1 2/0` and `62: 3/0 2/0` can both be legal:
    // nobody can tell which one was played.
    let bears_off = |text: &str| {
        let word = text[..at].rfind(' ').map_or(0, |blank| blank + 1);
        let word = text[word..].split_whitespace().next();
        word.is_some_and(|word| word.ends_with("/0") || word.ends_with("/off"))
    };
    let is_open = bears_off(&text) || bears_off(&changed);
    assert!(
        before == after || findings > 0 || is_open,
        "seed {seed}, byte {at}, {digit}:\n{text}\n{changed}"
    );
}

/// Every position that a match goes through, as text, and how much is found in it.
fn positions(text: &str) -> (Vec<String>, usize) {
    let source = Source::new("made.mat", text.as_bytes().to_vec(), None).expect("a text");
    let format = by_name("mat").expect("a format");
    let mut positions = Vec::new();
    for record in read(&source, format) {
        let replay: Replay = replay(&record, &rules_for(&record, &RuleOptions::default()));
        for step in replay.games.iter().flat_map(|game| game.steps()) {
            positions.push(format!("{:?} {:?}", step.after.position, step.after.cube));
        }
    }
    let report = check(&source, &CheckOptions::default()).expect("a match");
    (positions, report.findings.len())
}
