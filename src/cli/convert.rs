//! `tawla convert`: transcripts in another format, with every loss named.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context, anyhow, bail};

use super::agreed::Agreed;
use super::args::ConvertArgs;
use super::batch::{
    Batch, Input, Piece, Spool, Stream, Unread, passed_over, pieces_side_by_side,
    without_compression,
};
use tawla::board::Variant;
use tawla::diagnostic::Findings;
use tawla::escape::is_obeyed;
use tawla::formats::carry::Item;
use tawla::formats::{self, Format, WriteOptions};
use tawla::render::decisions::{csv, decisions, ids, ndjson};
use tawla::render::show::{self, show};
use tawla::replay::{replay, rules_for};
use tawla::report::{self, CheckOptions, read_within};
use tawla::ruleset::RuleOptions;

/// What is written.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Target {
    /// A format that can be read again.
    Format(&'static Format),
    /// Something for people or for tables.
    Made(Made),
}

/// Outputs that are no transcripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Made {
    Txt,
    Ids,
    Csv,
    Ndjson,
}

impl Made {
    const ALL: [(&'static str, Made); 4] = [
        ("txt", Made::Txt),
        ("ids", Made::Ids),
        ("csv", Made::Csv),
        ("ndjson", Made::Ndjson),
    ];
}

impl Target {
    fn extension(self) -> &'static str {
        match self {
            Target::Format(format) => format.extensions.first().copied().unwrap_or(format.name),
            Target::Made(made) => Made::ALL
                .iter()
                .find(|(_, other)| *other == made)
                .map_or("", |(name, _)| name),
        }
    }
}

/// The names of all targets.
pub(super) fn target_names() -> Vec<&'static str> {
    let written = formats::ALL.iter().filter(|format| format.write.is_some());
    let names = written.map(|format| format.name);
    names
        .chain(Made::ALL.iter().map(|(name, _)| *name))
        .collect()
}

/// The target with this name.
pub(crate) fn target(name: &str) -> Result<Target, String> {
    let lower = name.to_ascii_lowercase();
    if let Some((_, made)) = Made::ALL.iter().find(|(known, _)| *known == lower) {
        return Ok(Target::Made(*made));
    }
    match formats::by_name(name) {
        Some(format) if format.write.is_some() => Ok(Target::Format(format)),
        Some(format) => Err(format!("{} is read and not written", format.name)),
        None => Err(format!(
            "no such format; there are {}",
            target_names().join(", ")
        )),
    }
}

/// The target that an extension stands for: a format of that name before one that merely uses it.
fn target_of(path: &Path) -> Option<Target> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    target(&extension).ok().or_else(|| {
        let uses = |format: &&&Format| {
            format.write.is_some() && format.extensions.contains(&extension.as_str())
        };
        formats::ALL
            .iter()
            .find(uses)
            .map(|format| Target::Format(format))
    })
}

/// What became of one input.
struct Converted {
    name: String,
    /// Where it goes in a folder.
    place: PathBuf,
    bytes: Spool,
    losses: BTreeMap<Item, u64>,
    matches: u32,
    failure: Option<Unread>,
    is_passed_over: bool,
    /// Whether it is one of the files of an archive.
    is_member: bool,
    /// How many matches were taken to stand before, and the input if it can be converted once more.
    before: u32,
    again: Option<Input>,
}

/// How many inputs were taken, and how many matches they had in the output.
#[derive(Debug, Clone, Copy, Default)]
struct Taken {
    inputs: u64,
    matches: u32,
}

/// Converts every input; 1 if something was lost and that is an error, 2 if an input or output failed.
pub(super) fn run(args: &ConvertArgs, out: &mut dyn Write) -> anyhow::Result<u8> {
    let folder = args.output.as_deref().filter(|path| is_folder(path));
    let output = args
        .output
        .as_deref()
        .filter(|path| path.as_os_str() != "-");
    let batch = Batch::new(&args.input, args.jobs, args.quiet)?;
    let batch = if output.is_none() {
        batch.in_turn()
    } else {
        batch
    };
    let target = match (args.to, output.filter(|_| folder.is_none())) {
        (Some(target), _) => target,
        (None, Some(path)) => target_of(path).with_context(|| {
            format!(
                "{}: the extension names no format; say it with --to",
                path.display()
            )
        })?,
        (None, None) => bail!("say the format with --to"),
    };
    let profile = profile(args, target)?;
    if matches!(target, Target::Format(format) if format.binary)
        && output.is_none()
        && io::stdout().is_terminal()
    {
        bail!("this format is no text and is not written to a terminal; say where with --output");
    }
    let one_file = output.filter(|_| folder.is_none());
    if one_file.is_some() && batch.has_several()? {
        bail!(SEVERAL);
    }
    let agreed = Agreed::new(&args.rules)?;
    let taken = Mutex::new(Taken::default());
    let converter = Converter {
        args,
        agreed: &agreed,
        target,
        profile,
        batch: &batch,
    };
    let work = |input: &Input, stream: Result<Stream, Unread>, position: u64| {
        // Nobody knows how many matches the inputs have that are under way: usually one each.
        let taken = *taken.lock().expect("no worker has panicked");
        let ahead = u32::try_from(position.saturating_sub(taken.inputs)).unwrap_or(u32::MAX);
        let before = match output {
            None => taken.matches.saturating_add(ahead),
            Some(_) => 0,
        };
        converter.convert(input, stream, before)
    };
    let mut written = BTreeSet::new();
    let (mut status, mut skipped) = (0u8, 0);
    batch.run(work, |mut converted: Converted| {
        let before = {
            let mut taken = taken.lock().expect("no worker has panicked");
            taken.inputs += 1;
            taken.matches
        };
        if output.is_none()
            && counts_differ(target, converted.before, before)
            && let Some(input) = converted.again.take()
        {
            let stream = input.stream(&args.input.decode);
            converted = converter.convert(&input, stream, before);
        }
        let name = &converted.name;
        if converted.is_passed_over {
            skipped += 1;
            return Ok(());
        }
        if let Some(reason) = &converted.failure {
            batch.progress.complain(name, &reason.to_string());
            status = 2;
            return Ok(());
        }
        tell(&converted, args, &batch);
        if args.error_on_loss && !converted.losses.is_empty() {
            status = status.max(1);
            return Ok(());
        }
        taken.lock().expect("no worker has panicked").matches += converted.matches;
        let bytes = &mut converted.bytes;
        let result = match (output, folder) {
            (None, _) => batch
                .progress
                .write(out, |out| bytes.write_to(out))
                .map_err(anyhow::Error::from),
            (Some(_), None) if converted.is_member => bail!(SEVERAL),
            (Some(path), None) => store(path, bytes, args.force),
            (Some(_), Some(folder)) => {
                let path = folder.join(&converted.place);
                if written.insert(path.clone()) {
                    std::fs::create_dir_all(folder)?;
                    store(&path, bytes, args.force)
                } else {
                    Err(anyhow!(
                        "{}: another input was written there",
                        path.display()
                    ))
                }
            }
        };
        if let Err(error) = result {
            if error
                .downcast_ref::<io::Error>()
                .is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
            {
                return Err(error);
            }
            batch.progress.complain(name, &format!("{error:#}"));
            status = 2;
        }
        Ok(())
    })?;
    batch.progress.finish();
    passed_over(skipped);
    Ok(batch.status(status))
}

/// Why several inputs do not go into one file.
const SEVERAL: &str =
    "several inputs need a folder as --output (one that exists, or a name that ends with a slash)";

/// Whether the output of an input depends on how many matches stand before it.
fn counts_differ(target: Target, one: u32, other: u32) -> bool {
    match target {
        Target::Format(format) if formats::numbers_matches(format) => one != other,
        // Only the first one has a header, or is not parted from another.
        Target::Format(_) | Target::Made(_) => (one == 0) != (other == 0),
    }
}

fn is_folder(path: &Path) -> bool {
    path.is_dir()
        || path
            .as_os_str()
            .to_string_lossy()
            .ends_with(['/', std::path::MAIN_SEPARATOR])
}

fn profile(args: &ConvertArgs, target: Target) -> anyhow::Result<Option<&'static str>> {
    let Some(name) = args.profile.as_deref() else {
        return Ok(None);
    };
    let known = match target {
        Target::Format(format) => format.profiles,
        Target::Made(_) => &[],
    };
    match known
        .iter()
        .find(|profile| profile.eq_ignore_ascii_case(name))
    {
        Some(profile) => Ok(Some(profile)),
        None if known.is_empty() => bail!("this format has no profiles"),
        None => bail!("no such profile; there are {}", known.join(", ")),
    }
}

/// Where the output of an input goes in a folder: its name with another extension.
fn place(input: &Input, target: Target) -> PathBuf {
    let name = match input {
        Input::Standard => PathBuf::from("stdin"),
        other => other
            .path()
            .file_name()
            .map_or_else(|| PathBuf::from("transcript"), PathBuf::from),
    };
    let name = without_compression(&name).with_extension(target.extension());
    match input {
        // A stranger chose it.
        Input::Member(_) => PathBuf::from(harmless_name(&name.to_string_lossy())),
        _ => name,
    }
}

/// How long the name of a file may be that a stranger chose: what every system takes, and room for what is put
/// before it while it is written.
const LONGEST_NAME: usize = 200;

/// A name as every system takes it and no program misreads it: no separators, nothing that is obeyed or stands
/// for something else, not the name of a device, and not hidden.
fn harmless_name(name: &str) -> String {
    let odd = |c: char| is_obeyed(c) || "/\\:*?\"<>|\t".contains(c);
    let plain: String = name.chars().map(|c| if odd(c) { '_' } else { c }).collect();
    let plain = plain.trim_matches([' ', '.']).trim_start_matches('-');
    let stem = plain.split('.').next().unwrap_or_default().trim_end();
    let is_device = ["CON", "PRN", "AUX", "NUL"]
        .iter()
        .any(|name| stem.eq_ignore_ascii_case(name))
        || (stem.len() == 4
            && stem.ends_with(|c: char| c.is_ascii_digit())
            && ["COM", "LPT"]
                .iter()
                .any(|name| stem[..3].eq_ignore_ascii_case(name)));
    let plain = match is_device || plain.is_empty() {
        true => format!("_{plain}"),
        false => plain.to_owned(),
    };
    if plain.len() <= LONGEST_NAME {
        return plain;
    }
    let (stem, extension) = plain.rsplit_once('.').unwrap_or((&plain, ""));
    let room = LONGEST_NAME.saturating_sub(extension.len() + 1);
    let end = (0..=room.min(stem.len()))
        .rev()
        .find(|&at| stem.is_char_boundary(at));
    format!("{}.{extension}", &stem[..end.unwrap_or(0)])
}

/// What inputs are converted with.
struct Converter<'a> {
    args: &'a ConvertArgs,
    agreed: &'a Agreed,
    target: Target,
    profile: Option<&'static str>,
    batch: &'a Batch,
}

/// What a piece of an input came to.
struct Part {
    bytes: Spool,
    /// Where a number of a match stands in the bytes, and which.
    numbers: Vec<(u64, u32)>,
    losses: BTreeMap<Item, u64>,
    matches: u32,
    /// How many matches of the input were taken to stand before.
    before: u32,
}

impl Part {
    /// Adds it to an output, behind so many matches of the input.
    fn write_to(self, before: u32, out: &mut Spool) -> io::Result<()> {
        let more = before - self.before;
        let mut bytes = self.bytes;
        if more == 0 || self.numbers.is_empty() {
            if out.is_empty() {
                *out = bytes;
                return Ok(());
            }
            return bytes.write_to(out);
        }
        let mut bytes = bytes.into_reader()?;
        let mut digits = itoa::Buffer::new();
        let mut done = 0;
        for (place, number) in self.numbers {
            io::copy(&mut bytes.by_ref().take(place - done), out)?;
            let length = digits.format(number).len() as u64;
            io::copy(&mut bytes.by_ref().take(length), &mut io::sink())?;
            done = place + length;
            out.write_all(digits.format(number + more).as_bytes())?;
        }
        io::copy(&mut bytes, out).map(drop)
    }
}

/// Rows that are written, and where each starts.
struct Rows<'a> {
    out: &'a mut Spool,
    starts: Vec<u64>,
}

impl Write for Rows<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let start = self.out.len();
        let length = self.out.write(bytes)?;
        let ends = memchr::memchr_iter(b'\n', &bytes[..length]);
        self.starts.extend(ends.map(|end| start + end as u64 + 1));
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Converter<'_> {
    fn convert(&self, input: &Input, stream: Result<Stream, Unread>, before: u32) -> Converted {
        let converted = RefCell::new(Converted {
            name: input.name(),
            place: place(input, self.target),
            bytes: Spool::default(),
            losses: BTreeMap::new(),
            matches: 0,
            failure: None,
            is_passed_over: false,
            is_member: matches!(input, Input::Member(_)),
            before,
            again: input.again(),
        });
        // Pieces that are worked on ahead know that matches stand before them, and not how many.
        let done = AtomicU32::new(0);
        let rules = self.agreed.options(input).map_err(Unread::Broken);
        let result = rules.and_then(|rules| {
            let work = |piece: &Piece<'_>| {
                let mut part = Part {
                    bytes: Spool::of_a_piece(),
                    numbers: Vec::new(),
                    losses: BTreeMap::new(),
                    matches: 0,
                    before: done.load(Ordering::Relaxed),
                };
                match self.target {
                    Target::Format(format) => {
                        self.transcribe(piece, &rules, format, before, &mut part)
                    }
                    Target::Made(made) => self.make(piece, &rules, made, before, &mut part),
                }?;
                Ok(part)
            };
            let take = |part: Part| -> Result<(), Unread> {
                let mut converted = converted.borrow_mut();
                let before = converted.matches;
                converted.matches += part.matches;
                done.store(converted.matches, Ordering::Relaxed);
                self.batch.progress.matches(u64::from(part.matches));
                for (item, times) in &part.losses {
                    *converted.losses.entry(*item).or_default() += times;
                }
                Ok(part.write_to(before, &mut converted.bytes)?)
            };
            let now = |piece: &Piece<'_>| {
                take(work(piece)?)?;
                Ok(converted.borrow().matches > 0)
            };
            let threads = self.batch.threads_within(input);
            let reading = (&self.args.input).into();
            pieces_side_by_side(input, stream?, reading, threads, work, now, take)
        });
        let mut converted = converted.into_inner();
        if let Err(reason) = result {
            converted.is_passed_over = input.is_passed_over(&reason) && converted.matches == 0;
            converted.failure = Some(reason);
        }
        converted
    }

    fn transcribe(
        &self,
        piece: &Piece<'_>,
        rules: &RuleOptions,
        target: &'static Format,
        before: u32,
        part: &mut Part,
    ) -> Result<(), Unread> {
        let broken = |reason: &dyn std::fmt::Display| Unread::Broken(reason.to_string());
        let mut failure = None;
        let reached = read_within(
            piece.format,
            piece.source,
            &mut |record, _: &mut Findings| {
                let replay = replay(record, &rules_for(record, rules));
                let options = WriteOptions {
                    profile: self.profile,
                    before: before + part.before + part.matches,
                };
                let written = formats::write(target, record, &replay, &options);
                let stored = written
                    .map_err(|error| error.to_string())
                    .and_then(|written| {
                        for loss in written.losses {
                            *part.losses.entry(loss.item).or_default() += u64::from(loss.times);
                        }
                        let (start, number) = (part.bytes.len(), options.before + 1);
                        let places = written.numbers.into_iter();
                        let numbers = places.map(|place| (start + place as u64, number));
                        part.numbers.extend(numbers);
                        let stored = part.bytes.write_all(&written.bytes);
                        stored.map_err(|error| error.to_string())
                    });
                failure = failure.take().or(stored.err());
                part.matches += 1;
            },
        )
        .map_err(|error| broken(&error))?;
        match failure.or(reached.map(|limit| limit.message)) {
            Some(failure) => Err(Unread::Broken(failure)),
            None => Ok(()),
        }
    }

    fn make(
        &self,
        piece: &Piece<'_>,
        rules: &RuleOptions,
        made: Made,
        before: u32,
        part: &mut Part,
    ) -> Result<(), Unread> {
        let check = CheckOptions {
            format: Some(piece.format),
            rules: rules.clone(),
            matches: false,
            repairs: None,
            unseen: Vec::new(),
        };
        let shown = report::show(piece.source, &check);
        let (_, matches) = shown.map_err(|error| Unread::Broken(error.to_string()))?;
        let is_nardi = |shown: &report::ShownMatch| {
            let mut games = shown.games.iter();
            games.any(|game| game.start.variant == Variant::LongNardi)
        };
        if made == Made::Ids && matches.iter().any(is_nardi) {
            let reason = "this is long-nardi, and an XGID cannot say so";
            return Err(Unread::Broken(reason.to_owned()));
        }
        for shown in &matches {
            let header = before == 0 && part.before == 0 && part.matches == 0;
            part.matches += 1;
            let number = part.before + part.matches;
            let mut rows = Rows {
                starts: vec![part.bytes.len()],
                out: &mut part.bytes,
            };
            // Each row of a table starts with the number of its match.
            let lead = match made {
                Made::Txt => show(shown, show::Part::default(), rows.out).map(|_| None),
                Made::Ids => ids(shown, rows.out).map(|()| None),
                Made::Csv => csv(&decisions(number, shown), header, &mut rows).map(|()| Some("")),
                Made::Ndjson => {
                    ndjson(&decisions(number, shown), &mut rows).map(|()| Some("{\"match\":"))
                }
            }?;
            if let (Some(lead), 1..) = (lead, part.before) {
                // Behind the last row none starts.
                rows.starts.pop();
                let places = rows.starts.iter().map(|start| start + lead.len() as u64);
                part.numbers.extend(places.map(|place| (place, number)));
            }
        }
        Ok(())
    }
}

/// Says on standard error what was lost, one line a kind.
fn tell(converted: &Converted, args: &ConvertArgs, batch: &Batch) {
    if args.quiet {
        return;
    }
    for (item, times) in &converted.losses {
        let lost = format!("lost: {} ({times})", item.name());
        batch.progress.complain(&converted.name, &lost);
    }
}

/// Writes a file: beside its place, then renamed, so that it is there whole or not at all. What is no file, such
/// as a pipe or a device, is written into and never replaced.
pub(super) fn store(path: &Path, bytes: &mut Spool, force: bool) -> anyhow::Result<()> {
    let shown = path.display();
    if std::fs::metadata(path).is_ok_and(|it| !it.is_file() && !it.is_dir()) {
        let opened = std::fs::OpenOptions::new().write(true).open(path);
        let written = opened.and_then(|mut file| {
            bytes.write_to(&mut file)?;
            file.flush()
        });
        return written.with_context(|| format!("cannot write {shown}"));
    }
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    if !folder.is_dir() {
        bail!("cannot write {shown}: no such folder");
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tawla-");
    #[cfg(unix)]
    let usual = std::os::unix::fs::PermissionsExt::from_mode(0o666);
    // As any new file: what the umask leaves.
    #[cfg(unix)]
    builder.permissions(usual);
    let mut file = builder
        .tempfile_in(folder)
        .with_context(|| format!("cannot write {shown}"))?;
    bytes
        .write_to(&mut file)
        .with_context(|| format!("cannot write {shown}"))?;
    let stored = if force {
        file.persist(path)
    } else {
        file.persist_noclobber(path)
    };
    match stored {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
            bail!("{shown} exists; --force replaces it")
        }
        Err(error) => Err(error.error).with_context(|| format!("cannot write {shown}")),
    }
}

#[cfg(test)]
mod tests {
    use super::harmless_name;

    #[test]
    fn names_that_a_stranger_chose_are_harmless() {
        let harmless = [
            ("final.sgf", "final.sgf"),
            ("../../etc/passwd", "_.._etc_passwd"),
            ("..", "_"),
            ("a\\b:c?.sgf", "a_b_c_.sgf"),
            ("a\u{1b}[31m\u{202e}.sgf", "a_[31m_.sgf"),
            ("con.sgf", "_con.sgf"),
            ("Com1.tar.sgf", "_Com1.tar.sgf"),
            ("comet.sgf", "comet.sgf"),
            (".hidden.sgf", "hidden.sgf"),
            ("-rf.sgf", "rf.sgf"),
            ("trailing. ", "trailing"),
        ];
        for (name, expected) in harmless {
            assert_eq!(harmless_name(name), expected, "{name:?}");
        }
        let long = harmless_name(&format!("{}.sgf", "é".repeat(300)));
        assert!(long.len() <= 200 && long.ends_with("é.sgf"), "{long}");
    }
}
