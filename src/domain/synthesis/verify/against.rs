//! The places of the evidence that one sentence is held against: those of the sources that it cites, mostly.

use super::evidence::Evidence;
use crate::domain::synthesis::support;

/// What a sentence is held against: the evidence, and the places in it that were chosen for the sentence.
#[derive(Clone, Copy)]
pub(in crate::domain::synthesis) struct Against<'e, 'r> {
    pub(super) evidence: &'e Evidence<'r>,
    pub(super) chosen: &'e [usize],
}

impl<'e, 'r> Against<'e, 'r> {
    /// The texts of the chosen places.
    pub(super) fn texts(&self) -> Vec<&'e support::Evidence<'r>> {
        let places = self.chosen.iter().filter_map(|place| self.evidence.places.get(*place));
        places.map(|index| &index.text).collect()
    }

    /// Whether one of the chosen places has a sentence of the evidence.
    pub(super) fn has(&self, at: usize) -> bool {
        self.evidence.said[at].places.iter().any(|place| self.chosen.contains(place))
    }
}

impl<'r> Evidence<'r> {
    /// The evidence with some of its places, against which a sentence is to be held.
    pub(in crate::domain::synthesis) fn at<'e>(&'e self, chosen: &'e [usize]) -> Against<'e, 'r> {
        Against { evidence: self, chosen }
    }
}
