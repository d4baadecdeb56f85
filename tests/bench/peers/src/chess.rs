//! Random legal games of chess as PGN: the load for a reader of chess.

use std::fmt::Write;

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Color, KnownOutcome, Outcome, Position};

use crate::made::rng::Rng;

/// Games until there are so many bytes, with seven tags a game, as archives have them.
pub(crate) fn games(bytes: usize) -> String {
    let mut rng = Rng::new(1);
    let mut text = String::with_capacity(bytes + 4096);
    let mut number = 0;
    while text.len() < bytes {
        number += 1;
        game(&mut rng, number, &mut text);
    }
    text
}

/// One game: at most 60 moves a side, as most games of people have.
fn game(rng: &mut Rng, number: usize, text: &mut String) {
    let mut position = Chess::default();
    let mut moves = String::new();
    for ply in 0..120 {
        let legal = position.legal_moves();
        if legal.is_empty() || position.outcome().is_known() {
            break;
        }
        let chosen = legal[rng.below(legal.len())];
        if position.turn() == Color::White {
            let _ = write!(moves, "{}. ", ply / 2 + 1);
        }
        let written = SanPlus::from_move_and_play_unchecked(&mut position, chosen);
        let _ = write!(moves, "{written} ");
    }
    let result = match position.outcome() {
        Outcome::Known(KnownOutcome::Decisive {
            winner: Color::White,
        }) => "1-0",
        Outcome::Known(KnownOutcome::Decisive {
            winner: Color::Black,
        }) => "0-1",
        _ => "1/2-1/2",
    };
    let _ = write!(
        text,
        "[Event \"Random game\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"{number}\"]\n[White \"Amira\"]\n\
         [Black \"Bo\"]\n[Result \"{result}\"]\n\n{moves}{result}\n\n"
    );
}
