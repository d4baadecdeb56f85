//! The form of the same matches in JSON (`.gva`), as GammonView writes it and HedgeHog's library prints it.
//!
//! ```text
//! {"match_length": 7, "player_white": "…", "player_black": "…", "games": [
//!   {"winner": 0, "points_won": 1, "plies": [
//!     {"color": 1, "action_id": 2, "d1": 1, "d2": 3, "moves": [{"from": 8, "pips": 3}, …]}, …]}, …]}
//! ```
//!
//! A `color` of 1 is White, a `winner` of 0 too. What both programs write is told by its names; the words that
//! the library has for numbers are taken as well. Of a set board with dice the library names the side that is
//! on roll after it, GammonView the one that made the play; the library is known by its entry `ogxm`. Positions
//! before and after each ply (`ogid_before`, `ogid_after`) follow from the plies and are not looked at.

mod analysis;
mod head;

use std::collections::HashMap;

use serde_json::Value;
use serde_json::value::RawValue;

use super::build::build;
use super::model::{Act, Game, Model, Ply, Step, roll_of};
use crate::board::Player;
use crate::diagnostic::{Context, Finding, Findings, Level, syntax};
use crate::formats::json::{mended, offset};
use crate::formats::text::{encoding_guessed, mentions};
use crate::formats::{Format, Likely, NotThisFormat, Sink};
use crate::record::{MatchRecord, WrittenRoll};
use crate::source::{Source, Span};

pub(in crate::formats) static FORMAT: Format = Format {
    name: "gva",
    title: "GammonView JSON",
    extensions: &["gva"],
    sniff,
    binary: false,
    read: Some(read),
    read_made: None,
    cut: None,
    write: None,
    profiles: &[],
    verified: true,
    carries: &[],
};

fn sniff(source: &Source) -> Likely {
    let is_object = source.text().trim_start().starts_with('{');
    let has = |name| mentions(source, name);
    match is_object && has("\"action_id\"") && has("\"plies\"") && !has("\"record_version\"") {
        true => Likely::Yes,
        false => Likely::No,
    }
}

/// An object whose values are not looked at yet.
type Object<'a> = HashMap<String, &'a RawValue>;

fn read(source: &Source, sink: &mut Sink<'_>) -> Result<(), NotThisFormat> {
    let text = source.text();
    if !text.trim_start().starts_with('{') {
        return Err(NotThisFormat("not a JSON object".to_owned()));
    }
    let mut findings = Findings::default();
    if let Some(finding) = encoding_guessed(source) {
        findings.push(finding);
    }
    let error = match serde_json::from_str::<Object<'_>>(text) {
        Ok(object) => {
            hand_over(&object, source, findings, sink);
            return Ok(());
        }
        Err(error) => error,
    };
    let place = offset(text, 0, error.line(), error.column());
    let place = Span::new(place, place);
    let finding = if error.is_eof() {
        let label = "read up to the last whole ply";
        Finding::new(&syntax::TRUNCATED, place, "the match is cut", label)
    } else {
        let message = error.to_string();
        let reason = message
            .split(" at line ")
            .next()
            .unwrap_or(&message)
            .to_owned();
        let label = "the match is left out";
        Finding::new(&syntax::UNREADABLE_LINE, place, reason, label)
    };
    let context = Context {
        match_number: Some(1),
        ..Context::default()
    };
    findings.push(finding.within(context));
    let whole = mended(text, 0).filter(|_| error.is_eof());
    let mended = whole.and_then(|whole| Source::new("", whole.into_bytes(), Some("utf-8")).ok());
    let object = mended
        .as_ref()
        .and_then(|source| Some((serde_json::from_str(source.text()).ok()?, source)));
    match object {
        Some((object, source)) => hand_over(&object, source, findings, sink),
        None => sink(&MatchRecord::default(), &mut findings),
    }
    Ok(())
}

fn hand_over(object: &Object<'_>, source: &Source, findings: Findings, sink: &mut Sink<'_>) {
    let mut reading = Reading {
        source,
        is_library: object.contains_key("ogxm"),
        currencies: Vec::new(),
        model: Model::default(),
    };
    reading.head(object);
    for raw in items(object, "games") {
        let game = reading.game(raw);
        reading.model.games.push(game);
    }
    let mut built = build(reading.model);
    let mut all = findings;
    for finding in built.findings.take() {
        all.push(finding);
    }
    sink(&built.record, &mut all);
}

/// The values of a list in an object.
fn items<'a>(object: &Object<'a>, name: &str) -> Vec<&'a RawValue> {
    let list = object.get(name).map(|raw| raw.get());
    list.and_then(|list| serde_json::from_str(list).ok())
        .unwrap_or_default()
}

/// A value of an object, read as a whole.
fn value(object: &Object<'_>, name: &str) -> Value {
    let raw = object.get(name).map(|raw| raw.get());
    raw.and_then(|raw| serde_json::from_str(raw).ok())
        .unwrap_or_default()
}

fn number(value: &Value) -> Option<u32> {
    value.as_u64().and_then(|number| u32::try_from(number).ok())
}

/// A number, or the word for it.
fn code(value: &Value, words: &[&str]) -> Option<u32> {
    let word = value
        .as_str()
        .and_then(|word| words.iter().position(|other| *other == word));
    number(value).or_else(|| u32::try_from(word?).ok())
}

fn player(value: &Value) -> Option<Player> {
    match code(value, &["white", "black"])? {
        0 => Some(Player::One),
        1 => Some(Player::Two),
        _ => None,
    }
}

/// The numbers of checkers by pip.
fn board(value: &Value) -> Option<[i8; 26]> {
    let list = value.as_array()?;
    let numbers: Option<Vec<i8>> = list
        .iter()
        .map(|value| i8::try_from(value.as_i64()?).ok())
        .collect();
    numbers?.try_into().ok()
}

fn steps(value: &Value) -> Option<Vec<Step>> {
    let step = |step: &Value| {
        let part = |name: &str| number(&step[name]).and_then(|n| u8::try_from(n).ok());
        let step = Step {
            from: part("from")?,
            pips: part("pips")?,
        };
        (step.from <= 25 && step.pips <= 25).then_some(step)
    };
    match value {
        Value::Null => Some(Vec::new()),
        Value::Array(list) => list.iter().map(step).collect(),
        _ => None,
    }
}

/// A comment with its key and its author before it; `None`: nothing is said.
fn annotation(value: &Value) -> Option<String> {
    let part = |name: &str| value[name].as_str().filter(|part| !part.is_empty());
    let text = part("value")?;
    let parts = [part("key"), part("author"), Some(text)];
    let parts: Vec<&str> = parts.into_iter().flatten().collect();
    Some(parts.join(": "))
}

fn annotations(value: &Value) -> impl Iterator<Item = String> {
    value
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(annotation)
}

struct Reading<'a> {
    source: &'a Source,
    /// Whether HedgeHog's library wrote it.
    is_library: bool,
    /// What the equities of each block count.
    currencies: Vec<u32>,
    model: Model,
}

impl Reading<'_> {
    /// The place of an entry of an object, to the end of its value or of the line; the start of the object if
    /// it has none.
    fn span(&self, raw: &RawValue, key: &str) -> Option<Span> {
        let text = raw.get();
        let entry = &text[text.find(key).unwrap_or(0)..];
        let end = entry.find([',', '}', '\n', '\r']).unwrap_or(entry.len());
        Some(self.source.span(&entry[..end]))
    }

    fn odd(&mut self, message: &str, label: &str) {
        self.model
            .remark(&syntax::UNREADABLE_LINE, Level::Error, message, label);
    }

    fn game(&mut self, raw: &RawValue) -> Game {
        let mut game = Game {
            span: self.span(raw, "\"game_index\""),
            ..Game::default()
        };
        let Ok(object) = serde_json::from_str::<Object<'_>>(raw.get()) else {
            self.odd("a game that is no object", "left out");
            return game;
        };
        game.winner = player(&value(&object, "winner"));
        let points = number(&value(&object, "points_won")).filter(|&points| points > 0);
        game.points = points.filter(|_| game.winner.is_some());
        game.is_last = value(&object, "is_lastgame").as_bool() == Some(true);
        if value(&object, "is_crawford").as_bool() == Some(true) {
            game.notes.push(("crawford".to_owned(), "on".to_owned()));
        }
        game.board = board(&value(&object, "initial_board"));
        game.cube_value = number(&value(&object, "initial_cube_value"));
        game.cube_owner = player(&value(&object, "initial_cube_owner"));
        game.automatic_doubles = number(&value(&object, "auto_doubles")).unwrap_or(0);
        let ends = ["played_out", "dropped", "resigned", "settled", "forfeited"];
        game.termination = code(&value(&object, "termination"), &ends);
        game.comments
            .extend(annotations(&value(&object, "annotations")));
        for raw in items(&object, "plies") {
            let ply = self.ply(raw, game.winner);
            game.plies.push(ply);
        }
        // GammonView states the start of a game as its first ply, too.
        let first = game.plies.first().map(|ply| &ply.act);
        if let Some(&Act::SetPosition(board)) = first
            && !self.is_library
            && game.board.is_none_or(|start| start == board)
        {
            game.board = Some(board);
            game.plies.remove(0);
        }
        game
    }

    fn ply(&self, raw: &RawValue, winner: Option<Player>) -> Ply {
        let json: Value = serde_json::from_str(raw.get()).unwrap_or_default();
        let player = match number(&json["color"]) {
            Some(1) => Player::One,
            _ => Player::Two,
        };
        let act = act(&json);
        let player = match act {
            Act::Restated { .. } if self.is_library => !player,
            // Who forfeits is not who GammonView writes down, but who loses.
            Act::Forfeit if !self.is_library => winner.map_or(player, |winner| !winner),
            _ => player,
        };
        let mut ply = Ply::new(player, act);
        ply.span = self.span(raw, "\"action_id\"");
        // GammonView writes a board with dice for illegal plays only.
        let is_restated = matches!(ply.act, Act::Restated { .. });
        ply.illegal = json["illegal"]
            .as_bool()
            .unwrap_or(is_restated && !self.is_library);
        ply.time = json["timestamp_ms"].as_u64();
        annotations(&json["annotations"]).for_each(|text| ply.remark(&text));
        match json["analyses"].as_array() {
            Some(blocks) => {
                for (index, block) in (0..).zip(blocks) {
                    let index = number(&block["analysis_index"]).unwrap_or(index);
                    self.analysis(&mut ply, block, index);
                }
            }
            None => self.analysis(&mut ply, &json["analysis"], 0),
        }
        ply
    }
}

fn act(json: &Value) -> Act {
    let Some(action) = number(&json["action_id"]) else {
        return Act::Unreadable("a ply without an action".to_owned());
    };
    if let Some(roll) = u8::try_from(action).ok().and_then(roll_of) {
        return match steps(&json["moves"]) {
            Some(steps) => Act::Dice { roll, steps },
            None => Act::Unreadable(format!("{roll} with moves that are none")),
        };
    }
    let missing = |what: &str| Act::Unreadable(format!("action {action} without its {what}"));
    let die = |name: &str| {
        number(&json[name])
            .and_then(|die| u8::try_from(die).ok())
            .filter(|&die| die <= 9)
    };
    match action {
        21 => Act::Double,
        22 => Act::Take,
        23 => Act::Drop,
        24..=26 | 30 => Act::Marker,
        27 | 28 => Act::Resign {
            value: code(
                &json["resign_value"],
                &["", "single", "gammon", "backgammon"],
            ),
            of_match: action == 28,
        },
        29 => Act::Forfeit,
        31 => match (board(&json["set_position"]), die("d1"), die("d2")) {
            (Some(board), Some(one), Some(two)) => Act::Restated {
                roll: WrittenRoll(one.max(two), one.min(two)),
                board,
            },
            (Some(board), ..) => Act::SetPosition(board),
            _ => missing("board"),
        },
        32 => Act::Beaver,
        33 => Act::Raccoon,
        34 => match json["settle_value"].as_f64() {
            Some(points) => Act::Settle((points * 1e6).round() as i32),
            None => missing("value"),
        },
        36 => match number(&json["cube_value"]) {
            Some(value @ 1..) => Act::CubeSet {
                value,
                owner: player(&json["cube_owner"]),
            },
            _ => missing("value"),
        },
        37 => Act::ShutOut,
        other => Act::Unreadable(format!("action {other} is not known")),
    }
}
