//! `SignIn`: from what a caller shows to what it may do.
//!
//! The contract of an implementation:
//!
//! 1. **No text of an error** holds a token, a ticket, a cookie or a part of one.
//! 2. **A ticket opens once**, whichever replica is asked; a cookie until its grant ends.
//! 3. **What was taken back opens nothing**, a minute later at the latest: keys are asked for again, not remembered for good.
//! 4. **Dropping ends it.** A future that is dropped holds nothing.

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;

use crate::domain::access::Grant;
use crate::domain::ids::SessionId;
use crate::domain::time::Timestamp;
use crate::domain::verdict::Code;

/// Why nothing is opened: `unauthorized`, `token_expired`, `forbidden` or `store_unavailable`, and a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct SignInError {
    /// The stable code.
    pub code: Code,
    /// What is wrong, for a person.
    pub text: String,
}

/// What a ticket was exchanged for.
pub struct Redeemed {
    /// Reading one session.
    pub grant: Arc<Grant>,
    /// The text of the cookie that opens it from now on.
    pub cookie: String,
    /// How long it does.
    pub lives: Duration,
}

/// What comes of it, some time later.
pub type SignInFuture<'a, T> = BoxFuture<'a, Result<T, SignInError>>;

/// Checks tokens; gives out tickets, and cookies for them. The module's text is the contract.
pub trait SignIn: Send + Sync + 'static {
    /// Whether the keys that others sign tokens with could be had when they were looked at last, and if not, why; absent where none
    /// are needed.
    fn keys(&self) -> Option<Result<(), String>>;

    /// What a token grants, where that can be said at once; `None`: ask [`authenticate`](Self::authenticate).
    fn known(&self, token: &str, now: Timestamp) -> Option<Result<Arc<Grant>, SignInError>>;

    /// What a token grants.
    fn authenticate<'a>(&'a self, token: &'a str, now: Timestamp) -> SignInFuture<'a, Arc<Grant>>;

    /// A ticket for reading a session, for who may read it.
    fn issue<'a>(
        &'a self,
        grant: &'a Grant,
        session: &'a SessionId,
        now: Timestamp,
    ) -> SignInFuture<'a, String>;

    /// What a ticket opens; it stays one.
    fn ticket<'a>(&'a self, ticket: &'a str, now: Timestamp) -> SignInFuture<'a, Arc<Grant>>;

    /// Exchanges a ticket for a cookie.
    fn redeem<'a>(&'a self, ticket: &'a str, now: Timestamp) -> SignInFuture<'a, Redeemed>;

    /// What a cookie opens.
    fn cookie<'a>(&'a self, cookie: &'a str, now: Timestamp) -> SignInFuture<'a, Arc<Grant>>;
}
