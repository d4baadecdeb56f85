//! eXtreme Gammon: matches and sessions (`.xg`) and positions (`.xgp`).
//!
//! ```text
//! file   = container of records, rollouts, comments        see archive.rs
//! match  = match-header { game } [ match-end ]             a money session has no end
//! game   = game-header { cube | move } [ game-end ]        an unfinished game has no end
//! ```
//!
//! A cube record stands before every move record, also where nothing could be done with the cube; what it says
//! of a double that was not made stands with the roll in our record. Each move record states the board after
//! the play: the moves are kept as written, in their order and with both dice joined where the file joins
//! them, and the board beside them, so that the replay can compare. Boards are turned into the players' own
//! numbering here and nowhere else.
//!
//! - The program calls its fields "from, die" in its own description; files show that they are from and to.
//! - A start of all zeros is the usual one: files that were transcribed in the program have it in game 1. If
//!   the first board of such a game is another one, the game starts there: positions are stored so.
//! - The position before a roll is that after the play before. Where it is another one and the record is
//!   marked as edited, the board was set by hand; without the mark a finding says so too.
//! - A Jacoby flag counts in money play only, a Crawford flag in matches only: the file holds both always.
//! - A rating of 1600 without experience is what the program writes where nothing is known, and a cube limit
//!   of 1024 likewise; neither is kept.
//! - Automatic doubles, clocks, settlements and resignations of the whole match follow the description only:
//!   no real file at hand has them, but for the last. The same holds for versions other than 30 and 32.
//!
//! A `.xgp` is the same with one unfinished game; two real files show it, no description does.

mod analysis;
mod archive;
mod read;
mod records;
mod rtf;
#[cfg(test)]
mod tests;
mod write;

use super::carry::{Carried, Item};
use super::{Format, Likely};
use crate::source::Source;

pub(super) static FORMAT: Format = Format {
    name: "xg",
    title: "eXtreme Gammon match (.xg)",
    extensions: &["xg"],
    sniff,
    binary: true,
    read: Some(read::read),
    read_made: None,
    cut: None,
    write: Some(write::write),
    profiles: &[],
    verified: true,
    carries: CARRIES,
};

pub(super) static POSITION: Format = Format {
    name: "xgp",
    title: "eXtreme Gammon position (.xgp)",
    extensions: &["xgp"],
    sniff: sniff_position,
    binary: true,
    read: Some(read::read),
    read_made: None,
    cut: None,
    write: None,
    profiles: &[],
    verified: false,
    carries: &[],
};

const CARRIES: &[(Item, Carried)] = &[
    (Item::Names, Carried::Partly),
    (Item::Ratings, Carried::Partly),
    (Item::Length, Carried::Yes),
    (Item::Scores, Carried::Yes),
    (Item::Event, Carried::Partly),
    (Item::RuleTags, Carried::Partly),
    (Item::OtherTags, Carried::Partly),
    (Item::CrawfordGame, Carried::Partly),
    (Item::GameNumbers, Carried::Yes),
    (Item::CubeActions, Carried::Partly),
    (Item::CubeValues, Carried::Partly),
    (Item::Beavers, Carried::Partly),
    (Item::Raccoons, Carried::Partly),
    (Item::Dances, Carried::Yes),
    (Item::UnrecordedPlays, Carried::Partly),
    (Item::ImpossibleRolls, Carried::Yes),
    (Item::IllegalPlays, Carried::Yes),
    (Item::DeclaredIllegal, Carried::Yes),
    (Item::Results, Carried::Partly),
    (Item::ResultKinds, Carried::Partly),
    (Item::StartPositions, Carried::Partly),
    (Item::Positions, Carried::Partly),
    (Item::MatchComments, Carried::Yes),
    (Item::Comments, Carried::Partly),
];

fn sniff(source: &Source) -> Likely {
    match source.bytes().starts_with(archive::MAGIC) {
        true => Likely::Yes,
        false => Likely::No,
    }
}

/// The content is that of a match; only the name tells.
fn sniff_position(source: &Source) -> Likely {
    match crate::formats::extension(source).is_some_and(|extension| extension == "xgp") {
        true => sniff(source),
        false => Likely::No,
    }
}
