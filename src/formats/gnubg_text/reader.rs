//! The loop over the lines of an export.

use super::SCORE;
use super::page::Said;
use crate::board::{ByPlayer, Cube, Length, Player, Position, Setup, Variant, Win};
use crate::diagnostic::{Context, Finding, Findings, Level, syntax};
use crate::formats::ids::record::{findings, setup};
use crate::formats::ids::{self, IdState, Kind};
use crate::formats::mat::header_tag;
use crate::formats::notation::parse_play;
use crate::formats::text::{encoding_guessed, match_length};
use crate::formats::{NotThisFormat, Sink};
use crate::record::{
    Action, Dialect, Entry, GameRecord, GameResult, MatchRecord, Tag, WrittenPlay, WrittenRoll,
};
use crate::source::{Source, Span, Spanned};

/// Where the reader is in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    /// Before a game, or in what stands behind it.
    Outside,
    /// In what is said of the match.
    Information,
    /// In the comment on the match.
    MatchComment,
    /// In the records.
    Records,
    /// In the comment on a record.
    Annotation,
}

/// A line that starts or ends something.
#[derive(Debug, PartialEq)]
enum Line<'a> {
    Score(Heading<'a>),
    Headline {
        number: u32,
        text: &'a str,
    },
    Action {
        player: Player,
        words: &'a str,
    },
    /// An action of somebody who does not play here.
    Stranger,
    Result {
        winner: Player,
        words: &'a str,
    },
    Rolled(WrittenRoll),
    Annotation,
    Statistics,
    Other,
}

/// The score before a game.
#[derive(Debug, PartialEq)]
struct Heading<'a> {
    games: u32,
    names: [&'a str; 2],
    score: [u32; 2],
    /// `match to 5 points), Crawford game`: what stands from the last parenthesis on.
    terms: &'a str,
}

/// What the headline of a record says.
#[derive(Debug, Default)]
struct Headline {
    number: u32,
    roll: Option<WrittenRoll>,
    span: Span,
}

/// A play that waits for its roll, which may stand behind it.
struct Waiting {
    player: Player,
    play: WrittenPlay,
    text: String,
    span: Span,
    number: u32,
}

pub(super) struct Reader<'s, 'o, 'b> {
    source: &'s Source,
    sink: &'o mut Sink<'b>,
    findings: Findings,
    record: MatchRecord,
    number: u32,
    at: At,
    any: bool,
    headline: Headline,
    /// A position ID whose match ID has a line of its own.
    position_id: Option<(String, Span)>,
    waiting: Option<Waiting>,
    comment: Vec<(String, Span)>,
    checked_score: bool,
}

impl<'s, 'o, 'b> Reader<'s, 'o, 'b> {
    pub(super) fn new(source: &'s Source, sink: &'o mut Sink<'b>) -> Reader<'s, 'o, 'b> {
        Reader {
            source,
            sink,
            findings: Findings::default(),
            record: MatchRecord::default(),
            number: 1,
            at: At::Outside,
            any: false,
            headline: Headline::default(),
            position_id: None,
            waiting: None,
            comment: Vec::new(),
            checked_score: false,
        }
    }

    pub(super) fn read(mut self, said: &[Said]) -> Result<(), NotThisFormat> {
        if let Some(finding) = encoding_guessed(self.source) {
            self.findings.push(finding);
        }
        for line in said {
            self.line(line);
        }
        if !self.any {
            let message =
                "no score before a game, as in \"The score (after 0 games) is: Ann 0, Bob 0\"";
            return Err(NotThisFormat(message.to_owned()));
        }
        self.end_match();
        Ok(())
    }

    fn line(&mut self, said: &Said) {
        match parse(&said.text, &self.record.names, self.at) {
            Line::Score(heading) => self.score(&heading, said.span),
            _ if said.text.starts_with(SCORE) => {
                let label = "two names and scores are wanted";
                self.unreadable(said.span, "a score that cannot be read".to_owned(), label);
            }
            _ if self.at == At::Outside => {}
            Line::Headline { number, text } => self.headline(number, text, said.span),
            Line::Action { player, words } => self.action(player, words, said.span),
            Line::Stranger => {
                let names = &self.record.names;
                let label = format!("the players are {} and {}", names.one, names.two);
                self.unreadable(said.span, format!("{:?} cannot be read", said.text), label);
            }
            Line::Result { winner, words } => self.result(winner, words, said.span),
            Line::Rolled(roll) => self.rolled(roll),
            Line::Annotation => {
                self.end_comment();
                self.at = At::Annotation;
            }
            Line::Statistics => {
                self.end_comment();
                self.at = At::Outside;
            }
            Line::Other => self.other(said),
        }
    }

    fn other(&mut self, said: &Said) {
        match self.at {
            At::Outside => {}
            At::Information => self.information(said),
            At::MatchComment | At::Annotation => {
                let text = said.text.trim().to_owned();
                self.comment.push((text, said.span));
                if said.ends {
                    self.end_comment();
                }
            }
            At::Records => self.position(said),
        }
    }

    fn score(&mut self, heading: &Heading<'_>, span: Span) {
        self.end_game();
        let names = ByPlayer::new(heading.names[0].to_owned(), heading.names[1].to_owned());
        let length = length(heading.terms, span);
        let length = length.map_err(|finding| self.report(*finding)).ok();
        let before = self.record.length.map(|length| length.value);
        if self.any && (self.record.names != names || before != length) {
            self.end_match();
        }
        // A page says the score in its title too, and again where nothing is left to be played.
        let repeated = self.record.games.last().is_some_and(|game| {
            game.entries.is_empty() && game.number.map(|n| n.value) == heading.games.checked_add(1)
        });
        if repeated {
            self.record.games.pop();
        }
        if self.record.games.is_empty() {
            self.record.names = names;
            self.record.length = length.map(|length| Spanned::new(length, span));
            self.record.dialect = Some(Dialect {
                name: "gnubg",
                title: "GNU Backgammon",
                known_by: "the words of its export",
            });
            let jacoby = length == Some(Length::Money)
                && (heading.terms.contains("Jacoby") && !heading.terms.contains("without"));
            if jacoby {
                self.tag("Jacoby", "On", span);
            }
        }
        let points = length.and_then(Length::points);
        let short = heading
            .score
            .iter()
            .any(|&score| Some(score.saturating_add(1)) == points);
        let crawford = if heading.terms.contains("Crawford game") {
            Some(true)
        } else if heading.terms.contains("post-Crawford") {
            Some(false)
        } else {
            None
        };
        let [one, two] = heading.score;
        self.record.games.push(GameRecord {
            heading: span,
            number: heading
                .games
                .checked_add(1)
                .map(|number| Spanned::new(number, span)),
            has_score_line: true,
            score: Some(Spanned::new(ByPlayer::new(one, two), span)),
            crawford: crawford
                .filter(|&is_it| is_it || short)
                .map(|crawford| Spanned::new(crawford, span)),
            ..GameRecord::default()
        });
        self.any = true;
        self.checked_score = false;
        self.at = At::Information;
    }

    fn tag(&mut self, name: &str, value: &str, span: Span) {
        self.record.tags.push(Tag {
            name: name.to_owned(),
            value: value.to_owned(),
            span,
        });
    }

    /// `Event: Club night`; the page has a tab for the colon.
    fn information(&mut self, said: &Said) {
        let text = said.text.trim();
        let Some((name, value)) = text.split_once('\t').or_else(|| text.split_once(':')) else {
            return;
        };
        let (name, value) = (name.trim(), value.trim());
        if self.record.games.len() > 1 {
            return;
        }
        if let Some(player) = name.strip_suffix("'s rating") {
            let names = &self.record.names;
            let whose = Player::BOTH.into_iter().find(|&p| names[p] == player);
            if let Some(whose) = whose {
                self.record.ratings[whose] = Some(value.to_owned());
            }
            return;
        }
        let tag = match name {
            "Event" => "Event",
            "Round" => "Round",
            "Place" => "Site",
            "Annotator" => "Transcriber",
            // In the order of the writer's language: nobody can tell what 03/02/2001 is.
            "Date" => "Date",
            "Comment" | "Comments" => {
                self.at = At::MatchComment;
                self.comment.push((value.to_owned(), said.span));
                return;
            }
            _ => return,
        };
        self.tag(tag, value, said.span);
    }

    fn end_comment(&mut self) {
        let lines = std::mem::take(&mut self.comment);
        let at = self.at;
        self.at = match at {
            At::MatchComment => At::Information,
            _ => At::Records,
        };
        let spans: Vec<Span> = lines
            .iter()
            .filter(|(text, _)| !text.is_empty())
            .map(|&(_, span)| span)
            .collect();
        let (Some(first), Some(last)) = (spans.first(), spans.last()) else {
            return;
        };
        let span = first.to(*last);
        if at == At::MatchComment {
            let lines = lines.into_iter().filter(|(text, _)| !text.is_empty());
            for (text, span) in lines {
                // The program keeps header lines of .mat files in its comment.
                match header_tag(&text) {
                    Some((name, value)) => {
                        let (name, value) = (name.to_owned(), value.to_owned());
                        self.record.tags.push(Tag { name, value, span });
                    }
                    None => self.record.comments.push(Spanned::new(text, span)),
                }
            }
            return;
        }
        self.flush();
        let texts: Vec<&str> = lines.iter().map(|(text, _)| text.as_str()).collect();
        let text = texts.join("\n").trim().to_owned();
        let Some(game) = self.record.games.last_mut() else {
            return;
        };
        match game.entries.last_mut() {
            Some(entry) => match &mut entry.extra_mut().comment {
                Some(before) => *before = format!("{before}\n{text}"),
                comment => *comment = Some(text),
            },
            None => game.comments.push(Spanned::new(text, span)),
        }
    }

    fn headline(&mut self, number: u32, text: &str, span: Span) {
        self.end_comment();
        self.flush();
        self.at = At::Records;
        self.position_id = None;
        self.headline = Headline {
            number,
            roll: None,
            span,
        };
        let names = &self.record.names;
        let Some((player, words)) = by(text, names) else {
            let label = format!("the players are {} and {}", names.one, names.two);
            return self.unreadable(span, format!("{text:?} cannot be read"), label);
        };
        if let Some(roll) = words.strip_prefix("to play ") {
            match two_dice(roll.trim()) {
                Some(roll) => self.headline.roll = Some(roll),
                None => {
                    self.unreadable(span, format!("{roll:?} is no roll"), "two dice are wanted")
                }
            }
        } else if let Some(value) = words.strip_prefix("doubles to ") {
            let to = value.trim().parse().ok();
            if to.is_none() {
                self.unreadable(span, format!("{value:?} is no cube"), "2, 4 and so on");
            }
            self.cube_value(player, to);
        }
    }

    /// The value of a double stands in the headline of its answer.
    fn cube_value(&mut self, player: Player, value: Option<u32>) {
        let last = self.game().entries.last_mut();
        if let Some(last) = last.filter(|last| last.player == player)
            && let Action::Double { to, .. } | Action::Beaver { to } | Action::Raccoon { to } =
                &mut last.action
        {
            *to = value;
        }
    }

    /// The identifiers of a record, and the analysis of the play that was made.
    fn position(&mut self, said: &Said) {
        let text = said.text.as_str();
        if let Some(rest) = after(text, "Position ID:") {
            let (position, rest) = word(rest);
            match after(rest, "Match ID:") {
                Some(matched) => self.ids(&format!("{position}:{}", word(matched).0), said.span),
                None => self.position_id = Some((position.to_owned(), said.span)),
            }
        } else if let Some(rest) = after(text, "Match ID   :").or_else(|| after(text, "Match ID:"))
            && let Some((position, at)) = self.position_id.take()
        {
            self.ids(&format!("{position}:{}", word(rest).0), at.to(said.span));
        } else if let Some(rest) = text.strip_prefix("*  ") {
            self.analysis(rest);
        }
    }

    fn ids(&mut self, ids: &str, span: Span) {
        match ids::decode_as(Kind::GnubgId, ids) {
            Ok(decoded) => {
                self.check(&decoded.state, span);
                self.stated(&decoded.state, span);
            }
            Err(faults) => {
                for finding in findings(&faults, "", span.start) {
                    let place = finding.primary.text.clone();
                    let finding = Finding {
                        primary: crate::diagnostic::Label { span, text: place },
                        secondary: Vec::new(),
                        ..finding
                    };
                    self.report(finding);
                }
            }
        }
    }

    /// Holds what the match ID says beside the words.
    fn check(&mut self, state: &IdState, span: Span) {
        if let (Some(written), Some(roll)) = (self.headline.roll, state.dice)
            && written
                .roll()
                .is_some_and(|written| (written.high(), written.low()) != (roll.high(), roll.low()))
        {
            let message = format!("the headline says {written}, the match ID {roll}");
            let finding = Finding::new(&syntax::BAD_HEADER, span, message, "the headline counts")
                .also(self.headline.span, "the headline");
            self.report(finding);
        }
        let score = self.game().score;
        if let (Some(score), Some(stated)) = (score, state.score)
            && score.value != stated
            && !self.checked_score
        {
            let message = format!(
                "the heading says {}-{}, the match ID {}-{}",
                score.value.one, score.value.two, stated.one, stated.two
            );
            let finding = Finding::new(&syntax::BAD_HEADER, span, message, "the heading counts")
                .also(score.span, "the heading");
            self.report(finding);
        }
        self.checked_score = true;
    }

    /// The position before an action is the one after the action before it.
    fn stated(&mut self, state: &IdState, span: Span) {
        let Some(setup) = setup(state) else { return };
        let setup = Setup {
            roll: None,
            ..setup
        };
        let game = self.game();
        let Some(last) = game.entries.last_mut() else {
            let is_start = Position::new(&setup).ok() == Some(Position::start(Variant::Backgammon))
                && setup.cube == Some(Cube::START);
            if !is_start && game.start.is_none() {
                game.start = Some(Spanned::new(setup, span));
            }
            return;
        };
        let is_over = setup.faults().iter().any(|fault| fault.is_game_over());
        if matches!(last.action, Action::Play { .. }) && !is_over {
            let extra = last.extra_mut();
            extra
                .position_after
                .get_or_insert(Spanned::new(setup, span));
        }
    }

    /// `1. Cubeful 2-ply    24/20 13/8    Eq.: +0.042 (-0.010)`: the play that was made.
    fn analysis(&mut self, row: &str) {
        let Some((_, equity)) = row.split_once("Eq.:") else {
            return;
        };
        let (equity, rest) = word(equity);
        self.flush();
        let Some(entry) = self.game().entries.last_mut() else {
            return;
        };
        let extra = entry.extra_mut();
        extra
            .analysis
            .push(("equity".to_owned(), equity.to_owned()));
        let error = rest
            .trim()
            .strip_prefix('(')
            .and_then(|r| r.split_once(')'));
        if let Some((error, _)) = error {
            extra
                .analysis
                .push(("error".to_owned(), error.trim().to_owned()));
        }
    }

    fn action(&mut self, player: Player, words: &str, span: Span) {
        self.flush();
        let number = self.headline.number;
        let last = self
            .game()
            .entries
            .last()
            .map(|entry| (entry.player, entry.action));
        let offered = |action| matches!(action, Action::Resign { .. });
        let action = match words {
            "cannot move" => return self.play(player, WrittenPlay::CannotMove, words, span),
            "doubles" | "redoubles" | "beavers" | "raccoons" => match last {
                Some((by, Action::Double { .. })) if by != player => Action::Beaver { to: None },
                Some((by, Action::Beaver { .. })) if by != player => Action::Raccoon { to: None },
                _ => Action::Double {
                    to: None,
                    after_roll: None,
                },
            },
            "accepts" | "takes" => match last {
                Some((_, action)) if offered(action) => Action::Accept,
                _ => Action::Take,
            },
            "rejects" | "passes" | "drops" => match last {
                Some((_, action)) if offered(action) => Action::Reject,
                _ => Action::Pass,
            },
            _ => match words.strip_prefix("moves ") {
                Some(play) => return self.moves(player, play, span),
                None if words.starts_with("resigns") || words.starts_with("offers to resign") => {
                    Action::Resign { win: kind(words) }
                }
                None => {
                    let message = format!("{words:?} cannot be read");
                    self.unreadable(span, message, "kept as written");
                    let mut entry = Entry::new(player, Action::Unreadable, number, span);
                    entry.extra_mut().unreadable = true;
                    self.game().entries.push(entry);
                    return;
                }
            },
        };
        self.game()
            .entries
            .push(Entry::new(player, action, number, span));
    }

    fn moves(&mut self, player: Player, play: &str, span: Span) {
        match parse_play(play.trim()) {
            Ok(WrittenPlay::Nothing) | Err(_) => {
                let message = format!("{play:?} is no play");
                let label = "kept as written; the position after it is unknown";
                self.unreadable(span, message, label);
                self.play(player, WrittenPlay::NotRecorded, play, span);
                if let Some(entry) = self.game().entries.last_mut() {
                    entry.extra_mut().unreadable = true;
                }
            }
            Ok(read) => self.play(player, read, play, span),
        }
    }

    fn play(&mut self, player: Player, play: WrittenPlay, text: &str, span: Span) {
        let number = self.headline.number;
        match self.headline.roll.take() {
            Some(roll) => {
                let action = Action::Play { roll, play };
                let entry = Entry::new(player, action, number, span);
                self.game().entries.push(entry);
            }
            None => {
                self.waiting = Some(Waiting {
                    player,
                    play,
                    text: text.to_owned(),
                    span,
                    number,
                });
            }
        }
    }

    fn rolled(&mut self, roll: WrittenRoll) {
        if let Some(waiting) = self.waiting.take() {
            let play = waiting.play;
            let entry = Entry::new(
                waiting.player,
                Action::Play { roll, play },
                waiting.number,
                waiting.span,
            );
            self.game().entries.push(entry);
        }
    }

    /// A play whose roll is said nowhere is kept as a comment.
    fn flush(&mut self) {
        let Some(waiting) = self.waiting.take() else {
            return;
        };
        let message = "the roll of this play is not stated";
        let finding = Finding::new(
            &syntax::UNREADABLE_LINE,
            waiting.span,
            message,
            "kept as a comment",
        );
        self.report(finding.at_level(Level::Warning));
        let text = format!("{} {}", self.record.names[waiting.player], waiting.text);
        self.game().comments.push(Spanned::new(text, waiting.span));
    }

    fn result(&mut self, winner: Player, words: &str, span: Span) {
        self.end_comment();
        self.flush();
        let points = words
            .split(' ')
            .filter_map(|word| word.parse().ok())
            .next_back();
        let game = self.game();
        let after = game.entries.len() as u32;
        if game.result.is_none() {
            let result = GameResult {
                winner: Some(winner),
                points,
                win: kind(words),
                after,
                ..GameResult::default()
            };
            game.result = Some(Spanned::new(result, span));
        }
        if points.is_none() {
            self.unreadable(
                span,
                format!("no points in {words:?}"),
                "how many were won?",
            );
        }
        self.at = At::Outside;
    }

    fn game(&mut self) -> &mut GameRecord {
        if self.record.games.is_empty() {
            self.record.games.push(GameRecord::default());
        }
        self.record.games.last_mut().expect("a game was added")
    }

    fn unreadable(&mut self, span: Span, message: String, label: impl Into<String>) {
        self.report(Finding::new(&syntax::UNREADABLE_LINE, span, message, label));
    }

    fn report(&mut self, finding: Finding) {
        let plies = self.record.games.last().map(|game| game.entries.len());
        let context = Context {
            ply: plies.map(|plies| plies as u32 + 1),
            ..Context::in_last_game(self.number, self.record.games.len())
        };
        self.findings.push(finding.within(context));
    }

    fn end_game(&mut self) {
        if self.any {
            self.end_comment();
            self.flush();
        }
    }

    fn end_match(&mut self) {
        self.end_game();
        let mut record = std::mem::take(&mut self.record);
        let hits = |entry: &Entry| match entry.action {
            Action::Play {
                play: WrittenPlay::Moves(play),
                ..
            } => play.hits() > 0,
            _ => false,
        };
        let marked = record
            .games
            .iter()
            .any(|game| game.entries.iter().any(hits));
        record.has_hit_marks = Some(marked);
        (self.sink)(&record, &mut self.findings);
        self.findings = Findings::default();
        self.number += 1;
    }
}

fn parse<'a>(text: &'a str, names: &ByPlayer<String>, at: At) -> Line<'a> {
    if let Some(heading) = heading(text) {
        return Line::Score(heading);
    }
    if let Some((number, text)) = text
        .strip_prefix("Move number ")
        .and_then(|rest| rest.split_once(':'))
        && let Ok(number) = number.trim().parse()
    {
        return Line::Headline {
            number,
            text: text.trim(),
        };
    }
    let text = text.trim();
    if text.starts_with("Game statistics") || text.starts_with("Output generated") {
        return Line::Statistics;
    }
    if at == At::Information || at == At::MatchComment {
        return Line::Other;
    }
    if let Some((winner, words)) = by(text, names)
        && let Some(words) = words.strip_prefix("wins ")
    {
        return Line::Result { winner, words };
    }
    if at == At::Annotation {
        return Line::Other;
    }
    let action = text.strip_prefix("* ").or_else(|| text.strip_prefix("• "));
    if let Some(action) = action.filter(|action| !action.starts_with(' ')) {
        return match by(action, names) {
            Some((player, words)) => Line::Action { player, words },
            None => Line::Stranger,
        };
    }
    if let Some(roll) = text.strip_prefix("Rolled ")
        && let Some(roll) = two_dice(roll.split([':', ' ']).next().unwrap_or_default())
    {
        return Line::Rolled(roll);
    }
    if matches!(text, "Annotation" | "Annotation:") {
        return Line::Annotation;
    }
    Line::Other
}

/// Whose words these are, and the words. Of two names that both fit the longer one is meant.
fn by<'a>(text: &'a str, names: &ByPlayer<String>) -> Option<(Player, &'a str)> {
    let mut players = Player::BOTH;
    players.sort_by_key(|&player| std::cmp::Reverse(names[player].len()));
    players.into_iter().find_map(|player| {
        let rest = text.strip_prefix(names[player].as_str())?;
        let words = rest.strip_prefix(' ')?.trim();
        Some((player, words))
    })
}

/// `The score (after 1 game) is: Ann 0, Bob 4 (match to 5 points), Crawford game`.
fn heading(text: &str) -> Option<Heading<'_>> {
    let rest = text.trim().strip_prefix(SCORE)?;
    let (games, rest) = rest.split_once(") is: ")?;
    let games = games.split(' ').next()?.parse().ok()?;
    let terms_at = rest
        .rfind(" (match to ")
        .or_else(|| rest.rfind(" (money session"));
    let (players, terms) = match terms_at {
        Some(at) => (&rest[..at], &rest[at + 2..]),
        None => (rest, ""),
    };
    // Names may hold commas, so that the score in front of one tells which of them parts the two.
    players.match_indices(", ").find_map(|(at, _)| {
        let (one, first) = players[..at].rsplit_once(' ')?;
        let (two, second) = players[at + 2..].rsplit_once(' ')?;
        Some(Heading {
            games,
            names: [one, two],
            score: [
                first.parse().ok()?,
                second.trim_end_matches('.').parse().ok()?,
            ],
            terms,
        })
    })
}

/// The length in `match to 5 points), Crawford game`; without a match it is a session of money games.
fn length(terms: &str, span: Span) -> Result<Length, Box<Finding>> {
    let points = terms
        .strip_prefix("match to ")
        .and_then(|rest| rest.split([' ', ',', ')']).next())
        .map_or(0, |points| points.parse().unwrap_or(u32::MAX));
    match_length(points, span)
}

fn kind(words: &str) -> Option<Win> {
    if words.contains("backgammon") {
        Some(Win::Backgammon)
    } else if words.contains("gammon") {
        Some(Win::Gammon)
    } else if words.contains("single game") {
        Some(Win::Single)
    } else {
        None
    }
}

fn two_dice(text: &str) -> Option<WrittenRoll> {
    match text.as_bytes() {
        [a @ b'0'..=b'9', b @ b'0'..=b'9'] => Some(WrittenRoll(a - b'0', b - b'0')),
        _ => None,
    }
}

/// What stands behind some words in a line.
fn after<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    text.find(words).map(|at| &text[at + words.len()..])
}

/// The first word and the rest.
fn word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    text.split_at(end)
}
