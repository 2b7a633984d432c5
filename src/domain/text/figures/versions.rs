//! Numbers that count nothing: names of versions, of which each part is counted (`2.10` comes after `2.9`), and of parts
//! (`Chapter 3` and `Chapter 4` are two things, not two sizes of one).

/// Words before such a number.
#[rustfmt::skip]
const NUMBERED: &[&str] = &[
    "abschnitt", "android", "appendix", "article", "artikel", "chapter", "clause", "django", "fig", "figure", "ios",
    "java", "kapitel", "kernel", "kubernetes", "linux", "node", "node.js", "php", "postgresql", "python", "release",
    "rust", "section", "tab", "table", "ubuntu", "v", "ver", "version", "versions",
];

/// Words before the number of a part, of which there are others.
#[rustfmt::skip]
const PARTS: &[&str] = &[
    "abschnitt", "anhang", "annex", "appendix", "article", "artikel", "category", "chapter", "class", "cohort", "figure", "grade", "group",
    "gruppe", "highway", "http", "interstate", "kapitel", "klasse", "level", "option", "page", "part", "phase", "python", "question", "room",
    "route", "scenario", "schedule", "section", "seite", "stage", "step", "stufe", "table", "tabelle", "team", "teil", "tier", "typ", "type",
    "zone",
];

/// Whether a number is the name of something. `before` is the text before it.
pub(super) fn is_name(before: &str, written: &str) -> bool {
    let is_whole = written.len() <= 4 && written.bytes().all(|byte| byte.is_ascii_digit());
    let loses = written.split_once('.').is_some_and(|(_, decimals)| decimals.ends_with('0'));
    if !is_whole && !loses {
        return false;
    }
    let before = before.trim_end_matches([' ', '.', '/', '\u{a0}']);
    if loses && before.ends_with(['版', '本', '章', '節', '节', '§']) {
        return true;
    }
    let word = &before[before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '.').len()..];
    let words = if is_whole { PARTS } else { NUMBERED };
    let Some(first) = word.bytes().next().map(|byte| byte.to_ascii_lowercase()) else { return false };
    // Most are out by their first letter.
    words.iter().any(|known| known.as_bytes()[0] == first && word.eq_ignore_ascii_case(known))
}
