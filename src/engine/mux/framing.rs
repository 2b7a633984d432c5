//! The text around events: an SSE stream (WHATWG HTML, section 9.2) or a line of JSON each.

use crate::domain::position::Position;

/// How a stream is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Framing {
    /// `text/event-stream`.
    Sse,
    /// `application/x-ndjson`: `{event, id?, data}` a line.
    Ndjson,
}

impl Framing {
    /// Writes one event. `data` writes one line of JSON.
    pub fn event(
        self,
        out: &mut Vec<u8>,
        name: &str,
        id: Option<&Position>,
        data: impl FnOnce(&mut Vec<u8>),
    ) {
        match self {
            Self::Sse => {
                if let Some(id) = id {
                    push(out, &["id: "]);
                    id.write_to(out);
                    push(out, &["\n"]);
                }
                push(out, &["event: ", name, "\ndata: "]);
                data(out);
                push(out, &["\n\n"]);
            }
            Self::Ndjson => {
                push(out, &["{\"event\":\"", name, "\""]);
                if let Some(id) = id {
                    push(out, &[",\"id\":\""]);
                    id.write_to(out);
                    push(out, &["\""]);
                }
                push(out, &[",\"data\":"]);
                data(out);
                push(out, &["}\n"]);
            }
        }
    }

    /// Tells an `EventSource` how long to wait before it comes back.
    pub fn retry(self, out: &mut Vec<u8>, retry_ms: u64) {
        match self {
            Self::Sse => push(out, &["retry: ", &retry_ms.to_string(), "\n"]),
            Self::Ndjson => {}
        }
    }
}

fn push(out: &mut Vec<u8>, parts: &[&str]) {
    for part in parts {
        out.extend_from_slice(part.as_bytes());
    }
}
