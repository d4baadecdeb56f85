//! Writes positions of Jellyfish.

use encoding_rs::WINDOWS_1252;

use super::{FORMAT, OFFSET};
use crate::board::{Cube, Length, Player, Setup, Variant, is_match_point};
use crate::formats::binary::view_of;
use crate::formats::carry::{Item, Loss, inventory, losses, tag_item};
use crate::formats::{CannotWrite, WriteOptions, Written};
use crate::record::{GameRecord, MatchRecord};
use crate::replay::{Replay, rules_for};
use crate::ruleset::RuleOptions;

/// Writes the position from which the only game of a match starts.
pub(super) fn write(
    record: &MatchRecord,
    _: &Replay,
    options: &WriteOptions,
) -> Result<Written, CannotWrite> {
    let no = |why: &str| CannotWrite(why.to_owned());
    if options.before > 0 {
        return Err(no("a file holds one position"));
    }
    let [game] = record.games.as_slice() else {
        return Err(no("only a position can be written, which is one game"));
    };
    let start = game.start.as_ref().map(|start| &start.value);
    let start = start.filter(|_| game.entries.is_empty() && game.result.is_none());
    let start = start.ok_or_else(|| no("only a position can be written, and no plays"))?;
    if rules_for(record, &RuleOptions::default()).variant.value != Variant::Backgammon {
        return Err(no("only backgammon can be written"));
    }
    if !start.faults().is_empty() {
        return Err(no("the position cannot be played"));
    }
    let mut lost = losses(record, FORMAT.carries);
    let file = Writer {
        record,
        game,
        start,
        bytes: Vec::new(),
        lost: &mut lost,
    };
    let bytes = file.write().map_err(no)?;
    Ok(Written::new(bytes, lost))
}

struct Writer<'a> {
    record: &'a MatchRecord,
    game: &'a GameRecord,
    start: &'a Setup,
    bytes: Vec<u8>,
    lost: &'a mut Vec<Loss>,
}

impl Writer<'_> {
    fn write(mut self) -> Result<Vec<u8>, &'static str> {
        let length = self.record.length.map(|length| length.value);
        let length = length.ok_or("the length is not known")?;
        let score = self.game.score.ok_or("the score is not known")?.value;
        let cube = self.start.cube.ok_or("the cube is not known")?;
        let turn = self.start.turn.ok_or("nobody knows who is on roll")?;
        let small = |number: u32| i16::try_from(number).map_err(|_| "a number is too large");
        if !cube.value.is_power_of_two() {
            return Err("the cube shows no power of two");
        }
        self.options(length);
        self.cube(cube, small(cube.value)?, turn);
        let is_money = length == Length::Money;
        // Two people, and the level that is the usual one.
        let kind = if is_money { 3 } else { 1 };
        let points = small(length.points().unwrap_or(0))?;
        self.numbers(&[0, 0, 0, kind, 1, 7, points]);
        self.numbers(&[small(score.one)?, small(score.two)?]);
        for player in Player::BOTH {
            self.name(player);
        }
        let crawford = self.crawford(length, is_money);
        self.numbers(&[0, crawford, 0]);
        // No last move.
        self.bytes.push(0);
        let roll = self.start.roll;
        let dice = roll.map_or([0, 0], |roll| {
            [roll.0, roll.1].map(|die| i16::from(die.pips()))
        });
        self.numbers(&dice);
        let seen = view_of(Player::Two, self.start.checkers.as_ref());
        for &number in seen.iter().rev() {
            let number = i16::from(number) + OFFSET;
            self.numbers(&[number, number]);
        }
        Ok(self.bytes)
    }

    fn numbers(&mut self, numbers: &[i16]) {
        for number in numbers {
            self.bytes.extend(number.to_le_bytes());
        }
    }

    /// The version and what is agreed. What cannot be said is lost.
    fn options(&mut self, length: Length) {
        let rules: Vec<(String, &str)> = self
            .record
            .tags
            .iter()
            .filter(|tag| tag_item(&tag.name) == Item::RuleTags)
            .map(|tag| (tag.name.to_ascii_lowercase(), tag.value.as_str()))
            .collect();
        let switch = |name: &str| {
            let tag = rules.iter().find(|(rule, _)| rule == name);
            tag.map(|(_, value)| *value == "On")
        };
        let is_held = |(name, value): &(String, &str)| match name.as_str() {
            "jacoby" | "beaver" => length == Length::Money && matches!(*value, "On" | "Off"),
            "cubelimit" => *value == "1",
            _ => false,
        };
        let (jacoby, beavers) = (switch("jacoby"), switch("beaver"));
        let no_cube = rules
            .iter()
            .any(|rule| is_held(rule) && rule.0 == "cubelimit");
        let is_bare = rules.is_empty() && length == Length::Money;
        let mut names: Vec<&String> = rules.iter().map(|(name, _)| name).collect();
        names.sort();
        let is_twice = names.windows(2).any(|pair| pair[0] == pair[1]);
        // Version 126 always speaks of both.
        let is_half = length == Length::Money && !is_bare && jacoby.is_none() | beavers.is_none();
        if self.record.variation.is_some() || is_twice || is_half || !rules.iter().all(is_held) {
            self.lose(Item::RuleTags);
        }
        if is_bare {
            return self.numbers(&[124]);
        }
        let flag = |on: Option<bool>| i16::from(on == Some(true));
        self.numbers(&[126, 0, 0, i16::from(!no_cube), flag(jacoby), flag(beavers)]);
    }

    fn cube(&mut self, cube: Cube, value: i16, turn: Player) {
        let number = |player: Player| player.index() as i16 + 1;
        let turn = match self.start.roll {
            Some(_) => number(turn),
            None => number(turn) + 2,
        };
        self.numbers(&[value, cube.owner.map_or(0, number), turn]);
    }

    /// A name, as far as there is room for it.
    fn name(&mut self, player: Player) {
        let name = self.record.names[player].as_str();
        let (bytes, _, is_lossy) = WINDOWS_1252.encode(name);
        // What would be read as UTF-8 again is written as such.
        let bytes = match is_lossy || std::str::from_utf8(&bytes).is_ok() {
            true => name.as_bytes(),
            false => &bytes,
        };
        let room = bytes.len().min(usize::from(u8::MAX));
        let is_own = self.game.names[player].is_some();
        if room < bytes.len() || is_own || name.trim() != name {
            self.lose(Item::Names);
        }
        self.bytes.push(room as u8);
        self.bytes.extend(&bytes[..room]);
    }

    /// Whether this is the Crawford game, or whether it is over.
    fn crawford(&mut self, length: Length, is_money: bool) -> i16 {
        let Some(stated) = self.game.crawford else {
            return 1;
        };
        let score = self.game.score.map(|score| score.value).unwrap_or_default();
        let is_short = length
            .points()
            .is_some_and(|length| is_match_point(score, length));
        match stated.value {
            true if !is_money => 2,
            false if is_short => 3,
            _ => {
                self.lose(Item::CrawfordGame);
                1
            }
        }
    }

    fn lose(&mut self, item: Item) {
        let held = inventory(self.record)
            .into_iter()
            .find(|loss| loss.item == item);
        if !self.lost.iter().any(|loss| loss.item == item) {
            self.lost.push(Loss {
                item,
                times: held.map_or(1, |loss| loss.times),
            });
        }
    }
}
