//! `tawla chouette`: the log of a session checked and settled.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::bail;

use super::args::{ChouetteArgs, ChouetteRuleArgs, LevelName, TableFormat};
use super::batch::{Input, complain};
use super::{only, pair, style, width, without_contradiction};
use tawla::chouette::{Report, check};
use tawla::render::chouette::json::{SessionOutput, SessionsOutput};
use tawla::render::chouette::settlement;
use tawla::render::diagnostics;
use tawla::render::json::SCHEMA_VERSION;
use tawla::ruleset::RuleOptions;
use tawla::source::Source;

/// What `--help` says of the form.
pub(super) const HELP: &str = "\
A session log has a line an event; what follows a # is a comment:

  stake: 0.50 EUR                     what a point is worth, if it is to be settled in money
  rules: jacoby, no beavers           also raccoons, cube, automatic doubles N, cube limit N,
                                      backgammon counts 2
  rolls: Ayla 6, Burak 4, Ceren 2     the dice that decide the seats; 5 3 if a tie was rolled again
  seats: Ayla, Burak, Ceren           a game starts: box, captain, queue
  automatic double: to 2              equal opening dice
  double: Ayla to 2, Burak takes, Ceren passes
                                      a double of the box, which each member answers alone
  double: Burak to 2, Ceren agrees, Ayla takes
                                      a double of the team, to which all members agree (or refuse)
  beaver: Burak to 4, Ceren agrees    right behind a double, if agreed; a raccoon likewise
  result: box wins gammon, 4 points   the kind and the points of one member may be left out
  settlement: Ayla +4, Burak -4       what the game comes to, to be compared
  total: Ayla +4, Burak -4            what the session has come to, to be compared
  join: Deniz                         sits down at the end of the queue
  leave: Burak                        gets up
  end                                 the session is over

The same events can be given as JSON: `tawla schema chouette-log` prints the form.

Examples:
  tawla chouette friday.chouette
  tawla chouette --jacoby --format json friday.chouette

Exit status: 0 nothing found, 1 findings, 2 wrong usage or an input that cannot be read.";

/// Checks and settles every log; 1 if something was found at or above the level, 2 if one could not be read.
pub(super) fn run(args: &ChouetteArgs, out: &mut dyn Write) -> anyhow::Result<u8> {
    let options = rule_options(&args.rules)?;
    let mut total = SessionsOutput::default();
    let mut is_failed = false;
    let format = (!args.quiet).then_some(args.format);
    if format == Some(TableFormat::Json) {
        write!(out, "{{\"schema_version\":{SCHEMA_VERSION},\"files\":[")?;
    }
    for input in inputs(&args.files)? {
        let result = read(&input, args, &options);
        if format == Some(TableFormat::Json) {
            out.write_all(if total.files > 0 { b",\n" } else { b"\n" })?;
        }
        total.files += 1;
        match &result {
            Ok((_, report)) => total.add(report),
            Err(reason) => {
                is_failed = true;
                complain(&input.name(), reason);
            }
        }
        match (format, result) {
            (None, _) | (Some(TableFormat::Human), Err(_)) => {}
            (Some(TableFormat::Human), Ok((source, report))) => print(&report, &source, args, out)?,
            (Some(_), result) => {
                let output = match result {
                    Ok((source, report)) => SessionOutput::new(&report, &source),
                    Err(reason) => SessionOutput::failed(&input.name(), &reason),
                };
                tawla::escape::write_json(&mut *out, &output)?;
            }
        }
        if format == Some(TableFormat::Ndjson) {
            writeln!(out)?;
            out.flush()?;
        }
    }
    if format == Some(TableFormat::Json) {
        writeln!(out, "\n],\"summary\":{}}}", tawla::escape::json(&total)?)?;
    }
    let found = match args.level {
        LevelName::Error => total.errors,
        LevelName::Warning => total.errors + total.warnings,
        LevelName::Note => total.errors + total.warnings + total.notes,
    };
    Ok(match (is_failed, found > 0) {
        (true, _) => 2,
        (false, true) => 1,
        (false, false) => 0,
    })
}

/// The logs: no folders, as a log is known by nothing but what the user says.
fn inputs(files: &[PathBuf]) -> anyhow::Result<Vec<Input>> {
    if files.is_empty() {
        if io::stdin().is_terminal() {
            bail!("no input: name a session log, or give one on standard input");
        }
        return Ok(vec![Input::Standard]);
    }
    let input = |path: &PathBuf| match path.as_os_str() == "-" {
        true => Input::Standard,
        false => Input::Named(path.clone()),
    };
    Ok(files.iter().map(input).collect())
}

fn read(
    input: &Input,
    args: &ChouetteArgs,
    options: &RuleOptions,
) -> Result<(Source, Report), String> {
    let source = input.source_in(args.encoding.as_deref())?;
    let report = check(&source, options).map_err(|error| error.to_string())?;
    Ok((source, report))
}

fn print(
    report: &Report,
    source: &Source,
    args: &ChouetteArgs,
    out: &mut dyn Write,
) -> io::Result<()> {
    let style = style(args.color);
    for finding in &report.findings {
        diagnostics::human(finding, source, style, false, out)?;
    }
    settlement(report, source, width(), out)?;
    writeln!(out)
}

/// What the flags say.
///
/// # Errors
///
/// Two of them contradict each other.
fn rule_options(args: &ChouetteRuleArgs) -> anyhow::Result<RuleOptions> {
    without_contradiction(RuleOptions {
        cube: args.no_cube.then_some(false),
        jacoby: pair(args.jacoby, args.no_jacoby),
        beavers: only(args.beavers),
        raccoons: only(args.raccoons),
        automatic_doubles: args.automatic_doubles,
        cube_limit: args.cube_limit.map(Some),
        backgammon_counts: args.backgammon_counts,
        ..RuleOptions::default()
    })
}
