//! A state out of its fields.

use std::collections::VecDeque;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::{DirectiveField, OutputField, RequestField, SessionField, StepField};
use crate::domain::ids::{ResultKey, SessionId};
use crate::domain::position::Position;
use crate::domain::session::state::{Answered, SenderMark, SessionState, StepEnd, SubagentState};

/// Stored fields that are no state.
#[derive(Debug, thiserror::Error)]
#[error("a stored state can't be read at `{field}`: {detail}")]
pub struct CorruptState {
    field: String,
    detail: String,
}

impl SessionState {
    /// The state at `position` whose fields these are. Names that belong to others are passed over.
    ///
    /// # Errors
    /// Where a field can't be read or belongs to a step that isn't there.
    pub fn from_fields(
        session: SessionId,
        position: Position,
        fields: &[(&str, &[u8])],
    ) -> Result<Self, CorruptState> {
        let mut state = Self::new(session, position);
        state.restore_steps(fields)?;
        let mut answered = Vec::new();
        for &(name, value) in fields {
            match name.split_once(' ') {
                Some(("step", id)) => state.restore_step(name, id, value)?,
                Some(("output", rest)) => state.restore_output(name, rest, value)?,
                Some(("telemetry", rest)) => state.restore_telemetry(name, rest, value)?,
                Some(("request", _)) => answered.push(read::<RequestField>(name, value)?),
                Some(_) | None => {}
            }
        }
        state.answered = Arc::new(in_order(answered));
        state.position = position;
        if let Some((name, value)) = fields.iter().find(|(name, _)| *name == "session") {
            let SessionField { at, bytes, more_steps, closed, notices, spent } = read(name, value)?;
            (state.last_at, state.bytes, state.more_steps, state.closed) = (at, bytes, more_steps, closed);
            (state.notices, state.spent) = (notices, spent);
        }
        Ok(state)
    }

    /// The steps as their directives made them, in that order.
    fn restore_steps(&mut self, fields: &[(&str, &[u8])]) -> Result<(), CorruptState> {
        let of_steps = fields.iter().filter(|(name, _)| name.starts_with("directive "));
        let mut directives = of_steps
            .map(|(name, value)| read::<DirectiveField>(name, value))
            .collect::<Result<Vec<_>, _>>()?;
        directives.sort_by_key(|field| field.started.sequence);
        for field in directives {
            self.position = field.started;
            self.start_step(field.at, &field.directive, field.digest, &field.context);
        }
        Ok(())
    }

    fn restore_step(&mut self, name: &str, id: &str, value: &[u8]) -> Result<(), CorruptState> {
        let field: StepField = read(name, value)?;
        let step = self.steps.iter_mut().find(|step| step.id().as_str() == id).map(Arc::make_mut);
        let step = step.ok_or_else(|| corrupt(name, "there is no directive for it"))?;
        step.last = field.last;
        step.status = field.status;
        step.writing = field.writing;
        step.aggregated = field.aggregated;
        step.ended = field.ended.map(|(position, at)| StepEnd { position, at });
        Ok(())
    }

    fn restore_output(&mut self, name: &str, rest: &str, value: &[u8]) -> Result<(), CorruptState> {
        let field: OutputField = read(name, value)?;
        let subagent = self.named_output(name, rest)?;
        subagent.status = field.status;
        subagent.revision = field.revision;
        subagent.attempt = field.attempt;
        let mark = |(revision, sequence, digest)| SenderMark { revision, sequence, digest };
        subagent.sender = field.sender.map(mark);
        subagent.started_at = field.started_at;
        subagent.attempt_at = field.attempt_at;
        subagent.latency_ms = field.latency_ms;
        subagent.call = field.call;
        subagent.card = field.card;
        subagent.failed = field.failed;
        Ok(())
    }

    fn restore_telemetry(&mut self, name: &str, rest: &str, value: &[u8]) -> Result<(), CorruptState> {
        let context = read(name, value)?;
        self.named_output(name, rest)?.context = Arc::new(context);
        Ok(())
    }

    fn named_output(&mut self, name: &str, rest: &str) -> Result<&mut SubagentState, CorruptState> {
        let missing = || corrupt(name, "no directive expects it");
        let (step, result_key) = rest.split_once(' ').ok_or_else(missing)?;
        let result_key: ResultKey = result_key.parse().map_err(|_| missing())?;
        let step = self.steps.iter_mut().find(|known| known.id().as_str() == step).ok_or_else(missing)?;
        step.output(&result_key).ok_or_else(missing)?;
        Ok(Arc::make_mut(step).output_mut(&result_key))
    }
}

fn in_order(mut fields: Vec<RequestField>) -> VecDeque<Answered> {
    fields.sort_by_key(|field| field.ordinal);
    let answered = fields.into_iter().map(|field| {
        let RequestField { ordinal, key, fingerprint, mut answers, cursor } = field;
        // Versions before this one wrote them in the order in which they were given.
        answers.sort_by_key(|answer| answer.index);
        Answered { ordinal, key, fingerprint, answers, cursor }
    });
    answered.collect()
}

fn read<T: DeserializeOwned>(name: &str, value: &[u8]) -> Result<T, CorruptState> {
    serde_json::from_slice(value).map_err(|error| corrupt(name, &error.to_string()))
}

fn corrupt(name: &str, detail: &str) -> CorruptState {
    CorruptState { field: name.into(), detail: detail.into() }
}
