//! What users think of results.

use tributary::domain::event::Digest;
use tributary::domain::ids::{SessionKey, TenantId};
use tributary::domain::requests::Feedback;
use tributary::domain::session::IdempotencyKey;
use tributary::domain::time::Timestamp;
use tributary::engine::ports::archive::Archive;
use tributary::engine::ports::feedback_log::{
    COMMENTS_MAX, FeedbackFigures, FeedbackLog, FeedbackNoted, GivenFeedback,
};

use super::DELETED;
use crate::fixtures::{id, session_key};
use crate::log::{Log, batch};

/// What a user says at a time.
pub fn given(session: &str, score: f64, comment: Option<&str>, at: i64) -> GivenFeedback {
    let feedback = Feedback { score, comment: comment.map(str::to_owned) };
    GivenFeedback { key: session_key(session), step: id("p"), feedback, at: Timestamp(at) }
}

fn once(key: &str, fingerprint: u128) -> IdempotencyKey {
    IdempotencyKey { key: key.into(), fingerprint: Digest(fingerprint) }
}

/// Stores it.
pub async fn note(archive: &impl FeedbackLog, given: &GivenFeedback) {
    let noted = archive.note_feedback(given, None).await.unwrap();
    assert_eq!(noted, FeedbackNoted::Is(given.clone()));
}

/// All of it together.
pub async fn all(archive: &impl FeedbackLog) -> FeedbackFigures {
    archive.feedback(&TenantId::default_tenant(), Timestamp(0)).await.unwrap()
}

pub async fn feedback_is_counted_and_its_comments_are_read_back(archive: &impl FeedbackLog) {
    assert_eq!(all(archive).await, FeedbackFigures::default(), "no average of nothing");
    let (early, thumb) = (given("s", 0.0, Some("wrong: “…”\n'; --"), 100), given("t", 1.0, None, 200));
    let (odd, twin) = (given("s", 0.1 + 0.2, Some("b"), 200), given("s", 0.1 + 0.2, Some("c"), 200));
    for one in [&early, &thumb, &odd, &twin] {
        note(archive, one).await;
    }
    let figures = all(archive).await;
    let mean = (1.0 + 2.0 * (0.1 + 0.2)) / 4.0;
    assert!((figures.average.unwrap() - mean).abs() < 1e-12, "{figures:?}");
    assert_eq!(figures.count, 4);
    assert_eq!(figures.comments, [twin.clone(), odd.clone(), early], "newest first, those with a comment");
    let later = archive.feedback(&TenantId::default_tenant(), Timestamp(200)).await.unwrap();
    assert_eq!((later.count, later.comments), (3, vec![twin, odd]));
    let nobody = archive.feedback(&"nobody".parse().unwrap(), Timestamp(0)).await.unwrap();
    assert_eq!(nobody, FeedbackFigures::default());
    for at in 300..400 {
        note(archive, &given("u", 1.0, Some("d"), at)).await;
    }
    let figures = all(archive).await;
    let times: Vec<i64> = figures.comments.iter().map(|one| one.at.0).collect();
    assert_eq!(figures.count, 104);
    assert_eq!(times, (300..400).rev().take(COMMENTS_MAX).collect::<Vec<_>>(), "only the newest");
}

pub async fn feedback_under_a_key_is_stored_once(archive: &impl FeedbackLog) {
    let first = given("s", 0.5, Some("a"), 100);
    let again = given("s", 0.5, Some("a"), 900);
    for one in [&first, &again] {
        let noted = archive.note_feedback(one, Some(&once("k", u128::MAX))).await.unwrap();
        assert_eq!(noted, FeedbackNoted::Is(first.clone()), "as the first");
    }
    let other = given("s", 1.0, None, 900);
    let noted = archive.note_feedback(&other, Some(&once("k", 7))).await.unwrap();
    assert_eq!(noted, FeedbackNoted::Conflict);
    assert_eq!(all(archive).await.count, 1);
    let mut elsewhere = given("s", 1.0, None, 900);
    elsewhere.key = SessionKey { tenant: "other".parse().unwrap(), ..elsewhere.key };
    for (one, key) in [(&other, "K"), (&given("t", 1.0, None, 900), "k"), (&elsewhere, "k")] {
        let noted = archive.note_feedback(one, Some(&once(key, 7))).await.unwrap();
        assert_eq!(noted, FeedbackNoted::Is(one.clone()), "another key, session or tenant");
    }
    note(archive, &other).await;
    note(archive, &other).await;
    assert_eq!(all(archive).await.count, 5, "without a key each is its own");
}

pub async fn repeats_of_feedback_at_the_same_time_are_stored_once(archive: &impl FeedbackLog) {
    let given = given("s", 1.0, None, 100);
    let key = once("k", 1);
    let repeats = (0..8).map(|_| archive.note_feedback(&given, Some(&key)));
    for noted in futures::future::join_all(repeats).await {
        assert_eq!(noted.unwrap(), FeedbackNoted::Is(given.clone()));
    }
    assert_eq!(all(archive).await.count, 1);
}

pub async fn feedback_is_forgotten_and_pruned_with_its_session<A: Archive + FeedbackLog>(archive: &A) {
    let (old, mut young) = (Log::running("old", 1), Log::running("young", 1));
    young.now = Timestamp(3_000_000);
    young.says(1);
    archive.write(&batch([&old, &young].map(Log::whole))).await.unwrap();
    for session in ["old", "young", "gone"] {
        for at in [1_000, 2_900_000] {
            note(archive, &given(session, 1.0, Some(session), at)).await;
        }
    }
    let left = async || {
        let comments = all(archive).await.comments;
        let name = |one: &GivenFeedback| format!("{} {}", one.key.session, one.at.0);
        comments.iter().map(name).collect::<Vec<_>>()
    };
    let rows = old.entries.len() + 1 + 2 + 1;
    let mut steps = Vec::new();
    while steps.last().is_none_or(|rows| *rows == 2) {
        steps.push(archive.prune(Timestamp(2_500_000), 2).await.unwrap());
    }
    assert_eq!(steps.iter().sum::<usize>(), rows, "{steps:?}");
    // What came for a session while that was forgotten goes when it is old itself.
    assert_eq!(left().await, ["gone 2900000", "young 2900000", "young 1000"]);
    assert!(archive.forget(&young.key, DELETED).await.unwrap());
    assert_eq!(left().await, ["gone 2900000"]);
    assert!(archive.forget(&session_key("gone"), DELETED).await.unwrap(), "also where nothing else is left");
    assert_eq!(all(archive).await, FeedbackFigures::default());
    assert!(!archive.forget(&session_key("gone"), DELETED).await.unwrap());
}
