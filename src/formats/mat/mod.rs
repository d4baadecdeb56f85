//! Jellyfish match text (`.mat`, `.txt`), the common tongue of backgammon transcripts.
//!
//! ```text
//! file      = { header | prose } matchline { game }
//! header    = ( ";" | "#" ) ( "[" name '"' value '"]' | text )
//! matchline = number "point match"
//! game      = "Game" number, name ":" score name ":" score, { setpos | row | wins | comment }
//! row       = number ")" [ cell ] [ cell ]
//! ```
//!
//! Nobody ever fixed the format and every program has its own habits, so the reader accepts all that is met
//! in files: cells are found one after the other and not in columns (`cell`), the half of a lone cell by the
//! columns that this match uses, and what is left over is kept and reported. It knows no rules: whether a
//! roll without a play is a dance or a resignation is for the replay to tell.

mod cell;
mod header;
mod plain;
mod reader;
mod score_line;

use super::{Carried, Format, Item, Likely, NotThisFormat, Sink};
use crate::source::{Source, lines};

pub(super) static FORMAT: Format = Format {
    name: "mat",
    title: "Jellyfish match text",
    extensions: &["mat", "txt"],
    sniff,
    read: Some(read),
    carries: &[
        Item {
            what: "player names",
            how: Carried::Yes,
        },
        Item {
            what: "event, round, place and date",
            how: Carried::Tags,
        },
        Item {
            what: "ratings",
            how: Carried::Tags,
        },
        Item {
            what: "match length and scores",
            how: Carried::Yes,
        },
        Item {
            what: "Crawford, Jacoby and beaver rules",
            how: Carried::Tags,
        },
        Item {
            what: "variant",
            how: Carried::Tags,
        },
        Item {
            what: "cube actions",
            how: Carried::Yes,
        },
        Item {
            what: "beavers and raccoons",
            how: Carried::Partly,
        },
        Item {
            what: "resignations",
            how: Carried::Partly,
        },
        Item {
            what: "illegal plays",
            how: Carried::Yes,
        },
        Item {
            what: "unrecorded plays",
            how: Carried::Partly,
        },
        Item {
            what: "starting positions",
            how: Carried::Partly,
        },
        Item {
            what: "comments",
            how: Carried::Partly,
        },
        Item {
            what: "several matches",
            how: Carried::Partly,
        },
    ],
};

/// A match line within the first lines, or a tag, makes a text a match.
fn sniff(source: &Source) -> Likely {
    let mut likely = Likely::No;
    for line in lines(source.text()).take(500) {
        let text = line.text.trim();
        if cell::match_line(text).is_ok() {
            return Likely::Yes;
        }
        if text.starts_with("; [") || text.starts_with("# [") || text.starts_with(";[") {
            likely = Likely::Yes;
        } else if cell::game_line(text).is_ok() {
            likely = likely.max(Likely::Maybe);
        }
    }
    likely
}

fn read(source: &Source, sink: &mut Sink<'_>) -> Result<(), NotThisFormat> {
    reader::Reader::new(source, sink).read()
}
