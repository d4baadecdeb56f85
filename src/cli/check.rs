//! `tawla check`: what is wrong with transcripts.

use std::collections::BTreeMap;
use std::io::Write;

use super::agreed::Agreed;
use super::args::{CheckArgs, CheckFormat, LevelName};
use super::batch::{Batch, Input, JsonSpool, Spool, Stream, Unread, passed_over, pieces};
use super::style;
use tawla::diagnostic::{Finding, Level};
use tawla::render::json::{FileOutput, SCHEMA_VERSION, SummaryOutput};
use tawla::render::rules::sentence as sentence_of;
use tawla::render::{Style, diagnostics};
use tawla::report::{CheckOptions, Checker};
use tawla::ruleset::{RuleOptions, RuleSet};

/// What checking an input has given: its part of the output, and what it counts.
struct Checked {
    text: Spool,
    rules: Vec<(RuleSet, bool, u64)>,
    summary: SummaryOutput,
    failure: Option<(String, Unread)>,
    passed_over: bool,
}

/// Checks every input; 1 if something was found at or above the level, 2 if an input could not be read.
pub(super) fn run(args: &CheckArgs, out: &mut dyn Write) -> anyhow::Result<u8> {
    let batch = Batch::new(&args.input, args.jobs, args.quiet)?;
    let json = args.format == CheckFormat::Json && !args.quiet;
    let options = CheckOptions {
        format: args.input.from,
        rules: RuleOptions::default(),
        matches: matches!(args.format, CheckFormat::Json | CheckFormat::Ndjson) && !args.quiet,
    };
    let agreed = Agreed::new(&args.rules)?;
    let style = style(args.color);
    let mut total = SummaryOutput::default();
    let (mut failed, mut skipped) = (0u64, 0);
    let mut held: BTreeMap<String, u64> = BTreeMap::new();
    if json {
        write!(out, "{{\"schema_version\":{SCHEMA_VERSION},\"files\":[")?;
    }
    let work = |input: &Input, stream: Result<Stream, Unread>, _| {
        let one = One {
            args,
            options: &options,
            agreed: &agreed,
            style,
            batch: &batch,
        };
        one.check(input, stream)
    };
    batch.run(work, |mut checked: Checked| {
        if checked.passed_over {
            skipped += 1;
            return Ok(());
        }
        if let Some((name, reason)) = &checked.failure {
            failed += 1;
            batch.progress.complain(name, &reason.to_string());
        }
        let lead: &[u8] = match (json, total.files) {
            (false, _) => b"",
            (true, 0) => b"\n",
            (true, _) => b",\n",
        };
        total.add(&checked.summary);
        for (rules, is_money, matches) in checked.rules {
            *held.entry(sentence_of(&rules, is_money)).or_default() += matches;
        }
        if !checked.text.is_empty() {
            batch.progress.write(out, |out| {
                out.write_all(lead)?;
                checked.text.write_to(out)
            })?;
        }
        Ok(())
    })?;
    batch.progress.finish();
    passed_over(skipped);
    if json {
        let summary = serde_json::to_string(&total)?;
        writeln!(out, "\n],\"summary\":{summary}}}")?;
    }
    if args.format == CheckFormat::Human && !args.quiet {
        writeln!(out, "{}", sentence(&total, failed))?;
        for (rules, matches) in &held {
            match held.len() {
                1 => writeln!(out, "rules {rules}")?,
                _ => writeln!(out, "rules of {matches}: {rules}")?,
            }
        }
    }
    let found = match args.level {
        LevelName::Error => total.errors,
        LevelName::Warning => total.errors + total.warnings,
        LevelName::Note => total.errors + total.warnings + total.notes,
    };
    Ok(
        batch.status(match (failed > 0, found > 0 && !args.exit_zero) {
            (true, _) => 2,
            (false, true) => 1,
            (false, false) => 0,
        }),
    )
}

/// What an input is checked with.
struct One<'a> {
    args: &'a CheckArgs,
    options: &'a CheckOptions,
    agreed: &'a Agreed,
    style: Style,
    batch: &'a Batch,
}

impl One<'_> {
    fn check(&self, input: &Input, stream: Result<Stream, Unread>) -> Checked {
        let One {
            args,
            options,
            agreed,
            style,
            batch,
        } = *self;
        let mut checked = Checked {
            text: Spool::default(),
            rules: Vec::new(),
            summary: SummaryOutput {
                files: 1,
                ..SummaryOutput::default()
            },
            failure: None,
            passed_over: false,
        };
        let json = matches!(args.format, CheckFormat::Json | CheckFormat::Ndjson) && !args.quiet;
        let rules = agreed.options(input);
        let options = CheckOptions {
            rules: rules.clone().unwrap_or_default(),
            ..options.clone()
        };
        let mut checker: Option<Checker<'_>> = None;
        let mut output = JsonSpool::default();
        let rules = rules.map_err(Unread::Broken);
        let result = rules.and(stream).and_then(|stream| {
            pieces(input, stream, &args.input, |piece| {
                let source = piece.source;
                let checker = checker.get_or_insert_with(|| Checker::new(piece.format, &options));
                let before = checker.report().totals.matches;
                let read = checker.read(source);
                read.map_err(|error| Unread::Foreign(error.to_string()))?;
                let report = checker.report();
                batch.progress.matches(report.totals.matches - before);
                report.findings.retain(|finding| is_wanted(finding, args));
                for finding in &report.findings {
                    checked.summary.add_finding(finding.level);
                }
                if json {
                    let piece = FileOutput::new(report, source, true);
                    report.matches.clear();
                    output.add(piece)?;
                } else if !args.quiet {
                    for finding in &report.findings {
                        let text = &mut checked.text;
                        match args.format {
                            CheckFormat::Concise => diagnostics::concise(finding, source, text),
                            _ => diagnostics::human(finding, source, style, args.boards, text),
                        }?;
                    }
                }
                Ok(())
            })
        });
        if let Some(checker) = &mut checker {
            checked.summary.add_totals(&checker.report().totals);
            checked.rules = std::mem::take(&mut checker.report().rules);
        }
        if let Err(reason) = result {
            checked.passed_over = input.is_passed_over(&reason) && checked.summary.matches == 0;
            let failed = FileOutput::failed(&input.name(), &reason.to_string(), true);
            output = JsonSpool::default();
            let _ = output.add(failed);
            checked.failure = Some((input.name(), reason));
        }
        if json {
            let mut written = output.write_to(&mut checked.text);
            if args.format == CheckFormat::Ndjson {
                written = written.and_then(|()| checked.text.write_all(b"\n"));
            }
            if let (Err(error), None) = (written, &checked.failure) {
                checked.failure = Some((input.name(), error.into()));
            }
        }
        checked
    }
}

fn is_wanted(finding: &Finding, args: &CheckArgs) -> bool {
    let code = finding.rule.code;
    (args.select.is_empty() || args.select.contains(&code)) && !args.ignore.contains(&code)
}

/// `3 files, 3 matches, 12 games, 650 plies: 1 error, 2 notes`.
fn sentence(total: &SummaryOutput, failed: u64) -> String {
    let count = |number: u64, one: &str, many: &str| {
        format!("{number} {}", if number == 1 { one } else { many })
    };
    let read = [
        count(total.files, "file", "files"),
        count(total.matches, "match", "matches"),
        count(total.games, "game", "games"),
        count(total.plies, "ply", "plies"),
    ];
    let levels = [
        (total.errors, Level::Error),
        (total.warnings, Level::Warning),
        (total.notes, Level::Note),
    ];
    let found: Vec<String> = levels
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, level)| count(number, level.name(), &format!("{}s", level.name())))
        .collect();
    let unread = (failed > 0).then(|| format!("{failed} not read"));
    let found = match (found.is_empty(), failed) {
        (true, 0) => vec!["nothing found".to_owned()],
        _ => found,
    };
    let found = found
        .into_iter()
        .chain(unread)
        .collect::<Vec<_>>()
        .join(", ");
    format!("{}: {found}", read.join(", "))
}
