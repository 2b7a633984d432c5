//! Answers of language models that all replicas share.
//!
//! A fixed number of places, each one key of Redis: which place an answer has follows from its key, and the one that was
//! there goes (a direct-mapped cache). That bounds their number without an index, on each node of a cluster. The whole key
//! stands in the value, so another request's answer is never taken for it; each is gone by itself when it is too old.
//!
//! What a session's answers are kept as is in a set beside its log, for as long as they are: a deletion takes them along.

use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use redis::Value;
use serde::{Deserialize, Serialize};

use super::value::{bytes, number, text};
use super::{RedisCache, Shared, keys};
use crate::domain::ids::SessionKey;
use crate::engine::ports::completion_cache::{CacheError, CacheKey, CompletionCache, KeptAnswer};
use crate::engine::ports::result_cache::StoreError;

/// Places: with [`ANSWER_BYTES_MAX`] 256 MiB at the very most, and about 20 MB of usual answers.
const PLACES: u128 = 2_048;
/// Bytes of one answer's text; a longer one isn't kept.
const ANSWER_BYTES_MAX: usize = 128 * 1024;
/// Nothing is kept longer.
const AGE_MAX: Duration = Duration::from_secs(30 * 86_400);

/// What stands in a place. Its key comes first: it is read alone.
#[derive(Serialize, Deserialize)]
struct Placed {
    key: String,
    answer: KeptAnswer,
}

/// Before the key in what stands in a place.
const BEFORE_KEY: &str = r#"{"key":""#;

fn place(key: CacheKey) -> String {
    format!("tributary:completion:{}", key.0 % PLACES)
}

fn age_ms(age: Duration) -> u64 {
    age.min(AGE_MAX).as_millis() as u64
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
        let age_ms = age_ms(age);
        if answer.text.len() > ANSWER_BYTES_MAX || age_ms == 0 {
            return Ok(());
        }
        let placed = serde_json::to_vec(&Placed { key: key.to_string(), answer })
            .map_err(|error| CacheError::Corrupt(error.to_string()))?;
        let mut command = redis::cmd("SET");
        command.arg(place(key)).arg(placed).arg("PX").arg(age_ms);
        self.link.run(&command).await.map(|_| ()).map_err(cache_error)
    }

    /// Notes first, looks then whether the session is still there: who deletes it marks that first and looks then at what is noted.
    async fn note_answer_of(
        &self,
        key: CacheKey,
        session: &SessionKey,
        age: Duration,
    ) -> Result<(), StoreError> {
        let own = keys::answers(session);
        let mut added = redis::cmd("SADD");
        self.link.run(added.arg(&own).arg(key.to_string())).await?;
        let mut expires = redis::cmd("PEXPIRE");
        self.link.run(expires.arg(&own).arg(age_ms(age))).await?;
        let mut deleted = redis::cmd("HEXISTS");
        let deleted = self.link.run(deleted.arg(keys::Keys::of(session).meta).arg("forgotten")).await?;
        match number(&deleted) {
            0 => Ok(()),
            _ => self.forget_answers(session).await,
        }
    }

    async fn forget_answers(&self, session: &SessionKey) -> Result<(), StoreError> {
        let own = keys::answers(session);
        let mut members = redis::cmd("SMEMBERS");
        let noted = self.link.run(members.arg(&own)).await?;
        for key in keys_of(noted) {
            if self.stands_in_place(key).await? {
                let mut command = redis::cmd("DEL");
                self.link.run(command.arg(place(key))).await?;
            }
        }
        let mut command = redis::cmd("DEL");
        self.link.run(command.arg(&own)).await.map(drop)
    }

    /// Whether another answer hasn't taken the place.
    async fn stands_in_place(&self, key: CacheKey) -> Result<bool, StoreError> {
        let key_text = key.to_string();
        let mut command = redis::cmd("GETRANGE");
        let last = BEFORE_KEY.len() + key_text.len() - 1;
        let found = self.link.run(command.arg(place(key)).arg(BEFORE_KEY.len()).arg(last)).await?;
        Ok(bytes(found) == key_text.as_bytes())
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the library's values, not ours")]
fn keys_of(noted: Value) -> Vec<CacheKey> {
    let noted = match noted {
        Value::Array(noted) | Value::Set(noted) => noted,
        _ => Vec::new(),
    };
    let texts = noted.iter().map(text);
    texts.filter_map(|text| u128::from_str_radix(&text, 16).ok().map(CacheKey)).collect()
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

    fn belongs<'a>(
        &'a self,
        key: CacheKey,
        session: &'a SessionKey,
        age: Duration,
    ) -> BoxFuture<'a, Result<(), CacheError>> {
        self.shared.note_answer_of(key, session, age).map(|noted| noted.map_err(cache_error)).boxed()
    }

    fn forget<'a>(&'a self, session: &'a SessionKey) -> BoxFuture<'a, Result<(), CacheError>> {
        self.shared.forget_answers(session).map(|forgotten| forgotten.map_err(cache_error)).boxed()
    }
}
