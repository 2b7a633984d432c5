//! Waiting for what must come, but not forever.

use std::fmt::Display;
use std::time::Duration;

/// How long a test waits: the machine may be busy with other things, and a claim whose answer was lost is due again only
/// after 30 seconds.
const PATIENCE: Duration = Duration::from_secs(60);

/// Looks again and again until `look` sees what it looks for.
pub async fn eventually<T>(what: impl Display, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let looking = async {
        let mut looks = tokio::time::interval(Duration::from_millis(5));
        loop {
            looks.tick().await;
            if let Some(seen) = look().await {
                return seen;
            }
        }
    };
    let waited = tokio::time::timeout(PATIENCE, looking).await;
    waited.unwrap_or_else(|_| panic!("waited {PATIENCE:?} for {what}"))
}
