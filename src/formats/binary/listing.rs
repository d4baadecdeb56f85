//! A listing of a binary input: one line a record, so that a finding has something to point at.
//!
//! ```text
//! match     Alice - Bob, 7 points
//! game 1    score 0-0
//! game 1    1. Alice  31: 8/5 6/5
//! game 1    1. Bob  doubles to 2
//! game 1    Bob wins 2 points
//! ```
//!
//! The place of a record is what it says itself: the roll and the play, without the words before.

use std::fmt::Write;

use crate::board::{ByPlayer, Player};
use crate::record::{Action, WrittenPlay};
use crate::source::Span;

/// A listing in the making.
#[derive(Debug, Default)]
pub(in crate::formats) struct Listing {
    text: String,
    names: ByPlayer<String>,
    game: u32,
    row: u32,
    left: bool,
}

impl Listing {
    /// A line about the match as a whole.
    pub(in crate::formats) fn of_match(&mut self, said: &str) -> Span {
        self.text.push_str("match     ");
        self.line(said)
    }

    /// The names for the lines that follow.
    pub(in crate::formats) fn players(&mut self, names: &ByPlayer<String>) {
        self.names = names.as_ref().map(|name| plain(name));
    }

    /// A game starts: its heading.
    pub(in crate::formats) fn game(&mut self, said: &str) -> Span {
        self.game += 1;
        (self.row, self.left) = (0, false);
        self.of_game(said)
    }

    /// A line about the game.
    pub(in crate::formats) fn of_game(&mut self, said: &str) -> Span {
        let start = self.text.len();
        let _ = write!(self.text, "game {}", self.game);
        while self.text.len() < start + 10 {
            self.text.push(' ');
        }
        self.line(said)
    }

    /// What a player did, and the number of its row: both players have one place in each row, as on paper.
    pub(in crate::formats) fn action(&mut self, player: Player, action: &Action) -> (Span, u32) {
        if player == Player::One || !self.left {
            self.row += 1;
        }
        self.left = player == Player::One;
        let start = self.text.len();
        let _ = write!(self.text, "game {}", self.game);
        while self.text.len() < start + 10 {
            self.text.push(' ');
        }
        let name = match (self.names[player].as_str(), player) {
            ("", Player::One) => "left",
            ("", Player::Two) => "right",
            (name, _) => name,
        };
        let _ = write!(self.text, "{}. {name}  ", self.row);
        (self.line(&words(action)), self.row)
    }

    fn line(&mut self, said: &str) -> Span {
        let start = self.text.len();
        if said.contains(char::is_control) {
            self.text.push_str(&plain(said));
        } else {
            self.text.push_str(said);
        }
        let end = self.text.len();
        self.text.push('\n');
        Span::new(
            u32::try_from(start).unwrap_or(u32::MAX),
            u32::try_from(end).unwrap_or(u32::MAX),
        )
    }

    /// The text of the listing.
    pub(in crate::formats) fn finish(self) -> String {
        self.text
    }
}

/// A text in one line.
fn plain(text: &str) -> String {
    text.chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect()
}

/// An action as a transcript would have it.
fn words(action: &Action) -> String {
    let to = |word: &str, to: Option<u32>| match to {
        Some(to) => format!("{word} to {to}"),
        None => word.to_owned(),
    };
    match action {
        Action::Play { roll, play } => match play {
            WrittenPlay::Moves(play) => format!("{roll}: {play}"),
            WrittenPlay::CannotMove => format!("{roll}: cannot move"),
            WrittenPlay::Nothing => format!("{roll}:"),
            WrittenPlay::NotRecorded => format!("{roll}: ????"),
        },
        Action::Double { to: value, .. } => to("doubles", *value),
        Action::Beaver { to: value } => to("beavers", *value),
        Action::Raccoon { to: value } => to("raccoons", *value),
        Action::Take => "takes".to_owned(),
        Action::Pass => "passes".to_owned(),
        Action::Resign { win: Some(win) } => format!("resigns a {}", win.name()),
        Action::Resign { win: None } => "resigns".to_owned(),
        Action::Accept => "accepts".to_owned(),
        Action::Reject => "rejects".to_owned(),
        Action::TimeOut => "loses on time".to_owned(),
        Action::NoRoll => "does not roll".to_owned(),
        Action::Set => "sets the position".to_owned(),
        Action::Unreadable => "(unreadable)".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::WrittenRoll;

    #[test]
    fn a_place_is_what_the_record_says_itself() {
        let mut listing = Listing::default();
        listing.players(&ByPlayer::new("A: \n".to_owned(), String::new()));
        let first = listing.of_match("A - B");
        let heading = listing.game("score 0-0");
        let play = Action::Play {
            roll: WrittenRoll(3, 1),
            play: WrittenPlay::Nothing,
        };
        let (two, row) = listing.action(Player::Two, &play);
        let (one, next) = listing.action(Player::One, &Action::Take);
        assert_eq!((row, next), (1, 2));
        let text = listing.finish();
        let part = |span: Span| &text[span.start as usize..span.end as usize];
        assert_eq!(part(first), "A - B");
        assert_eq!(part(heading), "score 0-0");
        assert_eq!(part(two), "31:");
        assert_eq!(part(one), "takes");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[2], "game 1    1. right  31:");
        assert_eq!(lines[3], "game 1    2. A:    takes");
    }
}
