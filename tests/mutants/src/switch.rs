//! Which mutant runs: part of the woven copy, not of this tool.

use std::env;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

struct Switch {
    chosen: u32,
    /// Where the numbers of the mutants are noted that a run comes by.
    trace: Option<File>,
}

static SWITCH: LazyLock<Switch> = LazyLock::new(|| Switch {
    chosen: env::var("TAWLA_MUTANT")
        .ok()
        .and_then(|number| number.parse().ok())
        .unwrap_or(0),
    trace: env::var_os("TAWLA_MUTANT_TRACE")
        .and_then(|path| OpenOptions::new().append(true).create(true).open(path).ok()),
});

static SEEN: [AtomicBool; 4096] = [const { AtomicBool::new(false) }; 4096];

/// Whether this is the mutant that runs.
#[inline]
pub fn is(number: u32) -> bool {
    let switch = &*SWITCH;
    if let Some(mut trace) = switch.trace.as_ref()
        && !SEEN[number as usize].swap(true, Ordering::Relaxed)
    {
        let _ = trace.write_all(format!("{number}\n").as_bytes());
    }
    switch.chosen == number
}
