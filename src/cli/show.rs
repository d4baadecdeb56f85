//! `tawla show`: boards and moves.

use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use anyhow::{anyhow, bail};

use super::agreed::Agreed;
use super::args::{PlainFormat, ShowArgs};
use super::batch::{Input, Piece, Reading, Spool, Unread, pieces_side_by_side};
use tawla::formats::ids;
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
    let shown_name = harmless(&input.name()).into_owned();
    let unread = |reason: Unread| anyhow!("{reason}").context(shown_name.clone());
    let shower = Shower {
        args,
        options: CheckOptions {
            format: args.from,
            rules: Agreed::new(&args.rules)?
                .options(&input)
                .map_err(|reason| anyhow!(reason))?,
            matches: false,
            repairs: None,
            unseen: Vec::new(),
        },
        done: AtomicU32::new(0),
    };
    let stream = input.stream(&args.decode).map_err(unread)?;
    let reading = Reading {
        from: args.from,
        decode: &args.decode,
    };
    // Which match is wanted is known once those before it are counted.
    let threads = match args.match_number {
        Some(_) => 1,
        None => thread::available_parallelism().map_or(1, usize::from),
    };
    let (mut head, mut any, mut list, mut written) = (None, false, Spool::default(), Ok(()));
    let work = |piece: &Piece<'_>| shower.piece(piece);
    let read = pieces_side_by_side(&input, stream, reading, threads, work, |mut shown| {
        any |= shown.any;
        shower.done.fetch_add(shown.matches, Ordering::Relaxed);
        written = match args.format {
            PlainFormat::Human => shown.text.write_to(out),
            PlainFormat::Json => list.elements(&mut shown.text),
        };
        head = head.take().or(Some(shown.head));
        match (shown.failure, &written) {
            (Some(failure), _) => Err(failure),
            // Nobody is told: what went wrong is kept.
            (None, Err(_)) => Err(Unread::Broken(String::new())),
            (None, Ok(())) => Ok(true),
        }
    });
    written?;
    read.map_err(unread)?;
    let count = shower.done.into_inner();
    if let Some(number) = args.match_number.filter(|&n| n == 0 || n > count) {
        bail!("{shown_name}: there is no match {number}; the file holds {count}");
    }
    if let (PlainFormat::Json, Some(head)) = (args.format, head) {
        let head = head.strip_suffix("]}").expect("matches at the end");
        write!(
            out,
            "{{\"schema_version\":{SCHEMA_VERSION},\"files\":[\n{head}"
        )?;
        list.write_to(out)?;
        writeln!(out, "]}}\n]}}")?;
    }
    if !any && (args.game.is_some() || args.ply.is_some()) {
        out.flush()?;
        bail!("{shown_name}: there is no such game or ply");
    }
    Ok(0)
}

/// What is shown of a transcript.
struct Shower<'a> {
    args: &'a ShowArgs,
    options: CheckOptions,
    /// How many matches stand before the next piece, if pieces are read one after the other.
    done: AtomicU32,
}

/// A piece of a transcript as it is printed.
struct Shown {
    /// Its matches: text, or elements of a list in JSON.
    text: Spool,
    /// Whether anything is shown that was asked for.
    any: bool,
    matches: u32,
    /// What stands around the list in JSON.
    head: String,
    /// Why it could not be read to its end.
    failure: Option<Unread>,
}

impl Shower<'_> {
    fn piece(&self, piece: &Piece<'_>) -> Result<Shown, Unread> {
        let mut shown = Shown {
            text: Spool::of_a_piece(),
            any: false,
            matches: 0,
            head: String::new(),
            failure: None,
        };
        if self.args.format == PlainFormat::Json {
            let head = ShowFileOutput::new(piece.format.name, &[], piece.source);
            shown.head = tawla::escape::json(&head).map_err(io::Error::from)?;
        }
        let options = CheckOptions {
            format: Some(piece.format),
            ..self.options.clone()
        };
        let before = self.done.load(Ordering::Relaxed);
        let mut written = Ok(());
        let read = report::show_each(piece.source, &options, &mut |found| {
            shown.matches += 1;
            let number = before + shown.matches;
            if self.args.match_number.is_some_and(|wanted| wanted != number) {
                return ControlFlow::Continue(());
            }
            written = self.one(found, piece.source, &mut shown);
            match written {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        });
        written?;
        // What could be read is shown all the same.
        shown.failure = read.err().map(|error| Unread::Foreign(error.to_string()));
        Ok(shown)
    }

    fn one(&self, mut found: ShownMatch, source: &Source, shown: &mut Shown) -> io::Result<()> {
        if self.args.format == PlainFormat::Json {
            shown.any = true;
            retain(&mut found, self.args);
            return shown.text.element(&ShowMatchOutput::new(&found, source));
        }
        let part = Part {
            game: self.args.game,
            ply: self.args.ply,
        };
        shown.any |= show(&found, part, &mut shown.text)?;
        Ok(())
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
