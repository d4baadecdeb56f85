//! All legal plays of the same positions and rolls: ours and bkgm's.
//!
//! Both list the positions that can be reached. bkgm gives the position itself where nothing can be played, and we
//! nothing; in the bear-off it may give a position twice, which we do not. What both reach is compared before anything
//! is measured.

use std::collections::HashSet;
use std::io::Write;

use anyhow::{Context, ensure};
use bkgm::dice::Dice;
use bkgm::{ClassicRules, Position, legal_positions_with};
use tawla::board::{Plays, legal_plays};

use crate::made::{self, positions::Problem};
use crate::pairs;

const POSITIONS: usize = 10_000;

/// Prints the time of a position for both.
///
/// # Errors
///
/// The two do not agree, or nothing can be written.
pub(crate) fn measure(out: &mut impl Write) -> anyhow::Result<()> {
    let problems = made::problems(POSITIONS);
    let theirs: Vec<(Position<15>, Dice)> = problems.iter().map(translated).collect();
    let total = agreed(&problems, &theirs)?;
    let mut plays = Plays::new();
    let pair = pairs::measure(
        || {
            let mut found = 0;
            for (position, player, roll) in &problems {
                legal_plays(position, *player, *roll, &mut plays);
                found += plays.len();
            }
            found
        },
        || {
            let plays = |(position, dice): &(Position<15>, Dice)| {
                legal_positions_with::<ClassicRules, 15>(*position, dice).len()
            };
            theirs.iter().map(plays).sum::<usize>()
        },
    );
    let each = |time: std::time::Duration| time.as_nanos() / POSITIONS as u128;
    writeln!(out, "legal plays of {POSITIONS} positions, {total} plays")?;
    writeln!(
        out,
        "  tawla {} ns a position, bkgm {} ns: {:.2} times",
        each(pair.ours),
        each(pair.theirs),
        pair.ratio
    )?;
    Ok(())
}

/// A problem as bkgm has it: the checkers of the player on roll positive, in that player's numbering.
fn translated((position, player, roll): &Problem) -> (Position<15>, Dice) {
    let (own, against) = (position.side(*player), position.side(!*player));
    let count = |checkers: u8| i8::try_from(checkers).expect("at most 15");
    let mut pips = [0; 26];
    for point in 1..=24 {
        pips[point] = count(own[point]) - count(against[25 - point]);
    }
    pips[25] = count(own[25]);
    pips[0] = -count(against[25]);
    let position = Position::try_from(pips).expect("a position that can exist");
    (position, Dice::new(roll.high().into(), roll.low().into()))
}

/// How many plays there are, if both reach as many positions from every one.
fn agreed(ours: &[Problem], theirs: &[(Position<15>, Dice)]) -> anyhow::Result<usize> {
    let mut plays = Plays::new();
    let mut total = 0;
    for ((position, player, roll), (same, dice)) in ours.iter().zip(theirs) {
        legal_plays(position, *player, *roll, &mut plays);
        let found = legal_positions_with::<ClassicRules, 15>(*same, dice);
        let found = found.into_iter().collect::<HashSet<_>>().len();
        ensure!(
            found == plays.len().max(1),
            "bkgm finds {found} plays and tawla {}: {position:?} {roll}",
            plays.len()
        );
        total += plays.len();
    }
    (total > 0).then_some(total).context("no plays at all")
}
