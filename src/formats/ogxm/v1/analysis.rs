//! Analysis blocks: plays, their alternatives, cube decisions, and GammonView's notes on them.

use super::super::cursor::Cursor;
use super::super::decisions::{
    Block, Candidate, Said, chances_text, say_candidates, say_cube, verdict_text,
};
use super::super::model::{Model, Ply};
use super::{Chunks, steps};
use crate::board::Player;
use crate::record::analysis as names;

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

/// Reads a block; `None`: it cannot be read to its end.
pub(super) fn analysis(model: &mut Model, chunks: &Chunks<'_>, number: u32) -> Option<()> {
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
            player,
            steps,
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
        1 => said.loss(names::TAKE_ERROR, loss),
        3 => said.loss(names::ERROR, loss),
        // A double that is not due costs nothing where none was made.
        4 => {}
        _ => said.loss(names::CUBE_ERROR, loss),
    }
    said.text(names::CUBE_LEVEL, level);
    if let Some(ply) = find(model, game, number) {
        ply.analysis.extend(said.pairs);
    }
    Some(())
}
