//! From the record of a match to records of eXtreme Gammon. Experimental: nobody has opened the result in the
//! program itself.
//!
//! The program replays the lists of moves and compares; so every record has the boards before and after, the
//! dice, the cube and the points that each side needs, a cube record stands before every roll, and what was
//! not analysed says so in the program's own numbers. A match whose positions are not known throughout cannot
//! be told that way and is refused.

use super::archive::{self, RECORD, put_short, put_wide};
use super::records::{
    KIND, MONEY, NO_VERDICT, NONE, SITES, VARIATIONS, cube, end, game, header, kind, match_end,
    play,
};
use super::{CARRIES, rtf};
use crate::board::{
    ByPlayer, Cube, Length, Move, Place, Play, Player, Position, Setup, Variant, Win, can_play,
};
use crate::formats::binary::view_of;
use crate::formats::carry::{Item, Loss, losses, normal, tag_item};
use crate::formats::date::seconds;
use crate::formats::{CannotWrite, WriteOptions, Written};
use crate::record::{Action, Entry, GameRecord, MatchRecord, Tag, WrittenPlay, WrittenRoll};
use crate::replay::{EndedBy, GameSummary, Known, Replay, ReplayStep, State, rules_for};
use crate::ruleset::RuleOptions;

/// The version that is written: that of the program's own description, with the transcriber.
const VERSION: i32 = 30;

/// A record in the making.
struct Out(Vec<u8>);

impl Out {
    fn new(kind: u8) -> Out {
        let mut out = vec![0u8; RECORD];
        out[KIND] = kind;
        Out(out)
    }

    fn put<const N: usize>(&mut self, at: usize, bytes: [u8; N]) {
        self.0[at..at + N].copy_from_slice(&bytes);
    }

    fn i32(&mut self, at: usize, number: i32) {
        self.put(at, number.to_le_bytes());
    }

    fn i16(&mut self, at: usize, number: i16) {
        self.put(at, number.to_le_bytes());
    }

    fn f64(&mut self, at: usize, number: f64) {
        self.put(at, number.to_le_bytes());
    }

    fn flag(&mut self, at: usize, is_set: bool) {
        self.0[at] = u8::from(is_set);
    }

    fn board(&mut self, at: usize, numbers: [i8; 26]) {
        self.put(at, numbers.map(|number| number as u8));
    }
}

pub(super) fn write(
    record: &MatchRecord,
    replay: &Replay,
    options: &WriteOptions,
) -> Result<Written, CannotWrite> {
    let refuse = |why: &str| Err(CannotWrite(why.to_owned()));
    if options.before > 0 {
        return refuse("an .xg file holds one match");
    }
    if record.games.is_empty() {
        return refuse("an .xg file needs at least one game");
    }
    let Some(length) = record.length.map(|length| length.value) else {
        return refuse("the length of the match is not stated, and an .xg file needs one");
    };
    let variant = rules_for(record, &RuleOptions::default()).variant.value;
    let mut writer = Writer {
        record,
        replay,
        length,
        variant,
        out: Vec::new(),
        comments: Vec::new(),
        losses: losses(record, CARRIES),
        base: 1,
        last: None,
        gave_up_after_rolling: false,
    };
    writer.header()?;
    for index in 0..record.games.len() {
        writer.game(index)?;
    }
    writer.match_end()?;
    Ok(writer.pack())
}

struct Writer<'a> {
    record: &'a MatchRecord,
    replay: &'a Replay,
    length: Length,
    variant: Variant,
    out: Vec<u8>,
    comments: Vec<u8>,
    losses: Vec<Loss>,
    /// The cube at the start of the game: automatic doubles make it more than 1.
    base: u32,
    /// The player of the cube record that was written last, if no roll has followed it.
    last: Option<Player>,
    /// The last roll of the game has no play.
    gave_up_after_rolling: bool,
}

/// What goes into the records of one game from its heading.
struct Frame<'a> {
    summary: &'a GameSummary,
    number: usize,
}

impl Writer<'_> {
    fn lose(&mut self, item: Item, times: usize) {
        let times = u32::try_from(times).unwrap_or(u32::MAX);
        match self.losses.iter_mut().find(|loss| loss.item == item) {
            Some(loss) => loss.times = loss.times.saturating_add(times),
            None if times > 0 => self.losses.push(Loss { item, times }),
            None => {}
        }
    }

    fn push(&mut self, out: Out) {
        self.out.extend(out.0);
    }

    /// The number of a comment that comes back as it is; -1 if there is none.
    fn comment(&mut self, text: Option<&str>, item: Item) -> i32 {
        let Some(text) = text.filter(|text| !text.is_empty()) else {
            return -1;
        };
        let document = rtf::document(text);
        if rtf::text(&document) != text {
            self.lose(item, 1);
        }
        let number = self.comments.iter().filter(|&&byte| byte == b'\n').count();
        self.comments.extend(document);
        self.comments.extend(b"\r\n");
        i32::try_from(number).unwrap_or(-1)
    }

    /// A text in UTF-16 and in Windows-1252; false if it does not fit.
    fn text(&self, out: &mut Out, wide: usize, short: Option<(usize, usize)>, text: &str) -> bool {
        put_wide(&mut out.0[wide..wide + 258], text);
        if let Some((at, room)) = short {
            put_short(&mut out.0[at..at + room], text);
        }
        text.encode_utf16().count() <= 128 && !text.contains('\0') && text == text.trim_end()
    }

    fn header(&mut self) -> Result<(), CannotWrite> {
        let record = self.record;
        let mut out = Out::new(kind::MATCH);
        let length = match self.length {
            Length::Money => MONEY,
            Length::Points(points) => number(points)?,
        };
        if self.length != Length::Money && length >= MONEY {
            return Err(CannotWrite(
                "the match is too long for an .xg file".to_owned(),
            ));
        }
        out.i32(header::LENGTH, length);
        let variation = VARIATIONS
            .iter()
            .position(|variant| *variant == self.variant);
        out.i32(header::VARIATION, variation.unwrap_or(0) as i32);
        for (side, player) in [0, 1].into_iter().zip(Player::BOTH) {
            let name = &record.names[player];
            let short = Some((header::SHORT_NAMES[side], 41));
            if !self.text(&mut out, header::NAMES[side], short, name) {
                self.lose(Item::Names, 1);
            }
            let rating = record.ratings[player].as_deref();
            let kept = rating.and_then(elo);
            let is_lost = rating.is_some() && kept.is_none();
            self.lose(Item::Ratings, usize::from(is_lost));
            let (elo, experience) = kept.unwrap_or((1600.0, 0));
            out.f64(header::ELO[side], elo);
            out.i32(header::EXPERIENCE[side], experience);
            out.i32(header::PROGRAM_LEVEL[side], -1);
        }
        let games = record.games.iter();
        let names = games.flat_map(|game| game.names.as_ref().into_array());
        self.lose(Item::Names, names.filter(|name| name.is_some()).count());
        self.event(&mut out);
        self.rules(&mut out);
        out.i32(header::INVERT, 1);
        out.i32(header::VERSION, VERSION);
        out.put(header::MAGIC, *b"DMLI");
        out.flag(header::TRANSCRIBED, true);
        let comments: Vec<&str> = record.comments.iter().map(|c| c.value.as_str()).collect();
        let comment = self.comment(Some(&comments.join("\n")), Item::MatchComments);
        out.i32(header::COMMENTS[0], comment);
        out.i32(header::COMMENTS[1], -1);
        self.push(out);
        Ok(())
    }

    /// Tags that have a field; others are lost.
    fn event(&mut self, out: &mut Out) {
        let record = self.record;
        let mut taken: Vec<&Tag> = Vec::new();
        for (name, wide, short) in [
            ("Event", header::EVENT, Some((header::SHORT_EVENT, 129))),
            ("Round", header::ROUND, Some((header::SHORT_ROUND, 129))),
            ("Site", header::PLACE, Some((header::SHORT_PLACE, 129))),
            ("Transcriber", header::TRANSCRIBER, None),
        ] {
            if let Some(tag) = record.tag(name)
                && self.text(out, wide, short, &tag.value)
            {
                taken.push(tag);
            }
        }
        let (date, time) = (record.tag("EventDate"), record.tag("EventTime"));
        let second = date.and_then(|date| {
            let of_day = time.map_or("00:00:00".to_owned(), |time| normal::timed(&time.value));
            seconds(&normal::dotted(&date.value), &of_day)
        });
        if let Some(second) = second {
            out.f64(header::DATE, second as f64 / 86_400.0 + 25_569.0);
            taken.extend(date);
            taken.extend(time);
        }
        out.i32(header::SITE, -1);
        let server = record.tag("Server");
        let site = server.and_then(|tag| SITES.iter().position(|site| *site == tag.value));
        if let Some(site) = site {
            out.i32(header::SITE, site as i32);
            taken.extend(server);
        }
        let id = record.tag("Match ID");
        let number: Option<i32> = id.and_then(|tag| tag.value.parse().ok());
        if let Some(number) = number.filter(|&number| number != 0) {
            out.i32(header::GAME_ID, number);
            taken.extend(id.filter(|tag| tag.value == number.to_string()));
        }
        for item in [Item::Event, Item::OtherTags] {
            let is_left = |tag: &&Tag| {
                let is_taken = taken.iter().any(|taken| std::ptr::eq(*taken, *tag));
                tag_item(&tag.name) == item && !is_taken && !tag.value.trim().is_empty()
            };
            let left = record.tags.iter().filter(is_left).count();
            self.lose(item, left);
        }
    }

    fn rules(&mut self, out: &mut Out) {
        let record = self.record;
        let on = |name: &str| record.switch(name).map(|(on, _)| on);
        let is_money = self.length == Length::Money;
        let limit = record.tag("CubeLimit").map(|tag| tag.value.trim());
        let exponent = limit
            .and_then(|limit| limit.parse().ok())
            .and_then(Cube::exponent)
            .filter(|&exponent| exponent <= 20);
        let (crawford, jacoby, beavers) = (on("Crawford"), on("Jacoby"), on("Beaver"));
        out.flag(header::CRAWFORD, crawford != Some(false));
        out.flag(header::JACOBY, jacoby == Some(true));
        out.flag(header::BEAVERS, beavers == Some(true));
        out.i32(header::CUBE_LIMIT, exponent.unwrap_or(10) as i32);
        // What the file says of the rules when it is read again.
        let mut said = Vec::new();
        if is_money {
            said.push(("Jacoby", jacoby == Some(true)));
            said.push(("Beaver", beavers == Some(true)));
        } else {
            said.push(("Crawford", crawford != Some(false)));
        }
        let is_said = |tag: &&Tag| {
            let name = tag.name.as_str();
            let value = record
                .switch(name)
                .filter(|(_, first)| std::ptr::eq(*first, *tag));
            let word = |on: bool| if on { "On" } else { "Off" };
            said.iter().any(|&(other, on)| {
                name.eq_ignore_ascii_case(other)
                    && value.is_some_and(|(set, _)| set == on && tag.value == word(on))
            }) || (name.eq_ignore_ascii_case("CubeLimit")
                && exponent.is_some_and(|exponent| tag.value == (1u32 << exponent).to_string()))
                || name.eq_ignore_ascii_case("Variation")
        };
        let tags = record.tags.iter();
        let rule_tags = tags.filter(|tag| tag_item(&tag.name) == Item::RuleTags);
        let unsaid = rule_tags.filter(|tag| !is_said(tag)).count();
        // Money play without a word on these rules comes back with one.
        let unasked = is_money && (jacoby.is_none() || beavers.is_none());
        self.lose(Item::RuleTags, unsaid + usize::from(unasked));
    }

    fn game(&mut self, index: usize) -> Result<(), CannotWrite> {
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
        self.last = None;
        self.gave_up_after_rolling = false;
        self.game_header(game, &frame, &replayed.start)?;
        let mut at = 0;
        while let Some(entry) = game.entries.get(at) {
            at += self.entry(game, &replayed.steps, at, entry, &frame)?;
        }
        if game.entries.is_empty() && game.start.as_ref().is_some_and(|s| s.value.turn.is_some()) {
            let turn = game.start.as_ref().and_then(|start| start.value.turn);
            let turn = turn.unwrap_or(Player::One);
            let mut out = self.cube_record(&replayed.start, turn, &frame)?;
            out.i32(cube::DOUBLE, -1);
            self.push(out);
        }
        if let (Some(entry), Some(step)) = (game.entries.last(), replayed.steps.last())
            && frame.summary.ended_by == EndedBy::Resignation
            && step.after.known != Known::Unknown
            && !self.gave_up_after_rolling
        {
            // The game stopped before the next roll.
            let mut out = self.cube_record(&step.after, !entry.player, &frame)?;
            out.i32(cube::DOUBLE, -1);
            self.push(out);
        }
        self.game_end(game, &frame, index)
    }

    fn game_header(
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

    fn is_short(&self, score: ByPlayer<u32>) -> bool {
        self.length
            .points()
            .is_some_and(|length| length > 1 && crate::board::is_match_point(score, length))
    }

    /// A game that starts with another cube or position.
    fn start(
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
        if is_usual && cube.owner.is_none() && setup.roll.is_none() {
            if cube.value == 1 {
                self.lose(Item::StartPositions, 1);
            }
            self.base = cube.value;
            out.i32(game::AUTOMATIC_DOUBLES, exponent(cube.value)?);
            return Ok(());
        }
        let has_turn = setup.turn.is_some() || normal::next_actor(&game.entries).is_some();
        if setup.cube.is_none() || !has_turn {
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

    /// The cube as the file counts it: an exponent with the sign of the owner.
    fn exponent(&self, cube: Cube) -> Result<i32, CannotWrite> {
        let exponent = exponent(cube.value / self.base.max(1))?;
        Ok(match cube.owner {
            Some(Player::Two) => -exponent,
            _ => exponent,
        })
    }

    /// A cube record before something that a player does, without a double.
    fn cube_record(
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

    fn has_jacoby(&self) -> bool {
        let stated = self.record.switch("Jacoby").map(|(on, _)| on);
        self.length == Length::Money && stated == Some(true)
    }

    /// The points that the player and the opponent need; -1 in money play.
    fn away(&self, frame: &Frame<'_>, player: Player) -> [i32; 2] {
        let Some(length) = self.length.points() else {
            return [-1, -1];
        };
        [player, !player].map(|player| {
            let before = frame.summary.before[player];
            i32::try_from(length.saturating_sub(before)).unwrap_or(i32::MAX)
        })
    }

    /// Writes an entry and what belongs to it; returns how many entries that were.
    fn entry(
        &mut self,
        game: &GameRecord,
        steps: &[ReplayStep],
        at: usize,
        entry: &Entry,
        frame: &Frame<'_>,
    ) -> Result<usize, CannotWrite> {
        let Some(step) = steps.get(at) else {
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
                self.play(game, steps, at, (roll, play), frame)?;
                Ok(1)
            }
            Action::Double { .. } | Action::Beaver { .. } | Action::Raccoon { .. } => {
                self.double(game, steps, at, frame)
            }
            Action::Set => {
                self.set(game, at, entry);
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
    fn set(&mut self, game: &GameRecord, at: usize, entry: &Entry) {
        let extra = entry.extra.as_deref();
        let setup = extra.and_then(|extra| extra.position_after.as_ref());
        let follows = game
            .entries
            .get(at + 1)
            .is_some_and(|next| matches!(next.action, Action::Play { .. } | Action::Double { .. }));
        let is_kept = setup.is_some_and(|setup| setup.value.cube.is_some());
        let has_words = extra.is_some_and(|extra| extra.comment.is_some());
        self.lose(Item::Positions, usize::from(!follows || !is_kept));
        self.lose(Item::Comments, usize::from(has_words));
    }

    fn remark(&mut self, out: &mut Out, at: usize, entry: &Entry) {
        let comment = entry
            .extra
            .as_deref()
            .and_then(|extra| extra.comment.as_deref());
        let number = self.comment(comment, Item::Comments);
        out.i32(at, number);
    }

    /// A double with all that answers it; returns how many entries that were.
    fn double(
        &mut self,
        game: &GameRecord,
        steps: &[ReplayStep],
        at: usize,
        frame: &Frame<'_>,
    ) -> Result<usize, CannotWrite> {
        let (entry, step) = (&game.entries[at], &steps[at]);
        let meant = normal::cube_action(&game.entries[..at], entry);
        if !matches!(meant, Action::Double { .. }) {
            // A turn that answers nothing.
            let item = match meant {
                Action::Beaver { .. } => Item::Beavers,
                _ => Item::Raccoons,
            };
            self.lose(item, 1);
            return Ok(1);
        }
        let player = entry.player;
        let mut state = step.before;
        // Automatic doubles that only this double tells of.
        state.cube.value = step
            .after
            .offer
            .map_or(state.cube.value, |offer| offer.before);
        let mut out = self.cube_record(&state, player, frame)?;
        out.i32(cube::DOUBLE, 1);
        self.remark(&mut out, cube::COMMENT, entry);
        self.stated_value(entry, step);
        let mut by = !player;
        let mut used = 1;
        for place in cube::ANSWERS {
            let Some(answer) = game.entries.get(at + used).filter(|next| next.player == by) else {
                break;
            };
            let meant = normal::cube_action(&game.entries[..at + used], answer);
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
            if let Some(step) = steps.get(at + used) {
                self.stated_value(answer, step);
            }
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
    fn stated_value(&mut self, entry: &Entry, step: &ReplayStep) {
        let (Action::Double { to, .. } | Action::Beaver { to } | Action::Raccoon { to }) =
            entry.action
        else {
            return;
        };
        let is_odd = to.is_some() && !normal::states_twice(entry, step);
        self.lose(Item::CubeValues, usize::from(is_odd));
    }

    fn play(
        &mut self,
        game: &GameRecord,
        steps: &[ReplayStep],
        at: usize,
        (roll, written): (WrittenRoll, WrittenPlay),
        frame: &Frame<'_>,
    ) -> Result<(), CannotWrite> {
        let (entry, step) = (&game.entries[at], &steps[at]);
        let player = entry.player;
        let before = match step.before.offer {
            // Playing on is a take.
            Some(_) => State {
                cube: step.after.cube,
                ..step.before
            },
            None => step.before,
        };
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
        if step.after.known == Known::Unknown || written == WrittenPlay::NotRecorded {
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
        let gave_up = !is_move && could_move && at + 1 == game.entries.len();
        out.flag(play::PLAYED, !gave_up);
        self.gave_up_after_rolling = gave_up;
        if !gave_up {
            for (slot, number) in pairs(&moves, roll).into_iter().enumerate() {
                out.i32(play::MOVES + 4 * slot, number);
            }
        }
        // A play that is missing says nothing of the board.
        if is_move || !could_move {
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
    fn analysis_frame(
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

    fn game_end(
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
    fn match_end(&mut self) -> Result<(), CannotWrite> {
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

    fn pack(mut self) -> Written {
        let ends = [&self.out[..RECORD], &self.out[self.out.len() - RECORD..]].concat();
        let mut files: Vec<(&str, &[u8])> =
            vec![("temp.xg", &self.out), ("temp.xgi", ends.as_slice())];
        if !self.comments.is_empty() {
            files.push(("temp.xgc", &self.comments));
        }
        let names = &self.record.names;
        let length = match self.length {
            Length::Money => "money session".to_owned(),
            Length::Points(points) => format!("{points} point match"),
        };
        let title = format!("{} vs. {}, {length}", names.one, names.two);
        self.losses.sort_by_key(|loss| loss.item);
        Written {
            bytes: archive::pack(&title, &files),
            losses: self.losses,
        }
    }
}

/// From and to of up to four moves, each one less than the own number; a checker that is borne off with a
/// larger die goes as far as the die.
fn pairs(moves: &Play, roll: WrittenRoll) -> [i32; 8] {
    let mut dice = match roll.0 == roll.1 {
        true => vec![i32::from(roll.0); 4],
        false => vec![i32::from(roll.0), i32::from(roll.1)],
    };
    let length = |moved: &Move| i32::from(moved.from.number()) - i32::from(moved.to.number());
    for moved in moves.moves() {
        if let Some(at) = dice.iter().position(|&die| die == length(moved)) {
            dice.remove(at);
        }
    }
    let exact = [i32::from(roll.0), i32::from(roll.1)];
    let mut pairs = [-1; 8];
    for (moved, pair) in moves.moves().iter().zip(pairs.chunks_exact_mut(2)) {
        pair[0] = i32::from(moved.from.number()) - 1;
        pair[1] = i32::from(moved.to.number()) - 1;
        if moved.to == Place::OFF && !exact.contains(&length(moved)) {
            let larger = dice.iter().position(|&die| die > length(moved));
            if let Some(at) = larger {
                pair[1] = pair[0] - dice.remove(at);
            }
        }
    }
    pairs
}

fn unknown(frame: &Frame<'_>, at: usize) -> CannotWrite {
    CannotWrite(format!(
        "the position is not known at action {} of game {}, and an .xg file states every position",
        at + 1,
        frame.number
    ))
}

fn number(value: u32) -> Result<i32, CannotWrite> {
    i32::try_from(value).map_err(|_| CannotWrite(format!("{value} is too large for an .xg file")))
}

fn exponent(value: u32) -> Result<i32, CannotWrite> {
    let exponent = Cube::exponent(value).filter(|&exponent| exponent <= 20);
    exponent.map(|exponent| exponent as i32).ok_or_else(|| {
        CannotWrite(format!(
            "the cube goes to {value}, and an .xg file knows powers of two only"
        ))
    })
}

fn sign(player: Player) -> i32 {
    match player {
        Player::One => 1,
        Player::Two => -1,
    }
}

fn owner(cube: Cube, player: Player) -> i32 {
    match cube.owner {
        None => 0,
        Some(owner) if owner == player => 1,
        Some(_) => -1,
    }
}

fn board(position: &Position, viewer: Player) -> [i8; 26] {
    let sides = [Player::One, Player::Two].map(|player| *position.side(player));
    view_of(viewer, ByPlayer::new(&sides[0], &sides[1]))
}

/// `1612.50/120`: a rating and the experience, if that is how it comes back.
fn elo(text: &str) -> Option<(f64, i32)> {
    let (elo, experience) = text.split_once('/')?;
    let (elo, experience) = (elo.parse::<f64>().ok()?, experience.parse::<i32>().ok()?);
    let is_usual = elo == 1600.0 && experience == 0;
    let comes_back = format!("{elo:.2}/{experience}") == text;
    let in_range = elo.abs() < 100_000.0 && elo != 0.0;
    (comes_back && in_range && !is_usual).then_some((elo, experience))
}
