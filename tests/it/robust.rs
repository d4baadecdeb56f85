//! No input makes the reader, the replay or the renderers panic: every prefix of the fixtures and damaged
//! copies of them.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tawla::render::json::FileOutput;
use tawla::render::{Style, diagnostics};
use tawla::report::{CheckOptions, check, show};
use tawla::source::Source;

use crate::support::fixtures::{Fixture, all_fixtures};
use crate::support::matches::random_match;
use crate::support::rng::Rng;

/// Up to this size every prefix is tried; of larger files as many at random.
const EVERY_PREFIX: usize = 700;

/// Checks an input and prints all that was found.
fn survives(bytes: &[u8], what: &str) {
    let run = || {
        let Ok(source) = Source::new("input.mat", bytes.to_vec(), None) else {
            return;
        };
        let options = CheckOptions {
            matches: true,
            ..CheckOptions::default()
        };
        let Ok(report) = check(&source, &options) else {
            return;
        };
        let mut printed = Vec::new();
        for finding in report.findings.iter().take(20) {
            let _ = diagnostics::human(finding, &source, Style::Plain, false, &mut printed);
            let _ = diagnostics::concise(finding, &source, &mut printed);
        }
        let printed = String::from_utf8(printed).expect("output in UTF-8");
        let harmless = |c: char| !c.is_control() || matches!(c, '\n' | '\t');
        assert!(
            printed.chars().all(harmless),
            "a control character in {printed:?}"
        );
        let output = FileOutput::new(&report, &source, true);
        serde_json::to_string(&output).expect("JSON");
        let _ = show(&source, &CheckOptions::default());
    };
    let text = String::from_utf8_lossy(bytes);
    let survived = catch_unwind(AssertUnwindSafe(run)).is_ok();
    assert!(survived, "{what}:\n{bytes:?}\n{text}");
}

fn prefixes(fixture: &Fixture, rng: &mut Rng) {
    let bytes = fixture.bytes();
    let ends: Vec<usize> = if bytes.len() <= EVERY_PREFIX {
        (0..=bytes.len()).collect()
    } else {
        (0..60).map(|_| rng.below(bytes.len())).collect()
    };
    for end in ends {
        survives(&bytes[..end], &format!("{} up to byte {end}", fixture.path));
    }
}

#[test]
fn every_prefix_of_a_fixture_is_survived() {
    let mut rng = Rng::new(77);
    for fixture in all_fixtures() {
        prefixes(&fixture, &mut rng);
    }
}

#[test]
fn damaged_copies_are_survived() {
    let mut rng = Rng::new(78);
    let mut inputs: Vec<Vec<u8>> = all_fixtures().iter().map(Fixture::bytes).collect();
    inputs.retain(|bytes| !bytes.is_empty() && bytes.len() < 6000);
    inputs.extend((0..4).map(|_| {
        let mut text = random_match(&mut rng).text.into_bytes();
        text.truncate(3000);
        text
    }));
    for number in 0..3000 {
        let mut bytes = inputs[rng.below(inputs.len())].clone();
        for _ in 0..=rng.below(6) {
            damage(&mut bytes, &mut rng);
        }
        survives(&bytes, &format!("damaged copy {number}"));
    }
}

/// Pieces that mean something to a reader.
const PIECES: [&[u8]; 20] = [
    b"4294967295",
    b"4294967296",
    b"99999999999999999999",
    b"-1",
    b"Wins ",
    b"Doubles => ",
    b" Takes",
    b" Drops",
    b"(2)",
    b"*",
    b"/",
    b"bar/",
    b"/off",
    b": ",
    b"????",
    b"\nGame 2\n",
    b" 0 point match\n",
    b"; Set Pos=",
    b"Illegal play (",
    b"\x1b[31m",
];

fn damage(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let at = rng.below(bytes.len().max(1)).min(bytes.len());
    let end = (at + rng.below(30)).min(bytes.len());
    match rng.below(7) {
        0 if at < bytes.len() => bytes[at] = rng.below(256) as u8,
        1 => drop(bytes.drain(at..end)),
        2 => {
            let copy = bytes[at..end].to_vec();
            bytes.splice(at..at, copy);
        }
        3 if at < bytes.len() => bytes[at] = b"0123456789/:()* \n"[rng.below(17)],
        4 => bytes.truncate(at),
        _ => {
            let piece = PIECES[rng.below(PIECES.len())];
            bytes.splice(at..at, piece.iter().copied());
        }
    }
}
