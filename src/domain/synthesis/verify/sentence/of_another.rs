//! What one sentence says of one, told of another whom another sentence names: of `Anna Weber leads the audit. Paul Lang wrote the
//! report` a claim makes `Paul Lang leads the audit`.

use std::collections::BTreeSet;

use super::Sentence;
use crate::domain::synthesis::support::Kind;
use crate::domain::synthesis::verify::against::Against;
use crate::domain::synthesis::verify::evidence::Evidence;
use crate::domain::synthesis::verify::reason::{Reason, shown};
use crate::domain::text::words::Term;

/// Words that say something of a subject, from which on they are no chance.
const SAID_MIN: usize = 2;

impl Sentence<'_> {
    pub(super) fn of_another(&self, against: Against<'_, '_>) -> Option<Reason> {
        let (evidence, terms) = (against.evidence, &self.claim.terms);
        let names = names_first(self.text, terms.iter().map(|term| (&term.range, term.term)), evidence)?;
        let (names, rest) = terms.split_at(names);
        if rest.len() < SAID_MIN || rest.iter().any(|term| term.kind == Kind::Name) {
            return None;
        }
        let having = |term: Term| -> BTreeSet<usize> {
            evidence.all.sentences_with(term).filter(|at| against.has(*at)).collect()
        };
        let of_name: BTreeSet<usize> = names.iter().flat_map(|name| having(name.term)).collect();
        let of_rest: Vec<BTreeSet<usize>> = rest.iter().map(|term| having(term.term)).collect();
        // Where a sentence that names it has a word of what is said, it may be said there.
        if of_name.is_empty() || of_rest.iter().any(|having| !having.is_disjoint(&of_name)) {
            return None;
        }
        let mut whole = of_rest[0].iter().filter(|at| of_rest[1..].iter().all(|having| having.contains(at)));
        let of_one = |at: &&usize| {
            let text = evidence.said[**at].text.as_ref();
            let words = evidence.all.words_of(text).unwrap_or_default();
            let content: Vec<_> =
                words.iter().filter(|word| word.is_content()).map(|word| (word.range(), word.term)).collect();
            names_first(text, content.iter().map(|(range, term)| (range, *term)), evidence).is_some()
        };
        let other = whole.find(of_one)?;
        let text = shown(evidence.said[*other].text.as_ref());
        let detail = format!("a name stands where the source has another; the source says: “{text}”");
        Some(Reason::new("names_swapped", detail))
    }
}

/// How many words of the name with which a text begins.
fn names_first<'w>(
    text: &str,
    words: impl Iterator<Item = (&'w std::ops::Range<usize>, Term)>,
    evidence: &Evidence<'_>,
) -> Option<usize> {
    let mut end = 0;
    let mut is_name = false;
    let mut names = 0;
    for (range, term) in words {
        let goes_on = if names == 0 { range.start == 0 } else { text[end..range.start] == *" " };
        if !goes_on || !text[range.clone()].starts_with(char::is_uppercase) {
            break;
        }
        names += 1;
        is_name |= names > 1 || evidence.is_name(term);
        end = range.end;
    }
    is_name.then_some(names)
}
