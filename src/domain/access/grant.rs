//! A grant, and what it refuses.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Scope, Scopes, SessionPattern};
use crate::domain::ids::{SessionId, TenantId};
use crate::domain::time::Timestamp;

/// What the holder of a checked token may do. It can be kept in a store: as JSON it comes back as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grant {
    /// Whose sessions it opens; no other tenant's, whatever the scopes.
    pub tenant: TenantId,
    /// What it is for.
    pub scopes: Scopes,
    /// Which sessions of the tenant; `None` for all, none for an empty list.
    pub sessions: Option<Vec<SessionPattern>>,
    /// The first instant at which it no longer holds; `None` for an API key without an end.
    pub expires_at: Option<Timestamp>,
    /// A label for logs and rate limits, unique within the tenant, never the token: `key:<name>` or `jwt:<subject>`.
    pub name: Arc<str>,
}

/// Why a grant doesn't allow something. Both are answered alike whether or not the session exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Denied {
    /// The token isn't for this.
    #[error("the token has no scope `{0}`")]
    Scope(Scope),
    /// The token isn't for this session.
    #[error("the token is not for this session")]
    Session,
}

impl Grant {
    /// Whether the grant has the scope, and is for the session where one is meant. Without a session the grant may still be
    /// for some sessions only: what is shown then is to be looked at with [`covers`](Self::covers), one by one.
    ///
    /// # Errors
    /// What is missing.
    pub fn allows(&self, scope: Scope, session: Option<&SessionId>) -> Result<(), Denied> {
        if !self.scopes.contains(scope) && !mutant!("scope-not-asked-for") {
            return Err(Denied::Scope(scope));
        }
        if session.is_none_or(|session| self.covers(session)) { Ok(()) } else { Err(Denied::Session) }
    }

    /// Whether the grant is for that session of its tenant, for whatever scope.
    pub fn covers(&self, session: &SessionId) -> bool {
        let any = |patterns: &Vec<SessionPattern>| patterns.iter().any(|pattern| pattern.matches(session));
        self.sessions.as_ref().is_none_or(any)
    }

    /// Whether it is for all sessions of its tenant: what sums up a tenant is for those only.
    pub fn is_whole_tenant(&self) -> bool {
        self.sessions.as_ref().is_none_or(|patterns| patterns.iter().any(SessionPattern::is_all))
    }

    /// Whether it is over. A stream that it opened ends at that instant.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|end| end <= now && !mutant!("token-never-ends"))
    }

    /// What a ticket stands for: reading this one session, no longer than the grant itself.
    ///
    /// # Errors
    /// Where the grant doesn't allow that itself.
    pub fn narrowed_to_reading(&self, session: &SessionId) -> Result<Self, Denied> {
        self.allows(Scope::Read, Some(session))?;
        let scopes = Scopes::from_iter([Scope::Read]);
        Ok(Self { scopes, sessions: Some(vec![SessionPattern::exactly(session)]), ..self.clone() })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn grant(scopes: &[Scope], sessions: Option<&[&str]>) -> Grant {
        Grant {
            tenant: TenantId::default_tenant(),
            scopes: scopes.iter().copied().collect(),
            sessions: sessions.map(|texts| texts.iter().map(|text| text.parse().unwrap()).collect()),
            expires_at: Some(Timestamp(1_000)),
            name: "key:test".into(),
        }
    }

    fn id(text: &str) -> SessionId {
        text.parse().unwrap()
    }

    #[test]
    fn grant_allows_its_scopes_on_its_sessions() {
        let (read, plan) = (Scope::Read, Scope::Plan);
        for (sessions, session, expected) in [
            (None, None, Ok(())),
            (None, Some("a"), Ok(())),
            (Some(&["a*", "b"][..]), None, Ok(())),
            (Some(&["a*", "b"]), Some("a1"), Ok(())),
            (Some(&["a*", "b"]), Some("b"), Ok(())),
            (Some(&["a*", "b"]), Some("b1"), Err(Denied::Session)),
            (Some(&[]), Some("a"), Err(Denied::Session)),
            (Some(&[]), None, Ok(())),
        ] {
            let grant = grant(&[read], sessions);
            assert_eq!(grant.allows(read, session.map(id).as_ref()), expected, "{sessions:?} {session:?}");
            assert_eq!(grant.allows(plan, session.map(id).as_ref()), Err(Denied::Scope(plan)));
        }
    }

    #[test]
    fn no_scope_stands_for_another() {
        for held in Scope::ALL {
            for wanted in Scope::ALL {
                assert_eq!(grant(&[held], None).allows(wanted, None).is_ok(), held == wanted);
            }
        }
    }

    #[test]
    fn refusal_names_the_scope_and_no_session() {
        let grant = grant(&[Scope::Read], Some(&["mine"]));
        let refusals =
            [grant.allows(Scope::Admin, Some(&id("theirs"))), grant.allows(Scope::Read, Some(&id("theirs")))];
        let texts = refusals.map(|refusal| refusal.unwrap_err().to_string());
        assert_eq!(texts, ["the token has no scope `admin`", "the token is not for this session"]);
    }

    #[test]
    fn ticket_reads_one_session_and_ends_with_its_grant() {
        let all = grant(&Scope::ALL, None);
        let narrow = all.narrowed_to_reading(&id("a")).unwrap();
        assert!(narrow.allows(Scope::Read, Some(&id("a"))).is_ok());
        assert_eq!(narrow.allows(Scope::Read, Some(&id("ab"))), Err(Denied::Session));
        assert_eq!(narrow.allows(Scope::Plan, Some(&id("a"))), Err(Denied::Scope(Scope::Plan)));
        assert_eq!(
            (&narrow.tenant, narrow.expires_at, &narrow.name),
            (&all.tenant, all.expires_at, &all.name)
        );
        assert!(!narrow.is_whole_tenant());
        assert_eq!(narrow.narrowed_to_reading(&id("b")), Err(Denied::Session));
        let planner = grant(&[Scope::Plan, Scope::Admin], None);
        assert_eq!(planner.narrowed_to_reading(&id("a")), Err(Denied::Scope(Scope::Read)));
    }

    #[test]
    fn grant_of_every_session_is_one_of_the_whole_tenant() {
        assert!(grant(&[Scope::Read], None).is_whole_tenant());
        assert!(grant(&[Scope::Read], Some(&["a", "*"])).is_whole_tenant());
        assert!(!grant(&[Scope::Read], Some(&["a*", "*b"])).is_whole_tenant());
        assert!(!grant(&[Scope::Read], Some(&[])).is_whole_tenant());
    }

    #[test]
    fn grant_ends_at_the_instant_that_it_names() {
        let grant = grant(&[], None);
        assert_eq!([999, 1_000, 1_001].map(|now| grant.is_expired(Timestamp(now))), [false, true, true]);
        assert!(!Grant { expires_at: None, ..grant }.is_expired(Timestamp(i64::MAX)));
    }

    proptest! {
        #[test]
        fn grant_comes_back_from_a_store(
            bits in prop::collection::vec(0..4usize, 0..4),
            sessions in prop::option::of(prop::collection::vec("[a-z*]{1,9}", 0..4)),
            end in prop::option::of(any::<i64>()),
            name in any::<String>(),
        ) {
            let parse = |texts: Vec<String>| texts.iter().map(|text| text.parse().unwrap()).collect();
            let grant = Grant {
                tenant: "t-1".parse().unwrap(),
                scopes: bits.into_iter().map(|bit| Scope::ALL[bit]).collect(),
                sessions: sessions.map(parse),
                expires_at: end.map(Timestamp),
                name: name.into(),
            };
            let json = serde_json::to_vec(&grant).unwrap();
            prop_assert_eq!(serde_json::from_slice::<Grant>(&json).unwrap(), grant);
        }
    }
}
