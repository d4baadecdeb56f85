//! The rules, and the words for what breaks them.
//!
//! The replay tells facts as they occur; here each fact becomes a [`Finding`]. That is a table from facts to
//! rules rather than one function a rule that goes through the whole match again: a match without faults then
//! costs nothing here.

pub mod allow;
pub mod chouette;
mod clock;
pub(crate) mod cube;
pub(crate) mod plays;
mod record;
pub(crate) mod score;

use crate::board::{ByPlayer, Player, Roll};
use crate::diagnostic::{Context, Finding, JudgedPlay, Rule, Situation, syntax};
use crate::record::{Action, Entry, GameRecord, MatchRecord};
use crate::replay::{Fault, FaultKind, State};
use crate::ruleset::{Origin, RuleOption, RuleSet};
use crate::source::{Source, Span};

/// Every rule that a finding can refer to, subject by subject.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    let tables = [
        plays::RULES,
        cube::RULES,
        score::RULES,
        clock::RULES,
        record::RULES,
        allow::RULES,
        chouette::RULES,
        &syntax::ALL,
    ];
    tables.into_iter().flatten().copied()
}

/// The rule with this code.
pub fn by_code(code: &str) -> Option<&'static Rule> {
    all().find(|rule| rule.code == code)
}

/// What is needed to put a fact into words.
#[derive(Debug, Clone, Copy)]
pub struct Telling<'a> {
    /// The match.
    pub record: &'a MatchRecord,
    /// The rules that it is held against.
    pub rules: &'a RuleSet,
    /// Where it was written.
    pub source: &'a Source,
    /// The match in the file, from 1.
    pub match_number: u32,
}

impl Telling<'_> {
    /// The finding of a fault.
    pub fn finding(&self, fault: &Fault<'_>) -> Finding {
        let finding = plays::finding(self, fault)
            .or_else(|| cube::finding(self, fault))
            .or_else(|| score::finding(self, fault))
            .or_else(|| clock::finding(self, fault))
            .unwrap_or_else(|| record::finding(self, fault));
        let finding = self.with_reason(finding, &fault.kind);
        let play = finding
            .play
            .clone()
            .or_else(|| Some(Box::new(self.judged(fault))));
        let context = Context {
            roll: finding.context.roll.or(self.roll(fault)),
            ..self.context(fault)
        };
        Finding { play, ..finding }.within(context)
    }

    /// Names the other side of a contradiction between the rules that were agreed and what was done.
    fn with_reason(&self, finding: Finding, kind: &FaultKind) -> Finding {
        let (option, tags): (&str, &[&str]) = match kind {
            FaultKind::NoCubeInUse { one_point: false } => ("cube", &["CubeLimit"]),
            FaultKind::CubeLimit { .. } => ("cube-limit", &["CubeLimit"]),
            FaultKind::DoubleTooEarly => ("holland", &[]),
            FaultKind::BeaverNotAgreed {
                certain: true,
                in_match: false,
            } => ("beavers", &["Beaver", "Beavers"]),
            FaultKind::RaccoonNotAgreed {
                certain: true,
                in_match: false,
            } => ("raccoons", &["Raccoon", "Raccoons"]),
            FaultKind::AutomaticDoubleNotAgreed { certain: true, .. } => ("automatic-doubles", &[]),
            _ => return finding,
        };
        let Some(option) = RuleOption::by_name(option) else {
            return finding;
        };
        let (value, origin) = (option.shown)(self.rules);
        let agreed = format!("{} {value}", option.name);
        match origin {
            Origin::Tag => match tags.iter().find_map(|name| self.record.tag(name)) {
                Some(tag) => finding.also(tag.span, format!("{agreed}: stated here")),
                None => finding,
            },
            _ if finding.help.is_some() => finding,
            Origin::Option => finding.help(format!("{agreed} comes from a flag")),
            Origin::File => finding.help(format!("{agreed} comes from tawla.toml")),
            Origin::Set | Origin::Record => {
                finding.help(format!("{agreed} comes from the set {}", self.rules.name))
            }
        }
    }

    fn game(&self, fault: &Fault<'_>) -> Option<&GameRecord> {
        self.record.games.get(fault.game?)
    }

    fn entry(&self, fault: &Fault<'_>) -> Option<&Entry> {
        self.game(fault)?.entries.get(fault.index?)
    }

    fn context(&self, fault: &Fault<'_>) -> Context {
        let entry = self.entry(fault);
        let from_one = |index: usize| u32::try_from(index).unwrap_or(u32::MAX).saturating_add(1);
        Context {
            match_number: Some(self.match_number),
            game: fault.game.map(from_one),
            ply: fault.index.map(from_one),
            move_number: entry.map(|entry| entry.row).filter(|&row| row > 0),
            player: entry.map(|entry| entry.player),
            roll: None,
        }
    }

    fn roll(&self, fault: &Fault<'_>) -> Option<Roll> {
        match self.entry(fault)?.action {
            Action::Play { roll, .. } => roll.roll(),
            _ => None,
        }
    }

    /// Where the action is written, or the heading of its game.
    fn span(&self, fault: &Fault<'_>) -> Span {
        match (self.entry(fault), self.game(fault)) {
            (Some(entry), _) => entry.span,
            (None, Some(game)) => game.heading,
            (None, None) => self
                .record
                .length
                .map(|length| length.span)
                .unwrap_or_default(),
        }
    }

    /// The action as written, with what stands before the play left out.
    fn written(&self, fault: &Fault<'_>) -> String {
        let Some(entry) = self.entry(fault) else {
            return String::new();
        };
        let text = self.source.slice(entry.span);
        match entry.action {
            Action::Play { .. } => text
                .split_once(':')
                .map_or(text, |(_, play)| play)
                .trim()
                .to_owned(),
            _ => text.trim().to_owned(),
        }
    }

    fn judged(&self, fault: &Fault<'_>) -> JudgedPlay {
        JudgedPlay {
            written: self.written(fault),
            before: self.situation(fault),
            ..JudgedPlay::default()
        }
    }

    fn situation(&self, fault: &Fault<'_>) -> Option<Situation> {
        let state = fault.before?;
        Some(Situation {
            variant: state.variant,
            position: state.position,
            cube: state.cube,
            turn: self.entry(fault).map(|entry| entry.player).or(state.turn),
            roll: self.roll(fault),
            score: fault.score,
            length: self.record.length.map(|length| length.value),
            crawford: fault.crawford,
            money_rules: (
                self.rules.jacoby.value == Some(true),
                self.rules.beavers.value == Some(true),
            ),
            doubled: state.offer.is_some(),
        })
    }

    /// An action as written, and the situation before it.
    pub fn judged_at(&self, game: usize, index: usize, before: Option<&State>) -> JudgedPlay {
        self.judged(&Fault {
            game: Some(game),
            index: Some(index),
            before,
            score: ByPlayer::default(),
            crawford: false,
            kind: FaultKind::OutOfTurn,
        })
    }

    /// The player's name, or `the left player`.
    pub fn name(&self, player: Player) -> String {
        let name = self.record.names[player].trim();
        match (name.is_empty(), player) {
            (false, _) => name.to_owned(),
            (true, Player::One) => "the left player".to_owned(),
            (true, Player::Two) => "the right player".to_owned(),
        }
    }
}

/// `1 point`, `2 points`.
fn points(number: u32) -> String {
    format!("{number} point{}", if number == 1 { "" } else { "s" })
}

/// The code and the words for a play that breaks a rule.
pub fn verdict_words(fault: &crate::board::PlayFault) -> (&'static str, String) {
    (plays::rule_of(fault).code, plays::why(fault))
}
