//! Output that waits for its turn: in memory while it is small, else in a file that nobody sees.

use std::io::{self, Seek, Write};

use tempfile::SpooledTempFile;

/// How many bytes are held in memory.
const HELD: usize = 1 << 20;

/// Output of an input.
#[derive(Debug)]
pub(in crate::cli) struct Spool {
    held: SpooledTempFile,
    length: u64,
}

impl Default for Spool {
    fn default() -> Spool {
        Spool {
            held: SpooledTempFile::new(HELD),
            length: 0,
        }
    }
}

impl Spool {
    pub(in crate::cli) fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Writes all of it.
    ///
    /// # Errors
    ///
    /// Those of reading the file or of `out`.
    pub(in crate::cli) fn write_to(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.held.rewind()?;
        io::copy(&mut self.held, out).map(drop)
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

#[cfg(test)]
mod tests {
    use super::*;

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
    }
}
