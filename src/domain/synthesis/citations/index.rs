//! Whether a bracket glued to a word is an index, `argv[1]`, or a citation, `word[1]`.
//!
//! In the reports of models nearly every marker stands glued to a word, so a word tells only where no prose has it. Beside that the
//! number tells: none counts sources from zero there, and `deploy[231]: failed` is a line of a log.

use super::Rewriter;
use super::marker::{Item, Next};
use super::token::Token;

/// Names of variables that are no words.
const NAMES: [&[u8]; 10] =
    [b"argv", b"args", b"kwargs", b"arr", b"vec", b"buf", b"ptr", b"idx", b"elems", b"lst"];
/// Names of variables that are words, too: they are taken for such behind another index in their line.
const WORDS: [&[u8]; 10] =
    [b"items", b"rows", b"list", b"array", b"columns", b"cols", b"entries", b"elements", b"data", b"values"];
/// The least number that may be that of a process, or a line, where it is far beyond those of all sources.
const PROCESS: u32 = 100;

/// The indices that were met.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Indices {
    /// Whether there is one in this line.
    pub in_line: bool,
    /// The end of the last name that was counted from zero.
    from_zero: [u8; 12],
}

impl Indices {
    /// One was met behind `tail`.
    pub fn note(&mut self, tail: &[u8], items: &[Item]) {
        self.in_line = true;
        let name = name(tail);
        if is_zero(items) && !name.is_empty() {
            self.from_zero = [0; 12];
            self.from_zero[..name.len()].copy_from_slice(name);
        }
    }

    /// Whether what was met says that the word at the end is counted, too.
    fn count(&self, tail: &[u8]) -> bool {
        let name = name(tail);
        let known = &self.from_zero[..name.len()];
        let is_same = known == name && self.from_zero.get(name.len()).is_none_or(|byte| *byte == 0);
        !name.is_empty() && (is_same || self.in_line && WORDS.contains(&name))
    }
}

/// The letters, digits and `_` at the end.
fn name(tail: &[u8]) -> &[u8] {
    let is_in_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let length = tail.iter().rev().take_while(is_in_name).count();
    &tail[tail.len() - length..]
}

fn is_zero(items: &[Item]) -> bool {
    matches!(items, [Item { number: Some(0), .. }])
}

/// Whether a bracket directly behind `tail` is an index (`a[1]`, `argv[1]`, `my_list[1]`, `x[1] = 2`), not a citation (`word[1]`, `3
/// m/s[1]`): behind a single small letter that is no unit, or a name with `_`, or where code goes on behind it. `None` where
/// no name stands before it.
pub(super) fn is_index(tail: &[u8], next: Next) -> Option<bool> {
    let name = name(tail);
    let length = name.len();
    if length == 0 {
        return None;
    }
    let stem = &tail[..tail.len() - length];
    let before = stem.last().copied().unwrap_or(b'a');
    let is_unit =
        matches!(stem, [.., b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9', b'/'] | [.., b'0'..=b'9', b' ']);
    let variable =
        length == 1 && name[0].is_ascii_lowercase() && !is_unit && b"\0 \t\n(,=[{+*/<>|!&".contains(&before);
    // `_word_` is emphasis.
    let is_emphasis = name.ends_with(b"_") && !name.ends_with(b"__");
    let inner = match name {
        [b'_', inner @ .., b'_'] | [inner @ .., b'_'] if is_emphasis => inner,
        _ => name,
    };
    let code = match next.first {
        Some('=' | '&') => true,
        Some(' ') => next.second == Some('='),
        Some('.') => next.second.is_some_and(|c| c.is_ascii_lowercase()),
        _ => false,
    };
    // `arr2`, too.
    let digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let is_named = NAMES.contains(&&name[..length - digits]) && !b"/-.@".contains(&before);
    Some(variable || code || is_named || inner.contains(&b'_'))
}

impl Rewriter<'_> {
    /// Whether a bracket directly behind what was written, of which `out` has the end, is an index, see [`is_index`].
    pub(super) fn is_index(&mut self, written: &str, next: Next, out: &str) -> bool {
        is_index(&self.tail, next).unwrap_or(self.index_end == Some(self.written))
            || self.is_behind_code(out)
            || self.indices.count(&self.tail)
            || written.starts_with('[') && self.counts_no_sources(next)
    }

    /// Whether the word that was written last is code. Most are out with their last byte, and none ends in a citation.
    fn is_behind_code(&mut self, out: &str) -> bool {
        let may_be = !self.in_row && self.tail.last().is_some_and(|last| Token::may_end_code(*last));
        if may_be {
            self.read_token(out);
        }
        may_be && self.token.is_code(&self.tail)
    }

    /// Whether a number behind a word is none of a source: the zero of `items[0]`, or that of a process, `deploy[231]: failed`. Where
    /// numbers without a source were left out before, `founded[231] in 1900` is one more of them.
    fn counts_no_sources(&self, next: Next) -> bool {
        let is_word = name(&self.tail).iter().any(u8::is_ascii_alphabetic);
        let [Item { number: Some(number), .. }] = self.items[..] else { return false };
        if !is_word || self.numbers.source_of(number).is_some() {
            return false;
        }
        let goes_on = match next.first {
            Some(':') => true,
            Some(' ') => next.second.is_some_and(|c| c.is_ascii_lowercase()),
            _ => false,
        };
        let is_far = number >= PROCESS && number / 4 > self.numbers.last();
        number == 0 || is_far && goes_on && self.report.dangling.is_empty()
    }
}
