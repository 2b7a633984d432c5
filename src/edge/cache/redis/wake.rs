//! The index of wake-ups: which session has something due, and when. A sorted set in parts, by the store's clock.

use futures::future::join_all;
use redis::Value;

use super::Shared;
use super::keys;
use super::value::text;
use crate::domain::ids::SessionKey;
use crate::domain::time::Timestamp;
use crate::engine::ports::result_cache::StoreError;
use crate::engine::ports::wake_index::Work;

/// How long a claim holds: a replica that dies after it delays what was due by as much.
const CLAIMED_MS: u64 = 30_000;
/// Wake-ups of one part that are claimed at once.
const CLAIMED_AT_ONCE: usize = 128;

impl Shared {
    /// Has the session looked at when `at` has come, or never where there is none.
    pub(super) async fn wake_at(
        &self,
        key: &SessionKey,
        work: Work,
        at: Option<Timestamp>,
    ) -> Result<(), StoreError> {
        let mut command = redis::cmd(if at.is_some() { "ZADD" } else { "ZREM" });
        command.arg(keys::wake_part(key, work));
        if let Some(at) = at {
            command.arg(at.0);
        }
        self.link.run(command.arg(keys::wake_name(key))).await.map(|_| ())
    }

    /// The sessions with something due, claimed for a while. What was claimed is looked after though a node of a cluster
    /// is gone, and its parts with it.
    pub(super) async fn due(&self, work: Work) -> Result<Vec<SessionKey>, StoreError> {
        let parts = join_all((0..keys::WAKE_PARTS).map(|part| self.claim(work, part))).await;
        let (claimed, failed): (Vec<_>, Vec<_>) = parts.into_iter().partition(Result::is_ok);
        match failed.into_iter().find_map(Result::err) {
            Some(error) if claimed.is_empty() => return Err(error),
            Some(error) => tracing::debug!(%error, "a part of what is due was not looked for"),
            None => {}
        }
        Ok(claimed.into_iter().flatten().flatten().collect())
    }

    async fn claim(&self, work: Work, part: u64) -> Result<Vec<SessionKey>, StoreError> {
        let part = keys::wake_part_number(work, part);
        let names = self.link.call(&self.scripts.claim, |command| {
            command.arg(1).arg(&part).arg(self.set_now()).arg(CLAIMED_MS).arg(CLAIMED_AT_ONCE);
        });
        let Value::Array(names) = names.await? else {
            return Err(StoreError::Corrupt("the index of wake-ups can't be read".into()));
        };
        Ok(names.iter().filter_map(|name| keys::named(&text(name))).collect())
    }
}
