//! Findings that the transcript itself allows: `; tawla: allow dice-left the referee saw it`.
//!
//! The lines are looked for in the comments of a record and not in the text, so that every format that keeps
//! comments has them: a line behind a semicolon in match text, a `C` property in a game tree, a comment in
//! our own record. Before the first game such a line counts for the match, within a game for that game: a
//! table of exceptions by place would break with every line that is added.

use crate::diagnostic::{Context, Finding};
use crate::record::{GameRecord, MatchRecord};
use crate::rules::allow::{ALLOW_UNKNOWN, ALLOW_UNUSED};
use crate::rules::{all, by_code};
use crate::ruleset::nearest;
use crate::source::{Source, Span};

/// A finding that a line of the transcript allows.
#[derive(Debug, Clone)]
pub struct Suppressed {
    /// What was found.
    pub finding: Finding,
    /// Where it is allowed.
    pub allowed: Span,
    /// Why, in the words of the transcript; empty if they are missing.
    pub reason: String,
}

/// The instructions in the comments of the matches of a source.
#[derive(Debug, Default)]
pub struct Allows {
    lines: Vec<Allow>,
    unknown: Vec<Finding>,
    /// Whether the source may have any: looked for once, at its first match.
    may_have: Option<bool>,
}

/// One code of one line.
#[derive(Debug)]
struct Allow {
    code: &'static str,
    reason: String,
    span: Span,
    match_number: u32,
    /// `None`: the whole match.
    game: Option<u32>,
    is_used: bool,
}

impl Allow {
    fn silences(&self, finding: &Finding) -> bool {
        let context = &finding.context;
        let is_here = match self.game {
            // What belongs to no match belongs to each of the file.
            None => context
                .match_number
                .is_none_or(|number| number == self.match_number),
            Some(_) => context.match_number == Some(self.match_number) && context.game == self.game,
        };
        is_here && finding.rule.code == self.code
    }
}

impl Allows {
    /// Adds those of a match, the `match_number`th of its file.
    pub fn add(&mut self, record: &MatchRecord, source: &Source, match_number: u32) {
        // Almost no text has any, and looking once through it is cheaper than looking at every entry.
        let may_have = *self.may_have.get_or_insert_with(|| {
            let is_text = source.encoding() != "binary";
            !is_text || memchr::memmem::find(source.text().as_bytes(), b"awla:").is_some()
        });
        if !may_have {
            return;
        }
        for comment in &record.comments {
            let game = game_at(record, comment.span);
            self.comment(&comment.value, match_number, game, |line| {
                within(source, comment.span, line)
            });
        }
        for (number, game) in (1..).zip(&record.games) {
            let range = range_of(record, number as usize, source);
            for comment in &game.comments {
                self.comment(&comment.value, match_number, Some(number), |line| {
                    nearest_place(source, range, comment.span, line)
                });
            }
            self.entries(game, source, match_number, number, range);
        }
    }

    fn entries(
        &mut self,
        game: &GameRecord,
        source: &Source,
        match_number: u32,
        number: u32,
        range: Span,
    ) {
        for entry in &game.entries {
            let comment = entry
                .extra
                .as_deref()
                .and_then(|extra| extra.comment.as_deref());
            if let Some(comment) = comment {
                self.comment(comment, match_number, Some(number), |line| {
                    nearest_place(source, range, entry.span, line)
                });
            }
        }
    }

    /// Takes the instructions out of a comment; `place` says where a line of it stands.
    fn comment(
        &mut self,
        text: &str,
        match_number: u32,
        game: Option<u32>,
        place: impl Fn(&str) -> Span,
    ) {
        for line in text.lines().map(str::trim) {
            let Some(words) = instruction(line) else {
                continue;
            };
            let span = place(line);
            let context = Context {
                match_number: Some(match_number),
                game,
                ..Context::default()
            };
            let Some(words) = allow(words) else {
                let finding = Finding::new(
                    &ALLOW_UNKNOWN,
                    span,
                    "a line for tawla that it does not know",
                    "only allow is known",
                );
                let help = "write: tawla: allow CODE reason";
                self.unknown.push(finding.help(help).within(context));
                continue;
            };
            let (codes, reason) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
            for code in codes
                .split(',')
                .filter(|code| !code.is_empty() || codes.is_empty())
            {
                match by_code(&code.to_ascii_lowercase()) {
                    Some(rule) => self.lines.push(Allow {
                        code: rule.code,
                        reason: reason.trim().to_owned(),
                        span,
                        match_number,
                        game,
                        is_used: false,
                    }),
                    None => self.unknown.push(unknown(code, span).within(context)),
                }
            }
        }
    }

    /// Moves what is allowed from the findings of the source to the second list, and adds what is wrong with
    /// the lines themselves.
    pub fn apply(mut self, findings: &mut Vec<Finding>, suppressed: &mut Vec<Suppressed>) {
        let lines = &mut self.lines;
        if !lines.is_empty() {
            let found = std::mem::take(findings);
            for finding in found {
                let mut used = lines.iter_mut().filter(|line| line.silences(&finding));
                let Some(first) = used.next() else {
                    findings.push(finding);
                    continue;
                };
                first.is_used = true;
                suppressed.push(Suppressed {
                    allowed: first.span,
                    reason: first.reason.clone(),
                    finding,
                });
            }
        }
        let unused = lines.iter().filter(|line| !line.is_used).map(|line| {
            let message = format!("{} is allowed here and not found", line.code);
            let label = match line.game {
                Some(_) => "silences nothing in this game",
                None => "silences nothing in this match",
            };
            Finding::new(&ALLOW_UNUSED, line.span, message, label).within(Context {
                match_number: Some(line.match_number),
                game: line.game,
                ..Context::default()
            })
        });
        findings.extend(unused);
        findings.append(&mut self.unknown);
    }
}

/// What stands behind `tawla:`.
fn instruction(line: &str) -> Option<&str> {
    let (name, words) = line.split_once(':')?;
    name.eq_ignore_ascii_case("tawla").then_some(words.trim())
}

/// What stands behind `allow`.
fn allow(words: &str) -> Option<&str> {
    let (word, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    word.eq_ignore_ascii_case("allow").then_some(rest.trim())
}

fn unknown(code: &str, span: Span) -> Finding {
    if code.is_empty() {
        let message = "no code says what is allowed";
        return Finding::new(&ALLOW_UNKNOWN, span, message, "silences nothing");
    }
    let message = format!("{code:?} is no code of a rule");
    let finding = Finding::new(&ALLOW_UNKNOWN, span, message, "silences nothing");
    match nearest(code, all().map(|rule| rule.code)) {
        Some(code) => finding.help(format!("did you mean {code}?")),
        None => finding.help("`tawla explain` lists the codes"),
    }
}

/// The game in whose stretch of the text a comment of the match stands. `None`: before the first.
fn game_at(record: &MatchRecord, span: Span) -> Option<u32> {
    let before = record
        .games
        .iter()
        .take_while(|game| game.heading.start < span.start)
        .count();
    u32::try_from(before).ok().filter(|&games| games > 0)
}

/// From the heading of a game, counted from 1, to that of the next.
fn range_of(record: &MatchRecord, number: usize, source: &Source) -> Span {
    let end = record
        .games
        .get(number)
        .map_or(source.text().len() as u32, |game| game.heading.start);
    Span::new(record.games[number - 1].heading.start.min(end), end)
}

/// Where a line of a comment stands in the place of the whole comment.
fn within(source: &Source, whole: Span, line: &str) -> Span {
    match source.slice(whole).find(line) {
        Some(at) => {
            let start = whole.start + at as u32;
            Span::new(start, start + line.len() as u32)
        }
        None => whole,
    }
}

/// Where a line of a comment stands that was kept without its place: the last one before what it is a comment
/// on, else the first one behind it, else there.
fn nearest_place(source: &Source, range: Span, anchor: Span, line: &str) -> Span {
    let anchor_start = anchor.start.clamp(range.start, range.end);
    let before = Span::new(range.start, anchor_start);
    let behind = Span::new(anchor_start, range.end);
    let found = source
        .slice(before)
        .rfind(line)
        .map(|at| before.start + at as u32)
        .or_else(|| {
            let at = source.slice(behind).find(line)?;
            Some(behind.start + at as u32)
        });
    found.map_or(anchor, |start| Span::new(start, start + line.len() as u32))
}
