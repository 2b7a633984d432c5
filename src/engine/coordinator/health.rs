//! How the service is doing: its store, and the subagents that it hears of and calls.

use super::AggregationCoordinator;
use crate::domain::breaker::BreakerView;
use crate::domain::ids::{SubagentKey, TenantId};
use crate::domain::time::Timestamp;
use crate::engine::figures::{self, StoreFigures};
use crate::engine::ports::result_cache::StoreError;

impl AggregationCoordinator {
    /// What the store is.
    pub fn store_backend(&self) -> &'static str {
        self.shared.cache.backend()
    }

    /// Whether the store answers; the text says why not.
    ///
    /// # Errors
    /// Where it doesn't.
    pub fn store_health(&self) -> Result<(), String> {
        self.shared.cache.health()
    }

    /// Figures over what subagents did, out of at most `sessions_max` of the sessions that the store still holds.
    ///
    /// # Errors
    /// Where the store doesn't answer.
    pub async fn figures(
        &self,
        tenant: &TenantId,
        since: Timestamp,
        sessions_max: usize,
    ) -> Result<StoreFigures, StoreError> {
        figures::of_store(&*self.shared.cache, tenant, since, sessions_max).await
    }

    /// The breakers of subagents that this replica calls.
    pub fn breakers(&self, tenant: &TenantId) -> Vec<(SubagentKey, BreakerView)> {
        self.shared.invoker.as_ref().map(|invoker| invoker.breakers(tenant, self.now())).unwrap_or_default()
    }
}
