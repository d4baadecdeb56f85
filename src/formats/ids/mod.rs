//! Position identifiers: one line of text that says where the checkers stand, and mostly more.
//!
//! [`decode`] finds the kind out, reads the text and names everything that is wrong with it; [`encode`]
//! writes any kind from the same [`IdState`] and refuses what the kind cannot hold. What each kind means is
//! told in its own file.
//!
//! Who is who: player one is the bottom of an XGID, player 0 of GNU Backgammon, White of an OGID, the first
//! named of a FIBS line, and side 0 of a Snowie line. A bare position ID names nobody; it is told as if
//! player one were on roll.

mod fibs;
mod field;
mod gnubg;
mod ogid;
pub(in crate::formats) mod record;
mod snowie;
mod state;
mod xgid;

use std::fmt;

use crate::board::Variant;
use crate::diagnostic::Level;

use field::{Faults, Field};
pub use gnubg::position_id;
pub use state::{IdState, Pending, Sides, Stage};
pub use xgid::xgid;

/// A kind of identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `4HPwATDgc/ABMA`: the checkers only, seen by the player on roll.
    PositionId,
    /// `cAkAAAAAAAAE`: score, cube, dice and turn of GNU Backgammon, without the checkers.
    MatchId,
    /// Position ID and match ID together: `4HPwATDgc/ABMA:cAkAAAAAAAAE`.
    GnubgId,
    /// `XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10` of eXtreme Gammon.
    Xgid,
    /// `11ccccchhhjjjjj:66666888dddddoo:N0N::W:IW:0:0:1:0` of OpenGammon.
    Ogid,
    /// The `board:` line of the FIBS server.
    Fibs,
    /// The position line of Snowie: 40 fields, each with a semicolon after it.
    Snowie,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 7] = [
        Kind::Xgid,
        Kind::PositionId,
        Kind::MatchId,
        Kind::GnubgId,
        Kind::Ogid,
        Kind::Fibs,
        Kind::Snowie,
    ];

    /// The name in options and in the JSON output.
    pub fn name(self) -> &'static str {
        match self {
            Kind::PositionId => "position_id",
            Kind::MatchId => "match_id",
            Kind::GnubgId => "gnubgid",
            Kind::Xgid => "xgid",
            Kind::Ogid => "ogid",
            Kind::Fibs => "fibs",
            Kind::Snowie => "snowie",
        }
    }

    /// What a person calls it.
    pub fn title(self) -> &'static str {
        match self {
            Kind::PositionId => "position ID",
            Kind::MatchId => "match ID",
            Kind::GnubgId => "GNU Backgammon ID",
            Kind::Xgid => "XGID",
            Kind::Ogid => "OGID",
            Kind::Fibs => "FIBS board",
            Kind::Snowie => "Snowie position",
        }
    }

    /// The kind of this name, whatever the case; `-` and `_` are the same, and `posid` and `matchid` will do.
    pub fn by_name(name: &str) -> Option<Kind> {
        let name = name.to_ascii_lowercase().replace('-', "_");
        match name.as_str() {
            "posid" => Some(Kind::PositionId),
            "matchid" => Some(Kind::MatchId),
            "gnubg" => Some(Kind::GnubgId),
            _ => Kind::ALL.into_iter().find(|kind| kind.name() == name),
        }
    }
}

/// Something wrong with an identifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdFault {
    /// `Error`: the text means no position. `Warning`: it can be read, but it contradicts itself or exceeds
    /// what a known program takes.
    pub level: Level,
    /// What is wrong, in one line without a full stop.
    pub message: String,
    /// Where: the character of the input, from 1. `None`: the whole of it.
    pub column: Option<u32>,
    /// Whether it is that the checkers cannot stand like that.
    pub impossible: bool,
}

/// An identifier that could be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded {
    /// What it is.
    pub kind: Kind,
    /// What it says.
    pub state: IdState,
    /// What is odd about it: warnings only.
    pub faults: Vec<IdFault>,
}

/// Why a state cannot be written as some kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotEncodable {
    /// It is not known where the checkers stand.
    NoBoard,
    /// The checkers cannot stand like that.
    ImpossibleBoard,
    /// A number is larger than the kind can hold.
    TooLarge {
        /// What it counts.
        what: &'static str,
        /// The number.
        value: u32,
        /// The most that can be written.
        most: u32,
    },
    /// The cube shows something else than a power of two.
    CubeValue(u32),
    /// A player owns a cube at 1, which the kind cannot say.
    OwnedAtOne,
    /// The score has reached the length of the match, which the kind does not allow.
    MatchOver,
    /// The game is over, which the kind cannot say.
    GameOver,
    /// An answer is waited for that the kind cannot say.
    Pending(&'static str),
    /// A name holds a character that would break the line.
    Name(String),
}

impl fmt::Display for NotEncodable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotEncodable::NoBoard => f.write_str("it is not known where the checkers stand"),
            NotEncodable::ImpossibleBoard => f.write_str("the checkers cannot stand like that"),
            NotEncodable::TooLarge { what, value, most } => {
                write!(f, "the {what} is {value}, at most {most} can be written")
            }
            NotEncodable::CubeValue(value) => {
                write!(
                    f,
                    "a cube of {value} is no power of two that can be written"
                )
            }
            NotEncodable::OwnedAtOne => f.write_str("an owned cube at 1 cannot be said"),
            NotEncodable::MatchOver => f.write_str("the score has reached the match length"),
            NotEncodable::GameOver => f.write_str("the game is over, which cannot be said"),
            NotEncodable::Pending(what) => write!(f, "a pending {what} cannot be said"),
            NotEncodable::Name(name) => {
                write!(f, "the name {name:?} holds a character that ends the field")
            }
        }
    }
}

impl std::error::Error for NotEncodable {}

/// The kind that a text looks like. `None`: no kind that is known.
pub fn detect(text: &str) -> Option<Kind> {
    let text = text.trim();
    let lower = text.to_ascii_lowercase();
    if lower.starts_with("xgid") {
        return Some(Kind::Xgid);
    }
    if lower.starts_with("ogid") {
        return Some(Kind::Ogid);
    }
    if lower.starts_with("board:") {
        return Some(Kind::Fibs);
    }
    if text.matches(';').count() >= 10 {
        return Some(Kind::Snowie);
    }
    if text.matches(':').count() >= 3 {
        // The third field is the cube in an OGID, as N0N, and the owner of the cube in an XGID, as -1.
        let third = text.split(':').nth(2).unwrap_or_default();
        let is_ogid = third.starts_with(|c: char| c.is_alphabetic() || c == '?');
        return Some(if is_ogid { Kind::Ogid } else { Kind::Xgid });
    }
    gnubg::detect(text).or_else(|| xgid::is_board(text).then_some(Kind::Xgid))
}

/// Reads an identifier of any kind.
///
/// # Errors
///
/// All reasons why the text means no position, with what is odd about it besides.
pub fn decode(text: &str) -> Result<Decoded, Vec<IdFault>> {
    match detect(text) {
        Some(kind) => decode_as(kind, text),
        None => Err(vec![IdFault {
            level: Level::Error,
            message: if text.trim().is_empty() {
                "an empty identifier".to_owned()
            } else {
                "no known kind of identifier".to_owned()
            },
            column: None,
            impossible: false,
        }]),
    }
}

/// Reads an identifier of a certain kind.
///
/// # Errors
///
/// All reasons why the text is none of this kind, with what is odd about it besides.
pub fn decode_as(kind: Kind, text: &str) -> Result<Decoded, Vec<IdFault>> {
    read(kind, text, Faults::default())
}

/// Reads an identifier of a position of a certain game. Long nardi has no identifiers of its own, but a position
/// ID of GNU Backgammon tells the checkers of each player in the own numbering, which is all that is needed.
///
/// # Errors
///
/// All reasons why the text means no position of that game.
pub fn decode_in(variant: Variant, text: &str) -> Result<Decoded, Vec<IdFault>> {
    let by_points = [Kind::Xgid, Kind::Ogid, Kind::Fibs, Kind::Snowie];
    let mut faults = Faults::of(variant);
    match detect(text) {
        Some(kind) if variant == Variant::LongNardi && by_points.contains(&kind) => {
            let message = format!(
                "{} cannot hold a position of long nardi; {} can",
                kind.title(),
                Kind::PositionId.title()
            );
            faults.error(None, message);
            Err(faults.into_list())
        }
        Some(kind) if variant == Variant::LongNardi => read(kind, text, faults),
        _ => decode(text),
    }
}

fn read(kind: Kind, text: &str, mut faults: Faults) -> Result<Decoded, Vec<IdFault>> {
    let whole = Field::whole(text);
    let state = match kind {
        Kind::PositionId => gnubg::decode_position_id(whole, &mut faults),
        Kind::MatchId => gnubg::decode_match_id(whole, &mut faults),
        Kind::GnubgId => gnubg::decode_both(whole, &mut faults),
        Kind::Xgid => xgid::decode(whole, &mut faults),
        Kind::Ogid => ogid::decode(whole, &mut faults),
        Kind::Fibs => fibs::decode(whole, &mut faults),
        Kind::Snowie => snowie::decode(whole, &mut faults),
    };
    let faults = faults.into_list();
    match state {
        Some(state) if faults.iter().all(|fault| fault.level < Level::Error) => Ok(Decoded {
            kind,
            state,
            faults,
        }),
        _ => Err(faults),
    }
}

/// Writes a state as an identifier of a kind.
///
/// What the state does not say is written as money play, a centred cube at 1, no dice, and player one on
/// roll. What the kind has no place for and what does not change the decision (names, the highest cube) is
/// left out.
///
/// # Errors
///
/// What the kind cannot hold: nothing is ever cut or wrapped.
pub fn encode(kind: Kind, state: &IdState) -> Result<String, NotEncodable> {
    match kind {
        Kind::PositionId => gnubg::encode_position_id(state),
        Kind::MatchId => gnubg::encode_match_id(state),
        Kind::GnubgId => Ok(format!(
            "{}:{}",
            gnubg::encode_position_id(state)?,
            gnubg::encode_match_id(state)?
        )),
        Kind::Xgid => xgid::encode(state),
        Kind::Ogid => ogid::encode(state),
        Kind::Fibs => fibs::encode(state),
        Kind::Snowie => snowie::encode(state),
    }
}

#[cfg(test)]
mod tests;
