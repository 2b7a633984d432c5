//! A claim made from one of the statements that a sentence joins, held to that one alone: of `Lena is faster than Omar, but Omar is
//! stronger than Lena` it makes `Lena is stronger than Omar`. In the whole sentence each of its words stands where it may.

use std::collections::BTreeSet;

use crate::domain::near_duplicates::{Element, Features, Role};
use crate::domain::synthesis::verify::compared::is_turned_round;
use crate::domain::synthesis::verify::meaning::Tongue;
use crate::domain::synthesis::verify::order::keeps_roles;
use crate::domain::synthesis::verify::reason::{Reason, shown};
use crate::domain::synthesis::verify::scope::{joined, tokens};
use crate::domain::text::words::{Lexicon, Term};

/// With these somebody says what follows.
const SAYING: &[&str] = &[
    "said", "says", "say", "told", "tells", "informed", "asked", "claimed", "claims", "wrote", "warned",
    "sagte", "sagt", "dit", "dijo", "disse",
];

/// With these somebody says it to somebody.
const ADDRESSING: &[&str] = &["told", "tells", "informed", "asked"];

/// Prepositions before whom something is said to.
const TO: &[&str] = &["to", "zu", "à", "a", "ao", "al"];

/// Whether a text says who said something to whom.
fn is_addressed(text: &str) -> bool {
    let words: Vec<String> = tokens(text).map(|(_, word)| word).collect();
    let has = |listed: &[&str], at: usize| words.get(at).is_some_and(|word| listed.contains(&word.as_str()));
    (0..words.len()).any(|at| has(ADDRESSING, at) || has(SAYING, at) && has(TO, at + 1))
}

/// What was turned round against the only statement of a sentence that has all of the claim's words.
pub(super) fn turned(
    lexicon: &mut Lexicon,
    (claim, tongue): (&Features<'_>, Option<&Tongue>),
    said: &str,
) -> Option<Reason> {
    let has_all = |part: &Features<'_>| {
        claim
            .elements
            .iter()
            .filter(|element| says(element))
            .all(|element| part.elements.iter().any(|other| other.term == element.term))
    };
    let mut made_from = None;
    let parts = joined(said);
    if parts.is_empty() && is_addressed(claim.text) {
        made_from = Some(Features::of(lexicon, said)).filter(|said| says_the_other(claim, said));
    }
    for range in parts {
        let part = Features::of(lexicon, &said[range]);
        if has_all(&part) && made_from.replace(part).is_some() {
            return None;
        }
    }
    let part = made_from?;
    let is_turned = !keeps_roles(claim, &part, tongue)
        || is_turned_round(claim.text, part.text)
        || says_the_other(claim, &part);
    is_turned.then(|| {
        Reason::new(
            "order_changed",
            format!("names or figures changed places; the source says: “{}”", shown(part.text)),
        )
    })
}

fn says(element: &Element) -> bool {
    matches!(element.role, Role::Content | Role::Name | Role::Character | Role::Figure)
}

/// Whether who says it in the claim is whom it is said of, and the other way round.
fn says_the_other(claim: &Features<'_>, said: &Features<'_>) -> bool {
    let (Some(mine), Some(theirs)) = (speaker(claim), speaker(said)) else { return false };
    let crosses = |at: usize| !mine[at].is_disjoint(&theirs[1 - at]) && mine[at].is_disjoint(&theirs[at]);
    crosses(0) && !mine[1].is_disjoint(&theirs[0])
}

/// The words before what says that somebody says it, and those behind it.
fn speaker(of: &Features<'_>) -> Option<[BTreeSet<Term>; 2]> {
    let (range, _) = tokens(of.text).find(|(_, word)| SAYING.contains(&word.as_str()))?;
    let terms = |before: bool| {
        let on_side =
            of.elements.iter().filter(|element| says(element) && (element.start < range.start) == before);
        on_side.filter(|element| !range.contains(&element.start)).map(|element| element.term).collect()
    };
    Some([terms(true), terms(false)])
}
