//! The container of eXtreme Gammon files: a header, a picture, and an archive of inner files.
//!
//! ```text
//! file     = header picture { blob } registry trailer
//! header   = "RGMH" version:u32 size:u32 picture-offset:i64 picture-size:u32 guid:16 four texts
//! registry = { name:256 path:256 size:u32 packed:u32 start:u32 crc:u32 stored:u8 level:u8 pad:2 }   zlib
//! trailer  = crc:u32 files:u32 version:u32 registry-size:u32 blobs-size:u32 packed:u32 zero:12
//! ```
//!
//! The checksum of the trailer is over everything from the first blob up to the trailer, that of an inner file
//! over what it inflates to. A file without a trailer that fits is searched: stream after stream is inflated
//! from behind the picture, and what each one holds is told by its content.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use crate::formats::binary::{Bytes, InflateError, Inflated, crc32, inflate};

/// The first bytes of every file.
pub(super) const MAGIC: &[u8] = b"RGMH";
/// The size of the header.
const HEADER: usize = 8232;
/// The size of the trailer.
const TRAILER: usize = 36;
/// The size of an entry of the registry.
const ENTRY: usize = 532;
/// Files hold four entries; a registry with more than this is not one.
const MOST_ENTRIES: usize = 64;
/// The size of a record of a match.
pub(super) const RECORD: usize = 2560;
/// The size of a record of a rollout.
pub(super) const ROLLOUT: usize = 2184;
/// What the program calls its files: the same in all.
const GUID: [u8; 16] = [
    0xe1, 0xf5, 0x5a, 0x2f, 0x21, 0xe0, 0x32, 0x48, 0xa4, 0x23, 0xef, 0x48, 0x0e, 0xc5, 0x8a, 0x0b,
];

/// What is wrong with a container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Flaw {
    /// There is no trailer that fits: the inner files were searched for.
    NoTrailer,
    /// The checksum of the whole archive is another.
    ArchiveCrc,
    /// The checksum of an inner file is another, or its size.
    FileCrc(String),
    /// An inner file overlaps another or lies outside the archive; it is left out.
    Misplaced(String),
    /// An inner file grows beyond the limit; it is read up to there.
    TooLarge(String),
    /// An inner file ends early; it is read up to there.
    Cut(String),
    /// An inner file of which nothing is known.
    Unknown(String),
}

/// The inner files of a container.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Archive {
    /// The records of the match.
    pub(super) records: Vec<u8>,
    /// The rollouts.
    pub(super) rollouts: Vec<u8>,
    /// The comments.
    pub(super) comments: Vec<u8>,
    /// What is wrong with the container.
    pub(super) flaws: Vec<Flaw>,
}

impl Archive {
    fn put(&mut self, name: &str, bytes: Vec<u8>) {
        match name {
            "temp.xg" => self.records = bytes,
            "temp.xgr" => self.rollouts = bytes,
            "temp.xgc" => self.comments = bytes,
            // Copies of the first and the last record.
            "temp.xgi" => {}
            other => self.flaws.push(Flaw::Unknown(other.to_owned())),
        }
    }

    /// Keeps what a stream was inflated to and says where it was not whole.
    fn note(&mut self, name: &str, error: Option<&InflateError>) {
        match error {
            Some(InflateError::TooLarge) => self.flaws.push(Flaw::TooLarge(name.to_owned())),
            Some(InflateError::Damaged) => self.flaws.push(Flaw::Cut(name.to_owned())),
            None => {}
        }
    }
}

/// Opens a container; its inner files together may grow to `limit` bytes. `None`: there is no header.
pub(super) fn open(file: &[u8], limit: usize) -> Option<Archive> {
    let bytes = Bytes(file);
    if bytes.slice(0, MAGIC.len())? != MAGIC {
        return None;
    }
    let start = usize::try_from(bytes.u32(8)?)
        .ok()?
        .checked_add(usize::try_from(bytes.u32(20)?).ok()?)?;
    Some(by_trailer(file, start, limit).unwrap_or_else(|| by_search(file, start, limit)))
}

fn by_trailer(file: &[u8], start: usize, limit: usize) -> Option<Archive> {
    let end = file.len().checked_sub(TRAILER)?;
    let trailer = Bytes(&file[end..]);
    let number = |at| usize::try_from(trailer.u32(at)?).ok();
    let (count, registry_size, blobs_size) = (number(4)?, number(12)?, number(16)?);
    let registry_at = end.checked_sub(registry_size)?;
    let blobs_at = registry_at.checked_sub(blobs_size)?;
    if blobs_at != start || count == 0 || count > MOST_ENTRIES {
        return None;
    }
    let packed = &file[registry_at..end];
    let registry = match trailer.u32(20)? & 0xff {
        0 => packed.to_vec(),
        _ => {
            let whole = inflate(packed, MOST_ENTRIES * ENTRY);
            whole.error.is_none().then_some(whole.bytes)?
        }
    };
    let mut archive = Archive::default();
    if Some(crc32(&file[blobs_at..end])) != trailer.u32(0) {
        archive.flaws.push(Flaw::ArchiveCrc);
    }
    let blobs = &file[blobs_at..registry_at];
    let mut taken: Vec<(usize, usize)> = Vec::new();
    let mut left = limit;
    for entry in registry.chunks_exact(ENTRY).take(count) {
        let entry = Bytes(entry);
        let name = short_text(entry, 0)?;
        let size = usize::try_from(entry.u32(516)?).ok()?;
        let at = usize::try_from(entry.u32(520)?).ok()?;
        let place = at
            .checked_add(size)
            .and_then(|end| blobs.get(at..end).map(|blob| (end, blob)));
        let Some((end, blob)) = place else {
            archive.flaws.push(Flaw::Misplaced(name));
            continue;
        };
        if taken.iter().any(|&(from, to)| at < to && from < end) {
            archive.flaws.push(Flaw::Misplaced(name));
            continue;
        }
        taken.push((at, end));
        let Inflated { bytes, error, .. } = match entry.u8(528)? {
            0 => inflate(blob, left),
            _ => stored(blob, left),
        };
        left = left.saturating_sub(bytes.len());
        archive.note(&name, error.as_ref());
        let as_stated = u32::try_from(bytes.len()).ok() == entry.u32(512)
            && Some(crc32(&bytes)) == entry.u32(524);
        if error.is_none() && !as_stated {
            archive.flaws.push(Flaw::FileCrc(name.clone()));
        }
        archive.put(&name, bytes);
    }
    Some(archive).filter(|archive| !archive.records.is_empty())
}

fn stored(blob: &[u8], limit: usize) -> Inflated {
    let length = blob.len().min(limit);
    Inflated {
        bytes: blob[..length].to_vec(),
        used: blob.len(),
        error: (length < blob.len()).then_some(InflateError::TooLarge),
    }
}

/// Inflates stream after stream and tells each by its content.
fn by_search(file: &[u8], start: usize, limit: usize) -> Archive {
    let mut archive = Archive::default();
    let mut rest = file.get(start..).unwrap_or_default();
    let (mut is_cut, mut left) = (false, limit);
    for _ in 0..MOST_ENTRIES {
        let whole = inflate(rest, left);
        left = left.saturating_sub(whole.bytes.len());
        if whole.bytes.is_empty() {
            break;
        }
        let name = name_of(&whole.bytes, archive.records.is_empty());
        if let Some(name) = name {
            archive.note(name, whole.error.as_ref());
            archive.put(name, whole.bytes);
        } else if whole.error == Some(InflateError::TooLarge) {
            archive.note("a part", whole.error.as_ref());
        }
        is_cut |= whole.error.is_some();
        rest = match rest.get(whole.used..) {
            Some(next) if !next.is_empty() && whole.error.is_none() => next,
            _ => break,
        };
    }
    if !is_cut {
        archive.flaws.insert(0, Flaw::NoTrailer);
    }
    archive
}

/// The name of an inner file by what it holds. `None`: nothing that is known.
fn name_of(bytes: &[u8], wants_records: bool) -> Option<&'static str> {
    let is_header = bytes.get(8) == Some(&0) && bytes.get(556..560) == Some(b"DMLI");
    let length = bytes.len();
    if wants_records && (is_header || (length.is_multiple_of(RECORD) && length > 2 * RECORD)) {
        Some("temp.xg")
    } else if is_header || length == 2 * RECORD {
        Some("temp.xgi")
    } else if bytes.starts_with(b"{\\rtf") {
        Some("temp.xgc")
    } else if length.is_multiple_of(ROLLOUT) {
        Some("temp.xgr")
    } else {
        None
    }
}

/// A text of at most 255 bytes behind its length, in Windows-1252.
pub(super) fn short_text(bytes: Bytes<'_>, at: usize) -> Option<String> {
    let length = usize::from(bytes.u8(at)?);
    let text = bytes.slice(at + 1, length)?;
    let (text, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(text);
    Some(text.into_owned())
}

/// Packs inner files into a container. The picture is left out, which the program allows.
pub(super) fn pack(title: &str, files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = vec![0u8; HEADER];
    out[..4].copy_from_slice(MAGIC);
    out[4..8].copy_from_slice(&1u32.to_le_bytes());
    out[8..12].copy_from_slice(&(HEADER as u32).to_le_bytes());
    out[24..40].copy_from_slice(&GUID);
    put_wide(&mut out[2088..4136], title);
    let (mut registry, mut blobs) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        let blob = deflate(bytes);
        let mut entry = vec![0u8; ENTRY];
        put_short(&mut entry[..256], name);
        let numbers = [bytes.len(), blob.len(), blobs.len()];
        for (at, number) in [512, 516, 520].into_iter().zip(numbers) {
            entry[at..at + 4].copy_from_slice(&(number as u32).to_le_bytes());
        }
        entry[524..528].copy_from_slice(&crc32(bytes).to_le_bytes());
        entry[529] = 2;
        registry.extend(entry);
        blobs.extend(blob);
    }
    let registry = deflate(&registry);
    let (registry_size, blobs_size) = (registry.len() as u32, blobs.len() as u32);
    blobs.extend(registry);
    let numbers = [
        crc32(&blobs),
        files.len() as u32,
        1,
        registry_size,
        blobs_size,
        1,
        0,
        0,
        0,
    ];
    out.extend(blobs);
    out.extend(numbers.into_iter().flat_map(u32::to_le_bytes));
    out
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder
        .write_all(bytes)
        .and_then(|()| encoder.finish())
        .expect("writing into memory does not fail")
}

/// Puts a text behind its length, in Windows-1252, as far as there is room.
pub(super) fn put_short(field: &mut [u8], text: &str) {
    let (bytes, _, _) = encoding_rs::WINDOWS_1252.encode(text);
    let length = bytes.len().min(field.len() - 1).min(255);
    field[0] = length as u8;
    field[1..=length].copy_from_slice(&bytes[..length]);
}

/// Puts a text in UTF-16 with a zero behind it, as far as there is room; half a character is left out.
pub(super) fn put_wide(field: &mut [u8], text: &str) {
    let room = field.len() / 2 - 1;
    let mut at = 0;
    for letter in text.chars() {
        let mut units = [0u16; 2];
        let units = letter.encode_utf16(&mut units);
        if at + units.len() > room {
            break;
        }
        for unit in units {
            field[2 * at..2 * at + 2].copy_from_slice(&unit.to_le_bytes());
            at += 1;
        }
    }
}

/// A text in UTF-16 up to its zero, within so many characters.
pub(super) fn wide_text(bytes: Bytes<'_>, at: usize, room: usize) -> String {
    let units = (0..room).map_while(|unit| bytes.u16(at + 2 * unit).filter(|&unit| unit != 0));
    char::decode_utf16(units)
        .map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records() -> Vec<u8> {
        let mut records = vec![0u8; 3 * RECORD];
        records[556..560].copy_from_slice(b"DMLI");
        records
    }

    fn packed() -> Vec<u8> {
        let records = records();
        let ends = &records[..2 * RECORD];
        let comments = b"{\\rtf1 a}\r\n";
        pack(
            "A vs. B",
            &[
                ("temp.xg", &records),
                ("temp.xgi", ends),
                ("temp.xgc", comments),
            ],
        )
    }

    #[test]
    fn what_is_packed_is_opened() {
        let archive = open(&packed(), 1 << 20).expect("a container");
        assert_eq!(archive.records, records());
        assert_eq!(archive.comments, b"{\\rtf1 a}\r\n");
        assert_eq!(archive.flaws, []);
    }

    #[test]
    fn without_a_trailer_the_inner_files_are_searched_for() {
        let mut file = packed();
        file.truncate(file.len() - 36);
        let archive = open(&file, 1 << 20).expect("a container");
        assert_eq!(archive.records, records());
        assert_eq!(archive.comments, b"{\\rtf1 a}\r\n");
        assert_eq!(archive.flaws, [Flaw::NoTrailer]);
    }

    #[test]
    fn a_wrong_checksum_is_said_and_the_rest_is_read() {
        let mut file = packed();
        let at = file.len() - 36;
        file[at] ^= 1;
        let archive = open(&file, 1 << 20).expect("a container");
        assert_eq!(archive.records, records());
        assert_eq!(archive.flaws, [Flaw::ArchiveCrc]);
    }

    #[test]
    fn the_limit_is_that_of_all_parts_together() {
        let part = |length: usize| {
            let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(&vec![0; length]).expect("memory");
            encoder.finish().expect("memory")
        };
        let parts = [part(3 * RECORD), part(2 * RECORD)].concat();
        let found = by_search(&parts, 0, 4 * RECORD);
        assert_eq!(found.records.len(), 3 * RECORD);
        assert!(
            found
                .flaws
                .iter()
                .any(|flaw| matches!(flaw, Flaw::TooLarge(_))),
            "{:?}",
            found.flaws
        );
    }

    #[test]
    fn inner_files_are_inflated_up_to_the_limit() {
        let archive = open(&packed(), RECORD).expect("a container");
        assert_eq!(archive.records.len(), RECORD);
        assert!(
            archive
                .flaws
                .contains(&Flaw::TooLarge("temp.xg".to_owned()))
        );
    }

    #[test]
    fn a_file_that_is_cut_gives_what_stands_before_the_cut() {
        let file = packed();
        // Within the first blob.
        let archive = open(&file[..HEADER + 30], 1 << 20).expect("a container");
        assert_eq!(archive.flaws, [Flaw::Cut("temp.xg".to_owned())]);
        assert!(records().starts_with(&archive.records) && !archive.records.is_empty());
    }

    #[test]
    fn texts_are_kept_as_far_as_there_is_room() {
        let mut field = [0u8; 12];
        put_wide(&mut field, "añ😀x!");
        assert_eq!(wide_text(Bytes(&field), 0, 6), "añ😀x");
        let mut field = [0u8; 5];
        put_short(&mut field, "Jörg K");
        assert_eq!(short_text(Bytes(&field), 0).as_deref(), Some("Jörg"));
    }
}
