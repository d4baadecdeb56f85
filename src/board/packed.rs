//! A written play in one number, made on the board if it is the usual one.
//!
//! Who reads millions of plays and asks only whether anything is wrong spends most of the time here. A play is made
//! if each move is one die, legal in the written order, and marked exactly where it hits, and if no die is left or the
//! last checker is off. So the mark need not be compared with what was found: the opposing checkers on the point must be
//! as many as the mark says. Checkers are moved first and asked about afterwards, all at once, because the answer is
//! nearly always the same; what was moved wrongly is moved back. [`play_literally`](super::play_literally) says the same
//! of hits without marks and a test holds the two against each other.

use super::literal::may_bear_off;
use super::position::{Side, index, is_off, sides};
use super::{Move, Place, Player, Position, Roll};

/// Up to four moves, sixteen bits each, the first one lowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PackedPlay {
    moves: u64,
    /// Sixteen for each move; five moves or more are held as one too many.
    bits: u32,
}

/// A move in twelve bits: from where, to where, whether it is marked as a hit, and whether it bears off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PackedMove(u16);

impl PackedMove {
    /// A move in this form.
    pub const fn new(moved: Move) -> PackedMove {
        let (from, to) = (moved.from.number() as u16, moved.to.number() as u16);
        let bears_off = (to == 0) as u16;
        PackedMove(from | to << 5 | (moved.hits as u16) << 10 | bears_off << 11)
    }

    /// The number that it is, below 4,096.
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The move with this number, whatever its upper bits are.
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> PackedMove {
        PackedMove(bits & 0xfff)
    }

    #[inline(always)]
    const fn mark(self) -> u8 {
        (self.0 >> 10 & 1) as u8
    }

    /// The move itself.
    #[inline(always)]
    pub fn moved(self) -> Move {
        let (from, to) = ((self.0 & 31) as u8, (self.0 >> 5 & 31) as u8);
        Move::new(Place::at_most(from), Place::at_most(to), self.mark() == 1)
    }
}

/// The mark of each of four moves.
const MARKS: u64 = 0x0400_0400_0400_0400;
/// Whether it bears off.
const OFF: u64 = 0x0800_0800_0800_0800;

impl PackedPlay {
    /// The play without a move.
    pub const EMPTY: PackedPlay = PackedPlay { moves: 0, bits: 0 };

    /// Adds a move.
    #[inline(always)]
    pub fn push(&mut self, moved: PackedMove) {
        self.moves |= u64::from(moved.0) << (self.bits & 63);
        self.bits += 16;
    }

    /// Whether any move is marked as a hit.
    #[inline(always)]
    pub fn has_marks(self) -> bool {
        self.moves & MARKS != 0
    }

    /// Whether there is no move.
    pub fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// The moves and how many they are. `None` if they are more than four.
    pub fn unpacked(self) -> Option<([Move; 4], usize)> {
        let mut moves = [Move::new(Place::OFF, Place::OFF, false); 4];
        let count = (self.bits / 16) as usize;
        for (index, moved) in moves.get_mut(..count)?.iter_mut().enumerate() {
            *moved = self.number(index).moved();
        }
        Some((moves, count))
    }

    #[inline(always)]
    fn number(self, index: usize) -> PackedMove {
        PackedMove::from_bits((self.moves >> (16 * index)) as u16)
    }
}

/// Makes a play where it is made literally and its marks are right; `Some` tells whether it bears off the last checker.
/// `None`: it is no such play, legal or not, and the position is as it was.
#[inline(always)]
pub fn play_as_marked(
    position: &mut Position,
    player: Player,
    roll: Roll,
    written: PackedPlay,
) -> Option<bool> {
    let (own, against) = sides(position, player);
    if written.bits != 32 || roll.is_double() || written.moves & OFF != 0 {
        return move_by_move(own, against, roll, written);
    }
    // What most plays are.
    let (first, second) = (written.number(0), written.number(1));
    let (is_first_legal, one) = step(own, against, first);
    let (is_second_legal, other) = step(own, against, second);
    let (lengths, dice) = (
        u16::from_le_bytes([one, other]),
        [roll.0.pips(), roll.1.pips()],
    );
    let are_dice = (lengths == u16::from_le_bytes(dice)) | (lengths == u16::from_be_bytes(dice));
    if is_first_legal & is_second_legal & are_dice {
        return Some(false);
    }
    step_back(own, against, second);
    step_back(own, against, first);
    None
}

/// Doubles, and plays that bear off.
#[inline(never)]
fn move_by_move(
    own: &mut Side,
    against: &mut Side,
    roll: Roll,
    written: PackedPlay,
) -> Option<bool> {
    let count = (written.bits / 16) as usize;
    if !(1..=4).contains(&count) || (count > 2 && !roll.is_double()) {
        return None;
    }
    let (high, low) = (roll.high(), roll.low());
    // The die of the first move; one that bears off may need less than any die.
    let (from, to) = places(written.number(0));
    let (mut die, mut other) = match from.wrapping_sub(to) {
        length if length == high || (to == 0 && length > low) => (high, low),
        _ => (low, high),
    };
    let (mut are_legal, mut bears_off) = (true, false);
    for number in 0..count {
        let moved = written.number(number);
        let (from, to) = places(moved);
        if to == 0 {
            let has_checker = own[index(from)] != 0;
            are_legal &= has_checker & may_bear_off(own, from, die) & (moved.mark() == 0);
            bears_off = true;
            put(own, from, to);
        } else {
            let (is_legal, length) = step(own, against, moved);
            are_legal &= is_legal & (length == die);
        }
        (die, other) = (other, die);
    }
    let is_over = bears_off && is_off(own);
    let is_whole = count == if high == low { 4 } else { 2 };
    if are_legal && (is_whole || is_over) {
        return Some(is_over);
    }
    for index in (0..count).rev() {
        // A mark on a bear-off takes nothing from the board and gives nothing back.
        step_back(own, against, written.number(index));
    }
    None
}

#[inline(always)]
fn places(moved: PackedMove) -> (u8, u8) {
    ((moved.0 & 31) as u8, (moved.0 >> 5 & 31) as u8)
}

/// Moves a checker on, and takes from the board what the mark says; tells whether that is legal but for the die, and
/// how far it goes.
#[inline(always)]
fn step(own: &mut Side, against: &mut Side, moved: PackedMove) -> (bool, u8) {
    let ((from, to), mark) = (places(moved), moved.mark());
    let opposite = index(25u8.wrapping_sub(to));
    let is_legal =
        (own[index(from)] != 0) & ((from == 25) | (own[25] == 0)) & (against[opposite] == mark);
    put(own, from, to);
    against[opposite] = against[opposite].wrapping_sub(mark);
    against[25] = against[25].wrapping_add(mark);
    (is_legal, from.wrapping_sub(to))
}

/// Takes a step back, right or wrong.
#[inline(always)]
fn step_back(own: &mut Side, against: &mut Side, moved: PackedMove) {
    let ((from, to), mark) = (places(moved), moved.mark());
    let opposite = index(25u8.wrapping_sub(to));
    against[25] = against[25].wrapping_sub(mark);
    against[opposite] = against[opposite].wrapping_add(mark);
    put(own, to, from);
}

#[inline(always)]
fn put(own: &mut Side, from: u8, to: u8) {
    own[index(from)] = own[index(from)].wrapping_sub(1);
    own[index(to)] = own[index(to)].wrapping_add(1);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::literal::tests::{numbers, position};
    use crate::board::{Plays, Variant, legal_plays, play_literally, test_support};

    fn packed(moves: &[Move]) -> PackedPlay {
        let mut play = PackedPlay::EMPTY;
        for &moved in moves {
            play.push(PackedMove::new(moved));
        }
        play
    }

    #[test]
    fn what_is_made_is_what_is_made_literally_with_its_marks() {
        let seed = 0x5eed_0f9a_c4ed;
        let mut next = numbers(seed);
        let mut plays = Plays::new();
        let (mut made, mut refused) = (0, 0);
        for number in 0..40_000 {
            let start = position(&mut next);
            let roll = Roll::new(next(6) as u8 + 1, next(6) as u8 + 1).expect("a roll");
            legal_plays(&start, Player::One, roll, &mut plays);
            let Some((_, play)) = plays.iter().nth(next(plays.len().max(1) as u64) as usize) else {
                continue;
            };
            // A legal play as the generator gives it, in every second one a place or a mark changed.
            let mut written = *play;
            if next(2) == 0 {
                let index = next(written.moves().len() as u64) as usize;
                let moved = &mut written.moves_mut()[index];
                let (from, to) = (next(25) as u8 + 1, next(26) as u8);
                *moved = match next(3) {
                    0 => Move {
                        hits: !moved.hits && moved.to != Place::OFF,
                        ..*moved
                    },
                    1 => Move {
                        from: Place::new(from).expect("a place"),
                        ..*moved
                    },
                    _ => Move {
                        to: Place::new(to).expect("a place"),
                        hits: false,
                        ..*moved
                    },
                };
            }
            let context = format!("seed {seed:#x}, position {number}, {roll}: {written}");
            let (mut literal, mut marked) = (start, start);
            let expected = play_literally(&mut literal, Player::One, roll, written.moves());
            let found = play_as_marked(&mut marked, Player::One, roll, packed(written.moves()));
            match (expected, found) {
                (Some(played), Some(is_over)) => {
                    made += 1;
                    assert_eq!(played.hits, played.marked, "{context}");
                    assert_eq!((marked, is_over), (literal, played.is_over), "{context}");
                }
                // Two moves to one point of which the second has the mark of the first.
                (Some(played), None) => {
                    let order = written
                        .moves()
                        .windows(2)
                        .any(|two| two[0].to == two[1].to && !two[0].hits && two[1].hits);
                    let twice = written.hits() > played.marked.count_ones() as usize;
                    assert!(played.hits != played.marked || order || twice, "{context}");
                    assert_eq!(marked, start, "{context}");
                }
                (None, Some(_)) => panic!("{context}"),
                (None, None) => {
                    refused += 1;
                    assert_eq!(marked, start, "{context}");
                }
            }
        }
        assert!(
            made > 10_000 && refused > 5_000,
            "{made} made, {refused} not"
        );
    }

    #[test]
    fn three_moves_with_two_dice_are_no_play_even_if_they_end_the_game() {
        let start = test_support::position(Variant::Backgammon, "1:3 | 6:2");
        let roll = Roll::new(2, 1).expect("a roll");
        let off = Move::from_numbers(1, 0, false).expect("places");
        let mut position = start;
        let made = play_as_marked(&mut position, Player::One, roll, packed(&[off; 3]));
        assert_eq!((made, position), (None, start));
        let double = Roll::new(1, 1).expect("a roll");
        let made = play_as_marked(&mut position, Player::One, double, packed(&[off; 3]));
        assert_eq!(made, Some(true));
    }

    #[test]
    fn a_play_is_unpacked_as_it_was_packed() {
        for from in 1..=25 {
            for to in 0..=25 {
                for hits in [false, true] {
                    let moved = Move::from_numbers(from, to, hits).expect("places");
                    assert_eq!(PackedMove::new(moved).moved(), moved);
                }
            }
        }
        let moves = [(13, 7, true), (8, 2, false), (6, 0, false)];
        let moves =
            moves.map(|(from, to, hits)| Move::from_numbers(from, to, hits).expect("places"));
        let play = packed(&moves);
        let (unpacked, count) = play.unpacked().expect("three moves");
        assert_eq!(&unpacked[..count], &moves);
        assert!(play.has_marks() && !packed(&moves[1..]).has_marks());
        assert_eq!(packed(&[moves[0]; 5]).unpacked(), None);
    }
}
