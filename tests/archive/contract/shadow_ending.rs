//! The monolith's answers go with their session: what only an archive can do.

use tributary::domain::time::Timestamp;
use tributary::engine::ports::archive::Archive;
use tributary::engine::ports::shadow_log::ShadowLog;

use super::DELETED;
use super::shadow::{all, note, note_compared, response};
use crate::fixtures::session_key;
use crate::log::{Log, batch};

pub async fn answers_of_the_monolith_are_forgotten_and_pruned_with_their_session<A: Archive + ShadowLog>(
    archive: &A,
) {
    let (old, mut young) = (Log::running("old", 1), Log::running("young", 1));
    young.now = Timestamp(3_000_000);
    young.says(1);
    archive.write(&batch([&old, &young].map(Log::whole))).await.unwrap();
    for session in ["old", "young", "gone"] {
        note_compared(archive, &response(session, "p", "It is so."), 1, 1_000).await;
    }
    let kept = note(archive, &response("young", "q", "It is so.")).await;
    note(archive, &response("old", "q", "It is so.")).await;
    // Its entries, its session's row, two answers, a discrepancy; and of the session that isn't there, one of each.
    let rows = old.entries.len() + 1 + 2 + 1 + 2;
    let mut steps = Vec::new();
    while steps.last().is_none_or(|rows| *rows == 2) {
        steps.push(archive.prune(Timestamp(2_500_000), 2).await.unwrap());
    }
    assert_eq!(steps.iter().sum::<usize>(), rows, "{steps:?}");
    assert_eq!(all(archive).await, ["young It is so."]);
    assert_eq!(archive.waiting(0, 10).await.unwrap(), [kept]);
    assert!(Archive::forget(archive, &young.key, DELETED).await.unwrap());
    assert_eq!((all(archive).await, archive.waiting(0, 10).await.unwrap()), (vec![], vec![]));
    note(archive, &response("gone", "p", "It is so.")).await;
    assert!(
        Archive::forget(archive, &session_key("gone"), DELETED).await.unwrap(),
        "also where nothing else is left"
    );
}
