//! From the record of a match to game trees as GNU Backgammon writes them.
//!
//! Each play has a pair of letters for each die, found by the replay where the record joins them; illegal
//! plays are written as they were played. The value of the cube in a set position has its owner twice, as
//! `CO` by the standard and as `CP` for GNU Backgammon.

use super::FORMAT;
use super::parse::{self, Token, letter, token, unescaped};
use super::read::{BREAKS, MOST};
use crate::board::{
    ByPlayer, Cube, Length, Place, Play, Player, Setup, Variant, Verdict, marked_points,
};
use crate::formats::carry::{Item, Loss, losses, normal};
use crate::formats::{CannotWrite, WriteOptions, Written};
use crate::record::{Action, Entry, Extra, GameRecord, MatchRecord, Tag, WrittenPlay, WrittenRoll};
use crate::replay::{EndedBy, Known, Replay, ReplayStep, Ruling};

/// Tags that have a property of their own.
const PROPERTIES: [(&str, &str); 5] = [
    ("eventdate", "DT"),
    ("event", "EV"),
    ("round", "RO"),
    ("site", "PC"),
    ("transcriber", "AN"),
];

/// About how many bytes the root of a game and another node have.
const ROOT: usize = 256;
const NODE: usize = 20;

/// Writes a match as games of a collection; from the second match of an output on, each root says which it is.
pub(super) fn write(
    record: &MatchRecord,
    replay: &Replay,
    options: &WriteOptions,
) -> Result<Written, CannotWrite> {
    if record.games.is_empty() {
        return Err(CannotWrite(
            "an SGF file needs at least one game".to_owned(),
        ));
    }
    let entries: usize = record.games.iter().map(|game| game.entries.len()).sum();
    let mut writer = Writer {
        record,
        replay,
        out: Vec::with_capacity(record.games.len() * ROOT + entries * NODE),
        losses: losses(record, FORMAT.carries),
        indices: indices(record),
        has_hit_marks: record.has_hit_marks == Some(true),
        match_number: options.before + 1,
        numbers: Vec::new(),
    };
    writer.lose_what_is_partly_carried();
    for index in 0..record.games.len() {
        writer.game(index);
    }
    writer.losses.sort_by_key(|loss| loss.item);
    Ok(Written {
        numbers: writer.numbers,
        ..Written::new(writer.out, writer.losses)
    })
}

/// The numbers of the games from 0 on, if they follow each other.
fn indices(record: &MatchRecord) -> Option<Vec<u32>> {
    let numbers: Option<Vec<u32>> = record
        .games
        .iter()
        .map(|game| game.number?.value.checked_sub(1).filter(|&n| n <= MOST))
        .collect();
    numbers.filter(|numbers| numbers.windows(2).all(|pair| pair[1] == pair[0] + 1))
}

/// The moves that are written behind a roll; none where something else is.
#[inline]
fn moves_of(play: &WrittenPlay) -> &Play {
    match play {
        WrittenPlay::Moves(moves) => moves,
        _ => &Play::EMPTY,
    }
}

struct Writer<'a> {
    record: &'a MatchRecord,
    replay: &'a Replay,
    out: Vec<u8>,
    losses: Vec<Loss>,
    indices: Option<Vec<u32>>,
    /// Whether the match has any hit marks.
    has_hit_marks: bool,
    /// Which match of the output this is, from 1 on.
    match_number: u32,
    /// Where that is said.
    numbers: Vec<usize>,
}

impl Writer<'_> {
    fn lose(&mut self, item: Item, times: usize) {
        if times == 0 {
            return;
        }
        let times = u32::try_from(times).unwrap_or(u32::MAX);
        match self.losses.iter_mut().find(|loss| loss.item == item) {
            Some(loss) => loss.times = loss.times.saturating_add(times),
            None => self.losses.push(Loss { item, times }),
        }
    }

    fn has_lost(&self, item: Item) -> bool {
        self.losses.iter().any(|loss| loss.item == item)
    }

    fn lose_what_is_partly_carried(&mut self) {
        let record = self.record;
        let games = || record.games.iter();
        self.lose(Item::Names, normal::names_replaced(record));
        let own = games().flat_map(|game| game.names.as_ref().into_array());
        let own = own.flatten().map(|name| &name.value);
        let names = record.names.as_ref().into_array().into_iter().chain(own);
        let is_changed = |name: &&String| name.contains(BREAKS);
        self.lose(Item::Names, names.filter(is_changed).count());
        let crawford = games().filter(|game| game.crawford.is_some_and(|mark| !mark.value));
        self.lose(Item::CrawfordGame, crawford.count());
        if self.indices.is_none() {
            let numbers = games().filter(|game| game.number.is_some());
            self.lose(Item::GameNumbers, numbers.count());
            let names = games().flat_map(|game| game.names.as_ref().into_array());
            self.lose(Item::Names, names.filter(|name| name.is_some()).count());
        }
        let unknown = |game: &&GameRecord| {
            let result = game.result.map(|result| result.value);
            result.is_some_and(|result| result.winner.is_none() || result.points > Some(MOST))
        };
        self.lose(Item::Results, games().filter(unknown).count());
        let kinds = games().filter(|game| game.result.is_some_and(|r| r.value.win.is_some()));
        self.lose(Item::ResultKinds, kinds.count());
        let scores = games().filter(|game| game.score.is_some() && score(game).is_none());
        self.lose(Item::Scores, scores.count());
        let tags = record.tags.iter().filter(|tag| has_no_place(tag));
        self.lose(Item::OtherTags, tags.count());
    }

    /// Counts what is lost of an action, but for the marks of its hits.
    fn lose_of_entry(&mut self, game: &GameRecord, entry: &Entry, step: Option<&ReplayStep>) {
        match entry.action {
            Action::Double { to: Some(_), .. }
            | Action::Beaver { to: Some(_) }
            | Action::Raccoon { to: Some(_) } => {
                let follows = step.is_some_and(|step| normal::states_twice(entry, step));
                self.lose(Item::CubeValues, usize::from(!follows));
            }
            Action::TimeOut => self.lose(Item::TimeOuts, usize::from(!on_time(game))),
            _ => {}
        }
        let Some(extra) = entry.extra.as_deref() else {
            return;
        };
        let is_stated = extra.position_after.is_some() != (entry.action == Action::Set);
        self.lose(Item::Positions, usize::from(is_stated));
        let unknown = extra
            .analysis
            .iter()
            .filter(|(name, raw)| !is_property(name, raw));
        self.lose(Item::Analysis, unknown.count());
    }

    fn property(&mut self, name: &str, text: &str) {
        if !text.is_empty() {
            self.text(name, text);
        }
    }

    /// A property with a text, even an empty one.
    fn text(&mut self, name: &str, text: &str) {
        self.put(name);
        self.put("[");
        escape(text, &mut self.out);
        self.put("]");
    }

    /// A property whose value is escaped already.
    fn value(&mut self, name: &str, raw: &str) {
        self.put(name);
        self.put("[");
        self.put(raw);
        self.put("]");
    }

    fn node(&mut self) {
        self.put("\n;");
    }

    fn put(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    fn put_number(&mut self, number: u32) {
        self.put(itoa::Buffer::new().format(number));
    }

    fn game(&mut self, index: usize) {
        let record = self.record;
        let game = &record.games[index];
        self.root(index, game);
        if let Some(start) = &game.start
            && self.automatic_doubles(game, &start.value).is_none()
        {
            self.setup(&start.value, None, &game.entries);
        }
        let replay = self.replay;
        let replayed = &replay.games[index];
        // The last entry that was written.
        let mut last: Option<usize> = None;
        let meant = |index: usize| normal::meant(&game.entries, index);
        for (index, entry) in game.entries.iter().enumerate() {
            let step = replayed.step(index);
            // What nearly all entries are: of them nothing is lost but what the play tells.
            if entry.extra.is_none() && self.play_as_written(entry, step.as_ref()) {
                last = Some(index);
                continue;
            }
            self.lose_of_entry(game, entry, step.as_ref());
            let before = last.map(|last| (game.entries[last].player, meant(last)));
            let later = &game.entries[index + 1..];
            if self.entry((entry, meant(index)), step.as_ref(), before, later) {
                last = Some(index);
            }
        }
        self.put(")\n");
    }

    fn root(&mut self, index: usize, game: &GameRecord) {
        let record = self.record;
        self.put("(;FF[4]GM[6]CA[UTF-8]");
        self.value("AP", concat!("tawla:", env!("CARGO_PKG_VERSION")));
        self.match_info(index, game);
        for (player, name) in [(Player::One, "PW"), (Player::Two, "PB")] {
            // An empty name is written too: GNU Backgammon puts its own where there is none.
            let text = match &game.names[player] {
                Some(own) if self.indices.is_some() => own.value.as_str(),
                _ if self.indices.is_none() && self.has_lost(Item::Names) => "",
                _ => record.names[player].as_str(),
            };
            match text.contains(BREAKS) {
                true => self.text(name, &text.replace(BREAKS, " ")),
                false => self.text(name, text),
            }
        }
        if index == 0 {
            self.event();
        }
        self.rules(game);
        if let Some(start) = &game.start
            && let Some(value) = self.automatic_doubles(game, &start.value)
        {
            self.value("CV", &value.to_string());
        }
        self.result(index, game);
        if !game.comments.is_empty() {
            let comments: Vec<&str> = game.comments.iter().map(|c| c.value.as_str()).collect();
            self.property("C", &comments.join("\n"));
        }
    }

    fn match_info(&mut self, index: usize, game: &GameRecord) {
        let length = self.record.length.map(|length| match length.value {
            Length::Points(points) => points,
            Length::Money => 0,
        });
        let score = score(game);
        let values = [
            ("length", length),
            ("game", self.indices.as_ref().map(|indices| indices[index])),
            ("ws", score.map(|score| score.one)),
            ("bs", score.map(|score| score.two)),
            // No property of the standard parts the matches of one collection.
            (
                "match",
                Some(self.match_number).filter(|&number| number > 1),
            ),
        ];
        let mut name = "MI";
        for (kind, value) in values {
            if let Some(value) = value {
                for text in [name, "[", kind, ":"] {
                    self.put(text);
                }
                if kind == "match" {
                    self.numbers.push(self.out.len());
                }
                self.put_number(value);
                self.put("]");
                name = "";
            }
        }
    }

    /// Ratings, event data and the comment on the match, in the first game as GNU Backgammon does.
    fn event(&mut self) {
        let record = self.record;
        for (player, name) in [(Player::One, "WR"), (Player::Two, "BR")] {
            self.property(name, record.ratings[player].as_deref().unwrap_or_default());
        }
        let mut taken = Vec::new();
        for (tag_name, name) in PROPERTIES {
            let Some(tag) = record.tag(tag_name).filter(|tag| !tag.value.is_empty()) else {
                continue;
            };
            taken.push(tag);
            let written = dashed(name, &tag.value);
            self.lose(Item::Event, usize::from(written.contains(BREAKS)));
            self.property(name, &written);
        }
        let is_match = matches!(record.length.map(|l| l.value), Some(Length::Points(_)));
        let crawford = record.switch("Crawford").filter(|_| is_match);
        taken.extend(crawford.map(|(_, tag)| tag));
        let is_left = |tag: &&Tag| !taken.iter().any(|taken| std::ptr::eq(*taken, *tag));
        let left = record.tags.iter().filter(is_left);
        let variation = record
            .variation
            .as_ref()
            .filter(|_| record.tag("Variation").is_none());
        // A comment that looks like a header line would come back as one.
        let comments = record
            .comments
            .iter()
            .flat_map(|comment| comment.value.lines());
        let (headers, comments): (Vec<&str>, Vec<&str>) =
            comments.partition(|line| parse::tag_line(line.trim()).is_some());
        self.lose(Item::MatchComments, headers.len());
        let lines: Vec<String> = left
            .filter(|tag| !tag.value.trim().is_empty() && !has_no_place(tag))
            .map(|tag| tag_line(&tag.name, &tag.value))
            .chain(variation.map(|variation| tag_line("Variation", &variation.value)))
            .chain(comments.into_iter().map(str::to_owned))
            .collect();
        self.property("GC", &lines.join("\n"));
    }

    fn rules(&mut self, game: &GameRecord) {
        let record = self.record;
        let on = |name: &str| record.switch(name).map(|(on, _)| on);
        let is_match = matches!(record.length.map(|l| l.value), Some(Length::Points(_)));
        let is_money = record.length.map(|l| l.value) == Some(Length::Money);
        let variation = record
            .variation
            .as_ref()
            .map(|variation| variation.value.as_str());
        let variation = variation.or(record.tag("Variation").map(|tag| tag.value.as_str()));
        let variant = match variation.and_then(Variant::by_name) {
            Some(Variant::Nackgammon) => Some("Nackgammon"),
            Some(Variant::Hypergammon) => Some("Hypergammon3"),
            _ => None,
        };
        let no_cube = record
            .tag("CubeLimit")
            .is_some_and(|tag| tag.value.trim() == "1");
        let rules = [
            (no_cube, "NoCube"),
            (is_match && on("Crawford") != Some(false), "Crawford"),
            (game.crawford.is_some_and(|mark| mark.value), "CrawfordGame"),
            (is_money && on("Jacoby") == Some(true), "Jacoby"),
            (variant.is_some(), variant.unwrap_or_default()),
        ];
        let mut lead = "RU[";
        for (_, name) in rules.into_iter().filter(|(holds, _)| *holds) {
            self.put(lead);
            self.put(name);
            lead = ":";
        }
        if lead == ":" {
            self.put("]");
        }
    }

    fn result(&mut self, index: usize, game: &GameRecord) {
        let Some(result) = game.result.map(|result| result.value) else {
            return;
        };
        let Some(winner) = result.winner.filter(|_| result.points <= Some(MOST)) else {
            return;
        };
        // What cannot be read may have been the end, so nothing is concluded from it.
        let is_whole = || {
            game.entries.iter().all(|entry| {
                !matches!(
                    entry.action,
                    Action::Unreadable
                        | Action::Play {
                            play: WrittenPlay::NotRecorded,
                            ..
                        }
                )
            })
        };
        let summary = self.replay.summary.games.get(index);
        let gave_up = summary
            .is_some_and(|game| game.ended_by == EndedBy::Resignation && game.last.is_some())
            && is_whole();
        let suffix = match (on_time(game), result.resigned || gave_up) {
            (true, _) => "T",
            (false, true) => "R",
            (false, false) => "",
        };
        for text in ["RE[", side(winner), "+"] {
            self.put(text);
        }
        if let Some(points) = result.points {
            self.put_number(points);
        }
        self.put(suffix);
        self.put("]");
    }

    /// The cube in the middle of the usual start: `CV` at the root, where the first action tells who is on roll.
    fn automatic_doubles(&self, game: &GameRecord, start: &Setup) -> Option<u32> {
        let is_told = match game.entries.iter().find(|entry| has_node(entry)) {
            Some(first) => first.action != Action::Set,
            None => start.turn.or(normal::next_actor(&game.entries)).is_none(),
        };
        if !is_told {
            return None;
        }
        let side = start.variant.start();
        let usual = |player: Player| start.checkers[player][1..] == side[1..];
        let cube = start
            .cube
            .filter(|cube| cube.owner.is_none() && cube.value > 1)?;
        (usual(Player::One) && usual(Player::Two) && start.roll.is_none()).then_some(cube.value)
    }

    /// Writes an entry, with what it is meant as, behind the `last` one that was written; false if it has no place here.
    fn entry(
        &mut self,
        (entry, meant): (&Entry, Action),
        step: Option<&ReplayStep>,
        last: Option<(Player, Action)>,
        later: &[Entry],
    ) -> bool {
        let word = match entry.action {
            Action::Play { roll, ref play } => {
                self.play(entry, roll, play, step);
                ""
            }
            Action::Double { .. } | Action::Beaver { .. } | Action::Raccoon { .. } => {
                if let Some(item) = becomes_another_turn(entry.player, meant, last) {
                    self.lose(item, 1);
                    return false;
                }
                "double"
            }
            Action::Take => "take",
            Action::Pass => "drop",
            Action::Set => {
                let extra = entry.extra.as_deref();
                if let Some(setup) = extra.and_then(|extra| extra.position_after.as_ref()) {
                    self.setup(&setup.value, extra, later);
                }
                return true;
            }
            _ => return false,
        };
        if !word.is_empty() {
            self.node();
            self.value(side(entry.player), word);
        }
        if let Some(extra) = entry.extra.as_deref() {
            self.notes(extra);
        }
        true
    }

    /// `;W[31qtst]`: the dice and what was done with them.
    fn play(
        &mut self,
        entry: &Entry,
        roll: WrittenRoll,
        play: &WrittenPlay,
        step: Option<&ReplayStep>,
    ) {
        if self.play_as_written(entry, step) {
            return;
        }
        let written = moves_of(play);
        let expanded = step.and_then(|step| self.expanded(entry, roll, written, step));
        self.node_of_play(entry.player, roll, expanded.as_ref().unwrap_or(written));
    }

    #[inline]
    fn node_of_play(&mut self, player: Player, dice: WrittenRoll, play: &Play) {
        let letters = parse::letters_of(player);
        // Put together first, for this is most of what is written.
        let mut node = [b']'; 24];
        let start = [b'\n', b';', side(player).as_bytes()[0], b'['];
        node[..4].copy_from_slice(&start);
        node[4] = b'0' + dice.0;
        node[5] = b'0' + dice.1;
        let moves = play.moves();
        for (at, moved) in node[6..].chunks_exact_mut(2).zip(moves) {
            at[0] = letters[usize::from(moved.from.number() & 31)];
            at[1] = letters[usize::from(moved.to.number() & 31)];
        }
        // All of it at once, and then what is too much taken away: it is always as long.
        let end = self.out.len() + 7 + 2 * moves.len();
        self.out.extend_from_slice(&node);
        self.out.truncate(end);
    }

    /// Writes a play that was made as it is written, which nearly all are; false if it is no such play. On the way it
    /// is seen whether the hit marks of a match that has some contradict the hits.
    #[inline]
    fn play_as_written(&mut self, entry: &Entry, step: Option<&ReplayStep>) -> bool {
        let Action::Play { roll, play } = &entry.action else {
            return false;
        };
        let written = moves_of(play);
        let is_known = |step: &&ReplayStep| {
            step.before.known != Known::Unknown && step.after.known != Known::Unknown
        };
        let step = step.filter(is_known);
        let Some((hits, ruling)) = step.and_then(|step| Some((step.literal?, step.ruling))) else {
            return false;
        };
        let has_marks = self.has_hit_marks && ruling == Ruling::Legal;
        if has_marks && hits != marked_points(written.moves()) {
            self.lose(Item::HitMarks, 1);
        }
        self.node_of_play(entry.player, *roll, written);
        true
    }

    /// The play of another entry with one move for each die, if it is not written so already; its hit marks are looked at,
    /// too.
    fn expanded(
        &mut self,
        entry: &Entry,
        roll: WrittenRoll,
        written: &Play,
        step: &ReplayStep,
    ) -> Option<Play> {
        let has_marks = self.has_hit_marks && step.ruling == Ruling::Legal;
        let is_wrong = |hits: u32| has_marks && hits != marked_points(written.moves());
        if let Some(reading) = normal::read_literally(written, entry.player, roll.roll()?, step)
            && normal::leads_there(&reading, step)
        {
            self.lose(Item::HitMarks, usize::from(is_wrong(reading.hits)));
            return None;
        }
        let verdict = normal::verdict(entry, step);
        if let Some(Verdict::Legal(reading)) = &verdict {
            self.lose(Item::HitMarks, usize::from(is_wrong(reading.hits)));
        }
        normal::expanded(entry, step, verdict.as_ref())
    }

    /// Analysis, mark and comment of an entry.
    fn notes(&mut self, extra: &Extra) {
        if extra.declared_illegal {
            self.value("KO", "");
        }
        let mut before = "";
        for (name, raw) in extra
            .analysis
            .iter()
            .filter(|(name, raw)| is_property(name, raw))
        {
            let repeated = if name == before { "" } else { name.as_str() };
            self.value(repeated, raw);
            before = name;
        }
        self.property("C", extra.comment.as_deref().unwrap_or_default());
    }

    /// A position with its cube; its dice only if nobody plays them.
    fn setup(&mut self, setup: &Setup, extra: Option<&Extra>, later: &[Entry]) {
        let next = normal::next_actor(later);
        let turn = next.or(setup.turn);
        self.node();
        if let Some(turn) = turn {
            self.value("PL", side(turn));
        }
        self.value("AE", "a:y");
        for (player, name) in [(Player::One, "AW"), (Player::Two, "AB")] {
            let places = standing(setup.checkers[player]);
            if let Some((first, others)) = places.split_first() {
                self.value(name, &char::from(letter(player, *first)).to_string());
                for place in others {
                    self.value("", &char::from(letter(player, *place)).to_string());
                }
            }
        }
        if let Some(comment) = extra.and_then(|extra| extra.comment.as_deref()) {
            self.property("C", comment);
        }
        if let Some(Cube { value, owner }) = setup.cube {
            if !value.is_power_of_two() {
                // No cube shows it, and it comes back as 1.
                let item = extra.map_or(Item::StartPositions, |_| Item::Positions);
                self.lose(item, 1);
            }
            let owner = match owner {
                Some(Player::One) => "w",
                Some(Player::Two) => "b",
                None => "c",
            };
            self.node();
            self.value("CV", &value.to_string());
            self.node();
            self.value("CO", owner);
            self.value("CP", owner);
        }
        if let Some(roll) = setup.roll.filter(|_| next.is_none()) {
            self.node();
            if let Some(turn) = turn {
                self.value("PL", side(turn));
            }
            self.value("DI", &roll.to_string());
        }
    }
}

/// Whether an entry is written wherever it stands.
fn has_node(entry: &Entry) -> bool {
    matches!(
        entry.action,
        Action::Play { .. } | Action::Double { .. } | Action::Take | Action::Pass | Action::Set
    )
}

/// The places of a side's checkers, one for each checker.
fn standing(checkers: [u8; 26]) -> Vec<Place> {
    let places = checkers.into_iter().zip(0u8..).skip(1);
    places
        .filter_map(|(count, number)| Some((count, Place::new(number)?)))
        .flat_map(|(count, place)| std::iter::repeat_n(place, usize::from(count)))
        .collect()
}

fn side(player: Player) -> &'static str {
    match player {
        Player::One => "W",
        Player::Two => "B",
    }
}

/// A turn of the cube means what the one before it says, in SGF by being there. What is lost if another one
/// than the record's were read.
fn becomes_another_turn(
    player: Player,
    meant: Action,
    last: Option<(Player, Action)>,
) -> Option<Item> {
    let plain = Action::Double {
        to: None,
        after_roll: None,
    };
    let read = normal::cube_action(last, player, plain);
    let is_same = std::mem::discriminant(&read) == std::mem::discriminant(&meant);
    normal::answer(meant).filter(|_| !is_same)
}

/// Whether the game ends with a loss on time that the result can state.
fn on_time(game: &GameRecord) -> bool {
    let Some(result) = game.result.map(|result| result.value) else {
        return false;
    };
    let is_last = game.entries.last().is_some_and(|entry| {
        entry.action == Action::TimeOut
            && entry.extra.is_none()
            && result.winner == Some(!entry.player)
    });
    let timed_out = |entry: &&Entry| entry.action == Action::TimeOut;
    is_last
        && result.points.is_none()
        && !result.resigned
        && game.entries.iter().filter(timed_out).count() == 1
}

fn score(game: &GameRecord) -> Option<ByPlayer<u32>> {
    let score = game.score?.value;
    (score.one <= MOST && score.two <= MOST).then_some(score)
}

/// Whether a name and a raw value are a property that comes back as it is.
fn is_property(name: &str, raw: &str) -> bool {
    const TAKEN: [&str; 12] = [
        "B", "W", "AE", "AW", "AB", "CV", "CO", "CP", "PL", "DI", "C", "KO",
    ];
    let text = format!("{name}[{raw}]");
    let is_whole = matches!(
        token(&text),
        Ok(("", Token::Property(property))) if property.name == name && property.values == [raw]
    );
    is_whole && !TAKEN.contains(&name) && name != "GM" && unescaped(raw).len() <= raw.len()
}

fn tag_line(name: &str, value: &str) -> String {
    format!("[{name} \"{}\"]", value.trim())
}

/// Whether a tag could not be read again from its line.
fn has_no_place(tag: &Tag) -> bool {
    let line = tag_line(&tag.name, &tag.value);
    let name = tag.name.to_ascii_lowercase();
    !PROPERTIES.iter().any(|(own, _)| *own == name)
        && (line.contains(['\n', '\r'])
            || parse::tag_line(&line) != Some((tag.name.as_str(), tag.value.trim())))
}

/// A date of the form `2024.05.01` as SGF has it.
fn dashed(property: &str, text: &str) -> String {
    let is_plain = text.len() == 10 && text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    match is_plain && property == "DT" {
        true => text.replace('.', "-"),
        false => text.to_owned(),
    }
}

/// Writes a text with what would end its value protected.
fn escape(text: &str, out: &mut Vec<u8>) {
    let mut rest = text.as_bytes();
    while let Some(at) = memchr::memchr2(b']', b'\\', rest) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(&[b'\\', rest[at]]);
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
}
