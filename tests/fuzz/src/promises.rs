//! What is promised of every record and every match.

use arbitrary::Unstructured;
use tawla::diagnostic::Findings;
use tawla::formats::carry::{Item, content, strip};
use tawla::formats::{ALL, Format, WriteOptions, by_name, detect, write};
use tawla::record::{Action, MatchRecord, WrittenRoll};
use tawla::replay::{Replay, replay, rules_for};
use tawla::report::{CheckOptions, check};
use tawla::ruleset::RuleOptions;
use tawla::source::Source;

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
        let options = WriteOptions { profile, before: 0 };
        if let Ok(written) = write(format, &record, &replay, &options) {
            let source = Source::new("written", written.bytes, None).expect("a source");
            read(&source, format);
        }
    }
}

/// What was read from a text comes back from every writer but for the losses that are reported.
pub fn written(data: &[u8]) {
    let Ok(source) = Source::new("input", data.to_vec(), None) else {
        return;
    };
    let Some(format) = detect(&source).filter(|format| format.read.is_some()) else {
        return;
    };
    // So that one find does not hide those of other formats.
    let without = std::env::var("FUZZ_WITHOUT").unwrap_or_default();
    for record in read(&source, format).into_iter().take(2) {
        for (target, profile) in targets().filter(|(target, _)| !without.contains(target.name)) {
            comes_back(&record, target, profile);
        }
    }
}

/// Formats that are both read and written, with their varieties.
fn targets() -> impl Iterator<Item = (&'static Format, Option<&'static str>)> {
    let both = ALL.iter().copied();
    let both = both.filter(|format| format.read.is_some() && format.write.is_some());
    both.flat_map(|format| {
        let usual = format.profiles.is_empty().then_some(None);
        let profiles = format.profiles.iter().copied().map(Some);
        usual.into_iter().chain(profiles).map(move |profile| (format, profile))
    })
}

fn read(source: &Source, format: &Format) -> Vec<MatchRecord> {
    let mut records = Vec::new();
    let read = format.read.expect("a format that is read");
    let _ = read(source, &mut |record, _: &mut Findings| records.push(record.clone()));
    records
}

fn comes_back(record: &MatchRecord, format: &'static Format, profile: Option<&'static str>) {
    let replay = replay(record, &rules_for(record, &RuleOptions::default()));
    let options = WriteOptions { profile, before: 0 };
    let Ok(written) = write(format, record, &replay, &options) else {
        return;
    };
    let text = String::from_utf8_lossy(&written.bytes).into_owned();
    let source = Source::new("written", written.bytes, None).expect("a source");
    let records = read(&source, format);
    assert_eq!(records.len(), 1, "{} {profile:?}:\n{text}", format.name);
    let losses: Vec<Item> = written.losses.iter().map(|loss| loss.item).collect();
    let without = |record: &MatchRecord| {
        let mut record = record.clone();
        // Twice, for how a play is read depends on what is known before it, with what is lost and without.
        for _ in 0..2 {
            record = content(&record);
            if ["bgammon", "ogxm"].contains(&format.name) {
                dice_by_height(&mut record);
            }
            losses.iter().for_each(|item| strip(&mut record, *item));
        }
        record
    };
    let (expected, found) = (without(record), without(&records[0]));
    assert!(
        expected == found,
        "{} {profile:?} with losses {losses:?}:\n{expected:#?}\n{found:#?}\n{text}",
        format.name
    );
}

/// These formats have the dice in one order, whatever was written.
fn dice_by_height(record: &mut MatchRecord) {
    for entry in record.games.iter_mut().flat_map(|game| &mut game.entries) {
        if let Action::Play { roll, .. } = &mut entry.action {
            *roll = WrittenRoll(roll.0.max(roll.1), roll.0.min(roll.1));
        }
    }
}

/// One changed digit in a legal match either leaves every position as it was or gives a finding.
pub fn digit(data: &[u8]) {
    let mut u = Unstructured::new(data);
    let (Ok(seed), Ok(at), Ok(digit)) =
        (u.arbitrary(), u.arbitrary::<u32>(), u.int_in_range(b'0'..=b'9'))
    else {
        return;
    };
    let text = random_match(&mut Rng::new(seed)).text;
    let digits = text.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_digit());
    let digits: Vec<usize> = digits.map(|(at, _)| at).collect();
    let at = digits[at as usize % digits.len()];
    let mut changed = text.clone().into_bytes();
    changed[at] = digit;
    let changed = String::from_utf8(changed).expect("a digit for a digit");
    let (before, _) = positions(&text);
    let (after, findings) = positions(&changed);
    assert!(
        before == after || findings > 0,
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
        for step in replay.games.iter().flat_map(|game| &game.steps) {
            positions.push(format!("{:?} {:?}", step.after.position, step.after.cube));
        }
    }
    let report = check(&source, &CheckOptions::default()).expect("a match");
    (positions, report.findings.len())
}
