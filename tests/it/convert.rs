//! The law of conversion: what a writer's reader reads again is the record, without exactly the losses that
//! the writer reported.

use std::fs;
use std::path::Path;

use tawla::formats::carry::{content, strip};
use tawla::formats::{WriteOptions, write};
use tawla::replay::{replay, rules_for};
use tawla::report::format_of;
use tawla::ruleset::RuleOptions;
use tawla::source::Source;

use crate::support::law::{hold, read, targets};
use crate::support::matches;
use crate::support::rng::Rng;
use crate::support::root;

/// Every file below a folder, in the order of its path.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push((
                path.to_string_lossy().into_owned(),
                fs::read(&path).expect("a file"),
            ));
        }
    }
    found.sort();
    found
}

#[test]
fn every_fixture_comes_back_but_for_the_losses_that_are_reported() {
    for (path, bytes) in files(&root().join("fixtures")) {
        let Ok(source) = Source::new(path.as_str(), bytes, None) else {
            continue;
        };
        let Ok(format) = format_of(&source, None) else {
            continue;
        };
        if format.read.is_none() {
            continue;
        }
        for record in read(&source, format) {
            for (target, profile) in targets() {
                let _ = hold(&path, &record, target, profile);
            }
        }
    }
}

#[test]
fn matches_at_random_come_back_but_for_the_losses_that_are_reported() {
    for seed in 0..40 {
        let made = matches::random_match(&mut Rng::new(seed));
        let source = Source::new("made.mat", made.text.into_bytes(), None).expect("a source");
        let format = format_of(&source, None).expect("a format");
        for record in read(&source, format) {
            for (target, profile) in targets() {
                let _ = hold(&format!("seed {seed}"), &record, target, profile);
            }
        }
    }
}

#[test]
fn several_matches_in_one_output_are_as_many_again() {
    // The others are refused.
    let holds = ["mat", "sgf", "json"];
    for (target, profile) in targets().filter(|(target, _)| holds.contains(&target.name)) {
        let (mut bytes, mut written) = (Vec::new(), Vec::new());
        // The same match twice is two matches too.
        for (before, seed) in (0u32..).zip([1, 1, 2, 3, 3]) {
            let made = matches::random_match(&mut Rng::new(seed));
            let source = Source::new("made.mat", made.text.into_bytes(), None).expect("a source");
            let format = format_of(&source, None).expect("a format");
            for record in read(&source, format) {
                let replay = replay(&record, &rules_for(&record, &RuleOptions::default()));
                let options = WriteOptions { profile, before };
                let one = write(target, &record, &replay, &options).expect("a written match");
                bytes.extend(one.bytes);
                let mut record = content(&record);
                one.losses
                    .iter()
                    .for_each(|loss| strip(&mut record, loss.item));
                written.push((record, one.losses));
            }
        }
        let source = Source::new("written", bytes, None).expect("a source");
        let records = read(&source, target);
        assert_eq!(
            records.len(),
            written.len(),
            "seeds 1 to 3, {} {profile:?}",
            target.name
        );
        for ((expected, losses), record) in written.iter().zip(&records) {
            let mut found = content(record);
            losses.iter().for_each(|loss| strip(&mut found, loss.item));
            assert!(
                *expected == found,
                "seeds 1 to 3, {} {profile:?}",
                target.name
            );
        }
    }
}
