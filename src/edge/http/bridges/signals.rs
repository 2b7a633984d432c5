//! A reader's lines, taken apart.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::domain::bridges::{Frame, Open, Signal};

/// A line of a stream as NDJSON.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    event: &'a str,
    #[serde(default, borrow)]
    id: Option<&'a str>,
    #[serde(borrow)]
    data: &'a RawValue,
}

#[derive(Deserialize)]
struct Ended<'a> {
    #[serde(borrow)]
    reason: &'a str,
}

/// Hands a line's signal to `take`. The lines are the mux' own: `None` can't happen but for one that it doesn't know yet.
pub(super) fn with<T>(line: &[u8], take: impl FnOnce(&Signal<'_>) -> T) -> Option<T> {
    let text = std::str::from_utf8(line).ok()?;
    let Line { event, id, data } = serde_json::from_str(text).ok()?;
    let frame = || Some(Frame { cursor: id, ..serde_json::from_str(data.get()).ok()? });
    let signal = match event {
        "open" => Signal::Open(serde_json::from_str::<Open<'_>>(data.get()).ok()?),
        "planner_stream" => Signal::Frame(frame()?),
        "snapshot" => Signal::Snapshot(frame()?),
        "heartbeat" => Signal::Heartbeat,
        "drain" => Signal::Drain { cursor: id },
        "end" => {
            Signal::End { cursor: id, reason: serde_json::from_str::<Ended<'_>>(data.get()).ok()?.reason }
        }
        "error" => Signal::Error(data),
        _ => return None,
    };
    Some(take(&signal))
}
