//! The results that were merged into others, as tasks again.
//!
//! An aggregated result lists one of several that said the same and names the tasks of the others; whose they were only its
//! findings tell: their contributors that no result and no failure is of.

use std::collections::BTreeSet;

use crate::domain::aggregate::input::{InputStatus, TaskInput};
use crate::domain::aggregate::json::{items, member, members, text};

/// Findings and merged results that are looked at.
const LIST_MAX: usize = 10_000;
/// A twin was no more relevant than the one that is listed.
const LESS: f64 = 1e-9;

/// The twins of `tasks`, which are of the aggregated result `json`, each with the text of the one that is listed.
pub(in super::super) fn twins(json: &str, tasks: &[TaskInput]) -> Vec<TaskInput> {
    let given = members(json).unwrap_or_default();
    let list =
        |name: &str| member(&given, name).and_then(items).unwrap_or_default().into_iter().take(LIST_MAX);
    let texts = |json: &str, name: &str| -> Vec<String> {
        let list = members(json).and_then(|object| member(&object, name).and_then(items)).unwrap_or_default();
        list.into_iter().filter_map(text).collect()
    };
    let merged: Vec<(String, Vec<String>)> = list("results")
        .filter_map(|result| {
            let task = member(&members(result)?, "task_id").and_then(text)?;
            Some((task, texts(result, "merged"))).filter(|(_, merged)| !merged.is_empty())
        })
        .collect();
    if merged.is_empty() {
        return Vec::new();
    }
    let groups: Vec<Vec<String>> = list("findings").map(|finding| texts(finding, "contributors")).collect();
    let mut known: BTreeSet<&str> = tasks.iter().map(|task| task.subagent.as_str()).collect();
    let mut ids: BTreeSet<&str> = tasks.iter().map(|task| task.task_id.as_str()).collect();
    let mut found = Vec::new();
    for (task_id, merged) in &merged {
        let is_listed =
            |task: &&TaskInput| task.task_id == *task_id && !matches!(task.status, InputStatus::Failed(_));
        let Some(listed) = tasks.iter().find(is_listed) else { continue };
        let with = groups.iter().filter(|group| group.contains(&listed.subagent)).flatten();
        let names: BTreeSet<&str> = with.map(String::as_str).filter(|name| !known.contains(name)).collect();
        let merged = merged.iter().filter(|id| !ids.contains(id.as_str())).map(String::as_str);
        for (id, name) in merged.collect::<Vec<&str>>().into_iter().zip(names) {
            (_, _) = (known.insert(name), ids.insert(id));
            let relevance = listed.relevance.map(|relevance| relevance - LESS);
            let (task_id, subagent) = (id.to_owned(), name.to_owned());
            found.push(TaskInput { task_id, subagent, relevance, href: None, ..listed.clone() });
        }
    }
    found
}
