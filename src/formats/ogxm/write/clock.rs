//! The clock: settings from a tag, readings from the seconds of the actions.

use super::Writer;
use crate::formats::carry::Item;
use crate::formats::ogxm::ancillary::Clock;
use crate::record::Tag;

/// What a reading counts, in milliseconds, if that is exact.
const USUAL_UNIT: u64 = 10;

impl Writer<'_> {
    /// Whether a tag has the settings of the clock in the form that the section holds.
    pub(super) fn is_clock(&self, tag: &Tag) -> bool {
        let is_first = || {
            self.record
                .tag("Clock")
                .is_some_and(|first| std::ptr::eq(first, tag))
        };
        tag.name.eq_ignore_ascii_case("Clock") && is_first() && settings(tag).is_some()
    }

    /// The section of the clock; `None`: nothing is known of one.
    pub(super) fn clock(&mut self) -> Option<Vec<u8>> {
        let settings = self.record.tag("Clock").and_then(settings);
        let stated = self.times.iter().flatten().count();
        let times = self.readings();
        if times.is_none() {
            self.lose(Item::Clock, stated);
        }
        let times = times.filter(|times| !times.is_empty());
        if settings.is_none() && times.is_none() {
            return None;
        }
        Some(payload(
            &settings.unwrap_or_default(),
            &times.unwrap_or_default(),
        ))
    }

    /// The milliseconds at each ply; `None`: they cannot be told from the seconds exactly.
    fn readings(&self) -> Option<Vec<u64>> {
        let count = self
            .times
            .iter()
            .rposition(Option::is_some)
            .map_or(0, |last| last + 1);
        let mut time = 0u64;
        let mut times = Vec::new();
        for used in &self.times[..count] {
            let used = (*used)?;
            let milliseconds = (used * 1000.0).round();
            let is_exact = (0.0..=f64::from(u32::MAX)).contains(&milliseconds)
                && milliseconds / 1000.0 == used;
            if !is_exact {
                return None;
            }
            time += milliseconds as u64;
            times.push(time);
        }
        let starts = times.first().is_none_or(|&first| first == 0);
        // One reading alone is no series.
        let is_series = times.len() != 1;
        (starts && is_series && time <= u64::from(u32::MAX)).then_some(times)
    }
}

fn settings(tag: &Tag) -> Option<Clock> {
    Clock::from_text(&tag.value).filter(|clock| *clock != Clock::default())
}

fn payload(clock: &Clock, times: &[u64]) -> Vec<u8> {
    let mut out = Vec::new();
    for number in [clock.reserve, clock.delay, clock.increment, clock.start] {
        out.extend_from_slice(&number.to_le_bytes());
    }
    out.extend_from_slice(&[clock.flags, 0, 0, 0]);
    let unit = match times.iter().all(|time| time % USUAL_UNIT == 0) {
        true => USUAL_UNIT,
        false => 1,
    };
    let differences: Vec<u64> = times
        .windows(2)
        .map(|pair| (pair[1] - pair[0]) / unit)
        .collect();
    let bits = best_bits(&differences);
    out.extend_from_slice(&(differences.len() as u32).to_le_bytes());
    out.push(bits as u8);
    out.extend_from_slice(&(unit as u32).to_le_bytes());
    for word in differences.chunks((64 / bits) as usize) {
        let low = (0..).zip(word).fold(0u64, |low, (at, difference)| {
            low | (difference & ((1 << bits) - 1)) << (at * bits)
        });
        out.extend_from_slice(&low.to_le_bytes());
    }
    let mut at = 8u32;
    let mut put = |bit: u8| {
        if at == 8 {
            out.push(0);
            at = 0;
        }
        if let Some(last) = out.last_mut() {
            *last |= bit << at;
        }
        at += 1;
    };
    for difference in &differences {
        for _ in 0..difference >> bits {
            put(1);
        }
        put(0);
    }
    out
}

/// The number of low bits that takes the least room; the lowest of several.
fn best_bits(differences: &[u64]) -> u32 {
    let size = |bits: &u32| {
        let words = (differences.len() as u64).div_ceil(u64::from(64 / bits));
        let high: u64 = differences
            .iter()
            .map(|difference| (difference >> bits) + 1)
            .sum();
        words * 8 + high.div_ceil(8)
    };
    if differences.is_empty() {
        1
    } else {
        (1..=31).min_by_key(size).unwrap_or(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::ogxm::ancillary::clock_payload;

    #[test]
    fn readings_come_back_whatever_they_count() {
        let series: [&[u64]; 5] = [
            &[],
            &[0, 0],
            &[0, 5000, 12_340, 12_340, 4_294_967_290],
            &[0, 1, 700_001],
            &[0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100],
        ];
        for times in series {
            let clock = Clock {
                reserve: 120_000,
                flags: 3,
                times: times.to_vec(),
                ..Clock::default()
            };
            let payload = payload(&clock, times);
            assert_eq!(clock_payload(&payload, 20), Some(clock));
        }
    }

    #[test]
    fn settings_are_read_from_a_tag_in_one_form_only() {
        let text = "reserve 120000 ms, delay 12000 ms, increment 0 ms, start 1767534720, flags 19";
        assert_eq!(
            Clock::from_text(text).map(|clock| clock.text()).as_deref(),
            Some(text)
        );
        assert_eq!(Clock::from_text("120000 12000 0 1767534720 19"), None);
        assert_eq!(Clock::from_text("3 minutes"), None);
    }
}
