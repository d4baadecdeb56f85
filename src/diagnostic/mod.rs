//! Findings: what is wrong, where, by which rule.

pub mod syntax;

use crate::board::{ByPlayer, Cube, Length, Player, Position, Roll, Variant};
use crate::source::Span;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Worth knowing.
    Note,
    /// Likely wrong, or ambiguous.
    Warning,
    /// The record or a play is wrong.
    Error,
}

impl Level {
    /// `note`, `warning` or `error`.
    pub fn name(self) -> &'static str {
        match self {
            Level::Note => "note",
            Level::Warning => "warning",
            Level::Error => "error",
        }
    }
}

/// A rule that findings refer to.
#[derive(Debug)]
pub struct Rule {
    /// The name, in kebab-case; it says what was found.
    pub code: &'static str,
    /// What it belongs to: `play`, `turn`, `cube`, `score`, `record` or `chouette`.
    pub subject: &'static str,
    /// How bad it is, unless the finding says otherwise.
    pub level: Level,
    /// One line.
    pub title: &'static str,
    /// The rule in plain words, with what to do about it.
    pub explain: &'static str,
    /// Lines of a transcript in which it is found.
    pub example: &'static str,
}

/// A further place of a finding and what is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is there.
    pub text: String,
}

/// Something that was found.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The rule.
    pub rule: &'static Rule,
    /// How bad it is here.
    pub level: Level,
    /// What is wrong, in one line without a full stop.
    pub message: String,
    /// Where, and why.
    pub primary: Label,
    /// Further places.
    pub secondary: Vec<Label>,
    /// What to do, or what would be right.
    pub help: Option<String>,
    /// In which match, game and action.
    pub context: Context,
    /// What is known of a play that was judged.
    pub play: Option<Box<JudgedPlay>>,
    /// Changes of the record that explain what was found, the likeliest first; none if nobody looked for any.
    pub repairs: Vec<SuggestedRepair>,
}

/// A change of the record that makes the rest of a game legal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuggestedRepair {
    /// The kind of the slip.
    pub kind: &'static str,
    /// Where it is, or what stands behind what is missing.
    pub span: Span,
    /// What is written there.
    pub written: String,
    /// What to write instead; empty if something is to be left out, or nobody can tell.
    pub suggested: String,
    /// How many later actions are legal with it.
    pub explains_plies: u32,
    /// Whether the stated result and the next score follow. `None`: nothing is stated.
    pub fits_result: Option<bool>,
    /// How unlikely the slip is.
    pub cost: u32,
}

/// In which match, game and action something was found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Context {
    /// The match in the file, from 1.
    pub match_number: Option<u32>,
    /// The game in the match, from 1.
    pub game: Option<u32>,
    /// The action in the game, from 1.
    pub ply: Option<u32>,
    /// The number of the row as written.
    pub move_number: Option<u32>,
    /// Who acted.
    pub player: Option<Player>,
    /// The dice.
    pub roll: Option<Roll>,
}

impl Context {
    /// The last of so many games of a match, or the match itself before its first game.
    pub fn in_last_game(match_number: u32, games: usize) -> Context {
        Context {
            match_number: Some(match_number),
            game: u32::try_from(games).ok().filter(|&games| games > 0),
            ..Context::default()
        }
    }
}

/// What is known of a play that was judged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JudgedPlay {
    /// The play as written.
    pub written: String,
    /// The situation before it. `None`: the position is not known.
    pub before: Option<Situation>,
    /// The transcript itself says that it was illegal. `None`: the finding is not about an illegal play.
    pub reported: Option<bool>,
    /// The play stands: the game goes on from it.
    pub stands: Option<bool>,
    /// How many legal plays there are.
    pub legal_count: Option<u32>,
    /// At most five of them, nearest to what was written first.
    pub legal: Vec<String>,
}

/// A position with all that belongs to it at that moment of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Situation {
    /// The game that is played.
    pub variant: Variant,
    /// Where the checkers stand.
    pub position: Position,
    /// The cube.
    pub cube: Cube,
    /// Who is on roll. `None`: nobody knows yet.
    pub turn: Option<Player>,
    /// The dice.
    pub roll: Option<Roll>,
    /// The score before the game.
    pub score: ByPlayer<u32>,
    /// The length of the match.
    pub length: Option<Length>,
    /// Whether this is the Crawford game.
    pub crawford: bool,
    /// Whether the Jacoby rule holds, and whether beavers are agreed; in money play.
    pub money_rules: (bool, bool),
    /// Whether a double waits for an answer.
    pub doubled: bool,
}

impl Finding {
    /// A finding at a place, with the level of its rule.
    pub fn new(
        rule: &'static Rule,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> Finding {
        Finding {
            rule,
            level: rule.level,
            message: message.into(),
            primary: Label {
                span,
                text: label.into(),
            },
            secondary: Vec::new(),
            help: None,
            context: Context::default(),
            play: None,
            repairs: Vec::new(),
        }
    }

    /// With advice, or what would be right.
    pub fn help(mut self, help: impl Into<String>) -> Finding {
        self.help = Some(help.into());
        self
    }

    /// With a further place.
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Finding {
        self.secondary.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    /// With another level than the rule's own.
    pub fn at_level(mut self, level: Level) -> Finding {
        self.level = level;
        self
    }

    /// Whether it tells that a limit of what is read was reached.
    pub fn tells_a_limit(&self) -> bool {
        std::ptr::eq(self.rule, &syntax::LIMIT_REACHED)
    }

    /// In a match, game and action.
    pub fn within(mut self, context: Context) -> Finding {
        self.context = context;
        self
    }
}

/// Findings in the order in which they were made, up to [`Findings::MOST`].
#[derive(Debug, Clone, Default)]
pub struct Findings {
    list: Vec<Finding>,
    is_full: bool,
}

impl Findings {
    /// So many are kept of an input, or of a piece of a long one. A file of which there is more to say is no
    /// transcript, and telling it costs many times its size.
    pub const MOST: usize = 20_000;

    /// Adds one, if there is room for it or it tells that a limit was reached.
    pub fn push(&mut self, finding: Finding) {
        if self.list.len() < Findings::MOST || finding.tells_a_limit() {
            self.list.push(finding);
        } else {
            self.is_full = true;
        }
    }

    /// Whether one was left out for want of room.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// All of them.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Finding> {
        self.list.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All of them, taken out.
    pub fn take(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.list)
    }

    /// Those from `first` on, taken out.
    pub fn take_from(&mut self, first: usize) -> Vec<Finding> {
        self.list.split_off(first)
    }

    /// Changes each finding from `first` on.
    pub fn from_index_mut(&mut self, first: usize) -> &mut [Finding] {
        &mut self.list[first..]
    }
}

impl IntoIterator for Findings {
    type Item = Finding;
    type IntoIter = std::vec::IntoIter<Finding>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}
