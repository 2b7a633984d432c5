//! AG-UI's rules for a stream, as the client's `verifyEvents` has them, and the texts that come out.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// What a client has of a run.
#[derive(Debug, Default)]
pub struct Checked {
    /// The events, as they came.
    pub events: Vec<Value>,
    /// Whole texts of messages by id.
    pub texts: BTreeMap<String, String>,
    /// The last message of each subagent.
    pub last_message: BTreeMap<String, String>,
    messages: BTreeMap<String, Option<String>>,
    messages_begun: BTreeSet<String>,
    steps: BTreeSet<String>,
    subagents: BTreeSet<String>,
    subagents_begun: BTreeSet<String>,
    terminals: usize,
}

/// Reads a whole stream.
pub fn check(bytes: &[u8]) -> Result<Checked, String> {
    let mut checked = Checked::default();
    let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
    let text = text.strip_suffix("\n\n").ok_or("the stream doesn't end with a whole event")?;
    for block in text.split("\n\n").filter(|block| !block.starts_with(':')) {
        let data = block.strip_prefix("data: ").filter(|data| !data.contains(['\n', '\r']));
        let event = serde_json::from_str(data.ok_or(format!("{block:?} is no event"))?);
        let event: Value = event.map_err(|error| error.to_string())?;
        checked.take(&event).map_err(|why| format!("{why}: {event}"))?;
        checked.events.push(event);
    }
    if checked.terminals == 1 { Ok(checked) } else { Err("there is no terminal event".to_owned()) }
}

impl Checked {
    fn take(&mut self, event: &Value) -> Result<(), &'static str> {
        let text = |name: &str| event[name].as_str().unwrap_or_default().to_owned();
        let kind = text("type");
        ensure(self.terminals == 0, "something follows the terminal event")?;
        ensure(self.events.is_empty() == (kind == "RUN_STARTED"), "the run starts first, and once")?;
        ensure(!has_null(event), "null for an optional field")?;
        let owner = event["subagentRunId"].as_str().map(str::to_owned);
        match kind.as_str() {
            "RUN_STARTED" | "CUSTOM" => Ok(()),
            "ACTIVITY_SNAPSHOT" => ensure(event["content"].is_object(), "an activity is an object"),
            "RUN_FINISHED" | "RUN_ERROR" => {
                self.terminals += 1;
                let open = self.messages.len() + self.steps.len() + self.subagents.len();
                ensure(open == 0, "something is open")
            }
            "STEP_STARTED" => ensure(self.steps.insert(text("stepName")), "the step has started"),
            "STEP_FINISHED" => ensure(self.steps.remove(&text("stepName")), "no such step"),
            "SUBAGENT_STARTED" => {
                self.subagents.insert(text("subagentRunId"));
                ensure(self.subagents_begun.insert(text("subagentRunId")), "the subagent has started")
            }
            "SUBAGENT_FINISHED" | "SUBAGENT_ERROR" => {
                let id = text("subagentRunId");
                ensure(!self.messages.values().any(|of| of.as_ref() == Some(&id)), "its message is open")?;
                ensure(self.subagents.remove(&id), "no such subagent")
            }
            "TEXT_MESSAGE_START" => {
                let id = text("messageId");
                if let Some(owner) = &owner {
                    ensure(self.subagents.contains(owner), "a message of nobody")?;
                    self.last_message.insert(owner.clone(), id.clone());
                }
                self.messages.insert(id.clone(), owner);
                self.texts.insert(id.clone(), String::new());
                ensure(self.messages_begun.insert(id), "the message has started")
            }
            "TEXT_MESSAGE_CONTENT" => {
                let (id, delta) = (text("messageId"), text("delta"));
                ensure(self.messages.get(&id) == Some(&owner), "no such message")?;
                self.texts.entry(id).or_default().push_str(&delta);
                ensure(!delta.is_empty(), "nothing is added")
            }
            "TEXT_MESSAGE_END" => {
                ensure(self.messages.remove(&text("messageId")) == Some(owner), "no such message")
            }
            _ => Err("an unknown event"),
        }
    }
}

fn ensure(holds: bool, else_what: &'static str) -> Result<(), &'static str> {
    if holds { Ok(()) } else { Err(else_what) }
}

fn has_null(event: &Value) -> bool {
    event.as_object().is_some_and(|fields| fields.values().any(Value::is_null))
}
