//! Subagents push their outputs: one event, an array, a raw output, or a long-lived body of many.

use std::fmt::Display;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Uri, header};
use axum::response::{IntoResponse, Response};
use serde_json::value::RawValue;

use self::asked::{asked_for, asked_output, is_raw};
use super::access::Caller;
use super::app::App;
use super::extract::{Ids, idempotency_key, media_type, read_bytes, require_plain, text_of, unsupported};
use super::ingest::{EventsAnswer, Lines, Receipts, SseData, stream_in};
use super::openapi::{EventsBody, EventsProblems, SendQuery, SenderHeaders, SubagentPath, examples};
use super::problem::Problem;
use super::refused::{expired, unknown_step};
use crate::domain::event::{SubagentEvent, parse_event, raw_output, raw_text};
use crate::domain::position::Position;
use crate::domain::record::Answer;
use crate::domain::session::{Command, IdempotencyKey};
use crate::domain::verdict::{Code, Refusal, Verdict};
use crate::engine::coordinator::Submission;
use crate::engine::ports::result_cache::Presence;

mod asked;

const TYPES: &str = "application/json, application/x-ndjson or text/event-stream";

/// Push a subagent's events
///
/// One event, an array of them, or a body of many that may stay open for long: each is stored and streamed as it
/// arrives. They are decided one by one; the answer has a verdict for each.
#[utoipa::path(
    post, path = "/planner/sessions/{session_id}/steps/{plan_step_id}/subagents/{key}/events", tag = "subagents",
    params(SubagentPath, SendQuery, SenderHeaders),
    request_body(
        description = "With `raw=true` the subagent's whole output itself: any JSON as `application/json`, or a text as `text/plain`.",
        content(
            (EventsBody = "application/json", examples(
                ("several" = (summary = "Several events", value = json!(examples::results()))),
                ("success" = (summary = "A result", value = json!(examples::result()))),
                ("failure" = (summary = "A failure", value = json!(examples::failure())))
            )),
            (String = "application/x-ndjson", example = json!(examples::LINES)),
            (String = "text/event-stream", example = json!(examples::SENT_EVENTS)),
            (String = "text/plain")
        ),
    ),
    responses(
        (status = 200, description = "Every event is done: `duplicate` and `stale` mean that it was before", body = EventsAnswer),
        EventsProblems,
    ),
)]
pub async fn post_events(
    State(app): State<App>,
    ids: Ids,
    caller: Caller,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    post(&app, (&ids, &caller), &uri, &headers, body).await
}

/// Takes in the events of a request, whichever way it came.
///
/// # Errors
/// Where nothing was decided.
pub async fn post<B>(
    app: &App,
    (ids, caller): (&Ids, &Caller),
    uri: &Uri,
    headers: &HeaderMap,
    body: B,
) -> Result<Response, Problem>
where
    B: http_body::Body<Data = Bytes, Error: Display> + Unpin,
{
    require_plain(headers)?;
    let query = uri.query().unwrap_or_default();
    let raw = is_raw(query)?;
    let of_output = asked_output(query)?.map(|output| ids.clone().for_output(output));
    let ids = of_output.as_ref().unwrap_or(ids);
    let media = media_type(headers);
    match (media.as_deref(), raw) {
        (None | Some("application/json"), _) | (Some("text/plain"), true) => {
            let bytes = read_bytes(body, app).await?;
            let once = idempotency_key(headers, uri, &bytes)?;
            if !raw {
                return post_json(app, ids, &bytes, once).await.map(json);
            }
            let text = text_of(&bytes)?;
            let read = if media.as_deref() == Some("text/plain") { raw_text } else { raw_output };
            let item = check_size(app, text).and_then(|()| read(text));
            let item = item.and_then(|event| asked_for(event, ids));
            submit_one(app, ids, submission_of(ids, item, once)).await.map(json)
        }
        (Some("application/x-ndjson"), false) => {
            let once = idempotency_key(headers, uri, b"")?;
            Ok(answer(stream_in(app, ids, caller.remaining(), body, once, Lines::default()).await?))
        }
        (Some("text/event-stream"), false) => {
            let once = idempotency_key(headers, uri, b"")?;
            Ok(answer(stream_in(app, ids, caller.remaining(), body, once, SseData::default()).await?))
        }
        (Some(other), true) => Err(unsupported(other, "application/json or text/plain with raw=true")),
        (Some(other), false) => Err(unsupported(other, TYPES)),
    }
}

/// What may stand around a JSON text (RFC 8259, section 2).
pub(super) const JSON_BLANKS: [char; 4] = [' ', '\t', '\n', '\r'];

/// Takes in a body that is one event, or an array of them, and gives the answer's JSON.
///
/// # Errors
/// Where not all of it is done.
pub async fn post_json(
    app: &App,
    ids: &Ids,
    body: &[u8],
    once: Option<IdempotencyKey>,
) -> Result<Vec<u8>, Problem> {
    let text = text_of(body)?;
    if !is_array(text) {
        let item = read_item(app, ids, text.trim_matches(JSON_BLANKS));
        return submit_one(app, ids, submission_of(ids, item, once)).await;
    }
    let items = read_array(app, ids, text)?;
    let receipts = Receipts::new(app.settings.events_per_request, items.len() == 1).of_list();
    Ok(submit_all(app, ids, items, receipts, once).await?.into_answer()?.to_json())
}

/// What is submitted of an event that came alone.
fn submission_of(ids: &Ids, item: Item, once: Option<IdempotencyKey>) -> Result<Submission, Refusal> {
    let (step, key) = (ids.step().clone(), ids.subagent().clone());
    item.map(|event| Submission::one(Command::Event { step, key, event }, once))
}

/// Submits an event that came alone. Most are done, and need no list.
async fn submit_one(
    app: &App,
    ids: &Ids,
    submission: Result<Submission, Refusal>,
) -> Result<Vec<u8>, Problem> {
    let receipts = || Receipts::new(app.settings.events_per_request, true);
    let submission = match submission {
        Ok(submission) => submission,
        Err(refusal) => {
            let mut receipts = receipts();
            receipts.add_all(vec![Some(refusal)], Vec::new());
            return Ok(receipts.into_answer()?.to_json());
        }
    };
    let reply = match app.coordinator.submit(&ids.key, submission).await {
        Ok(reply) => reply,
        Err(error) => {
            let mut receipts = receipts();
            receipts.lose(vec![None], error);
            return Ok(receipts.into_answer()?.to_json());
        }
    };
    if let ([Ok(Answer::Event(decided))], None) = (&*reply.answers, &reply.stopped)
        && decided.verdict != Verdict::Conflict
    {
        return Ok(EventsAnswer::json_of_one(*decided, reply.cursor));
    }
    let mut receipts = receipts();
    receipts.add_reply(vec![None], reply);
    Ok(receipts.into_answer()?.to_json())
}

type Item = Result<SubagentEvent, Refusal>;

/// Whether a body is an array of events, not one.
fn is_array(text: &str) -> bool {
    text.trim_start().starts_with('[')
}

/// The items of a body that is an array of events.
fn read_array(app: &App, ids: &Ids, text: &str) -> Result<Vec<Item>, Problem> {
    let items: Vec<&RawValue> = serde_json::from_str(text).map_err(|error| {
        Refusal::at(Code::InvalidJson, "", format!("the body isn't a JSON array: {error}"))
    })?;
    let most = app.settings.events_per_request;
    if items.len() > most {
        let text = format!("{} events in one request; at most {most} are taken", items.len());
        return Err(Refusal::at(Code::LimitReached, "", text).into());
    }
    Ok(items.iter().map(|item| read_item(app, ids, item.get())).collect())
}

/// One event, checked.
pub(super) fn read_item(app: &App, ids: &Ids, text: &str) -> Item {
    check_size(app, text)?;
    asked_for(parse_event(text, ids.subagent())?, ids)
}

/// Refuses what is too large for one event, in whatever form it was sent.
pub(super) fn check_size(app: &App, text: &str) -> Result<(), Refusal> {
    let most = app.settings.event_bytes;
    if text.len() > most {
        let text = format!("an event of {} bytes; at most {most}", text.len());
        return Err(Refusal::at(Code::EventTooLarge, "", text));
    }
    Ok(())
}

/// Submits the valid items of a request, together.
async fn submit_all(
    app: &App,
    ids: &Ids,
    items: Vec<Item>,
    mut receipts: Receipts,
    idempotency: Option<IdempotencyKey>,
) -> Result<Receipts, Problem> {
    if items.is_empty() {
        receipts.add_none(nothing_sent(app, ids).await?);
        return Ok(receipts);
    }
    let mut pending = Pending::default();
    for item in items {
        pending.add(ids, item);
    }
    if pending.commands.is_empty() {
        receipts.add_all(pending.outline, Vec::new());
        return Ok(receipts);
    }
    let submission = Submission { commands: pending.commands, idempotency, places: Vec::new() };
    match app.coordinator.submit(&ids.key, submission).await {
        Ok(reply) => receipts.add_reply(pending.outline, reply),
        Err(error) => receipts.lose(pending.outline, error),
    }
    Ok(receipts)
}

/// Where a sender stands that sent no event at all: refused as an event of its would be, where nobody expects it.
pub(super) async fn nothing_sent(app: &App, ids: &Ids) -> Result<Position, Problem> {
    let loaded = app.coordinator.session(&ids.key).await?;
    let state = match &loaded.presence {
        Presence::Unknown => return Err(unknown_step(ids)),
        Presence::Expired(_) => return Err(expired(&ids.key)),
        Presence::Live(state) | Presence::Archived(state) => state,
    };
    let step = state.step(ids.step()).ok_or_else(|| unknown_step(ids))?;
    if !step.subagents.iter().any(|subagent| subagent.expected.key == *ids.subagent()) {
        let text = format!("the step doesn't expect `{}`", ids.subagent());
        return Err(Problem::new(Code::UnknownSubagent, text));
    }
    Ok(state.position)
}

/// Items of a request: which are to be decided, and which were refused at the door.
#[derive(Default)]
pub(super) struct Pending {
    pub(super) commands: Vec<Command>,
    /// By item: refused at the door, or the next command.
    pub(super) outline: Vec<Option<Refusal>>,
}

impl Pending {
    pub(super) fn add(&mut self, ids: &Ids, item: Item) {
        match item {
            Ok(event) => {
                let (step, key) = (ids.step().clone(), ids.subagent().clone());
                self.commands.push(Command::Event { step, key, event });
                self.outline.push(None);
            }
            Err(refusal) => self.outline.push(Some(refusal)),
        }
    }
}

fn answer(receipts: Receipts) -> Response {
    match receipts.into_answer() {
        Ok(body) => json(body.to_json()),
        Err(problem) => problem.into_response(),
    }
}

fn json(body: Vec<u8>) -> Response {
    let mut response = Response::new(Body::from(body));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
