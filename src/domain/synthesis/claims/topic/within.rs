//! As much of a text as fits a label: never a part of a number, a price, a date or a version, nor of a word among others, nor of a
//! character and its marks.

use unicode_segmentation::UnicodeSegmentation;

use crate::domain::text::scripts::is_wide;

/// The first characters of a text, so many at most. What would be cut inside a number ends before it, or is shown with the whole
/// number where that comes first.
pub(in crate::domain::synthesis) fn within(text: &str, chars_max: usize) -> &str {
    let Some((most, _)) = text.char_indices().nth(chars_max) else { return text };
    let starts = text.grapheme_indices(true).map(|(start, _)| start);
    let end = starts.take_while(|start| *start <= most).last().unwrap_or_default();
    let end = if end > 0 { end } else { most };
    if !divides_number(&text[..end], &text[end..]) {
        return whole_words(&text[..end], &text[end..]);
    }
    let start = text[..end].trim_end_matches(is_of_number).len();
    let said = text[..start].trim_end_matches(|c: char| c.is_whitespace() || is_sign(c));
    if said.is_empty() {
        let rest = text[end..].trim_start_matches(is_of_number);
        return text[..text.len() - rest.len()].trim_end_matches(joins);
    }
    said
}

/// What is cut off before a text, without the part of a word that it ends with, where there are others.
fn whole_words<'t>(cut: &'t str, behind: &str) -> &'t str {
    let is_of_word = |c: char| c.is_alphanumeric() && !is_wide(c);
    if !(cut.ends_with(is_of_word) && behind.starts_with(is_of_word)) {
        return cut;
    }
    let words = cut.rfind(' ').map(|at| cut[..at].trim_end()).filter(|words| !words.is_empty());
    words.unwrap_or(cut)
}

/// Whether two neighbours are parts of one number.
fn divides_number(before: &str, behind: &str) -> bool {
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let (mut last, mut next) = (before.chars().rev(), behind.chars());
    match (last.next(), next.next()) {
        (Some(c), Some('0'..='9')) => c.is_ascii_digit() || is_sign(c) || joins(c) && is_digit(last.next()),
        (Some('0'..='9'), Some(c)) => matches!(c, '%' | '％') || joins(c) && is_digit(next.next()),
        _ => false,
    }
}

fn is_of_number(c: char) -> bool {
    c.is_ascii_digit() || joins(c)
}

/// What may stand between the digits of one number.
fn joins(c: char) -> bool {
    matches!(c, '.' | ',' | '-' | '/' | ':')
}

/// What stands before a price.
fn is_sign(c: char) -> bool {
    matches!(c, '$' | '€' | '£' | '¥' | '￥')
}

#[cfg(test)]
mod tests {
    use super::within;

    #[test]
    fn no_number_is_cut_inside() {
        for (text, label) in [
            ("版本3.11.4于2026-05-01发布", "版本3.11.4于"),
            ("价格现在是$1,299.99每年", "价格现在是"),
            ("新版本3.11.14发布", "新版本"),
            ("占市场份额达到30%以上", "占市场份额达到"),
            ("市场份额增长至45 以上", "市场份额增长至45"),
            ("1234567890123 items", "1234567890123"),
            ("2026-05-01, 2026-06-01", "2026-05-01"),
            ("市场规模扩大了很多很多", "市场规模扩大了很多"),
            ("短", "短"),
            ("Klima Einkommensbonus", "Klima"),
            ("Einkommensbonus", "Einkommen"),
            ("AI tools 智能工具", "AI tools "),
            ("น้ำท่วมที่นี่", "น้ำท่วม"),
            ("जनसंख्या बढ़ी", "जनसंख्या "),
        ] {
            assert_eq!(within(text, 9), label, "{text}");
        }
    }
}
