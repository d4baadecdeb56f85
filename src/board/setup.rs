//! A board as some file claims it, and what can be wrong with it.

use std::fmt;

use super::{ByPlayer, Cube, Place, Player, Roll, Variant};

/// A position as written somewhere: anything goes. [`Position::new`](super::Position::new) checks it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// Checkers of each player by place, in the own numbering: 1 to 24 the points, 25 the bar.
    /// Index 0, the checkers borne off, is ignored: it follows from the number a side.
    pub checkers: ByPlayer<[u8; 26]>,
    /// The game; it tells the number of checkers a side.
    pub variant: Variant,
    /// Who is on roll. `None`: the source does not say.
    pub turn: Option<Player>,
    /// The dice rolled. `None`: not rolled, or the source does not say.
    pub roll: Option<Roll>,
    /// The cube. `None`: the source does not say.
    pub cube: Option<Cube>,
}

/// One reason why a position cannot exist, or why no game can be played from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetupFault {
    /// More checkers than the game has.
    TooMany {
        /// Whose checkers.
        player: Player,
        /// How many there are.
        checkers: u32,
        /// How many there may be.
        most: u8,
    },
    /// Checkers of both players on one point: its number for each of them.
    BothOnPoint(ByPlayer<u8>),
    /// A checker on the bar in a game that has none.
    OnBar(Player),
    /// A player has no checker left: the game is over.
    NoCheckers(Player),
    /// Both players have checkers on the bar against a closed home board: nobody can ever move.
    NobodyCanMove,
}

impl SetupFault {
    /// Whether the position still makes sense: that of a game that is over.
    pub fn is_game_over(self) -> bool {
        matches!(self, SetupFault::NoCheckers(_))
    }
}

impl fmt::Display for SetupFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |player| {
            if player == Player::One {
                "first"
            } else {
                "second"
            }
        };
        match *self {
            SetupFault::TooMany {
                player,
                checkers,
                most,
            } => {
                write!(
                    f,
                    "the {} player has {checkers} checkers, at most {most} exist",
                    name(player)
                )
            }
            SetupFault::BothOnPoint(point) => write!(
                f,
                "both players on one point (the first player's {}, the second player's {})",
                point.one, point.two
            ),
            SetupFault::OnBar(player) => write!(
                f,
                "the {} player has a checker on the bar, and this game has no bar",
                name(player)
            ),
            SetupFault::NoCheckers(player) => {
                write!(
                    f,
                    "the {} player has no checkers: the game is over",
                    name(player)
                )
            }
            SetupFault::NobodyCanMove => f.write_str(
                "both players on the bar against closed home boards: nobody can ever move",
            ),
        }
    }
}

impl Setup {
    /// All reasons why this position cannot exist, the game being over included.
    pub fn faults(&self) -> Vec<SetupFault> {
        let mut faults = Vec::new();
        let most = self.variant.checkers();
        for player in Player::BOTH {
            let checkers: u32 = self.checkers[player][1..]
                .iter()
                .map(|&n| u32::from(n))
                .sum();
            if checkers > u32::from(most) {
                faults.push(SetupFault::TooMany {
                    player,
                    checkers,
                    most,
                });
            }
            if checkers == 0 {
                faults.push(SetupFault::NoCheckers(player));
            }
        }
        for one in 1..=24 {
            let two = self.variant.opposite(one);
            let held = |player: Player, point: u8| self.checkers[player][usize::from(point)] > 0;
            if held(Player::One, one) && held(Player::Two, two) {
                faults.push(SetupFault::BothOnPoint(ByPlayer::new(one, two)));
            }
        }
        if self.variant == Variant::LongNardi {
            let on_bar = |player: &Player| self.checkers[*player][25] > 0;
            faults.extend(
                Player::BOTH
                    .into_iter()
                    .filter(on_bar)
                    .map(SetupFault::OnBar),
            );
            return faults;
        }
        let is_on_bar = |side: &[u8; 26]| side[usize::from(Place::BAR.number())] > 0;
        let is_closed = |side: &[u8; 26]| side[1..=6].iter().all(|&n| n >= 2);
        if self
            .checkers
            .into_array()
            .iter()
            .all(|side| is_on_bar(side) && is_closed(side))
        {
            faults.push(SetupFault::NobodyCanMove);
        }
        faults
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_can_move_if_both_are_on_the_bar_against_closed_boards() {
        let faults = |one: [u8; 2], two: [u8; 2]| {
            // Six points at home, one on the bar or not, the first point with two or with one.
            let side = |[bar, first]: [u8; 2]| {
                let mut side = [0; 26];
                side[2..=6].fill(2);
                (side[25], side[1]) = (bar, first);
                side
            };
            Setup {
                checkers: ByPlayer::new(side(one), side(two)),
                variant: Variant::Backgammon,
                turn: None,
                roll: None,
                cube: None,
            }
            .faults()
        };
        assert_eq!(faults([1, 2], [1, 2]), [SetupFault::NobodyCanMove]);
        for (one, two) in [
            ([0, 2], [0, 2]),
            ([1, 2], [0, 2]),
            ([0, 2], [1, 2]),
            ([1, 1], [1, 2]),
            ([1, 2], [1, 1]),
        ] {
            assert_eq!(faults(one, two), [], "{one:?} {two:?}");
        }
    }
}
