//! How often each rule is broken.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::table::{align_right, table};
use crate::diagnostic::{Finding, Level};
use crate::rules::by_code;

/// Findings counted by code and level: a rule may be broken at several levels.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statistics {
    counts: BTreeMap<(&'static str, Level), u64>,
}

impl Statistics {
    /// Counts a finding.
    pub fn count(&mut self, finding: &Finding) {
        *self
            .counts
            .entry((finding.rule.code, finding.level))
            .or_default() += 1;
    }

    /// Adds the counts of another input.
    pub fn add(&mut self, other: &Statistics) {
        for (key, count) in &other.counts {
            *self.counts.entry(*key).or_default() += count;
        }
    }

    /// The counts by code alone, for scripts.
    pub fn by_code(&self) -> BTreeMap<String, u64> {
        let mut by_code = BTreeMap::new();
        for ((code, _), count) in &self.counts {
            *by_code.entry((*code).to_owned()).or_default() += count;
        }
        by_code
    }

    /// Writes the table, the most frequent first; nothing if nothing was found.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write(&self, width: u16, out: &mut dyn Write) -> io::Result<()> {
        if self.counts.is_empty() {
            return Ok(());
        }
        let mut rows: Vec<_> = self.counts.iter().collect();
        rows.sort_by_key(|((code, level), count)| {
            (std::cmp::Reverse(**count), *code, std::cmp::Reverse(*level))
        });
        let mut sheet = table(width);
        sheet.set_header(["count", "code", "level", "title"]);
        for ((code, level), count) in rows {
            let title = by_code(code).map_or("", |rule| rule.title);
            sheet.add_row([&count.to_string(), *code, level.name(), title]);
        }
        align_right(&mut sheet, 0..1);
        writeln!(out, "{sheet}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::allow::{ALLOW_UNKNOWN, ALLOW_UNUSED};
    use crate::source::Span;

    #[test]
    fn the_most_frequent_come_first_and_levels_apart() {
        let mut statistics = Statistics::default();
        let finding = |rule| Finding::new(rule, Span::default(), "", "");
        statistics.count(&finding(&ALLOW_UNKNOWN));
        statistics.count(&finding(&ALLOW_UNKNOWN).at_level(Level::Note));
        let mut others = Statistics::default();
        (0..3).for_each(|_| others.count(&finding(&ALLOW_UNUSED)));
        statistics.add(&others);
        let mut out = Vec::new();
        statistics.write(100, &mut out).expect("memory");
        let text = String::from_utf8(out).expect("UTF-8");
        let rows: Vec<Vec<&str>> = text
            .lines()
            .filter(|line| line.starts_with('\u{2502}'))
            .skip(1)
            .map(|line| {
                line.split(['\u{2502}', '\u{2506}'])
                    .map(str::trim)
                    .collect()
            })
            .collect();
        let cells: Vec<_> = rows.iter().map(|row| (row[1], row[2], row[3])).collect();
        assert_eq!(
            cells,
            [
                ("3", "allow-unused", "note"),
                ("1", "allow-unknown", "warning"),
                ("1", "allow-unknown", "note"),
            ]
        );
        assert_eq!(statistics.by_code()["allow-unknown"], 2);
    }
}
