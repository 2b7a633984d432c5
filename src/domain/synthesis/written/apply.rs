//! What was written, laid over its baseline: the result that is delivered.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::form::{Form, Told};
use super::shortened::shortened;
use super::{Origin, Written, WrittenFinding};
use crate::domain::aggregate::result::{
    AggregatedResult, Contradiction, Finding, Gate, Metadata, Method, Quality, Source, TaskResult,
};
use crate::domain::directive::SynthesisOptions;
use crate::domain::synthesis::citations::{Numbering, rewrite};
use crate::domain::synthesis::compose::{self, Asked, Parts, Set};
use crate::domain::synthesis::examine::{self, Material};
use crate::domain::synthesis::gaps::{UNLISTED, single_sources};
use crate::domain::synthesis::support::{Evidence, Read};
use crate::domain::synthesis::verify::evidence::gather;
use crate::domain::synthesis::verify::plain::plain;
use crate::domain::text::words::{Lexicon, Word};

/// The delivered result. The same baseline and the same document give the same bytes. What is below `min_quality`, or
/// holds what may not be delivered, gives way to the baseline, and `metadata.reason` says so.
pub fn apply(baseline: AggregatedResult, written: &Written, options: &SynthesisOptions) -> AggregatedResult {
    if written.is_extractive() {
        let why = written.reason.as_deref().unwrap_or("nothing of the draft stood verification");
        return extractive(baseline, written, why.to_owned());
    }
    let options = &compose::in_language_of(&written.question, options);
    let mut lexicon = Lexicon::default();
    let sources = baseline.sources.len();
    let form = Form::of(&mut lexicon, &baseline);
    let placed = form.in_order(&mut lexicon, &written.findings);
    let mut findings: Vec<Finding> = placed.iter().map(|(_, finding)| finding_of(finding, sources)).collect();
    // As in the extractive result: who asks for none gets none, in the text and beside it.
    let contradictions: Vec<Contradiction> = match options.include_contradictions {
        true => baseline.contradictions.iter().chain(&written.contradictions).cloned().collect(),
        false => {
            findings.iter_mut().for_each(Finding::forget_dispute);
            Vec::new()
        }
    };
    let gaps: Vec<String> = match options.include_gaps {
        true => gaps_of(&baseline, &findings).chain(written.gaps.iter().cloned()).collect(),
        false => Vec::new(),
    };
    let mut quality = examined(&mut lexicon, &baseline, written, &findings, &contradictions);
    if let Some(judged) = written.judged_coherence {
        examine::lower_coherence(&mut quality, judged);
    }
    quality.gate = examine::gate(quality.overall, options);
    if quality.gate != Gate::Pass || !quality.verified {
        let why = refused(&quality, options.min_quality);
        return extractive(baseline, written, why);
    }
    examine::note_language(&mut quality, options, &findings);
    let summary = match written.summary.is_empty() {
        true => {
            let asked = Asked { question: &written.question, contradictions: &contradictions };
            compose::summarise_written(&mut lexicon, &findings, asked)
        }
        false => shortened(&written.summary, options.target_length),
    };
    let parts = Parts {
        findings: &findings,
        contradictions: &contradictions,
        gaps: &gaps,
        failures: &baseline.failures,
    };
    let set: Vec<Set<'_>> = (findings.iter().zip(&placed))
        .map(|(finding, (_, written))| Set { finding, transition: written.transition.as_deref() })
        .collect();
    let spots: Vec<_> = placed.iter().map(|(spot, _)| *spot).collect();
    let Told { body, whole } = form.told((&set, &spots), parts, options);
    let ((body, _), (whole, cited)) = (renumbered(&body, sources), renumbered(&whole, sources));
    let (summary, also) = renumbered(&summary, sources);
    let used: BTreeSet<u32> = cited.union(&also).copied().collect();
    let mut result = AggregatedResult { findings, contradictions, gaps, summary, body, quality, ..baseline };
    result.sources.iter_mut().for_each(|source| source.used = used.contains(&source.id));
    result.synthesis = compose::with_sources(&whole, &result.sources, &result.findings, options);
    let references: Vec<&Source> = result.sources.iter().filter(|source| source.used).collect();
    let Metadata { successful_subagents, total_subagents, .. } = result.metadata;
    let share = successful_subagents as f64 / total_subagents.max(1) as f64;
    let completed = result.status == "completed";
    (result.confidence, result.confidence_v2) =
        examine::confidence(completed, share, &references, result.contradictions.len());
    result.metadata.method = Method::Llm;
    result.metadata.reason = written.reason.clone();
    result.metadata.model = written.model.clone();
    result.metadata.prompt_version = written.prompt_version.clone();
    result.metadata.synthesis = Some(written.counts.clone());
    result
}

/// The baseline's gaps, with what they say of its findings said of the delivered ones.
fn gaps_of<'b>(baseline: &'b AggregatedResult, findings: &'b [Finding]) -> impl Iterator<Item = String> + 'b {
    let single = |findings: &[Finding]| {
        single_sources(findings.iter().map(|finding| {
            let said = (finding.topic.as_str(), finding.content.as_str());
            (Some(said).filter(|_| !finding.by_model), finding.sources.len())
        }))
    };
    let (old, new) = (single(&baseline.findings), single(findings));
    let others =
        baseline.gaps.iter().filter(move |gap| Some(*gap) != old.as_ref() && !gap.contains(UNLISTED));
    others.cloned().chain(new)
}

fn refused(quality: &Quality, min_quality: f64) -> String {
    match quality.issues.first() {
        Some(issue) if !quality.verified => {
            format!("the language model's synthesis isn't verified: {}", issue.detail)
        }
        Some(_) | None => format!(
            "the language model's synthesis has a quality of {:.2}, wanted is {min_quality}",
            quality.overall
        ),
    }
}

/// The baseline, and why it is that.
fn extractive(mut baseline: AggregatedResult, written: &Written, why: String) -> AggregatedResult {
    baseline.metadata.method = Method::Extractive;
    baseline.metadata.reason = Some(match baseline.metadata.reason {
        // What all of the text is isn't told beside it once more.
        Some(said) if !why.contains(&said) && said != baseline.summary => format!("{why}; {said}"),
        Some(_) | None => why,
    });
    baseline.metadata.synthesis = (written.counts.drafted > 0).then(|| written.counts.clone());
    baseline
}

fn finding_of(written: &WrittenFinding, sources: usize) -> Finding {
    let WrittenFinding { topic, content, confidence, contributors, verify, .. } = written.clone();
    let by_model = written.origin != Origin::Extractive;
    let exists = |number: &u32| (1..=sources).contains(&(*number as usize));
    let sources = written.sources.iter().copied().filter(exists).collect();
    Finding { topic, content, sources, confidence, contributors, verify, by_model, step: None }
}

/// Measured against the same evidence that the draft was held against; markup and markers are no part of what is said.
fn examined(
    lexicon: &mut Lexicon,
    baseline: &AggregatedResult,
    written: &Written,
    findings: &[Finding],
    contradictions: &[Contradiction],
) -> Quality {
    let sources = baseline.sources.len();
    let (said, places) = gather(baseline);
    let read: Vec<_> =
        said.iter().map(|said| Read::new(lexicon, Cow::Borrowed(said.text.as_ref()))).collect();
    let of_place = |said: &Vec<usize>| Evidence::of_read(said.iter().map(|at| read[*at].clone()));
    let whole = |result: &TaskResult| lexicon.words(result.whole.as_ref().unwrap_or(&result.content));
    let words: Vec<Vec<Word>> = baseline.results.iter().map(whole).collect();
    let results = baseline.results.iter().zip(&words);
    let material = Material {
        query: written.question.clone(),
        results: results
            .map(|(result, words)| (result.task_id.as_str(), result.subagent.as_str(), words.as_slice()))
            .collect(),
        // Behind the sources stand the results that name none: nothing cites them, but what cites nothing may be theirs.
        evidence: places.iter().map(of_place).collect(),
    };
    let mut findings = findings.to_vec();
    for finding in &mut findings {
        finding.content = plain(&finding.content, sources).into_owned();
    }
    let mut contradictions = contradictions.to_vec();
    for statement in contradictions.iter_mut().flat_map(|found| &mut found.statements) {
        statement.text = plain(&statement.text, sources).into_owned();
        statement.source = statement.source.filter(|number| (1..=sources).contains(&(*number as usize)));
    }
    examine::examine(lexicon, &material, &findings, &contradictions)
}

/// A text whose markers all point to a source, and the numbers that it cites.
fn renumbered(text: &str, sources: usize) -> (String, BTreeSet<u32>) {
    let numbers = 1..=u32::try_from(sources).unwrap_or(u32::MAX);
    let mut numbering = Numbering::new();
    let map: BTreeMap<u32, u32> = numbers.map(|number| (number, numbering.number_of(number))).collect();
    let (text, report) = rewrite(text, &map, &mut numbering);
    (text, report.citations.iter().map(|citation| citation.number).collect())
}
