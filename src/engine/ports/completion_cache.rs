//! `CompletionCache`: whole answers of language models, kept for a while.
//!
//! The contract of an implementation:
//!
//! 1. **A key tells everything.** Same key, same request; values are never changed, only let go.
//! 2. **Everything is bounded**: the bytes of an answer, the number of answers or their bytes together, and their age. What
//!    doesn't fit isn't kept, which is no error.
//! 3. **It may forget** anything at any time, and may be slow or fail: the caller goes on without it.
//! 4. **Dropping ends it.** A future that is dropped holds nothing.
//! 5. **It goes with its session.** What belongs to a session is let go of with that, also where it was put while it was deleted.

use std::fmt;
use std::time::Duration;

use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::domain::ids::SessionKey;

/// 128 bits that stand for a request: of SHA-256, since whose it is is one of its parts, and nobody may find a request that
/// has another one's key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CacheKey(pub u128);

impl CacheKey {
    /// Of what counts, in this order: the version of the prompt, the digests of what is in it, who asks. Not the texts as
    /// they are sent, where a fence is new each time. Each part counts with its length: `["ab", "c"]` isn't `["a", "bc"]`.
    pub fn of<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        Self::digest(Sha256::new(), parts)
    }

    /// This key together with more.
    #[must_use]
    pub fn with<'a>(self, parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut hasher = Sha256::new();
        hasher.update(self.0.to_le_bytes());
        Self::digest(hasher, parts)
    }

    fn digest<'a>(mut hasher: Sha256, parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        for part in parts {
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        let digest = hasher.finalize();
        Self(digest.iter().take(16).fold(0, |key, byte| key << 8 | u128::from(*byte)))
    }
}

/// 32 hexadecimal digits.
impl fmt::Display for CacheKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// An answer that a model ended by itself.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptAnswer {
    /// All that it said.
    pub text: String,
    /// The model that answered, as the server named it.
    pub answered_by: Option<String>,
}

impl fmt::Debug for KeptAnswer {
    /// Without the text, which may tell what nobody should read in a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeptAnswer").field("bytes", &self.text.len()).finish_non_exhaustive()
    }
}

/// Why a cache didn't do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CacheError {
    /// It can't be reached.
    #[error("the cache of answers can't be reached: {0}")]
    Unavailable(String),
    /// It didn't answer in time.
    #[error("the cache of answers didn't answer in time")]
    TimedOut,
    /// What it gave back can't be read.
    #[error("the cache of answers holds what can't be read: {0}")]
    Corrupt(String),
}

/// Where answers are kept. The module's text is the contract.
pub trait CompletionCache: Send + Sync + 'static {
    /// The answer of that key, if it is kept.
    fn get(&self, key: CacheKey) -> BoxFuture<'_, Result<Option<KeptAnswer>, CacheError>>;

    /// Keeps an answer for `age` at most.
    fn put(&self, key: CacheKey, answer: KeptAnswer, age: Duration) -> BoxFuture<'_, Result<(), CacheError>>;

    /// An answer that was put, for `age`, is of a session.
    fn belongs<'a>(
        &'a self,
        key: CacheKey,
        session: &'a SessionKey,
        age: Duration,
    ) -> BoxFuture<'a, Result<(), CacheError>>;

    /// A session is deleted: lets go of all that belongs to it.
    fn forget<'a>(&'a self, session: &'a SessionKey) -> BoxFuture<'a, Result<(), CacheError>>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_the_first_half_of_a_sha_256_of_its_parts_and_their_lengths() {
        let key = CacheKey::of([&b"ab"[..], b"c"]);
        assert_eq!(key.to_string(), "43ee655579de01ca739b3f95c1c2d3f4");
        assert_ne!(key, CacheKey::of([&b"a"[..], b"bc"]));
    }
}
