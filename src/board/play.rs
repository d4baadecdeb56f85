//! Moves of single checkers, plays made of them, and their notation.

use std::fmt;

use super::Place;

/// A checker moved from one place to another, in the own numbering. Written moves may span several dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Move {
    /// Where the checker stood.
    pub from: Place,
    /// Where it went.
    pub to: Place,
    /// Whether it hit there; in a written move, whether a hit mark stands there.
    pub hits: bool,
}

impl Move {
    /// A move from one place to another.
    pub const fn new(from: Place, to: Place, hits: bool) -> Move {
        Move { from, to, hits }
    }

    /// A move written with numbers, 25 for the bar and 0 for off; `None` for numbers that are no places.
    pub const fn from_numbers(from: u8, to: u8, hits: bool) -> Option<Move> {
        match (Place::new(from), Place::new(to)) {
            (Some(from), Some(to)) => Some(Move::new(from, to, hits)),
            _ => None,
        }
    }
}

/// What is done with one roll, move by move, up to eight of them and without a heap.
///
/// A legal play has at most four moves. Eight is what a transcript can hold, so that a play with too many
/// can be kept and reported.
#[derive(Debug, Clone, Copy, Default)]
pub struct Play {
    moves: [Move; 8],
    len: u8,
}

impl Play {
    /// The play without a move.
    pub const EMPTY: Play = Play {
        moves: [Move::new(Place::OFF, Place::OFF, false); 8],
        len: 0,
    };

    /// The moves in the order in which they were added.
    #[inline]
    pub fn moves(&self) -> &[Move] {
        &self.moves[..usize::from(self.len)]
    }

    /// The moves, to be changed in place.
    pub fn moves_mut(&mut self) -> &mut [Move] {
        &mut self.moves[..usize::from(self.len)]
    }

    /// Adds a move; false if eight are there already.
    #[inline]
    pub fn push(&mut self, moved: Move) -> bool {
        let Some(slot) = self.moves.get_mut(usize::from(self.len)) else {
            return false;
        };
        *slot = moved;
        self.len += 1;
        true
    }

    /// Puts moves after the first `made` ones, of which the caller knows that they are there.
    #[inline(always)]
    pub(super) fn go_on<const N: usize>(&mut self, made: usize, moves: [Move; N]) {
        for (index, moved) in moves.into_iter().enumerate() {
            self.moves[made + index] = moved;
        }
        self.len = (made + N) as u8;
    }

    /// The play with one move for each die, the rearmost first: `24/18 18/13`.
    pub fn steps(&self) -> Steps<'_> {
        Steps(self)
    }

    /// How many moves hit.
    pub fn hits(&self) -> usize {
        self.moves().iter().filter(|moved| moved.hits).count()
    }

    /// The moves in the order of notation: from the rearmost place on.
    pub fn sorted(&self) -> Play {
        let mut sorted = *self;
        sorted
            .moves_mut()
            .sort_by(|a, b| b.from.cmp(&a.from).then(b.to.cmp(&a.to)));
        sorted
    }
}

impl PartialEq for Play {
    /// The same moves in the same order.
    fn eq(&self, other: &Play) -> bool {
        self.moves() == other.moves()
    }
}

impl Eq for Play {}

impl FromIterator<Move> for Play {
    /// Panics if there are more than eight moves.
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> Play {
        let mut play = Play::EMPTY;
        for moved in moves {
            assert!(play.push(moved), "at most eight moves");
        }
        play
    }
}

/// One checker's way through a play: the places where it lands, joined where the landing does not matter.
#[derive(Clone, Copy)]
struct Way {
    /// Places with a hit mark or an end: `24/18*/13` has three.
    places: [(Place, bool); 9],
    len: usize,
}

impl Way {
    fn new(moved: Move) -> Way {
        let mut places = [(Place::OFF, false); 9];
        places[0] = (moved.from, false);
        places[1] = (moved.to, moved.hits);
        Way { places, len: 2 }
    }

    fn end(&self) -> (Place, bool) {
        self.places[self.len - 1]
    }

    /// Goes on to where `moved` leads; a landing without a hit is left out.
    fn extend(&mut self, moved: Move) {
        if self.end().1 {
            self.len += 1;
        }
        self.places[self.len - 1] = (moved.to, moved.hits);
    }

    fn places(&self) -> &[(Place, bool)] {
        &self.places[..self.len]
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (place, hits)) in self.places().iter().enumerate() {
            if index > 0 {
                f.write_str("/")?;
            }
            place.fmt(f)?;
            if *hits {
                f.write_str("*")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Play {
    /// The usual notation: `bar/20 13/8(2)`, `24/18*/13`; empty for a play without a move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut ways: Vec<Way> = Vec::with_capacity(4);
        for &moved in self.sorted().moves() {
            match ways
                .iter_mut()
                .find(|way| way.end().0 == moved.from && moved.from != Place::OFF)
            {
                Some(way) => way.extend(moved),
                None => ways.push(Way::new(moved)),
            }
        }
        ways.sort_by(|a, b| b.places().cmp(a.places()));
        let mut rest = &ways[..];
        while let Some(first) = rest.first() {
            // Of several checkers that land together only the first hits.
            let same = |way: &&Way| {
                way.places()
                    .iter()
                    .map(|p| p.0)
                    .eq(first.places().iter().map(|p| p.0))
                    && (way.len == 2 || way.places() == first.places())
            };
            let count = rest.iter().take_while(same).count();
            if rest.len() < ways.len() {
                f.write_str(" ")?;
            }
            first.fmt(f)?;
            if count > 1 {
                write!(f, "({count})")?;
            }
            rest = &rest[count..];
        }
        Ok(())
    }
}

/// The play written one move a die; see [`Play::steps`].
#[derive(Debug)]
pub struct Steps<'a>(&'a Play);

impl fmt::Display for Steps<'_> {
    /// `25/20 13/8`: numbers only, no hit marks.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, moved) in self.0.sorted().moves().iter().enumerate() {
            let space = if index > 0 { " " } else { "" };
            write!(f, "{space}{}/{}", moved.from.number(), moved.to.number())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(moves: &[(u8, u8, bool)]) -> Play {
        moves
            .iter()
            .map(|&(from, to, hits)| Move::from_numbers(from, to, hits).expect("places"))
            .collect()
    }

    #[test]
    fn a_checker_that_moves_on_is_written_once() {
        assert_eq!(
            play(&[(18, 13, false), (24, 18, false)]).to_string(),
            "24/13"
        );
    }

    #[test]
    fn a_hit_on_the_way_is_written() {
        assert_eq!(
            play(&[(24, 18, true), (18, 13, false)]).to_string(),
            "24/18*/13"
        );
    }

    #[test]
    fn equal_moves_are_counted_and_only_the_first_hits() {
        let four = play(&[
            (13, 7, true),
            (13, 7, false),
            (25, 19, false),
            (8, 2, false),
        ]);
        assert_eq!(four.to_string(), "bar/19 13/7*(2) 8/2");
        assert_eq!(four.steps().to_string(), "25/19 13/7 13/7 8/2");
    }

    #[test]
    fn off_is_not_a_place_to_go_on_from() {
        assert_eq!(
            play(&[(6, 0, false), (5, 0, false)]).to_string(),
            "6/off 5/off"
        );
    }

    #[test]
    fn each_move_with_a_mark_is_a_hit() {
        let two = play(&[(24, 18, true), (18, 13, false), (8, 2, true)]);
        assert_eq!(two.hits(), 2);
        assert_eq!(play(&[(24, 18, false)]).hits(), 0);
    }
}
