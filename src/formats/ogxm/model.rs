//! A match as OGXM has it, whichever version or form it was read from: games of plies, each of one player.

use crate::board::{Player, Variant};
use crate::diagnostic::{Level, Rule};
use crate::record::WrittenRoll;
use crate::source::Span;

/// The rolls by their number, as every version of the format has them.
const ROLLS: [(u8, u8); 21] = [
    (1, 1),
    (1, 2),
    (1, 3),
    (1, 4),
    (1, 5),
    (1, 6),
    (2, 2),
    (2, 3),
    (2, 4),
    (2, 5),
    (2, 6),
    (3, 3),
    (3, 4),
    (3, 5),
    (3, 6),
    (4, 4),
    (4, 5),
    (4, 6),
    (5, 5),
    (5, 6),
    (6, 6),
];

/// The roll of an action, the higher die first as it is usually written.
pub(super) fn roll_of(action: u8) -> Option<WrittenRoll> {
    let (low, high) = *ROLLS.get(usize::from(action))?;
    Some(WrittenRoll(high, low))
}

/// The action of a roll.
pub(super) fn action_of(one: u8, two: u8) -> Option<u8> {
    let roll = (one.min(two), one.max(two));
    let action = ROLLS.iter().position(|&other| other == roll)?;
    u8::try_from(action).ok()
}

/// How many steps a play of a roll has at most.
pub(super) fn most_steps(roll: WrittenRoll) -> usize {
    if roll.0 == roll.1 { 4 } else { 2 }
}

/// A move of one checker: where it starts, by absolute pip, and how many pips it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) from: u8,
    pub(super) pips: u8,
}

impl Step {
    /// The pips in the upper three bits, the pip in the lower five.
    pub(super) fn from_byte(byte: u8) -> Option<Step> {
        let step = Step {
            from: byte & 0x1f,
            pips: byte >> 5,
        };
        (step.from <= 25 && (1..=6).contains(&step.pips)).then_some(step)
    }

    pub(super) fn byte(self) -> u8 {
        self.pips << 5 | self.from
    }
}

/// A place as its player counts it, of an absolute pip, and the other way round: White goes up, Black down.
pub(super) fn own_place(player: Player, pip: u8) -> u8 {
    match player {
        Player::One => 25u8.saturating_sub(pip),
        Player::Two => pip,
    }
}

/// White is seat 0 and the left column of a transcript.
pub(super) fn player_of(seat: u32) -> Option<Player> {
    match seat {
        0 => Some(Player::One),
        1 => Some(Player::Two),
        _ => None,
    }
}

/// What happened in a ply.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Act {
    /// A roll and the moves made with it.
    Dice {
        roll: WrittenRoll,
        steps: Vec<Step>,
    },
    /// A roll and the board after it: a play restated, or an illegal one.
    Restated {
        roll: WrittenRoll,
        board: [i8; 26],
    },
    /// A board set by hand; the player of the ply is on roll.
    SetPosition([i8; 26]),
    Double,
    Take,
    Drop,
    Beaver,
    Raccoon,
    /// A resignation that stands, of the game or of the whole match.
    Resign {
        value: Option<u32>,
        of_match: bool,
    },
    Forfeit,
    /// The game is over: nothing that a player did.
    Marker,
    /// The rest of the game was settled for so many points, in millionths.
    Settle(i32),
    CubeSet {
        value: u32,
        owner: Option<Player>,
    },
    /// The player is shut out and does not roll.
    ShutOut,
    /// Something that is no ply of the format, and why.
    Unreadable(String),
}

/// A ply.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ply {
    pub(super) player: Player,
    pub(super) act: Act,
    pub(super) comment: Option<String>,
    pub(super) analysis: Vec<(String, String)>,
    /// Milliseconds from the start of the clock.
    pub(super) time: Option<u64>,
    /// What our writer noted of the ply: names and values.
    pub(super) notes: Vec<(String, String)>,
    /// Whether the file calls the play illegal.
    pub(super) illegal: bool,
    /// Where it is written, in the form that is a text.
    pub(super) span: Option<Span>,
}

impl Ply {
    pub(super) fn new(player: Player, act: Act) -> Ply {
        Ply {
            player,
            act,
            comment: None,
            analysis: Vec::new(),
            time: None,
            notes: Vec::new(),
            illegal: false,
            span: None,
        }
    }

    /// What our writer noted under a name.
    pub(super) fn note(&self, name: &str) -> Option<&str> {
        noted(&self.notes, name)
    }

    /// Adds a line to the comment.
    pub(super) fn remark(&mut self, text: &str) {
        match &mut self.comment {
            Some(comment) => {
                comment.push('\n');
                comment.push_str(text);
            }
            None => self.comment = Some(text.to_owned()),
        }
    }
}

/// The value of a note.
pub(super) fn noted<'a>(notes: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let found = notes.iter().find(|(noted, _)| noted == name);
    found.map(|(_, value)| value.as_str())
}

/// A game.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Game {
    pub(super) winner: Option<Player>,
    pub(super) points: Option<u32>,
    pub(super) is_last: bool,
    pub(super) board: Option<[i8; 26]>,
    pub(super) cube_value: Option<u32>,
    pub(super) cube_owner: Option<Player>,
    pub(super) automatic_doubles: u32,
    pub(super) termination: Option<u32>,
    pub(super) plies: Vec<Ply>,
    pub(super) comments: Vec<String>,
    /// What our writer noted of the game: names and values.
    pub(super) notes: Vec<(String, String)>,
    /// Where it is written, in the form that is a text.
    pub(super) span: Option<Span>,
}

/// Something to be said of the match, or of a game by its index.
#[derive(Debug, Clone)]
pub(super) struct Remark {
    pub(super) game: Option<usize>,
    pub(super) rule: &'static Rule,
    pub(super) level: Level,
    pub(super) message: String,
    pub(super) label: String,
}

/// A match.
#[derive(Debug, Clone, Default)]
pub(super) struct Model {
    pub(super) length: u32,
    pub(super) variant: Option<Variant>,
    pub(super) names: [String; 2],
    pub(super) ratings: [Option<String>; 2],
    /// The rules as bits: 1 Crawford, 2 Jacoby, 4 beavers, 8 raccoons, 16 automatic doubles.
    pub(super) rules: u32,
    /// Rules that our writer noted as unstated.
    pub(super) unstated: Vec<String>,
    pub(super) tags: Vec<(String, String)>,
    pub(super) comments: Vec<String>,
    pub(super) start: [u32; 2],
    /// The score after the last game, where it is stated.
    pub(super) last: Option<[u32; 2]>,
    /// Whether the Crawford game was played before the first game.
    pub(super) crawford_before: bool,
    pub(super) games: Vec<Game>,
    pub(super) remarks: Vec<Remark>,
    /// Whether the file ends before its end.
    pub(super) is_cut: bool,
    /// Where it is written, in the form that is a text.
    pub(super) span: Option<Span>,
}

impl Model {
    pub(super) fn tag(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        if !value.is_empty() {
            self.tags.push((name.to_owned(), value));
        }
    }

    pub(super) fn remark(
        &mut self,
        rule: &'static Rule,
        level: Level,
        message: impl Into<String>,
        label: impl Into<String>,
    ) {
        self.remarks.push(Remark {
            game: None,
            rule,
            level,
            message: message.into(),
            label: label.into(),
        });
    }

    /// How many plies there are.
    pub(super) fn ply_count(&self) -> usize {
        self.games.iter().map(|game| game.plies.len()).sum()
    }

    /// The ply with a number that counts through the match.
    pub(super) fn ply_mut(&mut self, number: u32) -> Option<&mut Ply> {
        let mut number = usize::try_from(number).ok()?;
        for game in &mut self.games {
            let plies = game.plies.len();
            if number < plies {
                return game.plies.get_mut(number);
            }
            number -= plies;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rolls_are_numbered_by_their_lower_die() {
        assert_eq!(roll_of(2), Some(WrittenRoll(3, 1)));
        assert_eq!(roll_of(21), None);
        assert!(
            (0..21).all(|action| roll_of(action).and_then(|r| action_of(r.0, r.1)) == Some(action))
        );
        assert_eq!(action_of(0, 7), None);
    }

    #[test]
    fn a_step_goes_one_to_six_pips_from_a_pip() {
        let step = Step { from: 8, pips: 3 };
        assert_eq!((step.byte(), Step::from_byte(0x68)), (0x68, Some(step)));
        assert_eq!([0x1a | 0x20, 0x08, 0xe8].map(Step::from_byte), [None; 3]);
        assert_eq!(own_place(Player::One, 17), 8);
        assert_eq!(own_place(Player::Two, 25), 25);
    }
}
