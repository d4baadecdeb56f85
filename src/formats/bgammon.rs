//! Replays of bgammon.org (`.match`).
//!
//! ```text
//! file  = { "bgammon-replay" offset }, { game }
//! game  = "i" [ time ] name name length score score winner points variant, { event }
//! event = player ( "r" die "-" die { place "/" place } | "d" value ( "1" | "0" ) | "t" )
//! ```
//!
//! Each line of the index has the byte, in eight digits, where a game starts. Both players use the numbers of
//! the first one, so that the second goes up; `bar` and `off` are words. `d` is a double with its answer, `t`
//! a game that was given up. The score is that before the game, the time counts seconds from 1970, and old
//! files have none. Source: the specification in the repository of the server.

use std::fmt::Write as _;

use super::carry::{Carried, Item, Loss, losses, normal};
use super::date::{date_and_time, seconds};
use super::recorder::{Recorder, starts};
use super::{CannotWrite, Format, Likely, NotThisFormat, Sink, WriteOptions, Written};
use crate::board::{ByPlayer, Length, Move, Place, Play, Player, Roll, Variant};
use crate::record::{Action, Entry, GameRecord, GameResult, MatchRecord, WrittenPlay, WrittenRoll};
use crate::replay::{Replay, ReplayStep};
use crate::source::{Source, Span, Spanned, lines};

pub(super) static FORMAT: Format = Format {
    name: "bgammon",
    title: "bgammon.org replay",
    extensions: &["match"],
    sniff,
    binary: false,
    read: Some(read),
    read_made: None,
    cut: None,
    write: Some(write),
    profiles: &[],
    verified: true,
    carries: &[
        (Item::Names, Carried::Partly),
        (Item::Length, Carried::Yes),
        (Item::Scores, Carried::Partly),
        (Item::Event, Carried::Partly),
        (Item::CubeActions, Carried::Partly),
        (Item::CubeValues, Carried::Yes),
        (Item::Dances, Carried::Yes),
        (Item::ImpossibleRolls, Carried::Yes),
        (Item::IllegalPlays, Carried::Yes),
        (Item::Resignations, Carried::Partly),
        (Item::Results, Carried::Partly),
        (Item::HitMarks, Carried::Partly),
    ],
};

fn sniff(source: &Source) -> Likely {
    if starts(source.text().trim_start(), "bgammon-replay ") {
        Likely::Yes
    } else {
        Likely::No
    }
}

fn read(source: &Source, sink: &mut Sink<'_>) -> Result<(), NotThisFormat> {
    let mut reader = Reader {
        recorder: Recorder::new(source),
        index: Vec::new(),
    };
    for line in lines(source.text()) {
        let text = line.text.trim();
        if !text.is_empty() {
            reader.line(text)?;
        }
    }
    if let Some(&(_, span)) = reader.index.get(reader.recorder.record.games.len()) {
        let message = "the index has more games than the file".to_owned();
        reader
            .recorder
            .bad_header(span, message, "no game is there");
    }
    for game in &mut reader.recorder.record.games {
        if let Some(result) = &mut game.result {
            result.value.after = game.entries.len() as u32;
        }
    }
    reader.recorder.hand_over(sink)
}

/// A line with the names and the score of a game.
struct Metadata<'a> {
    time: Option<i64>,
    names: [&'a str; 2],
    /// Length, both scores, winner, points and variant; `None` for what is no number.
    numbers: [Option<u32>; 6],
}

fn metadata(text: &str) -> Option<Metadata<'_>> {
    let fields: Vec<&str> = text.split_whitespace().skip(1).collect();
    let (time, rest) = match fields.len() {
        9 => (fields[0].parse().ok(), &fields[1..]),
        8 => (None, &fields[..]),
        _ => return None,
    };
    let mut numbers = [None; 6];
    for (number, field) in numbers.iter_mut().zip(&rest[2..]) {
        *number = field.parse().ok();
    }
    Some(Metadata {
        time,
        names: [rest[0], rest[1]],
        numbers,
    })
}

struct Reader<'s> {
    recorder: Recorder<'s>,
    /// Where the games should start, and where that is said.
    index: Vec<(Option<u32>, Span)>,
}

impl Reader<'_> {
    fn line(&mut self, text: &str) -> Result<(), NotThisFormat> {
        let span = self.recorder.source.span(text);
        let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
        match first {
            "bgammon-replay" => self.index.push((rest.trim().parse().ok(), span)),
            "i" => match metadata(text) {
                Some(metadata) => return self.game(&metadata, span),
                None => self.recorder.loose(span),
            },
            "1" => self.event(Player::One, rest.trim(), span),
            "2" => self.event(Player::Two, rest.trim(), span),
            _ => self.recorder.loose(span),
        }
        Ok(())
    }

    fn game(&mut self, metadata: &Metadata<'_>, span: Span) -> Result<(), NotThisFormat> {
        let [total, one, two, winner, points, variant] = metadata.numbers;
        match variant {
            Some(0) => {}
            Some(1) => return Err(refused("acey-deucey")),
            Some(2) => return Err(refused("tabula")),
            _ => return Err(NotThisFormat("a variant that is not known".to_owned())),
        }
        let number = self.recorder.record.games.len();
        if let Some(&(offset, place)) = self.index.get(number)
            && offset != Some(span.start)
        {
            let message = "the index does not lead to the game".to_owned();
            let label = format!("the game starts at byte {}", span.start);
            self.recorder.bad_header(place, message, &label);
        }
        self.recorder.start_game(span);
        if number == 0 {
            self.match_data(metadata, total, span);
        }
        self.names(metadata.names, number == 0, span);
        let score = one.zip(two).map(|(one, two)| ByPlayer::new(one, two));
        if score.is_none() || winner.is_none_or(|winner| winner > 2) || points.is_none() {
            let message = "a number that makes no sense".to_owned();
            let label = "score, winner and points";
            self.recorder.bad_header(span, message, label);
        }
        let winner = match winner {
            Some(1) => Some(Player::One),
            Some(2) => Some(Player::Two),
            _ => None,
        };
        if let Some(game) = self.recorder.game() {
            game.score = score.map(|score| Spanned::new(score, span));
            game.result = winner.map(|winner| {
                let winner = Some(winner);
                // It is stated first and belongs behind the last action.
                let result = GameResult {
                    winner,
                    points,
                    ..GameResult::default()
                };
                Spanned::new(result, span)
            });
        }
        Ok(())
    }

    fn match_data(&mut self, metadata: &Metadata<'_>, total: Option<u32>, span: Span) {
        match total {
            Some(points @ 1..9999) => {
                let length = Length::Points(points);
                self.recorder.record.length = Some(Spanned::new(length, span));
            }
            _ => {
                let message = "no length of a match".to_owned();
                let label = "a length is a number from 1 to 9998";
                self.recorder.bad_header(span, message, label);
            }
        }
        if let Some((date, time)) = metadata.time.and_then(date_and_time) {
            self.recorder.tag("EventDate", &date, span);
            self.recorder.tag("EventTime", &time, span);
        }
    }

    fn names(&mut self, names: [&str; 2], is_first: bool, span: Span) {
        let record = &mut self.recorder.record;
        if is_first {
            record.names = ByPlayer::new(names[0].to_owned(), names[1].to_owned());
        }
        for (player, name) in Player::BOTH.into_iter().zip(names) {
            if record.names[player] != name
                && let Some(game) = record.games.last_mut()
            {
                game.names[player] = Some(Spanned::new(name.to_owned(), span));
            }
        }
    }

    fn event(&mut self, player: Player, text: &str, span: Span) {
        let mut fields = text.split_whitespace();
        match fields.next() {
            Some("r") => self.rolled(player, fields, span),
            Some("d") => {
                let to = fields.next().and_then(|value| value.parse().ok());
                let answer = match fields.next() {
                    Some("1") => Action::Take,
                    Some("0") => Action::Pass,
                    _ => return self.recorder.unreadable(player, 0, span),
                };
                let after_roll = None;
                self.recorder
                    .action(player, Action::Double { to, after_roll }, 0, span);
                self.recorder.action(!player, answer, 0, span);
            }
            Some("t") => {
                let action = Action::Resign { win: None };
                self.recorder.action(player, action, 0, span);
            }
            _ => self.recorder.unreadable(player, 0, span),
        }
    }

    fn rolled<'a>(
        &mut self,
        player: Player,
        mut fields: impl Iterator<Item = &'a str>,
        span: Span,
    ) {
        let Some(roll) = fields.next().and_then(dice) else {
            return self.recorder.unreadable(player, 0, span);
        };
        let mut moves = Play::EMPTY;
        for field in fields {
            let moved = step(field, player);
            if !moved.is_some_and(|moved| moves.push(moved)) {
                return self.recorder.garbled(player, roll, 0, span);
            }
        }
        let play = if moves.moves().is_empty() {
            WrittenPlay::Nothing
        } else {
            WrittenPlay::Moves(moves)
        };
        self.recorder
            .action(player, Action::Play { roll, play }, 0, span);
    }
}

fn refused(game: &str) -> NotThisFormat {
    NotThisFormat(format!("{game} is another game than backgammon"))
}

/// `6-2`
fn dice(text: &str) -> Option<WrittenRoll> {
    match text.as_bytes() {
        &[a @ b'0'..=b'9', b'-', b @ b'0'..=b'9'] => Some(WrittenRoll(a - b'0', b - b'0')),
        _ => None,
    }
}

/// `12/14` in the numbers of the first player.
fn step(text: &str, player: Player) -> Option<Move> {
    let (from, to) = text.split_once('/')?;
    let place = |text: &str| match text {
        "bar" => Some(Place::BAR),
        "off" => Some(Place::OFF),
        _ => {
            let number: u8 = text
                .parse()
                .ok()
                .filter(|number| (1..=24).contains(number))?;
            Place::new(absolute(number, player))
        }
    };
    Some(Move::new(place(from)?, place(to)?, false))
}

/// A player's own number of a point from the first player's, and the other way round.
fn absolute(number: u8, player: Player) -> u8 {
    match player {
        Player::One => number,
        Player::Two => 25 - number,
    }
}

fn write(
    record: &MatchRecord,
    replay: &Replay,
    options: &WriteOptions,
) -> Result<Written, CannotWrite> {
    if options.before > 0 {
        return Err(CannotWrite("a replay holds one match".to_owned()));
    }
    let Some(Spanned {
        value: Length::Points(length),
        ..
    }) = record.length
    else {
        let why = "a replay is of a match with a length, not of money play";
        return Err(CannotWrite(why.to_owned()));
    };
    if record.games.is_empty() {
        return Err(CannotWrite("there is no game to write".to_owned()));
    }
    if !is_backgammon(record) {
        let why = "another start than that of backgammon cannot be told";
        return Err(CannotWrite(why.to_owned()));
    }
    let mut writer = Writer {
        text: String::new(),
        losses: losses(record, FORMAT.carries),
    };
    for _ in 0..normal::names_replaced(record) {
        writer.lose(Item::Names);
    }
    let time = writer.time(record);
    let games: Vec<String> = (0..record.games.len())
        .map(|number| writer.game(record, replay, number, length, time))
        .collect();
    // One line of the index has 24 bytes, its end included.
    let mut offset = 24 * games.len();
    let mut text = String::new();
    for game in &games {
        let _ = writeln!(text, "bgammon-replay {offset:08}");
        offset += game.len();
    }
    if offset > 99_999_999 {
        let why = "the index of a replay has room for 99 megabytes";
        return Err(CannotWrite(why.to_owned()));
    }
    text.push_str(&games.concat());
    let mut losses = writer.losses;
    losses.sort_by_key(|loss| loss.item);
    Ok(Written::new(text.into_bytes(), losses))
}

fn is_backgammon(record: &MatchRecord) -> bool {
    let tag = record.tag("Variation").map(|tag| tag.value.as_str());
    let variation = record.variation.as_ref();
    variation
        .map(|variation| variation.value.as_str())
        .or(tag)
        .is_none_or(|name| {
            name.trim().is_empty() || Variant::by_name(name) == Some(Variant::Backgammon)
        })
}

struct Writer {
    text: String,
    losses: Vec<Loss>,
}

impl Writer {
    fn lose(&mut self, item: Item) {
        match self.losses.iter_mut().find(|loss| loss.item == item) {
            Some(loss) => loss.times = loss.times.saturating_add(1),
            None => self.losses.push(Loss { item, times: 1 }),
        }
    }

    /// The time from the date and the time of the tags, 0 if they give none; the other tags are lost.
    fn time(&mut self, record: &MatchRecord) -> i64 {
        let value = |name: &str| record.tag(name).map(|tag| tag.value.trim());
        let midnight = "00:00:00";
        let time = value("EventDate")
            .and_then(|date| seconds(date, value("EventTime").unwrap_or(midnight)));
        let kept = |name: &str| {
            let is_date = name == "EventDate" || name == "EventTime";
            is_date && time.is_some() && value("EventTime").is_some()
        };
        for tag in &record.tags {
            let is_event = super::carry::tag_item(&tag.name) == Item::Event;
            if is_event && !kept(&tag.name) {
                self.lose(Item::Event);
            }
        }
        time.unwrap_or(0)
    }

    fn name(&mut self, name: &str) -> String {
        let written: String = name
            .trim()
            .chars()
            .map(|c| match c.is_whitespace() || c.is_control() {
                true => '_',
                false => c,
            })
            .collect();
        let written = if written.is_empty() {
            "?".to_owned()
        } else {
            written
        };
        if written != name {
            self.lose(Item::Names);
        }
        written
    }

    fn game(
        &mut self,
        record: &MatchRecord,
        replay: &Replay,
        number: usize,
        length: u32,
        time: i64,
    ) -> String {
        let game = &record.games[number];
        let [one, two] = Player::BOTH.map(|player| {
            let own = game.names[player].as_ref();
            self.name(own.map_or(&record.names[player], |name| &name.value))
        });
        let score = game.score.map(|score| score.value).unwrap_or_else(|| {
            // There is no way to say that no score is stated.
            self.lose(Item::Scores);
            let computed = replay.summary.games.get(number);
            computed.map(|game| game.before).unwrap_or_default()
        });
        let (winner, points) = self.result(game);
        let mut text = String::new();
        let _ = writeln!(
            text,
            "i {time} {one} {two} {length} {} {} {winner} {points} 0",
            score.one, score.two
        );
        std::mem::swap(&mut self.text, &mut text);
        let replayed = &replay.games[number];
        for index in 0..game.entries.len() {
            self.entry(game, index, replayed.step(index).as_ref());
        }
        std::mem::swap(&mut self.text, &mut text);
        text
    }

    /// Winner and points; 0 for what is not known, which is then lost.
    fn result(&mut self, game: &GameRecord) -> (u32, u32) {
        let Some(result) = game.result else {
            return (0, 0);
        };
        let winner = result.value.winner.map(|winner| winner.index() as u32 + 1);
        if winner.is_none() || result.value.points.is_none() {
            self.lose(Item::Results);
        }
        (winner.unwrap_or(0), result.value.points.unwrap_or(0))
    }

    fn entry(&mut self, game: &GameRecord, index: usize, step: Option<&ReplayStep>) {
        let entry = &game.entries[index];
        let player = entry.player.index() + 1;
        let meant = normal::meant(&game.entries, index);
        match &entry.action {
            // A double in answer to a double is a beaver, which was not counted by its word.
            Action::Double { .. } if !matches!(meant, Action::Double { .. }) => {
                let item = normal::answer(meant);
                item.into_iter().for_each(|item| self.lose(item));
            }
            Action::Play { roll, play } => self.play(entry, *roll, play, step),
            Action::Double { to, .. } => {
                let follows = || step.map(normal::twice);
                let value = to.or_else(follows).unwrap_or_else(|| {
                    // Behind the end of a game no value follows, and one must be written.
                    self.lose(Item::CubeValues);
                    2
                });
                let taken = self.is_taken(game, index);
                let _ = writeln!(self.text, "{player} d {value} {}", u8::from(taken));
            }
            Action::Take | Action::Pass => {
                // A double that is meant as an answer is lost, and so is what answers it.
                let doubled = index.checked_sub(1).is_some_and(|before| {
                    let meant = normal::meant(&game.entries, before);
                    game.entries[before].player != entry.player
                        && matches!(meant, Action::Double { .. })
                });
                if !doubled {
                    self.lose(Item::CubeActions);
                }
            }
            Action::Resign { win } => {
                if win.is_some() || refused_later(game, index) {
                    self.lose(Item::Resignations);
                }
                if !refused_later(game, index) {
                    let _ = writeln!(self.text, "{player} t");
                }
            }
            Action::Accept | Action::Reject | Action::NoRoll => self.lose(Item::Resignations),
            Action::Beaver { .. }
            | Action::Raccoon { .. }
            | Action::TimeOut
            | Action::Set
            | Action::Unreadable => {}
        }
    }

    /// Whether the double was taken, by its answer. Where none stands behind it, the game that goes on says
    /// that it was, and the double is counted as lost.
    fn is_taken(&mut self, game: &GameRecord, index: usize) -> bool {
        let double = &game.entries[index];
        let next = game.entries.get(index + 1);
        match next.filter(|next| next.player != double.player) {
            Some(Entry {
                action: Action::Take,
                ..
            }) => true,
            Some(Entry {
                action: Action::Pass,
                ..
            }) => false,
            _ => {
                self.lose(Item::CubeActions);
                next.is_some()
            }
        }
    }

    fn play(
        &mut self,
        entry: &Entry,
        roll: WrittenRoll,
        play: &WrittenPlay,
        step: Option<&ReplayStep>,
    ) {
        // A roll whose play is not known looks like a dance here; the loss is counted.
        if roll.0 > 9 || roll.1 > 9 || roll == WrittenRoll(0, 0) {
            return self.lose(Item::ImpossibleRolls);
        }
        let (high, low) = (roll.0.max(roll.1), roll.0.min(roll.1));
        let _ = write!(self.text, "{} r {high}-{low}", entry.player.index() + 1);
        if let WrittenPlay::Moves(written) = play {
            let moves = by_dice(written, entry.player, roll.roll(), step);
            for moved in moves.moves() {
                let place = |place: Place| match place.is_point() {
                    true => absolute(place.number(), entry.player).to_string(),
                    false => place.to_string(),
                };
                let _ = write!(self.text, " {}/{}", place(moved.from), place(moved.to));
            }
        }
        self.text.push('\n');
    }
}

/// Whether a resignation was answered with a refusal.
fn refused_later(game: &GameRecord, index: usize) -> bool {
    let next = game.entries.get(index + 1);
    next.is_some_and(|next| next.action == Action::Reject)
}

/// The play with one move a die, the rearmost checker first; as written if it is not legal, for where its checkers end
/// may depend on their order.
fn by_dice(written: &Play, player: Player, roll: Option<Roll>, step: Option<&ReplayStep>) -> Play {
    let known = step
        .filter(|step| normal::is_known_and_legal(step))
        .zip(roll);
    let legal = known.and_then(|(step, roll)| normal::play_made(player, roll, step));
    legal.map_or(*written, |legal| legal.sorted())
}

#[cfg(test)]
mod tests {
    use super::super::recorder::testing::{actions, damage, matches, only};
    use super::*;
    use crate::replay::{replay, rules_for};
    use crate::ruleset::RuleOptions;

    const REPLAY: &str = include_str!("../../fixtures/bgammon/replay.match");

    fn game(events: &str) -> (MatchRecord, Vec<&'static str>) {
        let text = format!("bgammon-replay 00000024\ni 0 a b 3 0 0 0 0 0\n{events}");
        only(&FORMAT, &text)
    }

    fn written(record: &MatchRecord) -> Result<(String, Vec<(Item, u32)>), CannotWrite> {
        let replay = replay(record, &rules_for(record, &RuleOptions::default()));
        let written = write(record, &replay, &WriteOptions::default())?;
        let losses = written.losses.iter().map(|loss| (loss.item, loss.times));
        let text = String::from_utf8(written.bytes).expect("UTF-8");
        Ok((text, losses.collect()))
    }

    #[test]
    fn the_second_player_goes_up() {
        let (record, codes) =
            game("2 r 6-4 1/7 bar/4\n1 r 2-1 bar/23 1/off\n2 r 5-5 20/off\n1 r 6-6\n");
        let expected = [
            "2 64: bar/21 24/18",
            "1 21: bar/23 1/off",
            "2 55: 5/off",
            "1 66:",
        ];
        assert_eq!(actions(&record.games[0]), expected);
        assert_eq!(codes, [""; 0]);
    }

    #[test]
    fn a_replay_is_written_as_it_was_read() {
        // The games of the fixture differ in their time, which a record has once.
        let text = REPLAY
            .replace("1765000420", "1765000000")
            .replace("1765000900", "1765000000");
        let (record, codes) = only(&FORMAT, &text);
        assert_eq!(codes, [""; 0]);
        let tag = |name: &str| record.tag(name).map(|tag| tag.value.as_str());
        assert_eq!(
            (tag("EventDate"), tag("EventTime")),
            (Some("2025.12.06"), Some("05:46:40"))
        );
        assert_eq!(written(&record), Ok((text, vec![])));
    }

    #[test]
    fn older_replays_have_no_time() {
        let (record, codes) = only(
            &FORMAT,
            "bgammon-replay 00000024\ni a b 1 0 0 1 1 0\n1 r 3-1 8/5 6/5\n",
        );
        assert_eq!((record.tags.len(), codes.len()), (0, 0));
        assert_eq!(record.length.map(|l| l.value), Some(Length::Points(1)));
    }

    #[test]
    fn other_games_are_refused_by_name() {
        let text = |variant: u8| format!("bgammon-replay 00000024\ni 0 a b 1 0 0 1 1 {variant}\n");
        let why = |variant| {
            let source = Source::new("x.match", text(variant).into(), None).expect("a source");
            read(&source, &mut |_, _| {})
                .expect_err("another game")
                .to_string()
        };
        assert_eq!(why(1), "acey-deucey is another game than backgammon");
        assert_eq!(why(2), "tabula is another game than backgammon");
        assert_eq!(why(7), "a variant that is not known");
    }

    #[test]
    fn what_makes_no_sense_is_kept_and_reported() {
        let (record, codes) = game("1 r 31 8/5\n2 r 3-1 17/20 19/x\n1 d 2\n1 x\n3 r 1-1\ni 1 2\n");
        let expected = ["1 unreadable", "2 31: ?", "1 unreadable", "1 unreadable"];
        assert_eq!(actions(&record.games[0]), expected);
        assert_eq!(codes, ["unreadable-line"; 6]);
        let (_, codes) = only(
            &FORMAT,
            "bgammon-replay 00000025\nbgammon-replay 9\ni 0 a b 99999999999 0 0 3 0 0\n",
        );
        assert_eq!(codes, ["bad-header"; 4]);
    }

    #[test]
    fn losses_are_counted() {
        let (mut record, _) = game("1 r 3-1 8/5 6/5\n2 d 2 1\n2 r 6-4 1/7 7/11\n");
        record.names.one = "Amira de Wit".to_owned();
        record.games[0].entries.remove(2);
        record.games[0].entries[1].action = Action::Double {
            to: None,
            after_roll: None,
        };
        let (text, losses) = written(&record).expect("a replay");
        assert!(text.contains("i 0 Amira_de_Wit b 3 0 0 0 0 0\n"), "{text}");
        assert!(text.contains("\n2 d 2 1\n"), "{text}");
        assert_eq!(losses, [(Item::Names, 1), (Item::CubeActions, 1)]);
        record.length = Some(Spanned::new(Length::Money, Span::default()));
        assert!(written(&record).is_err());
    }

    #[test]
    fn damage_is_survived() {
        damage(&FORMAT, &REPLAY[..400]);
        assert!(matches(&FORMAT, "bgammon-replay 99999999999999999999\n").is_empty());
    }
}
