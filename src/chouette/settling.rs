//! Settlements and totals, computed beside stated.

use super::game::Running;
use super::log::Name;
use super::seats::PlayerId;
use super::session::Judge;
use super::words::{balance, listed};
use crate::rules::chouette::WRONG_SETTLEMENT;
use crate::rules::score::RESULT_MISSING;
use crate::source::Span;

impl Judge<'_> {
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

    /// Compares a stated settlement, or takes it where nothing else says who has won.
    pub(super) fn settlement(&mut self, list: &[(Name, i64)], span: Span) {
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

    /// Compares a stated total.
    pub(super) fn stated_total(&mut self, list: &[(Name, i64)], span: Span) {
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
}

#[cfg(test)]
mod tests {
    use crate::chouette::testing::{codes, labels, total};

    const WON: &str = "seats: Ayla, Burak, Ceren\nresult: box wins\n";

    #[test]
    fn a_settlement_that_does_not_add_up_says_so() {
        let text = format!("{WON}settlement: Ayla +2, Burak -1, Ceren +1\n");
        assert_eq!(
            labels(&text),
            ["wrong-settlement: Ceren -1, not +1; it adds up to +2"]
        );
        // Who is left out has nothing.
        let text = format!("{WON}settlement: Ayla +2, Burak -1\n");
        assert_eq!(
            labels(&text),
            ["wrong-settlement: Ceren -1, not +0; it adds up to +1"]
        );
    }

    #[test]
    fn a_wrong_total_is_no_fault_of_the_next_one() {
        let next = "seats: Ayla, Ceren, Burak\nresult: team wins, 1 point\n";
        let text = format!(
            "{WON}total: Ayla +3, Burak -1, Ceren -2\n{next}total: Ayla +1, Burak 0, Ceren -1\n"
        );
        assert_eq!(codes(&text), ["wrong-settlement"]);
        let text = format!(
            "{WON}total: Ayla +3, Burak -1, Ceren -2\n{next}total: Ayla 0, Burak 0, Ceren 0\n"
        );
        assert_eq!(codes(&text), ["wrong-settlement"]);
    }

    #[test]
    fn a_game_without_a_result_is_settled_as_stated_if_that_adds_up() {
        let text = "seats: Ayla, Burak, Ceren\nsettlement: Ayla +4, Burak -2, Ceren -2\n";
        assert_eq!(
            (codes(text), total(text)),
            (vec!["result-missing"], vec![4, -2, -2])
        );
        let text = "seats: Ayla, Burak, Ceren\nsettlement: Ayla +4, Burak -2, Ceren -1\n";
        assert_eq!(
            (codes(text), total(text)),
            (vec!["result-missing"], vec![0, 0, 0])
        );
    }

    #[test]
    fn what_cannot_be_read_leaves_the_rest_of_its_game_to_the_settlement() {
        let text = "seats: Ayla, Burak, Ceren\ndubble: Ayla to 2\nresult: box wins, 7 points\n\
            settlement: Ayla -8, Burak +4, Ceren +4\nseats: Ceren, Ayla, Burak\nresult: box wins\n\
            total: Ayla -9, Burak +3, Ceren +6\n";
        assert_eq!(
            (codes(text), total(text)),
            (vec!["unreadable-line"], vec![-9, 3, 6])
        );
    }
}
