//! Inputs: files, folders, archives and standard input, in the order in which they were given.
//!
//! [`Batch::run`] walks the paths lazily, works on several inputs at a time and hands over the results in the
//! order of the inputs, so that the output does not depend on the number of jobs. What is compressed (gzip,
//! Zstandard) is read through, and the members of a tar archive are inputs of their own; both are told by
//! content. Nothing is unpacked to disk, and what is held in memory depends neither on the number of inputs nor
//! on their size, as long as their format can be cut between matches.

mod archive;
mod lanes;
mod open;
mod order;
mod pieces;
mod progress;
mod spool;
mod stop;
mod walk;
mod zstandard;

use std::fmt;
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::args::DecodeArgs;
use open::{Chunks, Opened, open};
use tawla::source::Source;

pub(super) use lanes::side_by_side;
pub(super) use open::Stream;
pub(super) use order::Batch;
pub(super) use pieces::{Piece, Reading, pieces, pieces_side_by_side};
pub(super) use spool::{JsonSpool, Spool};

/// An input of the command.
#[derive(Debug)]
pub(super) enum Input {
    /// Standard input.
    Standard,
    /// A file that was named.
    Named(PathBuf),
    /// A file that was found in a folder; it is passed over if it is no transcript.
    Found(PathBuf),
    /// A file of an archive; it is passed over if it is no transcript.
    Member(Member),
    /// A path that cannot be read, with the reason.
    Broken(PathBuf, String),
}

/// A file of an archive.
#[derive(Debug)]
pub(super) struct Member {
    /// The archive, `-` if it is standard input.
    archive: PathBuf,
    /// Its path in the archive.
    inner: PathBuf,
    content: Content,
}

/// Where the bytes of a member come from.
#[derive(Debug)]
enum Content {
    /// They are in memory.
    Whole(Arc<[u8]>),
    /// They come while the archive is read, once.
    Fed(Mutex<Option<Chunks>>),
}

impl Member {
    /// The folder of the archive, then the path within: no word of an archive leads out of it.
    fn path(&self) -> PathBuf {
        let usual = |part: &Component<'_>| matches!(part, Component::Normal(_));
        let inner = self.inner.components().filter(usual);
        self.archive.join(inner.collect::<PathBuf>())
    }
}

impl Input {
    /// What the input is called in messages.
    pub(super) fn name(&self) -> String {
        match self {
            Input::Standard => "-".to_owned(),
            Input::Named(path) | Input::Found(path) | Input::Broken(path, _) => {
                path.to_string_lossy().into_owned()
            }
            Input::Member(member) => {
                let (archive, inner) = (&member.archive, &member.inner);
                format!("{}:{}", archive.to_string_lossy(), inner.to_string_lossy())
            }
        }
    }

    /// Where the input is, for what depends on its place or its name.
    pub(super) fn path(&self) -> PathBuf {
        match self {
            Input::Standard => PathBuf::from("-"),
            Input::Named(path) | Input::Found(path) | Input::Broken(path, _) => path.clone(),
            Input::Member(member) => member.path(),
        }
    }

    /// Whether nobody named it, so that it may be something else than a transcript.
    fn is_found(&self) -> bool {
        matches!(self, Input::Found(_) | Input::Member(_))
    }

    /// Whether it is passed over for this reason: it was found, and is no transcript.
    pub(super) fn is_passed_over(&self, reason: &Unread) -> bool {
        self.is_found() && matches!(reason, Unread::Foreign(_))
    }

    /// The same input once more. `None`: it can be read only once.
    pub(super) fn again(&self) -> Option<Input> {
        match self {
            Input::Named(path) if path.is_file() => Some(Input::Named(path.clone())),
            Input::Found(path) => Some(Input::Found(path.clone())),
            Input::Broken(path, reason) => Some(Input::Broken(path.clone(), reason.clone())),
            Input::Member(Member {
                archive,
                inner,
                content: Content::Whole(bytes),
            }) => Some(Input::Member(Member {
                archive: archive.clone(),
                inner: inner.clone(),
                content: Content::Whole(bytes.clone()),
            })),
            Input::Standard | Input::Named(_) | Input::Member(_) => None,
        }
    }

    /// Opens it for a command that takes one transcript.
    ///
    /// # Errors
    ///
    /// It cannot be opened, or it is an archive.
    pub(super) fn stream(&self, decode: &DecodeArgs) -> Result<Stream, Unread> {
        match open(self, decode.limit_inflated, None)? {
            Opened::Stream(stream) => Ok(stream),
            Opened::Archive(_) => Err(Unread::Broken(
                "an archive of files; give one of them".to_owned(),
            )),
        }
    }

    /// Reads and decodes all of it.
    ///
    /// # Errors
    ///
    /// The reason, without the name.
    pub(super) fn source(&self, decode: &DecodeArgs) -> Result<Source, String> {
        let bytes = self.stream(decode).and_then(Stream::all);
        let bytes = bytes.map_err(|reason| reason.to_string())?;
        decoded(self, bytes, decode).map_err(|reason| reason.to_string())
    }

    /// Reads all of a text, in an encoding if one is named.
    ///
    /// # Errors
    ///
    /// The reason, without the name.
    pub(super) fn source_in(&self, encoding: Option<&str>) -> Result<Source, String> {
        self.source(&DecodeArgs::usual(encoding.map(str::to_owned)))
    }
}

/// The bytes of an input as a source.
fn decoded(input: &Input, bytes: Vec<u8>, decode: &DecodeArgs) -> Result<Source, Unread> {
    let source = Source::new(input.name(), bytes, decode.encoding.as_deref());
    let source = source.map_err(|error| Unread::Broken(error.to_string()))?;
    Ok(source.with_limits(decode.limits()))
}

/// Why an input was not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Unread {
    /// It cannot be read, or not as it was asked for.
    Broken(String),
    /// It is no transcript that can be read.
    Foreign(String),
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unread::Broken(reason) | Unread::Foreign(reason) => f.write_str(reason),
        }
    }
}

impl From<io::Error> for Unread {
    fn from(error: io::Error) -> Unread {
        Unread::Broken(plain(&error))
    }
}

/// An error of the system in words, without its number.
pub(super) fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    let mut letters = text.chars();
    letters
        .next()
        .map(|first| first.to_lowercase().chain(letters).collect())
        .unwrap_or_default()
}

/// The extensions of compressed files.
const COMPRESSED: [&str; 2] = ["gz", "zst"];

/// A path without what only says that the file is compressed: `final.mat` for `final.mat.gz`.
pub(super) fn without_compression(path: &Path) -> &Path {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let is_one = |known: &&str| extension.is_some_and(|other| other.eq_ignore_ascii_case(known));
    match (COMPRESSED.iter().any(is_one), path.file_stem()) {
        (true, Some(stem)) => Path::new(stem),
        _ => path,
    }
}

/// Tells on standard error that an input cannot be used. Nobody is left to be told if that is closed.
pub(super) fn complain(name: &str, reason: &str) {
    let _ = writeln!(
        io::stderr(),
        "tawla: {}: {reason}",
        tawla::render::harmless(name)
    );
}

/// Says how many files of folders and archives were no transcripts.
pub(super) fn passed_over(files: u64) {
    if files > 0 {
        let noun = if files == 1 { "file" } else { "files" };
        let _ = writeln!(
            io::stderr(),
            "tawla: {files} {noun} passed over: not a format that is read"
        );
    }
}
