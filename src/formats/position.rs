//! Position identifiers, alone or in the text that a program puts around them.
//!
//! ```text
//! file  = { block }
//! block = { text } id { id } { text }        BGBlitz: the board stands before its identifier
//! id    = "XGID=…" | "OGID=…" | "Position ID: …" "Match ID: …" | "4HPwATDgc/ABMA:cAkAAAAAAAAE" | …
//! ```
//!
//! eXtreme Gammon and BGBlitz write score, cube and turn once more in words of many languages; only the
//! identifier says all of it in all of them, so that the words are kept as a comment. Names come from the
//! line `X:… O:…` or from the ends of the board. An identifier counts only at the start of a line: within a
//! line it is a mention. A labelled position ID and the XGID right behind it name one position.
//!
//! Each position is a match of one game that starts there.

use super::carry::{Carried, Item};
use super::ids::record::{beyond, findings, record};
use super::ids::{self, IdState, Kind};
use super::text::{encoding_guessed, trimmed};
use super::{Format, Likely, NotThisFormat, Sink};
use crate::board::ByPlayer;
use crate::diagnostic::{Context, Finding, Findings, syntax};
use crate::record::{Dialect, MatchRecord};
use crate::source::{Line, Source, Span, Spanned, lines};

pub(super) static FORMAT: Format = Format {
    name: "position",
    title: "position identifiers and position text",
    extensions: &["txt"],
    sniff,
    binary: false,
    read: Some(read),
    read_made: None,
    cut: None,
    write: None,
    profiles: &[],
    verified: true,
    carries: &[
        (Item::Names, Carried::Partly),
        (Item::Length, Carried::Yes),
        (Item::Scores, Carried::Yes),
        (Item::RuleTags, Carried::Partly),
        (Item::CrawfordGame, Carried::Yes),
        (Item::StartPositions, Carried::Yes),
        (Item::Comments, Carried::Yes),
    ],
};

/// An identifier at the start of a line makes a text a list of positions, unless it is something else.
fn sniff(source: &Source) -> Likely {
    let mut texts = lines(source.text())
        .map(|line| line.text.trim())
        .filter(|text| !text.is_empty())
        .take(100);
    let Some(first) = texts.next() else {
        return Likely::No;
    };
    match id(first) {
        Some(id) if id.kind != Kind::PositionId && id.kind != Kind::MatchId => Likely::Yes,
        Some(_) => Likely::Maybe,
        None if texts.any(|text| id(text).is_some()) => Likely::Maybe,
        None => Likely::No,
    }
}

/// An identifier as it stands at the start of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Id<'a> {
    kind: Kind,
    text: &'a str,
    /// What stands behind it in its line.
    rest: &'a str,
}

/// The identifier that a line starts with.
fn id(line: &str) -> Option<Id<'_>> {
    let line = line.trim();
    let text = ["set xgid ", "set gnubgid ", "GNU Backgammon "]
        .into_iter()
        .find_map(|words| without(line, words))
        .unwrap_or(line);
    let word_end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (word, rest) = text.split_at(word_end);
    let whole = |kind| {
        Some(Id {
            kind,
            text: word,
            rest,
        })
    };
    if without(word, "XGID=").is_some() || without(word, "XGID:").is_some() {
        return whole(Kind::Xgid);
    }
    if without(word, "OGID=").is_some() {
        return whole(Kind::Ogid);
    }
    if let Some(id) = without(word, "GNUBGID=").filter(|id| !id.is_empty()) {
        let kind = if id.contains(':') {
            Kind::GnubgId
        } else {
            Kind::PositionId
        };
        return Some(Id {
            kind,
            text: id,
            rest,
        });
    }
    if let Some(after) = label(text, "position") {
        return labelled(after);
    }
    bare(word, rest)
}

/// `Position ID: 4HPwATDgc/ABMA Match ID: cAkAAAAAAAAE`, from behind the first colon on.
fn labelled(after: &str) -> Option<Id<'_>> {
    let after = after.trim_start();
    let end = after.find(char::is_whitespace).unwrap_or(after.len());
    let (position, rest) = after.split_at(end);
    if position.is_empty() {
        return None;
    }
    if let Some(matched) = label(rest.trim_start(), "match") {
        let start = matched.trim_start();
        let end = start.find(char::is_whitespace).unwrap_or(start.len());
        let stop = after.len() - start.len() + end;
        return Some(Id {
            kind: Kind::GnubgId,
            text: &after[..stop],
            rest: &after[stop..],
        });
    }
    Some(Id {
        kind: Kind::PositionId,
        text: position,
        rest,
    })
}

/// What stands behind `Position ID:` or `Match-ID   :`, whatever the case.
fn label<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let rest = without(text, word)?;
    let rest = rest.trim_start_matches([' ', '-']);
    let rest = without(rest, "id")?.trim_start();
    rest.strip_prefix([':', '='])
}

fn without<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let start = text.get(..prefix.len())?;
    start
        .eq_ignore_ascii_case(prefix)
        .then(|| &text[prefix.len()..])
}

/// An identifier without a word before it. One that is short or could be a word must fill its line and be
/// right.
fn bare<'a>(word: &'a str, rest: &'a str) -> Option<Id<'a>> {
    let id = |kind| Id {
        kind,
        text: word,
        rest,
    };
    let colons = word.matches(':').count();
    let is_board = |text: &str| {
        text.len() == 26
            && text
                .bytes()
                .all(|b| matches!(b, b'-' | b'a'..=b'p' | b'A'..=b'P'))
    };
    if colons >= 3 {
        let kind = ids::detect(word)?;
        let is_xgid = kind == Kind::Xgid && is_board(word.split(':').next()?);
        let is_ogid = kind == Kind::Ogid && ids::decode_as(kind, word).is_ok();
        return (is_xgid || is_ogid).then(|| id(kind));
    }
    if colons > 1 || !rest.trim().is_empty() || ![14, 27, 26].contains(&word.len()) {
        return None;
    }
    let kind = ids::detect(word)?;
    let is_one = matches!(kind, Kind::GnubgId | Kind::PositionId | Kind::Xgid)
        && ids::decode_as(kind, word).is_ok();
    is_one.then(|| id(kind))
}

fn read(source: &Source, sink: &mut Sink<'_>) -> Result<(), NotThisFormat> {
    let mut reader = Reader {
        sink,
        findings: Findings::default(),
        number: 1,
        block: Block::default(),
        any: false,
        board_first: false,
    };
    if let Some(finding) = encoding_guessed(source) {
        reader.findings.push(finding);
    }
    let all: Vec<Line<'_>> = lines(source.text()).collect();
    let mut next = 0;
    while let Some(&line) = all.get(next) {
        next += reader.line(line, all.get(next + 1).copied());
    }
    if !reader.any {
        return Err(NotThisFormat(
            "no line starts with a position identifier".to_owned(),
        ));
    }
    reader.end_block();
    Ok(())
}

/// What belongs to a position.
#[derive(Default)]
struct Block {
    state: Option<(Kind, IdState, Span)>,
    /// Whether the line before was a position ID with its label: BGBlitz writes the XGID behind it.
    after_position_id: bool,
    /// An identifier stood here that means no position.
    failed: bool,
    /// The names of bottom and top of the diagram.
    names: ByPlayer<String>,
    remarks: Vec<(String, Span)>,
    version: Option<Dialect>,
}

struct Reader<'o, 'b> {
    sink: &'o mut Sink<'b>,
    findings: Findings,
    number: u32,
    block: Block,
    any: bool,
    /// Whether the boards stand before their identifiers.
    board_first: bool,
}

impl Reader<'_, '_> {
    /// Takes a line and says how many it was.
    fn line(&mut self, line: Line<'_>, next: Option<Line<'_>>) -> usize {
        let (text, span) = trimmed(line);
        if text.is_empty() {
            self.block.after_position_id = false;
            self.remark(String::new(), span);
            return 1;
        }
        if let Some(found) = id(text) {
            let inner = found.text.as_ptr() as usize - text.as_ptr() as usize;
            let start = span.start + inner as u32;
            // The match ID may have a line of its own.
            let matched = next
                .filter(|_| found.kind == Kind::PositionId)
                .and_then(|next| {
                    let id = label(next.text.trim(), "match")?.trim();
                    (!id.is_empty() && !id.contains(char::is_whitespace)).then_some(id)
                });
            match matched {
                Some(matched) => {
                    let both = format!("{}:{matched}", found.text);
                    self.id(Kind::GnubgId, &both, found.text, start);
                }
                None => self.id(found.kind, found.text, found.text, start),
            }
            if !found.rest.trim().is_empty() {
                self.remark(found.rest.trim().to_owned(), span);
            }
            self.block.after_position_id = label(text, "position").is_some();
            return 1 + usize::from(matched.is_some());
        }
        self.block.after_position_id = false;
        self.words(text, span);
        1
    }

    /// An identifier; `written` is what stands of it in the source from `start` on.
    fn id(&mut self, kind: Kind, text: &str, written: &str, start: u32) {
        let span = Span::new(start, start + written.len() as u32);
        let again = self.block.after_position_id && kind == Kind::Xgid;
        if (self.block.state.is_some() || self.block.failed) && !again {
            self.end_block();
        }
        self.any = true;
        let decoded = ids::decode_as(kind, text);
        let faults = decoded
            .as_ref()
            .map_or_else(|faults| faults, |id| &id.faults);
        for finding in findings(faults, written, start) {
            self.report(finding);
        }
        match (decoded, &self.block.state) {
            (Err(_), _) => self.block.failed = true,
            (Ok(decoded), Some((_, first, at))) => {
                let seen = |state: &IdState| state.numbers(state.viewer());
                if seen(first) != seen(&decoded.state) {
                    let message = "two identifiers of one position differ";
                    let finding = Finding::new(
                        &syntax::BAD_HEADER,
                        span,
                        message,
                        "the checkers stand elsewhere",
                    )
                    .also(*at, "the other one");
                    self.report(finding);
                }
                // An XGID says who is the bottom player, whom the names go by.
                if kind == Kind::Xgid {
                    self.block.state = Some((kind, decoded.state, span));
                }
            }
            (Ok(decoded), None) => self.block.state = Some((kind, decoded.state, span)),
        }
    }

    /// A line of what stands around the identifiers.
    fn words(&mut self, text: &str, span: Span) {
        let has_id = self.block.state.is_some() || self.block.failed;
        let is_edge = text.starts_with("+1");
        if is_edge && !self.any {
            self.board_first = true;
        }
        if is_edge && has_id && self.board_first {
            self.end_block();
        }
        if let Some((bottom, top)) = names(text) {
            self.block.names = ByPlayer::new(bottom.to_owned(), top.to_owned());
            return;
        }
        if let Some((side, name)) = edge_name(text) {
            match side {
                'X' => self.block.names.one = name.to_owned(),
                _ => self.block.names.two = name.to_owned(),
            }
        }
        if text.starts_with("eXtreme Gammon Version") {
            self.block.version = Some(Dialect {
                name: "xg",
                title: "eXtreme Gammon",
                known_by: "the last line",
            });
        }
        self.remark(text.to_owned(), span);
    }

    fn remark(&mut self, text: String, span: Span) {
        let remarks = &mut self.block.remarks;
        if !text.is_empty() || remarks.last().is_some_and(|(last, _)| !last.is_empty()) {
            remarks.push((text, span));
        }
    }

    fn report(&mut self, finding: Finding) {
        let context = Context {
            match_number: Some(self.number),
            ..Context::default()
        };
        self.findings.push(finding.within(context));
    }

    fn end_block(&mut self) {
        let block = std::mem::take(&mut self.block);
        let comment = comment(&block.remarks);
        let mut record = match block.state {
            Some((kind, state, span)) => {
                if let Some(finding) = beyond(&state, span) {
                    self.report(finding);
                }
                let mut record = record(&state, span);
                let has_names = !block.names.one.is_empty() || !block.names.two.is_empty();
                if has_names && state.names.is_none() {
                    // The bottom player is the first one of an XGID and the second one of GNU Backgammon.
                    record.names = match kind {
                        Kind::GnubgId | Kind::MatchId => block.names.swapped(),
                        _ => block.names,
                    };
                }
                record.games[0].comments.extend(comment);
                record
            }
            None if comment.is_some() || self.findings.iter().len() > 0 => MatchRecord {
                comments: comment.into_iter().collect(),
                ..MatchRecord::default()
            },
            None => return,
        };
        record.dialect = block.version;
        (self.sink)(&record, &mut self.findings);
        self.findings = Findings::default();
        self.number += 1;
    }
}

/// The lines as one comment.
fn comment(remarks: &[(String, Span)]) -> Option<Spanned<String>> {
    let texts: Vec<&str> = remarks.iter().map(|(text, _)| text.as_str()).collect();
    let text = texts.join("\n").trim().to_owned();
    let (first, last) = (remarks.first()?.1, remarks.last()?.1);
    (!text.is_empty()).then(|| Spanned::new(text, first.to(last)))
}

/// `X:Ann   O:Bob`.
fn names(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix("X:")?;
    let at = rest.rfind(" O:")?;
    Some((rest[..at].trim(), rest[at + 3..].trim()))
}

/// `+24-23-22-21-20-19------18-17-16-15-14-13-+   O: Bob  87`, without the pips.
fn edge_name(text: &str) -> Option<(char, &str)> {
    let rest = text
        .strip_prefix('+')?
        .trim_start_matches(|c: char| c.is_ascii_digit() || c == '-');
    let rest = rest.strip_prefix('+')?.trim();
    let side = rest.chars().next().filter(|c| matches!(c, 'X' | 'O'))?;
    let name = rest[1..].strip_prefix(':')?.trim();
    let name = match name.rsplit_once(' ') {
        Some((name, pips)) if pips.bytes().all(|b| b.is_ascii_digit()) => name.trim(),
        _ => name,
    };
    Some((side, name))
}

#[cfg(test)]
mod tests {
    use super::super::test_support::{codes, read_text};
    use super::*;
    use crate::board::Player;

    const START: &str = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10";

    #[test]
    fn an_id_within_a_line_is_a_mention() {
        let text = format!(
            "{START}\nX to play 31\n  1. 3-ply  8/5 6/5  eq:+0.159\n\nCompare {START} for the other roll.\n"
        );
        let (matches, found) = read_text(&FORMAT, &text);
        assert!(found.is_empty(), "{found:?}");
        assert_eq!(matches.len(), 1);
        let comment = &matches[0].games[0].comments[0].value;
        assert!(comment.ends_with(&format!("Compare {START} for the other roll.")));
    }

    #[test]
    fn xg_names_stand_under_the_id() {
        let text = format!(
            "{START}\n\nX:Ann Lee   O:Bob\nPunkte: X:0 O:0 7 Pkt.\n\n{START}\n\nX:Cy   O:Di\n"
        );
        let (matches, _) = read_text(&FORMAT, &text);
        let names: Vec<_> = matches
            .iter()
            .map(|m| (m.names.one.as_str(), m.names.two.as_str()))
            .collect();
        assert_eq!(names, [("Ann Lee", "Bob"), ("Cy", "Di")]);
    }

    #[test]
    fn bgblitz_writes_the_board_first_and_two_ids() {
        let block = " +13-14-15-16-17-18------19-20-21-22-23-24-+   O: Grün  167\n v| |BAR| |\n \
            +12-11-10--9--8--7-------6--5--4--3--2--1-+   X: Rot  167\n\n \
            Position-ID: 4HPwATDgc/ABMA    Match-ID: cAngAAAAAAAE\n \
            XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10\n\n Rot am Zug.\n";
        let (matches, found) = read_text(&FORMAT, &format!("\n{block}\n{block}"));
        assert!(found.is_empty(), "{found:?}");
        assert_eq!(matches.len(), 2);
        assert_eq!(
            matches[1].names,
            ByPlayer::new("Rot".to_owned(), "Grün".to_owned())
        );
        let other = block.replace("4HPwATDgc/ABMA", "4PPgASHgc/ABMA");
        assert_eq!(codes(&read_text(&FORMAT, &other).1), ["bad-header"]);
    }

    #[test]
    fn a_list_of_identifiers_of_any_kind_is_read_line_by_line() {
        let text = "4HPwATDgc/ABMA:cAkAAAAAAAAE\n4HPwATDgc/ABMA\n\
            11ccccchhhjjjjj:66666888dddddoo:N0N::W:IW:0:0:1:0\nXGID=nonsense\nPosition ID: 4HPwATDgc/ABMA\n\
            Match ID: cAkAAAAAAAAE\n";
        let (matches, found) = read_text(&FORMAT, text);
        let positions = matches.iter().filter(|m| !m.games.is_empty()).count();
        assert_eq!(positions, 4, "{found:?}");
        assert!(codes(&found).contains(&"unreadable-line"));
    }

    #[test]
    fn checkers_that_cannot_be_are_an_impossible_position() {
        let text = START.replace("E-C", "P-C");
        let (matches, found) = read_text(&FORMAT, &text);
        assert_eq!(codes(&found), ["impossible-position"]);
        assert!(matches[0].games.is_empty());
    }

    #[test]
    fn a_double_that_waits_is_an_action() {
        let text = START.replace(":31:", ":D:");
        let (matches, _) = read_text(&FORMAT, &text);
        let game = &matches[0].games[0];
        assert_eq!(game.entries.len(), 1);
        assert_eq!(game.entries[0].player, Player::One);
    }

    #[test]
    fn words_are_no_identifiers() {
        for text in [
            "XGID",
            "Position of the day",
            "1) 31: 8/5 6/5",
            "Backgammon1234",
            "-",
            "Set: a:b:c:d",
        ] {
            assert_eq!(id(text), None, "{text}");
        }
    }
}
