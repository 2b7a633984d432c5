//! Superlatives that a source narrows: the second largest, one of the largest, and the largest small one, isn't the largest.

use super::{Token, is_beside};
use crate::domain::synthesis::verify::compared::is_highest;

/// Words with which languages form a superlative of the next word.
const MOST: &[&str] = &["most", "least", "plus", "moins", "más", "menos", "più", "meno"];
const HIGHEST: &[&str] =
    &["best", "worst", "beste", "besten", "bester", "mejor", "peor", "meilleur", "meilleure", "pire"];
/// German words with the ending of a superlative that are none.
#[rustfmt::skip]
const NONE: &[&str] = &["erste", "ersten", "erster", "erstes", "nächste", "nächsten", "feste", "festen", "fester", "letzte", "letzten", "meisten", "bewusste", "kosten", "leisten", "gesten"];
/// What narrows a superlative directly before it.
#[rustfmt::skip]
const NTH: &[&str] = &[
    "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "next", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th", "10th", "deuxième", "seconde", "second", "troisième",
    "quatrième", "cinquième", "segundo", "segunda", "tercer", "tercera", "cuarto", "cuarta", "secondo", "seconda", "terzo", "terza", "nearly", "almost", "arguably", "possibly", "perhaps", "presque",
];
/// Beginnings of German words that do.
const NTH_GERMAN: &[&str] =
    &["zweit", "dritt", "viert", "fünft", "sechst", "siebt", "acht", "neunt", "zehnt"];
/// What leads to those of which it is one.
const OF: &[&str] = &[
    "of", "among", "amongst", "der", "den", "des", "les", "de", "los", "las", "dei", "delle", "degli",
    "parmi", "entre", "unter", "zu", "dos", "das",
];
const AMONG: &[&str] = &["among", "amongst", "parmi", "entre", "unter"];
/// What says that it is one of them.
#[rustfmt::skip]
const ONE: &[&str] = &[
    "one", "two", "three", "four", "five", "some", "several", "many", "any", "few", "part", "einer", "eine", "eines", "einem", "einen", "zu", "unter", "un", "une", "l'un", "l’un", "l'une", "l’une", "uno", "una", "uma", "um", "deux",
    "trois", "zwei", "drei", "dos", "tres",
];
/// What may stand between it and the superlative.
#[rustfmt::skip]
const BETWEEN: &[&str] = &[
    "the", "its", "their", "our", "very", "few", "two", "three", "four", "five", "ten", "all", "his", "her", "absolute", "those", "these", "les", "der", "den", "de", "los", "las",
];
/// Words of a phrase, which is no word that describes.
const PHRASES: &[&str] =
    &["of", "in", "and", "or", "the", "for", "at", "on", "to", "by", "und", "oder", "et"];
/// Words behind a superlative that may describe what it speaks of, or be that.
const BEHIND_MAX: usize = 3;

/// What a claim leaves out that narrows a superlative of a sentence.
pub(super) fn widened((claim, mine): (&str, &[Token]), (said, theirs): (&str, &[Token])) -> Option<String> {
    let own: Vec<usize> = (0..mine.len()).filter(|at| is_superlative(claim, mine, *at)).collect();
    if own.is_empty() {
        return None; // the usual case
    }
    let highest = (0..theirs.len()).filter(|at| is_superlative(said, theirs, *at));
    highest.into_iter().find_map(|at| {
        let stem = stem(theirs, at);
        let mut same = own.iter().filter(|own| self::stem(mine, **own) == stem).peekable();
        let first = **same.peek()?;
        let narrower = narrower(said, theirs, at)
            .filter(|_| same.clone().all(|own| narrower(claim, mine, *own).is_none()));
        narrower.or_else(|| described((claim, mine, first), (said, theirs, at)))
    })
}

fn is_superlative(text: &str, words: &[Token], at: usize) -> bool {
    let (range, word) = &words[at];
    let small = text[range.clone()].starts_with(char::is_lowercase);
    let word = word.as_str();
    let before = at.checked_sub(1).map_or("", |at| words[at].1.as_str());
    let is_german = || {
        ["ste", "sten", "ster", "ßte", "ßten", "ßter"].iter().any(|end| word.ends_with(end))
            && word.chars().count() > 5
            && !NONE.contains(&word)
            && matches!(before, "der" | "die" | "das" | "den" | "dem" | "des" | "ihre" | "seine" | "europas")
    };
    // `most users` are many.
    let is_formed = || {
        MOST.contains(&word)
            && is_beside(text, words, at)
            && (!before.is_empty() && words[at + 1].1 != "of")
            && (!matches!(word, "most" | "least") || leads(text, words, at))
    };
    small && (is_highest(word) || HIGHEST.contains(&word) || is_formed() || is_german())
}

/// Whether an article, a possessive, or what narrows it stands before a word.
fn leads(text: &str, words: &[Token], at: usize) -> bool {
    let Some((range, before)) = at.checked_sub(1).map(|at| &words[at]) else { return false };
    BETWEEN.contains(&before.as_str())
        || NTH.contains(&before.as_str())
        || OF.contains(&before.as_str())
        || before.ends_with("'s")
        || before.ends_with("’s")
        || text[range.clone()].starts_with(|c: char| c.is_ascii_digit())
}

/// By which a superlative is known again: without its ending, and what is formed with the word behind it with that.
fn stem(words: &[Token], at: usize) -> String {
    let word = words[at].1.as_str();
    let word = NTH_GERMAN.iter().find_map(|nth| word.strip_prefix(nth)).unwrap_or(word);
    let bare = |word: &str| {
        let ends = ["en", "er", "es", "e", "s"];
        ends.iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word).to_owned()
    };
    match MOST.contains(&word) {
        true => words.get(at + 1).map_or(String::new(), |next| bare(&next.1)),
        false => bare(word),
    }
}

/// What narrows a superlative: which one it is of them, or that it is one.
fn narrower(text: &str, words: &[Token], at: usize) -> Option<String> {
    let written = |from: usize| text[words[from].0.start..words[at].0.end].to_owned();
    if NTH_GERMAN.iter().any(|nth| words[at].1.strip_prefix(nth).is_some_and(|rest| rest.len() > 4)) {
        return Some(words[at].1.clone());
    }
    // `la deuxième plus grande`, `the second-largest`.
    let before = at.checked_sub(1)?;
    if NTH.contains(&words[before].1.as_str()) {
        return Some(written(before));
    }
    let may_stand = |at: usize| {
        let (range, word) = &words[at];
        BETWEEN.contains(&word.as_str())
            || word.ends_with("'s")
            || word.ends_with("’s")
            || text[range.clone()].starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
    };
    let mut from = before;
    loop {
        let word = words[from].1.as_str();
        let divided = text[words[from].0.end..words[from + 1].0.start].contains([',', ';', ':', '(']);
        if divided {
            return None;
        }
        if AMONG.contains(&word) {
            return Some(written(from));
        }
        if OF.contains(&word)
            && let Some(one) = from.checked_sub(1).filter(|one| is_one(&words[*one].1))
        {
            return Some(written(one));
        }
        // `un des ponts les plus longs`: the noun stands between.
        let is_noun =
            from > 0 && matches!(words[from - 1].1.as_str(), "des" | "los" | "las" | "dei" | "delle");
        if !(may_stand(from) || is_noun) || from == 0 {
            return None;
        }
        from -= 1;
    }
}

fn is_one(word: &str) -> bool {
    ONE.contains(&word)
        || ["c'est l'", "l'", "l’", "d'", "d’"]
            .iter()
            .any(|lead| word.strip_prefix(lead).is_some_and(|rest| ONE.contains(&rest)))
}

/// A word that describes what a superlative speaks of, which a claim leaves out: `the safest small car`.
fn described(
    (claim, mine, own): (&str, &[Token], usize),
    (said, theirs, at): (&str, &[Token], usize),
) -> Option<String> {
    let behind = |of: &str, words: &[Token], at: usize| -> Vec<String> {
        let formed = usize::from(MOST.contains(&words[at].1.as_str()));
        let from = at + 1 + formed;
        let beside = (from..words.len()).take_while(|next| is_beside(of, words, next - 1));
        beside.take(BEHIND_MAX).map(|next| words[next].1.clone()).collect()
    };
    let (ours, others) = (behind(claim, mine, own), behind(said, theirs, at));
    let noun = ours.first()?;
    let place = others.iter().position(|word| word == noun || word.strip_suffix('s') == Some(noun))?;
    let dropped = &others[..place];
    let describes =
        |word: &String| !PHRASES.contains(&word.as_str()) && !mine.iter().any(|(_, own)| own == word);
    (!dropped.is_empty() && dropped.iter().all(describes)).then(|| dropped.join(" "))
}
