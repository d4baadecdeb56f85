//! The facts behind findings.

use super::State;
use crate::board::{
    ByPlayer, Cube, Move, Play, PlayFault, Player, Position, Roll, SetupFault, Variant, Win,
};
use crate::ruleset::Lengths;
use crate::source::Span;

/// A fact that breaks a rule, or is worth knowing, with its place in the record.
#[derive(Debug)]
pub struct Fault<'a> {
    /// The game in the match, from 0. `None`: the whole match.
    pub game: Option<usize>,
    /// The action in the game, from 0. `None`: the game itself.
    pub index: Option<usize>,
    /// The state before it, where there is one that is known.
    pub before: Option<&'a State>,
    /// The computed score before the game.
    pub score: ByPlayer<u32>,
    /// Whether the game is the Crawford game.
    pub crawford: bool,
    /// What it is.
    pub kind: FaultKind,
}

/// What is wrong, with the numbers that an explanation needs.
#[derive(Debug, Clone, PartialEq)]
pub enum FaultKind {
    /// A play breaks a rule.
    Play {
        /// Which one.
        fault: PlayFault,
        /// The roll.
        roll: Roll,
        /// The moves as written, or as told from the stated position.
        written: Play,
        /// Whether it is mechanically possible, so that the game goes on from it.
        stands: Option<Position>,
        /// Whether the transcript itself says so.
        declared: bool,
    },
    /// A roll without a play although one exists and the game goes on.
    MissingPlay {
        /// The roll.
        roll: Roll,
        /// Whether marks say that the play was not recorded.
        hidden: bool,
    },
    /// The writing fits several positions.
    AmbiguousPlay {
        /// The roll.
        roll: Roll,
        /// The position that was taken.
        taken: Position,
        /// The others.
        others: Vec<Position>,
        /// Whether the rest of the game is possible only from the one that was taken.
        by_the_rest: bool,
    },
    /// A star is missing, or stands where nothing is hit.
    HitMark {
        /// Points that are hit, as bits.
        hit: u32,
        /// Points that are marked, as bits.
        marked: u32,
    },
    /// The last play of a game leaves dice unused: its player gave up in the middle of it.
    GivenUp {
        /// What would be wrong with it otherwise.
        fault: PlayFault,
        /// The roll.
        roll: Roll,
    },
    /// The only legal play was left out and filled in.
    ForcedPlayOmitted {
        /// The roll.
        roll: Roll,
        /// The play.
        play: Play,
        /// It was the only legal one; otherwise it is one of the winner's last bear-offs, none of which is
        /// written.
        forced: bool,
    },
    /// Nothing is judged from here to the end of the game.
    NotJudged {
        /// What made the position unknown.
        since: Option<usize>,
    },
    /// The first roll of a game is a double.
    OpeningDouble,
    /// A player acts twice, or a turn is missing.
    OutOfTurn,
    /// A die outside 1 to 6.
    ImpossibleRoll,
    /// Actions after the game was over.
    AfterTheEnd {
        /// Whether the match was over before this game.
        of_match: bool,
    },
    /// A double in the Crawford game.
    DoubleInCrawfordGame,
    /// A double by a player who does not own the cube.
    DoubleWithoutAccess {
        /// Before the opening roll.
        before_opening: bool,
    },
    /// A double after rolling.
    DoubleAfterRoll,
    /// A double where no cube is in use.
    NoCubeInUse {
        /// Because the match is to one point.
        one_point: bool,
    },
    /// A double too soon after the Crawford game.
    DoubleTooEarly,
    /// A double beyond the highest value agreed.
    CubeLimit {
        /// That value.
        limit: u32,
        /// The value after the double.
        to: u32,
    },
    /// A stated value is not twice the current one.
    CubeValue {
        /// As written.
        written: u32,
        /// Twice the current value.
        right: u32,
        /// Points that are stated and fit only the written value.
        fits_written: Option<u32>,
    },
    /// An answer with nothing to answer.
    AnswerWithoutDouble,
    /// A double without an answer.
    DoubleUnanswered {
        /// The game went on: a take. Otherwise a pass.
        taken: bool,
    },
    /// A beaver where none is agreed.
    BeaverNotAgreed {
        /// It is certain that none is: a match, a tag or an option.
        certain: bool,
        /// In a match.
        in_match: bool,
    },
    /// A raccoon, or a further turn, where none is agreed.
    RaccoonNotAgreed {
        /// It is certain that none is: a match, a tag or an option.
        certain: bool,
        /// In a match.
        in_match: bool,
    },
    /// A first double to 4 or more tells of automatic doubles.
    AutomaticDoubleNotAgreed {
        /// It is certain that there are none.
        certain: bool,
        /// How many there were.
        doubles: u32,
    },
    /// The doubler would win the match with the cube as it is.
    DeadCube,
    /// The stated points differ from the computed.
    WrongPoints {
        /// As stated.
        stated: u32,
        /// As computed.
        computed: u32,
        /// How they are computed.
        reason: PointsReason,
    },
    /// The stated winner did not win.
    WrongWinner {
        /// Who won.
        winner: Player,
    },
    /// A stated score differs from the running score.
    WrongScore {
        /// As stated.
        stated: ByPlayer<u32>,
        /// As computed.
        computed: ByPlayer<u32>,
    },
    /// Points of a resignation that no kind of win is worth.
    ImpossiblePoints {
        /// As stated.
        stated: u32,
        /// The value of the cube.
        cube: u32,
        /// Why.
        why: Impossible,
    },
    /// The writer counted only what was needed.
    PointsCapped {
        /// As stated.
        stated: u32,
        /// As computed.
        computed: u32,
    },
    /// A game that is over has no stated result.
    ResultMissing {
        /// The winner and the points that follow from the play or the next heading.
        known: Option<(Player, u32)>,
    },
    /// The last game has no end.
    GameUnfinished,
    /// The record ends before the length is reached.
    MatchUnfinished,
    /// A stated Crawford flag contradicts the score.
    CrawfordMislabelled {
        /// What the heading says.
        stated: bool,
    },
    /// Nothing says whether the first game is the Crawford game.
    CrawfordUnknown {
        /// It was taken as such.
        taken: bool,
    },
    /// A habit of the producing program explains a difference.
    SiteHabit(Habit),
    /// Nothing says whether Jacoby holds, and it changes the points.
    JacobyUndecided {
        /// The points that are stated, if they tell.
        stated: Option<u32>,
        /// Points with the Jacoby rule.
        with: u32,
        /// Points without it.
        without: u32,
    },
    /// Numbers of games skip or repeat.
    GameNumber {
        /// The number before.
        before: u32,
        /// The number here.
        here: u32,
    },
    /// A game without names and scores.
    NoScoreLine,
    /// The match has a length that was not agreed.
    LengthNotAgreed {
        /// The length.
        length: u32,
        /// The lengths that were.
        agreed: Lengths,
    },
    /// A move took longer than any may.
    MoveTooLong {
        /// What it took, in seconds.
        used: f64,
        /// The most for one move.
        most: f64,
    },
    /// A player has used up the bank.
    BankEmpty {
        /// How far beyond, in seconds.
        over: f64,
    },
    /// A clock shows more than it can.
    ClockRanBackwards {
        /// The most that it can show, in seconds.
        before: f64,
        /// What it shows.
        here: f64,
    },
    /// A variation that is not known.
    UnknownVariation {
        /// As written.
        name: String,
        /// Where.
        span: Span,
    },
    /// A stated position is not the replayed one.
    PositionMismatch {
        /// The stated position.
        stated: Position,
        /// Where it is stated.
        span: Span,
        /// The record itself says that the play was illegal.
        declared: bool,
    },
    /// A stated position cannot exist.
    ImpossiblePosition {
        /// All reasons.
        faults: Vec<SetupFault>,
        /// Where it is stated.
        span: Span,
    },
}

/// Why a number of points is impossible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Impossible {
    /// It is no multiple of the cube, or more than a backgammon is worth.
    NoMultiple,
    /// The Jacoby rule holds and nobody has doubled.
    Jacoby,
}

/// How points are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PointsReason {
    /// The kind of the win times the cube.
    Win {
        /// The kind on the board.
        win: Win,
        /// The cube.
        cube: Cube,
        /// What it is multiplied with.
        factor: u32,
        /// The Jacoby rule makes it single.
        jacoby: bool,
    },
    /// A pass: the cube before the double.
    Pass {
        /// That value.
        value: u32,
    },
}

/// A known habit of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Habit {
    /// Backgammon Studio writes a large number where the opponent left the match.
    Sentinel {
        /// As stated.
        stated: u32,
        /// What the winner needed.
        needed: u32,
    },
    /// choue.net writes more points than a resignation can be worth.
    TooMany {
        /// As stated.
        stated: u32,
        /// The most that is possible.
        most: u32,
    },
    /// The game is told by its first position only: no tag says it.
    VariantByPosition(Variant),
    /// An unlimited game with the Jacoby rule, written as a match of one game.
    MoneyAsMatch {
        /// As stated.
        stated: u32,
        /// Without the Jacoby rule.
        without: u32,
    },
}

impl FaultKind {
    /// Whether it is an error in a play or a turn: what decides between two readings of an earlier play.
    pub(super) fn is_play_error(&self) -> bool {
        matches!(
            self,
            FaultKind::Play {
                declared: false,
                ..
            } | FaultKind::MissingPlay { .. }
                | FaultKind::PositionMismatch {
                    declared: false,
                    ..
                }
        )
    }
}

/// The moves of one player that lead from one position to another, as far as they can be told: from the
/// rearmost place that lost a checker to the rearmost that gained one, and so on.
pub(super) fn moves_between(
    variant: Variant,
    before: &Position,
    after: &Position,
    player: Player,
) -> Play {
    let (old, new) = (before.side(player), after.side(player));
    let changed = |more: &[u8; 26], less: &[u8; 26]| -> Vec<u8> {
        (0..26u8)
            .rev()
            .flat_map(|place| {
                let (more, less) = (more[usize::from(place)], less[usize::from(place)]);
                std::iter::repeat_n(place, usize::from(more.saturating_sub(less)))
            })
            .collect()
    };
    let (from, to) = (changed(old, new), changed(new, old));
    let hit = |place: u8| {
        variant != Variant::LongNardi
            && place > 0
            && before.side(!player)[usize::from(25 - place)] == 1
    };
    let mut play = Play::EMPTY;
    for (from, to) in from.into_iter().zip(to) {
        if let Some(moved) = Move::from_numbers(from, to, hit(to)) {
            play.push(moved);
        }
    }
    play
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Setup;

    /// The mover's checkers, then the opponent's, each in the own numbering.
    fn position(variant: Variant, own: &[(usize, u8)], against: &[(usize, u8)]) -> Position {
        let side = |places: &[(usize, u8)]| {
            let mut side = [0; 26];
            for &(place, count) in places {
                side[place] = count;
            }
            side
        };
        Position::new(&Setup {
            checkers: ByPlayer::new(side(own), side(against)),
            variant,
            turn: None,
            roll: None,
            cube: None,
        })
        .expect("a position")
    }

    #[test]
    fn a_move_hits_where_a_lone_opposing_checker_stood() {
        use Variant::{Backgammon, LongNardi};
        type Checkers = &'static [(usize, u8)];
        // Before and after; the opponent's 20 is the own 5.
        let cases: [(Variant, Checkers, Checkers, Checkers, Checkers, &str); 7] = [
            (
                Backgammon,
                &[(8, 2)],
                &[(20, 1)],
                &[(8, 1), (5, 1)],
                &[(25, 1)],
                "8/5*",
            ),
            (
                Backgammon,
                &[(8, 2)],
                &[(21, 1)],
                &[(8, 1), (5, 1)],
                &[(21, 1)],
                "8/5",
            ),
            (
                Backgammon,
                &[(8, 2)],
                &[(20, 2)],
                &[(8, 1), (5, 1)],
                &[(25, 2)],
                "8/5",
            ),
            (
                Backgammon,
                &[(8, 1), (20, 1)],
                &[(4, 1)],
                &[(5, 1), (20, 1)],
                &[(4, 1)],
                "8/5",
            ),
            // Nobody is hit off the board.
            (
                Backgammon,
                &[(3, 2)],
                &[(25, 1)],
                &[(3, 1)],
                &[(21, 1)],
                "3/off",
            ),
            (
                LongNardi,
                &[(9, 2)],
                &[(20, 1)],
                &[(9, 1), (5, 1)],
                &[(18, 1)],
                "9/5",
            ),
            (
                Backgammon,
                &[(24, 1), (8, 1)],
                &[(9, 2)],
                &[(23, 1), (6, 1)],
                &[(9, 2)],
                "24/23 8/6",
            ),
        ];
        for (variant, own, against, own_after, against_after, expected) in cases {
            let before = position(variant, own, against);
            let after = position(variant, own_after, against_after);
            let play = moves_between(variant, &before, &after, Player::One);
            assert_eq!(play.to_string(), expected, "{own:?} | {against:?}");
        }
    }
}
