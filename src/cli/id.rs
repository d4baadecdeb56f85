//! `tawla id`: what an identifier says, and the same position as every other kind.

use std::io::{BufRead, Write};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};

use super::batch::complain;
use tawla::formats::ids::{self, Kind};
use tawla::render::id as render;

/// Decode, validate and convert position identifiers, and draw the position
#[derive(Debug, Args)]
pub(crate) struct IdArgs {
    /// Identifiers: XGID, position ID, match ID, both with a colon between, OGID, FIBS board or Snowie
    /// position; without any, one a line from standard input. Write `--` before one that starts with `-`.
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// Print only this kind, one a line; `all` prints every kind that can hold the position.
    #[arg(short, long, value_name = "KIND", value_parser = parse_target)]
    to: Option<Target>,
    /// How to print.
    #[arg(long, value_enum, default_value_t = IdFormat::Human)]
    format: IdFormat,
}

/// How an identifier is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum IdFormat {
    /// The position drawn, and the other kinds.
    Human,
    /// One object a line.
    Json,
}

/// What `--to` asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    All,
    Only(Kind),
}

fn parse_target(name: &str) -> Result<Target, String> {
    if name.eq_ignore_ascii_case("all") {
        return Ok(Target::All);
    }
    Kind::by_name(name).map(Target::Only).ok_or_else(|| {
        let names: Vec<_> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        format!("no such kind; there are all, {}", names.join(", "))
    })
}

/// Prints every identifier; 1 if one is invalid or cannot be written as the kind asked for.
pub(crate) fn run(
    args: &IdArgs,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    if args.to.is_some() && args.format == IdFormat::Json {
        bail!("--to prints plain identifiers; --format json prints all of them");
    }
    let mut status = 0;
    let mut is_first = true;
    for_each_id(args, input, &mut |id| {
        if !is_first && args.format == IdFormat::Human && args.to.is_none() {
            writeln!(out)?;
        }
        is_first = false;
        status = status.max(one(id, args, out)?);
        Ok(())
    })?;
    if is_first {
        bail!("no identifier given");
    }
    out.flush()?;
    Ok(status)
}

/// From the arguments, or else from the lines of standard input that are not blank.
fn for_each_id(
    args: &IdArgs,
    input: &mut dyn BufRead,
    visit: &mut dyn FnMut(&str) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    for id in &args.ids {
        visit(id)?;
    }
    if !args.ids.is_empty() {
        return Ok(());
    }
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = input.read_until(b'\n', &mut line);
        if read.context("cannot read standard input")? == 0 {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end_matches(['\r', '\n']);
        if !text.trim().is_empty() {
            visit(text)?;
        }
    }
}

/// Prints one identifier; 1 if it is invalid.
fn one(id: &str, args: &IdArgs, out: &mut dyn Write) -> anyhow::Result<u8> {
    let decoded = ids::decode(id);
    let status = u8::from(decoded.is_err());
    match (args.to, &decoded) {
        (None, _) if args.format == IdFormat::Json => render::json(id, &decoded, out)?,
        (None, _) => render::human(id, &decoded, out)?,
        (Some(_), Err(faults)) => {
            for fault in faults {
                complain(id, &fault.message);
            }
        }
        (Some(Target::All), Ok(decoded)) => render::all(&decoded.state, out)?,
        (Some(Target::Only(kind)), Ok(decoded)) => match ids::encode(kind, &decoded.state) {
            Ok(written) => writeln!(out, "{written}")?,
            Err(why) => {
                complain(id, &format!("cannot be written as {}: {why}", kind.title()));
                return Ok(1);
            }
        },
    }
    Ok(status)
}
