//! The log as LangGraph's clients read it (`runs.joinStream` of its SDK; a step is a run, a session a thread).
//!
//! | our event | `updates` | `values` | `messages-tuple` |
//! |---|---|---|---|
//! | `step_started` | `{planner: …}` | the state | |
//! | `planner_stream` | `{<subagent>: …}` | | what is new of its text |
//! | `subagent_completed` | | the state | |
//! | `planner_progress`, `policy_outcome`, `aggregation`, `synthesis` | `{planner \| safety \| aggregation \| synthesis: …}` | the state, but for progress | the synthesis |
//! | `synthesis_delta` | | | what is new of the draft |
//! | `plan_step_completed` | `{planner: …}` | the state | |
//!
//! `custom` has every event as it stands in the log. `metadata` comes with `step_started`, `error` where a run failed and
//! where the stream can't go on.
//!
//! What the clients need, measured with SDK 2.0.0: `data` of one line, no comment block and no `retry` (either becomes an
//! event without a name), and an `id` with every event, because the last one sticks. Each id is a [`Place`], so that a
//! resume neither misses nor repeats. A client takes a clean end as the end of the run: on `drain` the bridge says
//! [`Next::More`], and the connection has to be broken off for the client to come back.

mod messages;
mod modes;
mod state;

pub use modes::Modes;

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::outputs::{Outputs, text};
use super::place::{Start, Track};
use super::{Bridge, Event, Frame, Next, Place, Signal};

/// A connection of a LangGraph client.
#[derive(Debug)]
pub struct LangGraph {
    thread: String,
    run: Option<String>,
    modes: Modes,
    track: Track,
    steps: BTreeMap<String, Outputs>,
    /// Whether anything was said of a run.
    has_begun: bool,
}

/// A message to the client, without its id.
struct Told {
    sequence: u64,
    seen: usize,
    name: &'static str,
    data: String,
}

impl LangGraph {
    /// A reader of the step `run`, or of all steps of the session `thread`, who asked for `modes`.
    pub fn new(thread: &str, run: Option<&str>, modes: Modes) -> Self {
        let run = run.map(str::to_owned);
        let (track, steps) = (Track::default(), BTreeMap::new());
        Self { thread: thread.to_owned(), run, modes, track, steps, has_begun: false }
    }

    /// The same, who comes back at `place`.
    pub fn resumed(mut self, place: Place) -> Self {
        self.track = Track::resumed(place);
        self
    }

    /// What the header `Location` has to say, so that a client comes back after a cut: a path below the client's `apiUrl`
    /// (it puts that before it), without a query (it adds its own again).
    pub fn location(thread: &str, run: Option<&str>) -> String {
        match run {
            Some(run) => format!("/threads/{thread}/runs/{run}/stream"),
            None => format!("/threads/{thread}/stream"),
        }
    }

    /// Whether a reader who comes back is served right only where [`Self::past`] was given what came before.
    pub fn needs_past(&self) -> bool {
        // Why a run failed is told of what came before its end.
        self.run.is_some() || self.modes.values || self.modes.messages || self.modes.messages_tuple
    }

    /// Takes an event from before the reader's place.
    pub fn past(&mut self, event: &Event<'_>) {
        let Some(step) = event.plan_step_id else { return self.tell_all(event) };
        self.has_begun = true;
        let outputs = self.steps.entry(step.to_owned()).or_default();
        outputs.take(event);
        if outputs.ended.is_some() {
            self.steps.remove(step);
        }
    }

    fn frame(&mut self, frame: &Frame<'_>, is_snapshot: bool, out: &mut Vec<u8>) {
        let mut told = Vec::new();
        for raw in &frame.events {
            let Some(event) = Event::read(raw) else { continue };
            let seen = self.track.seen(&event);
            let before = told.len();
            self.tell(&event, &mut told);
            self.custom(&event, raw, &mut told);
            let news = told.split_off(before);
            let numbered = (1..).zip(news).skip(seen);
            told.extend(numbered.map(|(seen, news)| Told { seen, ..news }));
        }
        if is_snapshot && frame.complete && self.modes.values {
            self.tell_states(&mut told);
        }
        let count = told.len();
        for (index, news) in told.into_iter().enumerate() {
            let place = match (index + 1 == count, is_snapshot) {
                (true, _) if frame.cursor.is_some() => self.track.after(frame),
                (true | false, false) => self.track.within(news.sequence, news.seen),
                // What replaces the past is whole or nothing: there is no place in it.
                (true | false, true) => None,
            };
            write(out, place.as_ref(), news.name, &news.data);
        }
        self.track.took(frame);
    }

    /// Adds what an event becomes in the modes that need to know what came before.
    fn tell(&mut self, event: &Event<'_>, told: &mut Vec<Told>) {
        let mut say = |name, data: Value| {
            told.push(Told { sequence: event.sequence, seen: 0, name, data: data.to_string() });
        };
        let Some(step) = event.plan_step_id else {
            if self.modes.updates {
                say("updates", json!({ node(event): event.content }));
            }
            self.tell_all(event);
            return;
        };
        self.has_begun = true;
        let (thread, modes) = (self.thread.as_str(), self.modes);
        let outputs = self.steps.entry(step.to_owned()).or_default();
        let written = outputs.take(event);
        if event.event_type == "step_started" {
            say("metadata", json!({ "run_id": step, "thread_id": thread, "attempt": 1 }));
        }
        if modes.messages_tuple {
            messages::tuple(thread, step, event, outputs, written, &mut say);
        }
        if modes.messages {
            messages::whole(thread, step, event, outputs, written, &mut say);
        }
        if modes.updates && is_update(event.event_type) {
            say("updates", json!({ node(event): event.content }));
        }
        if modes.values && is_superstep(event.event_type) {
            say("values", state::values(thread, step, outputs));
        }
        if outputs.ended.is_some() {
            let failure = self.run.is_some().then(|| state::failure(outputs)).flatten();
            if let Some(failure) = failure {
                say("error", failure);
            }
            self.steps.remove(step);
        }
    }

    /// Adds the state of each run that goes on. A snapshot has what its outputs came to, not the events after which that is told.
    fn tell_states(&self, told: &mut Vec<Told>) {
        for (step, outputs) in &self.steps {
            let data = state::values(&self.thread, step, outputs).to_string();
            if told.iter().rfind(|told| told.name == "values").is_none_or(|last| last.data != data) {
                told.push(Told { sequence: 0, seen: 0, name: "values", data });
            }
        }
    }

    /// Takes an event of the whole session: it concerns every run, and is told with what it leads to in each.
    fn tell_all(&mut self, event: &Event<'_>) {
        for outputs in self.steps.values_mut() {
            outputs.take(event);
        }
    }

    /// Adds the event as it stands in the log. It goes before an `error`, which clients take as the last.
    fn custom(&self, event: &Event<'_>, raw: &RawValue, told: &mut Vec<Told>) {
        if !self.modes.custom {
            return;
        }
        let news = Told { sequence: event.sequence, seen: 0, name: "custom", data: one_line(raw.get()) };
        let is_last = told.last().is_some_and(|last| last.sequence == event.sequence && last.name == "error");
        told.insert(told.len() - usize::from(is_last), news);
    }
}

impl Bridge for LangGraph {
    fn take(&mut self, signal: &Signal<'_>, out: &mut Vec<u8>) -> Next {
        match signal {
            Signal::Open(open) => {
                if self.track.open(open) == Start::Anew {
                    self.steps.clear();
                }
                Next::More
            }
            Signal::Frame(frame) => {
                self.frame(frame, false, out);
                Next::More
            }
            Signal::Snapshot(frame) => {
                self.frame(frame, true, out);
                Next::More
            }
            // A comment without the empty line behind it: that line would make an event.
            Signal::Heartbeat => {
                out.extend_from_slice(b": heartbeat\n");
                Next::More
            }
            Signal::Drain { .. } => Next::More,
            Signal::End { reason, .. } => {
                let told = match *reason {
                    "expired" => Some(("expired", "the session's data has expired")),
                    // A clean end means that the run is over; one that may not be seen (`shadow`) isn't there.
                    "plan_step_completed" if !self.has_begun => {
                        Some(("unknown_step", "there is no such step that is shown"))
                    }
                    _ => None,
                };
                if let Some((error, message)) = told {
                    let data = json!({ "error": error, "message": message });
                    write(out, None, "error", &data.to_string());
                }
                Next::Done
            }
            Signal::Error(problem) => {
                let problem: Value = serde_json::from_str(problem.get()).unwrap_or_default();
                let data = json!({ "error": text(&problem, "code"), "message": text(&problem, "detail") });
                write(out, None, "error", &data.to_string());
                Next::Done
            }
        }
    }
}

/// The node of a graph that would have made this.
fn node<'a>(event: &'a Event<'_>) -> &'a str {
    match event.event_type {
        "planner_stream" => text(&event.content, "stage"),
        "policy_outcome" => "safety",
        "aggregation" => "aggregation",
        "synthesis" => "synthesis",
        _ => "planner",
    }
}

fn is_update(event_type: &str) -> bool {
    !matches!(event_type, "subagent_started" | "subagent_completed" | "step_completed" | "synthesis_delta")
}

/// Whether the state after it is worth a whole document: LangGraph tells values after a step of the graph.
fn is_superstep(event_type: &str) -> bool {
    matches!(
        event_type,
        "step_started"
            | "subagent_completed"
            | "policy_outcome"
            | "aggregation"
            | "synthesis"
            | "plan_step_completed"
    )
}

/// Events stand on one line in the log; should one not, its breaks are between tokens.
fn one_line(json: &str) -> String {
    json.replace(['\r', '\n'], " ")
}

fn write(out: &mut Vec<u8>, place: Option<&Place>, name: &str, data: &str) {
    if let Some(place) = place {
        out.extend_from_slice(format!("id: {place}\n").as_bytes());
    }
    out.extend_from_slice(format!("event: {name}\ndata: {data}\n\n").as_bytes());
}

/// What a run's messages are written with.
type Say<'a> = dyn FnMut(&'static str, Value) + 'a;

#[cfg(test)]
mod tests;
