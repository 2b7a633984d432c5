//! What stands of an answer as it is delivered: its text, references by first use, both confidences.

use super::verified::AnswerSentence;
use super::{Answer, AnswerStatus, Reference, contested, format, numbers, text_of};
use crate::domain::aggregate::request::AnswerRequest;
use crate::domain::aggregate::result::{Confidence, Method, QualityIssue, SourceQuality};
use crate::domain::synthesis::citations::Numbering;
use crate::domain::synthesis::confidence::{confidence_v1, confidence_v2};

/// The answer that these sentences are, in place of the sheet's own.
pub(super) fn delivered(request: &AnswerRequest, sentences: &[AnswerSentence], baseline: Answer) -> Answer {
    let paragraph = |of: &[AnswerSentence], numbering: &mut Numbering| {
        let sentence = |sentence: &AnswerSentence| {
            let numbers = sentence.sources.iter().map(|source| format!("[{}]", numbering.number_of(*source)));
            let cited: String = numbers.collect();
            match &sentence.row {
                Some(row) => row.with(&cited),
                None if cited.is_empty() => sentence.text.clone(),
                None => format!("{} {cited}", sentence.text),
            }
        };
        let said = of.iter().map(sentence).collect::<Vec<_>>();
        match of.first().and_then(|first| first.row.as_ref()) {
            Some(row) => format!("{}\n{}", row.head(), said.join("\n")),
            None => said.join(" "),
        }
    };
    let paragraphs = sentences.chunk_by(|one, other| one.paragraph == other.paragraph);
    let written = |mut numbering: Numbering| {
        let parts: Vec<String> = paragraphs.clone().map(|of| paragraph(of, &mut numbering)).collect();
        (parts, numbering)
    };
    let of = |number: &u32| baseline.references.get(*number as usize - 1).cloned();
    let referred =
        |numbering: &Numbering| numbering.sources().iter().filter_map(of).collect::<Vec<Reference>>();
    let (mut parts, mut numbering) = written(Numbering::new());
    if let Some(order) = numbers::by_id(&referred(&numbering)) {
        let mut own = Numbering::new();
        order
            .into_iter()
            .filter_map(|at| numbering.sources().get(at))
            .for_each(|source| _ = own.number_of(*source));
        (parts, numbering) = written(own);
    }
    let references = referred(&numbering);
    let left = (1_u32..).zip(&baseline.references).filter(|(number, _)| numbering.get(*number).is_none());
    let unused = left.map(|(_, reference)| reference.clone()).chain(baseline.unused_references);
    let unused_references = unused.collect();
    let completed = baseline.status == AnswerStatus::Completed;
    let qualities: Vec<Option<SourceQuality>> =
        references.iter().map(|reference| reference.quality).collect();
    let (confidence, confidence_factors) = confidence_v1(completed, &qualities);
    let mut answer = Answer {
        answer: text_of(&parts, baseline.status, completed, request),
        confidence_v2: second(completed, &references, &baseline.issues),
        references,
        unused_references,
        confidence,
        confidence_factors,
        formatted_output: String::new(),
        status: baseline.status,
        issues: baseline.issues,
        method: Some(Method::Llm),
        reason: None,
        model: None,
        prompt_version: None,
    };
    answer.formatted_output = format::formatted(request, &answer);
    answer
}

/// Confidence, version 2, of an answer with these references, and what was found wanting in its sheet.
pub(super) fn second(completed: bool, references: &[Reference], issues: &[QualityIssue]) -> Confidence {
    let cited = references.iter().map(|cited| (cited.url.as_deref(), cited.title.as_str(), cited.quality));
    confidence_v2(f64::from(u8::from(completed)), cited, contested::of(issues).count())
}
