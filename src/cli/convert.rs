//! `tawla convert`: transcripts in another format, with every loss named.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::agreed::Agreed;
use super::args::ConvertArgs;
use super::batch::{Input, complain, inputs, passed_over};
use tawla::board::Variant;
use tawla::diagnostic::Findings;
use tawla::formats::carry::Item;
use tawla::formats::{self, Format, WriteOptions};
use tawla::render::decisions::{csv, decisions, ids, ndjson};
use tawla::render::show::{Part, show};
use tawla::replay::{replay, rules_for};
use tawla::report::{self, CheckOptions, format_of};
use tawla::ruleset::RuleOptions;
use tawla::source::Source;

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
    bytes: Vec<u8>,
    losses: BTreeMap<Item, u64>,
    matches: u32,
}

/// Converts every input; 1 if something was lost and that is an error, 2 if an input or output failed.
pub(super) fn run(args: &ConvertArgs, out: &mut dyn Write) -> anyhow::Result<u8> {
    let inputs = inputs(&args.input)?;
    let folder = args.output.as_deref().filter(|path| is_folder(path));
    let output = args
        .output
        .as_deref()
        .filter(|path| path.as_os_str() != "-");
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
    if inputs.len() > 1 && folder.is_none() && output.is_some() {
        bail!(
            "several inputs need a folder as --output (one that exists, or a name that ends with a slash)"
        );
    }
    let agreed = Agreed::new(&args.rules)?;
    let mut written = BTreeSet::new();
    let (mut status, mut skipped, mut before) = (0u8, 0, 0);
    for input in &inputs {
        let options = WriteOptions {
            profile,
            before: if output.is_none() { before } else { 0 },
        };
        let converted = match convert(input, args, &agreed, target, &options) {
            Ok(converted) => converted,
            Err(_)
                if matches!(input, Input::Found(_))
                    && !is_transcript(input, args)
                    && agreed.options(input).is_ok() =>
            {
                skipped += 1;
                continue;
            }
            Err(reason) => {
                complain(&input.name(), &reason);
                status = 2;
                continue;
            }
        };
        tell(input, &converted, args);
        if args.error_on_loss && !converted.losses.is_empty() {
            status = status.max(1);
            continue;
        }
        before += converted.matches;
        let result = match (output, folder) {
            (None, _) => out.write_all(&converted.bytes).map_err(anyhow::Error::from),
            (Some(path), None) => store(path, &converted.bytes, args.force),
            (Some(_), Some(folder)) => {
                let path = place(input, folder, target);
                if written.insert(path.clone()) {
                    std::fs::create_dir_all(folder)?;
                    store(&path, &converted.bytes, args.force)
                } else {
                    Err(anyhow::anyhow!(
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
            complain(&input.name(), &format!("{error:#}"));
            status = 2;
        }
    }
    passed_over(skipped);
    Ok(status)
}

fn is_folder(path: &Path) -> bool {
    path.is_dir()
        || path
            .as_os_str()
            .to_string_lossy()
            .ends_with(['/', std::path::MAIN_SEPARATOR])
}

fn is_transcript(input: &Input, args: &ConvertArgs) -> bool {
    let source = input.source(&args.input.decode);
    source.is_ok_and(|source| format_of(&source, args.input.from).is_ok())
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
fn place(input: &Input, folder: &Path, target: Target) -> PathBuf {
    let name = match input {
        Input::Standard => PathBuf::from("stdin"),
        Input::Named(path) | Input::Found(path) | Input::Broken(path, _) => path
            .file_name()
            .map_or_else(|| PathBuf::from("transcript"), PathBuf::from),
    };
    folder.join(name).with_extension(target.extension())
}

fn convert(
    input: &Input,
    args: &ConvertArgs,
    agreed: &Agreed,
    target: Target,
    options: &WriteOptions,
) -> Result<Converted, String> {
    let source = input.source(&args.input.decode)?;
    let rules = agreed.options(input)?;
    let mut converted = Converted {
        bytes: Vec::new(),
        losses: BTreeMap::new(),
        matches: 0,
    };
    match target {
        Target::Format(format) => {
            transcribe(&source, args, &rules, format, options, &mut converted)?
        }
        Target::Made(made) => make(&source, args, rules, made, options, &mut converted)?,
    }
    Ok(converted)
}

fn transcribe(
    source: &Source,
    args: &ConvertArgs,
    rules: &RuleOptions,
    target: &'static Format,
    options: &WriteOptions,
    converted: &mut Converted,
) -> Result<(), String> {
    let format = format_of(source, args.input.from).map_err(|error| error.to_string())?;
    let read = format.read.ok_or("this format cannot be read")?;
    let mut failure = None;
    read(source, &mut |record, _: &mut Findings| {
        let replay = replay(record, &rules_for(record, rules));
        let options = WriteOptions {
            before: options.before + converted.matches,
            ..*options
        };
        match formats::write(target, record, &replay, &options) {
            Ok(written) => {
                converted.bytes.extend(written.bytes);
                for loss in written.losses {
                    *converted.losses.entry(loss.item).or_default() += u64::from(loss.times);
                }
            }
            Err(error) => failure = failure.take().or(Some(error.to_string())),
        }
        converted.matches += 1;
    })
    .map_err(|error| error.to_string())?;
    match failure {
        Some(failure) => Err(failure),
        None => Ok(()),
    }
}

fn make(
    source: &Source,
    args: &ConvertArgs,
    rules: RuleOptions,
    made: Made,
    options: &WriteOptions,
    converted: &mut Converted,
) -> Result<(), String> {
    let check = CheckOptions {
        format: args.input.from,
        rules,
        matches: false,
    };
    let (_, matches) = report::show(source, &check).map_err(|error| error.to_string())?;
    let is_nardi = |shown: &report::ShownMatch| {
        let mut games = shown.games.iter();
        games.any(|game| game.start.variant == Variant::LongNardi)
    };
    if made == Made::Ids && matches.iter().any(is_nardi) {
        return Err("this is long-nardi, and an XGID cannot say so".to_owned());
    }
    // Writing into memory does not fail.
    let out = &mut converted.bytes;
    for (number, shown) in (1u32..).zip(&matches) {
        let header = options.before == 0 && number == 1;
        let _ = match made {
            Made::Txt => show(shown, Part::default(), out).map(|_| ()),
            Made::Ids => ids(&decisions(number, shown), out),
            Made::Csv => csv(&decisions(number, shown), header, out),
            Made::Ndjson => ndjson(&decisions(number, shown), out),
        };
    }
    converted.matches = matches.len() as u32;
    Ok(())
}

/// Says on standard error what was lost, one line a kind.
fn tell(input: &Input, converted: &Converted, args: &ConvertArgs) {
    if args.quiet {
        return;
    }
    for (item, times) in &converted.losses {
        complain(&input.name(), &format!("lost: {} ({times})", item.name()));
    }
}

/// Writes a file: beside its place, then renamed, so that it is there whole or not at all.
pub(super) fn store(path: &Path, bytes: &[u8], force: bool) -> anyhow::Result<()> {
    let shown = path.display();
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
    file.write_all(bytes)
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
