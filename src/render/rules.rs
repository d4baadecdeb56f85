//! The rule book: the rules behind findings and the options of the rules, for `explain` and for reports.

use std::borrow::Cow;
use std::io::{self, Write};

use super::harmless;
use super::table::table;
use crate::board::Variant;
use crate::diagnostic::Rule;
use crate::repair::SLIPS;
use crate::ruleset::{NamedSet, OPTIONS, Origin, RuleOption, RuleSet};

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
    let order = [
        "play", "turn", "cube", "score", "clock", "record", "chouette",
    ];
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

/// The rules in force and where they come from, in one line: the set, then every option that something said
/// something about, and those that matter most: `match, crawford on (tag)`.
pub fn sentence(rules: &RuleSet, is_money: bool) -> String {
    let always: &[&str] = if is_money {
        &["jacoby", "beavers"]
    } else {
        &["crawford"]
    };
    let mut text = String::with_capacity(64);
    text.push_str(rules.name);
    if rules.named_by != Origin::Set {
        push_origin(&mut text, rules.named_by);
    }
    for option in OPTIONS.iter().filter(|option| option.name != "set") {
        // In this game nothing that belongs to the cube is in question.
        let is_open = ["variant", "match-lengths", "clock"].contains(&option.name);
        if rules.variant.value == Variant::LongNardi && !is_open {
            continue;
        }
        let (value, origin) = (option.shown)(rules);
        let is_usual = option.name == "variant" && value == Variant::Backgammon.name();
        if (origin != Origin::Set && !is_usual) || always.contains(&option.name) {
            for part in [", ", option.name, " ", &value] {
                text.push_str(part);
            }
            push_origin(&mut text, origin);
        }
    }
    match harmless(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(text) => text,
    }
}

/// ` (tag)`
fn push_origin(text: &mut String, origin: Origin) {
    for part in [" (", origin.name(), ")"] {
        text.push_str(part);
    }
}

/// Writes an option of the rules: what it means, where customs differ and which set holds what.
///
/// # Errors
///
/// Those of `out`.
pub fn explain_option(option: &RuleOption, width: usize, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{} (option of the rules)", option.name)?;
    writeln!(out, "{}\n", option.title)?;
    for line in wrapped(option.explain, width) {
        writeln!(out, "{line}")?;
    }
    writeln!(out, "\nFlags: {}", option.flags)?;
    for line in wrapped(
        &format!("In tawla.toml: {} = {}", option.name, option.values),
        width,
    ) {
        writeln!(out, "{line}")?;
    }
    let rules = NamedSet::ALL.map(|set| {
        let (value, _) = (option.shown)(&RuleSet::named(set));
        format!("{} {value}", set.name())
    });
    if option.name != "set" {
        writeln!(out, "Sets: {}", rules.join(", "))?;
    }
    Ok(())
}

/// The name under which the repairs are explained.
pub const REPAIRS: &str = "repairs";

/// How repairs are told and chosen.
const ABOUT_REPAIRS: &str = "Where a game becomes impossible, or contradicts its stated result, `check` looks for the \
    smallest change of the record that makes the rest legal: at the place of the finding and at every action before it. \
    If the likeliest one is earlier, the finding points there. What explains the record best comes first, then what costs \
    least; changes that explain it equally well are all given, and of those that cost the same none is preferred. `fix` \
    makes a change only if no other one, however unlikely, explains the record as well. An illegal play from which the \
    game went on is not repaired: it happened. Costs say how many things have to go wrong at once; a change of a play \
    that is legal as written costs one more, and so does a turn that is missing or doubled if all behind it moved to the \
    other column, and a hit mark that does not fit.";

/// Writes how repairs are found, and the table of slips.
///
/// # Errors
///
/// Those of `out`.
pub fn explain_repairs(width: usize, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "{REPAIRS}\nwhat was meant where a game does not hold\n"
    )?;
    for line in wrapped(ABOUT_REPAIRS, width) {
        writeln!(out, "{line}")?;
    }
    writeln!(out, "\nSlips and what they cost:\n")?;
    for slip in SLIPS {
        writeln!(out, "  {:<18} {}  {}", slip.kind, slip.cost, slip.title)?;
        for line in wrapped(slip.reason, width.saturating_sub(24)) {
            writeln!(out, "{:24}{line}", "")?;
        }
    }
    Ok(())
}

/// Writes the table of the options.
///
/// # Errors
///
/// Those of `out`.
pub fn list_options(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\noptions of the rules")?;
    for option in OPTIONS {
        writeln!(out, "  {:<28} {}", option.name, option.title)?;
    }
    writeln!(
        out,
        "\nrepairs\n  {REPAIRS:<28} what was meant where a game does not hold"
    )
}

/// Writes the options of a transcript: name, value, and where it comes from.
///
/// # Errors
///
/// Those of `out`.
pub fn table_of_options(
    rows: impl Iterator<Item = [String; 3]>,
    width: u16,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut table = table(width);
    table.set_header(["option", "value", "from"]);
    rows.for_each(|row| {
        table.add_row(row);
    });
    writeln!(out, "{table}")
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
