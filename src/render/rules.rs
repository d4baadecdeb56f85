//! The rules behind findings, for `explain`.

use std::io::{self, Write};

use crate::diagnostic::Rule;

/// Writes a rule: its title, the rule in plain words, and an example.
///
/// # Errors
///
/// Those of `out`.
pub fn explain(rule: &Rule, width: usize, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "{} ({}, {})",
        rule.code,
        rule.subject,
        rule.level.name()
    )?;
    writeln!(out, "{}\n", rule.title)?;
    for line in wrapped(rule.explain, width) {
        writeln!(out, "{line}")?;
    }
    writeln!(out, "\nExample:\n")?;
    for line in rule.example.lines() {
        writeln!(out, "    {line}")?;
    }
    Ok(())
}

/// Writes the table of all rules, subject by subject.
///
/// # Errors
///
/// Those of `out`.
pub fn list(rules: impl Iterator<Item = &'static Rule>, out: &mut dyn Write) -> io::Result<()> {
    let mut rules: Vec<&Rule> = rules.collect();
    let order = ["play", "turn", "cube", "score", "record", "chouette"];
    let place = |rule: &&Rule| order.iter().position(|subject| *subject == rule.subject);
    rules.sort_by_key(|rule| place(rule));
    let mut subject = "";
    for rule in rules {
        if rule.subject != subject {
            let space = if subject.is_empty() { "" } else { "\n" };
            writeln!(out, "{space}{}", rule.subject)?;
            subject = rule.subject;
        }
        writeln!(
            out,
            "  {:<28} {:<8} {}",
            rule.code,
            rule.level.name(),
            rule.title
        )?;
    }
    Ok(())
}

/// The words of a text in lines of at most `width` characters.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("one line at least");
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}
