//! The archive: from its URL to the task that fills it, and the commands that only need it.

mod ending;

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow};
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use crate::config::{self, CacheBackend, Config};
use crate::domain::time::Timestamp;
use crate::edge::archive::{ArchiveUrl, Company, SqlArchive, Tables};
use crate::edge::http::app::ArchiveParts;
use crate::engine::archive::{
    ArchivedCache, Archiver, ArchiverSettings, LookAfter, RetentionSettings, keep_pruned,
};
use crate::engine::clock::wall_clock;
use crate::engine::coordinator::AggregationCoordinator;
use crate::engine::ports::archive::{Archive, ArchiveError};
use crate::engine::ports::feedback_log::FeedbackLog;
use crate::engine::ports::result_cache::ResultCache;
use crate::engine::ports::shadow_log::ShadowLog;
use crate::engine::ports::wake_index::WakeIndex;
use crate::engine::telemetry::Meters;

/// How long a database that isn't there yet is waited for at the start.
const ARCHIVE_PATIENCE: Duration = Duration::from_secs(10);
/// How often it is looked whether the process that has the archive's file has let go of it.
const HELD_LOOK: Duration = Duration::from_millis(100);
/// How often who has a PostgreSQL looks whether it still has it.
const HELD_EVERY: Duration = Duration::from_millis(500);
/// How long who starts waits for who had it before, where the database was away: it may hold what isn't archived yet.
const EARLIER_FIRST: Duration = Duration::from_secs(3);
/// How often it is said again that another process has the archive.
const SAID_EVERY: Duration = Duration::from_secs(30);
/// How often the archive is searched for what is older than its retention, and rows deleted at once.
const PRUNE_EVERY: Duration = Duration::from_secs(600);
const PRUNE_ROWS: usize = 1_000;

/// Brings the archive's tables up to date. Says what it did.
///
/// # Errors
/// Where there is an archive and it can't be reached.
pub async fn migrate(config: &Config) -> anyhow::Result<String> {
    Ok(match archive_at(config)? {
        Some(archive) => {
            ready(&archive).await?;
            archive.close().await;
            "the archive's tables are up to date".to_owned()
        }
        None => "nothing to migrate: archive.url is none".to_owned(),
    })
}

/// Connects to the archive, and says what is found there; `None` where there is none. Changes nothing.
///
/// # Errors
/// Where it doesn't answer, is of a later version, or takes no writes.
pub(crate) async fn reach(config: &Config) -> anyhow::Result<Option<String>> {
    let Some(url) = config.archive.url() else { return Ok(None) };
    let archive =
        url.parse::<ArchiveUrl>().and_then(|url| SqlArchive::found_at(&url)).context("archive.url")?;
    let reached = archive.reach().await;
    let holder = if reached.is_ok() && company(config) == Company::Nobody {
        archive.holder().await.unwrap_or_default()
    } else {
        None
    };
    archive.close().await;
    let in_use =
        holder.map_or(String::new(), |who| format!("; {who} has it, for which another start would wait"));
    let reached = reached.map_err(|error: ArchiveError| anyhow!(error.why().to_owned()));
    let tables = match reached.context("archive.url")? {
        Tables::Current => "its tables are up to date".to_owned(),
        Tables::Behind(1) => "its tables lack a migration, which the next start runs".to_owned(),
        Tables::Behind(count) => format!("its tables lack {count} migrations, which the next start runs"),
        Tables::NoFile => {
            let told =
                format!("{}; the file isn't there yet, and the next start makes it", archive.backend());
            return Ok(Some(told));
        }
    };
    Ok(Some(format!("reachable, {}; {tables}{in_use}", archive.backend())))
}

/// Whether the archive's URL leads to one, without going there.
///
/// # Errors
/// Where it doesn't, in the words in which a start refuses it.
pub fn check_archive(config: &Config) -> anyhow::Result<()> {
    let Some(url) = config.archive.url() else { return Ok(()) };
    url.parse::<ArchiveUrl>().map(drop).context("archive.url")
}

fn archive_at(config: &Config) -> anyhow::Result<Option<Arc<SqlArchive>>> {
    let Some(url) = config.archive.url() else { return Ok(None) };
    let archive = url.parse::<ArchiveUrl>().and_then(|url| SqlArchive::at(&url)).context("archive.url")?;
    Ok(Some(Arc::new(archive)))
}

/// The archive of a service: no other process has its file, and it is ready.
pub(super) async fn open(config: &Config) -> anyhow::Result<Option<Arc<SqlArchive>>> {
    let Some(archive) = archive_at(config)? else { return Ok(None) };
    if archive.backend() == "sqlite" {
        hold(&archive, config).await?;
        ready(&archive).await?;
    } else {
        let was_away = ready(&archive).await?;
        if was_away && company(config) == Company::Nobody {
            sleep(EARLIER_FIRST).await;
        }
        hold(&archive, config).await?;
    }
    Ok(Some(archive))
}

/// With whom this process may have its archive.
fn company(config: &Config) -> Company {
    match config.cache.backend {
        CacheBackend::Memory => Company::Nobody,
        CacheBackend::Redis => Company::Replicas,
    }
}

/// A start may overlap with the end of the one before, which has readers to send away: it is waited for.
async fn hold(archive: &SqlArchive, config: &Config) -> anyhow::Result<()> {
    let patience =
        ARCHIVE_PATIENCE.max(Duration::from_millis(config.server.drain_window_ms) + HELD_LOOK * 10);
    let give_up = Instant::now() + patience;
    let mut said = false;
    while let Err(error) = archive.hold(company(config)).await {
        if Instant::now() > give_up {
            archive.close().await;
            let why = anyhow!(error.why().to_owned());
            return Err(why.context(format!("archive.url: waited {} s for it", patience.as_secs())));
        }
        if !said {
            tracing::warn!(%error, "waiting for the archive");
            said = true;
        }
        sleep(HELD_LOOK).await;
    }
    Ok(())
}

/// Connects, and brings the tables up to date. A database that is just starting is waited for; one whose tables this version
/// can't go on with isn't. Whether it had to be waited for.
async fn ready(archive: &SqlArchive) -> anyhow::Result<bool> {
    let mut was_away = false;
    let give_up = Instant::now() + ARCHIVE_PATIENCE;
    loop {
        let unfit = archive.unfit().await;
        if let Ok(Some(why)) = unfit {
            archive.close().await;
            return Err(anyhow!(why).context("archive.url"));
        }
        let migrated = if unfit.is_ok() { archive.migrate().await } else { unfit.map(drop) };
        let Err(error) = migrated else { break };
        if Instant::now() > give_up {
            return Err(error).context("archive.url: set it to none to run without an archive");
        }
        tracing::warn!(%error, "waiting for the archive");
        was_away = true;
        sleep(ARCHIVE_PATIENCE / 10).await;
    }
    Ok(was_away)
}

/// The archive and what moves entries into it.
pub(super) struct RunningArchive {
    sql: Arc<SqlArchive>,
    pub(super) cache: Arc<ArchivedCache>,
    archiver: Archiver,
    retention: RetentionSettings,
    company: Company,
}

impl RunningArchive {
    pub(super) fn new(
        config: &Config,
        sql: Arc<SqlArchive>,
        cache: Arc<dyn ResultCache>,
        wake_index: Option<Arc<dyn WakeIndex>>,
        meters: Arc<Meters>,
    ) -> Self {
        let config::Archive {
            url: _,
            batch_entries,
            batch_bytes,
            batch_wait_ms,
            look_after_ms,
            retention_days,
        } = config.archive;
        let (appended, kept) =
            (Duration::from_millis(look_after_ms), Duration::from_secs(config.cache.ttl_seconds));
        let look_after = LookAfter { appended, kept };
        let cache = Arc::new(ArchivedCache::new(cache, sql.clone(), wake_index, look_after, meters.clone()));
        let linger = Duration::from_millis(batch_wait_ms);
        let archiver = Archiver::new(&cache, ArchiverSettings { batch_entries, batch_bytes, linger }, meters);
        let age = Duration::from_secs(retention_days * 86_400);
        let retention = RetentionSettings { age, every: PRUNE_EVERY, rows: PRUNE_ROWS };
        Self { sql, cache, archiver, retention, company: company(config) }
    }

    pub(super) fn parts(&self) -> ArchiveParts {
        let (archive, analytics) = (self.sql.clone(), self.sql.clone());
        ArchiveParts { archive, analytics, backlog: self.cache.backlog().clone() }
    }

    pub(super) fn feedback_log(&self) -> Arc<dyn FeedbackLog> {
        self.sql.clone()
    }

    pub(super) fn shadow_log(&self) -> Arc<dyn ShadowLog> {
        self.sql.clone()
    }

    /// The embedded cache is empty: what the archive knows as unfinished goes on.
    pub(super) async fn recover(
        &self,
        config: &Config,
        coordinator: &AggregationCoordinator,
    ) -> anyhow::Result<()> {
        let ttl_ms = i64::try_from(config.cache.ttl_seconds * 1_000).unwrap_or(i64::MAX);
        let since = Timestamp(wall_clock().0.saturating_sub(ttl_ms));
        let running = self.cache.recover(since).await.context("reading what is unfinished in the archive")?;
        for key in running {
            if let Err(error) = coordinator.resume(&key).await {
                tracing::warn!(session = %key.session, %error, "a session wasn't taken up");
            }
        }
        Ok(())
    }

    /// Archives until `stop`, then what is left, but not after `hard`.
    ///
    /// # Errors
    /// Where something is left that was acknowledged and is nowhere else: it ends with this process.
    pub(super) async fn run(self, stop: CancellationToken, hard: CancellationToken) -> anyhow::Result<()> {
        let backlog = self.cache.backlog().clone();
        let archive = self.sql.clone();
        let done = tokio::select! {
            () = self.archiver.run(stop) => Ok(()),
            () = hard.cancelled() => ending::all_archived(backlog.sessions(), self.company),
            () = keep_pruned(archive, self.retention, wall_clock) => Ok(()),
            () = keep_held(&self.sql, self.company) => Ok(()),
        };
        ending::close(&self.sql, &hard).await;
        done
    }
}

/// Takes the archive again where a database that was away let go of it. Where another process was first, it is said again and again: this
/// one goes on with what the archive hasn't got, as that is nowhere else, and stores nothing more.
async fn keep_held(archive: &SqlArchive, company: Company) {
    let mut said: Option<Instant> = None;
    loop {
        sleep(HELD_EVERY).await;
        let held = archive.hold(company).await;
        match archive.taken() {
            Some(why) if said.is_none_or(|at| at.elapsed() > SAID_EVERY) => {
                tracing::error!(
                    why,
                    "another process took the archive while the database was away: nothing is stored or archived any more until that one is \
                     gone, and what the archive hasn't got yet is only in this process"
                );
                said = Some(Instant::now());
            }
            None if held.is_ok() && said.take().is_some() => {
                tracing::warn!("the archive is this process's again, and what waited is written");
            }
            Some(_) | None => {}
        }
    }
}
