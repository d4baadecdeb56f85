//! The document of a BGBlitz file as a record.

use super::analysis::{self, Kind};
use super::container::Opened;
use super::tree::Value;
use crate::board::{ByPlayer, Cube, Move, Play, Player, Setup, Variant};
use crate::diagnostic::{Context, Finding, Findings, Rule, syntax};
use crate::formats::binary::Listing;
use crate::formats::mat::check_tags;
use crate::formats::text::match_length;
use crate::record::{
    Action, Entry, GameRecord, GameResult, MatchRecord, Tag, WrittenPlay, WrittenRoll,
};
use crate::source::{Span, Spanned};

/// What stands in the place of a die where there is no roll.
const NO_ROLL: i64 = 7;

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

struct Reader {
    listing: Listing,
    findings: Findings,
    record: MatchRecord,
    /// The document broke off, so that what is missing in the last game is no fault of its own.
    is_cut: bool,
    /// How many games, actions and comments may still come.
    left: u32,
}

/// The name of a member for Green and Red.
type Names = ByPlayer<&'static str>;

const NAMES: Names = ByPlayer::new("nameGreen", "nameRed");
const SCORES: Names = ByPlayer::new("scoreGreen", "scoreRed");
const FINALS: Names = ByPlayer::new("finalGreen", "finalRed");
const RATINGS: Names = ByPlayer::new("ratingGreen", "ratingRed");
const RANKS: Names = ByPlayer::new("rankGreen", "rankRed");

/// A text that says something.
fn said<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    let text = value.get(name)?.text()?.trim();
    (!text.is_empty()).then_some(text)
}

fn is_true(value: &Value, name: &str) -> bool {
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
    fn push(&mut self, finding: Finding) {
        let context = Context::in_last_game(1, self.record.games.len());
        let (ply, player) = (finding.context.ply, finding.context.player);
        self.findings.push(finding.within(Context {
            ply,
            player,
            ..context
        }));
    }

    fn report(
        &mut self,
        rule: &'static Rule,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
    ) {
        self.push(Finding::new(rule, span, message, label));
    }

    /// Whether another game, action or comment may be read. The first that may not is reported.
    fn has_room(&mut self, span: Span) -> bool {
        if self.left == 1 {
            let message = format!("more than {MOST_ITEMS} games, actions and comments");
            let label = "the rest is left out";
            self.report(&syntax::UNREADABLE_LINE, span, message, label);
        }
        self.left = self.left.saturating_sub(1);
        self.left > 0
    }

    fn odd(&mut self, span: Span, message: String) {
        self.report(&syntax::BAD_HEADER, span, message, "left out of the record");
    }

    /// A number from 0 on; anything else is reported and left out.
    fn number(&mut self, value: &Value, name: &str, span: Span) -> Option<u32> {
        let number = value.get(name).filter(|number| !number.is_null())?;
        let found = number.int().and_then(|number| u32::try_from(number).ok());
        if found.is_none() {
            let message = format!("{name} is {}", shown(number));
            self.odd(span, message);
        }
        found
    }

    /// Two numbers that make sense together only.
    fn pair(&mut self, value: &Value, names: Names, span: Span) -> Option<ByPlayer<u32>> {
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
        let count = self.number(root, "count", wrapping);
        if let Some(count) = count.filter(|&count| count as usize != games.len()) {
            let message = format!("the match has {count} games and {} are there", games.len());
            let label = "those that are there are read";
            self.report(&syntax::BAD_HEADER, wrapping, message, label);
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

    fn game(&mut self, value: &Value, after: Option<ByPlayer<u32>>, is_cut: bool) {
        let stated = score(value, SCORES);
        let is_crawford = value.get("isCrawford").and_then(Value::bool);
        let mut line = match stated {
            Some(score) => format!("score {}-{}", score.one, score.two),
            None => "score not stated".to_owned(),
        };
        if is_crawford == Some(true) {
            line.push_str(", Crawford game");
        }
        let heading = self.listing.game(&line);
        self.record.games.push(GameRecord {
            heading,
            has_score_line: stated.is_some(),
            ..GameRecord::default()
        });
        let score = self.pair(value, SCORES, heading);
        let start = self.start(value, heading);
        let names = NAMES.map(|name| said(value, name).map(str::to_owned));
        let of_match = self.record.names.clone();
        let of_game = |player: Player| {
            let name = names[player].clone();
            let name = name.filter(|name| *name != of_match[player]);
            name.map(|name| Spanned::new(name, heading))
        };
        let game = self.last_game();
        game.score = score.map(|score| Spanned::new(score, heading));
        game.crawford = is_crawford.map(|is_it| Spanned::new(is_it, heading));
        game.names = ByPlayer::new(of_game(Player::One), of_game(Player::Two));
        game.start = start.map(|setup| Spanned::new(setup, heading));
        self.comments(value, heading);
        let end = self.actions(value, is_cut);
        // What a game says of its end stands before its actions.
        if !is_cut || end.is_some() {
            self.end(value, end, score.zip(after));
        }
    }

    fn last_game(&mut self) -> &mut GameRecord {
        self.record.games.last_mut().expect("a game was pushed")
    }

    /// The position before the first action, unless it is the usual one.
    fn start(&mut self, game: &Value, span: Span) -> Option<Setup> {
        let initial = game.get("initial").filter(|initial| !initial.is_null())?;
        if is_true(initial, "egyptian") {
            let message = "the Egyptian rule is in use".to_owned();
            self.report(&syntax::BAD_HEADER, span, message, "it is not judged");
        }
        let value = self.number(initial, "cube", span).unwrap_or(1).max(1);
        let owner = initial.get("cubeOwner").and_then(Value::int);
        let cube = Cube {
            value,
            owner: owner.and_then(player),
        };
        let usual = Variant::default().start();
        let usual = ByPlayer::new(usual, usual);
        let points = initial.get("points").map(Value::list).unwrap_or_default();
        let checkers = match checkers(points) {
            Some(checkers) => checkers,
            None if self.is_cut || points.is_empty() => return None,
            None => {
                let message = "the starting position cannot be read";
                let label = "the usual one is taken";
                self.report(&syntax::UNREADABLE_LINE, span, message, label);
                usual
            }
        };
        (checkers != usual || cube != Cube::START).then_some(Setup {
            checkers,
            variant: Variant::default(),
            turn: None,
            roll: None,
            cube: Some(cube),
        })
    }

    /// The game that all starting positions belong to, if it is not the usual one.
    fn variation(&mut self) {
        let start = |game: &GameRecord| Some(game.start.as_ref()?.value.checkers);
        let Some((checkers, span)) = self.record.games.first().and_then(|game| {
            let start = game.start.as_ref()?;
            Some((start.value.checkers, start.span))
        }) else {
            return;
        };
        let is_start =
            |variant: &Variant| checkers == ByPlayer::new(variant.start(), variant.start());
        let same = |game: &GameRecord| start(game) == Some(checkers);
        let variant = Variant::ALL.into_iter().find(is_start);
        let Some(variant) = variant.filter(|_| self.record.games.iter().all(same)) else {
            return;
        };
        if variant == Variant::default() {
            return;
        }
        self.record.variation = Some(Spanned::new(variant.name().to_owned(), span));
        for game in &mut self.record.games {
            let is_usual =
                |start: &Spanned<Setup>| start.value.cube.is_none_or(|cube| cube == Cube::START);
            game.start = game.start.take().filter(|start| !is_usual(start));
            if let Some(start) = &mut game.start {
                start.value.variant = variant;
            }
        }
    }

    /// The comments on a game: a list of texts in all files.
    fn comments(&mut self, game: &Value, span: Span) {
        let Some(comment) = game.get("comment") else {
            return;
        };
        let lines = match comment {
            Value::List(lines) => lines.as_slice(),
            Value::Null => &[],
            one => std::slice::from_ref(one),
        };
        for line in lines {
            if !self.has_room(span) {
                return;
            }
            match line.text() {
                Some("") => {}
                Some(text) => self.remark(text),
                None => self.odd(span, format!("a comment is {}", shown(line))),
            }
        }
    }

    fn remark(&mut self, text: &str) {
        let span = self.listing.of_game(&format!("comment  {text}"));
        let comment = Spanned::new(text.to_owned(), span);
        self.last_game().comments.push(comment);
    }

    /// The actions of a game. The winner and the number of actions before the end, if there is one.
    fn actions(&mut self, game: &Value, is_cut: bool) -> Option<(Player, u32)> {
        let list = game.get("moves").map(Value::list).unwrap_or_default();
        let mut end = None;
        let heading = self.last_game().heading;
        for (index, value) in list.iter().enumerate() {
            if !self.has_room(heading) {
                break;
            }
            let is_last = index + 1 == list.len();
            if is_cut && is_last && !is_whole(value) {
                // What the end of the document took away is reported as that.
                break;
            }
            match step(value) {
                Ok(Step::End(winner)) => {
                    if let Some(text) = said(value, "comment") {
                        self.remark(text);
                    }
                    let after = self.last_game().entries.len() as u32;
                    if end.replace((winner, after)).is_some() {
                        let span = self.last_game().heading;
                        let message = "the game ends more than once";
                        let label = "the last end counts";
                        self.report(&syntax::UNREADABLE_LINE, span, message, label);
                    }
                }
                Ok(Step::Action(player, action)) => self.action(value, player, action, None),
                Err(fault) => {
                    let player = player_of(value).or_else(|| {
                        let last = self.last_game().entries.last()?;
                        Some(!last.player)
                    });
                    let player = player.unwrap_or(Player::One);
                    let action = match fault.roll {
                        Some(roll) => Action::Play {
                            roll,
                            play: WrittenPlay::NotRecorded,
                        },
                        None => Action::Unreadable,
                    };
                    self.action(value, player, action, Some(fault.why));
                }
            }
        }
        end
    }

    /// Adds an action. One that cannot be read comes with the reason.
    fn action(&mut self, value: &Value, player: Player, action: Action, fault: Option<String>) {
        let (span, row) = self.listing.action(player, &action);
        let doubled = self.is_after_double(player);
        let mut entry = Entry::new(player, action, row, span);
        let kind = match action {
            Action::Play { .. } => Kind::Roll { doubled },
            Action::Double { .. } => Kind::Double,
            Action::Take | Action::Pass => Kind::Answer,
            _ => Kind::Other,
        };
        let found = analysis::of(value, kind);
        if !found.is_empty() {
            entry.extra_mut().analysis = found;
        }
        if let Some(comment) = said(value, "comment") {
            entry.extra_mut().comment = Some(comment.to_owned());
        }
        let ply = self.last_game().entries.len() as u32 + 1;
        if let Some(why) = fault {
            entry.extra_mut().unreadable = true;
            let label = "the position after it is unknown";
            let finding = Finding::new(&syntax::UNREADABLE_LINE, span, why, label);
            self.push(finding.within(Context {
                ply: Some(ply),
                player: Some(player),
                ..Context::default()
            }));
        }
        self.last_game().entries.push(entry);
    }

    /// Whether the last actions are a double of the player and the answer to it.
    fn is_after_double(&mut self, player: Player) -> bool {
        let entries = &self.last_game().entries;
        let mut before = entries.iter().rev();
        let is_answer = before
            .next()
            .is_some_and(|entry| entry.action == Action::Take);
        let double = before.next().filter(|_| is_answer);
        double.is_some_and(|entry| {
            entry.player == player && matches!(entry.action, Action::Double { .. })
        })
    }

    /// What the game says of its end. The scores are those before and after it.
    fn end(
        &mut self,
        game: &Value,
        end: Option<(Player, u32)>,
        scores: Option<(ByPlayer<u32>, ByPlayer<u32>)>,
    ) {
        let heading = self.last_game().heading;
        let won = self.number(game, "wonPoints", heading);
        let won = won.filter(|&points| points > 0);
        let gained = scores.and_then(|(before, after)| gain(before, after));
        let winner = end
            .map(|(winner, _)| winner)
            .or(gained.map(|(winner, _)| winner));
        let of_score = gained.filter(|(player, _)| winner == Some(*player));
        let points = won.or(of_score.map(|(_, points)| points));
        if end.is_none() && points.is_none() {
            return;
        }
        let is_at_end =
            end.is_none_or(|(_, after)| after as usize == self.last_game().entries.len());
        if is_true(game, "lostOnTime") {
            match winner.filter(|_| is_at_end) {
                Some(winner) => self.action(&Value::Null, !winner, Action::TimeOut, None),
                None => self.odd(heading, "a loss on time, and nothing says whose".to_owned()),
            }
        }
        let entries = &self.last_game().entries;
        let after = match end {
            Some((_, after)) if !is_at_end => after,
            _ => entries.len() as u32,
        };
        let before_end = entries.get(..after as usize).unwrap_or_default();
        let gave_up = before_end
            .last()
            .is_some_and(|entry| matches!(entry.action, Action::Resign { .. }));
        let resigned = gave_up || is_true(game, "wasResignation") || is_true(game, "wasForfeit");
        let who = match winner {
            Some(winner) if !self.record.names[winner].is_empty() => {
                self.record.names[winner].clone()
            }
            Some(Player::One) => "left".to_owned(),
            Some(Player::Two) => "right".to_owned(),
            None => "nobody".to_owned(),
        };
        let line = match points {
            Some(1) => format!("{who} wins 1 point"),
            Some(points) => format!("{who} wins {points} points"),
            None => format!("{who} wins"),
        };
        let span = self.listing.of_game(&line);
        self.last_game().result = Some(Spanned::new(
            GameResult {
                winner,
                points,
                after,
                resigned,
                ..GameResult::default()
            },
            span,
        ));
    }
}

/// A pair of numbers, if both are there and make sense.
fn score(value: &Value, names: Names) -> Option<ByPlayer<u32>> {
    let number = |name| u32::try_from(value.get(name)?.int()?).ok();
    Some(ByPlayer::new(number(names.one)?, number(names.two)?))
}

/// Whose score is higher than before, and by how much, where the other one's is the same.
fn gain(before: ByPlayer<u32>, after: ByPlayer<u32>) -> Option<(Player, u32)> {
    let more = |player: Player| after[player].checked_sub(before[player]);
    match (more(Player::One)?, more(Player::Two)?) {
        (points @ 1.., 0) => Some((Player::One, points)),
        (0, points @ 1..) => Some((Player::Two, points)),
        _ => None,
    }
}

/// A value for a message, in few letters.
fn shown(value: &Value) -> String {
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

/// Whether the moves of an action are complete, in a document that breaks off within it.
fn is_whole(action: &Value) -> bool {
    let Value::Object(members) = action else {
        return false;
    };
    let is_behind = members.last().is_some_and(|(name, _)| **name != *"to");
    let to = action.get("to").map(|to| to.list().len());
    to.is_some_and(|length| length >= 4 || is_behind)
}

/// Whose number it is.
fn player(number: i64) -> Option<Player> {
    match number {
        -1 => Some(Player::One),
        1 => Some(Player::Two),
        _ => None,
    }
}

fn player_of(action: &Value) -> Option<Player> {
    player(action.get("player")?.int()?)
}

/// The checkers of a list of points. `None`: it is not one of 24 points and two bars.
fn checkers(points: &[Value]) -> Option<ByPlayer<[u8; 26]>> {
    let mut checkers = ByPlayer::new([0u8; 26], [0u8; 26]);
    for (index, point) in points.get(..26)?.iter().enumerate() {
        let number = point.int()?;
        let count = u8::try_from(number.unsigned_abs()).ok()?;
        let (player, place) = match number {
            0 => continue,
            // 24 and 25 are the bars.
            1.. if index < 24 => (Player::One, 24 - index),
            1.. => (Player::One, 25),
            _ if index < 24 => (Player::Two, index + 1),
            _ => (Player::Two, 25),
        };
        checkers[player][place] = checkers[player][place].saturating_add(count);
    }
    Some(checkers)
}

/// What an action comes to.
enum Step {
    Action(Player, Action),
    /// The end of the game, which this player has won.
    End(Player),
}

/// Why an action cannot be read.
struct Fault {
    why: String,
    /// The roll, if only the play cannot be read.
    roll: Option<WrittenRoll>,
}

impl Fault {
    fn new(why: String) -> Fault {
        Fault { why, roll: None }
    }
}

fn step(value: &Value) -> Result<Step, Fault> {
    let number = |name: &str| {
        let found = value.get(name);
        found.and_then(Value::int).ok_or_else(|| {
            let found = found.map_or("missing".to_owned(), shown);
            Fault::new(format!("{name} of an action is {found}"))
        })
    };
    let stated = number("player")?;
    let player = player(stated).ok_or_else(|| Fault::new(format!("{stated} is no player")))?;
    let (red, green) = (number("red")?, number("green")?);
    if green != NO_ROLL {
        let roll = written_roll(red, green)?;
        let play = match moves(value) {
            Ok(moves) if moves.moves().is_empty() => WrittenPlay::Nothing,
            Ok(moves) => WrittenPlay::Moves(moves),
            Err(why) => {
                let roll = Some(roll);
                return Err(Fault { why, roll });
            }
        };
        return Ok(Step::Action(player, Action::Play { roll, play }));
    }
    let action = match red {
        1 => Action::Double {
            to: None,
            after_roll: None,
        },
        2 => Action::Take,
        3 => Action::Pass,
        4 => return Ok(Step::End(player)),
        5 => {
            let first = |name| value.get(name).and_then(|list| list.list().first()?.int());
            let dice = first("from").zip(first("to"));
            let (one, two) = dice.ok_or_else(|| Fault::new("a roll without dice".to_owned()))?;
            Action::Play {
                roll: written_roll(one, two)?,
                play: WrittenPlay::Nothing,
            }
        }
        9 => Action::Resign { win: None },
        _ => return Err(Fault::new(format!("{red} is no kind of action"))),
    };
    Ok(Step::Action(player, action))
}

/// Two digits as dice; whether dice show them is not asked.
fn written_roll(one: i64, two: i64) -> Result<WrittenRoll, Fault> {
    let digit = |number: i64| u8::try_from(number).ok().filter(|&digit| digit <= 9);
    match (digit(one), digit(two)) {
        (Some(one), Some(two)) if (one, two) != (0, 0) => Ok(WrittenRoll(one, two)),
        _ => Err(Fault::new(format!("{one} and {two} are no dice"))),
    }
}

/// The moves of a roll, or why they are none.
pub(super) fn moves(value: &Value) -> Result<Play, String> {
    let places = |name: &str| value.get(name).map(Value::list).unwrap_or_default();
    let (from, to) = (places("from"), places("to"));
    if from.len() != to.len() {
        let (from, to) = (from.len(), to.len());
        return Err(format!("{from} moves start and {to} end"));
    }
    let mut play = Play::EMPTY;
    for (from, to) in from.iter().zip(to) {
        if (from.int(), to.int()) == (Some(-1), Some(-1)) {
            continue;
        }
        let place = |value: &Value| u8::try_from(value.int()?).ok();
        let moved = place(from).zip(place(to));
        let moved = moved.and_then(|(from, to)| Move::from_numbers(from, to, false));
        if !moved.is_some_and(|moved| play.push(moved)) {
            return Err(format!("{} to {} is no move", shown(from), shown(to)));
        }
    }
    Ok(play)
}
