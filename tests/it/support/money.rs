//! Random money sessions: Jacoby rule, beavers, raccoons and automatic doubles as they were agreed.

use std::fmt::Write;

use tawla::board::{Cube, Play, Player, Plays, Position, Roll, Variant, Win};

use super::matches::{Made, Rows, cell, opening_roll, random_play};
use super::rng::Rng;

/// What was agreed for a session.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Agreement {
    pub(crate) jacoby: bool,
    pub(crate) beavers: bool,
    pub(crate) raccoons: bool,
    /// The most automatic doubles a game.
    pub(crate) automatic: u32,
}

/// Something that a player did.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Turn {
    Play(Roll, Play),
    Double(u32),
    Beaver(u32),
    Raccoon(u32),
    Take,
    Drop,
}

/// A game.
#[derive(Debug, Clone)]
pub(crate) struct MoneyGame {
    pub(crate) turns: Vec<(Player, Turn)>,
    pub(crate) winner: Player,
    pub(crate) points: u32,
    /// How many automatic doubles there were.
    pub(crate) automatic: u32,
}

/// A session.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    pub(crate) agreed: Agreement,
    pub(crate) games: Vec<MoneyGame>,
}

/// The session of a seed.
pub(crate) fn random_session(rng: &mut Rng) -> Session {
    let beavers = rng.once_in(2);
    let agreed = Agreement {
        jacoby: rng.once_in(2),
        beavers,
        raccoons: beavers && rng.once_in(2),
        automatic: rng.below(3) as u32,
    };
    let games = (0..2 + rng.below(4)).map(|_| game(rng, agreed)).collect();
    Session { agreed, games }
}

fn game(rng: &mut Rng, agreed: Agreement) -> MoneyGame {
    let (mut turns, winner, value, win) = played(rng, agreed);
    let turned = turns
        .iter()
        .any(|(_, turn)| matches!(turn, Turn::Double(_)));
    // Only a double tells of automatic doubles in this notation.
    let automatic = match turned && agreed.automatic > 0 && rng.once_in(2) {
        true => 1 + rng.below(agreed.automatic as usize) as u32,
        false => 0,
    };
    for (_, turn) in &mut turns {
        if let Turn::Double(to) | Turn::Beaver(to) | Turn::Raccoon(to) = turn {
            *to <<= automatic;
        }
    }
    let factor = match win {
        Some(_) if agreed.jacoby && !turned => 1,
        Some(win) => win.factor(),
        None => 1,
    };
    MoneyGame {
        turns,
        winner,
        points: (value << automatic) * factor,
        automatic,
    }
}

/// The actions, the winner, the cube at the end and the kind of win, without automatic doubles.
fn played(rng: &mut Rng, agreed: Agreement) -> (Vec<(Player, Turn)>, Player, u32, Option<Win>) {
    let mut plays = Plays::new();
    let mut turns = Vec::new();
    let mut cube = Cube::START;
    let mut position = Position::start(Variant::Backgammon);
    let mut roll = opening_roll(rng);
    let mut player = match roll.0 > roll.1 {
        true => Player::One,
        false => Player::Two,
    };
    loop {
        let play = random_play(rng, &mut position, player, roll, &mut plays);
        turns.push((player, Turn::Play(roll, play)));
        if let Some((winner, win)) = position.winner() {
            return (turns, winner, cube.value, Some(win));
        }
        player = !player;
        if cube.value < 64 && cube.may_turn(player) && rng.once_in(12) {
            match exchange(rng, agreed, cube.value, player, &mut turns) {
                Ok(value) => {
                    cube = Cube {
                        value,
                        owner: Some(!player),
                    };
                }
                Err((winner, value)) => return (turns, winner, value, None),
            }
        }
        roll = rng.roll();
    }
}

/// A double with all that answers it: the new value of the cube, or who won how much.
fn exchange(
    rng: &mut Rng,
    agreed: Agreement,
    value: u32,
    doubler: Player,
    turns: &mut Vec<(Player, Turn)>,
) -> Result<u32, (Player, u32)> {
    turns.push((doubler, Turn::Double(2 * value)));
    if agreed.beavers && rng.once_in(2) {
        turns.push((!doubler, Turn::Beaver(4 * value)));
        if agreed.raccoons && rng.once_in(2) {
            turns.push((doubler, Turn::Raccoon(8 * value)));
            return match rng.once_in(3) {
                true => {
                    turns.push((!doubler, Turn::Drop));
                    Err((doubler, 4 * value))
                }
                false => {
                    turns.push((!doubler, Turn::Take));
                    Ok(8 * value)
                }
            };
        }
        return match rng.once_in(4) {
            true => {
                turns.push((doubler, Turn::Drop));
                Err((!doubler, 2 * value))
            }
            false => {
                turns.push((doubler, Turn::Take));
                Ok(4 * value)
            }
        };
    }
    match rng.once_in(3) {
        true => {
            turns.push((!doubler, Turn::Drop));
            Err((doubler, value))
        }
        false => {
            turns.push((!doubler, Turn::Take));
            Ok(2 * value)
        }
    }
}

/// The transcript.
pub(crate) fn text(session: &Session) -> String {
    let on = |on: bool| if on { "On" } else { "Off" };
    let Agreement {
        jacoby,
        beavers,
        raccoons,
        ..
    } = session.agreed;
    let (jacoby, beavers, raccoons) = (on(jacoby), on(beavers), on(raccoons));
    let mut text = format!(
        "; [Jacoby \"{jacoby}\"]\n; [Beaver \"{beavers}\"]\n; [Raccoon \"{raccoons}\"]\n\n 0 point match\n"
    );
    let mut score = [0, 0];
    for (index, game) in session.games.iter().enumerate() {
        let left = format!("Ayla : {}", score[0]);
        let _ = write!(
            text,
            "\n Game {}\n {left:<30} Burak : {}\n",
            index + 1,
            score[1]
        );
        let mut rows = Rows::default();
        let mut position = Position::start(Variant::Backgammon);
        for &(player, turn) in &game.turns {
            let cell = match turn {
                Turn::Play(roll, play) => cell(&mut position, player, Made::Play(roll, play)),
                Turn::Double(to) => format!(" Doubles => {to}"),
                Turn::Beaver(to) => format!(" Beavers => {to}"),
                Turn::Raccoon(to) => format!(" Raccoons => {to}"),
                Turn::Take => " Takes".to_owned(),
                Turn::Drop => " Drops".to_owned(),
            };
            rows.add(player, cell);
        }
        let plural = if game.points == 1 { "" } else { "s" };
        rows.wins(game.winner, format!("Wins {} point{plural}", game.points));
        text += &rows.text;
        score[game.winner.index()] += game.points;
    }
    text
}
