//! Records of the cube and of rolls.

use super::super::archive::RECORD;
use super::super::records::{NO_VERDICT, NONE, cube, kind, play};
use super::{Frame, Out, Writer, board, number, owner, pairs, sign, unknown};
use crate::board::{Cube, Length, Play, Player, Setup, can_play};
use crate::formats::CannotWrite;
use crate::formats::carry::{Item, normal};
use crate::record::{Action, Entry, Extra, GameRecord, WrittenPlay, WrittenRoll};
use crate::replay::{GameReplay, Known, ReplayStep, State};

/// The cube before an action, where an offer stands as if it were taken: playing on is a take.
fn taken(step: &ReplayStep) -> Cube {
    match step.before.offer {
        Some(offer) => Cube {
            value: offer.value,
            owner: Some(!offer.doubler),
        },
        None => step.before.cube,
    }
}

impl Writer<'_> {
    /// A cube record before something that a player does, without a double.
    pub(super) fn cube_record(
        &mut self,
        state: &State,
        player: Player,
        frame: &Frame<'_>,
    ) -> Result<Out, CannotWrite> {
        let mut out = Out::new(kind::CUBE);
        out.i32(cube::PLAYER, sign(player));
        out.i32(cube::CUBE, self.exponent(state.cube)?);
        let may = state.cube.may_turn(player) && !frame.summary.crawford;
        out.i32(cube::DOUBLE, if may { 0 } else { -2 });
        cube::ANSWERS.into_iter().for_each(|at| out.i32(at, -1));
        out.board(cube::POSITION, board(&state.position, Player::One));
        out.board(cube::POSITION_ON_ROLL, board(&state.position, player));
        let away = self.away(frame, player);
        out.i32(cube::AWAY[0], away[0]);
        out.i32(cube::AWAY[1], away[1]);
        out.i32(cube::VALUE, number(state.cube.value)?);
        out.i32(cube::OWNER, owner(state.cube, player));
        out.i32(cube::JACOBY, i32::from(self.has_jacoby()));
        out.i16(cube::CRAWFORD, i16::from(frame.summary.crawford));
        out.i16(cube::VERDICT, NO_VERDICT);
        out.f64(cube::ERROR, NONE);
        out.f64(cube::TAKE_ERROR, NONE);
        out.put(cube::DICE, *b"\x0277");
        for at in [
            cube::ROLLOUT,
            cube::ANALYSED,
            cube::REQUESTED,
            cube::COMMENT,
        ] {
            out.i32(at, -1);
        }
        for at in cube::TURN_ERRORS.into_iter().chain(cube::TUTOR_ERRORS) {
            out.f64(at, NONE);
        }
        cube::TUTOR.into_iter().for_each(|at| out.put(at, [0xff]));
        Ok(out)
    }

    pub(super) fn has_jacoby(&self) -> bool {
        let stated = self.record.switch("Jacoby").map(|(on, _)| on);
        self.length == Length::Money && stated == Some(true)
    }

    /// The points that the player and the opponent need; -1 in money play.
    pub(super) fn away(&self, frame: &Frame<'_>, player: Player) -> [i32; 2] {
        let Some(length) = self.length.points() else {
            return [-1, -1];
        };
        [player, !player].map(|player| {
            let before = frame.summary.before[player];
            i32::try_from(length.saturating_sub(before)).unwrap_or(i32::MAX)
        })
    }

    /// Writes an entry and what belongs to it; returns how many entries that were.
    pub(super) fn entry(
        &mut self,
        game: &GameRecord,
        replayed: &GameReplay,
        at: usize,
        entry: &Entry,
        frame: &Frame<'_>,
    ) -> Result<usize, CannotWrite> {
        let Some(step) = replayed.step(at) else {
            return Err(CannotWrite(format!(
                "game {} goes on after its end, which an .xg file cannot say",
                frame.number
            )));
        };
        if step.before.known != Known::Certain && step.before.known != Known::Assumed {
            return Err(unknown(frame, at));
        }
        match entry.action {
            Action::Play { roll, play } => {
                self.play(game, replayed, at, (roll, play), frame)?;
                Ok(1)
            }
            Action::Double { .. } | Action::Beaver { .. } | Action::Raccoon { .. } => {
                self.double(game, replayed, at, frame)
            }
            Action::Set => {
                self.set(game, at, step);
                Ok(1)
            }
            Action::Take | Action::Pass => {
                self.lose(Item::CubeActions, 1);
                Ok(1)
            }
            // Words that were counted as lost already.
            Action::Resign { .. }
            | Action::Accept
            | Action::Reject
            | Action::TimeOut
            | Action::NoRoll => Ok(1),
            Action::Unreadable => Err(CannotWrite(format!(
                "action {} of game {} cannot be read, and an .xg file has no place for that",
                at + 1,
                frame.number
            ))),
        }
    }

    /// A board set by hand is in the records that follow.
    pub(super) fn set(&mut self, game: &GameRecord, at: usize, step: ReplayStep<'_>) {
        let entry = &game.entries[at];
        let extra = entry.extra.as_deref();
        let setup = extra.and_then(|extra| extra.position_after.as_ref());
        let follows = game
            .entries
            .get(at + 1)
            .is_some_and(|next| matches!(next.action, Action::Play { .. } | Action::Double { .. }));
        let cube = setup.and_then(|setup| setup.value.cube);
        let is_kept = cube.is_some_and(|cube| self.holds(cube));
        let has_words = extra.is_some_and(|extra| extra.comment.is_some());
        // Where nothing is set that was not there before, nobody sees that it was.
        let says_nothing = setup.is_some_and(|setup| {
            let Setup { checkers, cube, .. } = &setup.value;
            let stands = |player| checkers[player][1..] == step.before.position.side(player)[1..];
            let is_that = |cube: Cube| cube == taken(&step);
            Player::BOTH.into_iter().all(stands) && cube.is_some_and(is_that)
        });
        self.lose(
            Item::Positions,
            usize::from(!follows || !is_kept || says_nothing),
        );
        self.said = self.said.filter(|_| says_nothing);
        // The doubles that follow start from another value than the record's.
        self.lose(Item::CubeValues, usize::from(cube.is_some() && !is_kept));
        self.lose(Item::Comments, usize::from(has_words));
    }

    pub(super) fn remark(&mut self, out: &mut Out, at: usize, entry: &Entry) {
        let comment = entry
            .extra
            .as_deref()
            .and_then(|extra| extra.comment.as_deref());
        let number = self.comment(comment, Item::Comments);
        out.i32(at, number);
    }

    /// A double with all that answers it; returns how many entries that were.
    pub(super) fn double(
        &mut self,
        game: &GameRecord,
        replayed: &GameReplay,
        at: usize,
        frame: &Frame<'_>,
    ) -> Result<usize, CannotWrite> {
        let entry = &game.entries[at];
        let step = &replayed.step(at).expect("an action with a step");
        let meant = normal::meant(&game.entries, at);
        if let Some(item) = normal::answer(meant) {
            // A turn that answers nothing.
            self.lose(item, 1);
            return Ok(1);
        }
        let player = entry.player;
        // Where what stood between is lost it comes back as an answer to the turn before.
        if let Some(item) = normal::answer(normal::cube_action(self.said, player, meant)) {
            self.lose(item, 1);
        }
        let mut state = *step.before;
        state.cube = taken(step);
        let before = step.after.offer.map(|offer| offer.before);
        if let Some(value) = before.filter(|&value| value != state.cube.value) {
            // Automatic doubles that only this double tells of. The cube may come back as one on which the game starts.
            state.cube.value = value;
            self.lose(Item::StartPositions, usize::from(!self.holds(state.cube)));
        }
        let mut out = self.cube_record(&state, player, frame)?;
        out.i32(cube::DOUBLE, 1);
        self.remark(&mut out, cube::COMMENT, entry);
        self.stated_value(entry, step);
        self.said = Some((player, meant));
        let mut by = !player;
        let mut used = 1;
        for place in cube::ANSWERS {
            let Some(answer) = game.entries.get(at + used).filter(|next| next.player == by) else {
                break;
            };
            let meant = normal::meant(&game.entries, at + used);
            let code = match meant {
                Action::Pass => 0,
                Action::Take => 1,
                Action::Beaver { .. } | Action::Raccoon { .. } if place != cube::ANSWERS[2] => 2,
                _ => break,
            };
            out.i32(place, code);
            let extra = answer.extra.as_deref();
            let has_words = extra.is_some_and(|extra| extra.comment.is_some());
            self.lose(Item::Comments, usize::from(has_words));
            if let Some(step) = replayed.step(at + used) {
                self.stated_value(answer, &step);
            }
            self.said = Some((by, meant));
            used += 1;
            by = !by;
            if code < 2 {
                break;
            }
        }
        self.push(out);
        self.last = Some(player);
        Ok(used)
    }

    /// A value of the cube that does not follow is lost.
    pub(super) fn stated_value(&mut self, entry: &Entry, step: &ReplayStep) {
        let (Action::Double { to, .. } | Action::Beaver { to } | Action::Raccoon { to }) =
            entry.action
        else {
            return;
        };
        let is_odd = to.is_some() && !normal::states_twice(entry, step);
        self.lose(Item::CubeValues, usize::from(is_odd));
    }

    pub(super) fn play(
        &mut self,
        game: &GameRecord,
        replayed: &GameReplay,
        at: usize,
        (roll, written): (WrittenRoll, WrittenPlay),
        frame: &Frame<'_>,
    ) -> Result<(), CannotWrite> {
        let entry = &game.entries[at];
        let step = &replayed.step(at).expect("an action with a step");
        let player = entry.player;
        let before = match step.before.offer {
            // Playing on is a take.
            Some(_) => State {
                cube: step.after.cube,
                ..*step.before
            },
            None => *step.before,
        };
        self.said = None;
        if self.last.take() != Some(player) {
            let mut out = self.cube_record(&before, player, frame)?;
            if at == 0 {
                out.i32(cube::DOUBLE, -2);
            }
            self.push(out);
        }
        // The cube record before says what is rolled.
        let digits = [roll.0, roll.1].map(|digit| b'0' + digit.min(9));
        let text = self.out.len() - RECORD + cube::DICE;
        self.out[text..text + 3].copy_from_slice(&[2, digits[0], digits[1]]);
        let is_last = at + 1 == game.entries.len();
        // The last roll of a game may be without a play, and then it does not matter why.
        let is_given_up = written == WrittenPlay::NotRecorded
            && is_last
            && entry
                .extra
                .as_deref()
                .is_none_or(|extra| extra.position_after.is_none());
        self.lose(Item::UnrecordedPlays, usize::from(is_given_up));
        let declares = |extra: &Extra| extra.declared_illegal;
        let is_declared = entry.extra.as_deref().is_some_and(declares);
        self.lose(
            Item::DeclaredIllegal,
            usize::from(is_given_up && is_declared),
        );
        let is_unknown = step.after.known == Known::Unknown || written == WrittenPlay::NotRecorded;
        if is_unknown && !is_given_up {
            return Err(unknown(frame, at));
        }
        let expanded = normal::as_written_or_expanded(entry, step);
        let moves = match (expanded, written) {
            (Some(moves), _) => moves,
            (None, WrittenPlay::Moves(moves)) => moves,
            _ => Play::EMPTY,
        };
        if moves.moves().len() > 4 || moves.moves().iter().any(|moved| moved.from.number() == 0) {
            return Err(CannotWrite(format!(
                "action {} of game {} has moves that an .xg file cannot hold",
                at + 1,
                frame.number
            )));
        }
        let mut out = Out::new(kind::MOVE);
        out.board(play::POSITION, board(&before.position, Player::One));
        out.i32(play::PLAYER, sign(player));
        let is_move = !moves.moves().is_empty();
        let could_move = roll
            .roll()
            .is_some_and(|roll| can_play(&before.position, player, roll));
        let gave_up = is_given_up || (!is_move && could_move && is_last);
        out.flag(play::PLAYED, !gave_up);
        self.gave_up_after_rolling = gave_up;
        if !gave_up {
            for (slot, number) in pairs(&moves, roll).into_iter().enumerate() {
                out.i32(play::MOVES + 4 * slot, number);
            }
        }
        // A play that is missing says nothing of the board.
        if !gave_up && (is_move || !could_move) {
            let after = board(&step.after.position, player);
            out.board(play::POSITION_AFTER, after);
        }
        self.analysis_frame(&mut out, &before, player, roll, frame)?;
        let extra = entry.extra.as_deref();
        if extra.is_some_and(|extra| extra.declared_illegal) {
            out.i32(play::INVALID, 2);
        }
        let stated = extra.and_then(|extra| extra.position_after.as_ref());
        let says_more = stated.is_some_and(|stated| {
            let Setup {
                turn, roll, cube, ..
            } = stated.value;
            turn.is_some() || roll.is_some() || cube.is_some()
        });
        self.lose(Item::Positions, usize::from(says_more));
        self.remark(&mut out, play::COMMENT, entry);
        self.push(out);
        Ok(())
    }

    /// The parts of a move record in which the program keeps its analysis, with none in them.
    pub(super) fn analysis_frame(
        &mut self,
        out: &mut Out,
        before: &State,
        player: Player,
        roll: WrittenRoll,
        frame: &Frame<'_>,
    ) -> Result<(), CannotWrite> {
        for (die, (at, inner)) in [roll.0, roll.1]
            .into_iter()
            .zip(play::DICE.into_iter().zip(play::ANALYSED_DICE))
        {
            out.i32(at, i32::from(die));
            out.i32(inner, i32::from(die));
        }
        out.i32(play::CUBE, self.exponent(before.cube)?);
        out.board(play::ANALYSED_POSITION, board(&before.position, player));
        out.i32(play::LEVEL, -1);
        let away = self.away(frame, player);
        out.i32(play::AWAY[0], away[0]);
        out.i32(play::AWAY[1], away[1]);
        out.i32(play::VALUE, number(before.cube.value)?);
        out.i32(play::OWNER, owner(before.cube, player));
        out.i32(play::JACOBY, i32::from(self.has_jacoby()));
        out.i32(play::CRAWFORD, i32::from(frame.summary.crawford));
        for at in [
            play::ERROR,
            play::LUCK,
            play::EQUITY_BEFORE,
            play::TUTOR_ERROR,
        ] {
            out.f64(at, NONE);
        }
        (0..32).for_each(|index| out.i32(play::ROLLOUTS + 4 * index, -1));
        for at in [play::ANALYSED, play::LUCK_ANALYSED] {
            out.i32(at, -1);
        }
        out.put(play::TUTOR_MOVE, [0xff]);
        Ok(())
    }
}
