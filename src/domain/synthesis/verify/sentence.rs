//! One sentence of a model, held against the evidence of what it cites, taken together.

use std::collections::BTreeSet;

use super::against::Against;
use super::connecting::is_connecting;
use super::evidence::Evidence;
use super::meaning::{Tongue, is_light};
use super::reason::{Reason, named, shown, verb};
use super::same::changed;
use super::scope::joined;
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::quality::{quotes, states};
use crate::domain::synthesis::support::{self, Claim, Kind, Support, support_of};
use crate::domain::text::words::{Lexicon, Term, Word};

/// A sentence with at least this share of a claim's words is what the claim was made from.
const MADE_FROM_MIN: f64 = 0.6;
/// The same of one that joins several statements, each of which is compared alone.
const COPIED_MIN: f64 = 0.8;
/// Sentences with so much less than the closest aren't what it was made from.
const CLOSE: f64 = 0.15;
/// From this share on a sentence says something of what a claim says.
const RELATED_MIN: f64 = 0.2;
/// Related sentences that are looked at.
const RELATED_MAX: usize = 200;
/// Sentences that a claim is compared with word by word.
const COMPARED_MAX: usize = 4;
/// Bytes of a sentence that are: what is longer is a list or a table without stops.
const COMPARED_BYTES_MAX: usize = 4_096;
/// Sentences that tell in which language a claim is, beside itself.
const TELLING_MAX: usize = 2;
/// Content words from which on a sentence says something, even as a question.
const SAYING_WORDS_MIN: usize = 3;
/// Terms from which on a part of a sentence says something by itself.
const PART_TERMS_MIN: usize = 4;
/// Words of a sentence before it is tested for going round in circles.
const CIRCLES_WORDS_MIN: usize = 16;

mod alone;
mod brought_in;
mod by_meaning;
mod cut_out;
mod figures;
mod linked;
mod of_a_clause;
mod of_another;
mod pointing;
mod quotations;
mod rephrased;
mod supposed;
mod unsaid;
pub(super) use quotations::{holds, is_verbatim};

use unsaid::Near;

/// A sentence, read once.
pub(in crate::domain::synthesis) struct Sentence<'t> {
    pub text: &'t str,
    /// The sentence that it is a part of, or itself.
    whole: &'t str,
    pub claim: Claim,
    /// Whether it states something that could be so or not.
    pub states: bool,
    /// Sentences of all evidence that have some of its words, with the share, the most first.
    pub related: Vec<(usize, f64)>,
    /// The language of it and of what it is closest to, where that is known.
    tongue: Option<Tongue>,
    words: Vec<Word>,
    features: Features<'t>,
}

/// A sentence of the evidence as it is compared word by word: by its beginning, where it is too long to be one.
fn head<'e>(lexicon: &mut Lexicon, evidence: &'e Evidence<'_>, at: usize) -> Features<'e> {
    let text = evidence.said[at].text.as_ref();
    Features::of(lexicon, &text[..text.floor_char_boundary(COMPARED_BYTES_MAX)])
}

/// Where there are sources, what none of them says stands only as its subagent put it: nobody can look up a paraphrase
/// that cites nothing.
pub(super) fn may_be_uncited(evidence: &Evidence<'_>, read: &[Sentence<'_>], chosen: &[usize]) -> bool {
    let is_cited = chosen.iter().all(|place| *place < evidence.sources);
    is_cited || evidence.sources == 0 || read.iter().all(|sentence| sentence.is_verbatim(evidence.at(chosen)))
}

impl<'t> Sentence<'t> {
    pub fn read(lexicon: &mut Lexicon, evidence: &Evidence<'_>, text: &'t str) -> Self {
        let words = lexicon.words(text);
        let claim = Claim::read(text, &words);
        let terms: Vec<Term> = (0..claim.terms.len())
            .filter(|at| !claim.goes_on_with(*at))
            .map(|at| claim.terms[at].term)
            .collect();
        let related = evidence.alike(&terms, RELATED_MIN, RELATED_MAX);
        let features = Features::of(lexicon, text);
        // A question may claim what it asks about, and a heading what it announces.
        let says = words.iter().filter(|word| word.is_content()).count() >= SAYING_WORDS_MIN;
        let states = says || states(text, &words);
        let closest = related.iter().take(TELLING_MAX).map(|(at, _)| evidence.said[*at].text.as_ref());
        let tongue = Tongue::of(&std::iter::once(text).chain(closest).collect::<Vec<_>>());
        let tongue = tongue.or_else(|| evidence.language.and_then(Tongue::named));
        Self { text, whole: text, states, claim, related, tongue, words, features }
    }

    /// The statements that it joins, where it joins several.
    fn parts(&self, lexicon: &mut Lexicon, evidence: &Evidence<'_>) -> Vec<Self> {
        let parts = joined(self.text).into_iter().map(|part| Self::read(lexicon, evidence, &self.text[part]));
        let says = |part: &Self| part.claim.terms.len() >= PART_TERMS_MIN;
        parts.filter(says).map(|part| Self { whole: self.text, ..part }).collect()
    }

    /// The sentences that support it, by their places in all evidence; or what is wrong with it.
    pub fn check(
        &self,
        lexicon: &mut Lexicon,
        against: Against<'_, '_>,
    ) -> Result<BTreeSet<usize>, Vec<Reason>> {
        let found = self.as_written(lexicon, against);
        found.or_else(|reasons| self.rephrased(lexicon, against).ok_or(reasons))
    }

    /// The same of its own words.
    fn as_written(
        &self,
        lexicon: &mut Lexicon,
        against: Against<'_, '_>,
    ) -> Result<BTreeSet<usize>, Vec<Reason>> {
        let texts = against.texts();
        let found = support_of(self.text, &self.claim, &texts);
        let mut reasons = Vec::new();
        if !mutant!("figures-not-verified") {
            self.figures(lexicon, &texts, against, &mut reasons);
        }
        self.quotations(lexicon, against, &mut reasons);
        if !found.verbatim {
            self.names(&texts, against, &mut reasons);
            self.circles(&mut reasons);
            if reasons.is_empty() && self.states {
                self.supported(lexicon, &found, against, &mut reasons);
            }
            if reasons.is_empty() {
                let near = self.near(against);
                reasons.extend(self.grave(&texts, against));
                reasons.extend(self.added(&texts, against, &near));
                reasons.extend(self.compared(against));
                reasons.extend(self.brought_from_elsewhere(&texts, against, &near));
                reasons.extend(self.stitched(lexicon, against));
                reasons.extend(self.linked(against));
                reasons.extend(self.said_of_another(against, &near));
                reasons.extend(self.name_of_another_story(against));
                reasons.extend(self.supposed(lexicon, against));
                reasons.extend(self.points_nowhere());
                reasons.extend(self.of_another(against));
            }
            if reasons.is_empty() {
                reasons.extend(self.turned(lexicon, against));
            }
            if reasons.is_empty() {
                let near = self.near(against);
                reasons.extend(self.unsaid(lexicon, against, &near));
            }
            if reasons.is_empty() {
                reasons.extend(self.parted(lexicon, against));
            }
            if reasons.is_empty() {
                reasons.extend(self.cut_out(lexicon, against));
            }
        } else if reasons.is_empty() {
            let cut_out = self.cut_out(lexicon, against);
            reasons.extend(cut_out.or_else(|| self.supposed(lexicon, against)));
        }
        if reasons.is_empty() { Ok(self.supporting(&found, against)) } else { Err(reasons) }
    }

    /// What was changed in it, or in a statement that it joins, against what some places say.
    fn turned(&self, lexicon: &mut Lexicon, against: Against<'_, '_>) -> Option<Reason> {
        let parts = self.parts(lexicon, against.evidence);
        let least = if parts.len() > 1 { COPIED_MIN } else { MADE_FROM_MIN };
        let whole = self.changed(lexicon, against, least);
        whole.or_else(|| parts.iter().find_map(|part| part.changed(lexicon, against, MADE_FROM_MIN)))
    }

    /// Whether it stands word for word at one of these places.
    pub fn is_verbatim(&self, against: Against<'_, '_>) -> bool {
        let texts = against.texts();
        support_of(self.text, &self.claim, &texts).verbatim
    }

    fn names(&self, texts: &[&support::Evidence<'_>], against: Against<'_, '_>, reasons: &mut Vec<Reason>) {
        for (at, term) in self.claim.terms.iter().enumerate() {
            let word = &self.text[term.range.clone()];
            let first = at == 0 && term.kind == Kind::Word && word.starts_with(char::is_uppercase);
            let opens = first
                && !is_light(&word.to_lowercase())
                && !is_connecting(word)
                && (against.evidence.is_name(term.term) || !against.evidence.knows(term.term));
            if (term.kind == Kind::Name || opens) && !texts.iter().any(|text| text.has(term.term)) {
                let detail = format!("“{word}” isn't in {}", named(against.chosen, against.evidence.sources));
                reasons.push(Reason::new("name_not_in_source", detail));
            }
        }
    }

    /// A model that goes round in circles says the same pairs of words again and again.
    fn circles(&self, reasons: &mut Vec<Reason>) {
        if self.words.len() < CIRCLES_WORDS_MIN {
            return;
        }
        let pairs: BTreeSet<(Term, Term)> =
            self.words.windows(2).map(|pair| (pair[0].term, pair[1].term)).collect();
        if pairs.len() * 2 < self.words.len() {
            reasons.push(Reason::new("repetition", format!("it repeats itself: “{}”", shown(self.text))));
        }
    }

    fn supported(
        &self,
        lexicon: &mut Lexicon,
        found: &Support,
        against: Against<'_, '_>,
        reasons: &mut Vec<Reason>,
    ) {
        let Against { evidence, chosen } = against;
        let sources = named(chosen, evidence.sources);
        if found.negation_differs && !self.leaves_negation_out(lexicon, found, against) {
            let detail = format!("a negation was put in or taken out, against {sources}");
            reasons.push(Reason::new("negation_turned", detail));
        } else if !found.has_support() && !self.is_said_by_one(lexicon, against) {
            let missing: Vec<&str> =
                found.missing.iter().take(6).map(|part| &self.text[part.range.clone()]).collect();
            let says = verb(chosen, "doesn't say", "don't say");
            let lacking = match missing.is_empty() {
                true => String::new(),
                false => format!(" (not found: {})", missing.join(", ")),
            };
            let detail = format!("{sources} {says} “{}”{lacking}", shown(self.text));
            reasons.push(Reason::new("unsupported", detail));
        }
    }

    /// What was changed against the sentences that it can have been made from, with at least a share of its words; nothing where it is closer to one that it
    /// agrees with than to any that it changes.
    fn changed(&self, lexicon: &mut Lexicon, against: Against<'_, '_>, least: f64) -> Option<Reason> {
        let evidence = against.evidence;
        let mut made_from = self.of(against).filter(|(_, share)| *share >= least).peekable();
        let closest = made_from.peek()?.1;
        let close = made_from.take_while(|(_, share)| *share + CLOSE >= closest).take(COMPARED_MAX);
        let mut changed_by: Option<(f64, Reason)> = None;
        for (at, share) in close {
            let said = head(lexicon, evidence, at);
            let quotes = quotes(self.text).iter().any(|quote| holds(said.text, quote));
            let claim = (&self.features, self.whole, self.tongue.as_ref());
            let reason = changed(claim, &said, share, quotes, evidence)
                .or_else(|| of_a_clause::turned(lexicon, (claim.0, claim.2), said.text));
            match (reason, &changed_by) {
                // Of equally close ones, that which is changed decides, but for one that has every word.
                (None, Some((known, _))) if *known >= share && share < 1.0 => {}
                (None, _) => return None,
                (Some(reason), None) => changed_by = Some((share, reason)),
                (Some(_), Some(_)) => {}
            }
        }
        changed_by.map(|(_, reason)| reason)
    }

    fn supporting(&self, found: &Support, against: Against<'_, '_>) -> BTreeSet<usize> {
        let covering = found.sentences.iter().filter_map(|place| {
            let index = against.evidence.places.get(*against.chosen.get(place.evidence)?)?;
            index.said.get(place.sentence).copied()
        });
        let alike = self.of(against).filter(|(_, share)| *share >= MADE_FROM_MIN).map(|(at, _)| at);
        covering.chain(alike).collect()
    }

    /// The places of the related sentences, the closest first.
    pub fn closest(&self, evidence: &Evidence<'_>) -> Vec<usize> {
        let mut seen = BTreeSet::new();
        let places = self.related.iter().flat_map(|(at, _)| evidence.said[*at].places.iter().copied());
        places.filter(|place| seen.insert(*place)).collect()
    }

    /// The related sentences that some places have.
    pub fn of<'s>(&'s self, against: Against<'s, '_>) -> impl Iterator<Item = (usize, f64)> + 's {
        let cites = move |at: usize| against.has(at);
        self.related.iter().copied().filter(move |(at, _)| cites(*at))
    }
}
