//! An input read, replayed, judged and printed in every way.

use tawla::diagnostic::Finding;
use tawla::formats::by_name;
use tawla::render::decisions::{csv, decisions, ndjson};
use tawla::render::json::{FileOutput, ShowFileOutput};
use tawla::render::sarif::Results;
use tawla::render::show::{Part, show as boards};
use tawla::render::{Style, diagnostics, github};
use tawla::report::{CheckOptions, Checker, check, show};
use tawla::source::Source;

/// So many findings are printed: more of them say the same.
const PRINTED: usize = 12;

/// Checks an input and prints what was found.
pub(crate) fn survives(format: Option<&str>, data: &[u8]) {
    let Ok(source) = Source::new("input", data.to_vec(), None) else {
        return;
    };
    let options = CheckOptions {
        format: format.map(|name| by_name(name).expect("a format")),
        matches: true,
        ..CheckOptions::default()
    };
    let Ok(report) = check(&source, &options) else {
        return;
    };
    print(&report.findings, &source);
    let output = FileOutput::new(&report, &source, true);
    let text = serde_json::to_string(&output).expect("JSON");
    is_json(&text);
    for in_full in [true, false] {
        if report.format.read_made.is_none() {
            break;
        }
        // The same, whether plays are kept or not.
        let mut checker = Checker::new(report.format, &options).in_full(in_full);
        checker.read(&source).expect("it was read before");
        let output = FileOutput::new(checker.report(), &source, true);
        assert_eq!(text, serde_json::to_string(&output).expect("JSON"));
    }
    // Boards and tables take most of the time: one input in four is enough for them.
    let sum = data.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte));
    if sum % 4 > 0 {
        return;
    }
    // Where a limit was reached nothing is shown.
    let Ok((format, shown)) = show(&source, &options) else {
        return;
    };
    let output = ShowFileOutput::new(format.name, &shown, &source);
    is_json(&serde_json::to_string(&output).expect("JSON"));
    for (number, shown) in (1..).zip(shown.iter().take(2)) {
        let mut out = Vec::new();
        boards(shown, Part::default(), &mut out).expect("memory");
        is_harmless(&out);
        let decisions = decisions(number, shown);
        let mut out = Vec::new();
        csv(&decisions, true, &mut out).expect("memory");
        is_harmless(&out);
        let mut out = Vec::new();
        ndjson(&decisions, &mut out).expect("memory");
        is_harmless(&out);
    }
}

/// Prints findings for people and for programs.
pub(crate) fn print(findings: &[Finding], source: &Source) {
    let mut out = Vec::new();
    let mut results = Results::default();
    for finding in findings.iter().take(PRINTED) {
        diagnostics::human(finding, source, Style::Plain, true, &mut out).expect("memory");
        diagnostics::concise(finding, source, &mut out).expect("memory");
        github::finding(finding, source, &mut out).expect("memory");
    }
    is_harmless(&out);
    let mut out = vec![b'['];
    for finding in findings.iter().take(PRINTED) {
        results
            .write(finding, None, source, &mut out)
            .expect("memory");
    }
    out.push(b']');
    is_json(&String::from_utf8(out).expect("UTF-8"));
}

/// Nothing that a terminal could obey.
fn is_harmless(out: &[u8]) {
    let text = std::str::from_utf8(out).expect("UTF-8");
    let obeyed = |c: char| {
        c.is_control() && !matches!(c, '\n' | '\t')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
    };
    assert!(!text.contains(obeyed), "{text:?}");
}

fn is_json(text: &str) {
    serde_json::from_str::<serde_json::Value>(text).expect("JSON");
}
