//! The names of a tenant's sessions: a list that is never short of one, and lets go of those that are gone.
//!
//! A name is put into the list before its session's first append, and again after it. Who takes one out looks for the session
//! afterwards, and puts the name back where it has begun meanwhile: whichever of the two comes last sees what the other did.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use futures::stream::{self, StreamExt, TryStreamExt};
use redis::Value;
use tokio::time::Instant;

use super::Shared;
use super::keys;
use super::tail::Tail;
use super::value::text;
use crate::domain::ids::{SessionId, SessionKey, TenantId};
use crate::domain::session::SessionState;
use crate::engine::ports::result_cache::{Listed, Presence, StoreError};
use crate::engine::ports::wake_index::Work;

/// Sessions of a list that are loaded at once.
const LISTED_AT_ONCE: usize = 32;
/// Names that a sweep looks at, and goes on as long as most of them were of sessions that are gone; pages of a sweep at most.
const WALKED: usize = 64;
const PAGES: usize = 32;
/// How soon all lists are walked through again, at the soonest: a name stays longer than its session by this at most twice.
const ROUND_MIN: Duration = Duration::from_secs(1);
/// How often the names of sessions that are held here are put into their lists again, and how many with one command.
const LISTED_EVERY: Duration = Duration::from_secs(30);
const NAMED_AT_ONCE: usize = 500;

/// How far the lists were walked through, of the tenants that this replica wrote for.
#[derive(Debug, Default)]
pub(super) struct Walk {
    /// Those that may have names in their lists.
    tenants: BTreeSet<TenantId>,
    /// Those that are left of this round.
    rest: Vec<TenantId>,
    /// The last name of the tenant whose turn it is.
    after: Option<SessionId>,
    /// When the next round begins.
    next: Option<Instant>,
    /// When the names of what is held were put there last.
    listed: Option<Instant>,
}

impl Shared {
    pub(super) async fn sessions(
        self: &Arc<Self>,
        tenant: &TenantId,
        after: Option<&SessionId>,
        limit: usize,
    ) -> Result<Vec<Listed>, StoreError> {
        // A list of what an emptied store has is none: who asks waits where this finds that it was.
        self.look_before_unknown().await;
        let mut found = Vec::new();
        let mut after = after.cloned();
        while found.len() < limit {
            let names = self.names(tenant, after.as_ref(), limit).await?;
            let Some(last) = names.last() else { break };
            after = Some(last.clone());
            let listed = stream::iter(names).map(|name| self.shown(tenant, name)).buffered(LISTED_AT_ONCE);
            let shown: Vec<Option<Listed>> = listed.try_collect().await?;
            found.extend(shown.into_iter().flatten());
        }
        found.truncate(limit);
        Ok(found)
    }

    /// A session as a list shows it. One that can't be read takes no other away.
    async fn shown(&self, tenant: &TenantId, session: SessionId) -> Result<Option<Listed>, StoreError> {
        match self.listed(tenant, session.clone()).await {
            Ok(state) => Ok(state.map(Listed::from)),
            Err(why @ (StoreError::Newer(_) | StoreError::Corrupt(_))) => {
                Ok(Some(Listed { session, state: Err(why) }))
            }
            Err(error) => Err(error),
        }
    }

    async fn names(
        &self,
        tenant: &TenantId,
        after: Option<&SessionId>,
        limit: usize,
    ) -> Result<Vec<SessionId>, StoreError> {
        let from = after.map_or_else(|| "-".to_owned(), |after| format!("({after}"));
        let mut command = redis::cmd("ZRANGEBYLEX");
        command.arg(keys::sessions(tenant)).arg(from).arg("+").arg("LIMIT").arg(0).arg(limit);
        let Value::Array(names) = self.link.run(&command).await? else { return Ok(Vec::new()) };
        Ok(names.iter().filter_map(|name| text(name).parse().ok()).collect())
    }

    /// A listed session's state; one that is gone leaves the list.
    async fn listed(
        &self,
        tenant: &TenantId,
        session: SessionId,
    ) -> Result<Option<Arc<SessionState>>, StoreError> {
        let key = SessionKey { tenant: tenant.clone(), session };
        let state = self.state_of(&key).await?;
        if state.is_none() {
            self.unlist(&key).await?;
        }
        Ok(state)
    }

    /// The state of a session that is there.
    async fn state_of(&self, key: &SessionKey) -> Result<Option<Arc<SessionState>>, StoreError> {
        let tail = Tail::new(key, self.bounds());
        let found = self.find(&tail).await?;
        let presence = found.meta.presence(&key.session, found.now, self.lifetime())?;
        self.notice_overdue(&tail, &presence, found.now).await;
        Ok(match presence {
            Presence::Live(state) | Presence::Archived(state) => Some(state),
            Presence::Expired(_) | Presence::Unknown => None,
        })
    }

    /// Puts a session into its tenant's list, before its first append.
    pub(super) async fn list(&self, key: &SessionKey) -> Result<(), StoreError> {
        self.walk.lock().tenants.insert(key.tenant.clone());
        let mut command = redis::cmd("ZADD");
        command.arg(keys::sessions(&key.tenant)).arg(0).arg(key.session.as_str());
        self.link.run(&command).await.map(|_| ())
    }

    /// The same after it, which is stored whatever becomes of its name.
    pub(super) async fn list_again(&self, key: &SessionKey) {
        if mutant!("name-put-there-once") {
            return;
        }
        if let Err(error) = self.list(key).await {
            tracing::warn!(session = %key.session, %error, "a session may be missing in its tenant's list");
        }
    }

    /// Puts the names of all sessions that are held here into their lists again, now and then: Redis may have lost a list.
    pub(super) async fn list_held(&self) -> Result<(), StoreError> {
        if !self.walk.lock().lists_again() {
            return Ok(());
        }
        let mut held: BTreeMap<TenantId, Vec<SessionId>> = BTreeMap::new();
        for tail in self.tails_in_order() {
            if matches!(tail.presence().0, Presence::Live(_)) {
                held.entry(tail.key.tenant.clone()).or_default().push(tail.key.session.clone());
            }
        }
        for (tenant, sessions) in held {
            for some in sessions.chunks(NAMED_AT_ONCE) {
                let mut command = redis::cmd("ZADD");
                command.arg(keys::sessions(&tenant));
                for session in some {
                    command.arg(0).arg(session.as_str());
                }
                self.link.run(&command).await?;
            }
            self.walk.lock().tenants.insert(tenant);
        }
        Ok(())
    }

    /// Takes the name of a session that is gone out of its tenant's list.
    pub(super) async fn unlist(&self, key: &SessionKey) -> Result<(), StoreError> {
        let mut command = redis::cmd("ZREM");
        self.link.run(command.arg(keys::sessions(&key.tenant)).arg(key.session.as_str())).await?;
        if self.state_of(key).await?.is_some() { self.list(key).await } else { Ok(()) }
    }

    /// Looks at some names, so that those of sessions that are gone leave though nobody asks for a list.
    pub(super) async fn walk_names(&self) -> Result<(), StoreError> {
        for _ in 0..PAGES {
            let Some((tenant, after)) = self.walk.lock().begin(self.settings.ttl_ms) else { break };
            let names = self.names(&tenant, after.as_ref(), WALKED).await?;
            let (count, last) = (names.len(), names.last().cloned());
            let stays = stream::iter(names).map(|name| self.stays(&tenant, name)).buffered(LISTED_AT_ONCE);
            let stays: Vec<bool> = stays.try_collect().await?;
            let staying = stays.iter().filter(|stays| **stays).count();
            self.walk.lock().go_on(tenant, last, staying > 0);
            if 2 * staying > count {
                break;
            }
        }
        Ok(())
    }

    /// Whether a name stays in its list. One that can't be read does, and keeps no other from leaving. Nobody may ask for a session whose
    /// wake-up was lost: its step would never end.
    async fn stays(&self, tenant: &TenantId, session: SessionId) -> Result<bool, StoreError> {
        match self.listed(tenant, session).await {
            Ok(Some(state)) => {
                if let Some(at) = state.next_wake() {
                    let key = SessionKey { tenant: tenant.clone(), session: state.session.clone() };
                    self.wake_if_missing(&key, Work::Deadline, at).await?;
                }
                Ok(true)
            }
            Ok(None) => Ok(false),
            Err(StoreError::Newer(_) | StoreError::Corrupt(_)) => Ok(true),
            Err(error) => Err(error),
        }
    }
}

impl Walk {
    /// Whether it is time to put names there again.
    fn lists_again(&mut self) -> bool {
        let is_time = self.listed.is_none_or(|listed| listed.elapsed() >= LISTED_EVERY);
        if is_time {
            self.listed = Some(Instant::now());
        }
        is_time
    }

    /// Whose list is to be looked at, and after which name; `None` until the next round, which begins when data of `ttl_ms` may
    /// have expired since the last.
    fn begin(&mut self, ttl_ms: u64) -> Option<(TenantId, Option<SessionId>)> {
        if self.rest.is_empty() {
            let now = Instant::now();
            if self.next.is_some_and(|next| now < next) {
                return None;
            }
            self.next = Some(now + Duration::from_millis(ttl_ms).max(ROUND_MIN));
            self.rest = std::mem::take(&mut self.tenants).into_iter().collect();
        }
        self.rest.last().map(|tenant| (tenant.clone(), self.after.clone()))
    }

    /// A page was looked at, to its `last` name; where there was none, the list is done. `stays`: a name of it did.
    fn go_on(&mut self, tenant: TenantId, last: Option<SessionId>, stays: bool) {
        if last.is_none() {
            self.rest.pop();
        }
        self.after = last;
        if stays {
            self.tenants.insert(tenant);
        }
    }
}
