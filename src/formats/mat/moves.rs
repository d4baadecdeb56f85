//! The moves that rows are full of, by the bytes that they are written with: `13/7`, `8/4*`, `6/off`.
//!
//! There are few hundred of them, so they are not parsed but looked up: one multiplication gives the place in a
//! table, and each place holds one move at most. What is not there (a move upwards, a count, `bar`) is read by the
//! grammar, and so would these be.

use crate::board::{Move, PackedMove};

/// The table has two to this power places.
const BITS: u32 = 12;
/// Found by trying at random: with it no two moves share a place. The table is not built if they do.
const MIXER: u64 = 0x8d82_4d40_3a9f_61af;
/// In a place without a move; no text is written so.
const NONE: u64 = u64::MAX;
/// Where the text stands.
const TEXT: u64 = (1 << 48) - 1;

/// In the lower 48 bits of each place the text of the move, in the upper 16 the move.
static MOVES: [u64; 1 << BITS] = table();

/// The move that these bytes are, the first one lowest and zeros behind the last one; it has six at most.
#[inline(always)]
pub(super) fn look_up(text: u64) -> Option<PackedMove> {
    let found = MOVES[place(text)];
    (found & TEXT == text).then(|| PackedMove::from_bits((found >> 48) as u16))
}

#[inline(always)]
const fn place(text: u64) -> usize {
    (text.wrapping_mul(MIXER) >> (64 - BITS)) as usize
}

const fn table() -> [u64; 1 << BITS] {
    let mut table = [NONE; 1 << BITS];
    let mut from = 1;
    while from <= 25 {
        let mut to = 0;
        while to < from {
            let text = number(number(0, from) << 8 | b'/' as u64, to);
            put(&mut table, text, from, to, false);
            if to > 0 {
                put(&mut table, text << 8 | b'*' as u64, from, to, true);
            }
            to += 1;
        }
        if from <= 6 {
            let mut text = number(0, from);
            let mut index = 0;
            while index < 4 {
                text = text << 8 | b"/off"[index] as u64;
                index += 1;
            }
            put(&mut table, text, from, 0, false);
        }
        from += 1;
    }
    table
}

/// The text with a number behind it, the first byte highest.
const fn number(text: u64, number: u64) -> u64 {
    let text = match number / 10 {
        0 => text,
        tens => text << 8 | (b'0' as u64 + tens),
    };
    text << 8 | (b'0' as u64 + number % 10)
}

const fn put(table: &mut [u64; 1 << BITS], text: u64, from: u64, to: u64, hits: bool) {
    let text = text.swap_bytes() >> (text.leading_zeros() / 8 * 8);
    let slot = &mut table[place(text)];
    assert!(*slot == NONE, "two moves share a place");
    let Some(moved) = Move::from_numbers(from as u8, to as u8, hits) else {
        panic!("no place has this number");
    };
    *slot = text | (PackedMove::new(moved).bits() as u64) << 48;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: u64) -> Option<Move> {
        look_up(text).map(PackedMove::moved)
    }

    fn bytes(text: &str) -> u64 {
        text.bytes()
            .rev()
            .fold(0, |bytes, byte| bytes << 8 | u64::from(byte))
    }

    #[test]
    fn every_move_down_the_board_is_found() {
        for from in 1..=25 {
            for to in 0..from {
                let moved = |hits| Move::from_numbers(from, to, hits);
                assert_eq!(found(bytes(&format!("{from}/{to}"))), moved(false));
                let hit = found(bytes(&format!("{from}/{to}*")));
                assert_eq!(hit, moved(true).filter(|_| to > 0));
            }
        }
        assert_eq!(found(bytes("6/off")), Move::from_numbers(6, 0, false));
    }

    #[test]
    fn nothing_else_is_found() {
        for text in [
            "", "6", "6/", "/5", "5/6", "06/5", "26/1", "6/5**", "7/off", "off/6", "*", "31:",
        ] {
            assert_eq!(found(bytes(text)), None, "{text:?}");
        }
        assert_eq!(found(NONE), None);
    }
}
