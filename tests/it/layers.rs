//! Modules use only what stands below them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::root;

/// Lower layers first: a module may name itself and those before its own layer. The exceptions are in
/// [`ALSO`].
const LAYERS: &[&[&str]] = &[
    &["source", "board", "ruleset", "escape"],
    &["diagnostic", "record"],
    &["replay"],
    &["repair"],
    &["formats", "rules"],
    &["chouette", "suppress", "baseline"],
    &["report"],
    &["diff", "fix"],
    &["render"],
    &["cli"],
];

/// A module and one of its own layer that it may name: a rule set names its variant, which is the board's.
const ALSO: &[(&str, &str)] = &[("ruleset", "board")];

#[test]
fn modules_use_only_lower_layers() {
    let mut wrong = Vec::new();
    for (level, modules) in LAYERS.iter().enumerate() {
        let below = LAYERS[..level].concat();
        for &module in *modules {
            for path in files(module) {
                let text = fs::read_to_string(&path).expect("a source file");
                let wrongly = used(&text).into_iter().filter(|used| {
                    used != module
                        && !below.contains(&used.as_str())
                        && !ALSO.contains(&(module, used))
                });
                wrong.extend(
                    wrongly.map(|used| format!("{}: {module} uses {used}", path.display())),
                );
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_module_has_a_layer() {
    let known = LAYERS.concat();
    let entries = fs::read_dir(root().join("src")).expect("the sources");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let name = |path: &Path| Some(path.file_stem()?.to_str()?.to_owned());
    let unknown: Vec<String> = paths
        .filter_map(|path| name(&path))
        .filter(|name| !["lib", "main"].contains(&name.as_str()) && !known.contains(&name.as_str()))
        .collect();
    assert!(
        unknown.is_empty(),
        "not in the table of layers: {unknown:?}"
    );
}

/// The modules that a source names as `crate::x`, also inside `use crate::{x, y::z}`. Comments count: a
/// link to a higher layer says that the reader needs it.
fn used(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for rest in text.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            None => found.push(word(rest)),
            Some(group) => found.extend(members(group)),
        }
    }
    found
}

/// The first word of each member of a group, up to its closing brace.
fn members(group: &str) -> Vec<String> {
    let (mut depth, mut at_start, mut found) = (0, true, Vec::new());
    for (index, char) in group.char_indices() {
        match char {
            '}' if depth == 0 => break,
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => at_start = true,
            _ if at_start && !char.is_whitespace() => {
                found.push(word(&group[index..]));
                at_start = false;
            }
            _ => {}
        }
    }
    found
}

fn word(text: &str) -> String {
    text.chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect()
}

/// The files of a module, `x.rs` and all below `x`.
fn files(module: &str) -> Vec<PathBuf> {
    let src = root().join("src");
    let mut found = Vec::new();
    let mut left = vec![src.join(format!("{module}.rs")), src.join(module)];
    while let Some(path) = left.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(path).expect("a folder");
            left.extend(entries.map(|entry| entry.expect("an entry").path()));
        } else if path.is_file() {
            found.push(path);
        }
    }
    found
}

#[test]
fn grouped_imports_are_seen() {
    let text = "use crate::{board::{Play, Roll}, record};\nuse crate::source::Span;";
    assert_eq!(used(text), ["board", "record", "source"]);
}
