//! OGXM, the container for matches of HedgeHog, which OpenGammon and GammonView use too (`.ogxm`, `.gvab`), and
//! its form in JSON (`.gva`).
//!
//! ```text
//! file 2    "OGXM" version minor reader reader-minor size  section*  "END!"
//! section   type length flags payload          MTCH GAME* (ANAL DECS SIGN?)* CLCK? VIDO? ANNO? MSIG? CSUM
//! record    varint length, varint mask of the optional fields, mandatory fields, optional ones by bit
//! ply       action + 64 × seat + 128 if extras follow; steps of a roll; record of extras
//! step      32 × pips + absolute pip
//!
//! file 1    "OGXM" version minor reader reader-minor size flags  chunk*  "END!" size
//! chunk     type length flags 0 payload        MHDR GAME* (ANAL EVAL ALTS CUBE GVAN SIGN?)* CLCK? VIDO? CSUM
//! ply       action + 32 × colour + 64 × two bits of the first step; steps, always as many as the roll has
//! ```
//!
//! White is the left column of a transcript. It goes from pip 1 up to pip 24 and enters from pip 0; Black goes
//! down and enters from pip 25. Version 2 and the boards count White as 0, version 1 and the JSON form count
//! White as 1.
//!
//! - Scores before the games follow from the start score and the points, by the format's own rule: a win counts
//!   at most what the winner needs. They are in the record, for the format has no other way to state them.
//! - What a rule bit leaves out does not hold: `Crawford Off` in a match without the bit, `Jacoby Off`,
//!   `Beaver Off` and `Raccoon Off` in money play.
//! - An illegal play is the roll and the board after it (action 31 with dice), declared as such if it has the
//!   flag; its moves are not recorded. The seat of such a ply is the side on roll afterwards.
//! - A player who is shut out and passes without a roll (action 37) is the board once more with the other
//!   player on roll. A cube set by hand (action 36) goes into the position before it, or is the board once more.
//! - A resignation ends the game: there is no offer that is refused. The markers of a game's end say nothing
//!   that the plies and the result do not. A settlement is a comment on the game.
//! - Clock readings are milliseconds since the first ply; the seconds of an action are those since the action
//!   before, which in the first one of a game counts the break. The settings are a tag, `Clock`.
//! - Equities are those of the file. Where a block counts match winning chances the names of its equities end
//!   in `-mwc`, for without a match equity table they are no points. The names of a further block end in `-2`,
//!   `-3`, …. Standard errors, cubeless equities, the dials of a program and what a block covers are not kept.
//! - Annotations are comments on the match, a game or an action; keys and authors stand before the text. Their
//!   drawings, languages and times are not kept.
//! - What the record has and no field holds is written as annotations under keys of our own, which start with
//!   `x-tawla-`: other tags, scores that do not follow, the moves of illegal plays, values that a double states
//!   beyond what follows. Other programs take them for notes, and the reader takes them back.
//! - A game that was given up without a word is written with the resignation that other programs need to see
//!   its end, and a take of a beaver is left out, for it goes without saying there; both are noted.
//! - Signatures are neither checked nor kept, and so are sections that are not known; findings name them.

mod ancillary;
mod build;
mod cursor;
mod decisions;
mod gva;
mod level;
mod model;
mod notes;
#[cfg(test)]
mod tests;
mod v1;
mod v2;
mod write;

pub(super) use gva::FORMAT as GVA;
use model::{Model, Step};

use super::binary::Bytes;
use super::carry::{Carried, Item};
use super::{Format, Likely, NotThisFormat, Sink};
use crate::source::Source;

pub(super) static FORMAT: Format = Format {
    name: "ogxm",
    title: "OGXM of HedgeHog and GammonView",
    extensions: &["ogxm", "gvab"],
    sniff,
    binary: true,
    read: Some(read),
    read_made: None,
    cut: None,
    write: Some(write::write),
    profiles: &[],
    verified: true,
    carries: &[
        (Item::Names, Carried::Yes),
        (Item::Ratings, Carried::Yes),
        (Item::Length, Carried::Partly),
        (Item::Scores, Carried::Yes),
        (Item::Event, Carried::Partly),
        (Item::RuleTags, Carried::Partly),
        (Item::OtherTags, Carried::Partly),
        (Item::CrawfordGame, Carried::Yes),
        (Item::GameNumbers, Carried::Yes),
        (Item::CubeActions, Carried::Yes),
        (Item::CubeValues, Carried::Yes),
        (Item::Beavers, Carried::Yes),
        (Item::Raccoons, Carried::Yes),
        (Item::Dances, Carried::Yes),
        (Item::UnrecordedPlays, Carried::Yes),
        (Item::IllegalPlays, Carried::Yes),
        (Item::DeclaredIllegal, Carried::Partly),
        (Item::Resignations, Carried::Partly),
        (Item::TimeOuts, Carried::Yes),
        (Item::Results, Carried::Partly),
        (Item::ResultKinds, Carried::Partly),
        (Item::StartPositions, Carried::Partly),
        (Item::Positions, Carried::Partly),
        (Item::MatchComments, Carried::Partly),
        (Item::Comments, Carried::Partly),
        (Item::Analysis, Carried::Partly),
        (Item::Clock, Carried::Partly),
    ],
};

/// The first bytes of both versions.
const MAGIC: &[u8; 4] = b"OGXM";

/// So many plies are read; the reference has the same limit.
const MOST_PLIES: usize = 100_000;

/// So many chunks or sections are read: a file has some ten, and one a game.
const MOST_PARTS: usize = 100_000;

fn sniff(source: &Source) -> Likely {
    match source.bytes().starts_with(MAGIC) {
        true => Likely::Yes,
        false => Likely::No,
    }
}

fn read(source: &Source, sink: &mut Sink<'_>) -> Result<(), NotThisFormat> {
    let bytes = source.bytes();
    if !bytes.starts_with(MAGIC) {
        return Err(NotThisFormat("not an OGXM file".to_owned()));
    }
    let model = match Bytes(bytes).u16(4) {
        Some(1) => v1::read(bytes),
        Some(2) => v2::read(bytes)?,
        Some(version) => {
            let why = format!("version {version} of OGXM is not known");
            return Err(NotThisFormat(why));
        }
        None => cut(),
    };
    let mut built = build::build(model);
    source.set_listing(built.listing.finish());
    sink(&built.record, &mut built.findings);
    Ok(())
}

/// A file that ends within its header.
fn cut() -> Model {
    Model {
        is_cut: true,
        ..Model::default()
    }
}
