//! How many times: `once`, `twice`, `three times` stay what they are, beside what they are said of.

use super::Token;

/// Numbers in letters, the second of which is two.
#[rustfmt::skip]
const NUMBERS: &[&[&str]] = &[
    &["one", "a", "single", "une", "una", "uma", "1"],
    &["two", "deux", "dos", "due", "duas", "twee", "zwei", "2"],
    &["three", "trois", "tres", "tre", "três", "drie", "drei", "3"],
    &["four", "quatre", "cuatro", "quattro", "quatro", "vier", "4"],
    &["five", "cinq", "cinco", "cinque", "vijf", "fünf", "5"],
    &["six", "seis", "sei", "zes", "sechs", "6"],
    &["seven", "sept", "siete", "sette", "sete", "zeven", "sieben", "7"],
    &["eight", "huit", "ocho", "otto", "oito", "acht", "8"],
    &["nine", "neuf", "nueve", "nove", "negen", "neun", "9"],
    &["ten", "dix", "diez", "dieci", "dez", "tien", "zehn", "10"],
];
const TIMES: &[&str] = &["time", "times", "fois", "vez", "veces", "volta", "volte", "vezes", "keer", "mal"];
/// Words behind it with which it says how much more something is.
#[rustfmt::skip]
const THAN: &[&str] = &[
    "as", "the", "that", "its", "their", "than", "more", "less", "higher", "larger", "bigger", "greater", "faster", "longer", "stronger", "heavier", "lower", "smaller", "what", "plus", "más", "so", "wie", "mehr",
];
/// What stands behind `once` where it counts.
#[rustfmt::skip]
const COUNTING: &[&str] = &[
    "", "a", "an", "per", "every", "each", "daily", "weekly", "monthly", "yearly", "annually", "in", "on", "during", "at", "by", "for", "since", "and", "or", "before", "after", "between", "within", "from", "under",
];
/// With these a sentence says two of it in another way.
const DOUBLE: &[&str] = &["double", "doubled", "twofold", "second", "both", "again", "two", "2"];

/// How many times, and the place of its first and last word.
type Count = (usize, usize, usize);

/// How many times a claim tells it, where the sentence tells it otherwise, or once; both as they are written.
pub(super) fn changed<'t>(
    (claim, mine): (&'t str, &[Token]),
    (said, theirs): (&'t str, &[Token]),
) -> Option<(&'t str, &'t str)> {
    let own = counts(claim, mine);
    if own.is_empty() {
        return None; // the usual case
    }
    let others = counts(said, theirs);
    let written =
        |text: &'t str, words: &[Token], (_, from, to): &Count| &text[words[*from].0.start..words[*to].0.end];
    let before = |words: &[Token], from: usize| from.checked_sub(1).map(|at| words[at].1.clone());
    own.iter().find_map(|count| {
        let beside: Vec<&Count> =
            others.iter().filter(|(_, from, _)| before(theirs, *from) == before(mine, count.1)).collect();
        let of = if beside.is_empty() { others.iter().collect() } else { beside };
        if of.iter().any(|other| other.0 == count.0) {
            return None;
        }
        let two_otherwise = || {
            theirs.iter().any(|(_, word)| DOUBLE.contains(&word.as_str()) || TIMES.contains(&word.as_str()))
        };
        match of.first() {
            Some(other) => Some((written(claim, mine, count), written(said, theirs, other))),
            None => (count.0 > 1 && !two_otherwise() && !has_number(theirs, count.0))
                .then(|| (written(claim, mine, count), "")),
        }
    })
}

fn has_number(words: &[Token], number: usize) -> bool {
    NUMBERS.get(number - 1).is_some_and(|names| words.iter().any(|(_, word)| names.contains(&word.as_str())))
}

fn counts(text: &str, words: &[Token]) -> Vec<Count> {
    let word = |at: usize| words.get(at).map_or("", |(_, word)| word.as_str());
    let number = |word: &str| NUMBERS.iter().position(|names| names.contains(&word)).map(|at| at + 1);
    let mut found = Vec::new();
    for at in 0..words.len() {
        // What is behind a mark doesn't go on with it.
        let is_last = text[words[at].0.end..].trim_start().starts_with([',', '.', ';', ')']);
        let next = if is_last { "" } else { word(at + 1) };
        let compares = || THAN.contains(&next);
        let before = at.checked_sub(1).map_or("", &word);
        let found_here = match word(at) {
            "once" => {
                let is_digit = next.starts_with(|c: char| c.is_ascii_digit());
                (before != "at" && (COUNTING.contains(&next) || is_digit)).then_some((1, at, at))
            }
            "twice" => (!compares()).then_some((2, at, at)),
            "thrice" => (!compares()).then_some((3, at, at)),
            times if TIMES.contains(&times) && at > 0 && !compares() => {
                number(before).filter(|n| *n > 1 || before != "a").map(|n| (n, at - 1, at))
            }
            other => {
                other.strip_suffix("mal").filter(|_| !compares()).and_then(|number_word| match number_word {
                    "ein" => Some((1, at, at)),
                    _ => number(number_word).map(|n| (n, at, at)),
                })
            }
        };
        found.extend(found_here);
    }
    found
}
