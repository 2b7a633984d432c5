//! Each edge of the state machine by example.

mod calls;
mod endings;
mod limits;
mod repeats;
mod safety;
mod shadow;
mod tree;
mod verdicts;
mod writing;

use serde_json::Value;
use std::sync::Arc;
use tributary::domain::entry::Entry;
use tributary::domain::event::SenderStatus;
use tributary::domain::limits::SessionLimits;
use tributary::domain::position::AppendId;
use tributary::domain::record::{Answer, StepStatus, SubagentStatus};
use tributary::domain::session::{Batch, Command, SessionState};
use tributary::domain::time::Timestamp;
use tributary::domain::verdict::{Code, Decided, Refusal, Verdict};

use crate::fixtures::{Say, combine, id, say};
use crate::telling::{BEGIN, empty};

/// A session that is told one thing after the other.
struct Scene {
    state: SessionState,
    limits: SessionLimits,
    log: Vec<Entry>,
    now: i64,
}

impl Scene {
    fn new() -> Self {
        Self { state: empty(), limits: SessionLimits::default(), log: Vec::new(), now: BEGIN }
    }

    /// A session with one step, `p`, already posted.
    fn after(directive: &crate::fixtures::Post) -> Self {
        let mut scene = Self::new();
        assert_eq!(scene.tell(&directive.command()), Ok(Answer::Step { created: true }));
        scene
    }

    /// So many milliseconds after the beginning.
    fn at(&mut self, ms: i64) -> &mut Self {
        self.now = BEGIN + ms;
        self
    }

    fn tell(&mut self, command: &Command) -> Result<Answer, Refusal> {
        let append_id = AppendId(self.log.len() as u64);
        let mut batch = Batch::new(&self.state, &self.limits, Timestamp(self.now), append_id);
        let answer = batch.decide(command)?;
        combine(&mut batch);
        let (entries, _) = batch.into_parts();
        entries.iter().for_each(|entry| self.state.apply(entry));
        self.log.extend(entries.into_iter().map(Arc::unwrap_or_clone));
        Ok(answer)
    }

    /// Tells it, and that nothing is refused.
    fn then(&mut self, command: &Command) -> &mut Self {
        self.tell(command).unwrap();
        self
    }

    fn refuses(&mut self, command: &Command) -> Code {
        self.tell(command).expect_err("it is refused").code
    }

    fn hears(&mut self, event: Say) -> Verdict {
        self.decides(event).verdict
    }

    fn decides(&mut self, event: Say) -> Decided {
        match self.tell(&event.command()) {
            Ok(Answer::Event(decided)) => decided,
            other => panic!("not an answer to an event: {other:?}"),
        }
    }

    /// What readers saw since the first `skip` entries: type, then who, then how.
    fn shown(&self, skip: usize) -> Vec<String> {
        let events = self.log[skip..].iter().filter_map(|entry| entry.wire());
        let texts = events.map(|wire| {
            let event: Value = serde_json::from_slice(wire).unwrap();
            let of =
                |pointer: &str| event.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
            let who = if event["content"]["result_key"].is_null() {
                "/plan_step_id"
            } else {
                "/content/result_key"
            };
            format!("{} {} {}", of("/type"), of(who), of("/content/status")).trim_end().to_owned()
        });
        texts.collect()
    }

    /// The content of the last event of that type.
    fn last(&self, event_type: &str) -> Value {
        self.find(|event| event["type"] == event_type)
    }

    /// The content of the last event of that type about an output.
    fn last_of(&self, result_key: &str, event_type: &str) -> Value {
        self.find(|event| event["type"] == event_type && event["content"]["result_key"] == result_key)
    }

    fn find(&self, fits: impl Fn(&Value) -> bool) -> Value {
        let mut events = self.log.iter().rev().filter_map(|entry| entry.wire()).map(|wire| {
            let event: Value = serde_json::from_slice(wire).unwrap();
            event
        });
        events.find(fits).expect("there is such an event")["content"].clone()
    }

    fn status(&self, step: &str) -> StepStatus {
        self.state.step(&id(step)).unwrap().status
    }

    fn output(&self, step: &str, result_key: &str) -> SubagentStatus {
        self.state.step(&id(step)).unwrap().output(&id(result_key)).unwrap().status
    }
}

/// A success.
fn success(step: &str, key: &str) -> Say {
    say(step, key, SenderStatus::Success)
}

/// A partial.
fn partial(step: &str, key: &str) -> Say {
    say(step, key, SenderStatus::Partial)
}

/// An error after which another attempt may help.
fn failure(step: &str, key: &str) -> Say {
    say(step, key, SenderStatus::Error).retryable()
}
