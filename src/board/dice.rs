//! Dice and rolls.

use std::fmt;

/// What one die shows: 1 to 6.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Die(u8);

impl Die {
    /// A die that shows `pips`; `None` outside 1 to 6.
    #[inline]
    pub const fn new(pips: u8) -> Option<Die> {
        if pips >= 1 && pips <= 6 {
            Some(Die(pips))
        } else {
            None
        }
    }

    /// 1 to 6.
    #[inline]
    pub const fn pips(self) -> u8 {
        self.0
    }
}

/// Both dice in the order in which they were written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Roll(pub Die, pub Die);

impl Roll {
    /// The roll of two numbers; `None` if one of them is outside 1 to 6.
    #[inline]
    pub const fn new(first: u8, second: u8) -> Option<Roll> {
        match (Die::new(first), Die::new(second)) {
            (Some(first), Some(second)) => Some(Roll(first, second)),
            _ => None,
        }
    }

    /// Whether both dice show the same number, which is then played four times.
    #[inline]
    pub const fn is_double(self) -> bool {
        self.0.0 == self.1.0
    }

    /// The larger number.
    pub fn high(self) -> u8 {
        self.0.0.max(self.1.0)
    }

    /// The smaller number.
    pub fn low(self) -> u8 {
        self.0.0.min(self.1.0)
    }

    /// Adds the two numbers to a text, which is what [`Display`](fmt::Display) gives, at less cost.
    pub fn write_to(self, text: &mut String) {
        text.extend([self.0, self.1].map(|die| char::from(b'0' + die.pips())));
    }

    /// The numbers to play and how many there are: two, or four after a double.
    #[inline]
    pub fn numbers(self) -> ([u8; 4], usize) {
        let (a, b) = (self.0.0, self.1.0);
        ([a, b, a, b], if a == b { 4 } else { 2 })
    }
}

impl fmt::Display for Roll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.0.0, self.1.0)
    }
}
