//! Times of day, `14:02`: two figures that are told as one.

use std::ops::Range;

/// Where the whole time stands that the digits at `range` are a part of; `range` itself where they are of none.
pub fn clock_time(text: &str, range: Range<usize>) -> Range<usize> {
    let digits = |from: &str| from.bytes().take_while(u8::is_ascii_digit).count();
    let digits_before = |to: &str| to.bytes().rev().take_while(u8::is_ascii_digit).count();
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
        ] {
            let start = text.find(part).unwrap();
            assert_eq!(&text[clock_time(text, start..start + part.len())], whole, "{text}");
        }
    }
}
