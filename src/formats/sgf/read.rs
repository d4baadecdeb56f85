//! From game trees to the record of a match.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use super::game::Game;
use super::parse::{act, unescaped};
use super::root::Root;
use super::tree::{Part, Tree, collection};
use crate::board::{ByPlayer, Length, Player, Variant};
use crate::diagnostic::{Context, Finding, Findings, Level, Rule, syntax};
use crate::formats::{NotThisFormat, Sink};
use crate::record::{Extra, GameRecord, MatchRecord};
use crate::source::{Source, Span, Spanned};

/// Numbers beyond this are slips; nobody plays so long.
pub(super) const MOST: u32 = 1_000_000;

pub(super) fn read(source: &Source, sink: &mut Sink<'_>) -> Result<(), NotThisFormat> {
    let mut reader = Reader {
        source,
        sink,
        findings: Findings::default(),
        record: MatchRecord::default(),
        match_number: 1,
        in_game: false,
        indices: Vec::new(),
        stated_match: None,
    };
    let (mut is_first, mut other) = (true, None);
    for part in collection(source) {
        match part {
            Part::Tree(tree) if is_backgammon(&tree) => {
                if std::mem::take(&mut is_first) {
                    reader.encoding(&tree);
                }
                reader.tree(tree);
            }
            Part::Tree(tree) => {
                let game = tree.nodes.first().and_then(|root| root.property("GM"));
                other = other.or(game.map(|game| game.text));
                reader.other_game(&tree);
            }
            Part::Outside(text) => {
                let comment = Spanned::new(text.to_owned(), source.span(text));
                reader.record.comments.push(comment);
            }
            Part::Finding(finding) => reader.report_outside(finding),
        }
    }
    if is_first {
        return Err(NotThisFormat(why_nothing(source, other)));
    }
    reader.end_match();
    Ok(())
}

/// Whether a tree says that it is backgammon, or looks so and says nothing.
fn is_backgammon(tree: &Tree<'_>) -> bool {
    let root = tree.nodes.first();
    match root.and_then(|root| root.property("GM")) {
        Some(game) => game.raw().trim() == "6",
        None => {
            root.is_some_and(|root| root.property("MI").is_some())
                || tree
                    .nodes
                    .iter()
                    .flat_map(|node| &node.properties)
                    .any(|property| {
                        matches!(&*property.name, "B" | "W")
                            && act(Player::One, property.raw()).is_some()
                    })
        }
    }
}

/// Why nothing was read; `other` is what states another game.
fn why_nothing(source: &Source, other: Option<&str>) -> String {
    match other {
        Some(game) => format!("an SGF file of another game: {game}, and backgammon is GM[6]"),
        None if source.text().trim().is_empty() => "the file is empty".to_owned(),
        None => "no game tree of backgammon, which starts with (;GM[6]".to_owned(),
    }
}

pub(super) struct Reader<'s, 'o, 'b> {
    pub(super) source: &'s Source,
    pub(super) sink: &'o mut Sink<'b>,
    pub(super) findings: Findings,
    pub(super) record: MatchRecord,
    pub(super) match_number: u32,
    pub(super) in_game: bool,
    /// The number that each game of the match has in its `MI`.
    pub(super) indices: Vec<Option<Spanned<u32>>>,
    /// The number that the last game states for its match.
    pub(super) stated_match: Option<u32>,
}

impl Reader<'_, '_, '_> {
    pub(super) fn report(&mut self, finding: Finding) {
        let game = self.in_game.then_some(self.record.games.len() as u32 + 1);
        let context = Context {
            match_number: Some(self.match_number),
            game,
            ..Context::default()
        };
        self.findings.push(finding.within(context));
    }

    /// Reports what stands outside of the games.
    fn report_outside(&mut self, finding: Finding) {
        let in_game = std::mem::take(&mut self.in_game);
        self.report(finding);
        self.in_game = in_game;
    }

    pub(super) fn found(
        &mut self,
        rule: &'static Rule,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
    ) {
        self.report(Finding::new(rule, span, message, label));
    }

    /// Compares the stated character set with the one that the bytes showed.
    fn encoding(&mut self, first: &Tree<'_>) {
        let text = self.source.text();
        let Some(at) = text.bytes().position(|byte| !byte.is_ascii()) else {
            return;
        };
        let length = text[at..].chars().next().map_or(0, char::len_utf8);
        let odd = Span::new(at as u32, (at + length) as u32);
        let guessed = self.source.encoding_is_guessed();
        let stated = first.nodes.first().and_then(|root| root.property("CA"));
        let Some(stated) = stated else {
            if guessed {
                let message = "the text is not UTF-8; it was read as Windows-1252";
                self.found(&syntax::ENCODING_GUESSED, odd, message, "not ASCII");
            }
            return;
        };
        let used = if guessed { WINDOWS_1252 } else { UTF_8 };
        let name = unescaped(stated.raw());
        let is_known = guessed || self.source.encoding() == "utf-8";
        if !is_known || Encoding::for_label(name.trim().as_bytes()) == Some(used) {
            return;
        }
        let place = self.source.span(stated.text);
        let finding = if guessed {
            let message = format!("the text is not {name}; it was read as Windows-1252");
            Finding::new(&syntax::ENCODING_GUESSED, odd, message, "as Windows-1252")
                .also(place, "stated here")
                .at_level(Level::Warning)
        } else {
            let message = format!("the text is UTF-8 and not {name}");
            Finding::new(&syntax::BAD_HEADER, place, message, "read as UTF-8")
                .help("if names look wrong, name the encoding with --encoding")
        };
        self.report(finding);
    }

    /// A tree of another game than backgammon.
    fn other_game(&mut self, tree: &Tree<'_>) {
        let game = tree.nodes.first().and_then(|root| root.property("GM"));
        let span = game.map_or(tree.span, |game| self.source.span(game.text));
        let message = "a game that is not backgammon";
        let finding = Finding::new(&syntax::UNREADABLE_LINE, span, message, "left out");
        self.report_outside(finding.at_level(Level::Warning));
    }

    fn tree(&mut self, tree: Tree<'_>) {
        let Some((node, nodes)) = tree.nodes.split_first() else {
            return;
        };
        // Findings of the root wait until it is known to which match it belongs.
        let earlier = self.findings.len();
        let mut root = self.root(node);
        let of_root = self.findings.take_from(earlier);
        if self.starts_match(&root) {
            self.next_match(tree.span);
        }
        self.stated_match = root.match_number;
        self.in_game = true;
        for finding in of_root.into_iter().chain(tree.findings) {
            self.report(finding);
        }
        let mut game = Game {
            record: GameRecord {
                heading: node
                    .properties
                    .last()
                    .map_or(node.at, |last| node.at.to(self.source.span(last.text))),
                has_score_line: root.score.is_some(),
                score: root.score,
                ..GameRecord::default()
            },
            variant: Variant::Backgammon,
            setting: None,
            dice: None,
            extra: Extra::default(),
            left: nodes,
            standing: None,
        };
        if node.property("GM").is_none() {
            let message = "nothing says that this is backgammon";
            self.found(&syntax::BAD_HEADER, node.at, message, "GM[6] is missing");
        }
        self.names(&mut root, &mut game.record);
        self.match_data(node, &mut root, &mut game);
        self.node(&mut game, node, true);
        for (index, node) in nodes.iter().enumerate() {
            game.left = &nodes[index + 1..];
            self.node(&mut game, node, false);
        }
        self.end_game(game, &root, &tree.left_over);
    }

    /// Whether a root belongs to another match than the games before it.
    fn starts_match(&self, root: &Root) -> bool {
        let Some(before) = self.record.games.last() else {
            return false;
        };
        if root.match_number.or(self.stated_match).is_some() {
            return root.match_number.unwrap_or(1) != self.stated_match.unwrap_or(1);
        }
        let length = |length: Option<Spanned<Length>>| length.map(|length| length.value);
        if root.length.is_some() && length(root.length) != length(self.record.length) {
            return true;
        }
        let index_before = self.indices.last().copied().flatten();
        let goes_on = match (index_before, root.index) {
            (Some(before), Some(here)) => here.value == before.value + 1,
            _ => false,
        };
        let same = Player::BOTH.into_iter().all(|player| {
            let name = root.names[player].as_ref().map(|name| &name.value);
            name.is_none_or(|name| *name == self.record.names[player])
        });
        // The points of a match do not vanish.
        let restarts = index_before
            .zip(root.index)
            .is_some_and(|(before, here)| here.value <= before.value)
            && root
                .score
                .is_some_and(|score| score.value == ByPlayer::default())
            && before
                .result
                .is_some_and(|result| result.value.winner.is_some());
        !goes_on && (!same || restarts)
    }

    fn next_match(&mut self, span: Span) {
        self.end_match();
        if self.match_number == 1 {
            self.in_game = false;
            let message = "the file holds more than one match";
            self.found(
                &syntax::SEVERAL_MATCHES,
                span,
                message,
                "a second match starts",
            );
        }
        self.match_number += 1;
    }

    fn end_match(&mut self) {
        self.number_games();
        let record = std::mem::take(&mut self.record);
        self.indices.clear();
        (self.sink)(&record, &mut self.findings);
        self.findings = Findings::default();
    }

    /// Numbers the games by their `MI`, if these numbers follow each other. The standard counts from 1, GNU
    /// Backgammon and its family from 0.
    fn number_games(&mut self) {
        let Some(Some(first)) = self.indices.first().copied() else {
            return;
        };
        let dialect = self.record.dialect.map_or("", |dialect| dialect.name);
        let from_zero = matches!(dialect, "gnubg" | "gibbon" | "tawla") || first.value != 1;
        let shift = u32::from(from_zero);
        for (game, index) in self.indices.iter().enumerate() {
            let Some(index) = index else { return };
            if index.value != first.value + game as u32 {
                let message = format!("the games are not numbered in order: {}", index.value);
                let label = "the order of the file is taken for the order of play";
                let finding = Finding::new(&syntax::GAME_NUMBER, index.span, message, label);
                self.report(finding);
                return;
            }
        }
        for (game, index) in self.record.games.iter_mut().zip(&self.indices) {
            game.number = index.map(|index| Spanned::new(index.value + shift, index.span));
        }
    }
}

/// What comes back as a blank in a value of one line.
pub(super) const BREAKS: [char; 3] = ['\n', '\r', '\t'];

/// A value of one line.
pub(super) fn simple(raw: &str) -> String {
    let text = unescaped(raw);
    match text.contains(BREAKS) {
        true => text.replace(BREAKS, " "),
        false => text,
    }
}
