//! The verdict on one written play, without expanding all legal plays where that can be avoided.
//!
//! A play whose moves are each legal in some order and that uses every die, or bears off the last checker,
//! is legal. Only a play that leaves dice unused needs the question whether more could be played. So the
//! usual play costs a few byte reads, and the rest of this module is for the others:
//!
//! 1. `play_literally`: each written move is one die, in the written order.
//! 2. `read`: moves that span several dice, in any order; all readings are found.
//! 3. `blame`: there is no reading; say which rule is broken, and where the checkers stand all the same.

use super::legal::can_play;
use super::literal::play_literally;
use super::position::{highest, landing};
use super::{Die, Move, Place, Player, Plays, Position, Roll, legal_plays};

/// What a written play comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The play is legal.
    Legal(Reading),
    /// The writing fits several legal plays that lead to different positions, the likeliest first.
    Ambiguous(Vec<Reading>),
    /// The play breaks a rule.
    Illegal {
        /// Which rule, and where.
        fault: PlayFault,
        /// The position as played. `None` if the play is impossible: it moves a checker that is not there,
        /// or leaves both players on one point.
        stands: Option<Position>,
    },
}

/// One way to understand a written play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// The position after it.
    pub position: Position,
    /// Where it hits: bit `n` for the point `n` of the player who moves.
    pub hits: u32,
}

/// The rule that a play breaks (sections 2 and 11 of the rules), with what is needed to explain it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlayFault {
    /// The length of a move fits no die left.
    DieNotRolled {
        /// The move that needs another number.
        moved: Move,
    },
    /// More moves than the roll has.
    TooManyMoves {
        /// How many moves were written.
        written: u8,
        /// How many the roll has.
        most: u8,
    },
    /// A landing, intermediate too, on two or more opposing checkers; in long nardi on one.
    ClosedPoint {
        /// The move that lands there.
        moved: Move,
        /// The closed point.
        point: Place,
    },
    /// Nothing stands on the starting point.
    NoChecker {
        /// The move that starts there.
        moved: Move,
    },
    /// Another checker moved while one was on the bar.
    BarNotEntered {
        /// The move of the other checker.
        moved: Move,
    },
    /// A checker was borne off while another was outside the home board or on the bar.
    BearOffTooEarly {
        /// The bear-off.
        moved: Move,
        /// Where the rearmost checker stood.
        rearmost: Place,
    },
    /// A die larger than needed bore off although a checker stood higher.
    BearOffFromLowerPoint {
        /// The bear-off.
        moved: Move,
        /// The die used.
        die: u8,
        /// Where the higher checker stood.
        higher: Place,
    },
    /// A move goes up, or nowhere.
    WrongDirection {
        /// The move.
        moved: Move,
    },
    /// More dice could be played.
    DiceLeft {
        /// How many dice were played.
        played: u8,
        /// How many could be.
        most: u8,
    },
    /// Only one die could be played, and the larger one could.
    SmallerDie {
        /// The larger die.
        larger: u8,
    },
    /// Too many checkers left the head in one turn; long nardi only.
    HeadRule {
        /// How many left it.
        left: u8,
        /// How many may.
        most: u8,
    },
    /// Six points in a row were closed with no opposing checker ahead of them; long nardi only.
    BlockOfSix {
        /// The point of the six that the opponent comes to first.
        first: Place,
        /// The one that the opponent comes to last.
        last: Place,
    },
}

/// Judges the play that `player` wrote for `roll`. An empty play is judged like any other: legal if nothing
/// can be played.
pub fn judge(position: &Position, player: Player, roll: Roll, written: &[Move]) -> Verdict {
    let mut after = *position;
    if let Some(played) = play_literally(&mut after, player, roll, written) {
        return Verdict::Legal(Reading {
            position: after,
            hits: played.hits,
        });
    }
    if written.is_empty() && !can_play(position, player, roll) {
        return Verdict::Legal(Reading {
            position: *position,
            hits: 0,
        });
    }
    judge_slowly(position, player, roll, written)
}

/// The play of one die where no other play uses more: what most plays are that do not use both dice. `None`: it is
/// no such play, and [`judge`] knows what it is. `plays` is overwritten.
///
/// A move that is as long as one die can be read in one way only.
pub fn one_of_two_dice(
    position: &Position,
    player: Player,
    roll: Roll,
    written: &[Move],
    plays: &mut Plays,
) -> Option<Reading> {
    let &[moved] = written else { return None };
    let length = moved.from.number().checked_sub(moved.to.number())?;
    let die = Die::new(length).filter(|die| [roll.0, roll.1].contains(die))?;
    let (after, to, hits) = position.moved(player, moved.from, die)?;
    legal_plays(position, player, roll, plays);
    plays.leading_to(&after).map(|_| Reading {
        position: after,
        hits: u32::from(hits) << to.number(),
    })
}

#[cold]
fn judge_slowly(position: &Position, player: Player, roll: Roll, written: &[Move]) -> Verdict {
    if let Some(&moved) = written.iter().find(|moved| moved.to >= moved.from) {
        let fault = PlayFault::WrongDirection { moved };
        return Verdict::Illegal {
            fault,
            stands: played_as_written(position, player, written).ok(),
        };
    }
    let (numbers, count) = roll.numbers();
    let mut reader = Reader::new(player, &numbers[..count], written);
    reader.read(position, 0, 0);
    if reader.found.is_empty() {
        return blame(position, player, &numbers[..count], written, &reader);
    }
    let mut plays = Plays::new();
    legal_plays(position, player, roll, &mut plays);
    let is_legal = |found: &Found| plays.leading_to(&found.reading.position).is_some();
    let legal: Vec<Reading> = reader
        .found
        .iter()
        .filter(|found| is_legal(found))
        .map(|found| found.reading)
        .collect();
    if legal.is_empty() {
        let best = likeliest(
            reader.found.iter().map(|found| found.reading).collect(),
            written,
        );
        let played = reader
            .found
            .iter()
            .map(|found| found.dice)
            .max()
            .unwrap_or(0);
        let fault = if played == 1 && plays.dice() == 1 {
            PlayFault::SmallerDie {
                larger: roll.high(),
            }
        } else {
            PlayFault::DiceLeft {
                played,
                most: plays.dice() as u8,
            }
        };
        return Verdict::Illegal {
            fault,
            stands: best.first().map(|reading| reading.position),
        };
    }
    let mut legal = likeliest(legal, written);
    match legal.len() {
        1 => Verdict::Legal(legal.remove(0)),
        _ => Verdict::Ambiguous(legal),
    }
}

/// One way found to make the written moves with the dice.
struct Found {
    reading: Reading,
    dice: u8,
}

/// Finds every way to make the written moves with the dice, in any order, and notes on which rule the ways
/// that fail break, the farthest first.
struct Reader<'a> {
    player: Player,
    numbers: &'a [u8],
    used: [bool; 4],
    written: &'a [Move],
    /// Where the checker of each written move has come to.
    at: [u8; 8],
    found: Vec<Found>,
    farthest: Option<(u8, PlayFault)>,
}

impl<'a> Reader<'a> {
    fn new(player: Player, numbers: &'a [u8], written: &'a [Move]) -> Reader<'a> {
        let mut at = [0; 8];
        for (at, moved) in at.iter_mut().zip(written) {
            *at = moved.from.number();
        }
        Reader {
            player,
            numbers,
            used: [false; 4],
            written,
            at,
            found: Vec::new(),
            farthest: None,
        }
    }

    fn read(&mut self, position: &Position, hits: u32, depth: u8) {
        if self
            .written
            .iter()
            .zip(self.at)
            .all(|(moved, at)| at == moved.to.number())
        {
            let reading = Reading {
                position: *position,
                hits,
            };
            if !self.found.iter().any(|found| found.reading == reading) {
                self.found.push(Found {
                    reading,
                    dice: depth,
                });
            }
            return;
        }
        for index in 0..self.written.len().min(self.at.len()) {
            let (at, to) = (self.at[index], self.written[index].to.number());
            let repeated = (0..index)
                .any(|earlier| (self.at[earlier], self.written[earlier].to.number()) == (at, to));
            if at == to || repeated {
                continue;
            }
            for die in 0..self.numbers.len() {
                let first = self.numbers[..die]
                    .iter()
                    .zip(self.used)
                    .all(|(&n, used)| used || n != self.numbers[die]);
                if !self.used[die] && first {
                    self.step(position, hits, depth, index, die);
                }
            }
        }
    }

    fn step(&mut self, position: &Position, hits: u32, depth: u8, index: usize, die: usize) {
        let (at, to, number) = (
            self.at[index],
            self.written[index].to.number(),
            self.numbers[die],
        );
        // A move to a point does not go beyond it.
        if at < to + number && to > 0 {
            return;
        }
        let sides = &position.sides;
        let Some(landed) = landing(&sides[self.player], &sides[!self.player], at, number) else {
            self.note(position, index, number, depth);
            return;
        };
        let mut next = *position;
        let hit = next.put(self.player, at, landed);
        self.at[index] = landed;
        self.used[die] = true;
        self.read(&next, hits | u32::from(hit) << landed, depth + 1);
        self.at[index] = at;
        self.used[die] = false;
    }

    /// Notes why a die cannot be played, if no way that went farther or as far has failed.
    fn note(&mut self, position: &Position, index: usize, number: u8, depth: u8) {
        let Some(fault) = self.reason(position, index, number) else {
            return;
        };
        let rank = |fault: &PlayFault| match fault {
            PlayFault::BarNotEntered { .. } => 3,
            PlayFault::ClosedPoint { .. } => 2,
            PlayFault::BearOffFromLowerPoint { .. } => 1,
            _ => 0,
        };
        let better = match &self.farthest {
            None => true,
            Some((known, other)) => (depth, rank(&fault)) > (*known, rank(other)),
        };
        if better {
            self.farthest = Some((depth, fault));
        }
    }

    fn reason(&self, position: &Position, index: usize, die: u8) -> Option<PlayFault> {
        let (own, against) = (&position.sides[self.player], &position.sides[!self.player]);
        let (at, moved) = (self.at[index], self.written[index]);
        let place = |number| Place::new(number).expect("a place");
        if own[usize::from(at)] == 0 {
            None
        } else if at != 25 && own[25] > 0 {
            Some(PlayFault::BarNotEntered { moved })
        } else if at > die {
            let point = place(at - die);
            let closed = against[usize::from(25 - point.number())] >= 2;
            closed.then_some(PlayFault::ClosedPoint { moved, point })
        } else if highest(own) > 6 {
            Some(PlayFault::BearOffTooEarly {
                moved,
                rearmost: place(highest(own)),
            })
        } else {
            let higher = place(highest(own));
            Some(PlayFault::BearOffFromLowerPoint { moved, die, higher })
        }
    }
}

/// The readings in the order of likelihood, those that lead to one position joined. Only readings that
/// explain the hit marks equally well are left beside each other.
///
/// A mark on the last landing of a move counts, and a mark where nothing is hit speaks for a hit on the way.
/// Without a mark the way that does not hit is meant; see section 2 of the rules.
fn likeliest(mut readings: Vec<Reading>, written: &[Move]) -> Vec<Reading> {
    let marks = written.iter().filter(|moved| moved.hits).count() as u32;
    readings.sort_by_key(|reading| reading.hits.count_ones().abs_diff(marks));
    let mut kept: Vec<Reading> = Vec::new();
    for reading in readings {
        if !kept.iter().any(|other| other.position == reading.position) {
            kept.push(reading);
        }
    }
    kept
}

/// The points where the written moves say that they hit.
pub fn marked_points(written: &[Move]) -> u32 {
    written
        .iter()
        .filter(|moved| moved.hits)
        .fold(0, |points, moved| points | 1 << moved.to.number())
}

/// Whether the first of several readings is meant beyond doubt: exactly one of them explains the hit marks
/// best, and at most one way hits.
pub fn is_clear(readings: &[Reading], written: &[Move]) -> bool {
    let marks = written.iter().filter(|moved| moved.hits).count() as u32;
    let [first, second, ..] = readings else {
        return true;
    };
    let distance = |reading: &Reading| reading.hits.count_ones().abs_diff(marks);
    distance(first) < distance(second)
}

/// The position after the written moves, whether they are legal or not: checkers are lifted and put down.
///
/// # Errors
///
/// The fault that makes it impossible: no checker on a starting point, or both players on one point.
pub fn played_as_written(
    position: &Position,
    player: Player,
    written: &[Move],
) -> Result<Position, PlayFault> {
    let mut after = *position;
    let mut left: Vec<Move> = written.to_vec();
    while !left.is_empty() {
        let possible = left
            .iter()
            .position(|moved| moved.from != Place::OFF && after.checkers(player, moved.from) > 0);
        let Some(index) = possible else {
            return Err(PlayFault::NoChecker { moved: left[0] });
        };
        let moved = left.remove(index);
        if moved.to == Place::BAR {
            return Err(PlayFault::WrongDirection { moved });
        }
        after.put(player, moved.from.number(), moved.to.number());
    }
    match after.shared_point(player) {
        None => Ok(after),
        Some(point) => {
            let lands = written.iter().find(|moved| moved.to.number() == point);
            let moved = *lands
                .or(written.first())
                .expect("a play that changed the position");
            Err(PlayFault::ClosedPoint {
                moved,
                point: moved.to,
            })
        }
    }
}

/// Why no order of the dice makes the written moves.
fn blame(
    position: &Position,
    player: Player,
    numbers: &[u8],
    written: &[Move],
    reader: &Reader<'_>,
) -> Verdict {
    let stands = played_as_written(position, player, written);
    let fault = match stands {
        Err(impossible) => impossible,
        Ok(_) => match (unfit(numbers, written), reader.farthest) {
            (Some(fault), _) => fault,
            (None, Some((_, fault))) => fault,
            (None, None) => PlayFault::DieNotRolled { moved: written[0] },
        },
    };
    Verdict::Illegal {
        fault,
        stands: stands.ok(),
    }
}

/// The fault if the lengths of the moves do not fit the dice, wherever the checkers stand.
pub(super) fn unfit(numbers: &[u8], written: &[Move]) -> Option<PlayFault> {
    if let Some(&moved) = written.iter().find(|moved| !fits(numbers, &[**moved])) {
        return Some(PlayFault::DieNotRolled { moved });
    }
    if fits(numbers, written) {
        return None;
    }
    if written.len() > numbers.len() {
        return Some(PlayFault::TooManyMoves {
            written: written.len() as u8,
            most: numbers.len() as u8,
        });
    }
    // The longest move is to blame, and of several the last.
    let length = |moved: &&Move| moved.from.number() - moved.to.number();
    let moved = *written.iter().max_by_key(length)?;
    Some(PlayFault::DieNotRolled { moved })
}

/// Whether the lengths of the moves can be made of disjoint dice.
fn fits(numbers: &[u8], moves: &[Move]) -> bool {
    let Some((moved, rest)) = moves.split_first() else {
        return true;
    };
    let (from, to) = (moved.from.number(), moved.to.number());
    (1u8..1 << numbers.len()).any(|dice| {
        let chosen = |die: &usize| dice >> die & 1 == 1;
        let sum: u8 = (0..numbers.len())
            .filter(chosen)
            .map(|die| numbers[die])
            .sum();
        let made = if to == 0 {
            sum >= from
        } else {
            sum + to == from
        };
        made && {
            let left: Vec<u8> = (0..numbers.len())
                .filter(|die| !chosen(die))
                .map(|die| numbers[die])
                .collect();
            fits(&left, rest)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Variant, test_support};

    fn position(text: &str) -> Position {
        test_support::position(Variant::Backgammon, text)
    }

    fn moves(text: &str) -> Vec<Move> {
        let number = |text: &str| text.parse().expect("a number");
        text.split_whitespace()
            .map(|word| {
                let (from, to) = word.split_once('/').expect("from/to");
                let hits = to.ends_with('*');
                Move::from_numbers(number(from), number(to.trim_end_matches('*')), hits)
                    .expect("places")
            })
            .collect()
    }

    fn fault(board: &str, roll: (u8, u8), written: &str) -> PlayFault {
        let roll = Roll::new(roll.0, roll.1).expect("a roll");
        match judge(&position(board), Player::One, roll, &moves(written)) {
            Verdict::Illegal { fault, .. } => fault,
            other => panic!("not illegal: {other:?}"),
        }
    }

    fn is_legal(board: &str, roll: (u8, u8), written: &str) -> bool {
        let roll = Roll::new(roll.0, roll.1).expect("a roll");
        matches!(
            judge(&position(board), Player::One, roll, &moves(written)),
            Verdict::Legal(_)
        )
    }

    const START: &str = "24:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5";

    #[test]
    fn one_checker_may_play_both_dice() {
        assert!(is_legal(START, (6, 5), "24/13"));
        assert!(is_legal(START, (6, 1), "13/7 8/7"));
    }

    #[test]
    fn a_span_over_two_closed_points_is_illegal() {
        let closed = matches!(fault(START, (5, 5), "24/14 13/8(2)".trim_end_matches("(2)")),
            PlayFault::ClosedPoint { point, .. } if point.number() == 19);
        assert!(closed);
    }

    #[test]
    fn the_order_of_writing_does_not_matter() {
        assert!(is_legal("9:1 4:2 2:1 | 3:2", (6, 2), "2/0 9/3"));
    }

    #[test]
    fn each_broken_rule_is_named() {
        use PlayFault as F;
        assert!(
            matches!(fault(START, (3, 1), "8/4 6/5"), F::DieNotRolled { moved } if moved.from.number() == 8)
        );
        assert!(matches!(
            fault(START, (3, 1), "8/5 6/5 6/5"),
            F::TooManyMoves {
                written: 3,
                most: 2
            }
        ));
        assert!(matches!(
            fault(START, (3, 1), "9/6 6/5"),
            F::NoChecker { .. }
        ));
        assert!(matches!(
            fault(START, (6, 5), "24/19 13/7"),
            F::ClosedPoint { .. }
        ));
        assert!(matches!(
            fault(START, (3, 1), "8/11 6/5"),
            F::WrongDirection { .. }
        ));
        assert!(matches!(
            fault(START, (3, 1), "8/5"),
            F::DiceLeft { played: 1, most: 2 }
        ));
        let bar = "25:1 13:5 8:4 6:5 | 24:2 13:5 8:3 6:5";
        assert!(matches!(
            fault(bar, (3, 1), "8/5 6/5"),
            F::BarNotEntered { .. }
        ));
        let home = "9:1 6:2 5:2 2:1 | 1:2";
        assert!(matches!(
            fault(home, (6, 1), "6/0 9/8"),
            F::BearOffTooEarly { .. }
        ));
        assert!(matches!(
            fault("4:1 2:2 | 1:2", (6, 1), "2/0 2/1"),
            F::BearOffFromLowerPoint { .. }
        ));
    }

    #[test]
    fn the_larger_die_must_be_played_if_only_one_can() {
        // 16/10 and 16/13 can be played, 16/7 can not.
        let board = "16:1 2:4 3:4 | 18:2 6:2";
        assert!(is_legal(board, (6, 3), "16/10"));
        assert!(matches!(
            fault(board, (6, 3), "16/13"),
            PlayFault::SmallerDie { larger: 6 }
        ));
    }

    #[test]
    fn a_hit_on_the_way_makes_two_plays_and_the_unmarked_one_is_meant() {
        let board = position("8:1 6:5 | 21:1 6:5");
        let roll = Roll::new(4, 2).expect("a roll");
        let Verdict::Ambiguous(readings) = judge(&board, Player::One, roll, &moves("8/2")) else {
            panic!("two readings");
        };
        assert_eq!(
            readings
                .iter()
                .map(|reading| reading.hits)
                .collect::<Vec<_>>(),
            [0, 1 << 4]
        );
        assert!(is_clear(&readings, &moves("8/2")));
    }

    fn moved(text: &str) -> Move {
        moves(text)[0]
    }

    fn place(number: u8) -> Place {
        Place::new(number).expect("a place")
    }

    #[test]
    fn the_move_that_is_to_blame_is_named() {
        use PlayFault as F;
        // A checker that is off already breaks nothing, and what fails with the second die counts.
        let lower = F::BearOffFromLowerPoint {
            moved: moved("1/0"),
            die: 2,
            higher: place(5),
        };
        assert_eq!(fault("6:1 5:1 1:1 | 1:2", (6, 2), "6/0 1/0"), lower);
        // On the way to 3 the checker might stop on 7; it is the die that does not fit all the same.
        for roll in [(6, 2), (2, 6)] {
            assert_eq!(fault("9:1 5:1 1:1 | 1:2", roll, "9/3 1/0"), lower);
        }
        // No move goes beyond its end with the larger die.
        let lower = F::BearOffFromLowerPoint {
            moved: moved("1/0"),
            die: 6,
            higher: place(6),
        };
        assert_eq!(fault("8:1 6:1 1:1 | 1:2", (6, 2), "8/6 1/0"), lower);
        // The own 23 is closed: the bar comes first.
        let bar = F::BarNotEntered {
            moved: moved("8/6"),
        };
        let board = "25:1 13:5 8:4 6:5 | 2:2 13:5 8:3 6:5";
        assert_eq!(fault(board, (2, 2), "25/21 8/6"), bar);
        // The own 7 is closed: that says more than that it is too early.
        let closed = F::ClosedPoint {
            moved: moved("9/5"),
            point: place(7),
        };
        assert_eq!(fault("9:2 2:2 | 18:2", (2, 2), "2/0 9/5"), closed);
        let early = F::BearOffTooEarly {
            moved: moved("6/0"),
            rearmost: place(20),
        };
        assert_eq!(fault("20:1 9:1 6:1 | 1:2", (6, 6), "6/0 9/3"), early);
        let higher = F::BearOffFromLowerPoint {
            moved: moved("2/0"),
            die: 5,
            higher: place(6),
        };
        assert_eq!(fault("6:1 2:2 | 1:2", (5, 3), "2/0 2/0"), higher);
    }

    #[test]
    fn the_longest_of_moves_that_the_dice_do_not_make_is_named() {
        for (board, roll, written, named) in [
            (START, (3, 1), "24/23 8/4", "8/4"),
            (START, (2, 2), "24/18 24/18 13/7", "13/7"),
            (START, (2, 2), "24/18 13/3 13/7", "13/3"),
            ("6:1 5:1 | 1:2", (3, 1), "6/0", "6/0"),
        ] {
            let expected = PlayFault::DieNotRolled {
                moved: moved(named),
            };
            assert_eq!(fault(board, roll, written), expected, "{written}");
        }
        // One checker may be borne off with two dice, or with one that is larger.
        assert!(is_legal("5:1 | 1:2", (4, 1), "5/0"));
        assert!(is_legal("5:1 1:1 | 1:2", (6, 1), "5/0 1/0"));
    }

    #[test]
    fn two_marks_on_one_point_are_one_hit() {
        let board = position("8:2 6:2 | 20:1");
        let roll = Roll::new(3, 1).expect("a roll");
        let written = moves("8/5* 6/5*");
        assert_eq!(marked_points(&written), 1 << 5);
        let Verdict::Legal(reading) = judge(&board, Player::One, roll, &written) else {
            panic!("legal");
        };
        assert_eq!(reading.hits, 1 << 5);
    }

    #[test]
    fn a_play_of_one_die_is_read_as_the_judge_reads_it() {
        let mut plays = Plays::new();
        let mut read = 0;
        for board in [
            "16:1 2:4 3:4 | 18:2 6:2",
            "25:1 8:2 | 6:2 5:2 4:2 3:2 2:1 1:2",
            "6:1 2:1 | 24:1 20:1",
            "14:2 7:1 | 12:1 13:2 22:2 20:2 24:2",
            "3:2 1:1 | 2:1",
        ] {
            let board = position(board);
            for (first, second) in (1..=6).flat_map(|first| (1..=6).map(move |n| (first, n))) {
                let roll = Roll::new(first, second).expect("a roll");
                let way = |from: u8| (0..from).map(move |to| (from, to));
                for (from, to) in (1..=25).flat_map(way) {
                    let written = [Move::from_numbers(from, to, false).expect("places")];
                    let quick = one_of_two_dice(&board, Player::One, roll, &written, &mut plays);
                    if let Some(reading) = quick {
                        read += 1;
                        let verdict = judge(&board, Player::One, roll, &written);
                        assert_eq!(verdict, Verdict::Legal(reading), "{roll} {from}/{to}");
                    }
                }
            }
        }
        assert!(read >= 10, "{read}");
    }
}
