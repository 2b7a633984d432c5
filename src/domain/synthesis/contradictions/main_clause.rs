//! The clause of a statement that says the fact: `Revenue rose by 5 %` of `Revenue rose by 5 %, which surprised analysts`.
//!
//! What follows it would make two statements about the same look as if they were about something else, and its figures
//! would be held against figures of another thing. It ends at a comma or a semicolon before certain words, and at a colon, a dash or a bracket
//! before what tells why ([`marked`]).

pub(super) use self::marked::has_label;
use self::marked::{explains, has_verb, is_stated, marks};
use crate::domain::near_duplicates::Features;
use crate::domain::text::figures::{Figure, Unit};

mod marked;

/// What begins a clause behind a comma that takes nothing back of what stands before it, with a space behind it. No
/// conditions: what is said under one isn't said.
#[rustfmt::skip]
const ASIDES: &[&str] = &[
    "which", "who", "whose", "driven", "reflecting", "making", "surprising", "thanks", "due", "because", "since", "while", "whereas", "despite",
    "although", "though", "according",
    "as a", "as an", "as the", "as it", "as they", "as this", "as there", "as no", "as some", "as one", "mainly", "mostly", "largely", "partly", "primarily", "chiefly",
    "wodurch", "womit", "während", "obwohl", "weil", "da", "sodass", "so dass", "laut", "so", "vor allem", "hauptsächlich", "denn",
    "ce qui", "ce que", "tandis que", "alors que", "grâce", "en raison", "soit", "selon", "car", "parce que", "puisque", "principalement", "surtout",
    "lo que", "lo cual", "mientras", "debido", "gracias", "según", "porque", "ya que", "pues", "principalmente", "perché", "poiché", "principalmente", "omdat", "want", "vooral",
];
/// The same of what happens where the fact doesn't hold.
const OTHERWISE: [&str; 4] = ["otherwise", "sonst", "ansonsten", "sinon"];
/// Behind these stands why it was on that day, which is no other day.
const REASONS: [&str; 9] =
    ["because", "as the", "weil", "denn", "car", "parce que", "porque", "perché", "omdat"];
/// Commas of a sentence that are looked at.
const COMMAS_MAX: usize = 32;

/// Where the main clause ends, where another one stands behind it.
pub(super) fn end_of(of: &Features<'_>) -> Option<usize> {
    let text = of.text;
    // A date behind it says when, or what it is compared with.
    let dates = |at: usize| of.figures.iter().any(|figure| figure.start >= at && figure.unit == Unit::Date);
    let is_clause = |at: &usize| {
        let rest = &text[*at..];
        // Another sentence, with its own day. Where it has a figure and the first says nothing it is what is compared.
        let is_sentence = || rest.starts_with("; ") || begins(rest, &OTHERWISE);
        begins(rest, ASIDES) && says(of, *at) && !dates(*at)
            || is_sentence() && (says(of, *at) || !counts_from(of, *at))
    };
    let of_comma = memchr::memchr2_iter(b',', b';', text.as_bytes()).take(COMMAS_MAX).find(is_clause);
    let is_reason = |at: &usize| {
        begins(&text[*at..], &REASONS) && has_day(of, *at) && !dates(*at) && !counts_from(of, *at)
    };
    let of_reason = || memchr::memchr_iter(b',', text.as_bytes()).take(COMMAS_MAX).find(is_reason);
    let tells = |at: usize| says(of, at) || is_stated(&text[..at]) && !counts_from(of, at);
    // What stands behind a figure may say of what it is, but for another sentence.
    let is_sure = |at: usize| !counts(of, at) || has_verb(&text[at..]);
    let ends = |at: &usize| tells(*at) && !dates(*at) && is_sure(*at) && explains(&text[*at..]);
    let of_mark = marks(text).find(ends);
    of_comma.or_else(of_reason).into_iter().chain(of_mark).min()
}

/// The main clause alone.
pub(super) fn main_clause<'t>(of: &Features<'t>, end: usize) -> Features<'t> {
    // All are in the order of the text, and what they are in the whole.
    let words = of.words[..of.words.partition_point(|word| word.end <= end)].to_vec();
    let figures = of.figures[..of.figures.partition_point(|figure| figure.end <= end)].to_vec();
    let marks = of.marks[..of.marks.partition_point(|marked| marked.end <= end)].to_vec();
    Features::of_read(&of.text[..end], (words, figures, marks))
}

/// Whether a clause begins with one of some words behind the comma that `rest` begins with.
fn begins(rest: &str, words: &[&str]) -> bool {
    let Some(behind) = rest.strip_prefix(", ") else { return false };
    let is_begun = |word: &&str| {
        // Most are out by their first byte.
        word.as_bytes().first() == behind.as_bytes().first()
            && behind.strip_prefix(*word).is_some_and(|next| next.starts_with([' ', '\n']))
    };
    words.iter().any(is_begun)
}

/// Whether a figure that is no date stands behind `start`.
fn counts_from(of: &Features<'_>, start: usize) -> bool {
    let counts = |unit| !matches!(unit, Unit::Date | Unit::Weekday | Unit::Label | Unit::Ordinal);
    of.figures.iter().any(|figure| figure.start >= start && counts(figure.unit))
}

/// Whether a day stands before `end`, and no figure besides.
fn has_day(of: &Features<'_>, end: usize) -> bool {
    let is_day = |figure: &&Figure| {
        figure.unit == Unit::Date && figure.low.whole().is_some_and(|date| date % 100 != 0)
    };
    let mut before = of.figures.iter().filter(|figure| figure.end <= end);
    before.next().as_ref().is_some_and(is_day) && before.next().is_none()
}

/// Whether a figure that is no date stands before `end`.
fn counts(of: &Features<'_>, end: usize) -> bool {
    of.figures.iter().any(|figure| {
        figure.end <= end && !matches!(figure.unit, Unit::Date | Unit::Weekday | Unit::Label | Unit::Ordinal)
    })
}

/// Whether what stands before `end` says what can be contradicted: a figure that is no date, a negation, an opposite.
fn says(of: &Features<'_>, end: usize) -> bool {
    counts(of, end)
        || of.marks.iter().any(|mark| mark.end <= end && (mark.mark.strong() || mark.mark.is_negation()))
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::tests::kind;

    #[test]
    fn why_it_is_so_hides_no_contradiction() {
        for (one, other, expected) in [
            (
                "The library is thread-safe.",
                "The library is not thread-safe: two calls share one buffer.",
                Kind::Negation,
            ),
            ("The contract is signed.", "The contract is not signed – the CFO refused.", Kind::Negation),
            ("The contract is signed.", "The contract is not signed (the CFO refused).", Kind::Negation),
            ("The contract is not signed.", "The contract is signed: I saw the scan.", Kind::Negation),
            ("Retries are safe.", "Retries are not safe, as a card can be charged twice.", Kind::Negation),
            (
                "Die Bibliothek ist threadsicher.",
                "Die Bibliothek ist nicht threadsicher: zwei Aufrufe teilen einen Puffer.",
                Kind::Negation,
            ),
            (
                "El patinete es resistente al agua.",
                "El patinete no es resistente al agua: dejó de funcionar tras un chaparrón.",
                Kind::Negation,
            ),
            ("The limit is 5 requests.", "The limit is 10 requests: the plan was upgraded.", Kind::Number),
            ("Churn increased in Q3.", "Churn decreased in Q3, mainly in Europe.", Kind::Polarity),
            (
                "The move takes place on 1 June.",
                "The move takes place on 15 June, because the lift will only be ready then.",
                Kind::Date,
            ),
        ] {
            assert_eq!(kind(one, other), Some(expected), "{one} / {other}");
            assert_eq!(kind(other, one), Some(expected), "{other} / {one}");
        }
    }

    #[test]
    fn what_bounds_it_behind_a_mark_belongs_to_it() {
        for (one, other) in [
            ("The drug is safe.", "The drug is not safe: in pregnancy it can do harm."),
            ("The museum is open.", "The museum is not open (Mondays)."),
            ("The museum is open.", "The museum is not open – on Mondays and Tuesdays."),
            ("The fee is €10.", "The fee is €6 (for students and children)."),
            ("The fee is €10.", "The fee is €6: members pay only that."),
            ("The plan is free.", "The plan is not free (if you need more seats)."),
            ("Der Eintritt ist frei.", "Der Eintritt ist nicht frei (außer am ersten Sonntag)."),
            ("The price is €10.", "The price is €12 (including the local tax)."),
            ("Le musée est ouvert.", "Le musée n'est pas ouvert : sauf le dimanche et le lundi."),
            ("The limit is 5 requests.", "Limit: 10 requests of the new plan."),
            (
                "The move takes place on 1 June.",
                "The move takes place on 15 June, if the lift is ready then.",
            ),
        ] {
            assert_eq!(kind(one, other), None, "{one} / {other}");
            assert_eq!(kind(other, one), None, "{other} / {one}");
        }
    }
}
