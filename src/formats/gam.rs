//! Jellyfish games (`.gam`), which GammonEmpire and Play65 write too.
//!
//! ```text
//! file = { game }
//! game = name name, { row }, "Wins" number "points"
//! ```
//!
//! The rows are those of a match (`mat`), without its match line, headings and scores. The names are divided
//! by two blanks, or by the column of the right one.

use super::carry::{Carried, Item};
use super::{CannotWrite, Format, Likely, NotThisFormat, Sink, WriteOptions, Written, mat};
use crate::record::{Action, Entry, GameRecord, MatchRecord};
use crate::replay::Replay;
use crate::source::{Source, lines};

pub(super) static FORMAT: Format = Format {
    name: "gam",
    title: "Jellyfish game",
    extensions: &["gam"],
    sniff,
    binary: false,
    read: Some(read),
    read_made: None,
    cut: None,
    write: Some(write),
    profiles: &[],
    verified: true,
    carries: &[
        (Item::Names, Carried::Partly),
        (Item::CubeActions, Carried::Partly),
        (Item::CubeValues, Carried::Yes),
        (Item::LateDoubles, Carried::Yes),
        (Item::Beavers, Carried::Partly),
        (Item::Raccoons, Carried::Yes),
        (Item::Dances, Carried::Yes),
        (Item::UnrecordedPlays, Carried::Yes),
        (Item::ImpossibleRolls, Carried::Yes),
        (Item::IllegalPlays, Carried::Yes),
        (Item::Resignations, Carried::Partly),
        (Item::TimeOuts, Carried::Yes),
        (Item::Results, Carried::Partly),
        (Item::HitMarks, Carried::Partly),
        (Item::RowNumbers, Carried::Partly),
    ],
};

/// Two names and a first row, and nothing that makes it a match.
fn sniff(source: &Source) -> Likely {
    let first = lines(source.text()).find(|line| {
        let text = line.text.trim();
        !text.is_empty() && !text.starts_with([';', '#'])
    });
    let is_game = first.is_some_and(|line| {
        let (_, told_apart) = mat::two_names(line.text);
        told_apart && mat::is_names_line(source.text(), line)
    });
    match (is_game, mat::sniff(source)) {
        (true, Likely::No) => Likely::Yes,
        // A player may be called Game 1.
        (true, Likely::Maybe) => Likely::Maybe,
        _ => Likely::No,
    }
}

fn read(source: &Source, sink: &mut Sink<'_>) -> Result<(), NotThisFormat> {
    mat::read_games(source, sink)
}

fn write(
    record: &MatchRecord,
    replay: &Replay,
    options: &WriteOptions,
) -> Result<Written, CannotWrite> {
    if options.before > 0 {
        let why = "nothing parts the matches of a game file; write each match to a file of its own";
        return Err(CannotWrite(why.to_owned()));
    }
    if record.games.is_empty() {
        return Err(CannotWrite("there is no game to write".to_owned()));
    }
    // A line of names is one by the rows below it.
    let is_written = |entry: &Entry| !matches!(entry.action, Action::Unreadable | Action::Set);
    let is_empty =
        |game: &GameRecord| game.result.is_none() && !game.entries.iter().any(is_written);
    if let Some(game) = record.games.iter().position(is_empty) {
        let why = format!(
            "game {} has no action, which a game file cannot hold",
            game + 1
        );
        return Err(CannotWrite(why));
    }
    mat::write_games(record, replay, options, &FORMAT)
}

#[cfg(test)]
mod tests {
    use super::super::recorder::testing::{actions, damage, only};
    use super::*;
    use crate::formats::detect;
    use crate::replay::{replay, rules_for};
    use crate::ruleset::RuleOptions;

    const GAMES: &str = include_str!("../../fixtures/gam/jellyfish-games.gam");

    fn names(line: &str) -> (String, String, usize) {
        let (record, codes) = only(&FORMAT, &format!("{line}\n  1) 31: 8/5 6/5\n"));
        (record.names.one, record.names.two, codes.len())
    }

    #[test]
    fn names_are_divided_by_two_blanks_or_a_column() {
        let expected = |one: &str, two: &str, found| (one.to_owned(), two.to_owned(), found);
        assert_eq!(names(" A de Wit     B 2"), expected("A de Wit", "B 2", 0));
        let column = format!(" {:<30} B C", "A long name that fills its col");
        assert_eq!(
            names(&column),
            expected("A long name that fills its col", "B C", 0)
        );
        assert_eq!(names("2pac Takes"), expected("2pac", "Takes", 0));
        assert_eq!(names("John Smith Bob"), expected("John", "Smith Bob", 1));
        assert_eq!(names("alone"), expected("alone", "", 1));
    }

    #[test]
    fn a_line_of_names_starts_a_game() {
        let (record, codes) = only(&FORMAT, GAMES);
        assert_eq!(record.games.len(), 3);
        assert_eq!(record.names.one, "Amira de Wit");
        assert_eq!(record.length, None);
        assert_eq!(
            actions(&record.games[2])[2..4],
            ["1 double 2", "2 beaver { to: some(4) }"]
        );
        assert_eq!(codes, [""; 0]);
    }

    #[test]
    fn a_match_is_no_game() {
        let name = |text: &str| {
            let source = Source::new("x.gam", text.into(), None).expect("a source");
            detect(&source).map(|format| format.name)
        };
        assert_eq!(name(GAMES), Some("gam"));
        let text = " 5 point match\n\n Game 1\n A : 0     B : 0\n  1) 31: 8/5 6/5\n";
        assert_eq!(name(text), Some("mat"));
        assert_eq!(name("prose only\nand more\n"), None);
        assert_eq!(name("XGID=-b----E-C---eE\n1) 13/7 8/5\n"), Some("position"));
        assert_eq!(name("two words\n1. 13/7 8/5\n"), None);
    }

    #[test]
    fn a_game_without_an_action_is_not_written() {
        let text = "\n 1 point match\n\n Game 1\n A : 0     B : 0\n  1) 31: 8/5 6/5\n\n Game 2\n A : 0     B : 0\n";
        let (record, _) = only(&mat::FORMAT, text);
        let replay = replay(&record, &rules_for(&record, &RuleOptions::default()));
        let written = write(&record, &replay, &WriteOptions::default());
        let why = "game 2 has no action, which a game file cannot hold";
        assert_eq!(written, Err(CannotWrite(why.to_owned())));
    }

    #[test]
    fn damage_is_survived() {
        damage(&FORMAT, &GAMES[..400]);
    }
}
