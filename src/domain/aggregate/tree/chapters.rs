//! Where what a node brings stands in the prose of the node above.

use std::collections::BTreeMap;

use super::{Child, Outcome, is_written};
use crate::domain::aggregate::Placed;
use crate::domain::aggregate::input::TaskInput;

use super::order::in_its_order;

/// Chapters within chapters that are kept of a task's place, the outermost and its own: no Markdown has deeper headings.
const CHAPTERS_MAX: usize = 6;

impl Child {
    /// Where what this child brings stands in the prose of the node above: in a chapter of its own, if it is a node.
    pub(super) fn placed(&self, brought: &[TaskInput]) -> Vec<Placed> {
        let mut chapters: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let (Outcome::Ended(result) | Outcome::Unfinished(result)) = &self.outcome else {
            return brought.iter().map(|task| Placed::alone(&task.task_id)).collect();
        };
        if is_written(result) {
            // Prose that was written of a node is its chapter.
            let own = self.goal.iter().filter(|_| result.style.is_prose()).cloned().collect();
            chapters.insert(self.step.clone(), own);
        } else {
            for (task, below) in in_its_order(result) {
                let mut own: Vec<String> = self.goal.iter().chain(below).cloned().collect();
                if own.len() > CHAPTERS_MAX {
                    own.drain(CHAPTERS_MAX - 1..own.len() - 1);
                }
                chapters.insert(format!("{}/{}", self.step, task.task_id), own);
            }
        }
        let placed = |task: &TaskInput| Placed {
            task_id: task.task_id.clone(),
            chapters: chapters.remove(&task.task_id).unwrap_or_default(),
        };
        brought.iter().map(placed).collect()
    }
}
