//! Instants and spans as the wire shows them: UTC, milliseconds.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Milliseconds since the Unix epoch, by the store's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Default)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// This instant moved by `ms` milliseconds.
    pub fn plus_ms(self, ms: u64) -> Self {
        Self(self.0.saturating_add_unsigned(ms))
    }

    /// Milliseconds from `earlier` to this instant, 0 when it lies after it.
    pub fn since_ms(self, earlier: Self) -> u64 {
        u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0)
    }
}

/// RFC 3339 in UTC with exactly three decimals: `2024-03-04T02:15:30.441Z`.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(std::str::from_utf8(&self.to_text()).expect("digits are ASCII"))
    }
}

impl Timestamp {
    /// The text, put together without `fmt`: one is made for every append. Years are 1970 to 9999.
    pub(super) fn to_text(self) -> [u8; 24] {
        let ms = self.0.clamp(0, LAST_MS).unsigned_abs();
        let (days, of_day) = (ms / DAY_MS, ms % DAY_MS);
        let (year, month, day) = civil_from_days(days);
        let mut text = *b"0000-00-00T00:00:00.000Z";
        let mut put = |at: usize, digits: usize, mut value: u64| {
            for place in (at..at + digits).rev() {
                text[place] = b'0' + (value % 10) as u8;
                value /= 10;
            }
        };
        put(0, 4, year);
        put(5, 2, month);
        put(8, 2, day);
        put(11, 2, of_day / 3_600_000);
        put(14, 2, of_day / 60_000 % 60);
        put(17, 2, of_day / 1_000 % 60);
        put(20, 3, of_day % 1_000);
        text
    }
}

const DAY_MS: u64 = 86_400_000;
/// The last millisecond of the year 9999.
const LAST_MS: i64 = 253_402_300_799_999;

/// Year, month and day of the day `days` after 1970-01-01 (Howard Hinnant, "chrono-Compatible Low-Level Date
/// Algorithms", `civil_from_days`, for days that aren't negative).
fn civil_from_days(days: u64) -> (u64, u64, u64) {
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_always_show_three_decimals() {
        assert_eq!(Timestamp(0).to_string(), "1970-01-01T00:00:00.000Z");
        assert_eq!(Timestamp(1_709_518_530_441).to_string(), "2024-03-04T02:15:30.441Z");
        assert_eq!(Timestamp(1_709_518_530_400).to_string(), "2024-03-04T02:15:30.400Z");
    }

    #[test]
    fn timestamps_are_those_of_a_library_for_dates() {
        // The library ends a day earlier than we do.
        let odd = |n: i64| n * 7_777_777_777 % (LAST_MS - 86_400_000 * 2);
        for ms in (0..40_000).map(odd).chain([0, 951_782_399_999, 951_782_400_000, 4_107_542_400_000]) {
            let expected = jiff::Timestamp::from_millisecond(ms).unwrap();
            assert_eq!(Timestamp(ms).to_string(), format!("{expected:.3}"));
        }
    }
}
