//! Whether two texts say the same.

use super::confusable::confusable;
use super::exchanged::exchanged;
use super::features::{Element, Features, Role};
use super::{denied, joints, spelled, symbols, voice, wide_shifts};
use crate::domain::text::cased;
use crate::domain::text::figures::Unit;
use crate::domain::text::words::Term;

/// How much may be left over on both sides.
const BOTH_MAX: usize = 8;
/// Elements that two texts must have at least before anything may be left over.
const SHORT: usize = 4;

/// Figures of which every two are compared; more must be in the same order.
const FIGURES_MAX: usize = 32;

/// Whether two texts are near duplicates. Linear in their lengths but for a sort of the common words.
pub fn near(one: &Features<'_>, other: &Features<'_>) -> bool {
    one.signature == other.signature
        && joints::agree(&one.joints, &other.joints)
        && (one.digest == other.digest || (leftovers_are_harmless(one, other) && order_is_kept(one, other)))
        && says_it_alike(one, other)
}

/// Whether function words say the same of texts whose other words do.
pub(super) fn says_it_alike(one: &Features<'_>, other: &Features<'_>) -> bool {
    one.text == other.text
        || voice::agree(one, other)
            && denied::agree(one, other)
            && spelled::agree(one, other)
            && symbols::agree(one.text, other.text, one.apart && other.apart)
            && cased::agree(one.text, other.text)
}

/// What only one of two texts has.
pub(super) fn only<'e>(one: &'e Features<'_>, other: &Features<'_>) -> Vec<&'e Element> {
    let mut only = Vec::new();
    let mut theirs = other.sorted().iter().peekable();
    for (term, at) in one.sorted() {
        while theirs.next_if(|(known, _)| known < term).is_some() {}
        if theirs.next_if(|(known, _)| known == term).is_none() {
            only.push(&one.elements[*at as usize]);
        }
    }
    only.retain(|element| element.role != Role::Direction);
    only
}

/// How many of some elements have which weight.
#[derive(Default)]
pub(super) struct Left {
    heavy: usize,
    adverbs: usize,
    attributed: usize,
    /// Names, polarity words and those that shift what is said.
    names: bool,
}

impl Left {
    pub(super) fn of(elements: &[&Element]) -> Self {
        let mut left = Self::default();
        for element in elements {
            left.names |= element.marked || joints::shifts(element);
            match element.role {
                Role::Content | Role::Character | Role::Figure => left.heavy += 1,
                Role::Name => {
                    left.heavy += 1;
                    left.names = true;
                }
                Role::Adverb => left.adverbs += 1,
                Role::Attribution => left.attributed += 1,
                Role::Discourse | Role::Direction => {}
            }
        }
        left
    }

    pub(super) fn says_more(&self) -> bool {
        self.heavy > 0
    }

    fn none_but_joints(&self) -> bool {
        self.heavy + self.adverbs == 0
    }
}

fn leftovers_are_harmless(one: &Features<'_>, other: &Features<'_>) -> bool {
    let (mut mine, mut theirs) = (only(one, other), only(other, one));
    let small = one.elements.len().min(other.elements.len());
    // With much left on both sides, typing errors can't be the reason.
    if mine.len() + theirs.len() > small + 12 || mine.len().min(theirs.len()) > BOTH_MAX {
        return false;
    }
    take_typing_errors(one.text, &mut mine, other.text, &mut theirs);
    let (mine, theirs) = (Left::of(&mine), Left::of(&theirs));
    let characters = one.elements.iter().any(|element| element.role == Role::Character);
    // A word more may restrict or negate what is said (`large farms`); of Chinese characters a few make one word.
    let heavy_max = if small < SHORT || !characters { 0 } else { (small / 5).max(4) };
    let inserted = mine.heavy.max(theirs.heavy) <= heavy_max && mine.adverbs.max(theirs.adverbs) <= small / 2;
    let harmful = mine.names || theirs.names || (mine.attributed > 0 && theirs.attributed > 0);
    !harmful
        && (mine.none_but_joints() || theirs.none_but_joints())
        && inserted
        && (!characters || wide_shifts::agree(one.text, other.text))
}

/// Takes pairs of words away that differ by a typing error.
pub(super) fn take_typing_errors(
    one: &str,
    mine: &mut Vec<&Element>,
    other: &str,
    theirs: &mut Vec<&Element>,
) {
    const WORDS_MAX: usize = 16;
    if mine.len() > WORDS_MAX || theirs.len() > WORDS_MAX {
        return;
    }
    mine.retain(|element| {
        let matching = theirs.iter().position(|candidate| {
            let roles = [element.role, candidate.role];
            let words = roles.iter().all(|role| {
                matches!(
                    role,
                    Role::Content | Role::Name | Role::Adverb | Role::Discourse | Role::Attribution
                )
            });
            // `Schmitt` is another than `Schmidt`.
            let are_kept = roles.contains(&Role::Name) || element.marked && candidate.marked;
            words
                && !are_kept
                && typing_error(&one[element.range()], &other[candidate.start..candidate.end])
                && !spelled::is_spelled(one, &(element.range()))
                && !spelled::is_spelled(other, &(candidate.start..candidate.end))
        });
        matching.map(|at| theirs.remove(at)).is_none()
    });
}

/// Whether two words differ by one letter that is missing, doubled, changed or has changed places, after the first
/// letter (Damerau 1964). Short words must be long enough for that to be no other word.
fn typing_error(one: &str, other: &str) -> bool {
    const CHARS_MIN: usize = 4;
    let first = |word: &str| word.chars().next().map(|c| c.to_ascii_lowercase());
    if one.len().abs_diff(other.len()) > 4 || first(one) != first(other) {
        return false;
    }
    let one: Vec<char> = one.chars().flat_map(char::to_lowercase).collect();
    let other: Vec<char> = other.chars().flat_map(char::to_lowercase).collect();
    let (short, long) = if one.len() <= other.len() { (&one, &other) } else { (&other, &one) };
    if short.len() < CHARS_MIN || long.len() - short.len() > 1 || short[0] != long[0] {
        return false;
    }
    if confusable(&one.iter().collect::<String>(), &other.iter().collect::<String>()) {
        return false;
    }
    let start = short.iter().zip(long.iter()).take_while(|(a, b)| a == b).count();
    let end = short.iter().rev().zip(long.iter().rev()).take_while(|(a, b)| a == b).count();
    let middle = |word: &[char]| word.len().saturating_sub(start + end);
    match (middle(short), middle(long)) {
        _ if long.len() > short.len() => start + end >= short.len(),
        (1, 1) => short.len() > 5,
        (2, 2) => short[start] == long[start + 1] && short[start + 1] == long[start],
        _ => false,
    }
}

/// Whether nothing changed places in a way that changes who does what. Clauses may, so that an order with two falling
/// steps is fine; three elements in the opposite order (`A acquired B`, `B acquired A`) aren't, nor two around a word that tells
/// which is which, and figures of one unit must keep a neighbour.
pub(in crate::domain) fn order_is_kept(one: &Features<'_>, other: &Features<'_>) -> bool {
    let common = common(one, other);
    let places: Vec<usize> = common.iter().map(|&(_, theirs)| theirs).collect();
    if longest_falling(&places) >= 3 {
        return false;
    }
    let unit = |place: usize| {
        let element = &one.elements[place];
        let at = one.figures.binary_search_by_key(&element.start, |figure| figure.start);
        at.ok().filter(|_| element.role == Role::Figure).map(|at| one.figures[at].unit)
    };
    let figures: Vec<_> = common.iter().filter_map(|&place| Some((place, unit(place.0)?))).collect();
    if figures.len() > FIGURES_MAX {
        return figures.is_sorted_by_key(|((_, theirs), _)| *theirs);
    }
    let says = |&&(place, _): &&(usize, usize)| one.elements[place].role != Role::Direction;
    let telling: Vec<(usize, usize)> = common.iter().filter(says).copied().collect();
    let swapped = |&((mine, theirs), unit): &((usize, usize), Unit)| {
        figures.iter().any(|&((with, their), other)| other == unit && (with < mine) != (their < theirs))
    };
    figures.iter().all(|figure| !swapped(figure) || keeps_neighbour(&telling, figure.0))
        && !exchanged(one, other, &telling)
}

/// Whether an element has the same one before it or after it in both texts, of those that each text has once: `node` tells
/// nothing of `node 1` and `node 2`.
fn keeps_neighbour(common: &[(usize, usize)], (mine, theirs): (usize, usize)) -> bool {
    let all = || common.iter().copied();
    let before = (
        all().filter(|place| place.0 < mine).max_by_key(|place| place.0),
        all().filter(|place| place.1 < theirs).max_by_key(|place| place.1),
    );
    let after = (
        all().filter(|place| place.0 > mine).min_by_key(|place| place.0),
        all().filter(|place| place.1 > theirs).min_by_key(|place| place.1),
    );
    [before, after].iter().any(|(one, other)| one.is_some() && one == other)
}

/// The places of terms that both texts have exactly once, in the order of the first.
fn common(one: &Features<'_>, other: &Features<'_>) -> Vec<(usize, usize)> {
    let mut common: Vec<(usize, usize)> = Vec::new();
    let mut theirs = once(other).peekable();
    for (term, mine) in once(one) {
        while theirs.next_if(|(known, _)| *known < term).is_some() {}
        if let Some((_, at)) = theirs.next_if(|(known, _)| *known == term) {
            common.push((mine, at));
        }
    }
    common.sort_unstable();
    common
}

fn once<'f>(of: &'f Features<'_>) -> impl Iterator<Item = (Term, usize)> + 'f {
    let sorted = of.sorted();
    sorted.iter().enumerate().filter_map(move |(at, &(term, place))| {
        let alone = |other: Option<&(Term, u32)>| other.is_none_or(|other| other.0 != term);
        let joint = matches!(of.elements[place as usize].role, Role::Discourse | Role::Attribution);
        let before = at.checked_sub(1).and_then(|before| sorted.get(before));
        (alone(before) && alone(sorted.get(at + 1)) && !joint).then_some((term, place as usize))
    })
}

/// The length of the longest falling subsequence (Schensted 1961), O(n log n).
pub(in crate::domain) fn longest_falling(places: &[usize]) -> usize {
    let mut tails: Vec<usize> = Vec::new();
    for &place in places.iter().rev() {
        let at = tails.partition_point(|&tail| tail < place);
        match tails.get_mut(at) {
            Some(tail) => *tail = place,
            None => tails.push(place),
        }
    }
    tails.len()
}
