//! The command line: picks the command, opens inputs, prints through `render`.

mod args;
mod batch;
mod check;
mod chouette;
mod convert;
mod explain;
mod id;
mod plays;
mod score;
mod show;

use std::io::{self, IsTerminal, Write};

use clap::Parser;

use args::{Cli, ColorChoice, Command, RuleArgs, RulesName};
use tawla::board::Variant;
use tawla::formats::{self, Format};
use tawla::render::Style;
use tawla::rules;
use tawla::ruleset::{NamedSet, RuleOptions};

/// Runs the command; the exit status.
pub(crate) fn run() -> anyhow::Result<u8> {
    let stdout = io::stdout();
    let mut out = io::BufWriter::new(stdout.lock());
    let status = match Cli::parse().command {
        Command::Check(args) => check::run(&args, &mut out),
        Command::Score(args) => score::run(&args, &mut out),
        Command::Show(args) => show::run(&args, &mut out),
        Command::Convert(args) => convert::run(&args, &mut out),
        Command::Id(args) => id::run(&args, &mut io::stdin().lock(), &mut out),
        Command::Plays(args) => plays::run(&args, &mut out),
        Command::Chouette(args) => chouette::run(&args, &mut out),
        Command::Explain(args) => explain::explain(&args, &mut out),
        Command::Formats(_) => explain::formats(&mut out),
        Command::Schema(args) => explain::schema(&args, &mut out),
    }?;
    out.flush()?;
    Ok(status)
}

fn format_by_name(name: &str) -> Result<&'static Format, String> {
    formats::by_name(name).ok_or_else(|| {
        let names: Vec<&str> = formats::ALL.iter().map(|format| format.name).collect();
        format!("no such format; there are {}", names.join(", "))
    })
}

/// A number of bytes: `65536`, `64K`, `64M` or `1G`.
fn size(text: &str) -> Result<usize, String> {
    let (digits, factor) = match text.trim_end_matches(['B', 'b']) {
        text if text.ends_with(['k', 'K']) => (&text[..text.len() - 1], 1 << 10),
        text if text.ends_with(['m', 'M']) => (&text[..text.len() - 1], 1 << 20),
        text if text.ends_with(['g', 'G']) => (&text[..text.len() - 1], 1 << 30),
        text => (text, 1usize),
    };
    let number: Option<usize> = digits.parse().ok();
    number
        .and_then(|number| number.checked_mul(factor))
        .ok_or_else(|| "a size is a number of bytes, or a number with K, M or G".to_owned())
}

fn variant_by_name(name: &str) -> Result<Variant, String> {
    Variant::by_name(name).ok_or_else(|| {
        format!(
            "no such game; there are {}",
            Variant::ALL.map(Variant::name).join(", ")
        )
    })
}

fn code(name: &str) -> Result<&'static str, String> {
    match rules::by_code(name) {
        Some(rule) => Ok(rule.code),
        None => Err(no_such_code(name)),
    }
}

/// What to say of a code that does not exist: the nearest one that does.
fn no_such_code(name: &str) -> String {
    let nearest = rules::all()
        .map(|rule| (distance(name, rule.code), rule.code))
        .min();
    match nearest {
        Some((distance, code)) if distance <= 4 => format!("no such code; did you mean {code}?"),
        _ => "no such code; `tawla explain` lists all of them".to_owned(),
    }
}

/// How many letters must be added, dropped or changed to make one word of the other.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = before + usize::from(x != *y);
            before = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

/// An option with its opposite; `None`: neither was given.
fn pair(on: bool, off: bool) -> Option<bool> {
    if on { Some(true) } else { off.then_some(false) }
}

/// An option without an opposite.
fn only(on: bool) -> Option<bool> {
    on.then_some(true)
}

fn rule_options(args: &RuleArgs) -> RuleOptions {
    RuleOptions {
        rules: args.rules.map(|name| match name {
            RulesName::Match => NamedSet::Match,
            RulesName::Money => NamedSet::Money,
            RulesName::Cafe => NamedSet::Cafe,
            RulesName::Nardeon => NamedSet::Nardeon,
        }),
        cube: args.no_cube.then_some(false),
        crawford: pair(args.crawford, args.no_crawford),
        jacoby: pair(args.jacoby, args.no_jacoby),
        beavers: only(args.beavers),
        raccoons: only(args.raccoons),
        automatic_doubles: args.automatic_doubles,
        cube_limit: args.cube_limit,
        backgammon_counts: args.backgammon_counts,
        holland: only(args.holland),
        opening_reroll: only(args.opening_reroll),
        variant: args.variant,
    }
}

fn style(choice: ColorChoice) -> Style {
    let coloured = match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            io::stdout().is_terminal()
                && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        }
    };
    if coloured {
        Style::Coloured
    } else {
        Style::Plain
    }
}

/// How wide tables and text may be: the terminal, or 100 characters.
fn width() -> u16 {
    let columns = std::env::var("COLUMNS")
        .ok()
        .and_then(|columns| columns.parse().ok());
    columns.unwrap_or(100).clamp(40, 200)
}
