//! What touches the world: HTTP, stores, subagents, language models, telemetry.
//!
//! Folders here don't import each other; `bootstrap` joins what the engine asks for to what is here.

pub mod archive;
pub mod auth;
pub mod cache;
pub mod completion_cache;
pub mod feedback;
pub mod http;
pub mod language_model;
pub mod shadow;
pub mod subagents;
pub mod telemetry;
