//! What is read, what is written, and that both agree.

use crate::board::{Cube, Play, Player};
use crate::diagnostic::{Findings, Level};
use crate::formats::carry::{Loss, content, normal, strip};
use crate::formats::{Likely, WriteOptions, by_name, detect};
use crate::record::{Action, Entry, MatchRecord, WrittenPlay};
use crate::replay::{replay, rules_for};
use crate::ruleset::RuleOptions;
use crate::source::Source;

/// The matches of a text with the codes and levels of what was found.
fn read_as(format: &str, bytes: &[u8]) -> (Vec<MatchRecord>, Vec<(&'static str, Level)>) {
    let source = Source::new("x", bytes.to_vec(), None).expect("a source");
    let (mut records, mut codes) = (Vec::new(), Vec::new());
    let read = by_name(format)
        .and_then(|format| format.read)
        .expect("a reader");
    read(
        &source,
        &mut |record: &MatchRecord, findings: &mut Findings| {
            records.push(record.clone());
            codes.extend(findings.take().iter().map(|f| (f.rule.code, f.level)));
        },
    )
    .expect("a match");
    (records, codes)
}

fn one(text: &str) -> MatchRecord {
    let (mut records, codes) = read_as("sgf", text.as_bytes());
    assert_eq!(codes, [], "{text}");
    assert_eq!(records.len(), 1, "{text}");
    records.remove(0)
}

fn codes(text: &str) -> Vec<&'static str> {
    let (_, codes) = read_as("sgf", text.as_bytes());
    codes.into_iter().map(|(code, _)| code).collect()
}

/// A game with the usual root and these nodes.
fn game(nodes: &str) -> String {
    format!("(;FF[4]GM[6]AP[x:1]MI[length:5][game:0][ws:0][bs:0]PW[A]PB[B]RU[Crawford]{nodes})\n")
}

/// The entries of the first game in short: `2 31 8/5 6/5`, `1 double`.
fn entries(record: &MatchRecord) -> Vec<String> {
    record.games[0].entries.iter().map(short).collect()
}

fn short(entry: &Entry) -> String {
    let player = entry.player.index() + 1;
    match entry.action {
        Action::Play {
            roll,
            play: WrittenPlay::Moves(play),
        } => {
            let moves = play.moves().iter();
            let moves: Vec<String> = moves.map(|m| format!("{}/{}", m.from, m.to)).collect();
            format!("{player} {roll} {}", moves.join(" "))
        }
        Action::Play { roll, .. } => format!("{player} {roll}"),
        Action::Double { .. } => format!("{player} double"),
        Action::Beaver { .. } => format!("{player} beaver"),
        Action::Raccoon { .. } => format!("{player} raccoon"),
        action => format!("{player} {action:?}").to_ascii_lowercase(),
    }
}

fn write(record: &MatchRecord) -> (String, Vec<Loss>) {
    let replay = replay(record, &rules_for(record, &RuleOptions::default()));
    let write = by_name("sgf")
        .and_then(|format| format.write)
        .expect("a writer");
    let written = write(record, &replay, &WriteOptions::default()).expect("a file");
    let text = String::from_utf8(written.bytes).expect("UTF-8");
    (text, written.losses)
}

/// What is read again is the record without what was reported as lost.
fn law(record: &MatchRecord) -> (String, Vec<Loss>) {
    let (text, losses) = write(record);
    let (again, codes) = read_as("sgf", text.as_bytes());
    let [again] = &again[..] else {
        panic!("{} matches in\n{text}", again.len());
    };
    let stripped = |record: &MatchRecord| {
        let mut record = record.clone();
        losses.iter().for_each(|loss| strip(&mut record, loss.item));
        content(&record)
    };
    let (expected, found) = (stripped(record), stripped(again));
    for (expected, found) in expected.games.iter().zip(&found.games) {
        for (index, (a, b)) in expected.entries.iter().zip(&found.entries).enumerate() {
            assert_eq!(
                a, b,
                "entry {index} of {} in\n{text}",
                expected.heading.start
            );
        }
    }
    assert_eq!(expected, found, "{codes:?}\n{text}");
    (text, losses)
}

/// The worked example: cube, resignations, Crawford game, an illegal play.
const WORKED: &str = "(;FF[4]GM[6]CA[UTF-8]AP[handmade:1]MI[length:3][game:0][ws:0][bs:0]PW[Ann]PB[Ben]\
    DT[2023-04-05]EV[Spring cup]RO[Final]RU[Crawford]RE[B+2R]\n;B[31qtst]\n;W[42hdfd]\n;B[double]\n;W[take]\n\
    ;B[66agaglrlr]\n;W[51mhfe])\n\
    (;FF[4]GM[6]AP[handmade:1]MI[length:3][game:1][ws:0][bs:2]PW[Ann]PB[Ben]RU[Crawford:CrawfordGame]RE[W+2R]\n\
    ;W[65xrrm]\n;B[21lnst])\n\
    (;FF[4]GM[6]AP[handmade:1]MI[length:3][game:2][ws:2][bs:2]PW[Ann]PB[Ben]RU[Crawford]\n\
    ;B[43lpln]\n;W[55mhmhfafa])\n";

#[test]
fn a_match_is_read() {
    let record = one(WORKED);
    assert_eq!(record.names.one, "Ann");
    assert_eq!(
        record.tag("EventDate").map(|tag| &*tag.value),
        Some("2023.04.05")
    );
    assert_eq!(record.switch("Crawford").map(|(on, _)| on), Some(true));
    let expected = [
        "2 31 8/5 6/5",
        "1 42 8/4 6/4",
        "2 double",
        "1 take",
        "2 66 24/18 24/18 13/7 13/7",
        "1 51 13/8 6/5",
    ];
    assert_eq!(entries(&record), expected);
    let result = record.games[0].result.expect("a result").value;
    assert_eq!((result.winner, result.points), (Some(Player::Two), Some(2)));
    assert!(result.resigned && record.games[1].crawford.is_some_and(|mark| mark.value));
    let numbers: Vec<_> = record
        .games
        .iter()
        .map(|game| game.number.map(|n| n.value))
        .collect();
    assert_eq!(numbers, [Some(1), Some(2), Some(3)]);
    assert_eq!(record.games[2].score.expect("a score").value.two, 2);
}

#[test]
fn a_match_is_written_as_it_was_read() {
    let (text, losses) = law(&one(WORKED));
    assert_eq!(losses, []);
    let nodes = |text: &str| -> Vec<String> {
        text.lines()
            .filter(|line| line.starts_with(';'))
            .map(str::to_owned)
            .collect()
    };
    assert_eq!(nodes(&text), nodes(WORKED));
    assert!(
        text.contains("DT[2023-04-05]EV[Spring cup]RO[Final]RU[Crawford]RE[B+2R]"),
        "{text}"
    );
}

#[test]
fn joined_moves_are_written_one_die_each() {
    let record = one(&game(";B[31ae];W[52ml]"));
    assert_eq!(entries(&record), ["2 31 24/20", "1 52 13/12"]);
    let (text, _) = law(&record);
    assert!(
        text.contains(";B[31abbe]") || text.contains(";B[31adde]"),
        "{text}"
    );
    assert!(
        text.contains(";W[52ml]"),
        "an illegal play stays as it was played\n{text}"
    );
}

#[test]
fn a_double_in_answer_to_a_double_is_a_beaver() {
    let nodes = ";B[31qtst];W[double];B[double];W[double];B[take];W[21mklk]";
    let text = game(nodes)
        .replace("length:5", "length:0")
        .replace("RU[Crawford]", "");
    let record = one(&text);
    assert_eq!(
        entries(&record)[1..5],
        ["1 double", "2 beaver", "1 raccoon", "2 take"]
    );
    assert!(
        law(&record)
            .0
            .contains(";W[double]\n;B[double]\n;W[double]\n;B[take]")
    );
}

#[test]
fn cells_of_a_mat_file_become_nodes() {
    let text = " 5 point match\n\n Game 1\n Ann : 0                          Ben : 0\n  \
        1) 43: 24/20 13/10             21: 8/6 6/5*\n  2) 65: bar/20* 24/18           21: bar/24 13/11\n  \
        3)  Doubles => 2                 Takes\n  4) 55: 20/15 18/13 13/8(2)     66:\n      Wins 4 points\n";
    let (records, _) = read_as("mat", text.as_bytes());
    let (text, losses) = law(&records[0]);
    for node in [
        "W[43xtmj]",
        "B[21qsst]",
        "W[65ytxr]",
        "B[21yaln]",
        "W[double]\n;B[take]",
        "B[66]",
    ] {
        assert!(text.contains(node), "{node} in\n{text}");
    }
    // The game stops there, so it was given up. Nothing is lost.
    assert!(text.contains("RE[W+4R]"), "{text}");
    let lost: Vec<&str> = losses.iter().map(|loss| loss.item.name()).collect();
    assert!(lost.is_empty(), "{lost:?}");
}

#[test]
fn what_has_no_place_is_reported_as_lost() {
    let text = "; [Event \"Club\"]\n; [Clock \"yes\"]\n 5 point match\n\n Game 1\n Ann : 0       Ben : 0\n  \
        1) 31: 8/5 6/5                 42: ????\n  2)  Doubles => 4                 Takes\n  \
        3) 65: Doubles => 8             Takes\n      Wins 2 points\n";
    let (records, _) = read_as("mat", text.as_bytes());
    let (text, losses) = law(&records[0]);
    let lost: Vec<(&str, u32)> = losses
        .iter()
        .map(|loss| (loss.item.name(), loss.times))
        .collect();
    let expected = [
        ("stated cube values", 2),
        ("doubles behind the roll", 1),
        ("unrecorded plays", 1),
    ];
    assert_eq!(lost, expected, "{text}");
    assert!(text.contains("EV[Club]GC[[Clock \"yes\"\\]]"), "{text}");
}

#[test]
fn values_are_unescaped_once_and_escaped_again() {
    let text = game(
        r";B[31qtst]C[a \] b \\ c: d\
 e];W[21mklk]",
    )
    .replace("PW[A]", r"PW[A\]l\\p[h]");
    let record = one(&text);
    assert_eq!(record.names.one, r"A]l\p[h");
    let comment = record.games[0].entries[0]
        .extra
        .as_ref()
        .and_then(|e| e.comment.clone());
    assert_eq!(comment.as_deref(), Some(r"a ] b \ c: d e"));
    law(&record);
}

#[test]
fn small_letters_in_identifiers_do_not_count() {
    let record = one("(;FF[3]GaMe[6]MatchInfo[length:5]PWhite[A]PBlack[B];B[31qtst];W[21mklk])");
    assert_eq!((&*record.names.one, &*record.names.two), ("A", "B"));
    assert_eq!(
        record.games[0].score, None,
        "a score that is not stated is not made up"
    );
    law(&record);
}

#[test]
fn a_tree_without_its_game_number_is_read_and_one_of_another_game_is_not() {
    assert_eq!(codes("(;FF[4]MI[length:5];B[31qtst])"), ["bad-header"]);
    let source = Source::new("x.sgf", b"(;GM[1];B[dd])".to_vec(), None).expect("a source");
    let format = detect(&source).expect("SGF");
    let refused = format.read.expect("a reader")(&source, &mut |_, _| {});
    let reason = refused.expect_err("Go").to_string();
    assert!(reason.contains("GM[1]"), "{reason}");
}

#[test]
fn variations_are_left_out_and_kept() {
    let text = game(";B[31qtst](;W[21mklk])(;W[21hfgf])");
    let (records, found) = read_as("sgf", text.as_bytes());
    assert_eq!(found, [("unreadable-line", Level::Warning)]);
    assert_eq!(entries(&records[0]), ["2 31 8/5 6/5", "1 21 13/11 12/11"]);
    assert_eq!(records[0].games[0].comments[0].value, "(;W[21hfgf])");
    law(&records[0]);
}

#[test]
fn what_stands_outside_of_the_games_belongs_to_the_match_before_it() {
    let of = |names: &str| format!("(;GM[6]MI[length:3][game:0]{names};B[31qtst])");
    let [first, second] = ["PW[Ann]PB[Bea]", "PW[Cid]PB[Dot]"].map(of);
    let text = format!("one\n{first}\ntwo\n{second}\n(;GM[1])three\n{second}\n");
    let (records, found) = read_as("sgf", text.as_bytes());
    let comments = records.iter().map(|record| {
        let comments = record.comments.iter();
        comments.map(|comment| comment.value.as_str()).collect()
    });
    let comments: Vec<Vec<&str>> = comments.collect();
    assert_eq!(comments, [vec!["one", "two"], vec!["three"]]);
    let codes: Vec<&str> = found.iter().map(|(code, _)| *code).collect();
    let outside = codes.iter().filter(|code| **code == "unreadable-line");
    assert_eq!(
        (outside.count(), records[1].games.len()),
        (4, 2),
        "{codes:?}"
    );
}

#[test]
fn the_letters_behind_a_result_say_how_the_game_ended() {
    for (result, expected) in [
        ("B+2R", Some((Some(2), true))),
        ("B+2Resign", Some((Some(2), true))),
        ("B+2", Some((Some(2), false))),
        ("B+", Some((None, false))),
        ("0", None),
        ("Void", None),
        ("?", None),
    ] {
        let record = one(&game(&format!("RE[{result}];B[31qtst]")));
        let found = record.games[0]
            .result
            .map(|r| (r.value.points, r.value.resigned));
        assert_eq!(found, expected, "{result}");
        law(&record);
    }
    let record = one(&game("RE[W+T];B[31qtst]"));
    assert_eq!(entries(&record)[1], "2 timeout");
    assert!(law(&record).0.contains("RE[W+T]"));
}

#[test]
fn rules_are_tags_unless_gnu_backgammon_sets_them_by_itself() {
    let tags = |program: &str, rules: &str| {
        let text = format!("(;GM[6]AP[{program}:1]MI[length:0]RU[{rules}];B[31qtst])");
        let record = one(&text);
        law(&record);
        let tags = record
            .tags
            .iter()
            .map(|tag| format!("{}={}", tag.name, tag.value));
        tags.collect::<Vec<_>>()
    };
    assert_eq!(tags("x", "Jacoby"), ["Jacoby=On"]);
    assert_eq!(tags("GNU Backgammon", "Jacoby"), [""; 0]);
    assert_eq!(
        tags("x", "NoCube:Nackgammon"),
        ["CubeLimit=1", "Variation=Nackgammon"]
    );
    assert_eq!(tags("x", "Hypergammon3"), ["Variation=Hypergammon"]);
    let off = one("(;GM[6]AP[GNU Backgammon:1]MI[length:5];B[31qtst])");
    assert_eq!(off.switch("Crawford").map(|(on, _)| on), Some(false));
}

#[test]
fn header_lines_in_the_comment_on_the_game_are_tags() {
    let record = one(&game("GC[[Cubelimit \"64\"\\]\na remark];B[31qtst]"));
    assert_eq!(record.tag("CubeLimit").map(|tag| &*tag.value), Some("64"));
    assert_eq!(record.comments[0].value, "a remark");
    law(&record);
}

#[test]
fn automatic_doubles_are_the_cube_of_the_start() {
    let text = game("CV[4];B[31qtst]")
        .replace("length:5", "length:0")
        .replace("RU[Crawford]", "");
    let record = one(&text);
    let start = &record.games[0].start.as_ref().expect("a start").value;
    assert_eq!(
        start.cube,
        Some(Cube {
            value: 4,
            owner: None
        })
    );
    assert!(law(&record).0.contains("CV[4]\n;B[31qtst]"));
}

#[test]
fn a_position_set_at_the_start_belongs_to_who_acts_next() {
    let record = one(&game(
        ";PL[W]AE[a:y]AW[a][b][c][y]AB[x][w][d][y];CV[2];CP[b];PL[B]DI[31];B[31yteb]",
    ));
    let start = &record.games[0].start.as_ref().expect("a start").value;
    assert_eq!((start.turn, start.roll), (Some(Player::Two), None));
    assert_eq!(
        start.cube,
        Some(Cube {
            value: 2,
            owner: Some(Player::Two)
        })
    );
    assert_eq!((start.checkers.one[25], start.checkers.two[21]), (1, 1));
    assert_eq!(entries(&record), ["2 31 bar/5 20/23"]);
    assert!(law(&record).0.contains(";CV[2]\n;CO[b]CP[b]\n"));
}

#[test]
fn dice_that_nobody_plays_stay_with_the_position() {
    let record = one(&game(";PL[B]AE[a:y]AW[a:c]AB[x][w];PL[B]DI[31]"));
    let start = &record.games[0].start.as_ref().expect("a start").value;
    assert_eq!(start.checkers.one[1..4], [1, 1, 1]);
    assert_eq!(
        start.roll.map(|roll| roll.to_string()).as_deref(),
        Some("31")
    );
    law(&record);
    let record = one(&game(";B[31qtst];PL[W]DI[64]"));
    assert_eq!(entries(&record), ["2 31 8/5 6/5", "1 64"]);
    law(&record);
}

#[test]
fn rolls_that_belong_to_no_play_are_left_out_and_said() {
    let stale = game(";PL[W]DI[32];PL[B]AE[a:y]AW[a]AB[x]");
    assert_eq!(
        read_as("sgf", stale.as_bytes()).1,
        [("unreadable-line", Level::Note)]
    );
    let made_up = game(";PL[B]AE[a:y]AW[a]AB[x];PL[B]DI[31];B[32]");
    let (records, found) = read_as("sgf", made_up.as_bytes());
    assert_eq!(found[0], ("unreadable-line", Level::Warning));
    assert!(records[0].games[0].entries.is_empty());
}

#[test]
fn a_position_set_in_the_middle_is_an_entry() {
    let nodes = ";B[31qtst];AE[a:y]AW[a][b]AB[x][w]C[set];PL[W]DI[21];W[21azbz]C[played]";
    let record = one(&game(nodes));
    assert_eq!(entries(&record)[1], "1 set");
    let comments = record.games[0].entries[1..]
        .iter()
        .map(|entry| entry.extra.as_ref());
    let comments: Vec<_> = comments
        .map(|extra| extra.and_then(|e| e.comment.as_deref()))
        .collect();
    assert_eq!(comments, [Some("set"), Some("played")]);
    law(&record);
    // Only the cube: the checkers stay where they are.
    let record = one(&game(";B[31ae];CV[4];CP[w];W[42hdfd]"));
    let set = record.games[0].entries[1]
        .extra
        .as_ref()
        .expect("a position");
    let setup = &set.position_after.as_ref().expect("a position").value;
    assert_eq!((setup.checkers.two[24], setup.checkers.two[20]), (1, 1));
    assert_eq!(
        setup.cube,
        Some(Cube {
            value: 4,
            owner: Some(Player::One)
        })
    );
    law(&record);
}

#[test]
fn the_stated_character_set_is_held_against_the_bytes() {
    let with = |set: &str, name: &[u8]| {
        let mut bytes = format!("(;GM[6]{set}MI[length:5]PW[").into_bytes();
        bytes.extend(name);
        bytes.extend(b"];B[31qtst])");
        read_as("sgf", &bytes).1
    };
    assert_eq!(with("CA[ISO-8859-1]", b"Zo\xeb"), []);
    assert_eq!(with("CA[UTF-8]", "Zoë".as_bytes()), []);
    assert_eq!(with("", "Zoë".as_bytes()), []);
    assert_eq!(with("", b"Zo\xeb"), [("encoding-guessed", Level::Note)]);
    assert_eq!(
        with("CA[UTF-8]", b"Zo\xeb"),
        [("encoding-guessed", Level::Warning)]
    );
    assert_eq!(
        with("CA[ISO-8859-1]", "Zoë".as_bytes()),
        [("bad-header", Level::Warning)]
    );
}

#[test]
fn a_new_match_starts_with_other_players_or_another_length() {
    let first = game("RE[W+1];B[31qtst]");
    let matches = |second: &str| {
        read_as("sgf", format!("{first}{second}").as_bytes())
            .0
            .len()
    };
    assert_eq!(
        matches(&first.replace("[game:0][ws:0]", "[game:1][ws:1]")),
        1
    );
    assert_eq!(matches(&first), 2, "the score starts again");
    assert_eq!(matches(&first.replace("PW[A]", "PW[C]")), 2);
    assert_eq!(matches(&first.replace("length:5", "length:7")), 2);
    let (records, found) = read_as(
        "sgf",
        format!(
            "{first}{}",
            first.replace("PW[A]", "PW[C]").replace("game:0", "game:1")
        )
        .as_bytes(),
    );
    assert_eq!(
        (records.len(), found),
        (1, vec![("bad-header", Level::Warning)])
    );
    law(&records[0]);
}

#[test]
fn analysis_stays_as_it_is_written() {
    let record = one(&game(r";B[31qtst]A[0][qtst E ver 3 0.5]LU[0.1]KO[]C[a]"));
    let extra = record.games[0].entries[0]
        .extra
        .as_deref()
        .expect("analysis");
    let names: Vec<&str> = extra.analysis.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["A", "A", "LU"]);
    assert!(extra.declared_illegal);
    assert!(
        law(&record)
            .0
            .contains("KO[]A[0][qtst E ver 3 0.5]LU[0.1]C[a]")
    );
}

#[test]
fn what_cannot_be_read_is_one_entry_and_one_finding() {
    for (nodes, expected) in [
        (";B[31qts]", "2 unreadable"),
        (";B[]", "2 unreadable"),
        (";B[31qtstqtstqtstqtstqtst]", "2 unreadable"),
        (";B[07ae]", "2 07 24/20"),
        (";W[11zz]", "1 11 off/off"),
    ] {
        let (records, found) = read_as("sgf", game(nodes).as_bytes());
        assert_eq!(entries(&records[0]), [expected], "{nodes}");
        assert_eq!(
            found.len(),
            usize::from(expected.ends_with("unreadable")),
            "{nodes}"
        );
        law(&records[0]);
    }
    assert_eq!(codes(&game(";B[31qtst]W[21mklk]")), ["unreadable-line"]);
    assert_eq!(codes(&game(";B[31qtst;W[21mklk]")), ["unreadable-line"]);
    assert_eq!(
        codes("(;GM[6]MI[length:99999999999][ws:-1];B[31qtst])").len(),
        2
    );
}

#[test]
fn games_that_are_not_numbered_in_order_have_no_numbers() {
    let text = format!(
        "{}{}",
        game(";B[31qtst]"),
        game(";W[31hefe]").replace("game:0", "game:4")
    );
    let (records, found) = read_as("sgf", text.as_bytes());
    assert_eq!(found, [("game-number", Level::Note)]);
    assert_eq!(records[0].games[1].number, None);
    law(&records[0]);
}

/// Every file of the folder, read and written.
fn fixtures(folder: &str) -> Vec<(String, Vec<u8>)> {
    let folder = format!("{}/fixtures/{folder}", env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .expect("the folder")
        .map(|file| file.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "sgf"))
        .map(|path| {
            (
                path.display().to_string(),
                std::fs::read(&path).expect("a file"),
            )
        })
        .collect();
    files.sort();
    files
}

#[test]
fn fixtures_are_recognised_read_and_written() {
    for (name, bytes) in fixtures("sgf") {
        let source = Source::new(&*name, bytes.clone(), None).expect("a source");
        assert_eq!(
            detect(&source).map(|format| format.name),
            Some("sgf"),
            "{name}"
        );
        assert_eq!((super::FORMAT.sniff)(&source), Likely::Yes, "{name}");
        for record in read_as("sgf", &bytes).0 {
            law(&record);
        }
    }
}

#[test]
fn damage_costs_what_is_damaged_and_nothing_panics() {
    let files = fixtures("sgf").into_iter().chain(fixtures("broken"));
    for (name, bytes) in files {
        let mut damaged: Vec<Vec<u8>> = (0..bytes.len()).map(|end| bytes[..end].to_vec()).collect();
        for at in 0..bytes.len() {
            for byte in [b'(', b';', b']', b'\\', 0xff] {
                let mut copy = bytes.clone();
                copy[at] = byte;
                damaged.push(copy);
            }
        }
        for bytes in damaged {
            let source = Source::new(&*name, bytes, None).expect("a source");
            let _ = super::read::read(&source, &mut |record, _| {
                if !record.games.is_empty() {
                    write(record);
                }
            });
        }
    }
}

#[test]
fn a_broken_file_says_what_is_wrong() {
    for (name, bytes) in fixtures("broken") {
        let source = Source::new(&*name, bytes.clone(), None).expect("a source");
        let stem = name.rsplit('/').next().unwrap_or_default();
        let (format, expected): (&str, &[&str]) = match stem {
            "sgf-truncated.sgf" => ("sgf", &["truncated"]),
            "missing-parenthesis.sgf" => ("sgf", &["unreadable-line", "unreadable-line"]),
            "absurd-numbers.sgf" => ("sgf", &["unreadable-line"; 5]),
            "mat-in-disguise.sgf" => ("mat", &[]),
            "go.sgf" => {
                assert!(super::read::read(&source, &mut |_, _| {}).is_err());
                continue;
            }
            _ => continue,
        };
        assert_eq!(
            detect(&source).map(|format| format.name),
            Some(format),
            "{name}"
        );
        let codes: Vec<_> = read_as(format, &bytes)
            .1
            .into_iter()
            .map(|(code, _)| code)
            .collect();
        assert_eq!(codes, expected, "{name}");
    }
}

/// What is written by dice already is taken as it is; the search through all legal plays comes to the same.
#[test]
fn plays_written_by_dice_need_no_search() {
    let text = " 5 point match\n\n Game 1\n Ann : 0   Bea : 0\n  1) 31: 6/5 8/5   42: 8/4 6/4\n  \
                2) 65: 24/13   64: 8/2 6/2\n  3) 11: 8/7(2) 6/5(2)   52: 13/8 13/11\n";
    let (records, _) = read_as("mat", text.as_bytes());
    let record = &records[0];
    let replayed = replay(record, &rules_for(record, &RuleOptions::default()));
    let game = &replayed.games[0];
    let mut by_dice = 0;
    for (entry, step) in record.games[0].entries.iter().zip(game.steps()) {
        let Action::Play {
            play: WrittenPlay::Moves(written),
            ..
        } = &entry.action
        else {
            continue;
        };
        let taken = normal::as_written_or_expanded(entry, &step).expect("a legal play");
        let searched = normal::one_die_a_move(entry, &step).expect("a legal play");
        let places = |play: &Play| {
            let sorted = play.sorted();
            let places = sorted.moves().iter().map(|moved| (moved.from, moved.to));
            places.collect::<Vec<_>>()
        };
        assert_eq!(places(&taken), places(&searched), "{entry:?}");
        by_dice += usize::from(taken == *written);
    }
    // All but 24/13.
    assert_eq!(by_dice, 5);
}
