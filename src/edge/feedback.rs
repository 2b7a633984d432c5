//! The [`FeedbackLog`] of a service without an archive: in memory, of this process, bounded. Several replicas share its keys, where their
//! store can.

use std::collections::VecDeque;
use std::sync::Arc;

use futures::FutureExt;
use futures::future::ready;
use parking_lot::Mutex;

use crate::domain::ids::{SessionKey, TenantId};
use crate::domain::session::IdempotencyKey;
use crate::domain::time::Timestamp;
use crate::engine::ports::archive::{ArchiveError, ArchiveFuture};
use crate::engine::ports::feedback_log::{
    COMMENTS_MAX, FeedbackFigures, FeedbackKeys, FeedbackLog, FeedbackNoted, GivenFeedback, Taken,
};

/// What is kept at most: the oldest makes room.
pub const FEEDBACK_MAX: usize = 10_000;
/// Bytes of all comments.
pub const BYTES_MAX: usize = 16 << 20;

/// The [`FeedbackLog`] in memory.
#[derive(Default)]
pub struct MemoryFeedbackLog {
    kept: Mutex<Kept>,
    keys: Option<Arc<dyn FeedbackKeys>>,
}

impl MemoryFeedbackLog {
    /// One whose keys others know as well.
    pub fn sharing(keys: Arc<dyn FeedbackKeys>) -> Self {
        Self { kept: Mutex::default(), keys: Some(keys) }
    }

    async fn note(
        &self,
        given: &GivenFeedback,
        once: Option<&IdempotencyKey>,
    ) -> Result<FeedbackNoted, ArchiveError> {
        if let (Some(once), Some(keys)) = (once, &self.keys) {
            match keys.take(&given.key, once, given.at).await? {
                Taken::New => {}
                // The same request says the same.
                Taken::Before(at) => return Ok(FeedbackNoted::Is(GivenFeedback { at, ..given.clone() })),
                Taken::Conflict => return Ok(FeedbackNoted::Conflict),
            }
        }
        Ok(self.kept.lock().note(given, once))
    }
}

#[derive(Debug, Default)]
struct Kept {
    /// As it came.
    given: VecDeque<(GivenFeedback, Option<IdempotencyKey>)>,
    bytes: usize,
}

fn bytes_of(given: &GivenFeedback) -> usize {
    given.feedback.comment.as_ref().map_or(0, String::len)
}

impl Kept {
    fn note(&mut self, given: &GivenFeedback, once: Option<&IdempotencyKey>) -> FeedbackNoted {
        if let Some(noted) = once.and_then(|once| self.noted_before(&given.key, once)) {
            return noted;
        }
        self.bytes += bytes_of(given);
        self.given.push_back((given.clone(), once.cloned()));
        while self.given.len() > FEEDBACK_MAX || self.bytes > BYTES_MAX {
            let Some((oldest, _)) = self.given.pop_front() else { break };
            self.bytes -= bytes_of(&oldest);
        }
        FeedbackNoted::Is(given.clone())
    }

    fn noted_before(&self, key: &SessionKey, once: &IdempotencyKey) -> Option<FeedbackNoted> {
        let keyed = self.given.iter().filter_map(|(given, known)| Some((given, known.as_ref()?)));
        let (given, known) =
            keyed.filter(|(given, _)| given.key == *key).find(|(_, known)| known.key == once.key)?;
        Some(if known == once { FeedbackNoted::Is(given.clone()) } else { FeedbackNoted::Conflict })
    }

    fn figures(&self, tenant: &TenantId, since: Timestamp) -> FeedbackFigures {
        let wanted = |given: &&GivenFeedback| given.key.tenant == *tenant && given.at >= since;
        let mut found: Vec<_> = self.given.iter().map(|(given, _)| given).filter(wanted).collect();
        let sum: f64 = found.iter().map(|given| given.feedback.score).sum();
        let average = (!found.is_empty()).then(|| sum / found.len() as f64);
        let count = found.len() as u64;
        found.retain(|given| given.feedback.comment.is_some());
        // Of one moment the later one is the newer.
        found.sort_by_key(|given| given.at);
        let comments = found.into_iter().rev().take(COMMENTS_MAX).cloned().collect();
        FeedbackFigures { count, average, comments }
    }

    fn forget(&mut self, key: &SessionKey) {
        self.given.retain(|(given, _)| given.key != *key);
        self.bytes = self.given.iter().map(|(given, _)| bytes_of(given)).sum();
    }
}

impl FeedbackLog for MemoryFeedbackLog {
    fn note_feedback<'a>(
        &'a self,
        given: &'a GivenFeedback,
        once: Option<&'a IdempotencyKey>,
    ) -> ArchiveFuture<'a, FeedbackNoted> {
        self.note(given, once).boxed()
    }

    fn feedback<'a>(&'a self, tenant: &'a TenantId, since: Timestamp) -> ArchiveFuture<'a, FeedbackFigures> {
        ready(Ok(self.kept.lock().figures(tenant, since))).boxed()
    }

    fn forget_feedback<'a>(&'a self, key: &'a SessionKey) -> ArchiveFuture<'a, ()> {
        self.kept.lock().forget(key);
        ready(Ok(())).boxed()
    }
}
