//! Labels of links that several texts define, told apart where the texts stand in one document.
//!
//! `[docs]: https://a.example` holds for a whole document, and the first of two wins (CommonMark 0.31, section 4.7): the links of the
//! other text would lead to the first one's page. So a label that an earlier text has for another address becomes `docs-2`,
//! where it is defined and in all links: `[the docs][docs]`, `[docs][]`, `[docs]`. Numbers and footnotes are citations, and no
//! labels. O(n log n) at most.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use memchr::{memchr_iter, memchr3, memmem};

use crate::domain::text::blocks::{Block, Kind, blocks};

/// Bytes of a label that is told apart.
const LABEL_BYTES_MAX: usize = 200;

/// The texts, each with labels of its own where it needs them.
pub fn labels_apart<'t>(texts: &[&'t str]) -> Vec<Cow<'t, str>> {
    let mut taken = BTreeMap::new();
    texts.iter().map(|text| apart(text, &mut taken)).collect()
}

/// What a label leads to, and how many of its name there are.
struct Taken<'t> {
    target: &'t str,
    named: usize,
}

fn apart<'t>(text: &'t str, taken: &mut BTreeMap<String, Taken<'t>>) -> Cow<'t, str> {
    if memmem::find(text.as_bytes(), b"]:").is_none() {
        return Cow::Borrowed(text);
    }
    let blocks = blocks(text);
    let defined = definitions(text, &blocks);
    let own: BTreeSet<String> = defined.iter().map(|(label, _)| key(label)).collect();
    let mut renamed: BTreeMap<String, String> = BTreeMap::new();
    let mut met = BTreeSet::new();
    for (label, target) in defined {
        let known = key(label);
        if !met.insert(known.clone()) {
            continue;
        }
        let Some(other) = taken.get_mut(&known) else {
            taken.insert(known, Taken { target, named: 1 });
            continue;
        };
        if other.target == target {
            continue;
        }
        let mut named = other.named;
        let name = loop {
            named += 1;
            let name = format!("{label}-{named}");
            if !own.contains(&key(&name)) && !taken.contains_key(&key(&name)) {
                break name;
            }
        };
        taken.entry(known.clone()).and_modify(|other| other.named = named);
        taken.insert(key(&name), Taken { target, named: 1 });
        renamed.insert(known, name);
    }
    if renamed.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(written(text, &blocks, &renamed)) }
}

/// Labels are the same whatever their case and their blanks.
fn key(label: &str) -> String {
    label.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The labels that a text defines, with what they lead to: lines at the begin of a paragraph.
fn definitions<'t>(text: &'t str, blocks: &[Block]) -> Vec<(&'t str, &'t str)> {
    let paragraphs = blocks.iter().filter(|block| block.kind == Kind::Paragraph);
    paragraphs.flat_map(|block| text[block.content(text)].lines().map_while(definition)).collect()
}

fn definition(line: &str) -> Option<(&str, &str)> {
    let (label, behind) = label_at(line.trim_start())?;
    let target = behind.strip_prefix(':')?.split_whitespace().next()?;
    Some((label, target.trim_matches(['<', '>'])))
}

/// The label in the brackets that a text begins with, and what stands behind them.
fn label_at(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix('[')?;
    let end = inside.bytes().take(LABEL_BYTES_MAX).position(|byte| b"[]`\\".contains(&byte))?;
    let behind = inside[end..].strip_prefix(']')?;
    let label = &inside[..end];
    let is_label = !label.trim().is_empty() && !label.starts_with('^') && !is_number(label);
    is_label.then_some((label, behind))
}

fn is_number(label: &str) -> bool {
    label.bytes().all(|byte| byte.is_ascii_digit())
}

/// A text with other names for some labels.
fn written(text: &str, blocks: &[Block], renamed: &BTreeMap<String, String>) -> String {
    let mut out = Written { text, renamed, out: String::with_capacity(text.len() + 64), done: 0 };
    for block in blocks.iter().filter(|block| !matches!(block.kind, Kind::Code { .. })) {
        let (mut at, end) = (block.range.start, block.range.end);
        let mut unclosed = Vec::new();
        while let Some(found) = memchr3(b'[', b'`', b'\\', &text.as_bytes()[at..end]) {
            at += found;
            at = match text.as_bytes()[at] {
                b'`' => behind_code(&text[..end], at, &mut unclosed),
                b'\\' => text.ceil_char_boundary(at + 2).min(end),
                _ => out.label(at, end),
            };
        }
    }
    out.out + &text[out.done..]
}

/// A text as far as it is written.
struct Written<'t> {
    text: &'t str,
    renamed: &'t BTreeMap<String, String>,
    out: String,
    done: usize,
}

impl Written<'_> {
    /// Writes the label in the bracket at `at` if it has another name; where to read on.
    fn label(&mut self, at: usize, end: usize) -> usize {
        let Some((label, behind)) = label_at(&self.text[at..end]) else { return at + 1 };
        let Some(name) = self.renamed.get(&key(label)) else { return at + 1 };
        let next = at + label.len() + "[]".len();
        let (written, next) = match said(&self.text[..at], behind) {
            Said::Text => return next,
            Said::Label => (format!("[{name}]"), next),
            Said::Alone => (format!("[{label}][{name}]"), next),
            Said::Twice => (format!("[{label}][{name}]"), next + "[]".len()),
        };
        self.out.push_str(&self.text[self.done..at]);
        self.out.push_str(&written);
        self.done = next;
        next
    }
}

/// What a label in brackets is there.
enum Said {
    /// `[…][docs]`, `[docs]: …`.
    Label,
    /// `[docs]`, also before a number that cites.
    Alone,
    /// `[docs][]`.
    Twice,
    /// `[docs](…)`, `[docs][other]`: the text of a link.
    Text,
}

fn said(before: &str, behind: &str) -> Said {
    let line = before.trim_end_matches([' ', '\t']);
    let begins_line = line.is_empty() || line.ends_with('\n');
    let is_number_next =
        || behind[1..].split_once(']').is_some_and(|(label, _)| !label.is_empty() && is_number(label));
    match behind.as_bytes().first() {
        _ if before.ends_with(']') => Said::Label,
        Some(b':') if begins_line => Said::Label,
        Some(b'(') => Said::Text,
        Some(b'[') if behind.starts_with("[]") => Said::Twice,
        Some(b'[') if !is_number_next() => Said::Text,
        Some(_) | None => Said::Alone,
    }
}

/// Where inline code ends that begins at `at`; behind its marks where none closes it. `unclosed` are the lengths of which no more come.
fn behind_code(text: &str, at: usize, unclosed: &mut Vec<usize>) -> usize {
    let run = |from: usize| text[from..].bytes().take_while(|byte| *byte == b'`').count();
    let marks = run(at);
    let begin = at + marks;
    if unclosed.contains(&marks) {
        return begin;
    }
    let mut next = begin;
    for found in memchr_iter(b'`', &text.as_bytes()[begin..]) {
        let start = begin + found;
        if start < next {
            continue;
        }
        let length = run(start);
        next = start + length;
        if length == marks {
            return next;
        }
    }
    unclosed.push(marks);
    begin
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = "See [the docs][docs].\n\n[docs]: https://a.example/d";

    #[test]
    fn a_label_of_another_address_is_another_one_with_all_its_links() {
        for (text, expected) in [
            (
                "See [the docs][Docs].\n\n[docs]: https://b.example",
                "See [the docs][docs-2].\n\n[docs-2]: https://b.example",
            ),
            ("[docs].\n\n  [docs]: https://b.example", "[docs][docs-2].\n\n  [docs-2]: https://b.example"),
            (
                "[Docs]: <https://b.example> \"B\"\n[b]: https://b.example\n\n- [docs], ![docs][] and [docs][1] [b]",
                "[Docs-2]: <https://b.example> \"B\"\n[b]: https://b.example\n\n- [docs][Docs-2], ![docs][Docs-2] and [docs][Docs-2][1] [b]",
            ),
            (
                "[docs](https://c.example) [docs][c] `[docs]` \\[docs] `` [*a* [x]][docs]\n\n```\n[docs]\n```\n\n[docs]: https://b.example\n[docs-2]: https://c.example",
                "[docs](https://c.example) [docs][c] `[docs]` \\[docs] `` [*a* [x]][docs-3]\n\n```\n[docs]\n```\n\n[docs-3]: https://b.example\n[docs-2]: https://c.example",
            ),
        ] {
            assert_eq!(labels_apart(&[FIRST, text]), [FIRST, expected]);
        }
        let last = "[docs]: https://c.example\n\n[docs]";
        let third = labels_apart(&[FIRST, "[docs]: https://b.example\n\n[docs]", last]).remove(2);
        assert_eq!(third, "[docs-3]: https://c.example\n\n[docs][docs-3]");
    }

    #[test]
    fn what_means_the_same_stays() {
        for text in [
            FIRST,
            "[docs] is the name of it.",
            "It is so:\n[docs]: https://b.example",
            "```\n[docs]: https://b.example\n```",
            "[1]: https://b.example\n[^docs]: https://b.example",
            "[ ]: https://b.example",
        ] {
            assert_eq!(labels_apart(&[FIRST, text]), [FIRST, text]);
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(text in "(\\[|\\]|docs|\\[docs\\]: |https:|`|\\\\|\n|\n\n|[aé ^1(]){0,24}") {
            labels_apart(&[FIRST, &text]);
        }
    }
}
