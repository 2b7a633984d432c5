//! Parts of a question that a heading names: `cons of remote work` below `## Cons`.

use super::parts::asked as asked_as;
use super::tasks::head;
use super::{COVERED, asked_of, aspect};
use crate::domain::text::language::Grammar;
use crate::domain::text::words::{Lexicon, Term};

/// Of each part, whether a heading has as much of it as a finding must have, or all that it asks for of something, and of no other: one that repeats the whole query tells
/// nothing of its parts. Of one that asks who or why a heading must name all: what somebody does with it isn't told below `## Leave`.
pub(super) fn headed(
    (query, parts): (&str, &[&str]),
    headings: &[&str],
    grammar: &Grammar,
    lexicon: &mut Lexicon,
) -> Vec<bool> {
    let asked: Vec<Vec<Term>> = parts.iter().map(|part| asked_of(&grammar.plain(part), lexicon)).collect();
    let heads: Vec<Vec<Term>> = parts.iter().map(|part| head(part, lexicon)).collect();
    let is_of_somebody: Vec<bool> = parts.iter().map(|part| asks_who_or_why(query, part)).collect();
    let mut is_headed = vec![false; parts.len()];
    for heading in headings {
        let named: Vec<Term> = lexicon.terms(heading).into_iter().map(aspect).collect();
        let has_most = |terms: &Vec<Term>| {
            let common = terms.iter().filter(|term| named.contains(term)).count();
            !terms.is_empty() && common as f64 >= COVERED * terms.len() as f64
        };
        let has_all = |terms: &Vec<Term>| !terms.is_empty() && terms.iter().all(|term| named.contains(term));
        let is_about = |at: &usize| {
            let is_named = has_all(&heads[*at]);
            has_all(&asked[*at]) || !is_of_somebody[*at] && (is_named || has_most(&asked[*at]))
        };
        let mut about = (0..parts.len()).filter(is_about);
        if let (Some(only), None) = (about.next(), about.next()) {
            is_headed[only] = true;
        }
    }
    is_headed
}

/// Whether a part asks who does something, or why.
pub(super) fn asks_who_or_why(query: &str, part: &str) -> bool {
    const ASKS: [&str; 8] = ["who ", "why ", "wer ", "warum ", "qui ", "pourquoi ", "quién ", "por qué "];
    let asked = asked_as(query, part);
    let begins = |word: &str| asked.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
    ASKS.iter().any(|word| begins(word))
}
