//! What is printed. Writes, decides nothing.

pub mod board;
pub mod chouette;
pub mod decisions;
pub mod diagnostics;
pub mod diff;
pub mod github;
pub mod id;
pub mod json;
pub mod rules;
pub mod sarif;
pub mod show;
pub mod statistics;
pub mod suppressed;
pub mod table;

pub use crate::escape::harmless;

use crate::board::{Length, Variant};
use crate::diagnostic::{Context, Situation};
use crate::formats::ids;

/// Whether text is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// With terminal colours.
    Coloured,
    /// Characters only.
    Plain,
}

/// The XGID of a situation: upper case, score and cube sign are the first player's, and the board is never
/// turned. `None` in long nardi: an XGID says of each point who holds it, and there the points of the players
/// are others.
pub(crate) fn xgid(situation: &Situation) -> Option<String> {
    if situation.variant == Variant::LongNardi {
        return None;
    }
    let length = situation.length.and_then(Length::points).unwrap_or(0);
    let (jacoby, beavers) = situation.money_rules;
    let rules = match situation.length {
        Some(Length::Money) => u32::from(jacoby) + 2 * u32::from(beavers),
        _ => u32::from(situation.crawford),
    };
    Some(ids::xgid(
        &situation.position,
        situation.turn.unwrap_or(crate::board::Player::One),
        situation.roll,
        situation.cube,
        situation.score,
        length,
        rules,
        situation.doubled,
    ))
}

/// Where something is in a match: `match 2, game 3, ply 5`. `None`: nobody knows.
fn logical_place(context: &Context) -> Option<String> {
    let parts = [
        ("match", context.match_number),
        ("game", context.game),
        ("ply", context.ply),
    ];
    let parts = parts
        .into_iter()
        .filter_map(|(name, number)| Some(format!("{name} {}", number?)));
    let place = parts.collect::<Vec<_>>().join(", ");
    (!place.is_empty()).then_some(place)
}
