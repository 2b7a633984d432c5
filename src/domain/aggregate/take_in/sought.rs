//! What its author looked for and didn't find, where nothing else is said: `I was unable to find prices for groups.`
//!
//! That something isn't there may be what was to be found out: who found no test, no evidence or no clause in the contract says
//! something of the matter. So only what has an article counts, or is a price, a date or information, and isn't said to be
//! missing in something.

use std::sync::LazyLock;

use super::phrases::FINDINGS;
use super::plain::{begins, behind, is_ideograph, word_count};
use super::refusal::found_nothing;
use super::unknown::brings;
use crate::domain::text::first_letters::Heads;
use crate::domain::text::phrases::{ends_with_any, has_any};

/// Who couldn't.
#[rustfmt::skip]
const COULD_NOT: &[&str] = &[
    "i was unable to ", "i was not able to ", "i wasn't able to ", "i could not ", "i couldn't ", "i have not been able to ", "i haven't been able to ", "i did not ", "i didn't ",
];
const FIND: &[&str] = &["find out ", "find ", "locate ", "determine ", "obtain "];
const CHECK: &[&str] = &["verify ", "confirm ", "establish ", "check "];
const WHETHER: &[&str] = &["whether ", "if "];
/// What may stand before what was looked for.
#[rustfmt::skip]
const WHICH: &[&str] = &[
    "any ", "the ", "its ", "their ", "current ", "exact ", "official ", "reliable ", "further ", "more ", "specific ", "detailed ", "public ", "precise ", "up-to-date ",
];
#[rustfmt::skip]
const MATTERS: &[&str] = &[
    "price", "prices", "pricing", "fee", "fees", "cost", "costs", "rates", "deadline", "deadlines", "date", "dates", "hours", "figure", "figures", "number", "numbers", "data", "details", "information", "info", "answer", "statistics",
];
/// What one looks for to be rid of it, besides [`FINDINGS`].
const RIDDANCES: &[&str] = &[" leak", " crack", " virus", " way ", " proof"];
/// How what is missing in something goes on.
const WITHIN: &[&str] = &[" in ", " among ", " within "];
/// Other languages: how it begins, up to what was looked for, and what that begins with.
#[rustfmt::skip]
const ELSEWHERE: &[(&[&str], &[&str])] = &[
    (&["je n'ai pas trouvé ", "je n'ai pas pu trouver "], &["le ", "la ", "les ", "l'", "d'information", "de prix"]),
    (&["non ho trovato ", "non sono riuscito a trovare ", "non sono riuscita a trovare "], &["il ", "lo ", "la ", "l'", "i ", "gli ", "le ", "informazioni "]),
    (&["no encontré ", "no he encontrado ", "no pude encontrar ", "no he podido encontrar "], &["el ", "la ", "los ", "las ", "información "]),
];
const CHINESE: &[&str] = &["我没有找到", "我未能找到", "我找不到", "我无法找到"];
/// German, where that stands in front, and how such a sentence ends.
const FRONT: &[&str] = &["ob ", "den ", "die ", "das ", "zu ", "zum ", "zur ", "über ", "dazu "];
#[rustfmt::skip]
const BEHIND: &[&str] = &[
    "weiß ich nicht", "weiß ich leider nicht", "konnte ich nicht finden", "konnte ich leider nicht finden", "konnte ich nicht ermitteln", "konnte ich leider nicht ermitteln", "konnte ich nicht herausfinden", "konnte ich leider nicht herausfinden",
    "konnte ich nicht klären", "konnte ich leider nicht klären",
];
/// What a model can't look into.
const NO_ACCESS: &[&str] = &["i don't have access to ", "i do not have access to "];
const SHUT: &[&str] = &["your ", "real-time ", "live ", "current ", "up-to-date ", "the internet"];

/// The first letters of all of these.
static HEADS: LazyLock<Heads<4>> = LazyLock::new(|| {
    let mut lists = vec![COULD_NOT, CHINESE, NO_ACCESS];
    lists.extend(ELSEWHERE.iter().map(|(who, _)| *who));
    Heads::of(&lists)
});
/// Those of German ones, with which every other sentence begins: these are out by their end.
static FRONTS: LazyLock<Heads<4>> = LazyLock::new(|| Heads::of(&[FRONT]));
const LAST: [&str; 6] =
    ["weiß ich nicht", "weiß ich leider nicht", "finden", "gefunden", "ermitteln", "klären"];

/// Whether a sentence, as it is written but for an apology, may be such.
pub(super) fn may_be_one(sentence: &str) -> bool {
    let ends_so = || LAST.iter().any(|end| sentence.trim_end_matches(['.', '!', ' ']).ends_with(end));
    HEADS.may_begin(sentence) || FRONTS.may_begin(sentence) && ends_so()
}

/// Whether a plain sentence says that its author didn't find what was asked for.
pub(super) fn is_missed(meant: &str) -> bool {
    (is_unfound(meant) || is_elsewhere(meant) || is_german(meant) || is_shut(meant)) && !brings(meant)
}

fn is_unfound(meant: &str) -> bool {
    let Some(rest) = after(meant, COULD_NOT) else { return false };
    let is_sought = match (after(rest, FIND), after(rest, CHECK)) {
        (Some(object), _) => object.starts_with("the ") || begins(object, WHETHER) || is_matter(object),
        (None, Some(object)) => begins(object, WHETHER) || is_matter(object),
        (None, None) => false,
    };
    let has = |words: &[&str]| has_any(rest, words);
    is_sought && !has(FINDINGS) && !has(RIDDANCES) && !has(WITHIN)
}

/// Whether what was looked for is a price, a date or information.
fn is_matter(object: &str) -> bool {
    let mut rest = object;
    while let Some(behind) = after(rest, WHICH) {
        rest = behind;
    }
    rest.split(|c: char| !c.is_alphanumeric()).next().is_some_and(|word| MATTERS.contains(&word))
}

fn is_elsewhere(meant: &str) -> bool {
    const CHINESE_WORDS_MAX: usize = 15;
    let is_sought =
        |(who, what): &(&[&str], &[&str])| after(meant, who).is_some_and(|object| begins(object, what));
    let is_chinese = meant.starts_with(is_ideograph)
        && begins(meant, CHINESE)
        && word_count(meant) <= CHINESE_WORDS_MAX
        && !meant.contains([',', '但']);
    (is_chinese || ELSEWHERE.iter().any(is_sought)) && !has_any(meant, FINDINGS)
}

fn is_german(meant: &str) -> bool {
    begins(meant, FRONT) && (ends_with_any(meant, BEHIND) || found_nothing(meant))
}

/// `I don't have access to your policy.`
fn is_shut(meant: &str) -> bool {
    after(meant, NO_ACCESS).is_some_and(|what| begins(what, SHUT))
}

fn after<'t>(text: &'t str, table: &[&str]) -> Option<&'t str> {
    table.iter().find_map(|phrase| behind(text, phrase))
}

#[cfg(test)]
mod tests {
    use crate::domain::aggregate::take_in::tells_own_failure;

    #[test]
    fn what_its_author_did_not_find_is_told_from_what_is_not_there() {
        for sentence in [
            "I was unable to find prices for groups.",
            "I was unable to find the deductible.",
            "I could not find the deadline.",
            "I could not find any information about the fee.",
            "I could not verify whether cats are allowed.",
            "Unfortunately I was unable to find out whether bursts are allowed.",
            "I was unable to determine whether cats are accepted.",
            "I have not been able to verify the price.",
            "Ob das auch für Rentner gilt, weiß ich leider nicht.",
            "Zum Preis konnte ich nichts finden.",
            "Den Preis konnte ich leider nicht ermitteln.",
            "Je n'ai pas trouvé le prix.",
            "Non ho trovato il prezzo.",
            "No encontré el precio.",
            "抱歉，我没有找到商务座的票价。",
            "However, I don't have access to your policy.",
        ] {
            assert!(tells_own_failure(sentence), "{sentence}");
        }
        for sentence in [
            "I could not find any tests for the new endpoint.",
            "I could not find the clause in the contract of 2021.",
            "I could not find the leak.",
            "I couldn't find any evidence that it causes cancer.",
            "I was unable to verify the signature of the package.",
            "I could not find the price, but the deposit is refunded.",
            "I could not find the price of 3 of the plans.",
            "Non ho trovato differenze tra i due.",
            "Die Prüfer haben keine Mängel gefunden.",
            "Ob das gilt, entscheidet das Gericht.",
            "我没有找到关于该药有害的证据。",
            "We don't have access to the roof.",
        ] {
            assert!(!tells_own_failure(sentence), "{sentence}");
        }
    }
}
