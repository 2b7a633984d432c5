//! What the engine needs from outside, as contracts.

pub mod analytics;
pub mod archive;
pub mod completion_cache;
pub mod feedback_log;
pub mod language_model;
pub mod probe_tokens;
pub mod result_cache;
pub mod shadow_log;
pub mod sign_in;
pub mod span_sink;
pub mod subagent;
pub mod ticket_store;
pub mod wake_index;
