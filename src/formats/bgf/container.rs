//! The wrapping of a BGBlitz file: a line that says what follows, and what follows.

use super::tree::{Broken, Document, Value};
use super::{smile, text};
use crate::diagnostic::{Level, Rule, syntax};
use crate::formats::NotThisFormat;
use crate::formats::binary::{InflateError, Inflated, gunzip, inflate};
use crate::source::Source;

/// How long the first line may be.
const LONGEST_HEADER: usize = 4096;

/// A file with its wrapping taken off.
#[derive(Debug)]
pub(super) struct Opened {
    /// How it was wrapped, for the listing: `BGF 1.0, gzip, Smile`.
    pub(super) title: String,
    /// The document, as far as it could be read.
    pub(super) document: Document,
    /// What is wrong with the wrapping or the document.
    pub(super) faults: Vec<Fault>,
}

/// Something that is wrong with the file as a whole.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) rule: &'static Rule,
    pub(super) level: Level,
    pub(super) message: String,
    pub(super) label: String,
}

impl Fault {
    fn warning(message: impl Into<String>, label: &str) -> Fault {
        Fault {
            rule: &syntax::BAD_HEADER,
            level: Level::Warning,
            message: message.into(),
            label: label.to_owned(),
        }
    }

    fn error(rule: &'static Rule, message: impl Into<String>, label: String) -> Fault {
        Fault {
            rule,
            level: Level::Error,
            message: message.into(),
            label,
        }
    }
}

/// The first line as far as it says that this is such a file, and the rest.
pub(super) fn header(bytes: &[u8]) -> Option<(Value, &[u8])> {
    let start = bytes.get(..bytes.len().min(LONGEST_HEADER))?;
    let end = memchr::memchr(b'\n', start).unwrap_or(start.len());
    let line = std::str::from_utf8(&start[..end]).ok()?;
    let header = text::read(line.trim_start_matches('\u{feff}')).root;
    let format = header.get("format").and_then(Value::text);
    let is_ours = format.is_some_and(|format| format.eq_ignore_ascii_case("BGF"));
    is_ours.then(|| (header, bytes.get(end + 1..).unwrap_or_default()))
}

/// Takes the wrapping off.
pub(super) fn open(source: &Source) -> Result<Opened, NotThisFormat> {
    let (header, body) = header(source.bytes())
        .ok_or_else(|| NotThisFormat("no BGF header in the first line".to_owned()))?;
    let mut faults = Vec::new();
    let version = header.get("version").and_then(Value::text).unwrap_or("");
    if version != "1.0" {
        let message = format!("version {version:?} of BGF is not known");
        faults.push(Fault::warning(message, "read like version 1.0"));
    }
    let (packing, inflated) = unpacked(body, source.limits().inflated);
    let is_packed = says_packed(&header);
    if is_packed.is_some_and(|said| said != (packing != "not compressed")) && body.len() > 1 {
        let message = "the header is wrong about the compression";
        faults.push(Fault::warning(message, packing));
    }
    let (form, document) = read(&inflated.bytes);
    let is_smile = header.get("useSmile").and_then(Value::bool);
    if is_smile.is_some_and(|said| said != (form == "Smile")) && inflated.bytes.len() > 2 {
        let message = "the header is wrong about the form of the document";
        faults.push(Fault::warning(message, form));
    }
    faults.extend(broken(&document, &inflated));
    let title = format!("BGF {version}, {packing}, {form}");
    Ok(Opened {
        title,
        document,
        faults,
    })
}

/// Whether the header says that the document is compressed: by `compress`, or by a word for the way.
fn says_packed(header: &Value) -> Option<bool> {
    let compress = header.get("compress").and_then(Value::bool);
    let way = header.get("compression").and_then(Value::text);
    compress.or(way.map(|way| !way.is_empty() && !way.eq_ignore_ascii_case("none")))
}

/// The document without its compression, which its first bytes tell.
fn unpacked(body: &[u8], limit: usize) -> (&'static str, Inflated) {
    match *body {
        [0x1F] | [0x1F, 0x8B, ..] => ("gzip", gunzip(body, limit)),
        [first @ 0x78, second, ..] if u16::from_be_bytes([first, second]) % 31 == 0 => {
            ("zlib", inflate(body, limit))
        }
        _ => {
            let bytes = body.to_vec();
            let (used, error) = (bytes.len(), None);
            ("not compressed", Inflated { bytes, used, error })
        }
    }
}

/// The document in the form that its first bytes tell.
fn read(bytes: &[u8]) -> (&'static str, Document) {
    if bytes.starts_with(smile::MAGIC) || smile::MAGIC.starts_with(bytes) {
        ("Smile", smile::read(bytes))
    } else {
        ("JSON text", text::read(&String::from_utf8_lossy(bytes)))
    }
}

/// What is wrong with the document as a whole.
fn broken(document: &Document, inflated: &Inflated) -> Option<Fault> {
    let read_to = |at: usize| format!("read up to byte {at} of the document");
    let size = inflated.bytes.len();
    match (&document.fault, &inflated.error) {
        (Some((Broken::Unreadable(why), at)), _) => {
            let message = format!("the document breaks off at byte {at}: {why}");
            let label = "what stands before is read".to_owned();
            Some(Fault::error(&syntax::UNREADABLE_LINE, message, label))
        }
        (Some((Broken::Cut, at)), Some(InflateError::TooLarge)) => {
            let message = format!("the document has more than {size} bytes when inflated");
            let label = format!("{}; --limit-inflated sets another limit", read_to(*at));
            Some(Fault::error(&syntax::LIMIT_REACHED, message, label))
        }
        (Some((Broken::Cut, at)), error) => {
            let message = match error {
                Some(_) => "the compressed document is cut or damaged",
                None => "the file ends within the document",
            };
            Some(Fault::error(&syntax::TRUNCATED, message, read_to(*at)))
        }
        (None, Some(_)) => {
            let message = "the checksum of the compressed document is wrong";
            Some(Fault::warning(message, "the document is read all the same"))
        }
        (None, None) => {
            let rest = inflated.bytes.get(document.used..).unwrap_or_default();
            if rest.iter().all(u8::is_ascii_whitespace) {
                return None;
            }
            let message = format!("{} bytes behind the end of the document", rest.len());
            Some(Fault::warning(message, "left out"))
        }
    }
}
