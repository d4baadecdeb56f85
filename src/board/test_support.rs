//! Positions for tests, written in a line.

use super::{ByPlayer, Position, Setup, Variant};

/// `24:14 18:1 | 24:15`: the first player's checkers, then the second player's, each in the own numbering.
pub(crate) fn setup(variant: Variant, text: &str) -> Setup {
    let side = |text: &str| {
        let mut side = [0; 26];
        for word in text.split_whitespace() {
            let (place, count) = word.split_once(':').expect("place:count");
            side[place.parse::<usize>().expect("a place")] = count.parse().expect("a count");
        }
        side
    };
    let (one, two) = text.split_once('|').expect("two sides");
    Setup {
        checkers: ByPlayer::new(side(one), side(two)),
        variant,
        turn: None,
        roll: None,
        cube: None,
    }
}

/// The position of a setup.
pub(crate) fn position(variant: Variant, text: &str) -> Position {
    Position::new(&setup(variant, text)).expect("a position")
}
