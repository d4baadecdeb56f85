//! Every legal play of a roll.
//!
//! Where the own checkers stand and which points are open are two bit sets, so that all moves of a die are
//! one shift. Plays that lead to the same position are one play, and most of them never come up:
//!
//! - A double is a choice of four starting places. From the rearmost down every choice comes up once, and
//!   two choices leave different checkers behind.
//! - One checker with each die of another roll: two choices leave different checkers behind too, unless one
//!   of the moves starts where the other one lands. That is one checker with both dice.
//! - One checker with both dice: two ways, which differ if either of them hits.
//! - Only where a checker may be borne off can other plays meet; there each is compared with those known.
//!
//! It is pinned by `../../tests/it/perft.rs` against a slow version that tries everything.

use std::iter;

use super::{Move, Place, Play, Player, Position, Roll};

/// The set of the bar alone.
const BAR: u32 = 1 << 25;
/// The set of all points.
pub(super) const POINTS: u32 = BAR - 2;

/// The legal plays of a roll, each with the position that it leads to; no two lead to the same.
#[derive(Debug, Clone, Default)]
pub struct Plays {
    pub(super) list: Vec<(Position, Play)>,
    /// What the plays near home change, to tell those that lead to one position; see [`change`].
    changes: Vec<u64>,
    pub(super) dice: usize,
}

impl Plays {
    /// An empty list, to be filled by [`legal_plays`] again and again.
    pub fn new() -> Plays {
        Plays::default()
    }

    /// The plays with the positions after them. Empty if the roll cannot be played at all.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &(Position, Play)> {
        self.list.iter()
    }

    /// How many different positions can be reached.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether the roll cannot be played: a dance.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many dice must be played: 0 to 4. A play that bears off the last checker may use fewer.
    pub fn dice(&self) -> usize {
        self.dice
    }

    /// The play that leads to `position`, if it is legal.
    pub fn leading_to(&self, position: &Position) -> Option<&Play> {
        self.list
            .iter()
            .find(|(reached, _)| reached == position)
            .map(|(_, play)| play)
    }

    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.changes.clear();
        self.dice = 0;
    }
}

/// Fills `plays` with every legal play of `roll` by `player`.
pub fn legal_plays(position: &Position, player: Player, roll: Roll, plays: &mut Plays) {
    plays.clear();
    let ground = Ground::new(position, player);
    let start = &(*position, Play::EMPTY);
    let (high, low) = (roll.high(), roll.low());
    let mut search = Search { player, plays };
    if roll.is_double() {
        return search.double(start, ground, ground.sources(high), high, 4);
    }
    if ground.is_near_home(position.side(player)) {
        search.near_home(start, ground, high, low);
        search.near_home(start, ground, low, high);
    } else {
        search.far_from_home(start, ground, high, low);
    }
    search.plays.dice = if search.plays.is_empty() { 0 } else { 2 };
    for die in [high, low] {
        if search.plays.is_empty() {
            for from in downward(ground.sources(die)) {
                search.add(start, 0, [ground.move_from(from, die)]);
                search.plays.dice = 1;
            }
        }
    }
}

/// Whether any die of the roll can be played.
pub fn can_play(position: &Position, player: Player, roll: Roll) -> bool {
    let ground = Ground::new(position, player);
    ground.sources(roll.high()) != 0 || ground.sources(roll.low()) != 0
}

/// Where a player may move: sets of places in the player's numbering, bit `n` for place `n`.
#[derive(Debug, Clone, Copy)]
struct Ground {
    /// The points and the bar where own checkers stand.
    own: u32,
    /// The points that are not closed.
    open: u32,
    /// The points where a lone opposing checker stands.
    blots: u32,
}

impl Ground {
    fn new(position: &Position, player: Player) -> Ground {
        let (own, against) = (position.side(player), position.side(!player));
        let [held, closed] = [1, 2].map(|least| POINTS & opposite_points(against, least));
        Ground {
            own: points(own, 1) | u32::from(own[25] > 0) << 25,
            open: POINTS & !closed,
            blots: held & !closed,
        }
    }

    /// The places from which a checker may move with `die`.
    fn sources(self, die: u8) -> u32 {
        let inside = self.own & self.open << die;
        if self.own & BAR != 0 {
            return inside & BAR;
        }
        match self.own.checked_ilog2() {
            Some(highest) if highest <= u32::from(die) => inside | 1 << highest,
            Some(highest) if highest <= 6 => inside | self.own & 1 << die,
            _ => inside,
        }
    }

    /// Whether a checker may be borne off with the second die at the latest.
    fn is_near_home(self, side: &[u8; 26]) -> bool {
        let outside = self.own >> 7 << 7;
        outside == 0 || outside.is_power_of_two() && side[outside.ilog2() as usize] == 1
    }

    /// The move of `die` from one of its sources.
    #[inline(always)]
    fn move_from(self, from: u8, die: u8) -> Move {
        let place = |number| Place::new(number).expect("a place");
        let to = from.saturating_sub(die);
        Move::new(place(from), place(to), self.blots >> to & 1 == 1)
    }

    /// The ground after a checker of `side` moved.
    #[inline(always)]
    fn after(mut self, side: &[u8; 26], moved: Move) -> Ground {
        let (from, to) = (moved.from.number(), moved.to.number());
        let alone = side[usize::from(from)] == 1;
        self.own &= !(u32::from(alone) << from);
        self.own |= 1 << to & !1;
        self.blots &= !(1 << to);
        self
    }
}

/// The points that hold at least so many checkers of a side.
pub(super) fn points(side: &[u8; 26], least: u8) -> u32 {
    let (eights, _) = side[1..].as_chunks();
    (0..).zip(eights).fold(0, |set, (index, &eight)| {
        set | enough(u64::from_le_bytes(eight), least) << (8 * index + 1)
    })
}

/// The same in the numbering of the opponent.
fn opposite_points(side: &[u8; 26], least: u8) -> u32 {
    let (eights, _) = side[1..].as_chunks();
    (0..).zip(eights).fold(0, |set, (index, &eight)| {
        set | enough(u64::from_be_bytes(eight), least) << (17 - 8 * index)
    })
}

/// Which of eight counts are at least `least`.
fn enough(counts: u64, least: u8) -> u32 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    // A sum has its top bit set if the count is large enough, as there are fewer than 128 checkers. The
    // product moves the lowest bits of the eight bytes side by side.
    let enough = (counts + EACH * u64::from(128 - least)) >> 7 & EACH;
    (enough.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
}

/// The places of a set, the rearmost first.
pub(super) fn downward(mut set: u32) -> impl Iterator<Item = u8> {
    iter::from_fn(move || {
        let highest = set.checked_ilog2()?;
        set ^= 1 << highest;
        Some(highest as u8)
    })
}

/// The plays found so far for one player.
struct Search<'a> {
    player: Player,
    plays: &'a mut Plays,
}

/// A position on the way and the moves that led there.
type Reached = (Position, Play);

impl Search<'_> {
    /// Adds the play that goes on from `before`, which has `made` moves, with `moves`.
    ///
    /// Both numbers are known where this is called, so that it becomes straight code there.
    #[inline(always)]
    fn add<const N: usize>(&mut self, before: &Reached, made: usize, moves: [Move; N]) {
        // Changed in its place: it is copied once, and from where nothing was written just before.
        self.plays.list.push(*before);
        let Some((position, play)) = self.plays.list.last_mut() else {
            return;
        };
        play.go_on(made, moves);
        make(position, self.player, &moves);
    }

    /// All plays of two dice, if at least one checker stays outside the home board.
    fn far_from_home(&mut self, start: &Reached, ground: Ground, high: u8, low: u8) {
        let side = start.0.side(self.player);
        for from in downward(ground.sources(high)) {
            let first = ground.move_from(from, high);
            let after = ground.after(side, first);
            // A checker that lands where this one started is one checker with both dice, the lower first.
            let others = after.sources(low) & !(1 << (from + low));
            for other in downward(others) {
                self.add(start, 0, [first, after.move_from(other, low)]);
            }
        }
        // With the lower die first there is only one checker with both dice, if it could not go the other way
        // or either way hits; and whatever follows if that die enters the only checker on the bar.
        let known = ground.open << high & !(ground.blots << high | ground.blots << low);
        let again = match side[25] {
            0 => ground.open << (high + low) & !known,
            1 => BAR,
            _ => 0,
        };
        for from in downward(ground.sources(low) & again) {
            let first = ground.move_from(from, low);
            let after = ground.after(side, first);
            let on = 1 << (from - low);
            let others = match from {
                25 if known & BAR != 0 => after.sources(high) & !on,
                25 => after.sources(high),
                _ => on,
            };
            for other in downward(others) {
                self.add(start, 0, [first, after.move_from(other, high)]);
            }
        }
    }

    /// The plays of two dice in this order, except those that lead where a known one leads.
    fn near_home(&mut self, start: &Reached, ground: Ground, die: u8, other_die: u8) {
        for from in downward(ground.sources(die)) {
            let first = ground.move_from(from, die);
            let after = ground.after(start.0.side(self.player), first);
            if after.own == 0 && self.is_new(change(first)) {
                self.add(start, 0, [first]);
            }
            for from in downward(after.sources(other_die)) {
                let second = after.move_from(from, other_die);
                if self.is_new(change(first).wrapping_add(change(second))) {
                    self.add(start, 0, [first, second]);
                }
            }
        }
    }

    /// Whether no play with this change is known; it is noted.
    fn is_new(&mut self, change: u64) -> bool {
        let is_new = !self.plays.changes.contains(&change);
        if is_new {
            self.plays.changes.push(change);
        }
        is_new
    }

    /// Plays up to `left` more dice of a double, the next from one of `sources`.
    ///
    /// From the rearmost place down: any order of the same moves can be put into this one.
    fn double(&mut self, before: &Reached, ground: Ground, sources: u32, die: u8, left: usize) {
        if sources == 0 {
            let dice = if ground.own == 0 { 4 } else { 4 - left };
            if self.counts(dice) {
                self.plays.list.push(*before);
            }
            return;
        }
        for from in downward(sources) {
            let moved = ground.move_from(from, die);
            let after = ground.after(before.0.side(self.player), moved);
            let rest = after.sources(die) & ((2 << from) - 1);
            if left > 2 || rest == 0 {
                let mut next = *before;
                next.1.push(moved);
                make(&mut next.0, self.player, &[moved]);
                self.double(&next, after, rest, die, left - 1);
            } else if self.counts(4) {
                for last in downward(rest) {
                    self.add(before, 2, [moved, after.move_from(last, die)]);
                }
            }
        }
    }

    /// Whether plays of so many dice are to be kept; those of fewer dice are thrown away.
    fn counts(&mut self, dice: usize) -> bool {
        if dice > self.plays.dice {
            self.plays.list.clear();
            self.plays.dice = dice;
        }
        dice > 0 && dice == self.plays.dice
    }
}

/// Makes moves of which it is known whether they hit.
#[inline(always)]
fn make(position: &mut Position, player: Player, moves: &[Move]) {
    let number = |place: Place| usize::from(place.number());
    let side = &mut position.sides[player];
    for moved in moves {
        side[number(moved.from)] -= 1;
        side[number(moved.to)] += 1;
    }
    // Counted rather than asked: hits cannot be foreseen, and a branch guessed wrong costs more.
    let against = &mut position.sides[!player];
    let mut hits = 0;
    for moved in moves {
        against[25 - number(moved.to)] -= u8::from(moved.hits);
        hits += u8::from(moved.hits);
    }
    against[25] += hits;
}

/// What a move does to a position, as a number that can be added: two plays near home, where one checker at
/// most is outside, have the same sum only if they lead to the same position.
fn change(moved: Move) -> u64 {
    // Four bits a point of the home board, then the place of the checker outside, then the points hit.
    let checker = |place: Place| match place.number() {
        0 => 0,
        home @ 1..=6 => 1 << (4 * home),
        outside => u64::from(outside) << 28,
    };
    let hit = u64::from(moved.hits) << (33 + moved.to.number());
    checker(moved.to)
        .wrapping_sub(checker(moved.from))
        .wrapping_add(hit)
}
