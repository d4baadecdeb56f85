//! `tawla score`: the score sheet.

use std::io::{self, Write};

use super::agreed::Agreed;
use super::args::{ScoreArgs, TableFormat};
use super::batch::{
    Batch, Input, JsonSpool, Spool, Stream, Unread, passed_over, pieces, side_by_side,
};
use super::width;
use tawla::render::json::{FileOutput, SCHEMA_VERSION, SummaryOutput};
use tawla::render::table;
use tawla::report::{CheckOptions, Checker, MatchReport};
use tawla::ruleset::RuleOptions;

/// What the score of an input has given: its part of the output, and what it counts.
struct Scored {
    text: Spool,
    summary: SummaryOutput,
    failure: Option<(String, Unread)>,
    passed_over: bool,
}

/// Prints the score sheet of every input; 2 if one could not be read.
pub(super) fn run(args: &ScoreArgs, out: &mut dyn Write) -> anyhow::Result<u8> {
    let agreed = Agreed::new(&args.rules)?;
    let batch = Batch::new(&args.input, args.jobs, false)?;
    let json = args.format == TableFormat::Json;
    let mut total = SummaryOutput::default();
    let (mut status, mut skipped) = (0, 0);
    if json {
        write!(out, "{{\"schema_version\":{SCHEMA_VERSION},\"files\":[")?;
    }
    let work = |input: &Input, stream: Result<Stream, Unread>, _| {
        let rules = agreed.options(input).map_err(Unread::Broken);
        one(input, stream, rules, args, &batch)
    };
    batch.run(work, |mut scored: Scored| {
        if scored.passed_over {
            skipped += 1;
            return Ok(());
        }
        if let Some((name, reason)) = &scored.failure {
            status = 2;
            batch.progress.complain(name, &reason.to_string());
        }
        let lead: &[u8] = match (json, total.files) {
            (false, _) => b"",
            (true, 0) => b"\n",
            (true, _) => b",\n",
        };
        total.add(&scored.summary);
        if !scored.text.is_empty() {
            batch.progress.write(out, |out| {
                out.write_all(lead)?;
                scored.text.write_to(out)?;
                match args.format {
                    // Whoever reads the lines is not kept waiting for the next file.
                    TableFormat::Ndjson => out.flush(),
                    _ => Ok(()),
                }
            })?;
        }
        Ok(())
    })?;
    batch.progress.finish();
    passed_over(skipped);
    if json {
        writeln!(out, "\n],\"summary\":{}}}", tawla::escape::json(&total)?)?;
    }
    Ok(batch.status(status))
}

fn one(
    input: &Input,
    stream: Result<Stream, Unread>,
    rules: Result<RuleOptions, Unread>,
    args: &ScoreArgs,
    batch: &Batch,
) -> Scored {
    let mut scored = Scored {
        text: Spool::default(),
        summary: SummaryOutput {
            files: 1,
            ..SummaryOutput::default()
        },
        failure: None,
        passed_over: false,
    };
    let options = CheckOptions {
        format: args.input.from,
        rules: rules.clone().unwrap_or_default(),
        matches: true,
        repairs: None,
        unseen: Vec::new(),
    };
    let human = args.format == TableFormat::Human;
    let mut checker: Option<Checker<'_>> = None;
    let mut output = JsonSpool::default();
    let (name, width) = (input.name(), width());
    // To draw the sheets takes longer than to read the matches.
    let sheets = |(matches, first): (Vec<MatchReport>, Option<u64>)| -> io::Result<Spool> {
        let mut text = Spool::of_a_piece();
        table::score(&matches, &name, first, width, &mut text)?;
        Ok(text)
    };
    let threads = batch.threads_within(input);
    let result = side_by_side(threads, sheets, |lanes| {
        let read = pieces(input, rules.and(stream)?, (&args.input).into(), |piece| {
            let checker = checker.get_or_insert_with(|| Checker::new(piece.format, &options));
            let (before, read) = (checker.report().totals.matches, checker.read(piece.source));
            read.map_err(|error| Unread::Foreign(error.to_string()))?;
            let report = checker.report();
            for finding in &report.findings {
                scored.summary.add_finding(finding.level);
            }
            batch.progress.matches(report.totals.matches - before);
            if human {
                let matches = std::mem::take(&mut report.matches);
                let is_one = before == 0 && piece.is_last && matches.len() <= 1;
                let job = (matches, (!is_one).then_some(before + 1));
                let done = match is_one {
                    true => Some(sheets(job)),
                    false => lanes.push(job),
                };
                if let Some(text) = done {
                    text?.write_to(&mut scored.text)?;
                }
            } else {
                let piece = FileOutput::new(report, piece.source, false);
                output.add(piece)?;
                report.matches.clear();
            }
            Ok(())
        });
        while let Some(text) = lanes.pop() {
            text?.write_to(&mut scored.text)?;
        }
        read
    });
    if let Some(checker) = &mut checker {
        scored.summary.add_totals(&checker.report().totals);
    }
    if let Err(reason) = result {
        scored.passed_over = input.is_passed_over(&reason) && scored.summary.matches == 0;
        let failed = FileOutput::failed(&input.name(), &reason.to_string(), false);
        output = JsonSpool::default();
        let _ = output.add(failed);
        scored.failure = Some((input.name(), reason));
    }
    if !human {
        let mut written = output.write_to(&mut scored.text);
        if args.format == TableFormat::Ndjson {
            written = written.and_then(|()| scored.text.write_all(b"\n"));
        }
        if let (Err(error), None) = (written, &scored.failure) {
            scored.failure = Some((input.name(), error.into()));
        }
    }
    scored
}
