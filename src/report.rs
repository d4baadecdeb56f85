//! A source checked: its matches as computed, and everything that was found.

mod limits;
mod repairs;

use std::ops::ControlFlow;

pub use limits::read_within;

use crate::board::{ByPlayer, Cube, Length, Play, Player, Plays, Position, Roll};
use crate::diagnostic::{Finding, Findings, Situation, syntax};
use crate::formats::{self, Format, NotThisFormat};
use crate::record::{Action, Entry, MatchRecord, WrittenPlay, analysis};
use crate::repair::{Limits, Suspects};
use crate::replay::{
    Fault, FaultKind, MatchSummary, Ruling, State, Step, Visitor, banks, rules_for, walk,
};
use crate::rules::Telling;
use crate::ruleset::{RuleOptions, RuleSet};
use crate::source::{Source, Span};
use crate::suppress::{Allows, Suppressed};

use limits::{Deadline, read_until};
use repairs::Budget;
pub use repairs::{Explained, GameRepairs, RepairSink, repair_words, repairs_of};

/// How a source is checked.
#[derive(Debug, Clone, Default)]
pub struct CheckOptions {
    /// The format. `None`: by content.
    pub format: Option<&'static Format>,
    /// The rules that the caller asks for.
    pub rules: RuleOptions,
    /// Whether the matches are wanted too, and not only the findings.
    pub matches: bool,
    /// How far to look for what was meant where a game does not hold. `None`: not at all.
    pub repairs: Option<Limits>,
    /// Codes of findings that nobody will see, so that they do not count against the limit of findings.
    pub unseen: Vec<&'static str>,
}

/// What checking a source has given.
#[derive(Debug)]
pub struct Report {
    /// The format of the source.
    pub format: &'static Format,
    /// The program that wrote the first match, if it was recognised.
    pub dialect: Option<&'static str>,
    /// The matches, if they were asked for.
    pub matches: Vec<MatchReport>,
    /// What was found, in the order of the source.
    pub findings: Vec<Finding>,
    /// What was found and is allowed by a line of the source.
    pub suppressed: Vec<Suppressed>,
    /// The rules that matches were held against, with whether that is money play and how many matches.
    pub rules: Vec<(RuleSet, bool, u64)>,
    /// How much was read.
    pub totals: Totals,
}

/// A match of a source.
#[derive(Debug, Clone)]
pub struct MatchReport {
    /// Its length.
    pub length: Option<Length>,
    /// The players.
    pub names: ByPlayer<String>,
    /// The rules it was held against.
    pub rules: RuleSet,
    /// What it comes to.
    pub summary: MatchSummary,
    /// What the file's own analysis says of each player. `None`: there is none in the file.
    pub analysis: Option<ByPlayer<FileAnalysis>>,
}

/// What the analysis in a file says of a player, added up: points of a cube of 1.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct FileAnalysis {
    /// How many plays have an error, 0 included.
    pub plays: u32,
    /// What the plays lost.
    pub play_error: f64,
    /// How many decisions on the cube have one, 0 included: doubles made or not made, takes and passes.
    pub cube_actions: u32,
    /// What they lost.
    pub cube_error: f64,
    /// The luck of the rolls.
    pub luck: f64,
}

impl FileAnalysis {
    /// Adds up what a record says. `None`: nothing.
    fn of(record: &MatchRecord) -> Option<ByPlayer<FileAnalysis>> {
        let mut both = ByPlayer::<FileAnalysis>::default();
        let mut any = false;
        for entry in record.games.iter().flat_map(|game| &game.entries) {
            let said = entry.extra.iter().flat_map(|extra| &extra.analysis);
            for (name, value) in said {
                any |= both[entry.player].add(name, value);
            }
        }
        any.then_some(both)
    }

    /// Adds one value; false if it is none that is added up.
    fn add(&mut self, name: &str, value: &str) -> bool {
        let Some(value) = value.parse::<f64>().ok().filter(|value| value.is_finite()) else {
            return false;
        };
        match name {
            analysis::ERROR => {
                self.plays += 1;
                self.play_error += value;
            }
            analysis::CUBE_ERROR | analysis::TAKE_ERROR => {
                self.cube_actions += 1;
                self.cube_error += value;
            }
            analysis::LUCK | SGF_LUCK => self.luck += value,
            _ => return false,
        }
        true
    }
}

/// The property for luck in a game tree.
const SGF_LUCK: &str = "LU";

/// How much was read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Matches.
    pub matches: u64,
    /// Games.
    pub games: u64,
    /// Actions.
    pub plies: u64,
}

/// Finds the format of a source.
///
/// # Errors
///
/// It looks like none.
pub fn format_of(
    source: &Source,
    asked: Option<&'static Format>,
) -> Result<&'static Format, NotThisFormat> {
    asked.or_else(|| formats::detect(source)).ok_or_else(|| {
        let text = source.text().trim();
        NotThisFormat(if text.is_empty() {
            "the file is empty".to_owned()
        } else {
            "not a format that is known".to_owned()
        })
    })
}

/// Why a format without a reader is not read.
fn not_read(format: &Format) -> NotThisFormat {
    NotThisFormat(format!("{}: recognised, not read", format.title))
}

/// Reads a source, replays it, and reports.
///
/// # Errors
///
/// The source is of no known format, or not of the one asked for.
pub fn check(source: &Source, options: &CheckOptions) -> Result<Report, NotThisFormat> {
    let mut checker = Checker::new(format_of(source, options.format)?, options);
    checker.read(source)?;
    Ok(checker.report)
}

/// Checks an input that comes in pieces, each of them a source of whole matches.
#[derive(Debug)]
pub struct Checker<'a> {
    options: &'a CheckOptions,
    report: Report,
    told_unmarked: bool,
    told_several: bool,
    told_encoding: bool,
    /// How many findings were told of earlier pieces, and whether no more are.
    told: usize,
    told_limit: bool,
    /// What is left for looking for what was meant, if that is wanted.
    budget: Option<Budget>,
}

impl<'a> Checker<'a> {
    /// For an input of this format.
    pub fn new(format: &'static Format, options: &'a CheckOptions) -> Checker<'a> {
        Checker {
            options,
            report: Report {
                format,
                dialect: None,
                matches: Vec::new(),
                findings: Vec::new(),
                suppressed: Vec::new(),
                rules: Vec::new(),
                totals: Totals::default(),
            },
            told_unmarked: false,
            told_several: false,
            told_encoding: false,
            told: 0,
            told_limit: false,
            budget: options.repairs.map(Budget::new),
        }
    }

    /// What the pieces have given so far; what was found is of the last piece.
    pub fn report(&mut self) -> &mut Report {
        &mut self.report
    }

    /// Checks a piece.
    ///
    /// # Errors
    ///
    /// It is not of the format.
    pub fn read(&mut self, source: &Source) -> Result<(), NotThisFormat> {
        self.read_before(&Deadline::of(source), source)
    }

    fn read_before(&mut self, deadline: &Deadline, source: &Source) -> Result<(), NotThisFormat> {
        let report = &mut self.report;
        let options = self.options;
        report.findings.clear();
        report.suppressed.clear();
        let mut allows = Allows::default();
        let before = report.totals.matches as u32;
        let mut unmarked = None;
        let left = source.limits().findings.saturating_sub(self.told);
        let mut room = Room {
            unseen: &options.unseen,
            left: left.min(Findings::MOST),
            others: Findings::MOST,
            is_full: self.told_limit,
        };
        let format = report.format;
        let reached = read_until(format, source, deadline, &mut |record, findings| {
            room.is_full |= findings.is_full();
            for mut finding in findings.take() {
                finding.context.match_number = finding.context.match_number.map(|n| n + before);
                room.push(finding, &mut report.findings);
            }
            let rules = rules_for(record, &options.rules);
            let telling = Telling {
                record,
                rules: &rules,
                source,
                match_number: report.totals.matches as u32 + 1,
            };
            let first = report.findings.len();
            let mut judge = Judge {
                telling,
                findings: &mut report.findings,
                unmarked: &mut unmarked,
                room: &mut room,
                deadline,
                suspects: Suspects::default(),
            };
            let summary = walk(record, &rules, &mut judge);
            let suspects = judge.suspects;
            if deadline.is_over() {
                return;
            }
            if let Some(budget) = self.budget.as_mut().filter(|_| !room.is_full) {
                let found = &mut report.findings[first..];
                budget.add(telling, &summary, &suspects, deadline, found);
            }
            let is_money = record
                .length
                .is_some_and(|length| length.value == Length::Money);
            count_rules(&mut report.rules, &rules, is_money);
            report.totals.matches += 1;
            allows.add(record, source, report.totals.matches as u32);
            report.totals.games += record.games.len() as u64;
            report.totals.plies += record
                .games
                .iter()
                .map(|game| game.entries.len() as u64)
                .sum::<u64>();
            report.dialect = report
                .dialect
                .or(record.dialect.map(|dialect| dialect.name));
            if options.matches {
                report.matches.push(MatchReport {
                    length: record.length.map(|length| length.value),
                    names: record.names.clone(),
                    rules,
                    summary,
                    analysis: FileAnalysis::of(record),
                });
            }
        })?;
        if !self.told_limit {
            report.findings.extend(unmarked);
        }
        report.findings.extend(reached);
        let seen = |finding: &Finding| !options.unseen.contains(&finding.rule.code);
        if room.is_full && !self.told_limit {
            let last = report.findings.iter().filter(|finding| seen(finding));
            let last = last
                .map(|finding| finding.primary.span)
                .max_by_key(|span| span.start);
            let is_of_input = left <= Findings::MOST;
            let most = match is_of_input {
                true => source.limits().findings,
                false => Findings::MOST,
            };
            self.told_limit = is_of_input;
            let more = limits::too_many(most, is_of_input, last.unwrap_or_default());
            report.findings.push(more);
        }
        self.told += report
            .findings
            .iter()
            .filter(|finding| seen(finding))
            .count();
        self.once();
        let Report {
            findings,
            suppressed,
            ..
        } = &mut self.report;
        allows.apply(findings, suppressed);
        suppressed.sort_by_key(|suppressed| suppressed.finding.primary.span.start);
        self.report
            .findings
            .sort_by_key(|finding| finding.primary.span.start);
        Ok(())
    }

    /// What is said once of an input is not said again of its later pieces.
    fn once(&mut self) {
        let stars = self
            .report
            .findings
            .iter()
            .position(|finding| finding.message == UNMARKED);
        if let Some(at) = stars.filter(|_| self.told_unmarked) {
            self.report.findings.remove(at);
        }
        self.told_unmarked |= stars.is_some();
        for (rule, told) in [
            (&syntax::SEVERAL_MATCHES, &mut self.told_several),
            (&syntax::ENCODING_GUESSED, &mut self.told_encoding),
        ] {
            let is_it = |finding: &Finding| std::ptr::eq(finding.rule, rule);
            let before = self.report.findings.len();
            if *told {
                self.report.findings.retain(|finding| !is_it(finding));
            }
            *told |= self.report.findings.len() < before || self.report.findings.iter().any(is_it);
        }
    }
}

/// Counts a match under its rules; files have few of them.
fn count_rules(known: &mut Vec<(RuleSet, bool, u64)>, rules: &RuleSet, is_money: bool) {
    let same = |(other, money, _): &&mut (RuleSet, bool, u64)| other == rules && *money == is_money;
    match known.iter_mut().rev().find(same) {
        Some((.., matches)) => *matches += 1,
        None => known.push((rules.clone(), is_money, 1)),
    }
}

/// The headline where a file never marks hits.
const UNMARKED: &str = "hits are never marked here";

/// How many findings of an input, or of a piece of a long one, are still told.
struct Room<'a> {
    /// Codes that nobody will see.
    unseen: &'a [&'static str],
    left: usize,
    /// The same for findings that nobody will see.
    others: usize,
    /// Whether one was left out for want of room.
    is_full: bool,
}

impl Room<'_> {
    /// For all that is found.
    fn wide() -> Room<'static> {
        Room {
            unseen: &[],
            left: usize::MAX,
            others: usize::MAX,
            is_full: false,
        }
    }

    /// Adds a finding if there is room for it or it tells that a limit was reached.
    fn push(&mut self, finding: Finding, findings: &mut Vec<Finding>) {
        let is_seen = !self.unseen.contains(&finding.rule.code);
        let left = if is_seen {
            &mut self.left
        } else {
            &mut self.others
        };
        match left.checked_sub(1) {
            _ if finding.tells_a_limit() => findings.push(finding),
            Some(less) if !self.is_full => {
                *left = less;
                findings.push(finding);
            }
            _ => self.is_full |= is_seen,
        }
    }
}

/// Turns faults into findings.
struct Judge<'a, 'o> {
    telling: Telling<'a>,
    findings: &'a mut Vec<Finding>,
    /// The first hit in matches that never mark any: one note a file.
    unmarked: &'a mut Option<Finding>,
    room: &'a mut Room<'o>,
    deadline: &'a Deadline,
    suspects: Suspects,
}

impl Visitor for Judge<'_, '_> {
    fn goes_on(&mut self, entry: &Entry) -> bool {
        !self.deadline.passes(entry.span)
    }

    fn fault(&mut self, fault: Fault<'_>) {
        // What is said of a game that was not walked to its end would be wrong.
        if self.room.is_full || self.deadline.is_over() {
            return;
        }
        self.suspects.see(&fault);
        let stars = self.telling.record.has_hit_marks;
        if !matches!(fault.kind, FaultKind::HitMark { .. }) || stars != Some(false) {
            self.room.push(self.telling.finding(&fault), self.findings);
        } else if self.unmarked.is_none() {
            let mut finding = self.telling.finding(&fault);
            finding.message = UNMARKED.to_owned();
            finding.primary.text = "the first hit without a star".to_owned();
            *self.unmarked = Some(finding);
        }
    }
}

/// A match with every action, for `show`.
#[derive(Debug)]
pub struct ShownMatch {
    /// The players.
    pub names: ByPlayer<String>,
    /// Its length.
    pub length: Option<Length>,
    /// The rules it was replayed under.
    pub rules: RuleSet,
    /// The games.
    pub games: Vec<ShownGame>,
}

/// A game with every action.
#[derive(Debug)]
pub struct ShownGame {
    /// The number as written.
    pub number: Option<u32>,
    /// The situation before the first action.
    pub start: Situation,
    /// The actions.
    pub plies: Vec<Ply>,
    /// What the game came to.
    pub summary: crate::replay::GameSummary,
}

/// An action as understood.
#[derive(Debug)]
pub struct Ply {
    /// Who acted.
    pub player: Player,
    /// The word for the action, as in the JSON output.
    pub action: &'static str,
    /// The dice.
    pub roll: Option<Roll>,
    /// The play; as written if it is not legal.
    pub play: Option<String>,
    /// Whether it is legal. `None`: nothing can be said.
    pub legal: Option<bool>,
    /// The situation before it. `None`: unknown.
    pub before: Option<Situation>,
    /// The position after it. `None`: unknown.
    pub after: Option<Position>,
    /// The value of the cube that a turn of it offers.
    pub cube_value: Option<u32>,
    /// The comment on it.
    pub comment: Option<String>,
    /// What the file's own analysis says of it, by name.
    pub analysis: Vec<(String, String)>,
    /// What was left in the player's bank after it, in seconds. `None`: no clock, or no time is stated.
    pub bank: Option<f64>,
    /// The number of the row.
    pub row: Option<u32>,
    /// Where it is written.
    pub span: Span,
}

/// Replays a source and keeps every action.
///
/// # Errors
///
/// The source is of no known format, or not of the one asked for, or a limit was reached.
pub fn show(
    source: &Source,
    options: &CheckOptions,
) -> Result<(&'static Format, Vec<ShownMatch>), NotThisFormat> {
    let mut matches = Vec::new();
    let format = show_each(source, options, &mut |shown| {
        matches.push(shown);
        ControlFlow::Continue(())
    })?;
    Ok((format, matches))
}

/// Replays a source and hands over one match after the other, with every action, until nobody wants more.
///
/// # Errors
///
/// Those of [`show`], perhaps after matches that were handed over.
pub fn show_each(
    source: &Source,
    options: &CheckOptions,
    sink: &mut dyn FnMut(ShownMatch) -> ControlFlow<()>,
) -> Result<&'static Format, NotThisFormat> {
    let format = format_of(source, options.format)?;
    let mut flow = ControlFlow::Continue(());
    let deadline = Deadline::of(source);
    let reached = read_until(format, source, &deadline, &mut |record, _| {
        if flow.is_continue()
            && let Some(shown) = shown(record, source, options, &deadline)
        {
            flow = sink(shown);
        }
    })?;
    match reached.filter(|_| flow.is_continue()) {
        None => Ok(format),
        Some(limit) => Err(NotThisFormat(limits::words(&limit))),
    }
}

/// A match with every action. `None`: that takes too long.
fn shown(
    record: &MatchRecord,
    source: &Source,
    options: &CheckOptions,
    deadline: &Deadline,
) -> Option<ShownMatch> {
    let rules = rules_for(record, &options.rules);
    let mut shower = Shower {
        banks: banks(record, &rules),
        record,
        rules: &rules,
        source,
        games: Vec::new(),
        deadline,
    };
    let summary = walk(record, &rules, &mut shower);
    if deadline.is_over() {
        return None;
    }
    let mut started = shower.games.into_iter().peekable();
    let mut games = Vec::new();
    for (number, summary) in summary.games.into_iter().enumerate() {
        let found = started.next_if(|(game, ..)| *game == number);
        let (state, mut plies) = match found {
            Some((_, state, plies)) => (Some(state), plies),
            None => (None, Vec::new()),
        };
        let roll = record
            .games
            .get(number)
            .and_then(|game| game.start.as_ref());
        let start = Situation {
            variant: rules.variant.value,
            position: state.map_or(Position::start(rules.variant.value), |s| s.position),
            cube: state.map_or(Cube::START, |state| state.cube),
            turn: state.and_then(|state| state.turn),
            roll: roll.and_then(|start| start.value.roll),
            score: summary.before,
            length: record.length.map(|length| length.value),
            crawford: summary.crawford,
            money_rules: money_rules(&rules),
            doubled: false,
        };
        for before in plies
            .iter_mut()
            .filter_map(|ply: &mut Ply| ply.before.as_mut())
        {
            before.score = summary.before;
            before.crawford = summary.crawford;
        }
        games.push(ShownGame {
            number: summary.number,
            start,
            plies,
            summary,
        });
    }
    Some(ShownMatch {
        names: record.names.clone(),
        length: record.length.map(|length| length.value),
        rules,
        games,
    })
}

fn money_rules(rules: &RuleSet) -> (bool, bool) {
    (
        rules.jacoby.value == Some(true),
        rules.beavers.value == Some(true),
    )
}

struct Shower<'a> {
    banks: Option<Vec<Vec<Option<f64>>>>,
    record: &'a MatchRecord,
    rules: &'a RuleSet,
    source: &'a Source,
    games: Vec<(usize, State, Vec<Ply>)>,
    deadline: &'a Deadline,
}

impl Visitor for Shower<'_> {
    const WANTS_STEPS: bool = true;

    fn goes_on(&mut self, entry: &Entry) -> bool {
        !self.deadline.passes(entry.span)
    }

    fn fault(&mut self, _: Fault<'_>) {}

    fn game(&mut self, game: usize, start: &State) {
        self.games.push((game, *start, Vec::new()));
    }

    fn step(&mut self, step: &Step<'_>) {
        let entry = step.entry;
        let known = |state: &State| state.known != crate::replay::Known::Unknown;
        let before = known(step.before).then(|| Situation {
            variant: step.before.variant,
            position: step.before.position,
            cube: step.before.cube,
            turn: Some(step.before.offer.map_or(entry.player, |offer| offer.by)),
            roll: step.roll,
            score: ByPlayer::default(),
            length: self.record.length.map(|length| length.value),
            crawford: false,
            money_rules: money_rules(self.rules),
            doubled: step.before.offer.is_some(),
        });
        let after = known(step.after).then_some(step.after.position);
        let ply = Ply {
            player: entry.player,
            action: action_name(step),
            roll: step.roll,
            play: self.play(step),
            legal: match step.ruling {
                Ruling::Legal => Some(true),
                Ruling::Illegal => Some(false),
                Ruling::Unknown => None,
            },
            before,
            after,
            cube_value: step.after.offer.map(|offer| offer.value),
            comment: entry
                .extra
                .as_deref()
                .and_then(|extra| extra.comment.clone()),
            analysis: entry
                .extra
                .as_deref()
                .map_or_else(Vec::new, |extra| extra.analysis.clone()),
            bank: self
                .banks
                .as_ref()
                .and_then(|banks| *banks.get(step.game)?.get(step.index)?),
            row: Some(entry.row).filter(|&row| row > 0),
            span: entry.span,
        };
        if let Some((.., plies)) = self.games.last_mut() {
            plies.push(ply);
        }
    }
}

impl Shower<'_> {
    /// The play in our notation if it is legal, as written if not.
    fn play(&self, step: &Step<'_>) -> Option<String> {
        let Action::Play {
            roll: dice, play, ..
        } = step.entry.action
        else {
            return None;
        };
        if let (Some(roll), true, Ruling::Legal) = (
            step.roll,
            step.before.known != crate::replay::Known::Unknown,
            step.ruling,
        ) {
            let mut plays = Plays::new();
            let before = step.before;
            let player = step.entry.player;
            before
                .variant
                .legal_plays(&before.position, player, roll, &mut plays);
            if let Some(play) = plays.leading_to(&step.after.position) {
                return Some(play.to_string());
            }
        }
        match play {
            WrittenPlay::Moves(play) => Some(Play::to_string(&play)),
            _ => None,
        }
        .or_else(|| {
            // `31: ????`; in other formats what stands behind a colon is no play.
            let (before, play) = self.source.slice(step.entry.span).split_once(':')?;
            let is_roll = before.trim_end().ends_with(&dice.to_string());
            Some(play.trim().to_owned()).filter(|play| is_roll && !play.is_empty())
        })
    }
}

/// The word for an action in the JSON output.
fn action_name(step: &Step<'_>) -> &'static str {
    let Entry { action, .. } = step.entry;
    match action {
        Action::Play {
            play: WrittenPlay::Moves(_),
            ..
        } => "play",
        Action::Play {
            play: WrittenPlay::CannotMove,
            ..
        } => "no-play",
        Action::Play {
            play: WrittenPlay::NotRecorded,
            ..
        } if step.before.position == step.after.position => "unrecorded",
        Action::Play { play, .. } => {
            let can_play = step.roll.is_some_and(|roll| {
                let before = step.before;
                before
                    .variant
                    .can_play(&before.position, step.entry.player, roll)
            });
            match (step.before.position == step.after.position, can_play, play) {
                (false, ..) => "play",
                (true, false, _) => "no-play",
                (true, true, _) => "unrecorded",
            }
        }
        Action::Double { .. } => "double",
        Action::Beaver { .. } => "beaver",
        Action::Raccoon { .. } => "raccoon",
        Action::Take => "take",
        Action::Pass => "pass",
        Action::Resign { .. } | Action::TimeOut | Action::NoRoll => "resign",
        Action::Accept => "accept",
        Action::Reject => "reject",
        Action::Set => "setup",
        Action::Unreadable => "unreadable",
    }
}
