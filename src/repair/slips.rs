//! The kinds of slips that are looked for, and how likely a play that is written is a slip for another one.

use crate::board::{Move, Place, Play};

/// A kind of slip of whoever wrote a record.
#[derive(Debug, PartialEq, Eq)]
pub struct Slip {
    /// The word in the JSON output.
    pub kind: &'static str,
    /// What happened, for people.
    pub title: &'static str,
    /// How unlikely it is: 1 for the usual slips, more for rarer ones. Whole numbers, since nothing finer is
    /// known; equal costs say that neither of two slips is preferred.
    pub cost: u32,
    /// Why it costs that much.
    pub reason: &'static str,
}

/// The table of slips: costs come from how many things have to go wrong at once, and from nothing else.
macro_rules! slips {
    ($($name:ident $kind:literal $cost:literal $title:literal $reason:literal)*) => {
        $(pub(super) static $name: Slip = Slip { kind: $kind, title: $title, cost: $cost, reason: $reason };)*
        /// Every kind of slip.
        pub const SLIPS: &[&Slip] = &[$(&$name),*];
    };
}

slips! {
    DIGIT "digit" 1
        "a digit of a move is wrong"
        "one keystroke: a digit for another, one dropped or added (8 for 18), or two exchanged"
    FROM_TO_SWAPPED "from-to-swapped" 1
        "the two ends of a move are exchanged"
        "one moment of inattention, and nothing is misread"
    BAR_MISSING "bar-missing" 1
        "the move from the bar is not written"
        "the checker is written from the point where it entered"
    MOVE_LEFT_OUT "move-left-out" 1
        "a move is not written"
        "one thing forgotten"
    PLAY_LEFT_OUT "play-left-out" 2
        "the roll is written, and its play is not"
        "two moves at least are forgotten at once"
    NUMBER "number" 2
        "a number of a move is wrong, or two digits are"
        "more than one keystroke"
    OTHER_CHECKER "other-checker" 2
        "the die is right, and another checker was moved with it"
        "two numbers are wrong, by one misremembered checker"
    OTHER_PLAY "other-play" 3
        "another play was made"
        "three numbers or more are wrong at once; each beyond the third costs one more"
    DIE "die" 1
        "a die is misread"
        "one digit"
    NEIGHBOUR_DICE "neighbour-dice" 1
        "the dice are those of a neighbouring turn"
        "one slip of the eye"
    ROLL "roll" 3
        "both dice are misread"
        "two digits are wrong at once, and no neighbour has them"
    TURN_DOUBLED "turn-doubled" 1
        "a turn is written twice"
        "the same words stand twice: that hardly happens by itself"
    TURN_LEFT_OUT "turn-left-out" 2
        "a turn is not written"
        "dice and play are forgotten at once"
    DANCE_LEFT_OUT "dance-left-out" 1
        "a turn without a play is not written"
        "where nothing moves there is little to write"
    TAKE_LEFT_OUT "take-left-out" 1
        "a take is not written"
        "the game goes on, so that it goes without saying"
    PASS_LEFT_OUT "pass-left-out" 1
        "a pass is not written"
        "the result says it"
    DOUBLE_LEFT_OUT "double-left-out" 2
        "a double is not written"
        "its answer is"
    ANSWER_TOO_MANY "answer-too-many" 2
        "an answer is written to a double that was not made"
        "a cell that nobody had a reason to write"
    PLAYERS_SWAPPED "players-swapped" 2
        "from here on each player's turns stand in the other's place"
        "one slip, but one that goes on unnoticed"
    RESULT "result" 2
        "the stated result is wrong"
        "a winner or a number is miscounted at a moment when all look at the board"
}

/// What a play that is legal as written costs more than one that is not: most slips make a play illegal, so that
/// one that does not is the rarer one.
pub const LEGAL_AS_WRITTEN: u32 = 1;
/// What a turn left out or doubled costs more if everything behind it moved up or down with it.
pub const SHIFTED: u32 = 1;
/// What a hit mark costs that the other play has not, or that is missing for it.
pub const MARK: u32 = 1;

/// How much a written play differs from another, as a kind of slip and its cost.
pub(super) fn likeness(written: &[Move], meant: &Play) -> (&'static Slip, u32) {
    if written.is_empty() {
        return (&PLAY_LEFT_OUT, PLAY_LEFT_OUT.cost);
    }
    let (cost, kind) = writings(meant)
        .iter()
        .map(|meant| matched(written, meant))
        .min_by_key(|(cost, _)| *cost)
        .unwrap_or((OTHER_PLAY.cost, None));
    match kind {
        // The same moves: what differs is whether and where they hit.
        None if cost == 0 => (&NUMBER, 0),
        Some(slip) if cost == slip.cost => (slip, cost),
        _ if cost <= NUMBER.cost => (&NUMBER, NUMBER.cost),
        _ => (&OTHER_PLAY, cost),
    }
}

/// The ways to write a play: a move for each die, and each checker's way in one.
fn writings(play: &Play) -> Vec<Vec<(u8, u8)>> {
    let steps: Vec<(u8, u8)> = (play.sorted().moves().iter())
        .map(|moved| (moved.from.number(), moved.to.number()))
        .collect();
    let mut joined: Vec<(u8, u8)> = Vec::new();
    for &(from, to) in &steps {
        match joined.iter_mut().find(|way| way.1 == from && from > 0) {
            Some(way) => way.1 = to,
            None => joined.push((from, to)),
        }
    }
    if joined == steps {
        vec![steps]
    } else {
        vec![steps, joined]
    }
}

/// The cheapest way to turn the written moves into the meant ones, and the slip if it is a single one.
fn matched(written: &[Move], meant: &[(u8, u8)]) -> (u32, Option<&'static Slip>) {
    let mut left: Vec<(u8, u8)> = meant.to_vec();
    let mut odd: Vec<(u8, u8)> = Vec::new();
    for moved in written {
        let ends = (moved.from.number(), moved.to.number());
        match left.iter().position(|other| *other == ends) {
            Some(at) => drop(left.swap_remove(at)),
            None => odd.push(ends),
        }
    }
    match (&odd[..], &left[..]) {
        ([], []) => (0, None),
        ([], [(from, _)]) if *from == Place::BAR.number() => (1, Some(&BAR_MISSING)),
        ([], [_]) => (1, Some(&MOVE_LEFT_OUT)),
        ([one], [other]) => moved_for(*one, *other),
        _ => (assigned(&odd, &left), None),
    }
}

/// One move written for another.
fn moved_for(written: (u8, u8), meant: (u8, u8)) -> (u32, Option<&'static Slip>) {
    if (written.1, written.0) == meant {
        return (1, Some(&FROM_TO_SWAPPED));
    }
    let cost = number_for(written.0, meant.0) + number_for(written.1, meant.1);
    let length = |(from, to): (u8, u8)| from.wrapping_sub(to);
    match cost {
        1 => (1, Some(&DIGIT)),
        _ if length(written) == length(meant) => (2, Some(&OTHER_CHECKER)),
        2 => (2, Some(&NUMBER)),
        _ => (cost.min(3), None),
    }
}

/// The cost of several moves written for several others, in the cheapest pairs; what has no other costs 2.
fn assigned(written: &[(u8, u8)], meant: &[(u8, u8)]) -> u32 {
    let Some((first, rest)) = written.split_first() else {
        return 2 * meant.len() as u32;
    };
    let alone = 2 + assigned(rest, meant);
    (0..meant.len())
        .map(|at| {
            let mut others = meant.to_vec();
            let other = others.remove(at);
            moved_for(*first, other).0 + assigned(rest, &others)
        })
        .fold(alone, u32::min)
}

/// A number written for another: 1 for a slip of one digit, else 2. Bar and off are words, not numbers.
fn number_for(written: u8, meant: u8) -> u32 {
    let is_word = |number: u8| number == 0 || number == Place::BAR.number();
    match (written, meant) {
        _ if written == meant => 0,
        _ if is_word(written) || is_word(meant) => 2,
        _ if is_digit_slip(written, meant) => 1,
        _ => 2,
    }
}

/// One digit for another, dropped or added, or two exchanged.
fn is_digit_slip(one: u8, other: u8) -> bool {
    let digits = |number: u8| (number / 10, number % 10);
    let (short, long) = (one.min(other), one.max(other));
    let (a, b) = (digits(short), digits(long));
    match (a.0, b.0) {
        (0, 0) => true,
        (0, tens) => short == tens || short == b.1,
        _ => a.0 == b.0 || a.1 == b.1 || (a.1, a.0) == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(moves: &[(u8, u8)]) -> Play {
        moves
            .iter()
            .map(|&(from, to)| Move::from_numbers(from, to, false).expect("places"))
            .collect()
    }

    fn slip(written: &[(u8, u8)], meant: &[(u8, u8)]) -> (&'static str, u32) {
        let (slip, cost) = likeness(play(written).moves(), &play(meant));
        (slip.kind, cost)
    }

    #[test]
    fn one_keystroke_is_one_slip() {
        let meant = &[(13, 7), (8, 7)];
        assert_eq!(slip(&[(13, 7), (8, 1)], meant), ("digit", 1));
        assert_eq!(slip(&[(3, 7), (8, 7)], meant), ("digit", 1));
        assert_eq!(slip(&[(7, 13), (8, 7)], meant), ("from-to-swapped", 1));
        assert_eq!(slip(&[(8, 7)], meant), ("move-left-out", 1));
        assert_eq!(slip(&[(24, 7), (8, 7)], meant), ("number", 2));
    }

    #[test]
    fn a_checker_entered_may_be_written_from_where_it_landed() {
        assert_eq!(slip(&[(20, 15)], &[(25, 20), (20, 15)]), ("bar-missing", 1));
    }

    #[test]
    fn a_way_in_one_is_the_same_as_its_steps() {
        assert_eq!(slip(&[(24, 14)], &[(24, 18), (18, 13)]), ("digit", 1));
        assert_eq!(slip(&[(24, 13)], &[(24, 18), (18, 13)]).1, 0);
    }

    #[test]
    fn the_same_die_with_another_checker_is_one_misremembered_checker() {
        let meant = &[(13, 8), (6, 5)];
        assert_eq!(slip(&[(24, 19), (6, 5)], meant), ("other-checker", 2));
        assert_eq!(slip(&[(24, 19), (24, 23)], meant), ("other-play", 4));
    }
}
