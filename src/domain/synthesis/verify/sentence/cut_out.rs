//! What a sentence of the evidence says of a claim beyond the words of the claim: that it isn't so, may be so, or is so within
//! limits.

use super::{Sentence, head};
use crate::domain::aggregate::near_duplicates::Features;
use crate::domain::synthesis::contradictions::differ::negations;
use crate::domain::synthesis::support::Support;
use crate::domain::synthesis::verify::Evidence;
use crate::domain::synthesis::verify::certainty::raised;
use crate::domain::synthesis::verify::reason::{Reason, shown};
use crate::domain::synthesis::verify::scope::is_negated;
use crate::domain::text::words::Lexicon;

/// Words with which a sentence goes on that says less than its beginning.
const NARROWING: &[&str] =
    &["that", "if", "unless", "only", "except", "provided", "when", "wenn", "sofern", "si", "sauf", "salvo"];

impl Sentence<'_> {
    /// Whether the negation by which it differs from what it is nearest to stands in a clause that it leaves out.
    pub(super) fn leaves_negation_out(
        &self,
        lexicon: &mut Lexicon,
        found: &Support,
        evidence: &Evidence<'_>,
        chosen: &[usize],
    ) -> bool {
        let place = found.sentences.first();
        let index = place.and_then(|place| evidence.places.get(*chosen.get(place.evidence)?));
        let at = place.zip(index).and_then(|(place, index)| index.said.get(place.sentence));
        at.is_some_and(|at| {
            let said = head(lexicon, evidence, *at);
            (negations(&self.features) == 1) == is_negated(&self.features, &said)
        })
    }

    /// What stands word for word inside a sentence that takes it back or leaves it open: `critics claim that …`. Nothing where
    /// a sentence is it, or says it.
    pub(super) fn cut_out(
        &self,
        lexicon: &mut Lexicon,
        evidence: &Evidence<'_>,
        chosen: &[usize],
    ) -> Option<Reason> {
        let mut against: Option<Reason> = None;
        let bare = self.text.trim_end_matches(|c: char| !c.is_alphanumeric());
        for (at, _) in self.of(evidence, chosen).take_while(|(_, share)| *share >= 1.0) {
            let said = head(lexicon, evidence, at);
            let why = said.text.find(bare).and_then(|from| {
                let rest = said.text.get(from + bare.len()..)?;
                let is_whole = from == 0 && !rest.contains(char::is_alphanumeric);
                (!is_whole).then(|| self.taken_back(&said, rest)).flatten()
            });
            match why {
                None if said.text.contains(bare) => return None,
                None => {}
                Some(why) => against = against.or(Some(why)),
            }
        }
        against
    }

    /// How a sentence that it stands in takes it back; `rest` is what follows it there.
    fn taken_back(&self, said: &Features<'_>, rest: &str) -> Option<Reason> {
        if let Some(word) = raised(&self.features, self.whole, said) {
            let detail = format!("it is said for certain, the source says “{word}”");
            return Some(Reason::new("certainty_raised", detail));
        }
        if (negations(&self.features) == 1) != is_negated(&self.features, said) {
            let detail = format!("the source takes it back: “{}”", shown(said.text));
            return Some(Reason::new("negation_turned", detail));
        }
        let narrower = |word: &&&str| {
            rest.strip_prefix(' ')
                .and_then(|rest| rest.strip_prefix(**word))
                .is_some_and(|rest| rest.starts_with(' '))
        };
        let word = NARROWING.iter().find(narrower)?;
        Some(Reason::new(
            "broken_off",
            format!("it breaks off before “{word}”: the source goes on “{}”", shown(rest.trim())),
        ))
    }
}
