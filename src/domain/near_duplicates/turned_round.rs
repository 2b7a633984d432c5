//! The same words in the same frame, with two things in each other's places: `Windows is supported while Linux is not supported`, `Linux
//! is supported while Windows is not supported`.
//!
//! What stands between the two tells one place from the other. Words may stand there more than once, so that places are compared.

use super::exchanged::is_level;
use super::features::Features;
use crate::domain::text::words::{Kind, Term};

/// Words or characters of a text that is looked at.
const UNITS_MAX: usize = 64;
/// Units around what changed places in which its clause may begin or end.
const AROUND_MAX: usize = 4;
/// Chinese and Japanese characters between things of the same rank.
const LEVEL: [char; 9] = ['和', '与', '與', '跟', '及', '或', 'と', 'や', '而'];

/// A word, or a Chinese or Japanese character.
#[derive(Clone, Copy)]
struct Unit<'t> {
    term: Term,
    written: &'t str,
}

/// Whether two things changed places, and all else stands where it did.
pub(super) fn is_turned_round(one: &Features<'_>, other: &Features<'_>) -> bool {
    if one.words.len() != other.words.len() || one.words.len() > UNITS_MAX {
        return false;
    }
    let (mine, theirs) = (units(one), units(other));
    let differ = |at: &usize| mine[*at].term != theirs[*at].term;
    if mine.len() != theirs.len() || mine.len() > UNITS_MAX {
        return false;
    }
    let moved: Vec<usize> = (0..mine.len()).filter(differ).collect();
    let (Some(first), Some(last)) = (moved.first(), moved.last()) else { return false };
    // What stands in the place of each stands in the other's.
    let is_exchange = moved.iter().all(|&at| {
        let (x, y) = (mine[at].term, theirs[at].term);
        let back = |&with: &usize| mine[with].term == y;
        moved.iter().filter(|with| back(with)).all(|&with| theirs[with].term == x) && moved.iter().any(back)
    });
    let between: Vec<&Unit<'_>> =
        (*first..*last).filter(|at| !moved.contains(at)).map(|at| &mine[at]).collect();
    let is_told = match between[..] {
        // `von Acme an Beta`, `de Ana a Luis`: between two things alone it is no article.
        [only] if is_a(only) => true,
        // Arabic tells who does it from to whom it is done by their order.
        [] => moved.iter().all(|at| mine[*at].written.starts_with(is_arabic)),
        _ => between.iter().any(|unit| !is_joint(unit)),
    };
    is_exchange && is_told && !are_clauses(&mine, &theirs, (*first, *last))
}

fn is_a(unit: &Unit<'_>) -> bool {
    ["a", "an"].iter().any(|word| unit.written.eq_ignore_ascii_case(word))
}

fn is_arabic(c: char) -> bool {
    matches!(c, '\u{0620}'..='\u{06FF}')
}

fn units<'t>(of: &Features<'t>) -> Vec<Unit<'t>> {
    let mut units: Vec<Unit<'t>> = Vec::with_capacity(of.words.len() + 1);
    let mut done = 0;
    for word in &of.words {
        let written = &of.text[word.range()];
        if word.kind != Kind::Cjk {
            units.push(Unit { term: word.term, written });
            continue;
        }
        for (offset, c) in written.char_indices() {
            let start = word.start + offset;
            if start >= done {
                done = start + c.len_utf8();
                units.push(Unit { term: Term(u64::from(u32::from(c))), written: &of.text[start..done] });
            }
        }
    }
    units
}

/// Whether a word only joins things of the same rank.
fn is_joint(unit: &Unit<'_>) -> bool {
    is_level(unit.term) || unit.written.starts_with(LEVEL)
}

/// Whether whole clauses changed places, joined by nothing that tells which is which: `in team A costs fell, in team B sales rose`.
fn are_clauses(mine: &[Unit<'_>], theirs: &[Unit<'_>], (first, last): (usize, usize)) -> bool {
    let same =
        |mine: &[Unit<'_>], theirs: &[Unit<'_>]| mine.iter().zip(theirs).all(|(a, b)| a.term == b.term);
    let starts = first.saturating_sub(AROUND_MAX)..=first;
    let turned = |start: usize, end: usize| {
        let (mine, theirs) = (&mine[start..end], &theirs[start..end]);
        let length = mine.len();
        let is_joint = |unit: &Unit<'_>| is_joint(unit) && !is_a(unit);
        // `x` up to `x`, then what joins, then `y`.
        (1..length).any(|x| {
            let joints = mine[x..].iter().take_while(|unit| is_joint(unit)).count();
            (0..=joints).any(|joints| {
                let y = length - x - joints;
                y > 0
                    && same(&mine[x + joints..], &theirs[..y])
                    && same(&mine[..x], &theirs[y + joints..])
                    && same(&mine[x..x + joints], &theirs[y..y + joints])
            })
        })
    };
    // Two Arabic words that changed places are no clauses.
    let is_verbal = last == first + 1 && mine[first].written.starts_with(is_arabic);
    let mut starts = starts.into_iter().filter(|_| !is_verbal);
    starts.any(|start| (last + 1..=mine.len().min(last + 1 + AROUND_MAX)).any(|end| turned(start, end)))
}
