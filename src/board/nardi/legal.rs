//! Every legal play of a roll in long nardi.
//!
//! A play is built die by die, of a double from the rearmost checker down, since any order of the same moves can
//! be put into that one. Each position on the way is a play that could end there: the block rule may forbid what
//! comes after it. Kept are those that play most, one for each position. It is pinned by
//! `../../../tests/it/nardi_plays.rs` against a slow version that tries everything.

use super::super::legal::{downward, points};
use super::super::{Move, Place, Play, Player, Plays, Position, Roll};
use super::{Ground, HEAD, heads, put};

/// Fills `plays` with every legal play of `roll` by `player`.
pub(in crate::board) fn legal_plays(
    position: &Position,
    player: Player,
    roll: Roll,
    plays: &mut Plays,
) {
    let heads = heads(position, player, roll);
    search(position, player, roll, heads, plays);
}

/// Whether any play of the roll is legal.
pub(in crate::board) fn can_play(position: &Position, player: Player, roll: Roll) -> bool {
    let mut plays = Plays::new();
    legal_plays(position, player, roll, &mut plays);
    !plays.is_empty()
}

/// Whether more dice can be played if two checkers may leave the head.
pub(super) fn needs_second(position: &Position, player: Player, roll: Roll) -> bool {
    let dice = |heads| {
        let mut plays = Plays::new();
        search(position, player, roll, heads, &mut plays);
        plays.dice()
    };
    dice(2) > dice(1)
}

/// Finds the plays that take at most so many checkers from the head.
fn search(position: &Position, player: Player, roll: Roll, heads: u8, plays: &mut Plays) {
    plays.clear();
    let (high, low) = (roll.high(), roll.low());
    let mut search = Search {
        ground: Ground::new(position, player),
        dice: roll.numbers().1,
        best: (0, 0),
        plays,
    };
    let start = &(*position, Play::EMPTY);
    if roll.is_double() {
        search.go_on(start, &[high; 4], heads, Some(HEAD));
    } else {
        search.go_on(start, &[high, low], heads, None);
        search.go_on(start, &[low, high], heads, None);
    }
    search.plays.dice = search.best.0;
}

/// The plays found so far for one player.
struct Search<'a> {
    ground: Ground,
    /// How many dice the roll has.
    dice: usize,
    /// What the plays in the list count: how many dice, and of a single one which.
    best: (usize, u8),
    plays: &'a mut Plays,
}

impl Search<'_> {
    /// Plays the dice that are left. Of a double no move starts above the one before it, `below`.
    fn go_on(&mut self, before: &(Position, Play), left: &[u8], heads: u8, below: Option<u8>) {
        let Some((&die, left)) = left.split_first() else {
            return;
        };
        let player = self.ground.player;
        let sources = self.sources(before.0.side(player), die);
        for from in downward(sources) {
            if below.is_some_and(|below| from > below) || from == HEAD && heads == 0 {
                continue;
            }
            let to = from.saturating_sub(die);
            let place = |number| Place::new(number).expect("a point");
            let mut next = *before;
            next.1.push(Move::new(place(from), place(to), false));
            put(&mut next.0.sides[player], from, to);
            self.offer(&next, die);
            let heads = heads - u8::from(from == HEAD);
            self.go_on(&next, left, heads, below.map(|_| from));
        }
    }

    /// The points from which a checker may move with a die.
    fn sources(&self, side: &[u8; 26], die: u8) -> u32 {
        let own = points(side, 1);
        let inside = own & self.ground.open << die;
        match own.checked_ilog2() {
            Some(highest) if highest <= u32::from(die) => inside | 1 << highest,
            Some(highest) if highest <= 6 => inside | own & 1 << die,
            _ => inside,
        }
    }

    /// Adds a play that could end here, if it plays as much as those that are known and leads elsewhere.
    fn offer(&mut self, reached: &(Position, Play), die: u8) {
        let player = self.ground.player;
        let weight = match reached.1.moves().len() {
            _ if reached.0.has_borne_off_all(player) => (self.dice, 0),
            1 => (1, die),
            dice => (dice, 0),
        };
        if weight < self.best || self.ground.forbidden_block(&reached.0).is_some() {
            return;
        }
        if weight > self.best {
            self.best = weight;
            self.plays.list.clear();
        }
        // Two choices of a double leave different checkers behind; the two orders of other dice may meet.
        if self.dice == 4 || self.plays.leading_to(&reached.0).is_none() {
            self.plays.list.push(*reached);
        }
    }
}
