//! Joins ports to their implementations and starts them: this and what is below it alone name both.

mod access;
mod archive;
mod beside;
mod calls;
mod files;
mod forgetting;
mod settings;
mod store;
mod synthesis;
mod telemetry;
mod tls;
mod upkeep;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::edge::auth::Authenticator;
use crate::edge::http::Entrance;
use crate::edge::http::app::{App, Parts, Streams};
use crate::edge::http::serve::{self, ServeSettings, ServeShutdown};
use crate::edge::telemetry::otlp::Telemetry as Exporters;
use crate::engine::coordinator::AggregationCoordinator;
use crate::engine::mux::StreamMux;
use crate::engine::results::StepResults;
use crate::engine::shadow::ShadowComparer;
use crate::engine::synthesis::StepWriter;
use crate::lifecycle::Shutdown;
use access::SignedIn;
pub use access::check as check_access;
use archive::RunningArchive;
pub(crate) use archive::reach as reach_archive;
pub use archive::{check_archive, migrate};
pub use calls::check as check_calls;
pub use files::check as check_files;
use forgetting::Forgetting;
use settings::{coordinator_settings, http_settings, mux_settings, serve_settings};
use store::StoreKind;
pub use store::check as check_store;
pub(crate) use store::redis_address;
pub use synthesis::check as check_synthesis;
pub(crate) use synthesis::reach as reach_models;
use telemetry::Watched;
pub use telemetry::check as check_telemetry;
pub(crate) use telemetry::reach as reach_collectors;
pub use tls::check as check_tls;
use upkeep::Upkeep;

/// How long spans and metrics that wait may take to be sent when all else has ended.
const FLUSH: Duration = Duration::from_secs(2);

/// A service that is ready to serve: its port is open, callers wait in the kernel until [`Running::run_until`].
pub struct Running {
    /// The address it listens on.
    pub addr: SocketAddr,
    listener: TcpListener,
    app: App,
    upkeep: Upkeep,
    forgetting: Forgetting,
    archive: Option<RunningArchive>,
    exporters: Arc<Exporters>,
    authenticator: Arc<Authenticator>,
    draining: CancellationToken,
    drain_window: Duration,
    settings: ServeSettings,
}

/// Builds the service. Listens on `listener` where there is one (tests), else as configured.
///
/// # Errors
/// Where the port can't be opened; the text says why and what to do.
pub async fn start(config: Config, listener: Option<TcpListener>) -> anyhow::Result<Running> {
    let room = files::make_room(&config);
    for warning in config.warnings().iter().chain(&room.warning) {
        tracing::warn!("{warning}");
    }
    let listener = match listener {
        Some(listener) => listener,
        None => listen(config.server.listen)?,
    };
    let tls = tls::acceptor(&config.server)?;
    let addr = listener.local_addr().context("the listener has no address")?;
    let told = telemetry::start(&config)?;
    let sql = archive::open(&config).await?;
    let store = store::open(&config, sql.is_some(), &told.engine).await?;
    let (cache, wake_index) = (store.cache.clone(), store.wake_index.clone());
    let meters = told.engine.meters.clone();
    let archive = sql.map(|sql| RunningArchive::new(&config, sql, cache.clone(), wake_index.clone(), meters));
    let cache = archive.as_ref().map_or(cache, |archive| archive.cache.clone());
    let SignedIn { access, authenticator } = access::open(&config, &store).await?;
    let invoker = calls::invoker(&config, &store, &cache, &told.engine)?;
    let synthesiser = synthesis::synthesiser(&config, store.completions.clone(), &told.engine)?;
    let delta_pause = Duration::from_millis(config.synthesis.delta_ms);
    let writer =
        synthesiser.has_model().then(|| StepWriter::new(synthesiser.clone(), cache.clone(), delta_pause));
    let kind = store.kind;
    let draining = CancellationToken::new();
    let coordinator = AggregationCoordinator::new(
        cache.clone(),
        wake_index,
        coordinator_settings(&config),
        (Some(invoker.clone()), writer),
        told.engine.clone(),
    );
    if let Some(archive) = archive.as_ref().filter(|_| matches!(kind, StoreKind::Memory(_))) {
        archive.recover(&config, &coordinator).await?;
    }
    let archived = archive.as_ref().map(|archive| archive.cache.clone());
    let mux = StreamMux::new(cache.clone(), mux_settings(&config), told.engine.clone());
    let parts = Watched {
        coordinator: coordinator.clone(),
        mux: mux.clone(),
        invoker,
        draining: draining.clone(),
        readers_max: config.limits.readers,
    };
    telemetry::watch(&told.exporters.meter(), parts, &kind, archive.as_ref());
    let forgetting = Forgetting::new(&kind, archive.is_none());
    let upkeep = Upkeep::new(&config, kind, coordinator.clone(), archived);
    let results = Arc::new(StepResults::new(cache.clone()));
    let shadow_log = beside::shadow_log(&config, archive.as_ref());
    let feedback = beside::feedback_log(archive.as_ref(), store.feedback_keys);
    let app = App::new(Parts {
        coordinator,
        shadow: ShadowComparer::new(cache, results.clone(), shadow_log),
        feedback,
        results,
        access,
        rate_limits: access::rate_limits(&config),
        settings: http_settings(&config, &synthesiser),
        synthesiser,
        mux,
        telemetry: told.engine,
        scrape: telemetry::scrape(told.exporters.clone()),
        archive: archive.as_ref().map(RunningArchive::parts),
        draining: draining.clone(),
        streams: Streams::default(),
    });
    let drain_window = Duration::from_millis(config.server.drain_window_ms);
    let settings = serve_settings(&config, room.connections, tls);
    let exporters = told.exporters;
    Ok(Running {
        addr,
        listener,
        app,
        upkeep,
        forgetting,
        archive,
        exporters,
        authenticator,
        draining,
        drain_window,
        settings,
    })
}

impl Running {
    /// Serves until the shutdown is complete.
    ///
    /// # Errors
    /// Where something that was acknowledged ends with this process.
    pub async fn run_until(self, shutdown: Shutdown) -> anyhow::Result<()> {
        tracing::info!(address = %self.addr, "listening");
        let connections = ServeShutdown { soft: shutdown.soft.clone(), hard: shutdown.hard.clone() };
        let entrance = Entrance::new(self.app.clone());
        let serving = serve::serve(self.listener, entrance, self.settings, connections);
        let stored = CancellationToken::new();
        let stopping = async {
            shutdown.soft.cancelled().await;
            stop_in_order(&self.app, &self.draining, self.drain_window, &shutdown.hard).await;
            stored.cancel();
        };
        // A task of its own: writing shouldn't wait until a reader's turn is over.
        let archive = self.archive.map(|archive| archive.run(stored.clone(), shutdown.hard.clone()));
        let archiving = async {
            let Some(archive) = archive.map(tokio::spawn) else { return Ok(()) };
            let panicked = |error| {
                tracing::error!(%error, "the archiver failed");
                Err(anyhow::Error::new(error).context("the archiver failed"))
            };
            archive.await.unwrap_or_else(panicked)
        };
        let done = tokio::select! {
            (_, (), done, ()) = async { tokio::join!(serving, stopping, archiving, streams_ended(&self.app, &shutdown)) } => done,
            () = self.upkeep.run() => Ok(()),
            () = self.forgetting.run(&self.app) => Ok(()),
            () = self.app.shadow.run() => Ok(()),
            () = keys_kept(&self.authenticator) => Ok(()),
        };
        self.exporters.shutdown(FLUSH).await;
        tracing::info!("stopped");
        done
    }
}

/// Unready; bodies that still come are answered; calls get half the window; what is being stored is stored; readers last,
/// each with its place. A store that is away isn't waited for beyond the window: nobody was told that it has what waits.
async fn stop_in_order(app: &App, draining: &CancellationToken, window: Duration, hard: &CancellationToken) {
    draining.cancel();
    app.coordinator.finish_calls(window / 2).await;
    app.coordinator.drain();
    if hard.run_until_cancelled(app.coordinator.drained()).await.is_none() {
        tracing::warn!("some sessions still wait for their store");
    }
    app.mux.drain();
}

/// Keeps the keys of tokens up to date for as long as it is asked.
async fn keys_kept(authenticator: &Authenticator) {
    authenticator.refresh_forever().await;
    std::future::pending::<()>().await;
}

/// WebSockets end by their readers' end, or are dropped when the time is over.
async fn streams_ended(app: &App, shutdown: &Shutdown) {
    let Streams { tasks, stop } = &app.streams;
    shutdown.soft.cancelled().await;
    tasks.close();
    if shutdown.hard.run_until_cancelled(tasks.wait()).await.is_none() {
        stop.cancel();
        tasks.wait().await;
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
