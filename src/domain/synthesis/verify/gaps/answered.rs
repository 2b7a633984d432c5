//! Gaps that are none: what they say is missing is said.

use crate::domain::synthesis::verify::connecting::is_connecting;
use crate::domain::synthesis::verify::evidence::Evidence;
use crate::domain::synthesis::verify::scope::tokens;
use crate::domain::text::figures::{Figure, Unit, figures};
use crate::domain::text::phrases::has_any;
use crate::domain::text::words::{Lexicon, Term, Word};

/// Words that ask for a reason or a way: what follows is taken for granted.
#[rustfmt::skip]
const GRANTED: &[&str] = &["why", "despite", "warum", "weshalb", "wieso", "trotz", "pourquoi", "comment", "malgré", "perché", "waarom"];
/// The same in languages that are written without spaces, and of several words.
const GRANTED_PHRASES: &[&str] = &["por qué", "为什么", "为何", "なぜ", "왜"];
/// Words that ask for a figure or a name, and units of what is asked for.
#[rustfmt::skip]
const FIGURES: &[&str] = &[
    "many", "much", "old", "long", "high", "large", "far", "number", "amount", "cost", "costs", "price", "size", "wie", "viele", "viel", "combien", "cuántos", "cuánto",
];
const DATES: &[&str] = &["when", "date", "year", "wann", "quand", "cuándo"];
const PLACES: &[&str] = &["where", "who", "whom", "wo", "wer", "où", "qui", "dónde", "quién"];
/// Words of what is asked for, that needn't be said again where it is told.
const ASKED: usize = 2;

/// Whether a text takes something for granted: that it is so isn't shown by its being left unexplained.
pub(super) fn presupposes(text: &str) -> bool {
    tokens(text).any(|(_, word)| GRANTED.contains(&word.as_str())) || has_any(text, GRANTED_PHRASES)
}

/// Whether one statement of the material has all that a gap speaks of, and what it asks for: a date, a figure, a name. Where it asks
/// for nothing in so many words, only one with all of its words and more answers it.
pub(super) fn is_answered(
    lexicon: &mut Lexicon,
    evidence: &Evidence<'_>,
    text: &str,
    is_lacking: impl Fn(Term) -> bool,
) -> bool {
    let asks = |listed: &[&str]| tokens(text).any(|(_, word)| listed.contains(&word.as_str()));
    let (when, how_many, who) = (asks(DATES), asks(FIGURES), asks(PLACES));
    let words = lexicon.words(text);
    let says = |word: &&Word| {
        let written = text[word.range()].to_lowercase();
        let asking = [DATES, FIGURES, PLACES].iter().any(|listed| listed.contains(&written.as_str()));
        word.is_content() && !is_connecting(&written) && !is_lacking(word.term) && !asking
    };
    let terms: Vec<Term> = words.iter().filter(says).map(|word| word.term).collect();
    if terms.len() < ASKED || !(when || how_many || who) {
        return false;
    }
    evidence.alike(&terms, 1.0, usize::MAX).into_iter().any(|(at, _)| {
        let said = evidence.said[at].text.as_ref();
        let read = lexicon.words(said);
        let found = figures(said, &read);
        let is_date = |figure: &Figure| figure.unit == Unit::Date;
        let name = |word: &Word| {
            word.is_content()
                && word.start > 0
                && said[word.range()].starts_with(char::is_uppercase)
                && !terms.contains(&word.term)
        };
        (when && found.iter().any(is_date))
            || (how_many && found.iter().any(|figure| !is_date(figure)))
            || (who && read.iter().any(name))
    })
}
