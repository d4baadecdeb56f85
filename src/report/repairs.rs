//! What was meant, put into findings: the advice, and the place of the cause.

use super::limits::Deadline;
use super::{CheckOptions, Judge, Room, format_of, not_read};
use crate::board::Player;
use crate::diagnostic::{Context, Finding, Findings, JudgedPlay, Label, Level, SuggestedRepair};
use crate::formats::NotThisFormat;
use crate::record::{GameRecord, MatchRecord};
use crate::repair::{Edit, Explanation, Limits, Repair, Suspects, search};
use crate::replay::{Fault, MatchSummary, State, Step, Visitor, rules_for, walk};
use crate::rules::Telling;
use crate::ruleset::RuleSet;
use crate::source::{Source, Span};
use crate::suppress::Allows;

/// How many changes the advice names.
const NAMED: usize = 3;

/// A game that does not hold, and what explains that.
#[derive(Debug)]
pub struct GameRepairs {
    /// The game in the match, from 0.
    pub game: usize,
    /// The faults that are explained, one after the other.
    pub explained: Vec<Explained>,
    /// The limit that ended the search before its time.
    pub limit: Option<&'static str>,
}

/// A finding and what explains it.
#[derive(Debug)]
pub struct Explained {
    /// The code of the finding.
    pub code: &'static str,
    /// Where it is.
    pub place: Span,
    /// What explains it.
    pub explanation: Explanation,
}

/// Takes a match, its number in the source from 0, and its games that do not hold.
pub type RepairSink<'a> = dyn FnMut(&MatchRecord, usize, Vec<GameRepairs>) + 'a;

/// Looks for what explains the games of a source that do not hold. What a line of the source allows is left alone.
///
/// # Errors
///
/// The source is of no known format, or not of the one asked for.
pub fn repairs_of(
    source: &Source,
    options: &CheckOptions,
    sink: &mut RepairSink<'_>,
) -> Result<(), NotThisFormat> {
    let format = format_of(source, options.format)?;
    let read = format.read.ok_or_else(|| not_read(format))?;
    let limits = options.repairs.unwrap_or_default();
    let mut number = 0;
    read(source, &mut |record, _: &mut Findings| {
        let rules = rules_for(record, &options.rules);
        let telling = Telling {
            record,
            rules: &rules,
            source,
            match_number: number as u32 + 1,
        };
        let mut findings = Vec::new();
        let (mut room, deadline) = (Room::wide(), Deadline::never());
        let mut judge = Judge {
            telling,
            findings: &mut findings,
            unmarked: &mut None,
            room: &mut room,
            deadline: &deadline,
            suspects: Suspects::default(),
        };
        let summary = walk(record, &rules, &mut judge);
        let suspects = judge.suspects;
        if suspects.games().next().is_some() {
            let mut allows = Allows::default();
            allows.add(record, source, number as u32 + 1);
            allows.apply(&mut findings, &mut Vec::new());
            let games = explained(telling, &summary, &suspects, limits, &mut findings);
            sink(record, number, games);
        }
        number += 1;
    })
}

/// What a check may spend on what was meant, for a whole input: else a file with thousands of broken games would take
/// an hour, and one with a million matches would be read at the speed of the search.
#[derive(Debug)]
pub(super) struct Budget {
    limits: Limits,
    /// The changes that may still be tried: counted and not timed, so that the same input gives the same findings.
    changes: u64,
    /// Whether it was told that they are used up.
    is_told: bool,
}

/// How many changes are tried for an input: less than a second's work, and enough for a score of broken games.
const CHANGES: u64 = 100_000;
/// What a search costs before the first change, in changes.
const EACH: u64 = 20;

impl Budget {
    /// For an input, with these limits for each of its games.
    pub(super) fn new(limits: Limits) -> Budget {
        Budget {
            limits,
            changes: CHANGES,
            is_told: false,
        }
    }

    /// Adds to the findings of a match what explains them.
    pub(super) fn add(
        &mut self,
        telling: Telling<'_>,
        summary: &MatchSummary,
        suspects: &Suspects,
        deadline: &Deadline,
        findings: &mut [Finding],
    ) {
        for game in suspects.games() {
            if self.changes == 0 {
                self.used_up(game, findings);
                return;
            }
            let limits = Limits {
                changes: self.limits.changes.min(self.changes),
                // The changes end the search of an honest input, so that the same input gives the same findings.
                time: deadline.left(),
                ..self.limits
            };
            if let Some((_, changes)) = of_game(telling, summary, game, limits, findings) {
                self.changes = self.changes.saturating_sub(changes + EACH);
            }
        }
    }

    /// Says once where the search has ended for this input.
    fn used_up(&mut self, game: usize, findings: &mut [Finding]) {
        if self.is_told {
            return;
        }
        if let Some(finding) = first_of(findings, game) {
            self.is_told = true;
            advise(
                finding,
                "what was meant is not looked for from here on: so many games of this input are broken; tawla fix \
                 looks for it in all of them",
            );
        }
    }
}

fn explained(
    telling: Telling<'_>,
    summary: &MatchSummary,
    suspects: &Suspects,
    limits: Limits,
    findings: &mut [Finding],
) -> Vec<GameRepairs> {
    let games = suspects.games();
    let found = games.filter_map(|game| of_game(telling, summary, game, limits, findings));
    found.map(|(repairs, _)| repairs).collect()
}

/// What explains the findings of a game, and how many changes were tried; `None` if there is no such game.
fn of_game(
    telling: Telling<'_>,
    summary: &MatchSummary,
    game: usize,
    limits: Limits,
    findings: &mut [Finding],
) -> Option<(GameRepairs, u64)> {
    let (record, summary) = (telling.record.games.get(game)?, summary.games.get(game)?);
    let found = search(telling.record, telling.rules, game, summary, limits);
    let mut repairs = GameRepairs {
        game,
        explained: Vec::new(),
        limit: found.limit,
    };
    for explanation in found.explanations {
        let place = explanation.fault.and_then(|span| action_at(record, span));
        let Some(finding) = finding_at(findings, game, place) else {
            // Allowed, or not one that is told: what comes behind it holds only with it repaired.
            break;
        };
        let (code, place) = (finding.rule.code, finding.primary.span);
        explain(
            &telling,
            record,
            &explanation,
            found.limit.is_none(),
            finding,
        );
        if let Some(limit) = found.limit {
            advise(finding, &ended(limit));
        }
        repairs.explained.push(Explained {
            code,
            place,
            explanation,
        });
    }
    if let (Some(limit), true) = (found.limit, repairs.explained.is_empty())
        && let Some(finding) = first_of(findings, game)
    {
        advise(finding, &ended(limit));
    }
    Some((repairs, found.changes))
}

/// The first finding of a game that is more than a note.
fn first_of(findings: &mut [Finding], game: usize) -> Option<&mut Finding> {
    let number = u32::try_from(game + 1).ok();
    let mut findings = findings.iter_mut();
    findings.find(|found| found.context.game == number && found.level > Level::Note)
}

fn ended(limit: &str) -> String {
    format!("the search for what was meant ended at its limit of {limit}")
}

/// The action that is written at a place.
fn action_at(game: &GameRecord, span: Span) -> Option<usize> {
    let mut entries = game.entries.iter();
    entries.position(|entry| entry.span == span)
}

/// The finding of an action, or of the result of a game.
fn finding_at(
    findings: &mut [Finding],
    game: usize,
    action: Option<usize>,
) -> Option<&mut Finding> {
    let number = |index: usize| u32::try_from(index).ok()?.checked_add(1);
    let (game, ply) = (number(game), action.and_then(number));
    let is_it = |finding: &&mut Finding| {
        finding.context.game == game
            && finding.context.ply == ply
            && finding.level > Level::Note
            && finding.repairs.is_empty()
    };
    findings.iter_mut().find(is_it)
}

fn explain(
    telling: &Telling<'_>,
    game: &GameRecord,
    explanation: &Explanation,
    is_whole: bool,
    finding: &mut Finding,
) {
    finding.repairs = (explanation.repairs.iter())
        .map(|repair| SuggestedRepair {
            kind: repair.slip.kind,
            span: place(repair),
            written: telling.source.slice(place(repair)).trim().to_owned(),
            suggested: repair.suggested.clone(),
            explains_plies: repair.explains,
            fits_result: repair.fits_result,
            cost: repair.cost,
        })
        .collect();
    let Some(likeliest) = explanation.likeliest() else {
        let named: Vec<String> = (explanation.repairs.iter().take(NAMED))
            .map(|repair| {
                format!(
                    "{} {}",
                    change(telling.record, repair),
                    there(telling, finding, repair)
                )
            })
            .collect();
        let more = explanation.repairs.len().saturating_sub(named.len());
        let more = match more {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        let text = format!(
            "several changes explain it equally well: {}{more}",
            named.join("; ")
        );
        return advise(finding, &text);
    };
    let advice = |here: &str| {
        let others = match explanation.repairs.len() - 1 {
            0 => String::new(),
            1 => "; a less likely change does as well".to_owned(),
            others => format!("; {others} less likely changes do as well"),
        };
        format!(
            "{} {here}, {}{others}",
            change(telling.record, likeliest),
            outcome(likeliest)
        )
    };
    let is_earlier = place(likeliest).start < finding.primary.span.start;
    if is_earlier && is_whole && !matches!(likeliest.edit, Edit::Result(_)) {
        move_to(telling, game, likeliest, finding);
        return advise(finding, &advice(here(likeliest)));
    }
    let there = there(telling, finding, likeliest);
    advise(finding, &advice(&there));
}

/// Where a change is made.
fn place(repair: &Repair) -> Span {
    repair.span
}

/// The finding points at the cause, and what it was found by becomes a further place.
fn move_to(telling: &Telling<'_>, game: &GameRecord, repair: &Repair, finding: &mut Finding) {
    let cause = Label {
        span: place(repair),
        text: format!("the likeliest cause: {}", repair.slip.title),
    };
    let later = std::mem::replace(&mut finding.primary, cause);
    finding.secondary.insert(0, later);
    let Some(index) = action_at(game, repair.span) else {
        return;
    };
    let number = finding.context.game.unwrap_or(1) as usize - 1;
    let entry = &game.entries[index];
    finding.context = Context {
        ply: u32::try_from(index + 1).ok(),
        move_number: Some(entry.row).filter(|&row| row > 0),
        player: Some(entry.player),
        roll: match entry.action {
            crate::record::Action::Play { roll, .. } => roll.roll(),
            _ => None,
        },
        ..finding.context
    };
    if let Some(play) = &mut finding.play {
        let at = StateAt::of(telling.record, telling.rules, (number, index));
        **play = JudgedPlay {
            reported: play.reported,
            stands: play.stands,
            ..telling.judged_at(number, index, at.state.as_ref())
        };
    }
}

/// The state before one action of a match.
struct StateAt {
    place: (usize, usize),
    state: Option<State>,
}

impl StateAt {
    fn of(record: &MatchRecord, rules: &RuleSet, place: (usize, usize)) -> StateAt {
        let mut at = StateAt { place, state: None };
        walk(record, rules, &mut at);
        at
    }
}

impl Visitor for StateAt {
    const WANTS_STEPS: bool = true;

    fn step(&mut self, step: &Step<'_>) {
        if (step.game, step.index) == self.place {
            self.state = Some(*step.before);
        }
    }

    fn fault(&mut self, _: Fault<'_>) {}
}

/// Adds a line of advice, the first one.
fn advise(finding: &mut Finding, text: &str) {
    finding.help = Some(match finding.help.take() {
        Some(help) => format!("{text}\n{help}"),
        None => text.to_owned(),
    });
}

/// The words for the place of a change that is where the finding points, or stands behind the words.
fn here(repair: &Repair) -> &'static str {
    match &repair.edit {
        Edit::Swap { .. } => "from here on",
        Edit::Insert { .. } => "before this",
        Edit::Remove { .. } | Edit::Replace { .. } | Edit::Result(_) => "here",
    }
}

fn there(telling: &Telling<'_>, finding: &Finding, repair: &Repair) -> String {
    if place(repair).start == finding.primary.span.start {
        return here(repair).to_owned();
    }
    at_line(repair, telling.source.line_column(place(repair).start).line)
}

fn at_line(repair: &Repair, line: u64) -> String {
    match &repair.edit {
        Edit::Swap { .. } => format!("from line {line} on"),
        Edit::Insert { .. } => format!("before line {line}"),
        _ => format!("in line {line}"),
    }
}

/// A change in words, with its place as a line: `with 13/7 8/7 in line 12, the remaining 23 plies are legal`.
pub fn repair_words(source: &Source, record: &MatchRecord, repair: &Repair) -> String {
    let line = source.line_column(place(repair).start).line;
    let place = at_line(repair, line);
    format!("{} {place}, {}", change(record, repair), outcome(repair))
}

/// `with 13/7 8/7`, `without this turn`: what is changed.
fn change(record: &MatchRecord, repair: &Repair) -> String {
    let name = |player: Player| match record.names[player].trim() {
        "" => ["the left player", "the right player"][player.index()].to_owned(),
        name => name.to_owned(),
    };
    let shifted = |shifts: bool| {
        if shifts {
            " and what follows exchanged"
        } else {
            ""
        }
    };
    match &repair.edit {
        Edit::Replace { .. } => match repair.suggested.split_once(": ") {
            Some((_, play)) if !is_about_dice(repair) => format!("with {play}"),
            _ => format!("with {}", repair.suggested.trim_end_matches(':')),
        },
        Edit::Insert { entry, shifts, .. } => {
            let what = match entry.action {
                crate::record::Action::Play { .. } if repair.slip.kind == "dance-left-out" => {
                    format!("a turn without a play of {}", name(entry.player))
                }
                crate::record::Action::Play { .. } if repair.ways == 1 => {
                    format!("{} of {}", repair.suggested, name(entry.player))
                }
                crate::record::Action::Play { .. } => format!(
                    "one of {} turns of {} that fit",
                    repair.ways,
                    name(entry.player)
                ),
                crate::record::Action::Take => format!("a take of {}", name(entry.player)),
                crate::record::Action::Pass => format!("a pass of {}", name(entry.player)),
                _ => format!("a double of {}", name(entry.player)),
            };
            format!("with {what}{}", shifted(*shifts))
        }
        Edit::Remove {
            count: 1, shifts, ..
        } => {
            format!("without {}{}", what_is(repair), shifted(*shifts))
        }
        Edit::Remove { .. } => "without the two turns".to_owned(),
        Edit::Swap { .. } => "with the players exchanged".to_owned(),
        Edit::Result(result) => match (result.winner, result.points) {
            (Some(winner), Some(points)) => {
                let plural = if points == 1 { "" } else { "s" };
                format!("with {points} point{plural} for {}", name(winner))
            }
            (Some(winner), None) => format!("with a win of {}", name(winner)),
            _ => "with another result".to_owned(),
        },
    }
}

fn what_is(repair: &Repair) -> &'static str {
    match repair.slip.kind {
        "answer-too-many" => "the answer",
        _ => "the turn",
    }
}

fn is_about_dice(repair: &Repair) -> bool {
    matches!(repair.slip.kind, "die" | "neighbour-dice" | "roll")
}

/// `the remaining 23 plies are legal and the result fits`.
fn outcome(repair: &Repair) -> String {
    let (explains, later) = (repair.explains, repair.later);
    let legal = match later {
        0 => "the game is legal".to_owned(),
        1 if explains == 1 => "the remaining ply is legal".to_owned(),
        _ if explains == later => format!("the remaining {later} plies are legal"),
        _ => format!("{explains} of the {later} plies behind are legal"),
    };
    match repair.fits_result {
        Some(true) => format!("{legal} and the result fits"),
        _ => legal,
    }
}
