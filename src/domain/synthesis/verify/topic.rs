//! What a finding is called.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::evidence::Evidence;
use super::gaps::is_negation;
use super::plain::label;
use crate::domain::synthesis::claims::label_within;
use crate::domain::text::scripts::is_wide_or_mark;
use crate::domain::text::terms::{TermSet, table};
use crate::domain::text::words::{Kind, Lexicon, Term, Word};

/// Characters of a topic that are shown, and that are read.
const CHARS_MAX: usize = 80;
const READ_CHARS_MAX: usize = 320;
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
    let topic = shortened(&label(topic, evidence.sources, READ_CHARS_MAX));
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
    shortened(&label(&beginning(lexicon, content), evidence.sources, READ_CHARS_MAX))
}

/// A label that is no longer than one may be, and isn't cut inside a number.
fn shortened(topic: &str) -> String {
    match label_within(topic, CHARS_MAX) {
        kept if kept.len() < topic.len() => format!("{}…", kept.trim_end()),
        kept => kept.to_owned(),
    }
}

/// The first words of a finding; of one that is written without spaces, its first characters.
fn beginning(lexicon: &mut Lexicon, content: &str) -> String {
    let mut words = content.split_whitespace();
    let first: Vec<&str> = words.by_ref().take(FALLBACK_WORDS).collect();
    let first = first.join(" ");
    if !first.contains(is_wide_or_mark) {
        return if words.next().is_some() { unfinished(lexicon, &first).to_owned() } else { first };
    }
    let clause = first.split(['，', '。', '；', '：', '、', '！', '？']).next().unwrap_or_default();
    label_within(clause, FALLBACK_CHARS).to_owned()
}

/// The beginning of a sentence without the small words at its end, which lead on to what it doesn't have: `opens at 9:00 on`.
fn unfinished<'t>(lexicon: &mut Lexicon, beginning: &'t str) -> &'t str {
    let words = lexicon.words(beginning);
    let last = words.iter().rposition(|word| word.kind != Kind::Stopword);
    let leading_on = last.and_then(|last| words.get(last + 1)).map(|word| word.range().start);
    let kept = &beginning[..leading_on.unwrap_or(beginning.len())];
    kept.trim_end_matches([' ', ',', ';', ':', '(', '–', '—'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_words_end_with_what_they_name() {
        let mut lexicon = Lexicon::default();
        let evidence = Evidence::assembled(&mut lexicon, Vec::new(), Vec::new(), 0, "");
        for (content, expected) in [
            ("The library opens at 9:00 on weekdays.", "The library opens at 9:00"),
            ("It has 42,000 books, as of 2023.", "It has 42,000 books"),
            ("The pump of hall four is not covered.", "The pump of hall four"),
            ("Die Bibliothek öffnet um 9 Uhr am Montag.", "Die Bibliothek öffnet um 9 Uhr"),
            ("It is what it is for all.", "It is what it is for"),
            ("The fee is 20 euros.", "The fee is 20 euros"),
        ] {
            assert_eq!(topic(&mut lexicon, &evidence, "Cheap", content), expected, "{content}");
        }
    }

    #[test]
    fn no_topic_is_cut_inside_a_figure() {
        let mut lexicon = Lexicon::default();
        let evidence = Evidence::assembled(&mut lexicon, Vec::new(), Vec::new(), 0, "");
        for (drafted, content, expected) in [
            ("Fee of €12.5", "The fee is €12.5 a month.", "Fee of €12.5"),
            ("€12.5", "The fee is €12.5 a month.", "€12.5"),
            ("12.5 million euros", "It cost 12.5 million euros in 2024.", "12.5 million euros"),
            ("Preis: 12,5 €.", "Der Preis ist 12,5 €.", "Preis: 12,5 €"),
            ("Cheap", "The fee rose to about €12.5 million in 2024.", "The fee rose to about €12.5"),
            ("Cheap", "€12.5 is the fee.", "€12.5 is the fee"),
            (
                "便宜",
                "从明年一月起套餐的价格将调整为每个月一共€12.5欧元",
                "从明年一月起套餐的价格将调整为每个月一共",
            ),
        ] {
            assert_eq!(topic(&mut lexicon, &evidence, drafted, content), expected, "{content}");
        }
        let long = format!("{} €12.5", "Fee ".repeat(20).trim_end());
        let shown = topic(&mut lexicon, &evidence, &long, &format!("{long} is so."));
        assert!(shown.ends_with("Fee…") && shown.chars().count() <= CHARS_MAX + 1, "{shown}");
    }
}
