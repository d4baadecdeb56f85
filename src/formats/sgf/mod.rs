//! Smart Game Format with the game number 6 (`.sgf`), the native format of GNU Backgammon.
//!
//! Sources: the FF[4] description of SGF with its page on backgammon, and what GNU Backgammon 1.07 writes and
//! reads. A match is a collection of game trees, one a game, each with the names, the rules and the score at
//! its start. White is the first player. All letters are White's points, for both players. Hits and the value
//! of the cube are not written, a beaver is a second `double`, and a resignation is a letter behind the result.
//!
//! GNU Backgammon keeps header lines that it does not know in the comment on the first game, in the notation
//! of .mat files; they are read as tags, and tags that have no property are written so.

mod game;
mod parse;
mod read;
mod root;
mod setting;
#[cfg(test)]
mod tests;
mod tree;
mod write;

use super::carry::{Carried, Item};
use super::{Format, Likely};
use crate::source::Source;

pub(super) static FORMAT: Format = Format {
    name: "sgf",
    title: "Smart Game Format, backgammon",
    extensions: &["sgf"],
    sniff,
    binary: false,
    read: Some(read::read),
    read_made: None,
    cut: None,
    write: Some(write::write),
    profiles: &[],
    verified: true,
    carries: &[
        (Item::Names, Carried::Yes),
        (Item::Ratings, Carried::Yes),
        (Item::Length, Carried::Yes),
        (Item::Scores, Carried::Yes),
        (Item::Event, Carried::Yes),
        (Item::RuleTags, Carried::Yes),
        (Item::OtherTags, Carried::Tags),
        (Item::CrawfordGame, Carried::Partly),
        (Item::GameNumbers, Carried::Partly),
        (Item::CubeActions, Carried::Yes),
        (Item::CubeValues, Carried::Partly),
        (Item::Beavers, Carried::Partly),
        (Item::Raccoons, Carried::Partly),
        (Item::Dances, Carried::Yes),
        (Item::ImpossibleRolls, Carried::Yes),
        (Item::IllegalPlays, Carried::Yes),
        (Item::DeclaredIllegal, Carried::Yes),
        (Item::TimeOuts, Carried::Partly),
        (Item::Results, Carried::Partly),
        (Item::ResultKinds, Carried::Partly),
        (Item::StartPositions, Carried::Yes),
        (Item::Positions, Carried::Partly),
        (Item::MatchComments, Carried::Partly),
        (Item::Comments, Carried::Yes),
        (Item::Analysis, Carried::Partly),
    ],
};

/// The start of a collection at the start of the text, or behind a few lines, as in a mail.
fn sniff(source: &Source) -> Likely {
    let text = source.text();
    if parse::starts_collection(text) {
        return Likely::Yes;
    }
    let later = text
        .match_indices('(')
        .take(50)
        .any(|(at, _)| parse::starts_collection(&text[at..]) && text[at..].contains("GM[6]"));
    if later { Likely::Maybe } else { Likely::No }
}
