//! The clock that was agreed: how long a player may think.
//!
//! ```text
//! clock = seconds [ "+" ] "/" seconds [ "/" seconds ]      12/120/60: free, bank, most
//!       | ("Fischer" | "Bronstein") start "+" each         as headers of matches write it
//! ```
//!
//! Two kinds are in use. With a *delay* (Bronstein, and the server's rule of twelve free seconds) the first
//! seconds of each move are free and the rest comes out of a bank. With an *increment* (Fischer, `12+/120`)
//! every move adds its seconds to the bank, used or not. Customs differ: tournaments play 2 minutes a point
//! with 12 seconds of delay, the named set `nardeon` has 12 seconds free, a bank of 120 for the match and at
//! most 60 for one move.

use std::fmt;

/// A clock; all times in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clock {
    /// The time of each move: free, or added to the bank.
    pub each: f64,
    /// Whether the time of a move is added to the bank whatever was used of it.
    pub adds: bool,
    /// What the bank holds at the start of the match.
    pub bank: f64,
    /// The most for one move. `None`: no such limit.
    pub most: Option<f64>,
}

impl Clock {
    /// The clock of the named set `nardeon`.
    pub const NARDEON: Clock = Clock {
        each: 12.0,
        adds: false,
        bank: 120.0,
        most: Some(60.0),
    };

    /// What is left of a bank after a move that took so long.
    pub fn after(&self, bank: f64, used: f64) -> f64 {
        match self.adds {
            true => bank + self.each - used,
            false => bank - (used - self.each).max(0.0),
        }
    }

    /// The clock that a text means: `12/120/60`, `12+/120`, `Fischer 420+12`, `Bronstein 420+12`.
    pub fn parse(text: &str) -> Option<Clock> {
        let text = text.trim();
        let words = |word: &str| {
            let start = text.get(..word.len())?;
            start
                .eq_ignore_ascii_case(word)
                .then(|| text[word.len()..].trim())
        };
        for (word, adds) in [("fischer", true), ("bronstein", false)] {
            if let Some(rest) = words(word) {
                let (start, each) = rest.split_once('+')?;
                return Some(Clock {
                    each: seconds(each.trim_end_matches(" a game"))?,
                    adds,
                    bank: seconds(start)?,
                    most: None,
                });
            }
        }
        if let Some(clock) = parse_settings(text) {
            return Some(clock);
        }
        let mut parts = text.split('/');
        let (each, bank) = (parts.next()?, parts.next()?);
        let most = parts.next();
        if parts.next().is_some() {
            return None;
        }
        Some(Clock {
            each: seconds(each.trim_end_matches('+'))?,
            adds: each.ends_with('+'),
            bank: seconds(bank)?,
            most: match most {
                Some(most) => Some(seconds(most)?),
                None => None,
            },
        })
    }
}

/// The clock of settings in milliseconds, as the tag has them that is made of an OGXM file:
/// `reserve 120000 ms, delay 12000 ms, increment 0 ms`, and more.
fn parse_settings(text: &str) -> Option<Clock> {
    let number = |word: &str| -> Option<f64> {
        let rest = text.split(", ").find_map(|part| part.strip_prefix(word))?;
        let milliseconds: u32 = rest.trim().strip_suffix(" ms")?.parse().ok()?;
        Some(f64::from(milliseconds) / 1000.0)
    };
    let (bank, delay) = (number("reserve ")?, number("delay ")?);
    let increment = number("increment ")?;
    let adds = increment > 0.0;
    (bank > 0.0).then_some(Clock {
        each: if adds { increment } else { delay },
        adds,
        bank,
        most: None,
    })
}

/// A number of seconds, 0 or more and at most a day.
fn seconds(text: &str) -> Option<f64> {
    let value: f64 = text.trim().parse().ok()?;
    (0.0..=86_400.0).contains(&value).then_some(value)
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.adds { "+" } else { "" };
        write!(f, "{}{sign}/{}", self.each, self.bank)?;
        match self.most {
            Some(most) => write!(f, "/{most}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_written_as_it_is_read() {
        for text in ["12/120/60", "12/120", "8+/420", "0/600", "2.5/90/30"] {
            let clock = Clock::parse(text).expect(text);
            assert_eq!(clock.to_string(), text);
        }
        assert_eq!(Clock::parse("12/120/60"), Some(Clock::NARDEON));
        let fischer = Clock::parse("Fischer 420+12").expect("a clock");
        assert_eq!(
            (fischer.bank, fischer.each, fischer.adds),
            (420.0, 12.0, true)
        );
        for text in [
            "",
            "12",
            "12/",
            "-1/20",
            "12/120/60/1",
            "a/b",
            "1e9/1",
            "nan/1",
        ] {
            assert_eq!(Clock::parse(text), None, "{text}");
        }
    }

    #[test]
    fn free_seconds_do_not_touch_the_bank_and_increments_do() {
        let delay = Clock::NARDEON;
        assert_eq!(delay.after(120.0, 10.0), 120.0);
        assert_eq!(delay.after(120.0, 15.0), 117.0);
        let fischer = Clock::parse("12+/120").expect("a clock");
        assert_eq!(fischer.after(120.0, 10.0), 122.0);
        assert_eq!(fischer.after(120.0, 15.0), 117.0);
    }
}
