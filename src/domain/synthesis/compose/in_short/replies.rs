//! Bare answers have no word of what was asked, and little else that would choose them: beside the yes of some stands the no of another, and
//! where they answer one question both are the answer, whatever else is said.

use crate::domain::aggregate::result::{Contradiction, Finding};
use crate::domain::synthesis::contradictions::replies;

/// Adds to a yes that is chosen the first no of somebody else, and the reverse; and both where they contradict each other.
pub(super) fn with_the_other(
    chosen: &mut Vec<usize>,
    findings: &[Finding],
    contradictions: &[Contradiction],
) {
    let said: Vec<Option<bool>> = findings.iter().map(|finding| replies(&finding.content)).collect();
    let replies = |at: &usize| said[*at].is_some();
    let is_contested = |at: &usize| {
        let mut sides = contradictions.iter().flat_map(|found| &found.statements);
        replies(at) && sides.any(|side| side.text == findings[*at].content)
    };
    let own = chosen.iter().copied().find(replies).or_else(|| (0..findings.len()).find(is_contested));
    let Some(own) = own else { return };
    let is_other = |at: &usize| {
        let by = |name: &String| findings[own].contributors.contains(name);
        replies(at) && said[*at] != said[own] && !findings[*at].contributors.iter().any(by)
    };
    let has_other = chosen.iter().any(is_other);
    if !chosen.contains(&own) {
        chosen.push(own);
    }
    if !has_other {
        chosen.extend((0..findings.len()).find(is_other));
    }
}
