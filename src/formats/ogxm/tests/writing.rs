//! What is written comes back.

use super::*;

/// What is read, written and read again.
fn again(record: &MatchRecord) -> (MatchRecord, Vec<(Item, u32)>) {
    let written = written(record).expect("a file");
    let losses = written.losses.iter().map(|loss| (loss.item, loss.times));
    (read(&written.bytes).0, losses.collect())
}

#[test]
fn the_whole_record_comes_back() {
    let (record, _) = read(ANNOTATED);
    let (back, losses) = again(&record);
    // A second block of analysis and the marks of a video have no place.
    assert_eq!(losses, [(Item::Analysis, 3)]);
    let without = |record: &MatchRecord| {
        let mut record = content(record);
        crate::formats::carry::strip(&mut record, Item::Analysis);
        record
    };
    assert_eq!(without(&back), without(&record));
    assert_eq!(said(&back.games[0].entries[3], "cube-error"), ["0.000"]);
}

#[test]
fn what_has_no_field_is_noted() {
    let (mut record, _) = read(ONE_GAME);
    let game = &mut record.games[0];
    game.score = None;
    game.crawford = Some(crate::source::Spanned::new(true, Span::default()));
    game.entries[2].action = Action::Double {
        to: Some(8),
        after_roll: None,
    };
    game.entries[5].action = Action::Resign { win: None };
    record.tags[0].value = "Off".to_owned();
    record.tags.push(crate::record::Tag {
        name: "Stake".to_owned(),
        value: "1=2".to_owned(),
        span: Span::default(),
    });
    record.ratings.two = Some("about 1800".to_owned());
    let (back, losses) = again(&record);
    assert_eq!(losses, []);
    assert_eq!(content(&back), content(&record));
}

#[test]
fn a_match_that_starts_behind_the_crawford_game_says_so() {
    let text = " 3 point match\n\n Game 9\n A : 2                B : 1\n  1) 31: 8/5 6/5         42: 8/4 6/4\n  \
        2)                      Doubles => 2\n  3)  Takes              31: 8/5 6/5\n";
    let (matches, _) =
        crate::formats::test_support::read_text(crate::formats::by_name("mat").expect("mat"), text);
    let written = written(&matches[0]).expect("a file");
    // The bit of the match header, and a note that the transcript has no mark.
    let (back, _) = read(&written.bytes);
    assert_eq!(content(&back), content(&matches[0]));
    assert!(back.games[0].crawford.is_none());
    let plain: Vec<u8> = written
        .bytes
        .iter()
        .map(|byte| if *byte == b'-' { b'_' } else { *byte })
        .collect();
    let (others, _) = read(&plain);
    assert_eq!(others.games[0].crawford.map(|mark| mark.value), Some(false));
}

#[test]
fn a_play_that_cannot_be_made_keeps_its_moves() {
    let (mut record, _) = read(ONE_GAME);
    let entries = &mut record.games[0].entries;
    entries.truncate(2);
    if let Action::Play { play, .. } = &mut entries[1].action {
        let moves = crate::formats::notation::parse_play("13/7 8/4").expect("a play");
        *play = moves;
    }
    let (back, losses) = again(&record);
    assert_eq!(losses, []);
    assert_eq!(actions(&back.games[0])[1], "1 42: 13/7 8/4");
    assert!(back.games[0].entries[1].extra.is_none());
}

#[test]
fn losses_are_counted() {
    let (mut record, _) = read(ONE_GAME);
    let result = record.games[0].result.as_mut().expect("a result");
    result.value.win = Some(Win::Single);
    record.games[0]
        .entries
        .push(Entry::new(Player::Two, Action::Accept, 0, Span::default()));
    record.length = None;
    let (_, losses) = again(&record);
    let expected = [
        (Item::Length, 1),
        (Item::Resignations, 1),
        (Item::ResultKinds, 1),
    ];
    assert_eq!(losses, expected);
    record.games.clear();
    assert!(written(&record).is_err());
}

#[test]
fn a_second_match_is_refused() {
    let (record, _) = read(ONE_GAME);
    let replay = replay(&record, &rules_for(&record, &RuleOptions::default()));
    let options = WriteOptions {
        before: 1,
        ..WriteOptions::default()
    };
    let why = write(&FORMAT, &record, &replay, &options).expect_err("one match");
    assert_eq!(why.to_string(), "an OGXM file holds one match");
}
