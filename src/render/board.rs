//! A position drawn in characters.
//!
//! Long nardi is drawn on the same board: the head of player one is at the top right, that of player two at the
//! bottom left, and both go round against the clock. The numbers of player two stand outside the frame, as they
//! are not those of player one counted from the other end.

use std::fmt::Write;

use super::harmless;
use crate::board::{ByPlayer, Cube, Length, Player, Roll, Variant};

/// What is drawn.
#[derive(Debug, Clone, Default)]
pub struct Scene {
    /// The game: which points of the players are the same.
    pub variant: Variant,
    /// Checkers of each player by place in the own numbering: 1 to 24 the points, 25 the bar.
    pub board: ByPlayer<[u8; 26]>,
    /// Checkers a side, to tell how many are off; 15 if 0.
    pub checkers: u8,
    /// Who is on roll.
    pub turn: Option<Player>,
    /// The dice.
    pub roll: Option<Roll>,
    /// The cube.
    pub cube: Option<Cube>,
    /// What is to be done instead of rolling or playing: `has doubled`.
    pub remark: Option<String>,
    /// The names; empty where they are not known.
    pub names: ByPlayer<String>,
    /// The score.
    pub score: Option<ByPlayer<u32>>,
    /// How long the match is.
    pub length: Option<Length>,
    /// Whether this is the Crawford game.
    pub crawford: bool,
}

/// Rows of checkers in each half; higher stacks show their number.
const ROWS: usize = 5;
/// The widest name that leaves the drawing within 80 columns.
const NAME: usize = 22;

/// The position from player one's side: X is player one, at the bottom, and bears off at the right. Ends
/// with a line break; no line has more than 80 characters.
pub fn draw(scene: &Scene) -> String {
    let top = notes(scene, Player::Two);
    let bottom = notes(scene, Player::One);
    let bottom: Vec<&str> = bottom.lines().collect();
    let mut top = top.lines();
    let mut text = String::with_capacity(1024);
    other_numbers(&mut text, scene, 13..=24);
    text.push_str("  +13-14-15-16-17-18-+---+19-20-21-22-23-24-+\n");
    for row in 0..ROWS {
        half(&mut text, scene, 13, row);
        note(&mut text, top.next());
    }
    text.push_str(match scene.variant {
        Variant::LongNardi => "  |                  |   |                  |",
        _ => "  |                  |BAR|                  |",
    });
    note(&mut text, Some(&middle(scene)));
    for row in (0..ROWS).rev() {
        half(&mut text, scene, 12, row);
        note(&mut text, bottom.get(row).copied());
    }
    text.push_str("  +12-11-10--9--8--7-+---+-6--5--4--3--2--1-+\n");
    other_numbers(&mut text, scene, (1..=12).rev());
    text
}

/// In long nardi, the numbers of player two at the points of player one.
fn other_numbers(text: &mut String, scene: &Scene, points: impl Iterator<Item = u8>) {
    if scene.variant != Variant::LongNardi {
        return;
    }
    text.push_str("   ");
    for (column, point) in points.enumerate() {
        let gap = if column == 6 { "     " } else { "" };
        let number = scene.variant.opposite(point);
        // Writing into a string does not fail.
        let _ = write!(text, "{gap}{number:>2} ");
    }
    text.push_str("   points of O\n");
}

/// What stands behind a row of the board, and the end of its line.
fn note(text: &mut String, note: Option<&str>) {
    let note = note.unwrap_or_default().trim_end();
    if !note.is_empty() {
        text.push_str("  ");
        text.push_str(note);
    }
    text.push('\n');
}

/// One row of the upper half, with `first` 13, or of the lower half, with 12. Row 0 is at the edge.
fn half(text: &mut String, scene: &Scene, first: usize, row: usize) {
    let point = |column: usize| {
        if first == 13 {
            13 + column
        } else {
            12 - column
        }
    };
    // A checker waits in the half in which it enters. The rows of the bar count from the middle.
    let waiting = if first == 13 {
        Player::One
    } else {
        Player::Two
    };
    // A long file has hundreds of thousands of boards: a row is filled in rather than put together.
    let mut drawn = *b"  |                  |   |                  |";
    for column in 0..12 {
        let at = 3 + 3 * column + if column < 6 { 0 } else { 5 };
        cell(&mut drawn[at..at + 3], on_point(scene, point(column)), row);
    }
    let bar = (waiting, scene.board[waiting][25]);
    cell(&mut drawn[22..25], bar, ROWS - 1 - row);
    text.push_str(str::from_utf8(&drawn).expect("ASCII"));
}

/// Whose checkers stand on a point of player one, and how many.
fn on_point(scene: &Scene, point: usize) -> (Player, u8) {
    match scene.board.one[point] {
        0 => {
            let there = scene.variant.opposite(point as u8);
            (Player::Two, scene.board.two[usize::from(there)])
        }
        checkers => (Player::One, checkers),
    }
}

/// Fills in three characters of a stack: a checker, the number of a high stack at its end, or nothing.
fn cell(drawn: &mut [u8], (player, checkers): (Player, u8), row: usize) {
    if usize::from(checkers) > ROWS && row == ROWS - 1 {
        drawn.copy_from_slice(format!("{checkers:^3}").as_bytes());
    } else if row < usize::from(checkers) {
        drawn[1] = sign(player) as u8;
    }
}

fn sign(player: Player) -> char {
    match player {
        Player::One => 'X',
        Player::Two => 'O',
    }
}

/// What stands beside a player's half, a line each from the edge to the middle.
fn notes(scene: &Scene, player: Player) -> String {
    let side = &scene.board[player];
    let on_board: u32 = side[1..].iter().map(|&n| u32::from(n)).sum();
    let pips: u32 = (0u32..)
        .zip(side)
        .map(|(place, &n)| place * u32::from(n))
        .sum();
    let checkers = match scene.checkers {
        0 => 15,
        checkers => u32::from(checkers),
    };
    let mut digits = itoa::Buffer::new();
    let mut notes = String::with_capacity(128);
    title(&mut notes, scene, player);
    notes.push('\n');
    notes.push_str(digits.format(pips));
    notes.push_str(" pips");
    let off = checkers.saturating_sub(on_board);
    if off > 0 {
        for text in [", ", digits.format(off), " off"] {
            notes.push_str(text);
        }
    }
    if let Some(score) = scene.score {
        let points = score[player];
        for text in ["\n", digits.format(points)] {
            notes.push_str(text);
        }
        if let Some(Length::Points(length)) = scene.length {
            for text in [" of ", digits.format(length)] {
                notes.push_str(text);
            }
        }
        let is_one = points == 1 && !matches!(scene.length, Some(Length::Points(_)));
        notes.push_str(if is_one { " point" } else { " points" });
    }
    if let Some(cube) = scene.cube
        && cube.owner == Some(player)
    {
        notes.push('\n');
        push_cube(&mut notes, cube);
    }
    notes
}

/// `[2] cube`
fn push_cube(text: &mut String, cube: Cube) {
    for part in ["[", itoa::Buffer::new().format(cube.value), "] cube"] {
        text.push_str(part);
    }
}

fn title(text: &mut String, scene: &Scene, player: Player) {
    text.push(sign(player));
    let name = scene.names[player].as_str();
    if !name.is_empty() {
        text.push(' ');
    }
    if name.len() <= NAME && name.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        text.push_str(name);
        return;
    }
    let name = harmless(name).replace('\t', "?");
    if name.chars().count() > NAME {
        text.extend(name.chars().take(NAME - 3));
        text.push_str("...");
    } else {
        text.push_str(&name);
    }
}

/// The cube in the middle and what is to be done.
fn middle(scene: &Scene) -> String {
    let mut text = String::with_capacity(32);
    if let Some(player) = scene.turn {
        text.push(sign(player));
        text.push(' ');
        match (&scene.remark, scene.roll) {
            (Some(remark), _) => text.push_str(remark),
            (None, Some(roll)) => {
                text.push_str("to play ");
                roll.write_to(&mut text);
            }
            (None, None) => text.push_str("to roll"),
        }
    }
    if let Some(cube) = scene.cube
        && cube.owner.is_none()
    {
        if !text.is_empty() {
            text.push_str(", ");
        }
        match scene.crawford {
            true => text.push_str("Crawford"),
            false => push_cube(&mut text, cube),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Variant;

    fn start() -> Scene {
        Scene {
            board: ByPlayer::new(Variant::Backgammon.start(), Variant::Backgammon.start()),
            turn: Some(Player::One),
            roll: Roll::new(3, 1),
            cube: Some(Cube::START),
            names: ByPlayer::new("Ann".to_owned(), "Bob".to_owned()),
            score: Some(ByPlayer::new(0, 2)),
            length: Some(Length::Points(7)),
            ..Scene::default()
        }
    }

    #[test]
    fn the_start_looks_as_on_a_table() {
        let drawn = "  \
  +13-14-15-16-17-18-+---+19-20-21-22-23-24-+
  | X           O    |   | O              X |  O Bob
  | X           O    |   | O              X |  167 pips
  | X           O    |   | O                |  2 of 7 points
  | X                |   | O                |
  | X                |   | O                |
  |                  |BAR|                  |  X to play 31, [1] cube
  | O                |   | X                |
  | O                |   | X                |
  | O           X    |   | X                |  0 of 7 points
  | O           X    |   | X              O |  167 pips
  | O           X    |   | X              O |  X Ann
  +12-11-10--9--8--7-+---+-6--5--4--3--2--1-+
";
        assert_eq!(draw(&start()), drawn);
    }

    #[test]
    fn long_nardi_is_drawn_with_the_numbers_of_both() {
        let mut scene = start();
        scene.variant = Variant::LongNardi;
        scene.cube = None;
        scene.board.one = Variant::LongNardi.start();
        scene.board.two = Variant::LongNardi.start();
        (scene.board.one[24], scene.board.one[20]) = (14, 1);
        // The opponent's 20 is the own 8.
        (scene.board.two[24], scene.board.two[20]) = (14, 1);
        let drawn = "    \
1  2  3  4  5  6       7  8  9 10 11 12    points of O
  +13-14-15-16-17-18-+---+19-20-21-22-23-24-+
  |                  |   |    X           X |  O Bob
  |                  |   |                X |  356 pips
  |                  |   |                X |  2 of 7 points
  |                  |   |                X |
  |                  |   |               14 |
  |                  |   |                  |  X to play 31
  |14                |   |                  |
  | O                |   |                  |
  | O                |   |                  |  0 of 7 points
  | O                |   |                  |  356 pips
  | O           O    |   |                  |  X Ann
  +12-11-10--9--8--7-+---+-6--5--4--3--2--1-+
   24 23 22 21 20 19      18 17 16 15 14 13    points of O
";
        assert_eq!(draw(&scene), drawn);
    }

    #[test]
    fn a_high_stack_shows_its_number() {
        let mut scene = start();
        scene.board.one = [0; 26];
        scene.board.one[1] = 12;
        scene.board.one[25] = 3;
        scene.cube = Some(Cube {
            value: 4,
            owner: Some(Player::Two),
        });
        scene.board.two = [0; 26];
        scene.board.two[25] = 7;
        let drawn = "  \
  +13-14-15-16-17-18-+---+19-20-21-22-23-24-+
  |                  |   |                  |  O Bob
  |                  |   |                  |  175 pips, 8 off
  |                  | X |                  |  2 of 7 points
  |                  | X |                  |  [4] cube
  |                  | X |                  |
  |                  |BAR|                  |  X to play 31
  |                  | O |               12 |
  |                  | O |                X |
  |                  | O |                X |  0 of 7 points
  |                  | O |                X |  87 pips
  |                  | 7 |                X |  X Ann
  +12-11-10--9--8--7-+---+-6--5--4--3--2--1-+
";
        assert_eq!(draw(&scene), drawn);
    }

    #[test]
    fn no_line_is_wider_than_a_terminal() {
        let mut scene = start();
        scene.names.one =
            "a name\u{7} that is far too long for any line of any terminal".to_owned();
        scene.score = Some(ByPlayer::new(u32::MAX, u32::MAX));
        scene.length = Some(Length::Points(u32::MAX));
        scene.checkers = 255;
        let drawn = draw(&scene);
        assert!(
            drawn.lines().all(|line| line.chars().count() <= 80),
            "{drawn}"
        );
        assert!(!drawn.contains('\u{7}'));
    }
}
