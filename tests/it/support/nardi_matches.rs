//! Random legal matches of long nardi as match text, played with the slow list of legal plays.

use std::fmt::Write;

use tawla::board::{ByPlayer, Move, Player, Roll};

use super::rng::Rng;
use super::slow_nardi::NardiBoard;

/// A match of long nardi and what happened in it.
#[derive(Debug, Clone)]
pub(crate) struct NardiMatch {
    /// The points to reach.
    pub(crate) length: u32,
    /// The games in order.
    pub(crate) games: Vec<NardiGame>,
}

/// One game.
#[derive(Debug, Clone)]
pub(crate) struct NardiGame {
    /// Each turn in order.
    pub(crate) turns: Vec<NardiTurn>,
    /// Who won.
    pub(crate) winner: Player,
    /// 1, or 2 for a mars.
    pub(crate) points: u32,
}

/// What a player rolled and did.
#[derive(Debug, Clone)]
pub(crate) struct NardiTurn {
    /// Who.
    pub(crate) player: Player,
    /// The board before, as that player sees it.
    pub(crate) before: NardiBoard,
    /// The dice.
    pub(crate) roll: Roll,
    /// From and to of each move; empty if nothing could be played.
    pub(crate) moves: Vec<(i8, i8)>,
}

/// The match of a seed.
pub(crate) fn random_nardi_match(rng: &mut Rng) -> NardiMatch {
    let mut made = NardiMatch {
        length: [1, 2, 3][rng.below(3)],
        games: Vec::new(),
    };
    let mut score = ByPlayer::new(0, 0);
    while score.one.max(score.two) < made.length {
        let game = random_nardi_game(rng);
        score[game.winner] += game.points;
        made.games.push(game);
    }
    made
}

/// A game to its end. Whoever starts may roll a double.
pub(crate) fn random_nardi_game(rng: &mut Rng) -> NardiGame {
    let mut board = NardiBoard::start();
    let mut player = Player::BOTH[rng.below(2)];
    let mut turns = Vec::new();
    // A slow player keeps the checkers on the head, so that some games end in a mars.
    let slow = Player::BOTH[rng.below(2)];
    let dawdles = rng.once_in(2);
    loop {
        let roll = rng.roll();
        let legal = board.legal(roll);
        let ways: Vec<_> = legal.iter().collect();
        let backward = |board: &NardiBoard| {
            let pips = |point: usize| point as i32 * i32::from(board.points[point].max(0));
            (13..=24).map(pips).sum::<i32>()
        };
        let chosen = if dawdles && player == slow {
            ways.iter()
                .max_by_key(|(after, _)| backward(after))
                .copied()
        } else {
            ways.get(rng.below(ways.len().max(1))).copied()
        };
        let (after, moves) = match chosen {
            Some((after, way)) => (*after, way.moves.clone()),
            None => (board, Vec::new()),
        };
        turns.push(NardiTurn {
            player,
            before: board,
            roll,
            moves,
        });
        if after.is_over() {
            let points = if after.their_off == 0 { 2 } else { 1 };
            return NardiGame {
                turns,
                winner: player,
                points,
            };
        }
        board = after.turned();
        player = !player;
    }
}

/// The match as text: each player in the own numbering from 24 to 1.
pub(crate) fn nardi_text(made: &NardiMatch) -> String {
    let mut text = format!(
        "; [Variation \"LongNardi\"]\n\n {} point match\n",
        made.length
    );
    let mut score = ByPlayer::new(0, 0);
    for (number, game) in (1..).zip(&made.games) {
        let left = format!("Amira : {}", score.one);
        // Writing into a string does not fail.
        let _ = write!(text, "\n Game {number}\n {left:<30} Dov : {}\n", score.two);
        rows(&mut text, game);
        let column = if game.winner == Player::One { 6 } else { 34 };
        let plural = if game.points == 1 { "" } else { "s" };
        let _ = writeln!(text, "{:column$}Wins {} point{plural}", "", game.points);
        score[game.winner] += game.points;
    }
    text
}

fn rows(text: &mut String, game: &NardiGame) {
    let mut cells: Vec<[String; 2]> = Vec::new();
    for turn in &game.turns {
        let cell = turn
            .moves
            .iter()
            .fold(format!("{}:", turn.roll), |cell, (from, to)| {
                format!("{cell} {from}/{to}")
            });
        match (turn.player, cells.last_mut()) {
            (Player::Two, Some(row)) if row[1].is_empty() => row[1] = cell,
            (Player::Two, _) => cells.push([String::new(), cell]),
            (Player::One, _) => cells.push([cell, String::new()]),
        }
    }
    for (number, [left, right]) in (1..).zip(&cells) {
        let _ = writeln!(text, "{number:>3}) {left:<27} {right}");
    }
}

/// Moves of a turn as the program knows them.
pub(crate) fn moves(moves: &[(i8, i8)]) -> Vec<Move> {
    let from_pair = |&(from, to): &(i8, i8)| {
        let number = |place: i8| u8::try_from(place).expect("a place");
        Move::from_numbers(number(from), number(to), false).expect("places")
    };
    moves.iter().map(from_pair).collect()
}
