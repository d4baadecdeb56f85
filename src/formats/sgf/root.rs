//! The root of a tree: what it says of the match, and of the game before it starts.

use super::game::Game;
use super::parse::{self, composed, unescaped};
use super::read::{MOST, Reader, simple};
use super::setting::cube_side;
use super::tree::Node;
use crate::board::{ByPlayer, Length, Player, Variant};
use crate::diagnostic::syntax;
use crate::formats::carry::normal;
use crate::record::{Dialect, GameRecord, Tag};
use crate::source::{Span, Spanned};

/// What the root of a tree says of match and game.
#[derive(Debug, Default)]
pub(super) struct Root {
    pub(super) names: ByPlayer<Option<Spanned<String>>>,
    pub(super) length: Option<Spanned<Length>>,
    pub(super) index: Option<Spanned<u32>>,
    /// Which match of the file this is, as we write it.
    pub(super) match_number: Option<u32>,
    pub(super) score: Option<Spanned<ByPlayer<u32>>>,
    pub(super) crawford: Option<Spanned<bool>>,
    pub(super) result: Option<Spanned<parse::Result>>,
}

impl Reader<'_, '_, '_> {
    /// The properties of the root that tell one game from another.
    pub(super) fn root(&mut self, node: &Node<'_>) -> Root {
        let mut root = Root::default();
        for property in &node.properties {
            let span = self.source.span(property.text);
            match &*property.name {
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

    /// `MI[length:5][game:0][ws:0][bs:0]`, and `[match:2]` where we wrote several matches into one file.
    fn match_info(&mut self, values: &[&str], span: Span, root: &mut Root) {
        let mut score = [None; 2];
        let mut is_sure = true;
        for value in values {
            let parts = composed(value);
            let [key, number] = parts[..] else { continue };
            let known = ["length", "game", "ws", "bs", "match"];
            let is_key = |known: &&str| key.trim().eq_ignore_ascii_case(known);
            let Some(key) = known.into_iter().find(is_key) else {
                continue;
            };
            let number = number
                .trim()
                .parse::<u32>()
                .ok()
                .filter(|&number| number <= MOST);
            let Some(number) = number else {
                is_sure &= !matches!(key, "ws" | "bs");
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
            match key {
                "length" => {
                    let length = if number == 0 {
                        Length::Money
                    } else {
                        Length::Points(number)
                    };
                    root.length = Some(Spanned::new(length, span));
                }
                "match" => root.match_number = Some(number),
                "game" => root.index = Some(Spanned::new(number, span)),
                "ws" => score[0] = Some(number),
                _ => score[1] = Some(number),
            }
        }
        if score != [None; 2] && is_sure {
            let [white, black] = score.map(Option::unwrap_or_default);
            root.score = Some(Spanned::new(ByPlayer::new(white, black), span));
        }
    }

    pub(super) fn names(&mut self, root: &mut Root, game: &mut GameRecord) {
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
    pub(super) fn match_data(&mut self, node: &Node<'_>, root: &mut Root, game: &mut Game<'_>) {
        let is_first = self.record.games.is_empty();
        if is_first {
            self.record.length = root.length;
        }
        let mut tags = Vec::new();
        for property in &node.properties {
            let span = self.source.span(property.text);
            let text = || simple(property.raw());
            let mut tag = |name: &str, value: String| {
                if !value.is_empty() {
                    let name = name.to_owned();
                    tags.push(Tag { name, value, span });
                }
            };
            match &*property.name {
                "EV" => tag("Event", text()),
                "RO" => tag("Round", text()),
                "PC" => tag("Site", text()),
                "AN" => tag("Transcriber", text()),
                "DT" => tag("EventDate", normal::dotted(&text())),
                "WR" if is_first => {
                    self.record.ratings.one = Some(text()).filter(|text| !text.is_empty())
                }
                "BR" if is_first => {
                    self.record.ratings.two = Some(text()).filter(|text| !text.is_empty())
                }
                "AP" if is_first => self.record.dialect = dialect(&text()),
                "ON" | "OT" | "TM" | "SO" | "US" | "GN" | "BT" | "WT" => {
                    tag(&property.name, text())
                }
                "CP" if cube_side(property.raw()).is_none() => tag("CP", text()),
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
