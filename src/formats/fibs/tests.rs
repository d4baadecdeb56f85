use super::super::test_support::{actions, codes, read_text};
use super::*;
use crate::board::{Length, Player};
use crate::record::Action;

/// A board of Ann, who is X and moves up, and Bob.
fn ann(points: &str, turn: &str, cube: &str) -> String {
    format!("board:Ann:Bob:5:0:0:{points}:{turn}:{cube}:-1:1:25:0:0:0:0:0:2:0:0:0")
}

const START: &str = "0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0";
/// After 31: 8/5 6/5 by Bob, who is O and moves down.
const FIVE_POINT: &str = "0:-2:0:0:0:2:4:0:2:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0";
/// After 42: 8/4 6/4 by Ann on top of that.
const FOUR_POINT: &str = "0:-2:0:0:0:2:4:0:2:0:0:0:-5:5:0:0:0:-2:0:-4:0:-2:0:0:2:0";
const CENTRED: &str = "1:1:1:0";

#[test]
fn one_board_is_a_game_that_starts_there() {
    let (matches, found) = read_text(&FORMAT, &ann(START, "1:0:0:3:1", CENTRED));
    assert!(found.is_empty(), "{found:?}");
    let game = &matches[0].games[0];
    assert!(game.entries.is_empty());
    let start = &game.start.as_ref().expect("a position").value;
    assert_eq!(
        (start.turn, start.roll.map(|r| r.high())),
        (Some(Player::Two), Some(3))
    );
    assert_eq!(matches[0].length.map(|l| l.value), Some(Length::Points(5)));
}

#[test]
fn plays_are_found_between_boards() {
    let boards = [
        ann(START, "1:0:0:3:1", CENTRED),
        ann(FIVE_POINT, "-1:0:0:0:0", CENTRED),
        ann(FIVE_POINT, "-1:4:2:0:0", CENTRED),
        ann(FOUR_POINT, "1:0:0:0:0", CENTRED),
    ];
    let (matches, found) = read_text(&FORMAT, &boards.join("\n"));
    assert!(found.is_empty(), "{found:?}");
    let game = &matches[0].games[0];
    assert_eq!(actions(game), ["2 31: 8/5 6/5", "1 42: 8/4 6/4"]);
    assert!(game.start.is_none());
}

#[test]
fn what_no_play_explains_is_set() {
    let boards = [
        ann(START, "1:0:0:3:1", CENTRED),
        ann(FOUR_POINT, "1:0:0:0:0", CENTRED),
        ann(START, "1:0:0:5:2", "2:1:0:0"),
    ];
    let (matches, _) = read_text(&FORMAT, &boards.join("\n"));
    let game = &matches[0].games[0];
    let sets = game
        .entries
        .iter()
        .filter(|entry| entry.action == Action::Set);
    assert_eq!(sets.count(), 2);
}

#[test]
fn a_session_tells_plays_cube_and_results() {
    let log = format!(
        "Bob rolls 6 and 6.\nFIBS_Board: {}\nBob moves 8-5 6-5 .\n{}\nbob kibitzes: gg Ann doubles\n\
         Ann doubles.\nBob accepts the double. The cube shows 2.\nAnn rolls 4 and 2.\n\
         Ann moves 17-21 19-21 .\n{}\nBob rolls 6 and 6.\nBob can't move.\nAnn rolls 1 and 2.\n\
         Ann wants to resign. Bob will win 2 points.\nBob accepts and wins 2 points.\n{}\n{}\n",
        ann(START, "1:0:0:3:1", CENTRED),
        ann(FIVE_POINT, "-1:0:0:0:0", CENTRED),
        ann(FOUR_POINT, "1:0:0:0:0", "2:0:1:0"),
        ann(FOUR_POINT, "0:0:0:0:0", "2:0:1:0"),
        ann(START, "1:0:0:2:1", CENTRED).replacen(":5:0:0:", ":5:0:2:", 1),
    );
    let (matches, found) = read_text(&FORMAT, &log);
    assert!(found.is_empty(), "{found:?}");
    let record = &matches[0];
    assert_eq!((matches.len(), record.games.len()), (1, 2));
    assert_eq!(
        actions(&record.games[0]),
        [
            "2 31: 8/5 6/5",
            "1 double",
            "2 take",
            "1 42: 8/4 6/4",
            "2 66: cannot move",
            "1 12:",
            "1 resign { win: none }",
            "2 accept",
        ]
    );
    let result = record.games[0].result.expect("a result").value;
    assert_eq!((result.winner, result.points), (Some(Player::Two), Some(2)));
}

#[test]
fn the_words_say_who_doubled() {
    let log = format!(
        "{}\nBob doubles.\n{}\nAnn refuses the cube and gives up 1 point.\n",
        ann(FIVE_POINT, "1:0:0:0:0", CENTRED),
        ann(FIVE_POINT, "1:0:0:0:0", "1:1:1:-1"),
    );
    let (matches, _) = read_text(&FORMAT, &log);
    assert_eq!(actions(&matches[0].games[0]), ["2 double", "1 pass"]);
}

#[test]
fn boards_seen_from_the_other_side_are_the_same_match() {
    let other = "board:Bob:Ann:5:0:0:0:-2:0:0:0:2:4:0:2:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:-1:0:0:4:2:\
        1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0";
    let boards = format!("{}\n{other}\n", ann(START, "1:0:0:3:1", CENTRED));
    let (matches, found) = read_text(&FORMAT, &boards);
    assert!(found.is_empty(), "{found:?}");
    assert_eq!(matches.len(), 1);
    assert_eq!(actions(&matches[0].games[0]), ["2 31: 8/5 6/5", "1 42:"]);
}

#[test]
fn damaged_boards_are_reported_and_passed_over() {
    let whole = ann(START, "1:0:0:3:1", CENTRED);
    let many = whole.replace("0:-2:0:0:0:0:5", "0:-2:0:0:0:0:9");
    let (matches, found) = read_text(&FORMAT, &format!("{whole}\n{many}\n{}\n", &whole[..60]));
    assert_eq!(codes(&found), ["impossible-position", "unreadable-line"]);
    assert_eq!(matches.len(), 1);
}

#[test]
fn other_players_are_another_match() {
    let first = ann(START, "1:0:0:3:1", CENTRED);
    let second = first.replace("Bob", "Cy");
    let (matches, _) = read_text(&FORMAT, &format!("{first}\n{second}\n"));
    assert_eq!(matches.len(), 2);
}
