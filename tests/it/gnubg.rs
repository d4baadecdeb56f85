//! What GNU Backgammon makes of the files that are written for it, where it is installed. It is a reference
//! for reading and writing, never for legality.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tawla::diagnostic::Findings;
use tawla::formats::carry::content;
use tawla::formats::{Format, WriteOptions, by_name};
use tawla::record::{Action, Entry, GameRecord, MatchRecord};
use tawla::replay::{replay, rules_for};
use tawla::report::format_of;
use tawla::ruleset::RuleOptions;
use tawla::source::Source;

use crate::support::matches::random_match;
use crate::support::rng::Rng;

/// The program, where it is installed; Debian keeps it with the games.
#[expect(clippy::print_stderr, reason = "a test that compares nothing says so")]
fn program() -> Option<&'static str> {
    let is_there = |name: &&str| {
        let mut version = Command::new(name);
        version
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok()
    };
    let found = ["gnubg", "/usr/games/gnubg"].into_iter().find(is_there);
    if found.is_none() {
        eprintln!("gnubg is not installed: nothing was compared");
    }
    found
}

fn read(source: &Source) -> Vec<MatchRecord> {
    let format = format_of(source, None).expect("a format");
    let mut records = Vec::new();
    let read = format.read.expect("a format that is read");
    read(source, &mut |record, _: &mut Findings| {
        records.push(record.clone())
    })
    .expect("a match");
    records
}

fn written(record: &MatchRecord, format: &Format) -> Vec<u8> {
    let replay = replay(record, &rules_for(record, &RuleOptions::default()));
    let write = format.write.expect("a format that is written");
    write(record, &replay, &WriteOptions::default())
        .expect("a match that can be written")
        .bytes
}

/// Has the program read a file and write it again, and reads that.
fn through(
    program: &str,
    folder: &Path,
    bytes: &[u8],
    load: &str,
    save: &str,
    extension: &str,
) -> MatchRecord {
    let file = |name: &str| -> PathBuf { folder.join(name).with_extension(extension) };
    let (before, after) = (file("before"), file("after"));
    std::fs::write(&before, bytes).expect("a file");
    let _ = std::fs::remove_file(&after);
    let commands = format!(
        "{load} \"{}\"\n{save} \"{}\"\nquit\ny\n",
        before.display(),
        after.display()
    );
    let mut child = Command::new(program)
        .args(["-t", "-q", "-r"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("gnubg starts");
    child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(commands.as_bytes())
        .expect("gnubg listens");
    child.wait().expect("gnubg ends");
    let bytes = std::fs::read(&after).expect("gnubg has written the match");
    let source = Source::new(after.to_string_lossy(), bytes, None).expect("a source");
    read(&source).remove(0)
}

/// What both must agree on: who did what, the scores and the results.
fn games(record: &MatchRecord) -> Vec<GameRecord> {
    let plain = |entry: Entry| Entry {
        extra: None,
        ..entry
    };
    let play = |entry: &Entry| !matches!(entry.action, Action::Resign { .. });
    content(record)
        .games
        .into_iter()
        .map(|game| GameRecord {
            number: None,
            crawford: None,
            comments: Vec::new(),
            entries: game.entries.into_iter().filter(play).map(plain).collect(),
            ..game
        })
        .collect()
}

#[test]
fn gnu_backgammon_reads_the_same_games_from_a_written_match() {
    let Some(program) = program() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let mat = by_name("mat").expect("the format");
    for seed in 0..12 {
        let made = random_match(&mut Rng::new(seed));
        let source = Source::new("made.mat", made.text.into_bytes(), None).expect("a source");
        let record = read(&source).remove(0);
        let bytes = written(&record, mat);
        let again = through(
            program,
            folder.path(),
            &bytes,
            "import mat",
            "export match mat",
            "mat",
        );
        assert_eq!(games(&again), games(&record), "seed {seed}");
    }
}

#[test]
fn gnu_backgammon_loads_and_saves_the_same_games_from_a_written_sgf() {
    let Some(program) = program() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let sgf = by_name("sgf").expect("the format");
    for seed in 20..32 {
        let made = random_match(&mut Rng::new(seed));
        let source = Source::new("made.mat", made.text.into_bytes(), None).expect("a source");
        let record = read(&source).remove(0);
        let bytes = written(&record, sgf);
        let again = through(
            program,
            folder.path(),
            &bytes,
            "load match",
            "save match",
            "sgf",
        );
        assert_eq!(games(&again), games(&record), "seed {seed}");
    }
}
