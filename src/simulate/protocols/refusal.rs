//! The body of an HTTP failure, as a server of the protocol words it.

use serde_json::{Value, json};

use super::{JSON, Protocol, Reply};
use crate::simulate::frames::Frames;

/// Says that the call failed with `status`, and where it is given, whether that can get better. Redirects and 304 have no body.
pub fn refusal(protocol: Protocol, status: u16, retryable: Option<bool>) -> Reply {
    if status < 400 {
        return Reply { media_type: JSON, frames: Frames::list(Vec::new()), preamble: 0 };
    }
    let mut words = words(protocol, status);
    if let Some(retryable) = retryable {
        words["error"]["retryable"] = retryable.into();
    }
    Reply::document(&words)
}

fn words(protocol: Protocol, status: u16) -> Value {
    let message = format!("it answers {status} as it was told");
    match protocol {
        Protocol::Json | Protocol::Ndjson | Protocol::Sse | Protocol::A2a => {
            json!({"error": {"code": format!("simulated_{status}"), "message": message}})
        }
        Protocol::Openai => {
            json!({"error": {"message": message, "type": openai(status), "param": null, "code": null}})
        }
        Protocol::Anthropic => {
            json!({"type": "error", "error": {"type": anthropic(status), "message": message}})
        }
    }
}

fn openai(status: u16) -> &'static str {
    match status {
        401 => "authentication_error",
        429 => "rate_limit_error",
        500.. => "server_error",
        _ => "invalid_request_error",
    }
}

/// Source: the API reference of Anthropic, "Errors".
fn anthropic(status: u16) -> &'static str {
    match status {
        401 => "authentication_error",
        403 => "permission_error",
        404 => "not_found_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        529 => "overloaded_error",
        500.. => "api_error",
        _ => "invalid_request_error",
    }
}
