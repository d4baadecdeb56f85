//! Paths as inputs, one after the other: a folder is read when its turn comes.
//!
//! The files of a folder come in the order of their names. Links are followed, for that is what whoever made
//! them wants; one that leads nowhere or into itself is an error and stops nothing. What is neither file nor
//! folder is read only if it was named: nobody wants to wait for a pipe that lies about.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::bail;

use super::super::agreed::NAME;
use super::{Input, plain};

/// The inputs of a command.
///
/// # Errors
///
/// No path was given and standard input is a terminal.
pub(super) fn inputs(paths: &[PathBuf]) -> anyhow::Result<impl Iterator<Item = Input>> {
    if paths.is_empty() && io::stdin().is_terminal() {
        bail!("no input: name a file or a folder, or give a transcript on standard input");
    }
    let standard = paths.is_empty().then_some(Input::Standard);
    let inputs = paths
        .iter()
        .flat_map(|path| -> Box<dyn Iterator<Item = Input>> {
            if path.as_os_str() == "-" {
                Box::new(std::iter::once(Input::Standard))
            } else if path.is_dir() {
                Box::new(walk(path))
            } else {
                Box::new(std::iter::once(Input::Named(path.clone())))
            }
        });
    Ok(standard.into_iter().chain(inputs))
}

fn walk(folder: &Path) -> impl Iterator<Item = Input> + use<> {
    let walker = ignore::WalkBuilder::new(folder)
        .standard_filters(false)
        .follow_links(true)
        // By name: what stands before it is the same for all that are sorted together, and bytes are compared at once.
        .sort_by_file_path(|one, other| {
            let [one, other] = [one, other].map(Path::as_os_str);
            one.as_encoded_bytes().cmp(other.as_encoded_bytes())
        })
        .build();
    let folder = folder.to_owned();
    walker.filter_map(move |entry| match entry {
        // What says how to read the others is none of them.
        Ok(entry) if entry.file_name() == NAME => None,
        Ok(entry) => {
            let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
            is_file.then(|| Input::Found(entry.into_path()))
        }
        Err(error) => Some(broken(&error, &folder)),
    })
}

/// What is wrong, and with which path.
fn broken(error: &ignore::Error, folder: &Path) -> Input {
    match error {
        ignore::Error::WithPath { path, err } => broken(err, path),
        ignore::Error::WithDepth { err, .. } => broken(err, folder),
        ignore::Error::Loop { ancestor, child } => {
            let reason = format!("a loop of links: it leads back to {}", ancestor.display());
            Input::Broken(child.clone(), reason)
        }
        ignore::Error::Io(error) => Input::Broken(folder.to_owned(), plain(innermost(error))),
        other => Input::Broken(folder.to_owned(), other.to_string()),
    }
}

/// What the system said: the walk wraps it in words that name the path once more.
fn innermost(error: &io::Error) -> &io::Error {
    let inner = error.get_ref().and_then(|wrapped| wrapped.source());
    inner
        .and_then(|inner| inner.downcast_ref())
        .unwrap_or(error)
}

/// How many files there are, for who wants to know how long it takes. `None`: that cannot be known.
pub(super) fn count(paths: &[PathBuf], is_over: impl Fn() -> bool) -> Option<u64> {
    let mut files = 0;
    for input in inputs(paths).ok()? {
        if is_over() || matches!(input, Input::Standard) {
            return None;
        }
        files += 1;
    }
    Some(files)
}
