//! When, and how often: `10,000 units a month` for `a year`, `this year` for `next year`.

use std::ops::Range;

use super::scope::tokens;
use super::what::What;
use crate::domain::near_duplicates::Features;
use crate::domain::text::figures::Figure;

/// Words between a figure and its time.
const WORDS_MAX: usize = 6;
/// What leads to a time after a figure.
const EACH: &[&str] =
    &["a", "an", "per", "each", "every", "pro", "je", "im", "par", "por", "al", "cada", "chaque"];
/// Times, each as it is named and as it says how often.
#[rustfmt::skip]
const TIMES: &[&[&str]] = &[
    &["second", "seconds", "sekunde", "seconde", "segundo"],
    &["minute", "minutes", "minuto"],
    &["hour", "hours", "hourly", "stunde", "stündlich", "heure", "hora"],
    &["day", "days", "daily", "tag", "täglich", "jour", "día"],
    &["week", "weeks", "weekly", "woche", "wöchentlich", "semaine", "semana"],
    &["month", "months", "monthly", "monat", "monatlich", "mois", "mes"],
    &["quarter", "quarters", "quarterly", "quartal", "trimestre"],
    &["year", "years", "yearly", "annual", "annually", "annum", "jahr", "jährlich", "an", "année", "año"],
    &["decade", "decades", "jahrzehnt", "décennie", "década"],
];
/// Before a time, what says which one.
const LAST: &[&str] = &["last", "past", "previous", "preceding"];
const THIS: &[&str] = &["this", "current"];
const NEXT: &[&str] = &["next", "coming", "upcoming", "following"];

const NUMBERS: &[&str] =
    &["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
const NOW: &[&str] = &["is", "are", "has", "have", "remains", "remain"];
const PAST: &[&str] = &["was", "were", "had"];
/// What says that something is over.
const OVER: &[&str] = &["until", "formerly", "former", "previously", "till"];

/// What a claim says of time where the sentence that it was made from says something else; both as they are written.
pub(super) fn at_another_time<'t>(claim: &Features<'t>, said: &Features<'t>) -> Option<(&'t str, &'t str)> {
    let another = another_rate(claim, said).or_else(|| another_turn(claim.text, said.text));
    another
        .or_else(|| another_length(claim.text, said.text))
        .or_else(|| against_another(claim.text, said.text))
        .or_else(|| no_more(claim.text, said.text))
}

/// A figure of both that is counted in another time in each, or lasts one.
fn another_rate<'t>(claim: &Features<'t>, said: &Features<'t>) -> Option<(&'t str, &'t str)> {
    claim.figures.iter().find_map(|mine| {
        let (written, time) = time_of(claim.text, mine)?;
        let same = said.figures.iter().filter(|theirs| What::of(theirs) == What::of(mine));
        let times = same.filter_map(|theirs| time_of(said.text, theirs));
        let (same, other): (Vec<_>, Vec<_>) = times.partition(|(_, theirs)| *theirs == time);
        let differs = || other.first().map(|(theirs, _)| (written, *theirs));
        same.is_empty()
            .then(|| differs().or_else(|| made_a_rate(claim.text, written, time, said.text)))
            .flatten()
    })
}

/// A figure that is counted in a time, `a year`, of which nothing is said: what happened once happens each year.
fn made_a_rate<'t>(
    claim: &'t str,
    written: &'t str,
    time: usize,
    said: &'t str,
) -> Option<(&'t str, &'t str)> {
    let at = claim.find(written)?;
    let before = tokens(&claim[..at]).last().map(|(_, word)| word);
    let each =
        before.is_some_and(|before| matches!(before.as_str(), "a" | "an" | "per" | "each" | "every" | "pro"));
    let known = tokens(said).any(|(_, word)| TIMES[time].contains(&word.as_str()));
    (each && !known).then_some((written, ""))
}

/// The time that a figure counts, `five years`, or is counted in: `a year` behind `10,000 units`.
fn time_of<'t>(text: &'t str, figure: &Figure) -> Option<(&'t str, usize)> {
    let rest = text.get(figure.start..)?;
    let number = rest.find([' ', '-']).unwrap_or(rest.len());
    let behind = &rest[number..];
    let clause = behind.find([',', ';', '.', '(', '，', '。']).map_or(behind, |end| &behind[..end]);
    let mut before = None;
    tokens(clause).take(WORDS_MAX).find_map(|(range, word)| {
        let lasts = before.is_none();
        let each = before.as_deref().is_some_and(|before| EACH.contains(&before));
        let often = word.ends_with("ly") || word.ends_with("lich");
        let time = time(&word).filter(|_| lasts || each || often);
        before = Some(word);
        time.map(|time| (&clause[range], time))
    })
}

/// Whether a word in lower case is a length of time.
pub(super) fn is_time(word: &str) -> bool {
    time(word).is_some()
}

fn time(word: &str) -> Option<usize> {
    TIMES.iter().position(|time| time.contains(&word))
}

/// `five months` where the other has `five years`: small numbers in letters are no figures.
fn another_length<'t>(claim: &'t str, said: &'t str) -> Option<(&'t str, &'t str)> {
    fn lengths(text: &str) -> Vec<(&str, usize, usize)> {
        let words: Vec<_> = tokens(text).collect();
        let length = |two: &[(Range<usize>, String)]| {
            let number = NUMBERS.iter().position(|number| *number == two[0].1)?;
            Some((&text[two[0].0.start..two[1].0.end], number, time(&two[1].1)?))
        };
        words.windows(2).filter_map(length).collect()
    }
    another_of(&lengths(claim), &lengths(said))
}

/// What has another value in the first than all of the second that have its key, and one of those.
fn another_of<'t>(
    mine: &[(&'t str, usize, usize)],
    theirs: &[(&'t str, usize, usize)],
) -> Option<(&'t str, &'t str)> {
    mine.iter().find_map(|(written, key, value)| {
        let same = || theirs.iter().filter(|(_, other, _)| other == key);
        let known = same().any(|(_, _, other)| other == value);
        (!known).then(|| same().next().map(|(other, ..)| (*written, *other))).flatten()
    })
}

/// `is` where the other has `was … until`.
fn no_more<'t>(claim: &'t str, said: &'t str) -> Option<(&'t str, &'t str)> {
    let of = |text: &'t str, words: &[&str]| {
        tokens(text).find(|(_, word)| words.contains(&word.as_str())).map(|(range, _)| &text[range])
    };
    let (now, over) = (of(claim, NOW)?, of(said, OVER)?);
    let past = of(said, PAST).is_some() && of(said, NOW).is_none();
    (past && of(claim, PAST).is_none() && of(claim, OVER).is_none()).then_some((now, over))
}

/// `quarter over quarter` where the other has `year over year`.
fn against_another<'t>(claim: &'t str, said: &'t str) -> Option<(&'t str, &'t str)> {
    fn against(text: &str) -> Option<(&str, usize)> {
        let words: Vec<_> = tokens(text).collect();
        words.windows(3).find_map(|three| {
            let same = time(&three[0].1).filter(|first| time(&three[2].1) == Some(*first))?;
            let over = matches!(three[1].1.as_str(), "over" | "on" | "by");
            over.then(|| (&text[three[0].0.start..three[2].0.end], same))
        })
    }
    let ((mine, time), (theirs, other)) = (against(claim)?, against(said)?);
    (time != other).then_some((mine, theirs))
}

/// `this year` where the other has `next year` only.
fn another_turn<'t>(claim: &'t str, said: &'t str) -> Option<(&'t str, &'t str)> {
    another_of(&turns(claim), &turns(said))
}

fn turns(text: &str) -> Vec<(&str, usize, usize)> {
    let words: Vec<_> = tokens(text).collect();
    let turn = |two: &[(Range<usize>, String)]| {
        let turn = [LAST, THIS, NEXT].iter().position(|words| words.contains(&two[0].1.as_str()))?;
        Some((&text[two[0].0.start..two[1].0.end], time(&two[1].1)?, turn))
    };
    words.windows(2).filter_map(turn).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::text::words::Lexicon;

    #[test]
    fn another_time_is_found() {
        let mut lexicon = Lexicon::default();
        for (claim, said, changed) in [
            ("It builds 10,000 units a month", "It can build 10,000 units a year", true),
            ("It builds 10,000 units per year", "It can build 10,000 units annually", false),
            ("It builds 10,000 units", "It can build 10,000 units a year", false),
            ("Prices fall by 12% this year", "Prices fall by 12% next year", true),
            ("Prices fall by 12% in the coming year", "Prices fall by 12% next year", false),
            ("Prices fell last year and rise this year", "Prices fell last year and rise this year", false),
            ("It lasted five months", "It lasted five years", true),
            ("A 5-year plan", "A plan of five years", false),
            ("It is the longest bridge", "It was the longest bridge until 1964", true),
            ("Until 1964 it was the longest bridge", "It was the longest bridge until 1964", false),
            ("Up 6% quarter over quarter", "Up 6% year over year", true),
            ("Jedes Jahr 500 Tonnen pro Tag", "500 Tonnen pro Woche", true),
        ] {
            let (mine, theirs) = (Features::of(&mut lexicon, claim), Features::of(&mut lexicon, said));
            assert_eq!(at_another_time(&mine, &theirs).is_some(), changed, "{claim} / {said}");
        }
    }
}
