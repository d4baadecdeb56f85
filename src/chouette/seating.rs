//! Sitting down, getting up, and who should sit where.

use super::game::Running;
use super::log::Name;
use super::seats::{PlayerId, Seats};
use super::session::Judge;
use super::words::is_one_letter_off;
use crate::diagnostic::Finding;
use crate::rules::chouette::{CHANGE_DURING_GAME, TOO_FEW_PLAYERS, WRONG_SEAT};
use crate::source::Span;

impl Judge<'_> {
    /// The seats are rolled for.
    pub(super) fn rolls(&mut self, rolls: &[(Name, Vec<u8>)], span: Span) {
        self.finish(Some(span));
        let rolls = rolls
            .iter()
            .map(|(name, dice)| (self.player(name), dice.clone()));
        let rolls = rolls.collect();
        self.ranking = Some(rolls);
    }

    /// A game starts.
    pub(super) fn sit_down(&mut self, names: &[Name], span: Span) {
        self.finish(Some(span));
        if std::mem::take(&mut self.in_doubt) {
            self.seats = None;
        }
        let (mut order, mut twice) = (Vec::new(), None);
        for name in names {
            let player = self.seated(name, names);
            if order.contains(&player) {
                twice = twice.or(Some((player, name.span)));
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
        if let Some((player, place)) = twice {
            let message = format!("{} sits twice", self.name(player));
            self.say(&WRONG_SEAT, place, message, "the first seat counts");
        } else if let Some((label, help)) = fault {
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
        if self.players.contains(&name.value) {
            return self.player(name);
        }
        let ranked = self
            .ranking
            .iter()
            .flat_map(|rolls| rolls.iter().map(|(player, _)| *player));
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
            (Some(rolls), _) => {
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

    /// Somebody comes, between games or not.
    pub(super) fn join(&mut self, name: &Name, span: Span) {
        let player = self.player(name);
        if self.sits(player) {
            let message = format!("{} sits already", self.name(player));
            return self.say(&WRONG_SEAT, span, message, "nobody sits down twice");
        }
        self.change(player, true, span);
    }

    /// Somebody goes, between games or not.
    pub(super) fn leave(&mut self, name: &Name, span: Span) {
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

    /// Makes the changes between two games.
    pub(super) fn take_places(&mut self) {
        for (player, joins) in std::mem::take(&mut self.changes) {
            if let Some(rolls) = &mut self.ranking {
                rolls.retain(|&(other, _)| other != player);
                // Without dice: behind all who have rolled.
                rolls.extend(joins.then_some((player, Vec::new())));
            }
            if let Some(seats) = &mut self.seats {
                if joins {
                    seats.join(player);
                } else {
                    seats.leave(player);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::chouette::testing::{codes, labels};

    const FIRST: &str = "seats: Ayla, Burak, Ceren, Deniz\nresult: box wins\n";

    #[test]
    fn what_is_wrong_with_a_seat_is_said() {
        for (seats, label) in [
            (
                "Burak, Ceren, Deniz, Ayla",
                "by the rotation the box is Ayla's",
            ),
            (
                "Ayla, Deniz, Ceren, Burak",
                "by the rotation the captain's seat is Ceren's",
            ),
            (
                "Ayla, Ceren, Burak, Deniz",
                "by the rotation seat 3 is Deniz's",
            ),
            ("Ayla, Ceren, Deniz", "Burak is missing"),
            ("Ayla, Ceren, Deniz, Burak, Emre", "Emre has not joined"),
            ("Ayla, Ceren, Deniz, Burak, Ayla", "the first seat counts"),
        ] {
            let text = format!("{FIRST}seats: {seats}\nresult: box wins\n");
            assert_eq!(labels(&text), [format!("wrong-seat: {label}")], "{text}");
        }
    }

    #[test]
    fn dice_decide_whenever_they_are_rolled() {
        let again = "rolls: Deniz 6, Ayla 2, Ceren 3, Burak 2\nleave: Ceren\njoin: Emre\n";
        let text = format!("{FIRST}{again}seats: Deniz, Burak, Ayla, Emre\nresult: box wins\n");
        assert_eq!(codes(&text), [""; 0]);
        let text = format!("{FIRST}{again}seats: Deniz, Emre, Ayla, Burak\nresult: box wins\n");
        assert_eq!(
            labels(&text),
            ["wrong-seat: by the dice the captain's seat is Ayla's"]
        );
    }

    #[test]
    fn who_comes_and_goes_changes_the_rotation() {
        let text =
            format!("{FIRST}leave: Ayla\njoin: Emre\nseats: Ceren, Deniz, Burak, Emre\nend\n");
        assert_eq!(codes(&text), ["result-missing"]);
        assert_eq!(codes(&format!("{FIRST}join: Burak\n")), ["wrong-seat"]);
        assert_eq!(codes(&format!("{FIRST}leave: Emre\n")), ["unknown-player"]);
        assert_eq!(
            codes(&format!("{FIRST}leave: Burak\nleave: Burak\n")),
            ["wrong-seat"]
        );
    }

    #[test]
    fn a_slip_in_a_name_that_is_missing_is_one() {
        let slip = format!("{FIRST}seats: Ayla, Cerem, Deniz, Burak\nresult: box wins\n");
        assert_eq!(codes(&slip), ["unknown-player"]);
        // Anna is another player than Anne.
        let text = "seats: Anne, Burak, Ceren\nresult: box wins\njoin: Anna\nseats: Anne, Ceren, Burak, Anna\nend\n";
        assert_eq!(codes(text), ["result-missing"]);
    }
}
