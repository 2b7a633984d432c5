//! Whether a sentence says itself what it is about: `The licence costs 40 euros`, not `It costs …`, `The price is …` or `Cost: …`.

use crate::domain::near_duplicates::Features;
use crate::domain::text::terms::{self, KnownTerms};
use crate::domain::text::words::{Kind, Word};
use std::sync::LazyLock;

/// How far a sentence says what it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Own {
    /// What stands around it does.
    Nothing,
    /// Something particular: `The licence`.
    Particular,
    /// Something that needs nothing around it: `Solar power`, `Acme's revenue`.
    Itself,
}

/// With these a sentence points at something around it, or is about a part of it.
#[rustfmt::skip]
const POINTING: &[&str] = &[
    "it", "its", "he", "his", "she", "her", "they", "their", "this", "these", "that", "those", "there", "here", "we", "our", "you", "your", "i", "my", "some", "such", "both", "one",
    "yes", "no", "in", "on", "at", "by", "for", "from", "to", "with", "as", "after", "before", "during", "since", "until", "if", "when", "while", "only", "up", "about", "over", "under",
    "er", "sie", "es", "elle", "ils", "elles", "cela", "ce", "cette", "ella", "ellos", "este", "esta", "dies", "diese", "dieser", "im", "am", "en", "au",
];
#[rustfmt::skip]
const ARTICLES: &[&str] = &[
    "the", "a", "an", "each", "every", "all", "any", "der", "die", "das", "ein", "eine", "jede", "jeder", "le", "la", "les", "un", "une", "el", "los", "las", "una", "il", "lo",
    "o", "os", "um", "uma", "de", "het", "een",
];

/// What is said of something else: `The price`, `Revenue`, `The notice period`; and kinds of which there are several.
#[rustfmt::skip]
const MEASURES: &[&str] = &[
    "price", "cost", "fee", "charge", "revenue", "sale", "profit", "income", "turnover", "margin", "loss", "rate", "limit", "total", "number", "amount", "population", "size", "value", "share",
    "budget", "duration", "average", "mean", "median", "result", "maximum", "minimum", "height", "weight", "length", "width", "depth", "age", "capacity", "deadline", "notice", "period", "term", "delay",
    "speed", "distance", "temperature", "time", "date", "year", "salary", "wage", "rent", "tax", "growth", "demand", "supply", "output", "production", "staff", "employee", "user", "customer", "people", "member",
    "inhabitant", "resident", "default", "setup", "access", "support", "latency", "accuracy", "score", "rank", "ranking", "quota", "discount", "deposit", "payment", "delivery", "shipping", "warranty", "effect", "dose",
    "plan", "pro", "basic", "premium", "standard", "enterprise", "free", "team", "business", "starter", "plus", "version", "model", "option", "first", "second", "third", "other", "inflation", "unemployment", "gdp", "market", "debt",
];

static LISTED: LazyLock<KnownTerms<()>> =
    LazyLock::new(|| terms::table(MEASURES.iter().map(|word| (*word, ()))).into());

/// How far a sentence says what it is about.
pub(super) fn own(of: &Features<'_>) -> Own {
    let lower = |word: &Word| of.text[word.range()].to_lowercase();
    let mut words = of.words.iter().filter(|word| word.kind != Kind::Cjk).peekable();
    let Some(first) = words.peek().map(|first| lower(first)) else { return Own::Nothing };
    let has_article = ARTICLES.contains(&first.as_str());
    if has_article {
        words.next();
    }
    // `Cost: …`, `Revenue | …`.
    let is_label = of.text.contains([':', '|']);
    let Some(subject) = words.next().filter(|_| !is_label) else { return Own::Nothing };
    let is_particular = subject.kind == Kind::Content
        && !POINTING.contains(&lower(subject).as_str())
        && LISTED.get(subject.term).is_none();
    match (is_particular, has_article) {
        (false, _) => Own::Nothing,
        (true, true) => Own::Particular,
        (true, false) => Own::Itself,
    }
}
