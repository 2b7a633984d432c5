//! The log of feedback in memory keeps the contract, and its bounds.

use tributary::edge::feedback::{BYTES_MAX, FEEDBACK_MAX, MemoryFeedbackLog};
use tributary::engine::ports::feedback_log::FeedbackLog;

use crate::contract::feedback::{self, all, given, note};
use crate::fixtures::session_key;

macro_rules! each_is_a_test {
    ($($name:ident),+ $(,)?) => {
        $(
            #[tokio::test]
            async fn $name() {
                feedback::$name(&MemoryFeedbackLog::default()).await;
            }
        )+
    };
}
each_is_a_test! {
    feedback_is_counted_and_its_comments_are_read_back,
    feedback_under_a_key_is_stored_once,
    repeats_of_feedback_at_the_same_time_are_stored_once,
}

#[tokio::test]
async fn the_oldest_makes_room_by_count_and_by_bytes() {
    let log = MemoryFeedbackLog::default();
    for at in 0..=FEEDBACK_MAX as i64 {
        note(&log, &given("s", 1.0, (at == 0).then_some("first"), at)).await;
    }
    let figures = all(&log).await;
    assert_eq!((figures.count, figures.comments.len()), (FEEDBACK_MAX as u64, 0));
    let long = "x".repeat(BYTES_MAX / 4);
    for at in 20_000..20_006 {
        note(&log, &given("t", 1.0, Some(&long), at)).await;
    }
    assert_eq!(all(&log).await.count, 4, "four fill it");
    log.forget_feedback(&session_key("t")).await.unwrap();
    assert_eq!(all(&log).await.count, 0);
    note(&log, &given("t", 1.0, Some(&long), 1)).await;
    assert_eq!(all(&log).await.count, 1, "what was forgotten takes no room");
}
