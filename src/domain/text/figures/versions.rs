//! Numbers that count nothing: names of versions, of which each part is counted (`2.10` comes after `2.9`), and of parts
//! (`Chapter 3` and `Chapter 4` are two things, not two sizes of one).

/// Words before such a number; sorted.
#[rustfmt::skip]
const NUMBERED: &[&str] = &[
    "abschnitt", "android", "appendix", "article", "artikel", "chapter", "clause", "django", "fig", "figure", "ios",
    "java", "kapitel", "kernel", "kubernetes", "linux", "node", "node.js", "php", "postgresql", "python", "release",
    "rust", "section", "tab", "table", "ubuntu", "v", "ver", "version", "versions",
];

/// Words before the number of a part, of which there are others; sorted.
#[rustfmt::skip]
const PARTS: &[&str] = &[
    "abschnitt", "anhang", "annex", "appendix", "article", "artikel", "category", "chapter", "class", "cohort", "figure", "grade", "group",
    "gruppe", "highway", "http", "interstate", "kapitel", "klasse", "level", "option", "page", "part", "phase", "python", "question", "room",
    "route", "scenario", "schedule", "section", "seite", "stage", "step", "stufe", "tabelle", "table", "team", "teil", "tier", "typ", "type",
    "zone",
];

/// By their first letter, a bit for each length that words have: nearly all others are out by that.
const fn lengths(words: &[&str]) -> [u16; 32] {
    let (mut lengths, mut at) = ([0; 32], 0);
    while at < words.len() {
        let word = words[at].as_bytes();
        lengths[(word[0] & 31) as usize] |= 1 << word.len();
        at += 1;
    }
    lengths
}

const LENGTHS_OF_NUMBERED: [u16; 32] = lengths(NUMBERED);
const LENGTHS_OF_PARTS: [u16; 32] = lengths(PARTS);

/// Whether a number is the name of something. `before` is the text before it.
pub(super) fn is_name(before: &str, written: &str) -> bool {
    let is_whole = written.len() <= 4 && written.bytes().all(|byte| byte.is_ascii_digit());
    let loses = !is_whole && written.split_once('.').is_some_and(|(_, decimals)| decimals.ends_with('0'));
    if !is_whole && !loses {
        return false;
    }
    let before = before.trim_end_matches([' ', '.', '/', '\u{a0}']);
    if loses && before.ends_with(['版', '本', '章', '節', '节', '§']) {
        return true;
    }
    let word = last_word(before);
    let (words, lengths) =
        if is_whole { (PARTS, &LENGTHS_OF_PARTS) } else { (NUMBERED, &LENGTHS_OF_NUMBERED) };
    let Some(first) = word.bytes().next().map(|byte| byte.to_ascii_lowercase()) else { return false };
    if lengths[usize::from(first & 31)].unbounded_shr(word.len() as u32) & 1 == 0 {
        return false;
    }
    // Most are out by their first letter.
    let from = words.partition_point(|known| known.as_bytes()[0] < first);
    let mut same = words[from..].iter().take_while(|known| known.as_bytes()[0] == first);
    same.any(|known| word.eq_ignore_ascii_case(known))
}

/// Whether a text is digits with points between them.
pub(super) fn is_dotted(written: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    written.contains('.') && written.split('.').all(is_number)
}

/// The letters, digits and points at the end of a text.
fn last_word(text: &str) -> &str {
    let is_inside = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'.';
    let start = text.len() - text.as_bytes().iter().rev().take_while(is_inside).count();
    if text.as_bytes()[..start].last().is_none_or(u8::is_ascii) {
        return &text[start..];
    }
    &text[text.trim_end_matches(|c: char| c.is_alphanumeric() || c == '.').len()..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_and_names_found_before_any_letter() {
        assert!(NUMBERED.is_sorted() && PARTS.is_sorted());
        for before in ["see Chapter ", "(chapter ", "图Table ", "“Phase ", "zone"] {
            assert_eq!(is_name(before, "3"), before != "图Table ", "{before}");
        }
        assert!(is_name("Python ", "3.10") && is_name("v", "2.0") && !is_name("grew ", "2.0"));
        assert!(!is_name("events ", "3") && !is_name("", "3") && !is_name("éclass ", "3"));
    }
}
