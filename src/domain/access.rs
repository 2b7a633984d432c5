//! What the holder of a token may do: a tenant, scopes, and the sessions that they hold for.
//!
//! A grant is what is left of a token once it is checked. It never holds the token, and a refusal says what the token
//! lacks, never whether the session exists.

mod grant;
mod pattern;
mod scope;

pub use grant::{Denied, Grant};
pub use pattern::{InvalidPattern, PATTERN_BYTES_MAX, SessionPattern};
pub use scope::{Scope, Scopes, UnknownScope};
