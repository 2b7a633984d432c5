//! What makes of a thing another one, or one that isn't yet or no more: `the former minister`, `the fake passport`, `acting director`.

use std::sync::LazyLock;

use super::has_one;
use crate::domain::synthesis::verify::listed::{Listed, Words};

/// Such words before what they speak of; `*` stands for any ending.
#[rustfmt::skip]
const BEFORE: &[&str] = &[
    "former", "ex", "acting", "interim", "deputy", "vice", "assistant", "associate", "honorary", "would-be", "aspiring", "prospective", "fake", "forged", "counterfeit", "false", "bogus", "alleged", "suspected", "purported", "so-called", "failed", "attempted", "abortive", "aborted", "mock", "artificial", "proposed", "planned",
    "provisional", "preliminary", "unofficial", "self-styled", "simulated", "fictional", "fictitious", "imaginary", "incoming", "outgoing",
    "ehemalige*", "frühere*", "einstige*", "geschäftsführende*", "kommissarische*", "stellvertretende*", "angebliche*", "mutmaßliche*", "geplante*", "gefälschte*", "versuchte*", "gescheiterte*", "designierte*", "vorläufige*", "sogenannte*", "künftige*",
    "ancien", "ancienne", "anciens", "anciennes", "futur", "future", "prétendu*", "faux", "fausse", "vice-président*", "antigu*", "futur*", "falso", "falsa", "presunto", "presunta", "supuesto", "supuesta", "expresident*", "finto", "finta", "voormalig*", "vermeend*", "waarnemend*", "бывш*",
];
/// Such words behind it.
#[rustfmt::skip]
const BEHIND: &[&str] = &["elect", "designate", "présumé*", "adjoint*", "intérimaire*", "fallid*", "interin*", "adjunt*", "designad*", "fallit*", "manqué*", "projeté*", "designat*", "frustrad*"];
/// With these a claim says that it isn't so now.
const KEEPING: &[&str] =
    &["until", "once", "previously", "ex*", "then", "retired", "bis", "jusqu*", "hasta", "fino"];
/// The same directly before what such a word speaks of, perhaps with an article between.
const WAS: &[&str] = &["was", "were", "war", "waren", "était", "étaient", "era", "eran", "fue", "as"];
const ARTICLES: &[&str] = &["a", "an", "the", "un", "une", "una", "ein", "eine", "der", "die"];
static NOUN_BEHIND: LazyLock<Listed> = LazyLock::new(|| Listed::of(BEFORE));
static NOUN_BEFORE: LazyLock<Listed> = LazyLock::new(|| Listed::of(BEHIND));
/// Words between such a word and what it speaks of.
const BETWEEN: usize = 1;
/// Letters behind the `ex` of `exministro`.
const EX_MIN: usize = 4;

/// Such a word of a sentence that a claim leaves out, where it has what the word speaks of.
pub(super) fn qualification(mine: &Words, whole: &str, said: &str, theirs: &Words) -> Option<String> {
    let any = |(_, word): &(std::ops::Range<usize>, String)| {
        NOUN_BEHIND.has(word) || NOUN_BEFORE.has(word) || without_ex(word).is_some()
    };
    if !theirs.iter().any(any) || has_one(whole, BEFORE) || has_one(whole, BEHIND) || has_one(whole, KEEPING)
    {
        return None;
    }
    let mine: Vec<&String> = mine.iter().map(|(_, word)| word).collect();
    let was = |word: &String| {
        let at = mine.iter().position(|own| *own == word).unwrap_or_default();
        let mut before = mine[..at].iter().rev().skip_while(|word| ARTICLES.contains(&word.as_str()));
        before.next().is_some_and(|word| WAS.contains(&word.as_str()))
    };
    let has = |at: usize| {
        let (_, word) = &theirs[at];
        // Without it elsewhere: that is another one.
        mine.contains(&word) && !was(word) && theirs.iter().filter(|(_, other)| other == word).count() == 1
    };
    let beside = |one: usize, other: usize| {
        !said[theirs[one].0.end..theirs[other].0.start].contains([',', ';', '.', '('])
    };
    (0..theirs.len()).find_map(|at| {
        let (range, word) = &theirs[at];
        // Who is said to have been it, is told so; and of whom alone the name is told, nothing is said.
        let is_name =
            |next: usize| next > at + 1 && said[theirs[next].0.clone()].starts_with(char::is_uppercase);
        let mut next = (at + 1..theirs.len()).take(BETWEEN + 1).take_while(|next| beside(at, *next));
        let noun = next.find(|next| mine.contains(&&theirs[*next].1));
        let behind = noun.is_some_and(|noun| has(noun) && !is_name(noun));
        let before = at > 0 && beside(at - 1, at) && has(at - 1);
        let ex = without_ex(word).is_some_and(|rest| mine.iter().any(|own| *own == rest));
        (NOUN_BEHIND.has(word) && behind || NOUN_BEFORE.has(word) && before || ex)
            .then(|| said[range.clone()].to_owned())
    })
}

/// `ministro` of `exministro`.
fn without_ex(word: &str) -> Option<&str> {
    let rest = word.strip_prefix("ex")?.trim_start_matches('-');
    (rest.len() >= EX_MIN).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::synthesis::verify::listed::words;

    #[test]
    fn what_is_no_such_thing_is_told_as_what_it_is() {
        for (claim, said, expected) in [
            ("Director Ott signed it.", "Acting director Ott signed it.", Some("Acting")),
            ("The passport was found.", "The fake passport was found in a car.", Some("fake")),
            ("El ministro Lund apoya el plan.", "El exministro Lund apoya el plan.", Some("exministro")),
            ("Minister Lund unterstützt es.", "Der frühere Minister Lund unterstützt es.", Some("frühere")),
            ("Lund was minister.", "The former minister Lund spoke.", None),
            ("The ex-minister spoke.", "The former minister Lund spoke.", None),
            ("Ott signed it.", "Acting director Ott signed it.", None),
        ] {
            let found = qualification(&words(claim), claim, said, &words(said));
            assert_eq!(found.as_deref(), expected, "{claim}");
        }
    }
}
