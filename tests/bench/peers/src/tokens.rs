//! Transcripts of backgammon checked, against as many bytes of chess cut into tokens.
//!
//! The other reader does less: it neither replays nor judges. It is the fastest of its kind, and so a mark.

use std::io::Write;
use std::ops::ControlFlow;

use anyhow::ensure;
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use tawla::report::{CheckOptions, check};
use tawla::source::Source;

use crate::{chess, made, pairs};

/// How many matches are checked at a time, as the command cuts a long stream into pieces.
const PIECE: usize = 150;
const PIECES: usize = 10;

/// Counts what stands in a text.
struct Count {
    tokens: usize,
}

impl Visitor for Count {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), _: &[u8], _: RawTag<'_>) -> ControlFlow<()> {
        self.tokens += 1;
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), _: SanPlus) -> ControlFlow<()> {
        self.tokens += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {}
}

/// Prints the speed of both.
///
/// # Errors
///
/// A transcript is not read, or nothing can be written.
pub(crate) fn measure(out: &mut impl Write) -> anyhow::Result<()> {
    let texts: Vec<String> = made::transcripts(PIECE * PIECES).collect();
    let pieces: Vec<String> = texts.chunks(PIECE).map(|texts| texts.join("\n")).collect();
    let bytes: usize = pieces.iter().map(String::len).sum();
    let games = chess::games(bytes);
    let games = &games.as_bytes()[..bytes];
    let (checked, tokens) = (plies(&pieces)?, tokens(games));
    ensure!(checked > 0 && tokens > 0, "nothing was read");
    let pair = pairs::measure(|| plies(&pieces), || self::tokens(games));
    let speed = |time: std::time::Duration| bytes as f64 / time.as_secs_f64() / 1e6;
    writeln!(
        out,
        "{:.1} MB of transcripts ({checked} actions) checked, as many of PGN ({tokens} tokens) counted by pgn-reader",
        bytes as f64 / 1e6
    )?;
    writeln!(
        out,
        "  tawla {:.0} MB/s, {:.1} ns an action; pgn-reader {:.0} MB/s: {:.2} of its CPU time",
        speed(pair.ours),
        pair.ours.as_nanos() as f64 / checked as f64,
        speed(pair.theirs),
        1.0 / pair.ratio
    )?;
    Ok(())
}

/// Checks every piece; how many actions there are.
fn plies(pieces: &[String]) -> anyhow::Result<u64> {
    let options = CheckOptions::default();
    let mut plies = 0;
    for piece in pieces {
        let source = Source::new("made.mat", piece.as_bytes().to_vec(), None)?;
        plies += check(&source, &options)?.totals.plies;
    }
    Ok(plies)
}

fn tokens(games: &[u8]) -> usize {
    let mut count = Count { tokens: 0 };
    let read = Reader::new(games).visit_all_games(&mut count);
    read.map_or(0, |()| count.tokens)
}
