//! One input of `tawla check`: its findings, sorted into those that are reported and those that are silenced,
//! and its part of the output.

use std::io::{self, Write};

use super::super::agreed::Agreed;
use super::super::args::{CheckArgs, CheckFormat};
use super::super::baseline::{Ledger, Page};
use super::super::batch::{Batch, Input, JsonSpool, Spool, Stream, Unread, pieces};
use tawla::diagnostic::Finding;
use tawla::render::json::{FileOutput, Silencer, SummaryOutput, SuppressedOutput};
use tawla::render::sarif::Results;
use tawla::render::statistics::Statistics;
use tawla::render::{Style, diagnostics, github, suppressed};
use tawla::report::{CheckOptions, Checker, Report};
use tawla::ruleset::RuleSet;
use tawla::source::{Source, Span};

/// What checking an input has given: its part of the output, and what it counts.
#[derive(Default)]
pub(super) struct Checked {
    pub(super) text: Spool,
    pub(super) rules: Vec<(RuleSet, bool, u64)>,
    pub(super) summary: SummaryOutput,
    pub(super) statistics: Statistics,
    /// How many findings a line of the transcript allows.
    pub(super) allowed: u64,
    /// How many findings the baseline knows.
    pub(super) known: u64,
    pub(super) page: Page,
    pub(super) failure: Option<(String, String)>,
    pub(super) passed_over: bool,
}

/// What holds for every input.
pub(super) struct Work<'a> {
    pub(super) args: &'a CheckArgs,
    pub(super) options: &'a CheckOptions,
    pub(super) agreed: &'a Agreed,
    pub(super) ledger: &'a Ledger,
    pub(super) style: Style,
    pub(super) batch: &'a Batch,
}

/// Findings that are silenced, with what does it.
type Silenced = Vec<(Finding, Option<(Span, String)>)>;

/// The silencer of an entry of the list.
fn silencer(allow: &Option<(Span, String)>) -> Silencer<'_> {
    match allow {
        Some((span, reason)) => Silencer::Allow(*span, reason),
        None => Silencer::Baseline,
    }
}

impl Work<'_> {
    /// Checks an input.
    pub(super) fn check(&self, input: &Input, stream: Result<Stream, Unread>) -> Checked {
        let args = self.args;
        let mut checked = Checked {
            page: self.ledger.page(input),
            ..Checked::default()
        };
        checked.summary.files = 1;
        let rules = self.agreed.options(input);
        let options = CheckOptions {
            rules: rules.clone().unwrap_or_default(),
            ..self.options.clone()
        };
        let mut checker: Option<Checker<'_>> = None;
        let mut output = JsonSpool::default();
        let mut results = Results::default();
        let rules = rules.map_err(Unread::Broken);
        let result = rules.and(stream).and_then(|stream| {
            pieces(input, stream, (&args.input).into(), |piece| {
                let source = piece.source;
                let checker = checker.get_or_insert_with(|| Checker::new(piece.format, &options));
                let before = checker.report().totals.matches;
                let read = checker.read(source);
                read.map_err(|error| Unread::Foreign(error.to_string()))?;
                let report = checker.report();
                let more = report.totals.matches - before;
                self.batch.progress.matches(more);
                let silenced = self.sort(report, source, &mut checked);
                if self.is_json() {
                    let piece = self.piece(report, &silenced, source);
                    report.matches.clear();
                    output.add(piece)?;
                } else if !args.quiet {
                    let text = &mut checked.text;
                    self.print(report, &silenced, source, &mut results, text)?;
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
            let reason = reason.to_string();
            output = JsonSpool::default();
            let _ = output.add(FileOutput::failed(&input.name(), &reason, true));
            if args.format == CheckFormat::Github && !args.quiet {
                let _ = github::unread(&input.name(), &reason, &mut checked.text);
            }
            checked.failure = Some((input.name(), reason));
        }
        if self.is_json() {
            if let Some(head) = output.head_mut() {
                head.statistics = args.statistics.then(|| checked.statistics.by_code());
                if args.silenced.show_suppressed {
                    head.suppressed.get_or_insert_default();
                }
            }
            let mut written = output.write_to(&mut checked.text);
            if args.format == CheckFormat::Ndjson {
                written = written.and_then(|()| checked.text.write_all(b"\n"));
            }
            if let (Err(error), None) = (written, &checked.failure) {
                checked.failure = Some((input.name(), error.to_string()));
            }
        }
        checked
    }

    fn is_json(&self) -> bool {
        matches!(self.args.format, CheckFormat::Json | CheckFormat::Ndjson) && !self.args.quiet
    }

    /// Leaves in the report what is reported, counts it, and returns what is silenced.
    fn sort(&self, report: &mut Report, source: &Source, checked: &mut Checked) -> Silenced {
        let mut silenced = Silenced::new();
        for suppressed in std::mem::take(&mut report.suppressed) {
            if is_wanted(suppressed.finding.rule.code, self.args) {
                checked.allowed += 1;
                let allow = (suppressed.allowed, suppressed.reason);
                silenced.push((suppressed.finding, Some(allow)));
            }
        }
        let mut reported = Vec::with_capacity(report.findings.len());
        for finding in report.findings.drain(..) {
            if !is_wanted(finding.rule.code, self.args) {
                continue;
            }
            if checked.page.is_known(&finding, source) {
                checked.known += 1;
                silenced.push((finding, None));
                continue;
            }
            checked.summary.add_finding(finding.level);
            if self.args.statistics {
                checked.statistics.count(&finding);
            }
            reported.push(finding);
        }
        report.findings = reported;
        silenced.sort_by_key(|(finding, _)| finding.primary.span.start);
        silenced
    }

    fn piece(&self, report: &Report, silenced: &Silenced, source: &Source) -> FileOutput {
        let mut piece = FileOutput::new(report, source, true);
        piece.suppressed = self.args.silenced.show_suppressed.then(|| {
            silenced
                .iter()
                .map(|(finding, allow)| SuppressedOutput::new(finding, silencer(allow), source))
                .collect()
        });
        piece
    }

    fn print(
        &self,
        report: &Report,
        silenced: &Silenced,
        source: &Source,
        results: &mut Results,
        out: &mut Spool,
    ) -> io::Result<()> {
        let args = self.args;
        let shows = args.silenced.show_suppressed;
        for finding in &report.findings {
            match args.format {
                CheckFormat::Concise => diagnostics::concise(finding, source, out)?,
                CheckFormat::Github => github::finding(finding, source, out)?,
                CheckFormat::Sarif => results.write(finding, None, source, out)?,
                _ => diagnostics::human(finding, source, self.style, args.boards, out)?,
            }
        }
        for (finding, allow) in silenced {
            match args.format {
                // A log has a place for what the transcript allows; what is known is asked for.
                CheckFormat::Sarif if shows || allow.is_some() => {
                    results.write(finding, Some(silencer(allow)), source, out)?;
                }
                CheckFormat::Sarif => {}
                _ if shows => suppressed::line(finding, silencer(allow), source, out)?,
                _ => {}
            }
        }
        if args.format == CheckFormat::Human && shows && !silenced.is_empty() {
            out.write_all(b"\n")?;
        }
        Ok(())
    }
}

/// Whether a code was asked for.
pub(super) fn is_wanted(code: &str, args: &CheckArgs) -> bool {
    (args.select.is_empty() || args.select.contains(&code)) && !args.ignore.contains(&code)
}
