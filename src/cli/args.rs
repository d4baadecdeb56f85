//! The command line: clap structs, no logic.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, FromArgMatches, Parser, Subcommand, ValueEnum};

use super::id::IdArgs;
use super::shell::{CompletionsArgs, ManArgs};
use tawla::source::Limits;

/// Checks, scores and converts backgammon match transcripts.
#[derive(Debug, Parser)]
#[command(name = "tawla", version, about, max_term_width = 100)]
#[command(after_help = "Examples:\n  \
    tawla check final.mat                 what is wrong, where, and by which rule\n  \
    tawla score final.mat                 the score sheet, computed beside stated\n  \
    tawla check --format json matches/    every transcript of a folder, for scripts\n  \
    tawla fix final.mat                   the slips that can be repaired, as a diff\n  \
    tawla plays 4HPwATDgc/ABMA 31         every legal play of a position and a roll\n\n\
    Exit status: 0 nothing found, 1 findings, 2 wrong usage or an input that cannot be read.")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(CheckArgs),
    Score(ScoreArgs),
    Show(ShowArgs),
    Convert(ConvertArgs),
    Fix(FixArgs),
    Diff(DiffArgs),
    Id(IdArgs),
    Plays(PlaysArgs),
    Rules(RulesArgs),
    Chouette(ChouetteArgs),
    Explain(ExplainArgs),
    Formats(FormatsArgs),
    Schema(SchemaArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

impl Cli {
    /// The command line of this process. Where its first word names a command only that one is defined: to define all
    /// of them takes half of the time that it takes to check a file.
    pub(crate) fn of_process() -> Cli {
        let first = std::env::args_os().nth(1);
        let named = first.as_ref().and_then(|word| word.to_str());
        let Some(command) = named.and_then(Command::alone) else {
            return Cli::parse();
        };
        let mut definition = Cli::with(command);
        let read = definition.try_get_matches_from_mut(std::env::args_os());
        let mut matches = read.unwrap_or_else(|error| error.exit());
        let cli = Cli::from_arg_matches_mut(&mut matches);
        let cli = cli.unwrap_or_else(|error| error.format(&mut definition).exit());
        // The end of the process is near, and nothing in them waits for it: to take them apart takes longer than to read
        // a small input.
        std::mem::forget((definition, matches));
        cli
    }

    /// The program with one of its commands. What only its own help shows is left out.
    fn with(command: clap::Command) -> clap::Command {
        clap::Command::new("tawla")
            .version(env!("CARGO_PKG_VERSION"))
            .max_term_width(100)
            .subcommand_required(true)
            .subcommand(command)
    }
}

impl Command {
    /// The command with this name, as it is defined among all of them.
    fn alone(name: &str) -> Option<clap::Command> {
        let define = match name {
            "check" => CheckArgs::augment_args,
            "score" => ScoreArgs::augment_args,
            "show" => ShowArgs::augment_args,
            "convert" => ConvertArgs::augment_args,
            "fix" => FixArgs::augment_args,
            "diff" => DiffArgs::augment_args,
            "id" => IdArgs::augment_args,
            "plays" => PlaysArgs::augment_args,
            "rules" => RulesArgs::augment_args,
            "chouette" => ChouetteArgs::augment_args,
            "explain" => ExplainArgs::augment_args,
            _ => return None,
        };
        Some(define(clap::Command::new(name.to_owned())))
    }
}

/// What to read.
#[derive(Debug, Args)]
pub(crate) struct InputArgs {
    /// Files, folders, archives, or - for standard input, which is the default when it is no terminal
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Read every input in this format instead of telling it by content
    #[arg(short = 'f', long = "from", value_name = "FORMAT", value_parser = super::format_by_name)]
    pub(crate) from: Option<&'static tawla::formats::Format>,
    #[command(flatten)]
    pub(crate) decode: DecodeArgs,
}

/// How the bytes of an input are taken.
#[derive(Debug, Args)]
pub(crate) struct DecodeArgs {
    /// Decode in this encoding, such as windows-1252
    #[arg(long, value_name = "NAME")]
    pub(crate) encoding: Option<String>,
    /// How large a compressed part of a file may become, and how much of a compressed file may come without the
    /// end of a match: bytes, or a number with K, M or G
    #[arg(long, alias = "inflate-limit", value_name = "SIZE", value_parser = super::size, default_value = "64M")]
    pub(crate) limit_inflated: usize,
    /// How long a line of a text may be
    #[arg(long, value_name = "SIZE", value_parser = super::size, default_value = "16M")]
    pub(crate) limit_line: usize,
    /// How deep brackets may lie within each other
    #[arg(long, value_name = "N", default_value = "100")]
    pub(crate) limit_depth: u32,
    /// How many games a match may have
    #[arg(long, value_name = "N", default_value = "20000", value_parser = clap::value_parser!(u32).range(..=100_000))]
    pub(crate) limit_games: u32,
    /// How many actions a match may have, and how many tags its header
    #[arg(long, value_name = "N", default_value = "200000")]
    pub(crate) limit_actions: u32,
    /// How many findings of a file are told, in each 16 MiB of it
    #[arg(long, value_name = "N", default_value = "50000")]
    pub(crate) limit_findings: usize,
    /// How many seconds the reading of a file, or of a piece of a long one, may take
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    pub(crate) limit_time: u32,
}

impl DecodeArgs {
    /// The usual ones, in an encoding if one is named.
    pub(super) fn usual(encoding: Option<String>) -> DecodeArgs {
        let limits = Limits::default();
        DecodeArgs {
            encoding,
            limit_inflated: limits.inflated,
            limit_line: limits.line,
            limit_depth: limits.depth,
            limit_games: limits.games,
            limit_actions: limits.actions,
            limit_findings: limits.findings,
            limit_time: limits.time.as_secs() as u32,
        }
    }

    /// What is read of an input at most.
    pub(super) fn limits(&self) -> Limits {
        Limits {
            inflated: self.limit_inflated,
            line: self.limit_line,
            depth: self.limit_depth,
            games: self.limit_games,
            actions: self.limit_actions,
            findings: self.limit_findings,
            time: Duration::from_secs(u64::from(self.limit_time)),
        }
    }
}

/// Which rules hold.
#[derive(Debug, Args)]
#[command(next_help_heading = "Rules")]
pub(crate) struct RuleArgs {
    /// Start from a named set of rules: match, money, cafe or nardeon
    #[arg(long, value_name = "NAME", value_enum)]
    pub(crate) rules: Option<RulesName>,
    /// Gammons count only after a double (money play)
    #[arg(long, overrides_with = "no_jacoby")]
    pub(crate) jacoby: bool,
    /// Gammons count with the cube unturned too
    #[arg(long, overrides_with = "jacoby")]
    pub(crate) no_jacoby: bool,
    /// The Crawford rule holds
    #[arg(long, overrides_with = "no_crawford")]
    pub(crate) crawford: bool,
    /// There is no Crawford game
    #[arg(long, overrides_with = "crawford")]
    pub(crate) no_crawford: bool,
    /// Beavers are agreed (money play)
    #[arg(long, overrides_with = "no_beavers")]
    pub(crate) beavers: bool,
    /// There are no beavers
    #[arg(long, overrides_with = "beavers")]
    pub(crate) no_beavers: bool,
    /// Raccoons are agreed (money play)
    #[arg(long, overrides_with = "no_raccoons")]
    pub(crate) raccoons: bool,
    /// There are no raccoons
    #[arg(long, overrides_with = "raccoons")]
    pub(crate) no_raccoons: bool,
    /// So many automatic doubles a game are agreed (money play); 0 for none
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=10))]
    pub(crate) automatic_doubles: Option<u32>,
    /// No double before each side has played two turns after the Crawford game
    #[arg(long, overrides_with = "no_holland")]
    pub(crate) holland: bool,
    /// Doubles are free after the Crawford game
    #[arg(long, overrides_with = "holland")]
    pub(crate) no_holland: bool,
    /// The highest value of the cube
    #[arg(long, value_name = "N", overrides_with = "no_cube_limit", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) cube_limit: Option<u32>,
    /// The cube has no highest value
    #[arg(long, overrides_with = "cube_limit")]
    pub(crate) no_cube_limit: bool,
    /// A cube is in use
    #[arg(long, overrides_with = "no_cube")]
    pub(crate) cube: bool,
    /// No cube is in use
    #[arg(long, overrides_with = "cube")]
    pub(crate) no_cube: bool,
    /// What a backgammon counts
    #[arg(long, value_name = "2|3", value_parser = clap::value_parser!(u32).range(2..=3))]
    pub(crate) backgammon_counts: Option<u32>,
    /// The winner of the opening roll rolls both dice again
    #[arg(long, overrides_with = "no_opening_reroll")]
    pub(crate) opening_reroll: bool,
    /// The opening dice are the first roll
    #[arg(long, overrides_with = "opening_reroll")]
    pub(crate) no_opening_reroll: bool,
    /// The game: backgammon, nackgammon, hypergammon, longgammon or long-nardi
    #[arg(long, value_name = "NAME", value_parser = super::variant_by_name)]
    pub(crate) variant: Option<tawla::board::Variant>,
    /// The lengths that matches may have, such as 1,3,5,7; any for all
    #[arg(long, value_name = "LIST", value_parser = super::lengths)]
    pub(crate) match_lengths: Option<super::Maybe<tawla::ruleset::Lengths>>,
    /// The clock: seconds free for each move, in the bank, and the most for one move, such as 12/120/60
    #[arg(long, value_name = "FREE/BANK[/MOST]", overrides_with = "no_clock", value_parser = super::clock)]
    pub(crate) clock: Option<tawla::ruleset::Clock>,
    /// There is no clock
    #[arg(long, overrides_with = "clock")]
    pub(crate) no_clock: bool,
    /// Take the rules from this file instead of the nearest tawla.toml
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub(crate) config: Option<PathBuf>,
    /// Look for no tawla.toml
    #[arg(long)]
    pub(crate) no_config: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RulesName {
    Match,
    Money,
    Cafe,
    Nardeon,
}

/// When to colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum LevelName {
    Error,
    Warning,
    Note,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// As a compiler would: the line, a mark under what is wrong, the rule
    Human,
    /// One line a finding: PATH:LINE:COLUMN: LEVEL[CODE] MESSAGE
    Concise,
    /// One object with all files
    Json,
    /// One object a file, one a line, each as soon as it and those before it are done
    Ndjson,
    /// Workflow commands of GitHub Actions: findings beside the lines of a pull request
    Github,
    /// A log in SARIF 2.1.0, which code hosts and editors read
    Sarif,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// A table
    Human,
    /// One object with all files
    Json,
    /// One object a file, one a line
    Ndjson,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlainFormat {
    Human,
    Json,
}

/// Replay transcripts and report what is wrong
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    tawla check final.mat\n  \
    tawla check --format concise --level warning matches/\n  \
    tawla check --format sarif matches/ > tawla.sarif\n  \
    tawla check --write-baseline known.json matches/   what is known from now on\n  \
    tawla check --baseline known.json matches/         what is new, and what is gone\n  \
    tawla check --quiet archive.tar.gz                 every transcript of an archive\n\n\
    A comment in a transcript silences a rule, for its game or, before the first game, for the match:\n  \
    ; tawla: allow dice-left the referee saw it")]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// How to print
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) format: CheckFormat,
    /// Draw the board before each play that is wrong
    #[arg(long)]
    pub(crate) boards: bool,
    /// When to colour
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    pub(crate) color: ColorChoice,
    /// Print nothing; the exit status tells
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// Report only these codes
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = super::code)]
    pub(crate) select: Vec<&'static str>,
    /// Do not report these codes
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = super::code)]
    pub(crate) ignore: Vec<&'static str>,
    /// What counts for the exit status: this level and those above it
    #[arg(long, value_enum, default_value = "error", value_name = "LEVEL")]
    pub(crate) level: LevelName,
    /// End with status 0 whatever was found
    #[arg(long)]
    pub(crate) exit_zero: bool,
    #[command(flatten)]
    pub(crate) silenced: SilencedArgs,
    /// Count the findings by code
    #[arg(long)]
    pub(crate) statistics: bool,
    /// How many files are read at the same time; as many as there are cores by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
}

/// What is found and not reported.
#[derive(Debug, Args)]
pub(crate) struct SilencedArgs {
    /// Report nothing that is known in this file, and name what is gone
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write what is found into this file as known; the status does not count it
    #[arg(long, value_name = "FILE")]
    pub(crate) write_baseline: Option<PathBuf>,
    /// Replace the file of --write-baseline if it exists
    #[arg(long, requires = "write_baseline")]
    pub(crate) force: bool,
    /// List what is silenced too, by a line of the transcript or by the baseline
    #[arg(long)]
    pub(crate) show_suppressed: bool,
}

/// Print the score sheet, computed beside stated
#[derive(Debug, Args)]
pub(crate) struct ScoreArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// How to print
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) format: TableFormat,
    /// How many files are read at the same time; as many as there are cores by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
}

/// Show the boards and moves of a transcript, or the position of an identifier
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    tawla show final.mat --game 2 --ply 7\n  \
    tawla show 4HPwATDgc/ABMA")]
pub(crate) struct ShowArgs {
    /// A transcript, - for standard input, or a position identifier
    #[arg(value_name = "PATH")]
    pub(crate) path: Option<PathBuf>,
    /// Only this game, from 1
    #[arg(long, value_name = "N")]
    pub(crate) game: Option<u32>,
    /// Only this action of a game, from 1
    #[arg(long, value_name = "N")]
    pub(crate) ply: Option<u32>,
    /// Only this match of a file that holds several, from 1
    #[arg(long = "match", value_name = "N")]
    pub(crate) match_number: Option<u32>,
    /// Read in this format instead of telling it by content
    #[arg(short = 'f', long = "from", value_name = "FORMAT", value_parser = super::format_by_name)]
    pub(crate) from: Option<&'static tawla::formats::Format>,
    #[command(flatten)]
    pub(crate) decode: DecodeArgs,
    /// How to print
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) format: PlainFormat,
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
}

/// Write transcripts in another format, and say what it cannot hold
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    tawla convert final.mat -t sgf -o final.sgf\n  \
    tawla convert matches/ -t json -o out/      every transcript of a folder\n  \
    tawla convert final.mat -t csv > rows.csv   one row a decision\n\n\
    Besides the formats of `tawla formats` there are txt (boards and moves for people), ids (one XGID a\n\
    decision), csv and ndjson (tables with one row a decision). Writing xg is experimental: nobody has opened\n\
    the result in eXtreme Gammon itself. What is no text is not written to a terminal.")]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// The format to write; by default that of the extension of the output
    #[arg(short = 't', long = "to", value_name = "FORMAT", value_parser = super::convert::target)]
    pub(crate) to: Option<super::convert::Target>,
    /// The variety of the format: gnubg, xg, jellyfish or snowie for mat
    #[arg(long, value_name = "NAME")]
    pub(crate) profile: Option<String>,
    /// A file, or a folder for several inputs; standard output by default
    #[arg(short, long, value_name = "FILE|DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Replace files that exist
    #[arg(long)]
    pub(crate) force: bool,
    /// If anything would be lost, write nothing and end with status 1
    #[arg(long)]
    pub(crate) error_on_loss: bool,
    /// Do not say what was lost
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// How many files are read at the same time; as many as there are cores by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
}

/// Repair slips of the recorder: print the change, or write it
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    tawla fix final.mat                     the repairs as a unified diff\n  \
    tawla fix --write final.mat             change the file; final.mat.orig keeps what it was\n  \
    tawla fix --interactive --write final.mat\n  \
    tawla fix --only no-checker final.mat\n\n\
    Only what is certain is repaired: a change that makes the rest of the game legal, where no other change does so as\n\
    well. Each is marked by a comment. An illegal play from which the game went on stays: it happened.\n\n\
    Exit status: 0 nothing is left to repair, 1 something is that is not certain, 2 the file cannot be edited.")]
pub(crate) struct FixArgs {
    /// A transcript in match text, or - for standard input
    #[arg(value_name = "FILE")]
    pub(crate) path: PathBuf,
    /// Change the file; FILE.orig keeps what it was
    #[arg(long)]
    pub(crate) write: bool,
    /// Ask at each fault which repair is to be made
    #[arg(long)]
    pub(crate) interactive: bool,
    /// Repair only faults with these codes
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = super::code)]
    pub(crate) only: Vec<&'static str>,
    /// Do not say what was repaired and what is left
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// Read in this format instead of telling it by content
    #[arg(short = 'f', long = "from", value_name = "FORMAT", value_parser = super::format_by_name)]
    pub(crate) from: Option<&'static tawla::formats::Format>,
    #[command(flatten)]
    pub(crate) decode: DecodeArgs,
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
}

/// Compare two records of the same match: where they differ, and whether they meet again
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    tawla diff left.mat right.mat       two recorders\n  \
    tawla diff final.mat final.sgf      the same match in two formats\n\n\
    Exit status: 0 equal, 1 different, 2 an input cannot be read.")]
pub(crate) struct DiffArgs {
    /// A transcript, or - for standard input
    #[arg(value_name = "A")]
    pub(crate) first: PathBuf,
    /// Another one
    #[arg(value_name = "B")]
    pub(crate) second: PathBuf,
    /// Print nothing; the exit status tells
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// Read both in this format instead of telling it by content
    #[arg(short = 'f', long = "from", value_name = "FORMAT", value_parser = super::format_by_name)]
    pub(crate) from: Option<&'static tawla::formats::Format>,
    #[command(flatten)]
    pub(crate) decode: DecodeArgs,
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
}

/// List every legal play of a position and a roll, or say whether a play is legal
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    tawla plays 4HPwATDgc/ABMA 31\n  \
    tawla plays 'XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10' --why '8/4 6/5'")]
pub(crate) struct PlaysArgs {
    /// A position identifier
    #[arg(value_name = "ID", allow_hyphen_values = true)]
    pub(crate) id: String,
    /// The dice, such as 31; by default those of the identifier
    pub(crate) roll: Option<String>,
    /// Say whether this play is legal and, if not, which rule it breaks
    #[arg(long, value_name = "PLAY", allow_hyphen_values = true)]
    pub(crate) why: Option<String>,
    /// Write plays as usual, or one move a die in numbers
    #[arg(long, value_enum, default_value = "usual")]
    pub(crate) notation: NotationName,
    /// How to print
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) format: PlainFormat,
    /// The game, for identifiers that do not say: backgammon, nackgammon, hypergammon, longgammon or long-nardi
    #[arg(long, value_name = "NAME", value_parser = super::variant_by_name)]
    pub(crate) variant: Option<tawla::board::Variant>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum NotationName {
    /// 24/18*/13 8/5(2), bar and off
    Usual,
    /// 25/20 13/8: one move a die, no marks
    Steps,
}

/// Print the rules that would hold for transcripts, and where each value comes from
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    tawla rules final.mat\n  \
    tawla rules --rules cafe league/\n\n\
    The strongest word on an option counts: a flag, then a tag of the transcript, then the nearest tawla.toml\n\
    from its folder upwards, then the named set.")]
pub(crate) struct RulesArgs {
    /// Transcripts or folders; the current folder by default
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Read every transcript in this format instead of telling it by content
    #[arg(short = 'f', long = "from", value_name = "FORMAT", value_parser = super::format_by_name)]
    pub(crate) from: Option<&'static tawla::formats::Format>,
    #[command(flatten)]
    pub(crate) decode: DecodeArgs,
    /// How to print
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) format: PlainFormat,
    #[command(flatten)]
    pub(crate) rules: RuleArgs,
}

/// Check the log of a chouette and print who pays whom
#[derive(Debug, Args)]
#[command(after_help = super::chouette::HELP)]
pub(crate) struct ChouetteArgs {
    /// Session logs, or - for standard input, which is the default when it is no terminal
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Decode in this encoding, such as windows-1252
    #[arg(long, value_name = "NAME")]
    pub(crate) encoding: Option<String>,
    /// How to print
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) format: TableFormat,
    /// When to colour
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    pub(crate) color: ColorChoice,
    /// Print nothing; the exit status tells
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// What counts for the exit status: this level and those above it
    #[arg(long, value_enum, default_value = "error", value_name = "LEVEL")]
    pub(crate) level: LevelName,
    #[command(flatten)]
    pub(crate) rules: ChouetteRuleArgs,
}

/// Which rules hold in a chouette; they outrank what the log says.
#[derive(Debug, Args)]
#[command(next_help_heading = "Rules")]
pub(crate) struct ChouetteRuleArgs {
    /// Gammons count only after a double
    #[arg(long, overrides_with = "no_jacoby")]
    pub(crate) jacoby: bool,
    /// Gammons count with the cube unturned too
    #[arg(long, overrides_with = "jacoby")]
    pub(crate) no_jacoby: bool,
    /// Beavers are agreed
    #[arg(long)]
    pub(crate) beavers: bool,
    /// Raccoons are agreed
    #[arg(long)]
    pub(crate) raccoons: bool,
    /// So many automatic doubles a game are agreed
    #[arg(long, value_name = "N")]
    pub(crate) automatic_doubles: Option<u32>,
    /// The highest value of the cube
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) cube_limit: Option<u32>,
    /// No cube is in use
    #[arg(long)]
    pub(crate) no_cube: bool,
    /// What a backgammon counts
    #[arg(long, value_name = "2|3", value_parser = clap::value_parser!(u32).range(2..=3))]
    pub(crate) backgammon_counts: Option<u32>,
}

/// Explain the rule behind a finding or an option of the rules, or list all of them
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The code of a finding, such as dice-left, an option of the rules, such as jacoby, or repairs
    pub(crate) code: Option<String>,
}

/// List what can be read and written, and what each format can carry
#[derive(Debug, Args)]
pub(crate) struct FormatsArgs {}

/// Print the JSON Schema of an output
#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// Which output
    #[arg(value_enum, default_value = "check")]
    pub(crate) output: SchemaName,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaName {
    Check,
    Record,
    Show,
    Plays,
    /// The output of `chouette`
    Chouette,
    /// A session log in JSON
    ChouetteLog,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn a_command_alone_is_the_one_among_all() {
        let mut program = Cli::command();
        program.build();
        let mut found = 0;
        for command in program.get_subcommands_mut() {
            let name = command.get_name().to_owned();
            let Some(alone) = Command::alone(&name) else {
                continue;
            };
            found += 1;
            let mut with = Cli::with(alone);
            with.build();
            let alone = with.find_subcommand_mut(&name).expect("the command");
            let helps = [command, alone].map(|it| {
                let (long, usage) = (it.render_long_help(), it.render_usage());
                (
                    long.to_string(),
                    it.render_help().to_string(),
                    usage.to_string(),
                )
            });
            assert_eq!(helps[0], helps[1], "{name}");
        }
        assert_eq!(found, 11);
        // What is wrong is said in the same words, too.
        for words in [
            &["tawla", "check", "--nothing"][..],
            &["tawla", "convert", "--to", "x", "a.mat"],
            &["tawla", "check", "--format", "yaml"],
            &["tawla", "plays"],
            &["tawla", "diff", "one.mat"],
        ] {
            let alone = Command::alone(words[1]).expect("a command");
            let said = Cli::with(alone).try_get_matches_from(words);
            let among_all = Cli::command().try_get_matches_from(words);
            let said = said.expect_err("a wrong word").to_string();
            assert_eq!(said, among_all.expect_err("a wrong word").to_string());
        }
    }
}
