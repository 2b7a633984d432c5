//! What the synthesis has of the results and of the query, and how it reads.

use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::BTreeMap;

use self::read::Read;
use super::{Examined, Issue, Scores, share, shown};
use crate::domain::synthesis::gaps::aspect;
use crate::domain::text::figures::{Bound, Unit, Value, figures};
use crate::domain::text::language::Grammar;
use crate::domain::text::polarity;
use crate::domain::text::terms::{PairSet, TermMap, TermSet};
use crate::domain::text::words::{Kind, Lexicon, Term, Word};

mod fragments;
mod read;

/// Terms that a result is known by.
const SALIENT_MAX: usize = 20;
/// Less of a result is worth a note.
const COVERAGE_NOTED_BELOW: f64 = 0.2;
/// What asks for a number, which is an answer to it, or for a text.
#[rustfmt::skip]
const ASKING: [&str; 29] = [
    "many", "much", "often", "explain", "summarize", "summarise", "describe", "compare", "tell", "give", "provide", "long", "far", "known", "happened", "happen", "need", "needed", "take", "takes", "use", "most", "best", "maximum", "minimum", "time", "mean", "means", "list",
];
/// A sentence is a result's where the result has at least this share of its terms.
const ATTRIBUTED_MIN: f64 = 0.5;

/// Fills in coverage, balance, density, coherence, completeness and redundancy.
/// `words` are those of each sentence.
pub fn measure(
    lexicon: &mut Lexicon,
    (examined, words): (&Examined<'_>, &[Cow<'_, [Word]>]),
    scores: &mut Scores,
) {
    let sentences: Vec<Read> = words.iter().map(|words| Read::of(words)).collect();
    let results = examined.results.iter();
    let counted: Vec<TermMap<u32>> = results.map(|(_, words)| occurrences(words)).collect();
    let mut said = TermSet::default();
    said.reserve(sentences.iter().map(|read| read.terms.len()).sum());
    said.extend(sentences.iter().flat_map(|read| &read.terms));
    coverage(examined, &counted, &said, scores);
    scores.balance = balance(examined, &sentences, &counted);
    let quoted = fragments::measure(&sentences, &examined.results);
    (scores.extractive_coverage, scores.density) = quoted.unzip();
    scores.coherence = coherence(&sentences);
    completeness(lexicon, examined, &said, scores);
    redundancy(examined, (&sentences, words), scores);
}

/// How often each term that says something occurs.
fn occurrences(words: &[Word]) -> TermMap<u32> {
    let mut occurrences = TermMap::with_capacity_and_hasher(words.len() / 2, Default::default());
    for word in words.iter().filter(|word| word.is_content()) {
        *occurrences.entry(word.term).or_insert(0) += 1;
    }
    occurrences
}

/// How often each term occurs, by term: sums run in this order.
fn counted(terms: &[Term]) -> Vec<(Term, f64)> {
    let mut sorted = terms.to_vec();
    sorted.sort_unstable();
    let mut counted = Vec::with_capacity(sorted.len());
    counted.extend(sorted.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as f64)));
    counted
}

fn coverage(examined: &Examined<'_>, results: &[TermMap<u32>], said: &TermSet, scores: &mut Scores) {
    let mut having: TermMap<u32> = TermMap::default();
    having.reserve(results.iter().map(TermMap::len).max().unwrap_or_default());
    for term in results.iter().flat_map(TermMap::keys) {
        *having.entry(*term).or_default() += 1;
    }
    for ((name, _), terms) in examined.results.iter().zip(results) {
        let salient = salient(terms, &having, results.len());
        let all: f64 = salient.iter().map(|(_, weight)| weight).sum();
        let found: f64 =
            salient.iter().filter(|(term, _)| said.contains(term)).map(|(_, weight)| weight).sum();
        if all <= 0.0 {
            continue; // it has nothing that could be covered
        }
        // The sum of nothing is a negative zero: adding zero makes it none.
        let covered = found / all + 0.0;
        if covered < COVERAGE_NOTED_BELOW {
            let text = format!("{:.0} % of what is salient in {name} appears", 100.0 * covered);
            scores.issues.push(Issue { code: "result_not_covered", text });
        }
        scores.per_result_coverage.push(((*name).to_owned(), covered));
    }
    let sum: f64 = scores.per_result_coverage.iter().map(|(_, covered)| covered).sum();
    let measured = scores.per_result_coverage.len();
    scores.coverage = (measured > 0).then(|| sum / measured as f64);
}

/// The terms with the highest tf·idf, and theirs: idf `ln(1 + N / n)` over the results. Of equals the smaller hash, so that
/// the order of the table isn't seen.
fn salient(terms: &TermMap<u32>, having: &TermMap<u32>, results: usize) -> Vec<(Term, f64)> {
    let idf = |having: u32| (1.0 + results as f64 / f64::from(having)).ln();
    // Few results have few different frequencies.
    let known: Vec<f64> = (0..=results.min(64) as u32).map(idf).collect();
    let weight = |term: &Term| {
        let having = having.get(term).copied().unwrap_or(1);
        known.get(having as usize).copied().unwrap_or_else(|| idf(having))
    };
    let mut weighted: Vec<(Term, f64)> =
        terms.iter().map(|(term, count)| (*term, f64::from(*count) * weight(term))).collect();
    let order = |a: &(Term, f64), b: &(Term, f64)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
    if weighted.len() > SALIENT_MAX {
        weighted.select_nth_unstable_by(SALIENT_MAX, order);
        weighted.truncate(SALIENT_MAX);
    }
    weighted.sort_unstable_by(order);
    weighted
}

fn balance(examined: &Examined<'_>, sentences: &[Read], results: &[TermMap<u32>]) -> Option<f64> {
    if results.len() < 2 {
        return None;
    }
    let mut counts = vec![0.0; results.len()];
    for (sentence, read) in examined.sentences.iter().zip(sentences) {
        let named: Vec<usize> =
            sentence.contributors.iter().copied().filter(|&of| of < results.len()).collect();
        let owners = if named.is_empty() { attributed(&read.terms, results) } else { named };
        let part = 1.0 / owners.len().max(1) as f64;
        for owner in owners {
            counts[owner] += part;
        }
    }
    let total: f64 = counts.iter().sum();
    if total <= 0.0 {
        return Some(0.0);
    }
    let parts = counts.iter().map(|count| count / total).filter(|&part| part > 0.0);
    let entropy: f64 = parts.map(|part| -part * part.ln()).sum();
    Some((entropy / (results.len() as f64).ln()).clamp(0.0, 1.0))
}

/// The results that have most of a sentence's terms: all of equals, none where none has half.
fn attributed(terms: &[Term], results: &[TermMap<u32>]) -> Vec<usize> {
    let shared = |known: &TermMap<u32>| terms.iter().filter(|term| known.contains_key(term)).count();
    let shares: Vec<usize> = results.iter().map(shared).collect();
    let most = shares.iter().copied().max().unwrap_or_default();
    if most == 0 || share(most, terms.len()) < Some(ATTRIBUTED_MIN) {
        return Vec::new();
    }
    (0..results.len()).filter(|&result| shares[result] == most).collect()
}

/// The mean cosine of neighbours; a single sentence has none.
fn coherence(sentences: &[Read]) -> Option<f64> {
    let stating = sentences.iter().filter(|read| !read.terms.is_empty());
    let counts: Vec<Vec<(Term, f64)>> = stating.map(|read| counted(&read.terms)).collect();
    if counts.len() < 2 {
        return None;
    }
    let norm = |counts: &[(Term, f64)]| counts.iter().map(|(_, count)| count * count).sum::<f64>().sqrt();
    let norms: Vec<f64> = counts.iter().map(|counts| norm(counts)).collect();
    let product = |a: &[(Term, f64)], b: &[(Term, f64)]| {
        let of = |term: &Term| b.binary_search_by_key(term, |other| other.0).map_or(0.0, |at| b[at].1);
        a.iter().map(|(term, count)| count * of(term)).sum::<f64>()
    };
    let cosine = |at: usize| product(&counts[at], &counts[at + 1]) / (norms[at] * norms[at + 1]);
    let sum: f64 = (0..counts.len() - 1).map(cosine).sum();
    Some((sum / (counts.len() - 1) as f64).clamp(0.0, 1.0))
}

fn completeness(lexicon: &mut Lexicon, examined: &Examined<'_>, said: &TermSet, scores: &mut Scores) {
    let mut seen = TermSet::default();
    let plain = Grammar::of(examined.query).plain(examined.query);
    let words = lexicon.words(&plain);
    let asks = |word: &Word| ASKING.iter().any(|other| plain[word.range()].eq_ignore_ascii_case(other));
    let is_asked = |word: &&Word| word.is_content() && !asks(word) && seen.insert(word.term);
    let asked: Vec<_> = words.iter().filter(is_asked).collect();
    // What stands alone in a question is one of neighbours in a sentence: the `年` of `2023年的收入`.
    let is_within = |word: &Word| {
        let written = &plain[word.range()];
        word.kind == Kind::Cjk
            && written.chars().count() == 1
            && examined.sentences.iter().any(|sentence| sentence.text.contains(written))
    };
    // `error_rate` is one word, and says something of an error rate.
    let named: Vec<&str> =
        examined.sentences.iter().map(|sentence| sentence.text).filter(|text| text.contains('_')).collect();
    let is_named = |word: &Word| {
        let is_it = |part: &str| part.eq_ignore_ascii_case(&plain[word.range()]);
        named.iter().any(|text| text.split(|c: char| !c.is_alphanumeric()).any(is_it))
    };
    // `What does it cost?` is answered by a price.
    let is_told = |word: &Word| {
        let asked = aspect(word.term);
        said.contains(&word.term) || asked != word.term && said.iter().any(|term| aspect(*term) == asked)
    };
    let is_missing = |word: &Word| !is_told(word) && !is_within(word) && !is_named(word);
    let missing = asked.iter().filter(|word| is_missing(word));
    let missing: Vec<&Word> = missing.copied().collect();
    scores.completeness = share(asked.len() - missing.len(), asked.len());
    let mut missing = joined(examined.query, &missing);
    missing.dedup();
    if !missing.is_empty() {
        let text = format!("of the query nothing is said about: {}", shown(&missing.join(", ")));
        scores.issues.push(Issue { code: "query_not_answered", text });
    }
}

/// Words as they are written, pairs of Chinese characters that overlap as the run that they cover.
fn joined<'q>(query: &'q str, words: &[&Word]) -> Vec<&'q str> {
    let overlap = |one: &&Word, next: &&Word| {
        one.kind == Kind::Cjk && next.kind == Kind::Cjk && (one.start..one.end).contains(&next.start)
    };
    let runs = words.chunk_by(overlap);
    runs.filter_map(|run| match run {
        [word] => Some(written(query, word)),
        [first, .., last] => query.get(first.start..last.end),
        [] => None,
    })
    .collect()
}

/// A word as it is written: the letters of an abbreviation are words of their own.
fn written<'q>(query: &'q str, word: &Word) -> &'q str {
    let is_inside = |at: usize| query.as_bytes().get(at).is_some_and(u8::is_ascii_alphanumeric);
    let Word { mut start, mut end, .. } = *word;
    if end - start == 1 {
        while start > 0 && is_inside(start - 1) {
            start -= 1;
        }
        while is_inside(end) {
            end += 1;
        }
    }
    &query[start..end]
}

fn redundancy(
    examined: &Examined<'_>,
    (sentences, words): (&[Read], &[Cow<'_, [Word]>]),
    scores: &mut Scores,
) {
    // What was affirmed and what was denied: who denies what was said doesn't repeat it.
    let mut said = [PairSet::default(), PairSet::default()];
    let mut all = 0;
    let first_with = LazyCell::new(|| first_with(examined, words));
    for (at, ((sentence, Read { terms, .. }), words)) in
        examined.sentences.iter().zip(sentences).zip(words).enumerate()
    {
        if sentence.again {
            continue;
        }
        let pairs = || terms.windows(2).map(|pair| (pair[0], pair[1]));
        all += pairs().len();
        let alike = &mut said[usize::from(polarity::negates(sentence.text, words))];
        let before = alike.len();
        alike.extend(pairs());
        // A rise by 1.2 points isn't one by 1.2 %.
        let has_new_figure =
            || figures(sentence.text, words).iter().any(|figure| first_with.get(&figure.key()) == Some(&at));
        if terms.len() > 2 && alike.len() == before && !has_new_figure() {
            let text = format!("says nothing that wasn't said before: {}", shown(sentence.text));
            scores.issues.push(Issue { code: "repeated", text });
        }
    }
    let [affirmed, denied] = said;
    let distinct = affirmed.len() + denied.difference(&affirmed).count();
    scores.redundancy = share(distinct, all).map(|distinct| 1.0 - distinct);
}

/// By what figures say, the place of the first sentence that has one.
fn first_with(
    examined: &Examined<'_>,
    words: &[Cow<'_, [Word]>],
) -> BTreeMap<(Unit, Value, Value, Bound), usize> {
    let mut first = BTreeMap::new();
    for (at, (sentence, words)) in examined.sentences.iter().zip(words).enumerate() {
        for figure in figures(sentence.text, words) {
            first.entry(figure.key()).or_insert(at);
        }
    }
    first
}
