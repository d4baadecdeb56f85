//! What was meant: one slip of each kind is made in random legal matches, the rest stays as it was really played,
//! and the search must find the slip again.
//!
//! The ordinary test makes a few of each kind. The whole table, two hundred of each, with another seed if
//! wanted:
//!
//! ```text
//! SEED=7 cargo test --release --test it slips::table -- --ignored --nocapture
//! ```
//!
//! Of each kind it counts how many slips break the record, so that the game becomes impossible or contradicts
//! its result; a slip that leaves a legal record, or one illegal play that stands, cannot be told from what
//! happened. Of those that break it, it counts how often the true repair is among those that are shown; how
//! many slips can be told apart, which is when no other repair of the same cost explains the record as well; in
//! how many of them the true repair comes first; and how often a wrong one would be made.

use std::time::{Duration, Instant};

use tawla::board::{Play, Player, Plays, Position, Roll, Variant, legal_plays, played_as_written};
use tawla::fix::fix;
use tawla::formats;
use tawla::record::{Action, Entry, GameRecord, MatchRecord, WrittenPlay, WrittenRoll};
use tawla::repair::{Edit, Explanation, Found, Limits, Repair, Suspects, apply, search};
use tawla::replay::{Fault, Visitor, rules_for, walk};
use tawla::report::CheckOptions;
use tawla::ruleset::RuleOptions;
use tawla::source::Source;

use crate::support::matches::{
    Made, MadeGame, MadeMatch, cells, random_match, random_match_with, rows,
};
use crate::support::rng::Rng;

/// The cells of a game with a slip, with its stated winner and points.
#[derive(Clone)]
struct Written {
    cells: Vec<(Player, String)>,
    winner: Player,
    points: u32,
}

/// Makes one slip; false if there is no place for it.
type Slip = fn(&MadeGame, &mut Written, &mut Rng) -> bool;

/// Every kind of slip.
const SLIPS: &[(&str, Slip)] = &[
    ("wrong digit", wrong_digit),
    ("8 for 18", digit_dropped_or_added),
    ("from and to swapped", from_and_to_swapped),
    ("bar/ missing", bar_missing),
    ("hit missing", hit_missing),
    ("move left out", move_left_out),
    ("play left out", play_left_out),
    ("another checker", another_checker),
    ("another legal play", another_play),
    ("die misread", die_misread),
    ("neighbour's dice", neighbours_dice),
    ("turn left out", turn_left_out),
    ("turn left out, moved up", turn_left_out_and_moved_up),
    ("turn doubled", turn_doubled),
    ("turn doubled, moved down", turn_doubled_and_moved_down),
    ("row doubled", row_doubled),
    ("players swapped", players_swapped),
    ("dance not written", dance_not_written),
    ("take not written", take_not_written),
    ("double not written", double_not_written),
    ("result miscounted", result_miscounted),
];

/// What was counted of a kind.
#[derive(Debug, Default, Clone)]
struct Row {
    made: u32,
    silent: u32,
    stood: u32,
    broken: u32,
    shown: u32,
    apart: u32,
    first: u32,
    applied: u32,
    wrongly: u32,
    repairs: usize,
    limited: u32,
    time: Duration,
    longest: Duration,
}

impl Row {
    fn add(&mut self, other: &Row) {
        self.made += other.made;
        self.silent += other.silent;
        self.stood += other.stood;
        self.broken += other.broken;
        self.shown += other.shown;
        self.apart += other.apart;
        self.first += other.first;
        self.applied += other.applied;
        self.wrongly += other.wrongly;
        self.repairs += other.repairs;
        self.limited += other.limited;
        self.time += other.time;
        self.longest = self.longest.max(other.longest);
    }
}

/// A record that was read, and what the search has found in it.
struct Searched {
    record: MatchRecord,
    /// How many faults there are.
    faults: usize,
    /// By game: the explanations, and how long they took.
    found: Vec<(usize, Found, Duration)>,
}

struct Watch {
    suspects: Suspects,
    faults: usize,
}

impl Visitor for Watch {
    fn fault(&mut self, fault: Fault<'_>) {
        self.faults += 1;
        self.suspects.see(&fault);
    }
}

fn read(text: &str) -> MatchRecord {
    let source = Source::new("made.mat", text.as_bytes().to_vec(), None).expect("a text");
    let format = formats::by_name("mat").expect("the format");
    let mut records = Vec::new();
    let read = format.read.expect("a reader");
    read(&source, &mut |record, _| records.push(record.clone())).expect("a match");
    assert_eq!(records.len(), 1, "{text}");
    records.remove(0)
}

fn searched(text: &str, limits: Limits) -> Searched {
    let record = read(text);
    let rules = rules_for(&record, &RuleOptions::default());
    let mut watch = Watch {
        suspects: Suspects::default(),
        faults: 0,
    };
    let summary = walk(&record, &rules, &mut watch);
    let found = (watch.suspects.games())
        .map(|game| {
            let start = Instant::now();
            let found = search(&record, &rules, game, &summary.games[game], limits);
            (game, found, start.elapsed())
        })
        .collect();
    Searched {
        record,
        faults: watch.faults,
        found,
    }
}

/// An action as it counts: a play by its dice and moves in any order, whatever stands for a dance.
fn meaning(entry: &Entry) -> (Player, Action) {
    let action = match entry.action {
        Action::Play { roll, play } => Action::Play {
            roll: WrittenRoll(roll.0.max(roll.1), roll.0.min(roll.1)),
            play: match play {
                WrittenPlay::Moves(moves) => WrittenPlay::Moves(unmarked(&moves)),
                _ => WrittenPlay::Nothing,
            },
        },
        action => action,
    };
    (entry.player, action)
}

fn unmarked(play: &Play) -> Play {
    let mut play = play.sorted();
    for moved in play.moves_mut() {
        moved.hits = false;
    }
    play
}

/// Whether a repair restores the game as it was really played; of a missing turn that may be
/// one of several, that it is missing there.
fn is_true(repair: &Repair, written: &GameRecord, real: &GameRecord) -> bool {
    let mut repaired = written.clone();
    apply(&repair.edit, &mut repaired);
    let inserted = match repair.edit {
        Edit::Insert { index, .. } if repair.ways > 1 => Some(index),
        _ => None,
    };
    let is_turn = |entry: &Entry| matches!(entry.action, Action::Play { .. });
    let same = |(index, (one, other)): (usize, (&Entry, &Entry))| {
        meaning(one) == meaning(other)
            || inserted == Some(index)
                && one.player == other.player
                && is_turn(one)
                && is_turn(other)
    };
    let stated = |game: &GameRecord| {
        let result = game.result.expect("a stated result").value;
        (result.winner, result.points)
    };
    let both = repaired.entries.iter().zip(&real.entries);
    repaired.entries.len() == real.entries.len()
        && both.enumerate().all(same)
        && stated(&repaired) == stated(real)
}

/// The match with the cells of one game as they are written.
fn text_of(made: &MadeMatch, game: usize, written: &Written) -> String {
    let mut text = format!(" {} point match\n", made.length);
    for (index, other) in made.games.iter().enumerate() {
        let left = format!("{} : {}", made.names.one, other.before.one);
        text += &format!(
            "\n Game {}\n {left:<30} {} : {}\n",
            index + 1,
            made.names.two,
            other.before.two
        );
        text += &if index == game {
            rows(&written.cells, written.winner, written.points)
        } else {
            rows(&cells(other), other.winner, other.points)
        };
    }
    text
}

fn as_played(game: &MadeGame) -> Written {
    Written {
        cells: cells(game),
        winner: game.winner,
        points: game.points,
    }
}

/// Makes so many slips of a kind and counts what becomes of them.
fn count(slip: Slip, wanted: u32, rng: &mut Rng, limits: Limits, say: bool) -> Row {
    let mut row = Row::default();
    while row.made < wanted {
        let made = random_match(rng);
        let game = rng.below(made.games.len());
        let mut written = as_played(&made.games[game]);
        if !slip(&made.games[game], &mut written, rng) {
            continue;
        }
        row.made += 1;
        let real = text_of(&made, game, &as_played(&made.games[game]));
        let text = text_of(&made, game, &written);
        let searched = searched(&text, limits);
        let Some((_, found, time)) = searched.found.iter().find(|(at, ..)| *at == game) else {
            match searched.faults {
                0 => row.silent += 1,
                _ => row.stood += 1,
            }
            continue;
        };
        let real = &read(&real).games[game];
        row.count(found, *time, &searched.record.games[game], real, say, &text);
    }
    row
}

impl Row {
    fn count(
        &mut self,
        found: &Found,
        time: Duration,
        written: &GameRecord,
        real: &GameRecord,
        say: bool,
        text: &str,
    ) {
        self.broken += 1;
        self.time += time;
        self.longest = self.longest.max(time);
        self.limited += u32::from(found.limit.is_some());
        let first = found.explanations.first();
        let repairs: &[Repair] = first.map_or(&[], |explanation| &explanation.repairs);
        self.repairs += repairs.len();
        let is_real = |repair: &Repair| is_true(repair, written, real);
        let at = repairs.iter().position(is_real);
        self.shown += u32::from(at.is_some());
        if let Some(at) = at {
            let cost = repairs[at].cost;
            let is_apart = repairs.iter().filter(|repair| repair.cost == cost).count() == 1;
            self.apart += u32::from(is_apart);
            self.first += u32::from(is_apart && at == 0);
        }
        if let Some(sole) = first.and_then(Explanation::is_sole) {
            self.applied += 1;
            self.wrongly += u32::from(!is_real(sole));
        }
        let is_miss = at.is_none()
            || first.is_some_and(|first| first.is_sole().is_some_and(|sole| !is_real(sole)));
        if say && (is_miss || std::env::var_os("MISSES").is_some() && at != Some(0)) {
            tell(repairs, at, written, real, text);
        }
    }
}

#[expect(clippy::print_stdout, reason = "asked for with --nocapture")]
fn tell(
    repairs: &[Repair],
    at: Option<usize>,
    written: &GameRecord,
    real: &GameRecord,
    text: &str,
) {
    let both = written.entries.iter().zip(&real.entries);
    let differs = |(one, other): &(&Entry, &Entry)| meaning(one) != meaning(other);
    let index = both.clone().position(|pair| differs(&pair));
    println!(
        "  the true one is {at:?} of {}; the slip is at {index:?} of {}",
        repairs.len(),
        real.entries.len()
    );
    if let Some(index) = index {
        println!(
            "    written {:?}\n    real    {:?}",
            words(&written.entries[index]),
            words(&real.entries[index])
        );
    }
    for repair in repairs.iter().take(4) {
        println!(
            "    {} {} at {} {:?} explains {} cost {}",
            repair.slip.kind,
            repair.suggested,
            repair.index,
            repair.edit.index(),
            repair.explains,
            repair.cost
        );
    }
    if std::env::var_os("TEXTS").is_some() {
        println!("{text}");
    }
}

fn words(entry: &Entry) -> String {
    match entry.action {
        Action::Play {
            roll,
            play: WrittenPlay::Moves(play),
        } => format!("{:?} {roll}: {play}", entry.player),
        action => format!("{:?} {action:?}", entry.player),
    }
}

/// Long enough for a build without optimisation: what is found must not depend on the machine.
fn patient() -> Limits {
    Limits {
        time: Duration::from_secs(600),
        ..Limits::default()
    }
}

#[test]
fn a_slip_is_found_again() {
    let mut rng = Rng::new(18);
    let mut total = Row::default();
    for (name, slip) in SLIPS {
        let row = count(*slip, 3, &mut rng, patient(), false);
        assert_eq!(row.wrongly, 0, "{name}: {row:?}");
        total.add(&row);
    }
    assert!(total.broken >= 20, "{total:?}");
    assert!(total.shown * 100 >= total.broken * 95, "{total:?}");
    assert!(total.first * 100 >= total.apart * 85, "{total:?}");
    assert_eq!(total.limited, 0, "{total:?}");
}

#[test]
fn legal_matches_and_illegal_plays_that_stood_have_no_repair() {
    let mut rng = Rng::new(19);
    for _ in 0..15 {
        let made = random_match(&mut rng);
        assert_eq!(
            searched(&made.text, patient()).found.len(),
            0,
            "{}",
            made.text
        );
        let stood = stood(&mut rng);
        let searched = searched(&stood.text, patient());
        assert!(searched.faults > 0, "{}", stood.text);
        let explained = searched
            .found
            .iter()
            .any(|(_, found, _)| !found.explanations.is_empty());
        assert!(!explained, "{:?}\n{}", searched.found, stood.text);
    }
}

#[test]
fn a_search_that_ends_at_its_limit_says_so() {
    let mut rng = Rng::new(22);
    let limits = Limits {
        changes: 10,
        ..patient()
    };
    let mut limited = 0;
    for _ in 0..10 {
        let made = random_match(&mut rng);
        let mut written = as_played(&made.games[0]);
        if players_swapped(&made.games[0], &mut written, &mut rng) {
            let searched = searched(&text_of(&made, 0, &written), limits);
            let found = searched.found.iter().map(|(_, found, _)| found);
            limited += found.filter(|found| found.limit == Some("changes")).count();
        }
    }
    assert!(limited >= 5, "{limited}");
}

#[test]
fn two_slips_of_a_game_are_found_one_after_the_other() {
    let mut rng = Rng::new(23);
    let (mut broken, mut restored) = (0, 0);
    while broken < 12 {
        let made = random_match(&mut rng);
        let mut written = as_played(&made.games[0]);
        for slip in [wrong_digit, from_and_to_swapped] {
            slip(&made.games[0], &mut written, &mut rng);
        }
        let text = text_of(&made, 0, &written);
        let real = &read(&made.text).games[0];
        let differ = |game: &GameRecord| {
            let both = game.entries.iter().zip(&real.entries);
            both.filter(|(one, other)| meaning(one) != meaning(other))
                .count()
        };
        let (fixed, repairs) = fixed(&text);
        let (before, after) = (
            differ(&read(&text).games[0]),
            differ(&read(&fixed).games[0]),
        );
        if before == 2 {
            broken += 1;
            restored += u32::from(after == 0);
        }
        assert_eq!(before - after, repairs, "{text}\n{fixed}");
    }
    // A second slip and an illegal play that stood often explain a game equally well.
    assert!(restored >= 2, "{restored} of {broken}");
}

/// The fixed text without the lines that tell of it, and how many repairs were made.
fn fixed(text: &str) -> (String, usize) {
    let source = Source::new("made.mat", text.as_bytes().to_vec(), None).expect("a text");
    let options = CheckOptions {
        repairs: Some(patient()),
        ..CheckOptions::default()
    };
    let mat = formats::by_name("mat").expect("the format");
    let fixed = fix(&source, mat, &options, &mut |proposal| proposal.certain());
    let fixed = fixed.expect("a match");
    let lines = fixed.text.split_inclusive('\n');
    let told = |line: &&str| line.starts_with("; repaired: ");
    assert_eq!(
        lines.clone().filter(told).count(),
        fixed.made.len(),
        "{}",
        fixed.text
    );
    (lines.filter(|line| !told(line)).collect(), fixed.made.len())
}

#[test]
fn what_is_certain_is_repaired_in_the_text_and_all_else_stays() {
    let mut rng = Rng::new(21);
    let (mut repaired, mut to_the_byte) = (0, 0);
    for (name, slip) in SLIPS {
        for _ in 0..4 {
            let made = random_match(&mut rng);
            let game = rng.below(made.games.len());
            let mut written = as_played(&made.games[game]);
            if !slip(&made.games[game], &mut written, &mut rng) {
                continue;
            }
            let real = text_of(&made, game, &as_played(&made.games[game]));
            let text = text_of(&made, game, &written);
            let (fixed, repairs) = fixed(&text);
            if repairs == 0 {
                assert_eq!(fixed, text, "{name}");
                continue;
            }
            let (one, other) = (read(&fixed), read(&real));
            for (one, other) in one.games.iter().zip(&other.games) {
                let both = one.entries.iter().zip(&other.entries);
                let same = both
                    .clone()
                    .all(|(one, other)| meaning(one) == meaning(other));
                assert!(
                    same && one.entries.len() == other.entries.len(),
                    "{name}\n{text}\n{fixed}"
                );
            }
            repaired += 1;
            let words = |text: &str| -> Vec<String> {
                text.lines()
                    .map(|line| line.trim_end().to_owned())
                    .collect()
            };
            to_the_byte += u32::from(words(&fixed) == words(&real));
        }
    }
    // Stars and the order of the moves may be others than those that were written.
    assert!(repaired >= 25, "{repaired}");
    assert!(
        to_the_byte * 10 >= repaired * 7,
        "{to_the_byte} of {repaired}"
    );
}

/// A match in which a play breaks a rule and stands.
fn stood(rng: &mut Rng) -> MadeMatch {
    loop {
        let mut is_done = false;
        let made = random_match_with(rng, &mut |rng, position, player, roll| {
            if is_done || !rng.once_in(12) {
                return None;
            }
            let play = illegal_play(rng, position, player, roll)?;
            is_done = true;
            Some(play)
        });
        if is_done {
            return made;
        }
    }
}

/// A play that the rules do not allow and the checkers do: of other dice, or with a die left.
fn illegal_play(
    rng: &mut Rng,
    position: &Position,
    player: Player,
    roll: Roll,
) -> Option<(Position, Play)> {
    let (mut legal, mut others) = (Plays::new(), Plays::new());
    legal_plays(position, player, roll, &mut legal);
    legal_plays(position, player, rng.roll(), &mut others);
    let (_, play) = others.iter().nth(rng.below(others.len().max(1)))?;
    let mut moves = play.moves().to_vec();
    if rng.once_in(2) {
        let (_, play) = legal.iter().nth(rng.below(legal.len().max(1)))?;
        moves = play.moves()[..play.moves().len().checked_sub(1)?].to_vec();
    }
    let play: Play = moves.into_iter().collect();
    let after = played_as_written(position, player, play.moves()).ok()?;
    let is_legal = legal.leading_to(&after).is_some();
    (!is_legal && !play.moves().is_empty() && !after.has_borne_off_all(player))
        .then_some((after, play))
}

#[test]
#[ignore = "takes minutes; prints the table of all kinds"]
#[expect(clippy::print_stdout, reason = "asked for with --nocapture")]
fn table() {
    let number = |name: &str, usual| {
        let text = std::env::var(name).ok();
        text.map_or(usual, |text| text.parse().expect("a number"))
    };
    let (seed, each) = (number("SEED", 1), number("EACH", 200) as u32);
    let only = std::env::var("KIND").ok();
    let mut total = Row::default();
    println!(
        "seed {seed}, {each} a kind\n{:<26} {:>5} {:>6} {:>5} {:>6} {:>5} {:>5} {:>5} {:>7} {:>7} {:>7} {:>7} {:>7}",
        "kind",
        "made",
        "silent",
        "stood",
        "broken",
        "shown",
        "apart",
        "first",
        "applied",
        "wrongly",
        "repairs",
        "ms",
        "longest"
    );
    let line = |name: &str, row: &Row| {
        let broken = row.broken.max(1);
        println!(
            "{name:<26} {:>5} {:>6} {:>5} {:>6} {:>5} {:>5} {:>5} {:>7} {:>7} {:>7.1} {:>7.1} {:>7.1}",
            row.made,
            row.silent,
            row.stood,
            row.broken,
            row.shown,
            row.apart,
            row.first,
            row.applied,
            row.wrongly,
            row.repairs as f64 / f64::from(broken),
            row.time.as_secs_f64() * 1e3 / f64::from(broken),
            row.longest.as_secs_f64() * 1e3,
        );
    };
    for (name, slip) in SLIPS {
        if only.as_deref().is_some_and(|only| only != *name) {
            continue;
        }
        let mut rng = Rng::new(seed);
        let row = count(*slip, each, &mut rng, Limits::default(), true);
        line(name, &row);
        total.add(&row);
    }
    line("all", &total);
    let mut rng = Rng::new(seed);
    let (mut clean, mut stands) = (0, 0);
    for _ in 0..each {
        let made = random_match(&mut rng);
        clean += explained(&searched(&made.text, Limits::default()));
        let stood = stood(&mut rng);
        stands += explained(&searched(&stood.text, Limits::default()));
    }
    println!(
        "{each} legal matches: {clean} repairs; {each} with an illegal play that stood: {stands}"
    );
    println!(
        "first {:.1} % of those told apart, shown {:.1} % of the broken, {} stopped at a limit",
        100.0 * f64::from(total.first) / f64::from(total.apart.max(1)),
        100.0 * f64::from(total.shown) / f64::from(total.broken.max(1)),
        total.limited
    );
    if only.is_none() {
        assert!(total.first * 10 >= total.apart * 9, "the true repair first");
        assert!(
            total.shown * 100 >= total.broken * 98,
            "the true repair shown"
        );
        assert_eq!((total.wrongly, clean, stands), (0, 0, 0));
    }
}

fn explained(searched: &Searched) -> usize {
    let explanations = searched
        .found
        .iter()
        .map(|(_, found, _)| found.explanations.len());
    explanations.sum()
}

// The slips.

/// One of the cells that satisfy a condition.
fn some_cell(
    written: &Written,
    rng: &mut Rng,
    fits: impl Fn(usize, &str) -> bool,
) -> Option<usize> {
    let places: Vec<usize> = (0..written.cells.len())
        .filter(|&index| fits(index, &written.cells[index].1))
        .collect();
    places.get(rng.below(places.len().max(1))).copied()
}

/// The roll of a cell and its moves.
fn split(cell: &str) -> Option<(&str, Vec<String>)> {
    let (roll, moves) = cell.split_once(':')?;
    Some((roll, moves.split_whitespace().map(str::to_owned).collect()))
}

fn joined(roll: &str, moves: &[String]) -> String {
    moves
        .iter()
        .fold(format!("{roll}:"), |cell, moved| format!("{cell} {moved}"))
}

/// Changes one move of one cell.
fn change_a_move(
    written: &mut Written,
    rng: &mut Rng,
    change: impl Fn(&str, &mut Rng) -> Option<String>,
) -> bool {
    for _ in 0..50 {
        let Some(index) = some_cell(written, rng, |_, cell| cell.contains('/')) else {
            return false;
        };
        let (roll, mut moves) = split(&written.cells[index].1).expect("a play");
        let at = rng.below(moves.len());
        if let Some(changed) = change(&moves[at], rng) {
            moves[at] = changed;
            let cell = joined(roll, &moves);
            written.cells[index].1 = cell;
            return true;
        }
    }
    false
}

/// Changes one of the two numbers of a move to another one from 1 to 24.
fn change_a_number(
    moved: &str,
    rng: &mut Rng,
    change: impl Fn(&str, &mut Rng) -> String,
) -> Option<String> {
    let (moved, star) = match moved.strip_suffix('*') {
        Some(moved) => (moved, "*"),
        None => (moved, ""),
    };
    let (from, to) = moved.split_once('/')?;
    let (mut from, mut to) = (from.to_owned(), to.to_owned());
    let number = if rng.once_in(2) { &mut from } else { &mut to };
    let is_point = |text: &str| text.parse::<u8>().is_ok_and(|n| (1..=24).contains(&n));
    let changed = change(number, rng);
    if !is_point(number) || !is_point(&changed) || changed == *number || changed.starts_with('0') {
        return None;
    }
    *number = changed;
    Some(format!("{from}/{to}{star}"))
}

fn wrong_digit(_: &MadeGame, written: &mut Written, rng: &mut Rng) -> bool {
    change_a_move(written, rng, |moved, rng| {
        change_a_number(moved, rng, |number, rng| {
            let mut digits = number.as_bytes().to_vec();
            let at = rng.below(digits.len());
            digits[at] = b'0' + rng.below(10) as u8;
            String::from_utf8(digits).expect("digits")
        })
    })
}

fn digit_dropped_or_added(_: &MadeGame, written: &mut Written, rng: &mut Rng) -> bool {
    change_a_move(written, rng, |moved, rng| {
        change_a_number(moved, rng, |number, rng| {
            if number.len() == 2 {
                let at = rng.below(2);
                number[at..=at].to_owned()
            } else if rng.once_in(2) {
                format!("{}{number}", 1 + rng.below(2))
            } else {
                format!("{number}{}", rng.below(10))
            }
        })
    })
}

fn from_and_to_swapped(_: &MadeGame, written: &mut Written, rng: &mut Rng) -> bool {
    change_a_move(written, rng, |moved, _| {
        let (from, to) = moved.trim_end_matches('*').split_once('/')?;
        (from != "25" && to != "0").then(|| format!("{to}/{from}"))
    })
}

fn bar_missing(_: &MadeGame, written: &mut Written, rng: &mut Rng) -> bool {
    let Some(index) = some_cell(written, rng, |_, cell| cell.contains(" 25/")) else {
        return false;
    };
    let (roll, mut moves) = split(&written.cells[index].1).expect("a play");
    let at = moves
        .iter()
        .position(|moved| moved.starts_with("25/"))
        .expect("an entry");
    moves.remove(at);
    written.cells[index].1 = joined(roll, &moves);
    true
}

fn hit_missing(_: &MadeGame, written: &mut Written, rng: &mut Rng) -> bool {
    change_a_move(written, rng, |moved, _| {
        moved.strip_suffix('*').map(str::to_owned)
    })
}

fn move_left_out(_: &MadeGame, written: &mut Written, rng: &mut Rng) -> bool {
    let Some(index) = some_cell(written, rng, |_, cell| cell.matches('/').count() > 1) else {
        return false;
    };
    let (roll, mut moves) = split(&written.cells[index].1).expect("a play");
    moves.remove(rng.below(moves.len()));
    written.cells[index].1 = joined(roll, &moves);
    true
}

fn play_left_out(_: &MadeGame, written: &mut Written, rng: &mut Rng) -> bool {
    let Some(index) = some_cell(written, rng, |_, cell| cell.contains('/')) else {
        return false;
    };
    written.cells[index].1.truncate(3);
    true
}

/// Writes another legal play for one that was made, if one of them will do.
fn write_another(
    game: &MadeGame,
    written: &mut Written,
    rng: &mut Rng,
    will_do: impl Fn(&Play, &Play) -> bool,
) -> bool {
    let mut position = Position::start(Variant::Backgammon);
    let mut places = Vec::new();
    let mut plays = Plays::new();
    for (index, &(player, action)) in game.actions.iter().enumerate() {
        let Made::Play(roll, play) = action else {
            continue;
        };
        let after = played_as_written(&position, player, play.moves()).expect("a legal play");
        legal_plays(&position, player, roll, &mut plays);
        let others = plays.iter().filter(|(reached, _)| *reached != after);
        let others: Vec<Play> = others
            .map(|(_, other)| *other)
            .filter(|other| will_do(&play, other))
            .collect();
        if !others.is_empty() {
            places.push((index, roll, others));
        }
        position = after;
    }
    let Some((index, roll, others)) = places.get(rng.below(places.len().max(1))) else {
        return false;
    };
    let other = others[rng.below(others.len())];
    let moves: Vec<String> = (other.sorted().moves().iter())
        .map(|moved| {
            let star = if moved.hits { "*" } else { "" };
            format!("{}/{}{star}", moved.from.number(), moved.to.number())
        })
        .collect();
    written.cells[*index].1 = joined(&roll.to_string(), &moves);
    true
}

fn another_checker(game: &MadeGame, written: &mut Written, rng: &mut Rng) -> bool {
    write_another(game, written, rng, |play, other| {
        let mut left = play.moves().to_vec();
        for moved in other.moves() {
            let same = left
                .iter()
                .position(|m| (m.from, m.to) == (moved.from, moved.to));
            same.map(|at| left.remove(at));
        }
        left.len() == 1 && play.moves().len() == other.moves().len()
    })
}

fn another_play(game: &MadeGame, written: &mut Written, rng: &mut Rng) -> bool {
    write_another(game, written, rng, |_, _| true)
}

/// Changes the dice of one cell.
fn change_dice(
    written: &mut Written,
    rng: &mut Rng,
    change: impl Fn(&Written, usize, &mut Rng) -> Option<String>,
) -> bool {
    for _ in 0..50 {
        let Some(index) = some_cell(written, rng, |_, cell| cell.contains(':')) else {
            return false;
        };
        let (roll, moves) = split(&written.cells[index].1).expect("a play");
        let changed = change(written, index, rng);
        if let Some(changed) = changed.filter(|changed| changed != roll) {
            written.cells[index].1 = joined(&changed, &moves);
            return true;
        }
    }
    false
}

fn die_misread(_: &MadeGame, written: &mut Written, rng: &mut Rng) -> bool {
    change_dice(written, rng, |written, index, rng| {
        let mut dice = written.cells[index].1.as_bytes()[..2].to_vec();
        dice[rng.below(2)] = b'0' + rng.die();
        Some(String::from_utf8(dice).expect("digits"))
    })
}

fn neighbours_dice(_: &MadeGame, written: &mut Written, rng: &mut Rng) -> bool {
    change_dice(written, rng, |written, index, rng| {
        let near = if rng.once_in(2) {
            index.checked_sub(1)?
        } else {
            index + 1
        };
        let (roll, _) = split(&written.cells.get(near)?.1)?;
        Some(roll.to_owned())
    })
}

/// A turn with moves, neither the first of the game nor the last action.
fn some_turn(written: &Written, rng: &mut Rng) -> Option<usize> {
    let last = written.cells.len() - 1;
    some_cell(written, rng, |index, cell| {
        index > 0 && index < last && cell.contains('/')
    })
}

fn exchange_from(written: &mut Written, index: usize) {
    for (player, _) in &mut written.cells[index..] {
        *player = !*player;
    }
}

fn turn_left_out(_: &MadeGame, written: &mut Written, rng: &mut Rng) -> bool {
    let index = some_turn(written, rng);
    index.map(|index| written.cells.remove(index)).is_some()
}

fn turn_left_out_and_moved_up(_: &MadeGame, written: &mut Written, rng: &mut Rng) -> bool {
    let Some(index) = some_turn(written, rng) else {
        return false;
    };
    written.cells.remove(index);
    exchange_from(written, index);
    true
}

fn turn_doubled(_: &MadeGame, written: &mut Written, rng: &mut Rng) -> bool {
    let Some(index) = some_turn(written, rng) else {
        return false;
    };
    let cell = written.cells[index].clone();
    written.cells.insert(index, cell);
    true
}

fn turn_doubled_and_moved_down(_: &MadeGame, written: &mut Written, rng: &mut Rng) -> bool {
    let Some(index) = some_turn(written, rng) else {
        return false;
    };
    let cell = written.cells[index].clone();
    written.cells.insert(index, cell);
    exchange_from(written, index + 1);
    true
}

fn row_doubled(_: &MadeGame, written: &mut Written, rng: &mut Rng) -> bool {
    let cells = &written.cells;
    let is_turn = |index: usize| cells.get(index).is_some_and(|(_, cell)| cell.contains('/'));
    let is_row = |index: usize, _: &str| {
        is_turn(index) && is_turn(index + 1) && cells[index].0 == Player::One
    };
    let Some(index) = some_cell(written, rng, is_row) else {
        return false;
    };
    let row = [
        written.cells[index].clone(),
        written.cells[index + 1].clone(),
    ];
    written.cells.splice(index..index, row);
    true
}

fn players_swapped(_: &MadeGame, written: &mut Written, rng: &mut Rng) -> bool {
    let Some(index) = some_turn(written, rng) else {
        return false;
    };
    exchange_from(written, index);
    true
}

fn dance_not_written(_: &MadeGame, written: &mut Written, rng: &mut Rng) -> bool {
    let last = written.cells.len() - 1;
    let is_dance = |index: usize, cell: &str| {
        index > 0 && index < last && cell.contains(':') && !cell.contains('/')
    };
    let Some(index) = some_cell(written, rng, is_dance) else {
        return false;
    };
    written.cells.remove(index);
    true
}

/// Leaves out the one cell of two that says a word, where the other stays.
fn leave_out(written: &mut Written, rng: &mut Rng, word: &str) -> bool {
    let last = written.cells.len() - 1;
    let is_it = |index: usize, cell: &str| index < last && cell.contains(word);
    match some_cell(written, rng, is_it) {
        Some(index) => {
            written.cells.remove(index);
            true
        }
        None => false,
    }
}

fn take_not_written(_: &MadeGame, written: &mut Written, rng: &mut Rng) -> bool {
    leave_out(written, rng, "Takes")
}

fn double_not_written(_: &MadeGame, written: &mut Written, rng: &mut Rng) -> bool {
    leave_out(written, rng, "Doubles")
}

fn result_miscounted(_: &MadeGame, written: &mut Written, rng: &mut Rng) -> bool {
    match rng.below(3) {
        0 => written.winner = !written.winner,
        1 => written.points += 1,
        _ => written.points *= 2,
    }
    true
}
