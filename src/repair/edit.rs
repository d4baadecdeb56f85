//! Changes of the record of a game.

use crate::record::{Action, Entry, GameRecord, GameResult};

/// A change of the record of a game; actions are counted from 0.
#[derive(Debug, Clone, PartialEq)]
pub enum Edit {
    /// Another action in the place of one.
    Replace {
        /// Which one.
        index: usize,
        /// What it becomes.
        action: Action,
    },
    /// An action more.
    Insert {
        /// The action before which it stands.
        index: usize,
        /// The action.
        entry: Box<Entry>,
        /// Whether the players of all that follows are exchanged.
        shifts: bool,
    },
    /// Actions that are left out.
    Remove {
        /// The first of them.
        index: usize,
        /// How many.
        count: usize,
        /// Whether the players of all that follows are exchanged.
        shifts: bool,
    },
    /// From an action on each player's turns are the other's.
    Swap {
        /// The first of them.
        index: usize,
    },
    /// Another stated result.
    Result(GameResult),
}

impl Edit {
    /// The first action that is changed; `None` for a result.
    pub fn index(&self) -> Option<usize> {
        match self {
            Edit::Replace { index, .. }
            | Edit::Insert { index, .. }
            | Edit::Remove { index, .. }
            | Edit::Swap { index } => Some(*index),
            Edit::Result(_) => None,
        }
    }

    /// The action of the record that is this one after the change; `None` if it was inserted.
    pub(super) fn origin(&self, changed: usize) -> Option<usize> {
        match self {
            Edit::Insert { index, .. } if changed == *index => None,
            Edit::Insert { index, .. } if changed > *index => Some(changed - 1),
            Edit::Remove { index, count, .. } if changed >= *index => Some(changed + count),
            _ => Some(changed),
        }
    }

    /// The first action behind what is changed, in the numbers after the change.
    pub(super) fn behind(&self, actions: usize) -> usize {
        match self {
            Edit::Replace { index, .. } | Edit::Insert { index, .. } => index + 1,
            Edit::Remove { index, .. } | Edit::Swap { index } => *index,
            Edit::Result(_) => actions,
        }
    }
}

/// Changes the record of a game.
pub fn apply(edit: &Edit, game: &mut GameRecord) {
    match edit {
        Edit::Replace { index, action } => {
            if let Some(entry) = game.entries.get_mut(*index) {
                entry.action = *action;
            }
        }
        Edit::Insert {
            index,
            entry,
            shifts,
        } => {
            let index = (*index).min(game.entries.len());
            if *shifts {
                swap_from(game, index);
            }
            game.entries.insert(index, (**entry).clone());
            move_result(game, index, 1);
        }
        Edit::Remove {
            index,
            count,
            shifts,
        } => {
            let start = (*index).min(game.entries.len());
            let end = (start + count).min(game.entries.len());
            game.entries.drain(start..end);
            move_result(game, start, start as i64 - end as i64);
            if *shifts {
                swap_from(game, start);
            }
        }
        Edit::Swap { index } => swap_from(game, *index),
        Edit::Result(result) => {
            if let Some(stated) = &mut game.result {
                stated.value = *result;
            }
        }
    }
}

fn swap_from(game: &mut GameRecord, index: usize) {
    for entry in game.entries.iter_mut().skip(index) {
        entry.player = !entry.player;
    }
}

/// The stated result stands behind as many actions more or fewer.
fn move_result(game: &mut GameRecord, index: usize, by: i64) {
    if let Some(result) = &mut game.result {
        let after = &mut result.value.after;
        if i64::from(*after) >= index as i64 {
            *after = u32::try_from(i64::from(*after) + by).unwrap_or(0);
        }
    }
}
