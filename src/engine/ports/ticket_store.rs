//! `TicketStore`: values that live for a while under the digest of a secret, for tickets and the cookies that follow them.
//!
//! The contract of an implementation:
//!
//! 1. **Once.** Of all that take a value, also at the same time and in different processes, one gets it.
//! 2. **Exact.** Nothing is given out once its time is over.
//! 3. **It may forget**: what it has no room for goes, what ends soonest first. Whoever held it signs in again.
//! 4. **It never sees the secret**, only its digest.
//! 5. **Dropping ends it.** A future that is dropped holds nothing; a `take` that was under way may have taken.

use std::time::Duration;

use futures::future::BoxFuture;

use super::result_cache::StoreError;

/// The longest value, in bytes. A longer one is an error.
pub const TICKET_VALUE_BYTES_MAX: usize = 16 * 1024;

/// SHA-256 of a secret of 256 random bits; nothing that is guessed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TicketDigest(pub [u8; 32]);

/// 64 hexadecimal digits.
impl std::fmt::Display for TicketDigest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// What an operation comes to.
pub type TicketFuture<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

/// Where tickets are kept. The module's text is the contract.
pub trait TicketStore: Send + Sync + 'static {
    /// Keeps a value for `lives`, in place of one that is there. With no time left nothing is kept.
    fn put<'a>(&'a self, digest: TicketDigest, value: &'a [u8], lives: Duration) -> TicketFuture<'a, ()>;

    /// Takes the value out: for one caller.
    fn take(&self, digest: TicketDigest) -> TicketFuture<'_, Option<Vec<u8>>>;

    /// The value, which stays.
    fn get(&self, digest: TicketDigest) -> TicketFuture<'_, Option<Vec<u8>>>;
}
