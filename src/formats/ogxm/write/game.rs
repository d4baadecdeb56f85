//! Games and their plies.

use super::boards::{board_of, bytes_of, state_to_note};
use super::steps::steps;
use super::{Ending, Writer, seat};
use crate::board::{ByPlayer, Cube, Player, Position, Setup, Win};
use crate::formats::carry::{Item, normal};
use crate::formats::ogxm::cursor::Record;
use crate::formats::ogxm::model::{action_of, most_steps};
use crate::formats::ogxm::notes;
use crate::record::{Action, Entry, GameRecord, WrittenPlay, WrittenRoll};
use crate::replay::{EndedBy, Known, ReplayStep};
use crate::ruleset::RuleOptions;

/// Actions that are no rolls.
const DOUBLE: u8 = 21;
const TAKE: u8 = 22;
const DROP: u8 = 23;
const RESIGN: u8 = 27;
const FORFEIT: u8 = 29;
const SET: u8 = 31;
const BEAVER: u8 = 32;
const RACCOON: u8 = 33;
const CUBE_SET: u8 = 36;
/// The bit that says that extras follow, and the place of the seat.
const EXTRAS: u8 = 0x80;

/// A game in the making.
struct Plies {
    out: Vec<u8>,
    /// How many there are.
    count: u32,
    /// Whether the last ply is a play that is told by the board after it.
    is_restated: bool,
    /// Whether the last ply is a resignation.
    gave_up: bool,
    /// Where the checkers stand as far as the plies tell.
    position: Position,
}

impl Plies {
    fn plain(&mut self, action: u8, player: Player) {
        self.count += 1;
        self.out.push(action | seat(player) << 6);
    }

    fn with_extras(&mut self, action: u8, player: Player, extras: &Record) {
        self.count += 1;
        self.out.push(action | seat(player) << 6 | EXTRAS);
        extras.put(&mut self.out);
    }
}

/// What is known of the place of an entry.
pub(super) struct Here<'a> {
    pub(super) game: usize,
    pub(super) index: usize,
    pub(super) entry: &'a Entry,
    pub(super) step: Option<ReplayStep<'a>>,
    pub(super) later: &'a [Entry],
}

impl Writer<'_> {
    /// A game with all that is noted of it.
    pub(super) fn game(&mut self, index: usize, result: &Ending) -> Vec<u8> {
        let record = self.record;
        let game = &record.games[index];
        let number = u32::try_from(index).unwrap_or(u32::MAX);
        self.notes_on_game(index, number, game, result);
        let mut plies = Plies {
            out: Vec::new(),
            count: 0,
            is_restated: false,
            gave_up: false,
            position: Position::start(self.variant_played()),
        };
        let replay = self.replay;
        let replayed = replay.games.get(index);
        for (at, entry) in game.entries.iter().enumerate() {
            let here = Here {
                game: index,
                index: at,
                entry,
                step: replayed.and_then(|game| game.step(at)),
                later: &game.entries[at + 1..],
            };
            self.entry(&here, &mut plies);
        }
        let gave_up = plies.gave_up || self.given_up(index, result, &mut plies);
        let mut head = Record::default();
        if let Some(winner) = result.winner {
            head.number(0, u64::from(seat(winner)));
            head.number(1, u64::from(result.points.unwrap_or(1)));
        }
        let is_last = index + 1 == record.games.len();
        if is_last && result.stated.is_some_and(|stated| stated.and_match) {
            head.field(2);
        }
        self.start(number, game, &mut head);
        self.end(index, result, gave_up, &mut head);
        self.is_empty.push(plies.out.is_empty());
        let mut payload = Vec::new();
        head.put(&mut payload);
        payload.extend_from_slice(&plies.out);
        payload
    }

    fn variant_played(&self) -> crate::board::Variant {
        crate::replay::rules_for(self.record, &RuleOptions::default())
            .variant
            .value
    }

    /// What a reader would not conclude of a game.
    fn notes_on_game(&mut self, index: usize, number: u32, game: &GameRecord, result: &Ending) {
        let stated = game.score.map(|score| score.value);
        if stated != result.before {
            let text = stated.map_or("none".to_owned(), |score| {
                format!("{}-{}", score.one, score.two)
            });
            if !self.note(1, number, "score", &text) {
                self.lose(Item::Scores, 1);
            }
        }
        let is_over = index == 0 && self.is_crawford_over(std::slice::from_ref(result));
        let mark = match game.crawford.map(|mark| mark.value) {
            Some(false) if is_over => None,
            None if is_over => Some("unstated"),
            mark => mark.map(|mark| if mark { "on" } else { "off" }),
        };
        if mark.is_some_and(|mark| !self.note(1, number, "crawford", mark)) {
            self.lose(Item::CrawfordGame, 1);
        }
        if let Some(stated) = game.number.filter(|stated| stated.value != number + 1)
            && !self.note(1, number, "number", &stated.value.to_string())
        {
            self.lose(Item::GameNumbers, 1);
        }
        for (player, name) in Player::BOTH.into_iter().zip(["name-one", "name-two"]) {
            let own = game.names[player].as_ref();
            let own = own.filter(|own| own.value != self.record.names[player]);
            if own.is_some_and(|own| !self.note(1, number, name, &own.value)) {
                self.lose(Item::Names, 1);
            }
        }
        let has_points = result.stated.is_none_or(|stated| stated.points.is_some());
        if !has_points && !self.note(1, number, "points", "unstated") {
            self.lose(Item::Results, 1);
        }
    }

    /// Where the game starts, and with which cube.
    fn start(&mut self, number: u32, game: &GameRecord, head: &mut Record) {
        let Some(start) = game.start.as_ref().map(|start| &start.value) else {
            return;
        };
        let Some(board) = board_of(start.checkers.as_ref()) else {
            return self.lose(Item::StartPositions, 1);
        };
        let usual = self.variant_played().start();
        let is_usual = Player::BOTH
            .iter()
            .all(|&player| start.checkers[player][1..] == usual[1..]);
        if !is_usual {
            head.field(3).extend_from_slice(&bytes_of(board));
        }
        let cube = start.cube.unwrap_or_default();
        let power = Cube::exponent(cube.value).filter(|_| cube.value > 1);
        let is_automatic = self.length == 0
            && cube.owner.is_none()
            && self.record.switch("AutoDoubles").is_some_and(|(on, _)| on);
        if power.is_some() && !is_automatic {
            head.number(4, u64::from(cube.value));
        }
        if let Some(owner) = cube.owner {
            head.number(5, u64::from(seat(owner)));
        }
        if let Some(power) = power.filter(|_| is_automatic) {
            head.number(6, u64::from(power));
        }
        let read = Setup {
            turn: None,
            roll: None,
            cube: Some(if power.is_some() {
                cube
            } else {
                Cube { value: 1, ..cube }
            }),
            ..start.clone()
        };
        let follows = is_usual && read.cube == Some(Cube::START);
        let note = state_to_note(start, &read, &game.entries);
        let note = note.or_else(|| follows.then(|| notes::state_text(start)));
        if note.is_some_and(|note| !self.note(1, number, "start", &note)) {
            self.lose(Item::StartPositions, 1);
        }
    }

    /// A game that was given up without a word ends with a resignation here, for otherwise the last roll
    /// would be a play that is missing; it is noted that the record has none.
    fn given_up(&mut self, index: usize, result: &Ending, plies: &mut Plies) -> bool {
        let summary = self.replay.summary.games.get(index);
        let Some(summary) = summary.filter(|game| game.ended_by == EndedBy::Resignation) else {
            return false;
        };
        let entries = &self.record.games[index].entries;
        let is_silent = entries.last().is_some_and(|last| {
            matches!(
                last.action,
                Action::Play { .. } | Action::Double { .. } | Action::Take
            )
        });
        let Some(winner) = result.winner.filter(|_| is_silent) else {
            return false;
        };
        if !self.note(2, self.plies, "implied", "") {
            return false;
        }
        let mut extras = Record::default();
        extras.number(1, u64::from(summary.win.unwrap_or(Win::Single).factor()));
        plies.with_extras(RESIGN, !winner, &extras);
        self.plies += 1;
        true
    }

    /// How the game ended, where the plies do not say it.
    fn end(&mut self, index: usize, result: &Ending, gave_up: bool, head: &mut Record) {
        let Some(stated) = result.stated else { return };
        if stated.win.is_some() {
            self.lose(Item::ResultKinds, 1);
        }
        if stated.resigned && !gave_up {
            head.number(7, 2);
        }
        let summary = self.replay.summary.games.get(index);
        let is_concluded = summary.is_some_and(|game| game.ended_by == EndedBy::Resignation);
        if gave_up && !stated.resigned && !is_concluded {
            self.lose(Item::ResultKinds, 1);
        }
    }

    fn entry(&mut self, here: &Here<'_>, plies: &mut Plies) {
        let entry = here.entry;
        let player = entry.player;
        let before = plies.count;
        plies.is_restated = false;
        match normal::meant(&self.record.games[here.game].entries, here.index) {
            Action::Play { roll, play } => self.play(here, roll, &play, plies),
            Action::Double { to, .. } => self.turn(here, DOUBLE, to, plies),
            Action::Beaver { to } => self.turn(here, BEAVER, to, plies),
            Action::Raccoon { to } => self.turn(here, RACCOON, to, plies),
            Action::Take if self.stands(here) => self.taken(here),
            Action::Take => plies.plain(TAKE, player),
            Action::Pass => plies.plain(DROP, player),
            Action::Resign { win } => self.resign(here, win, plies),
            Action::Accept | Action::Reject | Action::NoRoll => self.lose(Item::Resignations, 1),
            Action::TimeOut => plies.plain(FORFEIT, player),
            Action::Set => self.set(here, plies),
            Action::Unreadable => {}
        }
        if let Some(step) = here.step.filter(|step| step.after.known != Known::Unknown) {
            plies.position = step.after.position;
        }
        if plies.count == before {
            return;
        }
        plies.gave_up = matches!(entry.action, Action::Resign { .. });
        self.beside(here, plies.is_restated);
        self.plies += plies.count - before;
    }

    /// Comment, seconds and analysis of an entry that was written.
    fn beside(&mut self, here: &Here<'_>, is_restated: bool) {
        let extra = here.entry.extra.as_deref();
        let comment = extra.and_then(|extra| extra.comment.as_deref());
        if let Some(comment) = comment.filter(|comment| !comment.is_empty())
            && !self.comment(2, self.plies, comment)
        {
            self.lose(Item::Comments, 1);
        }
        let seconds = extra.and_then(|extra| extra.seconds);
        if seconds.is_some_and(|seconds| seconds.left.is_some()) {
            // What is left in the bank has no place.
            self.lose(Item::Clock, 1);
        }
        // A position that is set is two plies with the cube; the clock stands still.
        while self.times.len() < self.plies as usize {
            let is_running = self.times.last().is_some_and(Option::is_some);
            self.times.push(is_running.then_some(0.0));
        }
        self.times.push(seconds.and_then(|seconds| seconds.used));
        self.analysis(here, is_restated);
    }

    fn turn(&mut self, here: &Here<'_>, action: u8, to: Option<u32>, plies: &mut Plies) {
        plies.plain(action, here.entry.player);
        let follows = here
            .step
            .is_some_and(|step| normal::states_twice(here.entry, &step));
        if let Some(to) = to.filter(|_| !follows)
            && !self.note(2, self.plies, "to", &to.to_string())
        {
            self.lose(Item::CubeValues, 1);
        }
    }

    /// Whether a take answers a beaver or a raccoon: to the format they stand without an answer.
    fn stands(&self, here: &Here<'_>) -> bool {
        let entries = &self.record.games[here.game].entries;
        let Some(last) = here.index.checked_sub(1) else {
            return false;
        };
        let action = normal::meant(entries, last);
        let last = &entries[last];
        matches!(action, Action::Beaver { .. } | Action::Raccoon { .. })
            && last.player != here.entry.player
    }

    /// Notes the answer to a beaver; what stands with it has no ply.
    fn taken(&mut self, here: &Here<'_>) {
        let is_noted = self.plies > 0 && self.note(2, self.plies - 1, "answer", "take");
        self.lose(Item::CubeActions, usize::from(!is_noted));
        let extra = here.entry.extra.as_deref();
        self.lose(
            Item::Comments,
            usize::from(extra.is_some_and(|extra| extra.comment.is_some())),
        );
        self.lose(
            Item::Analysis,
            usize::from(extra.is_some_and(|extra| !extra.analysis.is_empty())),
        );
        self.lose(
            Item::Clock,
            usize::from(extra.is_some_and(|extra| extra.seconds.is_some())),
        );
        let has_position = extra.is_some_and(|extra| extra.position_after.is_some());
        self.lose(Item::Positions, usize::from(has_position));
    }

    /// A resignation that stands ends the game; others have no place.
    fn resign(&mut self, here: &Here<'_>, win: Option<Win>, plies: &mut Plies) {
        if here
            .later
            .iter()
            .any(|later| later.action != Action::Accept)
        {
            return self.lose(Item::Resignations, 1);
        }
        let summary = self.replay.summary.games.get(here.game);
        let computed = summary.and_then(|game| game.win);
        let mut extras = Record::default();
        extras.number(
            1,
            u64::from(win.or(computed).unwrap_or(Win::Single).factor()),
        );
        // The one who gives up is the one who loses, whatever is written.
        let player = here.entry.player;
        let result = self.record.games[here.game].result;
        let winner = result.and_then(|result| result.value.winner);
        let loser = winner.map_or(player, |winner| !winner);
        plies.with_extras(RESIGN, loser, &extras);
        if loser != player && !self.note(2, self.plies, "by", notes::player_text(player)) {
            self.lose(Item::Resignations, 1);
        }
        if win.is_none() && !self.note(2, self.plies, "kind", "unstated") {
            self.lose(Item::Resignations, 1);
        }
    }

    /// A position that was set, and the cube behind it.
    fn set(&mut self, here: &Here<'_>, plies: &mut Plies) {
        let extra = here.entry.extra.as_deref();
        let stated = extra.and_then(|extra| extra.position_after.as_ref());
        let Some(setup) = stated.map(|stated| &stated.value) else {
            return self.lose(Item::Positions, 1);
        };
        let Some(board) = board_of(setup.checkers.as_ref()) else {
            return self.lose(Item::Positions, 1);
        };
        let player = here.entry.player;
        let turn = normal::next_actor(here.later)
            .or(setup.turn)
            .unwrap_or(player);
        let mut extras = Record::default();
        extras.field(6).extend_from_slice(&bytes_of(board));
        plies.with_extras(SET, turn, &extras);
        let cube = setup.cube.filter(|cube| cube.value.is_power_of_two());
        let read = Setup {
            turn: Some(turn),
            roll: None,
            cube,
            ..setup.clone()
        };
        let mut is_noted = true;
        if turn != player {
            is_noted &= self.note(2, self.plies, "by", notes::player_text(player));
        }
        if let Some(note) = state_to_note(setup, &read, here.later) {
            is_noted &= self.note(2, self.plies, "position", &note);
        }
        self.lose(Item::Positions, usize::from(!is_noted));
        if let Some(cube) = cube {
            let mut extras = Record::default();
            extras.number(2, u64::from(cube.value));
            if let Some(owner) = cube.owner {
                extras.number(8, u64::from(seat(owner)));
            }
            plies.with_extras(CUBE_SET, turn, &extras);
        }
        if extra.is_some_and(|extra| extra.declared_illegal) {
            self.lose(Item::DeclaredIllegal, 1);
        }
    }

    fn play(&mut self, here: &Here<'_>, roll: WrittenRoll, play: &WrittenPlay, plies: &mut Plies) {
        // A roll that no dice show has no place; the loss is counted.
        let Some(action) = action_of(roll.0, roll.1) else {
            return;
        };
        let entry = here.entry;
        let extra = entry.extra.as_deref();
        let declared = extra.is_some_and(|extra| extra.declared_illegal);
        let stated = extra.and_then(|extra| extra.position_after.as_ref());
        let board = stated.and_then(|stated| board_of(stated.value.checkers.as_ref()));
        if let (Some(stated), Some(board), WrittenPlay::NotRecorded) = (stated, board, play) {
            let setup = &stated.value;
            let read = Setup {
                turn: None,
                roll: None,
                cube: None,
                ..setup.clone()
            };
            let note = state_to_note(setup, &read, here.later);
            if note.is_some_and(|note| !self.note(2, self.plies, "position", &note)) {
                self.lose(Item::Positions, 1);
            }
            return restate(entry.player, roll, board, declared, plies);
        }
        self.lose(Item::Positions, usize::from(stated.is_some()));
        let steps = steps(here, roll, play);
        if let Some(steps) = steps.filter(|_| !declared) {
            plies.plain(action, entry.player);
            plies.out.extend(steps.iter().map(|step| step.byte()));
            if steps.len() < most_steps(roll) {
                plies.out.push(0);
            }
            if *play == WrittenPlay::NotRecorded && !self.note(2, self.plies, "moves", "?") {
                self.lose(Item::UnrecordedPlays, 1);
            }
            return;
        }
        let known = here.step.filter(|step| step.after.known != Known::Unknown);
        let position = known.map_or(plies.position, |step| step.after.position);
        let board = board_of(ByPlayer::new(
            position.side(Player::One),
            position.side(Player::Two),
        ));
        restate(entry.player, roll, board.unwrap_or_default(), true, plies);
        let meant = here
            .step
            .and_then(|step| normal::as_written_or_expanded(entry, &step))
            .map_or(*play, WrittenPlay::Moves);
        let mut is_noted = self.note(2, self.plies, "moves", &notes::play_text(&meant));
        if declared {
            is_noted &= self.note(2, self.plies, "declared", "");
        }
        if !is_noted {
            // Nothing else tells the moves, and no loss could.
            self.lose(Item::DeclaredIllegal, usize::from(declared));
            self.lose(Item::Positions, 1);
        }
    }
}

/// A roll with the board after it; the seat is the side on roll then.
fn restate(player: Player, roll: WrittenRoll, board: [i8; 26], illegal: bool, plies: &mut Plies) {
    let mut extras = Record::default();
    extras.field(0).extend_from_slice(&[roll.0, roll.1]);
    if illegal {
        extras.field(3);
    }
    extras.field(6).extend_from_slice(&bytes_of(board));
    plies.with_extras(SET, !player, &extras);
    plies.is_restated = true;
}
