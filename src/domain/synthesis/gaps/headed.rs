//! Parts of a question that a heading names: `cons of remote work` below `## Cons`.

use super::tasks::head;
use super::{COVERED, asked_of, aspect};
use crate::domain::text::language::Grammar;
use crate::domain::text::words::{Lexicon, Term};

/// Of each part, whether a heading has as much of it as a finding must have, or all that it asks for of something, and of no other: one that repeats the whole query tells
/// nothing of its parts.
pub(super) fn headed(
    parts: &[&str],
    headings: &[&str],
    grammar: &Grammar,
    lexicon: &mut Lexicon,
) -> Vec<bool> {
    let asked: Vec<Vec<Term>> = parts.iter().map(|part| asked_of(&grammar.plain(part), lexicon)).collect();
    let heads: Vec<Vec<Term>> = parts.iter().map(|part| head(part, lexicon)).collect();
    let mut is_headed = vec![false; parts.len()];
    for heading in headings {
        let named: Vec<Term> = lexicon.terms(heading).into_iter().map(aspect).collect();
        let has_most = |terms: &Vec<Term>| {
            let common = terms.iter().filter(|term| named.contains(term)).count();
            !terms.is_empty() && common as f64 >= COVERED * terms.len() as f64
        };
        let has_all = |terms: &Vec<Term>| !terms.is_empty() && terms.iter().all(|term| named.contains(term));
        let is_about = |at: &usize| has_most(&asked[*at]) || has_all(&heads[*at]);
        let mut about = (0..parts.len()).filter(is_about);
        if let (Some(only), None) = (about.next(), about.next()) {
            is_headed[only] = true;
        }
    }
    is_headed
}
