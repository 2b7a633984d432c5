//! The agent's card (specification 1.0, section 4.4): where and how tasks are read.

use serde_json::{Value, json};

use super::{CURSOR_URI, VERSION};

/// The card of a session's agent at `url`; `is_secured`: a token is asked for.
pub fn card(session_id: &str, url: &str, version: &str, is_secured: bool) -> Value {
    let mut card = json!({
        "name": format!("Tributary: {session_id}"),
        "description": "Follows the steps of a plan: a step is a task, its subagents' outputs are artifacts. Steps are \
                        begun by planners, not by messages.",
        "version": version,
        "supportedInterfaces": [{ "url": url, "protocolBinding": "JSONRPC", "protocolVersion": VERSION }],
        "capabilities": {
            "streaming": true,
            "pushNotifications": false,
            "extendedAgentCard": false,
            "extensions": [{
                "uri": CURSOR_URI,
                "description": "Tells in `metadata` where the reader is. Sent back as `Last-Event-ID`, or in `metadata` of \
                                the request, the stream goes on there.",
                "required": false,
            }],
        },
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["text/plain", "application/json"],
        "skills": [{
            "id": "follow",
            "name": "Follow a step",
            "description": "The task's id is the step's. Send a streaming message with this `taskId`, or subscribe to it.",
            "tags": ["aggregation", "streaming"],
        }],
    });
    if is_secured {
        card["securitySchemes"] = json!({ "bearer": { "httpAuthSecurityScheme": { "scheme": "Bearer" } } });
        card["securityRequirements"] = json!([{ "schemes": { "bearer": { "list": [] } } }]);
    }
    card
}
