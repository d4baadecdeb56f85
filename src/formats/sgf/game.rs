//! The nodes of a game behind its root: one entry each.

use super::parse::{self, Act, act, unescaped};
use super::read::{MOST, Reader, simple};
use super::root::Root;
use super::setting::{Dice, Setting, Standing, same_dice};
use super::tree::Node;
use crate::board::{Player, Variant};
use crate::diagnostic::{Finding, Level, syntax};
use crate::formats::carry::normal;
use crate::record::{Action, Entry, Extra, GameRecord, GameResult, WrittenPlay, WrittenRoll};
use crate::source::{Span, Spanned};

/// A game while its nodes are read.
pub(super) struct Game<'t> {
    pub(super) record: GameRecord,
    pub(super) variant: Variant,
    pub(super) setting: Option<Setting>,
    pub(super) dice: Option<Dice>,
    /// What waits for its entry.
    pub(super) extra: Extra,
    pub(super) left: &'t [Node<'t>],
    /// What is known of position and cube, if it was needed.
    pub(super) standing: Option<Standing>,
}

impl Reader<'_, '_, '_> {
    /// What a node says, in the order of the file.
    pub(super) fn node(&mut self, game: &mut Game<'_>, node: &Node<'_>, is_root: bool) {
        let acts = node
            .properties
            .iter()
            .filter(|p| matches!(&*p.name, "B" | "W"));
        let mut acts = acts.peekable();
        let is_move = acts.peek().is_some();
        self.set(game, node, is_move);
        if !is_root {
            self.notes(game, node, is_move);
        }
        let mut is_second = false;
        for property in acts {
            let player = if property.name == "W" {
                Player::One
            } else {
                Player::Two
            };
            let span = self.source.span(property.text);
            if is_second {
                let message = "two actions in one node";
                let finding = Finding::new(
                    &syntax::UNREADABLE_LINE,
                    span,
                    message,
                    "read as if in a node of its own",
                );
                self.report(finding.at_level(Level::Warning));
            }
            is_second = true;
            self.act(game, player, property, span);
        }
        if !is_move && let Some(comment) = game.extra.comment.take() {
            // A comment without an action is on what was done before, or on the game.
            match (&mut game.setting, game.record.entries.last_mut()) {
                _ if game.dice.is_some() => game.extra.comment = Some(comment),
                (Some(setting), _) => add_line(&mut setting.comment, &comment),
                (None, Some(entry)) => add_line(&mut entry.extra_mut().comment, &comment),
                (None, None) => game.record.comments.push(Spanned::new(comment, node.at)),
            }
        } else if is_root && let Some(comment) = node.property("C") {
            let span = self.source.span(comment.text);
            game.record
                .comments
                .extend(lines_of(comment.raw()).map(|line| Spanned::new(line, span)));
        }
    }

    /// Comments, analysis and marks of a node, kept for its entry.
    fn notes(&mut self, game: &mut Game<'_>, node: &Node<'_>, is_move: bool) {
        const NO_NOTE: [&str; 12] = [
            "B", "W", "AE", "AW", "AB", "CV", "CO", "CP", "PL", "DI", "C", "KO",
        ];
        let with_entry = is_move || game.dice.is_some();
        for property in &node.properties {
            match &*property.name {
                "C" => {
                    let text = unescaped(property.raw());
                    if !text.is_empty() {
                        add_line(&mut game.extra.comment, &text);
                    }
                }
                "KO" => game.extra.declared_illegal |= is_move,
                name if with_entry && !NO_NOTE.contains(&name) => {
                    let values = property
                        .values
                        .iter()
                        .map(|value| (name.to_owned(), (*value).to_owned()));
                    game.extra.analysis.extend(values);
                }
                _ => {}
            }
        }
    }

    fn act(
        &mut self,
        game: &mut Game<'_>,
        player: Player,
        property: &parse::Property<'_>,
        span: Span,
    ) {
        let act = act(player, property.raw()).filter(|_| property.ending != parse::Ending::Cut);
        if let Some(Act::Play(roll, play)) = act
            && play.moves().is_empty()
            && self.is_made_up(game, player, roll, span)
        {
            return;
        }
        self.settle(game, player, act);
        let action = match act {
            Some(Act::Play(roll, play)) if play.moves().is_empty() => Action::Play {
                roll,
                play: WrittenPlay::Nothing,
            },
            Some(Act::Play(roll, play)) => Action::Play {
                roll,
                play: WrittenPlay::Moves(play),
            },
            Some(Act::Double) => Action::Double {
                to: None,
                after_roll: None,
            },
            Some(Act::Take) => Action::Take,
            Some(Act::Drop) => Action::Pass,
            Some(Act::Resign(win)) => Action::Resign { win },
            Some(Act::Accept) => Action::Accept,
            Some(Act::Reject) => Action::Reject,
            None => Action::Unreadable,
        };
        let mut entry = Entry::new(player, action, 0, span);
        let last = game.record.entries.last();
        let last = last.map(|last| (last.player, last.action));
        entry.action = normal::cube_action(last, entry.player, entry.action);
        let extra = std::mem::take(&mut game.extra);
        if extra != Extra::default() {
            *entry.extra_mut() = extra;
        }
        if act.is_none() {
            entry.extra_mut().unreadable = true;
            if property.ending != parse::Ending::Cut {
                let message = format!("{:?} is no action", simple(property.raw()));
                let label = "two dice and pairs of letters, or double, take, drop";
                self.found(&syntax::UNREADABLE_LINE, span, message, label);
            }
        }
        if let Some(second) = property.values.get(1) {
            let message = "a second value where one is possible";
            let place = self.source.span(second);
            self.found(
                &syntax::UNREADABLE_LINE,
                place,
                message,
                "kept as a comment",
            );
            add_line(&mut entry.extra_mut().comment, &unescaped(second));
        }
        game.record.entries.push(entry);
    }

    /// A last roll without a play behind a set position, with other dice than those that were set: GNU
    /// Backgammon appends it when it saves a position again.
    fn is_made_up(
        &mut self,
        game: &mut Game<'_>,
        player: Player,
        roll: WrittenRoll,
        span: Span,
    ) -> bool {
        let Some(dice) = game
            .dice
            .filter(|_| game.setting.is_some() && game.left.is_empty())
        else {
            return false;
        };
        if same_dice(dice.roll, roll) && dice.player.is_none_or(|stated| stated == player) {
            return false;
        }
        let message = format!("a roll of {roll} where {} was set", dice.roll);
        let label = "GNU Backgammon makes it up when it saves a position again; left out";
        let finding = Finding::new(&syntax::UNREADABLE_LINE, span, message, label)
            .also(dice.span, "the dice that count")
            .at_level(Level::Warning);
        self.report(finding);
        let text = self.source.slice(span).to_owned();
        game.record.comments.push(Spanned::new(text, span));
        true
    }

    /// A roll behind which no play stands.
    pub(super) fn unplayed(&mut self, game: &mut Game<'_>, dice: Dice) {
        let action = Action::Play {
            roll: dice.roll,
            play: WrittenPlay::Nothing,
        };
        if dice.player.is_none() {
            let message = "nothing says who rolled";
            self.found(
                &syntax::SIDE_GUESSED,
                dice.span,
                message,
                "taken for White's roll",
            );
        }
        let mut entry = Entry::new(dice.player.unwrap_or(Player::One), action, 0, dice.span);
        let extra = std::mem::take(&mut game.extra);
        if extra != Extra::default() {
            *entry.extra_mut() = extra;
        }
        game.record.entries.push(entry);
    }

    pub(super) fn end_game(&mut self, mut game: Game<'_>, root: &Root, left_over: &[&str]) {
        let dice = game.dice.take();
        let was_setting = game.setting.is_some();
        if let (Some(setting), Some(dice)) = (&mut game.setting, dice) {
            setting.turn = dice.player.or(setting.turn);
        }
        self.flush(&mut game);
        if let Some(dice) = dice {
            self.last_dice(&mut game, dice, was_setting);
        }
        let mut record = game.record;
        if let Some(comment) = game.extra.comment.take() {
            record.comments.push(Spanned::new(comment, record.heading));
        }
        for text in left_over {
            let span = self.source.span(text);
            record.comments.push(Spanned::new((*text).to_owned(), span));
        }
        if let Some(result) = root.result {
            self.result(&mut record, result);
        }
        self.indices.push(root.index);
        // What is behind the limit is not handed over; one game more tells that there is something.
        if self.record.games.len() <= self.source.limits().games as usize {
            self.record.games.push(record);
        }
        self.in_game = false;
    }

    /// Dice at the end of a game: part of a set position, or a roll that was not played.
    fn last_dice(&mut self, game: &mut Game<'_>, dice: Dice, was_setting: bool) {
        let set = match game.record.entries.last_mut() {
            Some(entry) => entry
                .extra
                .as_mut()
                .and_then(|extra| extra.position_after.as_mut()),
            None => game.record.start.as_mut(),
        };
        match (set.filter(|_| was_setting), dice.roll.roll()) {
            (Some(setup), Some(roll)) => setup.value.roll = Some(roll),
            _ => self.unplayed(game, dice),
        }
    }

    fn result(&mut self, game: &mut GameRecord, stated: Spanned<parse::Result>) {
        let parse::Result::Won {
            white,
            points,
            resigned,
            on_time,
        } = stated.value
        else {
            return;
        };
        let winner = if white { Player::One } else { Player::Two };
        if points.is_some_and(|points| points > MOST) {
            let message = "points that nobody can win";
            self.found(&syntax::UNREADABLE_LINE, stated.span, message, "left out");
        }
        if on_time {
            game.entries
                .push(Entry::new(!winner, Action::TimeOut, 0, stated.span));
        }
        let result = GameResult {
            winner: Some(winner),
            points: points.filter(|&points| points <= MOST),
            after: game.entries.len() as u32,
            resigned,
            ..GameResult::default()
        };
        game.result = Some(Spanned::new(result, stated.span));
    }
}

fn lines_of(raw: &str) -> impl Iterator<Item = String> {
    let lines: Vec<String> = unescaped(raw)
        .lines()
        .map(|line| line.trim().to_owned())
        .filter(|line| !line.is_empty())
        .collect();
    lines.into_iter()
}

fn add_line(text: &mut Option<String>, line: &str) {
    match text {
        Some(text) => {
            text.push('\n');
            text.push_str(line);
        }
        None => *text = Some(line.to_owned()),
    }
}
