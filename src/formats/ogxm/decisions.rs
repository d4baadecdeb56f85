//! Analysis: blocks of decisions, each on a ply, as names and values of the record.
//!
//! The equities of a cube decision are those of the player who may double, also where they stand with the
//! answer; there they are turned round, for an answer is seen by the player who gives it. The chances of an
//! answer are the answering player's where HedgeHog wrote them and the doubler's where GammonView did: if they
//! are those that stand with the double, they are turned round too.

use super::build::moves;
use super::cursor::{Cursor, Fields};
use super::level::Level;
use super::model::{Act, Model, Step};
use crate::board::{Play, Player};
use crate::record::analysis as names;

/// What holds for all decisions of a block.
#[derive(Debug, Clone, Default)]
pub(super) struct Block {
    /// Its number, from 1 on.
    number: u32,
    /// What its equities count.
    currency: u32,
    level: Level,
}

impl Block {
    /// A block whose equities are points.
    pub(super) fn of_points(number: u32) -> Block {
        Block::of_unit(number, 0)
    }

    /// A block whose equities count points (0, 1) or match winning chances.
    pub(super) fn of_unit(number: u32, currency: u32) -> Block {
        Block {
            number,
            currency,
            ..Block::default()
        }
    }

    /// A name with what tells the block from others.
    fn name(&self, name: &str) -> String {
        match self.number {
            0 | 1 => name.to_owned(),
            number => format!("{name}-{number}"),
        }
    }
}

/// Reads the head of a block; what it says of itself is a tag.
pub(super) fn analysis(payload: &[u8], number: u32, model: &mut Model) -> Option<Block> {
    let (mut body, fields) = Cursor::new(payload).record()?;
    let mut block = Block::of_points(number);
    let mut said = Vec::new();
    body.take(16)?;
    if fields.has(0) {
        body.take(32)?;
    }
    let producer = if fields.has(1) { body.varint()? } else { 0 };
    if fields.has(2) {
        block.level = Level::read(&mut body)?;
    }
    if fields.has(4) {
        for _ in 0..body.varint()? {
            body.varint()?;
        }
    }
    let model_id = if fields.has(5) {
        body.text()?
    } else {
        String::new()
    };
    let model_name = if fields.has(6) {
        body.text()?
    } else {
        String::new()
    };
    if fields.has(7) {
        body.take(32)?;
    }
    let build = if fields.has(8) {
        body.text()?
    } else {
        String::new()
    };
    if fields.has(9) {
        block.currency = body.varint()?;
    }
    let named = if model_name.is_empty() {
        model_id
    } else {
        model_name
    };
    said.extend(
        [named, block.level.text(false), build]
            .into_iter()
            .filter(|part| !part.is_empty()),
    );
    if !said.is_empty() {
        let program = PRODUCERS
            .get(producer as usize)
            .copied()
            .unwrap_or("unknown");
        model.tag("Analysis", format!("{program} {}", said.join(" ")));
    }
    Some(block)
}

const PRODUCERS: [&str; 5] = ["OGX", "eXtreme Gammon", "external", "BGBlitz", "human"];

/// Reads the decisions of a block; false if they cannot be read to the end.
pub(super) fn decisions(payload: &[u8], block: &Block, model: &mut Model) -> bool {
    let mut cursor = Cursor::new(payload);
    while !cursor.is_empty() {
        if decision(&mut cursor, block, model).is_none() {
            return false;
        }
    }
    true
}

fn decision(cursor: &mut Cursor<'_>, block: &Block, model: &mut Model) -> Option<()> {
    let (mut body, fields) = cursor.record()?;
    let (target, kind) = (body.varint()?, body.varint()?);
    let ply = model.ply_mut(target);
    let (player, acted) = match &ply {
        Some(ply) => (ply.player, Some(&ply.act)),
        None => (Player::One, None),
    };
    let is_answer = acted.is_some_and(is_answer);
    let mut said = Said::new(block);
    match kind {
        0 => checker(&mut body, fields, block, player, &mut said)?,
        1 => cube(&mut body, fields, block, is_answer, &mut said)?,
        2 => resignation(&mut body, fields, &mut said)?,
        3 => said.number(names::LUCK, f64::from(body.i32()?) / 1e6),
        _ => {}
    }
    if let Some(ply) = ply {
        ply.analysis.extend(said.pairs);
    }
    Some(())
}

/// What is said of a decision.
pub(super) struct Said<'a> {
    block: &'a Block,
    currency: Option<u32>,
    pub(super) pairs: Vec<(String, String)>,
}

impl<'a> Said<'a> {
    pub(super) fn new(block: &'a Block) -> Said<'a> {
        Said {
            block,
            currency: None,
            pairs: Vec::new(),
        }
    }

    pub(super) fn text(&mut self, name: &str, value: String) {
        if !value.is_empty() {
            self.pairs.push((self.block.name(name), value));
        }
    }

    /// The name of an equity, with its unit.
    fn equity(&self, name: &str) -> String {
        match self.currency.unwrap_or(self.block.currency) {
            0 | 1 => name.to_owned(),
            _ => format!("{name}-mwc"),
        }
    }

    /// An equity, or a difference of equities.
    pub(super) fn number(&mut self, name: &str, value: f64) {
        let name = self.equity(name);
        self.text(&name, names::number(value));
    }

    /// What was lost.
    pub(super) fn loss(&mut self, name: &str, value: f64) {
        let name = self.equity(name);
        self.text(&name, names::loss(value));
    }

    /// A play that was looked at.
    fn candidate(&mut self, candidate: &Candidate, play: &str) {
        let mut text = format!("{play} {}", names::number(candidate.equity));
        if let Some(chances) = candidate.chances {
            text.push(' ');
            text.push_str(&chances_text(chances));
        }
        let name = self.equity(names::CANDIDATE);
        self.text(&name, text);
    }
}

/// A play that was looked at.
pub(super) struct Candidate {
    pub(super) player: Player,
    pub(super) steps: Vec<Step>,
    pub(super) equity: f64,
    pub(super) chances: Option<[f64; 5]>,
    pub(super) is_played: bool,
}

impl Candidate {
    /// The play, moves of one checker joined; empty ones are no play.
    fn joined(&self) -> String {
        match moves(self.player, &self.steps) {
            Some(play) if play.moves().is_empty() => "cannot move".to_owned(),
            Some(play) => play.to_string(),
            None => "?".to_owned(),
        }
    }

    /// The play with each of its moves.
    fn apart(&self) -> String {
        let play = moves(self.player, &self.steps).unwrap_or_default().sorted();
        let each = play
            .moves()
            .iter()
            .map(|&moved| Play::from_iter([moved]).to_string());
        each.collect::<Vec<_>>().join(" ")
    }
}

pub(super) fn chances_text(
    [win, gammon, backgammon, lost_gammon, lost_backgammon]: [f64; 5],
) -> String {
    names::chances(
        [win, gammon, backgammon],
        [1.0 - win, lost_gammon, lost_backgammon],
    )
}

/// Says what is known of plays that were looked at, the best first, and of the one that was made.
pub(super) fn say_candidates(
    said: &mut Said<'_>,
    mut candidates: Vec<Candidate>,
    loss: Option<f64>,
) {
    candidates.sort_by(|a, b| b.equity.total_cmp(&a.equity));
    let joined: Vec<String> = candidates.iter().map(Candidate::joined).collect();
    for (candidate, play) in candidates.iter().zip(&joined) {
        // Two plays that read the same differ in what is touched on the way.
        let is_alone = joined.iter().filter(|other| *other == play).count() == 1;
        match is_alone {
            true => said.candidate(candidate, play),
            false => said.candidate(candidate, &candidate.apart()),
        }
    }
    let played = candidates.iter().find(|candidate| candidate.is_played);
    if let Some(played) = played {
        said.number(names::EQUITY, played.equity);
    }
    let best = candidates.first();
    let between = best
        .zip(played)
        .map(|(best, played)| best.equity - played.equity);
    if let Some(loss) = loss.or(between) {
        said.loss(names::ERROR, loss);
    }
}

fn alternative(cursor: &mut Cursor<'_>, player: Player) -> Option<Candidate> {
    let (mut body, fields) = cursor.record()?;
    let steps = body.counted_steps()?;
    let equity = f64::from(body.i32()?) / 1e6;
    let chances = if fields.has(0) {
        Some(body.chances()?)
    } else {
        None
    };
    Some(Candidate {
        player,
        steps,
        equity,
        chances: chances.map(|chances| chances.map(|chance| f64::from(chance) / 1e4)),
        is_played: fields.has(2),
    })
}

fn checker(
    body: &mut Cursor<'_>,
    fields: Fields,
    block: &Block,
    player: Player,
    said: &mut Said<'_>,
) -> Option<()> {
    let mut candidates = Vec::new();
    if fields.has(0) {
        for _ in 0..body.varint()? {
            candidates.push(alternative(body, player)?);
        }
    }
    if fields.has(1) {
        body.varint()?;
    }
    let best = if fields.has(2) {
        Some(body.i32()?)
    } else {
        None
    };
    let loss = if fields.has(3) {
        Some(f64::from(body.u32()?) / 1e6)
    } else {
        None
    };
    let level = if fields.has(4) {
        Level::read(body)?
    } else {
        Level::default()
    };
    say_candidates(said, candidates, loss);
    if let Some(best) = best {
        said.number("best-equity", f64::from(best) / 1e6);
    }
    said.text(names::LEVEL, level.within(&block.level).text(false));
    Some(())
}

/// Turns the chances of answers that are those of the double before.
pub(super) fn turn_answers(model: &mut Model) {
    for game in &mut model.games {
        for index in 1..game.plies.len() {
            let (before, after) = game.plies.split_at_mut(index);
            let (Some(double), Some(answer)) = (before.last(), after.first_mut()) else {
                continue;
            };
            if !is_answer(&answer.act) || double.player == answer.player {
                continue;
            }
            let repeated = answer.analysis.iter_mut().filter(|pair| {
                pair.0.starts_with(names::CUBE_CHANCES) && double.analysis.contains(pair)
            });
            for (_, chances) in repeated {
                if let Some(turned) = turned(chances) {
                    *chances = turned;
                }
            }
        }
    }
}

/// `win … loss …`, seen by the other player.
fn turned(chances: &str) -> Option<String> {
    let (won, lost) = chances.strip_prefix("win ")?.split_once(" loss ")?;
    Some(format!("win {lost} loss {won}"))
}

fn is_answer(act: &Act) -> bool {
    matches!(act, Act::Take | Act::Drop | Act::Beaver | Act::Raccoon)
}

/// What is right, by its number; where a double is, whether it should be taken follows from the equities.
pub(super) fn verdict_text(verdict: u32, take: Option<f64>, pass: Option<f64>) -> String {
    let is_pass = take.zip(pass).is_some_and(|(take, pass)| take > pass);
    match verdict {
        0 => "no double",
        1 if is_pass => "double, pass",
        1 | 2 => "double, take",
        3 => "double, pass",
        4 => "too good",
        5 => "beaver",
        6 => "raccoon",
        _ => "",
    }
    .to_owned()
}

fn cube(
    body: &mut Cursor<'_>,
    fields: Fields,
    block: &Block,
    is_answer: bool,
    said: &mut Said<'_>,
) -> Option<()> {
    let verdict = body.varint()?;
    let mut equities = [None; 3];
    for (bit, equity) in (0..).zip(&mut equities) {
        if fields.has(bit) {
            *equity = Some(f64::from(body.i32()?) / 1e6);
        }
    }
    let chances = if fields.has(3) {
        Some(body.chances()?)
    } else {
        None
    };
    let loss = if fields.has(4) {
        Some(f64::from(body.u32()?) / 1e6)
    } else {
        None
    };
    let take_point = if fields.has(5) {
        Some(body.u16()?)
    } else {
        None
    };
    let level = if fields.has(7) {
        Level::read(body)?
    } else {
        Level::default()
    };
    let value = if fields.has(10) {
        Some(body.i32()?)
    } else {
        None
    };
    if fields.has(11) {
        said.currency = Some(body.varint()?);
    }
    let is_mwc = said.currency.unwrap_or(block.currency) > 1;
    let [_, take, pass] = equities;
    said.text(names::CUBE_VERDICT, verdict_text(verdict, take, pass));
    let seen = |equity: f64| match (is_answer, is_mwc) {
        (false, _) => equity,
        (true, false) => -equity,
        (true, true) => 1.0 - equity,
    };
    say_cube(said, equities.map(|equity| equity.map(seen)));
    if let Some(chances) = chances {
        let chances = chances.map(|chance| f64::from(chance) / 1e4);
        said.text(names::CUBE_CHANCES, chances_text(chances));
    }
    if let Some(loss) = loss {
        let name = if is_answer {
            names::TAKE_ERROR
        } else {
            names::CUBE_ERROR
        };
        said.loss(name, loss);
    }
    said.text(names::CUBE_LEVEL, level.within(&block.level).text(true));
    if let Some(point) = take_point {
        said.text("take-point", format!("{:.2}", f64::from(point) / 1e2));
    }
    if let Some(value) = value {
        said.number("take-value", f64::from(value) / 1e6);
    }
    Some(())
}

/// The equities without a double, after a take and after a pass.
pub(super) fn say_cube(said: &mut Said<'_>, equities: [Option<f64>; 3]) {
    let all = [names::NO_DOUBLE, names::DOUBLE_TAKE, names::DOUBLE_PASS];
    for (name, equity) in all.into_iter().zip(equities) {
        if let Some(equity) = equity {
            said.number(name, equity);
        }
    }
}

fn resignation(body: &mut Cursor<'_>, fields: Fields, said: &mut Said<'_>) -> Option<()> {
    if fields.has(0) {
        let value = body.varint()?;
        said.text("resign-value", value.to_string());
    }
    for (bit, name) in [(1, "resign-error"), (2, "accept-error")] {
        if fields.has(bit) {
            said.number(name, f64::from(body.i32()?) / 1e6);
        }
    }
    if fields.has(3) {
        let chances = body.chances()?.map(|chance| f64::from(chance) / 1e4);
        said.text("resign-chances", chances_text(chances));
    }
    if fields.has(4) {
        said.loss(names::ERROR, f64::from(body.u32()?) / 1e6);
    }
    Some(())
}
