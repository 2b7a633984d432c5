//! Words in front of an address that state something: `Acme was founded in 1987 — https://…`. Others are the title of what stands there.

use super::entries::is_reference;
use super::linked::{TITLES, is_divided, is_small, is_verb};
use crate::domain::text::scripts::is_wide;

/// Words that state something, at least.
const WORDS_MIN: usize = 3;
/// Characters of a Chinese or Japanese statement, at least.
const WIDE_MIN: usize = 5;
/// What stands between a statement and its address.
const DIVIDERS: [char; 9] = ['—', '–', '-', ',', '|', ':', '：', '，', '→'];
/// Verbs that hardly a title has in small letters.
#[rustfmt::skip]
const VERBS: [&str; 78] = [
    "can", "can't", "cannot", "will", "won't", "must", "should", "does", "doesn't", "did", "didn't", "isn't", "aren't", "wasn't", "weren't", "hasn't", "became", "began", "beat", "bought", "built", "came", "died", "gave", "got", "left", "lost", "made", "met", "paid", "ran", "said", "sold", "spent", "took", "went",
    "won", "employs", "sells", "opens", "closes", "lasts", "owns", "makes", "requires", "supports", "includes", "excludes", "produces", "provides", "operates", "announces", "confirms", "denies", "says", "wins", "loses", "rises", "falls", "drops", "collapses", "remains",
    "beträgt", "kostet", "liegt", "stieg", "sank", "hatte", "wird", "werden", "coûte", "ont", "sera", "cuesta", "tienen", "fueron", "costa", "kost",
];
/// What says so in Chinese and Japanese.
const WIDE_VERBS: [&str; 12] =
    ["是", "成立于", "位于", "达到", "增长", "下降", "超过", "拥有", "共有", "不得", "です", "ました"];
/// What stands behind a verb in `-ed`, and not behind a word like `advanced`.
#[rustfmt::skip]
const BEHIND: [&str; 24] = [
    "a", "an", "the", "by", "in", "on", "at", "to", "from", "for", "with", "since", "until", "after", "before", "during", "as", "that", "its", "their", "his", "her", "all", "no",
];
/// How words end, and begin, that only lead to an address: `The docs are at`, `You can read it here`.
#[rustfmt::skip]
const LEADING: [&str; 22] = [
    "at", "is", "are", "was", "here", "on", "under", "below", "under:", "this", "these", "following", "link", "links", "url", "page", "website", "site", "address", "online", "available", "found",
];
#[rustfmt::skip]
const LED: [&str; 22] = [
    "i", "i've", "you", "we", "see", "read", "visit", "click", "download", "try", "check", "find", "more", "my", "our", "your", "for", "there", "it", "learn", "watch", "go",
];

/// Whether a text ends with what divides a statement from its address, and states something before that.
pub(super) fn is_stated_before(text: &str) -> bool {
    let text = text.trim_end_matches([' ', '<']);
    text.ends_with(DIVIDERS) && states(text.trim_end_matches(|c: char| c == ' ' || DIVIDERS.contains(&c)))
}

/// Whether words state something, where a title would stand as well.
fn states(said: &str) -> bool {
    if is_divided(said) || is_reference(said) || said.starts_with(['[', '【', '(']) {
        return false;
    }
    let wide = said.chars().filter(|c| is_wide(*c)).take(WIDE_MIN).count();
    if wide == WIDE_MIN {
        return WIDE_VERBS.iter().any(|verb| said.contains(verb));
    }
    let words: Vec<&str> = said.split_whitespace().map(|word| word.trim_matches([',', '*', '"'])).collect();
    let [first, .., last] = &words[..] else { return false };
    let is_led = |word: &str, words: &[&str]| words.iter().any(|led| led.eq_ignore_ascii_case(word));
    words.len() >= WORDS_MIN
        && !is_led(first, &TITLES)
        && !is_led(first, &LED)
        && !is_led(last, &LEADING)
        && tells(&words)
        && (is_small(said) || said.contains(char::is_numeric))
}

/// Whether there is a verb behind the first word.
fn tells(words: &[&str]) -> bool {
    let behind = |at: usize| {
        let next = words.get(at + 1).copied().unwrap_or_default();
        next.is_empty() || !next.starts_with(char::is_lowercase) || BEHIND.contains(&next)
    };
    // `Getting started with it` is a title.
    let is_told = !words[0].ends_with("ing");
    let tells_by = |word: &str| word.starts_with(char::is_lowercase) && is_verb(word);
    words.iter().enumerate().skip(1).any(|(at, word)| {
        VERBS.contains(word) || tells_by(word) && (!word.ends_with("ed") || is_told && behind(at))
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;

    const URL: &str = "https://nine.example/report";

    #[test]
    fn a_sentence_with_its_address_behind_a_mark_is_stated_with_it() {
        for said in [
            "Acme was founded in 1987",
            "Ibuprofen is not safe in the last three months of pregnancy",
            "No data was lost",
            "The bridge is safe",
            "The fee is $80",
            "Revenue rose by 4% in 2024",
            "Dam in Brisa collapses, 4,200 people evacuated",
            "Operator denies that the dam has failed",
            "Acme moved to Rome in 2019",
            "Der Umsatz stieg 2024 um 4 %",
            "Le musée est fermé le lundi",
            "公司成立于1987年",
        ] {
            for mark in [" — ", " – ", " - ", ", ", " | ", ": "] {
                for before in ["", "- ", "1. "] {
                    let text = format!("It is so.\n\n{before}{said}{mark}{URL}");
                    let found: Vec<_> =
                        read(&text, "a").into_iter().map(|of| (of.text, of.sources)).collect();
                    assert_eq!(found.last(), Some(&(said, vec![9])), "{text}");
                }
            }
        }
    }

    #[test]
    fn a_title_with_its_address_behind_a_mark_states_nothing() {
        for title in [
            "World Economic Outlook",
            "Annual Report 2024",
            "The state of the market in 2024",
            "How the moon landing was done in 1969",
            "Introduction to distributed systems",
            "A guide to advanced features of version 5",
            "Phone 15 review: the best phone is here",
            "Apollo 11 Was Launched In 1969 From Florida",
            "The documentation is available here",
            "The list of members can be found at",
            "You can read all of it",
            "Our website is",
            "Getting started with the new version",
            "Smith (2020), what is known",
            "关于促进消费的若干意见",
        ] {
            for mark in [" — ", ": ", ", "] {
                let text = format!("It is so.\n\n- {title}{mark}{URL}");
                let found = read(&text, "a");
                assert_eq!(found.len(), 1, "{text} {:?}", found.last().map(|of| of.text));
            }
        }
    }
}
