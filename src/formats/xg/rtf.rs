//! The comments of eXtreme Gammon files: one RTF document a line, of which only the text is kept.
//!
//! ```text
//! comments = { rtf "\r\n" }            the number of a line, from 0, is what records name
//! rtf      = group | control | "\" symbol | letter
//! group    = "{" { rtf } "}"           not shown: fonts, colours, styles, information, and all that start "\*"
//! control  = "\" letters [ [ "-" ] digits ] [ " " ]
//! ```
//!
//! Line ends within a comment are stored as the bytes 1 and 2.

use encoding_rs::Encoding;

/// Groups deeper than this are skipped.
const DEEPEST: usize = 64;

/// The comments, by number.
pub(super) fn comments(bytes: &[u8]) -> Vec<String> {
    let mut lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    if lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    lines
        .into_iter()
        .map(|line| text(line.strip_suffix(b"\r").unwrap_or(line)))
        .collect()
}

/// What holds within a group.
#[derive(Debug, Clone, Copy)]
struct Group {
    is_shown: bool,
    /// How many characters follow a Unicode one for programs that cannot show it.
    replacements: u32,
}

/// The text of an RTF document; a line that is none is its own text.
pub(super) fn text(rtf: &[u8]) -> String {
    if !rtf.starts_with(b"{\\rtf") {
        let (text, _) = encoding_rs::UTF_8.decode_without_bom_handling(rtf);
        return lines(&text.replace("\u{1}\u{2}", "\n"));
    }
    let mut reader = Reader {
        rest: rtf,
        groups: vec![Group {
            is_shown: true,
            replacements: 1,
        }],
        too_deep: 0,
        encoding: encoding_rs::WINDOWS_1252,
        skip: 0,
        high: None,
        text: String::new(),
    };
    reader.read();
    lines(&reader.text)
}

/// The lines of a text without blanks behind them, and without empty lines at its ends.
fn lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim().to_owned()
}

struct Reader<'a> {
    rest: &'a [u8],
    groups: Vec<Group>,
    too_deep: usize,
    encoding: &'static Encoding,
    /// How many characters are left out, being replacements.
    skip: u32,
    /// The first half of a character of two units.
    high: Option<u16>,
    text: String,
}

impl Reader<'_> {
    fn read(&mut self) {
        while let Some((&byte, rest)) = self.rest.split_first() {
            self.rest = rest;
            match byte {
                b'{' if self.groups.len() >= DEEPEST => self.too_deep += 1,
                b'{' => self.groups.push(self.group()),
                b'}' if self.too_deep > 0 => self.too_deep -= 1,
                b'}' => {
                    self.groups.pop();
                    self.skip = 0;
                    if self.groups.is_empty() {
                        return;
                    }
                }
                b'\\' => self.escape(),
                1 if self.rest.first() == Some(&2) => {
                    self.rest = &self.rest[1..];
                }
                b'\r' | b'\n' | 2 => {}
                _ => self.byte(byte),
            }
        }
    }

    fn group(&self) -> Group {
        *self.groups.last().expect("a group is open")
    }

    fn group_mut(&mut self) -> &mut Group {
        self.groups.last_mut().expect("a group is open")
    }

    /// A byte of the text in the encoding of the document.
    fn byte(&mut self, byte: u8) {
        if self.skip > 0 {
            self.skip -= 1;
            return;
        }
        let mut bytes = vec![byte];
        // In some encodings a character takes two bytes.
        if byte >= 0x80 && !self.encoding.is_single_byte() {
            let (_, is_half) = self.encoding.decode_without_bom_handling(&bytes);
            bytes.extend(self.second_byte().filter(|_| is_half));
        }
        let (text, _) = self.encoding.decode_without_bom_handling(&bytes);
        self.push(&text);
    }

    /// The next byte of the text, plain or escaped.
    fn second_byte(&mut self) -> Option<u8> {
        if let Some(escaped) = self.rest.strip_prefix(b"\\'") {
            let byte = hexadecimal(escaped)?;
            self.rest = &escaped[2..];
            return Some(byte);
        }
        let (&byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(byte)
    }

    fn push(&mut self, text: &str) {
        if self.group().is_shown && self.too_deep == 0 {
            self.text.push_str(text);
        }
    }

    fn escape(&mut self) {
        let Some((&symbol, rest)) = self.rest.split_first() else {
            return;
        };
        if symbol.is_ascii_alphabetic() {
            return self.control();
        }
        self.rest = rest;
        match symbol {
            b'*' => self.group_mut().is_shown = false,
            b'\'' => {
                if let Some(byte) = hexadecimal(self.rest) {
                    self.rest = &self.rest[2..];
                    self.byte(byte);
                }
            }
            b'~' => self.push("\u{a0}"),
            b'_' => self.push("-"),
            b'-' => {}
            b'\r' | b'\n' => self.push("\n"),
            other => self.byte(other),
        }
    }

    fn control(&mut self) {
        let is_letter = |byte: &u8| byte.is_ascii_alphabetic();
        let length = self.rest.iter().take_while(|byte| is_letter(byte)).count();
        let (word, rest) = self.rest.split_at(length);
        let sign = usize::from(rest.first() == Some(&b'-'));
        let digits = rest[sign..].iter().take_while(|byte| byte.is_ascii_digit());
        let end = sign + digits.count();
        let number: Option<i32> = std::str::from_utf8(&rest[..end])
            .ok()
            .and_then(|digits| digits.parse().ok());
        let end = if number.is_some() { end } else { 0 };
        let blank = usize::from(rest.get(end) == Some(&b' '));
        self.rest = &rest[end + blank..];
        match word {
            b"par" | b"line" => self.push("\n"),
            b"tab" => self.push("\t"),
            b"emdash" => self.push("\u{2014}"),
            b"endash" => self.push("\u{2013}"),
            b"lquote" => self.push("\u{2018}"),
            b"rquote" => self.push("\u{2019}"),
            b"ldblquote" => self.push("\u{201c}"),
            b"rdblquote" => self.push("\u{201d}"),
            b"bullet" => self.push("\u{2022}"),
            b"fonttbl" | b"colortbl" | b"stylesheet" | b"info" | b"pict" => {
                self.group_mut().is_shown = false;
            }
            b"ansicpg" => {
                let label = number.map(|page| format!("windows-{page}"));
                let found = label.and_then(|label| Encoding::for_label(label.as_bytes()));
                self.encoding = found.unwrap_or(self.encoding);
            }
            b"uc" => {
                let replacements = number.and_then(|number| u32::try_from(number).ok());
                self.group_mut().replacements = replacements.unwrap_or(1).min(16);
            }
            b"u" => self.unit(number.unwrap_or(0)),
            _ => {}
        }
    }

    /// A unit of UTF-16; negative ones are above the middle.
    fn unit(&mut self, number: i32) {
        self.skip = self.group().replacements;
        let unit = (number & 0xffff) as u16;
        let units = [self.high.take(), Some(unit)];
        if (0xd800..0xdc00).contains(&unit) {
            self.high = Some(unit);
            return;
        }
        let text: String = char::decode_utf16(units.into_iter().flatten())
            .map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect();
        self.push(&text);
    }
}

/// The byte that the first two digits of a text stand for.
fn hexadecimal(text: &[u8]) -> Option<u8> {
    let digits = std::str::from_utf8(text.get(..2)?).ok()?;
    u8::from_str_radix(digits, 16).ok()
}

/// A text as an RTF document in one line.
pub(super) fn document(text: &str) -> Vec<u8> {
    let mut rtf = b"{\\rtf1\\ansi\\ansicpg1252\\uc1 ".to_vec();
    for letter in text.chars() {
        match letter {
            '\\' | '{' | '}' => rtf.extend([b'\\', letter as u8]),
            '\n' => rtf.extend(b"\\par "),
            '\r' => {}
            ' '..='~' => rtf.push(letter as u8),
            '\t' => rtf.extend(b"\\tab "),
            _ => {
                let mut units = [0u16; 2];
                for unit in letter.encode_utf16(&mut units) {
                    rtf.extend(format!("\\u{}?", *unit as i16).bytes());
                }
            }
        }
    }
    rtf.push(b'}');
    rtf
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_text_is_kept() {
        let rtf = b"{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 Arial;}}{\\*\\generator x;}\\f0 J\\'f6rg \\{a\\}\\par 2 \\u8364?\\u-10179?\\u-8704?}";
        assert_eq!(text(rtf), "J\u{f6}rg {a}\n2 \u{20ac}\u{1f600}");
    }

    #[test]
    fn the_code_page_counts() {
        assert_eq!(text(b"{\\rtf1\\ansicpg1251 \\'cf}"), "\u{41f}");
    }

    #[test]
    fn comments_are_numbered_by_line() {
        let lines = comments(b"{\\rtf1 a\x01\x02\\par b}\r\n\r\nplain\r\n");
        assert_eq!(lines, ["a\nb", "", "plain"]);
    }

    #[test]
    fn a_document_has_its_text_again() {
        for said in ["a\\b {c}\nd", "\u{fc}\u{20ac}\u{1f600}?", "2 < 3"] {
            assert_eq!(text(&document(said)), said);
            assert!(!document(said).contains(&b'\n'));
        }
    }

    #[test]
    fn groups_that_never_end_are_no_harm() {
        let deep = [b"{\\rtf1 ".as_slice(), &b"{".repeat(10_000), b"x"].concat();
        assert_eq!(text(&deep), "");
        assert_eq!(text(b"{\\rtf1 a}}}} b"), "a");
    }
}
