//! Edits of game trees: a property is written anew, a node comes or goes.

use super::TextEdit;
use crate::board::{Place, Player};
use crate::record::{Action, Entry, GameRecord, MatchRecord, WrittenPlay};
use crate::repair::{Edit, Repair};
use crate::source::Span;

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
    let tree = Tree { text, game };
    let what = format!("repaired: {}", repair.slip.title);
    match &repair.edit {
        Edit::Replace { index, action } => {
            let entry = tree.entry(*index)?;
            let words = tree.slice(entry.span);
            let value = value(entry.player, action)?;
            let name = words.split('[').next().unwrap_or_default();
            let property = TextEdit {
                range: range(entry.span),
                text: format!("{name}[{value}]"),
            };
            let comment = tree.comment(entry.span, &format!("{what}: {words}"));
            Ok(vec![property, comment])
        }
        Edit::Insert {
            index,
            entry,
            shifts: false,
        } => {
            let value = value(entry.player, &entry.action)?;
            let at = match tree.entry(*index) {
                Ok(next) => tree.node(next.span).0,
                Err(_) => tree.node(tree.entry(index - 1)?.span).1,
            };
            let near = tree.entry(*index).or(tree.entry(index - 1))?;
            let start = tree.node(near.span).0;
            // Nodes stand each in its line, or all in one.
            let gap = match text[..start].ends_with('\n') {
                true => "\n",
                false => "",
            };
            let side = side(entry.player);
            let node = format!(";{side}[{value}]C[{}]", escaped(&what));
            let is_last = tree.entry(*index).is_err();
            let text = if is_last {
                format!("{gap}{node}")
            } else {
                format!("{node}{gap}")
            };
            Ok(vec![TextEdit {
                range: at..at,
                text,
            }])
        }
        Edit::Remove {
            index,
            count,
            shifts: false,
        } => {
            let first = tree.node(tree.entry(*index)?.span);
            let last = tree.node(tree.entry(index + count - 1)?.span);
            let before = tree.entry(index.checked_sub(1).ok_or("it is the first one")?)?;
            let gone = TextEdit {
                range: first.0..last.1,
                text: String::new(),
            };
            Ok(vec![tree.comment(before.span, &what), gone])
        }
        _ => Err("game trees are not turned round; convert to mat first".to_owned()),
    }
}

struct Tree<'a> {
    text: &'a str,
    game: &'a GameRecord,
}

fn range(span: Span) -> std::ops::Range<usize> {
    span.start as usize..span.end as usize
}

impl<'a> Tree<'a> {
    fn slice(&self, span: Span) -> &'a str {
        self.text.get(range(span)).unwrap_or("")
    }

    fn entry(&self, index: usize) -> Result<&'a Entry, String> {
        let entry = self.game.entries.get(index);
        entry.ok_or_else(|| "there is no such action".to_owned())
    }

    /// The node of a property: from its semicolon to what stands behind it.
    fn node(&self, property: Span) -> (usize, usize) {
        let before = &self.text[..property.start as usize];
        let start = before.rfind(';').unwrap_or(property.start as usize);
        (start, self.node_end(property.end as usize))
    }

    /// The end of a node, from the end of one of its properties on.
    fn node_end(&self, from: usize) -> usize {
        let (mut in_value, mut escaped) = (false, false);
        for (at, byte) in self.text.bytes().enumerate().skip(from) {
            match byte {
                _ if escaped => escaped = false,
                b'\\' if in_value => escaped = true,
                b']' => in_value = false,
                _ if in_value => {}
                b'[' => in_value = true,
                b';' | b'(' | b')' => return at,
                _ => {}
            }
        }
        self.text.len()
    }

    /// A comment on the node of a property, before the one that it has.
    fn comment(&self, property: Span, words: &str) -> TextEdit {
        let end = property.end as usize;
        let node = &self.text[end..self.node_end(end)];
        let value = node.match_indices("C[").map(|(at, _)| at).find(|at| {
            // Another property may end in this letter.
            !node[..*at].ends_with(|c: char| c.is_ascii_uppercase())
        });
        let (at, text) = match value {
            Some(at) => (end + at + 2, format!("{}\n", escaped(words))),
            None => (end, format!("C[{}]", escaped(words))),
        };
        TextEdit {
            range: at..at,
            text,
        }
    }
}

fn escaped(words: &str) -> String {
    words.replace('\\', "\\\\").replace(']', "\\]")
}

fn side(player: Player) -> &'static str {
    match player {
        Player::One => "W",
        Player::Two => "B",
    }
}

/// The value of an action.
fn value(player: Player, action: &Action) -> Result<String, String> {
    Ok(match action {
        Action::Play { roll, play } => {
            let moves = match play {
                WrittenPlay::Moves(moves) => moves.moves(),
                _ => &[],
            };
            let places = moves.iter().flat_map(|moved| [moved.from, moved.to]);
            let letters: String = places.map(|place| letter(player, place)).collect();
            format!("{roll}{letters}")
        }
        Action::Double { .. } => "double".to_owned(),
        Action::Take => "take".to_owned(),
        Action::Pass => "drop".to_owned(),
        _ => return Err("there is no word for it".to_owned()),
    })
}

/// The letter of a place: `a` to `x` are White's points for both players, `y` the bar and `z` off.
fn letter(player: Player, place: Place) -> char {
    match (place.number(), player) {
        (25, _) => 'y',
        (0, _) => 'z',
        (number, Player::One) => char::from(b'a' + number - 1),
        (number, Player::Two) => char::from(b'a' + 24 - number),
    }
}
