//! `--baseline` and `--write-baseline`: what is known of the inputs of a run, and what becomes of it.
//!
//! Files are named from the folder of the baseline, so that it can be committed beside the transcripts and
//! used from any folder.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf, absolute};

use anyhow::{Context, anyhow, bail};

use super::args::SilencedArgs;
use super::batch::{Input, Spool, plain};
use super::convert::store;
use tawla::baseline::{Baseline, Known};
use tawla::diagnostic::Finding;
use tawla::render::harmless;
use tawla::source::Source;

/// What was known before a run, and what it found.
#[derive(Debug)]
pub(super) struct Ledger {
    before: Option<Before>,
    after: Option<After>,
}

#[derive(Debug)]
struct Before {
    name: String,
    folder: PathBuf,
    baseline: Baseline,
    /// What is left of it in each file that was read.
    left: BTreeMap<String, Baseline>,
}

#[derive(Debug)]
struct After {
    path: PathBuf,
    folder: PathBuf,
    force: bool,
    /// What was found in each file that was read.
    found: BTreeMap<String, Baseline>,
}

/// The page of one input.
#[derive(Debug, Default)]
pub(super) struct Page {
    known: Option<(String, Baseline)>,
    found: Option<(String, Baseline)>,
}

impl Page {
    /// Writes a finding down; whether it was known.
    pub(super) fn is_known(&mut self, finding: &Finding, source: &Source) -> bool {
        if let Some((path, found)) = &mut self.found {
            found.add(Known::new(path, finding, source), 1);
        }
        match &mut self.known {
            Some((path, known)) => known.take(&Known::new(path, finding, source)),
            None => false,
        }
    }
}

impl Ledger {
    /// # Errors
    ///
    /// The baseline cannot be read, or the one to be written stands in the way of a file.
    pub(super) fn new(args: &SilencedArgs) -> anyhow::Result<Ledger> {
        let before = args.baseline.as_deref().map(|path| -> anyhow::Result<_> {
            let name = path.display().to_string();
            let text = fs::read_to_string(path).map_err(|error| anyhow!(plain(&error)));
            let text = text.with_context(|| name.clone())?;
            Ok(Before {
                baseline: Baseline::read(&text).with_context(|| name.clone())?,
                folder: folder_of(path)?,
                left: BTreeMap::new(),
                name,
            })
        });
        let after = args
            .write_baseline
            .as_deref()
            .map(|path| -> anyhow::Result<_> {
                if path.exists() && !args.force {
                    bail!("{} exists; --force replaces it", path.display());
                }
                let folder = folder_of(path)?;
                if !folder.is_dir() {
                    bail!("cannot write {}: no such folder", path.display());
                }
                Ok(After {
                    path: path.to_owned(),
                    folder: folder_of(path)?,
                    force: args.force,
                    found: BTreeMap::new(),
                })
            });
        Ok(Ledger {
            before: before.transpose()?,
            after: after.transpose()?,
        })
    }

    /// Whether this run makes everything known that it finds.
    pub(super) fn writes(&self) -> bool {
        self.after.is_some()
    }

    /// A fresh page for an input.
    pub(super) fn page(&self, input: &Input) -> Page {
        let known = self.before.as_ref().map(|before| {
            let path = named_from(&before.folder, input);
            let known = before.baseline.of_file(&path);
            (path, known)
        });
        let found = self
            .after
            .as_ref()
            .map(|after| (named_from(&after.folder, input), Baseline::default()));
        Page { known, found }
    }

    /// Takes the page of an input that was read to its end.
    pub(super) fn take(&mut self, page: Page) {
        if let (Some(before), Some((path, left))) = (&mut self.before, page.known) {
            before.left.insert(path, left);
        }
        if let (Some(after), Some((path, found))) = (&mut self.after, page.found) {
            after.found.insert(path, found);
        }
    }

    /// What was known and is not found any more: in files that were read, and in those that are gone
    /// themselves. Nothing is said of codes that were not asked for. `None`: there is no baseline.
    pub(super) fn gone(&self, is_wanted: impl Fn(&str) -> bool) -> Option<Baseline> {
        let before = self.before.as_ref()?;
        let mut gone = Baseline::default();
        for path in before.baseline.paths() {
            let of_file = match before.left.get(path) {
                Some(left) => left.clone(),
                None if before.is_there(path) => continue,
                None => before.baseline.of_file(path),
            };
            let of_file = of_file.left().filter(|(known, _)| is_wanted(&known.code));
            of_file.for_each(|(known, count)| gone.add(known.clone(), count));
        }
        Some(gone)
    }

    /// Names on standard error what is gone.
    pub(super) fn tell(&self, gone: &Baseline) {
        let Some(before) = &self.before else {
            return;
        };
        for (known, count) in gone.left() {
            let times = match count {
                1 => String::new(),
                _ => format!(" ({count} times)"),
            };
            // Nobody is left to be told if standard error is closed.
            let _ = writeln!(
                io::stderr(),
                "tawla: {}: gone: {}{times}",
                harmless(&before.name),
                harmless(&known.to_string())
            );
        }
    }

    /// Writes what is known from now on: what was found, and of the baseline that was read what this run
    /// could not judge.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub(super) fn write(self, is_wanted: impl Fn(&str) -> bool) -> anyhow::Result<()> {
        let Some(after) = self.after else {
            return Ok(());
        };
        let mut known = Baseline::default();
        for found in after.found.values() {
            found
                .left()
                .for_each(|(one, count)| known.add(one.clone(), count));
        }
        if let Some(before) = &self.before {
            for (one, count) in before.baseline.left() {
                let was_read = before.left.contains_key(&one.path);
                let was_judged = was_read && is_wanted(&one.code);
                if !was_judged && (was_read || before.is_there(&one.path)) {
                    let path = match one.path.as_str() {
                        "-" => "-".to_owned(),
                        path => relative(&before.folder.join(path), &after.folder),
                    };
                    known.add(
                        Known {
                            path,
                            ..one.clone()
                        },
                        count,
                    );
                }
            }
        }
        let mut text = Spool::of(known.write()?.as_bytes())?;
        store(&after.path, &mut text, after.force)
    }
}

impl Before {
    fn is_there(&self, path: &str) -> bool {
        let is_file = |path: &str| self.folder.join(path).exists();
        // What was in an archive is there as long as the archive is.
        let archive = path.split_once(".tar").map(|(start, rest)| {
            let end = rest.find(':').unwrap_or(rest.len());
            format!("{start}.tar{}", &rest[..end])
        });
        path == "-" || is_file(path) || archive.is_some_and(|archive| is_file(&archive))
    }
}

/// The folder of a file, from the root.
fn folder_of(path: &Path) -> anyhow::Result<PathBuf> {
    let whole = absolute(path).with_context(|| path.display().to_string())?;
    Ok(plain_path(whole.parent().unwrap_or(&whole)))
}

/// What an input is called in a baseline of this folder.
fn named_from(folder: &Path, input: &Input) -> String {
    match input {
        Input::Standard => "-".to_owned(),
        Input::Named(path) | Input::Found(path) | Input::Broken(path, _) => match absolute(path) {
            Ok(path) => relative(&path, folder),
            Err(_) => input.name(),
        },
        Input::Member(_) => match absolute(input.name()) {
            Ok(path) => relative(&path, folder),
            Err(_) => input.name(),
        },
    }
}

/// A path without `.` and `..`.
fn plain_path(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

/// A path from a folder, both from the root, with slashes.
fn relative(path: &Path, folder: &Path) -> String {
    let path = plain_path(path);
    let common = path
        .components()
        .zip(folder.components())
        .take_while(|(one, other)| one == other)
        .count();
    if common == 0 {
        return path.to_string_lossy().into_owned();
    }
    let up = folder.components().skip(common).map(|_| "..".into());
    let down = path
        .components()
        .skip(common)
        .map(|part| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<String>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_from_the_folder_of_the_baseline() {
        let named = |path: &str, folder: &str| relative(Path::new(path), Path::new(folder));
        assert_eq!(named("/cup/day 1/final.mat", "/cup"), "day 1/final.mat");
        assert_eq!(named("/cup/./day/../final.mat", "/cup"), "final.mat");
        assert_eq!(
            named("/cup/final.mat", "/lists/known"),
            "../../cup/final.mat"
        );
    }
}
