//! The command line: picks the command, opens inputs, prints through `render`.

mod agreed;
mod args;
mod baseline;
mod batch;
mod check;
mod chouette;
mod convert;
mod diff;
mod explain;
mod fix;
mod id;
mod plays;
mod rules;
mod score;
mod shell;
mod show;

use std::io::{self, IsTerminal, Write};

use args::{Cli, ColorChoice, Command, RuleArgs, RulesName};
use tawla::board::Variant;
use tawla::formats::{self, Format};
use tawla::render::Style;
use tawla::rules as rule_book;
use tawla::ruleset::{Clock, Lengths, NamedSet, OPTIONS, RuleOptions, contradiction, nearest};

/// Runs the command; the exit status.
pub(crate) fn run() -> anyhow::Result<u8> {
    let stdout = io::stdout();
    let mut out = io::BufWriter::new(stdout.lock());
    let status = match Cli::of_process().command {
        Command::Check(args) => check::run(&args, &mut out),
        Command::Score(args) => score::run(&args, &mut out),
        Command::Show(args) => show::run(&args, &mut out),
        Command::Convert(args) => convert::run(&args, &mut out),
        Command::Fix(args) => fix::run(&args, &mut out),
        Command::Diff(args) => diff::run(&args, &mut out),
        Command::Id(args) => id::run(&args, &mut io::stdin().lock(), &mut out),
        Command::Plays(args) => plays::run(&args, &mut out),
        Command::Rules(args) => rules::run(&args, &mut out),
        Command::Chouette(args) => chouette::run(&args, &mut out),
        Command::Explain(args) => explain::explain(&args, &mut out),
        Command::Formats(_) => explain::formats(&mut out),
        Command::Schema(args) => explain::schema(&args, &mut out),
        Command::Completions(args) => shell::completions(&args, &mut out),
        Command::Man(args) => shell::man(&args, &mut out),
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
    match rule_book::by_code(name) {
        Some(rule) => Ok(rule.code),
        None => Err(no_such_code(name)),
    }
}

/// What to say of a code that does not exist: the nearest one that does.
fn no_such_code(name: &str) -> String {
    let options = OPTIONS.iter().map(|option| option.name);
    match nearest(name, rule_book::all().map(|rule| rule.code).chain(options)) {
        Some(code) => format!("no such code; did you mean {code}?"),
        None => "no such code; `tawla explain` lists all of them".to_owned(),
    }
}

/// A value, or the word for none.
#[derive(Debug, Clone, Copy)]
struct Maybe<T>(Option<T>);

fn lengths(text: &str) -> Result<Maybe<Lengths>, String> {
    match text {
        "any" => Ok(Maybe(None)),
        _ => Lengths::parse(text)
            .map(|lengths| Maybe(Some(lengths)))
            .ok_or_else(|| "lengths are numbers from 1 to 63 with commas, or any".to_owned()),
    }
}

fn clock(text: &str) -> Result<Clock, String> {
    Clock::parse(text).ok_or_else(|| {
        "a clock is the seconds that are free for a move, those in the bank, and the most for one move, \
         such as 12/120/60; 12+/120 adds the seconds of a move to the bank"
            .to_owned()
    })
}

/// An option with its opposite; `None`: neither was given.
fn pair(on: bool, off: bool) -> Option<bool> {
    if on { Some(true) } else { off.then_some(false) }
}

/// An option without an opposite.
fn only(on: bool) -> Option<bool> {
    on.then_some(true)
}

/// What the flags say.
///
/// # Errors
///
/// Two of them contradict each other.
fn rule_options(args: &RuleArgs) -> anyhow::Result<RuleOptions> {
    let options = RuleOptions {
        file: None,
        rules: args.rules.map(|name| match name {
            RulesName::Match => NamedSet::Match,
            RulesName::Money => NamedSet::Money,
            RulesName::Cafe => NamedSet::Cafe,
            RulesName::Nardeon => NamedSet::Nardeon,
        }),
        cube: pair(args.cube, args.no_cube),
        crawford: pair(args.crawford, args.no_crawford),
        jacoby: pair(args.jacoby, args.no_jacoby),
        beavers: pair(args.beavers, args.no_beavers),
        raccoons: pair(args.raccoons, args.no_raccoons),
        automatic_doubles: args.automatic_doubles,
        cube_limit: match args.no_cube_limit {
            true => Some(None),
            false => args.cube_limit.map(Some),
        },
        backgammon_counts: args.backgammon_counts,
        holland: pair(args.holland, args.no_holland),
        opening_reroll: pair(args.opening_reroll, args.no_opening_reroll),
        variant: args.variant,
        match_lengths: args.match_lengths.map(|Maybe(lengths)| lengths),
        clock: match args.no_clock {
            true => Some(None),
            false => args.clock.map(Some),
        },
    };
    without_contradiction(options)
}

/// The options of flags, if they can all hold.
///
/// # Errors
///
/// Two of them contradict each other; the text names both.
fn without_contradiction(options: RuleOptions) -> anyhow::Result<RuleOptions> {
    let flag = |words: &str| match words.split_once(' ') {
        Some((name, "off")) => format!("--no-{name}"),
        Some((name, _)) => format!("--{name}"),
        None => words.to_owned(),
    };
    match contradiction(&options) {
        None => Ok(options),
        Some((one, two, why)) => {
            let (one, two) = (flag(&one), flag(&two));
            anyhow::bail!("{one} and {two} contradict each other: {why}")
        }
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
