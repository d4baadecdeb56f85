//! Plays made as they are written: every move one die, each legal where it stands, and no die left.
//!
//! Nearly every play of a transcript is of this kind, and the time of a replay goes into them, so they are made in
//! place and without a search: a position is not copied, and what cannot be foreseen (which die is played first,
//! whether a move hits) is computed rather than asked. What is no such play leaves the position as it was and goes
//! to [`judge`](super::judge), which knows everything that is legal; a test holds the two against each other.

use super::position::{Side, eight, index, is_off, sides};
use super::{Move, Place, Player, Position, Roll, marked_points};

/// What a play that was made did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Played {
    /// Where it hit: bit `n` for the point `n` of the player who moves.
    pub hits: u32,
    /// Where its moves are marked as hits, in the same way.
    pub marked: u32,
    /// Whether the last checker was borne off.
    pub is_over: bool,
}

/// Makes a play where it is made literally: every move is one die, each is legal in the written order, and no
/// die is left, or the last checker is off. `None`: it is no such play, legal or not, and the position is as it was.
#[inline(always)]
pub fn play_literally(
    position: &mut Position,
    player: Player,
    roll: Roll,
    written: &[Move],
) -> Option<Played> {
    let (high, low) = (roll.high(), roll.low());
    if let [first, second] = written
        && high != low
    {
        // What most plays are; the loop below says the same of all.
        let (own, against) = sides(position, player);
        let lengths = [length(first), length(second)];
        // Two numbers are two others if sum and product are: which die is played first cannot be foreseen.
        let are_dice = (lengths[0] + lengths[1] == u32::from(high + low))
            & (lengths[0] * lengths[1] == u32::from(high * low));
        let die = if are_dice {
            lengths[0] as u8
        } else {
            die_of(first, high, low)
        };
        let hit = one_die(own, against, first, die)?;
        let Some(other_hit) = one_die(own, against, second, high + low - die) else {
            take_back(position, player, &written[..1], hit);
            return None;
        };
        return Some(Played {
            hits: hit | other_hit,
            marked: mark(first) | mark(second),
            is_over: second.to == Place::OFF && is_off(own),
        });
    }
    move_by_move(position, player, (high, low), written)
}

/// The plays of a double, and one move that bears off the last checker.
#[inline(never)]
fn move_by_move(
    position: &mut Position,
    player: Player,
    (high, low): (u8, u8),
    written: &[Move],
) -> Option<Played> {
    let (die, most) = match written {
        [.., last] if high == low && (written.len() == 4 || last.to == Place::OFF) => (high, 4),
        [only] if only.to == Place::OFF => (die_of(only, high, low), 1),
        _ => return None,
    };
    let (own, against) = sides(position, player);
    let (mut hits, mut made, mut bears_off) = (0, 0, false);
    for moved in written.iter().take(most) {
        let Some(hit) = one_die(own, against, moved, die) else {
            break;
        };
        hits |= hit;
        bears_off |= moved.to == Place::OFF;
        made += 1;
    }
    let is_over = bears_off && is_off(own);
    if made == written.len() && ((made == 4 && high == low) || is_over) {
        return Some(Played {
            hits,
            marked: marked_points(written),
            is_over,
        });
    }
    take_back(position, player, &written[..made], hits);
    None
}

/// Makes a move with a die, if that is legal; gives the point that it hits, as a bit.
#[inline(always)]
fn one_die(own: &mut Side, against: &mut Side, moved: &Move, die: u8) -> Option<u32> {
    let (from, to) = (moved.from.number(), moved.to.number());
    let opposite = index(25u8.wrapping_sub(to));
    let there = against[opposite];
    let has_checker = (own[index(from)] > 0) & ((from == 25) | (own[25] == 0));
    let may_land = if to == 0 {
        may_bear_off(own, from, die)
    } else {
        (from == to + die) & (there < 2)
    };
    (has_checker & may_land).then_some(())?;
    own[index(from)] -= 1;
    own[index(to)] += 1;
    // Counted rather than asked: hits cannot be foreseen, and a branch guessed wrong costs more.
    let hits = u8::from((there == 1) & (to != 0));
    against[opposite] = there - hits;
    against[25] += hits;
    Some(u32::from(hits) << to)
}

/// How far a move goes, as a number that no sum or product of two exceeds; 100 or more if it goes up.
#[inline(always)]
fn length(moved: &Move) -> u32 {
    u32::from(moved.from.number()).wrapping_sub(u32::from(moved.to.number())) & 0x7f
}

#[inline(always)]
fn mark(moved: &Move) -> u32 {
    u32::from(moved.hits) << moved.to.number()
}

impl Played {
    /// A play in a game without hits.
    pub(super) fn without_a_hit(written: &[Move], is_over: bool) -> Played {
        Played {
            hits: 0,
            marked: marked_points(written),
            is_over,
        }
    }

    /// Takes the play back; `position` and the moves are those after [`play_literally`].
    pub fn take_back(&self, position: &mut Position, player: Player, written: &[Move]) {
        take_back(position, player, written, self.hits);
    }
}

/// Takes moves back, of which the first to each point in `hits` has hit there.
#[cold]
fn take_back(position: &mut Position, player: Player, made: &[Move], hits: u32) {
    let (own, against) = sides(position, player);
    for (number, moved) in made.iter().enumerate().rev() {
        let to = moved.to.number();
        own[index(moved.from.number())] += 1;
        own[index(to)] -= 1;
        let is_first = made[..number].iter().all(|earlier| earlier.to != moved.to);
        let hit = u8::from(is_first && hits >> to & 1 == 1);
        against[index(25u8.wrapping_sub(to))] += hit;
        against[25] -= hit;
    }
}

/// Whether a checker on `from`, of which the caller knows that it may move, may be borne off with a die.
#[inline(always)]
pub(super) fn may_bear_off(own: &Side, from: u8, die: u8) -> bool {
    let low = eight::<0>(own);
    let is_home = low >> 56 | eight::<8>(own) | eight::<16>(own) | eight::<24>(own) == 0;
    // With a larger die only from the rearmost place.
    let is_rearmost = from >= 7 || low >> (8 * (from + 1)) == 0;
    is_home & (from <= die) & ((from == die) | is_rearmost)
}

/// The die that makes a move if any does: the one of its length, or for a bear-off the smallest that is large enough.
#[inline]
pub(super) fn die_of(moved: &Move, high: u8, low: u8) -> u8 {
    let length = moved.from.number().wrapping_sub(moved.to.number());
    if length > low { high } else { low }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::board::{ByPlayer, Plays, Setup, Variant, legal_plays, test_support};

    /// Numbers below `most`, the same ones for each seed.
    pub(in crate::board) fn numbers(seed: u64) -> impl FnMut(u64) -> u64 {
        let mut state = seed;
        move |most| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state % most
        }
    }

    /// Fifteen checkers a side anywhere, more often at home.
    pub(in crate::board) fn position(next: &mut impl FnMut(u64) -> u64) -> Position {
        loop {
            let far = next(2) * 19 + 7;
            let mut checkers = ByPlayer::new([0; 26], [0; 26]);
            for player in Player::BOTH {
                for _ in 0..15 {
                    checkers[player][next(far) as usize] += 1;
                }
                checkers[player][0] = 0;
            }
            let position = Position::new(&Setup {
                checkers,
                variant: Variant::Backgammon,
                turn: None,
                roll: None,
                cube: None,
            });
            if let Ok(position) = position {
                return position;
            }
        }
    }

    #[test]
    fn what_is_made_is_legal_and_what_is_not_made_leaves_no_trace() {
        let seed = 0x7a17_1a00_1234_5678;
        let mut next = numbers(seed);
        let mut plays = Plays::new();
        let (mut made, mut refused) = (0, 0);
        for number in 0..20_000 {
            let start = position(&mut next);
            let roll = Roll::new(next(6) as u8 + 1, next(6) as u8 + 1).expect("a roll");
            let context = format!("seed {seed}, position {number}, {roll}");
            legal_plays(&start, Player::One, roll, &mut plays);
            // A legal play as the generator gives it, with one place changed in every second of them.
            let Some(&(_, play)) = plays.iter().nth(next(plays.len().max(1) as u64) as usize)
            else {
                continue;
            };
            let mut written = play;
            if next(2) == 0 {
                let index = next(written.moves().len() as u64) as usize;
                let moved = &mut written.moves_mut()[index];
                let (from, to) = (next(26) as u8, moved.to.number());
                *moved = Move::from_numbers(from.max(1), to, moved.hits).expect("places");
            }
            let mut after = start;
            let Some(played) = play_literally(&mut after, Player::One, roll, written.moves())
            else {
                refused += 1;
                assert_eq!(after, start, "{context}: {written}");
                let dice = if roll.is_double() { 4 } else { 2 };
                let is_whole = play.moves().len() == dice && play == written;
                assert!(!is_whole, "{context}: {play}");
                continue;
            };
            made += 1;
            let legal = plays.leading_to(&after);
            assert!(legal.is_some(), "{context}: {written}");
            let home = |position: &Position| position.checkers(Player::Two, Place::BAR);
            let hit = u32::from(home(&after) - home(&start));
            assert_eq!(played.hits.count_ones(), hit, "{context}: {written}");
            assert_eq!(played.marked, marked_points(written.moves()));
            assert_eq!(played.is_over, after.has_borne_off_all(Player::One));
            played.take_back(&mut after, Player::One, written.moves());
            assert_eq!(after, start, "{context}: {written}");
        }
        assert!(
            made > 5_000 && refused > 5_000,
            "{made} made, {refused} not"
        );
    }

    #[test]
    fn five_moves_are_no_play_even_if_they_bear_off_the_last_checker() {
        let mut position = test_support::position(Variant::Backgammon, "1:5 | 1:1");
        let off = Move::from_numbers(1, 0, false).expect("places");
        let roll = Roll::new(1, 1).expect("a roll");
        assert_eq!(
            play_literally(&mut position, Player::One, roll, &[off; 5]),
            None
        );
        assert!(play_literally(&mut position, Player::One, roll, &[off; 4]).is_some());
    }

    /// Player one's checkers against one on the opponent's 20, and a play of them.
    fn played(own: &str, roll: u8, written: &[(u8, u8, bool)]) -> Option<Played> {
        let board = format!("{own} | 20:1");
        let mut position = test_support::position(Variant::Backgammon, &board);
        let roll = Roll::new(roll / 10, roll % 10).expect("a roll");
        let written: Vec<Move> = written
            .iter()
            .map(|&(from, to, hits)| Move::from_numbers(from, to, hits).expect("places"))
            .collect();
        play_literally(&mut position, Player::One, roll, &written)
    }

    #[test]
    fn two_twos_are_not_a_three_and_a_one() {
        assert_eq!(played("8:2", 31, &[(8, 6, false), (6, 4, false)]), None);
        assert!(played("8:2", 31, &[(8, 7, false), (7, 4, false)]).is_some());
    }

    #[test]
    fn the_last_checker_ends_the_game_with_its_second_move() {
        let last = played("3:1", 21, &[(3, 1, false), (1, 0, false)]);
        assert!(last.expect("a play").is_over);
        let two_left = played("3:2", 31, &[(3, 0, false), (3, 2, false)]);
        assert!(!two_left.expect("a play").is_over);
    }

    #[test]
    fn two_dice_bear_off_two_checkers_even_if_they_are_the_last_three() {
        let off = (1, 0, false);
        assert_eq!(played("1:3", 65, &[off, off, off]), None);
        assert!(played("1:2", 65, &[off, off]).is_some());
        assert!(played("1:3", 66, &[off, off, off]).is_some());
    }

    #[test]
    fn two_marks_on_one_point_are_one() {
        let both = played("8:1 6:1", 31, &[(8, 5, true), (6, 5, true)]);
        let both = both.expect("a play");
        assert_eq!((both.hits, both.marked), (1 << 5, 1 << 5));
    }

    #[test]
    fn nothing_is_borne_off_while_two_checkers_stand_outside() {
        let (off, step) = ((6, 0, false), (2, 1, false));
        assert!(played("6:1 2:1", 61, &[off, step]).is_some());
        for outside in [(7, 8), (7, 16), (8, 16), (7, 24), (8, 24), (16, 24)] {
            let own = format!("6:1 2:1 {}:1 {}:1", outside.0, outside.1);
            assert_eq!(played(&own, 61, &[off, step]), None, "{outside:?}");
        }
    }
}
