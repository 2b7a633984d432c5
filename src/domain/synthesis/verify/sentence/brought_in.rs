//! What a claim brings into what it was made from: a verb of which nothing is said, a name out of another story.

use super::Sentence;
use crate::domain::synthesis::support::{self, Kind, NUMBERS};
use crate::domain::synthesis::verify::Evidence;
use crate::domain::synthesis::verify::connecting::is_connecting;
use crate::domain::synthesis::verify::reason::{Reason, named, shown, verb};
use crate::domain::text::language::is_english;
use crate::domain::text::words::{self, Term};

/// Sentences after one that names something, in which it may be meant without its name.
const MEANT_WITHIN: usize = 2;

impl Sentence<'_> {
    /// English words in small letters say what is done; where what is cited has none of them, it says something else.
    pub(super) fn says_nothing_of(
        &self,
        texts: &[&support::Evidence<'_>],
        evidence: &Evidence<'_>,
        chosen: &[usize],
    ) -> Option<Reason> {
        let written = |word: &&words::Word| &self.text[word.range()];
        let small = |word: &&words::Word| {
            word.kind == words::Kind::Content
                && written(word).starts_with(|c: char| c.is_ascii_lowercase())
                && !is_connecting(written(word))
        };
        let saying: Vec<&words::Word> = self.words.iter().filter(small).collect();
        let is_said = |word: &words::Word| texts.iter().any(|text| text.has(NUMBERS.normal(word).0));
        if saying.is_empty() || saying.iter().any(|word| is_said(word)) || !is_english(self.whole) {
            return None;
        }
        let (sources, says) = (named(chosen, evidence.sources), verb(chosen, "says", "say"));
        Some(Reason::new("unsupported", format!("{sources} {says} nothing of “{}”", written(&saying[0]))))
    }

    /// A name behind the first one, of which nothing else of the claim is said.
    pub(super) fn name_of_another_story(&self, evidence: &Evidence<'_>, chosen: &[usize]) -> Option<Reason> {
        let terms = &self.claim.terms;
        let is_name = |at: &usize| terms[*at].kind == Kind::Name;
        let is_first = |at: &usize| {
            is_name(at) || (*at == 0 && self.text[terms[0].range.clone()].starts_with(char::is_uppercase))
        };
        let first = (0..terms.len()).find(is_first)?;
        // A name of several words is one.
        let run = |from: usize| {
            let joined = |at: &usize| {
                *at == from
                    || (is_name(at)
                        && self.text[terms[at - 1].range.end..terms[*at].range.start].trim().is_empty())
            };
            (from..terms.len()).take_while(joined).last().map_or(from, |last| last) + 1
        };
        let mut at = run(first);
        while let Some(from) = (at..terms.len()).find(is_name) {
            let end = run(from);
            at = end;
            let name: Vec<Term> = terms[from..end].iter().map(|term| term.term).collect();
            let others: Vec<Term> = terms[..from].iter().chain(&terms[end..]).map(|term| term.term).collect();
            if !others.is_empty() && !self.is_told_with(evidence, chosen, &name, &others) {
                let written = &self.text[terms[from].range.start..terms[end - 1].range.end];
                let detail =
                    format!("what {} of “{}” is something else", said_by(chosen, evidence), shown(written));
                return Some(Reason::new("names_swapped", detail));
            }
        }
        None
    }

    /// Whether a sentence that has a name, or one soon after it, has something else of a claim.
    fn is_told_with(
        &self,
        evidence: &Evidence<'_>,
        chosen: &[usize],
        name: &[Term],
        others: &[Term],
    ) -> bool {
        let places = chosen.iter().filter_map(|place| evidence.places.get(*place));
        places.into_iter().any(|index| {
            let has = |at: usize, of: &[Term]| {
                of.iter().any(|term| index.text.sentences_with(*term).any(|with| with == at))
            };
            let named = name.iter().flat_map(|term| index.text.sentences_with(*term));
            named.into_iter().any(|at| (at..=at + MEANT_WITHIN).any(|near| has(near, others)))
        })
    }
}

fn said_by(chosen: &[usize], evidence: &Evidence<'_>) -> String {
    format!("{} {}", named(chosen, evidence.sources), verb(chosen, "says", "say"))
}
