//! What the checks found, item by item: for whoever asks why a result is as it is.

use serde::Serialize;
use utoipa::ToSchema;

use super::{Failing, Reason, Verified};
use crate::domain::synthesis::written::WrittenFinding;

/// What the checks of a draft found.
#[derive(Debug, Clone, Default, PartialEq, Serialize, ToSchema)]
pub struct CheckLog {
    /// Findings of the draft that stand or fail, in its order. Those that aren't here were left out: a note says why.
    pub findings: Vec<CheckedFinding>,
    /// What was corrected or left out, a sentence each.
    pub notes: Vec<String>,
}

/// What the checks found of one finding.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct CheckedFinding {
    /// Its place in the draft, from 1; each paragraph of a longer passage has one.
    pub number: usize,
    /// What it says: as it stands after its citations were corrected, or as it was drafted where it fails.
    pub content: String,
    /// The numbers of the sources that it cites.
    pub sources: Vec<u32>,
    /// Whether it stands.
    pub stands: bool,
    /// What is wrong with it; nothing where it stands.
    pub reasons: Vec<Reason>,
}

impl Verified {
    /// What was found, as far as it is known before a repair.
    pub fn log(&self) -> CheckLog {
        let kept = self.kept.iter().map(|(place, finding)| stands(*place, finding));
        let mut findings: Vec<CheckedFinding> = kept.chain(self.failing.iter().map(fails)).collect();
        findings.sort_by_key(|finding| finding.number);
        CheckLog { findings, notes: self.notes.clone() }
    }
}

fn stands(place: usize, WrittenFinding { content, sources, .. }: &WrittenFinding) -> CheckedFinding {
    let (content, sources) = (content.clone(), sources.clone());
    CheckedFinding { number: place + 1, content, sources, stands: true, reasons: Vec::new() }
}

fn fails(Failing { place, item, reasons }: &Failing) -> CheckedFinding {
    let (content, sources) = (item.content.clone(), item.source_ids.clone());
    CheckedFinding { number: place + 1, content, sources, stands: false, reasons: reasons.clone() }
}
