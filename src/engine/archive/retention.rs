//! Retention: what is old goes, in steps so small that the archiver hardly waits.

use std::sync::Arc;
use std::time::Duration;

use crate::domain::time::Timestamp;
use crate::engine::ports::archive::Archive;

/// What is kept how long.
#[derive(Debug, Clone, Copy)]
pub struct RetentionSettings {
    /// Sessions whose last entry is older go.
    pub age: Duration,
    /// How often old sessions are looked for.
    pub every: Duration,
    /// Rows of one step.
    pub rows: usize,
}

/// Between two steps, so that who writes gets its turn.
const BETWEEN: Duration = Duration::from_millis(20);

/// Prunes until it is dropped. `now` is the wall clock.
pub async fn keep_pruned(
    archive: Arc<dyn Archive>,
    settings: RetentionSettings,
    now: impl Fn() -> Timestamp,
) {
    let mut ticks = tokio::time::interval(settings.every);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        prune(&*archive, settings, now()).await;
    }
}

async fn prune(archive: &dyn Archive, settings: RetentionSettings, now: Timestamp) {
    let age_ms = i64::try_from(settings.age.as_millis()).unwrap_or(i64::MAX);
    let older_than = Timestamp(now.0.saturating_sub(age_ms));
    let mut pruned = 0;
    loop {
        match archive.prune(older_than, settings.rows).await {
            Ok(rows) => {
                pruned += rows;
                if rows < settings.rows {
                    break;
                }
            }
            Err(error) => {
                tracing::warn!(%error, "old rows weren't pruned; they will be later");
                break;
            }
        }
        tokio::time::sleep(BETWEEN).await;
    }
    if pruned > 0 {
        tracing::info!(rows = pruned, "pruned what was older than the retention");
    }
}
