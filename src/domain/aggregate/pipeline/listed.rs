//! What each task said, as it is listed beside the synthesis.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::rounded;
use crate::domain::aggregate::gather::{Gathered, Kept};
use crate::domain::aggregate::numbered::{Numbered, Text};
use crate::domain::aggregate::result::{RelevanceDetail, TaskResult};
use crate::domain::aggregate::token_limit::{self, Asked};
use crate::domain::directive::AggregationOptions;
use crate::domain::distinct::distinct;
use crate::domain::text::tokens::Tokenizer;
use crate::domain::text::words::Lexicon;
use crate::domain::wanted::still_wanted;

/// The results that are listed, within their token limit.
pub(super) fn results(
    gathered: &Gathered,
    texts: &[Text],
    numbered: &mut Numbered<'_>,
    options: &AggregationOptions,
    (query, lexicon): (&str, &mut Lexicon),
) -> Vec<TaskResult> {
    let lexicon = RefCell::new(lexicon);
    let listed = gathered.kept.iter().zip(texts).enumerate().filter(|(_, (kept, _))| kept.twin_of.is_none());
    let result = |(at, (kept, text)): (usize, (&Kept, &Text))| {
        still_wanted();
        let Kept { input, relevance, partial, notes, .. } = kept;
        let handle = input.href.as_deref().unwrap_or(&input.task_id);
        let (most, tokenizer) = (options.max_result_tokens as usize, Tokenizer::o200k());
        let marker = token_limit::marker_within(most, handle, &tokenizer);
        let content = numbered.renumber_marks(text);
        let asked = distinct(
            lexicon.borrow_mut().terms(&[query, input.task.as_deref().unwrap_or_default()].join("\n")),
        );
        let places = |said: &str| {
            let said = lexicon.borrow_mut().terms(said);
            distinct(said.iter().filter_map(|term| asked.binary_search(term).ok()))
        };
        let places: Option<Asked<'_>> = if asked.is_empty() { None } else { Some(&places) };
        let limited = token_limit::limit_asked(&content, most, &marker, &tokenizer, places);
        let twins: Vec<(&Kept, &Text)> =
            gathered.kept.iter().zip(texts).filter(|(other, _)| other.twin_of == Some(at)).collect();
        // A twin brings its sources along.
        let sources: BTreeSet<u32> = twins
            .iter()
            .map(|(_, text)| *text)
            .chain([text])
            .flat_map(|text| &text.sources)
            .copied()
            .collect();
        TaskResult {
            task_id: input.task_id.clone(),
            task: input.task.clone(),
            subagent: input.subagent.clone(),
            whole: limited.truncated.then_some(content),
            content: limited.text,
            sources: numbered.finals(&sources.into_iter().collect::<Vec<_>>()),
            relevance: rounded(relevance.blended),
            relevance_detail: RelevanceDetail {
                bm25: relevance.bm25.map(rounded),
                reported: rounded(relevance.reported),
            },
            confidence: input.confidence.filter(|value| !value.is_nan()).map(|value| value.clamp(0.0, 1.0)),
            tokens: limited.tokens,
            truncated: limited.truncated,
            href: input.href.clone(),
            partial: *partial,
            notes: notes.iter().chain(&text.notes).cloned().collect(),
            merged: twins.iter().map(|(twin, _)| twin.input.task_id.clone()).collect(),
            place: input.place,
        }
    };
    listed.map(result).collect()
}
