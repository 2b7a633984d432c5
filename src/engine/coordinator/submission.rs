//! What is handed to a session's task, and what comes back.

use std::sync::Arc;

use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::domain::position::Position;
use crate::domain::record::Answer;
use crate::domain::session::{Command, IdempotencyKey, SessionState};
use crate::domain::verdict::Refusal;
use crate::engine::ports::result_cache::StoreError;
use crate::engine::telemetry::Meters;

/// Commands for one session, decided in order and one by one.
#[derive(Debug, Clone)]
pub struct Submission {
    /// What to decide.
    pub commands: Vec<Command>,
    /// Whether a repeat gets the first answer.
    pub idempotency: Option<IdempotencyKey>,
    /// The places of the commands in the sender's request, where it has an `idempotency` and comes in pieces: what was refused before
    /// it became a command has a place, too. Empty: they are counted from 0, which is the same for each repeat of one body.
    pub places: Vec<u32>,
}

impl Submission {
    /// The place of command `nth` in the sender's request.
    pub(super) fn place(&self, nth: usize) -> u32 {
        self.places.get(nth).copied().unwrap_or_else(|| u32::try_from(nth).unwrap_or(u32::MAX))
    }

    /// Whether it may begin a session.
    pub(super) fn starts(&self) -> bool {
        self.commands.iter().any(|command| matches!(command, Command::StartStep(_)))
    }

    /// One command.
    pub fn one(command: Command, idempotency: Option<IdempotencyKey>) -> Self {
        Self { commands: vec![command], idempotency, places: Vec::new() }
    }
}

/// What became of a submission.
#[derive(Debug, Clone)]
pub struct Reply {
    /// By command; fewer than there were where `stopped` says why.
    pub answers: Vec<Result<Answer, Refusal>>,
    /// The place after what was stored.
    pub cursor: Position,
    /// The state that the answers speak of.
    pub state: Arc<SessionState>,
    /// Why the rest wasn't decided.
    pub stopped: Option<SubmitError>,
}

/// Why nothing, or no more, was decided.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SubmitError {
    /// There is no such session.
    #[error("there is no such session")]
    UnknownSession,
    /// Its data has expired.
    #[error("the session's data has expired")]
    SessionExpired,
    /// The store isn't there; nothing of the rest was stored.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The store may have stored the rest.
    #[error(
        "the store may or may not have stored it: send it again with the same revision or Idempotency-Key"
    )]
    OutcomeUnknown,
    /// The service is stopping.
    #[error("the service is stopping")]
    Draining,
}

impl SubmitError {
    /// What isn't known now may be again in a moment: that it isn't there would be told for good.
    pub(super) fn just_lost() -> Self {
        let why = "it was started anew a moment ago, and what it lost may still be put back";
        Self::Store(StoreError::Unavailable(why.into()))
    }

    /// Counts what wasn't stored for the store's sake: what is sent to a session that can't be read, too.
    pub(super) fn count(&self, meters: &Meters) {
        if let Self::Store(error) = self {
            meters.not_stored(error.name());
        }
    }
}

/// A submission that has its place in the order.
#[derive(Debug)]
pub struct Enqueued(pub(super) oneshot::Receiver<Result<Reply, SubmitError>>);

impl Enqueued {
    /// Waits until it is stored.
    ///
    /// # Errors
    /// Where nothing of it was decided.
    pub async fn reply(self) -> Result<Reply, SubmitError> {
        self.0.await.unwrap_or(Err(SubmitError::Draining))
    }
}

pub(super) struct Request {
    pub(super) submission: Submission,
    pub(super) reply: oneshot::Sender<Result<Reply, SubmitError>>,
    /// When it came; absent where nobody sent it.
    pub(super) came_at: Option<Instant>,
}
