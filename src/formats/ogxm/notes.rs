//! What our writer notes under its own keys, as texts: what stands with a position, moves, values.

use super::model::Ply;
use crate::board::{Cube, Move, Play, Player, Roll, Setup};
use crate::record::WrittenPlay;

pub(super) fn player_text(player: Player) -> &'static str {
    match player {
        Player::One => "white",
        Player::Two => "black",
    }
}

pub(super) fn player(text: &str) -> Option<Player> {
    Player::BOTH
        .into_iter()
        .find(|&player| player_text(player) == text)
}

/// The value stated with a turn of the cube.
pub(super) fn value(ply: &Ply) -> Option<u32> {
    ply.note("to")?.parse().ok()
}

/// `turn white roll 31 cube 2 black`: what is not stated is left out.
pub(super) fn state_text(setup: &Setup) -> String {
    let mut parts = Vec::new();
    if let Some(turn) = setup.turn {
        parts.push(format!("turn {}", player_text(turn)));
    }
    if let Some(roll) = setup.roll {
        parts.push(format!("roll {roll}"));
    }
    if let Some(cube) = setup.cube {
        let owner = cube.owner.map_or("nobody", player_text);
        parts.push(format!("cube {} {owner}", cube.value));
    }
    parts.join(" ")
}

/// States what a text says, and nothing else.
pub(super) fn state(setup: &mut Setup, text: &str) {
    (setup.turn, setup.roll, setup.cube) = (None, None, None);
    let mut words = text.split(' ');
    while let Some(word) = words.next() {
        let mut next = || words.next().unwrap_or_default();
        match word {
            "turn" => setup.turn = player(next()),
            "roll" => setup.roll = roll(next()),
            "cube" => {
                let (value, owner) = (next().parse().ok(), player(next()));
                setup.cube = value.map(|value| Cube { value, owner });
            }
            _ => {}
        }
    }
}

fn roll(text: &str) -> Option<Roll> {
    let [one, two] = text.as_bytes().try_into().ok()?;
    Roll::new(one.checked_sub(b'0')?, two.checked_sub(b'0')?)
}

/// `24/20 6/5`, 25 for the bar and 0 for off; nothing at all is no play, and `?` one that was not recorded.
pub(super) fn play_text(play: &WrittenPlay) -> String {
    match play {
        WrittenPlay::Moves(moves) => {
            let moves = moves.moves().iter();
            let texts: Vec<String> = moves
                .map(|moved| format!("{}/{}", moved.from.number(), moved.to.number()))
                .collect();
            texts.join(" ")
        }
        WrittenPlay::CannotMove | WrittenPlay::Nothing => String::new(),
        WrittenPlay::NotRecorded => "?".to_owned(),
    }
}

pub(super) fn play(text: &str) -> Option<WrittenPlay> {
    match text {
        "" => return Some(WrittenPlay::Nothing),
        "?" => return Some(WrittenPlay::NotRecorded),
        _ => {}
    }
    let mut play = Play::EMPTY;
    for moved in text.split(' ') {
        let (from, to) = moved.split_once('/')?;
        let moved = Move::from_numbers(from.parse().ok()?, to.parse().ok()?, false)?;
        if !play.push(moved) {
            return None;
        }
    }
    Some(WrittenPlay::Moves(play))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{ByPlayer, Variant};

    #[test]
    fn what_stands_with_a_position_comes_back() {
        let mut setup = Setup {
            checkers: ByPlayer::new([0; 26], [0; 26]),
            variant: Variant::Backgammon,
            turn: Some(Player::Two),
            roll: Roll::new(3, 1),
            cube: Some(Cube {
                value: 4,
                owner: Some(Player::One),
            }),
        };
        let text = state_text(&setup);
        assert_eq!(text, "turn black roll 31 cube 4 white");
        let before = setup.clone();
        state(&mut setup, "");
        assert_eq!((setup.turn, setup.roll, setup.cube), (None, None, None));
        state(&mut setup, &text);
        assert_eq!(setup, before);
        state(&mut setup, "cube x turn roll 9 cube");
        assert_eq!((setup.turn, setup.roll, setup.cube), (None, None, None));
    }

    #[test]
    fn moves_come_back_in_their_order() {
        for text in ["", "?", "6/5 24/20", "25/0"] {
            assert_eq!(
                play(text).map(|play| play_text(&play)).as_deref(),
                Some(text)
            );
        }
        assert_eq!([play("6"), play("26/1"), play("6/5 ")], [None; 3]);
    }
}
