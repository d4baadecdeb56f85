//! Two records of the same match compared: game by game, the first difference, and whether they meet again.
//!
//! Neither the games nor the actions are compared by number: both are aligned, so that a game or a turn that one
//! of the records lacks is one difference. Plays are compared by what they mean, so that two formats, or two ways
//! to write a play, are no difference. Whoever gave up is told by the result; words for it are not compared.

mod align;

use crate::board::{Player, Position, Roll};
use crate::report::{Ply, ShownGame, ShownMatch};
use align::{Pair, align};

/// Two matches compared.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchDiff {
    /// The players of the second record are those of the first in the other order.
    pub is_exchanged: bool,
    /// The length differs.
    pub has_other_length: bool,
    /// The games in the order of both records.
    pub games: Vec<GameDiff>,
}

/// Two games compared, or one that has no partner.
#[derive(Debug, Clone, PartialEq)]
pub enum GameDiff {
    /// Only in the first record; its place, from 0.
    First(usize),
    /// Only in the second record.
    Second(usize),
    /// In both.
    Both {
        /// The place in the first record, from 0.
        first: usize,
        /// The place in the second record.
        second: usize,
        /// Where they differ. `None`: nowhere.
        difference: Option<Difference>,
        /// The winner, the points or the score before it differ.
        has_other_result: bool,
    },
}

/// Where two records of a game differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Difference {
    /// The first action that differs, from 0, in the first and in the second record; the number of actions where
    /// there is none.
    pub at: (usize, usize),
    /// How many actions differ or are in one record only.
    pub actions: u32,
    /// The first actions from which on both records say the same again.
    pub meets: Option<Meeting>,
}

/// Where two records of a game say the same again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meeting {
    /// The action in the first and in the second record, from 0.
    pub at: (usize, usize),
    /// Whether the positions are equal too. `None`: one of them is not known.
    pub same_position: Option<bool>,
}

impl MatchDiff {
    /// Whether the records say the same.
    pub fn is_equal(&self) -> bool {
        let same = |game: &GameDiff| {
            matches!(
                game,
                GameDiff::Both {
                    difference: None,
                    has_other_result: false,
                    ..
                }
            )
        };
        !self.has_other_length && self.games.iter().all(same)
    }
}

/// Compares two records of a match.
pub fn diff(first: &ShownMatch, second: &ShownMatch) -> MatchDiff {
    let name = |shown: &ShownMatch, player: Player| shown.names[player].trim().to_lowercase();
    let [one, two] = Player::BOTH.map(|player| (name(first, player), name(second, player)));
    let is_exchanged = one.0 == two.1 && two.0 == one.1 && one.0 != one.1;
    let cost = |a: &ShownGame, b: &ShownGame| distance(a, b, is_exchanged);
    let games = align(&first.games, &second.games, &cost)
        .into_iter()
        .map(|pair| match pair {
            Pair::First(at) => GameDiff::First(at),
            Pair::Second(at) => GameDiff::Second(at),
            Pair::Both(a, b) => game(a, b, &first.games[a], &second.games[b], is_exchanged),
        })
        .collect();
    MatchDiff {
        is_exchanged,
        has_other_length: first.length != second.length,
        games,
    }
}

/// Whether an action is compared.
fn counts(ply: &Ply) -> bool {
    !matches!(ply.action, "resign" | "accept" | "reject")
}

fn actions(game: &ShownGame) -> Vec<(usize, &Ply)> {
    let plies = game.plies.iter().enumerate();
    plies.filter(|(_, ply)| counts(ply)).collect()
}

/// How much two games differ: 0 if not at all, up to 100.
fn distance(first: &ShownGame, second: &ShownGame, is_exchanged: bool) -> u32 {
    let (a, b) = (actions(first), actions(second));
    let same = (a.iter().zip(&b)).filter(|(a, b)| is_same(a.1, b.1, is_exchanged));
    let longest = a.len().max(b.len());
    if longest == 0 {
        return 0;
    }
    // Most pairs are equal from the start, or differ everywhere.
    let same = same.count();
    if same == longest {
        return 0;
    }
    let cost =
        |a: &(usize, &Ply), b: &(usize, &Ply)| 100 * u32::from(!is_same(a.1, b.1, is_exchanged));
    let differ = align(&a, &b, &cost);
    let alike = differ.iter().filter(|pair| match pair {
        Pair::Both(x, y) => is_same(a[*x].1, b[*y].1, is_exchanged),
        _ => false,
    });
    let alike = alike.count();
    (100 * (longest - alike) / longest) as u32
}

fn game(first: usize, second: usize, a: &ShownGame, b: &ShownGame, is_exchanged: bool) -> GameDiff {
    let turned = |player: Option<Player>| player.map(|p| if is_exchanged { !p } else { p });
    let (one, two) = (&a.summary, &b.summary);
    let before = if is_exchanged {
        two.before.swapped()
    } else {
        two.before
    };
    let has_other_result =
        (one.winner, one.points, one.before) != (turned(two.winner), two.points, before);
    let (a, b) = (actions(a), actions(b));
    let cost =
        |a: &(usize, &Ply), b: &(usize, &Ply)| 100 * u32::from(!is_same(a.1, b.1, is_exchanged));
    let pairs = align(&a, &b, &cost);
    let is_equal = |pair: &Pair| match pair {
        Pair::Both(x, y) => is_same(a[*x].1, b[*y].1, is_exchanged),
        _ => false,
    };
    let place = |at: usize, list: &[(usize, &Ply)]| {
        let end = list.last().map_or(0, |last| last.0 + 1);
        list.get(at).map_or(end, |action| action.0)
    };
    let start = pairs.iter().position(|pair| !is_equal(pair));
    let difference = start.map(|start| {
        let before =
            |select: fn(&Pair) -> Option<usize>| pairs[..start].iter().filter_map(select).count();
        let at = (before(Pair::in_first), before(Pair::in_second));
        let last = pairs
            .iter()
            .rposition(|pair| !is_equal(pair))
            .unwrap_or(start);
        let rest = pairs[last + 1..].iter().filter_map(|pair| match pair {
            Pair::Both(x, y) => Some((*x, *y)),
            _ => None,
        });
        let meetings = rest.map(|(x, y)| {
            let positions = a[x].1.before.as_ref().zip(b[y].1.before.as_ref());
            Meeting {
                at: (place(x, &a), place(y, &b)),
                same_position: positions.map(|(one, other)| {
                    same_position(&one.position, &other.position, is_exchanged)
                }),
            }
        });
        // The same words may be said again before the checkers stand alike.
        let meetings: Vec<Meeting> = meetings.collect();
        let alike = meetings
            .iter()
            .find(|meeting| meeting.same_position == Some(true));
        let meets = alike.or(meetings.first()).copied();
        Difference {
            at: (place(at.0, &a), place(at.1, &b)),
            actions: pairs.iter().filter(|pair| !is_equal(pair)).count() as u32,
            meets,
        }
    });
    GameDiff::Both {
        first,
        second,
        difference,
        has_other_result,
    }
}

/// Whether two actions say the same.
fn is_same(one: &Ply, other: &Ply, is_exchanged: bool) -> bool {
    let player = if is_exchanged {
        !other.player
    } else {
        other.player
    };
    let dice = |roll: Option<Roll>| roll.map(|roll| (roll.high(), roll.low()));
    if one.player != player || dice(one.roll) != dice(other.roll) {
        return false;
    }
    if !is_turn(one) || !is_turn(other) {
        return (one.action, one.cube_value) == (other.action, other.cube_value);
    }
    if moves(one) == moves(other) {
        return true;
    }
    // Other words that lead from the same position to the same one.
    let stand = |ply: &Ply| Some((ply.before.as_ref()?.position, ply.after?));
    let (Some(one), Some(other)) = (stand(one), stand(other)) else {
        return false;
    };
    same_position(&one.0, &other.0, is_exchanged) && same_position(&one.1, &other.1, is_exchanged)
}

fn is_turn(ply: &Ply) -> bool {
    matches!(ply.action, "play" | "no-play" | "unrecorded")
}

/// The moves of a turn. `None`: nothing was moved.
fn moves(ply: &Ply) -> Option<&str> {
    let stays = matches!((&ply.before, &ply.after), (Some(before), Some(after)) if before.position == *after);
    let is_play = ply.action == "play" && !stays;
    ply.play.as_deref().filter(|_| is_play)
}

fn same_position(one: &Position, other: &Position, is_exchanged: bool) -> bool {
    Player::BOTH.into_iter().all(|player| {
        let there = if is_exchanged { !player } else { player };
        one.side(player) == other.side(there)
    })
}
