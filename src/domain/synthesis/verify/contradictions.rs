//! Contradictions of a draft: two sentences that both stand word for word, in different places of the material.

use std::collections::BTreeSet;

use super::Verified;
use super::evidence::Evidence;
use super::plain::cleaned;
use super::sentence::{Sentence, is_verbatim};
use crate::domain::aggregate::result::{Contradiction, ContradictionKind, Statement};
use crate::domain::synthesis::draft::{Draft, DraftContradiction, DraftStatement};
use crate::domain::synthesis::quality::{quotes, spaced};
use crate::domain::text::scripts::is_wide_or_mark;
use crate::domain::text::words::{Kind, Lexicon, Term};

/// Contradictions of a draft that are looked at.
const CONTRADICTIONS_MAX: usize = 20;
/// Characters of a quotation.
const QUOTE_CHARS_MAX: usize = 1_000;
/// What is said of all of them.
const DESCRIPTION: &str = "Two statements that a language model holds against each other.";
/// Words of a quotation, and words that both must share.
const WORDS_MIN: usize = 3;
const SHARED_MIN: usize = 2;

/// Where a quotation stands.
struct Found {
    statement: Statement,
    sources: BTreeSet<u32>,
    /// Which of all sentences it stands in.
    said: usize,
    terms: BTreeSet<Term>,
    /// Whether it is the whole sentence, in place of a part that this takes back.
    is_widened: bool,
}

/// Keeps those that stand.
pub(super) fn verify(lexicon: &mut Lexicon, evidence: &Evidence<'_>, draft: &Draft, verified: &mut Verified) {
    let mut pairs: BTreeSet<[usize; 2]> = BTreeSet::new();
    for (at, item) in draft.contradictions.iter().enumerate() {
        if at >= CONTRADICTIONS_MAX {
            verified.note(format!("Contradictions beyond the first {CONTRADICTIONS_MAX} were left out."));
            break;
        }
        match of(lexicon, evidence, item) {
            Ok((_, places)) if !pairs.insert(places) => {}
            Ok((_, places)) if places.iter().all(|at| is_contested(evidence, *at)) => {}
            Ok((found, _)) => verified.contradictions.push(found),
            Err(why) => verified.note(format!("Contradiction {} of the draft was left out: {why}.", at + 1)),
        }
    }
}

fn is_contested(evidence: &Evidence<'_>, said: usize) -> bool {
    evidence.contested.contains(evidence.said[said].text.as_ref())
}

fn of(
    lexicon: &mut Lexicon,
    evidence: &Evidence<'_>,
    item: &DraftContradiction,
) -> Result<(Contradiction, [usize; 2]), &'static str> {
    let found: Vec<Found> =
        item.statements.iter().take(8).filter_map(|said| find(lexicon, evidence, said)).collect();
    let [one, other, ..] = found.as_slice() else {
        return Err("its statements don't stand word for word in their sources");
    };
    let contained = one.statement.text.contains(&other.statement.text)
        || other.statement.text.contains(&one.statement.text);
    // One that denies the other has its words, too.
    if one.said == other.said || (contained && !one.is_widened && !other.is_widened) {
        return Err("both statements are the same");
    }
    if one.terms.intersection(&other.terms).count() < SHARED_MIN {
        return Err("its statements aren't about the same");
    }
    let mut places = [one.said, other.said];
    places.sort_unstable();
    let contradiction = Contradiction {
        // The model's own would say who is right, or more than the statements.
        description: DESCRIPTION.to_owned(),
        kind: ContradictionKind::Reported,
        statements: vec![one.statement.clone(), other.statement.clone()],
        sources: one.sources.union(&other.sources).copied().collect(),
        suggestion: "Read both sources, and check whether they speak of the same conditions.".to_owned(),
    };
    Ok((contradiction, places))
}

/// Looks a quotation up: in the source that it names, otherwise anywhere.
fn find(lexicon: &mut Lexicon, evidence: &Evidence<'_>, said: &DraftStatement) -> Option<Found> {
    let (text, _) = cleaned(&said.quote, evidence.sources, QUOTE_CHARS_MAX);
    let marks = |c: char| matches!(c, '"' | '“' | '”' | '„' | '«' | '»' | '\'' | '‘' | '’' | ' ');
    let text = text.trim_matches(marks);
    let words = lexicon.words(text);
    if words.len() < WORDS_MIN {
        return None;
    }
    let terms: BTreeSet<Term> = words.iter().filter(|word| word.is_content()).map(|word| word.term).collect();
    let wanted: Vec<Term> = terms.iter().copied().collect();
    let named = said.source_id.and_then(|number| (number as usize).checked_sub(1));
    let holds = |at: &usize| {
        let of = &evidence.said[*at];
        !of.places.is_empty() && contains(&spaced(&of.text), &spaced(text))
    };
    // Number words are known as digits there: a share of the terms is enough to look.
    let candidates = evidence.alike(&wanted, 0.5, 200);
    let standing: Vec<usize> = candidates.into_iter().map(|(at, _)| at).filter(holds).collect();
    let in_named = |at: &usize| named.is_some_and(|named| evidence.said[*at].places.contains(&named));
    let (in_named, elsewhere): (Vec<usize>, Vec<usize>) = standing.into_iter().partition(in_named);
    let quotation = Sentence::read(lexicon, evidence, text);
    let (at, is_widened) = [in_named, elsewhere].iter().find_map(|standing| {
        let is_cut = |at: &usize| quotation.is_cut_out_of(lexicon, evidence, *at);
        let (cut, whole): (Vec<usize>, Vec<usize>) = standing.iter().copied().partition(is_cut);
        whole.first().map(|at| (*at, false)).or_else(|| cut.first().map(|at| (*at, true)))
    })?;
    let of = &evidence.said[at];
    // What the rest of its sentence takes back is delivered with it.
    let text = if is_widened { of.text.as_ref() } else { text };
    if text.chars().count() > QUOTE_CHARS_MAX {
        return None;
    }
    let is_source = |place: &&usize| **place < evidence.sources;
    let sources: Vec<u32> = of.places.iter().filter(is_source).map(|place| *place as u32 + 1).collect();
    let own = named.map(|named| named as u32 + 1).filter(|number| sources.contains(number));
    let statement = Statement {
        text: spaced(text),
        lead_in: None,
        source: own.or(sources.first().copied()),
        subagent: (*of.by.first()?).to_owned(),
    };
    let figures = words.iter().filter(|word| word.kind == Kind::Number);
    let known = |term| of.places.iter().any(|place| evidence.places[*place].text.has(term));
    figures.into_iter().all(|word| known(word.term)).then_some(Found {
        statement,
        sources: sources.into_iter().collect(),
        said: at,
        terms,
        is_widened,
    })
}

/// Whether it stands there with no letter or digit right before or after it.
fn contains(text: &str, wanted: &str) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_wide_or_mark(c));
    text.match_indices(wanted).any(|(at, found)| {
        !is_word(text[..at].chars().next_back()) && !is_word(text[at + found.len()..].chars().next())
    })
}

/// Whether every quotation of a text stands somewhere.
pub(super) fn quotations_stand(lexicon: &mut Lexicon, evidence: &Evidence<'_>, text: &str) -> bool {
    let places: Vec<usize> = (0..evidence.places.len()).collect();
    let asked = spaced(evidence.question());
    quotes(text).into_iter().all(|quote| {
        lexicon.words(quote).len() < 2
            || asked.contains(&spaced(quote))
            || is_verbatim(evidence, quote, &places)
    })
}
