//! Formats that are recognised by what they say and not read, so that nobody has to guess what a file is.

use super::text::mentions;
use super::{Format, Likely};
use crate::source::{Source, lines};

/// A format that is only recognised.
const fn refused(
    name: &'static str,
    title: &'static str,
    extensions: &'static [&'static str],
    sniff: fn(&Source) -> Likely,
) -> Format {
    Format {
        name,
        title,
        extensions,
        sniff,
        binary: false,
        read: None,
        read_made: None,
        cut: None,
        write: None,
        profiles: &[],
        verified: false,
        carries: &[],
    }
}

pub(super) static GIBBON: Format = refused("gmd", "GNU Gibbon game (.gmd)", &["gmd"], |source| {
    starts(source, |line| line.starts_with("GMD-"))
});

pub(super) static JAVAFIBS: Format = refused(
    "javafibs",
    "JavaFIBS match (.match)",
    &["match"],
    |source| {
        starts(source, |line| {
            line.starts_with("JavaFIBS internal match representation")
        })
    },
);

pub(super) static GAMMONX: Format = refused("gammonx", "GammonX record", &["txt"], |source| {
    starts(source, |line| {
        line.starts_with(";[Game '") || line.starts_with(";[Match '")
    })
});

/// A program's board is a macro there, and its positions have no identifiers.
pub(super) static LATEX: Format = refused(
    "gnubg-latex",
    "GNU Backgammon LaTeX export (.tex)",
    &["tex"],
    |source| {
        let is_ours =
            mentions(source, "GNU Backgammon") || mentions(source, "\\newcommand{\\board}");
        match starts(source, |line| line.starts_with("\\documentclass")) {
            Likely::Yes if is_ours => Likely::Yes,
            _ => Likely::No,
        }
    },
);

/// Whether the first line that is not blank is one of these.
fn starts(source: &Source, is_it: fn(&str) -> bool) -> Likely {
    let first = lines(source.text())
        .map(|line| line.text.trim())
        .find(|text| !text.is_empty());
    match first {
        Some(text) if is_it(text) => Likely::Yes,
        _ => Likely::No,
    }
}

#[cfg(test)]
mod tests {
    use super::super::detect;
    use super::*;

    #[test]
    fn each_is_known_by_its_first_line() {
        for (text, name) in [
            (
                "GMD-2 # Created by Gibbon version 0.2.0\nLength: 7\n",
                "gmd",
            ),
            (
                "JavaFIBS internal match representation v1.1\n8:Ann:7\n",
                "javafibs",
            ),
            (";[Game 'x']\n;[Game Modus 'Portes']\n", "gammonx"),
            (
                "\\documentclass{article}\n\\newcommand{\\board}{\n",
                "gnubg-latex",
            ),
        ] {
            let source = Source::new("x.txt", text.into(), None).expect("a source");
            assert_eq!(detect(&source).map(|format| format.name), Some(name));
        }
    }
}
