//! The doubling cube.

use super::Player;

/// The doubling cube: its value and who may turn it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cube {
    /// What the game is played for: 1, 2, 4, and so on.
    pub value: u32,
    /// Who owns the cube. `None`: it stands in the middle and either player may double.
    pub owner: Option<Player>,
}

impl Cube {
    /// The cube before anybody has doubled.
    pub const START: Cube = Cube {
        value: 1,
        owner: None,
    };

    /// Whether `player` has the right to turn the cube.
    pub fn may_turn(self, player: Player) -> bool {
        self.owner.is_none_or(|owner| owner == player)
    }

    /// The exponent of a value that is a power of two; `None` for any other.
    pub fn exponent(value: u32) -> Option<u32> {
        value.is_power_of_two().then(|| value.trailing_zeros())
    }
}

impl Default for Cube {
    fn default() -> Cube {
        Cube::START
    }
}
