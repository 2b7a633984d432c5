//! Which of the sources that sentences cite they rest on: what says nothing of them, or something else, is no support, however
//! well the others support them alone.

use std::collections::BTreeSet;

use super::evidence::Evidence;
use super::reason::Reason;
use super::sentence::Sentence;
use crate::domain::text::words::Lexicon;

/// Places that are looked at one by one: more cite a crowd, and those beyond are taken out where these suffice.
const LOOKED_AT_MAX: usize = 16;
/// Sentences that are held against one place each, of all places: a long finding is looked at by fewer.
const CHECKS_MAX: usize = 96;

/// The places that support sentences, and the sentences of the evidence that do.
pub(in crate::domain::synthesis) type Found = (Vec<usize>, BTreeSet<usize>);

/// Those of some places that sentences rest on, each of which is supported by them together. A place stays that supports one
/// of them, or a statement that one joins, alone; one that doesn't stays where the others don't do without it, unless it
/// says something else.
pub(in crate::domain::synthesis) fn rested_on(
    lexicon: &mut Lexicon,
    evidence: &Evidence<'_>,
    read: &[&Sentence<'_>],
    chosen: &[usize],
) -> Result<Found, Vec<Reason>> {
    let most = (CHECKS_MAX / read.len().max(1)).min(LOOKED_AT_MAX);
    let support = all(lexicon, evidence, read, chosen)?;
    let is_said = |place: &usize| support.iter().any(|at| evidence.said[*at].places.contains(place));
    let needed: Vec<usize> = chosen.iter().copied().filter(is_said).take(most).collect();
    let without = match needed.is_empty() || needed.len() == chosen.len() {
        true => None,
        false => all(lexicon, evidence, read, &needed).ok().map(|support| (needed, support)),
    };
    let (mut places, mut support) = without.unwrap_or((chosen.to_vec(), support));
    if places.len() < 2 {
        return Ok((places, support));
    }
    let mut against = None;
    for place in places.clone().into_iter().take(most) {
        let opposed = read.iter().find_map(|sentence| sentence.opposed(lexicon, evidence, place));
        let bears = read.iter().any(|sentence| sentence.rests_on(lexicon, evidence, place));
        if bears && opposed.is_none() {
            continue;
        }
        let others: Vec<usize> = places.iter().copied().filter(|other| *other != place).collect();
        match all(lexicon, evidence, read, &others) {
            Ok(found) if !others.is_empty() => (places, support) = (others, found),
            Ok(_) | Err(_) if !bears => against = against.or(opposed),
            Ok(_) | Err(_) => {}
        }
    }
    match against {
        Some(reason) => Err(vec![reason]),
        None => Ok((places, support)),
    }
}

/// The sentences of the evidence that support some, by some places taken together; or all that is wrong.
fn all(
    lexicon: &mut Lexicon,
    evidence: &Evidence<'_>,
    read: &[&Sentence<'_>],
    chosen: &[usize],
) -> Result<BTreeSet<usize>, Vec<Reason>> {
    let (mut support, mut reasons) = (BTreeSet::new(), Vec::new());
    for sentence in read {
        match sentence.check(lexicon, evidence.at(chosen)) {
            Ok(found) => support.extend(found),
            Err(why) => reasons.extend(why),
        }
    }
    if reasons.is_empty() { Ok(support) } else { Err(reasons) }
}
