//! FIBS boards: one, a list, or the session of a client that logged them.
//!
//! ```text
//! session = { board | event | other }
//! board   = [ prefix ] "board:" 52 fields
//! event   = name ( "rolls 3 and 1." | "moves 8-5 6-5 ." | "can't move." | "doubles." | "accepts the double."
//!         | "rejects the double." | "wants to resign." | "accepts and wins 2 points." | … )
//! ```
//!
//! A log need not be complete: some clients keep only the boards, some only what the opponent does. So boards
//! lead and events fill in. Where the moves are told, they are taken as they are told, and the next board says
//! what they have led to. Where only boards are there, two of them between which the turn went over are
//! compared with the legal plays of the dice; if none leads from one to the other, the board is taken as
//! set. Boards of other players, or of another length, start another match; another score starts another
//! game. All other lines are chat and drawings.
//!
//! The console of GNU Backgammon writes the same boards and most of the same words.

pub(super) mod event;
mod reader;

use super::carry::{Carried, Item};
use super::text::mentions;
use super::{Format, Likely, NotThisFormat, Sink};
use crate::source::{Source, lines};

pub(super) static FORMAT: Format = Format {
    name: "fibs",
    title: "FIBS boards and sessions",
    extensions: &["txt", "log", "fibs"],
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
        (Item::CrawfordGame, Carried::Partly),
        (Item::CubeActions, Carried::Yes),
        (Item::Dances, Carried::Yes),
        (Item::Resignations, Carried::Yes),
        (Item::Results, Carried::Yes),
        (Item::StartPositions, Carried::Yes),
        (Item::Positions, Carried::Yes),
    ],
};

fn sniff(source: &Source) -> Likely {
    if !mentions(source, "board:") {
        return Likely::No;
    }
    let mut texts = lines(source.text())
        .map(|line| line.text.trim())
        .filter(|text| !text.is_empty())
        .take(1000);
    let is_whole = |text: &str| board(text).is_some_and(|board| board.matches(':').count() > 40);
    match texts.next() {
        Some(first) if is_whole(first) => Likely::Yes,
        Some(_) if texts.any(is_whole) => Likely::Maybe,
        _ => Likely::No,
    }
}

/// The board in a line: at its start, or behind the word that a client puts before what it logs.
fn board(text: &str) -> Option<&str> {
    let text = text.trim();
    let board = match text.split_once(' ') {
        Some((word, rest)) if word.ends_with(':') && !word.starts_with("board:") => {
            rest.trim_start()
        }
        _ => text,
    };
    (board.starts_with("board:") && board.matches(':').count() > 5).then_some(board)
}

fn read(source: &Source, sink: &mut Sink<'_>) -> Result<(), NotThisFormat> {
    reader::Reader::new(source, sink).read()
}

#[cfg(test)]
mod tests;
