//! Random numbers from a seed: the same on every machine, and the seed is printed when a test fails.

use std::thread;

use tawla::board::Roll;

/// A sequence of random numbers (SplitMix64).
#[derive(Debug)]
pub(crate) struct Rng {
    seed: u64,
    state: u64,
}

impl Rng {
    /// The sequence of a seed.
    pub(crate) fn new(seed: u64) -> Rng {
        Rng { seed, state: seed }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.state ^ self.state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// A number below `limit`, which is not 0. Small numbers come a little too often; no test minds.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// Whether something happens that does once in so many times.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// 1 to 6.
    pub(crate) fn die(&mut self) -> u8 {
        self.below(6) as u8 + 1
    }

    /// Two dice.
    pub(crate) fn roll(&mut self) -> Roll {
        Roll::new(self.die(), self.die()).expect("two dice")
    }

    /// Puts a list into a random order.
    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for end in (1..list.len()).rev() {
            list.swap(end, self.below(end + 1));
        }
    }
}

impl Drop for Rng {
    #[expect(
        clippy::print_stderr,
        reason = "a failed test must say how to repeat it"
    )]
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("the seed was {}", self.seed);
        }
    }
}
