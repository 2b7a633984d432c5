//! Times of day, `14:02`, `14 h 02`: two figures that are told as one.

use std::ops::Range;

/// Where the whole time stands that the digits at `range` are a part of; `range` itself where they are of none.
pub fn clock_time(text: &str, range: Range<usize>) -> Range<usize> {
    let digits = |from: &str| from.bytes().take_while(u8::is_ascii_digit).count();
    let digits_before = |to: &str| to.bytes().rev().take_while(u8::is_ascii_digit).count();
    if let Some(time) = in_french(text, &range) {
        return time;
    }
    let (before, own, behind) = (&text[..range.start], &text[range.clone()], &text[range.end..]);
    let is_part = (1..=2).contains(&own.len()) && digits(own) == own.len();
    let minutes = behind.strip_prefix(':').map_or(0, digits);
    let hours = before.strip_suffix(':').map_or(0, digits_before);
    if is_part && own.len() == 2 && (1..=2).contains(&hours) {
        let seconds = if minutes == 2 { ":00".len() } else { 0 };
        range.start - hours - 1..range.end + seconds
    } else if is_part && minutes == 2 && hours == 0 {
        range.start..range.end + ":00".len()
    } else {
        range
    }
}

/// The same where an `h` stands between hours and minutes, and blanks may.
fn in_french(text: &str, range: &Range<usize>) -> Option<Range<usize>> {
    const BLANKS: [char; 3] = [' ', '\u{A0}', '\u{202F}'];
    let digits = |from: &str| from.bytes().take_while(u8::is_ascii_digit).count();
    let hours_before = |to: &str| {
        let hours = to.trim_end_matches(BLANKS).strip_suffix('h')?.trim_end_matches(BLANKS);
        let count = hours.bytes().rev().take_while(u8::is_ascii_digit).count();
        (1..=2).contains(&count).then_some(hours.len() - count)
    };
    let (own, behind) = (&text[range.clone()], &text[range.end..]);
    // Nearly no text has an `h` there.
    if digits(own) == own.len() {
        let start = hours_before(&text[..range.start]).filter(|_| own.len() == 2)?;
        return Some(start..range.end);
    }
    let minutes = behind.trim_start_matches(BLANKS);
    let is_time = hours_before(&text[..range.end]) == Some(range.start) && digits(minutes) == 2;
    is_time.then(|| range.start..text.len() - minutes.len() + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_time_stands_for_all_of_it() {
        for (text, part, whole) in [
            ("It left at 14:02.", "14", "14:02"),
            ("It left at 14:02.", "02", "14:02"),
            ("It left at 9:32 p.m.", "32", "9:32"),
            ("The ratio is 3:1.", "3", "3"),
            ("The ratio is 3:1.", "1", "1"),
            ("Of 27 all: 12 went.", "12", "12"),
            ("It was 2019:02.", "02", "02"),
            ("In Genesis 14:120", "14", "14"),
            ("Il part à 14 h 05.", "14 h", "14 h 05"),
            ("Il part à 14 h 05.", "05", "14 h 05"),
            ("Il part à 9 h.", "9 h", "9 h"),
            ("It took 14 h 120 times.", "14 h", "14 h"),
            ("It has 14 rows, 05 of them.", "05", "05"),
        ] {
            let start = text.find(part).unwrap();
            assert_eq!(&text[clock_time(text, start..start + part.len())], whole, "{text}");
        }
    }
}
