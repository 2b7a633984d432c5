//! Whom a mail greets, and who wrote one that is quoted.

use super::begins_with;
use crate::domain::text::phrases::behind_any;

/// Bytes of a salutation.
const BYTES_MAX: usize = 40;
/// Its words behind the greeting.
const WORDS_MAX: usize = 3;
/// Greetings, in small letters.
#[rustfmt::skip]
const GREETINGS: [&str; 18] = [
    "hi", "hello", "hey", "dear", "good morning", "good afternoon", "good evening", "hallo", "guten tag", "guten morgen", "liebe", "lieber", "moin", "bonjour", "hola", "buenos días", "buenas tardes", "ciao",
];
/// Whom a greeting in front of a colon is for: another word may be what is spoken of, `Hello world programs are:`.
#[rustfmt::skip]
const GREETED: [&str; 16] = [
    "all", "team", "everyone", "everybody", "folks", "colleagues", "there", "both", "zusammen", "kollegen", "leute", "tous", "equipo", "todos", "a todos", "tutti",
];

/// Whether a line is a salutation: `Hi all,`, `Hello Tom,`, `Hallo zusammen,`, `Hello team:`.
pub(in super::super) fn is_salutation(line: &str) -> bool {
    let line = line.trim();
    if line.len() > BYTES_MAX || !line.ends_with([',', ':', '，']) {
        return false;
    }
    let Some(greeting) = GREETINGS.iter().find(|greeting| begins_with(line, greeting)) else { return false };
    let Some(behind) = line.get(greeting.len()..) else { return false };
    let whom = behind.trim_end_matches([',', ':', '，']).trim_start_matches(',');
    let is_apart = behind.starts_with([' ', ',', ':', '，']);
    let is_name =
        |word: &str| word.starts_with(char::is_uppercase) || GREETED.contains(&word.to_lowercase().as_str());
    let is_short = whom.split_whitespace().count() <= WORDS_MAX;
    let are_names =
        whom.split_whitespace().all(is_name) || GREETED.contains(&whom.trim().to_lowercase().as_str());
    is_apart
        && is_short
        && are_names
        && !whom.contains(|c: char| c.is_numeric() || matches!(c, '!' | '.' | ','))
}

/// Who wrote the mail that a quotation begins with, by its first lines: `> From: Dana Whitfield <dana@big.example>`.
pub(in super::super) fn sender(quotation: &str) -> Option<&str> {
    const NAME_BYTES_MAX: usize = 60;
    const KEYS: [&str; 4] = ["From:", "Von:", "De:", "Da:"];
    let bare = |line: &'_ str| line.trim_start_matches(['>', ' ', '*']).len();
    let first = quotation.trim_start().lines().next()?;
    let first = &first[first.len() - bare(first)..];
    let from = behind_any(first, &KEYS)?;
    let from = from.trim_matches(['*', ' ', '\r']);
    let name = from.split(['<', '(']).next().unwrap_or_default().trim_matches([' ', '"']);
    let is_mail = from.contains('@') && quotation.trim_start().starts_with('>');
    let name = if name.is_empty() { from.trim_matches(['<', '>']) } else { name };
    (is_mail && name.len() <= NAME_BYTES_MAX).then_some(name)
}
