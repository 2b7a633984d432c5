//! After a restart of the embedded cache: sessions that expect something are folded out of the archive and go on.

use super::cache::{ArchivedCache, away};
use super::fold::fold;
use super::locate::in_new_epoch;
use crate::domain::ids::SessionKey;
use crate::domain::time::Timestamp;
use crate::engine::ports::archive::ArchivedSession;
use crate::engine::ports::result_cache::StoreError;

/// Sessions asked for at once.
const PAGE: usize = 256;

impl ArchivedCache {
    /// Brings unfinished sessions back into a cache that has lost them: those with a running step, and those that
    /// changed at `since` or later and wait for another. Returns those that have something to decide.
    ///
    /// # Errors
    /// Where a store doesn't answer.
    pub async fn recover(&self, since: Timestamp) -> Result<Vec<SessionKey>, StoreError> {
        let (mut running, mut recovered) = (Vec::new(), 0_usize);
        let mut after: Option<SessionKey> = None;
        loop {
            let page = self.archive.unfinished(since, after.as_ref(), PAGE).await.map_err(away)?;
            for session in &page {
                if self.bring_back(session).await? {
                    recovered += 1;
                    running.extend(session.has_open_step.then(|| session.key.clone()));
                }
            }
            let Some(last) = page.last().filter(|_| page.len() == PAGE) else { break };
            after = Some(last.key.clone());
        }
        if recovered > 0 {
            tracing::info!(sessions = recovered, running = running.len(), "went on with what was archived");
        }
        Ok(running)
    }

    async fn bring_back(&self, session: &ArchivedSession) -> Result<bool, StoreError> {
        let position = in_new_epoch(session);
        let Some(restored) = fold(&*self.archive, session, position.epoch).await.map_err(away)? else {
            tracing::warn!(session = %session.key.session, "an archived session couldn't be folded");
            return Ok(false);
        };
        self.inner.restore(&session.key, &restored).await
    }
}
