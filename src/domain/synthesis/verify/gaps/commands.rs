//! Gaps that only miss the form that was asked for: `No table was provided.` where the question ends with `Answer in a table.`

use super::is_negation;
use crate::domain::synthesis::gaps::{forms, parts};
use crate::domain::synthesis::verify::connecting::is_connecting;
use crate::domain::text::terms::TermSet;
use crate::domain::text::words::{Lexicon, Term};

/// Whether all that a text misses is named where the question says how to answer, and nowhere else in it.
pub(super) fn misses_form(
    lexicon: &mut Lexicon,
    question: &str,
    text: &str,
    is_lacking: impl Fn(Term) -> bool,
) -> bool {
    let forms = forms(question);
    if forms.is_empty() {
        return false;
    }
    let mut named =
        |clauses: Vec<&str>| clauses.iter().flat_map(|clause| lexicon.terms(clause)).collect::<TermSet>();
    let (forms, asked) = (named(forms), named(parts(question)));
    let words = lexicon.words(text);
    let says = |written: &str| !is_connecting(&written.to_lowercase()) && !is_negation(written);
    let missed =
        words.iter().filter(|word| word.is_content() && says(&text[word.range()]) && !is_lacking(word.term));
    let missed: Vec<Term> = missed.map(|word| word.term).collect();
    !missed.is_empty() && missed.iter().all(|term| forms.contains(term) && !asked.contains(term))
}
