//! The safety decisions of a session, as far as they ended a step, or refused what a subagent said.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::domain::adapters::Adapter;
use crate::domain::aggregate::RefusedBy;
use crate::domain::entry::Entry;
use crate::domain::ids::{StepId, SubagentKey};
use crate::domain::policy::PolicyDecision;
use crate::domain::position::Sequence;
use crate::domain::record::StepStatus;
use crate::domain::session::StepState;

/// Decisions that ended what they were about, or refused a subagent, by their place in the log; without a step those about
/// the whole session.
#[derive(Debug, Default, Clone)]
pub(super) struct Refusals(BTreeMap<Sequence, (Option<StepId>, Decided)>);

#[derive(Debug, Clone, Deserialize)]
struct Decided {
    decision: PolicyDecision,
    policy: String,
    reason: String,
    #[serde(default)]
    stage: Option<SubagentKey>,
    terminate: bool,
}

impl Decided {
    /// The subagent that it refuses.
    fn refused(&self) -> Option<&SubagentKey> {
        self.stage.as_ref().filter(|_| self.decision == PolicyDecision::Refuse)
    }

    fn why(&self) -> String {
        format!("{}: {}", self.policy, self.reason)
    }
}

#[derive(Deserialize)]
struct Wire {
    content: Decided,
}

impl Refusals {
    /// Takes note of a decision about a step, or about the session.
    pub(super) fn add(&mut self, step: Option<&StepId>, entry: &Entry) {
        let wire = entry.wire().and_then(|wire| serde_json::from_slice::<Wire>(wire).ok());
        let counts = |content: &Decided| content.terminate || content.refused().is_some();
        if let Some(Wire { content }) = wire.filter(|wire| counts(&wire.content)) {
            self.0.insert(entry.sequence, (step.cloned(), content));
        }
    }

    /// The place of the last decision before `until`.
    pub(super) fn last_before(&self, until: Sequence) -> Option<Sequence> {
        self.0.range(..until).next_back().map(|(at, _)| *at)
    }

    /// What ended a step that was refused: the first decision that could.
    pub(super) fn of(&self, step: &StepState) -> Option<RefusedBy> {
        if step.status != StepStatus::Refused {
            return None;
        }
        let (_, decided) = self.about(step).find(|(_, decided)| decided.terminate)?;
        let safety = step.subagents.iter().find(|subagent| subagent.adapter == Adapter::Safety);
        let (task_id, subagent) = safety.map_or_else(
            || ("safety".to_owned(), "safety".to_owned()),
            |safety| (safety.output.result_key.to_string(), safety.output.stage.to_string()),
        );
        Some(RefusedBy { task_id, subagent, error: decided.why() })
    }

    /// Why what a subagent of a step said mustn't be told: the first decision that refused it by its name, before the step
    /// ended and `until` then.
    pub(super) fn of_subagent(
        &self,
        step: &StepState,
        subagent: &SubagentKey,
        until: Option<Sequence>,
    ) -> Option<String> {
        let ended = step.ended.map(|end| end.position.sequence);
        let counts = |at: Sequence| [ended, until].into_iter().flatten().all(|end| at < end);
        let mut refusing = self.about(step).filter(|(_, decided)| decided.refused() == Some(subagent));
        refusing.find(|(at, _)| counts(*at)).map(|(_, decided)| decided.why())
    }

    /// What was decided about a step since it began, in the order of the log.
    fn about(&self, step: &StepState) -> impl Iterator<Item = (Sequence, &Decided)> {
        let began = step.started.sequence;
        let about = move |of: &Option<StepId>| of.as_ref().is_none_or(|of| of == step.id());
        let since = self.0.iter().filter(move |(at, (of, _))| **at > began && about(of));
        since.map(|(at, (_, decided))| (*at, decided))
    }
}
