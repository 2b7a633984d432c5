//! The raised numbers that notes below a text begin with, `¹ https://…`: where there are any, one behind a year or a sum is a marker of
//! such a note, `1889¹`, and no power.

use std::collections::BTreeSet;

use super::{DIGITS_MAX, goes_on, value};

/// The base of powers that are written beside figures: `10³`.
const BASE: &str = "10";

/// The numbers of a text's notes. Linear.
pub(super) fn notes(text: &str) -> BTreeSet<u32> {
    text.lines().filter_map(|line| noted(line.trim_start_matches([' ', '*', '-', '>']))).collect()
}

/// The number of a line that is a note.
fn noted(line: &str) -> Option<u32> {
    let (number, said) = match line.strip_prefix("<sup>") {
        Some(rest) => {
            let (number, said) = rest.split_once("</sup>")?;
            (number.parse().ok()?, said)
        }
        None => {
            let said = line.trim_start_matches(|c| value(c).is_some());
            let digits = line[..line.len() - said.len()].chars().filter_map(value);
            (digits.take(DIGITS_MAX + 1).reduce(|number, digit| number * 10 + digit)?, said)
        }
    };
    said.contains(char::is_alphanumeric).then_some(number)
}

/// Whether a raised number may be the marker of a note behind what it stands behind.
pub(super) fn may_mark(before: &str, behind: &str) -> bool {
    let rest = before.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &before[rest.len()..];
    !matches!(digits, "" | BASE)
        && !rest.ends_with(|c: char| c.is_alphabetic() || c == '_')
        && !goes_on(behind)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::lowered;

    fn read(text: &str) -> String {
        lowered(text, |_| BTreeSet::from([1, 2, 3])).into_owned()
    }

    #[test]
    fn behind_digits_a_number_is_the_marker_of_its_note() {
        const NOTES: &str = "\n\n¹ https://a.example/history\n² https://a.example/key";
        for (text, lower) in [
            (
                "It was built in 1889¹ and is 330 metres tall².",
                "It was built in 1889[1] and is 330 metres tall[2].",
            ),
            ("It has 2,500,000² visitors.", "It has 2,500,000[2] visitors."),
            ("It costs €15.8¹, or €17².", "It costs €15.8[1], or €17[2]."),
            (
                "It is 5 m² and 10² is 100, and 12³ = 1,728, and R2² is 0.9.",
                "It is 5 m² and 10² is 100, and 12³ = 1,728, and R2² is 0.9.",
            ),
        ] {
            let lowered = read(&format!("{text}{NOTES}"));
            assert!(lowered.starts_with(&format!("{lower}\n")), "{lowered}");
            // Without such notes nobody knows.
            assert!(read(text).replace("tall[2]", "tall²") == text, "{text}");
        }
        let tags = "It was built in 1889<sup>1</sup>.\n\n<sup>1</sup> https://a.example/history";
        assert_eq!(read(tags), "It was built in 1889[1].\n\n[1] https://a.example/history");
    }
}
