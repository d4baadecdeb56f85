//! Results: what a game was worth, beside what the log says.

use super::game::{EndedBy, Over, Running};
use super::log::{Outcome, Side, TurnKind};
use super::session::Judge;
use super::words::points;
use crate::board::Win;
use crate::diagnostic::Finding;
use crate::rules::chouette::CONTRADICTORY_RESULT;
use crate::rules::cube::DOUBLE_UNANSWERED;
use crate::rules::score::JACOBY_UNDECIDED;
use crate::source::Span;

/// What a stated result comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Worth {
    win: Option<Win>,
    points: u64,
    fault: Option<Fault>,
}

/// What is to be said of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// The kind and the cube give other points.
    NotThatMany { factor: u64 },
    /// No kind of win gives these points.
    NoMultiple,
    /// Only without the Jacoby rule.
    Jacoby,
    /// Nothing says whether the Jacoby rule holds.
    Undecided { with: u64, without: u64 },
}

impl Judge<'_> {
    /// Judges a stated result, or ends the game by it.
    pub(super) fn judge_result(&mut self, outcome: &Outcome, span: Span) {
        self.pass_without_words(outcome);
        self.close_turn(&[]);
        let Some(game) = &mut self.game else {
            let label = "nobody has sat down to one";
            return self.say(
                &CONTRADICTORY_RESULT,
                span,
                "a result without a game",
                label,
            );
        };
        if game.result.is_some() || game.paid.is_some() {
            return self.after_the_end(span);
        }
        game.result = Some(span);
        if let Some(over) = game.over {
            return self.compare(over, outcome, span);
        }
        let cube = game.cube;
        let worth = self.worth(outcome);
        if let Some(game) = &mut self.game {
            game.over = Some(Over {
                winner: outcome.winner,
                points: worth.points,
                win: worth.win,
                by: EndedBy::Play,
            });
        }
        self.settle();
        if let Some(fault) = worth.fault {
            self.say_worth(fault, worth, outcome, cube, span);
        }
    }

    /// A double that nobody has answered was passed if the doubler wins no more than the cube before it.
    fn pass_without_words(&mut self, outcome: &Outcome) {
        let Some(game) = &mut self.game else {
            return;
        };
        let is_pass = game.open.as_ref().is_some_and(|open| {
            let fits = outcome
                .points
                .is_none_or(|points| u64::from(points) == open.before.0);
            let is_silent = !open.is_answered && !open.waiting.is_empty();
            open.kind == TurnKind::Double
                && is_silent
                && open.by == outcome.winner
                && outcome.win.is_none()
                && fits
        });
        let Some(open) = game.open.take_if(|_| is_pass) else {
            return;
        };
        game.pass(open.by, open.before, &open.waiting);
        let label = "the doubler won, so it was passed";
        self.say(
            &DOUBLE_UNANSWERED,
            open.span,
            "a double without an answer",
            label,
        );
        self.settle();
    }

    /// Compares a result with a pass that has ended the game.
    fn compare(&mut self, over: Over, outcome: &Outcome, span: Span) {
        let fits = outcome
            .points
            .is_none_or(|points| u64::from(points) == over.points);
        let is_single = outcome.win.is_none_or(|win| win == Win::Single);
        if outcome.winner == over.winner && fits && is_single {
            return;
        }
        let winner = over.winner.name();
        let message = format!(
            "the {winner} wins {}, the result says otherwise",
            points(over.points)
        );
        let label = match over.winner {
            Side::Box => "the whole team has passed",
            Side::Team => "the box has passed",
        };
        let help = "after a pass the game is worth the cube before the double";
        self.report(Finding::new(&CONTRADICTORY_RESULT, span, message, label).help(help));
    }

    /// Whether the Jacoby rule would make a gammon single.
    fn jacoby_applies(&self, game: &Running) -> bool {
        !game.is_turned && self.rules.cube.value
    }

    fn worth(&self, outcome: &Outcome) -> Worth {
        let Some(game) = &self.game else {
            return Worth {
                win: None,
                points: 0,
                fault: None,
            };
        };
        let cube = game.cube;
        let factor = |win| u64::from(self.rules.factor(win));
        let jacoby = if self.jacoby_applies(game) {
            self.rules.jacoby.value
        } else {
            Some(false)
        };
        let stated = outcome.points.map(u64::from);
        let Some(win) = outcome.win else {
            let Some(stated) = stated else {
                return Worth {
                    win: Some(Win::Single),
                    points: cube,
                    fault: None,
                };
            };
            let win = Win::ALL
                .into_iter()
                .find(|&win| cube * factor(win) == stated);
            let fault = match win {
                None => Some(Fault::NoMultiple),
                Some(Win::Single) => None,
                Some(_) => match jacoby {
                    Some(false) => None,
                    Some(true) => Some(Fault::Jacoby),
                    None => Some(Fault::Undecided {
                        with: cube,
                        without: stated,
                    }),
                },
            };
            return Worth {
                win,
                points: stated,
                fault,
            };
        };
        let (with, without) = (cube, cube * factor(win));
        let is_single = match jacoby {
            Some(holds) => holds,
            None => stated == Some(with),
        };
        let points = if is_single { with } else { without };
        let fault = if stated.is_some_and(|stated| stated != points) {
            let factor = if is_single { 1 } else { factor(win) };
            Some(Fault::NotThatMany { factor })
        } else if jacoby.is_none() && with != without {
            Some(Fault::Undecided { with, without })
        } else {
            None
        };
        Worth {
            win: Some(win),
            points,
            fault,
        }
    }

    fn say_worth(&mut self, fault: Fault, worth: Worth, outcome: &Outcome, cube: u64, span: Span) {
        let stated = u64::from(outcome.points.unwrap_or_default());
        let kind = worth.win.map_or("win", Win::name);
        let contradicts = |label: String| {
            let message = format!("a result of {} with the cube on {cube}", points(stated));
            Finding::new(&CONTRADICTORY_RESULT, span, message, label)
        };
        let finding = match fault {
            Fault::NotThatMany { factor } => {
                let message = format!("the {kind} is worth {}, not {stated}", points(worth.points));
                let label = format!("{kind} {factor} x cube {cube} = {}", worth.points);
                let finding = Finding::new(&CONTRADICTORY_RESULT, span, message, label);
                match factor {
                    1 if worth.win != Some(Win::Single) => finding.help(
                        "under the Jacoby rule nothing counts double while nobody has doubled",
                    ),
                    _ => finding,
                }
            }
            Fault::NoMultiple => {
                let mut values = Win::ALL
                    .map(|win| cube * u64::from(self.rules.factor(win)))
                    .to_vec();
                values.dedup();
                let values: Vec<String> = values.iter().map(u64::to_string).collect();
                contradicts(format!("possible: {}", values.join(", ")))
                    .help("points are those of one member, not of the whole team")
            }
            Fault::Jacoby => contradicts(format!(
                "under the Jacoby rule only {cube}: nobody has doubled"
            )),
            Fault::Undecided { with, without } => {
                let message = format!(
                    "{with} with the Jacoby rule, {without} without it, and nothing says which holds"
                );
                let label = match outcome.points.map(u64::from) {
                    Some(stated) if stated == with => "the stated points fit the Jacoby rule",
                    Some(_) => "the stated points fit play without the Jacoby rule",
                    None => "taken as without it",
                };
                Finding::new(&JACOBY_UNDECIDED, span, message, label)
                    .help("say it with --jacoby or --no-jacoby, or in the log: `rules: jacoby`")
            }
        };
        self.report(finding);
    }
}

#[cfg(test)]
mod tests {
    use crate::chouette::testing::{codes, labels, total};

    fn labels_of(rules: &str, doubled: bool, result: &str) -> Vec<String> {
        let turn = "double: Ayla to 2, Burak takes, Ceren takes\n";
        let turn = if doubled { turn } else { "" };
        labels(&format!(
            "rules: {rules}\nseats: Ayla, Burak, Ceren\n{turn}result: {result}\n"
        ))
    }

    #[test]
    fn what_a_win_is_worth_is_said_with_its_reason() {
        for (rules, doubled, result, label) in [
            (
                "no jacoby",
                true,
                "box wins gammon, 2 points",
                "gammon 2 x cube 2 = 4",
            ),
            (
                "no jacoby",
                true,
                "box wins backgammon, 4",
                "backgammon 3 x cube 2 = 6",
            ),
            (
                "backgammon counts 2",
                true,
                "team wins backgammon, 6",
                "backgammon 2 x cube 2 = 4",
            ),
            (
                "jacoby",
                false,
                "box wins gammon, 2 points",
                "gammon 1 x cube 1 = 1",
            ),
            (
                "jacoby",
                false,
                "box wins, 2 points",
                "under the Jacoby rule only 1: nobody has doubled",
            ),
            ("jacoby", true, "box wins, 5 points", "possible: 2, 4, 6"),
            (
                "backgammon counts 2",
                true,
                "box wins, 6 points",
                "possible: 2, 4",
            ),
            ("jacoby", true, "box wins, 0 points", "possible: 2, 4, 6"),
        ] {
            let found = labels_of(rules, doubled, result);
            assert_eq!(
                found,
                [format!("contradictory-result: {label}")],
                "{rules}: {result}"
            );
        }
        for result in [
            "box wins",
            "box wins, 2 points",
            "team wins 4",
            "team wins backgammon 6",
        ] {
            assert_eq!(labels_of("jacoby", true, result), [""; 0], "{result}");
        }
    }

    #[test]
    fn a_result_after_a_pass_must_fit_it() {
        let passed = "seats: Ayla, Burak, Ceren\ndouble: Ayla to 2, Burak passes, Ceren passes\n";
        for (result, is_right) in [
            ("box wins", true),
            ("box wins single, 1 point", true),
            ("box wins, 2 points", false),
            ("box wins gammon", false),
            ("team wins", false),
        ] {
            let text = format!("{passed}result: {result}\n");
            let expected = if is_right {
                vec![]
            } else {
                vec!["contradictory-result"]
            };
            assert_eq!(
                (codes(&text), total(&text)),
                (expected, vec![2, -1, -1]),
                "{result}"
            );
        }
    }

    #[test]
    fn a_second_result_is_one_too_many() {
        let text =
            "seats: Ayla, Burak, Ceren\nresult: box wins\nresult: team wins\nresult: box wins\n";
        assert_eq!(
            (codes(text), total(text)),
            (vec!["after-the-end"], vec![2, -1, -1])
        );
    }
}
