//! Dates and times as tags have them, `2024.02.29` and `14:05:00`, from seconds since 1970 and back.

/// Date and time, in UTC, of a second since 1970; `None` where nothing was noted.
pub(super) fn date_and_time(seconds: i64) -> Option<(String, String)> {
    if !(1..=253_402_300_799).contains(&seconds) {
        return None;
    }
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Days since March of the year 0, in eras of 400 years.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 {
        (year + 400 * era, month + 3)
    } else {
        (year + 400 * era + 1, month - 9)
    };
    let time = format!(
        "{:02}:{:02}:{:02}",
        second / 3600,
        second / 60 % 60,
        second % 60
    );
    Some((format!("{year:04}.{month:02}.{day:02}"), time))
}

/// The second since 1970 of a date and a time that [`date_and_time`] gives back.
pub(super) fn seconds(date: &str, time: &str) -> Option<i64> {
    let numbers = |text: &str, sign: char| -> Option<[i64; 3]> {
        let parts: Vec<i64> = text
            .split(sign)
            .map(|part| part.parse().ok())
            .collect::<Option<_>>()?;
        parts.try_into().ok()
    };
    let [year, month, day] = numbers(date, '.')?;
    let [hour, minute, second] = numbers(time, ':')?;
    let in_range = (1970..=9999).contains(&year) && (0..24).contains(&hour);
    let in_range = in_range && [minute, second].iter().all(|part| (0..60).contains(part));
    if !in_range || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let (y, m) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let (era, y) = (y / 400, y % 400);
    let days = era * 146_097 + 365 * y + y / 4 - y / 100 + (153 * m + 2) / 5 + day - 1 - 719_468;
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second;
    let same = date_and_time(seconds)?;
    (same.0 == date && same.1 == time).then_some(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_dates() {
        let there = |seconds| date_and_time(seconds).expect("a date");
        assert_eq!(
            there(951_782_400),
            ("2000.02.29".to_owned(), "00:00:00".to_owned())
        );
        for second in (1..4_000_000_000).step_by(86_399_777) {
            let (date, time) = there(second);
            assert_eq!(seconds(&date, &time), Some(second));
        }
        assert_eq!(seconds("2023.02.29", "00:00:00"), None);
        assert_eq!(date_and_time(i64::MAX), None);
    }
}
