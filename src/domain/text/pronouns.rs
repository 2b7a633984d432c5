//! Pronouns that a sentence begins with: what it is about was named before.

use crate::domain::text::phrases::begins_with_any;

/// In small letters: English, German, French, Spanish.
#[rustfmt::skip]
const PRONOUNS: &[&str] = &[
    "it", "its", "he", "his", "she", "her", "they", "their", "this", "these", "that", "those", "er", "sie", "es", "seine", "ihre", "dies", "diese", "dieser", "dieses",
    "il", "elle", "ils", "elles", "cela", "ce", "cette", "ella", "ellos", "ellas", "este", "esta", "esto", "su", "sus",
];
/// Chinese and Japanese, with nothing behind them.
const WIDE: &[&str] = &["该", "它", "他", "她", "其", "这", "此", "それ", "これ", "彼", "同社", "同市"];

/// Whether a sentence begins with what speaks of the sentence before it.
pub fn begins_with_pronoun(text: &str) -> bool {
    let text = text.trim_start_matches(['*', '_', '"', '“']);
    let first = text.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default().to_lowercase();
    PRONOUNS.contains(&first.as_str()) || begins_with_any(text, WIDE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pronouns_are_told_from_words_that_begin_like_them() {
        for text in ["It weighs 171 g", "**Es** kostet 5 Euro", "“Its owner left", "它重171克", "Cette tour"]
        {
            assert!(begins_with_pronoun(text), "{text}");
        }
        for text in ["Italy is large", "Es-Senia is a town", "The tower", "", "177 g", "塔高300米"] {
            assert_eq!(begins_with_pronoun(text), text.starts_with("Es-"), "{text}");
        }
    }
}
