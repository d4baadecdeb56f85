use super::*;
use crate::board::{ByPlayer, Move, PlayFault, Plays, Setup, SetupFault, Verdict, test_support};

fn position(text: &str) -> Position {
    test_support::position(Variant::LongNardi, text)
}

fn moves(text: &str) -> Vec<Move> {
    let number = |text: &str| text.parse().expect("a number");
    text.split_whitespace()
        .map(|word| {
            let (from, to) = word.split_once('/').expect("from/to");
            Move::from_numbers(number(from), number(to), false).expect("places")
        })
        .collect()
}

fn roll(number: u8) -> Roll {
    Roll::new(number / 10, number % 10).expect("a roll")
}

fn plays(board: &str, dice: u8) -> Vec<String> {
    let mut plays = Plays::new();
    legal_plays(&position(board), Player::One, roll(dice), &mut plays);
    let mut texts: Vec<String> = plays.iter().map(|(_, play)| play.to_string()).collect();
    texts.sort();
    texts
}

fn verdict(board: &str, dice: u8, written: &str) -> Verdict {
    judge(&position(board), Player::One, roll(dice), &moves(written))
}

fn is_legal(board: &str, dice: u8, written: &str) -> bool {
    matches!(verdict(board, dice, written), Verdict::Legal(_))
}

fn fault(board: &str, dice: u8, written: &str) -> PlayFault {
    match verdict(board, dice, written) {
        Verdict::Illegal { fault, .. } => fault,
        other => panic!("not illegal: {other:?}"),
    }
}

#[test]
fn a_setup_is_held_against_the_points_of_this_game() {
    let mut checkers = ByPlayer::new([0; 26], [0; 26]);
    // The own 17 is the opponent's 5; the own 20 would be in backgammon.
    (checkers.one[24], checkers.one[20], checkers.one[17]) = (12, 1, 1);
    (checkers.two[24], checkers.two[5], checkers.two[25]) = (13, 1, 1);
    let setup = Setup {
        checkers,
        variant: Variant::LongNardi,
        turn: None,
        roll: None,
        cube: None,
    };
    let faults = Position::new(&setup).expect_err("a shared point and a bar");
    assert_eq!(
        faults,
        [
            SetupFault::BothOnPoint(ByPlayer::new(17, 5)),
            SetupFault::OnBar(Player::Two)
        ]
    );
}

const START: &str = "24:15 | 24:15";

#[test]
fn one_checker_leaves_the_head_and_plays_both_dice() {
    assert_eq!(plays(START, 31), ["24/20"]);
    assert!(is_legal(START, 31, "24/21 21/20"));
    assert!(is_legal(START, 31, "24/20"));
    assert_eq!(
        fault(START, 31, "24/21 24/23"),
        PlayFault::HeadRule { left: 2, most: 1 }
    );
}

#[test]
fn two_leave_the_head_on_a_first_roll_that_one_cannot_play() {
    // The opposing head is on 12: one checker plays three threes, two fours or one six.
    assert_eq!(plays(START, 33), ["24/18(2)", "24/21 24/15"]);
    assert_eq!(plays(START, 44), ["24/16(2)"]);
    assert_eq!(plays(START, 66), ["24/18(2)"]);
    assert_eq!(
        fault(START, 66, "24/18 24/18 24/18"),
        PlayFault::HeadRule { left: 3, most: 2 }
    );
    // One checker plays all of these alone.
    assert_eq!(plays(START, 55), ["24/4"]);
    assert_eq!(plays("24:15 | 23:15", 33), ["24/12"]);
    // Later in the game the further sixes are lost.
    assert_eq!(plays("24:14 18:1 | 24:15", 66), ["24/18"]);
}

#[test]
fn one_opposing_checker_closes_a_point() {
    // The opponent's 5 is the own 17, the opposing head the own 12.
    let board = "24:14 18:1 | 24:14 5:1";
    let Verdict::Illegal { fault, stands } = verdict(board, 61, "18/17 24/18") else {
        panic!("a closed point");
    };
    assert!(matches!(fault, PlayFault::ClosedPoint { point, .. } if point.number() == 17));
    assert_eq!(stands, None, "two players cannot stand on one point");
    // On the way both are touched; where it ends the play can stand.
    assert!(matches!(
        verdict(board, 61, "18/11"),
        Verdict::Illegal {
            fault: PlayFault::ClosedPoint { .. },
            stands: Some(_)
        }
    ));
    assert!(is_legal("24:14 18:1 | 24:15", 61, "18/11"), "17 is open");
}

#[test]
fn six_in_a_row_need_an_opposing_checker_ahead() {
    // The own 9 to 4 are the opponent's 21 to 16, the own 11 and 3 the opponent's 23 and 15.
    let own = "24:9 10:1 8:1 7:1 6:1 5:1 4:1";
    let blocked = fault(&format!("{own} | 24:14 23:1"), 21, "24/22 10/9");
    let PlayFault::BlockOfSix { first, last } = blocked else {
        panic!("no block: {blocked:?}");
    };
    assert_eq!((first.number(), last.number()), (9, 4));
    for ahead in ["24:14 15:1", "24:14"] {
        assert!(
            is_legal(&format!("{own} | {ahead}"), 21, "24/22 10/9"),
            "{ahead}"
        );
    }
}

#[test]
fn a_block_goes_on_from_the_own_1_to_the_own_24() {
    // The own 3, 2, 1, 24, 23 and 22 are the opponent's 15 to 10.
    let blocked = fault("24:9 23:2 4:1 3:1 2:1 1:1 | 24:15", 21, "24/22 4/3");
    let PlayFault::BlockOfSix { first, last } = blocked else {
        panic!("no block: {blocked:?}");
    };
    assert_eq!((first.number(), last.number()), (3, 22));
}

#[test]
fn what_the_opponent_meets_at_the_end_and_at_the_start_is_no_block() {
    // The own 15, 14 and 13 are the opponent's 3, 2 and 1; the own 12, 11 and 10 the opponent's 24, 23 and 22.
    let board = "24:8 16:2 15:1 14:1 12:1 11:1 10:1 | 20:15";
    assert!(is_legal(board, 31, "16/13 16/15"));
}

#[test]
fn a_block_may_be_made_on_the_way() {
    // The opponent's 11, the own 23, leaves the way over 18 alone: there it closes 18 to 13 for a moment.
    let board = "24:10 17:1 16:1 15:1 14:1 13:1 | 24:14 11:1";
    assert!(is_legal(board, 61, "24/18 18/17"));
}

#[test]
fn a_block_that_stood_before_is_no_new_fault() {
    let board = "24:8 18:2 17:1 16:1 15:1 14:1 13:1 | 24:15";
    assert!(is_legal(board, 21, "24/21"));
}

#[test]
fn a_die_whose_only_moves_make_a_block_is_lost() {
    // The opponent holds the own 12 to 7: of the sixes only 19/13 lands on an open point.
    let board = "19:1 18:1 17:1 16:1 15:1 14:1 | 24:10 23:1 22:1 21:1 20:1 19:1";
    assert_eq!(plays(board, 66), [""; 0]);
    assert!(is_legal(board, 66, ""));
    assert!(matches!(
        fault(board, 66, "19/13"),
        PlayFault::BlockOfSix { .. }
    ));
}

#[test]
fn bearing_off_is_that_of_backgammon() {
    assert_eq!(plays("6:1 2:1 | 1:1", 62), ["6/off", "6/off 2/off"]);
    assert!(is_legal("7:1 6:1 | 1:1", 65, "6/0 7/2"), "7/2 comes first");
    assert!(matches!(
        fault("8:1 6:1 | 1:1", 61, "6/0 8/7"),
        PlayFault::BearOffTooEarly { .. }
    ));
    assert!(matches!(
        fault("5:1 2:2 | 1:2", 62, "2/0 2/0"),
        PlayFault::BearOffFromLowerPoint { higher, .. } if higher.number() == 5
    ));
    assert!(
        is_legal("1:1 | 1:2", 62, "1/0"),
        "the last checker ends the game"
    );
}

#[test]
fn only_the_larger_die_counts_if_one_of_them_can_be_played() {
    // The opponent's 3 is the own 15: nothing goes on from 18 or 21.
    let board = "24:15 | 3:1 24:14";
    assert_eq!(plays(board, 63), ["24/18"]);
    assert_eq!(
        fault(board, 63, "24/21"),
        PlayFault::SmallerDie { larger: 6 }
    );
}

#[test]
fn each_other_broken_rule_is_named() {
    use PlayFault as F;
    assert!(matches!(
        fault(START, 31, "24/22 22/21"),
        F::DieNotRolled { moved } if moved.to.number() == 22
    ));
    assert!(matches!(
        fault(START, 31, "22/19 24/23"),
        F::NoChecker { moved } if moved.from.number() == 22
    ));
    assert!(matches!(
        fault(START, 31, "24/21 21/22"),
        F::WrongDirection { .. }
    ));
    assert!(matches!(
        fault(START, 31, "24/21"),
        F::DiceLeft { played: 1, most: 2 }
    ));
    assert!(matches!(
        fault(START, 31, "24/21 21/20 20/19"),
        F::TooManyMoves {
            written: 3,
            most: 2
        }
    ));
    assert!(matches!(
        fault(START, 31, "25/22 24/23"),
        F::NoChecker { .. }
    ));
}

#[test]
fn a_first_roll_can_always_be_played() {
    let rolls = || (1..=6).flat_map(|high| (1..=high).map(move |low| 10 * high + low));
    let mut second = Plays::new();
    for dice in rolls() {
        let mut first = Plays::new();
        legal_plays(&position(START), Player::One, roll(dice), &mut first);
        assert!(!first.is_empty(), "{dice}");
        for (after, _) in first.iter() {
            for answer in rolls() {
                legal_plays(after, Player::Two, roll(answer), &mut second);
                assert!(!second.is_empty(), "{dice}, {answer}");
            }
        }
    }
}

fn place(number: u8) -> crate::board::Place {
    crate::board::Place::new(number).expect("a place")
}

#[test]
fn the_move_that_is_to_blame_is_named() {
    let lower = |die, higher| PlayFault::BearOffFromLowerPoint {
        moved: moves("1/0")[0],
        die,
        higher: place(higher),
    };
    // A checker that is off already breaks nothing, and what fails with the second die counts.
    assert_eq!(fault("6:1 5:1 1:1 | 1:2", 62, "6/0 1/0"), lower(2, 5));
    // On the way to 3 the checker might stop on 7; it is the die that does not fit all the same.
    assert_eq!(fault("9:1 5:1 1:1 | 1:2", 62, "9/3 1/0"), lower(2, 5));
    assert_eq!(fault("9:1 5:1 1:1 | 1:2", 26, "9/3 1/0"), lower(2, 5));
    // No move goes beyond its end with the larger die.
    assert_eq!(fault("8:1 6:1 1:1 | 1:2", 62, "8/6 1/0"), lower(6, 6));
    // The opponent's 19 is the own 7: that says more than that it is too early.
    let closed = PlayFault::ClosedPoint {
        moved: moves("9/5")[0],
        point: place(7),
    };
    assert_eq!(fault("9:2 2:2 | 19:1", 22, "2/0 9/5"), closed);
}

#[test]
fn a_closed_point_that_is_left_again_can_be_seen_past() {
    // The opponent's 5 is the own 17.
    let verdict = verdict("24:14 18:1 | 24:14 5:1", 61, "18/17 17/11");
    let Verdict::Illegal { fault, stands } = verdict else {
        panic!("legal");
    };
    assert!(matches!(fault, PlayFault::ClosedPoint { point, .. } if point == place(17)));
    assert!(stands.is_some());
}

#[test]
fn two_dice_bear_off_two_checkers_even_if_they_are_the_last_three() {
    assert_eq!(
        fault("1:3 | 1:1", 65, "1/0 1/0 1/0"),
        PlayFault::TooManyMoves {
            written: 3,
            most: 2
        }
    );
    assert!(is_legal("1:2 | 1:1", 65, "1/0 1/0"));
    assert!(is_legal("1:3 | 1:1", 66, "1/0 1/0 1/0"));
}

#[test]
fn the_last_checker_is_borne_off_with_one_die_if_one_does_it() {
    let mut plays = Plays::new();
    legal_plays(&position("6:1 | 1:1"), Player::One, roll(61), &mut plays);
    let steps: Vec<String> = plays
        .iter()
        .map(|(_, play)| play.steps().to_string())
        .collect();
    assert_eq!(steps, ["6/0"]);
}
