//! Matches of BGBlitz (`.bgf`).
//!
//! ```text
//! file     = header, LF, [ gzip | zlib ] document
//! header   = {"format":"BGF","version":"1.0","compress":true,"useSmile":true}
//! document = Smile or JSON text: an object
//! ```
//!
//! Smile is a binary form of JSON; see [`smile`]. All files that were met are gzip and Smile. The first bytes
//! of each part tell what it is, and a header that says otherwise is reported. Some descriptions have
//! `"compression":"gzip"` in the header, which is accepted too. A text of the same ending that starts with
//! `BGF version` is a log of the BGRoom server.
//!
//! The document:
//!
//! ```text
//! match  = matchlen (0 money play), nameGreen, nameRed, ratingGreen, …, date, location, event, round, site,
//!          comment, extMatchID, useCrawford, useJacoby, useBeaver, useCube, cubeLimit (-1 none), finalGreen,
//!          finalRed, games, count (of games)
//! game   = nameGreen, nameRed, scoreGreen, scoreRed (before it), isCrawford, wonPoints, wasResignation,
//!          lostOnTime, wasForfeit, comment, initial, moves
//! initial = points[28], cube, cubeOwner
//! action = red, green (the dice), player, from[4], to[4] (the mover's numbering, 25 bar, 0 off, -1 unused),
//!          comment, and analysis; with green = 7 it is no roll, and red says what it is:
//!          1 double, 2 take, 3 pass, 4 end of the game (player won), 5 no play, 9 resignation
//! ```
//!
//! Green is player -1 and the left column of a `.mat`, Red is player 1. Real numbers are decimal texts.
//!
//! What was decided:
//!
//! - Names are kept as written. Programs that write these files put underscores for blanks, but names that
//!   have underscores of their own exist, and nothing tells them apart.
//! - 5 is called a dance, but files have it also for a last roll after which the game was given up; so it is
//!   read as a roll with nothing behind it, like an empty cell of a `.mat`. Its dice are `from[0]` and `to[0]`.
//! - The last game of a money session says that 0 points were won. Where a game says so, the points are those
//!   by which the next score, or the final one, is higher.
//! - What was resigned is not said; the points won are. Nor is the value to which the cube is turned. Nothing
//!   is known of the words for beavers, so a double that answers a double stays one. A forfeit is read as a
//!   resignation; no file has one.
//! - `points[k]` is the point k + 1 in Red's numbering, Green's checkers positive; 24 and 25 are bars, on which
//!   the sign tells whose checkers they are, and 26 and 27 are off and not needed.
//! - A game without use of the cube has the limit 1, as other formats have it.
//! - A bad checksum is a warning. A document that breaks off is read up to there. The game in which it does has
//!   no result unless its end was reached, for what it says of the points stands before its actions.
//!
//! Not read, because nobody knows what they mean: `flags`, `actGame`, `id`, `boardno`, and the names of a
//! `gameMode`; a mode that is not 0 is reported.

mod action;
mod analysis;
mod container;
mod game;
mod record;
mod smile;
#[cfg(test)]
mod tests;
mod text;
mod tree;

use super::carry::{Carried, Item};
use super::{Format, Likely, NotThisFormat, Sink};
use crate::source::Source;

pub(super) static FORMAT: Format = Format {
    name: "bgf",
    title: "BGBlitz match (.bgf)",
    extensions: &["bgf"],
    sniff,
    binary: true,
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
        (Item::RuleTags, Carried::Yes),
        (Item::OtherTags, Carried::Partly),
        (Item::CrawfordGame, Carried::Yes),
        (Item::CubeActions, Carried::Yes),
        (Item::Dances, Carried::Yes),
        (Item::IllegalPlays, Carried::Yes),
        (Item::Resignations, Carried::Partly),
        (Item::TimeOuts, Carried::Yes),
        (Item::Results, Carried::Yes),
        (Item::StartPositions, Carried::Yes),
        (Item::MatchComments, Carried::Yes),
        (Item::Comments, Carried::Yes),
        (Item::Analysis, Carried::Yes),
    ],
};

fn sniff(source: &Source) -> Likely {
    match container::header(source.bytes()) {
        Some(_) => Likely::Yes,
        None => Likely::No,
    }
}

fn read(source: &Source, sink: &mut Sink<'_>) -> Result<(), NotThisFormat> {
    let opened = container::open(source)?;
    let (record, mut findings, listing) = record::read(&opened);
    source.set_listing(listing.finish());
    sink(&record, &mut findings);
    Ok(())
}
