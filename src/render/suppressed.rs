//! Silenced findings for people, one a line: where they are, and what silences them.

use std::io::{self, Write};

use super::harmless;
use super::json::Silencer;
use crate::diagnostic::Finding;
use crate::source::Source;

/// Writes a silenced finding in the form of `concise`, with a word of its own in the place of the level:
/// `PATH:LINE:COLUMN: allowed[CODE] MESSAGE (line 5: REASON)`, or `known[CODE]`.
///
/// # Errors
///
/// Those of `out`.
pub fn line(
    finding: &Finding,
    silencer: Silencer<'_>,
    source: &Source,
    out: &mut dyn Write,
) -> io::Result<()> {
    let place = source.line_column(finding.primary.span.start);
    let word = match silencer {
        Silencer::Allow(..) => "allowed",
        Silencer::Baseline => "known",
    };
    write!(
        out,
        "{}:{}:{}: {word}[{}] {}",
        harmless(source.name()),
        place.line,
        place.column,
        finding.rule.code,
        harmless(&finding.message)
    )?;
    match silencer {
        Silencer::Allow(span, reason) => {
            let line = source.line_column(span.start).line;
            let colon = if reason.is_empty() { "" } else { ": " };
            writeln!(out, " (line {line}{colon}{})", harmless(reason))
        }
        Silencer::Baseline => writeln!(out),
    }
}
