//! Transcriptions of lazyBG (`.lbg`): JSON, version 1.0.0.
//!
//! ```text
//! file = { version, metadata, games: [ game ] }
//! game = { gameNumber, player1Score, player2Score, moves: [ move ], winner: { player, points } }
//! move = { moveNumber, player1Move: half, player2Move: half }
//! half = { dice, move, isIllegal, isGala } | { cubeAction, cubeValue } | { resignAction }
//! ```
//!
//! The first player is the one of the left column; `isGala` says that nothing could be moved. Places are those
//! of the objects in the text, found by their keys: what reads the JSON does not know where it stood.

use serde_json::{Map, Value};

use super::carry::{Carried, Item};
use super::notation::written_play;
use super::recorder::{Recorder, date, starts};
use super::{Format, Likely, NotThisFormat, Sink};
use crate::board::{ByPlayer, Length, Player, Win};
use crate::record::{Action, Entry, GameResult, WrittenPlay, WrittenRoll};
use crate::source::{Source, Span, Spanned};

pub(super) static FORMAT: Format = Format {
    name: "lbg",
    title: "lazyBG transcription",
    extensions: &["lbg"],
    sniff,
    binary: false,
    read: Some(read),
    read_made: None,
    cut: None,
    write: None,
    profiles: &[],
    verified: false,
    carries: &[
        (Item::Names, Carried::Yes),
        (Item::Length, Carried::Yes),
        (Item::Scores, Carried::Yes),
        (Item::Event, Carried::Yes),
        (Item::RuleTags, Carried::Partly),
        (Item::GameNumbers, Carried::Yes),
        (Item::CubeActions, Carried::Yes),
        (Item::CubeValues, Carried::Yes),
        (Item::Dances, Carried::Yes),
        (Item::UnrecordedPlays, Carried::Yes),
        (Item::IllegalPlays, Carried::Yes),
        (Item::DeclaredIllegal, Carried::Yes),
        (Item::Resignations, Carried::Yes),
        (Item::Results, Carried::Yes),
        (Item::RowNumbers, Carried::Yes),
    ],
};

/// JSON with the keys of this program.
fn sniff(source: &Source) -> Likely {
    let text = source.text().trim_start();
    let has = |key: &str| memchr::memmem::find(text.as_bytes(), key.as_bytes()).is_some();
    if !text.starts_with('{') || !has("\"games\"") {
        return Likely::No;
    }
    if has("\"player1Move\"") || has("\"player2Move\"") {
        Likely::Yes
    } else if has("\"metadata\"") && has("\"matchLength\"") {
        Likely::Maybe
    } else {
        Likely::No
    }
}

fn read(source: &Source, sink: &mut Sink<'_>) -> Result<(), NotThisFormat> {
    let value: Value = serde_json::from_str(source.text())
        .map_err(|error| NotThisFormat(format!("no JSON: {error}")))?;
    let mut reader = Reader {
        recorder: Recorder::new(source),
        at: 0,
    };
    reader.recorder.marks_hits = true;
    if let Some(Value::Object(metadata)) = value.get("metadata") {
        reader.metadata(metadata);
    }
    for game in value
        .get("games")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        reader.game(game);
    }
    reader.recorder.hand_over(sink)
}

/// A value as text: a string, a number, or a switch.
fn text(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(on) => Some(if *on { "On" } else { "Off" }.to_owned()),
        _ => None,
    }
}

fn number(value: Option<&Value>) -> Option<u32> {
    text(value)?.parse().ok()
}

fn is_set(half: &Map<String, Value>, key: &str) -> bool {
    half.get(key).and_then(Value::as_bool) == Some(true)
}

struct Reader<'s> {
    recorder: Recorder<'s>,
    /// What stands before this byte was read.
    at: usize,
}

impl Reader<'_> {
    /// The place of a key and its value, from what was not read yet on.
    fn find(&self, key: &str, is_object: bool) -> Option<Span> {
        let text = self.recorder.source.text();
        let quoted = format!("\"{key}\"");
        let starts = memchr::memmem::find_iter(&text.as_bytes()[self.at..], quoted.as_bytes());
        starts
            .map(|start| self.at + start)
            .find_map(|start| member(text, start, start + quoted.len(), is_object))
    }

    /// The place of an object; where it is not found, that of the game.
    fn object(&self, key: &str) -> Span {
        let heading = self.recorder.record.games.last().map(|game| game.heading);
        self.find(key, true)
            .or(heading)
            .unwrap_or_else(|| Span::new(self.at as u32, self.at as u32))
    }

    fn read_to(&mut self, span: Span) {
        self.at = self.at.max(span.end as usize);
    }

    fn metadata(&mut self, metadata: &Map<String, Value>) {
        const TAGS: [(&str, &str); 9] = [
            ("site", "Site"),
            ("matchId", "Match ID"),
            ("event", "Event"),
            ("round", "Round"),
            ("eventTime", "EventTime"),
            ("variation", "Variation"),
            ("unrated", "Unrated"),
            ("cubeLimit", "CubeLimit"),
            ("transcriber", "Transcriber"),
        ];
        let value = |key: &str| text(metadata.get(key)).unwrap_or_default();
        self.recorder.record.names = ByPlayer::new(value("player1"), value("player2"));
        for (key, name) in TAGS {
            let span = self.find(key, false).unwrap_or_default();
            self.recorder.tag(name, &value(key), span);
        }
        let span = self.find("eventDate", false).unwrap_or_default();
        self.recorder
            .tag("EventDate", &date(&value("eventDate")), span);
        if !value("crawford").is_empty() {
            let span = self.find("crawford", false).unwrap_or_default();
            self.recorder.switch("Crawford", &value("crawford"), span);
        }
        if metadata
            .get("matchLength")
            .is_some_and(|value| !value.is_null())
        {
            self.length(&value("matchLength"));
        }
    }

    fn length(&mut self, value: &str) {
        let span = self.find("matchLength", false).unwrap_or_default();
        let length = match value.parse::<u32>() {
            Ok(0) => Length::Money,
            Ok(points) if points < 9999 => Length::Points(points),
            _ => {
                let message = format!("{value:?} is no length of a match");
                let label = "a length is a number from 0 (money play) to 9998";
                return self.recorder.bad_header(span, message, label);
            }
        };
        self.recorder.record.length = Some(Spanned::new(length, span));
    }

    fn game(&mut self, game: &Value) {
        let heading = self.find("gameNumber", false);
        let here = Span::new(self.at as u32, self.at as u32);
        let heading = heading.unwrap_or(here);
        self.read_to(heading);
        self.recorder.start_game(heading);
        let score = number(game.get("player1Score")).zip(number(game.get("player2Score")));
        if let Some(record) = self.recorder.game() {
            let number = number(game.get("gameNumber"));
            record.number = number.map(|number| Spanned::new(number, heading));
            record.score = score.map(|(one, two)| Spanned::new(ByPlayer::new(one, two), heading));
        }
        let moves = game.get("moves").and_then(Value::as_array);
        for (index, moved) in moves.into_iter().flatten().enumerate() {
            self.moved(moved, index);
        }
        if let Some(Value::Object(winner)) = game.get("winner") {
            let span = self.object("winner");
            self.read_to(span);
            self.winner(winner, span);
        }
    }

    fn winner(&mut self, winner: &Map<String, Value>, span: Span) {
        let name = text(winner.get("player")).unwrap_or_default();
        let names = &self.recorder.record.names;
        let player = match name.as_str() {
            "1" | "player1" => Some(Player::One),
            "2" | "player2" => Some(Player::Two),
            _ => Player::BOTH
                .into_iter()
                .find(|&player| !name.is_empty() && names[player] == name),
        };
        if player.is_none() {
            return self.recorder.loose(span);
        }
        let result = GameResult {
            winner: player,
            points: number(winner.get("points")),
            ..GameResult::default()
        };
        self.recorder.result(result, span);
    }

    fn moved(&mut self, moved: &Value, index: usize) {
        let row = number(moved.get("moveNumber")).unwrap_or(index as u32 + 1);
        // Both are looked for from the same place: their order in the text is free.
        let halves = [(Player::One, "player1Move"), (Player::Two, "player2Move")];
        let found = halves.map(|(player, key)| {
            let half = moved.get(key).and_then(Value::as_object);
            half.map(|half| (player, half, self.object(key)))
        });
        for (player, half, span) in found.into_iter().flatten() {
            self.half(player, half, row, span);
            self.read_to(span);
        }
    }

    fn half(&mut self, player: Player, half: &Map<String, Value>, row: u32, span: Span) {
        if half.values().all(Value::is_null) {
            return;
        }
        if let Some(comment) = text(half.get("comment")).filter(|comment| !comment.is_empty()) {
            self.recorder.remark(span, &comment);
        }
        let words = |key: &str| text(half.get(key)).filter(|text| !text.is_empty());
        if let Some(dice) = words("dice") {
            return self.rolled(player, &dice, half, row, span);
        }
        let cube = words("cubeAction").and_then(|word| cube_action(&word, half));
        let resigned = words("resignAction").map(|word| Action::Resign { win: win(&word) });
        match cube.or(resigned) {
            Some(action) => self.recorder.action(player, action, row, span),
            None => self.recorder.unreadable(player, row, span),
        }
    }

    fn rolled(
        &mut self,
        player: Player,
        dice: &str,
        half: &Map<String, Value>,
        row: u32,
        span: Span,
    ) {
        let &[a @ b'0'..=b'9', b @ b'0'..=b'9'] = dice.as_bytes() else {
            return self.recorder.unreadable(player, row, span);
        };
        let roll = WrittenRoll(a - b'0', b - b'0');
        let moves = text(half.get("move")).unwrap_or_default();
        let play = match written_play(&moves) {
            Ok((_, WrittenPlay::Nothing)) if is_set(half, "isGala") => WrittenPlay::CannotMove,
            Ok((rest, play)) if rest.trim().is_empty() => play,
            _ => return self.recorder.garbled(player, roll, row, span),
        };
        let mut entry = Entry::new(player, Action::Play { roll, play }, row, span);
        if is_set(half, "isIllegal") {
            entry.extra_mut().declared_illegal = true;
        }
        self.recorder.entry(entry);
    }
}

fn cube_action(word: &str, half: &Map<String, Value>) -> Option<Action> {
    let to = number(half.get("cubeValue"));
    let is = |stem| starts(word, stem);
    if is("double") || is("redouble") {
        let after_roll = None;
        Some(Action::Double { to, after_roll })
    } else if is("take") || is("accept") {
        Some(Action::Take)
    } else if is("drop") || is("pass") || is("reject") {
        Some(Action::Pass)
    } else if is("beaver") {
        Some(Action::Beaver { to })
    } else {
        None
    }
}

fn win(word: &str) -> Option<Win> {
    let word = word.to_ascii_lowercase();
    if word == "normal" {
        return Some(Win::Single);
    }
    Win::ALL
        .into_iter()
        .rev()
        .find(|win| word.contains(win.name()))
}

/// The place of a member whose key stands from `start` to `end`, its value included; only of one that is an
/// object if that is asked for. `None` if a key like it stands there for something else.
fn member(text: &str, start: usize, end: usize, is_object: bool) -> Option<Span> {
    let rest = text[end..].trim_start().strip_prefix(':')?.trim_start();
    let value = text.len() - rest.len();
    let length = if rest.starts_with('{') {
        object_length(rest)
    } else if is_object {
        return None;
    } else {
        scalar_length(rest)
    };
    Some(Span::new(start as u32, (value + length) as u32))
}

/// How long the object is that a text starts with.
fn object_length(text: &str) -> usize {
    let (mut depth, mut in_string, mut escaped) = (0usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' if !in_string => depth += 1,
            b'}' if !in_string => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    text.len()
}

/// How long the string, number or word is that a text starts with.
fn scalar_length(text: &str) -> usize {
    if !text.starts_with('"') {
        let end = text.find([',', '}', ']', '\n']);
        return text[..end.unwrap_or(text.len())].trim_end().len();
    }
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::super::recorder::testing::{actions, damage, matches, only};
    use super::*;
    use crate::formats::detect;

    const MATCH: &str = include_str!("../../fixtures/lbg/lazybg.lbg");

    fn game(moves: &str) -> (crate::record::MatchRecord, Vec<&'static str>) {
        only(&FORMAT, &format!("{{\"games\":[{{\"moves\":[{moves}]}}]}}"))
    }

    #[test]
    fn a_transcription_is_read_with_its_places() {
        let (record, codes) = only(&FORMAT, MATCH);
        assert_eq!(codes, [""; 0]);
        assert_eq!(
            (record.names.one.as_str(), record.games.len()),
            ("Amira", 2)
        );
        let tag = |name: &str| record.tag(name).map(|tag| tag.value.as_str());
        assert_eq!(
            (tag("EventDate"), tag("Crawford")),
            (Some("2026.02.09"), Some("On"))
        );
        let source = Source::new("x.lbg", MATCH.into(), None).expect("a source");
        assert_eq!(detect(&source).map(|format| format.name), Some("lbg"));
        for game in &record.games {
            assert!(source.slice(game.heading).starts_with("\"gameNumber\""));
            for entry in &game.entries {
                let key = ["\"player1Move\"", "\"player2Move\""][entry.player.index()];
                let place = source.slice(entry.span);
                assert!(place.starts_with(key) && place.ends_with('}'), "{place}");
            }
        }
    }

    #[test]
    fn an_illegal_play_is_declared() {
        let (record, _) =
            game(r#"{"player1Move":{"dice":"31","move":"8/4 6/5","isIllegal":true}}"#);
        let entry = &record.games[0].entries[0];
        assert!(
            entry
                .extra
                .as_ref()
                .is_some_and(|extra| extra.declared_illegal)
        );
    }

    #[test]
    fn every_kind_of_half_is_read() {
        let (record, codes) = game(
            r#"{"player2Move":{"dice":66,"move":"","isGala":true},"player1Move":null},
            {"player1Move":{"cubeAction":"doubles","cubeValue":2},"player2Move":{"cubeAction":"takes"}},
            {"player1Move":{"dice":"21","move":"????"},"player2Move":{"resignAction":"gammon"}},
            {"player1Move":{"dice":"7"},"player2Move":{"dice":"31","move":"8/5 6//5"}},
            {"player1Move":{"cubeAction":"shrugs"},"player2Move":{"dice":null}}"#,
        );
        let expected = [
            "2 66: cannot",
            "1 double 2",
            "2 take",
            "1 21: ?",
            "2 resign { win: some(gammon) }",
            "1 unreadable",
            "2 31: ?",
            "1 unreadable",
        ];
        assert_eq!(actions(&record.games[0]), expected);
        assert_eq!(codes, ["unreadable-line"; 3]);
    }

    #[test]
    fn damage_is_survived() {
        damage(&FORMAT, &MATCH[..500]);
        damage(
            &FORMAT,
            r#"{"games":[{"moves":[{"player1Move":{"dice":"31","move":"8/5"}}],"winner":{"player":1}}]}"#,
        );
        assert!(matches(&FORMAT, "{\"games\":[]}").is_empty());
    }
}
