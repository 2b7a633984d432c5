//! What stands of an answer as it is delivered: its text, references by first use, both confidences.

use super::verified::AnswerSentence;
use super::{Answer, AnswerStatus, Reference, format, numbers, text_of};
use crate::domain::aggregate::request::AnswerRequest;
use crate::domain::aggregate::result::{Confidence, ConfidenceFactor, Method, SourceQuality};
use crate::domain::aggregate::url_identity::identify;
use crate::domain::synthesis::citations::Numbering;
use crate::domain::synthesis::confidence::{self, confidence_v1, version_2};

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
        answer: text_of(&parts, baseline.status, completed, &request.sheet.status),
        confidence_v2: second(completed, &references),
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
    answer.formatted_output = format::formatted(&request.objective, &answer);
    answer
}

/// Confidence, version 2, of an answer with these references.
pub(super) fn second(completed: bool, references: &[Reference]) -> Confidence {
    let domains: Vec<String> = references
        .iter()
        .map(|reference| {
            let identity = reference.url.as_deref().and_then(identify);
            identity.map_or_else(|| reference.title.clone(), |identity| identity.domain)
        })
        .collect();
    let both = domains.iter().zip(references);
    let cited: Vec<confidence::Reference<'_>> = both
        .map(|(domain, reference)| confidence::Reference { domain, quality: reference.quality })
        .collect();
    let (score, factors) = version_2(f64::from(u8::from(completed)), &cited, 0);
    let factors = factors.into_iter().map(|factor| ConfidenceFactor {
        factor: factor.factor.to_owned(),
        effect: (factor.effect * 10_000.0).round() / 100.0,
        why: factor.why,
    });
    Confidence { score: (score * 100.0).round().clamp(0.0, 100.0) as u32, factors: factors.collect() }
}
