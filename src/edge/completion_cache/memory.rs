//! Answers of language models in this process' memory: bounded in number, in bytes, and in age.
//!
//! What was used longest ago goes first (LRU). A get and a put take O(log n).

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use parking_lot::Mutex;
use tokio::time::Instant;

use crate::domain::ids::SessionKey;
use crate::engine::ports::completion_cache::{CacheError, CacheKey, CompletionCache, KeptAnswer};

#[cfg(test)]
mod tests;

/// What an answer costs beside its text, roughly.
const OVERHEAD_BYTES: usize = 256;
/// Nothing is kept longer.
const AGE_MAX: Duration = Duration::from_secs(30 * 86_400);

/// Bounds of the cache. Every field is a key of the configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryCompletionsSettings {
    /// Answers.
    pub entries_max: usize,
    /// Bytes of all answers.
    pub bytes_max: usize,
    /// Bytes of one answer; a longer one isn't kept.
    pub answer_bytes_max: usize,
}

impl Default for MemoryCompletionsSettings {
    fn default() -> Self {
        Self { entries_max: 1_000, bytes_max: 32 * 1024 * 1024, answer_bytes_max: 256 * 1024 }
    }
}

/// The [`CompletionCache`] of one process.
#[derive(Debug)]
pub struct MemoryCompletions {
    settings: MemoryCompletionsSettings,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    entries: HashMap<CacheKey, Entry>,
    /// By when they were used last, in order of a counter.
    by_use: BTreeMap<u64, CacheKey>,
    uses: u64,
    bytes: usize,
}

#[derive(Debug)]
struct Entry {
    answer: KeptAnswer,
    until: Instant,
    bytes: usize,
    used: u64,
    of: Option<SessionKey>,
}

impl MemoryCompletions {
    /// A cache that holds nothing.
    pub fn new(settings: MemoryCompletionsSettings) -> Self {
        Self { settings, kept: Mutex::default() }
    }

    /// Bytes of all answers, with what each costs beside its text.
    pub fn bytes(&self) -> usize {
        self.kept.lock().bytes
    }

    /// Answers that are held.
    pub fn len(&self) -> usize {
        self.kept.lock().entries.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn keep(&self, key: CacheKey, answer: KeptAnswer, age: Duration) {
        let bytes = weight(&answer);
        let MemoryCompletionsSettings { entries_max, bytes_max, answer_bytes_max } = self.settings;
        if answer.text.len() > answer_bytes_max || bytes > bytes_max || entries_max == 0 || age.is_zero() {
            return;
        }
        let mut kept = self.kept.lock();
        kept.remove(key);
        while kept.entries.len() >= entries_max || kept.bytes + bytes > bytes_max {
            let Some(oldest) = kept.by_use.first_key_value().map(|(_, key)| *key) else { break };
            kept.remove(oldest);
        }
        let used = kept.next_use();
        kept.by_use.insert(used, key);
        kept.bytes += bytes;
        let until = Instant::now() + age.min(AGE_MAX);
        kept.entries.insert(key, Entry { answer, until, bytes, used, of: None });
    }
}

impl Kept {
    fn next_use(&mut self) -> u64 {
        self.uses += 1;
        self.uses
    }

    fn find(&mut self, key: CacheKey) -> Option<KeptAnswer> {
        if self.entries.get(&key)?.until <= Instant::now() {
            self.remove(key);
            return None;
        }
        let used = self.next_use();
        let entry = self.entries.get_mut(&key)?;
        self.by_use.remove(&entry.used);
        entry.used = used;
        self.by_use.insert(used, key);
        Some(entry.answer.clone())
    }

    fn remove(&mut self, key: CacheKey) {
        if let Some(entry) = self.entries.remove(&key) {
            self.by_use.remove(&entry.used);
            self.bytes -= entry.bytes;
        }
    }
}

fn weight(answer: &KeptAnswer) -> usize {
    let name = answer.answered_by.as_ref().map_or(0, String::len);
    answer.text.len().saturating_add(name).saturating_add(OVERHEAD_BYTES)
}

impl CompletionCache for MemoryCompletions {
    fn get(&self, key: CacheKey) -> BoxFuture<'_, Result<Option<KeptAnswer>, CacheError>> {
        let found = self.kept.lock().find(key);
        ready(Ok(found)).boxed()
    }

    fn put(&self, key: CacheKey, answer: KeptAnswer, age: Duration) -> BoxFuture<'_, Result<(), CacheError>> {
        self.keep(key, answer, age);
        ready(Ok(())).boxed()
    }

    fn belongs<'a>(
        &'a self,
        key: CacheKey,
        session: &'a SessionKey,
        _: Duration,
    ) -> BoxFuture<'a, Result<(), CacheError>> {
        if let Some(entry) = self.kept.lock().entries.get_mut(&key) {
            entry.of = Some(session.clone());
        }
        ready(Ok(())).boxed()
    }

    fn forget<'a>(&'a self, session: &'a SessionKey) -> BoxFuture<'a, Result<(), CacheError>> {
        let mut kept = self.kept.lock();
        let own = kept.entries.iter().filter(|(_, entry)| entry.of.as_ref() == Some(session));
        for key in own.map(|(key, _)| *key).collect::<Vec<_>>() {
            kept.remove(key);
        }
        ready(Ok(())).boxed()
    }
}
