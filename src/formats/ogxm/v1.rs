//! Version 1, as GammonView wrote it before its version 2.0.
//!
//! The header of the match has the limit of the cube where other readers have nothing, and the scores in it
//! are those after the last game. A play has always as many steps as its roll, the missing ones 0; the lowest
//! two bits of the first one stand in its first byte once more. The colour of a set board with dice is the
//! player who made the play, which was illegal: nothing else is written so.

use super::MOST_PLIES;
use super::ancillary::{clock, video};
use super::cursor::Cursor;
use super::decisions::{
    Block, Candidate, Said, chances_text, play_text, say_candidates, say_cube, verdict_text,
};
use super::model::{Act, Game, Model, Ply, Step, most_steps, roll_of};
use super::v2::{END, SOURCES};
use crate::board::Player;
use crate::diagnostic::{Level, syntax};
use crate::formats::bgammon::date_and_time;
use crate::formats::binary::{Bytes, crc32};
use crate::record::{WrittenRoll, analysis as names};

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
        loop {
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

/// A number of ten-thousandths.
fn part(value: impl Into<f64>) -> f64 {
    value.into() / 1e4
}

/// Five chances; all 0 says that there are none.
fn chances(cursor: &mut Cursor<'_>) -> Option<Option<[f64; 5]>> {
    let chances = cursor.chances()?;
    Some((chances != [0; 5]).then(|| chances.map(part)))
}

/// The level of a play or a cube action by its code; 0 says nothing.
fn level(code: u8) -> String {
    match code {
        0 => String::new(),
        0x20 => "rollout".to_owned(),
        0x40 => "database".to_owned(),
        code if code & 0x10 != 0 => format!("truncated{}", code & 0x0f),
        code => format!("{code}ply"),
    }
}

/// GammonView's own notes on the decisions of a block: flags and luck of the plays, levels of the
/// alternatives, flags and levels of the cube decisions.
struct Notes<'a> {
    level: String,
    plays: Cursor<'a>,
    alternatives: Cursor<'a>,
    cube: Cursor<'a>,
    /// How many bytes a play and a cube decision take.
    widths: (usize, usize),
}

impl<'a> Notes<'a> {
    fn read(payload: &'a [u8], plays: usize, alternatives: usize) -> Option<Notes<'a>> {
        let mut cursor = Cursor::new(payload);
        let widths = match cursor.u8()? {
            3 => (3, 2),
            2 => (7, 6),
            _ => return None,
        };
        let level = level(cursor.u8()?);
        let sections = cursor.u8()?;
        cursor.u8()?;
        let mut part = |bit: u8, length: Option<usize>| match sections >> bit & 1 {
            0 => Some(Cursor::new(&[])),
            _ => cursor.take(length?).map(Cursor::new),
        };
        Some(Notes {
            level,
            plays: part(0, plays.checked_mul(widths.0))?,
            alternatives: part(1, Some(alternatives))?,
            cube: cursor,
            widths,
        })
    }

    /// Whether the play was illegal, and the luck of its roll.
    fn play(&mut self) -> Option<(bool, Option<f64>)> {
        let mut note = Cursor::new(self.plays.take(self.widths.0)?);
        let flags = note.u8()?;
        let luck = note.i16()?;
        Some((flags & 4 == 4, (flags & 2 == 2).then(|| part(luck))))
    }

    fn cube(&mut self) -> Option<String> {
        let mut note = Cursor::new(self.cube.take(self.widths.1)?);
        note.take(self.widths.1 - 1)?;
        note.u8().map(level)
    }
}

/// The length of what stands for a play, for an alternative and for a cube decision.
const PLAY: usize = 20;
const ALTERNATIVE: usize = 17;
const CUBE: usize = 28;

fn analysis(model: &mut Model, chunks: &Chunks<'_>, number: u32) -> Option<()> {
    let mut head = Cursor::new(chunks.head);
    let depth = head.u8()?;
    head.take(23)?;
    let program = head.short_text()?;
    let block = Block::of_points(number);
    let plays = chunks.plays.len() / PLAY;
    let alternatives = chunks.alternatives.len() / ALTERNATIVE;
    let mut notes = Notes::read(chunks.notes, plays, alternatives);
    let whole = notes
        .as_ref()
        .map(|notes| notes.level.clone())
        .unwrap_or_default();
    let said: Vec<String> = [program, whole]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect();
    model.tag("Analysis", said.join(" "));
    let mut alternatives = Cursor::new(chunks.alternatives);
    let mut lucky = Vec::new();
    for entry in chunks.plays.chunks_exact(PLAY) {
        let luck = play(
            model,
            entry,
            &mut alternatives,
            notes.as_mut(),
            &block,
            depth,
        )?;
        lucky.extend(luck);
    }
    for entry in chunks.cube.chunks_exact(CUBE) {
        let level = notes.as_mut().and_then(Notes::cube).unwrap_or_default();
        cube(model, entry, &block, level)?;
    }
    // The luck of a roll stands behind what is said of the cube before it.
    for (game, number, luck) in lucky {
        let mut said = Said::new(&block);
        said.number(names::LUCK, luck);
        if let Some(ply) = find(model, game, number) {
            ply.analysis.extend(said.pairs);
        }
    }
    (notes.is_some() || chunks.notes.is_empty()).then_some(())
}

fn find(model: &mut Model, game: u8, ply: u16) -> Option<&mut Ply> {
    let game = model.games.get_mut(usize::from(game))?;
    game.plies.get_mut(usize::from(ply))
}

/// Says what is known of a play, and gives the luck of its roll with the numbers of game and ply.
fn play(
    model: &mut Model,
    entry: &[u8],
    alternatives: &mut Cursor<'_>,
    notes: Option<&mut Notes<'_>>,
    block: &Block,
    depth: u8,
) -> Option<Option<(u8, u16, f64)>> {
    let mut cursor = Cursor::new(entry);
    let (game, number) = (cursor.u8()?, cursor.u16()?);
    cursor.chances()?;
    let best = part(cursor.i16()?);
    let loss = part(cursor.u16()?);
    let count = cursor.u8()?;
    let own_depth = cursor.u8()?;
    let player = find(model, game, number).map_or(Player::One, |ply| ply.player);
    let mut candidates = Vec::new();
    let mut own_level = String::new();
    let mut notes = notes;
    for _ in 0..count {
        let mut cursor = Cursor::new(alternatives.take(ALTERNATIVE)?);
        let steps = steps(cursor.take(4)?);
        let equity = part(cursor.i16()?);
        let chances = chances(&mut cursor)?;
        candidates.push(Candidate {
            play: play_text(player, &steps),
            equity,
            chances,
            is_played: cursor.u8()? & 1 == 1,
        });
        let code = notes.as_mut().and_then(|notes| notes.alternatives.u8());
        if own_level.is_empty() {
            own_level = code.map(level).unwrap_or_default();
        }
    }
    let note = notes.and_then(|notes| notes.play());
    let mut said = Said::new(block);
    if candidates.is_empty() {
        said.number("best-equity", best);
    }
    say_candidates(&mut said, candidates, Some(loss));
    if own_level.is_empty() {
        own_level = level(if own_depth > 0 { own_depth } else { depth });
    }
    said.text(names::LEVEL, own_level);
    let (illegal, luck) = note.unwrap_or_default();
    if let Some(ply) = find(model, game, number) {
        ply.illegal |= illegal;
        ply.analysis.extend(said.pairs);
    }
    Some(luck.map(|luck| (game, number, luck)))
}

fn cube(model: &mut Model, entry: &[u8], block: &Block, level: String) -> Option<()> {
    let mut cursor = Cursor::new(entry);
    let (game, number) = (cursor.u8()?, cursor.u16()?);
    let kind = cursor.u8()?;
    let equities = [
        part(cursor.i16()?),
        part(cursor.i16()?),
        part(cursor.i16()?),
    ];
    let chances = chances(&mut cursor)?;
    let loss = part(cursor.u16()?);
    let verdict = u32::from(cursor.u8()?);
    let mut said = Said::new(block);
    let [_, take, pass] = equities;
    // The equities of an answer are the doubler's.
    match kind {
        3 => {
            said.number("resign-error", equities[0]);
            said.number("accept-error", equities[1]);
        }
        _ => {
            said.text(
                names::CUBE_VERDICT,
                verdict_text(verdict, Some(take), Some(pass)),
            );
            let sign = if kind == 1 { -1.0 } else { 1.0 };
            say_cube(&mut said, equities.map(|equity| Some(sign * equity)));
        }
    }
    if let Some(chances) = chances {
        let name = if kind == 3 {
            "resign-chances"
        } else {
            names::CUBE_CHANCES
        };
        said.text(name, chances_text(chances));
    }
    match kind {
        1 => said.number(names::TAKE_ERROR, loss),
        3 => said.number(names::ERROR, loss),
        // A double that is not due costs nothing where none was made.
        4 => {}
        _ => said.number(names::CUBE_ERROR, loss),
    }
    said.text(names::CUBE_LEVEL, level);
    if let Some(ply) = find(model, game, number) {
        ply.analysis.extend(said.pairs);
    }
    Some(())
}
