//! The rules that readers report: what a file says, not what it means.

use super::{Level, Rule};

/// A line or a cell that is no part of a transcript.
pub static UNREADABLE_LINE: Rule = Rule {
    code: "unreadable-line",
    subject: "record",
    level: Level::Error,
    title: "nothing could be made of a line or a cell",
    explain: "The text stays in the record as written. If it stands where a play should be, the position after \
        it is unknown and the rest of the game is not judged. A line of prose inside a game is kept as a \
        comment, with a warning. Mend the spelling, or put a semicolon before a remark.",
    example: "  2) 65: 24/18 18//13            42: 8/4 6/4",
};

/// The file stops within an entry.
pub static TRUNCATED: Rule = Rule {
    code: "truncated",
    subject: "record",
    level: Level::Error,
    title: "the file ends within an entry",
    explain: "The last line has no end and its last cell cannot be read, so the file was probably cut. What \
        stands before is judged as usual. Get the whole file.",
    example: "  2) 65: 24/18 18/",
};

/// A header that contradicts itself or the calendar.
pub static BAD_HEADER: Rule = Rule {
    code: "bad-header",
    subject: "record",
    level: Level::Warning,
    title: "a header that cannot be right",
    explain: "A date that does not exist, a tag that stands twice, a length that contradicts the match line, \
        names that change between games, or a variation that is not known. The match line and the first tag \
        count.",
    example: "; [EventDate \"2026.02.30\"]",
};

/// An action whose player was taken from the turn.
pub static SIDE_GUESSED: Rule = Rule {
    code: "side-guessed",
    subject: "record",
    level: Level::Warning,
    title: "the column does not say whose action this is",
    explain: "Each player has a column. A lone cell that stands in neither is given to the player whose turn \
        it is, and an answer in the doubler's own column to the opponent. Move the cell into its column.",
    example: "  5)  Doubles => 2\n  6)  Takes",
};

/// A text that is not UTF-8.
pub static ENCODING_GUESSED: Rule = Rule {
    code: "encoding-guessed",
    subject: "record",
    level: Level::Note,
    title: "the encoding was guessed",
    explain: "The bytes are not UTF-8 and have no byte order mark; they were read as Windows-1252, which old \
        Windows programs write. If names look wrong, name the encoding with --encoding.",
    example: " J\u{f6}rg : 0                       Beta : 0",
};

/// Several matches in a file.
pub static SEVERAL_MATCHES: Rule = Rule {
    code: "several-matches",
    subject: "record",
    level: Level::Note,
    title: "the file holds more than one match",
    explain: "Each match line starts a match of its own; they are judged one by one. Some programs take all \
        games of such a file for one match.",
    example: " 5 point match\n\n Game 1\n ...\n 7 point match",
};

/// Numbers that skip or repeat.
pub static GAME_NUMBER: Rule = Rule {
    code: "game-number",
    subject: "score",
    level: Level::Note,
    title: "numbers skip or repeat",
    explain: "Numbers of games and rows are for people: the order of the file is taken for the order of play. \
        A number that skips may mean that something is missing.",
    example: " Game 1\n ...\n Game 3",
};

/// A position that cannot exist.
pub static IMPOSSIBLE_POSITION: Rule = Rule {
    code: "impossible-position",
    subject: "record",
    level: Level::Error,
    title: "a stated position cannot exist",
    explain: "Each side has fifteen checkers on board, bar and off together, and no point holds both colours. \
        A position with other faults, or one from which no game can start because a side has no checkers, \
        is refused, and the game is not judged from there on.",
    example: "; Set Pos=-b----E-C---eE---c-e----C-/0",
};

/// A filler beside moves.
pub static FILLER_MOVE: Rule = Rule {
    code: "filler-move",
    subject: "record",
    level: Level::Note,
    title: "0/0 stands beside moves",
    explain: "Some programs write 0/0 for a die that could not be played. It moves nothing and is left out, but \
        it may also be a misprint of a move that bears off. Whether a die was left is judged by the moves.",
    example: "  1)                             21: 13/11 0/0",
};

/// A limit of what is read.
pub static LIMIT_REACHED: Rule = Rule {
    code: "limit-reached",
    subject: "record",
    level: Level::Error,
    title: "the file is larger, deeper or slower than the limits allow",
    explain: "What stands behind the limit is not judged. The limits are far beyond what a match needs, so that \
        a file made to do harm costs little: --limit-inflated for a compressed part, --limit-line for the bytes \
        of a line, --limit-depth for brackets within each other, --limit-games and --limit-actions for a match, --limit-findings \
        for what is told of a file, and --limit-time for a file or, of a long one, each piece of about a megabyte. Raise \
        the one that the finding names if the file is honest. Of a single piece never more than 20,000 findings are told.",
    example: "{\"record_version\":1,\"games\":[[[[[[ ...",
};

/// Every rule of the readers.
pub static ALL: [&Rule; 10] = [
    &UNREADABLE_LINE,
    &TRUNCATED,
    &IMPOSSIBLE_POSITION,
    &BAD_HEADER,
    &SIDE_GUESSED,
    &ENCODING_GUESSED,
    &SEVERAL_MATCHES,
    &GAME_NUMBER,
    &FILLER_MOVE,
    &LIMIT_REACHED,
];
