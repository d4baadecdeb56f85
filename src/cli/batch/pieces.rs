//! Long inputs in pieces of whole matches.

use super::super::args::InputArgs;
use super::{Input, Stream, Unread, decoded};
use tawla::formats::Format;
use tawla::report::format_of;
use tawla::source::Source;

/// How many bytes of a long input are worked on at a time.
const PIECE: usize = 1 << 18;

/// What looks like no format for so long is none: a device may never end.
const STRANGE: usize = 16 << 20;

/// A part of an input, or all of it.
#[derive(Debug)]
pub(in crate::cli) struct Piece<'a> {
    /// Its text.
    pub(in crate::cli) source: &'a Source,
    /// The format of the input.
    pub(in crate::cli) format: &'static Format,
    /// Whether it is the last one.
    pub(in crate::cli) is_last: bool,
}

/// Reads an input and hands it over: at once, or in pieces of whole matches if it is long and its format can
/// be cut. Memory then depends on the longest match and not on the input.
///
/// # Errors
///
/// The reason why it cannot be read, without the name, or that of `take`.
pub(in crate::cli) fn pieces(
    input: &Input,
    mut stream: Stream,
    args: &InputArgs,
    mut take: impl FnMut(&Piece<'_>) -> Result<(), Unread>,
) -> Result<(), Unread> {
    let (mut bytes, mut spare) = (Vec::new(), Vec::new());
    let (mut format, mut line) = (args.from, 1u64);
    loop {
        // What has no end yet is looked through again only when it is twice as long.
        let wanted = bytes.len().max(PIECE);
        let is_last = !stream.more(wanted, &mut bytes)?;
        let cut = match format {
            _ if is_last || bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") => {
                None
            }
            None => {
                let start = bytes[..bytes.len().min(PIECE)].to_vec();
                let start = decoded(input, start, &args.decode)?;
                format = format_of(&start, None).ok();
                format.and_then(|format| format.cut?(&bytes))
            }
            Some(format) => format.cut.and_then(|cut| cut(&bytes)),
        };
        if !is_last && cut.is_none() {
            let is_strange = format.is_none() && !bytes.starts_with(b"\xff\xfe");
            if is_strange && !bytes.starts_with(b"\xfe\xff") && bytes.len() >= STRANGE {
                return Err(Unread::Foreign("not a format that is known".to_owned()));
            }
            continue;
        }
        if let Some(cut) = cut {
            spare.reserve(bytes.len() - cut + PIECE);
            spare.extend_from_slice(&bytes[cut..]);
            bytes.truncate(cut);
        }
        let piece = std::mem::replace(&mut bytes, std::mem::take(&mut spare));
        let source = decoded(input, piece, &args.decode)?.with_first_line(line);
        let found = format_of(&source, format);
        take(&Piece {
            source: &source,
            format: found.map_err(|error| Unread::Foreign(error.to_string()))?,
            is_last,
        })?;
        if is_last {
            return Ok(());
        }
        line += source.line_count();
        // The next piece but one comes into the room of this one.
        spare = source.into_room();
    }
}
