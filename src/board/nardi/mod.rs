//! Long nardi: the second set of rules.
//!
//! Each player counts the points from 24, the *head*, where all fifteen checkers start, down to 1, and bears
//! off from 6 to 1. Both go round the board in the same direction, half of it apart: point p of one player is
//! point ((p + 11) mod 24) + 1 of the other, so that either head is the other player's 12. Nothing is ever hit
//! and there is no bar: one opposing checker closes a point. Rules vary from region to region beyond that;
//! these were chosen, as far as possible those that most printed rules and servers share:
//!
//! - *Start.* Who wins the opening throw rolls both dice again, so that the first roll may be a double.
//! - *Head rule.* One checker a turn leaves the head. On a player's first roll of 3-3, 4-4 or 6-6 a second one
//!   may, if more dice can be played with it: with one alone the opposing head is soon in the way. Any way to
//!   play the roll with the two is legal. The first roll is the one that finds all fifteen on the head, so that
//!   the position tells it; no checker can come back there, and a first roll can always be played. Rules that
//!   grant the second player more (5-5, or 6-2 after a block) were left out: few have them.
//! - *Block rule.* Six points in a row must not be closed while no opposing checker is ahead of them. Six in a
//!   row are counted as the opponent comes to them: they may go from the own 1 on to the own 24, and six that
//!   the opponent would meet half at the end of the way and half at the start block nobody. An opposing checker
//!   is ahead if it has passed all six, the ones borne off included. Some rules allow a block only if the
//!   opponent has come home with a checker, or never; those are stricter.
//! - The block is judged when the play is over, not after each of its moves: two plays that lead to one
//!   position are one play, whatever the order of writing, and a block that is opened again with the next die
//!   has stopped nobody. A block that stood before the play, which can only be after an illegal play or a
//!   position that was set, is no new fault.
//! - *All dice.* As many dice as possible must be played, the larger if only one can be, among the plays that
//!   keep these rules: a die whose only moves break one of them is lost.
//! - *Bearing off* is that of backgammon.
//! - *Result.* 1 point (oin), or 2 (mars) if the loser has borne off nothing. There is no triple win, and no
//!   cube.

mod judge;
mod legal;

pub(super) use judge::{judge, play_literally, played_as_written};
pub(super) use legal::{can_play, legal_plays};

use super::legal::{POINTS, points};
use super::position::{Side, index};
use super::{Player, Position, Roll, Variant};

/// Where all checkers start.
const HEAD: u8 = 24;
/// Points that make a block.
const BLOCK: u8 = 6;

/// What does not change while a player makes a play: the opponent's checkers, which are never hit.
#[derive(Debug, Clone, Copy)]
struct Ground {
    player: Player,
    /// The points that the opponent does not hold, as bits in the numbering of the player.
    open: u32,
    /// The opponent's foremost place: 0 if a checker is off. In the opponent's numbering.
    foremost: u8,
    /// The blocks before the play; see [`blocks`].
    blocks: u32,
}

impl Ground {
    fn new(position: &Position, player: Player) -> Ground {
        let against = position.side(!player);
        let foremost = (0..=HEAD).find(|&place| against[usize::from(place)] > 0);
        Ground {
            player,
            open: POINTS & !turned(points(against, 1)),
            foremost: foremost.unwrap_or(0),
            blocks: blocks(position.side(player)),
        }
    }

    /// Whether a checker may land on a point.
    fn is_open(&self, point: u8) -> bool {
        self.open >> point & 1 == 1
    }

    /// The first and the last point, as the opponent comes to them, of a block that is in a position and was
    /// not before the play, with no opposing checker ahead of it. In the numbering of the player.
    fn forbidden_block(&self, after: &Position) -> Option<(u8, u8)> {
        let fresh = blocks(after.side(self.player)) & !self.blocks;
        let not_passed = (1u32 << self.foremost) - 1;
        let last = (fresh & not_passed).checked_ilog2()? as u8;
        let own = |point| Variant::LongNardi.opposite(point);
        Some((own(last + BLOCK - 1), own(last)))
    }
}

/// Points in the numbering of the other player.
fn turned(set: u32) -> u32 {
    (set << 12 | set >> 12) & POINTS
}

/// Where six points in a row are held: for each run of six the point that the opponent comes to last, as bits
/// in the opponent's numbering.
fn blocks(side: &[u8; 26]) -> u32 {
    let held = turned(points(side, 1));
    (1..BLOCK).fold(held, |runs, step| runs & held >> step)
}

/// The number of a double on whose first roll a second checker may have to leave the head.
fn is_head_double(roll: Roll) -> bool {
    roll.is_double() && matches!(roll.high(), 3 | 4 | 6)
}

/// Whether all checkers stand on the head: the player's first roll.
fn is_first_roll(side: &[u8; 26]) -> bool {
    side[usize::from(HEAD)] == Variant::LongNardi.checkers()
}

/// How many checkers may leave the head with this roll.
fn heads(position: &Position, player: Player, roll: Roll) -> u8 {
    let is_special = is_head_double(roll) && is_first_roll(position.side(player));
    if is_special && legal::needs_second(position, player, roll) {
        2
    } else {
        1
    }
}

/// Where a checker on `from` lands with a die, 0 for off. `None`: it stands not there, or may not go there.
fn landing(own: &Side, ground: &Ground, from: u8, die: u8) -> Option<u8> {
    if from == 0 || own[index(from)] == 0 {
        return None;
    }
    if from > die {
        let to = from - die;
        return ground.is_open(to).then_some(to);
    }
    let highest = super::position::highest(own);
    (highest <= 6 && (from == die || from == highest)).then_some(0)
}

/// Moves a checker without asking whether it may.
fn put(side: &mut Side, from: u8, to: u8) {
    side[index(from)] -= 1;
    side[index(to)] += 1;
}

#[cfg(test)]
mod tests;
