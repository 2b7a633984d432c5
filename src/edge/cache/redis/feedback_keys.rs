//! Under which `Idempotency-Key`s feedback was given in a session, for all replicas: without an archive each keeps the feedback itself.

use futures::FutureExt;

use super::value::text;
use super::{RedisCache, Shared, keys};
use crate::domain::event::Digest;
use crate::domain::ids::SessionKey;
use crate::domain::session::IdempotencyKey;
use crate::domain::time::Timestamp;
use crate::engine::ports::archive::{ArchiveError, ArchiveFuture};
use crate::engine::ports::feedback_log::{FeedbackKeys, Taken};
use crate::engine::ports::result_cache::StoreError;

/// Keys of a session: beyond, the oldest go.
const KEYS_MAX: usize = 256;

impl FeedbackKeys for RedisCache {
    fn take<'a>(
        &'a self,
        session: &'a SessionKey,
        once: &'a IdempotencyKey,
        at: Timestamp,
    ) -> ArchiveFuture<'a, Taken> {
        let taken = self.shared.take_feedback_key(session, once, at);
        taken.map(|taken| taken.map_err(|error| ArchiveError::Unavailable(error.to_string()))).boxed()
    }
}

impl Shared {
    async fn take_feedback_key(
        &self,
        session: &SessionKey,
        once: &IdempotencyKey,
        at: Timestamp,
    ) -> Result<Taken, StoreError> {
        let key = keys::feedback(session);
        let value = written(once.fingerprint, at);
        let known = self.link.call(&self.scripts.feedback_key, |command| {
            command.arg(1).arg(&key).arg(&*once.key).arg(&value);
            command.arg(self.settings.tombstone_ms).arg(KEYS_MAX);
        });
        match text(&known.await?).as_str() {
            "" => Ok(Taken::New),
            known => read(known, once.fingerprint)
                .ok_or_else(|| StoreError::Corrupt("a key of feedback can't be read".into())),
        }
    }
}

fn written(fingerprint: Digest, at: Timestamp) -> String {
    format!("{:032x} {}", fingerprint.0, at.0)
}

fn read(known: &str, fingerprint: Digest) -> Option<Taken> {
    let (first, at) = known.split_once(' ')?;
    let first = u128::from_str_radix(first, 16).ok()?;
    let at = Timestamp(at.parse().ok()?);
    Some(if first == fingerprint.0 { Taken::Before(at) } else { Taken::Conflict })
}
