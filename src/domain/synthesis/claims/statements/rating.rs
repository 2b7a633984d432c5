//! What rates the sentence before it, and says nothing without that: `Two requests take the last item. Severity: high.`

use std::ops::Range;

use super::Statement;
use super::opening::ascending;

/// Bytes of one, and words behind its label.
const BYTES_MAX: usize = 60;
const WORDS_MAX: usize = 3;
/// What is rated, in small letters.
#[rustfmt::skip]
const LABELS: [&str; 21] = [
    "severity", "priority", "owner", "assignee", "status", "confidence", "effort", "likelihood", "probability", "due", "eta", "cvss", "risk level", "risk", "schweregrad", "priorität", "aufwand", "gravité",
    "priorité", "gravedad", "prioridad",
];

/// Adds a rating, by its place, to the statement right before it in its block; whether it is one.
pub(super) fn add<'t>(
    text: &'t str,
    (block, rating): (&Range<usize>, Range<usize>),
    sources: &[usize],
    found: &mut [Statement<'t>],
) -> bool {
    if !text.get(rating.clone()).is_some_and(is_rating) {
        return false;
    }
    let Some(last) = found.last_mut().filter(|last| last.start >= block.start) else { return false };
    let between = text.get(last.start + last.text.len()..rating.start);
    let is_next =
        between.is_some_and(|between| between.len() < BYTES_MAX && !between.contains(char::is_alphabetic));
    if let Some(whole) = text.get(last.start..rating.end).filter(|_| is_next) {
        last.text = whole;
        last.sources = ascending([last.sources.as_slice(), sources].concat());
    }
    is_next
}

fn is_rating(shown: &str) -> bool {
    if shown.len() > BYTES_MAX {
        return false;
    }
    let Some((label, value)) = shown.split_once([':', '：']) else { return false };
    let label = label.trim_matches(['*', '_', '(', ' ']).to_lowercase();
    LABELS.contains(&label.as_str()) && (1..=WORDS_MAX).contains(&value.split_whitespace().count())
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;

    fn stated(text: &str) -> Vec<&'static str> {
        read(text, "a").into_iter().map(|found| found.text).collect()
    }

    #[test]
    fn a_rating_is_quoted_with_what_it_rates() {
        for text in [
            "Two requests can take the last item. Severity: high.",
            "Two requests can take the last item. **Severity:** high",
            "Two requests can take the last item. Severity: high. Owner: Kim.",
        ] {
            assert_eq!(
                stated(&format!("1. {text}\n2. The total is computed with floats.")).len(),
                2,
                "{text}"
            );
            assert_eq!(stated(text)[0], text);
        }
    }

    #[test]
    fn what_says_something_by_itself_stays_apart() {
        for text in [
            "Two requests can take the last item. Impact: 3,120 failed checkouts in May.",
            "Two requests can take the last item. Severity: nobody has looked at it yet.",
            "Two requests can take the last item.\n\nSeverity: it is high for all of them.",
        ] {
            assert_eq!(stated(text).len(), 2, "{text}");
        }
    }
}
