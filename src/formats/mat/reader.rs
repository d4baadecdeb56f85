//! The loop over the lines of a file.

use std::cell;

use super::cell::{Cell, Kind, cells, game_line, match_line, row_number, word};
use super::header::{Declared, check_tags, declared, tag};
use super::made::{Expected, Making};
use super::plain::{PlainRow, other_plain_row, plain_row};
use super::score_line::{ScoreLine, score_line, split_rating, usual_score_line};
use crate::board::{ByPlayer, Cube, Length, Player, Setup, Variant};
use crate::diagnostic::{Context, Finding, Findings, Level, syntax};
use crate::formats::text::{column, encoding_guessed, folded, snowie_position, xg_board};
use crate::formats::{MadeSink, NotThisFormat, Sink};
use crate::record::{
    Action, Dialect, Entry, GameRecord, GameResult, MatchRecord, Tag, WrittenPlay,
};
use crate::source::{Line, Source, Span, Spanned, line_from, lines};

/// Where the reader is in a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    /// Before the match line, or after it and before a game.
    Header,
    /// After a game's heading, before its score line.
    Heading,
    /// In the rows of a game.
    Rows,
}

/// What was seen of a producer's habits, to recognise it.
#[derive(Debug, Default)]
struct Habits {
    losses: bool,
    resigned_game: bool,
    long_arrow: bool,
    ratings: bool,
    illegal_play: bool,
}

/// A way to read a plain row.
type RowReader = fn(&mut PlainRow, &mut Vec<Entry>, &[u8], usize) -> Option<usize>;

/// Who takes the matches.
enum Target<'o, 'b> {
    /// With every action.
    Whole(&'o mut Sink<'b>),
    /// With the plays made that are beyond doubt.
    Made(&'o mut MadeSink<'b>, Making),
}

pub(super) struct Reader<'s, 'o, 'b> {
    source: &'s Source,
    target: Target<'o, 'b>,
    findings: Findings,
    record: MatchRecord,
    at: At,
    has_match: bool,
    match_number: u32,
    /// Tags and comments that came after a game: of the next match if one follows.
    pending_tags: Vec<Tag>,
    pending_comments: Vec<Spanned<String>>,
    /// The comment lines before an entry.
    comment: Option<String>,
    declared: Vec<Declared>,
    swapped: bool,
    row: u32,
    last: Option<Player>,
    columns: Columns,
    /// Up to this byte no row tells the column of the right player.
    barren: usize,
    /// Up to where rows were looked at ahead.
    ahead: usize,
    right_name: Option<u32>,
    habits: Habits,
    stars: bool,
    row_jumped: bool,
    cells: Vec<Cell>,
    /// Games start with a line of two names and have no heading: a Jellyfish game.
    headless: bool,
    plain: PlainRow,
    /// Room for the actions of games, kept from one match to the next and, by thread, from one text to the next.
    spare: Vec<Vec<Entry>>,
    /// Something must be read in full.
    is_given_up: bool,
}

thread_local! {
    static SPARE: cell::Cell<Vec<Vec<Entry>>> = const { cell::Cell::new(Vec::new()) };
    /// In the same way the room for games that are made.
    static MAKING: cell::Cell<Making> = cell::Cell::default();
}

/// How many games' room is kept.
pub(super) const MOST_SPARE: usize = 64;

/// How often the second cell of a row starts in each column.
#[derive(Debug, Clone)]
struct Columns {
    counts: [u16; 128],
    most: Option<u8>,
    rows: u32,
}

impl Columns {
    fn new() -> Columns {
        Columns {
            counts: [0; 128],
            most: None,
            rows: 0,
        }
    }

    /// Where the right half is expected.
    fn right(&self) -> usize {
        self.most.map_or(18, usize::from)
    }

    #[inline]
    fn note(&mut self, column: u32) {
        if let Some(count) = self.counts.get_mut(column as usize) {
            *count = count.saturating_add(1);
            let count = *count;
            self.rows += 1;
            if self
                .most
                .is_none_or(|most| count > self.counts[usize::from(most)])
            {
                self.most = Some(column as u8);
            }
        }
    }
}

impl<'s, 'o, 'b> Reader<'s, 'o, 'b> {
    pub(super) fn new(source: &'s Source, sink: &'o mut Sink<'b>) -> Reader<'s, 'o, 'b> {
        Reader::to(source, Target::Whole(sink))
    }

    /// Makes the plays that are beyond doubt; [`Reader::read`] ends where something else must be asked.
    pub(super) fn making(source: &'s Source, sink: &'o mut MadeSink<'b>) -> Reader<'s, 'o, 'b> {
        Reader::to(source, Target::Made(sink, MAKING.take()))
    }

    fn to(source: &'s Source, target: Target<'o, 'b>) -> Reader<'s, 'o, 'b> {
        Reader {
            source,
            target,
            findings: Findings::default(),
            record: MatchRecord::default(),
            at: At::Header,
            has_match: false,
            match_number: 1,
            pending_tags: Vec::new(),
            pending_comments: Vec::new(),
            comment: None,
            declared: Vec::new(),
            swapped: false,
            row: 0,
            last: None,
            columns: Columns::new(),
            barren: 0,
            ahead: 0,
            right_name: None,
            habits: Habits::default(),
            stars: false,
            row_jumped: false,
            cells: Vec::new(),
            headless: false,
            plain: PlainRow::default(),
            spare: SPARE.take(),
            is_given_up: false,
        }
    }

    /// For games without headings, each below a line with the names.
    pub(super) fn headless(mut self) -> Reader<'s, 'o, 'b> {
        self.headless = true;
        self
    }

    /// Hands over the matches; false if not all of them were, because something must be read in full.
    ///
    /// # Errors
    ///
    /// There is neither a match nor a game.
    pub(super) fn read(mut self) -> Result<bool, NotThisFormat> {
        if let Some(finding) = encoding_guessed(self.source) {
            self.report(finding);
        }
        let text = self.source.text();
        let mut start = 0;
        while start < text.len() && !self.is_given_up {
            let next = self.made_row(text, start);
            start = next.unwrap_or_else(|| match self.target {
                Target::Made(..) => self.absorbed_line(text, start),
                Target::Whole(_) => self.next_line(text, start, plain_row),
            });
        }
        if self.is_given_up {
            self.keep_room();
        } else if !self.has_match && self.record.games.is_empty() {
            return Err(NotThisFormat(self.why_nothing()));
        } else {
            self.end_match();
        }
        SPARE.set(self.spare);
        if let Target::Made(_, mut making) = self.target {
            making.clear();
            MAKING.set(making);
        }
        Ok(!self.is_given_up)
    }

    /// Reads the line that starts here, if it is a row in this way; returns where the next one starts.
    #[inline(always)]
    fn next_line(&mut self, text: &str, start: usize, row: RowReader) -> usize {
        // Almost every line is a row that needs no search for its end.
        if self.at == At::Rows
            && let Some(game) = self.record.games.last_mut()
        {
            let before = game.entries.len();
            self.plain.right = self.columns.right();
            let end = row(&mut self.plain, &mut game.entries, text.as_bytes(), start);
            if let Some(end) = end {
                return self.plain(start, end, before);
            }
        }
        let line = line_from(text, start);
        self.line(line);
        line.next
    }

    /// The same where plays are made, which is all that most rows have. `None`: they are not made, or not from this line
    /// alone.
    #[inline(always)]
    fn made_row(&mut self, text: &str, start: usize) -> Option<usize> {
        let expected = Expected {
            number: self.row + 1,
            right: self.columns.most.map_or(128, usize::from),
            left: self.left(),
        };
        let Target::Made(_, making) = &mut self.target else {
            return None;
        };
        if text.as_bytes()[start] == b'\n' {
            // An empty line says nothing.
            return Some(start + 1);
        }
        (self.at == At::Rows && self.comment.is_none()).then_some(())?;
        let row = making.row(&text.as_bytes()[start..], expected)?;
        self.row = expected.number;
        self.last = Some(row.last);
        self.stars |= row.has_star;
        if let Some(second) = row.second {
            self.columns.note(second);
        }
        Some(self.behind_line(start + row.end))
    }

    /// Any other line where plays are made: read as usual, then its plays are made.
    #[inline(never)]
    fn absorbed_line(&mut self, text: &str, start: usize) -> usize {
        let next = self.next_line(text, start, other_plain_row);
        if let Target::Made(_, making) = &mut self.target {
            let is_usual = making.absorb(&mut self.record.games) && self.declared.is_empty();
            self.is_given_up |= !is_usual;
        }
        next
    }

    /// Behind the end of the line that stands here.
    #[inline(always)]
    fn behind_line(&self, end: usize) -> usize {
        let ending = &self.source.text().as_bytes()[end..];
        end + if ending.starts_with(b"\r\n") { 2 } else { 1 }
    }

    fn why_nothing(&self) -> String {
        if self.source.text().trim().is_empty() {
            "the file is empty".to_owned()
        } else {
            "no match line (such as \"7 point match\") and no game".to_owned()
        }
    }

    fn report(&mut self, finding: Finding) {
        let games = self.record.games.len() as u32;
        let context = Context {
            match_number: Some(self.match_number),
            game: (games > 0 && self.at != At::Header).then_some(games),
            ..finding.context
        };
        self.findings.push(finding.within(context));
    }

    fn line(&mut self, line: Line<'_>) {
        if self.headless && self.names_line(line) {
            return;
        }
        let bytes = line.text.as_bytes();
        let blanks = bytes
            .iter()
            .take_while(|&&b| b == b' ' || b == b'\t')
            .count();
        match bytes.get(blanks) {
            None => {}
            Some(b'0'..=b'9') if self.at != At::Heading => self.numbered(line, blanks),
            Some(b';' | b'#') => self.remark(line, blanks),
            Some(_) => self.lettered(line),
        }
    }

    /// A line that starts with a digit: a row, the match line, or a row without a number.
    fn numbered(&mut self, line: Line<'_>, blanks: usize) {
        let text = &line.text[blanks..];
        if let Ok((rest, number)) = row_number(text) {
            return self.row_line(line, line.text.len() - rest.len(), Some(number));
        }
        match match_line(text.trim_end()) {
            Ok((_, length)) => self.match_heading(line, length),
            Err(_) => self.row_line(line, blanks, None),
        }
    }

    /// The row that was just read, from `start` to the end of its line at `end`; its actions stand behind the first
    /// `before` ones of the game. Returns where the next line starts.
    #[inline]
    fn plain(&mut self, start: usize, end: usize, before: usize) -> usize {
        let row = &self.plain;
        let number = row.number;
        let is_next = number == self.row + 1 && self.comment.is_none();
        let first = match row.count {
            _ if !is_next => None,
            // The first of two cells stands clear of the right half.
            2 if row.cells[0].0 + 2 < self.columns.most.map_or(128, usize::from) => {
                Some(self.left())
            }
            1 => self.side_of_plain_cell(before),
            _ => None,
        };
        let Some(first) = first else {
            return self.unplain(start, before);
        };
        self.stars |= row.has_star;
        self.row = number;
        if row.count == 2 {
            self.columns.note(row.cells[1].0 as u32);
        }
        let wins = row.wins.is_some();
        let game = self.record.games.last_mut().expect("a game with rows");
        let mut acts = first;
        for entry in &mut game.entries[before..] {
            entry.player = acts;
            self.last = Some(acts);
            acts = !acts;
        }
        if wins {
            let (from, to) = self.plain.cells[1];
            let span = Span::new((start + from) as u32, (start + to) as u32);
            self.set_result(!first, self.plain.wins, false, true, span);
        }
        self.behind_line(end)
    }

    /// The row that was just read, where more than its columns must be asked.
    fn unplain(&mut self, start: usize, before: usize) -> usize {
        let game = self.record.games.last_mut().expect("a game with rows");
        let cells = self.plain.cells(&game.entries[before..]);
        game.entries.truncate(before);
        let line = line_from(self.source.text(), start);
        self.number(self.plain.number, line);
        let place = Place {
            line,
            text: line.text,
            from: self.plain.from,
            map: None,
            numbered: true,
            ascii: true,
            shift: 0,
        };
        let count = self.plain.count;
        self.cells_of_row(&cells[..count], &place);
        line.next
    }

    /// The half of a lone cell, where its column leaves no doubt: what `side_of_lone_cell` finds first.
    fn side_of_plain_cell(&self, before: usize) -> Option<Player> {
        let right = self.columns.most.filter(|_| self.columns.rows > 0)?;
        let start = self.plain.cells[0].0;
        let near_left = start <= self.plain.from + 3;
        let near_right = start + 2 >= usize::from(right);
        let side = if near_left { self.left() } else { !self.left() };
        let action = self.record.games.last()?.entries.get(before)?.action;
        // Its column alone does not tell whose an answer is.
        let is_answer = matches!(action, Action::Take | Action::Pass);
        (near_left != near_right && !is_answer).then_some(side)
    }

    fn lettered(&mut self, line: Line<'_>) {
        let text = trim(line.text);
        if text.is_empty() || text.starts_with('\0') && text.trim_matches('\0').trim().is_empty() {
            return;
        }
        if self.at == At::Heading && self.score_line(line) {
            return;
        }
        if let Some(number) = usual_game_line(text) {
            return self.game_heading(text, number, "");
        }
        if let b'g' | b'G' = text.as_bytes()[0]
            && let Ok((_, (number, rest))) = game_line(text)
        {
            return self.game_heading(text, number, rest);
        }
        if let Ok((_, length)) = match_line(text) {
            return self.match_heading(line, length);
        }
        if self.at == At::Heading && text.starts_with(|c: char| c.is_ascii_digit()) {
            self.at = At::Rows;
            return self.numbered(line, line.text.len() - line.text.trim_start().len());
        }
        if self.at == At::Header {
            return self.prose(line);
        }
        let wins = usual_wins(text).or_else(|| match word(text) {
            Ok(("", kind @ Kind::Wins { .. })) => Some(kind),
            _ => None,
        });
        if let Some(kind) = wins {
            // The usual end of a game; it needs no search for cells.
            self.at = At::Rows;
            let start = text.as_ptr() as usize - line.text.as_ptr() as usize;
            let cell = Cell {
                kind,
                start,
                end: start + text.len(),
            };
            let place = Place {
                line,
                text: line.text,
                from: start,
                map: None,
                numbered: false,
                ascii: line.text.is_ascii() && !line.text.as_bytes().contains(&b'\t'),
                shift: 0,
            };
            return self.cells_of_row(&[cell], &place);
        }
        self.at = At::Rows;
        self.row_line(line, line.text.len() - line.text.trim_start().len(), None);
    }

    /// `7 point match`: a match starts.
    fn match_heading(&mut self, line: Line<'_>, length: Option<u32>) {
        let span = self.trimmed(line);
        if self.has_match || !self.record.games.is_empty() {
            if self.match_number == 1 {
                let message = "the file holds more than one match";
                let finding = Finding::new(
                    &syntax::SEVERAL_MATCHES,
                    span,
                    message,
                    "a second match starts",
                );
                self.report(finding);
            }
            let tags = std::mem::take(&mut self.pending_tags);
            let comments = std::mem::take(&mut self.pending_comments);
            self.end_match();
            self.record.tags = tags;
            self.record.comments = comments;
            self.match_number += 1;
        }
        self.has_match = true;
        self.at = At::Header;
        let most = 9999;
        let is_fibs = length == Some(most);
        let length = match length {
            Some(0 | 9999) => Some(Length::Money),
            Some(points) if points < most => Some(Length::Points(points)),
            _ => None,
        };
        match length {
            Some(value) => self.record.length = Some(Spanned::new(value, span)),
            None => {
                let message = format!("{:?} is no length of a match", line.text.trim());
                let label = "a length is a number from 0 (money play) to 9998";
                let finding = Finding::new(&syntax::UNREADABLE_LINE, span, message, label);
                self.report(finding);
            }
        }
        if is_fibs {
            let message = "9999 points stand for an unlimited session: read as money play";
            let finding = Finding::new(&syntax::BAD_HEADER, span, message, "FIBS writes so");
            self.report(finding.at_level(Level::Note));
        }
    }

    /// `Game 3 (Crawford)`: a game starts.
    fn game_heading(&mut self, text: &str, number: u32, rest: &str) {
        let span = self.source.span(text);
        let crawford = !rest.is_empty() && rest.to_ascii_lowercase().contains("crawford");
        let game = GameRecord {
            heading: span,
            number: Some(Spanned::new(number, span)),
            crawford: crawford.then_some(Spanned::new(true, span)),
            // Most games have fewer; who has a thousand of them is no match.
            entries: match self.record.games.len() < 1000 {
                true => self.spare.pop().unwrap_or_else(|| Vec::with_capacity(64)),
                false => Vec::new(),
            },
            ..GameRecord::default()
        };
        self.start_game(game, At::Heading);
    }

    fn start_game(&mut self, game: GameRecord, at: At) {
        self.end_game();
        self.settle_comments();
        // What is behind the limit is not handed over; one game more tells that there is something.
        if self.record.games.len() <= self.source.limits().games as usize {
            self.record.games.push(game);
        }
        // Tags between games belong to this match after all.
        self.record.tags.append(&mut self.pending_tags);
        self.at = at;
        self.row = 0;
        self.last = None;
        self.row_jumped = false;
    }

    fn score_line(&mut self, line: Line<'_>) -> bool {
        let first = self.record.games.len() == 1;
        if !first
            && let Some(found) = usual_score_line(line.text, &self.record.names)
            && self.usual_score(line, &found)
        {
            return true;
        }
        let expected = if first {
            self.tag_value("Player 2").or(self.tag_value("Player 1"))
        } else {
            Some(self.record.names.two.as_str())
        };
        let found = score_line(line.text, expected);
        let Some(found) = found else {
            return false;
        };
        let span = |(start, end): (usize, usize)| {
            Span::new((line.start + start) as u32, (line.start + end) as u32)
        };
        let whole = self.trimmed(line);
        self.names(line, found.names);
        let scores = found
            .scores
            .map(|(start, end)| line.text[start..end].parse::<u32>().ok());
        let score = match scores {
            [Some(left), Some(right)] => {
                let score = ByPlayer::new(left, right);
                let score = if self.swapped { score.swapped() } else { score };
                Some(Spanned::new(score, whole))
            }
            _ => {
                let wrong = found.scores[usize::from(scores[0].is_some())];
                let message = format!("{:?} is no score", &line.text[wrong.0..wrong.1]);
                let label = "a score is a whole number from 0 on";
                let finding = Finding::new(&syntax::UNREADABLE_LINE, span(wrong), message, label);
                self.report(finding);
                None
            }
        };
        let game = self.record.games.last_mut().expect("a game was headed");
        game.has_score_line = true;
        game.score = score;
        if found.crawford {
            game.crawford = Some(Spanned::new(true, whole));
        }
        self.at = At::Rows;
        true
    }

    /// Takes a score line with the names of the first game; false if more must be asked.
    fn usual_score(&mut self, line: Line<'_>, found: &ScoreLine) -> bool {
        // Where the first game had ratings, some may be here too.
        let ratings = &self.record.ratings;
        let scores = found
            .scores
            .map(|(start, end)| line.text[start..end].parse::<u32>());
        let ([Ok(left), Ok(right)], None, None) = (scores, &ratings.one, &ratings.two) else {
            return false;
        };
        let [start, end] = [found.names[0].0, found.scores[1].1].map(|at| (line.start + at) as u32);
        let game = self.record.games.last_mut().expect("a game was headed");
        game.has_score_line = true;
        game.score = Some(Spanned::new(
            ByPlayer::new(left, right),
            Span::new(start, end),
        ));
        self.swapped = false;
        self.right_name = Some(column(line.text, found.names[1].0));
        self.at = At::Rows;
        true
    }

    /// The names of a game, which are those of the match in its first one.
    fn names(&mut self, line: Line<'_>, places: [(usize, usize); 2]) {
        let first = self.record.games.len() == 1;
        let span = |(start, end): (usize, usize)| {
            Span::new((line.start + start) as u32, (line.start + end) as u32)
        };
        let whole = self.trimmed(line);
        self.right_name = Some(column(line.text, places[1].0));
        let texts = places.map(|(start, end)| &line.text[start..end]);
        let [left, right] = texts.map(split_rating);
        self.habits.ratings |= left.1.is_some() && right.1.is_some();
        let (left_rating, right_rating) = (left.1, right.1);
        let (left, right) = (left.0, right.0);
        if first {
            self.record.names = ByPlayer::new(left.to_owned(), right.to_owned());
            self.record.ratings =
                ByPlayer::new(left_rating, right_rating).map(|rating| rating.map(str::to_owned));
        }
        let known = &self.record.names;
        let same = known.one == left && known.two == right;
        self.swapped = !first && !same && known.one == right && known.two == left;
        if !same {
            let names = ByPlayer::new(
                Some(Spanned::new(left.to_owned(), span(places[0]))),
                Some(Spanned::new(right.to_owned(), span(places[1]))),
            );
            if !self.swapped {
                let message = "the names are not those of the first game";
                let label = format!("{:?} and {:?} before", known.one, known.two);
                let finding = Finding::new(&syntax::BAD_HEADER, whole, message, label);
                self.report(finding);
            }
            let game = self.record.games.last_mut().expect("a game was headed");
            game.names = if self.swapped { names.swapped() } else { names };
        }
    }

    /// The line with the names above the first row of a Jellyfish game.
    fn names_line(&mut self, line: Line<'_>) -> bool {
        let has_begun = self
            .record
            .games
            .last()
            .is_none_or(|game| self.row > 0 || game.result.is_some());
        if !has_begun || !is_names_line(self.source.text(), line) {
            return false;
        }
        let (places, told_apart) = two_names(line.text);
        let span = self.trimmed(line);
        let game = GameRecord {
            heading: span,
            has_score_line: true,
            ..GameRecord::default()
        };
        self.start_game(game, At::Rows);
        self.names(line, places);
        // A long name moves the other one, and no row.
        self.right_name = self.right_name.map(|column| column.min(33));
        if !told_apart {
            let message = "the names cannot be told apart";
            let label = "split at the first blank";
            self.report(Finding::new(&syntax::BAD_HEADER, span, message, label));
        }
        true
    }

    fn tag_value(&self, name: &str) -> Option<&str> {
        self.record.tag(name).map(|tag| tag.value.as_str())
    }

    /// A line that starts with `;` or `#`.
    fn remark(&mut self, line: Line<'_>, blanks: usize) {
        let text = line.text[blanks + 1..].trim();
        let span = self.trimmed(line);
        if let Some(set) = text
            .strip_prefix("Set Pos=")
            .or(text.strip_prefix("SetPos="))
        {
            return self.set_position(span, set.trim());
        }
        if let Some((name, value)) = tag(text) {
            if matches!(name.to_ascii_lowercase().as_str(), "illegalplay" | "remark") {
                self.declared.extend(declared(value));
            }
            let tag = Tag {
                name: name.to_owned(),
                value: value.to_owned(),
                span,
            };
            let tags = if self.at == At::Header && !self.is_after_a_game() {
                &mut self.record.tags
            } else {
                &mut self.pending_tags
            };
            tags.push(tag);
            return;
        }
        if text.to_ascii_lowercase().contains("illegal") {
            self.declared.extend(declared(text));
        }
        self.comment(span, text);
    }

    fn is_after_a_game(&self) -> bool {
        !self.record.games.is_empty()
    }

    fn comment(&mut self, span: Span, text: &str) {
        if self.at == At::Header {
            self.record
                .comments
                .push(Spanned::new(text.to_owned(), span));
            return;
        }
        let is_over = self
            .record
            .games
            .last()
            .is_some_and(|game| game.result.is_some());
        if is_over {
            self.pending_comments
                .push(Spanned::new(text.to_owned(), span));
            return;
        }
        match &mut self.comment {
            Some(before) => {
                before.push('\n');
                before.push_str(text);
            }
            None => self.comment = Some(text.to_owned()),
        }
    }

    /// Text before the match line: a title, a box of remarks.
    fn prose(&mut self, line: Line<'_>) {
        let text = line.text.trim();
        if text.to_ascii_lowercase().contains("illegal") {
            self.declared.extend(declared(text));
        }
        let span = self.trimmed(line);
        self.record
            .comments
            .push(Spanned::new(text.to_owned(), span));
    }

    /// `; Set Pos=` with a board and a cube: where the game starts, or what was set in its middle.
    fn set_position(&mut self, span: Span, text: &str) {
        let setup = set_position(text);
        if self.record.games.is_empty() {
            return self.comment(span, text);
        }
        let Some(setup) = setup else {
            let message = "the position that is set here cannot be read";
            let label = "26 characters of an XGID, a slash and the cube";
            let finding = Finding::new(&syntax::IMPOSSIBLE_POSITION, span, message, label);
            self.report(finding);
            let game = self.game();
            let mut entry = Entry::new(Player::One, Action::Unreadable, 0, span);
            entry.extra_mut().unreadable = true;
            game.entries.push(entry);
            return;
        };
        let game = self.game();
        if game.entries.is_empty() {
            game.start = Some(Spanned::new(setup, span));
        } else {
            let mut entry = Entry::new(Player::One, Action::Set, 0, span);
            entry.extra_mut().position_after = Some(Spanned::new(setup, span));
            game.entries.push(entry);
        }
    }

    /// The game that rows belong to; one without a heading if there was none.
    fn game(&mut self) -> &mut GameRecord {
        if self.record.games.is_empty() {
            self.record.games.push(GameRecord::default());
        }
        self.record.games.last_mut().expect("a game")
    }

    fn row_line(&mut self, line: Line<'_>, from: usize, number: Option<u32>) {
        if self.record.games.is_empty() {
            if !self.has_match {
                return self.prose(line);
            }
            let heading = self.trimmed(line);
            self.game().heading = heading;
            self.at = At::Rows;
        }
        if self.at == At::Heading {
            self.at = At::Rows;
        }
        if let Some((text, map)) = folded(line.text) {
            let from = map
                .iter()
                .position(|&old| old as usize >= from)
                .unwrap_or(text.len());
            self.row(line, &text, from, number, Some(&map));
        } else {
            self.row(line, line.text, from, number, None);
        }
    }

    fn row(
        &mut self,
        line: Line<'_>,
        text: &str,
        from: usize,
        number: Option<u32>,
        map: Option<&[u32]>,
    ) {
        let mut found = std::mem::take(&mut self.cells);
        cells(text, from, self.columns.right(), &mut found);
        if let Some(number) = number {
            self.number(number, line);
        }
        let mut place = Place {
            line,
            text,
            from,
            map,
            numbered: number.is_some(),
            ascii: text.is_ascii() && !text.contains('\t'),
            shift: 0,
        };
        let is_unreadable = |cell: &Cell| cell.kind == Kind::Unreadable;
        let is_loose = found.iter().all(is_unreadable)
            // `Alice wins 1 point` begins with the name, which is no cell.
            || found.first().is_some_and(is_unreadable)
                && self.named_result(line.text.trim()).is_some();
        if number.is_none() && !found.is_empty() && is_loose {
            self.loose_text(&place);
        } else {
            let mut rest = &found[..];
            while !rest.is_empty() {
                let end = rest
                    .iter()
                    .position(|c| self.starts_row(c.kind))
                    .unwrap_or(rest.len());
                self.cells_of_row(&rest[..end], &place);
                if let Some(&Cell {
                    kind: Kind::Row(number),
                    end: behind,
                    ..
                }) = rest.get(end)
                {
                    self.row = number;
                    place.start_row(behind);
                }
                rest = &rest[(end + 1).min(rest.len())..];
            }
        }
        self.cells = found;
    }

    /// Whether a number in the middle of a line starts another row. Some programs repeat the number before
    /// the right cell, and GNU Backgammon may forget a line end.
    fn starts_row(&self, kind: Kind) -> bool {
        matches!(kind, Kind::Row(number) if number != self.row)
    }

    fn number(&mut self, number: u32, line: Line<'_>) {
        if number != self.row + 1 && !self.row_jumped {
            self.row_jumped = true;
            let message = format!("row {number} follows row {}", self.row);
            let label = "the order of the file is taken for the order of play";
            let span = self.trimmed(line);
            let finding = Finding::new(&syntax::GAME_NUMBER, span, message, label);
            self.report(finding);
        }
        self.row = number;
    }

    /// A line without a roll or a word that is known: a result with a name, or prose.
    fn loose_text(&mut self, place: &Place<'_>) {
        let text = place.line.text.trim();
        let span = self.trimmed(place.line);
        if let Some((player, points)) = self.named_result(text) {
            self.set_result(player, points, false, false, span);
            return;
        }
        let is_over = self
            .record
            .games
            .last()
            .is_some_and(|game| game.result.is_some());
        let message = "a line that is no part of a match";
        let finding = Finding::new(&syntax::UNREADABLE_LINE, span, message, "kept as a comment");
        if !is_over {
            self.report(finding.at_level(Level::Warning));
        }
        self.comment(span, text);
    }

    /// `Alice wins 1 point`.
    fn named_result(&self, text: &str) -> Option<(Player, Option<u32>)> {
        let lower = text.to_ascii_lowercase();
        let at = lower.find(" wins ").or(lower.find(" wins"))?;
        let name = text[..at].trim();
        let player = Player::BOTH.into_iter().find(|&player| {
            !name.is_empty() && self.record.names[player].eq_ignore_ascii_case(name)
        })?;
        let points = lower[at..]
            .split_whitespace()
            .nth(1)
            .and_then(|word| word.parse().ok());
        Some((player, points))
    }

    fn cells_of_row(&mut self, cells: &[Cell], place: &Place<'_>) {
        let mut real = cells
            .iter()
            .filter(|cell| !matches!(cell.kind, Kind::Row(_)));
        let (first, second, third) = (real.next(), real.next(), real.next());
        let Some(first) = first else { return };
        let Some(second) = second else {
            let side = self.side_of_lone_cell(first, place);
            return self.cell(first, side, false, place);
        };
        let together = |cell: &Cell| {
            place.numbered && !matches!(cell.kind, Kind::Wins { .. } | Kind::Losses { .. })
        };
        let in_row = together(first);
        if third.is_none() {
            let right = self.columns.most.map(u32::from);
            if right.is_some_and(|right| place.column(first.start) + 2 >= right && right > 12) {
                // Both stand in the right half: that player acts twice.
                self.cell(first, !self.left(), false, place);
                return self.cell(second, !self.left(), in_row, place);
            }
            // A dump pushes the right cell far out.
            if !matches!(first.kind, Kind::Illegal { .. }) {
                self.columns.note(place.column(second.start));
            }
            self.cell(first, self.left(), false, place);
            self.cell(second, !self.left(), in_row, place);
            return;
        }
        // More than two cells: where each starts decides, and the rules will find who acted twice.
        let right = self.right_column(place).unwrap_or(33);
        for cell in cells
            .iter()
            .filter(|cell| !matches!(cell.kind, Kind::Row(_)))
        {
            let is_right = cell.start != first.start && place.column(cell.start) + 2 >= right;
            let side = if is_right { !self.left() } else { self.left() };
            if cell.kind == Kind::Unreadable && cell.start > second.start {
                // Both players have acted in this row: what is left over is no action.
                self.unreadable(cell, side, place);
            } else {
                self.cell(cell, side, in_row, place);
            }
        }
    }

    /// The player whose column is the left one in this game.
    fn left(&self) -> Player {
        if self.swapped {
            Player::Two
        } else {
            Player::One
        }
    }

    /// The column where the right half starts; rows ahead are looked at as long as none was seen.
    fn right_column(&mut self, place: &Place<'_>) -> Option<u32> {
        if self.columns.rows < 1 && place.line.next >= self.ahead {
            self.look_ahead(place.line.next);
        }
        self.columns.most.map(u32::from)
    }

    fn look_ahead(&mut self, from: usize) {
        let mut columns = Columns::new();
        let mut found = Vec::new();
        let (mut row, mut actions) = (PlainRow::default(), Vec::new());
        row.right = columns.right();
        // Games of a row each would otherwise be looked through three hundred times.
        let (from, mut end) = (from.max(self.barren), from);
        for line in lines(&self.source.text()[from..]).take(300) {
            end = from + line.start;
            if columns.rows >= 6 {
                break;
            }
            let text = self.source.text().as_bytes();
            actions.clear();
            if plain_row(&mut row, &mut actions, text, from + line.start).is_some() {
                if row.count == 2 {
                    columns.note(row.cells[1].0 as u32);
                }
                continue;
            }
            if match_line(trim(line.text)).is_ok() {
                break;
            }
            let Ok((rest, _)) = row_number(line.text.trim_start()) else {
                continue;
            };
            cells(line.text, line.text.len() - rest.len(), 18, &mut found);
            if let [first, second] = found[..]
                && !matches!(first.kind, Kind::Illegal { .. })
            {
                columns.note(column(line.text, second.start));
            }
        }
        self.columns.most = columns.most;
        if columns.rows == 0 {
            self.barren = end;
        }
        // What was found holds for the rows in which it was.
        self.ahead = end;
    }

    /// Which half the only cell of a row belongs to: its column decides, then the turn.
    fn side_of_lone_cell(&mut self, cell: &Cell, place: &Place<'_>) -> Player {
        let left = self.left();
        let at = place.column(cell.start);
        let edge = if place.numbered {
            place.column(place.from)
        } else {
            5
        };
        let near_left = at <= edge + 3;
        let right = self.right_column(place);
        let near_right = match (right, self.right_name) {
            (Some(right), _) => at + 2 >= right,
            (None, Some(name)) => at + 4 >= name,
            (None, None) => at >= 20,
        };
        if matches!(cell.kind, Kind::Wins { .. } | Kind::Losses { .. }) {
            let right = right.or(self.right_name).unwrap_or(33);
            return if near_left || at < (edge + right) / 2 {
                left
            } else {
                !left
            };
        }
        if near_left != near_right {
            let side = if near_left { left } else { !left };
            return self.answer_side(cell, side, place);
        }
        let expected = match self.last {
            Some(last) => !last,
            None => {
                let rights = [right, self.right_name].into_iter().flatten();
                let nearest = rights.map(|right| right.abs_diff(at)).min();
                let is_left = nearest.is_none_or(|right| at.abs_diff(edge) <= right);
                if is_left { left } else { !left }
            }
        };
        if self.last.is_some() {
            self.guessed(
                cell,
                place,
                "the column fits neither half; the turn decides",
            );
        }
        expected
    }

    /// An answer in the doubler's own column belongs to the other player.
    fn answer_side(&mut self, cell: &Cell, side: Player, place: &Place<'_>) -> Player {
        let is_answer = matches!(cell.kind, Kind::Take | Kind::Pass | Kind::Beaver { .. });
        let last = self
            .record
            .games
            .last()
            .and_then(|game| game.entries.last());
        let doubled = last.is_some_and(|entry| {
            entry.player == side && matches!(entry.action, Action::Double { .. })
        });
        if is_answer && doubled {
            self.guessed(
                cell,
                place,
                "it stands in the doubler's column; the opponent answers",
            );
            return !side;
        }
        side
    }

    fn guessed(&mut self, cell: &Cell, place: &Place<'_>, label: &str) {
        let message = "whose action this is was taken from the turn, not from the column";
        let finding = Finding::new(
            &syntax::SIDE_GUESSED,
            place.span(cell.start, cell.end),
            message,
            label,
        );
        let context = self.entry_context(None);
        self.report(finding.within(context));
    }

    fn entry_context(&mut self, player: Option<Player>) -> Context {
        // Actions are counted here, and those that were made are not there.
        self.is_given_up |= matches!(self.target, Target::Made(..));
        let ply = self
            .record
            .games
            .last()
            .map(|game| game.entries.len() as u32 + 1);
        let move_number = (self.row > 0).then_some(self.row);
        Context {
            ply,
            move_number,
            player,
            ..Context::default()
        }
    }

    fn cell(&mut self, cell: &Cell, player: Player, in_row: bool, place: &Place<'_>) {
        let span = place.span(cell.start, cell.end);
        let mut entry = Entry::new(player, Action::Unreadable, self.row, span);
        entry.action = match cell.kind {
            Kind::Play { roll, .. } if (roll.0, roll.1) == (0, 0) => Action::NoRoll,
            Kind::Play { roll, play } => {
                if let WrittenPlay::Moves(moves) = &play {
                    self.stars |= moves.hits() > 0;
                    if let Some(at) = place.text[cell.start..cell.end].find(" 0/0") {
                        let span = place.span(cell.start + at + 1, cell.start + at + 4);
                        let label = "for a die that could not be played; left out";
                        let message = "0/0 stands beside moves";
                        self.report(Finding::new(&syntax::FILLER_MOVE, span, message, label));
                    }
                }
                Action::Play { roll, play }
            }
            Kind::Illegal { roll, dump } => return self.illegal(entry, roll, dump, place),
            Kind::Hidden => Action::Unreadable,
            Kind::Double { to, after_roll } => {
                self.habits.long_arrow |= place.text[cell.start..cell.end].contains("==>");
                Action::Double { to, after_roll }
            }
            Kind::Beaver { to } => Action::Beaver { to },
            Kind::Raccoon { to } => Action::Raccoon { to },
            Kind::Take => Action::Take,
            Kind::Pass => Action::Pass,
            Kind::Resign { win } => {
                self.habits.resigned_game = true;
                Action::Resign { win }
            }
            Kind::TimeOut => Action::TimeOut,
            Kind::Wins { points, and_match } => {
                return self.set_result(player, points, and_match, in_row, span);
            }
            Kind::Losses { points } => {
                self.habits.losses = true;
                return self.set_loss(player, points, span);
            }
            Kind::Row(_) => return,
            Kind::Garbled { roll } => {
                self.unreadable(cell, player, place);
                entry.extra_mut().unreadable = true;
                Action::Play {
                    roll,
                    play: WrittenPlay::NotRecorded,
                }
            }
            Kind::Unreadable => {
                self.unreadable(cell, player, place);
                entry.extra_mut().unreadable = true;
                Action::Unreadable
            }
        };
        self.push(entry);
    }

    fn push(&mut self, mut entry: Entry) {
        if let Some(comment) = self.comment.take() {
            entry.extra_mut().comment = Some(comment);
        }
        self.last = Some(entry.player);
        self.game().entries.push(entry);
    }

    /// An illegal play that the transcript declares, with the position after it where one is given.
    fn illegal(
        &mut self,
        mut entry: Entry,
        roll: Option<crate::record::WrittenRoll>,
        dump: Option<(usize, usize)>,
        place: &Place<'_>,
    ) {
        self.habits.illegal_play = true;
        let setup = dump.and_then(|(start, end)| {
            let setup = snowie_position(&place.text[start..end], !entry.player)?;
            Some(Spanned::new(setup, place.span(start, end)))
        });
        let extra = entry.extra_mut();
        match (roll, setup) {
            (Some(roll), setup) => {
                extra.declared_illegal = true;
                extra.position_after = setup;
                entry.action = Action::Play {
                    roll,
                    play: WrittenPlay::NotRecorded,
                };
            }
            (None, Some(setup)) if self.game().entries.is_empty() => {
                self.game().start = Some(setup);
                return;
            }
            (None, Some(setup)) => {
                extra.position_after = Some(setup);
                entry.action = Action::Set;
            }
            // An empty board: only the cube was set.
            (None, None) => return,
        }
        self.push(entry);
    }

    fn unreadable(&mut self, cell: &Cell, player: Player, place: &Place<'_>) {
        let span = place.span(cell.start, cell.end);
        let is_last = span.end as usize >= self.source.text().trim_end().len()
            && !self.source.text().ends_with(['\n', '\r']);
        let written = place.text[cell.start..cell.end].trim();
        let finding = if is_last {
            let message = "the file ends within an entry";
            Finding::new(&syntax::TRUNCATED, span, message, "the end of the file")
        } else {
            let message = format!("{written:?} cannot be read");
            Finding::new(
                &syntax::UNREADABLE_LINE,
                span,
                message,
                "kept as written; the position after it is unknown",
            )
        };
        let context = self.entry_context(Some(player));
        self.report(finding.within(context));
    }

    fn set_result(
        &mut self,
        player: Player,
        points: Option<u32>,
        and_match: bool,
        in_row: bool,
        span: Span,
    ) {
        let game = self.game();
        let after = game.entries.len() as u32;
        let result = GameResult {
            winner: Some(player),
            points,
            and_match,
            in_row,
            after,
            ..GameResult::default()
        };
        let stated = game.result.filter(|stated| !stated.value.by_loss);
        match stated {
            None => game.result = Some(Spanned::new(result, span)),
            Some(first) => {
                let message = "a second result of the same game";
                let finding = Finding::new(
                    &syntax::UNREADABLE_LINE,
                    span,
                    message,
                    "the first one counts",
                )
                .also(first.span, "the first one");
                self.report(finding);
            }
        }
    }

    /// `Losses 1 point` says again what `Wins` says, and counts where that is missing.
    fn set_loss(&mut self, player: Player, points: Option<u32>, span: Span) {
        let game = self.game();
        if game.result.is_none() {
            let after = game.entries.len() as u32;
            let result = GameResult {
                winner: Some(!player),
                points,
                by_loss: true,
                after,
                ..GameResult::default()
            };
            game.result = Some(Spanned::new(result, span));
        }
    }

    fn end_game(&mut self) {
        if let (Some(text), Some(game)) = (self.comment.take(), self.record.games.last_mut()) {
            let span = game.entries.last().map_or(game.heading, |entry| entry.span);
            game.comments.push(Spanned::new(text, span));
        }
    }

    /// Comments behind a game belong to this match after all, and those that allow a rule to their game.
    fn settle_comments(&mut self) {
        for comment in std::mem::take(&mut self.pending_comments) {
            let is_instruction = comment
                .value
                .get(..6)
                .is_some_and(|start| start.eq_ignore_ascii_case("tawla:"));
            match self.record.games.last_mut().filter(|_| is_instruction) {
                Some(game) => game.comments.push(comment),
                None => self.record.comments.push(comment),
            }
        }
    }

    fn end_match(&mut self) {
        self.end_game();
        self.record.tags.append(&mut self.pending_tags);
        self.settle_comments();
        self.at = At::Header;
        let mut found = Findings::default();
        check_tags(&self.record, &mut found);
        for finding in found {
            self.report(finding);
        }
        self.mark_declared();
        self.record.dialect = self.dialect();
        self.record.has_hit_marks = Some(self.stars);
        match &mut self.target {
            Target::Whole(sink) => sink(&self.record, &mut self.findings),
            Target::Made(sink, making) => {
                let (record, games) = (&self.record, making.games());
                self.is_given_up |= !sink(record, games, &mut self.findings);
                making.clear();
            }
        }
        self.findings = Findings::default();
        self.keep_room();
        self.declared.clear();
        self.columns = Columns::new();
        self.ahead = 0;
        self.right_name = None;
        self.habits = Habits::default();
        self.stars = false;
        self.swapped = false;
        self.has_match = false;
    }

    /// Keeps the room of the match for the next one.
    fn keep_room(&mut self) {
        let record = std::mem::take(&mut self.record);
        let used = record.games.into_iter().map(|game| game.entries);
        let room = MOST_SPARE - self.spare.len();
        self.spare.extend(used.take(room).map(|mut entries| {
            entries.clear();
            entries
        }));
    }

    fn mark_declared(&mut self) {
        for declared in std::mem::take(&mut self.declared) {
            let names = self.record.names.clone();
            let game = self.record.games.iter_mut().find(|game| {
                game.number
                    .is_some_and(|number| number.value == declared.game)
            });
            let entry = game.and_then(|game| {
                game.entries.iter_mut().find(|entry| {
                    entry.row == declared.row
                        && declared.name.eq_ignore_ascii_case(&names[entry.player])
                        && matches!(entry.action, Action::Play { .. })
                })
            });
            if let Some(entry) = entry {
                entry.extra_mut().declared_illegal = true;
            }
        }
    }

    fn trimmed(&self, line: Line<'_>) -> Span {
        let text = trim(line.text);
        let start = line.start + (text.as_ptr() as usize - line.text.as_ptr() as usize);
        Span::new(start as u32, (start + text.len()) as u32)
    }

    /// Which program wrote this match; it changes what is a habit and never what is read.
    fn dialect(&self) -> Option<Dialect> {
        let site = self
            .tag_value("Site")
            .unwrap_or_default()
            .to_ascii_lowercase();
        let by_site = [
            ("extreme gammon", "xg", "eXtreme Gammon"),
            ("xg mobile", "xg-mobile", "XG Mobile"),
            ("backgammon studio", "bgstudio", "Backgammon Studio"),
            ("heroes", "bgstudio", "Backgammon Studio"),
            ("galaxy", "galaxy", "Backgammon Galaxy"),
            ("opengammon", "opengammon", "OpenGammon"),
            ("foxamon", "foxamon", "Foxamon"),
            ("choue", "choue", "choue.net"),
        ];
        let found = by_site.iter().find(|(word, ..)| site.contains(word));
        if let Some(&(_, name, title)) = found {
            return Some(Dialect {
                name,
                title,
                known_by: "the Site tag",
            });
        }
        let tag = |name: &str| self.record.tags.iter().any(|tag| tag.name == name);
        let made = |name, title, known_by| {
            Some(Dialect {
                name,
                title,
                known_by,
            })
        };
        if tag("ClockType") {
            made("bgstudio", "Backgammon Studio", "the ClockType tag")
        } else if tag("Cubelimit") {
            made(
                "opengammon",
                "OpenGammon or Foxamon",
                "the spelling of the Cubelimit tag",
            )
        } else if self.habits.long_arrow {
            made("choue", "choue.net", "the arrow of its doubles")
        } else if self.habits.losses {
            made("galaxy", "Backgammon Galaxy", "its Losses cells")
        } else if self.habits.resigned_game {
            made("opengammon", "OpenGammon", "the words Resigned Game")
        } else if tag("Player 1 Elo") {
            made("xg", "eXtreme Gammon", "the Player 1 Elo tag")
        } else if self.habits.ratings {
            made("gridgammon", "GridGammon", "the ratings in the names")
        } else if self.columns.most == Some(37) {
            made(
                "dailygammon",
                "DailyGammon",
                "the column of the right player",
            )
        } else if self.habits.illegal_play
            || (self.columns.most == Some(33) && self.right_name == Some(33))
        {
            made("snowie", "Snowie", "the layout of its rows")
        } else if self.columns.most == Some(33) && self.right_name == Some(32) {
            made(
                "gnubg",
                "GNU Backgammon or JellyFish",
                "the layout of its rows",
            )
        } else {
            None
        }
    }
}

/// Whether a line has the names of a Jellyfish game: the row with the number 1 follows it.
pub(in crate::formats) fn is_names_line(text: &str, line: Line<'_>) -> bool {
    let names = line.text.trim();
    if names.is_empty()
        || names.starts_with([';', '#'])
        || row_number(names).is_ok()
        || match_line(names).is_ok()
        || game_line(names).is_ok_and(|(_, (_, rest))| rest.is_empty() || rest.contains('('))
        || word(names).is_ok_and(|(rest, _)| rest.is_empty())
    {
        return false;
    }
    let next = lines(text.get(line.next..).unwrap_or(""))
        .map(|line| line.text.trim())
        .find(|text| !text.is_empty() && !text.starts_with([';', '#']));
    next.is_some_and(|next| next.starts_with("1)"))
}

/// Where the two names stand in their line, and whether that is certain: two blanks are between them, or the
/// right one starts in its column, or they are single words.
pub(in crate::formats) fn two_names(line: &str) -> ([(usize, usize); 2], bool) {
    let start = line.len() - line.trim_start().len();
    let end = start + line.trim().len();
    let gap = |at: usize| {
        let before = line[start..at].trim_end().len();
        let after = line[at..end].len() - line[at..end].trim_start().len();
        [(start, start + before), (at + after, end)]
    };
    let text = &line[start..end];
    if let Some(at) = text.find("  ").or(text.find('\t')) {
        return (gap(start + at), true);
    }
    let in_column = line.get(..32).is_some_and(|left| left.ends_with(' ')) && end > 32;
    if in_column && start < 32 {
        return (gap(32), true);
    }
    match text.find(' ') {
        Some(at) => (gap(start + at), !text[at + 1..].contains(' ')),
        None => ([(start, end), (end, end)], false),
    }
}

/// `Game 3` and nothing more: what `game_line` finds.
fn usual_game_line(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("Game ")?;
    let are_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
    (are_digits && digits.len() <= 7).then(|| digits.parse().ok())?
}

/// `Wins 2 points` and nothing more: what `word` finds.
fn usual_wins(text: &str) -> Option<Kind> {
    let rest = text.strip_prefix("Wins ")?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let is_usual = (1..=7).contains(&digits) && matches!(&rest[digits..], " point" | " points");
    let points = is_usual.then(|| rest[..digits].parse().ok())??;
    Some(Kind::Wins {
        points: Some(points),
        and_match: false,
    })
}

/// The text without blanks around it; most lines hold nothing but ASCII, which is quicker.
fn trim(text: &str) -> &str {
    if text.is_ascii() {
        text.trim_ascii()
    } else {
        text.trim()
    }
}

/// Where a row stands in the source; spans of a folded line are put back to where they were.
struct Place<'a> {
    line: Line<'a>,
    text: &'a str,
    from: usize,
    map: Option<&'a [u32]>,
    numbered: bool,
    /// The text has neither tabs nor anything outside ASCII, so that bytes are columns.
    ascii: bool,
    /// By how many columns the row is moved to the right, where it stands behind another one.
    shift: u32,
}

impl Place<'_> {
    /// From here on the row is another one, whose number ends at this byte. It should end in column 4.
    fn start_row(&mut self, from: usize) {
        self.shift = 0;
        self.shift = self.column(from).saturating_sub(4);
        self.from = from;
    }

    fn span(&self, start: usize, end: usize) -> Span {
        let old = |at: usize| {
            self.map
                .map_or(at, |map| map[at.min(map.len() - 1)] as usize)
        };
        Span::new(
            (self.line.start + old(start)) as u32,
            (self.line.start + old(end)) as u32,
        )
    }

    #[inline]
    fn column(&self, at: usize) -> u32 {
        let column = if self.ascii {
            at as u32
        } else {
            column(self.text, at)
        };
        column.saturating_sub(self.shift)
    }
}

/// Reads what stands behind `Set Pos=`: the board of an XGID and, behind a slash, the cube (`2` is a 4-cube of
/// the right player, `-2` one of the left); or a whole XGID.
fn set_position(text: &str) -> Option<Setup> {
    let checkers = xg_board(text)?;
    let rest = &text[26..];
    let cube = |power: i32, owner: Option<Player>| {
        let value = 1u32
            .checked_shl(power.unsigned_abs())
            .filter(|_| power.unsigned_abs() <= 12)?;
        Some(Cube { value, owner })
    };
    let cube = if let Some(code) = rest.strip_prefix('/') {
        let power: i32 = code.trim().parse().ok()?;
        let owner = match power {
            0 => None,
            1.. => Some(Player::Two),
            _ => Some(Player::One),
        };
        cube(power, owner)
    } else if let Some(fields) = rest.strip_prefix(':') {
        let mut fields = fields
            .split(':')
            .map(|field| field.trim().parse::<i32>().ok());
        let power = fields.next().flatten()?;
        let owner = match fields.next().flatten()? {
            1 => Some(Player::One),
            -1 => Some(Player::Two),
            _ => None,
        };
        cube(power, owner)
    } else if rest.trim().is_empty() {
        Some(Cube::START)
    } else {
        None
    };
    Some(Setup {
        checkers,
        variant: Variant::Backgammon,
        turn: None,
        roll: None,
        cube: Some(cube?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_lines_are_read_as_the_grammar_reads_them() {
        let mut found = 0;
        for text in [
            "Game 1",
            "Game 12",
            "Game  1",
            "Game 1a",
            "Game 1 (Crawford)",
            "Game",
            "Game ",
            "game 1",
            "Game +1",
            "Game 12345678",
            "Game 0",
        ] {
            if let Some(number) = usual_game_line(text) {
                found += 1;
                assert_eq!(game_line(text).expect(text).1, (number, ""), "{text:?}");
            }
        }
        for text in [
            "Wins 1 point",
            "Wins 2 points",
            "Wins 1 points",
            "Wins 2 point",
            "Wins 2 pts",
            "Wins 02 points",
            "Wins 2 points and the match",
            "wins 1 point",
            "Wins point",
            "Wins  1 point",
            "Wins +1 point",
            "Wins 12345678 points",
            "Wins 0 points",
        ] {
            if let Some(kind) = usual_wins(text) {
                found += 1;
                assert_eq!(word(text), Ok(("", kind)), "{text:?}");
            }
        }
        assert_eq!(found, 9);
    }
}
