//! A clause stitched together of statements that have nothing to do with each other: `the port opened` of `the bridge opened` and
//! `the port was closed`.
//!
//! Statements belong together where they share a word of the clause, are of one source, or follow each other in one result, as
//! where the second says `it`. A clause must be found in such a group.

use std::collections::BTreeSet;

use super::evidence::Evidence;
use crate::domain::text::words::Term;

/// Sentences that may stand between a name and what is said of it.
const APART_MAX: usize = 2;
/// Sentences beyond which all hangs together somehow.
const STATEMENTS_MAX: usize = 64;
/// Words of a clause before it says something by itself.
const TERMS_MIN: usize = 3;

/// Whether no group of statements of some places has all the words of a clause that these places have.
pub(super) fn is_stitched(evidence: &Evidence<'_>, chosen: &[usize], terms: &[Term]) -> bool {
    let terms: BTreeSet<Term> = terms.iter().copied().collect();
    let mut statements: Vec<Statement<'_>> = Vec::new();
    for place in chosen {
        let Some(index) = evidence.places.get(*place) else { continue };
        for term in &terms {
            for at in index.text.sentences_with(*term) {
                let known = statements.iter_mut().find(|known| (known.place, known.at) == (*place, at));
                match known {
                    Some(known) => drop(known.terms.insert(*term)),
                    None => statements.push(Statement {
                        place: *place,
                        at,
                        said: index.said[at],
                        by: &evidence.said[index.said[at]].by,
                        terms: BTreeSet::from([*term]),
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
    let mut left: Vec<Statement<'_>> = statements;
    if terms.len() < TERMS_MIN {
        return false;
    }
    while let Some(first) = left.pop() {
        let mut group = vec![first];
        while let Some(next) = left.iter().position(|other| group.iter().any(|own| own.belongs_to(other))) {
            group.push(left.swap_remove(next));
        }
        let found: BTreeSet<Term> =
            group.iter().flat_map(|statement| statement.terms.iter().copied()).collect();
        if found == all {
            return false;
        }
    }
    !all.is_empty()
}

/// A sentence of a place, with the words of the clause that it has.
struct Statement<'e> {
    place: usize,
    at: usize,
    /// Its place in all evidence, where the sentences of a result follow each other.
    said: usize,
    by: &'e [&'e str],
    terms: BTreeSet<Term>,
}

impl Statement<'_> {
    fn belongs_to(&self, other: &Self) -> bool {
        let near = self.said.abs_diff(other.said) <= APART_MAX && self.by == other.by;
        self.place == other.place || near || !self.terms.is_disjoint(&other.terms)
    }
}
