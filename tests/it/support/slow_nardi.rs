//! Legal plays of long nardi found by trying everything and filtering afterwards, on boards of its own. It shares
//! no code with `tawla::board` but the names of players and dice.

use std::array;
use std::collections::{BTreeMap, BTreeSet};

use tawla::board::{ByPlayer, Player, Position, Roll, Setup, Variant};

/// A board as the player sees it who moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NardiBoard {
    /// By own point, 1 to 24: how many own checkers, or minus how many opposing ones. Index 0 is not used.
    pub(crate) points: [i8; 25],
    /// Own checkers borne off.
    pub(crate) off: i8,
    /// Opposing checkers borne off.
    pub(crate) their_off: i8,
}

/// How a board was reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NardiWay {
    /// From and to of each move; 0 for off.
    pub(crate) moves: Vec<(i8, i8)>,
    /// What it counts: more dice are better, and of single dice the higher. A way that bears off the last
    /// checker counts as if it used all dice.
    pub(crate) weight: (usize, i8),
}

/// The point at which the opponent counts an own point: half a board farther on the same way.
fn theirs(point: usize) -> usize {
    let on = point as i8 - 12;
    if on < 1 {
        (on + 24) as usize
    } else {
        on as usize
    }
}

impl NardiBoard {
    /// The board before the first roll.
    pub(crate) fn start() -> NardiBoard {
        let mut points = [0; 25];
        points[24] = 15;
        points[12] = -15;
        NardiBoard {
            points,
            off: 0,
            their_off: 0,
        }
    }

    /// A position seen by `player`.
    pub(crate) fn of(position: &Position, player: Player) -> NardiBoard {
        let (own, other) = (position.side(player), position.side(!player));
        let count = |n: u8| i8::try_from(n).expect("at most 15");
        let points = array::from_fn(|point| match point {
            0 => 0,
            _ => count(own[point]) - count(other[theirs(point)]),
        });
        NardiBoard {
            points,
            off: count(own[0]),
            their_off: count(other[0]),
        }
    }

    /// The same as a position in which `player` is the one who moves.
    pub(crate) fn position(&self, player: Player) -> Position {
        let (mut own, mut other) = ([0; 26], [0; 26]);
        for (point, &checkers) in self.points.iter().enumerate().skip(1) {
            match checkers {
                1.. => own[point] = checkers.unsigned_abs(),
                _ => other[theirs(point)] = checkers.unsigned_abs(),
            }
        }
        let sides = ByPlayer::new(own, other);
        let checkers = if player == Player::One {
            sides
        } else {
            sides.swapped()
        };
        Position::new(&Setup {
            checkers,
            variant: Variant::LongNardi,
            turn: None,
            roll: None,
            cube: None,
        })
        .expect("a board that can exist")
    }

    /// The board as the opponent sees it.
    pub(crate) fn turned(&self) -> NardiBoard {
        let mut points = [0; 25];
        for (point, &checkers) in self.points.iter().enumerate().skip(1) {
            points[theirs(point)] = -checkers;
        }
        NardiBoard {
            points,
            off: self.their_off,
            their_off: self.off,
        }
    }

    /// Whether the player has borne off every checker.
    pub(crate) fn is_over(&self) -> bool {
        self.points.iter().all(|&checkers| checkers <= 0)
    }

    /// The board after one checker moved, and where it landed. `None`: not there, closed, or not home.
    fn moved(&self, from: i8, die: i8) -> Option<(NardiBoard, i8)> {
        let mut after = *self;
        if self.points[from as usize] < 1 {
            return None;
        }
        after.points[from as usize] -= 1;
        let to = from - die;
        if to >= 1 {
            if self.points[to as usize] < 0 {
                return None;
            }
            after.points[to as usize] += 1;
            return Some((after, to));
        }
        let outside = (7..=24).any(|point| self.points[point] > 0);
        let behind = (from + 1..=6).any(|point| self.points[point as usize] > 0);
        if outside || (to < 0 && behind) {
            return None;
        }
        after.off += 1;
        Some((after, 0))
    }

    fn try_all(
        &self,
        left: &[i8],
        dice: &mut Vec<i8>,
        moves: &mut Vec<(i8, i8)>,
        seen: &mut BTreeSet<(NardiBoard, usize)>,
        reached: &mut BTreeMap<NardiBoard, NardiWay>,
    ) {
        // What follows is the same as when this board came up before with the same dice left.
        if !seen.insert((*self, left.len())) {
            return;
        }
        let weight = match dice[..] {
            _ if self.is_over() => (dice.len() + left.len(), 0),
            [die] => (1, die),
            _ => (dice.len(), 0),
        };
        let known = reached.get(self).map(|way| way.weight);
        if known.is_none_or(|known| known < weight) {
            let moves = moves.clone();
            reached.insert(*self, NardiWay { moves, weight });
        }
        let Some((&die, left)) = left.split_first() else {
            return;
        };
        for from in 1..=24 {
            if let Some((after, to)) = self.moved(from, die) {
                dice.push(die);
                moves.push((from, to));
                after.try_all(left, dice, moves, seen, reached);
                moves.pop();
                dice.pop();
            }
        }
    }

    /// The points of the opponent's way from which six in a row are held, as the opponent counts them.
    fn blocks(&self) -> Vec<usize> {
        let seen = self.turned();
        (1..=19)
            .filter(|&last| (last..last + 6).all(|point| seen.points[point] < 0))
            .collect()
    }

    /// Whether this board has six in a row that `before` had not, none of which an opposing checker has passed.
    fn breaks_the_block_rule(&self, before: &NardiBoard) -> bool {
        let seen = self.turned();
        let old = before.blocks();
        self.blocks().into_iter().any(|last| {
            let passed = seen.off > 0 || (1..last).any(|point| seen.points[point] > 0);
            !passed && !old.contains(&last)
        })
    }

    /// Every board that some dice of the roll lead to, whether a rule of long nardi forbids it or not, with a way
    /// to it that uses as many as possible.
    pub(crate) fn reached(&self, roll: Roll) -> BTreeMap<NardiBoard, NardiWay> {
        let (a, b) = (roll.0.pips() as i8, roll.1.pips() as i8);
        let orders = if a == b {
            vec![vec![a; 4]]
        } else {
            vec![vec![a, b], vec![b, a]]
        };
        let mut reached = BTreeMap::new();
        for order in orders {
            let (mut dice, mut moves, mut seen) = (Vec::new(), Vec::new(), BTreeSet::new());
            self.try_all(&order, &mut dice, &mut moves, &mut seen, &mut reached);
        }
        reached.retain(|_, way| !way.moves.is_empty());
        reached
    }

    /// Every board that a legal play of `roll` leads to, with a way to it; empty if nothing can be played.
    pub(crate) fn legal(&self, roll: Roll) -> BTreeMap<NardiBoard, NardiWay> {
        let (a, b) = (roll.0.pips(), roll.1.pips());
        let mut reached = self.reached(roll);
        reached.retain(|after, _| !after.breaks_the_block_rule(self));
        let one = best(&reached, |after| self.points[24] - after.points[24] <= 1);
        let is_first = self.points[24] == 15;
        if is_first && a == b && [3, 4, 6].contains(&a) {
            let two = best(&reached, |after| self.points[24] - after.points[24] <= 2);
            if dice(&two) > dice(&one) {
                return two;
            }
        }
        one
    }
}

/// The ways that are allowed and count most.
fn best(
    reached: &BTreeMap<NardiBoard, NardiWay>,
    is_allowed: impl Fn(&NardiBoard) -> bool,
) -> BTreeMap<NardiBoard, NardiWay> {
    let mut best = reached.clone();
    best.retain(|after, _| is_allowed(after));
    let most = best.values().map(|way| way.weight).max();
    best.retain(|_, way| Some(way.weight) == most);
    best
}

/// How many dice the ways use.
pub(crate) fn dice(ways: &BTreeMap<NardiBoard, NardiWay>) -> usize {
    ways.values().next().map_or(0, |way| way.weight.0)
}
