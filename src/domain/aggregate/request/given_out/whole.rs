//! The whole of an aggregated result, as it was given out: for who wants nothing of it otherwise.
//!
//! Made anew out of what its results show, it would be another one: their texts may be cut, what was left out can't be found again, and a
//! draft would be taken for an end. So it is taken whole where it holds together: every source that is named is there under its number.
//! What doesn't, an older version's or somebody's own, is read result by result.

use crate::domain::aggregate::result::{AggregatedResult, Contradiction, Method, Statement};

/// How a result may have ended, or not yet.
const STATUSES: [&str; 6] = ["completed", "partial_failure", "failed", "cancelled", "refused", "in_progress"];

/// The aggregated result `json`; `None` where it isn't a whole one.
pub(in super::super) fn whole(json: &str) -> Option<AggregatedResult> {
    let mut result: AggregatedResult = serde_json::from_str(json).ok()?;
    if !holds_together(&result) {
        return None;
    }
    // What isn't said of it, as far as it is to be told.
    result.body.clone_from(&result.synthesis);
    let by_model = result.metadata.method == Method::Llm;
    result.findings.iter_mut().for_each(|finding| finding.by_model = by_model);
    result.failures.iter_mut().for_each(|failure| failure.subagents = 1);
    for (place, result) in result.results.iter_mut().enumerate() {
        result.place = place;
    }
    Some(result)
}

fn holds_together(result: &AggregatedResult) -> bool {
    let AggregatedResult { findings, insights, contradictions, results, sources, .. } = result;
    let is_share = |share: f64| (0.0..=1.0).contains(&share);
    let are_there =
        |numbers: &[u32]| numbers.iter().all(|number| (1..=sources.len()).contains(&(*number as usize)));
    let of_both = |both: &Contradiction| {
        let named = |said: &Statement| said.source.is_none_or(|number| are_there(&[number]));
        are_there(&both.sources) && both.statements.iter().all(named)
    };
    STATUSES.contains(&result.status.as_str())
        && result.confidence <= 100
        && result.confidence_v2.score <= 100
        && sources.iter().zip(1..).all(|(source, number)| source.id == number)
        && findings.iter().all(|finding| are_there(&finding.sources))
        && insights.iter().all(|insight| are_there(&insight.sources))
        && contradictions.iter().all(of_both)
        && results.iter().all(|result| is_share(result.relevance) && are_there(&result.sources))
        && result.sources_by_type.values().all(|numbers| are_there(numbers))
}
