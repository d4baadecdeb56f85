//! Plays made while they are read, for who asks only whether anything is wrong.
//!
//! Nearly every play of a transcript is in turn and legal from the position that the plays before it lead to. Such a
//! play need not be kept: it is made on a board that follows the game, and only counted. Everything that is not
//! beyond doubt ends this at once, and the text is read again in full: nothing is judged here, and no verdict is
//! found that the replay would not find. A test holds the two ways against each other.
//!
//! The board knows backgammon and its usual start alone. Whether that is what was played, and whether the cube, the
//! score and the results hold, is for the replay to say, which is told of runs of plays.

use super::moves::look_up;
use super::plain::{LONGEST, gaps_and_blanks, is_end, row_number, short_word, skip_blanks, window};
use super::reader::MOST_SPARE;
use crate::board::{
    Move, PackedMove, PackedPlay, Player, Plays, Position, Roll, Variant, Verdict, marked_points,
    play_as_marked,
};
use crate::record::{Action, Entry, GameRecord, GameResult, MadeGame, Run, WrittenPlay};
use crate::source::Spanned;

/// The games of a match as far as they were made.
#[derive(Debug, Default)]
pub(super) struct Making {
    /// Room for games; the first ones are those of the match.
    games: Vec<MadeGame>,
    begun: usize,
    /// Who is to play. `None`: nothing was played since the game began or since an action that is no play.
    turn: Option<Player>,
    /// The plays since then.
    run: Run,
    /// A play was made, or a cube turned.
    has_begun: bool,
    /// There is a game, and it goes on: it has no result, and the last checker is not off.
    is_open: bool,
    /// The first play of a row that was made before its second cell turned out to be unusual.
    ahead: Option<(Roll, PackedPlay)>,
    plays: Plays,
}

/// What is known before a row is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Expected {
    /// Its number.
    pub(super) number: u32,
    /// The column of the right half; 128 if that is not known.
    pub(super) right: usize,
    /// The player of the left half.
    pub(super) left: Player,
}

/// A row of which the plays were made.
#[derive(Debug, Clone, Copy)]
pub(super) struct MadeRow {
    /// Where its line ends, in bytes from its start.
    pub(super) end: usize,
    /// Who acted last.
    pub(super) last: Player,
    /// The column of the second cell.
    pub(super) second: Option<u32>,
    /// Whether a move is marked as a hit.
    pub(super) has_star: bool,
}

impl Making {
    /// The games of the match.
    pub(super) fn games(&mut self) -> &[MadeGame] {
        self.settle();
        &self.games[..self.begun]
    }

    /// The next match starts.
    pub(super) fn clear(&mut self) {
        self.begun = 0;
        self.ahead = None;
        self.is_open = false;
        self.games.truncate(MOST_SPARE);
    }

    fn start_game(&mut self) {
        self.settle();
        if self.games.len() == self.begun {
            self.games.push(MadeGame::new());
        }
        self.games[self.begun].start_again();
        self.begun += 1;
        self.turn = None;
        self.run = Run::default();
        self.has_begun = false;
        self.is_open = true;
    }

    /// Enters the last run of plays into its game.
    fn settle(&mut self) {
        let game = self.games[..self.begun].last_mut();
        if let Some(run) = game.and_then(|game| game.runs.last_mut()) {
            *run = self.run;
        }
    }

    /// Makes the plays of the row that starts the text. `None`: it is no row of plays alone, or something about it is
    /// unusual, and [`Making::absorb`] must see what it says.
    ///
    /// Where the words of the row start and end is told for all of them at once, as in `plain`.
    #[inline(always)]
    pub(super) fn row(&mut self, text: &[u8], expected: Expected) -> Option<MadeRow> {
        let bytes = text.first_chunk::<LONGEST>()?;
        let (gaps, blanks) = gaps_and_blanks(bytes);
        // The first control character must be the end of the line.
        let end = (gaps ^ blanks).trailing_zeros() as usize;
        is_end(*bytes[..64].get(end)?).then_some(())?;
        let from = behind_number(bytes, expected.number)?;
        let inner = !gaps & ((1 << end) - 1) & (u64::MAX << from);
        let mut words = Words {
            bytes,
            gaps,
            starts: inner & !(inner << 1),
        };
        let at = words.next()?;
        let (near_left, near_right) = (at <= from + 3, at + 2 >= expected.right);
        let first = if near_left {
            expected.left
        } else {
            !expected.left
        };
        let is_in_turn = self.turn.is_none_or(|turn| turn == first);
        (near_left != near_right && is_in_turn && self.is_open).then_some(())?;
        let (roll, written) = words.cell(at)?;
        let second = words.next();
        // The column of a lone cell tells nothing before another row has shown where the right half is.
        (second.is_some() || expected.right < 128).then_some(())?;
        self.make(first, roll, written)?;
        let mut row = MadeRow {
            end,
            last: first,
            second: None,
            has_star: written.has_marks(),
        };
        if let Some(second) = second {
            let made = match words.cell(second) {
                Some((roll, written)) if near_left && words.starts == 0 && self.is_open => {
                    row.has_star |= written.has_marks();
                    self.make(!first, roll, written)
                }
                _ => None,
            };
            if made.is_none() {
                self.ahead = Some((roll, written));
                return None;
            }
            row.last = !first;
            row.second = Some(second as u32);
        }
        Some(row)
    }

    /// Makes a play that is legal and has its marks where it hits, and counts it.
    #[inline(always)]
    fn make(&mut self, player: Player, roll: Roll, written: PackedPlay) -> Option<()> {
        if self.turn.is_none() {
            // Equal dice at the start mean something of their own.
            (self.has_begun || !roll.is_double()).then_some(())?;
            self.has_begun = true;
            self.run.first = player;
        }
        let game = self.games[..self.begun].last_mut()?;
        let is_over = match play_as_marked(&mut game.position, player, roll, written) {
            Some(is_over) => is_over,
            None => otherwise(&mut game.position, &mut self.plays, player, roll, written)?,
        };
        self.run.plays += 1;
        self.is_open = !is_over;
        self.turn = Some(!player);
        Some(())
    }

    /// Takes over what a line has added to the games of the match: plays are made and taken out, other actions stay.
    /// False if something is unusual.
    pub(super) fn absorb(&mut self, games: &mut [GameRecord]) -> bool {
        match games.len().checked_sub(self.begun) {
            Some(0) => {}
            Some(1) => self.start_game(),
            _ => return false,
        }
        let Some(game) = games.last_mut() else {
            return true;
        };
        // What stands behind the result in its own row is no part of the game.
        let is_within =
            |result: Spanned<GameResult>| (result.value.after as usize) < game.entries.len();
        if game.result.is_some_and(is_within) {
            return false;
        }
        let kept = self.games[self.begun - 1].runs.len() - 1;
        if game.entries.len() > kept && self.entries(game, kept).is_none() {
            return false;
        }
        if let Some(result) = &mut game.result {
            result.value.after = game.entries.len() as u32;
            self.is_open = false;
            if result.value.by_loss {
                return false;
            }
        }
        game.start.is_none() && self.ahead.is_none()
    }

    /// Takes over the actions from this one on.
    #[inline(never)]
    fn entries(&mut self, game: &mut GameRecord, kept: usize) -> Option<()> {
        let mut stay = kept;
        for index in kept..game.entries.len() {
            let entry = &game.entries[index];
            match entry.action {
                _ if entry.extra.is_some() => return None,
                Action::Play { .. } => self.play(entry)?,
                Action::Set | Action::Unreadable => return None,
                _ => {
                    self.is_open.then_some(())?;
                    self.settle();
                    self.games[self.begun - 1].runs.push(Run::default());
                    self.run = Run::default();
                    self.turn = None;
                    self.has_begun = true;
                    game.entries.swap(stay, index);
                    stay += 1;
                }
            }
        }
        game.entries.truncate(stay);
        Some(())
    }

    fn play(&mut self, entry: &Entry) -> Option<()> {
        let Action::Play { roll, play } = entry.action else {
            return None;
        };
        let roll = roll.roll()?;
        let written = match play {
            WrittenPlay::Moves(play) => packed(play.moves()),
            WrittenPlay::CannotMove | WrittenPlay::Nothing => PackedPlay::EMPTY,
            WrittenPlay::NotRecorded => return None,
        };
        if let Some(ahead) = self.ahead.take() {
            let is_it = ahead == (roll, written) && self.turn == Some(!entry.player);
            return is_it.then_some(());
        }
        let is_in_turn = self.turn.is_none_or(|turn| turn == entry.player);
        (is_in_turn && self.is_open).then_some(())?;
        self.make(entry.player, roll, written)
    }
}

/// The words of a row that are still to be read.
struct Words<'a> {
    bytes: &'a [u8; LONGEST],
    /// Where blanks are, and the end of the line: the first byte is bit 0.
    gaps: u64,
    /// Where words start, in the same way.
    starts: u64,
}

impl Words<'_> {
    /// Where the next word starts.
    #[inline(always)]
    fn next(&self) -> Option<usize> {
        (self.starts != 0).then(|| self.starts.trailing_zeros() as usize & 63)
    }

    #[inline(always)]
    fn skip(&mut self) {
        self.starts &= self.starts.wrapping_sub(1);
    }

    /// Reads the cell of which the first word starts here: a roll and moves that are numbers.
    #[inline(always)]
    fn cell(&mut self, at: usize) -> Option<(Roll, PackedPlay)> {
        let seen = window(self.bytes, at)? as u32 ^ u32::from_le_bytes(*b"00: ");
        let [first, second, rest @ ..] = seen.to_le_bytes();
        (rest == [0, 0]).then_some(())?;
        let roll = Roll::new(first, second)?;
        self.skip();
        let mut written = PackedPlay::EMPTY;
        while let Some(at) = self.next() {
            let Some(moved) = look_up(short_word(self.bytes, self.gaps, at)?) else {
                break;
            };
            written.push(moved);
            self.skip();
        }
        Some((roll, written))
    }
}

fn packed(moves: &[Move]) -> PackedPlay {
    let mut play = PackedPlay::EMPTY;
    for &moved in moves {
        play.push(PackedMove::new(moved));
    }
    play
}

/// Where the number of a row ends, if it is this one: in the usual layout, or in any other.
#[inline(always)]
fn behind_number(bytes: &[u8; LONGEST], number: u32) -> Option<usize> {
    let digit = |value: u32| match value {
        0 => u32::from(b' '),
        _ => value % 10 + u32::from(b'0'),
    };
    let text = digit(number / 100)
        | digit(number / 10) << 8
        | (number % 10 + u32::from(b'0')) << 16
        | u32::from(b')') << 24;
    let is_usual = window(bytes, 0)? as u32 == text && number < 1000;
    if is_usual {
        Some(4)
    } else {
        behind_other_number(bytes, number)
    }
}

#[inline(never)]
fn behind_other_number(bytes: &[u8; LONGEST], number: u32) -> Option<usize> {
    let at = skip_blanks(bytes, 0)?;
    let (found, length) = row_number(window(bytes, at)?)?;
    // The places of words are bits.
    (length < 8 && at <= 24 && found == number).then_some(at + length)
}

/// Makes a play that leaves dice, or has moves of several dice, and tells whether it ends the game.
#[inline(never)]
fn otherwise(
    position: &mut Position,
    plays: &mut Plays,
    player: Player,
    roll: Roll,
    written: PackedPlay,
) -> Option<bool> {
    let variant = Variant::Backgammon;
    if written.is_empty() {
        return (!variant.can_play(position, player, roll)).then_some(false);
    }
    let (moves, count) = written.unpacked()?;
    let moves = &moves[..count];
    let reading = match variant.one_of_two_dice(position, player, roll, moves, plays) {
        Some(reading) => reading,
        None => match variant.judge(position, player, roll, moves) {
            Verdict::Legal(reading) => reading,
            _ => return None,
        },
    };
    (reading.hits == marked_points(moves)).then_some(())?;
    *position = reading.position;
    Some(position.has_borne_off_all(player))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::test_support;

    #[test]
    fn a_roll_that_cannot_be_played_is_no_play_with_moves() {
        // On the bar, and the opponent holds every point to enter on.
        let closed = "25:1 6:2 | 1:2 2:2 3:2 4:2 5:2 6:2";
        let mut position = test_support::position(Variant::Backgammon, closed);
        let (start, roll) = (position, Roll::new(3, 1).expect("a roll"));
        let mut made = |moves: &[(u8, u8)]| {
            let mut play = PackedPlay::EMPTY;
            for &(from, to) in moves {
                let moved = Move::from_numbers(from, to, false).expect("places");
                play.push(PackedMove::new(moved));
            }
            otherwise(&mut position, &mut Plays::new(), Player::One, roll, play)
        };
        assert_eq!(made(&[]), Some(false));
        assert_eq!(made(&[(25, 22), (6, 5)]), None);
        assert_eq!(made(&[(6, 3), (6, 5)]), None);
        assert_eq!(position, start);
    }
}
