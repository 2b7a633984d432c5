//! The way from tasks to a result.

use std::collections::BTreeMap;

use self::listed::results;
use super::found::{Found, find};
use super::gather::{Gathered, Kept, gather};
use super::numbered::{Numbered, Text};
use super::result::{AggregatedResult, Finding, Gate, Metadata, Method, Source, TaskResult};
use super::{Request, Style, failures};
use crate::domain::directive::SynthesisOptions;
use crate::domain::near_duplicates::Reader;
use crate::domain::synthesis::compose::{self, Asked, Language, Part, Parts, Position};
use crate::domain::synthesis::examine;
use crate::domain::text::words::{Known, Lexicon, Word};
use crate::domain::wanted::still_wanted;

mod listed;
#[cfg(test)]
mod tests;
mod unreadable;

/// Combines tasks into one result. The same tasks give the same bytes, in whatever order they came. A task that the service fails
/// to read is among the failures.
pub fn aggregate(request: Request) -> AggregatedResult {
    unreadable::without_unreadable(request, combine)
}

fn combine(request: Request) -> AggregatedResult {
    let Request { question, tasks, mut options, place, style } = request;
    options.synthesis = compose::in_language_of(question.asked(), &options.synthesis);
    // One reader for all: what it has met once it reads faster.
    let mut reader = Reader::default();
    let mut gathered = gather(&mut reader, &question, tasks, &options.aggregation);
    if !place.is_final {
        gathered.mark_running();
    }
    if let Some(refused) = &place.refused {
        gathered.mark_refused(refused);
    }
    gathered.beyond_below = place.beyond_below;
    gathered.count_left_out(place.left_out);
    let known: Vec<Vec<Word>> =
        gathered.kept.iter_mut().map(|kept| std::mem::take(&mut kept.words)).collect();
    let (mut numbered, texts) = Numbered::new(&gathered.kept, &gathered.unusable);
    let words = words_of(reader.lexicon(), &gathered.kept, known, &texts);
    let is_prose = style.is_prose();
    let asked = if is_prose { &question.of_prose() } else { &question };
    let (mut found, material) = find((asked, is_prose), &gathered, (&texts, &words), &numbered, &mut reader);
    if !options.synthesis.include_contradictions {
        found.findings.iter_mut().for_each(Finding::forget_dispute);
    }
    still_wanted();
    let status = place.status.clone().unwrap_or_else(|| status_of(&gathered).to_owned());
    let mut quality = examine::examine(reader.lexicon(), &material, &found.findings, &found.contradictions);
    quality.gate = examine::gate(quality.overall, &options.synthesis);
    examine::note_language(&mut quality, &options.synthesis, &found.findings);

    still_wanted();
    let withheld = quality.gate == Gate::Block;
    let (mut body, mut summary) = (String::new(), String::new());
    if !withheld {
        let query = question.query.as_deref();
        let asked = (query, place.is_final);
        body = write(&style, &found, &gathered, (&texts, &mut numbered), &options.synthesis, asked);
        summary = match found.findings.is_empty() {
            true => first_said(&body).to_owned(),
            false => {
                let question = question.text();
                let asked = Asked { question: &question, contradictions: &found.contradictions };
                numbered.renumber(&compose::summarise(reader.lexicon(), &found.findings, asked))
            }
        };
    }
    // A summary may cite what the synthesis had no room for.
    let mut used = numbered.used();
    still_wanted();
    let found = found.renumbered(&mut numbered);
    // All that was found stands in the prose, where it has no marker, too: in the rows of a table, in data.
    if !withheld && is_prose {
        let of_findings = found.findings.iter().flat_map(|finding| &finding.sources);
        let of_both = found.contradictions.iter().flat_map(|both| &both.sources);
        used.extend(numbered.behind(of_findings.chain(of_both)));
    }
    let results =
        results(&gathered, &texts, &mut numbered, &options.aggregation, (&question.text(), reader.lexicon()));
    let pairs_checked = found.pairs_checked;
    let sources = numbered.into_sources(&used);
    let references: Vec<&Source> = sources.sources.iter().filter(|source| source.used).collect();
    let completed = status == "completed";
    let share = gathered.successful as f64 / gathered.total.max(1) as f64;
    let (confidence, confidence_v2) =
        examine::confidence(completed, share, &references, found.contradictions.len());
    let told = match &style {
        // Prose ends with what contradicts in it and who brought none; a node above takes the prose alone.
        Style::Composition { .. } if !withheld && !gathered.kept.is_empty() => {
            let Found { findings, contradictions, .. } = &found;
            let parts = Parts { findings, contradictions, gaps: &[], failures: &gathered.failures };
            let told = compose::with_parts_below(&body, parts, &options.synthesis);
            gathered.too_many().fold(told, |told, line| format!("{told}\n\n*{line}*"))
        }
        Style::Composition { .. } | Style::Findings | Style::Positions { .. } => body.clone(),
    };
    let is_silent = !withheld && told.trim().is_empty();
    let silent = || failures::nothing_quotable(language(&options.synthesis)).to_owned();
    let (told, summary) = if is_silent { (silent(), silent()) } else { (told, summary) };
    let synthesis = compose::with_sources(&told, &sources.sources, &found.findings, &options.synthesis);
    let metadata = Metadata {
        pairs_checked,
        source_type_distribution: sources.distribution,
        total_sources: sources.sources.len(),
        reason: match withheld {
            true => Some(examine::withheld(quality.overall, options.synthesis.min_quality)),
            false => is_silent.then(silent),
        },
        trace_id: place.trace_id,
        is_final: place.is_final,
        ..counts(&gathered, &results, place.is_final)
    };
    AggregatedResult {
        beyond: gathered.beyond + gathered.beyond_below,
        session_id: place.session_id,
        plan_step_id: place.plan_step_id,
        status,
        synthesis,
        body,
        style,
        summary,
        findings: found.findings,
        insights: found.insights,
        // Who asks for none gets none, in the text and beside it.
        contradictions: if options.synthesis.include_contradictions {
            found.contradictions
        } else {
            Vec::new()
        },
        gaps: if options.synthesis.include_gaps { found.gaps } else { Vec::new() },
        results,
        sources: sources.sources,
        sources_by_type: sources.by_type,
        failures: gathered.failures,
        quality,
        confidence,
        confidence_v2,
        metadata,
    }
}

/// The words of the texts, for all that is asked of them. `known` are those of what was sent, of which little was rewritten.
fn words_of(lexicon: &mut Lexicon, kept: &[Kept], known: Vec<Vec<Word>>, texts: &[Text]) -> Vec<Vec<Word>> {
    let all = kept.iter().zip(known).zip(texts);
    let words = all.map(|((kept, words), text)| {
        lexicon.words_again(&text.content, Known { text: &kept.input.content, words: &words })
    });
    words.collect()
}

/// What is counted of tasks and results.
fn counts(gathered: &Gathered, results: &[TaskResult], is_final: bool) -> Metadata {
    // In a draft, who hasn't ended hasn't failed.
    let pending = if is_final { 0 } else { gathered.pending };
    let relevance = results.iter().map(|result| result.relevance).sum::<f64>();
    Metadata {
        total_subagents: gathered.total,
        successful_subagents: gathered.successful,
        failed_subagents: gathered.total - gathered.successful - pending,
        total_sources: 0,
        truncated_results: results.iter().filter(|result| result.truncated).count(),
        total_input_results: gathered.total,
        filtered_results: gathered.filtered,
        deduplicated_count: gathered.kept.iter().filter(|kept| kept.twin_of.is_some()).count(),
        // The sum of nothing is a negative zero: adding zero makes it none.
        average_relevance: rounded(relevance / results.len().max(1) as f64) + 0.0,
        source_type_distribution: BTreeMap::new(),
        pairs_checked: 0,
        method: Method::Extractive,
        reason: None,
        model: None,
        prompt_version: None,
        synthesis: None,
        trace_id: None,
        is_final: true,
    }
}

fn status_of(gathered: &Gathered) -> &'static str {
    match (gathered.successful, gathered.total) {
        (0, _) if gathered.kept.is_empty() => "failed",
        (successful, total) if successful == total => "completed",
        _ => "partial_failure",
    }
}

/// The synthesis; where nobody brought anything, what failed and why.
fn write(
    style: &Style,
    found: &Found,
    gathered: &Gathered,
    (texts, numbered): (&[Text], &mut Numbered<'_>),
    options: &SynthesisOptions,
    (query, is_final): (Option<&str>, bool),
) -> String {
    if gathered.kept.is_empty() {
        let all = (gathered.total, gathered.filtered);
        // Of a draft: what is final has nobody at work.
        let running = if is_final { 0 } else { gathered.pending };
        let told = failures::fallback(&gathered.failures, all, running, query, language(options));
        return numbered.renumber(&told);
    }
    let Found { findings, contradictions, gaps, rests, .. } = found;
    let parts = Parts { findings, contradictions, gaps, failures: &gathered.failures };
    let in_order = |order: &mut dyn Iterator<Item = &str>| -> Vec<(&Kept, usize)> {
        let place: BTreeMap<&str, usize> = order.zip(0..).collect();
        let mut listed: Vec<(&Kept, usize)> = gathered.kept.iter().zip(0..).collect();
        listed.retain(|(kept, _)| kept.twin_of.is_none());
        listed.sort_by_key(|(kept, _)| place.get(kept.input.task_id.as_str()).copied());
        listed
    };
    match style {
        Style::Findings => numbered.renumber(&compose::compose(parts, options)),
        Style::Positions { order } => {
            let listed = in_order(&mut order.iter().map(String::as_str));
            let positions: Vec<Position<'_>> = listed
                .iter()
                .map(|(kept, _)| Position {
                    subagent: &kept.input.subagent,
                    title: kept.input.task.as_deref(),
                })
                .collect();
            numbered.renumber(&compose::compose_positions(parts, &positions, options))
        }
        Style::Composition { order } => {
            let chapters: BTreeMap<&str, &[String]> =
                order.iter().map(|placed| (placed.task_id.as_str(), placed.chapters.as_slice())).collect();
            let listed = in_order(&mut order.iter().map(|placed| placed.task_id.as_str()));
            let prose: Vec<(&Kept, String)> = listed
                .into_iter()
                .map(|(kept, at)| (kept, numbered.renumber_with(&texts[at], &rests[at])))
                .collect();
            compose::compose_prose(prose.iter().map(|(kept, text)| Part {
                chapters: chapters.get(kept.input.task_id.as_str()).copied().unwrap_or_default(),
                title: kept.input.task.as_deref(),
                text,
            }))
        }
    }
}

/// The language of what the service says itself, where one is asked for that it speaks.
fn language(options: &SynthesisOptions) -> Option<Language> {
    options.language.as_deref().and_then(compose::language)
}

/// What a body without findings says first: its headings say nothing.
fn first_said(body: &str) -> &str {
    let said = |line: &&str| !line.is_empty() && !line.starts_with('#');
    body.lines().find(said).unwrap_or_default().trim_start_matches("- ")
}

/// Four digits after the point are enough for a share.
pub(super) fn rounded(share: f64) -> f64 {
    (share * 10_000.0).round() / 10_000.0
}
