//! What a new epoch takes the place of goes to the archive first: the log begins anew with the state alone.
//!
//! Where the archive then has all that led to that state, the new epoch keeps the chain, so history goes on: what came before is
//! read, and folded, out of the archive, and a cursor of the branch that goes on is continued exactly. The sequences between its end and the new
//! epoch's beginning, which the other branch handed out too, are taken by entries that say nothing. What only the other branch has is
//! decided again; its rows are kept, but not live.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::{Instant, timeout};

use super::Shared;
use super::tail::Tail;
use crate::domain::entry::Entry;
use crate::domain::ids::SessionKey;
use crate::domain::position::{AppendId, Epoch, Position, Sequence};
use crate::domain::record::Record;
use crate::engine::ports::archive::{Archive, ArchiveBatch, ArchiveError, Segment};

/// How long an epoch waits for the archive. Who writes to the session waits as long.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long it isn't asked after it took longer.
const RESTS: Duration = Duration::from_secs(10);
/// How often a fork is handed over before it is resolved without: others may write to the session meanwhile, each time.
const HAND_OVERS_MOST: u32 = 3;
/// Entries that say nothing, at most: what was written beyond a fork before anybody noticed it.
const FILLERS: u64 = 1_000;

/// Two branches of a log.
pub(super) struct Branches<'a> {
    /// What is known of the one that goes on, and its end.
    pub(super) goes_on: Vec<Arc<Entry>>,
    pub(super) last: Position,
    /// What only the other one has, and the epoch of that.
    pub(super) left: &'a [Arc<Entry>],
    pub(super) left_epoch: Epoch,
}

/// Until when an archive isn't asked that has just let somebody wait in vain: of a thousand sessions each would wait as long, and what is held
/// of the last ones would be let go meanwhile.
#[derive(Default)]
pub(super) struct Rest(Mutex<Option<Instant>>);

impl Rest {
    async fn within_patience<T>(
        &self,
        asked: impl Future<Output = Result<T, ArchiveError>>,
    ) -> Result<T, ArchiveError> {
        let slow = || ArchiveError::Unavailable(format!("it takes longer than {PATIENCE:?}"));
        if self.0.lock().is_some_and(|until| Instant::now() < until) && !mutant!("archive-never-rests") {
            return Err(slow());
        }
        timeout(PATIENCE, asked).await.unwrap_or_else(|_| {
            *self.0.lock() = Some(Instant::now() + RESTS);
            Err(slow())
        })
    }
}

impl Shared {
    /// Gives both to the archive, where there is one. Returns where the epoch begins that was to begin at `start`.
    pub(super) async fn hand_over(&self, tail: &Tail, branches: Branches<'_>, start: Position) -> Position {
        let Some(archive) = self.archive.get().filter(|_| !mutant!("branch-not-handed-over")) else {
            return start;
        };
        let written = if tail.count_hand_over() >= HAND_OVERS_MOST && !mutant!("fork-handed-over-for-ever") {
            Err(ArchiveError::Unavailable("others write to the session faster than it takes that".into()))
        } else {
            self.archive_rests.within_patience(write(&**archive, &tail.key, branches, start)).await
        };
        match written {
            Ok(start) => start,
            Err(error) => {
                tracing::error!(%error, session = %tail.key.session, "a log begins anew before it is archived: what wasn't yet is lost but for its state");
                start
            }
        }
    }

    /// Gives only what doesn't go on, as it is found when another branch has gone on already.
    pub(super) async fn hand_over_left(&self, tail: &Tail, epoch: Epoch, left: &[Arc<Entry>]) {
        let Some(archive) = self.archive.get().filter(|_| !left.is_empty()) else { return };
        let segment = Segment { key: tail.key.clone(), epoch, entries: left.to_vec() };
        let batch = ArchiveBatch { left: vec![segment], ..ArchiveBatch::default() };
        if let Err(error) = self.archive_rests.within_patience(archive.write(&batch)).await {
            tracing::warn!(%error, session = %tail.key.session, entries = left.len(), "what a log has left is decided again, but isn't archived");
        }
    }
}

async fn write(
    archive: &dyn Archive,
    key: &SessionKey,
    branches: Branches<'_>,
    start: Position,
) -> Result<Position, ArchiveError> {
    let Branches { goes_on, last, left, left_epoch } = branches;
    let segment = |epoch, entries: Vec<Arc<Entry>>| {
        let some = !entries.is_empty();
        some.then(|| Segment { key: key.clone(), epoch, entries })
    };
    let (fillers, end) = fillers(&goes_on, last, start.sequence);
    // Under the epoch that they are of: it may have been deleted meanwhile.
    let goes_on = segment(last.epoch, goes_on.into_iter().chain(fillers).collect());
    let left = segment(left_epoch, left.to_vec());
    let batch = ArchiveBatch {
        segments: goes_on.into_iter().collect(),
        left: left.into_iter().collect(),
        ..ArchiveBatch::default()
    };
    archive.write(&batch).await?;
    let archived = archive.session(key).await?.map(|session| session.position);
    let is_whole = |archived: Position| (archived.sequence, archived.chain) == (start.sequence, end.chain);
    Ok(match archived {
        Some(archived) if is_whole(archived) => Position { chain: end.chain, ..start },
        _ => start,
    })
}

/// Entries that say nothing from the end of a branch up to `upto`, and the place after them. Who else hands the branch over makes the same.
fn fillers(branch: &[Arc<Entry>], last: Position, upto: Sequence) -> (Vec<Arc<Entry>>, Position) {
    let (mut fillers, mut place) = (Vec::new(), last);
    let Some(at) = branch.last().map(|last| last.at) else { return (fillers, place) };
    if upto.0.saturating_sub(last.sequence.0) > FILLERS {
        return (fillers, place);
    }
    while place.sequence < upto {
        let nothing = Record::CallsReleased { outputs: Vec::new(), steps: Vec::new(), notices: Vec::new() };
        let filler = Arc::new(Entry::seal(place, AppendId(0), at, nothing, b""));
        place = filler.position(place.epoch);
        fillers.push(filler);
    }
    (fillers, place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::time::Timestamp;

    #[tokio::test(start_paused = true)]
    async fn an_archive_that_let_somebody_wait_in_vain_is_asked_again_after_ten_seconds() {
        let rest = Rest::default();
        assert_eq!(rest.within_patience(async { Ok(1) }).await.unwrap(), 1);
        let begun = Instant::now();
        assert!(rest.within_patience(std::future::pending::<Result<(), _>>()).await.is_err());
        assert_eq!(begun.elapsed(), PATIENCE);
        for (passed_ms, is_asked) in [(0, false), (9_999, false), (1, true)] {
            tokio::time::advance(Duration::from_millis(passed_ms)).await;
            let mut was_asked = false;
            let asked = async {
                was_asked = true;
                Ok(())
            };
            assert_eq!(rest.within_patience(asked).await.is_ok(), is_asked);
            assert_eq!(was_asked, is_asked);
        }
        assert_eq!(begun.elapsed(), PATIENCE + RESTS, "nobody else waited");
    }

    #[test]
    fn gap_is_filled_by_what_continues_the_branch_and_is_the_same_for_everybody() {
        let start = Position::start("7f3a91".parse().unwrap());
        let branch = [Arc::new(Entry::seal(start, AppendId(1), Timestamp(1), Record::SessionClosed, b""))];
        let last = branch[0].position(start.epoch);
        let (filled, end) = fillers(&branch, last, Sequence(4));
        assert_eq!(filled.iter().map(|entry| entry.sequence.0).collect::<Vec<_>>(), [2, 3, 4]);
        assert_eq!(filled[0].previous_chain, last.chain);
        assert_eq!(filled[2].position(start.epoch), end);
        assert!(filled.iter().all(|entry| entry.wire().is_none()), "no reader sees them");
        assert_eq!(fillers(&branch, last, Sequence(4)), (filled, end));
        assert_eq!(fillers(&branch, last, Sequence(1)), (Vec::new(), last));
        assert_eq!(fillers(&branch, last, Sequence(FILLERS + 2)), (Vec::new(), last), "too many");
    }
}
