//! A session's state out of its archived log: recovery is replay.

use std::sync::Arc;

use crate::domain::entry::Entry;
use crate::domain::position::Epoch;
use crate::domain::session::SessionState;
use crate::engine::mux::Latest;
use crate::engine::ports::archive::{Archive, ArchiveError, ArchivedSession};
use crate::engine::ports::result_cache::Restored;

/// Entries read at once: what is in memory while a long log is folded.
const STRIDE: usize = 1_000;

/// Folds the live entries of a session, as a log of `epoch`. `None` where they don't lead to the position that the
/// archive told: the session was written, pruned or forgotten meanwhile.
pub(super) async fn fold(
    archive: &dyn Archive,
    session: &ArchivedSession,
    epoch: Epoch,
) -> Result<Option<Restored>, ArchiveError> {
    let mut folding = Folding { session, epoch, state: None, latest: Latest::default() };
    let mut after = session.first.previous();
    while after < session.position.sequence {
        let entries = archive.read(&session.key, after, STRIDE).await?;
        let Some(last) = entries.last() else { break };
        after = last.sequence;
        entries.iter().for_each(|entry| folding.take(entry));
    }
    let Folding { state, latest, .. } = folding;
    let whole = |state: &SessionState| {
        state.position.sequence == session.position.sequence && state.position.chain == session.position.chain
    };
    let left = session.position;
    let restored = |state| Restored { state: Arc::new(state), latest: latest.entries(), left };
    Ok(state.filter(whole).map(restored))
}

struct Folding<'a> {
    session: &'a ArchivedSession,
    epoch: Epoch,
    state: Option<SessionState>,
    latest: Latest,
}

impl Folding<'_> {
    fn take(&mut self, entry: &Arc<Entry>) {
        if entry.sequence > self.session.position.sequence {
            return;
        }
        let continues = |state: &SessionState| state.position.chain == entry.previous_chain;
        if !self.state.as_ref().is_some_and(continues) {
            let before = entry.previous_position(self.epoch);
            self.state = Some(SessionState::new(self.session.key.session.clone(), before));
            self.latest = Latest::default();
        }
        let Some(state) = &mut self.state else { return };
        // Behind a hole an entry may speak of a step whose beginning is missing.
        if state.knows(&entry.record) {
            state.apply(entry);
            self.latest.note(entry);
        } else {
            state.position = entry.position(self.epoch);
        }
    }
}
