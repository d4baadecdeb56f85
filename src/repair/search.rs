//! The search for one game.

use std::time::Instant;

use super::edit::{Edit, apply};
use super::slips::{self, LEGAL_AS_WRITTEN, MARK, SHIFTED, Slip, likeness};
use super::weigh::{STANDS, WORTH, Weigh};
use super::{Explanation, Found, Limits, Repair};
use crate::board::{Play, PlayFault, Player, Plays, Roll, Verdict};
use crate::record::{Action, Entry, GameRecord, MatchRecord, WrittenPlay, WrittenRoll};
use crate::replay::{GameSummary, Known, Snapshot, Trials, walk};
use crate::ruleset::RuleSet;
use crate::source::{Span, Spanned};

/// How many changes are made between two looks at the clock.
const LOOK: u64 = 64;
/// The most actions that a game has as a rule.
const USUAL: u64 = 128;
/// The most actions of a game that is searched: none that was met has half as many.
const LONGEST: usize = 1000;

/// The search for one game.
pub(super) struct Search<'a> {
    trials: Trials<'a>,
    /// The game alone, with the heading of the next one behind it.
    alone: MatchRecord,
    game: usize,
    marks: bool,
    limits: Limits,
    changes: u64,
    started: Instant,
    limit: Option<&'static str>,
    plays: Plays,
}

/// A change that takes away something of what is wrong.
#[derive(Debug, Clone)]
struct Candidate {
    edit: Edit,
    slip: &'static Slip,
    cost: u32,
    ways: u32,
    judged: Judged,
}

/// What is still wrong with a change made.
#[derive(Debug, Clone, Copy)]
struct Judged {
    weight: u32,
    /// Whether enough is taken away and all of that was seen before, so that nothing new asks for another
    /// explanation.
    is_clean: bool,
}

/// The game as it stands at some depth of the search.
struct Base {
    /// What is known before each action, and behind the last one that was judged.
    known: Vec<Snapshot>,
    /// What was wrong before each action.
    before: Vec<u32>,
    whole: Weigh,
    /// The last action that a cause may have.
    last: usize,
}

/// What is left at the end of a line of changes, and the changes.
#[derive(Debug)]
struct Line {
    /// What is still wrong, and what it costs that there is more than one change: as much as an action that
    /// stands, so that a second slip and an illegal play explain a fault equally well.
    weight: u32,
    /// What is still wrong.
    left: u32,
    explanations: Vec<Explanation>,
}

impl Line {
    fn nothing(left: u32) -> Line {
        Line {
            weight: left,
            left,
            explanations: Vec::new(),
        }
    }
}

impl<'a> Search<'a> {
    pub(super) fn new(
        record: &MatchRecord,
        rules: &'a RuleSet,
        game: usize,
        summary: &GameSummary,
        limits: Limits,
    ) -> Search<'a> {
        let trials = Trials::new(record, rules, summary);
        let mut games = Vec::with_capacity(2);
        if let Some(alone) = record.games.get(game) {
            let mut alone = alone.clone();
            alone.score = Some(Spanned::new(summary.before, alone.heading));
            alone.crawford = Some(Spanned::new(summary.crawford, alone.heading));
            games.push(alone);
        }
        if let Some(next) = record.games.get(game + 1) {
            games.push(GameRecord {
                heading: next.heading,
                has_score_line: next.has_score_line,
                score: next.score,
                ..GameRecord::default()
            });
        }
        let alone = MatchRecord {
            dialect: record.dialect,
            length: record.length,
            variation: record.variation.clone(),
            has_hit_marks: record.has_hit_marks,
            games,
            ..MatchRecord::default()
        };
        Search {
            trials,
            alone,
            game,
            marks: record.has_hit_marks == Some(true),
            limits,
            changes: 0,
            started: Instant::now(),
            limit: None,
            plays: Plays::new(),
        }
    }

    pub(super) fn run(mut self) -> Found {
        if self.alone.games.is_empty() {
            return Found::default();
        }
        if self.record().entries.len() > LONGEST {
            return Found {
                limit: Some("length"),
                ..Found::default()
            };
        }
        let line = self.line(1);
        Found {
            explanations: line.explanations,
            limit: self.limit,
            changes: self.changes,
        }
    }

    fn record(&self) -> &GameRecord {
        &self.alone.games[0]
    }

    /// Looks for a change, and follows the best ones if it is not enough.
    fn line(&mut self, depth: u32) -> Line {
        let base = self.base();
        if base.whole.total < WORTH || self.record().entries.is_empty() {
            return Line::nothing(base.whole.total);
        }
        // Nearly always one change is enough; then nothing that takes away less need be looked at.
        let mut candidates = self.candidates(&base, WORTH);
        let is_clean = |candidate: &Candidate| candidate.judged.is_clean;
        if !candidates.iter().any(is_clean) && depth < self.limits.depth {
            candidates = self.candidates(&base, 1);
        }
        candidates.sort_by_key(|candidate| (candidate.judged.weight, candidate.cost));
        let Some(best) = candidates.first().map(|best| best.judged) else {
            return Line::nothing(base.whole.total);
        };
        let is_followed = !best.is_clean && depth < self.limits.depth && self.limit.is_none();
        let line = if is_followed {
            self.beam(&base, candidates, depth)
        } else {
            candidates.retain(|candidate| candidate.judged.weight == best.weight);
            let explanation = self.explanation(&base, &candidates, best.weight);
            Line {
                explanations: vec![explanation],
                ..Line::nothing(best.weight)
            }
        };
        // What takes away less than that explains nothing.
        match base.whole.total.saturating_sub(line.weight) {
            0..WORTH => Line::nothing(base.whole.total),
            _ => line,
        }
    }

    /// Follows the best changes and the cheapest ones: what is left in the end decides between them.
    fn beam(&mut self, base: &Base, candidates: Vec<Candidate>, depth: u32) -> Line {
        let width = self.limits.beam >> (depth - 1);
        let mut cheapest: Vec<usize> = (0..candidates.len()).collect();
        cheapest.sort_by_key(|&at| candidates[at].cost);
        cheapest.truncate(width);
        let original = self.record().clone();
        let mut ended: Vec<(Line, Candidate)> = Vec::new();
        for (number, candidate) in candidates.into_iter().enumerate() {
            // A missing turn that could have been played in several ways leads nowhere certain.
            let is_followed = candidate.ways == 1 && (number < width || cheapest.contains(&number));
            let mut line = Line::nothing(candidate.judged.weight);
            if is_followed && !candidate.judged.is_clean {
                apply(&candidate.edit, &mut self.alone.games[0]);
                line = self.line(depth + 1);
                self.alone.games[0] = original.clone();
                line.weight += STANDS * u32::from(!line.explanations.is_empty());
            }
            ended.push((line, candidate));
        }
        let weight = ended.iter().map(|(line, _)| line.weight).min().unwrap_or(0);
        ended.retain(|(line, _)| line.weight == weight);
        let left = ended.iter().map(|(line, _)| line.left).max().unwrap_or(0);
        let candidates: Vec<Candidate> = ended.iter().map(|(_, change)| change.clone()).collect();
        let mut explanations = vec![self.explanation(base, &candidates, left)];
        if let [(line, _)] = &mut ended[..] {
            explanations.append(&mut line.explanations);
        }
        Line {
            weight,
            left,
            explanations,
        }
    }

    fn weigh(&self, before: u32, limit: u32) -> Weigh {
        Weigh::new(before, limit, self.record().entries.len(), self.marks)
    }

    /// The whole game with its result and the next score.
    fn whole(&self) -> Weigh {
        let mut weigh = self.weigh(0, u32::MAX).listing();
        walk(&self.alone, self.trials.rules(), &mut weigh);
        weigh
    }

    fn base(&mut self) -> Base {
        let mut weigh = self.weigh(0, u32::MAX).listing();
        let game = &self.alone.games[0];
        let actions = game.entries.len();
        let mut known = vec![self.trials.start(game, &mut weigh)];
        let mut before = vec![0];
        for index in 0..actions {
            let next = (self.trials).go_on(game, &known[index], index..index + 1, &mut weigh);
            known.push(next);
            before.push(weigh.total);
        }
        let is_lost = |state: &Snapshot| state.state.known == Known::Unknown || state.is_over();
        let lost =
            (0..actions).find(|&index| is_lost(&known[index + 1]) && !is_lost(&known[index]));
        let whole = self.whole();
        let faulty = whole.faults.iter().flatten();
        let faulty = faulty.filter(|(_, weight)| *weight >= STANDS);
        let last = faulty.filter_map(|(index, _)| *index).max();
        let last = match (lost, last) {
            (Some(lost), _) => lost,
            (None, Some(last)) if !whole.contradicts_result => last,
            _ => actions.saturating_sub(1),
        };
        Base {
            known,
            before,
            whole,
            last,
        }
    }

    /// Whether the search must end here.
    fn is_at_limit(&mut self) -> bool {
        if self.limit.is_some() {
            return true;
        }
        // A change of a long game is more work.
        self.changes += 1 + self.record().entries.len() as u64 / USUAL;
        if self.changes >= self.limits.changes {
            self.limit = Some("changes");
        } else if self.changes % LOOK <= self.record().entries.len() as u64 / USUAL
            && self.started.elapsed() >= self.limits.time
        {
            self.limit = Some("time");
        }
        self.limit.is_some()
    }

    /// Every change that takes away so much: with another one a little may be worth an explanation.
    fn candidates(&mut self, base: &Base, least: u32) -> Vec<Candidate> {
        let mut list = List {
            cutoff: base.whole.total - least,
            found: Vec::new(),
        };
        self.result(base, &mut list);
        for index in (0..=base.last).rev() {
            let at = &base.known[index];
            if at.state.known == Known::Unknown || at.is_over() {
                continue;
            }
            self.answers(base, index, &mut list);
            self.dice(base, index, &mut list);
            self.plays(base, index, &mut list);
            self.turns(base, index, &mut list);
        }
        list.found
    }

    /// Judges the game as it is changed now. `None`: too much is still wrong.
    fn judged(&mut self, base: &Base, edit: &Edit, list: &List) -> Option<Judged> {
        if self.is_at_limit() {
            return None;
        }
        let from = edit.index()?;
        let mut weigh = self.weigh(base.before[from], list.cutoff);
        let game = &self.alone.games[0];
        let end = game.entries.len();
        (self.trials).go_on(game, &base.known[from], from..end, &mut weigh);
        if weigh.total > list.cutoff {
            return None;
        }
        let whole = self.whole();
        (whole.total <= list.cutoff).then(|| base.judged(&whole, edit))
    }

    /// Judges the game with a change that keeps the number of actions, and adds it if it is worth it.
    fn try_action(
        &mut self,
        base: &Base,
        index: usize,
        action: Action,
        list: &mut List,
        slip: impl FnOnce() -> (&'static Slip, u32),
    ) {
        let written = std::mem::replace(&mut self.alone.games[0].entries[index].action, action);
        let edit = Edit::Replace { index, action };
        let judged = self.judged(base, &edit, list);
        self.alone.games[0].entries[index].action = written;
        if let Some(judged) = judged {
            let (slip, cost) = slip();
            list.add(edit, slip, cost, 1, judged);
        }
    }

    /// Judges the game with a change of the number of actions or of the players.
    fn try_edit(
        &mut self,
        base: &Base,
        edit: Edit,
        list: &mut List,
        slip: &'static Slip,
        cost: u32,
    ) {
        let mut changed = self.record().clone();
        apply(&edit, &mut changed);
        let original = std::mem::replace(&mut self.alone.games[0], changed);
        let judged = self.judged(base, &edit, list);
        self.alone.games[0] = original;
        if let Some(judged) = judged {
            list.add(edit, slip, cost, 1, judged);
        }
    }

    /// Another play for the same roll.
    fn plays(&mut self, base: &Base, index: usize, list: &mut List) {
        let entry = &self.record().entries[index];
        let player = entry.player;
        let Action::Play { roll, play } = entry.action else {
            return;
        };
        let is_unreadable = entry.extra.as_deref().is_some_and(|extra| extra.unreadable);
        let (Some(dice), false) = (roll.roll(), play == WrittenPlay::NotRecorded) else {
            return;
        };
        if is_unreadable {
            return;
        }
        let before = base.known[index].state;
        let after = base.known[index + 1].state;
        let written = match play {
            WrittenPlay::Moves(moves) => moves,
            _ => Play::EMPTY,
        };
        let is_legal = !base.is_faulty(index);
        let mut plays = std::mem::take(&mut self.plays);
        (before.variant).legal_plays(&before.position, player, dice, &mut plays);
        for (reached, meant) in plays.iter() {
            if *reached == after.position && after.known != Known::Unknown {
                continue;
            }
            let action = Action::Play {
                roll,
                play: WrittenPlay::Moves(meant.sorted()),
            };
            let marks = self.marks;
            self.try_action(base, index, action, list, || {
                let (slip, cost) = likeness(written.moves(), meant);
                let other_marks = marks && written.hits() != meant.hits();
                let extra = LEGAL_AS_WRITTEN * u32::from(is_legal) + MARK * u32::from(other_marks);
                (slip, cost + extra)
            });
        }
        self.plays = plays;
    }

    /// Another roll under which the written play is legal.
    fn dice(&mut self, base: &Base, index: usize, list: &mut List) {
        let entry = &self.record().entries[index];
        let player = entry.player;
        let Action::Play { roll, play } = entry.action else {
            return;
        };
        if !base.is_faulty(index) || play == WrittenPlay::NotRecorded {
            return;
        }
        let before = base.known[index].state;
        let neighbours: Vec<WrittenRoll> = [
            index.wrapping_sub(2),
            index.wrapping_sub(1),
            index + 1,
            index + 2,
        ]
        .into_iter()
        .filter_map(|near| match self.record().entries.get(near)?.action {
            Action::Play { roll, .. } => Some(roll),
            _ => None,
        })
        .collect();
        for other in all_rolls() {
            let fits = match &play {
                WrittenPlay::Moves(moves) => !matches!(
                    (before.variant).judge(&before.position, player, other, moves.moves()),
                    Verdict::Illegal { .. }
                ),
                _ => !(before.variant).can_play(&before.position, player, other),
            };
            let written = in_the_order_of(roll, other);
            if !fits || same_dice(written, roll) {
                continue;
            }
            let action = Action::Play {
                roll: written,
                play,
            };
            // The dice of a neighbour stand here, or the neighbour's own are meant.
            let is_copy = neighbours.iter().any(|near| same_dice(*near, roll));
            self.try_action(base, index, action, list, || {
                match (one_die_differs(roll, written), is_copy) {
                    (true, _) => (&slips::DIE, slips::DIE.cost),
                    (false, true) => (&slips::NEIGHBOUR_DICE, slips::NEIGHBOUR_DICE.cost),
                    (false, false) => (&slips::ROLL, slips::ROLL.cost),
                }
            });
        }
    }

    /// Cube actions that are not written, or written too many.
    fn answers(&mut self, base: &Base, index: usize, list: &mut List) {
        let entry = &self.record().entries[index];
        let (player, span, row, written) = (entry.player, entry.span, entry.row, entry.action);
        let next = |player, action| Box::new(Entry::new(player, action, row, span));
        if let Action::Double { .. } = written {
            let is_last = index + 1 == self.record().entries.len();
            let (action, slip) = match is_last {
                true => (Action::Pass, &slips::PASS_LEFT_OUT),
                false => (Action::Take, &slips::TAKE_LEFT_OUT),
            };
            let edit = Edit::Insert {
                index: index + 1,
                entry: next(!player, action),
                shifts: false,
            };
            if base.is_faulty(index) {
                self.try_edit(base, edit, list, slip, slip.cost);
            }
        }
        let is_answer = matches!(written, Action::Take | Action::Pass);
        if is_answer && base.is_faulty(index) {
            let value = base.known[index].state.cube.value.checked_mul(2);
            let double = Action::Double {
                to: value,
                after_roll: None,
            };
            let edit = Edit::Insert {
                index,
                entry: next(!player, double),
                shifts: false,
            };
            let slip = &slips::DOUBLE_LEFT_OUT;
            self.try_edit(base, edit, list, slip, slip.cost);
            let edit = Edit::Remove {
                index,
                count: 1,
                shifts: false,
            };
            let slip = &slips::ANSWER_TOO_MANY;
            self.try_edit(base, edit, list, slip, slip.cost);
        }
    }

    /// Turns that are missing or written twice, and the players exchanged.
    fn turns(&mut self, base: &Base, index: usize, list: &mut List) {
        let slip = &slips::PLAYERS_SWAPPED;
        self.try_edit(base, Edit::Swap { index }, list, slip, slip.cost);
        for shifts in [false, true] {
            for count in [1, 2] {
                self.without(base, index, count, shifts, list);
            }
            self.with_turn(base, index, shifts, list);
        }
    }

    /// Turns that are written twice.
    fn without(&mut self, base: &Base, index: usize, count: usize, shifts: bool, list: &mut List) {
        let entries = &self.record().entries;
        let Some(gone) = entries.get(index..index + count) else {
            return;
        };
        let is_play = |entry: &Entry| matches!(entry.action, Action::Play { .. });
        if !gone.iter().all(is_play) || shifts && count == 2 {
            return;
        }
        let same = |one: &Entry, other: &Entry| {
            one.action == other.action && (shifts || one.player == other.player)
        };
        let is_like = |at: usize| {
            let other = entries.get(at..at + count);
            other.is_some_and(|other| other.iter().zip(gone).all(|(one, other)| same(one, other)))
        };
        // Of two that are the same, the later one is left out.
        let is_doubled = index.checked_sub(count).is_some_and(is_like);
        if !is_doubled || is_like(index + count) {
            return;
        }
        let slip = &slips::TURN_DOUBLED;
        let cost = slip.cost + SHIFTED * u32::from(shifts) + (count as u32 - 1);
        let edit = Edit::Remove {
            index,
            count,
            shifts,
        };
        self.try_edit(base, edit, list, slip, cost);
    }

    /// A turn that is missing before an action: every play of every roll.
    fn with_turn(&mut self, base: &Base, index: usize, shifts: bool, list: &mut List) {
        let entry = &self.record().entries[index];
        let before = base.known[index].state;
        // Where the rest moved up, the missing turn is that of whoever is written here.
        let player = if shifts { entry.player } else { !entry.player };
        let is_out_of_turn = before.turn.is_some_and(|turn| turn != entry.player);
        if before.offer.is_some() || !shifts && !is_out_of_turn || shifts && is_out_of_turn {
            return;
        }
        if shifts && !self.could_follow(&before, entry, !player) {
            return;
        }
        let Some(any) = WrittenRoll(6, 6).roll() else {
            return;
        };
        let turn = |roll: Roll, play: WrittenPlay| Action::Play {
            roll: WrittenRoll(roll.0.pips(), roll.1.pips()),
            play,
        };
        let (row, span) = (entry.row, Span::new(entry.span.start, entry.span.start));
        let inserted = Entry::new(player, turn(any, WrittenPlay::CannotMove), row, span);
        let edit = Edit::Insert {
            index,
            entry: Box::new(inserted.clone()),
            shifts,
        };
        let mut changed = self.record().clone();
        apply(&edit, &mut changed);
        let original = std::mem::replace(&mut self.alone.games[0], changed);
        let mut plays = std::mem::take(&mut self.plays);
        let (mut dances, mut moves) = (Ways::default(), Ways::default());
        for roll in all_rolls() {
            (before.variant).legal_plays(&before.position, player, roll, &mut plays);
            if plays.is_empty() {
                let action = turn(roll, WrittenPlay::CannotMove);
                if dances.count > 0 {
                    dances.count += 1;
                } else {
                    self.try_turn(base, &edit, action, list, &mut dances);
                }
            }
            for (_, play) in plays.iter() {
                let action = turn(roll, WrittenPlay::Moves(play.sorted()));
                self.try_turn(base, &edit, action, list, &mut moves);
            }
        }
        self.plays = plays;
        self.alone.games[0] = original;
        let both = [
            (dances, &slips::DANCE_LEFT_OUT),
            (moves, &slips::TURN_LEFT_OUT),
        ];
        for (ways, slip) in both {
            let Some((action, judged)) = ways.best else {
                continue;
            };
            let edit = Edit::Insert {
                index,
                entry: Box::new(Entry {
                    action,
                    ..inserted.clone()
                }),
                shifts,
            };
            let cost = slip.cost + SHIFTED * u32::from(shifts);
            list.add(edit, slip, cost, ways.count, judged);
        }
    }

    /// Judges the game with a turn in the place of the one that an edit has inserted.
    fn try_turn(&mut self, base: &Base, edit: &Edit, action: Action, list: &List, ways: &mut Ways) {
        if let Some(index) = edit.index() {
            self.alone.games[0].entries[index].action = action;
        }
        if let Some(judged) = self.judged(base, edit, list) {
            ways.add(action, judged);
        }
    }

    /// Whether a player could have done what is written, but for what a turn before it changes: the checkers are
    /// there, or come from the bar where the turn may have hit them.
    fn could_follow(&self, before: &crate::replay::State, entry: &Entry, player: Player) -> bool {
        let Action::Play {
            play: WrittenPlay::Moves(moves),
            ..
        } = entry.action
        else {
            return true;
        };
        let played = (before.variant).played_as_written(&before.position, player, moves.moves());
        match played {
            Err(PlayFault::NoChecker { moved }) => moved.from == crate::board::Place::BAR,
            _ => true,
        }
    }

    /// Another stated result: the one that follows from the play.
    fn result(&mut self, base: &Base, list: &mut List) {
        let stated = self.record().result.map(|result| result.value);
        let (Some(stated), true) = (stated, base.whole.contradicts_result) else {
            return;
        };
        let mut weigh = self.weigh(0, u32::MAX);
        let summary = walk(&self.alone, self.trials.rules(), &mut weigh);
        let Some(game) = summary.games.first() else {
            return;
        };
        let mut meant = stated;
        meant.winner = stated.winner.and(game.winner);
        meant.points = stated.points.and(game.points);
        if meant == stated {
            return;
        }
        let original = self.record().clone();
        let edit = Edit::Result(meant);
        apply(&edit, &mut self.alone.games[0]);
        let whole = self.whole();
        self.alone.games[0] = original;
        if whole.total <= list.cutoff {
            let slip = &slips::RESULT;
            let judged = base.judged(&whole, &edit);
            list.add(edit, slip, slip.cost, 1, judged);
        }
    }

    /// The changes in words and figures.
    fn explanation(&mut self, base: &Base, candidates: &[Candidate], left: u32) -> Explanation {
        let mut fault = None;
        let mut repairs: Vec<Repair> = Vec::with_capacity(candidates.len());
        let original = self.record().clone();
        for candidate in candidates {
            apply(&candidate.edit, &mut self.alone.games[0]);
            let whole = self.whole();
            let changed = std::mem::replace(&mut self.alone.games[0], original.clone());
            if repairs.is_empty() {
                let index = first_explained(base, &whole, &candidate.edit);
                fault = index.and_then(|index| Some(original.entries.get(index)?.span));
            }
            repairs.push(self.repair(candidate, &whole, &changed));
        }
        repairs.sort_by_key(|repair| (repair.cost, repair.index));
        let index = repairs.iter().map(|repair| repair.index).min().unwrap_or(0);
        let before = base.before.get(index).copied().unwrap_or(0);
        Explanation {
            fault,
            repairs,
            leaves_much: left.saturating_sub(before) > STANDS,
        }
    }

    fn repair(&self, candidate: &Candidate, whole: &Weigh, changed: &GameRecord) -> Repair {
        let original = self.record();
        let actions = changed.entries.len();
        let behind = candidate.edit.behind(actions);
        let faults = whole.faults.iter().flatten();
        let faulty: Vec<(usize, u32)> = faults
            .filter(|(_, weight)| *weight >= STANDS)
            .filter_map(|(index, weight)| Some(((*index)?, *weight)))
            .filter(|(index, _)| *index >= behind)
            .collect();
        let lost = faulty.iter().find(|(_, weight)| *weight > WORTH);
        let end = lost.map_or(actions, |(index, _)| *index);
        let standing = faulty.iter().filter(|(index, _)| *index < end).count();
        let explains = end.saturating_sub(behind).saturating_sub(standing) as u32;
        let index = candidate.edit.index().unwrap_or(original.entries.len());
        let index = index.min(original.entries.len());
        let entry = original.entries.get(index).or(original.entries.last());
        let stated = original.result;
        let (span, player) = match (&candidate.edit, stated) {
            (Edit::Result(result), Some(stated)) => {
                (stated.span, result.winner.unwrap_or(Player::One))
            }
            (Edit::Insert { entry: new, .. }, _) => (
                entry.map_or(original.heading, |entry| entry.span),
                new.player,
            ),
            (Edit::Remove { count, .. }, _) => {
                let first = entry.map_or(original.heading, |entry| entry.span);
                let last = original.entries.get(index + count - 1);
                (
                    last.map_or(first, |last| first.to(last.span)),
                    entry.map_or(Player::One, |entry| entry.player),
                )
            }
            _ => (
                entry.map_or(original.heading, |entry| entry.span),
                entry.map_or(Player::One, |entry| entry.player),
            ),
        };
        Repair {
            slip: candidate.slip,
            game: self.game,
            index,
            edit: candidate.edit.clone(),
            span,
            player,
            suggested: suggested(&candidate.edit, candidate.ways),
            ways: candidate.ways,
            explains,
            later: actions.saturating_sub(behind) as u32,
            fits_result: stated.map(|_| !whole.contradicts_result),
            cost: candidate.cost,
        }
    }
}

impl Base {
    /// What is left with a change made, and whether it was there before.
    fn judged(&self, whole: &Weigh, edit: &Edit) -> Judged {
        let faults = whole.faults.iter().flatten();
        let mut new = faults.filter(|(index, weight)| {
            let origin = index.map(|index| edit.origin(index));
            let mut known = self.whole.faults.iter().flatten();
            *weight >= STANDS
                && !known.any(|(at, before)| Some(*at) == origin.or(Some(None)) && before == weight)
        });
        let is_enough = whole.total + WORTH <= self.whole.total;
        Judged {
            weight: whole.total,
            is_clean: is_enough && new.next().is_none(),
        }
    }

    /// Whether something is wrong with an action as it is written.
    fn is_faulty(&self, index: usize) -> bool {
        let mut faults = self.whole.faults.iter().flatten();
        faults.any(|(at, weight)| *at == Some(index) && *weight >= STANDS)
    }
}

/// The first fault that a change takes away.
fn first_explained(base: &Base, whole: &Weigh, edit: &Edit) -> Option<usize> {
    let left: Vec<Option<usize>> = whole
        .faults
        .iter()
        .flatten()
        .filter(|(_, weight)| *weight >= STANDS)
        .map(|(index, _)| index.and_then(|index| edit.origin(index)))
        .collect();
    let faults = base.whole.faults.iter().flatten();
    faults
        .filter(|(_, weight)| *weight >= STANDS)
        .filter_map(|(index, _)| *index)
        .find(|index| !left.contains(&Some(*index)))
}

/// The changes found so far.
struct List {
    /// What may be wrong with a change that is still of use.
    cutoff: u32,
    found: Vec<Candidate>,
}

impl List {
    fn add(&mut self, edit: Edit, slip: &'static Slip, cost: u32, ways: u32, judged: Judged) {
        if judged.is_clean {
            // Nothing that leaves more is of use any more.
            self.cutoff = self.cutoff.min(judged.weight);
        }
        self.found.push(Candidate {
            edit,
            slip,
            cost,
            ways,
            judged,
        });
    }
}

/// The ways in which a missing turn could have been played.
#[derive(Default)]
struct Ways {
    count: u32,
    best: Option<(Action, Judged)>,
}

impl Ways {
    fn add(&mut self, action: Action, judged: Judged) {
        match self.best {
            Some((_, best)) if best.weight < judged.weight => {}
            Some((_, best)) if best.weight == judged.weight => self.count += 1,
            _ => {
                self.count = 1;
                self.best = Some((action, judged));
            }
        }
    }
}

fn all_rolls() -> impl Iterator<Item = Roll> {
    (1..=6).flat_map(|high| (1..=high).filter_map(move |low| Roll::new(high, low)))
}

fn same_dice(one: WrittenRoll, other: WrittenRoll) -> bool {
    (one.0, one.1) == (other.0, other.1) || (one.0, one.1) == (other.1, other.0)
}

/// A roll with the die that stays where it is written.
fn in_the_order_of(written: WrittenRoll, roll: Roll) -> WrittenRoll {
    let (high, low) = (roll.high(), roll.low());
    if written.0 == low || written.1 == high {
        WrittenRoll(low, high)
    } else {
        WrittenRoll(high, low)
    }
}

fn one_die_differs(one: WrittenRoll, other: WrittenRoll) -> bool {
    (one.0 == other.0) != (one.1 == other.1)
}

/// What to write instead.
fn suggested(edit: &Edit, ways: u32) -> String {
    let action = match edit {
        Edit::Replace { action, .. } => *action,
        Edit::Insert { entry, .. } => entry.action,
        Edit::Result(result) => return result.points.map_or(String::new(), |n| n.to_string()),
        Edit::Remove { .. } | Edit::Swap { .. } => return String::new(),
    };
    match action {
        Action::Play {
            play: WrittenPlay::Moves(_),
            ..
        } if ways > 1 => String::new(),
        Action::Play {
            roll,
            play: WrittenPlay::Moves(play),
        } => format!("{roll}: {play}"),
        Action::Play { roll, .. } if ways == 1 => format!("{roll}:"),
        Action::Play { .. } => String::new(),
        Action::Double { to: Some(to), .. } => format!("Doubles => {to}"),
        Action::Double { .. } => "Doubles".to_owned(),
        Action::Take => "Takes".to_owned(),
        Action::Pass => "Drops".to_owned(),
        _ => String::new(),
    }
}
