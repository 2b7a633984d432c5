//! A sheet's own answer below the quality that is wanted: withheld, or delivered with a warning.
//!
//! It is withheld as every other result is: without its text and with the reason. What it would have cited is listed among
//! what isn't cited. An answer that says that there is none is never withheld.

use std::collections::BTreeMap;

use super::{Answer, AnswerStatus, ISSUES_MAX, confidence_v1, delivered, format, measured};
use crate::domain::aggregate::request::AnswerRequest;
use crate::domain::aggregate::result::{Gate, QualityIssue};
use crate::domain::synthesis::examine;
use crate::domain::text::words::Lexicon;

/// The answer as it may be delivered. Measured only where `min_quality` asks for something.
pub(super) fn gated(answer: Answer, parts: &[String], request: &AnswerRequest) -> Answer {
    let wanted = request.synthesis.min_quality;
    if wanted <= 0.0 || answer.status == AnswerStatus::Empty {
        return answer;
    }
    let quality = measured::of_entries(&mut Lexicon::default(), parts, answer.references.len(), request);
    match examine::gate(quality, &request.synthesis) {
        Gate::Pass => answer,
        Gate::Warn => warned(answer, format!("its quality is {quality:.2}, wanted is {wanted}")),
        Gate::Block => withheld(answer, examine::withheld(quality, wanted), request),
    }
}

fn warned(mut answer: Answer, detail: String) -> Answer {
    if answer.issues.len() < ISSUES_MAX {
        answer.issues.push(QualityIssue { code: "low_quality".to_owned(), detail });
    }
    answer
}

fn withheld(answer: Answer, reason: String, request: &AnswerRequest) -> Answer {
    let mut unused = [answer.references, answer.unused_references].concat();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for (place, citation) in request.sheet.citations.iter().enumerate() {
        places.entry(citation.id.to_string()).or_insert(place);
    }
    unused.sort_by_key(|reference| places.get(&reference.id.to_string()).copied());
    let completed = answer.status == AnswerStatus::Completed;
    let (confidence, confidence_factors) = confidence_v1(completed, &[]);
    let mut answer = Answer {
        answer: String::new(),
        references: Vec::new(),
        unused_references: unused,
        confidence,
        confidence_factors,
        confidence_v2: delivered::second(completed, &[], &answer.issues),
        reason: Some(reason),
        ..answer
    };
    answer.formatted_output = format::formatted(request, &answer);
    answer
}
