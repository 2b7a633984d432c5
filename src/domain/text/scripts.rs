//! Scripts that are written without spaces between words, and marks that belong to the letter before them.

use unicode_normalization::char::is_combining_mark;

/// A letter of Chinese or Japanese: kana, Han, and what stands between the two (Unicode blocks from Hiragana to CJK Unified
/// Ideographs, CJK Compatibility Ideographs, planes 2 and 3).
pub fn is_wide(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// The same, or one of their radicals and marks: `。`, `「`.
pub fn is_wide_or_mark(c: char) -> bool {
    matches!(c, '\u{2E80}'..='\u{303F}') || is_wide(c)
}

/// A mark that is written on, below or around the letter before it: an accent, a vowel, a tone, what mutes a vowel (`्`). It's never
/// apart from that letter. What only says how a symbol looks is none (`❤` with U+FE0F); nor is one of Thai, Lao, Burmese or Khmer, whose
/// words aren't apart from each other either, and end at their marks.
pub fn is_mark(c: char) -> bool {
    let is_unspaced = matches!(c, '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}')
        || matches!(c, '\u{A9E0}'..='\u{A9FF}' | '\u{AA60}'..='\u{AA7F}');
    let is_of_symbols =
        matches!(c, '\u{20D0}'..='\u{20FF}' | '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}');
    c > '\u{02FF}' && !is_unspaced && !is_of_symbols && is_combining_mark(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_told_from_marks_and_from_other_scripts() {
        assert!("かカ一龥豈𠀀".chars().all(|c| is_wide(c) && is_wide_or_mark(c)));
        assert!("。「、々".chars().all(|c| !is_wide(c) && is_wide_or_mark(c)));
        assert!("aé9가Ж，".chars().all(|c| !is_wide_or_mark(c)));
        assert!("aé9가Жक漢๕฿ที่\u{fe0f}\u{20e3}".chars().all(|c| !is_mark(c)));
        assert!("\u{301}\u{94d}\u{9cd}\u{bcd}\u{64b}\u{5b8}".chars().all(is_mark));
    }
}
