//! Two ways to do the same, measured one after the other and again.

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ProcessTime;

/// How many pairs are measured, after one that is thrown away.
const PAIRS: usize = 9;

/// The median CPU time of both, and the median of the ratios of the second to the first.
#[derive(Debug)]
pub(crate) struct Pair {
    /// The time of the first.
    pub(crate) ours: Duration,
    /// The time of the second.
    pub(crate) theirs: Duration,
    /// How many times as long the second takes.
    pub(crate) ratio: f64,
}

/// Measures both in turn.
pub(crate) fn measure<A, B>(mut ours: impl FnMut() -> A, mut theirs: impl FnMut() -> B) -> Pair {
    let mut times = Vec::new();
    for _ in 0..=PAIRS {
        times.push((time(&mut ours), time(&mut theirs)));
    }
    times.remove(0);
    let ratio = |&(ours, theirs): &(Duration, Duration)| theirs.as_secs_f64() / ours.as_secs_f64();
    Pair {
        ours: median(times.iter().map(|(ours, _)| *ours)),
        theirs: median(times.iter().map(|(_, theirs)| *theirs)),
        ratio: median(times.iter().map(ratio)),
    }
}

fn time<T>(work: &mut impl FnMut() -> T) -> Duration {
    let start = ProcessTime::now();
    black_box(work());
    start.elapsed()
}

fn median<T: PartialOrd + Copy>(values: impl Iterator<Item = T>) -> T {
    let mut values: Vec<T> = values.collect();
    values.sort_by(|a, b| a.partial_cmp(b).expect("a time"));
    values[values.len() / 2]
}
