//! Damaged and odd texts that writers and readers once did not agree on, held to the law of conversion.

use std::fs;

use tawla::board::Variant;
use tawla::formats::carry::Item;
use tawla::formats::{WriteOptions, by_name, detect, write};
use tawla::record::MatchRecord;
use tawla::replay::{replay, rules_for};
use tawla::ruleset::RuleOptions;
use tawla::source::Source;

use crate::support::law::{hold, read, targets};

/// The one match of a file of these fixtures.
fn only(name: &str) -> MatchRecord {
    let path = format!("fixtures/written/{name}");
    let bytes = fs::read(&path).expect("a fixture");
    let source = Source::new(path, bytes, None).expect("a source");
    let format = detect(&source).expect("a format");
    let mut records = read(&source, format);
    assert_eq!(records.len(), 1, "{name}");
    records.remove(0)
}

/// What a format loses of a record.
fn lost(record: &MatchRecord, format: &str) -> Vec<Item> {
    let format = by_name(format).expect("a format");
    let replay = replay(record, &rules_for(record, &RuleOptions::default()));
    let written = write(format, record, &replay, &WriteOptions::default());
    let losses = written.expect("a file").losses;
    losses.into_iter().map(|loss| loss.item).collect()
}

#[test]
fn what_was_read_comes_back_but_for_the_losses_that_are_told() {
    let mut held = 0;
    for entry in fs::read_dir("fixtures/written").expect("a folder") {
        let name = entry.expect("a file").file_name();
        let name = name.to_str().expect("a name");
        let record = only(name);
        for (format, profile) in targets() {
            let _ = hold(name, &record, format, profile);
        }
        held += 1;
    }
    assert_eq!(held, 45);
}

/// What is told as lost because it was read back, and what is not written because it would be another match.
#[test]
fn what_nobody_thought_of_is_told_by_reading_back() {
    use Item::{
        Beavers, CubeActions, CubeValues, Length, MatchComments, OtherTags, Positions, Raccoons,
        StartPositions,
    };
    let told: [(&str, &str, &[Item]); 15] = [
        ("garbled-lengths.sgf", "bgammon", &[Length]),
        (
            "garbled-values-of-the-cube.mat",
            "gam",
            &[CubeValues, Beavers],
        ),
        ("garbled-grid-log.mat", "mat", &[Raccoons]),
        ("garbled-start.sgf", "mat", &[StartPositions]),
        (
            "garbled-grid-log-in-a-row.mat",
            "mat",
            &[CubeActions, Raccoons],
        ),
        ("garbled-start-in-match-text.sgf", "mat", &[StartPositions]),
        ("garbled-grid-log-in-a-cell.mat", "gam", &[Raccoons]),
        ("garbled-comment.sgf", "mat", &[MatchComments]),
        ("garbled-tags-twice.oldmoves", "ogxm", &[OtherTags]),
        ("garbled-raccoon.mat", "mat", &[Raccoons]),
        ("garbled-double-before-beavers.mat", "bgammon", &[Raccoons]),
        ("garbled-beaver.mat", "mat", &[Beavers]),
        ("garbled-board.fibs", "xg", &[Positions]),
        ("garbled-row-numbers.mat", "gam", &[Beavers]),
        ("garbled-drops.mat", "mat", &[CubeActions, Raccoons]),
    ];
    for (name, format, items) in told {
        let record = only(name);
        let by = targets().filter(|(target, _)| target.name == format);
        let unforeseen = by.map(|(format, profile)| hold(name, &record, format, profile));
        let unforeseen: Vec<Vec<Item>> = unforeseen.filter_map(Result::ok).collect();
        assert!(
            unforeseen.iter().any(|told| told == items),
            "{name}: {unforeseen:?}"
        );
    }
    for name in ["garbled-take.mat", "garbled-set-position.mat"] {
        let record = only(name);
        let by = targets().filter(|(target, _)| target.name == "mat");
        let refused = by.filter_map(|(format, profile)| hold(name, &record, format, profile).err());
        let refused: Vec<String> = refused.map(|error| error.to_string()).collect();
        let expected = "read back, the mat would be another match: game 1, action 1";
        assert!(
            refused.iter().any(|why| why == expected),
            "{name}: {refused:?}"
        );
    }
}

#[test]
fn which_game_only_the_caller_knows_is_no_loss() {
    let path = "fixtures/options/variant-of-nackgammon.mat";
    let bytes = fs::read(path).expect("a fixture");
    let source = Source::new(path, bytes, None).expect("a source");
    let record = &read(&source, by_name("mat").expect("mat"))[0];
    let rules = RuleOptions {
        variant: Some(Variant::Nackgammon),
        ..RuleOptions::default()
    };
    let replay = replay(record, &rules_for(record, &rules));
    for format in ["mat", "sgf", "xg"] {
        let format = by_name(format).expect("a format");
        let written = write(format, record, &replay, &WriteOptions::default());
        assert_eq!(written.expect("a file").losses, [], "{}", format.name);
    }
}

#[test]
fn who_is_on_roll_in_a_start_is_kept_where_nobody_acts() {
    assert_eq!(
        lost(&only("player-on-roll-after-automatic-doubles.sgf"), "sgf"),
        []
    );
}

#[test]
fn a_cube_in_the_middle_of_a_start_stays_there() {
    let record = only("cube-in-the-middle-of-a-start.sgf");
    assert_eq!(lost(&record, "xg"), [Item::RuleTags]);
}

#[test]
fn a_take_that_would_be_read_as_the_opponents_is_told_as_lost() {
    let record = only("take-in-the-column-of-the-doubler.mat");
    let expected = [Item::CubeActions, Item::Unreadable, Item::RowNumbers];
    assert_eq!(lost(&record, "mat"), expected);
}

#[test]
fn how_a_game_ended_is_told_as_lost_with_the_action_that_tells_it() {
    let record = only("garbled-row-before-bearing-off.mat");
    assert!(lost(&record, "bgammon").contains(&Item::ResultKinds));
}

#[test]
fn a_double_behind_the_end_of_a_game_has_no_value() {
    assert_eq!(lost(&only("double-behind-the-end.mat"), "mat"), []);
}

#[test]
fn a_comment_that_looks_like_a_header_line_is_told_as_lost() {
    let record = only("comment-like-a-header-line.mat");
    assert_eq!(record.comments[0].value, "[EventDate \"2026.02.30\"]");
    assert_eq!(lost(&record, "sgf"), [Item::MatchComments]);
}

#[test]
fn a_name_that_looks_like_a_row_is_told_as_lost() {
    let lost = lost(&only("name-like-a-row.mat"), "gam");
    assert_eq!(lost, [Item::Names, Item::Length, Item::Scores]);
}

#[test]
fn a_double_in_answer_to_a_double_is_told_as_a_beaver() {
    let lost = lost(&only("double-in-answer-to-a-double.mat"), "bgammon");
    assert_eq!(lost, [Item::CubeActions, Item::Beavers]);
}

#[test]
fn a_game_of_which_no_row_is_left_is_still_a_game() {
    assert!(lost(&only("game-without-a-readable-row.mat"), "gam").contains(&Item::Unreadable));
}

#[test]
fn a_value_that_a_second_double_does_not_come_to_is_told_as_lost() {
    let record = only("double-twice-by-one-player.mat");
    let expected = [Item::CubeValues, Item::ResultKinds, Item::RowNumbers];
    assert_eq!(lost(&record, "xg"), expected);
}

#[test]
fn an_answer_that_would_become_another_one_is_told_as_lost() {
    let record = only("beaver-behind-a-raccoon.mat");
    assert!(lost(&record, "xg").contains(&Item::Raccoons));
    let record = only("double-behind-a-pass-that-is-lost.mat");
    assert!(lost(&record, "xg").contains(&Item::Beavers));
    let record = only("raccoon-behind-a-garbled-double.mat");
    assert!(lost(&record, "sgf").contains(&Item::Raccoons));
}

#[test]
fn a_cube_that_was_doubled_automatically_is_told_as_lost_where_it_comes_back_owned() {
    let record = only("automatic-double-told-by-the-first-double.mat");
    assert!(lost(&record, "xg").contains(&Item::StartPositions));
}

#[test]
fn a_board_that_says_what_was_known_is_told_as_lost() {
    let record = only("board-behind-an-unanswered-double.log");
    assert_eq!(lost(&record, "xg"), [Item::Positions]);
}

#[test]
fn more_checkers_on_a_point_than_there_are_letters_are_told_as_lost() {
    let record = only("seventeen-checkers-on-a-point.sgf");
    assert!(lost(&record, "mat").contains(&Item::StartPositions));
}

#[test]
fn a_blank_that_a_simple_text_has_not_is_told_as_lost() {
    let record = only("tab-in-the-event.mat");
    assert_eq!(record.tags[0].value, "Club\tnight");
    assert_eq!(lost(&record, "sgf"), [Item::Event]);
}

#[test]
fn a_backslash_in_a_simple_text_is_no_loss() {
    let mut record = only("tab-in-the-event.mat");
    record.tags[0].value = r"Club\night".to_owned();
    assert_eq!(lost(&record, "sgf"), []);
}

#[test]
fn a_name_that_would_start_a_comment_is_told_as_lost() {
    assert_eq!(
        lost(&only("name-starts-with-a-colon.mat"), "mat"),
        [Item::Names]
    );
}

#[test]
fn a_roll_of_noughts_is_told_as_lost_where_it_means_no_roll() {
    let lost = lost(&only("roll-of-noughts.fibs"), "mat");
    assert_eq!(lost, [Item::ImpossibleRolls]);
}
