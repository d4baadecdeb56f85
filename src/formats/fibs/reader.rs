//! The loop over the lines of a session.

use super::board;
use super::event::{Event, dice_set, event, play};
use crate::board::{
    ByPlayer, Cube, Length, Player, Plays, Position, Roll, Setup, Variant, legal_plays,
};
use crate::diagnostic::{Context, Finding, Findings};
use crate::formats::ids::record::{beyond, findings, record, setup};
use crate::formats::ids::{self, IdState, Kind, Pending};
use crate::formats::text::{encoding_guessed, trimmed};
use crate::formats::{NotThisFormat, Sink};
use crate::record::{Action, Entry, GameRecord, GameResult, MatchRecord, WrittenPlay, WrittenRoll};
use crate::source::{Source, Span, Spanned, lines};

/// What the last board and the events since then tell.
#[derive(Debug, Clone)]
struct Now {
    setup: Setup,
    /// Dice that were not played yet, whose, and where they are told.
    roll: Option<(Player, Roll, Span)>,
    /// Whose points ascend in the numbers of the server.
    ascends: ByPlayer<bool>,
    /// How many plays were told since the board.
    told: u32,
}

pub(super) struct Reader<'s, 'o, 'b> {
    source: &'s Source,
    sink: &'o mut Sink<'b>,
    findings: Findings,
    record: MatchRecord,
    number: u32,
    /// The length as the first board of the match has it.
    stated_length: Option<Length>,
    now: Option<Now>,
    any: bool,
    plays: Plays,
}

impl<'s, 'o, 'b> Reader<'s, 'o, 'b> {
    pub(super) fn new(source: &'s Source, sink: &'o mut Sink<'b>) -> Reader<'s, 'o, 'b> {
        Reader {
            source,
            sink,
            findings: Findings::default(),
            record: MatchRecord::default(),
            number: 1,
            stated_length: None,
            now: None,
            any: false,
            plays: Plays::new(),
        }
    }

    pub(super) fn read(mut self) -> Result<(), NotThisFormat> {
        if let Some(finding) = encoding_guessed(self.source) {
            self.findings.push(finding);
        }
        for line in lines(self.source.text()) {
            let (text, span) = trimmed(line);
            match board(text) {
                Some(board) => self.board(board, self.source.span(board)),
                None => self.words(text, span),
            }
        }
        if !self.any {
            return Err(NotThisFormat("no line with a FIBS board".to_owned()));
        }
        self.end_match();
        Ok(())
    }

    fn board(&mut self, text: &str, span: Span) {
        self.any = true;
        let decoded = ids::decode_as(Kind::Fibs, text);
        let faults = decoded
            .as_ref()
            .map_or_else(|faults| faults, |id| &id.faults);
        for finding in findings(faults, text, span.start) {
            self.report(finding);
        }
        let Ok(decoded) = decoded else {
            // What comes next cannot be compared with this board.
            self.now = self.now.take().map(|now| Now { roll: None, ..now });
            return;
        };
        let ascends = text
            .split(':')
            .nth(42)
            .is_some_and(|field| field.trim() == "1");
        let ascends = ByPlayer::new(ascends, !ascends);
        let (mut state, ascends) = match self.is_turned(&decoded.state) {
            true => (turned(decoded.state), ascends.swapped()),
            false => (decoded.state, ascends),
        };
        if let Some(doubler) = self.doubler().filter(|_| state.pending.is_some()) {
            // Programs differ in how the board says who doubled; the words before it are plain.
            state.turn = Some(doubler);
        }
        let Some(setup) = setup(&state) else { return };
        let game = self.record.games.last();
        let is_over = game.is_some_and(|game| {
            game.result.is_some() && game.score.map(|score| score.value) == state.score
        });
        if is_over && !is_start(&setup) && self.is_same_match(&state) {
            // The board behind the end of a game.
            return;
        }
        if !self.is_same_match(&state) {
            self.end_match();
        }
        if self.is_same_game(&state, &setup) {
            self.follow(&state, setup, ascends, span);
        } else {
            self.start(&state, setup, ascends, span);
        }
    }

    /// Who has doubled last, if nobody has answered.
    fn doubler(&self) -> Option<Player> {
        let last = self.record.games.last()?.entries.last()?;
        matches!(last.action, Action::Double { .. }).then_some(last.player)
    }

    /// Whether the board names the players of the match the other way round.
    fn is_turned(&self, state: &IdState) -> bool {
        let known = &self.record.names;
        let names = state.names.as_ref();
        names.is_some_and(|names| {
            names.one != names.two && names.one == known.two && names.two == known.one
        })
    }

    fn is_same_match(&self, state: &IdState) -> bool {
        self.now.is_none()
            || state.names.as_ref() == Some(&self.record.names)
                && state.length == self.stated_length
    }

    fn is_same_game(&self, state: &IdState, setup: &Setup) -> bool {
        let (Some(now), Some(game)) = (&self.now, self.record.games.last()) else {
            return false;
        };
        let anew = is_start(setup) && !is_start(&now.setup) && setup.cube == Some(Cube::START);
        let same_score = game
            .score
            .is_none_or(|score| Some(score.value) == state.score);
        game.result.is_none() && same_score && !anew
    }

    fn start(&mut self, state: &IdState, setup: Setup, ascends: ByPlayer<bool>, span: Span) {
        self.end_game();
        let mut first = record(state, span);
        let mut game = first.games.pop().unwrap_or_default();
        if self.record.games.is_empty() {
            self.record = first;
            self.stated_length = state.length;
            if let Some(finding) = beyond(state, span) {
                self.report(finding);
            }
        } else {
            // Whether a later game is the Crawford game follows from the ones before.
            game.crawford = None;
        }
        self.record.games.push(game);
        let roll = setup.turn.zip(setup.roll);
        self.now = Some(Now {
            roll: roll.map(|(player, roll)| (player, roll, span)),
            setup,
            ascends,
            told: 0,
        });
    }

    /// A further board of the game.
    fn follow(&mut self, state: &IdState, setup: Setup, ascends: ByPlayer<bool>, span: Span) {
        let Some(now) = self.now.take() else { return };
        let passed = setup.turn != now.setup.turn;
        let moved = setup.checkers != now.setup.checkers;
        if now.told == 0 {
            self.cube(&now.setup, &setup, span);
        }
        let last = self.game().entries.last();
        let last_player = last
            .filter(|entry| matches!(entry.action, Action::Play { .. }))
            .map(|entry| entry.player);
        if now.told > 0 {
            if last_player.is_some() && setup.turn != last_player {
                self.state_after(&setup, span);
            } else {
                self.set(&setup, span);
            }
        } else if passed {
            if !self.reconstruct(&now, &setup, span) {
                self.set(&setup, span);
            }
        } else if moved {
            self.set(&setup, span);
        } else if state.pending == Some(Pending::Double)
            && let Some(doubler) = state.turn
        {
            self.double(doubler, span);
        }
        let told = setup.turn.zip(setup.roll);
        let told = told.map(|(player, roll)| (player, roll, span));
        let kept = now
            .roll
            .filter(|(player, ..)| Some(*player) == setup.turn && !passed);
        self.now = Some(Now {
            roll: told.or(kept),
            setup,
            ascends,
            told: 0,
        });
    }

    /// A double and its answer that only the cube tells.
    fn cube(&mut self, before: &Setup, after: &Setup, span: Span) {
        let (Some(old), Some(new)) = (before.cube, after.cube) else {
            return;
        };
        let Some(taker) = new
            .owner
            .filter(|_| old.value.checked_mul(2) == Some(new.value))
        else {
            return;
        };
        self.double(!taker, span);
        self.push(taker, Action::Take, span);
    }

    fn double(&mut self, player: Player, span: Span) {
        let last = self.game().entries.last();
        let told = last.is_some_and(|last| matches!(last.action, Action::Double { .. }));
        if !told {
            let to = None;
            let after_roll = None;
            self.push(player, Action::Double { to, after_roll }, span);
        }
    }

    /// The last play has led to this board.
    fn state_after(&mut self, setup: &Setup, span: Span) {
        let is_over = setup.faults().iter().any(|fault| fault.is_game_over());
        let setup = Setup {
            roll: None,
            ..setup.clone()
        };
        if let Some(last) = self.game().entries.last_mut().filter(|_| !is_over) {
            last.extra_mut().position_after = Some(Spanned::new(setup, span));
        }
    }

    /// The board is taken as it stands.
    fn set(&mut self, setup: &Setup, span: Span) {
        let player = setup.turn.unwrap_or(Player::One);
        let mut entry = Entry::new(player, Action::Set, 0, span);
        let setup = Setup {
            roll: None,
            ..setup.clone()
        };
        entry.extra_mut().position_after = Some(Spanned::new(setup, span));
        self.game().entries.push(entry);
    }

    /// Finds the play between two boards. False: no legal play of known dice leads from one to the other.
    fn reconstruct(&mut self, now: &Now, setup: &Setup, span: Span) -> bool {
        let Some((player, roll, _)) = now.roll.filter(|(p, ..)| Some(*p) == now.setup.turn) else {
            return false;
        };
        let position = |setup: &Setup| Position::new(setup).ok();
        let (Some(before), Some(after)) = (position(&now.setup), position(setup)) else {
            return false;
        };
        legal_plays(&before, player, roll, &mut self.plays);
        let play = match self.plays.leading_to(&after) {
            Some(play) => WrittenPlay::Moves(*play),
            None if self.plays.is_empty() && before == after => WrittenPlay::CannotMove,
            None => return false,
        };
        let action = Action::Play {
            roll: written(roll),
            play,
        };
        self.push(player, action, span);
        self.state_after(setup, span);
        true
    }

    /// A line that is no board.
    fn words(&mut self, text: &str, span: Span) {
        let text = match text.split_once(' ') {
            Some((word, rest)) if word.starts_with("FIBS_") && word.ends_with(':') => rest.trim(),
            _ => text.trim_start_matches(['*', ' ']),
        };
        let Some(now) = &mut self.now else { return };
        if let Ok((_, roll)) = dice_set(text) {
            now.roll = now.setup.turn.map(|player| (player, roll, span));
            return;
        }
        if text.starts_with("BAR:") {
            return self.drawing(text, span);
        }
        let names = &self.record.names;
        let said = Player::BOTH.into_iter().find_map(|player| {
            let words = text.strip_prefix(names[player].as_str())?;
            Some((player, event(words.strip_prefix(' ')?)?))
        });
        if let Some((player, event)) = said {
            self.event(player, event, span);
        }
    }

    /// The line under a drawn board, which may tell the roll where the board itself was not logged:
    /// `BAR: O-0 X-0   OFF: O-0 X-0   Cube: 1  Ann rolled 4 1.`
    fn drawing(&mut self, text: &str, span: Span) {
        let Some(now) = &mut self.now else { return };
        let names = &self.record.names;
        let Some(player) = now.setup.turn else { return };
        let rolled = text
            .split_once(&format!(" {} rolled ", names[player]))
            .and_then(|(_, dice)| event(&format!("rolled {dice}")));
        if let Some(Event::Rolls(roll)) = rolled {
            now.roll.get_or_insert((player, roll, span));
        }
    }

    fn event(&mut self, player: Player, event: Event, span: Span) {
        let is_over = self.game().result.is_some();
        match event {
            Event::Wins { points } => self.result(player, points, false, span),
            _ if is_over => {}
            Event::Rolls(roll) => {
                if let Some(now) = &mut self.now {
                    now.roll = Some((player, roll, span));
                }
            }
            Event::Moves(steps) => {
                let ascends = self.now.as_ref().is_some_and(|now| now.ascends[player]);
                match play(&steps, ascends) {
                    Some(play) => self.told(player, WrittenPlay::Moves(play), span),
                    None => self.told(player, WrittenPlay::NotRecorded, span),
                }
            }
            Event::CannotMove => self.told(player, WrittenPlay::CannotMove, span),
            Event::Doubles => self.double(player, span),
            Event::Takes => {
                self.push(player, Action::Take, span);
                self.turn_cube(player);
            }
            Event::Passes { points } => {
                self.push(player, Action::Pass, span);
                if let Some(points) = points {
                    self.result(!player, Some(points), false, span);
                }
            }
            Event::Resigns => {
                self.unplayed();
                self.push(player, Action::Resign { win: None }, span);
            }
            Event::Accepts { points } => {
                self.unplayed();
                if self.has_resigned(!player) {
                    self.push(player, Action::Accept, span);
                }
                self.result(player, points, true, span);
            }
            Event::Rejects => {
                if self.has_resigned(!player) {
                    self.push(player, Action::Reject, span);
                }
            }
        }
    }

    fn has_resigned(&mut self, player: Player) -> bool {
        let last = self.game().entries.last();
        last.is_some_and(|last| {
            last.player == player && matches!(last.action, Action::Resign { .. })
        })
    }

    /// A play in words. Without its dice it says nothing that the next board does not say too.
    fn told(&mut self, player: Player, play: WrittenPlay, span: Span) {
        let Some(now) = &mut self.now else { return };
        let Some((_, roll, _)) = now.roll.filter(|(roller, ..)| *roller == player) else {
            return;
        };
        now.roll = None;
        now.told += 1;
        let action = Action::Play {
            roll: written(roll),
            play,
        };
        self.push(player, action, span);
    }

    fn turn_cube(&mut self, taker: Player) {
        if let Some(now) = &mut self.now
            && let Some(cube) = &mut now.setup.cube
        {
            cube.value = cube.value.saturating_mul(2);
            cube.owner = Some(taker);
        }
    }

    /// A roll whose play is not told.
    fn unplayed(&mut self) {
        let roll = self.now.as_mut().and_then(|now| now.roll.take());
        let Some((player, roll, span)) = roll else {
            return;
        };
        let action = Action::Play {
            roll: written(roll),
            play: WrittenPlay::Nothing,
        };
        self.push(player, action, span);
    }

    fn result(&mut self, winner: Player, points: Option<u32>, resigned: bool, span: Span) {
        let game = self.game();
        let after = game.entries.len() as u32;
        let result = GameResult {
            winner: Some(winner),
            points,
            after,
            resigned,
            ..GameResult::default()
        };
        game.result.get_or_insert(Spanned::new(result, span));
    }

    fn push(&mut self, player: Player, action: Action, span: Span) {
        self.game()
            .entries
            .push(Entry::new(player, action, 0, span));
    }

    fn game(&mut self) -> &mut GameRecord {
        if self.record.games.is_empty() {
            self.record.games.push(GameRecord::default());
        }
        self.record.games.last_mut().expect("a game was added")
    }

    fn end_game(&mut self) {
        let Some(now) = self.now.take() else { return };
        let game = self.game();
        if game.entries.is_empty() && game.result.is_none() {
            return;
        }
        // What was rolled first is in the first entry, and the usual start need not be said.
        let is_usual = game
            .start
            .as_ref()
            .is_some_and(|start| is_start(&start.value) && start.value.cube == Some(Cube::START));
        if is_usual {
            game.start = None;
        } else if let Some(start) = &mut game.start {
            start.value.roll = None;
        }
        if game.result.is_none() {
            self.now = Some(now);
            self.unplayed();
            self.now = None;
        }
    }

    fn report(&mut self, finding: Finding) {
        let context = Context::in_last_game(self.number, self.record.games.len());
        self.findings.push(finding.within(context));
    }

    fn end_match(&mut self) {
        self.end_game();
        let record = std::mem::take(&mut self.record);
        (self.sink)(&record, &mut self.findings);
        self.findings = Findings::default();
        self.number += 1;
    }
}

fn written(roll: Roll) -> WrittenRoll {
    WrittenRoll(roll.0.pips(), roll.1.pips())
}

/// Whether the checkers stand as a game begins.
fn is_start(setup: &Setup) -> bool {
    Position::new(setup).ok() == Some(Position::start(Variant::Backgammon))
}

/// The state with the players named the other way round.
fn turned(state: IdState) -> IdState {
    IdState {
        board: state.board.map(ByPlayer::swapped),
        turn: state.turn.map(|player| !player),
        seen_by: state.seen_by.map(|player| !player),
        cube: state.cube.map(|cube| Cube {
            owner: cube.owner.map(|owner| !owner),
            ..cube
        }),
        score: state.score.map(ByPlayer::swapped),
        names: state.names.map(ByPlayer::swapped),
        ..state
    }
}
