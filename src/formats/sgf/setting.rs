//! Checkers, cube, turn and dice that are set and not played.

use super::game::Game;
use super::parse::{self, Act, letters, place, whole_dice};
use super::read::Reader;
use super::tree::Node;
use crate::board::{ByPlayer, Cube, Move, Player, Position, Roll, Setup, Variant, Verdict};
use crate::diagnostic::{Finding, Level, syntax};
use crate::record::{Action, Entry, WrittenPlay, WrittenRoll};
use crate::source::{Span, Spanned};

/// Checkers, cube, turn and dice that are being set, node by node.
#[derive(Debug)]
pub(super) struct Setting {
    pub(super) span: Span,
    pub(super) checkers: Option<ByPlayer<[u8; 26]>>,
    pub(super) value: Option<u32>,
    pub(super) owner: Option<Option<Player>>,
    pub(super) turn: Option<Player>,
    pub(super) comment: Option<String>,
}

/// Dice that were set without a play.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dice {
    pub(super) player: Option<Player>,
    pub(super) roll: WrittenRoll,
    pub(super) span: Span,
}

impl Reader<'_, '_, '_> {
    /// Position, cube, turn and dice that a node sets.
    pub(super) fn set(&mut self, game: &mut Game<'_>, node: &Node<'_>, is_move: bool) {
        let side = |name: &str| {
            node.property(name).and_then(|p| match p.raw().trim() {
                "B" | "b" | "2" => Some(Player::Two),
                "W" | "w" | "1" => Some(Player::One),
                _ => None,
            })
        };
        let turn = side("PL");
        let sets_board = ["AE", "AW", "AB"]
            .iter()
            .any(|name| node.property(name).is_some());
        if sets_board {
            if let Some(stale) = game.dice.take() {
                let message = format!("the roll {} belongs to no play", stale.roll);
                let label = "a position is set behind it; left out";
                let finding = Finding::new(&syntax::UNREADABLE_LINE, stale.span, message, label);
                self.report(finding.at_level(Level::Note));
            }
            let is_second = game
                .setting
                .as_ref()
                .is_some_and(|setting| setting.checkers.is_some());
            if is_second {
                self.flush(game);
            }
        }
        let value = node.property("CV").and_then(|p| self.cube_value(p));
        let owner = node
            .property("CO")
            .into_iter()
            .chain(node.property("CP"))
            .find_map(|p| cube_side(p.raw()));
        if sets_board || value.is_some() || owner.is_some() {
            let mut places = node
                .properties
                .iter()
                .filter(|p| matches!(&*p.name, "AE" | "AW" | "AB" | "CV" | "CO" | "CP" | "PL"));
            let first = places.next().map_or(node.at, |p| self.source.span(p.text));
            let span = places
                .next_back()
                .map_or(first, |p| first.to(self.source.span(p.text)));
            let checkers = sets_board.then(|| self.board(game, node));
            let setting = game.setting.get_or_insert(Setting {
                span,
                checkers: None,
                value: None,
                owner: None,
                turn: None,
                comment: None,
            });
            setting.checkers = checkers.or(setting.checkers);
            setting.value = value.or(setting.value);
            setting.owner = owner.or(setting.owner);
        }
        if let Some(setting) = &mut game.setting {
            setting.turn = turn.or(setting.turn);
        }
        let Some(dice) = node.property("DI").filter(|_| !is_move) else {
            return;
        };
        let span = self.source.span(dice.text);
        let Some(roll) = whole_dice(dice.raw()) else {
            let message = format!("{:?} are no dice", dice.raw());
            return self.found(
                &syntax::UNREADABLE_LINE,
                span,
                message,
                "two digits from 1 to 6",
            );
        };
        let player = turn.or(game.setting.as_ref().and_then(|setting| setting.turn));
        game.dice = Some(Dice { player, roll, span });
    }

    fn cube_value(&mut self, property: &parse::Property<'_>) -> Option<u32> {
        let value = property.raw().trim().parse::<u32>().ok();
        let value = value.filter(|&value| value > 0 && value <= 1 << 24);
        if value.is_none() {
            let span = self.source.span(property.text);
            let message = format!("{:?} is no value of the cube", property.raw());
            self.found(
                &syntax::UNREADABLE_LINE,
                span,
                message,
                "1, 2, 4, and so on",
            );
        }
        value
    }

    /// The checkers after `AE`, `AW` and `AB`, which change those that stand.
    fn board(&mut self, game: &mut Game<'_>, node: &Node<'_>) -> ByPlayer<[u8; 26]> {
        let before = game.setting.as_ref().and_then(|setting| setting.checkers);
        let mut checkers = before.unwrap_or_else(|| standing(game).0);
        for property in &node.properties {
            let players: &[Player] = match &*property.name {
                "AE" => &Player::BOTH,
                "AW" => &[Player::One],
                "AB" => &[Player::Two],
                _ => continue,
            };
            for value in &property.values {
                let Some(range) = letters(value) else {
                    let span = self.source.span(value);
                    let message = format!("{value:?} is no place of a checker");
                    let label = "a letter from a to y, or two with a colon";
                    self.found(&syntax::UNREADABLE_LINE, span, message, label);
                    continue;
                };
                for letter in range {
                    for &player in players {
                        let there =
                            &mut checkers[player][usize::from(place(player, letter).number())];
                        *there = if property.name == "AE" {
                            0
                        } else {
                            there.saturating_add(1)
                        };
                    }
                }
            }
        }
        checkers
    }

    /// Enters what was set, now that it is known who goes on.
    pub(super) fn settle(&mut self, game: &mut Game<'_>, player: Player, act: Option<Act>) {
        let dice = game.dice.take();
        let is_played = |dice: &Dice| {
            let same = matches!(act, Some(Act::Play(roll, _)) if same_dice(roll, dice.roll));
            same && dice.player.is_none_or(|stated| stated == player)
        };
        let not_played = dice.filter(|dice| !is_played(dice));
        if let Some(setting) = &mut game.setting {
            setting.turn = not_played.and_then(|dice| dice.player).or(Some(player));
        }
        self.flush(game);
        if let Some(dice) = not_played {
            self.unplayed(game, dice);
        }
    }

    pub(super) fn flush(&mut self, game: &mut Game<'_>) {
        let Some(setting) = game.setting.take() else {
            return;
        };
        let (checkers, cube) = standing(game);
        let cube = match (setting.value, setting.owner) {
            (None, None) => None,
            (value, owner) => Some(Cube {
                value: value.unwrap_or(cube.value),
                owner: owner.unwrap_or(cube.owner),
            }),
        };
        let setup = Setup {
            checkers: setting.checkers.unwrap_or(checkers),
            variant: game.variant,
            turn: setting.turn,
            roll: None,
            cube,
        };
        let setup = Spanned::new(setup, setting.span);
        if game.record.entries.is_empty() && game.record.start.is_none() {
            game.record.start = Some(setup);
            let comment = setting
                .comment
                .map(|comment| Spanned::new(comment, setting.span));
            game.record.comments.extend(comment);
        } else {
            let mut entry = Entry::new(Player::One, Action::Set, 0, setting.span);
            entry.extra_mut().position_after = Some(setup);
            entry.extra_mut().comment = setting.comment;
            game.record.entries.push(entry);
        }
    }
}

/// Position and cube behind the first entries of a game.
#[derive(Debug)]
pub(super) struct Standing {
    checkers: ByPlayer<[u8; 26]>,
    cube: Cube,
    /// Behind how many entries.
    entries: usize,
    /// Whether an impossible play is among them: what stood before it is all that is known until a position is set.
    is_lost: bool,
}

/// Position and cube after the entries so far, for nodes that set only a part. What is known of the first entries is
/// kept, so that a file in which everything is set takes no longer than its length.
fn standing(game: &mut Game<'_>) -> (ByPlayer<[u8; 26]>, Cube) {
    let record = &game.record;
    let start = || {
        let side = game.variant.start();
        let start = record.start.as_ref();
        Standing {
            checkers: start.map_or(ByPlayer::new(side, side), |start| start.value.checkers),
            cube: start.and_then(|start| start.value.cube).unwrap_or_default(),
            entries: 0,
            is_lost: false,
        }
    };
    let known = game.standing.take().filter(|known| known.entries > 0);
    let mut standing = known.unwrap_or_else(start);
    for entry in &record.entries[standing.entries..] {
        standing.step(game.variant, entry);
    }
    let now = (standing.checkers, standing.cube);
    game.standing = Some(standing);
    now
}

impl Standing {
    /// What an entry changes.
    fn step(&mut self, variant: Variant, entry: &Entry) {
        self.entries += 1;
        match &entry.action {
            Action::Play {
                roll,
                play: WrittenPlay::Moves(play),
            } if !self.is_lost => {
                let setup = Setup {
                    checkers: self.checkers,
                    variant,
                    turn: None,
                    roll: None,
                    cube: None,
                };
                let position = Position::new(&setup).ok().zip(roll.roll());
                let position = position.and_then(|(position, roll)| {
                    played(variant, &position, entry.player, roll, play.moves())
                });
                match position {
                    Some(position) => {
                        let side = |player| *position.side(player);
                        self.checkers = ByPlayer::new(side(Player::One), side(Player::Two));
                    }
                    None => self.is_lost = true,
                }
            }
            Action::Set => {
                let extra = entry.extra.as_deref();
                if let Some(setup) = extra.and_then(|extra| extra.position_after.as_ref()) {
                    self.checkers = setup.value.checkers;
                    self.cube = setup.value.cube.unwrap_or(self.cube);
                    self.is_lost = false;
                }
            }
            Action::Double { .. } | Action::Beaver { .. } | Action::Raccoon { .. } => {
                self.cube.value = self.cube.value.saturating_mul(2);
            }
            Action::Take => self.cube.owner = Some(entry.player),
            _ => {}
        }
    }
}

fn played(
    variant: Variant,
    position: &Position,
    player: Player,
    roll: Roll,
    moves: &[Move],
) -> Option<Position> {
    match variant.judge(position, player, roll, moves) {
        Verdict::Legal(reading) => Some(reading.position),
        Verdict::Ambiguous(readings) => readings.first().map(|reading| reading.position),
        Verdict::Illegal { stands, .. } => stands,
    }
}

/// The owner that `CO` or GNU Backgammon's `CP` names; in FF[4] `CP` may be a copyright instead.
pub(super) fn cube_side(raw: &str) -> Option<Option<Player>> {
    match raw.trim() {
        "b" | "B" => Some(Some(Player::Two)),
        "w" | "W" => Some(Some(Player::One)),
        "c" | "n" => Some(None),
        _ => None,
    }
}

pub(super) fn same_dice(one: WrittenRoll, other: WrittenRoll) -> bool {
    one == other || one == WrittenRoll(other.1, other.0)
}
