//! The address behind a stop, from which a sentence is: `It rose. https://a.example/1 It fell.`

use super::blanks::blanks;
use super::following::char_at;
use crate::domain::text::scripts::is_wide_or_mark;

/// Bytes of an address that is looked at.
const LENGTH_MAX: usize = 512;
/// Bytes behind a stop that ends nothing within which an address isn't passed over: looking again costs as much.
const AROUND_MAX: usize = 600;

/// Where to look on behind a stop at `end` that ends no sentence, with what would close one up to `closed`: an address among that is inside of
/// what goes on, `(cf. https://a.example/x).`
pub(super) fn going_on(text: &str, end: usize, closed: usize) -> usize {
    if closed - end <= AROUND_MAX && text[end..closed].contains("://") { end } else { closed }
}

/// How many bytes an address takes with which a text begins, bare or in brackets, where the next sentence begins behind it. One that the text
/// goes on with (`https://a.example is …`) is its subject.
pub(super) fn address_before_next(text: &str) -> Option<usize> {
    let close = match char_at(text, 0)? {
        '(' => Some(b')'),
        '<' => Some(b'>'),
        'h' => None,
        _ => return None,
    };
    let open = usize::from(close.is_some());
    let url = &text.as_bytes()[open..];
    if !(url.starts_with(b"https://") || url.starts_with(b"http://")) {
        return None;
    }
    let ends = |byte: &u8| byte.is_ascii_whitespace() || Some(*byte) == close;
    let length = url.iter().take(LENGTH_MAX).position(ends)?;
    let end = open + length + open;
    let is_closed = close.is_none_or(|close| url[length] == close);
    let spaces = blanks(text.get(end..)?);
    let next = char_at(text, end + spaces)?;
    (is_closed && spaces > 0 && (next.is_uppercase() || is_wide_or_mark(next))).then_some(end)
}
