//! Which terms of a claim each sentence has, as bits, and what can be counted with them.

use super::Place;
use super::claim::Claim;
use super::evidence::Evidence;
use crate::domain::distinct::distinct;

/// A bit for each term of the claim, for each sentence of each evidence.
pub struct Masks {
    masks: Vec<Vec<u128>>,
    /// The union of all.
    found: u128,
    /// Of each term: rare ones weigh more.
    idf: Vec<f64>,
    total: f64,
}

impl Masks {
    /// Looks the claim's terms up. O(terms · log words + sentences).
    pub fn of(claim: &Claim, evidence: &[&Evidence<'_>]) -> Self {
        let mut masks: Vec<Vec<u128>> = evidence.iter().map(|text| vec![0; text.len()]).collect();
        let sentences: usize = evidence.iter().map(|text| text.len()).sum();
        let mut idf = Vec::with_capacity(claim.terms.len());
        for (bit, term) in claim.terms.iter().enumerate() {
            let mut having = 0;
            for (masks, text) in masks.iter_mut().zip(evidence) {
                for sentence in text.sentences_with(term.term) {
                    masks[sentence] |= 1 << bit;
                    having += 1;
                }
            }
            idf.push(inverse_frequency(sentences, having));
        }
        let found = masks.iter().flatten().fold(0, |found, mask| found | mask);
        let total = idf.iter().sum();
        Self { masks, found, idf, total }
    }

    /// Whether any sentence has a term.
    pub fn has(&self, bit: usize) -> bool {
        self.found >> bit & 1 == 1
    }

    /// Share of the pairs of terms that stand together within `window` neighbouring sentences; for a claim of one term
    /// whether it occurs.
    pub fn pairs(&self, window: usize) -> f64 {
        let terms = self.idf.len();
        if terms < 2 {
            return f64::from(self.found.count_ones());
        }
        let seen: Vec<u128> = distinct(self.windows(window));
        let mut together = vec![0_u128; terms];
        for mask in seen {
            for bit in bits(mask) {
                together[bit] |= mask;
            }
        }
        // Each pair is counted from both its ends, each term once with itself.
        let counted: u32 = together.iter().map(|mask| mask.count_ones().saturating_sub(1)).sum();
        f64::from(counted) / (terms * (terms - 1)) as f64
    }

    /// Idf-weighted share of the terms in the best `window` neighbouring sentences.
    pub fn passage(&self, window: usize) -> f64 {
        self.windows(window).map(|mask| self.weigh(mask)).fold(0.0, f64::max)
    }

    /// Idf-weighted share of the terms in one sentence.
    pub fn share(&self, place: Place) -> f64 {
        self.weigh(self.masks[place.evidence][place.sentence])
    }

    /// Sentences that have every term.
    pub fn complete(&self) -> impl Iterator<Item = Place> {
        let all = if self.idf.is_empty() { u128::MAX } else { u128::MAX >> (128 - self.idf.len()) };
        self.places().filter(move |&(_, mask)| mask == all).map(|(place, _)| place)
    }

    /// Up to `most` sentences that together have most of the claim: greedy set cover, the earliest of equals.
    pub fn cover(&self, most: usize) -> Vec<Place> {
        let mut chosen = Vec::new();
        let mut left = self.found;
        while left != 0 && chosen.len() < most {
            let better = |best: Option<(Place, u128, f64)>, (place, mask)| {
                let gain = self.weigh(mask & left);
                match best {
                    Some((_, _, known)) if known >= gain => best,
                    Some(_) | None => Some((place, mask, gain)),
                }
            };
            let Some((place, mask, _)) = self.places().fold(None, better) else { break };
            chosen.push(place);
            left &= !mask;
        }
        chosen
    }

    fn places(&self) -> impl Iterator<Item = (Place, u128)> {
        let numbered = self.masks.iter().enumerate();
        numbered.flat_map(|(evidence, masks)| {
            let sentences = masks.iter().enumerate().filter(|(_, mask)| **mask != 0);
            sentences.map(move |(sentence, &mask)| (Place { evidence, sentence }, mask))
        })
    }

    /// The union of each sentence with the `window - 1` before it, where it isn't empty. None spans two evidences.
    fn windows(&self, window: usize) -> impl Iterator<Item = u128> {
        let unions = self.masks.iter().flat_map(move |masks| {
            (0..masks.len()).map(move |end| {
                let start = (end + 1).saturating_sub(window);
                masks[start..=end].iter().fold(0, |union, mask| union | mask)
            })
        });
        unions.filter(|&union| union != 0)
    }

    fn weigh(&self, mask: u128) -> f64 {
        if self.total > 0.0 { bits(mask).map(|bit| self.idf[bit]).sum::<f64>() / self.total } else { 0.0 }
    }
}

/// Inverse document frequency with a sentence as the document, as Lucene's BM25 has it: never negative.
fn inverse_frequency(sentences: usize, having: usize) -> f64 {
    let (sentences, having) = (sentences as f64, having as f64);
    (1.0 + (sentences - having + 0.5) / (having + 0.5)).ln()
}

/// The places of the bits that are set, ascending.
fn bits(mut mask: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = mask.trailing_zeros() as usize;
        (mask != 0).then(|| {
            mask &= mask - 1;
            bit
        })
    })
}
