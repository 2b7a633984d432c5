//! Comparisons: one that nobody makes (`more than any other`, `the safest`, `too much`), and one that is turned round.

use std::collections::BTreeSet;

use super::scope::tokens;
use crate::domain::text::phrases::has_any;

/// What says that nothing else is so.
#[rustfmt::skip]
const UNMATCHED: &[&str] = &[
    "any other", "anyone else", "anybody else", "anywhere else", "anything else", "all others", "all other", "ever before", "no other", "second to none", "unrivalled", "unmatched", "unparalleled",
    "kein anderer", "keine andere", "kein anderes", "alle anderen", "jede andere", "tout autre", "toute autre", "aucun autre", "cualquier otro", "cualquier otra", "ningún otro", "最", "任何其他",
];
/// What says that there is more of it than there should be.
const TOO: &[&str] = &["too", "trop", "demasiado", "demasiada", "excessively"];
/// Words that end as superlatives do and are none.
#[rustfmt::skip]
const NO_SUPERLATIVES: &[&str] = &[
    "forest", "interest", "request", "protest", "harvest", "invest", "reinvest", "honest", "modest", "latest", "contest", "suggest", "digest", "arrest", "earnest", "southwest", "northwest", "midwest", "conquest",
    "everest", "manifest", "tempest", "priest", "guest", "chest", "west", "nest", "rest", "test", "quest", "crest", "zest", "vest", "pest", "jest", "detest", "attest", "budapest", "bucharest", "retest", "inquest", "unrest", "rainforest", "reforest", "deforest", "interest-rest",
];
/// With one of these a text compares too.
#[rustfmt::skip]
const COMPARING: &[&str] = &[
    "than", "compared", "comparison", "versus", "vs", "exceed", "exceeds", "exceeded", "outperform", "outperforms", "outperformed", "surpass", "surpasses", "surpassed", "beat", "beats", "outpaced", "overtook", "twice", "double",
    "more", "less", "fewer", "higher", "lower", "better", "worse", "rather", "als", "que", "比",
];
const SUPERLATIVE: &[&str] =
    &["most", "best", "worst", "record", "top", "leading", "first", "number one", "only"];

/// What says that nothing else is meant.
#[rustfmt::skip]
const ONLY: &[&str] = &["only", "sole", "nur", "lediglich", "einzige", "einziger", "einzigen", "seulement", "uniquement", "seul", "seule", "solamente", "solo", "sólo", "únicamente", "único", "única", "soltanto", "unico", "unica", "apenas", "somente", "alleen"];
/// With these a text says so, too; `*` stands for any ending.
#[rustfmt::skip]
const LIMITED: &[&str] = &[
    "only", "sole*", "exclusive*", "just", "merely", "alone", "except*", "unless", "other", "none", "no", "nothing", "nobody", "limit*", "restrict*", "single", "until", "hardly", "barely", "little", "few", "without", "not", "never", "must", "one", "nur", "ausschließlich*", "lediglich", "einzig*", "allein*", "erst", "kein*", "nicht", "ein", "eine",
    "seul*", "unique*", "que", "sauf", "ne", "qu", "solamente", "solo", "sólo", "sola", "únic*", "salvo", "sino", "no", "soltanto", "unic*", "esclusiv*", "non", "che", "apenas", "somente", "não", "alleen", "slechts", "niet",
];

/// A word with which a claim says that nothing else is meant, where none of some texts says so.
fn only(claim: &str, said: &[&str]) -> Option<String> {
    let word = tokens(claim).find(|(_, word)| ONLY.contains(&word.as_str()))?.1;
    let is = |word: &str| {
        LIMITED
            .iter()
            .any(|entry| entry.strip_suffix('*').map_or(*entry == word, |stem| word.starts_with(stem)))
    };
    (!said.iter().any(|text| tokens(text).any(|(_, word)| is(&word)))).then_some(word)
}

/// A comparison of a claim that none of some texts makes, as it is written.
pub(super) fn made_up(claim: &str, said: &[&str]) -> Option<String> {
    let words: Vec<_> = tokens(claim).collect();
    let has = |word: &str| said.iter().any(|text| tokens(text).any(|(_, other)| other == word));
    let highest = || {
        said.iter().any(|text| {
            let lowered = text.to_lowercase();
            let is_one = |word: &str| {
                is_highest(word)
                    || SUPERLATIVE.contains(&word)
                    || word.contains("ößt")
                    || word.contains("öchst")
            };
            tokens(text).any(|(_, word)| is_one(&word)) || has_any(&lowered, UNMATCHED)
        })
    };
    let lowered = claim.to_lowercase();
    let says = |phrase: &&&str| said.iter().any(|text| text.to_lowercase().contains(**phrase));
    let unmatched = UNMATCHED
        .iter()
        .filter(|phrase| lowered.contains(**phrase))
        .find(|phrase| !says(phrase) && !highest());
    if let Some(phrase) = unmatched {
        return Some((*phrase).to_owned());
    }
    if let Some(word) = only(claim, said) {
        return Some(word);
    }
    words.iter().enumerate().find_map(|(at, (range, word))| {
        let behind = &claim[range.end..];
        let before_word = behind.starts_with(' ') && behind[1..].starts_with(char::is_alphabetic);
        let before_figure =
            || behind.trim_start().starts_with(|c: char| c.is_ascii_digit() || matches!(c, '$' | '€' | '£'));
        let comparing = || COMPARING.iter().any(|word| has(word));
        // `other than`, `rather than` compare nothing.
        let compares = word == "than"
            && at > 0
            && !matches!(words[at - 1].1.as_str(), "other" | "rather")
            && !before_figure();
        let unheard = (is_highest(word) && !highest())
            || (TOO.contains(&word.as_str()) && before_word && !TOO.iter().any(|too| has(too)))
            || (compares && before_word && !comparing());
        unheard.then(|| word.clone())
    })
}

/// Whether a word has the ending of an English superlative, and is one.
pub(super) fn is_highest(word: &str) -> bool {
    word.len() > 4 && word.ends_with("est") && !NO_SUPERLATIVES.contains(&word)
}

/// Whether what stands on the one side of a comparison in a claim stands on the other in a text which compares by the same
/// word: `B was safer than A` for `A was safer than B`.
pub(super) fn is_turned_round(claim: &str, said: &str) -> bool {
    let Some((measure, mine)) = sides(claim) else { return false };
    let Some((other, theirs)) = sides(said) else { return false };
    let only = |sides: &[BTreeSet<String>; 2], at: usize| -> BTreeSet<String> {
        sides[at].difference(&sides[1 - at]).cloned().collect()
    };
    let crosses = |at: usize| !only(&mine, at).is_disjoint(&only(&theirs, 1 - at));
    measure == other && crosses(0) && crosses(1)
}

/// By what a sentence compares, and the words on both sides.
fn sides(text: &str) -> Option<(String, [BTreeSet<String>; 2])> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        words.push(word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned());
        if word.ends_with([',', ';', '.']) && words.iter().any(|word| word == "than") {
            break;
        }
    }
    let at = words.iter().position(|word| word == "than").filter(|at| *at > 0)?;
    const SMALL: &[&str] =
        &["the", "was", "were", "is", "are", "of", "in", "and", "an", "has", "have", "had"];
    let set = |words: &[String]| {
        words
            .iter()
            .filter(|word| !SMALL.contains(&word.to_lowercase().as_str()) && *word != "a")
            .cloned()
            .collect()
    };
    Some((words[at - 1].clone(), [set(&words[..at - 1]), set(&words[at + 1..])]))
}
