//! When, and how often: `10,000 units a month` for `a year`, `this year` for `next year`.

use super::scope::tokens;
use crate::domain::aggregate::near_duplicates::Features;
use crate::domain::text::figures::Figure;

/// Words between a figure and its time.
const WORDS_MAX: usize = 4;
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

/// What a claim says of time where the sentence that it was made from says something else; both as they are written.
pub(super) fn at_another_time<'t>(claim: &Features<'t>, said: &Features<'t>) -> Option<(&'t str, &'t str)> {
    another_rate(claim, said).or_else(|| another_turn(claim.text, said.text))
}

/// A figure of both that stands for another time in each.
fn another_rate<'t>(claim: &Features<'t>, said: &Features<'t>) -> Option<(&'t str, &'t str)> {
    claim.figures.iter().find_map(|mine| {
        let (written, time) = rate(claim.text, mine)?;
        let same =
            |theirs: &&Figure| (mine.unit, mine.low, mine.high) == (theirs.unit, theirs.low, theirs.high);
        let rates = said.figures.iter().filter(same).filter_map(|theirs| rate(said.text, theirs));
        let (same, other): (Vec<_>, Vec<_>) = rates.partition(|(_, theirs)| *theirs == time);
        same.is_empty().then(|| other.first().map(|(theirs, _)| (written, *theirs))).flatten()
    })
}

/// The time that a figure is counted in: `a year` behind `10,000 units`.
fn rate<'t>(text: &'t str, figure: &Figure) -> Option<(&'t str, usize)> {
    let rest = text.get(figure.end..)?;
    let clause = rest.find([',', ';', '.', '(', '，', '。']).map_or(rest, |end| &rest[..end]);
    let mut before = String::new();
    tokens(clause).take(WORDS_MAX).find_map(|(range, word)| {
        let time = TIMES.iter().position(|time| time.contains(&word.as_str()));
        let counts = EACH.contains(&before.as_str()) || word.ends_with("ly") || word.ends_with("lich");
        before = word;
        time.filter(|_| counts).map(|time| (&clause[range], time))
    })
}

/// `this year` where the other has `next year` only.
fn another_turn<'t>(claim: &'t str, said: &'t str) -> Option<(&'t str, &'t str)> {
    let (mine, theirs) = (turns(claim), turns(said));
    mine.iter().find_map(|(written, time, turn)| {
        let of_time = || theirs.iter().filter(|(_, other, _)| other == time);
        let known = of_time().any(|(_, _, other)| other == turn);
        (!known).then(|| of_time().next().map(|(other, ..)| (*written, *other))).flatten()
    })
}

fn turns(text: &str) -> Vec<(&str, usize, usize)> {
    let words: Vec<_> = tokens(text).collect();
    let turn = |two: &[(std::ops::Range<usize>, String)]| {
        let turn = [LAST, THIS, NEXT].iter().position(|words| words.contains(&two[0].1.as_str()))?;
        let time = TIMES.iter().position(|time| time.contains(&two[1].1.as_str()))?;
        Some((&text[two[0].0.start..two[1].0.end], time, turn))
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
            ("Jedes Jahr 500 Tonnen pro Tag", "500 Tonnen pro Woche", true),
        ] {
            let (mine, theirs) = (Features::of(&mut lexicon, claim), Features::of(&mut lexicon, said));
            assert_eq!(at_another_time(&mine, &theirs).is_some(), changed, "{claim} / {said}");
        }
    }
}
