//! Long nardi: matches from the text to the findings and back.

use tawla::board::{ByPlayer, Player, Setup, Variant};
use tawla::diagnostic::{Findings, Level};
use tawla::formats::{WriteOptions, by_name, write};
use tawla::record::MatchRecord;
use tawla::replay::{EndedBy, replay, rules_for};
use tawla::report::{CheckOptions, Report, check, format_of};
use tawla::ruleset::RuleOptions;
use tawla::source::{Source, Span, Spanned};

use crate::support::command::tawla;
use crate::support::nardi_matches::{NardiMatch, NardiTurn, nardi_text, random_nardi_match};
use crate::support::rng::Rng;
use crate::support::slow_nardi::NardiBoard;

const NARDI: Variant = Variant::LongNardi;

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
    let after = NARDI.played_as_written(
        &position,
        Player::One,
        &crate::support::nardi_matches::moves(moves),
    );
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

#[test]
fn a_forced_play_that_was_left_out_is_filled_in() {
    let mut rng = Rng::new(98);
    let mut left_out = 0;
    for _ in 0..12 {
        let mut made = random_nardi_match(&mut rng);
        let is_forced = |turn: &NardiTurn, _: &mut Rng| {
            let is_only_one = turn.before.legal(turn.roll).len() == 1;
            (is_only_one && !turn.moves.is_empty()).then_some(())
        };
        let clear = |turn: &mut NardiTurn, ()| turn.moves.clear();
        if change_a_turn(&mut made, &mut rng, is_forced, clear).is_some() {
            let text = nardi_text(&made);
            let report = checked("made.mat", &text);
            let codes: Vec<_> = report.findings.iter().map(|f| f.rule.code).collect();
            assert_eq!(codes, ["forced-play-omitted"], "seed 98\n{text}");
            left_out += 1;
        }
    }
    assert!(left_out >= 8, "seed 98: {left_out}");
}

#[test]
fn a_bear_off_that_goes_without_saying_is_filled_in() {
    let mut rng = Rng::new(99);
    let mut left_out = 0;
    for _ in 0..40 {
        let mut made = random_nardi_match(&mut rng);
        let Some(game) = made.games.last_mut() else {
            continue;
        };
        let winner = game.winner;
        // The winner's last two rolls, if they bear off two checkers each and nobody is in the way.
        let mut own: Vec<&mut NardiTurn> = game
            .turns
            .iter_mut()
            .filter(|turn| turn.player == winner)
            .collect();
        let last = own.len() - 2;
        let is_plain = own[last..].iter().all(|turn| {
            let off = turn.moves.iter().filter(|(_, to)| *to == 0).count();
            let behind = (1..=12).all(|point| turn.before.turned().points[point + 12] <= 0);
            off == turn.moves.len() && off > 0 && behind
        });
        if !is_plain {
            continue;
        }
        own[last..].iter_mut().for_each(|turn| turn.moves.clear());
        let text = nardi_text(&made);
        let report = checked("made.mat", &text);
        let errors = report.findings.iter().filter(|f| f.level == Level::Error);
        assert_eq!(errors.count(), 0, "seed 99: {:#?}\n{text}", report.findings);
        let summary = &report.matches[0].summary;
        let ended_by = summary.games.last().map(|game| game.ended_by);
        assert_eq!(ended_by, Some(EndedBy::BearOff), "seed 99\n{text}");
        left_out += 1;
    }
    assert!(left_out >= 5, "seed 99: {left_out}");
}

#[test]
fn a_list_of_xgids_is_refused_and_tables_leave_them_out() {
    let path = "fixtures/mat/long-nardi.mat";
    let ran = tawla(&["convert", "-t", "ids", path]);
    assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{}", ran.err);
    assert!(ran.err.contains("long-nardi"), "{}", ran.err);
    let ran = tawla(&["convert", "-t", "csv", path]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(!ran.out.contains("XGID"), "{}", ran.out);
    let ran = tawla(&["show", "--format", "json", path]);
    assert!(ran.out.contains("\"start_position\":null"), "{}", ran.out);
    assert!(!ran.out.contains("XGID"), "{}", ran.out);
}

#[test]
fn a_match_without_the_tag_is_read_with_the_option() {
    let text = nardi_text(&random_nardi_match(&mut Rng::new(100)));
    let text = text.replace("; [Variation \"LongNardi\"]\n", "");
    let source = Source::new("made.mat", text.into_bytes(), None).expect("a text");
    let mut options = CheckOptions::default();
    let as_backgammon = check(&source, &options).expect("a match");
    assert!(!as_backgammon.findings.is_empty(), "seed 100");
    options.rules.variant = Some(NARDI);
    let report = check(&source, &options).expect("a match");
    assert!(
        report.findings.is_empty(),
        "seed 100: {:#?}",
        report.findings
    );
}

#[test]
fn a_start_from_another_position_needs_our_own_record() {
    // The opponent's 5 is the own 17; in backgammon it would be the own 20.
    let mut checkers = ByPlayer::new([0; 26], [0; 26]);
    (checkers.one[24], checkers.one[20]) = (14, 1);
    (checkers.two[24], checkers.two[5]) = (14, 1);
    let text = "; [Variation \"LongNardi\"]\n\n 1 point match\n\n Game 1\n Amira : 0      Dov : 0\n\
        \u{20} 1) 31: 24/21 20/19             64: 5/off 24/20\n      Wins 1 point\n";
    let mut record = records(text, "made.mat").remove(0);
    let setup = Setup {
        checkers,
        variant: NARDI,
        turn: Some(Player::One),
        roll: None,
        cube: None,
    };
    record.games[0].start = Some(Spanned::new(setup, Span::default()));
    let json = converted(&record, "json").expect("a record");
    let report = checked("made.json", &json);
    let codes: Vec<_> = report.findings.iter().map(|f| f.rule.code).collect();
    assert_eq!(codes, ["bear-off-too-early"]);
    let why = converted(&record, "mat").expect_err("letters of backgammon");
    assert!(why.contains("a position of long nardi"), "{why}");
}
