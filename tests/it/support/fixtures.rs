//! The transcripts of `fixtures`. What a command prints for one stands beside it, with the command for an
//! ending: `x.mat` and `x.check`.

use std::fs;
use std::path::PathBuf;

use super::root;

/// A transcript.
#[derive(Debug, Clone)]
pub(crate) struct Fixture {
    /// From the folder of the package: `fixtures/mat/xg.mat`.
    pub(crate) path: String,
    /// The name without its ending: `xg`.
    pub(crate) stem: String,
}

impl Fixture {
    /// What the file holds.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        fs::read(root().join(&self.path)).expect("a fixture")
    }

    /// The file that holds what a command prints for it.
    pub(crate) fn beside(&self, ending: &str) -> PathBuf {
        root().join(&self.path).with_extension(ending)
    }

    /// The options without which the finding is none.
    pub(crate) fn options(&self) -> &'static [&'static str] {
        match self.stem.as_str() {
            "double-too-early" => &["--holland"],
            "automatic-double-not-agreed-forbidden" => &["--automatic-doubles", "0"],
            "move-too-long" => &["--clock", "12/120/60"],
            "bank-empty" => &["--clock", "12/120"],
            "clock-ran-backwards" => &["--clock", "12/120"],
            _ => &[],
        }
    }

    /// The command line of a command for it.
    pub(crate) fn args<'a>(&'a self, command: &[&'a str]) -> Vec<&'a str> {
        [command, self.options(), &[self.path.as_str()]].concat()
    }
}

/// The folders with transcripts.
pub(crate) const FOLDERS: [&str; 24] = [
    "rules",
    "slips",
    "mat",
    "sgf",
    "broken",
    "fibs",
    "gnubg-text",
    "oldmoves",
    "position",
    "snowie-position",
    "gam",
    "sgg",
    "tmg",
    "party",
    "bgroom",
    "bkg",
    "bgammon",
    "ogxm",
    "gva",
    "lbg",
    "json",
    "xg",
    "bgf",
    "pos",
];

/// The folders with session logs of a chouette: whole ones, and one for each rule.
pub(crate) const CHOUETTE_FOLDERS: [&str; 2] = ["chouette", "chouette/rules"];

/// The endings of transcripts; other files beside them hold what commands print.
const ENDINGS: [&str; 20] = [
    "mat", "txt", "sgf", "gam", "sgg", "tmg", "bgf", "bkg", "match", "lbg", "html", "fibs", "log",
    "xg", "xgp", "pos", "ogxm", "gvab", "gva", "chouette",
];

/// The transcripts of a folder, by name.
pub(crate) fn fixtures(folder: &str) -> Vec<Fixture> {
    let is_transcript = |name: &str| {
        let ending = name.rsplit_once('.').map(|(_, ending)| ending);
        // Elsewhere these are what commands print.
        let is_record = ending == Some("json")
            && (["json", "broken", "rules"].contains(&folder)
                || CHOUETTE_FOLDERS.contains(&folder));
        is_record || ending.is_some_and(|ending| ENDINGS.contains(&ending))
    };
    let entries = fs::read_dir(root().join("fixtures").join(folder)).expect("a folder");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name())
        .map(|name| name.into_string().expect("a name in UTF-8"))
        .filter(|name| is_transcript(name))
        .collect();
    names.sort();
    let fixture = |name: String| Fixture {
        path: format!("fixtures/{folder}/{name}"),
        stem: name.rsplit_once('.').expect("an ending").0.to_owned(),
    };
    let found: Vec<Fixture> = names.into_iter().map(fixture).collect();
    assert!(!found.is_empty(), "no transcripts in {folder}");
    found
}

/// The transcripts of all folders.
pub(crate) fn all_fixtures() -> Vec<Fixture> {
    FOLDERS.into_iter().flat_map(fixtures).collect()
}

/// The session logs of all folders.
pub(crate) fn chouette_fixtures() -> Vec<Fixture> {
    CHOUETTE_FOLDERS.into_iter().flat_map(fixtures).collect()
}
