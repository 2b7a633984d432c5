//! What a sentence denies of a part that is quoted alone: of `it is not true that the valve leaks`, `the valve leaks` says the
//! opposite.
//!
//! A denial stands in front of what it denies, in the same clause or before a `that` (or a colon) which leads to it, or behind
//! it: `that the valve leaks is false`. One before a `but` denies nothing behind it.

use std::collections::BTreeMap;
use std::ops::Range;

use super::scope::tokens;
use crate::domain::near_duplicates::Features;

/// Words that deny, beside the negations; each by its beginning where it ends with `*`.
#[rustfmt::skip]
const DENYING: &[&str] = &[
    "false", "falsely", "untrue", "wrong", "wrongly", "incorrect", "incorrectly", "myth", "deny", "denies", "denied", "denying", "denial", "refut*", "disprov*", "debunk*", "rebut*", "falsch", "unwahr",
    "unzutreffend", "bestreite*", "bestritt*", "dementier*", "widerleg*", "leugne*", "faux", "fausse", "dément*", "démenti*", "nie", "nient", "réfut*", "falso", "falsa", "niega*",
    "negó", "desmient*", "desmintió", "nega", "negano", "smentis*", "smentì", "errato", "nega*", "desment*", "onwaar", "ontken*",
];
/// What leads to something of which something is said before.
const LEADING: &[&str] = &["that", "whether", "dass", "daß", "ob", "que", "si", "che", "se", "dat", "of"];
/// What stands between a denial and what it doesn't deny.
const TURNING: &[&str] =
    &["but", "aber", "sondern", "mais", "pero", "sino", "ma", "bensì", "mas", "maar", "instead", "yet"];
/// What joins clauses.
const JOINING: &[&str] =
    &["and", "or", "und", "oder", "et", "ou", "y", "o", "e", "en", "of", "while", "because", "so"];
/// Words that a clause has between a denial in it and what that denies.
const BETWEEN_MAX: usize = 6;
/// Words behind a part in which it is called false, and what it is then said not to be.
const BEHIND_MAX: usize = 4;
const TRUE: &[&str] = &[
    "true", "so", "correct", "right", "wahr", "richtig", "vrai", "exact", "cierto", "verdad", "vero",
    "verdade",
];
const BEING: &[&str] = &["is", "was", "are", "were", "ist", "war", "est", "était", "es", "era", "è", "é"];

/// Whether a sentence denies the part of it that stands at `part`.
pub(super) fn denies(said: &Features<'_>, part: &Range<usize>) -> bool {
    let before = said.text.get(..part.start).unwrap_or_default();
    let behind = said.text.get(part.end..).unwrap_or_default();
    let in_front = denials(said, before).filter(|denial| reaches(&before[denial.end..])).count();
    (in_front % 2 == 1) != is_called_false(behind)
}

/// Where a text, the beginning of a sentence, denies something. A word may be known by both lists.
fn denials(said: &Features<'_>, before: &str) -> impl Iterator<Item = Range<usize>> {
    let negations =
        said.marks.iter().filter(|marked| marked.mark.is_negation() && marked.end <= before.len());
    let words = tokens(before).filter(|(_, word)| is_denying(word)).map(|(range, _)| range);
    let all = negations.map(|marked| marked.range()).chain(words);
    all.map(|range| (range.start, range)).collect::<BTreeMap<_, _>>().into_values()
}

fn is_denying(word: &str) -> bool {
    let is = |listed: &str| listed.strip_suffix('*').map_or(word == listed, |stem| word.starts_with(stem));
    DENYING.iter().any(|listed| is(listed))
}

/// Whether what stands between a denial and a part leaves the part denied.
fn reaches(between: &str) -> bool {
    let has = |words: &[&str]| tokens(between).any(|(_, word)| words.contains(&word.as_str()));
    if between.contains([';', '；', '。']) || has(TURNING) {
        return false;
    }
    let leads = has(LEADING) || between.trim_end_matches(['"', '“', '„', '«', ' ']).ends_with([':', '：']);
    leads
        || (!between.contains([',', '，', '(', ')', ':'])
            && !has(JOINING)
            && tokens(between).count() <= BETWEEN_MAX)
}

/// `… is false`, `… is not true`.
fn is_called_false(behind: &str) -> bool {
    let clause = behind.split([',', ';', '.', '(']).next().unwrap_or_default();
    let words: Vec<String> = tokens(clause).map(|(_, word)| word).take(BEHIND_MAX).collect();
    let is = words.first().is_some_and(|word| BEING.contains(&word.as_str()) || word.ends_with("n't"));
    let not_true = words.get(1..).is_some_and(|rest| rest.iter().any(|word| TRUE.contains(&word.as_str())));
    is && (words.iter().any(|word| is_denying(word)) || (not_true && words.len() > 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::text::words::Lexicon;

    #[test]
    fn what_is_denied_in_front_or_behind_is_known() {
        let mut lexicon = Lexicon::default();
        for (said, part, denied) in [
            ("It is not true that the valve leaks", "the valve leaks", true),
            ("It is not true, the operator says, that the valve leaks", "the valve leaks", true),
            ("It is false that the valve leaks", "the valve leaks", true),
            ("There is no evidence that costs fell and the valve leaks", "the valve leaks", true),
            ("The operator denied that the valve leaks", "the valve leaks", true),
            ("The operator never said “the valve leaks”", "the valve leaks", true),
            ("Not true: the valve leaks", "the valve leaks", true),
            ("That the valve leaks is not true", "the valve leaks", true),
            ("The claim that the valve leaks is a myth", "the valve leaks", true),
            ("The plan does not include weekend support", "include weekend support", true),
            ("Es ist nicht wahr, dass das Ventil leckt", "das Ventil leckt", true),
            ("Der Betreiber sagte nie: „Das Ventil leckt“", "Das Ventil leckt", true),
            ("Il est faux que la vanne fuit", "la vanne fuit", true),
            ("No es cierto que la válvula tenga fugas", "la válvula tenga fugas", true),
            ("It is not false that the valve leaks", "the valve leaks", false),
            ("The pump does not leak, but the valve leaks", "the valve leaks", false),
            ("The pump does not leak and the valve leaks", "the valve leaks", false),
            ("It is not the pump but the valve that leaks", "the valve that leaks", false),
            ("The valve leaks and the pump does not", "The valve leaks", false),
            ("It is true that the valve leaks", "the valve leaks", false),
            ("The valve does not leak", "The valve does not leak", false),
            ("The valve leaks, which is not true of the pump", "The valve leaks", false),
        ] {
            let at = said.find(part).unwrap();
            let of = Features::of(&mut lexicon, said);
            assert_eq!(denies(&of, &(at..at + part.len())), denied, "{said}");
        }
    }
}
