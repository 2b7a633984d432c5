//! Lists of references in one line, behind a label: `Sources: [1] https://…; [2] https://…`.

use crate::domain::synthesis::citations::entries::{colon, definition, in_line, is_label};
use crate::domain::synthesis::citations::headings::{Fit, fit, is_likely};
use crate::domain::synthesis::citations::window::{Cursor, End, Scan, Stop, is_blank};
use crate::domain::text::leads::begins_source;

/// What only an address has. A marker before a link, `[1] [A](…)`, shows it in its destination.
const SIGNS: [&str; 4] = ["http://", "https://", "www.", "doi.org/"];

/// The first number of such a list, where the window shows its address. Nearly every line is out by its first bytes.
pub(super) fn labelled(mut c: Cursor<'_>) -> Scan<Option<u32>> {
    c.skip(|c| matches!(c, '(' | '（' | '*' | '_' | '-' | '•') || is_blank(c))?;
    let rest = c.rest();
    let line = &rest[..memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len())];
    let Some(colon) = colon(line) else {
        let may_come = c.end == End::More && line.len() == rest.len() && may_be_label(line);
        return if may_come { Err(Stop::More) } else { Ok(None) };
    };
    if !is_label(&line[..colon]) {
        return Ok(None);
    }
    if !SIGNS.iter().any(|sign| line[colon..].contains(sign)) {
        return c.line().map(|_| None);
    }
    let Some(pieces) = in_line(line) else { return Ok(None) };
    if pieces.len() < 2 && is_of_one(&line[..colon]) {
        // Another one may still come.
        return c.line().map(|_| None);
    }
    Ok(pieces.first().and_then(|first| definition(first)?.number))
}

/// Whether a label names one source, that of what stands above: `Source: [1] https://…`.
fn is_of_one(label: &str) -> bool {
    const ONE: [&str; 9] =
        ["source", "quelle", "reference", "ref", "référence", "fuente", "fonte", "bron", "referencia"];
    let label = label.trim_matches(|c: char| !c.is_alphabetic());
    ONE.iter().any(|one| one.eq_ignore_ascii_case(label))
}

/// Whether what is there of a line may be the beginning of a label.
fn may_be_label(line: &str) -> bool {
    let word = line.trim_matches(|c: char| is_blank(c) || matches!(c, '*' | '_'));
    is_likely(line) && fit(line, true) != Fit::No || begins_source(word)
}
