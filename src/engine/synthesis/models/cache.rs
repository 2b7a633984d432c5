//! Answers that are kept. The cache may fail or hang: it is logged, and gone on without it.

use tokio::time::timeout;

use super::{ModelSlot, Shared};
use crate::domain::ids::SessionKey;
use crate::engine::ports::completion_cache::{CacheError, CacheKey, KeptAnswer};
use crate::engine::ports::language_model::ModelRequest;

/// The caller's key together with what makes this model's answer another one. The window counts, too: what is left of a
/// prompt that is too long depends on it. The texts don't: a fence is new each time.
pub(super) fn key_of(key: CacheKey, slot: &ModelSlot, request: &ModelRequest) -> CacheKey {
    let schema = request.schema.as_ref();
    key.with([
        slot.model.provider().as_bytes(),
        slot.model.model().as_bytes(),
        &slot.context_tokens.to_le_bytes(),
        schema.map_or("", |schema| schema.name).as_bytes(),
        schema.map_or("", |schema| schema.json.get()).as_bytes(),
        &request.temperature.to_bits().to_le_bytes(),
        &request.output_tokens_max.to_le_bytes(),
    ])
}

/// The answer of that key, where it is kept and comes soon.
pub(super) async fn look_up(shared: &Shared, key: CacheKey) -> Option<KeptAnswer> {
    let cache = shared.cache.as_ref()?;
    let found = timeout(shared.settings.cache_patience, cache.get(key)).await;
    match found.unwrap_or(Err(CacheError::TimedOut)) {
        Ok(found) => found,
        Err(error) => {
            tracing::warn!(%error, %key, "a kept answer was not looked for");
            None
        }
    }
}

/// Keeps an answer, where that is soon done; of a session, until that is deleted.
pub(super) async fn keep(shared: &Shared, key: CacheKey, answer: KeptAnswer, of: Option<&SessionKey>) {
    let Some(cache) = &shared.cache else { return };
    let (patience, age) = (shared.settings.cache_patience, shared.settings.cache_age);
    let keeps = async {
        cache.put(key, answer, age).await?;
        match of {
            Some(session) => cache.belongs(key, session, age).await,
            None => Ok(()),
        }
    };
    if let Err(error) = timeout(patience, keeps).await.unwrap_or(Err(CacheError::TimedOut)) {
        tracing::warn!(%error, %key, "an answer was not kept");
    }
}
