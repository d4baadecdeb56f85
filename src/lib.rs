//! Reads backgammon transcripts and position identifiers, replays every move, and says what is wrong.
//!
//! Data flows one way: bytes become a [`source::Source`], a reader of [`formats`] makes a
//! [`record::MatchRecord`] of what was written, [`replay`] tells what it means and [`repair`] what was meant,
//! [`rules`] puts what is wrong into words, [`report`] has all of it, [`fix`] and [`diff`] work on that, and
//! [`render`] writes it. A module uses only what stands before it in this sentence.
//!
//! A session of a chouette is another kind of text, with a reader and a judge of its own in [`chouette`].

pub mod baseline;
pub mod board;
pub mod chouette;
pub mod diagnostic;
pub mod diff;
pub mod escape;
pub mod fix;
pub mod formats;
pub mod record;
pub mod render;
pub mod repair;
pub mod replay;
pub mod report;
pub mod rules;
pub mod ruleset;
pub mod source;
pub mod suppress;
