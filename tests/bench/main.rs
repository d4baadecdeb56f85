//! Times of the library by divan: `cargo bench`. Ratios to other programs are made by `run.sh` beside this file.

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};

use tawla::board::{Cube, Length, Plays, legal_plays};
use tawla::diagnostic::Findings;
use tawla::formats::ids::{IdState, Kind, decode, encode};
use tawla::formats::{self, WriteOptions};
use tawla::replay::{replay, rules_for};
use tawla::report::{CheckOptions, check};
use tawla::ruleset::RuleOptions;
use tawla::source::Source;

mod made;

/// How many matches a bench reads.
const MATCHES: usize = 200;
/// How many positions a bench works on.
const POSITIONS: usize = 1000;

fn main() {
    divan::main();
}

fn transcripts() -> Vec<u8> {
    let texts: Vec<String> = made::transcripts(MATCHES).collect();
    texts.join("\n").into_bytes()
}

fn source(name: &str, bytes: &[u8]) -> Source {
    Source::new(name, bytes.to_vec(), None).expect("a source")
}

/// Reads and nothing else.
#[divan::bench]
fn read_mat(bencher: Bencher<'_, '_>) {
    let bytes = transcripts();
    let read = formats::by_name("mat").and_then(|format| format.read);
    let read = read.expect("a format that is read");
    bencher
        .counter(BytesCount::new(bytes.len()))
        .with_inputs(|| source("made.mat", &bytes))
        .bench_local_refs(|source| {
            let mut games = 0;
            let read = read(source, &mut |record, _: &mut Findings| {
                games += record.games.len();
            });
            (read, games)
        });
}

/// Reads, replays and judges.
#[divan::bench]
fn check_mat(bencher: Bencher<'_, '_>) {
    let bytes = transcripts();
    let options = CheckOptions::default();
    bencher
        .counter(BytesCount::new(bytes.len()))
        .with_inputs(|| source("made.mat", &bytes))
        .bench_local_refs(|source| check(source, &options));
}

/// A match of eXtreme Gammon with the analysis of the program.
#[divan::bench]
fn check_xg(bencher: Bencher<'_, '_>) {
    let bytes: &[u8] = include_bytes!("../../fixtures/xg/analysed.xg");
    let options = CheckOptions::default();
    bencher
        .counter(BytesCount::new(bytes.len()))
        .with_inputs(|| source("analysed.xg", bytes))
        .bench_local_refs(|source| check(source, &options));
}

/// Reads one format, replays, and writes the other.
#[divan::bench]
fn convert_mat_to_sgf(bencher: Bencher<'_, '_>) {
    let bytes = transcripts();
    let read = formats::by_name("mat").and_then(|format| format.read);
    let read = read.expect("a format that is read");
    let sgf = formats::by_name("sgf").expect("a format");
    bencher
        .counter(BytesCount::new(bytes.len()))
        .with_inputs(|| source("made.mat", &bytes))
        .bench_local_refs(|source| {
            let mut written = 0;
            let read = read(source, &mut |record, _: &mut Findings| {
                let replay = replay(record, &rules_for(record, &RuleOptions::default()));
                let made = formats::write(sgf, record, &replay, &WriteOptions::default());
                written += made.map_or(0, |made| made.bytes.len());
            });
            (read, written)
        });
}

/// All legal plays of positions from random games.
#[divan::bench]
fn plays(bencher: Bencher<'_, '_>) {
    let problems = made::problems(POSITIONS);
    let mut plays = Plays::new();
    bencher
        .counter(ItemsCount::new(problems.len()))
        .bench_local(|| {
            let mut found = 0;
            for (position, player, roll) in black_box(&problems) {
                legal_plays(position, *player, *roll, &mut plays);
                found += plays.len();
            }
            found
        });
}

/// The positions with all that an identifier can say.
fn states() -> Vec<IdState> {
    let states = made::problems(POSITIONS).into_iter();
    let states = states.map(|(position, player, roll)| IdState {
        board: Some(tawla::board::ByPlayer::new(
            *position.side(tawla::board::Player::One),
            *position.side(tawla::board::Player::Two),
        )),
        turn: Some(player),
        dice: Some(roll),
        cube: Some(Cube::START),
        length: Some(Length::Points(7)),
        score: Some(tawla::board::ByPlayer::new(0, 0)),
        crawford: Some(false),
        ..IdState::default()
    });
    states.collect()
}

/// The kinds that hold a whole position.
const KINDS: [Kind; 5] = [
    Kind::Xgid,
    Kind::PositionId,
    Kind::GnubgId,
    Kind::Ogid,
    Kind::Fibs,
];

#[divan::bench(args = KINDS.map(Kind::name))]
fn write_id(bencher: Bencher<'_, '_>, kind: &str) {
    let (states, kind) = (states(), Kind::by_name(kind).expect("a kind"));
    bencher
        .counter(ItemsCount::new(states.len()))
        .bench_local(|| {
            let written = black_box(&states).iter().map(|state| encode(kind, state));
            written
                .map(|id| id.expect("an identifier").len())
                .sum::<usize>()
        });
}

#[divan::bench(args = KINDS.map(Kind::name))]
fn read_id(bencher: Bencher<'_, '_>, kind: &str) {
    let kind = Kind::by_name(kind).expect("a kind");
    let ids: Vec<String> = states()
        .iter()
        .map(|state| encode(kind, state).expect("an identifier"))
        .collect();
    bencher.counter(ItemsCount::new(ids.len())).bench_local(|| {
        let read = black_box(&ids).iter().map(|id| decode(id).is_ok());
        read.filter(|is_read| *is_read).count()
    });
}
