//! What is read of an input at most, so that a hostile one costs no more than an honest one.
//!
//! Lines and nesting are measured before a reader sees the text, games and time while it hands over matches.
//! How large a compressed part may become is for the readers of containers. Reaching a limit is a finding that
//! names the limit.

use std::cell::Cell;
use std::time::{Duration, Instant};

use crate::diagnostic::{Finding, Findings, syntax};
use crate::formats::{Format, MadeSink, NotThisFormat, Sink};
use crate::record::{GameRecord, MatchRecord};
use crate::source::{Source, Span, lines};

/// The time that an input, or a piece of a long one, may take.
#[derive(Debug)]
pub(super) struct Deadline {
    start: Instant,
    time: Duration,
    /// How often it is not over yet, whatever the clock says.
    #[cfg(test)]
    pub(super) looks: Cell<u32>,
    /// Where it was found to be over.
    passed: Cell<Option<Span>>,
}

impl Deadline {
    /// For a source, from here on.
    pub(super) fn of(source: &Source) -> Deadline {
        Deadline::after(source.limits().time)
    }

    /// For who has all the time of the world.
    pub(super) fn never() -> Deadline {
        Deadline::after(Duration::MAX)
    }

    fn after(time: Duration) -> Deadline {
        Deadline {
            start: Instant::now(),
            time,
            #[cfg(test)]
            looks: Cell::new(0),
            passed: Cell::new(None),
        }
    }

    /// How much is left.
    pub(super) fn left(&self) -> Duration {
        self.time.saturating_sub(self.start.elapsed())
    }

    /// Whether it was found to be over.
    pub(super) fn is_over(&self) -> bool {
        self.passed.get().is_some()
    }

    /// Looks whether it is over at this place.
    pub(super) fn passes(&self, at: Span) -> bool {
        if self.is_over() {
            return true;
        }
        #[cfg(test)]
        if let Some(left) = self.looks.get().checked_sub(1) {
            self.looks.set(left);
            return false;
        }
        let is_over = self.start.elapsed() > self.time;
        self.passed.set(is_over.then_some(at));
        is_over
    }

    fn finding(&self) -> Option<Finding> {
        let message = format!("reading took longer than {:?}", self.time);
        Some(finding(self.passed.get()?, &message, "--limit-time"))
    }
}

/// Reads the matches of a source within its limits. `Some`: one was reached, and what stands behind it was not
/// handed over.
///
/// # Errors
///
/// The format is not read, or the source is not of it.
pub fn read_within(
    format: &Format,
    source: &Source,
    sink: &mut Sink<'_>,
) -> Result<Option<Finding>, NotThisFormat> {
    read_until(format, source, &Deadline::of(source), sink)
}

/// The same where who takes the matches looks at the clock too.
pub(super) fn read_until(
    format: &Format,
    source: &Source,
    deadline: &Deadline,
    sink: &mut Sink<'_>,
) -> Result<Option<Finding>, NotThisFormat> {
    let read = format.read.ok_or_else(|| super::not_read(format))?;
    if !format.binary {
        let reached = long_line(source).or_else(|| deep(source));
        if reached.is_some() {
            return Ok(reached);
        }
    }
    let limits = source.limits();
    let (most, mut reached) = (limits.games as usize, None);
    read(
        source,
        &mut |record: &MatchRecord, findings: &mut Findings| {
            let first = record.games.first();
            let at = first.map_or(Span::default(), |game| game.heading);
            if reached.is_some() || deadline.passes(at) {
                return;
            }
            if let Some(at) = tag_beyond(record, limits.actions as usize) {
                let message = format!("a header of more than {} tags", limits.actions);
                reached = Some(finding(at, &message, "--limit-actions"));
                sink(&part(record, 0, 0), findings);
            } else if let Some(game) = record.games.get(most) {
                let message = format!("a match of more than {most} games");
                reached = Some(finding(game.heading, &message, "--limit-games"));
                sink(&part(record, most, 0), findings);
            } else if let Some((game, entry)) = beyond(record, limits.actions as usize) {
                let message = format!("a match of more than {} actions", limits.actions);
                let at = record.games[game].entries[entry].span;
                reached = Some(finding(at, &message, "--limit-actions"));
                sink(&part(record, game, entry), findings);
            } else {
                sink(record, findings);
            }
        },
    )?;
    Ok(deadline.finding().or(reached))
}

/// Reads the matches of a source within its limits, without keeping the plays that are beyond doubt. False if that is
/// not possible, or a limit was reached: then [`read_within`] tells more.
///
/// # Errors
///
/// The source is not of the format.
pub(super) fn read_made_within(
    format: &Format,
    source: &Source,
    deadline: &Deadline,
    sink: &mut MadeSink<'_>,
) -> Result<bool, NotThisFormat> {
    let Some(read) = format.read_made else {
        return Ok(false);
    };
    if long_line(source).or_else(|| deep(source)).is_some() {
        return Ok(false);
    }
    let limits = source.limits();
    read(source, &mut |record, made, findings| {
        let plays: u64 = made.iter().map(|game| u64::from(game.plays())).sum();
        let entries = record.games.iter().map(|game| game.entries.len() as u64);
        tag_beyond(record, limits.actions as usize).is_none()
            && record.games.len() <= limits.games as usize
            && plays + entries.sum::<u64>() <= u64::from(limits.actions)
            && !deadline.left().is_zero()
            && sink(record, made, findings)
    })
}

/// The first tag that is more than so many.
fn tag_beyond(record: &MatchRecord, most: usize) -> Option<Span> {
    record.tags.get(most).map(|tag| tag.span)
}

/// The first games of a record, and of the next one, if any are wanted, the first actions; without any, without a
/// header too. What is left out is not copied first: it may be large.
fn part(record: &MatchRecord, games: usize, actions: usize) -> MatchRecord {
    let has_any = games > 0 || actions > 0;
    let mut first = record.games[..games].to_vec();
    if let Some(game) = record.games.get(games).filter(|_| actions > 0) {
        first.push(GameRecord {
            heading: game.heading,
            number: game.number,
            has_score_line: game.has_score_line,
            names: game.names.clone(),
            score: game.score,
            crawford: game.crawford,
            start: game.start.clone(),
            entries: game.entries[..actions].to_vec(),
            result: None,
            comments: game.comments.clone(),
        });
    }
    MatchRecord {
        dialect: record.dialect,
        length: record.length,
        variation: record.variation.clone(),
        tags: if has_any {
            record.tags.clone()
        } else {
            Vec::new()
        },
        comments: if has_any {
            record.comments.clone()
        } else {
            Vec::new()
        },
        names: record.names.clone(),
        ratings: record.ratings.clone(),
        games: first,
        has_hit_marks: record.has_hit_marks,
    }
}

/// The first action, by game and number in it, that is more than so many.
fn beyond(record: &MatchRecord, most: usize) -> Option<(usize, usize)> {
    let mut left = most;
    for (number, game) in record.games.iter().enumerate() {
        if game.entries.len() > left {
            return Some((number, left));
        }
        left -= game.entries.len();
    }
    None
}

/// Says that there was more to say than so many findings; where that is the limit of an input, how to be told more.
pub(super) fn too_many(most: usize, is_of_input: bool, at: Span) -> Finding {
    let message = format!("more than {most} findings");
    let label = "nothing is told from here on";
    let mut finding = Finding::new(&syntax::LIMIT_REACHED, at, message, label);
    finding.help = is_of_input.then(|| another("--limit-findings"));
    finding
}

fn another(flag: &str) -> String {
    format!("{flag} sets another limit")
}

/// A limit that was reached, in one line.
pub(super) fn words(reached: &Finding) -> String {
    let help = reached.help.as_deref().unwrap_or_default();
    format!("{}; {help}", reached.message)
}

fn finding(at: Span, message: &str, flag: &str) -> Finding {
    let label = "not read from here on";
    let mut finding = Finding::new(&syntax::LIMIT_REACHED, at, message, label);
    finding.help = Some(another(flag));
    finding
}

/// The first line that is too long.
fn long_line(source: &Source) -> Option<Finding> {
    let most = source.limits().line;
    let text = source.text();
    if text.len() <= most {
        return None;
    }
    let line = lines(text).find(|line| line.text.len() > most)?;
    let message = format!("a line of more than {most} bytes");
    let at = Span::new(line.start as u32, line.start as u32);
    Some(finding(at, &message, "--limit-line"))
}

/// The bracket that opens too deep, in a text that is a document of brackets: JSON or a game tree.
fn deep(source: &Source) -> Option<Finding> {
    let text = source.text();
    let is_tree = match text.trim_start().bytes().next() {
        Some(b'{' | b'[') => false,
        Some(b'(') => true,
        _ => return None,
    };
    let most = source.limits().depth;
    let (mut depth, mut quoted, mut escaped) = (0u32, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b']' if quoted && is_tree => quoted = false,
            b'"' if !is_tree => quoted = !quoted,
            _ if quoted => {}
            b'[' if is_tree => quoted = true,
            b'(' if is_tree => depth += 1,
            b')' if is_tree => depth = depth.saturating_sub(1),
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > most {
            let message = format!("more than {most} levels within each other");
            let at = Span::new(at as u32, at as u32 + 1);
            return Some(finding(at, &message, "--limit-depth"));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::time::Duration;

    use super::{Deadline, another};
    use crate::diagnostic::Finding;
    use crate::formats::by_name;
    use crate::report::{CheckOptions, Checker, check};
    use crate::source::{Limits, Source, Span};

    /// The messages of the limits that are reached.
    fn reached(text: &str, limits: Limits) -> Vec<String> {
        let source = Source::new("x", text.into(), None).expect("a source");
        let source = source.with_limits(limits);
        let report = check(&source, &CheckOptions::default()).expect("a transcript");
        let reached = report.findings.iter();
        let reached = reached.filter(|finding| finding.rule.code == "limit-reached");
        reached.map(|finding| finding.message.clone()).collect()
    }

    const GAMES: &str = " 3 point match\n\n Game 1\n A : 0   B : 0\n  1) 31: 8/5 6/5\n      Wins 1 point\n\n \
        Game 2\n A : 1   B : 0\n  1) 31: 8/5 6/5\n";

    #[test]
    fn each_limit_says_which_it_is() {
        let usual = Limits::default;
        assert_eq!(reached(GAMES, usual()), [""; 0]);
        let line = Limits {
            line: 14,
            ..usual()
        };
        assert_eq!(reached(GAMES, line), ["a line of more than 14 bytes"]);
        let games = Limits {
            games: 1,
            ..usual()
        };
        assert_eq!(reached(GAMES, games), ["a match of more than 1 games"]);
        let actions = Limits {
            actions: 1,
            ..usual()
        };
        assert_eq!(reached(GAMES, actions), ["a match of more than 1 actions"]);
        let header = format!("; [Event \"x\"]\n; [Round \"y\"]\n{GAMES}");
        assert_eq!(reached(&header, actions), ["a header of more than 1 tags"]);
        let time = Limits {
            time: Duration::ZERO,
            ..usual()
        };
        assert_eq!(reached(GAMES, time), ["reading took longer than 0ns"]);
    }

    /// Where the time of a text is over that lasts for so many looks at the clock: the line, and how many matches were
    /// judged.
    fn late(text: &str, looks: u32) -> (u64, u64) {
        let source = Source::new("x", text.into(), None).expect("a source");
        let deadline = Deadline {
            looks: Cell::new(looks),
            ..Deadline::after(Duration::ZERO)
        };
        let options = CheckOptions::default();
        let mut checker = Checker::new(by_name("mat").expect("a format"), &options);
        let read = checker.read_before(&deadline, &source);
        read.expect("a match");
        let report = checker.report();
        let limits = report.findings.iter().filter(|found| found.tells_a_limit());
        let [limit] = &limits.collect::<Vec<_>>()[..] else {
            panic!("{:?}", report.findings);
        };
        assert_eq!(limit.message, "reading took longer than 0ns");
        let line = source.line_column(limit.primary.span.start).line;
        // What is said of a game that was left in the middle would be wrong.
        let later = |span: Span| source.line_column(span.start).line > line;
        assert!(
            !report
                .findings
                .iter()
                .any(|found| later(found.primary.span))
        );
        (line, report.totals.matches)
    }

    #[test]
    fn the_time_is_looked_at_within_a_match_too() {
        let head = " 3 point match\n\n Game 1\n A : 0   B : 0\n";
        let row = |row: u32| format!("{row:>3}) 31: 8/5 6/5                   42: 8/4 6/4\n");
        let rows: String = (1..=200).map(row).collect();
        let long = format!("{head}{rows}");
        // Before the match, before its first action, and then every 64 actions, two in a row.
        assert_eq!(late(&long, 1), (5, 0));
        assert_eq!(late(&long, 2), (5 + 32, 0));
        assert_eq!(late(&long, 4), (5 + 96, 0));
        let game = |game: u32| format!(" Game {game}\n A : 0   B : 0\n{}", row(1));
        let games: String = (2..=200).map(game).collect();
        let short = format!("{head}{}{games}", row(1));
        assert_eq!(late(&short, 3), (5 + 6, 0));
        // A match that was judged to its end counts.
        assert_eq!(late(&format!("{GAMES}\n{long}"), 3), (14, 1));
    }

    /// The codes that are told of a text with room for so many, in two pieces.
    fn told(text: &str, findings: usize, unseen: &[&'static str]) -> Vec<&'static str> {
        let options = CheckOptions {
            unseen: unseen.to_vec(),
            ..CheckOptions::default()
        };
        let mut checker = Checker::new(by_name("mat").expect("a format"), &options);
        let mut codes = Vec::new();
        for _ in 0..2 {
            let source = Source::new("x", text.into(), None).expect("a source");
            let limits = Limits {
                findings,
                ..Limits::default()
            };
            checker.read(&source.with_limits(limits)).expect("a match");
            let told = &checker.report().findings;
            let help = |limit: &&Finding| limit.help == Some(another("--limit-findings"));
            let limits = told.iter().filter(|found| found.tells_a_limit());
            assert!(limits.clone().all(|limit| help(&limit)));
            codes.extend(told.iter().map(|finding| finding.rule.code));
        }
        codes
    }

    #[test]
    fn so_many_findings_are_told_of_an_input_and_not_of_each_piece() {
        let text = " 3 point match\n\n Game 1\n A : 0   B : 0\n  1) 31: 8/5 6/4\n  2) zzz\n";
        let (die, line, open) = ("die-not-rolled", "unreadable-line", "game-unfinished");
        let limit = "limit-reached";
        let all = told(text, 100, &[]);
        assert_eq!(all[..all.len() / 2], all[all.len() / 2..]);
        assert!(
            all.contains(&die) && all.contains(&line) && all.contains(&open),
            "{all:?}"
        );
        let each = all.len() / 2;
        let few = told(text, each, &[]);
        // The first piece has just room; the second one tells that there is more.
        assert_eq!(few[..each], all[..each]);
        assert_eq!(few[each..], [limit]);
        assert_eq!(told(text, 1, &[]).len(), 2);
        // What nobody will see takes no room.
        let seen = |codes: Vec<&'static str>| {
            let seen = codes
                .into_iter()
                .filter(|&code| code == die || code == limit);
            seen.collect::<Vec<_>>()
        };
        let unseen: Vec<_> = all.iter().copied().filter(|&code| code != die).collect();
        assert_eq!(seen(told(text, 2, &unseen)), [die, die]);
        assert_eq!(seen(told(text, 1, &unseen)), [die, limit]);
    }

    #[test]
    fn depth_counts_brackets_outside_of_texts() {
        let limits = Limits {
            depth: 3,
            ..Limits::default()
        };
        let tree = |value: &str| format!("(;FF[4]GM[6](;B[31](;C[{value}]W[21])))");
        let message = "more than 3 levels within each other";
        assert_eq!(reached(&tree("((((\\]"), limits), [""; 0]);
        assert_eq!(reached(&tree("]((;B[42]))C["), limits), [message]);
        let json = |value: &str| format!("{{\"record_version\":1,\"games\":[{value}]}}");
        assert_eq!(reached(&json("\"\\\"[[[[\""), limits), [""; 0]);
        assert_eq!(reached(&json("[[]]"), limits), [message]);
    }
}
