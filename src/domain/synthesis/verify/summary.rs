//! The summary of a draft, sentence by sentence, by the sources of the findings that stand.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::cited::rested_on;
use super::evidence::Evidence;
use super::plain::{cleaned, plain};
use super::sentence::Sentence;
use crate::domain::aggregate::result::Finding;
use crate::domain::synthesis::answer::own_list;
use crate::domain::synthesis::written::WrittenFinding;
use crate::domain::text::sentences::sentences;
use crate::domain::text::words::Lexicon;

/// Characters of a summary that are looked at, and its sentences.
const SUMMARY_CHARS_MAX: usize = 4_000;
const SENTENCES_MAX: usize = 12;
/// Sources that one sentence cites.
const CITED_MAX: usize = 6;

/// The sentences of a summary that stand, with their citations rebuilt, and how many don't.
pub(in crate::domain::synthesis) fn summary(
    lexicon: &mut Lexicon,
    evidence: &Evidence<'_>,
    text: &str,
    findings: &[WrittenFinding],
) -> (String, usize) {
    let allowed = allowed(evidence, findings);
    // Markers are taken off sentence by sentence: each says what its own sentence cites.
    let text = own_list::read(&text[..text.floor_char_boundary(SUMMARY_CHARS_MAX * 4)]).text;
    let bounded = text.as_ref();
    let (mut out, mut dropped, mut seen) = (String::new(), 0, BTreeSet::new());
    let ranges = sentences(bounded);
    for (at, range) in ranges.into_iter().enumerate() {
        let Some(raw) = bounded.get(range) else { continue };
        let (line, cited) = cleaned(raw, evidence.sources, SUMMARY_CHARS_MAX);
        let sentence = Sentence::read(lexicon, evidence, &line);
        let cited: Vec<usize> = cited
            .into_iter()
            .map(|number| number as usize - 1)
            .filter(|place| allowed.contains(place))
            .collect();
        // What is said again is no loss.
        if !seen.insert(line.to_lowercase()) {
            continue;
        }
        let found = (at < SENTENCES_MAX && sentence.states)
            .then(|| supported(lexicon, evidence, &sentence, &cited, &allowed))
            .flatten();
        let Some(places) = found else {
            dropped += 1;
            continue;
        };
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&line);
        let sources: Vec<usize> = places.into_iter().filter(|place| *place < evidence.sources).collect();
        if !sources.is_empty() {
            out.push(' ');
        }
        for place in sources {
            let _ = write!(out, "[{}]", place + 1);
        }
    }
    (out, dropped)
}

/// The places that the findings rest on.
fn allowed(evidence: &Evidence<'_>, findings: &[WrittenFinding]) -> BTreeSet<usize> {
    let sources = findings.iter().flat_map(|finding| &finding.sources);
    let mut allowed: BTreeSet<usize> = sources.map(|number| (*number as usize).wrapping_sub(1)).collect();
    let unsourced: BTreeSet<&str> = findings
        .iter()
        .filter(|finding| finding.sources.is_empty())
        .flat_map(|finding| finding.contributors.iter().map(String::as_str))
        .collect();
    let own = evidence.places.iter().enumerate().skip(evidence.sources);
    let is_of = |said: &usize| evidence.said[*said].by.iter().any(|name| unsourced.contains(name));
    allowed.extend(own.filter(|(_, index)| index.said.iter().any(is_of)).map(|(place, _)| place));
    allowed
}

/// The places that support a sentence: what it cites, otherwise those that are closest to it.
fn supported(
    lexicon: &mut Lexicon,
    evidence: &Evidence<'_>,
    sentence: &Sentence<'_>,
    cited: &[usize],
    allowed: &BTreeSet<usize>,
) -> Option<Vec<usize>> {
    if let Some((places, _)) =
        (!cited.is_empty()).then(|| rested_on(lexicon, evidence, &[sentence], cited).ok()).flatten()
    {
        return Some(places);
    }
    for of_sources in [true, false] {
        let wanted = |place: &usize| allowed.contains(place) && (*place < evidence.sources) == of_sources;
        let mut chosen: Vec<usize> = Vec::new();
        for (at, _) in &sentence.related {
            for place in evidence.said[*at].places.iter().filter(|place| wanted(place)) {
                if chosen.contains(place) || chosen.len() >= CITED_MAX {
                    continue;
                }
                chosen.push(*place);
                chosen.sort_unstable();
                if let Ok((places, _)) = rested_on(lexicon, evidence, &[sentence], &chosen) {
                    return Some(places);
                }
            }
        }
    }
    None
}

/// Whether a finding of the baseline may stand as a quotation: its figures and quotations are in the evidence of its
/// sources, and it has sources where its subagents do.
pub(super) fn is_quotable(lexicon: &mut Lexicon, evidence: &Evidence<'_>, finding: &Finding) -> bool {
    let text = plain(&finding.content, evidence.sources);
    let sentence = Sentence::read(lexicon, evidence, &text);
    let of_sources: Vec<usize> = finding
        .sources
        .iter()
        .map(|number| (*number as usize).wrapping_sub(1))
        .filter(|place| *place < evidence.sources)
        .collect();
    let unsourced = || {
        let own = evidence.places.iter().enumerate().skip(evidence.sources);
        let is_of = |said: &usize| {
            evidence.said[*said].by.iter().any(|name| finding.contributors.iter().any(|own| own == name))
        };
        own.filter(|(_, index)| index.said.iter().any(is_of)).map(|(place, _)| place).collect()
    };
    let named = finding.contributors.iter().any(|name| evidence.has_sources(name));
    let chosen: Vec<usize> = match of_sources.is_empty() {
        true if named => return false,
        true => unsourced(),
        false => of_sources,
    };
    sentence.check(lexicon, evidence.at(&chosen)).is_ok()
}
