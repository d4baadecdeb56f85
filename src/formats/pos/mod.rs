//! Positions of Jellyfish (`.pos`).
//!
//! ```text
//! file  = version (124 Jellyfish 1.0 to 1.2, 125 1.6, 126 3.0),
//!         [126: caution, 0], [125 and 126: use of the cube, Jacoby, beavers],
//!         cube, owner (0 nobody, 1, 2), turn, moves left, moves right, 0,
//!         kind (1 match, 3 single game), opponent (1 people, 2 Jellyfish is player 1), level,
//!         length, score of player 1, of player 2, name of player 1, of player 2,
//!         swap of the dice, Crawford (2 Crawford game, 3 after it), last mover, last move, die, die,
//!         26 × ( checkers, checkers before the last move )
//! turn  = 0 start of a game | 1, 2 the player plays a roll | 3, 4 player 1, 2 rolls
//! name  = length in one byte, bytes
//! ```
//!
//! All else are signed numbers of 16 bits, the lowest byte first; checkers have 20 added. Those of player 1 are
//! negative. The first of the 26 is the bar of player 2, then come his points 24 to 1, and the bar of player 1.
//!
//! A position is a match of one game that starts there. Player 1 is the left column of a `.mat`, as GNU
//! Backgammon has it. What was decided:
//!
//! - The dice count if the turn says that a roll is to be played. Where it says that the player rolls, dice
//!   are those of the turn before or contradict it; a note says that they are left out.
//! - A single game is money play, whatever the length says. Jacoby and beavers belong to it, and a cube that
//!   is not used is the limit 1 of other formats.
//! - GNU Backgammon always writes that Jellyfish plays, so a name that stands there counts all the same.
//! - Names are UTF-8 if they can be, else Windows-1252; the format does not say.
//! - The position before the last move is not kept, the last move is a comment. The level, the swap of the
//!   dice and the numbers of moves are settings of the program and not read.
//!
//! Held against files of version 126 that GNU Backgammon wrote; it reads what is written here, 124 included. No
//! file written by Jellyfish itself was at hand.
//!
//! Written is version 126, and 124 for money play in which nothing is agreed, because the others always say
//! something about Jacoby and beavers. It needs score, length, cube and player on roll.

#[cfg(test)]
mod tests;
mod write;

use encoding_rs::WINDOWS_1252;

use super::binary::{Bytes, Listing, seen_by};
use super::carry::{Carried, Item};
use super::ids::IdState;
use super::ids::record::{beyond, record};
use super::{Format, Likely, NotThisFormat, Sink};
use crate::board::{ByPlayer, Cube, Length, Player, Roll};
use crate::diagnostic::{Context, Finding, Findings, Level, Rule, syntax};
use crate::record::MatchRecord;
use crate::source::{Source, Span, Spanned};

pub(super) static FORMAT: Format = Format {
    name: "pos",
    title: "Jellyfish position (.pos)",
    extensions: &["pos"],
    sniff,
    binary: true,
    read: Some(read),
    read_made: None,
    cut: None,
    write: Some(write::write),
    profiles: &[],
    verified: true,
    carries: &[
        (Item::Names, Carried::Partly),
        (Item::Length, Carried::Yes),
        (Item::Scores, Carried::Yes),
        (Item::RuleTags, Carried::Partly),
        (Item::CrawfordGame, Carried::Partly),
        (Item::StartPositions, Carried::Yes),
    ],
};

/// What is added to the checkers on a point.
const OFFSET: i16 = 20;

/// What a file says.
#[derive(Debug, Default, PartialEq)]
struct File {
    version: i16,
    /// Use of the cube, Jacoby, beavers: not in version 124.
    options: Option<[i16; 3]>,
    cube: i16,
    owner: i16,
    turn: i16,
    kind: i16,
    opponent: i16,
    length: i16,
    score: ByPlayer<i16>,
    names: ByPlayer<String>,
    crawford: i16,
    last_move: String,
    dice: [i16; 2],
    /// Whether it was read up to the names.
    has_names: bool,
    /// As player 2 sees them; index 0 the bar of player 1.
    checkers: Option<[i16; 26]>,
    /// How many bytes were read.
    used: usize,
}

/// Reads one thing after the other; `None` at the end of the file.
#[derive(Debug)]
struct Numbers<'a> {
    bytes: Bytes<'a>,
    at: usize,
}

impl Numbers<'_> {
    fn next(&mut self) -> Option<i16> {
        let number = self.bytes.i16(self.at)?;
        self.at += 2;
        Some(number)
    }

    fn several<const N: usize>(&mut self) -> Option<[i16; N]> {
        let mut numbers = [0; N];
        for number in &mut numbers {
            *number = self.next()?;
        }
        Some(numbers)
    }

    fn text(&mut self) -> Option<String> {
        let length = usize::from(self.bytes.u8(self.at)?);
        let bytes = self.bytes.slice(self.at + 1, length)?;
        self.at += 1 + length;
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => {
                let (text, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
                text.into_owned()
            }
        };
        Some(text)
    }
}

/// Whether these are versions that are known.
fn is_version(version: i16) -> bool {
    (124..=126).contains(&version)
}

impl File {
    /// What the bytes say, up to where they end.
    fn read(bytes: &[u8]) -> File {
        let mut file = File::default();
        let mut numbers = Numbers {
            bytes: Bytes(bytes),
            at: 0,
        };
        // A file that is cut leaves the rest as it is.
        let _ = file.fill(&mut numbers);
        file.used = numbers.at;
        file
    }

    fn fill(&mut self, numbers: &mut Numbers<'_>) -> Option<()> {
        self.version = numbers.next()?;
        if self.version == 126 {
            numbers.several::<2>()?;
        }
        if self.version != 124 {
            self.options = Some(numbers.several()?);
        }
        [self.cube, self.owner, self.turn] = numbers.several()?;
        numbers.several::<3>()?;
        let [kind, opponent, _, length] = numbers.several()?;
        (self.kind, self.opponent, self.length) = (kind, opponent, length);
        let [one, two] = numbers.several()?;
        self.score = ByPlayer::new(one, two);
        self.names = ByPlayer::new(numbers.text()?, numbers.text()?);
        self.has_names = true;
        let [_, crawford, _] = numbers.several()?;
        self.crawford = crawford;
        self.last_move = numbers.text()?;
        self.dice = numbers.several()?;
        let mut checkers = [0; 26];
        for place in (0..26).rev() {
            let [current, _] = numbers.several()?;
            checkers[place] = current.saturating_sub(OFFSET);
        }
        self.checkers = Some(checkers);
        Some(())
    }
}

fn sniff(source: &Source) -> Likely {
    let bytes = source.bytes();
    if Bytes(bytes).i16(0).is_none_or(|first| !is_version(first)) {
        return Likely::No;
    }
    let file = File::read(bytes);
    match file.checkers {
        Some(checkers) if checkers.iter().all(|number| (-15..=15).contains(number)) => Likely::Yes,
        _ => Likely::Maybe,
    }
}

fn read(source: &Source, sink: &mut Sink<'_>) -> Result<(), NotThisFormat> {
    let bytes = source.bytes();
    let file = File::read(bytes);
    if !is_version(file.version) {
        return Err(NotThisFormat("no version of Jellyfish is known".to_owned()));
    }
    let mut reader = Reader::default();
    let record = reader.record(&file, bytes.len());
    source.set_listing(reader.listing.finish());
    sink(&record, &mut reader.findings);
    Ok(())
}

#[derive(Default)]
struct Reader {
    listing: Listing,
    findings: Findings,
    in_game: bool,
}

impl Reader {
    fn report(
        &mut self,
        rule: &'static Rule,
        level: Level,
        at: Span,
        message: String,
        label: &str,
    ) {
        let finding = Finding::new(rule, at, message, label).at_level(level);
        let context = Context::in_last_game(1, usize::from(self.in_game));
        self.findings.push(finding.within(context));
    }

    /// A value that cannot be.
    fn odd(&mut self, at: Span, message: String, label: &str) {
        self.report(&syntax::BAD_HEADER, Level::Warning, at, message, label);
    }

    fn record(&mut self, file: &File, size: usize) -> MatchRecord {
        let version = format!("Jellyfish position, version {}", file.version);
        let heading = self.listing.of_match(&version);
        if file.checkers.is_none() {
            let message = "the file ends within the position".to_owned();
            let label = "read up to there";
            self.report(&syntax::TRUNCATED, Level::Error, heading, message, label);
        }
        // What is missing would be read as zeros.
        if file.checkers.is_none() && !file.has_names {
            return MatchRecord::default();
        }
        if size > file.used && file.checkers.is_some() {
            let message = format!("{} bytes behind the position", size - file.used);
            self.odd(heading, message, "left out");
        }
        let names = names(file);
        self.listing.players(&names);
        let length = match file.kind {
            3 => "money play".to_owned(),
            _ => format!("{} points", file.length),
        };
        let line = format!("{} - {}, {length}", names.one, names.two);
        let of_match = self.listing.of_match(&line);
        let mut state = IdState {
            names: Some(names),
            ..IdState::default()
        };
        self.terms(file, &mut state, of_match);
        if file.checkers.is_none() {
            return MatchRecord {
                games: Vec::new(),
                ..record(&state, of_match)
            };
        }
        self.in_game = true;
        let line = format!("score {}-{}", file.score.one, file.score.two);
        let of_score = self.listing.game(&line);
        self.score(file, &mut state, of_score);
        let said = words(file);
        let of_position = self.listing.of_game(&said);
        self.position(file, &mut state, of_position);
        if let Some(finding) = beyond(&state, of_match) {
            let context = Context::in_last_game(1, 0);
            self.findings.push(finding.within(context));
        }
        let mut record = record(&state, of_match);
        for game in &mut record.games {
            game.heading = of_score;
            if let Some(score) = &mut game.score {
                score.span = of_score;
            }
            if let Some(start) = &mut game.start {
                start.span = of_position;
            }
            if !file.last_move.trim().is_empty() {
                let said = format!("last move: {}", file.last_move.trim());
                let span = self.listing.of_game(&said);
                game.comments.push(Spanned::new(said, span));
            }
        }
        record
    }

    /// What the match or the game is played under.
    fn terms(&mut self, file: &File, state: &mut IdState, at: Span) {
        let length = u32::try_from(file.length);
        state.length = match (file.kind, length) {
            (3, _) => Some(Length::Money),
            (_, Ok(points @ 1..)) => Some(Length::Points(points)),
            _ => {
                let message = format!("a match to {} points", file.length);
                self.odd(at, message, "the length is left out");
                None
            }
        };
        if !matches!(file.kind, 1 | 3) {
            let message = format!("{} is neither a match nor a single game", file.kind);
            self.odd(at, message, "read as a match");
        }
        if let Some([cube, jacoby, beavers]) = file.options {
            state.jacoby = Some(jacoby != 0);
            state.beavers = Some(beavers != 0);
            state.max_cube = (cube == 0).then_some(1);
        }
        state.crawford = match file.crawford {
            2 => Some(true),
            3 => Some(false),
            _ => None,
        };
        if state.length == Some(Length::Money) {
            state.crawford = None;
        }
    }

    fn score(&mut self, file: &File, state: &mut IdState, at: Span) {
        let points = file.score.map(|points| u32::try_from(points).ok());
        state.score = match (points.one, points.two) {
            (Some(one), Some(two)) => Some(ByPlayer::new(one, two)),
            _ => {
                let message = format!("a score of {}-{}", file.score.one, file.score.two);
                self.odd(at, message, "the score is left out");
                None
            }
        };
    }

    fn position(&mut self, file: &File, state: &mut IdState, at: Span) {
        let owner = match file.owner {
            0 => None,
            1 => Some(Player::One),
            2 => Some(Player::Two),
            other => {
                self.odd(
                    at,
                    format!("the cube is owned by {other}"),
                    "read as nobody's",
                );
                None
            }
        };
        let value = u32::try_from(file.cube).ok();
        state.cube = value
            .filter(|value| value.is_power_of_two())
            .map(|value| Cube { value, owner });
        if state.cube.is_none() {
            self.odd(at, format!("a cube on {}", file.cube), "left out");
        }
        state.turn = match file.turn {
            1 | 3 => Some(Player::One),
            2 | 4 => Some(Player::Two),
            0 => None,
            other => {
                self.odd(at, format!("{other} is no turn"), "left out");
                None
            }
        };
        self.dice(file, state, at);
        let numbers = file.checkers.unwrap_or_default();
        let narrow = numbers.map(|number| i8::try_from(number).unwrap_or(i8::MAX));
        state.board = seen_by(Player::Two, &narrow);
        if state.board.is_none() {
            let message = "the checkers cannot stand like that".to_owned();
            let label = "the position is left out";
            let rule = &syntax::IMPOSSIBLE_POSITION;
            self.report(rule, Level::Error, at, message, label);
        }
    }

    fn dice(&mut self, file: &File, state: &mut IdState, at: Span) {
        let [one, two] = file.dice;
        let die = |die: i16| u8::try_from(die.unsigned_abs()).unwrap_or(u8::MAX);
        let roll = Roll::new(die(one), die(two));
        match (file.turn, roll) {
            (1 | 2, Some(roll)) => state.dice = Some(roll),
            (1 | 2, None) => {
                let message = format!("{one} and {two} are no dice");
                self.odd(at, message, "read as if nothing was rolled");
            }
            (_, Some(roll)) => {
                let message = format!("the dice show {roll} before the roll");
                let rule = &syntax::BAD_HEADER;
                self.report(rule, Level::Note, at, message, "the dice are left out");
            }
            (_, None) => {}
        }
    }
}

/// The names, without the blanks that pad them.
fn names(file: &File) -> ByPlayer<String> {
    let mut names = file.names.as_ref().map(|name| name.trim().to_owned());
    if names.one.is_empty() && file.opponent == 2 {
        names.one = "Jellyfish".to_owned();
    }
    names
}

/// The position in words, for the listing.
fn words(file: &File) -> String {
    let [one, two] = file.dice.map(i16::unsigned_abs);
    let turn = match file.turn {
        1 | 2 => format!("player {} plays {one}{two}", file.turn),
        3 | 4 => format!("player {} rolls", file.turn - 2),
        _ => "start of the game".to_owned(),
    };
    let owner = match file.owner {
        0 => "in the middle".to_owned(),
        owner => format!("of player {owner}"),
    };
    let checkers = file.checkers.unwrap_or_default();
    let checkers: Vec<String> = checkers.iter().map(i16::to_string).collect();
    format!(
        "{turn}, cube on {} {owner}, checkers {}",
        file.cube,
        checkers.join(" ")
    )
}
