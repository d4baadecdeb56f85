//! How long the players thought.

use super::Telling;
use crate::diagnostic::{Finding, Level, Rule};
use crate::replay::{Fault, FaultKind};

static MOVE_TOO_LONG: Rule = Rule {
    code: "move-too-long",
    subject: "clock",
    level: Level::Error,
    title: "a move took longer than any may",
    explain: "Some clocks have a limit for a single move besides the bank: on the server nardeon it is 60 \
        seconds. What happens then is for the director; the record is judged on. Only formats that keep times \
        can be judged, and only where a clock was agreed.",
    example: "{\"player\": 0, \"action\": \"play\", \"roll\": \"31\", \"seconds\": 71.0}   with --clock 12/120/60",
};

static BANK_EMPTY: Rule = Rule {
    code: "bank-empty",
    subject: "clock",
    level: Level::Error,
    title: "a player has used up the bank",
    explain: "The first seconds of each move are free, or are added to the bank; what goes beyond comes out of \
        the bank that each player has for the match. When it is empty the match is lost, whatever the board \
        shows. Told once for a player; what follows is judged as it was played.",
    example: "{\"player\": 0, \"action\": \"play\", \"roll\": \"31\", \"seconds\": 140.0}   with --clock 12/120",
};

static CLOCK_RAN_BACKWARDS: Rule = Rule {
    code: "clock-ran-backwards",
    subject: "clock",
    level: Level::Error,
    title: "a clock shows more time than it can",
    explain: "What is left in a bank cannot grow, but by the increment of a clock that has one, and a move \
        cannot take less than no time. Two times were swapped, or one belongs to the other player.",
    example: "{\"player\": 0, …, \"seconds_left\": 80.0} … {\"player\": 0, …, \"seconds_left\": 95.0}",
};

/// The rules of this subject.
pub(super) const RULES: &[&Rule] = &[&MOVE_TOO_LONG, &BANK_EMPTY, &CLOCK_RAN_BACKWARDS];

/// The finding of a fault of this subject.
pub(super) fn finding(telling: &Telling<'_>, fault: &Fault<'_>) -> Option<Finding> {
    let span = telling.span(fault);
    let player = telling.entry(fault).map(|entry| entry.player);
    let name = player.map_or_else(String::new, |player| telling.name(player));
    let clock = telling.rules.clock;
    let agreed = clock
        .value
        .map_or_else(String::new, |clock| clock.to_string());
    let help = format!("the clock is {agreed} ({})", clock.origin.name());
    let finding = match fault.kind {
        FaultKind::MoveTooLong { used, most } => {
            let message = format!("{name} took {} for a move", seconds(used));
            let label = format!("at most {} are allowed", seconds(most));
            Finding::new(&MOVE_TOO_LONG, span, message, label)
        }
        FaultKind::BankEmpty { over } => {
            let message = format!("the bank of {name} is empty: the match is lost on time");
            let label = format!("{} too many", seconds(over));
            Finding::new(&BANK_EMPTY, span, message, label)
        }
        FaultKind::ClockRanBackwards { before, here } => {
            let message = format!("the clock of {name} shows {}", seconds(here));
            let label = match here < 0.0 {
                true => "no move takes less than no time".to_owned(),
                false => format!("it can show {} at most", seconds(before)),
            };
            Finding::new(&CLOCK_RAN_BACKWARDS, span, message, label)
        }
        _ => return None,
    };
    Some(finding.help(help))
}

/// `71 seconds`, `1 second`, `2.5 seconds`.
fn seconds(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    let noun = if rounded == 1.0 { "second" } else { "seconds" };
    format!("{rounded} {noun}")
}
