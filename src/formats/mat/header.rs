//! Header lines: tags, remarks, and what can be wrong with them.

use nom::IResult;
use nom::Parser;
use nom::bytes::complete::{tag_no_case, take_till1, take_while1};
use nom::character::complete::{char, space0, space1};
use nom::combinator::opt;
use nom::sequence::{delimited, preceded};

use super::super::text::number;
use crate::diagnostic::{Finding, Findings, syntax};
use crate::record::{MatchRecord, Tag};

/// `[Event "Club night"]`: name and value. The value ends at the last `"]` of the line.
pub(in crate::formats) fn tag(text: &str) -> Option<(&str, &str)> {
    fn name(i: &str) -> IResult<&str, &str> {
        delimited(
            (char('['), space0),
            take_while1(|c: char| c != '"' && c != '[' && c != ']'),
            char('"'),
        )
        .parse(i)
    }
    let (rest, name) = name(text.trim()).ok()?;
    let end = rest.rfind('"')?;
    rest[end + 1..]
        .trim_start()
        .starts_with(']')
        .then_some(())?;
    Some((name.trim(), rest[..end].trim()))
}

/// A play that the transcript itself calls illegal: `Game 2, Move 7 of NAME`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Declared {
    pub(super) game: u32,
    pub(super) row: u32,
    pub(super) name: String,
}

/// Finds a declaration in a remark or in the value of a tag.
pub(super) fn declared(text: &str) -> Option<Declared> {
    fn place(i: &str) -> IResult<&str, (u32, u32, &str)> {
        let game = preceded((tag_no_case("game"), space1), number);
        let row = preceded(
            (space0, opt(char(',')), space0, tag_no_case("move"), space1),
            number,
        );
        let name = preceded(
            (space1, tag_no_case("of"), space1),
            take_till1(|c| c == '|' || c == '"'),
        );
        (game, row, name).parse(i)
    }
    let start = text.to_ascii_lowercase().find("game ")?;
    let (_, (game, row, rest)) = place(&text[start..]).ok()?;
    let name = rest
        .split("-->")
        .next()
        .unwrap_or(rest)
        .split("->")
        .next()
        .unwrap_or(rest)
        .trim();
    Some(Declared {
        game,
        row,
        name: name.to_owned(),
    })
}

/// Reports dates that do not exist, tags that stand twice, and a length that the match line contradicts.
pub(in crate::formats) fn check_tags(record: &MatchRecord, findings: &mut Findings) {
    const REPEATABLE: [&str; 4] = ["video", "remark", "illegalplay", "resultonly"];
    for (index, tag) in record.tags.iter().enumerate() {
        let name = tag.name.to_ascii_lowercase();
        let same = |other: &&Tag| other.name.eq_ignore_ascii_case(&tag.name);
        if let Some(first) = record.tags[..index].iter().find(same)
            && !REPEATABLE.contains(&name.as_str())
        {
            let message = format!("the tag {:?} stands twice", tag.name);
            let label = format!(
                "{:?}, and {:?} before; the first one counts",
                tag.value, first.value
            );
            findings.push(
                Finding::new(&syntax::BAD_HEADER, tag.span, message, label)
                    .also(first.span, "the first one"),
            );
        }
        if name == "eventdate" && !date_may_exist(&tag.value) {
            let message = format!("the date {:?} does not exist", tag.value);
            findings.push(Finding::new(
                &syntax::BAD_HEADER,
                tag.span,
                message,
                "year, month and day",
            ));
        }
        if matches!(name.as_str(), "match length" | "matchlength" | "length")
            && let (Ok(stated), Some(length)) = (tag.value.parse::<u32>(), record.length)
            && length.value.points().unwrap_or(0) != stated
        {
            let length = length.span;
            let message = format!("the tag says a match to {stated}, the match line does not");
            findings.push(
                Finding::new(
                    &syntax::BAD_HEADER,
                    tag.span,
                    message,
                    "the match line counts",
                )
                .also(length, "the match line"),
            );
        }
    }
}

/// Whether year, month and day can be one; parts that are left open with `?` can.
fn date_may_exist(text: &str) -> bool {
    let parts: Vec<&str> = text.split(['.', '-', '/']).map(str::trim).collect();
    let [year, month, day] = parts[..] else {
        // A year, or a year and a month, is an open date.
        let is_open = parts.len() < 3 && parts[0].len() == 4;
        let numbers = parts.iter().all(|part| part.parse::<u32>().is_ok());
        return text.trim().is_empty() || is_open && numbers;
    };
    let open = |part: &str| !part.is_empty() && part.bytes().all(|b| b == b'?');
    let value = |part: &str| part.parse::<u32>().ok();
    let days = |month: u32, year: u32| match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => {
            29
        }
        2 => 28,
        _ => 31,
    };
    if [year, month, day].into_iter().any(open) {
        return [year, month, day]
            .into_iter()
            .all(|part| open(part) || value(part).is_some());
    }
    match (value(year), value(month), value(day)) {
        (Some(year), Some(month @ 1..=12), Some(day)) => (1..=days(month, year)).contains(&day),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_ends_at_the_last_quote() {
        assert_eq!(
            tag(r#" [Event "The "big" one"] "#),
            Some(("Event", r#"The "big" one"#))
        );
        assert_eq!(tag(r#"[Site ""]"#), Some(("Site", "")));
        assert_eq!(tag("[Game 1, Move 2: Dice set to 31]"), None);
    }

    #[test]
    fn only_real_dates_exist() {
        assert!(date_may_exist("2024.02.29"));
        assert!(date_may_exist("2024.??.??"));
        assert!(date_may_exist("2024"));
        assert!(!date_may_exist("2023.02.29"));
        assert!(!date_may_exist("2026.13.45"));
    }

    #[test]
    fn a_declared_illegal_play_names_game_row_and_player() {
        let found = declared("|  Game 2, Move 7 of Jo Smith --> 42: 24/21 13/9 was illegal |");
        assert_eq!(
            found,
            Some(Declared {
                game: 2,
                row: 7,
                name: "Jo Smith".to_owned()
            })
        );
    }
}
