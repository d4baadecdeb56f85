//! Where things stand in the records of a match, for the reader and the writer alike.
//!
//! A record has 2560 bytes; byte 8 tells its kind. Numbers have their lowest byte first; `bool` is a byte that
//! is not 0. Some boards are seen by player 1, others by the player who moves: each says which.

use super::archive::RECORD;
use crate::board::{ByPlayer, Player};
use crate::formats::binary::{Bytes, seen_by};

/// The kinds of records.
pub(super) mod kind {
    pub(in crate::formats::xg) const MATCH: u8 = 0;
    pub(in crate::formats::xg) const GAME: u8 = 1;
    pub(in crate::formats::xg) const CUBE: u8 = 2;
    pub(in crate::formats::xg) const MOVE: u8 = 3;
    pub(in crate::formats::xg) const GAME_END: u8 = 4;
    pub(in crate::formats::xg) const MATCH_END: u8 = 5;
}

/// Where the kind of a record stands.
pub(super) const KIND: usize = 8;

/// The header of a match.
pub(super) mod header {
    /// Texts of at most 40 bytes: the names in Windows-1252, for versions before 24.
    pub(in crate::formats::xg) const SHORT_NAMES: [usize; 2] = [9, 50];
    /// i32; 99999 is money play.
    pub(in crate::formats::xg) const LENGTH: usize = 92;
    /// i32: one of [`Variant::OF_BACKGAMMON`](crate::board::Variant::OF_BACKGAMMON).
    pub(in crate::formats::xg) const VARIATION: usize = 96;
    /// bool.
    pub(in crate::formats::xg) const CRAWFORD: usize = 100;
    pub(in crate::formats::xg) const JACOBY: usize = 101;
    pub(in crate::formats::xg) const BEAVERS: usize = 102;
    pub(in crate::formats::xg) const AUTOMATIC_DOUBLES: usize = 103;
    /// f64.
    pub(in crate::formats::xg) const ELO: [usize; 2] = [104, 112];
    /// i32.
    pub(in crate::formats::xg) const EXPERIENCE: [usize; 2] = [120, 124];
    /// f64: days from the end of 1899 on.
    pub(in crate::formats::xg) const DATE: usize = 128;
    /// Texts of at most 128 bytes in Windows-1252.
    pub(in crate::formats::xg) const SHORT_EVENT: usize = 136;
    pub(in crate::formats::xg) const GAME_ID: usize = 268;
    /// i32: the level at which a program plays, -1 for people.
    pub(in crate::formats::xg) const PROGRAM_LEVEL: [usize; 2] = [272, 276];
    pub(in crate::formats::xg) const SHORT_PLACE: usize = 283;
    pub(in crate::formats::xg) const SHORT_ROUND: usize = 417;
    /// i32, 1 or -1: how the board was turned.
    pub(in crate::formats::xg) const INVERT: usize = 548;
    /// i32.
    pub(in crate::formats::xg) const VERSION: usize = 552;
    pub(in crate::formats::xg) const MAGIC: usize = 556;
    /// i32: comments on the match.
    pub(in crate::formats::xg) const COMMENTS: [usize; 2] = [576, 580];
    pub(in crate::formats::xg) const SITE: usize = 608;
    /// i32: the exponent of the highest cube.
    pub(in crate::formats::xg) const CUBE_LIMIT: usize = 612;
    pub(in crate::formats::xg) const MOST_AUTOMATIC_DOUBLES: usize = 616;
    pub(in crate::formats::xg) const TRANSCRIBED: usize = 620;
    /// Texts of at most 128 units of UTF-16, from version 24 on.
    pub(in crate::formats::xg) const EVENT: usize = 622;
    pub(in crate::formats::xg) const NAMES: [usize; 2] = [880, 1138];
    pub(in crate::formats::xg) const PLACE: usize = 1396;
    pub(in crate::formats::xg) const ROUND: usize = 1654;
    /// i32: none, Fischer, Bronstein; from version 25 on.
    pub(in crate::formats::xg) const CLOCK: usize = 1912;
    pub(in crate::formats::xg) const CLOCK_PER_GAME: usize = 1916;
    /// i32, seconds: at the start, and for each move.
    pub(in crate::formats::xg) const CLOCK_TIMES: [usize; 2] = [1920, 1924];
    pub(in crate::formats::xg) const CLOCK_PENALTY: usize = 1928;
    pub(in crate::formats::xg) const TIME_LEFT: [usize; 2] = [1932, 1936];
    /// From version 30 on.
    pub(in crate::formats::xg) const TRANSCRIBER: usize = 1960;
}

/// The header of a game.
pub(super) mod game {
    /// i32.
    pub(in crate::formats::xg) const SCORE: [usize; 2] = [12, 16];
    pub(in crate::formats::xg) const CRAWFORD: usize = 20;
    /// 26 × i8, seen by player 1; all zero for the usual start.
    pub(in crate::formats::xg) const START: usize = 21;
    pub(in crate::formats::xg) const NUMBER: usize = 48;
    pub(in crate::formats::xg) const IN_PROGRESS: usize = 52;
    /// i32: comments on the game.
    pub(in crate::formats::xg) const COMMENTS: [usize; 2] = [56, 60];
    pub(in crate::formats::xg) const AUTOMATIC_DOUBLES: usize = 64;
    /// More of them are not believed.
    pub(in crate::formats::xg) const MOST_DOUBLES: i32 = 10;
}

/// What was done with the cube.
pub(super) mod cube {
    /// i32: 1 or -1.
    pub(in crate::formats::xg) const PLAYER: usize = 12;
    /// i32: 1 doubled, 0 did not, -2 could not, -1 the game ended here.
    pub(in crate::formats::xg) const DOUBLE: usize = 16;
    /// i32: -1 none, 0 pass, 1 take, 2 the next turn of the cube.
    pub(in crate::formats::xg) const ANSWERS: [usize; 3] = [20, 24, 28];
    /// i32: the exponent before, negative if player 2 owns the cube.
    pub(in crate::formats::xg) const CUBE: usize = 32;
    /// 26 × i8, seen by player 1.
    pub(in crate::formats::xg) const POSITION: usize = 36;
    /// The same, seen by the player on roll.
    pub(in crate::formats::xg) const POSITION_ON_ROLL: usize = 64;
    pub(in crate::formats::xg) const LEVEL: usize = 92;
    /// i32: points that the player on roll and the opponent need.
    pub(in crate::formats::xg) const AWAY: [usize; 2] = [96, 100];
    pub(in crate::formats::xg) const VALUE: usize = 104;
    /// i32: 0 in the middle, 1 own, -1 the opponent's.
    pub(in crate::formats::xg) const OWNER: usize = 108;
    pub(in crate::formats::xg) const JACOBY: usize = 112;
    pub(in crate::formats::xg) const CRAWFORD: usize = 116;
    /// i16: -100 not analysed, -1 too good, 0 no double, 1 take, 2 pass, 3 as good.
    pub(in crate::formats::xg) const VERDICT: usize = 120;
    /// 7 × f32: lost backgammons, gammons, games, won games, gammons, backgammons, equity.
    pub(in crate::formats::xg) const CHANCES: usize = 124;
    /// f32: no double, double and take, double and pass.
    pub(in crate::formats::xg) const EQUITIES: [usize; 3] = [152, 156, 160];
    /// f64.
    pub(in crate::formats::xg) const ERROR: usize = 200;
    /// A text of two bytes: the dice that are rolled next, 77 for none.
    pub(in crate::formats::xg) const DICE: usize = 208;
    pub(in crate::formats::xg) const TAKE_ERROR: usize = 216;
    pub(in crate::formats::xg) const ROLLOUT: usize = 224;
    pub(in crate::formats::xg) const ANALYSED: usize = 232;
    pub(in crate::formats::xg) const TURN_ERRORS: [usize; 2] = [240, 248];
    pub(in crate::formats::xg) const REQUESTED: usize = 256;
    pub(in crate::formats::xg) const TUTOR: [usize; 2] = [264, 265];
    pub(in crate::formats::xg) const TUTOR_ERRORS: [usize; 2] = [272, 280];
    pub(in crate::formats::xg) const FLAGGED: usize = 288;
    pub(in crate::formats::xg) const COMMENT: usize = 292;
    pub(in crate::formats::xg) const EDITED: usize = 296;
    /// i32, seconds.
    pub(in crate::formats::xg) const TIME_LEFT: [usize; 2] = [304, 308];
}

/// A roll and a play. Places within the analysis are counted from the record's start.
pub(super) mod play {
    /// 26 × i8, seen by player 1.
    pub(in crate::formats::xg) const POSITION: usize = 9;
    /// 26 × i8, seen by the player who moves.
    pub(in crate::formats::xg) const POSITION_AFTER: usize = 35;
    pub(in crate::formats::xg) const PLAYER: usize = 64;
    /// 8 × i32: from and to, one less than the own number; -1 and below is off, or the end of the list.
    pub(in crate::formats::xg) const MOVES: usize = 68;
    pub(in crate::formats::xg) const DICE: [usize; 2] = [100, 104];
    pub(in crate::formats::xg) const CUBE: usize = 108;
    /// The board of the analysis, seen by the player who moves.
    pub(in crate::formats::xg) const ANALYSED_POSITION: usize = 124;
    pub(in crate::formats::xg) const ANALYSED_DICE: [usize; 2] = [152, 156];
    pub(in crate::formats::xg) const LEVEL: usize = 160;
    pub(in crate::formats::xg) const AWAY: [usize; 2] = [164, 168];
    pub(in crate::formats::xg) const VALUE: usize = 172;
    pub(in crate::formats::xg) const OWNER: usize = 176;
    pub(in crate::formats::xg) const CRAWFORD: usize = 180;
    pub(in crate::formats::xg) const JACOBY: usize = 184;
    pub(in crate::formats::xg) const CANDIDATES: usize = 188;
    /// 32 × 26 × i8: the boards after, seen by the player who moves.
    pub(in crate::formats::xg) const CANDIDATE_BOARDS: usize = 192;
    /// 32 × 8 × i8: the moves.
    pub(in crate::formats::xg) const CANDIDATE_MOVES: usize = 1024;
    /// 32 × 4: i16 the level, and two bytes.
    pub(in crate::formats::xg) const CANDIDATE_LEVELS: usize = 1280;
    /// 32 × 7 × f32, as for the cube; the last is the equity with the cube.
    pub(in crate::formats::xg) const CANDIDATE_CHANCES: usize = 1408;
    /// bool: the roll was played.
    pub(in crate::formats::xg) const PLAYED: usize = 2308;
    /// f64, 0 or less.
    pub(in crate::formats::xg) const ERROR: usize = 2312;
    pub(in crate::formats::xg) const LUCK: usize = 2320;
    pub(in crate::formats::xg) const EQUITY_BEFORE: usize = 2336;
    /// 32 × i32.
    pub(in crate::formats::xg) const ROLLOUTS: usize = 2344;
    pub(in crate::formats::xg) const ANALYSED: usize = 2472;
    pub(in crate::formats::xg) const LUCK_ANALYSED: usize = 2476;
    /// i32: 2 if the play is illegal.
    pub(in crate::formats::xg) const INVALID: usize = 2480;
    pub(in crate::formats::xg) const TUTOR_MOVE: usize = 2510;
    pub(in crate::formats::xg) const TUTOR_ERROR: usize = 2512;
    pub(in crate::formats::xg) const FLAGGED: usize = 2520;
    pub(in crate::formats::xg) const COMMENT: usize = 2524;
    pub(in crate::formats::xg) const EDITED: usize = 2528;
}

/// The end of a game.
pub(super) mod end {
    /// i32: the score after the game.
    pub(in crate::formats::xg) const SCORE: [usize; 2] = [12, 16];
    /// bool: the next game is the Crawford game.
    pub(in crate::formats::xg) const NEXT_CRAWFORD: usize = 20;
    /// i32: 1 or -1.
    pub(in crate::formats::xg) const WINNER: usize = 24;
    pub(in crate::formats::xg) const POINTS: usize = 28;
    /// i32: 0 a pass, 1 to 3 the kind of win, 100 more by resignation, 104 the whole match was given up.
    pub(in crate::formats::xg) const TERMINATION: usize = 32;
    /// f64: of the resignation and of its acceptance.
    pub(in crate::formats::xg) const ERRORS: [usize; 2] = [40, 48];
    pub(in crate::formats::xg) const LEVEL: usize = 112;
}

/// The end of a match.
pub(super) mod match_end {
    /// i32.
    pub(in crate::formats::xg) const SCORE: [usize; 2] = [12, 16];
    pub(in crate::formats::xg) const WINNER: usize = 20;
    /// f64.
    pub(in crate::formats::xg) const ELO: [usize; 2] = [24, 32];
}

/// How a length without an end is written.
pub(super) const MONEY: i32 = 99_999;
/// An error or luck that was not computed.
pub(super) const NONE: f64 = -1000.0;
/// A verdict on the cube that was not computed.
pub(super) const NO_VERDICT: i16 = -100;
/// Files of later versions are not known.
pub(super) const LATEST_VERSION: i32 = 40;

/// A record; every place of the tables above is within it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Record<'a>(Bytes<'a>);

impl<'a> Record<'a> {
    /// `None`: not as long as a record is.
    pub(super) fn new(bytes: &'a [u8]) -> Option<Record<'a>> {
        (bytes.len() == RECORD).then_some(Record(Bytes(bytes)))
    }

    pub(super) fn bytes(self) -> Bytes<'a> {
        self.0
    }

    pub(super) fn kind(self) -> u8 {
        self.0.u8(KIND).unwrap_or(u8::MAX)
    }

    pub(super) fn flag(self, at: usize) -> bool {
        self.0.u8(at).is_some_and(|byte| byte != 0)
    }

    pub(super) fn i8(self, at: usize) -> i8 {
        self.0.i8(at).unwrap_or_default()
    }

    pub(super) fn i16(self, at: usize) -> i16 {
        self.0.i16(at).unwrap_or_default()
    }

    pub(super) fn i32(self, at: usize) -> i32 {
        self.0.i32(at).unwrap_or_default()
    }

    pub(super) fn f32(self, at: usize) -> f64 {
        f64::from(self.0.f32(at).unwrap_or_default())
    }

    pub(super) fn f64(self, at: usize) -> f64 {
        self.0.f64(at).unwrap_or_default()
    }

    /// A number that is -1000 where there is none.
    pub(super) fn computed(self, at: usize) -> Option<f64> {
        Some(self.f64(at)).filter(|value| value.is_finite() && *value > NONE)
    }

    /// The number of a comment, or of a rollout; -1 is none.
    pub(super) fn index(self, at: usize) -> Option<usize> {
        usize::try_from(self.i32(at)).ok()
    }

    /// The 26 numbers of a board.
    pub(super) fn numbers(self, at: usize) -> [i8; 26] {
        std::array::from_fn(|place| self.i8(at + place))
    }

    /// A board; `None` if it is empty.
    pub(super) fn board(self, at: usize, viewer: Player) -> Option<Board> {
        let numbers = self.numbers(at);
        if numbers == [0; 26] {
            return None;
        }
        Some(seen_by(viewer, &numbers).map_or(Board::Impossible, Board::Checkers))
    }

    /// The player whom a sign stands for.
    pub(super) fn player(self, at: usize) -> Option<Player> {
        match self.i32(at) {
            1 => Some(Player::One),
            -1 => Some(Player::Two),
            _ => None,
        }
    }

    /// A score that can be one.
    pub(super) fn score(self, at: [usize; 2]) -> Option<ByPlayer<u32>> {
        let [one, two] = at.map(|at| u32::try_from(self.i32(at)).ok());
        Some(ByPlayer::new(one?, two?))
    }
}

/// A board that a record states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Board {
    /// Checkers by player and place.
    Checkers(ByPlayer<[u8; 26]>),
    /// Numbers that are no board.
    Impossible,
}

/// The depth of an analysis in the words of the program.
pub(super) fn level(code: i32) -> String {
    match code {
        0..=6 => format!("{}-ply", code + 1),
        12 => "3-ply reduced".to_owned(),
        100 => "rollout".to_owned(),
        998 => "opening book 2".to_owned(),
        999 => "opening book 1".to_owned(),
        1000 => "XG Roller".to_owned(),
        1001 => "XG Roller+".to_owned(),
        1002 => "XG Roller++".to_owned(),
        other => format!("level {other}"),
    }
}

/// The servers whose matches the program imports.
pub(super) const SITES: [&str; 16] = [
    "GammonSite",
    "FIBS",
    "TrueMoney Games",
    "GridGammon",
    "DailyGammon",
    "NetGammon",
    "VOG",
    "Play65",
    "Club Games",
    "PartyGammon",
    "Xciting Games",
    "BGRoom",
    "DiceArena",
    "Safe Harbor Games",
    "GameAccount",
    "XG Mobile",
];
