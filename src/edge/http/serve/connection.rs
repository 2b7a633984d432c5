//! The life of one connection.
//!
//! hyper until the end, or until an answer is an event stream that leaves it (`detach`). hyper's part lives in a box that
//! goes away with it, so that the task of an event stream, of which 10,000 wait at once, is a few hundred bytes.

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::io::AsyncReadExt;

use super::detach::{Detached, DetachedStream};
use super::service::Visitor;
use super::sockets::Socket;
use super::{LATE_HEAD_TIME, ServeShutdown, Server};

/// How long, and for how many bytes, the rest of a body is read away after its answer.
const LINGER: Duration = Duration::from_secs(1);
const LINGER_BYTES: u64 = 1 << 20;

/// Serves one connection to its end, or until the hard shutdown.
pub(super) async fn run(server: Arc<Server>, socket: Socket, peer: SocketAddr) {
    let over_http = Box::pin(serve_http(server.clone(), socket, peer));
    if let Some(mut stream) = over_http.await {
        server.shutdown.hard.run_until_cancelled(&mut stream).await;
    }
}

/// Serves requests; returns the event stream that is left to write where one leaves HTTP.
async fn serve_http(server: Arc<Server>, socket: Socket, peer: SocketAddr) -> Option<Box<DetachedStream>> {
    let visitor = Visitor::new(server.clone(), peer);
    let ServeShutdown { soft, hard } = &server.shutdown;
    let came_late = soft.is_cancelled();
    let mut connection =
        http(&server, came_late).serve_connection(TokioIo::new(socket), visitor).with_upgrades();
    let mut ended = None;
    // One that came late serves its one request; to tell it now would close it before.
    if !came_late {
        ended = soft.run_until_cancelled(&mut connection).await;
        if ended.is_none() {
            Pin::new(&mut connection).graceful_shutdown();
        }
    }
    if ended.is_none() {
        ended = hard.run_until_cancelled(&mut connection).await;
    }
    // Without parts it was upgraded: another task has the socket.
    let (ended, parts) = (ended?, connection.into_parts()?);
    let socket = parts.io.into_inner();
    match ended {
        Ok(()) if parts.service.sent_a_body() => linger(socket).await,
        Ok(()) => {}
        Err(error) => match Detached::response_in(&error) {
            // An earlier answer, to a caller who doesn't wait for answers, may be stuck in hyper's buffer: then there is
            // no going on.
            Some(response) => {
                return socket.is_flushed().then(|| Box::new(DetachedStream::new(socket, response)));
            }
            None => tracing::debug!(%peer, %error, "a connection ended early"),
        },
    }
    None
}

/// While the service stops, a connection serves one request, which must come soon.
fn http(server: &Server, came_late: bool) -> http1::Builder {
    let mut http = server.http.clone();
    if came_late {
        http.keep_alive(false).header_read_timeout(LATE_HEAD_TIME);
    }
    http
}

/// Closing a socket that has unread data resets the connection, and the reset may destroy the answer (to a body that was
/// too large, say) before the caller reads it. So the rest is read for a moment (RFC 9112, 9.6).
pub(super) async fn linger(socket: Socket) {
    let mut rest = socket.take(LINGER_BYTES);
    let mut sink = tokio::io::sink();
    let _ = tokio::time::timeout(LINGER, tokio::io::copy(&mut rest, &mut sink)).await;
}
