//! A position that can exist, and one checker moved on it.

use super::{ByPlayer, Die, Place, Player, Setup, SetupFault, Variant, Win};

/// One side's checkers by place in the own numbering: 0 off, 1 to 24 the points, 25 the bar.
///
/// There is room for six places more than exist: an index that is masked to 31 needs no check of its bounds.
pub(super) type Side = [u8; 32];

/// A place as an index into a [`Side`].
#[inline]
pub(super) fn index(place: u8) -> usize {
    usize::from(place & 31)
}

fn widened(side: [u8; 26]) -> Side {
    let mut wide = [0; 32];
    wide[..26].copy_from_slice(&side);
    wide
}

/// One side at the start of backgammon, which nearly every game starts from.
const START: Side = {
    let mut side = [0; 32];
    (side[24], side[13], side[8], side[6]) = (2, 5, 3, 5);
    side
};

/// A position that can exist: the variant's number of checkers a side, and no point held by both.
///
/// A position does not know its game: what moves checkers here or names a win follows backgammon, and the
/// methods of [`Variant`] the game that is played.
///
/// Two arrays of 26 bytes rather than bit masks: a play is checked with a handful of byte reads, and the
/// code says what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    pub(super) sides: ByPlayer<Side>,
}

impl Position {
    /// The position before the first roll.
    pub fn start(variant: Variant) -> Position {
        let side = match variant {
            Variant::Backgammon => START,
            _ => widened(variant.start()),
        };
        Position {
            sides: ByPlayer::new(side, side),
        }
    }

    /// The position of a setup. Positions of games that are over are accepted: see [`Position::winner`].
    ///
    /// # Errors
    ///
    /// All reasons why the position cannot exist.
    pub fn new(setup: &Setup) -> Result<Position, Vec<SetupFault>> {
        let faults: Vec<_> = setup
            .faults()
            .into_iter()
            .filter(|fault| !fault.is_game_over())
            .collect();
        let both_off = Player::BOTH
            .iter()
            .all(|&p| setup.checkers[p][1..].iter().all(|&n| n == 0));
        if !faults.is_empty() || both_off {
            return Err(if both_off { setup.faults() } else { faults });
        }
        Ok(Position {
            sides: setup.checkers.map(|mut side| {
                side[0] = setup.variant.checkers() - side[1..].iter().sum::<u8>();
                widened(side)
            }),
        })
    }

    /// How many checkers of `player` stand on `place`, in the player's own numbering.
    pub fn checkers(&self, player: Player, place: Place) -> u8 {
        self.sides[player][usize::from(place.number())]
    }

    /// All checkers of `player` by place: 0 off, 1 to 24 the points in the own numbering, 25 the bar.
    pub fn side(&self, player: Player) -> &[u8; 26] {
        self.sides[player].first_chunk().expect("26 of 32 places")
    }

    /// What `player` has still to move, in pips; a checker on the bar counts 25.
    pub fn pips(&self, player: Player) -> u32 {
        (0u32..)
            .zip(self.sides[player])
            .map(|(place, checkers)| place * u32::from(checkers))
            .sum()
    }

    /// The position after one checker of `player` moved from `from` by `die`, and whether it hit. `None` if
    /// that is not a legal move: no checker there, another one on the bar, a closed point, or a checker
    /// that may not be borne off.
    pub fn moved(
        mut self,
        player: Player,
        from: Place,
        die: Die,
    ) -> Option<(Position, Place, bool)> {
        let to = landing(
            &self.sides[player],
            &self.sides[!player],
            from.number(),
            die.pips(),
        )?;
        let hits = self.put(player, from.number(), to);
        Some((self, Place::new(to)?, hits))
    }

    /// Moves a checker without asking whether it may; hits a lone opposing checker. Returns whether it hit.
    ///
    /// The caller has seen to it that a checker stands on `from`.
    #[inline]
    pub(super) fn put(&mut self, player: Player, from: u8, to: u8) -> bool {
        let side = &mut self.sides[player];
        let lifted = &mut side[index(from)];
        *lifted = lifted.wrapping_sub(1);
        let put = &mut side[index(to)];
        *put = put.wrapping_add(1);
        let against = &mut self.sides[!player];
        let there = &mut against[index(25u8.wrapping_sub(to))];
        // Counted rather than asked: hits cannot be foreseen, and a branch guessed wrong costs more.
        let hits = (*there == 1) & (to != 0);
        *there = there.wrapping_sub(u8::from(hits));
        against[25] = against[25].wrapping_add(u8::from(hits));
        hits
    }

    /// Whether `player` has borne off every checker.
    #[inline]
    pub fn has_borne_off_all(&self, player: Player) -> bool {
        is_off(&self.sides[player])
    }

    /// Who has borne off every checker, and what kind of win that is.
    pub fn winner(&self) -> Option<(Player, Win)> {
        let winner = Player::BOTH
            .into_iter()
            .find(|&player| self.has_borne_off_all(player))?;
        Some((winner, self.win_against(!winner)))
    }

    /// The kind of win if `loser` lost as the checkers stand.
    pub fn win_against(&self, loser: Player) -> Win {
        let side = &self.sides[loser];
        if side[0] > 0 {
            Win::Single
        } else if side[19..=25].iter().any(|&checkers| checkers > 0) {
            Win::Backgammon
        } else {
            Win::Gammon
        }
    }

    /// A point held by both players, in the numbering of `player`; only a play that entered a closed point
    /// leads there.
    pub(super) fn shared_point(&self, player: Player) -> Option<u8> {
        (1..=24u8).find(|&point| {
            self.sides[player][usize::from(point)] > 0
                && self.sides[!player][usize::from(25 - point)] > 0
        })
    }
}

/// Eight places of a side from one on, the lowest one lowest.
#[inline(always)]
pub(super) fn eight<const FROM: usize>(side: &Side) -> u64 {
    let places = side[FROM..].first_chunk().expect("eight places");
    u64::from_le_bytes(*places)
}

/// Whether every checker of a side is off.
#[inline(always)]
pub(super) fn is_off(side: &Side) -> bool {
    eight::<0>(side) >> 8 | eight::<8>(side) | eight::<16>(side) | eight::<24>(side) == 0
}

/// The sides of a player and of the opponent.
#[inline(always)]
pub(super) fn sides(position: &mut Position, player: Player) -> (&mut Side, &mut Side) {
    let (one, two) = (&mut position.sides.one, &mut position.sides.two);
    match player {
        Player::One => (one, two),
        Player::Two => (two, one),
    }
}

/// Where a checker on `from` lands with `die`: 1 to 24, or 0 for off. `None` if the move is not legal.
#[inline]
pub(super) fn landing(own: &Side, against: &Side, from: u8, die: u8) -> Option<u8> {
    if own[index(from)] == 0 || (from != 25 && own[25] > 0) {
        return None;
    }
    if from > die {
        let to = from - die;
        return (against[index(25u8.wrapping_sub(to))] < 2).then_some(to);
    }
    let highest = highest(own);
    (highest <= 6 && (from == die || from == highest)).then_some(0)
}

/// The rearmost place that holds a checker, 0 if all are off.
#[inline]
pub(super) fn highest(side: &Side) -> u8 {
    (1..=25u8)
        .rev()
        .find(|&place| side[usize::from(place)] > 0)
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(number: u8) -> Place {
        Place::new(number).expect("a place")
    }

    #[test]
    fn the_start_has_167_pips_a_side() {
        let start = Position::start(Variant::Backgammon);
        assert_eq!(Player::BOTH.map(|player| start.pips(player)), [167, 167]);
        for variant in Variant::ALL {
            assert_eq!(*Position::start(variant).side(Player::One), variant.start());
        }
    }

    #[test]
    fn a_checker_does_not_land_on_a_closed_point() {
        let start = Position::start(Variant::Backgammon);
        assert!(
            start
                .moved(Player::One, place(24), Die::new(5).expect("a die"))
                .is_none()
        );
        assert!(
            start
                .moved(Player::One, place(24), Die::new(6).expect("a die"))
                .is_some()
        );
    }

    #[test]
    fn a_setup_names_all_its_faults() {
        let mut side = Variant::Backgammon.start();
        side[6] = 6;
        side[12] = 1;
        let setup = Setup {
            checkers: ByPlayer::new(side, Variant::Backgammon.start()),
            variant: Variant::Backgammon,
            turn: None,
            roll: None,
            cube: None,
        };
        let faults = Position::new(&setup).expect_err("seventeen checkers and a shared point");
        assert_eq!(
            faults,
            [
                SetupFault::TooMany {
                    player: Player::One,
                    checkers: 17,
                    most: 15
                },
                SetupFault::BothOnPoint(ByPlayer::new(12, 13))
            ]
        );
    }

    #[test]
    fn the_game_goes_on_while_two_checkers_stand_anywhere() {
        let mut side = [0; 26];
        for first in 1..=25 {
            for second in 1..first {
                side[first] += 1;
                side[second] += 1;
                let setup = Setup {
                    checkers: ByPlayer::new(side, [0; 26]),
                    variant: Variant::Backgammon,
                    turn: None,
                    roll: None,
                    cube: None,
                };
                let position = Position::new(&setup).expect("a position");
                assert_eq!(
                    Player::BOTH.map(|player| position.has_borne_off_all(player)),
                    [false, true],
                    "{first}, {second}"
                );
                side = [0; 26];
            }
        }
    }
}
