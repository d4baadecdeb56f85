//! The header of the match.

use super::super::cursor::Cursor;
use super::super::model::Model;
use super::Reader;
use crate::diagnostic::{Level, syntax};
use crate::formats::date::date_and_time;

impl Reader<'_> {
    /// The fields of the match header, in the order of their bits.
    pub(super) fn match_record(&mut self, payload: &[u8], variant: &mut u32) -> Option<()> {
        let (mut body, fields) = Cursor::new(payload).record()?;
        let model = &mut self.model;
        model.length = body.varint()?;
        *variant = body.varint()?;
        for bit in 0..2 {
            if fields.has(bit) {
                model.names[bit as usize] = body.text()?;
            }
        }
        if fields.has(2) {
            model.rules = body.varint()?;
        }
        if fields.has(3) {
            model.tag("CubeLimit", body.varint()?.to_string());
        }
        if fields.has(4) {
            model.start = [body.varint()?, body.varint()?];
        }
        if fields.has(5) {
            model.last = Some([body.varint()?, body.varint()?]);
        }
        if fields.has(6) {
            let result = body.varint()?;
            model.tag("Result", worded(result, &RESULTS));
        }
        if fields.has(7) {
            let source = body.varint()?;
            if source > 0 {
                model.tag("Source", worded(source, &SOURCES));
            }
        }
        let started = if fields.has(8) {
            Some(body.varint64()?)
        } else {
            None
        };
        let completed = if fields.has(9) {
            Some(body.varint64()?)
        } else {
            None
        };
        if fields.has(10) {
            let seat = body.varint()?;
            model.tag("PlayerSeat", worded(seat, &SEATS));
        }
        model.crawford_before = fields.has(11);
        if fields.has(12) {
            model.tag("Event", body.text()?);
        }
        if fields.has(13) {
            model.tag("EventYear", body.varint()?.to_string());
        }
        let precision = if fields.has(14) {
            Some(body.varint()?)
        } else {
            None
        };
        dates(model, started, precision);
        if let Some(moment) = completed.and_then(moment) {
            model.tag("Completed", format!("{} {}", moment.0, moment.1));
        }
        if fields.has(15) {
            model.tag("Stage", body.text()?);
        }
        if fields.has(16) {
            model.tag("Round", body.varint()?.to_string());
        }
        for (bit, name) in TEXTS {
            if fields.has(bit) {
                model.tag(name, body.text()?);
            }
        }
        for (index, side) in SIDES.into_iter().enumerate() {
            if fields.has(23 + index as u32) {
                profile(model, &mut body, index, side)?;
            }
        }
        if fields.has(25) {
            model.tag("Rated", "On");
        }
        if fields.beyond(26) {
            self.note(
                "the match header has fields of a later version".to_owned(),
                "not kept",
            );
        }
        Some(())
    }
}

/// What the result, the source and the seat of the person may be.
pub(in crate::formats::ogxm) const RESULTS: [&str; 4] =
    ["none", "white won", "black won", "abandoned"];
pub(in crate::formats::ogxm) const SOURCES: [&str; 6] =
    ["played", "mat", "xg", "transcribed", "bgf", "sgf"];
pub(in crate::formats::ogxm) const SEATS: [&str; 3] = ["white", "black", "neither"];
/// The kinds of player.
pub(in crate::formats::ogxm) const KINDS: [&str; 2] = ["human", "bot"];
/// The fields of the header that are only texts.
pub(in crate::formats::ogxm) const TEXTS: [(u32, &str); 6] = [
    (17, "Table"),
    (18, "City"),
    (19, "Country"),
    (20, "EventURL"),
    (21, "Site"),
    (22, "MatchRef"),
];
/// How the tags about a player start.
pub(in crate::formats::ogxm) const SIDES: [&str; 2] = ["White", "Black"];

/// The word for a number, or the number.
fn worded(number: u32, words: &[&str]) -> String {
    match words.get(number as usize) {
        Some(word) => (*word).to_owned(),
        None => number.to_string(),
    }
}

/// The date and the time of milliseconds since 1970.
fn moment(milliseconds: u64) -> Option<(String, String)> {
    let (date, time) = date_and_time(i64::try_from(milliseconds / 1000).ok()?)?;
    match milliseconds % 1000 {
        0 => Some((date, time)),
        part => Some((date, format!("{time}.{part:03}"))),
    }
}

/// When the match started; of a date that is only known to the day, month or year the rest is left out.
fn dates(model: &mut Model, started: Option<u64>, precision: Option<u32>) {
    let Some(started) = started else { return };
    let Some((date, time)) = moment(started) else {
        let message = format!("the match started {started} milliseconds after 1970");
        let label = "no date";
        return model.remark(&syntax::BAD_HEADER, Level::Warning, message, label);
    };
    match precision {
        Some(0) => model.tag("EventDate", date),
        Some(1) => model.tag("EventDate", format!("{}.??", &date[..7])),
        Some(2) => model.tag("EventDate", format!("{}.??.??", &date[..4])),
        _ => {
            model.tag("EventDate", date);
            model.tag("EventTime", time);
        }
    }
}

/// What is known of a player: the rating stands with the name, the rest in tags.
fn profile(model: &mut Model, body: &mut Cursor<'_>, index: usize, side: &str) -> Option<()> {
    let (mut body, fields) = body.record()?;
    if fields.has(0) {
        model.tag(&format!("{side}UserId"), body.text()?);
    }
    if fields.has(1) {
        model.ratings[index] = Some(rating(body.varint()?));
    }
    if fields.has(2) {
        model.tag(&format!("{side}RatingSystem"), body.text()?);
    }
    if fields.has(3) {
        model.tag(&format!("{side}Country"), body.text()?);
    }
    if fields.has(4) {
        model.tag(&format!("{side}Kind"), worded(body.varint()?, &KINDS));
    }
    Some(())
}

/// A rating of so many hundredths: `1800`, `1800.50`.
pub(in crate::formats::ogxm) fn rating(hundredths: u32) -> String {
    match hundredths % 100 {
        0 => (hundredths / 100).to_string(),
        part => format!("{}.{part:02}", hundredths / 100),
    }
}
