//! Scripts that are written without spaces between words.

/// A letter of Chinese or Japanese: kana, Han, and what stands between the two (Unicode blocks from Hiragana to CJK Unified
/// Ideographs, CJK Compatibility Ideographs, planes 2 and 3).
pub fn is_wide(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// The same, or one of their radicals and marks: `。`, `「`.
pub fn is_wide_or_mark(c: char) -> bool {
    matches!(c, '\u{2E80}'..='\u{303F}') || is_wide(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_told_from_marks_and_from_other_scripts() {
        assert!("かカ一龥豈𠀀".chars().all(|c| is_wide(c) && is_wide_or_mark(c)));
        assert!("。「、々".chars().all(|c| !is_wide(c) && is_wide_or_mark(c)));
        assert!("aé9가Ж，".chars().all(|c| !is_wide_or_mark(c)));
    }
}
