//! A session judged: event by event, with what is wrong and what each game comes to.

use super::game::{EndedBy, Game, Running};
use super::log::{Event, Log, Name, Side, Stake};
use super::seats::{PlayerId, Seats};
use super::words::{balance, listed};
use crate::diagnostic::{Context, Finding, Findings, Rule};
use crate::rules::chouette::{
    CHANGE_DURING_GAME, TOO_FEW_PLAYERS, UNKNOWN_PLAYER, WRONG_SEAT, WRONG_SETTLEMENT,
};
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
    players: Vec<String>,
    /// Who sits where when the next game starts. `None`: nothing says.
    seats: Option<Seats>,
    /// The dice that were rolled for the seats, and where.
    ranking: Option<(Vec<(PlayerId, Vec<u8>)>, Span)>,
    /// The game that was started last.
    pub(super) game: Option<Running>,
    /// Who comes (`true`) and goes when that game is over.
    changes: Vec<(PlayerId, bool)>,
    games: Vec<Game>,
    total: Vec<i64>,
    /// The total that follows from the settlements and totals as stated.
    as_stated: Vec<i64>,
    /// Something could not be read since the last seats: nothing is judged up to the next.
    in_doubt: bool,
    /// Something could not be read since the last total, so that this one cannot be computed.
    total_in_doubt: bool,
    /// Where the session ends, and whether something after that was reported.
    end: Option<(Span, bool)>,
}

impl Judge<'_> {
    fn event(&mut self, event: &Spanned<Event>) {
        let span = event.span;
        if let Some((end, is_reported)) = &mut self.end {
            if !std::mem::replace(is_reported, true) {
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
    fn player(&mut self, name: &Name) -> PlayerId {
        if let Some(player) = self.players.iter().position(|known| *known == name.value) {
            return player;
        }
        self.players.push(name.value.clone());
        self.total.push(0);
        self.as_stated.push(0);
        self.players.len() - 1
    }

    fn rolls(&mut self, rolls: &[(Name, Vec<u8>)], span: Span) {
        self.finish(Some(span));
        let rolls = rolls
            .iter()
            .map(|(name, dice)| (self.player(name), dice.clone()));
        let rolls = rolls.collect();
        self.ranking = Some((rolls, span));
    }

    fn sit_down(&mut self, names: &[Name], span: Span) {
        self.finish(Some(span));
        if std::mem::take(&mut self.in_doubt) {
            self.seats = None;
        }
        let (mut order, mut is_double) = (Vec::new(), false);
        for name in names {
            let player = self.seated(name, names);
            if order.contains(&player) {
                is_double = true;
                let message = format!("{} sits twice", self.name(player));
                self.say(&WRONG_SEAT, name.span, message, "the first seat counts");
            } else {
                order.push(player);
            }
        }
        let fault = self.wrong_seat(&order);
        let seats = match (&self.seats, fault.is_some()) {
            (Some(right), true) => Seats::new(order).instead_of(right),
            (Some(right), false) if *right.order() == order => right.clone(),
            _ => Seats::new(order),
        };
        let count = seats.order().len();
        self.game = Some(Running::new(span, seats));
        if let Some((label, help)) = fault.filter(|_| !is_double) {
            let finding = Finding::new(&WRONG_SEAT, span, "the seats do not follow", label);
            self.report(finding.help(help));
        }
        if count < 3 {
            let noun = if count == 1 { "player" } else { "players" };
            let message = format!("a chouette with {count} {noun}");
            let label = "a box, a captain and one more are needed";
            self.say(&TOO_FEW_PLAYERS, span, message, label);
        }
        self.ranking = None;
    }

    /// The player on a seat: a slip is one of a name that should be among these and is not.
    fn seated(&mut self, name: &Name, names: &[Name]) -> PlayerId {
        let ranked = self
            .ranking
            .iter()
            .flat_map(|(rolls, _)| rolls.iter().map(|(player, _)| *player));
        let seated = self
            .seats
            .iter()
            .flat_map(|seats| seats.order().iter().copied());
        let missing = ranked.chain(seated).any(|player| {
            let known = self.name(player);
            is_one_letter_off(known, &name.value) && names.iter().all(|name| name.value != known)
        });
        let found = if missing { self.known(name) } else { None };
        found.unwrap_or_else(|| self.player(name))
    }

    /// Why an order is not the one that was to be expected, and what that is.
    fn wrong_seat(&self, order: &[PlayerId]) -> Option<(String, String)> {
        let right = match (&self.ranking, &self.seats) {
            (Some((rolls, _)), _) => {
                let mut right = rolls.clone();
                // Who has rolled the same is left in the order as written.
                let place = |player: &PlayerId| order.iter().position(|other| other == player);
                right.sort_by(|(a, dice), (b, others)| {
                    others.cmp(dice).then(place(a).cmp(&place(b)))
                });
                right.into_iter().map(|(player, _)| player).collect()
            }
            (None, Some(seats)) if !seats.allow(order) => seats.order().to_vec(),
            _ => return None,
        };
        if right == order {
            return None;
        }
        let why = if self.ranking.is_some() {
            "the dice"
        } else {
            "the rotation"
        };
        let label = match order.iter().zip(&right).position(|(a, b)| a != b) {
            Some(place) => {
                let seat = ["the box", "the captain's seat"].get(place).copied();
                let seat = seat.map_or_else(|| format!("seat {}", place + 1), str::to_owned);
                format!("by {why} {seat} is {}'s", self.name(right[place]))
            }
            None if order.len() < right.len() => {
                format!("{} is missing", self.name(right[order.len()]))
            }
            None => format!("{} has not joined", self.name(order[right.len()])),
        };
        let names: Vec<&str> = right.iter().map(|&player| self.name(player)).collect();
        Some((label, format!("by {why}: {}", names.join(", "))))
    }

    fn join(&mut self, name: &Name, span: Span) {
        let player = self.player(name);
        if self.sits(player) {
            let message = format!("{} sits already", self.name(player));
            return self.say(&WRONG_SEAT, span, message, "nobody sits down twice");
        }
        self.change(player, true, span);
    }

    fn leave(&mut self, name: &Name, span: Span) {
        let Some(player) = self.expected(name) else {
            return;
        };
        if !self.sits(player) {
            let message = format!("{} does not sit at the table", self.name(player));
            return self.say(&WRONG_SEAT, span, message, "nobody gets up twice");
        }
        self.change(player, false, span);
    }

    /// Whether somebody sits at the table when the changes so far are made.
    fn sits(&self, player: PlayerId) -> bool {
        let changed = self
            .changes
            .iter()
            .rev()
            .find(|(other, _)| *other == player);
        let seats = self
            .game
            .as_ref()
            .map(|game| &game.seats)
            .or(self.seats.as_ref());
        let seated = seats.is_some_and(|seats| seats.order().contains(&player));
        changed.map_or(seated, |&(_, joins)| joins)
    }

    fn change(&mut self, player: PlayerId, joins: bool, span: Span) {
        if self.game.as_ref().is_some_and(|game| !game.is_over()) {
            let verb = if joins { "joins" } else { "leaves" };
            let message = format!("{} {verb} during a game", self.name(player));
            self.say(
                &CHANGE_DURING_GAME,
                span,
                message,
                "the change is made after the game",
            );
        }
        self.changes.push((player, joins));
    }

    /// Ends the game that was started last, because something follows it, or because the log ends.
    fn finish(&mut self, next: Option<Span>) {
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

    /// Makes the changes between two games.
    fn take_places(&mut self) {
        for (player, joins) in std::mem::take(&mut self.changes) {
            if let Some(seats) = &mut self.seats {
                if joins {
                    seats.join(player);
                } else {
                    seats.leave(player);
                }
            }
        }
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

    /// Adds what the game has come to.
    pub(super) fn settle(&mut self) {
        let payments = self
            .game
            .as_ref()
            .map(Running::payments)
            .unwrap_or_default();
        for (player, points) in payments {
            self.total[player] += points;
            self.as_stated[player] += points;
        }
    }

    /// The points of a list by player; `None`, with a finding, if somebody in it is not known.
    fn points_of(&mut self, list: &[(Name, i64)]) -> Option<Vec<(PlayerId, i64)>> {
        let found: Vec<_> = list
            .iter()
            .map(|(name, points)| Some((self.expected(name)?, *points)))
            .collect();
        found.into_iter().collect()
    }

    fn by_player(&self, list: &[(PlayerId, i64)]) -> Vec<i64> {
        let mut points = vec![0i64; self.players.len()];
        for &(player, one) in list {
            points[player] = points[player].saturating_add(one);
        }
        points
    }

    fn settlement(&mut self, list: &[(Name, i64)], span: Span) {
        self.close_turn(&[]);
        let Some(stated) = self.points_of(list) else {
            return;
        };
        let Some(game) = &mut self.game else {
            let label = "nothing is settled between games";
            return self.say(
                &WRONG_SETTLEMENT,
                span,
                "a settlement without a game",
                label,
            );
        };
        game.stated = Some(stated.clone());
        if self.in_doubt {
            return self.settle_as_stated(stated);
        }
        let box_player = game.seats.box_player();
        if !game.is_over() {
            game.paid = Some(if balance(&stated) == 0 {
                stated
            } else {
                Vec::new()
            });
            let label = "winner and points are taken from the settlement";
            self.say(
                &RESULT_MISSING,
                span,
                "the game has no stated result",
                label,
            );
            return self.settle();
        }
        let payments = game.payments();
        let computed = self.by_player(&payments);
        let stated = self.by_player(&stated);
        if stated == computed {
            return;
        }
        let in_order = self.in_order(box_player);
        let message = format!(
            "the settlement is {}",
            listed(&computed, &in_order, &self.players)
        );
        let label = self.difference(&stated, &computed, &in_order);
        for (player, points) in self.as_stated.iter_mut().enumerate() {
            *points = points.saturating_add(stated[player].saturating_sub(computed[player]));
        }
        self.say(&WRONG_SETTLEMENT, span, message, label);
    }

    /// Takes a settlement as stated for a game that cannot be judged, if plus and minus are the same.
    fn settle_as_stated(&mut self, stated: Vec<(PlayerId, i64)>) {
        let Some(game) = &mut self.game else {
            return;
        };
        if balance(&stated) != 0 {
            return;
        }
        let settled = if game.is_over() {
            game.payments()
        } else {
            Vec::new()
        };
        game.paid = Some(stated);
        for (player, points) in settled {
            self.total[player] -= points;
            self.as_stated[player] -= points;
        }
        self.settle();
    }

    /// All players, those of the game first and in its order.
    fn in_order(&self, first: Option<PlayerId>) -> Vec<PlayerId> {
        let seats = self
            .game
            .as_ref()
            .map(|game| game.at_start.clone())
            .unwrap_or_default();
        let mut order: Vec<PlayerId> = first.into_iter().chain(seats).collect();
        order.extend(0..self.players.len());
        let mut seen = vec![false; self.players.len()];
        order.retain(|&player| !std::mem::replace(&mut seen[player], true));
        order
    }

    /// `Burak -2, not -3; plus and minus differ by 1`
    fn difference(&self, stated: &[i64], computed: &[i64], order: &[PlayerId]) -> String {
        let differs = order
            .iter()
            .filter(|&&player| stated[player] != computed[player]);
        let words = differs.map(|&player| {
            format!(
                "{} {:+}, not {:+}",
                self.name(player),
                computed[player],
                stated[player]
            )
        });
        let mut words: Vec<String> = words.collect();
        if words.len() > 4 {
            let more = words.len() - 3;
            words.truncate(3);
            words.push(format!("{more} more"));
        }
        let sum = stated
            .iter()
            .fold(0i64, |sum, &points| sum.saturating_add(points));
        let sum = if sum == 0 {
            String::new()
        } else {
            format!("; it adds up to {sum:+}")
        };
        words.join("; ") + &sum
    }

    fn stated_total(&mut self, list: &[(Name, i64)], span: Span) {
        self.close_turn(&[]);
        let Some(stated) = self.points_of(list) else {
            return;
        };
        let stated = self.by_player(&stated);
        let in_doubt = std::mem::take(&mut self.total_in_doubt);
        if !in_doubt && stated != self.total && stated != self.as_stated {
            let order = self.in_order(None);
            let message = format!(
                "the total is {}",
                listed(&self.total, &order, &self.players)
            );
            let label = self.difference(&stated, &self.total, &order);
            self.say(&WRONG_SETTLEMENT, span, message, label);
        }
        self.as_stated = stated;
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

/// Whether two names differ in one letter only: another one, one more or less, two in the wrong order, or
/// capitals. Names of one or two letters are too short for that.
fn is_one_letter_off(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (
        a.to_lowercase().chars().collect(),
        b.to_lowercase().chars().collect(),
    );
    let (long, short) = if a.len() < b.len() {
        (&b, &a)
    } else {
        (&a, &b)
    };
    if short.len() < 3 || long.len() - short.len() > 1 {
        return false;
    }
    let start = long.iter().zip(short).take_while(|(x, y)| x == y).count();
    let (long, short) = (&long[start..], &short[start..]);
    match (long, short) {
        ([], []) => true,
        ([x, y, rest @ ..], [v, w, others @ ..]) if x == w && y == v && rest == others => true,
        ([_, rest @ ..], [_, others @ ..]) if long.len() == short.len() => rest == others,
        ([_, rest @ ..], _) => rest == short,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_letter_is_a_slip() {
        for slip in ["Burka", "Bura", "Buraq", "Burakk", "burak", "Burrak"] {
            assert!(is_one_letter_off("Burak", slip), "{slip}");
        }
        for other in ["Bura1k2", "Deniz", "Bu", "kaurB", ""] {
            assert!(!is_one_letter_off("Burak", other), "{other}");
        }
        assert!(!is_one_letter_off("Al", "Ali"));
    }
}
