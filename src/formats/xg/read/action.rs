//! What the players do: the cube, rolls and plays.

use super::super::analysis;
use super::super::records::{Board, Record, cube, play};
use super::{Last, Reader};
use crate::board::{Player, Setup};
use crate::diagnostic::{Finding, syntax};
use crate::record::{Action, Entry, Seconds, WrittenPlay, WrittenRoll};
use crate::source::Spanned;

impl<'a> Reader<'a> {
    /// Whether a game has started; an action before the first one is reported.
    pub(super) fn has_game(&mut self, record: Record<'_>) -> bool {
        if self.in_game {
            return true;
        }
        let message = format!("a record of kind {} outside a game", record.kind());
        self.whole(&syntax::UNREADABLE_LINE, &message, "left out");
        false
    }

    pub(super) fn cube_action(&mut self, record: Record<'a>) {
        if !self.has_game(record) {
            return;
        }
        self.leave_cube();
        let Some(player) = record.player(cube::PLAYER) else {
            let message = "a cube action of nobody";
            return self.whole(&syntax::UNREADABLE_LINE, message, "left out");
        };
        let field = record.i32(cube::CUBE);
        self.compare(
            record,
            cube::POSITION,
            record.flag(cube::EDITED),
            player,
            field,
        );
        if record.i32(cube::DOUBLE) != 1 {
            self.cube = Some(record);
            return;
        }
        let before = self.cube_of(field).map(|cube| cube.value);
        if before.is_none() {
            self.odd("a value of the cube that is none", "taken as not stated");
        }
        let turned = |times: u32| before.and_then(|value| value.checked_shl(times));
        let said = analysis::of_cube(record, &self.archive.rollouts);
        let double = Action::Double {
            to: turned(1),
            after_roll: None,
        };
        self.act(player, double, said);
        if let Some(comment) = self.comment(record, cube::COMMENT) {
            self.remark(comment);
        }
        self.seconds(record, player);
        let mut by = !player;
        for (turn, at) in cube::ANSWERS.into_iter().enumerate() {
            let said = match turn {
                0 => analysis::of_answer(record),
                _ => analysis::Said::new(),
            };
            let action = match (record.i32(at), turn) {
                (0, _) => Action::Pass,
                (1, _) => Action::Take,
                (2, 0) => Action::Beaver { to: turned(2) },
                (2, 1) => Action::Raccoon { to: turned(3) },
                (-1, _) => break,
                (other, _) => {
                    let message = format!("an answer to the double with the number {other}");
                    self.whole(&syntax::UNREADABLE_LINE, &message, "left out");
                    break;
                }
            };
            let is_last = matches!(action, Action::Pass | Action::Take);
            self.act(by, action, said);
            if is_last {
                break;
            }
            by = !by;
        }
    }

    /// A cube record that no roll follows: what it says stands with the game.
    pub(super) fn leave_cube(&mut self) {
        let Some(record) = self.cube.take() else {
            return;
        };
        let comment = self.comment(record, cube::COMMENT);
        let said = analysis::of_cube(record, &self.archive.rollouts);
        let said: Vec<String> = said
            .into_iter()
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        let said = (!said.is_empty()).then(|| said.join("\n"));
        let Some(game) = self.record.games.last_mut() else {
            return;
        };
        for text in [comment, said].into_iter().flatten() {
            game.comments.push(Spanned::new(text, game.heading));
        }
    }

    pub(super) fn play(&mut self, record: Record<'a>) {
        if !self.has_game(record) {
            return;
        }
        let Some(player) = record.player(play::PLAYER) else {
            let message = "a roll of nobody";
            self.board = Last::Lost;
            return self.whole(&syntax::UNREADABLE_LINE, message, "left out");
        };
        let cube = self.cube.take();
        let is_edited = record.flag(play::EDITED);
        let field = record.i32(play::CUBE);
        self.compare(record, play::POSITION, is_edited, player, field);
        let mut said = cube.map_or_else(analysis::Said::new, |cube| {
            analysis::of_cube(cube, &self.archive.rollouts)
        });
        let most = self.room_for_candidates(record);
        let rollouts = &self.archive.rollouts;
        said.extend(analysis::of_play(record, player, rollouts, most));
        let [one, two] = play::DICE.map(|at| record.i32(at));
        let digit = |number: i32| u8::try_from(number).ok().filter(|&digit| digit <= 9);
        let (Some(one), Some(two)) = (digit(one), digit(two)) else {
            let message = format!("a roll of {one} and {two}");
            self.act(player, Action::Unreadable, said);
            self.board = Last::Lost;
            let game = self.record.games.last_mut();
            let entry = game.and_then(|game| game.entries.last_mut());
            if let Some(entry) = entry {
                entry.extra_mut().unreadable = true;
                let label = "the position after it is the next one that is stated";
                let finding = Finding::new(&syntax::UNREADABLE_LINE, entry.span, message, label);
                self.find_here(finding);
            }
            return;
        };
        let roll = WrittenRoll(one, two);
        let after = record.board(play::POSITION_AFTER, player);
        let is_played = record.flag(play::PLAYED) || after.is_some();
        let moves = analysis::moves(|index| record.i32(play::MOVES + 4 * index));
        let written = match &moves {
            _ if !is_played => WrittenPlay::Nothing,
            Some(moves) if moves.moves().is_empty() => WrittenPlay::CannotMove,
            Some(moves) => WrittenPlay::Moves(*moves),
            None => WrittenPlay::NotRecorded,
        };
        let action = Action::Play {
            roll,
            play: written,
        };
        self.played = match (self.board, moves) {
            (Last::Stated(before), Some(moves)) => Some((before, player, moves)),
            _ => None,
        };
        self.act(player, action, said);
        let game = self.record.games.last_mut().expect("a game has started");
        let entry = game.entries.last_mut().expect("an action was pushed");
        let span = entry.span;
        if is_played && record.i32(play::INVALID) == 2 {
            entry.extra_mut().declared_illegal = true;
        }
        match after {
            Some(Board::Checkers(checkers)) => {
                let setup = Setup {
                    checkers,
                    variant: self.variant,
                    turn: None,
                    roll: None,
                    cube: None,
                };
                entry.extra_mut().position_after = Some(Spanned::new(setup, span));
                self.board = Last::Stated(checkers);
            }
            Some(Board::Impossible) => {
                let message = "the board after the play is none".to_owned();
                let finding = Finding::new(&syntax::IMPOSSIBLE_POSITION, span, message, "left out");
                self.find_here(finding);
                self.board = Last::Lost;
            }
            None if is_played => self.board = Last::Untold,
            None => {}
        }
        if is_played && moves.is_none() {
            let message = "moves with numbers that are no places".to_owned();
            let label = "taken from the boards";
            self.find_here(Finding::new(&syntax::UNREADABLE_LINE, span, message, label));
        }
        for (record, at) in [(cube, cube::COMMENT), (Some(record), play::COMMENT)] {
            let comment = record.and_then(|record| self.comment(record, at));
            comment.into_iter().for_each(|comment| self.remark(comment));
        }
        if let Some(cube) = cube {
            self.seconds(cube, player);
        }
    }

    /// How many of the plays that were looked at are kept; the first time that it is not all of them is told.
    fn room_for_candidates(&mut self, record: Record<'_>) -> usize {
        let had_room = self.candidates < analysis::MOST_CANDIDATES;
        let room = analysis::MOST_CANDIDATES.saturating_sub(self.candidates);
        self.candidates += analysis::candidates(record);
        if had_room && self.candidates > analysis::MOST_CANDIDATES {
            let message = "more plays were analysed than are kept";
            self.odd(message, "those of later rolls are left out");
        }
        room
    }

    /// What the clock of the player shows when it is his turn to decide.
    pub(super) fn seconds(&mut self, cube: Record<'_>, player: Player) {
        let left = cube::TIME_LEFT.map(|at| cube.i32(at));
        if left == [0, 0] {
            return;
        }
        let game = self.record.games.last_mut();
        if let Some(entry) = game.and_then(|game| game.entries.last_mut()) {
            let left = f64::from(left[player.index()]);
            entry.extra_mut().seconds = Some(Seconds {
                used: None,
                left: Some(left),
            });
        }
    }

    /// A comment on the last action.
    pub(super) fn remark(&mut self, comment: String) {
        let game = self.record.games.last_mut();
        if let Some(entry) = game.and_then(|game| game.entries.last_mut()) {
            let before = &mut entry.extra_mut().comment;
            *before = Some(match before.take() {
                Some(before) => format!("{before}\n{comment}"),
                None => comment,
            });
        }
    }

    pub(super) fn push(&mut self, entry: Entry) {
        if let Some(game) = self.record.games.last_mut() {
            game.entries.push(entry);
        }
    }

    /// An action, as the listing shows it.
    pub(super) fn act(&mut self, player: Player, action: Action, said: analysis::Said) {
        let (span, row) = self.listing.action(player, &action);
        let mut entry = Entry::new(player, action, row, span);
        if !said.is_empty() {
            entry.extra_mut().analysis = said;
        }
        self.push(entry);
    }
}
