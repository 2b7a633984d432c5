//! What the model made of the findings that failed, held against the evidence once more.
//!
//! A model that is asked to correct one item may answer with all of them. What stood already, and what says the same as
//! that, is no repair of another finding: it is passed over, and neither replaces what failed nor counts as a try.

use std::collections::BTreeSet;

use super::finish::Finishing;
use crate::domain::synthesis::draft::{Draft, DraftFinding};
use crate::domain::synthesis::verify::{Evidence, Failing, is_said, verify_repaired};
use crate::domain::text::words::{Lexicon, Term};

/// Findings of a repair that are held against the evidence for each that failed.
const TRIES: usize = 2;
/// Findings of a repair that are looked at.
const LOOKED_AT_MAX: usize = 60;

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
    let mut tries = left.len() * TRIES;
    for item in repair.findings.iter().take(LOOKED_AT_MAX) {
        if is_said(lexicon, &item.content, state.said()) {
            continue;
        }
        let Some(at) = meant(lexicon, item, &left, state) else { continue };
        if tries == 0 {
            break;
        }
        tries -= 1;
        let Some((finding, notes)) = verify_repaired(lexicon, evidence, item) else { continue };
        // Its citations are corrected now, its markers gone.
        if is_said(lexicon, &finding.content, state.said()) {
            continue;
        }
        let Failing { place, reasons, .. } = left.remove(at);
        let why: BTreeSet<&str> = reasons.iter().map(|reason| reason.code).collect();
        let why: Vec<&str> = why.into_iter().collect();
        state.note(format!("Finding {} was repaired ({}).", place + 1, why.join(", ")));
        notes.into_iter().for_each(|note| state.note(format!("Finding {}: {note}.", place + 1)));
        state.add(place, finding);
    }
    left
}

/// Which of those that failed a finding repairs: the one that it shares most words with, the first of equals. None where
/// it shares no word with any, or more with one that stands.
fn meant(
    lexicon: &mut Lexicon,
    item: &DraftFinding,
    failing: &[Failing],
    state: &Finishing,
) -> Option<usize> {
    let own = words(lexicon, &item.topic, &item.content);
    let mut best: Option<(usize, usize)> = None;
    for (at, Failing { item: failed, .. }) in failing.iter().enumerate() {
        let shared = words(lexicon, &failed.topic, &failed.content).intersection(&own).count();
        if best.is_none_or(|(_, most)| shared > most) {
            best = Some((at, shared));
        }
    }
    let (at, shared) = best.filter(|(_, shared)| *shared > 0)?;
    let is_of_another = state.findings.iter().any(|(_, finding)| {
        words(lexicon, &finding.topic, &finding.content).intersection(&own).count() > shared
    });
    (!is_of_another).then_some(at)
}

fn words(lexicon: &mut Lexicon, topic: &str, content: &str) -> BTreeSet<Term> {
    lexicon.terms(content).into_iter().chain(lexicon.terms(topic)).collect()
}
