//! The law of conversion: what a writer's reader reads again is the record, without exactly the losses that
//! the writer reported. The fuzz targets hold records to it too.

use tawla::diagnostic::Findings;
use tawla::formats::carry::{Difference, Item, difference};
use tawla::formats::{ALL, CannotWrite, Format, WriteOptions, Written, write};
use tawla::record::MatchRecord;
use tawla::replay::{Replay, replay, rules_for};
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

fn replayed(record: &MatchRecord) -> Replay {
    replay(record, &rules_for(record, &RuleOptions::default()))
}

/// What of a record comes back from a format, and how it was written; or why it cannot be written.
fn back(
    record: &MatchRecord,
    format: &'static Format,
    profile: Option<&'static str>,
) -> Result<(MatchRecord, Written), CannotWrite> {
    let options = WriteOptions { profile, before: 0 };
    let written = write(format, record, &replayed(record), &options)?;
    let source = Source::new("written", written.bytes.clone(), None).expect("a source");
    let mut records = read(&source, format);
    let record = if records.len() == 1 {
        records.remove(0)
    } else {
        MatchRecord::default()
    };
    Ok((record, written))
}

/// Holds a record to the law in one format; one that it cannot hold is passed over. What is given back is which losses only
/// reading back told, or why the record was not written.
pub(crate) fn hold(
    name: &str,
    record: &MatchRecord,
    format: &'static Format,
    profile: Option<&'static str>,
) -> Result<Vec<Item>, CannotWrite> {
    let (again, written) = back(record, format, profile)?;
    let losses: Vec<Item> = written.losses.iter().map(|loss| loss.item).collect();
    if let Some(Difference { expected, found }) = difference(record, &again, format, &losses) {
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
            String::from_utf8_lossy(&written.bytes),
        );
    }
    Ok(written.unforeseen)
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
