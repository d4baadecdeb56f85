//! The writer, in four profiles.
//!
//! `gnubg` is what GNU Backgammon reads without a loss of its own: one move a die, numbers for bar and off,
//! rows padded so that no line is short, no remark inside a game. `xg` has the words and columns of eXtreme
//! Gammon, `jellyfish` is the same as `gnubg` without tags and with plain names, `snowie` without tags.
//! The record is written as it stands: plays in their written order, wrong scores as stated, illegal plays as
//! they were played.

use std::fmt::Write as _;

use super::super::carry::{Carried, Item, Loss, inventory, losses, normal};
use super::super::text::xg_letters;
use super::super::{CannotWrite, Format, WriteOptions, Written, other_game};
use super::FORMAT;
use super::header::tag;
use super::reader::is_names_line;
use crate::board::{ByPlayer, Cube, Length, Place, Play, Player, Roll, Setup, Variant};
use crate::record::{Action, Entry, GameRecord, MatchRecord, WrittenPlay, WrittenRoll};
use crate::replay::{GameReplay, Replay, ReplayStep, rules_for};
use crate::ruleset::RuleOptions;
use crate::source::{Spanned, line_from};

/// What sets a profile apart.
struct Profile {
    /// Header tags and comments.
    header: bool,
    /// `Bar`, `Off`, `Cannot Move`, `(2)` and the columns of eXtreme Gammon.
    words: bool,
    /// ASCII names of at most 25 characters.
    plain_names: bool,
    /// Where the right half starts.
    right: usize,
    /// How far rows are padded.
    padded: usize,
    /// Games alone, each below a line with the names.
    headless: bool,
}

fn profile(name: Option<&str>) -> Profile {
    let usual = Profile {
        header: true,
        words: false,
        plain_names: false,
        right: 33,
        padded: 34,
        headless: false,
    };
    match name {
        Some("xg") => Profile {
            words: true,
            right: 39,
            padded: 73,
            ..usual
        },
        Some("jellyfish") => Profile {
            header: false,
            plain_names: true,
            ..usual
        },
        Some("snowie") => Profile {
            header: false,
            ..usual
        },
        _ => usual,
    }
}

/// Writes a match.
pub(super) fn write(
    record: &MatchRecord,
    replay: &Replay,
    options: &WriteOptions,
) -> Result<Written, CannotWrite> {
    write_as(record, replay, options, profile(options.profile), &FORMAT)
}

/// Writes the games of a match alone, for a format that is the rows of this one.
pub(in crate::formats) fn write_games(
    record: &MatchRecord,
    replay: &Replay,
    options: &WriteOptions,
    format: &Format,
) -> Result<Written, CannotWrite> {
    let profile = Profile {
        header: false,
        headless: true,
        ..profile(None)
    };
    write_as(record, replay, options, profile, format)
}

fn write_as(
    record: &MatchRecord,
    replay: &Replay,
    options: &WriteOptions,
    profile: Profile,
    format: &Format,
) -> Result<Written, CannotWrite> {
    if record.games.is_empty() && record.length.is_none() {
        return Err(CannotWrite("there is no game to write".to_owned()));
    }
    let variant = rules_for(record, &RuleOptions::default()).variant.value;
    if variant != Variant::Backgammon && !profile.header {
        return Err(other_game(variant, "this profile"));
    }
    let entries: usize = record.games.iter().map(|game| game.entries.len()).sum();
    let mut writer = Writer {
        profile,
        text: String::with_capacity(record.games.len() * HEADING + entries * CELL),
        carries: format.carries,
        losses: losses(record, format.carries),
    };
    if options.before > 0 {
        writer.text.push('\n');
    }
    if !writer.profile.headless {
        writer.header(record);
    }
    if record.games.is_empty() {
        writer.lose_players(record);
    }
    writer.lose(Item::Names, normal::names_replaced(record));
    for (number, game) in record.games.iter().enumerate() {
        writer.game(record, number, game, &replay.games[number], replay);
    }
    let mut text = writer.text;
    if writer.profile.words {
        text = text.replace('\n', "\r\n");
        if options.before == 0 {
            text.insert(0, '\u{feff}');
        }
    }
    let mut losses = writer.losses;
    losses.sort_by_key(|loss| loss.item);
    Ok(Written::new(text.into_bytes(), losses))
}

/// A text with blanks up to a width, at least one: a width beyond 65,535, which a long name has, cannot be formatted.
fn left_half(mut text: String, width: usize) -> String {
    let blanks = width.saturating_sub(text.chars().count()).max(1);
    text.extend(std::iter::repeat_n(' ', blanks));
    text
}

/// About how many bytes a game has without its rows, and half a row.
const HEADING: usize = 128;
const CELL: usize = 36;

struct Writer {
    profile: Profile,
    text: String,
    carries: &'static [(Item, Carried)],
    losses: Vec<Loss>,
}

/// A row in the making.
#[derive(Default)]
struct Row {
    number: u32,
    /// Its line, if the left half is written and the right one may follow.
    open: Option<Line>,
    /// Who doubled, if that was written last.
    doubler: Option<Player>,
    /// What the open line holds, if it would be read as the opponent's were it alone in its row.
    doubtful: Option<Item>,
    /// The answer that was written last is lost.
    is_unanswered: bool,
    /// The turn of the cube that was written last, as it is read, if nothing but a doubtful answer has followed.
    turn: Option<(Player, Action)>,
}

/// Where a line and its left half start in the text.
#[derive(Clone, Copy)]
struct Line {
    start: usize,
    left: usize,
}

impl Writer {
    fn lose(&mut self, item: Item, times: usize) {
        // What the format carries not at all was counted as a whole.
        if !self.carries.iter().any(|(carried, _)| *carried == item) {
            return;
        }
        let times = u32::try_from(times).unwrap_or(u32::MAX);
        match self.losses.iter_mut().find(|loss| loss.item == item) {
            Some(loss) => loss.times = loss.times.saturating_add(times),
            None if times > 0 => self.losses.push(Loss { item, times }),
            None => {}
        }
    }

    /// Names and ratings stand above each game, and there is none.
    fn lose_players(&mut self, record: &MatchRecord) {
        for loss in inventory(record) {
            if matches!(loss.item, Item::Names | Item::Ratings) {
                self.lose(loss.item, loss.times as usize);
            }
        }
    }

    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn header(&mut self, record: &MatchRecord) {
        if self.profile.header {
            for written in &record.tags {
                let line = format!("[{} \"{}\"]", written.name, written.value);
                let same = tag(&line) == Some((written.name.as_str(), written.value.as_str()));
                if same && !line.contains(['\n', '\r']) {
                    self.line(&format!("; {line}"));
                } else {
                    self.lose(Item::OtherTags, 1);
                    self.lose(super::super::carry::tag_item(&written.name), 1);
                }
            }
            if let Some(variation) = &record.variation
                && record.tag("Variation").is_none()
            {
                self.line(&format!("; [Variation \"{}\"]", variation.value));
            }
            for line in record
                .comments
                .iter()
                .flat_map(|comment| comment.value.lines())
            {
                let line = line.trim();
                if tag(line).is_some() || line.starts_with("Set Pos") || line.starts_with("SetPos")
                {
                    self.lose(Item::MatchComments, 1);
                } else {
                    self.line(&format!("; {line}"));
                }
            }
        } else {
            let held = inventory(record);
            for item in [
                Item::Event,
                Item::RuleTags,
                Item::OtherTags,
                Item::MatchComments,
            ] {
                let times = held
                    .iter()
                    .find(|loss| loss.item == item)
                    .map_or(0, |loss| loss.times);
                self.lose(item, times as usize);
            }
        }
        if let Some(length) = record.length {
            if self.profile.header && !record.tags.is_empty() {
                self.line("");
            }
            let points = match length.value {
                Length::Money => 0,
                Length::Points(points) => points,
            };
            let indent = if self.profile.words { "" } else { " " };
            self.line(&format!("{indent}{points} point match"));
        }
    }

    /// The name as it can be written: no colon, no line break, not empty, and in the plain profile short.
    fn name(&mut self, name: &str) -> String {
        let mut written: String = name
            .chars()
            .map(|c| match c {
                ':' => ';',
                c if c.is_control() => ' ',
                c if self.profile.plain_names && !c.is_ascii() => '?',
                c => c,
            })
            .collect();
        if self.profile.plain_names {
            written.truncate(25);
        }
        let written = written.trim();
        let written = if written.is_empty() { "?" } else { written };
        if written != name {
            self.lose(Item::Names, 1);
        }
        written.to_owned()
    }

    fn score_line(
        &mut self,
        record: &MatchRecord,
        number: usize,
        game: &GameRecord,
        replay: &Replay,
    ) {
        let names = ByPlayer::new(Player::One, Player::Two).map(|player| {
            game.names[player]
                .as_ref()
                .map_or(&record.names[player], |name| &name.value)
        });
        let computed = replay.summary.games.get(number).map(|game| game.before);
        let score = match (game.score, computed) {
            (Some(score), _) => score.value,
            (None, computed) => {
                // The format has no way to say that no score is stated.
                self.lose(Item::Scores, 1);
                computed.unwrap_or_default()
            }
        };
        let half = |writer: &mut Writer, player: Player| {
            let name = writer.name(names[player]);
            match record.ratings[player].as_deref() {
                Some(rating) if is_plain_rating(rating) => format!("{name},{rating}"),
                Some(_) => {
                    writer.lose(Item::Ratings, 1);
                    name
                }
                None => name,
            }
        };
        let left = format!("{} : {}", half(self, Player::One), score.one);
        // Comments start with these.
        let is_comment = left.starts_with([';', '#']);
        self.lose(Item::Names, usize::from(is_comment));
        let left = left.replacen([';', '#'], "?", usize::from(is_comment));
        let right = format!("{} : {}", half(self, Player::Two), score.two);
        let left = left_half(left, self.profile.right - 2);
        self.line(&format!(" {left} {right}"));
    }

    fn game(
        &mut self,
        record: &MatchRecord,
        number: usize,
        game: &GameRecord,
        states: &GameReplay,
        replay: &Replay,
    ) {
        let mut row = Row::default();
        if self.profile.headless {
            self.names_line(record, number, game);
        } else {
            self.heading(record, number, game, replay);
        }
        for (index, entry) in game.entries.iter().enumerate() {
            if game
                .result
                .is_some_and(|result| result.value.after as usize == index)
            {
                self.flush(&mut row);
                self.result(record, game, replay, number);
            }
            self.entry(&mut row, entry, states.step(index).as_ref());
        }
        self.flush(&mut row);
        if game
            .result
            .is_some_and(|result| result.value.after as usize >= game.entries.len())
        {
            self.result(record, game, replay, number);
        }
    }

    /// `Game 3 (Crawford)`, the score line, and the position where the game starts from another.
    fn heading(&mut self, record: &MatchRecord, number: usize, game: &GameRecord, replay: &Replay) {
        let shown = game.number.map_or(number as u32 + 1, |number| number.value);
        let mark = match game.crawford {
            Some(Spanned { value: true, .. }) => " (Crawford)",
            Some(_) => {
                self.lose(Item::CrawfordGame, 1);
                ""
            }
            None => "",
        };
        let blank = if self.profile.words && number > 0 {
            "\n\n\n"
        } else {
            "\n"
        };
        self.text.push_str(blank);
        self.line(&format!(" Game {shown}{mark}"));
        self.score_line(record, number, game, replay);
        if let Some(start) = &game.start {
            self.set_position(&start.value, Item::StartPositions);
        }
    }

    /// The line with the names above a game without a heading; a row must follow it.
    fn names_line(&mut self, record: &MatchRecord, number: usize, game: &GameRecord) {
        let [left, right] = [Player::One, Player::Two].map(|player| {
            let own = game.names[player].as_ref();
            let name = self.name(own.map_or(&record.names[player], |name| &name.value));
            let plain = name.split_whitespace().collect::<Vec<_>>().join(" ");
            let plain = plain.trim_start_matches([';', '#', ' ']);
            if plain != name {
                self.lose(Item::Names, 1);
            }
            if plain.is_empty() {
                "?".to_owned()
            } else {
                plain.to_owned()
            }
        });
        if number > 0 {
            self.text.push('\n');
        }
        let left = left_half(left, 30);
        let mut names = format!(" {left} {right}\n");
        if !is_names_line(&format!("{names}  1)"), line_from(&names, 0)) {
            // A name that looks like a row or a heading is none.
            self.lose(Item::Names, 1);
            names = format!(" {:<30} {right}\n", "?");
        }
        self.text.push_str(&names);
        let after = game
            .result
            .map_or(usize::MAX, |result| result.value.after as usize);
        let has_no_cell = |entry: &Entry| {
            matches!(
                entry.action,
                Action::Set
                    | Action::Accept
                    | Action::Reject
                    | Action::Unreadable
                    | Action::Play {
                        roll: WrittenRoll(0, 0),
                        ..
                    }
            )
        };
        if game.entries.iter().take(after).all(has_no_cell) {
            let padded = self.profile.padded;
            self.line(&format!("{:<padded$}", "  1)"));
        }
    }

    /// `; Set Pos=`; it holds neither turn nor dice, and a cube in the middle only if it is on 1.
    fn set_position(&mut self, setup: &Setup, item: Item) {
        let cube = setup.cube.unwrap_or(Cube::START);
        let power = Cube::exponent(cube.value);
        let code = match (power, cube.owner) {
            (Some(power), Some(Player::Two)) if power > 0 => Some(power.to_string()),
            (Some(power), Some(Player::One)) if power > 0 => Some(format!("-{power}")),
            (Some(0), None) => Some("0".to_owned()),
            _ => None,
        };
        // No letter stands for so many.
        let sides = setup.checkers.as_ref().into_array();
        let are_too_many = sides.into_iter().flatten().any(|&checkers| checkers > 15);
        let says_more = setup.turn.is_some() || setup.roll.is_some() || setup.cube.is_none();
        self.lose(
            item,
            usize::from(code.is_none() || says_more || are_too_many),
        );
        // The doubles that follow start from another value than the record's.
        let is_cube_lost = code.is_none() || (are_too_many && cube.value != 1);
        self.lose(Item::CubeValues, usize::from(is_cube_lost));
        if are_too_many {
            return;
        }
        let board = xg_letters(&setup.checkers);
        self.line(&format!(
            "; Set Pos={board}/{}",
            code.unwrap_or_else(|| "0".to_owned())
        ));
    }

    fn entry(&mut self, row: &mut Row, entry: &Entry, step: Option<&ReplayStep>) {
        let extra = entry.extra.as_deref();
        if let Some(extra) = extra {
            let dump = extra.declared_illegal && self.dump(entry, extra, step).is_some();
            // A dump states the cube, too.
            let has_cube = |stated: &Spanned<Setup>| stated.value.cube.is_some();
            let is_kept = dump && extra.position_after.as_ref().is_some_and(has_cube);
            if extra.position_after.is_some() && !is_kept && entry.action != Action::Set {
                self.lose(Item::Positions, 1);
            }
            if extra.declared_illegal && !dump {
                self.lose(Item::DeclaredIllegal, 1);
            }
        }
        match entry.action {
            Action::Set => {
                let stated = extra.and_then(|extra| extra.position_after.as_ref());
                if let Some(stated) = stated.filter(|_| !self.profile.headless) {
                    self.flush(row);
                    row.doubler = None;
                    self.set_position(&stated.value, Item::Positions);
                }
                return;
            }
            Action::Accept | Action::Reject => return self.lose(Item::Resignations, 1),
            Action::Unreadable => return,
            // So a turn without a roll is written.
            Action::Play {
                roll: WrittenRoll(0, 0),
                ..
            } => return self.lose(Item::ImpossibleRolls, 1),
            _ => {}
        }
        let (line, is_alone) = self.start_cell(row, entry);
        let is_unanswered = std::mem::take(&mut row.is_unanswered);
        self.cell(entry, step);
        // An answer alone in a row is read as the opponent's where it follows the double of its own player.
        let doubtful = match entry.action {
            _ if row.doubler != Some(entry.player) => None,
            Action::Take | Action::Pass => Some(Item::CubeActions),
            Action::Beaver { .. } => Some(Item::Beavers),
            _ => None,
        };
        let is_double = matches!(entry.action, Action::Double { .. });
        let turn = row.turn.take();
        match entry.action {
            Action::Double { .. } | Action::Beaver { .. } | Action::Raccoon { .. } => {
                let read = normal::cube_action(turn, entry.player, entry.action);
                // It comes back as an answer to the turn before the answer that is lost.
                if is_double
                    && is_unanswered
                    && let Some(item) = normal::answer(read)
                {
                    self.lose(item, 1);
                }
                row.turn = Some((entry.player, read));
            }
            _ if doubtful.is_some() => row.turn = turn,
            _ => {}
        }
        row.doubler = is_double.then_some(entry.player);
        row.doubtful = None;
        match (entry.player, doubtful) {
            (Player::One, _) => {
                row.open = Some(line);
                row.doubtful = doubtful;
            }
            (Player::Two, Some(item)) if is_alone => {
                self.lose(item, 1);
                row.is_unanswered = true;
                self.end_line(line);
            }
            (Player::Two, _) => self.end_line(line),
        }
    }

    /// What stands in the half of a row for an action that has words here.
    fn cell(&mut self, entry: &Entry, step: Option<&ReplayStep>) {
        let text = match &entry.action {
            Action::Play { roll, play } => {
                let WrittenRoll(first, second) = *roll;
                self.number(first);
                self.number(second);
                self.text.push(':');
                let extra = entry.extra.as_deref();
                return match extra.and_then(|extra| self.dump(entry, extra, step)) {
                    Some(dump) => {
                        // Writing into a string does not fail.
                        let _ = write!(self.text, " Illegal play ({dump})");
                    }
                    None => self.play(play, entry.player, roll.roll(), step),
                };
            }
            Action::Double { to, after_roll } => {
                let follows = || step.map(normal::twice);
                let value = turned_to(to.or_else(follows));
                let roll = after_roll
                    .map(|roll| format!("{roll}:"))
                    .unwrap_or_default();
                format!("{roll} Doubles{value}")
            }
            Action::Beaver { to } => {
                format!(" Beavers{}", turned_to(to.or(offered(entry.player, step))))
            }
            Action::Raccoon { to } => {
                format!(" Raccoons{}", turned_to(to.or(offered(entry.player, step))))
            }
            Action::Take => " Takes".to_owned(),
            Action::Pass => " Drops".to_owned(),
            Action::Resign { win: None } => " Resigns".to_owned(),
            Action::Resign { win: Some(win) } => format!(" Resigns {}", win.name()),
            Action::NoRoll => "00: ????".to_owned(),
            Action::TimeOut => " Loses on time".to_owned(),
            Action::Set | Action::Accept | Action::Reject | Action::Unreadable => return,
        };
        self.text.push_str(&text);
    }

    /// The dump of an illegal play that the record declares by its position.
    fn dump(
        &self,
        entry: &Entry,
        extra: &crate::record::Extra,
        step: Option<&ReplayStep>,
    ) -> Option<String> {
        let is_hidden = matches!(
            entry.action,
            Action::Play {
                play: WrittenPlay::NotRecorded,
                ..
            }
        );
        if !extra.declared_illegal || !is_hidden || self.profile.headless {
            return None;
        }
        let setup = &extra.position_after.as_ref()?.value;
        if step.is_some_and(|step| step.before.variant == Variant::LongNardi) {
            return None;
        }
        let viewer = !entry.player;
        let cube = setup
            .cube
            .or(step.map(|step| step.after.cube))
            .unwrap_or(Cube::START);
        let owner = match cube.owner {
            None => 0,
            Some(owner) if owner == viewer => 1,
            Some(_) => -1,
        };
        let side = if viewer == Player::One { 1 } else { 0 };
        let mut dump = format!("0;0;1;0;{side};;;0;0;0;{};{owner};", cube.value);
        for place in 0..26usize {
            let own = i32::from(setup.checkers[viewer][place]);
            let against = i32::from(setup.checkers[!viewer][25 - place]);
            let own = if place == 0 { 0 } else { own };
            let against = if place == 25 { 0 } else { against };
            let _ = write!(dump, "{};", own - against);
        }
        dump.push_str("0;0;");
        Some(dump)
    }

    /// Goes to where the cell of an entry starts: in the row that is open, or in the next one, where it is the first.
    fn start_cell(&mut self, row: &mut Row, entry: &Entry) -> (Line, bool) {
        if entry.player == Player::One {
            self.flush(row);
        }
        let is_alone = row.open.is_none();
        let line = row.open.take().unwrap_or_else(|| {
            row.number += 1;
            let start = self.text.len();
            // Writing into a string does not fail.
            let _ = write!(self.text, "{:>3}) ", row.number);
            let left = self.text.len();
            Line { start, left }
        });
        if entry.row > 0 && entry.row != row.number {
            self.lose(Item::RowNumbers, 1);
        }
        if entry.player == Player::Two {
            // At least one blank between the halves, and the right one never where the left one may stand.
            self.pad(line.left + self.profile.right - 6);
            self.text.push(' ');
        }
        (line, is_alone)
    }

    fn flush(&mut self, row: &mut Row) {
        if let Some(line) = row.open.take() {
            if let Some(item) = row.doubtful.take() {
                self.lose(item, 1);
                row.is_unanswered = true;
            }
            self.end_line(line);
        }
    }

    fn end_line(&mut self, line: Line) {
        self.pad(line.start + self.profile.padded);
        self.text.push('\n');
    }

    /// Adds blanks up to a place in the text; rows are ASCII, so that bytes are columns.
    fn pad(&mut self, to: usize) {
        const BLANKS: &str =
            "                                                                                ";
        let mut missing = to.saturating_sub(self.text.len());
        while missing > 0 {
            let blanks = missing.min(BLANKS.len());
            self.text.push_str(&BLANKS[..blanks]);
            missing -= blanks;
        }
    }

    /// A die, a place or another small number.
    fn number(&mut self, number: u8) {
        self.text.push_str(itoa::Buffer::new().format(number));
    }

    fn result(&mut self, record: &MatchRecord, game: &GameRecord, replay: &Replay, number: usize) {
        let Some(result) = game.result else { return };
        let Some(winner) = result.value.winner else {
            return self.lose(Item::Results, 1);
        };
        let indent = match winner {
            Player::One => 6,
            Player::Two => self.profile.right + 1,
        };
        let mut text = " ".repeat(indent) + "Wins";
        if let Some(points) = result.value.points {
            let plural = if points == 1 || self.profile.words {
                ""
            } else {
                "s"
            };
            let _ = write!(text, " {points} point{plural}");
        }
        let decides = replay.summary.winner.is_some() && number + 1 == record.games.len();
        if self.profile.words && decides {
            text.push_str(" and the match");
        }
        self.line(&text);
    }

    /// What stands behind the dice, with a blank before it.
    fn play(
        &mut self,
        play: &WrittenPlay,
        player: Player,
        roll: Option<Roll>,
        step: Option<&ReplayStep>,
    ) {
        let moves = match play {
            WrittenPlay::Moves(moves) => moves,
            WrittenPlay::NotRecorded => return self.text.push_str(" ????"),
            WrittenPlay::CannotMove if self.profile.words => {
                return self.text.push_str(" Cannot Move");
            }
            WrittenPlay::CannotMove | WrittenPlay::Nothing => return,
        };
        let known = step
            .filter(|step| normal::is_known_and_legal(step))
            .zip(roll);
        // Nearly every play is written with one move a die; that saves to list all others.
        let literally = known
            .filter(|_| !self.profile.words)
            .and_then(|(step, roll)| normal::played_literally(moves, player, roll, step));
        if let Some(reading) = literally {
            return self.steps(&with_hits(moves, reading.hits));
        }
        let legal = known.and_then(|(step, roll)| normal::play_made(player, roll, step));
        match (legal, self.profile.words) {
            (Some(legal), true) if legal.moves().is_empty() => {}
            (Some(legal), true) => {
                self.text.push(' ');
                self.text.push_str(&words(&legal));
            }
            (Some(legal), false) if is_by_dice(moves, &legal) => {
                self.steps(&with_hits(moves, points_hit(&legal)));
            }
            (Some(legal), false) => self.steps(&legal.sorted()),
            (None, _) => self.steps(moves),
        }
    }

    /// `25/20 13/8*`: numbers, one entry a move, with a blank before each.
    fn steps(&mut self, play: &Play) {
        for moved in play.moves() {
            self.text.push(' ');
            self.number(moved.from.number());
            self.text.push('/');
            self.number(moved.to.number());
            if moved.hits {
                self.text.push('*');
            }
        }
    }
}

/// The value to which the cube goes. Behind the end of a game none follows, and the word stands alone.
fn turned_to(value: Option<u32>) -> String {
    value.map_or_else(String::new, |value| format!(" => {value}"))
}

/// The value that an answer to a turn of the cube offers. `None`: it answers nothing.
fn offered(player: Player, step: Option<&ReplayStep>) -> Option<u32> {
    let step = step?;
    let offer = step.before.offer.filter(|offer| offer.by != player);
    offer.and(step.after.offer).map(|offer| offer.value)
}

/// Whether the written moves are the moves of the legal play, one a die, in whatever order.
fn is_by_dice(written: &Play, legal: &Play) -> bool {
    let plain = |play: &Play| -> Vec<(Place, Place)> {
        play.sorted()
            .moves()
            .iter()
            .map(|moved| (moved.from, moved.to))
            .collect()
    };
    plain(written) == plain(legal)
}

/// The moves in their written order, with marks on the first checker of each point of a mask.
fn with_hits(written: &Play, mut points: u32) -> Play {
    let mut play = *written;
    for moved in play.moves_mut() {
        let point = 1 << moved.to.number();
        moved.hits = points & point != 0;
        points &= !point;
    }
    play
}

/// The points that a play hits, as a mask.
fn points_hit(play: &Play) -> u32 {
    let hits = play.moves().iter().filter(|moved| moved.hits);
    hits.fold(0, |points, moved| points | 1 << moved.to.number())
}

/// `Bar/20 13/8(2)`: words, with a hit on the way as an entry of its own.
fn words(play: &Play) -> String {
    let spelled = play.to_string().replace("bar", "Bar").replace("off", "Off");
    let split = |entry: &str| {
        let places: Vec<&str> = entry.split('/').collect();
        let pairs = places
            .windows(2)
            .map(|pair| format!("{}/{}", pair[0].trim_end_matches('*'), pair[1]));
        pairs.collect::<Vec<_>>().join(" ")
    };
    spelled.split(' ').map(split).collect::<Vec<_>>().join(" ")
}

/// Whether a rating can be glued to a name: three or four digits, and perhaps a fraction.
fn is_plain_rating(rating: &str) -> bool {
    let (whole, part) = rating.split_once('.').unwrap_or((rating, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    (3..=4).contains(&whole.len()) && digits(whole) && digits(part)
}
