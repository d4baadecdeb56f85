//! Files that examples make others of, always the same ones.

use std::path::{Path, PathBuf};
use std::{fs, io};

use tawla::formats::detect;
use tawla::source::Source;

/// As large as a seed of the target `written` may be.
const LARGEST: usize = 12_000;

/// The files below a folder that a reader takes, in order.
///
/// # Errors
///
/// The folder cannot be read.
pub fn seeds(folder: &Path) -> io::Result<Vec<(PathBuf, Vec<u8>)>> {
    let mut seeds = Vec::new();
    walk(folder, &mut seeds)?;
    Ok(seeds)
}

fn walk(folder: &Path, seeds: &mut Vec<(PathBuf, Vec<u8>)>) -> io::Result<()> {
    let mut paths: Vec<_> = fs::read_dir(folder)?.collect::<io::Result<_>>()?;
    paths.sort_by_key(fs::DirEntry::path);
    for path in paths.iter().map(fs::DirEntry::path) {
        if path.is_dir() {
            walk(&path, seeds)?;
            continue;
        }
        let bytes = fs::read(&path)?;
        let is_small = !bytes.is_empty() && bytes.len() < LARGEST;
        let source = Source::new("seed", bytes.clone(), None);
        let format = source.ok().and_then(|source| detect(&source));
        if is_small && format.is_some_and(|format| format.read.is_some()) {
            seeds.push((path, bytes));
        }
    }
    Ok(())
}

/// The part around a byte up to the separators, with the one behind it.
pub fn around(bytes: &[u8], at: usize, ends: impl Fn(u8) -> bool) -> std::ops::Range<usize> {
    let start = bytes[..at].iter().rposition(|&byte| ends(byte));
    let end = bytes[at..].iter().position(|&byte| ends(byte));
    start.map_or(0, |start| start + 1)..end.map_or(bytes.len(), |end| at + end + 1)
}

/// splitmix64.
pub struct Random(u64);

impl Random {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5eed)
    }

    /// A number below another one.
    pub fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % most as u64) as usize
    }
}
