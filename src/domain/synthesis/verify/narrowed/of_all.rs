//! So many of so many, told of all of them: `12 of 1,000 patients`, `every second child`.

use crate::domain::synthesis::verify::times::is_time;

const OF: &[&str] = &["of", "der", "von", "sur", "de", "in"];
const SKIPPED: &[&str] = &["the", "all", "its", "their", "these", "den", "die", "les", "los", "las"];
const EVERY: &[&str] = &["every", "each", "jeder", "jede", "jedes", "chaque", "cada"];
#[rustfmt::skip]
const NTH: &[&str] = &["second", "third", "fourth", "fifth", "tenth", "other", "zweite", "zweiter", "zweites", "dritte", "dritter", "drittes", "vierte", "zehnte"];
#[rustfmt::skip]
const NUMBERS: &[&str] = &[
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "half", "none", "most", "some", "ein", "eine", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht",
    "neun", "zehn", "elf", "zwölf", "deux", "trois", "quatre", "cinq", "dix", "douze", "dos", "tres", "cuatro", "cinco", "diez", "doce",
];

/// What a sentence says of a part, where a claim says it of all.
pub(super) fn part_of_all(claim: &str, said: &str) -> Option<String> {
    let (mine, theirs) = (words(claim), words(said));
    shares(&theirs)
        .find(|(part, all)| {
            let of_all = (0..mine.len()).any(|at| mine[at] == **all && !is_behind_of(&mine, at));
            of_all && !mine.contains(part)
        })
        .map(|(part, all)| format!("{part} of {all}"))
        .or_else(|| group(&mine, &theirs))
        .or_else(|| {
            nth(&theirs)
                .filter(|(every, _)| mine.contains(every) && nth(&mine).is_none())
                .map(|(every, nth)| format!("{every} {nth}"))
        })
}

/// Words that say how many of something there are, and those that narrow it by a figure right behind it.
const HOW_MANY: &[&str] = &["most", "all", "many", "half", "every", "no", "die", "meisten", "alle"];
const BOUNDS: &[&str] = &["under", "over", "aged", "below", "above", "unter", "über", "ab"];
/// With these a claim says that it counts in relation to something.
const RATES: &[&str] =
    &["per", "pro", "je", "rate", "rates", "ratio", "each", "every", "of", "out", "par", "por"];

/// `Most users` of `most users under 30`, `deaths` of `deaths per 1,000 births`.
fn group(mine: &[String], theirs: &[String]) -> Option<String> {
    let bounded = theirs.windows(4).find(|four| {
        let narrows =
            HOW_MANY.contains(&four[0].as_str()) && BOUNDS.contains(&four[2].as_str()) && is_number(&four[3]);
        narrows && mine.windows(2).any(|two| two == &four[..2]) && !mine.contains(&four[3])
    });
    let rate = || {
        let per = theirs
            .windows(2)
            .find(|two| matches!(two[0].as_str(), "per" | "pro" | "je") && is_number(&two[1]))?;
        (!mine.iter().any(|word| RATES.contains(&word.as_str()))).then_some(per)
    };
    // What is said of the one and then of the other isn't said of both at once.
    let both = || {
        let is_both = |word: &&String| matches!(word.as_str(), "both" | "beide" | "ambos" | "ambas");
        let joins = |word: &String| {
            matches!(word.as_str(), "both" | "two" | "and" | "beide" | "zwei" | "und" | "ambos" | "y" | "dos")
        };
        mine.iter().find(is_both).filter(|_| !theirs.iter().any(joins)).cloned()
    };
    bounded
        .map(|four| four.join(" "))
        .or_else(|| rate().map(|two| two.join(" ")))
        .or_else(both)
        .or_else(|| of_each(mine, theirs))
}

/// So much to each of so many, where the sentence says it of all together: `2 million to each of 31 workers`.
fn of_each(mine: &[String], theirs: &[String]) -> Option<String> {
    const EACH: &[&str] = &[
        "each", "apiece", "jeder", "jede", "jedem", "jeden", "jeweils", "chacun", "chacune", "ciascuno",
        "ciascuna",
    ];
    #[rustfmt::skip]
    const DEALS: &[&str] = &["every", "per", "all", "both", "individual", "single", "pro", "je", "alle", "allen", "tous", "toutes", "par", "tutti", "tutte"];
    let is = |word: &str, listed: &[&str]| listed.contains(&word);
    let counts = mine.iter().filter(|word| word.starts_with(|c: char| c.is_ascii_digit())).count() > 1;
    // `each day` says when.
    let when = |at: usize| mine.get(at + 1).is_some_and(|next| is_time(next));
    let each = (0..mine.len()).find(|at| is(&mine[*at], EACH) && !when(*at)).filter(|_| counts)?;
    let each = &mine[each];
    (!theirs.iter().any(|word| is(word, EACH) || is(word, DEALS))).then(|| format!("together, not {each}"))
}

/// The words and numbers of a text, in small letters.
fn words(text: &str) -> Vec<String> {
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    text.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect()
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) || NUMBERS.contains(&word)
}

/// Each part with that of which it is one.
fn shares(words: &[String]) -> impl Iterator<Item = (&String, &String)> {
    (1..words.len()).filter(|at| OF.contains(&words[*at].as_str())).filter_map(|at| {
        let all = words[at + 1..].iter().find(|word| !SKIPPED.contains(&word.as_str()))?;
        let is_year = |word: &str| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
        // `one of the most expensive` counts no part of most.
        let counts = is_number(&words[at - 1]) && is_number(all) && !is_year(all) && all != "most";
        counts.then_some((&words[at - 1], all))
    })
}

fn is_behind_of(words: &[String], at: usize) -> bool {
    let mut before = words[..at].iter().rev().skip_while(|word| SKIPPED.contains(&word.as_str()));
    before.next().is_some_and(|word| OF.contains(&word.as_str()))
}

fn nth(words: &[String]) -> Option<(&String, &String)> {
    let mut pairs = words.windows(2);
    pairs
        .find(|two| EVERY.contains(&two[0].as_str()) && NTH.contains(&two[1].as_str()))
        .map(|two| (&two[0], &two[1]))
}
