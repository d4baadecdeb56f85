//! `tawla.toml`: what was agreed for a folder of transcripts.
//!
//! ```toml
//! [rules]                     # for every transcript in this folder and below
//! set = "money"
//! jacoby = true
//!
//! [[files]]                   # for some of them; a later one outranks an earlier one
//! paths = ["cafe/**", "*-blitz.mat"]
//! set = "cafe"
//! ```
//!
//! Patterns are those of gitignore files without their exceptions: `*` stays within a folder, `**` goes
//! through folders; they are held against the path from the folder of the file on. An unknown name is an
//! error that names the nearest known one, so that a slip of the pen is not silently without effect.

use std::fmt;
use std::sync::Arc;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::options::contradiction;
use super::{FileRules, OPTIONS, RuleOption, RuleOptions, Value, nearest};

/// A file that was read.
#[derive(Debug, Clone)]
pub struct Config {
    path: Arc<str>,
    rules: Section,
    files: Vec<(GlobSet, Section)>,
}

/// The options of a section with their lines.
#[derive(Debug, Clone, Default)]
struct Section {
    title: String,
    options: RuleOptions,
    places: Vec<(&'static str, u32)>,
}

/// Why a file cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    /// The line, from 1.
    pub line: u32,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ConfigError {}

impl Config {
    /// Reads the text of a file; `path` is what it is called in reports.
    ///
    /// # Errors
    ///
    /// It is no TOML, a name is not known, a value is none that its option takes, or two options contradict
    /// each other.
    pub fn parse(path: &str, text: &str) -> Result<Config, ConfigError> {
        let table = DeTable::parse(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            fault(text, at, error.message().to_owned())
        })?;
        let mut config = Config {
            path: path.into(),
            rules: Section::default(),
            files: Vec::new(),
        };
        for (key, value) in table.get_ref() {
            let name: &str = key.get_ref();
            match name {
                "rules" => {
                    let table = as_table(text, value, "rules")?;
                    config.rules = section(text, "[rules]".to_owned(), table, &[])?;
                }
                "files" => config.read_files(text, value)?,
                _ => return Err(unknown(text, key, "a section", ["rules", "files"])),
            }
        }
        Ok(config)
    }

    fn read_files(&mut self, text: &str, value: &Spanned<DeValue<'_>>) -> Result<(), ConfigError> {
        let DeValue::Array(tables) = value.get_ref() else {
            let message = "files is a list of tables: [[files]]".to_owned();
            return Err(fault(text, value.span().start, message));
        };
        for (number, value) in (1u32..).zip(tables.iter()) {
            let table = as_table(text, value, "files")?;
            let title = format!("[[files]] no. {number}");
            let globs = globs(text, value, table)?;
            let section = section(text, title, table, &["paths"])?;
            self.files.push((globs, section));
        }
        Ok(())
    }

    /// What holds for a transcript; `path` is its path from the folder of the file on, with slashes.
    ///
    /// # Errors
    ///
    /// Options of several sections that hold for it contradict each other.
    pub fn rules_of(&self, path: &str) -> Result<FileRules, ConfigError> {
        let mut rules = FileRules {
            path: Arc::clone(&self.path),
            ..FileRules::default()
        };
        let fits = self.files.iter().filter(|(globs, _)| globs.is_match(path));
        for section in std::iter::once(&self.rules).chain(fits.map(|(_, section)| section)) {
            section.lay_over(&mut rules);
        }
        match contradiction(&rules.options) {
            None => Ok(rules),
            Some((one, two, why)) => Err(ConfigError {
                line: rules.places.last().map_or(1, |(_, line, _)| *line),
                message: format!("for {path}, {one} and {two} contradict each other: {why}"),
            }),
        }
    }
}

impl Section {
    /// Lays the options over those that were there.
    fn lay_over(&self, rules: &mut FileRules) {
        let RuleOptions {
            file: _,
            rules: set,
            cube,
            crawford,
            jacoby,
            beavers,
            raccoons,
            automatic_doubles,
            cube_limit,
            backgammon_counts,
            holland,
            opening_reroll,
            variant,
            match_lengths,
            clock,
        } = &self.options;
        let to = &mut rules.options;
        to.rules = set.or(to.rules);
        to.cube = cube.or(to.cube);
        to.crawford = crawford.or(to.crawford);
        to.jacoby = jacoby.or(to.jacoby);
        to.beavers = beavers.or(to.beavers);
        to.raccoons = raccoons.or(to.raccoons);
        to.automatic_doubles = automatic_doubles.or(to.automatic_doubles);
        to.cube_limit = cube_limit.or(to.cube_limit);
        to.backgammon_counts = backgammon_counts.or(to.backgammon_counts);
        to.holland = holland.or(to.holland);
        to.opening_reroll = opening_reroll.or(to.opening_reroll);
        to.variant = variant.or(to.variant);
        to.match_lengths = match_lengths.or(to.match_lengths);
        to.clock = clock.or(to.clock);
        for &(name, line) in &self.places {
            rules.places.retain(|(other, ..)| *other != name);
            rules.places.push((name, line, self.title.clone()));
        }
    }
}

/// The line of a byte, from 1.
fn line(text: &str, at: usize) -> u32 {
    let before = text.as_bytes().iter().take(at);
    let ends = before.filter(|&&byte| byte == b'\n').count();
    u32::try_from(ends).unwrap_or(u32::MAX).saturating_add(1)
}

fn fault(text: &str, at: usize, message: String) -> ConfigError {
    ConfigError {
        line: line(text, at),
        message,
    }
}

/// What to say of a name that is not known.
fn unknown<'a>(
    text: &str,
    key: &Spanned<std::borrow::Cow<'_, str>>,
    what: &str,
    names: impl IntoIterator<Item = &'a str> + Clone,
) -> ConfigError {
    let name: &str = key.get_ref();
    let help = match nearest(name, names.clone()) {
        Some(name) => format!("did you mean {name}?"),
        None => {
            let names: Vec<&str> = names.into_iter().collect();
            format!("there are {}", names.join(", "))
        }
    };
    let message = format!("{name} is not {what} that is known; {help}");
    fault(text, key.span().start, message)
}

fn as_table<'a, 'b>(
    text: &str,
    value: &'a Spanned<DeValue<'b>>,
    name: &str,
) -> Result<&'a DeTable<'b>, ConfigError> {
    match value.get_ref() {
        DeValue::Table(table) => Ok(table),
        _ => {
            let message = format!("{name} is a table of options");
            Err(fault(text, value.span().start, message))
        }
    }
}

fn section(
    text: &str,
    title: String,
    table: &DeTable<'_>,
    others: &[&str],
) -> Result<Section, ConfigError> {
    let mut section = Section {
        title,
        ..Section::default()
    };
    for (key, value) in table {
        let name: &str = key.get_ref();
        if others.contains(&name) {
            continue;
        }
        let Some(option) = RuleOption::by_name(name) else {
            let known = OPTIONS.iter().map(|option| option.name);
            let names: Vec<&str> = known.chain(others.iter().copied()).collect();
            return Err(unknown(text, key, "an option", names));
        };
        let taken = match value_of(value.get_ref()) {
            Some(value) => option.take(&mut section.options, &value),
            None => Err(format!("{} takes {}", option.name, option.values)),
        };
        taken.map_err(|message| fault(text, value.span().start, message))?;
        section
            .places
            .push((option.name, line(text, key.span().start)));
    }
    match contradiction(&section.options) {
        None => Ok(section),
        Some((one, two, why)) => {
            let line = section.places.last().map_or(1, |(_, line)| *line);
            let title = &section.title;
            let message = format!("in {title}, {one} and {two} contradict each other: {why}");
            Err(ConfigError { line, message })
        }
    }
}

fn value_of(value: &DeValue<'_>) -> Option<Value> {
    match value {
        DeValue::Boolean(on) => Some(Value::Switch(*on)),
        DeValue::Integer(number) => number.as_str().parse().ok().map(Value::Number),
        DeValue::String(text) => Some(Value::Text(text.to_string())),
        _ => None,
    }
}

/// The patterns of a section: one text or a list of them.
fn globs(
    text: &str,
    place: &Spanned<DeValue<'_>>,
    table: &DeTable<'_>,
) -> Result<GlobSet, ConfigError> {
    let wrong = |at: usize, message: String| fault(text, at, message);
    let Some((_, value)) = table.iter().find(|(key, _)| key.get_ref() == "paths") else {
        let message = "a [[files]] section needs paths = [\"…\"]".to_owned();
        return Err(wrong(place.span().start, message));
    };
    let at = value.span().start;
    let patterns: Option<Vec<&str>> = match value.get_ref() {
        DeValue::String(pattern) => Some(vec![pattern]),
        DeValue::Array(patterns) => patterns
            .iter()
            .map(|pattern| match pattern.get_ref() {
                DeValue::String(pattern) => Some(&**pattern),
                _ => None,
            })
            .collect(),
        _ => None,
    };
    let patterns = patterns.ok_or_else(|| {
        let message = "paths is a pattern such as \"cafe/**\", or a list of them".to_owned();
        wrong(at, message)
    })?;
    let mut builder = GlobSetBuilder::new();
    for pattern in patterns {
        // As in gitignore files: without a slash at any depth.
        let anchored = match pattern.contains('/') {
            true => pattern.trim_start_matches('/').to_owned(),
            false => format!("**/{pattern}"),
        };
        let glob = GlobBuilder::new(&anchored).literal_separator(true).build();
        builder.add(glob.map_err(|error| wrong(at, error.to_string()))?);
    }
    builder
        .build()
        .map_err(|error| wrong(at, error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::NamedSet;

    const FILE: &str = "[rules]\njacoby = true\ncube-limit = 64\n\n[[files]]\npaths = [\"cafe/**\", \"*.gam\"]\n\
        set = \"cafe\"\njacoby = false\ncube-limit = \"none\"\n";

    fn error(text: &str) -> String {
        let config = Config::parse("tawla.toml", text);
        config.expect_err("an error").to_string()
    }

    #[test]
    fn sections_lie_over_each_other() {
        let config = Config::parse("tawla.toml", FILE).expect("a file");
        let rules = config.rules_of("final.mat").expect("rules");
        assert_eq!(rules.options.jacoby, Some(true));
        assert_eq!(rules.options.cube_limit, Some(Some(64)));
        assert_eq!(rules.options.rules, None);
        for path in ["cafe/2024/x.mat", "x.gam", "deep/er/x.gam"] {
            let rules = config.rules_of(path).expect("rules");
            assert_eq!(rules.options.rules, Some(NamedSet::Cafe), "{path}");
            assert_eq!(rules.options.jacoby, Some(false));
            assert_eq!(rules.options.cube_limit, Some(None));
            let place = rules.places.iter().find(|(name, ..)| *name == "jacoby");
            assert_eq!(place, Some(&("jacoby", 8, "[[files]] no. 1".to_owned())));
        }
        let rules = config.rules_of("other/cafe/x.mat").expect("rules");
        assert_eq!(rules.options.rules, None);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        assert_eq!(
            error("[rules]\njacobi = true\n"),
            "line 2: jacobi is not an option that is known; did you mean jacoby?"
        );
        assert_eq!(
            error("[rule]\n"),
            "line 1: rule is not a section that is known; did you mean rules?"
        );
        assert_eq!(
            error("[rules]\n\nbackgammon-counts = 4\n"),
            "line 3: backgammon-counts takes 2 or 3"
        );
        assert_eq!(
            error("[rules]\ncube = false\njacoby = true\n"),
            "line 3: in [rules], cube off and jacoby on contradict each other: without a cube nothing is doubled"
        );
        assert!(error("[[files]]\nset = \"cafe\"\n").contains("needs paths"));
        assert!(error("[rules\n").starts_with("line 1: "));
        assert!(error("[rules]\ncube-limit = 48\n").contains("a power of two"));
    }

    #[test]
    fn sections_that_contradict_each_other_name_the_path() {
        let text = "[rules]\njacoby = true\n[[files]]\npaths = \"blitz/*\"\ncube = false\n";
        let config = Config::parse("tawla.toml", text).expect("a file");
        assert!(config.rules_of("x.mat").is_ok());
        let error = config.rules_of("blitz/x.mat").expect_err("an error");
        assert!(error.message.contains("blitz/x.mat") && error.message.contains("jacoby on"));
    }
}
