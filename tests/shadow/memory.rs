//! The log in memory keeps the contract, and its bounds.

use std::sync::atomic::{AtomicI64, Ordering};

use serde_json::json;
use tributary::domain::time::Timestamp;
use tributary::edge::shadow::{COMPARISONS_MAX, MemoryShadowLog};
use tributary::engine::ports::shadow_log::{NotedResponse, ShadowLog};

use crate::contract::{self, all, note, note_compared, response};

fn log() -> MemoryShadowLog {
    MemoryShadowLog::new(1_000_000, || Timestamp(1_000))
}

macro_rules! each_is_a_test {
    ($($name:ident),+ $(,)?) => {
        $(
            #[tokio::test]
            async fn $name() {
                contract::$name(&log()).await;
            }
        )+
    };
}
each_is_a_test! {
    an_answer_waits_until_it_is_compared,
    a_later_answer_takes_the_place_of_an_earlier_one,
    an_answer_under_a_key_is_stored_once,
    a_late_retry_changes_nothing,
    so_many_keys_are_known,
    discrepancies_are_read_page_by_page_newest_first,
    comparisons_are_summed_up,
    what_was_forgotten_is_gone,
    many_discrepancies_are_stored_together,
}

#[tokio::test]
async fn the_oldest_make_room() {
    let log = log();
    for number in 0..COMPARISONS_MAX + 3 {
        note(&log, &response(&format!("s{number}"), "p", "It is so.")).await;
    }
    let waiting = log.waiting(0, usize::MAX).await.unwrap();
    assert_eq!(waiting.len(), COMPARISONS_MAX);
    assert_eq!(waiting[0].response.key.session.as_str(), "s3");
    // A few large ones take the place of many small ones.
    for number in 0..9 {
        let body = json!({ "answer": "", "metadata": "x".repeat(8 << 20) }).to_string();
        let large = NotedResponse { body: body.into(), ..response("large", &format!("p{number}"), "") };
        note(&log, &large).await;
    }
    let waiting = log.waiting(0, usize::MAX).await.unwrap();
    assert_eq!(waiting.len(), 7, "64 MiB and something around them");
}

static NOW: AtomicI64 = AtomicI64::new(0);

#[tokio::test]
async fn what_is_older_than_a_session_may_be_is_gone() {
    let log = MemoryShadowLog::new(500, || Timestamp(NOW.load(Ordering::Relaxed)));
    NOW.store(1_000, Ordering::Relaxed);
    note_compared(&log, &response("s", "p", "It is so."), 1, 1_000).await;
    NOW.store(1_500, Ordering::Relaxed);
    assert_eq!(all(&log).await.len(), 1);
    NOW.store(1_501, Ordering::Relaxed);
    assert_eq!(all(&log).await.len(), 0);
}
