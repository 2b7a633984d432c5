//! What the service needs of others, reached once: `tributary check`.

use crate::bootstrap;
use crate::config::{CacheBackend, Config};
use crate::edge::cache::RedisServer;

/// What came of reaching something.
#[derive(Debug)]
pub struct Dependency {
    /// What it is: `redis`, `archive`, `synthesis`, `synthesis.fallback`, `synthesis.judge`, `traces`, `metrics`.
    pub name: &'static str,
    /// What was found there, or why nothing was. Holds no secret.
    pub found: Result<String, String>,
}

/// Reaches everything that the configuration names, one after the other.
pub async fn reach(config: &Config) -> Vec<Dependency> {
    let mut reached = Vec::new();
    match config.cache.backend {
        CacheBackend::Memory => {}
        CacheBackend::Redis => {
            let found = redis(config).await.map_err(|error| format!("{error:#}"));
            reached.push(Dependency { name: "redis", found });
        }
    }
    let archive = bootstrap::reach_archive(config).await.map_err(|error| format!("{error:#}"));
    if let Some(found) = archive.transpose() {
        reached.push(Dependency { name: "archive", found });
    }
    let others = [bootstrap::reach_models(config).await, bootstrap::reach_collectors(config).await];
    reached.extend(others.into_iter().flatten().map(|(name, found)| Dependency { name, found }));
    reached
}

async fn redis(config: &Config) -> anyhow::Result<String> {
    let RedisServer { version, is_cluster, is_copy, evicts_by, .. } =
        bootstrap::redis_address(config)?.reach().await?;
    anyhow::ensure!(
        !is_copy,
        "it is a copy of another Redis and takes no writes: name the one that it copies"
    );
    let kind = if is_cluster { "cluster" } else { "single" };
    let warning = evicts_by.map(|policy| {
        format!(
            "; warning: it may let go of what is stored, as its maxmemory-policy is {policy}, not noeviction"
        )
    });
    Ok(format!("reachable, version {version}, {kind}{}", warning.unwrap_or_default()))
}
