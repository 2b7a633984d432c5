//! The store of logs, from the configuration to its ports.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;

use crate::config::{self, Config};
use crate::edge::cache::{MemoryCache, MemorySettings, PIECE_BYTES, RedisAddress, RedisCache, RedisSettings};
use crate::engine::ports::completion_cache::CompletionCache;
use crate::engine::ports::feedback_log::FeedbackKeys;
use crate::engine::ports::probe_tokens::ProbeTokens;
use crate::engine::ports::result_cache::ResultCache;
use crate::engine::ports::ticket_store::TicketStore;
use crate::engine::ports::wake_index::WakeIndex;
use crate::engine::telemetry::{Meters, Telemetry};

/// The store of logs, by its ports.
pub(super) struct Store {
    pub(super) cache: Arc<dyn ResultCache>,
    pub(super) wake_index: Option<Arc<dyn WakeIndex>>,
    /// What replicas share for subagents that they call; `None` where there are no others.
    pub(super) tokens: Option<Arc<dyn ProbeTokens>>,
    /// Where answers of language models are kept that replicas share; `None` where there are no others.
    pub(super) completions: Option<Arc<dyn CompletionCache>>,
    /// Where tickets are kept that replicas share; `None` where there are no others.
    pub(super) tickets: Option<Arc<dyn TicketStore>>,
    /// Under which keys feedback was given at any replica; `None` where there are no others.
    pub(super) feedback_keys: Option<Arc<dyn FeedbackKeys>>,
    pub(super) kind: StoreKind,
}

/// The store, by what it is.
pub(super) enum StoreKind {
    Memory(Arc<MemoryCache>),
    Redis(RedisCache),
}

/// Opens the store. `archived`: what an archive hasn't got yet stays.
pub(super) async fn open(config: &Config, archived: bool, telemetry: &Telemetry) -> anyhow::Result<Store> {
    match config.cache.backend {
        config::CacheBackend::Memory => {
            let cache = MemoryCache::new(memory_settings(config));
            let cache = Arc::new(match archived {
                true => cache.followed_by_archive(config.cache.ring_bytes_hard()),
                false => cache,
            });
            let kind = StoreKind::Memory(cache.clone());
            Ok(Store {
                cache,
                wake_index: None,
                tokens: None,
                completions: None,
                tickets: None,
                feedback_keys: None,
                kind,
            })
        }
        config::CacheBackend::Redis => {
            let cache =
                RedisCache::connect(redis_settings(config, archived, telemetry.meters.clone())?).await?;
            let port = Arc::new(cache.clone());
            let (wake_index, tokens) = (Some(port.clone() as _), Some(port.clone() as _));
            let (completions, tickets) = (Some(port.clone() as _), Some(port.clone() as _));
            let (feedback_keys, kind) = (Some(port.clone() as _), StoreKind::Redis(cache));
            Ok(Store { cache: port, wake_index, tokens, completions, tickets, feedback_keys, kind })
        }
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

/// Whether the files that the store needs can be read; nobody is reached.
///
/// # Errors
/// Where one can't; the text says which.
pub fn check(config: &Config) -> anyhow::Result<()> {
    match config.cache.backend {
        config::CacheBackend::Memory => Ok(()),
        config::CacheBackend::Redis => redis_address(config).map(drop),
    }
}

/// Where Redis is.
///
/// # Errors
/// Where the certificates to trust can't be read.
pub(crate) fn redis_address(config: &Config) -> anyhow::Result<RedisAddress> {
    let cache = &config.cache;
    let read = |path: &std::path::Path| {
        let origin = || config.origin_of("cache.redis_ca_file");
        let wrong = || format!("cache.redis_ca_file {} (set in {}) can't be read", path.display(), origin());
        std::fs::read(path).with_context(wrong)
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

fn redis_settings(config: &Config, is_gated: bool, meters: Arc<Meters>) -> anyhow::Result<RedisSettings> {
    let cache = &config.cache;
    Ok(RedisSettings {
        address: redis_address(config)?,
        ring_entries: cache.ring_entries,
        ring_bytes: cache.ring_bytes,
        ring_bytes_hard: cache.ring_bytes_hard(),
        bytes_max: cache.memory_bytes_max,
        piece_bytes: PIECE_BYTES,
        ttl_ms: cache.ttl_seconds * 1_000,
        tombstone_ms: cache.tombstone_seconds * 1_000,
        is_gated,
        meters,
    })
}
