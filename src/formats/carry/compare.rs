//! Whether a record that was written and read again is the one that it was.
//!
//! Two records say the same if their normal forms are equal ([`content`]) once what is lost is taken out of both. What
//! follows from the rest of a record is no part of that: see [`level`].

use super::normal::{drop_obvious_position, settle_result, settle_tags, twice};
use super::{Item, content, strip, words};
use crate::board::{ByPlayer, Place, Player, Position, Setup, Win};
use crate::formats::Format;
use crate::record::{Action, Entry, GameRecord, GameResult, MatchRecord, WrittenPlay, WrittenRoll};
use crate::replay::{
    EndedBy, GameReplay, GameSummary, Known, Replay, ReplayStep, replay, rules_for,
};
use crate::ruleset::RuleOptions;

/// Two records that do not say the same, in their normal forms and without what was told as lost.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// What was to come back.
    pub expected: MatchRecord,
    /// What came back.
    pub found: MatchRecord,
}

/// How what came back from a format differs from the record, but for what was told as lost. `None`: not at all.
pub fn difference(
    record: &MatchRecord,
    again: &MatchRecord,
    format: &Format,
    losses: &[Item],
) -> Option<Difference> {
    let mut expected = Settled::of(record, format, losses);
    let mut found = Settled::of(again, format, losses);
    level(record, &mut expected, again, &mut found);
    (expected.record != found.record).then_some(Difference {
        expected: expected.record,
        found: found.record,
    })
}

/// Whether what came back says word for word what was written, but for what was told as lost, and is played in the same
/// way. Then there is no [`difference`]; nearly always it is so, and found out with one replay instead of up to ten.
/// `replay` is that of what was written.
pub(super) fn is_word_for_word(
    (written, replay): (&MatchRecord, &Replay),
    again: &MatchRecord,
    format: &Format,
    losses: &[Item],
) -> bool {
    let [mut one, mut two] = [written, again].map(|record| {
        let mut words = words(record);
        settle_tags(&mut words);
        losses.iter().for_each(|item| strip(&mut words, *item));
        if has_dice_by_height(format) {
            dice_by_height(&mut words);
        }
        words
    });
    if one.games.len() != two.games.len() {
        return false;
    }
    let games = one.games.iter_mut().zip(&mut two.games).enumerate();
    for (index, (one, two)) in games {
        let one_entries = std::mem::take(&mut one.entries);
        let mut two_entries = std::mem::take(&mut two.entries);
        let actions = one_entries.len();
        if [actions, actions] != [two_entries.len(), written.games[index].entries.len()] {
            return false;
        }
        let mut pairs = one_entries.iter().zip(&mut two_entries).enumerate();
        let is_same = |(at, (one, two))| is_same_entry(one, two, replay.games[index].step(at));
        if !pairs.all(is_same) {
            return false;
        }
        for game in [one, two] {
            settle_result(game, index, replay);
        }
    }
    one == two && replayed(again).goes_the_same_way(replay)
}

/// Whether two actions say the same if all before them do. `step` is what the first one comes to, if that is known.
fn is_same_entry(one: &Entry, two: &mut Entry, step: Option<ReplayStep>) -> bool {
    let is_same_action = match (one.action, two.action) {
        (here, there) if here == there => true,
        (Action::Play { roll, .. }, Action::Play { roll: other, .. }) => {
            let ways = joined(&one.action);
            roll == other && ways.is_some() && ways == joined(&two.action)
        }
        (mut here, mut there) => {
            for action in [&mut here, &mut there] {
                if let (Some(value), Some(step)) = (value(action), &step) {
                    *value = value.or(Some(twice(step)));
                }
            }
            here == there
        }
    };
    if one.extra != two.extra
        && let Some(step) = &step
    {
        drop_obvious_position(two, step);
    }
    one.player == two.player && one.extra == two.extra && is_same_action
}

fn replayed(record: &MatchRecord) -> Replay {
    replay(record, &rules_for(record, &RuleOptions::default()))
}

/// A record in its normal form and without what is lost.
struct Settled {
    record: MatchRecord,
    /// Which of the entries of the record, game by game, its entries were.
    origins: Vec<Vec<usize>>,
}

impl Settled {
    fn of(record: &MatchRecord, format: &Format, losses: &[Item]) -> Settled {
        let mut record = record.clone();
        let entries = record.games.iter().map(|game| game.entries.len());
        let mut origins: Vec<Vec<usize>> = entries.map(|number| (0..number).collect()).collect();
        // Twice, for how a play is read depends on what is known before it, with what is lost and without.
        let is_lost = |item: &Item| *item != Item::RowNumbers;
        let times = if losses.iter().any(is_lost) { 2 } else { 1 };
        for _ in 0..times {
            record = content(&record);
            for (game, origins) in record.games.iter().zip(&mut origins) {
                // A position that is set first is not an entry any more but the start.
                origins.drain(..origins.len() - game.entries.len());
            }
            if has_dice_by_height(format) {
                dice_by_height(&mut record);
            }
            // The numbers of the rows are no content, and serve to tell which entries stay.
            for game in &mut record.games {
                for (row, entry) in (1..).zip(&mut game.entries) {
                    entry.row = row;
                }
            }
            let losses = losses.iter().filter(|item| is_lost(item));
            losses.for_each(|item| strip(&mut record, *item));
            for (game, origins) in record.games.iter_mut().zip(&mut origins) {
                let row = |entry: &mut Entry| std::mem::take(&mut entry.row) as usize;
                let stayed = game.entries.iter_mut().map(row);
                *origins = stayed.map(|row| origins[row - 1]).collect();
            }
        }
        Settled { record, origins }
    }
}

/// What follows from the rest of a record says nothing and is not in its normal form: scores and Crawford marks, values of
/// the cube, how a game ended, the only play of a roll. Where something is lost, what follows from the rest changes, and
/// what is written is what it was before. So what both records state or come to, as they are, is no difference.
fn level(record: &MatchRecord, expected: &mut Settled, again: &MatchRecord, found: &mut Settled) {
    let (replayed, replayed_again) = (replayed(record), replayed(again));
    let games = expected.record.games.len().min(found.record.games.len());
    for index in 0..games.min(record.games.len()).min(again.games.len()) {
        let whole = Whole::of(record, &replayed, index);
        let other = Whole::of(again, &replayed_again, index);
        let one = &mut expected.record.games[index];
        let two = &mut found.record.games[index];
        if is_same([whole.score(), other.score()]) {
            (one.score, two.score) = (None, None);
        }
        if is_same([whole.crawford(), other.crawford()]) {
            (one.crawford, two.crawford) = (None, None);
        }
        let is_same_win = is_same([whole.win(), other.win()]);
        let is_given_up_in_both = is_same([whole.given_up(), other.given_up()]);
        for result in [&mut one.result, &mut two.result].into_iter().flatten() {
            result.value.win = result.value.win.filter(|_| !is_same_win);
            result.value.resigned &= !is_given_up_in_both;
        }
        let origins = expected.origins[index].iter().zip(&found.origins[index]);
        for ((one, two), (&at, &other_at)) in
            one.entries.iter_mut().zip(&mut two.entries).zip(origins)
        {
            if is_same([whole.value(at), other.value(other_at)]) {
                let values = [value(&mut one.action), value(&mut two.action)];
                values.into_iter().flatten().for_each(|value| *value = None);
            }
            let positions = (whole.positions(at), other.positions(other_at));
            let (here, there) = (
                &whole.game.entries[at].action,
                &other.game.entries[other_at].action,
            );
            let (leads_there, is_written_so) = (
                positions.0.is_some() && positions.0 == positions.1,
                joined(here).is_some() && joined(here) == joined(there),
            );
            for entry in [&mut *one, two] {
                if let (Action::Play { play, .. }, true) =
                    (&mut entry.action, leads_there || is_written_so)
                {
                    *play = WrittenPlay::Nothing;
                }
                // A position that one of them states is no more than the other comes to.
                let leads_to = [positions.0, positions.1].into_iter().flatten();
                if let Some(extra) = &mut entry.extra
                    && let Some(stated) = &extra.position_after
                    && leads_to
                        .map(|[_, after]| after)
                        .any(|after| says_no_more(&stated.value, after))
                {
                    extra.position_after = None;
                    let extra = entry.extra.take();
                    entry.extra = extra.filter(|extra| **extra != Default::default());
                }
            }
        }
    }
}

/// Whether a position that is stated after a play is where the play leads, with no word on the cube.
fn says_no_more(stated: &Setup, after: Position) -> bool {
    let stands = |player| stated.checkers[player][1..] == after.side(player)[1..];
    Player::BOTH.into_iter().all(stands) && stated.cube.is_none()
}

/// From where to where the checkers of a play go, however their ways were written, where nobody has judged it.
fn joined(action: &Action) -> Option<Vec<(Place, Place)>> {
    let moves = match action {
        Action::Play {
            play: WrittenPlay::Moves(play),
            ..
        } => play.moves(),
        Action::Play {
            play: WrittenPlay::Nothing | WrittenPlay::CannotMove,
            ..
        } => &[],
        _ => return None,
    };
    let mut ways: Vec<(Place, Place)> = moves.iter().map(|m| (m.from, m.to)).collect();
    let pairs = |ways: &[(Place, Place)]| {
        (0..ways.len() * ways.len())
            .map(|pair| (pair / ways.len(), pair % ways.len()))
            .find(|&(first, second)| first != second && ways[first].1 == ways[second].0)
    };
    while let Some((first, second)) = pairs(&ways) {
        ways[first].1 = ways[second].1;
        ways.remove(second);
    }
    ways.sort();
    Some(ways)
}

/// A game with what the replay of the match says of it.
struct Whole<'a> {
    index: usize,
    game: &'a GameRecord,
    replayed: &'a GameReplay,
    summary: Option<&'a GameSummary>,
}

impl<'a> Whole<'a> {
    fn of(record: &'a MatchRecord, replay: &'a Replay, index: usize) -> Whole<'a> {
        Whole {
            index,
            game: &record.games[index],
            replayed: &replay.games[index],
            summary: replay.summary.games.get(index),
        }
    }

    fn score(&self) -> [Option<ByPlayer<u32>>; 2] {
        let stated = self.game.score.map(|score| score.value);
        let follows = self.summary.map(|summary| match self.index {
            // There it is what is stated, and nothing to follow from.
            0 => ByPlayer::default(),
            _ => summary.before,
        });
        [stated, follows]
    }

    fn crawford(&self) -> [Option<bool>; 2] {
        let stated = self.game.crawford.map(|mark| mark.value);
        [stated, self.summary.map(|summary| summary.crawford)]
    }

    fn stated(&self) -> Option<GameResult> {
        self.game.result.map(|result| result.value)
    }

    /// The kind of the win as it is stated, and as it follows from the rest.
    fn win(&self) -> [Option<Win>; 2] {
        let stated = self.stated().and_then(|stated| stated.win);
        [stated, self.summary.and_then(|summary| summary.win)]
    }

    /// Whether the game was given up, in the same way.
    fn given_up(&self) -> [Option<bool>; 2] {
        let stated = self.stated().is_some_and(|stated| stated.resigned);
        let follows = |summary: &GameSummary| summary.ended_by == EndedBy::Resignation;
        [stated.then_some(true), self.summary.map(follows)]
    }

    /// Between which positions an entry goes, if it is a play that has both.
    fn positions(&self, at: usize) -> Option<[Position; 2]> {
        let step = self.replayed.step(at)?;
        let is_play = matches!(self.game.entries[at].action, Action::Play { .. });
        let is_known = step.before.known != Known::Unknown && step.after.known != Known::Unknown;
        (is_play && is_known).then_some([step.before.position, step.after.position])
    }

    /// The value to which an entry turns the cube.
    fn value(&self, at: usize) -> [Option<u32>; 2] {
        let stated = value(&mut self.game.entries[at].action.clone()).copied();
        let step = self.replayed.step(at);
        [stated.flatten(), step.map(|step| twice(&step))]
    }
}

/// Whether two games say the same of something that is stated or follows from the rest: the same is stated, or what they
/// come to is the same, or neither states anything but what follows.
fn is_same<T: Copy + PartialEq>([one, two]: [[Option<T>; 2]; 2]) -> bool {
    let says_nothing = |[stated, follows]: [Option<T>; 2]| stated.is_none() || stated == follows;
    let comes_to = |[stated, follows]: [Option<T>; 2]| stated.or(follows);
    one[0] == two[0] || (says_nothing(one) && says_nothing(two)) || comes_to(one) == comes_to(two)
}

/// The value that stands with a turn of the cube.
fn value(action: &mut Action) -> Option<&mut Option<u32>> {
    match action {
        Action::Double { to, .. } | Action::Beaver { to } | Action::Raccoon { to } => Some(to),
        _ => None,
    }
}

fn has_dice_by_height(format: &Format) -> bool {
    ["bgammon", "ogxm"].contains(&format.name)
}

/// A replay and an OGXM file have the dice in one order, whatever was written; that is no loss, for it says nothing.
fn dice_by_height(record: &mut MatchRecord) {
    for entry in record.games.iter_mut().flat_map(|game| &mut game.entries) {
        if let Action::Play { roll, .. } = &mut entry.action {
            *roll = WrittenRoll(roll.0.max(roll.1), roll.0.min(roll.1));
        }
    }
}
