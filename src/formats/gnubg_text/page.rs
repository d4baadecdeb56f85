//! The lines of an export, text or HTML, as plain text.
//!
//! The HTML of the program is written line by line and does not escape names, so that what is no element that
//! it uses stays as it is written: a player may be called `<x>`.

use crate::source::{Source, Span, lines};

/// A line as a reader sees it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Said {
    /// The text without blanks around it; cells of a table have a tab behind them.
    pub(super) text: String,
    /// Where it stands.
    pub(super) span: Span,
    /// Whether a division of the page ends in this line.
    pub(super) ends: bool,
}

/// The lines of the source.
pub(super) fn said(source: &Source, html: bool) -> Vec<Said> {
    let mut in_body = !html;
    let mut said = Vec::new();
    for line in lines(source.text()) {
        let (text, span) = super::super::text::trimmed(line);
        if !in_body {
            in_body = text.contains("<body");
            continue;
        }
        said.push(Said {
            text: if html { plain(text) } else { text.to_owned() },
            span,
            ends: text.contains("</div>") || text.contains("</table>"),
        });
    }
    said
}

/// The elements that the program writes.
const ELEMENTS: [&str; 24] = [
    "a", "b", "i", "p", "h1", "h2", "h3", "h4", "hr", "br", "tr", "td", "th", "tt", "em", "div",
    "img", "span", "table", "body", "html", "address", "strong", "tbody",
];

/// A line without its elements and with its entities decoded.
fn plain(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(['<', '&']) {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let (text, length) = if rest.starts_with('<') {
            element(rest)
        } else {
            entity(rest)
        };
        match text {
            Some(text) => plain.push_str(&text),
            None => plain.push_str(&rest[..length]),
        }
        rest = &rest[length..];
    }
    plain.push_str(rest);
    let kept = plain.trim_matches(|c: char| c.is_whitespace() && c != '\t');
    kept.to_owned()
}

/// What an element stands for and how long it is; `None` if it is none.
fn element(text: &str) -> (Option<String>, usize) {
    let nothing = |length| (Some(String::new()), length);
    if text.starts_with("<!--") {
        return nothing(text.find("-->").map_or(text.len(), |end| end + 3));
    }
    let name: String = text[1..]
        .trim_start_matches('/')
        .chars()
        .take_while(char::is_ascii_alphanumeric)
        .collect();
    if !ELEMENTS.contains(&name.as_str()) {
        return (None, 1);
    }
    let length = text.find('>').map_or(text.len(), |end| end + 1);
    if text.starts_with("</td") {
        (Some("\t".to_owned()), length)
    } else {
        nothing(length)
    }
}

/// What an entity stands for and how long it is; `None` if it is none.
fn entity(text: &str) -> (Option<String>, usize) {
    let Some(end) = text.bytes().take(12).position(|byte| byte == b';') else {
        return (None, 1);
    };
    let name = &text[1..end];
    let code = match name.strip_prefix('#') {
        Some(number) => match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok(),
            None => number.parse().ok(),
        },
        None => match name {
            "amp" => Some(u32::from('&')),
            "lt" => Some(u32::from('<')),
            "gt" => Some(u32::from('>')),
            "quot" => Some(u32::from('"')),
            "apos" => Some(u32::from('\'')),
            "nbsp" => Some(u32::from(' ')),
            "bull" => Some(u32::from('•')),
            _ => None,
        },
    };
    match code.and_then(char::from_u32) {
        Some(character) => (Some(character.to_string()), end + 1),
        None => (None, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn elements_go_and_names_stay() {
        assert_eq!(
            plain("<p>&bull; Bob <x> & J&#246;rg moves 24/14*</p>"),
            "• Bob <x> & Jörg moves 24/14*"
        );
        assert_eq!(
            plain("<tr valign=\"top\"><td>Date</td><td>11/29/26</td></tr>"),
            "Date\t11/29/26\t"
        );
        assert_eq!(plain("a < b &unknown; <"), "a < b &unknown; <");
        assert_eq!(plain("<!-- Header -->"), "");
        assert_eq!(
            plain("&\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9};"),
            "&\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9};"
        );
    }
}
