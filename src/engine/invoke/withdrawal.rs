//! Withdrawing what an agent was asked: it is told that nobody waits any more, in its protocol's words.
//!
//! An A2A agent works on when its caller hangs up. Where an output ends otherwise than well while its call runs (its
//! deadline is over, its step is cancelled, its session deleted, safety ends it), or fails for the last time, the agent's task
//! is cancelled.
//! Where another attempt or another replica goes on with the output it isn't: those send the same message, by which an
//! agent may know its task again.
//!
//! Best effort: one request, bounded in time, on a task of its own that no step waits for. Whether it helped is counted,
//! and said in the log where it didn't. An agent that hasn't said its task's id yet can't be told.

use std::time::Duration;

use futures::StreamExt;

use super::attempt::Attempt;
use super::request::AboutTask;
use crate::domain::protocols::{Failure, a2a_withdrawal, read_withdrawal};
use crate::engine::ports::subagent::{CallError, OutboundCall, Subagents};

/// How long the agent may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// Why an agent may still work.
#[derive(Debug, thiserror::Error)]
enum NotWithdrawn {
    #[error(transparent)]
    NoAnswer(#[from] CallError),
    #[error(transparent)]
    Refused(#[from] Failure),
    #[error("the service stops")]
    Stopped,
}

impl Attempt {
    /// Has the agent's task cancelled, where it has one that is open. Waits for nothing.
    pub(super) fn withdraw(&self) {
        let Some(task) = self.open_task.take() else { return };
        let Some(invoke) = self.job.subagent.invocation() else { return };
        let about = AboutTask { words: a2a_withdrawal, id: "cancel", patience: PATIENCE };
        let call = self.job.about_task(invoke, &task, self.shared.telemetry.propagators, about);
        let shared = self.shared.clone();
        let (session, output) = (self.job.key.session.clone(), self.job.subagent.output.clone());
        let trace_id = self.job.step.context.trace_id.to_string();
        let bytes_max = shared.settings.bounds.event_bytes;
        self.shared.tasks.spawn(async move {
            let asked = async {
                let _place = shared.withdrawals.acquire().await;
                ask(&*shared.subagents, call?, bytes_max).await
            };
            let done = shared.stop.run_until_cancelled(asked).await.unwrap_or(Err(NotWithdrawn::Stopped));
            let outcome = match &done {
                Ok(()) => "withdrawn",
                Err(NotWithdrawn::Refused(_)) => "refused",
                Err(NotWithdrawn::NoAnswer(_) | NotWithdrawn::Stopped) => "failed",
            };
            shared.telemetry.meters.withdrew(outcome);
            if let Err(error) = done {
                let (step, result_key) = (&output.step, &output.result_key);
                tracing::warn!(trace_id, %session, %step, %result_key, %error, "an agent's task was not cancelled: it may still work");
            }
        });
    }
}

async fn ask(subagents: &dyn Subagents, call: OutboundCall, bytes_max: usize) -> Result<(), NotWithdrawn> {
    let mut answer = subagents.call(call).await?;
    let mut text = Vec::new();
    while let Some(chunk) = answer.body.next().await {
        text.extend_from_slice(&chunk?);
        if text.len() > bytes_max {
            return Err(CallError::TooLarge { limit: bytes_max }.into());
        }
    }
    Ok(read_withdrawal(&String::from_utf8_lossy(&text))?)
}
