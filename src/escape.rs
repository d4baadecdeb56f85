//! Text from files made harmless: what a terminal or an editor obeys rather than shows.
//!
//! Names and comments of a transcript are a stranger's. In text for people such characters are replaced, see
//! [`harmless`]; in JSON they are written as `\u001b`, which every reader of JSON turns back.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};

/// Whether a terminal or an editor obeys a character: control characters but for the tab, marks that turn the
/// direction of writing, and separators of lines and paragraphs.
pub fn is_obeyed(c: char) -> bool {
    c.is_control() && c != '\t'
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Text from a file with everything replaced that is obeyed. Every character keeps its length in bytes, so that
/// places stay right.
pub fn harmless(text: &str) -> Cow<'_, str> {
    let is_plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    if is_plain || !text.contains(is_obeyed) {
        return text.into();
    }
    text.chars()
        .map(|c| match (is_obeyed(c), c.len_utf8()) {
            (false, _) => c,
            (true, 1) => '?',
            (true, 2) => '\u{bf}',
            (true, _) => '\u{fffd}',
        })
        .collect::<String>()
        .into()
}

/// Writes JSON in which everything that is obeyed is escaped.
///
/// # Errors
///
/// Those of `out`, and of values that are no JSON.
pub fn write_json(out: impl Write, value: &impl Serialize) -> serde_json::Result<()> {
    let mut serializer = Serializer::with_formatter(out, Escaping(CompactFormatter));
    value.serialize(&mut serializer)
}

/// The same as a text.
///
/// # Errors
///
/// Values that are no JSON.
pub fn json(value: &impl Serialize) -> serde_json::Result<String> {
    let mut bytes = Vec::new();
    write_json(&mut bytes, value)?;
    Ok(String::from_utf8(bytes).expect("JSON is UTF-8"))
}

/// The same with line ends and blanks for people.
///
/// # Errors
///
/// Values that are no JSON.
pub fn pretty_json(value: &impl Serialize) -> serde_json::Result<String> {
    let mut bytes = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut bytes, Escaping(PrettyFormatter::new()));
    value.serialize(&mut serializer)?;
    Ok(String::from_utf8(bytes).expect("JSON is UTF-8"))
}

/// The usual way to write JSON, but for what is obeyed. serde_json itself escapes only what JSON demands, which
/// leaves the delete character, the second set of control characters and the marks of direction.
struct Escaping<F>(F);

/// Hands a method over to the formatter within.
macro_rules! as_usual {
    ($($name:ident($($argument:ident: $kind:ty),*);)*) => {
        $(fn $name<W: ?Sized + Write>(&mut self, out: &mut W $(, $argument: $kind)*) -> io::Result<()> {
            self.0.$name(out $(, $argument)*)
        })*
    };
}

impl<F: Formatter> Formatter for Escaping<F> {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        // Nearly every text is plain ASCII, which is told of many characters at a time.
        let is_plain = |byte: u8| matches!(byte, b' '..=b'~');
        if fragment
            .bytes()
            .fold(true, |are, byte| are & is_plain(byte))
        {
            return out.write_all(fragment.as_bytes());
        }
        let mut rest = fragment;
        while let Some(at) = rest.find(is_obeyed) {
            let obeyed = rest[at..].chars().next().expect("a character");
            // All of them are in the first plane: one group of four digits.
            write!(out, "{}\\u{:04x}", &rest[..at], u32::from(obeyed))?;
            rest = &rest[at + obeyed.len_utf8()..];
        }
        out.write_all(rest.as_bytes())
    }

    as_usual! {
        begin_array(); end_array(); begin_array_value(first: bool); end_array_value();
        begin_object(); end_object(); begin_object_key(first: bool); end_object_key();
        begin_object_value(); end_object_value();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_obeyed_is_escaped_in_json_and_comes_back() {
        let text = "a\u{1b}[31m\u{7f}\u{9b}2J\u{202e}\u{2066}\u{2028}\u{200f}é\t\"\\";
        let written = json(&[text]).expect("JSON");
        assert!(!written.contains(is_obeyed), "{written:?}");
        assert!(written.contains("\\u009b2J\\u202e"), "{written}");
        let again: Vec<String> = serde_json::from_str(&written).expect("JSON");
        assert_eq!(again, [text]);
    }

    #[test]
    fn other_json_is_written_as_usual() {
        let value = serde_json::json!({"a": [1, 2.5, null, {"b": []}], "é": "x\ty"});
        assert_eq!(json(&value).ok(), serde_json::to_string(&value).ok());
        assert_eq!(
            pretty_json(&value).ok(),
            serde_json::to_string_pretty(&value).ok()
        );
    }

    #[test]
    fn what_is_obeyed_is_replaced_in_text_and_keeps_its_length() {
        let text = "a\u{1b}b\u{9b}c\u{202e}d";
        assert_eq!(harmless(text), "a?b\u{bf}c\u{fffd}d");
        assert_eq!(harmless(text).len(), text.len());
    }
}
