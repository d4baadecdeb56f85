//! Findings as workflow commands of GitHub Actions: a run of a workflow shows them beside the lines of a pull
//! request.
//!
//! A command is a line, so that its parts are escaped: `%`, CR and LF everywhere, and in the properties the
//! colon and the comma that part them.

use std::borrow::Cow;
use std::io::{self, Write};

use super::harmless;
use crate::diagnostic::{Finding, Level};
use crate::source::Source;

/// Writes a finding: `::error file=…,line=…,col=…,endLine=…,endColumn=…,title=CODE::MESSAGE`.
///
/// # Errors
///
/// Those of `out`.
pub fn finding(finding: &Finding, source: &Source, out: &mut dyn Write) -> io::Result<()> {
    let command = match finding.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "notice",
    };
    write!(out, "::{command} file={}", property(source.name()))?;
    // Places in a binary input are places in its listing, which nobody has in the repository.
    if source.encoding() != "binary" {
        place(finding, source, out)?;
    }
    write!(out, ",title={}::", property(finding.rule.code))?;
    out.write_all(message(&harmless(&finding.message)).as_bytes())?;
    if source.encoding() == "binary"
        && let Some(place) = super::logical_place(&finding.context)
    {
        write!(out, " ({place})")?;
    }
    if let Some(help) = &finding.help {
        write!(out, "%0A{}", message(&harmless(help)))?;
    }
    writeln!(out)
}

fn place(finding: &Finding, source: &Source, out: &mut dyn Write) -> io::Result<()> {
    let start = source.line_column(finding.primary.span.start);
    let end = source.line_column(finding.primary.span.end);
    if start.line == end.line {
        let (line, column) = (start.line, start.column);
        let end_column = end.column;
        write!(
            out,
            ",line={line},col={column},endLine={line},endColumn={end_column}"
        )
    } else {
        // Columns count only within one line.
        write!(out, ",line={},endLine={}", start.line, end.line)
    }
}

/// Writes that an input cannot be read.
///
/// # Errors
///
/// Those of `out`.
pub fn unread(path: &str, reason: &str, out: &mut dyn Write) -> io::Result<()> {
    let reason = message(&harmless(reason)).into_owned();
    writeln!(
        out,
        "::error file={}::cannot be read: {reason}",
        property(path)
    )
}

/// A text in the message of a command.
fn message(text: &str) -> Cow<'_, str> {
    escaped(text, &['%', '\r', '\n'])
}

/// A text in a property of a command.
fn property(text: &str) -> Cow<'_, str> {
    escaped(text, &['%', '\r', '\n', ':', ','])
}

fn escaped<'a>(text: &'a str, special: &[char]) -> Cow<'a, str> {
    if !text.contains(special) {
        return text.into();
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match special.contains(&c) {
            true => escaped.push_str(&format!("%{:02X}", u32::from(c))),
            false => escaped.push(c),
        }
    }
    escaped.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{CheckOptions, check};

    #[test]
    fn what_parts_a_command_is_escaped() {
        assert_eq!(message("50% off\r\na: b, c"), "50%25 off%0D%0Aa: b, c");
        assert_eq!(property("c:\\a,b%\n"), "c%3A\\a%2Cb%25%0A");
    }

    #[test]
    fn a_finding_is_one_line() {
        let text =
            " 1 point match\n\n Game 1\n Ayla : 0    Burak : 0\n  1) 31: 8/5    42: 8/4 6/4\n";
        let source = Source::new("a,b.mat", text.into(), None).expect("a source");
        let report = check(&source, &CheckOptions::default()).expect("a report");
        let mut out = Vec::new();
        finding(&report.findings[0], &source, &mut out).expect("memory");
        let out = String::from_utf8(out).expect("UTF-8");
        assert!(
            out.starts_with(
                "::error file=a%2Cb.mat,line=5,col=6,endLine=5,endColumn=13,title=dice-left::"
            ),
            "{out}"
        );
        assert_eq!(out.lines().count(), 1, "{out}");
        assert!(out.contains("%0A16 plays are legal"), "{out}");
    }
}
