//! Sessions of a chouette: settlements by a table, random sessions that add up, each of them broken in one
//! place, and inputs of all kinds.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tawla::chouette::{Report, check};
use tawla::render::chouette::json::SessionOutput;
use tawla::render::chouette::settlement;
use tawla::render::{Style, diagnostics};
use tawla::ruleset::RuleOptions;
use tawla::source::Source;

use crate::support::fixtures::chouette_fixtures;
use crate::support::rng::Rng;
use crate::support::sessions::{Made, MadeSession, NAMES, random_session};

fn source(text: &str) -> Source {
    Source::new("session", text.as_bytes().to_vec(), None).expect("a source")
}

fn checked(text: &str) -> Report {
    check(&source(text), &RuleOptions::default()).unwrap_or_else(|error| panic!("{error}:\n{text}"))
}

fn codes(report: &Report) -> Vec<&'static str> {
    report
        .findings
        .iter()
        .map(|finding| finding.rule.code)
        .collect()
}

/// What each has won, by name.
fn won(report: &Report, name: &str) -> i64 {
    let player = report
        .session
        .players
        .iter()
        .position(|player| player == name);
    player.map_or(0, |player| report.session.total[player])
}

/// A box A, a captain B, a queue C, D; a double to 2 with the answers of the team; a result; what each wins.
const SETTLEMENTS: &[(&str, &str, &str, &[i64])] = &[
    // Three players, nobody doubles.
    ("ABC", "", "box wins", &[2, -1, -1]),
    ("ABC", "", "team wins", &[-2, 1, 1]),
    ("ABC", "", "box wins gammon", &[4, -2, -2]),
    ("ABC", "", "team wins backgammon", &[-6, 3, 3]),
    // The box doubles.
    ("ABC", "tt", "box wins", &[4, -2, -2]),
    ("ABC", "tt", "team wins gammon", &[-8, 4, 4]),
    ("ABC", "tp", "box wins", &[3, -2, -1]),
    ("ABC", "tp", "team wins", &[-1, 2, -1]),
    ("ABC", "pt", "team wins backgammon", &[-5, -1, 6]),
    ("ABC", "pp", "", &[2, -1, -1]),
    // Four and five players.
    ("ABCD", "ttt", "team wins", &[-6, 2, 2, 2]),
    ("ABCD", "tpt", "box wins gammon", &[9, -4, -1, -4]),
    ("ABCD", "ptp", "team wins", &[0, -1, 2, -1]),
    ("ABCD", "ppp", "", &[3, -1, -1, -1]),
    (
        "ABCDE",
        "tppt",
        "box wins backgammon",
        &[14, -6, -1, -1, -6],
    ),
    ("ABCDE", "pppt", "team wins gammon", &[-1, -1, -1, -1, 4]),
    // The team doubles, and the box takes or passes.
    ("ABC", "T", "box wins", &[4, -2, -2]),
    ("ABCD", "T", "team wins gammon", &[-12, 4, 4, 4]),
    ("ABCD", "P", "", &[-3, 1, 1, 1]),
    ("AB", "tt", "box wins", &[2, -2]),
];

#[test]
fn settlements_are_those_of_the_table() {
    for &(players, answers, result, expected) in SETTLEMENTS {
        let names: Vec<String> = players.chars().map(String::from).collect();
        let mut text = format!("seats: {}\n", names.join(", "));
        let word = |answer| {
            if "tT".contains(answer) {
                "takes"
            } else {
                "passes"
            }
        };
        if let Some(answer) = answers.chars().next().filter(char::is_ascii_uppercase) {
            let consent: String = names[2..]
                .iter()
                .map(|name| format!(", {name} agrees"))
                .collect();
            text += &format!("double: B to 2{consent}, A {}\n", word(answer));
        } else if !answers.is_empty() {
            let team = names[1..].iter().zip(answers.chars());
            let said: String = team
                .map(|(name, answer)| format!(", {name} {}", word(answer)))
                .collect();
            text += &format!("double: A to 2{said}\n");
        }
        if !result.is_empty() {
            text += &format!("result: {result}\n");
        }
        let report = checked(&text);
        let found: Vec<i64> = names.iter().map(|name| won(&report, name)).collect();
        assert_eq!(found, expected, "{text}");
        let undecided = answers.is_empty() && result.contains("gammon");
        let few = if players.len() < 3 {
            vec!["too-few-players"]
        } else {
            Vec::new()
        };
        let expected = if undecided {
            vec!["jacoby-undecided"]
        } else {
            few
        };
        assert_eq!(codes(&report), expected, "{text}");
    }
}

#[test]
fn random_sessions_are_clean_and_add_up() {
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let made = random_session(&mut rng);
        let text = made.text();
        let report = checked(&text);
        assert_eq!(codes(&report), [""; 0], "seed {seed}:\n{text}");
        let games = &report.session.games;
        assert_eq!(games.len(), made.totals.len(), "seed {seed}:\n{text}");
        for (game, total) in games.iter().zip(&made.totals) {
            assert_eq!(
                game.settlement.iter().sum::<i64>(),
                0,
                "seed {seed}:\n{text}"
            );
            for (player, name) in report.session.players.iter().enumerate() {
                let made = NAMES
                    .iter()
                    .position(|known| known == name)
                    .expect("a made name");
                assert_eq!(
                    game.total[player], total[made],
                    "seed {seed}, {name}:\n{text}"
                );
            }
        }
    }
}

#[test]
fn both_forms_say_the_same() {
    for seed in 1000..1100 {
        let mut rng = Rng::new(seed);
        let mut made = random_session(&mut rng);
        if rng.once_in(2) {
            broken(&mut made, &mut rng);
        }
        let (text, json) = (made.text(), made.json());
        let (one, other) = (checked(&text), checked(&json));
        let sum_up = |report: &Report| {
            let session = &report.session;
            let games: Vec<_> = session
                .games
                .iter()
                .map(|game| game.total.clone())
                .collect();
            (
                codes(report),
                session.players.clone(),
                games,
                session.total.clone(),
            )
        };
        assert_eq!(sum_up(&one), sum_up(&other), "seed {seed}:\n{text}\n{json}");
    }
}

/// Breaks a session in one place; the code of the finding, or `None` if the place does not allow it.
fn broken(made: &mut MadeSession, rng: &mut Rng) -> Option<&'static str> {
    let at = rng.below(made.events.len());
    let how = rng.below(4);
    let last_game = made.totals.len() - 1;
    let next = made.events.get(at + 1).map(|(event, _)| event.clone());
    let is_followed_up = matches!(next, Some(Made::Turn("beaver" | "raccoon", ..)));
    let somebody_joins = matches!(made.events.last(), Some((Made::Join(_), _)));
    let mark = made.events[at].1.clone();
    let mut added = None;
    let code = match &mut made.events[at].0 {
        Made::Seats(seats) => {
            let place = 2 + rng.below(seats.len() - 2);
            match how {
                // The rest of the queue has no part in the game, as long as nobody moves up.
                0 if mark.game > 0 && !mark.has_other_captain && place > 2 => {
                    seats.swap(2, place);
                    "wrong-seat"
                }
                1 if mark.game == last_game && !somebody_joins => {
                    let away = (0..8).find(|player| !seats.contains(player))?;
                    added = Some(Made::Join(away));
                    "change-during-game"
                }
                _ => return None,
            }
        }
        Made::Automatic(to) => {
            *to += 1;
            "cube-value"
        }
        Made::Turn(kind, by, to, said) => {
            let agree = said.iter().position(|(_, word)| *word == "agrees");
            let takes = said.iter().filter(|(_, word)| *word == "takes").count();
            let by_box = agree.is_none() && mark.team != [*by];
            match how {
                0 => {
                    *to *= 2;
                    "cube-value"
                }
                1 if agree.is_some() => {
                    let place = agree?;
                    if rng.once_in(2) {
                        said[place].1 = "refuses";
                    } else {
                        said.remove(place);
                    }
                    "consent-missing"
                }
                1 if by_box && *kind == "double" && takes == said.len() && !is_followed_up => {
                    said.clear();
                    if matches!(next, Some(Made::Result(..))) {
                        return None;
                    }
                    "double-unanswered"
                }
                2 if by_box
                    && *kind == "double"
                    && takes > 0
                    && said.len() > 1
                    && !is_followed_up =>
                {
                    let place = said.iter().position(|(_, word)| *word == "takes")?;
                    said.remove(place);
                    "answer-missing"
                }
                2 if agree.is_some() && *kind == "double" && !is_followed_up => {
                    // Another member turns the cube.
                    let place = agree?;
                    let other = mark
                        .team
                        .iter()
                        .find(|&&player| NAMES[player] == said[place].0)?;
                    said[place].0 = NAMES[*by].to_owned();
                    *by = *other;
                    "double-without-access"
                }
                3 if !mark.out.is_empty() => {
                    said.push((NAMES[mark.out[0]].to_owned(), "takes"));
                    "answer-without-right"
                }
                3 => {
                    said[0].0.push('x');
                    "unknown-player"
                }
                _ => return None,
            }
        }
        Made::Result(_, kind, points) => match how {
            0 if kind.is_some() => {
                *points = Some(mark.cube * 7);
                "contradictory-result"
            }
            1 => {
                added = Some(Made::Turn("double", mark.team[0], 2, Vec::new()));
                "after-the-end"
            }
            2 if mark.game == last_game && matches!(next, Some(Made::Settlement(_))) => {
                made.events.remove(at);
                return Some("result-missing");
            }
            _ => {
                added = Some(Made::Noise);
                "unreadable-line"
            }
        },
        Made::Settlement(list) | Made::Total(list) => {
            list[0].1 += 1;
            if how > 1 && list.len() > 1 {
                list[1].1 -= 1;
            }
            "wrong-settlement"
        }
        Made::Join(_) | Made::Leave(_) | Made::Noise => return None,
    };
    if let Some(event) = added {
        made.events.insert(at + 1, (event, mark));
    }
    Some(code)
}

#[test]
fn a_session_broken_in_one_place_gives_its_one_finding() {
    let mut met: Vec<&str> = Vec::new();
    for seed in 2000..4000 {
        let mut rng = Rng::new(seed);
        let mut made = random_session(&mut rng);
        let whole = made.text();
        let Some(code) = broken(&mut made, &mut rng) else {
            continue;
        };
        let text = made.text();
        let report = checked(&text);
        assert_eq!(
            codes(&report),
            [code],
            "seed {seed}:\n{whole}\nbroken:\n{text}"
        );
        assert_eq!(
            report.session.total.iter().sum::<i64>(),
            0,
            "seed {seed}:\n{text}"
        );
        met.push(code);
    }
    met.sort_unstable();
    met.dedup();
    let expected = [
        "after-the-end",
        "answer-missing",
        "answer-without-right",
        "change-during-game",
        "consent-missing",
        "contradictory-result",
        "cube-value",
        "double-unanswered",
        "double-without-access",
        "result-missing",
        "unknown-player",
        "unreadable-line",
        "wrong-seat",
        "wrong-settlement",
    ];
    assert_eq!(met, expected);
}

/// Checks an input and prints all that can be printed of it.
fn survives(bytes: &[u8], what: &str) {
    let run = || {
        let source = Source::new("input", bytes.to_vec(), None).expect("a source");
        let Ok(report) = check(&source, &RuleOptions::default()) else {
            return;
        };
        let mut printed = Vec::new();
        for finding in &report.findings {
            diagnostics::human(finding, &source, Style::Plain, false, &mut printed)
                .expect("memory");
        }
        settlement(&report, &source, 100, &mut printed).expect("memory");
        let printed = String::from_utf8(printed).expect("output in UTF-8");
        let is_harmless = |c: char| !c.is_control() || matches!(c, '\n' | '\t');
        assert!(printed.chars().all(is_harmless), "{printed:?}");
        serde_json::to_string(&SessionOutput::new(&report, &source)).expect("JSON");
        for game in &report.session.games {
            assert_eq!(game.settlement.iter().sum::<i64>(), 0);
        }
        assert_eq!(report.session.total.iter().sum::<i64>(), 0);
    };
    let survived = catch_unwind(AssertUnwindSafe(run)).is_ok();
    assert!(survived, "{what}:\n{}", String::from_utf8_lossy(bytes));
}

#[test]
fn every_prefix_of_a_session_is_survived() {
    for fixture in chouette_fixtures() {
        let bytes = fixture.bytes();
        for end in 0..=bytes.len() {
            survives(&bytes[..end], &format!("{} up to byte {end}", fixture.path));
        }
    }
}

/// Pieces that mean something to the reader.
const PIECES: [&str; 16] = [
    "\nseats: ",
    "\ndouble: Ayla to 2",
    ", Burak passes",
    "\nresult: box wins",
    "\nresult: team wins",
    "\nsettlement: Ayla 9999999999, Burak -9999999999",
    "4294967295",
    "-1",
    ",",
    ":",
    "#",
    "\x1b[31m",
    "\nautomatic double",
    "\njoin: Emre",
    "\nleave: Ayla",
    "\nend\n",
];

#[test]
fn damaged_sessions_are_survived() {
    let inputs: Vec<Vec<u8>> = chouette_fixtures()
        .iter()
        .map(|fixture| fixture.bytes())
        .collect();
    for seed in 5000..6500 {
        let mut rng = Rng::new(seed);
        let mut bytes = inputs[rng.below(inputs.len())].clone();
        for _ in 0..=rng.below(5) {
            let at = rng.below(bytes.len().max(1)).min(bytes.len());
            let end = (at + rng.below(40)).min(bytes.len());
            match rng.below(5) {
                0 if at < bytes.len() => bytes[at] = rng.below(256) as u8,
                1 => drop(bytes.drain(at..end)),
                2 => {
                    let copy = bytes[at..end].to_vec();
                    bytes.splice(at..at, copy);
                }
                3 => bytes.truncate(at.max(20)),
                _ => drop(bytes.splice(at..at, PIECES[rng.below(PIECES.len())].bytes())),
            }
        }
        survives(&bytes, &format!("seed {seed}"));
    }
}
