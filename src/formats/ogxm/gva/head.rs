//! What is said of the match as a whole.

use serde_json::Value;

use super::super::ancillary::Clock;
use super::super::v2::{SIDES, SOURCES, TEXTS, rating};
use super::{Object, Reading, annotations, code, number, value};
use crate::board::Variant;
use crate::diagnostic::{Level, syntax};
use crate::formats::date::date_and_time;
use crate::source::Span;

impl Reading<'_> {
    /// Reads it into the model.
    pub(super) fn head(&mut self, object: &Object<'_>) {
        let text = self.source.text();
        let end = text.find("\"games\"").unwrap_or(text.len());
        let model = &mut self.model;
        model.span = Some(Span::new(0, u32::try_from(end).unwrap_or(u32::MAX)));
        model.length = number(&value(object, "match_length")).unwrap_or(0);
        let variants = Variant::OF_BACKGAMMON.map(Variant::name);
        let variant = code(&value(object, "variant"), &variants).unwrap_or(0);
        model.variant = Variant::OF_BACKGAMMON.get(variant as usize).copied();
        if model.variant.is_none() {
            let message = format!("variant {variant} is not known");
            let label = "read as backgammon";
            model.remark(&syntax::BAD_HEADER, Level::Warning, message, label);
        }
        for (name, key) in model.names.iter_mut().zip(["player_white", "player_black"]) {
            *name = value(object, key).as_str().unwrap_or_default().to_owned();
        }
        let rules = ["crawford", "jacoby", "beaver", "raccoon", "auto_doubles"];
        for (bit, rule) in rules.into_iter().enumerate() {
            if value(object, rule).as_bool() == Some(true) {
                model.rules |= 1 << bit;
            }
        }
        if let Some(limit) = number(&value(object, "cube_limit")).filter(|&limit| limit > 0) {
            model.tag("CubeLimit", limit.to_string());
        }
        let pair = |value: Value| Some([number(&value[0])?, number(&value[1])?]);
        model.start = pair(value(object, "score_start")).unwrap_or_default();
        let last = ["white_score", "black_score"].map(|name| number(&value(object, name)));
        if let [Some(one), Some(two)] = last {
            model.last = Some([one, two]);
        }
        if let Some(source) = number(&value(object, "source")).filter(|&source| source > 0) {
            let word = SOURCES.get(source as usize);
            model.tag(
                "Source",
                word.map_or(source.to_string(), |word| (*word).to_owned()),
            );
        }
        model.crawford_before = value(object, "crawford_before_start").as_bool() == Some(true);
        if let Some((date, time)) = value(object, "timestamp").as_i64().and_then(date_and_time) {
            model.tag("EventDate", date);
            model.tag("EventTime", time);
        }
        self.event(object);
        self.blocks(object);
    }

    /// Tags on the event and the players, comments, clock and video.
    fn event(&mut self, object: &Object<'_>) {
        let model = &mut self.model;
        let texts = [("event", "Event"), ("stage", "Stage"), ("platform", "Site")];
        // GammonView's site is where the match was played, if there is a platform beside it.
        let site = if object.contains_key("platform") {
            "Place"
        } else {
            "Site"
        };
        let named = TEXTS.into_iter().map(|(_, tag)| match tag {
            "EventURL" => ("event_url", tag),
            "MatchRef" => ("match_ref", tag),
            "Table" => ("table", tag),
            "City" => ("city", tag),
            "Country" => ("country", tag),
            _ => ("site", site),
        });
        for (key, tag) in texts.into_iter().chain(named) {
            model.tag(tag, value(object, key).as_str().unwrap_or_default());
        }
        for (key, tag) in [("event_year", "EventYear"), ("round", "Round")] {
            if let Some(number) = number(&value(object, key)) {
                model.tag(tag, number.to_string());
            }
        }
        if value(object, "rated").as_bool() == Some(true) {
            model.tag("Rated", "On");
        }
        for (index, (side, key)) in SIDES
            .into_iter()
            .zip(["white_profile", "black_profile"])
            .enumerate()
        {
            let profile = value(object, key);
            if let Some(value) = profile["rating"].as_f64() {
                let hundredths = (value * 100.0).round();
                model.ratings[index] = Some(rating(hundredths as u32));
            }
            for (key, name) in [
                ("user_id", "UserId"),
                ("rating_system", "RatingSystem"),
                ("country", "Country"),
            ] {
                let text = profile[key].as_str().unwrap_or_default();
                model.tag(&format!("{side}{name}"), text);
            }
        }
        let video = value(object, "video_info");
        model.tag("Video", video["url"].as_str().unwrap_or_default());
        let clock = value(object, "clock_info");
        if clock.is_object() {
            let part = |name: &str| number(&clock[name]).unwrap_or(0);
            let clock = Clock {
                reserve: part("reserve_ms"),
                delay: part("delay_ms"),
                increment: part("increment_ms"),
                start: part("start_timestamp"),
                flags: u8::try_from(part("flags")).unwrap_or(0),
                times: Vec::new(),
            };
            model.tag("Clock", clock.text());
        }
        model
            .comments
            .extend(annotations(&value(object, "annotations")));
    }

    /// What the analysis blocks say of themselves.
    fn blocks(&mut self, object: &Object<'_>) {
        let several = value(object, "analyses_info");
        let blocks = match several {
            Value::Array(blocks) if !blocks.is_empty() => blocks,
            _ => vec![value(object, "analysis_info")],
        };
        for block in blocks.iter().filter(|block| block.is_object()) {
            let words = ["cubeless", "cubeful", "cubeful_match", "cubeless_match"];
            self.currencies
                .push(code(&block["currency"], &words).unwrap_or(0));
            let named = block["model_name"].as_str().or(block["model_id"].as_str());
            let level = block["eval_level"].as_str();
            let said: Vec<&str> = named
                .into_iter()
                .chain(level)
                .filter(|part| !part.is_empty())
                .collect();
            self.model.tag("Analysis", said.join(" "));
        }
    }
}
