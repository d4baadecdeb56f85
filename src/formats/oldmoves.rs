//! The output of the FIBS command `oldmoves`.
//!
//! ```text
//! game   = score players { record }
//! score  = "Score is 0-0 in a 3 point match."         without a number: money play
//! players= "alpha is X - bravo is O"
//! record = ( "X:" | "O:" ) ( "(5 3)" steps | "(6 6) can't move" | "doubles." | "accepts the double."
//!        | "rejects the double." | "wants to resign." | "wins 4 points." )
//! ```
//!
//! Both players count the same points, so that one of them goes up. Which one is not written: the steps of a
//! game decide, once for each player. Who is X may change from game to game, so that players go by name. The
//! server sometimes prints the score the other way round. No genuine file was at hand: what is read here
//! follows descriptions and the reader of GNU Backgammon.

use nom::IResult;
use nom::Parser;
use nom::bytes::complete::tag;
use nom::character::complete::{char, one_of, space0, space1};
use nom::combinator::opt;
use nom::sequence::{delimited, preceded, separated_pair, terminated};

use super::carry::{Carried, Item};
use super::fibs::event::{Event, Step, ascends, event, play, steps};
use super::text::{encoding_guessed, match_length, mentions, number, trimmed};
use super::{Format, Likely, NotThisFormat, Sink};
use crate::board::{ByPlayer, Length, Player};
use crate::diagnostic::{Context, Finding, Findings, Level, syntax};
use crate::record::{Action, Entry, GameRecord, GameResult, MatchRecord, WrittenPlay, WrittenRoll};
use crate::source::{Source, Span, Spanned, lines};

pub(super) static FORMAT: Format = Format {
    name: "oldmoves",
    title: "FIBS oldmoves",
    extensions: &["fibs", "txt"],
    sniff,
    binary: false,
    read: Some(read),
    read_made: None,
    cut: None,
    write: None,
    profiles: &[],
    verified: false,
    carries: &[
        (Item::Names, Carried::Yes),
        (Item::Length, Carried::Yes),
        (Item::Scores, Carried::Yes),
        (Item::CubeActions, Carried::Yes),
        (Item::Dances, Carried::Yes),
        (Item::Resignations, Carried::Yes),
        (Item::Results, Carried::Yes),
        (Item::Comments, Carried::Yes),
    ],
};

fn sniff(source: &Source) -> Likely {
    if !mentions(source, "Score is ") {
        return Likely::No;
    }
    let texts: Vec<&str> = lines(source.text())
        .map(|line| line.text)
        .filter(|text| !text.trim().is_empty())
        .take(200)
        .collect();
    let is_head = |pair: &[&str]| score(pair[0]).is_some() && players(pair[1]).is_some();
    if texts.windows(2).any(is_head) {
        Likely::Yes
    } else if texts.iter().any(|text| score(text).is_some()) {
        Likely::Maybe
    } else {
        Likely::No
    }
}

/// `Score is 0-0 in a 3 point match.`, with whatever a log has before it: both scores, and the length.
fn score(line: &str) -> Option<([u32; 2], Option<u32>)> {
    fn after(i: &str) -> IResult<&str, ((u32, u32), Option<u32>)> {
        let scores = separated_pair(number, char('-'), number);
        let length = opt(terminated(number, (opt(char('-')), space0, tag("point"))));
        (
            terminated(scores, (tag(" in a"), opt(char('n')), space1)),
            length,
        )
            .parse(i)
    }
    let at = line.find("Score is ")?;
    let (_, ((one, two), length)) = after(&line[at + "Score is ".len()..]).ok()?;
    Some(([one, two], length))
}

/// `alpha is X - bravo is O`: the names in this order, and whether the first is X.
fn players(line: &str) -> Option<([&str; 2], bool)> {
    let (first, second) = line.split_once(" - ")?;
    let sign = |text: &'_ str| -> Option<bool> {
        match text.trim_end().trim_end_matches('.').rsplit_once(" is ")?.1 {
            "X" => Some(true),
            "O" => Some(false),
            _ => None,
        }
    };
    let (first_x, second_x) = (sign(first)?, sign(second)?);
    let name = |text: &str| text.rfind(" is ").unwrap_or(0);
    let names = [&first[..name(first)], &second[..name(second)]];
    // A log may have more before the first name; names have no blanks.
    let one = names[0].split_whitespace().next_back()?;
    let two = names[1].split_whitespace().next()?;
    (first_x != second_x).then_some(([one, two], first_x))
}

/// `X: …`, at the start of a line or behind what a log has there.
fn record(line: &str) -> Option<(bool, &str)> {
    ["X:", "O:"].into_iter().find_map(|sign| {
        let at = match line.trim_start().starts_with(sign) {
            true => line.len() - line.trim_start().len(),
            false => line.find(&format!(" {sign} ("))? + 1,
        };
        Some((sign == "X:", line[at + 2..].trim()))
    })
}

/// `(5 3)`.
fn dice(i: &str) -> IResult<&str, WrittenRoll> {
    let digit = || one_of("0123456789");
    let pair = separated_pair(digit(), space1, digit());
    let dice = delimited((char('('), space0), pair, (space0, char(')')));
    let pips = |die: char| die.to_digit(10).unwrap_or(0) as u8;
    preceded(space0, dice)
        .map(|(a, b)| WrittenRoll(pips(a), pips(b)))
        .parse(i)
}

fn read(source: &Source, sink: &mut Sink<'_>) -> Result<(), NotThisFormat> {
    let mut reader = Reader {
        sink,
        findings: Findings::default(),
        record: MatchRecord::default(),
        number: 1,
        any: false,
        score: None,
        x: Player::One,
        plays: Vec::new(),
    };
    if let Some(finding) = encoding_guessed(source) {
        reader.findings.push(finding);
    }
    for line in lines(source.text()) {
        let (text, span) = trimmed(line);
        if !text.is_empty() {
            reader.line(text, span);
        }
    }
    if !reader.any {
        return Err(NotThisFormat(
            "no line \"Score is 0-0 in a 5 point match\"".to_owned(),
        ));
    }
    reader.end_match();
    Ok(())
}

/// A score line whose players come next.
struct Score {
    points: [u32; 2],
    length: Option<Length>,
    span: Span,
}

/// The steps of a play as they are written, until it is known who goes up.
struct Written {
    entry: usize,
    player: Player,
    steps: Vec<Step>,
}

struct Reader<'o, 'b> {
    sink: &'o mut Sink<'b>,
    findings: Findings,
    record: MatchRecord,
    number: u32,
    any: bool,
    score: Option<Score>,
    /// Who is X in this game.
    x: Player,
    plays: Vec<Written>,
}

impl Reader<'_, '_> {
    fn line(&mut self, text: &str, span: Span) {
        if let Some((points, length)) = score(text) {
            self.without_players();
            let length = match_length(length.unwrap_or(0), span)
                .map_err(|finding| self.report(*finding))
                .ok();
            self.any = true;
            self.score = Some(Score {
                points,
                length,
                span,
            });
            return;
        }
        if let Some((names, first_x)) = players(text)
            && let Some(score) = self.score.take()
        {
            return self.start(names, first_x, &score, span);
        }
        if self.any
            && let Some((is_x, words)) = record(text)
        {
            self.without_players();
            let player = if is_x { self.x } else { !self.x };
            return self.action(player, words, span);
        }
        let comment = Spanned::new(text.to_owned(), span);
        match self.record.games.last_mut() {
            Some(game) => game.comments.push(comment),
            None => self.record.comments.push(comment),
        }
    }

    /// A score line without the names: they are taken to be as before.
    fn without_players(&mut self) {
        let Some(score) = self.score.take() else {
            return;
        };
        let message = "a score without a line that says who is X and who is O";
        let label = "the players are taken to be as before, X first";
        let finding = Finding::new(&syntax::UNREADABLE_LINE, score.span, message, label);
        self.report(finding);
        let names = self.record.names.clone();
        self.start([&names.one, &names.two], true, &score, score.span);
    }

    fn start(&mut self, names: [&str; 2], first_x: bool, score: &Score, span: Span) {
        self.end_game();
        let expected = self.expected();
        let known = &self.record.names;
        let is_same = names == [known.one.as_str(), known.two.as_str()];
        let is_turned = names == [known.two.as_str(), known.one.as_str()];
        let [one, two] = score.points;
        let stated = ByPlayer::new(one, two);
        let mut stated = if is_turned && !is_same {
            stated.swapped()
        } else {
            stated
        };
        let length = self.record.length.map(|length| length.value);
        let from_nothing = stated == ByPlayer::default()
            && expected.is_some_and(|expected| expected != ByPlayer::default());
        if !self.record.games.is_empty()
            && (!is_same && !is_turned || length != score.length || from_nothing)
        {
            self.end_match();
            let message = "the file holds more than one match";
            let label = "a further match starts";
            self.report(Finding::new(
                &syntax::SEVERAL_MATCHES,
                score.span,
                message,
                label,
            ));
            stated = ByPlayer::new(one, two);
        } else if let Some(expected) = expected
            && stated != expected
            && stated.swapped() == expected
        {
            stated = expected;
            let message = "the score is printed the other way round";
            let label = "read as it follows from the games before";
            let finding = Finding::new(&syntax::BAD_HEADER, score.span, message, label);
            self.report(finding.at_level(Level::Note));
        }
        if self.record.games.is_empty() {
            self.record.names = ByPlayer::new(names[0].to_owned(), names[1].to_owned());
            self.record.length = score.length.map(|length| Spanned::new(length, score.span));
        }
        let first = if names[0] == self.record.names.one {
            Player::One
        } else {
            Player::Two
        };
        self.x = if first_x { first } else { !first };
        self.record.games.push(GameRecord {
            heading: score.span.to(span),
            has_score_line: true,
            score: Some(Spanned::new(stated, score.span)),
            ..GameRecord::default()
        });
    }

    /// The score that the last game has led to. `None`: it does not say.
    fn expected(&self) -> Option<ByPlayer<u32>> {
        let game = self.record.games.last()?;
        let mut score = game.score?.value;
        let result = game.result?.value;
        let winner = result.winner?;
        score[winner] = score[winner].saturating_add(result.points?);
        Some(score)
    }

    fn action(&mut self, player: Player, words: &str, span: Span) {
        if let Ok((rest, roll)) = dice(words) {
            return self.play(player, roll, rest.trim().trim_end_matches('.'), span);
        }
        let last = self.game().entries.last();
        let resigned = last.is_some_and(|last| matches!(last.action, Action::Resign { .. }));
        let action = match (words.trim_end_matches([' ', '.']), event(words)) {
            ("accepts", _) if resigned => Action::Accept,
            ("accepts", _) => Action::Take,
            ("rejects", _) if !resigned => Action::Pass,
            (_, Some(Event::Doubles)) => Action::Double {
                to: None,
                after_roll: None,
            },
            (_, Some(Event::Takes)) => Action::Take,
            (_, Some(Event::Passes { .. })) => Action::Pass,
            (_, Some(Event::Resigns)) => Action::Resign { win: None },
            (_, Some(Event::Rejects)) => Action::Reject,
            (_, Some(Event::Accepts { points })) => {
                self.game()
                    .entries
                    .push(Entry::new(player, Action::Accept, 0, span));
                return self.result(player, points, true, span);
            }
            (_, Some(Event::Wins { points })) => {
                return self.result(player, points, resigned, span);
            }
            _ => {
                self.unreadable(span, format!("{words:?} cannot be read"));
                let mut entry = Entry::new(player, Action::Unreadable, 0, span);
                entry.extra_mut().unreadable = true;
                self.game().entries.push(entry);
                return;
            }
        };
        self.game()
            .entries
            .push(Entry::new(player, action, 0, span));
    }

    fn play(&mut self, player: Player, roll: WrittenRoll, words: &str, span: Span) {
        let entry = self.game().entries.len();
        let play = match words.trim() {
            "" => Some(WrittenPlay::Nothing),
            "can't move" | "cannot move" => Some(WrittenPlay::CannotMove),
            words => match steps(words) {
                Ok((rest, steps)) if rest.trim().is_empty() && steps.len() <= 8 => {
                    self.plays.push(Written {
                        entry,
                        player,
                        steps,
                    });
                    // The moves follow when it is known who goes up.
                    Some(WrittenPlay::NotRecorded)
                }
                _ => None,
            },
        };
        let action = Action::Play {
            roll,
            play: play.unwrap_or(WrittenPlay::NotRecorded),
        };
        let no_roll = (roll.0, roll.1) == (0, 0) && play == Some(WrittenPlay::Nothing);
        let action = if no_roll { Action::NoRoll } else { action };
        let mut new = Entry::new(player, action, 0, span);
        if play.is_none() {
            self.unreadable(span, format!("{words:?} cannot be read"));
            new.extra_mut().unreadable = true;
        }
        self.game().entries.push(new);
    }

    fn result(&mut self, winner: Player, points: Option<u32>, resigned: bool, span: Span) {
        let game = self.game();
        let result = GameResult {
            winner: Some(winner),
            points,
            after: game.entries.len() as u32,
            resigned,
            ..GameResult::default()
        };
        match game.result {
            None => game.result = Some(Spanned::new(result, span)),
            Some(first) if first.value.points != points || first.value.winner != Some(winner) => {
                let message = "a second result of the same game";
                let label = "the first one counts";
                let finding = Finding::new(&syntax::UNREADABLE_LINE, span, message, label)
                    .also(first.span, "the first one");
                self.report(finding);
            }
            Some(_) => {}
        }
    }

    /// Decides who goes up, and puts the moves where they belong.
    fn end_game(&mut self) {
        let plays = std::mem::take(&mut self.plays);
        let up = |player: Player| {
            let steps = plays.iter().filter(|play| play.player == player);
            let told = steps.flat_map(|play| play.steps.iter().filter_map(ascends));
            let votes: i32 = told.map(|up| if up { 1 } else { -1 }).sum();
            (votes != 0).then_some(votes > 0)
        };
        let (x, o) = (up(self.x), up(!self.x));
        // Nobody tells: as in the logs that were seen, X goes up.
        let x_up = x.or(o.map(|up| !up)).unwrap_or(true);
        let o_up = o.unwrap_or(!x_up);
        if let Some(first) = plays.first().filter(|_| x_up == o_up)
            && let Some(game) = self.record.games.last()
        {
            let span = game
                .entries
                .get(first.entry)
                .map_or(game.heading, |e| e.span);
            let way = if x_up { "up" } else { "down" };
            let message = format!("both players move {way}");
            let label = "read as if each counted points from the own side";
            self.report(Finding::new(&syntax::BAD_HEADER, span, message, label));
        }
        let x_is = self.x;
        let Some(game) = self.record.games.last_mut() else {
            return;
        };
        for written in plays {
            let is_up = if written.player == x_is { x_up } else { o_up };
            let moves = play(&written.steps, is_up);
            if let Some(Entry {
                action: Action::Play { play, .. },
                ..
            }) = game.entries.get_mut(written.entry)
                && let Some(moves) = moves
            {
                *play = WrittenPlay::Moves(moves);
            }
        }
    }

    fn game(&mut self) -> &mut GameRecord {
        if self.record.games.is_empty() {
            self.record.games.push(GameRecord::default());
        }
        self.record.games.last_mut().expect("a game was added")
    }

    fn unreadable(&mut self, span: Span, message: String) {
        let label = "kept as written; the position after it is unknown";
        self.report(Finding::new(&syntax::UNREADABLE_LINE, span, message, label));
    }

    fn report(&mut self, finding: Finding) {
        let context = Context::in_last_game(self.number, self.record.games.len());
        self.findings.push(finding.within(context));
    }

    fn end_match(&mut self) {
        self.without_players();
        self.end_game();
        let record = std::mem::take(&mut self.record);
        (self.sink)(&record, &mut self.findings);
        self.findings = Findings::default();
        self.number += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_support::{actions, codes, read_text};
    use super::*;

    const GAME: &str = "Score is 0-0 in a 3 point match.\nann is X - bob is O\n\
        X: (3 1) 17-20 19-20\nO: (4 2) 8-4 6-4\nX: doubles.\nO: accepts the double.\n\
        X: (6 6) can't move\nO: (2 1) bar-23 6-5\nX: wants to resign.\nO: wins 2 points.\n\n";

    #[test]
    fn each_player_counts_from_the_own_side_in_the_record() {
        let (matches, found) = read_text(&FORMAT, GAME);
        assert!(found.is_empty(), "{found:?}");
        let game = &matches[0].games[0];
        assert_eq!(
            actions(game),
            [
                "1 31: 8/5 6/5",
                "2 42: 8/4 6/4",
                "1 double",
                "2 take",
                "1 66: cannot move",
                "2 21: bar/23 6/5",
                "1 resign { win: none }",
            ]
        );
        let result = game.result.expect("a result").value;
        assert_eq!((result.winner, result.points), (Some(Player::Two), Some(2)));
        assert_eq!(matches[0].length.map(|l| l.value), Some(Length::Points(3)));
    }

    #[test]
    fn who_is_x_may_change_and_the_score_may_be_turned() {
        let second = "Score is 2-0 in a 3 point match.\nann is O - bob is X\nX: (3 1) 8-5 6-5\n";
        let (matches, found) = read_text(&FORMAT, &format!("{GAME}{second}"));
        assert_eq!(codes(&found), ["bad-header"]);
        let games = &matches[0].games;
        assert_eq!(games[1].score.map(|s| s.value), Some(ByPlayer::new(0, 2)));
        assert_eq!(actions(&games[1]), ["2 31: 8/5 6/5"]);
    }

    #[test]
    fn a_play_against_the_direction_stays_as_written() {
        let text = GAME.replace("X: (6 6) can't move", "X: (6 5) 12-18 20-15");
        let (matches, _) = read_text(&FORMAT, &text);
        assert_eq!(actions(&matches[0].games[0])[4], "1 65: 13/7 5/10");
    }

    #[test]
    fn both_players_may_count_from_the_own_side() {
        let text = GAME.replace("17-20 19-20", "8-5 6-5");
        let (matches, found) = read_text(&FORMAT, &text);
        assert_eq!(codes(&found), ["bad-header"]);
        assert_eq!(
            actions(&matches[0].games[0])[..2],
            ["1 31: 8/5 6/5", "2 42: 8/4 6/4"]
        );
    }

    #[test]
    fn other_players_or_another_length_are_another_match() {
        let other = GAME.replace("3 point match", "unlimited match");
        let (matches, found) = read_text(&FORMAT, &format!("{GAME}{GAME}{other}"));
        assert_eq!(matches.len(), 3);
        assert_eq!(codes(&found), ["several-matches", "several-matches"]);
        assert_eq!(matches[2].length.map(|l| l.value), Some(Length::Money));
    }

    #[test]
    fn what_cannot_be_read_is_reported() {
        for (line, codes_found) in [
            ("X: (3 1) 17-20 19-", vec!["unreadable-line"]),
            ("X: (3 1) 17-20 19-99", vec!["unreadable-line"]),
            ("X: juggles", vec!["unreadable-line"]),
            ("12:30 somebody kibitzes: hello", vec![]),
        ] {
            let text = GAME.replace("X: (6 6) can't move", line);
            let (_, found) = read_text(&FORMAT, &text);
            assert_eq!(codes(&found), codes_found, "{line}");
        }
        let (_, found) = read_text(
            &FORMAT,
            "Score is 0-0 in a 3 point match.\nX: (3 1) 17-20 19-20\n",
        );
        assert_eq!(codes(&found), ["unreadable-line"]);
    }

    #[test]
    fn logs_may_have_more_in_front() {
        assert_eq!(
            score("> 10:30 Score is 1-2 in a 5 point match."),
            Some(([1, 2], Some(5)))
        );
        assert_eq!(score("Score is X:0 O:1 7 pt.(s) match."), None);
        assert_eq!(
            players("> ann is O - bob is X"),
            Some((["ann", "bob"], false))
        );
        assert_eq!(record("> X: (3 1) 17-20"), Some((true, "(3 1) 17-20")));
        assert_eq!(record("He said X: no"), None);
    }
}
