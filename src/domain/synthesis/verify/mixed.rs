//! Clauses that a claim mixes: of `Redis stores data in memory, whereas PostgreSQL stores it on disk` it makes `Redis stores data on
//! disk`, of `30 days for members; others have 14 days` it makes `14 days for members`.

use std::ops::Range;

use super::scope::clauses;
use super::what::What;
use crate::domain::aggregate::near_duplicates::{Element, Features, Role};
use crate::domain::text::figures::Figure;
use crate::domain::text::language::told;
use crate::domain::text::words::Term;

/// Words that join clauses of different subjects.
const JOINTS: &[&str] = &["whereas", "while", "but", "and", "although"];
/// Words of a claim that stand in a figure's rival's clause only, from which on that clause is what it was made from.
const ELSEWHERE_MIN: usize = 3;

/// Whether a claim says of one clause's subject, or beside it, what another clause says.
pub(super) fn is_mixed(claim: &Features<'_>, said: &Features<'_>) -> bool {
    let parts = clauses(said.text, |word| JOINTS.contains(&word));
    parts.len() > 1 && (takes_anothers(claim, said, &parts) || figure_of_another(claim, said, &parts))
}

fn clause(parts: &[Range<usize>], start: usize) -> Option<usize> {
    parts.iter().position(|part| part.contains(&start))
}

fn is_name(of: &Features<'_>, element: &Element) -> bool {
    matches!(element.role, Role::Content | Role::Name)
        && of.text[element.start..].starts_with(char::is_uppercase)
}

/// Whether its first word is a name of one clause, and its last stands in a later one behind that one's own name.
fn takes_anothers(claim: &Features<'_>, said: &Features<'_>, parts: &[Range<usize>]) -> bool {
    let says = |element: &&Element| matches!(element.role, Role::Content | Role::Name);
    let only = |term: Term| {
        let mut places = said.elements.iter().filter(|element| element.term == term);
        places.next().filter(|_| places.next().is_none())
    };
    let (Some(first), Some(last)) = (claim.elements.first(), claim.elements.iter().rev().find(says)) else {
        return false;
    };
    let (Some(theirs), Some(end)) = (only(first.term).filter(|_| is_name(claim, first)), only(last.term))
    else {
        return false;
    };
    let (Some(own), Some(other)) = (clause(parts, theirs.start), clause(parts, end.start)) else {
        return false;
    };
    let joins =
        |element: &Element| JOINTS.contains(&said.text[element.start..element.end].to_lowercase().as_str());
    let inside =
        |element: &&Element| parts[other].contains(&element.start) && says(element) && !joins(element);
    let subject = said.elements.iter().find(inside);
    // All that is said beside the name may be the other clause's.
    let rest: Vec<&Element> = claim.elements.iter().skip(1).filter(says).collect();
    let names = rest.iter().take_while(|element| is_name(claim, element)).count();
    let in_other =
        |element: &&Element| only(element.term).is_some_and(|place| parts[other].contains(&place.start));
    let all_there = rest.len() >= names + 2 && rest[names..].iter().all(in_other);
    let is_foreign = |subject: &Element| {
        (is_name(said, subject) || (all_there && told(said.text) == "English"))
            && subject.start < end.start
            && !claim.elements.iter().any(|element| element.term == subject.term)
    };
    own < other && subject.is_some_and(is_foreign)
}

/// Whether a figure stands in one clause, and all that is said of it in that of a rival which the claim leaves out.
fn figure_of_another(claim: &Features<'_>, said: &Features<'_>, parts: &[Range<usize>]) -> bool {
    let in_clause = |term: Term, part: usize| {
        said.elements.iter().any(|element| element.term == term && parts[part].contains(&element.start))
    };
    let has =
        |of: &Features<'_>, what: What| of.figures.iter().filter(|figure| What::of(figure) == what).count();
    claim.figures.iter().any(|mine| {
        let what = What::of(mine);
        let own = said.figures.iter().filter(|figure| What::of(figure) == what && has(said, what) == 1);
        let Some(own) = own.filter_map(|figure| clause(parts, figure.start)).next() else { return false };
        let rivals = said
            .figures
            .iter()
            .filter(|theirs| what.rivals(What::of(theirs)) && has(claim, What::of(theirs)) == 0);
        rivals.filter_map(|rival| clause(parts, rival.start)).filter(|other| *other != own).any(|other| {
            let words =
                claim.elements.iter().filter(|element| matches!(element.role, Role::Content | Role::Name));
            let (mut elsewhere, mut here) = (0, 0);
            for word in words {
                match (in_clause(word.term, other), in_clause(word.term, own)) {
                    (true, false) => elsewhere += 1,
                    (false, true) => here += 1,
                    _ => {}
                }
            }
            let beside = |figure: &&Figure| {
                let is_other = What::of(figure) != what && has(claim, What::of(figure)) > 0;
                is_other && parts[own].contains(&figure.start)
            };
            elsewhere >= ELSEWHERE_MIN && here == 0 && said.figures.iter().filter(beside).count() == 0
        })
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
            assert_eq!(is_mixed(&mine, &theirs), mixed, "{claim}");
        }
    }
}
