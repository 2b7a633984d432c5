//! How good an answer out of a context sheet is, by the measures of every synthesis.

use std::collections::BTreeSet;

use super::verified::{AnswerSentence, Sheet, said_in};
use crate::domain::aggregate::request::AnswerRequest;
use crate::domain::synthesis::quality::{Examined, ExaminedSentence, examine};
use crate::domain::synthesis::verify::evidence::Said;
use crate::domain::text::words::{Lexicon, Word};

/// Why what stands of an answer isn't good enough, where `min_quality` wants more.
pub(super) fn too_low(
    lexicon: &mut Lexicon,
    stands: &[AnswerSentence],
    parts: &[String],
    request: &AnswerRequest,
) -> Option<String> {
    let wanted = request.synthesis.min_quality;
    // That the sheet doesn't say it is as good an answer as there is.
    if wanted <= 0.0 || stands.iter().all(|sentence| sentence.is_gap) {
        return None;
    }
    let quality = quality(lexicon, stands, parts, request);
    // What isn't a number isn't good enough.
    let is_enough = quality >= wanted;
    (!is_enough)
        .then(|| format!("the language model's answer has a quality of {quality:.2}, wanted is {wanted}"))
}

/// The overall quality of a sheet's own answer, which is every sentence of its entries.
pub(super) fn of_entries(
    lexicon: &mut Lexicon,
    parts: &[String],
    sources: usize,
    request: &AnswerRequest,
) -> f64 {
    let (said, entry_of) = said_in(parts, sources);
    let sentence = |(said, entry): (Said<'_>, usize)| AnswerSentence {
        paragraph: entry,
        sources: said
            .places
            .iter()
            .filter(|place| **place < sources)
            .map(|place| *place as u32 + 1)
            .collect(),
        text: said.text.into_owned(),
        reasons: Vec::new(),
        entries: BTreeSet::from([entry]),
        said: BTreeSet::new(),
        is_gap: false,
        row: None,
    };
    let sentences: Vec<AnswerSentence> = said.into_iter().zip(entry_of).map(sentence).collect();
    // Shares of nothing are whole: a text that states nothing isn't a good one.
    if sentences.is_empty() { 0.0 } else { quality(lexicon, &sentences, parts, request) }
}

/// The overall quality of what stands of an answer, 0 to 1: each entry of the sheet, of which `parts` are the texts, is
/// what another synthesis has as a result.
fn quality(
    lexicon: &mut Lexicon,
    stands: &[AnswerSentence],
    parts: &[String],
    request: &AnswerRequest,
) -> f64 {
    let Sheet { evidence, .. } = Sheet::read(lexicon, request);
    let words: Vec<Vec<Word>> = parts.iter().map(|part| lexicon.words(part)).collect();
    let names: Vec<String> = (1..=parts.len()).map(|number| format!("entry {number}")).collect();
    let mut sentences = Vec::new();
    for said in stands {
        sentences.push(ExaminedSentence {
            text: &said.text,
            citations: said.sources.iter().map(|number| *number as usize - 1).collect(),
            contributors: said.entries.iter().copied().collect(),
            again: false,
        });
    }
    let results = names.iter().zip(&words).map(|(name, words)| (name.as_str(), words.as_slice())).collect();
    let examined = Examined { sentences, sources: &evidence.texts(), results, query: &request.objective };
    examine(lexicon, &examined).overall
}
