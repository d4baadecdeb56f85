//! The `board:` line of the FIBS server and of programs that speak its language.
//!
//! 52 fields after the prefix: the names of "you" and of the opponent, the match length, both scores, 26
//! numbers of checkers, then turn, dice, cube and more. Positive numbers are O's; colour and direction say
//! which of the two "you" are and which way you move. The line knows neither the Crawford game nor who owns
//! the cube: both follow from the score and from who may double.
//!
//! Checkers on the bar stand in the 26 numbers and again in a field of their own; the latter is not added.

use crate::board::{
    ByPlayer, Cube, Player, Plays, Position, Roll, Setup, Variant, is_match_point, legal_plays,
};

use super::NotEncodable;
use super::field::{Faults, Field, roll};
use super::state::{IdState, Pending, Places, Stage, match_length};

const NAMES: ByPlayer<&str> = ByPlayer::new("the first player", "the second player");
/// The length that means a match without end.
const UNLIMITED: u32 = 9999;
const FIELDS: usize = 52;
// Where the fields are, after the prefix.
const LENGTH: usize = 2;
const SCORE: usize = 3;
const BOARD: usize = 5;
const TURN: usize = 31;
const DICE: usize = 32;
const CUBE: usize = 36;
const MAY_DOUBLE: usize = 37;
const DOUBLED: usize = 39;
const COLOUR: usize = 40;
const DIRECTION: usize = 41;
const HOME: usize = 42;
const OFF: usize = 44;
const ON_BAR: usize = 46;
const DID_CRAWFORD: usize = 50;

pub(super) fn decode(whole: Field<'_>, faults: &mut Faults) -> Option<IdState> {
    let Some(rest) = whole.without_prefix("board:") else {
        faults.error(whole.column, "a FIBS board starts with board:");
        return None;
    };
    let mut fields = rest.split(|c| c == ':');
    // Some programs end the last field as well.
    if fields.len() == FIELDS + 1 && fields[FIELDS].text.trim().is_empty() {
        fields.pop();
    }
    if fields.len() != FIELDS {
        faults.error(
            rest.column,
            format!(
                "a FIBS board has {FIELDS} fields, here are {}",
                fields.len()
            ),
        );
        return None;
    }
    let fields: Vec<_> = fields.into_iter().map(Field::trim).collect();
    let line = Line::new(&fields, faults)?;
    let state = line.state();
    line.check(&state, &fields, faults);
    Some(state)
}

/// The fields as they are written.
struct Line {
    names: ByPlayer<String>,
    length: u32,
    score: ByPlayer<u32>,
    board: ByPlayer<[u8; 26]>,
    /// `None`: the game is over.
    turn: Option<Player>,
    dice: ByPlayer<Option<Roll>>,
    cube: u32,
    may_double: ByPlayer<bool>,
    /// Who has just doubled.
    doubled: Option<Player>,
    did_crawford: bool,
}

impl Line {
    fn new(fields: &[Field<'_>], faults: &mut Faults) -> Option<Line> {
        let sign = |index: usize, what: &str, faults: &mut Faults| {
            let number = fields[index].number(what, -1..=1, faults)?;
            if number == 0 {
                faults.error(
                    fields[index].column,
                    format!("the {what} is 0, it must be 1 or -1"),
                );
            }
            (number != 0).then_some(number)
        };
        let colour = sign(COLOUR, "colour", faults);
        let direction = sign(DIRECTION, "direction", faults);
        let turn = fields[TURN].number("turn", -1..=1, faults);
        let length = fields[LENGTH].count("match length", faults);
        let one = fields[SCORE].count("score of the first player", faults);
        let two = fields[SCORE + 1].count("score of the second player", faults);
        let mine = roll(fields[DICE], fields[DICE + 1], faults);
        let theirs = roll(fields[DICE + 2], fields[DICE + 3], faults);
        let cube = fields[CUBE].cube(faults);
        let [may, other_may] =
            [0, 1].map(|next| fields[MAY_DOUBLE + next].number("right to double", -1..=1, faults));
        let doubled = fields[DOUBLED].number("double", -1..=1, faults);
        for field in &fields[HOME..] {
            field.number("field", -9999..=9999, faults);
        }
        let board = board(fields, colour?, direction?, faults);
        let (colour, turn) = (colour?, turn?);
        Some(Line {
            names: ByPlayer::new(fields[0].text.to_owned(), fields[1].text.to_owned()),
            length: length?,
            score: ByPlayer::new(one?, two?),
            board: board?,
            turn: match turn * colour {
                0 => None,
                1 => Some(Player::One),
                _ => Some(Player::Two),
            },
            dice: ByPlayer::new(mine?, theirs?),
            cube: cube?,
            may_double: ByPlayer::new(may? != 0, other_may? != 0),
            // FIBS tells only "you" of a double; GNU Backgammon tells both, by the sign.
            doubled: match doubled? {
                0 => None,
                1 => Some(Player::Two),
                _ => Some(Player::One),
            },
            did_crawford: is_set(fields[DID_CRAWFORD]),
        })
    }

    fn points(&self) -> u32 {
        if self.length == UNLIMITED {
            0
        } else {
            self.length
        }
    }

    /// Who owns the cube. A player who may not double a cube of 1 does not lose it to the other.
    fn owner(&self) -> Option<Player> {
        match (self.may_double.one, self.may_double.two) {
            (true, false) if self.cube > 1 => Some(Player::One),
            (false, true) if self.cube > 1 => Some(Player::Two),
            _ => None,
        }
    }

    /// Whether this is the Crawford game, as far as score and cube tell: exactly one player is one point
    /// short and nobody has doubled. Then neither may double; or both are said to, as FIBS itself does, and
    /// the Crawford game is still to be played.
    fn is_crawford(&self) -> bool {
        let length = self.points();
        let level = self.score.one == self.score.two;
        let ByPlayer { one, two } = self.may_double;
        is_match_point(self.score, length)
            && !level
            && self.cube == 1
            && self.doubled.is_none()
            && (!one && !two || one && two && !self.did_crawford)
    }

    fn state(&self) -> IdState {
        let turn = self.doubled.or(self.turn);
        let points = self.points();
        let dice = match self.turn {
            Some(player) => self.dice[player],
            None => None,
        };
        let is_crawford = self.is_crawford();
        let played = self.did_crawford && !is_crawford && is_match_point(self.score, points);
        IdState {
            board: Some(self.board),
            turn,
            seen_by: if turn == self.turn { None } else { self.turn },
            dice,
            cube: Some(Cube {
                value: self.cube,
                owner: self.owner(),
            }),
            pending: self.doubled.map(|_| Pending::Double),
            stage: Some(if self.turn.is_none() {
                Stage::Over
            } else {
                Stage::Playing
            }),
            length: Some(match_length(points)),
            score: Some(self.score),
            crawford: Some(is_crawford),
            post_crawford: Some(played),
            names: Some(self.names.clone()),
            ..IdState::default()
        }
    }

    fn check(&self, state: &IdState, fields: &[Field<'_>], faults: &mut Faults) {
        let points = self.points();
        if points > 0 && self.score.one.max(self.score.two) > points {
            let message = format!(
                "the score is {}-{} in a match to {points}",
                self.score.one, self.score.two
            );
            faults.error(fields[SCORE].column, message);
        }
        let nobody_may = !self.may_double.one && !self.may_double.two;
        if self.cube > 1 && nobody_may {
            let message = format!("a cube of {} that neither player may turn", self.cube);
            faults.warning(fields[MAY_DOUBLE].column, message);
        }
        for player in Player::BOTH {
            self.check_counts(player, fields, faults);
        }
        if let Some(player) = self.turn
            && self.dice[player].is_none()
            && self.dice[!player].is_some()
        {
            let message = format!("dice of {}, who is not on roll", NAMES[!player]);
            faults.warning(fields[DICE].column, message);
        }
        let column = |index: usize| Some(fields[index].column);
        let places = Places {
            cube: column(CUBE),
            crawford: column(SCORE),
            pending: column(DOUBLED),
            score: column(SCORE),
        };
        state.check(places, faults);
    }

    /// The checkers on the bar and off are said twice. GNU Backgammon always writes 0 for the bar.
    fn check_counts(&self, player: Player, fields: &[Field<'_>], faults: &mut Faults) {
        let side = self.board[player];
        let on_board: i64 = side[1..].iter().map(|&n| i64::from(n)).sum();
        let counts = [
            (ON_BAR, "on the bar", i64::from(side[25])),
            (OFF, "off", 15 - on_board),
        ];
        for (index, place, found) in counts {
            let field = fields[index + player.index()];
            let said = field.text.parse().unwrap_or(0);
            if said != found && (index == OFF || said != 0) {
                let message = format!("{} has {found} checkers {place}, not {said}", NAMES[player]);
                faults.warning(field.column, message);
            }
        }
    }
}

/// Whether a number is not zero.
fn is_set(field: Field<'_>) -> bool {
    !field.text.trim_start_matches(['-', '0']).is_empty()
}

/// Each player's checkers in the own numbering.
fn board(
    fields: &[Field<'_>],
    colour: i64,
    direction: i64,
    faults: &mut Faults,
) -> Option<ByPlayer<[u8; 26]>> {
    let numbers: Vec<_> = fields[BOARD..BOARD + 26]
        .iter()
        .map(|field| field.number("number of checkers", -15..=15, faults))
        .collect();
    let mut board = ByPlayer::new([0u8; 26], [0u8; 26]);
    let mut fine = true;
    for (index, number) in numbers.into_iter().enumerate() {
        let number = number? * colour;
        let place = if direction == -1 { index } else { 25 - index };
        let player = if number > 0 { Player::One } else { Player::Two };
        let own = if player == Player::One {
            place
        } else {
            25 - place
        };
        if number != 0 && own == 0 {
            let message = format!("{} has a checker on the other's bar", NAMES[player]);
            faults.impossible(fields[BOARD + index].column, message);
            fine = false;
        }
        board[player][own] = u8::try_from(number.unsigned_abs()).ok()?;
    }
    if fine {
        faults.check_board(&board, NAMES, fields[BOARD].column);
    }
    fine.then_some(board)
}

pub(super) fn encode(state: &IdState) -> Result<String, NotEncodable> {
    let board = state.sound_board()?;
    let (cube, _) = state.cube_exponent(15)?;
    // Both may double while the cube is at 1; who owns it is told by who may.
    if cube.value == 1 && cube.owner.is_some() {
        return Err(NotEncodable::OwnedAtOne);
    }
    match (state.pending, state.turn) {
        (None, _) | (Some(Pending::Double), Some(Player::Two)) => {}
        // The line says whether the opponent has doubled, not whether "you" have.
        (Some(other), _) => return Err(NotEncodable::Pending(other.name())),
    }
    let length = state.points();
    let score = state.score.unwrap_or_default();
    if length > 0 && score.one.max(score.two) > length {
        return Err(NotEncodable::MatchOver);
    }
    let is_crawford = length > 0 && state.crawford == Some(true);
    let is_over = state.is_idle();
    let turn = state.on_roll();
    let dice = |player: Player| match state.dice {
        Some(roll) if player == turn && !is_over => format!("{}:{}", roll.0.pips(), roll.1.pips()),
        _ => "0:0".to_owned(),
    };
    let flag = |said: bool| u8::from(said);
    let may = |player: Player| flag(cube.may_turn(player) && !is_crawford);
    // "Not the Crawford game" at a score that could be it means that it has been played.
    let did_crawford = state.post_crawford == Some(true)
        || state.crawford == Some(false) && is_match_point(score, length);
    let mut text = format!(
        "board:{}:{}:{}:{}:{}",
        name(state, Player::One)?,
        name(state, Player::Two)?,
        if length == 0 { UNLIMITED } else { length },
        score.one,
        score.two
    );
    for number in state.numbers(Player::One).unwrap_or_default() {
        text.push_str(&format!(":{number}"));
    }
    let signed_turn = match turn {
        _ if is_over => 0,
        Player::One => 1,
        Player::Two => -1,
    };
    // On FIBS everybody has fifteen checkers: where fewer are in play, the others are off.
    let off = |player: Player| {
        let on_board: u8 = board[player][1..].iter().sum();
        15u8.saturating_sub(on_board)
    };
    text.push_str(&format!(
        ":{signed_turn}:{}:{}:{}:{}:{}:{}:1:-1:0:25:{}:{}:{}:{}:{}:0:{}:0",
        dice(Player::One),
        dice(Player::Two),
        cube.value,
        may(Player::One),
        may(Player::Two),
        flag(state.pending.is_some()),
        off(Player::One),
        off(Player::Two),
        board.one[25],
        board.two[25],
        if is_over { 0 } else { movable(state) },
        flag(did_crawford),
    ));
    Ok(text)
}

/// A name, or what FIBS calls the player.
fn name(state: &IdState, player: Player) -> Result<&str, NotEncodable> {
    let name = state.names.as_ref().map_or("", |names| &names[player]);
    if name.contains(|c: char| c == ':' || c.is_control()) {
        return Err(NotEncodable::Name(name.to_owned()));
    }
    Ok(match (name.trim(), player) {
        ("", Player::One) => "You",
        ("", Player::Two) => "Opponent",
        (name, _) => name,
    })
}

/// How many moves the first player can make with the dice.
fn movable(state: &IdState) -> usize {
    let (Some(Player::One), Some(roll), Some(checkers)) = (state.turn, state.dice, state.board)
    else {
        return 0;
    };
    let setup = Setup {
        checkers,
        variant: Variant::Backgammon,
        turn: None,
        roll: None,
        cube: None,
    };
    Position::new(&setup).map_or(0, |position| {
        let mut plays = Plays::new();
        legal_plays(&position, Player::One, roll, &mut plays);
        plays.dice()
    })
}
