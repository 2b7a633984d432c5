//! `POST /tickets`: what a browser shows instead of a token.

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Caller, now};
use crate::domain::ids::SessionId;
use crate::domain::requests::parse_body;
use crate::edge::http::app::App;
use crate::edge::http::extract::{read_text, require_json};
use crate::edge::http::openapi::TicketProblems;
use crate::edge::http::problem::Problem;

/// How long a ticket may wait, in milliseconds.
const TICKET_MS: u64 = 60_000;

/// What a ticket is asked for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TicketRequest {
    /// The session that it opens for reading.
    session_id: SessionId,
}

/// A ticket.
#[derive(Debug, Serialize, ToSchema)]
pub struct Ticket {
    /// What to pass as `?ticket=` of a stream of the session, once.
    #[schema(pattern = "^[A-Za-z0-9_-]{43}$")]
    ticket: String,
    /// Until when.
    #[schema(format = DateTime)]
    expires_at: String,
}

/// Get a ticket
///
/// For a browser's `EventSource` or `WebSocket`, which can't send a token. It opens reading of one session, once, within a
/// minute; with the first answer comes a cookie that lets the stream reconnect until the token expires.
#[utoipa::path(
    post, path = "/tickets", tag = "reading",
    request_body(content = TicketRequest),
    responses((status = 201, description = "The ticket", body = Ticket), TicketProblems),
)]
pub async fn post_ticket(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    require_json(&headers)?;
    let text = read_text(body, &app).await?;
    let wanted: TicketRequest = parse_body(&text)?;
    let now = now();
    let ticket = app.access.sign_in.issue(caller.grant(), &wanted.session_id, now).await?;
    let end = now.plus_ms(TICKET_MS);
    let expires_at = caller.grant().expires_at.map_or(end, |own| own.min(end)).to_string();
    let no_store = [(header::CACHE_CONTROL, "no-store")];
    Ok((StatusCode::CREATED, no_store, Json(Ticket { ticket, expires_at })).into_response())
}
