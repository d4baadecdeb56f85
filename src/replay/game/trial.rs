//! A game tried out with changes: a walk that starts behind any action and stops as soon as it has seen enough.

use std::cell::Cell;
use std::ops::Range;

use super::{Terms, Walk, goes_on};
use crate::board::{Player, Plays, Win};
use crate::record::{GameRecord, MatchRecord};
use crate::replay::{FaultKind, GameSummary, State, Visitor};
use crate::ruleset::RuleSet;

/// What a walk knows between two actions, so that another one can go on from there.
#[derive(Debug, Clone, Copy)]
pub struct Snapshot {
    /// The state of the game.
    pub state: State,
    cube_turned: bool,
    disallowed: u32,
    disallowed_pass: bool,
    cube_value: Option<(usize, u32, u32)>,
    unanswered: Option<usize>,
    timed_out: bool,
    went_on: bool,
    resigned: Option<(Player, Option<Win>)>,
    rolled: bool,
    standard_start: bool,
    turns: [u32; 2],
    offer_disallowed: bool,
    unknown_since: Option<usize>,
    told_not_judged: bool,
    over: bool,
}

/// The terms of one game of a match, to try changes of its record under them.
#[derive(Debug, Clone)]
pub struct Trials<'a> {
    terms: Terms<'a>,
    /// How many actions were walked through for plays with several readings: there is a limit for all trials together.
    tried: Cell<usize>,
}

/// Watches a trial and says when it has seen enough.
pub trait Judge: Visitor {
    /// Whether the trial may stop.
    fn has_enough(&self) -> bool;
}

impl<'a> Trials<'a> {
    /// For the game that a walk through the record has summed up.
    pub fn new(record: &MatchRecord, rules: &'a RuleSet, game: &GameSummary) -> Trials<'a> {
        let terms = Terms {
            rules,
            length: record.length.map(|length| length.value),
            before: game.before,
            crawford: game.crawford,
            post_crawford: game.post_crawford,
            has_hit_marks: record.has_hit_marks.is_some(),
        };
        let tried = Cell::new(0);
        Trials { terms, tried }
    }

    /// The rules of the game.
    pub fn rules(&self) -> &'a RuleSet {
        self.terms.rules
    }

    /// What is known before the first action.
    pub fn start(&self, game: &GameRecord, judge: &mut impl Judge) -> Snapshot {
        Walk::new(self.terms, 0, game, judge, Plays::new()).snapshot()
    }

    /// Goes through some actions of a game; what is known behind the last one that was looked at.
    pub fn go_on(
        &self,
        game: &GameRecord,
        from: &Snapshot,
        actions: Range<usize>,
        judge: &mut impl Judge,
    ) -> Snapshot {
        let mut walk = Walk::new(self.terms, 0, game, judge, Plays::new());
        walk.resume(from);
        walk.tried = self.tried.get();
        walk.try_actions(actions);
        self.tried.set(walk.tried);
        walk.snapshot()
    }
}

impl Snapshot {
    /// Whether nothing is judged any more: the game was over before this.
    pub fn is_over(&self) -> bool {
        self.over
    }
}

impl<V: Visitor> Walk<'_, V> {
    fn snapshot(&self) -> Snapshot {
        Snapshot {
            state: self.state,
            cube_turned: self.cube_turned,
            disallowed: self.disallowed,
            disallowed_pass: self.disallowed_pass,
            cube_value: self.cube_value,
            unanswered: self.unanswered,
            timed_out: self.timed_out,
            went_on: self.went_on,
            resigned: self.resigned,
            rolled: self.rolled,
            standard_start: self.standard_start,
            turns: self.turns,
            offer_disallowed: self.offer_disallowed,
            unknown_since: self.unknown_since,
            told_not_judged: self.told_not_judged,
            over: self.over,
        }
    }

    fn resume(&mut self, from: &Snapshot) {
        self.state = from.state;
        self.cube_turned = from.cube_turned;
        self.disallowed = from.disallowed;
        self.disallowed_pass = from.disallowed_pass;
        self.cube_value = from.cube_value;
        self.unanswered = from.unanswered;
        self.timed_out = from.timed_out;
        self.went_on = from.went_on;
        self.resigned = from.resigned;
        self.rolled = from.rolled;
        self.standard_start = from.standard_start;
        self.turns = from.turns;
        self.offer_disallowed = from.offer_disallowed;
        self.unknown_since = from.unknown_since;
        self.told_not_judged = from.told_not_judged;
        self.over = from.over;
    }
}

impl<V: Judge> Walk<'_, V> {
    /// As [`Walk::run_from`], up to an action and as long as the judge wants more.
    fn try_actions(&mut self, actions: Range<usize>) {
        let game = self.game;
        for index in actions {
            let Some(entry) = game.entries.get(index).filter(|_| !self.over) else {
                return;
            };
            if self.is_after_the_end(index) {
                if goes_on(entry) {
                    self.fault(index, FaultKind::AfterTheEnd { of_match: false });
                    self.went_on = self.state.ending.is_some();
                    self.over = true;
                }
                continue;
            }
            self.entry(index, entry);
            if self.visitor.has_enough() {
                return;
            }
        }
    }
}
