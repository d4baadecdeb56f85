//! A position drawn in characters.
//!
//! Long nardi is drawn on the same board: the head of player one is at the top right, that of player two at the
//! bottom left, and both go round against the clock. The numbers of player two stand outside the frame, as they
//! are not those of player one counted from the other end.

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
    let top = Notes::of(scene, Player::Two);
    let bottom = Notes::of(scene, Player::One);
    // A long file has hundreds of thousands of boards: rows are filled in rather than put together.
    let mut text = Vec::with_capacity(1024);
    other_numbers(&mut text, scene, 13..=24);
    text.extend_from_slice(b"  +13-14-15-16-17-18-+---+19-20-21-22-23-24-+\n");
    for (row, drawn) in half(scene, 13).iter().enumerate() {
        text.extend_from_slice(drawn);
        note(&mut text, top.line(row));
    }
    text.extend_from_slice(match scene.variant {
        Variant::LongNardi => b"  |                  |   |                  |",
        _ => b"  |                  |BAR|                  |",
    });
    note(&mut text, &middle(scene));
    for (row, drawn) in half(scene, 12).iter().enumerate().rev() {
        text.extend_from_slice(drawn);
        note(&mut text, bottom.line(row));
    }
    text.extend_from_slice(b"  +12-11-10--9--8--7-+---+-6--5--4--3--2--1-+\n");
    other_numbers(&mut text, scene, (1..=12).rev());
    String::from_utf8(text).expect("made of strings")
}

/// In long nardi, the numbers of player two at the points of player one.
fn other_numbers(text: &mut Vec<u8>, scene: &Scene, points: impl Iterator<Item = u8>) {
    if scene.variant != Variant::LongNardi {
        return;
    }
    text.extend_from_slice(b"   ");
    for (column, point) in points.enumerate() {
        let gap = if column == 6 { "     " } else { "" };
        let number = scene.variant.opposite(point);
        text.extend_from_slice(format!("{gap}{number:>2} ").as_bytes());
    }
    text.extend_from_slice(b"   points of O\n");
}

/// What stands behind a row of the board, and the end of its line.
fn note(text: &mut Vec<u8>, note: &str) {
    let note = note.trim_end();
    if !note.is_empty() {
        text.extend_from_slice(b"  ");
        text.extend_from_slice(note.as_bytes());
    }
    text.push(b'\n');
}

/// A row without checkers.
const EMPTY: [u8; 45] = *b"  |                  |   |                  |";

/// The rows of the upper half, with `first` 13, or of the lower half, with 12. Row 0 is at the edge.
fn half(scene: &Scene, first: u8) -> [[u8; 45]; ROWS] {
    let mut rows = [EMPTY; ROWS];
    for column in 0..12u8 {
        let point = if first == 13 {
            13 + column
        } else {
            12 - column
        };
        let (player, checkers) = match scene.board.one[usize::from(point)] {
            0 => {
                let there = scene.variant.opposite(point);
                (Player::Two, scene.board.two[usize::from(there)])
            }
            checkers => (Player::One, checkers),
        };
        let start = 3 + 3 * usize::from(column) + if column < 6 { 0 } else { 5 };
        stack(rows.iter_mut(), start, player, checkers);
    }
    // A checker waits in the half in which it enters. The rows of the bar count from the middle.
    let waiting = if first == 13 {
        Player::One
    } else {
        Player::Two
    };
    let checkers = scene.board[waiting][25];
    stack(rows.iter_mut().rev(), 22, waiting, checkers);
    rows
}

/// Fills in a stack, in the three characters of each row from `start` on; a high one has its number at its end.
fn stack<'r>(
    rows: impl DoubleEndedIterator<Item = &'r mut [u8; 45]> + ExactSizeIterator,
    start: usize,
    player: Player,
    checkers: u8,
) {
    let last = rows.len() - 1;
    for (number, row) in rows.enumerate().take(usize::from(checkers)) {
        if number == last && usize::from(checkers) > ROWS {
            row[start..start + 3].copy_from_slice(format!("{checkers:^3}").as_bytes());
        } else {
            row[start + 1] = sign(player) as u8;
        }
    }
}

fn sign(player: Player) -> char {
    match player {
        Player::One => 'X',
        Player::Two => 'O',
    }
}

/// What stands beside a player's half, a line each from the edge to the middle.
struct Notes {
    text: String,
    /// Where each line ends; not all are there.
    ends: [usize; ROWS],
}

impl Notes {
    fn of(scene: &Scene, player: Player) -> Notes {
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
        let mut text = String::with_capacity(128);
        let mut ends = [0; ROWS];
        title(&mut text, scene, player);
        ends[0] = text.len();
        text.push_str(digits.format(pips));
        text.push_str(" pips");
        let off = checkers.saturating_sub(on_board);
        if off > 0 {
            for part in [", ", digits.format(off), " off"] {
                text.push_str(part);
            }
        }
        ends[1] = text.len();
        if let Some(score) = scene.score {
            let points = score[player];
            text.push_str(digits.format(points));
            if let Some(Length::Points(length)) = scene.length {
                text.push_str(" of ");
                text.push_str(digits.format(length));
            }
            let is_one = points == 1 && !matches!(scene.length, Some(Length::Points(_)));
            text.push_str(if is_one { " point" } else { " points" });
        }
        ends[2] = text.len();
        if let Some(cube) = scene.cube
            && cube.owner == Some(player)
        {
            push_cube(&mut text, cube);
        }
        // Without a score the cube stands in its place.
        if ends[1] == ends[2] {
            ends[2] = text.len();
        }
        ends[3..].fill(text.len());
        Notes { text, ends }
    }

    fn line(&self, row: usize) -> &str {
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[row]]
    }
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
