//! What a sentence of the evidence only supposes: `if the permit is granted, …` doesn't say that it is.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{Sentence, head};
use crate::domain::synthesis::verify::Evidence;
use crate::domain::synthesis::verify::reason::{Reason, shown};
use crate::domain::text::words::{Lexicon, Term, Word};

/// What begins a clause that supposes something.
const SUPPOSING: &[&str] = &[
    "if", "unless", "should", "provided", "once", "falls", "wenn", "sofern", "sobald", "si", "se", "dès",
    "если",
];
/// Those of them that do so wherever they stand.
const ANYWHERE: &[&str] = &["if", "unless", "provided", "wenn", "sofern", "sobald", "falls", "si", "если"];
/// A sentence with at least this share of a claim's words is what it may have been made from.
const SHARE_MIN: f64 = 0.6;
/// Sentences that are looked at.
const LOOKED_AT_MAX: usize = 8;
/// Words of a claim before something can be said of where they stand.
const WORDS_MIN: usize = 2;

impl Sentence<'_> {
    /// Whether all that it says is supposed by each sentence that it can have been made from, and not by itself.
    pub(super) fn supposed(
        &self,
        lexicon: &mut Lexicon,
        evidence: &Evidence<'_>,
        chosen: &[usize],
    ) -> Option<Reason> {
        if begins(self.text, &self.words).next().is_some() {
            return None;
        }
        let own: BTreeSet<Term> =
            self.words.iter().filter(|word| word.is_content()).map(|word| word.term).collect();
        if own.len() < WORDS_MIN {
            return None;
        }
        let mut supposes = None;
        for (at, _) in
            self.of(evidence, chosen).take_while(|(_, share)| *share >= SHARE_MIN).take(LOOKED_AT_MAX)
        {
            let said = head(lexicon, evidence, at).text;
            let words = lexicon.words(said);
            let within = |range: &Range<usize>| {
                let inside: BTreeSet<Term> =
                    words.iter().filter(|word| range.contains(&word.start)).map(|word| word.term).collect();
                own.iter().filter(|term| inside.contains(term)).count() * 4 >= own.len() * 3
            };
            let clause = begins(said, &words).map(|start| start..clause_end(said, start)).find(within)?;
            supposes = supposes.or_else(|| Some(said[clause].to_owned()));
        }
        let detail = format!("its source only supposes it: “{}”", shown(&supposes?));
        Some(Reason::new("unsupported", detail))
    }
}

/// Where clauses begin that suppose something: at the beginning, or behind a comma.
fn begins<'t>(text: &'t str, words: &'t [Word]) -> impl Iterator<Item = usize> + 't {
    words.iter().filter_map(move |word| {
        let lowered = text[word.range()].to_lowercase();
        let is_one = SUPPOSING.contains(&lowered.as_str());
        let before = text[..word.start].trim_end();
        let begins = before.is_empty() || before.ends_with([',', ';', ':', '(', '“', '"']);
        (is_one && (begins || ANYWHERE.contains(&lowered.as_str()))).then_some(word.start)
    })
}

fn clause_end(text: &str, start: usize) -> usize {
    text[start..].find([',', ';', ')']).map_or(text.len(), |at| start + at)
}
