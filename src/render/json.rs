//! The JSON of `check`, `score`, `show` and `plays`. These structs are the promise that scripts rely on; a
//! field that does not apply is null and never missing.

mod checked;

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;
use serde_json::value::RawValue;

pub use checked::{BaselineOutput, CheckSummaryOutput, GoneOutput, Silencer, SuppressedOutput};

use super::xgid;
use crate::board::{ByPlayer, Length, Play, Player, Plays, Position, Roll};
use crate::diagnostic::{Finding, Label, Level, SuggestedRepair};
use crate::formats::ids::position_id;
use crate::replay::{GameSummary, MatchSummary};
use crate::report::{FileAnalysis, MatchReport, Ply, Report, ShownGame, ShownMatch, Totals};
use crate::ruleset::{Origin, RuleSet};
use crate::source::Source;

/// The version of the JSON outputs.
pub const SCHEMA_VERSION: u32 = 1;

/// `tawla check --format json`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CheckOutput {
    /// The version of this format.
    pub schema_version: u32,
    /// The inputs, in the order in which they were given.
    pub files: Vec<FileOutput>,
    /// All inputs together.
    pub summary: CheckSummaryOutput,
}

/// An input.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FileOutput {
    /// Its path as given; `-` is standard input.
    pub path: String,
    /// The format in which it was read.
    pub format: Option<String>,
    /// The program that wrote it, if it was recognised.
    pub dialect: Option<String>,
    /// The encoding in which it was read.
    pub encoding: Option<String>,
    /// Why it could not be read.
    pub error: Option<String>,
    /// Its matches.
    pub matches: Vec<MatchOutput>,
    /// What was found; null in the output of `score`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub findings: Option<Vec<FindingOutput>>,
    /// What was found and is silenced; only with `--show-suppressed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suppressed: Option<Vec<SuppressedOutput>>,
    /// How many findings there are of each code; only with `--statistics`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistics: Option<BTreeMap<String, u64>>,
}

/// Counts over all inputs.
#[derive(Debug, Default, Clone, Copy, Serialize, JsonSchema)]
pub struct SummaryOutput {
    /// Inputs.
    pub files: u64,
    /// Matches.
    pub matches: u64,
    /// Games.
    pub games: u64,
    /// Actions.
    pub plies: u64,
    /// Findings of level error.
    pub errors: u64,
    /// Findings of level warning.
    pub warnings: u64,
    /// Findings of level note.
    pub notes: u64,
}

impl SummaryOutput {
    /// Adds what was read of one input.
    pub fn add_totals(&mut self, totals: &Totals) {
        self.matches += totals.matches;
        self.games += totals.games;
        self.plies += totals.plies;
    }

    /// Counts a finding.
    pub fn add_finding(&mut self, level: Level) {
        match level {
            Level::Error => self.errors += 1,
            Level::Warning => self.warnings += 1,
            Level::Note => self.notes += 1,
        }
    }

    /// Adds the counts of another summary.
    pub fn add(&mut self, other: &SummaryOutput) {
        self.files += other.files;
        self.matches += other.matches;
        self.games += other.games;
        self.plies += other.plies;
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.notes += other.notes;
    }
}

/// A match.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MatchOutput {
    /// The length; 0 for money play, null if the file does not say.
    pub match_length: Option<u32>,
    /// The names, empty where there is none.
    pub players: [String; 2],
    /// The rules it was held against.
    #[schemars(with = "RulesOutput")]
    pub rules: Box<RawValue>,
    /// The computed score.
    pub score: [u32; 2],
    /// The score as stated at the end.
    pub stated_score: Option<[u32; 2]>,
    /// The score without doubles that were not allowed.
    pub score_if_disallowed: Option<[u32; 2]>,
    /// Who won the match: 0 or 1.
    pub winner: Option<usize>,
    /// Who used up the bank first, 0 or 1, by the times that the file states.
    pub lost_on_time: Option<usize>,
    /// The games.
    pub games: Vec<GameOutput>,
    /// What the file's own analysis says of each player; null if there is none in the file.
    pub file_analysis: Option<[FileAnalysisOutput; 2]>,
}

/// What the analysis in a file says of a player, added up: points of a cube of 1.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FileAnalysisOutput {
    /// How many plays have an error, 0 included.
    pub plays: u32,
    /// What the plays lost.
    pub play_error: f64,
    /// How many decisions on the cube have one, 0 included.
    pub cube_actions: u32,
    /// What they lost.
    pub cube_error: f64,
    /// The luck of the rolls.
    pub luck: f64,
}

impl FileAnalysisOutput {
    fn new(analysis: &FileAnalysis) -> FileAnalysisOutput {
        // Files have six digits at most; what lies beyond comes from adding up.
        let rounded = |value: f64| (value * 1e6).round() / 1e6;
        FileAnalysisOutput {
            plays: analysis.plays,
            play_error: rounded(analysis.play_error),
            cube_actions: analysis.cube_actions,
            cube_error: rounded(analysis.cube_error),
            luck: rounded(analysis.luck),
        }
    }
}

/// The rules of a match and where they come from.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RulesOutput {
    /// The named set.
    pub name: String,
    /// Whether the Crawford rule holds.
    pub crawford: bool,
    /// Whether the Jacoby rule holds; null if nothing says.
    pub jacoby: Option<bool>,
    /// Whether beavers are agreed; null if nothing says.
    pub beavers: Option<bool>,
    /// Whether raccoons are agreed; null if nothing says.
    pub raccoons: Option<bool>,
    /// How many automatic doubles are agreed; null if nothing says.
    pub automatic_doubles: Option<u32>,
    /// The highest value of the cube.
    pub cube_limit: Option<u32>,
    /// Whether a cube is in use.
    pub cube: bool,
    /// What a backgammon counts.
    pub backgammon_counts: u32,
    /// Whether the Holland rule holds.
    pub holland: bool,
    /// Whether the opening winner rolls again.
    pub opening_reroll: bool,
    /// The clock: seconds free, in the bank, and the most for one move; null if there is none.
    pub clock: Option<String>,
    /// The lengths that matches may have; null for any.
    pub match_lengths: Option<String>,
    /// The `tawla.toml` that had a word in it.
    pub file: Option<String>,
    /// The game.
    pub variant: String,
    /// Where the values come from that are not those of the named set.
    pub origin: BTreeMap<String, String>,
}

/// A game.
#[derive(Debug, Serialize, JsonSchema)]
pub struct GameOutput {
    /// The game in the match, from 1.
    pub game: u32,
    /// The number as written.
    pub number: Option<u32>,
    /// The computed score before it.
    pub score_before: [u32; 2],
    /// The stated score before it.
    pub stated_score_before: Option<[u32; 2]>,
    /// Whether it is the Crawford game.
    pub is_crawford: bool,
    /// Whether the Crawford game was played before.
    pub is_post_crawford: bool,
    /// Who won: 0 or 1.
    pub winner: Option<usize>,
    /// `single`, `gammon` or `backgammon`; null after a pass.
    pub result: Option<String>,
    /// `bear-off`, `pass`, `resignation`, `time` or `unfinished`.
    pub ended_by: String,
    /// The value of the cube; after a pass as it was before the double.
    pub cube_value: u32,
    /// Who owns the cube: 0 or 1; null in the middle.
    pub cube_owner: Option<usize>,
    /// The computed points.
    pub points_won: Option<u32>,
    /// The points as stated.
    pub stated_points: Option<u32>,
    /// How many actions it has.
    pub plies: u32,
    /// The position at the end, as an XGID; null in long nardi, as every XGID.
    pub final_position: Option<String>,
}

/// A finding.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FindingOutput {
    /// The code of the rule.
    pub code: String,
    /// `error`, `warning` or `note`.
    pub level: String,
    /// What is wrong.
    pub message: String,
    /// What to do, or what would be right.
    pub help: Option<String>,
    /// The line, from 1.
    pub line: u64,
    /// The column in characters, from 1.
    pub column: u32,
    /// The line where it ends.
    pub end_line: u64,
    /// The column behind its end.
    pub end_column: u32,
    /// The match in the file, from 1.
    #[serde(rename = "match")]
    pub match_number: Option<u32>,
    /// The game in the match, from 1.
    pub game: Option<u32>,
    /// The action in the game, from 1.
    pub ply: Option<u32>,
    /// The number of the row as written.
    pub move_number: Option<u32>,
    /// Who acted: 0 or 1.
    pub player: Option<usize>,
    /// The dice.
    pub roll: Option<String>,
    /// What is written.
    pub written: Option<String>,
    /// The position before it, as an XGID.
    pub position: Option<String>,
    /// Whether the record itself says that a play was illegal.
    pub reported: Option<bool>,
    /// Whether an illegal play stands, so that the game goes on from it.
    pub stands: Option<bool>,
    /// How many plays are legal.
    pub legal_count: Option<u32>,
    /// At most five of them, nearest to what was written first.
    pub legal: Option<Vec<String>>,
    /// Further places.
    pub related: Vec<RelatedOutput>,
    /// Changes of the record that explain it, the likeliest first; null if there is none.
    pub repairs: Option<Vec<RepairOutput>>,
}

/// A change of the record that makes the rest of a game legal.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RepairOutput {
    /// The kind of the slip, such as `digit` or `turn-left-out`.
    pub kind: String,
    /// The line, from 1.
    pub line: u64,
    /// The column in characters, from 1.
    pub column: u32,
    /// What is written there; where something is missing, what stands behind it.
    pub written: String,
    /// What to write instead; null if it is to be left out, or nobody can tell.
    pub suggested: Option<String>,
    /// How many later actions are legal with it.
    pub explains_plies: u32,
    /// Whether the stated result and the next score follow; null if nothing is stated.
    pub fits_result: Option<bool>,
    /// How unlikely the slip is: 1 for the usual ones.
    pub cost: u32,
}

impl RepairOutput {
    /// The changes of a finding. `None`: there is none.
    fn of(finding: &Finding, source: &Source) -> Option<Vec<RepairOutput>> {
        let output = |repair: &SuggestedRepair| {
            let place = source.line_column(repair.span.start);
            RepairOutput {
                kind: repair.kind.to_owned(),
                line: place.line,
                column: place.column,
                written: repair.written.clone(),
                suggested: Some(repair.suggested.clone()).filter(|text| !text.is_empty()),
                explains_plies: repair.explains_plies,
                fits_result: repair.fits_result,
                cost: repair.cost,
            }
        };
        let repairs = &finding.repairs;
        (!repairs.is_empty()).then(|| repairs.iter().map(output).collect())
    }
}

/// A further place of a finding.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RelatedOutput {
    /// The line, from 1.
    pub line: u64,
    /// The column in characters, from 1.
    pub column: u32,
    /// What is there.
    pub message: String,
}

impl RelatedOutput {
    /// The further places of a finding.
    pub(in crate::render) fn of(finding: &Finding, source: &Source) -> Vec<RelatedOutput> {
        let output = |label: &Label| {
            let place = source.line_column(label.span.start);
            RelatedOutput {
                line: place.line,
                column: place.column,
                message: label.text.clone(),
            }
        };
        finding.secondary.iter().map(output).collect()
    }
}

fn pair(score: ByPlayer<u32>) -> [u32; 2] {
    score.into_array()
}

impl FileOutput {
    /// An input that was read.
    pub fn new(report: &Report, source: &Source, with_findings: bool) -> FileOutput {
        FileOutput {
            path: source.name().to_owned(),
            format: Some(report.format.name.to_owned()),
            dialect: report.dialect.map(str::to_owned),
            encoding: Some(source.encoding().to_owned()),
            error: None,
            matches: matches(&report.matches),
            findings: with_findings.then(|| {
                report
                    .findings
                    .iter()
                    .map(|finding| FindingOutput::new(finding, source))
                    .collect()
            }),
            suppressed: None,
            statistics: None,
        }
    }

    /// Adds a later piece of the same input.
    pub fn extend(&mut self, piece: FileOutput) {
        self.dialect = self.dialect.take().or(piece.dialect);
        self.matches.extend(piece.matches);
        if let (Some(findings), Some(more)) = (&mut self.findings, piece.findings) {
            findings.extend(more);
        }
        if let (Some(suppressed), Some(more)) = (&mut self.suppressed, piece.suppressed) {
            suppressed.extend(more);
        }
    }

    /// An input that could not be read.
    pub fn failed(path: &str, error: &str, with_findings: bool) -> FileOutput {
        FileOutput {
            path: path.to_owned(),
            format: None,
            dialect: None,
            encoding: None,
            error: Some(error.to_owned()),
            matches: Vec::new(),
            findings: with_findings.then(Vec::new),
            suppressed: None,
            statistics: None,
        }
    }
}

/// The matches of an input. Nearly all of them are held against the same rules, which are a third of the text of a short
/// one and are written once.
fn matches(reports: &[MatchReport]) -> Vec<MatchOutput> {
    let mut known: Option<(&RuleSet, Box<RawValue>)> = None;
    let mut outputs = Vec::with_capacity(reports.len());
    for report in reports {
        let rules = match known.take() {
            Some(known) if *known.0 == report.rules => known.1,
            _ => raw(&RulesOutput::new(&report.rules)),
        };
        known = Some((&report.rules, rules.clone()));
        outputs.push(MatchOutput::new(report, rules));
    }
    outputs
}

/// A value as the text of its JSON.
fn raw(value: &impl Serialize) -> Box<RawValue> {
    let text = crate::escape::json(value).expect("plain fields");
    RawValue::from_string(text).expect("JSON")
}

impl MatchOutput {
    fn new(report: &MatchReport, rules: Box<RawValue>) -> MatchOutput {
        let MatchSummary {
            score,
            stated_score,
            score_if_disallowed,
            winner,
            lost_on_time,
            games,
        } = &report.summary;
        MatchOutput {
            match_length: length(report.length),
            players: report.names.clone().into_array(),
            rules,
            score: pair(*score),
            stated_score: stated_score.map(pair),
            score_if_disallowed: score_if_disallowed.map(pair),
            winner: winner.map(Player::index),
            lost_on_time: lost_on_time.map(Player::index),
            games: (1..)
                .zip(games)
                .map(|(number, game)| GameOutput::new(number, game, report))
                .collect(),
            file_analysis: report
                .analysis
                .map(|both| both.as_ref().map(FileAnalysisOutput::new).into_array()),
        }
    }
}

/// 0 for money play, null if nothing says.
fn length(length: Option<Length>) -> Option<u32> {
    length.map(|length| length.points().unwrap_or(0))
}

impl RulesOutput {
    pub(in crate::render) fn new(rules: &RuleSet) -> RulesOutput {
        let origins = [
            ("crawford", rules.crawford.origin),
            ("jacoby", rules.jacoby.origin),
            ("beavers", rules.beavers.origin),
            ("raccoons", rules.raccoons.origin),
            ("automatic_doubles", rules.automatic_doubles.origin),
            ("cube_limit", rules.cube_limit.origin),
            ("cube", rules.cube.origin),
            ("backgammon_counts", rules.backgammon_counts.origin),
            ("holland", rules.holland.origin),
            ("opening_reroll", rules.opening_reroll.origin),
            ("variant", rules.variant.origin),
            ("match_lengths", rules.match_lengths.origin),
            ("clock", rules.clock.origin),
            ("name", rules.named_by),
        ];
        RulesOutput {
            name: rules.name.to_owned(),
            crawford: rules.crawford.value,
            jacoby: rules.jacoby.value,
            beavers: rules.beavers.value,
            raccoons: rules.raccoons.value,
            automatic_doubles: rules.automatic_doubles.value,
            cube_limit: rules.cube_limit.value,
            cube: rules.cube.value,
            backgammon_counts: rules.backgammon_counts.value,
            holland: rules.holland.value,
            opening_reroll: rules.opening_reroll.value,
            clock: rules.clock.value.map(|clock| clock.to_string()),
            match_lengths: rules.match_lengths.value.map(|lengths| lengths.to_string()),
            file: rules.file.as_deref().map(str::to_owned),
            variant: rules.variant.value.name().to_owned(),
            origin: origins
                .into_iter()
                .filter(|(_, origin)| *origin != Origin::Set)
                .map(|(name, origin)| (name.to_owned(), origin.name().to_owned()))
                .collect(),
        }
    }
}

impl GameOutput {
    fn new(number: u32, game: &GameSummary, report: &MatchReport) -> GameOutput {
        let last = game.last.and_then(|position| {
            xgid(&crate::diagnostic::Situation {
                variant: report.rules.variant.value,
                position,
                cube: game.cube,
                turn: game.winner.map(|winner| !winner),
                roll: None,
                score: game.before,
                length: report.length,
                crawford: game.crawford,
                money_rules: (
                    report.rules.jacoby.value == Some(true),
                    report.rules.beavers.value == Some(true),
                ),
                doubled: false,
            })
        });
        GameOutput {
            game: number,
            number: game.number,
            score_before: pair(game.before),
            stated_score_before: game.stated_before.map(pair),
            is_crawford: game.crawford,
            is_post_crawford: game.post_crawford,
            winner: game.winner.map(Player::index),
            result: game.win.map(|win| win.name().to_owned()),
            ended_by: game.ended_by.name().to_owned(),
            cube_value: game.cube.value,
            cube_owner: game.cube.owner.map(Player::index),
            points_won: game.points,
            stated_points: game.stated_points,
            plies: game.plies,
            final_position: last,
        }
    }
}

impl FindingOutput {
    fn new(finding: &Finding, source: &Source) -> FindingOutput {
        let start = source.line_column(finding.primary.span.start);
        let end = source.line_column(finding.primary.span.end);
        let play = finding.play.as_deref();
        let context = finding.context;
        FindingOutput {
            code: finding.rule.code.to_owned(),
            level: finding.level.name().to_owned(),
            message: finding.message.clone(),
            help: finding.help.clone(),
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            match_number: context.match_number,
            game: context.game,
            ply: context.ply,
            move_number: context.move_number,
            player: context.player.map(Player::index),
            roll: context.roll.map(|roll| roll.to_string()),
            written: play
                .map(|play| play.written.clone())
                .filter(|_| context.ply.is_some()),
            position: play.and_then(|play| play.before.as_ref()).and_then(xgid),
            reported: play.and_then(|play| play.reported),
            stands: play.and_then(|play| play.stands),
            legal_count: play.and_then(|play| play.legal_count),
            legal: play
                .filter(|play| play.legal_count.is_some())
                .map(|play| play.legal.clone()),
            related: RelatedOutput::of(finding, source),
            repairs: RepairOutput::of(finding, source),
        }
    }
}

/// A transcript in the output of `show`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ShowFileOutput {
    /// Its path as given.
    pub path: String,
    /// The format in which it was read.
    pub format: Option<String>,
    /// Why it could not be read.
    pub error: Option<String>,
    /// Its matches.
    pub matches: Vec<ShowMatchOutput>,
}

/// A match in the output of `show`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ShowMatchOutput {
    /// The length; 0 for money play.
    pub match_length: Option<u32>,
    /// The names.
    pub players: [String; 2],
    /// The rules it was replayed under.
    pub rules: RulesOutput,
    /// The games.
    pub games: Vec<ShowGameOutput>,
}

/// A game in the output of `show`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ShowGameOutput {
    /// The number as written, or the game in the match.
    pub number: u32,
    /// The position before the first action, as an XGID; null in long nardi.
    pub start_position: Option<String>,
    /// The actions.
    pub plies: Vec<PlyOutput>,
}

/// An action in the output of `show`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PlyOutput {
    /// The action in the game, from 1.
    pub ply: u32,
    /// Who acted: 0 or 1.
    pub player: usize,
    /// `play`, `no-play`, `unrecorded`, `double`, `take`, `pass`, `beaver`, `raccoon`, `resign`, `accept`,
    /// `reject` or `setup`.
    pub action: String,
    /// The dice.
    pub roll: Option<String>,
    /// The play.
    pub play: Option<String>,
    /// Whether it is legal.
    pub legal: Option<bool>,
    /// The value of the cube that a turn of it offers.
    pub cube_value: Option<u32>,
    /// The position before it, as an XGID.
    pub position: Option<String>,
    /// The position after it: a position ID seen from who has just moved.
    pub result_id: Option<String>,
    /// The comment on it.
    pub comment: Option<String>,
    /// What the file's own analysis says of it: names and values; null if it says nothing.
    pub file_analysis: Option<Vec<[String; 2]>>,
    /// What was left in the player's bank after it, in seconds; null without a clock.
    pub bank: Option<f64>,
    /// The number of the row as written.
    pub move_number: Option<u32>,
    /// The line, from 1.
    pub line: u64,
}

impl ShowFileOutput {
    /// A transcript that was read.
    pub fn new(format: &str, matches: &[ShownMatch], source: &Source) -> ShowFileOutput {
        ShowFileOutput {
            path: source.name().to_owned(),
            format: Some(format.to_owned()),
            error: None,
            matches: matches
                .iter()
                .map(|shown| ShowMatchOutput::new(shown, source))
                .collect(),
        }
    }
}

impl ShowMatchOutput {
    /// A match of a source.
    pub fn new(shown: &ShownMatch, source: &Source) -> ShowMatchOutput {
        let game = |(number, game): (u32, &ShownGame)| ShowGameOutput {
            number: game.number.unwrap_or(number),
            start_position: xgid(&game.start),
            plies: (1..)
                .zip(&game.plies)
                .map(|(number, ply)| PlyOutput::new(number, ply, source))
                .collect(),
        };
        ShowMatchOutput {
            match_length: length(shown.length),
            players: shown.names.clone().into_array(),
            rules: RulesOutput::new(&shown.rules),
            games: (1..).zip(&shown.games).map(game).collect(),
        }
    }
}

impl PlyOutput {
    fn new(number: u32, ply: &Ply, source: &Source) -> PlyOutput {
        PlyOutput {
            ply: number,
            player: ply.player.index(),
            action: ply.action.to_owned(),
            roll: ply.roll.map(|roll| roll.to_string()),
            play: ply.play.clone(),
            legal: ply.legal,
            cube_value: ply.cube_value,
            position: ply.before.as_ref().and_then(xgid),
            result_id: ply.after.map(|position| position_id(&position, ply.player)),
            comment: ply.comment.clone(),
            file_analysis: (!ply.analysis.is_empty()).then(|| {
                let said = ply.analysis.iter().cloned();
                said.map(|(name, value)| [name, value]).collect()
            }),
            bank: ply.bank,
            move_number: ply.row,
            line: source.line_column(ply.span.start).line,
        }
    }
}

/// `tawla plays --format json`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PlaysOutput {
    /// The position, as an XGID; null in long nardi.
    pub position: Option<String>,
    /// The position, as a position ID of the player on roll.
    pub position_id: String,
    /// The dice.
    pub roll: String,
    /// How many plays are legal.
    pub legal_count: usize,
    /// The plays.
    pub plays: Vec<PlayOutput>,
    /// The verdict on the play that was asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<WhyOutput>,
}

/// A legal play.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PlayOutput {
    /// In notation.
    pub play: String,
    /// One move a die; 25 is the bar and 0 off.
    pub steps: Vec<[u8; 2]>,
    /// How many checkers it hits.
    pub hits: usize,
    /// The position after it, seen from who has just moved.
    pub result_id: String,
}

/// The verdict on a play.
#[derive(Debug, Serialize, JsonSchema)]
pub struct WhyOutput {
    /// Whether it is legal.
    pub legal: bool,
    /// The rule that it breaks.
    pub code: Option<String>,
    /// Why.
    pub message: Option<String>,
}

impl PlaysOutput {
    /// The legal plays of a roll.
    pub fn new(
        position: &Position,
        player: Player,
        roll: Roll,
        xgid: Option<String>,
        plays: &Plays,
    ) -> PlaysOutput {
        let output = |(after, play): &(Position, Play)| PlayOutput {
            play: play.to_string(),
            steps: play
                .sorted()
                .moves()
                .iter()
                .map(|moved| [moved.from.number(), moved.to.number()])
                .collect(),
            hits: play.hits(),
            result_id: position_id(after, player),
        };
        PlaysOutput {
            position: xgid,
            position_id: position_id(position, player),
            roll: roll.to_string(),
            legal_count: plays.len(),
            plays: plays.iter().map(output).collect(),
            why: None,
        }
    }
}

/// The JSON Schema of the output of `check`.
pub fn check_schema() -> Schema {
    schema_for!(CheckOutput)
}

/// `tawla show --format json`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ShowOutput {
    /// The version of this format.
    pub schema_version: u32,
    /// The transcripts.
    pub files: Vec<ShowFileOutput>,
}

/// The JSON Schema of the output of `show`.
pub fn show_schema() -> Schema {
    schema_for!(ShowOutput)
}

/// The JSON Schema of the output of `plays`.
pub fn plays_schema() -> Schema {
    schema_for!(PlaysOutput)
}
