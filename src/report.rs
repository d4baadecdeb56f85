//! A source checked: its matches as computed, and everything that was found.

mod limits;
mod repairs;

use std::cell::Cell;
use std::fmt::Write as _;
use std::ops::ControlFlow;

pub use limits::read_within;

use crate::board::{ByPlayer, Cube, Length, Play, Player, Plays, Position, Roll};
use crate::diagnostic::{Finding, Findings, Situation, syntax};
use crate::formats::{self, Format, NotThisFormat};
use crate::record::{Action, Entry, MadeGame, MatchRecord, WrittenPlay, analysis};
use crate::repair::{Limits, Suspects};
use crate::replay::{
    Fault, FaultKind, MatchSummary, Ruling, State, Step, Visitor, banks, rules_for, walk, walk_made,
};
use crate::rules::Telling;
use crate::ruleset::{RuleOptions, RuleSet};
use crate::source::{Source, Span};
use crate::suppress::{Allows, Suppressed};

use limits::{Deadline, read_made_within, read_until};
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
    /// How long the earlier pieces were, in bytes.
    length: usize,
    /// What is left for looking for what was meant, if that is wanted.
    budget: Option<Budget>,
    way: Way,
}

/// In how many bytes of an input the findings that are told are limited.
const LIMITED: usize = 16 << 20;

/// Whether a piece is first read without keeping its plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// If the inputs before have shown that it pays.
    Learned,
    /// Always.
    Made,
    /// Never.
    InFull,
}

/// Whether it pays to read a piece without keeping its plays. That takes two thirds of the time, but if there is
/// anything to be told it is lost time, and most archives have much to be told in nearly all files or in few.
#[derive(Debug, Clone, Copy)]
struct Tries {
    /// One more for each trial that was lost time, one less for each that was not.
    failures: u32,
    /// How many pieces are read in full before the next one.
    pause: u32,
}

impl Tries {
    /// At the most, one piece in so many powers of two is a trial.
    const MOST: u32 = 6;
    const NONE: Tries = Tries {
        failures: 0,
        pause: 0,
    };

    /// Whether the next piece should be one.
    fn is_due(&mut self) -> bool {
        let is_due = self.pause == 0;
        self.pause = self.pause.saturating_sub(1);
        is_due
    }

    /// How it went.
    fn went(&mut self, was_useful: bool) {
        self.failures = match was_useful {
            true => self.failures.saturating_sub(1),
            false => (self.failures + 1).min(Tries::MOST),
        };
        self.pause = (1 << self.failures) - 1;
    }
}

thread_local! {
    /// What the inputs of this thread have shown; what comes of an input does not depend on it.
    static TRIES: Cell<Tries> = const { Cell::new(Tries::NONE) };
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
            length: 0,
            budget: options.repairs.map(Budget::new),
            way: Way::Learned,
        }
    }

    /// The same, keeping every play even where there is nothing to be told (`true`), or keeping none before there is
    /// (`false`), and not what has paid on the inputs before. What comes of it is the same.
    #[must_use]
    pub fn in_full(mut self, in_full: bool) -> Checker<'a> {
        self.way = if in_full { Way::InFull } else { Way::Made };
        self
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
        self.report.findings.clear();
        self.report.suppressed.clear();
        let options = self.options;
        // A long archive may have more to tell than a file, and no more of it in the same space.
        let spaces = 1 + self.length / LIMITED;
        self.length += source.text().len();
        let most = source.limits().findings.saturating_mul(spaces);
        let left = most.saturating_sub(self.told);
        let mut piece = Piece::new(self, source, deadline, left);
        let reached = match piece.read_made()? {
            true => None,
            false => {
                let format = piece.checker.report.format;
                read_until(format, source, deadline, &mut |record, findings| {
                    piece.add(record, findings);
                })?
            }
        };
        let Piece {
            allows,
            unmarked,
            room,
            ..
        } = piece;
        let report = &mut self.report;
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
                true => most,
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

/// A piece of an input while it is read.
struct Piece<'c, 'a> {
    checker: &'c mut Checker<'a>,
    source: &'c Source,
    deadline: &'c Deadline,
    /// How many matches the pieces before it had.
    before: u32,
    allows: Allows,
    unmarked: Option<Finding>,
    room: Room<'a>,
}

impl<'c, 'a> Piece<'c, 'a> {
    /// A piece of which so many findings may be told.
    fn new(
        checker: &'c mut Checker<'a>,
        source: &'c Source,
        deadline: &'c Deadline,
        left: usize,
    ) -> Piece<'c, 'a> {
        let before = checker.report.totals.matches as u32;
        let room = Room {
            unseen: &checker.options.unseen,
            left: left.min(Findings::MOST),
            others: Findings::MOST,
            is_full: checker.told_limit,
        };
        Piece {
            checker,
            source,
            deadline,
            before,
            allows: Allows::default(),
            unmarked: None,
            room,
        }
    }

    /// Reads the piece without keeping its plays. False if there is anything to be told of its matches: then it must
    /// be read in full, and it is as if nothing had been read.
    fn read_made(&mut self) -> Result<bool, NotThisFormat> {
        let checker = &mut *self.checker;
        let (format, report) = (checker.report.format, &checker.report);
        let mut tries = TRIES.get();
        let is_due = match checker.way {
            Way::Learned => format.read_made.is_some() && tries.is_due(),
            Way::Made => true,
            Way::InFull => false,
        };
        TRIES.set(tries);
        if !is_due {
            return Ok(false);
        }
        let (totals, dialect, matches) = (report.totals, report.dialect, report.matches.len());
        let rules: Vec<u64> = report.rules.iter().map(|&(.., matches)| matches).collect();
        let (room, source, deadline) = (self.room, self.source, self.deadline);
        let is_read = read_made_within(format, source, deadline, &mut |record, made, findings| {
            self.add_made(record, made, findings)
        })?;
        tries.went(is_read);
        TRIES.set(tries);
        if is_read {
            return Ok(true);
        }
        let report = &mut self.checker.report;
        report.findings.clear();
        (report.totals, report.dialect) = (totals, dialect);
        report.matches.truncate(matches);
        report.rules.truncate(rules.len());
        for ((.., matches), before) in report.rules.iter_mut().zip(rules) {
            *matches = before;
        }
        self.allows = Allows::default();
        self.room = room;
        Ok(false)
    }

    /// Adds a match of which the plays were made; false if there is something to be told of it.
    fn add_made(
        &mut self,
        record: &MatchRecord,
        made: &[MadeGame],
        findings: &mut Findings,
    ) -> bool {
        let rules = rules_for(record, &self.checker.options.rules);
        let Some(summary) = walk_made(record, made, &rules) else {
            return false;
        };
        self.findings(findings);
        let plies = summary.games.iter().map(|game| u64::from(game.plies)).sum();
        self.enter(record, rules, summary, plies);
        true
    }

    /// Adds a match.
    fn add(&mut self, record: &MatchRecord, findings: &mut Findings) {
        self.findings(findings);
        let deadline = self.deadline;
        let report = &mut self.checker.report;
        let rules = rules_for(record, &self.checker.options.rules);
        let telling = Telling {
            record,
            rules: &rules,
            source: self.source,
            match_number: report.totals.matches as u32 + 1,
        };
        let first = report.findings.len();
        let mut judge = Judge {
            telling,
            findings: &mut report.findings,
            unmarked: &mut self.unmarked,
            room: &mut self.room,
            deadline,
            suspects: Suspects::default(),
        };
        let summary = walk(record, &rules, &mut judge);
        let suspects = judge.suspects;
        if deadline.is_over() {
            return;
        }
        let is_full = self.room.is_full;
        if let Some(budget) = self.checker.budget.as_mut().filter(|_| !is_full) {
            let found = &mut report.findings[first..];
            budget.add(telling, &summary, &suspects, deadline, found);
        }
        let plies = record.games.iter().map(|game| game.entries.len() as u64);
        self.enter(record, rules, summary, plies.sum());
    }

    /// Takes over what the reader has found.
    fn findings(&mut self, findings: &mut Findings) {
        self.room.is_full |= findings.is_full();
        for mut finding in findings.take() {
            let number = finding.context.match_number;
            finding.context.match_number = number.map(|number| number + self.before);
            self.room.push(finding, &mut self.checker.report.findings);
        }
    }

    /// Enters a match into the report.
    fn enter(&mut self, record: &MatchRecord, rules: RuleSet, summary: MatchSummary, plies: u64) {
        let report = &mut self.checker.report;
        let is_money = record
            .length
            .is_some_and(|length| length.value == Length::Money);
        count_rules(&mut report.rules, &rules, is_money);
        report.totals.matches += 1;
        let number = report.totals.matches as u32;
        self.allows.add(record, self.source, number);
        report.totals.games += record.games.len() as u64;
        report.totals.plies += plies;
        let dialect = record.dialect.map(|dialect| dialect.name);
        report.dialect = report.dialect.or(dialect);
        if self.checker.options.matches {
            report.matches.push(MatchReport {
                length: record.length.map(|length| length.value),
                names: record.names.clone(),
                rules,
                summary,
                analysis: FileAnalysis::of(record),
            });
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
#[derive(Clone, Copy)]
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
    /// How many plays were legal. `None`: nothing was rolled, or the position before it is unknown.
    pub legal_plays: Option<usize>,
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
        plays: Plays::new(),
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
    /// What was legal instead of the action that is looked at.
    plays: Plays,
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
        let legal_plays = self.list_legal_plays(step);
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
            legal_plays,
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
    /// Lists the plays that are legal instead of the action, and counts them.
    fn list_legal_plays(&mut self, step: &Step<'_>) -> Option<usize> {
        let (before, roll) = (step.before, step.roll?);
        if before.known == crate::replay::Known::Unknown {
            return None;
        }
        let (variant, player) = (before.variant, step.entry.player);
        variant.legal_plays(&before.position, player, roll, &mut self.plays);
        Some(self.plays.len())
    }

    /// The play in our notation if it is legal, as written if not; of the plays that were listed.
    fn play(&self, step: &Step<'_>) -> Option<String> {
        let Action::Play {
            roll: dice, play, ..
        } = step.entry.action
        else {
            return None;
        };
        if step.ruling == Ruling::Legal
            && step.roll.is_some()
            && step.before.known != crate::replay::Known::Unknown
            && let Some(play) = self.plays.leading_to(&step.after.position)
        {
            let mut text = String::with_capacity(24);
            // A string takes everything.
            let _ = write!(text, "{play}");
            return Some(text);
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// What a source comes to, read in one way or the other.
    fn checked(text: &[u8], in_full: bool) -> Option<String> {
        let source = Source::new("a.mat", text.to_vec(), None).expect("a source");
        let format = formats::by_name("mat").expect("a format");
        let options = CheckOptions {
            matches: true,
            ..CheckOptions::default()
        };
        let mut checker = Checker::new(format, &options).in_full(in_full);
        checker.read(&source).ok()?;
        Some(format!("{:#?}", checker.report()))
    }

    /// All transcripts below a folder.
    fn transcripts(folder: &Path, found: &mut Vec<Vec<u8>>) {
        let entries = fs::read_dir(folder).expect("a folder");
        let mut paths: Vec<_> = entries
            .map(|entry| entry.expect("an entry").path())
            .collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                transcripts(&path, found);
            } else if path
                .extension()
                .is_some_and(|it| it == "mat" || it == "txt")
            {
                found.push(fs::read(&path).expect("a fixture"));
            }
        }
    }

    /// Whether the plays of a source are made while it is read, and none of them kept.
    fn is_made(text: &[u8]) -> bool {
        let source = Source::new("a.mat", text.to_vec(), None).expect("a source");
        let options = CheckOptions::default();
        let format = formats::by_name("mat").expect("a format");
        let mut checker = Checker::new(format, &options).in_full(false);
        Piece::new(&mut checker, &source, &Deadline::of(&source), usize::MAX)
            .read_made()
            .is_ok_and(|made| made)
    }

    #[test]
    fn what_only_the_state_between_plays_shows_is_told_where_they_are_made() {
        let of = |rows: &str| {
            let text = format!(
                " 2 point match\n\n Game 1\n Ann : 0                         Bea : 0\n\
                 {rows}      Wins 2 points and the match\n"
            );
            (is_made(text.as_bytes()), checked(text.as_bytes(), false))
        };
        const OPENING: &str = "  1) 31: 8/5 6/5                 42: 8/4 6/4\n";
        const DOUBLE: &str = "  2)  Doubles => 2                Takes\n";
        const LAST: &str = "  3) 65: 24/13                   52: 13/8 24/22\n";
        assert!(of(&format!("{OPENING}{DOUBLE}{LAST}")).0);
        let faulty = [
            // Who took does not roll first.
            (
                format!("{OPENING}{DOUBLE}  3)                             65: 24/13\n"),
                "out-of-turn",
            ),
            // Nobody answered.
            (
                format!("{OPENING}  2)  Doubles => 2\n{LAST}"),
                "double-unanswered",
            ),
            // Who has rolled does not double.
            (
                format!("{OPENING}  2) 65: 24/13\n  3)  Doubles => 2                Takes\n"),
                "out-of-turn",
            ),
            // Nobody doubles before the first roll.
            (
                format!(
                    "  1)  Doubles => 2                Takes\n{}",
                    LAST.replace("3)", "2)")
                ),
                "double-without-access",
            ),
        ];
        for (text, code) in faulty {
            let (is_made, found) = of(&text);
            assert!(!is_made, "{text}");
            let found = found.unwrap_or_default();
            assert!(found.contains(code), "{text}{found}");
        }
    }

    #[test]
    fn plays_made_while_reading_change_nothing_that_is_told() {
        let seed = 0x07a1_7a00_0bad_c0de_u64;
        let mut state = seed;
        let mut next = |most: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % most as u64) as usize
        };
        let mut texts = Vec::new();
        transcripts(Path::new("fixtures"), &mut texts);
        let (mut made, mut other) = (0, 0);
        for (number, text) in texts.iter().enumerate().filter(|(_, it)| it.len() < 20_000) {
            // Where nothing is wrong there is more to go wrong.
            let rounds = if is_made(text) { 200 } else { 4 };
            for round in 0..rounds {
                // As it is, and then with a byte or two that are something else.
                let mut changed = text.clone();
                for _ in 0..if changed.is_empty() { 0 } else { round.min(2) } {
                    let bytes = b"0123456789 */:)\nBDTWab-(";
                    let at = next(changed.len());
                    changed[at] = bytes[next(bytes.len())];
                }
                let found = checked(&changed, false);
                assert!(
                    found == checked(&changed, true),
                    "seed {seed:#x}, transcript {number}, round {round}:\n{}",
                    String::from_utf8_lossy(&changed)
                );
                match is_made(&changed) {
                    true => made += 1,
                    false => other += 1,
                }
            }
        }
        assert!(made > 500 && other > 1000, "{made} made, {other} not");
    }
}
