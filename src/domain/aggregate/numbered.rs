//! The texts of the results with one numbering, and the sources behind it.
//!
//! A result cites by numbers of its own. Here every text gets the same numbers, those of the *draft*: 1, 2, 3, … in the
//! order of the tasks' ids. When the synthesis is written, [`Numbered::renumber`] gives the final ones, by first use.

use std::collections::{BTreeMap, BTreeSet};

use super::gather::Kept;
use super::input::TaskInput;
use super::sources::{NumberedSources, SourceKey, SourceRegistry};
use crate::domain::synthesis::citations::{Numbering, rewrite};
use crate::domain::synthesis::claims::{Mark, Site};

mod author_years;
mod closing;
mod declared_list;
mod from_zero;
mod guarded;
mod in_parentheses;
mod json_text;
mod labels;
mod named;
mod raised;
mod references;
mod take_in;
#[cfg(test)]
mod tests;

use take_in::take_in;

/// A result's text in the draft's numbers.
#[derive(Debug)]
pub(super) struct Text {
    pub content: String,
    /// Its citation markers.
    pub marks: Vec<Mark>,
    /// The draft's numbers of what it cites or names, ascending.
    pub sources: Vec<u32>,
    /// The sources that it names besides those that it shows the address of, where there is just one, or it cites nothing at
    /// all; ascending.
    pub named: Vec<u32>,
    /// The only one, where its address stands at the end of the text for all of it.
    pub closing: Option<u32>,
    /// What was odd about its citations.
    pub notes: Vec<String>,
}

impl Text {
    /// With more markers, at places in their order.
    fn with(&self, markers: &[(usize, Vec<u32>)]) -> Self {
        let (mut content, mut marks) = (String::with_capacity(self.content.len()), Vec::new());
        let (mut done, mut own) = (0, self.marks.iter().peekable());
        for (at, sources) in markers {
            let at = *at;
            while let Some(mark) = own.next_if(|mark| mark.range.start < at) {
                let start = content.len() + mark.range.start - done;
                marks.push(Mark { range: start..start + mark.range.len(), source: mark.source });
            }
            content.push_str(&self.content[done..at]);
            done = at;
            content.push(' ');
            for source in sources {
                let marker = format!("[{source}]");
                marks.push(Mark {
                    range: content.len()..content.len() + marker.len(),
                    source: *source as usize,
                });
                content.push_str(&marker);
            }
        }
        let moved = content.len() - done;
        let rest = own.map(|mark| Mark {
            range: mark.range.start + moved..mark.range.end + moved,
            source: mark.source,
        });
        marks.extend(rest);
        content.push_str(&self.content[done..]);
        Self {
            content,
            marks,
            sources: self.sources.clone(),
            named: self.named.clone(),
            closing: self.closing,
            notes: self.notes.clone(),
        }
    }
}

/// The sources of all texts.
#[derive(Debug)]
pub(super) struct Numbered<'k> {
    registry: SourceRegistry,
    draft: Numbering,
    last: Numbering,
    /// What each of the draft's numbers stands for.
    map: BTreeMap<u32, u32>,
    /// Excerpts by the key of their source.
    excerpts: Vec<(u32, &'k str)>,
}

impl<'k> Numbered<'k> {
    /// Takes in the sources of all results, and rewrites their texts. Those of who brought nothing else are kept, unused.
    pub(super) fn new(kept: &'k [Kept], unusable: &[TaskInput]) -> (Self, Vec<Text>) {
        let (mut registry, mut draft, mut excerpts) =
            (SourceRegistry::default(), Numbering::new(), Vec::new());
        let mut order: Vec<usize> = (0..kept.len()).collect();
        order.sort_by(|&a, &b| {
            let key =
                |at: usize| (&kept[at].input.task_id, &kept[at].input.subagent, &kept[at].input.content);
            key(a).cmp(&key(b))
        });
        let mut texts: BTreeMap<usize, Text> = BTreeMap::new();
        for at in order {
            texts.insert(at, take_in(&kept[at], &mut registry, &mut draft, &mut excerpts));
        }
        for TaskInput { sources, subagent, .. } in unusable {
            for source in sources {
                registry.add(source, subagent);
            }
        }
        let map = (1..).zip(draft.sources()).map(|(number, source)| (number, *source)).collect();
        let numbered = Self { registry, draft, last: Numbering::new(), map, excerpts };
        (numbered, texts.into_values().collect())
    }

    /// The registrable domain behind one of the draft's numbers; what has none is known by its number.
    pub(super) fn domain(&self, number: u32) -> String {
        let key = self.map.get(&number).map(|key| SourceKey(*key));
        let domain = key.and_then(|key| self.registry.domain(key));
        domain.map_or_else(|| format!("source {number}"), str::to_owned)
    }

    /// Where the source behind one of the draft's numbers stands, and how good it is.
    pub(super) fn site(&self, number: u32) -> Site {
        let key = self.map.get(&number).map(|key| SourceKey(*key));
        Site { domain: self.domain(number), quality: key.and_then(|key| self.registry.quality(key)) }
    }

    /// Whether one of the draft's numbers stands for what is called so, in small letters.
    pub(super) fn is_called(&self, number: u32, name: &str) -> bool {
        let key = self.map.get(&number).map(|key| SourceKey(*key));
        let has_word =
            |own: &str| own.split(|c: char| !c.is_alphabetic()).any(|word| word.to_lowercase() == name);
        key.is_some_and(|key| self.registry.names(key).any(has_word))
    }

    /// The draft's number of the source with an address, where it is one.
    pub(super) fn draft_of(&self, url: &str) -> Option<usize> {
        self.draft.get(self.registry.of_url(url)?.0).map(|number| number as usize)
    }

    /// The excerpts of each of the draft's sources, by number from 1.
    pub(super) fn excerpts(&self) -> Vec<Vec<&'k str>> {
        let mut excerpts = vec![Vec::new(); self.draft.sources().len()];
        for (key, excerpt) in &self.excerpts {
            if let Some(number) = self.draft.get(*key) {
                excerpts[number as usize - 1].push(*excerpt);
            }
        }
        excerpts
    }

    /// A text with the final numbers, which go by first use over all texts that this is called for.
    pub(super) fn renumber(&mut self, text: &str) -> String {
        if memchr::memchr(b'[', text.as_bytes()).is_none() {
            return text.to_owned();
        }
        rewrite(text, &self.map, &mut self.last).0
    }

    /// The text of a result with the final numbers: its citations are known by their places, all else stays as it is.
    pub(super) fn renumber_marks(&mut self, Text { content, marks, .. }: &Text) -> String {
        let (mut out, mut done) = (String::with_capacity(content.len()), 0);
        for Mark { range, source } in marks.iter().filter(|mark| mark.range.end <= content.len()) {
            let written = &content[range.clone()];
            let digits = written.trim_start_matches('[').trim_end_matches(']');
            let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
            let number = self.map.get(&(*source as u32)).map(|key| self.last.number_of(*key));
            if let Some(number) = number.filter(|_| is_number) {
                let start = range.start + usize::from(written.starts_with('['));
                out.push_str(&content[done..start]);
                out.push_str(itoa::Buffer::new().format(number));
                done = start + digits.len();
            }
        }
        out + &content[done..]
    }

    /// The same with markers at places where it has none.
    pub(super) fn renumber_with(&mut self, text: &Text, markers: &[(usize, Vec<u32>)]) -> String {
        if markers.is_empty() {
            return self.renumber_marks(text);
        }
        self.renumber_marks(&text.with(markers))
    }

    /// The final numbers of some of the draft's.
    pub(super) fn finals(&mut self, numbers: &[u32]) -> Vec<u32> {
        let keys: Vec<u32> = numbers.iter().filter_map(|number| self.map.get(number).copied()).collect();
        keys.into_iter().map(|key| self.last.number_of(key)).collect()
    }

    /// The sources behind final numbers.
    pub(super) fn behind<'n>(
        &self,
        numbers: impl Iterator<Item = &'n u32>,
    ) -> impl Iterator<Item = SourceKey> {
        let sources = self.last.sources();
        numbers.filter_map(|number| Some(SourceKey(*sources.get((*number as usize).checked_sub(1)?)?)))
    }

    /// The sources that have a final number so far.
    pub(super) fn used(&self) -> BTreeSet<SourceKey> {
        self.last.sources().iter().map(|key| SourceKey(*key)).collect()
    }

    /// All sources by their final numbers.
    pub(super) fn into_sources(self, used: &BTreeSet<SourceKey>) -> NumberedSources {
        let numbered: Vec<SourceKey> = self.last.sources().iter().map(|key| SourceKey(*key)).collect();
        self.registry.into_sources(&numbered, used)
    }
}
