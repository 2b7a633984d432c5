//! Whether a text has one of some phrases, letter by letter.
//!
//! Who doesn't mind the case passes what is in lower case, as the phrases are; [`first_letters`](super::first_letters) rules texts out
//! sooner where phrases are many. An empty phrase stands in every text.

/// Whether one of the phrases stands anywhere in the text.
pub fn has_any(text: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| text.contains(phrase))
}

/// Whether the text begins with one of the phrases, which may be the beginning of a longer word.
pub fn begins_with_any(text: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| text.starts_with(phrase))
}

/// Whether the text ends with one of the phrases, which may be the end of a longer word.
pub fn ends_with_any(text: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| text.ends_with(phrase))
}

/// What stands behind the first of the phrases with which the text begins.
pub fn behind_any<'t>(text: &'t str, phrases: &[&str]) -> Option<&'t str> {
    phrases.iter().find_map(|phrase| text.strip_prefix(phrase))
}

/// What stands before the first of the phrases with which the text ends.
pub fn before_any<'t>(text: &'t str, phrases: &[&str]) -> Option<&'t str> {
    phrases.iter().find_map(|phrase| text.strip_suffix(phrase))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_looked_for_letter_by_letter_in_their_order() {
        let phrases = &["not ", "no", "nobody"];
        assert!(has_any("Do not go", phrases) && !has_any("Do Not go", phrases));
        assert!(begins_with_any("nothing", phrases) && !begins_with_any(" not ", phrases));
        assert!(ends_with_any("casino", phrases) && !ends_with_any("not", phrases));
        assert_eq!(behind_any("nobody", phrases), Some("body"));
        assert_eq!(before_any("I say not ", phrases), Some("I say "));
        assert_eq!((behind_any("yes", phrases), before_any("yes", phrases)), (None, None));
        assert!(!has_any("", &[]) && !begins_with_any("a", &[]) && !ends_with_any("a", &[]));
    }
}
