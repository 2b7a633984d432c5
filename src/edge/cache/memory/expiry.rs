//! What the embedded store lets go: data whose time is over, tombstones after them, and, when memory is short, the
//! sessions that ended longest ago.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::MemoryCache;
use super::session::Session;
use crate::domain::ids::SessionKey;
use crate::domain::time::Timestamp;

impl MemoryCache {
    /// Lets go whatever is due. To be called about once a second.
    pub fn sweep(&self) {
        let now = self.now();
        let due: Vec<(SessionKey, Arc<Session>)> = self
            .sessions
            .iter()
            .filter(|item| item.value().lock().expires_at <= now)
            .map(|item| (item.key().clone(), item.value().clone()))
            .collect();
        for (key, session) in due {
            if !self.expire(&session, now) {
                drop(session);
                self.drop_unused(&key, now);
            }
        }
        self.bound_tombstones();
    }

    /// Lets the tombstones go whose time is over first, where there are more than there may be sessions with data. Who
    /// asks after such a session is told that it is unknown.
    fn bound_tombstones(&self) {
        let most = self.settings.sessions_max;
        let without_data = self.sessions.len().saturating_sub(self.with_data.load(Ordering::Relaxed));
        if without_data <= most {
            return;
        }
        let mut tombstones: Vec<(Timestamp, SessionKey)> = Vec::with_capacity(without_data);
        for item in &self.sessions {
            let inner = item.value().lock();
            if inner.state.is_none() {
                tombstones.push((inner.expires_at, item.key().clone()));
            }
        }
        tombstones.sort_by_key(|(expires_at, _)| *expires_at);
        let over = tombstones.len().saturating_sub(most);
        for (expires_at, key) in tombstones.drain(..over) {
            self.drop_unused(&key, expires_at);
        }
    }

    /// Turns a session's data into a tombstone. `false` where there is no data.
    fn expire(&self, session: &Session, now: Timestamp) -> bool {
        let mut inner = session.lock();
        let waits_for_archive = session.window.held_bytes() > 0;
        if inner.state.is_none() || inner.expires_at > now || waits_for_archive {
            return inner.state.is_some();
        }
        let freed = inner.clear() + session.window.expire();
        inner.expires_at = now.plus_ms(self.settings.tombstone_ms);
        self.with_data.fetch_sub(1, Ordering::Relaxed);
        self.bytes.fetch_sub(freed, Ordering::Relaxed);
        true
    }

    /// Removes a session without data that nobody holds: a tombstone whose time is over, or the place of a reader who
    /// waited for what never came.
    fn drop_unused(&self, key: &SessionKey, now: Timestamp) {
        self.sessions.remove_if(key, |_, session| {
            let held = Arc::strong_count(session) > 1 || Arc::strong_count(&session.window) > 1;
            let inner = session.lock();
            !held && inner.state.is_none() && inner.expires_at <= now
        });
    }

    /// Frees memory for `incoming` bytes, and some to spare, from sessions that have ended, the oldest first.
    pub(super) fn make_room(&self, incoming: usize) -> bool {
        let spare = self.settings.bytes_max / 20;
        let mut ended: Vec<(Timestamp, Arc<Session>)> = self
            .sessions
            .iter()
            .filter_map(|item| {
                let inner = item.value().lock();
                let ended = inner.state.as_ref().is_some_and(|state| state.is_ended());
                let over = ended && item.value().window.held_bytes() == 0;
                over.then(|| (inner.appended_at, item.value().clone()))
            })
            .collect();
        ended.sort_by_key(|(appended_at, _)| *appended_at);
        for (appended_at, session) in ended {
            if self.bytes() + incoming + spare <= self.settings.bytes_max {
                break;
            }
            let mut inner = session.lock();
            if inner.appended_at == appended_at {
                inner.expires_at = Timestamp::default();
                drop(inner);
                self.expire(&session, self.now());
            }
        }
        self.bytes() + incoming <= self.settings.bytes_max
    }

    /// Forgets a session and its tombstone; whoever reads it is told. Its place stays while somebody holds it, so that
    /// who waits there sees the session begin anew.
    pub(super) fn forget_now(&self, key: &SessionKey) -> bool {
        let Some(session) = self.find(key) else { return false };
        let mut inner = session.lock();
        let had_data = inner.state.is_some();
        let known = session.window.tail().position.is_some();
        let freed = inner.clear() + session.window.forget();
        inner.expires_at = Timestamp::default();
        self.bytes.fetch_sub(freed, Ordering::Relaxed);
        self.with_data.fetch_sub(usize::from(had_data), Ordering::Relaxed);
        drop(inner);
        drop(session);
        self.drop_unused(key, self.now());
        known
    }
}
