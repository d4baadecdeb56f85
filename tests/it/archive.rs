//! An archive of random matches, every third of them with a mistake: what `tests/cluster` counts in two ways.
//!
//! It has streams of many matches, as archives of servers do, and files of one match. A match depends on its
//! number alone, so an archive of a size is the same wherever it is made.

use std::collections::BTreeMap;
use std::path::Path;
use std::{env, fs};

use tawla::report::{CheckOptions, check};
use tawla::source::Source;

use crate::playout::MISTAKES;
use crate::support::matches::random_match;
use crate::support::rng::Rng;

/// How many matches a stream takes, and how many of them are in files of their own instead.
const STREAM: usize = 500;
const ALONE: usize = 5;

/// The match of a number.
fn transcript(number: usize) -> String {
    let mut rng = Rng::new(number as u64);
    let made = random_match(&mut rng);
    if !number.is_multiple_of(3) {
        return made.text;
    }
    match rng.below(2 * MISTAKES.len()) {
        mistake if mistake < MISTAKES.len() => {
            let wrong = MISTAKES[mistake].1(&made, &mut rng);
            wrong.map_or(made.text, |(text, _)| text)
        }
        _ => with_a_slip(&made.text, &mut rng),
    }
}

/// Another digit in the place of one: of a roll, a move, a row, a score or a name.
fn with_a_slip(text: &str, rng: &mut Rng) -> String {
    let digits: Vec<usize> = text
        .match_indices(|letter: char| letter.is_ascii_digit())
        .map(|(at, _)| at)
        .collect();
    let at = digits[rng.below(digits.len())];
    let mut changed = text.to_owned();
    changed.replace_range(at..=at, &rng.below(10).to_string());
    changed
}

/// Writes so many matches below a folder: `stream-0.mat`, `alone/0.mat` and so on.
fn write_archive(folder: &Path, matches: usize) {
    fs::create_dir_all(folder.join("alone")).expect("a folder");
    for first in (0..matches).step_by(STREAM) {
        let numbers = first..matches.min(first + STREAM);
        let mut stream = String::new();
        for number in numbers {
            let text = transcript(number);
            if number - first < ALONE {
                let path = folder.join(format!("alone/{number}.mat"));
                fs::write(path, text).expect("a file");
            } else {
                stream += &text;
                stream.push('\n');
            }
        }
        let path = folder.join(format!("stream-{first}.mat"));
        fs::write(path, stream).expect("a file");
    }
}

#[test]
fn an_archive_is_read_match_by_match_and_has_mistakes_of_many_kinds() {
    let text: Vec<String> = (0..150).map(transcript).collect();
    let source = Source::new("made.mat", text.join("\n").into_bytes(), None).expect("a text");
    let report = check(&source, &CheckOptions::default()).expect("matches");
    let mut codes: BTreeMap<&str, u32> = BTreeMap::new();
    for finding in &report.findings {
        *codes.entry(finding.rule.code).or_default() += 1;
    }
    assert_eq!(report.totals.matches, 150, "{codes:?}");
    assert!(codes.len() >= 8, "{codes:?}");
}

/// `TAWLA_ARCHIVE=DIR TAWLA_MATCHES=20000 cargo test --test it write_the_archive -- --ignored`
#[test]
#[ignore = "writes a folder for tests/cluster/test.py"]
fn write_the_archive() {
    let folder = env::var_os("TAWLA_ARCHIVE").expect("TAWLA_ARCHIVE names a folder");
    let matches = env::var("TAWLA_MATCHES").expect("TAWLA_MATCHES says how many matches");
    write_archive(Path::new(&folder), matches.parse().expect("a number"));
}
