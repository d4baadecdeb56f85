//! How much is wrong with a game: the weight of each fault.

use crate::replay::{Fault, FaultKind, Judge, Visitor};

/// The weight of one illegal action that stands. Two of them together, or anything heavier, may come of one slip;
/// one alone happened.
pub(super) const STANDS: u32 = 4;
/// The weight that an explanation must take away.
pub(super) const WORTH: u32 = 2 * STANDS;
/// The weight of a position that is lost; each action that is not judged for it weighs one more.
const LOST: u32 = 12;
/// The weight of a hit mark that is not as the play says.
const MARK: u32 = 1;

/// What is wrong with a game, added up.
#[derive(Debug, Clone)]
pub(super) struct Weigh {
    /// Everything so far.
    pub(super) total: u32,
    /// Whether the stated result, or the next score, does not follow.
    pub(super) contradicts_result: bool,
    /// The actions with a fault, those of the game itself without a number; only if they are asked for.
    pub(super) faults: Option<Vec<(Option<usize>, u32)>>,
    /// The weight with which the trial may stop.
    limit: u32,
    /// How many actions the game has.
    actions: usize,
    /// Whether hits are marked.
    marks: bool,
}

impl Weigh {
    /// A judge of a game with so many actions, before which this much was wrong, and that stops beyond `limit`.
    pub(super) fn new(before: u32, limit: u32, actions: usize, marks: bool) -> Weigh {
        Weigh {
            total: before,
            contradicts_result: false,
            faults: None,
            limit,
            actions,
            marks,
        }
    }

    /// With a list of the faults.
    pub(super) fn listing(mut self) -> Weigh {
        self.faults = Some(Vec::new());
        self
    }

    fn weight(&self, fault: &Fault<'_>) -> u32 {
        let rest = || {
            let at = fault.index.unwrap_or(self.actions);
            self.actions.saturating_sub(at) as u32
        };
        match &fault.kind {
            FaultKind::Play { declared: true, .. }
            | FaultKind::PositionMismatch { declared: true, .. } => 0,
            FaultKind::Play { stands: None, .. } => LOST + rest(),
            FaultKind::AfterTheEnd { of_match: false } => LOST + rest(),
            FaultKind::MissingPlay { hidden: true, .. } => 0,
            FaultKind::Play { .. }
            | FaultKind::MissingPlay { .. }
            | FaultKind::PositionMismatch { .. }
            | FaultKind::OpeningDouble
            | FaultKind::DoubleWithoutAccess { .. }
            | FaultKind::DoubleInCrawfordGame
            | FaultKind::DoubleAfterRoll
            | FaultKind::CubeValue { .. } => STANDS,
            FaultKind::OutOfTurn
            | FaultKind::ImpossibleRoll
            | FaultKind::AnswerWithoutDouble
            | FaultKind::DoubleUnanswered { .. } => WORTH,
            kind if is_of_result(kind) => WORTH,
            FaultKind::HitMark { .. } if self.marks => MARK,
            _ => 0,
        }
    }
}

/// Whether a fault says that the result, or the next score, does not follow from the play.
fn is_of_result(kind: &FaultKind) -> bool {
    matches!(
        kind,
        FaultKind::WrongPoints { .. }
            | FaultKind::WrongWinner { .. }
            | FaultKind::ImpossiblePoints { .. }
            | FaultKind::WrongScore { .. }
            | FaultKind::AfterTheEnd { of_match: true }
    )
}

/// Whether a fault is worth looking for its cause: always, if it loses the position or contradicts something,
/// and not if it is an action that simply stands.
pub(super) fn is_suspect(kind: &FaultKind) -> bool {
    match kind {
        FaultKind::Play {
            stands: None,
            declared: false,
            ..
        }
        | FaultKind::AfterTheEnd { of_match: false }
        | FaultKind::OutOfTurn
        | FaultKind::ImpossibleRoll
        | FaultKind::AnswerWithoutDouble
        | FaultKind::DoubleUnanswered { .. } => true,
        FaultKind::WrongScore { .. } | FaultKind::AfterTheEnd { of_match: true } => false,
        kind => is_of_result(kind),
    }
}

/// Whether a fault is an action that stands: two of them in a game are worth a look.
pub(super) fn is_standing(kind: &FaultKind) -> bool {
    matches!(
        kind,
        FaultKind::Play {
            stands: Some(_),
            declared: false,
            ..
        } | FaultKind::MissingPlay { hidden: false, .. }
            | FaultKind::PositionMismatch {
                declared: false,
                ..
            }
            | FaultKind::OpeningDouble
    )
}

impl Visitor for Weigh {
    fn fault(&mut self, fault: Fault<'_>) {
        let weight = self.weight(&fault);
        if weight == 0 {
            return;
        }
        self.total = self.total.saturating_add(weight);
        self.contradicts_result |= is_of_result(&fault.kind);
        if let Some(faults) = &mut self.faults {
            let index = fault.index.filter(|_| fault.game == Some(0));
            faults.push((index, weight));
        }
    }
}

impl Judge for Weigh {
    fn has_enough(&self) -> bool {
        self.total > self.limit
    }
}
