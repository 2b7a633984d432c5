//! Links behind a full stop: `Prices rose. [Reuters](https://…) They fell later.`
//!
//! Such a link cites the sentence before it, or it is the first word of the next one (`[Google](https://…) Cloud grew`).
//! It is taken for a citation only where no sentence can begin with it: at the end of the line, before a word that begins
//! sentences, or where its text is the name of its site. What it is taken for changes what is quoted.

use super::{BEFORE_BYTES_MAX, Place};
use crate::domain::text::phrases::{begins_with_any, has_any};
use crate::domain::text::scripts::is_wide;
use crate::domain::text::sentences::{sentences, starts_sentence};

/// Words of a sentence that can be cited so, at least: `Read more. [Here](https://…)` and `Alpha Report. [Link](…)` have
/// fewer, and aren't.
const WORDS_MIN: usize = 3;
/// What of the items of a list only an entry of references has.
const SIGNS: [&str; 9] = ["(19", "(20", "et al", "doi:", "doi.org", "arXiv", "ISBN", "Retrieved", "Accessed"];

/// Whether a row of links stands behind the end of a sentence and belongs to it.
pub(super) fn cites_sentence_before(text: &str, row: &[Place<'_>]) -> bool {
    let (Some(first), Some(last)) = (row.first(), row.last()) else { return false };
    let behind = &text[last.range.end..];
    if !ends_line(behind) && !begins_sentence(behind, row) {
        return false;
    }
    let begin = text.floor_char_boundary(first.range.start.saturating_sub(BEFORE_BYTES_MAX));
    ends_sentence(text[begin..first.range.start].rsplit('\n').next().unwrap_or_default())
}

/// Whether a line ends with a sentence that says something.
fn ends_sentence(line: &str) -> bool {
    // An abbreviation (`e.g. [A](…)`) ends none, whatever comes.
    let probe = format!("{} The", line.trim_end());
    let found = sentences(&probe);
    let [.., said, next] = &found[..] else { return false };
    let said = &probe[said.clone()];
    let words = || said.split_whitespace().filter(|word| word.contains(char::is_alphabetic));
    let lower = words().filter(|word| word.starts_with(char::is_lowercase)).count();
    let wide = said.chars().filter(|c| is_wide(*c)).count();
    &probe[next.clone()] == "The"
        && !leads(said)
        && (words().count() >= WORDS_MIN && lower > 0 || wide > 2 * WORDS_MIN)
        && !(is_item(line) && has_any(line, &SIGNS))
}

/// Whether a sentence leads to what follows: `You can download it here.`
fn leads(said: &str) -> bool {
    const FIRST: [&str; 6] = ["see ", "read ", "download ", "visit ", "you can ", "click "];
    let lower = said.trim_start().to_lowercase();
    begins_with_any(&lower, &FIRST) || lower.trim_end_matches(['.', '!', ':']).ends_with(" here")
}

fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with(|c: char| matches!(c, '-' | '*' | '+' | '•' | '[') || c.is_ascii_digit())
}

/// Whether nothing follows in the line, and the sentence doesn't go on in the next one.
fn ends_line(behind: &str) -> bool {
    let rest = behind.trim_start_matches([' ', '\t', '\r']);
    rest.is_empty()
        || rest
            .strip_prefix('\n')
            .is_some_and(|next| !next.trim_start_matches([' ', '\t']).starts_with(char::is_lowercase))
}

/// Whether what follows is a sentence of its own.
fn begins_sentence(behind: &str, row: &[Place<'_>]) -> bool {
    let next = behind.trim_start_matches(' ');
    let capital = next.len() < behind.len() && next.starts_with(char::is_uppercase);
    capital && (starts_sentence(next) || row.iter().all(names_site))
}

/// Whether the text of a link is the name of the site that it leads to: `[reuters.com](https://www.reuters.com/…)`.
fn names_site(place: &Place<'_>) -> bool {
    let Some(title) = place.link.title.filter(|title| title.contains('.')) else { return false };
    let host = place.link.url.split("://").nth(1).and_then(|rest| rest.split('/').next()).unwrap_or_default();
    host.trim_start_matches("www.").eq_ignore_ascii_case(title.trim_start_matches("www."))
}
