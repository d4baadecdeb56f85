//! Smile, the binary form of JSON in which BGBlitz writes its document.
//!
//! ```text
//! document = 3A 29 0A, features, value
//! features = bits 7 to 4 the version 0, bit 2 raw binary, bit 1 shared values, bit 0 shared names
//! value    = 01..1F                  one of the first 31 shared texts
//!          | 20 "" | 21 null | 22 false | 23 true
//!          | 24, 25 number           zigzag of 32 and 64 bits
//!          | 28, 29 bits             floating point in 5 and 10 groups of 7 bits, the highest first
//!          | 40..5F, 60..7F bytes    ASCII of 1 to 32 and 33 to 64 bytes
//!          | 80..9F, A0..BF bytes    UTF-8 of 2 to 33 and 34 to 65 bytes
//!          | C0..DF                  zigzag of the low 5 bits
//!          | E0, E4 bytes FC         long ASCII, long UTF-8
//!          | EC..EF byte             a shared text by 10 bits
//!          | F8 { value } F9 | FA { name value } FB
//! name     = 20 "" | 30..33 byte     a shared name by 10 bits
//!          | 34 bytes FC             a long name
//!          | 40..7F                  one of the first 64 shared names
//!          | 80..BF bytes            ASCII of 1 to 64 bytes
//!          | C0..F7 bytes            UTF-8 of 2 to 57 bytes
//! number   = { 7 bits, high bit clear }, 6 bits with the high bit set; the highest first
//! ```
//!
//! A name or text of at most 64 bytes enters the list of shared ones if the features say so; a list of 1024
//! is emptied before the next one enters. Entries whose place has FE or FF for its low byte are not referred
//! to, for these bytes appear nowhere within a document; their name stands in full each time and enters again.
//! `FF` may end a document.
//!
//! Big numbers (26, 2A) and binary values (E8, FD) are refused: BGBlitz has no use for them. What is called
//! ASCII is read as UTF-8, of which it is a part, and bytes that are neither are replaced.

use std::rc::Rc;

use super::tree::{Broken, Builder, Document, Expected, Value};

/// The first bytes of a document.
pub(super) const MAGIC: &[u8] = b":)\n";

const SHARED_NAMES: u8 = 1;
const SHARED_VALUES: u8 = 2;

/// How many names or texts can be referred to.
const MOST_SHARED: usize = 1024;

/// The longest name or text that is shared.
const LONGEST_SHARED: usize = 64;

/// Reads a document up to its end or up to what cannot be read.
pub(super) fn read(bytes: &[u8]) -> Document {
    let mut reader = Reader {
        bytes,
        at: 0,
        names: Shared::default(),
        texts: Shared::default(),
        tree: Builder::default(),
    };
    let result = reader.document();
    // What cannot be read is told where it starts.
    reader.tree.finish(result, reader.at)
}

/// Names or texts that may be referred to.
#[derive(Debug, Default)]
struct Shared {
    is_on: bool,
    list: Vec<Rc<str>>,
}

impl Shared {
    fn add(&mut self, text: &Rc<str>) {
        if !self.is_on || text.len() > LONGEST_SHARED {
            return;
        }
        if self.list.len() >= MOST_SHARED {
            self.list.clear();
        }
        self.list.push(Rc::clone(text));
    }

    fn get(&self, index: usize, what: &str) -> Result<Rc<str>, Broken> {
        let found = self.list.get(index).filter(|_| index & 0xFF < 0xFE);
        found.cloned().ok_or_else(|| {
            let known = self.list.len();
            Broken::because(format!("shared {what} {index} where {known} are known"))
        })
    }
}

#[derive(Debug)]
struct Reader<'a> {
    bytes: &'a [u8],
    /// The next byte; at the start of a token until all of it was read.
    at: usize,
    names: Shared,
    texts: Shared,
    tree: Builder,
}

impl Reader<'_> {
    fn document(&mut self) -> Result<(), Broken> {
        if !self.bytes.starts_with(MAGIC) {
            let is_cut = MAGIC.starts_with(self.bytes);
            return Err(match is_cut {
                true => Broken::Cut,
                false => Broken::because("no Smile document"),
            });
        }
        let features = *self.bytes.get(3).ok_or(Broken::Cut)?;
        if features >> 4 != 0 {
            let version = features >> 4;
            return Err(Broken::because(format!("version {version} of Smile")));
        }
        self.names.is_on = features & SHARED_NAMES != 0;
        self.texts.is_on = features & SHARED_VALUES != 0;
        self.at = 4;
        while self.tree.expected() != Expected::End {
            let mut token = Token {
                bytes: self.bytes,
                at: self.at,
            };
            match self.tree.expected() {
                Expected::Name => self.name(&mut token)?,
                _ => self.value(&mut token)?,
            }
            self.at = token.at;
        }
        if self.bytes.get(self.at) == Some(&0xFF) {
            self.at += 1;
        }
        Ok(())
    }

    fn name(&mut self, token: &mut Token<'_>) -> Result<(), Broken> {
        let byte = token.byte()?;
        let low = usize::from(byte & 0x3F);
        let name = match byte {
            0xFB => return self.tree.close(),
            0x20 => Rc::from(""),
            0x30..=0x33 => {
                let index = usize::from(byte & 3) << 8 | usize::from(token.byte()?);
                self.names.get(index, "name")?
            }
            0x34 => token.long()?,
            0x40..=0x7F => self.names.get(low, "name")?,
            0x80..=0xBF => self.new_name(token.text(low + 1)?),
            0xC0..=0xF7 => self.new_name(token.text(low + 2)?),
            _ => return Err(Broken::because(format!("{byte:02X} starts no name"))),
        };
        self.tree.name(name);
        Ok(())
    }

    fn new_name(&mut self, name: Rc<str>) -> Rc<str> {
        self.names.add(&name);
        name
    }

    fn value(&mut self, token: &mut Token<'_>) -> Result<(), Broken> {
        let byte = token.byte()?;
        let low = usize::from(byte & 0x1F);
        let value = match byte {
            0x01..=0x1F => self.shared_text(low - 1)?,
            0x20 => Value::Text(Box::from("")),
            0x21 => Value::Null,
            0x22 => Value::Bool(false),
            0x23 => Value::Bool(true),
            0x24 | 0x25 => Value::Int(zigzag(token.number()?)),
            0x28 => Value::Float(f64::from(f32::from_bits(token.bits(5)? as u32))),
            0x29 => Value::Float(f64::from_bits(token.bits(10)?)),
            0x40..=0x5F => self.new_text(token.text(low + 1)?),
            0x60..=0x7F => self.new_text(token.text(low + 33)?),
            0x80..=0x9F => self.new_text(token.text(low + 2)?),
            0xA0..=0xBF => self.new_text(token.text(low + 34)?),
            0xC0..=0xDF => Value::Int(zigzag(low as u64)),
            0xE0 | 0xE4 => Value::Text(Box::from(&*token.long()?)),
            0xEC..=0xEF => {
                let index = usize::from(byte & 3) << 8 | usize::from(token.byte()?);
                self.shared_text(index)?
            }
            0xF8 => return self.tree.open_list(),
            0xF9 if self.tree.expected() == Expected::Item => return self.tree.close(),
            0xFA => return self.tree.open_object(),
            0x26 | 0x2A => return Err(Broken::because("a number too big to be read")),
            0xE8 | 0xFD => return Err(Broken::because("a binary value, which is not read")),
            _ => return Err(Broken::because(format!("{byte:02X} starts no value"))),
        };
        self.tree.value(value)
    }

    fn new_text(&mut self, text: Rc<str>) -> Value {
        self.texts.add(&text);
        Value::Text(Box::from(&*text))
    }

    fn shared_text(&self, index: usize) -> Result<Value, Broken> {
        let text = self.texts.get(index, "text")?;
        Ok(Value::Text(Box::from(&*text)))
    }
}

/// The bytes of one name or value.
#[derive(Debug)]
struct Token<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Token<'_> {
    fn byte(&mut self) -> Result<u8, Broken> {
        let byte = *self.bytes.get(self.at).ok_or(Broken::Cut)?;
        self.at += 1;
        Ok(byte)
    }

    fn text(&mut self, length: usize) -> Result<Rc<str>, Broken> {
        let end = self.at.saturating_add(length);
        let bytes = self.bytes.get(self.at..end).ok_or(Broken::Cut)?;
        self.at = end;
        Ok(Rc::from(String::from_utf8_lossy(bytes)))
    }

    /// Bytes up to the end mark.
    fn long(&mut self) -> Result<Rc<str>, Broken> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let length = memchr::memchr(0xFC, rest).ok_or(Broken::Cut)?;
        let text = self.text(length)?;
        self.at += 1;
        Ok(text)
    }

    fn number(&mut self) -> Result<u64, Broken> {
        let mut number = 0u64;
        loop {
            let byte = self.byte()?;
            let (bits, part) = match byte & 0x80 {
                0 => (7, byte),
                _ => (6, byte & 0x3F),
            };
            if number.leading_zeros() < bits {
                return Err(Broken::because("a number of more than 64 bits"));
            }
            number = number << bits | u64::from(part);
            if byte & 0x80 != 0 {
                return Ok(number);
            }
        }
    }

    /// Groups of 7 bits; what is beyond 64 bits is dropped.
    fn bits(&mut self, groups: usize) -> Result<u64, Broken> {
        let mut bits = 0u64;
        for _ in 0..groups {
            bits = bits << 7 | u64::from(self.byte()? & 0x7F);
        }
        Ok(bits)
    }
}

/// Numbers with their sign in the lowest bit.
fn zigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}
