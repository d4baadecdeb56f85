//! The rules that were agreed: what the flags say, and the nearest `tawla.toml` of each input.

use std::collections::HashMap;
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf, absolute};
use std::sync::{Arc, Mutex};

use anyhow::{Context, anyhow};

use super::args::RuleArgs;
use super::batch::{Input, plain};
use super::rule_options;
use tawla::render::harmless;
use tawla::ruleset::{Config, RuleOptions};

/// The name of the file.
pub(super) const NAME: &str = "tawla.toml";

/// A file and the folder from which its patterns count.
#[derive(Debug, Clone)]
struct Found {
    folder: PathBuf,
    config: Arc<Config>,
}

/// What was agreed, for every input of a run.
#[derive(Debug)]
pub(super) struct Agreed {
    flags: RuleOptions,
    /// Whether files are looked for.
    looks: bool,
    /// The file that was named.
    named: Option<Found>,
    /// The nearest file of each folder that was asked for, or why it cannot be used.
    nearest: Mutex<HashMap<PathBuf, Result<Option<Found>, String>>>,
}

impl Agreed {
    /// # Errors
    ///
    /// Flags contradict each other, or the file that was named cannot be used.
    pub(super) fn new(args: &RuleArgs) -> anyhow::Result<Agreed> {
        let named = match &args.config {
            None => None,
            Some(path) => {
                let shown = path.display().to_string();
                let text = fs::read_to_string(path).map_err(|error| anyhow!(plain(&error)));
                let text = text.with_context(|| shown.clone())?;
                Some(found(path, &text).map_err(|error| anyhow!(error))?)
            }
        };
        Ok(Agreed {
            flags: rule_options(args)?,
            looks: !args.no_config && named.is_none(),
            named,
            nearest: Mutex::default(),
        })
    }

    /// The rules for an input.
    ///
    /// # Errors
    ///
    /// Its `tawla.toml` cannot be used; the text names it.
    pub(super) fn options(&self, input: &Input) -> Result<RuleOptions, String> {
        self.options_for(&input.path())
    }

    /// The rules for a path, whether there is something or not.
    ///
    /// # Errors
    ///
    /// Its `tawla.toml` cannot be used; the text names it.
    pub(super) fn options_for(&self, path: &Path) -> Result<RuleOptions, String> {
        let mut options = self.flags.clone();
        let found = match &self.named {
            Some(found) => Some(found.clone()),
            None if self.looks => self.nearest(path.parent().unwrap_or(path))?,
            None => None,
        };
        if let Some(Found { folder, config }) = found {
            let path = absolute(path).unwrap_or_else(|_| path.to_owned());
            let inner = path.strip_prefix(&folder).unwrap_or(&path);
            let inner = inner.to_string_lossy().replace('\\', "/");
            let rules = config.rules_of(&inner).map_err(|error| {
                let file = folder.join(NAME);
                harmless(&format!("{}: {error}", file.display())).into_owned()
            })?;
            options.file = Some(Box::new(rules));
        }
        Ok(options)
    }

    /// The nearest file of a folder, which may be given relative to the current one.
    fn nearest(&self, folder: &Path) -> Result<Option<Found>, String> {
        let mut known = self.nearest.lock().expect("no worker has panicked");
        if let Some(nearest) = known.get(folder) {
            return nearest.clone();
        }
        let nearest = match folder.as_os_str().is_empty() {
            true => env::current_dir(),
            false => absolute(folder),
        };
        // Where the current folder is gone there is no file of rules in it either.
        let nearest = nearest.map_or(Ok(None), |folder| look(&folder));
        known.insert(folder.to_owned(), nearest.clone());
        nearest
    }
}

/// The nearest file, from a folder upwards.
fn look(folder: &Path) -> Result<Option<Found>, String> {
    for folder in folder.ancestors() {
        let path = folder.join(NAME);
        match fs::read_to_string(&path) {
            Ok(text) => return found(&path, &text).map(Some),
            Err(error) if is_absent(&error) => {}
            Err(error) => return Err(format!("{}: {}", path.display(), plain(&error))),
        }
    }
    Ok(None)
}

fn is_absent(error: &io::Error) -> bool {
    use io::ErrorKind::{IsADirectory, NotADirectory, NotFound, PermissionDenied};
    let kinds = [NotFound, NotADirectory, IsADirectory, PermissionDenied];
    // A folder above that may not be looked into is none of ours.
    kinds.contains(&error.kind())
}

fn found(path: &Path, text: &str) -> Result<Found, String> {
    let shown = path.display().to_string();
    let config = Config::parse(&shown, text);
    let config = config.map_err(|error| harmless(&format!("{shown}: {error}")).into_owned())?;
    let whole = absolute(path).map_err(|error| plain(&error))?;
    Ok(Found {
        folder: whole.parent().unwrap_or(&whole).to_owned(),
        config: Arc::new(config),
    })
}
