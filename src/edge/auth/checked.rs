//! Tokens that were checked a moment ago, by their SHA-256.
//!
//! An entry lives until its token ends, and a minute at most, so that a key that was taken out of the set stops opening
//! anything within that time. Bounded by two halves: when the young one is full it becomes the old one, which goes.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::RwLock;

use crate::domain::access::Grant;
use crate::domain::time::Timestamp;

/// Entries of one half.
const HALF_MAX: usize = 4_096;
/// How long an entry is used, in milliseconds.
const LIVES_MS: u64 = 60_000;

struct Entry {
    grant: Arc<Grant>,
    since: Timestamp,
}

impl Entry {
    /// A clock that was set back doesn't make an entry live longer.
    fn holds(&self, now: Timestamp) -> bool {
        self.since <= now && now < self.since.plus_ms(LIVES_MS) && !self.grant.is_expired(now)
    }
}

#[derive(Default)]
struct Halves {
    young: HashMap<[u8; 32], Entry>,
    old: HashMap<[u8; 32], Entry>,
}

/// Grants of tokens whose signature was right.
#[derive(Default)]
pub(super) struct Checked(RwLock<Halves>);

impl Checked {
    pub(super) fn get(&self, digest: &[u8; 32], now: Timestamp) -> Option<Arc<Grant>> {
        let halves = self.0.read();
        let entry = halves.young.get(digest).or_else(|| halves.old.get(digest))?;
        entry.holds(now).then(|| entry.grant.clone())
    }

    pub(super) fn keep(&self, digest: [u8; 32], grant: Arc<Grant>, now: Timestamp) {
        let mut halves = self.0.write();
        if halves.young.len() >= HALF_MAX {
            halves.old = std::mem::take(&mut halves.young);
        }
        halves.young.insert(digest, Entry { grant, since: now });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::access::Scopes;
    use crate::domain::ids::TenantId;

    fn grant(expires_at: i64) -> Arc<Grant> {
        let expires_at = Some(Timestamp(expires_at));
        let tenant = TenantId::default_tenant();
        Arc::new(Grant {
            tenant,
            scopes: Scopes::default(),
            sessions: None,
            expires_at,
            name: "jwt:a".into(),
        })
    }

    #[test]
    fn entry_ends_with_its_token_or_after_a_minute_and_never_comes_early() {
        let checked = Checked::default();
        checked.keep([1; 32], grant(1_500), Timestamp(1_000));
        checked.keep([2; 32], grant(i64::MAX), Timestamp(1_000));
        let held = |digest: u8| {
            [999, 1_000, 1_499, 1_500, 60_999, 61_000]
                .map(|now| checked.get(&[digest; 32], Timestamp(now)).is_some())
        };
        assert_eq!(held(1), [false, true, true, false, false, false]);
        assert_eq!(held(2), [false, true, true, true, true, false]);
        assert_eq!(held(3), [false; 6]);
    }

    #[test]
    fn however_many_tokens_come_only_the_last_are_kept() {
        let checked = Checked::default();
        let digest = |n: usize| std::array::from_fn(|at| n.to_le_bytes().get(at).copied().unwrap_or(0));
        let grant = grant(i64::MAX);
        for n in 0..100_000 {
            checked.keep(digest(n), grant.clone(), Timestamp(0));
        }
        let halves = checked.0.read();
        assert!(halves.young.len() <= HALF_MAX && halves.old.len() <= HALF_MAX);
        drop(halves);
        assert!((100_000 - HALF_MAX..100_000).all(|n| checked.get(&digest(n), Timestamp(1)).is_some()));
        assert!(checked.get(&digest(0), Timestamp(1)).is_none());
    }
}
