//! The clock: what was left in each bank after every action, and what breaks the rule.
//!
//! A pass of its own, for matches that state times under rules that have a clock; all others cost nothing here.
//!
//! Where the time of an action is stated, the bank is computed from it by the clock that was agreed; where only
//! the bank is stated, as it was when the player's turn began, that is taken. What is stated once the bank was
//! empty is not judged any more: one finding a player.

use super::FaultKind;
use crate::board::{ByPlayer, Player};
use crate::record::{MatchRecord, Seconds};
use crate::ruleset::Clock;

/// A stated time may be rounded to the next second.
const ROUNDING: f64 = 1.0;

/// The banks of a match under a clock.
#[derive(Debug, Default)]
pub(super) struct Banks {
    /// By game and action: what is left to the player who acted. `None`: no time is stated there.
    pub(super) after: Vec<Vec<Option<f64>>>,
    /// Who lost on time first: the bank was empty.
    pub(super) lost: Option<Player>,
    /// What breaks the rule: game, action and what it is.
    pub(super) faults: Vec<(usize, usize, FaultKind)>,
}

/// Whether a match states any times.
fn has_times(record: &MatchRecord) -> bool {
    let entries = record.games.iter().flat_map(|game| &game.entries);
    entries
        .filter_map(|entry| entry.extra.as_deref())
        .any(|extra| extra.seconds.is_some())
}

/// Goes through the times of a match. `None`: it has none.
pub(super) fn banks(record: &MatchRecord, clock: &Clock) -> Option<Banks> {
    if !has_times(record) {
        return None;
    }
    let mut banks = Banks::default();
    let mut left = ByPlayer::new(clock.bank, clock.bank);
    let mut is_empty = ByPlayer::new(false, false);
    for (number, game) in record.games.iter().enumerate() {
        let mut after = Vec::with_capacity(game.entries.len());
        for (index, entry) in game.entries.iter().enumerate() {
            let seconds = entry.extra.as_deref().and_then(|extra| extra.seconds);
            let Some(seconds) = seconds else {
                after.push(None);
                continue;
            };
            let player = entry.player;
            let faults = step(clock, &mut left[player], seconds);
            for fault in faults {
                if is_empty[player] && !matches!(fault, FaultKind::MoveTooLong { .. }) {
                    continue;
                }
                if matches!(fault, FaultKind::BankEmpty { .. }) {
                    is_empty[player] = true;
                    banks.lost = banks.lost.or(Some(player));
                }
                banks.faults.push((number, index, fault));
            }
            after.push(Some(left[player]));
        }
        banks.after.push(after);
    }
    Some(banks)
}

/// The bank after an action, and what is wrong with it.
fn step(clock: &Clock, left: &mut f64, seconds: Seconds) -> Vec<FaultKind> {
    let mut faults = Vec::new();
    let before = *left;
    if let Some(used) = seconds.used {
        if used < 0.0 {
            faults.push(FaultKind::ClockRanBackwards {
                before: 0.0,
                here: used,
            });
            return faults;
        }
        if let Some(most) = clock.most.filter(|most| used > *most) {
            faults.push(FaultKind::MoveTooLong { used, most });
        }
        *left = clock.after(before, used);
    }
    if let Some(stated) = seconds.left {
        let may_be = match seconds.used {
            Some(_) => *left,
            // The move before has added its seconds since.
            None if clock.adds => before + clock.each,
            None => before,
        };
        if stated > may_be + ROUNDING {
            faults.push(FaultKind::ClockRanBackwards {
                before: may_be,
                here: stated,
            });
        }
        *left = stated;
    }
    if *left < 0.0 {
        faults.push(FaultKind::BankEmpty { over: -*left });
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Action, Entry, GameRecord};
    use crate::source::Span;

    fn record(times: &[(Player, Option<f64>, Option<f64>)]) -> MatchRecord {
        let entry = |&(player, used, left): &(Player, Option<f64>, Option<f64>)| {
            let mut entry = Entry::new(player, Action::Take, 0, Span::default());
            entry.extra_mut().seconds = Some(Seconds { used, left });
            entry
        };
        let game = GameRecord {
            entries: times.iter().map(entry).collect(),
            ..GameRecord::default()
        };
        MatchRecord {
            games: vec![game],
            ..MatchRecord::default()
        }
    }

    #[test]
    fn free_seconds_come_first_and_the_bank_pays_the_rest() {
        use Player::{One, Two};
        let record = record(&[
            (One, Some(10.0), None),
            (Two, Some(30.0), None),
            (One, Some(61.0), None),
            (One, Some(60.0), None),
            (One, Some(60.0), None),
            (One, Some(50.0), None),
        ]);
        let banks = banks(&record, &Clock::NARDEON).expect("times");
        let left: Vec<f64> = banks.after[0].iter().flatten().copied().collect();
        assert_eq!(left, [120.0, 102.0, 71.0, 23.0, -25.0, -63.0]);
        let too_long = FaultKind::MoveTooLong {
            used: 61.0,
            most: 60.0,
        };
        let empty = FaultKind::BankEmpty { over: 25.0 };
        assert_eq!(banks.faults, [(0, 2, too_long), (0, 4, empty)]);
        assert_eq!(banks.lost, Some(One));
    }

    #[test]
    fn a_bank_never_grows_but_by_its_increment() {
        use Player::One;
        let stated = [(One, None, Some(100.0)), (One, None, Some(108.0))];
        let delay = Clock::parse("12/120").expect("a clock");
        let faults = banks(&record(&stated), &delay).expect("times").faults;
        let backwards = FaultKind::ClockRanBackwards {
            before: 100.0,
            here: 108.0,
        };
        assert_eq!(faults, [(0, 1, backwards)]);
        let fischer = Clock::parse("12+/120").expect("a clock");
        assert_eq!(banks(&record(&stated), &fischer).expect("times").faults, []);
        let negative = record(&[(One, Some(-1.0), None)]);
        assert_eq!(banks(&negative, &fischer).expect("times").faults.len(), 1);
    }

    #[test]
    fn a_match_without_times_has_no_banks() {
        assert!(banks(&MatchRecord::default(), &Clock::NARDEON).is_none());
    }

    #[test]
    fn a_bank_shows_no_more_than_it_had_but_for_a_rounded_second() {
        use Player::One;
        let delay = Clock::parse("12/120").expect("a clock");
        let fischer = Clock::parse("12+/120").expect("a clock");
        for (clock, stated, most) in [
            (delay, 100.0, None),
            (delay, 100.5, None),
            (delay, 101.0, None),
            (delay, 101.5, Some(100.0)),
            (fischer, 113.0, None),
            (fischer, 113.5, Some(112.0)),
        ] {
            let record = record(&[(One, None, Some(100.0)), (One, None, Some(stated))]);
            let faults = banks(&record, &clock).expect("times").faults;
            let backwards = most.map(|before| {
                let here = stated;
                (0, 1, FaultKind::ClockRanBackwards { before, here })
            });
            assert_eq!(faults, Vec::from_iter(backwards), "{stated}");
        }
    }

    #[test]
    fn a_bank_is_empty_below_zero() {
        use Player::One;
        let clock = Clock::parse("12/120").expect("a clock");
        let last = record(&[(One, Some(132.0), None)]);
        let last = banks(&last, &clock).expect("times");
        assert_eq!(
            (last.after, last.faults, last.lost),
            (vec![vec![Some(0.0)]], vec![], None)
        );
        let over = record(&[(One, Some(132.5), None)]);
        let over = banks(&over, &clock).expect("times");
        assert_eq!(over.faults, [(0, 0, FaultKind::BankEmpty { over: 0.5 })]);
    }
}
