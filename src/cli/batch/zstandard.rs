//! A Zstandard stream: frames one after the other, some of them to be skipped, each with its checksum.

use std::io::{self, BufRead, BufReader, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// The first bytes of a frame.
pub(super) const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Decompresses every frame of a stream.
pub(super) struct Frames<R> {
    source: Watched<BufReader<R>>,
    decoder: FrameDecoder,
    is_inside: bool,
}

impl<R: Read> Frames<R> {
    /// A stream; a frame that wants a larger window than this is an error.
    pub(super) fn new(source: R, window: usize) -> Frames<R> {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(window as u64);
        Frames {
            source: Watched {
                inner: BufReader::with_capacity(1 << 16, source),
                failure: None,
            },
            decoder,
            is_inside: false,
        }
    }

    /// Starts the next frame; false at the end of the stream.
    fn next_frame(&mut self) -> io::Result<bool> {
        if self.source.inner.fill_buf()?.is_empty() {
            return Ok(false);
        }
        match self.decoder.reset(&mut self.source) {
            Ok(()) => self.is_inside = true,
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length,
                ..
            })) => {
                let mut skipped = (&mut self.source).take(u64::from(length));
                if io::copy(&mut skipped, &mut io::sink())? < u64::from(length) {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
            }
            Err(error) => return Err(self.source.reason(&error)),
        }
        Ok(true)
    }
}

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.is_inside {
                match self.next_frame()? {
                    true => continue,
                    false => return Ok(0),
                }
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                if let Err(error) = self.decoder.decode_blocks(&mut self.source, one) {
                    return Err(self.source.reason(&error));
                }
            }
            let length = self.decoder.read(buffer)?;
            if length > 0 || buffer.is_empty() {
                return Ok(length);
            }
            self.is_inside = false;
            let stated = self.decoder.get_checksum_from_data();
            if stated.is_some() && stated != self.decoder.get_calculated_checksum() {
                return Err(io::Error::new(
                    io::ErrorKind::InvalidData,
                    "the checksum is another",
                ));
            }
        }
    }
}

/// A reader that remembers why reading failed: the decoder wraps that beyond recognition.
struct Watched<R> {
    inner: R,
    failure: Option<io::Error>,
}

impl<R> Watched<R> {
    fn reason(&mut self, error: &FrameDecoderError) -> io::Error {
        let damaged = || io::Error::new(io::ErrorKind::InvalidData, error.to_string());
        self.failure.take().unwrap_or_else(damaged)
    }
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.inner.read(buffer) {
            // The decoder asks only for what must be there.
            Ok(0) if !buffer.is_empty() => {
                self.failure = Some(io::ErrorKind::UnexpectedEof.into());
                Ok(0)
            }
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                let kind = error.kind();
                self.failure = Some(error);
                Err(kind.into())
            }
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    fn frame(text: &str) -> Vec<u8> {
        compress_to_vec(text.as_bytes(), CompressionLevel::Fastest)
    }

    fn read(bytes: &[u8]) -> io::Result<String> {
        let mut text = String::new();
        Frames::new(bytes, 1 << 20).read_to_string(&mut text)?;
        Ok(text)
    }

    #[test]
    fn frames_follow_each_other_and_some_are_skipped() {
        let skipped = [0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, b'a', b'b', b'c'];
        let bytes = [&frame("one ")[..], &skipped, &frame("two")].concat();
        assert_eq!(read(&bytes).expect("a text"), "one two");
    }

    #[test]
    fn a_stream_that_is_cut_says_so() {
        let whole = frame(&"13/7 8/7\n".repeat(50));
        for length in [3, 6, whole.len() / 2, whole.len() - 1] {
            let error = read(&whole[..length]).expect_err("a cut stream");
            assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof, "{length}");
        }
    }

    #[test]
    fn a_stream_that_is_damaged_is_no_text() {
        let mut bytes = frame(&"13/7 8/7\n".repeat(50));
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        assert!(read(&bytes).is_err());
    }
}
