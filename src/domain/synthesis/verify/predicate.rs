//! What one does, told of another whom the same sources name: of `Eva Lang wrote three novels. Tom Berg lives in Bonn.` a claim makes `Tom
//! Berg wrote three novels`.
//!
//! Each word that a claim says of somebody must stand where he is named, or where nobody else is spoken of by name.

use std::ops::Range;

use super::connecting::is_connecting;
use super::meaning::is_light;
use super::scope::tokens;

const ARTICLES: &[&str] =
    &["the", "a", "an", "der", "die", "das", "le", "la", "les", "el", "los", "las", "il", "lo", "i", "gli"];
/// What may stand for somebody who is named elsewhere; `*` stands for any ending.
#[rustfmt::skip]
const MEANT: &[&str] = &[
    "it", "its", "he", "his", "him", "she", "her", "they", "their", "them", "who", "whose", "which", "both", "company*", "firm", "group", "bank", "city", "club", "team", "country", "government", "brand", "maker", "startup", "agency", "university", "museum", "er", "sie", "sein*", "ihr*", "es", "firma", "unternehmen",
    "il", "elle", "ils", "elles", "leur*", "son", "sa", "ses", "su", "sus", "ella", "suo", "sua", "suoi", "entreprise", "empresa", "azienda", "société", "lui", "lei", "loro", "esta", "este", "questo", "questa",
];
/// Letters of a word that says something.
const SAYING_MIN: usize = 4;
/// Letters by which a word is known in another form.
const STEM: usize = 5;

type Words = Vec<(Range<usize>, String)>;

/// A word of a claim that is only said of others than its subject.
pub(super) fn of_another<'c>(
    claim: &'c str,
    said: &[&str],
    is_name: impl Fn(&str) -> bool,
) -> Option<&'c str> {
    let mine: Words = tokens(claim).collect();
    let name = leading_name(claim, &mine, &is_name)?;
    let skipped = name.len();
    let name = with_its_others(name, said);
    let texts: Vec<(bool, Words)> = said
        .iter()
        .map(|text| {
            let words: Words = tokens(text).collect();
            let has = words.iter().any(|(_, word)| name.iter().any(|own| same(own, word)));
            // Whoever the claim names, too, may do it there.
            let names_other = |own: &String| mine.iter().any(|(_, word)| same(own, word));
            let other =
                !has && leading_name(text, &words, &is_name).is_some_and(|other| {
                    !other.iter().any(names_other)
                        && !is_short_for(&other, &name)
                        && !is_short_for(&name, &other)
                }) && !words.iter().any(|(_, word)| is_meant(word));
            (other, words)
        })
        .collect();
    if !texts.iter().any(|(other, _)| *other) || texts.iter().all(|(other, _)| *other) {
        return None;
    }
    let word = mine[skipped..].iter().find(|(range, word)| {
        let says = claim[range.clone()].starts_with(char::is_lowercase)
            && word.len() >= SAYING_MIN
            && !is_light(word)
            && !is_connecting(word);
        let mut having =
            texts.iter().filter(|(_, words)| words.iter().any(|(_, other)| same(word, other))).peekable();
        says && having.peek().is_some() && having.all(|(other, _)| *other)
    })?;
    Some(&claim[word.0.clone()])
}

/// A name with the words that stand beside it as a part of it: `Ruiz` with `Ana`.
fn with_its_others(mut name: Vec<String>, said: &[&str]) -> Vec<String> {
    for text in said {
        let words: Words = tokens(text).collect();
        let is_capital = |at: usize| text[words[at].0.clone()].starts_with(char::is_uppercase);
        let beside = |one: usize, other: usize| text[words[one].0.end..words[other].0.start] == *" ";
        for at in (1..words.len()).filter(|at| is_capital(*at) && is_capital(*at - 1) && beside(*at - 1, *at))
        {
            let [one, other] = [at - 1, at].map(|at| bare(&words[at].1));
            for (known, new) in [(&one, &other), (&other, &one)] {
                if name.contains(known) && !name.contains(new) && !ARTICLES.contains(&new.as_str()) {
                    name.push(new.clone());
                }
            }
        }
    }
    name
}

/// The words of the name that a text begins with.
fn leading_name(text: &str, words: &Words, is_name: &impl Fn(&str) -> bool) -> Option<Vec<String>> {
    const NAME_MAX: usize = 4;
    let from = words.iter().take(1).filter(|(_, word)| ARTICLES.contains(&word.as_str())).count();
    let is_capital =
        |(range, _): &&(Range<usize>, String)| text[range.clone()].starts_with(char::is_uppercase);
    let name: Vec<String> =
        words[from..].iter().take(NAME_MAX).take_while(is_capital).map(|(_, word)| bare(word)).collect();
    let (first, _) = words.get(from)?;
    let known = from > 0 || name.len() > 1 || is_name(&text[first.clone()]);
    (known && !name.is_empty() && !is_light(&name[0]) && !is_connecting(&name[0])).then_some(name)
}

/// Whether a name of one word has the first letters of another's: `FERC`.
fn is_short_for(one: &[String], other: &[String]) -> bool {
    let [short] = one else { return false };
    let words = other.iter().filter(|word| !ARTICLES.contains(&word.as_str()));
    short.len() > 1 && words.filter_map(|word| word.chars().next()).eq(short.chars())
}

fn bare(word: &str) -> String {
    word.trim_end_matches("'s").trim_end_matches("’s").trim_end_matches(['\'', '’']).to_owned()
}

fn is_meant(word: &str) -> bool {
    MEANT.iter().any(|entry| entry.strip_suffix('*').map_or(*entry == word, |stem| word.starts_with(stem)))
}

fn same(one: &str, other: &str) -> bool {
    let other = bare(other);
    one == other || one.chars().take(STEM).eq(other.chars().take(STEM)) && one.chars().count() >= STEM
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_does_is_not_told_of_another() {
        let eva = ["Eva Lang studied in Graz and wrote three novels.", "Tom Berg studied in Bonn."];
        let shop = ["Acme sells bikes in Lyon.", "It was founded by Ann Lee in 1990."];
        for (claim, said, expected) in [
            ("Tom Berg wrote three novels in Bonn.", &eva[..], Some("wrote")),
            ("Eva Lang wrote three novels.", &eva, None),
            ("Tom Berg studied in Bonn.", &eva, None),
            ("Acme was founded by Ann Lee.", &shop, None),
        ] {
            let found = of_another(claim, said, |word| word == "Acme");
            assert_eq!(found, expected, "{claim}");
        }
    }
}
