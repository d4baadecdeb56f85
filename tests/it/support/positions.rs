//! Random positions, also such as no game ever saw, and random games.

use tawla::board::{ByPlayer, Player, Plays, Position, Roll, Setup, Variant, legal_plays};

use super::rng::Rng;

/// A position, who is on roll, and the roll.
pub(crate) type Problem = (Position, Player, Roll);

/// A position that can exist, however absurd, and in which neither player has won.
pub(crate) fn random_position(rng: &mut Rng, variant: Variant) -> Position {
    loop {
        let one = random_side(rng, variant);
        let two = random_side(rng, variant);
        let mut checkers = ByPlayer::new(one, two);
        for point in (1..=24).filter(|&point| one[point] > 0) {
            checkers.two[25 - point] = 0;
        }
        let setup = Setup {
            checkers,
            variant,
            turn: None,
            roll: None,
            cube: None,
        };
        if setup.faults().is_empty() {
            return Position::new(&setup).expect("a position without faults");
        }
    }
}

/// One side's checkers, thrown on some of the places.
fn random_side(rng: &mut Rng, variant: Variant) -> [u8; 26] {
    let mut places: Vec<usize> = match rng.below(7) {
        // Anywhere, each place as likely as another.
        0 => (0..=25).collect(),
        // Stacks on a few points.
        1 => (0..rng.below(5) + 1).map(|_| rng.below(24) + 1).collect(),
        // Many on the bar.
        2 => vec![25, 25, rng.below(24) + 1, rng.below(24) + 1],
        // At home, and nothing or little borne off.
        3 => (1..=6).collect(),
        // Deep in the bear-off, now and then with a straggler.
        4 => vec![0, 0, 0, 0, 1, 2, 3, rng.below(6) + 1],
        // Few checkers left.
        5 => [[0; 12].as_slice(), &[rng.below(25) + 1, rng.below(25) + 1]].concat(),
        // Nearly all at home.
        _ => (0..=6).collect(),
    };
    if rng.once_in(4) {
        places.push(rng.below(25) + 1);
    }
    let mut side = [0; 26];
    for _ in 0..variant.checkers() {
        side[places[rng.below(places.len())]] += 1;
    }
    side
}

/// The problems of one game, played at random to its end.
pub(crate) fn random_game(rng: &mut Rng, variant: Variant) -> Vec<Problem> {
    let mut plays = Plays::new();
    let mut problems = Vec::new();
    let (mut position, mut player) = (Position::start(variant), Player::One);
    while position.winner().is_none() {
        let roll = rng.roll();
        problems.push((position, player, roll));
        legal_plays(&position, player, roll, &mut plays);
        if !plays.is_empty() {
            let chosen = plays.iter().nth(rng.below(plays.len()));
            position = chosen.expect("one of the plays").0;
        }
        player = !player;
    }
    problems
}
