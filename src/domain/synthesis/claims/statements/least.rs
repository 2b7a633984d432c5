//! How much a text must say to state something: a sentence, or a few words that cite.

use std::ops::Range;

use super::entries::is_entry;
use super::labels::lead;
use super::records;
use crate::domain::text::scripts::is_wide;
use crate::domain::text::sentences::sentences;

/// How much a sentence must say.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Least {
    Sentence,
    /// The same in a list, or a few words there that cite: `No offline mode [2]`.
    Listed,
    /// The same in an item with others below it, or a label there with a figure: `Basic: $10`.
    Above,
    /// The same in another item, or a few words there that say something beside sentences.
    Point,
    /// The same of what has a number in its list: `2. Click Security`.
    Step,
    /// What a record says, whole: `Pro,20,monthly`.
    Record,
    /// A few words with a source.
    Answer,
    /// A few words in a list, with or without one.
    Item,
}

impl Least {
    /// How much an item of a list must say, where other text must say as much as this.
    pub(super) fn of_item(self) -> Self {
        match self {
            Least::Sentence => Least::Point,
            Least::Answer => Least::Item,
            Least::Listed | Least::Above | Least::Point | Least::Step | Least::Record | Least::Item => self,
        }
    }

    /// Whether words say as much, by themselves or because they cite a source; `is_sentence` tells it of what must be one.
    pub(super) fn says(self, shown: &str, cites: bool, is_sentence: impl FnOnce() -> bool) -> bool {
        match self {
            Least::Sentence | Least::Listed | Least::Above | Least::Point | Least::Step => is_sentence(),
            Least::Record => records::says(shown),
            Least::Answer => answers(shown, cites),
            Least::Item => answers(shown, cites || is_item(shown)),
        }
    }

    /// The sentences of a block of which each must say so much.
    pub(super) fn sentences(self, body: &str) -> Vec<Range<usize>> {
        if self != Least::Record {
            return sentences(body);
        }
        let begin = body.len() - body.trim_start().len();
        let whole = begin..begin + body.trim().len();
        vec![whole]
    }
}

/// Whether an item of a list says something where nothing else does: `Founded: 2015`.
pub(super) fn is_item(text: &str) -> bool {
    let wide = text.chars().filter(|c| is_wide(*c)).take(4).count();
    text.contains(char::is_alphabetic) && (wide >= 4 || text.split_whitespace().take(2).count() == 2)
}

/// A few words behind a bold label, with a source: `**Height:** 330 m [1]`.
pub(super) fn is_labelled_fact(text: &str, cites: bool) -> bool {
    cites
        && lead(text).is_some()
        && text.contains(char::is_numeric)
        && !text.contains("://")
        && answers(text, cites)
}

/// A few words of a list that cite, and aren't a title: `No offline mode`.
pub(super) fn is_cited_phrase(text: &str) -> bool {
    const WORDS_MIN: usize = 2;
    let words = || text.split_whitespace().filter(|word| word.contains(char::is_alphabetic));
    let lower = words().filter(|word| word.starts_with(char::is_lowercase)).count();
    words().count() >= WORDS_MIN && lower * 2 >= words().count() && answers(text, true)
}

/// A few words with a source.
pub(super) fn answers(text: &str, cites: bool) -> bool {
    let is_label = text.ends_with([':', '：', '?', '？']) || text.starts_with("http");
    cites && text.contains(char::is_alphanumeric) && !is_label && !is_entry(text, true)
}

/// Whether a statement is a sentence, not a few words of a list.
pub(super) fn is_sentence(text: &str) -> bool {
    states_something(text, text.ends_with(['.', '!', '。', '！', '．', '।', '۔']))
}

/// A sentence has a few words, isn't a label with a colon, and isn't an entry of references. One that ends like a
/// sentence may be short.
pub(super) fn states_something(text: &str, closed: bool) -> bool {
    let wide = || text.chars().filter(|c| is_wide(*c)).take(8).count();
    let (wide_min, words_min) = if closed { (4, 2) } else { (8, 5) };
    (text.split_ascii_whitespace().nth(words_min - 1).is_some() || wide() >= wide_min)
        && !text.ends_with([':', '：', '?', '？'])
        && !is_entry(text, closed)
}
