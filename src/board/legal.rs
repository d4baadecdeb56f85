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

const BAR: u32 = 1 << 25;
const POINTS: u32 = BAR - 2;

/// The legal plays of a roll, each with the position that it leads to; no two lead to the same.
#[derive(Debug, Clone, Default)]
pub struct Plays {
    list: Vec<(Position, Play)>,
    dice: usize,
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
}

/// Fills `plays` with every legal play of `roll` by `player`.
pub fn legal_plays(position: &Position, player: Player, roll: Roll, plays: &mut Plays) {
    plays.list.clear();
    plays.dice = 0;
    let ground = Ground::new(position, player);
    let mut search = Search {
        player,
        start: (*position, Play::EMPTY),
        plays,
    };
    if roll.is_double() {
        let start = search.start;
        search.double(&start, ground, roll.high(), BAR, 4);
        return;
    }
    if ground.is_near_home(position.side(player)) {
        search.near_home(ground, roll.high(), roll.low());
        search.near_home(ground, roll.low(), roll.high());
    } else {
        search.far_from_home(ground, roll.high(), roll.low());
    }
    for die in [roll.high(), roll.low()] {
        if search.plays.is_empty() {
            search.one(ground, die);
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
        let own = holding(position.side(player), 1);
        let [held, closed] =
            [1, 2].map(|least| seen_from_opposite(holding(position.side(!player), least)));
        Ground {
            own: own & (POINTS | BAR),
            open: POINTS & !closed,
            blots: POINTS & held & !closed,
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

    /// The ground after a checker of `position` moved.
    fn moved(mut self, side: &[u8; 26], from: u8, to: u8) -> Ground {
        if side[usize::from(from)] == 0 {
            self.own &= !(1 << from);
        }
        self.own |= 1 << to & !1;
        self
    }
}

/// The places that hold at least so many checkers.
fn holding(side: &[u8; 26], least: u8) -> u32 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    // The sum has its top bit set if the byte is large enough, as there are fewer than 128 checkers. The
    // product moves the lowest bits of the eight bytes side by side.
    let eight = |bytes: [u8; 8]| {
        let enough = (u64::from_le_bytes(bytes) + EACH * u64::from(128 - least)) >> 7 & EACH;
        (enough.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
    };
    let (eights, rest) = side.as_chunks();
    let points = (0..)
        .zip(eights)
        .fold(0, |set, (index, &bytes)| set | eight(bytes) << (8 * index));
    (24..).zip(rest).fold(points, |set, (place, &checkers)| {
        set | u32::from(checkers >= least) << place
    })
}

/// The points of one player in the numbering of the other.
fn seen_from_opposite(set: u32) -> u32 {
    set.reverse_bits() >> 6
}

/// The places of a set, the rearmost first.
fn downward(mut set: u32) -> impl Iterator<Item = u8> {
    iter::from_fn(move || {
        let highest = set.checked_ilog2()?;
        set ^= 1 << highest;
        Some(highest as u8)
    })
}

struct Search<'a> {
    player: Player,
    /// The position before the roll.
    start: (Position, Play),
    plays: &'a mut Plays,
}

impl Search<'_> {
    /// Makes moves after `before` and adds what comes of it to the list.
    #[inline]
    fn add<const N: usize>(&mut self, before: &(Position, Play), moves: [(u8, u8); N]) {
        // Changed in its place: it is copied once.
        self.plays.list.push(*before);
        let after = self.plays.list.last_mut().expect("the play just added");
        for (from, to) in moves {
            make(after, self.player, from, to);
        }
    }

    /// All plays of two dice, if at least one checker stays outside the home board.
    fn far_from_home(&mut self, ground: Ground, high: u8, low: u8) {
        let start = self.start;
        let side = start.0.side(self.player);
        let on_bar = side[25];
        let (mut with_high, mut with_low) = (
            ground.own & ground.open << high,
            ground.own & ground.open << low,
        );
        if on_bar > 1 {
            with_high &= BAR;
            with_low &= BAR;
        }
        for from in downward(with_high) {
            let mut others = with_low & !(1 << (from - high) | 1 << (from + low));
            if side[usize::from(from)] == 1 {
                others &= !(1 << from);
            }
            if on_bar > 0 && from != 25 {
                others &= BAR;
            }
            for other in downward(others) {
                self.add(&start, [(from, from - high), (other, other - low)]);
            }
        }
        let both = match on_bar {
            0 => ground.own,
            1 => BAR,
            _ => 0,
        } & ground.open << (high + low);
        let high_first = both & ground.open << high;
        let low_first = both & ground.open << low;
        let hits = ground.blots << high | ground.blots << low;
        for from in downward(high_first) {
            self.add(
                &start,
                [(from, from - high), (from - high, from - high - low)],
            );
        }
        for from in downward(low_first & (hits | !high_first)) {
            self.add(
                &start,
                [(from, from - low), (from - low, from - high - low)],
            );
        }
        if !self.plays.is_empty() {
            self.plays.dice = 2;
        }
    }

    /// The plays of two dice in this order, except those that lead where a known one leads.
    fn near_home(&mut self, ground: Ground, first: u8, second: u8) {
        for from in downward(ground.sources(first)) {
            let mut between = self.start;
            let to = from.saturating_sub(first);
            make(&mut between, self.player, from, to);
            let ground = ground.moved(between.0.side(self.player), from, to);
            if ground.own == 0 {
                self.add_new(&between, []);
            }
            for from in downward(ground.sources(second)) {
                self.add_new(&between, [(from, from.saturating_sub(second))]);
            }
        }
    }

    fn add_new<const N: usize>(&mut self, before: &(Position, Play), moves: [(u8, u8); N]) {
        self.plays.dice = 2;
        self.add(before, moves);
        let [known @ .., (reached, _)] = &self.plays.list[..] else {
            return;
        };
        if known.iter().any(|(position, _)| position == reached) {
            self.plays.list.pop();
        }
    }

    /// The plays of one die.
    fn one(&mut self, ground: Ground, die: u8) {
        let start = self.start;
        for from in downward(ground.sources(die)) {
            self.add(&start, [(from, from.saturating_sub(die))]);
            self.plays.dice = 1;
        }
    }

    /// From the rearmost place down: any order of the same moves can be put into this one.
    fn double(&mut self, here: &(Position, Play), ground: Ground, die: u8, top: u32, left: usize) {
        let sources = ground.sources(die) & (top | (top - 1));
        if sources == 0 {
            let dice = if ground.own == 0 { 4 } else { 4 - left };
            if self.counts(dice) {
                self.add(here, []);
            }
        } else if left == 1 {
            if self.counts(4) {
                for from in downward(sources) {
                    self.add(here, [(from, from.saturating_sub(die))]);
                }
            }
        } else {
            for from in downward(sources) {
                let to = from.saturating_sub(die);
                let mut next = *here;
                make(&mut next, self.player, from, to);
                let ground = ground.moved(next.0.side(self.player), from, to);
                self.double(&next, ground, die, 1 << from, left - 1);
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

#[inline]
fn make((position, play): &mut (Position, Play), player: Player, from: u8, to: u8) {
    let hits = position.put(player, from, to);
    let place = |number| Place::new(number).expect("a place");
    play.push(Move::new(place(from), place(to), hits));
}
