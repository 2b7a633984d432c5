//! What stands in for a finding that failed: of a paragraph of prose its own sentences that stand, otherwise its extractive
//! twin, the quotation of the baseline that shares most with it.

use std::collections::BTreeSet;

use super::WrittenFinding;
use super::finish::Finishing;
use crate::domain::aggregate::result::{AggregatedResult, Finding};
use crate::domain::synthesis::draft::DraftFinding;
use crate::domain::synthesis::verify::{Evidence, Failing, Standing, is_said, is_sound, standing};
use crate::domain::text::words::{Lexicon, Term};

/// The share of its words that a finding must have in common with its twin.
const SHARED_MIN: f64 = 0.3;
/// Quotations that are tried for one finding.
const TRIES_MAX: usize = 4;

/// Takes of each paragraph the sentences that stand; gives back those of which none does.
pub(super) fn without_failing_sentences(
    lexicon: &mut Lexicon,
    evidence: &Evidence<'_>,
    failing: Vec<Failing>,
    state: &mut Finishing,
) -> Vec<Failing> {
    let mut left = Vec::new();
    for failed in failing {
        let Some(Standing { finding, left_out, of }) = standing(lexicon, evidence, &failed.item) else {
            left.push(failed);
            continue;
        };
        let (number, why) = (failed.place + 1, why(&failed));
        if left_out > 0 {
            let note = format!("Finding {number}: of its {of} sentences {left_out} didn't stand ({why}).");
            state.note(note);
        }
        state.add(failed.place, finding);
    }
    left
}

/// Puts a quotation in the place of each finding that failed, or leaves it out with a note.
pub(super) fn replace(
    lexicon: &mut Lexicon,
    evidence: &Evidence<'_>,
    failing: Vec<Failing>,
    baseline: &AggregatedResult,
    state: &mut Finishing,
) {
    let words: Vec<BTreeSet<Term>> = baseline
        .findings
        .iter()
        .map(|finding| lexicon.terms(&finding.content).into_iter().collect())
        .collect();
    let mut used = BTreeSet::new();
    for failed in failing {
        let (number, why) = (failed.place + 1, why(&failed));
        match twin(lexicon, evidence, &failed.item, &baseline.findings, &words, &mut used, state) {
            Some(finding) => {
                state.note(format!("Finding {number} didn't stand ({why}); a quotation stands in for it."));
                state.add(failed.place, finding);
            }
            None => {
                state.counts.dropped += 1;
                state.note(format!("Finding {number} didn't stand ({why}) and was left out."));
            }
        }
    }
}

/// Notes what failed, where all of it gives way to the baseline.
pub(super) fn note(failing: &[Failing], state: &mut Finishing) {
    for failed in failing {
        state.note(format!("Finding {} didn't stand ({}).", failed.place + 1, why(failed)));
    }
}

fn why(failed: &Failing) -> String {
    let codes: BTreeSet<&str> = failed.reasons.iter().map(|reason| reason.code).collect();
    codes.into_iter().collect::<Vec<_>>().join(", ")
}

fn twin(
    lexicon: &mut Lexicon,
    evidence: &Evidence<'_>,
    item: &DraftFinding,
    findings: &[Finding],
    words: &[BTreeSet<Term>],
    used: &mut BTreeSet<usize>,
    state: &Finishing,
) -> Option<WrittenFinding> {
    let own: BTreeSet<Term> = lexicon.terms(&item.content).into_iter().collect();
    let share = |at: usize| own.intersection(&words[at]).count() as f64 / own.len().max(1) as f64;
    let cites =
        |at: usize| findings[at].sources.iter().filter(|number| item.source_ids.contains(number)).count();
    let mut near: Vec<(usize, f64)> = (0..findings.len()).map(|at| (at, share(at))).collect();
    near.retain(|(at, share)| *share >= SHARED_MIN && !used.contains(at));
    near.sort_by(|a, b| b.1.total_cmp(&a.1).then(cites(b.0).cmp(&cites(a.0))).then(a.0.cmp(&b.0)));
    for (at, _) in near.into_iter().take(TRIES_MAX) {
        let finding = &findings[at];
        if is_sound(lexicon, evidence, finding) && !is_said(lexicon, &finding.content, state.said()) {
            used.insert(at);
            return Some(WrittenFinding::quoting(finding));
        }
    }
    None
}
