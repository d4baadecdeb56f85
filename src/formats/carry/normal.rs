//! One way for what transcripts write in several.
//!
//! - A play is the moves of single dice that lead to the same position, if it is legal: joined moves, their
//!   order, and which of two equal ways was written make no difference. A play that the replay supplies,
//!   because only one was possible, is that play.
//! - A turn of the cube in answer to one is a beaver, and in answer to that a raccoon, whatever its word. Its
//!   value is not stated where it is twice the one before.
//! - A game that stops without an end and has a winner was given up, whether the result says so or not.
//! - A position that is stated after a play says nothing where the play leads there anyway.
//! - A position that is set before anything was done is the one from which the game starts.
//! - Who is on roll in a position is whoever acts next, whose dice are those that are played next.
//! - The names of tags are in small letters, in order; a tag without a value says nothing, and neither does
//!   the Crawford rule in a match, where it holds anyway, the same said of it again, the usual game as the variation, or a
//!   highest cube of 1024, which programs write that have no opinion. A date has points, a time has colons and seconds.
//! - A score that follows from the games before is not stated, and neither is a Crawford mark that follows
//!   from the score.
//! - Comments are lines without blanks around them; empty ones say nothing.
//! - The names of a game are not stated where they are those of the match.

use super::Item;
use crate::board::{Length, Play, Player, Plays, Reading, Roll, Setup, Variant, Verdict};
use crate::record::{Action, Entry, Extra, GameRecord, MatchRecord, Tag, WrittenPlay};
use crate::replay::{EndedBy, GameReplay, Known, Replay, ReplayStep, Ruling, replay, rules_for};
use crate::ruleset::{Origin, RuleOptions};
use crate::source::{Span, Spanned};

/// Puts the content of a record into its normal form.
pub(super) fn settle(content: &mut MatchRecord, record: &MatchRecord) {
    let mut whole = record.clone();
    content.games.iter_mut().for_each(start_with_what_is_set);
    for game in &mut whole.games {
        start_with_what_is_set(game);
        let after = game.entries.len() as u32;
        if let Some(result) = &mut game.result {
            result.value.after = after;
        }
    }
    let rules = rules_for(&whole, &RuleOptions::default());
    let replayed = replay(&whole, &rules);
    if rules.variant.origin == Origin::Record && whole.games[0].start.is_none() {
        content.variation = Some(Spanned::new(
            rules.variant.value.name().to_owned(),
            Span::default(),
        ));
    }
    settle_tags(content);
    let games = content.games.iter_mut().zip(&whole.games);
    for (index, (game, written)) in games.enumerate() {
        settle_result(game, index, &replayed);
        settle_game(game, written, &replayed.games[index], rules.variant.value);
    }
}

/// Puts names and comments into their normal form, which takes no replay.
pub(super) fn settle_words(content: &mut MatchRecord) {
    settle_comments(&mut content.comments);
    for game in &mut content.games {
        for player in Player::BOTH {
            let of_the_match = |name: &Spanned<String>| name.value == content.names[player];
            let name = &mut game.names[player];
            *name = name.take().filter(|name| !of_the_match(name));
        }
        settle_comments(&mut game.comments);
        for entry in &mut game.entries {
            let Some(extra) = &mut entry.extra else {
                continue;
            };
            let comment = extra.comment.take();
            let comment = comment.map(|text| lines(&text).collect::<Vec<_>>().join("\n"));
            extra.comment = comment.filter(|comment| !comment.is_empty());
            if **extra == Default::default() {
                entry.extra = None;
            }
        }
    }
}

fn start_with_what_is_set(game: &mut GameRecord) {
    let says_only_that = |entry: &&Entry| {
        let extra = entry.extra.as_deref();
        let more = extra.map(|extra| Extra {
            position_after: None,
            ..extra.clone()
        });
        let sets = extra.is_some_and(|extra| extra.position_after.is_some());
        entry.action == Action::Set && sets && more == Some(Extra::default())
    };
    let first = game.entries.iter().take_while(says_only_that).count();
    let last = game.entries.drain(..first).next_back();
    if let Some(extra) = last.and_then(|last| last.extra) {
        game.start = extra.position_after;
    }
}

fn settle_game(
    game: &mut GameRecord,
    written: &GameRecord,
    replayed: &GameReplay,
    variant: Variant,
) {
    if let Some(start) = &mut game.start {
        settle_setup(&mut start.value, &written.entries, variant);
    }
    for index in 0..game.entries.len() {
        let action = meant(&game.entries, index);
        let step = replayed.step(index);
        let entry = &mut game.entries[index];
        entry.action = action;
        if let Some(step) = step {
            settle_action(entry, &written.entries[index], &step);
            if states_the_obvious(&written.entries[index], &step) {
                entry.extra_mut().position_after = None;
            }
        }
        let Some(extra) = &mut entry.extra else {
            continue;
        };
        if let Some(setup) = &mut extra.position_after {
            settle_setup(&mut setup.value, &written.entries[index + 1..], variant);
        }
        if **extra == Default::default() {
            entry.extra = None;
        }
    }
}

fn settle_action(entry: &mut Entry, written: &Entry, step: &ReplayStep) {
    if let Some(play) = one_die_a_move(written, step)
        && let Action::Play { play: moves, .. } = &mut entry.action
    {
        let mut play = play.sorted();
        play.moves_mut()
            .iter_mut()
            .for_each(|moved| moved.hits = false);
        *moves = WrittenPlay::Moves(play);
    }
    if states_twice(written, step)
        && let Action::Double { to, .. } | Action::Beaver { to } | Action::Raccoon { to } =
            &mut entry.action
    {
        *to = None;
    }
}

/// The play of an entry with one move for each die, in an order in which it can be played. `None`: it is not
/// legal, or nothing was moved.
pub(in crate::formats) fn one_die_a_move(entry: &Entry, step: &ReplayStep) -> Option<Play> {
    expanded(entry, step, verdict(entry, step).as_ref())
}

/// What the moves of an entry come to in the position before a step. `None`: it has no moves, or no dice.
pub(in crate::formats) fn verdict(entry: &Entry, step: &ReplayStep) -> Option<Verdict> {
    let Action::Play {
        roll,
        play: WrittenPlay::Moves(moves),
    } = &entry.action
    else {
        return None;
    };
    let before = &step.before;
    let judged = |roll| {
        before
            .variant
            .judge(&before.position, entry.player, roll, moves.moves())
    };
    roll.roll().map(judged)
}

/// [`one_die_a_move`] for who has the [`verdict`] already.
pub(in crate::formats) fn expanded(
    entry: &Entry,
    step: &ReplayStep,
    verdict: Option<&Verdict>,
) -> Option<Play> {
    let Action::Play { roll, play } = &entry.action else {
        return None;
    };
    let known = |state: &crate::replay::State| state.known != Known::Unknown;
    let (before, after) = (&step.before.position, &step.after.position);
    if !known(step.before) || !known(step.after) || before == after {
        return None;
    }
    let roll = roll.roll()?;
    let leads_there = |reading: &Reading| reading.position == *after;
    let is_legal = match (play, verdict) {
        (WrittenPlay::NotRecorded, _) => false,
        (WrittenPlay::Moves(_), Some(Verdict::Legal(reading))) => leads_there(reading),
        (WrittenPlay::Moves(_), Some(Verdict::Ambiguous(readings))) => {
            readings.iter().any(leads_there)
        }
        (WrittenPlay::Moves(_), _) => false,
        _ => step.ruling == Ruling::Legal,
    };
    if !is_legal {
        return None;
    }
    play_made(entry.player, roll, step)
}

/// Whether a play was judged legal between positions that are certain.
pub(in crate::formats) fn is_known_and_legal(step: &ReplayStep) -> bool {
    step.ruling == Ruling::Legal
        && step.before.known == Known::Certain
        && step.after.known == Known::Certain
}

/// Whether the position that is stated after a play is where the play leads anyway.
pub(in crate::formats) fn states_the_obvious(entry: &Entry, step: &ReplayStep) -> bool {
    let Action::Play { roll, play } = &entry.action else {
        return false;
    };
    let stated = entry
        .extra
        .as_deref()
        .and_then(|extra| extra.position_after.as_ref());
    let Some(stated) = stated else {
        return false;
    };
    let (before, after) = (&step.before.position, &step.after.position);
    let is_known = step.before.known != Known::Unknown && step.after.known != Known::Unknown;
    let Setup {
        turn,
        roll: dice,
        cube,
        ..
    } = stated.value;
    let says_more = dice.is_some()
        || turn.is_some_and(|turn| step.after.turn != Some(turn))
        || cube.is_some_and(|cube| step.after.cube != cube);
    if !is_known || says_more {
        return false;
    }
    let variant = step.before.variant;
    match (play, roll.roll()) {
        (WrittenPlay::Moves(moves), None) => variant
            .played_as_written(before, entry.player, moves.moves())
            .is_ok_and(|p| p == *after),
        (WrittenPlay::Moves(moves), Some(roll)) => {
            match variant.judge(before, entry.player, roll, moves.moves()) {
                Verdict::Legal(reading) => reading.position == *after,
                // Writers write the way that was gone.
                Verdict::Ambiguous(_) => step.ruling == Ruling::Legal,
                Verdict::Illegal { stands, .. } => stands.as_ref() == Some(after),
            }
        }
        (WrittenPlay::NotRecorded, _) => false,
        _ => before == after,
    }
}

/// Takes away what a match states and what follows from the rest of it anyway: positions after plays (see
/// [`states_the_obvious`]), the kind of a win that the board or the points show, and that a later game is not
/// the Crawford game. A target that has words for kinds of wins keeps those.
pub(in crate::formats) fn drop_the_obvious(
    record: &mut MatchRecord,
    replayed: &Replay,
    has_kinds: bool,
) {
    for (index, game) in record.games.iter_mut().enumerate() {
        let result = game.result;
        drop_obvious_words(game, index, replayed);
        if has_kinds {
            game.result = result;
        } else if let (Some(result), Some(summary)) =
            (&mut game.result, replayed.summary.games.get(index))
        {
            result.value.resigned &= summary.ended_by != EndedBy::Resignation;
        }
    }
    for (game, replayed) in record.games.iter_mut().zip(&replayed.games) {
        for (entry, step) in game.entries.iter_mut().zip(replayed.steps()) {
            drop_obvious_position(entry, &step);
        }
    }
}

/// Takes away the position that is stated after a play, where the play leads there anyway.
pub(super) fn drop_obvious_position(entry: &mut Entry, step: &ReplayStep) {
    if states_the_obvious(entry, step) {
        let extra = entry.extra_mut();
        extra.position_after = None;
        if *extra == Default::default() {
            entry.extra = None;
        }
    }
}

/// What is said of a game beside its actions, without what follows from these and from the games before.
pub(super) fn settle_result(game: &mut GameRecord, index: usize, replayed: &Replay) {
    if let Some(result) = &mut game.result
        && let Some(summary) = replayed.summary.games.get(index)
    {
        result.value.resigned |= summary.ended_by == EndedBy::Resignation;
    }
    drop_obvious_words(game, index, replayed);
    drop_what_follows(game, index, replayed);
}

fn drop_obvious_words(game: &mut GameRecord, index: usize, replayed: &Replay) {
    let Some(summary) = replayed.summary.games.get(index) else {
        return;
    };
    if let Some(result) = &mut game.result
        && matches!(summary.ended_by, EndedBy::BearOff | EndedBy::Resignation)
        && result.value.win == summary.win
    {
        result.value.win = None;
    }
    if index > 0 && game.crawford.is_some_and(|crawford| !crawford.value) && !summary.crawford {
        game.crawford = None;
    }
}

/// A score that follows from the games before, or is the usual one at the start, and a Crawford mark that
/// follows from it.
fn drop_what_follows(game: &mut GameRecord, index: usize, replayed: &Replay) {
    let Some(summary) = replayed.summary.games.get(index) else {
        return;
    };
    let is_given = index > 0 || summary.before == Default::default();
    if is_given
        && game
            .score
            .is_some_and(|score| score.value == summary.before)
    {
        game.score = None;
    }
    if index > 0
        && game
            .crawford
            .is_some_and(|mark| mark.value == summary.crawford)
    {
        game.crawford = None;
    }
}

/// The legal play of a roll that leads to the position after a step, with one move for each die.
pub(in crate::formats) fn play_made(player: Player, roll: Roll, step: &ReplayStep) -> Option<Play> {
    let mut plays = Plays::new();
    let before = &step.before;
    before
        .variant
        .legal_plays(&before.position, player, roll, &mut plays);
    plays.leading_to(&step.after.position).copied()
}

/// The written moves read literally, one for each die, if they lead to the position after a step so.
pub(in crate::formats) fn played_literally(
    written: &Play,
    player: Player,
    roll: Roll,
    step: &ReplayStep,
) -> Option<Reading> {
    let reading = read_literally(written, player, roll, step)?;
    (reading.position == step.after.position).then_some(reading)
}

/// The written moves of a step read literally, one for each die, if they can be played so, wherever they lead. The
/// replay knows it mostly.
#[inline]
pub(in crate::formats) fn read_literally(
    written: &Play,
    player: Player,
    roll: Roll,
    step: &ReplayStep,
) -> Option<Reading> {
    if let Some(hits) = step.literal {
        let position = step.after.position;
        return Some(Reading { position, hits });
    }
    let mut position = step.before.position;
    let variant = step.before.variant;
    let played = variant.play_literally(&mut position, player, roll, written.moves())?;
    let hits = played.hits;
    Some(Reading { position, hits })
}

/// Whether a reading of a play is certain to lead to the position after a step.
#[inline]
pub(in crate::formats) fn leads_there(reading: &Reading, step: &ReplayStep) -> bool {
    step.before.known != Known::Unknown
        && step.after.known != Known::Unknown
        && reading.position == step.after.position
}

/// The same as [`one_die_a_move`], as written if that has one move for each die: nearly every play, which saves
/// to list all others.
pub(in crate::formats) fn as_written_or_expanded(entry: &Entry, step: &ReplayStep) -> Option<Play> {
    if let Action::Play {
        roll,
        play: WrittenPlay::Moves(moves),
    } = &entry.action
        && let Some(roll) = roll.roll()
        && let Some(reading) = read_literally(moves, entry.player, roll, step)
        && leads_there(&reading, step)
    {
        return Some(*moves);
    }
    one_die_a_move(entry, step)
}

/// Whether a turn of the cube states the value that follows anyway.
pub(in crate::formats) fn states_twice(entry: &Entry, step: &ReplayStep) -> bool {
    let (Action::Double { to, .. } | Action::Beaver { to } | Action::Raccoon { to }) = entry.action
    else {
        return false;
    };
    to == Some(twice(step))
}

/// The value to which a turn of the cube goes before a step: twice that of the cube, or of an offer that stands, for who
/// turns it again has answered it, and who goes on after an own one was not refused.
pub(in crate::formats) fn twice(step: &ReplayStep) -> u32 {
    let before = step.before.offer.map(|offer| offer.value);
    before.unwrap_or(step.before.cube.value).saturating_mul(2)
}

/// The action of a player behind the `last` one, as that is meant; a turn of the cube that answers one is a beaver, and
/// one that answers that a raccoon.
pub(in crate::formats) fn cube_action(
    last: Option<(Player, Action)>,
    player: Player,
    action: Action,
) -> Action {
    let (Action::Double {
        to,
        after_roll: None,
    }
    | Action::Beaver { to }
    | Action::Raccoon { to }) = action
    else {
        return action;
    };
    match last {
        Some((by, Action::Double { .. })) if by != player => Action::Beaver { to },
        Some((by, Action::Beaver { .. } | Action::Raccoon { .. })) if by != player => {
            Action::Raccoon { to }
        }
        _ => action,
    }
}

/// What the action with this number is meant as in a game as it was written.
#[inline]
pub(in crate::formats) fn meant(entries: &[Entry], at: usize) -> Action {
    match entries[at].action {
        Action::Double { .. } | Action::Beaver { .. } | Action::Raccoon { .. } => {
            turn_meant(entries, at)
        }
        action => action,
    }
}

fn turn_meant(entries: &[Entry], at: usize) -> Action {
    // The third turn is a raccoon and so is each one behind it: none before them makes a difference.
    entries[at.saturating_sub(2)..=at]
        .iter()
        .fold(None, |last, entry| {
            let action = cube_action(last, entry.player, entry.action);
            Some((entry.player, action))
        })
        .map_or(entries[at].action, |(_, action)| action)
}

/// What an answer to a turn of the cube is among the items. `None`: it is no such answer.
pub(in crate::formats) fn answer(action: Action) -> Option<Item> {
    match action {
        Action::Beaver { .. } => Some(Item::Beavers),
        Action::Raccoon { .. } => Some(Item::Raccoons),
        _ => None,
    }
}

fn settle_setup(setup: &mut Setup, later: &[Entry], variant: Variant) {
    setup.variant = variant;
    setup.checkers.one[0] = 0;
    setup.checkers.two[0] = 0;
    if let Some(next) = next_actor(later) {
        setup.turn = Some(next);
        setup.roll = None;
    }
}

/// How many names of the match its first game replaces: they are lost where each game has its names and the match those
/// of its first one.
pub(in crate::formats) fn names_replaced(record: &MatchRecord) -> usize {
    let is_replaced = |player: &Player| {
        let own = record
            .games
            .first()
            .and_then(|game| game.names[*player].as_ref());
        own.is_some_and(|own| own.value != record.names[*player])
    };
    Player::BOTH.into_iter().filter(is_replaced).count()
}

/// Who acts first in a list of entries; a position that is set is no action, and what cannot be read tells of none.
pub(in crate::formats) fn next_actor(entries: &[Entry]) -> Option<Player> {
    entries
        .iter()
        .find(|entry| !matches!(entry.action, Action::Set | Action::Unreadable))
        .map(|entry| entry.player)
}

pub(super) fn settle_tags(content: &mut MatchRecord) {
    if let Some(variation) = content.variation.take()
        && content.tag("Variation").is_none()
    {
        content.tags.push(Tag {
            name: "Variation".to_owned(),
            value: variation.value,
            span: Span::default(),
        });
    }
    let crawford = content.switch("Crawford").map(|(on, _)| on);
    let is_match = matches!(
        content.length.map(|length| length.value),
        Some(Length::Points(_))
    );
    for tag in &mut content.tags {
        tag.name.make_ascii_lowercase();
        if tag.name == "variation"
            && let Some(variant) = Variant::by_name(&tag.value)
        {
            variant.name().clone_into(&mut tag.value);
        }
        match tag.name.as_str() {
            "eventdate" => tag.value = dotted(&tag.value),
            "eventtime" => tag.value = timed(&tag.value),
            _ => {}
        }
    }
    if is_match && let Some(on) = crawford {
        let mut is_first = true;
        content.tags.retain_mut(|tag| {
            if tag.name != "crawford" {
                return true;
            }
            if !std::mem::take(&mut is_first) {
                return tag.switch() != Some(on);
            }
            tag.value = "Off".to_owned();
            !on
        });
    }
    let says_nothing = |tag: &Tag| match tag.name.as_str() {
        "variation" => Variant::by_name(&tag.value) == Some(Variant::Backgammon),
        "cubelimit" => tag.value.trim() == "1024",
        "eventtime" => tag.value == "00:00:00",
        _ => tag.value.trim().is_empty(),
    };
    content.tags.retain(|tag| !says_nothing(tag));
    content.tags.sort_by(|a, b| a.name.cmp(&b.name));
}

/// A date with points between its parts.
pub(in crate::formats) fn dotted(date: &str) -> String {
    let is_plain = date.len() == 10 && date.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    match is_plain {
        true => date.replace('-', "."),
        false => date.to_owned(),
    }
}

/// A time with seconds, and with colons between its parts: `09.30` is `09:30:00`.
pub(in crate::formats) fn timed(time: &str) -> String {
    let is_plain = time.len() == 5
        && time
            .bytes()
            .all(|b| b.is_ascii_digit() || b".:".contains(&b));
    match is_plain {
        true => format!("{}:00", time.replace('.', ":")),
        false => time.to_owned(),
    }
}

fn settle_comments(comments: &mut Vec<Spanned<String>>) {
    let whole = std::mem::take(comments);
    *comments = whole
        .iter()
        .flat_map(|comment| lines(&comment.value))
        .map(|line| Spanned::new(line.to_owned(), Span::default()))
        .collect();
}

/// The lines of a comment that say anything, without blanks around them; a carriage return ends one, too.
fn lines(comment: &str) -> impl Iterator<Item = &str> {
    let lines = comment.split(['\n', '\r']).map(str::trim);
    lines.filter(|line| !line.is_empty())
}
