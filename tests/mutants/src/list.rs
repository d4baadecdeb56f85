//! The list of mutants that `cargo mutants --list --json` writes.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// One mutant. Its number in the log is its place in the list, from 1.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Mutant {
    pub(crate) file: String,
    pub(crate) genre: String,
    pub(crate) name: String,
    pub(crate) replacement: String,
    /// What is replaced.
    pub(crate) span: Lines,
    pub(crate) function: Option<Function>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Function {
    pub(crate) return_type: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Lines {
    pub(crate) start: LineColumn,
    pub(crate) end: LineColumn,
}

/// Both from 1; columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LineColumn {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// Reads the list.
pub(crate) fn read(path: &Path) -> Vec<Mutant> {
    let text = fs::read_to_string(path).expect("the list of mutants");
    serde_json::from_str(&text).expect("a list of cargo-mutants")
}

impl LineColumn {
    /// The byte of a text.
    pub(crate) fn offset(self, text: &str) -> usize {
        let lines = text.split_inclusive('\n');
        let (before, line) = lines.enumerate().fold((0, ""), |(sum, last), (n, line)| {
            match (n + 1).cmp(&self.line) {
                std::cmp::Ordering::Less => (sum + line.len(), last),
                std::cmp::Ordering::Equal => (sum, line),
                std::cmp::Ordering::Greater => (sum, last),
            }
        });
        let column = line.chars().take(self.column - 1).map(char::len_utf8);
        before + column.sum::<usize>()
    }
}
