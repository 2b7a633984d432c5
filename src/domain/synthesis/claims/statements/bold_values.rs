//! A label and its value all in bold letters: `**Total: €798**` between two paragraphs says something, and heads nothing.

use super::labels::{is_counted_label, names_part};
use super::lines::{is_about_the_text, is_led};
use crate::domain::text::scripts::is_wide;
use crate::domain::text::sentences::is_year;

/// Whether a line is a label and its value all in bold letters, with a figure that tells how much: `**Total: €798**`. A year, a number in a
/// name and what stands in brackets tell nothing, and what is counted heads what follows: `**Day 3: 2 museums**`.
pub(super) fn tells_bold_value(line: &str) -> bool {
    /// Words of such a value.
    const VALUE_WORDS_MAX: usize = 8;
    let inside = line.strip_prefix("**").and_then(|line| line.strip_suffix("**"));
    let Some((label, value)) = inside.and_then(|inside| inside.split_once([':', '：'])) else {
        return false;
    };
    let last = label.rsplit(' ').next().unwrap_or_default().to_lowercase();
    // `Results: 3 points` heads them; `Recommendation: offer €355,000` says what to do.
    let says = || !names_part(&last) || value.contains(['%', '$', '€', '£', '¥']);
    !line.contains(['\n', '['])
        && !label.contains('*')
        && !value.contains('*')
        && is_led(&line[2..])
        && !is_counted_label(label)
        && !is_about_the_text(&label.to_lowercase())
        && value.split_whitespace().nth(VALUE_WORDS_MAX).is_none()
        && has_amount(value)
        && says()
}

/// Whether a text has a figure outside of brackets that is no year and no part of a name: `€798`, `3 nodes`, `79.8%`; not `FY2024`.
fn has_amount(text: &str) -> bool {
    let outside = text.split(['(', '（']).next().unwrap_or_default();
    let is_figure = |word: &str| {
        let bare = word.trim_start_matches(|c: char| !c.is_alphanumeric());
        let digits = bare.trim_end_matches(|c: char| !c.is_alphanumeric());
        let is_wide_figure = || bare.starts_with(is_wide) && bare.contains(|c: char| c.is_ascii_digit());
        (bare.starts_with(|c: char| c.is_ascii_digit()) || is_wide_figure())
            && (!is_year(digits) || word.contains(['%', '$', '€', '£', '¥']))
    };
    outside.split_whitespace().any(is_figure)
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;

    #[test]
    fn a_label_and_its_figure_in_bold_letters_say_something() {
        let stated = |text: &str| {
            let found = read(text, "a").into_iter();
            found.map(|said| (said.heading, said.text)).collect::<Vec<_>>()
        };
        const SAID: &str = "The rest follows in the next week.";
        for line in [
            "Total: €798",
            "Q3 revenue: $152.6 million",
            "My recommendation: offer €355,000",
            "Coverage: 79.8%",
            "Affected services: 2",
            "Total: €798 (2 persons)",
            "总计：798元",
        ] {
            for above in ["", "It was measured twice.\n\n", "- It was measured twice.\n\n"] {
                let found = stated(&format!("{above}**{line}**\n\n{SAID}"));
                assert_eq!(found[found.len() - 2..], [("", line), ("", SAID)], "{line}");
            }
        }
        for line in [
            "Phase 1: 2025",
            "Day 3: 2 museums",
            "Option A: 3 nodes",
            "Results: 3 points",
            "Date: 3 May 2025",
            "Figure 3: 2024",
        ] {
            let found = stated(&format!("It was measured twice.\n\n**{line}**\n\n{SAID}"));
            assert!(found.iter().all(|said| said.1 != line), "{line}");
        }
    }
}
