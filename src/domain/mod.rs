//! What the service decides: pure values and state machines.
//!
//! Nothing here is async, does I/O, reads a clock, draws a random number or logs. `now` and fresh ids come in as
//! arguments, so every decision can be replayed, and the same functions are the oracle of the tests.

pub mod access;
pub mod adapters;
pub mod aggregate;
pub mod allowed_host;
pub mod backoff;
pub mod breaker;
pub mod bridges;
pub mod canonical_json;
pub mod contained;
pub mod credential_header;
pub mod credential_scheme;
pub mod directive;
pub mod distinct;
pub mod entry;
pub mod event;
pub mod hidden_words;
pub mod ids;
pub(crate) mod json_text;
pub mod limits;
pub mod literal_credential;
pub mod near_duplicates;
pub mod pacing;
pub mod policy;
pub mod position;
pub mod private_address;
pub mod protocols;
pub mod record;
pub mod render;
pub mod requests;
pub mod retry_after;
pub mod session;
pub mod shadow;
pub mod signature;
pub mod span;
pub mod story;
pub mod synthesis;
pub mod telemetry_context;
pub mod telemetry_names;
pub mod text;
pub mod time;
pub mod verdict;
pub mod wanted;
pub mod wire;
