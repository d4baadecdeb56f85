//! Parts of one input worked on side by side, their results in order.
//!
//! [`Batch`](super::Batch) hands out inputs; a long input that is the only one would leave all cores but one idle. Its
//! pieces, or what was read of them, are jobs here: the thread that reads the input hands them to workers and takes the
//! results in the order of the input. Threads start with the first job, so that a short input costs none.

use std::collections::VecDeque;
use std::fmt;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;

/// How many jobs may be under way for each worker.
const AHEAD: usize = 3;

/// A job, and where its result goes.
type Job<J, T> = (J, Sender<T>);

/// Jobs that are under way.
pub(in crate::cli) struct Lanes<'l, J, T> {
    work: &'l dyn Fn(J) -> T,
    /// Starts the workers. `None`: there are none, and who hands out a job does it.
    start: Option<&'l dyn Fn() -> Sender<Job<J, T>>>,
    queue: Option<Sender<Job<J, T>>>,
    window: VecDeque<Receiver<T>>,
    most: usize,
}

impl<J, T> fmt::Debug for Lanes<'_, J, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Lanes({} of {})", self.window.len(), self.most)
    }
}

/// Runs `drive`, which hands out jobs; `work` is done by so many threads, by that of `drive` if it is one.
pub(in crate::cli) fn side_by_side<J: Send, T: Send, R>(
    threads: usize,
    work: impl Fn(J) -> T + Sync,
    drive: impl FnOnce(&mut Lanes<'_, J, T>) -> R,
) -> R {
    thread::scope(|scope| {
        let start = || {
            let (queue, jobs) = channel::<Job<J, T>>();
            let jobs = Arc::new(Mutex::new(jobs));
            for _ in 0..threads {
                let (jobs, work) = (Arc::clone(&jobs), &work);
                scope.spawn(move || {
                    loop {
                        let job = jobs.lock().expect("no worker has panicked").recv();
                        let Ok((job, reply)) = job else {
                            return;
                        };
                        // Nobody waits for it if the run has failed.
                        drop(reply.send(work(job)));
                    }
                });
            }
            queue
        };
        drive(&mut Lanes {
            work: &work,
            start: (threads > 1).then_some(&start),
            queue: None,
            window: VecDeque::new(),
            most: threads * AHEAD,
        })
    })
}

impl<J, T> Lanes<'_, J, T> {
    /// Hands out a job, and returns the first result if there are as many under way as may be.
    pub(in crate::cli) fn push(&mut self, job: J) -> Option<T> {
        let Some(start) = self.start else {
            return Some((self.work)(job));
        };
        let (reply, result) = channel();
        let queue = self.queue.get_or_insert_with(start);
        queue.send((job, reply)).expect("the workers wait for more");
        self.window.push_back(result);
        match self.window.len() > self.most {
            true => self.pop(),
            false => None,
        }
    }

    /// The first result, as soon as it is there. `None`: nothing is under way.
    pub(in crate::cli) fn pop(&mut self) -> Option<T> {
        let first = self.window.pop_front()?;
        Some(first.recv().expect("no worker has panicked"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_jobs() {
        for threads in [1, 2, 5] {
            let squares = side_by_side(
                threads,
                |number: u64| {
                    // The later ones are done first.
                    thread::sleep(std::time::Duration::from_micros(300 - 3 * number));
                    number * number
                },
                |lanes| {
                    let mut squares = Vec::new();
                    for number in 0..100 {
                        squares.extend(lanes.push(number));
                    }
                    squares.extend(std::iter::from_fn(|| lanes.pop()));
                    squares
                },
            );
            let expected: Vec<u64> = (0..100).map(|number| number * number).collect();
            assert_eq!(squares, expected, "{threads} threads");
        }
    }
}
