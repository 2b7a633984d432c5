//! The beginning of a text that takes no more than some tokens.

use std::borrow::Cow;

use crate::domain::render::cut;
use crate::domain::text::tokens::Tokenizer;

/// What stands where something was left out; its tokens are counted as this many.
const ELLIPSIS: &str = " …";
const ELLIPSIS_TOKENS: usize = 2;

/// The beginning of a text, about `tokens` of the vocabulary long, `…` included; the text where it is that short. Cut
/// between words where one ends near. O(tokens) where the text is longer.
pub(super) fn beginning<'t>(text: &'t str, tokens: usize, tokenizer: &Tokenizer) -> Cow<'t, str> {
    // A token is a byte at least.
    if text.len() <= tokens {
        return Cow::Borrowed(text);
    }
    let room = tokens.saturating_sub(ELLIPSIS_TOKENS);
    let (mut used, mut end) = (0, text.len());
    let mut within = (0, 0);
    for (start, piece) in tokenizer.pieces(text) {
        if used <= room {
            within = (start, room - used);
        }
        used += piece;
        if used > tokens {
            // Of a piece that is longer than all the room, as many bytes as there are tokens.
            end = if within.0 == 0 { text.floor_char_boundary(within.1) } else { within.0 };
            break;
        }
    }
    if end == text.len() {
        return Cow::Borrowed(text);
    }
    let kept = cut::prefix(text, end, |_, c| c.len_utf8());
    Cow::Owned(if kept.is_empty() { "…".to_owned() } else { format!("{kept}{ELLIPSIS}") })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn texts_are_cut_between_words() {
        let tokenizer = Tokenizer::o200k();
        let text = "The median coefficient of performance at −15 °C was 2.1 in the field study of 550 homes.";
        assert_eq!(beginning(text, 100, &tokenizer), text);
        assert_eq!(beginning(text, 8, &tokenizer), "The median coefficient of performance at …");
        assert_eq!(beginning(text, 0, &tokenizer), "…");
        assert_eq!(beginning(&"x".repeat(1_000_000), 12, &tokenizer), format!("{} …", "x".repeat(10)));
    }

    proptest! {
        #[test]
        fn what_is_left_is_a_beginning_within_the_limit(text in any::<String>(), tokens in 0_usize..60) {
            let tokenizer = Tokenizer::o200k();
            let short = beginning(&text, tokens, &tokenizer);
            prop_assert!(text.starts_with(short.trim_end_matches('…').trim_end()) || short == text);
            prop_assert!(tokenizer.raw(&short) <= tokens.max(1) + ELLIPSIS_TOKENS, "{short:?}");
        }
    }
}
