//! Long inputs in pieces of whole matches.

use super::super::args::{DecodeArgs, InputArgs};
use super::lanes::side_by_side;
use super::{Input, Stream, Unread, decoded};
use tawla::formats::Format;
use tawla::report::format_of;
use tawla::source::{Source, line_count};

/// How many bytes of a long input are worked on at a time.
const PIECE: usize = 1 << 18;
/// The same where several pieces are worked on at a time: what is made of them may be much longer, and waits.
const SMALL: usize = 1 << 16;

/// What looks like no format for so long is none: a device may never end.
const STRANGE: usize = 16 << 20;

/// How inputs are read.
#[derive(Debug, Clone, Copy)]
pub(in crate::cli) struct Reading<'a> {
    /// The format, if it is not told by content.
    pub(in crate::cli) from: Option<&'static Format>,
    /// How bytes become text, and what the limits are.
    pub(in crate::cli) decode: &'a DecodeArgs,
}

impl<'a> From<&'a InputArgs> for Reading<'a> {
    fn from(args: &'a InputArgs) -> Reading<'a> {
        Reading {
            from: args.from,
            decode: &args.decode,
        }
    }
}

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
    stream: Stream,
    reading: Reading<'_>,
    mut take: impl FnMut(&Piece<'_>) -> Result<(), Unread>,
) -> Result<(), Unread> {
    let mut cutter = Cutter::new(input, stream, reading);
    while let Some(cut) = cutter.next(PIECE)? {
        let (source, ()) = cut.open(input, reading, &mut take)?;
        // The next piece but one comes into the room of this one.
        cutter.spare = source.into_room();
    }
    Ok(())
}

/// As [`pieces`], with several pieces worked on at a time by so many threads; `take` has the results in their order.
/// The first piece is handed to `now`, and so are the next ones as long as that says that no other may be begun
/// before the one at hand is done.
///
/// # Errors
///
/// The first reason why it cannot be read, without the name, or that of `now`, `work` or `take`.
pub(in crate::cli) fn pieces_side_by_side<T: Send>(
    input: &Input,
    stream: Stream,
    reading: Reading<'_>,
    threads: usize,
    work: impl Fn(&Piece<'_>) -> Result<T, Unread> + Sync,
    mut now: impl FnMut(&Piece<'_>) -> Result<bool, Unread>,
    mut take: impl FnMut(T) -> Result<(), Unread>,
) -> Result<(), Unread> {
    let mut cutter = Cutter::new(input, stream, reading);
    let mut may_run_ahead = false;
    while !may_run_ahead {
        let Some(cut) = cutter.next(PIECE)? else {
            return Ok(());
        };
        may_run_ahead = cut.open(input, reading, &mut now)?.1;
    }
    let one = |cut: Cut| -> Result<T, Unread> { Ok(cut.open(input, reading, &work)?.1) };
    side_by_side(threads, one, |lanes| {
        let read = loop {
            match cutter.next(SMALL) {
                Ok(Some(cut)) => {
                    if let Some(done) = lanes.push(cut) {
                        take(done?)?;
                    }
                }
                Ok(None) => break Ok(()),
                Err(reason) => break Err(reason),
            }
        };
        // What stands before a part that cannot be read comes first.
        while let Some(done) = lanes.pop() {
            take(done?)?;
        }
        read
    })
}

/// An input that is cut between matches.
struct Cutter<'a> {
    input: &'a Input,
    stream: Stream,
    reading: Reading<'a>,
    bytes: Vec<u8>,
    /// Room for the next piece.
    spare: Vec<u8>,
    format: Option<&'static Format>,
    /// The number of the line that comes next.
    line: u64,
    is_done: bool,
}

impl<'a> Cutter<'a> {
    fn new(input: &'a Input, stream: Stream, reading: Reading<'a>) -> Cutter<'a> {
        Cutter {
            input,
            stream,
            reading,
            bytes: Vec::new(),
            spare: Vec::new(),
            format: reading.from,
            line: 1,
            is_done: false,
        }
    }

    /// The next piece, of about this many bytes. `None`: there was a last one.
    fn next(&mut self, length: usize) -> Result<Option<Cut>, Unread> {
        if self.is_done {
            return Ok(None);
        }
        loop {
            // What has no end yet is looked through again only when it is twice as long.
            let wanted = self.bytes.len().max(length);
            self.is_done = !self.stream.more(wanted, &mut self.bytes)?;
            let cut = self.cut()?;
            let bytes = &mut self.bytes;
            if !self.is_done && cut.is_none() {
                let is_strange = self.format.is_none() && !bytes.starts_with(b"\xff\xfe");
                if is_strange && !bytes.starts_with(b"\xfe\xff") && bytes.len() >= STRANGE {
                    return Err(Unread::Foreign("not a format that is known".to_owned()));
                }
                continue;
            }
            if let Some(cut) = cut {
                self.spare.reserve(bytes.len() - cut + length);
                self.spare.extend_from_slice(&bytes[cut..]);
                bytes.truncate(cut);
            }
            let bytes = std::mem::replace(bytes, std::mem::take(&mut self.spare));
            let line = self.line;
            if !self.is_done {
                self.line += line_count(&bytes);
            }
            return Ok(Some(Cut {
                bytes,
                line,
                format: self.format,
                is_last: self.is_done,
            }));
        }
    }

    /// Where the last match starts that may be cut off. `None`: nowhere, or all of the input is there.
    fn cut(&mut self) -> Result<Option<usize>, Unread> {
        let bytes = &self.bytes;
        if self.is_done || bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
            return Ok(None);
        }
        if self.format.is_none() {
            let start = bytes[..bytes.len().min(PIECE)].to_vec();
            let start = decoded(self.input, start, self.reading.decode)?;
            self.format = format_of(&start, None).ok();
        }
        let cut = self.format.and_then(|format| format.cut);
        Ok(cut.and_then(|cut| cut(bytes)))
    }
}

/// A piece that is still to be decoded.
struct Cut {
    bytes: Vec<u8>,
    /// The number of its first line.
    line: u64,
    format: Option<&'static Format>,
    is_last: bool,
}

impl Cut {
    /// Decodes it and hands it over; returns the source and what was made of it.
    fn open<T>(
        self,
        input: &Input,
        reading: Reading<'_>,
        take: impl FnOnce(&Piece<'_>) -> Result<T, Unread>,
    ) -> Result<(Source, T), Unread> {
        let source = decoded(input, self.bytes, reading.decode)?.with_first_line(self.line);
        let found = format_of(&source, self.format);
        let made = take(&Piece {
            source: &source,
            format: found.map_err(|error| Unread::Foreign(error.to_string()))?,
            is_last: self.is_last,
        })?;
        Ok((source, made))
    }
}
