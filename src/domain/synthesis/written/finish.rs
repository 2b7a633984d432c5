//! From a verified draft, and one repair, to what is delivered.

use super::{Origin, Written, WrittenFinding, coverage, repaired, twins};
use crate::domain::aggregate::result::{AggregatedResult, SynthesisCounts};
use crate::domain::synthesis::draft::Draft;
use crate::domain::synthesis::verify::{Evidence, NOTES_MAX, Verified, summary};
use crate::domain::text::words::Lexicon;

/// Gaps that a draft may add to the baseline's, together at most.
const GAPS_MAX: usize = 20;

/// What is delivered of a draft. `repair` is what the model answered to [`Verified::repair_items`], where it was asked:
/// its findings are verified alone, and what fails again is replaced by the quotation that shares most with it, or left
/// out. Every subagent with a result is heard or named in a gap. `baseline` is what `evidence` was read from.
pub fn finish(
    lexicon: &mut Lexicon,
    evidence: &Evidence<'_>,
    verified: Verified,
    repair: Option<&Draft>,
    baseline: &AggregatedResult,
) -> Written {
    let Verified {
        drafted,
        kept,
        failing,
        contradictions,
        mut gaps,
        summary: drafted_summary,
        dropped,
        notes,
    } = verified;
    let mut state = Finishing {
        counts: SynthesisCounts { drafted, kept: kept.len(), dropped, notes, ..SynthesisCounts::default() },
        findings: kept,
    };
    let mut again = repaired::take(lexicon, evidence, failing, repair, &mut state);
    if evidence.is_prose {
        again = twins::without_failing_sentences(lexicon, evidence, again, &mut state);
    }
    let stood = state.counts.kept + state.counts.repaired;
    match stood {
        0 => twins::note(&again, &mut state),
        _ => twins::replace(lexicon, evidence, again, baseline, &mut state),
    }
    state.findings.sort_by_key(|(place, _)| *place);
    let mut findings: Vec<WrittenFinding> = state.findings.into_iter().map(|(_, finding)| finding).collect();
    let mut counts = state.counts;
    if stood == 0 {
        let reason = match drafted {
            0 => "the language model drafted no finding",
            _ => "no finding of the language model's draft stood verification",
        };
        counts.dropped = drafted;
        return Written { counts, question: evidence.question().to_owned(), ..Written::extractive(reason) };
    }
    let missing = coverage::fill(lexicon, evidence, baseline, &mut findings);
    counts.added = missing.added;
    let room = GAPS_MAX.saturating_sub(baseline.gaps.len() + missing.gaps.len());
    gaps.retain(|gap| !baseline.gaps.contains(gap));
    gaps.truncate(room);
    let (summary, lost) = summary(lexicon, evidence, &drafted_summary, &findings);
    if lost > 0 && counts.notes.len() < NOTES_MAX {
        let (sentences, were) = if lost == 1 { ("sentence", "was") } else { ("sentences", "were") };
        let note = format!("{lost} {sentences} of the draft's summary didn't stand and {were} left out.");
        counts.notes.push(note);
    }
    Written {
        findings,
        contradictions,
        gaps: missing.gaps.into_iter().chain(gaps).collect(),
        summary,
        question: evidence.question().to_owned(),
        counts,
        ..Written::default()
    }
}

/// Findings by their places in the draft, and what is counted.
pub(super) struct Finishing {
    pub counts: SynthesisCounts,
    pub findings: Vec<(usize, WrittenFinding)>,
}

impl Finishing {
    pub fn note(&mut self, note: String) {
        if self.counts.notes.len() < NOTES_MAX {
            self.counts.notes.push(note);
        }
    }

    pub fn said(&self) -> impl Iterator<Item = &str> {
        self.findings.iter().map(|(_, finding)| finding.content.as_str())
    }

    pub fn add(&mut self, place: usize, finding: WrittenFinding) {
        match finding.origin {
            Origin::Draft => self.counts.kept += 1,
            Origin::Repaired => self.counts.repaired += 1,
            Origin::Extractive => self.counts.twins += 1,
        }
        self.findings.push((place, finding));
    }
}
