//! From game trees to the record of a match.

use std::ops::ControlFlow;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use super::parse::{self, Act, act, composed, letters, place, unescaped, whole_dice};
use super::tree::{Node, Tree, collection};
use crate::board::{
    ByPlayer, Cube, Length, Player, Position, Roll, Setup, Variant, Verdict, judge,
};
use crate::diagnostic::{Context, Finding, Findings, Level, Rule, syntax};
use crate::formats::carry::normal;
use crate::formats::{NotThisFormat, Sink};
use crate::record::{
    Action, Dialect, Entry, Extra, GameRecord, GameResult, MatchRecord, Tag, WrittenPlay,
    WrittenRoll,
};
use crate::source::{Source, Span, Spanned};

/// Numbers beyond this are slips; nobody plays so long.
pub(super) const MOST: u32 = 1_000_000;

pub(super) fn read(source: &Source, sink: &mut Sink<'_>) -> Result<(), NotThisFormat> {
    let found = collection(source);
    let (games, others): (Vec<_>, Vec<_>) = found
        .trees
        .into_iter()
        .partition(|tree| is_backgammon(tree));
    if games.is_empty() {
        return Err(NotThisFormat(why_nothing(source, &others)));
    }
    let mut reader = Reader {
        source,
        sink,
        findings: Findings::default(),
        record: MatchRecord::default(),
        match_number: 1,
        in_game: false,
        indices: Vec::new(),
    };
    reader.encoding(&games[0]);
    for finding in found.findings {
        reader.report(finding);
    }
    for tree in &others {
        reader.other_game(tree);
    }
    for text in found.outside {
        let span = source.span(text);
        reader
            .record
            .comments
            .push(Spanned::new(text.to_owned(), span));
    }
    for tree in games {
        reader.tree(tree);
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
                        matches!(property.name.as_str(), "B" | "W")
                            && act(Player::One, property.raw()).is_some()
                    })
        }
    }
}

fn why_nothing(source: &Source, trees: &[Tree<'_>]) -> String {
    let game = trees
        .iter()
        .find_map(|tree| tree.nodes.first()?.property("GM"));
    match game {
        Some(game) => format!(
            "an SGF file of another game: {}, and backgammon is GM[6]",
            game.text
        ),
        None if source.text().trim().is_empty() => "the file is empty".to_owned(),
        None => "no game tree of backgammon, which starts with (;GM[6]".to_owned(),
    }
}

struct Reader<'s, 'o, 'b> {
    source: &'s Source,
    sink: &'o mut Sink<'b>,
    findings: Findings,
    record: MatchRecord,
    match_number: u32,
    in_game: bool,
    /// The number that each game of the match has in its `MI`.
    indices: Vec<Option<Spanned<u32>>>,
}

/// What the root of a tree says of match and game.
#[derive(Debug, Default)]
struct Root {
    names: ByPlayer<Option<Spanned<String>>>,
    length: Option<Spanned<Length>>,
    index: Option<Spanned<u32>>,
    score: Option<Spanned<ByPlayer<u32>>>,
    crawford: Option<Spanned<bool>>,
    result: Option<Spanned<parse::Result>>,
}

/// Checkers, cube, turn and dice that are being set, node by node.
#[derive(Debug)]
struct Setting {
    span: Span,
    checkers: Option<ByPlayer<[u8; 26]>>,
    value: Option<u32>,
    owner: Option<Option<Player>>,
    turn: Option<Player>,
    comment: Option<String>,
}

/// Dice that were set without a play.
#[derive(Debug, Clone, Copy)]
struct Dice {
    player: Option<Player>,
    roll: WrittenRoll,
    span: Span,
}

/// A game while its nodes are read.
struct Game<'t> {
    record: GameRecord,
    variant: Variant,
    setting: Option<Setting>,
    dice: Option<Dice>,
    /// What waits for its entry.
    extra: Extra,
    left: &'t [Node<'t>],
}

impl Reader<'_, '_, '_> {
    fn report(&mut self, finding: Finding) {
        let game = self.in_game.then_some(self.record.games.len() as u32 + 1);
        let context = Context {
            match_number: Some(self.match_number),
            game,
            ..Context::default()
        };
        self.findings.push(finding.within(context));
    }

    fn found(
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
        self.report(finding.at_level(Level::Warning));
    }

    fn tree(&mut self, tree: Tree<'_>) {
        let Some((node, nodes)) = tree.nodes.split_first() else {
            return;
        };
        // Findings of the root wait until it is known to which match it belongs.
        let earlier = self.findings.take();
        let mut root = self.root(node);
        let of_root = self.findings.take();
        for finding in earlier {
            self.findings.push(finding);
        }
        if self.starts_match(&root) {
            self.next_match(tree.span);
        }
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

    /// The properties of the root that tell one game from another.
    fn root(&mut self, node: &Node<'_>) -> Root {
        let mut root = Root::default();
        for property in &node.properties {
            let span = self.source.span(property.text);
            match property.name.as_str() {
                "PW" => root.names.one = Some(Spanned::new(simple(property.raw()), span)),
                "PB" => root.names.two = Some(Spanned::new(simple(property.raw()), span)),
                "MI" => self.match_info(&property.values, span, &mut root),
                "RE" => {
                    root.result = parse::result(&unescaped(property.raw()))
                        .map(|result| Spanned::new(result, span));
                    if root.result.is_none() {
                        let message = format!("{:?} is no result", simple(property.raw()));
                        let label = "a result is W+ or B+ and the points, as in W+2";
                        self.found(&syntax::UNREADABLE_LINE, span, message, label);
                    }
                }
                _ => {}
            }
        }
        root
    }

    /// `MI[length:5][game:0][ws:0][bs:0]`.
    fn match_info(&mut self, values: &[&str], span: Span, root: &mut Root) {
        let mut score = [None; 2];
        for value in values {
            let parts = composed(value);
            let [key, number] = parts[..] else { continue };
            let known = ["length", "game", "ws", "bs"];
            let key = key.trim().to_ascii_lowercase();
            if !known.contains(&key.as_str()) {
                continue;
            }
            let number = number
                .trim()
                .parse::<u32>()
                .ok()
                .filter(|&number| number <= MOST);
            let Some(number) = number else {
                let message = format!("{value:?} is no number of a match");
                let place = self.source.span(value);
                self.found(
                    &syntax::UNREADABLE_LINE,
                    place,
                    message,
                    "a whole number from 0 on",
                );
                continue;
            };
            match key.as_str() {
                "length" => {
                    let length = if number == 0 {
                        Length::Money
                    } else {
                        Length::Points(number)
                    };
                    root.length = Some(Spanned::new(length, span));
                }
                "game" => root.index = Some(Spanned::new(number, span)),
                "ws" => score[0] = Some(number),
                _ => score[1] = Some(number),
            }
        }
        if score != [None; 2] {
            let [white, black] = score.map(Option::unwrap_or_default);
            root.score = Some(Spanned::new(ByPlayer::new(white, black), span));
        }
    }

    /// Whether a root belongs to another match than the games before it.
    fn starts_match(&self, root: &Root) -> bool {
        let Some(before) = self.record.games.last() else {
            return false;
        };
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

    fn names(&mut self, root: &mut Root, game: &mut GameRecord) {
        let is_first = self.record.games.is_empty();
        for player in Player::BOTH {
            let Some(name) = root.names[player].take() else {
                continue;
            };
            if is_first {
                self.record.names[player] = name.value;
            } else if name.value != self.record.names[player] {
                let message = "the names are not those of the first game";
                let label = format!("{:?} before", self.record.names[player]);
                self.found(&syntax::BAD_HEADER, name.span, message, label);
                game.names[player] = Some(name);
            }
        }
    }

    /// Event data, rules and comments of the root.
    fn match_data(&mut self, node: &Node<'_>, root: &mut Root, game: &mut Game<'_>) {
        let is_first = self.record.games.is_empty();
        if is_first {
            self.record.length = root.length;
        }
        let mut tags = Vec::new();
        for property in &node.properties {
            let span = self.source.span(property.text);
            let text = simple(property.raw());
            let mut tag = |name: &str, value: String| {
                if !value.is_empty() {
                    let name = name.to_owned();
                    tags.push(Tag { name, value, span });
                }
            };
            match property.name.as_str() {
                "EV" => tag("Event", text),
                "RO" => tag("Round", text),
                "PC" => tag("Site", text),
                "AN" => tag("Transcriber", text),
                "DT" => tag("EventDate", normal::dotted(&text)),
                "WR" if is_first => {
                    self.record.ratings.one = Some(text).filter(|text| !text.is_empty())
                }
                "BR" if is_first => {
                    self.record.ratings.two = Some(text).filter(|text| !text.is_empty())
                }
                "AP" if is_first => self.record.dialect = dialect(&text),
                "ON" | "OT" | "TM" | "SO" | "US" | "GN" | "BT" | "WT" => tag(&property.name, text),
                "CP" if cube_side(property.raw()).is_none() => tag("CP", text),
                "RU" => game.record.crawford = self.game_rules(property.raw(), span),
                "GC" => self.game_comment(property.raw(), span, &mut tags, &mut game.record),
                _ => {}
            }
        }
        root.crawford = game.record.crawford;
        let rules = node.property("RU");
        if is_first {
            self.rule_tags(node, rules.map(|rules| rules.raw()), &mut tags);
            self.record.tags = tags;
        }
        game.variant = self
            .record
            .tag("Variation")
            .and_then(|tag| Variant::by_name(&tag.value))
            .unwrap_or_default();
    }

    /// The comment on a game: tags and remarks on the match in the first game, as GNU Backgammon keeps them.
    fn game_comment(&mut self, raw: &str, span: Span, tags: &mut Vec<Tag>, game: &mut GameRecord) {
        let is_first = self.record.games.is_empty();
        let text = unescaped(raw);
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if let Some((name, value)) = parse::tag_line(line).filter(|_| is_first) {
                tags.push(Tag {
                    name: name.to_owned(),
                    value: value.to_owned(),
                    span,
                });
                continue;
            }
            let comments = if is_first {
                &mut self.record.comments
            } else {
                &mut game.comments
            };
            comments.push(Spanned::new(line.to_owned(), span));
        }
    }

    /// Whether the rules say that this is the Crawford game.
    fn game_rules(&self, raw: &str, span: Span) -> Option<Spanned<bool>> {
        composed(raw)
            .iter()
            .any(|rule| rule.trim().eq_ignore_ascii_case("CrawfordGame"))
            .then_some(Spanned::new(true, span))
    }

    /// The rules as tags, unless the comment has such a tag already.
    fn rule_tags(&mut self, node: &Node<'_>, rules: Option<&str>, tags: &mut Vec<Tag>) {
        let span = node
            .property("RU")
            .map_or(node.at, |rules| self.source.span(rules.text));
        let stated: Vec<String> = composed(rules.unwrap_or_default())
            .into_iter()
            .map(|rule| unescaped(rule).trim().to_ascii_lowercase())
            .collect();
        let has = |rule: &str| stated.iter().any(|stated| stated == rule);
        let dialect = self.record.dialect.map_or("", |dialect| dialect.name);
        let is_money = self.record.length.map(|length| length.value) == Some(Length::Money);
        let mut add = |name: &str, value: &str| {
            if !tags.iter().any(|tag| tag.name.eq_ignore_ascii_case(name)) {
                let (name, value) = (name.to_owned(), value.to_owned());
                tags.push(Tag { name, value, span });
            }
        };
        // Programs of the family leave RU out where no rule is in force.
        let is_said = rules.is_some() || matches!(dialect, "gnubg" | "tawla");
        if !is_money && self.record.length.is_some() && is_said {
            add("Crawford", if has("crawford") { "On" } else { "Off" });
        }
        // GNU Backgammon writes its own setting there, whatever was played.
        if is_money && has("jacoby") && dialect != "gnubg" {
            add("Jacoby", "On");
        }
        if has("nocube") {
            add("CubeLimit", "1");
        }
        for (rule, variation) in [
            ("nackgammon", "Nackgammon"),
            ("hypergammon1", "Hypergammon(1)"),
            ("hypergammon2", "Hypergammon(2)"),
            ("hypergammon3", "Hypergammon"),
            ("hypergammon", "Hypergammon"),
        ] {
            if has(rule) {
                add("Variation", variation);
            }
        }
        for rule in &stated {
            let known = [
                "",
                "crawford",
                "crawfordgame",
                "jacoby",
                "nocube",
                "nackgammon",
            ];
            if !known.contains(&rule.as_str()) && !rule.starts_with("hypergammon") {
                add("RU", rule);
            }
        }
    }

    /// What a node says, in the order of the file.
    fn node(&mut self, game: &mut Game<'_>, node: &Node<'_>, is_root: bool) {
        let acts = node
            .properties
            .iter()
            .filter(|p| matches!(p.name.as_str(), "B" | "W"));
        let mut acts = acts.peekable();
        let is_move = acts.peek().is_some();
        self.set(game, node, is_move);
        if !is_root {
            self.notes(game, node, is_move);
        }
        let mut is_second = false;
        for property in acts {
            let player = if property.name == "W" {
                Player::One
            } else {
                Player::Two
            };
            let span = self.source.span(property.text);
            if is_second {
                let message = "two actions in one node";
                let finding = Finding::new(
                    &syntax::UNREADABLE_LINE,
                    span,
                    message,
                    "read as if in a node of its own",
                );
                self.report(finding.at_level(Level::Warning));
            }
            is_second = true;
            self.act(game, player, property, span);
        }
        if !is_move && let Some(comment) = game.extra.comment.take() {
            // A comment without an action is on what was done before, or on the game.
            match (&mut game.setting, game.record.entries.last_mut()) {
                _ if game.dice.is_some() => game.extra.comment = Some(comment),
                (Some(setting), _) => add_line(&mut setting.comment, &comment),
                (None, Some(entry)) => add_line(&mut entry.extra_mut().comment, &comment),
                (None, None) => game.record.comments.push(Spanned::new(comment, node.at)),
            }
        } else if is_root && let Some(comment) = node.property("C") {
            let span = self.source.span(comment.text);
            game.record
                .comments
                .extend(lines_of(comment.raw()).map(|line| Spanned::new(line, span)));
        }
    }

    /// Comments, analysis and marks of a node, kept for its entry.
    fn notes(&mut self, game: &mut Game<'_>, node: &Node<'_>, is_move: bool) {
        const NO_NOTE: [&str; 12] = [
            "B", "W", "AE", "AW", "AB", "CV", "CO", "CP", "PL", "DI", "C", "KO",
        ];
        let with_entry = is_move || game.dice.is_some();
        for property in &node.properties {
            match property.name.as_str() {
                "C" => {
                    let text = unescaped(property.raw());
                    if !text.is_empty() {
                        add_line(&mut game.extra.comment, &text);
                    }
                }
                "KO" => game.extra.declared_illegal |= is_move,
                name if with_entry && !NO_NOTE.contains(&name) => {
                    let values = property
                        .values
                        .iter()
                        .map(|value| (name.to_owned(), (*value).to_owned()));
                    game.extra.analysis.extend(values);
                }
                _ => {}
            }
        }
    }

    fn act(
        &mut self,
        game: &mut Game<'_>,
        player: Player,
        property: &parse::Property<'_>,
        span: Span,
    ) {
        let act = act(player, property.raw()).filter(|_| property.ending != parse::Ending::Cut);
        if let Some(Act::Play(roll, play)) = act
            && play.moves().is_empty()
            && self.is_made_up(game, player, roll, span)
        {
            return;
        }
        self.settle(game, player, act);
        let action = match act {
            Some(Act::Play(roll, play)) if play.moves().is_empty() => Action::Play {
                roll,
                play: WrittenPlay::Nothing,
            },
            Some(Act::Play(roll, play)) => Action::Play {
                roll,
                play: WrittenPlay::Moves(play),
            },
            Some(Act::Double) => Action::Double {
                to: None,
                after_roll: None,
            },
            Some(Act::Take) => Action::Take,
            Some(Act::Drop) => Action::Pass,
            Some(Act::Resign(win)) => Action::Resign { win },
            Some(Act::Accept) => Action::Accept,
            Some(Act::Reject) => Action::Reject,
            None => Action::Unreadable,
        };
        let mut entry = Entry::new(player, action, 0, span);
        entry.action = normal::cube_action(&game.record.entries, &entry);
        let extra = std::mem::take(&mut game.extra);
        if extra != Extra::default() {
            *entry.extra_mut() = extra;
        }
        if act.is_none() {
            entry.extra_mut().unreadable = true;
            if property.ending != parse::Ending::Cut {
                let message = format!("{:?} is no action", simple(property.raw()));
                let label = "two dice and pairs of letters, or double, take, drop";
                self.found(&syntax::UNREADABLE_LINE, span, message, label);
            }
        }
        if let Some(second) = property.values.get(1) {
            let message = "a second value where one is possible";
            let place = self.source.span(second);
            self.found(
                &syntax::UNREADABLE_LINE,
                place,
                message,
                "kept as a comment",
            );
            add_line(&mut entry.extra_mut().comment, &unescaped(second));
        }
        game.record.entries.push(entry);
    }

    /// A last roll without a play behind a set position, with other dice than those that were set: GNU
    /// Backgammon appends it when it saves a position again.
    fn is_made_up(
        &mut self,
        game: &mut Game<'_>,
        player: Player,
        roll: WrittenRoll,
        span: Span,
    ) -> bool {
        let Some(dice) = game
            .dice
            .filter(|_| game.setting.is_some() && game.left.is_empty())
        else {
            return false;
        };
        if same_dice(dice.roll, roll) && dice.player.is_none_or(|stated| stated == player) {
            return false;
        }
        let message = format!("a roll of {roll} where {} was set", dice.roll);
        let label = "GNU Backgammon makes it up when it saves a position again; left out";
        let finding = Finding::new(&syntax::UNREADABLE_LINE, span, message, label)
            .also(dice.span, "the dice that count")
            .at_level(Level::Warning);
        self.report(finding);
        let text = self.source.slice(span).to_owned();
        game.record.comments.push(Spanned::new(text, span));
        true
    }

    /// Position, cube, turn and dice that a node sets.
    fn set(&mut self, game: &mut Game<'_>, node: &Node<'_>, is_move: bool) {
        let side = |name: &str| {
            node.property(name).and_then(|p| match p.raw().trim() {
                "B" | "b" | "2" => Some(Player::Two),
                "W" | "w" | "1" => Some(Player::One),
                _ => None,
            })
        };
        let turn = side("PL");
        let sets_board = ["AE", "AW", "AB"]
            .iter()
            .any(|name| node.property(name).is_some());
        if sets_board {
            if let Some(stale) = game.dice.take() {
                let message = format!("the roll {} belongs to no play", stale.roll);
                let label = "a position is set behind it; left out";
                let finding = Finding::new(&syntax::UNREADABLE_LINE, stale.span, message, label);
                self.report(finding.at_level(Level::Note));
            }
            let is_second = game
                .setting
                .as_ref()
                .is_some_and(|setting| setting.checkers.is_some());
            if is_second {
                self.flush(game);
            }
        }
        let value = node.property("CV").and_then(|p| self.cube_value(p));
        let owner = node
            .property("CO")
            .into_iter()
            .chain(node.property("CP"))
            .find_map(|p| cube_side(p.raw()));
        if sets_board || value.is_some() || owner.is_some() {
            let mut places = node.properties.iter().filter(|p| {
                matches!(
                    p.name.as_str(),
                    "AE" | "AW" | "AB" | "CV" | "CO" | "CP" | "PL"
                )
            });
            let first = places.next().map_or(node.at, |p| self.source.span(p.text));
            let span = places
                .next_back()
                .map_or(first, |p| first.to(self.source.span(p.text)));
            let checkers = sets_board.then(|| self.board(game, node));
            let setting = game.setting.get_or_insert(Setting {
                span,
                checkers: None,
                value: None,
                owner: None,
                turn: None,
                comment: None,
            });
            setting.checkers = checkers.or(setting.checkers);
            setting.value = value.or(setting.value);
            setting.owner = owner.or(setting.owner);
        }
        if let Some(setting) = &mut game.setting {
            setting.turn = turn.or(setting.turn);
        }
        let Some(dice) = node.property("DI").filter(|_| !is_move) else {
            return;
        };
        let span = self.source.span(dice.text);
        let Some(roll) = whole_dice(dice.raw()) else {
            let message = format!("{:?} are no dice", dice.raw());
            return self.found(
                &syntax::UNREADABLE_LINE,
                span,
                message,
                "two digits from 1 to 6",
            );
        };
        let player = turn.or(game.setting.as_ref().and_then(|setting| setting.turn));
        game.dice = Some(Dice { player, roll, span });
    }

    fn cube_value(&mut self, property: &parse::Property<'_>) -> Option<u32> {
        let value = property.raw().trim().parse::<u32>().ok();
        let value = value.filter(|&value| value > 0 && value <= 1 << 24);
        if value.is_none() {
            let span = self.source.span(property.text);
            let message = format!("{:?} is no value of the cube", property.raw());
            self.found(
                &syntax::UNREADABLE_LINE,
                span,
                message,
                "1, 2, 4, and so on",
            );
        }
        value
    }

    /// The checkers after `AE`, `AW` and `AB`, which change those that stand.
    fn board(&mut self, game: &Game<'_>, node: &Node<'_>) -> ByPlayer<[u8; 26]> {
        let before = game.setting.as_ref().and_then(|setting| setting.checkers);
        let mut checkers = before.unwrap_or_else(|| standing(game).0);
        for property in &node.properties {
            let players: &[Player] = match property.name.as_str() {
                "AE" => &Player::BOTH,
                "AW" => &[Player::One],
                "AB" => &[Player::Two],
                _ => continue,
            };
            for value in &property.values {
                let Some(range) = letters(value) else {
                    let span = self.source.span(value);
                    let message = format!("{value:?} is no place of a checker");
                    let label = "a letter from a to y, or two with a colon";
                    self.found(&syntax::UNREADABLE_LINE, span, message, label);
                    continue;
                };
                for letter in range {
                    for &player in players {
                        let there =
                            &mut checkers[player][usize::from(place(player, letter).number())];
                        *there = if property.name == "AE" {
                            0
                        } else {
                            there.saturating_add(1)
                        };
                    }
                }
            }
        }
        checkers
    }

    /// Enters what was set, now that it is known who goes on.
    fn settle(&mut self, game: &mut Game<'_>, player: Player, act: Option<Act>) {
        let dice = game.dice.take();
        let is_played = |dice: &Dice| {
            let same = matches!(act, Some(Act::Play(roll, _)) if same_dice(roll, dice.roll));
            same && dice.player.is_none_or(|stated| stated == player)
        };
        let not_played = dice.filter(|dice| !is_played(dice));
        if let Some(setting) = &mut game.setting {
            setting.turn = not_played.and_then(|dice| dice.player).or(Some(player));
        }
        self.flush(game);
        if let Some(dice) = not_played {
            self.unplayed(game, dice);
        }
    }

    /// A roll behind which no play stands.
    fn unplayed(&mut self, game: &mut Game<'_>, dice: Dice) {
        let action = Action::Play {
            roll: dice.roll,
            play: WrittenPlay::Nothing,
        };
        if dice.player.is_none() {
            let message = "nothing says who rolled";
            self.found(
                &syntax::SIDE_GUESSED,
                dice.span,
                message,
                "taken for White's roll",
            );
        }
        let mut entry = Entry::new(dice.player.unwrap_or(Player::One), action, 0, dice.span);
        let extra = std::mem::take(&mut game.extra);
        if extra != Extra::default() {
            *entry.extra_mut() = extra;
        }
        game.record.entries.push(entry);
    }

    fn flush(&mut self, game: &mut Game<'_>) {
        let Some(setting) = game.setting.take() else {
            return;
        };
        let (checkers, cube) = standing(game);
        let cube = match (setting.value, setting.owner) {
            (None, None) => None,
            (value, owner) => Some(Cube {
                value: value.unwrap_or(cube.value),
                owner: owner.unwrap_or(cube.owner),
            }),
        };
        let setup = Setup {
            checkers: setting.checkers.unwrap_or(checkers),
            variant: game.variant,
            turn: setting.turn,
            roll: None,
            cube,
        };
        let setup = Spanned::new(setup, setting.span);
        if game.record.entries.is_empty() && game.record.start.is_none() {
            game.record.start = Some(setup);
            let comment = setting
                .comment
                .map(|comment| Spanned::new(comment, setting.span));
            game.record.comments.extend(comment);
        } else {
            let mut entry = Entry::new(Player::One, Action::Set, 0, setting.span);
            entry.extra_mut().position_after = Some(setup);
            entry.extra_mut().comment = setting.comment;
            game.record.entries.push(entry);
        }
    }

    fn end_game(&mut self, mut game: Game<'_>, root: &Root, left_over: &[&str]) {
        let dice = game.dice.take();
        let was_setting = game.setting.is_some();
        if let (Some(setting), Some(dice)) = (&mut game.setting, dice) {
            setting.turn = dice.player.or(setting.turn);
        }
        self.flush(&mut game);
        if let Some(dice) = dice {
            self.last_dice(&mut game, dice, was_setting);
        }
        let mut record = game.record;
        if let Some(comment) = game.extra.comment.take() {
            record.comments.push(Spanned::new(comment, record.heading));
        }
        for text in left_over {
            let span = self.source.span(text);
            record.comments.push(Spanned::new((*text).to_owned(), span));
        }
        if let Some(result) = root.result {
            self.result(&mut record, result);
        }
        self.indices.push(root.index);
        self.record.games.push(record);
        self.in_game = false;
    }

    /// Dice at the end of a game: part of a set position, or a roll that was not played.
    fn last_dice(&mut self, game: &mut Game<'_>, dice: Dice, was_setting: bool) {
        let set = match game.record.entries.last_mut() {
            Some(entry) => entry
                .extra
                .as_mut()
                .and_then(|extra| extra.position_after.as_mut()),
            None => game.record.start.as_mut(),
        };
        match (set.filter(|_| was_setting), dice.roll.roll()) {
            (Some(setup), Some(roll)) => setup.value.roll = Some(roll),
            _ => self.unplayed(game, dice),
        }
    }

    fn result(&mut self, game: &mut GameRecord, stated: Spanned<parse::Result>) {
        let parse::Result::Won {
            white,
            points,
            resigned,
            on_time,
        } = stated.value
        else {
            return;
        };
        let winner = if white { Player::One } else { Player::Two };
        if points.is_some_and(|points| points > MOST) {
            let message = "points that nobody can win";
            self.found(&syntax::UNREADABLE_LINE, stated.span, message, "left out");
        }
        if on_time {
            game.entries
                .push(Entry::new(!winner, Action::TimeOut, 0, stated.span));
        }
        let result = GameResult {
            winner: Some(winner),
            points: points.filter(|&points| points <= MOST),
            after: game.entries.len() as u32,
            resigned,
            ..GameResult::default()
        };
        game.result = Some(Spanned::new(result, stated.span));
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

/// Position and cube after the entries so far, for nodes that set only a part.
fn standing(game: &Game<'_>) -> (ByPlayer<[u8; 26]>, Cube) {
    let record = &game.record;
    let side = game.variant.start();
    let start = ByPlayer::new(side, side);
    let (checkers, cube) = match &record.start {
        Some(start) => (start.value.checkers, start.value.cube.unwrap_or_default()),
        None => (start, Cube::START),
    };
    let mut state = (checkers, cube);
    for entry in &record.entries {
        if step(&mut state, game.variant, entry).is_break() {
            break;
        }
    }
    state
}

/// What an entry changes. An impossible play ends the search: what stood before it is all that is known.
fn step(
    state: &mut (ByPlayer<[u8; 26]>, Cube),
    variant: Variant,
    entry: &Entry,
) -> ControlFlow<()> {
    let (checkers, cube) = state;
    match &entry.action {
        Action::Play {
            roll,
            play: WrittenPlay::Moves(play),
        } => {
            let setup = Setup {
                checkers: *checkers,
                variant,
                turn: None,
                roll: None,
                cube: None,
            };
            let (Ok(position), Some(roll)) = (Position::new(&setup), roll.roll()) else {
                return ControlFlow::Break(());
            };
            let Some(position) = played(&position, entry.player, roll, play.moves()) else {
                return ControlFlow::Break(());
            };
            *checkers = ByPlayer::new(*position.side(Player::One), *position.side(Player::Two));
        }
        Action::Set => {
            if let Some(setup) = entry
                .extra
                .as_ref()
                .and_then(|extra| extra.position_after.as_ref())
            {
                *checkers = setup.value.checkers;
                *cube = setup.value.cube.unwrap_or(*cube);
            }
        }
        Action::Double { .. } | Action::Beaver { .. } | Action::Raccoon { .. } => {
            cube.value = cube.value.saturating_mul(2);
        }
        Action::Take => cube.owner = Some(entry.player),
        _ => {}
    }
    ControlFlow::Continue(())
}

fn played(
    position: &Position,
    player: Player,
    roll: Roll,
    moves: &[crate::board::Move],
) -> Option<Position> {
    match judge(position, player, roll, moves) {
        Verdict::Legal(reading) => Some(reading.position),
        Verdict::Ambiguous(readings) => readings.first().map(|reading| reading.position),
        Verdict::Illegal { stands, .. } => stands,
    }
}

/// The owner that `CO` or GNU Backgammon's `CP` names; in FF[4] `CP` may be a copyright instead.
fn cube_side(raw: &str) -> Option<Option<Player>> {
    match raw.trim() {
        "b" | "B" => Some(Some(Player::Two)),
        "w" | "W" => Some(Some(Player::One)),
        "c" | "n" => Some(None),
        _ => None,
    }
}

fn same_dice(one: WrittenRoll, other: WrittenRoll) -> bool {
    one == other || one == WrittenRoll(other.1, other.0)
}

/// A value of one line: line breaks become blanks.
fn simple(raw: &str) -> String {
    unescaped(raw).replace(['\n', '\t'], " ")
}

fn lines_of(raw: &str) -> impl Iterator<Item = String> {
    let lines: Vec<String> = unescaped(raw)
        .lines()
        .map(|line| line.trim().to_owned())
        .filter(|line| !line.is_empty())
        .collect();
    lines.into_iter()
}

fn add_line(text: &mut Option<String>, line: &str) {
    match text {
        Some(text) => {
            text.push('\n');
            text.push_str(line);
        }
        None => *text = Some(line.to_owned()),
    }
}

fn dialect(application: &str) -> Option<Dialect> {
    let lower = application.to_ascii_lowercase();
    [
        ("gnu backgammon", "gnubg", "GNU Backgammon"),
        ("gibbon", "gibbon", "GNU Gibbon"),
        ("tawla", "tawla", "tawla"),
    ]
    .into_iter()
    .find(|(start, ..)| lower.starts_with(start))
    .map(|(_, name, title)| Dialect {
        name,
        title,
        known_by: "the AP property",
    })
}
