//! One spelling for letters with accents: `é` may be sent as one character or as `e` and a combining accent.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// A text in normal form C (UAX #15), for comparing; what is shown stays as it was sent.
pub fn composed(text: &str) -> Cow<'_, str> {
    if is_decomposed(text) { Cow::Owned(text.nfc().collect()) } else { Cow::Borrowed(text) }
}

/// Whether a text may have another spelling in that form.
pub fn is_decomposed(text: &str) -> bool {
    !text.is_ascii() && is_nfc_quick(text.chars()) != IsNormalized::Yes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_have_one_spelling() {
        assert_eq!(composed("Cafe\u{301} Zu\u{308}rich"), "Café Zürich");
        for text in ["Cafe", "Café", "上海", "\u{301}", "ﬁn ², Ⅻ"] {
            assert!(
                matches!(composed(text), Cow::Borrowed(same) if same == text) || composed(text) == text,
                "{text}"
            );
        }
    }
}
