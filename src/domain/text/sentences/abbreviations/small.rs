//! Sentences that begin in small letters: with code, or with a name that is written so (`p99`, `iPhone`, `max_retries`).

use super::lists::{List, is_in};
use super::word_begin;

/// Letters of a word that is no abbreviation, at least: an abbreviation that isn't listed is short.
const LETTERS_MIN: usize = 4;
/// Bytes of a name.
const NAME_BYTES_MAX: usize = 64;
/// Names of programs that are no words, and are written in small letters.
const PROGRAMS: [&str; 14] = [
    "ffmpeg",
    "grpc",
    "kubectl",
    "matplotlib",
    "mypy",
    "nginx",
    "npm",
    "numpy",
    "pnpm",
    "pypi",
    "pytest",
    "scipy",
    "sqlite",
    "systemd",
];

/// Whether the text behind the full stop at `stop`, which goes on at `next`, begins a sentence although its first letter is a
/// small one.
pub(super) fn begins_in_small(text: &str, start: usize, stop: usize, next: usize) -> bool {
    let rest = text[next..].trim_start();
    is_word(&text[word_begin(text, start, stop)..stop], &text[start..stop])
        && (is_code(rest) || is_name(rest))
}

/// Whether what stands before a stop is no abbreviation: a whole word, or what none ends with.
fn is_word(word: &str, said: &str) -> bool {
    const LISTS: [List; 4] = [List::Titles, List::Inner, List::Numbered, List::Outer];
    if said.ends_with([')', ']', '`', '%', '"', '”']) {
        return true;
    }
    let letters = word.chars().count();
    letters >= LETTERS_MIN
        && word.chars().all(char::is_alphabetic)
        && word.chars().skip(1).all(char::is_lowercase)
        && !word.ends_with("str")
        && !LISTS.iter().any(|list| is_in(*list, word))
}

/// Inline code with an end in its line: `` `max_retries` ``.
fn is_code(rest: &str) -> bool {
    let Some(inside) = rest.strip_prefix('`') else { return false };
    let end = inside.bytes().take(NAME_BYTES_MAX).position(|byte| matches!(byte, b'`' | b'\n'));
    end.is_some_and(|end| end > 0 && inside[end..].starts_with('`'))
}

/// A name in small letters: it has a digit, a `_` or a capital among them. `arXiv` stands behind the title of a paper.
fn is_name(rest: &str) -> bool {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let name = rest.split(|c| !is_of_name(c)).next().unwrap_or_default();
    let behind = &rest[name.len()..];
    let is_apart = behind.starts_with([' ', ',']) || behind.starts_with("'s ") || behind.starts_with("’s ");
    let is_small =
        name.starts_with(|c: char| c.is_ascii_lowercase()) && name.len() <= NAME_BYTES_MAX && is_apart;
    let has_mark = || name.contains(|c: char| c.is_ascii_digit() || c.is_ascii_uppercase() || c == '_');
    let is_archive = name.ends_with("Xiv") || name.ends_with("Rxiv");
    is_small && !is_archive && (has_mark() || PROGRAMS.contains(&name))
}
