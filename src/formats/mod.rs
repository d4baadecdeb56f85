//! Transcript formats and position identifiers: one file or folder a format, listed in [`ALL`].
//!
//! A reader turns a [`Source`] into records of what was written and reports what it could not read; it
//! knows nothing of the rules. Matches are handed over one by one, so that a file may be larger than the
//! memory that its records would need. Where only what is wrong is asked, a reader may play what is beyond doubt instead
//! of handing it over ([`Format::read_made`]); it judges nothing all the same.

mod bgammon;
mod bgf;
mod bgroom;
mod binary;
mod bkg;
pub mod carry;
mod date;
mod fibs;
mod gam;
mod gnubg_text;
pub mod ids;
pub mod json;
mod lbg;
mod mat;
pub mod notation;
mod ogxm;
mod oldmoves;
mod party;
mod pos;
mod position;
mod recorder;
mod refused;
mod sgf;
mod sgg;
mod snowie;
#[cfg(test)]
mod test_support;
mod text;
mod tmg;
mod xg;

use std::borrow::Cow;

use carry::{Carried, Item, Loss};

use crate::board::Variant;
use crate::diagnostic::Findings;
use crate::record::{Action, Entry, GameRecord, GameResult, MadeGame, MatchRecord};
use crate::replay::{GameReplay, Replay, rules_for};
use crate::ruleset::{Origin, RuleOptions};
use crate::source::{Source, Span, Spanned};

/// A transcript format.
#[derive(Debug)]
pub struct Format {
    /// The name for `--from` and in the JSON output.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// Usual extensions, without the dot.
    pub extensions: &'static [&'static str],
    /// Whether an input looks like this format.
    pub sniff: fn(&Source) -> Likely,
    /// Whether it is no text: it is told by its first bytes, before any text is looked at, and its reader
    /// makes a listing.
    pub binary: bool,
    /// Reads the matches of a source, one by one.
    pub read: Option<Read>,
    /// Reads them without keeping the plays that are beyond doubt, for who asks only whether anything is wrong.
    pub read_made: Option<ReadMade>,
    /// Where the last match of a piece of a longer text starts, if a whole match stands before it: streams
    /// are cut there. `None`: the whole text is needed.
    pub cut: Option<Cut>,
    /// Writes a match.
    pub write: Option<Write>,
    /// The varieties in which it is written, the usual one first.
    pub profiles: &'static [&'static str],
    /// Whether the reader was held against real files; otherwise it follows a description only.
    pub verified: bool,
    /// What it can carry: for `formats` and for the report of losses.
    pub carries: &'static [(Item, Carried)],
}

/// Where the last match of a piece of text starts; see [`Format::cut`].
pub type Cut = fn(&[u8]) -> Option<usize>;

/// Reads a source and hands over each match with the findings of its reading.
///
/// # Errors
///
/// The text is not of this format at all.
pub type Read = fn(&Source, &mut Sink<'_>) -> Result<(), NotThisFormat>;

/// Takes the matches of a source and what was found while reading them.
pub type Sink<'a> = dyn FnMut(&MatchRecord, &mut Findings) + 'a;

/// Reads a source as [`Read`] does, but makes the plays that are beyond doubt instead of keeping them. False as soon as
/// something must be read in full; what was handed over is of no use then.
///
/// # Errors
///
/// The text is not of this format at all.
pub type ReadMade = fn(&Source, &mut MadeSink<'_>) -> Result<bool, NotThisFormat>;

/// Takes the matches of a source, their games as made, and what was found while reading them. False if the source must
/// be read in full.
pub type MadeSink<'a> = dyn FnMut(&MatchRecord, &[MadeGame], &mut Findings) -> bool + 'a;

/// How much a text looks like a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Likely {
    /// It does not.
    No,
    /// It may be one.
    Maybe,
    /// It is one.
    Yes,
}

/// Why a text could not be read in a format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotThisFormat(pub String);

impl std::fmt::Display for NotThisFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotThisFormat {}

/// Writes a match behind those that were written before.
///
/// # Errors
///
/// The target cannot hold the match at all.
pub type Write = fn(&MatchRecord, &Replay, &WriteOptions) -> Result<Written, CannotWrite>;

/// How a match is written.
#[derive(Debug, Clone, Copy, Default)]
pub struct WriteOptions {
    /// The variety of the format, where it has several: `xg`.
    pub profile: Option<&'static str>,
    /// How many matches of the same output stand before this one.
    pub before: u32,
}

/// A match as written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// What the target could not hold.
    pub losses: Vec<Loss>,
    /// Where the number of the match in the output stands, if it is said: bytes from the start.
    pub numbers: Vec<usize>,
    /// Those of the losses that nobody had thought of: only reading the match back told.
    pub unforeseen: Vec<Item>,
}

impl Written {
    /// What a writer wrote, and what it lost as far as it knows.
    pub fn new(bytes: Vec<u8>, losses: Vec<Loss>) -> Written {
        Written {
            bytes,
            losses,
            numbers: Vec::new(),
            unforeseen: Vec::new(),
        }
    }
}

/// Why a match cannot be written in a format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CannotWrite(pub String);

impl std::fmt::Display for CannotWrite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CannotWrite {}

/// Every format, in the order in which a text is compared with them.
pub static ALL: &[&Format] = &[
    &json::FORMAT,
    &sgf::FORMAT,
    &xg::FORMAT,
    &xg::POSITION,
    &ogxm::FORMAT,
    &ogxm::GVA,
    &bgf::FORMAT,
    &pos::FORMAT,
    &refused::GIBBON,
    &refused::JAVAFIBS,
    &refused::GAMMONX,
    &refused::LATEX,
    &lbg::FORMAT,
    &bgammon::FORMAT,
    &bgroom::FORMAT,
    &party::FORMAT,
    &tmg::FORMAT,
    &sgg::FORMAT,
    &snowie::FORMAT,
    &fibs::FORMAT,
    &position::FORMAT,
    &gnubg_text::FORMAT,
    &oldmoves::FORMAT,
    &mat::FORMAT,
    &gam::FORMAT,
    &bkg::FORMAT,
];

/// Whether a match in this format says how many stand before it, and not only whether there are any.
pub fn numbers_matches(format: &Format) -> bool {
    format.name == sgf::FORMAT.name
}

/// Writes a match in a format. A game that starts from another position needs a format that can hold it. A match with
/// anything unusual about it is read back, so that every loss is told.
///
/// # Errors
///
/// The format is not written, or cannot hold the match.
pub fn write(
    format: &Format,
    record: &MatchRecord,
    replay: &Replay,
    options: &WriteOptions,
) -> Result<Written, CannotWrite> {
    let write = format
        .write
        .ok_or_else(|| CannotWrite("this format is not written".to_owned()))?;
    let holds = format
        .carries
        .iter()
        .any(|(item, _)| *item == Item::StartPositions);
    let set = record.games.iter().position(|game| game.start.is_some());
    let agreed = rules_for(record, &RuleOptions::default()).variant;
    let variant = agreed.value;
    // A game that only its first position tells is named, for that position may be written as a play.
    let mut named = Cow::Borrowed(record);
    if agreed.origin == Origin::Record && record.games.first().is_some_and(|g| g.start.is_none()) {
        let name = variant.name().to_owned();
        named.to_mut().variation = Some(Spanned::new(name, Span::default()));
    }
    let record = &*named;
    let carries_tags = format
        .carries
        .iter()
        .any(|(item, _)| *item == Item::RuleTags);
    if variant != Variant::Backgammon && !carries_tags {
        return Err(other_game(variant, format.name));
    }
    let is_nardi = |game: &GameReplay| game.start.variant == Variant::LongNardi;
    if variant == Variant::LongNardi || replay.games.iter().any(is_nardi) {
        can_hold_nardi(format, record)?;
    }
    match set {
        Some(game) if !holds => Err(CannotWrite(format!(
            "game {} starts from another position, which {} cannot hold",
            game + 1,
            format.name
        ))),
        // Our own record keeps every word; elsewhere a position that goes without saying is not stated.
        _ if format.name == json::FORMAT.name => write(record, replay, options),
        _ => {
            let told = without_the_obvious(record, replay, format);
            let mut written = write(&told, replay, options)?;
            carry::add_kinds(record, &mut written.losses);
            // Where only the caller says which game it is, what is read back is another one by itself.
            let is_own = |game: &GameReplay| game.start.variant == variant;
            if replay.games.iter().all(is_own) {
                carry::proof::prove(record, (&told, replay), format, options, &mut written)?;
            }
            Ok(written)
        }
    }
}

/// The record without what it states and what follows from the rest of it anyway.
fn without_the_obvious<'a>(
    record: &'a MatchRecord,
    replay: &Replay,
    format: &Format,
) -> Cow<'a, MatchRecord> {
    let position = |entry: &Entry| {
        let extra = entry.extra.as_deref();
        extra.is_some_and(|extra| extra.position_after.is_some())
    };
    let states = |game: &GameRecord| {
        let kind =
            |result: Spanned<GameResult>| result.value.win.is_some() || result.value.resigned;
        game.result.is_some_and(kind)
            || game.crawford.is_some_and(|mark| !mark.value)
            || game.entries.iter().any(position)
    };
    let mut record = Cow::Borrowed(record);
    if record.games.iter().any(states) {
        let carries = |(item, _): &(Item, Carried)| *item == Item::ResultKinds;
        let has_kinds = format.carries.iter().any(carries);
        carry::normal::drop_the_obvious(record.to_mut(), replay, has_kinds);
    }
    record
}

/// Whether a match of long nardi can be written: our own record says everything, and match text holds plays in
/// each player's own numbering, but positions only as the points of backgammon. The other formats are those of
/// backgammon programs.
fn can_hold_nardi(format: &Format, record: &MatchRecord) -> Result<(), CannotWrite> {
    let sets = |game: &GameRecord| {
        game.start.is_some() || game.entries.iter().any(|entry| entry.action == Action::Set)
    };
    if format.name == json::FORMAT.name {
        return Ok(());
    }
    if format.name != mat::FORMAT.name {
        return Err(other_game(Variant::LongNardi, format.name));
    }
    match record.games.iter().position(sets) {
        None => Ok(()),
        Some(game) => Err(CannotWrite(format!(
            "game {} has a position of long nardi, which mat cannot hold",
            game + 1
        ))),
    }
}

/// Why a game with another start cannot be written where nothing says so.
fn other_game(variant: Variant, format: &str) -> CannotWrite {
    CannotWrite(format!(
        "this is {}, and {format} cannot say so",
        variant.name()
    ))
}

/// The format with this name.
pub fn by_name(name: &str) -> Option<&'static Format> {
    ALL.iter()
        .copied()
        .find(|format| format.name.eq_ignore_ascii_case(name))
}

/// The extension of the name of a source, in any letters, without what says that it was compressed.
fn extension(source: &Source) -> Option<&str> {
    let (stem, last) = source.name().rsplit_once('.')?;
    let is_compressed = ["gz", "zst"]
        .iter()
        .any(|end| last.eq_ignore_ascii_case(end));
    match is_compressed {
        true => stem.rsplit_once('.').map(|(_, extension)| extension),
        false => Some(last),
    }
}

/// The format of a text: by content, and by the extension of its name where the content fits several.
pub fn detect(source: &Source) -> Option<&'static Format> {
    let extension = extension(source);
    let is_usual = |format: &Format| {
        let is_that = |own: &&str| extension.is_some_and(|found| found.eq_ignore_ascii_case(own));
        format.extensions.iter().any(is_that)
    };
    // What is no text must not be taken for one; of several that fit equally well, the first one of the table.
    [true, false].into_iter().find_map(|binary| {
        let kind = || ALL.iter().copied().filter(|format| format.binary == binary);
        // Nothing outranks what is certain and has its usual extension: the others need not be asked.
        let is_certain =
            |format: &&Format| is_usual(format) && (format.sniff)(source) == Likely::Yes;
        kind().find(is_certain).or_else(|| {
            let ranked = kind().map(|format| ((format.sniff)(source), is_usual(format), format));
            let likely = ranked
                .rev()
                .max_by_key(|&(likely, usual, _)| (likely, usual));
            likely
                .filter(|(likely, ..)| *likely > Likely::No)
                .map(|(_, _, format)| format)
        })
    })
}
