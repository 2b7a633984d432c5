//! A word that stands in the place of another: `profit` for `revenue`, `per cluster` for `per node`, `GPT-4 Turbo` for `GPT-4o`.
//!
//! Both sentences are aligned by their longest common subsequence (Wagner and Fischer 1974). Where between two words that
//! both have each has something else, that was put for this, unless the two are known to say the same.

use std::cell::LazyCell;

use super::connecting::is_connecting;
use super::evidence::Evidence;
use super::meaning::{Spoken, Tongue};
use super::order::reports;
use super::what::What;
use crate::domain::near_duplicates::{Element, Features, Role};
use crate::domain::text::figures::Unit;
use crate::domain::text::phrases::ends_with_any;
use crate::domain::text::polarity::Mark;

/// Words and figures of a sentence beyond which it is a list, and isn't aligned.
const ALIGNED_MAX: usize = 64;
/// Words that are put for others together.
const TOGETHER_MAX: usize = 2;
/// The same where there is a name or a label among them.
const NAMES_TOGETHER_MAX: usize = 3;

/// A word or figure that is aligned.
#[derive(Clone, Copy)]
struct Thing<'t> {
    what: What,
    is_name: bool,
    is_figure: bool,
    text: &'t str,
    start: usize,
}

/// What a claim has where the sentence that it was made from has something else; both as they are written.
pub(super) fn substituted<'t>(
    claim: &Features<'t>,
    said: &Features<'t>,
    tongue: &Tongue,
) -> Option<(&'t str, &'t str)> {
    let (mine, theirs) = (things(claim, tongue)?, things(said, tongue)?);
    let has = |all: &[Thing<'_>], what: What| all.iter().any(|thing| thing.what == what);
    let spoken = LazyCell::new(|| Spoken::of(tongue.clone(), &[said.text]));
    let is_said = |thing: &Thing<'_>| spoken.says(&thing.text.to_lowercase(), None);
    gaps(&mine, &theirs).into_iter().filter(Gap::fits).find_map(|Gap { new, old, is_inner }| {
        let brings = new.iter().all(|thing| !has(&theirs, thing.what) && !is_said(thing));
        let loses = old.iter().any(|thing| !has(&mine, thing.what));
        let pairs = || new.iter().flat_map(|new| old.iter().map(move |old| (new, old)));
        let opposite = pairs()
            .any(|(new, old)| marks(claim, said, new, old).is_some_and(|(new, old)| new.replaces(old)));
        let same = pairs().any(|(new, old)| say_the_same(claim, said, new, old, tongue));
        let exchanges = is_inner && [new, old].iter().all(|things| things.iter().any(|thing| thing.is_name));
        ((brings || opposite || exchanges) && loses && !same).then(|| (new[0].text, old[0].text))
    })
}

/// How words end that judge or describe.
const DESCRIBING: &[&str] = &["ful", "ous", "ial", "ive", "able", "ible", "less", "ish", "est", "ic"];
/// Words that end like these and judge nothing.
const PLAIN: &[&str] =
    &["able", "available", "initial", "possible", "public", "partial", "previous", "specific", "various"];

/// A word that describes, put in where the sentence that it was made from has nothing: `the controversial bridge`. Nothing where
/// the material or the question has it, or a word that may say the same.
pub(super) fn inserted<'t>(
    claim: &Features<'t>,
    said: &Features<'t>,
    evidence: &Evidence<'_>,
    tongue: &Tongue,
) -> Option<&'t str> {
    let (mine, theirs) = (things(claim, tongue)?, things(said, tongue)?);
    let pairs = aligned(&mine, &theirs);
    if pairs.len() < 3 {
        return None;
    }
    let is_aligned = |at: usize| pairs.iter().any(|(mine, _)| *mine == at);
    let is_new = |thing: &Thing<'_>| matches!(thing.what, What::Name(term) if !evidence.knows(term));
    let is_told =
        |thing: &Thing<'_>| theirs.iter().any(|other| say_the_same(claim, said, thing, other, tongue));
    let word = (0..mine.len()).filter(|at| !is_aligned(*at)).map(|at| &mine[at]).find(|thing| {
        let describes = ends_with_any(thing.text, DESCRIBING);
        describes
            && !PLAIN.contains(&thing.text)
            && is_new(thing)
            && !is_connecting(thing.text)
            && !is_told(thing)
    });
    word.map(|thing| thing.text)
}

/// What each has between two words that both have.
struct Gap<'g, 't> {
    new: &'g [Thing<'t>],
    old: &'g [Thing<'t>],
    /// Whether there is such a word on both sides.
    is_inner: bool,
}

impl Gap<'_, '_> {
    /// Whether the one can have been put for the other. Figures have tests of their own, and words that connect claim nothing.
    fn fits(&self) -> bool {
        let both = || self.new.iter().chain(self.old);
        let names = both().any(|thing| thing.is_name);
        let most = if names { NAMES_TOGETHER_MAX } else { TOGETHER_MAX };
        let lengths = [self.new.len(), self.old.len()];
        lengths.iter().all(|length| (1..=most).contains(length))
            && (names || lengths[0] == lengths[1])
            && !both().any(|thing| thing.is_figure || is_connecting(thing.text))
    }
}

fn gaps<'g, 't>(mine: &'g [Thing<'t>], theirs: &'g [Thing<'t>]) -> Vec<Gap<'g, 't>> {
    let pairs = aligned(mine, theirs);
    // One word of a sentence is not what a claim was made from.
    if pairs.len() < 2 {
        return Vec::new();
    }
    let between = pairs.windows(2).map(|two| {
        let ((a, b), (next_a, next_b)) = (two[0], two[1]);
        Gap { new: &mine[a + 1..next_a], old: &theirs[b + 1..next_b], is_inner: true }
    });
    let ((first_a, first_b), (last_a, last_b)) = (pairs[0], pairs[pairs.len() - 1]);
    // At its ends only what stands directly beside can have been replaced.
    let end = |new, old| Gap { new, old, is_inner: false };
    let before = (first_a == 1 && first_b > 0).then(|| end(&mine[..1], &theirs[first_b - 1..first_b]));
    let after = (last_a + 2 == mine.len() && last_b + 1 < theirs.len())
        .then(|| end(&mine[last_a + 1..], &theirs[last_b + 1..last_b + 2]));
    between.chain(before).chain(after).collect()
}

fn say_the_same(
    claim: &Features<'_>,
    said: &Features<'_>,
    new: &Thing<'_>,
    old: &Thing<'_>,
    tongue: &Tongue,
) -> bool {
    let same_mark = marks(claim, said, new, old).is_some_and(|(new, old)| new == old);
    let (new, old) = (new.text.to_lowercase(), old.text.to_lowercase());
    same_mark || (reports(&new) && reports(&old)) || tongue.say_the_same(&new, &old)
}

/// What two words are in their pairs, where both are in one.
fn marks(
    claim: &Features<'_>,
    said: &Features<'_>,
    new: &Thing<'_>,
    old: &Thing<'_>,
) -> Option<(Mark, Mark)> {
    let mark = |of: &Features<'_>, thing: &Thing<'_>| {
        of.marks.iter().find(|marked| marked.start == thing.start).map(|marked| marked.mark)
    };
    mark(claim, new).zip(mark(said, old))
}

/// What of a sentence is aligned; `None` for lists, and for languages that are written without spaces.
fn things<'t>(of: &Features<'t>, tongue: &Tongue) -> Option<Vec<Thing<'t>>> {
    // Of English it is known which words hold a sentence together: they are no elements.
    let says = |element: &&Element| {
        tongue.is_english() || !tongue.is_light(&of.text[element.range()].to_lowercase())
    };
    let figure = |start: usize| of.figures.iter().find(|figure| figure.start == start);
    let thing = |element: &Element| {
        let text = &of.text[element.range()];
        let capital = text.starts_with(char::is_uppercase) && element.start > 0;
        let word = Thing {
            what: What::Name(element.term),
            is_name: capital,
            is_figure: false,
            text,
            start: element.start,
        };
        match element.role {
            Role::Content | Role::Name => Some(word),
            // `4o` is a part of a name.
            Role::Figure => figure(element.start).map(|figure| {
                let label = figure.unit == Unit::Label;
                Thing { what: What::of(figure), is_name: label, is_figure: !label, ..word }
            }),
            Role::Character | Role::Adverb | Role::Discourse | Role::Attribution | Role::Direction => None,
        }
    };
    let spaced = of.elements.iter().all(|element| element.role != Role::Character);
    let things: Vec<Thing<'t>> = of.elements.iter().filter(says).filter_map(thing).collect();
    (spaced && things.len() <= ALIGNED_MAX).then_some(things)
}

/// The places of a longest common subsequence in both.
fn aligned(mine: &[Thing<'_>], theirs: &[Thing<'_>]) -> Vec<(usize, usize)> {
    let width = theirs.len() + 1;
    let mut lengths = vec![0_u16; (mine.len() + 1) * width];
    for a in (0..mine.len()).rev() {
        for b in (0..theirs.len()).rev() {
            lengths[a * width + b] = if mine[a].what == theirs[b].what {
                lengths[(a + 1) * width + b + 1] + 1
            } else {
                lengths[(a + 1) * width + b].max(lengths[a * width + b + 1])
            };
        }
    }
    let (mut a, mut b, mut pairs) = (0, 0, Vec::new());
    while a < mine.len() && b < theirs.len() {
        if mine[a].what == theirs[b].what {
            pairs.push((a, b));
            (a, b) = (a + 1, b + 1);
        } else if lengths[(a + 1) * width + b] >= lengths[a * width + b + 1] {
            a += 1;
        } else {
            b += 1;
        }
    }
    pairs
}
