//! What was written: the record of a match as a transcript has it, right or wrong.
//!
//! `None` means that the transcript does not say. Nothing here was judged, and nothing completed.

use crate::board::{ByPlayer, Length, Play, Player, Position, Setup, Variant, Win};
use crate::source::{Span, Spanned};

/// A match, or a session of money games, as written.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MatchRecord {
    /// Which program wrote the transcript, as far as it can be told: `xg`, `gnubg`, `galaxy`, …
    pub dialect: Option<Dialect>,
    /// The length of the match.
    pub length: Option<Spanned<Length>>,
    /// The variation, where the format states it outside the tags.
    pub variation: Option<Spanned<String>>,
    /// The tags of the header, in the order of the file and as written.
    pub tags: Vec<Tag>,
    /// Comments before the first game.
    pub comments: Vec<Spanned<String>>,
    /// The names of the players as the first game has them.
    pub names: ByPlayer<String>,
    /// Ratings that stand beside the names.
    pub ratings: ByPlayer<Option<String>>,
    /// The games.
    pub games: Vec<GameRecord>,
    /// Whether the match marks hits with a star anywhere. `None`: the format has no such marks.
    pub has_hit_marks: Option<bool>,
}

/// A header line: a name and a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// The name as written.
    pub name: String,
    /// The value as written, without its quotes.
    pub value: String,
    /// Where it stands.
    pub span: Span,
}

/// A program that writes transcripts and is known by its habits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    /// The name in the JSON output.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// How the program was recognised: `the Site tag`, `the column of the right player`.
    pub known_by: &'static str,
}

impl Dialect {
    /// The programs that are known by name.
    const KNOWN: [(&'static str, &'static str); 11] = [
        ("xg", "eXtreme Gammon"),
        ("xg-mobile", "XG Mobile"),
        ("bgstudio", "Backgammon Studio"),
        ("galaxy", "Backgammon Galaxy"),
        ("opengammon", "OpenGammon"),
        ("foxamon", "Foxamon"),
        ("choue", "choue.net"),
        ("gridgammon", "GridGammon"),
        ("dailygammon", "DailyGammon"),
        ("snowie", "Snowie"),
        ("gnubg", "GNU Backgammon"),
    ];

    /// The program that a record names.
    pub fn known(name: &str) -> Option<Dialect> {
        let found = Dialect::KNOWN
            .into_iter()
            .find(|(known, _)| *known == name)?;
        Some(Dialect {
            name: found.0,
            title: found.1,
            known_by: "its name in the record",
        })
    }
}

/// A game as written.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GameRecord {
    /// The heading, or where the game starts.
    pub heading: Span,
    /// The number in the heading.
    pub number: Option<Spanned<u32>>,
    /// Whether names and score of the game are stated at all.
    pub has_score_line: bool,
    /// The players' names in this game. `None` where they are those of the match.
    pub names: ByPlayer<Option<Spanned<String>>>,
    /// The score before the game.
    pub score: Option<Spanned<ByPlayer<u32>>>,
    /// Whether the heading says that this is the Crawford game.
    pub crawford: Option<Spanned<bool>>,
    /// The position and cube from which the game starts, where that is not the usual one.
    pub start: Option<Spanned<Setup>>,
    /// What the players did, in order.
    pub entries: Vec<Entry>,
    /// The result.
    pub result: Option<Spanned<GameResult>>,
    /// Comments that belong to no entry.
    pub comments: Vec<Spanned<String>>,
}

/// A game whose plays were made when they were read, for who asks only whether anything is wrong.
///
/// It stands beside a [`GameRecord`] that has what else was done: only such plays are made as are in turn, legal in
/// backgammon from the position before them, and marked as hits exactly where they hit. The game starts from the usual
/// position and has no equal dice at its start.
#[derive(Debug, Clone, PartialEq)]
pub struct MadeGame {
    /// The plays in a row before each entry of the record, and behind the last one.
    pub runs: Vec<Run>,
    /// The position after all of them.
    pub position: Position,
}

impl MadeGame {
    /// Before the first play.
    pub fn new() -> MadeGame {
        MadeGame {
            runs: vec![Run::default()],
            position: Position::start(Variant::Backgammon),
        }
    }

    /// The same, with the room that this game took.
    pub fn start_again(&mut self) {
        self.runs.clear();
        self.runs.push(Run::default());
        self.position = Position::start(Variant::Backgammon);
    }

    /// How many plays were made.
    pub fn plays(&self) -> u32 {
        self.runs.iter().map(|run| run.plays).sum()
    }
}

impl Default for MadeGame {
    fn default() -> MadeGame {
        MadeGame::new()
    }
}

/// Plays of both players in turn; a roll that could not be played is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// Who made the first one.
    pub first: Player,
    /// How many they are.
    pub plays: u32,
}

impl Default for Run {
    /// None at all.
    fn default() -> Run {
        Run {
            first: Player::One,
            plays: 0,
        }
    }
}

/// The result of a game as stated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GameResult {
    /// The winner. `None`: the statement does not tell (it stands in the free half of the last row).
    pub winner: Option<Player>,
    /// The points won. `None`: not stated.
    pub points: Option<u32>,
    /// Whether the statement says that this game decided the match.
    pub and_match: bool,
    /// How many entries of the game stand before it.
    pub after: u32,
    /// Whether it was said only by a cell of the loser.
    pub by_loss: bool,
    /// Whether it shares the row of the last play, so that its column says little about the winner.
    pub in_row: bool,
    /// The kind of win, where the format states it.
    pub win: Option<Win>,
    /// Whether the format says that the game ended by resignation.
    pub resigned: bool,
}

/// One action of a player.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Who acted.
    pub player: Player,
    /// What was done.
    pub action: Action,
    /// The number of the row, as written; 0 if the format has none.
    pub row: u32,
    /// Where it is written.
    pub span: Span,
    /// What few entries have.
    pub extra: Option<Box<Extra>>,
}

/// What few entries have: comments, stated positions, marks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Extra {
    /// The comment on this entry.
    pub comment: Option<String>,
    /// The position that the transcript states after it.
    pub position_after: Option<Spanned<Setup>>,
    /// Whether the transcript itself says that the play was illegal.
    pub declared_illegal: bool,
    /// What is written here could not be read; the reader has reported it.
    pub unreadable: bool,
    /// Analysis of the file's own, by name, as [`analysis`] lists them; other names are those of the format.
    pub analysis: Vec<(String, String)>,
    /// What the clock shows.
    pub seconds: Option<Seconds>,
}

/// What a clock shows at an action.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Seconds {
    /// How long the action took.
    pub used: Option<f64>,
    /// What was left in the player's bank: after the action where the time that it took is stated too, else
    /// when the player's turn began.
    pub left: Option<f64>,
}

/// An action of a player.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Action {
    /// A roll and what was done with it.
    Play {
        /// The dice as written.
        roll: WrittenRoll,
        /// What is written behind the dice.
        play: WrittenPlay,
    },
    /// A double, with the value to which the cube goes.
    Double {
        /// The value as written.
        to: Option<u32>,
        /// The roll that stands before the double: it came too late.
        after_roll: Option<WrittenRoll>,
    },
    /// The player doubled redoubles at once and keeps the cube.
    Beaver {
        /// The value as written.
        to: Option<u32>,
    },
    /// The doubler turns the cube once more after a beaver.
    Raccoon {
        /// The value as written.
        to: Option<u32>,
    },
    /// A double is accepted.
    Take,
    /// A double is refused.
    Pass,
    /// The player gives up.
    Resign {
        /// What was offered.
        win: Option<Win>,
    },
    /// A resignation is accepted.
    Accept,
    /// A resignation is refused.
    Reject,
    /// The player lost on time.
    TimeOut,
    /// The player gave up before rolling: `00:`.
    NoRoll,
    /// The board was set by hand; the position is in the entry's [`Extra`].
    Set,
    /// Something that could not be read, in the place of an action.
    Unreadable,
}

/// Two digits where dice should be; they may show anything from 0 to 9.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenRoll(pub u8, pub u8);

impl WrittenRoll {
    /// The roll; `None` if one of the digits is not on a die.
    #[inline]
    pub fn roll(self) -> Option<crate::board::Roll> {
        crate::board::Roll::new(self.0, self.1)
    }
}

impl std::fmt::Display for WrittenRoll {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.0, self.1)
    }
}

/// What is written behind a roll.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WrittenPlay {
    /// Moves; each may span several dice. `8/5(2)` is two of them.
    Moves(Play),
    /// Words that say that nothing could be played.
    CannotMove,
    /// Nothing at all: a dance, a resignation, or a play left out. Only the rules can tell.
    Nothing,
    /// Marks that say that the play was not recorded: `????`.
    NotRecorded,
}

impl MatchRecord {
    /// The value of a tag, whatever the case of its name; the first one if there are several.
    pub fn tag(&self, name: &str) -> Option<&Tag> {
        self.tags
            .iter()
            .find(|tag| tag.name.eq_ignore_ascii_case(name))
    }

    /// Whether a tag says `On` or `Off`.
    pub fn switch(&self, name: &str) -> Option<(bool, &Tag)> {
        let tag = self.tag(name)?;
        Some((tag.switch()?, tag))
    }
}

impl Tag {
    /// What its value says as a switch. `None`: it says neither on nor off.
    pub fn switch(&self) -> Option<bool> {
        match self.value.trim().to_ascii_lowercase().as_str() {
            "on" | "yes" | "true" | "1" => Some(true),
            "off" | "no" | "false" | "0" => Some(false),
            _ => None,
        }
    }
}

impl Entry {
    /// An entry with nothing unusual about it.
    pub fn new(player: Player, action: Action, row: u32, span: Span) -> Entry {
        Entry {
            player,
            action,
            row,
            span,
            extra: None,
        }
    }

    /// The rarely used part, made if it is not there.
    pub fn extra_mut(&mut self) -> &mut Extra {
        self.extra.get_or_insert_default()
    }
}

/// Names of analysis that several formats have. Equities, errors and luck are decimal numbers in points of a
/// cube of 1, from the view of the player who acts; errors are what was lost, 0 or more.
///
/// What is said of the cube before a roll stands with the double, or with the roll if there was none; what is
/// said of the answer stands with the answer.
pub mod analysis {
    use std::fmt::Write;

    /// What the play loses against the best one.
    pub const ERROR: &str = "error";
    /// The luck of the roll.
    pub const LUCK: &str = "luck";
    /// The equity after the play that was made.
    pub const EQUITY: &str = "equity";
    /// How deep the play was analysed, in the words of the program.
    pub const LEVEL: &str = "level";
    /// A play that was looked at, with its equity and, where there are any, the chances in percent:
    /// `24/18 13/11 +0.083 win 52.9 9.8 0.4 loss 47.1 11.3 0.3`; the gammons of each side are in its wins,
    /// and the backgammons in its gammons. One for each, the best first.
    pub const CANDIDATE: &str = "candidate";
    /// What was lost by doubling, or by not doubling.
    pub const CUBE_ERROR: &str = "cube-error";
    /// What was lost by taking or by passing.
    pub const TAKE_ERROR: &str = "take-error";
    /// What would have been right: `no double`, `double, take`, `double, pass`, `too good`.
    pub const CUBE_VERDICT: &str = "cube-verdict";
    /// The equity without a double.
    pub const NO_DOUBLE: &str = "no-double";
    /// The equity if the opponent takes.
    pub const DOUBLE_TAKE: &str = "double-take";
    /// The equity if the opponent passes.
    pub const DOUBLE_PASS: &str = "double-pass";
    /// The chances before the cube action, written as those of a candidate.
    pub const CUBE_CHANCES: &str = "cube-chances";
    /// How deep the cube action was analysed.
    pub const CUBE_LEVEL: &str = "cube-level";

    /// A number as analysis has it: with a sign and at least three digits after the point.
    pub fn number(value: f64) -> String {
        // Six digits are what the formats hold; trailing zeros beyond the third say nothing.
        let text = format!("{value:+.6}");
        let end = text.trim_end_matches('0').len();
        let shortest = text.find('.').map_or(text.len(), |point| point + 4);
        text[..end.max(shortest)].to_owned()
    }

    /// Chances as analysis has them: won games, gammons and backgammons, then lost ones; each from 0 to 1, the
    /// gammons among the wins and the backgammons among the gammons.
    pub fn chances(won: [f64; 3], lost: [f64; 3]) -> String {
        let mut text = String::with_capacity(48);
        for (word, chances) in [("win", won), (" loss", lost)] {
            text.push_str(word);
            for chance in chances {
                // Hundredths of a percent as whole numbers: files have thirty of these for a roll.
                let hundredths = (chance * 10_000.0).round().clamp(0.0, 1e9) as u32;
                let (percent, rest) = (hundredths / 100, hundredths % 100);
                // Writing into a string does not fail.
                let _ = write!(text, " {percent}.{rest:02}");
            }
        }
        text
    }

    /// An error: what was lost, without a sign.
    pub fn loss(value: f64) -> String {
        number(value.abs()).trim_start_matches('+').to_owned()
    }

    #[cfg(test)]
    mod tests {
        #[test]
        fn numbers_have_a_sign_and_three_digits() {
            let texts = [0.0, 0.1234567, -1.5, 0.0004].map(super::number);
            assert_eq!(texts, ["+0.000", "+0.123457", "-1.500", "+0.0004"]);
        }

        #[test]
        fn chances_are_percent() {
            let text = super::chances([0.5291, 0.0981, 0.004], [0.4709, 0.1134, 0.0029]);
            assert_eq!(text, "win 52.91 9.81 0.40 loss 47.09 11.34 0.29");
        }
    }
}
