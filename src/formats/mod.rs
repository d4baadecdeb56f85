//! Transcript formats and position identifiers.

pub mod ids;
