//! What the synthesis has of the results and of the query, and how it reads.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{Examined, Issue, Scores, share, shown};
use crate::domain::text::words::{Lexicon, Term};

/// Terms that a result is known by.
const SALIENT_MAX: usize = 20;
/// Less of a result is worth a note.
const COVERAGE_NOTED_BELOW: f64 = 0.2;
/// A sentence is a result's where the result has at least this share of its terms.
const ATTRIBUTED_MIN: f64 = 0.5;
/// Places of a word that are tried as the beginning of a fragment: keeps the search linear.
const STARTS_MAX: usize = 32;

/// Fills in coverage, balance, density, coherence, completeness and redundancy.
pub fn measure(lexicon: &mut Lexicon, examined: &Examined<'_>, scores: &mut Scores) {
    let sentences: Vec<Vec<Term>> =
        examined.sentences.iter().map(|sentence| lexicon.terms(sentence.text)).collect();
    let results: Vec<Vec<Term>> = examined.results.iter().map(|(_, text)| lexicon.terms(text)).collect();
    let said: HashSet<Term> = sentences.iter().flatten().copied().collect();
    coverage(examined, &results, &said, scores);
    scores.balance = balance(examined, &sentences, &results);
    fragments(lexicon, examined, scores);
    scores.coherence = coherence(&sentences);
    completeness(lexicon, examined, &said, scores);
    redundancy(examined, &sentences, scores);
}

fn coverage(examined: &Examined<'_>, results: &[Vec<Term>], said: &HashSet<Term>, scores: &mut Scores) {
    let mut having: HashMap<Term, u32> = HashMap::new();
    for terms in results {
        for term in terms.iter().collect::<HashSet<_>>() {
            *having.entry(*term).or_default() += 1;
        }
    }
    for ((name, _), terms) in examined.results.iter().zip(results) {
        let salient = salient(terms, &having, results.len());
        let all: f64 = salient.iter().map(|(_, weight)| weight).sum();
        let found: f64 =
            salient.iter().filter(|(term, _)| said.contains(term)).map(|(_, weight)| weight).sum();
        // The sum of nothing is a negative zero: adding zero makes it none.
        let covered = if all > 0.0 { found / all + 0.0 } else { 1.0 };
        if covered < COVERAGE_NOTED_BELOW {
            let text = format!("{:.0} % of what is salient in {name} appears", 100.0 * covered);
            scores.issues.push(Issue { code: "result_not_covered", text });
        }
        scores.per_result_coverage.push(((*name).to_owned(), covered));
    }
    let sum: f64 = scores.per_result_coverage.iter().map(|(_, covered)| covered).sum();
    scores.coverage = if results.is_empty() { 1.0 } else { sum / results.len() as f64 };
}

/// The terms with the highest tf·idf, and theirs: idf `ln(1 + N / n)` over the results. Of equals the smaller hash.
fn salient(terms: &[Term], having: &HashMap<Term, u32>, results: usize) -> Vec<(Term, f64)> {
    let mut counts: BTreeMap<Term, f64> = BTreeMap::new();
    for term in terms {
        *counts.entry(*term).or_default() += 1.0;
    }
    let idf = |term: &Term| (1.0 + results as f64 / f64::from(having.get(term).copied().unwrap_or(1))).ln();
    let mut weighted: Vec<(Term, f64)> =
        counts.iter().map(|(term, count)| (*term, count * idf(term))).collect();
    weighted.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    weighted.truncate(SALIENT_MAX);
    weighted
}

fn balance(examined: &Examined<'_>, sentences: &[Vec<Term>], results: &[Vec<Term>]) -> f64 {
    if results.len() < 2 {
        return 1.0;
    }
    let known: Vec<HashSet<Term>> = results.iter().map(|terms| terms.iter().copied().collect()).collect();
    let mut counts = vec![0.0; results.len()];
    for (sentence, terms) in examined.sentences.iter().zip(sentences) {
        let named: Vec<usize> =
            sentence.contributors.iter().copied().filter(|&of| of < results.len()).collect();
        let owners = if named.is_empty() { attributed(terms, &known) } else { named };
        let part = 1.0 / owners.len().max(1) as f64;
        for owner in owners {
            counts[owner] += part;
        }
    }
    let total: f64 = counts.iter().sum();
    if total <= 0.0 {
        return 0.0;
    }
    let parts = counts.iter().map(|count| count / total).filter(|&part| part > 0.0);
    let entropy: f64 = parts.map(|part| -part * part.ln()).sum();
    (entropy / (results.len() as f64).ln()).clamp(0.0, 1.0)
}

/// The results that have most of a sentence's terms: all of equals, none where none has half.
fn attributed(terms: &[Term], results: &[HashSet<Term>]) -> Vec<usize> {
    let shared = |known: &HashSet<Term>| terms.iter().filter(|term| known.contains(term)).count();
    let shares: Vec<usize> = results.iter().map(shared).collect();
    let most = shares.iter().copied().max().unwrap_or_default();
    if most == 0 || share(most, terms.len()) < ATTRIBUTED_MIN {
        return Vec::new();
    }
    (0..results.len()).filter(|&result| shares[result] == most).collect()
}

/// Extractive fragments: what the synthesis shares with the results word by word, found greedily from left to right
/// (Grusky et al. 2018, figure 3).
fn fragments(lexicon: &mut Lexicon, examined: &Examined<'_>, scores: &mut Scores) {
    let mut words = |text: &str| lexicon.words(text).into_iter().map(|word| word.term).collect::<Vec<Term>>();
    let summary: Vec<Term> = examined.sentences.iter().flat_map(|sentence| words(sentence.text)).collect();
    let source: Vec<Term> = examined.results.iter().flat_map(|(_, text)| words(text)).collect();
    let mut starts: HashMap<[Term; 2], Vec<usize>> = HashMap::new();
    for (at, pair) in source.windows(2).enumerate() {
        let places = starts.entry([pair[0], pair[1]]).or_default();
        if places.len() < STARTS_MAX {
            places.push(at);
        }
    }
    let single: HashSet<Term> = source.iter().copied().collect();
    let (mut at, mut covered, mut squared) = (0, 0.0, 0.0);
    while at < summary.len() {
        let pair = summary.get(at..at + 2).map(|pair| [pair[0], pair[1]]);
        let places = pair.and_then(|pair| starts.get(&pair)).map_or(&[][..], Vec::as_slice);
        let common =
            |start: usize| source[start..].iter().zip(&summary[at..]).take_while(|(a, b)| a == b).count();
        let longest = places.iter().map(|&start| common(start)).max();
        let length = longest.unwrap_or(usize::from(single.contains(&summary[at])));
        covered += length as f64;
        squared += (length * length) as f64;
        at += length.max(1);
    }
    let words = summary.len().max(1) as f64;
    (scores.extractive_coverage, scores.density) = (covered / words, squared / words);
}

/// The mean cosine of neighbours; 1 for a single sentence.
fn coherence(sentences: &[Vec<Term>]) -> f64 {
    let counted = |terms: &Vec<Term>| {
        let mut counts: BTreeMap<Term, f64> = BTreeMap::new();
        for term in terms {
            *counts.entry(*term).or_default() += 1.0;
        }
        counts
    };
    let counts: Vec<_> = sentences.iter().filter(|terms| !terms.is_empty()).map(counted).collect();
    if counts.len() < 2 {
        return 1.0;
    }
    let norm = |counts: &BTreeMap<Term, f64>| counts.values().map(|count| count * count).sum::<f64>().sqrt();
    let cosine = |a: &BTreeMap<Term, f64>, b: &BTreeMap<Term, f64>| {
        let product: f64 =
            a.iter().map(|(term, count)| count * b.get(term).copied().unwrap_or_default()).sum();
        product / (norm(a) * norm(b))
    };
    let sum: f64 = counts.windows(2).map(|pair| cosine(&pair[0], &pair[1])).sum();
    (sum / (counts.len() - 1) as f64).clamp(0.0, 1.0)
}

fn completeness(lexicon: &mut Lexicon, examined: &Examined<'_>, said: &HashSet<Term>, scores: &mut Scores) {
    let mut seen = HashSet::new();
    let words = lexicon.words(examined.query);
    let asked: Vec<_> = words.iter().filter(|word| word.is_content() && seen.insert(word.term)).collect();
    let missing: Vec<&str> = asked
        .iter()
        .filter(|word| !said.contains(&word.term))
        .map(|word| &examined.query[word.range()])
        .collect();
    scores.completeness = share(asked.len() - missing.len(), asked.len());
    if !missing.is_empty() {
        let text = format!("of the query nothing is said about: {}", shown(&missing.join(", ")));
        scores.issues.push(Issue { code: "query_not_answered", text });
    }
}

fn redundancy(examined: &Examined<'_>, sentences: &[Vec<Term>], scores: &mut Scores) {
    let mut seen: HashSet<[Term; 2]> = HashSet::new();
    let mut all = 0;
    for (sentence, terms) in examined.sentences.iter().zip(sentences) {
        let before = seen.len();
        let pairs = terms.windows(2);
        all += pairs.len();
        seen.extend(pairs.map(|pair| [pair[0], pair[1]]));
        if terms.len() > 2 && seen.len() == before {
            let text = format!("says nothing that wasn't said before: {}", shown(sentence.text));
            scores.issues.push(Issue { code: "repeated", text });
        }
    }
    scores.redundancy = 1.0 - share(seen.len(), all);
}
