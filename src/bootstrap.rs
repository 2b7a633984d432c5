//! Joins ports to their implementations and starts them: the only file that names both.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Context;
use axum::Router;
use axum::routing::get;
use tokio::net::TcpListener;

use crate::config::{self, Config};
use crate::domain::verdict::Code;
use crate::edge::http::problem::Problem;
use crate::edge::http::serve::{self, ServeSettings, ServeShutdown};
use crate::lifecycle::Shutdown;

/// A service that is ready to serve: its port is open, callers wait in the kernel until [`Running::run_until`].
pub struct Running {
    /// The address it listens on.
    pub addr: SocketAddr,
    listener: TcpListener,
    router: Router,
    settings: ServeSettings,
}

/// Builds the service. Listens on `listener` where there is one (tests), else as configured.
pub async fn start(config: Config, listener: Option<TcpListener>) -> anyhow::Result<Running> {
    for warning in config.warnings() {
        tracing::warn!("{warning}");
    }
    let listener = match listener {
        Some(listener) => listener,
        None => listen(config.server.listen)?,
    };
    let addr = listener.local_addr().context("the listener has no address")?;
    // Here the engine starts and gives the router its state.
    Ok(Running { addr, listener, router: router(), settings: settings(&config) })
}

impl Running {
    /// Serves until the shutdown is complete.
    pub async fn run_until(self, shutdown: Shutdown) {
        tracing::info!(address = %self.addr, "listening");
        let connections = ServeShutdown { soft: shutdown.soft, hard: shutdown.hard };
        serve::serve(self.listener, self.router, self.settings, connections).await;
        // Here the engine's tasks are waited for: their last answers have left by now.
        tracing::info!("stopped");
    }
}

fn listen(address: SocketAddr) -> anyhow::Result<TcpListener> {
    use io::ErrorKind::{AddrInUse, AddrNotAvailable, PermissionDenied};
    #[expect(clippy::wildcard_enum_match_arm, reason = "the system's errors, not ours")]
    let why = |error: io::Error| match error.kind() {
        AddrInUse => "another process listens there; choose another port with --listen".to_owned(),
        PermissionDenied => "ports below 1024 need a privilege; choose another with --listen".to_owned(),
        AddrNotAvailable => "this machine doesn't have that address".to_owned(),
        _ => error.to_string(),
    };
    serve::bind(address).map_err(|error| anyhow::anyhow!("can't listen on {address}: {}", why(error)))
}

fn settings(config: &Config) -> ServeSettings {
    let config::Server {
        listen: _,
        header_read_timeout_ms,
        connections_max,
        send_buffer_bytes,
        tcp_user_timeout_ms,
        read_buffer_bytes,
        drain_window_ms: _,
        worker_threads: _,
    } = config.server;
    ServeSettings {
        header_read_timeout: Duration::from_millis(header_read_timeout_ms),
        connections_max,
        send_buffer_bytes,
        tcp_user_timeout: Duration::from_millis(tcp_user_timeout_ms),
        read_buffer_bytes,
        retry: Duration::from_millis(config.streaming.retry_ms),
    }
}

fn router() -> Router {
    let nothing = || async { Problem::new(Code::NotFound, "there is nothing at this path") };
    let not_so = || async { Problem::new(Code::MethodNotAllowed, "the path doesn't take this method") };
    Router::new()
        .route("/healthz", get(|| async { "ok" }))
        .fallback(nothing)
        .method_not_allowed_fallback(not_so)
}
