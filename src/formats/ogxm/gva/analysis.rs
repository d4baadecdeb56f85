//! The analysis of a ply.

use serde_json::Value;

use super::super::decisions::{Block, Candidate, Said, chances_text, say_candidates, say_cube};
use super::super::model::{Act, Ply};
use super::{Reading, annotations, steps};
use crate::board::Player;
use crate::record::analysis as names;

impl Reading<'_> {
    pub(super) fn analysis(&self, ply: &mut Ply, json: &Value, index: u32) {
        if !json.is_object() {
            return;
        }
        let currency = self.currencies.get(index as usize).copied().unwrap_or(0);
        let block = Block::of_unit(index.saturating_add(1), currency);
        let mut said = Said::new(&block);
        ply.illegal |= json["illegal_move"].as_bool() == Some(true);
        match ply.act {
            Act::Resign { .. } => {
                for (key, name) in [
                    ("resign_error", "resign-error"),
                    ("take_resign_error", "accept-error"),
                ] {
                    if let Some(value) = json[key].as_f64() {
                        said.number(name, value);
                    }
                }
            }
            Act::Dice { .. } | Act::Restated { .. } | Act::SetPosition(_) => {
                play(&mut said, json, ply.player);
                let missed = &json["missed_double"];
                let decision = if missed.is_object() {
                    missed
                } else {
                    &json["cube_decision"]
                };
                cube(&mut said, decision, false, currency > 1);
                let luck = json["luck"].as_f64().or(json["roll"]["luck"].as_f64());
                if let Some(luck) = luck {
                    said.number(names::LUCK, luck);
                }
            }
            _ => {
                let is_answer = !matches!(ply.act, Act::Double);
                cube(&mut said, json, is_answer, currency > 1);
            }
        }
        ply.comment_on_decision(json);
        ply.analysis.extend(said.pairs);
    }
}

impl Ply {
    /// What is said of the decision is said of the ply.
    fn comment_on_decision(&mut self, json: &Value) {
        annotations(&json["annotations"]).for_each(|text| self.remark(&text));
    }
}

fn chances(json: &Value) -> Option<[f64; 5]> {
    let keys = ["win", "gammon_win", "bg_win", "gammon_loss", "bg_loss"];
    let values: Option<Vec<f64>> = keys.iter().map(|key| json[*key].as_f64()).collect();
    values?.try_into().ok()
}

fn play(said: &mut Said<'_>, json: &Value, player: Player) {
    let mut candidates = Vec::new();
    let mut level = String::new();
    for alternative in json["alternatives"].as_array().into_iter().flatten() {
        let Some(equity) = alternative["equity"].as_f64() else {
            continue;
        };
        let steps = steps(&alternative["move"]).unwrap_or_default();
        candidates.push(Candidate {
            player,
            steps,
            equity,
            chances: chances(&alternative["eval"]),
            is_played: alternative["is_played"].as_bool() == Some(true),
        });
        if level.is_empty() {
            level = alternative["eval_level"]
                .as_str()
                .unwrap_or_default()
                .to_owned();
        }
    }
    if let Some(best) = json["best_equity"]
        .as_f64()
        .filter(|_| candidates.is_empty())
    {
        said.number("best-equity", best);
    }
    say_candidates(said, candidates, json["equity_loss"].as_f64());
    said.text(names::LEVEL, level);
}

fn cube(said: &mut Said<'_>, json: &Value, is_answer: bool, is_mwc: bool) {
    let keys = [
        "no_double_equity",
        "double_take_equity",
        "double_pass_equity",
    ];
    let equities = keys.map(|key| json[key].as_f64());
    let [_, take, pass] = equities;
    let is_pass = take.zip(pass).is_some_and(|(take, pass)| take > pass);
    let verdict = match json["correct_action"].as_str().or(json["action"].as_str()) {
        Some("no_double") => "no double",
        Some("double" | "double_pass") if is_pass => "double, pass",
        Some("double" | "double_take" | "take") => "double, take",
        Some("pass" | "double_pass") => "double, pass",
        Some("too_good") => "too good",
        Some(other @ ("beaver" | "raccoon")) => other,
        _ => "",
    };
    said.text(names::CUBE_VERDICT, verdict.to_owned());
    let seen = |equity: f64| match (is_answer, is_mwc) {
        (false, _) => equity,
        (true, false) => -equity,
        (true, true) => 1.0 - equity,
    };
    say_cube(said, equities.map(|equity| equity.map(seen)));
    if let Some(chances) = chances(&json["eval"]) {
        said.text(names::CUBE_CHANCES, chances_text(chances));
    }
    if let Some(loss) = json["equity_loss"].as_f64() {
        let name = if is_answer {
            names::TAKE_ERROR
        } else {
            names::CUBE_ERROR
        };
        said.loss(name, loss);
    }
    said.text(
        names::CUBE_LEVEL,
        json["eval_level"].as_str().unwrap_or_default().to_owned(),
    );
}
