//! The cheapest alignment of two sequences.

/// Two items that belong together, or one that stands alone; places from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pair {
    First(usize),
    Second(usize),
    Both(usize, usize),
}

impl Pair {
    pub(super) fn in_first(&self) -> Option<usize> {
        match self {
            Pair::First(at) | Pair::Both(at, _) => Some(*at),
            Pair::Second(_) => None,
        }
    }

    pub(super) fn in_second(&self) -> Option<usize> {
        match self {
            Pair::Second(at) | Pair::Both(_, at) => Some(*at),
            Pair::First(_) => None,
        }
    }
}

/// What an item costs that stands alone: a little more than half of a pair with nothing in common, so that one that
/// differs stays a pair.
const ALONE: u32 = 55;
/// How far from the diagonal a pair may be, besides the difference of the lengths: longer sequences are not
/// compared all with all.
const BAND: usize = 40;

/// Aligns two sequences; `cost` says how much two items differ, from 0 to 100.
pub(super) fn align<T>(first: &[T], second: &[T], cost: &impl Fn(&T, &T) -> u32) -> Vec<Pair> {
    let mut pairs = Vec::with_capacity(first.len().max(second.len()));
    // What is equal at both ends need not be compared with anything else.
    let same = |(a, b): &(&T, &T)| cost(a, b) == 0;
    let start = first.iter().zip(second).take_while(same).count();
    let ends = first[start..]
        .iter()
        .rev()
        .zip(second[start..].iter().rev());
    let end = ends.take_while(same).count();
    pairs.extend((0..start).map(|at| Pair::Both(at, at)));
    let (a, b) = (
        &first[start..first.len() - end],
        &second[start..second.len() - end],
    );
    let middle = between(a, b, cost).into_iter().map(|pair| match pair {
        Pair::First(x) => Pair::First(x + start),
        Pair::Second(y) => Pair::Second(y + start),
        Pair::Both(x, y) => Pair::Both(x + start, y + start),
    });
    pairs.extend(middle);
    let tail = (first.len() - end..first.len()).zip(second.len() - end..second.len());
    pairs.extend(tail.map(|(x, y)| Pair::Both(x, y)));
    pairs
}

fn between<T>(first: &[T], second: &[T], cost: &impl Fn(&T, &T) -> u32) -> Vec<Pair> {
    let (rows, columns) = (first.len(), second.len());
    let band = BAND + rows.abs_diff(columns);
    let width = columns + 1;
    let mut costs = vec![u32::MAX; (rows + 1) * width];
    let mut steps = vec![Pair::First(0); (rows + 1) * width];
    for x in 0..=rows {
        for y in x.saturating_sub(band)..=columns.min(x + band) {
            let nothing = if x + y == 0 { 0 } else { u32::MAX };
            let mut best = (nothing, Pair::First(0));
            let mut offer = |before: u32, more: u32, step: Pair| {
                let sum = before.saturating_add(more);
                if sum < best.0 {
                    best = (sum, step);
                }
            };
            if x > 0 && y > 0 {
                let before = costs[(x - 1) * width + y - 1];
                if before < u32::MAX {
                    let more = cost(&first[x - 1], &second[y - 1]);
                    offer(before, more, Pair::Both(x - 1, y - 1));
                }
            }
            if x > 0 {
                offer(costs[(x - 1) * width + y], ALONE, Pair::First(x - 1));
            }
            if y > 0 {
                offer(costs[x * width + y - 1], ALONE, Pair::Second(y - 1));
            }
            costs[x * width + y] = best.0;
            steps[x * width + y] = best.1;
        }
    }
    let (mut x, mut y) = (rows, columns);
    let mut pairs = Vec::with_capacity(rows.max(columns));
    while x > 0 || y > 0 {
        let step = steps[x * width + y];
        match step {
            Pair::First(_) => x -= 1,
            Pair::Second(_) => y -= 1,
            Pair::Both(..) => (x, y) = (x - 1, y - 1),
        }
        pairs.push(step);
    }
    pairs.reverse();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aligned(first: &str, second: &str) -> String {
        let (a, b) = (first.as_bytes(), second.as_bytes());
        let cost = |a: &u8, b: &u8| 100 * u32::from(a != b);
        let pairs = align(a, b, &cost);
        let shown = pairs.into_iter().map(|pair| match pair {
            Pair::First(_) => '-',
            Pair::Second(_) => '+',
            Pair::Both(x, y) if a[x] == b[y] => '=',
            Pair::Both(..) => '!',
        });
        shown.collect()
    }

    #[test]
    fn what_one_side_lacks_is_one_difference() {
        assert_eq!(aligned("abcdef", "abdef"), "==-===");
        assert_eq!(aligned("abdef", "abcdef"), "==+===");
        assert_eq!(aligned("abcdef", "abxdef"), "==!===");
        assert_eq!(aligned("", "ab"), "++");
    }
}
