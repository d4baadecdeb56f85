//! An identifier as a record: a match of one game that starts from the position and goes no further.

use super::{IdFault, IdState, Pending};
use crate::board::{Cube, Length, Player, Setup, Variant};
use crate::diagnostic::{Finding, Level, syntax};
use crate::formats::text::match_length;
use crate::record::{Action, Entry, GameRecord, MatchRecord, Tag};
use crate::source::{Span, Spanned};

/// The position of a state, with turn, dice and cube. `None`: the checkers are not known.
pub(in crate::formats) fn setup(state: &IdState) -> Option<Setup> {
    let mut checkers = state.board?;
    for player in Player::BOTH {
        checkers[player][0] = 0;
    }
    Some(Setup {
        checkers,
        variant: Variant::Backgammon,
        turn: state.turn,
        roll: state.dice,
        cube: state.cube,
    })
}

/// A match of one game that starts from the state. What waits for an answer is its only action.
pub(in crate::formats) fn record(state: &IdState, span: Span) -> MatchRecord {
    let length = length(state, span).and_then(Result::ok);
    let points = length.and_then(Length::points);
    let score = state.score.filter(|_| length.is_some());
    // Where nobody is one point short, there is nothing to be said about the Crawford game.
    let short = score.zip(points).is_some_and(|(score, length)| {
        length > 1
            && (score.one.saturating_add(1) == length || score.two.saturating_add(1) == length)
    });
    let crawford = state.crawford.filter(|&is_it| is_it || short);
    let game = GameRecord {
        heading: span,
        has_score_line: score.is_some(),
        score: score.map(|score| Spanned::new(score, span)),
        crawford: crawford.map(|crawford| Spanned::new(crawford, span)),
        start: setup(state).map(|setup| Spanned::new(setup, span)),
        entries: waiting(state, span),
        ..GameRecord::default()
    };
    MatchRecord {
        length: length.map(|length| Spanned::new(length, span)),
        tags: tags(state, span),
        names: state.names.clone().unwrap_or_default(),
        games: vec![game],
        ..MatchRecord::default()
    }
}

/// The length, or what is wrong with it.
fn length(state: &IdState, span: Span) -> Option<Result<Length, Box<Finding>>> {
    let points = state.length?.points().unwrap_or(0);
    Some(match_length(points, span))
}

/// What is said of a state that its record cannot hold.
pub(in crate::formats) fn beyond(state: &IdState, span: Span) -> Option<Finding> {
    length(state, span)?.err().map(|finding| *finding)
}

/// The rules of a money game, and the highest cube, as the tags of a header say them.
fn tags(state: &IdState, span: Span) -> Vec<Tag> {
    let tag = |name: &str, value: String| Tag {
        name: name.to_owned(),
        value,
        span,
    };
    let switch = |on: bool| if on { "On" } else { "Off" }.to_owned();
    let is_money = state.length == Some(Length::Money);
    let mut tags = Vec::new();
    if let Some(jacoby) = state.jacoby.filter(|_| is_money) {
        tags.push(tag("Jacoby", switch(jacoby)));
    }
    if let Some(beavers) = state.beavers.filter(|_| is_money) {
        tags.push(tag("Beaver", switch(beavers)));
    }
    // 1024 is what every program writes that has no opinion.
    if let Some(limit) = state.max_cube.filter(|&limit| limit != 1024) {
        tags.push(tag("CubeLimit", limit.to_string()));
    }
    tags
}

/// The actions that wait for an answer.
fn waiting(state: &IdState, span: Span) -> Vec<Entry> {
    let to = state.cube.unwrap_or(Cube::START).value.checked_mul(2);
    let entry = |player, action| Entry::new(player, action, 0, span);
    let double = Action::Double {
        to,
        after_roll: None,
    };
    match (state.pending, state.turn) {
        (Some(Pending::Resignation { by, win }), _) => {
            vec![entry(by, Action::Resign { win: Some(win) })]
        }
        (Some(Pending::Double), Some(doubler)) => vec![entry(doubler, double)],
        (Some(Pending::Beaver), Some(doubler)) => vec![
            entry(doubler, double),
            entry(!doubler, Action::Beaver { to: None }),
        ],
        (Some(Pending::Raccoon), Some(doubler)) => vec![
            entry(doubler, double),
            entry(!doubler, Action::Beaver { to: None }),
            entry(doubler, Action::Raccoon { to: None }),
        ],
        _ => Vec::new(),
    }
}

/// What is wrong with an identifier, as findings. `text` is the part of the source that was read and `start`
/// the byte where it starts.
pub(in crate::formats) fn findings(faults: &[IdFault], text: &str, start: u32) -> Vec<Finding> {
    let place = |column: Option<u32>| {
        let skip = column.unwrap_or(1).saturating_sub(1) as usize;
        let at = text.char_indices().nth(skip).map_or(0, |(at, _)| at);
        let rest = &text[at..];
        let length = rest.find([':', ';', ' ']).filter(|&length| length > 0);
        let length = length.unwrap_or(rest.trim_end().len());
        Span::new(start + at as u32, start + (at + length) as u32)
    };
    let finding = |fault: &IdFault| {
        let rule = match (fault.level, fault.impossible) {
            (Level::Error, true) => &syntax::IMPOSSIBLE_POSITION,
            (Level::Error, false) => &syntax::UNREADABLE_LINE,
            _ => &syntax::BAD_HEADER,
        };
        let label = if fault.level == Level::Error {
            "the position is left out"
        } else {
            "read as it stands"
        };
        Finding::new(rule, place(fault.column), fault.message.clone(), label).at_level(fault.level)
    };
    let is_error = |fault: &&IdFault| fault.level == Level::Error;
    let errors = || faults.iter().filter(is_error);
    let Some(first) = errors().find(|fault| fault.impossible).or(errors().next()) else {
        return faults.iter().map(finding).collect();
    };
    // An identifier that means no position is one mistake, whatever else is wrong with it.
    let others = errors().filter(|fault| !std::ptr::eq(*fault, first));
    let whole = others.fold(finding(first), |whole, other| {
        whole.also(place(other.column), other.message.clone())
    });
    vec![whole]
}
