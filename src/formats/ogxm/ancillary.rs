//! Clock, video and annotations, which are the same in both versions but for the annotations, which only
//! version 2 has.

use super::cursor::Cursor;
use super::model::Model;
use crate::board::Player;
use crate::diagnostic::{Level, syntax};

/// The key under which our writer puts what no field holds.
pub(super) const OUR_KEY: &str = "x-tawla-";
/// GammonView's own keys.
const GAMMONVIEW: &str = "x-gammonview-";

/// The settings of a clock, and its readings in milliseconds from the first ply on, one a ply.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Clock {
    pub(super) reserve: u32,
    pub(super) delay: u32,
    pub(super) increment: u32,
    pub(super) start: u32,
    pub(super) flags: u8,
    pub(super) times: Vec<u64>,
}

impl Clock {
    /// The settings as a tag has them.
    pub(super) fn text(&self) -> String {
        format!(
            "reserve {} ms, delay {} ms, increment {} ms, start {}, flags {}",
            self.reserve, self.delay, self.increment, self.start, self.flags
        )
    }

    /// Whether it says more than its readings.
    fn has_settings(&self) -> bool {
        let numbers = [self.reserve, self.delay, self.increment, self.start];
        numbers != [0; 4] || self.flags != 0
    }

    /// The settings of a tag.
    pub(super) fn from_text(text: &str) -> Option<Clock> {
        let mut numbers = text
            .split(|c: char| !c.is_ascii_digit())
            .filter(|part| !part.is_empty());
        let mut next = || numbers.next()?.parse().ok();
        let clock = Clock {
            reserve: next()?,
            delay: next()?,
            increment: next()?,
            start: next()?,
            flags: u8::try_from(next()?).ok()?,
            times: Vec::new(),
        };
        (clock.text() == text).then_some(clock)
    }
}

/// Reads the clock: its settings are a tag, its readings go to the plies.
pub(super) fn clock(payload: &[u8], model: &mut Model) -> Option<()> {
    let clock = clock_payload(payload, model.ply_count())?;
    if clock.has_settings() {
        model.tag("Clock", clock.text());
    }
    let plies = model.games.iter_mut().flat_map(|game| &mut game.plies);
    for (ply, time) in plies.zip(clock.times) {
        ply.time = Some(time);
    }
    Some(())
}

/// A payload: settings, how many differences there are, how many low bits each has and what they count, the
/// low bits in words of 64, the high parts in ones that a zero ends.
pub(super) fn clock_payload(payload: &[u8], plies: usize) -> Option<Clock> {
    let mut cursor = Cursor::new(payload);
    let mut clock = Clock {
        reserve: cursor.u32()?,
        delay: cursor.u32()?,
        increment: cursor.u32()?,
        start: cursor.u32()?,
        flags: cursor.u8()?,
        times: Vec::new(),
    };
    cursor.take(3)?;
    let count = cursor.u32()? as usize;
    let bits = u32::from(cursor.u8()?);
    let unit = u64::from(cursor.u32()?);
    if count == 0 {
        return Some(clock);
    }
    if !(1..=31).contains(&bits) || unit == 0 || count >= plies {
        return None;
    }
    let a_word = (64 / bits) as usize;
    let mut low = Vec::new();
    for _ in 0..count.div_ceil(a_word) {
        let word = cursor.u64()?;
        let used = a_word.min(count - low.len()) as u32;
        low.extend((0..used).map(|at| word >> (at * bits) & ((1 << bits) - 1)));
    }
    let mut high = cursor
        .rest()
        .iter()
        .flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1 == 1));
    let mut time = 0u64;
    clock.times.push(0);
    for low in low {
        let mut ones = 0u64;
        while high.next()? {
            ones += 1;
        }
        let ones = u64::from(u32::try_from(ones).ok()?);
        let difference = (ones << bits | low).checked_mul(unit)?;
        time = time
            .checked_add(difference)
            .filter(|&time| time <= u64::from(u32::MAX))?;
        clock.times.push(time);
    }
    Some(clock)
}

/// Reads the video: where it is, and which plies are marked in it.
pub(super) fn video(payload: &[u8], model: &mut Model) -> Option<()> {
    let mut cursor = Cursor::new(payload);
    if cursor.u8()? != 1 {
        return None;
    }
    let kind = cursor.u8()?;
    let is_live = cursor.u16()? & 1 == 1;
    let offset = cursor.i32()?;
    let _wall_time = cursor.u64()?;
    let length = usize::from(cursor.u16()?);
    let marks = cursor.u32()?;
    let url = String::from_utf8_lossy(cursor.take(length)?).into_owned();
    let mut said = match url.is_empty() {
        true => format!("kind {kind}"),
        false => url,
    };
    if offset != 0 {
        said.push_str(&format!(", offset {offset} ms"));
    }
    if is_live {
        said.push_str(", live");
    }
    model.tag("Video", said);
    for _ in 0..marks {
        let mut mark = Cursor::new(cursor.take(14)?);
        let (game, ply) = (mark.u8()?, mark.u16()?);
        mark.u8()?;
        let at = mark.u32()?;
        let game = model.games.get_mut(usize::from(game));
        if let Some(ply) = game.and_then(|game| game.plies.get_mut(usize::from(ply))) {
            ply.analysis.push(("video-ms".to_owned(), at.to_string()));
        }
    }
    Some(())
}

/// Reads the annotations.
pub(super) fn annotations(payload: &[u8], model: &mut Model) -> Option<()> {
    let mut cursor = Cursor::new(payload);
    let (mut dropped, mut drawings, mut lost) = (0u32, 0u32, 0u32);
    while !cursor.is_empty() {
        let (mut body, fields) = cursor.record()?;
        let (scope, target) = (body.varint()?, body.varint()?);
        let text = body.text()?;
        let key = if fields.has(0) {
            body.text()?
        } else {
            String::new()
        };
        for bit in 1..3 {
            if fields.has(bit) {
                body.varint()?;
            }
        }
        if fields.has(3) {
            body.text()?;
        }
        let author = if fields.has(4) {
            body.text()?
        } else {
            String::new()
        };
        if fields.has(5) {
            body.varint64()?;
        }
        if fields.has(6) {
            drawings += body.varint()?.min(1);
        }
        if let Some(name) = key.strip_prefix(OUR_KEY) {
            lost += u32::from(our_own(model, scope, target, name, text).is_none());
            continue;
        }
        if let Some(name) = key.strip_prefix(GAMMONVIEW) {
            dropped += u32::from(!gammonview(model, name, &text));
            continue;
        }
        let marks = [key.as_str(), author.as_str()]
            .into_iter()
            .filter(|mark| !mark.is_empty());
        let said: Vec<&str> = marks
            .chain((!text.is_empty()).then_some(text.as_str()))
            .collect();
        if text.is_empty() {
            continue;
        }
        lost += u32::from(remark(model, scope, target, said.join(": ")).is_none());
    }
    let notes = [
        (dropped, "annotations of GammonView's own", "not kept"),
        (
            drawings,
            "annotations with drawings",
            "the drawings are not kept",
        ),
        (lost, "annotations on nothing in the match", "not kept"),
    ];
    for (count, what, label) in notes.into_iter().filter(|(count, ..)| *count > 0) {
        model.remark(
            &syntax::BAD_HEADER,
            Level::Note,
            format!("{what}: {count}"),
            label,
        );
    }
    Some(())
}

/// A comment on the match, a game or a ply; what is said of a decision or an alternative is said of its ply.
fn remark(model: &mut Model, scope: u32, target: u32, text: String) -> Option<()> {
    match scope {
        0 => model.comments.push(text),
        1 => model.games.get_mut(target as usize)?.comments.push(text),
        2..=4 => model.ply_mut(target)?.remark(&text),
        _ => return None,
    }
    Some(())
}

/// What our writer put where no field was.
fn our_own(model: &mut Model, scope: u32, target: u32, name: &str, text: String) -> Option<()> {
    match (scope, name) {
        (0, "rating-one") => model.ratings[Player::One.index()] = Some(text),
        (0, "rating-two") => model.ratings[Player::Two.index()] = Some(text),
        (0, "unstated") => model.unstated.extend(text.split(' ').map(str::to_owned)),
        (0, name) if name.starts_with("tag-") => {
            let (name, value) = text.split_once('=')?;
            model.tags.push((name.to_owned(), value.to_owned()));
        }
        // A game without plies takes no annotations.
        (0, name) if name.starts_with("game-") => {
            let (number, name) = name.strip_prefix("game-")?.split_once('-')?;
            let index = number.parse::<usize>().ok()?.checked_sub(1)?;
            let game = model.games.get_mut(index)?;
            match name.starts_with("comment") {
                true => game.comments.push(text),
                false => game.notes.push((name.to_owned(), text)),
            }
        }
        (1, name) => {
            let game = model.games.get_mut(target as usize)?;
            game.notes.push((name.to_owned(), text));
        }
        (2, name) => {
            let ply = model.ply_mut(target)?;
            ply.notes.push((name.to_owned(), text));
        }
        _ => return None,
    }
    Some(())
}

/// GammonView notes the place of a match where it has no host: after the number of its form.
fn gammonview(model: &mut Model, name: &str, text: &str) -> bool {
    let value = text.strip_prefix("1:");
    match (name, value) {
        ("site", Some(value)) => model.tag("Place", value),
        ("event", Some(value)) => model.tag("Event", value),
        _ => return false,
    }
    true
}
