//! Results, scores and the Crawford game.

use super::{Telling, points};
use crate::board::{ByPlayer, Variant};
use crate::diagnostic::{Finding, Level, Rule, syntax};
use crate::replay::{Fault, FaultKind, Habit, Impossible, PointsReason};
use crate::source::Span;

static WRONG_POINTS: Rule = Rule {
    code: "wrong-points",
    subject: "score",
    level: Level::Error,
    title: "the stated points are not what the game was worth",
    explain: "After a bear-off a game is worth the cube, twice that for a gammon (the loser has borne off \
        none), three times for a backgammon (and has a checker on the bar or in the winner's home board). \
        After a pass it is worth the cube before the double. Under the Jacoby rule gammons count single \
        while nobody has doubled. A game of long nardi is worth 1, and 2 for a mars.",
    example: "      Wins 2 points",
};

static WRONG_WINNER: Rule = Rule {
    code: "wrong-winner",
    subject: "score",
    level: Level::Error,
    title: "the stated winner did not win",
    explain: "The winner is who bore off the last checker, whose double was passed, or to whom the opponent \
        resigned. Often the result stands in the wrong column.",
    example: " 22) 61: 2/off 1/off\n                                  Wins 1 point",
};

static WRONG_SCORE: Rule = Rule {
    code: "wrong-score",
    subject: "score",
    level: Level::Error,
    title: "a stated score is not the running score",
    explain: "The score before a game is the score before the game before it and the points won there. A \
        heading is right if it follows from the first heading on, or from the heading before it.",
    example: " Game 2\n Alice : 2                        Bob : 0",
};

static IMPOSSIBLE_POINTS: Rule = Rule {
    code: "impossible-points",
    subject: "score",
    level: Level::Error,
    title: "no resignation is worth the stated points",
    explain: "A game that stops before its end was given up as a single game, a gammon or a backgammon: once, \
        twice or three times the cube. Under the Jacoby rule only once, while nobody has doubled. \
        A game of long nardi is worth 1 or 2.",
    example: "  9)  Doubles => 2                Takes\n      Wins 3 points",
};

static POINTS_CAPPED: Rule = Rule {
    code: "points-capped",
    subject: "score",
    level: Level::Note,
    title: "only the points that were needed are counted",
    explain: "The last game won more than the winner needed, and the writer counted what was needed, as \
        OpenGammon, Foxamon and Backgammon Galaxy do. Computed points and scores are given in full.",
    example: " 3 point match\n ...\n      Wins 1 points and the match",
};

pub(crate) static RESULT_MISSING: Rule = Rule {
    code: "result-missing",
    subject: "score",
    level: Level::Warning,
    title: "a game that is over has no stated result",
    explain: "The game is over, or another follows it, and nothing says who won what. Winner and points are \
        taken from the play, or from the next heading.",
    example: "  9)  Doubles => 2                Drops\n\n Game 2",
};

pub(crate) static GAME_UNFINISHED: Rule = Rule {
    code: "game-unfinished",
    subject: "score",
    level: Level::Note,
    title: "the last game has no end",
    explain: "The record stops in the middle of its last game.",
    example: "  2) 42: 8/4 6/4",
};

static MATCH_UNFINISHED: Rule = Rule {
    code: "match-unfinished",
    subject: "score",
    level: Level::Note,
    title: "the record ends before the length is reached",
    explain: "The last game of the record is over, and nobody has reached the length of the match.",
    example: " 7 point match\n ...\n      Wins 1 point",
};

static CRAWFORD_MISLABELLED: Rule = Rule {
    code: "crawford-mislabelled",
    subject: "score",
    level: Level::Error,
    title: "a stated Crawford game is none, or the reverse",
    explain: "The Crawford game is the first one in which a player is one point short of the match, and only \
        that one. The computed score decides.",
    example: " Game 2 (Crawford)\n Alice : 1                        Bob : 0",
};

static CRAWFORD_UNKNOWN: Rule = Rule {
    code: "crawford-unknown",
    subject: "score",
    level: Level::Note,
    title: "nothing says whether this is the Crawford game",
    explain: "The record starts with a player one point short, and games before it are not in it. The game is \
        taken for the Crawford game unless somebody doubles in it.",
    example: " 3 point match\n\n Game 1\n Alice : 2                        Bob : 1",
};

static SITE_HABIT: Rule = Rule {
    code: "site-habit",
    subject: "score",
    level: Level::Note,
    title: "a habit of the producing program explains a difference",
    explain: "Some programs write numbers that are not the points won: Backgammon Studio a large number where \
        the opponent left the match, Backgammon Galaxy an unlimited game with the Jacoby rule as a match of \
        one game. The finding says which, and how the program was recognised.",
    example: "; [Site \"Backgammon Studio\"]\n ...\n      Wins 2008 point",
};

pub(crate) static JACOBY_UNDECIDED: Rule = Rule {
    code: "jacoby-undecided",
    subject: "score",
    level: Level::Note,
    title: "nothing says whether the Jacoby rule holds",
    explain: "In this money session a gammon was won with the cube unturned, which counts single under the \
        Jacoby rule. Neither a tag nor an option says whether it holds: the stated points decide if they fit \
        one reading. Say it with --jacoby or --no-jacoby.",
    example: " 0 point match\n ...\n      Wins 2 points",
};

/// The rules of this subject.
pub(super) const RULES: &[&Rule] = &[
    &WRONG_POINTS,
    &WRONG_WINNER,
    &WRONG_SCORE,
    &IMPOSSIBLE_POINTS,
    &POINTS_CAPPED,
    &RESULT_MISSING,
    &GAME_UNFINISHED,
    &MATCH_UNFINISHED,
    &CRAWFORD_MISLABELLED,
    &CRAWFORD_UNKNOWN,
    &SITE_HABIT,
    &JACOBY_UNDECIDED,
];

fn text(score: ByPlayer<u32>) -> String {
    format!("{}-{}", score.one, score.two)
}

/// How points are computed: `gammon 2 x cube 4 = 8`.
pub(super) fn reason_text(variant: Variant, reason: &PointsReason) -> String {
    match reason {
        PointsReason::Win { win, factor, .. } if variant == Variant::LongNardi => {
            format!("{} = {factor}", variant.win_name(*win))
        }
        PointsReason::Pass { value } => {
            format!("a pass is worth the cube before the double: {value}")
        }
        PointsReason::Win {
            win,
            cube,
            factor,
            jacoby,
        } => {
            let total = cube.value.saturating_mul(*factor);
            let name = win.name();
            if *jacoby {
                format!("under the Jacoby rule a {name} with the cube unturned is worth {total}")
            } else {
                format!("{name} {factor} x cube {} = {total}", cube.value)
            }
        }
    }
}

/// The finding of a fault of the score; `None` for other subjects.
pub(super) fn finding(telling: &Telling<'_>, fault: &Fault<'_>) -> Option<Finding> {
    let game = telling.game(fault);
    let variant = telling.rules.variant.value;
    let last = game
        .and_then(|game| game.entries.last())
        .map(|entry| entry.span);
    let heading = telling.span(fault);
    let result = game.and_then(|game| game.result).map(|result| result.span);
    let at_result = result.or(last).unwrap_or(heading);
    let at_end = last.or(result).unwrap_or(heading);
    let score_line = game.and_then(|game| game.score).map(|score| score.span);
    let at_score = score_line.unwrap_or(heading);
    let new =
        |rule, span: Span, message: String, label: String| Finding::new(rule, span, message, label);
    Some(match &fault.kind {
        FaultKind::WrongPoints {
            stated,
            computed,
            reason,
        } => {
            let message = format!(
                "the game is worth {}, the record says {stated}",
                points(*computed)
            );
            let finding = new(
                &WRONG_POINTS,
                at_result,
                message,
                reason_text(variant, reason),
            );
            match last {
                Some(last) => finding.also(last, "the game ended here"),
                None => finding,
            }
        }
        FaultKind::WrongWinner { winner } => {
            let message = format!(
                "{} won, the result stands for the opponent",
                telling.name(*winner)
            );
            let finding = new(
                &WRONG_WINNER,
                at_result,
                message,
                "in the wrong column?".to_owned(),
            );
            match last {
                Some(last) => finding.also(last, "the game ended here"),
                None => finding,
            }
        }
        FaultKind::WrongScore { stated, computed } => {
            let message = format!(
                "the score is {}, the heading says {}",
                text(*computed),
                text(*stated)
            );
            let finding = new(
                &WRONG_SCORE,
                at_score,
                message,
                format!("computed: {}", text(*computed)),
            );
            let before = fault
                .game
                .and_then(|game| telling.record.games.get(game.checked_sub(1)?));
            let result = before
                .and_then(|game| game.result)
                .map(|result| result.span);
            match result {
                Some(span) => finding.also(span, "the result of the game before"),
                None => finding,
            }
        }
        FaultKind::ImpossiblePoints { stated, .. } if variant == Variant::LongNardi => {
            let message = format!("no game of long nardi is worth {}", points(*stated));
            let label = "possible: 1 (oin) or 2 (mars)".to_owned();
            new(&IMPOSSIBLE_POINTS, at_result, message, label)
        }
        FaultKind::ImpossiblePoints { stated, cube, why } => {
            let message = format!(
                "no resignation is worth {} with the cube on {cube}",
                points(*stated)
            );
            let label = match why {
                Impossible::NoMultiple => {
                    format!(
                        "possible: {cube}, {} or {}",
                        cube.saturating_mul(2),
                        cube.saturating_mul(3)
                    )
                }
                Impossible::Jacoby => {
                    format!("under the Jacoby rule only {cube}: nobody has doubled")
                }
            };
            new(&IMPOSSIBLE_POINTS, at_result, message, label)
        }
        FaultKind::PointsCapped { stated, computed } => {
            let message = format!("{} were won, {stated} counted", points(*computed));
            let label = "what was needed to win the match".to_owned();
            new(&POINTS_CAPPED, at_result, message, label)
        }
        FaultKind::ResultMissing { known } => {
            let label = match known {
                Some((winner, won)) => format!("{} won {}", telling.name(*winner), points(*won)),
                None => "who won cannot be told".to_owned(),
            };
            new(
                &RESULT_MISSING,
                at_end,
                "the game has no stated result".to_owned(),
                label,
            )
        }
        FaultKind::GameUnfinished => new(
            &GAME_UNFINISHED,
            at_end,
            "the last game has no end".to_owned(),
            "the record stops here".to_owned(),
        ),
        FaultKind::MatchUnfinished => {
            let message = "the record ends before the length is reached".to_owned();
            let label = format!("the score is {}", text(fault.score));
            new(&MATCH_UNFINISHED, at_result, message, label)
        }
        FaultKind::CrawfordMislabelled { stated } => {
            let span = game
                .and_then(|game| game.crawford)
                .map_or(heading, |crawford| crawford.span);
            let message = if *stated {
                "the heading says Crawford, and this is not the Crawford game"
            } else {
                "this is the Crawford game, and the record says that it is not"
            };
            let label = format!("the score is {}", text(fault.score));
            new(&CRAWFORD_MISLABELLED, span, message.to_owned(), label)
        }
        FaultKind::CrawfordUnknown { taken } => {
            let label = if *taken {
                "taken for the Crawford game: nobody doubles in it"
            } else {
                "taken for a later game: somebody doubles in it"
            };
            let message = "the record starts at match point, and nothing says whether this is the Crawford game";
            new(
                &CRAWFORD_UNKNOWN,
                at_score,
                message.to_owned(),
                label.to_owned(),
            )
        }
        FaultKind::SiteHabit(habit) => {
            let dialect = telling.record.dialect;
            let title = dialect.map_or("the program", |dialect| dialect.title);
            let known_by = dialect.map_or("its layout", |dialect| dialect.known_by);
            let message = match habit {
                Habit::VariantByPosition(variant) => {
                    let message = format!("this is {}: no tag says so", variant.name());
                    let label = "its first position fits no other game";
                    return Some(Finding::new(
                        &SITE_HABIT,
                        telling.span(fault),
                        message,
                        label,
                    ));
                }
                Habit::Sentinel { stated, needed } => format!(
                    "{title} writes {stated} where the opponent left the match; {} counted",
                    points(*needed)
                ),
                Habit::TooMany { stated, most } => format!(
                    "{title} writes {stated} where a resignation is worth {most} at the most; {most} counted"
                ),
                Habit::MoneyAsMatch { stated, without } => format!(
                    "{title} writes an unlimited game with the Jacoby rule as a match; {stated} and not {without} counted"
                ),
            };
            new(
                &SITE_HABIT,
                at_result,
                message,
                format!("recognised by {known_by}"),
            )
        }
        FaultKind::JacobyUndecided {
            stated,
            with,
            without,
        } => {
            let message = format!(
                "{with} with the Jacoby rule, {without} without it, and nothing says which holds"
            );
            let label = match stated {
                Some(stated) if stated == with => "the stated points fit the Jacoby rule",
                Some(stated) if stated == without => {
                    "the stated points fit play without the Jacoby rule"
                }
                _ => "taken as without it",
            };
            new(&JACOBY_UNDECIDED, at_result, message, label.to_owned())
                .help("say it with --jacoby or --no-jacoby")
        }
        FaultKind::GameNumber { before, here } => {
            let message = format!("game {here} follows game {before}");
            let label = "the order of the file is taken for the order of play".to_owned();
            new(&syntax::GAME_NUMBER, heading, message, label)
        }
        _ => return None,
    })
}
