//! A day, and that it isn't before a later one: `The bridge will reopen on 14 October 2025` and `The bridge won't reopen before November
//! 2025`, `The game comes out on 2 May 2026` and `The game isn't expected until August 2026`.

use super::Kind;
use super::between::independent;
use super::differ::{Difference, negations};
use super::existing::are_of_one;
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::Statement;
use crate::domain::text::figures::{Figure, Unit};
use crate::domain::text::phrases::behind_any;
use crate::domain::text::words::Lexicon;

/// Bytes of such a sentence, and words between what it is about and the day.
const BYTES_MAX: usize = 200;
const WORDS_MAX: usize = 5;
/// How many of each are held against each other.
const DENIED_MAX: usize = 16;
const SAID_MAX: usize = 256;
const ARTICLES: [&str; 3] = ["the ", "a ", "an "];
#[rustfmt::skip]
const NOT: [&str; 12] = [
    " won't ", " will not ", " isn't ", " is not ", " aren't ", " are not ", " doesn't ", " does not ", " do not ", " don't ", " cannot ", " can't ",
];
const BEFORE: [&str; 4] = [" before", " until", " till", " earlier than"];
const ON: [&str; 5] = [" on", " in", " from", " by", " for"];
/// What is said of whatever begins.
#[rustfmt::skip]
const EXPECTED: [&str; 10] = ["expected", "due", "available", "planned", "scheduled", "out", "ready", "coming", "set", "slated"];
/// How what begins so is told.
#[rustfmt::skip]
const BEGINS: [&str; 18] = [
    "come", "comes", "out", "release", "released", "launch", "launches", "open", "opens", "start", "starts", "begin", "begins", "arrive", "arrives", "ships", "available", "expected",
];

/// That something isn't before a day.
struct Denied<'s> {
    at: usize,
    about: String,
    verb: String,
    day: &'s Figure,
}

/// The pairs that differ, and how many were compared. `order` are the statements in an order of their own.
pub(super) fn differences(
    order: &[usize],
    (statements, features): (&[Statement<'_>], &[&Features<'_>]),
    lexicon: &mut Lexicon,
) -> (Vec<([usize; 2], Difference)>, usize) {
    let read = |at: &usize| denied(*at, &statements[*at], features[*at]);
    let denied: Vec<Denied<'_>> = order.iter().filter_map(read).take(DENIED_MAX).collect();
    if denied.is_empty() {
        return (Vec::new(), 0);
    }
    let (mut found, mut checked) = (Vec::new(), 0);
    let dated = order.iter().filter(|at| date(&statements[**at], features[**at]).is_some());
    for &at in dated.take(SAID_MAX) {
        for one in &denied {
            checked += 1;
            let (a, b) = ((&statements[one.at], features[one.at]), (&statements[at], features[at]));
            let Some(day) = says_earlier(one, (b.0, b.1)) else { continue };
            if independent(a.0, b.0) && are_of_one(a, b, lexicon) {
                let [mine, theirs] =
                    [(a.1, one.day), (b.1, day)].map(|(of, day)| of.text[day.range()].to_owned());
                found.push(([one.at, at], Difference::new(Kind::Date, mine, theirs)));
            }
        }
    }
    (found, checked)
}

/// The only day or month of a sentence.
fn date<'f>(statement: &Statement<'_>, of: &'f Features<'_>) -> Option<&'f Figure> {
    let mut dates = of.figures.iter().filter(|figure| figure.unit == Unit::Date);
    let only = dates.next().filter(|_| dates.next().is_none())?;
    let is_plain =
        of.text.len() <= BYTES_MAX && statement.row.is_none() && !of.text.contains([':', '|', ';']);
    (is_plain && only.low == only.high).then_some(only)
}

fn denied<'f>(at: usize, statement: &Statement<'_>, of: &'f Features<'_>) -> Option<Denied<'f>> {
    let day = date(statement, of)?;
    let lower = of.text[..day.start].to_ascii_lowercase().replace('’', "'");
    let before = lower.trim_end();
    let before = before.strip_suffix(" the").unwrap_or(before);
    let before = BEFORE.iter().find_map(|word| before.strip_suffix(word))?;
    let (start, not) = NOT.iter().find_map(|not| Some((before.find(not)?, *not)))?;
    let verb = &before[start + not.len()..];
    let is_short = (1..=WORDS_MAX).contains(&verb.split(' ').count());
    let about = without_article(&before[..start]).to_owned();
    // `to be released`: the last word says what it is.
    let verb = verb.split(' ').find(|word| !matches!(*word, "be" | "yet" | "to"))?.to_owned();
    (is_short && !about.is_empty()).then_some(Denied { at, about, verb, day })
}

/// The day that a sentence tells of the same, if that is before the one before which it isn't.
fn says_earlier<'f>(
    denied: &Denied<'_>,
    (said, of): (&Statement<'_>, &'f Features<'_>),
) -> Option<&'f Figure> {
    let day = date(said, of)?;
    let lower = of.text[..day.start].to_ascii_lowercase().replace('’', "'");
    let before = ON.iter().find_map(|word| lower.trim_end().strip_suffix(word))?;
    let verb = without_article(before).strip_prefix(denied.about.as_str())?.strip_prefix(' ')?;
    let words: Vec<&str> = verb.split(' ').collect();
    let is_behind = of.text[day.end..].contains(char::is_alphanumeric);
    if words.len() > WORDS_MAX || is_behind || negations(of) != 0 || is_past(&words) {
        return None;
    }
    let is_same = |word: &&str| {
        word.strip_prefix(denied.verb.as_str()).is_some_and(|end| matches!(end, "" | "s" | "es"))
    };
    let is_any = EXPECTED.contains(&denied.verb.as_str()) && words.iter().any(|word| BEGINS.contains(word));
    let is_earlier = last(day)? < first(denied.day)?;
    ((words.iter().any(is_same) || is_any) && is_earlier).then_some(day)
}

/// Whether it was so: what was to be is no longer.
fn is_past(words: &[&str]) -> bool {
    let has = |listed: &[&str]| words.iter().any(|word| listed.contains(word));
    has(&["was", "were", "had", "originally", "would", "could", "may", "might", "did"])
        || !has(&["is", "are", "be"]) && words.iter().any(|word| word.ends_with("ed"))
}

fn without_article(text: &str) -> &str {
    let text = text.trim_start_matches(['*', '_', ' ']);
    behind_any(text, &ARTICLES).unwrap_or(text)
}

/// The first and the last day that are meant, as numbers of year, month and day.
fn first(date: &Figure) -> Option<u64> {
    date.low.whole().filter(|day| *day >= 10_000 && day / 100 % 100 <= 12)
}

fn last(date: &Figure) -> Option<u64> {
    let day = first(date)?;
    Some(match (day / 100 % 100, day % 100) {
        (0, _) => day / 10_000 * 10_000 + 1231,
        (_, 0) => day + 31,
        _ => day,
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::between_texts;

    #[test]
    fn a_day_before_the_one_until_which_it_is_denied_contradicts() {
        for (one, other) in [
            ("The bridge will reopen on 14 October 2025.", "The bridge won't reopen before November 2025."),
            ("The project starts on 3 March 2026.", "The project will not start before June 2026."),
            ("The game comes out on 2 May 2026.", "The game isn't expected until August 2026."),
            ("The bridge opens in March 2026.", "The bridge will not open until 2 April 2026."),
        ] {
            assert_eq!(between_texts(one, other).len(), 1, "{one} / {other}");
            assert_eq!(between_texts(other, one).len(), 1, "{one} / {other}");
        }
    }

    #[test]
    fn a_later_day_or_another_thing_contradicts_nothing() {
        for (one, other) in [
            ("The bridge will reopen on 14 December 2025.", "The bridge won't reopen before November 2025."),
            ("The bridge will reopen in 2025.", "The bridge won't reopen before November 2025."),
            ("The tunnel will reopen on 14 October 2025.", "The bridge won't reopen before November 2025."),
            ("The bridge was to reopen on 14 October 2025.", "The bridge won't reopen before November 2025."),
            ("The bridge will close on 14 October 2025.", "The bridge won't reopen before November 2025."),
            ("The game is announced on 2 May 2026.", "The game isn't expected until August 2026."),
            (
                "The bridge will reopen on 14 October 2025 for cyclists.",
                "The bridge won't reopen before November 2025.",
            ),
        ] {
            assert_eq!(between_texts(one, other).len(), 0, "{one} / {other}");
            assert_eq!(between_texts(other, one).len(), 0, "{one} / {other}");
        }
    }
}
