//! What several tests need: the program to run, the transcripts of `fixtures`, random numbers from a seed,
//! positions, games, matches and sessions made with them, and a slow list of legal plays that shares no code
//! with the fast one.

pub(crate) mod command;
pub(crate) mod fixtures;
pub(crate) mod folder;
pub(crate) mod golden;
pub(crate) mod id;
pub(crate) mod law;
pub(crate) mod matches;
pub(crate) mod money;
pub(crate) mod nardi_matches;
pub(crate) mod packed;
pub(crate) mod positions;
pub(crate) mod rng;
pub(crate) mod sessions;
pub(crate) mod slow;
pub(crate) mod slow_nardi;

use std::path::Path;

/// The folder of the package.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
