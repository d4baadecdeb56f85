//! The JSON form of a session log: the same events as the text form, one object an event.
//!
//! ```text
//! {"chouette": 1, "stake": {"amount": 0.5, "unit": "EUR"}, "rules": {"jacoby": true},
//!  "events": [{"seats": ["Ayla", "Burak", "Ceren"]},
//!             {"double": {"by": "Ayla", "to": 2, "answers": [{"player": "Burak", "answer": "takes"}]}},
//!             {"result": {"winner": "box", "win": "gammon", "points": 4}}]}
//! ```
//!
//! Fields that are not known are refused by name. Each event is read by itself, so that one that is wrong
//! hides no other; findings point at the event.

use schemars::{JsonSchema, Schema, schema_for};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::log::{Answer, Event, Log, MOST_POINTS, Name, Outcome, Side, Turn, TurnKind};
use super::text::add_stake;
use crate::board::Win;
use crate::diagnostic::{Finding, Findings, syntax};
use crate::ruleset::RuleOptions;
use crate::source::{Source, Span, Spanned};

/// The version of this form.
const VERSION: u32 = 1;

/// A session log.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, bound(deserialize = "E: Deserialize<'de>"))]
struct LogJson<E> {
    /// The version of this form: 1.
    chouette: u32,
    /// What a point is worth.
    #[serde(default)]
    stake: Option<StakeJson>,
    /// What was agreed.
    #[serde(default)]
    rules: RulesJson,
    /// What happened, in its order.
    events: Vec<E>,
}

/// What a point is worth.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StakeJson {
    /// Up to six digits before the point and three behind it.
    amount: f64,
    /// The currency, or whatever is played for.
    #[serde(default)]
    unit: String,
}

/// What was agreed; null or missing where nothing is said.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct RulesJson {
    cube: Option<bool>,
    jacoby: Option<bool>,
    beavers: Option<bool>,
    raccoons: Option<bool>,
    automatic_doubles: Option<u32>,
    cube_limit: Option<u32>,
    backgammon_counts: Option<u32>,
}

/// Something that happened.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum EventJson {
    /// The dice that were rolled for the seats.
    Rolls(Vec<RollJson>),
    /// A game starts: box, captain, queue.
    Seats(Vec<String>),
    /// Equal opening dice have doubled the cube.
    AutomaticDouble(AutomaticJson),
    /// A double or redouble.
    Double(TurnJson),
    /// The side that was doubled turns the cube at once.
    Beaver(TurnJson),
    /// The doubler turns it once more.
    Raccoon(TurnJson),
    /// A game is over.
    Result(OutcomeJson),
    /// What each wins or loses in the game.
    Settlement(Vec<PointsJson>),
    /// What each has won or lost so far.
    Total(Vec<PointsJson>),
    /// Somebody sits down.
    Join(String),
    /// Somebody gets up.
    Leave(String),
    /// The session is over.
    End(bool),
}

/// A player and the dice.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RollJson {
    player: String,
    /// 1 to 6; more than one where a tie was rolled again.
    dice: Vec<u8>,
}

/// An automatic double.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AutomaticJson {
    /// The value of the cube as stated.
    #[serde(default)]
    to: Option<u32>,
}

/// A turn of the cube.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TurnJson {
    /// Who turns it.
    by: String,
    /// The value of the cube as stated.
    #[serde(default)]
    to: Option<u32>,
    /// Consent and answers.
    #[serde(default)]
    answers: Vec<AnswerJson>,
}

/// What a player says to a turn of the cube.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AnswerJson {
    player: String,
    answer: AnswerName,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum AnswerName {
    Agrees,
    Refuses,
    Takes,
    Passes,
}

/// The result of a game.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OutcomeJson {
    winner: SideName,
    #[serde(default)]
    win: Option<WinName>,
    /// The points of one member.
    #[serde(default)]
    points: Option<u32>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum SideName {
    Box,
    Team,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum WinName {
    Single,
    Gammon,
    Backgammon,
}

/// A player and points.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PointsJson {
    player: String,
    points: i64,
}

/// The JSON Schema of a session log.
pub fn log_schema() -> Schema {
    schema_for!(LogJson<EventJson>)
}

/// Whether a text is a session log in JSON, however broken.
pub(super) fn is_json(text: &str) -> bool {
    text.trim_start().starts_with('{') && text.contains("\"chouette\"")
}

/// Reads the JSON form.
pub(super) fn read(source: &Source, findings: &mut Findings) -> Log {
    let mut log = Log::default();
    let text = source.text();
    let json: LogJson<&RawValue> = match serde_json::from_str(text) {
        Ok(json) => json,
        Err(error) => {
            findings.push(refused(&error, text));
            return log;
        }
    };
    let whole = source.span(text.trim());
    let start = Span::new(whole.start, whole.start + 1);
    if json.chouette != VERSION {
        let message = format!("version {} of the log is not known", json.chouette);
        let label = format!("known is {VERSION}");
        findings.push(Finding::new(
            &syntax::UNREADABLE_LINE,
            start,
            message,
            label,
        ));
        return log;
    }
    if let Some(stake) = &json.stake {
        add_stake(
            &stake.amount.to_string(),
            &stake.unit,
            start,
            &mut log,
            findings,
        );
    }
    log.rules = agreed(&json.rules, start, findings);
    for raw in json.events {
        let span = source.span(raw.get());
        let json = serde_json::from_str::<EventJson>(raw.get());
        let event = json
            .map_err(|error| reason(&error))
            .and_then(|json| event_of(json, span));
        let event = event.unwrap_or_else(|reason| {
            let label = "the event is left out";
            findings.push(Finding::new(&syntax::UNREADABLE_LINE, span, reason, label));
            Event::Unreadable
        });
        log.events.push(Spanned::new(event, span));
    }
    log
}

/// What serde says, without the place, which is shown.
fn reason(error: &serde_json::Error) -> String {
    let message = error.to_string();
    message
        .split(" at line ")
        .next()
        .unwrap_or(&message)
        .to_owned()
}

fn refused(error: &serde_json::Error, text: &str) -> Finding {
    let before = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1));
    let line: usize = before.map(str::len).sum();
    let mut at = (line + error.column().saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let span = Span::new(at as u32, at as u32);
    if error.is_eof() {
        let label = "nothing of it is judged";
        return Finding::new(&syntax::TRUNCATED, span, "the log is cut", label);
    }
    let label = "nothing of the log is judged";
    Finding::new(&syntax::UNREADABLE_LINE, span, reason(error), label)
}

fn agreed(rules: &RulesJson, span: Span, findings: &mut Findings) -> RuleOptions {
    let counts = rules.backgammon_counts;
    if counts.is_some_and(|counts| !(2..=3).contains(&counts)) || rules.cube_limit == Some(0) {
        let message = "a rule with a value that it cannot have";
        let label = "a backgammon counts 2 or 3, and a cube limit is 1 at least";
        findings.push(Finding::new(&syntax::BAD_HEADER, span, message, label));
    }
    RuleOptions {
        cube: rules.cube,
        jacoby: rules.jacoby,
        beavers: rules.beavers,
        raccoons: rules.raccoons,
        automatic_doubles: rules.automatic_doubles,
        cube_limit: rules.cube_limit.filter(|&limit| limit > 0).map(Some),
        backgammon_counts: counts.filter(|counts| (2..=3).contains(counts)),
        ..RuleOptions::default()
    }
}

/// The event, or why there is none.
fn event_of(event: EventJson, span: Span) -> Result<Event, String> {
    let name = |name: String| Name::new(name.trim().to_owned(), span);
    let list = |list: Vec<PointsJson>| {
        list.into_iter()
            .map(|one| (name(one.player), one.points))
            .collect()
    };
    let event = match event {
        EventJson::Rolls(rolls) => {
            let rolls = rolls.into_iter().map(|roll| (name(roll.player), roll.dice));
            Event::Rolls(rolls.collect())
        }
        EventJson::Seats(names) => Event::Seats(names.into_iter().map(name).collect()),
        EventJson::AutomaticDouble(double) => Event::AutomaticDouble { to: double.to },
        EventJson::Double(json) => Event::Turn(turn(TurnKind::Double, json, name)),
        EventJson::Beaver(json) => Event::Turn(turn(TurnKind::Beaver, json, name)),
        EventJson::Raccoon(json) => Event::Turn(turn(TurnKind::Raccoon, json, name)),
        EventJson::Result(json) => Event::Result(outcome(&json)),
        EventJson::Settlement(json) => Event::Settlement(list(json)),
        EventJson::Total(json) => Event::Total(list(json)),
        EventJson::Join(who) => Event::Join(name(who)),
        EventJson::Leave(who) => Event::Leave(name(who)),
        EventJson::End(true) => Event::End,
        EventJson::End(false) => return Err("a session that goes on has no end".to_owned()),
    };
    match fault_of(&event) {
        None => Ok(event),
        Some(fault) => Err(fault.to_owned()),
    }
}

fn turn(kind: TurnKind, json: TurnJson, name: impl Fn(String) -> Name) -> Turn {
    let said = |answer| match answer {
        AnswerName::Agrees => Answer::Agrees,
        AnswerName::Refuses => Answer::Refuses,
        AnswerName::Takes => Answer::Takes,
        AnswerName::Passes => Answer::Passes,
    };
    let answers = json.answers.into_iter();
    Turn {
        kind,
        by: name(json.by),
        to: json.to,
        answers: answers
            .map(|one| (name(one.player), said(one.answer)))
            .collect(),
    }
}

fn outcome(json: &OutcomeJson) -> Outcome {
    Outcome {
        winner: match json.winner {
            SideName::Box => Side::Box,
            SideName::Team => Side::Team,
        },
        win: json.win.map(|win| match win {
            WinName::Single => Win::Single,
            WinName::Gammon => Win::Gammon,
            WinName::Backgammon => Win::Backgammon,
        }),
        points: json.points,
    }
}

/// What the text form could not have said.
fn fault_of(event: &Event) -> Option<&'static str> {
    let nameless = "a player without a name";
    let nobody = "a list of nobody";
    let is_nameless = |name: &Name| name.value.is_empty();
    match event {
        Event::Rolls(rolls) => {
            let is_none = |die: &u8| !(1..=6).contains(die);
            let odd = |dice: &Vec<u8>| dice.is_empty() || dice.iter().any(is_none);
            if rolls.iter().any(|(_, dice)| odd(dice)) {
                return Some("a die shows 1 to 6");
            }
            let faulty = rolls.iter().any(|(name, _)| is_nameless(name));
            faulty
                .then_some(nameless)
                .or(rolls.is_empty().then_some(nobody))
        }
        Event::Seats(names) => {
            let faulty = names.iter().any(is_nameless);
            faulty
                .then_some(nameless)
                .or(names.is_empty().then_some(nobody))
        }
        Event::Settlement(list) | Event::Total(list) => {
            if list
                .iter()
                .any(|(_, points)| points.unsigned_abs() >= MOST_POINTS.unsigned_abs())
            {
                return Some("more points than any session can come to");
            }
            let faulty = list.iter().any(|(name, _)| is_nameless(name));
            faulty
                .then_some(nameless)
                .or(list.is_empty().then_some(nobody))
        }
        Event::Turn(turn) => {
            let mut names =
                std::iter::once(&turn.by).chain(turn.answers.iter().map(|(name, _)| name));
            names.any(is_nameless).then_some(nameless)
        }
        Event::Join(name) | Event::Leave(name) => is_nameless(name).then_some(nameless),
        Event::AutomaticDouble { .. } | Event::Result(_) | Event::End | Event::Unreadable => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::chouette::testing::{judged, total};

    fn messages(events: &str) -> Vec<String> {
        let text = format!("{{\"events\": [{events}], \"chouette\": 1}}");
        let findings = judged(&text).findings;
        findings
            .into_iter()
            .map(|finding| finding.message)
            .collect()
    }

    #[test]
    fn what_is_not_known_is_refused_by_name() {
        let expected = "unknown field `cube`, expected one of `by`, `to`, `answers`";
        assert_eq!(
            messages("{\"double\": {\"by\": \"Ayla\", \"cube\": 2}}"),
            [expected]
        );
        let found = messages("{\"redouble\": {\"by\": \"Ayla\"}}");
        assert!(
            found[0].starts_with("unknown variant `redouble`, expected one of"),
            "{found:?}"
        );
    }

    #[test]
    fn values_that_the_text_form_could_not_have_are_refused() {
        for (event, message) in [
            ("{\"seats\": []}", "a list of nobody"),
            ("{\"seats\": [\" \"]}", "a player without a name"),
            (
                "{\"rolls\": [{\"player\": \"Ayla\", \"dice\": [7]}]}",
                "a die shows 1 to 6",
            ),
            ("{\"end\": false}", "a session that goes on has no end"),
            (
                "{\"total\": [{\"player\": \"Ayla\", \"points\": 10000000000}]}",
                "more points than any session can come to",
            ),
        ] {
            assert_eq!(messages(event), [message], "{event}");
        }
    }

    #[test]
    fn an_event_that_is_refused_hides_no_other_game() {
        let text = r#"{"chouette": 1, "events": [{"seats": ["Ayla", "Burak", "Ceren"]}, {"result": 1},
            {"seats": ["Ayla", "Ceren", "Burak"]}, {"result": {"winner": "box"}}]}"#;
        assert_eq!(judged(text).findings.len(), 1);
        assert_eq!(total(text), [2, -1, -1]);
    }

    #[test]
    fn a_version_that_is_not_known_is_not_judged() {
        let report = judged(r#"{"chouette": 2, "events": [{"seats": ["Ayla"]}]}"#);
        assert_eq!(
            report.findings[0].message,
            "version 2 of the log is not known"
        );
        assert!(report.session.games.is_empty());
    }
}
