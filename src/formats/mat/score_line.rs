//! The line below a game's heading: both names and both scores.

use crate::board::ByPlayer;

/// A score line, with byte ranges into the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ScoreLine {
    /// Where the left and the right name stand.
    pub(super) names: [(usize, usize); 2],
    /// Both scores as written.
    pub(super) scores: [(usize, usize); 2],
    /// Whether the line says that this is the Crawford game.
    pub(super) crawford: bool,
}

/// Reads a score line from both ends: the right score is the number at the end of the line, the left one
/// follows the earliest colon that a number follows. So a name may hold blanks, colons and digits, or nothing.
///
/// `right_name` is what the right player is called elsewhere; it decides where a score without a blank behind
/// it ends.
pub(super) fn score_line(line: &str, right_name: Option<&str>) -> Option<ScoreLine> {
    let (text, crawford) = strip_crawford(line.trim_ascii_end());
    let right_colon = memchr::memrchr(b':', text.as_bytes())?;
    let right = blanks(text, right_colon + 1);
    if right == text.len() || !is_score(&text[right..]) {
        return None;
    }
    let mut from = 0;
    while let Some(at) = memchr::memchr(b':', &text.as_bytes()[from..right_colon]) {
        let colon = from + at;
        let start = blanks(text, colon + 1);
        let sign = usize::from(text[start..].starts_with('-'));
        let digits = text[start + sign..]
            .bytes()
            .take_while(|b| b.is_ascii_digit())
            .count();
        if digits > 0 && start < right_colon {
            let end = score_end(text, start + sign, digits, right_colon, right_name);
            let (rest, left_crawford) = skip_crawford(text, end);
            return Some(ScoreLine {
                names: [trimmed(text, 0, colon), trimmed(text, rest, right_colon)],
                scores: [(start, end), (right, text.len())],
                crawford: crawford || left_crawford,
            });
        }
        from = colon + 1;
    }
    None
}

/// The score line of a later game, where it has the names of the first one, which were read from such a line, and
/// nothing but scores: what [`score_line`] finds, without a search.
pub(super) fn usual_score_line(line: &str, names: &ByPlayer<String>) -> Option<ScoreLine> {
    let mut at = 0;
    let mut half = |name: &str| {
        at = blanks(line, at);
        let start = at;
        let rest = line[at..].strip_prefix(name)?;
        (!name.is_empty()).then_some(())?;
        at = blanks(line, line.len() - rest.len());
        line[at..].strip_prefix(':')?;
        let score = blanks(line, at + 1);
        let digits = line[score..].bytes().take_while(u8::is_ascii_digit);
        at = score + digits.count();
        let is_apart = matches!(line.as_bytes().get(at), None | Some(b' '));
        (at > score && is_apart).then_some([(start, start + name.len()), (score, at)])
    };
    let [left, right] = [half(&names.one)?, half(&names.two)?];
    (blanks(line, at) == line.len()).then_some(ScoreLine {
        names: [left[0], right[0]],
        scores: [left[1], right[1]],
        crawford: false,
    })
}

fn blanks(text: &str, at: usize) -> usize {
    at + text[at..]
        .bytes()
        .take_while(|&b| b == b' ' || b == b'\t')
        .count()
}

fn is_score(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

/// Where the left score ends: `2.5` is kept whole, and `02pac` is 0 and a name.
fn score_end(
    text: &str,
    start: usize,
    digits: usize,
    right_colon: usize,
    right_name: Option<&str>,
) -> usize {
    let end = start + digits;
    let rest = &text[end..];
    if let Some(fraction) = rest.strip_prefix('.') {
        let more = fraction.bytes().take_while(|b| b.is_ascii_digit()).count();
        if more > 0 {
            return end + 1 + more;
        }
    }
    if rest.starts_with([' ', '\t', ':']) {
        return end;
    }
    let named = (1..=digits).map(|taken| start + taken).find(|&end| {
        right_name.is_some_and(|name| !name.is_empty() && text[end..right_colon].trim() == name)
    });
    named.unwrap_or(if text[start..].starts_with('0') {
        start + 1
    } else {
        end
    })
}

fn strip_crawford(text: &str) -> (&str, bool) {
    if !text.ends_with(')') {
        return (text, false);
    }
    let mark = "(crawford)";
    let cut = text
        .len()
        .checked_sub(mark.len())
        .filter(|&at| text.is_char_boundary(at));
    match cut {
        Some(at) if text[at..].eq_ignore_ascii_case(mark) => (text[..at].trim_end(), true),
        _ => (text, false),
    }
}

fn skip_crawford(text: &str, at: usize) -> (usize, bool) {
    let start = blanks(text, at);
    let mark = "(crawford)";
    let there = text
        .get(start..start + mark.len())
        .is_some_and(|word| word.eq_ignore_ascii_case(mark));
    if there {
        (start + mark.len(), true)
    } else {
        (at, false)
    }
}

fn trimmed(text: &str, start: usize, end: usize) -> (usize, usize) {
    let part = &text[start..end];
    let inner = if part.is_ascii() {
        part.trim_ascii()
    } else {
        part.trim()
    };
    let left = inner.as_ptr() as usize - part.as_ptr() as usize;
    (start + left, start + left + inner.len())
}

/// A name without the rating that some servers glue to it behind a comma: `name,1849`.
pub(super) fn split_rating(name: &str) -> (&str, Option<&str>) {
    let Some((before, rating)) = name.rsplit_once(',') else {
        return (name, None);
    };
    let (whole, part) = rating.split_once('.').unwrap_or((rating, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if (3..=4).contains(&whole.len()) && digits(whole) && digits(part) && !before.is_empty() {
        (before, Some(rating))
    } else {
        (name, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str, right: Option<&str>) -> Option<[String; 4]> {
        let found = score_line(line, right)?;
        let part = |(start, end): (usize, usize)| line[start..end].to_owned();
        Some([
            part(found.names[0]),
            part(found.scores[0]),
            part(found.names[1]),
            part(found.scores[1]),
        ])
    }

    #[test]
    fn names_may_be_anything() {
        for (line, expected) in [
            (
                " Alice : 0                      Bob : 3",
                ["Alice", "0", "Bob", "3"],
            ),
            (" Alice: 0           Bob: 3   ", ["Alice", "0", "Bob", "3"]),
            (" : 0           Bob : 3", ["", "0", "Bob", "3"]),
            (
                " agupu : 0                        : 0",
                ["agupu", "0", "", "0"],
            ),
            (" A:B : 0           Game 1 : 3", ["A:B", "0", "Game 1", "3"]),
            (
                " Smith, 2 Bob : 1     Suzuki (JPN) : 12",
                ["Smith, 2 Bob", "1", "Suzuki (JPN)", "12"],
            ),
            (" Longname : 0Bob : 0", ["Longname", "0", "Bob", "0"]),
            (" Longname : 02pac : 0", ["Longname", "0", "2pac", "0"]),
            (" Alice : -1     Bob : 2.5", ["Alice", "-1", "Bob", "2.5"]),
        ] {
            assert_eq!(
                read(line, None)
                    .as_ref()
                    .map(|r| r.each_ref().map(String::as_str)),
                Some(expected)
            );
        }
        let known = read(" Longname : 122pac : 0", Some("2pac")).expect("a score line");
        assert_eq!(known[1..3], ["12".to_owned(), "2pac".to_owned()]);
    }

    #[test]
    fn a_later_line_with_the_same_names_is_read_the_same() {
        let names = ByPlayer::new("A:B".to_owned(), "Game 1".to_owned());
        let usual = [
            " A:B : 0           Game 1 : 3",
            "A:B:0 Game 1:12  ",
            " A:B :  0\tGame 1 :  3",
            " A:B : 0           Game 1 : 3 (Crawford)",
            " A:B : 0Game 1 : 3",
            " A:B : 1 : 2       Game 1 : 3",
            " A:B : 0           Game 12 : 3",
            " Game 1 : 0         A:B : 3",
            " A:B : -1          Game 1 : 3",
            " A:B : 1.5         Game 1 : 3",
            " A:B : 0           Game 1 : ",
        ];
        let mut found = 0;
        for line in usual {
            if let Some(usual) = usual_score_line(line, &names) {
                found += 1;
                assert_eq!(Some(usual), score_line(line, Some("Game 1")), "{line:?}");
            }
        }
        assert_eq!(found, 2);
    }

    #[test]
    fn ratings_are_not_part_of_a_name() {
        assert_eq!(split_rating("mito,1500"), ("mito", Some("1500")));
        assert_eq!(split_rating("mito,1500.25"), ("mito", Some("1500.25")));
        assert_eq!(split_rating("Smith, 2 Bob"), ("Smith, 2 Bob", None));
    }
}
