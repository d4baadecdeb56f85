//! What the program's own analysis says, as our record keeps it.

use super::archive::ROLLOUT;
use super::records::{NO_VERDICT, Record, cube, level, play};
use crate::board::{Move, Play, Player};
use crate::formats::binary::Bytes;
use crate::record::analysis;

/// Analysis by name.
pub(super) type Said = Vec<(String, String)>;

fn say(said: &mut Said, name: &str, value: String) {
    said.push((name.to_owned(), value));
}

/// Seven numbers: lost backgammons, gammons and games, won games, gammons and backgammons, and the equity.
fn chances(record: Record<'_>, at: usize) -> Option<(String, f64)> {
    let numbers: [f64; 7] = std::array::from_fn(|index| record.f32(at + 4 * index));
    if numbers.iter().any(|number| !number.is_finite()) {
        return None;
    }
    let [lost3, lost2, lost, won, won2, won3, equity] = numbers;
    let chances = analysis::chances([won, won2, won3], [lost, lost2, lost3]);
    Some((chances, equity))
}

/// What is said of the cube before a roll, whether it was turned or not. Empty: nothing was analysed.
pub(super) fn of_cube(record: Record<'_>, rollouts: &[u8]) -> Said {
    let mut said = Said::new();
    if record.flag(cube::FLAGGED) {
        say(&mut said, "cube-flagged", "yes".to_owned());
    }
    if let Some(error) = record.computed(cube::ERROR) {
        say(&mut said, analysis::CUBE_ERROR, analysis::loss(error));
    }
    let verdict = record.i16(cube::VERDICT);
    if verdict == NO_VERDICT {
        return said;
    }
    let words = match verdict {
        -1 => "too good",
        0 => "no double",
        1 => "double, take",
        2 => "double, pass",
        3 => "optional double, take",
        _ => "unknown",
    };
    say(&mut said, analysis::CUBE_VERDICT, words.to_owned());
    let names = [
        analysis::NO_DOUBLE,
        analysis::DOUBLE_TAKE,
        analysis::DOUBLE_PASS,
    ];
    for (name, at) in names.into_iter().zip(cube::EQUITIES) {
        let equity = record.f32(at);
        if equity.is_finite() {
            say(&mut said, name, analysis::number(equity));
        }
    }
    if let Some((chances, _)) = chances(record, cube::CHANCES) {
        say(&mut said, analysis::CUBE_CHANCES, chances);
    }
    let rolled_out = record.index(cube::ROLLOUT);
    let depth = depth(record.i32(cube::LEVEL), rolled_out, rollouts);
    say(&mut said, analysis::CUBE_LEVEL, depth);
    said
}

/// What is said of the answer to a double.
pub(super) fn of_answer(record: Record<'_>) -> Said {
    let error = record.computed(cube::TAKE_ERROR);
    let said = |error: f64| (analysis::TAKE_ERROR.to_owned(), analysis::loss(error));
    error.map(said).into_iter().collect()
}

/// How many plays of a file are kept that were looked at and not made; the longest match that was met has a
/// twentieth of it.
pub(super) const MOST_CANDIDATES: usize = 200_000;

/// How many plays were looked at for a roll.
pub(super) fn candidates(record: Record<'_>) -> usize {
    record.i32(play::CANDIDATES).clamp(0, 32) as usize
}

/// What is said of a roll and a play; of the plays that were looked at only the first `most`.
pub(super) fn of_play(record: Record<'_>, player: Player, rollouts: &[u8], most: usize) -> Said {
    let mut said = Said::new();
    if record.flag(play::FLAGGED) {
        say(&mut said, "flagged", "yes".to_owned());
    }
    if let Some(error) = record.computed(play::ERROR) {
        say(&mut said, analysis::ERROR, analysis::loss(error));
    }
    if let Some(luck) = record.computed(play::LUCK) {
        say(&mut said, analysis::LUCK, analysis::number(luck));
    }
    let after = record.board(play::POSITION_AFTER, player);
    let count = candidates(record).min(most);
    let before = said.len();
    for candidate in 0..count {
        let Some((chances, equity)) = chances(record, play::CANDIDATE_CHANCES + 28 * candidate)
        else {
            continue;
        };
        let board = record.board(play::CANDIDATE_BOARDS + 26 * candidate, player);
        let moves =
            moves(|index| i32::from(record.i8(play::CANDIDATE_MOVES + 8 * candidate + index)));
        let shown = moves.map_or_else(|| "?".to_owned(), |play| shown(&play));
        let rolled_out = record.index(play::ROLLOUTS + 4 * candidate);
        let code = i32::from(record.i16(play::CANDIDATE_LEVELS + 4 * candidate));
        let level = depth(code, rolled_out, rollouts);
        let equity = analysis::number(equity);
        let text = format!("{shown} {equity} {chances} ({level})");
        if board.is_some() && board == after && said.len() == before + candidate {
            said.insert(before, (analysis::EQUITY.to_owned(), equity));
        }
        say(&mut said, analysis::CANDIDATE, text);
    }
    if count > 0 {
        let analysed = level(record.i32(play::LEVEL));
        say(&mut said, analysis::LEVEL, analysed);
    }
    said
}

/// A play as notation has it; one without a move is none.
fn shown(play: &Play) -> String {
    match play.moves().is_empty() {
        true => "cannot move".to_owned(),
        false => play.to_string(),
    }
}

/// The moves of a list of four pairs, from and to, each one less than the own number; -1 as the start of one
/// ends it. `None`: a number that is no place.
pub(super) fn moves(number: impl Fn(usize) -> i32) -> Option<Play> {
    let mut play = Play::EMPTY;
    for pair in 0..4 {
        let (from, to) = (number(2 * pair), number(2 * pair + 1));
        if from == -1 {
            break;
        }
        let from = u8::try_from(from.checked_add(1)?).ok()?;
        // Below -1 a larger die bore the checker off.
        let to = u8::try_from(to.max(-1) + 1).ok()?;
        play.push(Move::from_numbers(from, to, false).filter(|_| from > 0)?);
    }
    Some(play)
}

/// How deep something was analysed; of a rollout also how many games were played and how sure the result is.
fn depth(code: i32, rolled_out: Option<usize>, rollouts: &[u8]) -> String {
    let rollout = rolled_out.and_then(|index| rollouts.chunks_exact(ROLLOUT).nth(index));
    let Some(rollout) = rollout.map(Bytes) else {
        return level(code);
    };
    let games = rollout.i32(84).unwrap_or_default();
    let within = rollout.f32(2020).map(f64::from).unwrap_or_default();
    match within.is_finite() && within > 0.0 {
        true => format!("rollout, {games} games, \u{b1}{within:.4}"),
        false => format!("rollout, {games} games"),
    }
}
