//! Random legal matches: nothing is found in them, and one mistake put into them gives one finding.

use tawla::board::{Position, Roll, Variant, played_as_written};
use tawla::diagnostic::Level;
use tawla::report::{CheckOptions, Report, check};
use tawla::source::Source;

use crate::support::matches::{Made, MadeMatch, random_match, text};
use crate::support::rng::Rng;
use crate::support::slow::Board;

fn checked(text: &str) -> Report {
    let source = Source::new("made.mat", text.as_bytes().to_vec(), None).expect("a text");
    let options = CheckOptions {
        matches: true,
        ..CheckOptions::default()
    };
    check(&source, &options).expect("a match")
}

#[test]
fn nothing_is_found_in_a_legal_match() {
    let mut rng = Rng::new(31);
    for _ in 0..80 {
        let made = random_match(&mut rng);
        let report = checked(&made.text);
        assert!(
            report.findings.is_empty(),
            "{:#?}\n{}",
            report.findings,
            made.text
        );
        let [found] = &report.matches[..] else {
            panic!("{} matches", report.matches.len());
        };
        assert_eq!(found.names, made.names);
        let mut score = made.games[0].before;
        for (game, summary) in made.games.iter().zip(&found.summary.games) {
            assert_eq!(summary.before, score, "{}", made.text);
            assert_eq!(summary.crawford, game.is_crawford, "{}", made.text);
            assert_eq!(summary.winner, Some(game.winner), "{}", made.text);
            assert_eq!(summary.points, Some(game.points), "{}", made.text);
            assert_eq!(summary.plies as usize, game.actions.len(), "{}", made.text);
            score[game.winner] += game.points;
        }
        assert_eq!(found.summary.games.len(), made.games.len());
        assert_eq!(found.summary.score, score);
        assert_eq!(
            found.summary.winner,
            made.games.last().map(|game| game.winner)
        );
    }
}

/// The match with one mistake, and what it must be called: any error where `None`. `None`: there is no place
/// for this mistake in the match.
pub(crate) type Mistake = fn(&MadeMatch, &mut Rng) -> Option<(String, Option<&'static str>)>;

/// Every kind of mistake, with what it is called in the messages of tests.
pub(crate) const MISTAKES: [(&str, Mistake); 8] = [
    ("other dice", other_dice),
    ("a die that does not exist", impossible_die),
    ("a checker that is not there", no_checker),
    ("points that were not won", wrong_points),
    ("a result in the wrong column", wrong_winner),
    ("a score that does not follow", wrong_score),
    ("a wrong value of the cube", wrong_cube),
    ("an answer too many", answer_too_many),
];

#[test]
fn one_mistake_gives_one_finding_where_it_is() {
    let mut rng = Rng::new(65);
    let mut made_mistakes = [0; MISTAKES.len()];
    for _ in 0..60 {
        let made = random_match(&mut rng);
        for (number, (name, mistake)) in MISTAKES.iter().enumerate() {
            if let Some((text, code)) = mistake(&made, &mut rng) {
                is_found_once(&made.text, &text, code, name);
                made_mistakes[number] += 1;
            }
        }
    }
    assert!(
        made_mistakes.iter().all(|&made| made >= 10),
        "{made_mistakes:?}"
    );
}

fn is_found_once(before: &str, after: &str, code: Option<&str>, name: &str) {
    let line = first_difference(before, after);
    let source = Source::new("made.mat", after.as_bytes().to_vec(), None).expect("a text");
    let findings: Vec<(Level, &str, u64)> = checked(after)
        .findings
        .iter()
        .filter(|finding| finding.level != Level::Note)
        .map(|finding| {
            let place = source.line_column(finding.primary.span.start);
            (finding.level, finding.rule.code, place.line)
        })
        .collect();
    let [(level, found, at)] = findings[..] else {
        panic!("{name}, line {line}: {findings:?}\n{after}");
    };
    assert_eq!(
        (level, at),
        (Level::Error, line),
        "{name}: {found}\n{after}"
    );
    assert!(
        code.is_none_or(|code| code == found),
        "{name}: {found}\n{after}"
    );
}

/// The first line that differs, from 1.
fn first_difference(before: &str, after: &str) -> u64 {
    let same = before
        .lines()
        .zip(after.lines())
        .take_while(|(a, b)| a == b);
    same.count() as u64 + 1
}

/// The same play with dice that do not allow it. The position after it is the same.
fn other_dice(made: &MadeMatch, rng: &mut Rng) -> Option<(String, Option<&'static str>)> {
    let game = rng.below(made.games.len());
    let actions = &made.games[game].actions;
    let last = actions.len() - 1;
    let mut position = Position::start(Variant::Backgammon);
    let mut places = Vec::new();
    for (index, &(player, action)) in actions.iter().enumerate() {
        let Made::Play(_, play) = action else {
            continue;
        };
        let after = played_as_written(&position, player, play.moves()).expect("a legal play");
        let other = rng.roll();
        let legal = Board::of(&position, player).legal(other);
        let is_illegal = !legal.contains_key(&Board::of(&after, player));
        // The opening has rules of its own, and a play that ends the game may leave dice.
        if index > 0 && index < last && !play.moves().is_empty() && is_illegal {
            places.push((index, other));
        }
        position = after;
    }
    let &(index, other) = places.get(rng.below(places.len().max(1)))?;
    let mut wrong = with_roll(made, game, index, other)?;
    wrong.text = text(&wrong);
    Some((wrong.text, None))
}

fn with_roll(made: &MadeMatch, game: usize, index: usize, roll: Roll) -> Option<MadeMatch> {
    let mut wrong = made.clone();
    let (_, action) = wrong.games.get_mut(game)?.actions.get_mut(index)?;
    let Made::Play(written, _) = action else {
        return None;
    };
    *written = roll;
    Some(wrong)
}

/// Changes one of the lines for which `change` has another text.
fn change_a_line(
    text: &str,
    rng: &mut Rng,
    change: impl Fn(usize, &str) -> Option<String>,
) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let changes: Vec<(usize, String)> = lines
        .iter()
        .enumerate()
        .filter_map(|(number, line)| Some((number, change(number, line)?)))
        .collect();
    let (number, changed) = changes.get(rng.below(changes.len().max(1)))?;
    let mut lines = lines;
    lines[*number] = changed;
    Some(lines.join("\n") + "\n")
}

/// The text of a row that holds two plays, the first of which has moves: its number and the rest.
fn row_of_two_plays(line: &str) -> Option<(&str, &str)> {
    let (number, cells) = line.split_at_checked(5)?;
    let is_row = number.ends_with(") ") && cells.matches(':').count() == 2;
    (is_row && cells.as_bytes()[2] == b':').then_some((number, cells))
}

fn impossible_die(made: &MadeMatch, rng: &mut Rng) -> Option<(String, Option<&'static str>)> {
    let text = change_a_line(&made.text, rng, |_, line| {
        let (number, cells) = row_of_two_plays(line)?;
        (!number.starts_with("  1")).then(|| format!("{number}7{}", &cells[1..]))
    })?;
    Some((text, Some("impossible-roll")))
}

/// A checker that comes from the bar although none is there.
fn no_checker(made: &MadeMatch, rng: &mut Rng) -> Option<(String, Option<&'static str>)> {
    let text = change_a_line(&made.text, rng, |_, line| {
        let (number, cells) = row_of_two_plays(line)?;
        let (roll, moves) = cells.split_at_checked(4)?;
        let (start, rest) = moves.split_once('/')?;
        // Who has a checker on the bar must enter, and that move is written first.
        let is_move = start != "25" && start.parse::<u8>().is_ok();
        is_move.then(|| format!("{number}{roll}25/{rest}"))
    })?;
    Some((text, None))
}

/// The lines of results alone in their line.
fn result(line: &str) -> Option<(&str, u32)> {
    let (indent, points) = line.split_once("Wins ")?;
    let points = points.split(' ').next()?.parse().ok()?;
    indent.trim().is_empty().then_some((indent, points))
}

fn wrong_points(made: &MadeMatch, rng: &mut Rng) -> Option<(String, Option<&'static str>)> {
    let text = change_a_line(&made.text, rng, |_, line| {
        let (indent, points) = result(line)?;
        Some(format!("{indent}Wins {} points", points + 100))
    })?;
    Some((text, Some("wrong-points")))
}

fn wrong_winner(made: &MadeMatch, rng: &mut Rng) -> Option<(String, Option<&'static str>)> {
    let text = change_a_line(&made.text, rng, |_, line| {
        let (indent, points) = result(line)?;
        let column = if indent.len() > 20 { 6 } else { 34 };
        let plural = if points == 1 { "" } else { "s" };
        Some(format!("{:column$}Wins {points} point{plural}", ""))
    })?;
    Some((text, Some("wrong-winner")))
}

/// A heading that is wrong alone: the next one follows from the games before.
fn wrong_score(made: &MadeMatch, rng: &mut Rng) -> Option<(String, Option<&'static str>)> {
    let first = format!(" {} : 0", made.names.one);
    let start = made.text.find(&first)?;
    let first_line = made.text[..start].lines().count();
    let text = change_a_line(&made.text, rng, |number, line| {
        let name = format!(" {} : ", made.names.one);
        (number > first_line + 1).then_some(())?;
        let rest = line.strip_prefix(&name)?;
        let digits = rest.find(' ')?;
        let score: u32 = rest[..digits].parse().ok()?;
        Some(format!("{name}{}{}", score + 31, &rest[digits..]))
    })?;
    Some((text, Some("wrong-score")))
}

fn wrong_cube(made: &MadeMatch, rng: &mut Rng) -> Option<(String, Option<&'static str>)> {
    let text = change_a_line(&made.text, rng, |_, line| {
        line.contains("Doubles => 2")
            .then(|| line.replace("Doubles => 2", "Doubles => 3"))
    })?;
    Some((text, Some("cube-value")))
}

/// The winner's answer to a double that nobody made, in a row of its own before the result.
fn answer_too_many(made: &MadeMatch, rng: &mut Rng) -> Option<(String, Option<&'static str>)> {
    let lines: Vec<&str> = made.text.lines().collect();
    let rows: Vec<usize> = (1..lines.len())
        .filter(|&number| {
            lines[number].starts_with("  2) ") && row_of_two_plays(lines[number]).is_some()
        })
        .collect();
    let &row = rows.get(rng.below(rows.len().max(1)))?;
    let mut lines: Vec<String> = lines.into_iter().map(str::to_owned).collect();
    lines.insert(row, format!("{:<34}", "  2)  Takes"));
    Some((lines.join("\n") + "\n", Some("answer-without-double")))
}
