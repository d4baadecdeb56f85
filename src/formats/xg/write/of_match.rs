//! The header of a match, and what of its tags has a field.

use super::super::archive::{put_short, put_wide};
use super::super::records::{MONEY, SITES, header, kind};
use super::{Out, VERSION, Writer, elo, number};
use crate::board::{Cube, Length, Player, Variant};
use crate::formats::CannotWrite;
use crate::formats::carry::{Item, normal, tag_item};
use crate::formats::date::seconds;
use crate::record::Tag;

impl Writer<'_> {
    pub(super) fn header(&mut self) -> Result<(), CannotWrite> {
        let record = self.record;
        let mut out = Out::new(kind::MATCH);
        let length = match self.length {
            Length::Money => MONEY,
            Length::Points(points) => number(points)?,
        };
        if self.length != Length::Money && length >= MONEY {
            return Err(CannotWrite(
                "the match is too long for an .xg file".to_owned(),
            ));
        }
        out.i32(header::LENGTH, length);
        let variation = Variant::OF_BACKGAMMON
            .iter()
            .position(|variant| *variant == self.variant);
        out.i32(header::VARIATION, variation.unwrap_or(0) as i32);
        for (side, player) in [0, 1].into_iter().zip(Player::BOTH) {
            let name = &record.names[player];
            let short = Some((header::SHORT_NAMES[side], 41));
            if !self.text(&mut out, header::NAMES[side], short, name) {
                self.lose(Item::Names, 1);
            }
            let rating = record.ratings[player].as_deref();
            let kept = rating.and_then(elo);
            let is_lost = rating.is_some() && kept.is_none();
            self.lose(Item::Ratings, usize::from(is_lost));
            let (elo, experience) = kept.unwrap_or((1600.0, 0));
            out.f64(header::ELO[side], elo);
            out.i32(header::EXPERIENCE[side], experience);
            out.i32(header::PROGRAM_LEVEL[side], -1);
        }
        let games = record.games.iter();
        let names = games.flat_map(|game| game.names.as_ref().into_array());
        self.lose(Item::Names, names.filter(|name| name.is_some()).count());
        self.event(&mut out);
        self.rules(&mut out);
        out.i32(header::INVERT, 1);
        out.i32(header::VERSION, VERSION);
        out.put(header::MAGIC, *b"DMLI");
        out.flag(header::TRANSCRIBED, true);
        let comments: Vec<&str> = record.comments.iter().map(|c| c.value.as_str()).collect();
        let comment = self.comment(Some(&comments.join("\n")), Item::MatchComments);
        out.i32(header::COMMENTS[0], comment);
        out.i32(header::COMMENTS[1], -1);
        self.push(out);
        Ok(())
    }

    /// Tags that have a field; others are lost.
    pub(super) fn event(&mut self, out: &mut Out) {
        let record = self.record;
        let mut taken: Vec<&Tag> = Vec::new();
        for (name, wide, short) in [
            ("Event", header::EVENT, Some((header::SHORT_EVENT, 129))),
            ("Round", header::ROUND, Some((header::SHORT_ROUND, 129))),
            ("Site", header::PLACE, Some((header::SHORT_PLACE, 129))),
            ("Transcriber", header::TRANSCRIBER, None),
        ] {
            if let Some(tag) = record.tag(name)
                && self.text(out, wide, short, &tag.value)
            {
                taken.push(tag);
            }
        }
        let (date, time) = (record.tag("EventDate"), record.tag("EventTime"));
        let second = date.and_then(|date| {
            let of_day = time.map_or("00:00:00".to_owned(), |time| normal::timed(&time.value));
            seconds(&normal::dotted(&date.value), &of_day)
        });
        if let Some(second) = second {
            out.f64(header::DATE, second as f64 / 86_400.0 + 25_569.0);
            taken.extend(date);
            taken.extend(time);
        }
        out.i32(header::SITE, -1);
        let server = record.tag("Server");
        let site = server.and_then(|tag| SITES.iter().position(|site| *site == tag.value));
        if let Some(site) = site {
            out.i32(header::SITE, site as i32);
            taken.extend(server);
        }
        let id = record.tag("Match ID");
        let number: Option<i32> = id.and_then(|tag| tag.value.parse().ok());
        if let Some(number) = number.filter(|&number| number != 0) {
            out.i32(header::GAME_ID, number);
            taken.extend(id.filter(|tag| tag.value == number.to_string()));
        }
        for item in [Item::Event, Item::OtherTags] {
            let is_left = |tag: &&Tag| {
                let is_taken = taken.iter().any(|taken| std::ptr::eq(*taken, *tag));
                tag_item(&tag.name) == item && !is_taken && !tag.value.trim().is_empty()
            };
            let left = record.tags.iter().filter(is_left).count();
            self.lose(item, left);
        }
    }

    pub(super) fn rules(&mut self, out: &mut Out) {
        let record = self.record;
        let on = |name: &str| record.switch(name).map(|(on, _)| on);
        let is_money = self.length == Length::Money;
        let limit = record.tag("CubeLimit").map(|tag| tag.value.trim());
        let exponent = limit
            .and_then(|limit| limit.parse().ok())
            .and_then(Cube::exponent)
            .filter(|&exponent| exponent <= 20);
        let (crawford, jacoby, beavers) = (on("Crawford"), on("Jacoby"), on("Beaver"));
        out.flag(header::CRAWFORD, crawford != Some(false));
        out.flag(header::JACOBY, jacoby == Some(true));
        out.flag(header::BEAVERS, beavers == Some(true));
        out.i32(header::CUBE_LIMIT, exponent.unwrap_or(10) as i32);
        // What the file says of the rules when it is read again.
        let mut said = Vec::new();
        if is_money {
            said.push(("Jacoby", jacoby == Some(true)));
            said.push(("Beaver", beavers == Some(true)));
        } else {
            said.push(("Crawford", crawford != Some(false)));
        }
        let is_said = |tag: &&Tag| {
            let name = tag.name.as_str();
            let value = record
                .switch(name)
                .filter(|(_, first)| std::ptr::eq(*first, *tag));
            let word = |on: bool| if on { "On" } else { "Off" };
            // A second one of the name is nowhere.
            let is_first = record
                .tag(name)
                .is_some_and(|first| std::ptr::eq(first, *tag));
            said.iter().any(|&(other, on)| {
                name.eq_ignore_ascii_case(other)
                    && value.is_some_and(|(set, _)| set == on && tag.value == word(on))
            }) || (is_first
                && name.eq_ignore_ascii_case("CubeLimit")
                && exponent.is_some_and(|exponent| tag.value == (1u32 << exponent).to_string()))
                || (is_first
                    && name.eq_ignore_ascii_case("Variation")
                    && Variant::by_name(&tag.value).is_some())
        };
        let tags = record.tags.iter();
        let rule_tags = tags.filter(|tag| tag_item(&tag.name) == Item::RuleTags);
        let unsaid = rule_tags.filter(|tag| !is_said(tag)).count();
        // Money play without a word on these rules comes back with one.
        let unasked = is_money && (jacoby.is_none() || beavers.is_none());
        self.lose(Item::RuleTags, unsaid + usize::from(unasked));
    }

    /// A text in UTF-16 and in Windows-1252; false if it does not fit.
    pub(super) fn text(
        &self,
        out: &mut Out,
        wide: usize,
        short: Option<(usize, usize)>,
        text: &str,
    ) -> bool {
        put_wide(&mut out.0[wide..wide + 258], text);
        if let Some((at, room)) = short {
            put_short(&mut out.0[at..at + room], text);
        }
        text.encode_utf16().count() <= 128 && !text.contains('\0') && text == text.trim_end()
    }
}
