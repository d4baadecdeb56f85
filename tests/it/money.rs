//! Random money sessions: nothing is found in them under what was agreed, and one mistake gives one finding.

use tawla::diagnostic::Level;
use tawla::report::{CheckOptions, Report, check};
use tawla::ruleset::RuleOptions;
use tawla::source::Source;

use crate::support::money::{Session, Turn, random_session, text};
use crate::support::rng::Rng;

fn checked(text: &str, automatic: u32) -> Report {
    let source = Source::new("made.mat", text.as_bytes().to_vec(), None).expect("a text");
    let options = CheckOptions {
        matches: true,
        rules: RuleOptions {
            automatic_doubles: Some(automatic),
            ..RuleOptions::default()
        },
        ..CheckOptions::default()
    };
    check(&source, &options).expect("a session")
}

#[test]
fn nothing_is_found_in_a_session_that_keeps_to_what_was_agreed() {
    let mut rng = Rng::new(21);
    let mut turns = [0; 4];
    for _ in 0..120 {
        let session = random_session(&mut rng);
        let text = text(&session);
        let report = checked(&text, session.agreed.automatic);
        assert!(report.findings.is_empty(), "{:#?}\n{text}", report.findings);
        let summary = &report.matches[0].summary;
        for (game, found) in session.games.iter().zip(&summary.games) {
            assert_eq!(found.winner, Some(game.winner), "{text}");
            assert_eq!(found.points, Some(game.points), "{text}");
            for (_, turn) in &game.turns {
                turns[0] += usize::from(matches!(turn, Turn::Double(_)));
                turns[1] += usize::from(matches!(turn, Turn::Beaver(_)));
                turns[2] += usize::from(matches!(turn, Turn::Raccoon(_)));
            }
            turns[3] += usize::from(game.automatic > 0);
        }
        let total: u32 = session.games.iter().map(|game| game.points).sum();
        assert_eq!(summary.score.one + summary.score.two, total, "{text}");
    }
    assert!(turns.iter().all(|&number| number > 20), "{turns:?}");
}

/// The session with one mistake, the automatic doubles that are agreed, and the code that it must give.
type Mistake = fn(&Session, &mut Rng) -> Option<(String, u32, &'static str)>;

const MISTAKES: [(&str, Mistake); 6] = [
    ("a beaver that is not agreed", no_beavers),
    ("a raccoon that is not agreed", no_raccoons),
    ("an automatic double that is not agreed", no_automatic),
    ("a wrong value of a turn of the cube", wrong_value),
    ("points that were not won", wrong_points),
    ("an answer left out", no_answer),
];

/// How many turns of a session are of a kind.
fn count(session: &Session, is_it: impl Fn(&Turn) -> bool) -> usize {
    let turns = session.games.iter().flat_map(|game| &game.turns);
    turns.filter(|(_, turn)| is_it(turn)).count()
}

fn no_beavers(session: &Session, _: &mut Rng) -> Option<(String, u32, &'static str)> {
    let beavers = count(session, |turn| matches!(turn, Turn::Beaver(_)));
    let raccoons = count(session, |turn| matches!(turn, Turn::Raccoon(_)));
    let mut session = session.clone();
    session.agreed.beavers = false;
    let automatic = session.agreed.automatic;
    (beavers == 1 && raccoons == 0).then(|| (text(&session), automatic, "beaver-not-agreed"))
}

fn no_raccoons(session: &Session, _: &mut Rng) -> Option<(String, u32, &'static str)> {
    let raccoons = count(session, |turn| matches!(turn, Turn::Raccoon(_)));
    let mut session = session.clone();
    session.agreed.raccoons = false;
    let automatic = session.agreed.automatic;
    (raccoons == 1).then(|| (text(&session), automatic, "raccoon-not-agreed"))
}

fn no_automatic(session: &Session, _: &mut Rng) -> Option<(String, u32, &'static str)> {
    let games = session.games.iter().filter(|game| game.automatic > 0);
    (games.count() == 1).then(|| (text(session), 0, "automatic-double-not-agreed"))
}

fn wrong_value(session: &Session, rng: &mut Rng) -> Option<(String, u32, &'static str)> {
    let mut session = session.clone();
    let turns = session.games.iter_mut().flat_map(|game| &mut game.turns);
    let mut values: Vec<&mut u32> = turns
        .filter_map(|(_, turn)| match turn {
            // A first double to another power of two would tell of automatic doubles.
            Turn::Beaver(to) | Turn::Raccoon(to) => Some(to),
            _ => None,
        })
        .collect();
    let chosen = rng.below(values.len().max(1));
    let value = values.get_mut(chosen)?;
    **value *= 3;
    let automatic = session.agreed.automatic;
    Some((text(&session), automatic, "cube-value"))
}

fn wrong_points(session: &Session, rng: &mut Rng) -> Option<(String, u32, &'static str)> {
    let mut session = session.clone();
    // The last game: the scores after it are not stated.
    let game = session.games.last_mut()?;
    game.points += 1 + rng.below(3) as u32 * 5;
    let automatic = session.agreed.automatic;
    Some((text(&session), automatic, "wrong-points"))
}

fn no_answer(session: &Session, rng: &mut Rng) -> Option<(String, u32, &'static str)> {
    let mut session = session.clone();
    let game = rng.below(session.games.len());
    let turns = &mut session.games[game].turns;
    let at = turns
        .windows(2)
        .position(|pair| matches!(pair[0].1, Turn::Double(_)) && matches!(pair[1].1, Turn::Take))?;
    turns.remove(at + 1);
    let automatic = session.agreed.automatic;
    Some((text(&session), automatic, "double-unanswered"))
}

#[test]
fn one_mistake_gives_one_finding() {
    let mut rng = Rng::new(34);
    let mut made = [0; MISTAKES.len()];
    for _ in 0..200 {
        let session = random_session(&mut rng);
        for (number, (name, mistake)) in MISTAKES.iter().enumerate() {
            let Some((text, automatic, code)) = mistake(&session, &mut rng) else {
                continue;
            };
            let report = checked(&text, automatic);
            let found: Vec<&str> = report
                .findings
                .iter()
                .filter(|finding| finding.level != Level::Note)
                .map(|finding| finding.rule.code)
                .collect();
            assert_eq!(found, [code], "{name}\n{text}");
            made[number] += 1;
        }
    }
    assert!(made.iter().all(|&number| number >= 10), "{made:?}");
}
