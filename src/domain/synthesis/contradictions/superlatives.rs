//! What only one of several is, said of two: `Bose has the best noise cancelling` and `Sony has the best noise cancelling of the three`.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::Kind;
use super::differ::{Difference, negations};
use super::reading::Reading;
use crate::domain::near_duplicates::{Features, Role};
use crate::domain::synthesis::claims::are_headed_alike;
use crate::domain::text::figures::{Figure, Unit};
use crate::domain::text::words::Term;

/// What stands between the one and what it is, with a number for those that say the same.
const VERBS: [(&str, u8); 11] = [
    (" has", 0),
    (" have", 0),
    (" offers", 0),
    (" had", 1),
    (" is", 2),
    (" are", 2),
    (" remains", 2),
    (" was", 3),
    (" were", 3),
    (" remained", 3),
    (" became", 3),
];
/// What only one is, beside words with `-est`.
const ONE: [&str; 6] = ["best", "worst", "most", "least", "first", "only"];
/// What ends so and is no superlative.
#[rustfmt::skip]
const NONE: [&str; 12] = ["interest", "request", "forest", "harvest", "contest", "protest", "honest", "modest", "latest", "conquest", "closest", "manifest"];
/// Bytes of the shortest word with `-est`: `finest`.
const EST_MIN: usize = 6;
/// What ends the description of it, or says among whom it is so, which the question says as well.
const ENDS: [&str; 11] =
    [", ", "; ", ": ", ". ", " (", " – ", " — ", " of the ", " of all ", " among ", " according to "];
/// What begins where, when or for whom something holds.
#[rustfmt::skip]
const SCOPES: [&str; 16] = [
    "in", "for", "among", "with", "without", "at", "on", "under", "during", "before", "after", "since", "by", "from", "of", "if",
];
/// Bytes of who it is.
const WHO_MAX: usize = 80;

/// What stands before a superlative: of what is one's own there is one as well.
static BEFORE: LazyLock<[Finder<'static>; 2]> = LazyLock::new(|| [" the ", " our "].map(Finder::new));

/// Who is it, and what, and when.
struct Held<'t> {
    who: &'t str,
    verb: u8,
    what: String,
    when: Vec<Figure>,
}

/// Whether a statement says that something is the only one.
pub(super) fn may_hold(text: &str) -> bool {
    joint(text).is_some()
}

/// Two that each are said to be the only one.
pub(super) fn difference(one: &Reading<'_, '_>, other: &Reading<'_, '_>) -> Option<Difference> {
    let (mine, theirs) = (held(one.of)?, held(other.of)?);
    let whole = |held: &Held<'_>| held.when.iter().map(|date| (date.low, date.high)).collect::<Vec<_>>();
    let is_same = mine.verb == theirs.verb && mine.what == theirs.what && whole(&mine) == whole(&theirs);
    let (own, their) = (names(one.of, mine.who), names(other.of, theirs.who));
    let is_other = !own.is_empty() && !their.is_empty() && !own.iter().any(|name| their.contains(name));
    let differs = is_same && is_other && are_headed_alike((one.said, one.of), (other.said, other.of));
    let written = |held: &Held<'_>| held.who.to_owned();
    differs.then(|| Difference::new(Kind::Holder, written(&mine), written(&theirs)))
}

/// What a statement says that only one is.
fn held<'f>(of: &'f Features<'_>) -> Option<Held<'f>> {
    let text = of.text;
    let (before, verb, behind) = joint(text)?;
    if negations(of) != 0 {
        return None;
    }
    let when = of.figures.iter().filter(|figure| figure.unit == Unit::Date).copied().collect();
    let who = before.rfind(" that ").map_or(before, |said| &before[said + " that ".len()..]);
    let who = who.trim_matches(['*', '_', ' ', '“', '"']);
    let first = who.split(' ').next()?.to_lowercase();
    let is_plain =
        who.len() <= WHO_MAX && !who.contains([',', ';', ':']) && !SCOPES.contains(&first.as_str());
    let end = ENDS.iter().filter_map(|end| behind.find(end)).min().unwrap_or(behind.len());
    let what = behind[..end].trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    is_plain.then_some(Held { who, verb, what, when })
}

/// What stands before a verb with `the` and a superlative, which verb that is, and what stands behind `the`.
fn joint(text: &str) -> Option<(&str, u8, &str)> {
    BEFORE.iter().find_map(|the| {
        the.find_iter(text.as_bytes()).find_map(|at| {
            let (said, behind) = (&text[..at], &text[at + the.needle().len()..]);
            let (before, verb) =
                VERBS.iter().find_map(|(word, verb)| Some((said.strip_suffix(word)?, *verb)))?;
            is_superlative(behind.split([' ', ',', '.', ';']).next()?).then_some((before, verb, behind))
        })
    })
}

fn is_superlative(word: &str) -> bool {
    let word = word.trim_matches(['*', '_']);
    ONE.contains(&word) || word.len() >= EST_MIN && word.ends_with("est") && !NONE.contains(&word)
}

/// The words that say who it is; `who` is a piece of the text.
fn names(of: &Features<'_>, who: &str) -> Vec<Term> {
    let start = who.as_ptr() as usize - of.text.as_ptr() as usize;
    let within = of.elements.iter().filter(|element| (start..start + who.len()).contains(&element.start));
    let says = within.filter(|element| matches!(element.role, Role::Content | Role::Name));
    says.map(|element| element.term).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::tests::kinds_between as kinds;

    #[test]
    fn only_one_is_the_best() {
        for (one, other) in [
            ("Bose has the best noise cancelling.", "Sony has the best noise cancelling."),
            (
                "The Bose QuietComfort Ultra has the best noise cancelling, especially in low frequencies.",
                "Most users say that the Sony WH-1000XM5 has the best noise cancelling of the three.",
            ),
            ("Qdrant is the fastest of the three.", "Milvus is the fastest."),
            (
                "Lyon is the largest city in the region.",
                "Grenoble is the largest city in the region (INSEE).",
            ),
            ("AMER remained our largest region in Q3 2026.", "APAC was the largest region in Q3 2026."),
            ("Tenzing was the first to reach the summit.", "Hillary was the first to reach the summit."),
        ] {
            assert_eq!(kinds(one, other), [Kind::Holder], "{one} / {other}");
            assert_eq!(kinds(other, one), [Kind::Holder], "{one} / {other}");
        }
    }

    #[test]
    fn others_may_be_it_elsewhere_or_otherwise() {
        for (one, other) in [
            ("Bose has the best noise cancelling.", "Bose Ultra has the best noise cancelling."),
            ("Bose has the best noise cancelling.", "Sony has the best battery life."),
            ("Bose has the best noise cancelling.", "Sony doesn't have the best noise cancelling."),
            ("Bose has the best noise cancelling.", "Sony has the best noise cancelling under $200."),
            ("Lyon is the largest city in the region.", "Berlin is the largest city in the country."),
            ("In Germany, Aldi is the largest chain.", "In France, Leclerc is the largest chain."),
            ("AMER remained our largest region in Q3 2026.", "APAC was the largest region in Q2 2026."),
            ("In Q3 2026 AMER was our largest region.", "In Q2 2026 APAC was our largest region."),
            ("In 2023 Aldi was the largest chain.", "In 2024 Lidl was the largest chain."),
            ("Aldi was the largest chain.", "Lidl is the largest chain."),
            ("## Germany\n\nAldi is the largest chain.", "## France\n\nLeclerc is the largest chain."),
            ("Bose is one of the best.", "Sony is one of the best."),
            ("Aldi has the interest of a buyer.", "Lidl has the interest of a buyer."),
        ] {
            assert_eq!(kinds(one, other), [], "{one} / {other}");
        }
    }
}
