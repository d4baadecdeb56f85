//! The position line of Snowie: 40 fields, each with a semicolon after it.
//!
//! Jacoby, two flags, the side on roll, the name of the player on roll, the other name, Crawford, the
//! two scores, the cube and its owner, 26 numbers of checkers, and the dice. All but the side is told from
//! the player on roll. The bar of the opponent comes first: descriptions that have the own bar there are
//! wrong. A pending double cannot be said.

use crate::board::{ByPlayer, Cube, Player};

use super::NotEncodable;
use super::field::{Faults, Field, roll};
use super::state::{IdState, Places, match_length};

const FIELDS: usize = 40;
const NAMES: ByPlayer<&str> = ByPlayer::new("the first player", "the second player");

pub(super) fn decode(whole: Field<'_>, faults: &mut Faults) -> Option<IdState> {
    let mut fields = whole.split(|c| c == ';');
    if fields
        .last()
        .is_some_and(|field| field.text.trim().is_empty())
    {
        fields.pop();
    }
    if fields.len() != FIELDS {
        let message = format!(
            "a Snowie position has {FIELDS} fields, here are {}",
            fields.len()
        );
        faults.error(whole.column, message);
        return None;
    }
    let fields: Vec<_> = fields.into_iter().map(Field::trim).collect();
    let mut within = |index: usize, what: &str, low: i64, high: i64| {
        fields[index].number(what, low..=high, faults)
    };
    let jacoby = within(1, "Jacoby flag", 0, 1);
    // What the next two mean is not settled; they are numbers.
    within(2, "third field", -9999, 9999);
    within(3, "fourth field", -9999, 9999);
    let side = within(4, "side on roll", 0, 1);
    let crawford = within(7, "Crawford flag", 0, 1);
    let owner = within(11, "owner of the cube", -1, 1);
    let length = fields[0].count("match length", faults);
    let own_score = fields[8].count("score of the player on roll", faults);
    let other_score = fields[9].count("score of the other player", faults);
    let cube = fields[10].cube(faults);
    let dice = roll(fields[38], fields[39], faults);
    let side = side?;
    let turn = if side == 0 { Player::One } else { Player::Two };
    let board = board(&fields[12..38], turn, faults);
    let length = length?;
    let [own, other] = [fields[5], fields[6]].map(|field| field.text.to_owned());
    let (names, score) = (
        ByPlayer::new(own, other),
        ByPlayer::new(own_score?, other_score?),
    );
    let (names, score) = match turn {
        Player::One => (names, score),
        Player::Two => (names.swapped(), score.swapped()),
    };
    let state = IdState {
        board: Some(board?),
        turn: Some(turn),
        dice: dice?,
        cube: Some(Cube {
            value: cube?,
            owner: match owner? {
                1 => Some(turn),
                0 => None,
                _ => Some(!turn),
            },
        }),
        length: Some(match_length(length)),
        score: Some(score),
        crawford: Some(crawford? == 1),
        jacoby: (length == 0).then_some(jacoby? == 1),
        names: Some(names),
        ..IdState::default()
    };
    check(&state, &fields, faults);
    Some(state)
}

fn check(state: &IdState, fields: &[Field<'_>], faults: &mut Faults) {
    let length = state.points();
    let score = state.score.unwrap_or_default();
    if length > 0 && score.one.max(score.two) >= length {
        faults.error(
            fields[8].column,
            format!(
                "a score of {} in a match to {length}",
                score.one.max(score.two)
            ),
        );
    }
    if length == 0 && state.crawford == Some(true) {
        faults.error(fields[7].column, "a Crawford game in money play");
    }
    let column = |index: usize| Some(fields[index].column);
    let places = Places {
        cube: column(10),
        crawford: column(7),
        pending: None,
        score: column(8),
    };
    state.check(places, faults);
}

/// Each player's checkers in the own numbering.
fn board(fields: &[Field<'_>], turn: Player, faults: &mut Faults) -> Option<ByPlayer<[u8; 26]>> {
    let numbers: Vec<_> = fields
        .iter()
        .map(|field| field.number("number of checkers", -15..=15, faults))
        .collect();
    let mut board = ByPlayer::new([0u8; 26], [0u8; 26]);
    let mut fine = true;
    for (place, number) in numbers.into_iter().enumerate() {
        let number = number?;
        let (player, own) = if number > 0 {
            (turn, place)
        } else {
            (!turn, 25 - place)
        };
        if number != 0 && own == 0 {
            let message = format!("{} has a checker on the other's bar", NAMES[player]);
            faults.impossible(fields[place].column, message);
            fine = false;
        }
        board[player][own] = u8::try_from(number.unsigned_abs()).ok()?;
    }
    if fine {
        faults.check_board(&board, NAMES, fields[0].column);
    }
    fine.then_some(board)
}

pub(super) fn encode(state: &IdState) -> Result<String, NotEncodable> {
    state.sound_board()?;
    let (cube, _) = state.cube_exponent(15)?;
    if let Some(pending) = state.pending {
        return Err(NotEncodable::Pending(pending.name()));
    }
    if state.is_idle() {
        return Err(NotEncodable::GameOver);
    }
    let length = state.points();
    let score = state.score.unwrap_or_default();
    if length > 0 && score.one.max(score.two) >= length {
        return Err(NotEncodable::MatchOver);
    }
    let turn = state.on_roll();
    let is_money = length == 0;
    let mut text = format!(
        "{length};{};0;{};{};{};{};{};{};{};{};{};",
        u8::from(is_money && state.jacoby == Some(true)),
        u8::from(is_money),
        turn.index(),
        name(state, turn)?,
        name(state, !turn)?,
        u8::from(!is_money && state.crawford == Some(true)),
        score[turn],
        score[!turn],
        cube.value,
        match cube.owner {
            None => 0,
            Some(owner) if owner == turn => 1,
            Some(_) => -1,
        },
    );
    for number in state.numbers(turn).unwrap_or_default() {
        text.push_str(&format!("{number};"));
    }
    let [a, b] = state
        .dice
        .map_or([0, 0], |roll| [roll.0.pips(), roll.1.pips()]);
    text.push_str(&format!("{a};{b};"));
    Ok(text)
}

fn name(state: &IdState, player: Player) -> Result<&str, NotEncodable> {
    let name = state.names.as_ref().map_or("", |names| &names[player]);
    if name.contains(|c: char| c == ';' || c.is_control()) {
        return Err(NotEncodable::Name(name.to_owned()));
    }
    Ok(name.trim())
}
