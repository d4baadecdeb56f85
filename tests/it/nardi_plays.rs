//! Long nardi: two generators of legal plays that agree, and the verdicts on plays.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::{env, fs};

use tawla::board::{Move, PlayFault, Player, Plays, Roll, Variant, Verdict};

use crate::support::nardi_matches::{moves, random_nardi_game};
use crate::support::rng::Rng;
use crate::support::root;
use crate::support::slow_nardi::{NardiBoard, dice};

const NARDI: Variant = Variant::LongNardi;

/// The boards that the fast list reaches. Fails if it reaches one of them twice.
fn fast(board: &NardiBoard, roll: Roll, plays: &mut Plays) -> BTreeSet<NardiBoard> {
    let position = board.position(Player::Two);
    NARDI.legal_plays(&position, Player::Two, roll, plays);
    let boards: BTreeSet<NardiBoard> = plays
        .iter()
        .map(|(after, _)| NardiBoard::of(after, Player::Two))
        .collect();
    assert_eq!(boards.len(), plays.len(), "a board twice: {board:?} {roll}");
    boards
}

/// Holds the fast list against the slow one; gives how many plays there are.
fn agree(board: &NardiBoard, roll: Roll, plays: &mut Plays) -> usize {
    let expected = board.legal(roll);
    let found = fast(board, roll, plays);
    assert!(
        found.iter().eq(expected.keys()),
        "{board:?} {roll}: {found:#?}"
    );
    assert_eq!(plays.dice(), dice(&expected), "{board:?} {roll}");
    let position = board.position(Player::Two);
    assert_eq!(
        NARDI.can_play(&position, Player::Two, roll),
        !expected.is_empty(),
        "{board:?} {roll}"
    );
    for (after, play) in plays.iter() {
        let made = NARDI.played_as_written(&position, Player::Two, play.moves());
        assert_eq!(made.as_ref(), Ok(after), "{board:?} {roll} {play}");
    }
    expected.len()
}

/// A board that can exist, however absurd, on which the player who moves has a checker.
fn random_board(rng: &mut Rng) -> NardiBoard {
    let mut points = [0i8; 25];
    let mut off = [0i8; 2];
    for side in [0, 1] {
        let places: Vec<usize> = match rng.below(6) {
            0 => (0..=24).collect(),
            // The own home, as the player who moves sees it.
            1 => (0..=6)
                .map(|home| {
                    if side == 0 || home == 0 {
                        home
                    } else {
                        home + 12
                    }
                })
                .collect(),
            // A few stacks, or six in a row and a little more.
            2 => (0..rng.below(6) + 1).map(|_| rng.below(24) + 1).collect(),
            // Six in a row but one, and checkers that may fill the gap.
            3 | 4 => {
                let first = rng.below(24);
                let mut row: Vec<usize> = (0..6).map(|step| (first + step) % 24 + 1).collect();
                let gap = row.remove(rng.below(6));
                let behind = (gap + rng.below(6)) % 24 + 1;
                row.extend([behind, rng.below(24) + 1]);
                row
            }
            _ => vec![
                24,
                24,
                24,
                rng.below(24) + 1,
                rng.below(24) + 1,
                rng.below(24) + 1,
            ],
        };
        let sign = if side == 0 { 1 } else { -1 };
        for _ in 0..15 {
            let place = places[rng.below(places.len())];
            if place > 0 && points[place] * sign >= 0 {
                points[place] += sign;
            } else {
                off[side] += 1;
            }
        }
    }
    if points.iter().all(|&checkers| checkers <= 0) || points.iter().all(|&checkers| checkers >= 0)
    {
        return random_board(rng);
    }
    NardiBoard {
        points,
        off: off[0],
        their_off: off[1],
    }
}

#[test]
fn boards_at_random_have_the_plays_that_trying_everything_finds() {
    let mut rng = Rng::new(91);
    let mut plays = Plays::new();
    let mut moving = 0;
    for _ in 0..4000 {
        let board = random_board(&mut rng);
        moving += usize::from(agree(&board, rng.roll(), &mut plays) > 0);
    }
    assert!(
        moving > 2000,
        "seed 91: only {moving} rolls could be played"
    );
}

/// The 21 rolls, the first die the lower one.
fn rolls() -> impl Iterator<Item = Roll> {
    (1..=6).flat_map(|low| (low..=6).filter_map(move |high| Roll::new(low, high)))
}

/// Boards as the next player sees them. A roll that cannot be played leaves the board as it is.
fn next_boards(
    boards: &BTreeMap<NardiBoard, u64>,
    legal: &mut impl FnMut(&NardiBoard, Roll) -> Vec<NardiBoard>,
) -> BTreeMap<NardiBoard, u64> {
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

/// The seeds of the games in the fixture.
const GAMES: u64 = 12;

/// The lines of the fixture: plays of each first roll, of each depth how many positions are reached, and the
/// plays along random games.
fn counts(mut legal: impl FnMut(&NardiBoard, Roll) -> Vec<NardiBoard>) -> String {
    let start = NardiBoard::start();
    let mut lines = format!("start {}\n", NARDI.name());
    for roll in rolls() {
        let _ = writeln!(lines, "roll {roll} {}", legal(&start, roll).len());
    }
    let mut boards = BTreeMap::from([(start, 1)]);
    for depth in 1..=3 {
        boards = next_boards(&boards, &mut legal);
        let all: u64 = boards.values().sum();
        let _ = writeln!(lines, "depth {depth} {all} {}", boards.len());
    }
    for seed in 1..=GAMES {
        let game = random_nardi_game(&mut Rng::new(seed));
        let plays: usize = game
            .turns
            .iter()
            .map(|turn| legal(&turn.before, turn.roll).len())
            .sum();
        let _ = writeln!(lines, "game {seed} {} {plays}", game.turns.len());
    }
    lines
}

#[test]
fn the_start_and_games_have_the_counts_of_the_fixture() {
    let path = root().join("fixtures/perft/nardi.txt");
    let text = fs::read_to_string(&path).expect("a fixture");
    let (comments, expected): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| line.starts_with('#'));
    let mut plays = Plays::new();
    let found = counts(|board, roll| fast(board, roll, &mut plays).into_iter().collect());
    let slow = counts(|board, roll| board.legal(roll).into_keys().collect());
    assert_eq!(found, slow, "the generators differ");
    if env::var("SNAPSHOTS").is_ok_and(|mode| mode == "overwrite") {
        fs::write(&path, comments.join("\n") + "\n" + &slow)
            .expect("a fixture that can be written");
        return;
    }
    assert_eq!(found.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn every_legal_play_is_judged_legal_however_it_is_written() {
    let mut rng = Rng::new(92);
    let mut plays = Plays::new();
    for _ in 0..1500 {
        let board = random_board(&mut rng);
        let (position, player, roll) = (board.position(Player::One), Player::One, rng.roll());
        NARDI.legal_plays(&position, player, roll, &mut plays);
        for (after, play) in plays.iter() {
            let mut written = play.moves().to_vec();
            rng.shuffle(&mut written);
            for written in [joined(&written), written] {
                let Verdict::Legal(reading) = NARDI.judge(&position, player, roll, &written) else {
                    panic!("seed 92: {board:?} {roll} {written:?}");
                };
                assert_eq!(reading.position, *after, "seed 92: {board:?} {roll}");
            }
        }
    }
}

/// The moves with each checker's way written as one.
fn joined(moves: &[Move]) -> Vec<Move> {
    let mut sorted = moves.to_vec();
    sorted.sort_by_key(|moved| std::cmp::Reverse(moved.from));
    let mut joined: Vec<Move> = Vec::new();
    for moved in sorted {
        match joined.iter_mut().find(|way| way.to == moved.from) {
            Some(way) => way.to = moved.to,
            None => joined.push(moved),
        }
    }
    joined
}

#[test]
fn what_the_dice_can_reach_is_judged_legal_if_it_is_a_legal_play() {
    let mut rng = Rng::new(93);
    let (mut legal, mut heads, mut blocks, mut fewer) = (0, 0, 0, 0);
    for _ in 0..1200 {
        let board = random_board(&mut rng);
        let (position, player, roll) = (board.position(Player::One), Player::One, rng.roll());
        let expected = board.legal(roll);
        for (after, way) in board.reached(roll) {
            let written: Vec<Move> = moves(&way.moves);
            let is_legal = match NARDI.judge(&position, player, roll, &written) {
                Verdict::Legal(reading) => {
                    assert_eq!(NardiBoard::of(&reading.position, player), after, "seed 93");
                    legal += 1;
                    true
                }
                Verdict::Illegal { fault, stands } => {
                    match fault {
                        PlayFault::HeadRule { .. } => heads += 1,
                        PlayFault::BlockOfSix { .. } => blocks += 1,
                        PlayFault::DiceLeft { .. } | PlayFault::SmallerDie { .. } => fewer += 1,
                        other => panic!("seed 93: {other:?} {board:?} {roll} {written:?}"),
                    }
                    let stands = stands.map(|after| NardiBoard::of(&after, player));
                    assert_eq!(stands, Some(after), "seed 93");
                    false
                }
                Verdict::Ambiguous(_) => panic!("seed 93: {board:?} {roll} {written:?}"),
            };
            assert_eq!(
                is_legal,
                expected.contains_key(&after),
                "seed 93: {board:?} {roll} {written:?}"
            );
        }
    }
    let found = [legal, heads, blocks, fewer];
    assert!(found.iter().all(|&found| found > 50), "seed 93: {found:?}");
}
