//! Who holds an office that one holds: `The CEO of Initech is Maria Lopez` and `Bill Lumbergh has been CEO of Initech since 1999`.
//!
//! Both say that it is so now, whatever each says of since when.

use std::sync::LazyLock;

use super::Kind;
use super::answers::{Named, few_words};
use super::differ::Difference;
use super::reading::Reading;
use crate::domain::near_duplicates::Features;
use crate::domain::text::terms::{self, KnownTerms};

/// Offices, by what each is called.
const OFFICES: [(&str, &str); 12] = [
    ("ceo", "ceo"),
    ("chief executive officer", "ceo"),
    ("chief executive", "ceo"),
    ("cto", "cto"),
    ("cfo", "cfo"),
    ("coo", "coo"),
    ("president", "president"),
    ("chairman", "chair"),
    ("chairwoman", "chair"),
    ("mayor", "mayor"),
    ("prime minister", "prime minister"),
    ("chancellor", "chancellor"),
];
/// What says that somebody holds it now.
const HOLDS: [&str; 4] = [" is currently ", " has been ", " is now ", " is "];
/// What ends a name.
const ENDS: [&str; 8] = [" since ", " (", ", ", ". ", "; ", " and ", " who ", " – "];
/// What takes it back, or says that it is another one.
const OTHERWISE: [&str; 10] =
    ["until", "former", "interim", "acting", "vice", "deputy", "will", "was", "elect", "designate"];

static CUES: LazyLock<KnownTerms<()>> = LazyLock::new(|| {
    let words = OFFICES.iter().flat_map(|(office, _)| office.split(' ').next_back());
    terms::table(words.map(|word| (word, ()))).into()
});

/// Whether a statement may tell of one.
pub(super) fn may_tell(of: &Features<'_>) -> bool {
    of.words.iter().any(|word| CUES.get(word.term).is_some())
}

struct Held<'t> {
    office: &'static str,
    /// Of what, in small letters.
    of: String,
    by: Named<'t>,
}

/// Another one who holds the same.
pub(super) fn difference(one: &Reading<'_, '_>, other: &Reading<'_, '_>) -> Option<Difference> {
    let (mine, theirs) = (held(one.of.text)?, held(other.of.text)?);
    let is_same = mine.office == theirs.office && mine.of == theirs.of;
    let found = is_same.then(|| mine.by.difference(&theirs.by)).flatten()?;
    Some(Difference { kind: Kind::Holder, ..found })
}

fn held(text: &str) -> Option<Held<'_>> {
    let is_otherwise = |word: &str| OTHERWISE.contains(&word.to_lowercase().as_str());
    if text.split(|c: char| !c.is_alphanumeric()).any(is_otherwise) || text.contains(" not ") {
        return None;
    }
    let (subject, said) = HOLDS.iter().find_map(|holds| text.split_once(holds))?;
    let said = said.strip_prefix("the ").unwrap_or(said);
    let (of_office, name) = match office(subject.strip_prefix("The ").unwrap_or(subject)) {
        Some(found) => (found, up_to_end(said)),
        None => (office(said)?, subject),
    };
    let (office, of) = of_office;
    let by = few_words(name).filter(Named::is_name)?;
    let of = up_to_end(of).to_lowercase();
    (!of.is_empty()).then_some(Held { office, of, by })
}

/// The office that a text begins with, and of what it is: `CEO of Initech`, `Initech's CEO`.
fn office(text: &str) -> Option<(&'static str, &str)> {
    let lower = text.to_ascii_lowercase(); // which leaves each letter its place
    OFFICES.iter().find_map(|(called, office)| {
        let behind = lower.strip_prefix(called).and_then(|rest| rest.strip_prefix(" of "));
        let of = behind.map(|rest| &text[text.len() - rest.len()..]);
        let before = || {
            let whose = lower.strip_suffix(called)?.strip_suffix("'s ")?;
            Some(&text[..whose.len()])
        };
        of.or_else(before).map(|of| (*office, of.strip_prefix("the ").unwrap_or(of)))
    })
}

fn up_to_end(text: &str) -> &str {
    let end = ENDS.iter().filter_map(|end| text.find(end)).min().unwrap_or(text.len());
    text[..end].trim_end_matches(['.', '!', ' '])
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::tests::kind;

    #[test]
    fn who_holds_an_office_is_one() {
        for (one, other) in [
            (
                "The CEO of Initech is Maria Lopez (since March 2023).",
                "Bill Lumbergh has been CEO of Initech since 1999.",
            ),
            ("Initech's CEO is Maria Lopez.", "Bill Lumbergh is the CEO of Initech."),
        ] {
            assert_eq!(kind(one, other), Some(Kind::Holder), "{one} / {other}");
            assert_eq!(kind(other, one), Some(Kind::Holder), "{other} / {one}");
        }
        for (one, other) in [
            ("The CEO of Initech is Maria Lopez.", "Maria Lopez has been CEO of Initech since 2023."),
            ("The CEO of Initech is Maria Lopez.", "M. Lopez is the CEO of Initech."),
            ("The CEO of Initech is Maria Lopez.", "Bill Lumbergh is the CEO of Initrode."),
            ("The CEO of Initech is Maria Lopez.", "Bill Lumbergh was the CEO of Initech."),
            ("The CEO of Initech is Maria Lopez.", "Bill Lumbergh is the former CEO of Initech."),
            ("The CEO of Initech is Maria Lopez.", "Bill Lumbergh is the CTO of Initech."),
        ] {
            assert_eq!((kind(one, other), kind(other, one)), (None, None), "{one} / {other}");
        }
    }
}
