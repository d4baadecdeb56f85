//! Version 1, as GammonView wrote it before its version 2.0.
//!
//! The header of the match has the limit of the cube where other readers have nothing, and the scores in it
//! are those after the last game. A play has always as many steps as its roll, the missing ones 0; the lowest
//! two bits of the first one stand in its first byte once more. The colour of a set board with dice is the
//! player who made the play, which was illegal: nothing else is written so.

mod analysis;

use analysis::analysis;

use super::ancillary::{clock, video};
use super::cursor::Cursor;
use super::model::{Act, Game, Model, Ply, Step, most_steps, roll_of};
use super::v2::{END, SOURCES};
use super::{MOST_PARTS, MOST_PLIES};
use crate::board::Player;
use crate::diagnostic::{Level, syntax};
use crate::formats::binary::{Bytes, crc32};
use crate::formats::date::date_and_time;
use crate::record::WrittenRoll;

const HEADER: usize = 20;
const CHUNK: usize = 12;

/// Reads a file of version 1.
pub(super) fn read(bytes: &[u8]) -> Model {
    let mut reader = Reader::default();
    reader.chunks(bytes);
    reader.finish();
    reader.model
}

#[derive(Default)]
struct Reader<'a> {
    model: Model,
    plies: usize,
    blocks: Vec<Chunks<'a>>,
    waiting: Vec<([u8; 4], &'a [u8])>,
    signatures: u32,
}

/// The chunks of an analysis block.
#[derive(Default, Clone, Copy)]
struct Chunks<'a> {
    head: &'a [u8],
    plays: &'a [u8],
    alternatives: &'a [u8],
    cube: &'a [u8],
    notes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn chunks(&mut self, bytes: &'a [u8]) {
        let whole = Bytes(bytes);
        let mut at = HEADER;
        let size = whole.u32(12).map(|size| size as usize);
        self.model.is_cut = size.is_none_or(|size| size > bytes.len());
        for _ in 0..MOST_PARTS {
            if whole.slice(at, 4) == Some(END) {
                return;
            }
            let name = whole
                .slice(at, 4)
                .and_then(|name| <[u8; 4]>::try_from(name).ok());
            let (Some(name), Some(length)) = (name, whole.u32(at.saturating_add(4))) else {
                self.model.is_cut = true;
                return;
            };
            let start = at.saturating_add(CHUNK);
            let end = start.saturating_add(length as usize);
            let is_whole = end <= bytes.len();
            let payload = bytes.get(start..end.min(bytes.len())).unwrap_or_default();
            self.model.is_cut |= !is_whole;
            match &name {
                b"CSUM" => self.checksum(bytes, at, payload),
                _ => self.chunk(name, payload, is_whole),
            }
            if !is_whole {
                return;
            }
            at = end;
        }
        self.model.is_cut = true;
    }

    fn chunk(&mut self, name: [u8; 4], payload: &'a [u8], is_whole: bool) {
        let block = self.blocks.last_mut();
        match (&name, block) {
            (b"MHDR", _) => {
                if self.header(payload).is_none() {
                    self.cannot_read("the match header cannot be read to its end");
                }
            }
            (b"GAME", _) => self.game(payload, is_whole),
            (b"ANAL", _) => self.blocks.push(Chunks {
                head: payload,
                ..Chunks::default()
            }),
            (b"EVAL", Some(block)) => block.plays = payload,
            (b"ALTS", Some(block)) => block.alternatives = payload,
            (b"CUBE", Some(block)) => block.cube = payload,
            (b"GVAN", Some(block)) => block.notes = payload,
            (b"SIGN", _) => self.signatures += 1,
            (b"CLCK" | b"VIDO", _) => self.waiting.push((name, payload)),
            _ => {
                let name = String::from_utf8_lossy(&name);
                let message = format!(
                    "a chunk that is not known: {name:?}, {} bytes",
                    payload.len()
                );
                self.model
                    .remark(&syntax::BAD_HEADER, Level::Note, message, "not kept");
            }
        }
    }

    fn cannot_read(&mut self, message: &str) {
        if !self.model.is_cut {
            let label = "kept as far as it could be read";
            self.model
                .remark(&syntax::UNREADABLE_LINE, Level::Error, message, label);
        }
    }

    fn checksum(&mut self, bytes: &[u8], at: usize, payload: &[u8]) {
        let stated = Bytes(payload);
        if stated.u32(0) == Some(0)
            && stated
                .u32(4)
                .is_some_and(|crc| crc != crc32(bytes.get(..at).unwrap_or_default()))
        {
            let message = "the checksum is not that of the file";
            let label = "the file was damaged or changed; it is read as it stands";
            self.model
                .remark(&syntax::BAD_HEADER, Level::Warning, message, label);
        }
    }

    fn header(&mut self, payload: &[u8]) -> Option<()> {
        let mut cursor = Cursor::new(payload);
        let model = &mut self.model;
        model.length = u32::from(cursor.u16()?);
        let _games = cursor.u8()?;
        model.rules = u32::from(cursor.u8()? & 0x0f);
        let last = [u32::from(cursor.u16()?), u32::from(cursor.u16()?)];
        let _result = cursor.u8()?;
        let source = cursor.u8()?;
        let time = cursor.u32()?;
        let _plies = cursor.u16()?;
        let limit = cursor.u16()?;
        cursor.take(6)?;
        model.last = Some(last);
        if limit > 0 {
            model.tag("CubeLimit", limit.to_string());
        }
        if source > 0 {
            let word = SOURCES.get(usize::from(source));
            model.tag(
                "Source",
                word.map_or(source.to_string(), |word| (*word).to_owned()),
            );
        }
        if let Some((date, time)) = date_and_time(i64::from(time)) {
            model.tag("EventDate", date);
            model.tag("EventTime", time);
        }
        for name in &mut model.names {
            *name = cursor.short_text()?;
        }
        // A writer that knows neither event nor site ends here.
        for name in ["Event", "Site"] {
            if !cursor.is_empty() {
                model.tag(name, cursor.short_text()?);
            }
        }
        Some(())
    }

    fn game(&mut self, payload: &[u8], is_whole: bool) {
        let mut game = Game::default();
        let mut cursor = Cursor::new(payload);
        let read = game_head(&mut cursor, &mut game).and_then(|plies| {
            for _ in 0..plies {
                if self.plies >= MOST_PLIES {
                    return None;
                }
                self.plies += 1;
                let ply = ply(&mut cursor, game.winner)?;
                game.plies.push(ply);
            }
            Some(())
        });
        if read.is_none() && is_whole {
            let why = "the game cannot be read from here on".to_owned();
            game.plies.push(Ply::new(Player::One, Act::Unreadable(why)));
        }
        self.model.games.push(game);
    }

    fn finish(&mut self) {
        let blocks = std::mem::take(&mut self.blocks);
        for (number, block) in (1..).zip(&blocks) {
            if analysis(&mut self.model, block, number).is_none() {
                self.cannot_read("the analysis cannot be read to its end");
            }
        }
        for (name, payload) in std::mem::take(&mut self.waiting) {
            let read = match &name {
                b"CLCK" => clock(payload, &mut self.model),
                _ => video(payload, &mut self.model),
            };
            if read.is_none() {
                let name = String::from_utf8_lossy(&name);
                self.cannot_read(&format!("the chunk {name} cannot be read to its end"));
            }
        }
        if self.signatures > 0 {
            let message = format!("signatures: {}", self.signatures);
            let label = "neither checked nor kept";
            self.model
                .remark(&syntax::BAD_HEADER, Level::Note, message, label);
        }
    }
}

/// White is colour 1.
fn player(colour: u8) -> Player {
    if colour == 1 {
        Player::One
    } else {
        Player::Two
    }
}

/// The head of a game, and how many plies follow.
fn game_head(cursor: &mut Cursor<'_>, game: &mut Game) -> Option<u16> {
    let _index = cursor.u8()?;
    let plies = cursor.u16()?;
    game.winner = match cursor.u8()? {
        0 => Some(Player::One),
        1 => Some(Player::Two),
        _ => None,
    };
    let points = u32::from(cursor.u8()?);
    game.points = (game.winner.is_some() && points > 0).then_some(points);
    let flags = cursor.u8()?;
    if flags & 1 == 1 {
        game.notes.push(("crawford".to_owned(), "on".to_owned()));
    }
    game.is_last = flags & 2 == 2;
    cursor.take(2)?;
    if cursor.rest().first() == Some(&0xff) {
        cursor.take(2)?;
    } else {
        game.board = Some(cursor.board()?);
        cursor.u8()?;
    }
    Some(plies)
}

fn ply(cursor: &mut Cursor<'_>, winner: Option<Player>) -> Option<Ply> {
    let first = cursor.u8()?;
    let action = first & 0x1f;
    let player = player(first >> 5 & 1);
    if let Some(roll) = roll_of(action) {
        let bytes = cursor.take(most_steps(roll))?;
        let steps = steps(bytes);
        return Some(Ply::new(player, Act::Dice { roll, steps }));
    }
    let act = match action {
        21 => Act::Double,
        22 => Act::Take,
        23 => Act::Drop,
        24..=26 | 30 => Act::Marker,
        27 | 28 => Act::Resign {
            value: None,
            of_match: action == 28,
        },
        29 => {
            // The end of a game is written with the winner's colour.
            let loser = winner.map_or(player, |winner| !winner);
            return Some(Ply::new(loser, Act::Forfeit));
        }
        _ => {
            let dice = match first & 0x40 {
                0 => None,
                _ => Some(cursor.u8()?),
            };
            let board = cursor.board()?;
            match dice {
                Some(dice) => Act::Restated {
                    roll: WrittenRoll((dice & 0x0f).min(9), (dice >> 4).min(9)),
                    board,
                },
                None => Act::SetPosition(board),
            }
        }
    };
    Some(Ply {
        illegal: matches!(act, Act::Restated { .. }),
        ..Ply::new(player, act)
    })
}

/// The steps of a play; those that are 0 are not made. Illegal plays may go 7 pips.
fn steps(bytes: &[u8]) -> Vec<Step> {
    let made = bytes.iter().filter(|&&byte| byte != 0);
    made.map(|&byte| Step {
        from: byte & 0x1f,
        pips: byte >> 5,
    })
    .collect()
}
