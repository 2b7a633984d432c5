//! What the store knows of sessions, for who only looks.

use super::AggregationCoordinator;
use crate::domain::ids::{SessionId, SessionKey, TenantId};
use crate::engine::ports::result_cache::{Listed, Loaded, StoreError, load_settled};

impl AggregationCoordinator {
    /// What is known of a session.
    ///
    /// # Errors
    /// Where the store doesn't answer.
    pub async fn session(&self, key: &SessionKey) -> Result<Loaded, StoreError> {
        load_settled(&*self.shared.cache, key).await
    }

    /// The sessions of a tenant, by name, after `after`; also those that can't be read.
    ///
    /// # Errors
    /// Where the store doesn't answer.
    pub async fn sessions(
        &self,
        tenant: &TenantId,
        after: Option<&SessionId>,
        limit: usize,
    ) -> Result<Vec<Listed>, StoreError> {
        let cache = &self.shared.cache;
        cache.settled().await;
        let found = cache.sessions(tenant, after, limit).await?;
        // The store looked whether it has lost something: what comes back belongs to the list.
        if cache.settled().await { cache.sessions(tenant, after, limit).await } else { Ok(found) }
    }
}
