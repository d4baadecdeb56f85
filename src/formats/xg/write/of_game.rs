//! Headers and ends of games and of the match.

use super::super::records::{NONE, cube, end, game, kind, match_end};
use super::{Frame, Out, Writer, exponent, number, sign, unknown};
use crate::board::{ByPlayer, Cube, Length, Player, Setup, Win};
use crate::formats::CannotWrite;
use crate::formats::binary::view_of;
use crate::formats::carry::{Item, normal};
use crate::record::GameRecord;
use crate::replay::{EndedBy, Known, State};

impl Writer<'_> {
    pub(super) fn game(&mut self, index: usize) -> Result<(), CannotWrite> {
        let (record, replay) = (self.record, self.replay);
        let (game, replayed) = (&record.games[index], &replay.games[index]);
        let summary = replay.summary.games.get(index).ok_or_else(|| {
            CannotWrite(format!(
                "game {} comes after the end of the match",
                index + 1
            ))
        })?;
        let frame = Frame {
            summary,
            number: index + 1,
        };
        (self.last, self.said) = (None, None);
        self.gave_up_after_rolling = false;
        self.game_header(game, &frame, &replayed.start)?;
        let mut at = 0;
        while let Some(entry) = game.entries.get(at) {
            at += self.entry(game, replayed, at, entry, &frame)?;
        }
        if game.entries.is_empty() && game.start.as_ref().is_some_and(|s| s.value.turn.is_some()) {
            let turn = game.start.as_ref().and_then(|start| start.value.turn);
            let turn = turn.unwrap_or(Player::One);
            let mut out = self.cube_record(&replayed.start, turn, &frame)?;
            out.i32(cube::DOUBLE, -1);
            self.push(out);
        }
        if let (Some(entry), Some(step)) = (game.entries.last(), replayed.last_step())
            && frame.summary.ended_by == EndedBy::Resignation
            && step.after.known != Known::Unknown
            && !self.gave_up_after_rolling
        {
            // The game stopped before the next roll.
            let mut out = self.cube_record(step.after, !entry.player, &frame)?;
            out.i32(cube::DOUBLE, -1);
            self.push(out);
        }
        self.game_end(game, &frame, index)
    }

    pub(super) fn game_header(
        &mut self,
        game: &GameRecord,
        frame: &Frame<'_>,
        start: &State,
    ) -> Result<(), CannotWrite> {
        if start.known != Known::Certain {
            return Err(unknown(frame, 0));
        }
        let mut out = Out::new(kind::GAME);
        let score = game.score.map_or(frame.summary.before, |score| score.value);
        out.i32(game::SCORE[0], number(score.one)?);
        out.i32(game::SCORE[1], number(score.two)?);
        let stated = game.crawford.map(|crawford| crawford.value);
        out.flag(game::CRAWFORD, stated.unwrap_or(frame.summary.crawford));
        // The file says yes or no where a player is one point short, and nothing elsewhere.
        let is_short = self.is_short(score);
        let is_lost =
            stated.is_none() && frame.number == 1 && is_short || stated == Some(false) && !is_short;
        self.lose(Item::CrawfordGame, usize::from(is_lost));
        let sides = [Player::One, Player::Two].map(|player| *start.position.side(player));
        let checkers = ByPlayer::new(&sides[0], &sides[1]);
        out.board(game::START, view_of(Player::One, checkers));
        let stated = game
            .number
            .map_or(frame.number as u32, |number| number.value);
        out.i32(game::NUMBER, number(stated)?);
        out.flag(game::IN_PROGRESS, game.result.is_none());
        let comments: Vec<&str> = game.comments.iter().map(|c| c.value.as_str()).collect();
        let comment = self.comment(Some(&comments.join("\n")), Item::Comments);
        out.i32(game::COMMENTS[0], comment);
        out.i32(game::COMMENTS[1], -1);
        self.base = 1;
        if let Some(setup) = game.start.as_ref().map(|start| &start.value) {
            self.start(&mut out, setup, game, frame)?;
        }
        self.push(out);
        Ok(())
    }

    pub(super) fn is_short(&self, score: ByPlayer<u32>) -> bool {
        self.length
            .points()
            .is_some_and(|length| length > 1 && crate::board::is_match_point(score, length))
    }

    /// A game that starts with another cube or position.
    pub(super) fn start(
        &mut self,
        out: &mut Out,
        setup: &Setup,
        game: &GameRecord,
        frame: &Frame<'_>,
    ) -> Result<(), CannotWrite> {
        let side = self.variant.start();
        let is_usual = Player::BOTH
            .into_iter()
            .all(|player| setup.checkers[player][1..] == side[1..]);
        let cube = setup.cube.unwrap_or(Cube::START);
        if cube.owner.is_none() {
            // The sign of a cube is that of its owner, so that one in the middle has no value of its own.
            let doubles = exponent(cube.value)?;
            if doubles > game::MOST_DOUBLES {
                return Err(CannotWrite(format!(
                    "game {} starts with the cube at {} in the middle, and an .xg file goes to 1024 there",
                    frame.number, cube.value
                )));
            }
            self.base = cube.value;
            out.i32(game::AUTOMATIC_DOUBLES, doubles);
        }
        if is_usual && cube.owner.is_none() && setup.roll.is_none() {
            if cube.value == 1 {
                self.lose(Item::StartPositions, 1);
            }
            return Ok(());
        }
        let has_turn = setup.turn.is_some() || normal::next_actor(&game.entries).is_some();
        if setup.cube.is_none() || !self.holds(cube) || !has_turn {
            self.lose(Item::StartPositions, 1);
        }
        match setup.roll {
            Some(_) if normal::next_actor(&game.entries).is_none() => Err(CannotWrite(format!(
                "game {} starts with dice that nobody plays, which an .xg file cannot say",
                frame.number
            ))),
            _ => Ok(()),
        }
    }

    /// Whether a cube comes back as it is: in the middle only as the game starts, and owned only above that.
    pub(super) fn holds(&self, cube: Cube) -> bool {
        match cube.owner {
            None => cube.value == self.base,
            Some(_) => cube.value > self.base && cube.value.is_multiple_of(self.base),
        }
    }

    /// The cube as the file counts it: an exponent with the sign of the owner.
    pub(super) fn exponent(&self, cube: Cube) -> Result<i32, CannotWrite> {
        let exponent = exponent(cube.value / self.base.max(1))?;
        Ok(match cube.owner {
            Some(Player::Two) => -exponent,
            _ => exponent,
        })
    }

    pub(super) fn game_end(
        &mut self,
        game: &GameRecord,
        frame: &Frame<'_>,
        index: usize,
    ) -> Result<(), CannotWrite> {
        let Some(result) = game.result.map(|result| result.value) else {
            return Ok(());
        };
        let summary = frame.summary;
        let (Some(winner), Some(points)) = (result.winner, result.points) else {
            self.lose(Item::Results, 1);
            return Ok(());
        };
        let points = match points.checked_rem(self.base) {
            Some(0) => number(points / self.base)?,
            _ => {
                return Err(CannotWrite(format!(
                    "the points of game {} are no multiple of its automatic doubles",
                    frame.number
                )));
            }
        };
        let mut out = Out::new(kind::GAME_END);
        let mut after = summary.before;
        after[winner] = after[winner].saturating_add(result.points.unwrap_or(0));
        let next = self.replay.summary.games.get(index + 1);
        let after = next.map_or(after, |next| next.before);
        out.i32(end::SCORE[0], number(after.one)?);
        out.i32(end::SCORE[1], number(after.two)?);
        out.flag(end::NEXT_CRAWFORD, next.is_some_and(|next| next.crawford));
        out.i32(end::WINNER, sign(winner));
        out.i32(end::POINTS, points);
        let win = result.win.or(summary.win);
        let class = match win {
            Some(Win::Single) => 1,
            Some(Win::Gammon) => 2,
            Some(Win::Backgammon) => 3,
            None => 0,
        };
        let resigned = result.resigned || summary.ended_by == EndedBy::Resignation;
        let termination = match (resigned, class) {
            (true, 0) => 104,
            (true, class) => 100 + class,
            (false, class) => class,
        };
        out.i32(end::TERMINATION, termination);
        // What comes back as the kind of the win.
        let derived = matches!(summary.ended_by, EndedBy::BearOff | EndedBy::Resignation);
        let is_new = result.win.is_none() && win.is_some() && !derived;
        // With another value of the cube the points tell another kind of win.
        let is_new = is_new || self.losses.iter().any(|loss| loss.item == Item::CubeValues);
        self.lose(Item::ResultKinds, usize::from(is_new));
        for at in end::ERRORS {
            out.f64(at, NONE);
        }
        out.i32(end::LEVEL, -1);
        self.push(out);
        Ok(())
    }

    /// The end of a match; a money session has none.
    pub(super) fn match_end(&mut self) -> Result<(), CannotWrite> {
        let summary = &self.replay.summary;
        let Some(winner) = summary.winner.filter(|_| self.length != Length::Money) else {
            return Ok(());
        };
        let last = self.record.games.last();
        let points = last.and_then(|game| game.result).map(|result| result.value);
        let mut score = summary
            .games
            .last()
            .map_or(summary.score, |game| game.before);
        if let Some((by, points)) = points.and_then(|r| Some((r.winner?, r.points?))) {
            score[by] = score[by].saturating_add(points);
        }
        let mut out = Out::new(kind::MATCH_END);
        out.i32(match_end::SCORE[0], number(score.one)?);
        out.i32(match_end::SCORE[1], number(score.two)?);
        out.i32(match_end::WINNER, sign(winner));
        out.f64(match_end::ELO[0], 1600.0);
        out.f64(match_end::ELO[1], 1600.0);
        self.push(out);
        Ok(())
    }
}
