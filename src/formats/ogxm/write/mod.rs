//! Writes version 2: every field in its one canonical form, defaults left out.
//!
//! Plays that can be played are steps. Others, and those that the record declares illegal, are the roll with
//! the board after it, as the format has illegal plays; their moves are noted under a key of our own, so that
//! they come back as they were written. So is everything else that the format has no field for and that is
//! not lost: other tags, scores that do not follow, values that a double states beyond what follows.

mod analysis;
mod boards;
mod clock;
mod game;
mod header;
mod steps;

use super::ancillary::OUR_KEY;
use super::build::score_after;
use super::cursor::{Record, put_text, put_varint};
use super::model::player_of;
use super::v2::{END, HEADER, SECTION};
use super::{FORMAT, MAGIC};
use crate::board::{ByPlayer, Length, Player};
use crate::formats::binary::crc32;
use crate::formats::carry::{Item, Loss, losses};
use crate::formats::{CannotWrite, WriteOptions, Written};
use crate::record::{GameResult, MatchRecord};
use crate::replay::Replay;

/// The limits of the reference.
const MOST_GAMES: usize = 1000;
const MOST_PLIES_OF_A_GAME: usize = 1500;
const LONGEST_TEXT: usize = 4096;
const MOST_ANNOTATIONS: usize = 4096;
const MOST_ANNOTATED: usize = 256 * 1024;

/// Writes a match as a file of its own.
pub(super) fn write(
    record: &MatchRecord,
    replay: &Replay,
    options: &WriteOptions,
) -> Result<Written, CannotWrite> {
    if options.before > 0 {
        return Err(CannotWrite("an OGXM file holds one match".to_owned()));
    }
    let plies = record.games.iter().map(|game| game.entries.len());
    // A position with its cube takes two plies.
    if record.games.len() > MOST_GAMES || plies.max().unwrap_or(0) > MOST_PLIES_OF_A_GAME / 2 {
        let why = "more games or actions than an OGXM file may have";
        return Err(CannotWrite(why.to_owned()));
    }
    if record.games.is_empty() {
        return Err(CannotWrite("there is no game to write".to_owned()));
    }
    let length = match record.length.map(|length| length.value) {
        Some(Length::Points(points)) if !(1..9999).contains(&points) => {
            return Err(CannotWrite(format!("a match to {points} points")));
        }
        Some(Length::Points(points)) => points,
        Some(Length::Money) | None => 0,
    };
    let mut writer = Writer {
        record,
        replay,
        losses: losses(record, FORMAT.carries),
        length,
        annotations: Vec::new(),
        annotated: 0,
        decisions: Vec::new(),
        currency: None,
        times: Vec::new(),
        plies: 0,
        is_empty: Vec::new(),
        is_newer: false,
    };
    writer.lose(Item::Length, usize::from(record.length.is_none()));
    let bytes = writer.file();
    let mut losses = writer.losses;
    losses.sort_by_key(|loss| loss.item);
    Ok(Written::new(bytes, losses))
}

/// Something said of the match (0), a game (1) or a ply (2).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Annotation {
    scope: u32,
    target: u32,
    /// Texts without a key stand behind those with one.
    is_prose: bool,
    key: String,
    order: usize,
    text: String,
}

struct Writer<'a> {
    record: &'a MatchRecord,
    replay: &'a Replay,
    losses: Vec<Loss>,
    length: u32,
    annotations: Vec<Annotation>,
    annotated: usize,
    /// The records of decisions, in the order of their plies.
    decisions: Vec<u8>,
    /// What the equities of the decisions count.
    currency: Option<u32>,
    /// The readings of the clock, one a ply.
    times: Vec<Option<f64>>,
    /// How many plies were written.
    plies: u32,
    /// Which games have no plies.
    is_empty: Vec<bool>,
    /// Whether the header has fields of version 2.1.
    is_newer: bool,
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

    /// Adds an annotation; false if there is no room for it.
    fn annotate(&mut self, scope: u32, target: u32, key: &str, text: &str) -> bool {
        let size = self.annotated.saturating_add(text.len() + key.len());
        let is_full = self.annotations.len() >= MOST_ANNOTATIONS || size > MOST_ANNOTATED;
        if text.len() > LONGEST_TEXT || is_full {
            return false;
        }
        self.annotated = size;
        self.annotations.push(Annotation {
            scope,
            target,
            is_prose: key.is_empty(),
            key: key.to_owned(),
            order: self.annotations.len(),
            text: text.to_owned(),
        });
        true
    }

    /// Adds a note of our own.
    fn note(&mut self, scope: u32, target: u32, name: &str, text: &str) -> bool {
        self.annotate(scope, target, &format!("{OUR_KEY}{name}"), text)
    }

    /// Adds a comment, in pieces of whole lines where it is long.
    fn comment(&mut self, scope: u32, target: u32, text: &str) -> bool {
        let mut piece = String::new();
        for line in text.split('\n') {
            if !piece.is_empty() && piece.len() + line.len() + 1 > LONGEST_TEXT {
                if !self.annotate(scope, target, "", &piece) {
                    return false;
                }
                piece.clear();
                piece.push_str(line);
                continue;
            }
            if !piece.is_empty() {
                piece.push('\n');
            }
            piece.push_str(line);
        }
        self.annotate(scope, target, "", &piece)
    }

    fn comments(&mut self) {
        let record = self.record;
        let texts = record.comments.iter().map(|comment| comment.value.as_str());
        let text: Vec<&str> = texts.flat_map(str::lines).map(str::trim).collect();
        if text.iter().any(|line| !line.is_empty()) && !self.comment(0, 0, &text.join("\n")) {
            self.lose(Item::MatchComments, record.comments.len());
        }
        for (number, game) in (0..).zip(&record.games) {
            let texts = game.comments.iter().map(|comment| comment.value.as_str());
            let text: Vec<&str> = texts.flat_map(str::lines).map(str::trim).collect();
            if text.iter().any(|line| !line.is_empty())
                && !self.comment(1, number, &text.join("\n"))
            {
                self.lose(Item::Comments, game.comments.len());
            }
        }
    }

    fn file(&mut self) -> Vec<u8> {
        let results = self.results();
        let mut header = Vec::new();
        self.header(&results).put(&mut header);
        let games: Vec<Vec<u8>> = (0..self.record.games.len())
            .map(|game| self.game(game, &results[game]))
            .collect();
        self.comments();
        let clock = self.clock();
        let minor = u16::from(self.is_newer);
        let mut out = Vec::new();
        out.extend_from_slice(MAGIC);
        for number in [2, minor, 2, 0] {
            out.extend_from_slice(&u16::to_le_bytes(number));
        }
        out.extend_from_slice(&[0; 4]);
        section(&mut out, b"MTCH", true, &header);
        for game in &games {
            section(&mut out, b"GAME", true, game);
        }
        if !self.decisions.is_empty() {
            let id = crc32(&self.decisions);
            section(
                &mut out,
                b"ANAL",
                false,
                &analysis::head(id, crc32(&header), self.currency.unwrap_or(1)),
            );
            section(&mut out, b"DECS", false, &self.decisions);
        }
        if let Some(clock) = clock {
            section(&mut out, b"CLCK", false, &clock);
        }
        if !self.annotations.is_empty() {
            let annotations = self.annotation_section();
            section(&mut out, b"ANNO", false, &annotations);
        }
        close(out)
    }

    fn annotation_section(&mut self) -> Vec<u8> {
        for annotation in self
            .annotations
            .iter_mut()
            .filter(|annotation| annotation.scope == 1)
        {
            // A game without plies takes no annotations: the match does it instead.
            let game = annotation.target;
            if self.is_empty.get(game as usize) == Some(&true) {
                let name = match annotation.key.strip_prefix(OUR_KEY) {
                    Some(name) => name.to_owned(),
                    None => format!("comment-{:04}", annotation.order),
                };
                annotation.key = format!("{OUR_KEY}game-{}-{name}", game + 1);
                (annotation.scope, annotation.target, annotation.is_prose) = (0, 0, false);
            }
        }
        self.annotations.sort();
        let mut payload = Vec::new();
        for annotation in &self.annotations {
            let mut record = Record::default();
            put_varint(&mut record.body, u64::from(annotation.scope));
            put_varint(&mut record.body, u64::from(annotation.target));
            put_text(&mut record.body, &annotation.text);
            if !annotation.is_prose {
                record.text(0, &annotation.key);
            }
            record.put(&mut payload);
        }
        payload
    }

    /// The winner and the points of each game as they are written, and the score before it that follows.
    fn results(&mut self) -> Vec<Ending> {
        let record = self.record;
        let stated = record.games.first().and_then(|game| game.score);
        let start = stated.map(|score| score.value).unwrap_or_default();
        let is_possible = |points: u32| self.length == 0 || points < self.length;
        let start = match is_possible(start.one) && is_possible(start.two) {
            true => start,
            false => ByPlayer::default(),
        };
        let mut before = Some(start);
        let mut results = Vec::new();
        for (index, game) in record.games.iter().enumerate() {
            let stated = game.result.map(|result| result.value);
            let known = stated.filter(|result| result.winner.is_some());
            self.lose(
                Item::Results,
                usize::from(stated.is_some() && known.is_none()),
            );
            let computed = self.replay.summary.games.get(index);
            let points = known.map(|result| {
                let computed = computed.and_then(|game| game.points).unwrap_or(1);
                result.points.unwrap_or(computed)
            });
            let winner = known.and_then(|result| result.winner);
            results.push(Ending {
                stated: known,
                winner,
                points,
                before,
            });
            before = score_after(before, self.length, winner, points);
        }
        results
    }
}

/// The result of a game as it is written.
struct Ending {
    /// What the record states.
    stated: Option<GameResult>,
    winner: Option<Player>,
    points: Option<u32>,
    /// The score before the game, as a reader concludes it.
    before: Option<ByPlayer<u32>>,
}

/// The number of a player's seat.
fn seat(player: Player) -> u8 {
    let seat = u8::from(player == Player::Two);
    debug_assert_eq!(player_of(u32::from(seat)), Some(player));
    seat
}

fn section(out: &mut Vec<u8>, name: &[u8; 4], is_critical: bool, payload: &[u8]) {
    let length = u32::try_from(payload.len()).unwrap_or(u32::MAX);
    out.extend_from_slice(name);
    out.extend_from_slice(&length.to_le_bytes());
    out.push(u8::from(is_critical));
    out.extend_from_slice(payload);
}

/// Puts the size into the header and the checksum behind the last section.
pub(in crate::formats::ogxm) fn close(mut out: Vec<u8>) -> Vec<u8> {
    /// Two numbers, the length of the digest and the digest, behind length and mask.
    const CHECKSUM: usize = 8;
    let size = out.len() + SECTION + CHECKSUM + END.len();
    let size = u32::try_from(size).unwrap_or(u32::MAX);
    out[HEADER - 4..HEADER].copy_from_slice(&size.to_le_bytes());
    let crc = crc32(&out);
    let mut record = Record::default();
    put_varint(&mut record.body, 0);
    put_varint(&mut record.body, 4);
    record.body.extend_from_slice(&crc.to_le_bytes());
    let mut payload = Vec::new();
    record.put(&mut payload);
    debug_assert_eq!(payload.len(), CHECKSUM);
    section(&mut out, b"CSUM", true, &payload);
    out.extend_from_slice(END);
    out
}
