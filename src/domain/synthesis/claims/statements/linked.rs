//! Links whose text is a sentence: `[The bridge is 5 km long.](https://…)`. Most are titles, and state nothing.

use super::addresses::{Address, addresses};
use crate::domain::text::phrases::has_any;
use crate::domain::text::scripts::is_wide;

/// Words of the text of a link that is cited besides, or has a stop, at least; and of one that is told by what it says.
const WORDS_MIN: usize = 3;
const OPEN_WORDS_MIN: usize = 4;
/// Chinese and Japanese characters of such a text with a stop, at least.
const WIDE_MIN: usize = 4;

/// Words that titles begin with.
#[rustfmt::skip]
pub(super) const TITLES: [&str; 18] = [
    "how", "why", "what", "when", "where", "who", "which", "is", "are", "was", "were", "does", "do", "can", "top", "best", "here", "this",
];
/// Verbs of sentences that say what something is. Those in `-ed` are told by that.
#[rustfmt::skip]
const VERBS: [&str; 30] = [
    "is", "are", "was", "were", "has", "have", "had", "rose", "fell", "grew", "cost", "costs", "weighs", "holds", "carries", "reaches", "contains", "lies", "ist", "sind", "war", "wurde",
    "wurden", "hat", "est", "sont", "était", "es", "fue", "tiene",
];
/// What divides a title from who published it, or from its second part.
const DIVIDERS: [&str; 8] = [":", "|", "?", " - ", " – ", " — ", "…", "..."];

/// The sentence that a text is which is nothing but a link; `cites`: a marker behind it cites, too.
pub(super) fn said(text: &str, cites: bool) -> Option<&str> {
    if !text.starts_with('[') {
        return None;
    }
    let found = addresses(text);
    let [address] = &found[..] else { return None };
    let label = label(text, address)?;
    let is_all =
        address.range.start == 0 && text[address.range.end..].chars().all(|c| matches!(c, '.' | '。'));
    let is_cited = || cites && words(label) >= WORDS_MIN && is_small(label) && !is_divided(label);
    (is_all && (is_sentence(label) || is_cited())).then_some(label)
}

/// Whether a text is nothing but the name of what is cited behind it: `[IEDM 2017, Co for local interconnects][1][3];`.
pub(super) fn is_name(text: &str) -> bool {
    let bare =
        text.strip_prefix('[').map(|rest| rest.trim_end_matches(['.', ';', ',', ' ', '。', '；', '，']));
    let label = bare.and_then(|bare| bare.strip_suffix(']'));
    label.is_some_and(|label| !label.contains(['[', ']']) && !is_sentence(label))
}

/// The text of a link.
pub(super) fn label<'t>(text: &'t str, Address { range, url, linked }: &Address<'_>) -> Option<&'t str> {
    let end = range.end.checked_sub(url.len() + "]()".len()).filter(|_| *linked)?;
    let label = text.get(range.start + 1..end)?.trim();
    (!label.contains(['[', ']', '\n'])).then_some(label)
}

/// Whether the text of a link reads as a sentence: it ends as one, or has a verb and a figure and no capitals but its own.
pub(super) fn is_sentence(label: &str) -> bool {
    let wide = label.chars().filter(|c| is_wide(*c)).count();
    let is_ended = label.ends_with(['.', '!', '。', '！']) && !label.ends_with("...");
    if is_ended {
        return wide >= WIDE_MIN || words(label) >= WORDS_MIN && is_small(label);
    }
    let first = label.split(' ').next().unwrap_or_default().to_lowercase();
    label.split_whitespace().count() >= OPEN_WORDS_MIN
        && label.contains(char::is_numeric)
        && label.starts_with(char::is_uppercase)
        && label.split_whitespace().skip(1).any(is_verb)
        && is_small(label)
        && !TITLES.contains(&first.as_str())
        && !is_divided(label)
}

pub(super) fn is_verb(word: &str) -> bool {
    VERBS.contains(&word) || word.len() > "-ed".len() + 1 && word.ends_with("ed")
}

pub(super) fn is_divided(label: &str) -> bool {
    has_any(label, &DIVIDERS)
}

fn words(label: &str) -> usize {
    label.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count()
}

/// Whether half of the words or more begin in small letters: those of titles don't.
pub(super) fn is_small(label: &str) -> bool {
    let words = || label.split_whitespace().filter(|word| word.contains(char::is_alphabetic));
    words().filter(|word| word.starts_with(char::is_lowercase)).count() * 2 >= words().count()
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;

    #[test]
    fn the_name_of_what_is_cited_states_nothing() {
        for text in [
            "The bridge is long.\n\n- [Intel 10nm/7nm IEDM 2017, Co for local interconnects][1][3];",
            "桥很长。\n\n- [imec/IBM等Ru/Co选择性沉积与半达玛辛案例][1]。",
        ] {
            let found = stated(text);
            assert!(found.iter().all(|(said, _)| !said.contains('[')), "{found:?}");
        }
        let said = "- [The bridge was opened in 1932 by the king.][1]";
        assert_eq!(stated(said).len(), 1);
    }

    fn stated(text: &str) -> Vec<(&'static str, Vec<usize>)> {
        read(text, "a").into_iter().map(|found| (found.text, found.sources)).collect()
    }

    #[test]
    fn links_that_are_sentences_are_stated() {
        const URL: &str = "https://nine.example/report";
        for label in [
            "The bridge is 5 km long.",
            "The bridge is long.",
            "The bridge opened in 1998",
            "大桥全长五公里。",
        ] {
            for before in ["", "- ", "1. ", "Facts are told here.\n\n"] {
                let found = stated(&format!("{before}[{label}]({URL})"));
                assert_eq!(found.last(), Some(&(label, vec![9])), "{before}{label}");
            }
        }
        let two = format!("- [The bridge is 5 km long]({URL})\n- [The bridge opened in 1998]({URL})");
        assert_eq!(stated(&two).len(), 2);
        for text in [
            "[The bridge is 5 km long](https://nine.example/report), it says.",
            "[Apollo 11 landed on the Moon in 1969](https://nine.example/report) and returned.",
        ] {
            assert_eq!(stated(text), [(text, vec![9])]);
        }
        let cited = format!("[Alpha is big]({URL}) [1]. Beta is small [2].");
        assert_eq!(stated(&cited), [("Alpha is big", vec![1, 9]), ("Beta is small", vec![2])]);
    }

    #[test]
    fn links_that_are_titles_state_nothing() {
        for label in [
            "Apollo program",
            "World Economic Outlook 2024",
            "Moon landing history of NASA",
            "How the moon landing was done in 1969",
            "What is new in the version 5 of it",
            "Top 5 reasons that are used to buy one",
            "Phone 15 review: the best phone is here",
            "Attention is all you need",
            "The state of the market in 2024",
            "Apollo 11 Was Launched In 1969 From Florida",
            "Smith, J. Journal of Growth.",
        ] {
            let text = format!("- [{label}](https://nine.example/report)\n- [Another](https://b.example/x)");
            assert_eq!(stated(&text), [], "{label}");
        }
        assert_eq!(stated("- [Apollo program](https://nine.example/report) [1]"), []);
    }
}
