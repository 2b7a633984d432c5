//! An Agent2Agent agent over JSON-RPC: `message/stream` and `message/send` of 0.3, `SendStreamingMessage` and `SendMessage` of 1.0.
//!
//! A task is told, then that it is worked on, then its artifacts, then its last state. Agents that write give a text
//! artifact that grows (and their documents as a second artifact); all others a data artifact, replaced as a whole.
//!
//! Which version: the query's `version`, else the header `A2A-Version`, else 0.3, as the specification has it. With the
//! header alone methods of the other version are refused, as the official SDK's server does.
//!
//! Source: the A2A specifications 0.3.0 and 1.0.0, and what the official SDK's server (`@a2a-js/sdk` 1.3.0) sends.

mod shape;

use bytes::Bytes;
use serde_json::{Value, json};

use super::chat::{event, sized};
use super::{Reply, Request, parts};
use crate::simulate::agents::{Agent, Kind};
use crate::simulate::behaviour::{Behaviour, StatusEvent};
use crate::simulate::frames::Frames;
use shape::{Artifact, Part, Shape, State, Version};

/// Error codes of JSON-RPC 2.0, and one of A2A (specification, 5.4).
const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;
const VERSION_NOT_SUPPORTED: i64 = -32009;
/// Bytes of a text that usually come at once.
const PIECE_BYTES: u64 = 64;
/// Events before the first artifact: the task, and that it is worked on.
const PREAMBLE: u64 = 2;

/// What a call asks for.
struct Call {
    version: Version,
    streams: bool,
}

pub(super) fn answer(agent: Agent, behaviour: &Behaviour, request: &Request) -> Reply {
    let id = request.body.get("id").cloned().unwrap_or_default();
    let call = match read(behaviour, request) {
        Ok(call) => call,
        Err((code, message)) => {
            let error = json!({"code": code, "message": message});
            return Reply::document(&json!({"jsonrpc": "2.0", "id": id, "error": error}));
        }
    };
    let shape = Shape {
        version: call.version,
        rpc_id: id,
        task_id: agent.question.id(201),
        context_id: agent.question.id(202),
        retryable: behaviour.retryable.unwrap_or(true),
    };
    let work = Work::new(agent, behaviour);
    if call.streams { stream(work, shape, request) } else { Reply::document(&work.task(&shape)) }
}

/// The answer to a request that cancels a task; none to any other. What hung up was cancelled by that, so there is nothing
/// left to do.
pub(super) fn cancelled(body: &Value) -> Option<Value> {
    let task = body.pointer("/params/id")?;
    let result = match body.get("method")?.as_str()? {
        "CancelTask" => json!({"id": task, "contextId": "", "status": {"state": "TASK_STATE_CANCELED"}}),
        "tasks/cancel" => {
            json!({"kind": "task", "id": task, "contextId": "", "status": {"state": "canceled"}})
        }
        _ => return None,
    };
    Some(json!({"jsonrpc": "2.0", "id": body.get("id"), "result": result}))
}

fn read(behaviour: &Behaviour, request: &Request) -> Result<Call, (i64, String)> {
    let body = &request.body;
    let method = body.get("method").and_then(Value::as_str);
    let (Some(method), Some("2.0")) = (method, body.get("jsonrpc").and_then(Value::as_str)) else {
        return Err((INVALID_REQUEST, "Invalid JSON-RPC Request.".into()));
    };
    let forced = behaviour.version.as_deref();
    let version = match forced.or(request.a2a_version.as_deref()) {
        None | Some("0.3") => Version::V03,
        Some("1.0") => Version::V10,
        Some(other) => {
            return Err((VERSION_NOT_SUPPORTED, format!("A2A version {other:?} is not supported: 0.3, 1.0")));
        }
    };
    let (streams, speaks) = match method {
        "message/stream" => (true, Version::V03),
        "message/send" => (false, Version::V03),
        "SendStreamingMessage" => (true, Version::V10),
        "SendMessage" => (false, Version::V10),
        _ => return Err((METHOD_NOT_FOUND, format!("Method not found: {method}"))),
    };
    if forced.is_none() && speaks != version {
        return Err((METHOD_NOT_FOUND, format!("Method not found: {method}")));
    }
    match body.pointer("/params/message/messageId").and_then(Value::as_str) {
        Some(_) => Ok(Call { version, streams }),
        None => Err((INVALID_PARAMS, "message.messageId is required.".into())),
    }
}

fn stream(work: Work, shape: Shape, request: &Request) -> Reply {
    let asked = request.body.pointer("/params/message").cloned().unwrap_or_default();
    let head = vec![
        event(&shape.result(shape.task(State::Submitted, &[], Some(asked)))),
        event(&shape.result(shape.status(State::Working, Some("working on it")))),
    ];
    let tail: Vec<Bytes> = work.tail(&shape).iter().map(event).collect();
    let (head, tail_count) = (Frames::list(head), tail.len() as u64);
    let (tail, count) = (Frames::list(tail), work.count);
    let frames = Frames::new(PREAMBLE + count + tail_count, move |index| match index.checked_sub(PREAMBLE) {
        None => head.make(index),
        Some(index) if index < count => event(&work.update(&shape, index)),
        Some(index) => tail.make(index - count),
    });
    Reply::stream(frames, PREAMBLE)
}

/// What the agent does, whichever version tells it.
struct Work {
    agent: Agent,
    /// The text, for agents that write.
    text: Option<String>,
    /// In how many updates the main artifact comes.
    count: u64,
    ending: Option<StatusEvent>,
}

impl Work {
    fn new(agent: Agent, behaviour: &Behaviour) -> Self {
        let text = match agent.kind {
            Kind::Documentation | Kind::Generic => Some(agent.text()),
            Kind::RowSelection | Kind::ActionWorkflow | Kind::Voice | Kind::Safety => None,
        };
        let text = text.map(|text| match behaviour.text_bytes {
            Some(bytes) => sized(&text, usize::try_from(bytes).unwrap_or(usize::MAX)),
            None => text,
        });
        let usual = text
            .as_ref()
            .map_or(agent.usual_parts(), |text| (text.len() as u64 / PIECE_BYTES).clamp(1, 10_000));
        Self { text, count: parts(behaviour, usual), ending: behaviour.status_event, agent }
    }

    /// The update at `index` of the main artifact.
    fn update(&self, shape: &Shape, index: u64) -> Value {
        let is_last = index + 1 == self.count;
        let part = match &self.text {
            Some(text) => {
                let place = |index: u64| {
                    let bytes = u128::from(index) * text.len() as u128 / u128::from(self.count);
                    text.floor_char_boundary(usize::try_from(bytes).unwrap_or(usize::MAX))
                };
                Part::Text(text.get(place(index)..place(index + 1)).unwrap_or_default().to_owned())
            }
            None => match self.agent.output(index + 1, self.count) {
                Some(output) => Part::Data(output),
                None => return shape.result(shape.status(State::Working, Some("still working"))),
            },
        };
        let appends = self.text.is_some() && index > 0;
        shape.result(shape.artifact(&main(vec![part]), appends, is_last))
    }

    /// The documents, and the last state.
    fn tail(&self, shape: &Shape) -> Vec<Value> {
        let mut tail = Vec::new();
        if let Some(documents) = self.documents() {
            tail.push(shape.result(shape.artifact(&documents, false, true)));
        }
        match self.state() {
            State::Working => {}
            State::Failed => {
                tail.push(shape.result(shape.status(State::Failed, Some("it failed as it was told"))))
            }
            state @ (State::Submitted | State::Completed) => {
                tail.push(shape.result(shape.status(state, None)))
            }
        }
        tail
    }

    /// The whole task at once.
    fn task(&self, shape: &Shape) -> Value {
        let part = self.text.clone().map_or_else(|| Part::Data(self.agent.whole()), Part::Text);
        let artifacts: Vec<_> = [Some(main(vec![part])), self.documents()].into_iter().flatten().collect();
        shape.result(shape.task(self.state(), &artifacts, None))
    }

    fn state(&self) -> State {
        match self.ending {
            None | Some(StatusEvent::Success) => State::Completed,
            Some(StatusEvent::Error) => State::Failed,
            Some(StatusEvent::Partial) => State::Working,
        }
    }

    fn documents(&self) -> Option<Artifact> {
        let parts: Vec<_> =
            self.agent.documents().into_iter().map(|(url, title)| Part::Link { url, title }).collect();
        (!parts.is_empty()).then_some(Artifact { id: "documents", name: "documents", parts })
    }
}

fn main(parts: Vec<Part>) -> Artifact {
    Artifact { id: "answer", name: "answer", parts }
}
