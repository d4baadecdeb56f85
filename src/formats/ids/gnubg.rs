//! Position ID and match ID of GNU Backgammon.
//!
//! A position ID is 80 bits: for each of 25 places of the opponent, then of the player on roll (points 1 to
//! 24, then the bar) one set bit a checker and a clear one. A match ID is 72 bits of fields. Bits count from
//! the lowest of the first byte; the bytes are written in base64 without padding.
//!
//! The manual of the program has the two players the other way round; what stands here is what the program
//! writes, and `jGfwATDg8+ABUA` tells.

use crate::board::{ByPlayer, Cube, Player, Position, Roll, Win};

use super::field::{Faults, Field};
use super::state::{IdState, Pending, Places, Sides, Stage, match_length};
use super::{Kind, NotEncodable};

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Characters of a position ID.
const POSITION: usize = 14;
/// Characters of a match ID.
const MATCH: usize = 12;
/// The most that length and score can be: 15 bits.
const MOST_POINTS: u32 = (1 << 15) - 1;

/// The position ID, seen by the player on roll.
pub fn position_id(position: &Position, on_roll: Player) -> String {
    write_position_id(position.side(!on_roll), position.side(on_roll))
}

fn write_position_id(opponent: &[u8; 26], on_roll: &[u8; 26]) -> String {
    let mut bits = 0u128;
    let mut length = 0;
    for side in [opponent, on_roll] {
        for &checkers in &side[1..] {
            // Most points are empty.
            if checkers > 0 {
                bits |= ((1 << checkers) - 1) << length;
            }
            length += u32::from(checkers) + 1;
        }
    }
    base64(&bits.to_le_bytes()[..10])
}

fn base64(bytes: &[u8]) -> String {
    let mut text = Vec::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let three = [0, 1, 2].map(|at| chunk.get(at).copied().unwrap_or(0));
        let bits = u32::from_be_bytes([0, three[0], three[1], three[2]]);
        let four = [18, 12, 6, 0].map(|shift| ALPHABET[(bits >> shift & 63) as usize]);
        text.extend_from_slice(&four[..=chunk.len()]);
    }
    String::from_utf8(text).expect("ASCII")
}

/// The value of a character of the alphabet.
fn six_bits(character: char) -> Option<u32> {
    let byte = u8::try_from(character).ok()?;
    let value = ALPHABET.iter().position(|&letter| letter == byte)?;
    u32::try_from(value).ok()
}

/// The bytes of `length` characters. What is left over at the end must be zero.
fn bytes(field: Field<'_>, length: usize, what: &str, faults: &mut Faults) -> Option<Vec<u8>> {
    let mut fine = true;
    let found = field.text.chars().count();
    if found != length {
        let message = format!("a {what} has {length} characters, here are {found}");
        faults.error(field.column, message);
        fine = false;
    }
    for (column, character) in field.characters() {
        if six_bits(character).is_none() {
            let message =
                format!("{character:?} does not occur in a {what}: A-Z, a-z, 0-9, + and /");
            faults.error(column, message);
            fine = false;
        }
    }
    if !fine {
        return None;
    }
    let (mut bytes, mut waiting, mut bits) = (Vec::new(), 0, 0);
    for character in field.text.chars() {
        waiting = (waiting << 6 | six_bits(character)?) & 0xffff;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((waiting >> bits & 0xff) as u8);
        }
    }
    if waiting & ((1 << bits) - 1) != 0 {
        faults.error(
            last_column(field),
            format!("a {what} ends in A, Q, g or w: the last bits have no meaning"),
        );
        return None;
    }
    Some(bytes)
}

fn last_column(field: Field<'_>) -> Option<u32> {
    field.characters().last().map(|(column, _)| column)
}

fn is_word(text: &str, length: usize) -> bool {
    text.len() == length && text.chars().all(|character| six_bits(character).is_some())
}

/// Words that programs print before the identifiers.
fn is_label(text: &str) -> bool {
    const LABELS: [&str; 10] = [
        "position",
        "match",
        "id",
        "position-id",
        "match-id",
        "positionid",
        "matchid",
        "gnubg",
        "gnu",
        "gnubgid",
    ];
    text.is_empty() || LABELS.iter().any(|label| text.eq_ignore_ascii_case(label))
}

/// The identifiers without the words and colons around them.
fn words(whole: Field<'_>) -> Vec<Field<'_>> {
    let is_separator = |c: char| c.is_whitespace() || matches!(c, ':' | '=' | ',');
    let words = whole.split(is_separator);
    words
        .into_iter()
        .filter(|word| !is_label(word.text))
        .collect()
}

/// The kind that a text without other signs looks like.
pub(super) fn detect(text: &str) -> Option<Kind> {
    let words = words(Field::whole(text));
    let has = |length| words.iter().any(|word| is_word(word.text, length));
    if words.len() == 2 && (has(POSITION) && has(MATCH) || text.matches(':').count() == 1) {
        return Some(Kind::GnubgId);
    }
    if words.len() == 1 && has(POSITION) {
        return Some(Kind::PositionId);
    }
    if words.len() == 1 && has(MATCH) {
        return Some(Kind::MatchId);
    }
    // Too long, too short or with a wrong character, it was meant to be one of them.
    match text.chars().count() {
        _ if text.contains(char::is_whitespace) => None,
        10..=12 => Some(Kind::MatchId),
        13..=16 => Some(Kind::PositionId),
        20 if is_hex_form(text) => Some(Kind::PositionId),
        _ => None,
    }
}

/// Whether this is the form of twenty letters, half a byte each.
fn is_hex_form(text: &str) -> bool {
    text.len() == 20
        && text
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() && byte <= b'P')
}

/// The only word, or else the whole, so that the fault is named in what was written.
fn single(whole: Field<'_>) -> Field<'_> {
    match words(whole)[..] {
        [word] if is_word(word.text, word.text.len()) => word,
        _ => whole,
    }
}

pub(super) fn decode_position_id(whole: Field<'_>, faults: &mut Faults) -> Option<IdState> {
    let [opponent, on_roll] = sides(single(whole), faults)?;
    let board = ByPlayer::new(on_roll, opponent);
    let names = ByPlayer::new("the player on roll", "the opponent");
    faults.check_board(&board, names, whole.column);
    Some(IdState {
        board: Some(board),
        sides: Sides::Diagram,
        ..IdState::default()
    })
}

/// The checkers of the opponent and of the player on roll.
fn sides(field: Field<'_>, faults: &mut Faults) -> Option<[[u8; 26]; 2]> {
    let bytes = if is_hex_form(field.text) {
        let nibbles: Vec<u8> = field.text.bytes().map(|byte| byte - b'A').collect();
        nibbles
            .chunks(2)
            .map(|pair| pair[0] << 4 | pair[1])
            .collect()
    } else {
        bytes(field, POSITION, "position ID", faults)?
    };
    let mut sides = [[0u8; 26]; 2];
    let mut group = 0;
    for bit in 0..80 {
        let is_checker = bytes[bit / 8] >> (bit % 8) & 1 == 1;
        match (is_checker, group) {
            (true, 50..) => {
                faults.error(
                    field.column,
                    "more bits after the last place of the position",
                );
                return None;
            }
            (true, _) => sides[group / 25][group % 25 + 1] += 1,
            (false, _) => group += 1,
        }
    }
    if group < 50 {
        faults.impossible(
            field.column,
            format!("too many checkers: only {group} of 50 places fit into the position ID"),
        );
        return None;
    }
    Some(sides)
}

pub(super) fn decode_both(whole: Field<'_>, faults: &mut Faults) -> Option<IdState> {
    let words = words(whole);
    let &[first, second] = &words[..] else {
        faults.error(
            whole.column,
            format!(
                "a position ID and a match ID are wanted, here are {} parts",
                words.len()
            ),
        );
        return None;
    };
    let exchanged = is_word(first.text, MATCH) && is_word(second.text, POSITION);
    let (position, matched) = if exchanged {
        (second, first)
    } else {
        (first, second)
    };
    let sides = sides(position, faults);
    let state = decode_match_id(matched, faults);
    let [opponent, on_roll] = sides?;
    let turn = state.as_ref().map_or(Player::One, IdState::on_roll);
    let seen = ByPlayer::new(on_roll, opponent);
    let board = if turn == Player::One {
        seen
    } else {
        seen.swapped()
    };
    let names = ByPlayer::new("player 0", "player 1");
    faults.check_board(&board, names, position.column);
    Some(IdState {
        board: Some(board),
        ..state?
    })
}

/// The numbers in a match ID, from the lowest bit on.
struct Bits(u128);

impl Bits {
    fn take(&mut self, width: u32) -> u32 {
        let value = self.0 & ((1 << width) - 1);
        self.0 >>= width;
        value as u32
    }
}

/// The fields of a match ID as they are written.
struct MatchFields {
    exponent: u32,
    owner: u32,
    on_roll: u32,
    crawford: bool,
    stage: u32,
    to_act: u32,
    doubled: bool,
    resigned: u32,
    dice: [u32; 2],
    length: u32,
    score: [u32; 2],
    without_jacoby: bool,
    rest: u32,
}

impl MatchFields {
    fn new(bytes: &[u8]) -> MatchFields {
        let mut all = [0; 16];
        all[..9].copy_from_slice(bytes);
        let mut bits = Bits(u128::from_le_bytes(all));
        MatchFields {
            exponent: bits.take(4),
            owner: bits.take(2),
            on_roll: bits.take(1),
            crawford: bits.take(1) == 1,
            stage: bits.take(3),
            to_act: bits.take(1),
            doubled: bits.take(1) == 1,
            resigned: bits.take(2),
            dice: [bits.take(3), bits.take(3)],
            length: bits.take(15),
            score: [bits.take(15), bits.take(15)],
            without_jacoby: bits.take(1) == 1,
            rest: bits.take(5),
        }
    }

    fn bits(&self) -> u128 {
        let parts = [
            (self.exponent, 4),
            (self.owner, 2),
            (self.on_roll, 1),
            (u32::from(self.crawford), 1),
            (self.stage, 3),
            (self.to_act, 1),
            (u32::from(self.doubled), 1),
            (self.resigned, 2),
            (self.dice[0], 3),
            (self.dice[1], 3),
            (self.length, 15),
            (self.score[0], 15),
            (self.score[1], 15),
            (u32::from(self.without_jacoby), 1),
        ];
        let mut shift = 0;
        parts.iter().fold(0, |bits, &(value, width)| {
            let shifted = u128::from(value) << shift;
            shift += width;
            bits | shifted
        })
    }

    fn roll(&self) -> Option<Roll> {
        Roll::new(self.dice[0] as u8, self.dice[1] as u8)
    }

    /// What cannot be.
    fn errors(&self) -> Vec<String> {
        let mut errors = Vec::new();
        let [a, b] = self.dice;
        if self.owner == 2 {
            errors.push("the owner of the cube is neither a player nor nobody".to_owned());
        }
        if self.stage > 4 {
            errors.push(format!(
                "the state of the game is {}, at most 4 has a meaning",
                self.stage
            ));
        }
        if a > 6 || b > 6 {
            errors.push(format!("a die shows {}", a.max(b)));
        } else if (a == 0) != (b == 0) {
            errors.push(format!(
                "the dice are {a} and {b}: one is rolled, the other is not"
            ));
        }
        if self.length > 0 && self.score.iter().any(|&points| points > self.length) {
            errors.push(format!(
                "the score is {}-{} in a match to {}",
                self.score[0], self.score[1], self.length
            ));
        }
        if self.length == 0 && self.crawford {
            errors.push("a Crawford game in money play".to_owned());
        }
        if self.rest != 0 {
            errors.push("the last five bits have no meaning and are set".to_owned());
        }
        errors
    }

    /// What is odd.
    fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.length > 64 {
            warnings.push(format!(
                "a match to {}: GNU Backgammon takes no more than 64",
                self.length
            ));
        }
        if self.exponent > 12 {
            warnings.push(format!(
                "a cube of {}: GNU Backgammon takes no more than 4096",
                1u32 << self.exponent
            ));
        }
        let answers = self.doubled || self.resigned > 0;
        if self.doubled && self.to_act == self.on_roll {
            warnings.push("a double is pending, but the doubler has to answer it".to_owned());
        }
        if !answers && self.stage == 1 && self.to_act != self.on_roll {
            warnings
                .push("the player to decide is not on roll, but no offer is pending".to_owned());
        }
        if self.doubled && self.resigned > 0 {
            warnings.push("both a double and a resignation are pending".to_owned());
        }
        warnings
    }
}

fn player(number: u32) -> Player {
    if number == 0 {
        Player::One
    } else {
        Player::Two
    }
}

pub(super) fn decode_match_id(whole: Field<'_>, faults: &mut Faults) -> Option<IdState> {
    let field = single(whole);
    let bytes = bytes(field, MATCH, "match ID", faults)?;
    let fields = MatchFields::new(&bytes);
    for message in fields.errors() {
        faults.error(field.column, message);
    }
    for message in fields.warnings() {
        faults.warning(field.column, message);
    }
    let state = match_state(&fields);
    let here = Some(field.column);
    let places = Places {
        cube: here,
        crawford: here,
        pending: here,
        score: here,
    };
    state.check(places, faults);
    Some(state)
}

fn match_state(fields: &MatchFields) -> IdState {
    let owner = match fields.owner {
        0 => Some(Player::One),
        1 => Some(Player::Two),
        _ => None,
    };
    let win = match fields.resigned {
        1 => Some(Win::Single),
        2 => Some(Win::Gammon),
        3 => Some(Win::Backgammon),
        _ => None,
    };
    let stage = match fields.stage {
        0 => Stage::NotStarted,
        1 => Stage::Playing,
        2 => Stage::Over,
        3 => Stage::Resigned,
        _ => Stage::Passed,
    };
    let resignation = win.map(|win| Pending::Resignation {
        by: !player(fields.to_act),
        win,
    });
    IdState {
        turn: Some(player(fields.on_roll)),
        dice: fields.roll(),
        cube: Some(Cube {
            value: 1 << fields.exponent,
            owner,
        }),
        pending: if fields.doubled {
            Some(Pending::Double)
        } else {
            resignation
        },
        stage: Some(stage),
        length: Some(match_length(fields.length)),
        score: Some(ByPlayer::new(fields.score[0], fields.score[1])),
        crawford: Some(fields.crawford),
        jacoby: Some(!fields.without_jacoby),
        ..IdState::default()
    }
}

pub(super) fn encode_position_id(state: &IdState) -> Result<String, NotEncodable> {
    let board = state.sound_board()?;
    let on_roll = state.on_roll();
    Ok(write_position_id(&board[!on_roll], &board[on_roll]))
}

pub(super) fn encode_match_id(state: &IdState) -> Result<String, NotEncodable> {
    let (cube, exponent) = state.cube_exponent(15)?;
    let score = state.score.unwrap_or_default();
    let length = state.points();
    for (what, value) in [
        ("match length", length),
        ("score", score.one),
        ("score", score.two),
    ] {
        if value > MOST_POINTS {
            return Err(NotEncodable::TooLarge {
                what,
                value,
                most: MOST_POINTS,
            });
        }
    }
    if length > 0 && score.one.max(score.two) > length {
        return Err(NotEncodable::MatchOver);
    }
    // The first player is player 0; where nothing says who that is, the player on roll is player 1.
    let on_roll = state.on_roll();
    let zero = if state.sides == Sides::Diagram {
        !on_roll
    } else {
        Player::One
    };
    let number = |player: Player| u32::from(player != zero);
    let (doubled, resigned, to_act) = match state.pending {
        None => (false, 0, on_roll),
        Some(Pending::Double) => (true, 0, !on_roll),
        Some(Pending::Resignation { by, win }) => (false, win.factor(), !by),
        Some(other) => return Err(NotEncodable::Pending(other.name())),
    };
    let fields = MatchFields {
        exponent,
        owner: cube.owner.map_or(3, number),
        on_roll: number(on_roll),
        crawford: length > 0 && state.crawford == Some(true),
        stage: state.stage.map_or(1, |stage| stage as u32),
        to_act: number(to_act),
        doubled,
        resigned,
        dice: state
            .dice
            .map_or([0, 0], |roll| [roll.high(), roll.low()].map(u32::from)),
        length,
        score: [score[zero], score[!zero]],
        without_jacoby: state.jacoby != Some(true),
        rest: 0,
    };
    Ok(base64(&fields.bits().to_le_bytes()[..9]))
}
