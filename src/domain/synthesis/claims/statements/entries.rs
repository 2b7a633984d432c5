//! Entries of references that stand where no section of references was recognised.

use super::addresses::{Address, addresses};
use super::linked;
use crate::domain::text::leads::before_lead;
use crate::domain::text::scripts::is_wide;

/// Words that a sentence has besides its links, at least.
const WORDS_MIN: usize = 3;
/// The same where it doesn't end as one.
const OPEN_WORDS_MIN: usize = 5;
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
    !closed || capitals * 3 > words || SIGNS.iter().any(|sign| rest.contains(sign))
}

/// Little besides an address, or a title with its address.
fn addressed(text: &str, closed: bool) -> bool {
    let found = addresses(text);
    let Some(last) = found.last() else { return false };
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

/// What stands before the bracket that a text leaves open.
fn before_bracket(text: &str) -> Option<&str> {
    let at = text.rfind(['(', '（', ')', '）'])?;
    text[at..].starts_with(['(', '（']).then(|| text[..at].trim_end())
}

/// The sentence that a text is but for the address behind its stop, `Revenue rose by 5 %. https://…`, in brackets behind a few
/// words, or behind a word that says that a source comes. An entry is written so, too, of which most words begin in capitals,
/// or a word is a sign of one.
pub(super) fn before_address(text: &str) -> Option<&str> {
    let found = addresses(text);
    let Address { range, linked, .. } = found.last().filter(|_| found.len() == 1)?;
    let behind = text[range.end..].chars().all(|c| !c.is_alphanumeric());
    let before = text[..range.start].trim_end_matches([' ', '\n', '<', '(', '（']);
    let in_brackets = matches!(&text[range.end..], ")" | "）") && is_entry(text, false);
    let led = if in_brackets { before_bracket(before) } else { before_lead(before) };
    let said = led.unwrap_or(before);
    let is_sentence = (in_brackets || led.is_some() || said.ends_with(['.', '!', '。', '！']))
        && !said.starts_with(['[', '【'])
        && !SIGNS.iter().any(|sign| said.contains(sign))
        && is_worded(said, led.is_some());
    (behind && !linked && is_sentence).then_some(said)
}

/// Whether a text has the words of a sentence: more than a few, and half of them in small letters. What stands before the word
/// for its source is one by its figure, too: half of the words of German have capitals.
fn is_worded(said: &str, is_led: bool) -> bool {
    let words = || said.split_whitespace().filter(|word| word.contains(char::is_alphabetic));
    let lower = words().filter(|word| word.starts_with(char::is_lowercase)).count();
    let wide = said.chars().filter(|c| is_wide(*c)).count();
    words().count() > WORDS_MIN && lower * 2 >= words().count() || wide >= 8 || is_led && tells_figure(said)
}

/// Whether a text has a verb, or another word in small letters, and a figure that is no year.
fn tells_figure(said: &str) -> bool {
    let is_year = |digits: &str| digits.len() == 4 && digits.starts_with(['1', '2']);
    let mut figures = said.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
    let small = said.split_whitespace().filter(|word| word.starts_with(char::is_lowercase));
    small.map(str::len).any(|length| length >= WORDS_MIN) && !figures.all(is_year)
}

/// Whether a text has what only references have.
pub(super) fn is_reference(text: &str) -> bool {
    SIGNS.iter().any(|sign| text.contains(sign))
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
        && !SIGNS.iter().any(|sign| text.contains(sign))
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
    fn a_title_that_ends_in_its_address_states_nothing() {
        for title in [
            "World Economic Outlook (source: ",
            "Alpha Report, source: ",
            "What Moves Prices in 2020 (Journal: ",
            "Annual Report 2024 (PDF: ",
            "Source: ",
        ] {
            for close in ["", ")", ")."] {
                assert_eq!(stated(&format!("It is so.\n\n- {title}{URL}{close}")).len(), 1, "{title}");
            }
        }
    }
}
