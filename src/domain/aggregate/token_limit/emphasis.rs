//! Strong emphasis that goes on over several sentences: each that is kept needs marks of its own.

use super::outline::Leaf;

/// What opens and closes it.
pub(super) const STRONG: &str = "**";

/// Notes for the sentences of a block whether strong emphasis is open where each begins and ends; for none where it isn't
/// closed in the end, as `2 ** 3` doesn't open any.
pub(super) fn mark(text: &str, leaves: &mut [Leaf]) {
    let [Leaf { text: first, .. }, .., Leaf { text: last, .. }] = &*leaves else { return };
    if memchr::memmem::find(&text.as_bytes()[first.start..last.end], STRONG.as_bytes()).is_none() {
        return;
    }
    let mut open = false;
    for leaf in &mut *leaves {
        let before = open;
        for (at, length) in runs(text, leaf.text.start, leaf.text.end) {
            open ^= toggles(text, (at, length), open);
        }
        leaf.strong = (before, open);
    }
    if open {
        leaves.iter_mut().for_each(|leaf| leaf.strong = (false, false));
    }
}

/// The stars in a row outside of code, each with their number.
fn runs(text: &str, start: usize, end: usize) -> impl Iterator<Item = (usize, usize)> {
    let bytes = &text.as_bytes()[..end];
    let (mut from, mut code) = (start, false);
    std::iter::from_fn(move || {
        loop {
            let at = from + memchr::memchr2(b'*', b'`', &bytes[from..])?;
            let length = bytes[at..].iter().take_while(|byte| **byte == bytes[at]).count();
            from = at + length;
            if bytes[at] == b'`' {
                code ^= true;
            } else if !code {
                return Some((at, length));
            }
        }
    })
}

/// Whether stars open or close strong emphasis: the former before a word, the latter behind one.
fn toggles(text: &str, (at, length): (usize, usize), open: bool) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(|c| !c.is_whitespace() && c != '\\');
    let beside = if open { text[..at].chars().next_back() } else { text[at + length..].chars().next() };
    length % 4 >= 2 && is_word(beside)
}
