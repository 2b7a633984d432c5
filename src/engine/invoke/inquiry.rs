//! Asking an A2A agent that doesn't stream what its task has come to, until it has ended.
//!
//! The first answer to such an agent's task may come before its end: an agent may answer at once whatever it was asked. Then
//! it is asked after the task (`GetTask`, in 0.3 `tasks/get`), at once, then ever more seldom. What can't be reached is asked again a
//! few times, for a task that runs is worth more than one answer to how it does; where that fails, so does the attempt.

use std::time::Duration;

use tokio::time::sleep;

use super::attempt::{Attempt, Read};
use super::broken::Broken;
use super::heard::Heard;
use super::request::AboutTask;
use crate::domain::directive::{InvokeCall, Protocol};
use crate::domain::protocols::a2a_inquiry;

/// How long is waited before the agent is asked for the first time, and at most from then on.
const PAUSES: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(5));
/// How long the agent may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// Inquiries in a row that may come to nothing.
const FAILURES_MAX: u32 = 3;

impl Attempt {
    /// Follows the open task to its end. Where the agent named none nobody can.
    pub(super) async fn follow_task(&self, invoke: &InvokeCall, heard: &mut Heard) -> Result<Read, Broken> {
        let (mut pause, most) = PAUSES;
        let mut failures = 0;
        heard.ask_again();
        while self.open_task.get().is_some() {
            sleep(pause).await;
            pause = (pause * 3 / 2).min(most);
            match self.inquire(invoke, heard).await {
                Ok(Read::LeftOpen) => failures = 0,
                // What ended badly is open no longer, so this is of the inquiry.
                Err(Broken::Failed(failed))
                    if failed.failure.retryable
                        && failures + 1 < FAILURES_MAX
                        && self.open_task.get().is_some() =>
                {
                    failures += 1;
                }
                done => return done,
            }
        }
        Ok(Read::LeftOpen)
    }

    async fn inquire(&self, invoke: &InvokeCall, heard: &mut Heard) -> Result<Read, Broken> {
        let Some(task) = self.open_task.get() else { return Ok(Read::LeftOpen) };
        let about = AboutTask { words: a2a_inquiry, id: "get", patience: PATIENCE };
        let call = self.job.about_task(invoke, &task, self.shared.telemetry.propagators, about)?;
        let answer = self.shared.subagents.call(call).await?;
        self.read_answer(Protocol::A2a, answer, task.version, heard).await
    }
}
