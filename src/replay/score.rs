//! What the games are worth: results, running score, Crawford game, end of the match.

use super::agreed::unknown_variation;
use super::fault::{Habit, Impossible, PointsReason};
use super::game::{Terms, Walk};
use super::{Ending, Fault, FaultKind, Known, State, Visitor};
use crate::board::{ByPlayer, Cube, Length, Player, Plays, Position, Variant, Win};
use crate::record::{GameRecord, GameResult, MadeGame, MatchRecord};
use crate::ruleset::{Origin, RuleSet};

/// A match as computed, beside what is stated.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchSummary {
    /// The score, with all points that were won, even beyond the length.
    pub score: ByPlayer<u32>,
    /// The score as the record states it: the last heading and the last result.
    pub stated_score: Option<ByPlayer<u32>>,
    /// The score without the doubles that were not allowed. `None`: there were none.
    pub score_if_disallowed: Option<ByPlayer<u32>>,
    /// Who won the match.
    pub winner: Option<Player>,
    /// Who used up the bank first, by the times that the record states.
    pub lost_on_time: Option<Player>,
    /// The games.
    pub games: Vec<GameSummary>,
}

/// A game as computed, beside what is stated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GameSummary {
    /// The number as written.
    pub number: Option<u32>,
    /// The computed score before it.
    pub before: ByPlayer<u32>,
    /// The stated score before it.
    pub stated_before: Option<ByPlayer<u32>>,
    /// Whether it is the Crawford game.
    pub crawford: bool,
    /// Whether the Crawford game was played before.
    pub post_crawford: bool,
    /// Who won.
    pub winner: Option<Player>,
    /// The kind of win. `None` after a pass, or if the game has no end.
    pub win: Option<Win>,
    /// How it ended.
    pub ended_by: EndedBy,
    /// The cube at the end; after a pass as it was before the double.
    pub cube: Cube,
    /// The points won. `None`: the game has no end.
    pub points: Option<u32>,
    /// The points as stated.
    pub stated_points: Option<u32>,
    /// How many actions it has.
    pub plies: u32,
    /// The position at the end. `None`: unknown.
    pub last: Option<Position>,
    /// Whether a player has turned the cube.
    pub cube_turned: bool,
    /// Whether the Jacoby rule made a gammon single.
    pub jacoby: bool,
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndedBy {
    /// The last checker was borne off.
    BearOff,
    /// A double was refused.
    Pass,
    /// A player gave up.
    Resignation,
    /// A player lost on time.
    Time,
    /// It did not end.
    Unfinished,
}

impl EndedBy {
    /// The word in the JSON output.
    pub fn name(self) -> &'static str {
        match self {
            EndedBy::BearOff => "bear-off",
            EndedBy::Pass => "pass",
            EndedBy::Resignation => "resignation",
            EndedBy::Time => "time",
            EndedBy::Unfinished => "unfinished",
        }
    }
}

/// The running account of a match.
struct Ledger<'a, V> {
    record: &'a MatchRecord,
    rules: &'a RuleSet,
    length: Option<Length>,
    visitor: &'a mut V,
    score: ByPlayer<u32>,
    without: ByPlayer<u32>,
    disallowed: bool,
    crawford_done: bool,
    winner: Option<Player>,
    unknown_variant: bool,
    /// What the game before was worth, for headings that carry a wrong score on.
    last_won: Option<(Player, u32)>,
    /// The points of the game before cannot be computed; its heading and the next one tell.
    last_unsure: bool,
    games: Vec<GameSummary>,
    plays: Plays,
    /// The games as made when they were read, if their plays were not kept.
    made: &'a [MadeGame],
    /// Whether a game was met that is not what was made.
    is_other: bool,
}

pub(super) fn walk_match<V: Visitor>(
    record: &MatchRecord,
    rules: &RuleSet,
    visitor: &mut V,
) -> MatchSummary {
    Ledger::new(record, &[], rules, visitor).run()
}

/// See [`walk_made`](super::walk_made).
pub(super) fn walk_made(
    record: &MatchRecord,
    made: &[MadeGame],
    rules: &RuleSet,
) -> Option<MatchSummary> {
    let mut told = Told(false);
    let mut ledger = Ledger::new(record, made, rules, &mut told);
    ledger.is_other = rules.variant.value != Variant::Backgammon
        || rules.clock.value.is_some()
        || made.len() != record.games.len();
    let (summary, is_other) = ledger.walk();
    (!is_other && !told.0).then_some(summary)
}

/// Whether anything was told.
struct Told(bool);

impl Visitor for Told {
    fn fault(&mut self, _: Fault<'_>) {
        self.0 = true;
    }
}

impl<'a, V: Visitor> Ledger<'a, V> {
    fn new(
        record: &'a MatchRecord,
        made: &'a [MadeGame],
        rules: &'a RuleSet,
        visitor: &'a mut V,
    ) -> Ledger<'a, V> {
        let first = record
            .games
            .first()
            .and_then(|game| game.score)
            .map(|score| score.value);
        Ledger {
            record,
            rules,
            length: record.length.map(|length| length.value),
            visitor,
            score: first.unwrap_or_default(),
            without: first.unwrap_or_default(),
            disallowed: false,
            crawford_done: false,
            winner: None,
            unknown_variant: false,
            last_won: None,
            last_unsure: false,
            games: Vec::with_capacity(record.games.len()),
            plays: Plays::new(),
            made,
            is_other: false,
        }
    }

    fn run(self) -> MatchSummary {
        self.walk().0
    }

    /// The account, and whether a game was met that is not what was made.
    fn walk(mut self) -> (MatchSummary, bool) {
        if let Some((name, span)) = unknown_variation(self.record, self.rules) {
            self.unknown_variant = true;
            self.tell(None, None, FaultKind::UnknownVariation { name, span });
        }
        if self.rules.variant.origin == Origin::Record {
            let habit = Habit::VariantByPosition(self.rules.variant.value);
            self.tell(Some(0), Some(0), FaultKind::SiteHabit(habit));
        }
        if let (Some(length), Some(agreed)) = (self.points(), self.rules.match_lengths.value)
            && !agreed.allows(length)
        {
            self.tell(None, None, FaultKind::LengthNotAgreed { length, agreed });
        }
        let clock = self.rules.clock.value.as_ref();
        let banks = clock.and_then(|clock| super::clock::banks(self.record, clock));
        let lost_on_time = banks.as_ref().and_then(|banks| banks.lost);
        for (game, index, kind) in banks.into_iter().flat_map(|banks| banks.faults) {
            self.tell(Some(game), Some(index), kind);
        }
        self.winner = self.match_winner();
        for number in 0..self.record.games.len() {
            self.heading(number);
            self.game(number);
        }
        self.end();
        let summary = MatchSummary {
            score: self.score,
            stated_score: self.stated_score(),
            score_if_disallowed: self.disallowed.then_some(self.without),
            winner: self.winner,
            lost_on_time,
            games: self.games,
        };
        (summary, self.is_other)
    }

    /// How many actions a game has.
    fn actions(&self, number: usize) -> u32 {
        let made = self.made.get(number).map_or(0, MadeGame::plays);
        self.record.games[number].entries.len() as u32 + made
    }

    fn tell(&mut self, game: Option<usize>, index: Option<usize>, kind: FaultKind) {
        let (score, crawford) = (self.score, false);
        self.visitor.fault(Fault {
            game,
            index,
            before: None,
            score,
            crawford,
            kind,
        });
    }

    fn points(&self) -> Option<u32> {
        self.length.and_then(Length::points)
    }

    fn match_winner(&self) -> Option<Player> {
        let length = self.points()?;
        Player::BOTH
            .into_iter()
            .find(|&player| self.score[player] >= length)
    }

    fn heading(&mut self, number: usize) {
        let record = self.record;
        let game = &record.games[number];
        if let (Some(here), Some(before)) = (
            game.number,
            number
                .checked_sub(1)
                .and_then(|before| record.games[before].number),
        ) && here.value != before.value.saturating_add(1)
        {
            let kind = FaultKind::GameNumber {
                before: before.value,
                here: here.value,
            };
            self.tell(Some(number), None, kind);
        }
        if self.winner.is_some() {
            return;
        }
        let Some(stated) = game.score else {
            if !game.has_score_line && record.has_hit_marks.is_some() {
                self.tell(Some(number), None, FaultKind::NoScoreLine);
            }
            return;
        };
        let before = number.checked_sub(1).map(|before| &record.games[before]);
        let carried = before.and_then(|before| before.score).map(|score| {
            let mut score = score.value;
            if let Some((winner, points)) = self.last_won {
                score[winner] = score[winner].saturating_add(points);
            }
            score
        });
        if self.last_unsure {
            // The result before is a finding of its own; the heading tells what was counted.
            self.score = stated.value;
        } else if stated.value != self.score && carried != Some(stated.value) {
            let computed = self.score;
            self.tell(
                Some(number),
                None,
                FaultKind::WrongScore {
                    stated: stated.value,
                    computed,
                },
            );
        }
        self.winner = self.match_winner();
    }

    fn game(&mut self, number: usize) {
        let record = self.record;
        let game = &record.games[number];
        if self.winner.is_some() {
            return self.extra_game(number, game);
        }
        let (crawford, post_crawford) = self.crawford(number, game);
        let terms = Terms {
            rules: self.rules,
            length: self.length,
            before: self.score,
            crawford,
            post_crawford,
            has_hit_marks: record.has_hit_marks.is_some(),
        };
        let plays = std::mem::take(&mut self.plays);
        let mut walk = Walk::new(terms, number, game, &mut *self.visitor, plays);
        if self.unknown_variant {
            walk.never_judge();
        }
        match self.made.get(number) {
            Some(made) => self.is_other |= !walk.run_made(made),
            None => walk.run(),
        }
        let next = record
            .games
            .get(number + 1)
            .and_then(|next| next.score)
            .map(|score| score.value);
        let state = walk.state;
        let finished = Finished {
            state,
            cube_turned: walk.cube_turned,
            cube_value: walk.cube_value,
            unanswered: walk.unanswered_offer(),
            timed_out: walk.timed_out,
            went_on: walk.went_on,
            disallowed: walk.disallowed,
            disallowed_pass: walk.disallowed_pass,
            terms,
        };
        self.plays = walk.plays;
        self.finish(number, game, finished, next);
    }

    /// A game after the match was decided: read, and not judged.
    fn extra_game(&mut self, number: usize, game: &GameRecord) {
        self.tell(
            Some(number),
            None,
            FaultKind::AfterTheEnd { of_match: true },
        );
        let stated = game.result.map(|result| result.value);
        self.games.push(GameSummary {
            number: game.number.map(|number| number.value),
            before: self.score,
            stated_before: game.score.map(|score| score.value),
            crawford: false,
            post_crawford: self.crawford_done,
            winner: stated.and_then(|result| result.winner),
            win: None,
            ended_by: if stated.is_some() {
                EndedBy::Resignation
            } else {
                EndedBy::Unfinished
            },
            cube: Cube::START,
            points: stated.and_then(|result| result.points),
            stated_points: stated.and_then(|result| result.points),
            plies: self.actions(number),
            last: None,
            cube_turned: false,
            jacoby: false,
        });
    }

    /// Whether this is the Crawford game, and whether that one has been played.
    fn crawford(&mut self, number: usize, game: &GameRecord) -> (bool, bool) {
        let (crawford, post) = self.crawford_by_score(number, game);
        self.crawford_done |= crawford || post;
        if let Some(stated) = game.crawford
            && stated.value != crawford
        {
            self.tell(
                Some(number),
                None,
                FaultKind::CrawfordMislabelled {
                    stated: stated.value,
                },
            );
        }
        (crawford, post)
    }

    fn crawford_by_score(&mut self, number: usize, game: &GameRecord) -> (bool, bool) {
        let Some(length) = self.points().filter(|&length| length > 1) else {
            return (false, false);
        };
        if !self.rules.crawford.value {
            return (false, false);
        }
        let short = self.score.map(|score| score + 1 == length).into_array();
        if short == [false, false] {
            return (false, false);
        }
        if self.crawford_done || short == [true, true] {
            return (false, true);
        }
        let trailer = self.score.one.min(self.score.two);
        if number > 0 || trailer == 0 {
            return (true, false);
        }
        if let Some(stated) = game.crawford {
            return (stated.value, !stated.value);
        }
        // The record starts at match point. A double shows that the Crawford game is over.
        let doubled = game
            .entries
            .iter()
            .any(|entry| matches!(entry.action, crate::record::Action::Double { .. }));
        self.tell(
            Some(number),
            None,
            FaultKind::CrawfordUnknown { taken: !doubled },
        );
        (!doubled, doubled)
    }

    fn finish(
        &mut self,
        number: usize,
        game: &GameRecord,
        mut finished: Finished<'_>,
        next: Option<ByPlayer<u32>>,
    ) {
        let stated = game.result.map(|result| result.value);
        self.last_unsure = false;
        if let Some((index, offer)) = finished.unanswered
            && finished.state.ending.is_none()
            && stated.is_some_and(|result| result.winner == Some(offer.by))
        {
            if offer.turns == 1 {
                self.tell(
                    Some(number),
                    Some(index),
                    FaultKind::DoubleUnanswered { taken: false },
                );
            }
            finished.state.ending = Some(Ending::Pass {
                winner: offer.by,
                value: offer.before,
            });
        }
        if finished.went_on && stated.is_some_and(|result| result.winner.is_some()) {
            // The end was no end: what is stated counts, and is not judged.
            finished.state.ending = None;
            let stated = stated.unwrap_or_default();
            return self.enter(
                number,
                &finished,
                Outcome {
                    winner: stated.winner,
                    points: stated.points,
                    ended_by: EndedBy::Resignation,
                    ..Outcome::default()
                },
            );
        }
        let result = match finished.state.ending {
            Some(Ending::BearOff { winner, win }) => {
                self.known_end(number, stated, &finished, winner, Some(win))
            }
            Some(Ending::Pass { winner, .. }) => {
                self.known_end(number, stated, &finished, winner, None)
            }
            Some(Ending::Resignation { winner, win }) => {
                let stated = stated.unwrap_or_default();
                let points = stated
                    .points
                    .or(win.map(|win| win.factor().saturating_mul(finished.state.cube.value)));
                let stated = GameResult {
                    winner: stated.winner.or(Some(winner)),
                    points,
                    ..stated
                };
                if stated.winner != Some(winner) {
                    self.tell(Some(number), None, FaultKind::WrongWinner { winner });
                }
                self.resignation(number, stated, &finished, winner)
            }
            None => match stated {
                Some(result) => match result.winner {
                    Some(winner) => self.resignation(number, result, &finished, winner),
                    None => Outcome::default(),
                },
                None => self.without_result(number, game, &finished, next),
            },
        };
        if let Some((index, written, right)) = finished.cube_value {
            let fits_written = result.fits_written;
            self.tell(
                Some(number),
                Some(index),
                FaultKind::CubeValue {
                    written,
                    right,
                    fits_written,
                },
            );
        }
        self.enter(number, &finished, result);
    }

    /// Enters a game into the account.
    fn enter(&mut self, number: usize, finished: &Finished<'_>, result: Outcome) {
        let game = &self.record.games[number];
        let stated = game.result.map(|result| result.value);
        let before = self.score;
        if let (Some(winner), Some(points)) = (result.winner, result.points) {
            self.score[winner] = self.score[winner].saturating_add(points);
            let without = if finished.disallowed_pass {
                0
            } else {
                points >> finished.disallowed.min(31)
            };
            self.without[winner] = self.without[winner].saturating_add(without);
            self.disallowed |= without != points;
        }
        self.last_won = result.winner.zip(result.points);
        self.last_unsure |= result.unsure;
        self.winner = self.match_winner();
        let state = &finished.state;
        self.games.push(GameSummary {
            number: game.number.map(|number| number.value),
            before,
            stated_before: game.score.map(|score| score.value),
            crawford: finished.terms.crawford,
            post_crawford: finished.terms.post_crawford,
            winner: result.winner,
            win: result.win,
            ended_by: result.ended_by,
            cube: state.cube,
            points: result.points,
            stated_points: stated.and_then(|result| result.points),
            plies: self.actions(number),
            last: (state.known != Known::Unknown).then_some(state.position),
            cube_turned: finished.cube_turned,
            jacoby: result.jacoby,
        });
    }

    /// A game whose end the actions show: a bear-off of the kind `win`, or a pass.
    fn known_end(
        &mut self,
        number: usize,
        stated: Option<GameResult>,
        finished: &Finished<'_>,
        winner: Player,
        win: Option<Win>,
    ) -> Outcome {
        let jacoby = win.is_some_and(|win| win > Win::Single) && self.jacoby_applies(finished);
        let rule = self.rules.jacoby.value;
        let cube = finished.state.cube;
        let (full, reason) = match (win, finished.state.ending) {
            (Some(win), _) => {
                let factor = self.rules.factor(win);
                let single = jacoby && rule == Some(true);
                let factor = if single { 1 } else { factor };
                (
                    cube.value.saturating_mul(factor),
                    PointsReason::Win {
                        win,
                        cube,
                        factor,
                        jacoby: single,
                    },
                )
            }
            (None, Some(Ending::Pass { value, .. })) => (value, PointsReason::Pass { value }),
            (None, _) => (cube.value, PointsReason::Pass { value: cube.value }),
        };
        let ended_by = if win.is_some() {
            EndedBy::BearOff
        } else {
            EndedBy::Pass
        };
        let mut outcome = Outcome {
            winner: Some(winner),
            points: Some(full),
            win,
            ended_by,
            jacoby: jacoby && rule == Some(true),
            ..Outcome::default()
        };
        let Some(stated) = stated else {
            self.tell(
                Some(number),
                None,
                FaultKind::ResultMissing {
                    known: Some((winner, full)),
                },
            );
            return outcome;
        };
        let says_who = !(stated.in_row && win.is_some());
        let wrong_winner = says_who && stated.winner.is_some_and(|stated| stated != winner);
        if wrong_winner {
            self.tell(Some(number), None, FaultKind::WrongWinner { winner });
        }
        let points = stated.points;
        if jacoby && rule.is_none() {
            let (with, without) = (cube.value, full);
            self.tell(
                Some(number),
                None,
                FaultKind::JacobyUndecided {
                    stated: points,
                    with,
                    without,
                },
            );
            if points == Some(with) {
                outcome.points = Some(with);
                outcome.jacoby = true;
                return outcome;
            }
        }
        if let Some(points) = points.filter(|&points| points != full) {
            self.compare(number, points, winner, finished, reason, &mut outcome);
        }
        outcome
    }

    /// Whether the Jacoby rule would reduce a gammon here.
    fn jacoby_applies(&self, finished: &Finished<'_>) -> bool {
        self.length == Some(Length::Money) && !finished.cube_turned
    }

    /// The stated points of a known end differ from the computed ones.
    fn compare(
        &mut self,
        number: usize,
        points: u32,
        winner: Player,
        finished: &Finished<'_>,
        reason: PointsReason,
        outcome: &mut Outcome,
    ) {
        let computed = outcome.points.unwrap_or(0);
        if self.is_capped(points, winner) && points < computed {
            return self.tell(
                Some(number),
                None,
                FaultKind::PointsCapped {
                    stated: points,
                    computed,
                },
            );
        }
        if let Some((_, written, right)) = finished.cube_value
            && u64::from(points) * u64::from(right) == u64::from(computed) * u64::from(written)
        {
            outcome.fits_written = Some(points);
            outcome.points = Some(points);
            return;
        }
        if let Some(habit) = self.habit(points, winner, computed, finished) {
            match habit {
                Habit::MoneyAsMatch { .. } => outcome.points = Some(points),
                Habit::Sentinel { .. } | Habit::TooMany { .. } | Habit::VariantByPosition(_) => {}
            }
            return self.tell(Some(number), None, FaultKind::SiteHabit(habit));
        }
        self.tell(
            Some(number),
            None,
            FaultKind::WrongPoints {
                stated: points,
                computed,
                reason,
            },
        );
    }

    /// Whether the points are just what the winner needed, or the whole length.
    fn is_capped(&self, points: u32, winner: Player) -> bool {
        self.points().is_some_and(|length| {
            points == length.saturating_sub(self.score[winner]) || points == length
        })
    }

    fn needed(&self, winner: Player) -> u32 {
        self.points()
            .map_or(0, |length| length.saturating_sub(self.score[winner]))
    }

    fn habit(
        &self,
        points: u32,
        winner: Player,
        computed: u32,
        finished: &Finished<'_>,
    ) -> Option<Habit> {
        let dialect = self.record.dialect.map(|dialect| dialect.name);
        if dialect == Some("bgstudio") && points >= 1000 {
            return Some(Habit::Sentinel {
                stated: points,
                needed: self.needed(winner),
            });
        }
        let one_game = self.record.games.len() == 1 && self.points().is_some_and(|n| n > computed);
        let single = points == 1 && finished.state.cube == Cube::START && !finished.cube_turned;
        let known = matches!(dialect, Some("galaxy" | "xg"));
        (known && one_game && single && computed > 1).then_some(Habit::MoneyAsMatch {
            stated: points,
            without: computed,
        })
    }

    /// A game that stops and has a stated winner: the loser gave up.
    fn resignation(
        &mut self,
        number: usize,
        stated: GameResult,
        finished: &Finished<'_>,
        winner: Player,
    ) -> Outcome {
        let cube = finished.state.cube.value;
        let ended_by = if finished.timed_out {
            EndedBy::Time
        } else {
            EndedBy::Resignation
        };
        let mut outcome = Outcome {
            winner: Some(winner),
            ended_by,
            ..Outcome::default()
        };
        let kind = |points: u32| {
            Win::ALL
                .into_iter()
                .find(|&win| self.rules.factor(win).checked_mul(cube) == Some(points))
        };
        let Some(points) = stated.points else {
            outcome.points = Some(cube);
            outcome.win = Some(Win::Single);
            return outcome;
        };
        outcome.points = Some(points);
        let jacoby = self.jacoby_applies(finished);
        let rule = self.rules.jacoby.value;
        if let Some(win) = kind(points) {
            outcome.win = Some(win);
            if win == Win::Single || !jacoby || rule == Some(false) {
                return outcome;
            }
            if rule.is_none() {
                let stated = Some(points);
                let kind = FaultKind::JacobyUndecided {
                    stated,
                    with: cube,
                    without: points,
                };
                self.tell(Some(number), None, kind);
                return outcome;
            }
            outcome.points = Some(cube);
            outcome.jacoby = true;
            let why = Impossible::Jacoby;
            self.tell(
                Some(number),
                None,
                FaultKind::ImpossiblePoints {
                    stated: points,
                    cube,
                    why,
                },
            );
            return outcome;
        }
        if self.is_capped(points, winner) {
            let reaching = Win::ALL
                .into_iter()
                .find(|&win| self.rules.factor(win).saturating_mul(cube) >= points);
            if let Some(win) = reaching {
                let computed = self.rules.factor(win).saturating_mul(cube);
                outcome.win = Some(win);
                outcome.points = Some(computed);
                self.tell(
                    Some(number),
                    None,
                    FaultKind::PointsCapped {
                        stated: points,
                        computed,
                    },
                );
                return outcome;
            }
        }
        if let Some((_, written, right)) = finished.cube_value {
            let as_written = u64::from(cube) * u64::from(written) / u64::from(right.max(1));
            let fits = |win: &Win| {
                let worth = u64::from(self.rules.factor(*win)).checked_mul(as_written);
                worth == Some(u64::from(points))
            };
            if let Some(win) = Win::ALL.into_iter().find(fits) {
                outcome.win = Some(win);
                outcome.fits_written = Some(points);
                return outcome;
            }
        }
        let gave_up_the_match = stated.resigned && stated.and_match && stated.win.is_none();
        if gave_up_the_match && points == self.needed(winner) {
            // Whoever gives up the match loses all that is missing, whatever the game is worth.
            return outcome;
        }
        let most = self.rules.factor(Win::Backgammon).saturating_mul(cube);
        if self
            .record
            .dialect
            .is_some_and(|dialect| dialect.name == "choue")
            && points > most
        {
            outcome.win = Some(Win::Backgammon);
            outcome.points = Some(most);
            outcome.unsure = true;
            let habit = Habit::TooMany {
                stated: points,
                most,
            };
            self.tell(Some(number), None, FaultKind::SiteHabit(habit));
            return outcome;
        }
        if let Some(habit @ Habit::Sentinel { needed, .. }) =
            self.habit(points, winner, 0, finished)
        {
            outcome.win = Win::ALL
                .into_iter()
                .find(|&win| self.rules.factor(win).saturating_mul(cube) >= needed);
            outcome.points = Some(needed);
            self.tell(Some(number), None, FaultKind::SiteHabit(habit));
            return outcome;
        }
        let rounded = points
            .div_ceil(cube.max(1))
            .max(1)
            .saturating_mul(cube)
            .min(most);
        outcome.points = Some(rounded);
        outcome.win = kind(rounded);
        outcome.unsure = true;
        let why = Impossible::NoMultiple;
        self.tell(
            Some(number),
            None,
            FaultKind::ImpossiblePoints {
                stated: points,
                cube,
                why,
            },
        );
        outcome
    }

    /// A game without an end and without a stated result: the next heading tells, or nothing does.
    fn without_result(
        &mut self,
        number: usize,
        game: &GameRecord,
        finished: &Finished<'_>,
        next: Option<ByPlayer<u32>>,
    ) -> Outcome {
        if number + 1 == self.record.games.len() {
            // A position that was only stated was not played on.
            let is_position = game.start.is_some();
            if self.actions(number) > 0 || number == 0 && !is_position {
                self.tell(Some(number), None, FaultKind::GameUnfinished);
            }
            return Outcome::default();
        }
        let before = game.score.map_or(self.score, |score| score.value);
        let won = next.and_then(|next| {
            let gain = |player: Player| next[player].checked_sub(before[player]);
            match (gain(Player::One)?, gain(Player::Two)?) {
                (points @ 1.., 0) => Some((Player::One, points)),
                (0, points @ 1..) => Some((Player::Two, points)),
                _ => None,
            }
        });
        self.tell(Some(number), None, FaultKind::ResultMissing { known: won });
        let Some((winner, points)) = won else {
            return Outcome::default();
        };
        let cube = finished.state.cube.value;
        let win = Win::ALL
            .into_iter()
            .find(|&win| self.rules.factor(win).saturating_mul(cube) == points);
        let ended_by = if finished.timed_out {
            EndedBy::Time
        } else {
            EndedBy::Resignation
        };
        Outcome {
            winner: Some(winner),
            points: Some(points),
            win,
            ended_by,
            ..Outcome::default()
        }
    }

    fn end(&mut self) {
        let ended = self.games.last().is_none_or(|game| game.winner.is_some());
        if ended && self.winner.is_none() && self.points().is_some() {
            let last = self.record.games.len().checked_sub(1);
            self.tell(last, None, FaultKind::MatchUnfinished);
        }
    }

    /// The last heading and the last stated result, added up.
    fn stated_score(&self) -> Option<ByPlayer<u32>> {
        let game = self.record.games.last()?;
        let mut score = game.score?.value;
        if let Some(result) = game.result
            && let (Some(winner), Some(points)) = (result.value.winner, result.value.points)
        {
            score[winner] = score[winner].saturating_add(points);
        }
        Some(score)
    }
}

/// What the walk through a game has shown.
struct Finished<'a> {
    state: State,
    cube_turned: bool,
    cube_value: Option<(usize, u32, u32)>,
    unanswered: Option<(usize, super::Offer)>,
    timed_out: bool,
    went_on: bool,
    disallowed: u32,
    disallowed_pass: bool,
    terms: Terms<'a>,
}

/// What a game was worth.
#[derive(Clone, Copy)]
struct Outcome {
    winner: Option<Player>,
    points: Option<u32>,
    win: Option<Win>,
    ended_by: EndedBy,
    jacoby: bool,
    unsure: bool,
    fits_written: Option<u32>,
}

impl Default for Outcome {
    fn default() -> Outcome {
        Outcome {
            winner: None,
            points: None,
            win: None,
            ended_by: EndedBy::Unfinished,
            jacoby: false,
            unsure: false,
            fits_written: None,
        }
    }
}
