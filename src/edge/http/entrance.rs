//! Where requests come in: one kind past the router, all others through it.
//!
//! An event that is posted alone is what a busy service does most, and finding its way through the router (its layers,
//! extractors, copies of path and headers) cost more than deciding it. So its path is read here first. The route is there
//! all the same: for ids that are percent-encoded, for what is wrong, and for the description.

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::response::{IntoResponse, Response};
use http::header::{CONNECTION, CONTENT_LENGTH, HOST, ORIGIN, TRANSFER_ENCODING};
use http::{HeaderMap, Method, Request, StatusCode, Version};
use hyper::body::Incoming;
use tokio::time::Instant;
use tower::Service as _;

use super::app::App;
use super::extract::Ids;
use super::problem::Problem;
use super::router::router;
use super::subagents;
use super::unread::{Watched, announce_close, has_body};
use crate::domain::verdict::Code;

/// All that the service answers.
pub struct Entrance {
    router: Router,
    /// Where events needn't go through the router.
    events: Option<App>,
}

/// An answer, some time later.
pub type Answering = Pin<Box<dyn Future<Output = Response> + Send>>;

impl Entrance {
    /// The whole service.
    pub fn new(app: App) -> Self {
        // Rates are counted in layers of the router.
        let events = app.rate_limits.are_off().then(|| app.clone());
        Self { router: router(app), events }
    }

    /// Where events that are posted alone needn't go through the HTTP library either.
    pub(super) fn events(&self) -> Option<&App> {
        self.events.as_ref()
    }

    /// Answers a request of a caller at `peer`.
    pub(super) fn answer(&self, mut request: Request<Incoming>, peer: SocketAddr) -> Answering {
        let mut hosts = request.headers().get_all(HOST).iter();
        let is_named = hosts.next().is_some() || request.version() != Version::HTTP_11;
        if !is_named || hosts.next().is_some() {
            let text = "a request names its host once, in the field `Host`";
            return Box::pin(std::future::ready(ambiguous(text)));
        }
        if !is_framed_plainly(request.headers()) {
            let text = "of transfer codings only `chunked` is taken, once";
            return Box::pin(std::future::ready(ambiguous(text)));
        }
        if let Some(app) = &self.events
            && request.method() == Method::POST
            && !request.headers().contains_key(ORIGIN)
            && let Some(ids) = Ids::of_events_path(request.uri().path())
        {
            return Box::pin(post_events(app.clone(), ids, request));
        }
        request.extensions_mut().insert(ConnectInfo(peer));
        let unread = has_body(&request).then(|| Arc::new(AtomicBool::new(true)));
        let watched = |inner| match unread.clone() {
            Some(unread) => Body::new(Watched { inner, unread }),
            None => Body::new(inner),
        };
        let answer = self.router.clone().call(request.map(watched));
        Box::pin(async move {
            let mut response = match answer.await {
                Ok(response) => response,
                Err(never) => match never {},
            };
            if unread.is_some_and(|unread| unread.load(Ordering::Relaxed)) {
                announce_close(&mut response);
            }
            // It has no length, also where it answers `HEAD` (RFC 9110, section 8.6).
            if response.status() == StatusCode::NO_CONTENT {
                response.headers_mut().remove(CONTENT_LENGTH);
            }
            response
        })
    }
}

/// Routes alone.
impl From<Router> for Entrance {
    fn from(router: Router) -> Self {
        Self { router, events: None }
    }
}

/// Whether nothing but chunks, if those, stands between the connection and the body. The HTTP library looks at the last coding
/// only: a body that is packed besides, or cut twice, ends elsewhere for whoever looks at all (RFC 9112, section 6.1).
fn is_framed_plainly(headers: &HeaderMap) -> bool {
    let mut codings = headers.get_all(TRANSFER_ENCODING).iter();
    let is_plain = codings.next().is_none_or(|coding| coding.as_bytes().eq_ignore_ascii_case(b"chunked"));
    is_plain && codings.next().is_none()
}

/// The refusal of what can be read in two ways: whoever stands before us may have read it in the other, such as by the second
/// of two hosts (RFC 9112, section 3.2).
fn ambiguous(text: &str) -> Response {
    let problem = Problem::new(Code::InvalidEvent, text);
    ([(CONNECTION, "close")], problem.with_status(StatusCode::BAD_REQUEST)).into_response()
}

async fn post_events(app: App, ids: Ids, request: Request<Incoming>) -> Response {
    let begun = Instant::now();
    let unread = AtomicBool::new(has_body(&request));
    let (parts, inner) = request.into_parts();
    let body = Watched { inner, unread: &unread };
    let answered = async {
        let caller = app.access.sender(&parts.headers, &ids.key.session).await?;
        let ids = ids.of(&caller);
        subagents::post(&app, (&ids, &caller), &parts.uri, &parts.headers, body).await
    };
    let mut answer = answered.await.unwrap_or_else(|problem: Problem| problem.into_response());
    if unread.load(Ordering::Relaxed) {
        announce_close(&mut answer);
    }
    app.telemetry.meters.answered_events(answer.status().as_u16(), begun.elapsed());
    answer
}
