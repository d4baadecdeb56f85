//! What is read of an input at most, so that a hostile one costs no more than an honest one.
//!
//! Lines and nesting are measured before a reader sees the text, games and time while it hands over matches.
//! How large a compressed part may become is for the readers of containers. Reaching a limit is a finding that
//! names the limit.

use std::time::Instant;

use crate::diagnostic::{Finding, Findings, syntax};
use crate::formats::{Format, MadeSink, NotThisFormat, Sink};
use crate::record::{GameRecord, MatchRecord};
use crate::source::{Source, Span, lines};

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
    let read = format.read.ok_or_else(|| super::not_read(format))?;
    if !format.binary {
        let reached = long_line(source).or_else(|| deep(source));
        if reached.is_some() {
            return Ok(reached);
        }
    }
    let (limits, start) = (source.limits(), Instant::now());
    let (most, mut reached) = (limits.games as usize, None);
    read(
        source,
        &mut |record: &MatchRecord, findings: &mut Findings| {
            if reached.is_some() {
                return;
            }
            if start.elapsed() > limits.time {
                let at = record
                    .games
                    .first()
                    .map_or(Span::default(), |game| game.heading);
                let message = format!("reading took longer than {:?}", limits.time);
                reached = Some(finding(at, &message, "--limit-time"));
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
    Ok(reached)
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
    sink: &mut MadeSink<'_>,
) -> Result<bool, NotThisFormat> {
    let Some(read) = format.read_made else {
        return Ok(false);
    };
    if long_line(source).or_else(|| deep(source)).is_some() {
        return Ok(false);
    }
    let (limits, start) = (source.limits(), Instant::now());
    read(source, &mut |record, made, findings| {
        let plays: u64 = made.iter().map(|game| u64::from(game.plays())).sum();
        let entries = record.games.iter().map(|game| game.entries.len() as u64);
        record.games.len() <= limits.games as usize
            && plays + entries.sum::<u64>() <= u64::from(limits.actions)
            && start.elapsed() <= limits.time
            && sink(record, made, findings)
    })
}

/// The first games of a record, and of the next one, if any are wanted, the first actions. What is left out is
/// not copied first: it may be large.
fn part(record: &MatchRecord, games: usize, actions: usize) -> MatchRecord {
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
        tags: record.tags.clone(),
        comments: record.comments.clone(),
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

/// Says that there was more to say.
pub(super) fn too_many(at: Span) -> Finding {
    let message = format!("more than {} findings", Findings::MOST);
    Finding::new(
        &syntax::LIMIT_REACHED,
        at,
        message,
        "nothing is told from here on",
    )
}

/// A limit that was reached, in one line.
pub(super) fn words(reached: &Finding) -> String {
    let help = reached.help.as_deref().unwrap_or_default();
    format!("{}; {help}", reached.message)
}

fn finding(at: Span, message: &str, flag: &str) -> Finding {
    let label = "not read from here on";
    let mut finding = Finding::new(&syntax::LIMIT_REACHED, at, message, label);
    finding.help = Some(format!("{flag} sets another limit"));
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
    use std::time::Duration;

    use crate::report::{CheckOptions, check};
    use crate::source::{Limits, Source};

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
        let time = Limits {
            time: Duration::ZERO,
            ..usual()
        };
        assert_eq!(reached(GAMES, time), ["reading took longer than 0ns"]);
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
