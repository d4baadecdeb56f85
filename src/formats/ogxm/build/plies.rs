//! From plies to entries.

use super::super::model::{Act, Ply, Step, own_place};
use super::super::notes;
use super::{Builder, checkers_of};
use crate::board::{ByPlayer, Cube, Move, Play, Player, Win};
use crate::diagnostic::{Context, Finding, Level, Rule, syntax};
use crate::record::{Action, Entry, Seconds, WrittenPlay, WrittenRoll};
use crate::source::{Span, Spanned};

impl Builder {
    pub(super) fn ply(&mut self, ply: Ply) {
        let player = ply.player;
        match &ply.act {
            Act::Dice { roll, steps } => self.dice(*roll, steps, &ply),
            Act::Restated { roll, board } => self.restated(*roll, board, &ply),
            Act::SetPosition(board) => {
                let turn = Some(player);
                self.set(checkers_of(board), turn, None, &ply);
            }
            Act::Double => {
                let after_roll = None;
                self.plain(
                    Action::Double {
                        to: notes::value(&ply),
                        after_roll,
                    },
                    &ply,
                );
            }
            Act::Take => self.plain(Action::Take, &ply),
            Act::Drop => self.plain(Action::Pass, &ply),
            Act::Beaver => self.plain(
                Action::Beaver {
                    to: notes::value(&ply),
                },
                &ply,
            ),
            Act::Raccoon => self.plain(
                Action::Raccoon {
                    to: notes::value(&ply),
                },
                &ply,
            ),
            // The record that was written had no word for it.
            Act::Resign { .. } if ply.note("implied").is_some() => {}
            Act::Resign { value, of_match } => self.resign(*value, *of_match, &ply),
            Act::Forfeit => self.plain(Action::TimeOut, &ply),
            Act::Marker => self.marker(ply),
            Act::Settle(points) => {
                let text = format!("settled for {:+.3} points", f64::from(*points) / 1e6);
                let said = format!("{}: {text}", self.built.record.names[player]);
                let span = self.of_game(&said);
                self.last_game().comments.push(Spanned::new(said, span));
                self.marker(ply);
            }
            Act::CubeSet { value, owner } => {
                let cube = Cube {
                    value: *value,
                    owner: *owner,
                };
                self.cube_set(cube, &ply);
            }
            Act::ShutOut => {
                let mut opposite = ply.clone();
                opposite.player = !player;
                self.set(self.board, Some(!player), None, &opposite);
            }
            Act::Unreadable(why) => self.unreadable(why, &ply),
        }
    }

    /// What stands beside a marker belongs to the game.
    fn marker(&mut self, ply: Ply) {
        if let Some(comment) = ply.comment {
            let span = self.of_game(&format!("comment: {comment}"));
            self.last_game().comments.push(Spanned::new(comment, span));
        }
    }

    /// An entry with what belongs to its ply, and the place of its line.
    fn entry(&mut self, player: Player, action: Action, ply: &Ply) -> Entry {
        let (line, row) = self.built.listing.action(player, &action);
        // A text has no rows but the place of the ply itself.
        let (span, row) = match ply.span.or(self.span) {
            Some(span) => (span, 0),
            None => (line, row),
        };
        let mut entry = Entry::new(player, action, row, span);
        if let Some(comment) = &ply.comment {
            entry.extra_mut().comment = Some(comment.clone());
        }
        if !ply.analysis.is_empty() {
            entry.extra_mut().analysis.clone_from(&ply.analysis);
        }
        // Where our writer noted the moves, the flag is the format's way to hold them.
        if ply.illegal && (ply.note("moves").is_none() || ply.note("declared").is_some()) {
            entry.extra_mut().declared_illegal = true;
        }
        if let Some(time) = ply.time {
            let used = time.saturating_sub(self.time) as f64 / 1000.0;
            entry.extra_mut().seconds = Some(Seconds {
                used: Some(used),
                left: None,
            });
            self.time = time;
        }
        entry
    }

    fn push(&mut self, entry: Entry) {
        self.last_game().entries.push(entry);
    }

    fn plain(&mut self, action: Action, ply: &Ply) {
        let entry = self.entry(ply.player, action, ply);
        self.push(entry);
        // The format takes it that a beaver stands; our writer notes where the record says so.
        if ply.note("answer") == Some("take") {
            let answer = Ply {
                span: ply.span,
                ..Ply::new(!ply.player, Act::Take)
            };
            self.plain(Action::Take, &answer);
        }
    }

    /// Where the next entry stands.
    fn here(&mut self, player: Player, roll: Option<WrittenRoll>) -> Context {
        let entries = self.last_game().entries.len();
        Context {
            ply: u32::try_from(entries + 1).ok(),
            player: Some(player),
            roll: roll.and_then(WrittenRoll::roll),
            ..Context::default()
        }
    }

    fn odd(&mut self, rule: &'static Rule, entry: &Entry, message: String, label: &str) {
        let roll = match entry.action {
            Action::Play { roll, .. } => Some(roll),
            _ => None,
        };
        let context = self.here(entry.player, roll);
        let finding = Finding::new(rule, entry.span, message, label);
        self.find(finding.within(context));
    }

    pub(super) fn impossible(&mut self, span: Span, context: Context) {
        let message =
            "a board with more checkers than a board has, or with checkers on the wrong bar";
        let label = "the position is left out";
        let finding = Finding::new(&syntax::IMPOSSIBLE_POSITION, span, message, label);
        self.find(finding.within(context));
    }

    fn unreadable(&mut self, why: &str, ply: &Ply) {
        let mut entry = self.entry(ply.player, Action::Unreadable, ply);
        entry.extra_mut().unreadable = true;
        let label = "the position after it is unknown";
        self.odd(&syntax::UNREADABLE_LINE, &entry, why.to_owned(), label);
        self.board = None;
        self.push(entry);
    }

    fn dice(&mut self, roll: WrittenRoll, steps: &[Step], ply: &Ply) {
        let player = ply.player;
        let moves = moves(player, steps);
        let play = match moves {
            Some(_) if ply.note("moves") == Some("?") => WrittenPlay::NotRecorded,
            Some(moves) if moves.moves().is_empty() => WrittenPlay::Nothing,
            Some(moves) => WrittenPlay::Moves(moves),
            None => WrittenPlay::NotRecorded,
        };
        let mut entry = self.entry(player, Action::Play { roll, play }, ply);
        match moves {
            Some(moves) => self.advance(player, &moves),
            None => {
                entry.extra_mut().unreadable = true;
                let message = "a checker moves from where its player has no place".to_owned();
                let label = "kept without its moves; the position after it is unknown";
                self.odd(&syntax::UNREADABLE_LINE, &entry, message, label);
                self.board = None;
            }
        }
        self.push(entry);
    }

    /// Moves the checkers of the board that is carried along, if it is known.
    fn advance(&mut self, player: Player, moves: &Play) {
        let Some(mut board) = self.board else { return };
        for moved in moves.moves() {
            let (from, to) = (
                usize::from(moved.from.number()),
                usize::from(moved.to.number()),
            );
            if board[player][from] == 0 {
                self.board = None;
                return;
            }
            board[player][from] -= 1;
            if to == 0 {
                continue;
            }
            board[player][to] += 1;
            if board[!player][25 - to] == 1 {
                board[!player][25 - to] = 0;
                board[!player][25] += 1;
            }
        }
        self.board = Some(board);
    }

    fn restated(&mut self, roll: WrittenRoll, board: &[i8; 26], ply: &Ply) {
        let written = ply.note("moves").and_then(notes::play);
        let play = written.unwrap_or(WrittenPlay::NotRecorded);
        let mut entry = self.entry(ply.player, Action::Play { roll, play }, ply);
        self.board = checkers_of(board);
        match self.board {
            // The board is what the moves lead to, and not what the record states.
            Some(_) if written.is_some() => {}
            Some(checkers) => {
                let mut setup = self.setup(checkers, None, None);
                if let Some(note) = ply.note("position") {
                    notes::state(&mut setup, note);
                }
                entry.extra_mut().position_after = Some(Spanned::new(setup, entry.span));
            }
            None => {
                let context = self.here(ply.player, Some(roll));
                self.impossible(entry.span, context);
            }
        }
        self.push(entry);
    }

    fn set(
        &mut self,
        checkers: Option<ByPlayer<[u8; 26]>>,
        turn: Option<Player>,
        cube: Option<Cube>,
        ply: &Ply,
    ) {
        let mut entry = self.entry(ply.player, Action::Set, ply);
        self.board = checkers;
        match checkers {
            Some(checkers) => {
                let mut setup = self.setup(checkers, turn, cube);
                if let Some(note) = ply.note("position") {
                    notes::state(&mut setup, note);
                }
                if let Some(player) = ply.note("by").and_then(notes::player) {
                    entry.player = player;
                }
                entry.extra_mut().position_after = Some(Spanned::new(setup, entry.span));
            }
            None => {
                entry.action = Action::Unreadable;
                entry.extra_mut().unreadable = true;
                let context = self.here(ply.player, None);
                self.impossible(entry.span, context);
            }
        }
        self.push(entry);
    }

    /// A cube set by hand: in the position set just before, or in the same position once more.
    fn cube_set(&mut self, cube: Cube, ply: &Ply) {
        let before = self.last_game().entries.last_mut();
        let position = before
            .filter(|entry| entry.action == Action::Set)
            .and_then(|entry| entry.extra.as_mut()?.position_after.as_mut())
            .filter(|position| position.value.cube.is_none_or(|set| set == cube));
        if let Some(position) = position {
            position.value.cube = Some(cube);
        } else if self.board.is_some() {
            self.set(self.board, None, Some(cube), ply);
        } else {
            let why = format!(
                "the cube is set to {} on a board that is not known",
                cube.value
            );
            self.unreadable(&why, ply);
        }
    }

    fn resign(&mut self, value: Option<u32>, of_match: bool, ply: &Ply) {
        let value = value.filter(|_| ply.note("kind") != Some("unstated"));
        let win = value.and_then(|value| match value {
            1..=3 => Some(Win::ALL[value as usize - 1]),
            _ => None,
        });
        let mut entry = self.entry(ply.player, Action::Resign { win }, ply);
        if let Some(player) = ply.note("by").and_then(notes::player) {
            entry.player = player;
        }
        if let Some(value) = value.filter(|_| win.is_none()) {
            let message = format!("a resignation is worth 1, 2 or 3, not {value}");
            self.odd(
                &syntax::BAD_HEADER,
                &entry,
                message,
                "kept without its value",
            );
        }
        if of_match {
            let context = self.here(ply.player, None);
            let message = "the whole match is resigned";
            let label = "kept as the resignation of the game";
            let finding = Finding::new(&syntax::BAD_HEADER, entry.span, message, label)
                .at_level(Level::Note)
                .within(context);
            self.find(finding);
        }
        self.push(entry);
    }
}

/// The moves of steps, as their player counts; `None`: a step from where the player has no place.
pub(in crate::formats::ogxm) fn moves(player: Player, steps: &[Step]) -> Option<Play> {
    let mut play = Play::EMPTY;
    for step in steps {
        let from = own_place(player, step.from);
        let moved = Move::from_numbers(from, from.saturating_sub(step.pips), false)?;
        if from == 0 || !play.push(moved) {
            return None;
        }
    }
    Some(play)
}
