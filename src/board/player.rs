//! The two players, and a value for each of them.

use std::ops::{Index, IndexMut, Not};

/// One of the two players. `One` is the left column of a transcript, SGF's White, XG's player 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Player {
    /// The first player: left column.
    One,
    /// The second player: right column.
    Two,
}

impl Player {
    /// Both players, the first one first.
    pub const BOTH: [Player; 2] = [Player::One, Player::Two];

    /// 0 for the first player and 1 for the second, as the JSON output counts them.
    pub fn index(self) -> usize {
        self as usize
    }
}

impl Not for Player {
    type Output = Player;

    /// The opponent.
    #[inline]
    fn not(self) -> Player {
        match self {
            Player::One => Player::Two,
            Player::Two => Player::One,
        }
    }
}

/// A value for each player, indexed by [`Player`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ByPlayer<T> {
    /// What belongs to the first player.
    pub one: T,
    /// What belongs to the second player.
    pub two: T,
}

impl<T> ByPlayer<T> {
    /// A value for the first player and one for the second.
    pub const fn new(one: T, two: T) -> ByPlayer<T> {
        ByPlayer { one, two }
    }

    /// The values turned into others, player by player.
    pub fn map<U>(self, mut turn: impl FnMut(T) -> U) -> ByPlayer<U> {
        ByPlayer::new(turn(self.one), turn(self.two))
    }

    /// References to both values.
    pub fn as_ref(&self) -> ByPlayer<&T> {
        ByPlayer::new(&self.one, &self.two)
    }

    /// The two values exchanged.
    pub fn swapped(self) -> ByPlayer<T> {
        ByPlayer::new(self.two, self.one)
    }

    /// The values as an array, the first player's first.
    pub fn into_array(self) -> [T; 2] {
        [self.one, self.two]
    }
}

impl<T> Index<Player> for ByPlayer<T> {
    type Output = T;

    #[inline]
    fn index(&self, player: Player) -> &T {
        match player {
            Player::One => &self.one,
            Player::Two => &self.two,
        }
    }
}

impl<T> IndexMut<Player> for ByPlayer<T> {
    #[inline]
    fn index_mut(&mut self, player: Player) -> &mut T {
        match player {
            Player::One => &mut self.one,
            Player::Two => &mut self.two,
        }
    }
}
