//! Where is kept what stands beside the logs: in the archive, or in memory where there is none.

use std::sync::Arc;

use super::archive::RunningArchive;
use crate::config::Config;
use crate::edge::feedback::MemoryFeedbackLog;
use crate::edge::shadow::MemoryShadowLog;
use crate::engine::clock::wall_clock;
use crate::engine::ports::feedback_log::{FeedbackKeys, FeedbackLog};
use crate::engine::ports::shadow_log::ShadowLog;

/// The monolith's answers. In memory one is kept as long as a session that nobody uses.
pub(super) fn shadow_log(config: &Config, archive: Option<&RunningArchive>) -> Arc<dyn ShadowLog> {
    let in_memory = || {
        let keep_ms = config.cache.ttl_seconds.saturating_mul(1_000);
        Arc::new(MemoryShadowLog::new(keep_ms, wall_clock)) as Arc<dyn ShadowLog>
    };
    archive.map_or_else(in_memory, RunningArchive::shadow_log)
}

/// What users think of results; `keys` are those that replicas share.
pub(super) fn feedback_log(
    archive: Option<&RunningArchive>,
    keys: Option<Arc<dyn FeedbackKeys>>,
) -> Arc<dyn FeedbackLog> {
    let in_memory = || {
        Arc::new(keys.map_or_else(MemoryFeedbackLog::default, MemoryFeedbackLog::sharing))
            as Arc<dyn FeedbackLog>
    };
    archive.map_or_else(in_memory, RunningArchive::feedback_log)
}
