//! Snowie position lines: one line of 40 fields for each position.
//!
//! ```text
//! 5;0;0;0;1;Bravo;Alpha;0;0;0;2;-1; … 26 places … ;0;0;
//! ```
//!
//! What the fields mean stands in [`ids`]. A line is a match of one game that starts from its
//! position. The match text of Snowie is a dialect of `mat` and read there.

use super::carry::{Carried, Item};
use super::ids::record::{beyond, findings, record};
use super::ids::{self, Kind};
use super::text::{encoding_guessed, trimmed};
use super::{Format, Likely, NotThisFormat, Sink};
use crate::diagnostic::{Context, Finding, Findings, Level, syntax};
use crate::record::MatchRecord;
use crate::source::{Source, Spanned, lines};

pub(super) static FORMAT: Format = Format {
    name: "snowie-position",
    title: "Snowie position line",
    extensions: &["txt"],
    sniff,
    binary: false,
    read: Some(read),
    read_made: None,
    cut: None,
    write: None,
    profiles: &[],
    verified: true,
    carries: &[
        (Item::Names, Carried::Yes),
        (Item::Length, Carried::Yes),
        (Item::Scores, Carried::Yes),
        (Item::RuleTags, Carried::Partly),
        (Item::CrawfordGame, Carried::Yes),
        (Item::StartPositions, Carried::Yes),
    ],
};

/// Semicolons that make a line one of these, whole or damaged.
const ENOUGH: usize = 30;

fn sniff(source: &Source) -> Likely {
    let first = lines(source.text()).find(|line| !line.text.trim().is_empty());
    match first {
        Some(line) if is_position(line.text) => Likely::Yes,
        _ => Likely::No,
    }
}

fn is_position(text: &str) -> bool {
    let text = text.trim();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    digits > 0 && text.as_bytes().get(digits) == Some(&b';') && text.matches(';').count() >= ENOUGH
}

fn read(source: &Source, sink: &mut Sink<'_>) -> Result<(), NotThisFormat> {
    let mut found = Findings::default();
    let (mut number, mut any) = (1, false);
    let mut remarks: Vec<Spanned<String>> = Vec::new();
    if let Some(finding) = encoding_guessed(source) {
        found.push(finding);
    }
    for line in lines(source.text()) {
        let (text, span) = trimmed(line);
        if text.is_empty() {
            continue;
        }
        let context = Context {
            match_number: Some(number),
            ..Context::default()
        };
        if !is_position(text) {
            let message = "a line that is no Snowie position";
            let label = "kept as a comment";
            let finding = Finding::new(&syntax::UNREADABLE_LINE, span, message, label);
            found.push(finding.at_level(Level::Warning).within(context));
            remarks.push(Spanned::new(text.to_owned(), span));
            continue;
        }
        any = true;
        let decoded = ids::decode_as(Kind::Snowie, text);
        let faults = decoded
            .as_ref()
            .map_or_else(|faults| faults, |id| &id.faults);
        for finding in findings(faults, text, span.start) {
            found.push(finding.within(context));
        }
        if let Ok(decoded) = decoded {
            if let Some(finding) = beyond(&decoded.state, span) {
                found.push(finding.within(context));
            }
            let mut record = record(&decoded.state, span);
            record.comments = std::mem::take(&mut remarks);
            sink(&record, &mut found);
            number += 1;
        }
    }
    if !any {
        return Err(NotThisFormat(
            "no line with the 40 fields of a Snowie position".to_owned(),
        ));
    }
    left_over(remarks, found, sink);
    Ok(())
}

/// Hands over what belongs to no position, as a match without a game.
fn left_over(comments: Vec<Spanned<String>>, mut found: Findings, sink: &mut Sink<'_>) {
    if !comments.is_empty() || found.iter().len() > 0 {
        let record = MatchRecord {
            comments,
            ..MatchRecord::default()
        };
        sink(&record, &mut found);
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_support::{codes, read_text};
    use super::*;
    use crate::board::{Length, Player};

    const LINE: &str = "7;0;0;0;1;Ann;Bob;0;2;3;2;1;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0;3;1;\n";

    #[test]
    fn a_line_is_a_game_from_its_position() {
        let (matches, found) = read_text(&FORMAT, LINE);
        let record = &matches[0];
        assert!(found.is_empty(), "{found:?}");
        assert_eq!(
            (record.names.one.as_str(), record.names.two.as_str()),
            ("Bob", "Ann")
        );
        assert_eq!(record.length.map(|l| l.value), Some(Length::Points(7)));
        let game = &record.games[0];
        let start = &game.start.as_ref().expect("a position").value;
        assert_eq!(start.turn, Some(Player::Two));
        assert_eq!(
            start.roll.map(|roll| (roll.high(), roll.low())),
            Some((3, 1))
        );
        assert_eq!(
            start.cube.map(|cube| (cube.value, cube.owner)),
            Some((2, Some(Player::Two)))
        );
        assert_eq!(game.score.map(|s| (s.value.one, s.value.two)), Some((3, 2)));
        assert!(game.entries.is_empty());
    }

    #[test]
    fn a_damaged_line_is_reported_and_the_next_one_read() {
        let short = LINE.replacen("3;1;", "", 1);
        let (matches, found) = read_text(&FORMAT, &format!("{short}{LINE}"));
        assert_eq!((matches.len(), codes(&found)), (1, vec!["unreadable-line"]));
        let many = LINE.replacen(";5;0;3;", ";9;0;3;", 1);
        let (matches, found) = read_text(&FORMAT, &many);
        assert_eq!(codes(&found), ["impossible-position"]);
        assert!(matches[0].games.is_empty());
    }

    #[test]
    fn only_lines_of_many_fields_are_taken() {
        let source = |text: &str| Source::new("x", text.into(), None).expect("a source");
        assert_eq!(sniff(&source(LINE)), Likely::Yes);
        assert_eq!(sniff(&source(" 7 point match\n")), Likely::No);
        assert_eq!(sniff(&source("; [Site \"x\"]\n")), Likely::No);
    }
}
