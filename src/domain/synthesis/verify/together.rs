//! Results that name several sources and cite none of them: as in the baseline, they rest on all of them together.

use crate::domain::aggregate::result::TaskResult;
use crate::domain::synthesis::citations::{Report, keep};

/// Sources of such a result at most.
const TOGETHER_MAX: usize = 5;

/// Whether a text with such citations rests on the sources that its result names together.
pub(super) fn are_together(named: &[u32], report: &Report) -> bool {
    (2..=TOGETHER_MAX).contains(&named.len()) && report.citations.is_empty()
}

/// Whether a result does, of a baseline with so many sources.
pub(super) fn is_together(result: &TaskResult, sources: usize) -> bool {
    let text = result.whole.as_ref().unwrap_or(&result.content);
    result.sources.len() > 1 && are_together(&result.sources, &keep(text, sources).1)
}
