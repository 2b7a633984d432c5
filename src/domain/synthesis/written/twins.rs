//! What stands in for a finding that failed: of a paragraph of prose its own sentences that stand, otherwise its extractive
//! twin, the quotation of the baseline that shares most with it.

use std::collections::BTreeSet;

use super::WrittenFinding;
use super::finish::Finishing;
use crate::domain::aggregate::result::{AggregatedResult, Finding};
use crate::domain::synthesis::draft::DraftFinding;
use crate::domain::synthesis::verify::plain::plain;
use crate::domain::synthesis::verify::{Evidence, Failing, Standing, Told, is_said, is_sound, standing};
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
    // What the draft says itself, once somebody asks for it.
    let mut told = None;
    for failed in failing {
        let (number, why) = (failed.place + 1, why(&failed));
        let known = (&words[..], &mut used, &mut told);
        match twin(lexicon, evidence, &failed.item, &baseline.findings, known, state) {
            Twin::Quotation(finding) => {
                state.note(format!("Finding {number} didn't stand ({why}); a quotation stands in for it."));
                state.add(failed.place, finding);
            }
            Twin::Said => {
                state.counts.dropped += 1;
                state.note(format!(
                    "Finding {number} didn't stand ({why}) and was left out: another one says what its quotation would."
                ));
            }
            Twin::Nothing => {
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

/// What stands in for a finding.
enum Twin {
    Quotation(WrittenFinding),
    /// Nothing: the quotation that shares most with it would say what another finding says.
    Said,
    /// Nothing: no quotation speaks of it.
    Nothing,
}

fn twin(
    lexicon: &mut Lexicon,
    evidence: &Evidence<'_>,
    item: &DraftFinding,
    findings: &[Finding],
    (words, used, told): (&[BTreeSet<Term>], &mut BTreeSet<usize>, &mut Option<Told>),
    state: &Finishing,
) -> Twin {
    let own: BTreeSet<Term> = lexicon.terms(&item.content).into_iter().collect();
    let share = |at: usize| own.intersection(&words[at]).count() as f64 / own.len().max(1) as f64;
    let cites =
        |at: usize| findings[at].sources.iter().filter(|number| item.source_ids.contains(number)).count();
    let mut near: Vec<(usize, f64)> = (0..findings.len()).map(|at| (at, share(at))).collect();
    near.retain(|(at, share)| *share >= SHARED_MIN && !used.contains(at));
    near.sort_by(|a, b| b.1.total_cmp(&a.1).then(cites(b.0).cmp(&cites(a.0))).then(a.0.cmp(&b.0)));
    let mut said = None;
    for (at, share) in near.into_iter().take(TRIES_MAX) {
        // One that shares less is of something else.
        if said.is_some_and(|said| share < said) {
            break;
        }
        let finding = &findings[at];
        if !is_sound(lexicon, evidence, finding) {
            continue;
        }
        let text = plain(&finding.content, evidence.sources());
        let is_told = is_said(lexicon, &finding.content, state.said())
            || told.get_or_insert_with(|| Told::of(state.said())).has(&text);
        if !is_told {
            used.insert(at);
            return Twin::Quotation(WrittenFinding::quoting(finding));
        }
        said = Some(share);
    }
    if said.is_some() { Twin::Said } else { Twin::Nothing }
}
