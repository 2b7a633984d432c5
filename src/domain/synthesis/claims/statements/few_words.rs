//! Whether a few words may be what was asked for: `Paris`, `5 items`, `No.`

use super::asides::{is_done, is_small_talk, names_source};
use super::entries::is_entry;
use super::labels::names_part;

/// Whether they say something, and neither announce nor ask, and are no markup and no address.
pub(super) fn are_plain(words: &str) -> bool {
    words.contains(char::is_alphanumeric)
        && !words.contains(['<', '{', '|'])
        && !words.contains("://")
        && !words.ends_with([':', '：', '?', '？'])
}

/// Whether they may be an answer: plain, and nothing that is said to who asked, or that names a part of the text or a source.
/// `closed`: they end as a sentence.
pub(super) fn may_answer(words: &str, closed: bool) -> bool {
    are_plain(words)
        && !names_part(&bare(words))
        && !is_done(words)
        && !is_small_talk(words)
        && !names_source(words)
        && !is_entry(words, closed)
}

/// In small letters, without what stands around them.
pub(super) fn bare(words: &str) -> String {
    words.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_words_may_answer_where_they_say_something() {
        for words in ["Paris", "5 items", "No.", "**42**", "\"Yes\"", "否。", "Good."] {
            assert!(may_answer(words, true), "{words}");
        }
        for words in [
            "...",
            "Done.",
            "OK",
            "Cities:",
            "Why?",
            "Summary",
            "a | b",
            "<b>",
            "https://a.example",
            "Source: the report",
            "I hope this helps",
        ] {
            assert!(!may_answer(words, true), "{words}");
        }
    }
}
