//! The primitives of OGXM: numbers, texts, boards and records, read at checked places and written in their
//! one canonical form.

use super::Step;

/// A place in some bytes that moves on with what is read. `None` everywhere: the bytes end too early, or what
/// stands there is no such thing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'a> {
    rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor { rest: bytes }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// What was not read yet.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(super) fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    pub(super) fn u8(&mut self) -> Option<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(super) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn i16(&mut self) -> Option<i16> {
        self.array().map(i16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn i32(&mut self) -> Option<i32> {
        self.array().map(i32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// A number in groups of seven bits, the lowest first; longer forms than needed are no numbers.
    pub(super) fn varint64(&mut self) -> Option<u64> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.u8()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                return None;
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return (byte != 0 || shift == 0).then_some(value);
            }
        }
        None
    }

    pub(super) fn varint(&mut self) -> Option<u32> {
        u32::try_from(self.varint64()?).ok()
    }

    fn length(&mut self) -> Option<usize> {
        usize::try_from(self.varint()?).ok()
    }

    /// A text behind its length in bytes.
    pub(super) fn text(&mut self) -> Option<String> {
        let length = self.length()?;
        String::from_utf8(self.take(length)?.to_vec()).ok()
    }

    /// A text behind its length in one byte; what is not UTF-8 in it is replaced.
    pub(super) fn short_text(&mut self) -> Option<String> {
        let length = usize::from(self.u8()?);
        Some(String::from_utf8_lossy(self.take(length)?).into_owned())
    }

    /// The numbers of checkers by pip, White's positive.
    pub(super) fn board(&mut self) -> Option<[i8; 26]> {
        self.array::<26>().map(|bytes| bytes.map(|byte| byte as i8))
    }

    /// Five chances in parts of ten thousand: won games, gammons and backgammons, lost gammons and
    /// backgammons.
    pub(super) fn chances(&mut self) -> Option<[u16; 5]> {
        let mut chances = [0; 5];
        for chance in &mut chances {
            *chance = self.u16()?;
        }
        Some(chances)
    }

    /// Moves behind their number.
    pub(super) fn counted_steps(&mut self) -> Option<Vec<Step>> {
        let count = self.length()?;
        let bytes = self.take(count)?;
        bytes.iter().map(|&byte| Step::from_byte(byte)).collect()
    }

    /// A record: its own bytes and which of its optional fields are there.
    pub(super) fn record(&mut self) -> Option<(Cursor<'a>, Fields)> {
        let length = self.length()?;
        let mut body = Cursor::new(self.take(length)?);
        let fields = Fields(body.varint64()?);
        Some((body, fields))
    }
}

/// Which optional fields of a record are there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields(u64);

impl Fields {
    pub(super) fn has(self, bit: u32) -> bool {
        self.0.checked_shr(bit).unwrap_or(0) & 1 == 1
    }

    /// Whether there are fields beyond those that are known, the first of which would be this one.
    pub(super) fn beyond(self, bit: u32) -> bool {
        self.0.checked_shr(bit).unwrap_or(0) != 0
    }
}

/// A number in as few groups of seven bits as it needs.
pub(super) fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value > 0x7f {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// A text behind its length.
pub(super) fn put_text(out: &mut Vec<u8>, text: &str) {
    put_varint(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// A record in the making: fields are added in the order of their bits.
#[derive(Debug, Default)]
pub(super) struct Record {
    mask: u64,
    /// What stands behind the mask: the mandatory fields, then the optional ones.
    pub(super) body: Vec<u8>,
}

impl Record {
    /// Says that an optional field is there; its bytes follow in [`Record::body`].
    pub(super) fn field(&mut self, bit: u32) -> &mut Vec<u8> {
        debug_assert!(
            self.mask >> bit == 0,
            "fields stand in the order of their bits"
        );
        self.mask |= 1 << bit;
        &mut self.body
    }

    pub(super) fn number(&mut self, bit: u32, value: u64) {
        put_varint(self.field(bit), value);
    }

    pub(super) fn text(&mut self, bit: u32, text: &str) {
        put_text(self.field(bit), text);
    }

    /// Whether no optional field is there.
    pub(super) fn is_bare(&self) -> bool {
        self.mask == 0
    }

    /// The record behind its length.
    pub(super) fn put(&self, out: &mut Vec<u8>) {
        let mut mask = Vec::new();
        put_varint(&mut mask, self.mask);
        put_varint(out, (mask.len() + self.body.len()) as u64);
        out.extend_from_slice(&mask);
        out.extend_from_slice(&self.body);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_one_form() {
        for value in [
            0,
            1,
            127,
            128,
            16_383,
            16_384,
            u64::from(u32::MAX),
            u64::MAX,
        ] {
            let mut bytes = Vec::new();
            put_varint(&mut bytes, value);
            let mut cursor = Cursor::new(&bytes);
            assert_eq!(cursor.varint64(), Some(value));
            assert!(cursor.is_empty());
        }
        let read = |bytes: &[u8]| Cursor::new(bytes).varint64();
        assert_eq!(read(&[0x80, 0x00]), None);
        assert_eq!(read(&[0x80]), None);
        assert_eq!(read(&[0xff; 9]), None);
        assert_eq!(
            read(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02]),
            None
        );
        assert_eq!(Cursor::new(&[0xff, 0xff, 0xff, 0xff, 0x1f]).varint(), None);
    }

    #[test]
    fn a_record_ends_where_its_length_says() {
        let mut record = Record::default();
        record.body.push(7);
        record.number(1, 300);
        record.text(60, "x");
        let mut bytes = Vec::new();
        record.put(&mut bytes);
        bytes.push(9);
        let mut cursor = Cursor::new(&bytes);
        let (mut body, fields) = cursor.record().expect("a record");
        assert_eq!((body.u8(), body.varint()), (Some(7), Some(300)));
        assert_eq!(
            [0, 1, 60, 64].map(|bit| fields.has(bit)),
            [false, true, true, false]
        );
        assert!(fields.beyond(9) && !fields.beyond(61));
        assert_eq!((body.text(), body.u8()), (Some("x".to_owned()), None));
        assert_eq!(cursor.rest(), [9]);
        assert!(Cursor::new(&[5, 0]).record().is_none());
    }
}
