//! What the benches work on: random legal matches and the positions of random games, from the generators of the tests.
//!
//! The seed is fixed, so that every run and every machine works on the same bytes.

#![expect(dead_code, reason = "the tests need more of these files")]

#[path = "../it/support/matches.rs"]
pub(crate) mod matches;
#[path = "../it/support/positions.rs"]
pub(crate) mod positions;
#[path = "../it/support/rng.rs"]
pub(crate) mod rng;
#[path = "../it/support/slow.rs"]
pub(crate) mod slow;

use tawla::board::Variant;

use matches::random_match_of;
use positions::{Problem, random_game};
use rng::Rng;

const SEED: u64 = 1;

/// The transcripts of so many matches to 7 points, one after the other.
pub(crate) fn transcripts(count: usize) -> impl Iterator<Item = String> {
    let mut rng = Rng::new(SEED);
    let to_seven = move |_| random_match_of(&mut rng, |_| 7, &mut |_, _, _, _| None).text;
    (0..count).map(to_seven)
}

/// So many positions with the player on roll and the roll, from games played at random.
pub(crate) fn problems(count: usize) -> Vec<Problem> {
    let mut rng = Rng::new(SEED);
    let mut problems = Vec::new();
    while problems.len() < count {
        problems.extend(random_game(&mut rng, Variant::Backgammon));
    }
    problems.truncate(count);
    problems
}
