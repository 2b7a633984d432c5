//! The Vercel AI SDK's UI message stream: a step as one assistant message (`INTEROP.md` §3; npm `ai` 5, 6 and 7).
//!
//! ```text
//! start
//!   start-step
//!     data-subagent   text-start text-delta* text-end   source-url | source-document     each, interleaved
//!     data-aggregation, source-* of the answer with their numbers, text of the answer
//!   finish-step
//! finish | abort | error                    once, whatever happens
//! [DONE]
//! ```
//!
//! The same log makes the same parts: a client that comes back reads the message from its start, with the same id.

mod outputs;
mod part;

use serde_json::Value;
use serde_json::value::RawValue;

use super::parts::{Ended, Grown, Growth, Phase, Place, Problem, Said, cited, said};
use super::{Bridge, Event, Next, Signal};
use crate::domain::record::StepStatus;
use outputs::Outputs;
use part::{Part, Piece, ProviderMetadata, Whose, write_done, write_source};

/// Follows a step as a message.
#[derive(Debug)]
pub struct AiSdk {
    message_id: String,
    place: Place,
    phase: Phase,
    outputs: Outputs,
    /// What is delivered if nothing better comes: `content` of the aggregation.
    aggregation: Option<Value>,
    /// What was delivered, and how many times: once, unless the log changed.
    delivered: Growth,
    results: u32,
}

impl AiSdk {
    /// A message called so. Whoever comes back to a step must get the same.
    pub fn new(message_id: String) -> Self {
        let (place, outputs, aggregation, delivered, results) = Default::default();
        Self { message_id, place, phase: Phase::Before, outputs, aggregation, delivered, results }
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
        if self.phase < Phase::InStep {
            self.phase = Phase::InStep;
            Part::StartStep.write(out);
        }
        match said {
            Said::StepStarted { expected, .. } => self.outputs.expect(expected, event, out),
            // Its first event says as much.
            Said::OutputStarted { .. } | Said::StepCompleted(_) => {}
            Said::Output(output) => self.outputs.take(&output, event, out),
            Said::Progress(data) => Part::DataProgress { data, transient: true }.write(out),
            Said::Policy(data) => {
                Part::DataPolicy { id: &format!("policy-{}", event.sequence), data }.write(out);
            }
            Said::Aggregation { content, .. } => {
                self.aggregation = Some(content.clone());
                Part::DataAggregation { id: "aggregation", data: content }.write(out);
            }
            Said::Delta { path, offset, text } => {
                Part::DataDraft { data: Piece { path, offset, text }, transient: true }.write(out);
            }
            Said::Synthesis { content, .. } => self.delivered(content, out),
            Said::Ended(ended) => self.ended(&ended, out),
        }
    }

    /// The step's answer, as a text of its own, behind what it cites: a client can resolve its numbers as they come.
    fn delivered(&mut self, content: &Value, out: &mut Vec<u8>) {
        let summary = content.get("summary").and_then(Value::as_str).unwrap_or_default();
        if summary.is_empty() || self.delivered.take(summary) == Grown::Not {
            return;
        }
        self.results += 1;
        let id = &format!("answer:{}", self.results);
        for (number, source) in cited(content) {
            let whose = Whose { number: Some(number), ..Whose::default() };
            write_source(&format!("{id}:{number}"), source, whose, out);
        }
        let provider_metadata = ProviderMetadata { tributary: Whose::default() };
        Part::TextStart { id, provider_metadata }.write(out);
        Part::TextDelta { id, delta: summary }.write(out);
        Part::TextEnd { id, provider_metadata }.write(out);
    }

    fn ended(&mut self, ended: &Ended<'_>, out: &mut Vec<u8>) {
        if let Some(aggregation) = self.aggregation.take().filter(|_| self.results == 0) {
            self.delivered(&aggregation, out);
        }
        match ended.status {
            StepStatus::Completed | StepStatus::PartialFailure => self.finish(ended.content, out),
            StepStatus::Cancelled => self.over(&Part::Abort, out),
            StepStatus::Refused => self.fail("safety ended the step", out),
            StepStatus::Failed => self.fail("none of the step's subagents succeeded", out),
            StepStatus::InProgress => self.fail("the step ended without a status", out),
        }
    }

    fn finish(&mut self, message_metadata: &Value, out: &mut Vec<u8>) {
        self.over(&Part::Finish { finish_reason: "stop", message_metadata }, out);
    }

    fn fail(&mut self, error_text: &str, out: &mut Vec<u8>) {
        self.over(&Part::Error { error_text }, out);
    }

    /// Closes whatever is open, and ends the stream.
    fn over(&mut self, last: &Part<'_>, out: &mut Vec<u8>) {
        self.outputs.close(out);
        if self.phase == Phase::InStep {
            Part::FinishStep.write(out);
        }
        last.write(out);
        write_done(out);
        self.phase = Phase::Over;
    }

    fn end(&mut self, reason: &str, out: &mut Vec<u8>) {
        match reason {
            // The step's own end is an event: who doesn't get it may not see the step (`shadow`), and it isn't there for him.
            "plan_step_completed" => self.fail("there is no such step that is shown", out),
            "expired" => self.fail("the step's events are no longer kept", out),
            "session_closed" => self.fail("the session is closed, without such a step", out),
            other => self.fail(other, out),
        }
    }
}

impl Bridge for AiSdk {
    fn take(&mut self, signal: &Signal<'_>, out: &mut Vec<u8>) -> Next {
        if self.phase == Phase::Over {
            return Next::Done;
        }
        if self.phase == Phase::Before {
            Part::Start { message_id: &self.message_id }.write(out);
            self.phase = Phase::Begun;
        }
        match signal {
            Signal::Open(open) => self.place.open(open),
            Signal::Frame(frame) | Signal::Snapshot(frame) => {
                self.events(&frame.events, out);
                self.place.cover(frame);
            }
            // A comment: any part would be taken for the message's.
            Signal::Heartbeat => out.extend_from_slice(b":\n\n"),
            Signal::Drain { .. } => self.fail("the service sends its readers away: resume the stream", out),
            Signal::End { reason, .. } => self.end(reason, out),
            Signal::Error(problem) => self.fail(Problem::read(problem).text(), out),
        }
        if self.phase == Phase::Over { Next::Done } else { Next::More }
    }
}

#[cfg(test)]
mod tests;
