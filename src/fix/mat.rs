//! Edits of Jellyfish match text.
//!
//! Another play or other dice are written into their cell, and the blanks behind it give way, so that the right
//! column stays where it is. Where cells come, go or change sides, the rows from there to the end of the game are
//! laid out again with the same words; a row that says the same as before stays as it is.

use super::TextEdit;
use crate::board::{Move, Play, Player};
use crate::record::{Action, Entry, GameRecord, MatchRecord, WrittenPlay};
use crate::repair::{Edit, Repair, apply};
use crate::source::Span;

/// The blanks that stay between two cells if there are enough.
const GAP: usize = 2;

/// The edits for a repair.
///
/// # Errors
///
/// Why it cannot be written into this text.
pub(super) fn edits(
    text: &str,
    record: &MatchRecord,
    game: usize,
    repair: &Repair,
) -> Result<Vec<TextEdit>, String> {
    let game = record.games.get(game).ok_or("there is no such game")?;
    let marks = record.has_hit_marks == Some(true);
    let page = Page { text, game, marks };
    let mut edits = match &repair.edit {
        Edit::Replace { index, action } => page.replace(*index, action)?,
        Edit::Remove {
            index,
            count,
            shifts: false,
        } => page.remove(*index, *count)?,
        Edit::Result(result) => page.result(result)?,
        edit => page.lay_out_again(edit)?,
    };
    let first = edits.iter().map(|edit| edit.range.start).min();
    let at = page.line(first.unwrap_or(0)).0;
    let comment = page.comment(repair);
    match edits.iter_mut().find(|edit| edit.range.start == at) {
        Some(edit) => edit.text.insert_str(0, &comment),
        None => edits.push(TextEdit {
            range: at..at,
            text: comment,
        }),
    }
    Ok(edits)
}

/// A line: where it starts, where its text ends, and where the next one starts.
type Bounds = (usize, usize, usize);

/// The text and the game in it.
struct Page<'a> {
    text: &'a str,
    game: &'a GameRecord,
    marks: bool,
}

/// A row of a game: its number, and the left and the right cell.
#[derive(Debug, Clone, PartialEq, Default)]
struct Row {
    number: u32,
    cells: [Option<String>; 2],
}

impl<'a> Page<'a> {
    fn slice(&self, span: Span) -> &'a str {
        self.text
            .get(span.start as usize..span.end as usize)
            .unwrap_or("")
    }

    /// The line that holds a byte.
    fn line(&self, at: usize) -> Bounds {
        let before = &self.text.as_bytes()[..at];
        let start = memchr::memrchr2(b'\n', b'\r', before).map_or(0, |end| end + 1);
        let line = crate::source::line_from(self.text, start);
        (start, start + line.text.len(), line.next)
    }

    fn line_end(&self) -> &'static str {
        match memchr::memchr2(b'\n', b'\r', self.text.as_bytes()) {
            Some(at) if self.text.as_bytes()[at] == b'\n' => "\n",
            Some(at) if self.text.as_bytes().get(at + 1) == Some(&b'\n') => "\r\n",
            Some(_) => "\r",
            None => "\n",
        }
    }

    /// The line that says what was repaired.
    fn comment(&self, repair: &Repair) -> String {
        let written = self.slice(repair.span).split_whitespace();
        let written = written.collect::<Vec<_>>().join(" ");
        let title = repair.slip.title;
        let what = match &repair.edit {
            Edit::Replace { .. } | Edit::Result(_) | Edit::Remove { .. } => {
                format!("{title}: {written}")
            }
            Edit::Insert { .. } => format!("{title}: {}", repair.suggested),
            Edit::Swap { .. } => title.to_owned(),
        };
        format!("; repaired: {what}{}", self.line_end())
    }

    /// Another cell in the place of one; blanks behind it give way.
    fn in_place(&self, span: Span, cell: String) -> TextEdit {
        let (start, end) = (span.start as usize, span.end as usize);
        let rest = &self.text[end..self.line(start).1];
        let blanks = rest.len() - rest.trim_start_matches(' ').len();
        let (old, new) = (self.slice(span).chars().count(), cell.chars().count());
        if blanks == rest.len() {
            return TextEdit {
                range: start..end,
                text: cell,
            };
        }
        let kept = (blanks + old).saturating_sub(new).max(blanks.min(GAP));
        TextEdit {
            range: start..end + blanks,
            text: cell + &" ".repeat(kept),
        }
    }

    fn replace(&self, index: usize, action: &Action) -> Result<Vec<TextEdit>, String> {
        let entry = self
            .game
            .entries
            .get(index)
            .ok_or("there is no such cell")?;
        let cell = self.cell_for(entry, action)?;
        Ok(vec![self.in_place(entry.span, cell)])
    }

    /// A cell with another action, in the words of the one that is written.
    fn cell_for(&self, entry: &Entry, action: &Action) -> Result<String, String> {
        let cell = self.slice(entry.span);
        let (
            Action::Play {
                roll: was,
                play: written,
            },
            Action::Play { roll, play },
        ) = (entry.action, *action)
        else {
            return Err("the cell is not one of a play".to_owned());
        };
        let (dice, moves) = cell.split_once(':').ok_or("the dice have no colon")?;
        if roll != was {
            let digits = was.to_string();
            if dice.matches(&digits).count() != 1 {
                return Err("the dice are not written as two digits".to_owned());
            }
            let dice = dice.replacen(&digits, &roll.to_string(), 1);
            return Ok(format!("{dice}:{moves}"));
        }
        let WrittenPlay::Moves(meant) = play else {
            return Err("there is no play to write".to_owned());
        };
        let blanks = moves.len() - moves.trim_start().len();
        let gap = if blanks == 0 { " " } else { &moves[..blanks] };
        let written = match written {
            WrittenPlay::Moves(written) => written,
            _ => Play::EMPTY,
        };
        let moves = self.one_changed(moves.trim(), &written, &meant);
        let moves = moves.unwrap_or_else(|| self.play(&meant));
        Ok(format!("{dice}:{gap}{moves}"))
    }

    /// The written moves with one of them changed, if that is all and each is written by itself.
    fn one_changed(&self, moves: &str, written: &Play, meant: &Play) -> Option<String> {
        let tokens: Vec<&str> = moves.split(' ').filter(|token| !token.is_empty()).collect();
        let written = written.moves();
        let same = |one: &Move, other: &Move| (one.from, one.to) == (other.from, other.to);
        if tokens.len() != written.len() || written.len() != meant.moves().len() {
            return None;
        }
        let mut left: Vec<Move> = meant.moves().to_vec();
        let mut odd = Vec::new();
        for (index, moved) in written.iter().enumerate() {
            match left.iter().position(|other| same(moved, other)) {
                Some(at) => drop(left.remove(at)),
                None => odd.push(index),
            }
        }
        let ([index], [moved]) = (&odd[..], &left[..]) else {
            return None;
        };
        let stars = |play: &[Move]| play.iter().filter(|moved| moved.hits).count();
        let others = stars(written) - usize::from(written[*index].hits);
        if self.marks && others != stars(meant.moves()) - usize::from(moved.hits) {
            return None;
        }
        let mut tokens: Vec<String> = tokens.into_iter().map(str::to_owned).collect();
        tokens[*index] = self.words(moved);
        Some(tokens.join(" "))
    }

    /// A play in the manner of the game.
    fn play(&self, play: &Play) -> String {
        let moves: Vec<String> = play
            .sorted()
            .moves()
            .iter()
            .map(|m| self.words(m))
            .collect();
        moves.join(" ")
    }

    /// A move in the manner of the game: with words or numbers for bar and off, with a star or without.
    fn words(&self, moved: &Move) -> String {
        let (bar, off) = (
            self.said(&["bar", "Bar", "BAR"], "25"),
            self.said(&["off", "Off", "OFF"], "0"),
        );
        let word = |number: u8| match number {
            25 => bar.to_owned(),
            0 => off.to_owned(),
            number => number.to_string(),
        };
        let star = if moved.hits && self.marks { "*" } else { "" };
        let (from, to) = (moved.from.number(), moved.to.number());
        format!("{}/{}{star}", word(from), word(to))
    }

    /// The word that the game uses.
    fn said(&self, words: &[&'static str], number: &'static str) -> &'static str {
        let cells = || self.game.entries.iter().map(|entry| self.slice(entry.span));
        let is_said = |word: &&&str| cells().any(|cell| cell.contains(**word));
        words.iter().find(is_said).copied().unwrap_or(number)
    }

    /// Cells that go: whole lines if nothing else stands there.
    fn remove(&self, index: usize, count: usize) -> Result<Vec<TextEdit>, String> {
        let entries = self.game.entries.get(index..index + count);
        let entries = entries.ok_or("there are no such cells")?;
        let lines: Vec<_> = entries
            .iter()
            .map(|entry| self.line(entry.span.start as usize))
            .collect();
        let mut edits = Vec::new();
        for (number, (start, end, next)) in lines.iter().enumerate() {
            if number > 0 && lines[number - 1].0 == *start {
                continue;
            }
            let mut rest = self.text[*start..*end].to_owned();
            for entry in entries
                .iter()
                .filter(|entry| (*start..*end).contains(&(entry.span.start as usize)))
            {
                let (from, to) = (entry.span.start as usize, entry.span.end as usize);
                let blank = " ".repeat(self.text[from..to].chars().count());
                if rest.len() == end - start {
                    rest.replace_range(from - start..to - start, &blank);
                }
            }
            let is_empty = row_prefix(&rest).is_some_and(|prefix| rest[prefix..].trim().is_empty());
            edits.push(if is_empty {
                TextEdit {
                    range: *start..*next,
                    text: String::new(),
                }
            } else {
                TextEdit {
                    range: *start..*end,
                    text: rest.trim_end().to_owned(),
                }
            });
        }
        Ok(edits)
    }

    /// Another number in the stated result.
    fn result(&self, result: &crate::record::GameResult) -> Result<Vec<TextEdit>, String> {
        let stated = self.game.result.ok_or("no result is stated")?;
        if result.winner != stated.value.winner {
            return Err("the winner is told by a column; look at it yourself".to_owned());
        }
        let (Some(was), Some(points)) = (stated.value.points, result.points) else {
            return Err("the result has no number".to_owned());
        };
        let words = self.slice(stated.span);
        let digits = was.to_string();
        if words.matches(&digits).count() != 1 {
            return Err("the number of the result stands there more than once".to_owned());
        }
        let mut words = words.replacen(&digits, &points.to_string(), 1);
        if points == 1 {
            words = words.replacen("points", "point", 1);
        } else if !words.contains("points") {
            words = words.replacen("point", "points", 1);
        }
        Ok(vec![self.in_place(stated.span, words)])
    }

    /// The rows from an edit to the end of the game with other cells.
    fn lay_out_again(&self, edit: &Edit) -> Result<Vec<TextEdit>, String> {
        let entries = &self.game.entries;
        let index = edit.index().unwrap_or(0);
        let anchor = entries
            .get(index)
            .or(entries.last())
            .ok_or("there are no cells")?;
        let start = match edit {
            // A cell that comes may have room in the row before.
            Edit::Insert { .. } if index > 0 => entries[index - 1].span.start,
            _ => anchor.span.start,
        };
        let start = self.line(start as usize).0;
        let first = entries.partition_point(|entry| (entry.span.start as usize) < start);
        let mut changed = self.game.clone();
        apply(edit, &mut changed);
        let inserted = match edit {
            Edit::Insert { index, .. } => Some(*index),
            _ => None,
        };
        let mut cells = Vec::new();
        for (at, entry) in changed.entries.iter().enumerate().skip(first) {
            let words = if inserted == Some(at) {
                self.cell_of(entry)?
            } else {
                self.slice(entry.span).to_owned()
            };
            cells.push((entry.player, words));
        }
        let (old, lines) = self.rows(first, start)?;
        let end = lines.last().map_or(start, |line| line.2);
        let number = old.first().map_or(1, |row| row.number);
        let new = rows_of(&cells, number);
        let ending = self.line_end();
        let mut text = String::new();
        for (at, row) in new.iter().enumerate() {
            match (old.get(at), lines.get(at)) {
                (Some(before), Some(&(start, _, next))) if before == row => {
                    text.push_str(&self.text[start..next]);
                }
                _ => {
                    text.push_str(&self.written(row));
                    text.push_str(ending);
                }
            }
        }
        if end == self.text.len() && !self.text.ends_with(['\n', '\r']) {
            text.truncate(text.len() - ending.len());
        }
        Ok(vec![TextEdit {
            range: start..end,
            text,
        }])
    }

    /// The rows from a line on, and their lines.
    fn rows(&self, first: usize, start: usize) -> Result<(Vec<Row>, Vec<Bounds>), String> {
        let entries = &self.game.entries[first..];
        let last = entries
            .last()
            .map_or(start, |entry| entry.span.end as usize);
        let (mut rows, mut lines) = (Vec::new(), Vec::new());
        let mut at = start;
        let mut left = entries;
        while at < last {
            let line = self.line(at);
            let here = left.partition_point(|entry| (entry.span.start as usize) < line.2);
            let (cells, rest) = left.split_at(here);
            left = rest;
            let text = &self.text[line.0..line.1];
            let prefix = row_prefix(text).ok_or("something else stands between the rows")?;
            let number = text[..prefix].trim().trim_end_matches([')', '.']).parse();
            let mut row = Row {
                number: number.map_err(|_| "a row has no number")?,
                ..Row::default()
            };
            let mut said = 0;
            for entry in cells {
                let words = self.slice(entry.span);
                said += words.split_whitespace().map(str::len).sum::<usize>();
                let slot = &mut row.cells[entry.player.index()];
                if slot.replace(words.to_owned()).is_some() {
                    return Err("a row has two cells of one player".to_owned());
                }
            }
            let all: usize = text[prefix..].split_whitespace().map(str::len).sum();
            if all != said {
                return Err("something else stands in a row".to_owned());
            }
            rows.push(row);
            lines.push(line);
            at = line.2;
        }
        Ok((rows, lines))
    }

    /// Where the cells of a player stand: the first column of a roll.
    fn column(&self, player: Player) -> usize {
        let rolls =
            self.game.entries.iter().filter(|entry| {
                entry.player == player && matches!(entry.action, Action::Play { .. })
            });
        let column = |entry: &Entry| {
            let start = entry.span.start as usize;
            self.text[self.line(start).0..start].chars().count()
        };
        let usual = if player == Player::One { 5 } else { 33 };
        rolls.map(column).next().unwrap_or(usual)
    }

    /// A row as a line.
    fn written(&self, row: &Row) -> String {
        let mut line = format!("{:>3})", row.number);
        for player in Player::BOTH {
            let Some(cell) = &row.cells[player.index()] else {
                continue;
            };
            // Words stand one column behind the rolls.
            let behind = usize::from(!cell.starts_with(|c: char| c.is_ascii_digit()));
            let column = self.column(player) + behind;
            let written = line.chars().count();
            let blanks = column
                .saturating_sub(written)
                .max(1 + usize::from(written > 8));
            line.push_str(&" ".repeat(blanks));
            line.push_str(cell);
        }
        line
    }

    /// The words of a cell that was not written.
    fn cell_of(&self, entry: &Entry) -> Result<String, String> {
        Ok(match entry.action {
            Action::Take => "Takes".to_owned(),
            Action::Pass => "Drops".to_owned(),
            Action::Double { to: Some(to), .. } => format!("Doubles => {to}"),
            Action::Play {
                roll,
                play: WrittenPlay::Moves(play),
            } => format!("{roll}: {}", self.play(&play)),
            Action::Play { roll, .. } => format!("{roll}:"),
            _ => return Err("there are no words for it".to_owned()),
        })
    }
}

/// Where the cells of a row start: behind its number.
fn row_prefix(line: &str) -> Option<usize> {
    let digits = line.trim_start();
    let start = line.len() - digits.len();
    let end = digits.find(|c: char| !c.is_ascii_digit())?;
    (end > 0 && digits[end..].starts_with([')', '.'])).then_some(start + end + 1)
}

/// Cells in rows, each player's in one column.
fn rows_of(cells: &[(Player, String)], first: u32) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for (player, cell) in cells {
        let is_open = rows
            .last()
            .is_some_and(|row| *player == Player::Two && row.cells[1].is_none());
        if !is_open {
            let number = first + rows.len() as u32;
            rows.push(Row {
                number,
                ..Row::default()
            });
        }
        if let Some(row) = rows.last_mut() {
            row.cells[player.index()] = Some(cell.clone());
        }
    }
    rows
}
