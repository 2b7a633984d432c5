//! `[cache]`: where the log lives and how much of it.

use std::path::PathBuf;

use redis::IntoConnectionInfo;
use serde::Deserialize;

use super::check::Checks;
use super::secret::Secret;

/// What keeps the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CacheBackend {
    /// A ring buffer a session, in this process.
    Memory,
    /// Redis, shared by replicas.
    Redis,
}

/// The store of logs; each key is documented in `config/default.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "config/default.toml documents the keys")]
pub struct Cache {
    pub backend: CacheBackend,
    pub redis_url: Secret,
    pub redis_ca_file: PathBuf,
    pub redis_timeout_ms: u64,
    pub ttl_seconds: u64,
    pub tombstone_seconds: u64,
    pub ring_entries: usize,
    pub ring_bytes: usize,
    pub ring_bytes_hard: usize,
    pub memory_bytes_max: usize,
    pub sweep_ms: u64,
    pub append_timeout_ms: u64,
}

impl Cache {
    /// Bytes of a session that may wait for the archive.
    pub fn ring_bytes_hard(&self) -> usize {
        if self.ring_bytes_hard == 0 { self.ring_bytes.saturating_mul(2) } else { self.ring_bytes_hard }
    }

    /// Every node that is named; what is wrong with one isn't quoted, as it may hold a password.
    fn check_address(&self, checks: &mut Checks<'_>) {
        let fits = |node: &str| {
            let scheme = ["redis://", "rediss://"].iter().any(|scheme| node.starts_with(scheme));
            scheme && node.into_connection_info().is_ok()
        };
        if !self.redis_url.expose().split(',').map(str::trim).all(fits) {
            let form = "it is like `redis://127.0.0.1:6379/0`, or `rediss://…` over TLS; a user and a password stand before the host, a colon between \
                        them and an at sign behind; nodes of a cluster have commas between";
            checks.refuse("cache.redis_url", form);
        }
    }

    pub(super) fn check(&self, checks: &mut Checks<'_>) {
        if self.redis_url.is_set() {
            self.check_address(checks);
        } else if self.backend == CacheBackend::Redis {
            checks.refuse("cache.redis_url", "cache.backend is redis: say where it is");
        }
        checks.range("cache.redis_timeout_ms", self.redis_timeout_ms, 10..=60_000);
        checks.range("cache.ttl_seconds", self.ttl_seconds, 1..=2_592_000);
        checks.range("cache.tombstone_seconds", self.tombstone_seconds, 1..=2_592_000);
        checks.at_most(
            "cache.ttl_seconds",
            self.ttl_seconds,
            "cache.tombstone_seconds",
            self.tombstone_seconds,
        );
        checks.range("cache.ring_entries", self.ring_entries as u64, 16..=10_000_000);
        checks.range("cache.ring_bytes", self.ring_bytes as u64, 65_536..);
        let ring = self.ring_bytes as u64;
        checks.zero_or_at_least(
            "cache.ring_bytes_hard",
            self.ring_bytes_hard as u64,
            "cache.ring_bytes",
            ring,
        );
        checks.range("cache.memory_bytes_max", self.memory_bytes_max as u64, 1_048_576..);
        let all = self.memory_bytes_max as u64;
        checks.at_most("cache.ring_bytes", ring, "cache.memory_bytes_max", all);
        checks.range("cache.sweep_ms", self.sweep_ms, 10..=60_000);
        checks.range("cache.append_timeout_ms", self.append_timeout_ms, 1..=60_000);
    }
}
