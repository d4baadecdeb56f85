//! Words for points.

use super::seats::PlayerId;

/// What a list of points adds up to.
pub(super) fn balance(list: &[(PlayerId, i64)]) -> i64 {
    list.iter()
        .fold(0, |sum, &(_, points)| sum.saturating_add(points))
}

/// `Ayla +4, Burak -2, Ceren -2`: those who win or lose, in an order of players.
pub(super) fn listed(points: &[i64], order: &[PlayerId], names: &[String]) -> String {
    let words: Vec<String> = order
        .iter()
        .filter(|&&player| points[player] != 0)
        .map(|&player| format!("{} {:+}", names[player], points[player]))
        .collect();
    if words.is_empty() {
        return "nothing for anybody".to_owned();
    }
    words.join(", ")
}

/// Names in a sentence: `Burak`, `Burak and Ceren`, `Burak, Ceren and Deniz`.
pub(super) fn names(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [some @ .., last] => format!("{} and {last}", some.join(", ")),
    }
}

/// `1 point`, `2 points`.
pub(super) fn points(number: u64) -> String {
    format!("{number} point{}", if number == 1 { "" } else { "s" })
}
