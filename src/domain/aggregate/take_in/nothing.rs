//! Texts that are empty, and texts that only point at another one.

use super::phrases::{AS_SAID, EMPTY, FILLERS, POINTER_WORDS_MAX, SEE};
use super::plain::{behind, is_ideograph, word_count};
use crate::domain::text::clean::is_blank;
use crate::domain::text::phrases::{ends_with_any, has_any};

/// Deepest nesting of JSON that is looked through for a value.
const DEPTH_MAX: usize = 32;

/// Whether a text has no character that can be seen.
pub(super) fn is_invisible(content: &str) -> bool {
    content.chars().all(is_blank)
}

/// Whether a text (`words` is its plain form) is empty: nothing to be seen, punctuation only, a word for nothing, or
/// JSON without a value.
pub(super) fn is_empty(content: &str, words: &str) -> bool {
    let bare = words.trim_matches(|c: char| !is_letter(c));
    if bare.is_empty() {
        return !words.chars().any(is_symbol);
    }
    if is_headings(content) || is_empty_markup(content) {
        return true;
    }
    let bounded = |c: char| {
        matches!(c, '.' | '。' | '!' | '(' | ')' | '[' | ']' | '<' | '>' | '-' | ' ' | '{' | '}' | '\'')
    };
    EMPTY.contains(&words.trim_matches(bounded)) || is_hollow_json(content)
}

/// Whether there are headings, and nothing below them.
fn is_headings(content: &str) -> bool {
    let mut lines = content.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_heading = |line: &str| {
        let words = line.trim_start_matches('#');
        (1..=6).contains(&(line.len() - words.len()))
            && words.starts_with(' ')
            && !words.ends_with(['.', '。'])
    };
    lines.all(is_heading)
}

/// Whether there are tags, and nothing between them: `<p></p>`. A picture is something.
fn is_empty_markup(content: &str) -> bool {
    let mut rest = content.trim();
    if !rest.starts_with('<') || has_any(rest, &["<img", "<svg", "<video", "<audio", "<iframe"]) {
        return false;
    }
    while let Some(inside) = rest.strip_prefix('<') {
        let is_tag = inside.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!'));
        let Some(end) = inside.find('>').filter(|_| is_tag) else { return false };
        rest = inside[end + 1..].trim_start_matches("&nbsp;").trim_start();
    }
    rest.is_empty()
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric()
}

/// Whether a character says something though it is no letter: an emoji, an arrow, a check mark. Not a dash or a bullet.
fn is_symbol(c: char) -> bool {
    let is_punctuation = matches!(c, '\u{2000}'..='\u{206F}' | '\u{3000}'..='\u{303F}' | '\u{FE10}'..='\u{FE6F}'
        | '\u{FF00}'..='\u{FF65}' | '\u{2500}'..='\u{257F}' | '\u{25A0}'..='\u{25FF}');
    !is_punctuation && (c >= '\u{2190}' || matches!(c, '$' | '€' | '£' | '%' | '∞' | '+'))
}

/// Whether a text is a JSON object or array (perhaps fenced) in which no member has a value.
fn is_hollow_json(content: &str) -> bool {
    let inner = content.trim_start_matches('`').trim_end_matches('`').trim();
    let inner = inner.strip_prefix("json").unwrap_or(inner).trim();
    if !inner.starts_with(['{', '[']) {
        return false;
    }
    serde_json::from_str(inner).is_ok_and(|value| is_hollow(&value, DEPTH_MAX))
}

fn is_hollow(value: &serde_json::Value, depth: usize) -> bool {
    use serde_json::Value;
    match value {
        Value::Null => true,
        Value::Bool(_) | Value::Number(_) => false,
        Value::String(text) => text.chars().all(is_blank),
        Value::Array(items) => depth > 0 && items.iter().all(|item| is_hollow(item, depth - 1)),
        Value::Object(members) => depth > 0 && members.values().all(|value| is_hollow(value, depth - 1)),
    }
}

/// Whether a plain text only points at another one.
pub(super) fn is_pointer(words: &str) -> bool {
    let words = words.trim_matches(|c: char| matches!(c, '.' | '。' | '!' | '(' | ')' | '[' | ']' | ' '));
    let after = |phrases: &[&str]| longest_prefix(words, phrases).map(|start| &words[start..]);
    let sends = after(SEE).is_some_and(|rest| {
        !rest.contains(|c: char| c.is_ascii_digit() || matches!(c, ':' | ';' | ',' | '.' | '。' | '?' | '|'))
            && word_count(rest) <= POINTER_WORDS_MAX
    });
    // `As discussed earlier, see my previous message`: a pointer behind a pointer.
    let twice = after(AS_SAID).is_some_and(|rest| {
        let rest = rest.trim_start_matches([',', ' ', '.', ';', ':', '-', '–', '—']);
        rest.len() < words.len() && longest_prefix(rest, SEE).is_some() && is_pointer(rest)
    });
    sends || twice || names_another(words) || after(AS_SAID).is_some_and(only_fillers)
}

/// `See the answer of the documentation agent above.`
fn names_another(words: &str) -> bool {
    const STARTS: &[&str] = &[
        "see the answer",
        "see the answers",
        "see the response",
        "see the result",
        "see the results",
        "see the output",
        "see the findings",
        "see the report",
        "please see the answer",
        "please see the response",
        "please see the results",
    ];
    const ENDS: &[&str] = &[" above", " below", " agent", " agent's answer"];
    longest_prefix(words, STARTS).is_some()
        && ends_with_any(words, ENDS)
        && word_count(words) <= POINTER_WORDS_MAX + 3
        && !words.contains(|c: char| c.is_ascii_digit() || matches!(c, ':' | ';' | ',' | '.' | '?' | '|'))
}

fn only_fillers(rest: &str) -> bool {
    rest.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .all(|word| FILLERS.contains(&word))
}

/// The length of the longest of `phrases` that `words` begins with, as whole words.
pub(super) fn longest_prefix(words: &str, phrases: &[&str]) -> Option<usize> {
    let fits = |phrase: &&&str| {
        let ends_word = |rest: &str| {
            phrase.ends_with(|c: char| !c.is_alphanumeric() || is_ideograph(c))
                || !rest.starts_with(|c: char| c.is_alphanumeric() && !is_ideograph(c))
        };
        behind(words, phrase).is_some_and(ends_word)
    };
    phrases.iter().filter(fits).map(|phrase| phrase.len()).max()
}
