//! Small matches in a notation of their own, and what a walk tells of them.

use super::*;
use crate::board::{ByPlayer, Length, Move, Play, Setup, Win, test_support};
use crate::record::{
    Action, Dialect, Extra, GameRecord, GameResult, MadeGame, MatchRecord, Tag, WrittenPlay,
    WrittenRoll,
};
use crate::ruleset::{Clock, NamedSet, Origin, RuleOptions};
use crate::source::{Span, Spanned};

fn spanned<T>(value: T) -> Spanned<T> {
    Spanned::new(value, Span::default())
}

fn setup(text: &str) -> Setup {
    test_support::setup(Variant::Backgammon, text)
}

/// `8/5* 6/5`, numbers only: 25 is the bar and 0 off.
fn moves(text: &str) -> Play {
    let number = |text: &str| text.parse().expect("a number");
    text.split_whitespace()
        .map(|word| {
            let (from, to) = word.split_once('/').expect("from/to");
            let (to, hits) = to.strip_suffix('*').map_or((to, false), |to| (to, true));
            Move::from_numbers(number(from), number(to), hits).expect("places")
        })
        .collect()
}

fn roll(text: &str) -> WrittenRoll {
    let number: u8 = text.parse().expect("a roll");
    WrittenRoll(number / 10, number % 10)
}

/// `x 31: 8/5 6/5` of the first player, `o double 2` of the second. Behind the dice may stand `?` for a play that was
/// not recorded and `-` for words that nothing could be played; behind `=` the position that is stated.
fn entry(text: &str) -> Entry {
    let (text, stated) = text.split_once('=').unwrap_or((text, ""));
    let (player, text) = text.trim().split_once(' ').expect("a player");
    let player = match player {
        "x" => Player::One,
        "o" => Player::Two,
        other => panic!("{other}"),
    };
    let (text, declared) = text
        .strip_suffix('!')
        .map_or((text, false), |text| (text, true));
    let words: Vec<&str> = text.split_whitespace().collect();
    let value = words.get(1).and_then(|word| word.parse().ok());
    let win = words
        .get(1)
        .and_then(|word| Win::ALL.into_iter().find(|win| win.name() == *word));
    let action = match text.split_once(':') {
        Some((dice, play)) => Action::Play {
            roll: roll(dice),
            play: match play.trim() {
                "" => WrittenPlay::Nothing,
                "?" => WrittenPlay::NotRecorded,
                "-" => WrittenPlay::CannotMove,
                play => WrittenPlay::Moves(moves(play)),
            },
        },
        None => match words[0] {
            "double" => Action::Double {
                to: value,
                after_roll: words.get(2).map(|dice| roll(dice)),
            },
            "beaver" => Action::Beaver { to: value },
            "raccoon" => Action::Raccoon { to: value },
            "take" => Action::Take,
            "pass" => Action::Pass,
            "resign" => Action::Resign { win },
            "accept" => Action::Accept,
            "reject" => Action::Reject,
            "time" => Action::TimeOut,
            "set" => Action::Set,
            "unreadable" => Action::Unreadable,
            other => panic!("{other}"),
        },
    };
    let mut entry = Entry::new(player, action, 0, Span::default());
    if !stated.is_empty() {
        entry.extra_mut().position_after = Some(spanned(setup(stated)));
    }
    if declared {
        entry.extra_mut().declared_illegal = true;
    }
    if words[0] == "unreadable" {
        let extra: &mut Extra = entry.extra_mut();
        extra.unreadable = true;
    }
    entry
}

/// The actions of a game, one a line.
fn game(text: &str) -> GameRecord {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    GameRecord {
        has_score_line: true,
        entries: lines.map(entry).collect(),
        ..GameRecord::default()
    }
}

/// A game that starts from a position.
fn from(position: &str, text: &str) -> GameRecord {
    GameRecord {
        start: Some(spanned(setup(position))),
        ..game(text)
    }
}

impl GameRecord {
    /// The game with a stated result behind its actions.
    fn won_by(mut self, winner: Player, points: u32) -> GameRecord {
        self.result = Some(spanned(GameResult {
            winner: Some(winner),
            points: Some(points),
            after: self.entries.len() as u32,
            ..GameResult::default()
        }));
        self
    }

    /// The game with the score that its heading states.
    fn at(mut self, one: u32, two: u32) -> GameRecord {
        self.score = Some(spanned(ByPlayer::new(one, two)));
        self
    }
}

fn match_to(points: u32, games: Vec<GameRecord>) -> MatchRecord {
    MatchRecord {
        length: Some(spanned(Length::Points(points))),
        games,
        ..MatchRecord::default()
    }
}

fn money(games: Vec<GameRecord>) -> MatchRecord {
    MatchRecord {
        length: Some(spanned(Length::Money)),
        games,
        ..MatchRecord::default()
    }
}

#[derive(Default)]
struct Told(Vec<(Option<usize>, Option<usize>, FaultKind)>);

impl Visitor for Told {
    fn fault(&mut self, fault: Fault<'_>) {
        self.0.push((fault.game, fault.index, fault.kind));
    }
}

/// What a walk tells, but for the end that short games lack, and what it sums up.
fn walked(record: &MatchRecord, options: &RuleOptions) -> (Told, MatchSummary) {
    let rules = rules_for(record, options);
    let mut told = Told::default();
    let summary = walk(record, &rules, &mut told);
    let is_end = |kind: &FaultKind| {
        matches!(
            kind,
            FaultKind::GameUnfinished
                | FaultKind::MatchUnfinished
                | FaultKind::ResultMissing { .. }
        )
    };
    told.0.retain(|(_, _, kind)| !is_end(kind));
    (told, summary)
}

/// The kinds of what is told of the first game, each with its action: `3 OutOfTurn`.
fn told(record: &MatchRecord) -> Vec<String> {
    let (told, _) = walked(record, &RuleOptions::default());
    let name = |kind: &FaultKind| {
        let text = format!("{kind:?}");
        let end = text.find([' ', '(', '{']).unwrap_or(text.len());
        text[..end].to_owned()
    };
    told.0
        .iter()
        .map(|(_, index, kind)| match index {
            Some(index) => format!("{index} {}", name(kind)),
            None => name(kind),
        })
        .collect()
}

/// The opponent's 21 is the own 4: on the way over it the checker hits, on the way over 6 it does not.
const TWO_WAYS: &str = "8:1 6:5 | 21:1 13:2 6:5";

#[test]
fn of_two_readings_the_one_that_the_rest_of_the_game_allows_is_taken() {
    let rest = |rest: &str| told(&money(vec![from(TWO_WAYS, rest)]));
    let nothing = [""; 0];
    assert_eq!(rest("x 42: 8/2\n o 31: 21/18 6/5\n x 31: 6/3 6/5"), nothing);
    // Nobody enters who was not hit.
    assert_eq!(
        rest("x 42: 8/2\n o 31: 25/22 6/5\n x 31: 6/3 6/5"),
        ["0 AmbiguousPlay"]
    );
    // What is wrong after either tells nothing.
    assert_eq!(
        rest("x 42: 8/2\n o 31: 13/8 6/5\n x 31: 6/3 6/5"),
        ["1 Play"]
    );
    // Only plays tell, however many other faults there are.
    assert_eq!(
        rest("x 42: 8/2\n o take\n o 31: 25/22 6/5\n x 31: 6/3 6/5"),
        ["0 AmbiguousPlay", "1 AnswerWithoutDouble"]
    );
    // That a play before it is missing does not make the rest tell less.
    assert_eq!(
        rest("x 61:\n o 21: 6/4 13/12\n x 42: 8/2\n o 31: 25/22 6/5\n x 31: 6/3 6/5"),
        ["0 MissingPlay", "2 AmbiguousPlay"]
    );
    // A stated end decides without the rest.
    let hit = "6:5 2:1 | 25:1 13:2 6:5";
    assert_eq!(rest(&format!("x 42: 8/2 = {hit}\n o 31: 13/8")), ["1 Play"]);
}

#[test]
fn a_game_is_tried_so_often_and_then_taken_as_it_is_read_first() {
    // The opponent enters, so that each play has hit; then the position is set again.
    let block = format!("x 42: 8/2\n o 31: 25/22 6/5\n x set = {TWO_WAYS}\n");
    let told = |blocks: usize| {
        let text = block.repeat(blocks);
        told(&money(vec![from(TWO_WAYS, text.trim_end())]))
    };
    let decided = |blocks: usize| -> Vec<String> {
        let first = (0..blocks).map(|block| 3 * block);
        first
            .map(|index| format!("{index} AmbiguousPlay"))
            .collect()
    };
    assert_eq!(told(8), decided(8));
    // Each of thirty would be tried within those before it.
    let told = told(30);
    assert_eq!(told.len(), 30);
    assert_eq!(told[0], "0 AmbiguousPlay");
    assert_eq!(told[29], "88 Play");
}

#[test]
fn a_forced_play_that_is_left_out_is_made_if_the_rest_of_the_game_wants_it() {
    // Only 24/23 can be played: the opponent holds the own 20, 19 and 18.
    let board = "24:1 1:2 | 5:2 6:2 7:2 13:2";
    let rest = |last: &str| {
        let text = format!("x 51:\n o 21: 13/11 13/12\n {last}");
        told(&money(vec![from(board, &text)]))
    };
    assert_eq!(rest("x 61: 23/16"), ["0 ForcedPlayOmitted"]);
    assert_eq!(rest("x 61: 24/17"), ["0 MissingPlay"]);
    // Wrong from either position.
    assert_eq!(rest("x 21: 22/19"), ["0 ForcedPlayOmitted", "2 Play"]);
    // It ends the game, and the players go on.
    let last = from("1:1 | 23:1", "x 61:\n o 31: 5/2 5/4");
    assert_eq!(
        told(&money(vec![last])),
        ["0 ForcedPlayOmitted", "1 AfterTheEnd"]
    );
}

#[test]
fn the_last_roll_of_the_loser_bears_nothing_off() {
    let position_after = |winner: Player| {
        let record = money(vec![from("1:1 | 1:1", "x 21:").won_by(winner, 1)]);
        let replayed = replay(&record, &rules_for(&record, &RuleOptions::default()));
        let last = replayed.games[0].last_step().expect("a roll");
        *last.after.position.side(Player::One)
    };
    assert_eq!(position_after(Player::One)[0], 15);
    assert_eq!(position_after(Player::Two)[1], 1);
}

#[test]
fn made_plays_hold_for_backgammon_without_a_clock_and_for_all_games_or_not_at_all() {
    let record = money(vec![game("").won_by(Player::One, 1)]);
    let mut made = MadeGame::new();
    made.runs[0].plays = 2;
    let walked = |record: &MatchRecord, made: &[MadeGame], options: RuleOptions| {
        walk_made(record, made, &rules_for(record, &options)).is_some()
    };
    let usual = RuleOptions::default;
    assert!(walked(&record, std::slice::from_ref(&made), usual()));
    assert!(!walked(&record, &[made.clone(), made.clone()], usual()));
    let other_game = RuleOptions {
        variant: Some(Variant::Nackgammon),
        ..usual()
    };
    assert!(!walked(&record, std::slice::from_ref(&made), other_game));
    let with_clock = RuleOptions {
        clock: Some(Clock::parse("12/120")),
        ..usual()
    };
    assert!(!walked(&record, std::slice::from_ref(&made), with_clock));
    let mut started = record.clone();
    started.games[0].start = Some(spanned(setup(USUAL)));
    assert!(!walked(&started, &[made], usual()));
}

/// The usual start, said.
const USUAL: &str = "24:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5";

#[test]
fn replays_go_the_same_way_if_all_their_states_and_games_agree() {
    let replayed = |games: Vec<GameRecord>| {
        let record = money(games);
        replay(&record, &rules_for(&record, &RuleOptions::default()))
    };
    let text = "x 31: 8/5 6/5\n o 42: 8/4 6/4";
    let one = replayed(vec![game(text)]);
    assert!(one.goes_the_same_way(&one));
    // Who starts is told by who acts first.
    let with_turn = |turn: Player| {
        let mut game = from(USUAL, text);
        if let Some(start) = &mut game.start {
            start.value.turn = Some(turn);
        }
        replayed(vec![game])
    };
    assert!(with_turn(Player::One).goes_the_same_way(&one));
    let others = [
        vec![],
        vec![game(text), game(text)],
        vec![game("x 31: 8/5 6/5")],
        vec![game("x 31: 8/5 6/5\n o 42: 8/4 13/11")],
        vec![game("x 31: 8/5 6/5\n o 42: ?")],
        vec![game(text).won_by(Player::One, 1)],
        vec![from("24:2 13:5 8:4 6:4 | 24:2 13:5 8:3 6:5", text)],
    ];
    for (number, games) in others.into_iter().enumerate() {
        let other = replayed(games);
        assert!(!one.goes_the_same_way(&other), "{number}");
        assert!(!other.goes_the_same_way(&one), "{number}");
    }
}

#[test]
fn the_winners_last_bear_offs_may_be_left_out_where_nobody_is_in_the_way() {
    let won = |board: &str, rolls: [u8; 2], winner: Player| {
        let text = format!("x {}:\n o 21: 6/4 6/5\n x {}:", rolls[0], rolls[1]);
        told(&money(vec![from(board, &text).won_by(winner, 1)]))
    };
    use Player::{One, Two};
    assert_eq!(won("2:2 1:2 | 6:5", [31, 21], One), ["0 ForcedPlayOmitted"]);
    assert_eq!(won("2:2 1:2 | 6:5", [31, 21], Two), ["0 MissingPlay"]);
    // Not all can be off by then.
    assert_eq!(won("2:2 1:3 | 6:5", [31, 21], One), ["0 MissingPlay"]);
    // A checker outside, and one on the bar.
    assert_eq!(won("7:1 1:1 | 6:5", [31, 66], One), ["0 MissingPlay"]);
    assert_eq!(won("2:2 1:2 | 25:1 6:5", [31, 21], One)[0], "0 MissingPlay");
}

#[test]
fn a_stated_position_is_held_against_the_play() {
    let after_31 = "24:2 13:5 8:2 6:4 5:2 | 24:2 13:5 8:3 6:5";
    let after_42 = "24:2 13:5 8:2 6:4 5:2 | 24:2 13:5 8:2 6:4 4:2";
    let start = "24:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5";
    let nothing = [""; 0];
    let of = |text: &str| told(&money(vec![game(text)]));
    let end = "x 31: 24/23 13/10";
    assert_eq!(
        of(&format!(
            "x 31: 8/5 6/5\n o 42: 8/4 6/4 = {after_42}\n {end}"
        )),
        nothing
    );
    assert_eq!(
        of(&format!(
            "x 31: 8/5 6/5\n o 42: 8/4 6/4 = {after_31}\n {end}"
        )),
        ["1 PositionMismatch"]
    );
    // A play that is not recorded is told by it.
    assert_eq!(
        of(&format!("x 31: ? = {after_31}\n o 42: 8/4 6/4\n {end}")),
        nothing
    );
    assert_eq!(
        of(&format!("x 31: ? = {start}\n o 42: 8/4 6/4\n {end}")),
        ["0 Play"]
    );
    // Behind something unreadable it is where the game goes on, and the moves before it are not judged.
    assert_eq!(
        of(&format!(
            "x unreadable\n o 42: 22/18 20/18 = {after_42}\n x 31: 13/10 9/8\n o 21: 6/4 13/12"
        )),
        ["2 Play", "3 NotJudged"]
    );
}

#[test]
fn a_dance_leaves_the_stated_position_as_it_was() {
    let board = "25:1 2:2 | 6:2 5:2 4:2 3:2 2:2 1:2";
    let of = |text: &str| told(&money(vec![from(board, text)]));
    let end = "o 21: 6/4 6/5\n x 31:";
    let nothing = [""; 0];
    for play in ["-", "", "?"] {
        assert_eq!(
            of(&format!("x 31: {play} = {board}\n {end}")),
            nothing,
            "{play}"
        );
    }
    let moved = "25:1 2:1 1:1 | 6:2 5:2 4:2 3:2 2:2 1:2";
    assert_eq!(
        of(&format!("x 31: - = {moved}\n {end}")),
        ["0 PositionMismatch"]
    );
    assert_eq!(of(&format!("x 31: ? = {moved}\n {end}")), ["0 Play"]);
}

#[test]
fn a_hit_without_its_mark_is_told_however_the_play_is_written() {
    let board = "13:1 8:1 6:2 | 23:1 6:5";
    for (play, expected) in [
        ("x 65: 13/2", &["0 HitMark"][..]),
        ("x 65: 13/2*", &[]),
        ("x 65: 13/7 7/2", &["0 HitMark"]),
        ("x 65: 13/7 7/2*", &[]),
        ("x 65: 13/7* 7/2*", &["0 HitMark"]),
    ] {
        let mut record = money(vec![from(board, play)]);
        record.has_hit_marks = Some(true);
        assert_eq!(told(&record), expected, "{play}");
        record.has_hit_marks = None;
        assert_eq!(told(&record), [""; 0], "{play}");
    }
}

#[test]
fn only_the_opponent_answers() {
    let of = |text: &str| told(&money(vec![game(&format!("x 31: 8/5 6/5\n {text}"))]));
    let nothing = [""; 0];
    assert_eq!(of("o double 2\n x take"), nothing);
    assert_eq!(of("o double 2\n x pass"), nothing);
    assert_eq!(of("o double 2\n o take"), ["2 AnswerWithoutDouble"]);
    assert_eq!(of("o double 2\n o pass"), ["2 AnswerWithoutDouble"]);
    assert_eq!(of("o resign single\n x accept"), nothing);
    assert_eq!(of("o resign single\n o accept"), ["2 AnswerWithoutDouble"]);
    // A further double of the opponent is a beaver, the next one a raccoon.
    assert_eq!(
        of("o double 2\n x double 4\n o take"),
        ["2 BeaverNotAgreed"]
    );
    assert_eq!(
        of("o double 2\n x double 4\n o double 8\n x take"),
        ["2 BeaverNotAgreed", "3 RaccoonNotAgreed"]
    );
    assert_eq!(
        of("o double 2\n o double 4\n x take")[0],
        "1 DoubleUnanswered"
    );
}

#[test]
fn a_late_double_tells_that_its_player_has_rolled() {
    let late = |dice: &str| {
        told(&money(vec![game(&format!(
            "x double 2 {dice}\n o take\n x 33: 8/5 8/5 6/3 6/3\n o 31: 8/5 6/5"
        ))]))
    };
    assert_eq!(late("31"), ["0 DoubleAfterRoll"]);
    assert_eq!(late("90"), ["0 DoubleAfterRoll", "2 OpeningDouble"]);
}

#[test]
fn it_is_the_opponents_turn_while_the_cube_is_offered() {
    use Player::{One, Two};
    let record = money(vec![game(
        "x 31: 8/5 6/5\n o double 2\n x beaver 4\n o raccoon 8\n x unreadable\n o take",
    )]);
    let rules = rules_for(&record, &RuleOptions::default());
    let replayed = replay(&record, &rules);
    let turns: Vec<_> = replayed.games[0]
        .steps()
        .map(|step| step.after.turn)
        .collect();
    assert_eq!(
        turns,
        [
            Some(Two),
            Some(One),
            Some(Two),
            Some(One),
            Some(Two),
            Some(Two)
        ]
    );
}

#[test]
fn a_refused_beaver_leaves_the_cube_with_who_turned_it() {
    let sum = |text: &str| {
        let record = money(vec![game(&format!("x 31: 8/5 6/5\n {text}"))]);
        let (_, summary) = walked(&record, &RuleOptions::default());
        let game = summary.games[0];
        (
            game.winner,
            game.points,
            game.cube.value,
            game.cube.owner,
            game.cube_turned,
        )
    };
    use Player::{One, Two};
    assert_eq!(
        sum("o double 2\n x pass"),
        (Some(Two), Some(1), 1, None, false)
    );
    assert_eq!(
        sum("o double 2\n x beaver 4\n o pass"),
        (Some(One), Some(2), 2, Some(One), true)
    );
    assert_eq!(
        sum("o double 2\n x take\n o 31: 8/5 6/5\n x double 4\n o pass"),
        (Some(One), Some(2), 2, Some(One), true)
    );
}

#[test]
fn the_trailer_waits_two_turns_of_each_under_the_holland_rule() {
    // Second player to move first: the one who trails.
    let turns = [
        "o 31: 8/5 6/5",
        "x 31: 8/5 6/5",
        "o 42: 8/4 6/4",
        "x 42: 8/4 6/4",
        "o 61: 13/7 8/7",
    ];
    let of = |score: (u32, u32), before: usize, doubler: &str| {
        let mut game = game(&format!(
            "{}\n {doubler} double 2",
            turns[..before].join("\n")
        ));
        game.crawford = Some(spanned(false));
        let record = match_to(5, vec![game.at(score.0, score.1)]);
        let options = RuleOptions {
            holland: Some(true),
            ..RuleOptions::default()
        };
        let (told, _) = walked(&record, &options);
        told.0
            .iter()
            .any(|(_, _, kind)| *kind == FaultKind::DoubleTooEarly)
    };
    assert!(of((4, 1), 2, "o"));
    assert!(!of((4, 1), 4, "o"));
    assert!(of((1, 4), 3, "x"));
    assert!(!of((1, 4), 5, "x"));
    // Who leads or is level need not wait.
    assert!(!of((1, 4), 2, "o"));
    assert!(!of((4, 4), 2, "o"));
}

#[test]
fn nobody_plays_on_from_a_position_without_checkers_of_one_side() {
    let record = money(vec![from("6:2 |", "x 31: 6/3 6/5")]);
    assert_eq!(told(&record)[0], "ImpossiblePosition");
}

#[test]
fn the_first_position_may_show_the_game() {
    let shown = |play: &str| {
        let record = match_to(3, vec![game(&format!("{play}\n o 61: 13/7 8/7"))]);
        let rules = rules_for(&record, &RuleOptions::default());
        (rules.variant.value, rules.variant.origin)
    };
    let hypergammon = "x 31: ? = 22:2 21:1 | 24:1 23:1 22:1";
    assert_eq!(shown(hypergammon), (Variant::Hypergammon, Origin::Record));
    let nackgammon = "x 31: ? = 24:2 23:2 13:4 8:2 6:3 5:2 | 24:2 23:2 13:4 8:3 6:4";
    assert_eq!(shown(nackgammon), (Variant::Nackgammon, Origin::Record));
    let backgammon = "x 31: ? = 24:2 13:5 8:2 6:4 5:2 | 24:2 13:5 8:3 6:5";
    assert_eq!(shown(backgammon), (Variant::Backgammon, Origin::Set));
}

#[test]
fn a_tag_may_limit_the_cube() {
    let with_tag = |value: &str| {
        let mut record = match_to(3, Vec::new());
        record.tags.push(Tag {
            name: "CubeLimit".to_owned(),
            value: value.to_owned(),
            span: Span::default(),
        });
        let rules = rules_for(&record, &RuleOptions::default());
        (rules.cube.value, rules.cube_limit.value)
    };
    assert_eq!(with_tag("0"), (true, None));
    assert_eq!(with_tag("1"), (false, None));
    assert_eq!(with_tag("2"), (true, Some(2)));
    assert_eq!(with_tag("64"), (true, Some(64)));
}

/// What a walk sums up of the first game.
fn first(record: &MatchRecord, options: &RuleOptions) -> GameSummary {
    walked(record, options).1.games[0]
}

/// A game in which the first player wins a gammon with the last checker, behind some actions.
fn gammon(before: &str) -> GameRecord {
    from("1:1 | 6:15", &format!("{before}\n x 61: 1/0"))
}

const ONE: Player = Player::One;
const TWO: Player = Player::Two;

#[test]
fn a_resignation_counts_what_was_offered() {
    let of = |text: &str| {
        let record = match_to(9, vec![game(text)]);
        let game = first(&record, &RuleOptions::default());
        assert_eq!(told(&record), [""; 0], "{text}");
        (game.winner, game.points, game.win, game.ended_by)
    };
    let by = EndedBy::Resignation;
    let turned = "x 31: 8/5 6/5\n o double 2\n x take";
    assert_eq!(
        of("x 31: 8/5 6/5\n o resign gammon\n x accept"),
        (Some(ONE), Some(2), Some(Win::Gammon), by)
    );
    assert_eq!(
        of(&format!("{turned}\n o resign backgammon\n x accept")),
        (Some(ONE), Some(6), Some(Win::Backgammon), by)
    );
    assert_eq!(
        of("x 31: 8/5 6/5\n o resign\n x accept"),
        (Some(ONE), Some(1), Some(Win::Single), by)
    );
}

#[test]
fn what_is_stated_counts_if_the_players_went_on_after_the_end() {
    let text = "x 61: 1/0\n o 31: 6/3 6/5";
    let mut game = from("1:1 | 6:15", text).won_by(TWO, 3);
    game.result = game.result.map(|result| {
        spanned(GameResult {
            by_loss: true,
            ..result.value
        })
    });
    let record = match_to(9, vec![game]);
    assert_eq!(told(&record), ["1 AfterTheEnd"]);
    let game = first(&record, &RuleOptions::default());
    assert_eq!(
        (game.winner, game.points, game.ended_by),
        (Some(TWO), Some(3), EndedBy::Resignation)
    );
}

#[test]
fn the_jacoby_rule_makes_a_gammon_single_until_a_double() {
    let of = |game: GameRecord, jacoby: Option<bool>| {
        let options = RuleOptions {
            jacoby,
            ..RuleOptions::default()
        };
        let record = money(vec![game]);
        let (told, _) = walked(&record, &options);
        let is_open = |kind: &FaultKind| matches!(kind, FaultKind::JacobyUndecided { .. });
        let open = told.0.iter().any(|(_, _, kind)| is_open(kind));
        let game = first(&record, &options);
        (game.points, game.jacoby, open)
    };
    let single = || from("1:1 | 6:14", "x 61: 1/0").won_by(ONE, 1);
    let turned = "x double 2\n o take";
    assert_eq!(of(single(), Some(true)), (Some(1), false, false));
    assert_eq!(of(single(), None), (Some(1), false, false));
    assert_eq!(
        of(gammon("").won_by(ONE, 1), Some(true)),
        (Some(1), true, false)
    );
    assert_eq!(
        of(gammon("").won_by(ONE, 2), Some(false)),
        (Some(2), false, false)
    );
    assert_eq!(of(gammon("").won_by(ONE, 1), None), (Some(1), true, true));
    assert_eq!(of(gammon("").won_by(ONE, 2), None), (Some(2), false, true));
    assert_eq!(
        of(gammon(turned).won_by(ONE, 4), Some(true)),
        (Some(4), false, false)
    );
    assert_eq!(
        of(gammon(turned).won_by(ONE, 4), None),
        (Some(4), false, false)
    );
}

#[test]
fn points_are_capped_if_only_what_was_needed_is_counted() {
    let of = |length: u32, score: (u32, u32), stated: u32| {
        let mut game = gammon("").won_by(ONE, stated).at(score.0, score.1);
        game.crawford = None;
        told(&match_to(length, vec![game]))
    };
    let nothing = [""; 0];
    assert_eq!(of(3, (2, 0), 2), nothing);
    assert_eq!(of(3, (2, 0), 1), ["PointsCapped"]);
    // The whole length is what some write; three are more than were won.
    assert_eq!(of(3, (2, 0), 3), ["WrongPoints"]);
    assert_eq!(of(5, (2, 0), 1), ["WrongPoints"]);
    // A resignation: five points are no multiple of the cube of two.
    let resigned = |length: u32, score: (u32, u32), stated: u32| {
        let turned = game("x 31: 8/5 6/5\n o double 2\n x take\n o 42: 8/4 6/4");
        let record = match_to(
            length,
            vec![turned.won_by(TWO, stated).at(score.0, score.1)],
        );
        (
            told(&record),
            first(&record, &RuleOptions::default()).points,
        )
    };
    assert_eq!(
        resigned(9, (0, 4), 5),
        (vec!["PointsCapped".to_owned()], Some(6))
    );
    assert_eq!(
        resigned(5, (0, 1), 5),
        (vec!["PointsCapped".to_owned()], Some(6))
    );
    assert_eq!(
        resigned(9, (0, 1), 5),
        (vec!["ImpossiblePoints".to_owned()], Some(6))
    );
    assert_eq!(
        resigned(9, (0, 1), 0),
        (vec!["ImpossiblePoints".to_owned()], Some(2))
    );
}

#[test]
fn points_may_fit_a_wrong_value_of_the_cube() {
    let of = |stated: u32| {
        let game = gammon("x double 4\n o take").won_by(ONE, stated);
        let record = match_to(15, vec![game]);
        (
            told(&record),
            first(&record, &RuleOptions::default()).points,
        )
    };
    let value = || "0 CubeValue".to_owned();
    assert_eq!(of(8), (vec![value()], Some(8)));
    assert_eq!(of(4), (vec![value()], Some(4)));
    assert_eq!(of(6), (vec!["WrongPoints".to_owned(), value()], Some(4)));
}

#[test]
fn a_money_game_may_be_written_as_a_match_of_one_game() {
    let of = |dialect: Option<&str>, length: u32, games: Vec<GameRecord>| {
        let mut record = match_to(length, games);
        record.dialect = dialect.map(|name| Dialect::known(name).expect("a program"));
        let (told, summary) = walked(&record, &RuleOptions::default());
        let habit = told
            .0
            .iter()
            .any(|(_, _, kind)| matches!(kind, FaultKind::SiteHabit(_)));
        (habit, summary.games[0].points)
    };
    let stated = |points: u32| vec![gammon("").won_by(ONE, points)];
    assert_eq!(of(Some("xg"), 4, stated(1)), (true, Some(1)));
    assert_eq!(of(Some("galaxy"), 4, stated(1)), (true, Some(1)));
    for (dialect, length, games) in [
        (None, 4, stated(1)),
        (Some("gnubg"), 4, stated(1)),
        (Some("xg"), 2, stated(1)),
        (Some("xg"), 5, stated(3)),
        (Some("xg"), 9, [stated(1), stated(2)].concat()),
    ] {
        assert_eq!(
            of(dialect, length, games),
            (false, Some(2)),
            "{dialect:?}, {length}"
        );
    }
    let turned = vec![gammon("x double 2\n o take").won_by(ONE, 1)];
    assert_eq!(of(Some("xg"), 9, turned), (false, Some(4)));
}

#[test]
fn who_gives_up_the_match_loses_all_that_is_missing() {
    let of = |resigned: bool, and_match: bool, points: u32| {
        let mut game = game("x 31: 8/5 6/5\n o 42: 8/4 6/4").won_by(ONE, points);
        game.result = game.result.map(|result| {
            spanned(GameResult {
                resigned,
                and_match,
                ..result.value
            })
        });
        let record = match_to(9, vec![game]);
        (
            told(&record).len(),
            first(&record, &RuleOptions::default()).points,
        )
    };
    assert_eq!(of(true, true, 9), (0, Some(9)));
    assert_eq!(of(true, true, 8), (1, Some(3)));
    assert_eq!(of(true, false, 9), (1, Some(3)));
    assert_eq!(of(false, true, 9), (1, Some(3)));
}

#[test]
fn a_thousand_points_of_backgammon_studio_are_what_was_needed() {
    let of = |length: u32| {
        let turned = game("x 31: 8/5 6/5\n o double 2\n x take\n o 42: 8/4 6/4");
        let mut record = match_to(length, vec![turned.won_by(TWO, 1001)]);
        record.dialect = Dialect::known("bgstudio");
        let game = first(&record, &RuleOptions::default());
        (told(&record), game.points, game.win)
    };
    let habit = || vec!["SiteHabit".to_owned()];
    assert_eq!(of(5), (habit(), Some(5), Some(Win::Backgammon)));
    assert_eq!(of(3), (habit(), Some(3), Some(Win::Gammon)));
    assert_eq!(of(7), (habit(), Some(7), None));
}

#[test]
fn the_next_heading_tells_a_result_that_is_missing() {
    let of = |text: &str, score: (u32, u32)| {
        let games = vec![
            game(text).at(1, 1),
            game("x 31: 8/5 6/5").at(score.0, score.1),
        ];
        let game = first(&match_to(9, games), &RuleOptions::default());
        (game.winner, game.points, game.win, game.ended_by)
    };
    let played = "x 31: 8/5 6/5\n o 42: 8/4 6/4";
    let by = EndedBy::Resignation;
    assert_eq!(
        of(played, (3, 1)),
        (Some(ONE), Some(2), Some(Win::Gammon), by)
    );
    assert_eq!(
        of(played, (1, 2)),
        (Some(TWO), Some(1), Some(Win::Single), by)
    );
    assert_eq!(of(played, (1, 6)), (Some(TWO), Some(5), None, by));
    let none = (None, None, None, EndedBy::Unfinished);
    assert_eq!(of(played, (1, 1)), none);
    assert_eq!(of(played, (2, 2)), none);
    // A heading behind a heading.
    assert_eq!(of("", (3, 1)), (Some(ONE), Some(2), Some(Win::Gammon), by));
    assert_eq!(of("", (1, 1)), none);
}

#[test]
fn the_server_has_its_lengths() {
    let of = |length: u32| {
        let options = RuleOptions {
            rules: Some(NamedSet::Nardeon),
            ..RuleOptions::default()
        };
        let (told, _) = walked(&match_to(length, Vec::new()), &options);
        told.0
            .iter()
            .any(|(_, _, kind)| matches!(kind, FaultKind::LengthNotAgreed { .. }))
    };
    assert_eq!([1, 2, 3, 4, 5].map(of), [false, true, false, true, false]);
}

impl Judge for Told {
    fn has_enough(&self) -> bool {
        false
    }
}

#[test]
fn a_trial_is_over_where_the_game_was() {
    let record = money(vec![from("1:1 | 6:15", "x 61: 1/0\n o 31: 6/3 6/5")]);
    let rules = rules_for(&record, &RuleOptions::default());
    let trials = Trials::new(&record, &rules, &first(&record, &RuleOptions::default()));
    let mut told = Told::default();
    let start = trials.start(&record.games[0], &mut told);
    let after = |count| {
        let mut told = Told::default();
        trials
            .go_on(&record.games[0], &start, 0..count, &mut told)
            .is_over()
    };
    assert_eq!([0, 1, 2].map(after), [false, false, true]);
}

#[test]
fn a_variation_that_is_not_known_is_told_unless_an_option_says_what_is_played() {
    let mut record = match_to(3, vec![game("x 31: 8/5 6/5\n o 42: 8/4 6/4")]);
    let told = |record: &MatchRecord, variant: Option<Variant>| {
        let options = RuleOptions {
            variant,
            ..RuleOptions::default()
        };
        let (told, _) = walked(record, &options);
        let is_unknown = |kind: &FaultKind| matches!(kind, FaultKind::UnknownVariation { .. });
        told.0.iter().any(|(_, _, kind)| is_unknown(kind))
    };
    for (value, unknown) in [("Acey-Deucey", true), ("Nackgammon", false), (" ", false)] {
        record.tags = vec![Tag {
            name: "Variation".to_owned(),
            value: value.to_owned(),
            span: Span::default(),
        }];
        assert_eq!(told(&record, None), unknown, "{value}");
        assert!(!told(&record, Some(Variant::Backgammon)), "{value}");
    }
    // Nothing is judged by rules that may not hold.
    let play = |kind: &FaultKind| matches!(kind, FaultKind::Play { .. });
    record.games = vec![game("x 31: 8/5 6/5\n o 42: 9/5 6/4\n x 31: 9/6 6/5")];
    for (value, judged) in [("Acey-Deucey", false), ("Backgammon", true)] {
        record.tags[0].value = value.to_owned();
        let (told, _) = walked(&record, &RuleOptions::default());
        assert_eq!(
            told.0.iter().any(|(_, _, kind)| play(kind)),
            judged,
            "{value}"
        );
    }
}
