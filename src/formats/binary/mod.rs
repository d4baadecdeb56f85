//! What the readers and writers of binary formats share: slices that are checked, streams that are inflated
//! up to a limit, and the listing that findings point into.
//!
//! Nothing that a file says of its own sizes is believed: a place outside the file is `None`, a stream that
//! grows beyond the limit is refused, and no count of a file becomes a capacity.

mod listing;

pub(super) use listing::Listing;

use std::io::Read;

use flate2::read::{GzDecoder, ZlibDecoder};

use crate::board::{ByPlayer, Player};

/// Numbers of a file, the lowest byte first, at checked places.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bytes<'a>(pub(super) &'a [u8]);

impl<'a> Bytes<'a> {
    /// So many bytes from a place on.
    pub(super) fn slice(self, at: usize, length: usize) -> Option<&'a [u8]> {
        self.0.get(at..at.checked_add(length)?)
    }

    fn array<const N: usize>(self, at: usize) -> Option<[u8; N]> {
        self.slice(at, N)?.try_into().ok()
    }

    pub(super) fn u8(self, at: usize) -> Option<u8> {
        self.0.get(at).copied()
    }

    pub(super) fn i8(self, at: usize) -> Option<i8> {
        self.array(at).map(i8::from_le_bytes)
    }

    pub(super) fn u16(self, at: usize) -> Option<u16> {
        self.array(at).map(u16::from_le_bytes)
    }

    pub(super) fn i16(self, at: usize) -> Option<i16> {
        self.array(at).map(i16::from_le_bytes)
    }

    pub(super) fn u32(self, at: usize) -> Option<u32> {
        self.array(at).map(u32::from_le_bytes)
    }

    pub(super) fn i32(self, at: usize) -> Option<i32> {
        self.array(at).map(i32::from_le_bytes)
    }

    pub(super) fn f32(self, at: usize) -> Option<f32> {
        self.array(at).map(f32::from_le_bytes)
    }

    pub(super) fn f64(self, at: usize) -> Option<f64> {
        self.array(at).map(f64::from_le_bytes)
    }
}

/// Why a stream was not inflated to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum InflateError {
    /// It grows beyond the limit.
    TooLarge,
    /// It is damaged or cut.
    Damaged,
}

/// An inflated stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Inflated {
    /// What was inflated, up to the damage if there is one.
    pub(super) bytes: Vec<u8>,
    /// How many bytes of the input were used.
    pub(super) used: usize,
    /// Why it ended early.
    pub(super) error: Option<InflateError>,
}

/// Inflates a zlib stream at the start of some bytes, up to a limit.
pub(super) fn inflate(bytes: &[u8], limit: usize) -> Inflated {
    let mut decoder = ZlibDecoder::new(bytes);
    let (inflated, error) = read_up_to(&mut decoder, limit);
    Inflated {
        bytes: inflated,
        used: usize::try_from(decoder.total_in()).unwrap_or(bytes.len()),
        error,
    }
}

/// Inflates a gzip stream up to a limit.
pub(super) fn gunzip(bytes: &[u8], limit: usize) -> Inflated {
    let (inflated, error) = read_up_to(&mut GzDecoder::new(bytes), limit);
    Inflated {
        bytes: inflated,
        used: bytes.len(),
        error,
    }
}

fn read_up_to(reader: &mut impl Read, limit: usize) -> (Vec<u8>, Option<InflateError>) {
    let mut bytes = Vec::new();
    let result = reader
        .take((limit as u64).saturating_add(1))
        .read_to_end(&mut bytes);
    let error = match result {
        _ if bytes.len() > limit => {
            bytes.truncate(limit);
            Some(InflateError::TooLarge)
        }
        Ok(_) => None,
        Err(_) => Some(InflateError::Damaged),
    };
    (bytes, error)
}

/// The CRC-32 of zlib and gzip.
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// Checkers by player and place, from 26 signed numbers as the player `viewer` sees the board: index 0 the
/// opponent's bar, 1 to 24 the own points, 25 the own bar; the viewer's checkers count positive. `None`: a
/// checker of the wrong side on a bar, or more than a board has.
pub(super) fn seen_by(viewer: Player, numbers: &[i8; 26]) -> Option<ByPlayer<[u8; 26]>> {
    if numbers[0] > 0 || numbers[25] < 0 {
        return None;
    }
    let mut checkers = ByPlayer::new([0u8; 26], [0u8; 26]);
    for (place, &number) in numbers.iter().enumerate() {
        if number.unsigned_abs() > 15 {
            return None;
        }
        match number {
            0 => {}
            1.. => checkers[viewer][place] = number.unsigned_abs(),
            _ => checkers[!viewer][25 - place] = number.unsigned_abs(),
        }
    }
    Some(checkers)
}

/// The 26 numbers of a board as a player sees it; see [`seen_by`].
pub(super) fn view_of(viewer: Player, checkers: ByPlayer<&[u8; 26]>) -> [i8; 26] {
    let mut numbers = [0i8; 26];
    for place in 1..=25 {
        numbers[place] += checkers[viewer][place] as i8;
        numbers[25 - place] -= checkers[!viewer][place] as i8;
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Variant;

    #[test]
    fn places_outside_are_none() {
        let bytes = Bytes(&[1, 0, 0, 0, 255]);
        assert_eq!(bytes.i32(0), Some(1));
        assert_eq!(bytes.i8(4), Some(-1));
        assert_eq!(bytes.u32(2), None);
        assert_eq!(bytes.slice(usize::MAX, 2), None);
    }

    #[test]
    fn a_stream_that_grows_too_large_is_cut_at_the_limit() {
        use std::io::Write;
        let mut encoder =
            flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(&vec![7; 100_000]).expect("in memory");
        let stream = encoder.finish().expect("in memory");
        let whole = inflate(&stream, 100_000);
        assert_eq!((whole.bytes.len(), whole.error), (100_000, None));
        assert_eq!(whole.used, stream.len());
        let cut = inflate(&stream, 99_999);
        assert_eq!(
            (cut.bytes.len(), cut.error),
            (99_999, Some(InflateError::TooLarge))
        );
        let damaged = inflate(&stream[..stream.len() - 6], 100_000);
        assert_eq!(damaged.error, Some(InflateError::Damaged));
    }

    #[test]
    fn a_board_is_the_same_from_both_sides() {
        let start = Variant::Backgammon.start();
        let mut checkers = ByPlayer::new(start, start);
        checkers.one[6] = 4;
        checkers.one[25] = 1;
        for viewer in Player::BOTH {
            let numbers = view_of(viewer, checkers.as_ref());
            assert_eq!(seen_by(viewer, &numbers), Some(checkers));
        }
        assert_eq!(view_of(Player::One, checkers.as_ref())[25], 1);
        assert_eq!(view_of(Player::Two, checkers.as_ref())[0], -1);
    }
}
