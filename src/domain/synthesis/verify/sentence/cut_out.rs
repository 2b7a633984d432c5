//! What a sentence of the evidence says of a claim beyond the words of the claim: that it isn't so, may be so, or is so within
//! limits.

use std::ops::Range;

use super::{COPIED_MIN, Sentence, head};
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::contradictions::differ::negations;
use crate::domain::synthesis::support::Support;
use crate::domain::synthesis::verify::against::Against;
use crate::domain::synthesis::verify::bounds::meant_otherwise;
use crate::domain::synthesis::verify::certainty::raised;
use crate::domain::synthesis::verify::denied::denies;
use crate::domain::synthesis::verify::evidence::Evidence;
use crate::domain::synthesis::verify::meaning::Tongue;
use crate::domain::synthesis::verify::narrowed::narrowed;
use crate::domain::synthesis::verify::reason::{Reason, shown};
use crate::domain::synthesis::verify::same::before_and;
use crate::domain::synthesis::verify::scope::is_negated;
use crate::domain::text::language;
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
        against: Against<'_, '_>,
    ) -> bool {
        let place = found.sentences.first();
        let index = place.and_then(|place| against.evidence.places.get(*against.chosen.get(place.evidence)?));
        let at = place.zip(index).and_then(|(place, index)| index.said.get(place.sentence));
        at.is_some_and(|at| {
            let said = head(lexicon, against.evidence, *at);
            (negations(&self.features) == 1) == is_negated(&self.features, &said)
        })
    }

    /// What stands word for word inside a sentence that takes it back or leaves it open: `critics claim that …`. Nothing where
    /// a sentence is it, or says it.
    pub(super) fn cut_out(&self, lexicon: &mut Lexicon, against: Against<'_, '_>) -> Option<Reason> {
        let evidence = against.evidence;
        let mut taken_back: Option<Reason> = None;
        for (at, _) in self.of(against).take_while(|(_, share)| *share >= COPIED_MIN) {
            let Some(place) = self.place_in(evidence.said[at].text.as_ref()) else { continue };
            match self.taken_back(evidence, &head(lexicon, evidence, at), &place) {
                None => return None,
                Some(why) => taken_back = taken_back.or(Some(why)),
            }
        }
        taken_back
    }

    /// Whether it stands word for word inside of one sentence of the evidence that takes it back.
    pub fn is_cut_out_of(&self, lexicon: &mut Lexicon, evidence: &Evidence<'_>, at: usize) -> bool {
        let said = head(lexicon, evidence, at);
        self.place_in(said.text).is_some_and(|place| self.taken_back(evidence, &said, &place).is_some())
    }

    /// Where it stands in a text; its first letter may be a small one there.
    fn place_in(&self, said: &str) -> Option<Range<usize>> {
        let bare = self.text.trim_end_matches(|c: char| !c.is_alphanumeric());
        let (first, rest) = bare.split_at(bare.chars().next()?.len_utf8());
        let small = || said.find(&[&first.to_lowercase(), rest].concat());
        said.find(bare).or_else(small).map(|from| from..from + bare.len())
    }

    /// How a sentence in which it stands at `place` takes it back; not where it is the whole of it.
    fn taken_back(
        &self,
        evidence: &Evidence<'_>,
        said: &Features<'_>,
        place: &Range<usize>,
    ) -> Option<Reason> {
        let rest = said.text.get(place.end..)?;
        if place.start == 0 && !rest.contains(char::is_alphanumeric) {
            return None;
        }
        let language = self.tongue.as_ref().map_or_else(|| language::told(said.text), Tongue::name);
        if let Some(word) = raised((&self.features, self.whole), said, language) {
            let detail = format!("it is said for certain, the source says “{word}”");
            return Some(Reason::new("certainty_raised", detail));
        }
        let turned = (negations(&self.features) == 1) != is_negated(&self.features, said);
        if turned || denies(said, place) {
            let detail = format!("the source takes it back: “{}”", shown(said.text));
            return Some(Reason::new("negation_turned", detail));
        }
        if let Some(part) = narrowed(&self.features, self.whole, said, evidence) {
            return Some(Reason::new("certainty_raised", format!("it leaves out “{}”", shown(&part))));
        }
        if let Some((_, theirs)) = meant_otherwise(&self.features, said) {
            let detail = format!("the source has “{}”", before_and(said.text, theirs));
            return Some(Reason::new("figure_misplaced", detail));
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
