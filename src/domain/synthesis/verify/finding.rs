//! One finding of a draft: cleaned, its citations checked and corrected, who says it and how sure it is.

use std::collections::BTreeSet;

use super::against::Against;
use super::bare::{is_bare, without_head};
use super::cited::{Found, rested_on};
use super::evidence::Evidence;
use super::plain::cleaned;
use super::reason::{Origin, Reason, named};
use super::sentence::{Sentence, may_be_uncited};
use super::topic::topic;
use super::transition::transition;
use crate::domain::aggregate::result::Level;
use crate::domain::synthesis::answer::own_list;
use crate::domain::synthesis::claims::{self, Backing, Confidence, OF_A_PART};
use crate::domain::synthesis::draft::DraftFinding;
use crate::domain::synthesis::written::WrittenFinding;
use crate::domain::text::sentences::sentences;
use crate::domain::text::words::Lexicon;

/// Characters of a finding: a paragraph.
pub(super) const CONTENT_CHARS_MAX: usize = 2_000;
/// Characters of a finding that are looked at: a model that can't stop is cut to what it says once.
const CLEANED_CHARS_MAX: usize = 20_000;
/// Sentences of a finding.
pub(super) const SENTENCES_MAX: usize = 24;

/// What became of a finding.
pub(super) enum Checked {
    /// It stands; what was corrected.
    Good(WrittenFinding, Vec<String>),
    /// It doesn't.
    Failing(Vec<Reason>),
    /// There is nothing to repair: it is empty, or states nothing.
    Nothing(&'static str),
}

/// Holds a finding against what it cites.
pub(super) fn check(
    lexicon: &mut Lexicon,
    evidence: &Evidence<'_>,
    item: &DraftFinding,
    origin: Origin,
) -> Checked {
    let own = own_list::read(&item.content);
    if own.is_list {
        return Checked::Nothing("is a list of references");
    }
    let (content, inline) = cleaned(&own.text, evidence.sources, CLEANED_CHARS_MAX);
    let content = without_bare(evidence, &without_repetition(&content));
    if content.chars().count() > CONTENT_CHARS_MAX {
        return Checked::Nothing("is longer than a paragraph");
    }
    let parts: Vec<&str> = sentences(&content).into_iter().filter_map(|range| content.get(range)).collect();
    let read: Vec<Sentence<'_>> = parts.iter().map(|text| Sentence::read(lexicon, evidence, text)).collect();
    if read.len() > SENTENCES_MAX {
        return Checked::Nothing("is longer than a paragraph");
    }
    if !read.iter().any(|sentence| sentence.states) {
        return Checked::Nothing("states nothing");
    }
    if let Some(reason) = address(evidence, &content).or_else(|| broken_off(evidence, read.last())) {
        return Checked::Failing(vec![reason]);
    }
    let mut notes = Vec::new();
    let cited = existing(evidence, item, inline, &mut notes);
    let (chosen, support) = match choose(lexicon, evidence, &read, &cited, &mut notes) {
        Ok(found) => found,
        Err(reasons) => return Checked::Failing(reasons),
    };
    drop(read);
    let mut finding = judged(evidence.at(&chosen), &support, item.confidence);
    finding.topic = topic(lexicon, evidence, &item.topic, &content);
    finding.transition =
        item.transition.as_deref().and_then(|text| transition(lexicon, evidence, text, &finding.topic));
    finding.content = content;
    finding.origin = origin;
    Checked::Good(finding, notes)
}

/// A model that can't stop says a sentence again: each stays once.
pub(super) fn without_repetition(content: &str) -> String {
    let mut seen = BTreeSet::new();
    let ranges = sentences(content);
    let parts = ranges.into_iter().filter_map(|range| content.get(range));
    let kept: Vec<&str> = parts.filter(|part| seen.insert(part.to_lowercase())).collect();
    kept.join(" ")
}

/// A text without its bare answers (`Yes.`), which claim what was asked; those that the material has as they are stay.
fn without_bare(evidence: &Evidence<'_>, content: &str) -> String {
    let parts: Vec<&str> = sentences(content).into_iter().filter_map(|range| content.get(range)).collect();
    if !parts.iter().any(|part| is_bare(part) || without_head(part).is_some()) {
        return content.to_owned();
    }
    let bared = |part: &&str| {
        without_head(part).filter(|_| !evidence.has(part)).unwrap_or_else(|| (*part).to_owned())
    };
    let kept = parts.iter().filter(|part| !is_bare(part) || evidence.has(part));
    kept.map(bared).collect::<Vec<_>>().join(" ")
}

/// A last sentence without its end, which goes on in the sentence that it was copied from: what is left out may have
/// turned it round.
pub(in crate::domain::synthesis) fn broken_off(
    evidence: &Evidence<'_>,
    last: Option<&Sentence<'_>>,
) -> Option<Reason> {
    const COPIED_MIN: f64 = 0.9;
    let last = last.filter(|last| last.text.ends_with(char::is_alphanumeric))?;
    let copied = last.related.iter().take_while(|(_, share)| *share >= COPIED_MIN);
    let texts: Vec<&str> = copied.map(|(at, _)| evidence.said[*at].text.as_ref()).collect();
    let rest = |text: &&str| text.find(last.text).map(|at| text[at + last.text.len()..].to_owned());
    let rests: Vec<String> = texts.iter().filter_map(rest).collect();
    let goes_on = |rest: &String| rest.trim_start_matches([',', ' ']).starts_with(char::is_alphanumeric);
    let broken = !rests.is_empty() && rests.iter().all(goes_on);
    broken.then(|| Reason::new("broken_off", format!("it breaks off: “…{}”", tail(last.text))))
}

fn tail(text: &str) -> &str {
    const TAIL_BYTES: usize = 40;
    &text[text.ceil_char_boundary(text.len().saturating_sub(TAIL_BYTES))..]
}

/// An address that nobody gave.
fn address(evidence: &Evidence<'_>, content: &str) -> Option<Reason> {
    let addresses =
        content.split_whitespace().filter(|word| word.contains("://") || word.starts_with("www."));
    let unknown = |address: &&str| {
        let bare = address.trim_matches(|c: char| !c.is_alphanumeric());
        !evidence.said.iter().any(|said| said.text.contains(bare))
    };
    let address = addresses.into_iter().find(unknown)?;
    Some(Reason::new("url_not_in_source", format!("the address {address} isn't in the material")))
}

/// The places of the sources that a finding cites and that exist.
fn existing(
    evidence: &Evidence<'_>,
    item: &DraftFinding,
    inline: BTreeSet<u32>,
    notes: &mut Vec<String>,
) -> Vec<usize> {
    let all: BTreeSet<usize> =
        inline.into_iter().chain(item.source_ids.iter().copied()).map(|number| number as usize).collect();
    let exists = |number: &usize| (1..=evidence.sources).contains(number);
    let invented = all.iter().filter(|number| !exists(number)).count();
    if invented > 0 {
        notes.push(format!("{invented} of its citations pointed to no source and were taken out"));
    }
    all.into_iter().filter(exists).map(|number| number - 1).collect()
}

/// The places that support all sentences: those that are cited, without those that add nothing; where they don't, others
/// that do.
fn choose(
    lexicon: &mut Lexicon,
    evidence: &Evidence<'_>,
    read: &[Sentence<'_>],
    cited: &[usize],
    notes: &mut Vec<String>,
) -> Result<Found, Vec<Reason>> {
    let mut reasons = Vec::new();
    let others = best(evidence, read);
    let is_uncited = |chosen: &[usize]| may_be_uncited(evidence, read, chosen);
    let read: Vec<&Sentence<'_>> = read.iter().collect();
    if !cited.is_empty() {
        match rested_on(lexicon, evidence, &read, cited) {
            Ok(found) => {
                let without = cited.len() - found.0.len();
                if without > 0 {
                    notes.push(format!("{without} of its citations didn't say so and were taken out"));
                }
                return Ok(found);
            }
            Err(why) => reasons = why,
        }
    }
    let is_source = |place: &usize| *place < evidence.sources;
    let sources: Vec<usize> = others.iter().copied().filter(is_source).collect();
    let is_own = |place: &usize| !is_source(place) && !evidence.is_of_one_who_cites(*place);
    let own: Vec<usize> = others.iter().copied().filter(is_own).collect();
    for chosen in [sources, own] {
        if chosen.is_empty() || chosen == cited || !is_uncited(&chosen) {
            continue;
        }
        match rested_on(lexicon, evidence, &read, &chosen) {
            Ok(found) => {
                let (was, now) = (named(cited, evidence.sources), named(&found.0, evidence.sources));
                // Where no source says it nothing could have been cited.
                if !cited.is_empty() {
                    notes.push(format!("its citation was corrected from {was} to {now}"));
                } else if found.0.iter().any(is_source) {
                    notes.push(format!("it cited nothing; {now} says it"));
                }
                return Ok(found);
            }
            Err(why) if reasons.is_empty() => {
                let nothing = "it cites no source; cite those that say it".to_owned();
                reasons.push(Reason::new("no_source", nothing));
                reasons.extend(why);
            }
            Err(_) => {}
        }
    }
    if reasons.is_empty() {
        reasons.push(Reason::new("no_source", "no source of the material says it".to_owned()));
    }
    Err(reasons)
}

/// The places of the sentences that each sentence is closest to.
fn best(evidence: &Evidence<'_>, read: &[Sentence<'_>]) -> Vec<usize> {
    const EQUAL: f64 = 0.05;
    const PLACES_MAX: usize = 8;
    let mut places = BTreeSet::new();
    for sentence in read.iter().filter(|sentence| sentence.states) {
        for wanted_source in [true, false] {
            let placed = sentence.related.iter().filter(|(at, _)| {
                evidence.said[*at].places.iter().any(|place| (*place < evidence.sources) == wanted_source)
            });
            let Some((_, closest)) = placed.clone().next() else { continue };
            let equals = placed.take_while(|(_, share)| share + EQUAL >= *closest);
            let of = equals.flat_map(|(at, _)| evidence.said[*at].places.iter().copied());
            places.extend(of.take(PLACES_MAX));
        }
    }
    places.into_iter().collect()
}

/// Who says it and how sure it is, as the extractive synthesis judges; a model may be less sure, never more.
fn judged(against: Against<'_, '_>, support: &BTreeSet<usize>, own: Option<Level>) -> WrittenFinding {
    let here = |at: &&usize| against.has(**at);
    let contributors: BTreeSet<&str> =
        support.iter().filter(here).flat_map(|at| against.evidence.said[*at].by.iter().copied()).collect();
    let sources: Vec<u32> = against
        .chosen
        .iter()
        .filter(|place| **place < against.evidence.sources)
        .map(|place| *place as u32 + 1)
        .collect();
    let sites = against.chosen.iter().filter_map(|place| against.evidence.domains.get(*place));
    let backing = Backing::of(sources.len(), sites);
    let disputed = support
        .iter()
        .any(|at| against.evidence.contested.contains(against.evidence.said[*at].text.as_ref()));
    let together = contributors.len() == 1 && contributors.is_subset(&against.evidence.together);
    let backing = if together { backing.as_one() } else { backing };
    let (confidence, verify) = claims::judge(backing, contributors.len(), disputed);
    let verify = if together && sources.len() > 1 && !disputed {
        Some(claims::which_of(sources.len()))
    } else {
        verify.map(str::to_owned)
    };
    let partial = !contributors.iter().any(|name| against.evidence.whole.contains(name));
    let level = match confidence {
        _ if partial => Level::Low,
        Confidence::Low => Level::Low,
        Confidence::Medium => Level::Medium,
        Confidence::High => Level::High,
    };
    WrittenFinding {
        sources,
        confidence: own.map_or(level, |own| own.min(level)),
        contributors: contributors.into_iter().map(str::to_owned).collect(),
        verify: if partial { Some(OF_A_PART.to_owned()) } else { verify },
        ..WrittenFinding::default()
    }
}
