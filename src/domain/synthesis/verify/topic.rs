//! What a finding is called.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::evidence::Evidence;
use super::gaps::is_negation;
use super::plain::label;
use crate::domain::text::scripts::is_wide_or_mark;
use crate::domain::text::terms::{TermSet, table};
use crate::domain::text::words::{Kind, Lexicon, Term, Word};

/// Characters of a topic.
const CHARS_MAX: usize = 80;
/// Words of a finding that stand for a topic.
const FALLBACK_WORDS: usize = 6;
/// The same in characters, where words aren't parted.
const FALLBACK_CHARS: usize = 24;

/// Words of headings that say what is spoken of, and nothing of it.
#[rustfmt::skip]
const HEADING_WORDS: &[&str] = &[
    "overview", "background", "summary", "context", "introduction", "conclusion", "trend", "development", "timeline", "history",
    "cost", "price", "size", "amount", "number", "share", "figure", "statistic", "data", "result", "finding", "outlook", "status",
    "scope", "scale", "structure", "role", "use", "usage", "approach", "method", "definition", "comparison", "difference",
    "analysis", "key", "main", "general", "other", "topic", "point", "question", "answer", "fact", "detail", "aspect", "area", "date",
    "place", "time", "people", "company", "product", "policy", "market", "description", "example", "evidence", "source",
];
static HEADINGS: LazyLock<TermSet> =
    LazyLock::new(|| table(HEADING_WORDS.iter().map(|word| (*word, ()))).into_keys().collect());

/// A topic that claims nothing: it has no words but those of its finding, and such as every heading has; otherwise it is
/// the finding's first words.
pub(super) fn topic(lexicon: &mut Lexicon, evidence: &Evidence<'_>, topic: &str, content: &str) -> String {
    let topic = label(topic, evidence.sources, CHARS_MAX);
    let said: BTreeSet<Term> = lexicon.terms(content).into_iter().collect();
    let words = lexicon.words(&topic);
    let claims_nothing = |word: &Word| {
        let written = &topic[word.range()];
        said.contains(&word.term)
            || (word.kind == Kind::Stopword && !is_negation(written))
            || (word.kind != Kind::Number && HEADINGS.contains(&word.term))
    };
    if !topic.is_empty() && words.iter().all(claims_nothing) {
        return topic;
    }
    label(&beginning(content), evidence.sources, CHARS_MAX)
}

/// The first words of a finding; of one that is written without spaces, its first characters.
fn beginning(content: &str) -> String {
    let first: Vec<&str> = content.split_whitespace().take(FALLBACK_WORDS).collect();
    let first = first.join(" ");
    if !first.contains(is_wide_or_mark) {
        return first;
    }
    first.chars().take_while(|c| !"，。；：、！？".contains(*c)).take(FALLBACK_CHARS).collect()
}
