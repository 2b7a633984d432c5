//! Messages and texts in small letters, of which the last stop is often left out.

use super::Line;

/// Whether a line is a message of a chat or a transcript: `@sam: ok, it takes weeks`, `[12:01] it takes weeks`.
pub(super) fn is_message(line: &str) -> bool {
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let is_of_time = |c: char| c.is_ascii_digit() || matches!(c, ':' | '.' | ' ' | '-');
    if let Some(message) = line.strip_prefix('@') {
        let said = message.trim_start_matches(is_of_name);
        return said.len() < message.len() && said.starts_with(": ");
    }
    let Some(time) = line.strip_prefix('[') else { return false };
    let said = time.trim_start_matches(is_of_time);
    time[..time.len() - said.len()].contains(':') && said.starts_with(']')
}

/// Whether a line has several sentences, of which none begins with a capital.
pub(super) fn is_in_small_letters(line: &Line<'_>) -> bool {
    let mut begins = line.words.split_inclusive(['.', '!', '?']).filter_map(|part| {
        let said = part.trim_start();
        (said.len() < part.len() || part.as_ptr() == line.words.as_ptr())
            .then(|| said.chars().next())
            .flatten()
    });
    let first = begins.next();
    let mut others = begins.peekable();
    first.is_some_and(char::is_lowercase) && others.peek().is_some() && others.all(|c| !c.is_uppercase())
}
