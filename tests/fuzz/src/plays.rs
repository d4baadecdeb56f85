//! Written plays and identifiers.

use arbitrary::Unstructured;
use tawla::board::{ByPlayer, Cube, Player, Plays, Position, Setup, Variant};
use tawla::formats::ids::{Kind, decode, decode_as, encode};
use tawla::formats::notation::parse_play;
use tawla::record::WrittenPlay;

use crate::record::roll;

/// A play as text, judged on some position: it is legal exactly if it leads where one of the legal plays does.
pub fn plays(data: &[u8]) {
    let mut u = Unstructured::new(data);
    let Ok(Some((position, roll, variant))) = place(&mut u) else {
        return;
    };
    let text = String::from_utf8_lossy(u.take_rest());
    let Ok(written) = parse_play(&text) else {
        return;
    };
    let moves = match &written {
        WrittenPlay::Moves(play) => play.moves(),
        WrittenPlay::CannotMove => &[],
        WrittenPlay::Nothing | WrittenPlay::NotRecorded => return,
    };
    let mut all = Plays::new();
    variant.legal_plays(&position, Player::One, roll, &mut all);
    let verdict = variant.judge(&position, Player::One, roll, moves);
    if let tawla::board::Verdict::Legal(reading) = &verdict {
        let reached = all.leading_to(&reading.position).is_some();
        let dances = all.is_empty() && reading.position == position;
        assert!(
            reached || dances,
            "{text:?} {roll:?} {position:?} {verdict:?}"
        );
    }
    let shown = match &written {
        WrittenPlay::Moves(play) => play.to_string(),
        _ => return,
    };
    let again = parse_play(&shown);
    assert!(
        matches!(again, Ok(WrittenPlay::Moves(_))),
        "{text:?} became {shown:?}"
    );
}

/// A position of few or many checkers, and a roll.
fn place(
    u: &mut Unstructured<'_>,
) -> arbitrary::Result<Option<(Position, tawla::board::Roll, Variant)>> {
    let variant = *u.choose(&Variant::ALL)?;
    let mut checkers = ByPlayer::new([0u8; 26], [0u8; 26]);
    for player in [Player::One, Player::Two] {
        if u.ratio(1, 4)? {
            checkers[player] = variant.start();
            continue;
        }
        for _ in 0..u.int_in_range(1..=variant.checkers())? {
            checkers[player][u.int_in_range(1..=25usize)?] += 1;
        }
    }
    let setup = Setup {
        checkers,
        variant,
        turn: None,
        roll: None,
        cube: Some(Cube::START),
    };
    let roll = roll(u)?;
    Ok(Position::new(&setup)
        .ok()
        .map(|position| (position, roll, variant)))
}

/// An identifier of any kind: what it means can be written in its own kind, and means the same again.
pub fn ids(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    drop(decode(&text));
    for kind in Kind::ALL {
        let Ok(decoded) = decode_as(kind, &text) else {
            continue;
        };
        // What contradicts itself, a Crawford game at 0-0, need not be told alike by every kind.
        if !decoded.faults.is_empty() {
            continue;
        }
        for other in Kind::ALL {
            let Ok(written) = encode(other, &decoded.state) else {
                continue;
            };
            let again = decode_as(other, &written);
            let again =
                again.unwrap_or_else(|faults| panic!("{text:?} became {written:?}: {faults:?}"));
            let twice = encode(other, &again.state).expect("what was written once");
            assert_eq!(written, twice, "{text:?}");
        }
    }
}
