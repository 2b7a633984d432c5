//! The reference sections of one text, and what its numbers mean in each part of it.
//!
//! A text that was put together from several may number anew in each: what stands before the end of a reference section
//! goes by that section, where two of them give one number to different sources.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use memchr::memmem;

use crate::domain::aggregate::url_identity::identify;
use crate::domain::synthesis::citations::{
    self, Definition, Numbering, Report, Rewriter, rewrite, without_list,
};

/// Bytes of a link's text.
const LINK_BYTES_MAX: usize = 300;
/// Sections that may number anew; of a text with more all are read as one.
const PARTS_MAX: usize = 32;

/// A number, a title and an address.
pub(super) type Defined = (u32, String, Option<String>);

/// What the reference sections of a text say.
pub(super) struct References<'t> {
    whole: &'t str,
    /// The text without a list that it ends with.
    pub text: Cow<'t, str>,
    pub definitions: Vec<Definition>,
    /// How many definitions there are up to the end of each section.
    ends: Vec<usize>,
}

impl<'t> References<'t> {
    pub(super) fn of(content: &'t str) -> Self {
        let (text, at_end) = without_list(content);
        let citations::References { mut definitions, sections } = citations::references(&text);
        let mut ends: Vec<usize> = sections.iter().map(|section| section.definitions).collect();
        if !at_end.is_empty() {
            definitions.extend(at_end);
            ends.push(definitions.len());
        }
        Self { whole: content, text, definitions, ends }
    }

    /// Numbers entries that are cited by other names.
    pub(super) fn number(&mut self, entries: &[(u32, Definition)]) {
        for (number, entry) in entries {
            match self.definitions.iter_mut().find(|definition| *definition == entry) {
                Some(definition) if definition.number.is_none() => definition.number = Some(*number),
                // It is cited by a number, or in other words, too.
                Some(_) | None => {
                    self.definitions.push(Definition { number: Some(*number), ..entry.clone() });
                    self.ends.iter_mut().last().into_iter().for_each(|end| *end += 1);
                }
            }
        }
    }

    /// The numbers that stand for an address in links of Markdown, as `[the docs][1]` does where a line says `[1]: https://…`
    /// (CommonMark 0.31, section 6.3). `[1][2]` and `[S1][2]` are citations. O(n log n).
    pub(super) fn links(&self) -> BTreeSet<u32> {
        if self.definitions.is_empty() {
            return BTreeSet::new();
        }
        let text = self.whole;
        let linked = memmem::find_iter(text.as_bytes(), "][").filter_map(|at| {
            let behind = &text[at + "][".len()..];
            let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
            let number: u32 = behind[..digits].parse().ok()?;
            let near = text.floor_char_boundary(at.saturating_sub(LINK_BYTES_MAX));
            let label = text[near..at].rsplit(['[', ']', '\n']).next()?;
            (behind[digits..].starts_with(']') && is_title(label)).then_some(number)
        });
        let linked: BTreeSet<u32> = linked.collect();
        if linked.is_empty() {
            return linked;
        }
        let defined = memmem::find_iter(text.as_bytes(), "]:").filter_map(|at| {
            let near = text.floor_char_boundary(at.saturating_sub(LINK_BYTES_MAX));
            let (before, number) = text[near..at].rsplit_once('[')?;
            let is_first = before.rsplit('\n').next()?.trim().is_empty();
            number.parse().ok().filter(|_| is_first)
        });
        let has_address = |entry: &&Definition| entry.url.is_some();
        let listed = self.definitions.iter().filter(has_address).filter_map(|entry| entry.number);
        &(&linked & &defined.collect()) & &listed.collect()
    }

    fn sections(&self) -> impl Iterator<Item = &[Definition]> {
        let begins = std::iter::once(0).chain(self.ends.iter().copied());
        begins.zip(&self.ends).map(|(begin, end)| &self.definitions[begin..*end])
    }

    /// What the numbers mean, the first meaning first: once for the whole text, or for each section where they differ.
    pub(super) fn by_part(&self) -> Vec<Vec<Defined>> {
        let whole: Vec<Defined> = self.definitions.iter().filter_map(defined).collect();
        if self.ends.len() > PARTS_MAX || !self.numbers_anew() {
            return vec![whole];
        }
        let of_section = |section: &[Definition]| {
            section.iter().filter_map(defined).chain(whole.iter().cloned()).collect::<Vec<Defined>>()
        };
        self.sections().map(of_section).collect()
    }

    fn numbers_anew(&self) -> bool {
        let mut known: BTreeMap<u32, (usize, &Definition)> = BTreeMap::new();
        self.sections().enumerate().any(|(part, section)| {
            section.iter().any(|definition| {
                let Some(number) = definition.number else { return false };
                let (first_part, first) = *known.entry(number).or_insert((part, definition));
                first_part != part && !is_same(first, definition)
            })
        })
    }

    /// Titles and addresses that no number stands for: entries without one, and those of a section that gave theirs away before.
    pub(super) fn unnumbered(&self) -> Vec<(&str, &str)> {
        let mut found = Vec::new();
        for section in self.sections() {
            let mut known: BTreeMap<u32, &Definition> = BTreeMap::new();
            for definition in section {
                let Some(url) = &definition.url else { continue };
                let is_first = definition
                    .number
                    .is_some_and(|number| is_same(known.entry(number).or_insert(definition), definition));
                if !is_first {
                    found.push((definition.title.as_str(), url.as_str()));
                }
            }
        }
        found
    }

    /// What tells apart the addresses that it lists.
    pub(super) fn addresses(&self) -> BTreeSet<String> {
        self.definitions.iter().filter_map(|definition| definition.url.as_deref()).map(identity).collect()
    }

    /// The titles of what has an address, too.
    pub(super) fn titles(&self) -> impl Iterator<Item = (&str, &str)> {
        let both = |definition: &'_ Definition| definition.url.is_some() && !definition.title.is_empty();
        let named = self.definitions.iter().filter(move |definition| both(definition));
        named.filter_map(|definition| Some((definition.title.as_str(), definition.url.as_deref()?)))
    }
}

/// Whether a link's text is words, no label of a source: `the docs`, not `S1`, `^a` or `12`.
fn is_title(label: &str) -> bool {
    let has_word = label.split(|c: char| !c.is_alphabetic()).any(|word| word.chars().nth(1).is_some());
    let is_label = !label.contains(' ') && label.contains(|c: char| c.is_ascii_digit());
    has_word && !is_label && !label.starts_with('^')
}

/// What tells an address apart from others.
pub(super) fn identity(url: &str) -> String {
    identify(url).map_or_else(|| url.to_owned(), |identity| identity.key)
}

fn defined(definition: &Definition) -> Option<Defined> {
    Some((definition.number?, definition.title.clone(), definition.url.clone()))
}

fn is_same(first: &Definition, other: &Definition) -> bool {
    match (&first.url, &other.url) {
        (Some(first), Some(other)) => {
            let key = |url: &str| identify(url).map(|identity| identity.key);
            first == other || key(first).is_some_and(|first| key(other) == Some(first))
        }
        (None, None) => first.title.eq_ignore_ascii_case(&other.title),
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// Rewrites a text, each part up to the end of a reference section by a map of its own.
pub(super) fn rewrite_in_parts(
    text: &str,
    maps: &[BTreeMap<u32, u32>],
    numbering: &mut Numbering,
) -> (String, Report) {
    let [first, others @ ..] = maps else { return rewrite(text, &BTreeMap::new(), numbering) };
    if others.is_empty() {
        return rewrite(text, first, numbering);
    }
    let sections = citations::references(text).sections;
    let mut out = String::with_capacity(text.len());
    let mut rewriter = Rewriter::new(first, numbering);
    let mut done = 0;
    for (section, next) in sections.iter().zip(others) {
        rewriter.push(&text[done..section.end], &mut out);
        rewriter.remap(next);
        done = section.end;
    }
    rewriter.push(&text[done..], &mut out);
    let report = rewriter.finish(&mut out);
    (out, report)
}
