//! Of whom a sentence speaks, where a claim speaks of somebody whom it only names beside: of `the daughter of the poet opened it` and `the
//! poet's daughter opened it` it makes `the poet opened it`, of `Tarn sold the mill to Norvik, which employs 900` `Tarn employs 900`.

use std::ops::Range;

use crate::domain::synthesis::verify::listed::Words;

#[rustfmt::skip]
const OF: &[&str] = &["of", "des", "der", "du", "de", "del", "della", "dello", "dell", "dei", "degli", "delle", "do", "da", "dos", "das", "van"];
#[rustfmt::skip]
const ARTICLES: &[&str] = &[
    "the", "a", "an", "its", "their", "his", "her", "der", "die", "das", "dem", "den", "des", "ein", "eine", "le", "la", "les", "l", "un", "une", "el", "los", "las", "una", "il", "lo", "i", "gli", "o", "os", "as", "um", "uma", "het", "een", "de",
];
/// What is no other than what stands behind its `of`, or speaks for it; `*` stands for any ending.
#[rustfmt::skip]
const SAME: &[&str] = &[
    "city", "town", "village", "state", "republic", "kingdom", "province", "county", "district", "island", "port", "majority", "most", "all", "both", "each", "one", "some", "many", "half", "number", "group", "team", "people", "government", "authorities", "management", "percent", "quarter", "kind", "type", "series", "range",
    "whole", "name", "price", "prices", "use", "production", "construction", "owner*", "university", "board", "council", "house", "museum", "members", "residents", "inhabitants", "citizens", "voters", "lot", "company", "firm", "team", "thousands", "hundreds", "dozens", "millions", "effect*", "total", "million", "billion",
    "stadt", "gemeinde", "insel", "mehrheit", "regierung", "zahl", "teilnehmer", "mitglieder", "bewohner", "ville", "commune", "île", "majorité", "gouvernement", "nombre", "ciudad", "isla", "mayoría", "gobierno", "número", "città", "comune", "isola", "governo", "numero",
];
/// Words that begin what more is said of a name before a comma.
const MORE: &[&str] = &["which", "who", "der", "die", "das", "qui", "que", "che"];

/// Of whom a sentence speaks, left out by a claim that speaks of who stands behind or before.
pub(super) fn left_out((claim, mine): (&str, &Words), (said, theirs): (&str, &Words)) -> Option<String> {
    let first = mine.iter().position(|(_, word)| !ARTICLES.contains(&word.as_str()))?;
    head(&mine[first..], said, theirs)
        .or_else(|| owner(&mine[first..], said, theirs))
        .or_else(|| told_of_another(&mine[first..], claim, said, theirs))
}

fn is_same(word: &str) -> bool {
    SAME.iter().any(|entry| entry.strip_suffix('*').map_or(*entry == word, |stem| word.starts_with(stem)))
}

/// Whether two words are one, perhaps in another case.
fn are_one(one: &str, other: &str) -> bool {
    const ENDING_MAX: usize = 2;
    let begins =
        |long: &str, short: &str| long.strip_prefix(short).is_some_and(|rest| rest.len() <= ENDING_MAX);
    one == other || one.len() > 4 && other.len() > 4 && (begins(one, other) || begins(other, one))
}

/// `daughter` of `the daughter of the poet opened`, where a claim begins `the poet opened`.
fn head(mine: &Words, said: &str, theirs: &Words) -> Option<String> {
    (1..theirs.len()).find_map(|at| {
        let (range, of) = &theirs[at];
        let (head, written) = (&theirs[at - 1].1, &theirs[at - 1].0);
        // It is who or what the sentence speaks of: nothing but what says more of it stands before.
        let begins = at >= 1
            && theirs[..at - 1].iter().all(|(own, word)| {
                ARTICLES.contains(&word.as_str())
                    || said[own.clone()].starts_with(char::is_lowercase) && at <= 3
            });
        if !OF.contains(&of.as_str()) || !begins || is_same(head) || said[written.end..range.start] != *" " {
            return None;
        }
        let next = (at + 1..theirs.len()).find(|next| !ARTICLES.contains(&theirs[*next].1.as_str()))?;
        goes_on(mine, theirs, next, said)?;
        let has = mine.iter().any(|(_, word)| are_one(word, head));
        (!has).then(|| said[theirs[0].0.start..theirs[next].0.end].to_owned())
    })
}

/// Whether a claim begins with a word of a sentence and goes on as that does.
fn goes_on(mine: &Words, theirs: &Words, at: usize, said: &str) -> Option<()> {
    const NAME_MAX: usize = 3;
    let same =
        mine.iter().zip(&theirs[at..]).take_while(|((_, one), (_, other))| are_one(one, other)).count();
    let name = theirs[at..]
        .iter()
        .take(NAME_MAX)
        .take_while(|(range, _)| said[range.clone()].starts_with(char::is_uppercase))
        .count()
        .max(1);
    (same > name).then_some(())
}

/// `daughter` of `the poet's daughter opened`, where a claim begins `the poet opened`.
fn owner(mine: &Words, said: &str, theirs: &Words) -> Option<String> {
    let ending = |word: &str| word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).map(str::to_owned);
    (0..theirs.len().saturating_sub(2)).find_map(|at| {
        let owner = ending(&theirs[at].1)?;
        let begins = theirs[..at].iter().all(|(range, word)| {
            ARTICLES.contains(&word.as_str()) || said[range.clone()].starts_with(char::is_uppercase)
        });
        let place = mine.iter().position(|(_, word)| *word == owner).filter(|place| *place <= at)?;
        let goes_on = mine.get(place + 1).is_some_and(|(_, word)| *word == theirs[at + 2].1);
        let has = mine.iter().any(|(_, word)| *word == theirs[at + 1].1);
        (begins && goes_on && !has).then(|| said[theirs[at].0.start..theirs[at + 1].0.end].to_owned())
    })
}

/// `Norvik` of `Tarn sold it to Norvik, which employs 900`, where a claim says of Tarn what only stands behind `which`.
fn told_of_another(mine: &Words, claim: &str, said: &str, theirs: &Words) -> Option<String> {
    let at = (1..theirs.len()).find(|at| {
        let gap = &said[theirs[at - 1].0.end..theirs[*at].0.start];
        MORE.contains(&theirs[*at].1.as_str()) && gap.trim() == "," && theirs.len() > at + 1
    })?;
    let (name, _) = &theirs[at - 1];
    let is_name = |range: &Range<usize>, text: &str| text[range.clone()].starts_with(char::is_uppercase);
    let (first, word) = mine.first()?;
    let own = theirs[..at - 1].iter().position(|(_, other)| other == word)?;
    let rest: Vec<&String> = mine[1..].iter().map(|(_, word)| word).filter(|word| word.len() > 3).collect();
    let behind = |word: &String| theirs[at + 1..].iter().any(|(_, other)| other == word);
    let only_behind = !rest.is_empty()
        && rest.iter().all(|word| behind(word) && !theirs[..at].iter().any(|(_, other)| other == *word));
    // Between both stands what leads to the other: a verb, a preposition.
    let leads = theirs[own + 1..at - 1].iter().any(|(range, word)| {
        !is_name(range, said) && !OF.contains(&word.as_str()) && !ARTICLES.contains(&word.as_str())
    });
    let is_told = mine.iter().any(|(_, other)| *other == theirs[at - 1].1);
    (is_name(name, said) && is_name(first, claim) && own < 3 && leads && only_behind && !is_told)
        .then(|| said[name.clone()].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::synthesis::verify::listed::words;

    #[test]
    fn who_is_only_named_beside_does_nothing() {
        for (claim, said, expected) in [
            (
                "The poet opened the house.",
                "The daughter of the poet opened the house.",
                Some("The daughter of the poet"),
            ),
            ("The poet opened the house.", "The poet's daughter opened the house.", Some("poet's daughter")),
            (
                "Le poète a ouvert la maison.",
                "La fille du poète a ouvert la maison.",
                Some("La fille du poète"),
            ),
            (
                "Der Dichter eröffnete das Haus.",
                "Die Tochter des Dichters eröffnete das Haus.",
                Some("Die Tochter des Dichters"),
            ),
            (
                "Tarn employs 900 people.",
                "Tarn sold the mill to Norvik, which employs 900 people.",
                Some("Norvik"),
            ),
            ("Norvik employs 900 people.", "Tarn sold the mill to Norvik, which employs 900 people.", None),
            ("Aster opened a tram.", "The city of Aster opened a tram.", None),
            ("The daughter opened the house.", "The daughter of the poet opened the house.", None),
        ] {
            let found = left_out((claim, &words(claim)), (said, &words(said)));
            assert_eq!(found.as_deref(), expected, "{claim}");
        }
    }
}
