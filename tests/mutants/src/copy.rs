//! A copy of the package with all mutants in it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::list::Mutant;
use crate::weave::weave;

/// What stays behind.
const NOT_COPIED: [&str; 3] = ["target", ".git", "mutants"];

/// Makes the copy, and leaves out one mutant after another until it compiles. Gives the numbers left out.
pub(crate) fn make(mutants: &[Mutant], package: &Path, copy: &Path) -> BTreeSet<usize> {
    copy_tree(package, copy);
    write(&copy.join("src/mutant.rs"), include_str!("switch.rs"));
    let library = fs::read_to_string(package.join("src/lib.rs")).expect("the library");
    write(
        &copy.join("src/lib.rs"),
        &format!("{library}\n#[doc(hidden)]\npub mod mutant;\n"),
    );
    let manifest = fs::read_to_string(package.join("Cargo.toml")).expect("the manifest");
    let manifest = manifest.replace("[lints.rust]", "[lints.rust]\nwarnings = \"allow\"");
    write(&copy.join("Cargo.toml"), &manifest);
    let mut left_out = BTreeSet::new();
    loop {
        for (file, numbered) in by_file(mutants) {
            let text = fs::read_to_string(package.join(file)).expect("a source");
            let woven: Vec<_> = numbered
                .into_iter()
                .filter(|(number, _)| !left_out.contains(number))
                .collect();
            let woven = weave(&text, &woven);
            left_out.extend(woven.left_out);
            write(&copy.join(file), &woven.text);
        }
        let blamed = blamed(copy);
        if blamed.is_empty() {
            return left_out;
        }
        eprintln!("{} do not compile", blamed.len());
        left_out.extend(blamed);
    }
}

fn by_file(mutants: &[Mutant]) -> BTreeMap<&str, Vec<(usize, &Mutant)>> {
    let mut files: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    for (number, mutant) in (1..).zip(mutants) {
        files
            .entry(&mutant.file)
            .or_default()
            .push((number, mutant));
    }
    files
}

fn copy_tree(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = entry.file_name();
        if NOT_COPIED.iter().any(|left| name == *left) {
            continue;
        }
        let (from, to) = (entry.path(), to.join(&name));
        if from.is_dir() {
            copy_tree(&from, &to);
        } else if from.extension().is_none_or(|extension| extension != "rs") {
            let _ = fs::copy(&from, &to).expect("a copy");
        } else {
            write(&to, &fs::read_to_string(&from).expect("a source"));
        }
    }
}

/// Writes what has changed: what has not is not compiled again.
fn write(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|there| there == text) {
        return;
    }
    fs::write(path, text).expect("a file of the copy");
}

/// The mutants in whose text the compiler finds errors.
fn blamed(copy: &Path) -> BTreeSet<usize> {
    let output = Command::new("cargo")
        .args(["build", "--lib", "--message-format=json"])
        .current_dir(copy)
        .stderr(Stdio::null())
        .output()
        .expect("cargo");
    let mut blamed = BTreeSet::new();
    let mut unclear = Vec::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let message = &line["message"];
        if message["level"] != "error" {
            continue;
        }
        let spans = message["spans"].as_array().cloned().unwrap_or_default();
        let found = spans
            .iter()
            .filter(|span| span["is_primary"] == true)
            .find_map(|span| {
                let text = fs::read_to_string(copy.join(span["file_name"].as_str()?)).ok()?;
                let at = span["byte_start"].as_u64()? as usize;
                mark_around(&text, at)
                    .or_else(|| mark_around(&text, span["byte_end"].as_u64()? as usize - 1))
            });
        match found {
            Some(number) => drop(blamed.insert(number)),
            None if spans.is_empty() => {}
            None => {
                // Without the arm the match is not exhaustive; the advice of the compiler names it.
                let text = message["rendered"].as_str().unwrap_or("");
                let number = text
                    .split_once("::is(")
                    .and_then(|(_, rest)| rest.split_once(')')?.0.parse::<usize>().ok());
                match number {
                    Some(number) if text.contains("error[E0004]") => drop(blamed.insert(number)),
                    _ => unclear.push(text.to_owned()),
                }
            }
        }
    }
    if blamed.is_empty() && !output.status.success() {
        panic!("{}", unclear.join("\n"));
    }
    blamed
}

/// The innermost mutant whose marks stand around a place.
fn mark_around(text: &str, at: usize) -> Option<usize> {
    let mut open: Vec<usize> = Vec::new();
    for (start, _) in text[..at].match_indices("/*") {
        let Some((inside, _)) = text[start + 2..].split_once("*/") else {
            continue;
        };
        if let Some(number) = inside.strip_suffix('<').and_then(|n| n.parse().ok()) {
            open.push(number);
        } else if inside.starts_with('>') {
            open.pop();
        }
    }
    open.pop()
}
