//! What ends a paragraph without a stop, behind sentences that have theirs: `The phone is small. It weighs 171 g [1]`.
//!
//! Such a rest is seldom long enough to be told from words that were left there, so it must be a clause: it has a figure or
//! begins with a pronoun, and begins like no pointer to a source, `See the report [1]`; or a label and its value, `Discount: none`.

use std::ops::Range;

use super::addresses::{Address, addresses};
use super::entries::is_reference;
use super::least::{answers, is_cited_phrase};
use crate::domain::text::phrases::begins_with_any;
use crate::domain::text::pronouns::begins_with_pronoun;
use crate::domain::text::scripts::is_wide;
use crate::domain::text::values::{is_labelled_value, is_sum};

/// Words of a clause, at least, and of one that nothing is cited for.
const WORDS_MIN: usize = 3;
const UNCITED_WORDS_MIN: usize = 4;
/// Chinese and Japanese characters of a clause that is cited, at least, and of one without a figure in digits.
const WIDE_MIN: usize = 3;
const WIDE_WORDED_MIN: usize = 5;

/// What clauses begin with that go on about what was said, besides pronouns.
const GOING_ON: [&str; 3] = ["we", "there", "wir"];
/// What says where something is said or when it was, and no more.
#[rustfmt::skip]
const POINTERS: [&str; 34] = [
    "according", "as", "at", "by", "from", "in", "on", "per", "see", "since", "for", "source", "sources", "data", "via", "with", "under", "until", "before", "after", "during", "page",
    "read", "more", "cf", "cf.", "quoted", "cited", "figures", "laut", "nach", "selon", "según", "siehe",
];
const WIDE_POINTERS: [&str; 8] = ["据", "根据", "来源", "参见", "见", "引自", "摘自", "出典"];
/// What a year at the end of a clause stands behind.
const BEFORE_YEARS: [&str; 7] = ["in", "since", "until", "en", "im", "seit", "nel"];
/// How numbers are written in Chinese, of which one alone is often a part of a word.
const NUMERALS: &str = "一二三四五六七八九十百千万亿两";

/// Whether a sentence ends its block, behind one that ends with a stop or with what cites it.
pub(super) fn is_rest(text: &str, block: &Range<usize>, sentence: &Range<usize>) -> bool {
    let before = text[block.start..sentence.start].trim_end();
    let before = before.trim_end_matches(['*', '_', '"', '”', '’', ')', '）', '」']);
    before.ends_with(['.', '!', '?', '。', '！', '？', ']'])
        && text[sentence.end..block.end].trim().is_empty()
}

/// Whether a rest is a statement of its own; `cites`: it has a source.
pub(super) fn says(text: &str, cites: bool) -> bool {
    if !answers(text, true) || is_reference(text) || text.contains('\n') {
        return false;
    }
    if is_labelled_value(text) || is_sum(text) {
        return true;
    }
    let wide = text.chars().filter(|c| is_wide(*c)).count();
    if wide > 0 { cites && is_wide_clause(text, wide) } else { is_clause(text, cites) }
}

/// A rest without the address behind it, where it is a statement: `It weighs 171 g https://…`.
pub(super) fn before_address(text: &str) -> Option<&str> {
    let found = addresses(text);
    let [Address { range, linked: false, .. }] = &found[..] else { return None };
    let said = text[..range.start].trim_end_matches([' ', '<', '(', '（']);
    let ends = text[range.end..].chars().all(|c| matches!(c, ' ' | '>' | ')' | '）'));
    (ends && said.ends_with(char::is_alphanumeric) && says(said, true)).then_some(said)
}

fn is_clause(text: &str, cites: bool) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let first = words.first().map(|word| word.to_lowercase()).unwrap_or_default();
    let begins = text.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
    if !begins || words.len() < WORDS_MIN || POINTERS.contains(&first.as_str()) || !is_cited_phrase(text) {
        return false;
    }
    let is_own = begins_with_pronoun(text) || GOING_ON.contains(&first.as_str());
    match cites {
        true => is_own || has_figure(&words),
        false => is_own && has_figure(&words) && words.len() >= UNCITED_WORDS_MIN,
    }
}

/// Whether there is a figure but for a year that dates a title: `The annual report 2024`.
fn has_figure(words: &[&str]) -> bool {
    let is_numeric = |word: &&str| word.contains(char::is_numeric);
    let figures = words.iter().filter(|word| is_numeric(word)).count();
    let [.., before, last] = words else { return false };
    let dates = is_numeric(last) && is_year(last) && !BEFORE_YEARS.contains(before);
    figures > usize::from(dates)
}

fn is_year(word: &str) -> bool {
    let digits = word.trim_matches(|c: char| !c.is_alphanumeric());
    digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit()) && digits.starts_with(['1', '2'])
}

fn is_wide_clause(text: &str, wide: usize) -> bool {
    let begins = |words: &[&str]| begins_with_any(text, words);
    if begins(&WIDE_POINTERS) || wide < WIDE_MIN {
        return false;
    }
    let is_own = begins_with_pronoun(text);
    let mut runs = text.split(|c: char| !c.is_ascii_digit() && c != '.').filter(|run| !run.is_empty());
    let has_digits = runs.any(|run| is_own || !is_year(run) || !text.contains(&format!("{run}年")));
    let is_numeral = |c: char| NUMERALS.contains(c);
    let mut numerals = text.split(|c: char| !is_numeral(c)).filter(|run| run.chars().count() > 1);
    has_digits || wide >= WIDE_WORDED_MIN && (is_own || numerals.next().is_some())
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;

    fn stated(text: &str) -> Vec<(&'static str, Vec<usize>)> {
        read(text, "a").into_iter().map(|found| (found.text, found.sources)).collect()
    }

    #[test]
    fn a_rest_that_cites_is_stated_with_its_own_source() {
        for rest in [
            "It weighs 171 g",
            "It has 5 lenses",
            "It costs 999 euros",
            "It opened in 1998",
            "The tower opened in 1998",
            "Es wurde 1998 eröffnet",
            "It has no wifi",
        ] {
            let expected = [("The phone is small.", vec![]), (rest, vec![1])];
            assert_eq!(stated(&format!("The phone is small. {rest} [1]")), expected, "{rest}");
            let more = format!("The phone is small. {rest} [1]\n\nThe next paragraph stands here.");
            assert_eq!(stated(&more)[..2], expected, "{rest}");
        }
        for rest in ["它重171克", "价格为五千元", "它于1998年开通", "重さは171gです"] {
            let text = format!("手机很小。{rest}[1]");
            assert_eq!(stated(&text), [("手机很小。", vec![]), (rest, vec![1])], "{rest}");
        }
        let address = "The phone is small. It weighs 171 g https://nine.example/report";
        assert_eq!(stated(address), [("The phone is small.", vec![]), ("It weighs 171 g", vec![9])]);
        let uncited = "The phone is small. It weighs 171 g";
        assert_eq!(stated(uncited).len(), 2);
    }

    #[test]
    fn a_label_and_its_value_or_a_sum_at_the_end_is_stated() {
        const SAID: &str = "The total cost is 300 euros.";
        for last in ["Discount: none", "Rating: 4.5/5", "Contact: info@x.example.org", "In total 240"] {
            assert_eq!(stated(&format!("{SAID} {last}")), [(SAID, vec![]), (last, vec![])], "{last}");
        }
        for last in ["BLEU: 41.3", "**Total:** 41"] {
            assert_eq!(stated(&format!("{SAID}\n\n{last}")), [(SAID, vec![]), (last, vec![])], "{last}");
        }
        for last in ["Regards, Tom Miller", "Source: internal wiki", "Author: Anna Schmidt", "Page: 12"] {
            assert_eq!(stated(&format!("{SAID} {last}")), [(SAID, vec![])], "{last}");
            assert_eq!(stated(&format!("{SAID}\n\n{last}")), [(SAID, vec![])], "{last}");
        }
    }

    #[test]
    fn what_only_points_to_a_source_is_no_rest() {
        for rest in [
            "See the report [1]",
            "Wikipedia [1]",
            "Wikipedia 2020 [1]",
            "The annual report 2024 [1]",
            "World Bank Data 2024 [1]",
            "Smith et al. 2020 [1]",
            "According to 2024 data [1]",
            "As of May 2024 [1]",
            "Page 12 [1]",
            "Source 5 [1]",
            "In 5 days",
            "It is small",
            "Annual report 2024 https://nine.example/report",
        ] {
            assert_eq!(stated(&format!("The phone is small. {rest}")).len(), 1, "{rest}");
        }
        for rest in ["新浪科技[1]", "据新华社2024年报道[1]", "2024年年报[1]", "它重171克"] {
            assert_eq!(stated(&format!("手机很小。{rest}")).len(), 1, "{rest}");
        }
        // What isn't the end, or has nothing before it, is read as ever.
        assert_eq!(stated("It weighs 171 g\n\nThe phone is small.").len(), 1);
    }
}
