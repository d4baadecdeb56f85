//! Boards, and what stands with a position.

use crate::board::{ByPlayer, Player, Setup};
use crate::formats::binary::view_of;
use crate::formats::carry::normal;
use crate::formats::ogxm::build::checkers_of;
use crate::formats::ogxm::notes;
use crate::record::{Action, Entry};

/// A board by absolute pip; `None`: it cannot be told in numbers of checkers of one side each.
pub(super) fn board_of(checkers: ByPlayer<&[u8; 26]>) -> Option<[i8; 26]> {
    let most = |side: &[u8; 26]| side[1..].iter().all(|&count| count <= 15);
    if !most(checkers.one) || !most(checkers.two) {
        return None;
    }
    let board = view_of(Player::Two, checkers).map(i8::wrapping_neg);
    let again = checkers_of(&board)?;
    let same = |player: Player| again[player][1..] == checkers[player][1..];
    (same(Player::One) && same(Player::Two)).then_some(board)
}

/// The bytes of a board.
pub(super) fn bytes_of(board: [i8; 26]) -> [u8; 26] {
    board.map(|count| count as u8)
}

/// What a setup says in the record's normal form, where a reader would conclude something else: whoever acts
/// next has the turn, in a reader's eyes only if the action is written.
pub(super) fn state_to_note(setup: &Setup, read: &Setup, later: &[Entry]) -> Option<String> {
    let mut meant = setup.clone();
    if let Some(next) = normal::next_actor(later) {
        (meant.turn, meant.roll) = (Some(next), None);
    }
    let has_place = |entry: &Entry| match entry.action {
        Action::Play { roll, .. } => roll.roll().is_some(),
        Action::Set | Action::Unreadable | Action::NoRoll => false,
        Action::Resign { .. } | Action::Accept | Action::Reject => false,
        _ => true,
    };
    let is_followed = later.iter().any(has_place);
    let same = meant.cube == read.cube
        && (is_followed || (meant.turn, meant.roll) == (read.turn, read.roll));
    (!same).then(|| notes::state_text(&meant))
}
