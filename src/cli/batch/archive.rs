//! Tar archives: every regular file in them is an input, in the order of the archive.
//!
//! A small member is read whole, so that several can be worked on at a time; a large one is handed over while
//! the archive is read. The tar crate knows the dialects (ustar, GNU, pax) and never reads ahead.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Mutex;

use tar::{Archive, Entry};

use super::super::agreed::NAME;
use super::open::{CHUNK, Chunks, Reader};
use super::stop::Stop;
use super::{Content, Input, Member, plain};

/// The size of a header.
pub(super) const HEADER: usize = 512;
/// The largest member that is read whole.
const WHOLE: u64 = 1 << 20;

/// Whether these are the first bytes of an archive: the checksum of the first header fits.
pub(super) fn is_one(head: &[u8]) -> bool {
    let Some(header) = head.get(..HEADER).filter(|header| header[0] != 0) else {
        return false;
    };
    let stated = std::str::from_utf8(&header[148..156]).ok();
    let stated = stated.and_then(|text| {
        let digits = text.trim_matches([' ', '\0']);
        u32::from_str_radix(digits, 8).ok()
    });
    // The checksum counts its own place as spaces.
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    let own: u32 = header[148..156].iter().map(|&byte| u32::from(byte)).sum();
    stated == Some(sum - own + 8 * u32::from(b' '))
}

/// Hands over the members until `push` says that it is enough. An archive that is damaged or cut is an input that
/// cannot be read.
pub(super) fn members(
    archive: &Input,
    reader: Reader,
    stop: &Stop,
    push: &mut dyn FnMut(Input) -> bool,
) {
    let broken = |error: &io::Error| Input::Broken(archive.path(), reason(error));
    let mut tar = Archive::new(reader);
    let entries = match tar.entries() {
        Ok(entries) => entries,
        Err(error) => {
            push(broken(&error));
            return;
        }
    };
    for entry in entries {
        let mut entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                push(broken(&error));
                return;
            }
        };
        let kind = entry.header().entry_type();
        let inner = path(&entry);
        let is_regular = kind.is_file() || kind.is_contiguous() || kind.is_gnu_sparse();
        if !is_regular || inner.file_name() == Some(OsStr::new(NAME)) {
            continue;
        }
        let member = |content| {
            Input::Member(Member {
                archive: archive.path(),
                inner: inner.clone(),
                content,
            })
        };
        let size = entry.size();
        if size > WHOLE {
            let (sender, chunks) = Chunks::new(stop);
            if !push(member(Content::Fed(Mutex::new(Some(chunks))))) {
                return;
            }
            let mut left = size;
            while left > 0 {
                let mut chunk = Vec::new();
                let read = (&mut entry).take(CHUNK as u64).read_to_end(&mut chunk);
                match read.and_then(|length| enough(length as u64, left.min(CHUNK as u64))) {
                    // Who reads it may have had enough; the next member starts behind this one all the same.
                    Ok(length) if sender.send(Ok(chunk)).is_ok() => left -= length,
                    Ok(_) => break,
                    Err(error) => {
                        let error = io::Error::other(reason(&error));
                        drop(sender.send(Err(error)));
                        return;
                    }
                }
            }
        } else {
            let mut bytes = Vec::new();
            let read = entry.read_to_end(&mut bytes);
            if let Err(error) = read.and_then(|length| enough(length as u64, size)) {
                let name = member(Content::Whole(bytes.into())).name();
                push(Input::Broken(name.into(), reason(&error)));
                return;
            }
            if !push(member(Content::Whole(bytes.into()))) {
                return;
            }
        }
    }
}

fn enough(length: u64, wanted: u64) -> io::Result<u64> {
    match length == wanted {
        true => Ok(length),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

/// The path of a member, whatever its bytes are.
fn path<R: Read>(entry: &Entry<'_, R>) -> PathBuf {
    let path = entry.path().map(PathBuf::from);
    path.unwrap_or_else(|_| String::from_utf8_lossy(&entry.path_bytes()).as_ref().into())
}

fn reason(error: &io::Error) -> String {
    // tar wraps the error of the reader, and has its own words for an end that comes early.
    let text = plain(error);
    let is_cut = error.kind() == io::ErrorKind::UnexpectedEof
        || text.contains("failed to read entire block")
        || text.contains("unexpected EOF");
    match is_cut {
        true => "the archive is cut".to_owned(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_is_told_by_its_checksum() {
        let mut header = tar::Header::new_ustar();
        header.set_path("final.mat").expect("a short path");
        header.set_size(3);
        header.set_cksum();
        assert!(is_one(header.as_bytes()));
        let mut other = *header.as_bytes();
        other[1] = b'x';
        assert!(!is_one(&other));
        assert!(!is_one(&[0; HEADER]));
        assert!(!is_one(" 3 point match\n".repeat(100).as_bytes()));
    }
}
