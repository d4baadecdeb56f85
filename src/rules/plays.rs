//! Plays and turns.

use super::Telling;
use crate::board::{Move, Play, PlayFault, Player, Plays, Position, Roll, Verdict};
use crate::diagnostic::{Finding, JudgedPlay, Level, Rule};
use crate::replay::{Fault, FaultKind};

/// How many legal plays a finding shows.
const SHOWN: usize = 5;

static DIE_NOT_ROLLED: Rule = Rule {
    code: "die-not-rolled",
    subject: "play",
    level: Level::Error,
    title: "a move that no die allows",
    explain: "Each die moves one checker exactly its number of points, and a checker may use several dice if \
        every landing between is open. Here a move is as long as no die, and no sum of dice, that is left. \
        Often a digit is wrong, or the dice are those of another row.",
    example: "  2) 31: 24/20 6/5",
};

static TOO_MANY_MOVES: Rule = Rule {
    code: "too-many-moves",
    subject: "play",
    level: Level::Error,
    title: "more moves than the roll has",
    explain: "A roll is two moves, a double four. Often a checker was written twice, or a double was read as \
        a plain roll.",
    example: "  2) 31: 8/5 6/5 6/5",
};

static CLOSED_POINT: Rule = Rule {
    code: "closed-point",
    subject: "play",
    level: Level::Error,
    title: "a landing on two or more opposing checkers",
    explain: "A point with two or more opposing checkers is closed; in long nardi one is enough. No move ends \
        there, and a checker that uses several dice may not touch it on the way either.",
    example: "  2) 65: 24/19 13/7",
};

static NO_CHECKER: Rule = Rule {
    code: "no-checker",
    subject: "play",
    level: Level::Error,
    title: "no checker stands on the starting point",
    explain: "The play is impossible, so this is almost surely a slip of the recorder, here or in an earlier \
        play: `check` looks for it, see `tawla explain repairs`. The position is not known from here on, and the rest of \
        the game is not judged.",
    example: "  2) 31: 9/6 6/5",
};

static BAR_NOT_ENTERED: Rule = Rule {
    code: "bar-not-entered",
    subject: "play",
    level: Level::Error,
    title: "another checker moved while one was on the bar",
    explain: "A hit checker must enter before anything else moves; with several on the bar all of them first. \
        Die n enters on the own 25 - n. If no die enters, the turn is lost.",
    example: "  4) 31: 8/5 6/5",
};

static BEAR_OFF_TOO_EARLY: Rule = Rule {
    code: "bear-off-too-early",
    subject: "play",
    level: Level::Error,
    title: "a checker borne off while another was not home",
    explain: "Bearing off needs all of the own checkers on the points 1 to 6, at the moment of that move. The \
        first die may bring the last one home and the second bear off. After a hit the checker must come \
        home again first.",
    example: " 20) 61: 6/off 9/8",
};

static BEAR_OFF_FROM_LOWER_POINT: Rule = Rule {
    code: "bear-off-from-lower-point",
    subject: "play",
    level: Level::Error,
    title: "a larger die used below the highest checker",
    explain: "A die larger than needed bears off from the highest occupied point only. While a checker stands \
        higher, that die must move inside, from a higher point, if it can.",
    example: " 24) 61: 2/off 2/1",
};

static WRONG_DIRECTION: Rule = Rule {
    code: "wrong-direction",
    subject: "play",
    level: Level::Error,
    title: "a move that goes up, or nowhere",
    explain: "Both players write their own numbering, and checkers move from high points to low ones. A move \
        that goes up is a slip, or a record that uses one player's numbers for both.",
    example: "  2) 31: 8/11 6/5",
};

static DICE_LEFT: Rule = Rule {
    code: "dice-left",
    subject: "play",
    level: Level::Error,
    title: "more dice could be played",
    explain: "As many dice as possible must be played, of a double as many of the four as possible. A die may \
        be left only if no order of play allows it.",
    example: "  2) 31: 8/5",
};

static SMALLER_DIE: Rule = Rule {
    code: "smaller-die",
    subject: "play",
    level: Level::Error,
    title: "the smaller die was played where the larger one could be",
    explain: "If one or the other die can be played but not both, the larger must be.",
    example: " 12) 63: 16/13",
};

static HEAD_RULE: Rule = Rule {
    code: "head-rule",
    subject: "play",
    level: Level::Error,
    title: "too many checkers taken from the head",
    explain: "In long nardi one checker a turn may leave the head, the point 24. On a player's first roll of 3-3, \
        4-4 or 6-6 a second one may, if more of the four can be played with it. A die that only a further \
        checker from the head could play is lost.",
    example: "  2) 31: 24/21 24/23",
};

static BLOCK_OF_SIX: Rule = Rule {
    code: "block-of-six",
    subject: "play",
    level: Level::Error,
    title: "six points in a row closed with no opposing checker ahead",
    explain: "In long nardi a player may not close six points in a row unless a checker of the opponent has \
        passed all of them, or is borne off. The six are counted along the way of the opponent, also from the \
        own 1 on to the own 24, and where the checkers stand when the play is over: a block on the way is \
        allowed.",
    example: " 15) 61: 19/13 19/18",
};

static MISSING_PLAY: Rule = Rule {
    code: "missing-play",
    subject: "play",
    level: Level::Error,
    title: "a roll without a play although one exists",
    explain: "The roll could be played, nothing was written, and the game goes on. After an empty cell the \
        position is taken to be unchanged as long as what follows is possible from it; after ???? it is \
        unknown. At the end of a game such a roll means that its player gave up, which is no fault.",
    example: "  2) 31:                            42: 8/4 6/4",
};

static AMBIGUOUS_PLAY: Rule = Rule {
    code: "ambiguous-play",
    subject: "play",
    level: Level::Warning,
    title: "the writing fits several positions",
    explain: "A checker that uses both dice may hit on one way and not on the other, or hit different \
        blots. Without a mark the way that does not hit is meant; if only another way lets the rest of the \
        game be played, that one is taken. Write the landing: 8/4*/2.",
    example: "  9) 42: 8/2",
};

static HIT_MARK: Rule = Rule {
    code: "hit-mark",
    subject: "play",
    level: Level::Note,
    title: "a hit mark is missing, or stands where nothing is hit",
    explain: "The star is decoration: hits follow from the position. It is compared all the same, since a \
        difference may show a slip. If a file never writes stars, that is said once.",
    example: "  3) 31: 8/5 6/5*",
};

static FORCED_PLAY_OMITTED: Rule = Rule {
    code: "forced-play-omitted",
    subject: "play",
    level: Level::Note,
    title: "the only legal play was left out",
    explain: "Some recorders leave out plays that were forced, and some servers the winner's last bear-offs. \
        The play is filled in: the only legal one, or the one that bears off most, if that ends the game with \
        the winner's last roll.",
    example: " 14) 61:",
};

static NOT_JUDGED: Rule = Rule {
    code: "not-judged",
    subject: "play",
    level: Level::Note,
    title: "the rest of the game is not judged",
    explain: "After an impossible play, a play that was not recorded or a cell that cannot be read, the \
        position is unknown until the record states one. The cube is still followed; winner and points are \
        the stated ones.",
    example: "  3) 65: 24/18 18/13",
};

static OPENING_DOUBLE: Rule = Rule {
    code: "opening-double",
    subject: "turn",
    level: Level::Error,
    title: "the first roll of a game is a double",
    explain: "Each player rolls one die, and the higher starts with both; equal dice are rolled again, so the \
        first roll is never a double. Where the winner of the opening rolls again, as under --opening-reroll and in \
        long nardi, it may be.",
    example: "  1) 11: 8/7(2) 6/5(2)",
};

static OUT_OF_TURN: Rule = Rule {
    code: "out-of-turn",
    subject: "turn",
    level: Level::Error,
    title: "a player acts twice, or a turn is missing",
    explain: "Turns alternate. The player in whose column the action stands is taken to have acted.",
    example: "  2) 31: 8/5 6/5\n  3) 42: 8/4 6/4",
};

static IMPOSSIBLE_ROLL: Rule = Rule {
    code: "impossible-roll",
    subject: "turn",
    level: Level::Error,
    title: "a die outside 1 to 6",
    explain: "No such roll exists. The moves are made as written, without being held against the dice.",
    example: "  2) 71: 13/6 8/7",
};

pub(crate) static AFTER_THE_END: Rule = Rule {
    code: "after-the-end",
    subject: "turn",
    level: Level::Error,
    title: "actions after the game or the match was over",
    explain: "A game is over with the last checker borne off, a pass, or its stated result; a match when a \
        player has reached its length. What comes after is read and not judged.",
    example: "  9)  Drops\n 10) 31: 8/5 6/5",
};

/// The rules of this subject.
pub(super) const RULES: &[&Rule] = &[
    &DIE_NOT_ROLLED,
    &TOO_MANY_MOVES,
    &CLOSED_POINT,
    &NO_CHECKER,
    &BAR_NOT_ENTERED,
    &BEAR_OFF_TOO_EARLY,
    &BEAR_OFF_FROM_LOWER_POINT,
    &WRONG_DIRECTION,
    &DICE_LEFT,
    &SMALLER_DIE,
    &HEAD_RULE,
    &BLOCK_OF_SIX,
    &MISSING_PLAY,
    &AMBIGUOUS_PLAY,
    &HIT_MARK,
    &FORCED_PLAY_OMITTED,
    &NOT_JUDGED,
    &OPENING_DOUBLE,
    &OUT_OF_TURN,
    &IMPOSSIBLE_ROLL,
    &AFTER_THE_END,
];

/// The rule that a play breaks.
pub(super) fn rule_of(fault: &PlayFault) -> &'static Rule {
    match fault {
        PlayFault::DieNotRolled { .. } => &DIE_NOT_ROLLED,
        PlayFault::TooManyMoves { .. } => &TOO_MANY_MOVES,
        PlayFault::ClosedPoint { .. } => &CLOSED_POINT,
        PlayFault::NoChecker { .. } => &NO_CHECKER,
        PlayFault::BarNotEntered { .. } => &BAR_NOT_ENTERED,
        PlayFault::BearOffTooEarly { .. } => &BEAR_OFF_TOO_EARLY,
        PlayFault::BearOffFromLowerPoint { .. } => &BEAR_OFF_FROM_LOWER_POINT,
        PlayFault::WrongDirection { .. } => &WRONG_DIRECTION,
        PlayFault::DiceLeft { played: 0, .. } => &MISSING_PLAY,
        PlayFault::DiceLeft { .. } => &DICE_LEFT,
        PlayFault::SmallerDie { .. } => &SMALLER_DIE,
        PlayFault::HeadRule { .. } => &HEAD_RULE,
        PlayFault::BlockOfSix { .. } => &BLOCK_OF_SIX,
    }
}

/// What a play did wrong, in a few words: `24/20 needs a 4`.
pub(super) fn why(fault: &PlayFault) -> String {
    let text = |moved: &Move| format!("{}/{}", moved.from, moved.to);
    match fault {
        PlayFault::DieNotRolled { moved } => {
            let length = moved.from.number().saturating_sub(moved.to.number());
            match (moved.to.number(), length) {
                (0, _) => format!("no die is left that bears off from {}", moved.from),
                (_, 1..=6) => format!("{} needs a {length}, and no such die is left", text(moved)),
                _ => format!(
                    "{} is {length} points, which no dice left make",
                    text(moved)
                ),
            }
        }
        PlayFault::TooManyMoves { written, most } => {
            format!("{written} moves, and the roll has {most}")
        }
        PlayFault::ClosedPoint { moved, point } if point == &moved.to => {
            format!("{} lands on a closed point", text(moved))
        }
        PlayFault::ClosedPoint { moved, point } => {
            format!("{} has to touch the closed point {point}", text(moved))
        }
        PlayFault::NoChecker { moved } if moved.from == crate::board::Place::BAR => {
            format!("no checker on the bar for {}", text(moved))
        }
        PlayFault::NoChecker { moved } => {
            format!("no checker on {} for {}", moved.from, text(moved))
        }
        PlayFault::BarNotEntered { moved } => {
            format!("{} while a checker is on the bar", text(moved))
        }
        PlayFault::BearOffTooEarly { moved, rearmost } if *rearmost == crate::board::Place::BAR => {
            format!("{} while a checker is on the bar", text(moved))
        }
        PlayFault::BearOffTooEarly { moved, rearmost } => {
            format!("{} while a checker stands on {rearmost}", text(moved))
        }
        PlayFault::BearOffFromLowerPoint { moved, die, higher } => {
            format!(
                "{} with a {die} while a checker stands on {higher}",
                text(moved)
            )
        }
        PlayFault::WrongDirection { moved } if moved.from == moved.to => {
            format!("{} goes nowhere", text(moved))
        }
        PlayFault::WrongDirection { moved } => format!("{} goes up", text(moved)),
        PlayFault::DiceLeft { played: 0, most } => {
            format!("nothing was played, {} can be", dice(*most))
        }
        PlayFault::DiceLeft { played, most } => format!("{played} of {} played", dice(*most)),
        PlayFault::SmallerDie { larger } => {
            format!("only one die can be played, and the {larger} can")
        }
        PlayFault::HeadRule { left, most } => {
            format!("{left} checkers leave the head, {most} may")
        }
        PlayFault::BlockOfSix { first, last } => {
            format!(
                "it closes the six points from {first} to {last} with no opposing checker ahead"
            )
        }
    }
}

fn dice(number: u8) -> String {
    if number == 1 {
        "one die".to_owned()
    } else {
        format!("{number} dice")
    }
}

/// The finding of a fault in a play or a turn; `None` for other subjects.
pub(super) fn finding(telling: &Telling<'_>, fault: &Fault<'_>) -> Option<Finding> {
    let span = telling.span(fault);
    let new = |rule, message: String, label: &str| Finding::new(rule, span, message, label);
    let player = telling.entry(fault).map(|entry| entry.player);
    Some(match &fault.kind {
        FaultKind::Play {
            fault: broken,
            roll,
            written,
            stands,
            declared,
        } => {
            let why = why(broken);
            let message = format!("illegal play of {roll}: {why}");
            let level = if *declared { Level::Note } else { Level::Error };
            let label = if *declared {
                "the record itself says that it was illegal"
            } else {
                &why
            };
            let judged = JudgedPlay {
                reported: Some(*declared),
                stands: Some(stands.is_some()),
                ..telling.judged(fault)
            };
            let finding = new(rule_of(broken), message, label).at_level(level);
            let finding = with_legal(finding, judged, fault, player, *roll, written.moves());
            match stands {
                Some(_) if *declared => finding,
                Some(_) => match with_other_die(fault, player, *roll, written) {
                    Some(rolls) => also_help(finding, &format!("legal with {rolls}")),
                    None => finding,
                },
                None => also_help(
                    finding,
                    "the play is impossible: nothing after it can be judged",
                ),
            }
        }
        FaultKind::MissingPlay { roll, hidden } => {
            let message = format!("{roll} can be played, and no play is written");
            let label = if *hidden {
                "the play was not recorded"
            } else {
                "the game goes on without it"
            };
            let judged = JudgedPlay {
                reported: Some(false),
                stands: Some(!hidden),
                ..telling.judged(fault)
            };
            with_legal(
                new(&MISSING_PLAY, message, label),
                judged,
                fault,
                player,
                *roll,
                &[],
            )
        }
        FaultKind::AmbiguousPlay {
            roll,
            taken,
            others,
            by_the_rest,
        } => {
            let names = fault.before.zip(player).map(|(before, player)| {
                let mut plays = Plays::new();
                before
                    .variant
                    .legal_plays(&before.position, player, *roll, &mut plays);
                let name = |position: &Position| {
                    plays
                        .leading_to(position)
                        .map(Play::to_string)
                        .unwrap_or_default()
                };
                (
                    name(taken),
                    others.iter().map(name).collect::<Vec<_>>().join(" or "),
                )
            });
            let (taken, others) = names.unwrap_or_default();
            let message = format!("{} may be {taken} or {others}", telling.written(fault));
            let label = if *by_the_rest {
                format!("taken as {taken}: only then can the rest of the game be played")
            } else {
                format!("taken as {taken}")
            };
            new(&AMBIGUOUS_PLAY, message, &label)
        }
        FaultKind::HitMark { hit, marked } => {
            let missing = points_of(hit & !marked);
            let wrong = points_of(marked & !hit);
            let message = match (missing.is_empty(), wrong.is_empty()) {
                (false, true) => format!("a hit on {missing} is not marked"),
                (true, false) => format!("nothing is hit on {wrong}"),
                _ => format!("the hit on {missing} is not marked, and nothing is hit on {wrong}"),
            };
            new(&HIT_MARK, message, "the star is wrong, or the play is")
        }
        FaultKind::GivenUp {
            fault: broken,
            roll,
        } => {
            let message = format!("{roll} is not played out: {}", why(broken));
            let label = "the last play of the game; its player gave up in the middle of it";
            new(rule_of(broken), message, label).at_level(Level::Note)
        }
        FaultKind::ForcedPlayOmitted { roll, play, forced } => {
            let message = if *forced {
                format!("the forced play of {roll} was left out")
            } else {
                format!("the bear-off of {roll} was left out, as all of the winner's from here on")
            };
            new(&FORCED_PLAY_OMITTED, message, &format!("filled in: {play}"))
        }
        FaultKind::NotJudged { since } => {
            let finding = new(
                &NOT_JUDGED,
                "the rest of the game is not judged".to_owned(),
                "the position is not known here",
            );
            let since = since.and_then(|since| telling.game(fault)?.entries.get(since));
            match since {
                Some(entry) => finding.also(entry.span, "it was lost here"),
                None => finding,
            }
        }
        FaultKind::OpeningDouble => new(
            &OPENING_DOUBLE,
            "the opening roll is a double".to_owned(),
            "equal dice are rolled again",
        ),
        FaultKind::OutOfTurn => {
            let name = player
                .map(|player| telling.name(player))
                .unwrap_or_default();
            let message = format!("{name} acts out of turn");
            let finding = new(
                &OUT_OF_TURN,
                message,
                "the other player's turn is missing before this",
            );
            let before = fault
                .index
                .and_then(|index| index.checked_sub(1))
                .and_then(|index| telling.game(fault)?.entries.get(index));
            match before {
                Some(before) => finding.also(
                    before.span,
                    format!("{} acted here", telling.name(before.player)),
                ),
                None => finding,
            }
        }
        FaultKind::ImpossibleRoll => {
            let dice = match telling.entry(fault).map(|entry| entry.action) {
                Some(crate::record::Action::Play { roll, .. }) => roll.to_string(),
                Some(crate::record::Action::Double {
                    after_roll: Some(roll),
                    ..
                }) => roll.to_string(),
                _ => String::new(),
            };
            let message = format!("{dice} is no roll");
            new(&IMPOSSIBLE_ROLL, message, "a die shows 1 to 6")
        }
        FaultKind::AfterTheEnd { of_match: true } => {
            let message = "the match was over before this game".to_owned();
            let length = telling.record.length.map(|length| length.span);
            let (one, two) = (fault.score.one, fault.score.two);
            let finding = new(
                &AFTER_THE_END,
                message,
                &format!("the score is {one}-{two}"),
            );
            match length {
                Some(span) => finding.also(span, "the length of the match"),
                None => finding,
            }
        }
        FaultKind::AfterTheEnd { of_match: false } => {
            let message = "the game was over before this".to_owned();
            let finding = new(&AFTER_THE_END, message, "nothing is judged from here on");
            let last = fault
                .index
                .and_then(|index| index.checked_sub(1))
                .and_then(|index| telling.game(fault)?.entries.get(index));
            match last {
                Some(last) => finding.also(last.span, "it ended here"),
                None => finding,
            }
        }
        _ => return None,
    })
}

/// The rolls with one other die under which a play would be legal, if they are few.
fn with_other_die(
    fault: &Fault<'_>,
    player: Option<Player>,
    roll: Roll,
    written: &Play,
) -> Option<String> {
    let (before, player) = (fault.before?, player?);
    let (one, two) = (roll.0.pips(), roll.1.pips());
    let others = (1..=6u8).flat_map(|die| [Roll::new(die, two), Roll::new(one, die)]);
    let mut rolls: Vec<String> = Vec::new();
    for other in others.flatten().filter(|other| *other != roll) {
        let verdict = (before.variant).judge(&before.position, player, other, written.moves());
        let name = other.to_string();
        if !matches!(verdict, Verdict::Illegal { .. }) && !rolls.contains(&name) {
            rolls.push(name);
        }
    }
    (1..=2).contains(&rolls.len()).then(|| rolls.join(" or "))
}

fn points_of(bits: u32) -> String {
    let points: Vec<String> = (1..=24)
        .rev()
        .filter(|point| bits >> point & 1 == 1)
        .map(|point| point.to_string())
        .collect();
    points.join(" and ")
}

fn also_help(finding: Finding, more: &str) -> Finding {
    let help = match &finding.help {
        Some(help) => format!("{help}; {more}"),
        None => more.to_owned(),
    };
    finding.help(help)
}

/// Adds what would have been legal, nearest to what was written first.
fn with_legal(
    mut finding: Finding,
    mut judged: JudgedPlay,
    fault: &Fault<'_>,
    player: Option<Player>,
    roll: Roll,
    written: &[Move],
) -> Finding {
    if let (Some(before), Some(player)) = (fault.before, player) {
        let mut plays = Plays::new();
        before
            .variant
            .legal_plays(&before.position, player, roll, &mut plays);
        let legal = nearest(&plays, player, written);
        let shown = legal
            .iter()
            .take(SHOWN)
            .map(Play::to_string)
            .collect::<Vec<_>>();
        finding.help = Some(match legal.len() {
            0 => format!("{roll} cannot be played at all"),
            1 => format!("the only legal play is {}", shown[0]),
            count if count <= SHOWN => format!("legal: {}", shown.join(", ")),
            count => format!(
                "{count} plays are legal, nearest: {}",
                shown[..3].join(", ")
            ),
        });
        judged.legal_count = Some(legal.len() as u32);
        judged.legal = shown;
    }
    finding.play = Some(Box::new(judged));
    finding
}

/// The legal plays in the order of likeness to what was written: moves that are written first, then
/// checkers that end where the written play puts them.
fn nearest(plays: &Plays, player: Player, written: &[Move]) -> Vec<Play> {
    let likeness = |(after, play): &(Position, Play)| {
        let mut left: Vec<Move> = written.to_vec();
        let mut shared = 0;
        for moved in play.moves() {
            if let Some(at) = left
                .iter()
                .position(|m| (m.from, m.to) == (moved.from, moved.to))
            {
                left.remove(at);
                shared += 1;
            }
        }
        let starts = play
            .moves()
            .iter()
            .filter(|m| left.iter().any(|w| w.from == m.from))
            .count();
        let ends = left
            .iter()
            .filter(|w| after.checkers(player, w.to) > 0)
            .count();
        std::cmp::Reverse(shared * 100 + starts * 10 + ends)
    };
    let mut sorted: Vec<&(Position, Play)> = plays.iter().collect();
    sorted.sort_by_key(|entry| likeness(entry));
    sorted.into_iter().map(|(_, play)| *play).collect()
}
