//! Telling the log what a call came to.

use std::time::Duration;

use crate::domain::event::{Digest, RawJson, SenderStatus, SubagentEvent};
use crate::domain::ids::SessionKey;
use crate::domain::protocols::Failure;
use crate::domain::record::Answer;
use crate::domain::session::Command;
use crate::domain::verdict::{Code, Refusal, Verdict};
use crate::engine::coordinator::{AggregationCoordinator, Submission, SubmitError};

/// A store that is down is asked again after this. The deadline ends it.
const PAUSE: Duration = Duration::from_millis(250);

/// Why a call goes no further.
pub(in crate::engine) enum Stopped {
    /// The output is over, somebody else calls, or the service stops.
    NotOurs,
    /// What it said can't be.
    Refused(Failure),
}

/// Who tells, and of which session.
pub(in crate::engine) struct Teller {
    pub(in crate::engine) coordinator: AggregationCoordinator,
    pub(in crate::engine) key: SessionKey,
}

impl Teller {
    /// Has commands decided, and waits until they are stored: a subagent is read no faster than the log can take it.
    pub(in crate::engine) async fn tell(&self, commands: Vec<Command>) -> Result<(), Stopped> {
        if commands.is_empty() {
            return Ok(());
        }
        // Of its own on the heap: a call that waits for its subagent, as most do, doesn't hold the room for it.
        Box::pin(self.tell_all(commands)).await
    }

    async fn tell_all(&self, mut commands: Vec<Command>) -> Result<(), Stopped> {
        while !commands.is_empty() {
            let submission = Submission { commands: commands.clone(), idempotency: None, places: Vec::new() };
            let stopped = match self.coordinator.report(&self.key, submission).await {
                Ok(reply) => {
                    let told = reply.answers.len().min(commands.len());
                    for (command, answer) in commands.drain(..told).zip(reply.answers) {
                        check(&command, answer)?;
                    }
                    reply.stopped
                }
                Err(error) => Some(error),
            };
            match stopped {
                None => {}
                Some(SubmitError::Store(_)) => tokio::time::sleep(PAUSE).await,
                Some(SubmitError::OutcomeUnknown) => {
                    // A piece of a draft that is told twice would be in it twice.
                    commands.retain(|command| !matches!(command, Command::WritingSaid { .. }));
                    tokio::time::sleep(PAUSE).await;
                }
                Some(SubmitError::Draining | SubmitError::UnknownSession | SubmitError::SessionExpired) => {
                    return Err(Stopped::NotOurs);
                }
            }
        }
        Ok(())
    }
}

/// Whether the call goes on after one of its commands was answered so.
fn check(command: &Command, answer: Result<Answer, Refusal>) -> Result<(), Stopped> {
    let is_part = matches!(command, Command::CallSaid { .. });
    match answer {
        Ok(Answer::Event(decided)) if decided.verdict == Verdict::Accepted => Ok(()),
        // Nothing was done: its fence is gone, or the output was over before.
        Ok(Answer::Event(_) | Answer::Done(None)) => Err(Stopped::NotOurs),
        Ok(Answer::Done(Some(_)) | Answer::Step { .. }) => Ok(()),
        // A part isn't shown any more where the session is full. What comes of the call has its place.
        Err(refusal) if is_part && refusal.code == Code::LimitReached => Ok(()),
        Err(refusal) => Err(Stopped::Refused(Failure::lasting(refusal.code.as_str(), refusal.detail))),
    }
}

/// Raw output as an event.
pub(super) fn output(status: SenderStatus, raw: RawJson) -> SubagentEvent {
    SubagentEvent {
        result_key: None,
        status,
        revision: None,
        payload: Some(raw),
        error: None,
        telemetry: None,
        // Nobody sends it again.
        digest: Digest(0),
        is_raw: false,
    }
}
