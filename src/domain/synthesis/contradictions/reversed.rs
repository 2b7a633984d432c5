//! Two things that changed places: `Marseille is larger than Lyon` and `Lyon is larger than Marseille`; `Alpha beat Beta on 3 May`
//! and `Beta beat Alpha on 3 May`.

use super::Kind;
use super::alternatives::are_others;
use super::apart::are_apart;
use super::differ::{Difference, by_unit, negations};
use super::reading::Reading;
use crate::domain::distinct::distinct;
use crate::domain::near_duplicates::{Features, Role};
use crate::domain::synthesis::claims::are_headed_alike;
use crate::domain::text::figures::{Figure, Unit};
use crate::domain::text::words::Term;
use std::ops::Range;

/// What one does to the other, once on a day.
const BEAT: [&str; 9] =
    ["beat", "beats", "defeated", "defeats", "besiegte", "schlug", "battu", "venció", "derrotó"];
/// What one does to the other, once.
const ONCE: [&str; 1] = ["acquired"];
/// Behind a verb, makes it one of the other direction.
const BY: [&str; 4] = ["by", "von", "par", "por"];

/// Where a statement compares two things or tells what one does to the other.
struct Joint {
    /// The words that stand in the middle.
    range: Range<usize>,
    day: bool,
    once: bool,
    passive: bool,
}

/// The same comparison or deed, with the two in each other's place.
pub(super) fn difference(said: &Reading<'_, '_>, told: &Reading<'_, '_>) -> Option<Difference> {
    if said.content().terms != told.content().terms {
        return None;
    }
    let (one, other) = (said.of, told.of);
    let (mine, theirs) = (joint(one)?, joint(other)?);
    if !are_headed_alike((said.said, one), (told.said, other)) {
        return None;
    }
    let written = |of: &Features<'_>, joint: &Joint| of.text[joint.range.clone()].to_lowercase();
    let (left, right) = (by_unit(&one.figures), by_unit(&other.figures));
    let same = left.len() == right.len() && left.iter().zip(right).all(|(a, b)| a.same(b));
    if written(one, &mine) != written(other, &theirs)
        || mine.passive != theirs.passive
        || !same
        || negations(one) + negations(other) != 0
        || are_others(one, other)
        || are_apart(one, other)
        || mine.day && !one.figures.iter().any(is_day)
        || [(one, &mine), (other, &theirs)].iter().any(|(of, joint)| joint.once && takes_a_part(of, joint))
    {
        return None;
    }
    let (mine, theirs) = (sides(one, &mine), sides(other, &theirs));
    // What both say on one side, such as `in the final`, tells neither.
    let is_shared = |term: &Term| (0..2).any(|side| mine[side].contains(term) && theirs[side].contains(term));
    let telling =
        |side: &[Term]| -> Vec<Term> { side.iter().filter(|term| !is_shared(term)).copied().collect() };
    let [a, b] = [&mine, &theirs].map(|sides| [telling(&sides[0]), telling(&sides[1])]);
    let exchanged = !a[0].is_empty() && !a[1].is_empty() && a[0] != a[1] && a[0] == b[1] && a[1] == b[0];
    exchanged.then(|| Difference::new(Kind::Polarity, first(one), first(other)))
}

/// What a statement begins with, up to the middle.
fn first(of: &Features<'_>) -> String {
    let end = joint(of).map_or(0, |joint| joint.range.start);
    of.text[..end].trim().to_owned()
}

/// Whether it is a part of something that was acquired: two firms can each buy a branch of the other.
fn takes_a_part(of: &Features<'_>, joint: &Joint) -> bool {
    let behind = of.words.iter().filter(|word| word.start >= joint.range.end);
    let mut written = behind.map(|word| &of.text[word.range()]);
    written.any(|word| word.eq_ignore_ascii_case("of") || word.ends_with("'s") || word.ends_with("’s"))
}

fn is_day(figure: &Figure) -> bool {
    figure.unit == Unit::Date
        && figure.low == figure.high
        && figure.low.whole().is_some_and(|date| date % 100 > 0)
}

fn joint(of: &Features<'_>) -> Option<Joint> {
    let at = |at: usize| of.words.get(at).map_or("", |word| &of.text[word.range()]);
    let is = |word: &str, listed: &[&str]| listed.iter().any(|known| known.eq_ignore_ascii_case(word));
    for (place, word) in of.words.iter().enumerate().skip(1) {
        let (written, before) = (&of.text[word.range()], at(place - 1));
        let degree = place.checked_sub(2).map_or("", at);
        let more = is(degree, &["more", "less", "plus", "moins", "más", "menos", "più", "meno"]);
        // `rather than` and `other than` compare nothing.
        let compares = is(written, &["than", "als"])
            && (more || before.ends_with("er"))
            && !is(
                before,
                &["rather", "other", "either", "further", "lieber", "eher", "oder", "weder", "immer", "aber"],
            )
            || is(written, &["que"]) && more;
        if compares {
            let start = of.words[if more { place - 2 } else { place - 1 }].start;
            return Some(Joint { range: start..word.end, day: false, once: false, passive: false });
        }
        if is(written, &BEAT) || is(written, &ONCE) {
            let passive = is(at(place + 1), &BY);
            let once = is(written, &ONCE);
            return Some(Joint { range: word.range(), day: !once, once, passive });
        }
    }
    None
}

/// What stands before the middle, and behind it: distinct and sorted.
fn sides(of: &Features<'_>, joint: &Joint) -> [Vec<Term>; 2] {
    let within = |from: usize, to: usize| {
        let said = of.elements.iter().filter(|element| {
            matches!(element.role, Role::Content | Role::Name) && element.start >= from && element.end <= to
        });
        distinct(said.map(|element| element.term))
    };
    [within(0, joint.range.start), within(joint.range.end, of.text.len())]
}
