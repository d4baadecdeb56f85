//! `tawla score`: the score sheet.

use std::io::Write;

use super::agreed::Agreed;
use super::args::{ScoreArgs, TableFormat};
use super::batch::{Input, complain, inputs, passed_over};
use super::width;
use tawla::render::json::{FileOutput, SCHEMA_VERSION, SummaryOutput};
use tawla::render::table;
use tawla::report::{CheckOptions, check};

/// Prints the score sheet of every input; 2 if one could not be read.
pub(super) fn run(args: &ScoreArgs, out: &mut dyn Write) -> anyhow::Result<u8> {
    let agreed = Agreed::new(&args.rules)?;
    let json = args.format == TableFormat::Json;
    let mut total = SummaryOutput::default();
    let (mut status, mut skipped) = (0, 0);
    if json {
        write!(out, "{{\"schema_version\":{SCHEMA_VERSION},\"files\":[")?;
    }
    for input in inputs(&args.input)? {
        let rules = agreed.options(&input);
        let has_rules = rules.is_ok();
        let source = input.source(&args.input.decode);
        let result = source.and_then(|source| {
            let options = CheckOptions {
                format: args.input.from,
                rules: rules?,
                matches: true,
            };
            let report = check(&source, &options).map_err(|error| error.to_string());
            report.map(|report| (source, report))
        });
        if result.is_err() && matches!(input, Input::Found(_)) && has_rules {
            skipped += 1;
            continue;
        }
        if json {
            out.write_all(if total.files > 0 { b",\n" } else { b"\n" })?;
        }
        total.files += 1;
        match result {
            Ok((source, report)) => {
                total.add_totals(&report.totals);
                report
                    .findings
                    .iter()
                    .for_each(|finding| total.add_finding(finding.level));
                match args.format {
                    TableFormat::Human => table::score(&report, &source, width(), out)?,
                    _ => {
                        serde_json::to_writer(&mut *out, &FileOutput::new(&report, &source, false))?
                    }
                }
            }
            Err(reason) => {
                status = 2;
                complain(&input.name(), &reason);
                if args.format != TableFormat::Human {
                    let output = FileOutput::failed(&input.name(), &reason, false);
                    serde_json::to_writer(&mut *out, &output)?;
                }
            }
        }
        if args.format == TableFormat::Ndjson {
            writeln!(out)?;
            out.flush()?;
        }
    }
    passed_over(skipped);
    if json {
        writeln!(out, "\n],\"summary\":{}}}", serde_json::to_string(&total)?)?;
    }
    Ok(status)
}
