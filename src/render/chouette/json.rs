//! The JSON of `tawla chouette`. These structs are the promise that scripts rely on; a field that does not
//! apply is null and never missing. Players are named, as there are more than two.

use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;

use crate::chouette::{Game, PlayerId, Report, Session};
use crate::diagnostic::{Finding, Level};
use crate::render::json::{RelatedOutput, RulesOutput};
use crate::source::Source;

/// `tawla chouette --format json`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ChouetteOutput {
    /// The version of this format.
    pub schema_version: u32,
    /// The session logs, in the order in which they were given.
    pub files: Vec<SessionOutput>,
    /// All of them together.
    pub summary: SessionsOutput,
}

/// A session log.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SessionOutput {
    /// Its path as given; `-` is standard input.
    pub path: String,
    /// How it is written: `text` or `json`.
    pub form: Option<String>,
    /// The encoding in which it was read.
    pub encoding: Option<String>,
    /// Why it could not be read.
    pub error: Option<String>,
    /// The names, in the order in which they come up.
    pub players: Vec<String>,
    /// What a point is worth; null if the log does not say.
    pub stake: Option<StakeOutput>,
    /// The rules it was held against; null if it could not be read.
    pub rules: Option<RulesOutput>,
    /// The games.
    pub games: Vec<ChouetteGameOutput>,
    /// What each player has won or lost; adds up to zero.
    pub total: Vec<PlayerOutput>,
    /// What was found.
    pub findings: Vec<ChouetteFindingOutput>,
}

/// What a point is worth.
#[derive(Debug, Serialize, JsonSchema)]
pub struct StakeOutput {
    /// The amount.
    pub amount: f64,
    /// What it is counted in; may be empty.
    pub unit: String,
}

/// What a player wins or loses.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PlayerOutput {
    /// The name.
    pub player: String,
    /// Points, above zero if won.
    pub points: i64,
    /// The points at the stake; null if none is stated.
    pub money: Option<f64>,
}

/// A game.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ChouetteGameOutput {
    /// The game in the session, from 1.
    pub game: u32,
    /// The line where it starts.
    pub line: u64,
    /// Who plays alone.
    #[serde(rename = "box")]
    pub box_player: Option<String>,
    /// The team as it sat down: the captain, then the queue.
    pub team: Vec<String>,
    /// The captain at the end.
    pub captain: Option<String>,
    /// Who has passed a double of the box and was out.
    pub passed: Vec<PassOutput>,
    /// The value of the cube; after a pass of all as it was before the double.
    pub cube_value: u64,
    /// Who owns the cube: `box` or `team`; null in the middle.
    pub cube_owner: Option<String>,
    /// Who has won: `box` or `team`; null if nothing says.
    pub winner: Option<String>,
    /// `single`, `gammon` or `backgammon`; null after a pass.
    pub result: Option<String>,
    /// `play`, `pass` or `unfinished`.
    pub ended_by: String,
    /// What each member who was still in wins or loses; null if nothing says.
    pub points: Option<u64>,
    /// What each player who sat down wins or loses; adds up to zero.
    pub settlement: Vec<PlayerOutput>,
    /// The settlement as stated.
    pub stated_settlement: Option<Vec<PlayerOutput>>,
    /// What each player of the session has won or lost after the game.
    pub total: Vec<PlayerOutput>,
}

/// A pass of a member.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PassOutput {
    /// Who passed.
    pub player: String,
    /// What it cost: the value before the double.
    pub points: u64,
}

/// A finding.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ChouetteFindingOutput {
    /// The code of the rule.
    pub code: String,
    /// `error`, `warning` or `note`.
    pub level: String,
    /// What is wrong.
    pub message: String,
    /// Why.
    pub label: String,
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
    /// The game in the session, from 1.
    pub game: Option<u32>,
    /// Further places.
    pub related: Vec<RelatedOutput>,
}

/// Counts over all session logs.
#[derive(Debug, Default, Clone, Copy, Serialize, JsonSchema)]
pub struct SessionsOutput {
    /// Session logs.
    pub files: u64,
    /// Games.
    pub games: u64,
    /// Findings of level error.
    pub errors: u64,
    /// Findings of level warning.
    pub warnings: u64,
    /// Findings of level note.
    pub notes: u64,
}

impl SessionsOutput {
    /// Counts a session log.
    pub fn add(&mut self, report: &Report) {
        self.games += report.session.games.len() as u64;
        for finding in &report.findings {
            match finding.level {
                Level::Error => self.errors += 1,
                Level::Warning => self.warnings += 1,
                Level::Note => self.notes += 1,
            }
        }
    }
}

impl SessionOutput {
    /// A session log that was read.
    pub fn new(report: &Report, source: &Source) -> SessionOutput {
        let session = &report.session;
        let findings = report
            .findings
            .iter()
            .map(|finding| ChouetteFindingOutput::new(finding, source));
        SessionOutput {
            path: source.name().to_owned(),
            form: Some(report.form.name().to_owned()),
            encoding: Some(source.encoding().to_owned()),
            error: None,
            players: session.players.clone(),
            stake: session.stake.as_ref().map(|stake| StakeOutput {
                amount: stake.amount(),
                unit: stake.unit.clone(),
            }),
            rules: Some(RulesOutput::new(&session.rules)),
            games: (1..)
                .zip(&session.games)
                .map(|(number, game)| ChouetteGameOutput::new(number, game, session, source))
                .collect(),
            total: all(session, &session.total),
            findings: findings.collect(),
        }
    }

    /// A session log that could not be read.
    pub fn failed(path: &str, error: &str) -> SessionOutput {
        SessionOutput {
            path: path.to_owned(),
            form: None,
            encoding: None,
            error: Some(error.to_owned()),
            players: Vec::new(),
            stake: None,
            rules: None,
            games: Vec::new(),
            total: Vec::new(),
            findings: Vec::new(),
        }
    }
}

/// The points of players, by player.
fn of(
    session: &Session,
    players: impl Iterator<Item = PlayerId>,
    points: &[i64],
) -> Vec<PlayerOutput> {
    let output = |player: PlayerId| PlayerOutput {
        player: session.players[player].clone(),
        points: points[player],
        money: session
            .stake
            .as_ref()
            .map(|stake| stake.value(points[player])),
    };
    players.map(output).collect()
}

fn all(session: &Session, points: &[i64]) -> Vec<PlayerOutput> {
    of(session, 0..session.players.len(), points)
}

impl ChouetteGameOutput {
    fn new(number: u32, game: &Game, session: &Session, source: &Source) -> ChouetteGameOutput {
        let name = |player: PlayerId| session.players[player].clone();
        // Who did not sit down has a part in a stated settlement only by mistake.
        let paid = |points: &[i64]| {
            let (seats, points) = (game.seats.iter().copied(), points.to_vec());
            let others = (0..points.len())
                .filter(|player| points[*player] != 0 && !game.seats.contains(player));
            of(session, seats.chain(others), &points)
        };
        ChouetteGameOutput {
            game: number,
            line: source.line_column(game.span.start).line,
            box_player: game.seats.first().copied().map(name),
            team: game.seats.iter().skip(1).copied().map(name).collect(),
            captain: game.captain.map(name),
            passed: game
                .passed
                .iter()
                .map(|&(player, points)| PassOutput {
                    player: name(player),
                    points,
                })
                .collect(),
            cube_value: game.cube,
            cube_owner: game.owner.map(|owner| owner.name().to_owned()),
            winner: game.winner.map(|winner| winner.name().to_owned()),
            result: game.win.map(|win| win.name().to_owned()),
            ended_by: game.ended_by.name().to_owned(),
            points: game.points,
            settlement: paid(&game.settlement),
            stated_settlement: game.stated.as_deref().map(paid),
            total: all(session, &game.total),
        }
    }
}

impl ChouetteFindingOutput {
    fn new(finding: &Finding, source: &Source) -> ChouetteFindingOutput {
        let start = source.line_column(finding.primary.span.start);
        let end = source.line_column(finding.primary.span.end);
        ChouetteFindingOutput {
            code: finding.rule.code.to_owned(),
            level: finding.level.name().to_owned(),
            message: finding.message.clone(),
            label: finding.primary.text.clone(),
            help: finding.help.clone(),
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            game: finding.context.game,
            related: RelatedOutput::of(finding, source),
        }
    }
}

/// The JSON Schema of the output of `chouette`.
pub fn chouette_schema() -> Schema {
    schema_for!(ChouetteOutput)
}
