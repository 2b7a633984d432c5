//! The one address of a text at its very end, which is the source of all of it: `… It is 11 km long. (Source: City of Bonn, https://…)`.

use crate::domain::synthesis::claims::{Address, addresses};
use crate::domain::text::leads::is_source;
use crate::domain::text::sentences::sentences;

/// Sentences of a paragraph that is from one source, which stands behind its last one.
const SENTENCES_MAX: usize = 6;
/// Words behind an address that say when it was looked at.
const VISIT_WORDS_MAX: usize = 5;
/// What those begin with.
#[rustfmt::skip]
const VISITS: [&str; 8] = ["accessed", "retrieved", "visited", "abgerufen", "aufgerufen", "consulté", "consultado", "consultato"];

/// Whether a text shows one address, at its end, in a line of its own or behind the stop of a paragraph that is all of it. What is said of
/// it there, `Tickets are sold at https://…`, makes it no source; a word for a source may stand before it, and a title behind that.
pub(super) fn closes(text: &str) -> bool {
    let text = text.trim_end();
    if text.starts_with(['{', '[', '<', '|']) {
        return false;
    }
    let found = addresses(text);
    let [Address { range, .. }] = &found[..] else { return false };
    let (before, behind) = (&text[..range.start], &text[range.end..]);
    if !is_nothing(behind) && !is_visit(behind) {
        return false;
    }
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let is_one_paragraph = !text[..range.start].trim_end().contains("\n\n") && !has_items(&text[..line]);
    let is_own = line > 0 && leads(&before[line..], true);
    let is_below = is_own && (is_one_paragraph || text[..line].ends_with("\n\n"));
    let is_behind = || {
        let said = sentences(before);
        let Some(stop) = before.rfind(['.', '!', '?', '。']) else { return false };
        is_one_paragraph
            && said.len() <= SENTENCES_MAX
            && leads(before[stop..].trim_start_matches(['.', '!', '?', '。']), true)
    };
    is_below || is_behind()
}

/// Whether what stands before an address only says that a source comes, with its title or without: `(Source: City of Bonn, `.
fn leads(text: &str, may_be_empty: bool) -> bool {
    let bare = text.trim_matches(|c: char| !c.is_alphanumeric());
    let word = bare.split([':', '：']).next().unwrap_or_default().trim();
    if bare.is_empty() { may_be_empty } else { is_source(word) }
}

fn is_nothing(text: &str) -> bool {
    !text.contains(char::is_alphanumeric)
}

/// Whether a text says when an address was looked at: `), accessed 3 May 2025*`.
fn is_visit(text: &str) -> bool {
    let bare = text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let mut words = bare.split_whitespace();
    words.next().is_some_and(|word| VISITS.contains(&word)) && words.count() <= VISIT_WORDS_MAX
}

/// Whether some line of a text is an item of a list.
fn has_items(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with(['-', '*', '•', '+', '|', '#']))
}

#[cfg(test)]
mod tests {
    use super::closes;

    const SAID: &str = "The bridge will reopen on 14 October. The detour is 11 km long.";

    #[test]
    fn an_address_at_the_end_of_a_text_is_the_source_of_all_of_it() {
        for behind in [
            " (Source: City of Bonn, https://city.example/bridge)",
            " https://city.example/bridge",
            " ([City](https://city.example/bridge))",
            "\n(Source: City of Bonn, https://city.example/bridge)",
            "\nhttps://city.example/bridge",
            "\n\n*Source: City of Bonn (https://city.example/bridge), accessed 3 May 2025*",
            "\n\n- It costs €3.\n\nSource: https://city.example/bridge",
        ] {
            assert!(closes(&format!("{SAID}{behind}")), "{behind}");
        }
    }

    #[test]
    fn one_that_something_is_said_of_or_that_is_of_one_sentence_is_not() {
        for text in [
            "The bridge is closed. The detour is 11 km long (https://city.example/bridge).",
            "The bridge is closed.\n\nTickets are sold at https://city.example/bridge",
            "The bridge is closed.\n\nSee https://city.example/bridge",
            "The bridge is closed. https://city.example/bridge The detour is 11 km long.",
            "The bridge is closed. https://city.example/a\n\nhttps://city.example/b",
            "The bridge is closed.\n\nThe detour is 11 km long. (Source: https://city.example/bridge)",
            "- The bridge is closed.\n- The detour is 11 km long. https://city.example/bridge",
            "https://city.example/bridge",
        ] {
            assert!(!closes(text), "{text}");
        }
    }
}
