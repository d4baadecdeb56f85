//! `tawla check`: what is wrong with transcripts.

mod input;

use std::collections::BTreeMap;
use std::io::Write;

use super::agreed::Agreed;
use super::args::{CheckArgs, CheckFormat, LevelName};
use super::baseline::Ledger;
use super::batch::{Batch, Input, Stream, Unread, passed_over};
use super::{style, width};
use input::{Checked, Work, is_wanted};
use tawla::diagnostic::Level;
use tawla::render::json::{BaselineOutput, CheckSummaryOutput, SCHEMA_VERSION, SummaryOutput};
use tawla::render::rules::sentence as sentence_of;
use tawla::render::sarif;
use tawla::render::statistics::Statistics;
use tawla::repair::Limits;
use tawla::report::CheckOptions;
use tawla::rules as rule_book;
use tawla::ruleset::{RuleOptions, RuleSet};

/// What all inputs together have given.
#[derive(Default)]
struct Total {
    counts: SummaryOutput,
    statistics: Statistics,
    allowed: u64,
    known: u64,
    passed_over: u64,
    unread: Vec<(String, String)>,
    /// How many matches each set of rules held for.
    held: BTreeMap<String, u64>,
    /// The last ones, whether they are those of money play, and for how many matches they held: they are put into
    /// words when others come.
    holding: Option<(RuleSet, bool, u64)>,
    /// Whether the list of results has one.
    has_results: bool,
}

/// Checks every input; 1 if something was found at or above the level, 2 if an input could not be read.
pub(super) fn run(args: &CheckArgs, out: &mut dyn Write) -> anyhow::Result<u8> {
    let batch = Batch::new(&args.input, args.jobs, args.quiet)?;
    let format = (!args.quiet).then_some(args.format);
    // Nobody sees what was meant if nothing is printed; in a baseline a finding stands where it points.
    let silenced = &args.silenced;
    let shows = !args.quiet || silenced.baseline.is_some() || silenced.write_baseline.is_some();
    let options = CheckOptions {
        format: args.input.from,
        rules: RuleOptions::default(),
        matches: matches!(format, Some(CheckFormat::Json | CheckFormat::Ndjson)),
        repairs: shows.then(Limits::default),
        unseen: rule_book::all()
            .map(|rule| rule.code)
            .filter(|code| !is_wanted(code, args))
            .collect(),
    };
    let agreed = Agreed::new(&args.rules)?;
    let mut ledger = Ledger::new(&args.silenced)?;
    let mut total = Total::default();
    match format {
        Some(CheckFormat::Json) => {
            write!(out, "{{\"schema_version\":{SCHEMA_VERSION},\"files\":[")?;
        }
        Some(CheckFormat::Sarif) => sarif::start(out)?,
        _ => {}
    }
    let work = Work {
        args,
        options: &options,
        agreed: &agreed,
        ledger: &ledger,
        style: style(args.color),
        batch: &batch,
    };
    let mut pages = Vec::new();
    let check = |input: &Input, stream: Result<Stream, Unread>, _| work.check(input, stream);
    batch.run(check, |mut checked: Checked| {
        let page = std::mem::take(&mut checked.page);
        if checked.failure.is_none() {
            pages.push(page);
        }
        total.take(checked, format, &batch, out)
    })?;
    batch.progress.finish();
    pages.into_iter().for_each(|page| ledger.take(page));
    passed_over(total.passed_over);
    let wanted = |code: &str| is_wanted(code, args);
    let gone = ledger.gone(wanted);
    if let Some(gone) = gone.as_ref().filter(|_| !args.quiet) {
        ledger.tell(gone);
    }
    let baseline = gone.map(|gone| BaselineOutput::new(total.known, &gone));
    let status = batch.status(total.status(args, ledger.writes()));
    total.end(args, format, baseline, status, out)?;
    ledger.write(wanted)?;
    Ok(status)
}

impl Total {
    /// Writes the part of an input and adds what it counts.
    fn take(
        &mut self,
        mut checked: Checked,
        format: Option<CheckFormat>,
        batch: &Batch,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        if checked.passed_over {
            self.passed_over += 1;
            return Ok(());
        }
        if let Some((name, reason)) = checked.failure {
            batch.progress.complain(&name, &reason);
            self.unread.push((name, reason));
        }
        let lead: &[u8] = match format {
            Some(CheckFormat::Json) if self.counts.files > 0 => b",\n",
            Some(CheckFormat::Json) => b"\n",
            Some(CheckFormat::Sarif) if self.has_results => b",",
            _ => b"",
        };
        self.has_results |= !checked.text.is_empty();
        self.counts.add(&checked.summary);
        self.statistics.add(&checked.statistics);
        self.allowed += checked.allowed;
        self.known += checked.known;
        if format == Some(CheckFormat::Human) {
            checked.rules.drain(..).for_each(|held| self.hold(held));
        }
        if checked.text.is_empty() {
            return Ok(());
        }
        batch.progress.write(out, |out| {
            out.write_all(lead)?;
            checked.text.write_to(out)?;
            if format == Some(CheckFormat::Ndjson) {
                // Whoever reads the lines is not kept waiting for the next file.
                out.flush()?;
            }
            Ok(())
        })?;
        Ok(())
    }

    fn status(&self, args: &CheckArgs, is_known_now: bool) -> u8 {
        let counts = &self.counts;
        let found = match args.level {
            LevelName::Error => counts.errors,
            LevelName::Warning => counts.errors + counts.warnings,
            LevelName::Note => counts.errors + counts.warnings + counts.notes,
        };
        match (
            self.unread.is_empty(),
            found > 0 && !args.exit_zero && !is_known_now,
        ) {
            (false, _) => 2,
            (true, true) => 1,
            (true, false) => 0,
        }
    }

    /// Writes what stands behind the parts of the inputs.
    fn end(
        mut self,
        args: &CheckArgs,
        format: Option<CheckFormat>,
        baseline: Option<BaselineOutput>,
        status: u8,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        let statistics = args.statistics.then(|| self.statistics.by_code());
        match format {
            Some(CheckFormat::Json) => {
                let summary = CheckSummaryOutput {
                    counts: self.counts,
                    statistics,
                    baseline,
                };
                writeln!(out, "\n],\"summary\":{}}}", tawla::escape::json(&summary)?)?;
            }
            Some(CheckFormat::Sarif) => {
                let ending = sarif::Ending {
                    unread: std::mem::take(&mut self.unread),
                    status,
                    statistics,
                    baseline,
                };
                sarif::end(ending, out)?;
            }
            Some(CheckFormat::Human | CheckFormat::Concise | CheckFormat::Github) => {
                if args.statistics {
                    self.statistics.write(width(), out)?;
                }
            }
            Some(CheckFormat::Ndjson) | None => {}
        }
        if format == Some(CheckFormat::Human) {
            writeln!(out, "{}", self.sentence())?;
            self.put_into_words();
            for (rules, matches) in &self.held {
                match self.held.len() {
                    1 => writeln!(out, "rules {rules}")?,
                    _ => writeln!(out, "rules of {matches}: {rules}")?,
                }
            }
        }
        Ok(())
    }

    fn hold(&mut self, (rules, is_money, matches): (RuleSet, bool, u64)) {
        match &mut self.holding {
            Some((last, last_is_money, number)) if *last == rules && *last_is_money == is_money => {
                *number += matches;
            }
            _ => {
                self.put_into_words();
                self.holding = Some((rules, is_money, matches));
            }
        }
    }

    fn put_into_words(&mut self) {
        if let Some((rules, is_money, matches)) = self.holding.take() {
            *self.held.entry(sentence_of(&rules, is_money)).or_default() += matches;
        }
    }

    /// `3 files, 3 matches, 12 games, 650 plies: 1 error, 2 notes`.
    fn sentence(&self) -> String {
        let total = &self.counts;
        let failed = self.unread.len();
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
        let others = [
            (self.allowed, "allowed"),
            (self.known, "known"),
            (failed as u64, "not read"),
        ];
        let others = others
            .into_iter()
            .filter(|(number, _)| *number > 0)
            .map(|(number, what)| format!("{number} {what}"));
        let found = match (found.is_empty(), failed) {
            (true, 0) => vec!["nothing found".to_owned()],
            _ => found,
        };
        let found = found
            .into_iter()
            .chain(others)
            .collect::<Vec<_>>()
            .join(", ");
        format!("{}: {found}", read.join(", "))
    }
}
