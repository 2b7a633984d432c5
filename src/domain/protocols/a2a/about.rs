//! Requests about a task of an Agent2Agent agent.
//!
//! | to | 1.0 | 0.3 |
//! |---|---|---|
//! | cancel it (specification 1.0, section 3.1.5) | `CancelTask` | `tasks/cancel` |
//! | see what it has come to (section 3.1.3) | `GetTask` | `tasks/get` |
//!
//! An agent goes on with a task when whoever asked for it hangs up: a stream may be taken up again. So that it stops, it
//! must be told. One that doesn't stream is asked for what its task has come to until that has ended.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::failure;
use super::output::quoted;
use super::request::A2aVersion;
use super::shapes::Envelope;
use crate::domain::event::RawJson;
use crate::domain::protocols::Failure;
use crate::domain::protocols::part::message;

/// Where a configured body says which tenant of the agent is meant: among its parameters.
#[derive(Deserialize)]
struct Given<'a> {
    #[serde(borrow)]
    tenant: Option<&'a RawValue>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

/// The request to cancel `task`, which was begun by a request with that configured `body`, in the version that it was
/// asked in. A tenant that the body names is named again: task ids are a tenant's own.
pub fn a2a_withdrawal(body: Option<&RawJson>, request: &str, task: &str, version: A2aVersion) -> String {
    let method = match version {
        A2aVersion::V1_0 => "CancelTask",
        A2aVersion::V0_3 => "tasks/cancel",
    };
    about(method, "", (body, request, task), version)
}

/// The request for what `task` has come to, without the messages that led to it; otherwise as [`a2a_withdrawal`].
pub fn a2a_inquiry(body: Option<&RawJson>, request: &str, task: &str, version: A2aVersion) -> String {
    let method = match version {
        A2aVersion::V1_0 => "GetTask",
        A2aVersion::V0_3 => "tasks/get",
    };
    about(method, ",\"historyLength\":0", (body, request, task), version)
}

fn about(
    method: &str,
    also: &str,
    (body, request, task): (Option<&RawJson>, &str, &str),
    version: A2aVersion,
) -> String {
    let tenant = body.and_then(|body| tenant(body.get())).filter(|_| version == A2aVersion::V1_0);
    let tenant = tenant.map(|tenant| format!(",\"tenant\":{tenant}")).unwrap_or_default();
    let (request, task) = (quoted(request), quoted(task));
    format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":{request},\"method\":\"{method}\",\"params\":{{\"id\":{task}{also}{tenant}}}}}"
    )
}

/// Whether the agent's answer says that the task is cancelled.
///
/// # Errors
/// Where it answers with an error (`-32002`: the task can't be cancelled), or not in JSON-RPC.
pub fn read_withdrawal(text: &str) -> Result<(), Failure> {
    let envelope: Envelope<'_> = message(text)?;
    match (envelope.error, envelope.result) {
        (Some(error), _) => Err(failure::of_error(error)),
        (None, Some(_)) => Ok(()),
        (None, None) => Err(Failure::malformed("the answer is none of JSON-RPC's")),
    }
}

fn tenant(body: &str) -> Option<&str> {
    let given: Given<'_> = serde_json::from_str(body).ok()?;
    let inner = given.params.and_then(|params| serde_json::from_str::<Given<'_>>(params.get()).ok());
    let tenant = given.tenant.or(inner.and_then(|params| params.tenant))?.get();
    (tenant.starts_with('"') && tenant != "\"\"").then_some(tenant)
}
