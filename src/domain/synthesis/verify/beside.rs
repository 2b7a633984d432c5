//! Figures that changed places, and what they stand beside: with `120 in 2020 and 340 in 2023`, `340 in 2023, after 120 in 2020`
//! says the same, `340 in 2020 and 120 in 2023` doesn't.

use super::what::{What, before, ends_with_one};
use crate::domain::near_duplicates::{Element, Features, Role};
use crate::domain::text::figures::Figure;
use crate::domain::text::words::Term;

/// Figures and names that are looked at.
const THINGS_MAX: usize = 24;
/// What stands before a figure that something changes from, or is compared with.
const FROM: &[&str] = &[
    "from",
    "against",
    "versus",
    "vs",
    "vs.",
    "compared with",
    "compared to",
    "after",
    "von",
    "gegenüber",
    "desde",
];
/// What stands before one that something changes to.
const TO: &[&str] = &["to", "auf", "reaching", "reached", "hasta"];

/// A figure or name that both have once, with its places in them, counted in elements.
#[derive(Debug, Clone, Copy)]
struct Common {
    what: What,
    mine: usize,
    theirs: usize,
    /// What it changes from or to, in each.
    ends: [Option<End>; 2],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    From,
    To,
}

/// Whether figures of one unit stand beside the same things in both, and change from and to the same.
pub(super) fn figures_keep(claim: &Features<'_>, said: &Features<'_>) -> bool {
    let common = common(claim, said);
    let pairs = || (0..common.len()).flat_map(|at| (at + 1..common.len()).map(move |other| (at, other)));
    pairs().all(|(f, g)| {
        let (first, second) = (&common[f], &common[g]);
        if !matches!(first.what, What::Figure(..)) || !first.what.rivals(second.what) {
            return true;
        }
        let anchors = pairs().filter(|&(p, q)| p != f && p != g && q != f && q != g);
        let anchors = anchors.map(|(p, q)| (&common[p], &common[q])).filter(|(p, q)| p.what.rivals(q.what));
        let together: Vec<bool> = anchors.filter_map(|anchors| stay(first, second, anchors)).collect();
        if together.contains(&false) {
            return false;
        }
        match (changes_from(first, second, 0), changes_from(first, second, 1)) {
            (Some(mine), Some(theirs)) => mine == theirs,
            _ if !reversed(first, second) || together.contains(&true) => true,
            _ => [first, second].iter().all(|figure| keeps_neighbour(claim, said, figure)),
        }
    })
}

fn reversed(one: &Common, other: &Common) -> bool {
    (one.mine < other.mine) != (one.theirs < other.theirs)
}

/// Whether two figures stay with their two anchors; nothing where no pair changed its order, or what belongs together can't be
/// told.
fn stay(f: &Common, g: &Common, (p, q): (&Common, &Common)) -> Option<bool> {
    if !reversed(f, g) && !reversed(p, q) {
        return None;
    }
    let nearer = |place: fn(&Common) -> usize| {
        let apart = |a: &Common, b: &Common| place(a).abs_diff(place(b));
        (apart(f, p) + apart(g, q)).cmp(&(apart(f, q) + apart(g, p)))
    };
    let (mine, theirs) = (nearer(|common| common.mine), nearer(|common| common.theirs));
    (mine.is_ne() && theirs.is_ne()).then_some(mine == theirs)
}

/// Whether something changes from the first of two figures (or from the second) in the claim (0) or what was said (1).
fn changes_from(one: &Common, other: &Common, place: usize) -> Option<bool> {
    match (one.ends[place], other.ends[place]) {
        (Some(End::From), Some(End::To) | None) | (None, Some(End::To)) => Some(true),
        (Some(End::To) | None, Some(End::From)) | (Some(End::To), None) => Some(false),
        (None, None) | (Some(End::From), Some(End::From)) | (Some(End::To), Some(End::To)) => None,
    }
}

/// Whether a figure has the same thing before it or after it in both.
fn keeps_neighbour(claim: &Features<'_>, said: &Features<'_>, figure: &Common) -> bool {
    let beside = |of: &Features<'_>, at: usize| -> [Option<Term>; 2] {
        let says = |at: &usize| !matches!(of.elements[*at].role, Role::Direction);
        let before = (0..at).rev().find(says);
        let after = (at + 1..of.elements.len()).find(says);
        [before, after].map(|place| place.map(|place| of.elements[place].term))
    };
    let (mine, theirs) = (beside(claim, figure.mine), beside(said, figure.theirs));
    (0..2).any(|side| mine[side].is_some() && mine[side] == theirs[side])
}

/// The figures and names that both have once.
fn common(claim: &Features<'_>, said: &Features<'_>) -> Vec<Common> {
    let (mine, theirs) = (things(claim), things(said));
    let once = |all: &[(What, usize, Option<End>)], what: What| {
        let mut places = all.iter().filter(|(other, ..)| *other == what);
        places.next().filter(|_| places.next().is_none()).map(|(_, place, end)| (*place, *end))
    };
    let both = mine.iter().filter_map(|(what, ..)| {
        let ((mine, my_end), (theirs, their_end)) = (once(&mine, *what)?, once(&theirs, *what)?);
        Some(Common { what: *what, mine, theirs, ends: [my_end, their_end] })
    });
    both.take(THINGS_MAX).collect()
}

fn things(of: &Features<'_>) -> Vec<(What, usize, Option<End>)> {
    let figure = |start: usize| of.figures.iter().find(|figure| figure.start == start);
    let thing = |(at, element): (usize, &Element)| {
        let capital = at == 0 && of.text[element.start..].starts_with(char::is_uppercase);
        match element.role {
            Role::Figure => figure(element.start).map(|figure| (What::of(figure), at, end(of.text, figure))),
            Role::Name => Some((What::Name(element.term), at, None)),
            Role::Content if capital => Some((What::Name(element.term), at, None)),
            Role::Content
            | Role::Character
            | Role::Adverb
            | Role::Discourse
            | Role::Attribution
            | Role::Direction => None,
        }
    };
    of.elements.iter().enumerate().filter_map(thing).collect()
}

/// Whether something changes from a figure or to it.
fn end(text: &str, figure: &Figure) -> Option<End> {
    let before = before(text, figure);
    match (ends_with_one(&before, FROM), ends_with_one(&before, TO)) {
        (true, _) => Some(End::From),
        (false, true) => Some(End::To),
        (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::text::words::Lexicon;

    #[test]
    fn figures_stay_with_what_they_belong_to() {
        let mut lexicon = Lexicon::default();
        let staff = "Acme had 120 employees in 2020 and 340 employees in 2023";
        let power = "It had 10.4 GW by the end of 2024, up from 0.5 GW in 2020";
        for (claim, said, kept) in [
            ("Acme had 340 employees in 2023 and 120 employees in 2020", staff, true),
            ("Acme had 340 employees in 2020 and 120 employees in 2023", staff, false),
            ("In 2023 it had 340 employees, in 2020 it had 120", staff, true),
            ("It grew from 0.5 GW in 2020 to 10.4 GW by the end of 2024", power, true),
            ("It grew from 0.5 GW in 2024 to 10.4 GW in 2020", power, false),
            ("It went from 10.4 GW by the end of 2024 to 0.5 GW in 2020", power, false),
            ("Revenue rose to 8 million from 5 million", "Revenue rose from 5 million to 8 million", true),
            ("Globex had 75 and Acme 120", "Acme had 120 and Globex 75", true),
            ("Globex had 120 and Acme 75", "Acme had 120 and Globex 75", false),
            ("Acme had 75 and Globex 120", "Acme had 120 and Globex 75", false),
        ] {
            let (mine, theirs) = (Features::of(&mut lexicon, claim), Features::of(&mut lexicon, said));
            assert_eq!(figures_keep(&mine, &theirs), kept, "{claim} / {said}");
        }
    }
}
