//! `tawla rules`: what would hold for a transcript, and where each value comes from.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, anyhow};
use serde_json::json;

use super::agreed::Agreed;
use super::args::{PlainFormat, RulesArgs};
use super::batch::Input;
use tawla::board::Length;
use tawla::diagnostic::Findings;
use tawla::record::MatchRecord;
use tawla::render::{harmless, rules as render};
use tawla::replay::rules_for;
use tawla::report::format_of;
use tawla::ruleset::{FileRules, OPTIONS, Origin, RuleSet};
use tawla::source::Source;

/// Prints the rules for every path; 2 if a `tawla.toml` or a transcript cannot be read.
pub(super) fn run(args: &RulesArgs, out: &mut dyn Write) -> anyhow::Result<u8> {
    let agreed = Agreed::new(&args.rules)?;
    let here = [Path::new(".").to_owned()];
    let paths = if args.paths.is_empty() {
        &here[..]
    } else {
        &args.paths
    };
    for (number, path) in paths.iter().enumerate() {
        let shown = harmless(&path.to_string_lossy()).into_owned();
        // What holds in a folder is what holds for a transcript in it without a word on the rules.
        let asked = if path.is_dir() {
            path.join("*")
        } else {
            path.clone()
        };
        let options = agreed.options_for(&asked);
        let options = options
            .map_err(|reason| anyhow!(reason))
            .with_context(|| shown.clone())?;
        let record = match path.is_file() {
            true => first_match(path, args).with_context(|| shown.clone())?,
            false => MatchRecord::default(),
        };
        let rules = rules_for(&record, &options);
        let file = options.file.as_deref();
        match args.format {
            PlainFormat::Human => {
                if number > 0 {
                    writeln!(out)?;
                }
                human(&shown, &record, &rules, file, out)?;
            }
            PlainFormat::Json => {
                let object = object(path, &record, &rules, file);
                writeln!(out, "{}", tawla::escape::json(&object)?)?;
            }
        }
    }
    Ok(0)
}

/// The first match of a transcript: its tags and its length have a word in the rules.
fn first_match(path: &Path, args: &RulesArgs) -> anyhow::Result<MatchRecord> {
    let source = Input::Named(path.to_owned()).source(&args.decode);
    let source: Source = source.map_err(|reason| anyhow!(reason))?;
    let format = format_of(&source, args.from)?;
    let read = format
        .read
        .ok_or_else(|| anyhow!("{}: recognised, not read", format.title))?;
    let mut first = None;
    read(&source, &mut |record: &MatchRecord, _: &mut Findings| {
        first.get_or_insert_with(|| record.clone());
    })?;
    first.ok_or_else(|| anyhow!("no match was found"))
}

/// Where a value comes from, in words.
fn whence(name: &str, origin: Origin, rules: &RuleSet, file: Option<&FileRules>) -> String {
    let place = |file: &FileRules| {
        let place = file.places.iter().find(|(other, ..)| *other == name)?;
        let (_, line, section) = place;
        Some(format!("{} line {line}, {section}", file.path))
    };
    match origin {
        Origin::Set if name == "set" => "the length of the match".to_owned(),
        Origin::Set => format!("the set {}", rules.name),
        Origin::File => file
            .and_then(place)
            .unwrap_or_else(|| "tawla.toml".to_owned()),
        Origin::Record => "what the transcript shows".to_owned(),
        Origin::Tag => "a tag of the transcript".to_owned(),
        Origin::Option => "a flag".to_owned(),
    }
}

fn human(
    path: &str,
    record: &MatchRecord,
    rules: &RuleSet,
    file: Option<&FileRules>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let length = match record.length.map(|length| length.value) {
        Some(Length::Money) => "money play".to_owned(),
        Some(Length::Points(points)) => format!("a match to {points}"),
        None => "the length is not stated".to_owned(),
    };
    writeln!(out, "{path}: {length}")?;
    let rows = OPTIONS.iter().map(|option| {
        let (value, origin) = (option.shown)(rules);
        let whence = whence(option.name, origin, rules, file);
        [
            option.name.to_owned(),
            value.into_owned(),
            harmless(&whence).into_owned(),
        ]
    });
    render::table_of_options(rows, super::width(), out)?;
    Ok(())
}

fn object(
    path: &Path,
    record: &MatchRecord,
    rules: &RuleSet,
    file: Option<&FileRules>,
) -> serde_json::Value {
    let options: serde_json::Map<String, serde_json::Value> = OPTIONS
        .iter()
        .map(|option| {
            let (value, origin) = (option.shown)(rules);
            let from = whence(option.name, origin, rules, file);
            let entry = json!({"value": value, "origin": origin.name(), "from": from});
            (option.name.to_owned(), entry)
        })
        .collect();
    let length = record
        .length
        .map(|length| length.value.points().unwrap_or(0));
    json!({
        "path": path.to_string_lossy(),
        "match_length": length,
        "file": file.map(|file| file.path.to_string()),
        "options": options,
    })
}
