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

/// A shorter secret of tokens isn't taken.
pub const SECRET_BYTES_LEAST: usize = 8;
/// Whoever has a token can search for a shorter one (RFC 7518, section 3.2: the key is at least as long as the hash).
pub const SECRET_BYTES_ENOUGH: usize = 32;
