//! One game: each action in its turn.

pub(super) mod trial;

use super::fault::moves_between;
use super::{Ending, Fault, FaultKind, Known, Offer, Ruling, State, Step, Visitor};
use crate::board::{
    Cube, Length, Play, PlayFault, Played, Player, Plays, Position, Reading, Roll, Setup,
    SetupFault, Verdict, is_clear, marked_points,
};
use crate::record::{Action, Entry, Extra, GameRecord, MadeGame, Run, WrittenPlay, WrittenRoll};
use crate::ruleset::RuleSet;
use crate::source::Spanned;

/// What a game is played under.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terms<'a> {
    pub(super) rules: &'a RuleSet,
    pub(super) length: Option<Length>,
    pub(super) before: crate::board::ByPlayer<u32>,
    pub(super) crawford: bool,
    pub(super) post_crawford: bool,
    pub(super) has_hit_marks: bool,
}

impl Terms<'_> {
    pub(super) fn points(&self) -> Option<u32> {
        self.length.and_then(Length::points)
    }

    fn is_money(&self) -> bool {
        self.length == Some(Length::Money)
    }
}

/// How many readings may be tried within each other; files need one.
const DEEPEST_TRIAL: u8 = 3;

/// How many actions may be walked through in all trials of a game, those within each other counted. A play of which
/// several readings are legal takes as many as are left of the game, so that a usual one needs some hundreds.
const MOST_TRIED: usize = 10_000;

/// After so many actions the visitor is asked again whether to go on; in a trial after each.
const ASKED: usize = 64;

/// The walk through one game.
pub(super) struct Walk<'a, V> {
    pub(super) terms: Terms<'a>,
    pub(super) number: usize,
    pub(super) game: &'a GameRecord,
    pub(super) state: State,
    /// Whether a player has turned the cube; automatic doubles are no turns.
    pub(super) cube_turned: bool,
    /// How many doubles were not allowed and are in the value of the cube.
    pub(super) disallowed: u32,
    /// The game ended by refusing a double that was not allowed.
    pub(super) disallowed_pass: bool,
    /// A double with a wrong value: its index, the value written and the right one.
    pub(super) cube_value: Option<(usize, u32, u32)>,
    /// The double that nobody answered.
    pub(super) unanswered: Option<usize>,
    pub(super) timed_out: bool,
    /// The players went on after the end that the actions show.
    pub(super) went_on: bool,
    resigned: Option<(Player, Option<crate::board::Win>)>,
    rolled: bool,
    standard_start: bool,
    turns: [u32; 2],
    offer_disallowed: bool,
    unknown_since: Option<usize>,
    told_not_judged: bool,
    over: bool,
    trial: u8,
    /// How many actions were walked through in trials.
    tried: usize,
    last_index: usize,
    /// The entries from here on come after the stated result.
    stated_end: usize,
    visitor: &'a mut V,
    /// Room for legal plays, kept from one game to the next.
    pub(super) plays: Plays,
    /// Where the play of this action hit, if it was made literally.
    literal: Option<u32>,
}

/// Counts how far a game can be played without a fault in a play.
struct Trial {
    failed: Option<usize>,
}

impl Visitor for Trial {
    fn fault(&mut self, fault: Fault<'_>) {
        if fault.kind.is_play_error() && self.failed.is_none() {
            self.failed = fault.index;
        }
    }

    fn goes_on(&mut self, _: &Entry) -> bool {
        self.failed.is_none()
    }
}

impl<'a, V: Visitor> Walk<'a, V> {
    pub(super) fn new(
        terms: Terms<'a>,
        number: usize,
        game: &'a GameRecord,
        visitor: &'a mut V,
        plays: Plays,
    ) -> Walk<'a, V> {
        let last_index = game.entries.iter().rposition(goes_on).unwrap_or(0);
        let stated = game.result.map(|result| result.value);
        let stated = stated.filter(|result| !result.by_loss && result.winner.is_some());
        let stated_end = stated.map_or(usize::MAX, |result| result.after as usize);
        let mut walk = Walk {
            terms,
            number,
            game,
            state: State {
                variant: terms.rules.variant.value,
                position: Position::start(terms.rules.variant.value),
                known: Known::Certain,
                cube: Cube::START,
                turn: None,
                offer: None,
                ending: None,
            },
            cube_turned: false,
            disallowed: 0,
            disallowed_pass: false,
            cube_value: None,
            unanswered: None,
            timed_out: false,
            went_on: false,
            resigned: None,
            rolled: false,
            standard_start: true,
            turns: [0; 2],
            offer_disallowed: false,
            unknown_since: None,
            told_not_judged: false,
            over: false,
            trial: 0,
            tried: 0,
            last_index,
            stated_end,
            visitor,
            plays,
            literal: None,
        };
        if let Some(start) = &game.start {
            walk.standard_start = false;
            walk.set(start, None);
        }
        walk
    }

    pub(super) fn run(&mut self) {
        self.visitor.game(self.number, &self.state);
        self.run_from(0);
    }

    fn run_from(&mut self, first: usize) {
        let game = self.game;
        for (index, entry) in game.entries.iter().enumerate().skip(first) {
            let is_asked = index % ASKED == 0 || self.trial > 0;
            if is_asked && !self.visitor.goes_on(entry) {
                break;
            }
            if self.trial > 0 {
                self.tried += 1;
                if self.tried > MOST_TRIED {
                    break;
                }
            }
            if self.is_after_the_end(index) {
                if goes_on(entry) {
                    self.fault(index, FaultKind::AfterTheEnd { of_match: false });
                    self.went_on = self.state.ending.is_some();
                    self.over = true;
                    break;
                }
                continue;
            }
            if !V::WANTS_STEPS {
                if !self.usual_play(index, entry) {
                    self.entry(index, entry);
                }
                continue;
            }
            let before = self.state;
            self.literal = None;
            let ruling = if self.usual_play(index, entry) {
                Ruling::Legal
            } else {
                self.entry(index, entry)
            };
            if self.trial == 0 {
                let roll = match entry.action {
                    Action::Play { roll, .. } => roll.roll(),
                    _ => None,
                };
                self.visitor.step(&Step {
                    game: self.number,
                    index,
                    entry,
                    before: &before,
                    after: &self.state,
                    ruling,
                    roll,
                    literal: self.literal,
                });
            }
        }
    }

    /// Goes through a game whose plays were made. False if it is not the game that they were made in, or one that
    /// needs a closer look.
    pub(super) fn run_made(&mut self, made: &MadeGame) -> bool {
        let game = self.game;
        if !self.standard_start || made.runs.len() != game.entries.len() + 1 {
            return false;
        }
        for (index, run) in made.runs.iter().enumerate() {
            if run.plays > 0 && !self.run_of_plays(index, run) {
                return false;
            }
            let Some(entry) = game.entries.get(index) else {
                break;
            };
            if self.is_after_the_end(index) {
                return false;
            }
            self.entry(index, entry);
        }
        self.state.position = made.position;
        let mut over = Player::BOTH.into_iter();
        if let Some((winner, win)) = over.find_map(|it| self.over_by_bear_off(it)) {
            self.state.ending = Some(Ending::BearOff { winner, win });
        }
        true
    }

    /// Counts plays that were made one after the other, if the state lets them be played.
    fn run_of_plays(&mut self, index: usize, run: &Run) -> bool {
        let state = &self.state;
        let is_usual = state.turn.is_none_or(|turn| turn == run.first)
            && state.offer.is_none()
            && state.known == Known::Certain
            && state.ending.is_none()
            // The result stands behind the plays before the entry that follows it.
            && index <= self.stated_end;
        let second = run.plays / 2;
        self.turns[run.first.index()] += run.plays - second;
        self.turns[(!run.first).index()] += second;
        self.rolled = true;
        let is_even = run.plays.is_multiple_of(2);
        self.state.turn = Some(if is_even { run.first } else { !run.first });
        is_usual
    }

    /// Makes a play about which there is nothing to ask: in turn, from a position that is certain, and legal as
    /// it is literally written. False if it is no such play; nothing has changed then.
    #[inline(always)]
    fn usual_play(&mut self, index: usize, entry: &Entry) -> bool {
        let Action::Play {
            roll,
            play: WrittenPlay::Moves(written),
        } = &entry.action
        else {
            return false;
        };
        let state = &mut self.state;
        let player = entry.player;
        let is_usual = entry.extra.is_none()
            && self.rolled
            && state.turn == Some(player)
            && state.offer.is_none()
            && state.known == Known::Certain;
        let Some(roll) = roll.roll().filter(|_| is_usual) else {
            return false;
        };
        let (variant, position) = (state.variant, &mut state.position);
        let Some(played) = variant.play_literally(position, player, roll, written.moves()) else {
            return false;
        };
        self.turns[player.index()] += 1;
        self.literal = Some(played.hits);
        if played.hits != played.marked {
            self.wrong_marks(index, player, written, &played);
        }
        self.state.turn = Some(!player);
        if played.is_over {
            let win = variant.win_against(&self.state.position, !player);
            let winner = player;
            self.state.ending = Some(Ending::BearOff { winner, win });
        }
        true
    }

    /// Tells of the hit marks of a play that was made, if marks are known to the record.
    #[cold]
    fn wrong_marks(&mut self, index: usize, player: Player, written: &Play, played: &Played) {
        if self.terms.has_hit_marks {
            let mut before = self.state;
            played.take_back(&mut before.position, player, written.moves());
            let (hit, marked) = (played.hits, played.marked);
            self.fault_before(index, &before, FaultKind::HitMark { hit, marked });
        }
    }

    #[inline]
    fn is_after_the_end(&self, index: usize) -> bool {
        index >= self.stated_end || self.state.ending.is_some()
    }

    fn fault(&mut self, index: usize, kind: FaultKind) {
        let state = self.state;
        self.fault_before(index, &state, kind);
    }

    fn fault_before(&mut self, index: usize, before: &State, kind: FaultKind) {
        let known = before.known != Known::Unknown;
        self.visitor.fault(Fault {
            game: Some(self.number),
            index: Some(index),
            before: known.then_some(before),
            score: self.terms.before,
            crawford: self.terms.crawford,
            kind,
        });
    }

    fn entry(&mut self, index: usize, entry: &Entry) -> Ruling {
        match &entry.action {
            Action::Play { roll, play } => self.play(index, entry, *roll, play),
            Action::Double { to, after_roll } => self.double(index, entry.player, *to, *after_roll),
            Action::Beaver { to } => self.again(index, entry.player, *to, 2),
            Action::Raccoon { to } => self.again(index, entry.player, *to, 3),
            Action::Take => self.take(index, entry.player),
            Action::Pass => self.pass(index, entry.player),
            Action::Resign { win } => {
                self.resigned = Some((entry.player, *win));
                Ruling::Legal
            }
            Action::Accept => match self.resigned {
                Some((player, win)) if player != entry.player => {
                    self.state.ending = Some(Ending::Resignation {
                        winner: entry.player,
                        win,
                    });
                    Ruling::Legal
                }
                _ => self.nothing_to_answer(index),
            },
            Action::Reject => match self.resigned.take() {
                Some(_) => Ruling::Legal,
                None => self.nothing_to_answer(index),
            },
            Action::TimeOut => {
                self.timed_out = true;
                // If the game goes on all the same, this was the player's turn.
                self.state.turn = None;
                Ruling::Legal
            }
            Action::NoRoll => Ruling::Legal,
            Action::Set => {
                if let Some(stated) = entry
                    .extra
                    .as_ref()
                    .and_then(|extra| extra.position_after.as_ref())
                {
                    self.set(stated, Some(index));
                }
                Ruling::Legal
            }
            Action::Unreadable => {
                if let Some(offer) = &mut self.state.offer {
                    // It stands where the cube is turned: some further turn, which may be answered.
                    offer.by = entry.player;
                    self.state.turn = Some(!entry.player);
                    return Ruling::Unknown;
                }
                self.lose_track(index);
                self.state.turn = None;
                Ruling::Unknown
            }
        }
    }

    /// Takes a stated position, and the cube if it is stated with it.
    fn set(&mut self, stated: &Spanned<Setup>, index: Option<usize>) {
        let setup = &stated.value;
        let over: Vec<_> = setup
            .faults()
            .into_iter()
            .filter(|fault| fault.is_game_over())
            .collect();
        match self.position_of(setup) {
            Ok(position) if over.is_empty() => {
                self.state.position = position;
                self.state.known = Known::Certain;
                self.state.cube = setup.cube.unwrap_or(self.state.cube);
                self.state.turn = setup.turn;
                self.told_not_judged = false;
            }
            result => {
                let faults = result.err().unwrap_or(over);
                let kind = FaultKind::ImpossiblePosition {
                    faults,
                    span: stated.span,
                };
                self.visitor.fault(Fault {
                    game: Some(self.number),
                    index,
                    before: None,
                    score: self.terms.before,
                    crawford: self.terms.crawford,
                    kind,
                });
                self.state.known = Known::Unknown;
                self.unknown_since = index;
            }
        }
    }

    /// The position of a setup in the game that is played; a side may have borne off all its checkers.
    fn position_of(&self, setup: &Setup) -> Result<Position, Vec<SetupFault>> {
        Position::new(&Setup {
            checkers: setup.checkers,
            variant: self.state.variant,
            turn: None,
            roll: None,
            cube: None,
        })
    }

    /// The position is unknown from here on.
    fn lose_track(&mut self, index: usize) {
        if self.state.known != Known::Unknown {
            self.state.known = Known::Unknown;
            self.unknown_since = Some(index);
        }
    }

    /// The position is unknown from the start.
    pub(super) fn never_judge(&mut self) {
        self.state.known = Known::Unknown;
        self.told_not_judged = true;
    }

    /// Says once a game that nothing more is judged.
    fn not_judged(&mut self, index: usize) -> Ruling {
        if !self.told_not_judged {
            self.told_not_judged = true;
            let since = self.unknown_since;
            self.fault(index, FaultKind::NotJudged { since });
        }
        Ruling::Unknown
    }

    fn play(
        &mut self,
        index: usize,
        entry: &Entry,
        roll: WrittenRoll,
        play: &WrittenPlay,
    ) -> Ruling {
        let player = entry.player;
        if self.state.offer.is_some() {
            self.play_on(index);
        }
        let mut ruling = Ruling::Legal;
        if self.state.turn.is_some_and(|turn| turn != player) {
            self.fault(index, FaultKind::OutOfTurn);
            ruling = Ruling::Illegal;
        }
        self.turns[player.index()] += 1;
        let is_opening = !self.rolled && self.standard_start;
        self.rolled = true;
        let Some(roll) = roll.roll() else {
            self.fault(index, FaultKind::ImpossibleRoll);
            self.play_without_dice(index, player, play);
            let extra = entry.extra.as_deref();
            let stated = extra.and_then(|extra| extra.position_after.as_ref());
            if let Some(Ok(reached)) = stated.map(|stated| self.position_of(&stated.value)) {
                self.state.position = reached;
                self.state.known = Known::Certain;
            }
            self.state.turn = Some(!player);
            return Ruling::Illegal;
        };
        if is_opening && roll.is_double() && !self.terms.rules.opening_reroll.value {
            self.fault(index, FaultKind::OpeningDouble);
            ruling = Ruling::Illegal;
        }
        let stated = entry
            .extra
            .as_deref()
            .and_then(|extra| extra.position_after.as_ref());
        let played = match stated {
            Some(stated) => {
                let ruling = self.play_to(index, entry, roll, play, stated);
                self.literal = None;
                ruling
            }
            None if self.state.known == Known::Unknown => self.not_judged(index),
            None => match play {
                WrittenPlay::Moves(moves) => self.moves(index, entry, roll, moves),
                other => self.no_moves(index, entry, roll, other),
            },
        };
        self.state.turn = Some(!player);
        if let Some((winner, win)) = self.over_by_bear_off(player) {
            self.state.ending = Some(Ending::BearOff { winner, win });
        }
        if ruling == Ruling::Illegal {
            ruling
        } else {
            played
        }
    }

    #[inline]
    fn over_by_bear_off(&self, player: Player) -> Option<(Player, crate::board::Win)> {
        let over =
            self.state.known != Known::Unknown && self.state.position.has_borne_off_all(player);
        over.then(|| {
            let State {
                variant, position, ..
            } = &self.state;
            (player, variant.win_against(position, !player))
        })
    }

    /// After a roll that is none the checkers go where the moves say.
    fn play_without_dice(&mut self, index: usize, player: Player, play: &WrittenPlay) {
        match play {
            WrittenPlay::Moves(moves) if self.state.known != Known::Unknown => {
                let state = &self.state;
                let variant = state.variant;
                match variant.played_as_written(&state.position, player, moves.moves()) {
                    Ok(position) => self.state.position = position,
                    Err(_) => self.lose_track(index),
                }
            }
            WrittenPlay::NotRecorded => self.lose_track(index),
            _ => self.state.known = self.state.known.max(Known::Assumed),
        }
    }

    fn moves(&mut self, index: usize, entry: &Entry, roll: Roll, written: &Play) -> Ruling {
        let (variant, player) = (self.state.variant, entry.player);
        let position = &mut self.state.position;
        if let Some(played) = variant.play_literally(position, player, roll, written.moves()) {
            self.literal = Some(played.hits);
            if played.hits != played.marked {
                self.wrong_marks(index, player, written, &played);
            }
            return Ruling::Legal;
        }
        let (position, moves) = (&self.state.position, written.moves());
        if let Some(reading) =
            variant.one_of_two_dice(position, player, roll, moves, &mut self.plays)
        {
            self.literal = Some(reading.hits);
            self.accept(index, &reading, written);
            return Ruling::Legal;
        }
        match variant.judge(position, player, roll, moves) {
            Verdict::Legal(reading) => {
                self.accept(index, &reading, written);
                Ruling::Legal
            }
            Verdict::Ambiguous(readings) => self.choose(index, roll, written, readings),
            Verdict::Illegal { fault, stands } => {
                self.illegal(index, entry, roll, written, fault, stands)
            }
        }
    }

    fn accept(&mut self, index: usize, reading: &Reading, written: &Play) {
        self.compare_marks(index, reading.hits, written);
        self.state.position = reading.position;
    }

    #[inline]
    fn compare_marks(&mut self, index: usize, hit: u32, written: &Play) {
        let marked = marked_points(written.moves());
        if marked != hit && self.terms.has_hit_marks {
            self.fault(index, FaultKind::HitMark { hit, marked });
        }
    }

    /// Takes the reading that lets the game go on farthest; the likelier one if they go equally far.
    #[cold]
    fn choose(
        &mut self,
        index: usize,
        roll: Roll,
        written: &Play,
        readings: Vec<Reading>,
    ) -> Ruling {
        let mut taken = 0;
        let mut by_the_rest = false;
        let end = self.game.entries.len();
        if self.trial < DEEPEST_TRIAL {
            let mut farthest = self.try_on(index, &readings[0].position);
            for (other, reading) in readings.iter().enumerate().skip(1) {
                if farthest >= end {
                    break;
                }
                let reached = self.try_on(index, &reading.position);
                if reached > farthest {
                    (taken, farthest, by_the_rest) = (other, reached, true);
                }
            }
        }
        if by_the_rest || !is_clear(&readings, written.moves()) {
            let others = readings
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != taken);
            let kind = FaultKind::AmbiguousPlay {
                roll,
                taken: readings[taken].position,
                others: others.map(|(_, reading)| reading.position).collect(),
                by_the_rest,
            };
            self.fault(index, kind);
            self.state.position = readings[taken].position;
        } else {
            self.accept(index, &readings[taken], written);
        }
        Ruling::Legal
    }

    /// How far the rest of the game can be played from a position: the index of the first faulty play.
    /// Where too much was tried already every position goes equally far.
    fn try_on(&mut self, index: usize, position: &Position) -> usize {
        if self.tried > MOST_TRIED {
            return self.game.entries.len();
        }
        let mut trial = Trial { failed: None };
        let player = self.game.entries[index].player;
        let state = State {
            position: *position,
            known: Known::Certain,
            turn: Some(!player),
            ..self.state
        };
        let mut walk = Walk {
            terms: self.terms,
            number: self.number,
            game: self.game,
            state,
            cube_turned: self.cube_turned,
            disallowed: 0,
            disallowed_pass: false,
            cube_value: None,
            unanswered: None,
            timed_out: false,
            went_on: false,
            resigned: self.resigned,
            rolled: true,
            standard_start: self.standard_start,
            turns: self.turns,
            offer_disallowed: false,
            unknown_since: None,
            told_not_judged: true,
            over: false,
            trial: self.trial + 1,
            tried: self.tried,
            last_index: self.last_index,
            stated_end: self.stated_end,
            visitor: &mut trial,
            plays: Plays::new(),
            literal: None,
        };
        if walk.state.position.has_borne_off_all(player) {
            let State {
                variant, position, ..
            } = &walk.state;
            let win = variant.win_against(position, !player);
            walk.state.ending = Some(Ending::BearOff {
                winner: player,
                win,
            });
        }
        walk.run_from(index + 1);
        let (over, tried) = (walk.over, walk.tried);
        self.tried = tried;
        trial.failed.unwrap_or(if over {
            index + 1
        } else {
            self.game.entries.len()
        })
    }

    fn illegal(
        &mut self,
        index: usize,
        entry: &Entry,
        roll: Roll,
        written: &Play,
        fault: PlayFault,
        stands: Option<Position>,
    ) -> Ruling {
        let declared = entry
            .extra
            .as_deref()
            .is_some_and(|extra| extra.declared_illegal);
        let unfinished = matches!(fault, PlayFault::DiceLeft { .. }) && index == self.last_index;
        let gave_up = self
            .game
            .result
            .is_some_and(|r| r.value.winner == Some(!entry.player));
        if unfinished && gave_up {
            let kind = FaultKind::GivenUp { fault, roll };
            self.fault(index, kind);
            self.state.position = stands.unwrap_or(self.state.position);
            return Ruling::Legal;
        }
        if self.state.known == Known::Assumed && stands.is_none() {
            self.lose_track(index);
            return self.not_judged(index);
        }
        let kind = FaultKind::Play {
            fault,
            roll,
            written: *written,
            stands,
            declared,
        };
        self.fault(index, kind);
        match stands {
            Some(position) => self.state.position = position,
            None => self.lose_track(index),
        }
        Ruling::Illegal
    }

    /// A play whose end position the record states.
    fn play_to(
        &mut self,
        index: usize,
        entry: &Entry,
        roll: Roll,
        play: &WrittenPlay,
        stated: &Spanned<Setup>,
    ) -> Ruling {
        let before = self.state;
        let player = entry.player;
        let reached = self.position_of(&stated.value).ok();
        if let (WrittenPlay::Moves(moves), Some(reached)) = (play, &reached)
            && before.known != Known::Unknown
            && let Some(reading) = reading_to(&before, player, roll, moves, reached)
        {
            self.accept(index, &reading, moves);
            return Ruling::Legal;
        }
        let ruling = match play {
            _ if before.known == Known::Unknown => Ruling::Unknown,
            WrittenPlay::Moves(moves) => self.moves(index, entry, roll, moves),
            WrittenPlay::NotRecorded => Ruling::Unknown,
            other => self.no_moves(index, entry, roll, other),
        };
        let replayed = self.state;
        match reached {
            Some(reached) => {
                self.state.position = reached;
                self.state.known = Known::Certain;
                self.told_not_judged = false;
            }
            None => {
                let cube = self.state.cube;
                self.set(stated, Some(index));
                self.state.cube = cube;
            }
        }
        let Some(reached) = reached.filter(|_| before.known != Known::Unknown) else {
            return Ruling::Unknown;
        };
        if !matches!(play, WrittenPlay::NotRecorded) {
            if replayed.known == Known::Certain && replayed.position != reached {
                let declared = entry
                    .extra
                    .as_deref()
                    .is_some_and(|extra| extra.declared_illegal);
                let kind = FaultKind::PositionMismatch {
                    stated: reached,
                    span: stated.span,
                    declared,
                };
                // An illegal play was reported already; where it led to is stated.
                if ruling == Ruling::Legal {
                    self.fault_before(index, &before, kind);
                }
            }
            return ruling;
        }
        let variant = before.variant;
        variant.legal_plays(&before.position, player, roll, &mut self.plays);
        let dance = self.plays.is_empty() && reached == before.position;
        if dance || self.plays.leading_to(&reached).is_some() {
            return Ruling::Legal;
        }
        let written = moves_between(variant, &before.position, &reached, player);
        let declared = entry
            .extra
            .as_deref()
            .is_some_and(|extra| extra.declared_illegal);
        let fault = match variant.judge(&before.position, player, roll, written.moves()) {
            Verdict::Illegal { fault, .. } => fault,
            _ => {
                // The moves are legal, and something else happened: a hit where nobody landed.
                let kind = FaultKind::PositionMismatch {
                    stated: reached,
                    span: stated.span,
                    declared,
                };
                self.fault_before(index, &before, kind);
                return Ruling::Illegal;
            }
        };
        let stands = Some(reached);
        self.fault_before(
            index,
            &before,
            FaultKind::Play {
                fault,
                roll,
                written,
                stands,
                declared,
            },
        );
        Ruling::Illegal
    }

    /// A roll without moves: a dance, a resignation, a forced play left out, or a play that is missing.
    fn no_moves(&mut self, index: usize, entry: &Entry, roll: Roll, play: &WrittenPlay) -> Ruling {
        let player = entry.player;
        let variant = self.state.variant;
        if !variant.can_play(&self.state.position, player, roll) {
            self.literal = Some(0);
            return Ruling::Legal;
        }
        let extra = entry.extra.as_deref();
        if extra.is_some_and(|extra| extra.unreadable || extra.declared_illegal) {
            self.lose_track(index);
            return Ruling::Unknown;
        }
        if index == self.last_index {
            self.last_roll(player, roll);
            return Ruling::Legal;
        }
        if *play == WrittenPlay::Nothing
            && let Some((filled, forced)) = self.only_play(player, roll)
        {
            let unchanged = self.state.position;
            let end = self.game.entries.len();
            let fits = self.trial >= DEEPEST_TRIAL || {
                let reached = self.try_on(index, &filled);
                reached >= end || reached >= self.try_on(index, &unchanged)
            };
            if fits {
                return self.fill_in(index, roll, forced, true, filled);
            }
        }
        if *play == WrittenPlay::Nothing
            && let Some((filled, bear_off)) = self.omitted_bear_off(index, player)
        {
            return self.fill_in(index, roll, bear_off, false, filled);
        }
        let hidden = *play == WrittenPlay::NotRecorded;
        if self.state.known == Known::Assumed && hidden {
            self.lose_track(index);
            return self.not_judged(index);
        }
        self.fault(index, FaultKind::MissingPlay { roll, hidden });
        if hidden {
            self.lose_track(index);
        } else {
            self.state.known = Known::Assumed;
        }
        Ruling::Illegal
    }

    /// The play of a roll that has only one.
    fn only_play(&mut self, player: Player, roll: Roll) -> Option<(Position, Play)> {
        let variant = self.state.variant;
        variant.legal_plays(&self.state.position, player, roll, &mut self.plays);
        let mut plays = self.plays.iter();
        plays.next().copied().filter(|_| plays.len() == 0)
    }

    /// Makes a play that was left out because it goes without saying.
    fn fill_in(
        &mut self,
        index: usize,
        roll: Roll,
        play: Play,
        forced: bool,
        reached: Position,
    ) -> Ruling {
        self.fault(index, FaultKind::ForcedPlayOmitted { roll, play, forced });
        self.state.position = reached;
        Ruling::Legal
    }

    /// Some servers play the bear-off for the players and leave it out: none of the winner's rolls from here
    /// on has a play, and bearing off as many checkers as possible each time ends the game with the last of
    /// them. The first of these plays, if that is so.
    fn omitted_bear_off(&mut self, index: usize, player: Player) -> Option<(Position, Play)> {
        let winner = self.game.result.and_then(|result| result.value.winner);
        let mut position = self.state.position;
        let variant = self.state.variant;
        let is_home = position.side(player)[7..]
            .iter()
            .all(|&checkers| checkers == 0);
        if winner != Some(player) || !is_home || variant.has_contact(&position, player) {
            return None;
        }
        let mut first = None;
        for entry in self.game.entries[index..]
            .iter()
            .filter(|entry| entry.player == player)
        {
            let Action::Play {
                roll,
                play: WrittenPlay::Nothing,
            } = entry.action
            else {
                return None;
            };
            variant.legal_plays(&position, player, roll.roll()?, &mut self.plays);
            let most_off = |(after, _): &&(Position, Play)| after.side(player)[0];
            let &(after, play) = self.plays.iter().max_by_key(most_off)?;
            position = after;
            first = first.or(Some((after, play)));
        }
        first.filter(|_| position.has_borne_off_all(player))
    }

    /// The last roll of a game without a play: the winner's last bear-off left out, or a resignation.
    fn last_roll(&mut self, player: Player, roll: Roll) {
        let stated = self.game.result.map(|result| result.value);
        let variant = self.state.variant;
        let position = &self.state.position;
        // No roll takes more than four checkers off.
        let in_play = position.side(player)[1..].iter();
        let is_near_the_end = in_play.map(|&checkers| u32::from(checkers)).sum::<u32>() <= 4;
        if stated.is_some_and(|result| result.winner == Some(player)) && is_near_the_end {
            variant.legal_plays(position, player, roll, &mut self.plays);
            let mut plays = self.plays.iter();
            if let Some((after, _)) = plays.find(|(after, _)| after.has_borne_off_all(player)) {
                self.state.position = *after;
            }
        }
    }

    /// The double was not answered and the game goes on.
    fn play_on(&mut self, index: usize) {
        let Some(offer) = self.state.offer.take() else {
            return;
        };
        if offer.turns == 1 {
            let doubled = self.unanswered.take().unwrap_or(index);
            self.fault(doubled, FaultKind::DoubleUnanswered { taken: true });
        }
        self.accept_offer(offer);
    }

    fn accept_offer(&mut self, offer: Offer) {
        // Whoever turned it second keeps the cube; a plain double gives it to the opponent.
        self.state.cube = Cube {
            value: offer.value,
            owner: Some(!offer.doubler),
        };
        self.state.turn = Some(offer.doubler);
        self.disallowed += u32::from(self.offer_disallowed);
        self.offer_disallowed = false;
        self.cube_turned = true;
        self.state.offer = None;
        self.unanswered = None;
    }

    fn double(
        &mut self,
        index: usize,
        player: Player,
        to: Option<u32>,
        after_roll: Option<WrittenRoll>,
    ) -> Ruling {
        if let Some(offer) = self.state.offer {
            if offer.by != player {
                return self.again(index, player, to, offer.turns + 1);
            }
            self.play_on(index);
        }
        let mut ruling = Ruling::Legal;
        if self.state.turn.is_some_and(|turn| turn != player) {
            self.fault(index, FaultKind::OutOfTurn);
            ruling = Ruling::Illegal;
        }
        let rules = self.terms.rules;
        let value = self.state.cube.value;
        let right = value.saturating_mul(2);
        let one_point = self.terms.points() == Some(1);
        let before_opening = !self.rolled && self.standard_start && after_roll.is_none();
        let automatic = self.automatic_doubles(to);
        let fault = if after_roll.is_some() {
            Some(FaultKind::DoubleAfterRoll)
        } else if one_point || !rules.cube.value {
            Some(FaultKind::NoCubeInUse { one_point })
        } else if self.terms.crawford {
            Some(FaultKind::DoubleInCrawfordGame)
        } else if before_opening || !self.state.cube.may_turn(player) {
            Some(FaultKind::DoubleWithoutAccess { before_opening })
        } else if rules.holland.value && self.terms.post_crawford && self.is_too_early(player) {
            Some(FaultKind::DoubleTooEarly)
        } else {
            let limit = rules.cube_limit.value.filter(|&limit| right > limit);
            limit.map(|limit| FaultKind::CubeLimit { limit, to: right })
        };
        let allowed = fault.is_none();
        match fault {
            Some(fault) => {
                ruling = Ruling::Illegal;
                self.fault(index, fault);
            }
            None if self.is_dead(player) => self.fault(index, FaultKind::DeadCube),
            None => {}
        }
        let mut before = value;
        match (automatic, to) {
            (Some(doubles), _) => {
                before = value << doubles;
                self.automatic(index, doubles);
            }
            (None, Some(written)) if written != right && allowed => {
                ruling = Ruling::Illegal;
                self.wrong_value(index, written, right);
            }
            _ => {}
        }
        self.offer_disallowed = !allowed;
        self.unanswered = Some(index);
        self.state.cube.value = before;
        self.state.offer = Some(Offer {
            by: player,
            doubler: player,
            turns: 1,
            value: before.saturating_mul(2),
            before,
        });
        self.state.turn = Some(!player);
        if let Some(roll) = after_roll.filter(|_| !self.rolled) {
            self.rolled = roll.roll().is_some();
        }
        ruling
    }

    /// Keeps a wrong value until the result is known, which may fit it. One before it fits no result.
    fn wrong_value(&mut self, index: usize, written: u32, right: u32) {
        if let Some((index, written, right)) = self.cube_value.replace((index, written, right)) {
            let fits_written = None;
            self.fault(
                index,
                FaultKind::CubeValue {
                    written,
                    right,
                    fits_written,
                },
            );
        }
    }

    /// In money play a first double to 4 or more tells that equal opening dice had doubled the cube.
    fn automatic_doubles(&self, to: Option<u32>) -> Option<u32> {
        let first = self.terms.is_money() && !self.cube_turned && self.state.cube == Cube::START;
        let power = Cube::exponent(to?)?;
        let most = self.terms.rules.automatic_doubles.value.unwrap_or(2).max(2);
        (first && power >= 2 && power <= most + 1).then(|| power - 1)
    }

    fn automatic(&mut self, index: usize, doubles: u32) {
        let agreed = self.terms.rules.automatic_doubles.value;
        if agreed.is_none_or(|most| doubles > most) {
            let certain = agreed.is_some();
            self.fault(
                index,
                FaultKind::AutomaticDoubleNotAgreed { certain, doubles },
            );
        }
    }

    fn is_dead(&self, player: Player) -> bool {
        self.terms.points().is_some_and(|length| {
            self.terms.before[player].saturating_add(self.state.cube.value) >= length
        })
    }

    fn is_too_early(&self, player: Player) -> bool {
        let trails = self.terms.before[player] < self.terms.before[!player];
        trails && self.turns.iter().any(|&turns| turns < 2)
    }

    /// A beaver (the second turn), a raccoon (the third) or a further turn.
    fn again(&mut self, index: usize, player: Player, to: Option<u32>, turns: u32) -> Ruling {
        let Some(offer) = self.state.offer.filter(|offer| offer.by != player) else {
            return self.nothing_to_answer(index);
        };
        let in_match = !self.terms.is_money();
        let rules = self.terms.rules;
        let agreed = if turns == 2 {
            rules.beavers.value
        } else {
            rules.raccoons.value
        };
        let certain = in_match || agreed == Some(false);
        let mut ruling = Ruling::Legal;
        if agreed != Some(true) {
            ruling = Ruling::Illegal;
            let kind = if turns == 2 {
                FaultKind::BeaverNotAgreed { certain, in_match }
            } else {
                FaultKind::RaccoonNotAgreed { certain, in_match }
            };
            self.fault(index, kind);
        }
        let right = offer.value.saturating_mul(2);
        if let Some(written) = to.filter(|&written| written != right) {
            self.wrong_value(index, written, right);
            ruling = Ruling::Illegal;
        }
        self.state.offer = Some(Offer {
            by: player,
            turns: offer.turns + 1,
            value: right,
            before: offer.value,
            ..offer
        });
        self.state.turn = Some(!player);
        ruling
    }

    fn nothing_to_answer(&mut self, index: usize) -> Ruling {
        self.fault(index, FaultKind::AnswerWithoutDouble);
        // The cell may stand in the place of a turn, so either player may go on.
        self.state.turn = None;
        Ruling::Illegal
    }

    fn take(&mut self, index: usize, player: Player) -> Ruling {
        match self.state.offer {
            Some(offer) if offer.by != player => {
                self.accept_offer(offer);
                Ruling::Legal
            }
            _ => self.nothing_to_answer(index),
        }
    }

    fn pass(&mut self, index: usize, player: Player) -> Ruling {
        match self.state.offer {
            Some(offer) if offer.by != player => {
                self.refuse(offer);
                Ruling::Legal
            }
            _ => self.nothing_to_answer(index),
        }
    }

    pub(super) fn refuse(&mut self, offer: Offer) {
        if offer.turns > 1 {
            self.state.cube = Cube {
                value: offer.before,
                owner: Some(!offer.doubler),
            };
        }
        self.cube_turned |= offer.turns > 1;
        self.disallowed_pass = self.offer_disallowed;
        self.state.offer = None;
        self.state.turn = None;
        self.state.ending = Some(Ending::Pass {
            winner: offer.by,
            value: offer.before,
        });
    }

    /// The offer that was pending when the record of the game ended.
    pub(super) fn unanswered_offer(&self) -> Option<(usize, Offer)> {
        Some((
            self.unanswered.unwrap_or(self.last_index),
            self.state.offer?,
        ))
    }
}

/// The reading of some moves that leads to a position, if they are a legal play that can be read so.
fn reading_to(
    before: &State,
    player: Player,
    roll: Roll,
    written: &Play,
    reached: &Position,
) -> Option<Reading> {
    let leads_there = |reading: &Reading| reading.position == *reached;
    let variant = before.variant;
    match variant.judge(&before.position, player, roll, written.moves()) {
        Verdict::Legal(reading) => Some(reading).filter(leads_there),
        Verdict::Ambiguous(readings) => readings.into_iter().find(leads_there),
        Verdict::Illegal { .. } => None,
    }
}

/// Whether an action shows that the game goes on.
fn goes_on(entry: &Entry) -> bool {
    match entry.action {
        Action::Play { .. }
        | Action::Double { .. }
        | Action::Beaver { .. }
        | Action::Raccoon { .. }
        | Action::Take
        | Action::Pass => true,
        Action::Unreadable => entry
            .extra
            .as_deref()
            .is_some_and(|extra: &Extra| extra.unreadable),
        _ => false,
    }
}
