//! One spelling for letters with accents: `é` may be sent as one character or as `e` and a combining accent.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// A text in normal form C (UAX #15), for comparing; what is shown stays as it was sent.
pub fn composed(text: &str) -> Cow<'_, str> {
    if is_decomposed(text) { Cow::Owned(text.nfc().collect()) } else { Cow::Borrowed(text) }
}

/// Whether a text may have another spelling in that form.
pub fn is_decomposed(text: &str) -> bool {
    // Nearly all texts have nothing but what is never spelled otherwise, which a table need not be asked about.
    !text.is_ascii() && !text.chars().all(is_single) && is_nfc_quick(text.chars()) != IsNormalized::Yes
}

/// Of many characters, whether it has one spelling and joins with none beside it.
fn is_single(c: char) -> bool {
    matches!(c, '\0'..='\u{2FF}' | '\u{2010}'..='\u{205E}' | '\u{3000}'..='\u{3029}' | '\u{4E00}'..='\u{9FFF}' | '\u{FF01}'..='\u{FF60}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_single_is_so_beside_any_other() {
        for c in (0..=0xFFFF).filter_map(char::from_u32).filter(|c| is_single(*c)) {
            assert_eq!(is_nfc_quick(std::iter::once(c)), IsNormalized::Yes, "{c}");
            assert_eq!(unicode_normalization::char::canonical_combining_class(c), 0, "{c}");
        }
        for c in ['\u{301}', '\u{3099}', '\u{302A}', '\u{F900}'] {
            assert!(!is_single(c), "{c}");
        }
    }

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
