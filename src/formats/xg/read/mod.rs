//! Records of a file to the record of a match.

mod action;
mod of_game;
mod of_match;

use super::archive::{self, Archive, Flaw, MAGIC, RECORD};
use super::records::{LATEST_VERSION, Record, header, kind};
use super::rtf;
use crate::board::{ByPlayer, Play, Player, Variant};
use crate::diagnostic::{Context, Finding, Findings, Level, Rule, syntax};
use crate::formats::binary::Listing;
use crate::formats::{NotThisFormat, Sink};
use crate::record::MatchRecord;
use crate::source::{Source, Spanned};

/// No match is longer: a record for the cube and one for the roll of each action.
const MOST_RECORDS: usize = 200_000;

pub(super) fn read(source: &Source, sink: &mut Sink<'_>) -> Result<(), NotThisFormat> {
    let not = |why: &str| NotThisFormat(why.to_owned());
    let archive = archive::open(source.bytes(), source.limits().inflated).ok_or_else(|| {
        match source.bytes().starts_with(MAGIC) {
            true => not("the file is cut within its header"),
            false => not("not a file of eXtreme Gammon"),
        }
    })?;
    let mut records = archive.records.chunks_exact(RECORD);
    let first = records.by_ref().next().and_then(Record::new);
    let first = first.filter(|record| record.kind() == kind::MATCH);
    let first = first.ok_or_else(|| not("no record of a match was found in the file"))?;
    let version = first.i32(header::VERSION);
    if version > LATEST_VERSION {
        let why =
            format!("version {version} of the file is not known; read up to {LATEST_VERSION}");
        return Err(NotThisFormat(why));
    }
    let mut reader = Reader::new(&archive);
    reader.header(first, version);
    reader.container(&archive);
    for record in records.by_ref().take(MOST_RECORDS).filter_map(Record::new) {
        reader.record(record);
    }
    if records.next().is_some() {
        let message = format!("more than {MOST_RECORDS} records");
        reader.whole(&syntax::UNREADABLE_LINE, &message, "not read from here on");
    }
    let cut = |flaw: &Flaw| matches!(flaw, Flaw::Cut(_) | Flaw::TooLarge(_));
    if !records.remainder().is_empty() && !archive.flaws.iter().any(cut) {
        reader.whole(&syntax::TRUNCATED, "the last record is cut", "left out");
    }
    let (record, listing, mut findings) = reader.finish();
    source.set_listing(listing);
    sink(&record, &mut findings);
    Ok(())
}

/// The board that was stated last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    Stated(ByPlayer<[u8; 26]>),
    /// What was stated is no board.
    Lost,
    /// Nothing was stated where a board should be.
    Untold,
}

struct Reader<'a> {
    archive: &'a Archive,
    comments: Vec<String>,
    told: Vec<bool>,
    record: MatchRecord,
    listing: Listing,
    findings: Findings,
    variant: Variant,
    /// What the cube record before a roll says, if nobody doubled there.
    cube: Option<Record<'a>>,
    /// The board that the file stated last.
    board: Last,
    /// The board before the last play, and that play.
    played: Option<(ByPlayer<[u8; 26]>, Player, Play)>,
    /// What the cube counts when nobody has turned it: automatic doubles make it more than 1.
    base: u32,
    /// How many plays were looked at so far.
    candidates: usize,
    in_game: bool,
    starts_usually: bool,
    is_over: bool,
    score_after: Option<ByPlayer<u32>>,
}

impl<'a> Reader<'a> {
    fn new(archive: &'a Archive) -> Reader<'a> {
        let comments = rtf::comments(&archive.comments);
        Reader {
            archive,
            told: vec![false; comments.len()],
            comments,
            record: MatchRecord::default(),
            listing: Listing::default(),
            findings: Findings::default(),
            variant: Variant::Backgammon,
            cube: None,
            board: Last::Untold,
            played: None,
            base: 1,
            candidates: 0,
            in_game: false,
            starts_usually: true,
            is_over: false,
            score_after: None,
        }
    }

    /// A finding on the match or the game as a whole.
    fn whole(&mut self, rule: &'static Rule, message: &str, label: &str) {
        let span = match self.in_game {
            true => self.listing.of_game(message),
            false => self.listing.of_match(message),
        };
        self.find(Finding::new(rule, span, message.to_owned(), label));
    }

    /// The same as a warning.
    fn odd(&mut self, message: &str, label: &str) {
        let span = match self.in_game {
            true => self.listing.of_game(message),
            false => self.listing.of_match(message),
        };
        let finding = Finding::new(&syntax::BAD_HEADER, span, message.to_owned(), label);
        self.find(finding.at_level(Level::Warning));
    }

    fn find(&mut self, finding: Finding) {
        let context = Context::in_last_game(1, self.record.games.len());
        self.findings.push(finding.within(context));
    }

    /// The finding belongs to the last action.
    fn find_here(&mut self, finding: Finding) {
        let game = self.record.games.last();
        let entry = game.and_then(|game| game.entries.last());
        let context = Context {
            ply: game.map(|game| game.entries.len() as u32),
            move_number: entry.map(|entry| entry.row),
            player: entry.map(|entry| entry.player),
            ..Context::in_last_game(1, self.record.games.len())
        };
        self.findings.push(finding.within(context));
    }

    fn container(&mut self, archive: &Archive) {
        for flaw in &archive.flaws {
            match flaw {
                Flaw::NoTrailer => self.odd(
                    "the container has no trailer that fits",
                    "its parts were searched for, and no checksum could be compared",
                ),
                Flaw::ArchiveCrc => self.odd(
                    "the checksum of the container is another one",
                    "read all the same",
                ),
                Flaw::FileCrc(name) => self.odd(
                    &format!("the checksum of {name} is another one"),
                    "read all the same",
                ),
                Flaw::Misplaced(name) => self.whole(
                    &syntax::UNREADABLE_LINE,
                    &format!("{name} lies outside the container or over another part"),
                    "left out",
                ),
                Flaw::TooLarge(name) => self.whole(
                    &syntax::LIMIT_REACHED,
                    &format!("{name} is larger than the limit for compressed parts"),
                    "read up to there; --limit-inflated sets another limit",
                ),
                Flaw::Cut(name) => self.whole(
                    &syntax::TRUNCATED,
                    &format!("{name} is cut or damaged"),
                    "read up to there",
                ),
                Flaw::Unknown(name) => {
                    self.odd(&format!("a part with the name {name:?}"), "not read")
                }
            }
        }
    }

    fn comment(&mut self, record: Record<'_>, at: usize) -> Option<String> {
        let index = record.index(at)?;
        let Some(comment) = self.comments.get(index) else {
            if !self.archive.comments.is_empty() {
                self.odd(&format!("comment {index} is not in the file"), "left out");
            }
            return None;
        };
        self.told[index] = true;
        Some(comment.clone()).filter(|comment| !comment.is_empty())
    }

    fn record(&mut self, record: Record<'a>) {
        match record.kind() {
            kind::GAME => self.game(record),
            kind::CUBE => self.cube_action(record),
            kind::MOVE => self.play(record),
            kind::GAME_END => self.game_end(record),
            kind::MATCH_END => self.match_end(record),
            other => {
                let message = format!("a record of kind {other}");
                self.whole(&syntax::UNREADABLE_LINE, &message, "left out");
            }
        }
    }

    fn finish(mut self) -> (MatchRecord, String, Findings) {
        self.leave_cube();
        self.in_game = false;
        let span = self.record.length.map(|length| length.span);
        let untold = std::mem::take(&mut self.told);
        for (index, _) in untold.iter().enumerate().filter(|(_, told)| !**told) {
            let comment = std::mem::take(&mut self.comments[index]);
            if !comment.is_empty() {
                let span = span.unwrap_or_default();
                self.record.comments.push(Spanned::new(comment, span));
            }
        }
        (self.record, self.listing.finish(), self.findings)
    }
}
