//! A clause stitched together of statements that have nothing to do with each other: `the port opened` of `the bridge opened` and
//! `the port was closed`.
//!
//! Statements belong together where they share a word of the clause; in one source, or following each other in one result, where they
//! share another word that says something, or one says `it`. A clause must be found in such a group.

use std::collections::BTreeSet;

use super::against::Against;
use super::connecting::is_connecting;

use super::meaning::is_light;
use super::scope::tokens;
use crate::domain::text::pronouns::begins_with_pronoun;
use crate::domain::text::words::{Lexicon, Term, Word};

/// Words for what was named before, wherever they stand.
#[rustfmt::skip]
const POINTING: &[&str] = &[
    "it", "its", "he", "his", "him", "she", "her", "they", "their", "them", "who", "which", "er", "sie", "sein", "seine", "ihr", "ihre", "il", "elle", "ils", "elles", "leur", "leurs", "su", "sus", "ella", "suo", "sua", "seu", "его", "её", "их", "он", "она", "они",
];

/// Sentences that may stand between a name and what is said of it.
const APART_MAX: usize = 2;
/// Sentences beyond which all hangs together somehow.
const STATEMENTS_MAX: usize = 64;
/// Words of a clause before it says something by itself.
const TERMS_MIN: usize = 3;

/// Whether no group of statements of some places has all the words of a clause that these places have, each with whether it is said to
/// be known: one such word may be named elsewhere in the same source.
pub(super) fn is_stitched(lexicon: &mut Lexicon, against: Against<'_, '_>, terms: &[(Term, bool)]) -> bool {
    let known: BTreeSet<Term> =
        terms.iter().filter(|(_, is_known)| *is_known).map(|(term, _)| *term).collect();
    let terms: BTreeSet<Term> = terms.iter().map(|(term, _)| *term).collect();
    let mut statements: Vec<Statement<'_>> = Vec::new();
    for place in against.chosen {
        let Some(index) = against.evidence.places.get(*place) else { continue };
        for term in &terms {
            for at in index.text.sentences_with(*term) {
                let known = statements.iter_mut().find(|known| (known.place, known.at) == (*place, at));
                match known {
                    Some(known) => drop(known.terms.insert(*term)),
                    None => statements.push(Statement {
                        place: *place,
                        at,
                        said: index.said[at],
                        by: &against.evidence.said[index.said[at]].by,
                        terms: BTreeSet::from([*term]),
                        all: BTreeSet::new(),
                        points_back: false,
                    }),
                }
                if statements.len() > STATEMENTS_MAX {
                    return false;
                }
            }
        }
    }
    let all: BTreeSet<Term> =
        statements.iter().flat_map(|statement| statement.terms.iter().copied()).collect();
    // Where each is named that is said to be known.
    let named = |statement: &Statement<'_>| -> Vec<(Term, usize)> {
        known.intersection(&statement.terms).map(|term| (*term, statement.place)).collect()
    };
    let named: BTreeSet<(Term, usize)> = statements.iter().flat_map(named).collect();
    let mut left: Vec<Statement<'_>> = statements;
    if terms.len() < TERMS_MIN || left.iter().any(|statement| statement.terms == all) {
        return false;
    }
    for statement in &mut left {
        let text = against.evidence.said[statement.said].text.as_ref();
        (statement.all, statement.points_back) = (telling(lexicon, text), points_back(text));
    }
    while let Some(first) = left.pop() {
        let mut group = vec![first];
        while let Some(next) = left.iter().position(|other| group.iter().any(|own| own.belongs_to(other))) {
            group.push(left.swap_remove(next));
        }
        let found: BTreeSet<Term> =
            group.iter().flat_map(|statement| statement.terms.iter().copied()).collect();
        let mut lacking = all.difference(&found);
        let is_known = |term: &Term| group.iter().any(|own| named.contains(&(*term, own.place)));
        if lacking.next().is_none_or(is_known) && lacking.next().is_none() {
            return false;
        }
    }
    !all.is_empty()
}

/// The words of a text that say something.
fn telling(lexicon: &mut Lexicon, text: &str) -> BTreeSet<Term> {
    let words = lexicon.words(text);
    let says = |word: &&Word| {
        let written = text[word.range()].to_lowercase();
        word.is_content() && !is_light(&written) && !is_connecting(&written)
    };
    words.iter().filter(says).map(|word| word.term).collect()
}

/// Whether a text speaks of what was named before it.
fn points_back(text: &str) -> bool {
    begins_with_pronoun(text) || tokens(text).any(|(_, word)| POINTING.contains(&word.as_str()))
}

/// A sentence of a place, with the words of the clause that it has.
struct Statement<'e> {
    place: usize,
    at: usize,
    /// Its place in all evidence, where the sentences of a result follow each other.
    said: usize,
    by: &'e [&'e str],
    terms: BTreeSet<Term>,
    /// All of its words that say something.
    all: BTreeSet<Term>,
    /// Whether it has a word for what was named before.
    points_back: bool,
}

impl Statement<'_> {
    fn belongs_to(&self, other: &Self) -> bool {
        let apart = self.said.abs_diff(other.said);
        let near = apart <= APART_MAX && self.by == other.by;
        let points =
            self.points_back && other.points_back || (near && (self.points_back || other.points_back));
        let is_linked = || points || !self.all.is_disjoint(&other.all);
        !self.terms.is_disjoint(&other.terms) || ((self.place == other.place || near) && is_linked())
    }
}
