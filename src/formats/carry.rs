//! What formats can carry, and what is lost where they cannot.
//!
//! One table serves three ends: `formats` prints it, a conversion reports what the record holds and the target
//! does not, and the round-trip law holds writers to it: what a writer's reader reads again is the record
//! without exactly the losses that were reported.

mod compare;
pub(super) mod normal;
pub(super) mod proof;

use crate::board::{Move, Place, Player};
use crate::record::{
    Action, Entry, GameRecord, GameResult, MatchRecord, Seconds, WrittenPlay, WrittenRoll,
};
use crate::source::{Span, Spanned};

pub use compare::{Difference, difference};

/// Something that a record may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Item {
    /// The players' names.
    Names,
    /// Ratings beside the names.
    Ratings,
    /// The length of the match.
    Length,
    /// The scores before the games.
    Scores,
    /// Event, round, place, transcriber, date and time.
    Event,
    /// Tags on the rules: Crawford, Jacoby, beavers, cube limit, variation.
    RuleTags,
    /// Other tags.
    OtherTags,
    /// The mark that a game is the Crawford game.
    CrawfordGame,
    /// The numbers of the games.
    GameNumbers,
    /// Doubles, takes and passes.
    CubeActions,
    /// The value that stands with a double.
    CubeValues,
    /// A double behind the roll.
    LateDoubles,
    /// Beavers.
    Beavers,
    /// Raccoons.
    Raccoons,
    /// Rolls without a play: a dance, said in words or by silence.
    Dances,
    /// Rolls whose play was not recorded.
    UnrecordedPlays,
    /// Rolls that no dice show.
    ImpossibleRolls,
    /// Plays that are not legal, as they were played.
    IllegalPlays,
    /// The record's own statement that a play was illegal.
    DeclaredIllegal,
    /// Words for resignations, their answers and turns without a roll.
    Resignations,
    /// Losses on time.
    TimeOuts,
    /// The results of the games.
    Results,
    /// How a game ended, where the result says it.
    ResultKinds,
    /// Games that start from another position or cube.
    StartPositions,
    /// Positions set or stated in the middle of a game.
    Positions,
    /// Comments on the match.
    MatchComments,
    /// Comments on games and actions.
    Comments,
    /// Cells that could not be read.
    Unreadable,
    /// Analysis.
    Analysis,
    /// The clock.
    Clock,
    /// Hit marks that differ from the hits.
    HitMarks,
    /// The numbers of the rows.
    RowNumbers,
}

impl Item {
    /// Every item, in the order of the table.
    pub const ALL: [Item; 32] = [
        Item::Names,
        Item::Ratings,
        Item::Length,
        Item::Scores,
        Item::Event,
        Item::RuleTags,
        Item::OtherTags,
        Item::CrawfordGame,
        Item::GameNumbers,
        Item::CubeActions,
        Item::CubeValues,
        Item::LateDoubles,
        Item::Beavers,
        Item::Raccoons,
        Item::Dances,
        Item::UnrecordedPlays,
        Item::ImpossibleRolls,
        Item::IllegalPlays,
        Item::DeclaredIllegal,
        Item::Resignations,
        Item::TimeOuts,
        Item::Results,
        Item::ResultKinds,
        Item::StartPositions,
        Item::Positions,
        Item::MatchComments,
        Item::Comments,
        Item::Unreadable,
        Item::Analysis,
        Item::Clock,
        Item::HitMarks,
        Item::RowNumbers,
    ];

    /// The name in the table and in the report of losses.
    pub fn name(self) -> &'static str {
        match self {
            Item::Names => "player names",
            Item::Ratings => "ratings",
            Item::Length => "match length",
            Item::Scores => "scores before games",
            Item::Event => "event data",
            Item::RuleTags => "rule tags",
            Item::OtherTags => "other tags",
            Item::CrawfordGame => "Crawford marks",
            Item::GameNumbers => "game numbers",
            Item::CubeActions => "cube actions",
            Item::CubeValues => "stated cube values",
            Item::LateDoubles => "doubles behind the roll",
            Item::Beavers => "beavers",
            Item::Raccoons => "raccoons",
            Item::Dances => "dances",
            Item::UnrecordedPlays => "unrecorded plays",
            Item::ImpossibleRolls => "impossible rolls",
            Item::IllegalPlays => "illegal plays",
            Item::DeclaredIllegal => "declarations of illegal plays",
            Item::Resignations => "resignation words",
            Item::TimeOuts => "losses on time",
            Item::Results => "results",
            Item::ResultKinds => "kinds of results",
            Item::StartPositions => "starting positions",
            Item::Positions => "stated positions",
            Item::MatchComments => "comments on the match",
            Item::Comments => "comments",
            Item::Unreadable => "unreadable cells",
            Item::Analysis => "analysis",
            Item::Clock => "clock times",
            Item::HitMarks => "hit marks",
            Item::RowNumbers => "row numbers",
        }
    }
}

/// How far a format carries something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carried {
    /// Fully.
    Yes,
    /// Only in optional tags.
    Tags,
    /// Partly: the writer counts what is lost.
    Partly,
}

impl Carried {
    /// The word in the table of formats.
    pub fn name(self) -> &'static str {
        match self {
            Carried::Yes => "yes",
            Carried::Tags => "in tags",
            Carried::Partly => "partly",
        }
    }
}

/// Something that a target could not hold, and how often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Loss {
    /// What.
    pub item: Item,
    /// How often.
    pub times: u32,
}

/// What a record holds, item by item; items that it does not hold are left out.
///
/// Items that only a replay can tell, [`Item::IllegalPlays`] and [`Item::HitMarks`], are not counted: every
/// format writes plays as they were played.
pub fn inventory(record: &MatchRecord) -> Vec<Loss> {
    let counts = Counts::of(record);
    let losses = Item::ALL.into_iter().map(|item| Loss {
        item,
        times: counts.times(item),
    });
    losses.filter(|loss| loss.times > 0).collect()
}

/// What a target that carries these items loses of a record. Items that it carries partly are the writer's to
/// count.
pub fn losses(record: &MatchRecord, carries: &[(Item, Carried)]) -> Vec<Loss> {
    let carried = |item| carries.iter().any(|(carried, _)| *carried == item);
    let mut lost = inventory(record);
    lost.retain(|loss| !carried(loss.item));
    let turned = doubles_from_another_cube(record);
    if !carried(Item::StartPositions) && turned > 0 {
        lost.retain(|loss| loss.item != Item::CubeValues);
        lost.push(Loss {
            item: Item::CubeValues,
            times: turned,
        });
    }
    let has = |item| lost.iter().any(|loss: &Loss| loss.item == item);
    if (has(Item::StartPositions) || has(Item::Positions)) && !has(Item::ResultKinds) {
        // How a game ended cannot be told where the positions that it went through are not.
        let is_set = |entry: &Entry| Items::of(entry).has(Item::Positions);
        let depends = |game: &&GameRecord| {
            let set = game.start.is_some() || game.entries.iter().any(is_set);
            set && game.result.is_some()
        };
        let times = record.games.iter().filter(depends).count();
        if times > 0 {
            let times = u32::try_from(times).unwrap_or(u32::MAX);
            lost.push(Loss {
                item: Item::ResultKinds,
                times,
            });
        }
    }
    lost
}

/// Adds the kinds of results that are lost with actions: whether a game was given up is told by how far it was played.
pub(super) fn add_kinds(record: &MatchRecord, losses: &mut Vec<Loss>) {
    let is_action = |loss: &Loss| takes_actions(loss.item) || loss.item == Item::Unreadable;
    let has_kinds = losses.iter().any(|loss| loss.item == Item::ResultKinds);
    if has_kinds || !losses.iter().any(is_action) {
        return;
    }
    let mut left = record.clone();
    losses.iter().for_each(|loss| strip(&mut left, loss.item));
    let kinds = |record: &MatchRecord| {
        let games = content(record).games.into_iter();
        games.map(|game| {
            game.result
                .map(|result| (result.value.win, result.value.resigned))
        })
    };
    let times = kinds(record)
        .zip(kinds(&left))
        .filter(|(whole, left)| whole != left)
        .count();
    if times > 0 {
        losses.push(Loss {
            item: Item::ResultKinds,
            times: u32::try_from(times).unwrap_or(u32::MAX),
        });
        losses.sort_by_key(|loss| loss.item);
    }
}

/// Turns of the cube in games that start with the cube on another value than 1: without that start they go
/// to other values.
fn doubles_from_another_cube(record: &MatchRecord) -> u32 {
    let is_turn = |entry: &&Entry| {
        let action = &entry.action;
        matches!(
            action,
            Action::Double { .. } | Action::Beaver { .. } | Action::Raccoon { .. }
        )
    };
    let from_another = |game: &&GameRecord| {
        let cube = game.start.as_ref().and_then(|start| start.value.cube);
        cube.is_some_and(|cube| cube.value != 1)
    };
    let games = record.games.iter().filter(from_another);
    let turns: usize = games
        .map(|game| game.entries.iter().filter(is_turn).count())
        .sum();
    u32::try_from(turns).unwrap_or(u32::MAX)
}

/// The kind of a tag.
pub(super) fn tag_item(name: &str) -> Item {
    match name.to_ascii_lowercase().as_str() {
        "event" | "round" | "site" | "place" | "eventdate" | "eventtime" | "date"
        | "transcriber" | "annotator" => Item::Event,
        "crawford" | "jacoby" | "beaver" | "beavers" | "raccoon" | "raccoons" | "cubelimit"
        | "variation" => Item::RuleTags,
        _ => Item::OtherTags,
    }
}

/// How often a record holds each item, counted in one walk through it.
struct Counts([u32; Item::ALL.len()]);

impl Counts {
    fn of(record: &MatchRecord) -> Counts {
        let mut counts = Counts([0; Item::ALL.len()]);
        let names = record.names.as_ref().into_array();
        counts.add(
            Item::Names,
            names.iter().filter(|name| !name.is_empty()).count(),
        );
        let ratings = record.ratings.as_ref().into_array();
        counts.add(Item::Ratings, ratings.into_iter().flatten().count());
        counts.add(Item::Length, usize::from(record.length.is_some()));
        for tag in &record.tags {
            counts.add(tag_item(&tag.name), 1);
        }
        counts.add(Item::RuleTags, usize::from(record.variation.is_some()));
        counts.add(Item::MatchComments, record.comments.len());
        for (number, game) in (1u32..).zip(&record.games) {
            counts.add_game(number, game);
        }
        counts
    }

    /// Counts what a game holds; `number` is the one that it has without saying so.
    fn add_game(&mut self, number: u32, game: &GameRecord) {
        // A number that only counts is no loss: 1, 2, 3.
        let is_odd = game.number.is_some_and(|stated| stated.value != number);
        self.add(Item::GameNumbers, usize::from(is_odd));
        self.add(Item::Scores, usize::from(game.score.is_some()));
        self.add(Item::CrawfordGame, usize::from(game.crawford.is_some()));
        self.add(Item::RowNumbers, odd_rows(game));
        let names = game.names.as_ref().into_array();
        self.add(Item::Names, names.into_iter().flatten().count());
        self.add(Item::Results, usize::from(game.result.is_some()));
        let says_kind = |result: Spanned<GameResult>| {
            let result = result.value;
            result.win.is_some() || result.resigned
        };
        let kind = game.result.is_some_and(says_kind);
        self.add(Item::ResultKinds, usize::from(kind));
        self.add(Item::StartPositions, usize::from(game.start.is_some()));
        self.add(Item::Comments, game.comments.len());
        for entry in game.entries.iter().filter(|entry| !is_usual(entry)) {
            for item in Items::of(entry) {
                self.add(item, 1);
            }
        }
    }

    fn add(&mut self, item: Item, times: usize) {
        let count = &mut self.0[item as usize];
        *count = count.saturating_add(u32::try_from(times).unwrap_or(u32::MAX));
    }

    fn times(&self, item: Item) -> u32 {
        self.0[item as usize]
    }
}

/// Rows whose number is not the next one; the others are only counted.
fn odd_rows(game: &GameRecord) -> usize {
    let (mut row, mut left) = (0, false);
    let mut odd = 0;
    for entry in game.entries.iter().filter(|entry| entry.row > 0) {
        if entry.player == Player::One || !left {
            row += 1;
        }
        left = entry.player == Player::One;
        odd += usize::from(entry.row != row);
    }
    odd
}

/// Whether an action is a play with its moves and nothing beside it, which has no items.
#[inline]
fn is_usual(entry: &Entry) -> bool {
    let has_moves = |roll: WrittenRoll, play: &WrittenPlay| {
        matches!(play, WrittenPlay::Moves(_)) && roll.roll().is_some()
    };
    matches!(&entry.action, Action::Play { roll, play } if has_moves(*roll, play))
        && entry.extra.is_none()
}

/// A set of items; the usual play, a legal one written with its moves, has none.
#[derive(Debug, Clone, Copy, Default)]
struct Items(u32);

impl Items {
    /// What an action holds.
    fn of(entry: &Entry) -> Items {
        let mut items = Items::default();
        match entry.action {
            Action::Play { roll, play } => {
                match play {
                    WrittenPlay::Moves(_) => {}
                    WrittenPlay::CannotMove | WrittenPlay::Nothing => items.put(Item::Dances),
                    WrittenPlay::NotRecorded => items.put(Item::UnrecordedPlays),
                }
                items.put_if(roll.roll().is_none(), Item::ImpossibleRolls);
            }
            Action::Double { to, after_roll } => {
                items.put(Item::CubeActions);
                items.put_if(to.is_some(), Item::CubeValues);
                items.put_if(after_roll.is_some(), Item::LateDoubles);
            }
            Action::Take | Action::Pass => items.put(Item::CubeActions),
            Action::Beaver { to } => {
                items.put(Item::Beavers);
                items.put_if(to.is_some(), Item::CubeValues);
            }
            Action::Raccoon { to } => {
                items.put(Item::Raccoons);
                items.put_if(to.is_some(), Item::CubeValues);
            }
            Action::Resign { .. } | Action::Accept | Action::Reject | Action::NoRoll => {
                items.put(Item::Resignations);
            }
            Action::TimeOut => items.put(Item::TimeOuts),
            Action::Set => items.put(Item::Positions),
            Action::Unreadable => items.put(Item::Unreadable),
        }
        if let Some(extra) = entry.extra.as_deref() {
            items.put_if(extra.declared_illegal, Item::DeclaredIllegal);
            items.put_if(extra.position_after.is_some(), Item::Positions);
            items.put_if(extra.comment.is_some(), Item::Comments);
            items.put_if(extra.unreadable, Item::Unreadable);
            items.put_if(!extra.analysis.is_empty(), Item::Analysis);
            items.put_if(extra.seconds.is_some(), Item::Clock);
        }
        items
    }

    fn has(self, item: Item) -> bool {
        self.0 & 1 << item as u32 != 0
    }

    fn put(&mut self, item: Item) {
        self.0 |= 1 << item as u32;
    }

    fn put_if(&mut self, is_there: bool, item: Item) {
        self.0 |= u32::from(is_there) << item as u32;
    }
}

impl Iterator for Items {
    type Item = Item;

    /// Takes the first item out.
    fn next(&mut self) -> Option<Item> {
        let first = *Item::ALL.get(self.0.trailing_zeros() as usize)?;
        self.0 &= self.0 - 1;
        Some(first)
    }
}

/// Takes an item out of a record, as losing it does.
pub fn strip(record: &mut MatchRecord, item: Item) {
    match item {
        Item::Names => record.names = Default::default(),
        Item::Ratings => record.ratings = Default::default(),
        Item::Length => record.length = None,
        Item::Event | Item::OtherTags => record.tags.retain(|tag| tag_item(&tag.name) != item),
        Item::RuleTags => {
            record.variation = None;
            record.tags.retain(|tag| tag_item(&tag.name) != item);
        }
        Item::MatchComments => record.comments.clear(),
        _ => {}
    }
    for game in &mut record.games {
        match item {
            Item::Names => game.names = Default::default(),
            Item::Scores => game.score = None,
            Item::CrawfordGame => game.crawford = None,
            Item::GameNumbers => game.number = None,
            Item::Results => game.result = None,
            Item::ResultKinds => {
                if let Some(result) = &mut game.result {
                    result.value.win = None;
                    result.value.resigned = false;
                }
            }
            Item::StartPositions => game.start = None,
            Item::Comments => game.comments.clear(),
            _ => {}
        }
        strip_entries(&mut game.entries, item);
    }
}

/// Whether actions are lost as a whole with an item.
fn takes_actions(item: Item) -> bool {
    matches!(
        item,
        Item::CubeActions
            | Item::Beavers
            | Item::Raccoons
            | Item::Dances
            | Item::ImpossibleRolls
            | Item::Resignations
            | Item::TimeOuts
    )
}

fn strip_entries(entries: &mut Vec<Entry>, item: Item) {
    let whole = takes_actions(item);
    entries.retain(|entry| {
        let only_set = entry.action == Action::Set && item == Item::Positions;
        let only_text = entry.action == Action::Unreadable && item == Item::Unreadable;
        !(whole && Items::of(entry).has(item) || only_set || only_text)
    });
    for entry in entries {
        match (&mut entry.action, item) {
            (
                Action::Double { to, .. } | Action::Beaver { to } | Action::Raccoon { to },
                Item::CubeValues,
            ) => *to = None,
            (Action::Double { after_roll, .. }, Item::LateDoubles) => *after_roll = None,
            // The roll stays, without the marks.
            (Action::Play { play, .. }, Item::UnrecordedPlays)
                if *play == WrittenPlay::NotRecorded =>
            {
                *play = WrittenPlay::Nothing;
            }
            _ => {}
        }
        if item == Item::RowNumbers {
            entry.row = 0;
        }
        if let Some(extra) = &mut entry.extra {
            match item {
                Item::DeclaredIllegal => extra.declared_illegal = false,
                Item::Positions => extra.position_after = None,
                Item::Comments => extra.comment = None,
                Item::Analysis => extra.analysis.clear(),
                Item::Clock => extra.seconds = None,
                Item::Unreadable => extra.unreadable = false,
                _ => {}
            }
            if **extra == Default::default() {
                entry.extra = None;
            }
        }
    }
}

/// The content of a record: without places, without the program that wrote it, and with what is written in
/// several ways written in one, as `carry/normal.rs` lists. Two transcripts that say the same have equal
/// contents.
pub fn content(record: &MatchRecord) -> MatchRecord {
    let mut content = words(record);
    normal::settle(&mut content, record);
    let entries = content.games.iter_mut().flat_map(|game| &mut game.entries);
    for entry in entries {
        if let Action::Play {
            play: play @ WrittenPlay::Moves(_),
            ..
        } = &mut entry.action
            && matches!(play, WrittenPlay::Moves(moves) if moves.moves().is_empty())
        {
            *play = WrittenPlay::Nothing;
        }
    }
    content
}

/// As much of the [`content`] of a record as can be told without a replay.
fn words(record: &MatchRecord) -> MatchRecord {
    let mut content = record.clone();
    content.dialect = None;
    content.has_hit_marks = None;
    clear(&mut content.length);
    clear(&mut content.variation);
    content
        .tags
        .iter_mut()
        .for_each(|tag| tag.span = Span::default());
    content
        .comments
        .iter_mut()
        .for_each(|comment| comment.span = Span::default());
    for (number, game) in (1u32..).zip(&mut content.games) {
        game.heading = Span::default();
        game.has_score_line = true;
        // A game without a number is the next one; numbers of rows are for people.
        let number = game.number.map_or(number, |number| number.value);
        game.number = Some(Spanned::new(number, Span::default()));
        clear(&mut game.names.one);
        clear(&mut game.names.two);
        clear(&mut game.score);
        clear(&mut game.crawford);
        clear(&mut game.start);
        clear(&mut game.result);
        if let Some(result) = &mut game.result {
            // How the statement is laid out says nothing.
            result.value.in_row = false;
            result.value.by_loss = false;
            result.value.and_match = false;
            result.value.after = 0;
        }
        game.comments
            .iter_mut()
            .for_each(|comment| comment.span = Span::default());
        for entry in &mut game.entries {
            entry.span = Span::default();
            entry.row = 0;
            if entry.action == Action::Set {
                // Nobody acts there.
                entry.player = Player::One;
            }
            if let Action::Play {
                play: play @ WrittenPlay::CannotMove,
                ..
            } = &mut entry.action
            {
                *play = WrittenPlay::Nothing;
            }
            if let Action::Play {
                play: WrittenPlay::Moves(moves),
                ..
            } = &mut entry.action
            {
                // `0/0` fills the place of a die that cannot be played.
                let is_filler = |moved: &&Move| moved.from == Place::OFF && moved.to == Place::OFF;
                *moves = moves
                    .moves()
                    .iter()
                    .filter(|moved| !is_filler(moved))
                    .copied()
                    .collect();
                *moves = moves.sorted();
                moves
                    .moves_mut()
                    .iter_mut()
                    .for_each(|moved| moved.hits = false);
            }
            if let Some(extra) = entry.extra.as_deref_mut() {
                clear(&mut extra.position_after);
                // A clock of which nothing is read says nothing.
                let says_nothing = extra.seconds == Some(Seconds::default());
                extra.seconds = extra.seconds.filter(|_| !says_nothing);
            }
        }
    }
    normal::settle_words(&mut content);
    content
}

fn clear<T>(value: &mut Option<Spanned<T>>) {
    if let Some(value) = value {
        value.span = Span::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::by_name;
    use crate::formats::test_support::read_text;

    #[test]
    fn items_are_listed_in_their_order() {
        for (place, item) in Item::ALL.into_iter().enumerate() {
            assert_eq!(item as usize, place, "{item:?}");
        }
    }

    #[test]
    fn a_record_holds_what_is_written_in_it() {
        let text = "; [Event \"Club\"]\n; [Jacoby \"On\"]\n; [Color \"red\"]\n; a word\n 5 point match\n\n \
                    Game 1\n Ann : 0   Bea : 0\n  1) 31: 8/5 6/5   42: 8/4 6/4\n  2) 66: Doubles => 2\n  \
                    3)  Takes   65: ????\n  4) 66: Cannot Move   52: 8/3\n  6) 79: 8/4   Loses on time\n      \
                    Wins 2 points\n";
        let (matches, _) = read_text(by_name("mat").expect("mat"), text);
        let held: Vec<(Item, u32)> = inventory(&matches[0])
            .into_iter()
            .map(|loss| (loss.item, loss.times))
            .collect();
        let expected = [
            (Item::Names, 2),
            (Item::Length, 1),
            (Item::Scores, 1),
            (Item::Event, 1),
            (Item::RuleTags, 1),
            (Item::OtherTags, 1),
            (Item::CubeActions, 2),
            (Item::CubeValues, 1),
            (Item::LateDoubles, 1),
            (Item::Dances, 1),
            (Item::UnrecordedPlays, 1),
            (Item::ImpossibleRolls, 1),
            (Item::TimeOuts, 1),
            (Item::Results, 1),
            (Item::MatchComments, 1),
            (Item::RowNumbers, 2),
        ];
        assert_eq!(held, expected);
    }
}
