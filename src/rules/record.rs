//! What the record says about itself.

use super::Telling;
use crate::diagnostic::{Finding, Level, Rule, syntax};
use crate::replay::{Fault, FaultKind};

static POSITION_MISMATCH: Rule = Rule {
    code: "position-mismatch",
    subject: "record",
    level: Level::Error,
    title: "a stated position is not the replayed one",
    explain: "The record states the position after a play, and the written play leads to another one. Play \
        goes on from the stated position.",
    example: "  1) 31: 8/5 6/5                 42: Illegal play (5;0;1;0;1;...)",
};

/// The rules of this subject that no reader reports.
pub(super) const RULES: &[&Rule] = &[&POSITION_MISMATCH];

/// The finding of what is left when plays, cube and score have been asked.
pub(super) fn finding(telling: &Telling<'_>, fault: &Fault<'_>) -> Finding {
    let span = telling.span(fault);
    match &fault.kind {
        FaultKind::PositionMismatch {
            span: stated,
            declared,
            ..
        } => {
            let message = "the stated position is not the one that the play leads to";
            let label = "play goes on from the stated position";
            let level = if *declared { Level::Note } else { Level::Error };
            Finding::new(&POSITION_MISMATCH, span, message, label)
                .also(*stated, "stated here")
                .at_level(level)
        }
        FaultKind::ImpossiblePosition { faults, span } => {
            let reasons: Vec<String> = faults.iter().map(ToString::to_string).collect();
            let message = "the stated position cannot be played from";
            let label = "the game is not judged from here on";
            Finding::new(&syntax::IMPOSSIBLE_POSITION, *span, message, label)
                .help(reasons.join("; "))
        }
        FaultKind::LengthNotAgreed { length, agreed } => {
            let message = format!("a match to {length} points");
            let label = format!("matches are to {agreed} points here");
            let origin = telling.rules.match_lengths.origin.name();
            Finding::new(&syntax::BAD_HEADER, span, message, label)
                .help(format!("the lengths come from the {origin}"))
        }
        FaultKind::UnknownVariation { name, span } => {
            let message = format!("the variation {name:?} is not known");
            Finding::new(
                &syntax::BAD_HEADER,
                *span,
                message,
                "its plays are not judged",
            )
            .help("known are Backgammon, Nackgammon, Hypergammon, Longgammon and LongNardi")
        }
        _ => Finding::new(
            &syntax::BAD_HEADER,
            span,
            "a game without a score line",
            "names and score are taken from what stands before",
        ),
    }
}
