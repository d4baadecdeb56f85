//! Legal plays found by trying everything, on boards of its own: one signed number a point, as a beginner
//! would write it down. It shares no code with `tawla::board` but the names of players and dice.

use std::array;
use std::collections::BTreeMap;

use tawla::board::{ByPlayer, Player, Position, Roll, Setup, Variant};

/// A board as the player sees it who moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Board {
    /// By point, 1 to 24: how many own checkers, or minus how many opposing ones. Index 0 is not used.
    pub(crate) points: [i8; 25],
    /// Own checkers on the bar.
    pub(crate) bar: i8,
    /// Own checkers borne off.
    pub(crate) off: i8,
    /// Opposing checkers on the bar.
    pub(crate) their_bar: i8,
    /// Opposing checkers borne off.
    pub(crate) their_off: i8,
}

/// How a position was reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Way {
    /// The dice in the order of playing.
    pub(crate) dice: Vec<i8>,
    /// From and to of each move: 25 for the bar, 0 for off.
    pub(crate) moves: Vec<(i8, i8)>,
    /// What it counts: more dice are better, and of single dice the higher. A way that bears off the last
    /// checker ends the game and counts as if it used all dice.
    pub(crate) weight: (usize, i8),
}

impl Board {
    /// A position seen by `player`.
    pub(crate) fn of(position: &Position, player: Player) -> Board {
        let (own, theirs) = (position.side(player), position.side(!player));
        let count = |n: u8| i8::try_from(n).expect("at most 15");
        let mut points = [0; 25];
        for point in 1..=24 {
            points[point] = count(own[point]) - count(theirs[25 - point]);
        }
        Board {
            points,
            bar: count(own[25]),
            off: count(own[0]),
            their_bar: count(theirs[25]),
            their_off: count(theirs[0]),
        }
    }

    /// The position of this board, which `player` sees like this.
    pub(crate) fn position(&self, variant: Variant, player: Player) -> Position {
        let (mut own, mut theirs) = ([0; 26], [0; 26]);
        for point in 1..=24 {
            own[point] = self.points[point].max(0).unsigned_abs();
            theirs[25 - point] = self.points[point].min(0).unsigned_abs();
        }
        own[25] = self.bar.unsigned_abs();
        theirs[25] = self.their_bar.unsigned_abs();
        let sides = ByPlayer::new(own, theirs);
        let checkers = if player == Player::One {
            sides
        } else {
            sides.swapped()
        };
        let setup = Setup {
            checkers,
            variant,
            turn: None,
            roll: None,
            cube: None,
        };
        Position::new(&setup).expect("a board that can exist")
    }

    /// The board after one checker moved, and where it landed. `None` if the move is against the rules.
    fn moved(&self, from: i8, die: i8) -> Option<(Board, i8)> {
        let mut after = *self;
        if from == 25 {
            after.bar = self.bar.checked_sub(1).filter(|&left| left >= 0)?;
        } else {
            if self.bar > 0 || self.points[from as usize] < 1 {
                return None;
            }
            after.points[from as usize] -= 1;
        }
        let to = from - die;
        if to >= 1 {
            match self.points[to as usize] {
                ..-1 => return None,
                -1 => {
                    after.points[to as usize] = 1;
                    after.their_bar += 1;
                }
                _ => after.points[to as usize] += 1,
            }
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

    fn try_all(&self, left: &[i8], way: &mut Way, reached: &mut BTreeMap<Board, Way>) {
        way.weight = match way.dice[..] {
            _ if self.is_over() => (way.dice.len() + left.len(), 0),
            [die] => (1, die),
            _ => (way.dice.len(), 0),
        };
        let best = reached.entry(*self).or_insert_with(|| way.clone());
        if best.weight < way.weight {
            *best = way.clone();
        }
        let Some((&die, left)) = left.split_first() else {
            return;
        };
        for from in 1..=25 {
            if let Some((after, to)) = self.moved(from, die) {
                way.dice.push(die);
                way.moves.push((from, to));
                after.try_all(left, way, reached);
                way.moves.pop();
                way.dice.pop();
            }
        }
    }

    /// Every board that a legal play of `roll` leads to, with a way to it; empty if nothing can be played.
    pub(crate) fn legal(&self, roll: Roll) -> BTreeMap<Board, Way> {
        let (a, b) = (roll.0.pips() as i8, roll.1.pips() as i8);
        let orders = if a == b {
            vec![vec![a; 4]]
        } else {
            vec![vec![a, b], vec![b, a]]
        };
        let mut reached = BTreeMap::new();
        for order in orders {
            let mut way = Way {
                dice: Vec::new(),
                moves: Vec::new(),
                weight: (0, 0),
            };
            self.try_all(&order, &mut way, &mut reached);
        }
        let most = reached
            .values()
            .map(|way| way.weight)
            .max()
            .unwrap_or_default();
        reached.retain(|_, way| way.weight == most && most.0 > 0);
        reached
    }

    /// Whether the player has borne off every checker.
    fn is_over(&self) -> bool {
        self.bar == 0 && self.points.iter().all(|&checkers| checkers <= 0)
    }

    /// The board as the opponent sees it.
    pub(crate) fn turned(&self) -> Board {
        let points = array::from_fn(|point| {
            if point == 0 {
                0
            } else {
                -self.points[25 - point]
            }
        });
        Board {
            points,
            bar: self.their_bar,
            off: self.their_off,
            their_bar: self.bar,
            their_off: self.off,
        }
    }
}
