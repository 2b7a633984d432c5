//! Tickets and cookies: how a browser's `EventSource`, which can't send a token, reads one session.
//!
//! A ticket is used once, within a minute; what it is exchanged for is a cookie that opens the same session until the token
//! ends. Both are 256 random bits, kept under their digest only. A ticket's digest is never a cookie's, so one can't be
//! used as the other. What stands for an API key is compared with the configured keys at each use.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::authenticator::Authenticator;
use super::digest::{base64url, from_base64url, sha256};
use super::random::{NoRandomness, random_bytes};
use crate::domain::access::{Denied, Grant};
use crate::domain::ids::SessionId;
use crate::domain::time::Timestamp;
use crate::domain::verdict::Code;
use crate::engine::ports::result_cache::StoreError;
use crate::engine::ports::sign_in::Redeemed;
use crate::engine::ports::ticket_store::{TicketDigest, TicketStore};

/// How long a ticket may wait, in milliseconds.
const TICKET_MS: u64 = 60_000;

/// Why there is no ticket or cookie, or it opens nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TicketError {
    /// The token doesn't allow what the ticket would be for.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// It was used, its time is over, what it stands for was taken back, or it never was.
    #[error("the ticket or cookie is not known")]
    Unknown,
    /// The store can't say.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No secret can be made.
    #[error(transparent)]
    NoRandomness(#[from] NoRandomness),
}

impl TicketError {
    /// The code of the answer: `forbidden` is 403, `unauthorized` 401, `store_unavailable` 503.
    pub fn code(&self) -> Code {
        match self {
            Self::Denied(_) => Code::Forbidden,
            Self::Unknown => Code::Unauthorized,
            Self::Store(_) | Self::NoRandomness(_) => Code::StoreUnavailable,
        }
    }
}

/// What a secret stands for, as it is stored.
#[derive(Serialize, Deserialize)]
struct Stored {
    grant: Grant,
    /// See `Authenticator::bound_to`.
    bound_to: Option<String>,
    /// The first instant at which it is over; the store's own time comes besides.
    until: Timestamp,
}

#[derive(Clone, Copy)]
enum Kind {
    Ticket,
    Cookie,
}

impl Kind {
    /// `None` for what can't be one: nobody's text reaches the store.
    fn digest(self, text: &str) -> Option<TicketDigest> {
        let kind: &[u8] = match self {
            Self::Ticket => b"ticket:",
            Self::Cookie => b"cookie:",
        };
        let is_one = text.len() == 43 && from_base64url(text).is_some_and(|bytes| bytes.len() == 32);
        is_one.then(|| TicketDigest(sha256(&[kind, text.as_bytes()])))
    }
}

/// Gives out tickets, and what they are exchanged for.
#[derive(Clone)]
pub struct Tickets {
    store: Arc<dyn TicketStore>,
    authenticator: Arc<Authenticator>,
    cookie_ms: u64,
}

impl Tickets {
    /// `cookie_seconds`: how long a cookie lives whose token has no end.
    pub fn new(store: Arc<dyn TicketStore>, authenticator: Arc<Authenticator>, cookie_seconds: u64) -> Self {
        Self { store, authenticator, cookie_ms: cookie_seconds.saturating_mul(1_000) }
    }

    /// A ticket for reading that session: 43 characters of base64url. `grant` is the asking token's.
    ///
    /// # Errors
    /// Where the token itself may not read the session, or the store doesn't keep the ticket.
    pub async fn issue(
        &self,
        grant: &Grant,
        session: &SessionId,
        now: Timestamp,
    ) -> Result<String, TicketError> {
        let grant = grant.narrowed_to_reading(session)?;
        let bound_to = self.authenticator.bound_to(&grant);
        let stored = Stored { grant, bound_to, until: now.plus_ms(TICKET_MS) };
        self.put(Kind::Ticket, &stored, now).await
    }

    /// What a ticket opens; it can still be exchanged.
    ///
    /// # Errors
    /// [`TicketError::Unknown`] for whatever isn't a ticket any more.
    pub async fn ticket(&self, ticket: &str, now: Timestamp) -> Result<Arc<Grant>, TicketError> {
        self.opened_by(Kind::Ticket, ticket, now).await
    }

    /// Exchanges a ticket for a cookie. Of all that try at once, one gets it.
    ///
    /// # Errors
    /// [`TicketError::Unknown`] for whatever isn't a ticket any more.
    pub async fn redeem(&self, ticket: &str, now: Timestamp) -> Result<Redeemed, TicketError> {
        let digest = Kind::Ticket.digest(ticket).ok_or(TicketError::Unknown)?;
        let taken = self.store.take(digest).await?.ok_or(TicketError::Unknown)?;
        let mut stored = self.read(&taken, now)?;
        let until = stored.grant.expires_at.unwrap_or_else(|| now.plus_ms(self.cookie_ms));
        stored.until = until;
        stored.grant.expires_at = Some(until);
        let cookie = self.put(Kind::Cookie, &stored, now).await?;
        let lives = Duration::from_millis(until.since_ms(now));
        Ok(Redeemed { grant: Arc::new(stored.grant), cookie, lives })
    }

    /// What a cookie opens.
    ///
    /// # Errors
    /// [`TicketError::Unknown`] for whatever isn't a cookie any more.
    pub async fn cookie(&self, cookie: &str, now: Timestamp) -> Result<Arc<Grant>, TicketError> {
        self.opened_by(Kind::Cookie, cookie, now).await
    }

    async fn opened_by(&self, kind: Kind, text: &str, now: Timestamp) -> Result<Arc<Grant>, TicketError> {
        let digest = kind.digest(text).ok_or(TicketError::Unknown)?;
        let found = self.store.get(digest).await?.ok_or(TicketError::Unknown)?;
        self.read(&found, now).map(|stored| Arc::new(stored.grant))
    }

    async fn put(&self, kind: Kind, stored: &Stored, now: Timestamp) -> Result<String, TicketError> {
        let text = base64url(&random_bytes()?);
        let digest = kind.digest(&text).ok_or(TicketError::Unknown)?;
        let value = serde_json::to_vec(stored).map_err(|error| StoreError::Corrupt(error.to_string()))?;
        let lives = Duration::from_millis(stored.until.since_ms(now));
        self.store.put(digest, &value, lives).await?;
        Ok(text)
    }

    fn read(&self, value: &[u8], now: Timestamp) -> Result<Stored, TicketError> {
        let stored: Stored =
            serde_json::from_slice(value).map_err(|error| StoreError::Corrupt(error.to_string()))?;
        let holds = now < stored.until
            && self.authenticator.still_holds(&stored.grant, stored.bound_to.as_deref(), now);
        if holds { Ok(stored) } else { Err(TicketError::Unknown) }
    }
}
