//! Keys of JSON and YAML in words: `not_included` and `notIncluded` say `not included`.

use std::borrow::Cow;

/// Bytes of a key: a longer one is none.
const BYTES_MAX: usize = 80;

/// A key in words; anything else as it is.
pub fn in_words(key: &str) -> Cow<'_, str> {
    if key.len() > BYTES_MAX || key.contains(char::is_whitespace) {
        return Cow::Borrowed(key);
    }
    let is_hump = |at: usize| {
        let Some([before, this, behind]) = key.as_bytes().get(at.wrapping_sub(1)..at + 2) else {
            return false;
        };
        before.is_ascii_lowercase() && this.is_ascii_uppercase() && behind.is_ascii_lowercase()
    };
    let first = key.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(key.len());
    // `iPhone` and `eBay` are names.
    let has_humps = first > 1 && (first..key.len()).any(is_hump);
    if !has_humps && !key.trim_matches('_').contains('_') {
        return Cow::Borrowed(key);
    }
    let mut words = String::with_capacity(key.len() + 4);
    for (at, c) in key.trim_matches('_').char_indices() {
        let at = at + key.len() - key.trim_start_matches('_').len();
        match c {
            '_' => words.push(' '),
            c if has_humps && is_hump(at) => words.extend([' ', c.to_ascii_lowercase()]),
            c => words.push(c),
        }
    }
    Cow::Owned(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_in_words() {
        for (key, words) in [
            ("not_included", "not included"),
            ("notIncluded", "not included"),
            ("onlyIfYouPay", "only if you pay"),
            ("_what_is_not__covered_", "what is not  covered"),
            ("NOT_COVERED", "NOT COVERED"),
            ("included", "included"),
            ("iPhone", "iPhone"),
            ("macOS", "macOS"),
            ("Not included in snake_case", "Not included in snake_case"),
            ("nicht_enthaltenÄ", "nicht enthaltenÄ"),
            ("", ""),
            ("_", "_"),
        ] {
            assert_eq!(in_words(key), words, "{key}");
        }
    }
}
