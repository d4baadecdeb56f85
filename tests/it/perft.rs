//! The legal plays, against a slow list that tries everything and against counts kept in `fixtures/perft`.
//!
//! `SNAPSHOTS=overwrite` writes the fixtures again, from the slow list alone.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;
use std::{env, fs};

use tawla::board::{
    Move, Player, Plays, Position, Roll, Variant, Verdict, can_play, judge, legal_plays,
};

use crate::support::positions::{Problem, random_game, random_position};
use crate::support::rng::Rng;
use crate::support::slow::{Board, Way};
use crate::support::{id, root};

/// The boards that the fast list reaches. Fails if it reaches one of them twice.
fn fast(&(position, player, roll): &Problem, plays: &mut Plays) -> BTreeSet<Board> {
    legal_plays(&position, player, roll, plays);
    let boards: BTreeSet<Board> = plays
        .iter()
        .map(|(after, _)| Board::of(after, player))
        .collect();
    assert_eq!(
        boards.len(),
        plays.len(),
        "a position twice: {position:?} {player:?} {roll}"
    );
    boards
}

fn slow(&(position, player, roll): &Problem) -> BTreeMap<Board, Way> {
    Board::of(&position, player).legal(roll)
}

fn agree(problem: &Problem, plays: &mut Plays) {
    let (position, player, roll) = *problem;
    let expected = slow(problem);
    let found = fast(problem, plays);
    assert!(
        found.iter().eq(expected.keys()),
        "{position:?} {player:?} {roll}: {found:#?}"
    );
    assert_eq!(
        can_play(&position, player, roll),
        !expected.is_empty(),
        "{position:?} {player:?} {roll}"
    );
    let dice = expected.values().next().map_or(0, |way| way.weight.0);
    assert_eq!(plays.dice(), dice, "{position:?} {player:?} {roll}");
    for (after, play) in plays.iter() {
        assert_eq!(
            replayed(&position, player, play.moves()),
            *after,
            "{position:?} {roll} {play}"
        );
    }
}

/// What the moves make of a position, one after the other; each hit must be noted.
fn replayed(position: &Position, player: Player, moves: &[Move]) -> Position {
    moves.iter().fold(*position, |before, moved| {
        let after =
            tawla::board::played_as_written(&before, player, &[*moved]).expect("a possible move");
        let hits = after.side(!player)[25] > before.side(!player)[25];
        assert_eq!(moved.hits, hits, "{before:?} {moved:?}");
        after
    })
}

#[test]
fn positions_at_random_have_the_plays_that_trying_everything_finds() {
    let mut rng = Rng::new(1);
    let mut plays = Plays::new();
    for number in 0..4000 {
        let variant = if number % 5 == 0 {
            Variant::Hypergammon
        } else {
            Variant::Backgammon
        };
        let position = random_position(&mut rng, variant);
        let player = Player::BOTH[rng.below(2)];
        agree(&(position, player, rng.roll()), &mut plays);
    }
}

#[test]
fn games_at_random_have_the_plays_that_trying_everything_finds() {
    let mut rng = Rng::new(2);
    let mut plays = Plays::new();
    for (variant, _) in STARTS {
        for _ in 0..4 {
            for problem in random_game(&mut rng, variant) {
                agree(&problem, &mut plays);
            }
        }
    }
}

#[test]
fn every_legal_play_is_judged_legal_however_it_is_written() {
    let mut rng = Rng::new(3);
    let mut plays = Plays::new();
    for _ in 0..1500 {
        let (position, player, roll) = (
            random_position(&mut rng, Variant::Backgammon),
            Player::Two,
            rng.roll(),
        );
        legal_plays(&position, player, roll, &mut plays);
        for (after, play) in plays.iter() {
            let mut written = play.moves().to_vec();
            rng.shuffle(&mut written);
            is_judged(&position, player, roll, &written, after);
            is_judged(&position, player, roll, &joined(&written), after);
        }
        if plays.is_empty() {
            is_judged(&position, player, roll, &[], &position);
        }
    }
}

/// The moves with each checker's way written as one where nothing is hit on it.
fn joined(moves: &[Move]) -> Vec<Move> {
    let mut sorted = moves.to_vec();
    sorted.sort_by(|a, b| b.from.cmp(&a.from).then(b.hits.cmp(&a.hits)));
    let mut joined: Vec<Move> = Vec::new();
    for moved in sorted {
        match joined
            .iter_mut()
            .find(|way| way.to == moved.from && !way.hits)
        {
            Some(way) => *way = Move::new(way.from, moved.to, moved.hits),
            None => joined.push(moved),
        }
    }
    joined
}

/// What is written must be read as leading to `after`: at once, or as the likeliest of several ways, of which
/// the others hit elsewhere.
fn is_judged(position: &Position, player: Player, roll: Roll, written: &[Move], after: &Position) {
    let read = match judge(position, player, roll, written) {
        Verdict::Legal(reading) => vec![reading.position],
        Verdict::Ambiguous(readings) => readings.iter().map(|reading| reading.position).collect(),
        Verdict::Illegal { fault, .. } => panic!("{position:?} {roll} {written:?}: {fault:?}"),
    };
    assert!(read.contains(after), "{position:?} {roll} {written:?}");
}

#[test]
fn what_is_judged_legal_is_a_legal_play() {
    let mut rng = Rng::new(4);
    let mut legal = 0;
    for _ in 0..3000 {
        let (position, player, roll) = (
            random_position(&mut rng, Variant::Backgammon),
            Player::One,
            rng.roll(),
        );
        let (dice, count) = roll.numbers();
        // Moves of the right lengths from anywhere, now and then too few of them.
        let written: Vec<Move> = dice[..count - usize::from(rng.once_in(3))]
            .iter()
            .filter_map(|&die| {
                let held: Vec<u8> = (1..=25)
                    .filter(|&place| position.side(player)[usize::from(place)] > 0)
                    .collect();
                let from = held[rng.below(held.len())];
                Move::from_numbers(from, from.saturating_sub(die), false)
            })
            .collect();
        if let Verdict::Legal(reading) = judge(&position, player, roll, &written) {
            let expected = slow(&(position, player, roll));
            let board = Board::of(&reading.position, player);
            assert!(
                expected.contains_key(&board),
                "{position:?} {roll} {written:?}"
            );
            legal += 1;
        }
    }
    assert!(legal > 300, "only {legal} of the plays were legal");
}

/// The 21 rolls, the first die the lower one.
fn rolls() -> impl Iterator<Item = Roll> {
    (1..=6).flat_map(|low| (low..=6).filter_map(move |high| Roll::new(low, high)))
}

/// Boards as the next player sees them. A roll that cannot be played leaves the board as it is.
fn next_boards(
    boards: &BTreeMap<Board, u64>,
    legal: &mut impl FnMut(&Board, Roll) -> Vec<Board>,
) -> BTreeMap<Board, u64> {
    let mut next = BTreeMap::new();
    for (board, times) in boards {
        for roll in rolls() {
            let mut reached = legal(board, roll);
            if reached.is_empty() {
                reached.push(*board);
            }
            for after in reached {
                *next.entry(after.turned()).or_default() += times;
            }
        }
    }
    next
}

/// The lines of one start: plays of each roll, then for each depth how often and how many positions are
/// reached.
fn counts(
    variant: Variant,
    depth: usize,
    mut legal: impl FnMut(&Board, Roll) -> Vec<Board>,
) -> String {
    let start = Board::of(&Position::start(variant), Player::One);
    let mut lines = format!("start {}\n", variant.name());
    for roll in rolls() {
        let _ = writeln!(lines, "roll {roll} {}", legal(&start, roll).len());
    }
    let mut boards = BTreeMap::from([(start, 1)]);
    for depth in 1..=depth {
        boards = next_boards(&boards, &mut legal);
        let _ = writeln!(
            lines,
            "depth {depth} {} {}",
            boards.values().sum::<u64>(),
            boards.len()
        );
    }
    lines
}

const STARTS: [(Variant, usize); 4] = [
    (Variant::Backgammon, 2),
    (Variant::Nackgammon, 1),
    (Variant::Hypergammon, 2),
    (Variant::Longgammon, 2),
];

fn all_counts(mut legal: impl FnMut(Variant, &Board, Roll) -> Vec<Board>) -> String {
    STARTS
        .map(|(variant, depth)| counts(variant, depth, |board, roll| legal(variant, board, roll)))
        .join("\n")
}

fn fast_boards(variant: Variant, board: &Board, roll: Roll, plays: &mut Plays) -> Vec<Board> {
    fast(
        &(board.position(variant, Player::One), Player::One, roll),
        plays,
    )
    .into_iter()
    .collect()
}

fn fixture(name: &str) -> PathBuf {
    root().join("fixtures/perft").join(name)
}

fn is_overwriting() -> bool {
    env::var("SNAPSHOTS").is_ok_and(|mode| mode == "overwrite")
}

/// The lines of a fixture without its comments.
fn fixture_lines(name: &str) -> String {
    let text = fs::read_to_string(fixture(name)).expect("a fixture");
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .fold(String::new(), |lines, line| lines + line + "\n")
}

/// Writes a fixture again below the comments at its head.
fn overwrite(name: &str, lines: &str) {
    let text = fs::read_to_string(fixture(name)).expect("a fixture");
    let comments: String = text
        .lines()
        .filter(|line| line.starts_with('#'))
        .map(|line| format!("{line}\n"))
        .collect();
    fs::write(fixture(name), comments + lines).expect("a fixture that can be written");
}

#[test]
fn the_starts_have_the_counts_of_the_fixture() {
    if is_overwriting() {
        overwrite(
            "starts.txt",
            &all_counts(|_, board, roll| board.legal(roll).into_keys().collect()),
        );
    }
    let mut plays = Plays::new();
    let found = all_counts(|variant, board, roll| fast_boards(variant, board, roll, &mut plays));
    assert_eq!(found, fixture_lines("starts.txt"));
}

/// How often positions are reached after three plies. They are only counted: there are too many to keep.
fn three_plies(mut legal: impl FnMut(&Board, Roll) -> Vec<Board>) -> String {
    let start = Board::of(&Position::start(Variant::Backgammon), Player::One);
    let mut boards = BTreeMap::from([(start, 1)]);
    for _ in 0..2 {
        boards = next_boards(&boards, &mut legal);
    }
    let mut count = 0;
    for (board, times) in &boards {
        for roll in rolls() {
            count += times * legal(board, roll).len().max(1) as u64;
        }
    }
    format!("start backgammon\ndepth 3 {count}\n")
}

#[test]
#[cfg_attr(
    debug_assertions,
    ignore = "seconds in a release build, a minute otherwise"
)]
fn three_plies_have_the_count_of_the_fixture() {
    if is_overwriting() {
        overwrite(
            "three-plies.txt",
            &three_plies(|board, roll| board.legal(roll).into_keys().collect()),
        );
    }
    let mut plays = Plays::new();
    let found =
        three_plies(|board, roll| fast_boards(Variant::Backgammon, board, roll, &mut plays));
    assert_eq!(found, fixture_lines("three-plies.txt"));
}

/// One line a problem: the board, the roll, and the boards that legal plays lead to. Only what the slow list
/// says goes in.
fn vectors() -> String {
    let mut rng = Rng::new(5);
    let mut lines = String::new();
    for number in 0..300 {
        let (position, player, roll) = match number % 3 {
            0 => (
                random_position(&mut rng, Variant::Backgammon),
                Player::One,
                rng.roll(),
            ),
            _ => {
                let game = random_game(&mut rng, Variant::Backgammon);
                game[rng.below(game.len())]
            }
        };
        let board = Board::of(&position, player);
        let ids: Vec<String> = board.legal(roll).keys().map(id::encode).collect();
        let _ = writeln!(
            lines,
            "{} {roll} {} {}",
            id::encode(&board),
            ids.len(),
            ids.join(" ")
        );
    }
    lines.replace(" \n", "\n")
}

#[test]
fn the_vectors_have_the_plays_of_the_fixture() {
    if is_overwriting() {
        overwrite("vectors.txt", &vectors());
    }
    let mut plays = Plays::new();
    let lines = fixture_lines("vectors.txt");
    for line in lines.lines() {
        let [id, roll, count, results @ ..] = &line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("not a vector: {line}");
        };
        let [first, second] = roll.as_bytes() else {
            panic!("not a roll: {roll}")
        };
        let roll = Roll::new(first - b'0', second - b'0').expect("a roll");
        let expected: BTreeSet<Board> = results.iter().map(|id| id::decode(id, 15)).collect();
        let found = fast_boards(Variant::Backgammon, &id::decode(id, 15), roll, &mut plays);
        assert!(found.iter().eq(&expected), "{line}");
        assert_eq!(found.len().to_string(), *count, "{line}");
    }
    assert_eq!(lines.lines().count(), 300);
}
