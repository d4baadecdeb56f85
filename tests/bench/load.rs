//! Makes the load of `run.sh` and of `.ci/instructions`, and does the bare work that the command is held against.
//!
//! An example rather than a command: it belongs to the measurements and not to what people install.

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::{env, fs};

use anyhow::{Context, bail};
use tawla::board::{Plays, legal_plays};

mod made;

const USAGE: &str = "usage: load matches COUNT FOLDER   one transcript a file
       load stream COUNT FILE      all transcripts in one file
       load read FOLDER            opens, reads and closes every file
       load plays COUNT TIMES      lists the legal plays of so many positions, so many times";

fn main() -> anyhow::Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args[..] {
        ["matches", count, folder] => matches(number(count)?, Path::new(folder))?,
        ["stream", count, file] => stream(number(count)?, Path::new(file))?,
        ["read", folder] => read(Path::new(folder))?,
        ["plays", count, times] => plays(number(count)?, number(times)?),
        _ => bail!(USAGE),
    };
    writeln!(io::stdout(), "{done}")?;
    Ok(())
}

fn number(text: &str) -> anyhow::Result<usize> {
    text.parse()
        .with_context(|| format!("{text}: not a number\n{USAGE}"))
}

/// Writes one file a match; how many bytes.
fn matches(count: usize, folder: &Path) -> anyhow::Result<usize> {
    fs::create_dir_all(folder)?;
    let mut bytes = 0;
    for (number, text) in made::transcripts(count).enumerate() {
        fs::write(folder.join(format!("match-{number:06}.mat")), &text)?;
        bytes += text.len();
    }
    Ok(bytes)
}

/// Writes all matches into one file; how many bytes.
fn stream(count: usize, file: &Path) -> anyhow::Result<usize> {
    let mut out = BufWriter::new(fs::File::create(file)?);
    let mut bytes = 0;
    for text in made::transcripts(count) {
        out.write_all(text.as_bytes())?;
        out.write_all(b"\n")?;
        bytes += text.len() + 1;
    }
    out.flush()?;
    Ok(bytes)
}

/// Reads every file of a folder and does nothing with it; how many bytes.
fn read(folder: &Path) -> anyhow::Result<usize> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        bytes += fs::read(entry?.path())?.len();
    }
    Ok(bytes)
}

/// Lists legal plays again and again; how many there are.
fn plays(count: usize, times: usize) -> usize {
    let problems = made::problems(count);
    let mut plays = Plays::new();
    let mut found = 0;
    for _ in 0..times {
        for (position, player, roll) in &problems {
            legal_plays(position, *player, *roll, &mut plays);
            found += plays.len();
        }
    }
    found
}
