//! What a record means: every action replayed, every score computed beside the stated one.
//!
//! [`walk`] goes through a record once. It hands each action with the state before and after it, and each
//! [`Fault`], to a [`Visitor`], and returns what the games were worth. Facts come out while they are at hand,
//! so that nothing is replayed a second time and no list of steps is kept for a match without faults; words
//! are made of them by `rules`.
//!
//! After a fault the walk goes on as section 3 of the rules says: a play that stands is played, after an
//! impossible one the rest of the game is not judged, and one mistake gives one fault.

mod agreed;
mod clock;
mod fault;
mod game;
mod score;

use crate::board::{Cube, Player, Position, Roll, Variant};
use crate::record::{Entry, MadeGame, MatchRecord};
use crate::ruleset::RuleSet;

pub use agreed::rules_for;
pub use fault::{Fault, FaultKind, Habit, Impossible, PointsReason};
pub use game::trial::{Judge, Snapshot, Trials};
pub use score::{EndedBy, GameSummary, MatchSummary};

/// The state of a game between two actions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// The game that is played.
    pub variant: Variant,
    /// Where the checkers stand; without meaning while [`State::known`] is [`Known::Unknown`].
    pub position: Position,
    /// How far the position can be relied on.
    pub known: Known,
    /// The cube.
    pub cube: Cube,
    /// Whose turn it is. `None`: before the opening roll, or nobody can tell.
    pub turn: Option<Player>,
    /// The offer of the cube that waits for an answer.
    pub offer: Option<Offer>,
    /// How the game ended.
    pub ending: Option<Ending>,
}

/// How far a position can be relied on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Known {
    /// It follows from the record.
    Certain,
    /// A play is missing; the position is taken to be unchanged as long as that is possible.
    Assumed,
    /// Nobody can tell until the record states a position.
    Unknown,
}

/// A turn of the cube that waits for an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offer {
    /// Who turned the cube last.
    pub by: Player,
    /// Who doubled first in this exchange, and rolls when it is over.
    pub doubler: Player,
    /// Double, beaver, raccoon, and so on: 1, 2, 3.
    pub turns: u32,
    /// What the cube is worth if the offer is accepted.
    pub value: u32,
    /// What the game is worth if it is refused.
    pub before: u32,
}

/// The end of a game that the actions show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// A player has borne off the last checker.
    BearOff {
        /// Who won.
        winner: Player,
        /// The kind of win.
        win: crate::board::Win,
    },
    /// An offer of the cube was refused.
    Pass {
        /// Who won.
        winner: Player,
        /// The value of the cube before the offer.
        value: u32,
    },
    /// A resignation was accepted.
    Resignation {
        /// Who won.
        winner: Player,
        /// What was offered. `None`: not said.
        win: Option<crate::board::Win>,
    },
}

/// What became of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ruling {
    /// It is as the rules allow.
    Legal,
    /// It breaks a rule.
    Illegal,
    /// Nothing can be said about it.
    Unknown,
}

/// An action with the states around it.
#[derive(Debug)]
pub struct Step<'a> {
    /// The game in the match, from 0.
    pub game: usize,
    /// The action in the game, from 0.
    pub index: usize,
    /// The action as written.
    pub entry: &'a Entry,
    /// The state before it.
    pub before: &'a State,
    /// The state after it.
    pub after: &'a State,
    /// Whether it was legal.
    pub ruling: Ruling,
    /// The roll that was played.
    pub roll: Option<Roll>,
    /// Where a play hit that was made as it is literally written, one move a die, as bits by the player's points; nowhere
    /// if nothing could be played. `None`: it was read in some other way, or its end is stated.
    pub literal: Option<u32>,
}

/// Watches a walk.
pub trait Visitor {
    /// Whether [`Visitor::step`] does anything; states are copied for it only then.
    const WANTS_STEPS: bool = false;
    /// A game starts.
    fn game(&mut self, _game: usize, _start: &State) {}
    /// An action was replayed.
    fn step(&mut self, _step: &Step<'_>) {}
    /// Something is wrong, or worth knowing.
    fn fault(&mut self, fault: Fault<'_>);
    /// Whether to go on with the action: asked before the first one of each game, and of a long one now and then.
    fn goes_on(&mut self, _entry: &Entry) -> bool {
        true
    }
}

/// Replays a record under a set of rules. Never fails: what is wrong is told to the visitor.
pub fn walk(record: &MatchRecord, rules: &RuleSet, visitor: &mut impl Visitor) -> MatchSummary {
    score::walk_match(record, rules, visitor)
}

/// Replays a record whose plays were made when it was read. `None`: something is to be told, or the plays do not hold
/// under these rules; then the match must be read in full.
pub fn walk_made(record: &MatchRecord, made: &[MadeGame], rules: &RuleSet) -> Option<MatchSummary> {
    score::walk_made(record, made, rules)
}

/// What is left in the bank of the player who acted, by game and action, under the clock that was agreed.
/// `None`: there is no clock, or the match states no times.
pub fn banks(record: &MatchRecord, rules: &RuleSet) -> Option<Vec<Vec<Option<f64>>>> {
    let clock = rules.clock.value?;
    Some(clock::banks(record, &clock)?.after)
}

/// A walk collected: what writers need to know of a record.
#[derive(Debug)]
pub struct Replay {
    /// The games.
    pub games: Vec<GameReplay>,
    /// What the match comes to.
    pub summary: MatchSummary,
}

impl Replay {
    /// Whether two replays go through the same states, and their games come to the same. Who starts a game is told by who
    /// acts first.
    pub fn goes_the_same_way(&self, other: &Replay) -> bool {
        fn states(game: &GameReplay) -> impl Iterator<Item = (State, Option<Ruling>)> {
            let after = game.after.iter();
            let after = after.map(|outcome| (outcome.state, Some(outcome.ruling)));
            let start = State {
                turn: None,
                ..game.start
            };
            std::iter::once((start, None)).chain(after)
        }
        let comes_to = |game: &GameSummary| {
            let follows = (game.before, game.crawford);
            (follows, game.winner, game.win, game.ended_by, game.points)
        };
        let [summaries, others] = [self, other].map(|replay| replay.summary.games.iter());
        let mut games = self.games.iter().zip(&other.games);
        self.games.len() == other.games.len()
            && games.all(|(one, two)| states(one).eq(states(two)))
            && summaries.map(comes_to).eq(others.map(comes_to))
    }
}

/// A game of a [`Replay`].
#[derive(Debug)]
pub struct GameReplay {
    /// The state before the first action.
    pub start: State,
    /// What came of each action; the state before it is that after the one before.
    after: Vec<Outcome>,
}

/// What came of an action.
#[derive(Debug)]
struct Outcome {
    state: State,
    ruling: Ruling,
    literal: Option<u32>,
}

impl GameReplay {
    /// The states around an action. `None`: the game was over before it.
    #[inline]
    pub fn step(&self, index: usize) -> Option<ReplayStep<'_>> {
        let outcome = self.after.get(index)?;
        let before = match index.checked_sub(1) {
            Some(before) => &self.after[before].state,
            None => &self.start,
        };
        Some(ReplayStep {
            before,
            after: &outcome.state,
            ruling: outcome.ruling,
            literal: outcome.literal,
        })
    }

    /// The states around each action, one for each entry; entries after the end of the game have none.
    pub fn steps(&self) -> impl Iterator<Item = ReplayStep<'_>> {
        (0..self.after.len()).filter_map(|index| self.step(index))
    }

    /// The states around the last action that has any.
    pub fn last_step(&self) -> Option<ReplayStep<'_>> {
        self.step(self.after.len().checked_sub(1)?)
    }
}

/// The states around an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplayStep<'a> {
    /// The state before it.
    pub before: &'a State,
    /// The state after it.
    pub after: &'a State,
    /// Whether it was legal.
    pub ruling: Ruling,
    /// See [`Step::literal`].
    pub literal: Option<u32>,
}

/// Replays a record and keeps every state; see [`walk`].
pub fn replay(record: &MatchRecord, rules: &RuleSet) -> Replay {
    let start = State {
        variant: rules.variant.value,
        position: Position::start(rules.variant.value),
        known: Known::Certain,
        cube: Cube::START,
        turn: None,
        offer: None,
        ending: None,
    };
    let games = record
        .games
        .iter()
        .map(|game| GameReplay {
            start,
            after: Vec::with_capacity(game.entries.len()),
        })
        .collect();
    let mut collector = Collector { games };
    let summary = walk(record, rules, &mut collector);
    Replay {
        games: collector.games,
        summary,
    }
}

struct Collector {
    games: Vec<GameReplay>,
}

impl Visitor for Collector {
    const WANTS_STEPS: bool = true;

    fn game(&mut self, game: usize, start: &State) {
        self.games[game].start = *start;
    }

    fn step(&mut self, step: &Step<'_>) {
        let game = &mut self.games[step.game];
        debug_assert_eq!(
            step.before,
            game.last_step().map_or(&game.start, |last| last.after),
            "nothing happens between two actions"
        );
        game.after.push(Outcome {
            state: *step.after,
            ruling: step.ruling,
            literal: step.literal,
        });
    }

    fn fault(&mut self, _: Fault<'_>) {}
}

#[cfg(test)]
mod tests;
