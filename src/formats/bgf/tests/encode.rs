//! Writes BGBlitz files for the tests: documents made of a record, Smile, and the wrapping.

use std::io::Write;
use std::rc::Rc;

use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};

use crate::board::{ByPlayer, Player, is_match_point};
use crate::formats::bgf::tree::Value;
use crate::record::{Action, Entry, GameRecord, MatchRecord, WrittenPlay};

pub(super) fn int(number: i64) -> Value {
    Value::Int(number)
}

pub(super) fn text(text: &str) -> Value {
    Value::Text(text.into())
}

pub(super) fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    let member = |(name, value)| (Rc::from(name), value);
    Value::Object(members.into_iter().map(member).collect())
}

pub(super) fn list(numbers: &[i64]) -> Value {
    Value::List(numbers.iter().copied().map(int).collect())
}

/// A real number as BGBlitz writes it.
pub(super) fn real(number: f64) -> Value {
    text(&format!("{number:.8}"))
}

/// The member of an object, to be changed; it is added if it is not there.
pub(super) fn member<'v>(value: &'v mut Value, name: &str) -> &'v mut Value {
    let Value::Object(members) = value else {
        panic!("{name} of what is no object");
    };
    let index = members.iter().position(|(key, _)| **key == *name);
    let index = index.unwrap_or_else(|| {
        members.push((Rc::from(name), Value::Null));
        members.len() - 1
    });
    &mut members[index].1
}

/// The item of a list, to be changed.
pub(super) fn item(value: &mut Value, index: usize) -> &mut Value {
    let Value::List(items) = value else {
        panic!("item {index} of what is no list");
    };
    &mut items[index]
}

/// An action of the document, by game and number.
pub(super) fn action(document: &mut Value, game: usize, index: usize) -> &mut Value {
    let game = item(member(document, "games"), game);
    item(member(game, "moves"), index)
}

fn number(player: Player) -> i64 {
    match player {
        Player::One => -1,
        Player::Two => 1,
    }
}

/// A record as the document of a BGBlitz file: what both can hold of it.
pub(super) fn document(record: &MatchRecord) -> Value {
    let points = record.length.and_then(|length| length.value.points());
    let (games, finals) = games(record);
    object([
        ("matchlen", int(i64::from(points.unwrap_or(0)))),
        ("flags", int(0)),
        ("actGame", int(record.games.len() as i64)),
        ("finalGreen", int(i64::from(finals.one))),
        ("finalRed", int(i64::from(finals.two))),
        ("useCrawford", Value::Bool(true)),
        ("useJacoby", Value::Bool(false)),
        ("gameMode", int(0)),
        ("useCube", Value::Bool(true)),
        ("date", text("2026.03.14")),
        ("nameGreen", text(&record.names.one)),
        ("nameRed", text(&record.names.two)),
        ("location", text("")),
        ("event", text("Club night")),
        ("round", text("")),
        ("comment", text("")),
        ("site", text("")),
        ("extMatchID", Value::Null),
        ("useBeaver", Value::Bool(false)),
        ("cubeLimit", int(-1)),
        ("ratingGreen", int(0)),
        ("ratingRed", int(1650)),
        ("rankGreen", int(0)),
        ("rankRed", int(0)),
        ("boardno", int(0)),
        ("games", Value::List(games)),
        ("count", int(record.games.len() as i64)),
    ])
}

fn games(record: &MatchRecord) -> (Vec<Value>, ByPlayer<u32>) {
    let mut finals = ByPlayer::new(0, 0);
    let mut games = Vec::new();
    for game in &record.games {
        let score = game.score.map_or(finals, |score| score.value);
        let result = game.result.expect("a result").value;
        let winner = result.winner.expect("a winner");
        let won = result.points.expect("points");
        finals = score;
        finals[winner] += won;
        games.push(self::game(record, game, score, winner, won));
    }
    (games, finals)
}

/// Where the checkers stand at the start, as `initial` has it.
pub(super) const START: [i64; 28] = [
    2, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5, -5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, -2, 0, 0, 0, 0,
];

fn game(
    record: &MatchRecord,
    game: &GameRecord,
    score: ByPlayer<u32>,
    winner: Player,
    won: u32,
) -> Value {
    let length = record.length.and_then(|length| length.value.points());
    let is_short =
        |score: ByPlayer<u32>| length.is_some_and(|length| is_match_point(score, length));
    let was_short = record.games.iter().take_while(|other| **other != *game);
    let mut before = was_short.filter_map(|game| Some(game.score?.value));
    let is_crawford = is_short(score) && !before.any(is_short);
    let mut actions: Vec<Value> = game.entries.iter().map(of_entry).collect();
    actions.push(code(4, winner));
    object([
        ("nameGreen", text(&record.names.one)),
        ("nameRed", text(&record.names.two)),
        ("isCrawford", Value::Bool(is_crawford)),
        ("wonPoints", int(i64::from(won))),
        ("wasResignation", Value::Bool(false)),
        ("lostOnTime", Value::Bool(false)),
        ("wasForfeit", Value::Bool(false)),
        ("scoreGreen", int(i64::from(score.one))),
        ("scoreRed", int(i64::from(score.two))),
        ("gameMode", int(0)),
        ("flags", int(0)),
        (
            "initial",
            object([
                ("cube", int(1)),
                ("points", list(&START)),
                ("egyptian", Value::Bool(false)),
                ("gameMode", int(0)),
                ("cubeOwner", int(0)),
            ]),
        ),
        ("moves", Value::List(actions)),
        ("comment", Value::List(Vec::new())),
        ("id", int(-1)),
    ])
}

fn of_entry(entry: &Entry) -> Value {
    match entry.action {
        Action::Play { roll, play } => match play {
            WrittenPlay::Moves(play) => {
                let places = |place: fn(&crate::board::Move) -> u8| {
                    let mut places = [-1; 4];
                    for (slot, moved) in places.iter_mut().zip(play.moves()) {
                        *slot = i64::from(place(moved));
                    }
                    places
                };
                let from = places(|moved| moved.from.number());
                let to = places(|moved| moved.to.number());
                of_roll([roll.0, roll.1], entry.player, from, to)
            }
            _ => {
                let dice = [roll.0, roll.1].map(i64::from);
                let [from, to] = dice.map(|die| [die, -1, -1, -1]);
                of_roll([5, 7], entry.player, from, to)
            }
        },
        Action::Double { .. } => code(1, entry.player),
        Action::Take => code(2, entry.player),
        Action::Pass => code(3, entry.player),
        Action::Resign { .. } => code(9, entry.player),
        _ => panic!("no code for {:?}", entry.action),
    }
}

fn of_roll(dice: [u8; 2], player: Player, from: [i64; 4], to: [i64; 4]) -> Value {
    object([
        ("type", text("amove")),
        ("red", int(i64::from(dice[0]))),
        ("green", int(i64::from(dice[1]))),
        ("player", int(number(player))),
        ("from", list(&from)),
        ("to", list(&to)),
        ("comment", Value::Null),
    ])
}

/// An action without dice.
pub(super) fn code(code: u8, player: Player) -> Value {
    of_roll([code, 7], player, [-1; 4], [-1; 4])
}

/// A document as JSON text.
pub(super) fn json(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(is_so) => is_so.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Text(text) => serde_json::to_string(text).expect("a text"),
        Value::List(values) => {
            let values: Vec<String> = values.iter().map(json).collect();
            format!("[{}]", values.join(", "))
        }
        Value::Object(members) => {
            let member = |(name, value): &(Rc<str>, Value)| {
                let name = serde_json::to_string(&**name).expect("a text");
                format!("{name}: {}", json(value))
            };
            let members: Vec<String> = members.iter().map(member).collect();
            format!("{{{}}}", members.join(", "))
        }
    }
}

/// Writes Smile.
pub(super) struct Smile {
    bytes: Vec<u8>,
    names: Option<Vec<String>>,
    texts: Option<Vec<String>>,
}

impl Smile {
    /// A document, with shared names and texts if that is wanted.
    pub(super) fn document(value: &Value, names: bool, texts: bool) -> Vec<u8> {
        let features = u8::from(names) | u8::from(texts) << 1;
        let mut smile = Smile {
            bytes: b":)\n".to_vec(),
            names: names.then(Vec::new),
            texts: texts.then(Vec::new),
        };
        smile.bytes.push(features);
        smile.value(value);
        smile.bytes
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Null => self.bytes.push(0x21),
            Value::Bool(is_so) => self.bytes.push(0x22 + u8::from(*is_so)),
            Value::Int(number) => self.int(*number),
            Value::Float(number) => {
                self.bytes.push(0x29);
                let bits = number.to_bits();
                let groups = (0..10)
                    .rev()
                    .map(|group| (bits >> (7 * group)) as u8 & 0x7F);
                self.bytes.extend(groups);
            }
            Value::Text(text) => self.text(text),
            Value::List(values) => {
                self.bytes.push(0xF8);
                values.iter().for_each(|value| self.value(value));
                self.bytes.push(0xF9);
            }
            Value::Object(members) => {
                self.bytes.push(0xFA);
                for (name, value) in members {
                    self.name(name);
                    self.value(value);
                }
                self.bytes.push(0xFB);
            }
        }
    }

    fn int(&mut self, number: i64) {
        let zigzag = (number << 1 ^ number >> 63) as u64;
        if zigzag < 32 {
            return self.bytes.push(0xC0 | zigzag as u8);
        }
        let is_long = i32::try_from(number).is_err();
        self.bytes.push(if is_long { 0x25 } else { 0x24 });
        let mut groups = vec![zigzag as u8 & 0x3F | 0x80];
        let mut rest = zigzag >> 6;
        while rest > 0 {
            groups.push(rest as u8 & 0x7F);
            rest >>= 7;
        }
        self.bytes.extend(groups.iter().rev());
    }

    fn text(&mut self, text: &str) {
        if text.is_empty() {
            return self.bytes.push(0x20);
        }
        if let Some(index) = known(&mut self.texts, text) {
            return match index {
                0..=30 => self.bytes.push(index as u8 + 1),
                _ => self.bytes.extend([0xEC | (index >> 8) as u8, index as u8]),
            };
        }
        let length = text.len() as u8;
        match (text.is_ascii(), text.len()) {
            (true, 1..=32) => self.bytes.push(0x40 | (length - 1)),
            (true, 33..=64) => self.bytes.push(0x60 | (length - 33)),
            (false, 2..=33) => self.bytes.push(0x80 | (length - 2)),
            (false, 34..=65) => self.bytes.push(0xA0 | (length - 34)),
            (is_ascii, _) => {
                self.bytes.push(if is_ascii { 0xE0 } else { 0xE4 });
                self.bytes.extend(text.bytes());
                return self.bytes.push(0xFC);
            }
        }
        self.bytes.extend(text.bytes());
    }

    fn name(&mut self, name: &str) {
        if name.is_empty() {
            return self.bytes.push(0x20);
        }
        if let Some(index) = known(&mut self.names, name) {
            return match index {
                0..=63 => self.bytes.push(0x40 | index as u8),
                _ => self.bytes.extend([0x30 | (index >> 8) as u8, index as u8]),
            };
        }
        let length = name.len() as u8;
        match (name.is_ascii(), name.len()) {
            (true, 1..=64) => self.bytes.push(0x80 | (length - 1)),
            (false, 2..=57) => self.bytes.push(0xC0 + (length - 2)),
            _ => {
                self.bytes.push(0x34);
                self.bytes.extend(name.bytes());
                return self.bytes.push(0xFC);
            }
        }
        self.bytes.extend(name.bytes());
    }
}

/// The place by which a text may be referred to; one that is not known enters the list.
fn known(list: &mut Option<Vec<String>>, text: &str) -> Option<usize> {
    let list = list.as_mut()?;
    let may_be_said = |index: &usize| index & 0xFF < 0xFE;
    let found = list.iter().position(|known| known == text);
    if let Some(index) = found.filter(may_be_said) {
        return Some(index);
    }
    if text.len() <= 64 {
        if list.len() == 1024 {
            list.clear();
        }
        list.push(text.to_owned());
    }
    None
}

/// The first line of real files.
pub(super) const HEADER: &str =
    "{\"format\":\"BGF\",\"version\":\"1.0\",\"compress\":true,\"useSmile\":true}\n";

/// A file with a body behind a header.
pub(super) fn file(header: &str, body: &[u8]) -> Vec<u8> {
    [header.as_bytes(), body].concat()
}

pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("in memory");
    encoder.finish().expect("in memory")
}

pub(super) fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("in memory");
    encoder.finish().expect("in memory")
}
