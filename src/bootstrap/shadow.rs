//! Where the monolith's answers are kept: in the archive, or in memory where there is none.

use std::sync::Arc;

use super::archive::{RunningArchive, wall_clock};
use crate::config::Config;
use crate::edge::shadow::MemoryShadowLog;
use crate::engine::ports::shadow_log::ShadowLog;

/// In memory an answer is kept as long as a session that nobody uses.
pub(super) fn log(config: &Config, archive: Option<&RunningArchive>) -> Arc<dyn ShadowLog> {
    let in_memory = || {
        let keep_ms = config.cache.ttl_seconds.saturating_mul(1_000);
        Arc::new(MemoryShadowLog::new(keep_ms, wall_clock)) as Arc<dyn ShadowLog>
    };
    archive.map_or_else(in_memory, RunningArchive::shadow_log)
}
