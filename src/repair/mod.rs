//! What was meant: the smallest change of a record that makes the rest of a game legal.
//!
//! Most wrong plays of a transcript are slips of whoever wrote it down, and the place where a record becomes
//! impossible is often far behind the slip. [`search`] takes a game whose record does not hold and tries one
//! change after the other: another play for the same roll, other dice, a turn left out or written twice, the
//! players exchanged, an answer to a double that is not written; at the place of the fault and at every action
//! before it. Each change is judged by the replay. The table [`SLIPS`] says which changes there are and what
//! each costs.
//!
//! What explains a record best is what leaves least wrong with it, the stated result and the next score
//! included. Several changes that explain it equally well are all given, the cheapest first; only a sole one is
//! [`Explanation::is_sole`]. An illegal play from which the rest of the game goes on is no slip that anybody could
//! tell from what happened, and has no repair.
//!
//! The search follows the few best changes further if one is not enough: a beam over positions. It ends at
//! [`Limits`], and says so.

mod edit;
mod search;
mod slips;
mod weigh;

use std::time::Duration;

use crate::board::Player;
use crate::record::MatchRecord;
use crate::replay::{Fault, GameSummary};
use crate::ruleset::RuleSet;
use crate::source::Span;

pub use edit::{Edit, apply};
pub use slips::{LEGAL_AS_WRITTEN, MARK, SHIFTED, SLIPS, Slip};
use weigh::{is_standing, is_suspect};

/// How far a search goes for one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most changes that are tried.
    pub changes: u64,
    /// The longest time.
    pub time: Duration,
    /// The most changes of one game that are put together.
    pub depth: u32,
    /// How many changes are followed further if none is enough: so many of the best and of the cheapest, and half as
    /// many one change later.
    pub beam: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            changes: 400_000,
            time: Duration::from_millis(1500),
            depth: 2,
            beam: 12,
        }
    }
}

/// A change of a record.
#[derive(Debug, Clone, PartialEq)]
pub struct Repair {
    /// What would have happened.
    pub slip: &'static Slip,
    /// The game in the match, from 0.
    pub game: usize,
    /// The action that is changed, or before which something is missing, from 0: in the record after the sole
    /// changes of the explanations before.
    pub index: usize,
    /// What is changed, in the same numbers.
    pub edit: Edit,
    /// Where that is written, or what stands behind a missing action; the last action, if nothing does.
    pub span: Span,
    /// Whose action it is.
    pub player: Player,
    /// What to write instead, in our notation; empty if something is to be left out.
    pub suggested: String,
    /// In how many ways the missing turn could have been played; 1 for everything that is not a turn.
    pub ways: u32,
    /// How many later actions are legal with it.
    pub explains: u32,
    /// How many later actions there are.
    pub later: u32,
    /// Whether the stated result and the next score follow. `None`: nothing is stated.
    pub fits_result: Option<bool>,
    /// What it costs.
    pub cost: u32,
}

/// What explains a fault: one change, or several that do so equally well.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// Where the action of the first fault is written that is explained. `None`: the fault is the result.
    pub fault: Option<Span>,
    /// The changes, the cheapest first.
    pub repairs: Vec<Repair>,
    /// Whether more than one illegal action stays behind when all explanations of the game are acted upon: then
    /// something else may have happened.
    pub leaves_much: bool,
}

impl Explanation {
    /// The cheapest change, if no other one costs as little.
    pub fn likeliest(&self) -> Option<&Repair> {
        match &self.repairs[..] {
            [first, second, ..] if first.cost == second.cost => None,
            repairs => repairs.first(),
        }
    }

    /// The only change there is, if it is known to the letter: no other one, however unlikely, explains as much, and
    /// what it leaves is no more than one illegal play.
    pub fn is_sole(&self) -> Option<&Repair> {
        match &self.repairs[..] {
            [repair] if repair.ways == 1 && !self.leaves_much => Some(repair),
            _ => None,
        }
    }
}

/// What a search has found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// What explains the faults, one after the other: each holds with the sole changes before it made.
    pub explanations: Vec<Explanation>,
    /// The limit that ended the search before its time: `changes` or `time`, or `length` if the game is too long to be
    /// searched.
    pub limit: Option<&'static str>,
    /// How many changes were tried; those of long games count more.
    pub changes: u64,
}

/// Looks for what explains the faults of a game.
///
/// `summary` is what the walk through the record came to for this game.
pub fn search(
    record: &MatchRecord,
    rules: &RuleSet,
    game: usize,
    summary: &GameSummary,
    limits: Limits,
) -> Found {
    search::Search::new(record, rules, game, summary, limits).run()
}

/// The games of a match whose record does not hold, told by the faults of a walk.
#[derive(Debug, Clone, Default)]
pub struct Suspects {
    /// The games with a fault, and whether they are worth a search.
    games: Vec<(usize, bool)>,
}

impl Suspects {
    /// Takes notice of a fault.
    pub fn see(&mut self, fault: &Fault<'_>) {
        let Some(game) = fault.game else {
            return;
        };
        let is_suspect = is_suspect(&fault.kind);
        if !is_suspect && !is_standing(&fault.kind) {
            return;
        }
        match self.games.last_mut() {
            // Two actions that stand may come of one slip.
            Some((last, suspect)) if *last == game => *suspect = true,
            _ => self.games.push((game, is_suspect)),
        }
    }

    /// The games that are worth a search, in order.
    pub fn games(&self) -> impl Iterator<Item = usize> {
        let suspects = self.games.iter().filter(|(_, suspect)| *suspect);
        suspects.map(|(game, _)| *game)
    }
}
