//! What an identifier can say.

use crate::board::{ByPlayer, Cube, Length, Player, Roll, Win};

use super::NotEncodable;
use super::field::Faults;

/// What an identifier says; `None` means that it does not say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IdState {
    /// Checkers of each player by place in the own numbering: 1 to 24 the points, 25 the bar. Index 0 is
    /// not used.
    pub board: Option<ByPlayer<[u8; 26]>>,
    /// Who is on roll. While a double waits for its answer, that is the player who doubled.
    pub turn: Option<Player>,
    /// From whose side the identifier tells the board, where that is not the player on roll.
    pub seen_by: Option<Player>,
    /// The dice in the written order. `None`: not rolled, or not said.
    pub dice: Option<Roll>,
    /// The cube; while a double waits for its answer, as it was before the double.
    pub cube: Option<Cube>,
    /// What waits for an answer.
    pub pending: Option<Pending>,
    /// Whether a game is being played.
    pub stage: Option<Stage>,
    /// How long the match is.
    pub length: Option<Length>,
    /// The points of each player before this game.
    pub score: Option<ByPlayer<u32>>,
    /// Whether this is the Crawford game.
    pub crawford: Option<bool>,
    /// Whether the Crawford game has been played.
    pub post_crawford: Option<bool>,
    /// Whether gammons count only after a double.
    pub jacoby: Option<bool>,
    /// Whether beavers are allowed.
    pub beavers: Option<bool>,
    /// The highest value that the cube may reach.
    pub max_cube: Option<u32>,
    /// The names of the players.
    pub names: Option<ByPlayer<String>>,
    /// Checkers a side.
    pub checkers: Option<u8>,
    /// How many actions came before in this game.
    pub move_id: Option<u32>,
    /// How many games the session has.
    pub session_games: Option<u32>,
    /// What the two players stand for.
    pub sides: Sides,
}

/// What the players of an identifier stand for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Sides {
    /// Two players, the first of them first.
    #[default]
    Players,
    /// The bottom and the top of a diagram, or the player on roll and the other: nothing says who is the
    /// first player of the match. A match ID then counts the player on roll as player 1, as GNU Backgammon
    /// does when it reads an XGID.
    Diagram,
}

/// An offer that waits for its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pending {
    /// The player on roll has doubled.
    Double,
    /// The double was answered with a beaver.
    Beaver,
    /// The beaver was answered with a raccoon.
    Raccoon,
    /// A player offers to resign.
    Resignation {
        /// Who resigns.
        by: Player,
        /// What is offered.
        win: Win,
    },
}

impl Pending {
    /// `double`, `beaver`, `raccoon` or `resignation`.
    pub fn name(self) -> &'static str {
        match self {
            Pending::Double => "double",
            Pending::Beaver => "beaver",
            Pending::Raccoon => "raccoon",
            Pending::Resignation { .. } => "resignation",
        }
    }
}

/// Whether a game is being played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// No game has begun.
    NotStarted,
    /// A game is being played.
    Playing,
    /// All checkers of a player are off.
    Over,
    /// The game ended by a resignation.
    Resigned,
    /// The game ended by a pass.
    Passed,
}

impl IdState {
    /// From whose side the board is seen: that of the player on roll as the identifier tells it, else of
    /// player one.
    pub fn viewer(&self) -> Player {
        self.seen_by.or(self.turn).unwrap_or(Player::One)
    }

    /// Who has to decide. `None` if that is not known.
    pub fn to_act(&self) -> Option<Player> {
        match (self.pending, self.turn) {
            (Some(Pending::Resignation { by, .. }), _) => Some(!by),
            (Some(Pending::Double), turn) => turn.map(|doubler| !doubler),
            // Who is named as on roll during a beaver or a raccoon is not settled among programs.
            (Some(Pending::Beaver | Pending::Raccoon), _) => None,
            (None, turn) => turn,
        }
    }

    /// The board as 26 numbers: index 0 the opponent's bar, 1 to 24 the points of `viewer`, 25 the own bar;
    /// the opponent's checkers are negative.
    pub fn numbers(&self, viewer: Player) -> Option<[i8; 26]> {
        let board = self.board.as_ref()?;
        let side =
            |player: Player, place: usize| i8::try_from(board[player][place]).unwrap_or(i8::MAX);
        Some(std::array::from_fn(|place| {
            let own = if place == 0 { 0 } else { side(viewer, place) };
            let other = if place == 25 {
                0
            } else {
                side(!viewer, 25 - place)
            };
            own - other
        }))
    }

    /// What each player has still to move, in pips.
    pub fn pips(&self) -> Option<ByPlayer<u32>> {
        self.board.map(|board| {
            board.map(|side| {
                (0u32..)
                    .zip(side)
                    .map(|(place, checkers)| place * u32::from(checkers))
                    .sum()
            })
        })
    }

    /// The player on roll, player one if that is not said.
    pub(super) fn on_roll(&self) -> Player {
        self.turn.unwrap_or(Player::One)
    }

    /// The points to reach; 0 in money play and if nothing is said.
    pub(super) fn points(&self) -> u32 {
        self.length.and_then(Length::points).unwrap_or(0)
    }

    /// Whether a game is said to be over or not to have begun.
    pub(super) fn is_idle(&self) -> bool {
        !matches!(self.stage, None | Some(Stage::Playing))
    }

    /// The board, if it can be.
    pub(super) fn sound_board(&self) -> Result<&ByPlayer<[u8; 26]>, NotEncodable> {
        let board = self.board.as_ref().ok_or(NotEncodable::NoBoard)?;
        let few = Player::BOTH.iter().all(|&player| {
            let side = &board[player][1..];
            side.iter().map(|&n| u32::from(n)).sum::<u32>() <= 15
        });
        let apart = (1..=24).all(|point| board.one[point] == 0 || board.two[25 - point] == 0);
        if few && apart {
            Ok(board)
        } else {
            Err(NotEncodable::ImpossibleBoard)
        }
    }

    /// The cube and the exponent of its value, at most `most`.
    pub(super) fn cube_exponent(&self, most: u32) -> Result<(Cube, u32), NotEncodable> {
        let cube = self.cube.unwrap_or(Cube::START);
        match Cube::exponent(cube.value) {
            Some(exponent) if exponent <= most => Ok((cube, exponent)),
            _ => Err(NotEncodable::CubeValue(cube.value)),
        }
    }

    /// Says where the state contradicts itself. The columns are those of the fields.
    pub(super) fn check(&self, places: Places, faults: &mut Faults) {
        let length = self.points();
        let cube = self.cube.unwrap_or(Cube::START);
        let score = self.score.unwrap_or_default();
        if length > 0 && cube.value > 1 && cube.owner.is_none() {
            faults.warning(
                places.cube,
                format!("a cube of {} in the middle of a match", cube.value),
            );
        }
        if self.crawford == Some(true) {
            let short = score.map(|points| points.saturating_add(1) == length);
            if !(short.one || short.two) {
                faults.warning(
                    places.crawford,
                    "the Crawford game, but no player is one point short",
                );
            } else if short.one && short.two {
                faults.warning(
                    places.crawford,
                    "the Crawford game, but both players are one point short",
                );
            }
            if cube.value > 1 {
                faults.warning(places.cube, "the Crawford game with a turned cube");
            }
            if self.pending == Some(Pending::Double) {
                faults.warning(places.pending, "a double in the Crawford game");
            }
        }
        if length > 0 && score.one >= length && score.two >= length {
            faults.warning(places.score, "both players have reached the match length");
        }
        self.check_pending(cube, places, faults);
        if let Some(most) = self.max_cube
            && cube.value > most
        {
            faults.warning(
                places.cube,
                format!(
                    "the cube is at {}, the highest allowed is {most}",
                    cube.value
                ),
            );
        }
    }

    fn check_pending(&self, cube: Cube, places: Places, faults: &mut Faults) {
        let Some(pending) = self.pending else { return };
        if self.dice.is_some() && pending == Pending::Double {
            faults.warning(places.pending, "a double after the roll");
        }
        if let (Pending::Double, Some(doubler)) = (pending, self.turn)
            && !cube.may_turn(doubler)
        {
            faults.warning(
                places.pending,
                "a double by the player who does not own the cube",
            );
        }
    }
}

/// The length of a match to so many points; 0 is money play.
pub(super) fn match_length(points: u32) -> Length {
    match points {
        0 => Length::Money,
        points => Length::Points(points),
    }
}

/// The columns of the fields that may contradict each other.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Places {
    pub(super) cube: Option<u32>,
    pub(super) crawford: Option<u32>,
    pub(super) pending: Option<u32>,
    pub(super) score: Option<u32>,
}
