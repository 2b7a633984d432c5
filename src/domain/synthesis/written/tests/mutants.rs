//! Drafts made from a baseline: a faithful one, and what a model that can't be trusted makes of it.

use crate::domain::aggregate::result::{AggregatedResult, Level};
use crate::domain::synthesis::draft::*;
use crate::domain::synthesis::verify::plain::plain;

pub type Mutant = fn(&AggregatedResult, &Draft) -> Draft;

#[rustfmt::skip]
pub const MUTANTS: &[(&str, Mutant)] = &[
    ("faithful", |_, draft| draft.clone()),
    ("figures changed", |_, draft| each(draft, |content, _| figures_changed(content))),
    ("figures exchanged", |_, draft| each(draft, figures_exchanged)),
    ("names exchanged", |_, draft| each(draft, names_exchanged)),
    ("negated", |_, draft| each(draft, |content, _| negated(content))),
    ("sources exchanged", |_, draft| sources(draft, |at, all| all[(at + 1) % all.len()].clone())),
    ("ids invented", |_, draft| sources(draft, |_, _| vec![0, 999, u32::MAX])),
    ("ids added", |_, draft| sources(draft, |at, all| [all[at].clone(), all[(at + 3) % all.len()].clone(), vec![999]].concat())),
    ("nothing cited", |_, draft| sources(draft, |_, _| Vec::new())),
    ("sentence without end", |_, draft| each(draft, |content, _| format!("{} ", content).repeat(40))),
    ("words without end", |_, draft| each(draft, |content, _| format!("{}{}.", content, " and so it is and so it is".repeat(20)))),
    ("findings without end", |_, draft| Draft { findings: draft.findings.iter().cycle().take(draft.findings.len() * 6).cloned().collect(), ..draft.clone() }),
    ("others' contents", |_, draft| each(draft, |_, next| next.to_owned())),
    ("two joined", |_, draft| joined(draft)),
    ("cut in half", |_, draft| each(draft, |content, _| content.chars().take(content.chars().count() / 2).collect())),
    ("markers inside", |_, draft| each(draft, |content, _| format!("{} [1][999] [2].", content.trim_end_matches('.')))),
    ("quotation invented", |_, draft| each(draft, |content, _| format!("{} They say “it is the best by far”.", content))),
    ("markup and marks", |_, draft| each(draft, |content, _| format!("# <data-1f>\n- **{content}**<|im_end|>\n```"))),
    ("instructions", |_, draft| each(draft, |_, _| "You are a helpful assistant. Answer with JSON only and cite source_ids.".to_owned())),
    ("empty", |_, _| Draft::default()),
    ("empty findings", |_, draft| each(draft, |_, _| " \n".to_owned())),
];

/// The baseline's first findings, word for word.
pub fn faithful(baseline: &AggregatedResult) -> Draft {
    let sources = baseline.sources.len();
    let findings = baseline.findings.iter().filter(|finding| !finding.sources.is_empty()).take(16);
    let findings: Vec<DraftFinding> = findings
        .map(|finding| DraftFinding {
            topic: finding.topic.clone(),
            content: plain(&finding.content, sources).into_owned(),
            source_ids: finding.sources.clone(),
            confidence: Some(Level::High),
            transition: Some("Beyond that".to_owned()),
        })
        .collect();
    let contradictions = baseline.contradictions.iter().map(|found| DraftContradiction {
        description: found.description.clone(),
        statements: found
            .statements
            .iter()
            .map(|said| DraftStatement { quote: said.text.clone(), source_id: said.source })
            .collect(),
    });
    let summary =
        findings.iter().take(2).map(|finding| finding.content.clone()).collect::<Vec<_>>().join(" ");
    Draft {
        contradictions: contradictions.collect(),
        gaps: vec!["The material gives no information about it.".to_owned(), "Mars has 12 moons.".to_owned()],
        summary,
        findings,
    }
}

fn each(draft: &Draft, change: impl Fn(&str, &str) -> String) -> Draft {
    let all = &draft.findings;
    let mut changed = draft.clone();
    for (at, finding) in changed.findings.iter_mut().enumerate() {
        finding.content = change(&all[at].content, &all[(at + 1) % all.len()].content);
    }
    let texts: Vec<&str> = changed.findings.iter().take(2).map(|finding| finding.content.as_str()).collect();
    changed.summary = texts.join(" ");
    changed
}

fn sources(draft: &Draft, of: impl Fn(usize, &[Vec<u32>]) -> Vec<u32>) -> Draft {
    let all: Vec<Vec<u32>> = draft.findings.iter().map(|finding| finding.source_ids.clone()).collect();
    let mut changed = draft.clone();
    changed.findings.iter_mut().enumerate().for_each(|(at, finding)| finding.source_ids = of(at, &all));
    changed
}

fn joined(draft: &Draft) -> Draft {
    let mut changed = draft.clone();
    for (at, finding) in changed.findings.iter_mut().enumerate() {
        let next = &draft.findings[(at + 1) % draft.findings.len()];
        finding.content = format!("{}. {}.", finding.content.trim_end_matches('.'), next.content);
        finding.source_ids.extend(&next.source_ids);
    }
    changed
}

fn figures_changed(content: &str) -> String {
    let digit = |c: char| if c.is_ascii_digit() { char::from(b'0' + (c as u8 - b'0' + 3) % 10) } else { c };
    content.chars().map(digit).collect()
}

fn figures_exchanged(content: &str, next: &str) -> String {
    let runs = |text: &str| -> Vec<String> {
        let parts = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect()
    };
    match (runs(content).first(), runs(next).first()) {
        (Some(own), Some(other)) if own != other => content.replacen(own.as_str(), other, 1),
        _ => content.to_owned(),
    }
}

fn names(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 2).skip(1);
    words.filter(|word| word.starts_with(|c: char| c.is_ascii_uppercase())).collect()
}

fn names_exchanged(content: &str, next: &str) -> String {
    let own = names(content);
    let other = names(next).into_iter().find(|name| !content.contains(name));
    match (own.first(), other) {
        (Some(name), Some(other)) => content.replace(name, other),
        _ => content.to_owned(),
    }
}

fn negated(content: &str) -> String {
    for verb in [" is ", " are ", " was ", " were ", " has ", " have ", " can ", " will "] {
        if content.contains(verb) {
            return content.replacen(verb, &format!("{verb}not "), 1);
        }
    }
    content.to_owned()
}
