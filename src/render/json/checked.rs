//! What `check` adds to its JSON where an option asks for it. Without the option the field is missing, so that
//! nobody who does not know of it meets it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::{FindingOutput, SummaryOutput};
use crate::baseline::{Baseline, Known};
use crate::diagnostic::Finding;
use crate::source::{Source, Span};

/// What silences a finding.
#[derive(Debug, Clone, Copy)]
pub enum Silencer<'a> {
    /// A line of the transcript, with its reason.
    Allow(Span, &'a str),
    /// The baseline.
    Baseline,
}

/// A finding that is silenced.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SuppressedOutput {
    /// What was found.
    #[serde(flatten)]
    pub finding: FindingOutput,
    /// What silences it: `allow` or `baseline`.
    pub suppressed_by: String,
    /// The line that allows it; null for a baseline.
    pub allow_line: Option<u64>,
    /// Why it is allowed; null where nothing is said.
    pub reason: Option<String>,
}

impl SuppressedOutput {
    /// A finding and what silences it.
    pub fn new(finding: &Finding, silencer: Silencer<'_>, source: &Source) -> SuppressedOutput {
        let finding = FindingOutput::new(finding, source);
        match silencer {
            Silencer::Allow(span, reason) => SuppressedOutput {
                finding,
                suppressed_by: "allow".to_owned(),
                allow_line: Some(source.line_column(span.start).line),
                reason: (!reason.is_empty()).then(|| reason.to_owned()),
            },
            Silencer::Baseline => SuppressedOutput {
                finding,
                suppressed_by: "baseline".to_owned(),
                allow_line: None,
                reason: None,
            },
        }
    }
}

/// Counts over all inputs of `check`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CheckSummaryOutput {
    /// The counts that are always there.
    #[serde(flatten)]
    pub counts: SummaryOutput,
    /// How many findings there are of each code; only with `--statistics`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistics: Option<BTreeMap<String, u64>>,
    /// What became of the baseline; only with `--baseline`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<BaselineOutput>,
}

/// What became of a baseline.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BaselineOutput {
    /// How many findings were known.
    pub known: u64,
    /// Known findings that are not found any more.
    pub gone: Vec<GoneOutput>,
}

/// A known finding that is not found any more.
#[derive(Debug, Serialize, JsonSchema)]
pub struct GoneOutput {
    /// The file, from the folder of the baseline.
    pub path: String,
    /// The match in the file, from 1.
    #[serde(rename = "match")]
    pub match_number: Option<u32>,
    /// The game in the match, from 1.
    pub game: Option<u32>,
    /// The action in the game, from 1.
    pub ply: Option<u32>,
    /// The code of the rule.
    pub code: String,
    /// What was written.
    pub written: String,
    /// How many of them are gone.
    pub count: u32,
}

impl BaselineOutput {
    /// How many were known, and what is left of the baseline.
    pub fn new(known: u64, gone: &Baseline) -> BaselineOutput {
        let output = |(known, count): (&Known, u32)| GoneOutput {
            path: known.path.clone(),
            match_number: known.match_number,
            game: known.game,
            ply: known.ply,
            code: known.code.clone(),
            written: known.written.clone(),
            count,
        };
        BaselineOutput {
            known,
            gone: gone.left().map(output).collect(),
        }
    }
}
