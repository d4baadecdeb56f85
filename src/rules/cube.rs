//! The doubling cube.

use super::{Telling, points};
use crate::diagnostic::{Finding, Level, Rule};
use crate::replay::{Fault, FaultKind};

static DOUBLE_IN_CRAWFORD_GAME: Rule = Rule {
    code: "double-in-crawford-game",
    subject: "cube",
    level: Level::Error,
    title: "a double in the Crawford game",
    explain: "When for the first time a player is one point short of the match, the next game, and only that \
        one, is played without the cube, for both players. The score is reported as recorded and without \
        that double: the ruling is the director's.",
    example: " Game 3 (Crawford)\n  ...\n  5)  Doubles => 2                Takes",
};

pub(crate) static DOUBLE_WITHOUT_ACCESS: Rule = Rule {
    code: "double-without-access",
    subject: "cube",
    level: Level::Error,
    title: "a double by a player who may not turn the cube",
    explain: "A player may double if the cube is in the middle or the own. Who takes a double owns the cube, \
        and only the owner may redouble. Nobody doubles before the opening roll.",
    example: "  5)  Doubles => 2                Takes\n  6)  Doubles => 4",
};

static DOUBLE_AFTER_ROLL: Rule = Rule {
    code: "double-after-roll",
    subject: "cube",
    level: Level::Error,
    title: "a double after rolling",
    explain: "A double is possible only before the own roll. Cube and owner change as recorded, and the roll \
        written again after the answer is the play of that roll.",
    example: "  5) 31: Doubles => 2",
};

pub(crate) static NO_CUBE_IN_USE: Rule = Rule {
    code: "no-cube-in-use",
    subject: "cube",
    level: Level::Error,
    title: "a double where no cube is in use",
    explain: "A match to one point has no cube, and neither has one whose header sets the cube limit to 1 or \
        whose rules say so (--no-cube), as those of long nardi do.",
    example: " 1 point match\n ...\n  5)  Doubles => 2",
};

static DOUBLE_TOO_EARLY: Rule = Rule {
    code: "double-too-early",
    subject: "cube",
    level: Level::Error,
    title: "a double too soon after the Crawford game",
    explain: "The Holland rule (--holland): after the Crawford game the trailing player may not double before \
        each side has played two turns.",
    example: " 3 point match\n Game 3\n  1) 31: 8/5 6/5                  Doubles => 2",
};

pub(crate) static CUBE_LIMIT: Rule = Rule {
    code: "cube-limit",
    subject: "cube",
    level: Level::Error,
    title: "a double beyond the highest value agreed",
    explain: "The header (CubeLimit) or the option --cube-limit sets the highest value of the cube.",
    example: "; [CubeLimit \"64\"]\n ...\n 30)  Doubles => 128",
};

pub(crate) static CUBE_VALUE: Rule = Rule {
    code: "cube-value",
    subject: "cube",
    level: Level::Error,
    title: "the stated value is not twice the current one",
    explain: "Each double doubles once. Play goes on with twice the value of the cube, whatever is written; if \
        the stated result fits only the written value, that is said.",
    example: "  5)  Doubles => 4                Takes",
};

static ANSWER_WITHOUT_DOUBLE: Rule = Rule {
    code: "answer-without-double",
    subject: "cube",
    level: Level::Error,
    title: "an answer with nothing to answer",
    explain: "A take, a pass or a beaver needs a double of the opponent before it. The cell changes nothing.",
    example: "  5)  Takes",
};

pub(crate) static DOUBLE_UNANSWERED: Rule = Rule {
    code: "double-unanswered",
    subject: "cube",
    level: Level::Warning,
    title: "a double without an answer",
    explain: "If play went on, the double was taken; if the doubler has won, it was passed.",
    example: "  5)  Doubles => 2\n  6) 31: 8/5 6/5",
};

pub(crate) static BEAVER_NOT_AGREED: Rule = Rule {
    code: "beaver-not-agreed",
    subject: "cube",
    level: Level::Error,
    title: "a beaver where none is agreed",
    explain: "A beaver (the player doubled redoubles at once and keeps the cube) belongs to money play, and \
        only if agreed: it is an error in a match or where a tag or option forbids it, and a warning where \
        nothing is said. The option is --beavers.",
    example: "  5)  Doubles => 2                Beavers => 4",
};

pub(crate) static RACCOON_NOT_AGREED: Rule = Rule {
    code: "raccoon-not-agreed",
    subject: "cube",
    level: Level::Error,
    title: "a raccoon where none is agreed",
    explain: "A raccoon (the doubler turns the cube once more after a beaver) belongs to money play, and only \
        if agreed: it is an error in a match or where a tag or option forbids it, and a warning where \
        nothing is said. The option is --raccoons.",
    example: "  6)  Raccoons => 8",
};

pub(crate) static AUTOMATIC_DOUBLE_NOT_AGREED: Rule = Rule {
    code: "automatic-double-not-agreed",
    subject: "cube",
    level: Level::Error,
    title: "automatic doubles where none are agreed",
    explain: "In money play a first double to 4 or 8 tells that equal opening dice had doubled the cube in the \
        middle. That needs an agreement, usually on one such double a game: --automatic-doubles N.",
    example: " 0 point match\n ...\n  2)  Doubles => 4",
};

static DEAD_CUBE: Rule = Rule {
    code: "dead-cube",
    subject: "cube",
    level: Level::Note,
    title: "the doubler would win the match with the cube as it is",
    explain: "The double cannot help the doubler, who wins the match with the cube as it stands; it only gives \
        the opponent more to win. That is allowed, and often a slip.",
    example: " 3 point match\n Alice : 2                        Bob : 1\n  2)  Doubles => 2",
};

/// The rules of this subject.
pub(super) const RULES: &[&Rule] = &[
    &DOUBLE_IN_CRAWFORD_GAME,
    &DOUBLE_WITHOUT_ACCESS,
    &DOUBLE_AFTER_ROLL,
    &NO_CUBE_IN_USE,
    &DOUBLE_TOO_EARLY,
    &CUBE_LIMIT,
    &CUBE_VALUE,
    &ANSWER_WITHOUT_DOUBLE,
    &DOUBLE_UNANSWERED,
    &BEAVER_NOT_AGREED,
    &RACCOON_NOT_AGREED,
    &AUTOMATIC_DOUBLE_NOT_AGREED,
    &DEAD_CUBE,
];

/// The finding of a fault of the cube; `None` for other subjects.
pub(super) fn finding(telling: &Telling<'_>, fault: &Fault<'_>) -> Option<Finding> {
    let span = telling.span(fault);
    let new = |rule, message: &str, label: &str| Finding::new(rule, span, message, label);
    let doubler = telling.entry(fault).map(|entry| entry.player);
    Some(match &fault.kind {
        FaultKind::DoubleInCrawfordGame => {
            let (one, two) = (fault.score.one, fault.score.two);
            let label = format!("the score is {one}-{two}, and this is the Crawford game");
            new(
                &DOUBLE_IN_CRAWFORD_GAME,
                "a double in the Crawford game",
                &label,
            )
            .help("the cube is followed as recorded; the score without this double is given too")
        }
        FaultKind::DoubleWithoutAccess {
            before_opening: true,
        } => new(
            &DOUBLE_WITHOUT_ACCESS,
            "a double before the opening roll",
            "nobody is on turn before the dice decide who starts",
        ),
        FaultKind::DoubleWithoutAccess { .. } => {
            let name = doubler
                .map(|player| telling.name(!player))
                .unwrap_or_default();
            new(
                &DOUBLE_WITHOUT_ACCESS,
                "a double by a player who does not own the cube",
                &format!("{name} owns the cube"),
            )
            .help("the cube is followed as recorded; the score without this double is given too")
        }
        FaultKind::DoubleAfterRoll => new(
            &DOUBLE_AFTER_ROLL,
            "a double after rolling",
            "a double comes before the roll",
        ),
        FaultKind::NoCubeInUse { one_point: true } => new(
            &NO_CUBE_IN_USE,
            "a double in a match to one point",
            "one point needs no cube",
        ),
        FaultKind::NoCubeInUse { .. } => new(
            &NO_CUBE_IN_USE,
            "a double where no cube is in use",
            "the rules of this match have no cube",
        ),
        FaultKind::DoubleTooEarly => new(
            &DOUBLE_TOO_EARLY,
            "a double too soon after the Crawford game",
            "both players must have played two turns",
        ),
        FaultKind::CubeLimit { limit, to } => new(
            &CUBE_LIMIT,
            &format!("a double to {to}, and the cube ends at {limit}"),
            "beyond the highest value agreed",
        ),
        FaultKind::CubeValue {
            written,
            right,
            fits_written,
        } => {
            let finding = new(
                &CUBE_VALUE,
                &format!("the cube goes to {right}, not to {written}"),
                &format!("twice {} is {right}", right / 2),
            );
            match fits_written {
                Some(stated) => finding.help(format!(
                    "the stated {} fit only a cube on the written value; they are counted as stated",
                    points(*stated)
                )),
                None => finding,
            }
        }
        FaultKind::AnswerWithoutDouble => new(
            &ANSWER_WITHOUT_DOUBLE,
            "an answer with nothing to answer",
            "no double is open here; the cell changes nothing",
        ),
        FaultKind::DoubleUnanswered { taken: true } => new(
            &DOUBLE_UNANSWERED,
            "a double without an answer",
            "play went on, so it was taken",
        ),
        FaultKind::DoubleUnanswered { taken: false } => new(
            &DOUBLE_UNANSWERED,
            "a double without an answer",
            "the doubler won, so it was passed",
        ),
        FaultKind::BeaverNotAgreed { certain, in_match } => not_agreed(
            new(&BEAVER_NOT_AGREED, "a beaver where none is agreed", ""),
            *certain,
            *in_match,
            "--beavers",
        ),
        FaultKind::RaccoonNotAgreed { certain, in_match } => not_agreed(
            new(&RACCOON_NOT_AGREED, "a raccoon where none is agreed", ""),
            *certain,
            *in_match,
            "--raccoons",
        ),
        FaultKind::AutomaticDoubleNotAgreed { certain, doubles } => {
            let message = match doubles {
                1 => "the cube was on 2 before the first double: an automatic double".to_owned(),
                _ => format!(
                    "the cube was on {} before the first double: {doubles} automatic doubles",
                    1u32 << doubles
                ),
            };
            let finding = new(&AUTOMATIC_DOUBLE_NOT_AGREED, &message, "");
            not_agreed(
                finding,
                *certain,
                false,
                &format!("--automatic-doubles {doubles}"),
            )
        }
        FaultKind::DeadCube => {
            let name = doubler
                .map(|player| telling.name(player))
                .unwrap_or_default();
            let label = format!("{name} wins the match with the cube as it is");
            new(&DEAD_CUBE, "the double is dead", &label)
        }
        _ => return None,
    })
}

/// An error where it is certain that there is no agreement, a warning where nothing says.
pub(crate) fn not_agreed(
    mut finding: Finding,
    certain: bool,
    in_match: bool,
    option: &str,
) -> Finding {
    finding.primary.text = match (in_match, certain) {
        (true, _) => "not in match play",
        (false, true) => "the rules of this session forbid it",
        (false, false) => "nothing says that it was agreed",
    }
    .to_owned();
    if certain {
        return finding;
    }
    finding
        .at_level(Level::Warning)
        .help(format!("if it was agreed, say so with {option}"))
}
