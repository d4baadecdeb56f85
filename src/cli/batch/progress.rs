//! Progress on standard error: inputs done, matches a second, and the time left where it can be known.
//!
//! It is there only if standard error is a terminal. How many inputs there are is counted by a thread beside the
//! run; until it has the number, and for archives and standard input, there is no time left to tell.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::stop::Stop;
use super::{complain, walk};

/// How often the line is drawn.
const TICK: Duration = Duration::from_millis(200);

/// What is told while a run goes on.
#[derive(Debug, Clone, Default)]
pub(in crate::cli) struct Progress {
    bar: Option<ProgressBar>,
    matches: Arc<AtomicU64>,
    /// Whether the output goes to a terminal too, so that both must not be there at once.
    shares: bool,
}

impl Progress {
    /// Of a run over these paths.
    pub(super) fn new(paths: &[PathBuf], stop: &Stop, is_quiet: bool) -> Progress {
        if is_quiet || !io::stderr().is_terminal() {
            return Progress::default();
        }
        let matches = Arc::new(AtomicU64::new(0));
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        bar.set_style(style("{spinner} {pos} files, {rate}", &matches));
        bar.enable_steady_tick(TICK);
        let (paths, stop) = (paths.to_vec(), stop.clone());
        let (later, known) = (bar.clone(), matches.clone());
        thread::spawn(move || {
            let is_over = || stop.is_set() || later.is_finished();
            if let Some(files) = walk::count(&paths, is_over).filter(|&files| files > 1) {
                later.set_length(files);
                let line = "{spinner} {pos} of {len} files, {rate}, {eta} left";
                later.set_style(style(line, &known));
            }
        });
        Progress {
            bar: Some(bar),
            matches,
            shares: io::stdout().is_terminal(),
        }
    }

    /// An input is done.
    pub(super) fn input(&self) {
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
    }

    /// So many matches are done.
    pub(in crate::cli) fn matches(&self, number: u64) {
        self.matches.fetch_add(number, Ordering::Relaxed);
    }

    /// Writes output where the line may stand in its way.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub(in crate::cli) fn write(
        &self,
        out: &mut dyn Write,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        match self.bar.as_ref().filter(|_| self.shares) {
            Some(bar) => bar.suspend(|| write(out).and_then(|()| out.flush())),
            None => write(out),
        }
    }

    /// Tells on standard error what is wrong with an input.
    pub(in crate::cli) fn complain(&self, name: &str, reason: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| complain(name, reason)),
            None => complain(name, reason),
        }
    }

    /// Takes the line away; the run is over.
    pub(in crate::cli) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn style(line: &str, matches: &Arc<AtomicU64>) -> ProgressStyle {
    let matches = matches.clone();
    let rate = move |state: &ProgressState, out: &mut dyn fmt::Write| {
        let seconds = state.elapsed().as_secs_f64().max(0.001);
        let matches = matches.load(Ordering::Relaxed);
        let _ = write!(out, "{:.0} matches a second", matches as f64 / seconds);
    };
    let style = ProgressStyle::with_template(line).expect("a template that is known");
    style.with_key("rate", rate)
}
