//! The port and its connections.
//!
//! [`Simulator::stop`] waits for every task; a simulator that is dropped stops as well, without anyone waiting.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::time::{sleep, timeout};
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;

use super::calls::Calls;
use super::script::Script;
use super::service;
use super::socket::{Cut, Socket};
use super::state::State;

/// Most of a request's head, and of what waits to be written.
const BUFFER_BYTES: usize = 64 << 10;
/// Connections that may wait to be taken. A burst of calls would find a shorter queue full, and whoever does tries again a
/// second later: calls that were to end in one moment wouldn't.
const WAITING_MAX: u32 = 4_096;
/// Before the port is asked again when no connection can be taken, for want of descriptors for example.
const PAUSE: Duration = Duration::from_millis(20);

/// Subagents that listen on a port.
#[derive(Debug)]
pub struct Simulator {
    /// The address that it listens on.
    pub addr: SocketAddr,
    state: Arc<State>,
    tasks: TaskTracker,
    stop: DropGuard,
}

impl Simulator {
    /// Listens on `addr`; port 0 is a free one. Needs a tokio runtime.
    ///
    /// # Errors
    /// Where the port can't be opened.
    pub async fn start(addr: SocketAddr) -> io::Result<Self> {
        let listener = listen(addr)?;
        let addr = listener.local_addr()?;
        let (state, tasks, stop) = (State::new(), TaskTracker::new(), CancellationToken::new());
        tasks.spawn(accept(listener, state.clone(), tasks.clone(), stop.clone()));
        Ok(Self { addr, state, tasks, stop: stop.drop_guard() })
    }

    /// The URL of a path, which begins with `/` and may have a query.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.addr)
    }

    /// Puts a script in the place of the one before; its lists begin at their beginning.
    pub fn set_script(&self, script: Script) {
        self.state.set_script(script);
    }

    /// The calls since the start or the last reset.
    pub fn calls(&self) -> Calls {
        self.state.calls()
    }

    /// Forgets calls and attempts; calls in flight go on.
    pub fn reset(&self) {
        self.state.reset();
    }

    /// Waits until the calls are as `holds` wants them.
    ///
    /// # Errors
    /// The calls as they are when `within` is over.
    pub async fn until(&self, within: Duration, holds: impl Fn(&Calls) -> bool) -> Result<Calls, Box<Calls>> {
        let mut changes = self.state.changes();
        let come_true = async {
            loop {
                // Seen before the look, so that no change is missed.
                changes.borrow_and_update();
                let calls = self.calls();
                if holds(&calls) || changes.changed().await.is_err() {
                    return calls;
                }
            }
        };
        timeout(within, come_true).await.map_err(|_| Box::new(self.calls()))
    }

    /// Closes the port and every connection at once, and waits for the end of all tasks.
    pub async fn stop(self) {
        self.state.stop();
        drop(self.stop);
        self.tasks.close();
        self.tasks.wait().await;
    }
}

fn listen(addr: SocketAddr) -> io::Result<TcpListener> {
    let socket = if addr.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(true)?;
    socket.bind(addr)?;
    socket.listen(WAITING_MAX)
}

async fn accept(listener: TcpListener, state: Arc<State>, tasks: TaskTracker, stop: CancellationToken) {
    while let Some(accepted) = stop.run_until_cancelled(listener.accept()).await {
        match accepted {
            Ok((stream, _)) => {
                let connection = serve(stream, state.clone());
                let stop = stop.clone();
                tasks.spawn(async move { stop.run_until_cancelled(connection).await });
            }
            Err(error) => {
                tracing::debug!(%error, "no connection can be taken for now");
                sleep(PAUSE).await;
            }
        }
    }
}

/// Serves one connection to its end. A peer that goes is no error: it is what many callers are tested for.
async fn serve(stream: TcpStream, state: Arc<State>) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "small pieces may wait");
    }
    let cut = Cut::default();
    let service = service_fn(|request| service::answer(state.clone(), cut.clone(), request));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).max_buf_size(BUFFER_BYTES);
    let socket = TokioIo::new(Socket::new(stream, cut.clone()));
    if let Err(error) = http.serve_connection(socket, service).await {
        tracing::debug!(%error, "a connection ended early");
    }
}
