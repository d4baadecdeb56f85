//! Output that waits for its turn: in memory while it is small, else in a file that nobody sees.

use std::io::{self, BufReader, BufWriter, Cursor, IntoInnerError, Read, Seek, Write};

use serde::Serialize;
use tempfile::{SpooledData, SpooledTempFile};

use tawla::render::json::FileOutput;

/// How many bytes are held in memory.
const HELD: usize = 1 << 20;

/// The same of the output of a piece.
const HELD_PIECE: usize = 4 << 20;

/// How much is written to a file at a time: the words of a finding come one by one.
const BUFFER: usize = 16 << 10;

/// How much is read back at a time.
const BLOCK: usize = 256 << 10;

/// Output of an input.
#[derive(Debug)]
pub(in crate::cli) struct Spool {
    held: BufWriter<SpooledTempFile>,
    length: u64,
    /// Room for an element of a list.
    room: Vec<u8>,
}

impl Default for Spool {
    fn default() -> Spool {
        Spool::holding(HELD)
    }
}

impl Spool {
    /// One of which so many bytes are held in memory.
    fn holding(most: usize) -> Spool {
        Spool {
            held: BufWriter::with_capacity(BUFFER, SpooledTempFile::new(most)),
            length: 0,
            room: Vec::new(),
        }
    }

    /// For the output of a piece: it does not wait long, and few do.
    pub(in crate::cli) fn of_a_piece() -> Spool {
        Spool::holding(HELD_PIECE)
    }

    /// How many bytes there are.
    pub(in crate::cli) fn len(&self) -> u64 {
        self.length
    }

    /// All of it from its start.
    ///
    /// # Errors
    ///
    /// Those of writing and of going back.
    pub(in crate::cli) fn into_reader(self) -> io::Result<Box<dyn Read>> {
        let held = self.held.into_inner();
        match held.map_err(IntoInnerError::into_error)?.into_inner() {
            SpooledData::InMemory(bytes) => Ok(Box::new(Cursor::new(bytes.into_inner()))),
            SpooledData::OnDisk(mut file) => {
                file.rewind()?;
                Ok(Box::new(BufReader::with_capacity(BLOCK, file)))
            }
        }
    }

    /// With these bytes in it.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub(in crate::cli) fn of(bytes: &[u8]) -> io::Result<Spool> {
        let mut spool = Spool::default();
        spool.write_all(bytes)?;
        Ok(spool)
    }

    pub(in crate::cli) fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Writes all of it, and is empty then.
    ///
    /// # Errors
    ///
    /// Those of reading the file or of `out`.
    pub(in crate::cli) fn write_to(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let held = std::mem::take(self).held.into_inner();
        match held.map_err(IntoInnerError::into_error)?.into_inner() {
            SpooledData::InMemory(bytes) => out.write_all(bytes.get_ref()),
            SpooledData::OnDisk(mut file) => {
                file.rewind()?;
                io::copy(&mut BufReader::with_capacity(BLOCK, file), out).map(drop)
            }
        }
    }

    /// Adds the elements of another list in JSON.
    ///
    /// # Errors
    ///
    /// Those of reading the other one or of writing.
    pub(in crate::cli) fn elements(&mut self, list: &mut Spool) -> io::Result<()> {
        if !self.is_empty() && !list.is_empty() {
            self.write_all(b",")?;
        }
        list.write_to(self)
    }

    /// Adds an element of a list in JSON.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub(in crate::cli) fn element(&mut self, element: &impl Serialize) -> io::Result<()> {
        // The words of an element come one by one.
        let mut room = std::mem::take(&mut self.room);
        room.clear();
        if !self.is_empty() {
            room.push(b',');
        }
        tawla::escape::write_json(&mut room, element)?;
        self.write_all(&room)?;
        self.room = room;
        Ok(())
    }
}

impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.held.write(bytes)?;
        self.length += length as u64;
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.held.flush()
    }
}

/// The JSON of an input that comes in pieces: its lists do not stay in memory.
#[derive(Debug, Default)]
pub(in crate::cli) struct JsonSpool {
    /// Everything but the lists.
    head: Option<FileOutput>,
    matches: Spool,
    findings: Spool,
}

impl JsonSpool {
    /// Adds a piece.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub(in crate::cli) fn add(&mut self, mut piece: FileOutput) -> io::Result<()> {
        for found in piece.matches.drain(..) {
            self.matches.element(&found)?;
        }
        for found in piece.findings.iter_mut().flat_map(|list| list.drain(..)) {
            self.findings.element(&found)?;
        }
        match &mut self.head {
            Some(head) => head.extend(piece),
            None => self.head = Some(piece),
        }
        Ok(())
    }

    /// Everything but the lists. `None`: there was no piece.
    pub(in crate::cli) fn head_mut(&mut self) -> Option<&mut FileOutput> {
        self.head.as_mut()
    }

    /// Writes the object; nothing if there was no piece.
    ///
    /// # Errors
    ///
    /// Those of reading the lists back or of `out`.
    pub(in crate::cli) fn write_to(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let Some(head) = &self.head else {
            return Ok(());
        };
        // The lists are empty here; a quote within a text is escaped, so that no text looks like their start.
        let head = tawla::escape::json(head)?;
        let (head, tail) = head.rsplit_once(MATCHES).expect("a list of matches");
        write!(out, "{head}{MATCHES}")?;
        self.matches.write_to(out)?;
        match tail.split_once(FINDINGS) {
            Some((before, after)) => {
                write!(out, "{before}{FINDINGS}")?;
                self.findings.write_to(out)?;
                write!(out, "{after}")
            }
            None => write!(out, "{tail}"),
        }
    }
}

/// How the lists start.
const MATCHES: &str = "\"matches\":[";
const FINDINGS: &str = "\"findings\":[";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_json_of_pieces_is_that_of_the_whole() {
        let piece = |name: &str, with_findings: bool| {
            let mut piece = FileOutput::failed(name, "\"matches\":[", with_findings);
            piece.error = None;
            piece
        };
        for with_findings in [true, false] {
            let name = "a\"matches\":[\"findings\":[.mat";
            let mut spool = JsonSpool::default();
            spool.add(piece(name, with_findings)).expect("memory");
            spool.add(piece(name, with_findings)).expect("memory");
            let mut out = Vec::new();
            spool.write_to(&mut out).expect("memory");
            let whole = serde_json::to_vec(&piece(name, with_findings)).expect("JSON");
            assert_eq!(String::from_utf8(out), String::from_utf8(whole));
        }
    }

    #[test]
    fn what_does_not_fit_in_memory_comes_back_whole() {
        let mut spool = Spool::default();
        assert!(spool.is_empty());
        let line = b"  1) 31: 8/5 6/5\n";
        let times = HELD / line.len() + 2;
        for _ in 0..times {
            spool.write_all(line).expect("a place to write");
        }
        let mut all = Vec::new();
        spool.write_to(&mut all).expect("what was written");
        assert!(all == line.repeat(times));
        assert!(spool.is_empty());
    }
}
