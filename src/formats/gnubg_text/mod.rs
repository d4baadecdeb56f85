//! Text and HTML exports of GNU Backgammon: matches, sessions, games and positions.
//!
//! ```text
//! game     = score { information } { record } [ result ] { statistics }
//! score    = "The score (after 0 games) is: Ann 0, Bob 0 (match to 5 points)"
//! record   = headline board ids action { analysis } [ annotation ]
//! headline = "Move number 1:  Bob to play 42" | … "on roll, cube decision?" | … "doubles to 2"
//! ids      = "Position ID:" id "Match ID:" id
//! action   = "* Bob moves 8/4 6/4"
//! result   = "Bob wins a gammon and 2 points"
//! ```
//!
//! A file holds one game of a match; the program numbers the others `_002` and so on. HTML says the same in
//! the same words. The position stands before each action, and so says what the one before has led to. The
//! program leaves out rolls that were not played; the board is drawn and need not be read. Analysis is kept
//! as far as it belongs to the play that was made.

mod page;
mod reader;

use super::carry::{Carried, Item};
use super::text::mentions;
use super::{Format, Likely, NotThisFormat, Sink};
use crate::source::{Source, lines};

pub(super) static FORMAT: Format = Format {
    name: "gnubg-text",
    title: "GNU Backgammon text and HTML export",
    extensions: &["txt", "html", "htm"],
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
        (Item::Ratings, Carried::Yes),
        (Item::Length, Carried::Yes),
        (Item::Scores, Carried::Yes),
        (Item::Event, Carried::Yes),
        (Item::RuleTags, Carried::Partly),
        (Item::CrawfordGame, Carried::Yes),
        (Item::GameNumbers, Carried::Yes),
        (Item::CubeActions, Carried::Yes),
        (Item::CubeValues, Carried::Yes),
        (Item::Beavers, Carried::Yes),
        (Item::Raccoons, Carried::Yes),
        (Item::Dances, Carried::Partly),
        (Item::Results, Carried::Yes),
        (Item::ResultKinds, Carried::Partly),
        (Item::StartPositions, Carried::Yes),
        (Item::Positions, Carried::Yes),
        (Item::MatchComments, Carried::Yes),
        (Item::Comments, Carried::Yes),
        (Item::Analysis, Carried::Partly),
        (Item::RowNumbers, Carried::Yes),
    ],
};

/// The words that every game starts with.
const SCORE: &str = "The score (after ";

fn sniff(source: &Source) -> Likely {
    if !mentions(source, SCORE) {
        return Likely::No;
    }
    let text = source.text().trim_start();
    let is_text = text.starts_with(SCORE);
    if is_text || is_html(source) {
        Likely::Yes
    } else if lines(text)
        .take(200)
        .any(|line| line.text.starts_with(SCORE))
    {
        Likely::Maybe
    } else {
        Likely::No
    }
}

fn is_html(source: &Source) -> bool {
    let start = source.text().trim_start();
    start.starts_with('<') && mentions(source, "<html") && mentions(source, "GNU Backgammon")
}

fn read(source: &Source, sink: &mut Sink<'_>) -> Result<(), NotThisFormat> {
    reader::Reader::new(source, sink).read(&page::said(source, is_html(source)))
}

#[cfg(test)]
mod tests;
