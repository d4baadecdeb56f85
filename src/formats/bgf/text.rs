//! JSON text as a document, read up to where it breaks off.

use std::rc::Rc;

use super::tree::{Broken, Builder, Document, Expected, Value};

/// Reads a document up to its end or up to what cannot be read.
pub(super) fn read(text: &str) -> Document {
    let mut reader = Reader {
        text,
        at: 0,
        tree: Builder::default(),
    };
    let result = reader.document();
    reader.tree.finish(result, reader.at)
}

#[derive(Debug)]
struct Reader<'a> {
    text: &'a str,
    at: usize,
    tree: Builder,
}

impl Reader<'_> {
    fn document(&mut self) -> Result<(), Broken> {
        loop {
            match self.tree.expected() {
                Expected::End => return Ok(()),
                Expected::Value => self.value()?,
                Expected::Item => self.member(b']')?,
                Expected::Name => self.member(b'}')?,
            }
        }
    }

    /// The next byte that is no blank.
    fn peek(&mut self) -> Result<u8, Broken> {
        let rest = &self.text[self.at..];
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
        self.at += blanks;
        self.text
            .as_bytes()
            .get(self.at)
            .copied()
            .ok_or(Broken::Cut)
    }

    /// The end of a list or an object, or the comma and what follows it.
    fn member(&mut self, end: u8) -> Result<(), Broken> {
        let byte = self.peek()?;
        if byte == end {
            self.at += 1;
            return self.tree.close();
        }
        if !self.tree.is_empty() {
            self.expect(b',')?;
            self.peek()?;
        }
        if end == b']' {
            return self.value();
        }
        let name = self.string()?;
        self.peek()?;
        self.expect(b':')?;
        self.tree.name(Rc::from(name));
        Ok(())
    }

    fn expect(&mut self, byte: u8) -> Result<(), Broken> {
        if self.peek()? != byte {
            return Err(self.unexpected());
        }
        self.at += 1;
        Ok(())
    }

    fn value(&mut self) -> Result<(), Broken> {
        let value = match self.peek()? {
            b'[' => {
                self.at += 1;
                return self.tree.open_list();
            }
            b'{' => {
                self.at += 1;
                return self.tree.open_object();
            }
            b'"' => Value::Text(self.string()?.into()),
            _ => self.word()?,
        };
        self.tree.value(value)
    }

    fn string(&mut self) -> Result<String, Broken> {
        let rest = &self.text[self.at..];
        if !rest.starts_with('"') {
            return Err(self.unexpected());
        }
        let mut is_escaped = false;
        let end = rest.bytes().skip(1).position(|byte| {
            let ends = byte == b'"' && !is_escaped;
            is_escaped = byte == b'\\' && !is_escaped;
            ends
        });
        let length = end.ok_or(Broken::Cut)? + 2;
        let text = serde_json::from_str(&rest[..length]);
        let text = text.map_err(|_| Broken::because("a text that cannot be read"))?;
        self.at += length;
        Ok(text)
    }

    /// A number, `true`, `false` or `null`.
    fn word(&mut self) -> Result<Value, Broken> {
        let rest = &self.text[self.at..];
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
        let length = rest.find(|c| !is_part(c)).ok_or(Broken::Cut)?;
        let word = &rest[..length];
        let value = match word {
            "null" => Value::Null,
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ => match (word.parse(), word.parse::<f64>()) {
                (Ok(number), _) => Value::Int(number),
                (_, Ok(number)) if number.is_finite() => Value::Float(number),
                _ => return Err(self.unexpected()),
            },
        };
        self.at += length;
        Ok(value)
    }

    fn unexpected(&self) -> Broken {
        match self.text[self.at..].chars().next() {
            Some(letter) => Broken::because(format!("{letter:?} is not expected there")),
            None => Broken::Cut,
        }
    }
}
