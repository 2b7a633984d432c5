//! Joins ports to their implementations and starts them: the only file that names both.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use tokio::net::TcpListener;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::config::{self, Config};
use crate::domain::directive::DirectiveRules;
use crate::edge::cache::{MemoryCache, MemorySettings, RedisAddress, RedisCache, RedisSettings};
use crate::edge::http::app::{App, HttpSettings, Parts};
use crate::edge::http::problem::Problem;
use crate::edge::http::router;
use crate::edge::http::serve::{self, ServeSettings, ServeShutdown};
use crate::engine::coordinator::{AggregationCoordinator, CoordinatorSettings};
use crate::engine::mux::{MuxSettings, StreamMux};
use crate::engine::ports::result_cache::ResultCache;
use crate::engine::ports::wake_index::WakeIndex;
use crate::lifecycle::Shutdown;

/// A service that is ready to serve: its port is open, callers wait in the kernel until [`Running::run_until`].
pub struct Running {
    /// The address it listens on.
    pub addr: SocketAddr,
    listener: TcpListener,
    app: App,
    upkeep: Upkeep,
    draining: CancellationToken,
    settings: ServeSettings,
}

/// Builds the service. Listens on `listener` where there is one (tests), else as configured.
///
/// # Errors
/// Where the port can't be opened; the text says why and what to do.
pub async fn start(config: Config, listener: Option<TcpListener>) -> anyhow::Result<Running> {
    for warning in config.warnings() {
        tracing::warn!("{warning}");
    }
    let listener = match listener {
        Some(listener) => listener,
        None => listen(config.server.listen)?,
    };
    let addr = listener.local_addr().context("the listener has no address")?;
    let Store { cache, wake_index, kind } = open_store(&config).await?;
    let draining = CancellationToken::new();
    let coordinator = AggregationCoordinator::new(cache.clone(), wake_index, coordinator_settings(&config));
    let upkeep = Upkeep { kind, coordinator: coordinator.clone(), settings: upkeep_settings(&config) };
    let app = App::new(Parts {
        coordinator,
        mux: StreamMux::new(cache, mux_settings(&config)),
        settings: http_settings(&config),
        draining: draining.clone(),
    });
    Ok(Running { addr, listener, app, upkeep, draining, settings: serve_settings(&config) })
}

impl Running {
    /// Serves until the shutdown is complete.
    pub async fn run_until(self, shutdown: Shutdown) {
        tracing::info!(address = %self.addr, "listening");
        let connections = ServeShutdown { soft: shutdown.soft.clone(), hard: shutdown.hard.clone() };
        let router = router(self.app.clone());
        let serving = serve::serve(self.listener, router, self.settings, connections);
        let stopping = async {
            shutdown.soft.cancelled().await;
            stop_in_order(&self.app, &self.draining).await;
        };
        tokio::select! {
            _ = async { tokio::join!(serving, stopping) } => {}
            () = self.upkeep.run() => {}
        }
        tracing::info!("stopped");
    }
}

/// Unready; bodies that still come are answered; what is being stored is stored; readers last, each with its place.
async fn stop_in_order(app: &App, draining: &CancellationToken) {
    draining.cancel();
    app.coordinator.drain();
    app.coordinator.drained().await;
    app.mux.drain();
}

/// The store of logs, by its ports.
struct Store {
    cache: Arc<dyn ResultCache>,
    wake_index: Option<Arc<dyn WakeIndex>>,
    kind: StoreKind,
}

/// The store, by what it is.
enum StoreKind {
    Memory(Arc<MemoryCache>),
    Redis(RedisCache),
}

async fn open_store(config: &Config) -> anyhow::Result<Store> {
    match config.cache.backend {
        config::CacheBackend::Memory => {
            let cache = Arc::new(MemoryCache::new(memory_settings(config)));
            Ok(Store { cache: cache.clone(), wake_index: None, kind: StoreKind::Memory(cache) })
        }
        config::CacheBackend::Redis => {
            let cache = RedisCache::connect(redis_settings(config)?).await?;
            let (port, index) = (Arc::new(cache.clone()), Arc::new(cache.clone()));
            Ok(Store { cache: port, wake_index: Some(index), kind: StoreKind::Redis(cache) })
        }
    }
}

/// What is done now and then.
struct Upkeep {
    kind: StoreKind,
    coordinator: AggregationCoordinator,
    settings: UpkeepSettings,
}

/// How often.
struct UpkeepSettings {
    sweep: Duration,
    /// How often windows are compared with the store.
    compare: Duration,
}

impl Upkeep {
    async fn run(&self) {
        let mut ticks = tokio::time::interval(self.settings.sweep);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut compared = Instant::now();
        loop {
            ticks.tick().await;
            let compares = compared.elapsed() >= self.settings.compare;
            if compares {
                compared = Instant::now();
            }
            match &self.kind {
                StoreKind::Memory(cache) => cache.sweep(),
                StoreKind::Redis(cache) => cache.sweep(compares).await,
            }
            if let Err(error) = self.coordinator.wake_due().await {
                tracing::debug!(%error, "what is due was not looked for");
            }
        }
    }
}

fn upkeep_settings(config: &Config) -> UpkeepSettings {
    UpkeepSettings {
        sweep: Duration::from_millis(config.cache.sweep_ms),
        compare: Duration::from_millis(config.streaming.heartbeat_ms),
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

fn serve_settings(config: &Config) -> ServeSettings {
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

fn memory_settings(config: &Config) -> MemorySettings {
    let config::Cache { ttl_seconds, tombstone_seconds, ring_entries, ring_bytes, memory_bytes_max, .. } =
        config.cache;
    MemorySettings {
        ring_entries,
        ring_bytes,
        bytes_max: memory_bytes_max,
        sessions_max: config.limits.sessions,
        ttl_ms: ttl_seconds * 1_000,
        tombstone_ms: tombstone_seconds * 1_000,
    }
}

/// Where Redis is.
///
/// # Errors
/// Where the certificates to trust can't be read.
pub(crate) fn redis_address(config: &Config) -> anyhow::Result<RedisAddress> {
    let cache = &config.cache;
    let read = |path: &std::path::Path| {
        std::fs::read(path).with_context(|| format!("cache.redis_ca_file {} can't be read", path.display()))
    };
    let ca_file = Some(cache.redis_ca_file.as_path()).filter(|path| !path.as_os_str().is_empty());
    let timeout = Duration::from_millis(cache.redis_timeout_ms);
    Ok(RedisAddress {
        url: cache.redis_url.expose().to_owned(),
        ca_certificates: ca_file.map(read).transpose()?,
        response_timeout: timeout,
        connection_timeout: timeout,
    })
}

fn redis_settings(config: &Config) -> anyhow::Result<RedisSettings> {
    let cache = &config.cache;
    Ok(RedisSettings {
        address: redis_address(config)?,
        ring_entries: cache.ring_entries,
        ring_bytes: cache.ring_bytes,
        ring_bytes_hard: cache.ring_bytes * 2,
        bytes_max: cache.memory_bytes_max,
        ttl_ms: cache.ttl_seconds * 1_000,
        tombstone_ms: cache.tombstone_seconds * 1_000,
        is_gated: false,
    })
}

fn coordinator_settings(config: &Config) -> CoordinatorSettings {
    let config::Coordinator { inbox, batch_entries, batch_bytes, idle_ms } = config.coordinator;
    CoordinatorSettings {
        limits: config.limits.session(),
        inbox,
        batch_entries,
        batch_bytes,
        idle: Duration::from_millis(idle_ms),
        fresh: Duration::from_secs(config.cache.ttl_seconds) / 2,
        append_timeout: Duration::from_millis(config.cache.append_timeout_ms),
    }
}

fn mux_settings(config: &Config) -> MuxSettings {
    let streaming = &config.streaming;
    MuxSettings {
        batch_events: streaming.batch_events,
        heartbeat_ms: streaming.heartbeat_ms,
        connection_age_ms: streaming.connection_age_ms,
        retry_ms: streaming.retry_ms,
        unknown_patience_ms: streaming.unknown_patience_ms,
        coalesce_backlog: streaming.coalesce_backlog as u64,
        chunk_bytes: streaming.chunk_bytes,
        readers_per_session: config.limits.readers_per_session,
        readers: config.limits.readers,
        drain_spread_ms: config.server.drain_window_ms / 2,
        problem: |code, detail| Problem::new(code, detail).to_json().into_bytes(),
    }
}

fn http_settings(config: &Config) -> HttpSettings {
    let limits = &config.limits;
    let hosts = config.invoke.allowed_hosts.iter().map(ToString::to_string);
    let rules = DirectiveRules {
        limits: limits.session(),
        allowed_hosts: hosts.collect(),
        language_model: config.synthesis.provider != config::SynthesisProvider::None,
    };
    let disabled = config.subagents.iter().filter(|(_, switch)| !switch.enabled);
    HttpSettings {
        body_bytes: limits.body_bytes,
        event_bytes: limits.event_bytes,
        events_per_request: limits.events_per_request,
        page_limit: config.streaming.page_limit,
        page_limit_max: config.streaming.page_limit_max,
        retry_ms: config.streaming.retry_ms,
        enabled: config.rollout.aggregator_streaming,
        requests_per_second: limits.requests_per_second,
        rules,
        disabled_subagents: disabled.map(|(key, _)| key.clone()).collect(),
    }
}
