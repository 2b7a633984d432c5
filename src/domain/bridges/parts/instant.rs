//! Instants of events as numbers.

/// Milliseconds since 1970 of an event's `timestamp`, which is RFC 3339 in UTC with three decimals:
/// `2024-03-04T02:15:30.441Z`. `None` where it is something else.
///
/// The days are counted as in Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`, for years
/// from 1970.
pub fn unix_ms(text: &str) -> Option<u64> {
    let bytes: &[u8; 24] = text.as_bytes().try_into().ok()?;
    let shape_fits = b"0000-00-00T00:00:00.000Z".iter().zip(bytes).all(|(shape, byte)| match shape {
        b'0' => byte.is_ascii_digit(),
        mark => mark == byte,
    });
    let number =
        |from: usize, to: usize| bytes[from..to].iter().fold(0, |n, digit| n * 10 + u64::from(digit & 0x0f));
    let (year, month, day) = (number(0, 4), number(5, 7), number(8, 10));
    if !shape_fits || year < 1970 || !(1..=12).contains(&month) || day == 0 {
        return None;
    }
    let year = if month <= 2 { year - 1 } else { year };
    let (era, year_of_era) = (year / 400, year % 400);
    let shifted_month = if month > 2 { month - 3 } else { month + 9 };
    let of_year = (153 * shifted_month + 2) / 5 + day - 1;
    let of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + of_year;
    let days = era * 146_097 + of_era - 719_468;
    let seconds = ((days * 24 + number(11, 13)) * 60 + number(14, 16)) * 60 + number(17, 19);
    Some(seconds * 1_000 + number(20, 23))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_those_of_a_library_for_dates() {
        let odd = |n: i64| n * 7_777_777_777 % 253_402_000_000_000;
        for ms in (0..5_000).map(odd).chain([0, 951_782_399_999, 951_782_400_000, 4_107_542_400_000]) {
            let text = format!("{:.3}", jiff::Timestamp::from_millisecond(ms).unwrap());
            assert_eq!(unix_ms(&text), u64::try_from(ms).ok(), "{text}");
        }
    }

    #[test]
    fn what_is_no_instant_is_none() {
        let wrong = ["", "2024-03-04T02:15:30Z", "1969-12-31T23:59:59.999Z", "2024-13-04T02:15:30.441Z"];
        for text in wrong.into_iter().chain(["2024-03-00T02:15:30.441Z", "2024-03-04T02:15:30.44üZ"]) {
            assert_eq!(unix_ms(text), None, "{text}");
        }
    }
}
