//! From the plies of a file to the record of a match, with the listing that places are in.

mod plies;

pub(super) use plies::moves;

use super::decisions::turn_answers;
use super::model::{Act, Game, Model, Ply, Remark, noted};
use super::notes;
use crate::board::{ByPlayer, Cube, Player, Setup, Variant};
use crate::diagnostic::{Context, Finding, Findings, syntax};
use crate::formats::binary::{Listing, seen_by};
use crate::formats::text::match_length;
use crate::record::{Action, Entry, GameRecord, GameResult, MatchRecord, Tag};
use crate::source::{Span, Spanned};

/// A record with what was found while it was made.
pub(super) struct Built {
    pub(super) record: MatchRecord,
    pub(super) findings: Findings,
    pub(super) listing: Listing,
}

/// Makes the record of a match.
pub(super) fn build(mut model: Model) -> Built {
    turn_answers(&mut model);
    let mut builder = Builder {
        built: Built {
            record: MatchRecord::default(),
            findings: Findings::default(),
            listing: Listing::default(),
        },
        variant: model.variant.unwrap_or_default(),
        board: None,
        time: 0,
        span: model.span,
    };
    builder.head(&model);
    let scores = scores(&model);
    let crawford_before = model.crawford_before;
    let is_cut = model.is_cut;
    let (in_game, of_match): (Vec<Remark>, Vec<Remark>) = model
        .remarks
        .into_iter()
        .partition(|remark| remark.game.is_some());
    for remark in of_match {
        let span = builder.of_match(&remark.message);
        builder.remark(remark, span);
    }
    let mut in_game = in_game.into_iter().peekable();
    for (index, (game, score)) in model.games.into_iter().zip(scores).enumerate() {
        let is_unstated = noted(&game.notes, "crawford") == Some("unstated");
        builder.game(game, score);
        if index == 0 && crawford_before && !is_unstated {
            let game = builder.last_game();
            game.crawford = Some(Spanned::new(false, game.heading));
        }
        while let Some(remark) = in_game.next_if(|remark| remark.game == Some(index)) {
            let span = builder.of_game(&remark.message);
            builder.remark(remark, span);
        }
    }
    if is_cut {
        let span = builder.of_match("(the end of the file)");
        let message = "the file is cut";
        let label = "read up to here";
        builder.find(Finding::new(&syntax::TRUNCATED, span, message, label));
    }
    builder.built
}

/// The score before each game, by the rule of the format; `None` behind a win without points.
fn scores(model: &Model) -> Vec<Option<ByPlayer<u32>>> {
    let [one, two] = model.start;
    let mut score = Some(ByPlayer::new(one, two));
    let mut scores = Vec::new();
    for game in &model.games {
        scores.push(score);
        score = score_after(score, model.length, game.winner, game.points);
    }
    scores
}

/// The score after a game.
pub(super) fn score_after(
    before: Option<ByPlayer<u32>>,
    length: u32,
    winner: Option<Player>,
    points: Option<u32>,
) -> Option<ByPlayer<u32>> {
    let mut score = before?;
    let Some(winner) = winner else {
        return Some(score);
    };
    let needed = match length {
        0 => u32::MAX,
        length => length.saturating_sub(score[winner]),
    };
    score[winner] = score[winner].saturating_add(points?.min(needed));
    Some(score)
}

/// The checkers of a board by absolute pip; `None`: more than a board has, or on the wrong bar.
pub(super) fn checkers_of(board: &[i8; 26]) -> Option<ByPlayer<[u8; 26]>> {
    // Black counts the pips as its own points, and White's checkers are the positive ones.
    seen_by(Player::Two, &board.map(i8::wrapping_neg))
}

struct Builder {
    built: Built,
    variant: Variant,
    /// Where the checkers stand by the plies so far. `None`: not known.
    board: Option<ByPlayer<[u8; 26]>>,
    /// The clock at the action before.
    time: u64,
    /// Where the match or the game is written, in the form that is a text.
    span: Option<Span>,
}

impl Builder {
    /// A line about the match, or the place of the match in a text.
    fn of_match(&mut self, said: &str) -> Span {
        let line = self.built.listing.of_match(said);
        self.span.unwrap_or(line)
    }

    /// A line about the game, or the place of the game in a text.
    fn of_game(&mut self, said: &str) -> Span {
        let line = self.built.listing.of_game(said);
        self.span.unwrap_or(line)
    }

    fn find(&mut self, finding: Finding) {
        let games = self.built.record.games.len();
        let context = Context {
            match_number: Some(1),
            game: u32::try_from(games).ok().filter(|&games| games > 0),
            ..finding.context
        };
        self.built.findings.push(finding.within(context));
    }

    fn remark(&mut self, remark: Remark, span: Span) {
        let finding = Finding::new(remark.rule, span, remark.message, remark.label);
        self.find(finding.at_level(remark.level));
    }

    fn last_game(&mut self) -> &mut GameRecord {
        self.built
            .record
            .games
            .last_mut()
            .expect("a game was started")
    }

    fn head(&mut self, model: &Model) {
        let [one, two] = &model.names;
        let names = ByPlayer::new(one.clone(), two.clone());
        self.built.listing.players(&names);
        let of = match model.length {
            0 => "money play".to_owned(),
            1 => "1 point".to_owned(),
            points => format!("{points} points"),
        };
        let span = self.of_match(&format!("{} - {}, {of}", names.one, names.two));
        let [one, two] = &model.ratings;
        let mut record = MatchRecord {
            names,
            ratings: ByPlayer::new(one.clone(), two.clone()),
            ..MatchRecord::default()
        };
        let variant = model
            .variant
            .filter(|&variant| variant != Variant::Backgammon);
        record.variation = variant.map(|variant| Spanned::new(variant.name().to_owned(), span));
        for (name, value) in rules(model).chain(model.tags.iter().cloned()) {
            let span = self.of_match(&format!("{name}: {value}"));
            record.tags.push(Tag { name, value, span });
        }
        for comment in &model.comments {
            let span = self.of_match(&format!("comment: {comment}"));
            record.comments.push(Spanned::new(comment.clone(), span));
        }
        let has_match = !model.is_cut || model.length > 0 || !model.games.is_empty();
        match match_length(model.length, span) {
            Ok(length) if has_match => record.length = Some(Spanned::new(length, span)),
            Ok(_) => {}
            Err(finding) => self.find(*finding),
        }
        self.built.record = record;
        self.final_score(model);
    }

    /// Compares the score after the last game, where it is stated, with that of the games.
    fn final_score(&mut self, model: &Model) {
        let Some(stated) = model.last else { return };
        let before = scores(model).last().copied().flatten();
        let after = model
            .games
            .last()
            .and_then(|game| score_after(before, model.length, game.winner, game.points));
        let [one, two] = stated;
        if let Some(after) = after
            && after != ByPlayer::new(one, two)
        {
            let said = format!("final score {one}-{two}");
            let span = self.of_match(&said);
            let message = format!(
                "the file ends {one}-{two}, its games make {}-{}",
                after.one, after.two
            );
            let label = "the games count";
            self.find(Finding::new(&syntax::BAD_HEADER, span, message, label));
        }
    }

    fn game(&mut self, game: Game, score: Option<ByPlayer<u32>>) {
        let note = |name: &str| noted(&game.notes, name);
        let score = match note("score") {
            Some(text) => score_text(text),
            None => score,
        };
        let said = score.map_or("score not stated".to_owned(), |score| {
            format!("score {}-{}", score.one, score.two)
        });
        self.span = game.span.or(self.span);
        let line = self.built.listing.game(&said);
        let heading = self.span.unwrap_or(line);
        let name = |side: &str| note(side).map(|name| Spanned::new(name.to_owned(), heading));
        let is_on = |text: &str| {
            (text == "on")
                .then_some(true)
                .or((text == "off").then_some(false))
        };
        self.built.record.games.push(GameRecord {
            heading,
            number: note("number")
                .and_then(|text| text.parse().ok())
                .map(|number| Spanned::new(number, heading)),
            has_score_line: true,
            names: ByPlayer::new(name("name-one"), name("name-two")),
            score: score.map(|score| Spanned::new(score, heading)),
            crawford: note("crawford")
                .and_then(is_on)
                .map(|crawford| Spanned::new(crawford, heading)),
            ..GameRecord::default()
        });
        self.start(&game);
        for comment in &game.comments {
            let span = self.of_game(&format!("comment: {comment}"));
            self.last_game()
                .comments
                .push(Spanned::new(comment.clone(), span));
        }
        let last = game.plies.iter().rev().find(|ply| ply.act != Act::Marker);
        let gave_up = last.is_some_and(|ply| matches!(ply.act, Act::Resign { .. }));
        let forfeited = last.is_some_and(|ply| ply.act == Act::Forfeit);
        for ply in game.plies {
            self.ply(ply);
        }
        if let Some(winner) = game.winner {
            if game.termination == Some(4) && !forfeited {
                self.ply(Ply::new(!winner, Act::Forfeit));
            }
            let result = GameResult {
                winner: Some(winner),
                points: game
                    .points
                    .filter(|_| noted(&game.notes, "points").is_none()),
                and_match: game.is_last,
                resigned: gave_up || game.termination == Some(2),
                ..GameResult::default()
            };
            self.result(result);
        }
        match game.termination {
            None | Some(0..=4) => {}
            Some(other) => {
                let said = format!("termination {other}");
                let span = self.of_game(&said);
                let label = "not kept";
                let message = format!("an unknown way to end a game: {other}");
                self.find(Finding::new(&syntax::BAD_HEADER, span, message, label));
            }
        }
    }

    fn result(&mut self, result: GameResult) {
        let winner = result.winner.expect("a result has a winner here");
        let name = self.built.record.names[winner].clone();
        let said = match result.points {
            Some(1) => format!("{name} wins 1 point"),
            Some(points) => format!("{name} wins {points} points"),
            None => format!("{name} wins"),
        };
        let span = self.of_game(&said);
        let game = self.last_game();
        let after = u32::try_from(game.entries.len()).unwrap_or(u32::MAX);
        game.result = Some(Spanned::new(GameResult { after, ..result }, span));
    }

    /// The position and the cube that the game starts with.
    fn start(&mut self, game: &Game) {
        let usual = ByPlayer::new(self.variant.start(), self.variant.start());
        self.board = Some(usual);
        let value = game.cube_value.unwrap_or(1);
        let doubled = 1u32.checked_shl(game.automatic_doubles).unwrap_or(0);
        let value = match value.checked_mul(doubled) {
            Some(product) if product > 0 => product,
            _ => {
                let span = self.last_game().heading;
                let message = "the cube of the start is too high for a cube";
                self.find(Finding::new(
                    &syntax::BAD_HEADER,
                    span,
                    message,
                    "taken for 1",
                ));
                1
            }
        };
        let cube = Cube {
            value,
            owner: game.cube_owner,
        };
        let note = noted(&game.notes, "start");
        if game.board.is_none() && cube == Cube::START && note.is_none() {
            return;
        }
        let checkers = match &game.board {
            Some(board) => checkers_of(board),
            None => Some(usual),
        };
        let said = format!("starts from a position, the cube on {value}");
        let span = self.of_game(&said);
        self.board = checkers;
        match checkers {
            Some(checkers) => {
                let mut setup = self.setup(checkers, None, Some(cube));
                if let Some(note) = note {
                    notes::state(&mut setup, note);
                }
                self.last_game().start = Some(Spanned::new(setup, span));
            }
            None => {
                self.impossible(span, Context::default());
                self.unreadable_start(span);
            }
        }
    }

    /// A start that makes no sense: what follows is not judged.
    fn unreadable_start(&mut self, span: Span) {
        let mut entry = Entry::new(Player::One, Action::Unreadable, 0, span);
        entry.extra_mut().unreadable = true;
        self.last_game().entries.push(entry);
    }

    fn setup(
        &self,
        checkers: ByPlayer<[u8; 26]>,
        turn: Option<Player>,
        cube: Option<Cube>,
    ) -> Setup {
        Setup {
            checkers,
            variant: self.variant,
            turn,
            roll: None,
            cube,
        }
    }
}

/// The tags of the rules.
fn rules(model: &Model) -> impl Iterator<Item = (String, String)> {
    let is_money = model.length == 0;
    let names = ["Crawford", "Jacoby", "Beaver", "Raccoon", "AutoDoubles"];
    let (rules, length) = (model.rules, model.length);
    let unstated = model.unstated.clone();
    names
        .into_iter()
        .enumerate()
        .filter_map(move |(bit, name)| {
            let on = rules >> bit & 1 == 1;
            // What a bit that is not set says holds only where the rule means something.
            let says = on
                || match name {
                    "Crawford" => length > 1,
                    "AutoDoubles" => false,
                    _ => is_money,
                };
            let is_stated = says && !unstated.iter().any(|other| other == name);
            let value = if on { "On" } else { "Off" };
            is_stated.then(|| (name.to_owned(), value.to_owned()))
        })
}

/// `3-1`; anything else is no score.
fn score_text(text: &str) -> Option<ByPlayer<u32>> {
    let (one, two) = text.split_once('-')?;
    Some(ByPlayer::new(one.parse().ok()?, two.parse().ok()?))
}
