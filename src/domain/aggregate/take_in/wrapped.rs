//! An answer that stands in a fence as a whole comes out of it: models write ```` ```markdown ```` around their reports.
//!
//! In a fence nothing is quoted, no number cites and no list of sources is read. So one that is called Markdown is taken off where it is
//! the only one and little stands beside it; one without a name, or `text`, where in addition what is in it reads as prose (see
//! [`prose`]). Code, logs, JSON and YAML stay what they are. A fence within it is a part of it, also where its marks are the same:
//! Markdown would end the outer one there, and no model means that. Linear.

use super::TaskInput;

mod prose;
#[cfg(test)]
mod tests;

/// What a fence around Markdown is called, and one around what may be any text.
const MARKDOWN: [&str; 2] = ["markdown", "md"];
const ANY_TEXT: [&str; 5] = ["", "text", "txt", "plain", "plaintext"];

/// Bytes beside a fence, without lines that name an address: with more it is a part of the answer.
const BESIDE_BYTES_MAX: usize = 300;

/// Takes off the fence around a result.
pub(super) fn unwrap(input: &mut TaskInput) {
    if let Some(content) = unwrapped(&input.content) {
        input.content = content;
    }
}

/// A text without the fence around (nearly) all of it; `None` where there is none, or where it has to stay.
pub fn unwrapped(text: &str) -> Option<String> {
    let (start, outer, inside_at) = opening(text)?;
    let is_named = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(outer.name));
    let is_markdown = is_named(&MARKDOWN);
    if !is_markdown && !is_named(&ANY_TEXT) {
        return None;
    }
    let rest = &text[inside_at..];
    // Without an end it was forgotten, or the text breaks off.
    let (end, behind_at) = closing(rest, &outer, true)
        .or_else(|| closing(rest, &outer, false))
        .unwrap_or((rest.len(), rest.len()));
    let (before, inside, behind) = (text[..start].trim(), &rest[..end], rest[behind_at..].trim());
    let beside = said(before) + said(behind);
    let is_all = beside <= BESIDE_BYTES_MAX && beside < inside.len() && !has_fence(behind);
    if !is_all || !(is_markdown || prose::is_prose(inside)) {
        return None;
    }
    let inside = inside.trim_end().trim_start_matches(['\n', '\r']);
    let parts = [before, inside, behind].into_iter().filter(|part| !part.is_empty());
    Some(parts.collect::<Vec<_>>().join("\n\n"))
}

/// A line that opens or closes a fence.
struct Fence<'t> {
    mark: char,
    length: usize,
    /// What it is called; empty where it has no name, as one that closes.
    name: &'t str,
}

fn fence(line: &str) -> Option<Fence<'_>> {
    let line = line.trim();
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let behind = line.trim_start_matches(mark);
    let length = line.len() - behind.len();
    let name = behind.split_whitespace().next().unwrap_or_default();
    (length >= 3 && !(mark == '`' && behind.contains('`'))).then_some(Fence { mark, length, name })
}

/// The first fence, where not too much stands before it: where it begins, and where what is in it does. An indented one is a list's.
fn opening(text: &str) -> Option<(usize, Fence<'_>, usize)> {
    let (mut start, mut beside) = (text.len() - text.trim_start().len(), 0);
    for line in text[start..].split_inclusive('\n') {
        if let Some(outer) = fence(line) {
            return line.starts_with(outer.mark).then_some((start, outer, start + line.len()));
        }
        (start, beside) = (start + line.len(), beside + said(line.trim()));
        if beside > BESIDE_BYTES_MAX {
            return None;
        }
    }
    None
}

/// Where the line begins that closes the outer fence, and where it ends. Lines with as many marks and a name open others, and so do, where
/// that `may` be and more follow, those without a name that an empty line stands above and none below.
fn closing(rest: &str, outer: &Fence<'_>, may: bool) -> Option<(usize, usize)> {
    let mut is_open = false;
    let mut lines = alike(rest, outer).peekable();
    while let Some(line) = lines.next() {
        let begins = may && line.may_open && lines.peek().is_some();
        match (is_open, line.is_bare) {
            (true, is_bare) => is_open = !is_bare,
            (false, true) if !begins => return Some((line.start, line.end)),
            (false, _) => is_open = true,
        }
    }
    None
}

/// A line that may close a fence.
struct Line {
    start: usize,
    end: usize,
    /// Whether it has no name.
    is_bare: bool,
    /// Whether an empty line stands above and none below.
    may_open: bool,
}

/// The lines with the marks of a fence, and as many.
fn alike(text: &str, outer: &Fence<'_>) -> impl Iterator<Item = Line> {
    let (mut end, mut was_blank) = (0, true);
    text.split_inclusive('\n').filter_map(move |line| {
        let start = end;
        end += line.len();
        let is_below_blank = std::mem::replace(&mut was_blank, line.trim().is_empty());
        let own = fence(line).filter(|own| own.mark == outer.mark && own.length >= outer.length)?;
        let below = text[end..].lines().next().unwrap_or_default();
        let may_open = is_below_blank && !below.trim().is_empty();
        Some(Line { start, end, is_bare: own.name.is_empty(), may_open })
    })
}

fn has_fence(text: &str) -> bool {
    text.lines().any(|line| fence(line).is_some())
}

/// How much a text says beside addresses, in bytes.
fn said(text: &str) -> usize {
    text.lines().filter(|line| !line.contains("://")).map(str::len).sum()
}
