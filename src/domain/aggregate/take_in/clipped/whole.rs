//! What ends a text whole without a stop: a label and its value, a sum, where something is from, who sends it.

use super::open::OPEN_WORDS;
use crate::domain::text::leads::is_source;
use crate::domain::text::phrases::begins_with_any;
use crate::domain::text::values::{is_labelled_value, is_sum};

/// Words of such an end.
const WORDS_MAX: usize = 6;
/// What a mail ends with, in small letters.
#[rustfmt::skip]
const CLOSINGS: [&str; 14] = [
    "regards", "best regards", "kind regards", "warm regards", "best wishes", "best", "cheers", "thanks", "sincerely", "viele grüße", "beste grüße", "gruß", "cordialement", "saludos",
];
/// What a text that says when it was written ends with.
const DATED: [&str; 4] = ["last updated ", "updated ", "zuletzt aktualisiert ", "as of "];

/// Whether a last sentence is such.
pub(super) fn is_whole(sentence: &str) -> bool {
    is_labelled_value(sentence)
        || is_sum(sentence)
        || sentence.split(' ').nth(WORDS_MAX).is_none()
            && (names_source(sentence) || is_closing(sentence) || is_dated(sentence))
}

/// `Source: internal wiki`
fn names_source(sentence: &str) -> bool {
    let last = sentence.rsplit(' ').next().unwrap_or_default().to_lowercase();
    sentence.split_once([':', '：']).is_some_and(|(lead, named)| is_source(lead) && !named.trim().is_empty())
        && !OPEN_WORDS.contains(&last.as_str())
}

/// `Regards, Tom Miller`
fn is_closing(sentence: &str) -> bool {
    let Some((closing, name)) = sentence.split_once(',') else { return false };
    CLOSINGS.contains(&closing.trim().to_lowercase().as_str())
        && name.split_whitespace().all(|word| word.starts_with(char::is_uppercase))
}

/// `Last updated 4 May 2025`
fn is_dated(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    begins_with_any(&lower, &DATED) && lower.ends_with(|c: char| c.is_ascii_digit())
}
