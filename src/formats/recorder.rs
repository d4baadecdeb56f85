//! What the readers of server logs share: a record that grows line by line, and the findings on it.
//!
//! Each of these logs has its own words, and all of them hold the same things: options, games, actions of one
//! player after the other, and talk in between.

use super::notation::written_play;
use super::text::encoding_guessed;
use super::{NotThisFormat, Sink, mat};
use crate::board::{ByPlayer, Cube, Player, Setup, Variant};
use crate::diagnostic::{Context, Finding, Findings, Level, Rule, syntax};
use crate::record::{
    Action, Entry, GameRecord, GameResult, MatchRecord, Tag, WrittenPlay, WrittenRoll,
};
use crate::source::{Source, Span, Spanned};

/// A record in the making.
pub(super) struct Recorder<'s> {
    /// The text that is read.
    pub(super) source: &'s Source,
    /// What was read so far.
    pub(super) record: MatchRecord,
    findings: Findings,
    /// Lines of talk before an action.
    remark: Option<String>,
    /// Whether the format marks hits.
    pub(super) marks_hits: bool,
    stars: bool,
}

impl<'s> Recorder<'s> {
    pub(super) fn new(source: &'s Source) -> Recorder<'s> {
        let mut recorder = Recorder {
            source,
            record: MatchRecord::default(),
            findings: Findings::default(),
            remark: None,
            marks_hits: false,
            stars: false,
        };
        if let Some(finding) = encoding_guessed(source) {
            recorder.report(finding);
        }
        recorder
    }

    /// Adds a finding, with the match and the game that are being read.
    pub(super) fn report(&mut self, finding: Finding) {
        let games = self.record.games.len() as u32;
        let context = Context {
            match_number: Some(1),
            game: (games > 0).then_some(games),
            ..finding.context
        };
        self.findings.push(finding.within(context));
    }

    /// The game that is being read.
    pub(super) fn game(&mut self) -> Option<&mut GameRecord> {
        self.record.games.last_mut()
    }

    /// Whether a game has started and has no result.
    pub(super) fn is_in_game(&self) -> bool {
        self.record
            .games
            .last()
            .is_some_and(|game| game.result.is_none())
    }

    /// The last action of the game.
    pub(super) fn last(&self) -> Option<&Entry> {
        self.record.games.last()?.entries.last()
    }

    /// Starts a game.
    pub(super) fn start_game(&mut self, heading: Span) -> &mut GameRecord {
        self.end_game();
        let most = self.source.limits().games as usize;
        // What is behind the limit is not handed over; one game more tells that there is something.
        if self.record.games.len() <= most {
            self.record.games.push(GameRecord {
                heading,
                has_score_line: true,
                ..GameRecord::default()
            });
        }
        self.record.games.last_mut().expect("a game was pushed")
    }

    fn end_game(&mut self) {
        if let (Some(text), Some(game)) = (self.remark.take(), self.record.games.last_mut()) {
            let span = game.entries.last().map_or(game.heading, |entry| entry.span);
            game.comments.push(Spanned::new(text, span));
        }
    }

    /// An action of a player; it starts a game if none was started.
    pub(super) fn action(&mut self, player: Player, action: Action, row: u32, span: Span) {
        self.entry(Entry::new(player, action, row, span));
    }

    /// An action with what belongs to it.
    pub(super) fn entry(&mut self, mut entry: Entry) {
        if self.record.games.is_empty() {
            self.start_game(entry.span);
        }
        if let Action::Play {
            roll: WrittenRoll(0, 0),
            ..
        } = entry.action
        {
            // No die was rolled, and no word says that the player gave up.
            return self.unreadable(entry.player, entry.row, entry.span);
        }
        if let Action::Play {
            play: WrittenPlay::Moves(moves),
            ..
        } = &entry.action
        {
            self.stars |= moves.hits() > 0;
        }
        if let Some(remark) = self.remark.take() {
            entry.extra_mut().comment = Some(remark);
        }
        self.game().expect("a game was started").entries.push(entry);
    }

    /// A roll with the text behind it, which is kept as unreadable where no play is found in it.
    pub(super) fn rolled(
        &mut self,
        player: Player,
        roll: WrittenRoll,
        text: &str,
        row: u32,
        span: Span,
    ) {
        let play = match written_play(text) {
            Ok((rest, play)) if rest.trim().is_empty() => play,
            _ => return self.garbled(player, roll, row, span),
        };
        self.action(player, Action::Play { roll, play }, row, span);
    }

    /// A roll whose play cannot be read.
    pub(super) fn garbled(&mut self, player: Player, roll: WrittenRoll, row: u32, span: Span) {
        self.cannot_read(Some(player), span);
        let play = WrittenPlay::NotRecorded;
        let mut entry = Entry::new(player, Action::Play { roll, play }, row, span);
        entry.extra_mut().unreadable = true;
        self.entry(entry);
    }

    /// Something in the place of an action that cannot be read.
    pub(super) fn unreadable(&mut self, player: Player, row: u32, span: Span) {
        self.cannot_read(Some(player), span);
        let mut entry = Entry::new(player, Action::Unreadable, row, span);
        entry.extra_mut().unreadable = true;
        self.entry(entry);
    }

    /// A line of which nobody can say whose it is; it is kept as a comment.
    pub(super) fn loose(&mut self, span: Span) {
        if self.is_cut_off(span) {
            self.cannot_read(None, span);
        } else {
            let message = "a line that is no part of a match";
            let finding =
                Finding::new(&syntax::UNREADABLE_LINE, span, message, "kept as a comment");
            self.report(finding.at_level(Level::Warning));
        }
        let text = self.source.slice(span).to_owned();
        self.remark(span, &text);
    }

    fn cannot_read(&mut self, player: Option<Player>, span: Span) {
        let context = self.here(player);
        let finding = if self.is_cut_off(span) {
            let message = "the file ends within an entry";
            Finding::new(&syntax::TRUNCATED, span, message, "the end of the file")
        } else {
            let message = format!("{:?} cannot be read", self.source.slice(span));
            let label = "kept as written; the position after it is unknown";
            Finding::new(&syntax::UNREADABLE_LINE, span, message, label)
        };
        self.report(finding.within(context));
    }

    fn is_cut_off(&self, span: Span) -> bool {
        let text = self.source.text();
        span.end as usize >= text.trim_end().len() && !text.ends_with(['\n', '\r'])
    }

    /// A finding on an action of a player.
    pub(super) fn note(
        &mut self,
        rule: &'static Rule,
        player: Player,
        span: Span,
        message: &str,
        label: &str,
    ) {
        let context = self.here(Some(player));
        let finding = Finding::new(rule, span, message, label).at_level(Level::Note);
        self.report(finding.within(context));
    }

    fn here(&self, player: Option<Player>) -> Context {
        let plies = self
            .record
            .games
            .last()
            .map(|game| game.entries.len() as u32 + 1);
        Context {
            ply: plies,
            player,
            ..Context::default()
        }
    }

    /// A header that cannot be right.
    pub(super) fn bad_header(&mut self, span: Span, message: String, label: &str) {
        self.report(Finding::new(&syntax::BAD_HEADER, span, message, label));
    }

    /// Talk: a comment on the match before the first game, on the next action within one.
    pub(super) fn remark(&mut self, span: Span, text: &str) {
        if self.record.games.is_empty() {
            let comment = Spanned::new(text.to_owned(), span);
            self.record.comments.push(comment);
        } else if !self.is_in_game() {
            let comment = Spanned::new(text.to_owned(), span);
            self.game()
                .expect("a game that is over")
                .comments
                .push(comment);
        } else if let Some(before) = &mut self.remark {
            before.push('\n');
            before.push_str(text);
        } else {
            self.remark = Some(text.to_owned());
        }
    }

    /// A header; the same one once more says nothing.
    pub(super) fn tag(&mut self, name: &str, value: &str, span: Span) {
        let same = |tag: &Tag| tag.name == name && tag.value == value;
        if !value.is_empty() && !self.record.tags.iter().any(same) {
            self.record.tags.push(Tag {
                name: name.to_owned(),
                value: value.to_owned(),
                span,
            });
        }
    }

    /// An option that is on or off.
    pub(super) fn switch(&mut self, name: &str, value: &str, span: Span) {
        let value = match value.to_ascii_lowercase().as_str() {
            "yes" | "1" | "on" | "true" => "On",
            "no" | "0" | "off" | "false" => "Off",
            _ => {
                let message = format!("{value:?} is neither yes nor no");
                self.bad_header(span, message, "the option is not taken to be set");
                value
            }
        };
        self.tag(name, value, span);
    }

    /// The result of the game; a second one is reported.
    pub(super) fn result(&mut self, result: GameResult, span: Span) {
        if self.record.games.is_empty() {
            self.start_game(span);
        }
        let game = self.game().expect("a game was started");
        let after = game.entries.len() as u32;
        match game.result {
            None => game.result = Some(Spanned::new(GameResult { after, ..result }, span)),
            Some(first) => {
                let message = "a second result of the same game";
                let label = "the first one counts";
                let finding = Finding::new(&syntax::UNREADABLE_LINE, span, message, label)
                    .also(first.span, "the first one");
                self.report(finding);
            }
        }
    }

    /// An automatic double: the game starts with a higher cube in the middle.
    pub(super) fn automatic_double(&mut self, variant: Variant, to: Option<u32>, span: Span) {
        if self.record.games.is_empty() {
            self.start_game(span);
        }
        let game = self.game().expect("a game was started");
        let before = game
            .start
            .as_ref()
            .and_then(|start| start.value.cube)
            .map_or(1, |cube| cube.value);
        let value = to.unwrap_or(before.saturating_mul(2));
        if !value.is_power_of_two() || value > 4096 {
            return self.loose(span);
        }
        let setup = Setup {
            checkers: ByPlayer::new(variant.start(), variant.start()),
            variant,
            turn: None,
            roll: None,
            cube: Some(Cube { value, owner: None }),
        };
        game.start = Some(Spanned::new(setup, span));
    }

    /// The variant that the header names, the usual game if it names none.
    pub(super) fn variant(&self) -> Variant {
        self.record
            .tag("Variation")
            .and_then(|tag| Variant::by_name(&tag.value))
            .unwrap_or_default()
    }

    /// Hands the match over.
    ///
    /// # Errors
    ///
    /// There is no game in it.
    pub(super) fn hand_over(mut self, sink: &mut Sink<'_>) -> Result<(), NotThisFormat> {
        self.end_game();
        if self.record.games.is_empty() {
            let empty = self.source.text().trim().is_empty();
            let why = if empty {
                "the file is empty"
            } else {
                "no game was found"
            };
            return Err(NotThisFormat(why.to_owned()));
        }
        let mut found = Findings::default();
        mat::check_tags(&self.record, &mut found);
        for finding in found {
            self.report(finding);
        }
        self.record.has_hit_marks = self.marks_hits.then_some(self.stars);
        sink(&self.record, &mut self.findings);
        Ok(())
    }
}

/// The number behind `to` or at the end: `Double to 4`.
pub(super) fn amount(text: &str) -> Option<u32> {
    text.split_whitespace()
        .next_back()?
        .trim_end_matches('.')
        .parse()
        .ok()
}

/// Whether a text starts with a word, in any case.
pub(super) fn starts(text: &str, word: &str) -> bool {
    text.get(..word.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(word))
}

/// `2006-03-14` or `2006.03.14` as a date is written in tags.
pub(super) fn date(text: &str) -> String {
    text.replace(['-', '/'], ".")
}

/// What the tests of these readers share.
#[cfg(test)]
pub(super) mod testing {
    use super::*;
    use crate::formats::Format;

    /// The matches that a format reads in a text, each with the codes of what was found.
    pub(in crate::formats) fn matches(
        format: &Format,
        text: &str,
    ) -> Vec<(MatchRecord, Vec<&'static str>)> {
        let source = Source::new("test", text.into(), None).expect("a source");
        let mut found = Vec::new();
        let read = format.read.expect("a reader");
        let mut sink = |record: &MatchRecord, findings: &mut Findings| {
            let codes = findings.take().iter().map(|f| f.rule.code).collect();
            found.push((record.clone(), codes));
        };
        // What is of another format gives no match.
        let _ = read(&source, &mut sink);
        found
    }

    /// The only match of a text.
    pub(in crate::formats) fn only(
        format: &Format,
        text: &str,
    ) -> (MatchRecord, Vec<&'static str>) {
        let mut found = matches(format, text);
        assert_eq!(found.len(), 1, "one match in {text:?}");
        found.remove(0)
    }

    /// The actions of a game, shortly: `1 31: 8/5 6/5`, `2 double 2`.
    pub(in crate::formats) fn actions(game: &GameRecord) -> Vec<String> {
        let word = |action: &Action| match action {
            Action::Play { roll, play } => match play {
                WrittenPlay::Moves(moves) => format!("{roll}: {moves}"),
                WrittenPlay::CannotMove => format!("{roll}: cannot"),
                WrittenPlay::Nothing => format!("{roll}:"),
                WrittenPlay::NotRecorded => format!("{roll}: ?"),
            },
            Action::Double { to: Some(to), .. } => format!("double {to}"),
            other => format!("{other:?}").to_ascii_lowercase(),
        };
        let side = |entry: &Entry| entry.player.index() + 1;
        let entries = game.entries.iter();
        entries
            .map(|entry| format!("{} {}", side(entry), word(&entry.action)))
            .collect()
    }

    /// Reads a text cut at every byte, and with every byte changed: nothing may panic.
    pub(in crate::formats) fn damage(format: &Format, text: &str) {
        for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
            matches(format, &text[..end]);
        }
        for at in 0..text.len() {
            for byte in *b"9-:\n\xc3" {
                let mut bytes = text.as_bytes().to_vec();
                bytes[at] = byte;
                matches(format, &String::from_utf8_lossy(&bytes));
            }
        }
    }
}
