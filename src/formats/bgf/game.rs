//! A game of a document.

use super::action::{Step, checkers, is_whole, player, player_of, step};
use super::analysis::{self, Kind};
use super::record::{NAMES, Names, Reader, SCORES, is_true, said, shown};
use super::tree::Value;
use crate::board::{ByPlayer, Cube, Player, Setup, Variant, is_match_point};
use crate::diagnostic::{Context, Finding, syntax};
use crate::record::{Action, Entry, GameRecord, GameResult, WrittenPlay};
use crate::source::{Span, Spanned};

impl Reader {
    /// Reads a game. `after` is the score behind it.
    pub(super) fn game(&mut self, value: &Value, after: Option<ByPlayer<u32>>, is_cut: bool) {
        let stated = score(value, SCORES);
        let is_crawford = value.get("isCrawford").and_then(Value::bool);
        let mut line = match stated {
            Some(score) => format!("score {}-{}", score.one, score.two),
            None => "score not stated".to_owned(),
        };
        if is_crawford == Some(true) {
            line.push_str(", Crawford game");
        }
        let heading = self.listing.game(&line);
        self.record.games.push(GameRecord {
            heading,
            has_score_line: true,
            ..GameRecord::default()
        });
        let score = self.pair(value, SCORES, heading);
        let start = self.start(value, heading);
        let names = NAMES.map(|name| said(value, name).map(str::to_owned));
        let of_match = self.record.names.clone();
        let of_game = |player: Player| {
            let name = names[player].clone();
            let name = name.filter(|name| *name != of_match[player]);
            name.map(|name| Spanned::new(name, heading))
        };
        // Where nobody is one point short, it says nothing that a game is not the Crawford game.
        let points = self.record.length.and_then(|length| length.value.points());
        let is_short = score
            .zip(points)
            .is_some_and(|(score, points)| is_match_point(score, points));
        let is_crawford = is_crawford.filter(|&is_it| is_it || is_short);
        let game = self.last_game();
        game.score = score.map(|score| Spanned::new(score, heading));
        game.crawford = is_crawford.map(|is_it| Spanned::new(is_it, heading));
        game.names = ByPlayer::new(of_game(Player::One), of_game(Player::Two));
        game.start = start.map(|setup| Spanned::new(setup, heading));
        self.comments(value, heading);
        let end = self.actions(value, is_cut);
        // What a game says of its end stands before its actions.
        if !is_cut || end.is_some() {
            self.end(value, end, score.zip(after));
        }
    }

    fn last_game(&mut self) -> &mut GameRecord {
        self.record.games.last_mut().expect("a game was pushed")
    }

    /// The position before the first action, unless it is the usual one.
    fn start(&mut self, game: &Value, span: Span) -> Option<Setup> {
        let initial = game.get("initial").filter(|initial| !initial.is_null())?;
        if is_true(initial, "egyptian") {
            let message = "the Egyptian rule is in use".to_owned();
            self.report(&syntax::BAD_HEADER, span, message, "it is not judged");
        }
        let mut value = self.number(initial, "cube", span).unwrap_or(1).max(1);
        if !value.is_power_of_two() {
            self.odd(span, format!("the cube starts on {value}"));
            value = 1;
        }
        let owner = initial.get("cubeOwner").and_then(Value::int);
        let cube = Cube {
            value,
            owner: owner.and_then(player),
        };
        let usual = Variant::default().start();
        let usual = ByPlayer::new(usual, usual);
        let points = initial.get("points").map(Value::list).unwrap_or_default();
        let checkers = match checkers(points) {
            Some(checkers) => checkers,
            None if points.is_empty() => usual,
            None if self.is_cut => return None,
            None => {
                let message = "the starting position cannot be read";
                let label = "the usual one is taken";
                self.report(&syntax::UNREADABLE_LINE, span, message, label);
                usual
            }
        };
        (checkers != usual || cube != Cube::START).then_some(Setup {
            checkers,
            variant: Variant::default(),
            turn: None,
            roll: None,
            cube: Some(cube),
        })
    }

    /// The game that all starting positions belong to, if it is not the usual one.
    pub(super) fn variation(&mut self) {
        let start = |game: &GameRecord| Some(game.start.as_ref()?.value.checkers);
        let Some((checkers, span)) = self.record.games.first().and_then(|game| {
            let start = game.start.as_ref()?;
            Some((start.value.checkers, start.span))
        }) else {
            return;
        };
        let is_start =
            |variant: &Variant| checkers == ByPlayer::new(variant.start(), variant.start());
        let same = |game: &GameRecord| start(game) == Some(checkers);
        let variant = Variant::OF_BACKGAMMON.into_iter().find(is_start);
        let Some(variant) = variant.filter(|_| self.record.games.iter().all(same)) else {
            return;
        };
        if variant == Variant::default() {
            return;
        }
        self.record.variation = Some(Spanned::new(variant.name().to_owned(), span));
        for game in &mut self.record.games {
            let is_usual =
                |start: &Spanned<Setup>| start.value.cube.is_none_or(|cube| cube == Cube::START);
            game.start = game.start.take().filter(|start| !is_usual(start));
            if let Some(start) = &mut game.start {
                start.value.variant = variant;
            }
        }
    }

    /// The comments on a game: a list of texts in all files.
    fn comments(&mut self, game: &Value, span: Span) {
        let Some(comment) = game.get("comment") else {
            return;
        };
        let lines = match comment {
            Value::List(lines) => lines.as_slice(),
            Value::Null => &[],
            one => std::slice::from_ref(one),
        };
        for line in lines {
            if !self.has_room(span) {
                return;
            }
            match line.text() {
                Some("") => {}
                Some(text) => self.remark(text),
                None => self.odd(span, format!("a comment is {}", shown(line))),
            }
        }
    }

    fn remark(&mut self, text: &str) {
        let span = self.listing.of_game(&format!("comment  {text}"));
        let comment = Spanned::new(text.to_owned(), span);
        self.last_game().comments.push(comment);
    }

    /// The actions of a game. The winner and the number of actions before the end, if there is one.
    fn actions(&mut self, game: &Value, is_cut: bool) -> Option<(Player, u32)> {
        let list = game.get("moves").map(Value::list).unwrap_or_default();
        let mut end = None;
        let heading = self.last_game().heading;
        for (index, value) in list.iter().enumerate() {
            if !self.has_room(heading) {
                break;
            }
            let is_last = index + 1 == list.len();
            if is_cut && is_last && !is_whole(value) {
                // What the end of the document took away is reported as that.
                break;
            }
            match step(value) {
                Ok(Step::End(winner)) => {
                    if let Some(text) = said(value, "comment") {
                        self.remark(text);
                    }
                    let after = self.last_game().entries.len() as u32;
                    if end.replace((winner, after)).is_some() {
                        let span = self.last_game().heading;
                        let message = "the game ends more than once";
                        let label = "the last end counts";
                        self.report(&syntax::UNREADABLE_LINE, span, message, label);
                    }
                }
                Ok(Step::Action(player, action)) => self.action(value, player, action, None),
                Err(fault) => {
                    let player = player_of(value).or_else(|| {
                        let last = self.last_game().entries.last()?;
                        Some(!last.player)
                    });
                    let player = player.unwrap_or(Player::One);
                    let action = match fault.roll {
                        Some(roll) => Action::Play {
                            roll,
                            play: WrittenPlay::NotRecorded,
                        },
                        None => Action::Unreadable,
                    };
                    self.action(value, player, action, Some(fault.why));
                }
            }
        }
        end
    }

    /// Adds an action. One that cannot be read comes with the reason.
    fn action(&mut self, value: &Value, player: Player, action: Action, fault: Option<String>) {
        let (span, row) = self.listing.action(player, &action);
        let doubled = self.is_after_double(player);
        let mut entry = Entry::new(player, action, row, span);
        let kind = match action {
            Action::Play { .. } => Kind::Roll { doubled },
            Action::Double { .. } => Kind::Double,
            Action::Take | Action::Pass => Kind::Answer,
            _ => Kind::Other,
        };
        let found = analysis::of(value, kind);
        if !found.is_empty() {
            entry.extra_mut().analysis = found;
        }
        if let Some(comment) = said(value, "comment") {
            entry.extra_mut().comment = Some(comment.to_owned());
        }
        let ply = self.last_game().entries.len() as u32 + 1;
        if let Some(why) = fault {
            entry.extra_mut().unreadable = true;
            let label = "the position after it is unknown";
            let finding = Finding::new(&syntax::UNREADABLE_LINE, span, why, label);
            self.push(finding.within(Context {
                ply: Some(ply),
                player: Some(player),
                ..Context::default()
            }));
        }
        self.last_game().entries.push(entry);
    }

    /// Whether the last actions are a double of the player and the answer to it.
    fn is_after_double(&mut self, player: Player) -> bool {
        let entries = &self.last_game().entries;
        let mut before = entries.iter().rev();
        let is_answer = before
            .next()
            .is_some_and(|entry| entry.action == Action::Take);
        let double = before.next().filter(|_| is_answer);
        double.is_some_and(|entry| {
            entry.player == player && matches!(entry.action, Action::Double { .. })
        })
    }

    /// What the game says of its end. The scores are those before and after it.
    fn end(
        &mut self,
        game: &Value,
        end: Option<(Player, u32)>,
        scores: Option<(ByPlayer<u32>, ByPlayer<u32>)>,
    ) {
        let heading = self.last_game().heading;
        let won = self.number(game, "wonPoints", heading);
        let won = won.filter(|&points| points > 0);
        let gained = scores.and_then(|(before, after)| gain(before, after));
        let winner = end
            .map(|(winner, _)| winner)
            .or(gained.map(|(winner, _)| winner));
        let of_score = gained.filter(|(player, _)| winner == Some(*player));
        let points = won.or(of_score.map(|(_, points)| points));
        if end.is_none() && points.is_none() {
            return;
        }
        let is_at_end =
            end.is_none_or(|(_, after)| after as usize == self.last_game().entries.len());
        if is_true(game, "lostOnTime") {
            match winner.filter(|_| is_at_end) {
                Some(winner) => self.action(&Value::Null, !winner, Action::TimeOut, None),
                None => self.odd(heading, "a loss on time, and nothing says whose".to_owned()),
            }
        }
        let entries = &self.last_game().entries;
        let after = match end {
            Some((_, after)) if !is_at_end => after,
            _ => entries.len() as u32,
        };
        let before_end = entries.get(..after as usize).unwrap_or_default();
        let gave_up = before_end
            .last()
            .is_some_and(|entry| matches!(entry.action, Action::Resign { .. }));
        let resigned = gave_up || is_true(game, "wasResignation") || is_true(game, "wasForfeit");
        let who = match winner {
            Some(winner) if !self.record.names[winner].is_empty() => {
                self.record.names[winner].clone()
            }
            Some(Player::One) => "left".to_owned(),
            Some(Player::Two) => "right".to_owned(),
            None => "nobody".to_owned(),
        };
        let line = match points {
            Some(1) => format!("{who} wins 1 point"),
            Some(points) => format!("{who} wins {points} points"),
            None => format!("{who} wins"),
        };
        let span = self.listing.of_game(&line);
        self.last_game().result = Some(Spanned::new(
            GameResult {
                winner,
                points,
                after,
                resigned,
                ..GameResult::default()
            },
            span,
        ));
    }
}

/// A pair of numbers, if both are there and make sense.
pub(super) fn score(value: &Value, names: Names) -> Option<ByPlayer<u32>> {
    let number = |name| u32::try_from(value.get(name)?.int()?).ok();
    Some(ByPlayer::new(number(names.one)?, number(names.two)?))
}

/// Whose score is higher than before, and by how much, where the other one's is the same.
fn gain(before: ByPlayer<u32>, after: ByPlayer<u32>) -> Option<(Player, u32)> {
    let more = |player: Player| after[player].checked_sub(before[player]);
    match (more(Player::One)?, more(Player::Two)?) {
        (points @ 1.., 0) => Some((Player::One, points)),
        (0, points @ 1..) => Some((Player::Two, points)),
        _ => None,
    }
}
