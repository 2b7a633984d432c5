//! The whole answer as one Markdown text.

use super::labels::{self, Labels};
use super::{Answer, Reference, TITLE_CHARS_MAX, contested, shown};
use crate::domain::aggregate::request::AnswerRequest;
use crate::domain::aggregate::result::SourceQuality;
use crate::domain::synthesis::compose::in_language;
use crate::domain::text::clean::{escape_inline, one_line};

pub(super) fn formatted(request: &AnswerRequest, answer: &Answer) -> String {
    let language = request.synthesis.language.as_deref();
    let labels = labels::of(language);
    let said = match &answer.reason {
        Some(reason) if answer.answer.is_empty() => withheld(reason, language),
        Some(_) | None => answer.answer.clone(),
    };
    let mut text = format!("# {}\n\n{said}\n", escape_inline(&one_line(&request.objective, TITLE_CHARS_MAX)));
    let mut contradictions = contested::of(&answer.issues).peekable();
    if !answer.answer.is_empty() && contradictions.peek().is_some() {
        text.push_str(&format!("\n## {}\n\n", labels.contradictions));
        for told in contradictions {
            text.push_str(&format!("- {}\n", escape_inline(told)));
        }
    }
    let lists =
        [(labels.references, &answer.references, true), (labels.unused, &answer.unused_references, false)];
    for (heading, references, are_numbered) in lists.into_iter().filter(|(_, list, _)| !list.is_empty()) {
        text.push_str(&format!("\n## {heading}\n\n"));
        for (number, reference) in (1..).zip(references) {
            let mark = if are_numbered { format!("{number}.") } else { "-".to_owned() };
            text.push_str(&format!("{mark} {}\n", line(reference, labels)));
        }
    }
    text.push_str(&format!("\n{}", labels.confidence.replace("{}", &answer.confidence.to_string())));
    let why: Vec<String> = answer
        .confidence_factors
        .iter()
        .map(|factor| {
            let why = in_language(&factor.why, language);
            format!("{} ({:+})", why.as_deref().unwrap_or(&factor.why), factor.effect)
        })
        .collect();
    if !why.is_empty() {
        text.push_str(&format!(": {}", why.join(", ")));
    }
    text.push_str(".\n");
    text
}

/// In one language: in English where there is no other for the reason.
fn withheld(reason: &str, language: Option<&str>) -> String {
    let (text, reason) = match in_language(reason, language) {
        Some(told) => (labels::of(language).withheld, escape_inline(&told)),
        None => (labels::of(None).withheld, escape_inline(reason)),
    };
    text.replace("{}", &reason)
}

fn line(reference: &Reference, labels: &Labels) -> String {
    let title = escape_inline(&reference.title);
    let title = match &reference.url {
        Some(url) => format!("[{title}]({})", url.replace('(', "%28").replace(')', "%29")),
        None => title,
    };
    let quality = match reference.quality {
        Some(SourceQuality::High) => "HIGH",
        Some(SourceQuality::Medium) => "MEDIUM",
        Some(SourceQuality::Low) => "LOW",
        Some(SourceQuality::Rejected) => "REJECTED",
        None => labels.unknown_quality,
    };
    format!("{title} ({}, {quality})", escape_inline(&shown(&reference.id)))
}
