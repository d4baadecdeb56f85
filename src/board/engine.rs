//! Which rules a game is played by.
//!
//! There are two sets: those of backgammon, which every game shares that differs from it only in the start, and
//! those of long nardi. Positions, plays and verdicts are the same types for both, so that the replay and the
//! words for findings are written once; whoever knows the game asks its [`Variant`].

use super::{
    Move, PlayFault, Played, Player, Plays, Position, Reading, Roll, Variant, Verdict, Win, judge,
    legal, literal, nardi,
};

impl Variant {
    /// Fills `plays` with every legal play of `roll` by `player`, one for each position that can be reached.
    pub fn legal_plays(self, position: &Position, player: Player, roll: Roll, plays: &mut Plays) {
        match self {
            Variant::LongNardi => nardi::legal_plays(position, player, roll, plays),
            _ => legal::legal_plays(position, player, roll, plays),
        }
    }

    /// Whether anything can be played with the roll.
    pub fn can_play(self, position: &Position, player: Player, roll: Roll) -> bool {
        match self {
            Variant::LongNardi => nardi::can_play(position, player, roll),
            _ => legal::can_play(position, player, roll),
        }
    }

    /// A legal play of one die where both cannot be played, if it is easily told; see
    /// [`one_of_two_dice`](judge::one_of_two_dice). `plays` is overwritten.
    pub fn one_of_two_dice(
        self,
        position: &Position,
        player: Player,
        roll: Roll,
        written: &[Move],
        plays: &mut Plays,
    ) -> Option<Reading> {
        match self {
            Variant::LongNardi => None,
            _ => judge::one_of_two_dice(position, player, roll, written, plays),
        }
    }

    /// Judges the play that `player` wrote for `roll`; see [`judge`](judge::judge).
    pub fn judge(
        self,
        position: &Position,
        player: Player,
        roll: Roll,
        written: &[Move],
    ) -> Verdict {
        match self {
            Variant::LongNardi => nardi::judge(position, player, roll, written),
            _ => judge::judge(position, player, roll, written),
        }
    }

    /// Makes a play that is legal as it is literally written, one move a die and no die left; nothing is hit in long
    /// nardi. `None`: it is no such play, and the position is as it was.
    #[inline(always)]
    pub fn play_literally(
        self,
        position: &mut Position,
        player: Player,
        roll: Roll,
        written: &[Move],
    ) -> Option<Played> {
        match self {
            Variant::LongNardi => {
                let mut after = *position;
                nardi::play_literally(&mut after, player, roll, written).then_some(())?;
                *position = after;
                let is_over = after.has_borne_off_all(player);
                Some(Played::without_a_hit(written, is_over))
            }
            _ => literal::play_literally(position, player, roll, written),
        }
    }

    /// The position after the written moves, whether they are legal or not.
    ///
    /// # Errors
    ///
    /// The fault that makes it impossible: no checker on a starting point, or both players on one point.
    pub fn played_as_written(
        self,
        position: &Position,
        player: Player,
        written: &[Move],
    ) -> Result<Position, PlayFault> {
        match self {
            Variant::LongNardi => nardi::played_as_written(position, player, written),
            _ => judge::played_as_written(position, player, written),
        }
    }

    /// The kind of win if `loser` lost as the checkers stand. Long nardi has no triple win.
    pub fn win_against(self, position: &Position, loser: Player) -> Win {
        match self {
            Variant::LongNardi => position.win_against(loser).min(Win::Gammon),
            _ => position.win_against(loser),
        }
    }

    /// The word of the players for a kind of win: `oin` and `mars` in long nardi, else `single`, `gammon` or
    /// `backgammon`.
    pub fn win_name(self, win: Win) -> &'static str {
        match (self, win) {
            (Variant::LongNardi, Win::Single) => "oin",
            (Variant::LongNardi, _) => "mars",
            _ => win.name(),
        }
    }

    /// Whether the opponent can still be in the way of `player`, who bears off: hit a checker or close a point.
    pub fn has_contact(self, position: &Position, player: Player) -> bool {
        let rearmost = |player: Player| {
            (1..=25)
                .rev()
                .find(|&place| position.side(player)[place] > 0)
                .unwrap_or(0)
        };
        match self {
            // At home nobody is in the way once the opponent has come round to the other half of the board.
            Variant::LongNardi => rearmost(!player) > 12,
            _ => rearmost(player) + rearmost(!player) >= 25,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::test_support::position;

    #[test]
    fn one_die_in_long_nardi_is_not_judged_by_the_rules_of_backgammon() {
        // In backgammon the own 16 and 10 are closed: the six can be played, and no four. In long nardi the same
        // numbers are other points.
        let roll = Roll::new(6, 4).expect("a roll");
        let written = [Move::from_numbers(20, 14, false).expect("places")];
        let mut plays = Plays::new();
        let mut reading = |variant: Variant| {
            let board = position(variant, "20:1 | 9:2 15:2");
            variant.one_of_two_dice(&board, Player::One, roll, &written, &mut plays)
        };
        assert!(reading(Variant::Backgammon).is_some());
        assert_eq!(reading(Variant::LongNardi), None);
    }

    #[test]
    fn long_nardi_has_no_triple_win() {
        // The loser has borne off nothing and stands in the winner's home board.
        let text = "| 24:1 7:14";
        let with_fifteen = |variant: &Variant| variant.checkers() == 15;
        for variant in Variant::ALL.into_iter().filter(with_fifteen) {
            let board = position(variant, text);
            let win = variant.win_against(&board, Player::Two);
            let names = Win::ALL.map(|win| variant.win_name(win));
            if variant == Variant::LongNardi {
                assert_eq!((win, names), (Win::Gammon, ["oin", "mars", "mars"]));
            } else {
                let usual = ["single", "gammon", "backgammon"];
                assert_eq!((win, names), (Win::Backgammon, usual));
            }
        }
    }

    #[test]
    fn contact_ends_when_nobody_can_be_in_the_way() {
        let contact = |variant: Variant, text: &str| {
            variant.has_contact(&position(variant, text), Player::One)
        };
        // The opponent's 20 is the own 5.
        for (text, expected) in [
            ("6:1 | 20:1", true),
            ("5:1 | 21:1", true),
            ("6:1 2:3 | 18:1 3:4", false),
            ("4:1 | 20:1", false),
            ("6:1 | 25:1", true),
            ("| 24:1", false),
            ("6:15 | 6:15", false),
        ] {
            assert_eq!(contact(Variant::Backgammon, text), expected, "{text}");
        }
        // The opponent's 13 is the own 1, the last point of the home board.
        for (text, expected) in [
            ("6:1 | 13:1", true),
            ("6:1 | 14:1", true),
            ("13:1 | 12:1", false),
            ("6:1 | 11:1 12:1", false),
        ] {
            assert_eq!(contact(Variant::LongNardi, text), expected, "{text}");
        }
    }
}
