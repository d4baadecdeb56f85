//! A session judged: event by event, with what is wrong and what each game comes to.

use super::game::{EndedBy, Game, Running};
use super::log::{Event, Log, Name, Side, Stake};
use super::seats::{PlayerId, Seats};
use super::words::is_one_letter_off;
use crate::diagnostic::{Context, Finding, Findings, Rule};
use crate::rules::chouette::UNKNOWN_PLAYER;
use crate::rules::plays::AFTER_THE_END;
use crate::rules::score::{GAME_UNFINISHED, RESULT_MISSING};
use crate::ruleset::{NamedSet, Origin, RuleOptions, RuleSet};
use crate::source::{Span, Spanned};

/// A session as judged.
#[derive(Debug, Clone)]
pub struct Session {
    /// The names, in the order in which they come up.
    pub players: Vec<String>,
    /// What a point is worth. `None`: the log does not say.
    pub stake: Option<Stake>,
    /// The rules that it was held against: those of money play, with what was agreed.
    pub rules: RuleSet,
    /// The games.
    pub games: Vec<Game>,
    /// What each player has won or lost, by [`PlayerId`].
    pub total: Vec<i64>,
}

/// Judges a log. Options outrank what the log says of the rules.
pub(super) fn judge(log: &Log, options: &RuleOptions, findings: &mut Findings) -> Session {
    let mut rules = RuleSet::named(NamedSet::Money);
    rules.apply_from(&log.rules, Origin::Tag);
    rules.apply(options);
    let mut judge = Judge {
        rules,
        findings,
        players: Vec::new(),
        seats: None,
        ranking: None,
        game: None,
        changes: Vec::new(),
        games: Vec::new(),
        total: Vec::new(),
        as_stated: Vec::new(),
        in_doubt: false,
        total_in_doubt: false,
        end: None,
    };
    for event in &log.events {
        judge.event(event);
    }
    judge.finish(None);
    let (players, total) = (judge.players, judge.total);
    let mut games = judge.games;
    // Who came later has nothing from the games before.
    for game in &mut games {
        game.settlement.resize(players.len(), 0);
        game.total.resize(players.len(), 0);
        if let Some(stated) = &mut game.stated {
            stated.resize(players.len(), 0);
        }
    }
    Session {
        players,
        stake: log.stake.clone(),
        rules: judge.rules,
        games,
        total,
    }
}

/// What the judge knows after the events so far.
pub(super) struct Judge<'a> {
    pub(super) rules: RuleSet,
    findings: &'a mut Findings,
    pub(super) players: Vec<String>,
    /// Who sits where when the next game starts. `None`: nothing says.
    pub(super) seats: Option<Seats>,
    /// The dice that were rolled for the seats.
    pub(super) ranking: Option<Vec<(PlayerId, Vec<u8>)>>,
    /// The game that was started last.
    pub(super) game: Option<Running>,
    /// Who comes (`true`) and goes when that game is over.
    pub(super) changes: Vec<(PlayerId, bool)>,
    pub(super) games: Vec<Game>,
    pub(super) total: Vec<i64>,
    /// The total that follows from the settlements and totals as stated.
    pub(super) as_stated: Vec<i64>,
    /// Something could not be read since the last seats: nothing is judged up to the next.
    pub(super) in_doubt: bool,
    /// Something could not be read since the last total, so that this one cannot be computed.
    pub(super) total_in_doubt: bool,
    /// Where the session ends, and whether something after that was reported.
    end: Option<(Span, bool)>,
}

impl Judge<'_> {
    fn event(&mut self, event: &Spanned<Event>) {
        let span = event.span;
        if let Some((end, is_reported)) = &mut self.end {
            let is_readable = event.value != Event::Unreadable;
            if is_readable && !std::mem::replace(is_reported, true) {
                let end = *end;
                let message = "the session was over before this";
                let label = "nothing is judged from here on";
                self.report(
                    Finding::new(&AFTER_THE_END, span, message, label).also(end, "the end"),
                );
            }
            return;
        }
        match &event.value {
            Event::Rolls(rolls) => self.rolls(rolls, span),
            Event::Seats(names) => self.sit_down(names, span),
            Event::AutomaticDouble { to } => self.automatic_double(*to, span),
            Event::Turn(turn) => self.turn(turn, span),
            Event::Result(outcome) => self.judge_result(outcome, span),
            Event::Settlement(list) => self.settlement(list, span),
            Event::Total(list) => self.stated_total(list, span),
            Event::Join(name) => self.join(name, span),
            Event::Leave(name) => self.leave(name, span),
            Event::End => {
                self.finish(Some(span));
                self.end = Some((span, false));
            }
            Event::Unreadable => self.unreadable(span),
        }
    }

    /// Something that cannot be read may be anything: a double, a result, the seats of another game.
    fn unreadable(&mut self, span: Span) {
        if self.game.as_ref().is_none_or(Running::is_over) {
            self.finish(Some(span));
        }
        (self.in_doubt, self.total_in_doubt) = (true, true);
        self.ranking = None;
    }

    /// Adds a finding, in the game that is being played or was played last.
    pub(super) fn report(&mut self, finding: Finding) {
        if self.in_doubt {
            return;
        }
        let game = self.games.len() + usize::from(self.game.is_some());
        let context = Context {
            match_number: None,
            ..Context::in_last_game(1, game)
        };
        self.findings.push(finding.within(context));
    }

    /// Adds a finding that needs no further place.
    pub(super) fn say(
        &mut self,
        rule: &'static Rule,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
    ) {
        self.report(Finding::new(rule, span, message, label));
    }

    /// The name of a player.
    pub(super) fn name(&self, player: PlayerId) -> &str {
        &self.players[player]
    }

    /// The player with a name, or with one that differs in a letter, which is reported. `None`: there is none.
    pub(super) fn known(&mut self, name: &Name) -> Option<PlayerId> {
        if let Some(player) = self.players.iter().position(|known| *known == name.value) {
            return Some(player);
        }
        let is_slip = |known: &&String| is_one_letter_off(known, &name.value);
        let player = {
            let mut near = self.players.iter().filter(is_slip);
            let found = near.next()?;
            if near.next().is_some() {
                return None;
            }
            self.players.iter().position(|known| known == found)?
        };
        let message = format!("nobody is called {}", name.value);
        let label = format!("read as {}", self.name(player));
        self.say(&UNKNOWN_PLAYER, name.span, message, label);
        Some(player)
    }

    /// The player with a name; a finding if there is none.
    pub(super) fn expected(&mut self, name: &Name) -> Option<PlayerId> {
        let player = self.known(name);
        if player.is_none() {
            let message = format!("nobody is called {}", name.value);
            let label = format!("the players are {}", self.players.join(", "));
            self.say(&UNKNOWN_PLAYER, name.span, message, label);
        }
        player
    }

    /// The player with a name, who may be new: then no name is a slip.
    pub(super) fn player(&mut self, name: &Name) -> PlayerId {
        if let Some(player) = self.players.iter().position(|known| *known == name.value) {
            return player;
        }
        self.players.push(name.value.clone());
        self.total.push(0);
        self.as_stated.push(0);
        self.players.len() - 1
    }

    /// Ends the game that was started last, because something follows it, or because the log ends.
    pub(super) fn finish(&mut self, next: Option<Span>) {
        self.close_turn(&[]);
        if let Some(game) = &self.game
            && !game.is_over()
        {
            let span = game.span;
            match next {
                Some(next) => {
                    let label = "the next event follows a game that nobody has won";
                    let finding = Finding::new(
                        &RESULT_MISSING,
                        next,
                        "the game before has no stated result",
                        label,
                    );
                    self.report(finding.also(span, "the game starts here"));
                }
                None => self.say(
                    &GAME_UNFINISHED,
                    span,
                    "the last game has no end",
                    "it starts here",
                ),
            }
            self.settle();
        }
        let Some(game) = self.game.take() else {
            return self.take_places();
        };
        let winner = game
            .over
            .map(|over| over.winner)
            .or_else(|| winner_of(&game));
        self.seats = winner.map(|winner| {
            let mut seats = game.seats.clone();
            seats.rotate(winner);
            seats
        });
        self.take_places();
        let judged = self.judged(&game, winner);
        self.games.push(judged);
    }

    fn judged(&self, game: &Running, winner: Option<Side>) -> Game {
        let by_player = |list: &[(PlayerId, i64)]| {
            let mut points = vec![0; self.players.len()];
            list.iter().for_each(|&(player, one)| points[player] += one);
            points
        };
        Game {
            span: game.span,
            seats: game.at_start.clone(),
            captain: game.seats.captain(),
            passed: game.passed.clone(),
            cube: game.cube,
            owner: game.owner,
            winner,
            win: game.over.and_then(|over| over.win),
            ended_by: game.over.map_or(EndedBy::Unfinished, |over| over.by),
            points: game.over.map(|over| over.points),
            settlement: by_player(&game.payments()),
            stated: game.stated.as_deref().map(by_player),
            total: self.total.clone(),
        }
    }

    /// Reports something behind the end of a game, once.
    pub(super) fn after_the_end(&mut self, span: Span) {
        let Some(game) = &mut self.game else {
            return;
        };
        if std::mem::replace(&mut game.is_reported, true) {
            return;
        }
        let end = game.result;
        let label = "it changes nothing";
        let finding = Finding::new(&AFTER_THE_END, span, "the game was over before this", label);
        self.report(match end {
            Some(end) => finding.also(end, "the result"),
            None => finding,
        });
    }
}

/// The winner of a game that was settled without a result.
fn winner_of(game: &Running) -> Option<Side> {
    let box_player = game.seats.box_player()?;
    let paid = game
        .paid
        .as_ref()?
        .iter()
        .find(|&&(player, _)| player == box_player)?;
    match paid.1 {
        1.. => Some(Side::Box),
        0 => None,
        _ => Some(Side::Team),
    }
}
