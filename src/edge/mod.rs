//! What touches the world. Folders here don't import each other; `bootstrap.rs` joins them to the engine's ports.

pub mod cache;
pub mod http;
