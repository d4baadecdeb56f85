//! `tawla show`: boards and moves.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use anyhow::{Context, anyhow, bail};

use super::agreed::Agreed;
use super::args::{PlainFormat, ShowArgs};
use super::batch::Input;
use tawla::formats::ids;
use tawla::render::json::{SCHEMA_VERSION, ShowFileOutput};
use tawla::render::show::{Part, show};
use tawla::render::{harmless, id};
use tawla::report::{self, CheckOptions};

/// Shows a transcript or an identifier.
pub(super) fn run(args: &ShowArgs, out: &mut dyn Write) -> anyhow::Result<u8> {
    let input = match &args.path {
        Some(path) if path.as_os_str() == "-" => Input::Standard,
        Some(path) => match identifier(path) {
            Some(text) => return show_id(&text, args, out),
            None => Input::Named(path.clone()),
        },
        None if io::stdin().is_terminal() => {
            bail!("no input: name a transcript or an identifier")
        }
        None => Input::Standard,
    };
    let name = input.name();
    let shown_name = harmless(&name).into_owned();
    let source = input
        .source(&args.decode)
        .map_err(|reason| anyhow!(reason))
        .with_context(|| shown_name.clone())?;
    let options = CheckOptions {
        format: args.from,
        rules: Agreed::new(&args.rules)?
            .options(&input)
            .map_err(|reason| anyhow!(reason))?,
        matches: false,
        repairs: None,
    };
    let (format, mut matches) =
        report::show(&source, &options).with_context(|| shown_name.clone())?;
    if let Some(number) = args.match_number {
        let count = matches.len();
        matches = matches
            .into_iter()
            .skip(number.saturating_sub(1) as usize)
            .take(1)
            .collect();
        if matches.is_empty() || number == 0 {
            bail!("{shown_name}: there is no match {number}; the file holds {count}");
        }
    }
    if args.format == PlainFormat::Json {
        retain(&mut matches, args);
        let file = ShowFileOutput::new(format.name, &matches, &source);
        let file = tawla::escape::json(&file)?;
        writeln!(
            out,
            "{{\"schema_version\":{SCHEMA_VERSION},\"files\":[\n{file}\n]}}"
        )?;
        return Ok(0);
    }
    let part = Part {
        game: args.game,
        ply: args.ply,
    };
    let mut any = false;
    for shown in &matches {
        any |= show(shown, part, out)?;
    }
    if !any && (args.game.is_some() || args.ply.is_some()) {
        out.flush()?;
        bail!("{shown_name}: there is no such game or ply");
    }
    Ok(0)
}

/// Leaves the game and the action that were asked for.
fn retain(matches: &mut [report::ShownMatch], args: &ShowArgs) {
    for shown in matches {
        if let Some(game) = args.game {
            let index = (game as usize).wrapping_sub(1);
            shown.games = std::mem::take(&mut shown.games)
                .into_iter()
                .skip(index)
                .take(1)
                .collect();
        }
        if let Some(ply) = args.ply {
            let index = (ply as usize).wrapping_sub(1);
            for game in &mut shown.games {
                game.plies = std::mem::take(&mut game.plies)
                    .into_iter()
                    .skip(index)
                    .take(1)
                    .collect();
            }
        }
    }
}

/// The text of an argument that is no path and looks like an identifier.
fn identifier(path: &Path) -> Option<String> {
    let text = path.to_str()?;
    (!path.exists() && ids::detect(text).is_some()).then(|| text.to_owned())
}

fn show_id(text: &str, args: &ShowArgs, out: &mut dyn Write) -> anyhow::Result<u8> {
    let decoded = ids::decode(text);
    match args.format {
        PlainFormat::Human => id::human(text, &decoded, out)?,
        PlainFormat::Json => id::json(text, &decoded, out)?,
    }
    Ok(u8::from(decoded.is_err()))
}
