//! The port of the engine on what is here.

use std::sync::Arc;

use futures::FutureExt;

use super::{AuthError, Authenticator, TicketError, Tickets};
use crate::domain::access::Grant;
use crate::domain::ids::SessionId;
use crate::domain::time::Timestamp;
use crate::engine::ports::sign_in::{Redeemed, SignIn, SignInError, SignInFuture};

/// Tokens, tickets and cookies of one service.
pub struct SigningIn {
    authenticator: Arc<Authenticator>,
    tickets: Tickets,
}

impl SigningIn {
    /// Joins the two.
    pub fn new(authenticator: Arc<Authenticator>, tickets: Tickets) -> Self {
        Self { authenticator, tickets }
    }
}

impl From<AuthError> for SignInError {
    fn from(error: AuthError) -> Self {
        Self { code: error.code(), text: error.to_string() }
    }
}

impl From<TicketError> for SignInError {
    fn from(error: TicketError) -> Self {
        let text = match &error {
            TicketError::Store(store) => {
                tracing::debug!(%store, "a ticket or cookie is refused");
                store.told().into_owned()
            }
            TicketError::Denied(_) | TicketError::Unknown | TicketError::NoRandomness(_) => error.to_string(),
        };
        Self { code: error.code(), text }
    }
}

impl SignIn for SigningIn {
    fn keys(&self) -> Option<Result<(), String>> {
        self.authenticator.keys()
    }

    fn known(&self, token: &str, now: Timestamp) -> Option<Result<Arc<Grant>, SignInError>> {
        Some(self.authenticator.known(token, now)?.map_err(SignInError::from))
    }

    fn authenticate<'a>(&'a self, token: &'a str, now: Timestamp) -> SignInFuture<'a, Arc<Grant>> {
        async move { Ok(self.authenticator.authenticate(token, now).await?) }.boxed()
    }

    fn issue<'a>(
        &'a self,
        grant: &'a Grant,
        session: &'a SessionId,
        now: Timestamp,
    ) -> SignInFuture<'a, String> {
        async move { Ok(self.tickets.issue(grant, session, now).await?) }.boxed()
    }

    fn ticket<'a>(&'a self, ticket: &'a str, now: Timestamp) -> SignInFuture<'a, Arc<Grant>> {
        async move { Ok(self.tickets.ticket(ticket, now).await?) }.boxed()
    }

    fn redeem<'a>(&'a self, ticket: &'a str, now: Timestamp) -> SignInFuture<'a, Redeemed> {
        async move { Ok(self.tickets.redeem(ticket, now).await?) }.boxed()
    }

    fn cookie<'a>(&'a self, cookie: &'a str, now: Timestamp) -> SignInFuture<'a, Arc<Grant>> {
        async move { Ok(self.tickets.cookie(cookie, now).await?) }.boxed()
    }
}
