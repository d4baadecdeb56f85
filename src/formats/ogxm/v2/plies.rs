//! Games and plies.

use super::super::cursor::Cursor;
use super::super::model::{Act, Game, Ply, Step, most_steps, player_of, roll_of};
use crate::board::Player;
use crate::record::WrittenRoll;

/// The head of a game.
pub(super) fn game_record(cursor: &mut Cursor<'_>, game: &mut Game) -> Option<()> {
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

/// A ply; `None`: it cannot be read, and what follows neither.
pub(super) fn ply(cursor: &mut Cursor<'_>) -> Option<Ply> {
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
