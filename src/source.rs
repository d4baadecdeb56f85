//! A text to read from, and places in it.
//!
//! Bytes become text here and nowhere else: UTF-8 with or without a byte order mark, UTF-16 with one, and
//! Windows-1252 for everything that is not valid UTF-8. Lines end with LF, CRLF or a lone CR.
//!
//! Of an input that is no text the reader makes a listing, one line a record; from then on the listing is the
//! text, so that places in it are places that a person can look at.

use std::sync::OnceLock;
use std::time::Duration;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// A stretch of [`Source::text`], in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Span {
    /// From `start` up to but not including `end`.
    pub const fn new(start: u32, end: u32) -> Span {
        Span { start, end }
    }

    /// The stretch from the start of this one to the end of the other.
    pub fn to(self, other: Span) -> Span {
        Span::new(self.start, other.end)
    }
}

/// A value and where it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spanned<T> {
    /// What was written.
    pub value: T,
    /// Where.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// A value with its place.
    pub const fn new(value: T, span: Span) -> Spanned<T> {
        Spanned { value, span }
    }
}

/// A place for people: line and column, both from 1. Columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LineColumn {
    /// The line, from 1.
    pub line: u64,
    /// The column in characters, from 1.
    pub column: u32,
}

/// What is read of an input at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How many bytes each compressed part may have when it is inflated.
    pub inflated: usize,
    /// How many bytes a line of a text may have.
    pub line: usize,
    /// How deep brackets may lie within each other in a text that is made of them.
    pub depth: u32,
    /// How many games a match may have.
    pub games: u32,
    /// How many actions a match may have, and how many tags its header.
    pub actions: u32,
    /// How many findings of an input are told, in each 16 MiB of it.
    pub findings: usize,
    /// How long the reading of an input, or of a piece of a long one, may take.
    pub time: Duration,
}

impl Default for Limits {
    /// Far beyond what an honest file has: thirty times the longest match that was met, a match to 9999 points.
    fn default() -> Limits {
        Limits {
            inflated: 64 << 20,
            line: 16 << 20,
            depth: 100,
            games: 20_000,
            actions: 200_000,
            findings: 50_000,
            time: Duration::from_secs(60),
        }
    }
}

/// An input that was decoded: its name and its text.
#[derive(Debug)]
pub struct Source {
    name: String,
    text: Text,
    /// The input as it was, where the text is not the same bytes.
    bytes: Option<Vec<u8>>,
    encoding: &'static str,
    guessed: bool,
    listing: OnceLock<Text>,
    first_line: u64,
    limits: Limits,
}

/// A text and where its lines start, as soon as somebody asks.
#[derive(Debug)]
struct Text {
    text: String,
    line_starts: OnceLock<Vec<u32>>,
    /// How many characters stand before each block of [`BLOCK`] bytes, likewise.
    characters: OnceLock<Vec<u32>>,
}

/// How many bytes of a line are looked at to tell a column.
const BLOCK: u32 = 4096;

impl Text {
    fn new(text: String) -> Text {
        Text {
            text,
            line_starts: OnceLock::new(),
            characters: OnceLock::new(),
        }
    }
}

/// Why bytes did not become a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceError {
    /// More than 4 GiB in one piece.
    TooLarge,
    /// An encoding was asked for that does not exist.
    UnknownEncoding(String),
}

impl std::fmt::Display for SourceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SourceError::TooLarge => f.write_str("larger than 4 GiB in one piece"),
            SourceError::UnknownEncoding(name) => write!(f, "unknown encoding {name:?}"),
        }
    }
}

impl std::error::Error for SourceError {}

impl Source {
    /// Decodes an input. `encoding` is a label such as `windows-1252` that overrides what the bytes say.
    ///
    /// # Errors
    ///
    /// An unknown label, or more text than places can be counted in.
    pub fn new(
        name: impl Into<String>,
        bytes: Vec<u8>,
        encoding: Option<&str>,
    ) -> Result<Source, SourceError> {
        let wanted = encoding
            .map(|label| {
                Encoding::for_label(label.as_bytes())
                    .ok_or_else(|| SourceError::UnknownEncoding(label.to_owned()))
            })
            .transpose()?;
        let decoded = decode(bytes, wanted);
        if u32::try_from(decoded.text.len()).is_err() {
            return Err(SourceError::TooLarge);
        }
        Ok(Source {
            name: name.into(),
            text: Text::new(decoded.text),
            bytes: decoded.bytes,
            encoding: decoded.encoding,
            guessed: decoded.guessed,
            listing: OnceLock::new(),
            first_line: 1,
            limits: Limits::default(),
        })
    }

    /// A piece of a longer text whose first line has this number.
    pub fn with_first_line(mut self, line: u64) -> Source {
        self.first_line = line;
        self
    }

    /// The source with other limits than the usual ones.
    pub fn with_limits(mut self, limits: Limits) -> Source {
        self.limits = limits;
        self
    }

    /// The room that the text took, empty, for another input.
    pub fn into_room(self) -> Vec<u8> {
        let mut room = self.text.text.into_bytes();
        room.clear();
        room
    }

    /// What is read of it at most.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// What the input is called in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text: for binary inputs a listing with one line a record.
    pub fn text(&self) -> &str {
        &self.shown().text
    }

    fn shown(&self) -> &Text {
        self.listing.get().unwrap_or(&self.text)
    }

    /// The input before it was decoded, without a byte order mark of UTF-8.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_deref().unwrap_or(self.text.text.as_bytes())
    }

    /// The name of the encoding: `utf-8`, `utf-16le`, `utf-16be`, `windows-1252`, …; `binary` for an input
    /// that has a listing.
    pub fn encoding(&self) -> &'static str {
        match self.listing.get() {
            Some(_) => "binary",
            None => self.encoding,
        }
    }

    /// Whether the encoding was guessed because the bytes are not UTF-8.
    pub fn encoding_is_guessed(&self) -> bool {
        self.guessed
    }

    /// Sets the listing that findings in a binary input point into: the reader does so before it hands over
    /// the first match. Of an input that is read once more the listing is the same and is kept.
    pub fn set_listing(&self, listing: String) {
        let listing = self.listing.get_or_init(|| Text::new(listing));
        debug_assert!(u32::try_from(listing.text.len()).is_ok());
    }

    /// The place of a slice of the text.
    ///
    /// # Panics
    ///
    /// If `part` is not a slice of [`Source::text`].
    pub fn span(&self, part: &str) -> Span {
        let text = self.text();
        let start = (part.as_ptr() as usize).checked_sub(text.as_ptr() as usize);
        let start = start.expect("a slice of the source");
        assert!(start + part.len() <= text.len(), "a slice of the source");
        Span::new(start as u32, (start + part.len()) as u32)
    }

    /// The text of a span; empty if the span is not one of this text.
    pub fn slice(&self, span: Span) -> &str {
        self.text()
            .get(span.start as usize..span.end as usize)
            .unwrap_or("")
    }

    /// Line and column of a byte.
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let starts = self.line_starts();
        let line = starts
            .partition_point(|&start| start <= offset)
            .saturating_sub(1);
        let start = starts[line];
        let column = match offset.saturating_sub(start) {
            ..=BLOCK => self.slice(Span::new(start, offset)).chars().count() as u32,
            _ => self.characters(offset) - self.characters(start),
        };
        LineColumn {
            line: self.first_line + line as u64,
            column: column + 1,
        }
    }

    /// How many characters stand before a byte; counted once for each block of the text, as a line may be all of it.
    fn characters(&self, offset: u32) -> u32 {
        let Text {
            text, characters, ..
        } = self.shown();
        let starts =
            |bytes: &[u8]| bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count() as u32;
        let blocks = characters.get_or_init(|| {
            let mut before = 0;
            let blocks = text.as_bytes().chunks(BLOCK as usize).map(|block| {
                let here = before;
                before += starts(block);
                here
            });
            blocks.collect()
        });
        let offset = (offset as usize).min(text.len());
        let block = (offset / BLOCK as usize).min(blocks.len().saturating_sub(1));
        let before = blocks.get(block).copied().unwrap_or(0);
        before + starts(&text.as_bytes()[block * BLOCK as usize..offset])
    }

    /// The line that holds a byte, without its line end, and the offset of its first byte.
    pub fn line_at(&self, offset: u32) -> (&str, u32) {
        let starts = self.line_starts();
        let line = starts
            .partition_point(|&start| start <= offset)
            .saturating_sub(1);
        let start = starts[line];
        let end = starts
            .get(line + 1)
            .copied()
            .unwrap_or(self.text().len() as u32);
        (
            self.slice(Span::new(start, end))
                .trim_end_matches(['\r', '\n']),
            start,
        )
    }

    fn line_starts(&self) -> &[u32] {
        let Text {
            text, line_starts, ..
        } = self.shown();
        line_starts.get_or_init(|| {
            let next = lines(text).map(|line| line.next);
            let next = next.filter(|&next| next < text.len());
            std::iter::once(0).chain(next.map(|n| n as u32)).collect()
        })
    }
}

/// Bytes as text.
struct Decoded {
    text: String,
    /// The bytes, where they are not those of the text.
    bytes: Option<Vec<u8>>,
    encoding: &'static str,
    guessed: bool,
}

fn decode(bytes: Vec<u8>, wanted: Option<&'static Encoding>) -> Decoded {
    let marked = Encoding::for_bom(&bytes);
    if wanted.is_none() && marked.is_none_or(|(encoding, _)| encoding == UTF_8) {
        let skip = marked.map_or(0, |(_, length)| length);
        return match String::from_utf8(bytes) {
            Ok(mut text) => {
                if skip > 0 {
                    text.drain(..skip);
                }
                Decoded {
                    text,
                    bytes: None,
                    encoding: "utf-8",
                    guessed: false,
                }
            }
            Err(error) => {
                let bytes = error.into_bytes();
                let (text, _) = WINDOWS_1252.decode_without_bom_handling(&bytes[skip..]);
                Decoded {
                    text: text.into_owned(),
                    bytes: Some(bytes),
                    encoding: "windows-1252",
                    guessed: true,
                }
            }
        };
    }
    let encoding = wanted
        .or(marked.map(|(encoding, _)| encoding))
        .unwrap_or(UTF_8);
    let (text, used, _) = encoding.decode(&bytes);
    Decoded {
        text: text.into_owned(),
        bytes: Some(bytes),
        encoding: label(used),
        guessed: false,
    }
}

fn label(encoding: &'static Encoding) -> &'static str {
    if encoding == UTF_16LE {
        "utf-16le"
    } else if encoding == UTF_16BE {
        "utf-16be"
    } else if encoding == UTF_8 {
        "utf-8"
    } else if encoding == WINDOWS_1252 {
        "windows-1252"
    } else {
        encoding.name()
    }
}

/// A line of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// The line without its end.
    pub text: &'a str,
    /// The byte where it starts.
    pub start: usize,
    /// The byte where the next line starts.
    pub next: usize,
}

/// The lines of a text, whatever they end with: LF, CRLF or a lone CR.
pub fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut start = 0;
    std::iter::from_fn(move || {
        (start < text.len()).then(|| {
            let line = line_from(text, start);
            start = line.next;
            line
        })
    })
}

/// How many lines a text has, whatever they end with; of bytes in which CR and LF are what they are in ASCII.
pub fn line_count(bytes: &[u8]) -> u64 {
    let count = |byte: u8| memchr::memchr_iter(byte, bytes).count();
    let lone_cr = match memchr::memchr(b'\r', bytes) {
        Some(_) => count(b'\r') - memchr::memmem::find_iter(bytes, b"\r\n").count(),
        None => 0,
    };
    let is_end = |last: &u8| matches!(last, b'\n' | b'\r');
    let is_open = !bytes.is_empty() && !bytes.last().is_some_and(is_end);
    (count(b'\n') + lone_cr) as u64 + u64::from(is_open)
}

/// The line that starts at a byte.
///
/// # Panics
///
/// If no character starts there.
pub fn line_from(text: &str, start: usize) -> Line<'_> {
    let rest = &text[start..];
    let end = memchr::memchr2(b'\n', b'\r', rest.as_bytes()).unwrap_or(rest.len());
    let ending = match rest.as_bytes()[end..] {
        [b'\r', b'\n', ..] => 2,
        [] => 0,
        _ => 1,
    };
    Line {
        text: &rest[..end],
        start,
        next: start + end + ending,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_end_is_one() {
        let texts: Vec<_> = lines("a\nb\r\nc\rd").map(|line| line.text).collect();
        assert_eq!(texts, ["a", "b", "c", "d"]);
        for text in ["", "a", "a\n", "a\r", "a\r\n", "\n\r\r\n\n", "a\nb\r\nc\rd"] {
            let count = lines(text).count() as u64;
            assert_eq!(line_count(text.as_bytes()), count, "{text:?}");
        }
    }

    #[test]
    fn columns_count_characters() {
        let source = Source::new("x", "Jörg : 0\nab".into(), None).expect("a source");
        assert_eq!(source.line_column(6), LineColumn { line: 1, column: 6 });
        assert_eq!(source.line_column(11), LineColumn { line: 2, column: 2 });
    }

    #[test]
    fn columns_of_long_lines_count_characters_too() {
        let line = "Jörg – ".repeat(3000);
        let source = Source::new("x", format!("é\n{line}\n").into(), None).expect("a source");
        let starts = line.char_indices().step_by(701).chain([(line.len(), '\n')]);
        for (at, _) in starts {
            let column = line[..at].chars().count() as u32 + 1;
            let place = LineColumn { line: 2, column };
            assert_eq!(source.line_column(at as u32 + 3), place);
        }
    }

    #[test]
    fn bytes_that_are_no_utf8_are_windows_1252() {
        let source = Source::new("x", b"J\xf6rg \x93a\x94".to_vec(), None).expect("a source");
        assert_eq!(source.text(), "Jörg “a”");
        assert!(source.encoding_is_guessed());
    }

    #[test]
    fn utf16_with_a_byte_order_mark_is_read() {
        let mut bytes = vec![0xff, 0xfe];
        bytes.extend("Jörg".encode_utf16().flat_map(u16::to_le_bytes));
        let source = Source::new("x", bytes, None).expect("a source");
        assert_eq!((source.text(), source.encoding()), ("Jörg", "utf-16le"));
    }
}
