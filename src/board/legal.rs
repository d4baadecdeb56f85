//! Every legal play of a roll.
//!
//! The search tries the moves of a die from the rearmost place on and keeps what uses as many dice as any
//! other line does; of plays that use one die only, those that use the larger. Plays that lead to the same
//! position are one play. It is pinned by `../../tests/it/perft.rs` against a slow version that tries
//! everything.

use super::position::landing;
use super::{Move, Place, Play, Player, Position, Roll};

/// The legal plays of a roll, each with the position that it leads to; no two lead to the same.
#[derive(Debug, Clone, Default)]
pub struct Plays {
    list: Vec<(Position, Play)>,
    keys: Vec<u64>,
    dice: usize,
}

impl Plays {
    /// An empty list, to be filled by [`legal_plays`] again and again.
    pub fn new() -> Plays {
        Plays::default()
    }

    /// The plays with the positions after them. Empty if the roll cannot be played at all.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &(Position, Play)> {
        self.list.iter()
    }

    /// How many different positions can be reached.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether the roll cannot be played: a dance.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many dice must be played: 0 to 4. A play that bears off the last checker may use fewer.
    pub fn dice(&self) -> usize {
        self.dice
    }

    /// The play that leads to `position`, if it is legal.
    pub fn leading_to(&self, position: &Position) -> Option<&Play> {
        self.list
            .iter()
            .find(|(reached, _)| reached == position)
            .map(|(_, play)| play)
    }

    fn clear(&mut self, dice: usize) {
        self.list.clear();
        self.keys.clear();
        self.dice = dice;
    }

    fn push(&mut self, position: &Position, player: Player, play: &Play) {
        let key = key(position, player);
        let mut same = self.keys.iter().zip(&self.list);
        if !same.any(|(&known, (reached, _))| known == key && reached == position) {
            self.keys.push(key);
            self.list.push((*position, *play));
        }
    }
}

/// A number that tells positions apart most of the time: equal positions have equal keys.
fn key(position: &Position, player: Player) -> u64 {
    let side = position.side(player);
    let sum = side.iter().fold(0u64, |sum, &n| {
        sum.wrapping_mul(31).wrapping_add(u64::from(n))
    });
    sum.wrapping_mul(31)
        .wrapping_add(u64::from(position.side(!player)[25]))
}

/// Fills `plays` with every legal play of `roll` by `player`.
pub fn legal_plays(position: &Position, player: Player, roll: Roll, plays: &mut Plays) {
    plays.clear(0);
    let mut search = Search {
        player,
        plays,
        play: Play::EMPTY,
    };
    if roll.is_double() {
        search.double(position, roll.high(), 25, 4);
    } else {
        search.both(position, roll.high(), roll.low());
        search.both(position, roll.low(), roll.high());
        if search.plays.dice == 0 {
            search.one(position, roll.high());
        }
        if search.plays.dice == 0 {
            search.one(position, roll.low());
        }
    }
}

/// Whether any die of the roll can be played.
pub fn can_play(position: &Position, player: Player, roll: Roll) -> bool {
    let (own, against) = (&position.sides[player], &position.sides[!player]);
    let die = |die: u8| {
        if own[25] > 0 {
            return against[usize::from(die)] < 2;
        }
        (1..=24).any(|from| landing(own, against, from, die).is_some())
    };
    die(roll.high()) || (!roll.is_double() && die(roll.low()))
}

struct Search<'a> {
    player: Player,
    plays: &'a mut Plays,
    play: Play,
}

impl Search<'_> {
    /// The places from which a checker may move, from `top` down.
    fn moves(
        &self,
        position: &Position,
        die: u8,
        top: u8,
    ) -> impl Iterator<Item = (u8, u8)> + use<> {
        let (own, against) = (position.sides[self.player], position.sides[!self.player]);
        let lowest = if own[25] > 0 { 25 } else { 1 };
        (lowest..=top)
            .rev()
            .filter_map(move |from| Some((from, landing(&own, &against, from, die)?)))
    }

    /// The position after a move, which is noted in the play; to be undone with `self.play.pop()`.
    fn go(&mut self, position: &Position, from: u8, to: u8) -> Position {
        let mut next = *position;
        let hits = next.put(self.player, from, to);
        let place = |number| Place::new(number).expect("a place");
        self.play.push(Move::new(place(from), place(to), hits));
        next
    }

    /// Keeps a play that uses so many dice, unless longer ones are known.
    fn keep(&mut self, position: &Position, dice: usize) {
        if dice > self.plays.dice {
            self.plays.clear(dice);
        }
        if dice == self.plays.dice {
            self.plays.push(position, self.player, &self.play);
        }
    }

    fn both(&mut self, position: &Position, first: u8, second: u8) {
        for (from, to) in self.moves(position, first, 25) {
            let between = self.go(position, from, to);
            if between.has_borne_off_all(self.player) {
                self.keep(&between, 2);
            }
            for (from, to) in self.moves(&between, second, 25) {
                let after = self.go(&between, from, to);
                self.keep(&after, 2);
                self.play.pop();
            }
            self.play.pop();
        }
    }

    fn one(&mut self, position: &Position, die: u8) {
        for (from, to) in self.moves(position, die, 25) {
            let after = self.go(position, from, to);
            self.keep(&after, 1);
            self.play.pop();
        }
    }

    /// From the rearmost place down: any order of the same moves can be put into this one.
    fn double(&mut self, position: &Position, die: u8, top: u8, left: usize) {
        let mut stuck = true;
        if left > 0 {
            for (from, to) in self.moves(position, die, top) {
                stuck = false;
                let next = self.go(position, from, to);
                self.double(&next, die, from, left - 1);
                self.play.pop();
            }
        }
        if left == 4 && stuck {
            return;
        }
        if position.has_borne_off_all(self.player) {
            self.keep(position, 4);
        } else if stuck {
            self.keep(position, 4 - left);
        }
    }
}
