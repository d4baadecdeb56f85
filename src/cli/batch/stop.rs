//! Ctrl-C: the first one ends the run in order, the second one at once.
//!
//! signal-hook sets a flag and needs no thread of its own; whoever waits looks at the flag.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::SIGINT;
use signal_hook::flag;

/// The exit status of a run that was interrupted, as shells count it.
pub(super) const STATUS: u8 = 130;

/// Whether the run is to end.
#[derive(Debug, Clone, Default)]
pub(super) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Set by Ctrl-C. The usual end stays where signals cannot be caught.
    pub(super) fn on_interrupt() -> Stop {
        let stop = Stop::default();
        // The order matters: the first signal finds the flag unset and does not end the program.
        let _ = flag::register_conditional_shutdown(SIGINT, i32::from(STATUS), stop.0.clone());
        let _ = flag::register(SIGINT, stop.0.clone());
        stop
    }

    /// Ends the run.
    pub(super) fn set(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    pub(super) fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// What a reader says that was stopped.
    pub(super) fn error() -> io::Error {
        io::Error::other("interrupted")
    }
}
