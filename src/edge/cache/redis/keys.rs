//! Names in Redis. All keys of a session carry one hash tag, so they lie in one slot of a cluster.

use xxhash_rust::xxh3::xxh3_64;

use crate::domain::ids::{SessionId, SessionKey, TenantId};
use crate::engine::ports::wake_index::Work;

/// Where deletions are told, of sessions by their name: who only wrote to one doesn't listen to its channel.
pub(super) const DELETIONS: &str = "tributary:deletions";

/// Where is told of which session the store has lost a key, by its name: who holds it puts it back.
pub(super) const LOST: &str = "tributary:lost";
/// What is told there instead of a name where the store lost everything. No session is called so.
pub(super) const EVERYTHING: &str = "*";
/// Begins there, before the name of a replica, what one asks that has just started: whether anybody has seen the store lose something.
pub(super) const NEWCOMER: &str = "?";

/// A session's channel that there never is: whoever may join it may join that of any session.
pub(super) const CHANNEL_OF_NOBODY: &str = "tributary:{}:tail";

/// A key that there never is.
pub(super) const NOTHING: &str = "tributary:nothing";

/// Parts of the index of wake-ups; each is one key, so a cluster spreads them.
pub(super) const WAKE_PARTS: u64 = 64;

/// A session's keys and its channel.
#[derive(Debug)]
pub(super) struct Keys {
    pub(super) meta: String,
    pub(super) log: String,
    pub(super) latest: String,
    pub(super) channel: String,
}

impl Keys {
    pub(super) fn of(key: &SessionKey) -> Self {
        let SessionKey { tenant, session } = key;
        let named = |what: &str| format!("tributary:{{{tenant}/{session}}}:{what}");
        Self { meta: named("meta"), log: named("log"), latest: named("latest"), channel: named("tail") }
    }
}

/// What the answers of models that a session had are kept as.
pub(super) fn answers(key: &SessionKey) -> String {
    format!("tributary:{{{}/{}}}:answers", key.tenant, key.session)
}

/// The `Idempotency-Key`s of feedback on a session's results.
pub(super) fn feedback(key: &SessionKey) -> String {
    format!("tributary:{{{}/{}}}:feedback", key.tenant, key.session)
}

/// The names of a tenant's sessions, in order.
pub(super) fn sessions(tenant: &TenantId) -> String {
    format!("tributary:sessions:{tenant}")
}

/// A token by that name.
pub(super) fn token(name: &str) -> String {
    format!("tributary:token:{name}")
}

/// The part of the index of wake-ups that a session is in.
pub(super) fn wake_part(key: &SessionKey, work: Work) -> String {
    wake_part_number(work, xxh3_64(name(key).as_bytes()) % WAKE_PARTS)
}

pub(super) fn wake_part_number(work: Work, part: u64) -> String {
    match work {
        Work::Deadline => format!("tributary:wake:{part}"),
        Work::Archive => format!("tributary:wake:archive:{part}"),
    }
}

/// A session's name among those of all tenants.
pub(super) fn name(key: &SessionKey) -> String {
    format!("{}/{}", key.tenant, key.session)
}

/// The session of that name.
pub(super) fn named(name: &str) -> Option<SessionKey> {
    let (tenant, session) = name.split_once('/')?;
    let session: SessionId = session.parse().ok()?;
    Some(SessionKey { tenant: tenant.parse().ok()?, session })
}
