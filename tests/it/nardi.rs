//! Long nardi: two generators of legal plays that agree, and matches from the text to the findings.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::{env, fs};

use tawla::board::{Move, PlayFault, Player, Plays, Roll, Variant, Verdict};
use tawla::diagnostic::{Findings, Level};
use tawla::formats::{WriteOptions, by_name, write};
use tawla::record::MatchRecord;
use tawla::replay::{EndedBy, replay, rules_for};
use tawla::report::{CheckOptions, Report, check, format_of};
use tawla::ruleset::RuleOptions;
use tawla::source::Source;

use crate::support::nardi_matches::{
    NardiMatch, NardiTurn, nardi_text, random_nardi_game, random_nardi_match,
};
use crate::support::rng::Rng;
use crate::support::root;
use crate::support::slow_nardi::{NardiBoard, dice};

const NARDI: Variant = Variant::LongNardi;

/// The boards that the fast list reaches. Fails if it reaches one of them twice.
fn fast(board: &NardiBoard, roll: Roll, plays: &mut Plays) -> BTreeSet<NardiBoard> {
    let position = board.position(Player::Two);
    NARDI.legal_plays(&position, Player::Two, roll, plays);
    let boards: BTreeSet<NardiBoard> = plays
        .iter()
        .map(|(after, _)| NardiBoard::of(after, Player::Two))
        .collect();
    assert_eq!(boards.len(), plays.len(), "a board twice: {board:?} {roll}");
    boards
}

/// Holds the fast list against the slow one; gives how many plays there are.
fn agree(board: &NardiBoard, roll: Roll, plays: &mut Plays) -> usize {
    let expected = board.legal(roll);
    let found = fast(board, roll, plays);
    assert!(
        found.iter().eq(expected.keys()),
        "{board:?} {roll}: {found:#?}"
    );
    assert_eq!(plays.dice(), dice(&expected), "{board:?} {roll}");
    let position = board.position(Player::Two);
    assert_eq!(
        NARDI.can_play(&position, Player::Two, roll),
        !expected.is_empty(),
        "{board:?} {roll}"
    );
    for (after, play) in plays.iter() {
        let made = NARDI.played_as_written(&position, Player::Two, play.moves());
        assert_eq!(made.as_ref(), Ok(after), "{board:?} {roll} {play}");
    }
    expected.len()
}

/// A board that can exist, however absurd, on which the player who moves has a checker.
fn random_board(rng: &mut Rng) -> NardiBoard {
    let mut points = [0i8; 25];
    let mut off = [0i8; 2];
    for side in [0, 1] {
        let places: Vec<usize> = match rng.below(6) {
            0 => (0..=24).collect(),
            // The own home, as the player who moves sees it.
            1 => (0..=6)
                .map(|home| {
                    if side == 0 || home == 0 {
                        home
                    } else {
                        home + 12
                    }
                })
                .collect(),
            // A few stacks, or six in a row and a little more.
            2 => (0..rng.below(6) + 1).map(|_| rng.below(24) + 1).collect(),
            // Six in a row but one, and checkers that may fill the gap.
            3 | 4 => {
                let first = rng.below(24);
                let mut row: Vec<usize> = (0..6).map(|step| (first + step) % 24 + 1).collect();
                let gap = row.remove(rng.below(6));
                let behind = (gap + rng.below(6)) % 24 + 1;
                row.extend([behind, rng.below(24) + 1]);
                row
            }
            _ => vec![
                24,
                24,
                24,
                rng.below(24) + 1,
                rng.below(24) + 1,
                rng.below(24) + 1,
            ],
        };
        let sign = if side == 0 { 1 } else { -1 };
        for _ in 0..15 {
            let place = places[rng.below(places.len())];
            if place > 0 && points[place] * sign >= 0 {
                points[place] += sign;
            } else {
                off[side] += 1;
            }
        }
    }
    if points.iter().all(|&checkers| checkers <= 0) || points.iter().all(|&checkers| checkers >= 0)
    {
        return random_board(rng);
    }
    NardiBoard {
        points,
        off: off[0],
        their_off: off[1],
    }
}

#[test]
fn boards_at_random_have_the_plays_that_trying_everything_finds() {
    let mut rng = Rng::new(91);
    let mut plays = Plays::new();
    let mut moving = 0;
    for _ in 0..4000 {
        let board = random_board(&mut rng);
        moving += usize::from(agree(&board, rng.roll(), &mut plays) > 0);
    }
    assert!(
        moving > 2000,
        "seed 91: only {moving} rolls could be played"
    );
}

/// The 21 rolls, the first die the lower one.
fn rolls() -> impl Iterator<Item = Roll> {
    (1..=6).flat_map(|low| (low..=6).filter_map(move |high| Roll::new(low, high)))
}

/// Boards as the next player sees them. A roll that cannot be played leaves the board as it is.
fn next_boards(
    boards: &BTreeMap<NardiBoard, u64>,
    legal: &mut impl FnMut(&NardiBoard, Roll) -> Vec<NardiBoard>,
) -> BTreeMap<NardiBoard, u64> {
    let mut next = BTreeMap::new();
    for (board, times) in boards {
        for roll in rolls() {
            let mut reached = legal(board, roll);
            if reached.is_empty() {
                reached.push(*board);
            }
            for after in reached {
                *next.entry(after.turned()).or_default() += times;
            }
        }
    }
    next
}

/// The seeds of the games in the fixture.
const GAMES: u64 = 12;

/// The lines of the fixture: plays of each first roll, of each depth how many positions are reached, and the
/// plays along random games.
fn counts(mut legal: impl FnMut(&NardiBoard, Roll) -> Vec<NardiBoard>) -> String {
    let start = NardiBoard::start();
    let mut lines = format!("start {}\n", NARDI.name());
    for roll in rolls() {
        let _ = writeln!(lines, "roll {roll} {}", legal(&start, roll).len());
    }
    let mut boards = BTreeMap::from([(start, 1)]);
    for depth in 1..=3 {
        boards = next_boards(&boards, &mut legal);
        let all: u64 = boards.values().sum();
        let _ = writeln!(lines, "depth {depth} {all} {}", boards.len());
    }
    for seed in 1..=GAMES {
        let game = random_nardi_game(&mut Rng::new(seed));
        let plays: usize = game
            .turns
            .iter()
            .map(|turn| legal(&turn.before, turn.roll).len())
            .sum();
        let _ = writeln!(lines, "game {seed} {} {plays}", game.turns.len());
    }
    lines
}

#[test]
fn the_start_and_games_have_the_counts_of_the_fixture() {
    let path = root().join("fixtures/perft/nardi.txt");
    let text = fs::read_to_string(&path).expect("a fixture");
    let (comments, expected): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| line.starts_with('#'));
    let mut plays = Plays::new();
    let found = counts(|board, roll| fast(board, roll, &mut plays).into_iter().collect());
    let slow = counts(|board, roll| board.legal(roll).into_keys().collect());
    assert_eq!(found, slow, "the generators differ");
    if env::var("SNAPSHOTS").is_ok_and(|mode| mode == "overwrite") {
        fs::write(&path, comments.join("\n") + "\n" + &slow)
            .expect("a fixture that can be written");
        return;
    }
    assert_eq!(found.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn every_legal_play_is_judged_legal_however_it_is_written() {
    let mut rng = Rng::new(92);
    let mut plays = Plays::new();
    for _ in 0..1500 {
        let board = random_board(&mut rng);
        let (position, player, roll) = (board.position(Player::One), Player::One, rng.roll());
        NARDI.legal_plays(&position, player, roll, &mut plays);
        for (after, play) in plays.iter() {
            let mut written = play.moves().to_vec();
            rng.shuffle(&mut written);
            for written in [joined(&written), written] {
                let Verdict::Legal(reading) = NARDI.judge(&position, player, roll, &written) else {
                    panic!("seed 92: {board:?} {roll} {written:?}");
                };
                assert_eq!(reading.position, *after, "seed 92: {board:?} {roll}");
            }
        }
    }
}

/// The moves with each checker's way written as one.
fn joined(moves: &[Move]) -> Vec<Move> {
    let mut sorted = moves.to_vec();
    sorted.sort_by_key(|moved| std::cmp::Reverse(moved.from));
    let mut joined: Vec<Move> = Vec::new();
    for moved in sorted {
        match joined.iter_mut().find(|way| way.to == moved.from) {
            Some(way) => way.to = moved.to,
            None => joined.push(moved),
        }
    }
    joined
}

#[test]
fn what_the_dice_can_reach_is_judged_legal_if_it_is_a_legal_play() {
    let mut rng = Rng::new(93);
    let (mut legal, mut heads, mut blocks, mut fewer) = (0, 0, 0, 0);
    for _ in 0..1200 {
        let board = random_board(&mut rng);
        let (position, player, roll) = (board.position(Player::One), Player::One, rng.roll());
        let expected = board.legal(roll);
        for (after, way) in board.reached(roll) {
            let written: Vec<Move> = moves(&way.moves);
            let is_legal = match NARDI.judge(&position, player, roll, &written) {
                Verdict::Legal(reading) => {
                    assert_eq!(NardiBoard::of(&reading.position, player), after, "seed 93");
                    legal += 1;
                    true
                }
                Verdict::Illegal { fault, stands } => {
                    match fault {
                        PlayFault::HeadRule { .. } => heads += 1,
                        PlayFault::BlockOfSix { .. } => blocks += 1,
                        PlayFault::DiceLeft { .. } | PlayFault::SmallerDie { .. } => fewer += 1,
                        other => panic!("seed 93: {other:?} {board:?} {roll} {written:?}"),
                    }
                    let stands = stands.map(|after| NardiBoard::of(&after, player));
                    assert_eq!(stands, Some(after), "seed 93");
                    false
                }
                Verdict::Ambiguous(_) => panic!("seed 93: {board:?} {roll} {written:?}"),
            };
            assert_eq!(
                is_legal,
                expected.contains_key(&after),
                "seed 93: {board:?} {roll} {written:?}"
            );
        }
    }
    let found = [legal, heads, blocks, fewer];
    assert!(found.iter().all(|&found| found > 50), "seed 93: {found:?}");
}

fn moves(moves: &[(i8, i8)]) -> Vec<Move> {
    let from_pair = |&(from, to): &(i8, i8)| {
        let number = |place: i8| u8::try_from(place).expect("a place");
        Move::from_numbers(number(from), number(to), false).expect("places")
    };
    moves.iter().map(from_pair).collect()
}

fn checked(name: &str, text: &str) -> Report {
    let source = Source::new(name, text.as_bytes().to_vec(), None).expect("a text");
    let options = CheckOptions {
        matches: true,
        ..CheckOptions::default()
    };
    check(&source, &options).expect("a match")
}

#[test]
fn nothing_is_found_in_a_legal_match() {
    let mut rng = Rng::new(94);
    let mut mars = 0;
    for _ in 0..25 {
        let made = random_nardi_match(&mut rng);
        let text = nardi_text(&made);
        let report = checked("made.mat", &text);
        assert!(
            report.findings.is_empty(),
            "seed 94: {:#?}\n{text}",
            report.findings
        );
        let summary = &report.matches[0].summary;
        for (game, found) in made.games.iter().zip(&summary.games) {
            assert_eq!(found.winner, Some(game.winner), "seed 94\n{text}");
            assert_eq!(found.points, Some(game.points), "seed 94\n{text}");
            assert_eq!(found.ended_by, EndedBy::BearOff, "seed 94\n{text}");
            mars += u32::from(game.points == 2);
        }
        assert_eq!(summary.games.len(), made.games.len(), "seed 94\n{text}");
    }
    assert!(mars > 3, "seed 94: only {mars} games ended in a mars");
}

fn records(text: &str, name: &str) -> Vec<MatchRecord> {
    let source = Source::new(name, text.as_bytes().to_vec(), None).expect("a text");
    let read = format_of(&source, None).expect("a format").read;
    let mut records = Vec::new();
    let take = &mut |record: &MatchRecord, _: &mut Findings| records.push(record.clone());
    read.expect("a reader")(&source, take).expect("a match");
    records
}

/// The text of a match in another format, or why there is none.
fn converted(record: &MatchRecord, format: &str) -> Result<String, String> {
    let format = by_name(format).expect("a format");
    let replay = replay(record, &rules_for(record, &RuleOptions::default()));
    let written = write(format, record, &replay, &WriteOptions::default());
    let written = written.map_err(|error| error.to_string())?;
    assert!(written.losses.is_empty(), "{:?}", written.losses);
    Ok(String::from_utf8(written.bytes).expect("text"))
}

#[test]
fn a_match_comes_through_match_text_and_our_own_record() {
    let mut rng = Rng::new(95);
    for _ in 0..8 {
        let text = nardi_text(&random_nardi_match(&mut rng));
        let [record] = &records(&text, "made.mat")[..] else {
            panic!("seed 95: one match\n{text}");
        };
        let json = converted(record, "json").expect("a record");
        let [again] = &records(&json, "made.json")[..] else {
            panic!("seed 95: one match\n{json}");
        };
        let mat = converted(again, "mat").expect("match text");
        assert!(
            !mat.contains("bar") && !mat.contains("25/"),
            "seed 95\n{mat}"
        );
        let plain = |text: &str| {
            let lines: Vec<String> = text
                .lines()
                .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
                .filter(|line| !line.is_empty())
                .collect();
            lines
        };
        assert_eq!(plain(&mat), plain(&text), "seed 95");
        for text in [&json, &mat] {
            let report = checked("again", text);
            assert!(
                report.findings.is_empty(),
                "seed 95: {:#?}",
                report.findings
            );
        }
    }
}

#[test]
fn formats_of_backgammon_refuse_it() {
    let text = nardi_text(&random_nardi_match(&mut Rng::new(96)));
    let record = records(&text, "made.mat").remove(0);
    for format in ["sgf", "xg", "gam", "bgammon"] {
        let why = converted(&record, format).expect_err(format);
        assert!(why.contains("long-nardi"), "{format}: {why}");
    }
}

/// The match with one turn changed, and the row of it counted from 0 in its game.
type Mistake = fn(&mut NardiMatch, &mut Rng) -> Option<&'static str>;

const MISTAKES: [(&str, Mistake); 4] = [
    ("other dice", other_dice),
    ("one checker more from the head", second_from_head),
    ("a checker that is not there", no_checker),
    ("a die that is not played", die_left),
];

#[test]
fn one_mistake_gives_one_finding_where_it_is() {
    let mut rng = Rng::new(97);
    let mut made_mistakes = [0; MISTAKES.len()];
    for _ in 0..25 {
        let made = random_nardi_match(&mut rng);
        let before = nardi_text(&made);
        for (number, (name, mistake)) in MISTAKES.iter().enumerate() {
            let mut wrong = made.clone();
            if let Some(code) = mistake(&mut wrong, &mut rng) {
                is_found_once(&before, &nardi_text(&wrong), code, name);
                made_mistakes[number] += 1;
            }
        }
    }
    assert!(
        made_mistakes.iter().all(|&made| made >= 8),
        "seed 97: {made_mistakes:?}"
    );
}

fn is_found_once(before: &str, after: &str, code: &str, name: &str) {
    let same = before.lines().zip(after.lines());
    let line = same.take_while(|(a, b)| a == b).count() as u64 + 1;
    let source = Source::new("made.mat", after.as_bytes().to_vec(), None).expect("a text");
    let report = checked("made.mat", after);
    let errors: Vec<_> = report
        .findings
        .iter()
        .filter(|finding| finding.level != Level::Note)
        .collect();
    let [finding] = errors[..] else {
        panic!("seed 97: {name}, line {line}: {errors:#?}\n{after}");
    };
    let at = source.line_column(finding.primary.span.start).line;
    assert_eq!(at, line, "seed 97: {name}\n{after}");
    let is_code = code == "any" || finding.rule.code == code;
    assert!(is_code, "seed 97: {name}: {}\n{after}", finding.rule.code);
}

/// A turn in the middle of a game for which `change` gives others, and puts one of them there.
fn change_a_turn<T>(
    made: &mut NardiMatch,
    rng: &mut Rng,
    mut change: impl FnMut(&NardiTurn, &mut Rng) -> Option<T>,
    put: impl Fn(&mut NardiTurn, T),
) -> Option<()> {
    let game = rng.below(made.games.len());
    let turns = &mut made.games[game].turns;
    let last = turns.len() - 1;
    let mut changes = Vec::new();
    for (index, turn) in turns[..last].iter().enumerate() {
        if let Some(other) = change(turn, rng) {
            changes.push((index, other));
        }
    }
    let chosen = rng.below(changes.len().max(1));
    let (index, other) = changes.into_iter().nth(chosen)?;
    put(&mut turns[index], other);
    Some(())
}

/// The same play with dice that do not allow it. The position after it is the same.
fn other_dice(made: &mut NardiMatch, rng: &mut Rng) -> Option<&'static str> {
    let change = |turn: &NardiTurn, rng: &mut Rng| {
        let other = rng.roll();
        let after = after(&turn.before, &turn.moves)?;
        let is_legal = turn.before.legal(other).contains_key(&after);
        (!turn.moves.is_empty() && !is_legal).then_some(other)
    };
    change_a_turn(made, rng, change, |turn, roll| turn.roll = roll)?;
    Some("any")
}

fn after(board: &NardiBoard, moves: &[(i8, i8)]) -> Option<NardiBoard> {
    let position = board.position(Player::One);
    let after = NARDI.played_as_written(&position, Player::One, &self::moves(moves));
    Some(NardiBoard::of(&after.ok()?, Player::One))
}

/// Both dice are played from the head at the end of a game that the winner had not begun to end: the next turns
/// are left out, so that nothing but the head can be wrong.
fn second_from_head(made: &mut NardiMatch, _: &mut Rng) -> Option<&'static str> {
    let game = made.games.last_mut()?;
    let turns = game.turns.iter();
    let index = turns.enumerate().skip(2).position(|(_, turn)| {
        let (a, b) = (turn.roll.0.pips() as usize, turn.roll.1.pips() as usize);
        let free = |die: usize| turn.before.points[24 - die] >= 0;
        !turn.roll.is_double() && turn.before.points[24] > 3 && free(a) && free(b)
    })?;
    let turn = &mut game.turns[index + 2];
    let (a, b) = (turn.roll.0.pips() as i8, turn.roll.1.pips() as i8);
    turn.moves = vec![(24, 24 - a), (24, 24 - b)];
    game.winner = !turn.player;
    game.turns.truncate(index + 3);
    Some("head-rule")
}

/// A checker that starts from the opposing head.
fn no_checker(made: &mut NardiMatch, rng: &mut Rng) -> Option<&'static str> {
    let change = |turn: &NardiTurn, _: &mut Rng| {
        let is_held = turn.before.points[12] < 0;
        let die = turn.roll.0.pips() as i8;
        (is_held && !turn.moves.is_empty()).then_some((12, 12 - die))
    };
    change_a_turn(made, rng, change, |turn, moved| turn.moves[0] = moved)?;
    Some("no-checker")
}

/// The last move of a play that ends a game early is left out, and the game goes on with a resignation after
/// the opponent's roll.
fn die_left(made: &mut NardiMatch, _: &mut Rng) -> Option<&'static str> {
    let game = made.games.last_mut()?;
    let mut turns = game.turns.iter().enumerate();
    let (index, moves) = turns.find_map(|(index, turn)| {
        let left = turn.moves.split_last()?.1;
        let reached = after(&turn.before, left)?;
        let next = game.turns.get(index + 1)?;
        let goes_on = after(&reached.turned(), &next.moves)?;
        let is_legal = reached.turned().legal(next.roll).contains_key(&goes_on);
        (index > 3 && left.len() == 1 && is_legal && !next.moves.is_empty())
            .then(|| (index, left.to_vec()))
    })?;
    game.turns[index].moves = moves;
    game.winner = game.turns[index].player;
    game.turns.truncate(index + 2);
    Some("dice-left")
}
