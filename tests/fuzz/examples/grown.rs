//! Looks for texts that cost more than their length: a part of a fixture is repeated until the copy has a million bytes, and
//! is read, judged and written in every format: `grown FIXTURES COPIES [FOLDER]`. What takes over a second, or panics, is
//! named and kept in the folder.
//!
//! The fuzzer looks at short inputs, in which a cost that grows with the square of the length does not show.

use std::path::Path;
use std::time::{Duration, Instant};
use std::{env, fs, io, panic};

use tawla::formats::{WriteOptions, detect, write};
use tawla::replay::{replay, rules_for};
use tawla::report::{CheckOptions, check, read_within};
use tawla::ruleset::RuleOptions;
use tawla::source::Source;
use tawla_fuzz::copies::{Random, around, seeds};

const BYTES: usize = 1 << 20;
const LONG: Duration = Duration::from_secs(1);

fn main() -> io::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let usage = || io::Error::other("grown FIXTURES COPIES [FOLDER]");
    let (fixtures, copies) = match &arguments[..] {
        [fixtures, copies, ..] => (fixtures, copies.parse::<u64>().map_err(|_| usage())?),
        _ => return Err(usage()),
    };
    let seeds = seeds(Path::new(fixtures))?;
    let mut long = 0;
    for number in 0..copies {
        let mut random = Random::new(number);
        let (path, bytes) = &seeds[random.below(seeds.len())];
        let copy = grown(bytes, &mut random);
        let times = panic::catch_unwind(|| times(&copy));
        let times = times.unwrap_or_else(|_| vec!["a panic".to_owned()]);
        if times.is_empty() {
            continue;
        }
        long += 1;
        println!("copy {number} of {}: {}", path.display(), times.join(", "));
        if let Some(folder) = arguments.get(2) {
            fs::create_dir_all(folder)?;
            fs::write(Path::new(folder).join(number.to_string()), &copy)?;
        }
    }
    println!(
        "{long} of {copies} grown copies of {} files take over a second or panic",
        seeds.len()
    );
    Ok(())
}

/// A copy in which a part is repeated: a few bytes, a line, or several.
fn grown(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let at = random.below(bytes.len());
    let line = around(bytes, at, |byte| byte == b'\n');
    let part = match random.below(4) {
        0 => line,
        1 => line.start..around(bytes, random.below(bytes.len() - at) + at, |b| b == b'\n').end,
        2 => around(bytes, at, |byte| b";([{\n".contains(&byte)),
        _ => at..(at + 1 + random.below(80)).min(bytes.len()),
    };
    let times = (BYTES / part.len()).max(1);
    let repeated = bytes[part.clone()].repeat(times);
    [&bytes[..part.start], &repeated, &bytes[part.end..]].concat()
}

/// What takes long, in words.
fn times(copy: &[u8]) -> Vec<String> {
    let mut long = Vec::new();
    let mut watch = |what: &str, started: Instant| {
        let time = started.elapsed();
        if time > LONG {
            long.push(format!("{what} {:.1} s", time.as_secs_f64()));
        }
    };
    let Ok(source) = Source::new("input", copy.to_vec(), None) else {
        return long;
    };
    let started = Instant::now();
    let format = detect(&source).filter(|format| format.read.is_some());
    watch("to tell the format", started);
    let Some(format) = format else {
        return long;
    };
    let started = Instant::now();
    let _ = check(&source, &CheckOptions::default());
    watch("check", started);
    let started = Instant::now();
    let mut records = Vec::new();
    let _ = read_within(format, &source, &mut |record, _: &mut _| {
        records.push(record.clone());
    });
    watch(&format!("reading {}", format.name), started);
    let rules = RuleOptions::default();
    for target in tawla::formats::ALL
        .iter()
        .filter(|target| target.write.is_some())
    {
        let started = Instant::now();
        for (before, record) in (0..).zip(&records) {
            let replay = replay(record, &rules_for(record, &rules));
            let options = WriteOptions {
                profile: None,
                before,
            };
            let _ = write(target, record, &replay, &options);
        }
        watch(&format!("writing {}", target.name), started);
    }
    long
}
