//! Boards as fourteen characters: the position ID of GNU Backgammon, without asking whether it makes sense.
//!
//! Eighty bits: for the opponent and then for the player on roll, for the points 1 to 24 and the bar of each,
//! as many ones as checkers and a zero. Six bits a character, the bits of a byte from the lowest on.

use std::array;

use super::slow::Board;

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The ID of a board whose owner is on roll.
pub(crate) fn encode(board: &Board) -> String {
    let mut bits = Vec::new();
    for side in [counts(&board.turned()), counts(board)] {
        for checkers in side {
            bits.extend(vec![1; checkers]);
            bits.push(0);
        }
    }
    bits.resize(84, 0);
    let byte = |index: usize| {
        (0..8).fold(0u32, |byte, bit| {
            byte | bits.get(8 * index + bit).unwrap_or(&0) << bit
        })
    };
    let letter = |index: usize| {
        let (start, offset) = (6 * index / 8, 6 * index % 8);
        let sixteen = byte(start) << 8 | byte(start + 1);
        char::from(LETTERS[(sixteen >> (10 - offset) & 63) as usize])
    };
    (0..14).map(letter).collect()
}

/// The board of an ID, for a game with so many checkers a side.
pub(crate) fn decode(id: &str, checkers: i8) -> Board {
    let values = id.bytes().map(|byte| {
        LETTERS
            .iter()
            .position(|&letter| letter == byte)
            .expect("base 64")
    });
    let high_first: Vec<usize> = values
        .flat_map(|value| (0..6).rev().map(move |bit| value >> bit & 1))
        .collect();
    let bits = high_first.chunks(8).flat_map(|byte| byte.iter().rev());
    let ones: Vec<usize> = bits.fold(vec![0], |mut ones, &bit| {
        match bit {
            1 => *ones.last_mut().expect("a count") += 1,
            _ => ones.push(0),
        }
        ones
    });
    let count = |place: usize| i8::try_from(ones[place]).expect("few checkers");
    let points = array::from_fn(|point| {
        if point == 0 {
            0
        } else {
            count(24 + point) - count(24 - point)
        }
    });
    let off = |places: &[usize]| checkers - places.iter().sum::<usize>() as i8;
    Board {
        points,
        bar: count(49),
        off: off(&ones[25..50]),
        their_bar: count(24),
        their_off: off(&ones[..25]),
    }
}

/// The own checkers on 1 to 24 and the bar.
fn counts(board: &Board) -> Vec<usize> {
    let points = board.points[1..].iter().chain([&board.bar]);
    points
        .map(|&checkers| usize::try_from(checkers).unwrap_or(0))
        .collect()
}

#[test]
fn the_start_has_its_known_id() {
    let start = decode("4HPwATDgc/ABMA", 15);
    assert_eq!(start, start.turned());
    assert_eq!(
        (
            start.points[24],
            start.points[13],
            start.points[8],
            start.points[6]
        ),
        (2, 5, 3, 5)
    );
    assert_eq!(encode(&start), "4HPwATDgc/ABMA");
}
