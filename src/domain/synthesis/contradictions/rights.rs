//! What somebody may do and may not: `The customer has no right to terminate for convenience` and `Customer may terminate for convenience
//! upon 90 days' notice`.

use super::Kind;
use super::differ::{Difference, negations};
use super::none::goes_on;
use super::reading::Reading;
use crate::domain::synthesis::claims::are_headed_alike;
use crate::domain::text::phrases::behind_any;

/// What denies a right, in front of the verb; looked for first, as `may` begins `may not`.
#[rustfmt::skip]
const DENIED: [&str; 16] = [
    " may not ", " cannot ", " can't ", " can’t ", " can not ", " must not ", " has no right to ", " have no right to ", " is not allowed to ", " are not allowed to ", " isn't allowed to ", " aren't allowed to ", " is not permitted to ",
    " are not permitted to ", " is not entitled to ", " are not entitled to ",
];
/// What gives one.
#[rustfmt::skip]
const GIVEN: [&str; 10] = [
    " may ", " can ", " has the right to ", " have the right to ", " is allowed to ", " are allowed to ", " is permitted to ", " are permitted to ", " is entitled to ", " are entitled to ",
];
const ARTICLES: [&str; 5] = ["the ", "a ", "an ", "each ", "all "];
/// Who may be another one in each text.
const PRONOUNS: [&str; 7] = ["it", "they", "this", "that", "these", "he", "she"];
/// Words of who it is, and of what he may do at least.
const WHO_MAX: usize = 5;
const DOES_MIN: usize = 2;

/// Bytes of a statement that is looked at.
const TEXT_MAX: usize = 400;

/// Who may do something, or may not.
pub(super) struct Right {
    who: String,
    /// The words that say so.
    modal: &'static str,
    /// In small letters.
    does: String,
    is_given: bool,
}

/// The same right, given and denied without a condition.
pub(super) fn difference(one: &Reading<'_, '_>, other: &Reading<'_, '_>) -> Option<Difference> {
    // Nearly all pairs are out by that.
    if negations(one.of) == negations(other.of) {
        return None;
    }
    let (mine, theirs) = (one.right()?, other.right()?);
    let (given, denied) = match (mine.is_given, theirs.is_given) {
        (true, false) => (mine, theirs),
        (false, true) => (theirs, mine),
        _ => return None,
    };
    // What is denied is denied whatever comes of it; what is given may go on with how.
    let behind = given.does.strip_prefix(denied.does.as_str())?;
    let is_same = given.who == denied.who
        && denied.does.split(' ').count() >= DOES_MIN
        && goes_on(behind)
        && are_headed_alike((one.said, one.of), (other.said, other.of));
    let written = |right: &Right| right.modal.trim().to_owned();
    is_same.then(|| Difference::new(Kind::Negation, written(mine), written(theirs)))
}

/// Who may or may not, by the words of a sentence.
pub(super) fn right(text: &str) -> Option<Right> {
    let (at, modal, is_given) = Some(text).filter(|text| text.len() <= TEXT_MAX).and_then(modal)?;
    let who = text[..at].trim_matches(['*', '_', '-', ' ']).to_lowercase();
    let who = behind_any(&who, &ARTICLES).unwrap_or(&who).to_owned();
    let does = text[at + modal.len()..].trim_matches(['*', '_', '.', '!', ' ']).to_lowercase();
    let is_plain = !who.is_empty()
        && !PRONOUNS.contains(&who.as_str())
        && who.split(' ').count() <= WHO_MAX
        && !who.contains([',', ';', ':']);
    // Who only fails to is denied no right by one condition: `may not terminate without notice`.
    let is_whole = is_given || goes_on(&format!(" {does}")) && !does.contains(" without ");
    let says = is_plain && is_whole && !text.trim_end().ends_with('?');
    says.then_some(Right { who, modal, does, is_given })
}

/// The first words that deny a right, else those that give one: where they stand, and whether they give it.
fn modal(text: &str) -> Option<(usize, &'static str, bool)> {
    // Of nearly all words two letters say that they begin none of these.
    let may_be = |at: &usize| {
        matches!(text.as_bytes().get(at + 1..at + 3), Some(b"ma" | b"mu" | b"ca" | b"ha" | b"is" | b"ar"))
    };
    let mut given = None;
    for at in memchr::memchr_iter(b' ', text.as_bytes()).filter(may_be) {
        let stands =
            |list: &[&'static str]| list.iter().find(|modal| text[at..].starts_with(**modal)).copied();
        if let Some(modal) = stands(&DENIED) {
            return Some((at, modal, false));
        }
        given = given.or_else(|| Some((at, stands(&GIVEN)?, true)));
    }
    given
}

#[cfg(test)]
mod tests {
    use super::super::tests::between_texts;

    #[test]
    fn what_is_given_and_denied_contradicts() {
        for (denied, given) in [
            (
                "The customer has no right to terminate for convenience.",
                "Customer may terminate for convenience upon ninety (90) days' prior written notice.",
            ),
            ("Tenants may not keep dogs.", "Tenants may keep dogs in the flat."),
            (
                "Employees cannot carry over unused days.",
                "Employees are entitled to carry over unused days to the next year.",
            ),
            (
                "The vendor is not permitted to share customer data.",
                "The vendor may share customer data with its affiliates.",
            ),
        ] {
            assert_eq!(between_texts(denied, given).len(), 1, "{denied} / {given}");
            assert_eq!(between_texts(given, denied).len(), 1, "{denied} / {given}");
        }
    }

    #[test]
    fn conditions_and_others_contradict_nothing() {
        for (denied, given) in [
            ("Tenants may not keep dogs.", "Landlords may keep dogs in the flat."),
            ("Tenants may not keep dogs without consent.", "Tenants may keep dogs in some towns."),
            ("Tenants may not keep dogs.", "Tenants may keep dogs only if the landlord agrees."),
            ("Tenants may not keep dogs.", "Tenants may keep dogsleds in the cellar."),
            ("## Berlin\n\nTenants may not keep dogs.", "## Paris\n\nTenants may keep dogs in the flat."),
            (
                "It may not be sold abroad.",
                "It may be sold abroad by each of our partners in Asia and America.",
            ),
        ] {
            assert_eq!(between_texts(denied, given).len(), 0, "{denied} / {given}");
            assert_eq!(between_texts(given, denied).len(), 0, "{denied} / {given}");
        }
    }
}
