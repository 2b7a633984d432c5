//! A label and its value: `BLEU: 41.3`, `Discount: none`. Such a line says something whole, and needs no stop.

use super::leads::is_source;
use super::scripts::is_wide;
use crate::domain::text::phrases::behind_any;

/// Words and bytes of a label.
const LABEL: (usize, usize) = (3, 32);
/// Words of a value with a figure, and of one without.
const VALUE_WORDS_MAX: usize = 6;
const WORDED_MAX: usize = 2;
/// Letters of a last word that nothing can be missing behind, unless it is one of [`SHORT`].
const LAST_LETTERS_MIN: usize = 4;
const SHORT: [&str; 8] = ["yes", "no", "n/a", "ja", "low", "oui", "non", "sí"];
/// Labels of what is about the text, and of nothing in it.
#[rustfmt::skip]
const ABOUT: [&str; 31] = [
    "confidence", "version", "tokens", "words", "word count", "author", "authors", "by", "prepared by", "written by", "date", "updated", "last updated", "created", "page", "section", "chapter", "part", "step", "figure", "table", "appendix", "note", "autor", "datum", "stand", "seite", "auteur", "fecha",
    "query", "question",
];

/// Whether a label or a heading says that what is below it is about the text: `Date`, `Prepared by`.
pub fn is_about(label: &str) -> bool {
    ABOUT.contains(&label.to_lowercase().as_str())
}

/// Whether a text is nothing but a label and its value.
pub fn is_labelled_value(text: &str) -> bool {
    let bare = text.trim_matches(['*', '_', ' ']);
    let Some((label, value)) = bare.split_once([':', '：']) else { return false };
    let is_apart = value.starts_with([' ', '*']) || bare[label.len()..].starts_with('：');
    let (label, value) = (label.trim_matches(['*', ' ']), value.trim_matches(['*', ' ']));
    is_apart && is_label(label) && is_value(value)
}

/// Whether a text is nothing but a sum: `In total 240`, `Insgesamt 12 Euro`.
pub fn is_sum(text: &str) -> bool {
    const SUMS: [&str; 6] = ["In total", "In all", "Altogether", "Insgesamt", "Au total", "En total"];
    let sum = behind_any(text, &SUMS).unwrap_or_default();
    let sum = sum.trim_start_matches([',', ':']);
    sum.starts_with(' ') && sum.contains(char::is_numeric) && is_value(sum.trim_start())
}

fn is_label(label: &str) -> bool {
    let begins = label.starts_with(|c: char| c.is_uppercase() || is_wide(c));
    let is_plain =
        !label.contains(|c: char| !c.is_alphanumeric() && !matches!(c, ' ' | '-' | '@' | '\'' | '’' | '/'));
    begins
        && is_plain
        && label.len() <= LABEL.1
        && label.split(' ').count() <= LABEL.0
        && !is_source(label)
        && !is_about(label)
}

fn is_value(value: &str) -> bool {
    let words = value.split_whitespace().count();
    let last = value.rsplit(' ').next().unwrap_or_default();
    let has_figure = value.contains(char::is_numeric);
    let is_whole = last.contains(char::is_numeric)
        || last.chars().count() >= LAST_LETTERS_MIN
        || last.starts_with(char::is_uppercase)
        || last.ends_with(is_unit)
        || has_figure && words <= 2
        || SHORT.contains(&last.to_lowercase().as_str());
    let most = if has_figure { VALUE_WORDS_MAX } else { WORDED_MAX };
    is_whole
        && (1..=most).contains(&words)
        && value.ends_with(|c: char| c.is_alphanumeric() || is_unit(c))
        && !value.contains(['\n', ':', '|', '[', '<'])
}

fn is_unit(c: char) -> bool {
    matches!(c, '%' | '€' | '$' | '£' | '¥' | '°' | '²' | '³')
}

#[cfg(test)]
mod tests {
    use super::{is_labelled_value, is_sum};

    #[test]
    fn labels_with_values_are_told_from_what_breaks_off() {
        for text in [
            "BLEU: 41.3",
            "Rating: 4.5/5",
            "Discount: none",
            "Total: 41",
            "Score: 7 out of 10",
            "Contact: info@x.example.org",
            "**Total:** 12 €",
            "Deposit: 500 euros",
            "Wi-Fi: yes",
            "总分：41",
        ] {
            assert!(is_labelled_value(text), "{text}");
        }
        for text in [
            "Source: internal wiki",
            "Author: Anna Schmidt",
            "Last updated: 4 May 2025",
            "Recommendation: use",
            "Recommendation: the board should buy",
            "Costs: 5 euros for the",
            "They said this of it: 5",
            "Note: it rose by 5%",
            "Total:",
            "12:30",
            "See https://a.org: 5",
        ] {
            assert!(!is_labelled_value(text), "{text}");
        }
        assert!(is_sum("In total 240") && is_sum("Insgesamt 12 Euro") && is_sum("In total, 5 %"));
        assert!(!is_sum("In total they paid") && !is_sum("In totality 5") && !is_sum("In total 5 of the"));
    }
}
