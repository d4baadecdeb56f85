//! What a game is worth and how long a match lasts.

use super::ByPlayer;

/// How long the contest lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Length {
    /// A session of games, each settled by itself.
    Money,
    /// A match to so many points, at least one.
    Points(u32),
}

impl Length {
    /// The points to reach; `None` in money play.
    pub fn points(self) -> Option<u32> {
        match self {
            Length::Money => None,
            Length::Points(points) => Some(points),
        }
    }
}

/// The kind of a win.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Win {
    /// The loser has borne off at least one checker.
    Single,
    /// The loser has borne off none (mars).
    Gammon,
    /// None borne off, and one on the bar or in the winner's home board (triple).
    Backgammon,
}

impl Win {
    /// All kinds, the cheapest first.
    pub const ALL: [Win; 3] = [Win::Single, Win::Gammon, Win::Backgammon];

    /// 1, 2 or 3: what the cube is multiplied with where a backgammon counts 3.
    pub fn factor(self) -> u32 {
        self as u32 + 1
    }

    /// `single`, `gammon` or `backgammon`.
    pub fn name(self) -> &'static str {
        match self {
            Win::Single => "single",
            Win::Gammon => "gammon",
            Win::Backgammon => "backgammon",
        }
    }
}

/// Whether a score, before a game, has a player who is one point short of the match.
pub fn is_match_point(score: ByPlayer<u32>, length: u32) -> bool {
    let is_short = |points: u32| points.checked_add(1) == Some(length);
    length > 1 && (is_short(score.one) || is_short(score.two))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_of_one_point_has_no_match_point() {
        for (score, length, expected) in [
            ((0, 0), 1, false),
            ((1, 0), 2, true),
            ((3, 4), 5, true),
            ((3, 3), 5, false),
            ((0, u32::MAX), u32::MAX, false),
        ] {
            let score = ByPlayer::new(score.0, score.1);
            assert_eq!(
                is_match_point(score, length),
                expected,
                "{score:?}, {length}"
            );
        }
    }
}
