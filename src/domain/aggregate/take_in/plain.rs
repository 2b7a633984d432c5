//! A short text as bare words, so that tables can be small.

use crate::domain::text::clean::is_blank;

/// `text` in lower case without markup, invisible characters and quotation marks; straight apostrophes; single spaces;
/// full-width punctuation as ASCII. Sentence marks stay.
pub(super) fn plain(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    let mut gap = false;
    for c in text.chars() {
        let c = match c {
            '’' | '‘' | 'ʼ' | '＇' => '\'',
            '，' | '、' => ',',
            '！' => '!',
            '？' => '?',
            '；' => ';',
            '：' => ':',
            '．' | '｡' => '.',
            '（' => '(',
            '）' => ')',
            _ => c,
        };
        if c.is_whitespace()
            || matches!(c, '*' | '_' | '`' | '#' | '>' | '"' | '“' | '”' | '«' | '»' | '「' | '」')
        {
            gap = true;
        } else if !is_blank(c) {
            if gap && !words.is_empty() {
                words.push(' ');
            }
            gap = false;
            words.extend(c.to_lowercase());
        }
    }
    words
}

/// `text` behind `phrase`, where it begins so. Of a table's phrases most differ in the first byte, and looking at that costs
/// a tenth of a comparison.
pub(super) fn behind<'t>(text: &'t str, phrase: &str) -> Option<&'t str> {
    let may_begin = text.as_bytes().first() == phrase.as_bytes().first();
    if may_begin { text.strip_prefix(phrase) } else { None }
}

/// Whether `text` begins with one of `phrases`.
pub(super) fn begins(text: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| behind(text, phrase).is_some())
}

/// How much a plain text says: its words, where two Chinese, Japanese or Korean characters count as one.
pub(super) fn word_count(words: &str) -> usize {
    let (mut count, mut ideographs, mut within) = (0, 0, false);
    for c in words.chars() {
        let is_ideograph = is_ideograph(c);
        let is_letter = c.is_alphanumeric() && !is_ideograph;
        count += usize::from(is_letter && !within);
        ideographs += usize::from(is_ideograph);
        within = is_letter || (within && matches!(c, '\'' | '-' | '.'));
    }
    count + ideographs.div_ceil(2)
}

/// Whether a character belongs to a script that is written without spaces.
pub(super) fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFF}')
}

/// The sentences of a plain text, roughly: good enough to tell an apology from what follows it.
pub(super) fn sentences(words: &str) -> impl Iterator<Item = &str> {
    let mut rest = words;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        if rest.is_empty() {
            return None;
        }
        let end = rest
            .char_indices()
            .find(|&(at, c)| {
                let after = rest[at + c.len_utf8()..].chars().next();
                matches!(c, '。' | '!' | '?' | ';') || (c == '.' && after.is_none_or(|next| next == ' '))
            })
            .map_or(rest.len(), |(at, c)| at + c.len_utf8());
        let (sentence, after) = rest.split_at(end);
        rest = after;
        Some(sentence.trim_end_matches(['.', '。', '!', '?', ';', ' ']))
    })
}
