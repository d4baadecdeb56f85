//! Holds damaged copies of the fixtures to the law of conversion, as the target `written` does, and counts those that
//! are not held: `damaged FIXTURES COPIES [FOLDER]`. Copies that are not held are kept in the folder.
//!
//! The fuzzer finds what nobody thinks of; this is always the same, so that a change can be held against the last one.

use std::collections::BTreeMap;
use std::path::Path;
use std::{env, fs, io, panic};

use tawla_fuzz::copies::{Random, around, seeds};

fn main() -> io::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let usage = || io::Error::other("damaged FIXTURES COPIES [FOLDER]");
    let (fixtures, copies) = match &arguments[..] {
        [fixtures, copies, ..] => (fixtures, copies.parse::<u64>().map_err(|_| usage())?),
        _ => return Err(usage()),
    };
    let seeds = seeds(Path::new(fixtures))?;
    let keep = |writer: &str, number: u64, copy: &[u8]| match arguments.get(2) {
        Some(folder) => {
            fs::create_dir_all(folder)?;
            fs::write(Path::new(folder).join(format!("{writer}-{number}")), copy)
        }
        None => Ok(()),
    };
    panic::set_hook(Box::new(|_| {}));
    let mut open: BTreeMap<String, u32> = BTreeMap::new();
    let mut unforeseen: BTreeMap<&str, u32> = BTreeMap::new();
    for number in 0..copies {
        let mut random = Random::new(number);
        let (path, bytes) = &seeds[random.below(seeds.len())];
        let copy = damaged(bytes, &mut random);
        let held = panic::catch_unwind(|| tawla_fuzz::written(&copy));
        let reason = match held {
            Ok(told) => {
                for (writer, what) in told {
                    *unforeseen.entry(writer).or_default() += 1;
                    println!("copy {number} of {}: {writer}: {what}", path.display());
                    keep(writer, number, &copy)?;
                }
                continue;
            }
            Err(reason) => reason,
        };
        let reason = match reason.downcast::<String>() {
            Ok(text) => *text,
            Err(_) => "a panic".to_owned(),
        };
        let writer = reason.strip_prefix("the input by ").unwrap_or(&reason);
        let writer = writer.split([' ', '\n']).next().unwrap_or_default();
        *open.entry(writer.to_owned()).or_default() += 1;
        println!(
            "copy {number} of {}: {}",
            path.display(),
            first_lines(&reason)
        );
        keep(writer, number, &copy)?;
    }
    println!(
        "{} of {copies} damaged copies of {} files are not held: {open:?}; {} times only reading back told a loss: \
         {unforeseen:?}",
        open.values().sum::<u32>(),
        seeds.len(),
        unforeseen.values().sum::<u32>()
    );
    Ok(())
}

/// What differs, without what was written.
fn first_lines(reason: &str) -> String {
    let lines: Vec<&str> = reason
        .lines()
        .filter(|line| !line.is_empty())
        .take(3)
        .collect();
    lines.join("\n    ").chars().take(1200).collect()
}

/// A copy in which a few characters, words or lines are changed, left out, doubled or exchanged.
fn damaged(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut copy = bytes.to_vec();
    for _ in 0..=random.below(4) {
        if copy.is_empty() {
            break;
        }
        let at = random.below(copy.len());
        let part = match random.below(3) {
            0 => at..at + 1,
            1 => around(&copy, at, |byte| byte.is_ascii_whitespace()),
            _ => around(&copy, at, |byte| byte == b'\n'),
        };
        let text = copy[part.clone()].to_vec();
        match random.below(4) {
            0 => {
                let alphabet = b"0123456789*/: ()[];\n?abxWB";
                copy[at] = alphabet[random.below(alphabet.len())];
            }
            1 => drop(copy.drain(part)),
            2 => drop(copy.splice(part.start..part.start, text)),
            _ => {
                copy.drain(part);
                let to = random.below(copy.len() + 1);
                copy.splice(to..to, text);
            }
        }
    }
    copy
}
