//! What the tests of readers share.

use super::Format;
use crate::diagnostic::{Finding, Findings};
use crate::record::{Action, GameRecord, MatchRecord, WrittenPlay};
use crate::source::Source;

/// The matches that a text holds and what its reader reports.
pub(super) fn read_text(format: &Format, text: &str) -> (Vec<MatchRecord>, Vec<Finding>) {
    let source = Source::new("test", text.into(), None).expect("a source");
    let (mut matches, mut found) = (Vec::new(), Vec::new());
    let read = format.read.expect("a reader");
    read(&source, &mut |record, findings: &mut Findings| {
        found.extend(findings.take());
        matches.push(record.clone());
    })
    .expect("a text of this format");
    (matches, found)
}

/// The codes of findings.
pub(super) fn codes(findings: &[Finding]) -> Vec<&'static str> {
    findings.iter().map(|finding| finding.rule.code).collect()
}

/// The actions of a game, a word each: `1 31: 8/5 6/5`.
pub(super) fn actions(game: &GameRecord) -> Vec<String> {
    let word = |action: &Action| match action {
        Action::Play { roll, play } => match play {
            WrittenPlay::Moves(play) => format!("{roll}: {play}"),
            WrittenPlay::CannotMove => format!("{roll}: cannot move"),
            WrittenPlay::Nothing => format!("{roll}:"),
            WrittenPlay::NotRecorded => format!("{roll}: ????"),
        },
        Action::Double { .. } => "double".to_owned(),
        other => format!("{other:?}").to_lowercase(),
    };
    let entries = game.entries.iter();
    entries
        .map(|entry| format!("{} {}", entry.player.index() + 1, word(&entry.action)))
        .collect()
}
