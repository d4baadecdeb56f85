//! A transcript with its slips repaired: the text is edited where the slips are, and is otherwise byte for byte
//! what it was.
//!
//! Only what is certain is repaired: a change that no other one, however unlikely, explains as well, unless the
//! caller chooses one. The text is edited in rounds: in each the first open fault of every game, and then it is
//! read again. An edit of which the reader does not make the game that was meant is taken back.

mod encode;
mod mat;
mod sgf;

use std::collections::BTreeSet;
use std::ops::Range;

use crate::formats::{Format, NotThisFormat};
use crate::record::{Action, Entry, GameRecord, MatchRecord, WrittenPlay};
use crate::repair::{Explanation, Repair, apply};
use crate::report::{CheckOptions, GameRepairs, repairs_of};
use crate::source::{Source, SourceError};

pub use encode::same_bytes;

/// How often a text is read again at most: one slip more of a game is repaired each time.
const ROUNDS: usize = 12;

/// A stretch of a text and what stands there instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextEdit {
    /// The bytes that are replaced.
    pub range: Range<usize>,
    /// What is there instead.
    pub text: String,
}

/// What is done about the faults of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// This one of the repairs is made, from 0.
    Make(usize),
    /// None is.
    Leave,
    /// None is, and nothing more of the file.
    Stop,
}

/// A fault with what explains it, in the words of a file.
#[derive(Debug)]
pub struct Proposal<'a> {
    /// The text as it stands.
    pub source: &'a Source,
    /// The match.
    pub record: &'a MatchRecord,
    /// The number of the game in the match, from 1.
    pub game: usize,
    /// The code of the finding.
    pub code: &'static str,
    /// What explains it.
    pub explanation: &'a Explanation,
    /// The limit at which the search ended before its time: another change may explain it as well.
    pub limit: Option<&'static str>,
}

impl Proposal<'_> {
    /// The repair that is certain: the only one, known to the letter, after a search that was not cut short.
    pub fn certain(&self) -> Choice {
        match self.explanation.is_sole() {
            Some(_) if self.limit.is_none() => Choice::Make(0),
            _ => Choice::Leave,
        }
    }
}

/// A repair that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// The code of the finding.
    pub code: &'static str,
    /// The match in the file and the game in the match, from 1.
    pub place: (usize, usize),
    /// The kind of the slip.
    pub kind: &'static str,
}

/// A fault that is left as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    /// The code of the finding.
    pub code: &'static str,
    /// The match in the file and the game in the match, from 1.
    pub place: (usize, usize),
    /// The line of the finding.
    pub line: u64,
    /// Why.
    pub why: String,
}

/// A text with its slips repaired.
#[derive(Debug)]
pub struct Fixed {
    /// The text.
    pub text: String,
    /// What was repaired, in the order in which that was done.
    pub made: Vec<Made>,
    /// What was not.
    pub left: Vec<Left>,
}

/// Why a transcript cannot be edited.
#[derive(Debug)]
pub enum CannotFix {
    /// It is not of the format.
    NotThisFormat(NotThisFormat),
    /// Its format has no editor.
    NoEditor(&'static Format),
    /// The edited text cannot be decoded again.
    Source(SourceError),
}

impl std::fmt::Display for CannotFix {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CannotFix::NotThisFormat(reason) => reason.fmt(f),
            CannotFix::NoEditor(format) if format.binary => write!(
                f,
                "{} is no text that could be edited; convert it first: tawla convert FILE -t mat",
                format.title
            ),
            CannotFix::NoEditor(format) => write!(
                f,
                "{} cannot be edited in its place; convert it first: tawla convert FILE -t mat",
                format.title
            ),
            CannotFix::Source(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CannotFix {}

/// Edits the text of a game of a format.
///
/// # Errors
///
/// The repair cannot be written into this text, and why.
type Editor = fn(&str, &MatchRecord, usize, &Repair) -> Result<Vec<TextEdit>, String>;

/// The formats whose text can be edited.
const EDITORS: &[(&str, Editor)] = &[("mat", mat::edits), ("sgf", sgf::edits)];

/// Whether the text of a format can be edited.
pub fn is_editable(format: &Format) -> bool {
    editor(format).is_some()
}

fn editor(format: &Format) -> Option<Editor> {
    let mut editors = EDITORS.iter();
    editors.find_map(|(name, editor)| (*name == format.name).then_some(*editor))
}

/// Repairs a transcript. Of each fault that has an explanation `choose` says what is done about it.
///
/// # Errors
///
/// The source is not of the format, or the format has no editor.
pub fn fix(
    source: &Source,
    format: &'static Format,
    options: &CheckOptions,
    choose: &mut dyn FnMut(&Proposal<'_>) -> Choice,
) -> Result<Fixed, CannotFix> {
    let edit = editor(format).ok_or(CannotFix::NoEditor(format))?;
    let mut fixer = Fixer {
        format,
        options: CheckOptions {
            format: Some(format),
            ..options.clone()
        },
        edit,
        fixed: Fixed {
            text: source.text().to_owned(),
            made: Vec::new(),
            left: Vec::new(),
        },
        settled: BTreeSet::new(),
        is_stopped: false,
    };
    for _ in 0..ROUNDS {
        if !fixer.round(source.name(), choose)? {
            break;
        }
    }
    Ok(fixer.fixed)
}

/// What is known between two rounds.
struct Fixer {
    format: &'static Format,
    options: CheckOptions,
    edit: Editor,
    fixed: Fixed,
    /// The games, by match and game from 0, about which nothing more is done.
    settled: BTreeSet<(usize, usize)>,
    is_stopped: bool,
}

/// A repair on its way.
struct Pending {
    place: (usize, usize),
    edits: Vec<TextEdit>,
    meant: GameRecord,
    made: Made,
    line: u64,
}

impl Fixer {
    /// Repairs the first open fault of each game; false if there was nothing to do.
    fn round(
        &mut self,
        name: &str,
        choose: &mut dyn FnMut(&Proposal<'_>) -> Choice,
    ) -> Result<bool, CannotFix> {
        let source = source_of(name, &self.fixed.text)?;
        let mut pending = Vec::new();
        let options = self.options.clone();
        let looked = repairs_of(&source, &options, &mut |record, number, games| {
            for found in games {
                pending.extend(self.chosen(&source, record, number, &found, choose));
            }
        });
        looked.map_err(CannotFix::NotThisFormat)?;
        if pending.is_empty() {
            return Ok(false);
        }
        // What the reader does not understand as it was meant is taken back, and the others stay.
        loop {
            let text = edited(&self.fixed.text, &pending);
            let records = self.read(name, &text)?;
            let before = pending.len();
            pending.retain(|repair| {
                let is_meant = (records.get(repair.place.0))
                    .and_then(|record| record.games.get(repair.place.1))
                    .is_some_and(|game| is_same(game, &repair.meant));
                if !is_meant {
                    let why = "the repair does not fit into the text".to_owned();
                    self.leave(repair.made.code, repair.place, repair.line, why);
                }
                is_meant
            });
            if pending.len() == before {
                self.fixed.text = text;
                break;
            }
        }
        let any = !pending.is_empty();
        self.fixed
            .made
            .extend(pending.into_iter().map(|repair| repair.made));
        Ok(any)
    }

    fn read(&self, name: &str, text: &str) -> Result<Vec<MatchRecord>, CannotFix> {
        let source = source_of(name, text)?;
        let mut records = Vec::new();
        if let Some(read) = self.format.read {
            read(&source, &mut |record, _| records.push(record.clone()))
                .map_err(CannotFix::NotThisFormat)?;
        }
        Ok(records)
    }

    fn leave(&mut self, code: &'static str, place: (usize, usize), line: u64, why: String) {
        self.settled.insert(place);
        self.fixed.left.push(Left {
            code,
            place: (place.0 + 1, place.1 + 1),
            line,
            why,
        });
    }

    /// The repair of a game, if one is chosen and can be written.
    fn chosen(
        &mut self,
        source: &Source,
        record: &MatchRecord,
        number: usize,
        found: &GameRepairs,
        choose: &mut dyn FnMut(&Proposal<'_>) -> Choice,
    ) -> Option<Pending> {
        let place = (number, found.game);
        let first = found.explained.first()?;
        let code = first.code;
        if self.settled.contains(&place) || self.is_stopped {
            return None;
        }
        let proposal = Proposal {
            source,
            record,
            game: found.game + 1,
            code,
            explanation: &first.explanation,
            limit: found.limit,
        };
        let line = source.line_column(first.place.start).line;
        let repair = match choose(&proposal) {
            Choice::Make(index) => first.explanation.repairs.get(index)?,
            choice => {
                self.is_stopped = choice == Choice::Stop;
                let why = why_not(&first.explanation, found.limit);
                self.leave(code, place, line, why);
                return None;
            }
        };
        let game = record.games.get(found.game)?;
        match (self.edit)(source.text(), record, found.game, repair) {
            Ok(edits) => {
                let mut meant = game.clone();
                apply(&repair.edit, &mut meant);
                Some(Pending {
                    place,
                    edits,
                    meant,
                    made: Made {
                        code,
                        place: (number + 1, found.game + 1),
                        kind: repair.slip.kind,
                    },
                    line,
                })
            }
            Err(why) => {
                self.leave(code, place, line, why);
                None
            }
        }
    }
}

/// Why an explanation is not acted upon.
fn why_not(explanation: &Explanation, limit: Option<&'static str>) -> String {
    match &explanation.repairs[..] {
        _ if limit.is_some() => {
            format!(
                "the search ended at its limit of {}",
                limit.unwrap_or_default()
            )
        }
        [sole] if sole.ways > 1 => format!("the missing turn could be one of {}", sole.ways),
        [_] if explanation.leaves_much => "other faults stay, so that it is not certain".to_owned(),
        [_] => "not asked for".to_owned(),
        repairs => format!("{} changes explain it equally well", repairs.len()),
    }
}

fn source_of(name: &str, text: &str) -> Result<Source, CannotFix> {
    let source = Source::new(name, text.as_bytes().to_vec(), Some("utf-8"));
    source.map_err(CannotFix::Source)
}

/// The text with all edits made.
fn edited(text: &str, pending: &[Pending]) -> String {
    let mut edits: Vec<&TextEdit> = pending.iter().flat_map(|repair| &repair.edits).collect();
    edits.sort_by_key(|edit| edit.range.start);
    let mut out = String::with_capacity(text.len() + 64 * edits.len());
    let mut at = 0;
    for edit in edits {
        // Games do not overlap, and neither do the edits of one.
        out.push_str(&text[at..edit.range.start.max(at)]);
        out.push_str(&edit.text);
        at = edit.range.end.max(at);
    }
    out.push_str(&text[at..]);
    out
}

/// Whether two records of a game say the same actions and the same result.
fn is_same(one: &GameRecord, other: &GameRecord) -> bool {
    let said = |game: &GameRecord| {
        let result = game.result.map(|result| result.value);
        result.map(|result| (result.winner, result.points))
    };
    let both = one.entries.iter().zip(&other.entries);
    one.entries.len() == other.entries.len()
        && both
            .clone()
            .all(|(one, other)| meaning(one) == meaning(other))
        && said(one) == said(other)
}

/// An action with its moves in one order and without marks, and one word for a roll without moves.
fn meaning(entry: &Entry) -> (crate::board::Player, Action) {
    let action = match entry.action {
        Action::Play { roll, play } => Action::Play {
            roll,
            play: match play {
                WrittenPlay::Moves(moves) => {
                    let mut moves = moves.sorted();
                    moves
                        .moves_mut()
                        .iter_mut()
                        .for_each(|moved| moved.hits = false);
                    WrittenPlay::Moves(moves)
                }
                WrittenPlay::CannotMove => WrittenPlay::Nothing,
                play => play,
            },
        },
        // Not every format writes the value.
        Action::Double { .. } => Action::Double {
            to: None,
            after_roll: None,
        },
        action => action,
    };
    (entry.player, action)
}
