//! What one action of a document says.

use super::record::shown;
use super::tree::Value;
use crate::board::{ByPlayer, Move, Play, Player};
use crate::record::{Action, WrittenPlay, WrittenRoll};

/// What stands in the place of a die where there is no roll.
const NO_ROLL: i64 = 7;

/// Whether the moves of an action are complete, in a document that breaks off within it.
pub(super) fn is_whole(action: &Value) -> bool {
    let Value::Object(members) = action else {
        return false;
    };
    let is_behind = members.last().is_some_and(|(name, _)| **name != *"to");
    let to = action.get("to").map(|to| to.list().len());
    to.is_some_and(|length| length >= 4 || is_behind)
}

/// Whose number it is.
pub(super) fn player(number: i64) -> Option<Player> {
    match number {
        -1 => Some(Player::One),
        1 => Some(Player::Two),
        _ => None,
    }
}

pub(super) fn player_of(action: &Value) -> Option<Player> {
    player(action.get("player")?.int()?)
}

/// The checkers of a list of points. `None`: it is not one of 24 points and two bars.
pub(super) fn checkers(points: &[Value]) -> Option<ByPlayer<[u8; 26]>> {
    let mut checkers = ByPlayer::new([0u8; 26], [0u8; 26]);
    for (index, point) in points.get(..26)?.iter().enumerate() {
        let number = point.int()?;
        let count = u8::try_from(number.unsigned_abs()).ok()?;
        let (player, place) = match number {
            0 => continue,
            // 24 and 25 are the bars.
            1.. if index < 24 => (Player::One, 24 - index),
            1.. => (Player::One, 25),
            _ if index < 24 => (Player::Two, index + 1),
            _ => (Player::Two, 25),
        };
        checkers[player][place] = checkers[player][place].saturating_add(count);
    }
    Some(checkers)
}

/// What an action comes to.
pub(super) enum Step {
    Action(Player, Action),
    /// The end of the game, which this player has won.
    End(Player),
}

/// Why an action cannot be read.
pub(super) struct Fault {
    pub(super) why: String,
    /// The roll, if only the play cannot be read.
    pub(super) roll: Option<WrittenRoll>,
}

impl Fault {
    fn new(why: String) -> Fault {
        Fault { why, roll: None }
    }
}

pub(super) fn step(value: &Value) -> Result<Step, Fault> {
    let number = |name: &str| {
        let found = value.get(name);
        found.and_then(Value::int).ok_or_else(|| {
            let found = found.map_or("missing".to_owned(), shown);
            Fault::new(format!("{name} of an action is {found}"))
        })
    };
    let stated = number("player")?;
    let player = player(stated).ok_or_else(|| Fault::new(format!("{stated} is no player")))?;
    let (red, green) = (number("red")?, number("green")?);
    if green != NO_ROLL {
        let roll = written_roll(red, green)?;
        let play = match moves(value) {
            Ok(moves) if moves.moves().is_empty() => WrittenPlay::Nothing,
            Ok(moves) => WrittenPlay::Moves(moves),
            Err(why) => {
                let roll = Some(roll);
                return Err(Fault { why, roll });
            }
        };
        return Ok(Step::Action(player, Action::Play { roll, play }));
    }
    let action = match red {
        1 => Action::Double {
            to: None,
            after_roll: None,
        },
        2 => Action::Take,
        3 => Action::Pass,
        4 => return Ok(Step::End(player)),
        5 => {
            let first = |name| value.get(name).and_then(|list| list.list().first()?.int());
            let dice = first("from").zip(first("to"));
            let (one, two) = dice.ok_or_else(|| Fault::new("a roll without dice".to_owned()))?;
            Action::Play {
                roll: written_roll(one, two)?,
                play: WrittenPlay::Nothing,
            }
        }
        9 => Action::Resign { win: None },
        _ => return Err(Fault::new(format!("{red} is no kind of action"))),
    };
    Ok(Step::Action(player, action))
}

/// Two digits as dice; whether dice show them is not asked.
fn written_roll(one: i64, two: i64) -> Result<WrittenRoll, Fault> {
    let digit = |number: i64| u8::try_from(number).ok().filter(|&digit| digit <= 9);
    match (digit(one), digit(two)) {
        (Some(one), Some(two)) if (one, two) != (0, 0) => Ok(WrittenRoll(one, two)),
        _ => Err(Fault::new(format!("{one} and {two} are no dice"))),
    }
}

/// The moves of a roll, or why they are none.
pub(super) fn moves(value: &Value) -> Result<Play, String> {
    let places = |name: &str| value.get(name).map(Value::list).unwrap_or_default();
    let (from, to) = (places("from"), places("to"));
    if from.len() != to.len() {
        let (from, to) = (from.len(), to.len());
        return Err(format!("{from} moves start and {to} end"));
    }
    let mut play = Play::EMPTY;
    for (from, to) in from.iter().zip(to) {
        if (from.int(), to.int()) == (Some(-1), Some(-1)) {
            continue;
        }
        let place = |value: &Value| u8::try_from(value.int()?).ok();
        let moved = place(from).zip(place(to));
        let moved = moved.and_then(|(from, to)| Move::from_numbers(from, to, false));
        if !moved.is_some_and(|moved| play.push(moved)) {
            return Err(format!("{} to {} is no move", shown(from), shown(to)));
        }
    }
    Ok(play)
}
