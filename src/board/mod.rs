//! The game itself: places, dice, positions, legal plays, cube and score. Knows no files.
//!
//! Each player counts the points from the own side: 24 is the rearmost, 1 the last before bearing off, 25
//! the bar and 0 off. Point p of one player is point 25 - p of the other, but in long nardi; see
//! [`Variant::opposite`]. The functions here follow the rules of backgammon; the methods of [`Variant`] those of
//! the game that is played.

mod cube;
mod dice;
mod engine;
mod judge;
mod legal;
mod literal;
mod nardi;
mod packed;
mod place;
mod play;
mod player;
mod position;
mod score;
mod setup;
#[cfg(test)]
pub(crate) mod test_support;
mod variant;

pub use cube::Cube;
pub use dice::{Die, Roll};

pub use judge::{
    PlayFault, Reading, Verdict, is_clear, judge, marked_points, one_of_two_dice, played_as_written,
};
pub use legal::{Plays, can_play, legal_plays};
pub use literal::{Played, play_literally};
pub use packed::{PackedMove, PackedPlay, play_as_marked};
pub use place::Place;
pub use play::{Move, Play, Steps};
pub use player::{ByPlayer, Player};
pub use position::Position;
pub use score::{Length, Win, is_match_point};
pub use setup::{Setup, SetupFault};
pub use variant::Variant;
