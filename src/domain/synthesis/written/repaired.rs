//! What the model made of the findings that failed, held against the evidence once more.

use std::collections::BTreeSet;

use super::finish::Finishing;
use crate::domain::synthesis::draft::{Draft, DraftFinding};
use crate::domain::synthesis::verify::{Evidence, Failing, is_said, verify_repaired};
use crate::domain::text::words::{Lexicon, Term};

/// Findings of a repair that are looked at for each that failed.
const TRIES: usize = 2;

/// Takes what stands now; gives back what doesn't.
pub(super) fn take(
    lexicon: &mut Lexicon,
    evidence: &Evidence<'_>,
    failing: Vec<Failing>,
    repair: Option<&Draft>,
    state: &mut Finishing,
) -> Vec<Failing> {
    let Some(repair) = repair else { return failing };
    let mut left = failing;
    let looked_at = left.len() * TRIES;
    for item in repair.findings.iter().take(looked_at) {
        let Some(at) = meant(lexicon, item, &left) else { break };
        let Some((finding, notes)) = verify_repaired(lexicon, evidence, item) else { continue };
        let place = left[at].place;
        let failed = left.remove(at);
        if is_said(lexicon, &finding.content, state.said()) {
            state.counts.dropped += 1;
            state.note(format!(
                "Finding {} says, repaired, what another one says, and was left out.",
                place + 1
            ));
            continue;
        }
        let why: BTreeSet<&str> = failed.reasons.iter().map(|reason| reason.code).collect();
        let why: Vec<&str> = why.into_iter().collect();
        state.note(format!("Finding {} was repaired ({}).", place + 1, why.join(", ")));
        notes.into_iter().for_each(|note| state.note(format!("Finding {}: {note}.", place + 1)));
        state.add(place, finding);
    }
    left
}

/// Which of those that failed a finding repairs: the one that it shares most words with, the first of equals.
fn meant(lexicon: &mut Lexicon, item: &DraftFinding, failing: &[Failing]) -> Option<usize> {
    let words = |lexicon: &mut Lexicon, of: &DraftFinding| -> BTreeSet<Term> {
        lexicon.terms(&of.content).into_iter().chain(lexicon.terms(&of.topic)).collect()
    };
    let own = words(lexicon, item);
    let mut best: Option<(usize, usize)> = None;
    for (at, failed) in failing.iter().enumerate() {
        let shared = words(lexicon, &failed.item).intersection(&own).count();
        if best.is_none_or(|(_, most)| shared > most) {
            best = Some((at, shared));
        }
    }
    best.map(|(at, _)| at)
}
