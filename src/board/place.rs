//! Where a checker can stand.

use std::fmt;

/// A place of a checker in the numbering of its own player: 1 to 24 are the points counted from the own
/// side, 25 is the bar and 0 is off the board.
///
/// One number rather than an enum of three: a play is judged by subtracting places, and that is done
/// millions of times a second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Place(u8);

impl Place {
    /// The bar, from which hit checkers must enter.
    pub const BAR: Place = Place(25);
    /// Borne off.
    pub const OFF: Place = Place(0);

    /// The place with this number; `None` above 25.
    #[inline]
    pub const fn new(number: u8) -> Option<Place> {
        if number <= 25 {
            Some(Place(number))
        } else {
            None
        }
    }

    /// The place with this number; the bar for those above, which who asks here does not have.
    #[inline(always)]
    pub(super) const fn at_most(number: u8) -> Place {
        if number <= 25 {
            Place(number)
        } else {
            Place::BAR
        }
    }

    /// 0 (off), 1 to 24, or 25 (bar).
    #[inline]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Whether this is one of the 24 points.
    pub const fn is_point(self) -> bool {
        self.0 >= 1 && self.0 <= 24
    }
}

/// What each place is called in a written play.
const NAMES: [&str; 26] = [
    "off", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16",
    "17", "18", "19", "20", "21", "22", "23", "24", "bar",
];

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAMES[usize::from(self.0)])
    }
}
