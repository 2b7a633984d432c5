//! What is done now and then, as long as the service runs.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval};

use super::store::StoreKind;
use crate::config::Config;
use crate::engine::archive::ArchivedCache;
use crate::engine::coordinator::AggregationCoordinator;

/// Sweeping, comparing with the store, and looking after what other replicas left behind.
pub(super) struct Upkeep {
    kind: StoreKind,
    coordinator: AggregationCoordinator,
    archived: Option<Arc<ArchivedCache>>,
    sweep: Duration,
    /// How often windows are compared with the store.
    compare: Duration,
}

impl Upkeep {
    pub(super) fn new(
        config: &Config,
        kind: StoreKind,
        coordinator: AggregationCoordinator,
        archived: Option<Arc<ArchivedCache>>,
    ) -> Self {
        let sweep = Duration::from_millis(config.cache.sweep_ms);
        let compare = Duration::from_millis(config.streaming.heartbeat_ms);
        Self { kind, coordinator, archived, sweep, compare }
    }

    pub(super) async fn run(&self) {
        tokio::join!(self.look_now_and_then(), self.coordinator.decide_what_is_lost());
    }

    async fn look_now_and_then(&self) {
        let mut ticks = interval(self.sweep);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut compared = Instant::now();
        let (mut looking, mut looked_in) = (JoinSet::new(), 0);
        loop {
            ticks.tick().await;
            let compares = compared.elapsed() >= self.compare;
            if compares {
                compared = Instant::now();
            }
            match &self.kind {
                StoreKind::Memory(cache) => cache.sweep(),
                StoreKind::Redis(cache) => {
                    cache.sweep(compares).await;
                    self.look_after_running(cache.line(), &mut looking, &mut looked_in);
                }
            }
            if let Err(error) = self.coordinator.wake_due().await {
                tracing::debug!(%error, "what is due was not looked for");
            }
            if let Some(archived) = &self.archived
                && let Err(error) = archived.look_after_others().await
            {
                tracing::debug!(%error, "what waits for the archive was not looked for");
            }
        }
    }

    /// A line that is new may lead to a store that lost sessions which nobody here holds: what the archive has of those with a
    /// running step goes back, so that their deadlines come. The others are looked after when somebody asks.
    /// Beside everything else, since many sessions take their time.
    fn look_after_running(&self, line: u64, looking: &mut JoinSet<Option<u64>>, looked_in: &mut u64) {
        while let Some(looked) = looking.try_join_next() {
            *looked_in = looked.ok().flatten().unwrap_or(*looked_in);
        }
        let is_due = line != 0 && line != *looked_in && looking.is_empty();
        let Some(archived) = self.archived.clone().filter(|_| is_due) else { return };
        looking.spawn(async move {
            match archived.look_after_running().await {
                Ok(0) => Some(line),
                Ok(sessions) => {
                    tracing::warn!(
                        sessions,
                        "the store had lost running sessions: the archive gave them back"
                    );
                    Some(line)
                }
                Err(error) => {
                    tracing::debug!(%error, "whether the store lost running sessions isn't known");
                    None
                }
            }
        });
    }
}
