//! `tawla diff`: two records of the same match.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, anyhow, bail};

use super::agreed::Agreed;
use super::args::DiffArgs;
use super::batch::Input;
use tawla::diff::diff;
use tawla::render::diff::{Side, human};
use tawla::render::harmless;
use tawla::report::{self, CheckOptions, ShownMatch};
use tawla::source::Source;

/// Compares two records; 1 if they differ.
pub(super) fn run(args: &DiffArgs, out: &mut dyn Write) -> anyhow::Result<u8> {
    let agreed = Agreed::new(&args.rules)?;
    let (one, first) = read(&args.first, args, &agreed)?;
    let (two, second) = read(&args.second, args, &agreed)?;
    if first.is_empty() && second.is_empty() {
        bail!("there is no match to compare");
    }
    let mut is_equal = first.len() == second.len();
    for (a, b) in first.iter().zip(&second) {
        let found = diff(a, b);
        is_equal &= found.is_equal();
        if !args.quiet {
            let sides = [(&one, a), (&two, b)].map(|(source, shown)| Side { source, shown });
            human(&found, sides, out)?;
        }
    }
    if first.len() != second.len() && !args.quiet {
        let count = |source: &Source, matches: usize| {
            format!("{}: {matches} matches", harmless(source.name()))
        };
        writeln!(
            out,
            "- {}\n+ {}",
            count(&one, first.len()),
            count(&two, second.len())
        )?;
    }
    Ok(u8::from(!is_equal))
}

fn read(
    path: &Path,
    args: &DiffArgs,
    agreed: &Agreed,
) -> anyhow::Result<(Source, Vec<ShownMatch>)> {
    let input = match path.as_os_str() == "-" {
        true => Input::Standard,
        false => Input::Named(path.to_owned()),
    };
    let name = harmless(&input.name()).into_owned();
    let source = input.source(&args.decode).map_err(|reason| anyhow!(reason));
    let source = source.with_context(|| name.clone())?;
    let options = CheckOptions {
        format: args.from,
        rules: agreed.options(&input).map_err(|reason| anyhow!(reason))?,
        ..CheckOptions::default()
    };
    let (_, shown) = report::show(&source, &options).with_context(|| name)?;
    Ok((source, shown))
}
