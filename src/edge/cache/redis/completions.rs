//! Answers of language models that all replicas share.
//!
//! A fixed number of places, each one key of Redis: which place an answer has follows from its key, and the one that was
//! there goes (a direct-mapped cache). That bounds their number without an index, on each node of a cluster. The whole key
//! stands in the value, so another request's answer is never taken for it; each is gone by itself when it is too old.

use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};

use super::value::bytes;
use super::{RedisCache, Shared};
use crate::engine::ports::completion_cache::{CacheError, CacheKey, CompletionCache, KeptAnswer};
use crate::engine::ports::result_cache::StoreError;

/// Places: with [`ANSWER_BYTES_MAX`] 256 MiB at the very most, and about 20 MB of usual answers.
const PLACES: u128 = 2_048;
/// Bytes of one answer's text; a longer one isn't kept.
const ANSWER_BYTES_MAX: usize = 128 * 1024;
/// Nothing is kept longer.
const AGE_MAX: Duration = Duration::from_secs(30 * 86_400);

/// What stands in a place.
#[derive(Serialize, Deserialize)]
struct Placed {
    key: String,
    answer: KeptAnswer,
}

fn place(key: CacheKey) -> String {
    format!("tributary:completion:{}", key.0 % PLACES)
}

impl Shared {
    async fn kept_answer(&self, key: CacheKey) -> Result<Option<KeptAnswer>, CacheError> {
        let mut command = redis::cmd("GET");
        let found = bytes(self.link.run(command.arg(place(key))).await.map_err(cache_error)?);
        if found.is_empty() {
            return Ok(None);
        }
        let placed: Placed =
            serde_json::from_slice(&found).map_err(|error| CacheError::Corrupt(error.to_string()))?;
        Ok((placed.key == key.to_string()).then_some(placed.answer))
    }

    async fn keep_answer(&self, key: CacheKey, answer: KeptAnswer, age: Duration) -> Result<(), CacheError> {
        let age_ms = age.min(AGE_MAX).as_millis() as u64;
        if answer.text.len() > ANSWER_BYTES_MAX || age_ms == 0 {
            return Ok(());
        }
        let placed = serde_json::to_vec(&Placed { key: key.to_string(), answer })
            .map_err(|error| CacheError::Corrupt(error.to_string()))?;
        let mut command = redis::cmd("SET");
        command.arg(place(key)).arg(placed).arg("PX").arg(age_ms);
        self.link.run(&command).await.map(|_| ()).map_err(cache_error)
    }
}

fn cache_error(error: StoreError) -> CacheError {
    match error {
        StoreError::TimedOut => CacheError::TimedOut,
        StoreError::Corrupt(why) => CacheError::Corrupt(why),
        StoreError::Unavailable(why)
        | StoreError::Full(why)
        | StoreError::Newer(why)
        | StoreError::Backlog(why) => CacheError::Unavailable(why),
    }
}

impl CompletionCache for RedisCache {
    fn get(&self, key: CacheKey) -> BoxFuture<'_, Result<Option<KeptAnswer>, CacheError>> {
        self.shared.kept_answer(key).boxed()
    }

    fn put(&self, key: CacheKey, answer: KeptAnswer, age: Duration) -> BoxFuture<'_, Result<(), CacheError>> {
        self.shared.keep_answer(key, answer, age).boxed()
    }
}
