//! `tawla show`: boards and moves.

use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context, anyhow, bail};

use super::agreed::Agreed;
use super::args::{PlainFormat, ShowArgs};
use super::batch::{Input, Spool};
use tawla::formats::{Format, ids};
use tawla::render::json::{SCHEMA_VERSION, ShowFileOutput, ShowMatchOutput};
use tawla::render::show::{Part, show};
use tawla::render::{harmless, id};
use tawla::report::{self, CheckOptions, ShownMatch};
use tawla::source::Source;

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
        unseen: Vec::new(),
    };
    let mut printer = Printer {
        args,
        source: &source,
        any: false,
        list: Spool::default(),
        out,
    };
    let (mut count, mut written) = (0u32, Ok(()));
    let format = report::show_each(&source, &options, &mut |shown| {
        count += 1;
        if args.match_number.is_some_and(|number| number != count) {
            return ControlFlow::Continue(());
        }
        written = printer.take(shown);
        match written {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    });
    written?;
    let format = format.with_context(|| shown_name.clone())?;
    if let Some(number) = args.match_number.filter(|&n| n == 0 || n > count) {
        bail!("{shown_name}: there is no match {number}; the file holds {count}");
    }
    printer.end(format)?;
    if !printer.any && (args.game.is_some() || args.ply.is_some()) {
        out.flush()?;
        bail!("{shown_name}: there is no such game or ply");
    }
    Ok(0)
}

/// Prints one match after the other.
struct Printer<'a> {
    args: &'a ShowArgs,
    source: &'a Source,
    /// Whether anything was shown that was asked for.
    any: bool,
    /// The matches in JSON, which are printed only if all could be read.
    list: Spool,
    out: &'a mut dyn Write,
}

impl Printer<'_> {
    fn take(&mut self, mut shown: ShownMatch) -> io::Result<()> {
        if self.args.format == PlainFormat::Json {
            self.any = true;
            retain(&mut shown, self.args);
            return self
                .list
                .element(&ShowMatchOutput::new(&shown, self.source));
        }
        let part = Part {
            game: self.args.game,
            ply: self.args.ply,
        };
        self.any |= show(&shown, part, self.out)?;
        Ok(())
    }

    /// Prints what stands around the list of matches, and the list.
    fn end(&mut self, format: &Format) -> io::Result<()> {
        if self.args.format != PlainFormat::Json {
            return Ok(());
        }
        let file = ShowFileOutput::new(format.name, &[], self.source);
        let file = tawla::escape::json(&file)?;
        let head = file.strip_suffix("]}").expect("matches at the end");
        write!(
            self.out,
            "{{\"schema_version\":{SCHEMA_VERSION},\"files\":[\n{head}"
        )?;
        self.list.write_to(self.out)?;
        writeln!(self.out, "]}}\n]}}")
    }
}

/// Leaves the game and the action that were asked for.
fn retain(shown: &mut ShownMatch, args: &ShowArgs) {
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
