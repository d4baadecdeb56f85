//! Damaged and odd texts that writers and readers once did not agree on, held to the law of conversion.

use std::fs;

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
            hold(name, &record, format, profile);
        }
        held += 1;
    }
    assert_eq!(held, 7);
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
fn a_game_of_which_no_row_is_left_is_still_a_game() {
    assert!(lost(&only("game-without-a-readable-row.mat"), "gam").contains(&Item::Unreadable));
}
