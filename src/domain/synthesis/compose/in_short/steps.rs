//! Steps of a numbered list: one of them alone answers nothing, and may harm.

use crate::domain::aggregate::result::Finding;
use crate::domain::synthesis::claims::demands;

/// Steps of which all are quoted with one, and their bytes.
const STEPS_MAX: usize = 8;
const BYTES_MAX: usize = 900;

/// Adds to a step that is chosen the others of its list, where they are few, in its order and in the place of the first.
pub(super) fn with_the_others(chosen: &mut Vec<usize>, findings: &[Finding]) {
    let lists: Vec<usize> = chosen.iter().filter_map(|at| findings[*at].step).map(|(list, _)| list).collect();
    for list in lists {
        let of_list = |at: &usize| findings[*at].step.is_some_and(|(of, _)| of == list);
        let mut steps: Vec<usize> = (0..findings.len()).filter(of_list).collect();
        if !are_told(&steps, findings) {
            continue;
        }
        steps.sort_by_key(|at| findings[*at].step);
        let first = chosen.iter().position(of_list).unwrap_or_default();
        chosen.retain(|at| !of_list(at));
        chosen.splice(first..first, steps);
    }
}

/// Whether a list tells what to do, step by step.
fn are_told(steps: &[usize], findings: &[Finding]) -> bool {
    let bytes: usize = steps.iter().map(|at| findings[*at].content.len()).sum();
    let telling = steps.iter().filter(|at| demands(&findings[**at].content)).count();
    (2..=STEPS_MAX).contains(&steps.len()) && bytes <= BYTES_MAX && 2 * telling >= steps.len()
}
