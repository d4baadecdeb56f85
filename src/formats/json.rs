//! Our own record of a match as JSON, without a loss.
//!
//! One object a match, one after the other, so that outputs can be joined and streamed. `tawla schema record`
//! prints the schema; `record_version` changes when a reader of the old form would misread the new one.
//! Players are 0 and 1, places are numbers in the own numbering (25 is the bar, 0 off).

use std::borrow::Cow;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, schema_for};
use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use super::carry::{Carried, Item};
use super::text::encoding_guessed;
use super::{CannotWrite, Format, Likely, NotThisFormat, Sink, WriteOptions, Written};
use crate::board::{ByPlayer, Cube, Length, Move, Play, Player, Roll, Setup, Variant, Win};
use crate::diagnostic::{Context, Finding, Findings, syntax};
use crate::record::{
    Action, Dialect, Entry, Extra, GameRecord, GameResult, MatchRecord, Seconds, Tag, WrittenPlay,
    WrittenRoll,
};
use crate::replay::Replay;
use crate::source::{Source, Span, Spanned};

pub(super) static FORMAT: Format = Format {
    name: "json",
    title: "tawla's own record",
    extensions: &["json"],
    sniff,
    binary: false,
    read: Some(read),
    read_made: None,
    cut: None,
    write: Some(write),
    profiles: &[],
    verified: true,
    carries: &[
        (Item::Names, Carried::Yes),
        (Item::Ratings, Carried::Yes),
        (Item::Length, Carried::Yes),
        (Item::Scores, Carried::Yes),
        (Item::Event, Carried::Yes),
        (Item::RuleTags, Carried::Yes),
        (Item::OtherTags, Carried::Yes),
        (Item::CrawfordGame, Carried::Yes),
        (Item::GameNumbers, Carried::Yes),
        (Item::CubeActions, Carried::Yes),
        (Item::CubeValues, Carried::Yes),
        (Item::LateDoubles, Carried::Yes),
        (Item::Beavers, Carried::Yes),
        (Item::Raccoons, Carried::Yes),
        (Item::Dances, Carried::Yes),
        (Item::UnrecordedPlays, Carried::Yes),
        (Item::ImpossibleRolls, Carried::Yes),
        (Item::IllegalPlays, Carried::Yes),
        (Item::DeclaredIllegal, Carried::Yes),
        (Item::Resignations, Carried::Yes),
        (Item::TimeOuts, Carried::Yes),
        (Item::Results, Carried::Yes),
        (Item::ResultKinds, Carried::Yes),
        (Item::StartPositions, Carried::Yes),
        (Item::Positions, Carried::Yes),
        (Item::MatchComments, Carried::Yes),
        (Item::Comments, Carried::Yes),
        (Item::Unreadable, Carried::Yes),
        (Item::Analysis, Carried::Yes),
        (Item::Clock, Carried::Yes),
        (Item::HitMarks, Carried::Yes),
        (Item::RowNumbers, Carried::Yes),
    ],
};

/// The version of the record.
const VERSION: u32 = 1;

/// A match.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, bound(deserialize = "A: Deserialize<'de>"))]
struct MatchJson<A> {
    /// The version of this form.
    record_version: u32,
    /// The length; 0 for money play, null if the source did not say.
    length: Option<u32>,
    /// The names of the players.
    players: [String; 2],
    #[serde(default)]
    ratings: [Option<String>; 2],
    #[serde(default)]
    variation: Option<String>,
    /// The program that wrote the source, if it was recognised.
    #[serde(default)]
    dialect: Option<String>,
    /// Whether the source marks hits; null if its format has no marks.
    #[serde(default)]
    hit_marks: Option<bool>,
    #[serde(default)]
    tags: Vec<TagJson>,
    #[serde(default)]
    comments: Vec<String>,
    #[serde(deserialize_with = "some_games")]
    games: Vec<GameJson<A>>,
}

/// A tag as written.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TagJson {
    name: String,
    value: String,
}

/// A game.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, bound(deserialize = "A: Deserialize<'de>"))]
struct GameJson<A> {
    #[serde(default)]
    number: Option<u32>,
    /// The names, where they are not those of the match.
    #[serde(default)]
    players: [Option<String>; 2],
    /// The score before the game as stated.
    #[serde(default)]
    score: Option<[u32; 2]>,
    #[serde(default)]
    crawford: Option<bool>,
    #[serde(default)]
    start: Option<SetupJson>,
    actions: Vec<A>,
    #[serde(default)]
    result: Option<ResultJson>,
    #[serde(default)]
    comments: Vec<String>,
}

/// A position as stated.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SetupJson {
    /// Checkers by place of each player, in the own numbering: off, 1 to 24, bar.
    checkers: [Vec<u8>; 2],
    #[serde(default)]
    variant: Option<String>,
    #[serde(default)]
    turn: Option<u8>,
    #[serde(default)]
    roll: Option<String>,
    #[serde(default)]
    cube_value: Option<u32>,
    #[serde(default)]
    cube_owner: Option<u8>,
}

/// A result as stated.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ResultJson {
    winner: Option<u8>,
    points: Option<u32>,
    #[serde(default)]
    kind: Option<String>,
    #[serde(default)]
    resigned: bool,
    #[serde(default)]
    and_match: bool,
    #[serde(default)]
    in_row: bool,
    #[serde(default)]
    by_loss: bool,
    /// How many actions stand before it.
    after: u32,
}

/// An action: `play`, `double`, `beaver`, `raccoon`, `take`, `pass`, `resign`, `accept`, `reject`, `time-out`,
/// `no-roll`, `set` or `unreadable`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ActionJson {
    player: u8,
    action: Cow<'static, str>,
    /// The dice of a play, or those that stand before a double.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    roll: Option<String>,
    /// The moves: from, to, and 1 for a hit mark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<Vec<u8>>>")]
    moves: Option<MovesJson>,
    /// What stands in the place of moves: `cannot-move`, `nothing` or `not-recorded`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    no_moves: Option<Cow<'static, str>>,
    /// The value of the cube as stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    to: Option<u32>,
    /// What is offered by a resignation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kind: Option<Cow<'static, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    row: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    position_after: Option<SetupJson>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    declared_illegal: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    unreadable: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    analysis: Vec<[String; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seconds_left: Option<f64>,
}

/// The moves of a play, a list of numbers each.
#[derive(Debug, Deserialize)]
#[serde(from = "Vec<Vec<u8>>")]
enum MovesJson {
    /// As they are read, whatever the numbers are.
    Read(Vec<Vec<u8>>),
    /// Those of a play that is written.
    Of(Play),
}

impl From<Vec<Vec<u8>>> for MovesJson {
    fn from(moves: Vec<Vec<u8>>) -> MovesJson {
        MovesJson::Read(moves)
    }
}

impl Serialize for MovesJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let play = match self {
            MovesJson::Read(moves) => return moves.serialize(serializer),
            MovesJson::Of(play) => play,
        };
        let mut list = serializer.serialize_seq(Some(play.moves().len()))?;
        for moved in play.moves() {
            let (from, to) = (moved.from.number(), moved.to.number());
            match moved.hits {
                true => list.serialize_element(&[from, to, 1])?,
                false => list.serialize_element(&[from, to])?,
            }
        }
        list.end()
    }
}

/// An entry that becomes an [`ActionJson`] when its turn comes to be written.
struct ActionOf<'a>(&'a Entry);

impl Serialize for ActionOf<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        action_json(self.0).serialize(serializer)
    }
}

/// The JSON Schema of the record.
pub fn record_schema() -> Schema {
    schema_for!(MatchJson<ActionJson>)
}

fn sniff(source: &Source) -> Likely {
    let start: String = source.text().chars().take(400).collect();
    if start.trim_start().starts_with('{') && start.contains("\"record_version\"") {
        Likely::Yes
    } else {
        Likely::No
    }
}

fn read(source: &Source, sink: &mut Sink<'_>) -> Result<(), NotThisFormat> {
    let mut findings = Findings::default();
    if let Some(finding) = encoding_guessed(source) {
        findings.push(finding);
    }
    let text = source.text();
    let mut at = 0;
    let mut number = 0;
    loop {
        let start = at + (text[at..].len() - text[at..].trim_start().len());
        let mut stream = serde_json::Deserializer::from_str(&text[start..]).into_iter();
        let Some(next) = stream.next() else { break };
        at = start + stream.byte_offset();
        number += 1;
        let context = Context {
            match_number: Some(number),
            ..Context::default()
        };
        let error: serde_json::Error = match next {
            Ok(json) => {
                let span = Span::new(start as u32, at as u32);
                let record = of_this_version(json, source, span, context, &mut findings);
                sink(&record, &mut findings);
                continue;
            }
            Err(error) => error,
        };
        let place = offset(text, start, error.line(), error.column());
        let place = Span::new(place, place);
        let finding = if error.is_eof() {
            let label = "read up to the last whole action";
            Finding::new(&syntax::TRUNCATED, place, "the record is cut", label)
        } else {
            let message = error.to_string();
            let reason = message.split(" at line ").next().unwrap_or(&message);
            Finding::new(
                &syntax::UNREADABLE_LINE,
                place,
                reason.to_owned(),
                "the match is left out",
            )
        };
        findings.push(finding.within(context));
        let end = start + whole_value(&text[start..]).unwrap_or(text.len() - start);
        // Only the last value may have been cut.
        let whole = error.is_eof().then(|| mended(&text[..end], start));
        let record = whole
            .flatten()
            .and_then(|whole| {
                let source = Source::new("", whole.into_bytes(), Some("utf-8")).ok()?;
                let json = serde_json::from_str(&source.text()[start..]).ok()?;
                let span = Span::new(start as u32, end as u32);
                Some(of_this_version(json, &source, span, context, &mut findings))
            })
            .unwrap_or_default();
        sink(&record, &mut findings);
        at = end;
    }
    if number == 0 {
        return Err(NotThisFormat("no record of a match".to_owned()));
    }
    Ok(())
}

/// How many bytes the value at the start takes, if it is JSON at all.
fn whole_value(text: &str) -> Option<usize> {
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    stream.next()?.ok()?;
    Some(stream.byte_offset())
}

/// A text whose last value, from `start` on, was cut: up to the last whole action, game or tag, with what is
/// open closed.
pub(super) fn mended(text: &str, start: usize) -> Option<String> {
    let mut open: Vec<u8> = Vec::new();
    let (mut in_string, mut is_escaped) = (false, false);
    let mut whole = None;
    for (at, byte) in text.bytes().enumerate().skip(start) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_string => is_escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' => open.push(b'}'),
            b'[' => open.push(b']'),
            b'}' | b']' => {
                open.pop();
                // Within the list of games or tags, or that of the actions of a game.
                if byte == b'}' && matches!(open.len(), 2 | 4) {
                    whole = Some((at + 1, open.clone()));
                }
            }
            _ => {}
        }
    }
    let (end, open) = whole?;
    let closing = open.iter().rev().map(|&byte| char::from(byte));
    Some(text[..end].chars().chain(closing).collect())
}

/// Makes a record, if its version is known.
fn of_this_version(
    json: MatchJson<&RawValue>,
    source: &Source,
    span: Span,
    context: Context,
    findings: &mut Findings,
) -> MatchRecord {
    if json.record_version == VERSION {
        return record(json, source, span, context, findings);
    }
    let message = format!("version {} of the record is not known", json.record_version);
    let label = format!("known is version {VERSION}");
    let finding = Finding::new(&syntax::UNREADABLE_LINE, span, message, label);
    findings.push(finding.within(context));
    MatchRecord::default()
}

/// The byte of a place that the JSON reader names by line and column, both from 1 and counted from `from`.
pub(super) fn offset(text: &str, from: usize, line: usize, column: usize) -> u32 {
    let skipped: usize = text[from..]
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    let mut at = (from + skipped + column.saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at as u32
}

/// The most games of a match that `--limit-games` may allow, and one more.
const MOST_GAMES: usize = 100_001;

/// The games of a match; those behind the most that may be asked for are passed over, for a list of a million
/// nothings is no match.
fn some_games<'de, D, A>(deserializer: D) -> Result<Vec<GameJson<A>>, D::Error>
where
    D: Deserializer<'de>,
    A: Deserialize<'de>,
{
    struct Games<A>(PhantomData<A>);
    impl<'de, A: Deserialize<'de>> Visitor<'de> for Games<A> {
        type Value = Vec<GameJson<A>>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a list of games")
        }

        fn visit_seq<S: SeqAccess<'de>>(self, mut list: S) -> Result<Self::Value, S::Error> {
            let mut games = Vec::new();
            while games.len() < MOST_GAMES
                && let Some(game) = list.next_element()?
            {
                games.push(game);
            }
            while list.next_element::<IgnoredAny>()?.is_some() {}
            Ok(games)
        }
    }
    deserializer.deserialize_seq(Games(PhantomData))
}

/// Makes a record; values that make no sense are reported and left out.
fn record(
    json: MatchJson<&RawValue>,
    source: &Source,
    span: Span,
    context: Context,
    findings: &mut Findings,
) -> MatchRecord {
    let at = |value| Spanned::new(value, span);
    let length = json.length.map(|points| match points {
        0 => Length::Money,
        points => Length::Points(points),
    });
    let [one, two] = json.players;
    let [rating_one, rating_two] = json.ratings;
    let mut reading = Reading {
        source,
        span,
        context,
        findings,
        is_odd: false,
    };
    MatchRecord {
        dialect: json.dialect.as_deref().and_then(Dialect::known),
        length: length.map(|length| Spanned::new(length, span)),
        variation: json
            .variation
            .map(|variation| Spanned::new(variation, span)),
        tags: json
            .tags
            .into_iter()
            .map(|tag| Tag {
                name: tag.name,
                value: tag.value,
                span,
            })
            .collect(),
        comments: json.comments.into_iter().map(at).collect(),
        names: ByPlayer::new(one, two),
        ratings: ByPlayer::new(rating_one, rating_two),
        games: json
            .games
            .into_iter()
            .take(source.limits().games as usize + 1)
            .map(|game| reading.game(game))
            .collect(),
        has_hit_marks: json.hit_marks,
    }
}

fn seconds(used: Option<f64>, left: Option<f64>) -> Option<Seconds> {
    (used.is_some() || left.is_some()).then_some(Seconds { used, left })
}

struct Reading<'a> {
    source: &'a Source,
    /// Where the part is written that is being read.
    span: Span,
    context: Context,
    findings: &'a mut Findings,
    /// Whether something in the action that is being read was left out.
    is_odd: bool,
}

impl Reading<'_> {
    fn odd(&mut self, what: &str) {
        self.is_odd = true;
        let message = format!("{what} makes no sense");
        let label = "left out of the record";
        let finding = Finding::new(&syntax::UNREADABLE_LINE, self.span, message, label);
        self.findings.push(finding.within(self.context));
    }

    fn game(&mut self, json: GameJson<&RawValue>) -> GameRecord {
        let span = self.span;
        let at = |value| Spanned::new(value, span);
        let [one, two] = json.players;
        GameRecord {
            heading: span,
            number: json.number.map(|number| Spanned::new(number, span)),
            has_score_line: true,
            names: ByPlayer::new(one.map(at), two.map(at)),
            score: json
                .score
                .map(|[one, two]| Spanned::new(ByPlayer::new(one, two), span)),
            crawford: json.crawford.map(|crawford| Spanned::new(crawford, span)),
            start: json.start.and_then(|setup| self.setup(setup)),
            entries: json
                .actions
                .into_iter()
                .map(|action| self.action(action))
                .collect(),
            result: json
                .result
                .map(|result| Spanned::new(self.result(result), span)),
            comments: json.comments.into_iter().map(at).collect(),
        }
    }

    /// An action; its findings point at it and not at the whole match.
    fn action(&mut self, raw: &RawValue) -> Entry {
        let whole = std::mem::replace(&mut self.span, self.source.span(raw.get()));
        let entry = match serde_json::from_str(raw.get()) {
            Ok(action) => self.entry(action),
            Err(error) => {
                let text = error.to_string();
                let reason = text.split(" at line ").next().unwrap_or(&text).to_owned();
                self.odd(&format!("the action ({reason})"));
                let mut entry = Entry::new(Player::One, Action::Unreadable, 0, self.span);
                entry.extra_mut().unreadable = true;
                entry
            }
        };
        self.span = whole;
        entry
    }

    fn player(&mut self, number: u8) -> Player {
        match number {
            0 => Player::One,
            1 => Player::Two,
            other => {
                self.odd(&format!("player {other}"));
                Player::One
            }
        }
    }

    fn kind(&mut self, name: Option<&str>) -> Option<Win> {
        let name = name?;
        let kind = Win::ALL.into_iter().find(|win| win.name() == name);
        if kind.is_none() {
            self.odd(&format!("the kind of win {name:?}"));
        }
        kind
    }

    fn result(&mut self, json: ResultJson) -> GameResult {
        GameResult {
            winner: json.winner.map(|winner| self.player(winner)),
            points: json.points,
            and_match: json.and_match,
            after: json.after,
            by_loss: json.by_loss,
            in_row: json.in_row,
            win: self.kind(json.kind.as_deref()),
            resigned: json.resigned,
        }
    }

    fn setup(&mut self, json: SetupJson) -> Option<Spanned<Setup>> {
        let side = |list: &Vec<u8>| <[u8; 26]>::try_from(list.as_slice()).ok();
        let (Some(one), Some(two)) = (side(&json.checkers[0]), side(&json.checkers[1])) else {
            self.odd("a position that does not have 26 places a side");
            return None;
        };
        let owner = json.cube_owner.map(|owner| self.player(owner));
        let setup = Setup {
            checkers: ByPlayer::new(one, two),
            variant: json
                .variant
                .as_deref()
                .and_then(Variant::by_name)
                .unwrap_or_default(),
            turn: json.turn.map(|turn| self.player(turn)),
            roll: json
                .roll
                .as_deref()
                .and_then(written_roll)
                .and_then(WrittenRoll::roll),
            cube: json.cube_value.map(|value| Cube { value, owner }),
        };
        Some(Spanned::new(setup, self.span))
    }

    fn entry(&mut self, json: ActionJson) -> Entry {
        self.is_odd = false;
        let player = self.player(json.player);
        let roll = json.roll.as_deref().and_then(written_roll);
        if json.roll.is_some() && roll.is_none() {
            self.odd(&format!(
                "the roll {:?}",
                json.roll.as_deref().unwrap_or_default()
            ));
        }
        let action = match (&*json.action, roll) {
            ("play", Some(roll)) => Action::Play {
                roll,
                play: self.play(json.moves, json.no_moves.as_deref()),
            },
            ("double", after_roll) => Action::Double {
                to: json.to,
                after_roll,
            },
            ("beaver", _) => Action::Beaver { to: json.to },
            ("raccoon", _) => Action::Raccoon { to: json.to },
            ("take", _) => Action::Take,
            ("pass", _) => Action::Pass,
            ("resign", _) => Action::Resign {
                win: self.kind(json.kind.as_deref()),
            },
            ("accept", _) => Action::Accept,
            ("reject", _) => Action::Reject,
            ("time-out", _) => Action::TimeOut,
            ("no-roll", _) => Action::NoRoll,
            ("set", _) => Action::Set,
            ("unreadable", _) => Action::Unreadable,
            (other, _) => {
                self.odd(&format!("the action {other:?}"));
                Action::Unreadable
            }
        };
        let extra = Extra {
            comment: json.comment,
            position_after: json.position_after.and_then(|setup| self.setup(setup)),
            declared_illegal: json.declared_illegal,
            unreadable: json.unreadable || self.is_odd,
            analysis: json
                .analysis
                .into_iter()
                .map(|[name, value]| (name, value))
                .collect(),
            seconds: seconds(json.seconds, json.seconds_left),
        };
        let mut entry = Entry::new(player, action, json.row.unwrap_or(0), self.span);
        entry.extra = (extra != Extra::default()).then(|| Box::new(extra));
        entry
    }

    fn play(&mut self, moves: Option<MovesJson>, no_moves: Option<&str>) -> WrittenPlay {
        let Some(moves) = moves else {
            return match no_moves {
                Some("cannot-move") => WrittenPlay::CannotMove,
                Some("not-recorded") => WrittenPlay::NotRecorded,
                _ => WrittenPlay::Nothing,
            };
        };
        let moves = match moves {
            MovesJson::Read(moves) => moves,
            MovesJson::Of(play) => return WrittenPlay::Moves(play),
        };
        let mut play = Play::EMPTY;
        for moved in &moves {
            let read = match moved[..] {
                [from, to] => Move::from_numbers(from, to, false),
                [from, to, hits @ 0..=1] => Move::from_numbers(from, to, hits == 1),
                _ => None,
            };
            if !read.is_some_and(|moved| play.push(moved)) {
                self.odd(&format!("the move {moved:?}"));
                return WrittenPlay::NotRecorded;
            }
        }
        WrittenPlay::Moves(play)
    }
}

fn written_roll(text: &str) -> Option<WrittenRoll> {
    match text.as_bytes() {
        [a @ b'0'..=b'9', b @ b'0'..=b'9'] => Some(WrittenRoll(a - b'0', b - b'0')),
        _ => None,
    }
}

fn write(record: &MatchRecord, _: &Replay, _: &WriteOptions) -> Result<Written, CannotWrite> {
    let json = MatchJson {
        record_version: VERSION,
        length: record
            .length
            .map(|length| length.value.points().unwrap_or(0)),
        players: record.names.clone().into_array(),
        ratings: record.ratings.clone().into_array(),
        variation: record
            .variation
            .as_ref()
            .map(|variation| variation.value.clone()),
        dialect: record.dialect.map(|dialect| dialect.name.to_owned()),
        hit_marks: record.has_hit_marks,
        tags: record
            .tags
            .iter()
            .map(|tag| TagJson {
                name: tag.name.clone(),
                value: tag.value.clone(),
            })
            .collect(),
        comments: texts(&record.comments),
        games: record.games.iter().map(game_json).collect(),
    };
    let mut bytes = crate::escape::json(&json)
        .map_err(|error| CannotWrite(error.to_string()))?
        .into_bytes();
    bytes.push(b'\n');
    Ok(Written::new(bytes, Vec::new()))
}

fn texts(comments: &[Spanned<String>]) -> Vec<String> {
    comments
        .iter()
        .map(|comment| comment.value.clone())
        .collect()
}

fn number(player: Player) -> u8 {
    player.index() as u8
}

fn game_json(game: &GameRecord) -> GameJson<ActionOf<'_>> {
    let name = |name: &Option<Spanned<String>>| name.as_ref().map(|name| name.value.clone());
    GameJson {
        number: game.number.map(|number| number.value),
        players: [name(&game.names.one), name(&game.names.two)],
        score: game.score.map(|score| score.value.into_array()),
        crawford: game.crawford.map(|crawford| crawford.value),
        start: game.start.as_ref().map(|start| setup_json(&start.value)),
        actions: game.entries.iter().map(ActionOf).collect(),
        result: game.result.map(|result| ResultJson {
            winner: result.value.winner.map(number),
            points: result.value.points,
            kind: result.value.win.map(|win| win.name().to_owned()),
            resigned: result.value.resigned,
            and_match: result.value.and_match,
            in_row: result.value.in_row,
            by_loss: result.value.by_loss,
            after: result.value.after,
        }),
        comments: texts(&game.comments),
    }
}

fn setup_json(setup: &Setup) -> SetupJson {
    SetupJson {
        checkers: setup.checkers.map(|side| side.to_vec()).into_array(),
        variant: Some(setup.variant.name().to_owned()),
        turn: setup.turn.map(number),
        roll: setup.roll.as_ref().map(Roll::to_string),
        cube_value: setup.cube.map(|cube| cube.value),
        cube_owner: setup.cube.and_then(|cube| cube.owner).map(number),
    }
}

fn action_json(entry: &Entry) -> ActionJson {
    let extra = entry.extra.as_deref().cloned().unwrap_or_default();
    let mut json = ActionJson {
        player: number(entry.player),
        action: Cow::default(),
        roll: None,
        moves: None,
        no_moves: None,
        to: None,
        kind: None,
        row: Some(entry.row).filter(|&row| row > 0),
        comment: extra.comment,
        position_after: extra.position_after.map(|setup| setup_json(&setup.value)),
        declared_illegal: extra.declared_illegal,
        unreadable: extra.unreadable,
        analysis: extra
            .analysis
            .into_iter()
            .map(|(name, value)| [name, value])
            .collect(),
        seconds: extra.seconds.and_then(|seconds| seconds.used),
        seconds_left: extra.seconds.and_then(|seconds| seconds.left),
    };
    let name = match entry.action {
        Action::Play { roll, play } => {
            json.roll = Some(roll.to_string());
            let none = match play {
                WrittenPlay::Moves(play) => {
                    json.moves = Some(MovesJson::Of(play));
                    None
                }
                WrittenPlay::CannotMove => Some("cannot-move"),
                WrittenPlay::Nothing => Some("nothing"),
                WrittenPlay::NotRecorded => Some("not-recorded"),
            };
            json.no_moves = none.map(Cow::Borrowed);
            "play"
        }
        Action::Double { to, after_roll } => {
            json.to = to;
            json.roll = after_roll.map(|roll| roll.to_string());
            "double"
        }
        Action::Beaver { to } => {
            json.to = to;
            "beaver"
        }
        Action::Raccoon { to } => {
            json.to = to;
            "raccoon"
        }
        Action::Take => "take",
        Action::Pass => "pass",
        Action::Resign { win } => {
            json.kind = win.map(|win| Cow::Borrowed(win.name()));
            "resign"
        }
        Action::Accept => "accept",
        Action::Reject => "reject",
        Action::TimeOut => "time-out",
        Action::NoRoll => "no-roll",
        Action::Set => "set",
        Action::Unreadable => "unreadable",
    };
    json.action = Cow::Borrowed(name);
    json
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_written_as_lists_of_numbers() {
        let moves = [(25, 20, true), (6, 0, false)];
        let moves = moves.map(|(from, to, hits)| Move::from_numbers(from, to, hits));
        let play: Play = moves.into_iter().flatten().collect();
        let written = serde_json::to_string(&MovesJson::Of(play)).expect("JSON");
        assert_eq!(written, "[[25,20,1],[6,0]]");
        let read: MovesJson = serde_json::from_str(&written).expect("moves");
        assert_eq!(serde_json::to_string(&read).expect("JSON"), written);
    }
}
