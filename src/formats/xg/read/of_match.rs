//! The header of a match.

use super::super::archive::{self, wide_text};
use super::super::records::{MONEY, Record, SITES, header};
use super::Reader;
use crate::board::{ByPlayer, Length, Player, Variant};
use crate::diagnostic::{Finding, syntax};
use crate::formats::date::date_and_time;
use crate::record::{Dialect, Tag};
use crate::source::{Span, Spanned};

impl<'a> Reader<'a> {
    pub(super) fn tag(&mut self, name: &str, value: String, span: Span) {
        if !value.trim().is_empty() {
            self.record.tags.push(Tag {
                name: name.to_owned(),
                value,
                span,
            });
        }
    }

    /// A text of UTF-16, or the one in Windows-1252 if the version has no other or that is empty.
    pub(super) fn text(
        &self,
        record: Record<'_>,
        version: i32,
        wide: usize,
        short: usize,
    ) -> String {
        let text = match version >= 24 {
            true => wide_text(record.bytes(), wide, 129),
            false => String::new(),
        };
        match text.is_empty() {
            true => archive::short_text(record.bytes(), short).unwrap_or_default(),
            false => text,
        }
    }

    pub(super) fn header(&mut self, record: Record<'_>, version: i32) {
        self.record.dialect = Some(Dialect {
            name: "xg",
            title: "eXtreme Gammon",
            known_by: "its own format",
        });
        let names = [0, 1].map(|side| {
            let (wide, short) = (header::NAMES[side], header::SHORT_NAMES[side]);
            self.text(record, version, wide, short)
        });
        let [one, two] = names;
        self.record.names = ByPlayer::new(one, two);
        self.listing.players(&self.record.names);
        let length = record.i32(header::LENGTH);
        let (length, said) = match length {
            MONEY => (Some(Length::Money), "money session".to_owned()),
            1..MONEY => (
                Some(Length::Points(length as u32)),
                format!("match to {length}"),
            ),
            _ => (None, format!("length {length}")),
        };
        let said = format!(
            "{} - {}, {said}",
            self.record.names.one, self.record.names.two
        );
        let span = self.listing.of_match(&said);
        self.record.length = length.map(|length| Spanned::new(length, span));
        if length.is_none() {
            let label = "taken as not stated";
            let message = "a length that is none".to_owned();
            self.find(Finding::new(&syntax::BAD_HEADER, span, message, label));
        }
        if record.bytes().slice(header::MAGIC, 4) != Some(b"DMLI") {
            self.odd("the header has no mark of its program", "read all the same");
        }
        let variation = record.i32(header::VARIATION);
        let known = usize::try_from(variation)
            .ok()
            .and_then(|index| Variant::OF_BACKGAMMON.get(index));
        match known {
            Some(variant) => self.variant = *variant,
            None => self.odd(
                &format!("variation {variation} is not known"),
                "taken for backgammon",
            ),
        }
        if self.variant != Variant::Backgammon {
            self.record.variation = Some(Spanned::new(self.variant.name().to_owned(), span));
        }
        self.event(record, version, span);
        self.rules(record, length == Some(Length::Money), span);
        if version >= 25 {
            self.clock(record, span);
        }
        for at in header::COMMENTS {
            if let Some(comment) = self.comment(record, at) {
                self.record.comments.push(Spanned::new(comment, span));
            }
        }
    }

    pub(super) fn event(&mut self, record: Record<'_>, version: i32, span: Span) {
        for (name, wide, short) in [
            ("Event", header::EVENT, header::SHORT_EVENT),
            ("Round", header::ROUND, header::SHORT_ROUND),
            ("Site", header::PLACE, header::SHORT_PLACE),
        ] {
            let text = self.text(record, version, wide, short);
            self.tag(name, text, span);
        }
        let site = usize::try_from(record.i32(header::SITE)).ok();
        if let Some(site) = site.and_then(|site| SITES.get(site)) {
            self.tag("Server", (*site).to_owned(), span);
        }
        // Days from the end of 1899 on, rounded to seconds.
        let days = record.f64(header::DATE);
        let seconds = ((days - 25_569.0) * 86_400.0).round();
        if let Some((date, time)) = date_and_time(seconds as i64) {
            self.tag("EventDate", date, span);
            if time != "00:00:00" {
                self.tag("EventTime", time, span);
            }
        } else if days != 0.0 {
            self.odd(&format!("the date {days} is none"), "left out");
        }
        if version >= 30 {
            let text = wide_text(record.bytes(), header::TRANSCRIBER, 129);
            self.tag("Transcriber", text, span);
        }
        let id = record.i32(header::GAME_ID);
        if id != 0 {
            self.tag("Match ID", id.to_string(), span);
        }
        for (player, side) in Player::BOTH.into_iter().zip([0, 1]) {
            let elo = record.f64(header::ELO[side]);
            let experience = record.i32(header::EXPERIENCE[side]);
            let is_usual = elo == 1600.0 && experience == 0;
            if elo.is_finite() && elo.abs() < 100_000.0 && elo != 0.0 && !is_usual {
                self.record.ratings[player] = Some(format!("{elo:.2}/{experience}"));
            }
        }
    }

    pub(super) fn rules(&mut self, record: Record<'_>, is_money: bool, span: Span) {
        let switch = |at: usize| match record.flag(at) {
            true => "On".to_owned(),
            false => "Off".to_owned(),
        };
        if is_money {
            self.tag("Jacoby", switch(header::JACOBY), span);
            self.tag("Beaver", switch(header::BEAVERS), span);
            if record.flag(header::AUTOMATIC_DOUBLES) {
                let most = record.i32(header::MOST_AUTOMATIC_DOUBLES).max(0);
                self.tag("AutoDoubles", most.to_string(), span);
            }
        } else {
            self.tag("Crawford", switch(header::CRAWFORD), span);
        }
        let limit = record.i32(header::CUBE_LIMIT);
        match limit {
            10 => {}
            0..=20 => self.tag("CubeLimit", (1u32 << limit).to_string(), span),
            _ => self.odd(
                &format!("the highest cube is 2 to the power {limit}"),
                "taken as not stated",
            ),
        }
    }

    pub(super) fn clock(&mut self, record: Record<'_>, span: Span) {
        let kind = match record.i32(header::CLOCK) {
            0 => return,
            1 => "Fischer".to_owned(),
            2 => "Bronstein".to_owned(),
            other => format!("kind {other}"),
        };
        let [start, each] = header::CLOCK_TIMES.map(|at| record.i32(at));
        let scope = match record.flag(header::CLOCK_PER_GAME) {
            true => " a game",
            false => "",
        };
        let clock = format!("{kind} {start}+{each}{scope}");
        self.tag("Clock", clock, span);
        let penalty = record.i32(header::CLOCK_PENALTY);
        if penalty > 0 {
            self.tag("ClockPenalty", penalty.to_string(), span);
        }
        let left = header::TIME_LEFT.map(|at| record.i32(at));
        if left != [0, 0] {
            let [one, two] = left;
            self.tag("TimeLeft", format!("{one} {two}"), span);
        }
    }
}
