//! `tawla show`: boards and moves.

use std::cell::RefCell;
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
    let printer = RefCell::new(Printer {
        out,
        list: Spool::default(),
        head: None,
        any: false,
        written: Ok(()),
    });
    let work = |piece: &Piece<'_>| {
        let mut text = Spool::of_a_piece();
        let page = match args.format {
            PlainFormat::Human => Page::Text(&mut text),
            PlainFormat::Json => Page::List(&mut text),
        };
        let shown = shower.piece(piece, page)?;
        Ok((text, shown))
    };
    // What is short, or cannot be cut, is printed match by match.
    let now = |piece: &Piece<'_>| {
        let mut printer = printer.borrow_mut();
        let page = match args.format {
            PlainFormat::Human => Page::Text(&mut *printer.out),
            PlainFormat::Json => Page::List(&mut printer.list),
        };
        let shown = shower.piece(piece, page)?;
        shower.done.fetch_add(shown.matches, Ordering::Relaxed);
        printer.take(shown, Ok(()))?;
        // Which match is wanted is known once those before it are counted.
        Ok(args.match_number.is_none())
    };
    let take = |(mut text, shown): (Spool, Shown)| {
        let mut printer = printer.borrow_mut();
        shower.done.fetch_add(shown.matches, Ordering::Relaxed);
        let written = match args.format {
            PlainFormat::Human => text.write_to(&mut *printer.out),
            PlainFormat::Json => printer.list.elements(&mut text),
        };
        printer.take(shown, written)
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let read = pieces_side_by_side(&input, stream, reading, threads, work, now, take);
    let mut printer = printer.into_inner();
    printer.written?;
    read.map_err(unread)?;
    let count = shower.done.into_inner();
    if let Some(number) = args.match_number.filter(|&n| n == 0 || n > count) {
        bail!("{shown_name}: there is no match {number}; the file holds {count}");
    }
    let out = printer.out;
    if let (PlainFormat::Json, Some(head)) = (args.format, printer.head) {
        let head = head.strip_suffix("]}").expect("matches at the end");
        write!(
            out,
            "{{\"schema_version\":{SCHEMA_VERSION},\"files\":[\n{head}"
        )?;
        printer.list.write_to(out)?;
        writeln!(out, "]}}\n]}}")?;
    }
    if !printer.any && (args.game.is_some() || args.ply.is_some()) {
        out.flush()?;
        bail!("{shown_name}: there is no such game or ply");
    }
    Ok(0)
}

/// Where what is shown goes.
struct Printer<'a> {
    out: &'a mut dyn Write,
    /// The matches in JSON, which are printed only if all could be read.
    list: Spool,
    /// What stands around them.
    head: Option<String>,
    any: bool,
    written: io::Result<()>,
}

impl Printer<'_> {
    /// Takes what is told of a piece whose text has been printed or not.
    fn take(&mut self, shown: Shown, written: io::Result<()>) -> Result<(), Unread> {
        self.any |= shown.any;
        self.head = self.head.take().or(Some(shown.head));
        self.written = written.and(shown.written);
        match (shown.failure, &self.written) {
            // Nobody is told of this: what went wrong is kept.
            (_, Err(_)) => Err(Unread::Broken(String::new())),
            (Some(failure), Ok(())) => Err(failure),
            (None, Ok(())) => Ok(()),
        }
    }
}

/// What is shown of a transcript.
struct Shower<'a> {
    args: &'a ShowArgs,
    options: CheckOptions,
    /// How many matches stand before the next piece, if pieces are read one after the other.
    done: AtomicU32,
}

/// What is told of a piece that is shown.
struct Shown {
    /// Whether anything is shown that was asked for.
    any: bool,
    matches: u32,
    /// What stands around the list in JSON.
    head: String,
    written: io::Result<()>,
    /// Why it could not be read to its end.
    failure: Option<Unread>,
}

/// What is written on.
enum Page<'p> {
    Text(&'p mut dyn Write),
    /// Elements of a list in JSON.
    List(&'p mut Spool),
}

impl Shower<'_> {
    fn piece(&self, piece: &Piece<'_>, mut page: Page<'_>) -> Result<Shown, Unread> {
        let mut shown = Shown {
            any: false,
            matches: 0,
            head: String::new(),
            written: Ok(()),
            failure: None,
        };
        if let Page::List(_) = page {
            let head = ShowFileOutput::new(piece.format.name, &[], piece.source);
            shown.head = tawla::escape::json(&head).map_err(io::Error::from)?;
        }
        let options = CheckOptions {
            format: Some(piece.format),
            ..self.options.clone()
        };
        let (args, before) = (self.args, self.done.load(Ordering::Relaxed));
        let read = report::show_each(piece.source, &options, &mut |found| {
            shown.matches += 1;
            let number = before + shown.matches;
            if args.match_number.is_some_and(|wanted| wanted != number) {
                return ControlFlow::Continue(());
            }
            match self.one(found, piece.source, &mut page) {
                Ok(any) => {
                    shown.any |= any;
                    ControlFlow::Continue(())
                }
                Err(error) => {
                    shown.written = Err(error);
                    ControlFlow::Break(())
                }
            }
        });
        // What could be read is shown all the same.
        shown.failure = read.err().map(|error| Unread::Foreign(error.to_string()));
        Ok(shown)
    }

    /// Writes a match; whether there was anything that was asked for.
    fn one(&self, mut found: ShownMatch, source: &Source, page: &mut Page<'_>) -> io::Result<bool> {
        match page {
            Page::List(list) => {
                retain(&mut found, self.args);
                list.element(&ShowMatchOutput::new(&found, source))?;
                Ok(true)
            }
            Page::Text(out) => {
                let part = Part {
                    game: self.args.game,
                    ply: self.args.ply,
                };
                show(&found, part, *out)
            }
        }
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
