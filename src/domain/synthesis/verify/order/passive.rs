//! The passive for the active in languages other than English: `fue fundada por Ruiz` for `Ruiz fundó`.

use crate::domain::near_duplicates::{Element, Features, Role};
use crate::domain::synthesis::verify::meaning::Tongue;
use crate::domain::synthesis::verify::scope::tokens;

/// By language, what a passive has, and what stands before who does it.
#[rustfmt::skip]
const PASSIVES: &[(&str, &[&str], &[&str])] = &[
    ("German", &["wurde", "wurden", "wird", "werden", "worden"], &["von", "vom", "durch"]),
    ("Dutch", &["werd", "werden", "wordt", "worden"], &["door"]),
    ("French", &["est", "sont", "été", "était", "étaient", "fut", "furent", "sera", "seront"], &["par"]),
    ("Spanish", &["es", "son", "sido", "fue", "fueron", "era", "eran", "será", "serán"], &["por"]),
    ("Italian", &["è", "sono", "stato", "stata", "stati", "state", "viene", "vengono", "venne", "fu"], &["da", "dal", "dalla", "dai", "dagli", "dalle", "dallo", "dall"]),
    ("Portuguese", &["é", "são", "sido", "foi", "foram", "era", "será", "serão"], &["por", "pelo", "pela", "pelos", "pelas"]),
];

/// Where one of two is in the passive and the other in the active, whether who does it is the same: nothing where that can't be told.
pub(super) fn keeps_agent(claim: &Features<'_>, said: &Features<'_>, tongue: &Tongue) -> Option<bool> {
    let (_, forms, before) = PASSIVES.iter().find(|(of, ..)| *of == tongue.name())?;
    let read = |of: &Features<'_>| parts(of, forms, before, tongue);
    let (passive, active, (patient, agent)) = match (read(claim), read(said)) {
        (Some(parts), None) => (claim, said, parts),
        (None, Some(parts)) => (said, claim, parts),
        (Some(_), Some(_)) | (None, None) => return None,
    };
    let bare = |of: &Features<'_>, element: &Element| {
        tongue.bare(&of.text[element.range()].to_lowercase()).to_owned()
    };
    let place = |at: usize| {
        let word = bare(passive, &passive.elements[at]);
        active.elements.iter().position(|element| bare(active, element) == word)
    };
    Some(place(agent)? < place(patient)?)
}

/// The places of what a passive is said of and of who does it.
fn parts(of: &Features<'_>, forms: &[&str], before: &[&str], tongue: &Tongue) -> Option<(usize, usize)> {
    let words: Vec<_> = tokens(of.text).collect();
    let form = words.iter().find(|(_, word)| forms.contains(&word.as_str()))?.0.start;
    // `dall'avvocato` is one word.
    let leads = |word: &str| before.contains(&word.split(['\'', '’']).next().unwrap_or_default());
    let by = words.iter().rfind(|(range, word)| range.start > form && leads(word))?;
    let says = |element: &Element| {
        let word = of.text[element.range()].to_lowercase();
        matches!(element.role, Role::Content | Role::Name) && !tongue.is_light(&word)
    };
    let patient = of.elements.iter().rposition(|element| element.end <= form && says(element));
    let patient =
        patient.or_else(|| of.elements.iter().position(|element| element.start > form && says(element)))?;
    let agent = of.elements.iter().position(|element| element.start >= by.0.start && says(element))?;
    (patient != agent).then_some((patient, agent))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::text::words::Lexicon;

    #[test]
    fn who_does_it_is_the_same_in_both_voices() {
        let mut lexicon = Lexicon::default();
        for (claim, said, expected) in [
            ("La asociación fue fundada por Pedro Ruiz", "Pedro Ruiz fundó la asociación", Some(true)),
            ("Pedro Ruiz fue fundado por la asociación", "Pedro Ruiz fundó la asociación", Some(false)),
            (
                "Der Verein wurde 2009 von Peter Halm gegründet",
                "Peter Halm gründete 2009 den Verein",
                Some(true),
            ),
            (
                "La plainte a été rejetée par le tribunal",
                "Le tribunal a rejeté la plainte de la ville",
                Some(true),
            ),
            ("Pedro Ruiz fundó la asociación", "Pedro Ruiz fundó la asociación en 2009", None),
        ] {
            let (mine, theirs) = (Features::of(&mut lexicon, claim), Features::of(&mut lexicon, said));
            let tongue = Tongue::of(&[claim, said]).unwrap();
            assert_eq!(keeps_agent(&mine, &theirs, &tongue), expected, "{claim}");
        }
    }
}
