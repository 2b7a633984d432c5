//! Clauses that a claim mixes: of `Redis stores data in memory, whereas PostgreSQL stores it on disk` it makes `Redis stores data on
//! disk`, of `30 days for members; others have 14 days` it makes `14 days for members`.

use std::collections::BTreeSet;
use std::ops::Range;

use super::scope::clauses;
use super::what::What;
use crate::domain::near_duplicates::{Element, Features, Role};

mod parallel;

/// Words that join clauses of different subjects.
const JOINTS: &[&str] = &["whereas", "while", "but", "and", "although"];
/// Words of a claim that stand in a figure's rival's clause only, from which on that clause is what it was made from.
const ELSEWHERE_MIN: usize = 3;

/// Figures of a sentence that are looked at.
const FIGURES_MAX: usize = 32;

/// Whether a claim says of one clause's subject, or beside it, what another clause says. Where it isn't English, only names
/// are known to be subjects.
pub(super) fn is_mixed(claim: &Features<'_>, said: &Features<'_>, language: &str) -> bool {
    let is_english = language == "English";
    let parts = clauses(said.text, |word| JOINTS.contains(&word));
    parts.len() > 1
        && (takes_anothers(claim, said, &parts, is_english) || figure_of_another(claim, said, &parts))
        || parallel::are_mixed(claim, said, language)
}

fn clause(parts: &[Range<usize>], start: usize) -> Option<usize> {
    parts.iter().position(|part| part.contains(&start))
}

fn says(element: &&Element) -> bool {
    matches!(element.role, Role::Content | Role::Name)
}

/// Whether its first word is a name of one clause, and its last stands in a later one behind that one's own subject.
fn takes_anothers(
    claim: &Features<'_>,
    said: &Features<'_>,
    parts: &[Range<usize>],
    is_english: bool,
) -> bool {
    let is_name =
        |of: &Features<'_>, element: &Element| of.text[element.start..].starts_with(char::is_uppercase);
    // Where a word stands that is there once.
    let place = |element: &Element| {
        let mut places = said.elements.iter().filter(|other| other.term == element.term);
        places.next().filter(|_| places.next().is_none()).and_then(|only| clause(parts, only.start))
    };
    let words: Vec<&Element> = claim.elements.iter().filter(says).collect();
    let [first, rest @ .., last] = &words[..] else { return false };
    let (Some(own), Some(other)) = (place(first).filter(|_| is_name(claim, first)), place(last)) else {
        return false;
    };
    let is_joint = |element: &Element| JOINTS.contains(&said.text[element.range()].to_lowercase().as_str());
    let mut inside = said.elements.iter().filter(|element| parts[other].contains(&element.start));
    let Some(subject) = inside.find(|element| says(element) && !is_joint(element)) else { return false };
    // All that is said beside the name may be the other clause's.
    let names = rest.iter().take_while(|element| is_name(claim, element)).count();
    let all_there =
        is_english && rest.len() > names && rest[names..].iter().all(|element| place(element) == Some(other));
    let is_left_out = words.iter().all(|word| word.term != subject.term);
    own < other && is_left_out && (is_name(said, subject) || all_there)
}

/// Whether a figure stands in one clause, and all that is said of it in that of a rival which the claim leaves out.
fn figure_of_another(claim: &Features<'_>, said: &Features<'_>, parts: &[Range<usize>]) -> bool {
    let mine: Vec<What> = claim.figures.iter().take(FIGURES_MAX).map(What::of).collect();
    let theirs = said.figures.iter().take(FIGURES_MAX);
    let theirs: Vec<(What, usize)> =
        theirs.filter_map(|figure| Some((What::of(figure), clause(parts, figure.start)?))).collect();
    // The clauses of each word of the claim.
    let words: Vec<BTreeSet<usize>> = claim
        .elements
        .iter()
        .filter(says)
        .map(|word| {
            let same = said.elements.iter().filter(|element| says(element) && element.term == word.term);
            same.filter_map(|element| clause(parts, element.start)).collect()
        })
        .collect();
    let only_in = |part: usize, other: usize| {
        words.iter().filter(|clauses| clauses.contains(&part) && !clauses.contains(&other)).count()
    };
    let beside = |what: What, part: usize| {
        theirs.iter().any(|(other, clause)| *clause == part && *other != what && mine.contains(other))
    };
    mine.iter().any(|what| {
        let mut places = theirs.iter().filter(|(other, _)| other == what).map(|(_, clause)| *clause);
        let (Some(own), None) = (places.next(), places.next()) else { return false };
        let rivals = theirs.iter().filter(|(other, _)| what.rivals(*other) && !mine.contains(other));
        let mut elsewhere = rivals.map(|(_, clause)| *clause).filter(|clause| *clause != own);
        elsewhere.any(|other| only_in(other, own) >= ELSEWHERE_MIN && only_in(own, other) == 0)
            && !beside(*what, own)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::text::words::Lexicon;

    #[test]
    fn clauses_that_are_mixed_are_found() {
        let mut lexicon = Lexicon::default();
        let stores = "Redis stores data in memory, whereas PostgreSQL stores it on disk";
        let refunds = "Members of the club can ask for refunds within 30 days; other customers have 14 days";
        let funding =
            "Funding came from the Gates Foundation and the manufacturer had no role in the analysis";
        for (claim, said, mixed) in [
            ("Redis stores data on disk", stores, true),
            ("Redis stores data in memory", stores, false),
            ("PostgreSQL stores data on disk", stores, false),
            ("Members of the club can ask for refunds within 14 days", refunds, true),
            ("Members of the club can ask for refunds within 30 days", refunds, false),
            ("Other customers have 14 days", refunds, false),
            ("The Gates Foundation had no role in the analysis", funding, true),
            ("Funding came from the Gates Foundation", funding, false),
            ("The manufacturer had no role in the analysis", funding, false),
        ] {
            let (mine, theirs) = (Features::of(&mut lexicon, claim), Features::of(&mut lexicon, said));
            assert_eq!(is_mixed(&mine, &theirs, "English"), mixed, "{claim}");
        }
    }
}
