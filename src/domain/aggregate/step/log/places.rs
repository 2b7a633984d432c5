//! Where what a result is made of stands, in the log and for who reads it.

use super::StepLog;
use crate::domain::position::Sequence;
use crate::domain::record::Output;
use crate::domain::session::{SessionState, SubagentState};

/// Where the whole of an output is.
pub(in super::super) fn href(state: &SessionState, Output { step, result_key, .. }: &Output) -> String {
    format!("/planner/sessions/{}/steps/{step}/results/{result_key}", state.session)
}

impl StepLog {
    /// The places of what an output brought: of all with which the place of a step's end is compared.
    pub(in super::super) fn places_of(&self, subagent: &SubagentState) -> impl Iterator<Item = Sequence> {
        let Output { step, result_key, .. } = &subagent.output;
        let heard = self.heard.get(&(step.clone(), result_key.clone()));
        let entries = heard.into_iter().flat_map(|heard| heard.partial.iter().chain(&heard.terminal));
        entries.map(|entry| entry.sequence).chain(subagent.sender.map(|mark| mark.sequence))
    }
}
