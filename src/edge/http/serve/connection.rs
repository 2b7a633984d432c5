//! The life of one connection.
//!
//! Posts of events first (`posts`), if that is what it is for. Then hyper until the end, or until an answer is an event stream that
//! leaves it (`detach`). hyper's part lives in a box that
//! goes away with it, so that the task of an event stream, of which 10,000 wait at once, is a few hundred bytes. Over
//! HTTP/2 many streams share a connection, and stay with hyper.

use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use http_body::{Body, Frame, SizeHint};
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::TokioIo;
use tokio::io::AsyncReadExt;
use tokio::time::{Instant, sleep, sleep_until, timeout, timeout_at};

use super::detach::{Detached, DetachedStream};
use super::greeting::{Accepted, Spoken};
use super::half_closed::HalfClosed;
use super::posts::{self, Next};
use super::service::Visitor;
use super::sockets::Socket;
use super::{LATE_HEAD_TIME, ServeShutdown, Server};

/// How many looks without an open stream end a connection of HTTP/2 whose caller doesn't go.
const QUIET: u32 = 2;
/// How much of the rest of a body is read away after its answer: many clients write all of it before they read, and end with
/// a broken pipe where they can't.
const LINGER_BYTES: u64 = 32 << 20;
/// For how long, and how long without a byte of it.
const LINGER: Duration = Duration::from_secs(5);
const LINGER_QUIET: Duration = Duration::from_secs(1);
/// What is read of it at once.
const LINGER_READ: usize = 16 << 10;

/// Serves one connection to its end, or until the hard shutdown.
pub(super) async fn run(server: Arc<Server>, accepted: Accepted, peer: SocketAddr) {
    let over_http = Box::pin(serve_http(server.clone(), accepted, peer));
    if let Some(mut stream) = over_http.await {
        server.stopping.run_until_hard(Pin::new(&mut stream)).await;
    }
}

/// Serves requests; returns the event stream that is left to write where one leaves HTTP.
async fn serve_http(
    server: Arc<Server>,
    accepted: Accepted,
    peer: SocketAddr,
) -> Option<Box<DetachedStream>> {
    let (mut socket, spoken) = greeted(&server, accepted).await?;
    let soft = &server.shutdown.soft;
    match spoken {
        Spoken::Http1 => {
            if let Some(app) = server.entrance.events().filter(|_| !soft.is_cancelled()) {
                match posts::serve(&server, app, &mut socket).await {
                    Next::Library(read) => socket.put_back(read),
                    Next::Linger => {
                        server.shutdown.hard.run_until_cancelled(linger(socket)).await;
                        return None;
                    }
                    Next::Close => return None,
                }
            }
            // What has begun by now is answered, as if it had come late.
            let came_late = soft.is_cancelled();
            serve_http1(&server, socket, peer, came_late).await
        }
        Spoken::Http2 => {
            let came_late = soft.is_cancelled();
            serve_http2(&server, socket, peer, came_late).await;
            None
        }
    }
}

/// Waits for the caller's first bytes. When the service stops, who hasn't said anything is an idle connection, and closes;
/// but for one that was just made its request is on its way.
async fn greeted(server: &Server, accepted: Accepted) -> Option<(Socket, Spoken)> {
    let ServeShutdown { soft, hard } = &server.shutdown;
    let old = Instant::now() + LATE_HEAD_TIME;
    let stops_while_old = async {
        soft.cancelled().await;
        sleep_until(old).await;
    };
    let greeting = async {
        tokio::select! {
            biased;
            greeted = accepted.greet(server.tls.as_ref(), server.header_read_timeout) => greeted,
            () = stops_while_old => None,
        }
    };
    hard.run_until_cancelled(greeting).await?
}

async fn serve_http1(
    server: &Arc<Server>,
    socket: Socket,
    peer: SocketAddr,
    came_late: bool,
) -> Option<Box<DetachedStream>> {
    let visitor = Visitor::new(server.clone(), peer);
    let ServeShutdown { soft, hard } = &server.shutdown;
    let socket = HalfClosed::new(socket, visitor.asks_to_wait().clone(), visitor.costly().clone());
    let mut connection =
        http1(server, came_late).serve_connection(TokioIo::new(socket), visitor).with_upgrades();
    let mut ended = None;
    // One that came late serves its one request; to tell it now would close it before.
    if !came_late {
        ended = tokio::select! {
            // What was read of a request comes first, or it would be taken for an idle connection.
            biased;
            ended = &mut connection => Some(ended),
            () = soft.cancelled() => None,
        };
        if ended.is_none() {
            Pin::new(&mut connection).graceful_shutdown();
        }
    }
    if ended.is_none() {
        ended = hard.run_until_cancelled(&mut connection).await;
    }
    // Without parts it was upgraded: another task has the socket.
    let (ended, parts) = (ended?, connection.into_parts()?);
    let socket = parts.io.into_inner().into_socket();
    match ended {
        Ok(()) if parts.service.sent_a_body() => {
            hard.run_until_cancelled(linger(socket)).await;
        }
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

/// Many requests at once. On the soft shutdown the caller is told to send no more (GOAWAY); its streams go on.
async fn serve_http2(server: &Arc<Server>, socket: Socket, peer: SocketAddr, came_late: bool) {
    let ServeShutdown { soft, hard } = &server.shutdown;
    let visitor = Visitor::new(server.clone(), peer);
    let asked = AtomicBool::new(false);
    let open = Arc::new(());
    let service = service_fn(|request| {
        asked.store(true, Ordering::Relaxed);
        let (answer, inner) = (visitor.call(request), open.clone());
        async move { answer.await.map(|response| response.map(|body| Held { body, _open: inner })) }
    });
    let connection = server.http2.clone().serve_connection(TokioIo::new(socket), service);
    let mut connection = pin!(connection);
    // The one request of who came late is answered; it wouldn't be if it were told to go before it came.
    let (end, patience) = if came_late { (hard, LATE_HEAD_TIME) } else { (soft, server.header_read_timeout) };
    let mut ended = match end.run_until_cancelled(timeout(patience, &mut connection)).await {
        Some(Ok(ended)) => Some(ended),
        // Whoever hasn't asked for anything by now, or not even sent the whole preface, holds a place for nothing.
        Some(Err(_)) if !asked.load(Ordering::Relaxed) => return,
        Some(Err(_)) => soft.run_until_cancelled(&mut connection).await,
        None => None,
    };
    if ended.is_none() {
        connection.as_mut().graceful_shutdown();
        let idle = idle(&open);
        tokio::select! {
            end = hard.run_until_cancelled(&mut connection) => ended = end,
            () = idle => return,
        }
    }
    if let Some(Err(error)) = ended {
        tracing::debug!(%peer, %error, "a connection ended early");
    }
}

/// An answer's body. As long as it is there, its stream is open.
struct Held<B> {
    body: B,
    _open: Arc<()>,
}

impl<B: Body + Unpin> Body for Held<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Ends when no stream was open for a while: a caller who was told to go and reads nothing would hold up the end.
async fn idle(open: &Arc<()>) {
    let mut quiet = 0;
    while quiet < QUIET {
        sleep(LATE_HEAD_TIME).await;
        quiet = if Arc::strong_count(open) == 1 { quiet + 1 } else { 0 };
    }
}

/// While the service stops, a connection serves one request, which must come soon.
fn http1(server: &Server, came_late: bool) -> http1::Builder {
    let mut http = server.http1.clone();
    if came_late {
        http.keep_alive(false).header_read_timeout(LATE_HEAD_TIME);
    }
    http
}

/// Closing a socket that has unread data resets the connection, and the reset may destroy the answer (to a body that was
/// too large, say) before the caller reads it. So the rest is read for a moment (RFC 9112, 9.6).
pub(super) async fn linger(socket: Socket) {
    let until = Instant::now() + LINGER;
    let mut rest = socket.take(LINGER_BYTES);
    let mut read = Vec::with_capacity(LINGER_READ);
    while let Ok(Ok(1..)) =
        timeout_at(until.min(Instant::now() + LINGER_QUIET), rest.read_buf(&mut read)).await
    {
        read.clear();
    }
}
