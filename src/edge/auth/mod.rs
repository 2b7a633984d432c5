//! The sign-in: from a token to what its holder may do.
//!
//! A token is an API key (`api_keys`) or a JWT (`jws`, `claims`), signed with a secret of ours or with a key of somebody
//! else's set (`jwks`). What was checked is known for a minute (`checked`). Tickets and cookies (`tickets`) stand for a
//! token where a browser can't send one. Nothing here knows HTTP, and nothing logs a token, a ticket or a part of one.

mod api_keys;
mod authenticator;
mod checked;
mod claims;
mod digest;
mod error;
mod jwks;
mod jwks_source;
mod jws;
mod key_set;
mod random;
mod settings;
mod sign_in;
mod tickets;
mod tickets_memory;

pub use api_keys::{ApiKey, InvalidHash, KeyHash, new_api_key};
pub use authenticator::Authenticator;
pub use error::AuthError;
pub use random::{NoRandomness, random_bytes};
pub use settings::{AuthSettings, AuthSettingsError, JwksSettings, JwksSource};
pub use sign_in::SigningIn;
pub use tickets::{TicketError, Tickets};
pub use tickets_memory::MemoryTickets;
