//! Opening an input: what is compressed is read through, an archive is told from a transcript, and a pipe that
//! gives nothing does not keep Ctrl-C waiting.
//!
//! Content decides and not the extension. gzip is that of flate2; for Zstandard ruzstd was taken and not zstd,
//! because it is Rust alone: nobody needs a C compiler to build the program.

use std::fmt;
use std::fs;
use std::io::{self, Cursor, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use flate2::read::MultiGzDecoder;

use super::stop::Stop;
use super::zstandard::{self, Frames};
use super::{Content, Input, Member, Unread, archive};

/// The first bytes of gzip.
const GZIP: [u8; 3] = [0x1f, 0x8b, 8];
/// How many bytes are read to know what an input is: most transcripts as a whole.
const HEAD: usize = 16 << 10;
/// The most bytes that may come without the end of a match, if they are not compressed: then `--limit-inflated`
/// is the limit.
const LONGEST: usize = 1 << 30;
/// How many bytes of a pipe are handed over at a time.
pub(super) const CHUNK: usize = 64 << 10;
/// How many of them may wait.
const CHUNKS: usize = 4;
/// How often who waits for a pipe looks whether the run is over.
pub(super) const PATIENCE: Duration = Duration::from_millis(50);

/// An input that was opened.
#[derive(Debug)]
pub(super) enum Opened {
    /// One transcript, or something else that is one file.
    Stream(Stream),
    /// An archive of files.
    Archive(Reader),
}

/// Bytes that come.
pub(super) struct Reader(Box<dyn Read + Send>);

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reader")
    }
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

/// The bytes of an input, decompressed.
#[derive(Debug)]
pub(in crate::cli) struct Stream {
    /// Bytes that were read to know what the input is.
    head: Vec<u8>,
    reader: Reader,
    is_compressed: bool,
    /// The most bytes that may be held at a time.
    limit: usize,
}

impl Stream {
    /// Adds up to so many bytes; false if that was the end.
    ///
    /// # Errors
    ///
    /// They cannot be read, or there would be too many.
    pub(super) fn more(&mut self, wanted: usize, bytes: &mut Vec<u8>) -> Result<bool, Unread> {
        let room = wanted.min(self.limit.saturating_add(1).saturating_sub(bytes.len()));
        let before = bytes.len();
        let length = self.head.len().min(room);
        if bytes.is_empty() && length == self.head.len() && bytes.capacity() <= HEAD {
            *bytes = std::mem::take(&mut self.head);
        } else {
            bytes.extend(self.head.drain(..length));
        }
        let room = room - length;
        if bytes.capacity() - bytes.len() < 64 {
            // Enough for most transcripts: growing byte by byte costs more than reading them.
            bytes.reserve(room.min(HEAD + 64));
        }
        // Not through `Reader`, which would have the room filled with zeros first.
        let read = (&mut self.reader.0).take(room as u64).read_to_end(bytes);
        read.map_err(|error| self.reason(&error))?;
        if bytes.len() > self.limit {
            return Err(Unread::Broken(self.too_long()));
        }
        Ok(bytes.len() - before == wanted)
    }

    /// All bytes.
    ///
    /// # Errors
    ///
    /// They cannot be read, or there are too many.
    pub(super) fn all(mut self) -> Result<Vec<u8>, Unread> {
        let mut bytes = Vec::new();
        while self.more(1 << 20, &mut bytes)? {}
        Ok(bytes)
    }

    fn too_long(&self) -> String {
        let (size, hint) = match self.is_compressed {
            true => (self.limit, "; --limit-inflated raises that"),
            false => (self.limit, ""),
        };
        format!("no end of a match within {size} bytes{hint}")
    }

    fn reason(&self, error: &io::Error) -> Unread {
        reason(error, self.is_compressed)
    }
}

fn reason(error: &io::Error, is_compressed: bool) -> Unread {
    Unread::Broken(match error.kind() {
        io::ErrorKind::UnexpectedEof if is_compressed => "the compressed data is cut".to_owned(),
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput if is_compressed => {
            format!("the compressed data is damaged: {error}")
        }
        _ => super::plain(error),
    })
}

/// Opens an input. `limit` is that of compressed data; with `stop` a pipe can be left.
///
/// # Errors
///
/// It cannot be opened, or its first bytes cannot be read.
pub(super) fn open(input: &Input, limit: usize, stop: Option<&Stop>) -> Result<Opened, Unread> {
    let reader = raw(input, stop)?;
    let peeked = match reader {
        Raw::File(file) => whole_or_peek(file),
        Raw::Other(reader) => peek(reader),
    };
    let (head, reader) = peeked.map_err(|error| reason(&error, false))?;
    let unpacked: Box<dyn Read + Send> = if head.starts_with(&GZIP) {
        Box::new(MultiGzDecoder::new(Cursor::new(head).chain(reader)))
    } else if head.starts_with(&zstandard::MAGIC) {
        Box::new(Frames::new(
            Cursor::new(head).chain(reader),
            limit.max(8 << 20),
        ))
    } else {
        return told(input, head, reader, false, LONGEST);
    };
    let (head, reader) = peek(unpacked).map_err(|error| reason(&error, true))?;
    told(input, head, reader, true, limit)
}

fn told(
    input: &Input,
    head: Vec<u8>,
    reader: Box<dyn Read + Send>,
    is_compressed: bool,
    limit: usize,
) -> Result<Opened, Unread> {
    match (archive::is_one(&head), input) {
        (false, _) => Ok(Opened::Stream(Stream {
            head,
            reader: Reader(reader),
            is_compressed,
            limit,
        })),
        (true, Input::Member(_)) => Err(Unread::Broken(
            "an archive within an archive is not read".to_owned(),
        )),
        (true, _) => {
            let all = Cursor::new(head).chain(reader);
            Ok(Opened::Archive(Reader(Box::new(all))))
        }
    }
}

/// The first bytes, as many as there are at once but enough to know an archive.
fn peek(mut reader: Box<dyn Read + Send>) -> io::Result<(Vec<u8>, Box<dyn Read + Send>)> {
    let mut head = vec![0; HEAD];
    let mut length = 0;
    while length < archive::HEADER {
        match reader.read(&mut head[length..]) {
            Ok(0) => break,
            Ok(read) => length += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    head.truncate(length);
    Ok((head, reader))
}

/// The first bytes of a file; most files have no more, and are not asked again.
fn whole_or_peek(mut file: fs::File) -> io::Result<(Vec<u8>, Box<dyn Read + Send>)> {
    let mut head = Vec::with_capacity(HEAD);
    (&mut file).take(HEAD as u64).read_to_end(&mut head)?;
    let is_whole = head.len() < HEAD;
    Ok(match is_whole {
        true => (head, Box::new(io::empty())),
        false => (head, Box::new(file)),
    })
}

/// Bytes as they are.
enum Raw {
    /// Of a file, which never keeps anybody waiting.
    File(fs::File),
    /// Of something else.
    Other(Box<dyn Read + Send>),
}

/// The bytes of an input as they are.
fn raw(input: &Input, stop: Option<&Stop>) -> Result<Raw, Unread> {
    let other: Box<dyn Read + Send> = match input {
        Input::Standard => match stop {
            Some(stop) if !standard_is_file() => {
                let open = || Ok(Box::new(io::stdin()) as Box<dyn Read>);
                Box::new(piped(open, stop))
            }
            _ => Box::new(io::stdin()),
        },
        Input::Named(path) | Input::Found(path) => {
            let is_pipe = |path| fs::metadata(path).is_ok_and(|it| !it.is_file() && !it.is_dir());
            if let Some(stop) = stop.filter(|_| matches!(input, Input::Named(_)) && is_pipe(path)) {
                let path = path.clone();
                // A pipe without a writer waits here already.
                let open = move || Ok(Box::new(fs::File::open(path)?) as Box<dyn Read>);
                return Ok(Raw::Other(Box::new(piped(open, stop))));
            }
            return Ok(Raw::File(fs::File::open(path)?));
        }
        Input::Member(Member { content, .. }) => match content {
            Content::Whole(bytes) => Box::new(Cursor::new(bytes.clone())),
            Content::Fed(chunks) => {
                let chunks = chunks.lock().expect("no worker has panicked").take();
                let chunks = chunks.ok_or_else(|| Unread::Broken("read already".to_owned()))?;
                Box::new(chunks)
            }
        },
        Input::Broken(_, reason) => return Err(Unread::Broken(reason.clone())),
    };
    Ok(Raw::Other(other))
}

/// Whether standard input is a file, which never keeps anybody waiting.
#[cfg(unix)]
fn standard_is_file() -> bool {
    use std::os::fd::AsFd;
    let same = io::stdin().as_fd().try_clone_to_owned();
    let file = same.map(fs::File::from).and_then(|file| file.metadata());
    file.is_ok_and(|metadata| metadata.is_file())
}

#[cfg(not(unix))]
fn standard_is_file() -> bool {
    false
}

/// Reads in a thread of its own, which is left alone when the run is over.
fn piped(open: impl FnOnce() -> io::Result<Box<dyn Read>> + Send + 'static, stop: &Stop) -> Chunks {
    let (sender, chunks) = Chunks::new(stop);
    thread::spawn(move || match open() {
        Ok(mut reader) => feed(&mut reader, &sender),
        Err(error) => drop(sender.send(Err(error))),
    });
    chunks
}

/// Hands over what a reader gives until its end, or until nobody takes it.
fn feed(reader: &mut dyn Read, sender: &SyncSender<io::Result<Vec<u8>>>) {
    loop {
        let mut chunk = vec![0; CHUNK];
        let read = reader.read(&mut chunk);
        let sent = match read {
            Ok(0) => return,
            Ok(length) => {
                chunk.truncate(length);
                sender.send(Ok(chunk))
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => {
                drop(sender.send(Err(error)));
                return;
            }
        };
        if sent.is_err() {
            return;
        }
    }
}

/// Bytes that another thread reads.
#[derive(Debug)]
pub(super) struct Chunks {
    receiver: Receiver<io::Result<Vec<u8>>>,
    chunk: Cursor<Vec<u8>>,
    stop: Stop,
}

impl Chunks {
    /// Both ends.
    pub(super) fn new(stop: &Stop) -> (SyncSender<io::Result<Vec<u8>>>, Chunks) {
        let (sender, receiver) = sync_channel(CHUNKS);
        let chunks = Chunks {
            receiver,
            chunk: Cursor::default(),
            stop: stop.clone(),
        };
        (sender, chunks)
    }
}

impl Read for Chunks {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let length = self.chunk.read(buffer)?;
            if length > 0 || buffer.is_empty() {
                return Ok(length);
            }
            if self.stop.is_set() {
                return Err(Stop::error());
            }
            match self.receiver.recv_timeout(PATIENCE) {
                Ok(chunk) => self.chunk = Cursor::new(chunk?),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            }
        }
    }
}
