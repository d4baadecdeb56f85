//! Random legal matches as Jellyfish text: what a reader must find without a fault.

use std::fmt::Write;

use tawla::board::{ByPlayer, Cube, Play, Player, Plays, Position, Roll, Variant, legal_plays};

use super::rng::Rng;
use super::slow::Board;

/// A match and what happened in it.
#[derive(Debug, Clone)]
pub(crate) struct MadeMatch {
    /// The transcript as JellyFish and GNU Backgammon write it.
    pub(crate) text: String,
    /// The points to reach.
    pub(crate) length: u32,
    /// The names, those of the left column first.
    pub(crate) names: ByPlayer<String>,
    /// The games in order.
    pub(crate) games: Vec<MadeGame>,
}

/// One game of a made match.
#[derive(Debug, Clone)]
pub(crate) struct MadeGame {
    /// The score before it.
    pub(crate) before: ByPlayer<u32>,
    /// Whether it is the Crawford game.
    pub(crate) is_crawford: bool,
    /// What happened, in order.
    pub(crate) actions: Vec<(Player, Made)>,
    /// Who won.
    pub(crate) winner: Player,
    /// How many points; more than were needed where the cube says so.
    pub(crate) points: u32,
}

/// Something that a player did.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Made {
    /// Rolled and played; an empty play where nothing could be played.
    Play(Roll, Play),
    /// Offered the cube at this value.
    Double(u32),
    /// Took it.
    Take,
    /// Gave the game up.
    Drop,
}

/// The match of a seed, to 1, 3, 5 or 7 points.
pub(crate) fn random_match(rng: &mut Rng) -> MadeMatch {
    random_match_with(rng, &mut |_, _, _, _| None)
}

/// What somebody plays where the rules are not asked: the position after it and the play. `None`: a legal play.
pub(crate) type Meddle<'a> =
    &'a mut dyn FnMut(&mut Rng, &Position, Player, Roll) -> Option<(Position, Play)>;

/// A match in which plays come up that are not legal, and stand.
pub(crate) fn random_match_with(rng: &mut Rng, meddle: Meddle<'_>) -> MadeMatch {
    random_match_of(rng, |rng| [1, 3, 5, 7][rng.below(4)], meddle)
}

/// The same with a length that somebody chooses.
pub(crate) fn random_match_of(
    rng: &mut Rng,
    length: impl FnOnce(&mut Rng) -> u32,
    meddle: Meddle<'_>,
) -> MadeMatch {
    const NAMES: [&str; 6] = ["Amira", "Bo", "Chloe de Wit", "Dov", "Eleni K", "Farid99"];
    let first = rng.below(NAMES.len());
    let second = (first + 1 + rng.below(NAMES.len() - 1)) % NAMES.len();
    let mut made = MadeMatch {
        text: String::new(),
        length: length(rng),
        names: ByPlayer::new(NAMES[first].to_owned(), NAMES[second].to_owned()),
        games: Vec::new(),
    };
    let mut score = ByPlayer::new(0, 0);
    let mut crawford_is_over = made.length == 1;
    while score.one.max(score.two) < made.length {
        let is_crawford = !crawford_is_over && score.one.max(score.two) + 1 == made.length;
        crawford_is_over |= is_crawford;
        let game = random_match_game(rng, made.length, score, is_crawford, meddle);
        score[game.winner] += game.points;
        made.games.push(game);
    }
    made.text = text(&made);
    made
}

fn random_match_game(
    rng: &mut Rng,
    length: u32,
    before: ByPlayer<u32>,
    is_crawford: bool,
    meddle: Meddle<'_>,
) -> MadeGame {
    let mut plays = Plays::new();
    let mut actions = Vec::new();
    let mut cube = Cube::START;
    let mut position = Position::start(Variant::Backgammon);
    let mut roll = opening_roll(rng);
    let mut player = if roll.0 > roll.1 {
        Player::One
    } else {
        Player::Two
    };
    let over = |winner, points, actions| MadeGame {
        before,
        is_crawford,
        actions,
        winner,
        points,
    };
    loop {
        let meddled = (!actions.is_empty())
            .then(|| meddle(rng, &position, player, roll))
            .flatten();
        let play = match meddled {
            Some((after, play)) => {
                position = after;
                play
            }
            None => random_play(rng, &mut position, player, roll, &mut plays),
        };
        actions.push((player, Made::Play(roll, play)));
        if let Some((winner, win)) = position.winner() {
            return over(winner, cube.value * win.factor(), actions);
        }
        player = !player;
        let useful = !is_crawford && before[player] + cube.value < length;
        if useful && cube.may_turn(player) && rng.once_in(14) {
            actions.push((player, Made::Double(2 * cube.value)));
            if rng.once_in(3) {
                actions.push((!player, Made::Drop));
                return over(player, cube.value, actions);
            }
            actions.push((!player, Made::Take));
            cube = Cube {
                value: 2 * cube.value,
                owner: Some(!player),
            };
        }
        roll = rng.roll();
    }
}

/// One die each, until they differ; the first player's comes first.
pub(super) fn opening_roll(rng: &mut Rng) -> Roll {
    loop {
        let roll = rng.roll();
        if !roll.is_double() {
            return roll;
        }
    }
}

/// Mostly runs for home, so that games come to an end, and sometimes does anything.
pub(super) fn random_play(
    rng: &mut Rng,
    position: &mut Position,
    player: Player,
    roll: Roll,
    plays: &mut Plays,
) -> Play {
    legal_plays(position, player, roll, plays);
    let rashness = if rng.once_in(3) { 60 } else { 8 };
    let chosen = plays.iter().min_by_key(|(after, play)| {
        let blots = after.side(player)[1..=24]
            .iter()
            .filter(|&&checkers| checkers == 1)
            .count();
        4 * blots + rng.below(rashness) - play.hits().min(2) * usize::from(blots > 0)
    });
    match chosen {
        None => Play::EMPTY,
        Some(&(after, play)) => {
            *position = after;
            play
        }
    }
}

/// The transcript: left cells from column 5, right cells from column 33, rows padded to 34 columns.
pub(crate) fn text(made: &MadeMatch) -> String {
    let mut text = format!(" {} point match\n", made.length);
    for (index, game) in made.games.iter().enumerate() {
        let left = format!("{} : {}", made.names.one, game.before.one);
        let _ = write!(
            text,
            "\n Game {}\n {left:<30} {} : {}\n",
            index + 1,
            made.names.two,
            game.before.two
        );
        text += &rows(&cells(game), game.winner, game.points);
    }
    text
}

/// What each player did, as its cell.
pub(crate) fn cells(game: &MadeGame) -> Vec<(Player, String)> {
    let mut position = Position::start(Variant::Backgammon);
    let cell = |&(player, action): &(Player, Made)| (player, cell(&mut position, player, action));
    game.actions.iter().map(cell).collect()
}

/// The rows of a game with these cells, and its result.
pub(crate) fn rows(cells: &[(Player, String)], winner: Player, points: u32) -> String {
    let mut rows = Rows::default();
    for (player, cell) in cells {
        rows.add(*player, cell.clone());
    }
    let plural = if points == 1 { "" } else { "s" };
    rows.wins(winner, format!("Wins {points} point{plural}"));
    rows.text
}

/// The rows of a game.
#[derive(Default)]
pub(super) struct Rows {
    /// What is written so far.
    pub(super) text: String,
    number: u32,
    left: Option<String>,
}

impl Rows {
    /// What a player did.
    pub(super) fn add(&mut self, player: Player, cell: String) {
        match player {
            Player::One => {
                self.end_row();
                self.left = Some(cell);
            }
            // A habit of these programs: a roll on the right ends in a blank unless four moves follow it.
            Player::Two if cell.contains(':') && cell.matches('/').count() < 4 => {
                self.write_row(&format!("{cell} "));
            }
            Player::Two => self.write_row(&cell),
        }
    }

    /// The result: beside the last left cell if the right one won a dropped game, else in a line of its own.
    pub(super) fn wins(&mut self, winner: Player, cell: String) {
        let dropped = self.left.as_ref().is_some_and(|left| left == " Drops");
        if winner == Player::Two && dropped {
            return self.write_row(&format!(" {cell}"));
        }
        self.end_row();
        let column = if winner == Player::One { 6 } else { 34 };
        let _ = writeln!(self.text, "{:column$}{cell}", "");
    }

    fn end_row(&mut self) {
        if self.left.is_some() {
            self.write_row("");
        }
    }

    fn write_row(&mut self, right: &str) {
        self.number += 1;
        let left = self.left.take().unwrap_or_default();
        let row = format!("{:>3}) {left:<27} {right}", self.number);
        let _ = writeln!(self.text, "{row:<34}");
    }
}

/// An action as its cell, and the position after it.
pub(super) fn cell(position: &mut Position, player: Player, action: Made) -> String {
    match action {
        Made::Double(value) => format!(" Doubles => {value}"),
        Made::Take => " Takes".to_owned(),
        Made::Drop => " Drops".to_owned(),
        Made::Play(roll, play) => {
            let mut cell = format!("{roll}:");
            let mut blots = Board::of(position, player)
                .points
                .map(|checkers| checkers == -1);
            for moved in play.sorted().moves() {
                let (from, to) = (moved.from.number(), moved.to.number());
                // The star stands at the first of the moves that land there.
                let star = if std::mem::take(&mut blots[usize::from(to)]) {
                    "*"
                } else {
                    ""
                };
                let _ = write!(cell, " {from}/{to}{star}");
            }
            *position = after(position, player, play);
            cell
        }
    }
}

fn after(position: &Position, player: Player, play: Play) -> Position {
    tawla::board::played_as_written(position, player, play.moves()).expect("a legal play")
}

#[test]
fn made_matches_are_legal_and_add_up() {
    let mut rng = Rng::new(20);
    let (mut crawford, mut drops, mut gammons) = (0, 0, 0);
    for _ in 0..20 {
        let made = random_match(&mut rng);
        let mut score = ByPlayer::new(0, 0);
        for game in &made.games {
            assert_eq!(game.before, score);
            score[game.winner] += game.points;
            crawford += u32::from(game.is_crawford);
            drops += game
                .actions
                .iter()
                .filter(|(_, action)| matches!(action, Made::Drop))
                .count();
            gammons += u32::from(game.points > 1);
            plays_are_legal(game);
        }
        assert!(score.one.max(score.two) >= made.length);
        assert_eq!(made.text.matches("Wins ").count(), made.games.len());
        assert_eq!(made.text.matches(&made.names.one).count(), made.games.len());
    }
    assert!(
        crawford > 0 && drops > 0 && gammons > 0,
        "{crawford} {drops} {gammons}"
    );
}

fn plays_are_legal(game: &MadeGame) {
    let mut position = Position::start(Variant::Backgammon);
    for &(player, action) in &game.actions {
        let Made::Play(roll, play) = action else {
            continue;
        };
        let legal = Board::of(&position, player).legal(roll);
        position = after(&position, player, play);
        let board = Board::of(&position, player);
        assert!(legal.contains_key(&board) || legal.is_empty() && play.moves().is_empty());
    }
}
