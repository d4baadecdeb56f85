//! The document of a BGBlitz file as a record.

use super::container::Opened;
use super::game::score;
use super::tree::Value;
use crate::board::{ByPlayer, Length, Player};
use crate::diagnostic::{Context, Finding, Findings, Rule, syntax};
use crate::formats::binary::Listing;
use crate::formats::mat::check_tags;
use crate::formats::text::match_length;
use crate::record::{MatchRecord, Tag};
use crate::source::{Span, Spanned};

/// How many games, actions and comments a match may have. The longest that was met has some 700; a few bytes
/// that are compressed well can make millions, each with a finding of its own.
const MOST_ITEMS: u32 = 100_000;

/// The record, what was found, and the listing that both point into.
pub(super) fn read(opened: &Opened) -> (MatchRecord, Findings, Listing) {
    let mut reader = Reader {
        listing: Listing::default(),
        findings: Findings::default(),
        record: MatchRecord::default(),
        is_cut: opened.document.fault.is_some(),
        left: MOST_ITEMS,
    };
    let wrapping = reader.listing.of_match(&opened.title);
    for fault in &opened.faults {
        let (message, label) = (fault.message.clone(), fault.label.clone());
        let finding = Finding::new(fault.rule, wrapping, message, label);
        reader.push(finding.at_level(fault.level));
    }
    reader.read(&opened.document.root, wrapping);
    if reader.record.games.is_empty() && opened.document.fault.is_none() {
        let label = "no game was found in it";
        reader.report(
            &syntax::UNREADABLE_LINE,
            wrapping,
            "the document is no match",
            label,
        );
    }
    let mut of_tags = Findings::default();
    check_tags(&reader.record, &mut of_tags);
    let context = Context {
        match_number: Some(1),
        ..Context::default()
    };
    for finding in of_tags {
        reader.findings.push(finding.within(context));
    }
    (reader.record, reader.findings, reader.listing)
}

/// A record in the making.
pub(super) struct Reader {
    pub(super) listing: Listing,
    findings: Findings,
    pub(super) record: MatchRecord,
    /// The document broke off, so that what is missing in the last game is no fault of its own.
    pub(super) is_cut: bool,
    /// How many games, actions and comments may still come.
    left: u32,
}

/// The name of a member for Green and Red.
pub(super) type Names = ByPlayer<&'static str>;

pub(super) const NAMES: Names = ByPlayer::new("nameGreen", "nameRed");
pub(super) const SCORES: Names = ByPlayer::new("scoreGreen", "scoreRed");
const FINALS: Names = ByPlayer::new("finalGreen", "finalRed");
const RATINGS: Names = ByPlayer::new("ratingGreen", "ratingRed");
const RANKS: Names = ByPlayer::new("rankGreen", "rankRed");

/// A text that says something.
pub(super) fn said<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    let text = value.get(name)?.text()?.trim();
    (!text.is_empty()).then_some(text)
}

pub(super) fn is_true(value: &Value, name: &str) -> bool {
    value.get(name).and_then(Value::bool) == Some(true)
}

/// A rating or a rank, as a text; 0 stands for none.
fn rated(value: &Value, name: &str) -> Option<String> {
    let rating = value.get(name)?;
    match rating {
        Value::Text(text) if rating.real() != Some(0.0) => {
            Some(text.trim().to_owned()).filter(|text| !text.is_empty())
        }
        Value::Int(number) if *number != 0 => Some(number.to_string()),
        Value::Float(number) if *number != 0.0 => Some(number.to_string()),
        _ => None,
    }
}

impl Reader {
    pub(super) fn push(&mut self, finding: Finding) {
        let context = Context::in_last_game(1, self.record.games.len());
        let (ply, player) = (finding.context.ply, finding.context.player);
        self.findings.push(finding.within(Context {
            ply,
            player,
            ..context
        }));
    }

    pub(super) fn report(
        &mut self,
        rule: &'static Rule,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
    ) {
        self.push(Finding::new(rule, span, message, label));
    }

    /// Whether another game, action or comment may be read. The first that may not is reported.
    pub(super) fn has_room(&mut self, span: Span) -> bool {
        if self.left == 1 {
            let message = format!("more than {MOST_ITEMS} games, actions and comments");
            let label = "the rest is left out";
            self.report(&syntax::LIMIT_REACHED, span, message, label);
        }
        self.left = self.left.saturating_sub(1);
        self.left > 0
    }

    pub(super) fn odd(&mut self, span: Span, message: String) {
        self.report(&syntax::BAD_HEADER, span, message, "left out of the record");
    }

    /// A number from 0 on; anything else is reported and left out.
    pub(super) fn number(&mut self, value: &Value, name: &str, span: Span) -> Option<u32> {
        let number = value.get(name).filter(|number| !number.is_null())?;
        let found = number.int().and_then(|number| u32::try_from(number).ok());
        if found.is_none() {
            let message = format!("{name} is {}", shown(number));
            self.odd(span, message);
        }
        found
    }

    /// Two numbers that make sense together only.
    pub(super) fn pair(
        &mut self,
        value: &Value,
        names: Names,
        span: Span,
    ) -> Option<ByPlayer<u32>> {
        let one = self.number(value, names.one, span);
        let two = self.number(value, names.two, span);
        Some(ByPlayer::new(one?, two?))
    }

    fn read(&mut self, root: &Value, wrapping: Span) {
        let games = root.get("games").map(Value::list).unwrap_or_default();
        let names = |value: &Value| NAMES.map(|name| said(value, name).unwrap_or("").to_owned());
        self.record.names = names(root);
        if let Some(first) = games.first() {
            let of_game = names(first);
            for player in Player::BOTH {
                if self.record.names[player].is_empty() {
                    self.record.names[player] = of_game[player].clone();
                }
            }
        }
        self.record.ratings = RATINGS.map(|name| rated(root, name));
        self.listing.players(&self.record.names);
        self.heading(root, wrapping);
        self.tags(root);
        if let Some(comment) = said(root, "comment") {
            let span = self.listing.of_match(&format!("comment  {comment}"));
            let comment = Spanned::new(comment.to_owned(), span);
            self.record.comments.push(comment);
        }
        let finals = self.pair(root, FINALS, wrapping);
        let scores = |game: &Value| score(game, SCORES);
        for (index, game) in games.iter().enumerate() {
            if !self.has_room(wrapping) {
                break;
            }
            let is_last = index + 1 == games.len();
            let after = match games.get(index + 1) {
                Some(next) => scores(next),
                None => finals,
            };
            let is_cut = self.is_cut && is_last;
            self.game(game, after, is_cut);
        }
        self.variation();
        if !self.is_cut {
            self.check_finals(finals, wrapping);
        }
        let count = self.number(root, "count", wrapping);
        if let Some(count) = count.filter(|&count| count as usize != games.len()) {
            let message = format!("the match has {count} games and {} are there", games.len());
            let label = "those that are there are read";
            self.report(&syntax::BAD_HEADER, wrapping, message, label);
        }
    }

    /// The score after the last game, which no other game states. In a match both the points that were won
    /// and those that were needed are met.
    fn check_finals(&mut self, finals: Option<ByPlayer<u32>>, span: Span) {
        let last = self.record.games.last();
        let result = last.and_then(|game| game.result).map(|result| result.value);
        let before = last.and_then(|game| game.score).map(|score| score.value);
        let (Some(finals), Some(mut reached), Some(result)) = (finals, before, result) else {
            return;
        };
        let (Some(winner), Some(points)) = (result.winner, result.points) else {
            return;
        };
        reached[winner] = reached[winner].saturating_add(points);
        let mut capped = reached;
        let length = self.record.length.map(|length| length.value);
        if let Some(needed) = length.and_then(Length::points) {
            capped[winner] = capped[winner].min(needed);
        }
        if finals != reached && finals != capped {
            let message = format!("the final score is {}-{}", finals.one, finals.two);
            let label = format!("{}-{} after the last game", capped.one, capped.two);
            self.report(&syntax::BAD_HEADER, span, message, label);
        }
    }

    /// The players and the length.
    fn heading(&mut self, root: &Value, wrapping: Span) {
        let points = self.number(root, "matchlen", wrapping);
        let names = &self.record.names;
        let mut line = format!("{} - {}", names.one, names.two);
        match points {
            Some(0) => line.push_str(", money play"),
            Some(points) => line.push_str(&format!(", {points} points")),
            None => {}
        }
        let span = self.listing.of_match(&line);
        match points.map(|points| match_length(points, span)) {
            Some(Ok(length)) => self.record.length = Some(Spanned::new(length, span)),
            Some(Err(finding)) => self.push(*finding),
            None => {}
        }
        let mode = root.get("gameMode").and_then(Value::int);
        if let Some(mode) = mode.filter(|&mode| mode != 0) {
            let message = format!("the game mode {mode} is not known");
            self.report(&syntax::BAD_HEADER, span, message, "read as backgammon");
        }
    }

    fn tags(&mut self, root: &Value) {
        let texts = [
            ("event", "Event"),
            ("round", "Round"),
            ("location", "Place"),
            ("site", "Site"),
            ("extMatchID", "Match ID"),
        ];
        for (member, name) in texts {
            if let Some(text) = said(root, member) {
                self.tag(name, text);
            }
        }
        if let Some(date) = said(root, "date") {
            self.tag("EventDate", &date_of_tag(date));
        }
        for (member, name) in [
            ("useCrawford", "Crawford"),
            ("useJacoby", "Jacoby"),
            ("useBeaver", "Beaver"),
        ] {
            if let Some(on) = root.get(member).and_then(Value::bool) {
                self.tag(name, if on { "On" } else { "Off" });
            }
        }
        let limit = root.get("cubeLimit").and_then(Value::int);
        if root.get("useCube").and_then(Value::bool) == Some(false) {
            self.tag("CubeLimit", "1");
        } else if let Some(limit) = limit.filter(|&limit| limit > 0) {
            self.tag("CubeLimit", &limit.to_string());
        }
        for (player, name) in [(Player::One, "Rank 1"), (Player::Two, "Rank 2")] {
            if let Some(rank) = rated(root, RANKS[player]) {
                self.tag(name, &rank);
            }
        }
    }

    fn tag(&mut self, name: &str, value: &str) {
        let span = self.listing.of_match(&format!("{name}  {value}"));
        self.record.tags.push(Tag {
            name: name.to_owned(),
            value: value.to_owned(),
            span,
        });
    }
}

/// A value for a message, in few letters.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(is_so) => is_so.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Text(text) => format!("{:?}", text.chars().take(40).collect::<String>()),
        Value::List(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// `Nov 2, 2025` as tags have it, `2025.11.02`; anything else as it is.
fn date_of_tag(text: &str) -> String {
    const MONTHS: [&str; 12] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ];
    let parts: Vec<&str> = text
        .split([' ', ','])
        .filter(|part| !part.is_empty())
        .collect();
    let written = || {
        let [month, day, year] = parts[..] else {
            return None;
        };
        let month = month.get(..3)?.to_ascii_lowercase();
        let month = MONTHS.iter().position(|name| *name == month)? + 1;
        let (day, year): (u8, u16) = (day.parse().ok()?, year.parse().ok()?);
        Some(format!("{year:04}.{month:02}.{day:02}"))
    };
    written().unwrap_or_else(|| text.replace(['-', '/'], "."))
}
