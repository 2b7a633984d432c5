//! Answers that are kept, and a cache that doesn't do what it should.

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::{BoxFuture, pending, ready};
use parking_lot::Mutex;

use super::scripted::*;
use crate::domain::ids::SessionKey;
use crate::domain::synthesis::budget::Spent;
use crate::engine::ports::completion_cache::{CacheError, CacheKey, CompletionCache, KeptAnswer};
use crate::engine::ports::language_model::{ModelRequest, ModelSchema, StopReason};
use crate::engine::synthesis::models::*;

/// What was put, in order. Like any cache it finds the last one of a key.
#[derive(Default)]
struct Kept(Mutex<Vec<(CacheKey, KeptAnswer)>>);

impl CompletionCache for Kept {
    fn get(&self, key: CacheKey) -> BoxFuture<'_, Result<Option<KeptAnswer>, CacheError>> {
        let kept = self.0.lock();
        let found = kept.iter().rfind(|(known, _)| *known == key).map(|(_, answer)| answer.clone());
        ready(Ok(found)).boxed()
    }

    fn put(&self, key: CacheKey, answer: KeptAnswer, _: Duration) -> BoxFuture<'_, Result<(), CacheError>> {
        self.0.lock().push((key, answer));
        ready(Ok(())).boxed()
    }

    fn belongs<'a>(
        &'a self,
        _: CacheKey,
        _: &'a SessionKey,
        _: Duration,
    ) -> BoxFuture<'a, Result<(), CacheError>> {
        ready(Ok(())).boxed()
    }

    fn forget<'a>(&'a self, _: &'a SessionKey) -> BoxFuture<'a, Result<(), CacheError>> {
        ready(Ok(())).boxed()
    }
}

/// A cache that fails, or hangs.
struct Broken {
    hangs: bool,
}

impl Broken {
    fn answer<T: Send + 'static>(&self) -> BoxFuture<'static, Result<T, CacheError>> {
        match self.hangs {
            true => pending().boxed(),
            false => ready(Err(CacheError::Unavailable("refused".into()))).boxed(),
        }
    }
}

impl CompletionCache for Broken {
    fn get(&self, _: CacheKey) -> BoxFuture<'_, Result<Option<KeptAnswer>, CacheError>> {
        self.answer()
    }

    fn put(&self, _: CacheKey, _: KeptAnswer, _: Duration) -> BoxFuture<'_, Result<(), CacheError>> {
        self.answer()
    }

    fn belongs<'a>(
        &'a self,
        _: CacheKey,
        _: &'a SessionKey,
        _: Duration,
    ) -> BoxFuture<'a, Result<(), CacheError>> {
        self.answer()
    }

    fn forget<'a>(&'a self, _: &'a SessionKey) -> BoxFuture<'a, Result<(), CacheError>> {
        self.answer()
    }
}

#[tokio::test(start_paused = true)]
async fn a_kept_answer_is_said_at_once_and_costs_nothing() {
    let pieces = vec![Says("one "), Says("two"), Stops(StopReason::End, Some((5, 5)))];
    let a = Scripted::new("a", vec![], pieces);
    let models = models_with(&[&a], Arc::new(Kept::default()));
    let (first, _) = heard(&models, &budget(&models, 1_000)).await;
    let again = budget(&models, 0);
    let (second, said) = heard(&models, &again).await;
    let (first, second) = (first.unwrap(), second.unwrap());
    assert_eq!((first.cached, second.cached, a.asked()), (false, true, 1));
    assert_eq!((&second.text, said), (&first.text, vec!["one two".to_owned()]));
    assert_eq!((second.attempts, second.usage, again.spent()), (0, None, Spent::default()));
    assert_eq!((second.answered_by.as_deref(), second.stop), (Some("dated"), StopReason::End));
}

#[tokio::test(start_paused = true)]
async fn only_whole_answers_are_kept() {
    for stop in [StopReason::Length, StopReason::Other("odd".into()), StopReason::Refusal] {
        let a = Scripted::new("a", vec![], vec![Says("some"), Stops(stop, None)]);
        let cache = Arc::new(Kept::default());
        let models = models_with(&[&a], cache.clone());
        for _ in 0..2 {
            // A refusal completes nothing; what is kept is what is looked at.
            let _completed = complete(&models).await;
        }
        assert_eq!((a.asked(), cache.0.lock().len()), (2, 0));
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_of_no_use_is_asked_for_again() {
    let a = Scripted::new("a", vec![], answers("a"));
    let cache = Arc::new(Kept::default());
    let models = models_with(&[&a], cache.clone());
    for asked in 1..3 {
        // Whoever can't read it doesn't have it kept.
        let done = models.complete(&request, &budget(&models, 1_000), key(), &mut |_| {}).await.unwrap();
        assert!(done.kept_as.is_some() && !done.cached);
        assert_eq!((a.asked(), cache.0.lock().len()), (asked, 0));
    }
    let done = complete(&models).await.unwrap();
    let again = complete(&models).await.unwrap();
    assert_eq!((done.cached, again.cached, again.kept_as, a.asked()), (false, true, None, 3));
    // What was kept isn't kept again.
    assert_eq!(cache.0.lock().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn whatever_changes_the_answer_changes_the_key() {
    let (a, b) = (Scripted::new("a", vec![], answers("a")), Scripted::new("b", vec![], answers("b")));
    let slots = [slot(&a), slot(&b), ModelSlot { context_tokens: 9_000, ..slot(&a) }];
    let base = request(&slots[0]).unwrap();
    let mut requests = vec![base.clone(), base.clone(), base.clone()];
    requests[1].temperature = 0.0;
    requests[2].output_tokens_max = 999;
    for (name, json) in [("draft", "{}"), ("draft", "[]"), ("other", "{}")] {
        let json = Arc::from(serde_json::value::RawValue::from_string(json.to_owned()).unwrap());
        let schema = Some(ModelSchema { name, json });
        requests.push(ModelRequest { schema, ..base.clone() });
    }
    let mut keys = Vec::new();
    for caller in [CacheKey::of([&b"ab"[..], b"c"]), CacheKey::of([&b"a"[..], b"bc"])] {
        for slot in &slots {
            keys.extend(requests.iter().map(|request| cache::key_of(caller, slot, request)));
        }
    }
    let count = keys.len();
    keys.sort();
    keys.dedup();
    assert_eq!((keys.len(), count), (36, 36));
    // Texts don't count: a fence is new each time.
    let other = ModelRequest { user: "fence 2".into(), ..base.clone() };
    assert_eq!(cache::key_of(key(), &slots[0], &base), cache::key_of(key(), &slots[0], &other));
}

#[tokio::test(start_paused = true)]
async fn a_kept_answer_of_the_next_model_takes_back_what_the_first_said() {
    let cache = Arc::new(Kept::default());
    let half = vec![Says("half"), Stops(StopReason::Refusal, None)];
    let (a, b) = (Scripted::new("a", vec![], half), Scripted::new("b", vec![], answers("b")));
    let models = models_with(&[&a, &b], cache);
    complete(&models).await.unwrap();
    let (done, said) = heard(&models, &budget(&models, 1_000)).await;
    assert_eq!(said, ["half", "⟲", "b"]);
    let done = done.unwrap();
    assert_eq!((done.cached, done.attempts, b.asked()), (true, 1, 1));
}

#[tokio::test(start_paused = true)]
async fn a_cache_that_fails_or_hangs_costs_little_time_and_no_answer() {
    for (hangs, expected_ms) in [(false, 10), (true, 410)] {
        let a = Scripted::new("a", vec![], answers("a"));
        let models = models_with(&[&a], Arc::new(Broken { hangs }));
        let began = tokio::time::Instant::now();
        let done = complete(&models).await.unwrap();
        let took_ms = began.elapsed().as_millis() as u64;
        // A lookup and a put, each left after 200 ms.
        assert!((expected_ms..expected_ms + 5).contains(&took_ms), "{took_ms}");
        assert_eq!((&*done.text, done.cached), ("a", false));
    }
}
