//! Analysis of the record as decisions.
//!
//! What is written is read again at once: where the same names and values come back in the same order nothing
//! is lost. Names of other blocks and of other formats have no place.

use super::Writer;
use crate::board::{self, Player, Plays, Position, Roll, Verdict, judge, legal_plays};
use crate::formats::carry::Item;
use crate::formats::notation::written_play;
use crate::formats::ogxm::cursor::{Record, put_varint};
use crate::formats::ogxm::decisions::{Block, decisions};
use crate::formats::ogxm::model::{Act, Game, Model, Ply, Step};
use crate::formats::ogxm::write::game::Here;
use crate::formats::ogxm::write::steps::playable;
use crate::record::{Action, Entry, WrittenPlay, analysis as names};
use crate::replay::{Known, ReplayStep};

/// What equities count: points, or match winning chances.
const POINTS: u32 = 1;
const CHANCES: u32 = 2;

/// The head of the block: it was not made by the programs that the format knows by number.
pub(super) fn head(one: u32, two: u32, currency: u32) -> Vec<u8> {
    const EXTERNAL: u64 = 2;
    let mut record = Record::default();
    let mut id = [0; 16];
    id[..4].copy_from_slice(&one.to_le_bytes());
    id[4..8].copy_from_slice(&two.to_le_bytes());
    // An identifier of the kind whose bits are free but for these.
    (id[6], id[8]) = (id[6] & 0x0f | 0x80, 0x80);
    record.body.extend_from_slice(&id);
    record.number(1, EXTERNAL);
    record.number(9, u64::from(currency));
    let mut payload = Vec::new();
    record.put(&mut payload);
    payload
}

impl Writer<'_> {
    /// The decisions of the ply that is being written.
    pub(super) fn analysis(&mut self, here: &Here<'_>, is_restated: bool) {
        let (entry, step) = (here.entry, here.step);
        let before = here.index.checked_sub(1);
        let before = before.map(|before| &self.record.games[here.game].entries[before]);
        let goes_on =
            |later: &Entry| matches!(later.action, Action::Play { .. } | Action::Double { .. });
        let Some(pairs) = pairs(entry).filter(|pairs| !pairs.is_empty()) else {
            return;
        };
        // A play that is told by its board can have decisions in a later version only.
        if is_restated {
            return self.lose(Item::Analysis, 1);
        }
        let is_chances = pairs.iter().any(|(name, _)| name.ends_with("-mwc"));
        let currency = if is_chances { CHANCES } else { POINTS };
        let decision = Decision {
            entry,
            step,
            unit: if is_chances { "-mwc" } else { "" },
            pairs,
            is_last: !here.later.iter().any(goes_on),
        };
        let written = decision.written(self.plies);
        let fits = *self.currency.get_or_insert(currency) == currency;
        // Chances that the double before has too would be turned round.
        let is_repeated = |pair: &(String, String)| {
            pair.0 == names::CUBE_CHANCES
                && before
                    .and_then(self::pairs)
                    .is_some_and(|b| b.contains(pair))
        };
        let is_turned = decision.is_answer() && pairs.iter().any(is_repeated);
        if !fits || is_turned || decision.read(&decision.written(0), currency) != *pairs {
            self.lose(Item::Analysis, 1);
        }
        if fits && !is_turned {
            self.decisions.extend(written);
        }
    }
}

fn pairs(entry: &Entry) -> Option<&[(String, String)]> {
    Some(entry.extra.as_deref()?.analysis.as_slice())
}

/// What is said of an entry.
struct Decision<'a> {
    entry: &'a Entry,
    step: Option<ReplayStep<'a>>,
    /// How the names of equities end.
    unit: &'static str,
    pairs: &'a [(String, String)],
    /// Whether nothing but a resignation follows.
    is_last: bool,
}

impl Decision<'_> {
    fn is_answer(&self) -> bool {
        matches!(
            self.entry.action,
            Action::Take | Action::Pass | Action::Beaver { .. } | Action::Raccoon { .. }
        )
    }

    fn text(&self, name: &str) -> Option<&str> {
        let found = self.pairs.iter().find(|(other, _)| other == name);
        found.map(|(_, value)| value.as_str())
    }

    /// An equity or a loss, in millionths.
    fn number(&self, name: &str) -> Option<i64> {
        millionths(self.text(&format!("{name}{}", self.unit))?)
    }

    fn equity(&self, name: &str) -> Option<i32> {
        i32::try_from(self.number(name)?).ok()
    }

    fn loss(&self, name: &str) -> Option<u32> {
        u32::try_from(self.number(name)?).ok()
    }

    /// The records for the ply with a number.
    fn written(&self, ply: u32) -> Vec<u8> {
        let mut out = Vec::new();
        let records = [self.checker(ply), self.cube(ply), self.luck(ply)];
        records
            .iter()
            .flatten()
            .for_each(|record| record.put(&mut out));
        out
    }

    /// The names and values that a reader makes of records for the ply 0.
    fn read(&self, records: &[u8], currency: u32) -> Vec<(String, String)> {
        let act = match self.entry.action {
            Action::Take | Action::Pass | Action::Beaver { .. } | Action::Raccoon { .. } => {
                Act::Take
            }
            _ => Act::Double,
        };
        let game = Game {
            plies: vec![Ply::new(self.entry.player, act)],
            ..Game::default()
        };
        let mut model = Model {
            games: vec![game],
            ..Model::default()
        };
        decisions(records, &Block::of_unit(1, currency), &mut model);
        let ply = model
            .ply_mut(0)
            .map(|ply| std::mem::take(&mut ply.analysis));
        ply.unwrap_or_default()
    }

    fn record(&self, ply: u32, kind: u64) -> Record {
        let mut record = Record::default();
        put_varint(&mut record.body, u64::from(ply));
        put_varint(&mut record.body, kind);
        record
    }

    fn checker(&self, ply: u32) -> Option<Record> {
        let Action::Play { roll, play } = &self.entry.action else {
            return None;
        };
        let name = format!("{}{}", names::CANDIDATE, self.unit);
        let texts = self.pairs.iter().filter(|(other, _)| *other == name);
        let mut candidates: Vec<Alternative> = Vec::new();
        for candidate in texts.filter_map(|(_, text)| self.alternative(roll.roll()?, text)) {
            // Two ways to the same position are one play to the format.
            if candidates
                .iter()
                .all(|other| other.reached != candidate.reached)
            {
                candidates.push(candidate);
            }
        }
        let loss = self.loss(names::ERROR);
        // A roll that was not played is no decision, not even a dance before a resignation.
        let is_played = match play {
            WrittenPlay::Moves(_) => true,
            _ => !self.is_last && !self.can_play(),
        };
        if !is_played || (candidates.is_empty() && loss.is_none()) {
            return None;
        }
        let is_known =
            !matches!(play, WrittenPlay::NotRecorded) && self.equity(names::EQUITY).is_some();
        let reached = self.step.map(|step| step.after.position);
        let played = candidates
            .iter()
            .position(|candidate| is_known && Some(candidate.reached) == reached);
        let mut record = self.record(ply, 0);
        if !candidates.is_empty() {
            put_varint(record.field(0), candidates.len() as u64);
        }
        for (index, candidate) in candidates.iter().enumerate() {
            candidate.put(Some(index) == played, &mut record.body);
        }
        // What was lost follows from the candidates if the play is one of them, and may then not be stated.
        if let Some(loss) = loss.filter(|_| played.is_none()) {
            record.field(3).extend_from_slice(&loss.to_le_bytes());
        }
        self.level(names::LEVEL, 4, 1, &mut record);
        Some(record)
    }

    /// Whether there was something to play and it is not known that it was played.
    fn can_play(&self) -> bool {
        let Action::Play { roll, .. } = &self.entry.action else {
            return false;
        };
        let known = self.step.zip(roll.roll());
        known.is_some_and(|(step, roll)| {
            let before = step.before.position;
            step.after.position == before && board::can_play(&before, self.entry.player, roll)
        })
    }

    /// A level: a number of plies, or a word.
    fn level(&self, name: &str, bit: u32, plies: u32, record: &mut Record) {
        let Some(text) = self.text(name) else { return };
        let mut level = Record::default();
        let number = text
            .strip_suffix("-ply")
            .and_then(|number| number.parse().ok());
        match number.filter(|number: &u32| format!("{number}-ply") == text) {
            Some(number) => level.number(plies, u64::from(number)),
            None => level.text(0, text),
        }
        level.put(record.field(bit));
    }

    /// `24/18 13/11 +0.083 win 52.90 9.80 0.40 loss 47.10 11.30 0.30`
    fn alternative(&self, roll: Roll, text: &str) -> Option<Alternative> {
        let step = self
            .step
            .filter(|step| step.before.known != Known::Unknown)?;
        let player = self.entry.player;
        let is_number = |word: &str| word.starts_with(['+', '-']) && millionths(word).is_some();
        let words: Vec<&str> = text.split(' ').collect();
        let at = words.iter().position(|word| is_number(word))?;
        let equity = i32::try_from(millionths(words[at])?).ok()?;
        let chances = chances(&words[at + 1..].join(" "));
        let before = step.before.position;
        let (reached, steps) = match written_play(&words[..at].join(" ")).ok()? {
            ("", WrittenPlay::Moves(moves)) => {
                // Of a text that can be read in several ways the play that was made is one: the one with its
                // equity.
                let made = step.after.position;
                let own = match &self.entry.action {
                    Action::Play {
                        play: WrittenPlay::Moves(own),
                        ..
                    } => {
                        let is_same = own.to_string() == moves.to_string();
                        is_same && self.equity(names::EQUITY) == Some(equity)
                    }
                    _ => false,
                };
                let reached = match judge(&before, player, roll, moves.moves()) {
                    Verdict::Legal(reading) => reading.position,
                    Verdict::Ambiguous(_) if own => made,
                    Verdict::Ambiguous(_) => return None,
                    Verdict::Illegal { .. } => return None,
                };
                (reached, steps(before, reached, player, roll)?)
            }
            ("", WrittenPlay::CannotMove | WrittenPlay::Nothing) => (before, Vec::new()),
            _ => return None,
        };
        Some(Alternative {
            steps,
            equity,
            chances,
            reached,
        })
    }

    fn cube(&self, ply: u32) -> Option<Record> {
        let verdict = match (self.text(names::CUBE_VERDICT)?, self.is_answer()) {
            ("no double", _) => 0,
            ("double, take" | "double, pass", false) => 1,
            ("double, take", true) => 2,
            ("double, pass", true) => 3,
            ("too good", _) => 4,
            ("beaver", _) => 5,
            ("raccoon", _) => 6,
            _ => return None,
        };
        let mut record = self.record(ply, 1);
        put_varint(&mut record.body, verdict);
        // The equities of an answer are the doubler's.
        let seen = |equity: i32| match (self.is_answer(), self.unit) {
            (false, _) => Some(equity),
            (true, "") => equity.checked_neg(),
            (true, _) => 1_000_000i32.checked_sub(equity),
        };
        let equities = [names::NO_DOUBLE, names::DOUBLE_TAKE, names::DOUBLE_PASS];
        for (bit, name) in (0..).zip(equities) {
            if let Some(equity) = self.equity(name).and_then(seen) {
                record.field(bit).extend_from_slice(&equity.to_le_bytes());
            }
        }
        if let Some(chances) = self.text(names::CUBE_CHANCES).and_then(chances) {
            put_chances(record.field(3), chances);
        }
        let error = if self.is_answer() {
            names::TAKE_ERROR
        } else {
            names::CUBE_ERROR
        };
        if let Some(loss) = self.loss(error) {
            record.field(4).extend_from_slice(&loss.to_le_bytes());
        }
        let point = self.text("take-point").and_then(hundredths);
        if let Some(point) = point {
            record.field(5).extend_from_slice(&point.to_le_bytes());
        }
        self.level(names::CUBE_LEVEL, 7, 2, &mut record);
        if let Some(value) = self.equity("take-value") {
            record.field(10).extend_from_slice(&value.to_le_bytes());
        }
        Some(record)
    }

    fn luck(&self, ply: u32) -> Option<Record> {
        let luck = self.equity(names::LUCK)?;
        let mut record = self.record(ply, 3);
        record.body.extend_from_slice(&luck.to_le_bytes());
        Some(record)
    }
}

/// A play that was looked at.
struct Alternative {
    steps: Vec<Step>,
    equity: i32,
    chances: Option<[u16; 5]>,
    reached: Position,
}

impl Alternative {
    fn put(&self, is_played: bool, out: &mut Vec<u8>) {
        let mut record = Record::default();
        put_varint(&mut record.body, self.steps.len() as u64);
        record
            .body
            .extend(self.steps.iter().map(|step| step.byte()));
        record.body.extend_from_slice(&self.equity.to_le_bytes());
        if let Some(chances) = self.chances {
            put_chances(record.field(0), chances);
        }
        if is_played {
            record.field(2);
        }
        record.put(out);
    }
}

/// The steps of a legal play between two positions.
fn steps(before: Position, reached: Position, player: Player, roll: Roll) -> Option<Vec<Step>> {
    let mut plays = Plays::new();
    legal_plays(&before, player, roll, &mut plays);
    let play = plays.leading_to(&reached)?;
    let (numbers, count) = roll.numbers();
    playable(before, player, play.moves(), &numbers[..count])
}

/// A decimal number as millionths, if it has no more digits than that.
fn millionths(text: &str) -> Option<i64> {
    let value: f64 = text.parse().ok()?;
    let millionths = (value * 1e6).round();
    // A sign, digits and a point: no number in words.
    let is_plain = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || b"+-.".contains(&byte));
    (is_plain && millionths.abs() <= f64::from(u32::MAX)).then_some(millionths as i64)
}

fn hundredths(text: &str) -> Option<u16> {
    let value: f64 = text.parse().ok()?;
    let hundredths = (value * 100.0).round();
    (0.0..=f64::from(u16::MAX))
        .contains(&hundredths)
        .then_some(hundredths as u16)
}

/// `win … loss …`: the chances that the format has; the lost games follow from the won ones.
fn chances(text: &str) -> Option<[u16; 5]> {
    let (won, lost) = text.strip_prefix("win ")?.split_once(" loss ")?;
    let numbers = won.split(' ').chain(lost.split(' ').skip(1));
    let numbers: Option<Vec<u16>> = numbers.map(hundredths).collect();
    numbers?.try_into().ok()
}

fn put_chances(out: &mut Vec<u8>, chances: [u16; 5]) {
    for chance in chances {
        out.extend_from_slice(&chance.to_le_bytes());
    }
}
