//! Words for points, and slips in names.

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

/// Whether two names differ in one letter only: another one, one more or less, two in the wrong order, or
/// capitals. Names of one or two letters are too short for that.
pub(super) fn is_one_letter_off(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (
        a.to_lowercase().chars().collect(),
        b.to_lowercase().chars().collect(),
    );
    let (long, short) = if a.len() < b.len() {
        (&b, &a)
    } else {
        (&a, &b)
    };
    if short.len() < 3 || long.len() - short.len() > 1 {
        return false;
    }
    let start = long.iter().zip(short).take_while(|(x, y)| x == y).count();
    let (long, short) = (&long[start..], &short[start..]);
    match (long, short) {
        ([], []) => true,
        ([x, y, rest @ ..], [v, w, others @ ..]) if x == w && y == v && rest == others => true,
        ([_, rest @ ..], [_, others @ ..]) if long.len() == short.len() => rest == others,
        ([_, rest @ ..], _) => rest == short,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_letter_is_a_slip() {
        for slip in ["Burka", "Bura", "Buraq", "Burakk", "burak", "Burrak"] {
            assert!(is_one_letter_off("Burak", slip), "{slip}");
        }
        for other in ["Bura1k2", "Deniz", "Bu", "kaurB", ""] {
            assert!(!is_one_letter_off("Burak", other), "{other}");
        }
        assert!(!is_one_letter_off("Al", "Ali"));
    }
}
