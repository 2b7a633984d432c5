//! Verification before delivery: what a language model drafted, held against what it was made of.
//!
//! ```text
//! baseline ─► Evidence ─┐
//! draft ────────────────┴► verify ─► Verified ─► repair_items ─► the model, once ─┐
//!                                      └──────────────────────────────────────────┴► finish ─► Written ─► apply
//! ```
//!
//! Every sentence must be supported by what it cites, taken together; its figures, names and quotations must stand there;
//! nothing may be turned round against the sentence that it was made from. A citation that doesn't fit is corrected where
//! another source fits. What doesn't stand says why, in words that a model can act on. Everything is lexical, pure and
//! deterministic, and never trusts what a draft says about itself: ids, confidence and markers are worked out again.
//!
//! O(evidence) once, then for each sentence its words times the sentences that have them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::draft::{Draft, DraftFinding};
use super::written::WrittenFinding;
use crate::domain::aggregate::result::{Contradiction, Finding};
use crate::domain::near_duplicates::{Features, near};
use crate::domain::text::words::Lexicon;

mod against;
mod already_said;
pub(super) mod bare;
mod beside;
mod bidden;
mod bounds;
mod certainty;
pub(super) mod cited;
mod clauses;
mod compared;
mod connecting;
mod contradictions;
mod denied;
mod elsewhere;
pub(super) mod evidence;
mod exact;
mod finding;
pub(super) mod gaps;
mod grave;
mod intended;
mod inverted;
mod linked;
mod listed;
mod log;
mod meaning;
mod mixed;
mod narrowed;
mod objects;
mod order;
mod pairs;
mod particles;
mod pieces;
pub(super) mod plain;
mod predicate;
mod reason;
mod replaced;
mod same;
mod scope;
mod sentence;
mod sequence;
mod sides;
mod standing;
mod stitched;
mod subjects;
mod substituted;
mod summary;
mod times;
mod together;
mod topic;
mod transition;
mod unlisted;
mod what;

pub use self::evidence::Evidence;
pub use self::log::{CheckLog, CheckedFinding};
pub use self::reason::{Origin, Reason};

pub(super) use self::already_said::Told;
pub(super) use self::finding::broken_off;
use self::finding::{Checked, check};
pub(super) use self::sentence::Sentence;
pub(super) use self::standing::{Standing, standing};
pub(super) use self::summary::summary;

/// Findings of a draft that are looked at; of prose each paragraph is one.
const FINDINGS_MAX: usize = 60;
const PARAGRAPHS_MAX: usize = 240;
/// Why a finding is left out that another one makes needless.
const REPEATED: &str = "says what one before it says";
/// Notes at most.
pub(super) const NOTES_MAX: usize = 50;

/// A draft after verification.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Verified {
    /// Findings of the draft, whatever became of them.
    pub drafted: usize,
    /// What stands, by its place in the draft.
    pub kept: Vec<(usize, WrittenFinding)>,
    /// What doesn't, and may be repaired.
    pub failing: Vec<Failing>,
    /// Contradictions that stand and that the baseline hasn't.
    pub contradictions: Vec<Contradiction>,
    /// Gaps that stand and that the baseline hasn't.
    pub gaps: Vec<String>,
    /// The draft's summary, which is verified against the final findings.
    pub summary: String,
    /// Findings that were left out without a repair: empty, repeated, beyond the limit.
    pub dropped: usize,
    /// What was corrected or left out, a sentence each.
    pub notes: Vec<String>,
}

/// A finding that doesn't stand.
#[derive(Debug, Clone, PartialEq)]
pub struct Failing {
    /// Its place in the draft.
    pub place: usize,
    /// As it was drafted.
    pub item: DraftFinding,
    /// Why.
    pub reasons: Vec<Reason>,
}

impl Verified {
    /// What goes back to the model: each item as it drafted it, with what is wrong with it.
    pub fn repair_items(&self) -> Vec<(Value, Vec<String>)> {
        let item = |failing: &Failing| {
            let DraftFinding { topic, content, source_ids, confidence, transition } = &failing.item;
            let mut item = json!({
                "topic": topic, "content": content, "source_ids": source_ids, "confidence": confidence,
            });
            if let (Some(transition), Some(members)) = (transition, item.as_object_mut()) {
                members.insert("transition".to_owned(), Value::from(transition.as_str()));
            }
            let details = failing.reasons.iter().map(|reason| reason.detail.clone());
            (item, details.collect())
        };
        self.failing.iter().map(item).collect()
    }
}

/// Verifies a draft.
pub fn verify(lexicon: &mut Lexicon, evidence: &Evidence<'_>, draft: &Draft) -> Verified {
    let most = if evidence.is_prose { PARAGRAPHS_MAX } else { FINDINGS_MAX };
    let mut items = Vec::new();
    for item in &draft.findings {
        let pieces = pieces::pieces(item, evidence.sources, evidence.is_prose);
        let is_part = pieces.len() > 1;
        items.extend(pieces.into_iter().map(|piece| (piece, is_part)));
    }
    let mut verified =
        Verified { drafted: items.len(), summary: draft.summary.clone(), ..Verified::default() };
    let mut left_out: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, (item, is_part)) in items.iter().take(most).enumerate() {
        match check(lexicon, evidence, item, Origin::Draft) {
            Checked::Nothing(why) => left_out.entry(why).or_default().push(place),
            Checked::Failing(reasons) => {
                let again = verified.failing.iter().any(|failing| failing.item.content == item.content);
                if again {
                    left_out.entry(REPEATED).or_default().push(place);
                } else {
                    let item = item.clone().into_owned();
                    verified.failing.push(Failing { place, item, reasons });
                }
            }
            Checked::Good(finding, _) if is_said(lexicon, &finding.content, verified.said()) => {
                left_out.entry(REPEATED).or_default().push(place);
            }
            Checked::Good(finding, notes) => {
                // A passage cites for all of its paragraphs: that one of them rests on less is no fault.
                let told = notes.into_iter().filter(|_| !is_part);
                told.for_each(|note| verified.note(format!("Finding {}: {note}.", place + 1)));
                verified.kept.push((place, finding));
            }
        }
    }
    left_out.into_iter().for_each(|(why, places)| verified.leave_out(&places, why));
    let beyond = items.len().saturating_sub(most);
    if beyond > 0 {
        verified.dropped += beyond;
        verified.note(format!("Findings beyond the first {most} were left out: {beyond}."));
    }
    contradictions::verify(lexicon, evidence, draft, &mut verified);
    gaps::verify(lexicon, evidence, draft, &mut verified);
    verified
}

impl Verified {
    /// Once for all that are left out for the same reason: a draft may repeat itself without end.
    fn leave_out(&mut self, places: &[usize], why: &str) {
        self.dropped += places.len();
        self.note(match places {
            [place] => format!("Finding {} of the draft {why} and was left out.", place + 1),
            many => format!("{} findings of the draft were left out: each {why}.", many.len()),
        });
    }

    pub(super) fn note(&mut self, note: String) {
        if self.notes.len() < NOTES_MAX {
            self.notes.push(note);
        }
    }

    pub(super) fn said(&self) -> impl Iterator<Item = &str> {
        self.kept.iter().map(|(_, finding)| finding.content.as_str())
    }
}

/// A finding of a repair, alone.
pub(super) fn verify_repaired(
    lexicon: &mut Lexicon,
    evidence: &Evidence<'_>,
    item: &DraftFinding,
) -> Option<(WrittenFinding, Vec<String>)> {
    match check(lexicon, evidence, item, Origin::Repaired) {
        Checked::Good(finding, notes) => Some((finding, notes)),
        Checked::Failing(_) | Checked::Nothing(_) => None,
    }
}

/// Whether a text is said already, in nearly the same words.
pub(super) fn is_said<'t>(
    lexicon: &mut Lexicon,
    text: &str,
    mut said: impl Iterator<Item = &'t str>,
) -> bool {
    let features = Features::of(lexicon, text);
    said.any(|other| near(&features, &Features::of(lexicon, other)))
}

/// Whether what a baseline's finding says holds against the evidence of its sources: its figures and quotations stand
/// there.
pub(super) fn is_sound(lexicon: &mut Lexicon, evidence: &Evidence<'_>, finding: &Finding) -> bool {
    summary::is_quotable(lexicon, evidence, finding)
}
