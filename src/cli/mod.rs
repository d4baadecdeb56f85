//! The command line.

mod id;

use std::io;

use clap::{Parser, Subcommand};

#[derive(Debug, Parser)]
#[command(name = "tawla", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Decode, check, convert and draw position identifiers.
    Id(id::IdArgs),
}

/// Runs the command; the exit status.
pub(crate) fn run() -> anyhow::Result<u8> {
    let mut input = io::stdin().lock();
    let mut out = io::BufWriter::new(io::stdout().lock());
    match Cli::parse().command {
        Command::Id(args) => id::run(&args, &mut input, &mut out),
    }
}
