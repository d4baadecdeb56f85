//! What a session log says, as written: nothing in here is checked against the rules.

use crate::board::Win;
use crate::ruleset::RuleOptions;
use crate::source::{Span, Spanned};

/// Stated points below this are taken: more than any session comes to, and few enough to be added up.
pub(super) const MOST_POINTS: i64 = 10_000_000_000;

/// A name as written.
pub(super) type Name = Spanned<String>;

/// The log of a session.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Log {
    /// What a point is worth. `None`: the log does not say.
    pub(super) stake: Option<Stake>,
    /// What was agreed.
    pub(super) rules: RuleOptions,
    /// What happened, in the order of writing.
    pub(super) events: Vec<Spanned<Event>>,
}

/// Something that happened in a session.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Event {
    /// The seats are rolled for: the dice of each player, the first one first.
    Rolls(Vec<(Name, Vec<u8>)>),
    /// A game starts: box, captain, and the queue in its order.
    Seats(Vec<Name>),
    /// Equal opening dice have doubled the cube in the middle.
    AutomaticDouble {
        /// The value of the cube as stated.
        to: Option<u32>,
    },
    /// The cube is turned.
    Turn(Turn),
    /// A game is over.
    Result(Outcome),
    /// What each player wins or loses in the game, in points.
    Settlement(Vec<(Name, i64)>),
    /// What each player has won or lost in the session so far, in points.
    Total(Vec<(Name, i64)>),
    /// Somebody sits down.
    Join(Name),
    /// Somebody gets up.
    Leave(Name),
    /// The session is over.
    End,
    /// Something that cannot be read.
    Unreadable,
}

/// A turn of the cube with all that was said to it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Turn {
    /// A double, a beaver or a raccoon.
    pub(super) kind: TurnKind,
    /// Who turns the cube.
    pub(super) by: Name,
    /// The value of the cube as stated.
    pub(super) to: Option<u32>,
    /// Consent of the own side and answers of the other, in the order of writing.
    pub(super) answers: Vec<(Name, Answer)>,
}

/// The kinds of turns of the cube.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TurnKind {
    /// A double or redouble before rolling.
    Double,
    /// The side that was doubled redoubles at once and keeps the cube.
    Beaver,
    /// The doubler turns the cube once more after a beaver.
    Raccoon,
}

impl TurnKind {
    /// `double`, `beaver` or `raccoon`.
    pub(super) fn name(self) -> &'static str {
        match self {
            TurnKind::Double => "double",
            TurnKind::Beaver => "beaver",
            TurnKind::Raccoon => "raccoon",
        }
    }
}

/// What a player says to a turn of the cube.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// A member of the team wants the cube turned.
    Agrees,
    /// A member of the team does not.
    Refuses,
    /// The double is accepted.
    Takes,
    /// The double is refused, and the game is over for who says so.
    Passes,
    /// Something that cannot be read.
    Unreadable,
}

/// A side of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// Who plays alone.
    Box,
    /// All others.
    Team,
}

impl Side {
    /// `box` or `team`.
    pub fn name(self) -> &'static str {
        match self {
            Side::Box => "box",
            Side::Team => "team",
        }
    }
}

impl std::ops::Not for Side {
    type Output = Side;

    fn not(self) -> Side {
        match self {
            Side::Box => Side::Team,
            Side::Team => Side::Box,
        }
    }
}

/// The result of a game as stated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Outcome {
    /// Who has won.
    pub(super) winner: Side,
    /// The kind of win.
    pub(super) win: Option<Win>,
    /// The points of one member.
    pub(super) points: Option<u32>,
}

/// What a point is worth: an amount in decimals, exact, and what it is counted in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stake {
    /// The amount without its point: 250 of `2.50`.
    units: u32,
    /// How many digits stand behind the point.
    digits: u8,
    /// The currency, or whatever is played for; may be empty.
    pub unit: String,
    /// Where it is stated.
    pub span: Span,
}

impl Stake {
    /// A stake of an amount such as `5` or `0.50`: up to six digits before the point and three behind it.
    pub fn new(amount: &str, unit: &str, span: Span) -> Option<Stake> {
        let (whole, part) = amount.split_once('.').unwrap_or((amount, ""));
        let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
        if !(1..=6).contains(&whole.len()) || part.len() > 3 || amount.ends_with('.') {
            return None;
        }
        if !is_number(whole) || !is_number(part) {
            return None;
        }
        // Money has two digits behind the point or none.
        let part = if part.len() == 1 {
            format!("{part}0")
        } else {
            part.to_owned()
        };
        Some(Stake {
            units: format!("{whole}{part}").parse().ok()?,
            digits: part.len() as u8,
            unit: unit.trim().to_owned(),
            span,
        })
    }

    /// The amount for a point.
    pub fn amount(&self) -> f64 {
        self.value(1)
    }

    /// What so many points are worth, as the nearest number that a computer has.
    pub fn value(&self, points: i64) -> f64 {
        let units = i128::from(points) * i128::from(self.units);
        units as f64 / 10f64.powi(i32::from(self.digits))
    }

    /// What so many points are worth in words, exactly: `+2.50 EUR`.
    pub fn text(&self, points: i64) -> String {
        let units = i128::from(points) * i128::from(self.units);
        let sign = match units {
            0 => "",
            1.. => "+",
            _ => "-",
        };
        let base = 10u128.pow(u32::from(self.digits));
        let (whole, part) = (units.unsigned_abs() / base, units.unsigned_abs() % base);
        let mut text = format!("{sign}{whole}");
        if self.digits > 0 {
            text += &format!(".{part:0>width$}", width = usize::from(self.digits));
        }
        if !self.unit.is_empty() {
            text += &format!(" {}", self.unit);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_exact() {
        let stake = Stake::new("0.10", "EUR", Span::default()).expect("a stake");
        assert_eq!(stake.text(3), "+0.30 EUR");
        assert_eq!(stake.text(-21), "-2.10 EUR");
        assert_eq!(stake.text(0), "0.00 EUR");
        assert_eq!(stake.value(3), 0.3);
        let stake = Stake::new("2.5", "", Span::default()).expect("a stake");
        assert_eq!((stake.text(1).as_str(), stake.amount()), ("+2.50", 2.5));
        let stake = Stake::new("5", "", Span::default()).expect("a stake");
        assert_eq!(stake.text(-4), "-20");
    }

    #[test]
    fn what_is_no_amount_is_no_stake() {
        for amount in ["", ".5", "5.", "-1", "1e3", "1.2.3", "1234567", "0.0001"] {
            assert_eq!(Stake::new(amount, "", Span::default()), None, "{amount}");
        }
    }
}
