//! What a caller hears for whom there is no room.
//!
//! 503 and when to come back. An `EventSource` gives up for good on any status but 200, so it gets an event stream that
//! says the same and ends. Whether the process lives is answered as ever: an orchestrator that heard otherwise would restart
//! it for having many callers, and take theirs away from all of them.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::response::{IntoResponse, Response};
use http::header::CONNECTION;
use http::{HeaderValue, Method, Request, Version};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;

use super::connection::linger;
use super::greeting::{Accepted, Spoken};
use super::reserve::RESERVE_TIME;
use super::{ServeShutdown, Server};
use crate::domain::verdict::Code;
use crate::edge::http::in_stream;
use crate::edge::http::problem::Problem;
use crate::engine::clock::millis;

/// Answers one request and closes.
pub(super) async fn run(server: Arc<Server>, accepted: Accepted, peer: SocketAddr) {
    let Some((socket, spoken)) = accepted.greet(server.tls.as_ref(), RESERVE_TIME).await else { return };
    let service = service_fn(|request: Request<Incoming>| {
        let server = server.clone();
        async move { Ok::<_, Infallible>(answer(&server, request, peer).await) }
    });
    let ServeShutdown { soft, hard } = &server.shutdown;
    // Who comes while the service stops is answered too.
    let end = if soft.is_cancelled() { hard } else { soft };
    if spoken == Spoken::Http2 {
        // Whoever spoke HTTP/2 closes the connection, or the time of the reserve does.
        let connection = server.http2.serve_connection(TokioIo::new(socket), service);
        end.run_until_cancelled(connection).await;
        return;
    }
    let mut http = server.http1.clone();
    http.keep_alive(false).header_read_timeout(RESERVE_TIME);
    let mut connection = http.serve_connection(TokioIo::new(socket), service).with_upgrades();
    let ended = end.run_until_cancelled(&mut connection).await;
    if let (Some(Ok(())), Some(parts)) = (ended, connection.into_parts()) {
        linger(parts.io.into_inner()).await;
    }
}

async fn answer(server: &Server, request: Request<Incoming>, peer: SocketAddr) -> Response {
    let closes = request.version() < Version::HTTP_2;
    let mut response = if asks_whether_it_lives(&request) {
        server.entrance.answer(request, peer).await
    } else {
        refusal(&request, server.retry)
    };
    if closes {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

fn asks_whether_it_lives(request: &Request<Incoming>) -> bool {
    matches!(*request.method(), Method::GET | Method::HEAD) && request.uri().path() == "/healthz"
}

fn refusal(request: &Request<Incoming>, retry: Duration) -> Response {
    let wait_ms = in_stream::spread(millis(retry));
    let seconds = u32::try_from(wait_ms.div_ceil(1_000)).unwrap_or(u32::MAX);
    let detail = "all connections are taken; try again, or raise server.connections_max";
    let problem = Problem::new(Code::OverCapacity, detail).retry_after(seconds);
    if in_stream::is_taken_by(request.method(), request.headers()) {
        in_stream::refusal(&problem, wait_ms)
    } else {
        problem.into_response()
    }
}
