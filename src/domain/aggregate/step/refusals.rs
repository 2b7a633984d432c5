//! The safety decisions of a session, as far as they ended a step.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::domain::adapters::Adapter;
use crate::domain::aggregate::RefusedBy;
use crate::domain::entry::Entry;
use crate::domain::ids::StepId;
use crate::domain::position::Sequence;
use crate::domain::record::StepStatus;
use crate::domain::session::StepState;

/// Decisions that ended what they were about, by their place in the log; without a step those about the whole session.
#[derive(Debug, Default, Clone)]
pub(super) struct Refusals(BTreeMap<Sequence, (Option<StepId>, Decided)>);

#[derive(Debug, Clone, Deserialize)]
struct Decided {
    policy: String,
    reason: String,
    terminate: bool,
}

#[derive(Deserialize)]
struct Wire {
    content: Decided,
}

impl Refusals {
    /// Takes note of a decision about a step, or about the session.
    pub(super) fn add(&mut self, step: Option<&StepId>, entry: &Entry) {
        let wire = entry.wire().and_then(|wire| serde_json::from_slice::<Wire>(wire).ok());
        if let Some(Wire { content }) = wire.filter(|wire| wire.content.terminate) {
            self.0.insert(entry.sequence, (step.cloned(), content));
        }
    }

    /// What ended a step that was refused: the first decision that could.
    pub(super) fn of(&self, step: &StepState) -> Option<RefusedBy> {
        if step.status != StepStatus::Refused {
            return None;
        }
        let about = |of: &Option<StepId>| of.as_ref().is_none_or(|of| of == step.id());
        let began = step.started.sequence;
        let decided =
            self.0.iter().find(|(at, (of, _))| **at > began && about(of)).map(|(_, (_, decided))| decided)?;
        let safety = step.subagents.iter().find(|subagent| subagent.adapter == Adapter::Safety);
        let (task_id, subagent) = safety.map_or_else(
            || ("safety".to_owned(), "safety".to_owned()),
            |safety| (safety.output.result_key.to_string(), safety.output.stage.to_string()),
        );
        let error = format!("{}: {}", decided.policy, decided.reason);
        Some(RefusedBy { task_id, subagent, error })
    }
}
