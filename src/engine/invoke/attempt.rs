//! One attempt: the request, the answer as it arrives, and what became of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures::StreamExt;
use parking_lot::Mutex;
use tokio::time::{Instant, sleep_until};

use super::breakers::Admission;
use super::broken::Broken;
use super::checked::checked;
use super::heard::Heard;
use super::open_task::OpenTask;
use super::pace::Pace;
use super::telling::{Stopped, Teller, output};
use super::told::CallTold;
use super::{CallJob, Shared};
use crate::domain::backoff::{Attempts, next_attempt};
use crate::domain::breaker::Outcome;
use crate::domain::directive::Protocol;
use crate::domain::event::{EventError, SenderStatus, SubagentEvent};
use crate::domain::protocols::{A2aVersion, AnswerReader, End, Failure, Said};
use crate::domain::record::SubagentStatus;
use crate::domain::session::{CallFailure, Command};
use crate::engine::coordinator::AggregationCoordinator;
use crate::engine::ports::subagent::Answer;

/// The status of an answer that says "accepted": what becomes of it will be pushed.
const ACCEPTED: u16 = 202;
/// How long is waited behind the mark of an answer's end for what may follow: what it cost. Servers say it at once, or never.
const AFTERWARDS: Duration = Duration::from_millis(500);

/// What an answer came to that was read to its end.
pub(super) enum Read {
    /// The log knows it.
    Told,
    /// The subagent goes on with its task.
    LeftOpen,
}

pub(super) struct Attempt {
    pub(super) shared: Arc<Shared>,
    pub(super) job: CallJob,
    pub(super) teller: Teller,
    /// Its right to report to the breaker, for as long as it runs.
    admission: Mutex<Option<Admission>>,
    /// Whether its subagent was asked yet; it may still wait for a place.
    sent: AtomicBool,
    /// Whether its output is over without what the subagent would say.
    unwanted: AtomicBool,
    /// What the agent works on for it.
    pub(super) open_task: OpenTask,
}

impl Attempt {
    pub(super) fn new(
        shared: Arc<Shared>,
        job: CallJob,
        admission: Option<Admission>,
        coordinator: AggregationCoordinator,
    ) -> Self {
        let teller = Teller { coordinator, key: job.key.clone() };
        let (sent, unwanted) = (AtomicBool::new(false), AtomicBool::new(false));
        let admission = Mutex::new(admission);
        Self { shared, job, teller, admission, sent, unwanted, open_task: OpenTask::default() }
    }

    /// It is about to be cancelled, as its output is with another attempt or replica, or has `ended`.
    pub(super) fn ends(&self, ended: Option<SubagentStatus>) {
        let is_unwanted =
            ended.is_some_and(|status| status.is_terminal() && status != SubagentStatus::Success);
        self.unwanted.store(is_unwanted, Ordering::Relaxed);
        let is_silent = ended == Some(SubagentStatus::Timeout) && self.sent.load(Ordering::Relaxed);
        if is_silent && let Some(admission) = &*self.admission.lock() {
            drop(admission.report(Outcome::Failure));
        }
    }

    /// It is about to be cancelled without an end of its output: nothing is reported of it.
    pub(super) fn stops(&self) {
        drop(self.admission.lock().take());
    }

    /// It was cancelled, and reads no further.
    pub(super) fn was_cancelled(&self) {
        if self.unwanted.load(Ordering::Relaxed) {
            self.withdraw();
        }
    }

    /// Makes the call and tells the log what came of it.
    pub(super) async fn run(&self) {
        match self.call().await {
            Ok(()) => {}
            Err(Broken::Stopped) => {}
            Err(Broken::Failed(failed)) => {
                if let Some(outcome) = failed.outcome {
                    self.report(outcome).await;
                }
                self.tell_failure(failed.failure).await;
            }
        }
    }

    /// Reports to the breaker. Before the log is told: once that knows that the output is over, this task is ended.
    pub(super) async fn report(&self, outcome: Outcome) {
        let reported = self.admission.lock().as_ref().and_then(|admission| admission.report(outcome));
        if let Some(given_back) = reported {
            // It doesn't panic, and isn't ended by anybody.
            let _ = given_back.await;
        }
    }

    async fn call(&self) -> Result<(), Broken> {
        let Some(invoke) = self.job.subagent.invocation() else { return Err(Broken::Stopped) };
        // Closed only when the service stops. What is told of the time that is left is told after the wait.
        let Ok(_place) = self.shared.places.acquire().await else { return Err(Broken::Stopped) };
        // In the queue its time may have run out: what wasn't sent says nothing of the subagent, and its session ends it.
        if self.job.deadline() <= self.teller.coordinator.now() {
            return Err(Broken::Stopped);
        }
        self.sent.store(true, Ordering::Relaxed);
        let mut told = CallTold::begin(&self.shared.telemetry, &self.teller.coordinator, &self.job);
        let done = self.ask_in_some_manner(invoke, &mut told).await;
        match &done {
            Ok(()) => told.ended(Ok(())),
            Err(Broken::Failed(failed)) => told.ended(Err(failed.failure.code.to_string())),
            Err(Broken::Stopped) => {}
        }
        done
    }

    pub(super) async fn read_answer(
        &self,
        protocol: Protocol,
        answer: Answer,
        version: A2aVersion,
        heard: &mut Heard,
    ) -> Result<Read, Broken> {
        let content_type = answer.content_type.as_deref();
        let reader = AnswerReader::new(protocol, content_type, self.shared.settings.bounds);
        let reader = reader.hiding(answer.hidden.clone());
        // Of its own on the heap, where it takes its own size: within this one it would take twice that, and it is most of what
        // a call in flight holds.
        Box::pin(self.read(answer, reader, version, heard)).await
    }

    async fn read(
        &self,
        answer: Answer,
        mut reader: AnswerReader,
        version: A2aVersion,
        heard: &mut Heard,
    ) -> Result<Read, Broken> {
        let Answer { status, mut body, .. } = answer;
        let (mut is_empty, mut leave_at) = (true, None);
        let mut pace = Pace::begin();
        while !reader.is_over() {
            if reader.is_whole() {
                leave_at.get_or_insert_with(|| Instant::now() + AFTERWARDS);
            }
            // Text that isn't shown yet is shown when its time has come, whether more arrives or not.
            let wake_at = pace.next_at().into_iter().chain(leave_at).min();
            let chunk = tokio::select! {
                biased;
                chunk = body.next() => chunk,
                () = sleep_until(wake_at.unwrap_or(pace.begun())), if wake_at.is_some() => {
                    if leave_at.is_some_and(|leave_at| leave_at <= Instant::now()) {
                        break;
                    }
                    self.show_text(&mut reader, &mut pace).await?;
                    continue;
                }
            };
            let Some(chunk) = chunk else { break };
            if chunk.is_err() && reader.is_whole() {
                break;
            }
            let chunk = chunk?;
            is_empty &= chunk.is_empty();
            let fed = reader.feed(&chunk);
            self.open_task.note(&reader, version);
            self.tell_said(&mut reader, heard).await?;
            fed?;
            self.show_text(&mut reader, &mut pace).await?;
        }
        // "Accepted", and nothing more to say.
        self.finish(status == ACCEPTED && is_empty, reader, (version, heard)).await
    }

    /// Tells the events and outputs that are complete.
    async fn tell_said(&self, reader: &mut AnswerReader, heard: &mut Heard) -> Result<(), Broken> {
        let mut commands = Vec::new();
        while let Some(said) = reader.next_said() {
            match said {
                Said::Event(event) if event.status == SenderStatus::Error => {
                    self.teller.tell(commands).await?;
                    return Err(Failure::of_event(event.error.unwrap_or_default()).into());
                }
                // That it was asked is known already, and an output doesn't go back.
                Said::Event(event) if event.status == SenderStatus::Pending => {}
                Said::Event(event) if !heard.is_news(&event) => {}
                Said::Event(event) => {
                    if event.status == SenderStatus::Success {
                        self.report(Outcome::Success).await;
                    }
                    commands.push(self.said(event));
                }
                Said::Output(raw) if heard.says_something(&raw) => {
                    commands.push(self.said(output(SenderStatus::Partial, raw)));
                }
                Said::Output(_) => {}
            }
        }
        Ok(self.teller.tell(commands).await?)
    }

    async fn show_text(&self, reader: &mut AnswerReader, pace: &mut Pace) -> Result<(), Broken> {
        if reader.is_over() || !pace.may_show(reader.text_len()) {
            return Ok(());
        }
        match reader.text_so_far() {
            Some(text) => Ok(self.teller.tell(vec![self.said(output(SenderStatus::Partial, text))]).await?),
            None => Ok(()),
        }
    }

    async fn finish(
        &self,
        is_accepted: bool,
        mut reader: AnswerReader,
        (version, heard): (A2aVersion, &mut Heard),
    ) -> Result<Read, Broken> {
        let end = match reader.finish() {
            Err(_) if is_accepted => End::LeftOpen,
            end => {
                if let Ok(end) = &end {
                    self.open_task.note_end(end, &reader, version);
                }
                self.tell_said(&mut reader, heard).await?;
                end?
            }
        };
        match end {
            End::Success(None) => {}
            End::Success(Some(raw)) => {
                let raw = checked(self.job.subagent.adapter, heard.last(raw)?)?;
                self.report(Outcome::Success).await;
                self.teller.tell(vec![self.said(output(SenderStatus::Success, raw))]).await?;
            }
            End::LeftOpen => return Ok(Read::LeftOpen),
            End::Failed(failure) => return Err(failure.into()),
        }
        Ok(Read::Told)
    }

    fn said(&self, event: SubagentEvent) -> Command {
        Command::CallSaid { ticket: self.job.ticket.clone(), event }
    }

    async fn tell_failure(&self, failure: Failure) {
        let told_retryable = failure.told_retryable();
        let Failure { code, message, retryable, retry_after_ms, .. } = failure;
        let subagent = &self.job.subagent;
        let (now, deadline) = (self.teller.coordinator.now(), self.job.deadline());
        let attempts = Attempts { made: subagent.attempt, most: subagent.expected.max_attempts, deadline };
        let backoff = &self.shared.settings.backoff;
        let again = next_attempt(now, &attempts, retry_after_ms, backoff, fastrand::f64());
        let retry_at = again.filter(|_| retryable);
        let error =
            EventError { code: Some(code.into_owned()), message: Some(message), retryable: told_retryable };
        if retry_at.is_none() {
            self.withdraw();
        }
        let failure = CallFailure { error, retry_at };
        let command = Command::CallFailed { ticket: self.job.ticket.clone(), failure };
        if let Err(Stopped::Refused(failure)) = self.teller.tell(vec![command]).await {
            let (session, output, attempt) = (&self.job.key.session, &subagent.output, subagent.attempt);
            let trace_id = &*self.job.step.context.trace_id;
            let (step, result_key) = (&output.step, &output.result_key);
            tracing::error!(trace_id, %session, %step, %result_key, attempt, %failure, "the failure of a call was refused by its session");
        }
    }
}
