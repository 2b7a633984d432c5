//! Whether channels can be joined, and what is said where they can't.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use redis::{RedisError, RedisResult};
use tokio::time::timeout;

use super::connection::Link;
use super::keys;

/// What is said where there is no subscription.
pub(super) const DOWN: &str = "the subscription to Redis is down";

/// Why there is no subscription, as the last try told it.
#[derive(Clone, Default)]
pub(super) struct Trouble(Arc<Mutex<Option<String>>>);

impl Trouble {
    /// The first of a series is told: without a subscription the replica isn't ready, and it may be one that is refused.
    pub(super) fn note(&self, why: String) {
        let mut known = self.0.lock();
        match *known {
            None => tracing::warn!(why, "no subscription to Redis"),
            Some(_) => tracing::debug!(why, "no subscription to Redis"),
        }
        *known = Some(why);
    }

    pub(super) fn clear(&self) {
        *self.0.lock() = None;
    }

    /// For who runs the service.
    pub(super) fn told(&self) -> String {
        let why = self.0.lock().as_ref().map_or(String::new(), |why| format!(": {why}"));
        format!("{DOWN}{why}")
    }
}

impl Link {
    /// Whether this user may join the channels that a replica does: once, on a connection that is closed again.
    ///
    /// # Errors
    /// Why it can't, at the last of the nodes that are named.
    pub(super) async fn try_to_join(&self) -> Result<(), String> {
        let mut joined = Ok(());
        for node in 0..self.nodes() {
            joined = self.try_to_join_at(node).await;
            if joined.is_ok() {
                break;
            }
        }
        joined
    }

    async fn try_to_join_at(&self, node: usize) -> Result<(), String> {
        let (mut line, _heard) = self.listen(node).await?;
        let channels = [keys::DELETIONS, keys::LOST, keys::CHANNEL_OF_NOBODY];
        bounded(self.response_timeout(), line.subscribe(&channels)).await.map_err(not_joined)
    }
}

/// A user that was made since Redis 7.0 has no channels unless it was given some.
pub(super) fn not_joined(error: RedisError) -> String {
    match error.code() {
        Some("NOPERM") => format!("{error}; give the user its channels: ACL SETUSER … &tributary:*"),
        _ => error.to_string(),
    }
}

pub(super) async fn bounded<T>(
    bound: Duration,
    answer: impl Future<Output = RedisResult<T>>,
) -> RedisResult<T> {
    let late = |_| Err(std::io::Error::from(std::io::ErrorKind::TimedOut).into());
    timeout(bound, answer).await.unwrap_or_else(late)
}
