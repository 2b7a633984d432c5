//! Who said something and when, in parentheses: `(Smith, 2023)`, `(Smith & Jones 2023a, p. 4; Doe et al., 2021)`.

use crate::domain::text::scripts::is_wide_or_mark;

/// Longer parentheses say something.
const BYTES_MAX: usize = 96;

/// How many bytes such parentheses take at the start of a text: in them the name of an author comes first, or the year,
/// and the last part, but for pages, ends with a year.
pub fn authors_and_year(text: &str) -> Option<usize> {
    let open = text.chars().next().filter(|c| matches!(c, '(' | '（'))?;
    let end = text
        .char_indices()
        .take_while(|(at, c)| *at <= BYTES_MAX && *c != '\n')
        .find(|(_, c)| matches!(c, ')' | '）'));
    let (end, close) = end?;
    // Of brackets within brackets the inner ones cite.
    let inside = Some(&text[open.len_utf8()..end]).filter(|inside| !inside.contains(['(', '（']))?;
    let is_name = inside.starts_with(|c: char| c.is_uppercase() || c.is_numeric() || is_wide_or_mark(c));
    let last = inside.rsplit([';', '；']).next().unwrap_or_default();
    let mut parts = last.split([',', '，']).map(str::trim).rev().skip_while(|part| is_place(part));
    let dated = parts.next().and_then(|part| part.split_whitespace().next_back()).is_some_and(is_year);
    (is_name && dated).then_some(end + close.len_utf8())
}

/// `p. 4`, `pp. 4–6`, `S. 12`, `§ 3`, `fig. 2`.
fn is_place(part: &str) -> bool {
    part.starts_with(|c: char| c.is_lowercase() || c == '§') && part.contains(|c: char| c.is_ascii_digit())
        || part.strip_prefix("S. ").is_some_and(|page| page.starts_with(|c: char| c.is_ascii_digit()))
}

/// Whether a word is a year, with or without what tells it from another of the same author: `2023`, `1998b`.
pub fn is_year(word: &str) -> bool {
    let digits = word.strip_suffix(|c: char| c.is_ascii_lowercase()).unwrap_or(word);
    digits.len() == 4
        && (digits.starts_with("19") || digits.starts_with("20"))
        && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn authors_with_a_year_are_told_from_what_is_said() {
        for text in [
            "(Smith, 2023)",
            "(2023)",
            "(Smith & Jones, 2023a)",
            "(Smith et al. 2023, pp. 4-6)",
            "(Smith, 2023; Doe, 1998, S. 12)",
            "（王，2023）",
        ] {
            assert_eq!(authors_and_year(&format!("{text} and more")), Some(text.len()), "{text}");
        }
        for text in [
            "(see Smith, 2023)",
            "(He stayed.)",
            "(Smith)",
            "(in 2023)",
            "(Smith, 2023",
            "Smith (2023)",
            "(It rose by 2023 units)",
        ] {
            assert_eq!(authors_and_year(text), None, "{text}");
        }
    }
}
