//! Words that do harm where they aren't so: a model that says `killed` for `evacuated` has a word of another kind than one
//! that says `dropped` for `fell`. Each must be said, in some form, by what is cited.

use std::ops::Range;
use std::sync::LazyLock;

use crate::domain::text::terms::{self, TermMap};
use crate::domain::text::words::{Term, Word};

/// Words of one group stand for each other.
#[rustfmt::skip]
const GROUPS: &[&[&str]] = &[
    &["kill", "killed", "die", "died", "dead", "death", "fatal", "fatality", "deadly", "lethal", "murder", "perish", "perished", "casualty", "casualties", "slain",
      "tot", "tote", "tötete", "getötet", "starb", "starben", "gestorben", "tödlich", "ermordet", "tué", "tués", "mort", "morts", "décès", "mató", "muerto", "muertos", "murió", "murieron", "muerte"],
    &["injure", "injured", "injury", "injuries", "wound", "wounded", "verletzt", "verletzte", "blessé", "blessés", "herido", "heridos"],
    &["bankrupt", "bankruptcy", "insolvent", "insolvency", "liquidation", "liquidated", "defunct", "collapse", "collapsed", "pleite", "bankrott", "insolvenz", "faillite", "quiebra"],
    &["crime", "criminal", "crook", "fraud", "fraudulent", "scam", "embezzle", "embezzled", "embezzlement", "bribe", "bribed", "bribery", "corrupt", "corruption", "illegal",
      "unlawful", "convict", "convicted", "conviction", "guilty", "felony", "theft", "steal", "stole", "stolen", "launder", "laundering", "indicted", "arrested", "jailed", "prison",
      "kriminell", "betrug", "verbrechen", "verurteilt", "korruption", "criminel", "illégal", "condamné", "fraude", "ilegal", "condenado", "corrupción"],
    &["sue", "sued", "suing", "lawsuit", "litigation", "verklagt", "klage"],
    &["scandal", "skandal", "scandale", "escándalo"],
    &["toxic", "poison", "poisoned", "poisonous", "carcinogenic", "giftig", "toxique", "tóxico"],
    &["terror", "terrorist", "terrorism"],
    &["rape", "raped", "assault", "assaulted", "harass", "harassed", "harassment", "abused", "molested"],
    &["fired", "ousted", "sacked", "entlassen", "licencié", "despedido"],
];

/// Each by its group.
static TABLE: LazyLock<TermMap<usize>> = LazyLock::new(|| {
    terms::table(
        GROUPS.iter().enumerate().flat_map(|(group, words)| words.iter().map(move |word| (*word, group))),
    )
});
/// The terms of each group.
static TERMS: LazyLock<Vec<Vec<Term>>> = LazyLock::new(|| {
    let all = |words: &&[&str]| terms::table(words.iter().map(|word| (*word, ()))).into_keys().collect();
    GROUPS.iter().map(all).collect()
});

/// The first such word of which nothing is said.
pub(super) fn unsaid(words: &[Word], is_said: impl Fn(Term) -> bool) -> Option<Range<usize>> {
    let group = |word: &Word| TABLE.get(&word.term).copied();
    let unsaid =
        |word: &&Word| group(word).is_some_and(|group| !TERMS[group].iter().any(|term| is_said(*term)));
    words.iter().find(unsaid).map(Word::range)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::text::words::Lexicon;

    #[test]
    fn grave_word_must_be_said_in_some_form() {
        let mut lexicon = Lexicon::default();
        for (claim, said, expected) in [
            ("A fire killed 1,500 people", "A fire made 1,500 people leave", Some("killed")),
            ("Ten people died", "The fire killed ten people", None),
            ("Der Chef wurde verurteilt", "Der Chef trat zurück", Some("verurteilt")),
            ("Costs dropped", "Costs fell", None),
        ] {
            let (words, known) = (lexicon.words(claim), lexicon.terms(said));
            let found = unsaid(&words, |term| known.contains(&term)).map(|range| &claim[range]);
            assert_eq!(found, expected, "{claim}");
        }
    }
}
