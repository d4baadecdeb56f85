//! What is already known of some transcripts, so that only what is new is reported.
//!
//! A known finding is named by file, match, game, action, code and the text at its place, and by nothing that
//! moves when a line is added above it. Equal ones are counted: a third is new where two are known.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::diagnostic::Finding;
use crate::source::Source;

/// The version of the form of the file.
pub const VERSION: u32 = 1;

/// What makes a finding the same one in a later run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Known {
    /// The file, from the folder of the baseline, with slashes; `-` is standard input.
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
    /// What is written there, with single blanks.
    pub written: String,
}

impl Known {
    /// What makes a finding in a file the same one.
    pub fn new(path: &str, finding: &Finding, source: &Source) -> Known {
        Known {
            path: path.to_owned(),
            match_number: finding.context.match_number,
            game: finding.context.game,
            ply: finding.context.ply,
            code: finding.rule.code.to_owned(),
            written: written(finding, source),
        }
    }
}

impl std::fmt::Display for Known {
    /// `final.mat: dice-left, game 3, ply 5: 8/5`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.path, self.code)?;
        if let Some(number) = self.match_number.filter(|&number| number > 1) {
            write!(f, ", match {number}")?;
        }
        if let Some(game) = self.game {
            write!(f, ", game {game}")?;
        }
        if let Some(ply) = self.ply {
            write!(f, ", ply {ply}")?;
        }
        if !self.written.is_empty() {
            write!(f, ": {}", self.written)?;
        }
        Ok(())
    }
}

/// The text that a finding is about, with single blanks.
pub fn written(finding: &Finding, source: &Source) -> String {
    let text = source.slice(finding.primary.span);
    // A place without an extent says nothing; the line does.
    let text = match text.trim().is_empty() {
        true => source.line_at(finding.primary.span.start).0,
        false => text,
    };
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Known findings and how many equal ones there are of each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baseline {
    counts: BTreeMap<Known, u32>,
}

/// Why a text is no baseline.
#[derive(Debug)]
pub enum NoBaseline {
    /// It is not of the form.
    Form(serde_json::Error),
    /// It has a form that a later version of the program writes.
    Version(u32),
}

impl std::fmt::Display for NoBaseline {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoBaseline::Form(error) => write!(f, "no baseline: {error}"),
            NoBaseline::Version(version) => {
                write!(f, "a baseline of version {version}, not {VERSION}")
            }
        }
    }
}

impl std::error::Error for NoBaseline {}

/// The file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    tawla_baseline: u32,
    known: Vec<Counted>,
}

/// One line of the file.
#[derive(Debug, Serialize, Deserialize)]
struct Counted {
    #[serde(flatten)]
    known: Known,
    count: u32,
}

impl Baseline {
    /// Reads the file.
    ///
    /// # Errors
    ///
    /// It is no baseline, or one of another version.
    pub fn read(text: &str) -> Result<Baseline, NoBaseline> {
        let written: Written = serde_json::from_str(text).map_err(NoBaseline::Form)?;
        if written.tawla_baseline != VERSION {
            return Err(NoBaseline::Version(written.tawla_baseline));
        }
        let mut baseline = Baseline::default();
        for Counted { known, count } in written.known {
            baseline.add(known, count);
        }
        Ok(baseline)
    }

    /// The file: sorted, one finding a line, so that two versions of it can be compared.
    ///
    /// # Errors
    ///
    /// None that is met: texts and numbers are always JSON.
    pub fn write(&self) -> serde_json::Result<String> {
        let mut text = format!("{{\"tawla_baseline\":{VERSION},\"known\":[");
        for (index, (known, &count)) in self.counts.iter().enumerate() {
            text.push_str(if index > 0 { ",\n" } else { "\n" });
            let known = known.clone();
            text.push_str(&crate::escape::json(&Counted { known, count })?);
        }
        text.push_str("\n]}\n");
        Ok(text)
    }

    /// Adds so many equal ones.
    pub fn add(&mut self, known: Known, count: u32) {
        let counted = self.counts.entry(known).or_default();
        *counted = counted.saturating_add(count);
    }

    /// Takes one of a kind away; false if there is none left.
    pub fn take(&mut self, known: &Known) -> bool {
        match self.counts.get_mut(known) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }

    /// Those of one file.
    pub fn of_file(&self, path: &str) -> Baseline {
        let of_file = self.counts.iter().filter(|(known, _)| known.path == path);
        Baseline {
            counts: of_file
                .map(|(known, count)| (known.clone(), *count))
                .collect(),
        }
    }

    /// The files that it knows something of.
    pub fn paths(&self) -> std::collections::BTreeSet<&str> {
        self.counts
            .keys()
            .map(|known| known.path.as_str())
            .collect()
    }

    /// What is left, with how many of each.
    pub fn left(&self) -> impl Iterator<Item = (&Known, u32)> {
        let left = self.counts.iter().filter(|(_, count)| **count > 0);
        left.map(|(known, count)| (known, *count))
    }

    /// How many findings it knows.
    pub fn len(&self) -> u64 {
        self.counts.values().map(|count| u64::from(*count)).sum()
    }

    /// Whether it knows none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(path: &str, ply: u32) -> Known {
        Known {
            path: path.to_owned(),
            match_number: Some(1),
            game: Some(1),
            ply: Some(ply),
            code: "dice-left".to_owned(),
            written: "31: 8/5".to_owned(),
        }
    }

    #[test]
    fn equal_findings_are_counted() {
        let mut baseline = Baseline::default();
        baseline.add(known("a", 1), 1);
        baseline.add(known("a", 1), 1);
        assert_eq!(
            [(); 3].map(|()| baseline.take(&known("a", 1))),
            [true, true, false]
        );
        assert!(baseline.is_empty());
    }

    #[test]
    fn what_is_written_is_sorted_and_read_again() {
        let mut baseline = Baseline::default();
        for (path, ply) in [("b", 1), ("a", 10), ("a", 2)] {
            baseline.add(known(path, ply), 1);
        }
        let text = baseline.write().expect("JSON");
        let plies: Vec<&str> = text
            .lines()
            .filter_map(|line| line.split("\"ply\":").nth(1)?.split(',').next())
            .collect();
        assert_eq!(plies, ["2", "10", "1"]);
        assert_eq!(Baseline::read(&text).expect("a baseline"), baseline);
    }

    #[test]
    fn a_form_that_is_not_known_is_refused() {
        assert!(Baseline::read("{}").is_err());
        let later = Baseline::read("{\"tawla_baseline\":2,\"known\":[]}");
        let error = later.expect_err("a later version").to_string();
        assert_eq!(error, "a baseline of version 2, not 1");
    }
}
