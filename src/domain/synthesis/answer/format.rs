//! The whole answer as one Markdown text.

use super::{Answer, Reference, TITLE_CHARS_MAX, shown};
use crate::domain::aggregate::result::SourceQuality;
use crate::domain::text::clean::{escape_inline, one_line};

pub(super) fn formatted(objective: &str, answer: &Answer) -> String {
    let said = match &answer.reason {
        Some(withheld) if answer.answer.is_empty() => {
            format!("There is no answer: {}.", escape_inline(withheld))
        }
        Some(_) | None => answer.answer.clone(),
    };
    let mut text = format!("# {}\n\n{said}\n", escape_inline(&one_line(objective, TITLE_CHARS_MAX)));
    for (heading, references) in
        [("References", &answer.references), ("Not cited", &answer.unused_references)]
    {
        if references.is_empty() {
            continue;
        }
        text.push_str(&format!("\n## {heading}\n\n"));
        for (number, reference) in (1..).zip(references) {
            let mark = if heading == "References" { format!("{number}.") } else { "-".to_owned() };
            text.push_str(&format!("{mark} {}\n", line(reference)));
        }
    }
    text.push_str(&format!("\n**Confidence:** {} of 100", answer.confidence));
    let why: Vec<String> = answer
        .confidence_factors
        .iter()
        .map(|factor| format!("{} ({:+})", factor.why, factor.effect))
        .collect();
    if !why.is_empty() {
        text.push_str(&format!(": {}", why.join(", ")));
    }
    text.push_str(".\n");
    text
}

fn line(reference: &Reference) -> String {
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
        None => "unknown quality",
    };
    format!("{title} ({}, {quality})", escape_inline(&shown(&reference.id)))
}
