//! From the record of a match to records of eXtreme Gammon. Experimental: nobody has opened the result in the
//! program itself.
//!
//! The program replays the lists of moves and compares; so every record has the boards before and after, the
//! dice, the cube and the points that each side needs, a cube record stands before every roll, and what was
//! not analysed says so in the program's own numbers. A match whose positions are not known throughout cannot
//! be told that way and is refused.

mod action;
mod of_game;
mod of_match;

use super::archive::{self, RECORD};
use super::records::KIND;
use super::{CARRIES, rtf};
use crate::board::{ByPlayer, Cube, Length, Move, Place, Play, Player, Position, Variant};
use crate::formats::binary::view_of;
use crate::formats::carry::{Item, Loss, losses};
use crate::formats::{CannotWrite, WriteOptions, Written};
use crate::record::{Action, MatchRecord, WrittenRoll};
use crate::replay::{GameSummary, Replay, rules_for};
use crate::ruleset::RuleOptions;

/// The version that is written: that of the program's own description, with the transcriber.
const VERSION: i32 = 30;

/// A record in the making.
struct Out(Vec<u8>);

impl Out {
    fn new(kind: u8) -> Out {
        let mut out = vec![0u8; RECORD];
        out[KIND] = kind;
        Out(out)
    }

    fn put<const N: usize>(&mut self, at: usize, bytes: [u8; N]) {
        self.0[at..at + N].copy_from_slice(&bytes);
    }

    fn i32(&mut self, at: usize, number: i32) {
        self.put(at, number.to_le_bytes());
    }

    fn i16(&mut self, at: usize, number: i16) {
        self.put(at, number.to_le_bytes());
    }

    fn f64(&mut self, at: usize, number: f64) {
        self.put(at, number.to_le_bytes());
    }

    fn flag(&mut self, at: usize, is_set: bool) {
        self.0[at] = u8::from(is_set);
    }

    fn board(&mut self, at: usize, numbers: [i8; 26]) {
        self.put(at, numbers.map(|number| number as u8));
    }
}

pub(super) fn write(
    record: &MatchRecord,
    replay: &Replay,
    options: &WriteOptions,
) -> Result<Written, CannotWrite> {
    let refuse = |why: &str| Err(CannotWrite(why.to_owned()));
    if options.before > 0 {
        return refuse("an .xg file holds one match");
    }
    if record.games.is_empty() {
        return refuse("an .xg file needs at least one game");
    }
    let Some(length) = record.length.map(|length| length.value) else {
        return refuse("the length of the match is not stated, and an .xg file needs one");
    };
    let variant = rules_for(record, &RuleOptions::default()).variant.value;
    let mut writer = Writer {
        record,
        replay,
        length,
        variant,
        out: Vec::new(),
        comments: Vec::new(),
        comment_lines: 0,
        losses: losses(record, CARRIES),
        base: 1,
        last: None,
        said: None,
        gave_up_after_rolling: false,
    };
    writer.header()?;
    for index in 0..record.games.len() {
        writer.game(index)?;
    }
    writer.match_end()?;
    Ok(writer.pack())
}

struct Writer<'a> {
    record: &'a MatchRecord,
    replay: &'a Replay,
    length: Length,
    variant: Variant,
    out: Vec<u8>,
    comments: Vec<u8>,
    /// How many lines those are: a comment is called by the number of its first one.
    comment_lines: usize,
    losses: Vec<Loss>,
    /// The cube at the start of the game: automatic doubles make it more than 1.
    base: u32,
    /// The player of the cube record that was written last, if no roll has followed it.
    last: Option<Player>,
    /// The turn of the cube that was written last, or its answer, if no roll has followed it.
    said: Option<(Player, Action)>,
    /// The last roll of the game has no play.
    gave_up_after_rolling: bool,
}

/// What goes into the records of one game from its heading.
struct Frame<'a> {
    summary: &'a GameSummary,
    number: usize,
}

impl Writer<'_> {
    fn lose(&mut self, item: Item, times: usize) {
        let times = u32::try_from(times).unwrap_or(u32::MAX);
        match self.losses.iter_mut().find(|loss| loss.item == item) {
            Some(loss) => loss.times = loss.times.saturating_add(times),
            None if times > 0 => self.losses.push(Loss { item, times }),
            None => {}
        }
    }

    fn push(&mut self, out: Out) {
        self.out.extend(out.0);
    }

    /// The number of a comment that comes back as it is; -1 if there is none.
    fn comment(&mut self, text: Option<&str>, item: Item) -> i32 {
        let Some(text) = text.filter(|text| !text.is_empty()) else {
            return -1;
        };
        let document = rtf::document(text);
        if rtf::text(&document) != text {
            self.lose(item, 1);
        }
        let lines = document.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let number = self.comment_lines;
        self.comment_lines += lines;
        self.comments.extend(document);
        self.comments.extend(b"\r\n");
        i32::try_from(number).unwrap_or(-1)
    }

    fn pack(mut self) -> Written {
        let ends = [&self.out[..RECORD], &self.out[self.out.len() - RECORD..]].concat();
        let mut files: Vec<(&str, &[u8])> =
            vec![("temp.xg", &self.out), ("temp.xgi", ends.as_slice())];
        if !self.comments.is_empty() {
            files.push(("temp.xgc", &self.comments));
        }
        let names = &self.record.names;
        let length = match self.length {
            Length::Money => "money session".to_owned(),
            Length::Points(points) => format!("{points} point match"),
        };
        let title = format!("{} vs. {}, {length}", names.one, names.two);
        self.losses.sort_by_key(|loss| loss.item);
        Written::new(archive::pack(&title, &files), self.losses)
    }
}

/// From and to of up to four moves, each one less than the own number; a checker that is borne off with a
/// larger die goes as far as the die.
fn pairs(moves: &Play, roll: WrittenRoll) -> [i32; 8] {
    let mut dice = match roll.0 == roll.1 {
        true => vec![i32::from(roll.0); 4],
        false => vec![i32::from(roll.0), i32::from(roll.1)],
    };
    let length = |moved: &Move| i32::from(moved.from.number()) - i32::from(moved.to.number());
    for moved in moves.moves() {
        if let Some(at) = dice.iter().position(|&die| die == length(moved)) {
            dice.remove(at);
        }
    }
    let exact = [i32::from(roll.0), i32::from(roll.1)];
    let mut pairs = [-1; 8];
    for (moved, pair) in moves.moves().iter().zip(pairs.chunks_exact_mut(2)) {
        pair[0] = i32::from(moved.from.number()) - 1;
        pair[1] = i32::from(moved.to.number()) - 1;
        if moved.to == Place::OFF && !exact.contains(&length(moved)) {
            let larger = dice.iter().position(|&die| die > length(moved));
            if let Some(at) = larger {
                pair[1] = pair[0] - dice.remove(at);
            }
        }
    }
    pairs
}

fn unknown(frame: &Frame<'_>, at: usize) -> CannotWrite {
    CannotWrite(format!(
        "the position is not known at action {} of game {}, and an .xg file states every position",
        at + 1,
        frame.number
    ))
}

fn number(value: u32) -> Result<i32, CannotWrite> {
    i32::try_from(value).map_err(|_| CannotWrite(format!("{value} is too large for an .xg file")))
}

fn exponent(value: u32) -> Result<i32, CannotWrite> {
    let exponent = Cube::exponent(value).filter(|&exponent| exponent <= 20);
    exponent.map(|exponent| exponent as i32).ok_or_else(|| {
        CannotWrite(format!(
            "the cube goes to {value}, and an .xg file knows powers of two only"
        ))
    })
}

fn sign(player: Player) -> i32 {
    match player {
        Player::One => 1,
        Player::Two => -1,
    }
}

fn owner(cube: Cube, player: Player) -> i32 {
    match cube.owner {
        None => 0,
        Some(owner) if owner == player => 1,
        Some(_) => -1,
    }
}

fn board(position: &Position, viewer: Player) -> [i8; 26] {
    let sides = [Player::One, Player::Two].map(|player| *position.side(player));
    view_of(viewer, ByPlayer::new(&sides[0], &sides[1]))
}

/// `1612.50/120`: a rating and the experience, if that is how it comes back.
fn elo(text: &str) -> Option<(f64, i32)> {
    let (elo, experience) = text.split_once('/')?;
    let (elo, experience) = (elo.parse::<f64>().ok()?, experience.parse::<i32>().ok()?);
    let is_usual = elo == 1600.0 && experience == 0;
    let comes_back = format!("{elo:.2}/{experience}") == text;
    let in_range = elo.abs() < 100_000.0 && elo != 0.0;
    (comes_back && in_range && !is_usual).then_some((elo, experience))
}
