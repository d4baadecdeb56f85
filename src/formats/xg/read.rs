//! Records of a file to the record of a match.

use super::archive::{self, Archive, Flaw, MAGIC, RECORD, wide_text};
use super::records::{
    Board, LATEST_VERSION, MONEY, Record, SITES, VARIATIONS, cube, end, game, header, kind,
    match_end, play,
};
use super::{analysis, rtf};
use crate::board::{
    ByPlayer, Cube, Length, Play, Player, Position, Setup, Variant, Win, is_match_point,
    played_as_written,
};
use crate::diagnostic::{Context, Finding, Findings, Level, Rule, syntax};
use crate::formats::binary::Listing;
use crate::formats::date::date_and_time;
use crate::formats::{NotThisFormat, Sink};
use crate::record::{
    Action, Dialect, Entry, GameRecord, GameResult, MatchRecord, Tag, WrittenPlay, WrittenRoll,
};
use crate::source::{Source, Span, Spanned};

/// No match is longer: a record for the cube and one for the roll of each action.
const MOST_RECORDS: usize = 200_000;

pub(super) fn read(source: &Source, sink: &mut Sink<'_>) -> Result<(), NotThisFormat> {
    let not = |why: &str| NotThisFormat(why.to_owned());
    let archive =
        archive::open(source.bytes(), source.inflate_limit()).ok_or_else(|| {
            match source.bytes().starts_with(MAGIC) {
                true => not("the file is cut within its header"),
                false => not("not a file of eXtreme Gammon"),
            }
        })?;
    let mut records = archive.records.chunks_exact(RECORD);
    let first = records.by_ref().next().and_then(Record::new);
    let first = first.filter(|record| record.kind() == kind::MATCH);
    let first = first.ok_or_else(|| not("no record of a match was found in the file"))?;
    let version = first.i32(header::VERSION);
    if version > LATEST_VERSION {
        let why =
            format!("version {version} of the file is not known; read up to {LATEST_VERSION}");
        return Err(NotThisFormat(why));
    }
    let mut reader = Reader::new(&archive);
    reader.header(first, version);
    reader.container(&archive);
    for record in records.by_ref().take(MOST_RECORDS).filter_map(Record::new) {
        reader.record(record);
    }
    if records.next().is_some() {
        let message = format!("more than {MOST_RECORDS} records");
        reader.whole(&syntax::UNREADABLE_LINE, &message, "not read from here on");
    }
    let cut = |flaw: &Flaw| matches!(flaw, Flaw::Cut(_) | Flaw::TooLarge(_));
    if !records.remainder().is_empty() && !archive.flaws.iter().any(cut) {
        reader.whole(&syntax::TRUNCATED, "the last record is cut", "left out");
    }
    let (record, listing, mut findings) = reader.finish();
    source.set_listing(listing);
    sink(&record, &mut findings);
    Ok(())
}

/// The board that was stated last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    Stated(ByPlayer<[u8; 26]>),
    /// What was stated is no board.
    Lost,
    /// Nothing was stated where a board should be.
    Untold,
}

struct Reader<'a> {
    archive: &'a Archive,
    comments: Vec<String>,
    told: Vec<bool>,
    record: MatchRecord,
    listing: Listing,
    findings: Findings,
    variant: Variant,
    /// What the cube record before a roll says, if nobody doubled there.
    cube: Option<Record<'a>>,
    /// The board that the file stated last.
    board: Last,
    /// The board before the last play, and that play.
    played: Option<(ByPlayer<[u8; 26]>, Player, Play)>,
    /// What the cube counts when nobody has turned it: automatic doubles make it more than 1.
    base: u32,
    in_game: bool,
    starts_usually: bool,
    is_over: bool,
    score_after: Option<ByPlayer<u32>>,
}

impl<'a> Reader<'a> {
    fn new(archive: &'a Archive) -> Reader<'a> {
        let comments = rtf::comments(&archive.comments);
        Reader {
            archive,
            told: vec![false; comments.len()],
            comments,
            record: MatchRecord::default(),
            listing: Listing::default(),
            findings: Findings::default(),
            variant: Variant::Backgammon,
            cube: None,
            board: Last::Untold,
            played: None,
            base: 1,
            in_game: false,
            starts_usually: true,
            is_over: false,
            score_after: None,
        }
    }

    /// A finding on the match or the game as a whole.
    fn whole(&mut self, rule: &'static Rule, message: &str, label: &str) {
        let span = match self.in_game {
            true => self.listing.of_game(message),
            false => self.listing.of_match(message),
        };
        self.find(Finding::new(rule, span, message.to_owned(), label));
    }

    /// The same as a warning.
    fn odd(&mut self, message: &str, label: &str) {
        let span = match self.in_game {
            true => self.listing.of_game(message),
            false => self.listing.of_match(message),
        };
        let finding = Finding::new(&syntax::BAD_HEADER, span, message.to_owned(), label);
        self.find(finding.at_level(Level::Warning));
    }

    fn find(&mut self, finding: Finding) {
        let context = Context::in_last_game(1, self.record.games.len());
        self.findings.push(finding.within(context));
    }

    /// The finding belongs to the last action.
    fn find_here(&mut self, finding: Finding) {
        let game = self.record.games.last();
        let entry = game.and_then(|game| game.entries.last());
        let context = Context {
            ply: game.map(|game| game.entries.len() as u32),
            move_number: entry.map(|entry| entry.row),
            player: entry.map(|entry| entry.player),
            ..Context::in_last_game(1, self.record.games.len())
        };
        self.findings.push(finding.within(context));
    }

    fn container(&mut self, archive: &Archive) {
        for flaw in &archive.flaws {
            match flaw {
                Flaw::NoTrailer => self.odd(
                    "the container has no trailer that fits",
                    "its parts were searched for, and no checksum could be compared",
                ),
                Flaw::ArchiveCrc => self.odd(
                    "the checksum of the container is another one",
                    "read all the same",
                ),
                Flaw::FileCrc(name) => self.odd(
                    &format!("the checksum of {name} is another one"),
                    "read all the same",
                ),
                Flaw::Misplaced(name) => self.whole(
                    &syntax::UNREADABLE_LINE,
                    &format!("{name} lies outside the container or over another part"),
                    "left out",
                ),
                Flaw::TooLarge(name) => self.whole(
                    &syntax::TRUNCATED,
                    &format!("{name} is larger than the limit for compressed parts"),
                    "read up to there; --inflate-limit sets another limit",
                ),
                Flaw::Cut(name) => self.whole(
                    &syntax::TRUNCATED,
                    &format!("{name} is cut or damaged"),
                    "read up to there",
                ),
                Flaw::Unknown(name) => {
                    self.odd(&format!("a part with the name {name:?}"), "not read")
                }
            }
        }
    }

    fn tag(&mut self, name: &str, value: String, span: Span) {
        if !value.trim().is_empty() {
            self.record.tags.push(Tag {
                name: name.to_owned(),
                value,
                span,
            });
        }
    }

    /// A text of UTF-16, or the one in Windows-1252 if the version has no other or that is empty.
    fn text(&self, record: Record<'_>, version: i32, wide: usize, short: usize) -> String {
        let text = match version >= 24 {
            true => wide_text(record.bytes(), wide, 129),
            false => String::new(),
        };
        match text.is_empty() {
            true => archive::short_text(record.bytes(), short).unwrap_or_default(),
            false => text,
        }
    }

    fn header(&mut self, record: Record<'_>, version: i32) {
        self.record.dialect = Some(Dialect {
            name: "xg",
            title: "eXtreme Gammon",
            known_by: "its own format",
        });
        let names = [0, 1].map(|side| {
            let (wide, short) = (header::NAMES[side], header::SHORT_NAMES[side]);
            self.text(record, version, wide, short)
        });
        let [one, two] = names;
        self.record.names = ByPlayer::new(one, two);
        self.listing.players(&self.record.names);
        let length = record.i32(header::LENGTH);
        let (length, said) = match length {
            MONEY => (Some(Length::Money), "money session".to_owned()),
            1..MONEY => (
                Some(Length::Points(length as u32)),
                format!("match to {length}"),
            ),
            _ => (None, format!("length {length}")),
        };
        let said = format!(
            "{} - {}, {said}",
            self.record.names.one, self.record.names.two
        );
        let span = self.listing.of_match(&said);
        self.record.length = length.map(|length| Spanned::new(length, span));
        if length.is_none() {
            let label = "taken as not stated";
            let message = "a length that is none".to_owned();
            self.find(Finding::new(&syntax::BAD_HEADER, span, message, label));
        }
        if record.bytes().slice(header::MAGIC, 4) != Some(b"DMLI") {
            self.odd("the header has no mark of its program", "read all the same");
        }
        let variation = record.i32(header::VARIATION);
        let known = usize::try_from(variation)
            .ok()
            .and_then(|index| VARIATIONS.get(index));
        match known {
            Some(variant) => self.variant = *variant,
            None => self.odd(
                &format!("variation {variation} is not known"),
                "taken for backgammon",
            ),
        }
        if self.variant != Variant::Backgammon {
            self.record.variation = Some(Spanned::new(self.variant.name().to_owned(), span));
        }
        self.event(record, version, span);
        self.rules(record, length == Some(Length::Money), span);
        if version >= 25 {
            self.clock(record, span);
        }
        for at in header::COMMENTS {
            if let Some(comment) = self.comment(record, at) {
                self.record.comments.push(Spanned::new(comment, span));
            }
        }
    }

    fn event(&mut self, record: Record<'_>, version: i32, span: Span) {
        for (name, wide, short) in [
            ("Event", header::EVENT, header::SHORT_EVENT),
            ("Round", header::ROUND, header::SHORT_ROUND),
            ("Site", header::PLACE, header::SHORT_PLACE),
        ] {
            let text = self.text(record, version, wide, short);
            self.tag(name, text, span);
        }
        let site = usize::try_from(record.i32(header::SITE)).ok();
        if let Some(site) = site.and_then(|site| SITES.get(site)) {
            self.tag("Server", (*site).to_owned(), span);
        }
        // Days from the end of 1899 on, rounded to seconds.
        let days = record.f64(header::DATE);
        let seconds = ((days - 25_569.0) * 86_400.0).round();
        if let Some((date, time)) = date_and_time(seconds as i64) {
            self.tag("EventDate", date, span);
            if time != "00:00:00" {
                self.tag("EventTime", time, span);
            }
        } else if days != 0.0 {
            self.odd(&format!("the date {days} is none"), "left out");
        }
        if version >= 30 {
            let text = wide_text(record.bytes(), header::TRANSCRIBER, 129);
            self.tag("Transcriber", text, span);
        }
        let id = record.i32(header::GAME_ID);
        if id != 0 {
            self.tag("Match ID", id.to_string(), span);
        }
        for (player, side) in Player::BOTH.into_iter().zip([0, 1]) {
            let elo = record.f64(header::ELO[side]);
            let experience = record.i32(header::EXPERIENCE[side]);
            let is_usual = elo == 1600.0 && experience == 0;
            if elo.is_finite() && elo.abs() < 100_000.0 && elo != 0.0 && !is_usual {
                self.record.ratings[player] = Some(format!("{elo:.2}/{experience}"));
            }
        }
    }

    fn rules(&mut self, record: Record<'_>, is_money: bool, span: Span) {
        let switch = |at: usize| match record.flag(at) {
            true => "On".to_owned(),
            false => "Off".to_owned(),
        };
        if is_money {
            self.tag("Jacoby", switch(header::JACOBY), span);
            self.tag("Beaver", switch(header::BEAVERS), span);
            if record.flag(header::AUTOMATIC_DOUBLES) {
                let most = record.i32(header::MOST_AUTOMATIC_DOUBLES).max(0);
                self.tag("AutoDoubles", most.to_string(), span);
            }
        } else {
            self.tag("Crawford", switch(header::CRAWFORD), span);
        }
        let limit = record.i32(header::CUBE_LIMIT);
        match limit {
            10 => {}
            0..=20 => self.tag("CubeLimit", (1u32 << limit).to_string(), span),
            _ => self.odd(
                &format!("the highest cube is 2 to the power {limit}"),
                "taken as not stated",
            ),
        }
    }

    fn clock(&mut self, record: Record<'_>, span: Span) {
        let kind = match record.i32(header::CLOCK) {
            0 => return,
            1 => "Fischer".to_owned(),
            2 => "Bronstein".to_owned(),
            other => format!("kind {other}"),
        };
        let [start, each] = header::CLOCK_TIMES.map(|at| record.i32(at));
        let scope = match record.flag(header::CLOCK_PER_GAME) {
            true => " a game",
            false => "",
        };
        let clock = format!("{kind} {start}+{each}{scope}");
        self.tag("Clock", clock, span);
        let penalty = record.i32(header::CLOCK_PENALTY);
        if penalty > 0 {
            self.tag("ClockPenalty", penalty.to_string(), span);
        }
        let left = header::TIME_LEFT.map(|at| record.i32(at));
        if left != [0, 0] {
            let [one, two] = left;
            self.tag("TimeLeft", format!("{one} {two}"), span);
        }
    }

    fn comment(&mut self, record: Record<'_>, at: usize) -> Option<String> {
        let index = record.index(at)?;
        let Some(comment) = self.comments.get(index) else {
            if !self.archive.comments.is_empty() {
                self.odd(&format!("comment {index} is not in the file"), "left out");
            }
            return None;
        };
        self.told[index] = true;
        Some(comment.clone()).filter(|comment| !comment.is_empty())
    }

    fn record(&mut self, record: Record<'a>) {
        match record.kind() {
            kind::GAME => self.game(record),
            kind::CUBE => self.cube_action(record),
            kind::MOVE => self.play(record),
            kind::GAME_END => self.game_end(record),
            kind::MATCH_END => self.match_end(record),
            other => {
                let message = format!("a record of kind {other}");
                self.whole(&syntax::UNREADABLE_LINE, &message, "left out");
            }
        }
    }

    fn game(&mut self, record: Record<'a>) {
        self.leave_cube();
        let score = record.score(game::SCORE);
        let number = record.i32(game::NUMBER);
        let crawford = record.flag(game::CRAWFORD);
        let shown = score.map_or("?".to_owned(), |score| {
            format!("{}-{}", score.one, score.two)
        });
        let mark = if crawford { " (Crawford)" } else { "" };
        let span = self
            .listing
            .game(&format!("number {number}, score {shown}{mark}"));
        let length = self.record.length.and_then(|length| length.value.points());
        // Where nobody is one point short, there is nothing to be said about the Crawford game.
        let is_short = score
            .zip(length)
            .is_some_and(|(score, length)| length > 1 && is_match_point(score, length));
        let states = crawford || (is_short && length.is_some());
        self.record.games.push(GameRecord {
            heading: span,
            number: u32::try_from(number)
                .ok()
                .map(|number| Spanned::new(number, span)),
            has_score_line: score.is_some(),
            score: score.map(|score| Spanned::new(score, span)),
            crawford: states.then_some(Spanned::new(crawford, span)),
            ..GameRecord::default()
        });
        self.in_game = true;
        self.is_over = false;
        if score.is_none() {
            self.odd("the score before the game is none", "taken as not stated");
        } else if let Some(after) = self
            .score_after
            .take()
            .filter(|after| Some(*after) != score)
        {
            let message = format!(
                "the game before ends at {}-{}, this one starts at {shown}",
                after.one, after.two
            );
            self.odd(&message, "the score at the start counts");
        }
        let doubles = record.i32(game::AUTOMATIC_DOUBLES);
        self.base = match doubles {
            0..=10 => 1 << doubles,
            _ => {
                self.odd(&format!("{doubles} automatic doubles"), "taken for none");
                1
            }
        };
        let usual = ByPlayer::new(self.variant.start(), self.variant.start());
        self.board = Last::Stated(usual);
        self.starts_usually = true;
        match record.board(game::START, Player::One) {
            None => self.starts_usually = false,
            Some(Board::Checkers(board)) if board == usual => {}
            Some(Board::Checkers(board)) => self.start(board, span),
            Some(Board::Impossible) => {
                let message = "the game starts from a board that is none".to_owned();
                let label = "left out";
                self.find(Finding::new(
                    &syntax::IMPOSSIBLE_POSITION,
                    span,
                    message,
                    label,
                ));
                self.board = Last::Lost;
            }
        }
        if self.base > 1 && self.starts_usually {
            self.start(usual, span);
        }
        for at in game::COMMENTS {
            if let Some(comment) = self.comment(record, at) {
                let game = self.record.games.last_mut().expect("a game was pushed");
                game.comments.push(Spanned::new(comment, span));
            }
        }
    }

    /// The game starts from another position, or with the cube at another value.
    fn start(&mut self, checkers: ByPlayer<[u8; 26]>, span: Span) {
        let cube = Cube {
            value: self.base,
            owner: None,
        };
        let setup = Setup {
            checkers,
            variant: self.variant,
            turn: None,
            roll: None,
            cube: Some(cube),
        };
        self.board = Last::Stated(checkers);
        if let Some(game) = self.record.games.last_mut() {
            game.start = Some(Spanned::new(setup, span));
        }
    }

    /// The first action tells who is on roll in the position from which the game starts, and the cube.
    fn start_with(&mut self, player: Player, cube: i32) {
        let cube = self.cube_of(cube);
        let game = self.record.games.last_mut().expect("a game has started");
        if let Some(start) = &mut game.start {
            start.value.turn = Some(player);
            start.value.cube = cube.or(start.value.cube);
        }
    }

    /// The cube with what its field says: an exponent with the sign of the owner.
    fn cube_of(&self, field: i32) -> Option<Cube> {
        let exponent = field.unsigned_abs();
        let value = 1u32.checked_shl(exponent).filter(|_| exponent <= 20)?;
        Some(Cube {
            value: value.checked_mul(self.base)?,
            owner: match field.signum() {
                1 => Some(Player::One),
                -1 => Some(Player::Two),
                _ => None,
            },
        })
    }

    /// Compares the board before an action with the one that the file stated last.
    fn compare(
        &mut self,
        record: Record<'_>,
        at: usize,
        is_edited: bool,
        player: Player,
        cube: i32,
    ) {
        let Some(Board::Checkers(board)) = record.board(at, Player::One) else {
            return;
        };
        let game = self.record.games.last().expect("a game has started");
        if self.board == Last::Stated(board) {
            let usual = Cube {
                value: self.base,
                owner: None,
            };
            let has_another_cube = self.cube_of(cube).is_some_and(|cube| cube != usual);
            let (is_first, is_set) = (game.entries.is_empty(), game.start.is_some());
            let span = game.heading;
            if is_first && !is_set && has_another_cube {
                self.start(board, span);
            }
            if is_first && (is_set || has_another_cube) {
                self.start_with(player, cube);
            }
            return;
        }
        let is_first = game.entries.is_empty() && game.start.is_none() && !self.starts_usually;
        if is_first {
            let span = game.heading;
            self.start(board, span);
            self.start_with(player, cube);
            return;
        }
        let before = self.board;
        self.board = Last::Stated(board);
        if before == Last::Untold && !is_edited {
            return;
        }
        let (span, row) = self.listing.action(player, &Action::Set);
        let mut entry = Entry::new(player, Action::Set, row, span);
        let setup = Setup {
            checkers: board,
            variant: self.variant,
            turn: Some(player),
            roll: None,
            cube: self.cube_of(cube),
        };
        entry.extra_mut().position_after = Some(Spanned::new(setup, span));
        self.push(entry);
        // If the moves lead here, it is the board after them that is wrong, and the replay says so.
        let is_expected = self.where_played() == Some(board);
        if !is_edited && before != Last::Lost && !is_expected {
            let message = "the board before the action is not the one after the last play";
            let label = "the later one counts";
            let finding = Finding::new(&syntax::BAD_HEADER, span, message.to_owned(), label);
            self.find_here(finding.at_level(Level::Warning));
        }
    }

    /// The board that the moves of the last play lead to, as far as they can be made.
    fn where_played(&self) -> Option<ByPlayer<[u8; 26]>> {
        let (before, player, moves) = self.played?;
        let setup = Setup {
            checkers: before,
            variant: self.variant,
            turn: None,
            roll: None,
            cube: None,
        };
        let before = Position::new(&setup).ok()?;
        let after = played_as_written(&before, player, moves.moves()).ok()?;
        let mut sides = ByPlayer::new(*after.side(Player::One), *after.side(Player::Two));
        (sides.one[0], sides.two[0]) = (0, 0);
        Some(sides)
    }

    fn push(&mut self, entry: Entry) {
        if let Some(game) = self.record.games.last_mut() {
            game.entries.push(entry);
        }
    }

    /// An action, as the listing shows it.
    fn act(&mut self, player: Player, action: Action, said: analysis::Said) {
        let (span, row) = self.listing.action(player, &action);
        let mut entry = Entry::new(player, action, row, span);
        if !said.is_empty() {
            entry.extra_mut().analysis = said;
        }
        self.push(entry);
    }

    /// Whether a game has started; an action before the first one is reported.
    fn has_game(&mut self, record: Record<'_>) -> bool {
        if self.in_game {
            return true;
        }
        let message = format!("a record of kind {} outside a game", record.kind());
        self.whole(&syntax::UNREADABLE_LINE, &message, "left out");
        false
    }

    fn cube_action(&mut self, record: Record<'a>) {
        if !self.has_game(record) {
            return;
        }
        self.leave_cube();
        let Some(player) = record.player(cube::PLAYER) else {
            let message = "a cube action of nobody";
            return self.whole(&syntax::UNREADABLE_LINE, message, "left out");
        };
        let field = record.i32(cube::CUBE);
        self.compare(
            record,
            cube::POSITION,
            record.flag(cube::EDITED),
            player,
            field,
        );
        if record.i32(cube::DOUBLE) != 1 {
            self.cube = Some(record);
            return;
        }
        let before = self.cube_of(field).map(|cube| cube.value);
        if before.is_none() {
            self.odd("a value of the cube that is none", "taken as not stated");
        }
        let turned = |times: u32| before.and_then(|value| value.checked_shl(times));
        let said = analysis::of_cube(record, &self.archive.rollouts);
        let double = Action::Double {
            to: turned(1),
            after_roll: None,
        };
        self.act(player, double, said);
        if let Some(comment) = self.comment(record, cube::COMMENT) {
            self.remark(comment);
        }
        self.seconds(record, player);
        let mut by = !player;
        for (turn, at) in cube::ANSWERS.into_iter().enumerate() {
            let said = match turn {
                0 => analysis::of_answer(record),
                _ => analysis::Said::new(),
            };
            let action = match (record.i32(at), turn) {
                (0, _) => Action::Pass,
                (1, _) => Action::Take,
                (2, 0) => Action::Beaver { to: turned(2) },
                (2, 1) => Action::Raccoon { to: turned(3) },
                (-1, _) => break,
                (other, _) => {
                    let message = format!("an answer to the double with the number {other}");
                    self.whole(&syntax::UNREADABLE_LINE, &message, "left out");
                    break;
                }
            };
            let is_last = matches!(action, Action::Pass | Action::Take);
            self.act(by, action, said);
            if is_last {
                break;
            }
            by = !by;
        }
    }

    /// A comment on the last action.
    fn remark(&mut self, comment: String) {
        let game = self.record.games.last_mut();
        if let Some(entry) = game.and_then(|game| game.entries.last_mut()) {
            let before = &mut entry.extra_mut().comment;
            *before = Some(match before.take() {
                Some(before) => format!("{before}\n{comment}"),
                None => comment,
            });
        }
    }

    /// What the clock of the player shows when it is his turn to decide.
    fn seconds(&mut self, cube: Record<'_>, player: Player) {
        let left = cube::TIME_LEFT.map(|at| cube.i32(at));
        if left == [0, 0] {
            return;
        }
        let game = self.record.games.last_mut();
        if let Some(entry) = game.and_then(|game| game.entries.last_mut()) {
            let left = f64::from(left[player.index()]);
            entry.extra_mut().seconds = Some((0.0, Some(left)));
        }
    }

    /// A cube record that no roll follows: what it says stands with the game.
    fn leave_cube(&mut self) {
        let Some(record) = self.cube.take() else {
            return;
        };
        let comment = self.comment(record, cube::COMMENT);
        let said = analysis::of_cube(record, &self.archive.rollouts);
        let said: Vec<String> = said
            .into_iter()
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        let said = (!said.is_empty()).then(|| said.join("\n"));
        let Some(game) = self.record.games.last_mut() else {
            return;
        };
        for text in [comment, said].into_iter().flatten() {
            game.comments.push(Spanned::new(text, game.heading));
        }
    }

    fn play(&mut self, record: Record<'a>) {
        if !self.has_game(record) {
            return;
        }
        let Some(player) = record.player(play::PLAYER) else {
            let message = "a roll of nobody";
            self.board = Last::Lost;
            return self.whole(&syntax::UNREADABLE_LINE, message, "left out");
        };
        let cube = self.cube.take();
        let is_edited = record.flag(play::EDITED);
        let field = record.i32(play::CUBE);
        self.compare(record, play::POSITION, is_edited, player, field);
        let mut said = cube.map_or_else(analysis::Said::new, |cube| {
            analysis::of_cube(cube, &self.archive.rollouts)
        });
        said.extend(analysis::of_play(record, player, &self.archive.rollouts));
        let [one, two] = play::DICE.map(|at| record.i32(at));
        let digit = |number: i32| u8::try_from(number).ok().filter(|&digit| digit <= 9);
        let (Some(one), Some(two)) = (digit(one), digit(two)) else {
            let message = format!("a roll of {one} and {two}");
            self.act(player, Action::Unreadable, said);
            self.board = Last::Lost;
            let game = self.record.games.last_mut();
            let entry = game.and_then(|game| game.entries.last_mut());
            if let Some(entry) = entry {
                entry.extra_mut().unreadable = true;
                let label = "the position after it is the next one that is stated";
                let finding = Finding::new(&syntax::UNREADABLE_LINE, entry.span, message, label);
                self.find_here(finding);
            }
            return;
        };
        let roll = WrittenRoll(one, two);
        let after = record.board(play::POSITION_AFTER, player);
        let is_played = record.flag(play::PLAYED) || after.is_some();
        let moves = analysis::moves(|index| record.i32(play::MOVES + 4 * index));
        let written = match &moves {
            _ if !is_played => WrittenPlay::Nothing,
            Some(moves) if moves.moves().is_empty() => WrittenPlay::CannotMove,
            Some(moves) => WrittenPlay::Moves(*moves),
            None => WrittenPlay::NotRecorded,
        };
        let action = Action::Play {
            roll,
            play: written,
        };
        self.played = match (self.board, moves) {
            (Last::Stated(before), Some(moves)) => Some((before, player, moves)),
            _ => None,
        };
        self.act(player, action, said);
        let game = self.record.games.last_mut().expect("a game has started");
        let entry = game.entries.last_mut().expect("an action was pushed");
        let span = entry.span;
        if is_played && record.i32(play::INVALID) == 2 {
            entry.extra_mut().declared_illegal = true;
        }
        match after {
            Some(Board::Checkers(checkers)) => {
                let setup = Setup {
                    checkers,
                    variant: self.variant,
                    turn: None,
                    roll: None,
                    cube: None,
                };
                entry.extra_mut().position_after = Some(Spanned::new(setup, span));
                self.board = Last::Stated(checkers);
            }
            Some(Board::Impossible) => {
                let message = "the board after the play is none".to_owned();
                let finding = Finding::new(&syntax::IMPOSSIBLE_POSITION, span, message, "left out");
                self.find_here(finding);
                self.board = Last::Lost;
            }
            None if is_played => self.board = Last::Untold,
            None => {}
        }
        if is_played && moves.is_none() {
            let message = "moves with numbers that are no places".to_owned();
            let label = "taken from the boards";
            self.find_here(Finding::new(&syntax::UNREADABLE_LINE, span, message, label));
        }
        for (record, at) in [(cube, cube::COMMENT), (Some(record), play::COMMENT)] {
            let comment = record.and_then(|record| self.comment(record, at));
            comment.into_iter().for_each(|comment| self.remark(comment));
        }
        if let Some(cube) = cube {
            self.seconds(cube, player);
        }
    }

    fn game_end(&mut self, record: Record<'_>) {
        if !self.has_game(record) {
            return;
        }
        self.leave_cube();
        let termination = record.i32(end::TERMINATION);
        let (resigned, rest) = match termination {
            0..100 => (false, termination),
            100..200 => (true, termination - 100),
            // A settlement; how much was agreed is what the points say.
            1000.. => (true, termination - 1000),
            _ => (false, -1),
        };
        let win = match rest {
            1 => Some(Win::Single),
            2 => Some(Win::Gammon),
            3 => Some(Win::Backgammon),
            _ => None,
        };
        let winner = record.player(end::WINNER);
        let points = u32::try_from(record.i32(end::POINTS)).ok();
        let points = points.and_then(|points| points.checked_mul(self.base));
        let how = match (resigned, rest, win) {
            (false, 0, _) => "by a pass".to_owned(),
            (false, _, Some(win)) => win.name().to_owned(),
            (true, _, Some(win)) => format!("{}, resigned", win.name()),
            (true, 4, _) => "the match was resigned".to_owned(),
            _ => format!("termination {termination}"),
        };
        let name = winner.map_or("nobody", |winner| self.record.names[winner].as_str());
        let amount = points.map_or("?".to_owned(), |points| points.to_string());
        let said = format!("{name} wins {amount} ({how})");
        let span = self.listing.of_game(&said);
        let game = self.record.games.last_mut().expect("a game has started");
        if self.is_over {
            let message = "a second end of the same game".to_owned();
            let finding = Finding::new(&syntax::UNREADABLE_LINE, span, message, "left out");
            return self.find(finding);
        }
        self.is_over = true;
        let score = record.score(end::SCORE);
        let length = self.record.length.and_then(|length| length.value.points());
        let and_match = winner.is_some_and(|winner| {
            score
                .zip(length)
                .is_some_and(|(score, length)| score[winner] >= length)
        });
        let result = GameResult {
            winner,
            points,
            and_match,
            after: game.entries.len() as u32,
            win,
            resigned,
            ..GameResult::default()
        };
        if winner.is_some() || points.is_some_and(|points| points > 0) {
            game.result = Some(Spanned::new(result, span));
        }
        self.score_after = score;
        let is_known = (0..=3).contains(&rest) || resigned && rest == 4;
        if !is_known {
            let message = format!("an end of a game with the number {termination}");
            let label = "winner and points are kept";
            let finding = Finding::new(&syntax::BAD_HEADER, span, message, label);
            self.find(finding.at_level(Level::Warning));
        }
    }

    fn match_end(&mut self, record: Record<'_>) {
        self.leave_cube();
        self.in_game = false;
        let score = record.score(match_end::SCORE);
        if let (Some(score), Some(after)) = (score, self.score_after)
            && score != after
        {
            let message = format!(
                "the match ends at {}-{}, its last game at {}-{}",
                score.one, score.two, after.one, after.two
            );
            self.odd(&message, "neither counts: the score is computed");
        }
    }

    fn finish(mut self) -> (MatchRecord, String, Findings) {
        self.leave_cube();
        self.in_game = false;
        let span = self.record.length.map(|length| length.span);
        let untold = std::mem::take(&mut self.told);
        for (index, _) in untold.iter().enumerate().filter(|(_, told)| !**told) {
            let comment = std::mem::take(&mut self.comments[index]);
            if !comment.is_empty() {
                let span = span.unwrap_or_default();
                self.record.comments.push(Spanned::new(comment, span));
            }
        }
        (self.record, self.listing.finish(), self.findings)
    }
}
