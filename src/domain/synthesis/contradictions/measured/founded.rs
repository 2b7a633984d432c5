//! When something came to be: `Founded: 2019`, `The company, founded in 2018 by Mira Patel, employs 180 people`.
//!
//! A label, and who is called `the company`, may be of anyone, and is held against the same only, two labels against none; a name
//! against the same name.

use xxhash_rust::xxh3::xxh3_64;

use super::times::days;
use super::{Class, Mention, Told};
use crate::domain::distinct::distinct;
use crate::domain::near_duplicates::{Element, Features, Role};
use crate::domain::synthesis::claims::Statement;
use crate::domain::text::figures::{Bound, Unit};
use crate::domain::text::words::Term;

/// What is done once with it.
const DONE: [&str; 8] =
    ["founded", "established", "incorporated", "gegründet", "fondée", "fondé", "fundada", "fundado"];
/// What stands between that and the date.
const JOINTS: [&str; 8] = [" in ", " on ", ": ", ":** ", "** ", " en ", " im ", " "];

/// What calls it nothing in particular.
const GENERIC: [&str; 9] = [
    "company",
    "firm",
    "startup",
    "start-up",
    "business",
    "organisation",
    "organization",
    "unternehmen",
    "firma",
];

/// The only date of a statement that says when what it is about came to be.
pub(super) fn of_sentence<'a>((at, _, of): (usize, &Statement<'_>, &'a Features<'_>)) -> Option<Mention<'a>> {
    let date = of.figures.iter().find(|figure| figure.unit == Unit::Date)?;
    let before = of.text[..date.start].to_ascii_lowercase();
    let done = DONE.iter().find_map(|word| {
        let start = before.rfind(word)?;
        JOINTS.contains(&&before[start + word.len()..]).then_some((*word, start))
    });
    let (_, start) = done?;
    let is_one = date.low == date.high && date.bound == Bound::Exact;
    let (from, to) = days(date).filter(|_| is_one)?;
    let is_of = |element: &&Element| {
        let is_named = matches!(element.role, Role::Name | Role::Content);
        let written = before[element.start.min(start)..element.end.min(start)].trim();
        is_named && element.end <= start && !GENERIC.contains(&written)
    };
    let core: Vec<Term> = distinct(of.elements.iter().filter(is_of).map(|element| element.term));
    let names: Vec<u8> = core.iter().flat_map(|term| term.0.to_le_bytes()).collect();
    let written = of.text[date.range()].to_owned();
    Some(Mention {
        at,
        class: Class::Founded,
        key: Term(xxh3_64(&names)),
        core,
        told: Told::Between { written, from, to },
    })
}

/// Whether both are labels: `Founded: 2019` may be of anyone.
pub(super) fn are_labels(one: &Features<'_>, other: &Features<'_>) -> bool {
    let is_label = |of: &Features<'_>| {
        let date = of.figures.iter().find(|figure| figure.unit == Unit::Date);
        date.is_some_and(|date| of.text[..date.start].trim_end_matches(['*', ' ']).ends_with(':'))
    };
    is_label(one) && is_label(other)
}

#[cfg(test)]
mod tests {
    use crate::domain::synthesis::contradictions::Kind;
    use crate::domain::synthesis::contradictions::tests::kinds_between as kinds;

    #[test]
    fn one_is_founded_once() {
        for (one, other) in [
            (
                "- Founded: 2019\n- HQ: Zurich",
                "The company, founded in 2018 by Mira Patel, employs 180 people.",
            ),
            ("- **Founded:** 2019\n- **HQ:** Zurich", "It was founded in March 2018 in Zurich."),
            (
                "Helion Robotics was founded in 2019 by two engineers.",
                "Helion Robotics, which was founded in 2018, has 180 people.",
            ),
        ] {
            assert_eq!(kinds(one, other), [Kind::Date], "{one} / {other}");
            assert_eq!(kinds(other, one), [Kind::Date], "{one} / {other}");
        }
    }

    #[test]
    fn others_are_founded_at_other_times() {
        for (one, other) in [
            ("- Founded: 2019\n- HQ: Zurich", "The company was founded in March 2019."),
            ("- Founded: 2019\n- HQ: Zurich", "Its rival Boston Dynamics was founded in 1992."),
            ("Helion was founded in 2019.", "Acme was founded in 2018."),
            ("## Helion\n\n- Founded: 2019\n- HQ: Zurich", "## Acme\n\n- Founded: 2018\n- HQ: Lyon"),
            ("- Founded: 2019\n- HQ: Zurich", "The company, founded by Mira Patel, was listed in 2021."),
        ] {
            assert_eq!(kinds(one, other), [], "{one} / {other}");
        }
    }
}
