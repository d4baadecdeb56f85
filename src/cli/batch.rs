//! Inputs: files, folders and standard input, in the order in which they were given.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, IsTerminal, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

use anyhow::bail;

use super::args::{DecodeArgs, InputArgs};
use tawla::formats::Format;
use tawla::report::format_of;
use tawla::source::Source;

/// An input of the command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Input {
    /// Standard input.
    Standard,
    /// A file that was named.
    Named(PathBuf),
    /// A file that was found in a folder; it is passed over if it is no transcript.
    Found(PathBuf),
    /// A path that cannot be read, with the reason.
    Broken(PathBuf, String),
}

impl Input {
    /// What the input is called in messages.
    pub(super) fn name(&self) -> String {
        match self {
            Input::Standard => "-".to_owned(),
            Input::Named(path) | Input::Found(path) | Input::Broken(path, _) => {
                path.to_string_lossy().into_owned()
            }
        }
    }

    /// Reads and decodes all of it.
    ///
    /// # Errors
    ///
    /// The reason, without the name.
    pub(super) fn source(&self, decode: &DecodeArgs) -> Result<Source, String> {
        decoded(self, self.bytes()?, decode)
    }

    /// Reads all of a text that is never compressed, in an encoding if one is named.
    ///
    /// # Errors
    ///
    /// The reason, without the name.
    pub(super) fn source_in(&self, encoding: Option<&str>) -> Result<Source, String> {
        let source = Source::new(self.name(), self.bytes()?, encoding);
        source.map_err(|error| error.to_string())
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        let read = self.open()?.read_to_end(&mut bytes);
        read.map_err(|error| plain(&error))?;
        Ok(bytes)
    }

    fn open(&self) -> Result<Box<dyn Read>, String> {
        match self {
            Input::Standard => Ok(Box::new(io::stdin().lock())),
            Input::Named(path) | Input::Found(path) => match fs::File::open(path) {
                Ok(file) => Ok(Box::new(file)),
                Err(error) => Err(plain(&error)),
            },
            Input::Broken(_, reason) => Err(reason.clone()),
        }
    }
}

/// The bytes of an input as a source.
fn decoded(input: &Input, bytes: Vec<u8>, decode: &DecodeArgs) -> Result<Source, String> {
    let source = Source::new(input.name(), bytes, decode.encoding.as_deref());
    let source = source.map_err(|error| error.to_string())?;
    Ok(source.with_inflate_limit(decode.inflate_limit))
}

/// How many bytes of a long input are worked on at a time.
const PIECE: usize = 1 << 20;

/// Reads an input and hands it over: at once, or in pieces of whole matches if it is long and its format can
/// be cut. Memory then depends on the longest match and not on the input.
///
/// # Errors
///
/// The reason why it cannot be read, without the name, or that of `take`.
pub(super) fn pieces(
    input: &Input,
    args: &InputArgs,
    mut take: impl FnMut(&Source, &'static Format) -> Result<(), String>,
) -> Result<(), String> {
    let mut reader = input.open()?;
    let (mut bytes, mut format, mut line) = (Vec::new(), args.from, 1u64);
    loop {
        let wanted = bytes.len() + PIECE;
        reader
            .by_ref()
            .take(PIECE as u64)
            .read_to_end(&mut bytes)
            .map_err(|error| plain(&error))?;
        let is_last = bytes.len() < wanted;
        let cut = match format {
            _ if is_last || bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") => {
                None
            }
            None => {
                let start = bytes[..bytes.len().min(PIECE)].to_vec();
                let start = decoded(input, start, &args.decode)?;
                format = format_of(&start, None).ok();
                format.and_then(|format| format.cut?(&bytes))
            }
            Some(format) => format.cut.and_then(|cut| cut(&bytes)),
        };
        if !is_last && cut.is_none() {
            continue;
        }
        let rest = cut.map_or_else(Vec::new, |cut| bytes.split_off(cut));
        let piece = std::mem::replace(&mut bytes, rest);
        let source = decoded(input, piece, &args.decode)?.with_first_line(line);
        let found = format_of(&source, format).map_err(|error| error.to_string())?;
        take(&source, found)?;
        if is_last {
            return Ok(());
        }
        line += source.line_count();
    }
}

/// An error of the system in words, without its number.
pub(super) fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    let mut letters = text.chars();
    letters
        .next()
        .map(|first| first.to_lowercase().chain(letters).collect())
        .unwrap_or_default()
}

/// The inputs of a command: folders are walked, and the files of a folder come in the order of their names.
///
/// # Errors
///
/// No path was given and standard input is a terminal.
pub(super) fn inputs(args: &InputArgs) -> anyhow::Result<Vec<Input>> {
    if args.paths.is_empty() {
        if io::stdin().is_terminal() {
            bail!("no input: name a file or a folder, or give a transcript on standard input");
        }
        return Ok(vec![Input::Standard]);
    }
    let mut inputs = Vec::new();
    for path in &args.paths {
        if path.as_os_str() == "-" {
            inputs.push(Input::Standard);
        } else if path.is_dir() {
            walk(path, &mut inputs);
        } else {
            inputs.push(Input::Named(path.clone()));
        }
    }
    Ok(inputs)
}

fn walk(folder: &Path, inputs: &mut Vec<Input>) {
    let walker = ignore::WalkBuilder::new(folder)
        .standard_filters(false)
        .sort_by_file_name(std::ffi::OsStr::cmp)
        .build();
    for entry in walker {
        match entry {
            Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_dir()) => {}
            // What says how to read the others is none of them.
            Ok(entry) if entry.file_name() == super::agreed::NAME => {}
            Ok(entry) => inputs.push(Input::Found(entry.into_path())),
            Err(error) => {
                let reason = error.io_error().map_or_else(|| error.to_string(), plain);
                inputs.push(Input::Broken(folder.to_owned(), reason));
            }
        }
    }
}

/// Works on the inputs at the same time and hands over the results in the order of the inputs, each as soon as
/// it and those before it are there.
///
/// # Errors
///
/// Those of `take`.
pub(super) fn in_order<T: Send>(
    inputs: &[Input],
    jobs: Option<u16>,
    work: impl Fn(&Input) -> T + Sync,
    mut take: impl FnMut(T) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    if jobs == Some(1) || inputs.len() == 1 {
        return inputs.iter().try_for_each(|input| take(work(input)));
    }
    let threads = jobs.map_or(0, usize::from);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()?;
    // So many are begun before the first is taken, so that results do not pile up behind a slow one.
    let most = pool.current_num_threads() * 64;
    let (send, receive) = mpsc::channel();
    let is_over = AtomicBool::new(false);
    pool.in_place_scope_fifo(|scope| {
        let begin = |index: usize| {
            let (send, work, is_over) = (send.clone(), &work, &is_over);
            let Some(input) = inputs.get(index) else {
                return;
            };
            scope.spawn_fifo(move |_| {
                if !is_over.load(Ordering::Relaxed) {
                    // The receiver has gone only if nothing more is wanted.
                    let result = catch_unwind(AssertUnwindSafe(|| work(input)));
                    let _ = send.send((index, result));
                }
            });
        };
        (0..most).for_each(&begin);
        let mut early = BTreeMap::new();
        for index in 0..inputs.len() {
            let result = loop {
                match early.remove(&index) {
                    Some(Ok(result)) => break result,
                    Some(Err(panic)) => resume_unwind(panic),
                    None => {
                        let (done, result) = receive.recv().expect("a result of each input");
                        early.insert(done, result);
                    }
                }
            };
            begin(index + most);
            let taken = take(result);
            is_over.store(taken.is_err(), Ordering::Relaxed);
            taken?;
        }
        Ok(())
    })
}

/// Tells on standard error that an input cannot be used. Nobody is left to be told if that is closed.
pub(super) fn complain(name: &str, reason: &str) {
    let _ = writeln!(
        io::stderr(),
        "tawla: {}: {reason}",
        tawla::render::harmless(name)
    );
}

/// Says how many files of folders were no transcripts.
pub(super) fn passed_over(files: u64) {
    if files > 0 {
        let noun = if files == 1 { "file" } else { "files" };
        let _ = writeln!(
            io::stderr(),
            "tawla: {files} {noun} passed over: not a format that is read"
        );
    }
}
