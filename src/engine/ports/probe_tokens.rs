//! `ProbeTokens`: which of several replicas may try whether a degraded subagent has recovered.
//!
//! Breakers' windows are each replica's own; the one probe of a half-open breaker is shared. A token that isn't given back
//! is free again when its time is over.

use std::time::Duration;

use futures::future::BoxFuture;

use super::result_cache::StoreError;

/// Tokens by name. The module's text is the contract.
pub trait ProbeTokens: Send + Sync + 'static {
    /// Takes a token for so long. `false`: somebody has it.
    fn take<'a>(&'a self, name: &'a str, time: Duration) -> BoxFuture<'a, Result<bool, StoreError>>;

    /// Gives a token back that this process took.
    fn give_back<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), StoreError>>;
}
