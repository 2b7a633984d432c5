//! What one source says of a sentence that cites several.

use super::Sentence;
use crate::domain::synthesis::verify::Evidence;
use crate::domain::synthesis::verify::reason::Reason;
use crate::domain::text::words::Lexicon;

impl Sentence<'_> {
    /// What one place says against it.
    pub fn opposed(&self, lexicon: &mut Lexicon, evidence: &Evidence<'_>, place: usize) -> Option<Reason> {
        self.turned(lexicon, evidence.at(&[place])).filter(|_| self.states)
    }

    /// Whether one place supports it, or a statement that it joins, alone.
    pub fn rests_on(&self, lexicon: &mut Lexicon, evidence: &Evidence<'_>, place: usize) -> bool {
        let is_related = self.states && self.of(evidence.at(&[place])).next().is_some();
        is_related
            && (self.check(lexicon, evidence.at(&[place])).is_ok()
                || (self.parts(lexicon, evidence).iter())
                    .any(|part| part.check(lexicon, evidence.at(&[place])).is_ok()))
    }
}
