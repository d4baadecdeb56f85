//! Jellyfish match text (`.mat`, `.txt`), the common tongue of backgammon transcripts.
//!
//! ```text
//! file      = { header | prose } matchline { game }
//! header    = ( ";" | "#" ) ( "[" name '"' value '"]' | text )
//! matchline = number "point match"
//! game      = "Game" number, name ":" score name ":" score, { setpos | row | wins | comment }
//! row       = number ")" [ cell ] [ cell ]
//! ```
//!
//! Nobody ever fixed the format and every program has its own habits, so the reader accepts all that is met
//! in files: cells are found one after the other and not in columns (`cell`), the half of a lone cell by the
//! columns that this match uses, and what is left over is kept and reported. It knows no rules: whether a
//! roll without a play is a dance or a resignation is for the replay to tell.

mod cell;
mod header;
mod made;
mod moves;
mod plain;
mod reader;
mod score_line;
mod write;

pub(super) use header::tag as header_tag;

pub(super) use header::check_tags;
pub(super) use reader::{is_names_line, two_names};
pub(super) use write::write_games;

use super::carry::{Carried, Item};
use super::notation::roll;
use super::{Format, Likely, MadeSink, NotThisFormat, Sink};
use crate::source::{Source, lines};

pub(super) static FORMAT: Format = Format {
    name: "mat",
    title: "Jellyfish match text",
    extensions: &["mat", "txt"],
    sniff,
    binary: false,
    read: Some(read),
    read_made: Some(read_made),
    cut: Some(cut),
    write: Some(write::write),
    profiles: &["gnubg", "xg", "jellyfish", "snowie"],
    verified: true,
    carries: &[
        (Item::Names, Carried::Partly),
        (Item::Ratings, Carried::Partly),
        (Item::Length, Carried::Yes),
        (Item::Scores, Carried::Partly),
        (Item::Event, Carried::Tags),
        (Item::RuleTags, Carried::Tags),
        (Item::OtherTags, Carried::Tags),
        (Item::CrawfordGame, Carried::Partly),
        (Item::GameNumbers, Carried::Yes),
        (Item::CubeActions, Carried::Partly),
        (Item::CubeValues, Carried::Yes),
        (Item::LateDoubles, Carried::Yes),
        (Item::Beavers, Carried::Partly),
        (Item::Raccoons, Carried::Yes),
        (Item::Dances, Carried::Yes),
        (Item::UnrecordedPlays, Carried::Yes),
        (Item::ImpossibleRolls, Carried::Yes),
        (Item::IllegalPlays, Carried::Yes),
        (Item::DeclaredIllegal, Carried::Partly),
        (Item::Resignations, Carried::Partly),
        (Item::TimeOuts, Carried::Yes),
        (Item::Results, Carried::Partly),
        (Item::StartPositions, Carried::Partly),
        (Item::Positions, Carried::Partly),
        (Item::MatchComments, Carried::Partly),
        (Item::RowNumbers, Carried::Partly),
        (Item::HitMarks, Carried::Partly),
    ],
};

/// A match line within the first lines, or a tag, makes a text a match; a game line with rows may.
pub(super) fn sniff(source: &Source) -> Likely {
    let (mut has_game, mut has_row) = (false, false);
    for line in lines(source.text()).take(500) {
        let text = line.text.trim();
        let tag = text.strip_prefix([';', '#']);
        let tag = tag.and_then(|tag| header::tag(tag.trim_start()));
        // Of random bytes many lines start as a tag does.
        let is_tag = tag.is_some_and(|(name, _)| name.len() > 1 && name.is_ascii());
        if cell::match_line(text).is_ok() || is_tag {
            return Likely::Yes;
        }
        has_game |= cell::game_line(text).is_ok();
        has_row |= cell::row_number(text).is_ok_and(|(rest, _)| {
            let rest = rest.trim_start();
            rest.is_empty() || roll(rest).is_ok() || cell::word(rest).is_ok()
        });
    }
    if has_game && has_row {
        Likely::Maybe
    } else {
        Likely::No
    }
}

fn read(source: &Source, sink: &mut Sink<'_>) -> Result<(), NotThisFormat> {
    reader::Reader::new(source, sink).read().map(drop)
}

fn read_made(source: &Source, sink: &mut MadeSink<'_>) -> Result<bool, NotThisFormat> {
    reader::Reader::making(source, sink).read()
}

/// Reads games without headings, each below a line with the names.
pub(super) fn read_games(source: &Source, sink: &mut Sink<'_>) -> Result<(), NotThisFormat> {
    reader::Reader::new(source, sink)
        .headless()
        .read()
        .map(drop)
}

/// The start of the last match: its match line, and the header lines and blank ones before it.
fn cut(text: &[u8]) -> Option<usize> {
    let last = match_lines(text).next()?;
    let mut start = last;
    while let Some(line) = line_before(text, start) {
        let content = text[line..start].trim_ascii();
        if !content.is_empty() && !content.starts_with(b";") && !content.starts_with(b"#") {
            break;
        }
        start = line;
    }
    match_lines(&text[..start]).next()?;
    Some(start)
}

/// Where the match lines of a text start, the last one first.
fn match_lines(text: &[u8]) -> impl Iterator<Item = usize> {
    memchr::memmem::rfind_iter(text, b"point").filter_map(|at| {
        let start = memchr::memrchr2(b'\n', b'\r', &text[..at]).map_or(0, |end| end + 1);
        let end = memchr::memchr2(b'\n', b'\r', &text[at..])? + at;
        let line = std::str::from_utf8(&text[start..end]).ok()?;
        cell::match_line(line.trim()).is_ok().then_some(start)
    })
}

/// Where the line before the one that starts at `start` starts.
fn line_before(text: &[u8], start: usize) -> Option<usize> {
    let end = start.checked_sub(1)?;
    Some(memchr::memrchr2(b'\n', b'\r', &text[..end]).map_or(0, |end| end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_cut_before_the_header_of_its_last_match() {
        let first =
            " 3 point match\n\n Game 1\n A : 0   B : 0\n  1) 31: 8/5 6/5\n      Wins 1 point\n";
        let second = "\n; [Site \"x\"]\n\n 5 point match\n\n Game 1\n";
        let text = format!("{first}{second}");
        assert_eq!(cut(text.as_bytes()), Some(first.len()));
        assert_eq!(cut(first.as_bytes()), None);
    }

    #[test]
    fn a_tag_has_a_name_and_a_value() {
        let likely = |text: &str| sniff(&Source::new("x", text.into(), None).expect("a source"));
        assert_eq!(likely("# [Site \"x\"]\n"), Likely::Yes);
        // As lines of random bytes begin now and then.
        for text in ["; [Site\n", ";[\u{e9}\"\u{e9}\"]\n", "#[z\u{fd}\u{17}\n"] {
            assert_eq!(likely(text), Likely::No, "{text:?}");
        }
    }
}
