//! Version 2: sections, the match header, games and plies.

mod header;
mod plies;

pub(super) use header::{KINDS, SEATS, SIDES, SOURCES, TEXTS, rating};
use plies::{game_record, ply};

use super::ancillary::{annotations, clock, video};
use super::cursor::Cursor;
use super::decisions::{Block, analysis, decisions};
use super::model::{Act, Game, Model, Ply};
use super::{MAGIC, MOST_PARTS, MOST_PLIES};
use crate::board::{Player, Variant};
use crate::diagnostic::{Level, syntax};
use crate::formats::NotThisFormat;
use crate::formats::binary::{Bytes, crc32};

/// How long the header of a file is, and that of a section.
pub(super) const HEADER: usize = 16;
pub(super) const SECTION: usize = 9;
/// What the last four bytes are.
pub(super) const END: &[u8; 4] = b"END!";

/// A section of a file; the payload ends with the file if that is cut.
#[derive(Debug, Clone, Copy)]
pub(super) struct Section<'a> {
    pub(super) name: [u8; 4],
    pub(super) is_critical: bool,
    pub(super) payload: &'a [u8],
    pub(super) start: usize,
    pub(super) is_whole: bool,
}

/// The sections of a file, and whether it ends as it should.
pub(super) fn sections(bytes: &[u8]) -> (Vec<Section<'_>>, bool) {
    let (mut found, mut at) = (Vec::new(), HEADER);
    let whole = Bytes(bytes);
    loop {
        if bytes.get(at..) == Some(END) {
            return (found, true);
        }
        let name = whole.slice(at, 4).and_then(|name| name.try_into().ok());
        let (Some(name), Some(length), Some(flags)) = (
            name,
            whole.u32(at.saturating_add(4)),
            whole.u8(at.saturating_add(8)),
        ) else {
            return (found, false);
        };
        let start = at + SECTION;
        let end = start.saturating_add(length as usize);
        let is_whole = end <= bytes.len();
        found.push(Section {
            name,
            is_critical: flags & 1 == 1,
            payload: bytes.get(start..end.min(bytes.len())).unwrap_or_default(),
            start: at,
            is_whole,
        });
        if !is_whole || found.len() >= MOST_PARTS {
            return (found, false);
        }
        at = end;
    }
}

/// Reads a file of version 2.
pub(super) fn read(bytes: &[u8]) -> Result<Model, NotThisFormat> {
    debug_assert!(bytes.starts_with(MAGIC));
    let whole = Bytes(bytes);
    if let Some(needed @ 3..) = whole.u16(8) {
        let why = format!("only readers of version {needed} of OGXM can read this file");
        return Err(NotThisFormat(why));
    }
    let mut reader = Reader::default();
    let (sections, is_ended) = sections(bytes);
    reader.model.is_cut = !is_ended;
    match whole.u32(12).map(|size| size as usize) {
        Some(size) if size > bytes.len() => reader.model.is_cut = true,
        Some(size) if size < bytes.len() => {
            let message = format!("the header says {size} bytes, the file has {}", bytes.len());
            reader.warn(message, "all of them are read");
        }
        _ => {}
    }
    if let Some(minor @ 3..) = whole.u16(10) {
        let message = format!("the file asks for a reader of version 2.{minor}");
        reader.warn(message, "read as version 2.2");
    }
    for section in &sections {
        reader.section(bytes, section)?;
    }
    reader.finish();
    Ok(reader.model)
}

#[derive(Default)]
struct Reader<'a> {
    model: Model,
    has_header: bool,
    plies: usize,
    /// The analysis block that is being read, and how many there were.
    block: Option<Block>,
    blocks: u32,
    /// Sections that speak of plies wait until all games are read.
    waiting: Vec<Section<'a>>,
    signatures: u32,
}

impl<'a> Reader<'a> {
    fn warn(&mut self, message: String, label: &str) {
        self.model
            .remark(&syntax::BAD_HEADER, Level::Warning, message, label);
    }

    fn note(&mut self, message: String, label: &str) {
        self.model
            .remark(&syntax::BAD_HEADER, Level::Note, message, label);
    }

    fn cannot_read(&mut self, message: &str, label: &str) {
        if !self.model.is_cut {
            self.model
                .remark(&syntax::UNREADABLE_LINE, Level::Error, message, label);
        }
    }

    fn section(&mut self, bytes: &[u8], section: &Section<'a>) -> Result<(), NotThisFormat> {
        match &section.name {
            b"MTCH" if self.has_header => {
                self.warn("a second match header".to_owned(), "the first one counts");
            }
            b"MTCH" => {
                self.has_header = true;
                self.header(section.payload)?;
            }
            b"GAME" => self.game(section),
            b"ANAL" | b"DECS" | b"CLCK" | b"VIDO" | b"ANNO" => self.waiting.push(*section),
            b"SIGN" | b"MSIG" => self.signatures += 1,
            b"CSUM" => self.checksum(bytes, section),
            name if section.is_critical => {
                let name = String::from_utf8_lossy(name);
                let why = format!("it needs a reader that knows its section {name:?}");
                return Err(NotThisFormat(why));
            }
            name => {
                let name = String::from_utf8_lossy(name);
                let message = format!(
                    "a section that is not known: {name:?}, {} bytes",
                    section.payload.len()
                );
                self.note(message, "not kept");
            }
        }
        Ok(())
    }

    fn finish(&mut self) {
        if !self.has_header {
            self.cannot_read("no match header", "names, length and rules are not known");
        }
        for section in std::mem::take(&mut self.waiting) {
            let payload = section.payload;
            let read = match &section.name {
                b"ANAL" => {
                    self.blocks += 1;
                    self.block = analysis(payload, self.blocks, &mut self.model);
                    self.block.is_some()
                }
                b"DECS" => {
                    let block = self.block.clone().unwrap_or_default();
                    decisions(payload, &block, &mut self.model)
                }
                b"CLCK" => clock(payload, &mut self.model).is_some(),
                b"VIDO" => video(payload, &mut self.model).is_some(),
                _ => annotations(payload, &mut self.model).is_some(),
            };
            if !read {
                let name = String::from_utf8_lossy(&section.name);
                let message = format!("the section {name} cannot be read to its end");
                self.cannot_read(&message, "kept as far as it could be read");
            }
        }
        if self.signatures > 0 {
            let message = format!("signatures: {}", self.signatures);
            self.note(message, "neither checked nor kept");
        }
    }

    fn checksum(&mut self, bytes: &[u8], section: &Section<'_>) {
        let stated = (|| {
            let (mut body, _) = Cursor::new(section.payload).record()?;
            let algorithm = body.varint()?;
            let length = body.varint()? as usize;
            Some((algorithm, body.take(length)?))
        })();
        let right = crc32(bytes.get(..section.start).unwrap_or_default());
        match stated {
            Some((0, digest)) if digest == right.to_le_bytes() => {}
            Some((0, _)) => {
                let message = "the checksum is not that of the file".to_owned();
                self.warn(
                    message,
                    "the file was damaged or changed; it is read as it stands",
                );
            }
            Some((algorithm, _)) => {
                let message = format!("a checksum by algorithm {algorithm}");
                self.note(message, "not checked");
            }
            None => self.cannot_read("the checksum cannot be read", "not checked"),
        }
    }

    fn header(&mut self, payload: &[u8]) -> Result<(), NotThisFormat> {
        let mut variant = 0;
        let read = self.match_record(payload, &mut variant);
        match Variant::OF_BACKGAMMON.get(variant as usize) {
            Some(&known) => self.model.variant = Some(known),
            None => {
                let why = format!("variant {variant} of OGXM is not known");
                return Err(NotThisFormat(why));
            }
        }
        if read.is_none() {
            let label = "what stands behind the damage is missing";
            self.cannot_read("the match header cannot be read to its end", label);
        }
        Ok(())
    }

    fn game(&mut self, section: &Section<'_>) {
        let mut cursor = Cursor::new(section.payload);
        let mut game = Game::default();
        let is_read = game_record(&mut cursor, &mut game).is_some();
        if !is_read && section.is_whole {
            let why = "the head of the game cannot be read".to_owned();
            game.plies.push(Ply::new(Player::One, Act::Unreadable(why)));
        }
        while is_read && !cursor.is_empty() && self.plies < MOST_PLIES {
            self.plies += 1;
            match ply(&mut cursor) {
                Some(ply) => game.plies.push(ply),
                None => {
                    if section.is_whole {
                        let why = "the game cannot be read from here on".to_owned();
                        game.plies.push(Ply::new(Player::One, Act::Unreadable(why)));
                    }
                    break;
                }
            }
        }
        if self.plies >= MOST_PLIES {
            let label = "the rest is left out";
            self.cannot_read("more plies than a file may have", label);
        }
        self.model.games.push(game);
    }
}
