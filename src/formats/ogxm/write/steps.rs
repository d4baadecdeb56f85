//! Plays as steps with the dice of a roll.

use super::game::Here;
use crate::board::{Die, Move, Play, Player, Position};
use crate::formats::carry::normal;
use crate::formats::ogxm::model::{Step, own_place};
use crate::record::{WrittenPlay, WrittenRoll};
use crate::replay::Ruling;

/// The steps of a play, in an order in which they can be made. `None`: it cannot be made with these dice.
pub(super) fn steps(here: &Here<'_>, roll: WrittenRoll, play: &WrittenPlay) -> Option<Vec<Step>> {
    let entry = here.entry;
    let dice = roll.roll()?;
    let (numbers, count) = dice.numbers();
    let numbers = &numbers[..count];
    if let Some(step) = here.step
        && let Some(moves) = normal::as_written_or_expanded(entry, &step)
        && let Some(steps) = playable(step.before.position, entry.player, moves.moves(), numbers)
    {
        return Some(steps);
    }
    let moves = match play {
        WrittenPlay::Moves(moves) => moves,
        _ => return Some(Vec::new()),
    };
    let is_unknown = here.step.is_none_or(|step| step.ruling == Ruling::Unknown);
    is_unknown
        .then(|| literal(entry.player, moves, numbers))
        .flatten()
}

/// The moves in some order with some of the dice, each of them playable.
pub(super) fn playable(
    position: Position,
    player: Player,
    moves: &[Move],
    dice: &[u8],
) -> Option<Vec<Step>> {
    if moves.is_empty() {
        return Some(Vec::new());
    }
    for (at, moved) in moves.iter().enumerate() {
        for (used, &pips) in dice.iter().enumerate() {
            let made = position.moved(player, moved.from, Die::new(pips)?);
            let Some((position, to, _)) = made else {
                continue;
            };
            if to != moved.to {
                continue;
            }
            let without = |left: usize| move |(index, _): &(usize, _)| *index != left;
            let moves: Vec<Move> = moves
                .iter()
                .copied()
                .enumerate()
                .filter(without(at))
                .map(|m| m.1)
                .collect();
            let dice: Vec<u8> = dice
                .iter()
                .copied()
                .enumerate()
                .filter(|(index, _)| *index != used)
                .map(|d| d.1)
                .collect();
            if let Some(rest) = playable(position, player, &moves, &dice) {
                let from = own_place(player, moved.from.number());
                let first = Step { from, pips };
                return Some(std::iter::once(first).chain(rest).collect());
            }
        }
    }
    None
}

/// The moves as they are written, where the position is not known: each with one of the dice.
fn literal(player: Player, moves: &Play, dice: &[u8]) -> Option<Vec<Step>> {
    let mut left = dice.to_vec();
    let mut steps = Vec::new();
    for moved in moves.moves() {
        let (from, to) = (moved.from.number(), moved.to.number());
        let pips = from.checked_sub(to).filter(|_| from > 0)?;
        let fits = |die: u8| die == pips || (to == 0 && die > pips);
        let die = left.iter().position(|&die| die == pips);
        let die = die.or_else(|| left.iter().position(|&die| fits(die)))?;
        let pips = left.remove(die);
        steps.push(Step {
            from: own_place(player, from),
            pips,
        });
    }
    Some(steps)
}
