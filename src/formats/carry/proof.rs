//! What was written is read again before it is given out, and what differs is told as lost.
//!
//! Writers count what their format cannot hold while they write. In a garbled transcript one thing bears on another in
//! more ways than anybody lists: a take that answers nothing is read as the answer to something else once the cell before
//! it is lost. So a match with anything unusual about it is read back, and where it is not the record without the losses that
//! were counted, those items are told too. If that is still not all, the match is not written.
//!
//! Nearly all matches are plain ([`is_plain`], with an ample margin). What is written of those is what the round-trip
//! tests hold, and to read it back would cost more than to write it.

use std::collections::{BTreeMap, VecDeque};
use std::mem::discriminant;

use super::compare::{Difference, difference, is_word_for_word};
use super::normal::is_known_and_legal;
use super::{Item, Items, Loss, tag_item, takes_actions};
use crate::board::{Player, Variant};
use crate::diagnostic::Findings;
use crate::formats::{CannotWrite, Format, WriteOptions, Written};
use crate::record::{Action, Entry, Extra, GameRecord, MatchRecord, Tag, WrittenPlay};
use crate::replay::{GameReplay, Replay};
use crate::source::Source;

/// Reads back what was written of a record, and adds the items that nobody counted to its losses. `told` is what the writer
/// was given of the record.
///
/// # Errors
///
/// What would be written cannot be read, or would be another match.
pub(in crate::formats) fn prove(
    record: &MatchRecord,
    (told, replay): (&MatchRecord, &Replay),
    format: &Format,
    options: &WriteOptions,
    written: &mut Written,
) -> Result<(), CannotWrite> {
    let (Some(read), Some(write)) = (format.read, format.write) else {
        return Ok(());
    };
    if is_plain(record, replay) {
        return Ok(());
    }
    let first = WriteOptions {
        before: 0,
        ..*options
    };
    let bytes = match options.before {
        0 => written.bytes.clone(),
        // Behind others it has no header, or another one.
        _ => write(told, replay, &first)?.bytes,
    };
    let source =
        Source::new("written", bytes, None).map_err(|error| CannotWrite(error.to_string()))?;
    let mut matches = Vec::new();
    let read = read(&source, &mut |record, _: &mut Findings| {
        matches.push(record.clone());
    });
    let again = match (read, &matches[..]) {
        (Ok(()), [again]) => again,
        _ => {
            return Err(CannotWrite(format!(
                "read back, the {} would be no match",
                format.name
            )));
        }
    };
    let mut items: Vec<Item> = written.losses.iter().map(|loss| loss.item).collect();
    let is_same = is_word_for_word((told, replay), again, format, &items);
    while !is_same && let Some(difference) = difference(record, again, format, &items) {
        let untold = untold(&difference, &items);
        if untold.is_empty() {
            return Err(CannotWrite(format!(
                "read back, the {} would be another match: {}",
                format.name,
                place(&difference)
            )));
        }
        items.extend(untold.iter().map(|loss| loss.item));
        written
            .unforeseen
            .extend(untold.iter().map(|loss| loss.item));
        written.losses.extend(untold);
    }
    written.losses.sort_by_key(|loss| loss.item);
    Ok(())
}

/// Whether a match has nothing about it that a format could take for something else: plain words, and games of legal
/// plays and of doubles that are answered at once.
fn is_plain(record: &MatchRecord, replay: &Replay) -> bool {
    let names = record.names.as_ref().into_array();
    let ratings = record.ratings.as_ref().into_array();
    let mut words = names.into_iter().chain(ratings.into_iter().flatten());
    let mut games = record.games.iter().zip(&replay.games);
    let length = record.length.and_then(|length| length.value.points());
    record.comments.is_empty()
        && length.is_none_or(is_plain_number)
        && record.variation.is_none()
        && words.all(|text| is_plain_text(text))
        && record.tags.iter().all(is_plain_tag)
        && games.all(|(game, replayed)| is_plain_game(game, replayed))
}

/// Whether a tag is one that says something of the match and nothing of its plays.
fn is_plain_tag(tag: &Tag) -> bool {
    let declares = tag.name.to_ascii_lowercase().contains("illegal");
    !declares && is_plain_text(&tag.name) && is_plain_text(&tag.value)
}

/// Whether a text says something and no format takes it for anything else.
fn is_plain_text(text: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric();
    let bytes = text.as_bytes();
    let ends = [bytes.first(), bytes.last()];
    ends.into_iter()
        .all(|end| end.is_some_and(|&byte| is_word(byte)))
        && bytes
            .iter()
            .all(|&byte| is_word(byte) || b" .,-_':/".contains(&byte))
}

/// Whether a number is one that every format reads.
fn is_plain_number(number: u32) -> bool {
    number < 10_000
}

fn is_plain_game(game: &GameRecord, replayed: &GameReplay) -> bool {
    let score = game.score.map(|score| score.value.into_array());
    let points = game.result.and_then(|result| result.value.points);
    let number = game.number.map(|number| number.value);
    let mut numbers = score.into_iter().flatten().chain(points).chain(number);
    let names = game.names.as_ref().into_array();
    let mut names = names.into_iter().flatten();
    let mut steps = (0..game.entries.len()).map(|at| replayed.step(at));
    replayed.start.variant == Variant::Backgammon
        && game.start.is_none()
        && numbers.all(is_plain_number)
        && game.comments.is_empty()
        && names.all(|name| is_plain_text(&name.value))
        && are_plain(&game.entries)
        && steps.all(|step| step.is_some_and(|step| is_known_and_legal(&step)))
}

/// Whether all actions are plays, and doubles that the opponent takes or passes.
fn are_plain(entries: &[Entry]) -> bool {
    let mut doubled: Option<Player> = None;
    entries.iter().all(|entry| {
        let by = doubled.take();
        let is_plain = match (&entry.action, by) {
            (Action::Play { roll, play }, None) => {
                !matches!(play, WrittenPlay::NotRecorded) && roll.roll().is_some()
            }
            (
                Action::Double {
                    to,
                    after_roll: None,
                },
                None,
            ) => {
                doubled = Some(entry.player);
                to.is_none_or(is_plain_number)
            }
            (Action::Take | Action::Pass, Some(by)) => by != entry.player,
            _ => false,
        };
        is_plain && entry.extra.as_deref().is_none_or(is_measured)
    })
}

/// Whether there is nothing beside an action but numbers of the clock and of analysis.
fn is_measured(extra: &Extra) -> bool {
    let Extra {
        comment,
        position_after,
        declared_illegal,
        unreadable,
        analysis: _,
        seconds: _,
    } = extra;
    comment.is_none() && position_after.is_none() && !declared_illegal && !unreadable
}

/// The items in which two records differ, without those that are told.
fn untold(difference: &Difference, told: &[Item]) -> Vec<Loss> {
    let Difference { expected, found } = difference;
    let mut times: BTreeMap<Item, u32> = BTreeMap::new();
    let mut add = |item: Item, is_other: bool| {
        if is_other && !told.contains(&item) {
            *times.entry(item).or_default() += 1;
        }
    };
    add(Item::Length, expected.length != found.length);
    add(Item::Names, expected.names != found.names);
    add(Item::Ratings, expected.ratings != found.ratings);
    add(Item::MatchComments, expected.comments != found.comments);
    for (tags, others) in [(&expected.tags, &found.tags), (&found.tags, &expected.tags)] {
        for (at, tag) in tags.iter().enumerate() {
            add(tag_item(&tag.name), others.get(at) != Some(tag));
        }
    }
    for (game, other) in expected.games.iter().zip(&found.games) {
        add(Item::Names, game.names != other.names);
        add(Item::GameNumbers, game.number != other.number);
        add(Item::Scores, game.score != other.score);
        add(Item::CrawfordGame, game.crawford != other.crawford);
        add(Item::StartPositions, game.start != other.start);
        add(Item::Comments, game.comments != other.comments);
        let says = |game: &GameRecord| {
            game.result
                .map(|result| (result.value.winner, result.value.points))
        };
        let is_other = says(game) != says(other);
        add(Item::Results, is_other);
        add(Item::ResultKinds, !is_other && game.result != other.result);
        for item in apart(&game.entries, &other.entries) {
            add(item, true);
        }
    }
    let losses = times.into_iter();
    losses.map(|(item, times)| Loss { item, times }).collect()
}

/// How far an action is looked for that does not stand where it was.
const FAR: usize = 64;

/// The items in which the actions of a game differ, one for each action.
fn apart(entries: &[Entry], others: &[Entry]) -> Vec<Item> {
    let (entries, others) = middles(entries, others);
    let mut rest: VecDeque<&Entry> = others.iter().collect();
    let mut lost = Vec::new();
    for entry in entries {
        match rest.iter().take(FAR).position(|other| *other == entry) {
            Some(at) => drop(rest.remove(at)),
            None => lost.push(entry),
        }
    }
    let mut items = Vec::new();
    for at in 0..lost.len().max(rest.len()) {
        match (lost.get(at), rest.get(at)) {
            (Some(one), Some(two)) if is_one_kind(one, two) => details(one, two, &mut items),
            (one, two) => {
                let both = one.into_iter().chain(two);
                items.extend(both.flat_map(|entry| as_a_whole(entry)));
            }
        }
    }
    if lost.is_empty() && rest.is_empty() {
        // The same actions in another order.
        items.extend(entries.iter().flat_map(as_a_whole));
    }
    items
}

/// Two lists without what they start and end with alike.
fn middles<'a>(mut one: &'a [Entry], mut two: &'a [Entry]) -> (&'a [Entry], &'a [Entry]) {
    while let ([first, one_rest @ ..], [other, two_rest @ ..]) = (one, two)
        && first == other
    {
        (one, two) = (one_rest, two_rest);
    }
    while let ([one_rest @ .., last], [two_rest @ .., other]) = (one, two)
        && last == other
    {
        (one, two) = (one_rest, two_rest);
    }
    (one, two)
}

fn is_one_kind(one: &Entry, two: &Entry) -> bool {
    one.player == two.player && discriminant(&one.action) == discriminant(&two.action)
}

/// The items with which an action is lost as a whole.
fn as_a_whole(entry: &Entry) -> impl Iterator<Item = Item> + use<> {
    let whole = match entry.action {
        Action::Set => Some(Item::Positions),
        Action::Unreadable => Some(Item::Unreadable),
        _ => None,
    };
    Items::of(entry).filter(move |item| takes_actions(*item) || Some(*item) == whole)
}

/// In what two actions of one kind differ.
fn details(one: &Entry, two: &Entry, items: &mut Vec<Item>) {
    let mut add = |item, is_other| items.extend(Some(item).filter(|_| is_other));
    match (one.action, two.action) {
        (
            Action::Double { to, after_roll },
            Action::Double {
                to: other,
                after_roll: other_roll,
            },
        ) => {
            add(Item::CubeValues, to != other);
            add(Item::LateDoubles, after_roll != other_roll);
        }
        (Action::Beaver { to }, Action::Beaver { to: other })
        | (Action::Raccoon { to }, Action::Raccoon { to: other }) => {
            add(Item::CubeValues, to != other);
        }
        (Action::Play { play, .. }, Action::Play { play: other, .. }) if play != other => {
            let is_open = [play, other].contains(&WrittenPlay::NotRecorded);
            add(Item::UnrecordedPlays, is_open);
            for item in as_a_whole(one).chain(as_a_whole(two)) {
                add(item, !is_open);
            }
        }
        _ => {
            for item in as_a_whole(one) {
                add(item, one.action != two.action);
            }
        }
    }
    let none = Extra::default();
    let [extra, other] = [one, two].map(|entry| entry.extra.as_deref().unwrap_or(&none));
    add(Item::Comments, extra.comment != other.comment);
    add(
        Item::Positions,
        extra.position_after != other.position_after,
    );
    add(
        Item::DeclaredIllegal,
        extra.declared_illegal != other.declared_illegal,
    );
    add(Item::Unreadable, extra.unreadable != other.unreadable);
    add(Item::Analysis, extra.analysis != other.analysis);
    add(Item::Clock, extra.seconds != other.seconds);
}

/// Where two records differ first.
fn place(difference: &Difference) -> String {
    let Difference { expected, found } = difference;
    let games = expected.games.iter().zip(&found.games);
    let mut numbered = games.zip(1..);
    match numbered.find(|((game, other), _)| game != other) {
        Some(((game, other), number)) => {
            let mut pairs = game.entries.iter().zip(&other.entries);
            let shorter = game.entries.len().min(other.entries.len());
            let action = match pairs.position(|(one, two)| one != two) {
                Some(at) => at + 1,
                None if game.entries == other.entries => return format!("game {number}"),
                None => shorter + 1,
            };
            format!("game {number}, action {action}")
        }
        None if expected.games.len() != found.games.len() => {
            let [games, others] = [expected, found].map(|record| record.games.len());
            format!("the number of its games would be {others} and not {games}")
        }
        None => "what is said of the match".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Win;
    use crate::formats::by_name;
    use crate::formats::carry::{inventory, strip};
    use crate::formats::test_support::read_text;
    use crate::record::Seconds;
    use crate::replay::{replay, rules_for};
    use crate::ruleset::RuleOptions;
    use crate::source::{Span, Spanned};

    fn one(format: &str, text: &str) -> MatchRecord {
        let (mut matches, _) = read_text(by_name(format).expect("a format"), text);
        matches.remove(0)
    }

    fn replayed(record: &MatchRecord) -> Replay {
        replay(record, &rules_for(record, &RuleOptions::default()))
    }

    const PLAIN: &str = " 5 point match\n\n Game 1\n Ann : 0   Bea : 0\n  1) 31: 8/5 6/5   42: 8/4 6/4\n  \
                         2)  Doubles => 2   Takes\n  3) 65: 24/13   Doubles => 4\n  4)  Drops\n      Wins 2 points\n";

    #[test]
    fn an_ordinary_match_is_plain_and_one_with_anything_odd_is_not() {
        let is_plain = |text: &str| {
            let record = one("mat", text);
            super::is_plain(&record, &replayed(&record))
        };
        assert!(is_plain(PLAIN));
        assert!(is_plain(&format!("; [Site \"Club\"]\n{PLAIN}")));
        let odd = [
            ("8/4 6/4", "8/4 6/3"),
            ("8/4 6/4", "8/4 6/4 {here}"),
            ("8/4 6/4", "????"),
            ("42:", "82:"),
            ("Takes", "Beavers"),
            ("Takes", "huh"),
            ("   Takes", ""),
            ("Ann", "[Ann]"),
            ("Ann", ":Ann"),
            ("Ann :", ":"),
            ("  4)  Drops", "  4)  Drops   21: 8/6 8/7"),
            (" 5 point", "; a word\n 5 point"),
            (" 5 point", "; [Event \"\"]\n 5 point"),
            (" 5 point", "; [Event \"(;\"]\n 5 point"),
            (
                " 5 point",
                "; [IllegalPlay \"Game 1, Move 1 of Ann\"]\n 5 point",
            ),
            ("Game 1", "Game 10000"),
            ("Bea : 0", "Bea : 10000"),
            ("=> 2", "=> 16384"),
            ("Wins 2", "Wins 10000"),
            (" 5 point", "; [Variation \"Nackgammon\"]\n 5 point"),
        ];
        for (plain, other) in odd {
            assert!(PLAIN.contains(plain));
            assert!(!is_plain(&PLAIN.replacen(plain, other, 1)), "{other}");
        }
    }

    #[test]
    fn every_item_that_does_not_come_back_is_named() {
        let text = "; [Event \"Club\"]\n; [Jacoby \"On\"]\n; [Color \"red\"]\n; a word\n 5 point match\n\n \
                    Game 3\n Ann : 1   Bea : 0\n  1) 31: 8/5 6/5   42: 8/4 6/4\n  2) 66: Doubles => 4\n  \
                    3)  Takes   65: ????\n  4) 66: Cannot Move   52: 8/3 {a comment}\n  5) 79: 8/4   huh\n  \
                    6)  Doubles => 8   Beavers\n  7)  Raccoons   Takes\n  \
                    8) 21: 8/7   Loses on time\n      Wins 2 points\n";
        let mut record = one("mat", text);
        record.ratings.one = Some("1700".to_owned());
        let start = one("sgf", "(;GM[6]MI[length:5];AE[a:y]AW[a][b]AB[c][d];PL[w])");
        let start = start.games[0].start.clone();
        let game = &mut record.games[0];
        let extra = game.entries[0].extra_mut();
        extra.analysis = vec![("luck".to_owned(), "+0.1".to_owned())];
        extra.seconds = Some(Seconds {
            used: Some(3.0),
            left: None,
        });
        extra.declared_illegal = true;
        game.entries[1].extra_mut().comment = Some("well".to_owned());
        game.entries[2].extra_mut().position_after = start.clone();
        let resigns = Action::Resign { win: None };
        game.entries
            .push(Entry::new(Player::One, resigns, 9, Span::default()));
        game.start = start;
        game.crawford = Some(Spanned::new(true, Span::default()));
        let result = game.result.as_mut().expect("a result");
        result.value.win = Some(Win::Backgammon);
        let format = by_name("mat").expect("mat");
        let mut named = Vec::new();
        for Loss { item, .. } in inventory(&record) {
            let mut without = record.clone();
            strip(&mut without, item);
            let difference = difference(&record, &without, format, &[]);
            let items = difference.map(|difference| untold(&difference, &[]));
            let names_it = |losses: Vec<Loss>| losses.iter().any(|loss| loss.item == item);
            if items.is_some_and(names_it) {
                named.push(item);
            }
        }
        // Row numbers are for people, hits and legality follow from the plays.
        let no_item = [Item::RowNumbers, Item::IllegalPlays, Item::HitMarks];
        let all = Item::ALL.into_iter().filter(|item| !no_item.contains(item));
        assert_eq!(named, all.collect::<Vec<_>>());
    }
}
