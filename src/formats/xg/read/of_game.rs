//! Headers and ends of games, and the boards between the actions.

use super::super::records::{Board, Record, end, game, match_end};
use super::{Last, Reader};
use crate::board::{
    ByPlayer, Cube, Player, Position, Setup, Win, is_match_point, played_as_written,
};
use crate::diagnostic::{Finding, Level, syntax};
use crate::record::{Action, Entry, GameRecord, GameResult};
use crate::source::{Span, Spanned};

impl<'a> Reader<'a> {
    pub(super) fn game(&mut self, record: Record<'a>) {
        self.leave_cube();
        let score = record.score(game::SCORE);
        let number = record.i32(game::NUMBER);
        let crawford = record.flag(game::CRAWFORD);
        let shown = score.map_or("?".to_owned(), |score| {
            format!("{}-{}", score.one, score.two)
        });
        let mark = if crawford { " (Crawford)" } else { "" };
        let span = self
            .listing
            .game(&format!("number {number}, score {shown}{mark}"));
        let length = self.record.length.and_then(|length| length.value.points());
        // Where nobody is one point short, there is nothing to be said about the Crawford game.
        let is_short = score
            .zip(length)
            .is_some_and(|(score, length)| length > 1 && is_match_point(score, length));
        let states = crawford || (is_short && length.is_some());
        self.record.games.push(GameRecord {
            heading: span,
            number: u32::try_from(number)
                .ok()
                .map(|number| Spanned::new(number, span)),
            has_score_line: score.is_some(),
            score: score.map(|score| Spanned::new(score, span)),
            crawford: states.then_some(Spanned::new(crawford, span)),
            ..GameRecord::default()
        });
        self.in_game = true;
        self.is_over = false;
        if score.is_none() {
            self.odd("the score before the game is none", "taken as not stated");
        } else if let Some(after) = self
            .score_after
            .take()
            .filter(|after| Some(*after) != score)
        {
            let message = format!(
                "the game before ends at {}-{}, this one starts at {shown}",
                after.one, after.two
            );
            self.odd(&message, "the score at the start counts");
        }
        let doubles = record.i32(game::AUTOMATIC_DOUBLES);
        self.base = match doubles {
            0..=game::MOST_DOUBLES => 1 << doubles,
            _ => {
                self.odd(&format!("{doubles} automatic doubles"), "taken for none");
                1
            }
        };
        let usual = ByPlayer::new(self.variant.start(), self.variant.start());
        self.board = Last::Stated(usual);
        self.starts_usually = true;
        match record.board(game::START, Player::One) {
            None => self.starts_usually = false,
            Some(Board::Checkers(board)) if board == usual => {}
            Some(Board::Checkers(board)) => self.start(board, span),
            Some(Board::Impossible) => {
                let message = "the game starts from a board that is none".to_owned();
                let label = "left out";
                self.find(Finding::new(
                    &syntax::IMPOSSIBLE_POSITION,
                    span,
                    message,
                    label,
                ));
                self.board = Last::Lost;
            }
        }
        let has_start = self
            .record
            .games
            .last()
            .is_some_and(|game| game.start.is_some());
        if self.base > 1 && self.starts_usually && !has_start {
            self.start(usual, span);
        }
        for at in game::COMMENTS {
            if let Some(comment) = self.comment(record, at) {
                let game = self.record.games.last_mut().expect("a game was pushed");
                game.comments.push(Spanned::new(comment, span));
            }
        }
    }

    /// The game starts from another position, or with the cube at another value.
    pub(super) fn start(&mut self, checkers: ByPlayer<[u8; 26]>, span: Span) {
        let cube = Cube {
            value: self.base,
            owner: None,
        };
        let setup = Setup {
            checkers,
            variant: self.variant,
            turn: None,
            roll: None,
            cube: Some(cube),
        };
        self.board = Last::Stated(checkers);
        if let Some(game) = self.record.games.last_mut() {
            game.start = Some(Spanned::new(setup, span));
        }
    }

    /// The first action tells who is on roll in the position from which the game starts, and the cube.
    pub(super) fn start_with(&mut self, player: Player, cube: i32) {
        let cube = self.cube_of(cube);
        let game = self.record.games.last_mut().expect("a game has started");
        if let Some(start) = &mut game.start {
            start.value.turn = Some(player);
            start.value.cube = cube.or(start.value.cube);
        }
    }

    /// The cube with what its field says: an exponent with the sign of the owner.
    pub(super) fn cube_of(&self, field: i32) -> Option<Cube> {
        let exponent = field.unsigned_abs();
        let value = 1u32.checked_shl(exponent).filter(|_| exponent <= 20)?;
        Some(Cube {
            value: value.checked_mul(self.base)?,
            owner: match field.signum() {
                1 => Some(Player::One),
                -1 => Some(Player::Two),
                _ => None,
            },
        })
    }

    /// Compares the board before an action with the one that the file stated last.
    pub(super) fn compare(
        &mut self,
        record: Record<'_>,
        at: usize,
        is_edited: bool,
        player: Player,
        cube: i32,
    ) {
        let Some(Board::Checkers(board)) = record.board(at, Player::One) else {
            return;
        };
        let game = self.record.games.last().expect("a game has started");
        if self.board == Last::Stated(board) {
            let usual = Cube {
                value: self.base,
                owner: None,
            };
            let has_another_cube = self.cube_of(cube).is_some_and(|cube| cube != usual);
            let (is_first, is_set) = (game.entries.is_empty(), game.start.is_some());
            let span = game.heading;
            if is_first && !is_set && has_another_cube {
                self.start(board, span);
            }
            if is_first && (is_set || has_another_cube) {
                self.start_with(player, cube);
            }
            return;
        }
        let is_first = game.entries.is_empty() && game.start.is_none() && !self.starts_usually;
        if is_first {
            let span = game.heading;
            self.start(board, span);
            self.start_with(player, cube);
            return;
        }
        let before = self.board;
        self.board = Last::Stated(board);
        if before == Last::Untold && !is_edited {
            return;
        }
        let (span, row) = self.listing.action(player, &Action::Set);
        let mut entry = Entry::new(player, Action::Set, row, span);
        let setup = Setup {
            checkers: board,
            variant: self.variant,
            turn: Some(player),
            roll: None,
            cube: self.cube_of(cube),
        };
        entry.extra_mut().position_after = Some(Spanned::new(setup, span));
        self.push(entry);
        // If the moves lead here, it is the board after them that is wrong, and the replay says so.
        let is_expected = self.where_played() == Some(board);
        if !is_edited && before != Last::Lost && !is_expected {
            let message = "the board before the action is not the one after the last play";
            let label = "the later one counts";
            let finding = Finding::new(&syntax::BAD_HEADER, span, message.to_owned(), label);
            self.find_here(finding.at_level(Level::Warning));
        }
    }

    /// The board that the moves of the last play lead to, as far as they can be made.
    pub(super) fn where_played(&self) -> Option<ByPlayer<[u8; 26]>> {
        let (before, player, moves) = self.played?;
        let setup = Setup {
            checkers: before,
            variant: self.variant,
            turn: None,
            roll: None,
            cube: None,
        };
        let before = Position::new(&setup).ok()?;
        let after = played_as_written(&before, player, moves.moves()).ok()?;
        let mut sides = ByPlayer::new(*after.side(Player::One), *after.side(Player::Two));
        (sides.one[0], sides.two[0]) = (0, 0);
        Some(sides)
    }

    pub(super) fn game_end(&mut self, record: Record<'_>) {
        if !self.has_game(record) {
            return;
        }
        self.leave_cube();
        let termination = record.i32(end::TERMINATION);
        let (resigned, rest) = match termination {
            0..100 => (false, termination),
            100..200 => (true, termination - 100),
            // A settlement; how much was agreed is what the points say.
            1000.. => (true, termination - 1000),
            _ => (false, -1),
        };
        let win = match rest {
            1 => Some(Win::Single),
            2 => Some(Win::Gammon),
            3 => Some(Win::Backgammon),
            _ => None,
        };
        let winner = record.player(end::WINNER);
        let points = u32::try_from(record.i32(end::POINTS)).ok();
        let points = points.and_then(|points| points.checked_mul(self.base));
        let how = match (resigned, rest, win) {
            (false, 0, _) => "by a pass".to_owned(),
            (false, _, Some(win)) => win.name().to_owned(),
            (true, _, Some(win)) => format!("{}, resigned", win.name()),
            (true, 4, _) => "the match was resigned".to_owned(),
            _ => format!("termination {termination}"),
        };
        let name = winner.map_or("nobody", |winner| self.record.names[winner].as_str());
        let amount = points.map_or("?".to_owned(), |points| points.to_string());
        let said = format!("{name} wins {amount} ({how})");
        let span = self.listing.of_game(&said);
        let game = self.record.games.last_mut().expect("a game has started");
        if self.is_over {
            let message = "a second end of the same game".to_owned();
            let finding = Finding::new(&syntax::UNREADABLE_LINE, span, message, "left out");
            return self.find(finding);
        }
        self.is_over = true;
        let score = record.score(end::SCORE);
        let length = self.record.length.and_then(|length| length.value.points());
        let and_match = winner.is_some_and(|winner| {
            score
                .zip(length)
                .is_some_and(|(score, length)| score[winner] >= length)
        });
        let result = GameResult {
            winner,
            points,
            and_match,
            after: game.entries.len() as u32,
            win,
            resigned,
            ..GameResult::default()
        };
        if winner.is_some() || points.is_some_and(|points| points > 0) {
            game.result = Some(Spanned::new(result, span));
        }
        self.score_after = score;
        let is_known = (0..=3).contains(&rest) || resigned && rest == 4;
        if !is_known {
            let message = format!("an end of a game with the number {termination}");
            let label = "winner and points are kept";
            let finding = Finding::new(&syntax::BAD_HEADER, span, message, label);
            self.find(finding.at_level(Level::Warning));
        }
    }

    pub(super) fn match_end(&mut self, record: Record<'_>) {
        self.leave_cube();
        self.in_game = false;
        let score = record.score(match_end::SCORE);
        if let (Some(score), Some(after)) = (score, self.score_after)
            && score != after
        {
            let message = format!(
                "the match ends at {}-{}, its last game at {}-{}",
                score.one, score.two, after.one, after.two
            );
            self.odd(&message, "neither counts: the score is computed");
        }
    }
}
