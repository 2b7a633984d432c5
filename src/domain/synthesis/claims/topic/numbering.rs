//! The number in front of a heading: `9. `, `1.2 `, `3）`, `一、`, `（二）`. It is taken off once, and only with what sets it apart:
//! `3M filters`, `2025 outlook` and `一带一路` begin with a name, and `3.11.4 Release` with a version.

/// Digits of a number: a longer one is a year, or a figure.
const DIGITS_MAX: usize = 3;
const CHINESE: &str = "一二三四五六七八九十";
/// What a release of a version is called, and what is told of it: a section that has no other word is about none.
const RELEASE: [&str; 6] = ["release", "released", "version", "hotfix", "patch", "changelog"];
const OF_RELEASE: [&str; 9] =
    ["notes", "note", "changes", "highlights", "announcement", "candidate", "stable", "final", "lts"];
/// What sets a number apart.
const MARKS: [char; 8] = ['.', ')', '、', '．', '）', ':', '：', '，'];

/// A heading without the number in front.
pub(super) fn without(heading: &str) -> &str {
    let whole = heading.trim_start_matches([' ', '#']).trim_end();
    // Most begin with a letter.
    if whole.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return whole;
    }
    let rest = in_brackets(whole).or_else(|| behind_chinese(whole)).or_else(|| behind_number(whole));
    rest.map(str::trim_start).filter(|rest| !rest.is_empty()).unwrap_or(whole)
}

/// What is behind `（1）`, `(二)`.
fn in_brackets(heading: &str) -> Option<&str> {
    let inside = heading.strip_prefix(['(', '（'])?;
    let rest = digits(inside).or_else(|| numeral(inside))?;
    rest.strip_prefix([')', '）'])
}

/// What is behind `一、` or `二 `.
fn behind_chinese(heading: &str) -> Option<&str> {
    numeral(heading)?.strip_prefix(['、', '．', '.', '，', ' ', '\u{3000}'])
}

/// What is behind `9. `, `1）`, `1.2 ` or `1.2. `.
fn behind_number(heading: &str) -> Option<&str> {
    let mut rest = digits(heading)?;
    // `2.0` is a version, `12.05.26` a date.
    let (mut is_section, mut has_zero) = (false, false);
    while let Some(part) = rest.strip_prefix('.').and_then(digits) {
        has_zero |= rest.starts_with(".0");
        (rest, is_section) = (part, !has_zero);
    }
    if let Some(marked) = rest.strip_prefix(MARKS) {
        // `10:30` is a time.
        return Some(marked).filter(|marked| !marked.starts_with(|c: char| c.is_ascii_digit()));
    }
    // `1.5 million users` and `2.5 °C` begin with a figure.
    let title = rest.strip_prefix([' ', '\u{3000}'])?.trim_start();
    let is_title = title.starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase());
    (is_section && is_title && !is_of_release(title)).then_some(title)
}

/// Whether a heading begins with a version: `3.11.4 Release`, not `1. Release notes`.
pub(in crate::domain::synthesis::claims) fn names_version(heading: &str) -> bool {
    let rest = heading.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let number = &heading[..heading.len() - rest.len()];
    number.trim_end_matches('.').contains('.') && rest.starts_with(' ') && is_of_release(rest)
}

/// Whether what stands behind a number only calls it a release: `Release`, `Release notes (May 2026)`.
fn is_of_release(title: &str) -> bool {
    let title = title.split(['(', ':', '–', '—']).next().unwrap_or_default();
    let mut words = title.split_whitespace().map(str::to_lowercase);
    let is_one = |names: &[&str], word: String| names.contains(&word.as_str());
    words.next().is_some_and(|first| is_one(&RELEASE, first)) && words.all(|word| is_one(&OF_RELEASE, word))
}

/// What is behind one to three digits.
fn digits(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    (1..=DIGITS_MAX).contains(&(text.len() - rest.len())).then_some(rest)
}

/// What is behind one to three Chinese numerals.
fn numeral(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|c| CHINESE.contains(c));
    let count = text[..text.len() - rest.len()].chars().count();
    (1..=DIGITS_MAX).contains(&count).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn numbers_of_lists_are_taken_off() {
        for (heading, bare) in [
            ("9. 3M filters", "3M filters"),
            ("4. 2025 outlook", "2025 outlook"),
            ("9. 3M（美国）——复合膜", "3M（美国）——复合膜"),
            ("1) Costs", "Costs"),
            ("1）成本", "成本"),
            ("1、成本", "成本"),
            ("1.市场规模", "市场规模"),
            ("2: Costs", "Costs"),
            ("1.2 Market", "Market"),
            ("2.1 Release process", "Release process"),
            ("2.1.3 Notes", "Notes"),
            ("1.2. Market", "Market"),
            ("3.1 市场规模", "市场规模"),
            ("（1）成本", "成本"),
            ("（二）成本", "成本"),
            ("一、成本", "成本"),
            ("十一、 成本", "成本"),
            ("二 成本", "成本"),
            ("## 1. Costs", "Costs"),
            ("1. 2. Costs", "2. Costs"),
        ] {
            assert_eq!(without(heading), bare, "{heading}");
        }
    }

    #[test]
    fn names_and_figures_stay() {
        for heading in [
            "3M filters",
            "5G networks",
            "3D printing",
            "2025 outlook",
            "2024年市场",
            "2025. Outlook",
            "1990s growth",
            "401(k) plans",
            "7-Eleven stores",
            "2.5D packaging",
            "8T SRAM cell",
            "5nm node",
            "1-on-1 lessons",
            "5 risks",
            "1.5 million users",
            "1.5℃目标",
            "10:30 meeting",
            "2.0 Release",
            "3.11.4 Release",
            "3.12 Release Notes (October 2023)",
            "1.4.2 Hotfix",
            "12.05.26 Treffen in Berlin",
            "三星电子",
            "十四五规划",
            "一带一路",
            "（2024）市场",
            "(k) plans",
            "1.",
            "Costs",
            "",
        ] {
            assert_eq!(without(heading), heading, "{heading}");
        }
    }
}
