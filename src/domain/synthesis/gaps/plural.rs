//! What is short for several things: `What are the SLAs?` is told by `the SLA`.

use std::borrow::Cow;

/// A text with what is short for several things as for one: `SLAs` is `SLA`.
pub(super) fn one_of_capitals(text: &str) -> Cow<'_, str> {
    let is_plural = |word: &str| {
        let name = word.strip_suffix('s').unwrap_or_default();
        name.len() > 1 && name.bytes().all(|byte| byte.is_ascii_uppercase())
    };
    let part = |c: char| !c.is_alphanumeric();
    if !text.split(part).any(is_plural) {
        return Cow::Borrowed(text);
    }
    let mut one = String::with_capacity(text.len());
    for piece in text.split_inclusive(part) {
        let word = piece.trim_end_matches(part);
        let end = &piece[word.len()..];
        one.push_str(if is_plural(word) { &word[..word.len() - 1] } else { word });
        one.push_str(end);
    }
    Cow::Owned(one)
}

#[cfg(test)]
mod tests {
    use super::one_of_capitals;

    #[test]
    fn only_what_is_short_for_several_things_is_made_one() {
        for (text, one) in [
            ("What are the SLAs, and the RPOs?", "What are the SLA, and the RPO?"),
            ("Which PDFs", "Which PDF"),
            ("AWS and the laws of Us", "AWS and the laws of Us"),
            ("the CEO's plans", "the CEO's plans"),
        ] {
            assert_eq!(one_of_capitals(text), one);
        }
    }
}
