//! XGID of eXtreme Gammon: ten fields between colons.
//!
//! `board : cube : owner : turn : dice : score bottom : score top : rules : length : highest cube`
//!
//! The board has 26 characters: the bar of the top player, the points 1 to 24 of the bottom player, the bar
//! of the bottom player; capitals are the bottom player's checkers. It is never turned, whoever is on roll.

use crate::board::{ByPlayer, Cube, Player, Position, Roll};

use super::NotEncodable;
use super::field::{Faults, Field};
use super::state::{IdState, Pending, Places, Sides, match_length};

const NAMES: ByPlayer<&str> = ByPlayer::new("the bottom player", "the top player");
const FIELDS: [&str; 10] = [
    "board",
    "cube",
    "owner of the cube",
    "turn",
    "dice",
    "score of the bottom player",
    "score of the top player",
    "rules",
    "match length",
    "highest cube",
];
/// The exponent of the highest cube that can be read; a match ID has four bits for it.
const MOST_CUBE: u32 = 15;
/// What eXtreme Gammon writes where nobody has changed it: 1024.
const USUAL_MAX_CUBE: u32 = 10;

/// The XGID of a position in a transcript: player one is at the bottom.
///
/// `length` is 0 in money play. `rules_field` is 1 in the Crawford game, else 0; in money play the sum of 1
/// for Jacoby and 2 for beavers. While a double waits for its answer, `turn` is the doubler and the cube is
/// as before.
#[expect(
    clippy::too_many_arguments,
    reason = "one for each field that is written"
)]
pub fn xgid(
    position: &Position,
    turn: Player,
    roll: Option<Roll>,
    cube: Cube,
    score: ByPlayer<u32>,
    length: u32,
    rules_field: u32,
    double_offered: bool,
) -> String {
    write_xgid(&Fields {
        board: ByPlayer::new(position.side(Player::One), position.side(Player::Two)),
        exponent: cube.value.max(1).ilog2(),
        owner: cube.owner,
        turn,
        roll,
        letter: double_offered.then_some(b'D'),
        score,
        rules: rules_field,
        length,
        max_cube: USUAL_MAX_CUBE,
    })
}

/// What is written.
struct Fields<'a> {
    board: ByPlayer<&'a [u8; 26]>,
    exponent: u32,
    owner: Option<Player>,
    turn: Player,
    roll: Option<Roll>,
    letter: Option<u8>,
    score: ByPlayer<u32>,
    rules: u32,
    length: u32,
    max_cube: u32,
}

fn write_xgid(fields: &Fields<'_>) -> String {
    let mut text = Text::default();
    "XGID=".bytes().for_each(|byte| text.push(byte));
    let ByPlayer { one, two } = fields.board;
    // No side has more checkers than the alphabet has letters.
    let letter = |first: u8, checkers: u8| first + (checkers - 1).min(25);
    for place in 0..=25 {
        let bottom = if place == 0 { 0 } else { one[place] };
        let top = if place == 25 { 0 } else { two[25 - place] };
        text.push(match (bottom, top) {
            (0, 0) => b'-',
            (0, top) => letter(b'a', top),
            (bottom, _) => letter(b'A', bottom),
        });
    }
    text.field(fields.exponent);
    for player in [fields.owner, Some(fields.turn)] {
        text.push(b':');
        match player {
            None => text.push(b'0'),
            Some(Player::One) => text.push(b'1'),
            Some(Player::Two) => b"-1".iter().for_each(|&byte| text.push(byte)),
        }
    }
    text.push(b':');
    match (fields.letter, fields.roll) {
        (Some(letter), _) => text.push(letter),
        (None, Some(roll)) => {
            text.push(b'0' + roll.0.pips());
            text.push(b'0' + roll.1.pips());
        }
        (None, None) => b"00".iter().for_each(|&byte| text.push(byte)),
    }
    let ByPlayer { one, two } = fields.score;
    for number in [one, two, fields.rules, fields.length, fields.max_cube] {
        text.field(number);
    }
    str::from_utf8(&text.bytes[..text.length])
        .expect("ASCII")
        .to_owned()
}

/// The characters of an XGID, which has room for ten fields with the longest numbers. A table has two in each row:
/// one by one they would cost as much as the play.
struct Text {
    bytes: [u8; 128],
    length: usize,
}

impl Default for Text {
    fn default() -> Text {
        Text {
            bytes: [0; 128],
            length: 0,
        }
    }
}

impl Text {
    #[inline]
    fn push(&mut self, byte: u8) {
        self.bytes[self.length] = byte;
        self.length += 1;
    }

    /// A colon and a number.
    #[inline]
    fn field(&mut self, number: u32) {
        self.push(b':');
        match number {
            0..=9 => self.push(b'0' + number as u8),
            _ => {
                let mut digits = itoa::Buffer::new();
                let digits = digits.format(number).bytes();
                digits.for_each(|digit| self.push(digit));
            }
        }
    }
}

pub(super) fn encode(state: &IdState) -> Result<String, NotEncodable> {
    let board = state.sound_board()?;
    let (cube, exponent) = state.cube_exponent(MOST_CUBE)?;
    let length = state.points();
    let score = state.score.unwrap_or_default();
    if state.is_idle() {
        return Err(NotEncodable::GameOver);
    }
    if length > 0 && score.one.max(score.two) >= length {
        return Err(NotEncodable::MatchOver);
    }
    let letter = match state.pending {
        None => None,
        Some(Pending::Double) => Some(b'D'),
        Some(Pending::Beaver) => Some(b'B'),
        Some(Pending::Raccoon) => Some(b'R'),
        Some(other) => return Err(NotEncodable::Pending(other.name())),
    };
    let flag = |said: Option<bool>| u32::from(said == Some(true));
    let rules = match length {
        0 => flag(state.jacoby) + 2 * flag(state.beavers),
        _ => flag(state.crawford),
    };
    Ok(write_xgid(&Fields {
        board: board.as_ref(),
        exponent,
        owner: cube.owner,
        turn: state.on_roll(),
        roll: state.dice,
        letter,
        score,
        rules,
        length,
        max_cube: state
            .max_cube
            .and_then(Cube::exponent)
            .unwrap_or(USUAL_MAX_CUBE),
    }))
}

/// Whether a text looks like the board of an XGID without the rest.
pub(super) fn is_board(text: &str) -> bool {
    let board = text.split(':').next().unwrap_or_default();
    (24..=28).contains(&board.len())
        && board
            .chars()
            .all(|character| character == '-' || character.is_ascii_alphabetic())
}

pub(super) fn decode(whole: Field<'_>, faults: &mut Faults) -> Option<IdState> {
    let rest = ["XGID=", "XGID:", "XGID"]
        .iter()
        .find_map(|prefix| whole.without_prefix(prefix))
        .unwrap_or(whole)
        .trim();
    let fields = rest.split(|c| c == ':');
    match fields.len() {
        10 => {}
        9 => faults.warning(None, "the tenth field, the highest cube, is missing"),
        1 => {
            let message = "only the board; turn, dice, cube, score and length are missing";
            faults.error(rest.column, message);
        }
        found => faults.error(
            rest.column,
            format!("an XGID has ten fields between colons, here are {found}"),
        ),
    }
    let board = board(fields[0], faults);
    if fields.len() < 9 || fields.len() > 10 {
        return None;
    }
    let numbers = numbers(&fields, faults);
    let action = action(fields[4], faults);
    // Every field is read before the first fault ends it, so that all of them are named.
    let (board, numbers, action) = (board?, numbers?, action?);
    let state = state(board, &numbers, action);
    check(&state, &numbers, &fields, faults);
    Some(state)
}

fn board(field: Field<'_>, faults: &mut Faults) -> Option<ByPlayer<[u8; 26]>> {
    let found = field.text.chars().count();
    let mut fine = found == 26;
    if !fine {
        faults.error(
            field.column,
            format!("the board has 26 characters, here are {found}"),
        );
    }
    let mut board = ByPlayer::new([0u8; 26], [0u8; 26]);
    for (place, (column, character)) in field.characters().enumerate() {
        let message = match character {
            '-' => None,
            'A'..='P' if place == 0 => {
                Some("the first character is the bar of the top player, no capital")
            }
            'a'..='p' if place == 25 => {
                Some("the last character is the bar of the bottom player, a capital")
            }
            'A'..='P' if place <= 25 => {
                board.one[place] = character as u8 - b'A' + 1;
                None
            }
            'a'..='p' if place < 25 => {
                board.two[25 - place] = character as u8 - b'a' + 1;
                None
            }
            'A'..='P' | 'a'..='p' => None,
            _ => {
                let message =
                    format!("{character:?} is no number of checkers: A to P, a to p, or -");
                faults.error(column, message);
                fine = false;
                None
            }
        };
        if let Some(message) = message {
            faults.error(column, message);
            fine = false;
        }
    }
    if fine {
        faults.check_board(&board, NAMES, field.column);
    }
    fine.then_some(board)
}

/// The fields that are numbers.
struct Numbers {
    cube: Cube,
    turn: Player,
    score: ByPlayer<u32>,
    rules: u32,
    length: u32,
    max_cube: u32,
}

fn numbers(fields: &[Field<'_>], faults: &mut Faults) -> Option<Numbers> {
    let exponent = |index: usize, most: u32, faults: &mut Faults| {
        let number = fields[index].number(FIELDS[index], 0..=i64::from(most), faults)?;
        u32::try_from(number).ok()
    };
    let cube = exponent(1, MOST_CUBE, faults);
    let max_cube = if fields.len() > 9 {
        exponent(9, 30, faults)
    } else {
        Some(USUAL_MAX_CUBE)
    };
    let owner = fields[2].number(FIELDS[2], -1..=1, faults);
    let turn = turn(fields[3], faults);
    let counts = [5, 6, 7, 8].map(|index| fields[index].count(FIELDS[index], faults));
    let [one, two, rules, length] = counts;
    Some(Numbers {
        cube: Cube {
            value: 1 << cube?,
            owner: match owner? {
                1 => Some(Player::One),
                0 => None,
                _ => Some(Player::Two),
            },
        },
        turn: turn?,
        score: ByPlayer::new(one?, two?),
        rules: rules?,
        length: length?,
        max_cube: 1 << max_cube?,
    })
}

fn turn(field: Field<'_>, faults: &mut Faults) -> Option<Player> {
    match field.text {
        "1" => Some(Player::One),
        "-1" => Some(Player::Two),
        other => {
            faults.error(
                field.column,
                format!("the turn is {other:?}, it must be 1 (bottom) or -1 (top)"),
            );
            None
        }
    }
}

/// What has happened in this turn.
#[derive(Clone, Copy)]
enum Action {
    ToRoll,
    Rolled(Roll),
    Offered(Pending),
}

fn action(field: Field<'_>, faults: &mut Faults) -> Option<Action> {
    let offered = |pending| Some(Action::Offered(pending));
    match field.text {
        "00" => return Some(Action::ToRoll),
        "D" | "d" => return offered(Pending::Double),
        "B" | "b" => return offered(Pending::Beaver),
        "R" | "r" => return offered(Pending::Raccoon),
        _ => {}
    }
    let roll = match *field.text.as_bytes() {
        [a @ b'1'..=b'6', b @ b'1'..=b'6'] => Roll::new(a - b'0', b - b'0'),
        _ => None,
    };
    if roll.is_none() {
        let message = format!(
            "the dice are {:?}: two of 1 to 6, 00, D, B or R",
            field.text
        );
        faults.error(field.column, message);
    }
    roll.map(Action::Rolled)
}

fn state(board: ByPlayer<[u8; 26]>, numbers: &Numbers, action: Action) -> IdState {
    let is_money = numbers.length == 0;
    IdState {
        board: Some(board),
        turn: Some(numbers.turn),
        dice: match action {
            Action::Rolled(roll) => Some(roll),
            _ => None,
        },
        pending: match action {
            Action::Offered(pending) => Some(pending),
            _ => None,
        },
        cube: Some(numbers.cube),
        length: Some(match_length(numbers.length)),
        score: Some(numbers.score),
        crawford: Some(!is_money && numbers.rules == 1),
        jacoby: is_money.then_some(numbers.rules & 1 == 1),
        beavers: is_money.then_some(numbers.rules & 2 == 2),
        max_cube: Some(numbers.max_cube),
        sides: Sides::Diagram,
        ..IdState::default()
    }
}

fn check(state: &IdState, numbers: &Numbers, fields: &[Field<'_>], faults: &mut Faults) {
    let Numbers {
        length,
        rules,
        score,
        ..
    } = *numbers;
    let column = |index: usize| Some(fields[index].column);
    if length > 0 {
        for (index, points) in [(5, score.one), (6, score.two)] {
            if points >= length {
                let message = format!("the {} is {points} in a match to {length}", FIELDS[index]);
                faults.error(column(index), message);
            }
        }
    }
    let most = if length > 0 { 1 } else { 3 };
    if rules > most {
        let play = if length > 0 { "a match" } else { "money play" };
        let message = format!("the rules are {rules}, in {play} at most {most}");
        faults.error(column(7), message);
    }
    if numbers.cube.value > 4096 {
        let message = format!(
            "a cube of {}: no program goes beyond 4096",
            numbers.cube.value
        );
        faults.warning(column(1), message);
    }
    if length > 0 && matches!(state.pending, Some(Pending::Beaver | Pending::Raccoon)) {
        faults.warning(column(4), "a beaver in a match");
    }
    // 0 stands for play without a cube in some programs, and for no limit in others.
    let mut limited = state.clone();
    limited.max_cube = state.max_cube.filter(|&most| most > 1);
    let places = Places {
        cube: column(1),
        crawford: column(7),
        pending: column(4),
        score: column(5),
    };
    limited.check(places, faults);
}
