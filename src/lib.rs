//! temp
pub mod board;
pub mod diagnostic;
pub mod formats;
pub mod record;
pub mod render;
pub mod ruleset;
pub mod source;
