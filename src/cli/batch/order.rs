//! Several inputs at a time, their results in the order of the inputs.
//!
//! The main thread walks the inputs, hands them to workers in small batches and takes the results in order; a
//! window bounds what may be under way. A worker that finds an archive gives it back, and its members are inputs
//! when its turn has come, with a window of their own; a thread reads it, so that results are taken while an
//! archive in a pipe keeps us waiting. Threads and channels of the standard library were taken
//! and not rayon, whose iterators want to know the end before the start.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel, sync_channel};
use std::sync::{Mutex, OnceLock};
use std::thread;

use super::open::{Opened, PATIENCE, Reader, Stream, open};
use super::progress::Progress;
use super::stop::{self, Stop};
use super::{Content, Input, Unread, archive, walk};
use crate::cli::args::InputArgs;

/// The most inputs of a batch: enough to make handing over cheap.
const BATCH: usize = 64;
/// How many batches may be under way for each worker.
const AHEAD: usize = 4;
/// How many bytes of members may wait.
const HELD: usize = 8 << 20;
/// How many members may be read ahead of that.
const MEMBERS: usize = 4;

/// A run over inputs.
#[derive(Debug)]
pub(in crate::cli) struct Batch {
    paths: Vec<PathBuf>,
    limit: usize,
    threads: OnceLock<usize>,
    is_in_turn: bool,
    position: AtomicU64,
    stop: Stop,
    /// What it tells while it runs.
    pub(in crate::cli) progress: Progress,
}

/// What a worker makes of an input.
enum Outcome<T> {
    Done(T),
    Archive(Input, Reader),
}

/// Inputs for a worker.
struct Job<T> {
    inputs: Vec<(u64, Input)>,
    reply: Sender<Vec<Outcome<T>>>,
}

impl Batch {
    /// A run over the inputs of a command.
    ///
    /// # Errors
    ///
    /// There is no input.
    pub(in crate::cli) fn new(
        args: &InputArgs,
        jobs: Option<u16>,
        is_quiet: bool,
    ) -> anyhow::Result<Batch> {
        walk::inputs(&args.paths).map(drop)?;
        let stop = Stop::on_interrupt();
        Ok(Batch {
            paths: args.paths.clone(),
            limit: args.decode.limit_inflated,
            threads: jobs.map_or_else(OnceLock::new, |jobs| usize::from(jobs).into()),
            is_in_turn: false,
            position: AtomicU64::new(0),
            progress: Progress::new(&args.paths, &stop, is_quiet),
            stop,
        })
    }

    /// What can be read only once is read when everything before it is done.
    pub(in crate::cli) fn in_turn(mut self) -> Batch {
        self.is_in_turn = true;
        self
    }

    /// Whether there are several inputs; the members of an archive do not count.
    ///
    /// # Errors
    ///
    /// There is no input.
    pub(in crate::cli) fn has_several(&self) -> anyhow::Result<bool> {
        Ok(walk::inputs(&self.paths)?.nth(1).is_some())
    }

    /// How many inputs are worked on at once. How many cores there are is asked only where it matters: the answer is put
    /// together from several files of the system.
    fn threads(&self) -> usize {
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        *self.threads.get_or_init(cores)
    }

    /// How many threads the parts of an input may take: all if nothing else is worked on.
    pub(in crate::cli) fn threads_within(&self, input: &Input) -> usize {
        match input {
            Input::Member(_) => 1,
            _ if self.may_have_several() => 1,
            _ => self.threads(),
        }
    }

    /// Whether there may be several inputs.
    fn may_have_several(&self) -> bool {
        self.paths.len() > 1 || self.paths.first().is_some_and(|path| path.is_dir())
    }

    /// Works on the inputs, and takes the results in their order. `work` is told how many inputs stand before.
    ///
    /// # Errors
    ///
    /// Those of `take`, which end the run.
    pub(in crate::cli) fn run<T: Send>(
        &self,
        work: impl Fn(&Input, Result<Stream, Unread>, u64) -> T + Sync,
        mut take: impl FnMut(T) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let mut take = |result| {
            self.progress.input();
            take(result)
        };
        let inputs = walk::inputs(&self.paths)?;
        if self.may_have_several() && self.threads() > 1 {
            return self.threaded(&work, &mut take, |driver, take| {
                for input in inputs {
                    if !driver.push(input, take)? {
                        break;
                    }
                }
                Ok(())
            });
        }
        for input in inputs {
            if self.stop.is_set() {
                break;
            }
            let position = self.position.fetch_add(1, Ordering::Relaxed);
            match self.one(input, position, &work) {
                Outcome::Done(result) => take(result)?,
                Outcome::Archive(input, reader) => {
                    self.threaded(&work, &mut take, |driver, take| {
                        driver.archive(&input, reader, take)
                    })?;
                }
            }
        }
        Ok(())
    }

    /// The exit status: that of the results, or that of an interrupted run.
    pub(in crate::cli) fn status(&self, status: u8) -> u8 {
        match self.stop.is_set() {
            true => stop::STATUS,
            false => status,
        }
    }

    fn one<T>(
        &self,
        input: Input,
        position: u64,
        work: &(impl Fn(&Input, Result<Stream, Unread>, u64) -> T + Sync),
    ) -> Outcome<T> {
        match open(&input, self.limit, Some(&self.stop)) {
            Ok(Opened::Archive(reader)) => Outcome::Archive(input, reader),
            Ok(Opened::Stream(stream)) => Outcome::Done(work(&input, Ok(stream), position)),
            Err(reason) => Outcome::Done(work(&input, Err(reason), position)),
        }
    }

    fn threaded<'a, T: Send>(
        &'a self,
        work: &(impl Fn(&Input, Result<Stream, Unread>, u64) -> T + Sync),
        take: Take<'_, T>,
        walk: impl FnOnce(&mut Driver<'a, T>, Take<'_, T>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let (queue, jobs) = channel();
        let jobs = Mutex::new(jobs);
        thread::scope(|scope| {
            for _ in 0..self.threads() {
                scope.spawn(|| self.work_off(&jobs, work));
            }
            let mut driver = Driver::new(self, queue);
            let result = walk(&mut driver, take).and_then(|()| driver.drain(take));
            if result.is_err() {
                // Nobody wants what is under way.
                self.stop.set();
            }
            result
        })
    }

    /// What a worker does until there is nothing left.
    fn work_off<T>(
        &self,
        jobs: &Mutex<Receiver<Job<T>>>,
        work: &(impl Fn(&Input, Result<Stream, Unread>, u64) -> T + Sync),
    ) {
        loop {
            let job = jobs.lock().expect("no worker has panicked").recv();
            let Ok(Job { inputs, reply }) = job else {
                return;
            };
            let inputs = inputs.into_iter();
            let inputs = inputs.take_while(|_| !self.stop.is_set());
            let outcomes = inputs.map(|(position, input)| self.one(input, position, work));
            // Nobody waits for it if the run has failed.
            drop(reply.send(outcomes.collect()));
        }
    }
}

/// Takes a result.
type Take<'t, T> = &'t mut dyn FnMut(T) -> anyhow::Result<()>;

/// A batch that is under way.
struct Slot<T> {
    reply: Receiver<Vec<Outcome<T>>>,
    bytes: usize,
}

/// The inputs of a run or of an archive on their way through the workers.
struct Driver<'a, T> {
    batch: &'a Batch,
    queue: Sender<Job<T>>,
    window: VecDeque<Slot<T>>,
    gathered: Vec<(u64, Input)>,
    gathered_bytes: usize,
    held: usize,
    sent: usize,
}

impl<'a, T: Send> Driver<'a, T> {
    fn new(batch: &'a Batch, queue: Sender<Job<T>>) -> Driver<'a, T> {
        Driver {
            batch,
            queue,
            window: VecDeque::new(),
            gathered: Vec::new(),
            gathered_bytes: 0,
            held: 0,
            sent: 0,
        }
    }

    /// Hands over an input; false if no more are wanted.
    fn push(&mut self, input: Input, take: Take<'_, T>) -> anyhow::Result<bool> {
        if self.batch.stop.is_set() {
            return Ok(false);
        }
        let bytes = match &input {
            Input::Member(member) => match &member.content {
                Content::Whole(bytes) => bytes.len(),
                Content::Fed(_) => 0,
            },
            _ => 0,
        };
        let (is_fed, is_pipe) = match &input {
            Input::Member(member) => (matches!(member.content, Content::Fed(_)), false),
            Input::Named(path) => (false, !path.is_file()),
            Input::Standard => (false, true),
            Input::Found(_) | Input::Broken(..) => (false, false),
        };
        if is_fed || is_pipe {
            self.flush(take)?;
        }
        // The main thread feeds it, and takes no results meanwhile.
        if is_fed || (is_pipe && self.batch.is_in_turn) {
            self.drain(take)?;
        }
        let position = self.batch.position.fetch_add(1, Ordering::Relaxed);
        self.gathered.push((position, input));
        self.gathered_bytes += bytes;
        // The first batches are small, so that a few large inputs are shared.
        let most = (self.sent / (8 * self.batch.threads())).clamp(1, BATCH);
        if is_fed || is_pipe || self.gathered.len() >= most {
            self.flush(take)?;
        }
        Ok(true)
    }

    /// Hands over the members of an archive.
    fn archive(&mut self, input: &Input, reader: Reader, take: Take<'_, T>) -> anyhow::Result<()> {
        let stop = &self.batch.stop;
        let (sender, members) = sync_channel(MEMBERS);
        thread::scope(|scope| {
            scope.spawn(move || {
                archive::members(input, reader, stop, &mut |member| {
                    sender.send(member).is_ok()
                });
            });
            let result = self.members(&members, take);
            if result.is_err() {
                // Nobody waits for a pipe that gives nothing.
                stop.set();
            }
            // Who reads it finds nobody who takes more.
            drop(members);
            result
        })
    }

    /// Hands over inputs that come, and takes results while none does.
    fn members(&mut self, members: &Receiver<Input>, take: Take<'_, T>) -> anyhow::Result<()> {
        loop {
            match members.recv_timeout(PATIENCE) {
                Ok(member) => {
                    if !self.push(member, take)? {
                        return Ok(());
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    self.flush(take)?;
                    self.take_finished(take)?;
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }

    /// Sends what was gathered to the workers, as soon as there is room.
    fn flush(&mut self, take: Take<'_, T>) -> anyhow::Result<()> {
        if self.gathered.is_empty() {
            return Ok(());
        }
        let bytes = std::mem::take(&mut self.gathered_bytes);
        let most = self.batch.threads() * AHEAD;
        while !self.window.is_empty() && (self.window.len() >= most || self.held + bytes > HELD) {
            self.pop(take)?;
        }
        let (reply, receiver) = channel();
        let inputs = std::mem::take(&mut self.gathered);
        let job = Job { inputs, reply };
        self.queue.send(job).expect("the workers wait for more");
        self.window.push_back(Slot {
            reply: receiver,
            bytes,
        });
        self.held += bytes;
        self.sent += 1;
        Ok(())
    }

    /// Takes the results of the first batch.
    fn pop(&mut self, take: Take<'_, T>) -> anyhow::Result<()> {
        let Some(slot) = self.window.pop_front() else {
            return Ok(());
        };
        self.held -= slot.bytes;
        let outcomes = slot.reply.recv().expect("no worker has panicked");
        self.take_outcomes(outcomes, take)
    }

    /// Takes the results of the first batches that are done.
    fn take_finished(&mut self, take: Take<'_, T>) -> anyhow::Result<()> {
        while let Some(slot) = self.window.front() {
            let outcomes = match slot.reply.try_recv() {
                Ok(outcomes) => outcomes,
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => panic!("a worker has panicked"),
            };
            self.held -= slot.bytes;
            self.window.pop_front();
            self.take_outcomes(outcomes, take)?;
        }
        Ok(())
    }

    fn take_outcomes(
        &mut self,
        outcomes: Vec<Outcome<T>>,
        take: Take<'_, T>,
    ) -> anyhow::Result<()> {
        for outcome in outcomes {
            match outcome {
                Outcome::Done(result) => take(result)?,
                Outcome::Archive(input, reader) => {
                    let mut inner = Driver::new(self.batch, self.queue.clone());
                    inner.archive(&input, reader, take)?;
                    inner.drain(take)?;
                }
            }
        }
        Ok(())
    }

    /// Takes all that is under way.
    fn drain(&mut self, take: Take<'_, T>) -> anyhow::Result<()> {
        self.flush(take)?;
        while !self.window.is_empty() {
            self.pop(take)?;
        }
        Ok(())
    }
}
