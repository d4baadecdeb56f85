//! Turns of the cube: who may, who must agree, who answers.

use super::game::{HIGHEST_CUBE, OpenTurn, Role};
use super::log::{Answer, Name, Side, Turn, TurnKind};
use super::seats::PlayerId;
use super::session::Judge;
use super::words::names;
use crate::diagnostic::{Finding, Level};
use crate::rules::chouette::{ANSWER_MISSING, ANSWER_WITHOUT_RIGHT, CONSENT_MISSING};
use crate::rules::cube::{
    AUTOMATIC_DOUBLE_NOT_AGREED, BEAVER_NOT_AGREED, CUBE_LIMIT, CUBE_VALUE, DOUBLE_UNANSWERED,
    DOUBLE_WITHOUT_ACCESS, NO_CUBE_IN_USE, RACCOON_NOT_AGREED, not_agreed,
};
use crate::source::Span;

/// What was said to a turn of the cube.
#[derive(Debug, Default)]
struct Said {
    agree: Vec<PlayerId>,
    refuse: Vec<PlayerId>,
    take: Vec<PlayerId>,
    pass: Vec<PlayerId>,
    /// Who has said something that was reported.
    odd: Vec<PlayerId>,
    /// How many answers were reported.
    wrong: usize,
}

impl Said {
    fn has_answered(&self, player: PlayerId) -> bool {
        self.take.contains(&player) || self.pass.contains(&player)
    }
}

impl Judge<'_> {
    /// Judges a turn of the cube with its answers.
    pub(super) fn turn(&mut self, turn: &Turn, span: Span) {
        let Some(game) = &self.game else {
            let message = format!("a {} without a game", turn.kind.name());
            let label = "nobody has sat down to one";
            return self.say(&DOUBLE_WITHOUT_ACCESS, span, message, label);
        };
        if game.is_over() {
            return self.after_the_end(span);
        }
        let by = self.expected(&turn.by);
        let side = self.side_of(by, turn);
        let may = self.follow_up(turn, side, by) && self.may_turn(turn, by, side);
        self.check_value(turn.to, span);
        let Some(game) = &mut self.game else {
            return;
        };
        let before = (game.cube, game.owner);
        game.turn(turn.kind, side);
        let said = self.answers(turn, side, by);
        if side == Side::Team && may {
            self.check_consent(&said, by, span);
        }
        self.settle_turn(turn.kind, side, before, &said, span);
    }

    /// The side of who turns the cube; of a stranger that to which the answers belong.
    fn side_of(&self, by: Option<PlayerId>, turn: &Turn) -> Side {
        let role = |player| {
            self.game
                .as_ref()
                .map_or(Role::Stranger, |game| game.role(player))
        };
        match by.map(role) {
            Some(Role::Box) => Side::Box,
            Some(Role::Captain | Role::Member | Role::Out) => Side::Team,
            Some(Role::Stranger) | None => {
                let of_team =
                    |(_, said): &(Name, Answer)| matches!(said, Answer::Agrees | Answer::Refuses);
                if turn.answers.iter().any(of_team) {
                    Side::Team
                } else {
                    Side::Box
                }
            }
        }
    }

    /// Ends the turn before this one; `false`, with a finding, if a beaver or raccoon follows nothing.
    fn follow_up(&mut self, turn: &Turn, side: Side, by: Option<PlayerId>) -> bool {
        let follows = match turn.kind {
            TurnKind::Double => None,
            TurnKind::Beaver => Some(TurnKind::Double),
            TurnKind::Raccoon => Some(TurnKind::Beaver),
        };
        let open = self.game.as_ref().and_then(|game| game.open.as_ref());
        let is_answer = open.is_some_and(|open| Some(open.kind) == follows && open.by != side);
        if !is_answer {
            self.close_turn(&[]);
            if let Some(before) = follows {
                let message = format!("a {} with nothing before it", turn.kind.name());
                let label = format!("it answers a {} of the other side", before.name());
                self.say(&DOUBLE_WITHOUT_ACCESS, turn.by.span, message, label);
                return false;
            }
            return true;
        }
        // Who turns the cube once more, or agrees to that, has taken.
        let mut takers: Vec<PlayerId> = by.into_iter().collect();
        for (name, said) in &turn.answers {
            if *said == Answer::Agrees {
                takers.extend(self.exactly(name));
            }
        }
        self.close_turn(&takers);
        true
    }

    /// Reports a turn by somebody who may not; whether there was nothing to report.
    fn may_turn(&mut self, turn: &Turn, by: Option<PlayerId>, side: Side) -> bool {
        let Some((game, by)) = self.game.as_ref().zip(by) else {
            return by.is_some();
        };
        let (role, owner) = (game.role(by), game.owner);
        let kind = turn.kind.name();
        let captain = game
            .seats
            .captain()
            .map(|captain| self.name(captain).to_owned());
        let who = self.name(by).to_owned();
        let is_double = turn.kind == TurnKind::Double;
        let why = match role {
            Role::Stranger => Some(format!("{who} does not sit in this game")),
            Role::Out => Some(format!("{who} has passed and is out of this game")),
            Role::Member => {
                captain.map(|captain| format!("the captain turns the cube of the team: {captain}"))
            }
            Role::Box | Role::Captain if !self.rules.cube.value => {
                let label = "the rules of this session have no cube";
                let message = format!("a {kind} where no cube is in use");
                self.say(&NO_CUBE_IN_USE, turn.by.span, message, label);
                return false;
            }
            Role::Box | Role::Captain if is_double && owner == Some(!side) => {
                Some(format!("the {} owns the cube", (!side).name()))
            }
            Role::Box | Role::Captain => None,
        };
        if let Some(why) = why {
            let message = format!("a {kind} by a player who may not turn the cube");
            let finding = Finding::new(&DOUBLE_WITHOUT_ACCESS, turn.by.span, message, why);
            self.report(finding.help("the cube is followed as recorded"));
            return false;
        }
        self.check_agreement(turn);
        true
    }

    fn check_agreement(&mut self, turn: &Turn) {
        let (rule, agreed, option) = match turn.kind {
            TurnKind::Double => return,
            TurnKind::Beaver => (&BEAVER_NOT_AGREED, self.rules.beavers.value, "--beavers"),
            TurnKind::Raccoon => (&RACCOON_NOT_AGREED, self.rules.raccoons.value, "--raccoons"),
        };
        if agreed != Some(true) {
            let message = format!("a {} where none is agreed", turn.kind.name());
            let finding = Finding::new(rule, turn.by.span, message, "");
            self.report(not_agreed(finding, agreed == Some(false), false, option));
        }
    }

    /// Compares the value of the cube as stated, and looks whether it may go that far.
    fn check_value(&mut self, stated: Option<u32>, span: Span) {
        let Some(game) = &self.game else {
            return;
        };
        let (cube, right) = (game.cube, game.cube * 2);
        if let Some(stated) = stated.map(u64::from).filter(|&stated| stated != right) {
            let message = format!("the cube goes to {right}, not to {stated}");
            let label = format!("twice {cube} is {right}");
            return self.say(&CUBE_VALUE, span, message, label);
        }
        let limit = self.rules.cube_limit.value.map_or(HIGHEST_CUBE, u64::from);
        if right > limit.min(HIGHEST_CUBE) {
            let message = format!("a double to {right}, and the cube ends at {limit}");
            let label = "beyond the highest value agreed";
            self.say(&CUBE_LIMIT, span, message, label);
        }
    }

    /// The player of exactly this name.
    fn exactly(&self, name: &Name) -> Option<PlayerId> {
        let game = self.game.as_ref()?;
        let mut seats = game.seats.order().iter().copied();
        seats.find(|&player| self.name(player) == name.value)
    }

    /// Takes the answers, and reports those that nobody has asked for.
    fn answers(&mut self, turn: &Turn, side: Side, by: Option<PlayerId>) -> Said {
        let mut said = Said::default();
        for (name, answer) in &turn.answers {
            if *answer == Answer::Unreadable {
                said.wrong += 1;
                continue;
            }
            let Some(player) = self.expected(name) else {
                said.wrong += 1;
                continue;
            };
            let Some(game) = &self.game else {
                return said;
            };
            let role = game.role(player);
            let of_box = role == Role::Box;
            let of_team = matches!(role, Role::Captain | Role::Member);
            let is_answer = matches!(answer, Answer::Takes | Answer::Passes);
            let who = self.name(player);
            let why = match role {
                Role::Out => format!("{who} has passed and is out of this game"),
                Role::Stranger => format!("{who} does not sit in this game"),
                _ if said.has_answered(player) => format!("{who} has answered already"),
                Role::Box if side == Side::Box => format!("{who} is the box, who turns the cube"),
                _ if side == Side::Box && !is_answer => {
                    format!("the box asks nobody for consent: {who} takes or passes")
                }
                _ if side == Side::Team && of_team && is_answer => {
                    "only the box answers the team".to_owned()
                }
                _ if side == Side::Team && of_box && !is_answer => {
                    format!("{who} is the box, who takes or passes")
                }
                _ => {
                    match answer {
                        Answer::Agrees => said.agree.push(player),
                        Answer::Refuses => said.refuse.push(player),
                        Answer::Takes => said.take.push(player),
                        Answer::Passes => said.pass.push(player),
                        Answer::Unreadable => {}
                    }
                    continue;
                }
            };
            said.odd.push(player);
            said.wrong += 1;
            let message = match by {
                Some(by) if by == player => "an answer to the own double".to_owned(),
                _ => format!("{who} is not asked for this"),
            };
            self.say(&ANSWER_WITHOUT_RIGHT, name.span, message, why);
        }
        said
    }

    /// Reports a turn by the team to which a member has not agreed.
    fn check_consent(&mut self, said: &Said, by: Option<PlayerId>, span: Span) {
        let Some(game) = &self.game else {
            return;
        };
        let silent = game.members().into_iter().filter(|player| {
            Some(*player) != by
                && !said.agree.contains(player)
                && !said.refuse.contains(player)
                && !said.odd.contains(player)
        });
        let silent: Vec<PlayerId> = silent.collect();
        if said.refuse.is_empty() && (silent.is_empty() || silent.len() <= said.wrong) {
            return;
        }
        let list = |players: &[PlayerId]| {
            let list: Vec<&str> = players.iter().map(|&player| self.name(player)).collect();
            names(&list)
        };
        let refused = (!said.refuse.is_empty()).then(|| format!("{} refused", list(&said.refuse)));
        let missing = (!silent.is_empty()).then(|| format!("{} said nothing", list(&silent)));
        let label: Vec<String> = refused.into_iter().chain(missing).collect();
        let message = "the team turns the cube without the consent of all";
        let finding = Finding::new(&CONSENT_MISSING, span, message, label.join(", "));
        self.report(
            finding.help(
                "every member who is still in must agree; the double is followed as recorded",
            ),
        );
    }

    /// Lets the passes count, and leaves the turn open for what may still follow.
    fn settle_turn(
        &mut self,
        kind: TurnKind,
        by: Side,
        before: (u64, Option<Side>),
        said: &Said,
        span: Span,
    ) {
        let Some(game) = &mut self.game else {
            return;
        };
        let is_waiting =
            |player: &PlayerId| !said.has_answered(*player) && !said.odd.contains(player);
        let waiting: Vec<PlayerId> = game.asked(by).into_iter().filter(is_waiting).collect();
        // One answer that was reported stands for one that is missing.
        let waiting = if waiting.len() <= said.wrong {
            Vec::new()
        } else {
            waiting
        };
        game.open = Some(OpenTurn {
            kind,
            by,
            span,
            is_answered: !said.take.is_empty() || !said.pass.is_empty(),
            waiting,
            before,
        });
        game.pass(by, before, &said.pass);
        if game.is_over() {
            self.settle();
        }
    }

    /// Reports what the last turn still waits for: from here on it counts as taken.
    pub(super) fn close_turn(&mut self, takers: &[PlayerId]) {
        let Some(open) = self.game.as_mut().and_then(|game| game.open.take()) else {
            return;
        };
        // Silence accepts a beaver or a raccoon.
        if open.kind != TurnKind::Double {
            return;
        }
        let missing = open
            .waiting
            .iter()
            .copied()
            .filter(|player| !takers.contains(player));
        let missing: Vec<PlayerId> = missing.collect();
        if missing.is_empty() {
            return;
        }
        if !open.is_answered && takers.is_empty() {
            let label = "play went on, so it was taken";
            return self.say(
                &DOUBLE_UNANSWERED,
                open.span,
                "a double without an answer",
                label,
            );
        }
        let list: Vec<&str> = missing.iter().map(|&player| self.name(player)).collect();
        let verb = if list.len() == 1 { "has" } else { "have" };
        let message = format!("{} {verb} not answered the double", names(&list));
        self.say(&ANSWER_MISSING, open.span, message, "taken as a take");
    }

    /// An automatic double: the cube stays in the middle.
    pub(super) fn automatic_double(&mut self, to: Option<u32>, span: Span) {
        let Some(game) = &self.game else {
            let label = "nobody has sat down to one";
            return self.say(
                &AUTOMATIC_DOUBLE_NOT_AGREED,
                span,
                "an automatic double without a game",
                label,
            );
        };
        if game.is_over() {
            return self.after_the_end(span);
        }
        self.close_turn(&[]);
        self.check_value(to, span);
        let Some(game) = &mut self.game else {
            return;
        };
        let (is_turned, count) = (game.is_turned, game.automatic_doubles + 1);
        game.automatic_doubles = count;
        game.double_cube();
        let agreed = self.rules.automatic_doubles.value;
        if !self.rules.cube.value {
            let label = "the rules of this session have no cube";
            self.say(
                &NO_CUBE_IN_USE,
                span,
                "an automatic double where no cube is in use",
                label,
            );
        } else if is_turned {
            let message = "an automatic double after a player has turned the cube";
            let label = "it comes with the opening roll";
            self.say(&AUTOMATIC_DOUBLE_NOT_AGREED, span, message, label);
        } else if agreed.is_none_or(|agreed| count > agreed) {
            let message = match agreed {
                None | Some(0) => "an automatic double where none is agreed".to_owned(),
                Some(agreed) => format!("automatic double {count} of a game, and {agreed} agreed"),
            };
            let finding = Finding::new(&AUTOMATIC_DOUBLE_NOT_AGREED, span, message, "");
            let option = format!("--automatic-doubles {count}");
            let finding = not_agreed(finding, agreed.is_some(), false, &option);
            // The warning is for the first: the others are the same agreement.
            if count == 1 || finding.level == Level::Error {
                self.report(finding);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::chouette::testing::{codes, labels, total};

    const SEATS: &str = "rules: beavers, raccoons\nseats: Ayla, Burak, Ceren, Deniz\n";

    fn game(events: &str) -> String {
        format!("{SEATS}{events}")
    }

    #[test]
    fn a_beaver_takes_and_keeps_the_cube() {
        let text = game(
            "double: Ayla to 2, Ceren passes, Deniz takes\nbeaver: Burak to 4, Deniz agrees\n\
             raccoon: Ayla to 8, Deniz passes\ndouble: Burak to 16, Ayla takes\nresult: team wins\n",
        );
        assert_eq!(codes(&text), [""; 0]);
        assert_eq!(total(&text), [-11, 16, -1, -4]);
    }

    #[test]
    fn a_beaver_of_the_team_needs_the_consent_of_all() {
        let doubled = "double: Ayla to 2, Ceren takes, Deniz takes\n";
        let text = game(&format!(
            "{doubled}beaver: Burak to 4, Ceren agrees\nresult: box wins\n"
        ));
        assert_eq!(labels(&text), ["consent-missing: Deniz said nothing"]);
        let text = game(&format!(
            "{doubled}beaver: Ceren to 4, Burak agrees, Deniz agrees\nresult: box wins, 4\n"
        ));
        assert_eq!(codes(&text), ["double-without-access"]);
    }

    #[test]
    fn a_beaver_that_is_passed_costs_the_double() {
        let text = game(
            "double: Burak to 2, Ceren agrees, Deniz agrees\n\
             beaver: Ayla to 4, Burak passes, Ceren passes, Deniz passes\n",
        );
        assert_eq!((codes(&text), total(&text)), (vec![], vec![6, -2, -2, -2]));
    }

    #[test]
    fn a_beaver_needs_a_double_before_it() {
        let text = game("beaver: Burak to 2, Ceren agrees, Deniz agrees\nresult: box wins\n");
        assert_eq!(
            labels(&text),
            ["double-without-access: it answers a double of the other side"]
        );
    }

    #[test]
    fn each_answer_that_nobody_asked_for_says_why() {
        for (answers, label) in [
            (
                "Ayla takes, Burak takes, Ceren takes, Deniz takes",
                "Ayla is the box, who turns the cube",
            ),
            (
                "Burak takes, Ceren agrees, Deniz takes",
                "the box asks nobody for consent: Ceren takes or passes",
            ),
            (
                "Burak takes, Ceren takes, Deniz takes, Burak passes",
                "Burak has answered already",
            ),
        ] {
            let text = game(&format!(
                "double: Ayla to 2, {answers}\nresult: box wins, 2 points\n"
            ));
            assert_eq!(
                labels(&text),
                [format!("answer-without-right: {label}")],
                "{text}"
            );
        }
        let text =
            game("double: Burak to 2, Ceren agrees, Deniz agrees, Ayla agrees\nresult: box wins\n");
        let label = "answer-without-right: Ayla is the box, who takes or passes";
        assert_eq!(labels(&text), [label]);
    }

    #[test]
    fn a_captain_who_passed_may_not_double_and_the_next_may() {
        let passed = "double: Ayla to 2, Burak passes, Ceren takes, Deniz takes\n";
        let text = game(&format!(
            "{passed}double: Burak to 4, Deniz agrees, Ayla takes\nresult: box wins\n"
        ));
        assert_eq!(
            labels(&text),
            ["double-without-access: Burak has passed and is out of this game"]
        );
        let text = game(&format!(
            "{passed}double: Ceren to 4, Deniz agrees, Ayla takes\nresult: box wins\n"
        ));
        assert_eq!((codes(&text), total(&text)), (vec![], vec![9, -1, -4, -4]));
    }

    #[test]
    fn an_absurd_number_of_doubles_ends_somewhere() {
        let turns = "double: Ayla, Burak takes, Ceren takes, Deniz takes\n\
             double: Burak, Ceren agrees, Deniz agrees, Ayla takes\n";
        let text = game(&format!("{}result: box wins gammon\n", turns.repeat(16)));
        assert_eq!(codes(&text), ["cube-limit"; 2]);
        assert_eq!(total(&text), [6 << 30, -2 << 30, -2 << 30, -2 << 30]);
    }

    #[test]
    fn automatic_doubles_come_before_any_other() {
        let text = "rules: automatic doubles 1\nseats: Ayla, Burak, Ceren\n\
            double: Ayla to 2, Burak takes, Ceren takes\nautomatic double: to 4\nresult: box wins\n";
        assert_eq!(
            labels(text),
            ["automatic-double-not-agreed: it comes with the opening roll"]
        );
    }

    #[test]
    fn nothing_is_doubled_before_a_game() {
        let text = "double: Ayla to 2\nautomatic double\nresult: box wins\nsettlement: Ayla +1\n";
        let expected = [
            "double-without-access",
            "automatic-double-not-agreed",
            "contradictory-result",
            "unknown-player",
        ];
        assert_eq!(codes(text), expected);
    }
}
