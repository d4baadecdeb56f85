//! A game of a chouette: one cube, who is still in, and who pays whom.

use super::log::{Side, TurnKind};
use super::seats::{PlayerId, Seats};
use crate::board::Win;
use crate::source::Span;

/// The cube goes no further: so its points can be added up without end.
pub(super) const HIGHEST_CUBE: u64 = 1 << 30;

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndedBy {
    /// It was played to its end, or given up: the log does not tell these apart.
    Play,
    /// All who were asked have passed.
    Pass,
    /// Nothing says how.
    Unfinished,
}

impl EndedBy {
    /// `play`, `pass` or `unfinished`.
    pub fn name(self) -> &'static str {
        match self {
            EndedBy::Play => "play",
            EndedBy::Pass => "pass",
            EndedBy::Unfinished => "unfinished",
        }
    }
}

/// A game as judged.
#[derive(Debug, Clone)]
pub struct Game {
    /// Where it starts.
    pub span: Span,
    /// Box, captain and queue as they sat down.
    pub seats: Vec<PlayerId>,
    /// The captain at the end: another one if the first has passed.
    pub captain: Option<PlayerId>,
    /// Who passed a double of the box, and what that cost.
    pub passed: Vec<(PlayerId, u64)>,
    /// The value of the cube; after a pass of all as it was before the double.
    pub cube: u64,
    /// Who owns the cube. `None`: it is in the middle.
    pub owner: Option<Side>,
    /// Who has won. `None`: nothing says.
    pub winner: Option<Side>,
    /// The kind of win. `None` after a pass, or if nothing says.
    pub win: Option<Win>,
    /// How it ended.
    pub ended_by: EndedBy,
    /// What each member who was still in wins or loses.
    pub points: Option<u64>,
    /// What each player of the session wins or loses, by [`PlayerId`].
    pub settlement: Vec<i64>,
    /// The settlement as stated.
    pub stated: Option<Vec<i64>>,
    /// What each player has won or lost in the session after it.
    pub total: Vec<i64>,
}

/// A turn of the cube that may wait for answers, or for a beaver.
#[derive(Debug, Clone)]
pub(super) struct OpenTurn {
    /// What was turned.
    pub(super) kind: TurnKind,
    /// By whom.
    pub(super) by: Side,
    /// Where it is written.
    pub(super) span: Span,
    /// Who has not answered.
    pub(super) waiting: Vec<PlayerId>,
    /// Whether anybody has.
    pub(super) is_answered: bool,
    /// Cube and owner before it.
    pub(super) before: (u64, Option<Side>),
}

/// How a game came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Over {
    /// Who has won.
    pub(super) winner: Side,
    /// What each member who was still in wins or loses.
    pub(super) points: u64,
    /// The kind of win, if it was not a pass.
    pub(super) win: Option<Win>,
    /// Play or pass.
    pub(super) by: EndedBy,
}

/// A game that is being followed.
#[derive(Debug, Clone)]
pub(super) struct Running {
    /// Where it starts.
    pub(super) span: Span,
    /// The seats as they sat down.
    pub(super) at_start: Vec<PlayerId>,
    /// The seats, with another captain if the first has passed.
    pub(super) seats: Seats,
    /// Who has passed, and what that cost.
    pub(super) passed: Vec<(PlayerId, u64)>,
    /// The cube.
    pub(super) cube: u64,
    /// Its owner.
    pub(super) owner: Option<Side>,
    /// Whether a player has turned it: an automatic double is no turn.
    pub(super) is_turned: bool,
    /// How many automatic doubles there were.
    pub(super) automatic_doubles: u32,
    /// The last turn, as long as nothing else has happened.
    pub(super) open: Option<OpenTurn>,
    /// How it ended.
    pub(super) over: Option<Over>,
    /// What was paid by the log's own word, where nothing says who won.
    pub(super) paid: Option<Vec<(PlayerId, i64)>>,
    /// The settlement as stated.
    pub(super) stated: Option<Vec<(PlayerId, i64)>>,
    /// Where the result is stated.
    pub(super) result: Option<Span>,
    /// Whether something after the end was reported.
    pub(super) is_reported: bool,
}

/// What somebody is in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The box.
    Box,
    /// The captain.
    Captain,
    /// Another member who is still in.
    Member,
    /// A member who has passed.
    Out,
    /// Nobody.
    Stranger,
}

impl Running {
    pub(super) fn new(span: Span, seats: Seats) -> Running {
        Running {
            span,
            at_start: seats.order().to_vec(),
            seats,
            passed: Vec::new(),
            cube: 1,
            owner: None,
            is_turned: false,
            automatic_doubles: 0,
            open: None,
            over: None,
            paid: None,
            stated: None,
            result: None,
            is_reported: false,
        }
    }

    /// Whether nothing more can be won: it was won, or it was settled without a result.
    pub(super) fn is_over(&self) -> bool {
        self.over.is_some() || self.paid.is_some()
    }

    pub(super) fn role(&self, player: PlayerId) -> Role {
        if self.passed.iter().any(|&(other, _)| other == player) {
            return Role::Out;
        }
        match self.seats.order().iter().position(|&other| other == player) {
            Some(0) => Role::Box,
            Some(1) => Role::Captain,
            Some(_) => Role::Member,
            None => Role::Stranger,
        }
    }

    /// The members of the team who are still in, the captain first.
    pub(super) fn members(&self) -> Vec<PlayerId> {
        let team = self.seats.order().iter().skip(1).copied();
        team.filter(|&player| self.role(player) != Role::Out)
            .collect()
    }

    /// Who answers a turn of the cube by a side.
    pub(super) fn asked(&self, by: Side) -> Vec<PlayerId> {
        match by {
            Side::Box => self.members(),
            Side::Team => self.seats.box_player().into_iter().collect(),
        }
    }

    /// Turns the cube: a double gives it to the other side, who beavers keeps it, and a raccoon leaves it there.
    pub(super) fn turn(&mut self, kind: TurnKind, by: Side) {
        self.double_cube();
        self.is_turned = true;
        self.owner = Some(if kind == TurnKind::Beaver { by } else { !by });
    }

    /// Doubles the value of the cube.
    pub(super) fn double_cube(&mut self) {
        self.cube = (self.cube * 2).min(HIGHEST_CUBE);
    }

    /// Some of those who were asked pass: members are out, and the game is over if nobody is left.
    pub(super) fn pass(&mut self, by: Side, before: (u64, Option<Side>), who: &[PlayerId]) {
        if who.is_empty() {
            return;
        }
        if by == Side::Box {
            self.passed
                .extend(who.iter().map(|&player| (player, before.0)));
        }
        let left = self.members();
        if by == Side::Box && !left.is_empty() {
            let captain = self
                .seats
                .captain()
                .filter(|captain| !left.contains(captain));
            if captain.is_some() {
                self.seats.replace_captain(left[0]);
            }
            return;
        }
        (self.cube, self.owner) = before;
        self.open = None;
        self.over = Some(Over {
            winner: by,
            points: before.0,
            win: None,
            by: EndedBy::Pass,
        });
    }

    /// Who pays and who gets what: those who passed have paid the box, and the others settle with it.
    pub(super) fn payments(&self) -> Vec<(PlayerId, i64)> {
        if let Some(paid) = &self.paid {
            return paid.clone();
        }
        let mut payments: Vec<(PlayerId, i64)> = self
            .passed
            .iter()
            .map(|&(player, cost)| (player, -signed(cost)))
            .collect();
        if let Some(over) = self.over {
            let points = match over.winner {
                Side::Box => -signed(over.points),
                Side::Team => signed(over.points),
            };
            payments.extend(self.members().into_iter().map(|player| (player, points)));
        }
        let sum: i64 = payments.iter().map(|&(_, points)| points).sum();
        payments.extend(self.seats.box_player().map(|player| (player, -sum)));
        payments
    }
}

/// Points as a number with a sign: the highest cube leaves room for that.
fn signed(points: u64) -> i64 {
    i64::try_from(points).unwrap_or(i64::MAX)
}
