//! `FeedbackLog`: what users think of results. It isn't part of a session's log, and is forgotten with its session.

use crate::domain::ids::{SessionKey, StepId, TenantId};
use crate::domain::requests::Feedback;
use crate::domain::session::IdempotencyKey;
use crate::domain::time::Timestamp;

use super::archive::ArchiveFuture;

/// Comments that are read back at most.
pub const COMMENTS_MAX: usize = 100;

/// What a user thinks of a step's result, and when that was said.
#[derive(Debug, Clone, PartialEq)]
pub struct GivenFeedback {
    /// The session.
    pub key: SessionKey,
    /// Whose result it is about.
    pub step: StepId,
    /// What was said.
    pub feedback: Feedback,
    /// When it came.
    pub at: Timestamp,
}

/// What became of feedback.
#[derive(Debug, Clone, PartialEq)]
pub enum FeedbackNoted {
    /// This is stored: what was given, or what a request under the same key had given before.
    Is(GivenFeedback),
    /// The key was used for another request of the session; nothing was stored.
    Conflict,
}

/// Feedback of a time, together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FeedbackFigures {
    /// How often any was given.
    pub count: u64,
    /// The mean of the scores, where there are any.
    pub average: Option<f64>,
    /// Those with a comment, newest first; at most [`COMMENTS_MAX`].
    pub comments: Vec<GivenFeedback>,
}

/// Where feedback goes, and is read back.
pub trait FeedbackLog: Send + Sync + 'static {
    /// Stores feedback, durably where the log is. A repeat under the same key (of a tenant's session) stores nothing and
    /// gets what the first one stored, for as long as that is kept.
    fn note_feedback<'a>(
        &'a self,
        given: &'a GivenFeedback,
        once: Option<&'a IdempotencyKey>,
    ) -> ArchiveFuture<'a, FeedbackNoted>;

    /// A tenant's feedback since `since`.
    fn feedback<'a>(&'a self, tenant: &'a TenantId, since: Timestamp) -> ArchiveFuture<'a, FeedbackFigures>;

    /// Forgets what was said in a session.
    fn forget_feedback<'a>(&'a self, key: &'a SessionKey) -> ArchiveFuture<'a, ()>;
}

/// What became of a key that was to be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// It is new.
    New,
    /// It was taken by the same request, at that time.
    Before(Timestamp),
    /// It was taken by another.
    Conflict,
}

/// Under which keys feedback was given, where each of several processes keeps what it was given itself.
pub trait FeedbackKeys: Send + Sync + 'static {
    /// Takes a key of a session's feedback; once, whoever asks.
    fn take<'a>(
        &'a self,
        session: &'a SessionKey,
        once: &'a IdempotencyKey,
        at: Timestamp,
    ) -> ArchiveFuture<'a, Taken>;
}
