//! The header of the match: fields for the tags that have one, notes for the others.

use super::{Ending, LONGEST_TEXT, Writer};
use crate::board::{Player, Variant};
use crate::formats::carry::{Item, normal::dotted, tag_item};
use crate::formats::date::seconds;
use crate::formats::ogxm::cursor::{Record, put_varint};
use crate::formats::ogxm::v2::{KINDS, SEATS, SIDES, SOURCES, TEXTS, rating};
use crate::record::Tag;

/// The tags of the rules, by their bits.
const RULES: [&str; 5] = ["Crawford", "Jacoby", "Beaver", "Raccoon", "AutoDoubles"];
/// How precise a date is: to the day. Other dates are moments.
const DAY: u64 = 0;

/// The tags, and which of them have found a field.
struct Tags<'a> {
    tags: &'a [Tag],
    taken: Vec<bool>,
}

impl<'a> Tags<'a> {
    /// The value of the first tag with a name, if it is one that a field can hold; it is taken.
    fn take(&mut self, name: &str, holds: impl Fn(&str) -> bool) -> Option<&'a str> {
        let index = self.position(name)?;
        let value = self.tags[index].value.as_str();
        (!value.is_empty() && holds(value)).then(|| {
            self.taken[index] = true;
            value
        })
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.tags
            .iter()
            .position(|tag| tag.name.eq_ignore_ascii_case(name))
    }

    /// The number of a tag whose value is one of some words.
    fn word(&mut self, name: &str, words: &[&str]) -> Option<u64> {
        let value = self.take(name, |value| words.contains(&value))?;
        let number = words.iter().position(|word| *word == value)?;
        u64::try_from(number).ok()
    }

    /// The value of a tag that is a number in its usual form.
    fn number(&mut self, name: &str, holds: impl Fn(u32) -> bool) -> Option<u64> {
        let value = self.take(name, |value| canonical(value).is_some_and(&holds))?;
        canonical(value).map(u64::from)
    }
}

fn canonical(text: &str) -> Option<u32> {
    text.parse()
        .ok()
        .filter(|number: &u32| number.to_string() == text)
}

fn is_country(text: &str) -> bool {
    text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_uppercase())
}

fn is_host(text: &str) -> bool {
    let is_part = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-');
    text.len() <= 253 && text.bytes().all(is_part)
}

fn is_url(text: &str) -> bool {
    let is_plain = text.bytes().all(|byte| (0x20..0x7f).contains(&byte));
    text.len() <= 512 && text.starts_with("https://") && is_plain
}

fn is_reference(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    text.len() <= 64 && text.bytes().all(is_part) && text != "." && text != ".."
}

fn is_system(text: &str) -> bool {
    let is_part = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
    text.len() <= 32 && text.bytes().all(is_part)
}

/// The hundredths of a rating in its usual form.
fn hundredths(text: &str) -> Option<u32> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let whole: u32 = whole.parse().ok()?;
    let number = whole.checked_mul(100)?.checked_add(part.parse().ok()?)?;
    (rating(number) == text).then_some(number)
}

/// The milliseconds since 1970 of a date and a time, the part of a second in three digits.
fn moment(date: &str, time: &str) -> Option<u64> {
    let (time, part) = time.split_once('.').unwrap_or((time, ""));
    let part = match part {
        "" => 0,
        part if part.len() == 3 && part.bytes().all(|b| b.is_ascii_digit()) => part.parse().ok()?,
        _ => return None,
    };
    let seconds = u64::try_from(seconds(date, time)?).ok()?;
    seconds.checked_mul(1000)?.checked_add(part)
}

/// The same, if its text is the one that a reader makes of it.
fn stated_moment(date: &str, time: &str) -> Option<u64> {
    moment(date, time).filter(|moment| *moment > 0 && !time.ends_with(".000"))
}

impl Writer<'_> {
    /// The header, and notes on what it cannot hold.
    pub(super) fn header(&mut self, results: &[Ending]) -> Record {
        let record = self.record;
        let mut tags = Tags {
            tags: &record.tags,
            taken: vec![false; record.tags.len()],
        };
        let mut header = Record::default();
        put_varint(&mut header.body, u64::from(self.length));
        put_varint(&mut header.body, self.variant());
        for (bit, player) in (0..).zip(Player::BOTH) {
            let name = &record.names[player];
            match name.len() {
                0 => {}
                1..=LONGEST_TEXT => header.text(bit, name),
                _ => self.lose(Item::Names, 1),
            }
        }
        let rules = self.rules(&mut tags);
        if rules > 0 {
            header.number(2, rules);
        }
        if let Some(limit) = tags.number("CubeLimit", u32::is_power_of_two) {
            header.number(3, limit);
        }
        let start = results
            .first()
            .and_then(|result| result.before)
            .unwrap_or_default();
        if start.one > 0 || start.two > 0 {
            header.number(4, u64::from(start.one));
            put_varint(&mut header.body, u64::from(start.two));
        }
        if tags.take("Result", |value| value == "abandoned").is_some() {
            header.number(6, 3);
        }
        if let Some(source) = tags.word("Source", &SOURCES).filter(|&source| source > 0) {
            header.number(7, source);
        }
        let precision = dates(&mut header, &mut tags);
        if let Some(seat) = tags.word("PlayerSeat", &SEATS) {
            header.number(10, seat);
        }
        if self.is_crawford_over(results) {
            header.field(11);
        }
        let event = tags.take("Event", |value| value.len() <= 120);
        if let Some(event) = event {
            header.text(12, event);
            self.is_newer = true;
            if let Some(year) = tags.number("EventYear", |_| true) {
                header.number(13, year);
            }
        }
        if let Some(precision) = precision {
            header.number(14, precision);
            self.is_newer = true;
        }
        self.places(&mut header, &mut tags);
        for (index, tag) in (1..)
            .zip(record.tags.iter().zip(&tags.taken))
            .filter(|(_, (_, taken))| !**taken)
        {
            self.other_tag(index, tag.0);
        }
        header
    }

    fn variant(&mut self) -> u64 {
        let record = self.record;
        let field = record
            .variation
            .as_ref()
            .map(|variation| variation.value.as_str());
        let tag = record.tag("Variation").map(|tag| tag.value.as_str());
        let said = tag.filter(|value| !value.trim().is_empty()).or(field);
        let variant = field.or(tag).and_then(Variant::by_name).unwrap_or_default();
        // A reader gives the name of the variant, of backgammon none.
        let is_read =
            variant != Variant::Backgammon && said == Some(variant.name()) && tag.is_none();
        if let Some(said) = said.filter(|_| !is_read && tag.is_none())
            && !self.note(0, 0, "tag-0", &format!("Variation={said}"))
        {
            self.lose(Item::RuleTags, 1);
        }
        Variant::OF_BACKGAMMON
            .iter()
            .position(|&other| other == variant)
            .and_then(|number| u64::try_from(number).ok())
            .unwrap_or(0)
    }

    /// The bits of the rules; what a reader would conclude and the record does not say is noted.
    fn rules(&mut self, tags: &mut Tags<'_>) -> u64 {
        let record = self.record;
        let is_match = self.length > 0;
        let (mut rules, mut unstated) = (0, Vec::new());
        for (bit, name) in RULES.into_iter().enumerate() {
            let stated = record
                .switch(name)
                .or_else(|| record.switch(&format!("{name}s")))
                .map(|(on, _)| on);
            let is_crawford = name == "Crawford";
            // In a match the Crawford rule holds unless the record says otherwise.
            let on = stated.unwrap_or(is_crawford && is_match);
            rules |= u64::from(on) << bit;
            let read = match name {
                _ if on => Some("On"),
                "Crawford" => (self.length > 1).then_some("Off"),
                "AutoDoubles" => None,
                _ => (!is_match).then_some("Off"),
            };
            let Some(read) = read else { continue };
            let is_said = tags.take(name, |value| value == read).is_some();
            let goes_without_saying =
                is_crawford && is_match && on && tags.position(name).is_none();
            if !is_said && !goes_without_saying {
                unstated.push(name);
            }
        }
        if !unstated.is_empty() && !self.note(0, 0, "unstated", &unstated.join(" ")) {
            self.lose(Item::RuleTags, unstated.len());
        }
        rules
    }

    /// Whether the Crawford game was before the first game, as its mark says or as it was played.
    pub(super) fn is_crawford_over(&self, results: &[Ending]) -> bool {
        let Some(game) = self.record.games.first() else {
            return false;
        };
        let is_off = self.record.switch("Crawford").is_some_and(|(on, _)| !on);
        let start = results
            .first()
            .and_then(|result| result.before)
            .unwrap_or_default();
        let is_short = self.length > 1 && start.one.max(start.two) + 1 == self.length;
        let summary = self.replay.summary.games.first();
        let is_later = match game.crawford {
            Some(mark) => !mark.value,
            None => summary.is_some_and(|summary| summary.post_crawford),
        };
        is_later && is_short && !is_off
    }

    /// Where and in which event, and who played.
    fn places(&mut self, header: &mut Record, tags: &mut Tags<'_>) {
        let before = header.body.len();
        if let Some(stage) = tags.take("Stage", |value| value.len() <= 60) {
            header.text(15, stage);
        }
        if let Some(round) = tags.number("Round", |round| (1..=99).contains(&round)) {
            header.number(16, round);
        }
        let mut has_host = false;
        for (bit, name) in TEXTS {
            let holds: &dyn Fn(&str) -> bool = match name {
                "Table" => &|value| value.len() <= 24,
                "City" => &|value| value.len() <= 80,
                "Country" => &is_country,
                "EventURL" => &is_url,
                "Site" => &is_host,
                _ => &|value| has_host && is_reference(value),
            };
            if let Some(value) = tags.take(name, holds) {
                has_host |= name == "Site";
                header.text(bit, value);
            }
        }
        for (index, (side, player)) in SIDES.into_iter().zip(Player::BOTH).enumerate() {
            let profile = self.profile(side, player, tags, has_host);
            if !profile.is_bare() {
                profile.put(header.field(23 + index as u32));
            }
        }
        if tags.take("Rated", |value| value == "On").is_some() {
            header.field(25);
            self.is_newer = true;
        }
        self.is_newer |= header.body.len() > before;
    }

    fn profile(
        &mut self,
        side: &str,
        player: Player,
        tags: &mut Tags<'_>,
        has_host: bool,
    ) -> Record {
        let mut profile = Record::default();
        let mut take = |name: &str, holds: &dyn Fn(&str) -> bool| {
            tags.take(&format!("{side}{name}"), holds)
                .map(str::to_owned)
        };
        if let Some(id) = take("UserId", &|value| has_host && value.len() <= 64) {
            profile.text(0, &id);
        }
        let text = self.record.ratings[player].as_deref();
        let number = text.and_then(hundredths);
        // A rating and its system stand together.
        let system = number.and_then(|_| take("RatingSystem", &is_system));
        match (number, system) {
            (Some(number), Some(system)) => {
                profile.number(1, u64::from(number));
                profile.text(2, &system);
            }
            _ => {
                let name = match player {
                    Player::One => "rating-one",
                    Player::Two => "rating-two",
                };
                if text.is_some_and(|text| !self.note(0, 0, name, text)) {
                    self.lose(Item::Ratings, 1);
                }
            }
        }
        if let Some(country) = take("Country", &is_country) {
            profile.text(3, &country);
        }
        if let Some(kind) = tags.word(&format!("{side}Kind"), &KINDS) {
            profile.number(4, kind);
        }
        profile
    }

    /// A tag that no field holds.
    fn other_tag(&mut self, number: u32, tag: &Tag) {
        if tag.value.trim().is_empty() || self.is_clock(tag) {
            return;
        }
        let text = format!("{}={}", tag.name, tag.value);
        if tag.name.contains('=') || !self.note(0, 0, &format!("tag-{number}"), &text) {
            self.lose(tag_item(&tag.name), 1);
        }
    }
}

/// The start and the end of the match; the precision of the date is a field of its own.
fn dates(header: &mut Record, tags: &mut Tags<'_>) -> Option<u64> {
    let value = |tags: &Tags<'_>, name: &str| {
        let tag = &tags.tags[tags.position(name)?];
        Some(tag.value.clone())
    };
    let date = value(tags, "EventDate").map(|date| dotted(&date));
    let time = value(tags, "EventTime");
    let (started, precision) = match (date, time) {
        (Some(date), Some(time)) => (stated_moment(&date, &time), None),
        (Some(date), None) => (stated_moment(&date, "00:00:00"), Some(DAY)),
        (None, _) => (None, None),
    };
    if let Some(started) = started {
        header.number(8, started);
        tags.take("EventDate", |_| true);
        if precision.is_none() {
            tags.take("EventTime", |_| true);
        }
    }
    let completed = |value: &str| {
        let (date, time) = value.split_once(' ')?;
        stated_moment(date, time)
    };
    if let Some(value) = tags.take("Completed", |value| completed(value).is_some()) {
        header.number(9, completed(value)?);
    }
    precision.filter(|_| started.is_some())
}
