//! Who sits where, and who moves up: seats are a list with the box first, then the captain, then the queue.
//!
//! Every change is one of places, so that the seats as written and the seats as they should have been can
//! take it alike: after a wrong seat both are right from then on.

use super::log::Side;

/// A player of the session: the index into its list of names.
pub type PlayerId = usize;

/// The seats after the games so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Seats {
    /// As written.
    written: Vec<PlayerId>,
    /// As they should have been; the same unless a seat was wrong.
    right: Vec<PlayerId>,
}

impl Seats {
    /// Seats that nothing contradicts.
    pub(super) fn new(order: Vec<PlayerId>) -> Seats {
        Seats {
            right: order.clone(),
            written: order,
        }
    }

    /// Seats as written where others would have been right.
    pub(super) fn instead_of(self, right: &Seats) -> Seats {
        Seats {
            written: self.written,
            right: right.written.clone(),
        }
    }

    /// The order as written: box, captain, queue.
    pub(super) fn order(&self) -> &[PlayerId] {
        &self.written
    }

    /// Whether an order follows, from what was written or from what would have been right.
    pub(super) fn allow(&self, order: &[PlayerId]) -> bool {
        self.written == order || self.right == order
    }

    /// The box.
    pub(super) fn box_player(&self) -> Option<PlayerId> {
        self.written.first().copied()
    }

    /// The captain.
    pub(super) fn captain(&self) -> Option<PlayerId> {
        self.written.get(1).copied()
    }

    /// A game is over: the captain goes to the end of the queue if the box has won, the box if the team has.
    pub(super) fn rotate(&mut self, winner: Side) {
        let place = usize::from(winner == Side::Box);
        self.change(|order| to_the_end(order, place));
    }

    /// The captain gives up the captaincy and goes to the end of the queue; who sat at `next` becomes captain.
    pub(super) fn replace_captain(&mut self, next: PlayerId) {
        let Some(place) = self.written.iter().position(|&player| player == next) else {
            return;
        };
        self.change(|order| {
            if place < order.len() {
                let player = order.remove(place);
                order.insert(1, player);
                // The old captain has moved back by one.
                to_the_end(order, 2);
            }
        });
    }

    /// Somebody sits down at the end of the queue.
    pub(super) fn join(&mut self, player: PlayerId) {
        self.change(|order| {
            if !order.contains(&player) {
                order.push(player);
            }
        });
    }

    /// Somebody gets up, and the others move up.
    pub(super) fn leave(&mut self, player: PlayerId) {
        self.change(|order| order.retain(|&other| other != player));
    }

    fn change(&mut self, change: impl Fn(&mut Vec<PlayerId>)) {
        change(&mut self.written);
        change(&mut self.right);
    }
}

fn to_the_end(order: &mut Vec<PlayerId>, place: usize) {
    if place < order.len() {
        let player = order.remove(place);
        order.push(player);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(change: impl Fn(&mut Seats)) -> Vec<PlayerId> {
        let mut seats = Seats::new(vec![0, 1, 2, 3]);
        change(&mut seats);
        seats.order().to_vec()
    }

    #[test]
    fn the_loser_of_box_and_captain_goes_to_the_end() {
        assert_eq!(after(|seats| seats.rotate(Side::Box)), [0, 2, 3, 1]);
        assert_eq!(after(|seats| seats.rotate(Side::Team)), [1, 2, 3, 0]);
    }

    #[test]
    fn a_captain_who_passes_goes_to_the_end_at_once() {
        assert_eq!(after(|seats| seats.replace_captain(2)), [0, 2, 3, 1]);
        // Who is out but no captain keeps the place in the queue.
        assert_eq!(after(|seats| seats.replace_captain(3)), [0, 3, 2, 1]);
    }

    #[test]
    fn who_joins_sits_at_the_end_and_who_leaves_makes_room() {
        assert_eq!(after(|seats| seats.join(9)), [0, 1, 2, 3, 9]);
        assert_eq!(after(|seats| seats.leave(0)), [1, 2, 3]);
        assert_eq!(after(|seats| seats.leave(2)), [0, 1, 3]);
    }

    #[test]
    fn after_a_wrong_seat_both_orders_are_right() {
        let mut seats = Seats::new(vec![0, 1, 3, 2]).instead_of(&Seats::new(vec![0, 1, 2, 3]));
        seats.rotate(Side::Box);
        assert!(seats.allow(&[0, 3, 2, 1]) && seats.allow(&[0, 2, 3, 1]));
        assert!(!seats.allow(&[0, 1, 2, 3]));
    }
}
