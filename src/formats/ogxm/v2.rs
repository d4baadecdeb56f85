//! Version 2: sections, the match header, games and plies.

use super::ancillary::{annotations, clock, video};
use super::cursor::Cursor;
use super::decisions::{Block, analysis, decisions};
use super::model::{Act, Game, Model, Ply, Step, most_steps, player_of, roll_of};
use super::{MAGIC, MOST_PLIES};
use crate::board::{Player, Variant};
use crate::diagnostic::{Level, syntax};
use crate::formats::NotThisFormat;
use crate::formats::bgammon::date_and_time;
use crate::formats::binary::{Bytes, crc32};
use crate::record::WrittenRoll;

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
        if !is_whole {
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
        match Variant::ALL.get(variant as usize) {
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

    /// The fields of the match header, in the order of their bits.
    fn match_record(&mut self, payload: &[u8], variant: &mut u32) -> Option<()> {
        let (mut body, fields) = Cursor::new(payload).record()?;
        let model = &mut self.model;
        model.length = body.varint()?;
        *variant = body.varint()?;
        for bit in 0..2 {
            if fields.has(bit) {
                model.names[bit as usize] = body.text()?;
            }
        }
        if fields.has(2) {
            model.rules = body.varint()?;
        }
        if fields.has(3) {
            model.tag("CubeLimit", body.varint()?.to_string());
        }
        if fields.has(4) {
            model.start = [body.varint()?, body.varint()?];
        }
        if fields.has(5) {
            model.last = Some([body.varint()?, body.varint()?]);
        }
        if fields.has(6) {
            let result = body.varint()?;
            model.tag("Result", worded(result, &RESULTS));
        }
        if fields.has(7) {
            let source = body.varint()?;
            if source > 0 {
                model.tag("Source", worded(source, &SOURCES));
            }
        }
        let started = if fields.has(8) {
            Some(body.varint64()?)
        } else {
            None
        };
        let completed = if fields.has(9) {
            Some(body.varint64()?)
        } else {
            None
        };
        if fields.has(10) {
            let seat = body.varint()?;
            model.tag("PlayerSeat", worded(seat, &SEATS));
        }
        model.crawford_before = fields.has(11);
        if fields.has(12) {
            model.tag("Event", body.text()?);
        }
        if fields.has(13) {
            model.tag("EventYear", body.varint()?.to_string());
        }
        let precision = if fields.has(14) {
            Some(body.varint()?)
        } else {
            None
        };
        dates(model, started, precision);
        if let Some(moment) = completed.and_then(moment) {
            model.tag("Completed", format!("{} {}", moment.0, moment.1));
        }
        if fields.has(15) {
            model.tag("Stage", body.text()?);
        }
        if fields.has(16) {
            model.tag("Round", body.varint()?.to_string());
        }
        for (bit, name) in TEXTS {
            if fields.has(bit) {
                model.tag(name, body.text()?);
            }
        }
        for (index, side) in SIDES.into_iter().enumerate() {
            if fields.has(23 + index as u32) {
                profile(model, &mut body, index, side)?;
            }
        }
        if fields.has(25) {
            model.tag("Rated", "On");
        }
        if fields.beyond(26) {
            self.note(
                "the match header has fields of a later version".to_owned(),
                "not kept",
            );
        }
        Some(())
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

/// What the result, the source and the seat of the person may be.
pub(super) const RESULTS: [&str; 4] = ["none", "white won", "black won", "abandoned"];
pub(super) const SOURCES: [&str; 6] = ["played", "mat", "xg", "transcribed", "bgf", "sgf"];
pub(super) const SEATS: [&str; 3] = ["white", "black", "neither"];
/// The kinds of player.
pub(super) const KINDS: [&str; 2] = ["human", "bot"];
/// The fields of the header that are only texts.
pub(super) const TEXTS: [(u32, &str); 6] = [
    (17, "Table"),
    (18, "City"),
    (19, "Country"),
    (20, "EventURL"),
    (21, "Site"),
    (22, "MatchRef"),
];
/// How the tags about a player start.
pub(super) const SIDES: [&str; 2] = ["White", "Black"];

/// The word for a number, or the number.
fn worded(number: u32, words: &[&str]) -> String {
    match words.get(number as usize) {
        Some(word) => (*word).to_owned(),
        None => number.to_string(),
    }
}

/// The date and the time of milliseconds since 1970.
fn moment(milliseconds: u64) -> Option<(String, String)> {
    let (date, time) = date_and_time(i64::try_from(milliseconds / 1000).ok()?)?;
    match milliseconds % 1000 {
        0 => Some((date, time)),
        part => Some((date, format!("{time}.{part:03}"))),
    }
}

/// When the match started; of a date that is only known to the day, month or year the rest is left out.
fn dates(model: &mut Model, started: Option<u64>, precision: Option<u32>) {
    let Some(started) = started else { return };
    let Some((date, time)) = moment(started) else {
        let message = format!("the match started {started} milliseconds after 1970");
        let label = "no date";
        return model.remark(&syntax::BAD_HEADER, Level::Warning, message, label);
    };
    match precision {
        Some(0) => model.tag("EventDate", date),
        Some(1) => model.tag("EventDate", format!("{}.??", &date[..7])),
        Some(2) => model.tag("EventDate", format!("{}.??.??", &date[..4])),
        _ => {
            model.tag("EventDate", date);
            model.tag("EventTime", time);
        }
    }
}

/// What is known of a player: the rating stands with the name, the rest in tags.
fn profile(model: &mut Model, body: &mut Cursor<'_>, index: usize, side: &str) -> Option<()> {
    let (mut body, fields) = body.record()?;
    if fields.has(0) {
        model.tag(&format!("{side}UserId"), body.text()?);
    }
    if fields.has(1) {
        model.ratings[index] = Some(rating(body.varint()?));
    }
    if fields.has(2) {
        model.tag(&format!("{side}RatingSystem"), body.text()?);
    }
    if fields.has(3) {
        model.tag(&format!("{side}Country"), body.text()?);
    }
    if fields.has(4) {
        model.tag(&format!("{side}Kind"), worded(body.varint()?, &KINDS));
    }
    Some(())
}

/// A rating of so many hundredths: `1800`, `1800.50`.
pub(super) fn rating(hundredths: u32) -> String {
    match hundredths % 100 {
        0 => (hundredths / 100).to_string(),
        part => format!("{}.{part:02}", hundredths / 100),
    }
}

fn game_record(cursor: &mut Cursor<'_>, game: &mut Game) -> Option<()> {
    let (mut body, fields) = cursor.record()?;
    if fields.has(0) {
        game.winner = player_of(body.varint()?);
    }
    if fields.has(1) {
        game.points = Some(body.varint()?);
    }
    game.is_last = fields.has(2);
    if fields.has(3) {
        game.board = Some(body.board()?);
    }
    if fields.has(4) {
        game.cube_value = Some(body.varint()?);
    }
    if fields.has(5) {
        game.cube_owner = player_of(body.varint()?);
    }
    if fields.has(6) {
        game.automatic_doubles = body.varint()?;
    }
    if fields.has(7) {
        game.termination = Some(body.varint()?);
    }
    Some(())
}

/// What a ply has beyond its action and its steps.
#[derive(Default)]
struct Extras {
    dice: Option<WrittenRoll>,
    resign: Option<u32>,
    cube: Option<u32>,
    illegal: bool,
    settlement: Option<i32>,
    board: Option<[i8; 26]>,
    action: Option<u32>,
    owner: Option<Player>,
}

fn extras(cursor: &mut Cursor<'_>, is_known: bool) -> Option<Extras> {
    let (mut body, fields) = cursor.record()?;
    let mut extras = Extras::default();
    if !is_known {
        // The extras of an action that is not known are only known to its writer.
        return Some(extras);
    }
    if fields.has(0) {
        extras.dice = Some(WrittenRoll(body.u8()?.min(9), body.u8()?.min(9)));
    }
    if fields.has(1) {
        extras.resign = Some(body.varint()?);
    }
    if fields.has(2) {
        extras.cube = Some(body.varint()?);
    }
    extras.illegal = fields.has(3);
    if fields.has(4) {
        extras.settlement = Some(body.i32()?);
    }
    if fields.has(5) {
        body.counted_steps()?;
    }
    if fields.has(6) {
        extras.board = Some(body.board()?);
    }
    if fields.has(7) {
        extras.action = Some(body.varint()?);
    }
    if fields.has(8) {
        extras.owner = player_of(body.varint()?);
    }
    Some(extras)
}

/// The action that says that its number is in the extras.
const ESCAPE: u8 = 63;

fn ply(cursor: &mut Cursor<'_>) -> Option<Ply> {
    let first = cursor.u8()?;
    let action = first & 0x3f;
    let player = player_of(u32::from(first >> 6 & 1))?;
    let mut steps = Vec::new();
    if let Some(roll) = roll_of(action) {
        for _ in 0..most_steps(roll) {
            match cursor.u8()? {
                0 => break,
                byte => steps.push(Step::from_byte(byte)?),
            }
        }
    }
    let is_known = action <= 37 || action == ESCAPE;
    let extras = match first & 0x80 {
        0 => Extras::default(),
        _ => extras(cursor, is_known)?,
    };
    let number = match extras.action {
        Some(number) if action == ESCAPE => number,
        _ => u32::from(action),
    };
    let act = act(number, steps, &extras);
    // The seat of a play that is restated is the side on roll after it.
    let player = match act {
        Act::Restated { .. } => !player,
        _ => player,
    };
    Some(Ply {
        illegal: extras.illegal,
        ..Ply::new(player, act)
    })
}

fn act(number: u32, steps: Vec<Step>, extras: &Extras) -> Act {
    let missing = |what: &str| Act::Unreadable(format!("action {number} without its {what}"));
    if let Some(roll) = u8::try_from(number).ok().and_then(roll_of) {
        return Act::Dice { roll, steps };
    }
    match number {
        21 => Act::Double,
        22 => Act::Take,
        23 => Act::Drop,
        24..=26 | 30 => Act::Marker,
        27 | 28 => Act::Resign {
            value: extras.resign,
            of_match: number == 28,
        },
        29 => Act::Forfeit,
        31 => match (extras.board, extras.dice) {
            (Some(board), Some(roll)) => Act::Restated { roll, board },
            (Some(board), None) => Act::SetPosition(board),
            (None, _) => missing("board"),
        },
        32 => Act::Beaver,
        33 => Act::Raccoon,
        34 => match extras.settlement {
            Some(points) => Act::Settle(points),
            None => missing("value"),
        },
        36 => match extras.cube {
            Some(value @ 1..) => Act::CubeSet {
                value,
                owner: extras.owner,
            },
            _ => missing("value"),
        },
        37 => Act::ShutOut,
        other => Act::Unreadable(format!("action {other} is not known")),
    }
}
