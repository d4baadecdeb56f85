//! `tawla completions` and `tawla man`: what a shell and a manual need to know of the command line.
//!
//! Both come from the clap definitions, so that nothing is written down twice. Two things are added: the names that an
//! option takes where clap knows only the function that reads them, and examples and statuses as sections of a page of
//! their own, which the help of clap holds as one text.

use std::io::Write;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, Args, Command, CommandFactory, ValueHint};
use clap_complete::Shell;
use clap_mangen::Man;
use roff::{Roff, bold, roman};

use super::args::Cli;
use super::batch::Spool;
use super::convert::{store, target_names};
use tawla::board::Variant;
use tawla::formats::{self, ids::Kind};
use tawla::rules as rule_book;
use tawla::ruleset::{OPTIONS, RuleOption};

/// Print the completions for a shell
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    tawla completions bash > ~/.local/share/bash-completion/completions/tawla\n  \
    tawla completions zsh > ~/.zfunc/_tawla      a folder of fpath, before compinit\n  \
    tawla completions fish > ~/.config/fish/completions/tawla.fish\n  \
    tawla completions powershell >> $PROFILE\n  \
    tawla completions elvish >> ~/.config/elvish/rc.elv")]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Print the manual page of the program or of a command, or write all pages
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    tawla man check | man -l -\n  \
    tawla man --out ~/.local/share/man/man1")]
pub(crate) struct ManArgs {
    /// The command; the program itself by default
    command: Option<String>,
    /// Write the page of the program and one a command into this folder
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    out: Option<PathBuf>,
    /// Replace files that exist
    #[arg(long, requires = "out")]
    force: bool,
}

/// Prints the completions.
pub(super) fn completions(args: &CompletionsArgs, out: &mut dyn Write) -> anyhow::Result<u8> {
    let mut script = Vec::new();
    // Into memory: the generator takes a failed write for a bug, and a closed pipe is none.
    clap_complete::generate(args.shell, &mut with_names(), "tawla", &mut script);
    out.write_all(&script)?;
    Ok(0)
}

/// Prints a page, or writes all of them.
pub(super) fn man(args: &ManArgs, out: &mut dyn Write) -> anyhow::Result<u8> {
    let program = pages();
    let page_of = |name: &str| {
        let mut commands = program.get_subcommands();
        commands.find(|command| command.get_name() == name)
    };
    match (&args.out, &args.command) {
        (Some(folder), _) => {
            std::fs::create_dir_all(folder)
                .map_err(|error| anyhow::anyhow!("cannot write {}: {error}", folder.display()))?;
            for command in std::iter::once(&program).chain(program.get_subcommands()) {
                let path = folder.join(format!("{}.1", page_name(command)));
                let mut page = Spool::of(&page(command, &program)?)?;
                store(&path, &mut page, args.force)?;
            }
        }
        (None, None) => out.write_all(&page(&program, &program)?)?,
        (None, Some(name)) => match page_of(name) {
            Some(command) => out.write_all(&page(command, &program)?)?,
            None => anyhow::bail!(
                "{name}: no such command; there are {}",
                command_names().join(", ")
            ),
        },
    }
    Ok(0)
}

/// The command line with all that a page needs: names of programs and nothing but commands that do something.
fn pages() -> Command {
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    program
}

/// The names of the commands.
fn command_names() -> Vec<String> {
    let program = pages();
    let names = program.get_subcommands().map(Command::get_name);
    names.map(str::to_owned).collect()
}

/// `tawla-check`: what a page is called.
fn page_name(command: &Command) -> &str {
    command
        .get_display_name()
        .unwrap_or_else(|| command.get_name())
}

/// The page of the program or of one of its commands.
fn page(command: &Command, program: &Command) -> anyhow::Result<Vec<u8>> {
    let mut page = Vec::new();
    let plain = command
        .clone()
        .after_help(None::<&str>)
        .after_long_help(None::<&str>);
    let version = program.get_version().unwrap_or_default();
    Man::new(plain)
        // No date: the same version gives the same page. Left out it would take its place from the version.
        .date("\"\"")
        .manual("User Commands")
        .source(format!("tawla {version}"))
        .render(&mut page)?;
    let help = command
        .get_after_long_help()
        .or(command.get_after_help())
        .map(ToString::to_string)
        .unwrap_or_default();
    let mut rest = Roff::new();
    sections(&help, &mut rest);
    see_also(command, program, &mut rest);
    rest.to_writer(&mut page)?;
    Ok(page)
}

/// The text under a help as sections: `Examples:` and `Exit status:` are headings, the rest are notes.
fn sections(help: &str, page: &mut Roff) {
    let mut last = "";
    for block in help.split("\n\n").filter(|block| !block.trim().is_empty()) {
        let (heading, text) = section(block);
        if heading == last {
            page.control("PP", []);
        } else {
            page.control("SH", [heading]);
        }
        last = heading;
        if text.lines().any(|line| line.starts_with(' ')) {
            as_it_stands(text, page);
        } else {
            text.lines().for_each(|line| {
                page.text([roman(line)]);
            });
        }
    }
}

/// The heading of a block and what stands under it.
fn section(block: &str) -> (&'static str, &str) {
    for (start, heading) in [
        ("Examples:\n", "EXAMPLES"),
        ("Exit status: ", "EXIT STATUS"),
    ] {
        if let Some(text) = block.strip_prefix(start) {
            return (heading, text);
        }
    }
    ("NOTES", block)
}

/// Lines that are not filled: commands and what they do, side by side.
fn as_it_stands(text: &str, page: &mut Roff) {
    page.control("nf", []);
    for line in text.lines() {
        page.text([roman(line.strip_prefix("  ").unwrap_or(line))]);
    }
    page.control("fi", []);
}

/// The page of the program from those of the commands, and the other way round.
fn see_also(command: &Command, program: &Command, page: &mut Roff) {
    page.control("SH", ["SEE ALSO"]);
    let is_program = command.get_name() == program.get_name();
    let others: Vec<&Command> = match is_program {
        true => program.get_subcommands().collect(),
        false => vec![program],
    };
    let mut text = Vec::new();
    for (index, other) in others.into_iter().enumerate() {
        text.push(roman(if index > 0 { ", " } else { "" }));
        text.push(bold(page_name(other)));
        text.push(roman("(1)"));
    }
    page.text(text);
}

/// The command line with the names that its options take, for the shells to offer.
fn with_names() -> Command {
    Cli::command().mut_subcommands(|command| {
        let name = command.get_name().to_owned();
        command.mut_args(|arg| offered(&name, arg))
    })
}

/// The option or argument of a command with what can stand for it.
fn offered(command: &str, arg: Arg) -> Arg {
    let names = names(command, arg.get_id().as_str());
    if !names.is_empty() {
        return arg.value_parser(PossibleValuesParser::new(names));
    }
    match (command, arg.get_id().as_str()) {
        ("show", "path") => arg.value_hint(ValueHint::FilePath),
        ("id", "ids") | ("plays", "id" | "roll") | (_, "encoding") => {
            arg.value_hint(ValueHint::Other)
        }
        _ => arg,
    }
}

/// The names that an option or argument of a command takes where clap does not know them itself.
fn names(command: &str, arg: &str) -> Vec<PossibleValue> {
    let plain = |names: Vec<&'static str>| names.into_iter().map(PossibleValue::new).collect();
    let rules = || rule_book::all().map(|rule| PossibleValue::new(rule.code).help(rule.title));
    match (command, arg) {
        (_, "from") => formats::ALL
            .iter()
            .filter(|format| format.read.is_some())
            .map(|format| PossibleValue::new(format.name).help(format.title))
            .collect(),
        ("convert", "to") => plain(target_names()),
        ("id", "to") => plain(
            std::iter::once("all")
                .chain(Kind::ALL.map(Kind::name))
                .collect(),
        ),
        (_, "variant") => plain(Variant::ALL.map(Variant::name).to_vec()),
        (_, "select" | "ignore") => rules().collect(),
        ("explain", "code") => {
            let option = |option: &RuleOption| PossibleValue::new(option.name).help(option.title);
            let options = OPTIONS.iter().map(option);
            rules().chain(options).collect()
        }
        ("man", "command") => command_names()
            .into_iter()
            .map(PossibleValue::new)
            .collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use clap::error::ErrorKind;

    use super::*;

    #[test]
    fn every_name_that_is_offered_is_taken() {
        let refused = [ErrorKind::InvalidValue, ErrorKind::ValueValidation];
        let mut offered = Vec::new();
        for command in with_names().get_subcommands() {
            for arg in command
                .get_arguments()
                .filter(|arg| arg.get_action().takes_values())
            {
                for name in arg.get_possible_values() {
                    let option = arg.get_long().map(|long| format!("--{long}"));
                    let (command, name) = (command.get_name(), name.get_name().to_owned());
                    let words = ["tawla", command].map(str::to_owned).into_iter();
                    let words = words.chain(option).chain([name.clone()]);
                    let kind = Cli::try_parse_from(words).err().map(|error| error.kind());
                    let is_taken = kind.is_none_or(|kind| !refused.contains(&kind));
                    assert!(is_taken, "{command} {arg}: {name}");
                    offered.push((command.to_owned(), name));
                }
            }
        }
        for (command, name) in [("check", "mat"), ("convert", "csv"), ("show", "long-nardi")] {
            let offer = (command.to_owned(), name.to_owned());
            assert!(offered.contains(&offer), "{offer:?}");
        }
    }

    #[test]
    fn examples_keep_their_lines_and_other_text_is_filled() {
        let mut page = Roff::new();
        sections(
            "Examples:\n  a   b\n  c\n\nOne text\nin two lines.\n\nAnother.\n\nExit status: 0 well",
            &mut page,
        );
        assert_eq!(
            page.to_roff(),
            ".SH EXAMPLES\n.nf\na   b\nc\n.fi\n.SH NOTES\nOne text\nin two lines.\n.PP\nAnother.\n\
             .SH \"EXIT STATUS\"\n0 well\n"
        );
    }
}
