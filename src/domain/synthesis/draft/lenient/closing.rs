//! Which quote ends a string: the one that is followed by what may follow a string.
//!
//! In valid JSON every closing quote is, and no other quote stands there unescaped, so this changes nothing. Elsewhere it
//! tells the apostrophe of `'it's'` and the forgotten escapes of `"he said "no" to it"` from the end. No quote is looked
//! at further than to the second thing behind it that isn't blank, and each blank is skipped for one quote only: linear.

use super::strings::is_quote;

/// Longest word that is looked at behind a comma, in bytes.
const WORD_BYTES_MAX: usize = 32;
const LITERALS: [&str; 6] = ["true", "false", "null", "none", "nan", "undefined"];

/// Whether a quote is the end of its string if `rest` stands behind it.
pub(super) fn closes(rest: &str, quote: char) -> bool {
    match rest.strip_prefix(quote) {
        Some(behind) => !may_follow(behind, quote), // of two, the second one is the end, if it can be
        None => may_follow(rest, quote),
    }
}

/// Whether `rest` may stand behind a string.
fn may_follow(rest: &str, quote: char) -> bool {
    let rest = rest.trim_start();
    let Some(c) = rest.chars().next() else { return true };
    match c {
        '}' | ']' | ':' => true,
        ',' => is_next(rest[1..].trim_start()),
        '/' => rest.starts_with("//") || rest.starts_with("/*"),
        '#' => rest.starts_with("# "),
        '`' => rest.starts_with("```"),
        _ => c == quote,
    }
}

/// Whether `rest`, behind a comma, is the next value or the next key, and not how a sentence goes on.
fn is_next(rest: &str) -> bool {
    let Some(c) = rest.chars().next() else { return true };
    if is_quote(c) || c.is_ascii_digit() || "{[}]-/#,".contains(c) {
        return true;
    }
    let letters = |c: char| c.is_alphanumeric() || c == '_';
    let length = rest.chars().take(WORD_BYTES_MAX).take_while(|c| letters(*c)).map(char::len_utf8).sum();
    let (word, behind) = rest.split_at(length);
    let literal = LITERALS.iter().any(|literal| word.eq_ignore_ascii_case(literal));
    literal || behind.is_empty() || (!word.is_empty() && behind.trim_start().starts_with(':'))
}
