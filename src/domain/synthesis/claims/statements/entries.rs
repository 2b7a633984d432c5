//! Entries of references that stand where no section of references was recognised.

use std::ops::Range;

use super::addresses::{Address, addresses};
use super::asides::names_source;
use super::lines::is_led;
use super::linked;
use super::untitled::is_stated_before;
use crate::domain::text::leads::{before_lead, is_lead};
use crate::domain::text::phrases::has_any;
use crate::domain::text::scripts::is_wide;

/// Words that a sentence has besides its links, at least.
const WORDS_MIN: usize = 3;
/// The same where it doesn't end as one.
const OPEN_WORDS_MIN: usize = 5;
/// Words that a word for its source stands behind, at least, and of the value of a label without such a word, at most.
const FEW_WORDS_MIN: usize = 2;
const VALUE_WORDS_MAX: usize = 4;
/// Words beside an address in brackets.
const BRACKETED_WORDS_MAX: usize = 4;
/// Chinese and Japanese characters of a sentence, at least.
const WIDE_MIN: usize = 8;
/// The same before its source, where it has a figure.
const FEW_WIDE_MIN: usize = 4;
/// What stands before an address in an entry: `Title: https://…`.
const DIVIDERS: [char; 10] = [':', '：', '-', '–', '—', '|', '.', ',', ']', '"'];
/// What only references have.
const SIGNS: [&str; 12] =
    ["://", "www.", "doi", "et al", "(19", "(20", "ISBN", "arXiv", "Retrieved", "Accessed", "[J]", "[EB/OL]"];

/// Whether a sentence is an entry: `Title: https://…`, a link alone, `[3] Title`.
pub(super) fn is_entry(text: &str, closed: bool) -> bool {
    numbered(text, closed) || addressed(text, closed)
}

/// `[3] A Title of a Paper`. A sentence may begin with a number in brackets too: `[3] says that …`, `[2024] was …`.
fn numbered(text: &str, closed: bool) -> bool {
    let Some((inside, rest)) = text.strip_prefix(['[', '【']).and_then(|rest| rest.split_once([']', '】']))
    else {
        return false;
    };
    let number = inside.trim_start_matches('^');
    if !number.starts_with(|c: char| c.is_ascii_digit()) || inside.len() > 12 {
        return false;
    }
    let rest = rest.trim_start();
    if rest.starts_with(char::is_lowercase) {
        return false;
    }
    let (mut words, mut capitals) = (0, 0);
    for word in rest.split_whitespace().skip(1) {
        words += 1;
        capitals += usize::from(word.starts_with(char::is_uppercase));
    }
    !closed || capitals * 3 > words || has_any(rest, &SIGNS)
}

/// Little besides an address, or a title with its address.
fn addressed(text: &str, closed: bool) -> bool {
    let found = addresses(text);
    let (Some(first), Some(last)) = (found.first(), found.last()) else { return false };
    if before_source(text).is_some() || is_stated_before(&text[..first.range.start]) {
        return false;
    }
    let mut words = 0;
    let mut at = 0;
    for address @ Address { range, .. } in &found {
        words += count(&text[at..range.start], closed);
        let said = linked::label(text, address).filter(|label| linked::is_sentence(label));
        words += said.map_or(0, |label| count(label, closed));
        at = range.end;
    }
    words += count(&text[at..], closed);
    if words < if closed { WORDS_MIN } else { OPEN_WORDS_MIN } {
        return true;
    }
    let before = text[..last.range.start].trim_end_matches([' ', '<', '(', '（']);
    // `It rose by 5 % (source: https://…).`
    let said = before_bracket(before).or_else(|| before_lead(before)).filter(|said| is_worded(said, true));
    let before = said.unwrap_or(before);
    let ends = text[last.range.end..].chars().all(|c| !c.is_alphanumeric());
    let divided = !closed || before.ends_with(DIVIDERS);
    !last.linked && ends && divided && last.range.len() * 3 > text.len()
}

/// What a text says before the one address that it ends with, without the bracket, the word or the dash that leads to that, where it is
/// no title: words with a figure, or a label and its value, `Price: €499 (source: https://…)`, `Weight: 1.2 kg — https://…`.
pub(super) fn before_source(text: &str) -> Option<&str> {
    let found = addresses(text);
    let [Address { range, linked, .. }] = &found[..] else { return None };
    let before = text[..range.start].trim_end_matches([' ', '\n', '<', '(', '（']);
    let led = before_bracket(before).or_else(|| before_lead(before));
    let is_stated = led.is_none() && is_stated_before(before);
    let said = led.unwrap_or(before).trim_end_matches(['—', '–', '-', ',', ' ']);
    let said = if is_stated { said.trim_end_matches(['|', ':', '：', '，', '→', ' ']) } else { said };
    let word = if *linked { text[range.clone()].split(']').next() } else { before.get(said.len()..) };
    let word = word.unwrap_or_default().trim_matches(|c: char| !c.is_alphabetic());
    let is_sourced = !word.is_empty() && is_lead(word);
    let tells = || {
        is_stated
            || is_labelled_figure(said, is_sourced)
            || led.is_some() && (is_worded(said, true) || is_wide_figure(said))
            || is_sourced && is_small(said, FEW_WORDS_MIN) && said.contains(char::is_numeric)
    };
    let ends = text[range.end..].chars().all(|c| !c.is_alphanumeric());
    let is_plain = !said.starts_with(['[', '【']) && !is_reference(said) && !is_lead(said);
    (ends && is_plain && tells()).then_some(said)
}

/// Whether a text is a label and a value with a figure. Titles of references have labels, too: `World Bank: Outlook 2024 — https://…`.
fn is_labelled_figure(said: &str, is_sourced: bool) -> bool {
    let (label, value) = said.split_once([':', '：']).unwrap_or_default();
    let value = value.trim_matches(['*', ' ']);
    let is_title = || {
        label.contains(char::is_numeric)
            || value.split_whitespace().nth(VALUE_WORDS_MAX).is_some()
            || !(has_figure(value) || is_numeric(value))
    };
    is_led(said) && value.contains(char::is_numeric) && !names_source(said) && (is_sourced || !is_title())
}

/// What stands before the bracket that a text leaves open.
fn before_bracket(text: &str) -> Option<&str> {
    let at = text.rfind(['(', '（', ')', '）'])?;
    text[at..].starts_with(['(', '（']).then(|| text[..at].trim_end())
}

/// The sentence that a text is but for the address behind its stop, `Revenue rose by 5 %. https://…`, in brackets behind a few
/// words, or behind a word that says that a source comes; and what a text without a stop says [before its source](before_source). An entry is written so, too, of which most words begin in capitals,
/// or a word is a sign of one.
pub(super) fn before_address(text: &str) -> Option<&str> {
    let found = addresses(text);
    let Address { range, linked, .. } = found.last().filter(|_| found.len() == 1)?;
    let behind = text[range.end..].chars().all(|c| !c.is_alphanumeric());
    let before = text[..range.start].trim_end_matches([' ', '\n', '<', '(', '（']);
    let is_closed = is_bracketed(text, range);
    let in_brackets = is_closed || matches!(&text[range.end..], ")" | "）") && is_entry(text, false);
    let led = if in_brackets { before_bracket(before) } else { before_lead(before) };
    let said = led.unwrap_or(before);
    let is_sentence = (in_brackets || led.is_some() || said.ends_with(['.', '!', '。', '！']))
        && !said.starts_with(['[', '【'])
        && !has_any(said, &SIGNS)
        && is_worded(said, is_closed || led.is_some());
    if behind && !linked && is_sentence {
        return Some(said);
    }
    // With its stop it is quoted whole.
    let is_open = !text.ends_with(['.', '!', '。', '！']);
    before_source(text).filter(|_| is_open && !linked)
}

/// Whether an address that begins and ends there stands in brackets before the stop, with hardly a word beside it: `… (source: https://…).`
/// That is no part of what is said.
fn is_bracketed(text: &str, Range { start, end }: &Range<usize>) -> bool {
    let inside = text[..*start].rfind(['(', '（', ')', '）']).map(|at| &text[at..*start]);
    let is_short = |inside: &str| {
        inside.starts_with(['(', '（']) && inside.split_whitespace().nth(BRACKETED_WORDS_MAX).is_none()
    };
    matches!(&text[*end..], ")." | "）。" | "）.") && inside.is_some_and(is_short)
}

/// Whether a text has the words of a sentence: more than a few, and half of them in small letters. What stands before the word
/// for its source is one by its figure, too: half of the words of German have capitals.
fn is_worded(said: &str, is_led: bool) -> bool {
    let wide = said.chars().filter(|c| is_wide(*c)).count();
    is_small(said, WORDS_MIN + 1) || wide >= WIDE_MIN || is_led && tells_figure(said)
}

/// Whether a text has so many words, and half of them begin in small letters, or in those of a script that has no others.
fn is_small(said: &str, least: usize) -> bool {
    let words = || said.split_whitespace().filter(|word| word.contains(char::is_alphabetic));
    let small = words().filter(|word| begins_small(word)).count();
    words().count() >= least && small * 2 >= words().count()
}

/// Whether a text has a verb, or another word in small letters, and a figure that is no year.
fn tells_figure(said: &str) -> bool {
    let small = said.split_whitespace().filter(|word| begins_small(word));
    small.map(str::len).any(|length| length >= WORDS_MIN) && has_figure(said)
}

fn begins_small(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() && !c.is_uppercase() && !is_wide(c))
}

/// The same of Chinese and Japanese, where no letter is small.
fn is_wide_figure(said: &str) -> bool {
    said.chars().filter(|c| is_wide(*c)).take(FEW_WIDE_MIN).count() == FEW_WIDE_MIN && has_figure(said)
}

/// Whether a text has a figure that is no year. What is counted stands right behind it in Chinese and Korean.
fn has_figure(said: &str) -> bool {
    let mut rest = said;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let digits = &rest[at..];
        rest = digits.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = &digits[..digits.len() - rest.len()];
        let is_counted =
            rest.starts_with(|c: char| c.is_alphabetic() && !c.is_ascii() && !matches!(c, '年' | '년'));
        if digits.len() != 4 || !digits.starts_with(['1', '2']) || is_counted {
            return true;
        }
    }
    false
}

fn is_numeric(value: &str) -> bool {
    value.chars().all(|c| !c.is_alphabetic())
}

/// Whether a text has what only references have.
pub(super) fn is_reference(text: &str) -> bool {
    has_any(text, &SIGNS)
}

/// Whether a text is nothing but an address.
pub(super) fn is_address(text: &str) -> bool {
    let text = text.trim_matches(['<', '>', '(', ')', ' ']);
    matches!(&addresses(text)[..], [only] if only.range.len() + 1 >= text.len())
}

/// Whether a paragraph below the heading of a section of references is prose, which ends the section.
pub(super) fn is_prose(body: &str) -> bool {
    let text = body.trim();
    text.ends_with(['.', '!', '?', '。', '！', '？'])
        && count(text, false) > OPEN_WORDS_MIN
        && !text.starts_with(['[', '【'])
        && !has_any(text, &SIGNS)
}

/// Words of a text; three Chinese or Japanese characters count as one, and two of what ends as a sentence, which titles don't.
fn count(text: &str, closed: bool) -> usize {
    let characters = if closed { 2 } else { 3 };
    let says = |word: &&str| word.contains(char::is_alphanumeric) && !word.contains(is_wide);
    text.chars().filter(|c| is_wide(*c)).count() / characters + text.split_whitespace().filter(says).count()
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;

    const URL: &str = "https://nine.example/report";

    fn stated(text: &str) -> Vec<(&'static str, Vec<usize>)> {
        read(text, "a").into_iter().map(|found| (found.text, found.sources)).collect()
    }

    #[test]
    fn a_sentence_that_ends_in_its_source_is_stated_with_it() {
        for said in ["The fee is 12 euros", "The lake covers 500 km²", "Die Gebühr beträgt 12 Euro"] {
            for source in
                ["(source: ", "(Source: ", "(Quelle: ", "(Reuters: ", "(see the list at ", "(source "]
            {
                let text = format!("{said} {source}{URL})");
                assert_eq!(stated(&text), [(said, vec![9])], "{text}");
                assert_eq!(stated(&format!("- {text}")), [(said, vec![9])], "{text}");
                let closed = format!("{text}. It is salty.");
                let found = stated(&closed);
                assert!(found.len() == 2 && found[0].0.starts_with(said) && found[0].1 == [9], "{found:?}");
            }
            for source in [", source: ", " – Source: ", ", see "] {
                let text = format!("{said}{source}{URL}");
                assert_eq!(stated(&text), [(said, vec![9])], "{text}");
                assert_eq!(stated(&format!("{text}. It is salty."))[0], (said, vec![9]), "{text}");
            }
        }
    }

    #[test]
    fn a_few_words_with_a_figure_are_stated_with_the_address_behind_them() {
        const BESIDE: &str = "It is a small machine.";
        for said in ["Price: €499", "**Weight:** 1.2 kg", "CVSS: 9.8", "Founded: 1987"] {
            for source in [
                format!(" (source: {URL})"),
                format!(" — {URL}"),
                format!(", via {URL}"),
                format!(" ({URL})"),
            ] {
                for text in [format!("- {said}{source}"), format!("{BESIDE}\n\n- {said}{source}")] {
                    assert_eq!(stated(&text).last(), Some(&(said, vec![9])), "{text}");
                }
            }
            let linked = format!("{said} ([source]({URL}))");
            let found = stated(&format!("{BESIDE}\n\n- {linked}"));
            assert!(found.len() == 2 && linked.starts_with(found[1].0) && found[1].1 == [9], "{found:?}");
        }
        for said in [
            "Founded in 1987 (source: URL).",
            "요금은 59,800원입니다(출처: URL).",
            "东京人口约1400万（来源：URL）。",
            "السعر 499 ريالا (المصدر: URL).",
        ] {
            let said = said.replace("URL", URL);
            let found = stated(&format!("{said} {BESIDE}"));
            assert!(found.len() == 2 && found[0].1 == [9] && said.starts_with(found[0].0), "{found:?}");
        }
    }

    #[test]
    fn a_title_that_ends_in_its_address_states_nothing() {
        for title in [
            "World Economic Outlook (source: ",
            "Alpha Report, source: ",
            "What Moves Prices in 2020 (Journal: ",
            "Annual Report 2024 (PDF: ",
            "World Bank: Outlook 2024 — ",
            "Quelle: Bericht 5 (",
            "Outlook 2024 (source: ",
            "Source: ",
        ] {
            for close in ["", ")", ")."] {
                assert_eq!(stated(&format!("It is so.\n\n- {title}{URL}{close}")).len(), 1, "{title}");
            }
        }
        let label = format!("It is so.\n\n- Review of 2024: 10 best machines — {URL}");
        assert_eq!(stated(&label).len(), 1);
    }
}
