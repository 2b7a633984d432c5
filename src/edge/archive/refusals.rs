//! Connections on which PostgreSQL takes no writes.
//!
//! A connection keeps what it was opened with: `default_transaction_read_only`, as it is set where a disk is nearly full, or the server
//! to which a proxy led it before another one became the writer. So one that refuses a write isn't used again, nor are those that were
//! opened before: others can write by now.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// PostgreSQL's `read_only_sql_transaction`.
const READ_ONLY: &str = "25006";

/// When a write was refused last, by a connection that only reads.
#[derive(Debug, Clone, Default)]
pub(super) struct Refusals(Arc<Mutex<Option<Instant>>>);

impl Refusals {
    /// Takes note of what became of a write.
    pub(super) fn note(&self, error: &sqlx::Error) {
        let code = error.as_database_error().and_then(|error| error.code());
        if code.as_deref() == Some(READ_ONLY) {
            *self.0.lock() = Some(Instant::now());
        }
    }

    /// Whether a connection of this age was opened after the last refusal.
    pub(super) fn is_after(&self, age: Duration) -> bool {
        self.0.lock().is_none_or(|refused| age < refused.elapsed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_connections_that_are_younger_than_the_refusal_are_used_again() {
        let refusals = Refusals::default();
        assert!(refusals.is_after(Duration::from_secs(60)), "nothing was refused");
        refusals.note(&sqlx::Error::PoolTimedOut);
        assert!(refusals.is_after(Duration::from_secs(60)), "it wasn't for that");
        *refusals.0.lock() = Some(Instant::now());
        assert!(!refusals.is_after(Duration::from_secs(60)));
    }
}
