//! What is yet to come, in languages that say so by the endings of verbs or by a character: `fermera`, `cerrará`, `将关闭`.

use std::ops::Range;

use crate::domain::synthesis::verify::scope::tokens;
use crate::domain::text::phrases::{ends_with_any, has_any};
use crate::domain::text::scripts::is_wide;

/// By language, how verbs end that say what is to come, and words that end so and are no verbs.
#[rustfmt::skip]
const ENDINGS: &[(&str, &[&str], &[&str])] = &[
    ("French", &["ra", "ront"], &["opéra", "caméra", "contra", "extra", "infra", "ultra", "choléra"]),
    ("Spanish", &["rá", "rán"], &["está", "están"]),
    ("Italian", &["rà", "ranno"], &["serenità"]),
    ("Portuguese", &["rá", "rão"], &["verão", "barão", "grão", "padrão", "patrão", "ladrão"]),
];
/// Letters of such a verb.
const VERB_MIN: usize = 4;
/// What says in Chinese that something was done, and that it is to be.
const DONE: &[&str] = &["已", "了", "曾"];
const TO_BE: &[&str] = &["将", "拟", "计划", "预计"];

/// The verbs of a text in a language that say what is to come.
pub(super) fn verbs_to_come<'t>(text: &'t str, language: &str) -> impl Iterator<Item = Range<usize>> + 't {
    let listed = ENDINGS.iter().find(|(of, ..)| *of == language);
    let is_one = move |word: &str| {
        listed.is_some_and(|(_, endings, others)| {
            ends_with_any(word, endings) && word.chars().count() >= VERB_MIN && !others.contains(&word)
        })
    };
    listed
        .into_iter()
        .flat_map(|_| tokens(text))
        .filter(move |(_, word)| is_one(word))
        .map(|(range, _)| range)
}

/// Whether a claim tells as done what a word of a sentence says is to come. Where that is the verb itself, it says no such thing of anything.
pub(super) fn is_told_as_done(claim: &str, said: &str, hedge: &Range<usize>) -> bool {
    let word = &said[hedge.clone()];
    if word.chars().any(is_wide) {
        return is_done(claim) && !is_done(said);
    }
    ENDINGS.iter().any(|(_, endings, _)| ends_with_any(word, endings))
}

/// Whether a Chinese claim says that something was done.
pub(super) fn is_done(claim: &str) -> bool {
    let has = |listed: &[&str]| has_any(claim, listed);
    has(DONE) && !has(TO_BE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_of_the_future_are_known_by_their_endings() {
        for (text, language, expected) in [
            ("Tarn fermera son usine et ouvrira un opéra.", "French", &["fermera", "ouvrira"][..]),
            ("Tarn cerrará su fábrica para siempre.", "Spanish", &["cerrará"]),
            ("Tarn chiuderà lo stabilimento in città.", "Italian", &["chiuderà"]),
            ("No verão, a Tarn fechará a fábrica.", "Portuguese", &["fechará"]),
            ("Tarn will close its plant.", "English", &[]),
        ] {
            let found: Vec<&str> = verbs_to_come(text, language).map(|range| &text[range]).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
