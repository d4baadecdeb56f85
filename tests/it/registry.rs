//! Nothing is missing in a list: rules and their fixtures, fixtures and their sources, commands and the README.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;
use tawla::diagnostic::{Level, Rule};
use tawla::formats;
use tawla::rules;
use tawla::source::Source;

use crate::support::command::tawla;
use crate::support::fixtures::{Fixture, all_fixtures, chouette_fixtures, fixtures};
use crate::support::root;

/// Rules that no transcript of a format that can be read breaks, and why.
const WITHOUT_FIXTURE: &[(&str, &str)] = &[];

/// Rules whose own level no fixture reaches, and why.
const OWN_LEVEL_NOT_REACHED: &[(&str, &str)] = &[];

#[test]
fn codes_are_unique_and_in_kebab_case() {
    let codes: Vec<&str> = rules::all().map(|rule| rule.code).collect();
    let unique: BTreeSet<&str> = codes.iter().copied().collect();
    assert_eq!(unique.len(), codes.len());
    for code in codes {
        let words: Vec<&str> = code.split('-').collect();
        let is_word =
            |word: &&str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase());
        assert!(words.iter().all(is_word), "{code}");
        assert!(rules::by_code(code).is_some_and(|rule| rule.code == code));
    }
}

#[test]
fn every_rule_is_explained() {
    for Rule {
        code,
        subject,
        title,
        explain,
        example,
        ..
    } in rules::all()
    {
        let subjects = [
            "play", "turn", "cube", "score", "clock", "record", "chouette",
        ];
        assert!(subjects.contains(subject), "{code}: {subject}");
        assert!(
            !title.is_empty() && !title.ends_with('.'),
            "{code}: {title}"
        );
        assert!(
            explain.len() > title.len() && explain.ends_with('.'),
            "{code}: {explain}"
        );
        assert!(!example.trim().is_empty(), "{code}");
        let ran = tawla(&["explain", code]);
        assert_eq!(ran.status, 0, "{code}");
        assert!(
            ran.out.starts_with(code) && ran.out.contains(title),
            "{}",
            ran.out
        );
    }
}

/// The rule after which a fixture is named: `cube-value-counted` is one of `cube-value`.
fn rule_of(fixture: &Fixture) -> &'static Rule {
    let is_prefix = |code: &str| {
        fixture
            .stem
            .strip_prefix(code)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    rules::all()
        .filter(|rule| is_prefix(rule.code))
        .max_by_key(|rule| rule.code.len())
        .unwrap_or_else(|| panic!("{} is named after no rule", fixture.path))
}

/// Code and level of each finding of a command for a fixture.
fn found(command: &str, fixture: &Fixture) -> Vec<(String, String)> {
    let ran = tawla(&fixture.args(&[command, "--format", "json"]));
    let output: Value = serde_json::from_str(&ran.out).expect("JSON");
    let findings = output["files"][0]["findings"].as_array().expect("findings");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    findings
        .iter()
        .map(|finding| (text(&finding["code"]), text(&finding["level"])))
        .collect()
}

/// The levels at which each rule is found in the fixtures that are named after it, and nothing but notes beside.
fn levels(command: &str, folder: &str) -> BTreeMap<&'static str, BTreeSet<String>> {
    let mut levels: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for fixture in fixtures(folder) {
        let rule = rule_of(&fixture);
        let found = found(command, &fixture);
        let (own, others): (Vec<_>, Vec<_>) = found.iter().partition(|(code, _)| code == rule.code);
        assert_eq!(own.len(), 1, "{}: {found:?}", fixture.path);
        let only_notes = others.iter().all(|(_, level)| level == "note");
        assert!(only_notes, "{}: {found:?}", fixture.path);
        levels
            .entry(rule.code)
            .or_default()
            .insert(own[0].1.clone());
    }
    levels
}

#[test]
fn every_rule_has_a_fixture_in_which_it_alone_is_found() {
    // A rule of the chouette is one of session logs; the others are met in transcripts, and some in both.
    let (mut levels, of_sessions) = (
        levels("check", "rules"),
        levels("chouette", "chouette/rules"),
    );
    for rule in rules::all().filter(|rule| rule.subject == "chouette") {
        assert!(!levels.contains_key(rule.code), "{}", rule.code);
        levels.extend(
            of_sessions
                .get(rule.code)
                .map(|found| (rule.code, found.clone())),
        );
    }
    let excepted = |list: &[(&str, &str)], code| list.iter().any(|(except, _)| *except == code);
    for rule in rules::all() {
        let reached = levels.get(rule.code);
        assert_eq!(
            reached.is_none(),
            excepted(WITHOUT_FIXTURE, rule.code),
            "{}",
            rule.code
        );
        let own = reached.is_some_and(|levels| levels.contains(rule.level.name()));
        let is_excepted =
            excepted(OWN_LEVEL_NOT_REACHED, rule.code) || excepted(WITHOUT_FIXTURE, rule.code);
        assert_eq!(own, !is_excepted, "{} at {reached:?}", rule.code);
    }
    for code in [
        "beaver-not-agreed",
        "raccoon-not-agreed",
        "automatic-double-not-agreed",
    ] {
        let both = BTreeSet::from(["error".to_owned(), "warning".to_owned()]);
        assert_eq!(levels[code], both, "{code}");
    }
}

#[test]
fn names_of_fixtures_are_unique() {
    for fixtures in [all_fixtures(), chouette_fixtures()] {
        let mut seen = BTreeSet::new();
        for name in fixtures.into_iter().map(|fixture| fixture.stem) {
            assert!(seen.insert(name.clone()), "{name} twice");
        }
    }
}

#[test]
fn every_level_has_a_name() {
    let names = [Level::Error, Level::Warning, Level::Note].map(Level::name);
    assert_eq!(names, ["error", "warning", "note"]);
}

/// Every file below `fixtures` but the list itself.
fn files() -> Vec<String> {
    let (mut left, mut found) = (vec![root().join("fixtures")], Vec::new());
    while let Some(path) = left.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(path).expect("a folder");
            left.extend(entries.map(|entry| entry.expect("an entry").path()));
        } else {
            let path = path
                .strip_prefix(root().join("fixtures"))
                .expect("below it");
            found.push(path.to_str().expect("a name in UTF-8").to_owned());
        }
    }
    found.retain(|file| file != "SOURCES.md");
    found
}

/// Whether a name fits a pattern with at most one star.
fn fits(name: &str, pattern: &str) -> bool {
    match pattern.split_once('*') {
        Some((start, end)) => {
            name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
        }
        None => name == pattern,
    }
}

#[test]
fn every_fixture_has_a_source() {
    let text = fs::read_to_string(root().join("fixtures/SOURCES.md")).expect("the list of sources");
    let patterns: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
        .collect();
    let files = files();
    for file in &files {
        assert!(
            patterns.iter().any(|pattern| fits(file, pattern)),
            "{file} has no source"
        );
    }
    for pattern in patterns {
        assert!(
            files.iter().any(|file| fits(file, pattern)),
            "{pattern} is the name of no file"
        );
    }
}

#[test]
fn the_readme_names_every_command_and_every_format() {
    let readme = fs::read_to_string(root().join("README.md")).expect("the README");
    let help = tawla(&["--help"]).out;
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|command| *command != "help")
        .collect();
    assert!(commands.len() > 5, "{help}");
    for command in commands {
        assert!(readme.contains(&format!("tawla {command}")), "{command}");
    }
    for format in formats::ALL {
        assert!(
            readme.contains(&format!("`{}`", format.name)),
            "{}",
            format.name
        );
    }
}

/// What is certain and has its usual extension is taken at once; comparing all formats comes to the same.
#[test]
fn a_format_is_told_by_content_and_only_then_by_extension() {
    let named = |bytes: &[u8], name: &str| Source::new(name, bytes.to_vec(), None);
    let ranked = |source: &Source| {
        let extension = source
            .name()
            .rsplit_once('.')
            .map(|(_, end)| end.to_owned());
        let rank = |format: &&formats::Format| {
            let extension = extension.as_deref().unwrap_or_default();
            (
                (format.sniff)(source),
                format.extensions.contains(&extension),
            )
        };
        [true, false].into_iter().find_map(|binary| {
            let kind = formats::ALL.iter().rev().copied();
            let best = kind
                .filter(|format| format.binary == binary)
                .max_by_key(rank)?;
            (rank(&best).0 > formats::Likely::No).then_some(best.name)
        })
    };
    let mut told = 0;
    for fixture in all_fixtures() {
        let bytes = fixture.bytes();
        let own = fixture.path.rsplit_once('.').map_or("", |(_, end)| end);
        for name in [&format!("a.{own}"), "a", "a.mat", "a.txt", "a.sgf"] {
            let Ok(source) = named(&bytes, name) else {
                continue;
            };
            let detected = formats::detect(&source).map(|format| format.name);
            assert_eq!(detected, ranked(&source), "{} as {name}", fixture.path);
            told += usize::from(detected.is_some());
        }
    }
    assert!(told > 500, "{told}");
}
