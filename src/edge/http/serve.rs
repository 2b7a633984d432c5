//! Takes connections and answers requests on each, with little memory a connection.
//!
//! hyper's connection is driven directly: a stock server keeps 22 to 31 KiB for an idle event stream. Everything is
//! bounded: connections, the time for a request's head, the kernel's send buffer, unacknowledged data. Beyond
//! `connections_max` a caller still gets an answer, from a small reserve: that there is no room, or that the process lives.
//!
//! Stopping has two steps. Soft: idle connections close, requests in flight finish; event streams end themselves by a token
//! of their own. Until the last connection from before has ended, new ones are still taken, for one request each: a caller
//! who isn't yet sent elsewhere gets an answer that says so, and `/readyz` can be asked. Hard: what is still open is dropped.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::TokioTimer;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

mod chunk;
mod connection;
mod detach;
mod fields;
mod greeting;
mod half_closed;
mod http2;
mod posts;
mod reserve;
mod said_all;
mod service;
mod sockets;
mod stopping;
#[cfg(test)]
mod tests;
mod turned_away;

pub use detach::Detach;
pub use greeting::Tls;
pub use half_closed::Costly;
pub use sockets::bind;

use super::entrance::Entrance;
use greeting::Accepted;
use reserve::Reserve;
use stopping::Stopping;
use tokio_rustls::TlsAcceptor;

/// How long a connection that comes while the service stops may take to send a request's head, or it would hold up the end.
const LATE_HEAD_TIME: Duration = Duration::from_secs(1);
/// From the hard end of the drain window until tasks that don't yield are left behind.
const LAST_GRACE: Duration = Duration::from_secs(1);

/// Bounds of connections.
#[derive(Debug, Clone)]
pub struct ServeSettings {
    /// For a whole request head, and for the wait between two requests.
    pub header_read_timeout: Duration,
    /// Connections at once.
    pub connections_max: usize,
    /// The kernel's send buffer of a connection, in bytes; 0 is the system's.
    pub send_buffer_bytes: usize,
    /// How long sent data may stay unacknowledged; zero is the system's.
    pub tcp_user_timeout: Duration,
    /// Most of a request head and of one read, in bytes; at least 8192.
    pub read_buffer_bytes: usize,
    /// What an `EventSource` that is turned away waits before it comes back; up to twice that, at random.
    pub retry: Duration,
    /// Requests at once on one connection of HTTP/2.
    pub http2_streams_max: u32,
    /// How often a connection of HTTP/2 is asked whether it still lives.
    pub http2_ping: Duration,
    /// Certificate and key, where connections are encrypted.
    pub tls: Option<Tls>,
}

/// The two steps of stopping.
#[derive(Debug, Clone)]
pub struct ServeShutdown {
    /// Finish what runs; who comes now is answered once.
    pub soft: CancellationToken,
    /// Drop what still runs. Implies `soft`.
    pub hard: CancellationToken,
}

/// What all connections share.
struct Server {
    entrance: Entrance,
    http1: http1::Builder,
    http2: http2::Http2,
    tls: Option<TlsAcceptor>,
    header_read_timeout: Duration,
    retry: Duration,
    shutdown: ServeShutdown,
    /// The same for those who look often.
    stopping: Stopping,
}

/// Answers what comes to `listener` until the shutdown is complete: every connection has ended or was dropped.
///
/// Handlers find the caller's address as `ConnectInfo<SocketAddr>`.
pub async fn serve(
    listener: TcpListener,
    entrance: impl Into<Entrance>,
    settings: ServeSettings,
    shutdown: ServeShutdown,
) {
    if let Err(error) = sockets::tune(&listener, &settings) {
        tracing::warn!(%error, "the sockets keep the system's settings");
    }
    let connections = Connections::default();
    let server = Arc::new(Server::new(entrance.into(), &settings, shutdown, &connections));
    tokio::select! {
        () = accept(&listener, &server, settings.connections_max, &connections) => {}
        () = connections.early_ones_ended(&server) => {}
    }
    // Closed before the wait, so that callers are refused at once and can go elsewhere.
    drop(listener);
    let too_long = async {
        server.shutdown.hard.cancelled().await;
        server.stopping.begin_hard();
        sleep(LAST_GRACE).await;
    };
    tokio::select! {
        () = connections.all_ended() => {}
        () = too_long => tracing::warn!(connections = connections.len(), "connections would not end"),
    }
}

impl Server {
    fn new(
        entrance: Entrance,
        settings: &ServeSettings,
        shutdown: ServeShutdown,
        connections: &Connections,
    ) -> Self {
        let ServeSettings { header_read_timeout, read_buffer_bytes, retry, .. } = *settings;
        let mut http1 = http1::Builder::new();
        http1
            .timer(TokioTimer::new())
            .header_read_timeout(header_read_timeout)
            .max_buf_size(read_buffer_bytes);
        let http2 = http2::builder(settings, connections.early.clone());
        let tls = settings.tls.clone().map(|Tls(acceptor)| acceptor);
        let stopping = Stopping::default();
        Self { entrance, http1, http2, tls, header_read_timeout, retry, shutdown, stopping }
    }
}

/// The tasks of connections, by when they came.
#[derive(Default)]
struct Connections {
    /// Before the soft shutdown.
    early: TaskTracker,
    /// After it.
    late: TaskTracker,
}

impl Connections {
    fn tracker(&self, soft: &CancellationToken) -> &TaskTracker {
        if soft.is_cancelled() { &self.late } else { &self.early }
    }

    async fn early_ones_ended(&self, server: &Server) {
        server.shutdown.soft.cancelled().await;
        server.stopping.begin_soft();
        self.early.close();
        self.early.wait().await;
    }

    async fn all_ended(&self) {
        self.early.close();
        self.late.close();
        self.early.wait().await;
        self.late.wait().await;
    }

    fn len(&self) -> usize {
        self.early.len() + self.late.len()
    }
}

/// Takes connections until the hard shutdown.
async fn accept(listener: &TcpListener, server: &Arc<Server>, connections_max: usize, tasks: &Connections) {
    let room = Arc::new(Semaphore::new(connections_max));
    let mut reserve = Reserve::default();
    let ServeShutdown { soft, hard } = &server.shutdown;
    let mut pause = Pause::default();
    loop {
        let accepted = tokio::select! {
            biased;
            () = hard.cancelled() => {
                soft.cancel();
                return server.stopping.begin_hard();
            }
            accepted = listener.accept() => accepted,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) if is_of_one_connection(&error) => continue,
            Err(error) => {
                pause.after(&error).await;
                continue;
            }
        };
        pause = Pause::default();
        let tasks = tasks.tracker(soft);
        if let Ok(permit) = room.clone().try_acquire_owned() {
            tasks.spawn(connection::run(server.clone(), Accepted { stream, permit }, peer));
        } else if let Some(permit) = reserve.place().await {
            let answer = turned_away::run(server.clone(), Accepted { stream, permit }, peer);
            reserve.taken_by(&tasks.spawn(reserve::bounded(answer)));
        }
    }
}

/// The caller went away before it was taken: nothing is wrong here.
fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Waits longer after each failure in a row. Out of descriptors, `accept` fails at once for as long as the others are
/// open: without a wait it would take a core from those who could close one.
#[derive(Default)]
struct Pause(Duration);

impl Pause {
    const FIRST: Duration = Duration::from_millis(10);
    const LONGEST: Duration = Duration::from_secs(1);

    async fn after(&mut self, error: &io::Error) {
        if self.0.is_zero() {
            tracing::error!(%error, "no connection can be taken for now");
        }
        self.0 = (self.0 * 2).clamp(Self::FIRST, Self::LONGEST);
        sleep(self.0).await;
    }
}
