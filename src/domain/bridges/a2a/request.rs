//! A JSON-RPC request of an Agent2Agent client (specification 1.0, section 9), and why one is refused.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{CURSOR_URI, VERSION};
use crate::domain::bridges::Place;

/// A request that can be answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// To be repeated in every response.
    pub id: Value,
    /// What is asked.
    pub call: Call,
    /// The step that is asked about, not checked yet.
    pub task: String,
}

/// The operations that there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Call {
    /// `SendStreamingMessage` to a task that exists, `SubscribeToTask`: follow it.
    Follow {
        /// Where the reader was.
        place: Option<Place>,
    },
    /// `GetTask`.
    Get,
    /// `CancelTask`.
    Cancel,
}

/// Why a request is refused (section 9.5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    code: i32,
    reason: &'static str,
    message: String,
}

impl Fault {
    fn new(code: i32, reason: &'static str, message: impl Into<String>) -> Self {
        Self { code, reason, message: message.into() }
    }

    /// There is no such task, or not for this client.
    pub fn task_not_found(message: impl Into<String>) -> Self {
        Self::new(-32001, "TASK_NOT_FOUND", message)
    }

    /// The task has ended.
    pub fn not_cancelable(message: impl Into<String>) -> Self {
        Self::new(-32002, "TASK_NOT_CANCELABLE", message)
    }

    /// An operation that isn't there, or not for such a task.
    pub fn unsupported(message: impl Into<String>) -> Self {
        Self::new(-32004, "UNSUPPORTED_OPERATION", message)
    }

    /// The task has ended, so that nothing is to be followed (section 3.1.6).
    pub fn is_over() -> Self {
        Self::unsupported("the task has ended: `GetTask` has its artifacts")
    }

    /// Parameters that can't be taken.
    pub fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(-32602, "INVALID_PARAMS", message)
    }

    /// What a problem document of ours (`code`, `detail`) is to such a client.
    pub fn of_problem(code: &str, detail: &str) -> Self {
        match code {
            "unknown_session" | "unknown_step" | "session_expired" => Self::task_not_found(detail),
            "step_ended" => Self::not_cancelable(detail),
            "invalid_id" | "invalid_cursor" => Self::invalid_params(detail),
            _ => Self::new(-32603, "INTERNAL_ERROR", format!("{code}: {detail}")),
        }
    }

    /// The response, to a request with `id`.
    pub fn response(&self, id: &Value) -> Value {
        let info = json!({
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            "reason": self.reason,
            "domain": "a2a-protocol.org",
        });
        json!({
            "jsonrpc": "2.0", "id": id,
            "error": { "code": self.code, "message": self.message, "data": [info] },
        })
    }
}

#[derive(Deserialize)]
struct Envelope {
    jsonrpc: Option<String>,
    #[serde(default)]
    id: Value,
    method: Option<String>,
    #[serde(default)]
    params: Value,
}

/// Reads a request to the agent of the session `session_id`. `version` is its header `A2A-Version`, `last_event_id` its
/// `Last-Event-ID`.
///
/// # Errors
/// The response, where it can't be answered.
pub fn read(
    body: &str,
    session_id: &str,
    version: Option<&str>,
    last_event_id: Option<&str>,
) -> Result<Request, Value> {
    let value: Value = serde_json::from_str(body)
        .map_err(|error| Fault::new(-32700, "JSON_PARSE_ERROR", error.to_string()).response(&Value::Null))?;
    let invalid = |message: &str| Fault::new(-32600, "INVALID_REQUEST", message);
    let envelope: Envelope = serde_json::from_value(value)
        .map_err(|_| invalid("a JSON-RPC request is one object").response(&Value::Null))?;
    let id = match envelope.id {
        id @ (Value::String(_) | Value::Number(_)) => id,
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
            return Err(invalid("a request has an `id`, a text or a number").response(&Value::Null));
        }
    };
    if envelope.jsonrpc.as_deref() != Some("2.0") {
        return Err(invalid("`jsonrpc` is \"2.0\"").response(&id));
    }
    let Some(method) = envelope.method else {
        return Err(invalid("`method` is missing").response(&id));
    };
    call(&method, &envelope.params, session_id, version, last_event_id)
        .map(|(call, task)| Request { id: id.clone(), call, task })
        .map_err(|fault| fault.response(&id))
}

fn call(
    method: &str,
    params: &Value,
    session_id: &str,
    version: Option<&str>,
    last_event_id: Option<&str>,
) -> Result<(Call, String), Fault> {
    let ours = |version: &str| version.trim() == VERSION || version.trim().starts_with("1.");
    if version.is_some_and(|version| !ours(version)) || method.contains('/') {
        let message = "only version 1.0 is spoken here: `A2A-Version: 1.0`, `SendStreamingMessage`, `SubscribeToTask`, \
                       `GetTask`, `CancelTask`";
        return Err(Fault::new(-32009, "VERSION_NOT_SUPPORTED", message));
    }
    match method {
        "SendStreamingMessage" => {
            let message = params.get("message").filter(|message| message.is_object());
            let message = message.ok_or_else(|| Fault::invalid_params("`message` is missing"))?;
            let context = named(message, "contextId").unwrap_or(session_id);
            if context != session_id {
                return Err(Fault::invalid_params("`contextId` is the session's id, which is in the path"));
            }
            let of_metadata = |of: &Value| named(of.get("metadata")?, "plan_step_id").map(str::to_owned);
            let task = named(message, "taskId").map(str::to_owned).or_else(|| of_metadata(message));
            let task = task.or_else(|| of_metadata(params)).ok_or_else(begins_nothing)?;
            let place = place(last_event_id, &[params, message])?;
            Ok((Call::Follow { place }, task))
        }
        "SubscribeToTask" => Ok((Call::Follow { place: place(last_event_id, &[params])? }, id_of(params)?)),
        "GetTask" => Ok((Call::Get, id_of(params)?)),
        "CancelTask" => Ok((Call::Cancel, id_of(params)?)),
        "SendMessage" | "ListTasks" | "GetExtendedAgentCard" => {
            Err(Fault::unsupported(format!("`{method}` isn't offered: steps are followed, one by one")))
        }
        "CreateTaskPushNotificationConfig"
        | "GetTaskPushNotificationConfig"
        | "ListTaskPushNotificationConfigs"
        | "DeleteTaskPushNotificationConfig" => {
            Err(Fault::new(-32003, "PUSH_NOTIFICATION_NOT_SUPPORTED", "there are no push notifications"))
        }
        _ => Err(Fault::new(-32601, "METHOD_NOT_FOUND", "there is no such method")),
    }
}

fn begins_nothing() -> Fault {
    Fault::unsupported(
        "a message can't begin a task: steps come from planners. Name one that is there with the message's `taskId`",
    )
}

fn id_of(params: &Value) -> Result<String, Fault> {
    let id = named(params, "id").ok_or_else(|| Fault::invalid_params("`id`, the task's, is missing"))?;
    Ok(id.to_owned())
}

/// A text that isn't empty: ProtoJSON takes an empty one for none.
fn named<'a>(of: &'a Value, field: &str) -> Option<&'a str> {
    of.get(field).and_then(Value::as_str).filter(|text| !text.is_empty())
}

fn place(last_event_id: Option<&str>, holders: &[&Value]) -> Result<Option<Place>, Fault> {
    let of_metadata =
        |of: &&Value| of.get("metadata").and_then(|metadata| named(metadata, CURSOR_URI)).map(str::to_owned);
    let header = last_event_id.filter(|text| !text.is_empty()).map(str::to_owned);
    let Some(text) = header.or_else(|| holders.iter().find_map(of_metadata)) else { return Ok(None) };
    text.parse().map(Some).map_err(|error| Fault::invalid_params(format!("the cursor: {error}")))
}
