//! Who was expected and brought nothing, or a part only, for the gaps.

use std::collections::{BTreeMap, BTreeSet};

use super::broken_off;
use crate::domain::aggregate::gather::Gathered;
use crate::domain::aggregate::result::Failure;
use crate::domain::synthesis::gaps::{Brought, Expected};

/// Those that failed, of some of which there is what they had said until then, and those whose text breaks off. Where several
/// tasks are one subagent's, in steps below or of one step, each says which it is.
pub(super) fn expected(gathered: &Gathered) -> Vec<Expected<'_>> {
    let parts: BTreeSet<&str> =
        gathered.kept.iter().filter(|kept| kept.partial).map(|kept| kept.input.task_id.as_str()).collect();
    // Of a step there is what there is of its subagents: `x/a` of `x`.
    let below = |id: &str| {
        let path = format!("{id}/");
        parts.range(path.as_str()..).next().is_some_and(|first| first.starts_with(&path))
    };
    let is_in_part = |id: &str| parts.contains(id) || below(id);
    let mut tasks: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let listed = gathered.failures.iter().map(|failure| (&failure.subagent, &failure.task_id));
    let kept = gathered.kept.iter().map(|kept| (&kept.input.subagent, &kept.input.task_id));
    for (name, task) in listed.chain(kept) {
        tasks.entry(name).or_default().insert(task);
    }
    let which = |name: &str, task| Some(task).filter(|_| tasks.get(name).is_some_and(|of| of.len() > 1));
    let failed = gathered.failures.iter().map(|Failure { task_id, subagent, status, error, .. }| Expected {
        name: subagent,
        task: which(subagent, task_id.as_str()),
        status,
        why: Some(error.as_str()).filter(|why| !why.is_empty()),
        brought: if is_in_part(task_id) { Brought::Part } else { Brought::Nothing },
    });
    // What failed says so already.
    let clipped = gathered.kept.iter().filter(|kept| !kept.partial).filter_map(|kept| {
        let why = broken_off::noted(kept)?;
        let name = kept.input.subagent.as_str();
        let task = which(name, kept.input.task_id.as_str());
        Some(Expected { name, task, status: "clipped", why: Some(why), brought: Brought::Part })
    });
    failed.chain(clipped).collect()
}
