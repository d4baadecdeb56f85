//! The law of conversion: what a writer's reader reads again is the record, without exactly the losses that
//! the writer reported. The fuzz targets hold records to it too.

use tawla::diagnostic::Findings;
use tawla::formats::carry::{Item, content, strip};
use tawla::formats::{ALL, Format, WriteOptions, write};
use tawla::record::{Action, MatchRecord, WrittenRoll};
use tawla::replay::{replay, rules_for};
use tawla::ruleset::RuleOptions;
use tawla::source::Source;

/// The matches of a source.
pub(crate) fn read(source: &Source, format: &Format) -> Vec<MatchRecord> {
    let mut records = Vec::new();
    let read = format.read.expect("a format that is read");
    let _ = read(source, &mut |record, _: &mut Findings| {
        records.push(record.clone())
    });
    records
}

/// What of a record comes back from a format, or why it cannot be written.
fn back(
    record: &MatchRecord,
    format: &'static Format,
    profile: Option<&'static str>,
) -> Result<(MatchRecord, Vec<Item>, Vec<u8>), String> {
    let replay = replay(record, &rules_for(record, &RuleOptions::default()));
    let options = WriteOptions { profile, before: 0 };
    let written = write(format, record, &replay, &options).map_err(|error| error.to_string())?;
    let source = Source::new("written", written.bytes.clone(), None).expect("a source");
    let mut records = read(&source, format);
    let record = if records.len() == 1 {
        records.remove(0)
    } else {
        MatchRecord::default()
    };
    Ok((
        record,
        written.losses.iter().map(|loss| loss.item).collect(),
        written.bytes,
    ))
}

/// Holds a record to the law in one format; one that it cannot hold is passed over.
pub(crate) fn hold(
    name: &str,
    record: &MatchRecord,
    format: &'static Format,
    profile: Option<&'static str>,
) {
    let Ok((again, losses, bytes)) = back(record, format, profile) else {
        return;
    };
    let without = |record: &MatchRecord| {
        let mut record = record.clone();
        // Twice, for how a play is read depends on what is known before it, with what is lost and without.
        for _ in 0..2 {
            record = content(&record);
            if ["bgammon", "ogxm"].contains(&format.name) {
                dice_by_height(&mut record);
            }
            losses.iter().for_each(|item| strip(&mut record, *item));
        }
        record
    };
    let (expected, found) = (without(record), without(&again));
    if expected != found {
        let games = expected.games.iter().zip(&found.games);
        let first = games.clone().position(|(one, two)| one != two);
        let detail = first.map(|game| {
            let (one, two) = (&expected.games[game], &found.games[game]);
            let entry = one
                .entries
                .iter()
                .zip(&two.entries)
                .position(|(one, two)| one != two);
            match entry {
                Some(at) => format!(
                    "game {game} entry {at}: {:?}\n{:?}",
                    one.entries[at], two.entries[at]
                ),
                None => format!(
                    "game {game}, {} and {} entries: {:?}\n{:?}",
                    one.entries.len(),
                    two.entries.len(),
                    (
                        &one.number,
                        &one.names,
                        &one.score,
                        &one.crawford,
                        &one.start,
                        &one.result,
                        &one.comments
                    ),
                    (
                        &two.number,
                        &two.names,
                        &two.score,
                        &two.crawford,
                        &two.start,
                        &two.result,
                        &two.comments
                    ),
                ),
            }
        });
        let head = |record: &MatchRecord| {
            format!(
                "{:?}",
                (
                    &record.length,
                    &record.tags,
                    &record.comments,
                    &record.names,
                    &record.ratings,
                    record.games.len()
                )
            )
        };
        panic!(
            "{name} by {} {profile:?} with losses {losses:?}:\n{}\n{}\n{}\n{}",
            format.name,
            detail.unwrap_or_default(),
            head(&expected),
            head(&found),
            String::from_utf8_lossy(&bytes),
        );
    }
}

/// A replay and an OGXM file have the dice in one order, whatever was written; that is no loss, for it says nothing.
fn dice_by_height(record: &mut MatchRecord) {
    for entry in record.games.iter_mut().flat_map(|game| &mut game.entries) {
        if let Action::Play { roll, .. } = &mut entry.action {
            *roll = WrittenRoll(roll.0.max(roll.1), roll.0.min(roll.1));
        }
    }
}

/// Formats that are both read and written, with their varieties.
pub(crate) fn targets() -> impl Iterator<Item = (&'static Format, Option<&'static str>)> {
    let both = ALL
        .iter()
        .copied()
        .filter(|format| format.read.is_some() && format.write.is_some());
    both.flat_map(|format| {
        let usual = format.profiles.is_empty().then_some((format, None));
        usual.into_iter().chain(
            format
                .profiles
                .iter()
                .map(move |&profile| (format, Some(profile))),
        )
    })
}
