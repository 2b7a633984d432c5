//! What a reader asks for: representation, start, filters.

use axum::http::HeaderMap;

use super::super::accept::preferred;
use crate::domain::ids::SubagentKey;
use crate::domain::record::EventType;
use crate::domain::verdict::{Code, Refusal};
use crate::edge::http::extract::{Ids, known_pairs, last_event_id, number, refuse_near_miss, shown};
use crate::engine::mux::{StartAt, View};

/// They may be given several times: each names more.
const FILTERS: [&str; 2] = ["subagent", "type"];
/// Parameters with one value.
const ONCE: [&str; 7] = ["last_event_id", "after", "coalesce", "limit", "last", "batch", "ticket"];

/// The forms of the one resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Representation {
    Page,
    Sse,
    Ndjson,
}

/// The form that `Accept` prefers; a page where it says nothing that is known.
pub fn representation(headers: &HeaderMap) -> Representation {
    let offered = [
        ("application/json", Representation::Page),
        ("text/event-stream", Representation::Sse),
        ("application/x-ndjson", Representation::Ndjson),
    ];
    preferred(headers, &offered).unwrap_or(Representation::Page)
}

/// What a reader wants.
#[derive(Debug, Default)]
pub struct Wanted {
    pub view: View,
    pub start: StartAt,
    pub coalesce: bool,
    pub batch: Option<usize>,
    pub limit: Option<usize>,
    pub last: Option<usize>,
}

impl Wanted {
    /// Reads a query and `Last-Event-ID`, which goes before `last_event_id`, that before `after`.
    pub fn read(query: &str, headers: &HeaderMap, ids: &Ids) -> Result<Self, Refusal> {
        let mut wanted = Self { coalesce: true, ..Self::default() };
        wanted.view.step = ids.maybe_step().cloned();
        let (mut place, mut after) = (None, None);
        for (name, value) in known_pairs(query, &ONCE)? {
            match name.as_str() {
                "last_event_id" => place = Some(value),
                "after" => after = Some(value),
                "subagent" => wanted.view.subagents.extend(subagents(&value)?),
                "type" => wanted.view.types.extend(types(&value)?),
                "coalesce" => wanted.coalesce = coalesce(&value)?,
                "limit" => wanted.limit = Some(number("limit", &value)?),
                "last" => wanted.last = Some(last(&value)?),
                "batch" => wanted.batch = Some(batch(&value)?),
                // Tickets, and cache busters of clients.
                _ => refuse_near_miss(&name, &FILTERS)?,
            }
        }
        if let Some(last) = wanted.last {
            wanted.start = StartAt::Last(last);
        }
        let header = last_event_id(headers)?.map(str::to_owned);
        // The first of them counts, and what stands behind it says nothing: an `EventSource` comes back with the address that it
        // has, whatever that says, and with a header that goes before it. An empty one is none.
        let place = [header, place, after].into_iter().flatten().find(|text| !text.is_empty());
        if let Some(text) = place {
            let not_a_place = |error: crate::domain::position::InvalidCursor| {
                let text = format!(
                    "`{}` is no place to read from: {error}; or a sequence, start, tail, snapshot",
                    shown(&text)
                );
                Refusal::at(Code::InvalidCursor, "", text)
            };
            wanted.start = text.parse().map_err(not_a_place)?;
        }
        Ok(wanted)
    }
}

fn subagents(list: &str) -> Result<Vec<SubagentKey>, Refusal> {
    let parse = |key: &str| {
        key.parse().map_err(|error| Refusal::at(Code::InvalidId, "", format!("`subagent`: {error}")))
    };
    listed("subagent", list, "a subagent")?.map(parse).collect()
}

fn types(list: &str) -> Result<Vec<EventType>, Refusal> {
    let parse = |name: &str| {
        let quoted = serde_json::Value::from(name);
        serde_json::from_value(quoted).map_err(|_| {
            Refusal::at(Code::InvalidEvent, "", format!("no events are of type `{}`", shown(name)))
        })
    };
    listed("type", list, "a type of events")?.map(parse).collect()
}

/// The items of a filter that names at least one.
fn listed<'a>(name: &str, list: &'a str, what: &str) -> Result<std::str::Split<'a, char>, Refusal> {
    if list.is_empty() {
        let text = format!("`{name}` is empty: name {what}, or leave it out to get all");
        return Err(Refusal::at(Code::InvalidEvent, "", text));
    }
    Ok(list.split(','))
}

/// The last so many events: no log has more than 32 bits can count.
fn last(value: &str) -> Result<usize, Refusal> {
    let events = number("last", value)?;
    let too_many = |_| Refusal::at(Code::LimitReached, "", format!("`last` is 0 to {} events", u32::MAX));
    u32::try_from(events).map(|_| events).map_err(too_many)
}

fn coalesce(value: &str) -> Result<bool, Refusal> {
    match value {
        "auto" => Ok(true),
        "never" => Ok(false),
        other => {
            let text = format!("`coalesce` is auto or never, not `{}`", shown(other));
            Err(Refusal::at(Code::InvalidEvent, "", text))
        }
    }
}

fn batch(value: &str) -> Result<usize, Refusal> {
    match number("batch", value)? {
        events @ 1..=5 => Ok(events),
        _ => Err(Refusal::at(Code::LimitReached, "", "`batch` is 1 to 5 events a frame")),
    }
}
