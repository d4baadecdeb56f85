//! `tawla fix`: slips repaired in the text of a transcript.

use std::fs;
use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use similar::TextDiff;

use super::agreed::Agreed;
use super::args::FixArgs;
use super::batch::{Input, plain};
use super::convert::store;
use tawla::fix::{Choice, Fixed, Proposal, fix, is_editable, same_bytes};
use tawla::render::harmless;
use tawla::repair::Limits;
use tawla::report::{CheckOptions, format_of, repair_words};
use tawla::source::Source;

/// How many repairs a question offers.
const OFFERED: usize = 9;

/// Prints what would be changed, or changes it; 1 if something is left that cannot be repaired with certainty.
pub(super) fn run(args: &FixArgs, out: &mut dyn Write) -> anyhow::Result<u8> {
    let is_standard = args.path.as_os_str() == "-";
    if is_standard && (args.write || args.interactive) {
        bail!("standard input cannot be written back, nor asked besides; name a file");
    }
    let input = match is_standard {
        true => Input::Standard,
        false => Input::Named(args.path.clone()),
    };
    let name = harmless(&input.name()).into_owned();
    let raw = raw(&args.path, is_standard).with_context(|| name.clone())?;
    let source = Source::new(input.name(), raw.clone(), args.decode.encoding.as_deref());
    let source = source.with_context(|| name.clone())?;
    let source = source.with_limits(args.decode.limits());
    let options = CheckOptions {
        format: args.from,
        rules: (Agreed::new(&args.rules)?.options(&input)).map_err(|reason| anyhow!(reason))?,
        matches: false,
        repairs: Some(Limits::default()),
        unseen: Vec::new(),
    };
    let format = format_of(&source, args.from).with_context(|| name.clone())?;
    if is_editable(format) && same_bytes(&source, &raw, source.text()).is_none() {
        bail!("{name}: the text cannot be written back in its encoding; name it with --encoding");
    }
    let mut questions = Questions {
        args,
        answers: io::stdin().lock(),
    };
    let fixed = fix(&source, format, &options, &mut |proposal| {
        questions.choose(proposal)
    });
    let fixed = fixed.with_context(|| name.clone())?;
    let is_changed = !fixed.made.is_empty();
    if is_changed && args.write {
        let bytes = same_bytes(&source, &raw, &fixed.text)
            .with_context(|| format!("{name}: a repair cannot be written in its encoding"))?;
        write(&args.path, &raw, &bytes)?;
    } else if is_changed {
        let diff = TextDiff::from_lines(source.text(), &fixed.text);
        let unified = diff.unified_diff().header(&name, &name).to_string();
        out.write_all(unified.as_bytes())?;
    }
    out.flush()?;
    tell(&name, &fixed, args);
    Ok(u8::from(!fixed.left.is_empty()))
}

fn raw(path: &Path, is_standard: bool) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if is_standard {
        io::stdin().lock().read_to_end(&mut bytes)?;
    } else {
        bytes = fs::read(path).map_err(|error| anyhow!(plain(&error)))?;
    }
    let is_packed =
        bytes.starts_with(&[0x1f, 0x8b]) || bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]);
    if is_packed {
        bail!("the file is compressed; unpack it first");
    }
    Ok(bytes)
}

/// Writes the repaired file; what it was stays beside it.
fn write(path: &Path, before: &[u8], after: &[u8]) -> anyhow::Result<()> {
    let mut original = path.as_os_str().to_owned();
    original.push(".orig");
    let original = PathBuf::from(original);
    let spool = |bytes: &[u8]| {
        let mut spool = super::batch::Spool::default();
        spool.write_all(bytes).map(|()| spool)
    };
    if original.exists() {
        bail!(
            "{} exists: what the file was before an earlier repair; move it away first",
            harmless(&original.to_string_lossy())
        );
    }
    store(&original, &mut spool(before)?, false)?;
    store(path, &mut spool(after)?, true)
}

/// Says on standard error what was repaired and what is left.
#[expect(clippy::print_stderr, reason = "standard output has the diff")]
fn tell(name: &str, fixed: &Fixed, args: &FixArgs) {
    if args.quiet {
        return;
    }
    let place = |(matched, game): (usize, usize)| match matched {
        1 => format!("game {game}"),
        matched => format!("match {matched}, game {game}"),
    };
    for made in &fixed.made {
        eprintln!(
            "tawla: {name}: {}: repaired {} ({})",
            place(made.place),
            made.code,
            made.kind
        );
    }
    for left in &fixed.left {
        eprintln!(
            "tawla: {name}:{}: {}: left {}: {}",
            left.line,
            place(left.place),
            left.code,
            left.why
        );
    }
    if fixed.made.is_empty() && fixed.left.is_empty() {
        eprintln!("tawla: {name}: nothing to repair");
    }
}

/// Decides about each fault, and asks if that is wanted.
struct Questions<'a, R> {
    args: &'a FixArgs,
    answers: R,
}

impl<R: BufRead> Questions<'_, R> {
    fn choose(&mut self, proposal: &Proposal<'_>) -> Choice {
        if !self.args.only.is_empty() && !self.args.only.contains(&proposal.code) {
            return Choice::Leave;
        }
        if self.args.interactive {
            return self.ask(proposal).unwrap_or(Choice::Stop);
        }
        proposal.certain()
    }

    /// Asks on standard error, so that standard output is the diff alone.
    #[expect(clippy::print_stderr, reason = "standard output has the diff")]
    fn ask(&mut self, proposal: &Proposal<'_>) -> Option<Choice> {
        let repairs = &proposal.explanation.repairs;
        let offered: Vec<usize> = (0..repairs.len())
            .filter(|&at| repairs[at].ways == 1)
            .take(OFFERED)
            .collect();
        eprintln!("game {}: {}", proposal.game, proposal.code);
        for (number, &at) in (1..).zip(&offered) {
            let words = repair_words(proposal.source, proposal.record, &repairs[at]);
            eprintln!("  {number}  {}", harmless(&words));
        }
        if repairs.len() > offered.len() {
            eprintln!("     and {} more", repairs.len() - offered.len());
        }
        if offered.is_empty() {
            return Some(Choice::Leave);
        }
        loop {
            eprint!("which one, n for none, q to stop? ");
            let mut line = String::new();
            if self.answers.read_line(&mut line).ok()? == 0 {
                return None;
            }
            if !io::stdin().is_terminal() {
                eprintln!();
            }
            match line.trim() {
                "n" | "" => return Some(Choice::Leave),
                "q" => return Some(Choice::Stop),
                "y" if offered.len() == 1 => return Some(Choice::Make(offered[0])),
                number => {
                    let number = number.parse::<usize>().ok();
                    let at = number.and_then(|number| offered.get(number.checked_sub(1)?));
                    if let Some(&at) = at {
                        return Some(Choice::Make(at));
                    }
                }
            }
        }
    }
}
