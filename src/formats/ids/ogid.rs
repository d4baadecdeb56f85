//! OGID of OpenGammon, also written by HedgeHog, GammonView and AnkiGammon.
//!
//! `white : black : cube : dice : colour : state : score white : score black : length : move [: checkers]`
//!
//! White and black are one character a checker, its place from 0 to 25 (`0`-`9`, `a`-`p`). White runs from 1
//! up to 24 with the bar at 0, Black down from 24 with the bar at 25. The cube is owner, exponent and action:
//! `N0N`, `W1T`.
//!
//! The colour names the player who acted last: the player on roll is the other one. Only a game in which
//! nothing has happened (`IW`, `IB` without dice) names the player on roll. Some older programs always did;
//! what betrays them is reported, the text alone mostly cannot tell.

use crate::board::{ByPlayer, Cube, Length, Player, Roll};

use super::NotEncodable;
use super::field::{Faults, Field};
use super::state::{IdState, Pending, Places, Stage, match_length};

const NAMES: ByPlayer<&str> = ByPlayer::new("White", "Black");
const PLACES: &[u8; 26] = b"0123456789abcdefghijklmnop";
/// The states that are known: begun (White, Black), rolled, played, doubled, taken, ended.
const STATES: [&str; 7] = ["IW", "IB", "R", "C", "D", "A", "G"];
/// The exponent of the highest cube that the reference reads.
const USUAL_CUBE: u32 = 6;
const MOST_CUBE: u32 = 15;

pub(super) fn decode(whole: Field<'_>, faults: &mut Faults) -> Option<IdState> {
    let rest = ["OGID=", "OGID:"]
        .iter()
        .find_map(|prefix| whole.without_prefix(prefix))
        .unwrap_or(whole)
        .trim();
    let fields = rest.split(|c| c == ':');
    if !(5..=11).contains(&fields.len()) {
        let message = format!(
            "an OGID has five to eleven fields, here are {}",
            fields.len()
        );
        faults.error(rest.column, message);
        return None;
    }
    let board = board(fields[0], fields[1], faults);
    let cube = cube(fields[2], faults);
    let dice = dice(fields[3], faults);
    let colour = colour(fields[4], faults);
    let rest = Rest::new(&fields[5..], faults);
    let (board, (cube, action), dice, colour, rest) = (board?, cube?, dice?, colour?, rest?);
    let acted = Acted {
        colour,
        state: fields.get(5).map_or("", |field| field.text),
        dice,
    };
    let state = state(board, cube, action, &acted, &rest);
    check(&state, &acted, &rest, &fields, faults);
    Some(state)
}

fn board(white: Field<'_>, black: Field<'_>, faults: &mut Faults) -> Option<ByPlayer<[u8; 26]>> {
    let one = side(white, Player::One, faults);
    let two = side(black, Player::Two, faults);
    let board = ByPlayer::new(one?, two?);
    faults.check_board(&board, NAMES, white.column);
    Some(board)
}

/// One side's checkers in the own numbering. `q`, borne off, is written by one program.
fn side(field: Field<'_>, player: Player, faults: &mut Faults) -> Option<[u8; 26]> {
    let mut side = [0u8; 26];
    let mut fine = true;
    for (column, character) in field.characters() {
        let place = PLACES
            .iter()
            .position(|&letter| char::from(letter) == character);
        let own = match (place, player) {
            (Some(place), Player::One) => 25 - place,
            (Some(place), Player::Two) => place,
            (None, _) if character == 'q' => continue,
            (None, _) => {
                faults.error(column, format!("{character:?} is no place: 0 to 9, a to p"));
                fine = false;
                continue;
            }
        };
        if own == 0 {
            let message = format!(
                "{} has a checker on the bar of {}",
                NAMES[player], NAMES[!player]
            );
            faults.error(column, message);
            fine = false;
        }
        side[own] = side[own].saturating_add(1);
    }
    fine.then_some(side)
}

/// The cube, and the letter that says what was done with it.
fn cube(field: Field<'_>, faults: &mut Faults) -> Option<(Cube, char)> {
    let mut letters = field.text.chars();
    let (owner, action) = (letters.next(), letters.next_back());
    let digits = letters.as_str();
    let is_known = matches!(owner, Some('N' | 'W' | 'B' | 'D' | '?'))
        && matches!(action, Some('N' | 'O' | 'T' | 'P'))
        && !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_known {
        faults.error(
            field.column,
            format!(
                "the cube is {:?}: an owner (N, W, B, D, ?), an exponent, and an action (N, O, T, P)",
                field.text
            ),
        );
        return None;
    }
    let exponent = digits.parse().unwrap_or(u32::MAX);
    if exponent > MOST_CUBE {
        faults.error(
            field.column,
            format!("the exponent of the cube is {digits}"),
        );
        return None;
    }
    if exponent > USUAL_CUBE {
        let message = format!("a cube of {}: OpenGammon goes up to 64", 1u32 << exponent);
        faults.warning(field.column, message);
    }
    if owner == Some('?') {
        faults.warning(field.column, "the owner of the cube is not known");
    }
    let cube = Cube {
        value: 1 << exponent,
        owner: match owner {
            Some('W') => Some(Player::One),
            Some('B') => Some(Player::Two),
            _ => None,
        },
    };
    action.map(|action| (cube, action))
}

fn dice(field: Field<'_>, faults: &mut Faults) -> Option<Option<Roll>> {
    let roll = match *field.text.as_bytes() {
        [] => return Some(None),
        [a @ b'1'..=b'6', b @ b'1'..=b'6'] => Roll::new(a - b'0', b - b'0'),
        _ => None,
    };
    if roll.is_none() {
        let message = format!("the dice are {:?}: two of 1 to 6, or nothing", field.text);
        faults.error(field.column, message);
    }
    roll.map(Some)
}

fn colour(field: Field<'_>, faults: &mut Faults) -> Option<Player> {
    match field.text {
        "W" => Some(Player::One),
        "B" => Some(Player::Two),
        other => {
            faults.error(
                field.column,
                format!("the colour is {other:?}, it must be W or B"),
            );
            None
        }
    }
}

/// The fields after the state.
struct Rest {
    score: Option<ByPlayer<u32>>,
    length: Option<MatchLength>,
    move_id: Option<u32>,
    checkers: Option<u8>,
}

struct MatchLength {
    length: Length,
    crawford: bool,
    post_crawford: bool,
    games: Option<u32>,
}

impl Rest {
    /// `fields` start with the state.
    fn new(fields: &[Field<'_>], faults: &mut Faults) -> Option<Rest> {
        let mut fine = true;
        let mut count = |index: usize, what: &str, faults: &mut Faults| {
            let field = fields.get(index).filter(|field| !field.text.is_empty())?;
            let count = field.count(what, faults);
            fine &= count.is_some();
            count
        };
        let white = count(1, "score of White", faults);
        let black = count(2, "score of Black", faults);
        let move_id = count(4, "number of the move", faults);
        let checkers = count(5, "number of checkers", faults);
        let length = match fields.get(3) {
            Some(field) if !field.text.is_empty() => {
                let length = length(*field, faults);
                fine &= length.is_some();
                length
            }
            _ => None,
        };
        fine.then(|| Rest {
            score: white
                .zip(black)
                .map(|(white, black)| ByPlayer::new(white, black)),
            length,
            move_id,
            checkers: checkers.map(|checkers| u8::try_from(checkers).unwrap_or(u8::MAX)),
        })
    }
}

/// `7`, `7C`, `7L` or `0G3`.
fn length(field: Field<'_>, faults: &mut Faults) -> Option<MatchLength> {
    let digits = field.text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, suffix) = field.text.split_at(digits);
    let games = suffix
        .strip_prefix('G')
        .and_then(|games| games.parse().ok());
    let points = number.parse::<u32>().ok();
    match points {
        Some(points) if matches!(suffix, "" | "C" | "L" | "G") || games.is_some() => {
            Some(MatchLength {
                length: match_length(points),
                crawford: suffix == "C",
                post_crawford: suffix == "L",
                games,
            })
        }
        _ => {
            faults.error(
                field.column,
                format!(
                    "the length is {:?}: a number, then C, L or G or nothing",
                    field.text
                ),
            );
            None
        }
    }
}

/// What tells who is on roll.
struct Acted<'a> {
    colour: Player,
    state: &'a str,
    dice: Option<Roll>,
}

impl Acted<'_> {
    fn is_unopened(&self) -> bool {
        self.dice.is_none() && matches!(self.state, "IW" | "IB")
    }
}

fn state(
    board: ByPlayer<[u8; 26]>,
    cube: Cube,
    action: char,
    acted: &Acted<'_>,
    rest: &Rest,
) -> IdState {
    let is_doubled = acted.state == "D" || action == 'O';
    // The doubler is on roll; the board is that of the player who has to answer.
    let keeps_turn = is_doubled || acted.is_unopened();
    let length = rest.length.as_ref();
    IdState {
        board: Some(board),
        turn: Some(if keeps_turn {
            acted.colour
        } else {
            !acted.colour
        }),
        seen_by: is_doubled.then_some(!acted.colour),
        dice: acted.dice,
        cube: Some(cube),
        pending: is_doubled.then_some(Pending::Double),
        stage: Some(match acted.state {
            "G" if action == 'P' => Stage::Passed,
            "G" => Stage::Over,
            _ => Stage::Playing,
        }),
        length: length.map(|length| length.length),
        score: rest.score,
        crawford: length.map(|length| length.crawford),
        post_crawford: length.map(|length| length.post_crawford),
        checkers: rest.checkers,
        move_id: rest.move_id,
        session_games: length.and_then(|length| length.games),
        ..IdState::default()
    }
}

fn check(
    state: &IdState,
    acted: &Acted<'_>,
    rest: &Rest,
    fields: &[Field<'_>],
    faults: &mut Faults,
) {
    let column = |index: usize| fields.get(index).map(|field| field.column);
    check_state(state, acted, column(4), column(5), faults);
    if let (Some(score), Some(Length::Points(length))) = (state.score, state.length)
        && score.one.max(score.two) > length
    {
        let message = format!(
            "the score is {}-{} in a match to {length}",
            score.one, score.two
        );
        faults.error(column(6), message);
    }
    if state.crawford == Some(true) && state.points() == 0 {
        faults.error(column(8), "a Crawford game in money play");
    }
    check_checkers(state, rest, column(10), faults);
    let places = Places {
        cube: column(2),
        crawford: column(8),
        pending: column(5).or(column(2)),
        score: column(6),
    };
    state.check(places, faults);
}

/// Warns where the colour may have been written by a program that puts the player on roll there.
fn check_state(
    state: &IdState,
    acted: &Acted<'_>,
    colour: Option<u32>,
    place: Option<u32>,
    faults: &mut Faults,
) {
    match acted.state {
        "" => faults.warning(
            colour,
            "no state: the colour is taken as that of the player who acted last, who is not on roll",
        ),
        "IW" | "IB" => {
            let letter = if acted.colour == Player::One { "IW" } else { "IB" };
            if acted.state != letter {
                faults.warning(
                    colour,
                    "the colour and the state disagree about who begins: who is on roll is ambiguous",
                );
            }
        }
        "R" if acted.dice.is_none() => faults.warning(place, "rolled, but without dice"),
        "D" | "C" | "A" if acted.dice.is_some() => {
            faults.warning(place, "dice, but the state says that nobody has rolled");
        }
        known if STATES.contains(&known) => {}
        unknown => faults.warning(place, format!("the state {unknown:?} is not known")),
    }
    let owner = state.cube.and_then(|cube| cube.owner);
    if acted.state == "A" && owner == Some(!acted.colour) {
        faults.warning(
            colour,
            "the cube was taken by the other colour: who is on roll is ambiguous",
        );
    }
}

fn check_checkers(state: &IdState, rest: &Rest, place: Option<u32>, faults: &mut Faults) {
    let (Some(most), Some(board)) = (rest.checkers, &state.board) else {
        return;
    };
    if !(1..=15).contains(&most) {
        faults.error(place, format!("{most} checkers a side, there are 1 to 15"));
        return;
    }
    for player in Player::BOTH {
        let found: u32 = board[player][1..].iter().map(|&n| u32::from(n)).sum();
        if found > u32::from(most) && found <= 15 {
            let message = format!("{} has {found} of {most} checkers", NAMES[player]);
            faults.error(place, message);
        }
    }
}

pub(super) fn encode(state: &IdState) -> Result<String, NotEncodable> {
    let board = state.sound_board()?;
    let (cube, exponent) = state.cube_exponent(USUAL_CUBE)?;
    let turn = state.on_roll();
    let score = state.score.unwrap_or_default();
    let length = state.points();
    if length > 0 && score.one.max(score.two) > length {
        return Err(NotEncodable::MatchOver);
    }
    if let Some(other) = state.pending
        && other != Pending::Double
    {
        return Err(NotEncodable::Pending(other.name()));
    }
    if matches!(state.stage, Some(Stage::NotStarted | Stage::Resigned)) {
        return Err(NotEncodable::GameOver);
    }
    let is_doubled = state.pending.is_some();
    let (letter, action) = match (state.stage, state.dice) {
        (Some(Stage::Passed), _) => ("G", 'P'),
        (Some(Stage::Over), _) => ("G", 'N'),
        _ if is_doubled => ("D", 'O'),
        (_, Some(_)) => ("R", 'N'),
        (_, None) => ("C", 'N'),
    };
    let acted = if letter == "D" { turn } else { !turn };
    let colour = |player: Player| if player == Player::One { 'W' } else { 'B' };
    let dice = state.dice.filter(|_| !is_doubled);
    let suffix = match state.session_games {
        _ if length > 0 && state.crawford == Some(true) => "C".to_owned(),
        _ if length > 0 && state.post_crawford == Some(true) => "L".to_owned(),
        Some(games) => format!("G{games}"),
        None => String::new(),
    };
    let mut text = format!(
        "{}:{}:{}{exponent}{action}:{}:{}:{letter}:{}:{}:{length}{suffix}",
        write_side(&board.one, Player::One),
        write_side(&board.two, Player::Two),
        cube.owner.map_or('N', colour),
        dice.map_or(String::new(), |roll| format!(
            "{}{}",
            roll.low(),
            roll.high()
        )),
        colour(acted),
        score.one,
        score.two,
    );
    // The number of the move may be missing, but not before the number of checkers.
    let checkers = state.checkers.filter(|&checkers| checkers != 15);
    if let Some(move_id) = state.move_id.or(checkers.map(|_| 0)) {
        text.push_str(&format!(":{move_id}"));
    }
    if let Some(checkers) = checkers {
        text.push_str(&format!(":{checkers}"));
    }
    Ok(text)
}

/// One character a checker, the lowest place first.
fn write_side(side: &[u8; 26], player: Player) -> String {
    PLACES
        .iter()
        .enumerate()
        .map(|(place, &letter)| {
            let own = if player == Player::One {
                25 - place
            } else {
                place
            };
            let checkers = if own == 0 { 0 } else { side[own] };
            char::from(letter).to_string().repeat(usize::from(checkers))
        })
        .collect()
}
