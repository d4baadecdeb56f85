//! Measures the library against libraries that do the same work, and prints the ratios as a table.
//!
//! CPU time and not wall time, in pairs A B A B, so that what else happens on the machine meets both alike; the
//! median of the pairs is printed. `tests/bench/run.sh` runs it.

use std::io::{self, Write};

mod chess;
#[path = "../../made.rs"]
mod made;
mod pairs;
mod plays;
mod tokens;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    plays::measure(&mut out)?;
    tokens::measure(&mut out)?;
    out.flush()?;
    Ok(())
}
