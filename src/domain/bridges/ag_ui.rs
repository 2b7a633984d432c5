//! AG-UI 1.0: a step as a run, its subagents as subagents (`INTEROP.md` §2; npm `@ag-ui/client` 1.0.0).
//!
//! ```text
//! RUN_STARTED
//!   STEP_STARTED
//!     SUBAGENT_STARTED  TEXT_MESSAGE_*  ACTIVITY_SNAPSHOT  SUBAGENT_FINISHED | SUBAGENT_ERROR     each, interleaved
//!     CUSTOM aggregation, TEXT_MESSAGE_* of the draft, TEXT_MESSAGE_* of the result
//!   STEP_FINISHED
//! RUN_FINISHED | RUN_ERROR                  once, whatever happens: the client takes a stream that is cut for a success
//! ```
//!
//! What is open is closed before the terminal event. What has ended in a run can't begin again: of a log that changed
//! under the reader, only what is new to the run is told. The client has no place of its own to come back to: each request
//! reads the step from its start.

mod answer;
mod event;
mod input;
mod outputs;
mod tell;

use serde_json::Value;
use serde_json::value::RawValue;

pub use input::RunInput;

use super::parts::{Ended, Phase, Place, Problem, Said, said};
use super::{Bridge, Event, Next, Signal};
use crate::domain::record::StepStatus;
use answer::Answer;
use event::{AgEvent, Outcome, PROTOCOL_VERSION};
use outputs::Outputs;
use tell::{Told, told};

/// The name of the step in the run; there is one.
const STEP: &str = "step";

/// What is told of a step that runs in the shadow.
const NOT_SHOWN: &str = "there is no such step that is shown";

/// Follows a step as a run.
#[derive(Debug)]
pub struct AgUi {
    thread_id: String,
    run_id: String,
    place: Place,
    phase: Phase,
    outputs: Outputs,
    answer: Answer,
}

impl AgUi {
    /// A run of the client's: what it is called is echoed.
    pub fn new(thread_id: String, run_id: String) -> Self {
        let (outputs, answer) = (Outputs::new(&run_id), Answer::new(&run_id));
        Self { thread_id, run_id, place: Place::default(), phase: Phase::default(), outputs, answer }
    }

    fn events(&mut self, events: &[&RawValue], out: &mut Vec<u8>) {
        for event in events.iter().filter_map(|raw| Event::read(raw)) {
            if self.place.is_new(&event) && self.phase != Phase::Over {
                self.event(&event, out);
            }
        }
    }

    fn event(&mut self, event: &Event<'_>, out: &mut Vec<u8>) {
        let Some(said) = said(event) else { return };
        let mut told = told(event, out);
        if self.phase < Phase::InStep {
            self.phase = Phase::InStep;
            told.event(AgEvent::StepStarted { step_name: STEP });
        }
        match said {
            Said::StepStarted { expected, content } => {
                self.outputs.expect(expected);
                told.event(AgEvent::Custom { name: "step_started", value: content });
            }
            Said::OutputStarted { stage, result_key } => self.outputs.start(stage, result_key, &mut told),
            Said::Output(output) => self.outputs.take(&output, &mut told),
            Said::Progress(content) => self.activity("progress", "PROGRESS", content, &mut told),
            Said::Policy(content) => {
                self.activity(&format!("policy/{}", event.sequence), "POLICY", content, &mut told);
            }
            Said::StepCompleted(content) => {
                told.event(AgEvent::Custom { name: "step_completed", value: content });
            }
            Said::Aggregation { summary, content } => {
                self.answer.aggregated(summary);
                told.event(AgEvent::Custom { name: "aggregation", value: content });
            }
            Said::Delta { path, offset, text } => self.answer.drafted(path, offset, text, &mut told),
            Said::Synthesis { summary, content } => {
                told.event(AgEvent::Custom { name: "synthesis", value: content });
                self.answer.written(summary, &mut told);
            }
            Said::Ended(ended) => self.ended(&ended, &mut told),
        }
    }

    fn activity(&self, id: &str, activity_type: &'static str, content: &Value, told: &mut Told<'_>) {
        let message_id = &format!("{}/{id}", self.run_id);
        told.event(AgEvent::ActivitySnapshot { message_id, activity_type, content, subagent_run_id: None });
    }

    fn ended(&mut self, ended: &Ended<'_>, told: &mut Told<'_>) {
        self.answer.ended(told);
        let content = Some(ended.content);
        match ended.status {
            StepStatus::Completed | StepStatus::PartialFailure => {
                self.finish(Outcome::Success, content, told)
            }
            StepStatus::Cancelled => self.finish(Outcome::Cancelled, content, told),
            StepStatus::Refused => self.fail("refused", "safety ended the step", told),
            StepStatus::Failed => self.fail("failed", "none of the step's subagents succeeded", told),
            StepStatus::InProgress => self.fail("internal", "the step ended without a status", told),
        }
    }

    fn finish(&mut self, outcome: Outcome, result: Option<&Value>, told: &mut Told<'_>) {
        self.close("interrupted", "the step ended before the subagent did", told);
        let (thread_id, run_id) = (&*self.thread_id, &*self.run_id);
        told.event(AgEvent::RunFinished { thread_id, run_id, result, outcome });
    }

    fn fail(&mut self, code: &str, message: &str, told: &mut Told<'_>) {
        self.close(code, message, told);
        told.event(AgEvent::RunError { message, code });
    }

    /// Closes whatever is open: nothing may be left open in a run that is over.
    fn close(&mut self, code: &str, message: &str, told: &mut Told<'_>) {
        self.answer.close(told);
        self.outputs.close(code, message, told);
        if self.phase == Phase::InStep {
            told.event(AgEvent::StepFinished { step_name: STEP });
        }
        self.phase = Phase::Over;
    }

    fn over(&mut self, reason: &str, told: &mut Told<'_>) {
        match reason {
            // The step's own end is an event: who doesn't get it may not see the step (`shadow`), and it isn't there for him.
            "plan_step_completed" => self.fail("unknown_step", NOT_SHOWN, told),
            "expired" => self.fail("session_expired", "the step's events are no longer kept", told),
            "session_closed" => self.fail("unknown_step", "the session is closed, without such a step", told),
            _ => self.fail("interrupted", reason, told),
        }
    }
}

impl Bridge for AgUi {
    fn take(&mut self, signal: &Signal<'_>, out: &mut Vec<u8>) -> Next {
        if self.phase == Phase::Over {
            return Next::Done;
        }
        if self.phase == Phase::Before {
            let (thread_id, run_id) = (&*self.thread_id, &*self.run_id);
            let protocol_version = PROTOCOL_VERSION;
            Told::plain(out).event(AgEvent::RunStarted { thread_id, run_id, protocol_version });
            self.phase = Phase::Begun;
        }
        match signal {
            Signal::Open(open) => self.place.open(open),
            Signal::Frame(frame) | Signal::Snapshot(frame) => {
                self.events(&frame.events, out);
                self.place.cover(frame);
            }
            // A comment: the client's parser takes `data:` lines only.
            Signal::Heartbeat => out.extend_from_slice(b":\n\n"),
            Signal::Drain { .. } => {
                let text = "the service sends its readers away: ask again, the run is told from its start";
                self.fail("draining", text, &mut Told::plain(out));
            }
            Signal::End { reason, .. } => self.over(reason, &mut Told::plain(out)),
            Signal::Error(problem) => {
                let problem = Problem::read(problem);
                self.fail(problem.code(), problem.text(), &mut Told::plain(out));
            }
        }
        if self.phase == Phase::Over { Next::Done } else { Next::More }
    }
}

#[cfg(test)]
mod tests;
