//! Who shares an answer, and who doesn't.

use std::task::Poll;

use futures::future::join_all;
use futures::poll;
use tokio::sync::Semaphore;

use super::*;

/// Questions that are answered with their number, one for each permit.
#[derive(Default)]
struct Store {
    questions: AtomicU64,
}

impl Store {
    async fn answer(&self, permits: &Semaphore) -> u64 {
        let number = self.questions.fetch_add(1, Ordering::SeqCst) + 1;
        permits.acquire().await.unwrap().forget();
        number
    }
}

#[tokio::test(start_paused = true)]
async fn who_comes_while_a_question_is_under_way_shares_the_next_one() {
    let (asked, store, permits) = (Shareable::default(), Store::default(), Semaphore::new(0));
    let ask = || Box::pin(asked.ask(|| store.answer(&permits)));
    let mut first = ask();
    assert!(poll!(&mut first).is_pending());
    let mut others: Vec<_> = (0..50).map(|_| ask()).collect();
    for other in &mut others {
        assert!(poll!(other).is_pending());
    }
    assert_eq!(store.questions.load(Ordering::SeqCst), 1, "they wait for their turn");
    permits.add_permits(2);
    assert_eq!(first.await, 1);
    assert!(
        join_all(others).await.into_iter().all(|answer| answer == 2),
        "not what was asked before they came"
    );
    assert!(asked.turn.lock().await.answer.is_none(), "nobody is left who may have it");
}

#[tokio::test(start_paused = true)]
async fn who_asks_and_is_dropped_leaves_it_to_the_next() {
    let (asked, store, permits) = (Shareable::default(), Store::default(), Semaphore::new(0));
    let ask = || Box::pin(asked.ask(|| store.answer(&permits)));
    let (mut first, mut second, mut third) = (ask(), ask(), ask());
    for one in [&mut first, &mut second, &mut third] {
        assert!(poll!(one).is_pending());
    }
    drop(first);
    drop(second);
    permits.add_permits(1);
    assert_eq!(third.await, 2);
}

#[tokio::test(start_paused = true)]
async fn who_asks_alone_neither_waits_nor_is_told_what_was_answered_before() {
    let (asked, store, permits) = (Shareable::default(), Store::default(), Semaphore::new(3));
    for number in 1..=3 {
        let mut one = Box::pin(asked.ask(|| store.answer(&permits)));
        assert_eq!(poll!(&mut one), Poll::Ready(number));
    }
}
