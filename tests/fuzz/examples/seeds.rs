//! Puts the first inputs of every target into a folder: `seeds FIXTURES CORPUS`.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::io::Read;
use std::path::Path;
use std::{env, fs, io};

use flate2::read::{MultiGzDecoder, ZlibDecoder};
use tawla::formats::{Format, detect};
use tawla::source::Source;
use tawla_fuzz::{POSITIONS, ROOMS};

/// Larger files are slow to change and teach nothing that smaller ones do not.
const LARGEST: usize = 60_000;

/// Identifiers of one position in every kind, and what a play may look like behind the bytes that make a
/// position.
const IDS: [&str; 9] = [
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10",
    "XGID=-a-B--E-B-a-dDB--b-bcb----:1:1:-1:63:0:0:0:3:8",
    "4HPwATDgc/ABMA",
    "cAkAAAAAAAAA",
    "4HPwATDgc/ABMA:cAkAAAAAAAAA",
    "11jjjjjhhhccccc:ooddddd88866666:N0N:31:W:IW:0:0:7:0",
    "board:You:someplayer:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:3:1:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0",
    "0;0;7;0;1;0;0;0;0;1;A;B;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0;3;1;",
    "-b----E-C---eE---c-e----B-",
];
const PLAYS: [&str; 8] = [
    "8/5 6/5",
    "bar/20*/14",
    "6/off(2) 5/off",
    "24/18/13*",
    "13-8 6/5*(3)",
    "cannot move",
    "????",
    "25/24 1/0",
];

fn main() -> io::Result<()> {
    let mut arguments = env::args_os().skip(1);
    let (Some(fixtures), Some(corpus)) = (arguments.next(), arguments.next()) else {
        return Err(io::Error::other("seeds FIXTURES CORPUS"));
    };
    let corpus = Path::new(&corpus);
    walk(Path::new(&fixtures), corpus)?;
    for id in IDS {
        keep(corpus, "ids", id.as_bytes())?;
    }
    for (number, play) in (0u8..).zip(PLAYS) {
        let mut bytes = vec![number; 2];
        bytes.extend((0..60u8).map(|byte| byte.wrapping_mul(37 + number)));
        bytes.extend(play.as_bytes());
        keep(corpus, "plays", &bytes)?;
    }
    for seed in 0..40u64 {
        // Bytes without a meaning: the generators make something of any.
        let mut state = seed;
        let bytes: Vec<u8> = std::iter::repeat_with(|| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 56) as u8
        })
        .take(4000)
        .collect();
        keep(corpus, "record", &bytes)?;
        keep(corpus, "digit", &bytes[..16])?;
        keep(corpus, "plays", &bytes[..80])?;
    }
    Ok(())
}

fn walk(folder: &Path, corpus: &Path) -> io::Result<()> {
    let mut paths: Vec<_> = fs::read_dir(folder)?.collect::<io::Result<_>>()?;
    paths.sort_by_key(fs::DirEntry::path);
    for entry in paths {
        let path = entry.path();
        if path.is_dir() {
            walk(&path, corpus)?;
        } else {
            let bytes = fs::read(&path)?;
            if bytes.len() <= 4 * LARGEST {
                sort(&path, bytes, corpus)?;
            }
        }
    }
    Ok(())
}

fn sort(path: &Path, bytes: Vec<u8>, corpus: &Path) -> io::Result<()> {
    let name = path.to_string_lossy().into_owned();
    if name.contains("chouette") {
        keep(corpus, "chouette", &bytes)?;
    }
    if name.ends_with(".toml") {
        keep(corpus, "options", &bytes)?;
    }
    let Ok(source) = Source::new(name, bytes.clone(), None) else {
        return Ok(());
    };
    let Some(format) = detect(&source) else {
        return Ok(());
    };
    keep(corpus, "any", &bytes)?;
    if bytes.len() < 12_000 {
        keep(corpus, "written", &bytes)?;
    }
    of_format(format, &bytes, corpus)
}

fn of_format(format: &Format, bytes: &[u8], corpus: &Path) -> io::Result<()> {
    for (target, names) in [("rooms", ROOMS), ("positions", POSITIONS)] {
        if let Some(at) = names.iter().position(|name| *name == format.name) {
            let mut chosen = vec![at as u8];
            chosen.extend(bytes);
            return keep(corpus, target, &chosen);
        }
    }
    let target = match format.name {
        "gnubg-text" => "gnubg_text",
        "gva" => "ogxm",
        name => name,
    };
    match target {
        "xg" => {
            keep(corpus, target, bytes)?;
            for start in 0..bytes.len() {
                if bytes[start] == 0x78 {
                    let mut inner = Vec::new();
                    let _ = ZlibDecoder::new(&bytes[start..]).read_to_end(&mut inner);
                    if inner.len() > 500 {
                        inner.truncate(LARGEST);
                        keep(corpus, target, &inner)?;
                    }
                }
            }
            Ok(())
        }
        "bgf" => {
            keep(corpus, target, bytes)?;
            let line = bytes
                .iter()
                .position(|byte| *byte == b'\n')
                .map_or(0, |at| at + 1);
            let mut inner = vec![0];
            let _ = MultiGzDecoder::new(&bytes[line..]).read_to_end(&mut inner);
            keep(corpus, target, &inner)
        }
        "mat" | "sgf" | "json" | "fibs" | "oldmoves" | "gnubg_text" | "ogxm" => {
            keep(corpus, target, bytes)
        }
        _ => Ok(()),
    }
}

fn keep(corpus: &Path, target: &str, bytes: &[u8]) -> io::Result<()> {
    if bytes.len() > LARGEST + 1 {
        return Ok(());
    }
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    let folder = corpus.join(target);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join(format!("seed-{:016x}", hasher.finish())), bytes)
}
