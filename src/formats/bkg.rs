//! Games of Berliner's BKG (`.bkg`).
//!
//! ```text
//! line = ( "Black" | "White" ) " " ( "wins" [ "gammon" | "backgammon" ] | "Doubles" … [ "Accepted" ] | dice places )
//! ```
//!
//! Columns are fixed: the dice stand at 7 and 9 and the places, at most eight, behind column 13. Both players
//! use Black's numbers, so that White goes up from 0, the bar, to 25. There are no names, no scores and no
//! length. Follows the importer that GNU Backgammon had until 2013.

use super::carry::{Carried, Item};
use super::recorder::{Recorder, starts};
use super::{Format, Likely, NotThisFormat, Sink};
use crate::board::{ByPlayer, Length, Move, Play, Player, Win};
use crate::record::{Action, GameResult, WrittenPlay, WrittenRoll};
use crate::source::{Source, Span, Spanned, lines};

pub(super) static FORMAT: Format = Format {
    name: "bkg",
    title: "Berliner BKG",
    extensions: &["bkg"],
    sniff,
    binary: false,
    read: Some(read),
    read_made: None,
    cut: None,
    write: None,
    profiles: &[],
    verified: false,
    carries: &[
        (Item::CubeActions, Carried::Yes),
        (Item::Dances, Carried::Yes),
        (Item::Results, Carried::Yes),
        (Item::ResultKinds, Carried::Yes),
    ],
};

/// The first lines start with a colour, and the first of them with dice.
fn sniff(source: &Source) -> Likely {
    let mut texts = lines(source.text())
        .map(|line| line.text.trim_end())
        .filter(|text| !text.is_empty());
    let is_roll = |text: &str| side(text).is_some() && dice(text).is_some();
    let first = texts.next().is_some_and(is_roll);
    let second = texts.next();
    match (first, second.map(|text| side(text).is_some())) {
        (true, Some(true)) => Likely::Yes,
        (true, _) => Likely::Maybe,
        (false, _) => Likely::No,
    }
}

fn read(source: &Source, sink: &mut Sink<'_>) -> Result<(), NotThisFormat> {
    let mut recorder = Recorder::new(source);
    recorder.record.names = ByPlayer::new("Black".to_owned(), "White".to_owned());
    for line in lines(source.text()) {
        let text = line.text.trim_end();
        if text.is_empty() {
            continue;
        }
        let span = source.span(text);
        match side(text) {
            Some(player) => action(&mut recorder, player, text, span),
            None => recorder.remark(span, text.trim()),
        }
    }
    recorder.hand_over(sink)
}

/// The player of a line.
fn side(text: &str) -> Option<Player> {
    match text.get(..6)? {
        "Black " => Some(Player::One),
        "White " => Some(Player::Two),
        _ => None,
    }
}

/// The dice at columns 7 and 9.
fn dice(text: &str) -> Option<WrittenRoll> {
    let digit = |at: usize| match text.as_bytes().get(at)? {
        &digit @ b'0'..=b'9' => Some(digit - b'0'),
        _ => None,
    };
    Some(WrittenRoll(digit(7)?, digit(9)?))
}

fn action(recorder: &mut Recorder<'_>, player: Player, text: &str, span: Span) {
    if !recorder.is_in_game() {
        recorder.start_game(span);
        let money = Spanned::new(Length::Money, span);
        recorder.record.length.get_or_insert(money);
    }
    let rest = &text[6..];
    if starts(rest, "wins") {
        let kind = rest.get(4..).unwrap_or("").trim();
        let win = if starts(kind, "backgammon") {
            Win::Backgammon
        } else if starts(kind, "gammon") {
            Win::Gammon
        } else {
            Win::Single
        };
        let result = GameResult {
            winner: Some(player),
            win: Some(win),
            ..GameResult::default()
        };
        return recorder.result(result, span);
    }
    if starts(rest, "doubles") {
        let (to, after_roll) = (None, None);
        recorder.action(player, Action::Double { to, after_roll }, 0, span);
        let answer = rest[7..].to_ascii_lowercase();
        let taken = answer.contains("accepted");
        let action = if taken { Action::Take } else { Action::Pass };
        return recorder.action(!player, action, 0, span);
    }
    let Some(roll) = dice(text) else {
        return recorder.unreadable(player, 0, span);
    };
    match places(text, player) {
        Some(moves) if moves.moves().is_empty() => {
            let play = WrittenPlay::Nothing;
            recorder.action(player, Action::Play { roll, play }, 0, span);
        }
        Some(moves) => {
            let play = WrittenPlay::Moves(moves);
            recorder.action(player, Action::Play { roll, play }, 0, span);
        }
        None => recorder.garbled(player, roll, 0, span),
    }
}

/// The places from column 13 on, two a move; `None` if they are no moves.
fn places(text: &str, player: Player) -> Option<Play> {
    let numbers = text.get(13..).unwrap_or("");
    let numbers: Vec<u8> = numbers
        .split(|c: char| !c.is_ascii_digit())
        .filter(|number| !number.is_empty())
        .map(|number| number.parse().ok().filter(|&n| n <= 25))
        .collect::<Option<_>>()?;
    let own = |place: u8| match player {
        Player::One => place,
        Player::Two => 25 - place,
    };
    let mut play = Play::EMPTY;
    for pair in numbers.chunks(2) {
        let &[from, to] = pair else { return None };
        if !play.push(Move::from_numbers(own(from), own(to), false)?) {
            return None;
        }
    }
    Some(play)
}

#[cfg(test)]
mod tests {
    use super::super::recorder::testing::{actions, damage, only};
    use super::*;

    const GAME: &str = include_str!("../../fixtures/bkg/berliner.bkg");

    #[test]
    fn white_counts_from_the_own_side_too() {
        let (record, codes) = only(&FORMAT, GAME);
        assert_eq!(record.games.len(), 2);
        let first = actions(&record.games[0]);
        assert_eq!(first[..2], ["2 31: 8/5 6/5", "1 64: 24/14"]);
        assert_eq!(first[5], "1 take");
        assert_eq!(actions(&record.games[1])[3], "2 pass");
        assert_eq!(codes, [""; 0]);
    }

    #[test]
    fn a_place_without_a_partner_is_unreadable() {
        let (record, codes) = only(&FORMAT, "Black (3,1)  8,5 6\nWhite (6,6)  0,77\nWhite x\n");
        assert_eq!(
            actions(&record.games[0]),
            ["1 31: ?", "2 66: ?", "2 unreadable"]
        );
        assert_eq!(codes, ["unreadable-line"; 3]);
    }

    #[test]
    fn damage_is_survived() {
        damage(&FORMAT, GAME);
    }
}
