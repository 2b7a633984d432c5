//! Clauses that a model adds to a sentence which is true without them: `…, who was a crook`.

use std::ops::Range;

use super::connecting::is_connecting;
use super::meaning::is_light;
use crate::domain::text::words::{Kind, Word};

/// Words that begin a clause, or join two. Sorted.
const JOINTS: &[&str] = &[
    "aber", "although", "and", "as", "because", "but", "et", "für", "mais", "oder", "or", "pero", "que",
    "qui", "since", "so", "that", "thus", "und", "weil", "when", "where", "whereas", "which", "while", "who",
    "whose", "y",
];
const MARKS: [char; 14] = [',', ';', ':', '(', ')', '—', '–', '，', '；', '：', '、', '（', '）', '…'];
/// Words with which a sentence begins: written like that they stand within none.
const BEGINNINGS: &[&str] = &[
    "This", "That", "These", "Those", "It", "They", "He", "She", "There", "Dies", "Das", "Es", "Er", "Diese",
    "Ce", "Cela", "Il", "Elle", "Ils", "Elles", "Esto", "Eso", "Estos",
];
/// Pairs of Chinese or Japanese characters from which on they count as a clause: fewer are another way to say the same.
const PAIRS_MIN: usize = 3;

/// The first clause that says something of which nothing is known.
pub(super) fn unheard_of(
    text: &str,
    words: &[Word],
    is_known: impl Fn(&Word) -> bool,
) -> Option<Range<usize>> {
    let mut clause: Vec<&Word> = Vec::new();
    let mut end = 0;
    for word in words {
        let gap = text.get(end..word.start).unwrap_or_default();
        let joins = JOINTS.binary_search(&text[word.range()].to_lowercase().as_str()).is_ok();
        if gap.contains(MARKS) || gap.contains(" - ") || joins || begins_anew(gap, &text[word.range()]) {
            if let Some(range) = unknown(text, &clause, &is_known) {
                return Some(range);
            }
            clause.clear();
        }
        clause.extend(Some(word).filter(|word| word.is_content() && !joins));
        end = word.end;
    }
    unknown(text, &clause, &is_known)
}

/// Whether a word begins a sentence, though no stop stands before it.
fn begins_anew(gap: &str, word: &str) -> bool {
    !gap.is_empty() && gap.chars().all(char::is_whitespace) && BEGINNINGS.contains(&word)
}

fn unknown(text: &str, clause: &[&Word], is_known: impl Fn(&Word) -> bool) -> Option<Range<usize>> {
    let says = |word: &&&Word| {
        let written = &text[word.range()];
        !is_connecting(written) && !is_light(&written.to_lowercase())
    };
    let saying: Vec<&&Word> = clause.iter().filter(says).collect();
    let pairs = saying.iter().filter(|word| word.kind == Kind::Cjk).count();
    let says_nothing = saying.is_empty() || (pairs == saying.len() && pairs < PAIRS_MIN);
    (!says_nothing && saying.iter().all(|word| !is_known(word)))
        .then(|| saying[0].start..saying[saying.len() - 1].end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::text::words::Lexicon;

    #[test]
    fn clause_of_which_nothing_is_known_is_found() {
        assert!(JOINTS.is_sorted());
        let mut lexicon = Lexicon::default();
        let known = ["acme", "founded", "1998", "pumps"];
        for (text, expected) in [
            ("Acme was founded in 1998, who was a crook", Some("crook")),
            ("Acme was founded in 1998 and is bankrupt today", Some("bankrupt today")),
            ("Acme (a criminal organisation) was founded", Some("criminal organisation")),
            ("Notably, Acme founded pumps", None),
            ("Acme founded pumps in 1998 This was proven beyond doubt", Some("proven beyond doubt")),
            ("Acme founded pumps in 1998 - a huge mistake", Some("huge mistake")),
            ("Acme was founded in 1998 as a maker of pumps", None),
        ] {
            let words = lexicon.words(text);
            let is_known = |word: &Word| known.contains(&text[word.range()].to_lowercase().as_str());
            let found = unheard_of(text, &words, is_known).map(|range| &text[range]);
            assert_eq!(found, expected, "{text}");
        }
    }
}
