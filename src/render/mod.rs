//! What is printed. Writes, decides nothing.

pub mod board;
pub mod id;
