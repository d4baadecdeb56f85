//! The verdict on one written play of long nardi.
//!
//! Nothing is hit, so the written moves lead to one position, by whatever way they are made; what has to be
//! found is whether the dice make them in some order. The two rules of long nardi's own look at the position
//! after the play alone. So no writing is ambiguous.

use super::super::judge::unfit;
use super::super::literal::die_of;
use super::super::position::highest;
use super::super::{
    Move, Place, PlayFault, Player, Plays, Position, Reading, Roll, Variant, Verdict,
};
use super::legal::{can_play, legal_plays};
use super::{Ground, HEAD, heads, landing, put};

/// Judges the play that `player` wrote for `roll`. An empty play is legal if nothing can be played.
pub(in crate::board) fn judge(
    position: &Position,
    player: Player,
    roll: Roll,
    written: &[Move],
) -> Verdict {
    let mut after = *position;
    let is_legal = play_literally(&mut after, player, roll, written);
    if is_legal {
        return legal(after);
    }
    if written.is_empty() && !can_play(position, player, roll) {
        return legal(*position);
    }
    let stands = played_as_written(position, player, written);
    if let Some(&moved) = written.iter().find(|moved| moved.to >= moved.from) {
        let stands = stands.ok();
        let fault = PlayFault::WrongDirection { moved };
        return Verdict::Illegal { fault, stands };
    }
    match stands {
        Err(fault) => Verdict::Illegal {
            fault,
            stands: None,
        },
        Ok(after) => match fault(position, player, roll, written, &after) {
            None => legal(after),
            Some(fault) => Verdict::Illegal {
                fault,
                stands: Some(after),
            },
        },
    }
}

fn legal(position: Position) -> Verdict {
    Verdict::Legal(Reading { position, hits: 0 })
}

/// The rule that moves break which lead to `after`.
fn fault(
    position: &Position,
    player: Player,
    roll: Roll,
    written: &[Move],
    after: &Position,
) -> Option<PlayFault> {
    let (numbers, count) = roll.numbers();
    let numbers = &numbers[..count];
    let ground = Ground::new(position, player);
    let mut reader = Reader::new(&ground, numbers, written);
    reader.read(position, 0);
    let Some(played) = reader.played else {
        let otherwise = PlayFault::DieNotRolled { moved: written[0] };
        let farthest = reader.farthest.map(|(_, fault)| fault);
        return Some(unfit(numbers, written).or(farthest).unwrap_or(otherwise));
    };
    if let Some(fault) = own_fault(position, &ground, roll, after) {
        return Some(fault);
    }
    if usize::from(played) == count {
        return None;
    }
    let mut plays = Plays::new();
    legal_plays(position, player, roll, &mut plays);
    if plays.leading_to(after).is_some() {
        return None;
    }
    Some(if played == 1 && plays.dice() == 1 {
        PlayFault::SmallerDie {
            larger: roll.high(),
        }
    } else {
        PlayFault::DiceLeft {
            played,
            most: plays.dice() as u8,
        }
    })
}

/// Whether a play breaks one of the rules that only long nardi has.
fn own_fault(
    position: &Position,
    ground: &Ground,
    roll: Roll,
    after: &Position,
) -> Option<PlayFault> {
    let player = ground.player;
    let on_head = |position: &Position| position.side(player)[usize::from(HEAD)];
    let left = on_head(position) - on_head(after);
    // One may always leave; only for more is it worth while to find out whether it is a first roll like that.
    if left > 1 {
        let most = heads(position, player, roll);
        if left > most {
            return Some(PlayFault::HeadRule { left, most });
        }
    }
    let place = |number| Place::new(number).expect("a point");
    let (first, last) = ground.forbidden_block(after)?;
    Some(PlayFault::BlockOfSix {
        first: place(first),
        last: place(last),
    })
}

/// Makes a play that is legal as it is literally written: every move is one die, each is legal in the written
/// order, and no die is left, or the last checker is off. After `false` the position is of no use.
pub(in crate::board) fn play_literally(
    position: &mut Position,
    player: Player,
    roll: Roll,
    written: &[Move],
) -> bool {
    let before = *position;
    let ground = Ground::new(&before, player);
    made_literally(position, &ground, roll, written).is_some()
        && own_fault(&before, &ground, roll, position).is_none()
}

fn made_literally(
    position: &mut Position,
    ground: &Ground,
    roll: Roll,
    written: &[Move],
) -> Option<()> {
    let (high, low) = (roll.high(), roll.low());
    let count = roll.numbers().1;
    if written.len() > count {
        return None;
    }
    let mut next = None;
    for moved in written {
        // The second die of a plain roll is the one that is left.
        let die = match next {
            Some(die) => die,
            None => die_of(moved, high, low),
        };
        next = Some(high + low - die);
        let side = &mut position.sides[ground.player];
        let (from, to) = (moved.from.number(), moved.to.number());
        if landing(side, ground, from, die)? != to {
            return None;
        }
        put(side, from, to);
    }
    let is_complete = written.len() == count || position.has_borne_off_all(ground.player);
    is_complete.then_some(())
}

/// Finds whether the dice make the written moves, in any order, and notes on which rule the ways that fail
/// break, the farthest first.
struct Reader<'a> {
    ground: &'a Ground,
    numbers: &'a [u8],
    used: [bool; 4],
    written: &'a [Move],
    /// Where the checker of each written move has come to.
    at: [u8; 8],
    /// How many dice the way used that used most.
    played: Option<u8>,
    farthest: Option<(u8, PlayFault)>,
}

impl<'a> Reader<'a> {
    fn new(ground: &'a Ground, numbers: &'a [u8], written: &'a [Move]) -> Reader<'a> {
        let mut at = [0; 8];
        for (at, moved) in at.iter_mut().zip(written) {
            *at = moved.from.number();
        }
        Reader {
            ground,
            numbers,
            used: [false; 4],
            written,
            at,
            played: None,
            farthest: None,
        }
    }

    fn read(&mut self, position: &Position, depth: u8) {
        let arrived = |(moved, at): (&Move, u8)| at == moved.to.number();
        if self.written.iter().zip(self.at).all(arrived) {
            self.played = self.played.max(Some(depth));
            return;
        }
        for index in 0..self.written.len().min(self.at.len()) {
            let (at, to) = (self.at[index], self.written[index].to.number());
            let is_repeated = (0..index)
                .any(|other| (self.at[other], self.written[other].to.number()) == (at, to));
            if at == to || is_repeated {
                continue;
            }
            for die in 0..self.numbers.len() {
                let is_first = (0..die)
                    .all(|other| self.used[other] || self.numbers[other] != self.numbers[die]);
                if !self.used[die] && is_first {
                    self.step(position, depth, index, die);
                }
            }
        }
    }

    fn step(&mut self, position: &Position, depth: u8, index: usize, die: usize) {
        let (at, to, number) = (
            self.at[index],
            self.written[index].to.number(),
            self.numbers[die],
        );
        // A move to a point does not go beyond it.
        if to > 0 && at < to + number {
            return;
        }
        let side = &position.sides[self.ground.player];
        let Some(landed) = landing(side, self.ground, at, number) else {
            self.note(position, index, number, depth);
            return;
        };
        let mut next = *position;
        put(&mut next.sides[self.ground.player], at, landed);
        self.at[index] = landed;
        self.used[die] = true;
        self.read(&next, depth + 1);
        self.at[index] = at;
        self.used[die] = false;
    }

    /// Notes why a die cannot be played, if no way that went farther or as far has failed.
    fn note(&mut self, position: &Position, index: usize, die: u8, depth: u8) {
        let Some(fault) = self.reason(position, index, die) else {
            return;
        };
        let rank = |fault: &PlayFault| match fault {
            PlayFault::ClosedPoint { .. } => 2,
            PlayFault::BearOffFromLowerPoint { .. } => 1,
            _ => 0,
        };
        let is_better = self
            .farthest
            .is_none_or(|(known, other)| (depth, rank(&fault)) > (known, rank(&other)));
        if is_better {
            self.farthest = Some((depth, fault));
        }
    }

    fn reason(&self, position: &Position, index: usize, die: u8) -> Option<PlayFault> {
        let own = &position.sides[self.ground.player];
        let (at, moved) = (self.at[index], self.written[index]);
        let place = |number| Place::new(number).expect("a place");
        if own[usize::from(at)] == 0 {
            return None;
        }
        if at > die {
            let point = place(at - die);
            return Some(PlayFault::ClosedPoint { moved, point });
        }
        let highest = place(highest(own));
        Some(if highest.number() > 6 {
            PlayFault::BearOffTooEarly {
                moved,
                rearmost: highest,
            }
        } else {
            PlayFault::BearOffFromLowerPoint {
                moved,
                die,
                higher: highest,
            }
        })
    }
}

/// The position after the written moves, whether they are legal or not: checkers are lifted and put down.
///
/// # Errors
///
/// The fault that makes it impossible: no checker on a starting point, or both players on one point.
pub(in crate::board) fn played_as_written(
    position: &Position,
    player: Player,
    written: &[Move],
) -> Result<Position, PlayFault> {
    let mut after = *position;
    let mut left: Vec<Move> = written.to_vec();
    while !left.is_empty() {
        let possible = left
            .iter()
            .position(|moved| moved.from.is_point() && after.checkers(player, moved.from) > 0);
        let Some(next) = possible else {
            return Err(PlayFault::NoChecker { moved: left[0] });
        };
        let moved = left.remove(next);
        if moved.to == Place::BAR {
            return Err(PlayFault::WrongDirection { moved });
        }
        put(
            &mut after.sides[player],
            moved.from.number(),
            moved.to.number(),
        );
    }
    let is_shared = |moved: &&Move| {
        let point = moved.to.number();
        let opposite = usize::from(Variant::LongNardi.opposite(point.max(1)));
        moved.to.is_point()
            && after.side(player)[usize::from(point)] > 0
            && after.side(!player)[opposite] > 0
    };
    match written.iter().find(is_shared) {
        None => Ok(after),
        Some(&moved) => Err(PlayFault::ClosedPoint {
            moved,
            point: moved.to,
        }),
    }
}
